/* What may be believed of the others, for those who look back (gral_believe): it comes from what the seat has seen and
 * heard, and stays within what is possible. */
#include "scene.h"

#include <string.h>

enum { HEARD_MAX = 4000 };

/* A game at random, with what everybody has heard. */
struct course {
    struct scene scene;
    gral_random random;
    gral_entry entry[HEARD_MAX];
    size_t count;
};

static struct course begin(const char *settings, uint64_t seed)
{
    return (struct course){.scene = scene_of(settings), .random = gral_random_from(seed)};
}

static bool goes_on(const struct course *course)
{
    return course->scene.state.open.phase != GRAL_OVER && course->count < HEARD_MAX;
}

static void go_on(struct course *course, unsigned actions)
{
    struct scene *scene = &course->scene;
    for (; actions > 0 && goes_on(course); actions--) {
        const gral_action action = gral_random_action(&scene->game, &scene->state, &course->random);
        course->entry[course->count++] = (gral_entry){action, scene->state.open.actor};
        gral_apply(&scene->game, &scene->state, action);
    }
}

/* What a seat believes if the sheets are as in `state`. */
static gral_beliefs believe(const struct course *course, const gral_state *state, unsigned seat, uint64_t seed)
{
    static gral_entry heard[HEARD_MAX];
    const gral_view view = gral_view_of(state, seat);
    gral_question question = {.game = &course->scene.game, .view = &view, .heard = heard, .seed = seed};
    for (size_t index = 0; index < course->count; index++)
        if (gral_view_hears(seat, course->entry[index].seat, course->entry[index].action))
            heard[question.heard_count++] = course->entry[index];
    gral_beliefs beliefs;
    gral_believe(&question, &beliefs);
    return beliefs;
}

static const char *const tables[] = {"players=2", "players=3", "players=4 rules=original", "players=8"};
enum { TABLES = sizeof tables / sizeof *tables };

static void hidden_sheets_make_no_difference_to_what_a_seat_believes_R10_2(void **unused)
{
    (void)unused;
    for (unsigned table = 0; table < TABLES; table++) {
        struct course course = begin(tables[table], table);
        unsigned changed = 0;
        while (goes_on(&course) && course.count < 300) {
            const gral_state *truth = &course.scene.state;
            const unsigned seat = (unsigned)course.count % truth->open.players;
            const gral_view view = gral_view_of(truth, seat);
            gral_state other;
            assert_true(gral_view_refill(&course.scene.game, &view, &course.random, &other));
            changed += memcmp(&other, truth, sizeof other) != 0;
            const gral_beliefs believed = believe(&course, truth, seat, 1), again = believe(&course, &other, seat, 1);
            assert_memory_equal(&again, &believed, sizeof again);
            go_on(&course, 17);
        }
        assert_true(changed > 0);
    }
}

static void what_is_believed_is_possible_by_the_notepad_R10_3(void **unused)
{
    (void)unused;
    for (unsigned table = 0; table < TABLES; table++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            struct course course = begin(tables[table], seed);
            for (; goes_on(&course) && course.count < 400; go_on(&course, 23)) {
                const gral_state *state = &course.scene.state;
                const unsigned seat = state->open.actor;
                const gral_view view = gral_view_of(state, seat);
                const gral_beliefs beliefs = believe(&course, state, seat, seed);
                gral_notepad notepad;
                gral_notepad_fill(&course.scene.game, &view, &notepad);
                for (unsigned other = 0; other < state->open.players; other++)
                    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
                        const gral_estimate estimate = beliefs.of[other][pawn];
                        assert_true(notepad.bounds[other][pawn].least <= estimate.low);
                        assert_true(estimate.low <= estimate.middle && estimate.middle <= estimate.high);
                        assert_true(estimate.high <= notepad.bounds[other][pawn].most);
                    }
            }
        }
}

static void ones_own_influence_is_exact_and_all_others_believe_the_same_of_a_player(void **unused)
{
    (void)unused;
    struct course course = begin("players=4", 5);
    go_on(&course, 200);
    const gral_state *state = &course.scene.state;
    gral_beliefs of_seat[4];
    for (unsigned seat = 0; seat < 4; seat++)
        of_seat[seat] = believe(&course, state, seat, 1);
    for (unsigned seat = 0; seat < 4; seat++)
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
            const gral_estimate own = of_seat[seat].of[seat][pawn];
            const unsigned held = state->sheet[seat].influence[pawn];
            assert_true(own.low == held && own.middle == held && own.high == held);
            const gral_estimate one = of_seat[(seat + 1) % 4].of[seat][pawn],
                                two = of_seat[(seat + 2) % 4].of[seat][pawn];
            assert_true(one.low == two.low && one.middle == two.middle && one.high == two.high);
        }
}

static void nothing_that_is_believed_is_left_to_chance(void **unused)
{
    (void)unused;
    struct course course = begin("players=3", 9);
    go_on(&course, 150);
    const gral_beliefs once = believe(&course, &course.scene.state, 0, 1);
    const gral_beliefs again = believe(&course, &course.scene.state, 0, 1);
    const gral_beliefs other = believe(&course, &course.scene.state, 0, 2);
    assert_memory_equal(&again, &once, sizeof again);
    assert_memory_equal(&other, &once, sizeof other);
}

static void who_leads_for_sure_is_believed_to_lead_and_nobody_leads_in_a_tie(void **unused)
{
    (void)unused;
    struct course course = begin("players=3", 1);
    scene_open(&course.scene, "60 T1", "50 A1", "5 T1");
    course.scene.state.open.known[1][GRAL_A1] = 45; /* so he cannot have more than 55 on T1 */
    course.scene.state.open.known[2][GRAL_R1] = 45;
    const gral_beliefs beliefs = believe(&course, &course.scene.state, 0, 1);
    assert_int_equal(beliefs.of[0][GRAL_T1].leads, 100);
    assert_int_equal(beliefs.of[1][GRAL_T1].leads, 0);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        assert_true(beliefs.of[0][pawn].leads + beliefs.of[1][pawn].leads + beliefs.of[2][pawn].leads <= 102);
    /* Before anybody has placed anything all have nothing, and know it. */
    struct course fresh = begin("players=3", 1);
    const gral_beliefs nothing = believe(&fresh, &fresh.scene.state, 2, 1);
    assert_int_equal(nothing.of[1][GRAL_T1].high, 0);
    assert_int_equal(nothing.of[1][GRAL_T1].leads, 0);
}

static void at_the_end_the_truth_is_believed_R10_4(void **unused)
{
    (void)unused;
    struct course course = begin("players=2 limit=3", 3);
    go_on(&course, HEARD_MAX);
    assert_int_equal(course.scene.state.open.phase, GRAL_OVER);
    const gral_beliefs beliefs = believe(&course, &course.scene.state, GRAL_SPECTATOR, 1);
    for (unsigned seat = 0; seat < 2; seat++)
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
            assert_int_equal(beliefs.of[seat][pawn].middle, course.scene.state.sheet[seat].influence[pawn]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_sheets_make_no_difference_to_what_a_seat_believes_R10_2),
        cmocka_unit_test(what_is_believed_is_possible_by_the_notepad_R10_3),
        cmocka_unit_test(ones_own_influence_is_exact_and_all_others_believe_the_same_of_a_player),
        cmocka_unit_test(nothing_that_is_believed_is_left_to_chance),
        cmocka_unit_test(who_leads_for_sure_is_believed_to_lead_and_nobody_leads_in_a_tie),
        cmocka_unit_test(at_the_end_the_truth_is_believed_R10_4),
    };
    return cmocka_run_group_tests_name("beliefs", tests, NULL, NULL);
}
