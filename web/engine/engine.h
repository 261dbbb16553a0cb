/* libgral for a browser: one running game (gral/table.h), told in words.
 *
 * All words are the texts of the notation: a save, an action, a view. They go through one box in linear memory, both
 * ways. A call that takes words finds so many bytes of them in the box; its answer, ended by a zero byte, takes their
 * place. So: box = engine_box(length); write the words there; call; read the answer at engine_box(0), which may be
 * elsewhere by then. engine.mjs does that for its callers.
 *
 * Seats are numbered as in every text, from 1. 0 is nobody, or somebody who only watches; so is a number past the last.
 *
 * live.h tells a game with a host as the server does, think.h has its computer players, replay.h tells a finished one.
 *
 * The module has no file, screen or chance, and here no clock: a computer player's budget is its simulations, and the
 * same seed gives the same game as in the native library, byte for byte. It imports `env.blake2b(bytes, length,
 * digest)`, the hash of 32 bytes that seals and checks are made with, and `env.now()`, milliseconds for players whose
 * time is short. */
#ifndef GRAL_WEB_ENGINE_H
#define GRAL_WEB_ENGINE_H

#include "gral/table.h"

/* Room for so many bytes and a zero byte; NULL without memory, and the old box stays. */
char *engine_box(size_t length);

/* The game in the save that is in the box. A save of tags alone is a new game: [Players "3"], for computer players
 * [Player2 "rules"] and [Player2Type "program"], and [Seed "7"]. NULL when it is wrong; the answer says where and why.
 * The caller closes it. */
gral_table *engine_open(size_t length);
void engine_close(gral_table *table);

/* --- looking; the answer is the text --- */

void engine_save(const gral_table *table);                /* everything, secrets included */
void engine_seat(const gral_table *table, unsigned seat); /* "human Anna", "program rules"; empty past the last */
void engine_view(gral_table *table, unsigned seat);       /* as the referee's `view` */
void engine_legal(gral_table *table, unsigned seat);      /* one action a line, figures folded */
void engine_notepad(gral_table *table, unsigned seat);    /* a line a seat: "1 T1=0..12 T2=5..5 …" */

/* The number of the seat that must act, 0 when the game is over. */
unsigned engine_actor(const gral_table *table);

/* How many actions the seat has heard of; and one of them, counted from 0: a line as in a record, "2: object 3", then
 * what everybody knew after it, as a spectator's view. */
unsigned engine_heard(gral_table *table, unsigned seat);
void engine_event(gral_table *table, unsigned seat, unsigned index);

/* --- acting; 0 when it was done, else a refusal (gral/table.h), which the answer explains --- */

unsigned engine_say(gral_table *table, unsigned seat, size_t length); /* the action in the box */
unsigned engine_step(gral_table *table);                              /* the computer player that must act */
unsigned engine_take_back(gral_table *table, unsigned seat);

/* What the player that the box names would do in this seat. The answer, with chances and weights in thousandths:
 *
 *     simulations 1000
 *     action object 3: chance 412 weight 730      one a line, the best first
 *     reason shown: seat 2 pawn T1 points 5 chance 0      for the first of them */
unsigned engine_hint(gral_table *table, unsigned seat, size_t length);

#endif
