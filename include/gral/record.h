/* A whole game as it is kept and passed on: its settings, its tags, its actions in order.
 *
 * Nothing else is needed to have any of its states again, on every machine. The record owns its
 * memory: begin it or parse it, and free it in the end. */
#ifndef GRAL_RECORD_H
#define GRAL_RECORD_H

#include "gral/notation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An action, and whose it was. */
typedef struct gral_entry {
    gral_action action; /* what was done */
    uint8_t seat;       /* by whom */
} gral_entry;

/* A game as it was played, from the opening on. */
typedef struct gral_record {
    gral_settings settings; /* of the game */
    gral_entry *entry;      /* what was done, from the start */
    size_t count, capacity; /* entries there are, and places for them */
    char *tags;             /* the lines of all tags that are not settings and not the result; NULL for none */
} gral_record;

/* An empty record of a game with these settings. */
gral_record gral_record_begin(const gral_settings *settings);
void gral_record_free(gral_record *record);

/* One more action, legal or not; false without memory, and the record is as it was. */
bool gral_record_add(gral_record *record, unsigned seat, gral_action action);

/* The record in a text, every action checked against the rules and the result against its tag. On
 * an error `record` is left as it was; else it is overwritten, and the caller frees it. */
bool gral_record_parse(gral_span source, gral_record *record, gral_error *error);

/* The text that parses to this record. Every action in it must be legal. */
void gral_record_print(gral_text *text, const gral_record *record);
/* The same, which the caller frees; NULL without memory. */
char *gral_record_text(const gral_record *record, size_t *length);

/* The game, and its state after so many of the record's actions. */
void gral_record_replay(const gral_record *record, size_t count, gral_game *game, gral_state *state);

/* The line of a tag, [Name "value"], with quotes and backslashes in the value protected; and the two lines about who
 * sits on a seat: Player2, and Player2Type, which is human or program as in records of chess. */
void gral_tag_print(gral_text *text, const char *name, const char *value);
void gral_tag_print_seat(gral_text *text, unsigned seat, const char *name, bool computer);

/* The value of a tag as it stands in the record, or an empty span without bytes. */
gral_span gral_record_tag(const gral_record *record, const char *name);

/* R10.4: every unit in the order it was placed, with its turn (0 for the opening). */
typedef struct gral_placement {
    uint32_t turn;              /* of its assignment; 0 in the opening */
    uint8_t seat, pawn, points; /* whose, on whom, how much */
} gral_placement;

enum { GRAL_PLACEMENTS_MAX = GRAL_PLAYERS_MAX * 4 * GRAL_UNIT_KINDS };

/* How many there are among the record's first `count` actions. */
size_t gral_record_placements(const gral_record *record, size_t count, gral_placement list[GRAL_PLACEMENTS_MAX]);

#ifdef __cplusplus
}
#endif

#endif
