/* Settings, checked, become the tables that every other file of the rules reads: which field lies
 * beside which (R1.1), where the headquarters are (R1.3), where the grail ends the game for whom
 * (R7.1, R8.2), and what the number of players changes (R3.3, R4.2). */
#include "gral/game.h"

#include "bits.h"
#include "translate.h"

#include <assert.h>
#include <string.h>

const uint8_t gral_unit_value[GRAL_UNIT_KINDS] = {10, 5, 4, 3, 2, 1};

enum { UNITS_OF_A_KIND = 4 };

static const struct {
    int8_t column, row;
} direction[GRAL_DIRECTIONS] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};

static const char *const fault_text[] = {
    [GRAL_SETTINGS_OK] = N_("there is no error"),
    [GRAL_BAD_PLAYERS] = N_("the game is for 2 to 12 players, The Original for 4 (R2.1, R8.1)"),
    [GRAL_BAD_RULES] = N_("the rules must be standard or original"),
    [GRAL_BAD_FIRST] = N_("the first player must be one of the players (R2.1)"),
    [GRAL_BAD_OWNERS] = N_("each headquarters needs an owner of its own (R8.1)"),
    [GRAL_BAD_BOARD] = N_("the board has 1 to 5 columns and 1 to 5 rows, and at least two fields"),
    [GRAL_BAD_PAWNS] = N_("at least one initiate must take part"),
    [GRAL_BAD_GRAIL] = N_("the grail starts on a field of the board"),
    [GRAL_BAD_UNITS] = N_("a sheet has at most four units of each kind"),
};
static_assert(sizeof fault_text / sizeof *fault_text == GRAL_SETTINGS_FAULTS, "a text for every fault");

static unsigned field_at(unsigned column, unsigned row)
{
    return GRAL_COLUMNS * row + column;
}

static bool on_grid(const gral_settings *settings, int column, int row)
{
    return column >= 0 && column < settings->columns && row >= 0 && row < settings->rows;
}

gral_settings gral_settings_for(unsigned players)
{
    gral_settings settings = {
        .players = (uint8_t)players,
        .rules = GRAL_STANDARD,
        .owner = {0, 1, 2, 3},
        .columns = GRAL_COLUMNS,
        .rows = GRAL_ROWS,
        .pawns = 0xff,
        .grail = GRAL_FIELDS / 2,
    };
    memset(settings.units, UNITS_OF_A_KIND, sizeof settings.units);
    return settings;
}

static enum gral_settings_fault settings_check(const gral_settings *settings)
{
    if (settings->rules != GRAL_STANDARD && settings->rules != GRAL_ORIGINAL)
        return GRAL_BAD_RULES;
    if (settings->players < GRAL_PLAYERS_MIN || settings->players > GRAL_PLAYERS_MAX)
        return GRAL_BAD_PLAYERS;
    if (settings->rules == GRAL_ORIGINAL && settings->players != GRAL_SOCIETIES)
        return GRAL_BAD_PLAYERS;
    if (settings->first >= settings->players)
        return GRAL_BAD_FIRST;
    unsigned owners = 0;
    for (unsigned society = 0; society < GRAL_SOCIETIES; society++)
        owners |= settings->owner[society] < GRAL_SOCIETIES ? 1u << settings->owner[society] : 0;
    if (owners != 0xf)
        return GRAL_BAD_OWNERS;
    if (settings->columns < 1 || settings->columns > GRAL_COLUMNS || settings->rows < 1 || settings->rows > GRAL_ROWS ||
        settings->columns * settings->rows < 2)
        return GRAL_BAD_BOARD;
    if (settings->pawns == 0)
        return GRAL_BAD_PAWNS;
    if (settings->grail >= GRAL_FIELDS ||
        !on_grid(settings, settings->grail % GRAL_COLUMNS, settings->grail / GRAL_COLUMNS))
        return GRAL_BAD_GRAIL;
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        if (settings->units[kind] > UNITS_OF_A_KIND)
            return GRAL_BAD_UNITS;
    return GRAL_SETTINGS_OK;
}

enum gral_settings_fault gral_game_make(gral_game *game, const gral_settings *settings)
{
    const enum gral_settings_fault fault = settings_check(settings);
    if (fault != GRAL_SETTINGS_OK)
        return fault;

    gral_game made = {.settings = *settings, .one_pawn_per_assignment = settings->players >= 4};
    const bool step_and_uncover = settings->players <= 3;
    memset(made.neighbour, GRAL_NOWHERE, sizeof made.neighbour);
    for (int row = 0; row < settings->rows; row++)
        for (int column = 0; column < settings->columns; column++) {
            const unsigned field = field_at((unsigned)column, (unsigned)row);
            made.strike[field] = 1u << field;
            for (unsigned d = 0; d < GRAL_DIRECTIONS; d++) {
                const int to_column = column + direction[d].column, to_row = row + direction[d].row;
                if (!on_grid(settings, to_column, to_row))
                    continue;
                const unsigned to = field_at((unsigned)to_column, (unsigned)to_row);
                made.neighbour[field][d] = (uint8_t)to;
                made.exits[field] |= (uint8_t)(1u << d);
                if (step_and_uncover)
                    made.strike[field] |= 1u << to;
            }
        }

    const unsigned east = settings->columns - 1u, north = settings->rows - 1u;
    made.home[GRAL_TEMPLARS] = (uint8_t)field_at(0, 0);
    made.home[GRAL_ASSASSINS] = (uint8_t)field_at(east, 0);
    made.home[GRAL_ILLUMINATES] = (uint8_t)field_at(east, north);
    made.home[GRAL_ROSICRUCIANS] = (uint8_t)field_at(0, north);
    uint32_t headquarters = 0;
    for (unsigned society = 0; society < GRAL_SOCIETIES; society++)
        headquarters |= 1u << made.home[society];
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        const uint32_t own = 1u << made.home[pawn / 2];
        made.arrival_ends[pawn] = settings->rules == GRAL_ORIGINAL ? headquarters : own;
        made.pickup_ends[pawn] = settings->rules == GRAL_ORIGINAL ? 0 : own;
    }
    *game = made;
    return GRAL_SETTINGS_OK;
}

const char *gral_settings_fault_text(enum gral_settings_fault fault)
{
    return fault_text[fault];
}

bool gral_settings_equal(const gral_settings *a, const gral_settings *b)
{
    return a->players == b->players && a->rules == b->rules && a->first == b->first && a->limit == b->limit &&
           memcmp(a->owner, b->owner, sizeof a->owner) == 0 && a->columns == b->columns && a->rows == b->rows &&
           a->pawns == b->pawns && a->grail == b->grail && memcmp(a->units, b->units, sizeof a->units) == 0;
}

bool gral_settings_full_size(const gral_settings *settings)
{
    const gral_settings full = gral_settings_for(settings->players);
    return settings->columns == full.columns && settings->rows == full.rows && settings->pawns == full.pawns &&
           settings->grail == full.grail && memcmp(settings->units, full.units, sizeof full.units) == 0;
}

uint32_t gral_board_fields(const gral_settings *settings)
{
    uint32_t fields = 0;
    for (unsigned row = 0; row < settings->rows; row++)
        for (unsigned column = 0; column < settings->columns; column++)
            fields |= 1u << field_at(column, row);
    return fields;
}
