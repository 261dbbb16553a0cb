/* A load of computer players: at every table one person, who answers at once and says as little as he can, and computer
 * players of the lowest level, without a pace. What is counted are their decisions, as the server counts them. */
#include "clock.h"
#include "server.h"

#include "gral/fair.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURN_MS = 100, WARM_UP_MS = 3000 };

typedef struct table {
    char id[GRAL_GAME_ID_MAX + 1];
    uint32_t version;
} table;

typedef struct playing {
    wires *wires;
    unsigned seats;
    table *table; /* of each wire */
    uint32_t requests;
    unsigned refused;
    char refusal[100]; /* the first */
} playing;

__attribute__((format(printf, 3, 4))) static void say(playing *playing, unsigned wire, const char *format, ...)
{
    char text[WIRES_MESSAGE_MAX];
    int length = snprintf(text, sizeof text, "{\"id\":\"o%u\",", playing->requests++);
    va_list list;
    va_start(list, format);
    length += vsnprintf(text + length, sizeof text - (size_t)length, format, list);
    va_end(list);
    wires_send(playing->wires, wire, text, (size_t)length);
}

static void create(playing *playing, unsigned wire)
{
    char computers[512] = "";
    size_t length = 0;
    for (unsigned seat = 2; seat <= playing->seats; seat++)
        length += (size_t)snprintf(computers + length, sizeof computers - length, "%s{\"seat\":%u,\"level\":1}",
                                   seat > 2 ? "," : "", seat);
    say(playing, wire, "\"do\":\"create\",\"players\":%u,\"pace\":0,\"listed\":false,\"computers\":[%s]}",
        playing->seats, computers);
}

static const char *find(gral_span message, const char *words)
{
    return memmem(message.bytes, message.length, words, strlen(words));
}

/* A quoted word that begins with these, as in "step T1 b1"; of a range the least. */
static bool take(gral_span legal, const char *words, char action[32])
{
    const char *found = find(legal, words);
    if (found == NULL)
        return false;
    snprintf(action, 32, "%.*s\"", (int)(1 + strcspn(found + 1, "\".")), found);
    return true;
}

static void act(playing *playing, unsigned wire, gral_span legal)
{
    static const char *const wanted[] = {"\"pass\"", "\"yield\"", "\"step ", "\"done\"", "\"leave\"", "\""};
    char action[32] = "";
    for (unsigned row = 0; row < sizeof wanted / sizeof *wanted; row++)
        if (take(legal, wanted[row], action))
            break;
    say(playing, wire, "\"do\":\"act\",\"table\":\"%s\",\"version\":%u,\"actions\":[%s]}", playing->table[wire].id,
        playing->table[wire].version, action);
}

static void hear_push(playing *playing, unsigned wire, gral_span message)
{
    static const char legal[] = "\"legal\":[";
    table *table = &playing->table[wire];
    const char *version = find(message, "\"version\":");
    if (version != NULL)
        table->version = (uint32_t)strtoul(version + strlen("\"version\":"), NULL, 10);
    if (find(message, "\"stage\":\"over\"") != NULL) {
        say(playing, wire, "\"do\":\"unwatch\",\"table\":\"%s\"}", table->id);
        create(playing, wire);
        return;
    }
    const char *asked = find(message, "\"asked\":true"), *list = asked != NULL ? find(message, legal) : NULL;
    if (list != NULL)
        act(playing, wire, (gral_span){list + sizeof legal - 1, strcspn(list, "]") - (sizeof legal - 1)});
}

static void hear_answer(playing *playing, unsigned wire, gral_span message)
{
    static const char made[] = "\"ok\":true,\"table\":\"";
    const char *id = find(message, made);
    if (id != NULL) {
        table *table = &playing->table[wire];
        id += sizeof made - 1;
        snprintf(table->id, sizeof table->id, "%.*s", (int)strcspn(id, "\""), id);
        say(playing, wire, "\"do\":\"watch\",\"table\":\"%s\",\"have\":0}", table->id);
    } else if (find(message, "\"ok\":true") == NULL && playing->refused++ == 0) {
        snprintf(playing->refusal, sizeof playing->refusal, "the server refuses: %.*s", (int)message.length,
                 message.bytes);
    }
}

static void hear(void *context, wires *wires, unsigned wire, gral_span message)
{
    static const char answer[] = "{\"re\":", push[] = "{\"push\":\"table\"";
    (void)wires;
    if (strncmp(message.bytes, answer, sizeof answer - 1) == 0)
        hear_answer(context, wire, message);
    else if (strncmp(message.bytes, push, sizeof push - 1) == 0)
        hear_push(context, wire, message);
}

static bool play_for(playing *playing, double ms, gral_error *error)
{
    for (const double end = clock_ms() + ms; clock_ms() < end;)
        if (!wires_turn(playing->wires, TURN_MS, error))
            return false;
    if (playing->refused == 0)
        return true;
    *error = (gral_error){0};
    memcpy(error->message, playing->refusal, sizeof playing->refusal);
    return false;
}

static double grown(const char *before, const char *after, const char *name)
{
    return metric_of(after, name) - metric_of(before, name);
}

static bool measure(playing *playing, const process *server, unsigned seconds, thinking_load *load, gral_error *error)
{
    if (!play_for(playing, WARM_UP_MS, error))
        return false;
    char *before = wires_get(server->port, "/metrics");
    const double began = clock_ms(), worked = process_cpu_ms(server);
    const bool right = play_for(playing, 1e3 * seconds, error);
    load->seconds = 1e-3 * (clock_ms() - began);
    load->cpu_ms = process_cpu_ms(server) - worked;
    char *after = wires_get(server->port, "/metrics");
    if (right && before != NULL && after != NULL) {
        load->decisions = grown(before, after, "decisions_total");
        load->thinking_ms = 1e3 * grown(before, after, "thinking_seconds_total");
        load->inputs = grown(before, after, "inputs_total");
        load->games = grown(before, after, "games_ended_total");
        load->waiting = (unsigned)metric_of(after, "thinking_waiting");
    }
    free(before);
    free(after);
    return right;
}

bool load_thinking(const process *server, unsigned tables, unsigned seats, unsigned seconds, thinking_load *load,
                   gral_error *error)
{
    playing playing = {.seats = seats, .table = calloc(tables, sizeof *playing.table)};
    *load = (thinking_load){.tables = tables, .seats = seats};
    playing.wires = playing.table != NULL ? wires_open(process_ends(server), tables, true, NULL, error) : NULL;
    bool right = playing.wires != NULL;
    if (right) {
        wires_hear(playing.wires, hear, &playing);
        for (unsigned wire = 0; wire < tables; wire++)
            create(&playing, wire);
        right = measure(&playing, server, seconds, load, error);
        wires_close(playing.wires);
    }
    free(playing.table);
    return right;
}
