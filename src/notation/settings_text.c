/* Settings as text: one table of keys serves the referee's `new`, the lines to outside players and
 * the tags of a record. */
#include "gral/notation.h"

#include "scan.h"

#include <assert.h>
#include <string.h>

static const char society_letter[GRAL_SOCIETIES + 1] = "TAIR";
static const char *const rules_name[] = {[GRAL_STANDARD] = "standard", [GRAL_ORIGINAL] = "original"};

typedef struct key {
    const char *name, *tag;
    void (*print)(gral_text *text, const gral_settings *settings);
    bool (*read)(scan *scan, gral_settings *settings);
} key;

static void print_players(gral_text *text, const gral_settings *settings)
{
    gral_text_add_number(text, settings->players);
}

static bool read_players(scan *scan, gral_settings *settings)
{
    uint32_t number = 0;
    if (!scan_number(scan, GRAL_PLAYERS_MAX, &number, "a number of players (2 to 12)"))
        return false;
    settings->players = (uint8_t)number;
    return true;
}

static void print_rules(gral_text *text, const gral_settings *settings)
{
    gral_text_add(text, rules_name[settings->rules]);
}

static bool read_rules(scan *scan, gral_settings *settings)
{
    for (unsigned rules = 0; rules < sizeof rules_name / sizeof *rules_name; rules++)
        if (scan_if(scan, rules_name[rules])) {
            settings->rules = (uint8_t)rules;
            return true;
        }
    return scan_expected(scan, "standard or original");
}

static void print_first(gral_text *text, const gral_settings *settings)
{
    gral_text_add_number(text, settings->first + 1u);
}

static bool read_first(scan *scan, gral_settings *settings)
{
    uint32_t number = 0;
    const size_t at = scan->at;
    if (!scan_number(scan, GRAL_PLAYERS_MAX, &number, "a player's number"))
        return false;
    if (number == 0)
        return scan_fail_at(scan, at, "players are numbered from 1");
    settings->first = (uint8_t)(number - 1);
    return true;
}

static void print_limit(gral_text *text, const gral_settings *settings)
{
    gral_text_add_number(text, settings->limit);
}

static bool read_limit(scan *scan, gral_settings *settings)
{
    return scan_number(scan, 1000000000, &settings->limit, "a number of turns (0 for no limit)");
}

static void print_hq(gral_text *text, const gral_settings *settings)
{
    char letters[GRAL_SOCIETIES];
    for (unsigned society = 0; society < GRAL_SOCIETIES; society++)
        letters[settings->owner[society]] = society_letter[society];
    gral_text_add_bytes(text, letters, sizeof letters);
}

static bool read_hq(scan *scan, gral_settings *settings)
{
    const char *what = "the societies of players 1 to 4, each letter of TAIR once";
    uint8_t owner[GRAL_SOCIETIES];
    memset(owner, GRAL_NOBODY, sizeof owner);
    for (unsigned seat = 0; seat < GRAL_SOCIETIES; seat++) {
        const char *letter = scan_at_end(scan) ? NULL : strchr(society_letter, scan->source.bytes[scan->at]);
        if (letter == NULL || *letter == '\0' || owner[letter - society_letter] != GRAL_NOBODY)
            return scan_expected(scan, what);
        owner[letter - society_letter] = (uint8_t)seat;
        scan->at++;
    }
    memcpy(settings->owner, owner, sizeof owner);
    return true;
}

static void print_board(gral_text *text, const gral_settings *settings)
{
    gral_text_add_number(text, settings->columns);
    gral_text_add(text, "x");
    gral_text_add_number(text, settings->rows);
}

static bool read_board(scan *scan, gral_settings *settings)
{
    const char *what = "columns and rows like 5x5";
    uint32_t columns = 0, rows = 0;
    if (!scan_number(scan, GRAL_COLUMNS, &columns, what) || !scan_literal(scan, "x", what) ||
        !scan_number(scan, GRAL_ROWS, &rows, what))
        return false;
    settings->columns = (uint8_t)columns;
    settings->rows = (uint8_t)rows;
    return true;
}

static void print_pawns(gral_text *text, const gral_settings *settings)
{
    const char *comma = "";
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (settings->pawns >> pawn & 1) {
            gral_text_add(text, comma);
            gral_text_add(text, gral_pawn_id(pawn));
            comma = ",";
        }
}

static bool read_pawns(scan *scan, gral_settings *settings)
{
    uint8_t pawns = 0;
    do {
        const size_t at = scan->at;
        uint8_t pawn = 0;
        if (!scan_pawn(scan, &pawn))
            return false;
        if (pawns >> pawn & 1)
            return scan_fail_at(scan, at, "this initiate is named twice");
        pawns |= (uint8_t)(1u << pawn);
    } while (scan_if(scan, ","));
    settings->pawns = pawns;
    return true;
}

static void print_units(gral_text *text, const gral_settings *settings)
{
    const char *comma = "";
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        for (unsigned count = 0; count < settings->units[kind]; count++) {
            gral_text_add(text, comma);
            gral_text_add_number(text, gral_unit_value[kind]);
            comma = ",";
        }
    if (*comma == '\0')
        gral_text_add(text, "-");
}

static bool read_units(scan *scan, gral_settings *settings)
{
    uint8_t units[GRAL_UNIT_KINDS] = {0};
    if (!scan_if(scan, "-"))
        do {
            const size_t at = scan->at;
            uint32_t value = 0;
            if (!scan_number(scan, GRAL_POINTS_MAX, &value, "units like 10,5,2"))
                return false;
            unsigned kind = 0;
            while (kind < GRAL_UNIT_KINDS && gral_unit_value[kind] != value)
                kind++;
            if (kind == GRAL_UNIT_KINDS)
                return scan_fail_at(scan, at, "units are 10, 5, 4, 3, 2 and 1");
            if (++units[kind] > 4)
                return scan_fail_at(scan, at, "a sheet has at most four units of each kind");
        } while (scan_if(scan, ","));
    memcpy(settings->units, units, sizeof units);
    return true;
}

static void print_grail(gral_text *text, const gral_settings *settings)
{
    gral_field_print(text, settings->grail);
}

static bool read_grail(scan *scan, gral_settings *settings)
{
    return scan_field(scan, &settings->grail);
}

static const key keys[] = {
    [GRAL_KEY_RULES] = {"rules", "Rules", print_rules, read_rules},
    [GRAL_KEY_PLAYERS] = {"players", "Players", print_players, read_players},
    [GRAL_KEY_FIRST] = {"first", "First", print_first, read_first},
    [GRAL_KEY_LIMIT] = {"limit", "Limit", print_limit, read_limit},
    [GRAL_KEY_HQ] = {"hq", "Hq", print_hq, read_hq},
    [GRAL_KEY_BOARD] = {"board", "Board", print_board, read_board},
    [GRAL_KEY_PAWNS] = {"pawns", "Pawns", print_pawns, read_pawns},
    [GRAL_KEY_UNITS] = {"units", "Units", print_units, read_units},
    [GRAL_KEY_GRAIL] = {"grail", "Grail", print_grail, read_grail},
};
static_assert(sizeof keys / sizeof *keys == GRAL_KEYS, "a row for every key");

const char *gral_key_name(enum gral_key key)
{
    return keys[key].name;
}

const char *gral_key_tag(enum gral_key key)
{
    return keys[key].tag;
}

void gral_key_print(gral_text *text, const gral_settings *settings, enum gral_key key)
{
    keys[key].print(text, settings);
}

bool gral_key_shown(const gral_settings *settings, enum gral_key key)
{
    switch (key) {
    case GRAL_KEY_HQ:
        return settings->rules == GRAL_ORIGINAL;
    case GRAL_KEY_BOARD:
    case GRAL_KEY_PAWNS:
    case GRAL_KEY_UNITS:
    case GRAL_KEY_GRAIL:
        return !gral_settings_full_size(settings);
    default:
        return true;
    }
}

bool gral_settings_read(gral_settings_reader *reader, enum gral_key key, gral_span value, gral_error *error)
{
    scan scan = scan_of(value, error);
    if (reader->given >> key & 1)
        return scan_fail_at(&scan, 0, "this appears twice");
    gral_settings settings = reader->settings;
    if (!keys[key].read(&scan, &settings) || !scan_end(&scan, "the end of the value"))
        return false;
    reader->settings = settings;
    reader->given |= (uint16_t)(1u << key);
    return true;
}

/* What was not given is as in the standard game; the grail of a smaller board starts in its middle. */
static gral_settings with_defaults(const gral_settings_reader *reader)
{
    gral_settings settings = gral_settings_for(reader->settings.players);
    const gral_settings *given = &reader->settings;
    const uint16_t mask = reader->given;
    if (mask >> GRAL_KEY_RULES & 1)
        settings.rules = given->rules;
    if (mask >> GRAL_KEY_FIRST & 1)
        settings.first = given->first;
    if (mask >> GRAL_KEY_LIMIT & 1)
        settings.limit = given->limit;
    if (mask >> GRAL_KEY_HQ & 1)
        memcpy(settings.owner, given->owner, sizeof settings.owner);
    if (mask >> GRAL_KEY_BOARD & 1) {
        settings.columns = given->columns;
        settings.rows = given->rows;
        settings.grail = (uint8_t)(GRAL_COLUMNS * (settings.rows / 2) + settings.columns / 2);
    }
    if (mask >> GRAL_KEY_PAWNS & 1)
        settings.pawns = given->pawns;
    if (mask >> GRAL_KEY_UNITS & 1)
        memcpy(settings.units, given->units, sizeof settings.units);
    if (mask >> GRAL_KEY_GRAIL & 1)
        settings.grail = given->grail;
    return settings;
}

bool gral_settings_finish(const gral_settings_reader *reader, gral_settings *settings, gral_error *error)
{
    scan scan = scan_of(gral_span_of(""), error);
    if (!(reader->given >> GRAL_KEY_PLAYERS & 1))
        return scan_fail_at(&scan, 0, "the number of players is missing (players=2 to players=12)");
    const gral_settings complete = with_defaults(reader);
    if (reader->given >> GRAL_KEY_HQ & 1 && complete.rules != GRAL_ORIGINAL)
        return scan_fail_at(&scan, 0, "headquarters have owners only with rules=original (R8.1)");
    gral_game game;
    const enum gral_settings_fault fault = gral_game_make(&game, &complete);
    if (fault != GRAL_SETTINGS_OK)
        return scan_fail_at(&scan, 0, gral_settings_fault_text(fault));
    *settings = complete;
    return true;
}

void gral_settings_print(gral_text *text, const gral_settings *settings)
{
    /* The number of players first: that is how `new` is read aloud. */
    gral_text_add(text, "players=");
    print_players(text, settings);
    for (unsigned key = 0; key < GRAL_KEYS; key++) {
        if (key == GRAL_KEY_PLAYERS || !gral_key_shown(settings, (enum gral_key)key))
            continue;
        gral_text_add(text, " ");
        gral_text_add(text, keys[key].name);
        gral_text_add(text, "=");
        keys[key].print(text, settings);
    }
}

static bool parse_pair(scan *scan, gral_settings_reader *reader)
{
    const size_t start = scan->at;
    const gral_span name = scan_until(scan, "= ");
    for (unsigned key = 0; key < GRAL_KEYS; key++) {
        if (!span_is(name, keys[key].name))
            continue;
        if (!scan_literal(scan, "=", "'=' and a value"))
            return false;
        const size_t value_at = scan->at;
        if (gral_settings_read(reader, (enum gral_key)key, scan_until(scan, " "), scan->error))
            return true;
        scan->failed = true;
        scan->error->column += (uint32_t)value_at;
        return false;
    }
    scan->at = start;
    return scan_expected(scan, "a setting (players= rules= first= limit= hq= board= pawns= units= grail=)");
}

bool gral_settings_parse(gral_span source, gral_settings *settings, gral_error *error)
{
    gral_settings_reader reader = {0};
    scan scan = scan_of(source, error);
    while (!scan_at_end(&scan))
        if (!parse_pair(&scan, &reader) || (!scan_at_end(&scan) && !scan_literal(&scan, " ", "a space")))
            return false;
    return gral_settings_finish(&reader, settings, error);
}
