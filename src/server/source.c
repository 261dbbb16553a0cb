#include "server/source.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

static const struct level {
    bool six;
    uint8_t bits;
    unsigned weight;
} levels[] = {{false, 128, 1}, {false, 120, 8}, {true, 64, 1}, {true, 56, 4}, {true, 48, 16}};

enum { LEVELS = sizeof levels / sizeof *levels };

static bool read_address(const char *text, struct in6_addr *address)
{
    char plain[INET6_ADDRSTRLEN];
    const size_t length = strcspn(text, "%"); /* an interface's name may follow */
    *address = (struct in6_addr){0};
    if (length >= sizeof plain)
        return false;
    snprintf(plain, sizeof plain, "%.*s", (int)length, text);
    if (inet_pton(AF_INET6, plain, address) == 1)
        return true;
    address->s6_addr[10] = address->s6_addr[11] = 0xff;
    return inet_pton(AF_INET, plain, address->s6_addr + 12) == 1;
}

origin origin_of(const char *address)
{
    struct in6_addr whole;
    origin origin = {0};
    if (!read_address(address, &whole)) {
        origin.count = 1;
        return origin;
    }
    for (unsigned at = 0; at < LEVELS; at++) {
        if (levels[at].six == IN6_IS_ADDR_V4MAPPED(&whole))
            continue;
        source *source = &origin.source[origin.count++];
        source->bits = levels[at].bits;
        memcpy(source->bytes, whole.s6_addr, levels[at].bits / 8);
    }
    return origin;
}

const source *origin_widest(const origin *origin)
{
    return &origin->source[origin->count - 1];
}

unsigned source_weight(const source *source)
{
    for (unsigned at = 0; at < LEVELS; at++)
        if (levels[at].bits == source->bits)
            return levels[at].weight;
    return 1;
}

uint64_t source_number(const source *source)
{
    uint64_t number;
    memcpy(&number, source->bytes + (source->bits > 64 ? 8 : 0), sizeof number); /* ::ffff:0:0/96 before IPv4 */
    return number;
}

bool source_is(const source *source, const struct source *other)
{
    return source->bits == other->bits && memcmp(source->bytes, other->bytes, sizeof source->bytes) == 0;
}

bool source_is_this_machine(const char *address)
{
    struct in6_addr whole;
    if (!read_address(address, &whole))
        return false;
    return IN6_IS_ADDR_V4MAPPED(&whole) ? whole.s6_addr[12] == 127 : IN6_IS_ADDR_LOOPBACK(&whole);
}
