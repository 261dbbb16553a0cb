/* One running game: seats, history, taking back, saving and resuming. It has no screen, no network, no
 * file and no clock, so that the terminal, the server and the browser share it.
 *
 * The table knows everything. What it hands out about the game goes through a seat's eyes: gral_table_view,
 * _heard, _event, _options and _hint tell a seat what it may know and nothing else. Only _save and _record
 * give all of it: they are for whoever keeps the game, and for everybody once it is over.
 *
 * Looking is learning: the table remembers how much of the history each seat has been shown or asked about,
 * for that decides what may still be taken back (see gral_table_take_back). So a front end asks for a seat
 * only when that seat is looking. */
#ifndef GRAL_TABLE_H
#define GRAL_TABLE_H

#include "gral/player.h"

typedef struct gral_table gral_table;

/* Who sits on a seat: a person with a name, which may be empty; or a computer player, whose name is the text
 * that gral_player_make understands. Names are UTF-8 without control characters. */
typedef struct gral_seat {
    const char *name;
    bool computer;
} gral_seat;

/* How a computer player is made from its text, as gral_player_make does it; a caller with other players of his
 * own gives his own function. A save comes from outside: this function decides what it may start. */
typedef gral_player *gral_player_source(gral_span text, gral_error *error);

typedef struct gral_table_setup {
    gral_settings settings;
    gral_seat seat[GRAL_PLAYERS_MAX]; /* as many as the settings have players */
    uint64_t seed;                    /* all the chance there is in the computer players */
    const char *date;                 /* "2026-11-15", for the record; NULL for none */
} gral_table_setup;

/* A new game in its opening. The table copies the names and owns its players. NULL on an error, which says
 * what is wrong; its line and column then count in the save of this game, or are 0 for the seats. */
gral_table *gral_table_make(const gral_table_setup *setup, gral_player_source *source, gral_error *error);

/* The game in a save, or in any record: a seat without a tag for its kind is a person's. Everybody is taken
 * to have seen everything. NULL on an error; line and column say where, or are 0 for something about a seat. */
gral_table *gral_table_resume(gral_span save, gral_player_source *source, gral_error *error);
void gral_table_free(gral_table *table);

/* The save: a record with tags for the seats and the seed. The text that resumes as this game. */
void gral_table_save(const gral_table *table, gral_text *text);

/* --- what everybody may know --- */

const gral_game *gral_table_game(const gral_table *table);
gral_seat gral_table_seat(const gral_table *table, unsigned seat);

/* Who must act, or GRAL_NOBODY when the game is over. */
unsigned gral_table_actor(const gral_table *table);

/* --- what one seat may know; a spectator has the seat GRAL_SPECTATOR --- */

gral_view gral_table_view(gral_table *table, unsigned seat);

/* What the seat may do now; nothing when it is not the one to act. */
gral_options gral_table_options(gral_table *table, unsigned seat);

/* How many actions the seat has heard of, and one of them with what everybody knew before and after it. */
typedef struct gral_event {
    gral_action action;
    uint8_t seat; /* who did it */
    gral_open before, after;
} gral_event;

size_t gral_table_heard(gral_table *table, unsigned seat);
gral_event gral_table_event(gral_table *table, unsigned seat, size_t index);

/* --- acting --- */

/* Why the table refuses something. 0 is GRAL_LEGAL: it was done. Numbers below GRAL_FAULTS are faults against
 * the rules (enum gral_fault), the others are these. Nothing has changed when something was refused. */
enum gral_refusal {
    GRAL_REFUSED_TEXT = GRAL_FAULTS, /* these words are no action */
    GRAL_REFUSED_TURN,               /* another seat must act */
    GRAL_REFUSED_COMPUTER,           /* a person speaks for a computer's seat */
    GRAL_REFUSED_PERSON,             /* the computer is to act on a person's seat */
    GRAL_REFUSED_MEMORY,             /* there is not enough memory */
    GRAL_REFUSED_BACK_NOTHING,       /* nothing has happened yet */
    GRAL_REFUSED_BACK_OTHER,         /* the newest action is somebody else's */
    GRAL_REFUSED_BACK_SHOWN,         /* it has shown influence */
    GRAL_REFUSED_BACK_HEARD,         /* somebody else knows of it */
    GRAL_REFUSALS
};

/* In words, a sentence without a full stop, for faults and refusals; the key of its translation. */
const char *gral_refusal_text(unsigned refusal);

/* A person's action. */
unsigned gral_table_do(gral_table *table, unsigned seat, gral_action action);

/* The same from text; on GRAL_REFUSED_TEXT the error says where and why. */
unsigned gral_table_say(gral_table *table, unsigned seat, gral_span words, gral_error *error);

/* Lets the computer player that must act do so; the caller decides when. `clock` may be NULL. */
unsigned gral_table_step(gral_table *table, gral_clock *clock);

/* Takes the newest action back, for the person who did it. The rule: only what gave nobody any information.
 *
 * - A placement is never heard by others (R3.1), so its owner may take it back until he says `done`.
 * - Anything else may be taken back as long as no other seat has looked or been asked since, whether a person
 *   or a computer player sits there: a slip of the tongue before the screen is handed over. A front end that
 *   tells everybody at once leaves nothing but the placements.
 * - Never: what shows influence, which is known to all from then on (R4.8, R6.2): objections, claims and
 *   proposals with an uncovering; and what made the game show it: a pass or a choice after which an initiate
 *   was uncovered or the game ended. */
unsigned gral_table_take_back(gral_table *table, unsigned seat);

/* Whether gral_table_take_back would do it, with the same answer. */
unsigned gral_table_may_take_back(const gral_table *table, unsigned seat);

/* What the adviser would do in that seat, from what that seat knows. The adviser is the caller's. Refused when
 * the seat is not the one to act. */
unsigned gral_table_hint(gral_table *table, unsigned seat, gral_player *adviser, gral_clock *clock,
                         gral_explanation *explanation);

/* --- everything, secrets included --- */

const gral_record *gral_table_record(const gral_table *table);

#endif
