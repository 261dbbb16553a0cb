#include "server/guess.h"

#include "server/allowance.h"
#include "server/memory.h"
#include "server/names.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* Whose guesses are counted; each has one rate. */
enum side { STRANGERS, NETWORK, OWNER, SIDES };

static const bucket_rate rates[SIDES] = {
    [STRANGERS] = {2.0 / 60, 8},
    [NETWORK] = {1.0 / 60, 4},
    [OWNER] = {2.0 / 60, 10},
};

enum { DIGEST_BYTES = 16 };

struct guesses {
    allowance *left[SIDES];
};

guesses *guess_open(void)
{
    guesses *guesses = memory_get(sizeof *guesses);
    for (unsigned side = 0; side < SIDES; side++)
        guesses->left[side] = allowance_open(rates[side]);
    return guesses;
}

void guess_close(guesses *guesses)
{
    for (unsigned side = 0; side < SIDES; side++)
        allowance_close(guesses->left[side]);
    free(guesses);
}

/* Who is counted for this guess on each side, by a digest, since other servers hear of it; nothing where nobody is. */
typedef struct counted {
    gral_span who[SIDES];
    char digest[SIDES][DIGEST_BYTES];
} counted;

static void set_counted(counted *counted, enum side side, const void *bytes, size_t length)
{
    crypto_generichash((unsigned char *)counted->digest[side], DIGEST_BYTES, bytes, length, NULL, 0);
    counted->who[side] = (gral_span){counted->digest[side], DIGEST_BYTES};
}

static void count(counted *counted, const guess *guess)
{
    *counted = (struct counted){0};
    if (guess->secret != NULL) {
        set_counted(counted, OWNER, guess->secret, STORE_SECRET_BYTES);
        return;
    }
    char name_and_network[NAME_KEY_MAX + sizeof(source)];
    const size_t length = strlen(guess->name);
    memcpy(name_and_network, guess->name, length);
    memcpy(name_and_network + length, guess->from->bytes, sizeof guess->from->bytes);
    set_counted(counted, STRANGERS, name_and_network, length);
    set_counted(counted, NETWORK, name_and_network, length + sizeof guess->from->bytes);
}

unsigned guess_take(guesses *guesses, const guess *guess, uint64_t now)
{
    counted counted;
    unsigned longest = 0;
    count(&counted, guess);
    for (unsigned side = 0; side < SIDES; side++) {
        const unsigned wait = counted.who[side].length > 0
                                  ? allowance_wait(guesses->left[side], counted.who[side], 1, now)
                                  : 0;
        longest = wait > longest ? wait : longest;
    }
    for (unsigned side = 0; side < SIDES && longest == 0; side++)
        if (counted.who[side].length > 0)
            allowance_take(guesses->left[side], counted.who[side], 1, now);
    return longest;
}

void guess_give_back(guesses *guesses, const guess *guess, uint64_t now)
{
    counted counted;
    count(&counted, guess);
    for (unsigned side = 0; side < SIDES; side++)
        if (counted.who[side].length > 0)
            allowance_give_back(guesses->left[side], counted.who[side], 1, now);
}

void guess_tell(const guess *guess, char line[GUESS_LINE])
{
    counted counted;
    count(&counted, guess);
    *line = '\0';
    for (unsigned side = 0; side < SIDES; side++) {
        if (counted.who[side].length == 0)
            continue;
        *line++ = (char)('0' + side);
        sodium_bin2hex(line, 2 * DIGEST_BYTES + 1, (const unsigned char *)counted.digest[side], DIGEST_BYTES);
        line += 2 * DIGEST_BYTES;
    }
}

void guess_hear(guesses *guesses, const char *line, uint64_t now)
{
    unsigned char digest[DIGEST_BYTES];
    for (; line[0] >= '0' && line[0] < '0' + SIDES; line += 1 + 2 * DIGEST_BYTES) {
        if (strlen(line + 1) < 2 * DIGEST_BYTES ||
            sodium_hex2bin(digest, sizeof digest, line + 1, 2 * DIGEST_BYTES, NULL, NULL, NULL) != 0)
            return;
        allowance_charge(guesses->left[line[0] - '0'], (gral_span){(const char *)digest, sizeof digest}, 1, now);
    }
}
