/* What whoever runs the server asks of it while it runs: `gral admin`, over a socket beside the database that only its
 * owner can open. Not through the database: names, tables and who is connected are in memory here, and another writer
 * there would not change them.
 *
 * A request is words, each ended by a zero byte; the end of sending is the end of the request. The answer is one line,
 * "ok" or why not, and then a list, its columns separated by tabs. What changes something is looked up on the pool,
 * written in one unit with a line of the audit log, and then followed by what is in memory, as errands do. */
#include "server/meetings.h"
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

#include "server/log.h"
#include "server/memory.h"

#include <errno.h>
#include <glob.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#include <utlist.h>

enum {
    ASKED_BYTES_MAX = 4096,
    WORDS_MAX = 64,
    ASKED_MAX = 4,   /* at the same time */
    WRITES_MAX = 4,  /* of one request */
    LIST_MAX = 1000, /* rows */
    PASSWORD_CHARACTERS = 16,
};

static const int64_t day = 86400000, for_ever = 32503680000000; /* the year 3000 */

typedef struct asked asked;

/* What can be asked. */
typedef struct admin_kind {
    const char *name;
    unsigned least, most;         /* words after it */
    bool about_somebody;          /* the first is a name, of somebody there is */
    void (*look)(asked *asked);   /* on the pool */
    void (*decide)(asked *asked); /* on the loop: adds writes, or refuses */
    void (*effect)(asked *asked); /* what is in memory follows */
} admin_kind;

struct asked {
    uv_work_t work;
    uv_pipe_t pipe;
    server *server;
    char bytes[ASKED_BYTES_MAX + 1];
    size_t length;
    const char *word[WORDS_MAX + 1];
    unsigned words; /* after the first */
    const admin_kind *kind;
    const char *wrong; /* why not */
    store_user user;
    char name[NAME_BYTES_MAX], key[NAME_KEY_MAX], note[ASKED_BYTES_MAX + 64], network_text[IP_RANGE_TEXT];
    char password[SECRET_TEXT], hashed[crypto_pwhash_STRBYTES];
    int64_t until;
    ip_range network;
    store_write write[WRITES_MAX];
    size_t writes;
    pen out;
    uv_write_t writing;
    struct asked *prev, *next;
};

struct admin {
    uv_pipe_t listener;
    char path[sizeof((struct sockaddr_un *)0)->sun_path];
    asked *asked;
    unsigned count, under_way; /* of them */
    bool open;
};

/* --- answering --- */

static void gone(uv_handle_t *pipe)
{
    asked *asked = pipe->data;
    struct admin *admin = asked->server->admin;
    DL_DELETE(admin->asked, asked);
    admin->count--;
    pen_free(&asked->out);
    sodium_memzero(asked, sizeof *asked);
    free(asked);
}

static void answered(uv_write_t *writing, int status)
{
    (void)status;
    asked *asked = writing->data;
    if (!uv_is_closing((uv_handle_t *)&asked->pipe))
        uv_close((uv_handle_t *)&asked->pipe, gone);
}

static void answer(asked *asked)
{
    static char fine[] = "ok\n";
    char refused[200];
    snprintf(refused, sizeof refused, "%s\n", asked->wrong != NULL ? asked->wrong : "");
    const char *first = asked->wrong != NULL ? refused : fine;
    pen *out = &asked->out;
    const size_t length = asked->wrong == NULL ? out->length : 0;
    char *whole = memory_get(strlen(first) + length + 1);
    memcpy(whole, first, strlen(first));
    if (length > 0)
        memcpy(whole + strlen(first), out->bytes, length);
    const size_t all = strlen(first) + length;
    pen_free(out);
    *out = (pen){.bytes = whole, .length = all, .capacity = all + 1};
    const uv_buf_t bytes = uv_buf_init(out->bytes, (unsigned)out->length);
    asked->writing.data = asked;
    asked->server->admin->under_way--;
    if (uv_write(&asked->writing, (uv_stream_t *)&asked->pipe, &bytes, 1, answered) != 0)
        answered(&asked->writing, 0);
}

/* A row of the list; blanks stand for what would break it. */
static void put(pen *out, const char *text, char end)
{
    char *copy = memory_get(strlen(text) + 2);
    size_t length = 0;
    for (; *text != '\0'; text++)
        copy[length++] = (unsigned char)*text < ' ' ? ' ' : *text;
    copy[length++] = end;
    pen_keep(out, (gral_span){copy, length});
    out->length--; /* its zero */
    free(copy);
}

static bool put_row(void *context, const char *const column[], unsigned columns)
{
    asked *asked = context;
    for (unsigned at = 0; at < columns; at++)
        put(&asked->out, column[at], at + 1 == columns ? '\n' : '\t');
    return true;
}

/* --- writing --- */

static store_write *add(asked *asked, uint8_t kind)
{
    store_write *write = &asked->write[asked->writes++];
    *write = (store_write){.kind = kind,
                           .user = asked->user.user,
                           .time = server_now(asked->server),
                           .name = asked->name,
                           .key = asked->key,
                           .ends = asked->until};
    return write;
}

/* The words as they were said, but no password is among them. */
static void note(asked *asked)
{
    gral_text text = gral_text_in(asked->note, sizeof asked->note);
    for (unsigned at = 0; at <= asked->words; at++) {
        gral_text_add(&text, at > 0 ? " " : "");
        gral_text_add(&text, asked->word[at]);
    }
    store_write *write = add(asked, STORE_AUDIT);
    write->user = 0;
    write->text = gral_span_of(asked->note);
}

static void written(void *context, enum store_outcome outcome)
{
    asked *asked = context;
    if (outcome != STORE_DONE)
        asked->wrong = outcome == STORE_CONFLICT ? "that is taken, or not there any more" : "it cannot be stored";
    else if (asked->kind->effect != NULL)
        asked->kind->effect(asked);
    answer(asked);
}

static void looked(uv_work_t *work, int status)
{
    (void)status;
    asked *asked = work->data;
    if (asked->wrong == NULL && asked->kind->decide != NULL)
        asked->kind->decide(asked);
    if (asked->wrong != NULL || asked->kind->effect == NULL) {
        answer(asked);
        return;
    }
    note(asked);
    commit_write(asked->server->commit, asked->write, asked->writes, written, asked);
}

static void look(uv_work_t *work)
{
    asked *asked = work->data;
    store *store = asked->server->store;
    const char *why;
    gral_error error;
    if (asked->kind->about_somebody) {
        if (!name_read(gral_span_of(asked->word[1]), asked->name, asked->key, &why) ||
            !store->kind->user_by_key(store, asked->key, &asked->user, &error) || asked->user.user == 0)
            asked->wrong = "there is nobody of that name";
    }
    if (asked->wrong == NULL && asked->kind->look != NULL)
        asked->kind->look(asked);
}

/* --- lists --- */

static void list(asked *asked, enum store_list list, store_filter filter)
{
    store *store = asked->server->store;
    gral_error error;
    filter.most = filter.most > 0 ? filter.most : LIST_MAX;
    if (!store->kind->list(store, list, &filter, put_row, asked, &error))
        asked->wrong = "the database cannot be read";
}

static void list_people(asked *asked)
{
    list(asked, STORE_PEOPLE, (store_filter){.text = asked->words > 0 ? asked->word[1] : ""});
}

static void list_bans(asked *asked)
{
    list(asked, STORE_NETWORKS, (store_filter){0});
}

static void list_words(asked *asked)
{
    list(asked, STORE_WORDS, (store_filter){0});
}

static void list_reports(asked *asked)
{
    list(asked, STORE_REPORTS, (store_filter){.from = asked->words > 0 && strcmp(asked->word[1], "all") == 0});
}

static void list_audits(asked *asked)
{
    list(asked, STORE_AUDITS, (store_filter){0});
}

/* Today, or "2026-11-17"; days are those of UTC. */
static void sum_up_day(asked *asked)
{
    struct tm date = {0};
    int64_t from = server_now(asked->server) / day * day;
    if (asked->words > 0) {
        const char *end = strptime(asked->word[1], "%Y-%m-%d", &date);
        if (end == NULL || *end != '\0') {
            asked->wrong = "a day is written like 2026-11-17";
            return;
        }
        from = (int64_t)timegm(&date) * 1000;
    }
    list(asked, STORE_DAY, (store_filter){.from = from, .to = from + day});
}

static void list_tables(asked *asked)
{
    list(asked, STORE_TABLES,
         (store_filter){.text = asked->words > 0 ? asked->word[1] : "", .to = server_now(asked->server)});
}

/* --- people --- */

static void read_new_name(asked *asked)
{
    const char *why;
    if (!name_read(gral_span_of(asked->word[2]), asked->name, asked->key, &why))
        asked->wrong = why;
}

static void rename_person(asked *asked)
{
    add(asked, STORE_RENAME);
}

static void renamed(asked *asked)
{
    person_rename(asked->server, asked->user.user, asked->name, asked->user.password[0] == '\0');
}

static void delete_person(asked *asked)
{
    add(asked, STORE_DELETE_USER);
}

static void deleted(asked *asked)
{
    server *server = asked->server;
    person_rename(server, asked->user.user, "", false);
    company_forget(server, asked->user.user);
    tables_of_person_leave(server, asked->user.user);
    tournaments_forget(server, asked->user.user);
    session_end_all(server, asked->user.user);
}

static void make_password(asked *asked)
{
    uint8_t unused[STORE_SECRET_BYTES];
    if (asked->user.password[0] == '\0') {
        asked->wrong = "a guest has no password";
        return;
    }
    secret_make(asked->password, unused);
    asked->password[PASSWORD_CHARACTERS] = '\0';
    if (crypto_pwhash_str(asked->hashed, asked->password, strlen(asked->password), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                          crypto_pwhash_MEMLIMIT_INTERACTIVE) != 0)
        asked->wrong = "out of memory";
}

/* All that could be him ends: no session has a secret of zeros. */
static void reset_password(asked *asked)
{
    add(asked, STORE_SET_PASSWORD)->password = asked->hashed;
    add(asked, STORE_END_OTHERS)->token = true;
}

static void was_reset(asked *asked)
{
    session_end_all(asked->server, asked->user.user);
    put(&asked->out, asked->password, '\n');
}

/* "3": so many days; nothing: for ever. */
static void read_days(asked *asked)
{
    char *end;
    const unsigned at = 2;
    asked->until = for_ever;
    if (asked->words < at)
        return;
    const long days = strtol(asked->word[at], &end, 10);
    if (*end != '\0' || days < 1 || days > 36500)
        asked->wrong = "a number of days is 1 to 36500";
    else
        asked->until = server_now(asked->server) + days * day;
}

static void ban_person(asked *asked)
{
    add(asked, STORE_BAN);
}

static void silence_person(asked *asked)
{
    add(asked, STORE_SILENCE);
}

/* His seats go to computer players, as if he had left. */
static void banned(asked *asked)
{
    if (asked->until > 0) {
        tables_of_person_leave(asked->server, asked->user.user);
        tournaments_forget(asked->server, asked->user.user);
        session_end_all(asked->server, asked->user.user);
    }
}

static void silenced(asked *asked)
{
    person *person = person_find(asked->server, asked->user.user);
    if (person != NULL)
        person->silenced = asked->until;
    anew_disturb(asked->server, asked->user.user);
}

/* --- networks and words --- */

static void read_network(asked *asked)
{
    if (!ip_range_read(asked->word[1], &asked->network))
        asked->wrong = "a network is written like 192.0.2.0/24 or 2001:db8::/32";
    else if (asked->network.bits < 16 || (asked->network.bits >= 96 && asked->network.bits < 104))
        asked->wrong = "that is too much of the world";
    ip_range_print(&asked->network, asked->network_text);
}

static void read_network_and_days(asked *asked)
{
    read_network(asked);
    if (asked->wrong == NULL)
        read_days(asked);
}

static void bar_network(asked *asked)
{
    add(asked, asked->until > 0 ? STORE_BAR : STORE_UNBAR)->name = asked->network_text;
}

static void network_barred(asked *asked)
{
    server *server = asked->server;
    moderation_bar(server, &asked->network, asked->until);
    if (asked->until > 0)
        moderation_drop_barred(server);
}

static void add_word(asked *asked)
{
    add(asked, STORE_ADD_WORD)->name = asked->word[1];
}

static void drop_word(asked *asked)
{
    add(asked, STORE_DROP_WORD)->name = asked->word[1];
}

static void word_added(asked *asked)
{
    moderation_set_word(asked->server, asked->word[1], true);
}

static void word_dropped(asked *asked)
{
    moderation_set_word(asked->server, asked->word[1], false);
}

/* --- tables, reports, notices --- */

static void look_for_table(asked *asked)
{
    stored_game game;
    gral_error error;
    if (!stored_game_read(asked->server->store, asked->word[1], &game, &error))
        asked->wrong = "the database cannot be read";
    else if (game.host == NULL || gral_host_stage(game.host) == GRAL_ENDED)
        asked->wrong = "there is no such table, or it is over";
    gral_host_free(game.host);
}

static void table_found_to_close(void *context, table *table)
{
    (void)context;
    if (table != NULL && gral_host_stage(table->host) != GRAL_ENDED)
        table_dissolve(table);
}

static void table_closed(asked *asked)
{
    tables_find(asked->server, asked->word[1], table_found_to_close, NULL);
}

static void list_tournaments(asked *asked)
{
    tournaments_each(asked->server, put_row, asked);
}

static void look_for_tournament(asked *asked)
{
    if (!tournaments_can_end(asked->server, asked->word[1]))
        asked->wrong = "there is no such tournament, or it is over";
}

static void tournament_ended(asked *asked)
{
    tournaments_end(asked->server, asked->word[1]);
}

static void mark_report(asked *asked)
{
    char *end;
    add(asked, STORE_REPORT_DONE)->number = (uint32_t)strtoul(asked->word[1], &end, 10);
    if (*end != '\0')
        asked->wrong = "a report has a number";
}

static void nothing_more(asked *asked)
{
    (void)asked;
}

/* All words together. */
static void broadcast(asked *asked)
{
    server *server = asked->server;
    char words[ASKED_BYTES_MAX];
    gral_text text = gral_text_in(words, sizeof words);
    for (unsigned at = 1; at <= asked->words; at++) {
        gral_text_add(&text, at > 1 ? " " : "");
        gral_text_add(&text, asked->word[at]);
    }
    pen *out = &server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", "notice");
    pen_put_words(out, "text", words);
    pen_end(out, '}');
    here_send_all(server, out);
}

static const admin_kind kinds[] = {
    {"people", 0, 1, .look = list_people},
    {"rename", 2, 2, .about_somebody = true, .look = read_new_name, .decide = rename_person, .effect = renamed},
    {"password", 1, 1, .about_somebody = true, .look = make_password, .decide = reset_password, .effect = was_reset},
    {"delete", 1, 1, .about_somebody = true, .decide = delete_person, .effect = deleted},
    {"ban", 1, 2, .about_somebody = true, .look = read_days, .decide = ban_person, .effect = banned},
    {"unban", 1, 1, .about_somebody = true, .decide = ban_person, .effect = banned},
    {"mute", 1, 2, .about_somebody = true, .look = read_days, .decide = silence_person, .effect = silenced},
    {"unmute", 1, 1, .about_somebody = true, .decide = silence_person, .effect = silenced},
    {"networks", 0, 0, .look = list_bans},
    {"bar", 1, 2, .look = read_network_and_days, .decide = bar_network, .effect = network_barred},
    {"unbar", 1, 1, .look = read_network, .decide = bar_network, .effect = network_barred},
    {"words", 0, 0, .look = list_words},
    {"forbid", 1, 1, .decide = add_word, .effect = word_added},
    {"allow", 1, 1, .decide = drop_word, .effect = word_dropped},
    {"tables", 0, 1, .look = list_tables},
    {"close", 1, 1, .look = look_for_table, .effect = table_closed},
    {"tournaments", 0, 0, .decide = list_tournaments},
    {"cancel", 1, 1, .decide = look_for_tournament, .effect = tournament_ended},
    {"reports", 0, 1, .look = list_reports},
    {"done", 1, 1, .decide = mark_report, .effect = nothing_more},
    {"notice", 1, WORDS_MAX, .effect = broadcast},
    {"day", 0, 1, .look = sum_up_day},
    {"audit", 0, 0, .look = list_audits},
};

/* --- the socket --- */

static bool is_text(const asked *asked)
{
    for (size_t at = 0; at < asked->length; at++)
        if ((unsigned char)asked->bytes[at] < ' ' && asked->bytes[at] != '\0')
            return false;
    return true;
}

static void cut_into_words(asked *asked)
{
    unsigned count = 0;
    for (size_t at = 0; at < asked->length && count < WORDS_MAX; at += strlen(asked->bytes + at) + 1)
        asked->word[count++] = asked->bytes + at;
    asked->words = count > 0 ? count - 1 : 0;
    for (size_t index = 0; count > 0 && index < sizeof kinds / sizeof *kinds; index++)
        if (strcmp(kinds[index].name, asked->word[0]) == 0)
            asked->kind = &kinds[index];
}

static void begin(asked *asked)
{
    cut_into_words(asked);
    asked->server->admin->under_way++;
    if (asked->kind == NULL)
        asked->wrong = "there is no such command; gral admin --help lists them";
    else if (!is_text(asked) || asked->words < asked->kind->least || asked->words > asked->kind->most)
        asked->wrong = "that is not how this command is used; see gral admin --help";
    else if (asked->server->stopping)
        asked->wrong = "the server is stopping";
    if (asked->wrong != NULL) {
        answer(asked);
        return;
    }
    asked->work.data = asked;
    uv_queue_work(&asked->server->loop, &asked->work, look, looked);
}

static void give_room(uv_handle_t *handle, size_t wanted, uv_buf_t *room)
{
    (void)wanted;
    asked *asked = handle->data;
    *room = uv_buf_init(asked->bytes + asked->length, (unsigned)(ASKED_BYTES_MAX - asked->length));
}

static void heard(uv_stream_t *stream, ssize_t length, const uv_buf_t *room)
{
    (void)room;
    asked *asked = stream->data;
    if (length > 0) {
        asked->length += (size_t)length;
        return;
    }
    uv_read_stop(stream);
    if (length == UV_EOF)
        begin(asked);
    else
        uv_close((uv_handle_t *)stream, gone);
}

static void on_connection(uv_stream_t *listener, int status)
{
    server *server = listener->data;
    if (status != 0 || server->stopping)
        return;
    asked *asked = memory_get(sizeof *asked);
    asked->server = server;
    uv_pipe_init(&server->loop, &asked->pipe, 0);
    asked->pipe.data = asked;
    DL_APPEND(server->admin->asked, asked);
    server->admin->count++;
    if (uv_accept(listener, (uv_stream_t *)&asked->pipe) != 0 || server->admin->count > ASKED_MAX ||
        uv_read_start((uv_stream_t *)&asked->pipe, give_room, heard) != 0)
        uv_close((uv_handle_t *)&asked->pipe, gone);
}

/* Nobody else has the database, or this number of a process, so a socket that is there is an old one. */
static int listen_at(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    unlink(path);
    const int end = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const mode_t usual = umask(0177);
    const bool bound = end >= 0 && bind(end, (const struct sockaddr *)&address, sizeof address) == 0;
    umask(usual);
    if (bound)
        return end;
    if (end >= 0)
        close(end);
    return -1;
}

/* Several servers with one database may run on one machine: then each has a socket of its own. Whichever of them is
 * asked, all follow. */
static bool find_path(const server *server, char *path, size_t room)
{
    if (!store_socket_of(server->settings.database, path, room))
        return false;
    const size_t length = strlen(path);
    return server->store->kind->peers == NULL ||
           snprintf(path + length, room - length, "-%ld", (long)getpid()) < (int)(room - length);
}

/* Those of servers that were killed. */
static void remove_dead(const server *server)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char pattern[sizeof address.sun_path + 2];
    glob_t found;
    if (server->store->kind->peers == NULL ||
        !store_socket_of(server->settings.database, pattern, sizeof address.sun_path))
        return;
    strcat(pattern, "-*");
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t at = 0; at < found.gl_pathc; at++) {
        const int end = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        snprintf(address.sun_path, sizeof address.sun_path, "%s", found.gl_pathv[at]);
        if (end >= 0 && connect(end, (const struct sockaddr *)&address, sizeof address) != 0 && errno == ECONNREFUSED)
            unlink(address.sun_path);
        if (end >= 0)
            close(end);
    }
    globfree(&found);
}

void admin_open(server *server)
{
    struct admin *admin = memory_get(sizeof *admin);
    server->admin = admin;
    if (server->store->kind == &store_in_memory)
        return;
    remove_dead(server);
    const int end = find_path(server, admin->path, sizeof admin->path) ? listen_at(admin->path) : -1;
    if (end < 0) {
        log_line(LOG_WARNING, "no-admin", "why=\"its socket cannot be made\"");
        return;
    }
    uv_pipe_init(&server->loop, &admin->listener, 0);
    admin->listener.data = server;
    admin->open = uv_pipe_open(&admin->listener, end) == 0 &&
                  uv_listen((uv_stream_t *)&admin->listener, ASKED_MAX, on_connection) == 0;
    if (!admin->open)
        uv_close((uv_handle_t *)&admin->listener, NULL);
}

bool admin_busy(const server *server)
{
    return server->admin->under_way > 0;
}

void admin_stop(server *server)
{
    struct admin *admin = server->admin;
    for (asked *asked = admin->asked; asked != NULL; asked = asked->next)
        if (!uv_is_closing((uv_handle_t *)&asked->pipe))
            uv_close((uv_handle_t *)&asked->pipe, gone);
    if (!admin->open)
        return;
    unlink(admin->path);
    uv_close((uv_handle_t *)&admin->listener, NULL);
    admin->open = false;
}

void admin_close(server *server)
{
    free(server->admin);
}
