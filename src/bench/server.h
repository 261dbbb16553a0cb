/* What the parts of the bench of the server know of each other. */
#ifndef GRAL_BENCH_SERVER_H
#define GRAL_BENCH_SERVER_H

#include "bench.h"
#include "wires.h"

#include <sys/types.h>

/* --- processes: server_process.c --- */

typedef struct process {
    pid_t id;
    unsigned port;
    double ready_ms; /* from its start until it said that it was ready */
} process;

/* A bare echo server, and the real one, at a free port of this machine. Both die with this process. */
bool process_echo(process *process, gral_error *error);
bool process_serve(process *process, const char *database, unsigned connections, gral_error *error);
wires_ends process_ends(const process *process); /* all connections go there */
void process_kill(const process *process);       /* SIGKILL, and waits until it is gone */
double process_cpu_ms(const process *process);   /* that it has worked, on all its threads */
double process_kib(const process *process);      /* of memory that is really there */

/* Servers that share a database. `across`: the people of a table are spread over them; else a table's are all at one.
 */
typedef struct fleet {
    process server[BENCH_PROCESSES_MAX];
    unsigned port[BENCH_PROCESSES_MAX];
    unsigned count;
    bool across;
} fleet;

bool fleet_serve(fleet *fleet, const char *database, unsigned connections,
                 gral_error *error); /* fleet->count of them */
void fleet_kill(const fleet *fleet);
double fleet_cpu_ms(const fleet *fleet);

/* What all cores of this machine together have worked, and what they could have. */
typedef struct cores {
    double busy_ms, all_ms;
} cores;
cores cores_now(void);

/* --- figures that the server tells of itself --- */

double metric_of(const char *page, const char *name); /* 0 where it is not there */

/* --- loads: server_load.c --- */

/* How long each of many things took. */
typedef struct samples {
    float *ms;
    size_t count, capacity;
} samples;

typedef struct load {
    unsigned connections;
    double seconds;
    uint64_t round_trips; /* echoes, or actions answered */
    uint64_t messages;    /* in and out */
    double p50_ms, p99_ms;
    double cpu_ms;    /* that the server has worked, or all of them */
    double others_ms; /* that others have worked who are not this program: a database on this machine */
    double idle;      /* the share of all cores that had nothing to do */
    double group;     /* writes a commit */
    double commit_ms; /* from its beginning until the loop hears of its end */
} load;

bool load_echo(const process *server, unsigned connections, unsigned seconds, load *load, gral_error *error);
enum { LOAD_THINK_MS = 500 };

/* Four seats a table, so the number of connections is rounded down to a multiple of four. `hasty`: everybody acts as
 * soon as he may; `thinking`: after LOAD_THINK_MS, on average. */
bool load_play(const fleet *fleet, unsigned connections, unsigned seconds, void (*step)(unsigned done, unsigned all),
               load *hasty, load *thinking, gral_error *error);
/* So many guests who do nothing; each must answer in the end. The server's growth a connection. */
bool load_idle(const process *server, unsigned connections, void (*step)(unsigned done, unsigned all), double *kib,
               gral_error *error);

/* --- computer players: server_thinking.c --- */

typedef struct thinking_load {
    unsigned tables, seats; /* at each, one of them a person's */
    double seconds;
    double decisions, inputs, games; /* of computer players; of all; that have ended */
    double thinking_ms;              /* on all threads, by the clock */
    double cpu_ms;                   /* that the server has worked */
    unsigned waiting;                /* thoughts, at the end */
} thinking_load;

/* Tables of one person and computer players of the lowest level, without a pace. */
bool load_thinking(const process *server, unsigned tables, unsigned seats, unsigned seconds, thinking_load *load,
                   gral_error *error);

/* --- stored games: server_fill.c --- */

enum { FILL_INPUTS = 100 };

/* Puts so many running games with FILL_INPUTS inputs each and their players into a store. */
bool fill_store(const char *database, unsigned games, void (*step)(unsigned done, unsigned all), gral_error *error);

#endif
