#include "server/guess.h"

#include "server/allowance.h"
#include "server/memory.h"
#include "server/names.h"

#include <stdlib.h>
#include <string.h>

/* Whose guesses are counted; each has one rate. */
enum side { STRANGERS, NETWORK, OWNER, SIDES };

static const bucket_rate rates[SIDES] = {
    [STRANGERS] = {2.0 / 60, 8},
    [NETWORK] = {1.0 / 60, 4},
    [OWNER] = {2.0 / 60, 10},
};

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

/* Who is counted for this guess on each side; nothing where nobody is. */
typedef struct counted {
    gral_span who[SIDES];
    char name_and_network[NAME_KEY_MAX + sizeof(source)];
} counted;

static void count(counted *counted, const guess *guess)
{
    *counted = (struct counted){0};
    if (guess->secret != NULL) {
        counted->who[OWNER] = (gral_span){(const char *)guess->secret, STORE_SECRET_BYTES};
        return;
    }
    const gral_span name = counted->who[STRANGERS] = gral_span_of(guess->name);
    memcpy(counted->name_and_network, name.bytes, name.length);
    memcpy(counted->name_and_network + name.length, guess->from->bytes, sizeof guess->from->bytes);
    counted->who[NETWORK] = (gral_span){counted->name_and_network, name.length + sizeof guess->from->bytes};
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
