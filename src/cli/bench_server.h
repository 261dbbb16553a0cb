/* What the server can carry, beside a bare echo on the same machine in the same run. */
#ifndef GRAL_CLI_BENCH_SERVER_H
#define GRAL_CLI_BENCH_SERVER_H

#include <stdbool.h>
#include <stdint.h>

enum { BENCH_LOADS_MAX = 8 };

typedef struct bench_server_plan {
    unsigned connections[BENCH_LOADS_MAX]; /* each a load of its own */
    unsigned loads;
    unsigned seconds; /* measured, for each load */
    unsigned idle;    /* connections that do nothing */
    unsigned games;   /* that nobody is connected to, and to resume */
} bench_server_plan;

extern const bench_server_plan bench_server_usual, bench_server_quick;

/* "100,1000,5000": numbers from 4 to 15000. False if it is not such a list; the plan is as it was. */
bool bench_server_connections(const char *list, bench_server_plan *plan);

/* How many decisions of computer players the server brings about; of the plan the seconds alone. */
int bench_thinking(const bench_server_plan *plan, bool json);

int bench_server(const bench_server_plan *plan, bool json, bool progress);

#endif
