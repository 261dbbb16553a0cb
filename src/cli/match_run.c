/* Plays the blocks of a match on all cores. Which worker plays which block, and when, changes nothing: a game is made
 * of its seeds, and the results are read in the order of the blocks. */
#include "match.h"

#include "clock.h"
#include "command.h"
#include "exec_player.h"
#include "progress.h"
#include "terminal/language.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FAULTS_SHOWN = 20 };

typedef struct match {
    const match_wishes *wishes;
    gral_game game;
    match_plan plan;
    uint32_t blocks;
    match_result *result;
    bool *counts;       /* blocks that are finished; in the end, those that belong to the result */
    match_times *times; /* by row */
    bool show_progress;

    atomic_uint next;
    atomic_bool stop;
    pthread_mutex_t lock; /* what follows, and `counts` and `times` */
    pthread_cond_t news;
    unsigned working, finished, faults_shown;
    bool failed; /* something was said about it already */
    uint32_t judged;
    match_mean score; /* of the blocks before `judged` */
    enum match_verdict verdict;
} match;

typedef struct worker {
    match *match;
    pthread_t thread;
    match_desk desk;
    match_times *times;
    gral_player **player; /* name by name, one for each seat */
    gral_player **twin;   /* name by name */
    uint32_t game;        /* the number of the game being played, */
    const match_lineup *lineup;
    unsigned rotation;
    struct {
        uint32_t game;
        unsigned seat;
        char what[256];
    } last_fault;
} worker;

static atomic_int interrupted; /* the signal that did it */

static void interrupt(int signal)
{
    atomic_store(&interrupted, signal);
}

/* --- saying something while the bar is there; the lock is held --- */

static void clear_bar(const match *match)
{
    if (match->show_progress)
        progress_clear();
}

static void fail(match *match, const char *what, const char *why)
{
    pthread_mutex_lock(&match->lock);
    if (!match->failed) {
        clear_bar(match);
        fprintf(stderr, "gral match: %s: %s\n", what, why);
    }
    match->failed = true;
    atomic_store(&match->stop, true);
    pthread_mutex_unlock(&match->lock);
}

static const char *name_on(const worker *worker, unsigned seat)
{
    const match_plan *plan = &worker->match->plan;
    return plan->names[match_name_on(plan, worker->lineup, worker->rotation, seat)];
}

/* A program that does the same wrong thing all through a game is told of once. */
static bool is_news(worker *worker, unsigned seat, const char *what)
{
    const bool same = worker->last_fault.game == worker->game && worker->last_fault.seat == seat &&
                      strcmp(worker->last_fault.what, what) == 0;
    worker->last_fault.game = worker->game;
    worker->last_fault.seat = seat;
    snprintf(worker->last_fault.what, sizeof worker->last_fault.what, "%s", what);
    return !same;
}

static void report_fault(void *context, unsigned seat, const char *what)
{
    worker *worker = context;
    match *match = worker->match;
    if (atomic_load(&match->stop) || !is_news(worker, seat, what))
        return;
    pthread_mutex_lock(&match->lock);
    if (match->faults_shown <= FAULTS_SHOWN)
        clear_bar(match);
    if (match->faults_shown < FAULTS_SHOWN)
        fprintf(stderr, _("gral match: game %u, seat %u, %s: %s\n"), worker->game + 1, seat + 1, name_on(worker, seat),
                what);
    else if (match->faults_shown == FAULTS_SHOWN)
        fputs(_("gral match: further faults are counted but not shown\n"), stderr);
    match->faults_shown++;
    pthread_mutex_unlock(&match->lock);
}

static void report_leak(const worker *worker)
{
    const match_leak *leak = &worker->desk.leak;
    char words[2][GRAL_ACTION_TEXT_MAX], what[80], why[320];
    gral_text text = gral_text_in(words[0], sizeof words[0]);
    gral_action_print(&text, leak->first);
    text = gral_text_in(words[1], sizeof words[1]);
    gral_action_print(&text, leak->second);
    snprintf(what, sizeof what, _("leak in game %u, action %u"), worker->game + 1, leak->action);
    snprintf(why, sizeof why, _("seat %u, %.80s, says '%s', but '%s' when only sheets it cannot see are changed"),
             leak->seat + 1u, name_on(worker, leak->seat), words[0], words[1]);
    fail(worker->match, what, why);
}

/* --- records --- */

static void print_tags(gral_text *text, const void *context)
{
    const worker *worker = context;
    char number[16];
    for (unsigned seat = 0; seat < worker->match->plan.seats; seat++)
        gral_tag_print_seat(text, seat, name_on(worker, seat), true);
    snprintf(number, sizeof number, "%u", worker->match->wishes->seed);
    gral_tag_print(text, "Seed", number);
    snprintf(number, sizeof number, "%u", worker->game + 1);
    gral_tag_print(text, "Game", number);
}

/* All of it, or no file. */
static bool write_file(const char *path, const char *words)
{
    FILE *file = fopen(path, "we");
    if (file == NULL)
        return false;
    const bool written = fputs(words, file) != EOF;
    if (fclose(file) == 0 && written)
        return true;
    const int reason = errno;
    unlink(path);
    errno = reason;
    return false;
}

static bool save_record(worker *worker)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/game-%06u.gral", worker->match->wishes->records, worker->game + 1);
    free(worker->desk.played.tags);
    size_t length;
    worker->desk.played.tags = gral_text_whole(print_tags, worker, &length);
    char *words = gral_record_text(&worker->desk.played, &length);
    const bool saved = words != NULL && write_file(path, words);
    free(words);
    if (!saved)
        fail(worker->match, path, strerror(errno));
    return saved;
}

/* --- a worker --- */

static gral_player *make_player(match *match, unsigned name)
{
    gral_error error;
    const char *words = match->plan.names[name];
    gral_player *player = cli_player_make(gral_span_of(words), &error);
    if (player == NULL)
        fail(match, words, language_of(error.message));
    else
        exec_player_allow(player, match->wishes->milliseconds);
    return player;
}

static bool have_player(match *match, gral_player **player, unsigned name)
{
    if (*player == NULL)
        *player = make_player(match, name);
    return *player != NULL;
}

/* Programs are not asked twice: what they get is the text of a view, and their chance is their own. */
static bool is_repeatable(const gral_player *player)
{
    return player->kind != &exec_player_kind;
}

static bool seat_players(worker *worker, match_job *job)
{
    match *match = worker->match;
    const match_plan *plan = &match->plan;
    unsigned copies[MATCH_NAMES_MAX] = {0};
    for (unsigned seat = 0; seat < plan->seats; seat++) {
        const unsigned name = match_name_on(plan, worker->lineup, worker->rotation, seat);
        gral_player **player = &worker->player[name * plan->seats + copies[name]++];
        gral_player **twin = &worker->twin[name];
        if (!have_player(match, player, name))
            return false;
        job->player[seat] = *player;
        if (match->wishes->leak_check && is_repeatable(*player)) {
            if (!have_player(match, twin, name))
                return false;
            job->twin[seat] = *twin;
        }
        for (unsigned row = 0; row < plan->rows; row++)
            if (&plan->lineup[plan->row[row].lineup] == worker->lineup && plan->row[row].name == name)
                job->times[seat] = &worker->times[row];
    }
    return true;
}

/* Plays one game and keeps its result; false if it did not come to its end. */
static bool play_game(worker *worker, uint32_t block)
{
    match *match = worker->match;
    match_job job = {
        .game = &match->game,
        .cap = match->wishes->cap,
        .seed = match_block_seed(match->wishes->seed, block),
        .clock = match->wishes->leak_check ? NULL : clock_ms,
        .stop = &match->stop,
        .fault = report_fault,
        .context = worker,
    };
    worker->game = block * match->plan.games + worker->lineup->first + worker->rotation;
    if (!seat_players(worker, &job))
        return false;
    const match_result result = match_play(&worker->desk, &job);
    if (result.ending == MATCH_LEAKED)
        report_leak(worker);
    if (result.ending == MATCH_ABANDONED && !atomic_load(&match->stop))
        fail(match, _("the game could not continue"), _("out of memory"));
    if (result.ending == MATCH_LEAKED || result.ending == MATCH_ABANDONED)
        return false;
    match->result[worker->game] = result;
    return match->wishes->records == NULL || save_record(worker);
}

static bool play_block(worker *worker, uint32_t block)
{
    const match_plan *plan = &worker->match->plan;
    for (unsigned lineup = 0; lineup < plan->lineups; lineup++) {
        worker->lineup = &plan->lineup[lineup];
        for (worker->rotation = 0; worker->rotation < worker->lineup->rotations; worker->rotation++)
            if (!play_game(worker, block))
                return false;
    }
    return true;
}

/* The test looks at one block after the other, whichever was finished first, so that it stops at the same one with any
 * number of workers. */
static void judge(match *match)
{
    while (match->verdict == MATCH_UNDECIDED && match->judged < match->blocks && match->counts[match->judged]) {
        match_mean_add(&match->score, match_score_of_block(&match->plan, match->result, match->judged++));
        match->verdict = match_sprt_verdict(&match->wishes->sprt, &match->score);
    }
    if (match->verdict != MATCH_UNDECIDED)
        atomic_store(&match->stop, true);
}

static void *work(void *context)
{
    worker *worker = context;
    match *match = worker->match;
    while (!atomic_load(&match->stop)) {
        const uint32_t block = atomic_fetch_add(&match->next, 1);
        if (block >= match->blocks || !play_block(worker, block))
            break;
        pthread_mutex_lock(&match->lock);
        match->counts[block] = true;
        match->finished++;
        if (match->wishes->sprt_wanted)
            judge(match);
        pthread_cond_signal(&match->news);
        pthread_mutex_unlock(&match->lock);
    }
    pthread_mutex_lock(&match->lock);
    for (unsigned row = 0; row < match->plan.rows; row++)
        match_times_merge(&match->times[row], &worker->times[row]);
    match->working--;
    pthread_cond_signal(&match->news);
    pthread_mutex_unlock(&match->lock);
    return NULL;
}

static bool worker_begin(worker *worker, match *match)
{
    const match_plan *plan = &match->plan;
    worker->match = match;
    worker->desk = match_desk_begin(&match->game.settings);
    worker->times = calloc(plan->rows, sizeof *worker->times);
    worker->player = calloc((size_t)plan->name_count * plan->seats, sizeof *worker->player);
    worker->twin = calloc(plan->name_count, sizeof *worker->twin);
    return worker->times != NULL && worker->player != NULL && worker->twin != NULL;
}

static void worker_end(worker *worker)
{
    const match_plan *plan = &worker->match->plan;
    for (unsigned name = 0; worker->twin != NULL && name < plan->name_count; name++)
        gral_player_free(worker->twin[name]);
    for (unsigned index = 0; worker->player != NULL && index < plan->name_count * plan->seats; index++)
        gral_player_free(worker->player[index]);
    free(worker->times);
    free(worker->player);
    free(worker->twin);
    match_desk_free(&worker->desk);
}

/* --- the match --- */

static void wait_for_workers(match *match)
{
    pthread_mutex_lock(&match->lock);
    while (match->working > 0) {
        if (match->show_progress)
            progress_show(match->finished * match->plan.games, match->blocks * match->plan.games);
        struct timespec soon;
        clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_nsec += 100000000;
        soon.tv_sec += soon.tv_nsec / 1000000000;
        soon.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&match->news, &match->lock, &soon);
        if (atomic_load(&interrupted))
            atomic_store(&match->stop, true);
    }
    clear_bar(match);
    pthread_mutex_unlock(&match->lock);
}

static void start_workers(match *match, worker *workers, unsigned count)
{
    /* Signals are the main thread's: the first asks to stop, a second one kills. */
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    for (unsigned index = 0; index < count; index++) {
        pthread_mutex_lock(&match->lock);
        match->working++;
        pthread_mutex_unlock(&match->lock);
        const int problem = pthread_create(&workers[index].thread, NULL, work, &workers[index]);
        if (problem != 0) {
            fail(match, _("a thread could not be started"), strerror(problem));
            pthread_mutex_lock(&match->lock);
            match->working--;
            pthread_mutex_unlock(&match->lock);
            workers[index].thread = pthread_self();
        }
    }
    const struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void play_all(match *match, worker *workers, unsigned count)
{
    bool ready = true;
    for (unsigned index = 0; ready && index < count; index++)
        ready = worker_begin(&workers[index], match);
    if (!ready) {
        fail(match, _("the match could not start"), _("out of memory"));
        return;
    }
    start_workers(match, workers, count);
    wait_for_workers(match);
    for (unsigned index = 0; index < count; index++)
        if (!pthread_equal(workers[index].thread, pthread_self()))
            pthread_join(workers[index].thread, NULL);
}

/* With a verdict, later blocks that happened to be finished do not count. */
static void leave_out_later_blocks(match *match)
{
    for (uint32_t block = match->judged; match->verdict != MATCH_UNDECIDED && block < match->blocks; block++)
        match->counts[block] = false;
}

/* Whose games mean nothing: a program that was never there. */
static int find_absent(const match_outcome *outcome)
{
    const char *name = match_name_without_answers(outcome);
    if (name == NULL)
        return CLI_OK;
    fprintf(stderr, _("gral match: %s never gave a legal answer\n"), name);
    return CLI_FAILED;
}

static int play_match(match *match)
{
    int status = CLI_FAILED;
    const unsigned count = match->wishes->threads < match->blocks ? match->wishes->threads : match->blocks;
    worker *workers = calloc(count, sizeof *workers);
    match->result = calloc((size_t)match->blocks * match->plan.games, sizeof *match->result);
    match->counts = calloc(match->blocks, sizeof *match->counts);
    match->times = calloc(match->plan.rows, sizeof *match->times);
    if (workers == NULL || match->result == NULL || match->counts == NULL || match->times == NULL)
        fail(match, _("the match could not start"), _("out of memory"));
    else
        play_all(match, workers, count);

    if (!match->failed) {
        leave_out_later_blocks(match);
        const match_outcome outcome = {
            .plan = &match->plan,
            .result = match->result,
            .counts = match->counts,
            .blocks = match->blocks,
            .times = match->times,
            .seed = match->wishes->seed,
            .sprt = match->wishes->sprt_wanted ? &match->wishes->sprt : NULL,
            .interrupted = atomic_load(&interrupted) != 0,
            .leak_checked = match->wishes->leak_check,
        };
        (match->wishes->json ? match_print_json : match_print_table)(stdout, &outcome);
        status = outcome.interrupted ? CLI_SIGNALLED + atomic_load(&interrupted) : find_absent(&outcome);
    }
    for (unsigned index = 0; workers != NULL && index < count; index++)
        if (workers[index].match != NULL)
            worker_end(&workers[index]);
    free(workers);
    free(match->result);
    free(match->counts);
    free(match->times);
    return status;
}

int match_run(const match_wishes *wishes, char **names, unsigned name_count, const gral_settings *settings)
{
    int status;
    match match = {.wishes = wishes, .show_progress = isatty(STDERR_FILENO)};
    pthread_mutex_init(&match.lock, NULL);
    pthread_cond_init(&match.news, NULL);
    gral_game_make(&match.game, settings);
    if (match_plan_make(&match.plan, names, name_count, settings->players)) {
        match.blocks = (wishes->games + match.plan.games - 1) / match.plan.games;
        status = play_match(&match);
    } else {
        fprintf(stderr, "gral match: %s\n", _("out of memory"));
        status = CLI_FAILED;
    }
    match_plan_free(&match.plan);
    return status;
}
