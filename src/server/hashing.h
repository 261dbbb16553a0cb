/* Passwords are hashed on the pool, a few at a time: each takes a core and 64 MiB for a while, on purpose. Others wait.
 *
 * First is whose side has come least often lately, served or not, then who came first. So sources take turns, however
 * many requests of one wait; and whoever goes on asking moves back, behind everybody who has just come. When too many
 * wait, the last in this order is turned away, and so is whoever has waited too long. */
#ifndef GRAL_SERVER_HASHING_H
#define GRAL_SERVER_HASHING_H

#include "gral/notation.h"

#include <uv.h>

typedef struct hashing hashing;
typedef struct hashing_turn hashing_turn;

/* A part of whoever waits, who fills in the first part and keeps it until `done`. */
struct hashing_turn {
    gral_span side;                                 /* for whom it is counted; the bytes are the caller's too */
    bool stranger;                                  /* comes after those who are none */
    void (*hash)(hashing_turn *turn);               /* on the pool */
    void (*done)(hashing_turn *turn, bool was_run); /* on the loop; false: it was turned away */

    hashing *owner;
    uint64_t since; /* it waits */
    uv_work_t work;
    hashing_turn *prev, *next;
};

/* So many at the same time; hashing_usual is what suits this machine. */
hashing *hashing_open(uv_loop_t *loop, unsigned at_once);
unsigned hashing_usual(void);
void hashing_close(hashing *hashing); /* when nothing is under way */
/* Now, later or never, and then `done` may be called before this returns. */
void hashing_wait(hashing *hashing, hashing_turn *turn);
void hashing_stop(hashing *hashing); /* whoever waits is turned away, and whoever comes */
unsigned hashing_waiting(const hashing *hashing);

#endif
