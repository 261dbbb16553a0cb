/* The computer players: they play legal games at every table, depend on nothing but the question, and see what is
 * in front of them. */
#include "scene.h"

#include <stdio.h>
#include <string.h>

enum { HEARD_MAX = 20000, OFFERS_MAX = 2000 };

/* A game between computer players, with what each seat has heard. */
struct match {
    struct scene scene;
    gral_entry heard[GRAL_PLAYERS_MAX][HEARD_MAX];
    size_t heard_count[GRAL_PLAYERS_MAX];
    gral_heard_offer offers[OFFERS_MAX]; /* everybody hears them all */
    size_t offer_count;
    uint64_t decisions;
};

static struct match match;

static void match_begin(const char *settings)
{
    match.scene = scene_of(settings);
    memset(match.heard_count, 0, sizeof match.heard_count);
    match.offer_count = 0;
    match.decisions = 0;
}

struct asked {
    gral_view view;
    gral_options options;
    gral_question question;
};

static const gral_question *question_of(struct asked *asked, uint64_t seed)
{
    const struct scene *scene = &match.scene;
    const unsigned actor = scene->state.open.actor;
    asked->view = gral_view_of(&scene->state, actor);
    asked->options = gral_legal_options(&scene->game, &scene->state);
    asked->question = (gral_question){.game = &scene->game,
                                      .view = &asked->view,
                                      .options = &asked->options,
                                      .heard = match.heard[actor],
                                      .heard_count = match.heard_count[actor],
                                      .offers = match.offer_count > 0 ? match.offers : NULL,
                                      .offer_count = match.offer_count,
                                      .seed = seed};
    return &asked->question;
}

static gral_action ask(gral_player *player, uint64_t seed)
{
    struct asked asked;
    return gral_player_decide(player, question_of(&asked, seed), NULL);
}

/* What it offers with a decision; "nothing" is all zeros. */
static bool ask_offer(gral_player *player, uint64_t seed, gral_action decided, gral_offer *offer)
{
    struct asked asked;
    memset(offer, 0, sizeof *offer);
    return gral_player_offer(player, question_of(&asked, seed), decided, offer);
}

static void say(unsigned from, gral_offer offer)
{
    assert_true(match.offer_count < OFFERS_MAX);
    match.offers[match.offer_count++] = (gral_heard_offer){
        .offer = offer, .from = (uint8_t)from, .turn = match.scene.state.open.turn};
}

static void act(gral_action action)
{
    struct scene *scene = &match.scene;
    const unsigned actor = scene->state.open.actor;
    const enum gral_fault fault = gral_check(&scene->game, &scene->state, action);
    if (fault != GRAL_LEGAL)
        fail_msg("decision %u of seat %u: %s", (unsigned)match.decisions, actor + 1, gral_fault_text(fault));
    for (unsigned seat = 0; seat < scene->state.open.players; seat++)
        if (gral_view_hears(seat, actor, action)) {
            assert_true(match.heard_count[seat] < HEARD_MAX);
            match.heard[seat][match.heard_count[seat]++] = (gral_entry){action, (uint8_t)actor};
        }
    gral_apply(&scene->game, &scene->state, action);
    match.decisions++;
}

static const char *const everybody[] = {"random",
                                        "greedy",
                                        "rules",
                                        "ismcts:20",
                                        "rollout:40sims",
                                        "thinker",
                                        "thinker:level=1",
                                        "thinker:level=3,as=morgana",
                                        "thinker:20sims,as=owl,warmth=50",
                                        "waiter:lure=30",
                                        "carrier",
                                        "uncoverer",
                                        "blocker",
                                        "ambusher",
                                        "shadow",
                                        "sprinter",
                                        "miser",
                                        "medley",
                                        "thief",
                                        "spoiler",
                                        "creditor",
                                        "mirror"};
enum { EVERYBODY = sizeof everybody / sizeof *everybody };

static void every_player_plays_legal_games_at_every_table_R2_1_R8_1(void **unused)
{
    (void)unused;
    static const char *const tables[] = {
        "players=2 limit=60",
        "players=3 limit=40",
        "players=4 limit=30",
        "players=4 rules=original limit=30",
        "players=7 limit=14",
        "players=12 limit=8",
        "players=2 board=3x1 pawns=T1,A1 units=2,1 limit=30",
        "players=3 board=3x3 pawns=T1,I1,A2 units=10,10,5,2,1 limit=30",
    };
    gral_player *player[EVERYBODY];
    for (unsigned index = 0; index < EVERYBODY; index++)
        player[index] = player_named(everybody[index]);
    for (unsigned table = 0; table < sizeof tables / sizeof *tables; table++)
        for (unsigned turn = 0; turn < 2; turn++) {
            match_begin(tables[table]);
            while (match.scene.state.open.phase != GRAL_OVER) {
                const unsigned actor = match.scene.state.open.actor, who = (actor + 3 * turn) % EVERYBODY;
                const gral_action action = ask(player[who], 1000 * table + match.decisions);
                gral_offer offer;
                if (ask_offer(player[who], 1000 * table + match.decisions, action, &offer))
                    say(actor, offer);
                act(action);
            }
        }
    for (unsigned index = 0; index < EVERYBODY; index++)
        gral_player_free(player[index]);
}

/* How often the first seat uncovers somebody in a game against three who wait; it must win. */
static unsigned uncovered_against(const char *waiters, uint64_t seed)
{
    gral_player *strongest = player_named("thinker"), *waiter = player_named(waiters);
    unsigned uncovered = 0;
    match_begin("players=4 limit=240");
    while (match.scene.state.open.phase != GRAL_OVER) {
        const bool first = match.scene.state.open.actor == 0;
        const gral_action action = ask(first ? strongest : waiter, 1000 * seed + match.decisions);
        uncovered += first && action.verb == GRAL_UNCOVER;
        act(action);
    }
    assert_int_equal(match.scene.state.open.winner, 0);
    gral_player_free(strongest);
    gral_player_free(waiter);
    return uncovered;
}

static void where_all_others_wait_the_strongest_robs_the_bearer_they_have_spent_their_points_on_R6_3(void **unused)
{
    (void)unused;
    static const char *const waiters[] = {"waiter:steps=1", "waiter:steps=2", "waiter:steps=3",
                                          "waiter:steps=2,enough"};
    for (unsigned index = 0; index < sizeof waiters / sizeof *waiters; index++)
        for (uint64_t seed = 1; seed <= 3; seed++)
            assert_true(uncovered_against(waiters[index], seed) > 0);
}

static void the_same_question_and_seed_give_the_same_action_whatever_was_asked_before(void **unused)
{
    (void)unused;
    gral_player *guide = player_named("rules");
    for (unsigned index = 0; index < EVERYBODY; index++) {
        gral_player *used = player_named(everybody[index]);
        match_begin("players=3 limit=12");
        while (match.scene.state.open.phase != GRAL_OVER) {
            gral_player *fresh = player_named(everybody[index]);
            assert_true(gral_same_action(ask(used, match.decisions), ask(fresh, match.decisions)));
            gral_player_free(fresh);
            act(ask(guide, match.decisions));
        }
        gral_player_free(used);
    }
    gral_player_free(guide);
}

static void hidden_sheets_make_no_difference_to_a_decision_or_an_offer_R10_2(void **unused)
{
    (void)unused;
    gral_player *guide = player_named("rules");
    gral_random random = gral_random_from(7);
    unsigned said = 0;
    for (unsigned index = 0; index < EVERYBODY; index++) {
        gral_player *player = player_named(everybody[index]);
        match_begin("players=3 limit=12");
        while (match.scene.state.open.phase != GRAL_OVER) {
            const gral_state truth = match.scene.state;
            const gral_view view = gral_view_of(&truth, truth.open.actor);
            const gral_action action = ask(player, match.decisions);
            gral_offer offer, again;
            const bool speaks = ask_offer(player, match.decisions, action, &offer);
            assert_true(gral_view_refill(&match.scene.game, &view, &random, &match.scene.state));
            assert_true(gral_same_action(action, ask(player, match.decisions)));
            assert_int_equal(ask_offer(player, match.decisions, action, &again), speaks);
            assert_memory_equal(&again, &offer, sizeof again);
            match.scene.state = truth;
            if (speaks)
                say(truth.open.actor, offer);
            said += speaks;
            act(ask(guide, match.decisions));
        }
        gral_player_free(player);
    }
    assert_true(said > 0);
    gral_player_free(guide);
}

static void from_level_3_on_a_sure_win_is_taken_R7_3(void **unused)
{
    (void)unused;
    static const char *const names[] = {"thinker:level=3", "thinker:level=4", "thinker:level=5", "thinker:100sims"};
    for (unsigned index = 0; index < sizeof names / sizeof *names; index++) {
        gral_player *player = player_named(names[index]);
        match_begin("players=2");
        scene_open(&match.scene, "60 T1", "45 A1");
        match.scene.state.open.known[1][GRAL_A1] = 45; /* so he cannot have more than 55 on T1 */
        scene_put(&match.scene, "T1=a2 grail=T1");
        for (uint64_t seed = 0; seed < 5; seed++)
            assert_true(gral_same_action(ask(player, seed), gral_step(GRAL_T1, 0, GRAL_NO_PAWN)));
        scene_do(&match.scene, "step T1 a1; pass");
        assert_int_equal(ask(player, 1).verb, GRAL_KEEP);
        gral_player_free(player);
    }
}

static void every_level_walks_home_when_nobody_can_stop_it_R4_6_R6_1(void **unused)
{
    (void)unused;
    gral_player *player = player_named("thinker:level=1");
    match_begin("players=2");
    scene_open(&match.scene, "60 T1", "45 A1");
    match.scene.state.open.known[1][GRAL_A1] = 45; /* so he cannot have more than 55 on T1 */
    scene_put(&match.scene, "T1=a3 grail=T1 T2=e3");
    for (uint64_t seed = 0; seed < 20; seed++)
        assert_true(gral_same_action(ask(player, seed), gral_step(GRAL_T1, 5, GRAL_NO_PAWN)));
    /* With T2 beside the way somebody may uncover him there: that is not sure any more, and other things are tried. */
    scene_put(&match.scene, "T2=b2");
    unsigned others = 0;
    for (uint64_t seed = 0; seed < 20; seed++)
        others += !gral_same_action(ask(player, seed), gral_step(GRAL_T1, 5, GRAL_NO_PAWN));
    assert_true(others > 0);
    gral_player_free(player);
}

static void from_level_3_on_an_immediate_loss_is_prevented_R6_1(void **unused)
{
    (void)unused;
    static const char *const names[] = {"thinker:level=3", "thinker:level=4", "thinker:level=5"};
    gral_player *opponent = player_named("rules");
    for (unsigned index = 0; index < sizeof names / sizeof *names; index++) {
        gral_player *player = player_named(names[index]);
        match_begin("players=2");
        scene_open(&match.scene, "20 A1, 30 R1, 50 I1", "60 T1");
        match.scene.state.open.known[1][GRAL_T1] = 60;
        /* T1 is one step from home with the grail, and our sheet is empty: uncover him in this turn or lose. */
        scene_put(&match.scene, "T1=a2 grail=T1 A1=b2");
        while (match.scene.state.open.turn < 3 && match.scene.state.open.phase != GRAL_OVER)
            act(ask(match.scene.state.open.actor == 0 ? player : opponent, match.decisions));
        assert_true(match.scene.state.open.phase != GRAL_OVER);
        gral_player_free(player);
    }
    gral_player_free(opponent);
}

static const char *const careful[] = {"thinker:level=3", "thinker:level=4,as=fox", "thinker:level=5"};
enum { CAREFUL = sizeof careful / sizeof *careful };

static void from_level_3_on_nobody_lets_another_win_whom_he_can_surely_stop_R4_6_R7_3(void **unused)
{
    (void)unused;
    match_begin("players=3");
    scene_open(&match.scene, "10 T1", "20 T1", "30 T1");
    match.scene.state.open.known[2][GRAL_T1] = 30;
    match.scene.state.open.known[0][GRAL_A1] = match.scene.state.open.known[0][GRAL_R1] = 45; /* 10 are left for T1 */
    scene_put(&match.scene, "T1=a2 grail=T1");
    scene_do(&match.scene, "step T1 a1");
    for (unsigned index = 0; index < CAREFUL; index++) {
        gral_player *player = player_named(careful[index]);
        for (uint64_t seed = 0; seed < 50; seed++)
            assert_int_equal(ask(player, seed).verb, GRAL_OBJECT);
        gral_player_free(player);
    }
}

static void from_level_3_on_nobody_takes_the_grail_home_for_another_R7_3(void **unused)
{
    (void)unused;
    match_begin("players=2");
    scene_open(&match.scene, "20 T1", "30 T1");
    match.scene.state.open.known[1][GRAL_T1] = 30;
    scene_put(&match.scene, "T1=a2 grail=T1");
    scene_do(&match.scene, "step T1 a1; pass");
    for (unsigned index = 0; index < CAREFUL; index++) {
        gral_player *player = player_named(careful[index]);
        for (uint64_t seed = 0; seed < 50; seed++)
            assert_int_not_equal(ask(player, seed).verb, GRAL_KEEP);
        gral_player_free(player);
    }
}

static void from_level_3_on_the_bearer_is_uncovered_on_ones_headquarters_where_that_wins_R6_5_R7_1(void **unused)
{
    (void)unused;
    match_begin("players=2");
    scene_open(&match.scene, "70 T2", "45 A1");
    match.scene.state.open.known[1][GRAL_A1] = 45; /* so he cannot have more than 55 on T2, and 60 are left to us */
    scene_put(&match.scene, "A1=a1 grail=A1");
    for (unsigned index = 0; index < CAREFUL; index++) {
        gral_player *player = player_named(careful[index]);
        for (uint64_t seed = 0; seed < 20; seed++)
            assert_true(gral_same_action(ask(player, seed), gral_uncover(GRAL_T2, GRAL_A1)));
        gral_player_free(player);
    }
    scene_do(&match.scene, "uncover T2 A1; pass");
    gral_player *player = player_named("thinker:level=3");
    assert_int_equal(ask(player, 1).verb, GRAL_KEEP);
    gral_player_free(player);
}

static void the_safest_action_shows_and_spends_nothing_R4_8(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=2");
    gral_options options = gral_legal_options(&scene.game, &scene.state);
    assert_int_equal(gral_safest_action(&scene.game, &scene.state.open, &options).verb, GRAL_DONE);
    scene_open(&scene, "20 T1", "20 T1");
    options = gral_legal_options(&scene.game, &scene.state);
    const gral_action turn = gral_safest_action(&scene.game, &scene.state.open, &options);
    assert_int_equal(turn.target, GRAL_NO_PAWN);
    scene_do(&scene, "step T1 a2");
    options = gral_legal_options(&scene.game, &scene.state);
    assert_int_equal(gral_safest_action(&scene.game, &scene.state.open, &options).verb, GRAL_PASS);
    scene_do(&scene, "object 3");
    options = gral_legal_options(&scene.game, &scene.state);
    assert_int_equal(gral_safest_action(&scene.game, &scene.state.open, &options).verb, GRAL_YIELD);
    scene_do(&scene, "claim 3; pass");
    scene_put(&scene, "T1=b3");
    scene_do(&scene, "step T1 c3; pass");
    options = gral_legal_options(&scene.game, &scene.state);
    assert_int_equal(gral_safest_action(&scene.game, &scene.state.open, &options).verb, GRAL_LEAVE);
}

static void an_explanation_has_the_best_first_with_chances_weights_and_reasons(void **unused)
{
    (void)unused;
    gral_player *player = player_named("thinker:60sims"), *guide = player_named("rules");
    match_begin("players=3 limit=9");
    unsigned explained = 0;
    while (match.scene.state.open.phase != GRAL_OVER) {
        struct asked asked;
        gral_explanation explanation;
        gral_player_explain(player, question_of(&asked, match.decisions), NULL, &explanation);
        assert_true(explanation.thoughts >= 1);
        float weights = 0;
        for (unsigned index = 0; index < explanation.thoughts; index++) {
            const gral_thought *thought = &explanation.thought[index];
            assert_int_equal(gral_check(&match.scene.game, &match.scene.state, thought->action), GRAL_LEGAL);
            assert_true(thought->chance >= 0 && thought->chance <= 1);
            assert_true(index == 0 || thought->chance <= thought[-1].chance);
            weights += thought->weight;
        }
        assert_true(weights > 0.99f && weights < 1.01f);
        for (unsigned index = 0; index < explanation.reasons; index++) {
            assert_true(explanation.reason[index].kind < GRAL_REASON_KINDS);
            assert_true(explanation.reason[index].chance >= 0 && explanation.reason[index].chance <= 1.001f);
        }
        explained += explanation.reasons > 0;
        const unsigned verb = explanation.thought[0].action.verb;
        const bool assigns = verb == GRAL_ASSIGN || verb == GRAL_PLACE || verb == GRAL_DONE;
        assert_int_equal(explanation.planned > 0, assigns);
        if (assigns) {
            struct scene scene = match.scene;
            assert_true(gral_same_action(explanation.plan[0], explanation.thought[0].action));
            assert_int_equal(explanation.plan[explanation.planned - 1].verb, GRAL_DONE);
            for (unsigned index = 0; index < explanation.planned; index++) {
                assert_int_equal(gral_check(&scene.game, &scene.state, explanation.plan[index]), GRAL_LEGAL);
                gral_apply(&scene.game, &scene.state, explanation.plan[index]);
            }
        }
        act(ask(guide, match.decisions));
    }
    assert_true(explained > 20);
    gral_player_free(player);
    gral_player_free(guide);
}

static gral_explanation advice_of(const char *name, uint64_t seed)
{
    gral_player *player = player_named(name);
    struct asked asked;
    gral_explanation explanation;
    memset(&explanation, 0, sizeof explanation);
    gral_player_explain(player, question_of(&asked, seed), NULL, &explanation);
    gral_player_free(player);
    return explanation;
}

static const gral_reason *find_reason(const gral_explanation *explanation, enum gral_reason_kind kind)
{
    for (unsigned index = 0; index < explanation->reasons; index++)
        if (explanation->reason[index].kind == kind)
            return &explanation->reason[index];
    return NULL;
}

static bool has_reason(const gral_explanation *explanation, enum gral_reason_kind kind)
{
    return find_reason(explanation, kind) != NULL;
}

static gral_reason reason_of(const gral_explanation *explanation, enum gral_reason_kind kind)
{
    const gral_reason *found = find_reason(explanation, kind);
    assert_non_null(found);
    return *found;
}

static void advice_is_the_same_from_every_level_and_character(void **unused)
{
    (void)unused;
    match_begin("players=3");
    scene_open(&match.scene, "20 A1, 10 T1", "15 A1", "5 R1");
    const gral_explanation plain = advice_of("thinker:level=5", 1), weak = advice_of("thinker:level=1", 1),
                           fox = advice_of("thinker:level=3,as=fox", 1);
    assert_memory_equal(&weak, &plain, sizeof plain);
    assert_memory_equal(&fox, &plain, sizeof plain);
    assert_true(plain.simulations > 0);
}

static void a_sure_win_is_advised_with_certainty_and_nothing_that_speaks_against_it_R7_3(void **unused)
{
    (void)unused;
    match_begin("players=2");
    scene_open(&match.scene, "60 T1", "45 A1");
    match.scene.state.open.known[1][GRAL_A1] = 45;
    scene_put(&match.scene, "T1=a2 grail=T1");
    const gral_explanation win = advice_of("thinker:level=4", 1);
    assert_true(gral_same_action(win.thought[0].action, gral_step(GRAL_T1, 0, GRAL_NO_PAWN)));
    assert_true(win.thoughts == 1 && win.thought[0].chance == 1);
    assert_true(has_reason(&win, GRAL_REASON_WINS_NOW));
    assert_false(has_reason(&win, GRAL_REASON_BETTER_THAN));
}

static void nobody_is_warned_of_a_win_that_would_be_his_own_R7_3(void **unused)
{
    (void)unused;
    match_begin("players=2");
    scene_open(&match.scene, "10 A1", "60 T1");
    match.scene.state.open.known[0][GRAL_A1] = 10;
    match.scene.state.open.known[0][GRAL_R1] = 50;
    scene_put(&match.scene, "T1=a2 grail=T1");
    scene_do(&match.scene, "step T1 a1");
    for (uint64_t seed = 0; seed < 5; seed++) {
        const gral_explanation advice = advice_of("thinker:60sims", seed);
        assert_false(has_reason(&advice, GRAL_REASON_STOPS_WIN));
    }
}

static void whoever_is_to_stop_a_win_is_told_whose_it_would_be_R7_3(void **unused)
{
    (void)unused;
    match_begin("players=3");
    scene_open(&match.scene, "10 T1", "20 T1", "30 T1");
    match.scene.state.open.known[2][GRAL_T1] = 30;
    match.scene.state.open.known[0][GRAL_A1] = match.scene.state.open.known[0][GRAL_R1] = 45;
    scene_put(&match.scene, "T1=a2 grail=T1");
    scene_do(&match.scene, "step T1 a1");
    const gral_explanation advice = advice_of("thinker:60sims", 1);
    assert_int_equal(advice.thought[0].action.verb, GRAL_OBJECT);
    const gral_reason reason = reason_of(&advice, GRAL_REASON_STOPS_WIN);
    assert_true(reason.seat == 2 && reason.pawn == GRAL_T1);
}

static void an_uncovering_is_advised_with_who_loses_most_by_it_and_then_the_grail_is_kept_R6_3_R6_5(void **unused)
{
    (void)unused;
    match_begin("players=3");
    scene_open(&match.scene, "70 T2", "45 A1", "5 A1");
    match.scene.state.open.known[1][GRAL_A1] = match.scene.state.open.known[2][GRAL_R1] = 45;
    scene_put(&match.scene, "A1=a1 grail=A1");
    const gral_explanation uncovers = advice_of("thinker:60sims", 1);
    assert_true(gral_same_action(uncovers.thought[0].action, gral_uncover(GRAL_T2, GRAL_A1)));
    const gral_reason loser = reason_of(&uncovers, GRAL_REASON_UNCOVERS);
    assert_true(loser.seat == 1 && loser.pawn == GRAL_A1 && loser.points >= 45);
    scene_do(&match.scene, "uncover T2 A1; all pass");
    const gral_explanation keeps = advice_of("thinker:60sims", 1);
    assert_int_equal(keeps.thought[0].action.verb, GRAL_KEEP);
    assert_int_equal(reason_of(&keeps, GRAL_REASON_STRONGEST).pawn, GRAL_T2);
}

static void the_grail_is_advised_to_be_carried_home_by_whom_one_leads_R5_1_R7_3(void **unused)
{
    (void)unused;
    match_begin("players=2");
    scene_open(&match.scene, "60 T1", "45 A1");
    match.scene.state.open.known[1][GRAL_A1] = 45;
    scene_put(&match.scene, "T1=a3 grail=T1 T2=e3");
    const gral_explanation advice = advice_of("thinker:60sims", 1);
    assert_true(gral_same_action(advice.thought[0].action, gral_step(GRAL_T1, 5, GRAL_NO_PAWN)));
    assert_int_equal(reason_of(&advice, GRAL_REASON_CARRIES_HOME).points, 1);
    scene_put(&match.scene, "T1=a2");
    scene_do(&match.scene, "step T1 a1; pass");
    const gral_explanation end = advice_of("thinker:60sims", 1);
    assert_int_equal(end.thought[0].action.verb, GRAL_KEEP);
    assert_true(reason_of(&end, GRAL_REASON_WINS_NOW).chance == 1);
}

static void expect_refused(const char *name, unsigned column, const char *message)
{
    gral_error error = {0};
    assert_null(gral_player_make(gral_span_of(name), &error));
    assert_int_equal(error.column, column);
    assert_string_equal(error.message, message);
}

static void unknown_players_levels_and_budgets_are_refused(void **unused)
{
    (void)unused;
    expect_refused(
        "", 1,
        "expected a player: random, greedy, heuristic, ismcts, rollout, thinker, waiter, carrier, uncoverer, blocker, "
        "medley, ambusher, shadow, sprinter, miser, thief, spoiler, creditor, mirror");
    expect_refused(
        "stockfish", 1,
        "expected a player: random, greedy, heuristic, ismcts, rollout, thinker, waiter, carrier, uncoverer, blocker, "
        "medley, ambusher, shadow, sprinter, miser, thief, spoiler, creditor, mirror");
    expect_refused("rules:", 7, "this player takes nothing after its name");
    expect_refused("rules:100ms", 7, "this player takes nothing after its name");
    expect_refused("ismcts:0", 8, "expected a budget like 100ms or 2000sims");
    expect_refused("ismcts:ms", 8, "expected a budget like 100ms or 2000sims");
    expect_refused("ismcts:level=3", 8, "expected a budget like 100ms or 2000sims");
    expect_refused("rollout:level=3", 9, "expected a budget like 100ms or 2000sims");
    static const char words[] =
        "expected a budget like 100ms or 200sims, level=1 to level=5, as= and a character like renard, warmth=1 to "
        "warmth=1000, or hunger=1 to hunger=100";
    expect_refused("thinker:warmth=0", 9, words);
    expect_refused("thinker:level=6", 9, words);
    expect_refused("thinker:100ms,as=cat", 15, words);
}

static const char *called(const char *key)
{
    char text[64];
    snprintf(text, sizeof text, "thinker:level=2,as=%s", key);
    return gral_player_called(gral_span_of(text));
}

static void there_are_twelve_characters_each_with_a_name_of_its_own(void **unused)
{
    (void)unused;
    for (unsigned index = 0; index < GRAL_PLAYERS_MAX; index++) {
        assert_non_null(called(gral_character_key(index)));
        for (unsigned other = 0; other < index; other++)
            assert_string_not_equal(called(gral_character_key(index)), called(gral_character_key(other)));
    }
    assert_null(gral_character_key(GRAL_PLAYERS_MAX));
    assert_null(gral_player_called(gral_span_of("thinker:level=3")));
    assert_null(gral_player_called(gral_span_of("rules")));
    assert_null(gral_player_called(gral_span_of("thinker:as=nobody")));
}

static void characters_of_old_games_are_among_the_twelve(void **unused)
{
    (void)unused;
    assert_string_equal(called("fox"), called("renard"));
    assert_string_equal(called("owl"), called("odile"));
    assert_string_equal(called("wolf"), called("lupo"));
    assert_string_equal(called("ox"), called("bruno"));
}

static void names_that_old_games_have_still_name_players(void **unused)
{
    (void)unused;
    static const char *const names[] = {"thinker",         "thinker:level=1",         "thinker:level=5,as=plain",
                                        "thinker:as=owl",  "thinker:level=3,as=wolf", "thinker:level=2,as=ox",
                                        "thinker:200sims", "thinker:100ms",           "thinker:level=4,100ms,as=fox"};
    for (unsigned index = 0; index < sizeof names / sizeof *names; index++)
        gral_player_free(player_named(names[index]));
}

static void how_long_a_player_may_think_depends_on_its_text_alone_R10_2(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        uint32_t milliseconds;
    } times[] = {{"rules", 20},          {"thinker:level=1", 20},    {"thinker:level=5,as=fox", 20},
                 {"thinker:100ms", 100}, {"thinker:300sims", 600},   {"rollout", 600},
                 {"rollout:50ms", 50},   {"thinker:level=3,7ms", 7}, {"exec:somebody", 600}};
    for (unsigned index = 0; index < sizeof times / sizeof *times; index++)
        assert_int_equal(gral_player_time(gral_span_of(times[index].name)), times[index].milliseconds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_player_plays_legal_games_at_every_table_R2_1_R8_1),
        cmocka_unit_test(where_all_others_wait_the_strongest_robs_the_bearer_they_have_spent_their_points_on_R6_3),
        cmocka_unit_test(the_same_question_and_seed_give_the_same_action_whatever_was_asked_before),
        cmocka_unit_test(hidden_sheets_make_no_difference_to_a_decision_or_an_offer_R10_2),
        cmocka_unit_test(from_level_3_on_a_sure_win_is_taken_R7_3),
        cmocka_unit_test(every_level_walks_home_when_nobody_can_stop_it_R4_6_R6_1),
        cmocka_unit_test(from_level_3_on_an_immediate_loss_is_prevented_R6_1),
        cmocka_unit_test(from_level_3_on_nobody_lets_another_win_whom_he_can_surely_stop_R4_6_R7_3),
        cmocka_unit_test(from_level_3_on_nobody_takes_the_grail_home_for_another_R7_3),
        cmocka_unit_test(from_level_3_on_the_bearer_is_uncovered_on_ones_headquarters_where_that_wins_R6_5_R7_1),
        cmocka_unit_test(the_safest_action_shows_and_spends_nothing_R4_8),
        cmocka_unit_test(an_explanation_has_the_best_first_with_chances_weights_and_reasons),
        cmocka_unit_test(advice_is_the_same_from_every_level_and_character),
        cmocka_unit_test(a_sure_win_is_advised_with_certainty_and_nothing_that_speaks_against_it_R7_3),
        cmocka_unit_test(nobody_is_warned_of_a_win_that_would_be_his_own_R7_3),
        cmocka_unit_test(whoever_is_to_stop_a_win_is_told_whose_it_would_be_R7_3),
        cmocka_unit_test(an_uncovering_is_advised_with_who_loses_most_by_it_and_then_the_grail_is_kept_R6_3_R6_5),
        cmocka_unit_test(the_grail_is_advised_to_be_carried_home_by_whom_one_leads_R5_1_R7_3),
        cmocka_unit_test(unknown_players_levels_and_budgets_are_refused),
        cmocka_unit_test(there_are_twelve_characters_each_with_a_name_of_its_own),
        cmocka_unit_test(characters_of_old_games_are_among_the_twelve),
        cmocka_unit_test(names_that_old_games_have_still_name_players),
        cmocka_unit_test(how_long_a_player_may_think_depends_on_its_text_alone_R10_2),
    };
    return cmocka_run_group_tests_name("players", tests, NULL, NULL);
}
