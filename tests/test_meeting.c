/* Who is put at a table with whom, and what is between people: parts of the server that can be asked alone. */
#include "server/pairing.h"
#include "server/ties.h"

#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { ANN = 1, BOB, CLEO, DAN, EVE, FAY, GUS, HAL, IDA };
enum { USUAL = 45000, MOMENT = 10000 };

/* --- the queue --- */

static bool may_meet(void *context, uint64_t one, uint64_t other)
{
    return !ties_keep_apart(context, one, other);
}

typedef struct room {
    ties *ties;
    pairing *pairing;
} room;

static room open_room(void)
{
    room room = {.ties = ties_open()};
    room.pairing = pairing_open(may_meet, room.ties);
    return room;
}

static void close_room(room *room)
{
    pairing_close(room->pairing);
    ties_close(room->ties);
}

static void join(const room *room, uint64_t person, enum pairing_size size, int64_t now)
{
    assert_true(pairing_join(room->pairing, &(pairing_wish){person, size, false, USUAL, person}, now));
}

static void assert_nobody_plays(const room *room, int64_t now)
{
    pairing_group group;
    assert_false(pairing_take(room->pairing, now, &group));
}

/* These people, in this order, and so many players. */
static void assert_play(const room *room, int64_t now, unsigned players, const char *people)
{
    pairing_group group;
    assert_true(pairing_take(room->pairing, now, &group));
    assert_int_equal(group.players, players);
    assert_int_equal(group.people, strlen(people));
    for (unsigned index = 0; index < group.people; index++)
        assert_int_equal(group.person[index], people[index] - '0');
}

static pairing_progress look(const room *room, unsigned place, int64_t now)
{
    uint64_t person;
    assert_nobody_plays(room, now);
    return pairing_look(room->pairing, place, now, &person);
}

/* Names cost little, and people who have all blocked each other never play with each other. */
static void nobody_fills_the_queue_from_one_place(void **state)
{
    (void)state;
    room room = open_room();
    enum { MANY = 400, FROM_ONE = 40 };
    unsigned waiting = 0;
    for (uint64_t one = 1; one <= MANY; one++)
        for (uint64_t other = one + 1; other <= MANY; other++)
            ties_block(room.ties, one, other);
    for (uint64_t one = 1; one <= MANY; one++)
        waiting += pairing_join(room.pairing, &(pairing_wish){one, PAIRING_ANY, false, USUAL, ANN}, 0);
    assert_int_equal(waiting, FROM_ONE);
    assert_nobody_plays(&room, 0);
    assert_true(pairing_join(room.pairing, &(pairing_wish){MANY + 1, PAIRING_TWO, false, USUAL, BOB}, 0));
    pairing_leave(room.pairing, 1);
    assert_true(pairing_join(room.pairing, &(pairing_wish){MANY, PAIRING_ANY, false, USUAL, ANN}, 0));
    close_room(&room);
}

static void a_game_begins_as_soon_as_there_are_enough_who_want_it(void **state)
{
    (void)state;
    room room = open_room();
    join(&room, ANN, PAIRING_THREE, 0);
    join(&room, BOB, PAIRING_THREE, 1);
    assert_nobody_plays(&room, 2);
    join(&room, CLEO, PAIRING_THREE, 3);
    assert_play(&room, 3, 3, "123");
    assert_int_equal(pairing_count(room.pairing), 0);
    close_room(&room);
}

static void whoever_has_waited_longest_plays_first(void **state)
{
    (void)state;
    room room = open_room();
    join(&room, ANN, PAIRING_FOUR, 0);
    join(&room, BOB, PAIRING_TWO, 1);
    join(&room, CLEO, PAIRING_FOUR, 2);
    join(&room, DAN, PAIRING_FOUR, 3);
    join(&room, EVE, PAIRING_ANY, 4); /* completes both; Ann has waited longer */
    assert_play(&room, 4, 4, "1345");
    assert_nobody_plays(&room, 4);
    join(&room, FAY, PAIRING_ANY, 5);
    assert_play(&room, 5, 2, "26");
    close_room(&room);
}

static void rated_and_unrated_do_not_mix(void **state)
{
    (void)state;
    room room = open_room();
    join(&room, ANN, PAIRING_TWO, 0);
    pairing_join(room.pairing, &(pairing_wish){BOB, PAIRING_TWO, true, USUAL, BOB}, 0);
    assert_nobody_plays(&room, 0);
    pairing_join(room.pairing, &(pairing_wish){CLEO, PAIRING_ANY, true, USUAL, CLEO}, 0);
    pairing_group group;
    assert_true(pairing_take(room.pairing, 0, &group));
    assert_true(group.rated);
    assert_int_equal(group.person[0], BOB);
    close_room(&room);
}

static void computers_come_when_patience_is_over_and_not_before(void **state)
{
    (void)state;
    room room = open_room();
    join(&room, ANN, PAIRING_FOUR, 1000);
    join(&room, BOB, PAIRING_FOUR, 2000);
    assert_int_equal(pairing_due(room.pairing), 1000 + USUAL);
    assert_nobody_plays(&room, 999 + USUAL);
    assert_play(&room, 1000 + USUAL, 4, "12");
    assert_int_equal(pairing_due(room.pairing), -1);
    join(&room, CLEO, PAIRING_ANY, 0);
    assert_play(&room, USUAL, 3, "3"); /* alone, with two of them */
    join(&room, DAN, PAIRING_MANY, 0);
    assert_play(&room, USUAL, 5, "4");
    close_room(&room);
}

static void many_wait_a_moment_for_more_once_there_are_five(void **state)
{
    (void)state;
    room room = open_room();
    for (uint64_t person = ANN; person <= EVE; person++)
        join(&room, person, PAIRING_MANY, (int64_t)person);
    assert_nobody_plays(&room, EVE);
    assert_int_equal(pairing_due(room.pairing), EVE + MOMENT);
    assert_int_equal(look(&room, 0, 1000).people, 5);
    assert_int_equal(look(&room, 0, 1000).left, EVE + MOMENT - 1000);
    join(&room, FAY, PAIRING_ANY, 5000); /* comes along, and nobody waits longer for it */
    assert_nobody_plays(&room, 5000);
    assert_int_equal(look(&room, 5, 5000).players, 6);
    join(&room, GUS, PAIRING_TWO, 6000); /* takes nobody away from them */
    assert_nobody_plays(&room, 6000);
    assert_play(&room, EVE + MOMENT, 6, "123456");
    assert_int_equal(pairing_count(room.pairing), 1);
    close_room(&room);
}

static void eight_are_enough_for_everybody(void **state)
{
    (void)state;
    room room = open_room();
    for (uint64_t person = ANN; person <= IDA; person++)
        join(&room, person, PAIRING_MANY, 0);
    assert_play(&room, 0, 8, "12345678");
    assert_nobody_plays(&room, 0);
    close_room(&room);
}

static void if_one_of_five_leaves_they_wait_again(void **state)
{
    (void)state;
    room room = open_room();
    for (uint64_t person = ANN; person <= EVE; person++)
        join(&room, person, PAIRING_MANY, 0);
    assert_nobody_plays(&room, 0);
    pairing_leave(room.pairing, BOB);
    assert_nobody_plays(&room, MOMENT);
    join(&room, FAY, PAIRING_MANY, 20000);
    assert_nobody_plays(&room, 20000);
    assert_play(&room, 20000 + MOMENT, 5, "13456");
    close_room(&room);
}

static void who_wants_people_only_never_meets_computers(void **state)
{
    (void)state;
    room room = open_room();
    pairing_join(room.pairing, &(pairing_wish){ANN, PAIRING_THREE, false, 0, ANN}, 0);
    assert_int_equal(pairing_due(room.pairing), -1);
    assert_int_equal(look(&room, 0, 0).left, -1);
    join(&room, BOB, PAIRING_THREE, 0);
    assert_nobody_plays(&room, USUAL - 1);
    assert_play(&room, USUAL, 3, "2");
    join(&room, CLEO, PAIRING_THREE, USUAL);
    join(&room, DAN, PAIRING_THREE, USUAL);
    assert_play(&room, USUAL, 3, "134");
    close_room(&room);
}

static void everybody_has_one_place_and_keeps_it_when_he_asks_again(void **state)
{
    (void)state;
    room room = open_room();
    join(&room, ANN, PAIRING_TWO, 0);
    join(&room, ANN, PAIRING_TWO, 1000);
    assert_int_equal(pairing_count(room.pairing), 1);
    assert_int_equal(pairing_due(room.pairing), USUAL);
    assert_nobody_plays(&room, 1000);
    join(&room, ANN, PAIRING_FOUR, 2000);
    assert_int_equal(pairing_count(room.pairing), 1);
    assert_int_equal(pairing_due(room.pairing), 2000 + USUAL);
    close_room(&room);
}

static void who_leaves_is_not_waited_for(void **state)
{
    (void)state;
    room room = open_room();
    join(&room, ANN, PAIRING_TWO, 0);
    assert_true(pairing_leave(room.pairing, ANN));
    assert_false(pairing_leave(room.pairing, ANN));
    join(&room, BOB, PAIRING_TWO, 0);
    assert_nobody_plays(&room, 0);
    assert_int_equal(look(&room, 0, 0).people, 1);
    close_room(&room);
}

static void those_who_have_blocked_each_other_are_never_put_together(void **state)
{
    (void)state;
    room room = open_room();
    ties_block(room.ties, BOB, ANN);
    join(&room, ANN, PAIRING_TWO, 0);
    join(&room, BOB, PAIRING_TWO, 0);
    assert_nobody_plays(&room, 0);
    for (unsigned place = 0; place < 2; place++) /* and neither is told that the other is there */
        assert_int_equal(look(&room, place, 0).people, 1);
    join(&room, CLEO, PAIRING_TWO, 1);
    assert_play(&room, 1, 2, "13");
    assert_play(&room, USUAL, 2, "2"); /* nor when computers come */
    close_room(&room);
}

static void a_third_brings_nobody_together_with_whom_he_has_blocked(void **state)
{
    (void)state;
    room room = open_room();
    ties_block(room.ties, ANN, CLEO);
    join(&room, ANN, PAIRING_THREE, 0);
    join(&room, BOB, PAIRING_THREE, 1);
    join(&room, CLEO, PAIRING_THREE, 2);
    assert_nobody_plays(&room, 3);
    join(&room, DAN, PAIRING_THREE, 4);
    assert_play(&room, 4, 3, "124");
    close_room(&room);
}

static void everybody_hears_how_far_it_has_come(void **state)
{
    (void)state;
    room room = open_room();
    join(&room, ANN, PAIRING_FOUR, 0);
    join(&room, BOB, PAIRING_FOUR, 10000);
    const pairing_progress ann = look(&room, 0, 15000), bob = look(&room, 1, 15000);
    assert_int_equal(ann.people, 2);
    assert_int_equal(ann.players, 4);
    assert_int_equal(ann.left, 30000);
    assert_int_equal(bob.people, 2);
    assert_int_equal(bob.left, 40000);
    join(&room, CLEO, PAIRING_ANY, 15000);
    join(&room, DAN, PAIRING_ANY, 15000);
    pairing_leave(room.pairing, CLEO);
    const pairing_progress dan = look(&room, 2, 15000); /* one is missing for two, and one for four */
    assert_int_equal(dan.people, 3);
    assert_int_equal(dan.players, 4);
    close_room(&room);
}

/* --- what is between people --- */

static void friends_are_those_who_both_want_it(void **state)
{
    (void)state;
    ties *ties = ties_open();
    ties_set(ties, ANN, BOB, TIE_WANTS);
    assert_false(ties_are_friends(ties, ANN, BOB));
    assert_int_equal(ties_unanswered(ties, BOB), 1);
    ties_set(ties, BOB, ANN, TIE_WANTS);
    assert_true(ties_are_friends(ties, ANN, BOB));
    assert_true(ties_are_friends(ties, BOB, ANN));
    assert_int_equal(ties_unanswered(ties, BOB), 0);
    ties_loosen(ties, BOB, ANN);
    assert_int_equal(ties_get(ties, ANN, BOB), TIE_NONE);
    assert_int_equal(ties_get(ties, BOB, ANN), TIE_NONE);
    ties_close(ties);
}

static void a_block_ends_a_friendship_and_keeps_both_apart(void **state)
{
    (void)state;
    ties *ties = ties_open();
    ties_set(ties, ANN, BOB, TIE_WANTS);
    ties_set(ties, BOB, ANN, TIE_WANTS);
    ties_block(ties, ANN, BOB);
    assert_false(ties_are_friends(ties, ANN, BOB));
    assert_true(ties_keep_apart(ties, ANN, BOB));
    assert_true(ties_keep_apart(ties, BOB, ANN));
    assert_true(ties_has_blocks(ties, BOB));
    assert_int_equal(ties_get(ties, BOB, ANN), TIE_NONE);
    ties_set(ties, BOB, ANN, TIE_WANTS); /* he does not know, and asks again */
    assert_int_equal(ties_unanswered(ties, ANN), 0);
    ties_loosen(ties, BOB, ANN);
    assert_true(ties_keep_apart(ties, ANN, BOB));
    ties_set(ties, ANN, BOB, TIE_NONE);
    assert_false(ties_keep_apart(ties, ANN, BOB));
    ties_close(ties);
}

static void one_is_seen_by_friends_unless_he_wants_something_else(void **state)
{
    (void)state;
    ties *ties = ties_open();
    ties_set(ties, ANN, BOB, TIE_WANTS);
    ties_set(ties, BOB, ANN, TIE_WANTS);
    assert_true(ties_sees(ties, BOB, ANN));
    assert_false(ties_sees(ties, CLEO, ANN));
    assert_false(ties_sees(ties, 0, ANN));
    ties_set_seen(ties, ANN, SEEN_BY_NOBODY);
    assert_false(ties_sees(ties, BOB, ANN));
    ties_set_seen(ties, ANN, SEEN_BY_ALL);
    assert_true(ties_sees(ties, 0, ANN));
    assert_true(ties_sees(ties, CLEO, ANN));
    ties_block(ties, ANN, CLEO); /* what every stranger sees, she would miss: it would tell her of the block */
    assert_true(ties_sees(ties, CLEO, ANN));
    ties_set_seen(ties, CLEO, SEEN_BY_ALL);
    assert_false(ties_sees(ties, ANN, CLEO));
    ties_close(ties);
}

static void of_who_is_gone_nothing_stays(void **state)
{
    (void)state;
    ties *ties = ties_open();
    unsigned count;
    for (uint64_t other = BOB; other < BOB + 100; other++) {
        ties_set(ties, ANN, other, other % 2 == 0 ? TIE_WANTS : TIE_BLOCKS);
        ties_set(ties, other, ANN, TIE_WANTS);
    }
    ties_set_seen(ties, ANN, SEEN_BY_ALL);
    ties_forget(ties, ANN);
    assert_int_equal(ties_seen(ties, ANN), SEEN_BY_FRIENDS);
    for (uint64_t other = ANN; other < BOB + 100; other++) {
        ties_of(ties, other, &count);
        assert_int_equal(count, 0);
    }
    ties_forget(ties, ANN); /* nor of somebody who never had anything */
    ties_close(ties);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_fills_the_queue_from_one_place),
        cmocka_unit_test(a_game_begins_as_soon_as_there_are_enough_who_want_it),
        cmocka_unit_test(whoever_has_waited_longest_plays_first),
        cmocka_unit_test(rated_and_unrated_do_not_mix),
        cmocka_unit_test(computers_come_when_patience_is_over_and_not_before),
        cmocka_unit_test(many_wait_a_moment_for_more_once_there_are_five),
        cmocka_unit_test(eight_are_enough_for_everybody),
        cmocka_unit_test(if_one_of_five_leaves_they_wait_again),
        cmocka_unit_test(who_wants_people_only_never_meets_computers),
        cmocka_unit_test(everybody_has_one_place_and_keeps_it_when_he_asks_again),
        cmocka_unit_test(who_leaves_is_not_waited_for),
        cmocka_unit_test(those_who_have_blocked_each_other_are_never_put_together),
        cmocka_unit_test(a_third_brings_nobody_together_with_whom_he_has_blocked),
        cmocka_unit_test(everybody_hears_how_far_it_has_come),
        cmocka_unit_test(friends_are_those_who_both_want_it),
        cmocka_unit_test(a_block_ends_a_friendship_and_keeps_both_apart),
        cmocka_unit_test(one_is_seen_by_friends_unless_he_wants_something_else),
        cmocka_unit_test(of_who_is_gone_nothing_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
