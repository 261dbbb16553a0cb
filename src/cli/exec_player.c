/* A program behind a socket that is its standard input and output. It is sent the text of its seat's view and of what
 * that seat hears, made by the same functions as for everybody else: it is told no more. It runs with the rights of
 * whoever starts it, so it could read that person's files, saved games among them.
 *
 * Whatever the program does, the game goes on: every wait has an end, and what is wrong with an answer becomes a fault
 * of this one decision. A program that died, is late or floods is ended and started anew with the next decision, which
 * tells it the game from the start; after three such failures in a row it is not started again. */
#include "exec_player.h"

#include "clock.h"
#include "terminal/language.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum {
    START_MS = 5000, /* until it is ready */
    GRACE_MS = 50,   /* for the way there and back */
    QUIT_MS = 300,
    FAILURES_MAX = 3,
    LINE_MAX_BYTES = 4096,
    UNASKED_MAX = 1 << 20,
    WORDS_MAX = 64,
};

typedef struct exec_player {
    gral_player base;
    char *command;
    uint32_t milliseconds;
    pid_t pid;  /* 0 when it is not running */
    int socket; /* to it */
    unsigned failures;
    char input[LINE_MAX_BYTES]; /* what it said and nobody has read yet */
    size_t filled;
    char fault[256]; /* empty when the last answer was good */

    /* The game that it has been told of, and how far. */
    bool playing;
    gral_settings settings;
    unsigned seat;
    size_t heard_count;
    uint64_t heard_hash;
} exec_player;

static const char prefix[] = "exec:";

static exec_player *outside(const gral_player *player)
{
    return player->kind == &exec_player_kind ? (exec_player *)player : NULL;
}

/* Notes what is wrong; always false. */
__attribute__((format(printf, 2, 3))) static bool blame(exec_player *player, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(player->fault, sizeof player->fault, format, arguments);
    va_end(arguments);
    return false;
}

/* --- the process --- */

/* Cuts the command into words at its spaces. */
static void split(char *command, char *words[WORDS_MAX + 1])
{
    unsigned count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(command, " ", &rest); word != NULL && count < WORDS_MAX;
         word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    words[count] = NULL;
}

/* Its own group, so that all it starts can be ended with it and Ctrl-C is ours alone; and the signals as they are by
 * default, whatever this thread has blocked. */
static int spawn(pid_t *pid, char *words[], int socket)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, socket, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, socket, STDOUT_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    const int problem = posix_spawnp(pid, words[0], &files, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return problem;
}

/* 0, or why it could not be started. */
static int start(exec_player *player)
{
    int ends[2];
    char *command = strdup(player->command), *words[WORDS_MAX + 1];
    if (command == NULL)
        return ENOMEM;
    split(command, words);
    int problem = words[0] == NULL ? ENOENT : socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0 ? errno : 0;
    if (problem == 0) {
        problem = spawn(&player->pid, words, ends[1]);
        close(ends[1]);
        if (problem == 0) {
            player->socket = ends[0];
            player->filled = 0;
            player->playing = false;
        } else {
            player->pid = 0;
            close(ends[0]);
        }
    }
    free(command);
    return problem;
}

/* Ends it and all it has started; returns its status as waitpid gives it. */
static int end(exec_player *player)
{
    int status = 0;
    kill(-player->pid, SIGKILL);
    kill(player->pid, SIGKILL); /* should it have left its group */
    while (waitpid(player->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    close(player->socket);
    player->pid = 0;
    return status;
}

static bool fail(exec_player *player)
{
    player->failures++;
    if (player->pid != 0)
        end(player);
    return false;
}

static bool fail_gone(exec_player *player)
{
    const int status = end(player);
    if (WIFSIGNALED(status))
        blame(player, _("the program was ended by signal %d"), WTERMSIG(status));
    else
        blame(player, _("the program ended with status %d"), WEXITSTATUS(status));
    return fail(player);
}

static bool fail_late(exec_player *player, const char *complaint, double milliseconds)
{
    blame(player, _(complaint), milliseconds);
    return fail(player);
}

/* --- lines to it and from it --- */

/* Waits for the socket; false when the time is over. */
static bool wait_for(const exec_player *player, short events, double deadline)
{
    struct pollfd wanted = {.fd = player->socket, .events = events};
    for (;;) {
        const double left = deadline - clock_ms();
        const int ready = poll(&wanted, 1, isinf(left) ? -1 : left > 0 ? (int)ceil(left) : 0);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return true;
        if (ready == 0 && left <= 0)
            return false;
    }
}

/* False when it is gone or does not listen: then waiting for its answer will find out why. */
static bool say(const exec_player *player, gral_span words, double deadline)
{
    while (words.length > 0) {
        const ssize_t sent = send(player->socket, words.bytes, words.length, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) {
            words.bytes += sent;
            words.length -= (size_t)sent;
        } else if ((errno != EAGAIN && errno != EINTR) || !wait_for(player, POLLOUT, deadline)) {
            return false;
        }
    }
    return true;
}

static ssize_t receive(exec_player *player)
{
    const ssize_t got = recv(player->socket, player->input + player->filled, sizeof player->input - player->filled,
                             MSG_DONTWAIT);
    if (got > 0)
        player->filled += (size_t)got;
    return got;
}

/* A line of what it says, for our own words: cut short, and without what a terminal would obey. */
typedef struct quotation {
    char words[64];
} quotation;

static quotation quote(const char *bytes, size_t length)
{
    quotation quotation;
    size_t at = 0;
    for (; at < length && at < sizeof quotation.words - 1; at++)
        quotation.words[at] = bytes[at] >= ' ' && bytes[at] <= '~' ? bytes[at] : '?';
    quotation.words[at] = '\0';
    return quotation;
}

/* Its next line into `line`. The complaint is for when it is late. */
static bool listen_to(exec_player *player, const char *complaint, double milliseconds, char line[LINE_MAX_BYTES])
{
    const double deadline = milliseconds > 0 ? clock_ms() + milliseconds + GRACE_MS : INFINITY;
    const char *newline;
    while ((newline = memchr(player->input, '\n', player->filled)) == NULL) {
        if (player->filled == sizeof player->input) {
            blame(player, _("sent a line longer than %d bytes"), LINE_MAX_BYTES);
            return fail(player);
        }
        if (!wait_for(player, POLLIN, deadline))
            return fail_late(player, complaint, milliseconds);
        const ssize_t got = receive(player);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            return fail_gone(player);
    }
    const size_t length = (size_t)(newline - player->input), used = length + 1;
    memcpy(line, player->input, length);
    line[length > 0 && line[length - 1] == '\r' ? length - 1 : length] = '\0';
    player->filled -= used;
    memmove(player->input, player->input + used, player->filled);
    return true;
}

/* What it said unasked must not be taken for an answer: it is thrown away, and told. */
static bool expect_silence(exec_player *player)
{
    size_t thrown = 0;
    ssize_t got;
    while ((got = receive(player)) > 0 || player->filled > 0) {
        if (thrown == 0) {
            const char *end = memchr(player->input, '\n', player->filled);
            const quotation said = quote(player->input, end != NULL ? (size_t)(end - player->input) : player->filled);
            blame(player, _("sent '%s' without being asked"), said.words);
        }
        thrown += player->filled;
        player->filled = 0;
        if (thrown > UNASKED_MAX)
            return fail(player);
    }
    if (got == 0)
        return fail_gone(player);
    return thrown == 0;
}

/* --- the protocol --- */

static uint64_t hash_entries(const gral_entry *entry, size_t count)
{
    static_assert(sizeof(gral_entry) == 5, "no padding in an entry");
    const unsigned char *bytes = (const unsigned char *)entry;
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (size_t at = 0; at < count * sizeof *entry; at++)
        hash = (hash ^ bytes[at]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Whether the question belongs to the game it has been told of so far. */
static bool goes_on(const exec_player *player, const gral_question *question)
{
    return player->playing && player->seat == question->view->seat &&
           gral_settings_equal(&player->settings, &question->game->settings) &&
           player->heard_count <= question->heard_count &&
           player->heard_hash == hash_entries(question->heard, player->heard_count);
}

static bool begin_game(exec_player *player, const gral_question *question)
{
    char words[256], answer[LINE_MAX_BYTES];
    gral_text text = gral_text_in(words, sizeof words);
    gral_text_add(&text, "new seat=");
    gral_text_add_number(&text, question->view->seat + 1u);
    gral_text_add(&text, " ");
    gral_settings_print(&text, &question->game->settings);
    char seed[32];
    snprintf(seed, sizeof seed, " seed=%llu\n", (unsigned long long)question->seed);
    gral_text_add(&text, seed);

    say(player, (gral_span){words, text.length}, clock_ms() + START_MS);
    if (!listen_to(player, N_("no 'ready' within %.0f ms"), START_MS, answer))
        return false;
    if (strcmp(answer, "ready") != 0)
        return blame(player, _("answered '%s' to 'new', not 'ready'"), quote(answer, strlen(answer)).words);
    player->playing = true;
    player->settings = question->game->settings;
    player->seat = question->view->seat;
    player->heard_count = 0;
    player->heard_hash = hash_entries(NULL, 0);
    return true;
}

static void tell_events(exec_player *player, const gral_question *question, double deadline)
{
    for (size_t index = player->heard_count; index < question->heard_count; index++) {
        char words[GRAL_ACTION_TEXT_MAX + 16];
        gral_text text = gral_text_in(words, sizeof words);
        gral_text_add(&text, "event ");
        gral_text_add_number(&text, question->heard[index].seat + 1u);
        gral_text_add(&text, " ");
        gral_action_print(&text, question->heard[index].action);
        gral_text_add(&text, "\n");
        say(player, (gral_span){words, text.length}, deadline);
    }
    player->heard_count = question->heard_count;
    player->heard_hash = hash_entries(question->heard, question->heard_count);
}

static void ask(const exec_player *player, const gral_question *question, double deadline)
{
    char words[2 * GRAL_STATE_TEXT_MAX];
    gral_text text = gral_text_in(words, sizeof words);
    gral_text_add(&text, "view\n");
    gral_view_print(&text, question->game, question->view);
    gral_text_add(&text, "end\nlegal\n");
    gral_options_print(&text, question->game, &question->view->open, question->options);
    gral_text_add(&text, "end\ngo ");
    gral_text_add_number(&text, player->milliseconds);
    gral_text_add(&text, "\n");
    say(player, (gral_span){words, text.length}, deadline);
}

/* The action in its answer, if it may be done. */
static bool read_action(exec_player *player, const gral_question *question, const char *answer, gral_action *action)
{
    gral_error error;
    const quotation said = quote(answer, strlen(answer));
    if (!gral_action_parse(gral_span_of(answer), action, &error))
        return blame(player, _("answered '%s': column %u: %s"), said.words, error.column, language_of(error.message));
    /* Its own sheet is all that the rules look at. */
    gral_state state = {.open = question->view->open};
    memcpy(state.sheet, question->view->sheet, sizeof state.sheet);
    const enum gral_fault fault = gral_check(question->game, &state, *action);
    return fault == GRAL_LEGAL || blame(player, _("answered '%s': %s"), said.words, _(gral_fault_text(fault)));
}

static bool be_running(exec_player *player)
{
    if (player->failures >= FAILURES_MAX)
        return blame(player, _("the program failed %d times in a row and will not be asked again"), FAILURES_MAX);
    const int problem = player->pid == 0 ? start(player) : 0;
    if (problem == 0)
        return true;
    blame(player, _("the program could not be started: %s"), strerror(problem));
    return fail(player);
}

static bool get_action(exec_player *player, const gral_question *question, gral_action *action)
{
    char answer[LINE_MAX_BYTES];
    if (!be_running(player) || !expect_silence(player))
        return false;
    if (!goes_on(player, question) && !begin_game(player, question))
        return false;
    const double deadline = player->milliseconds > 0 ? clock_ms() + player->milliseconds : INFINITY;
    tell_events(player, question, deadline);
    ask(player, question, deadline);
    if (!listen_to(player, N_("no answer within %.0f ms"), player->milliseconds, answer))
        return false;
    player->failures = 0;
    return read_action(player, question, answer, action);
}

/* --- as a player --- */

static gral_action decide(gral_player *base, const gral_question *question, gral_clock *clock)
{
    (void)clock;
    exec_player *player = outside(base);
    gral_action action;
    player->fault[0] = '\0';
    if (get_action(player, question, &action))
        return action;
    return gral_safest_action(question->game, &question->view->open, question->options);
}

/* Whoever has not been told of this game is not told of its end. */
static void over(gral_player *base, const gral_question *end)
{
    exec_player *player = outside(base);
    if (player->pid == 0 || !goes_on(player, end))
        return;
    const double deadline = clock_ms() + QUIT_MS;
    tell_events(player, end, deadline);
    char words[64];
    gral_text text = gral_text_in(words, sizeof words);
    gral_text_add(&text, "over ");
    gral_result_print(&text, &end->view->open);
    gral_text_add(&text, "\n");
    say(player, (gral_span){words, text.length}, deadline);
    player->playing = false;
}

/* It has a moment to end by itself; its last words are nobody's business. */
static void free_player(gral_player *base)
{
    exec_player *player = outside(base);
    if (player->pid != 0) {
        const double deadline = clock_ms() + QUIT_MS;
        say(player, gral_span_of("quit\n"), deadline);
        ssize_t got = 1;
        while (got != 0 && wait_for(player, POLLIN, deadline) && clock_ms() < deadline) {
            player->filled = 0;
            got = receive(player);
            if (got < 0 && errno != EAGAIN && errno != EINTR)
                break;
        }
        end(player);
    }
    free(player->command);
    free(player);
}

const gral_player_kind exec_player_kind = {
    .name = "exec",
    .summary = "a program of your own: exec:PROGRAM",
    .decide = decide,
    .over = over,
    .free = free_player,
};

static gral_player *refuse(gral_error *error, const char *why)
{
    error->line = 1;
    error->column = sizeof prefix;
    gral_text text = gral_text_in(error->message, sizeof error->message);
    gral_text_add(&text, why);
    return NULL;
}

gral_player *cli_player_make(gral_span text, gral_error *error)
{
    const size_t head = strlen(prefix);
    if (text.length < head || memcmp(text.bytes, prefix, head) != 0)
        return gral_player_make(text, error);
    for (size_t at = head; at < text.length; at++)
        if ((unsigned char)text.bytes[at] < ' ' || text.bytes[at] == 0x7f)
            return refuse(error, N_("a player's text has a control character")); /* a record could not have it */
    exec_player *player = calloc(1, sizeof *player);
    char *command = strndup(text.bytes + head, text.length - head);
    if (player == NULL || command == NULL) {
        free(player);
        free(command);
        return refuse(error, N_("out of memory"));
    }
    player->base.kind = &exec_player_kind;
    player->command = command;
    player->milliseconds = 5000;
    const int problem = start(player);
    if (problem == 0)
        return &player->base;
    free_player(&player->base);
    return refuse(error, strerror(problem));
}

void exec_player_allow(gral_player *base, uint32_t milliseconds)
{
    exec_player *player = outside(base);
    if (player != NULL)
        player->milliseconds = milliseconds;
}

const char *exec_player_fault(const gral_player *base)
{
    const exec_player *player = outside(base);
    return player != NULL && player->fault[0] != '\0' ? player->fault : NULL;
}
