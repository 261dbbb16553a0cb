#include "source.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

static const struct level {
    bool six;
    uint8_t bits;
    unsigned share;
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

unsigned source_list(const char *address, source list[SOURCE_LEVELS])
{
    struct in6_addr whole;
    unsigned count = 0;
    if (!read_address(address, &whole)) {
        list[0] = (source){.bits = 0};
        return 1;
    }
    for (unsigned at = 0; at < LEVELS; at++) {
        if (levels[at].six == IN6_IS_ADDR_V4MAPPED(&whole))
            continue;
        list[count] = (source){.bits = levels[at].bits};
        memcpy(list[count++].bytes, whole.s6_addr, levels[at].bits / 8);
    }
    return count;
}

unsigned source_share(const source *source)
{
    for (unsigned at = 0; at < LEVELS; at++)
        if (levels[at].bits == source->bits)
            return levels[at].share;
    return 1;
}

bool source_is(const source *source, const struct source *other)
{
    return source->bits == other->bits && memcmp(source->bytes, other->bytes, sizeof source->bytes) == 0;
}
