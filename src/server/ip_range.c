#include "server/ip_range.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

bool ip_range_read(const char *text, ip_range *network)
{
    char address[INET6_ADDRSTRLEN];
    const size_t length = strcspn(text, "/");
    unsigned bits = 128, given = 0;
    if (length >= sizeof address)
        return false;
    snprintf(address, sizeof address, "%.*s", (int)length, text);
    struct in6_addr whole = {0};
    const bool four = inet_pton(AF_INET, address, whole.s6_addr + 12) == 1;
    if (four)
        whole.s6_addr[10] = whole.s6_addr[11] = 0xff;
    else if (inet_pton(AF_INET6, address, &whole) != 1)
        return false;
    if (text[length] == '/') {
        char rest;
        if (sscanf(text + length + 1, "%3u%c", &given, &rest) != 1 || given > (four ? 32u : 128u))
            return false;
        bits = four ? 96 + given : given;
    }
    for (unsigned bit = bits; bit < 128; bit++)
        whole.s6_addr[bit / 8] &= (uint8_t) ~(0x80u >> bit % 8);
    memcpy(network->bytes, whole.s6_addr, sizeof network->bytes);
    network->bits = (uint8_t)bits;
    return true;
}

void ip_range_print(const ip_range *network, char text[IP_RANGE_TEXT])
{
    struct in6_addr whole;
    char address[INET6_ADDRSTRLEN];
    memcpy(whole.s6_addr, network->bytes, sizeof network->bytes);
    const bool four = IN6_IS_ADDR_V4MAPPED(&whole) && network->bits >= 96;
    if (four)
        inet_ntop(AF_INET, whole.s6_addr + 12, address, sizeof address);
    else
        inet_ntop(AF_INET6, &whole, address, sizeof address);
    snprintf(text, IP_RANGE_TEXT, "%s/%d", address, four ? network->bits - 96 : network->bits);
}

bool ip_range_has(const ip_range *network, const ip_range *address)
{
    const unsigned whole = network->bits / 8, rest = network->bits % 8;
    return memcmp(address->bytes, network->bytes, whole) == 0 &&
           (rest == 0 || (address->bytes[whole] ^ network->bytes[whole]) >> (8 - rest) == 0);
}

/* Addresses that carry one of IPv4: written as such (RFC 4291), and behind a translator (RFC 6052). */
static const char *const wrappers[] = {"::ffff:0:0/96", "64:ff9b::/96"};

/* What IANA has set aside, as far as nobody can be reached there who is not near. Of IPv6 only 2000::/3 is given out.
 */
static const char *const reserved[] = {
    "0.0.0.0/8",      "10.0.0.0/8",   "100.64.0.0/10",  "127.0.0.0/8",    "169.254.0.0/16", "172.16.0.0/12",
    "192.0.0.0/24",   "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",  "198.51.100.0/24",
    "203.0.113.0/24", "224.0.0.0/3",  "2001::/23",      "2001:db8::/32",  "2002::/16",      "3fff::/20",
};

static bool is_in(const char *text, const ip_range *address)
{
    ip_range network;
    return ip_range_read(text, &network) && ip_range_has(&network, address);
}

bool ip_range_is_public(const ip_range *address)
{
    ip_range plain = *address;
    bool four = false;
    for (unsigned at = 0; at < sizeof wrappers / sizeof *wrappers; at++)
        four |= is_in(wrappers[at], address);
    if (four) {
        memset(plain.bytes, 0, 10);
        plain.bytes[10] = plain.bytes[11] = 0xff;
    } else if (!is_in("2000::/3", address)) {
        return false;
    }
    for (unsigned at = 0; at < sizeof reserved / sizeof *reserved; at++)
        if (is_in(reserved[at], &plain))
            return false;
    return true;
}
