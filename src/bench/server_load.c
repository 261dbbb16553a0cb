/* Loads: each connection says the next thing as soon as it may. How long a thing takes is from sending it to having the
 * answer, which comes when it is safely stored. */
#include "clock.h"
#include "server.h"

#include "gral/fair.h"
#include "gral/random.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SEATS = 4, TURN_MS = 100, WARM_UP_MS = 700, PATIENCE_MS = 60000, ECHO_BYTES = 64, IDLE_SETTLE_MS = 1500 };

/* --- samples --- */

static void samples_add(samples *samples, double ms)
{
    if (samples->count == samples->capacity) {
        const size_t capacity = samples->capacity * 2 + 4096;
        float *bigger = realloc(samples->ms, capacity * sizeof *bigger);
        if (bigger == NULL)
            return;
        samples->ms = bigger;
        samples->capacity = capacity;
    }
    samples->ms[samples->count++] = (float)ms;
}

static int compare(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static double samples_sort_and_find(samples *samples, double share)
{
    if (samples->count == 0)
        return 0;
    qsort(samples->ms, samples->count, sizeof *samples->ms, compare);
    return (double)samples->ms[(size_t)(share * (double)(samples->count - 1))];
}

static bool fail(gral_error *error, const char *text)
{
    *error = (gral_error){0};
    snprintf(error->message, sizeof error->message, "%s", text);
    return false;
}

/* Lets the wires run for so long. */
static bool run_for(wires *wires, double ms, gral_error *error)
{
    for (const double end = clock_ms() + ms; clock_ms() < end;)
        if (!wires_turn(wires, TURN_MS, error))
            return false;
    return true;
}

/* --- the echo --- */

typedef struct echoing {
    samples samples;
    double *sent_at;
} echoing;

static void send_echo(echoing *echoing, wires *wires, unsigned wire)
{
    static const char text[ECHO_BYTES + 1] = "sixty-four bytes of nothing, to be had back just as they are ...";
    echoing->sent_at[wire] = clock_ms();
    wires_send(wires, wire, text, ECHO_BYTES);
}

static void hear_echo(void *context, wires *wires, unsigned wire, gral_span message)
{
    (void)message;
    echoing *echoing = context;
    samples_add(&echoing->samples, clock_ms() - echoing->sent_at[wire]);
    send_echo(echoing, wires, wire);
}

bool load_echo(const process *server, unsigned connections, unsigned seconds, load *load, gral_error *error)
{
    echoing echoing = {.sent_at = calloc(connections, sizeof *echoing.sent_at)};
    if (echoing.sent_at == NULL)
        return fail(error, "out of memory");
    wires *wires = wires_open(process_ends(server), connections, false, NULL, error);
    bool right = wires != NULL;
    if (right) {
        wires_hear(wires, hear_echo, &echoing);
        for (unsigned wire = 0; wire < connections; wire++)
            send_echo(&echoing, wires, wire);
        right = run_for(wires, WARM_UP_MS, error);
        echoing.samples.count = 0;
        const double began = clock_ms(), worked = process_cpu_ms(server);
        right = right && run_for(wires, 1e3 * seconds, error);
        *load = (struct load){.connections = connections,
                              .seconds = 1e-3 * (clock_ms() - began),
                              .round_trips = echoing.samples.count,
                              .cpu_ms = process_cpu_ms(server) - worked,
                              .messages = 2 * echoing.samples.count,
                              .p50_ms = samples_sort_and_find(&echoing.samples, 0.50),
                              .p99_ms = samples_sort_and_find(&echoing.samples, 0.99)};
        wires_close(wires);
    }
    free(echoing.samples.ms);
    free(echoing.sent_at);
    return right;
}

/* --- tables of four --- */

typedef struct seat {
    double sent_at; /* of the action that is not answered yet, else 0 */
    double due;     /* when it will act, else 0 */
    uint32_t version;
    char action[16]; /* that it wants to do, or "" */
} seat;

typedef struct playing {
    wires *wires;
    unsigned tables;
    char (*id)[GRAL_GAME_ID_MAX + 1];
    seat *seat;
    bool go;           /* else they wait after the opening, until all tables have begun */
    unsigned think_ms; /* how long a seat takes to act, on average; 0: not at all */
    gral_random random;
    unsigned made, waiting, refused;
    uint32_t actions;  /* for their ids */
    char refusal[100]; /* the first */
    samples samples;
} playing;

__attribute__((format(printf, 3, 4))) static void say(playing *playing, unsigned wire, const char *format, ...)
{
    char text[WIRES_MESSAGE_MAX];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    wires_send(playing->wires, wire, text, (size_t)length);
}

static void act(playing *playing, unsigned wire)
{
    seat *seat = &playing->seat[wire];
    say(playing, wire, "{\"id\":\"a%u\",\"do\":\"act\",\"table\":\"%s\",\"version\":%u,\"actions\":[%s]}",
        playing->actions++, playing->id[wire / SEATS], seat->version, seat->action);
    seat->sent_at = clock_ms();
    seat->action[0] = '\0';
    seat->due = 0;
}

static void act_where_due(playing *playing)
{
    const double now = clock_ms();
    for (unsigned wire = 0; wire < playing->tables * SEATS; wire++)
        if (playing->seat[wire].due > 0 && playing->seat[wire].due <= now)
            act(playing, wire);
}

/* Half as long as usual, or up to half as long again. */
static double thinking_time(playing *playing)
{
    return playing->think_ms / 2.0 + gral_random_below(&playing->random, playing->think_ms);
}

static const char *find(gral_span message, const char *words)
{
    return memmem(message.bytes, message.length, words, strlen(words));
}

/* The same initiate goes to and fro, and nobody minds. */
static const char *choose(gral_span legal)
{
    static const char *const choice[] = {"\"pass\"", "\"step T1 b1\"", "\"step T1 a1\""};
    for (unsigned row = 0; row < sizeof choice / sizeof *choice; row++)
        if (find(legal, choice[row]) != NULL)
            return choice[row];
    return "";
}

static void hear_push(playing *playing, unsigned wire, gral_span message)
{
    seat *seat = &playing->seat[wire];
    const char *version = find(message, "\"version\":");
    if (version != NULL)
        seat->version = (uint32_t)strtoul(version + strlen("\"version\":"), NULL, 10);
    const char *asked = find(message, "\"asked\":true");
    if (asked == NULL)
        return;
    const gral_span legal = {asked, strcspn(asked, "]")};
    if (find(legal, "\"place ") != NULL) {
        say(playing, wire,
            "{\"id\":\"a%u\",\"do\":\"act\",\"table\":\"%s\",\"version\":%u,"
            "\"actions\":[\"place 10 T1\",\"place 5 A1\",\"done\"]}",
            playing->actions++, playing->id[wire / SEATS], seat->version);
        return;
    }
    snprintf(seat->action, sizeof seat->action, "%s", choose(legal));
    if (!playing->go)
        playing->waiting++;
    else if (playing->think_ms == 0)
        act(playing, wire);
    else
        seat->due = clock_ms() + thinking_time(playing);
}

/* The table is there: its maker tells the others. */
static void hear_table(playing *playing, unsigned wire, const char *id)
{
    char *own = playing->id[wire / SEATS];
    snprintf(own, sizeof *playing->id, "%.*s", (int)strcspn(id, "\""), id);
    playing->made++;
    for (unsigned seat = 0; seat < SEATS; seat++) {
        if (seat > 0)
            say(playing, wire + seat, "{\"id\":\"s\",\"do\":\"sit\",\"table\":\"%s\",\"seat\":%u}", own, seat + 1);
        say(playing, wire + seat, "{\"id\":\"w\",\"do\":\"watch\",\"table\":\"%s\",\"have\":0}", own);
    }
}

static void hear_answer(playing *playing, unsigned wire, gral_span message)
{
    static const char made[] = "{\"re\":\"c\",\"ok\":true,\"table\":\"";
    seat *seat = &playing->seat[wire];
    if (find(message, "\"ok\":true") == NULL && playing->refused++ == 0)
        snprintf(playing->refusal, sizeof playing->refusal, "the server refuses: %.*s", (int)message.length,
                 message.bytes);
    if (seat->sent_at > 0) {
        samples_add(&playing->samples, clock_ms() - seat->sent_at);
        seat->sent_at = 0;
        return;
    }
    const char *table = find(message, made);
    if (table != NULL)
        hear_table(playing, wire, table + sizeof made - 1);
}

static void hear_play(void *context, wires *wires, unsigned wire, gral_span message)
{
    static const char answer[] = "{\"re\":", push[] = "{\"push\":\"table\"";
    (void)wires;
    if (strncmp(message.bytes, answer, sizeof answer - 1) == 0)
        hear_answer(context, wire, message);
    else if (strncmp(message.bytes, push, sizeof push - 1) == 0)
        hear_push(context, wire, message);
}

/* Makes the tables and plays the openings; then it is one seat's turn at every table. */
static bool begin_games(playing *playing, gral_error *error)
{
    enum { AT_ONCE = 64 };
    const double end = clock_ms() + PATIENCE_MS;
    for (unsigned begun = 0; playing->waiting < playing->tables;) {
        for (; begun < playing->tables && begun < playing->waiting + AT_ONCE; begun++)
            say(playing, begun * SEATS, "{\"id\":\"c\",\"do\":\"create\",\"players\":%u,\"first\":1,\"pace\":0}",
                SEATS);
        if (!wires_turn(playing->wires, TURN_MS, error))
            return false;
        if (playing->refused > 0 || clock_ms() > end)
            return fail(error, playing->refused > 0 ? playing->refusal : "the tables take too long");
    }
    return true;
}

static bool play_for(playing *playing, double ms, gral_error *error)
{
    for (const double end = clock_ms() + ms; clock_ms() < end;) {
        if (!wires_turn(playing->wires, playing->think_ms > 0 ? 1 : TURN_MS, error))
            return false;
        if (playing->think_ms > 0)
            act_where_due(playing);
    }
    return true;
}

/* What all servers say of their commits. */
typedef struct commits {
    double count, writes, seconds;
} commits;

static commits commits_of(const fleet *fleet)
{
    commits sum = {0};
    for (unsigned at = 0; at < fleet->count; at++) {
        char *page = wires_get(fleet->port[at], "/metrics");
        if (page == NULL)
            continue;
        sum.count += metric_of(page, "commits_total");
        sum.writes += metric_of(page, "commit_writes_total");
        sum.seconds += metric_of(page, "commit_seconds_sum");
        free(page);
    }
    return sum;
}

static double own_cpu_ms(void)
{
    return 1e3 * (double)clock() / CLOCKS_PER_SEC;
}

static bool measure_play(playing *playing, const fleet *fleet, double warm_up_ms, unsigned seconds, load *load,
                         gral_error *error)
{
    if (!play_for(playing, warm_up_ms, error))
        return false;
    const commits before = commits_of(fleet);
    const wires_figures first = wires_count(playing->wires);
    playing->samples.count = 0;
    const double began = clock_ms(), worked = fleet_cpu_ms(fleet), own = own_cpu_ms();
    const cores first_cores = cores_now();
    const bool right = play_for(playing, 1e3 * seconds, error);
    const cores last_cores = cores_now();
    const double busy_ms = last_cores.busy_ms - first_cores.busy_ms, all_ms = last_cores.all_ms - first_cores.all_ms;
    const double cpu_ms = fleet_cpu_ms(fleet) - worked, others_ms = busy_ms - cpu_ms - (own_cpu_ms() - own);
    const wires_figures last = wires_count(playing->wires);
    *load = (struct load){.connections = playing->tables * SEATS,
                          .seconds = 1e-3 * (clock_ms() - began),
                          .cpu_ms = cpu_ms,
                          .others_ms = others_ms > 0 ? others_ms : 0,
                          .idle = all_ms > 0 ? 1 - busy_ms / all_ms : 0,
                          .round_trips = playing->samples.count,
                          .messages = last.sent - first.sent + last.heard - first.heard,
                          .p50_ms = samples_sort_and_find(&playing->samples, 0.50),
                          .p99_ms = samples_sort_and_find(&playing->samples, 0.99)};
    const commits after = commits_of(fleet);
    if (after.count > before.count) {
        load->group = (after.writes - before.writes) / (after.count - before.count);
        load->commit_ms = 1e3 * (after.seconds - before.seconds) / (after.count - before.count);
    }
    if (right && playing->refused > 0)
        return fail(error, playing->refusal);
    return right;
}

/* First as fast as the server lets, then as people would at a very quick table. */
static bool measure_both(playing *playing, const fleet *fleet, unsigned seconds, load *hasty, load *thinking,
                         gral_error *error)
{
    playing->go = true;
    for (unsigned wire = 0; wire < playing->tables * SEATS; wire++)
        if (playing->seat[wire].action[0] != '\0')
            act(playing, wire);
    if (!measure_play(playing, fleet, WARM_UP_MS, seconds, hasty, error))
        return false;
    playing->think_ms = LOAD_THINK_MS;
    return measure_play(playing, fleet, 2.0 * LOAD_THINK_MS, seconds, thinking, error);
}

bool load_play(const fleet *fleet, unsigned connections, unsigned seconds, void (*step)(unsigned done, unsigned all),
               load *hasty, load *thinking, gral_error *error)
{
    const unsigned tables = connections / SEATS;
    playing playing = {.tables = tables,
                       .random = gral_random_from(connections),
                       .id = calloc(tables, sizeof *playing.id),
                       .seat = calloc((size_t)tables * SEATS, sizeof *playing.seat)};
    bool right = playing.id != NULL && playing.seat != NULL;
    if (!right)
        fail(error, "out of memory");
    else
        playing.wires = wires_open((wires_ends){fleet->port, fleet->count, fleet->across ? 1 : SEATS}, tables * SEATS,
                                   true, step, error);
    right = playing.wires != NULL;
    if (right) {
        wires_hear(playing.wires, hear_play, &playing);
        right = begin_games(&playing, error) && measure_both(&playing, fleet, seconds, hasty, thinking, error);
        wires_close(playing.wires);
    }
    free(playing.samples.ms);
    free(playing.id);
    free(playing.seat);
    return right;
}

/* --- nothing to do --- */

static void count_answer(void *context, wires *wires, unsigned wire, gral_span message)
{
    (void)wires, (void)wire;
    *(unsigned *)context += strncmp(message.bytes, "{\"re\":", 6) == 0;
}

bool load_idle(const process *server, unsigned connections, void (*step)(unsigned done, unsigned all), double *kib,
               gral_error *error)
{
    static const char question[] = "{\"id\":\"q\",\"do\":\"nothing\"}";
    const double before = process_kib(server);
    wires *wires = wires_open(process_ends(server), connections, true, step, error);
    if (wires == NULL)
        return false;
    unsigned answers = 0;
    wires_hear(wires, count_answer, &answers);
    bool right = run_for(wires, IDLE_SETTLE_MS, error);
    *kib = (process_kib(server) - before) / connections;
    for (unsigned wire = 0; wire < connections; wire++)
        wires_send(wires, wire, question, sizeof question - 1);
    for (const double end = clock_ms() + PATIENCE_MS; right && answers < connections && clock_ms() < end;)
        right = wires_turn(wires, TURN_MS, error);
    wires_close(wires);
    return right && (answers == connections || fail(error, "idle connections do not answer"));
}
