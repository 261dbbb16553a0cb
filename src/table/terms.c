/* The terms of a table as text: one line of KEY=VALUE words, those of the settings among them. */
#include "host_parts.h"

#include "notation/scan.h"

#include <assert.h>
#include <string.h>

static const char *const clock_name[] = {
    [GRAL_CLOCK_NONE] = "none", [GRAL_CLOCK_MOVE] = "move", [GRAL_CLOCK_BANK] = "bank"};
static_assert(sizeof clock_name / sizeof *clock_name == GRAL_CLOCK_KINDS, "a word for every clock");

static const char *const switch_name[] = {"no", "yes"};

enum value {
    VALUE_ID,
    VALUE_SELDOM_ID, /* left out where it is empty */
    VALUE_SEED,
    VALUE_CLOCK,
    VALUE_TIME,
    VALUE_PACE,
    VALUE_SWITCH,
    VALUE_SELDOM
}; /* the last: left out where it is "no" */

enum { PACE_MOST = 60000 };

static const struct {
    const char *name;
    uint8_t value; /* enum value */
    uint16_t at;   /* where it lives in the terms */
} keys[] = {
    {"game", VALUE_ID, offsetof(gral_terms, game)},
    {"seed", VALUE_SEED, offsetof(gral_terms, seed)},
    {"clock", VALUE_CLOCK, offsetof(gral_terms, clock)},
    {"time", VALUE_TIME, offsetof(gral_terms, time)},
    {"increment", VALUE_TIME, offsetof(gral_terms, increment)},
    {"answer", VALUE_TIME, offsetof(gral_terms, answer)},
    {"opening", VALUE_TIME, offsetof(gral_terms, opening)},
    {"pace", VALUE_PACE, offsetof(gral_terms, pace)},
    {"listed", VALUE_SWITCH, offsetof(gral_terms, listed)},
    {"notepad", VALUE_SWITCH, offsetof(gral_terms, notepad)},
    {"talk", VALUE_SWITCH, offsetof(gral_terms, talk)},
    {"rated", VALUE_SELDOM, offsetof(gral_terms, rated)},
    {"room", VALUE_SELDOM, offsetof(gral_terms, room)},
    {"tournament", VALUE_SELDOM_ID, offsetof(gral_terms, tournament)},
};
enum { KEYS = sizeof keys / sizeof *keys };
static_assert(KEYS + GRAL_PLAYERS_MAX <= 32, "a bit for everything that can be given");

/* --- writing --- */

static void print_value(gral_text *text, const gral_terms *terms, unsigned key)
{
    const void *at = (const char *)terms + keys[key].at;
    switch ((enum value)keys[key].value) {
    case VALUE_ID:
    case VALUE_SELDOM_ID:
        gral_text_add(text, (const char *)at);
        break;
    case VALUE_SEED:
        gral_text_add_number(text, *(const uint64_t *)at);
        break;
    case VALUE_CLOCK:
        gral_text_add(text, clock_name[*(const uint8_t *)at]);
        break;
    case VALUE_TIME:
        gral_text_add_number(text, (uint64_t)(*(const int64_t *)at));
        break;
    case VALUE_PACE:
        gral_text_add_number(text, *(const uint32_t *)at);
        break;
    case VALUE_SWITCH:
    case VALUE_SELDOM:
        gral_text_add(text, switch_name[*(const bool *)at]);
        break;
    }
}

static bool is_told(const gral_terms *terms, unsigned key)
{
    const char *at = (const char *)terms + keys[key].at;
    return keys[key].value == VALUE_SELDOM      ? *(const bool *)at
           : keys[key].value == VALUE_SELDOM_ID ? *at != '\0'
                                                : true;
}

static void print_pair(gral_text *text, const gral_terms *terms, unsigned key)
{
    gral_text_add(text, keys[key].name);
    gral_text_add(text, "=");
    print_value(text, terms, key);
}

void terms_print_open(gral_text *text, const gral_terms *terms)
{
    bool first = true;
    for (unsigned key = 0; key < KEYS; key++) {
        if (keys[key].value <= VALUE_SEED || !is_told(terms, key))
            continue;
        gral_text_add(text, first ? "" : " ");
        print_pair(text, terms, key);
        first = false;
    }
}

void gral_terms_print(gral_text *text, const gral_terms *terms)
{
    gral_settings_print(text, &terms->settings);
    for (unsigned key = 0; key < KEYS; key++) {
        if (!is_told(terms, key))
            continue;
        gral_text_add(text, " ");
        print_pair(text, terms, key);
    }
    for (unsigned seat = 0; seat < terms->settings.players; seat++) {
        if (terms->computer[seat][0] == '\0')
            continue;
        gral_text_add(text, " seat");
        gral_text_add_number(text, seat + 1);
        gral_text_add(text, "=");
        gral_text_add(text, terms->computer[seat]);
    }
}

/* --- reading --- */

typedef struct reader {
    scan scan;
    gral_settings_reader settings;
    gral_terms terms;
    uint32_t given; /* bit k: key k; bit KEYS + s: seat s */
    size_t seat_at[GRAL_PLAYERS_MAX];
} reader;

static bool give_once(reader *reader, unsigned bit, size_t at)
{
    if (reader->given >> bit & 1)
        return scan_fail_at(&reader->scan, at, "this appears twice");
    reader->given |= UINT32_C(1) << bit;
    return true;
}

static bool read_id(scan *scan, char id[GRAL_GAME_ID_MAX + 1])
{
    const char *what = "an id of up to 32 letters, digits, - and _";
    const size_t start = scan->at;
    const gral_span span = scan_until(scan, " ");
    bool fits = span.length > 0 && span.length <= GRAL_GAME_ID_MAX;
    for (size_t at = 0; fits && at < span.length; at++) {
        const char byte = span.bytes[at];
        fits = (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') ||
               byte == '-' || byte == '_';
    }
    if (!fits) {
        scan->at = start;
        return scan_expected(scan, what);
    }
    memcpy(id, span.bytes, span.length);
    return true;
}

/* One of a few words; `number` gets which. */
static bool read_word(scan *scan, const char *const words[], unsigned count, unsigned *number, const char *what)
{
    const size_t start = scan->at;
    const gral_span span = scan_until(scan, " ");
    for (*number = 0; *number < count; ++*number)
        if (span_is(span, words[*number]))
            return true;
    scan->at = start;
    return scan_expected(scan, what);
}

static bool read_value(scan *scan, gral_terms *terms, unsigned key)
{
    void *at = (char *)terms + keys[key].at;
    uint64_t number = 0;
    unsigned word = 0;
    switch ((enum value)keys[key].value) {
    case VALUE_ID:
    case VALUE_SELDOM_ID:
        return read_id(scan, (char *)at);
    case VALUE_SEED:
        return scan_long_number(scan, UINT64_MAX, (uint64_t *)at, "a seed (a number of up to 64 bits)");
    case VALUE_CLOCK:
        if (!read_word(scan, clock_name, GRAL_CLOCK_KINDS, &word, "none, move or bank"))
            return false;
        *(uint8_t *)at = (uint8_t)word;
        return true;
    case VALUE_TIME:
        if (!scan_long_number(scan, GRAL_TIME_MAX, &number, "milliseconds (at most 366 days)"))
            return false;
        *(int64_t *)at = (int64_t)number;
        return true;
    case VALUE_PACE:
        return scan_number(scan, PACE_MOST, (uint32_t *)at, "milliseconds (0 to 60000)");
    case VALUE_SWITCH:
    case VALUE_SELDOM:
        if (!read_word(scan, switch_name, 2, &word, "yes or no"))
            return false;
        *(bool *)at = word == 1;
        return true;
    }
    return false;
}

static bool read_seat(reader *reader, size_t name_at)
{
    scan *scan = &reader->scan;
    uint32_t seat = 0;
    const size_t number_at = scan->at;
    if (!scan_number(scan, GRAL_PLAYERS_MAX, &seat, "a seat (seat1= to seat12=)"))
        return false;
    if (seat == 0)
        return scan_fail_at(scan, number_at, "players are numbered from 1");
    if (!scan_literal(scan, "=", "'=' and a computer player") || !give_once(reader, KEYS + seat - 1, name_at))
        return false;
    const size_t at = reader->seat_at[seat - 1] = scan->at;
    const gral_span text = scan_until(scan, " ");
    if (text.length >= GRAL_COMPUTER_TEXT_MAX)
        return scan_fail_at(scan, at, "a computer player's text has at most 47 bytes");
    if (!gral_player_check(text, scan->error)) {
        scan->failed = true;
        scan->error->column += (uint32_t)at;
        return false;
    }
    memcpy(reader->terms.computer[seat - 1], text.bytes, text.length);
    return true;
}

static bool read_pair(reader *reader)
{
    scan *scan = &reader->scan;
    const size_t start = scan->at;
    if (scan_if(scan, "seat"))
        return read_seat(reader, start);
    const gral_span name = scan_until(scan, "= ");
    for (unsigned key = 0; key < KEYS; key++)
        if (span_is(name, keys[key].name))
            return scan_literal(scan, "=", "'=' and a value") && give_once(reader, key, start) &&
                   read_value(scan, &reader->terms, key);
    for (unsigned key = 0; key < GRAL_KEYS; key++) {
        if (!span_is(name, gral_key_name((enum gral_key)key)))
            continue;
        if (!scan_literal(scan, "=", "'=' and a value"))
            return false;
        const size_t at = scan->at;
        if (gral_settings_read(&reader->settings, (enum gral_key)key, scan_until(scan, " "), scan->error))
            return true;
        scan->failed = true;
        scan->error->column += (uint32_t)at;
        return false;
    }
    scan->at = start;
    return scan_expected(scan, "a setting (players= … grail=), game= seed= clock= time= increment= answer= opening= "
                               "pace= listed= notepad= talk= rated= room= tournament= or seat1= to seat12=");
}

/* What fits together with which clock: nothing is given that would mean nothing. */
static const char *clock_fault(const gral_terms *terms)
{
    switch ((enum gral_clock_kind)terms->clock) {
    case GRAL_CLOCK_NONE:
        return terms->time != 0 || terms->increment != 0 || terms->answer != 0 || terms->opening != 0
                   ? "without a clock there are no times"
                   : NULL;
    case GRAL_CLOCK_MOVE:
        if (terms->increment != 0 || terms->answer != 0)
            return "increment= and answer= belong to clock=bank";
        return terms->time == 0 ? "clock=move needs a time" : NULL;
    case GRAL_CLOCK_BANK:
        return terms->time == 0 || terms->answer == 0 ? "clock=bank needs a time, and one to answer in" : NULL;
    case GRAL_CLOCK_KINDS:
        break;
    }
    return "there is no such clock";
}

static bool finish(reader *reader)
{
    scan *scan = &reader->scan;
    gral_terms *terms = &reader->terms;
    if (!gral_settings_finish(&reader->settings, &terms->settings, scan->error))
        return false;
    if (terms->game[0] == '\0')
        return scan_fail_at(scan, 0, "the game's id is missing (game=)");
    const char *fault = clock_fault(terms);
    if (fault != NULL)
        return scan_fail_at(scan, 0, fault);
    for (unsigned seat = terms->settings.players; seat < GRAL_PLAYERS_MAX; seat++)
        if (terms->computer[seat][0] != '\0')
            return scan_fail_at(scan, reader->seat_at[seat], "there are fewer seats than that");
    return true;
}

bool gral_terms_parse(gral_span source, gral_terms *terms, gral_error *error)
{
    reader reader = {.scan = scan_of(source, error)};
    while (!scan_at_end(&reader.scan))
        if (!read_pair(&reader) || (!scan_at_end(&reader.scan) && !scan_literal(&reader.scan, " ", "a space")))
            return false;
    if (!finish(&reader))
        return false;
    *terms = reader.terms;
    return true;
}
