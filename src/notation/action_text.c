/* Actions as text: the verb, then what it takes, single spaces between. */
#include "gral/notation.h"

#include "scan.h"

#include <assert.h>

static const char *const pawn_id[] = {"T1", "T2", "A1", "A2", "I1", "I2", "R1", "R2"};
static_assert(sizeof pawn_id / sizeof *pawn_id == GRAL_PAWNS, "an id for every initiate");

static const char *const verb_word[] = {
    [GRAL_NOTHING] = "-",   [GRAL_PLACE] = "place",     [GRAL_DONE] = "done",     [GRAL_ASSIGN] = "assign",
    [GRAL_STEP] = "step",   [GRAL_UNCOVER] = "uncover", [GRAL_OBJECT] = "object", [GRAL_PASS] = "pass",
    [GRAL_CLAIM] = "claim", [GRAL_YIELD] = "yield",     [GRAL_KEEP] = "keep",     [GRAL_DROP] = "drop",
    [GRAL_LEAVE] = "leave",
};
static_assert(sizeof verb_word / sizeof *verb_word == GRAL_VERBS, "a word for every verb");

const char *gral_pawn_id(unsigned pawn)
{
    assert(pawn < GRAL_PAWNS);
    return pawn_id[pawn];
}

void gral_field_print(gral_text *text, unsigned field)
{
    const char name[] = {(char)('a' + field % GRAL_COLUMNS), (char)('1' + field / GRAL_COLUMNS)};
    gral_text_add_bytes(text, name, sizeof name);
}

static void add_pawn(gral_text *text, const char *before, unsigned pawn)
{
    gral_text_add(text, before);
    gral_text_add(text, gral_pawn_id(pawn));
}

static void add_points(gral_text *text, unsigned points)
{
    gral_text_add(text, " ");
    gral_text_add_number(text, points);
}

void gral_action_print(gral_text *text, gral_action action)
{
    gral_text_add(text, verb_word[action.verb]);
    switch ((enum gral_verb)action.verb) {
    case GRAL_PLACE:
        add_points(text, action.points);
        add_pawn(text, " ", action.pawn);
        break;
    case GRAL_STEP:
        add_pawn(text, " ", action.pawn);
        gral_text_add(text, " ");
        gral_field_print(text, action.field);
        if (action.target != GRAL_NO_PAWN)
            add_pawn(text, " x ", action.target);
        break;
    case GRAL_UNCOVER:
        add_pawn(text, " ", action.pawn);
        add_pawn(text, " ", action.target);
        break;
    case GRAL_OBJECT:
    case GRAL_CLAIM:
        add_points(text, action.points);
        break;
    default:
        break;
    }
}

static bool parse_place(scan *scan, gral_action *action)
{
    const size_t unit = scan->at;
    uint32_t points = 0;
    if (!scan_number(scan, GRAL_POINTS_MAX, &points, "a unit (10 5 4 3 2 1)"))
        return false;
    bool is_unit = false;
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        is_unit = is_unit || gral_unit_value[kind] == points;
    if (!is_unit) {
        scan->at = unit;
        return scan_expected(scan, "a unit (10 5 4 3 2 1)");
    }
    uint8_t pawn = 0;
    if (!scan_literal(scan, " ", "a space and an initiate") || !scan_pawn(scan, &pawn))
        return false;
    *action = gral_place(points, pawn);
    return true;
}

static bool parse_step(scan *scan, gral_action *action)
{
    uint8_t pawn = 0, field = 0, target = GRAL_NO_PAWN;
    if (!scan_pawn(scan, &pawn) || !scan_literal(scan, " ", "a space and a field") || !scan_field(scan, &field))
        return false;
    if (scan_if(scan, " x ") && !scan_pawn(scan, &target))
        return false;
    *action = gral_step(pawn, field, target);
    return true;
}

static bool parse_uncover(scan *scan, gral_action *action)
{
    uint8_t pawn = 0, target = 0;
    if (!scan_pawn(scan, &pawn) || !scan_literal(scan, " ", "a space and an initiate") || !scan_pawn(scan, &target))
        return false;
    *action = gral_uncover(pawn, target);
    return true;
}

static bool parse_figure(scan *scan, enum gral_verb verb, gral_action *action)
{
    uint32_t points = 0;
    if (!scan_number(scan, GRAL_POINTS_MAX, &points, "a number of points (0 to 100)"))
        return false;
    *action = verb == GRAL_OBJECT ? gral_object(points) : gral_claim(points);
    return true;
}

static bool parse_words(scan *scan, enum gral_verb verb, gral_action *action)
{
    const bool more = verb == GRAL_PLACE || verb == GRAL_STEP || verb == GRAL_UNCOVER || verb == GRAL_OBJECT ||
                      verb == GRAL_CLAIM;
    if (!more) {
        *action = gral_say(verb);
        return true;
    }
    if (!scan_literal(scan, " ", "a space and what the verb is about"))
        return false;
    switch (verb) {
    case GRAL_PLACE:
        return parse_place(scan, action);
    case GRAL_STEP:
        return parse_step(scan, action);
    case GRAL_UNCOVER:
        return parse_uncover(scan, action);
    default:
        return parse_figure(scan, verb, action);
    }
}

bool gral_action_parse(gral_span source, gral_action *action, gral_error *error)
{
    scan scan = scan_of(source, error);
    const gral_span word = scan_until(&scan, " ");
    for (unsigned verb = GRAL_PLACE; verb < GRAL_VERBS; verb++) {
        if (!span_is(word, verb_word[verb]))
            continue;
        gral_action parsed;
        if (!parse_words(&scan, (enum gral_verb)verb, &parsed) || !scan_end(&scan, "the end of the action"))
            return false;
        *action = parsed;
        return true;
    }
    scan.at = 0;
    return scan_expected(&scan, "an action (place done assign step uncover object pass claim yield keep drop leave)");
}

void gral_options_print(gral_text *text, const gral_game *game, const gral_open *open, const gral_options *options)
{
    gral_options listed = *options;
    listed.points_verb = GRAL_NOTHING;
    const unsigned count = gral_options_count(&listed);
    for (unsigned index = 0; index < count; index++) {
        gral_action_print(text, gral_options_pick(game, open, &listed, index));
        gral_text_add(text, "\n");
    }
    if (options->points_verb != GRAL_NOTHING) {
        gral_text_add(text, verb_word[options->points_verb]);
        add_points(text, options->least);
        gral_text_add(text, "..");
        gral_text_add_number(text, options->most);
        gral_text_add(text, "\n");
    }
}
