/* How fast everything is: the benches behind `gral bench`. Each prints a table, or one JSON object; false when it
 * failed, and then it has said why. */
#ifndef GRAL_BENCH_BENCH_H
#define GRAL_BENCH_BENCH_H

#include <stdbool.h>
#include <stdint.h>

/* What the server is to carry. */
enum { BENCH_LOADS_MAX = 8, BENCH_PROCESSES_MAX = 8 };

typedef struct bench_server_plan {
    unsigned connections[BENCH_LOADS_MAX]; /* each a load of its own, of 4 to 15000 */
    unsigned loads;
    unsigned seconds;   /* measured, for each load */
    unsigned idle;      /* connections that do nothing */
    unsigned games;     /* that nobody is connected to, and to resume */
    unsigned processes; /* that share another database, at most */
} bench_server_plan;

extern const bench_server_plan bench_server_usual, bench_server_quick;

typedef struct bench_wishes {
    bool json;
    bool quick;           /* fewer runs: figures that are there soon, and not the best */
    bool progress;        /* a bar for whoever waits */
    const char *module;   /* for bench_players, the path of gral.wasm; NULL for where the build puts it */
    const char *database; /* for bench_server, where to play as well; NULL: nowhere but in a new file */
    bool filled;          /* even if there are games */
    bench_server_plan plan;
} bench_wishes;

/* The engine, beside the floor that cannot be beaten: copying a state and drawing a random number. */
bool bench_engine(const bench_wishes *wishes);

/* How many decisions a second the training ground shows. */
bool bench_env(const bench_wishes *wishes);

/* How many games the players that search can imagine in a second, here and in WebAssembly. */
bool bench_players(const bench_wishes *wishes);

/* What the server can carry, beside a bare echo on the same machine in the same run. */
bool bench_server(const bench_wishes *wishes);

/* How many decisions of computer players the server brings about; of the plan the seconds alone. */
bool bench_thinking(const bench_wishes *wishes);

#endif
