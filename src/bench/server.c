/* Everything in one run, so that the figures can be set in relation to each other: this program is the client, and each
 * server is a process of its own. */
#include "bench.h"

#include "clock.h"
#include "progress.h"
#include "server.h"
#include "store/store.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const bench_server_plan bench_server_usual = {
    .connections = {100, 1000, 5000}, .loads = 3, .seconds = 3, .idle = 10000, .games = 10000};
const bench_server_plan bench_server_quick = {
    .connections = {100, 1000}, .loads = 2, .seconds = 1, .idle = 1000, .games = 1000};

/* So many servers on one database. */
enum { SHARED_MAX = 2 * BENCH_PROCESSES_MAX };
typedef struct shared {
    unsigned processes;
    bool across;
    load play[BENCH_LOADS_MAX], thinking[BENCH_LOADS_MAX];
} shared;

typedef struct report {
    load echo[BENCH_LOADS_MAX], play[BENCH_LOADS_MAX], thinking[BENCH_LOADS_MAX];
    shared shared[SHARED_MAX]; /* in the other database */
    unsigned shared_count;
    double connection_kib, game_kib;
    double ready_ms, answer_ms;
} report;

/* --- the folder: beside the work, so that the disk is the one people use --- */

static char folder[] = "gral-bench-XXXXXX";
static const char *const store_files[] = {"gral.db", "gral.db-wal", "gral.db-shm", "gral.db-lock"};
enum { STORE_FILES = sizeof store_files / sizeof *store_files, PATH_BYTES = 64 };
static char store_path[STORE_FILES][PATH_BYTES];

static bool make_folder(void)
{
    if (mkdtemp(folder) == NULL)
        return false;
    for (unsigned file = 0; file < STORE_FILES; file++)
        snprintf(store_path[file], PATH_BYTES, "%s/%s", folder, store_files[file]);
    return true;
}

static void empty_folder(void)
{
    for (unsigned file = 0; file < STORE_FILES; file++)
        unlink(store_path[file]);
}

static void remove_folder(void)
{
    empty_folder();
    rmdir(folder);
}

/* The servers die with this process. */
static void interrupted(int number)
{
    remove_folder();
    _exit(128 + number);
}

/* --- steps --- */

static void (*step)(unsigned done, unsigned all);

static bool measure_echo(const bench_server_plan *plan, report *report, gral_error *error)
{
    process echo;
    if (!process_echo(&echo, error))
        return false;
    bool right = true;
    for (unsigned row = 0; row < plan->loads && right; row++)
        right = load_echo(&echo, plan->connections[row], plan->seconds, &report->echo[row], error);
    process_kill(&echo);
    return right;
}

static bool measure_play_at(fleet fleet, const char *database, unsigned connections, unsigned seconds, load *hasty,
                            load *thinking, gral_error *error)
{
    if (!fleet_serve(&fleet, database, connections, error))
        return false;
    const bool right = load_play(&fleet, connections, seconds, step, hasty, thinking, error);
    fleet_kill(&fleet);
    return right;
}

/* Each load has a new server and an empty file. */
static bool measure_play(const bench_server_plan *plan, report *report, gral_error *error)
{
    bool right = true;
    for (unsigned row = 0; row < plan->loads && right; row++) {
        right = measure_play_at((fleet){.count = 1}, store_path[0], plan->connections[row], plan->seconds,
                                &report->play[row], &report->thinking[row], error);
        empty_folder();
    }
    return right;
}

static bool note_game(void *context, const char *game, enum store_stage stage, int64_t changed)
{
    (void)game, (void)stage, (void)changed;
    *(bool *)context = true;
    return false;
}

/* Nobody's games may be there unless that is wished; those of the bench stay. */
static bool is_free(const char *database, gral_error *error)
{
    bool used = false;
    store *store = store_open(database, true, error);
    const bool good = store != NULL && store->kind->games(store, "", 1, note_game, &used, error);
    if (store != NULL)
        store->kind->close(store);
    if (used)
        *error = (gral_error){.message = "there are games in this database; the bench needs an empty one"};
    return good && !used;
}

static bool measure_shared(const bench_wishes *wishes, shared *shared, gral_error *error)
{
    const bench_server_plan *plan = &wishes->plan;
    bool right = true;
    for (unsigned row = 0; row < plan->loads && right; row++)
        right = measure_play_at((fleet){.count = shared->processes, .across = shared->across}, wishes->database,
                                plan->connections[row], plan->seconds, &shared->play[row], &shared->thinking[row],
                                error);
    return right;
}

/* With one server, and with each number of several twice: a table's people at one of them, and spread over them. */
static bool measure_elsewhere(const bench_wishes *wishes, report *report, gral_error *error)
{
    if (wishes->database == NULL)
        return true;
    bool right = wishes->filled || is_free(wishes->database, error);
    for (unsigned processes = 1; processes <= wishes->plan.processes && right; processes++)
        for (unsigned across = 0; across < (processes > 1 ? 2U : 1U) && right; across++) {
            shared *shared = &report->shared[report->shared_count++];
            *shared = (struct shared){.processes = processes, .across = across > 0};
            right = measure_shared(wishes, shared, error);
        }
    return right;
}

static bool measure_idle(const bench_server_plan *plan, report *report, gral_error *error)
{
    process server;
    if (!process_serve(&server, store_path[0], plan->idle, error))
        return false;
    const bool right = load_idle(&server, plan->idle, step, &report->connection_kib, error);
    process_kill(&server);
    empty_folder();
    return right;
}

static bool all_are_back(const process *server, unsigned games, gral_error *error)
{
    char *page = wires_get(server->port, "/metrics");
    const bool right = page != NULL && metric_of(page, "games_running") == games;
    free(page);
    if (!right)
        *error = (gral_error){.message = "games are missing after a restart"};
    return right;
}

/* An empty server first, for its own memory; then one with the games, which is killed; then the one that counts. */
static bool measure_resume(const bench_server_plan *plan, report *report, gral_error *error)
{
    process server;
    if (!process_serve(&server, store_path[0], plan->idle, error))
        return false;
    free(wires_get(server.port, "/healthz"));
    const double empty_kib = process_kib(&server);
    process_kill(&server);
    empty_folder();

    if (!fill_store(store_path[0], plan->games, step, error) ||
        !process_serve(&server, store_path[0], plan->idle, error))
        return false;
    process_kill(&server);
    const double began = clock_ms();
    if (!process_serve(&server, store_path[0], plan->idle, error))
        return false;
    free(wires_get(server.port, "/healthz"));
    report->answer_ms = clock_ms() - began;
    report->ready_ms = server.ready_ms;
    report->game_kib = (process_kib(&server) - empty_kib) / plan->games;
    const bool right = all_are_back(&server, plan->games, error);
    process_kill(&server);
    return right;
}

/* --- the report --- */

static double rate(uint64_t count, const load *load)
{
    return load->seconds > 0 ? (double)count / load->seconds : 0;
}

/* What the server works for one echo or action, on all its threads; the rest of the machine has little say in it. */
static double work_us(const load *load)
{
    return load->round_trips > 0 ? 1e3 * load->cpu_ms / (double)load->round_trips : 0;
}

static double ratio(const load *play, const load *echo)
{
    return rate(play->messages, play) / rate(echo->messages, echo);
}

/* The same of a database on this machine, and of whoever else works there. */
static double others_us(const load *load)
{
    return load->round_trips > 0 ? 1e3 * load->others_ms / (double)load->round_trips : 0;
}

static void print_json_play(const char *name, const load *play, const load *echo)
{
    printf("\"%s\":{\"actions_per_second\":%.0f,\"messages_per_second\":%.0f,\"p50_ms\":%.3f,\"p99_ms\":%.3f,"
           "\"work_us\":%.1f,\"others_us\":%.1f,\"idle\":%.2f,\"of_echo\":%.3f,\"writes_per_commit\":%.1f,"
           "\"commit_ms\":%.2f},",
           name, rate(play->round_trips, play), rate(play->messages, play), play->p50_ms, play->p99_ms, work_us(play),
           others_us(play), play->idle, ratio(play, echo), play->group, play->commit_ms);
}

static void print_json_thinking(const char *name, const load *thinking)
{
    printf("\"%s\":{\"actions_per_second\":%.0f,\"p50_ms\":%.3f,\"p99_ms\":%.3f,\"work_us\":%.1f}", name,
           rate(thinking->round_trips, thinking), thinking->p50_ms, thinking->p99_ms, work_us(thinking));
}

static void print_json(const bench_server_plan *plan, const report *report)
{
    printf("{\"loads\":[");
    for (unsigned row = 0; row < plan->loads; row++) {
        const load *echo = &report->echo[row], *play = &report->play[row];
        printf("%s{\"connections\":%u,", row > 0 ? "," : "", play->connections);
        printf("\"echo\":{\"messages_per_second\":%.0f,\"p50_ms\":%.3f,\"p99_ms\":%.3f,\"work_us\":%.1f},",
               rate(echo->messages, echo), echo->p50_ms, echo->p99_ms, work_us(echo));
        print_json_play("play", play, echo);
        print_json_thinking("thinking", &report->thinking[row]);
        if (report->shared_count > 0)
            printf(",\"in_database\":[");
        for (unsigned at = 0; at < report->shared_count; at++) {
            const shared *shared = &report->shared[at];
            printf("%s{\"processes\":%u,\"across\":%s,", at > 0 ? "," : "", shared->processes,
                   shared->across ? "true" : "false");
            print_json_play("play", &shared->play[row], echo);
            print_json_thinking("thinking", &shared->thinking[row]);
            printf("}");
        }
        printf(report->shared_count > 0 ? "]}" : "}");
    }
    printf("],\"idle_connections\":%u,\"connection_kib\":%.2f,\"games\":%u,\"game_kib\":%.2f,"
           "\"ready_ms\":%.0f,\"answer_ms\":%.0f}\n",
           plan->idle, report->connection_kib, plan->games, report->game_kib, report->ready_ms, report->answer_ms);
}

static void print_play(const bench_server_plan *plan, const load *plays, const load *echo)
{
    printf(
        "connections    actions/s   messages/s   of echo         p50         p99   work an action   others'   idle   "
        "a commit\n");
    for (unsigned row = 0; row < plan->loads; row++) {
        const load *play = &plays[row];
        printf("%11u %12.0f %12.0f %7.0f %% %8.2f ms %8.2f ms %13.1f us %6.1f us %4.0f %%   %.0f writes, %.1f ms\n",
               play->connections, rate(play->round_trips, play), rate(play->messages, play),
               1e2 * ratio(play, &echo[row]), play->p50_ms, play->p99_ms, work_us(play), others_us(play),
               1e2 * play->idle, play->group, play->commit_ms);
    }
}

static void print_thoughtful(const bench_server_plan *plan, const load *loads)
{
    printf("connections    actions/s         p50         p99   work an action\n");
    for (unsigned row = 0; row < plan->loads; row++) {
        const load *thinking = &loads[row];
        printf("%11u %12.0f %8.2f ms %8.2f ms %13.1f us\n", thinking->connections,
               rate(thinking->round_trips, thinking), thinking->p50_ms, thinking->p99_ms, work_us(thinking));
    }
}

static void print_table(const bench_server_plan *plan, const report *report)
{
    printf("a bare echo of 64 bytes (libwebsockets, libuv); messages are those in and out\n\n"
           "connections   messages/s         p50         p99   work an echo\n");
    for (unsigned row = 0; row < plan->loads; row++) {
        const load *echo = &report->echo[row];
        printf("%11u %12.0f %8.2f ms %8.2f ms %11.1f us\n", echo->connections, rate(echo->messages, echo), echo->p50_ms,
               echo->p99_ms, work_us(echo));
    }
    printf("\nthe server: tables of four, every action checked, stored on disk, told to four seats\n\n");
    print_play(plan, report->play, report->echo);
    printf("\nthe same tables when everybody thinks for %.1f s on average\n\n", 1e-3 * LOAD_THINK_MS);
    print_thoughtful(plan, report->thinking);
    for (unsigned at = 0; at < report->shared_count; at++) {
        const shared *shared = &report->shared[at];
        printf("\nboth in the other database, %u server%s%s; its own work is that of others\n\n", shared->processes,
               shared->processes > 1 ? "s" : "",
               shared->processes < 2 ? ""
               : shared->across      ? ", the people of a table at all of them"
                                     : ", a table's people at one of them");
        print_play(plan, shared->play, report->echo);
        printf("\n");
        print_thoughtful(plan, shared->thinking);
    }
    printf("\nan idle connection  %6.1f KiB   %u guests held; all of them answer\n", report->connection_kib,
           plan->idle);
    printf("an idle game        %6.1f KiB   %u running games of %u inputs\n", report->game_kib, plan->games,
           FILL_INPUTS);
    printf("after a kill        %6.2f s     until ready with these games, %.2f s until the first answer\n",
           1e-3 * report->ready_ms, 1e-3 * report->answer_ms);
}

/* --- computer players --- */

static bool measure_thinking(unsigned tables, unsigned seats, unsigned seconds, thinking_load *load, gral_error *error)
{
    process server;
    if (!process_serve(&server, store_path[0], tables, error))
        return false;
    const bool right = load_thinking(&server, tables, seats, seconds, load, error);
    process_kill(&server);
    empty_folder();
    return right;
}

static void print_thinking(const thinking_load *load, bool json)
{
    const double each = load->decisions > 0 ? 1e3 / load->decisions : 0;
    printf(json ? "{\"tables\":%u,\"seats\":%u,\"decisions_per_second\":%.0f,\"thinking_us\":%.0f,\"work_us\":%.0f,"
                  "\"inputs_per_second\":%.0f,\"waiting\":%u}\n"
                : "%6u %7u %13.0f %15.0f us %12.0f us %10.0f %9u\n",
           load->tables, load->seats, load->decisions / load->seconds, each * load->thinking_ms, each * load->cpu_ms,
           load->inputs / load->seconds, load->waiting);
}

static bool open_folder(void)
{
    if (!make_folder()) {
        perror("gral bench: no folder for a database");
        return false;
    }
    signal(SIGINT, interrupted);
    signal(SIGTERM, interrupted);
    return true;
}

bool bench_thinking(const bench_wishes *wishes)
{
    static const unsigned seats[] = {2, 4, 8};
    enum { TABLES = 600 };
    if (!open_folder())
        return false;
    if (!wishes->json)
        printf("tables   seats   decisions/s   thinking by the clock   work in all   inputs/s   waiting\n");
    gral_error error;
    bool right = true;
    for (unsigned row = 0; row < sizeof seats / sizeof *seats && right; row++) {
        thinking_load load;
        right = measure_thinking(TABLES, seats[row], wishes->plan.seconds, &load, &error);
        if (right)
            print_thinking(&load, wishes->json);
    }
    remove_folder();
    if (!right)
        fprintf(stderr, "gral bench: %s\n", error.message);
    return right;
}

bool bench_server(const bench_wishes *wishes)
{
    const bench_server_plan *plan = &wishes->plan;
    if (!open_folder())
        return false;
    step = wishes->progress ? progress_show : NULL;
    static report report;
    gral_error error;
    const bool right = measure_echo(plan, &report, &error) && measure_play(plan, &report, &error) &&
                       measure_elsewhere(wishes, &report, &error) && measure_idle(plan, &report, &error) &&
                       measure_resume(plan, &report, &error);
    remove_folder();
    if (!right) {
        fprintf(stderr, "gral bench: %s\n", error.message);
        return false;
    }
    if (wishes->json)
        print_json(plan, &report);
    else
        print_table(plan, &report);
    return true;
}
