/* The script players: simple ideas to train and to measure with. Each does what its family is named for, and says so
 * nowhere but at the table. */
#include "players/scripts.h"
#include "scene.h"

#include <string.h>

struct asked {
    gral_view view;
    gral_options options;
    gral_question question;
};

static const gral_question *question_of(struct asked *asked, const struct scene *scene, uint64_t seed)
{
    asked->view = gral_view_of(&scene->state, scene->state.open.actor);
    asked->options = gral_legal_options(&scene->game, &scene->state);
    asked->question = (gral_question){
        .game = &scene->game, .view = &asked->view, .options = &asked->options, .seed = seed};
    return &asked->question;
}

/* Says the player's actions until it has said one of another kind, or somebody else must speak; what it said last. */
static gral_action let_act(struct scene *scene, const char *name)
{
    gral_player *player = player_named(name);
    struct asked asked;
    const unsigned actor = scene->state.open.actor;
    gral_action action;
    do {
        action = gral_player_decide(player, question_of(&asked, scene, 1), NULL);
        assert_int_equal(gral_check(&scene->game, &scene->state, action), GRAL_LEGAL);
        gral_apply(&scene->game, &scene->state, action);
    } while (action.verb == GRAL_PLACE && scene->state.open.actor == actor);
    gral_player_free(player);
    return action;
}

static gral_action answer_of(const struct scene *scene, const char *name)
{
    struct scene copy = *scene;
    return let_act(&copy, name);
}

static unsigned placed(const struct scene *scene, unsigned seat)
{
    unsigned points = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        points += scene->state.sheet[seat].influence[pawn];
    return points;
}

static unsigned initiates_held(const struct scene *scene, unsigned seat)
{
    unsigned count = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        count += scene->state.sheet[seat].influence[pawn] > 0;
    return count;
}

static void waiters_open_with_nothing_and_announce_empty_assignments_R2_2_R3_2(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    let_act(&scene, "waiter");
    scene_do(&scene, "done");
    assert_int_equal(let_act(&scene, "waiter").verb, GRAL_ASSIGN);
    assert_int_equal(let_act(&scene, "waiter").verb, GRAL_DONE);
    assert_int_equal(placed(&scene, 0), 0);
}

static void waiters_pounce_only_when_the_bearer_is_as_near_home_as_their_trait_says(void **unused)
{
    (void)unused;
    static const struct {
        const char *name, *bearer_on;
        bool pounces;
    } cases[] = {
        {"waiter:steps=1,all", "T1=a2 grail=T1", true},    {"waiter:steps=1,all", "T1=a3 grail=T1", false},
        {"waiter:steps=2,all", "T1=a3 grail=T1", true},    {"waiter:steps=2,all", "T1=a4 grail=T1", false},
        {"waiter:steps=3,enough", "T1=b3 grail=T1", true}, {"waiter:steps=3,enough", "T1=c3 grail=T1", false},
    };
    for (unsigned index = 0; index < sizeof cases / sizeof *cases; index++) {
        struct scene scene = scene_of("players=2");
        scene_open(&scene, "", "40 T1");
        scene_put(&scene, cases[index].bearer_on);
        assert_int_equal(let_act(&scene, cases[index].name).verb, GRAL_ASSIGN);
        let_act(&scene, cases[index].name);
        assert_int_equal(scene.state.sheet[0].influence[GRAL_T1] > 0, cases[index].pounces);
    }
}

static void a_waiter_that_spends_just_enough_keeps_a_reserve_and_one_that_spends_all_does_not(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "", "40 T1");
    scene_put(&scene, "T1=a2 grail=T1");
    struct scene other = scene;
    let_act(&scene, "waiter:all");
    let_act(&scene, "waiter:all");
    assert_int_equal(placed(&scene, 0), 100);
    let_act(&other, "waiter:enough");
    let_act(&other, "waiter:enough");
    assert_int_equal(placed(&other, 0), 51); /* nothing was shown: half of a sheet and one more */
}

static void a_waiter_that_leads_brings_the_bearer_home_and_insists_R4_5_R7_3(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "60 T1", "40 T1");
    scene_put(&scene, "T1=a2 grail=T1");
    assert_true(gral_same_action(let_act(&scene, "waiter"), gral_step(GRAL_T1, 0, GRAL_NO_PAWN)));
    scene_do(&scene, "object 40");
    assert_true(gral_same_action(let_act(&scene, "waiter"), gral_claim(40)));
    scene_do(&scene, "pass");
    assert_int_equal(let_act(&scene, "waiter").verb, GRAL_KEEP);
    assert_int_equal(scene.state.open.winner, 0);
}

static void a_waiter_that_lures_leads_initiates_that_it_does_not_hold(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "", "40 T1");
    unsigned steps = 0;
    gral_player *player = player_named("waiter:lure=50");
    struct asked asked;
    for (uint64_t seed = 0; seed < 100; seed++)
        steps += gral_player_decide(player, question_of(&asked, &scene, seed), NULL).verb == GRAL_STEP;
    gral_player_free(player);
    assert_in_range(steps, 30, 70);
}

static void the_carrier_opens_on_two_initiates_adds_in_secret_and_then_walks(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    let_act(&scene, "carrier:first=40,second=20");
    assert_int_equal(initiates_held(&scene, 0), 2);
    assert_int_equal(placed(&scene, 0), 30);
    scene_do(&scene, "done");
    gral_action action;
    while ((action = let_act(&scene, "carrier:first=40,second=20")).verb != GRAL_STEP)
        if (scene.state.open.actor == 1)
            scene_do(&scene, "assign; done");
    assert_int_equal(initiates_held(&scene, 0), 2);
    assert_int_equal(placed(&scene, 0), 60);
    assert_int_equal(scene.state.sheet[0].influence[action.pawn], 40);
}

static void the_uncoverer_strikes_the_bearer_near_home_and_takes_the_grail_R6_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "15 A1, 15 I1", "40 T1");
    scene_put(&scene, "T1=a3 A1=b3 grail=T1");
    const gral_action action = let_act(&scene, "uncoverer");
    assert_true(gral_same_action(action, gral_step(GRAL_A1, 10, GRAL_T1)));
    scene_do(&scene, "pass");
    assert_int_equal(let_act(&scene, "uncoverer").verb, GRAL_KEEP);
}

static void the_uncoverer_walks_a_loaded_initiate_to_the_bearer(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "15 A1, 15 I1", "40 T1");
    scene_put(&scene, "T1=c3 A1=e3 I1=e5 grail=T1");
    assert_true(gral_same_action(answer_of(&scene, "uncoverer"), gral_step(GRAL_A1, 13, GRAL_NO_PAWN)));
}

static void the_blocker_objects_to_everything_with_the_least_that_suffices_R4_4(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "20 T1", "6 T1, 6 T2, 6 A1");
    scene_do(&scene, "step T1 a2");
    assert_true(gral_same_action(let_act(&scene, "blocker"), gral_object(1)));
    scene_do(&scene, "claim 4");
    assert_true(gral_same_action(let_act(&scene, "blocker"), gral_object(5)));
    scene_do(&scene, "claim 6");
    assert_int_equal(let_act(&scene, "blocker").verb, GRAL_PASS);
    scene = scene_of("players=2");
    let_act(&scene, "blocker:initiates=8,points=6");
    assert_int_equal(initiates_held(&scene, 0), 8);
}

static void the_ambusher_has_the_grail_carried_to_a_loaded_member_and_uncovers_there_R7_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "30 A1", "40 T1");
    scene_put(&scene, "T1=d1 grail=T1");
    struct scene led = scene;
    while (led.state.open.turn < 3) /* first it loads him, then it leads the bearer to him */
        if (led.state.open.actor == 0)
            let_act(&led, "ambusher");
        else
            scene_do(&led, led.state.open.phase == GRAL_TURN ? "assign; done" : "pass");
    assert_true(gral_same_action(let_act(&led, "ambusher"), gral_step(GRAL_T1, 4, GRAL_NO_PAWN)));
    scene_put(&scene, "T1=e1 grail=T1");
    while (scene.state.open.phase != GRAL_OVER)
        if (scene.state.open.actor == 0)
            let_act(&scene, "ambusher");
        else
            scene_do(&scene, scene.state.open.phase == GRAL_TURN ? "assign; done" : "pass");
    assert_int_equal(scene.state.open.winner, 0);
    assert_int_equal(scene.state.open.winning_pawn, GRAL_A1);
}

static void the_shadow_adds_to_the_bearer_as_often_as_the_others_led_him(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "", "40 T1");
    scene_put(&scene, "T1=c3 grail=T1");
    const gral_entry heard[] = {{gral_step(GRAL_T1, 13, GRAL_NO_PAWN), 1}, {gral_step(GRAL_T1, 12, GRAL_NO_PAWN), 1}};
    gral_player *player = player_named("shadow:points=5");
    for (unsigned led = 0; led <= 2; led++) {
        struct scene copy = scene;
        scene_do(&copy, "assign");
        while (copy.state.open.phase == GRAL_PLACING) {
            struct asked asked;
            question_of(&asked, &copy, 1);
            asked.question.heard = heard;
            asked.question.heard_count = led;
            gral_apply(&copy.game, &copy.state, gral_player_decide(player, &asked.question, NULL));
        }
        assert_int_equal(copy.state.sheet[0].influence[GRAL_T1], 5 * led);
    }
    gral_player_free(player);
}

static void the_sprinter_bets_on_one_initiate_and_shows_all_at_once_R4_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    let_act(&scene, "sprinter:first=80");
    assert_int_equal(initiates_held(&scene, 0), 1);
    assert_int_equal(placed(&scene, 0), 80);
    scene = scene_of("players=2");
    scene_open(&scene, "80 T1", "40 T1");
    scene_put(&scene, "T1=b3");
    assert_true(gral_same_action(let_act(&scene, "sprinter"), gral_step(GRAL_T1, 12, GRAL_NO_PAWN)));
    scene_do(&scene, "object 1");
    assert_true(gral_same_action(let_act(&scene, "sprinter"), gral_claim(80)));
}

static void the_miser_places_nothing_before_its_time_and_everything_then(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    let_act(&scene, "miser:turns=3");
    scene_do(&scene, "done");
    while (scene.state.open.turn <= 6) {
        assert_int_equal(placed(&scene, 0), 0);
        if (scene.state.open.actor == 0)
            let_act(&scene, "miser:turns=3");
        else
            scene_do(&scene, "assign; done");
    }
    while (placed(&scene, 0) == 0 && scene.state.open.turn < 40)
        if (scene.state.open.actor == 0)
            let_act(&scene, "miser:turns=3");
        else
            scene_do(&scene, scene.state.open.phase == GRAL_TURN ? "assign; done" : "pass");
    while (scene.state.open.phase == GRAL_PLACING)
        let_act(&scene, "miser:turns=3");
    assert_int_equal(placed(&scene, 0), 100);
    assert_int_equal(initiates_held(&scene, 0), 1);
}

static void a_medley_has_parts_of_other_families(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    let_act(&scene, "medley:opens=1");
    assert_int_equal(placed(&scene, 0), 0);
    scene_do(&scene, "done");
    scene_put(&scene, "T1=c3 A1=c4 grail=T1");
    assert_int_equal(let_act(&scene, "medley:wants=3,points=20").verb, GRAL_ASSIGN);
    let_act(&scene, "medley:wants=3,points=20");
    assert_int_equal(scene.state.sheet[0].influence[GRAL_A1], 20); /* somebody beside the bearer */
    scene_do(&scene, "assign; done");
    assert_true(
        gral_same_action(answer_of(&scene, "medley:wants=3,strikes=4,points=20"), gral_step(GRAL_A1, 12, GRAL_T1)));
    assert_int_equal(answer_of(&scene, "medley:wants=3,strikes=1,points=20").target, GRAL_NO_PAWN);
}

static void the_thief_has_a_ten_in_every_society_and_robs_the_bearer_far_from_home_R6_5(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    let_act(&scene, "thief");
    assert_int_equal(placed(&scene, 0), 40);
    assert_int_equal(initiates_held(&scene, 0), 4);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn += 2)
        assert_int_equal(scene.state.sheet[0].influence[pawn] + scene.state.sheet[0].influence[pawn + 1], 10);
    scene = scene_of("players=2");
    scene_open(&scene, "10 A1", "40 T1");
    scene_put(&scene, "T1=c3 A1=c4 grail=T1");
    assert_true(gral_same_action(let_act(&scene, "thief"), gral_step(GRAL_A1, 12, GRAL_T1)));
    scene_do(&scene, "pass");
    assert_int_equal(let_act(&scene, "thief").verb, GRAL_KEEP);
}

/* What a player says who has heard all that was said, until it says something but a unit. */
static gral_action let_hear_and_act(struct scene *scene, const char *name, const gral_entry *heard, size_t count)
{
    gral_player *player = player_named(name);
    gral_action action;
    do {
        struct asked asked;
        question_of(&asked, scene, 1);
        asked.question.heard = heard;
        asked.question.heard_count = count;
        action = gral_player_decide(player, &asked.question, NULL);
        assert_int_equal(gral_check(&scene->game, &scene->state, action), GRAL_LEGAL);
        gral_apply(&scene->game, &scene->state, action);
    } while (action.verb == GRAL_PLACE);
    gral_player_free(player);
    return action;
}

static void the_spoiler_uncovers_whom_others_led_though_he_bears_nothing_R6_1(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "20 A1, 20 I1", "40 T1");
    scene_put(&scene, "T1=b3 A1=b4");
    const gral_entry heard[] = {{gral_step(GRAL_T1, 11, GRAL_NO_PAWN), 1}};
    struct scene copy = scene;
    assert_int_equal(let_hear_and_act(&copy, "spoiler", NULL, 0).target, GRAL_NO_PAWN);
    assert_true(gral_same_action(let_hear_and_act(&scene, "spoiler", heard, 1), gral_step(GRAL_A1, 11, GRAL_T1)));
}

static void the_creditor_places_nothing_until_the_others_have_shown_enough(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "", "40 T1");
    scene_put(&scene, "T1=c3 grail=T1");
    for (unsigned shown = 10; shown <= 20; shown += 10) {
        struct scene copy = scene;
        copy.state.open.known[1][GRAL_T1] = (uint8_t)shown;
        scene_do(&copy, "assign");
        let_act(&copy, "creditor:first=20");
        assert_int_equal(copy.state.sheet[0].influence[GRAL_T1], shown < 20 ? 0 : 100);
    }
}

static void the_mirror_adds_to_the_fellow_of_whom_others_led_and_walks_him_after(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    scene_open(&scene, "", "40 T1");
    scene_put(&scene, "T1=c3 T2=a3 grail=T1");
    const gral_entry heard[] = {{gral_say(GRAL_ASSIGN), 1}, {gral_step(GRAL_T1, 12, GRAL_NO_PAWN), 1}};
    struct scene loaded = scene;
    scene_do(&loaded, "assign");
    let_hear_and_act(&loaded, "mirror:points=15", heard, 2);
    assert_int_equal(loaded.state.sheet[0].influence[GRAL_T2], 15);
    assert_int_equal(placed(&loaded, 0), 15);
    scene_do(&loaded, "assign; done");
    assert_true(gral_same_action(let_hear_and_act(&loaded, "mirror:points=15", heard, 2),
                                 gral_step(GRAL_T2, 11, GRAL_NO_PAWN)));
}

static void no_script_carries_the_grail_home_for_somebody_else_R7_3(void **unused)
{
    (void)unused;
    for (unsigned index = 0; index < SCRIPT_FAMILIES; index++) {
        struct scene scene = scene_of("players=2");
        scene_open(&scene, "5 T1", "60 T1");
        scene.state.open.known[1][GRAL_T1] = 60;
        scene_put(&scene, "T1=a2 grail=T1");
        scene_do(&scene, "step T1 a1; pass");
        assert_int_equal(answer_of(&scene, script_makers[index].kind.name).verb, GRAL_LEAVE);
    }
}

static void drawn_traits_name_players_of_the_family_asked_for(void **unused)
{
    (void)unused;
    gral_random random = gral_random_from(5);
    for (unsigned index = 0; index < SCRIPT_FAMILIES; index++)
        for (unsigned draw = 0; draw < 100; draw++) {
            char name[100];
            gral_text text = gral_text_in(name, sizeof name);
            script_draw(&script_makers[index], &random, &text);
            gral_player *player = player_named(name);
            assert_ptr_equal(player->kind, &script_makers[index].kind);
            gral_player_free(player);
        }
}

static void the_last_three_families_are_held_out_of_training(void **unused)
{
    (void)unused;
    for (unsigned index = 0; index < SCRIPT_FAMILIES; index++)
        assert_int_equal(script_use_of(&script_makers[index]),
                         index < SCRIPT_FAMILIES - 3 ? SCRIPT_FOR_TRAINING : SCRIPT_HELD_OUT);
}

static void traits_out_of_range_or_of_other_families_are_refused(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {
        "waiter:steps=0",      "waiter:steps=4",  "waiter:",        "waiter:steps=",   "waiter:turns=9",
        "waiter:steps=1,many", "miser:turns=999", "sprinter:allin", "carrier:first=1x"};
    for (unsigned index = 0; index < sizeof wrong / sizeof *wrong; index++) {
        gral_error error = {0};
        assert_null(gral_player_make(gral_span_of(wrong[index]), &error));
        assert_memory_equal(error.message, "expected ", strlen("expected "));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiters_open_with_nothing_and_announce_empty_assignments_R2_2_R3_2),
        cmocka_unit_test(waiters_pounce_only_when_the_bearer_is_as_near_home_as_their_trait_says),
        cmocka_unit_test(a_waiter_that_spends_just_enough_keeps_a_reserve_and_one_that_spends_all_does_not),
        cmocka_unit_test(a_waiter_that_leads_brings_the_bearer_home_and_insists_R4_5_R7_3),
        cmocka_unit_test(a_waiter_that_lures_leads_initiates_that_it_does_not_hold),
        cmocka_unit_test(the_carrier_opens_on_two_initiates_adds_in_secret_and_then_walks),
        cmocka_unit_test(the_uncoverer_strikes_the_bearer_near_home_and_takes_the_grail_R6_5),
        cmocka_unit_test(the_uncoverer_walks_a_loaded_initiate_to_the_bearer),
        cmocka_unit_test(the_blocker_objects_to_everything_with_the_least_that_suffices_R4_4),
        cmocka_unit_test(the_ambusher_has_the_grail_carried_to_a_loaded_member_and_uncovers_there_R7_1),
        cmocka_unit_test(the_shadow_adds_to_the_bearer_as_often_as_the_others_led_him),
        cmocka_unit_test(the_sprinter_bets_on_one_initiate_and_shows_all_at_once_R4_5),
        cmocka_unit_test(the_miser_places_nothing_before_its_time_and_everything_then),
        cmocka_unit_test(a_medley_has_parts_of_other_families),
        cmocka_unit_test(the_thief_has_a_ten_in_every_society_and_robs_the_bearer_far_from_home_R6_5),
        cmocka_unit_test(the_spoiler_uncovers_whom_others_led_though_he_bears_nothing_R6_1),
        cmocka_unit_test(the_creditor_places_nothing_until_the_others_have_shown_enough),
        cmocka_unit_test(the_mirror_adds_to_the_fellow_of_whom_others_led_and_walks_him_after),
        cmocka_unit_test(no_script_carries_the_grail_home_for_somebody_else_R7_3),
        cmocka_unit_test(drawn_traits_name_players_of_the_family_asked_for),
        cmocka_unit_test(the_last_three_families_are_held_out_of_training),
        cmocka_unit_test(traits_out_of_range_or_of_other_families_are_refused),
    };
    return cmocka_run_group_tests_name("scripts", tests, NULL, NULL);
}
