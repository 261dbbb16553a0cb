/* libgral for a browser. This module has three doors: live.h tells a game with a host as the server does, think.h has
 * its computer players, replay.h tells a game that was played. Here is what they have in common.
 *
 * All words go through one box in linear memory, both ways. A call that takes words finds so many bytes of them in the
 * box; its answer, ended by a zero byte, takes their place. So: box = box_room(length); write the words there; call;
 * read the answer at box_room(0), which may be elsewhere by then. engine.mjs does that for its callers.
 *
 * The module has no file, screen or chance. Without a limit of time a computer player's budget is its simulations, and
 * the same seed gives the same game as in the native library, byte for byte. */
#ifndef GRAL_WEB_BOX_H
#define GRAL_WEB_BOX_H

#include "gral/host.h"
#include "tell/pen.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

/* Room for so many bytes and a zero byte; NULL without memory, and the old box stays. */
char *box_room(size_t length);

gral_span box_words(size_t length);
gral_text box_answer(void); /* cleared, with all the room there is */
void box_error(const gral_error *error);
void box_say(const char *words);

/* A refusal (gral/host.h) as the answer: its word, a space, and the sentence. Returns it; BOX_NONSENSE for a text that
 * cannot be read. */
enum { BOX_NONSENSE = 1000 };
unsigned box_refuse(enum gral_host_refusal refusal);
unsigned box_refuse_text(const gral_error *error);

/* A sheet of paper for an answer in JSON, blank, and its way into the box. It is nobody's: the next one takes it. */
pen *box_paper(void);
void box_tell(const pen *paper);

/* 0.412: a chance or weight, in thousandths. */
void box_put_part(pen *paper, const char *name, float part);

/* The next number of a list with spaces between them, or -1 if there is none up to `most`; and several. */
int box_number(gral_span *words, int most);
bool box_numbers(gral_span *words, uint8_t *number, unsigned count, int most);

/* What a table has told, as numbers (live.h, notepad), into a view of that many players at the start of a game: who is
 * on the board, `known`, `paid` and the sheets that can be seen. False if it is not all there. */
bool box_read_told(gral_span words, gral_view *view);

/* The player that a text names. It belongs to the module, which keeps the last few; NULL as gral_player_make. */
gral_player *box_player(gral_span text, gral_error *error);

/* What the module asks of JavaScript, and nothing else: BLAKE2b of 32 bytes, which seals and checks are made with, and
 * milliseconds from any start, for players whose time is short. */
__attribute__((import_module("env"), import_name("blake2b"))) void blake2b(const void *bytes, size_t length,
                                                                           uint8_t digest[GRAL_SEAL_BYTES]);
__attribute__((import_module("env"), import_name("now"))) double now(void);

/* The least and the most of everybody on everybody, by what this view has: [[[0,43],…],…]. */
void box_put_notepad(pen *paper, const gral_game *game, const gral_view *view);

#endif
