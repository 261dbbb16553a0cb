/* Where somebody comes from, as the networks that one person may own. Whoever has an IPv6 address has the 2^64 with
 * the same beginning, and for little money 2^72 or 2^80; an IPv4 address is one person's, or one house's, and its /24
 * one company's. Whatever is limited per address is limited for each of these, with a larger allowance for the larger.
 */
#ifndef GRAL_SERVER_SOURCE_H
#define GRAL_SERVER_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

enum { SOURCE_LEVELS = 3 };

/* A prefix. IPv4 is written ::ffff:a.b.c.d, so its /32 has 128 bits; bytes after the prefix are 0, so two are the same
 * when all their bytes are. No bits: an address that nobody understands. */
typedef struct source {
    uint8_t bytes[16];
    uint8_t bits;
} source;

/* All networks that somebody comes from, the narrowest first: /32 and /24 of IPv4, /64, /56 and /48 of IPv6. */
typedef struct origin {
    source source[SOURCE_LEVELS];
    unsigned count; /* 0 where it is not known */
} origin;

/* Never none: all addresses that cannot be read have one in common. */
origin origin_of(const char *address);
const source *origin_widest(const origin *origin); /* of one that is known */

/* How many times the allowance of one address it has. */
unsigned source_weight(const source *source);
/* A number that no other network of this size has. */
uint64_t source_number(const source *source);
bool source_is(const source *source, const struct source *other);
bool source_is_this_machine(const char *address);

#endif
