/* Networks as whoever runs the server writes them, and which of them are everybody's. */
#ifndef GRAL_SERVER_IP_RANGE_H
#define GRAL_SERVER_IP_RANGE_H

#include <stdbool.h>
#include <stdint.h>

enum { IP_RANGE_TEXT = 64 };

typedef struct ip_range { /* as in source.h, of any length */
    uint8_t bytes[16];
    uint8_t bits;
} ip_range;

bool ip_range_read(const char *text, ip_range *network); /* "192.0.2.0/24", "2001:db8::/32", or one address */
void ip_range_print(const ip_range *network, char text[IP_RANGE_TEXT]);
bool ip_range_has(const ip_range *network, const ip_range *address);

/* Whether an address is in the open internet: not this machine, a private network, or anything else that is reserved,
 * however it is wrapped. */
bool ip_range_is_public(const ip_range *address);

#endif
