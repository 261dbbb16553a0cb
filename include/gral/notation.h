/* The text forms: actions, options, settings, states. gral/record.h has whole games.
 *
 * Writing goes into a gral_text, a buffer of the caller's; reading never changes anything of the
 * caller's unless all of it was understood, and says otherwise where it stopped and what it
 * expected there. */
#ifndef GRAL_NOTATION_H
#define GRAL_NOTATION_H

#include "gral/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A text under construction in the caller's buffer, always ended by a zero byte. What does not fit
 * is cut off, and `length` goes on counting: length >= capacity means that it was too small. */
typedef struct gral_text {
    char *bytes;             /* the caller's */
    size_t length, capacity; /* in bytes; the zero at the end counts for the capacity alone */
} gral_text;

/* `capacity` must be at least 1. */
gral_text gral_text_in(char *buffer, size_t capacity);
void gral_text_add(gral_text *text, const char *words);
void gral_text_add_bytes(gral_text *text, const char *bytes, size_t length);
void gral_text_add_number(gral_text *text, uint64_t number);

/* Writes something, in the same way each time. */
typedef void gral_writer(gral_text *text, const void *context);

/* A text of any length, written twice: the first time only says how long it is. The caller frees it; NULL without
 * memory. */
char *gral_text_whole(gral_writer *write, const void *context, size_t *length);

/* Where something from outside is wrong, and what was expected there. Lines and columns count
 * from 1; a column counts bytes. */
typedef struct gral_error {
    uint32_t line, column; /* 0 where it has none */
    char message[200];     /* a sentence without a full stop */
} gral_error;

/* A stretch of somebody else's bytes; not ended by a zero byte. */
typedef struct gral_span {
    const char *bytes; /* the first of them */
    size_t length;     /* how many there are */
} gral_span;

/* All of a text that ends with a zero byte. */
gral_span gral_span_of(const char *words);

const char *gral_pawn_id(unsigned pawn);                     /* "T1" */
const char *gral_pawn_name(unsigned pawn);                   /* "Alberto Castellano" */
const char *gral_field_name(unsigned field);                 /* "Golgotha" */
const char *gral_phase_name(enum gral_phase phase);          /* "objection" */
void gral_field_print(gral_text *text, unsigned field);      /* "d3" */
void gral_action_print(gral_text *text, gral_action action); /* "step T1 b2 x A1" */

/* One action and nothing else. On an error, line is 1. */
bool gral_action_parse(gral_span source, gral_action *action, gral_error *error);

/* The legal actions, one a line, figures folded: "object 3..17". */
void gral_options_print(gral_text *text, const gral_game *game, const gral_open *open, const gral_options *options);

/* The result: "-", "draw" or "win 2 with T1". */
void gral_result_print(gral_text *text, const gral_open *open);

/* This turn's rejected proposals, sorted bytewise, "; " between them; nothing when there are none. */
void gral_rejected_print(gral_text *text, const gral_game *game, const gral_open *open);

/* "players=3 rules=standard first=1 limit=0", and hq= for The Original, board= pawns= units= grail=
 * for a shrunken game. Reading takes the keys in any order, each once; only players= is needed. */
void gral_settings_print(gral_text *text, const gral_settings *settings);
bool gral_settings_parse(gral_span source, gral_settings *settings, gral_error *error);

/* The same settings one by one, as a record's tags have them. */
enum gral_key {
    GRAL_KEY_RULES,
    GRAL_KEY_PLAYERS,
    GRAL_KEY_FIRST,
    GRAL_KEY_LIMIT,
    GRAL_KEY_HQ,
    GRAL_KEY_BOARD,
    GRAL_KEY_PAWNS,
    GRAL_KEY_UNITS,
    GRAL_KEY_GRAIL,
    GRAL_KEYS
};
const char *gral_key_name(enum gral_key key); /* "players" */
const char *gral_key_tag(enum gral_key key);  /* "Players" */
/* Whether the settings need the key to be told, and its value as text. */
bool gral_key_shown(const gral_settings *settings, enum gral_key key);
void gral_key_print(gral_text *text, const gral_settings *settings, enum gral_key key);

/* Collects values until they are all there: start from zero, give each, then finish. */
typedef struct gral_settings_reader {
    gral_settings settings; /* as far as they are read */
    uint16_t given;         /* bit k: key k was given */
} gral_settings_reader;

/* One value, and the settings when all are there; false with the error where something is wrong or missing. */
bool gral_settings_read(gral_settings_reader *reader, enum gral_key key, gral_span value, gral_error *error);
bool gral_settings_finish(const gral_settings_reader *reader, gral_settings *settings, gral_error *error);

/* The lines of the referee's `state`, or of a `view` when not all sheets are `known` (bit k: seat k);
 * the others show question marks. A state has no way back from text to value: its text gives only
 * the sum of the payments, so a position travels as a record, which loses nothing. */
void gral_state_print(gral_text *text, const gral_game *game, const gral_open *open,
                      const gral_sheet sheet[GRAL_PLAYERS_MAX], uint32_t known);

/* Longer than any action, and than any state's or list's text. */
enum { GRAL_ACTION_TEXT_MAX = 24, GRAL_STATE_TEXT_MAX = 8192 };

#ifdef __cplusplus
}
#endif

#endif
