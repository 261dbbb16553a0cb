/* Table talk: offers as text, and what computer players make of them. */
#include "scene.h"

#include "players/surmise.h"
#include "players/talk.h"

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

/* --- listening --- */

static const talk_manners trusting = {.trust = 1, .honesty = 1, .chatter = 1};

enum { SAID_MAX = 400 };

/* A scene with what was said at its table; everybody hears all of it. */
struct hall {
    struct scene scene;
    gral_heard_offer said[SAID_MAX];
    size_t count;
    gral_view view;
    gral_options options;
};

static gral_offer offer_in(const char *words)
{
    gral_offer offer;
    gral_error error;
    if (!gral_offer_parse(gral_span_of(words), &offer, &error))
        fail_msg("%s: %s", words, error.message);
    return offer;
}

/* Seats count from 1 here, as in all texts. */
static void hall_say(struct hall *hall, unsigned seat, const char *words)
{
    assert_true(hall->count < SAID_MAX);
    hall->said[hall->count++] = (gral_heard_offer){
        .offer = offer_in(words), .from = (uint8_t)(seat - 1), .turn = hall->scene.state.open.turn};
}

static gral_question hall_question(struct hall *hall, unsigned seat, uint64_t seed)
{
    hall->view = gral_view_of(&hall->scene.state, seat - 1);
    hall->options = gral_legal_options(&hall->scene.game, &hall->scene.state);
    return (gral_question){.game = &hall->scene.game,
                           .view = &hall->view,
                           .options = &hall->options,
                           .offers = hall->count > 0 ? hall->said : NULL,
                           .offer_count = hall->count,
                           .seed = seed};
}

static talk hall_talk(struct hall *hall, unsigned seat)
{
    const gral_question question = hall_question(hall, seat, 1);
    talk heard;
    talk_hear(&heard, &question, &trusting);
    return heard;
}

static struct hall hall_of(const char *settings)
{
    return (struct hall){.scene = scene_of(settings)};
}

/* What seat 1, to whom every figure was as likely as any other, believes of seat 2, as the chance that he holds so
 * much.
 */
static float believed(struct hall *hall, unsigned pawn, unsigned points)
{
    static surmise surmise;
    const gral_question question = hall_question(hall, 1, 1);
    talk heard;
    talk_hear(&heard, &question, &trusting);
    surmise.seats = question.view->open.players;
    for (unsigned figure = 0; figure <= GRAL_POINTS_MAX; figure++)
        surmise.influence[1][pawn][figure] = 1.0f / (GRAL_POINTS_MAX + 1);
    surmise_listen(&surmise, &question.view->open, &heard);
    return surmise_at_least(&surmise, 1, pawn, points);
}

static void a_claim_makes_such_sheets_likelier_by_half_at_the_most(void **unused)
{
    (void)unused;
    struct hall hall = hall_of("players=3");
    scene_open(&hall.scene, "10 A1", "5 T1", "5 R1");
    const float before = believed(&hall, GRAL_T1, 10);
    assert_true(before > 0.05f && before < 0.95f);
    hall_say(&hall, 2, "hold 10 T1");
    const float after = believed(&hall, GRAL_T1, 10);
    assert_true(after > before + 0.01f);
    assert_true(after / (1 - after) < 1.501f * before / (1 - before));
    /* Saying it again and again does not make it truer. */
    for (unsigned again = 0; again < 20; again++)
        hall_say(&hall, 2, "hold 10 T1");
    assert_true(believed(&hall, GRAL_T1, 10) == after);
}

static void a_claim_may_have_been_paid_from_since_R6_4(void **unused)
{
    (void)unused;
    struct hall hall = hall_of("players=3");
    scene_open(&hall.scene, "10 A1", "25 T1", "5 R1");
    hall_say(&hall, 2, "hold 25 T1");
    scene_put(&hall.scene, "T1=e1");
    scene_do(&hall.scene, "step A2 d1; all pass; uncover T1 A1; all pass");
    const gral_open *open = &hall.scene.state.open;
    assert_int_equal(open->paid[1][GRAL_T1], 10);
    const talk heard = hall_talk(&hall, 1);
    assert_int_equal(heard.caught, 0);
    assert_true(talk_credit(&heard, open, 1, &hall.scene.state.sheet[1]) == 1.5f);
}

static void whoever_was_caught_with_a_false_claim_is_not_listened_to_R6_3(void **unused)
{
    (void)unused;
    struct hall hall = hall_of("players=3");
    scene_open(&hall.scene, "20 A1", "3 T1", "3 T1");
    hall_say(&hall, 2, "hold 4 T1");
    hall_say(&hall, 2, "stop 3");
    hall_say(&hall, 3, "hold 3 T1");
    hall_say(&hall, 3, "stop 2");
    talk heard = hall_talk(&hall, 1);
    assert_int_equal(heard.caught, 0);
    assert_int_equal(heard.stop[2], 1 << 1);
    scene_put(&hall.scene, "T1=e1");
    scene_do(&hall.scene, "uncover A1 T1; all pass");
    heard = hall_talk(&hall, 1);
    assert_int_equal(heard.caught, 1 << 1);
    assert_int_equal(heard.stop[2], 0);
    assert_int_equal(heard.stop[1], 1 << 2);
}

static void a_claim_that_no_sheet_allows_is_false_R10_3(void **unused)
{
    (void)unused;
    struct hall hall = hall_of("players=3");
    scene_open(&hall.scene, "20 A1", "45 A1", "3 T1");
    hall_say(&hall, 2, "hold 60 T1");
    assert_int_equal(hall_talk(&hall, 1).caught, 0);
    scene_do(&hall.scene, "step A1 d1; object 45; yield");
    assert_int_equal(hall_talk(&hall, 1).caught, 1 << 1);
    /* He hears himself all the same. */
    assert_int_equal(hall_talk(&hall, 2).caught, 0);
}

/* How often, in a hundred, seat 2 is thought to keep quiet about the proposal that is open. */
static unsigned quiet(const talk *heard, const struct hall *hall)
{
    gral_random random = gral_random_from(3);
    unsigned count = 0;
    assert_int_equal(hall->scene.state.open.actor, 1);
    for (unsigned time = 0; time < 100; time++)
        count += talk_keeps_quiet(heard, &hall->scene.state.open, &random);
    return count;
}

static void a_promise_to_pass_counts_for_a_round_of_turns_and_for_this_initiate(void **unused)
{
    (void)unused;
    struct hall hall = hall_of("players=3");
    scene_open(&hall.scene, "20 A1", "20 T1", "3 T1");
    hall_say(&hall, 2, "pass T1");
    scene_do(&hall.scene, "step T1 a2");
    talk heard = hall_talk(&hall, 1);
    assert_in_range(quiet(&heard, &hall), 30, 70);
    scene_do(&hall.scene, "all pass; assign; done; assign; done; step T1 a3"); /* turn 4 */
    heard = hall_talk(&hall, 1);
    assert_in_range(quiet(&heard, &hall), 30, 70);
    scene_do(&hall.scene, "object 1; yield; step T2 a2");
    assert_int_equal(quiet(&heard, &hall), 0);
    scene_do(&hall.scene, "all pass; assign; done; assign; done; step T1 a3"); /* turn 7 */
    heard = hall_talk(&hall, 1);
    assert_int_equal(quiet(&heard, &hall), 0);
}

static void who_calls_for_uncovering_somebody_does_not_object_to_it(void **unused)
{
    (void)unused;
    struct hall hall = hall_of("players=3");
    scene_open(&hall.scene, "20 A1", "20 A1", "3 T1");
    scene_put(&hall.scene, "T1=e1");
    hall_say(&hall, 2, "uncover T1");
    scene_do(&hall.scene, "uncover A1 T1");
    talk heard = hall_talk(&hall, 1);
    assert_in_range(quiet(&heard, &hall), 30, 70);
    scene_do(&hall.scene, "object 20; yield; uncover A1 A2");
    heard = hall_talk(&hall, 1);
    assert_int_equal(quiet(&heard, &hall), 0);
}

static float pull(struct hall *hall, unsigned seat, gral_action action)
{
    const talk heard = hall_talk(hall, seat);
    return talk_leaning(&heard, &hall->scene.state.open, action);
}

static void wishes_pull_a_little_and_more_when_others_agree(void **unused)
{
    (void)unused;
    struct hall hall = hall_of("players=4");
    scene_open(&hall.scene, "20 A1", "20 T1", "3 T1", "3 R1");
    const gral_action nearer = gral_step(GRAL_T1, 5, GRAL_NO_PAWN), elsewhere = gral_step(GRAL_T2, 5, GRAL_NO_PAWN);
    hall_say(&hall, 2, "bring T1 a3");
    const float one = pull(&hall, 1, nearer);
    assert_true(one > 0 && one < 0.01f);
    assert_true(pull(&hall, 1, elsewhere) == 0);
    hall_say(&hall, 3, "agree");
    assert_true(pull(&hall, 1, nearer) == 2 * one);
    hall_say(&hall, 3, "refuse");
    assert_true(pull(&hall, 1, nearer) == one);
    for (unsigned again = 0; again < 20; again++)
        hall_say(&hall, 2, "bring T1 a3");
    assert_true(pull(&hall, 1, nearer) == one);
    /* Nobody pulls himself, and after a round of turns it is forgotten. */
    assert_true(pull(&hall, 2, nearer) == 0);
    scene_do(&hall.scene, "assign; done; assign; done; assign; done; assign; done; assign; done");
    assert_int_equal(hall.scene.state.open.turn, 6);
    assert_true(pull(&hall, 1, nearer) == 0);
}

static void a_promise_to_pass_pulls_towards_moving_that_initiate(void **unused)
{
    (void)unused;
    struct hall hall = hall_of("players=3");
    scene_open(&hall.scene, "20 A1", "20 T1", "3 T1");
    hall_say(&hall, 2, "pass T1");
    assert_true(pull(&hall, 1, gral_step(GRAL_T1, 5, GRAL_NO_PAWN)) > 0);
    assert_true(pull(&hall, 1, gral_step(GRAL_A1, 3, GRAL_NO_PAWN)) == 0);
}

static void calls_to_stop_a_player_favour_objections_to_him_but_not_with_two_players(void **unused)
{
    (void)unused;
    for (unsigned players = 2; players <= 3; players++) {
        struct hall hall = hall_of(players == 2 ? "players=2" : "players=3");
        scene_open(&hall.scene, "20 T1", "20 T1");
        hall_say(&hall, players, "stop 1");
        scene_do(&hall.scene, players == 2 ? "step T1 a2" : "step T1 a2; pass");
        hall_say(&hall, 2, "stop 1");
        assert_int_equal(pull(&hall, players, gral_object(1)) > 0, players == 3);
    }
}

static void an_honest_player_leans_towards_keeping_his_promise(void **unused)
{
    (void)unused;
    struct hall hall = hall_of("players=2");
    scene_open(&hall.scene, "20 T1", "20 T1");
    hall_say(&hall, 2, "pass T1");
    scene_do(&hall.scene, "step T1 a2");
    const talk heard = hall_talk(&hall, 2);
    assert_true(talk_leaning(&heard, &hall.scene.state.open, gral_object(1)) < -0.01f);
    assert_true(talk_leaning(&heard, &hall.scene.state.open, gral_say(GRAL_PASS)) == 0);
}

static void where_nothing_counts_nothing_is_shifted_and_no_luck_is_spent(void **unused)
{
    (void)unused;
    for (unsigned idle_words = 0; idle_words < 2; idle_words++) {
        struct hall hall = hall_of("players=3");
        scene_open(&hall.scene, "20 A1", "20 T1", "3 T1");
        if (idle_words) { /* about nobody here, or without a promise */
            hall_say(&hall, 2, "stop 12");
            hall_say(&hall, 2, "agree");
            hall_say(&hall, 3, "refuse");
        }
        scene_do(&hall.scene, "step T1 a2");
        const talk heard = hall_talk(&hall, 1);
        gral_random random = gral_random_from(9);
        assert_false(talk_keeps_quiet(&heard, &hall.scene.state.open, &random));
        assert_true(random.state == gral_random_from(9).state);
        for (unsigned seat = 0; seat < 3; seat++)
            assert_true(talk_credit(&heard, &hall.scene.state.open, seat, &hall.scene.state.sheet[seat]) == 1);
        assert_true(talk_leaning(&heard, &hall.scene.state.open, gral_object(1)) == 0);
        assert_true(talk_leaning(&heard, &hall.scene.state.open, gral_step(GRAL_T1, 5, GRAL_A1)) == 0);
    }
}

/* --- deciding and speaking --- */

/* What it thinks in this position, to the bit. */
static gral_explanation thoughts(gral_player *player, struct hall *hall, uint64_t seed)
{
    const gral_question question = hall_question(hall, hall->scene.state.open.actor + 1u, seed);
    gral_explanation explanation;
    memset(&explanation, 0, sizeof explanation);
    gral_player_explain(player, &question, NULL, &explanation);
    return explanation;
}

static bool same_thoughts(const gral_explanation *a, const gral_explanation *b)
{
    return a->thoughts == b->thoughts && a->simulations == b->simulations &&
           memcmp(a->thought, b->thought, a->thoughts * sizeof *a->thought) == 0;
}

static void promises_change_what_is_thought_and_a_liars_words_do_not(void **unused)
{
    (void)unused;
    gral_player *player = player_named("thinker:300sims,level=3");
    struct hall silent = hall_of("players=3");
    scene_open(&silent.scene, "20 A1, 10 T1", "45 A1, 30 T1", "3 T1, 20 I1");
    scene_do(&silent.scene, "step A1 d1; object 45; yield");
    struct hall promised = silent, lied = silent;
    hall_say(&promised, 2, "pass T1");
    hall_say(&promised, 2, "hold 20 I1");
    hall_say(&lied, 2, "pass T1");
    hall_say(&lied, 2, "hold 20 I1");
    hall_say(&lied, 2, "hold 60 I1"); /* with 45 shown on A1 */
    unsigned changed = 0;
    for (uint64_t seed = 0; seed < 5; seed++) {
        const gral_explanation without = thoughts(player, &silent, seed), with = thoughts(player, &promised, seed),
                               liar = thoughts(player, &lied, seed);
        changed += !same_thoughts(&without, &with);
        assert_true(same_thoughts(&without, &liar));
    }
    assert_int_equal(changed, 5);
    gral_player_free(player);
}

static bool speaks(gral_player *player, struct hall *hall, uint64_t seed, gral_action decided, gral_offer *offer)
{
    const gral_question question = hall_question(hall, hall->scene.state.open.actor + 1u, seed);
    return gral_player_offer(player, &question, decided, offer);
}

/* Which kinds of offers, as bits, the actor makes with this decision. */
static unsigned kinds_said(const char *name, struct hall *hall, gral_action decided)
{
    gral_player *player = player_named(name);
    unsigned kinds = 0;
    gral_offer offer;
    for (uint64_t seed = 0; seed < 200; seed++)
        if (speaks(player, hall, seed, decided, &offer))
            kinds |= 1u << offer.kind;
    gral_player_free(player);
    return kinds;
}

/* Seat 2 has shown 30 on T1, who carries the grail two steps from home. Seat 1 is to move. */
static struct hall threatened(const char *settings, const char *own)
{
    struct hall hall = hall_of(settings);
    scene_open(&hall.scene, own, "30 T1", "20 A1");
    hall.scene.state.open.known[1][GRAL_T1] = 30;
    scene_put(&hall.scene, "T1=a3 grail=T1 A1=b3");
    return hall;
}

static const gral_action somewhere = {GRAL_STEP, GRAL_I1, GRAL_NO_PAWN, {23}};

static void the_others_are_called_to_help_against_whoever_is_about_to_win(void **unused)
{
    (void)unused;
    struct hall hall = threatened("players=3", "20 I1");
    assert_int_equal(kinds_said("thinker:level=1", &hall, somewhere),
                     1 << GRAL_OFFER_STOP | 1 << GRAL_OFFER_UNCOVER | 1 << GRAL_OFFER_PASS);
    gral_player *player = player_named("thinker:level=1");
    for (uint64_t seed = 0; seed < 50; seed++) {
        gral_offer offer;
        if (!speaks(player, &hall, seed, somewhere, &offer))
            continue;
        const gral_offer sensible[] = {offer_in("stop 2"), offer_in("uncover T1"), offer_in("pass A1")};
        unsigned found = 0;
        for (unsigned index = 0; index < 3; index++)
            found += memcmp(&offer, &sensible[index], sizeof offer) == 0;
        assert_int_equal(found, 1);
    }
    gral_player_free(player);
    /* With four a helper must come before he can strike (R4.2). */
    hall = threatened("players=4", "20 I1");
    assert_int_equal(kinds_said("thinker:level=1", &hall, somewhere),
                     1 << GRAL_OFFER_STOP | 1 << GRAL_OFFER_UNCOVER | 1 << GRAL_OFFER_BRING);
}

static void nobody_calls_for_help_against_himself_or_in_a_game_of_two(void **unused)
{
    (void)unused;
    struct hall hall = threatened("players=3", "40 T1"); /* he holds more than seat 2 has shown */
    assert_int_equal(kinds_said("thinker:level=1", &hall, somewhere), 0);
    hall = hall_of("players=2");
    scene_open(&hall.scene, "20 I1", "30 T1");
    hall.scene.state.open.known[1][GRAL_T1] = 30;
    scene_put(&hall.scene, "T1=a3 grail=T1");
    assert_int_equal(kinds_said("thinker:level=1", &hall, somewhere), 0);
}

static void offers_against_whoever_is_about_to_win_are_agreed_to_and_others_refused(void **unused)
{
    (void)unused;
    struct hall hall = threatened("players=3", "20 I1");
    hall_say(&hall, 3, "stop 2");
    assert_int_equal(kinds_said("thinker:level=1", &hall, somewhere), 1 << GRAL_OFFER_AGREE);
    hall_say(&hall, 3, "stop 1");
    assert_int_equal(kinds_said("thinker:level=1", &hall, somewhere), 1 << GRAL_OFFER_REFUSE);
}

static void a_whisper_makes_no_difference_to_what_is_said_aloud(void **unused)
{
    (void)unused;
    static const char *const whispers[] = {"stop 2", "stop 1", "uncover T1", "pass A1", "hold 100 R1"};
    gral_player *player = player_named("thinker:level=1");
    for (unsigned whisper = 0; whisper < sizeof whispers / sizeof *whispers; whisper++) {
        struct hall open = threatened("players=3", "20 I1"), secret = open;
        hall_say(&secret, 3, whispers[whisper]);
        secret.said[0].to = 1 << 0;
        for (uint64_t seed = 0; seed < 50; seed++) {
            gral_offer without = {0}, with = {0};
            assert_int_equal(speaks(player, &secret, seed, somewhere, &with),
                             speaks(player, &open, seed, somewhere, &without));
            assert_memory_equal(&with, &without, sizeof with);
        }
    }
    gral_player_free(player);
}

/* The points that a character claims on T1 before it moves him with the grail, as it has shown `known`: whether it ever
 * claims more than that. */
static bool overstates(const char *name, unsigned known)
{
    struct hall hall = hall_of("players=2");
    scene_open(&hall.scene, "40 T1", "30 A1");
    hall.scene.state.open.known[0][GRAL_T1] = (uint8_t)known;
    scene_put(&hall.scene, "T1=c3");
    gral_player *player = player_named(name);
    bool more = false;
    unsigned claims = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        gral_offer offer;
        if (!speaks(player, &hall, seed, gral_step(GRAL_T1, 11, GRAL_NO_PAWN), &offer))
            continue;
        assert_int_equal(offer.kind, GRAL_OFFER_HOLD);
        assert_int_equal(offer.pawn, GRAL_T1);
        assert_true(offer.points >= known);
        more = more || offer.points > known;
        claims++;
    }
    assert_true(claims > 0);
    gral_player_free(player);
    return more;
}

static void an_ox_claims_what_is_known_and_a_fox_more(void **unused)
{
    (void)unused;
    assert_false(overstates("thinker:level=1,as=ox", 20));
    assert_true(overstates("thinker:level=1,as=fox", 20));
}

static void what_is_claimed_does_not_depend_on_the_sheet_R10_2(void **unused)
{
    (void)unused;
    gral_player *player = player_named("thinker:level=1,as=fox");
    struct hall rich = hall_of("players=2"), poor = hall_of("players=2");
    scene_open(&rich.scene, "60 T1", "30 A1");
    scene_open(&poor.scene, "12 T1", "30 A1");
    unsigned claims = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        gral_offer of_rich = {0}, of_poor = {0};
        struct hall *const halls[] = {&rich, &poor};
        for (unsigned index = 0; index < 2; index++) {
            halls[index]->scene.state.open.known[0][GRAL_T1] = 12;
            scene_put(&halls[index]->scene, "T1=c3");
        }
        const gral_action step = gral_step(GRAL_T1, 11, GRAL_NO_PAWN);
        assert_int_equal(speaks(player, &rich, seed, step, &of_rich), speaks(player, &poor, seed, step, &of_poor));
        assert_memory_equal(&of_rich, &of_poor, sizeof of_rich);
        claims += of_rich.points > 12;
    }
    assert_true(claims > 0);
    gral_player_free(player);
}

static void words_come_with_the_first_word_of_a_turn_only_R10_2(void **unused)
{
    (void)unused;
    struct hall hall = threatened("players=3", "20 I1, 20 A1");
    assert_int_not_equal(kinds_said("thinker:level=1", &hall, somewhere), 0);
    scene_do(&hall.scene, "step A1 b4; pass; object 5");
    assert_int_equal(kinds_said("thinker:level=1", &hall, gral_claim(5)), 0);
    scene_do(&hall.scene, "yield");
    assert_int_equal(kinds_said("thinker:level=1", &hall, somewhere), 0);
    hall = threatened("players=3", "20 I1, 20 A1");
    scene_do(&hall.scene, "step A1 b4; pass");
    assert_int_equal(kinds_said("thinker:level=1", &hall, gral_say(GRAL_PASS)), 0);
    assert_int_equal(kinds_said("thinker:level=1", &hall, gral_object(5)), 0);
}

static void a_table_of_talkers_speaks_seldom_and_does_not_repeat_itself(void **unused)
{
    (void)unused;
    static const char *const names[] = {"thinker:level=1,as=fox", "thinker:level=1", "thinker:level=1,as=wolf"};
    gral_player *player[3];
    for (unsigned index = 0; index < 3; index++)
        player[index] = player_named(names[index]);
    static struct hall hall;
    unsigned said = 0;
    for (uint64_t game = 0; game < 6; game++) {
        hall = hall_of("players=3 limit=90");
        uint64_t seed = 1000 * game;
        while (hall.scene.state.open.phase != GRAL_OVER) {
            const unsigned actor = hall.scene.state.open.actor;
            const gral_question question = hall_question(&hall, actor + 1, seed++);
            const gral_action action = gral_player_decide(player[actor], &question, NULL);
            gral_offer offer;
            if (gral_player_offer(player[actor], &question, action, &offer))
                hall.said[hall.count++] = (gral_heard_offer){
                    .offer = offer, .from = (uint8_t)actor, .turn = hall.scene.state.open.turn};
            assert_true(hall.count < SAID_MAX);
            gral_apply(&hall.scene.game, &hall.scene.state, action);
        }
        for (size_t index = 0; index < hall.count; index++)
            for (size_t before = 0; before < index; before++) {
                const gral_heard_offer *late = &hall.said[index], *early = &hall.said[before];
                if (early->from == late->from)
                    assert_true(late->turn >= early->turn + 9);
                if (late->offer.kind < GRAL_OFFER_AGREE && memcmp(&late->offer, &early->offer, sizeof late->offer) == 0)
                    assert_true(late->turn >= early->turn + 27);
            }
        said += (unsigned)hall.count;
    }
    assert_true(said > 0);
    for (unsigned index = 0; index < 3; index++)
        gral_player_free(player[index]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_offer_is_read_back_as_it_was_written),
        cmocka_unit_test(seats_in_an_offer_count_from_one),
        cmocka_unit_test(an_offer_that_is_wrong_is_refused_with_column_and_expectation),
        cmocka_unit_test(a_claim_makes_such_sheets_likelier_by_half_at_the_most),
        cmocka_unit_test(a_claim_may_have_been_paid_from_since_R6_4),
        cmocka_unit_test(whoever_was_caught_with_a_false_claim_is_not_listened_to_R6_3),
        cmocka_unit_test(a_claim_that_no_sheet_allows_is_false_R10_3),
        cmocka_unit_test(a_promise_to_pass_counts_for_a_round_of_turns_and_for_this_initiate),
        cmocka_unit_test(who_calls_for_uncovering_somebody_does_not_object_to_it),
        cmocka_unit_test(wishes_pull_a_little_and_more_when_others_agree),
        cmocka_unit_test(a_promise_to_pass_pulls_towards_moving_that_initiate),
        cmocka_unit_test(calls_to_stop_a_player_favour_objections_to_him_but_not_with_two_players),
        cmocka_unit_test(an_honest_player_leans_towards_keeping_his_promise),
        cmocka_unit_test(where_nothing_counts_nothing_is_shifted_and_no_luck_is_spent),
        cmocka_unit_test(promises_change_what_is_thought_and_a_liars_words_do_not),
        cmocka_unit_test(the_others_are_called_to_help_against_whoever_is_about_to_win),
        cmocka_unit_test(nobody_calls_for_help_against_himself_or_in_a_game_of_two),
        cmocka_unit_test(offers_against_whoever_is_about_to_win_are_agreed_to_and_others_refused),
        cmocka_unit_test(a_whisper_makes_no_difference_to_what_is_said_aloud),
        cmocka_unit_test(an_ox_claims_what_is_known_and_a_fox_more),
        cmocka_unit_test(what_is_claimed_does_not_depend_on_the_sheet_R10_2),
        cmocka_unit_test(words_come_with_the_first_word_of_a_turn_only_R10_2),
        cmocka_unit_test(a_table_of_talkers_speaks_seldom_and_does_not_repeat_itself),
    };
    return cmocka_run_group_tests_name("offers", tests, NULL, NULL);
}
