/* The host: who sits where, rounds in which all answer at once, agreements, talk, seals, computer players. */
#include "hosting.h"

#include "fair/blake2b.h"
#include "fair/ed25519.h"

#include <stdio.h>
#include <string.h>

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

/* --- agreements --- */

static void a_draw_needs_all_persons(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=4 game=g seat4=random", "", "", "", "");
    host_refuse(host, 1, "nodraw 1", GRAL_HOST_NO_DRAW);
    host_refuse(host, 1, "draw 4", GRAL_HOST_COMPUTER);
    host_give(host, 1, "draw 1 | draw 2 | nodraw 3");
    assert_false(gral_host_seat_at(host, 0).draw);
    host_give(host, 1, "draw 3 | draw 1");
    assert_int_equal(gral_host_stage(host), GRAL_PLAYING);
    host_give(host, 1, "draw 2");
    host_hears(host, 0, "draw 1 | draw 2 | nodraw 3 | draw 3 | draw 1 | draw 2 | end agreed");
    assert_int_equal(gral_host_end(host), GRAL_END_AGREED);
    const gral_view view = gral_host_view(host, GRAL_SPECTATOR);
    assert_int_equal(view.known, 15);
    assert_int_equal(view.open.phase, GRAL_OVER);
    assert_int_equal(gral_host_round(host).asked, 0);
    host_refuse(host, 1, "do 1 step T1 a2", GRAL_HOST_ENDED);
    gral_host_free(host);
}

static void an_offered_draw_lapses_after_a_round_of_turns(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g", "", "");
    host_give(host, 1, "draw 1 | do 1 S assign; done");
    assert_true(gral_host_seat_at(host, 0).draw);
    host_give(host, 1, "do 2 S assign; done");
    assert_false(gral_host_seat_at(host, 0).draw);
    gral_host_free(host);
}

static void most_of_the_others_can_replace_somebody(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=5 game=g seat5=random", "", "", "", "", "");
    host_refuse(host, 1, "replace 1 1", GRAL_HOST_NO_SEAT);
    host_refuse(host, 1, "replace 1 5", GRAL_HOST_COMPUTER);
    host_give(host, 1, "do 1 step T1 a2 | replace 1 4");
    assert_int_equal(gral_host_seat_at(host, 0).replace, 8);
    assert_false(gral_host_seat_at(host, 3).computer);
    host_give(host, 1, "replace 3 4");
    host_hears(host, 4, "replace 1 4 | replace 3 4 | handed 4");
    assert_int_equal(gral_host_seat_at(host, 0).replace, 0);
    host_give(host, 1, "back 4");
    assert_false(gral_host_seat_at(host, 3).computer);
    gral_host_free(host);
}

static void nobody_is_replaced_while_nobody_waits_for_him(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=4 game=g", "", "", "", "");
    host_refuse(host, 1, "replace 1 2", GRAL_HOST_NOT_ASKED);
    host_give(host, 1, "replace 2 1 | do 1 step T1 a2");
    host_refuse(host, 1, "replace 2 1", GRAL_HOST_NOT_ASKED);
    host_give(host, 1, "replace 1 2 | do 2 pass");
    assert_int_equal(gral_host_seat_at(host, 0).replace, 2); /* that he has answered is known to nobody */
    host_give(host, 1, "replace 1 2");
    assert_false(gral_host_seat_at(host, 1).computer);
    gral_host_free(host);
}

static void votes_to_replace_somebody_fall_when_he_acts(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=4 game=g", "", "", "", "");
    host_give(host, 1, "replace 2 1 | do 1 assign");
    assert_int_equal(gral_host_seat_at(host, 1).replace, 0);
    host_give(host, 1, "replace 2 1 | do 1 S done");
    assert_int_equal(gral_host_seat_at(host, 1).replace, 0);
    host_give(host, 1, "do 2 step T1 a2 | replace 2 1 | do 1 pass | do 3 pass | do 4 pass");
    assert_int_equal(gral_host_seat_at(host, 1).replace, 0);
    host_give(host, 1, "do 3 step T1 a1 | replace 3 1");
    assert_false(gral_host_seat_at(host, 0).computer); /* the vote of an earlier round does not count */
    host_give(host, 1, "replace 2 1");
    assert_true(gral_host_seat_at(host, 0).computer);
    gral_host_free(host);
}

static void who_was_replaced_must_be_back_and_agree_to_a_draw(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=3 game=g seat3=random", "", "", "");
    host_give(host, 1, "replace 2 1 | draw 2");
    assert_true(gral_host_seat_at(host, 0).computer);
    assert_int_equal(gral_host_stage(host), GRAL_PLAYING);
    host_refuse(host, 1, "draw 1", GRAL_HOST_COMPUTER);
    host_give(host, 1, "back 1");
    assert_int_equal(gral_host_stage(host), GRAL_PLAYING);
    host_give(host, 1, "draw 1");
    assert_int_equal(gral_host_end(host), GRAL_END_AGREED);
    gral_host_free(host);
}

static void who_has_resigned_does_not_stand_in_the_way_of_a_draw(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=3 game=g", "", "", "");
    host_give(host, 1, "resign 3 | draw 1 | draw 2");
    assert_int_equal(gral_host_end(host), GRAL_END_AGREED);
    gral_host_free(host);
}

static void who_has_resigned_does_not_come_back(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g", "", "");
    host_give(host, 1, "resign 1");
    host_hears(host, 2, "handed 1");
    assert_true(gral_host_seat_at(host, 0).resigned);
    host_refuse(host, 1, "back 1", GRAL_HOST_COMPUTER);
    host_refuse(host, 1, "resign 1", GRAL_HOST_COMPUTER);
    host_give(host, 1, "do 1 computer step T1 a2");
    assert_int_equal(gral_host_stage(host), GRAL_PLAYING);
    gral_host_free(host);
}

static void when_the_last_person_resigns_the_game_is_over(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=4 game=g seat3=random", "place 10 T1", "", "", "");
    host_give(host, 1, "do 1 step T1 a2 | resign 1 | replace 2 4 | resign 2"); /* who was replaced may come back */
    assert_true(gral_host_seat_at(host, 3).computer);
    assert_int_equal(gral_host_stage(host), GRAL_PLAYING);
    host_give(host, 1, "resign 4");
    host_hears(host, 0, "handed 4 | handed 2 | end abandoned");
    assert_int_equal(gral_host_end(host), GRAL_END_ABANDONED);
    const gral_view view = gral_host_view(host, GRAL_SPECTATOR);
    assert_int_equal(view.known, 15);
    assert_int_equal(view.sheet[0].influence[GRAL_T1], 10);
    assert_int_equal(gral_host_thinking(host), 0);
    host_refuse(host, 1, "do 1 computer step T1 a2", GRAL_HOST_ENDED);
    gral_host_free(host);
}

/* --- talk --- */

static void talk_is_heard_by_those_it_is_meant_for(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=4 game=g talk=yes seat4=random", "", "", "", "");
    const size_t before = gral_host_happenings(host, 2);
    host_give(host, 7, "talk 1 to=2,4: psst");
    assert_int_equal(gral_host_happenings(host, 2), before);
    host_hears(host, 1, "talk 1 to some: psst");
    host_hears(host, 2, "talk 1 to some: psst");
    host_hears(host, 0, "3: done | seal 3 1 | 4: done | seal 4 1");
    host_give(host, 7, "talk 3 to=2: hm");
    host_hears(host, 1, "talk 1 to some: psst");
    host_give(host, 8, "talk 1: grüß Gott | offer 2 hold 10 T1 | offer 4 computer to=1 stop 3");
    host_hears(host, 0, "talk 1: grüß Gott | offer 2: hold 10 T1");
    host_hears(host, 1, "offer 2: hold 10 T1 | offer 4 to some: stop 3");
    assert_int_equal(gral_host_happening(host, 1, gral_host_happenings(host, 1) - 1).time, 8);
    host_refuse(host, 9, "talk 1 to=1: me", GRAL_HOST_TALK_EMPTY);
    host_refuse(host, 9, "talk 1 to=7: who", GRAL_HOST_NO_SEAT);
    host_refuse(host, 9, "talk 4: beep", GRAL_HOST_COMPUTER);
    host_refuse(host, 9, "offer 4 agree", GRAL_HOST_COMPUTER);
    host_refuse(host, 9, "offer 1 computer agree", GRAL_HOST_PERSON);
    host_refuse(host, 9, "offer 1 stop 9", GRAL_HOST_NO_SEAT);
    gral_host_free(host);
}

static void who_is_muted_is_not_heard_from_then_on(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=3 game=g talk=yes", "", "", "");
    host_give(host, 1, "talk 1: a | mute 2 1 | talk 1: b | talk 1 to=2: c | unmute 2 1 | talk 1: d");
    host_hears(host, 2, "talk 1: a | talk 1: d");
    host_hears(host, 3, "talk 1: a | talk 1: b | talk 1: d");
    host_hears(host, 1, "talk 1: a | talk 1: b | talk 1 to some: c | talk 1: d");
    host_refuse(host, 1, "mute 2 2", GRAL_HOST_NO_SEAT);
    gral_host_free(host);
}

static void where_talk_is_off_nobody_talks(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=2 game=g", "", "");
    host_refuse(host, 1, "talk 1: a", GRAL_HOST_TALK_OFF);
    host_refuse(host, 1, "offer 1 agree", GRAL_HOST_TALK_OFF);
    gral_host_free(host);
}

static void nobody_says_more_than_300_things(void **unused)
{
    (void)unused;
    gral_host *host = host_of("players=2 game=g talk=yes");
    host_give(host, 0, "sit 1 7");
    for (unsigned said = 0; said < GRAL_SAYINGS_MAX / 2; said++)
        host_give(host, 0, "talk 1: and | offer 1 agree");
    host_refuse(host, 0, "talk 1: but", GRAL_HOST_TALK_MUCH);
    host_refuse(host, 0, "offer 1 agree", GRAL_HOST_TALK_MUCH);
    host_give(host, 0, "rise 1 | sit 1 7 | sit 2 8");
    host_refuse(host, 0, "talk 1: but", GRAL_HOST_TALK_MUCH);
    host_give(host, 0, "talk 2: at last");
    gral_host_free(host);
}

static void happenings_are_the_same_one_by_one_and_in_a_row(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=3 game=g talk=yes", "place 10 T1", "place 5 A1", "");
    host_give(host, 1, "talk 1 to=2: a | talk 1: b | talk 2 to=3: c | do 1 step T1 a2 | talk 3: d | talk 1 to=2: e");
    for (unsigned eyes = 0; eyes <= 3; eyes++) {
        const unsigned viewer = eyes < 3 ? eyes : GRAL_SPECTATOR;
        const size_t count = gral_host_happenings(host, viewer);
        for (size_t from = 0; from <= count + 1; from++) {
            gral_hearing hearing = gral_host_hearing(host, viewer, from);
            size_t index = from;
            for (gral_happening happening; gral_host_hear(&hearing, &happening); index++) {
                const gral_happening same = gral_host_happening(host, viewer, index);
                assert_int_equal(happening.kind, same.kind);
                assert_int_equal(happening.seat, same.seat);
                assert_int_equal(happening.action.verb, same.action.verb);
                assert_ptr_equal(happening.words.bytes, same.words.bytes);
            }
            assert_int_equal(index, from > count ? from : count);
        }
    }
    gral_host_free(host);
}

static void people_talk_before_and_after_the_game_too(void **unused)
{
    (void)unused;
    gral_host *host = host_of("players=2 game=g talk=yes");
    host_refuse(host, 0, "talk 1: hello", GRAL_HOST_EMPTY);
    host_give(host, 0, "sit 1 7 | talk 1: hello");
    host_refuse(host, 0, "talk 1 to=2: hello", GRAL_HOST_TALK_EMPTY);
    host_give(host, 0, "sit 2 8");
    host_hears(host, 2, "sit 1 | talk 1: hello | sit 2 | begin");
    host_give(host, 0, "draw 1 | draw 2 | talk 2: thank you");
    host_hears(host, 1, "end agreed | talk 2: thank you");
    gral_host_free(host);
}

static void who_takes_a_seat_does_not_hear_what_was_whispered_there(void **unused)
{
    (void)unused;
    gral_host *host = host_of("players=3 game=g talk=yes");
    host_give(host, 0, "sit 1 7 | sit 2 8 | talk 1 to=2: psst | talk 2 to=1: what?");
    host_give(host, 0, "rise 2 | sit 2 9");
    host_hears(host, 2, "sit 1 | sit 2 | rise 2 | sit 2");
    host_hears(host, 1, "talk 1 to some: psst | talk 2 to some: what? | rise 2 | sit 2");
    gral_host_free(host);
}

/* --- seals and records --- */

static char *record_of(const gral_host *host)
{
    static char words[1 << 16];
    gral_text text = gral_text_in(words, sizeof words);
    gral_host_record(host, (const char *[]){"Anna \"A\"", "Ben", "Cleo"}, "2026-11-15", &text);
    assert_true(text.length < text.capacity);
    return words;
}

static const char small_terms[] = "players=2 game=small-1 board=3x1 pawns=T1,A1 units=2,1 grail=b1";

static gral_host *small_game(void)
{
    gral_host *host = host_opened(small_terms, "place 2 T1", "");
    host_give(host, 1, "do 1 S assign; place 1 A1; done | do 2 S assign; done | do 1 step T1 b1");
    return host;
}

static void while_the_game_goes_on_the_record_is_public_R10_1_R10_2(void **unused)
{
    (void)unused;
    gral_host *host = small_game();
    const char *record = record_of(host);
    assert_non_null(strstr(record,
                           "[Game \"small-1\"]\n[Terms \"clock=none time=0 increment=0 answer=0 opening=0 pace=0 "
                           "listed=no notepad=no talk=no\"]\n[Date \"2026-11-15\"]\n[Player1 \"Anna \\\"A\\\"\"]\n"
                           "[Player1Type \"human\"]\n[Player2 \"Ben\"]\n"));
    assert_non_null(strstr(record, "[View \"public\"]\n"));
    assert_non_null(strstr(record, "[Seal1_2 \""));
    assert_null(strstr(record, "[Salt"));
    assert_null(strstr(record, "place"));
    assert_non_null(strstr(record, "[Result \"-\"]\n\n1: done\n2: done\n1: assign\n1: done\n2: assign\n2: done\n"
                                   "1: step T1 b1\n"));
    gral_record parsed;
    gral_error error;
    assert_false(gral_record_parse(gral_span_of(record), &parsed, &error));
    assert_string_equal(error.message,
                        "this record shows only what everybody may know; it can be replayed once the game is over");
    gral_host_free(host);
}

static void audit(const gral_host *host, unsigned seals)
{
    const char *record = record_of(host);
    static char checked[1 << 17];
    gral_text text = gral_text_in(checked, sizeof checked);
    gral_checks_add(&text, gral_span_of(record), fair_blake2b);
    gral_audit audit;
    gral_error error;
    if (!gral_audit_record(gral_span_of(checked), fair_blake2b, fair_ed25519, &audit, &error))
        fail_msg("line %u: %s", error.line, error.message);
    assert_true(audit.checks);
    assert_int_equal(audit.seals, seals);
    gral_record_free(&audit.record);
}

static void the_record_of_an_ended_game_passes_its_audit_R10_4(void **unused)
{
    (void)unused;
    gral_host *host = small_game();
    host_give(host, 2, "do 2 pass | do 1 keep | do 2 S assign; done | do 1 step T1 a1 | do 2 pass | do 1 keep");
    host_hears(host, 0, "2: pass | 1: keep | end game");
    assert_int_equal(gral_host_end(host), GRAL_END_GAME);
    assert_int_equal(gral_host_view(host, 1).open.winner, 0);
    assert_null(strstr(record_of(host), "[View"));
    assert_non_null(strstr(record_of(host), "[Result \"win 1 with T1\"]"));
    audit(host, 5);
    gral_host_free(host);
}

static void the_record_of_an_agreed_draw_passes_its_audit_R10_4(void **unused)
{
    (void)unused;
    gral_host *host = small_game();
    host_give(host, 2, "draw 1 | draw 2");
    assert_non_null(strstr(record_of(host), "[Termination \"agreed\"]"));
    audit(host, 4);
    gral_host_free(host);

    host = host_opened(small_terms, "place 2 T1", "");
    host_give(host, 1, "do 1 assign | draw 1 | draw 2"); /* in the middle of an assignment */
    audit(host, 2);
    gral_host_free(host);

    host = host_of(small_terms);
    host_seat(host);
    host_give(host, 1, "do 1 S place 2 T1; done | draw 1 | draw 2"); /* and of the opening: nothing was turned over */
    assert_null(strstr(record_of(host), "place"));
    assert_int_equal(gral_host_view(host, 1).sheet[0].influence[GRAL_T1], 0);
    audit(host, 0);
    gral_host_free(host);
}

static void the_record_of_an_abandoned_game_passes_its_audit_R10_4(void **unused)
{
    (void)unused;
    gral_host *host = small_game();
    host_give(host, 2, "do 2 pass | resign 1 | resign 2");
    assert_non_null(strstr(record_of(host), "[Termination \"abandoned\"]"));
    assert_non_null(strstr(record_of(host), "place 2 T1"));
    audit(host, 4);
    gral_host_free(host);
}

/* --- computer players --- */

static void computer_players_finish_a_game_with_what_their_tasks_say(void **unused)
{
    (void)unused;
    gral_host *host = host_of(
        "players=3 game=g limit=60 seed=9 talk=yes seat1=greedy seat2=thinker:20sims seat3=random");
    gral_error error;
    unsigned decisions = 0;
    for (int64_t time = 0; gral_host_stage(host) == GRAL_PLAYING; time++) {
        unsigned seat = 0;
        while (!(gral_host_thinking(host) >> seat & 1))
            seat++;
        gral_task task;
        assert_true(gral_host_task(host, seat, &task));
        gral_player *player = gral_player_make(gral_span_of(task.player), &error);
        gral_input input = {
            .kind = GRAL_INPUT_DO, .seat = (uint8_t)seat, .computer = true, .salted = true, .salt = {{1}}};
        bool offers;
        input.action_count = (uint8_t)gral_task_think(&task, player, NULL, input.action, &input.offer, &offers);
        assert_int_equal(gral_host_check(host, &input, time), GRAL_LEGAL);
        assert_int_equal(gral_host_apply(host, &input, time), GRAL_LEGAL);
        if (offers) {
            input.kind = GRAL_INPUT_OFFER;
            assert_int_equal(gral_host_check(host, &input, time), GRAL_LEGAL);
            assert_int_equal(gral_host_apply(host, &input, time), GRAL_LEGAL);
        }
        decisions++;
        gral_player_free(player);
        gral_task_free(&task);
    }
    assert_true(decisions > 20);
    gral_host_free(host);
}

static void a_task_holds_what_the_seat_has_heard_and_nothing_else_R10_2(void **unused)
{
    (void)unused;
    gral_host *host = host_opened("players=3 game=g talk=yes seat3=random", "place 10 T1", "place 5 T1", "place 4 A1");
    host_give(host, 1, "offer 1 to=3 pass T1 | offer 2 to=1 pass A1 | offer 2 agree | do 1 step T1 a2 | do 2 object 1");
    gral_task task;
    assert_true(gral_host_task(host, 2, &task));
    assert_int_equal(task.heard_count, 5); /* the step, three times done, its own unit */
    assert_int_equal(task.offer_count, 2);
    assert_int_equal(task.offers[0].from, 0);
    assert_int_equal(task.offers[0].to, 1u << 2);
    assert_int_equal(task.offers[1].offer.kind, GRAL_OFFER_AGREE);
    assert_int_equal(task.offers[1].turn, 1);
    assert_int_equal(task.view.known, 1u << 2);
    assert_int_equal(task.version, gral_host_version(host));
    gral_task_free(&task);
    gral_host_free(host);
}

/* A player that answers as no player may. */
static gral_action cheat(gral_player *player, const gral_question *question, gral_clock *clock)
{
    (void)player, (void)question, (void)clock;
    return gral_claim(99);
}

static void keep_it(gral_player *player)
{
    (void)player;
}

static void an_illegal_decision_becomes_the_safest_one(void **unused)
{
    (void)unused;
    static const gral_player_kind kind = {.name = "cheat", .decide = cheat, .free = keep_it};
    gral_player player = {&kind};
    gral_host *host = host_opened("players=2 game=g seat2=random", "", "");
    gral_action action[GRAL_ACTIONS_MAX];
    gral_offer offer;
    bool offers;
    gral_task task;
    host_give(host, 1, "do 1 S assign; done");
    assert_true(gral_host_task(host, 1, &task));
    assert_int_equal(gral_task_think(&task, &player, NULL, action, &offer, &offers), 2);
    assert_int_equal(action[0].verb, GRAL_ASSIGN);
    assert_int_equal(action[1].verb, GRAL_DONE);
    gral_task_free(&task);
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
        cmocka_unit_test(a_draw_needs_all_persons),
        cmocka_unit_test(an_offered_draw_lapses_after_a_round_of_turns),
        cmocka_unit_test(most_of_the_others_can_replace_somebody),
        cmocka_unit_test(nobody_is_replaced_while_nobody_waits_for_him),
        cmocka_unit_test(votes_to_replace_somebody_fall_when_he_acts),
        cmocka_unit_test(who_was_replaced_must_be_back_and_agree_to_a_draw),
        cmocka_unit_test(who_has_resigned_does_not_stand_in_the_way_of_a_draw),
        cmocka_unit_test(who_has_resigned_does_not_come_back),
        cmocka_unit_test(when_the_last_person_resigns_the_game_is_over),
        cmocka_unit_test(talk_is_heard_by_those_it_is_meant_for),
        cmocka_unit_test(who_is_muted_is_not_heard_from_then_on),
        cmocka_unit_test(where_talk_is_off_nobody_talks),
        cmocka_unit_test(nobody_says_more_than_300_things),
        cmocka_unit_test(happenings_are_the_same_one_by_one_and_in_a_row),
        cmocka_unit_test(people_talk_before_and_after_the_game_too),
        cmocka_unit_test(who_takes_a_seat_does_not_hear_what_was_whispered_there),
        cmocka_unit_test(while_the_game_goes_on_the_record_is_public_R10_1_R10_2),
        cmocka_unit_test(the_record_of_an_ended_game_passes_its_audit_R10_4),
        cmocka_unit_test(the_record_of_an_agreed_draw_passes_its_audit_R10_4),
        cmocka_unit_test(the_record_of_an_abandoned_game_passes_its_audit_R10_4),
        cmocka_unit_test(computer_players_finish_a_game_with_what_their_tasks_say),
        cmocka_unit_test(a_task_holds_what_the_seat_has_heard_and_nothing_else_R10_2),
        cmocka_unit_test(an_illegal_decision_becomes_the_safest_one),
    };
    return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
