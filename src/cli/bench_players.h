/* How many games the players that search can imagine in a second, here and in WebAssembly. */
#ifndef GRAL_CLI_BENCH_PLAYERS_H
#define GRAL_CLI_BENCH_PLAYERS_H

#include <stdbool.h>

/* `module` is the path of gral.wasm, or NULL for where the build puts it. */
int bench_players(bool json, const char *module);

#endif
