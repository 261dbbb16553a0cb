/* Table talk: offers as text, and what computer players make of them. */
#include "scene.h"

#include <string.h>

/* Everything that an offer of this kind can be about, in turn; false past the last. */
static bool offer_number(enum gral_offer_kind kind, unsigned number, gral_offer *offer)
{
    *offer = (gral_offer){.kind = (uint8_t)kind, .pawn = GRAL_NO_PAWN, .seat = GRAL_NOBODY, .points = 0};
    const unsigned pawn = number % GRAL_PAWNS, rest = number / GRAL_PAWNS;
    switch (kind) {
    case GRAL_OFFER_PASS:
    case GRAL_OFFER_UNCOVER:
        offer->pawn = (uint8_t)pawn;
        return rest == 0;
    case GRAL_OFFER_HOLD:
        offer->pawn = (uint8_t)pawn;
        offer->points = (uint8_t)(rest + 1);
        return rest < GRAL_POINTS_MAX;
    case GRAL_OFFER_BRING:
        offer->pawn = (uint8_t)pawn;
        offer->field = (uint8_t)rest;
        return rest < GRAL_FIELDS;
    case GRAL_OFFER_STOP:
        offer->seat = (uint8_t)number;
        return number < GRAL_PLAYERS_MAX;
    default:
        return number == 0;
    }
}

static void every_offer_is_read_back_as_it_was_written(void **unused)
{
    (void)unused;
    unsigned all = 0;
    for (unsigned kind = 0; kind < GRAL_OFFER_KINDS; kind++) {
        gral_offer offer;
        for (unsigned number = 0; offer_number((enum gral_offer_kind)kind, number, &offer); number++, all++) {
            char words[GRAL_ACTION_TEXT_MAX];
            gral_text text = gral_text_in(words, sizeof words);
            gral_offer_print(&text, offer);
            assert_true(text.length < text.capacity);
            gral_offer read;
            gral_error error;
            assert_true(gral_offer_parse(gral_span_of(words), &read, &error));
            assert_memory_equal(&read, &offer, sizeof read);
        }
    }
    assert_int_equal(all, 8 + 8 + 800 + 200 + 12 + 1 + 1);
}

static void expect_offer(const char *words, gral_offer expected)
{
    gral_offer offer;
    gral_error error;
    assert_true(gral_offer_parse(gral_span_of(words), &offer, &error));
    assert_memory_equal(&offer, &expected, sizeof offer);
}

static void seats_in_an_offer_count_from_one(void **unused)
{
    (void)unused;
    expect_offer("stop 3", (gral_offer){GRAL_OFFER_STOP, GRAL_NO_PAWN, 2, {0}});
    expect_offer("stop 12", (gral_offer){GRAL_OFFER_STOP, GRAL_NO_PAWN, 11, {0}});
    expect_offer("bring T1 d3", (gral_offer){GRAL_OFFER_BRING, GRAL_T1, GRAL_NOBODY, {13}});
    expect_offer("hold 10 R2", (gral_offer){GRAL_OFFER_HOLD, GRAL_R2, GRAL_NOBODY, {10}});
}

static void expect_refused(const char *words, unsigned column, const char *message)
{
    gral_offer offer = {.kind = GRAL_OFFER_REFUSE};
    gral_error error = {0};
    assert_false(gral_offer_parse(gral_span_of(words), &offer, &error));
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, column);
    assert_string_equal(error.message, message);
    assert_int_equal(offer.kind, GRAL_OFFER_REFUSE); /* untouched */
}

static void an_offer_that_is_wrong_is_refused_with_column_and_expectation(void **unused)
{
    (void)unused;
    expect_refused("", 1, "expected an offer (pass uncover hold bring stop agree refuse), not the end");
    expect_refused("Pass T1", 1, "expected an offer (pass uncover hold bring stop agree refuse), not 'Pass'");
    expect_refused("object 3", 1, "expected an offer (pass uncover hold bring stop agree refuse), not 'object'");
    expect_refused("pass", 5, "expected a space and an initiate, not the end");
    expect_refused("pass T3", 6, "expected an initiate (T1 T2 A1 A2 I1 I2 R1 R2), not 'T3'");
    expect_refused("pass  T1", 6, "expected an initiate (T1 T2 A1 A2 I1 I2 R1 R2), not a space");
    expect_refused("uncover A2 T1", 11, "expected the end of the offer, not a space");
    expect_refused("hold T1", 6, "expected a number of points (1 to 100), not 'T1'");
    expect_refused("hold 0 T1", 6, "expected a number of points (1 to 100), not '0'");
    expect_refused("hold 101 T1", 6, "expected a number of points (1 to 100), not '101'");
    expect_refused("hold 10", 8, "expected a space and an initiate, not the end");
    expect_refused("bring T1", 9, "expected a space and a field, not the end");
    expect_refused("bring T1 f1", 10, "expected a field (a1 to e5), not 'f1'");
    expect_refused("stop", 5, "expected a space and a player, not the end");
    expect_refused("stop 0", 6, "expected a player (1 to 12), not '0'");
    expect_refused("stop 13", 6, "expected a player (1 to 12), not '13'");
    expect_refused("agree ", 6, "expected the end of the offer, not a space");
    expect_refused("agree\n", 1, "expected an offer (pass uncover hold bring stop agree refuse), not 'agree?'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_offer_is_read_back_as_it_was_written),
        cmocka_unit_test(seats_in_an_offer_count_from_one),
        cmocka_unit_test(an_offer_that_is_wrong_is_refused_with_column_and_expectation),
    };
    return cmocka_run_group_tests_name("offers", tests, NULL, NULL);
}
