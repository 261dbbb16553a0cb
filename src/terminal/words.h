/* What happens at a table, in sentences of the user's language: for screens of every kind and for ears.
 *
 * Everything is written from a seat's view and the events it hears; nothing here can know more than that.
 * Only words_final_sheets reads a record, when all sheets are open (R10.4). */
#ifndef GRAL_TERMINAL_WORDS_H
#define GRAL_TERMINAL_WORDS_H

#include "gral/host.h"

/* How the seats are called: people by their names, computer players by their character's, or by kind and number. */
enum { WORDS_NAME_MAX = 224, WORDS_MAX = 16384 };
typedef struct words_names {
    char seat[GRAL_PLAYERS_MAX][WORDS_NAME_MAX];
} words_names;

/* Calls a seat, after those before it: a person by the name, which may be empty, a computer player by its text. */
void words_name(words_names *names, unsigned seat, const char *name, bool computer);

/* An action that somebody has heard of, with what everybody knew before and after it. */
typedef struct event {
    gral_action action;
    uint8_t seat; /* who did it */
    gral_open before, after;
} event;

/* Fills in "{name}" from pairs of names and values, ended by NULL. Braces rather than printf's signs: a
 * translator moves them about freely, and the browser understands them too. */
void words_fill(gral_text *text, const char *sentence, ...);

/* What was done and what came of it; one line a sentence. */
void words_event(gral_text *text, const words_names *names, const event *event);

/* Whose word it is and what he can do. */
void words_prompt(gral_text *text, const words_names *names, const gral_view *view, const gral_options *options);

void words_board(gral_text *text, const words_names *names, const gral_game *game, const gral_open *open);
void words_sheet(gral_text *text, const gral_view *view);
void words_notepad(gral_text *text, const words_names *names, const gral_game *game, const gral_view *view);
void words_final_sheets(gral_text *text, const words_names *names, const gral_record *record, const gral_view *view);
void words_hint(gral_text *text, const words_names *names, const gral_explanation *explanation);

/* The rules in short, a line a paragraph. */
void words_rules(gral_text *text);

/* Why something was refused, as a sentence. */
void words_refusal(gral_text *text, enum gral_host_refusal refusal);

#endif
