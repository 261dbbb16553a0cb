/* How often a password may be tried. Guessing is bounded for each name, known or not, so that it tells nothing whether
 * there is such an account: strangers together have a few guesses and then two a minute, and no network more than half
 * of that. Whoever shows a secret of the owner's is no stranger, a device from which he has logged in before, or his
 * session: each has guesses of its own, so nobody can lock the owner out there. */
#ifndef GRAL_SERVER_GUESS_H
#define GRAL_SERVER_GUESS_H

#include "server/source.h"
#include "store/store.h"

typedef struct guesses guesses; /* owns what is left to everybody */

typedef struct guess {
    const char *name;      /* the key of it */
    const source *from;    /* the widest network of a stranger */
    const uint8_t *secret; /* the hash of what the owner alone has; NULL: a stranger's */
} guess;

guesses *guess_open(void);
void guess_close(guesses *guesses);
/* 0: it may be tried; else the seconds to wait. `now` is in milliseconds. */
unsigned guess_take(guesses *guesses, const guess *guess, uint64_t now);
/* It was no guess: the password was right, or was not tried. */
void guess_give_back(guesses *guesses, const guess *guess, uint64_t now);

/* A guess that was wrong, for other servers, which charge it as if it had been tried there; it names nobody. */
enum { GUESS_LINE = 128 };
void guess_tell(const guess *guess, char line[GUESS_LINE]);
void guess_hear(guesses *guesses, const char *line, uint64_t now);

#endif
