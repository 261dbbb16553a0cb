/* How many decisions a second the training ground shows. */
#ifndef GRAL_CLI_BENCH_ENV_H
#define GRAL_CLI_BENCH_ENV_H

#include <stdbool.h>

int bench_env(bool json);

#endif
