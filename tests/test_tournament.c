/* Who meets whom in a tournament, and how they stand: parts of the server that can be asked alone. */
#include "server/matching.h"
#include "server/tournament.h"

#include "gral/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { HOUR = 3600000, FIRST = 100 /* the number of the first person; the others follow */ };

/* --- the language of these tests --- */

static tournament make(enum tournament_system system, unsigned people, unsigned rounds)
{
    tournament tournament;
    char words[TOURNAMENT_TEXT_MAX];
    gral_text text = gral_text_in(words, sizeof words);
    tournament_print(&text, &(tournament_terms){.system = system,
                                                .rounds = rounds,
                                                .people = people,
                                                .round = HOUR,
                                                .maker = FIRST,
                                                .seed = 7 + people,
                                                .title = "A cup"});
    assert_true(tournament_make(&tournament, gral_span_of(words), 1));
    return tournament;
}

static bool happens(tournament *tournament, const char *words, int64_t time)
{
    return tournament_apply(tournament, gral_span_of(words), time);
}

static void must(tournament *tournament, const char *words)
{
    assert_true(happens(tournament, words, 1));
}

static void leaves(tournament *tournament, unsigned person)
{
    char words[40];
    gral_text text = gral_text_in(words, sizeof words);
    tournament_print_person(&text, false, FIRST + person);
    must(tournament, words);
}

static tournament with_people(enum tournament_system system, unsigned people, unsigned rounds)
{
    tournament tournament = make(system, people, rounds);
    for (unsigned person = 0; person < people; person++) {
        char words[40];
        gral_text text = gral_text_in(words, sizeof words);
        tournament_print_person(&text, true, FIRST + person);
        must(&tournament, words);
    }
    return tournament;
}

typedef struct blocks {
    unsigned count;
    uint64_t one[8], other[8];
} blocks;

static bool may_meet(void *context, uint64_t one, uint64_t other)
{
    const blocks *blocks = context;
    for (unsigned at = 0; blocks != NULL && at < blocks->count; at++)
        if ((blocks->one[at] == one && blocks->other[at] == other) ||
            (blocks->one[at] == other && blocks->other[at] == one))
            return false;
    return true;
}

static const tournament_round *begin_round(tournament *tournament, blocks *blocks)
{
    char words[TOURNAMENT_TEXT_MAX];
    gral_text text = gral_text_in(words, sizeof words);
    tournament_pair(tournament, may_meet, blocks, &text);
    assert_true(text.length < sizeof words);
    must(tournament, words);
    return tournament_now(tournament);
}

static void wins(tournament *tournament, unsigned table, unsigned first)
{
    char words[80];
    gral_text text = gral_text_in(words, sizeof words);
    tournament_print_result(&text, tournament, table, first);
    must(tournament, words);
}

/* All tables of the round: by chance, or the stronger person (with the lower number) wins. */
static void play_round(tournament *tournament, gral_random *random)
{
    const tournament_round *round = tournament_now(tournament);
    for (unsigned table = 0; table < round->count; table++) {
        const tournament_table *at = &round->table[table];
        if (at->over)
            continue;
        unsigned first = 0, best = 0;
        for (unsigned seat = 1; seat < at->count; seat++)
            best = at->who[seat] < at->who[best] ? seat : best;
        first = 1u << best;
        if (random != NULL)
            first = gral_random_below(random, 1u << at->count);
        wins(tournament, table, first);
    }
}

static enum tournament_event due(const tournament *tournament, int64_t now)
{
    int64_t next;
    return tournament_due(tournament, now, &next);
}

/* How often two have met, and how often somebody has had a bye, on the diagonal. */
typedef struct meetings {
    unsigned of[TOURNAMENT_PEOPLE_MAX][TOURNAMENT_PEOPLE_MAX];
} meetings;

static meetings count_meetings(const tournament *tournament)
{
    meetings meetings = {0};
    for (unsigned round = 0; round < tournament->rounds; round++)
        for (unsigned table = 0; table < tournament->round[round].count; table++) {
            const tournament_table *at = &tournament->round[round].table[table];
            for (unsigned seat = 0; seat < at->count; seat++)
                for (unsigned other = 0; other < at->count; other++)
                    meetings.of[at->who[seat]][at->who[other]] += seat != other || at->count == 1;
        }
    return meetings;
}

static unsigned people_in(const tournament_round *round)
{
    unsigned people = 0;
    for (unsigned table = 0; table < round->count; table++)
        people += round->table[table].count;
    return people;
}

static unsigned points_of(const tournament *tournament, unsigned who)
{
    tournament_standing standing[TOURNAMENT_PEOPLE_MAX];
    const unsigned count = tournament_stand(tournament, standing);
    for (unsigned at = 0; at < count; at++)
        if (standing[at].who == who)
            return standing[at].points;
    fail();
    return 0;
}

static unsigned place_of(const tournament *tournament, unsigned who)
{
    tournament_standing standing[TOURNAMENT_PEOPLE_MAX];
    const unsigned count = tournament_stand(tournament, standing);
    for (unsigned at = 0; at < count; at++)
        if (standing[at].who == who)
            return standing[at].place;
    fail();
    return 0;
}

/* --- beginning --- */

static void it_begins_when_so_many_have_joined(void **state)
{
    (void)state;
    tournament tournament = make(TOURNAMENT_SWISS, 4, 0);
    must(&tournament, "join 100");
    must(&tournament, "join 101");
    must(&tournament, "join 102");
    assert_false(happens(&tournament, "join 101", 1)); /* he is in it */
    assert_int_equal(due(&tournament, 1), TOURNAMENT_NOTHING);
    must(&tournament, "join 103");
    assert_int_equal(due(&tournament, 1), TOURNAMENT_NEXT_ROUND);
}

static void it_begins_at_its_date_with_those_who_are_there_or_not_at_all(void **state)
{
    (void)state;
    tournament tournament;
    const char *terms = "system=fours rounds=2 people=0 begins=1000 round=60000 by=5 seed=1 title=";
    assert_true(tournament_make(&tournament, gral_span_of(terms), 1));
    must(&tournament, "join 5");
    must(&tournament, "join 6");
    must(&tournament, "join 7");
    int64_t next;
    assert_int_equal(tournament_due(&tournament, 999, &next), TOURNAMENT_NOTHING);
    assert_int_equal(next, 1000);
    assert_int_equal(due(&tournament, 1000), TOURNAMENT_FAILS);
    must(&tournament, "join 8");
    assert_int_equal(due(&tournament, 1000), TOURNAMENT_NEXT_ROUND);
    assert_int_equal(tournament_rounds(&tournament), 2);
}

static void nobody_waits_for_ever(void **state)
{
    (void)state;
    tournament tournament = make(TOURNAMENT_SWISS, 8, 0);
    must(&tournament, "join 100");
    const int64_t month = INT64_C(30) * 24 * HOUR;
    assert_int_equal(due(&tournament, month), TOURNAMENT_NOTHING);
    assert_int_equal(due(&tournament, month + 1), TOURNAMENT_FAILS);
    must(&tournament, "leave 100");
    assert_int_equal(due(&tournament, 2), TOURNAMENT_FAILS); /* nobody is left */
    must(&tournament, "off");
    assert_int_equal(tournament.stage, TOURNAMENT_OFF);
    assert_false(happens(&tournament, "join 100", 3));
}

static void terms_and_texts_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const char *const terms[] = {
        "",
        "system=knockout rounds=0 people=4 begins=0 round=1 by=1 seed=1 title=",
        "system=swiss rounds=0 people=4 begins=9 round=1 by=1 seed=1 title=", /* by number and by date */
        "system=swiss rounds=0 people=0 begins=0 round=1 by=1 seed=1 title=",
        "system=swiss rounds=0 people=2 begins=0 round=1 by=1 seed=1 title=",
        "system=swiss rounds=10 people=4 begins=0 round=1 by=1 seed=1 title=",
        "system=swiss rounds=0 people=65 begins=0 round=1 by=1 seed=1 title=",
        "system=swiss rounds=0 people=4 begins=0 round=0 by=1 seed=1 title=",
        "system=round-robin rounds=0 people=17 begins=0 round=1 by=1 seed=1 title=",
        "system=round-robin rounds=3 people=4 begins=0 round=1 by=1 seed=1 title=",
        "system=swiss rounds=0 people=4 begins=0 round=1 by=1 seed=1 title=a\nb",
    };
    tournament tournament;
    for (unsigned at = 0; at < sizeof terms / sizeof *terms; at++)
        assert_false(tournament_make(&tournament, gral_span_of(terms[at]), 1));
    tournament = with_people(TOURNAMENT_SWISS, 4, 0);
    static const char *const texts[] = {"",          "join",       "join 0",        "join x",      "join 100 ",
                                        "leave 99",  "round",      "round 1-1 2-3", "round 1-2-3", "round 1-5",
                                        "round 0-1", "round 1-2,", "result 1 12-0", "over",        "jump"};
    for (unsigned at = 0; at < sizeof texts / sizeof *texts; at++)
        assert_false(happens(&tournament, texts[at], 1));
    must(&tournament, "round 1-2 3-4");
    static const char *const results[] = {"result 0 12-0", "result 3 12-0",   "result 1 13-0",
                                          "result 1 12",   "result 1 12-0-0", "round 1-2 3-4"};
    for (unsigned at = 0; at < sizeof results / sizeof *results; at++)
        assert_false(happens(&tournament, results[at], 1));
    must(&tournament, "result 1 12-0");
    assert_false(happens(&tournament, "result 1 12-0", 1)); /* it is over */
}

/* --- rounds --- */

static void the_next_round_begins_a_moment_after_the_last_table_is_over(void **state)
{
    (void)state;
    tournament tournament = with_people(TOURNAMENT_SWISS, 4, 2);
    assert_true(happens(&tournament, "round 1-2 3-4", 1000));
    assert_true(happens(&tournament, "result 2 12-0", 2000));
    assert_int_equal(due(&tournament, 1000 + HOUR - 1), TOURNAMENT_NOTHING);
    assert_int_equal(due(&tournament, 1000 + HOUR), TOURNAMENT_TIME_UP);
    assert_true(happens(&tournament, "result 1 6-6", 3000));
    assert_int_equal(due(&tournament, 32999), TOURNAMENT_NOTHING);
    assert_int_equal(due(&tournament, 33000), TOURNAMENT_NEXT_ROUND);
    assert_true(happens(&tournament, "round 1-3 2-4", 33000));
    assert_true(happens(&tournament, "result 1 12-0", 33001));
    assert_true(happens(&tournament, "result 2 12-0", 33002));
    assert_int_equal(due(&tournament, 33002), TOURNAMENT_ENDS); /* all rounds were played */
}

static void a_table_gives_one_point_to_who_is_first_or_in_equal_parts(void **state)
{
    (void)state;
    static const struct {
        unsigned first;
        const char *text;
    } cases[] = {{1, "result 1 12-0-0-0"},
                 {10, "result 1 0-6-0-6"},
                 {7, "result 1 4-4-4-0"},
                 {15, "result 1 3-3-3-3"},
                 {0, "result 1 0-0-0-0"}};
    tournament tournament = with_people(TOURNAMENT_FOURS, 4, 0);
    must(&tournament, "round 1-2-3-4");
    for (unsigned at = 0; at < sizeof cases / sizeof *cases; at++) {
        char words[80];
        gral_text text = gral_text_in(words, sizeof words);
        tournament_print_result(&text, &tournament, 0, cases[at].first);
        assert_string_equal(words, cases[at].text);
    }
}

/* --- everybody with everybody --- */

static void everybody_meets_everybody_once_and_has_a_bye_where_the_number_is_odd(void **state)
{
    (void)state;
    for (unsigned people = 3; people <= TOURNAMENT_ALL_MAX; people++) {
        tournament tournament = with_people(TOURNAMENT_ROUND_ROBIN, people, 0);
        const unsigned rounds = people - 1 + people % 2;
        assert_int_equal(tournament_rounds(&tournament), rounds);
        for (unsigned round = 0; round < rounds; round++) {
            assert_int_equal(people_in(begin_round(&tournament, NULL)), people);
            play_round(&tournament, NULL);
        }
        assert_int_equal(due(&tournament, INT64_MAX / 2), TOURNAMENT_ENDS);
        const meetings meetings = count_meetings(&tournament);
        for (unsigned one = 0; one < people; one++)
            for (unsigned other = 0; other < people; other++)
                assert_int_equal(meetings.of[one][other], one == other ? people % 2 : 1);
        for (unsigned who = 0; who < people; who++) { /* the stronger always won; a bye gives nothing */
            assert_int_equal(points_of(&tournament, who), TOURNAMENT_POINT * (people - 1 - who));
            assert_int_equal(place_of(&tournament, who), who + 1);
        }
    }
}

/* Of four people, who leaves after one game of three has not played half of them. */
static void who_leaves_a_round_robin_early_counts_for_nobody(void **state)
{
    (void)state;
    tournament tournament = with_people(TOURNAMENT_ROUND_ROBIN, 4, 0);
    begin_round(&tournament, NULL);
    play_round(&tournament, NULL);
    leaves(&tournament, 0); /* the strongest, who has beaten somebody */
    assert_int_equal(points_of(&tournament, 0), 0);
    assert_int_equal(place_of(&tournament, 0), 4);
    for (unsigned round = 0; round < 2; round++) {
        assert_int_equal(people_in(begin_round(&tournament, NULL)), 3);
        play_round(&tournament, NULL);
    }
    for (unsigned who = 1; who < 4; who++) /* only the games of the three */
        assert_int_equal(points_of(&tournament, who), TOURNAMENT_POINT * (3 - who));
}

static void who_leaves_a_round_robin_late_has_lost_the_other_games(void **state)
{
    (void)state;
    tournament tournament = with_people(TOURNAMENT_ROUND_ROBIN, 4, 0);
    for (unsigned round = 0; round < 2; round++) {
        begin_round(&tournament, NULL);
        play_round(&tournament, NULL);
    }
    leaves(&tournament, 0);
    assert_int_equal(points_of(&tournament, 0), 2 * TOURNAMENT_POINT);
    begin_round(&tournament, NULL);
    play_round(&tournament, NULL);
    unsigned sum = 0;
    for (unsigned who = 0; who < 4; who++)
        sum += points_of(&tournament, who);
    assert_int_equal(sum, 6 * TOURNAMENT_POINT); /* all games were won by somebody */
    const unsigned spared = tournament_meets(&tournament, 2, 0);
    assert_int_equal(points_of(&tournament, spared), TOURNAMENT_POINT * (3 - spared + 1));
}

static void it_ends_when_nobody_is_left_to_meet(void **state)
{
    (void)state;
    tournament tournament = with_people(TOURNAMENT_ROUND_ROBIN, 3, 0);
    begin_round(&tournament, NULL);
    play_round(&tournament, NULL);
    leaves(&tournament, 0);
    assert_int_equal(due(&tournament, INT64_MAX / 2), TOURNAMENT_NEXT_ROUND);
    leaves(&tournament, 1);
    assert_int_equal(due(&tournament, 1), TOURNAMENT_ENDS);
    must(&tournament, "over");
    assert_false(happens(&tournament, "join 100", 2));
}

/* --- those with the same score --- */

static void in_a_swiss_nobody_meets_twice_while_that_is_avoidable(void **state)
{
    (void)state;
    for (unsigned people = 3; people <= 12; people++)
        for (unsigned seed = 0; seed < 20; seed++) {
            gral_random random = gral_random_from(1000 * people + seed);
            tournament tournament = with_people(TOURNAMENT_SWISS, people, 9);
            /* In a graph where everybody still has this many to meet there is always a round without a repeat. */
            const unsigned safe = people % 2 == 0 ? people / 2 : (people - 1) / 2;
            for (unsigned round = 0; round < tournament_rounds(&tournament) && round < safe; round++) {
                assert_int_equal(people_in(begin_round(&tournament, NULL)), people);
                play_round(&tournament, &random);
            }
            const meetings meetings = count_meetings(&tournament);
            for (unsigned one = 0; one < people; one++) {
                assert_true(meetings.of[one][one] <= people % 2); /* one bye at most */
                for (unsigned other = 0; other < people; other++)
                    assert_true(one == other || meetings.of[one][other] <= 1);
            }
        }
}

static void a_swiss_goes_on_when_some_must_meet_again(void **state)
{
    (void)state;
    for (unsigned people = 3; people <= 9; people++) {
        gral_random random = gral_random_from(people);
        tournament tournament = with_people(TOURNAMENT_SWISS, people, 9);
        for (unsigned round = 0; round < 9; round++) {
            assert_int_equal(people_in(begin_round(&tournament, NULL)), people);
            play_round(&tournament, &random);
        }
    }
}

static void in_a_swiss_those_with_the_same_score_meet(void **state)
{
    (void)state;
    tournament tournament = with_people(TOURNAMENT_SWISS, 16, 0);
    assert_int_equal(tournament_rounds(&tournament), 4);
    for (unsigned round = 0; round < 4; round++) {
        unsigned points[16];
        for (unsigned who = 0; who < 16; who++)
            points[who] = points_of(&tournament, who);
        const tournament_round *now = begin_round(&tournament, NULL);
        for (unsigned table = 0; table < now->count && round < 3; table++)
            assert_int_equal(points[now->table[table].who[0]], points[now->table[table].who[1]]);
        play_round(&tournament, NULL);
    }
    assert_int_equal(place_of(&tournament, 0), 1);
    assert_int_equal(points_of(&tournament, 0), 4 * TOURNAMENT_POINT);
}

static void a_bye_is_a_point_and_goes_to_who_is_last_and_has_had_none(void **state)
{
    (void)state;
    tournament tournament = with_people(TOURNAMENT_SWISS, 5, 3);
    for (unsigned round = 0; round < 3; round++) {
        unsigned before[5], least = 1000;
        const meetings so_far = count_meetings(&tournament);
        for (unsigned who = 0; who < 5; who++) {
            before[who] = points_of(&tournament, who);
            if (so_far.of[who][who] == 0 && before[who] < least)
                least = before[who];
        }
        const tournament_round *now = begin_round(&tournament, NULL);
        const tournament_table *bye = &now->table[now->count - 1];
        assert_int_equal(bye->count, 1);
        assert_int_equal(so_far.of[bye->who[0]][bye->who[0]], 0);
        assert_int_equal(before[bye->who[0]], least);
        assert_int_equal(points_of(&tournament, bye->who[0]), before[bye->who[0]] + TOURNAMENT_POINT);
        play_round(&tournament, NULL);
    }
}

static void who_has_left_is_not_paired_and_can_come_back(void **state)
{
    (void)state;
    tournament tournament = with_people(TOURNAMENT_SWISS, 6, 3);
    begin_round(&tournament, NULL);
    leaves(&tournament, 2);
    play_round(&tournament, NULL);
    assert_int_equal(people_in(begin_round(&tournament, NULL)), 5);
    assert_false(happens(&tournament, "leave 102", 1));
    assert_false(happens(&tournament, "join 200", 1)); /* nobody new */
    must(&tournament, "join 102");
    play_round(&tournament, NULL);
    assert_int_equal(people_in(begin_round(&tournament, NULL)), 6);
}

static void who_is_blocked_is_never_met(void **state)
{
    (void)state;
    for (unsigned system = TOURNAMENT_SWISS; system < TOURNAMENT_SYSTEMS; system++)
        for (unsigned seed = 0; seed < 50; seed++) {
            gral_random random = gral_random_from(seed);
            tournament tournament = with_people((enum tournament_system)system, 8, 5);
            blocks blocks = {.count = 3};
            for (unsigned at = 0; at < 3; at++) {
                blocks.one[at] = FIRST + gral_random_below(&random, 4);
                blocks.other[at] = FIRST + 4 + gral_random_below(&random, 4);
            }
            for (unsigned round = 0; round < 5; round++) {
                assert_int_equal(people_in(begin_round(&tournament, &blocks)), 8);
                play_round(&tournament, &random);
            }
            const meetings meetings = count_meetings(&tournament);
            for (unsigned at = 0; at < 3; at++)
                assert_int_equal(meetings.of[blocks.one[at] - FIRST][blocks.other[at] - FIRST], 0);
        }
}

static void where_all_others_are_blocked_there_is_a_bye(void **state)
{
    (void)state;
    tournament tournament = with_people(TOURNAMENT_SWISS, 4, 1);
    blocks blocks = {.count = 3, .one = {FIRST, FIRST, FIRST}, .other = {FIRST + 1, FIRST + 2, FIRST + 3}};
    assert_int_equal(people_in(begin_round(&tournament, &blocks)), 4);
    assert_int_equal(count_meetings(&tournament).of[0][0], 1);
    tournament = with_people(TOURNAMENT_FOURS, 4, 1);
    assert_int_equal(people_in(begin_round(&tournament, &blocks)), 4);
    for (unsigned who = 1; who < 4; who++)
        assert_int_equal(count_meetings(&tournament).of[0][who], 0);
}

/* --- tables of four --- */

static void all_play_at_tables_of_four_or_three(void **state)
{
    (void)state;
    for (unsigned people = 4; people <= TOURNAMENT_PEOPLE_MAX; people++) {
        gral_random random = gral_random_from(people);
        tournament tournament = with_people(TOURNAMENT_FOURS, people, 0);
        assert_int_equal(tournament_rounds(&tournament), 3);
        for (unsigned round = 0; round < 3; round++) {
            const tournament_round *now = begin_round(&tournament, NULL);
            unsigned threes = 0, byes = 0;
            assert_int_equal(people_in(now), people);
            for (unsigned table = 0; table < now->count; table++) {
                threes += now->table[table].count == 3;
                byes += now->table[table].count == 1;
                assert_int_not_equal(now->table[table].count, 2);
            }
            assert_int_equal(byes, people == 5);
            assert_int_equal(threes, people == 5 ? 0 : (4 - people % 4) % 4);
            play_round(&tournament, &random);
        }
        for (unsigned who = 0; who < people; who++)
            assert_true(count_meetings(&tournament).of[who][who] <= 1); /* nobody has two byes */
    }
}

static void winners_sit_with_winners_and_old_acquaintances_elsewhere(void **state)
{
    (void)state;
    tournament tournament = with_people(TOURNAMENT_FOURS, 16, 3);
    begin_round(&tournament, NULL);
    play_round(&tournament, NULL);
    const tournament_round *now = begin_round(&tournament, NULL);
    for (unsigned table = 0; table < now->count; table++) {
        unsigned winners = 0;
        for (unsigned seat = 0; seat < 4; seat++) {
            const tournament_round *first = &tournament.round[0];
            for (unsigned old = 0; old < first->count; old++)
                for (unsigned place = 0; place < 4; place++)
                    winners += first->table[old].who[place] == now->table[table].who[seat] &&
                               first->table[old].points[place] > 0;
        }
        assert_true(winners == 0 || winners == 4); /* all four winners have met nobody of each other */
    }
}

static void with_eight_at_two_tables_meetings_are_spread(void **state)
{
    (void)state;
    tournament tournament = with_people(TOURNAMENT_FOURS, 8, 3);
    for (unsigned round = 0; round < 3; round++) {
        begin_round(&tournament, NULL);
        play_round(&tournament, NULL);
    }
    const meetings meetings = count_meetings(&tournament);
    for (unsigned one = 0; one < 8; one++)
        for (unsigned other = 0; other < 8; other++)
            assert_true(meetings.of[one][other] < 3); /* nobody always sits with the same person */
}

/* --- who is first --- */

static void of_two_with_the_same_points_the_one_with_the_stronger_opponents_is_first(void **state)
{
    (void)state;
    tournament tournament = with_people(TOURNAMENT_SWISS, 6, 3);
    must(&tournament, "round 1-2 3-4 5-6");
    must(&tournament, "result 1 12-0");
    must(&tournament, "result 2 12-0");
    must(&tournament, "result 3 12-0");
    must(&tournament, "round 1-3 2-5 4-6");
    must(&tournament, "result 1 12-0");
    must(&tournament, "result 2 0-12");
    must(&tournament, "result 3 0-12");
    /* 1 and 5 have two points: 1 has met 2 (0) and 3 (1), 5 has met 6 (1) and 2 (0). 3 and 6 have one: 3 has met 4 (0)
     * and 1 (2), 6 has met 5 (2) and 4 (0), and both have beaten 4. */
    assert_int_equal(place_of(&tournament, 0), 1);
    assert_int_equal(place_of(&tournament, 4), 1);
    assert_int_equal(place_of(&tournament, 2), 3);
    assert_int_equal(place_of(&tournament, 5), 3);
    must(&tournament, "round 1-6 5-4 3-2");
    must(&tournament, "result 1 0-12");
    must(&tournament, "result 2 0-12");
    must(&tournament, "result 3 6-6");
    /* 1: 2 points, against 2 (½), 3 (1½), 6 (2): 4. 5: 2 points, against 6 (2), 2 (½), 4 (1): 3½. 6: 2 points, against
     * 5 (2), 4 (1), 1 (2): 5. */
    assert_int_equal(place_of(&tournament, 5), 1);
    assert_int_equal(place_of(&tournament, 0), 2);
    assert_int_equal(place_of(&tournament, 4), 3);
    assert_int_equal(place_of(&tournament, 2), 4);
}

/* The same opponents all around, as in every round-robin: then it counts against whom the points were made. */
static void then_the_one_who_has_beaten_the_stronger_is_first(void **state)
{
    (void)state;
    tournament tournament = with_people(TOURNAMENT_SWISS, 4, 3);
    /* 1 beats 2, 3 beats 1, 1 and 4 draw; 2 beats 3, 2 and 4 draw; 3 and 4 draw. All have 1½: nobody is before anybody.
     */
    must(&tournament, "round 1-2 3-4");
    must(&tournament, "result 1 12-0");
    must(&tournament, "result 2 6-6");
    must(&tournament, "round 1-3 2-4");
    must(&tournament, "result 1 0-12");
    must(&tournament, "result 2 6-6");
    must(&tournament, "round 1-4 2-3");
    must(&tournament, "result 1 6-6");
    must(&tournament, "result 2 12-0");
    for (unsigned who = 0; who < 4; who++)
        assert_int_equal(place_of(&tournament, who), 1);
    tournament = with_people(TOURNAMENT_SWISS, 4, 3);
    /* 1 beats 2 and loses to 3; 4 beats 3 and loses to 2: the same points, but 2 has more than 3. */
    must(&tournament, "round 1-2 3-4");
    must(&tournament, "result 1 12-0");
    must(&tournament, "result 2 0-12");
    must(&tournament, "round 1-3 2-4");
    must(&tournament, "result 1 0-12");
    must(&tournament, "result 2 12-0");
    must(&tournament, "round 1-4 2-3");
    must(&tournament, "result 1 6-6");
    must(&tournament, "result 2 12-0");
    assert_int_equal(points_of(&tournament, 0), points_of(&tournament, 3));
    assert_int_equal(place_of(&tournament, 1), 1);
    assert_int_equal(place_of(&tournament, 0), 2);
    assert_int_equal(place_of(&tournament, 3), 3);
    assert_int_equal(place_of(&tournament, 2), 4);
}

/* --- pairs in a graph --- */

static unsigned most_by_trying(const matching_graph *graph, uint64_t among)
{
    if (among == 0)
        return 0;
    unsigned one = 0;
    while ((among >> one & 1) == 0)
        one++;
    among &= among - 1;
    unsigned best = most_by_trying(graph, among);
    for (unsigned other = one + 1; other < 10; other++)
        if ((graph->edge[one] & among) >> other & 1) {
            const unsigned with = 1 + most_by_trying(graph, among & ~(UINT64_C(1) << other));
            best = with > best ? with : best;
        }
    return best;
}

static void as_many_pairs_are_found_as_there_are(void **state)
{
    (void)state;
    gral_random random = gral_random_from(3);
    for (unsigned game = 0; game < 3000; game++) {
        matching_graph graph = {0};
        const uint32_t density = 1 + gral_random_below(&random, 6);
        for (unsigned one = 0; one < 10; one++)
            for (unsigned other = 0; other < one; other++)
                if (gral_random_below(&random, 8) < density) {
                    graph.edge[one] |= UINT64_C(1) << other;
                    graph.edge[other] |= UINT64_C(1) << one;
                }
        const uint64_t among = gral_random_below(&random, 1024);
        assert_int_equal(matching_most(&graph, among), most_by_trying(&graph, among));
    }
}

static void the_largest_field_is_paired_too(void **state)
{
    (void)state;
    for (unsigned system = TOURNAMENT_SWISS; system < TOURNAMENT_SYSTEMS; system++) {
        gral_random random = gral_random_from(system);
        tournament tournament = with_people((enum tournament_system)system, TOURNAMENT_PEOPLE_MAX, 9);
        assert_false(happens(&tournament, "join 1", 1));
        for (unsigned round = 0; round < 9; round++) {
            assert_int_equal(people_in(begin_round(&tournament, NULL)), TOURNAMENT_PEOPLE_MAX);
            play_round(&tournament, &random);
        }
        const meetings meetings = count_meetings(&tournament);
        for (unsigned one = 0; one < TOURNAMENT_PEOPLE_MAX; one++)
            for (unsigned other = 0; other < TOURNAMENT_PEOPLE_MAX && system == TOURNAMENT_SWISS; other++)
                assert_true(meetings.of[one][other] <= 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_begins_when_so_many_have_joined),
        cmocka_unit_test(it_begins_at_its_date_with_those_who_are_there_or_not_at_all),
        cmocka_unit_test(nobody_waits_for_ever),
        cmocka_unit_test(terms_and_texts_that_make_no_sense_are_refused),
        cmocka_unit_test(the_next_round_begins_a_moment_after_the_last_table_is_over),
        cmocka_unit_test(a_table_gives_one_point_to_who_is_first_or_in_equal_parts),
        cmocka_unit_test(everybody_meets_everybody_once_and_has_a_bye_where_the_number_is_odd),
        cmocka_unit_test(who_leaves_a_round_robin_early_counts_for_nobody),
        cmocka_unit_test(who_leaves_a_round_robin_late_has_lost_the_other_games),
        cmocka_unit_test(it_ends_when_nobody_is_left_to_meet),
        cmocka_unit_test(in_a_swiss_nobody_meets_twice_while_that_is_avoidable),
        cmocka_unit_test(a_swiss_goes_on_when_some_must_meet_again),
        cmocka_unit_test(in_a_swiss_those_with_the_same_score_meet),
        cmocka_unit_test(a_bye_is_a_point_and_goes_to_who_is_last_and_has_had_none),
        cmocka_unit_test(who_has_left_is_not_paired_and_can_come_back),
        cmocka_unit_test(who_is_blocked_is_never_met),
        cmocka_unit_test(where_all_others_are_blocked_there_is_a_bye),
        cmocka_unit_test(all_play_at_tables_of_four_or_three),
        cmocka_unit_test(winners_sit_with_winners_and_old_acquaintances_elsewhere),
        cmocka_unit_test(with_eight_at_two_tables_meetings_are_spread),
        cmocka_unit_test(of_two_with_the_same_points_the_one_with_the_stronger_opponents_is_first),
        cmocka_unit_test(then_the_one_who_has_beaten_the_stronger_is_first),
        cmocka_unit_test(as_many_pairs_are_found_as_there_are),
        cmocka_unit_test(the_largest_field_is_paired_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
