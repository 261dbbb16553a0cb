/* A hosted game: sitting down, and rounds in which nobody shows anything too early. */
#include "hosting.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* --- sitting down --- */

static void the_game_begins_when_the_last_seat_is_taken(void **unused)
{
    (void)unused;
    gral_host *host = host_of("players=3 game=g seat2=random");
    assert_int_equal(gral_host_stage(host), GRAL_GATHERING);
    host_refuse(host, 0, "do 1 S done", GRAL_HOST_NOT_BEGUN);
    host_refuse(host, 0, "sit 2 9", GRAL_HOST_COMPUTER);
    host_refuse(host, 0, "sit 4 9", GRAL_HOST_NO_SEAT);
    host_give(host, 0, "sit 1 7");
    host_refuse(host, 0, "sit 1 8", GRAL_HOST_TAKEN);
    host_refuse(host, 0, "sit 3 7", GRAL_HOST_SEATED);
    host_refuse(host, 0, "rise 3", GRAL_HOST_EMPTY);
    host_refuse(host, 0, "rise 2", GRAL_HOST_COMPUTER);
    host_give(host, 1, "rise 1 | sit 3 7 | sit 1 8");
    host_hears(host, 0, "sit 1 | rise 1 | sit 3 | sit 1 | begin");
    assert_int_equal(gral_host_stage(host), GRAL_PLAYING);
    assert_int_equal(gral_host_seat_at(host, 2).user, 7);
    host_refuse(host, 2, "rise 1", GRAL_HOST_BEGUN);
    gral_host_free(host);
}

static void a_table_of_computer_players_begins_at_once(void **unused)
{
    (void)unused;
    gral_host *host = host_of("players=2 game=g seat1=random seat2=random");
    host_hears(host, 0, "begin");
    assert_int_equal(gral_host_thinking(host), 3);
    gral_host_free(host);
}

static void a_table_can_be_given_up_before_the_game(void **unused)
{
    (void)unused;
    gral_host *host = host_of("players=2 game=g");
    host_give(host, 0, "sit 1 7 | close");
    host_hears(host, 1, "end closed");
    assert_int_equal(gral_host_end(host), GRAL_END_CLOSED);
    host_refuse(host, 0, "sit 2 8", GRAL_HOST_ENDED);
    gral_host_free(host);
}

static void a_game_that_is_given_up_is_abandoned_and_nobody_has_resigned(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g", "", "");
    host_give(host, 9, "close");
    host_hears(host, 0, "end abandoned");
    assert_int_equal(gral_host_end(host), GRAL_END_ABANDONED);
    assert_false(gral_host_seat_at(host, 0).resigned);
    gral_host_free(host);
}

static void who_has_sat_longest_fills_seats_with_computer_players(void **unused)
{
    (void)unused;
    gral_host *host = host_of("players=4 game=g");
    host_give(host, 0, "sit 2 7 | sit 1 8");
    assert_true(gral_host_seat_at(host, 1).first);
    assert_false(gral_host_seat_at(host, 0).first);
    host_refuse(host, 0, "fill 1 3 random", GRAL_HOST_NOT_FIRST);
    host_refuse(host, 0, "fill 3 4 random", GRAL_HOST_EMPTY);
    host_refuse(host, 0, "fill 2 5 random", GRAL_HOST_NO_SEAT);
    host_refuse(host, 0, "fill 2 1 random", GRAL_HOST_TAKEN);
    host_refuse(host, 0, "fill 2 2 random", GRAL_HOST_NO_SEAT);
    host_give(host, 0, "fill 2 3 random");
    assert_true(gral_host_seat_at(host, 2).computer);
    host_refuse(host, 0, "fill 2 3 greedy", GRAL_HOST_TAKEN);
    host_refuse(host, 0, "sit 3 9", GRAL_HOST_COMPUTER);
    host_give(host, 0, "dismiss 2 3 | fill 2 3 greedy | fill 2 4 random");
    host_hears(host, 0, "sit 3 | dismiss 2 3 | sit 3 | sit 4 | begin");
    assert_string_equal(gral_host_terms(host)->computer[2], "greedy");
    assert_int_equal(gral_host_thinking(host), 12);
    host_refuse(host, 1, "fill 2 3 random", GRAL_HOST_BEGUN);
    host_refuse(host, 1, "dismiss 2 1", GRAL_HOST_BEGUN);
    assert_false(gral_host_seat_at(host, 1).first); /* in the game all are alike */
    gral_host_free(host);
}

static void who_has_sat_longest_asks_others_to_leave_and_they_do_not_come_back(void **unused)
{
    (void)unused;
    gral_host *host = host_of("players=3 game=g talk=yes");
    host_give(host, 0, "sit 1 7 | sit 2 8 | talk 1 to=2: psst");
    host_refuse(host, 0, "dismiss 2 1", GRAL_HOST_NOT_FIRST);
    host_refuse(host, 0, "dismiss 1 3", GRAL_HOST_EMPTY);
    host_refuse(host, 0, "dismiss 1 1", GRAL_HOST_NO_SEAT);
    host_give(host, 0, "dismiss 1 2");
    host_hears(host, 2, "sit 2 | dismiss 1 2"); /* what was whispered there is gone */
    host_refuse(host, 0, "sit 2 8", GRAL_HOST_DISMISSED);
    host_refuse(host, 0, "sit 3 8", GRAL_HOST_DISMISSED);
    host_give(host, 0, "sit 2 9 | rise 1");
    assert_true(gral_host_seat_at(host, 1).first);
    gral_host_free(host);
}

/* --- what lengthens the story --- */

static unsigned excess(const gral_host *host, const char *words)
{
    const gral_input input = host_input(words);
    return gral_host_excess(host, &input);
}

static void nobody_sits_down_at_one_table_again_and_again(void **unused)
{
    (void)unused;
    gral_host *host = host_of("players=3 game=g");
    for (unsigned times = 0; times < 4; times++) {
        assert_int_equal(excess(host, "sit 1 7"), GRAL_LEGAL);
        host_give(host, 0, "sit 1 7 | rise 1");
    }
    assert_int_equal(excess(host, "sit 1 7"), GRAL_HOST_MUCH);
    assert_int_equal(excess(host, "sit 1 8"), GRAL_LEGAL);
    gral_host_free(host);
}

static void nobody_fills_and_frees_seats_again_and_again(void **unused)
{
    (void)unused;
    gral_host *host = host_of("players=3 game=g");
    host_give(host, 0, "sit 1 7");
    for (unsigned times = 0; times < 30; times++) {
        assert_int_equal(excess(host, "fill 1 2 random"), GRAL_LEGAL);
        host_give(host, 0, "fill 1 2 random | dismiss 1 2");
    }
    assert_int_equal(excess(host, "fill 1 2 random"), GRAL_HOST_MUCH);
    gral_host_free(host);
}

static void what_a_seat_does_beside_the_game_is_bounded_by_the_game(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g first=1", "", "");
    unsigned times = 0;
    for (; excess(host, "mute 1 2") == GRAL_LEGAL && times < 1000; times++)
        host_give(host, 1, "mute 1 2");
    assert_in_range(times, 60, 80);
    assert_int_equal(excess(host, "draw 1"), GRAL_HOST_MUCH);
    assert_int_equal(excess(host, "draw 2"), GRAL_LEGAL);
    assert_int_equal(excess(host, "do 1 step T1 b1"), GRAL_LEGAL);
    assert_int_equal(excess(host, "resign 1"), GRAL_LEGAL);
    host_give(host, 1, "do 1 step T1 b1 | do 2 pass");
    assert_int_equal(excess(host, "draw 1"), GRAL_LEGAL);
    gral_host_free(host);
}

/* --- rounds --- */

static void nobodys_opening_shows_before_the_last_is_in_R2_2(void **unused)
{
    (void)unused;
    gral_host *host = host_of("players=3 game=g");
    host_seat(host);
    host_give(host, 1, "do 3 S place 10 T1; done");
    host_hears(host, 0, "begin");
    host_hears(host, 3, "begin");
    assert_int_equal(gral_host_version(host), 0);
    assert_int_equal(gral_host_view(host, 2).sheet[2].influence[GRAL_T1], 10);
    assert_int_equal(gral_host_view(host, 2).known, 1u << 2);
    assert_int_equal(gral_host_view(host, 2).open.actor, gral_host_view(host, 0).open.actor);
    host_refuse(host, 2, "do 3 S done", GRAL_HOST_ANSWERED);
    assert_int_equal(gral_host_options(host, 2).verbs, 0);
    host_give(host, 3, "do 1 S done | do 2 S place 5 A1; done");
    host_hears(host, 0, "begin | 1: done | seal 1 1 | 2: done | seal 2 1 | 3: done | seal 3 1");
    host_hears(host, 2, "1: done | seal 1 1 | 2: place 5 A1 | 2: done | seal 2 1 | 3: done | seal 3 1");
    assert_int_equal(gral_host_version(host), 3);
    gral_host_free(host);
}

static void an_opening_is_one_piece_with_done_and_a_salt_R2_2(void **unused)
{
    (void)unused;
    gral_host *host = host_of("players=3 game=g");
    host_seat(host);
    host_refuse(host, 1, "do 2 S place 10 T1", GRAL_HOST_UNFINISHED);
    host_refuse(host, 1, "do 2 place 10 T1; done", GRAL_HOST_NO_SALT);
    host_refuse(host, 1, "do 2 S done; place 10 T1", GRAL_HOST_AFTER);
    host_refuse(host, 1, "do 2 S done; done", GRAL_HOST_AFTER);
    host_refuse(host, 1, "do 2 pass", GRAL_FAULT_NO_PROPOSAL);
    host_refuse(host, 1, "do 2 S place 10 T1; place 10 T1; place 10 T1; place 10 T1; place 10 T1; done",
                GRAL_FAULT_NO_UNIT);
    gral_host_free(host);
}

static void an_assignment_is_announced_alone_or_done_in_one_piece_R3_1(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g", "", "");
    host_refuse(host, 1, "do 2 S assign; done", GRAL_HOST_TURN);
    host_refuse(host, 1, "do 1 S assign; place 5 T1", GRAL_HOST_UNFINISHED);
    host_refuse(host, 1, "do 1 assign; done", GRAL_HOST_NO_SALT);
    host_refuse(host, 1, "do 1 step T1 a2; step T1 a1", GRAL_HOST_AFTER);
    host_give(host, 1, "do 1 assign");
    host_hears(host, 2, "1: assign");
    host_refuse(host, 1, "do 1 S place 5 T1", GRAL_HOST_UNFINISHED);
    host_give(host, 2, "do 1 S place 5 T1; done");
    host_hears(host, 2, "1: assign | 1: done | seal 1 2");
    host_hears(host, 1, "1: assign | 1: place 5 T1 | 1: done | seal 1 2");
    host_give(host, 3, "do 2 S assign; place 3 A1; place 3 A2; done");
    host_hears(host, 1, "2: assign | 2: done | seal 2 2");
    gral_host_free(host);
}

static void a_draft_shows_its_owner_what_will_be_and_changes_nothing_R3_1(void **unused)
{
    (void)unused;
    gral_host *host = host_of("players=3 game=g");
    host_seat(host);
    host_give(host, 0, "do 1 S place 10 A1; done"); /* hidden, as the round goes on */
    const gral_action draft[] = {gral_place(10, GRAL_T1), gral_place(5, GRAL_T1)};
    const gral_view before = gral_host_view(host, 2);
    gral_view view;
    gral_options options;
    host_refuse(host, 0, "do 3 S place 10 T1; place 5 T1", GRAL_HOST_UNFINISHED);
    gral_host_draft(host, 2, draft, 2, &view, &options);
    assert_int_equal(view.open.actor, 2);
    assert_int_equal(view.sheet[2].influence[GRAL_T1], 15);
    assert_int_equal(view.sheet[0].influence[GRAL_A1], 0);
    assert_int_equal(view.known, 1 << 2);
    assert_true(options.verbs >> GRAL_DONE & 1);
    const gral_view after = gral_host_view(host, 2);
    assert_memory_equal(&before, &after, sizeof before);

    host_give(host, 0, "do 2 S done | do 3 S done");
    const gral_action assign = gral_say(GRAL_ASSIGN);
    gral_host_draft(host, 0, &assign, 1, &view, &options);
    assert_int_equal(view.open.phase, GRAL_PLACING);
    assert_int_equal(gral_host_view(host, 0).open.phase, GRAL_TURN);
    gral_host_free(host);
}

static void answers_behind_an_objection_are_never_told_Q13(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=4 game=g", "place 10 T1", "", "place 5 T1", "place 4 T1");
    host_give(host, 1, "do 1 step T1 a2");
    host_give(host, 2, "do 4 object 4 | do 3 object 1");
    host_hears(host, 0, "1: step T1 a2");
    host_give(host, 3, "do 2 pass");
    for (unsigned seat = 0; seat <= 4; seat++)
        host_hears(host, seat, "1: step T1 a2 | 2: pass | 3: object 1");
    assert_int_equal(gral_host_view(host, 0).open.known[3][GRAL_T1], 0);
    host_refuse(host, 3, "do 4 object 4", GRAL_HOST_TURN);
    host_give(host, 4, "do 1 claim 3");
    host_refuse(host, 5, "do 4 object 3", GRAL_FAULT_OBJECTION_TOO_LOW);
    host_give(host, 5, "do 4 pass | do 2 pass | do 3 pass");
    host_hears(host, 4, "1: claim 3 | 2: pass | 3: pass | 4: pass");
    assert_int_equal(gral_host_view(host, 0).open.pawn[GRAL_T1], 5);
    gral_host_free(host);
}

static void the_round_says_how_many_are_asked_and_answered(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=3 game=g", "", "", "");
    gral_round round = gral_host_round(host);
    assert_int_equal(round.asked, 1);
    assert_false(round.hidden);
    host_give(host, 1, "do 1 step T1 a2 | do 3 pass");
    round = gral_host_round(host);
    assert_int_equal(round.asked, 2);
    assert_int_equal(round.answered, 1);
    assert_true(round.hidden);
    assert_int_equal(round.deadline, 0);
    gral_host_free(host);
}

static void a_repeated_ticket_is_not_done_again(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g talk=yes", "", "");
    host_give(host, 1, "do 1 #a step T1 a2 | do 2 #a pass");
    host_refuse(host, 1, "do 1 #a step T1 a2", GRAL_HOST_REPEATED);
    host_refuse(host, 1, "draw 2 #a", GRAL_HOST_REPEATED);
    for (unsigned newer = 1; newer < 32; newer++) { /* so many are remembered */
        char words[32];
        snprintf(words, sizeof words, "talk 1 #f%x: a", newer);
        host_give(host, 1, words);
    }
    host_refuse(host, 1, "talk 1 #a: a", GRAL_HOST_REPEATED);
    host_give(host, 1, "talk 1 #b: a | talk 1 #a: a");
    gral_host_free(host);
}

static void a_new_persons_tickets_are_his_own(void **unused)
{
    (void)unused;
    gral_host *host = host_of("players=2 game=g talk=yes");
    host_give(host, 0, "sit 1 #1 7");
    host_refuse(host, 0, "sit 1 #1 7", GRAL_HOST_REPEATED);
    host_give(host, 0, "talk 1 #2: a | rise 1 #3 | sit 1 #3 8 | talk 1 #2: b | sit 2 9 | draw 1 #4 | draw 2 #4");
    host_refuse(host, 0, "draw 2 #4", GRAL_HOST_REPEATED);
    host_refuse(host, 0, "draw 2 #5", GRAL_HOST_ENDED);
    gral_host_free(host);
}

static void what_is_tried_out_on_a_copy_changes_only_the_copy(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g talk=yes", "", "");
    host_give(host, 1, "talk 1 #1: a");
    gral_host *copy = gral_host_copy(host);
    host_give(copy, 2, "talk 2 #1: b | do 1 #2 step T1 a2 | do 2 #2 pass");
    host_refuse(copy, 2, "talk 1 #1: a", GRAL_HOST_REPEATED);
    assert_int_equal(gral_host_version(copy), gral_host_version(host) + 2);
    assert_int_equal(gral_host_happenings(copy, 0), gral_host_happenings(host, 0) + 3);
    const uint32_t version = gral_host_version(copy);
    gral_host_free(copy);
    host_give(host, 2, "talk 2 #1: b | do 1 #2 step T1 a2 | do 2 #2 pass");
    assert_int_equal(gral_host_version(host), version);
    gral_host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_game_begins_when_the_last_seat_is_taken),
        cmocka_unit_test(a_table_of_computer_players_begins_at_once),
        cmocka_unit_test(a_table_can_be_given_up_before_the_game),
        cmocka_unit_test(a_game_that_is_given_up_is_abandoned_and_nobody_has_resigned),
        cmocka_unit_test(who_has_sat_longest_fills_seats_with_computer_players),
        cmocka_unit_test(who_has_sat_longest_asks_others_to_leave_and_they_do_not_come_back),
        cmocka_unit_test(nobody_fills_and_frees_seats_again_and_again),
        cmocka_unit_test(nobody_sits_down_at_one_table_again_and_again),
        cmocka_unit_test(what_a_seat_does_beside_the_game_is_bounded_by_the_game),
        cmocka_unit_test(nobodys_opening_shows_before_the_last_is_in_R2_2),
        cmocka_unit_test(an_opening_is_one_piece_with_done_and_a_salt_R2_2),
        cmocka_unit_test(an_assignment_is_announced_alone_or_done_in_one_piece_R3_1),
        cmocka_unit_test(a_draft_shows_its_owner_what_will_be_and_changes_nothing_R3_1),
        cmocka_unit_test(answers_behind_an_objection_are_never_told_Q13),
        cmocka_unit_test(the_round_says_how_many_are_asked_and_answered),
        cmocka_unit_test(a_repeated_ticket_is_not_done_again),
        cmocka_unit_test(a_new_persons_tickets_are_his_own),
        cmocka_unit_test(what_is_tried_out_on_a_copy_changes_only_the_copy),
    };
    return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
