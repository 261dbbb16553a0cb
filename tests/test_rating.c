/* What a game counts for: places, classes, who has left; and the numbers that come of it. That these are the method's
 * own is shown beside another implementation (web/tools/rating.test.ts). */
#include "hosting.h"

#include "rating/rating.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LIVE " clock=move time=60000 rated=yes game=g"

static rating_outcome outcome_of(gral_host *host)
{
    rating_outcome outcome;
    assert_true(rating_outcome_of(host, &outcome));
    gral_host_free(host);
    return outcome;
}

static void does_not_count(gral_host *host)
{
    rating_outcome outcome;
    assert_false(rating_outcome_of(host, &outcome));
    gral_host_free(host);
}

static void places_are(const rating_outcome *outcome, const char *places)
{
    char found[GRAL_PLAYERS_MAX + 1] = "";
    assert_int_equal(outcome->count, strlen(places));
    for (unsigned seat = 0; seat < outcome->count; seat++)
        found[seat] = (char)('0' + outcome->place[seat]);
    assert_string_equal(found, places);
}

/* Turns in which nobody wants anything. */
static void take_turns(gral_host *host, unsigned players, unsigned turns)
{
    for (unsigned turn = 0; turn < turns; turn++) {
        char words[64];
        gral_text text = gral_text_in(words, sizeof words);
        gral_text_add(&text, "do ");
        gral_text_add_number(&text, turn % players + 1);
        gral_text_add(&text, " S assign; done");
        host_give(host, turn + 1, words);
    }
}

/* Seat 1 brings T1 the grail and home; seat 1 holds ten on him. Nobody else says anything. */
static gral_host *host_won(const char *terms, unsigned players)
{
    static const char *const steps[] = {"step T1 b1", "step T1 c1", "step T1 c2", "step T1 c3",
                                        "step T1 c2", "step T1 c1", "step T1 b1", "step T1 a1"};
    gral_host *host = host_of(terms);
    host_seat(host);
    for (unsigned seat = 1; seat <= players; seat++) {
        char words[64];
        snprintf(words, sizeof words, "do %u S %sdone", seat, seat == 1 ? "place 10 T1; " : "");
        host_give(host, 0, words);
    }
    for (unsigned step = 0; step < sizeof steps / sizeof *steps; step++) {
        char words[64];
        snprintf(words, sizeof words, "do 1 %s", steps[step]);
        host_give(host, 1, words);
        for (unsigned seat = 2; seat <= players; seat++) {
            snprintf(words, sizeof words, "do %u pass", seat);
            host_give(host, 1, words);
        }
        const gral_options options = gral_host_options(host, 0);
        if (gral_host_stage(host) == GRAL_PLAYING && gral_options_count(&options) > 0)
            host_give(host, 1, "do 1 keep");
        for (unsigned seat = 2; seat <= players && gral_host_stage(host) == GRAL_PLAYING; seat++) {
            snprintf(words, sizeof words, "do %u S assign; done", seat);
            host_give(host, 1, words);
        }
    }
    assert_int_equal(gral_host_end(host), GRAL_END_GAME);
    return host;
}

/* --- places --- */

static void whoever_wins_is_first_and_the_others_share_the_next_place(void **unused)
{
    (void)unused;
    const rating_outcome outcome = outcome_of(host_won("players=3" LIVE, 3));
    places_are(&outcome, "011");
    assert_int_equal(outcome.user[2], 103);
    assert_int_equal(outcome.class, RATING_FEW_LIVE);
}

static void in_a_draw_all_share_the_first_place(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 limit=3" LIVE, "", "");
    take_turns(host, 2, 3);
    assert_int_equal(gral_host_end(host), GRAL_END_GAME);
    const rating_outcome by_limit = outcome_of(host);
    places_are(&by_limit, "00");
    host = host_opened("players=2" LIVE, "", "");
    take_turns(host, 2, 2);
    host_give(host, 9, "draw 1 | draw 2");
    const rating_outcome agreed = outcome_of(host);
    places_are(&agreed, "00");
}

static void whoever_leaves_is_behind_all_who_stayed_the_sooner_the_further(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=4" LIVE, "", "", "", "");
    take_turns(host, 4, 4);
    host_give(host, 9, "resign 2");
    host_give(host, 10, "resign 4 | draw 1 | draw 3");
    const rating_outcome outcome = outcome_of(host);
    places_are(&outcome, "0504");
}

static void whoever_comes_back_has_not_left(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=3" LIVE, "", "", "");
    take_turns(host, 3, 3);
    host_give(host, 9, "replace 2 1 | replace 3 1");
    assert_true(gral_host_seat_at(host, 0).computer);
    host_give(host, 10, "back 1 | draw 1 | draw 2 | draw 3");
    const rating_outcome outcome = outcome_of(host);
    places_are(&outcome, "000");
}

static void the_last_to_resign_is_first(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2" LIVE, "", "");
    take_turns(host, 2, 2);
    host_give(host, 9, "resign 1 | resign 2");
    assert_int_equal(gral_host_end(host), GRAL_END_ABANDONED);
    const rating_outcome outcome = outcome_of(host);
    places_are(&outcome, "32");
}

/* --- what does not count --- */

static void a_game_that_nobody_agreed_to_rate_does_not_count(void **unused)
{
    (void)unused;
    does_not_count(host_won("players=3 clock=move time=60000 game=g", 3));
}

static void a_game_left_before_everybody_had_a_turn_does_not_count(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2" LIVE, "", "");
    take_turns(host, 2, 1);
    host_give(host, 9, "resign 1 | resign 2");
    does_not_count(host);
}

static void a_game_that_goes_on_or_never_began_or_was_forgotten_does_not_count(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2" LIVE, "", "");
    take_turns(host, 2, 5);
    rating_outcome outcome;
    assert_false(rating_outcome_of(host, &outcome));
    host_give(host, 9, "close");
    does_not_count(host);
    host = host_of("players=2" LIVE);
    host_give(host, 0, "close");
    does_not_count(host);
}

static void refuses(const char *terms, const char *why)
{
    gral_terms read;
    gral_error error;
    assert_true(gral_terms_parse(gral_span_of(terms), &read, &error));
    const char *said = rating_refuses(&read);
    if (why == NULL)
        assert_null(said);
    else
        assert_string_equal(said, why);
}

static void only_the_standard_game_with_a_clock_can_be_rated(void **unused)
{
    (void)unused;
    refuses("players=4 game=g clock=move time=60000", NULL);
    refuses("players=4 game=g", "a rated game needs a clock");
    refuses("players=4 rules=original hq=TAIR game=g clock=move time=60000", "only the standard game can be rated");
    refuses("players=2 game=g clock=move time=60000 seat2=thinker:level=3", NULL);
    refuses("players=2 game=g clock=move time=60000 seat2=random",
            "only computer players with a level can play in a rated game");
}

static void terms_say_that_a_game_is_rated_and_nothing_if_it_is_not(void **unused)
{
    (void)unused;
    char words[512];
    gral_terms terms;
    gral_error error;
    assert_true(gral_terms_parse(gral_span_of("players=2 game=g rated=yes"), &terms, &error));
    gral_text text = gral_text_in(words, sizeof words);
    gral_terms_print(&text, &terms);
    assert_non_null(strstr(words, " rated=yes"));
    assert_true(gral_terms_parse(gral_span_of("players=2 game=g rated=no"), &terms, &error));
    text = gral_text_in(words, sizeof words);
    gral_terms_print(&text, &terms);
    assert_null(strstr(words, "rated"));
}

/* --- classes --- */

static void class_is(const char *terms, const char *name)
{
    gral_terms read;
    gral_error error;
    assert_true(gral_terms_parse(gral_span_of(terms), &read, &error));
    enum rating_class found;
    assert_string_equal(rating_class_name(rating_class_of(&read)), name);
    assert_true(rating_class_find(gral_span_of(name), &found));
    assert_int_equal(found, rating_class_of(&read));
}

static void classes_go_by_players_time_and_computers(void **unused)
{
    (void)unused;
    class_is("players=2 game=g clock=move time=60000", "2-live");
    class_is("players=3 game=g clock=move time=60000", "3-4-live");
    class_is("players=4 game=g clock=bank time=60000 answer=30000", "3-4-live");
    class_is("players=5 game=g clock=move time=86400000", "5+-days");
    class_is("players=2 game=g clock=bank time=604800000 answer=86400000", "2-days");
    class_is("players=2 game=g", "2-days");
    class_is("players=12 game=g clock=move time=60000 seat3=thinker:level=1", "5+-computers");
    enum rating_class found;
    assert_false(rating_class_find(gral_span_of("2-liv"), &found));
    assert_false(rating_class_find(gral_span_of(""), &found));
}

/* --- numbers --- */

static void winning_adds_what_losing_takes_and_both_are_better_known(void **unused)
{
    (void)unused;
    rating ratings[2] = {rating_of_newcomer(), rating_of_newcomer()};
    rating_play(ratings, (const uint8_t[]){1, 0}, 2);
    assert_true(ratings[1].strength > 25 && ratings[0].strength < 25);
    assert_true(fabs(ratings[0].strength + ratings[1].strength - 50) < 1e-9);
    assert_true(ratings[0].doubt < 25. / 3 && ratings[1].doubt < 25. / 3);
}

static void beating_somebody_strong_is_worth_more(void **unused)
{
    (void)unused;
    rating strong[2] = {{25, 3}, {35, 3}}, weak[2] = {{25, 3}, {15, 3}};
    rating_play(strong, (const uint8_t[]){0, 1}, 2);
    rating_play(weak, (const uint8_t[]){0, 1}, 2);
    assert_true(strong[0].strength > weak[0].strength && weak[0].strength > 25);
}

static void a_computer_player_stays_what_it_is_and_places_a_newcomer_at_once(void **unused)
{
    (void)unused;
    rating_outcome outcome = {
        .class = RATING_TWO_COMPUTERS, .count = 2, .place = {0, 1}, .user = {7, 0}, .level = {0, 5}};
    rating ratings[2] = {rating_of_newcomer(), {1, 2}};
    rating_apply(&outcome, ratings);
    assert_true(ratings[1].strength == 1 && ratings[1].doubt == 2);
    const double after_one = ratings[0].strength;
    assert_true(after_one > 25);
    for (unsigned game = 0; game < 60; game++) { /* who wins every other game against level 2 is about as good */
        outcome = (rating_outcome){.class = RATING_TWO_COMPUTERS,
                                   .count = 2,
                                   .place = {game % 2, 1 - game % 2},
                                   .user = {7, 0},
                                   .level = {0, 2}};
        rating_apply(&outcome, ratings);
    }
    const double level = rating_of_level(2, RATING_TWO_COMPUTERS).strength;
    assert_true(fabs(ratings[0].strength - level) < 2);
}

static void every_level_is_stronger_than_the_one_below(void **unused)
{
    (void)unused;
    for (unsigned class = RATING_TWO_COMPUTERS; class < RATING_CLASSES; class ++)
        for (unsigned level = 2; level <= 5; level++)
            assert_true(rating_of_level(level, class).strength > rating_of_level(level - 1, class).strength);
}

static void whoever_does_not_play_is_known_less_and_less_but_never_less_than_a_stranger(void **unused)
{
    (void)unused;
    const int64_t day = INT64_C(86400000);
    const rating known = {30, 2}, month = rating_after(known, 30 * day), ever = rating_after(known, 9999 * day);
    assert_true(month.strength == 30 && month.doubt > 2 && month.doubt < 25. / 3);
    assert_true(ever.doubt == 25. / 3);
    assert_true(rating_after(known, -day).doubt == 2);
    assert_true(rating_rank(month) < rating_rank(known));
}

static void people_see_round_numbers(void **unused)
{
    (void)unused;
    assert_int_equal(rating_points(rating_of_newcomer()), 1500);
    assert_int_equal(rating_margin(rating_of_newcomer()), 667);
    assert_int_equal(rating_points((rating){26, 1}), 1540);
    assert_int_equal(rating_margin((rating){26, 1}), 80);
}

/* --- how it was played --- */

static void manners_are(gral_host *host, unsigned seat, const char *expected)
{
    manner manners[GRAL_PLAYERS_MAX];
    char words[200];
    gral_text text = gral_text_in(words, sizeof words);
    assert_true(manner_of(host, manners));
    const manner *manner = &manners[seat - 1];
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (manner->placed[pawn] > 0) {
            gral_text_add(&text, gral_pawn_id(pawn));
            gral_text_add(&text, "=");
            gral_text_add_number(&text, manner->placed[pawn]);
            gral_text_add(&text, " ");
        }
    gral_text_add_number(&text, manner->worked);
    gral_text_add(&text, " of ");
    gral_text_add_number(&text, manner->bluffs);
    assert_string_equal(words, expected);
}

static void a_proposal_that_somebody_could_have_stopped_is_a_bluff_R4_4_R4_6(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g", "place 10 T1; place 3 A1", "place 10 T1; place 4 A1");
    /* Nobody holds more than seat 1 on T1, nor anybody anything on R1; seat 2 holds more on A1. */
    host_give(host, 1, "do 1 step T1 b1 | do 2 pass | do 2 step R1 b5 | do 1 pass");
    host_give(host, 2, "do 1 step A1 d1 | do 2 pass"); /* this one works, */
    host_give(host, 3, "do 2 S assign; place 5 I1; done");
    host_give(host, 4,
              "do 1 step A1 c1 | do 2 object 1 | do 1 claim 3 | do 2 object 4 | do 1 yield"); /* and this fails, */
    host_give(host, 5,
              "do 1 step A1 e1 | do 2 object 1 | do 1 claim 1 | do 2 pass"); /* and works once it is disputed */
    host_give(host, 6, "draw 1 | draw 2");
    manners_are(host, 1, "T1=10 A1=3 2 of 3");
    manners_are(host, 2, "T1=10 A1=4 I1=5 0 of 0");
    gral_host_free(host);
}

static void a_proposal_that_nobody_has_decided_about_is_none(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=3 game=g", "", "place 5 T1", "");
    host_give(host, 1, "do 1 step T1 b1 | do 2 object 1 | do 3 pass");
    host_give(host, 2, "draw 1 | draw 2 | draw 3");
    manners_are(host, 1, "0 of 0");
    gral_host_free(host);
}

static void what_a_computer_player_does_for_somebody_is_not_his(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=3 game=g", "", "place 5 T1", "place 2 R1");
    host_give(host, 1, "do 1 step T1 b1 | do 2 pass | do 3 pass"); /* his own */
    host_give(host, 2, "do 2 S assign; place 1 A1; done | do 3 S assign; place 1 R1; done");
    host_give(host, 3, "replace 2 1 | replace 3 1");
    host_give(host, 4, "do 1 computer step T1 c1 | do 2 pass | do 3 pass");
    host_give(host, 5, "do 2 S assign; done | do 3 S assign; done");
    host_give(host, 6, "do 1 computer S assign; place 10 I1; done");
    host_give(host, 7, "do 2 S assign; done | do 3 S assign; done");
    host_give(host, 8, "back 1");
    host_give(host, 9, "do 1 step T1 c2 | do 2 pass | do 3 pass"); /* and again */
    host_give(host, 10, "draw 1 | draw 2 | draw 3");
    manners_are(host, 1, "2 of 2");
    manners_are(host, 3, "R1=3 0 of 0");
    gral_host_free(host);
}

static void a_game_by_the_rules_and_one_that_all_have_left_say_how_they_were_played(void **unused)
{
    (void)unused;
    gral_host *host = host_won("players=3" LIVE, 3);
    manners_are(host, 1, "T1=10 0 of 0");
    gral_host_free(host);
    host = host_opened("players=2" LIVE, "place 1 T1", "");
    host_give(host, 9, "resign 1 | resign 2");
    manners_are(host, 1, "T1=1 0 of 0");
    gral_host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whoever_wins_is_first_and_the_others_share_the_next_place),
        cmocka_unit_test(in_a_draw_all_share_the_first_place),
        cmocka_unit_test(whoever_leaves_is_behind_all_who_stayed_the_sooner_the_further),
        cmocka_unit_test(whoever_comes_back_has_not_left),
        cmocka_unit_test(the_last_to_resign_is_first),
        cmocka_unit_test(a_game_that_nobody_agreed_to_rate_does_not_count),
        cmocka_unit_test(a_game_left_before_everybody_had_a_turn_does_not_count),
        cmocka_unit_test(a_game_that_goes_on_or_never_began_or_was_forgotten_does_not_count),
        cmocka_unit_test(only_the_standard_game_with_a_clock_can_be_rated),
        cmocka_unit_test(terms_say_that_a_game_is_rated_and_nothing_if_it_is_not),
        cmocka_unit_test(classes_go_by_players_time_and_computers),
        cmocka_unit_test(winning_adds_what_losing_takes_and_both_are_better_known),
        cmocka_unit_test(beating_somebody_strong_is_worth_more),
        cmocka_unit_test(a_computer_player_stays_what_it_is_and_places_a_newcomer_at_once),
        cmocka_unit_test(every_level_is_stronger_than_the_one_below),
        cmocka_unit_test(whoever_does_not_play_is_known_less_and_less_but_never_less_than_a_stranger),
        cmocka_unit_test(people_see_round_numbers),
        cmocka_unit_test(a_proposal_that_somebody_could_have_stopped_is_a_bluff_R4_4_R4_6),
        cmocka_unit_test(a_proposal_that_nobody_has_decided_about_is_none),
        cmocka_unit_test(what_a_computer_player_does_for_somebody_is_not_his),
        cmocka_unit_test(a_game_by_the_rules_and_one_that_all_have_left_say_how_they_were_played),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
