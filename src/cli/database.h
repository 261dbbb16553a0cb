/* The server's database, for commands that look into it while the server may be running. */
#ifndef GRAL_CLI_DATABASE_H
#define GRAL_CLI_DATABASE_H

#include "command.h"
#include "store/store.h"

/* What is at the address, or where the server keeps it if that is NULL. Nothing is made that is not there. NULL, why on
 * standard error, in the name of the command, and what to exit with. */
store *database_open(const cli_command *command, const char *address, int *status);

#endif
