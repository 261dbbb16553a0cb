/* Offers as text: the word, then what it is about, single spaces between, as in actions. */
#include "gral/offer.h"

#include "scan.h"

#include <assert.h>

enum part { THE_END, A_PAWN, A_FIELD, A_SEAT, SOME_POINTS, PARTS };

enum { PARTS_MAX = 2 };

static const struct {
    const char *word;
    uint8_t parts[PARTS_MAX + 1]; /* ended by THE_END */
} kinds[] = {
    [GRAL_OFFER_PASS] = {"pass", {A_PAWN}},
    [GRAL_OFFER_UNCOVER] = {"uncover", {A_PAWN}},
    [GRAL_OFFER_HOLD] = {"hold", {SOME_POINTS, A_PAWN}},
    [GRAL_OFFER_BRING] = {"bring", {A_PAWN, A_FIELD}},
    [GRAL_OFFER_STOP] = {"stop", {A_SEAT}},
    [GRAL_OFFER_AGREE] = {"agree", {THE_END}},
    [GRAL_OFFER_REFUSE] = {"refuse", {THE_END}},
};
static_assert(sizeof kinds / sizeof *kinds == GRAL_OFFER_KINDS, "a word for every kind");

static const char *const space_before[] = {
    [THE_END] = "the end of the offer",
    [A_PAWN] = "a space and an initiate",
    [A_FIELD] = "a space and a field",
    [A_SEAT] = "a space and a player",
    [SOME_POINTS] = "a space and a number of points",
};
static_assert(sizeof space_before / sizeof *space_before == PARTS, "words for every part");

void gral_offer_print(gral_text *text, gral_offer offer)
{
    assert(offer.kind < GRAL_OFFER_KINDS);
    gral_text_add(text, kinds[offer.kind].word);
    for (const uint8_t *part = kinds[offer.kind].parts; *part != THE_END; part++) {
        gral_text_add(text, " ");
        if (*part == A_PAWN)
            gral_text_add(text, gral_pawn_id(offer.pawn));
        else if (*part == A_FIELD)
            gral_field_print(text, offer.field);
        else
            gral_text_add_number(text, *part == A_SEAT ? offer.seat + 1u : offer.points);
    }
}

/* A number from 1. */
static bool parse_count(scan *scan, uint32_t most, uint32_t *number, const char *what)
{
    const size_t start = scan->at;
    if (!scan_number(scan, most, number, what))
        return false;
    if (*number > 0)
        return true;
    scan->at = start;
    return scan_expected(scan, what);
}

static bool parse_part(scan *scan, enum part part, gral_offer *offer)
{
    uint32_t number = 0;
    switch (part) {
    case A_PAWN:
        return scan_pawn(scan, &offer->pawn);
    case A_FIELD:
        return scan_field(scan, &offer->field);
    case A_SEAT:
        if (!parse_count(scan, GRAL_PLAYERS_MAX, &number, "a player (1 to 12)"))
            return false;
        offer->seat = (uint8_t)(number - 1);
        return true;
    default:
        if (!parse_count(scan, GRAL_POINTS_MAX, &number, "a number of points (1 to 100)"))
            return false;
        offer->points = (uint8_t)number;
        return true;
    }
}

bool gral_offer_parse(gral_span source, gral_offer *offer, gral_error *error)
{
    scan scan = scan_of(source, error);
    const gral_span word = scan_until(&scan, " ");
    for (unsigned kind = 0; kind < GRAL_OFFER_KINDS; kind++) {
        if (!span_is(word, kinds[kind].word))
            continue;
        gral_offer parsed = {.kind = (uint8_t)kind, .pawn = GRAL_NO_PAWN, .seat = GRAL_NOBODY, .points = 0};
        for (const uint8_t *part = kinds[kind].parts; *part != THE_END; part++)
            if (!scan_literal(&scan, " ", space_before[*part]) || !parse_part(&scan, (enum part) * part, &parsed))
                return false;
        if (!scan_end(&scan, space_before[THE_END]))
            return false;
        *offer = parsed;
        return true;
    }
    scan.at = 0;
    return scan_expected(&scan, "an offer (pass uncover hold bring stop agree refuse)");
}
