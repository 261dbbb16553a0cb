"""Writes the source of the module _gral: the part of libgral that Python calls. The compiler fills in sizes, offsets
and numbers from the headers, so nothing of them is repeated here.

    build.py OUTPUT
"""
import sys

from cffi import FFI

ffi = FFI()
ffi.set_source("_gral", """
#include "gral/gral.h"
#include <stdlib.h>

/* The first game whose number may not be played; `count` if all may. */
static unsigned first_wrong(const gral_numbers *legal, const uint8_t *numbers, unsigned count)
{
    unsigned game = 0;
    while (game < count && numbers[game] < GRAL_NUMBERS && gral_numbers_has(&legal[game], numbers[game]))
        game++;
    return game;
}

enum { AT_ONCE = 64 };

/* Plays them all. Who is asked next is noted while the observation that says so is at hand. */
static void play_all(gral_ground *ground, unsigned count, const uint8_t *numbers, gral_observation *observation,
                     gral_numbers *legal, gral_ending *ending, uint8_t *seat)
{
    for (unsigned first = 0; first < count; first += AT_ONCE) {
        const unsigned past = count - first < AT_ONCE ? count : first + AT_ONCE;
        gral_grounds_step(ground + first, past - first, numbers + first, observation + first, legal + first,
                          ending + first);
        for (unsigned game = first; game < past; game++)
            seat[game] = observation[game].seat;
    }
}
""")
ffi.cdef("""
#define GRAL_PLAYERS_MAX ...
#define GRAL_PAWNS ...
#define GRAL_NOBODY ...
#define GRAL_SPECTATOR ...
#define GRAL_OVER ...
#define GRAL_NUMBERS ...
#define GRAL_NUMBER_SETS ...
#define GRAL_NUMBER_NONE ...
#define GRAL_PAWN_SIGHTS ...
#define GRAL_TABLE_SIGHTS ...
#define GRAL_OTHER_SIGHTS ...
#define GRAL_PAIR_SIGHTS ...
#define GRAL_STATE_TEXT_MAX ...
#define GRAL_ACTION_TEXT_MAX ...

typedef struct { uint8_t verb, pawn; ...; } gral_action;
typedef struct { uint8_t players, rules, first; uint32_t limit; ...; } gral_settings;
typedef struct { gral_settings settings; ...; } gral_game;
typedef struct { uint32_t turn; uint8_t phase, actor, active, winner, players; ...; } gral_open;
typedef struct { ...; } gral_sheet;
typedef struct { gral_open open; gral_sheet sheet[...]; ...; } gral_state;
typedef struct { ...; } gral_options;
typedef struct { ...; } gral_memory;
typedef struct { gral_open open; uint8_t seat; ...; } gral_view;
typedef struct { char *bytes; size_t length, capacity; } gral_text;
typedef struct { const char *bytes; size_t length; } gral_span;
typedef struct { uint32_t line, column; char message[...]; ...; } gral_error;
typedef struct { gral_action action; uint8_t seat; ...; } gral_entry;
typedef struct { gral_settings settings; gral_entry *entry; size_t count; char *tags; ...; } gral_record;

enum gral_settings_fault { GRAL_SETTINGS_OK, ... };
enum gral_fault { GRAL_LEGAL, ... };
gral_settings gral_settings_for(unsigned players);
enum gral_settings_fault gral_game_make(gral_game *game, const gral_settings *settings);
const char *gral_settings_fault_text(enum gral_settings_fault fault);
void gral_start(const gral_game *game, gral_state *state);
gral_options gral_legal_options(const gral_game *game, const gral_state *state);
enum gral_fault gral_check(const gral_game *game, const gral_state *state, gral_action action);
const char *gral_fault_text(enum gral_fault fault);
uint64_t gral_hash(const gral_state *state);

gral_text gral_text_in(char *buffer, size_t capacity);
void gral_action_print(gral_text *text, gral_action action);
bool gral_action_parse(gral_span source, gral_action *action, gral_error *error);
void gral_options_print(gral_text *text, const gral_game *game, const gral_open *open, const gral_options *options);
void gral_result_print(gral_text *text, const gral_open *open);
void gral_settings_print(gral_text *text, const gral_settings *settings);
bool gral_settings_parse(gral_span source, gral_settings *settings, gral_error *error);
void gral_state_print(gral_text *text, const gral_game *game, const gral_open *open, const gral_sheet *sheet,
                      uint32_t known);

gral_view gral_view_of(const gral_state *state, unsigned seat);
bool gral_view_hears(unsigned viewer, unsigned seat, gral_action action);
void gral_view_print(gral_text *text, const gral_game *game, const gral_view *view);

gral_record gral_record_begin(const gral_settings *settings);
void gral_record_free(gral_record *record);
bool gral_record_add(gral_record *record, unsigned seat, gral_action action);
bool gral_record_parse(gral_span source, gral_record *record, gral_error *error);
char *gral_record_text(const gral_record *record, size_t *length);
void gral_tags_unseal(char *tags);
void *malloc(size_t size);
void free(void *memory);

typedef struct { const gral_options *options; ...; } gral_outlook;
typedef struct { uint64_t word[...]; } gral_numbers;
typedef struct {
    int8_t pawn[...][...];
    int8_t table[...];
    int8_t other[...][...];
    int8_t pair[...][...][...];
    uint8_t others, seat;
    ...;
} gral_observation;
typedef struct { bool over; uint8_t winner, players; uint32_t turns; ...; } gral_ending;
typedef struct {
    gral_game game;
    gral_state state;
    gral_options options;
    gral_memory memory;
    gral_settings next;
    uint32_t limit_least, limit_most;
    gral_record *record;
    uint8_t hunger[...];
    uint16_t mirrored;
    ...;
} gral_ground;
gral_memory gral_memory_begin(void);
void gral_ground_begin(gral_ground *ground, const gral_settings *settings, uint64_t seed);
void gral_ground_restart(gral_ground *ground);
gral_outlook gral_ground_outlook(const gral_ground *ground);
gral_numbers gral_ground_observe(const gral_ground *ground, unsigned seat, gral_observation *observation);
gral_action gral_number_action(const gral_outlook *outlook, unsigned number);
unsigned gral_action_number(const gral_outlook *outlook, gral_action action);
gral_ending gral_ground_play(gral_ground *ground, unsigned number);
gral_ending gral_ground_act(gral_ground *ground, gral_action action);
unsigned first_wrong(const gral_numbers *legal, const uint8_t *numbers, unsigned count);
void play_all(gral_ground *ground, unsigned count, const uint8_t *numbers, gral_observation *observation,
              gral_numbers *legal, gral_ending *ending, uint8_t *seat);

typedef struct {
    const gral_game *game;
    const gral_view *view;
    const gral_options *options;
    const gral_entry *heard;
    size_t heard_count;
    uint64_t seed;
    ...;
} gral_question;
typedef ... gral_player;
gral_player *gral_player_make(gral_span text, gral_error *error);
void gral_player_free(gral_player *player);
gral_action gral_player_decide(gral_player *player, const gral_question *question, double (*clock)(void));
""")

if __name__ == "__main__":
    ffi.emit_c_code(sys.argv[1])
