/* The lines of a record that a signature speaks for: all but the secrets that the seals among them hold fast. */
#ifndef GRAL_FAIR_STATEMENT_H
#define GRAL_FAIR_STATEMENT_H

#include "gral/fair.h"

#include "lines.h"

typedef struct open_lines {
    gral_span rest;
    bool checks; /* the file has them, and they are right */
    line line;   /* without its check */
} open_lines;

static inline open_lines open_lines_of(gral_span file, bool checks)
{
    return (open_lines){.rest = file, .checks = checks};
}

/* A salt or a placement, as a record is printed. */
bool line_is_secret(gral_span line);

/* False when nothing is left. */
bool open_lines_next(open_lines *lines);

#endif
