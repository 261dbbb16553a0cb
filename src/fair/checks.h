/* Whether a file is, byte for byte, what gral_checks_add made. */
#ifndef GRAL_FAIR_CHECKS_H
#define GRAL_FAIR_CHECKS_H

#include "gral/fair.h"

enum checks {
    CHECKS_NONE, /* no line has a check that fits, and there is no last line of checks: a file without */
    CHECKS_RIGHT,
    CHECKS_WRONG /* and the error names the first line that is not as it was */
};

/* A line of a file whose checks are right, without its check. */
gral_span checks_without(gral_span line);

enum checks checks_look(gral_span file, gral_blake2b *hash, gral_error *error);

#endif
