/* Where `gral play` keeps games when nobody says where: $XDG_DATA_HOME/gral or ~/.local/share/gral. */
#ifndef GRAL_CLI_SAVES_H
#define GRAL_CLI_SAVES_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

/* A new file there, named after this moment; its folder is made. False where there can be none. */
bool saves_new(char path[PATH_MAX]);

/* The unfinished game that was played last; false if there is none. */
bool saves_last(char path[PATH_MAX]);

/* All games there, the last one first: when, who, how it ended, and where it is. False without memory. */
bool saves_list(FILE *out);

#endif
