/* People at a table: what they agree on, who is replaced or resigns, and what they say to each other. */
#include "hosting.h"

#include <stdlib.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests_name("host_people", tests, NULL, NULL);
}
