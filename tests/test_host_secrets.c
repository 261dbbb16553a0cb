/* R10.2 at the host: whole games by chance, with orders, clocks, whispers and computer players, in which one thing is
 * different that somebody may not know. Nothing he can get from the host differs then, byte for byte. */
#include "hosting.h"

#include "fair/blake2b.h"

#include <stdlib.h>
#include <string.h>

enum { LOG_MAX = 1 << 20, GAMES = 12 };

/* Two hosts that get the same inputs, but for what the secret seat places. */
typedef struct pair {
    gral_host *host[2];
    unsigned secret; /* GRAL_NOBODY: they get the same */
    gral_random random;
    int64_t time;
    unsigned lates, spoken, thought, whispered, objecting; /* what has come up */
    gral_text log;                                         /* "TIME INPUT" lines of the first host */
} pair;

static unsigned below(pair *pair, unsigned bound)
{
    return gral_random_below(&pair->random, bound);
}

static unsigned players(const pair *pair)
{
    return gral_host_terms(pair->host[0])->settings.players;
}

static bool playing(const pair *pair)
{
    return gral_host_stage(pair->host[0]) == GRAL_PLAYING && gral_host_stage(pair->host[1]) == GRAL_PLAYING;
}

static const char *const tables[] = {
    "players=4 game=g limit=24 seed=3 clock=move time=1500 pace=300 talk=yes seat3=random",
    "players=3 game=g limit=24 seed=4 clock=bank time=9000 increment=300 answer=2000 pace=200 talk=yes",
    "players=2 game=g limit=24 talk=yes seat2=greedy",
    "players=5 game=g limit=24 seed=5 clock=move time=4000 talk=yes seat1=random seat5=rules",
};
enum { TABLES = sizeof tables / sizeof *tables };

static void begin(pair *pair, unsigned game, char *log)
{
    *pair = (struct pair){.secret = GRAL_NOBODY, .random = gral_random_from(game)};
    pair->log = gral_text_in(log, LOG_MAX);
    for (unsigned which = 0; which < 2; which++)
        pair->host[which] = host_of(tables[game % TABLES]);
}

static void end(pair *pair)
{
    gral_host_free(pair->host[0]);
    gral_host_free(pair->host[1]);
}

static gral_salt salt_by_chance(pair *pair)
{
    gral_salt salt;
    for (unsigned byte = 0; byte < GRAL_SALT_BYTES; byte++)
        salt.bytes[byte] = (uint8_t)below(pair, 256);
    return salt;
}

/* --- giving inputs --- */

static bool both_take(const pair *pair, const gral_input input[2])
{
    return gral_host_check(pair->host[0], &input[0], pair->time) == GRAL_ACCEPTED &&
           gral_host_check(pair->host[1], &input[1], pair->time) == GRAL_ACCEPTED;
}

static void give(pair *pair, const gral_input input[2])
{
    gral_text_add_number(&pair->log, (uint64_t)pair->time);
    gral_text_add(&pair->log, " ");
    gral_input_print(&pair->log, &input[0]);
    gral_text_add(&pair->log, "\n");
    for (unsigned which = 0; which < 2; which++)
        assert_int_equal(gral_host_apply(pair->host[which], &input[which], pair->time), GRAL_LEGAL);
}

static bool give_if_legal(pair *pair, gral_input input)
{
    const gral_input same[2] = {input, input};
    if (!both_take(pair, same))
        return false;
    give(pair, same);
    return true;
}

static void seat_everybody(pair *pair)
{
    for (unsigned seat = 0; seat < players(pair); seat++)
        give_if_legal(pair, (gral_input){.kind = GRAL_INPUT_SIT, .seat = (uint8_t)seat, .user = 100 + seat});
}

/* --- deciding by chance --- */

static void add_action(gral_input *input, gral_action action)
{
    input->action[input->action_count++] = action;
}

/* Some units on some initiates, as the sheet allows, and the end. */
static void place_by_chance(pair *pair, unsigned which, gral_input *input)
{
    const gral_view view = gral_host_view(pair->host[which], input->seat);
    const bool one_pawn = players(pair) >= 4 && view.open.phase != GRAL_OPENING;
    gral_sheet sheet = view.sheet[input->seat];
    unsigned pawn = below(pair, GRAL_PAWNS);
    for (unsigned units = below(pair, 7); units > 0; units--) {
        const unsigned kind = below(pair, GRAL_UNIT_KINDS);
        pawn = one_pawn ? pawn : below(pair, GRAL_PAWNS);
        if (sheet.units[kind] == 0 || !gral_on_board(&view.open, pawn))
            continue;
        sheet.units[kind]--;
        add_action(input, gral_place(gral_unit_value[kind], pawn));
    }
    add_action(input, gral_say(GRAL_DONE));
    input->salt = salt_by_chance(pair);
    input->salted = true;
}

/* R6.3 shows what everybody holds on an uncovered initiate: then the games are rightly different. */
static bool would_show_the_secret(const pair *pair, gral_action action)
{
    if (pair->secret == GRAL_NOBODY || action.target == GRAL_NO_PAWN)
        return false;
    const gral_view one = gral_host_view(pair->host[0], pair->secret),
                    other = gral_host_view(pair->host[1], pair->secret);
    return one.sheet[pair->secret].influence[action.target] != other.sheet[pair->secret].influence[action.target];
}

static gral_action choose(pair *pair, unsigned seat, unsigned attempt)
{
    const gral_options options = gral_host_options(pair->host[0], seat);
    const gral_view view = gral_host_view(pair->host[0], seat);
    return attempt < 20 ? gral_options_pick(gral_host_game(pair->host[0]), &view.open, &options,
                                            below(pair, gral_options_count(&options)))
                        : gral_safest_action(gral_host_game(pair->host[0]), &view.open, &options);
}

static void decide_by_chance(pair *pair, unsigned seat)
{
    const bool computer = gral_host_seat_at(pair->host[0], seat).computer;
    for (unsigned attempt = 0; attempt <= 20; attempt++) {
        gral_action action = choose(pair, seat, attempt);
        gral_input input[2];
        for (unsigned which = 0; which < 2; which++) {
            input[which] = (gral_input){.kind = GRAL_INPUT_DO, .seat = (uint8_t)seat, .computer = computer};
            if (which == 1 && seat != pair->secret) {
                input[1] = input[0];
                break;
            }
            if (action.verb != GRAL_PLACE && action.verb != GRAL_DONE)
                add_action(&input[which], action);
            if (action.verb == GRAL_PLACE || action.verb == GRAL_DONE || action.verb == GRAL_ASSIGN)
                place_by_chance(pair, which, &input[which]);
        }
        if (would_show_the_secret(pair, action) || !both_take(pair, input))
            continue;
        give(pair, input);
        return;
    }
    fail_msg("no action is legal in both games");
}

/* The question is the same in both games, or the computer player might answer otherwise. */
static void decide_by_computer(pair *pair, unsigned seat)
{
    gral_task task[2];
    for (unsigned which = 0; which < 2; which++)
        assert_true(gral_host_task(pair->host[which], seat, &task[which]));
    assert_memory_equal(&task[0].view, &task[1].view, sizeof task[0].view);
    assert_int_equal(task[0].heard_count, task[1].heard_count);
    assert_memory_equal(task[0].heard, task[1].heard, task[0].heard_count * sizeof *task[0].heard);
    assert_int_equal(task[0].offer_count, task[1].offer_count);
    for (size_t index = 0; index < task[0].offer_count; index++) {
        assert_memory_equal(&task[0].offers[index].offer, &task[1].offers[index].offer, sizeof(gral_offer));
        assert_int_equal(task[0].offers[index].from, task[1].offers[index].from);
        assert_int_equal(task[0].offers[index].turn, task[1].offers[index].turn);
        assert_int_equal(task[0].offers[index].to, task[1].offers[index].to);
    }
    assert_int_equal(task[0].seed, task[1].seed);
    assert_int_equal(task[0].version, task[1].version);

    gral_error error;
    gral_player *player = gral_player_make(gral_span_of("random"), &error);
    gral_input input = {.kind = GRAL_INPUT_DO, .seat = (uint8_t)seat, .computer = true, .salted = true};
    input.salt = salt_by_chance(pair);
    bool offers;
    input.action_count = (uint8_t)gral_task_think(&task[0], player, NULL, input.action, &input.offer, &offers);
    gral_player_free(player);
    for (unsigned which = 0; which < 2; which++)
        gral_task_free(&task[which]);
    if (!would_show_the_secret(pair, input.action[0]) && give_if_legal(pair, input))
        pair->thought++;
    else
        decide_by_chance(pair, seat);
}

static void act(pair *pair)
{
    const unsigned seat = below(pair, players(pair));
    const gral_options options = gral_host_options(pair->host[0], seat);
    if (gral_options_count(&options) == 0)
        return;
    if (gral_host_seat_at(pair->host[0], seat).computer && seat != pair->secret)
        decide_by_computer(pair, seat);
    else
        decide_by_chance(pair, seat);
}

static bool secret_objects_by_order(const pair *pair)
{
    gral_order order[GRAL_ORDERS_MAX];
    const unsigned orders = pair->secret == GRAL_NOBODY ? 0 : gral_host_orders(pair->host[0], pair->secret, order);
    for (unsigned index = 0; index < orders; index++)
        if (order[index].kind == GRAL_ORDER_OBJECT)
            return true;
    return false;
}

/* What comes by itself, when it is due. */
static void wait_for_it(pair *pair)
{
    uint8_t kind;
    int64_t time;
    if (!gral_host_due(pair->host[0], &kind, &time))
        return;
    if (time > pair->time)
        pair->time = time;
    pair->objecting += kind == GRAL_INPUT_SPEAK && secret_objects_by_order(pair);
    assert_true(give_if_legal(pair, (gral_input){.kind = kind, .salted = kind == GRAL_INPUT_LATE, .salt = {{9}}}));
    pair->lates += kind == GRAL_INPUT_LATE;
    pair->spoken += kind == GRAL_INPUT_SPEAK;
}

static void order_by_chance(pair *pair, unsigned seat)
{
    gral_order order = {.kind = (uint8_t)below(pair, GRAL_ORDER_KINDS), .pawn = GRAL_NO_PAWN};
    if (order.kind == GRAL_ORDER_OBJECT || order.kind == GRAL_ORDER_PASS_PAWN)
        order.pawn = (uint8_t)below(pair, GRAL_PAWNS);
    if (order.kind == GRAL_ORDER_OBJECT) {
        order.field = (uint8_t)below(pair, GRAL_FIELDS);
        order.points = (uint8_t)(1 + below(pair, 20));
    } else if (order.kind == GRAL_ORDER_PASS_IN) {
        order.points = (uint8_t)(1 + below(pair, 8));
    }
    give_if_legal(pair, (gral_input){.kind = GRAL_INPUT_ORDER, .seat = (uint8_t)seat, .order = order});
}

static void say_by_chance(pair *pair, unsigned seat)
{
    gral_input input = {.kind = below(pair, 2) == 0 ? GRAL_INPUT_TALK : GRAL_INPUT_OFFER,
                        .seat = (uint8_t)seat,
                        .to = (uint16_t)below(pair, 1u << players(pair)),
                        .offer = {.kind = GRAL_OFFER_PASS, .pawn = GRAL_T1, .seat = GRAL_NOBODY},
                        .words = gral_span_of("let T1 go")};
    pair->whispered += give_if_legal(pair, input) && input.to != 0;
}

static void something_happens(pair *pair)
{
    static const uint8_t plain[] = {GRAL_INPUT_CANCEL, GRAL_INPUT_DRAW, GRAL_INPUT_NODRAW, GRAL_INPUT_REPLACE,
                                    GRAL_INPUT_BACK,   GRAL_INPUT_MUTE, GRAL_INPUT_UNMUTE, GRAL_INPUT_RESUME};
    const unsigned seat = below(pair, players(pair)), what = below(pair, 32);
    pair->time += below(pair, 200);
    if (what < 2)
        order_by_chance(pair, seat);
    else if (what < 4)
        say_by_chance(pair, seat);
    else if (what < 7)
        wait_for_it(pair);
    else if (what < 8) {
        const uint8_t kind = plain[below(pair, sizeof plain)];
        give_if_legal(pair,
                      (gral_input){.kind = kind, .seat = (uint8_t)seat, .other = (uint8_t)below(pair, players(pair))});
    } else
        act(pair);
}

/* --- comparing --- */

static void expect_the_same_for(const pair *pair, unsigned viewer)
{
    static char told[2][HOST_TEXT_MAX];
    for (unsigned which = 0; which < 2; which++) {
        gral_text text = gral_text_in(told[which], HOST_TEXT_MAX);
        host_tell_all(pair->host[which], viewer, &text);
    }
    assert_string_equal(told[0], told[1]);
    const gral_view one = gral_host_view(pair->host[0], viewer), other = gral_host_view(pair->host[1], viewer);
    assert_memory_equal(&one, &other, sizeof one);
}

static void expect_the_same(const pair *pair)
{
    for (unsigned viewer = 0; viewer < players(pair); viewer++)
        if (viewer != pair->secret)
            expect_the_same_for(pair, viewer);
    expect_the_same_for(pair, GRAL_SPECTATOR);
}

/* An order of the secret seat has objected in one game and passed in the other, as he could have done by hand, and it
 * was turned over: from then on the games are rightly different. Until then nothing was, and this is the first. */
static bool his_order_has_spoken(const pair *pair)
{
    gral_hearing hearing[2];
    gral_happening happening[2] = {0};
    for (unsigned which = 0; which < 2; which++)
        hearing[which] = gral_host_hearing(pair->host[which], GRAL_SPECTATOR, 0);
    while (gral_host_hear(&hearing[0], &happening[0]) && gral_host_hear(&hearing[1], &happening[1])) {
        if (happening[0].kind != GRAL_HAPPENED_ACTION || happening[0].action.verb == happening[1].action.verb)
            continue;
        for (unsigned which = 0; which < 2; which++) {
            const uint8_t verb = happening[which].action.verb;
            assert_int_equal(happening[which].kind, GRAL_HAPPENED_ACTION);
            assert_int_equal(happening[which].seat, pair->secret);
            assert_true(verb == GRAL_PASS || verb == GRAL_OBJECT);
        }
        return true;
    }
    return false;
}

static void nobody_learns_what_another_has_placed_R10_2(void **unused)
{
    (void)unused;
    static char log[LOG_MAX];
    unsigned lates = 0, spoken = 0, thought = 0, whispered = 0, objecting = 0, differed = 0;
    for (unsigned game = 0; game < GAMES; game++) {
        pair pair;
        begin(&pair, game, log);
        pair.secret = 1;
        seat_everybody(&pair);
        for (unsigned inputs = 0; playing(&pair) && inputs < 500; inputs++) {
            const size_t before = pair.log.length;
            something_happens(&pair);
            if (!playing(&pair) || pair.log.length == before)
                continue;
            if (his_order_has_spoken(&pair))
                break;
            expect_the_same(&pair);
        }
        const gral_view one = gral_host_view(pair.host[0], 1), other = gral_host_view(pair.host[1], 1);
        differed += memcmp(&one.sheet[1], &other.sheet[1], sizeof one.sheet[1]) != 0;
        lates += pair.lates;
        spoken += pair.spoken;
        thought += pair.thought;
        whispered += pair.whispered;
        objecting += pair.objecting;
        end(&pair);
    }
    assert_true(differed > GAMES / 2);
    assert_true(lates > 0 && spoken > 0 && thought > 0 && whispered > 0 && objecting > 0);
}

/* Both hosts with these words at this time, and all but the owner of the secret get the same from them. */
static void both_go_on(pair *pair, int64_t time, const char *here, const char *there)
{
    host_give(pair->host[0], time, here);
    host_give(pair->host[1], time, there);
    expect_the_same(pair);
}

static void whether_an_order_speaks_does_not_depend_on_what_is_held_R10_2(void **unused)
{
    (void)unused;
    static const char terms[] = "players=4 game=g pace=500 clock=move time=9000";
    for (unsigned by_hand = 0; by_hand < 2; by_hand++) {
        pair pair = {.secret = 2};
        pair.host[0] = host_opened(terms, "place 10 T1", "place 5 T1", "place 5 T1", "");
        pair.host[1] = host_opened(terms, "place 10 T1", "place 5 T1", "place 5 A1", "");
        const char *secret = by_hand ? "cancel 3" : "order 3 object T1 b1 5";
        both_go_on(&pair, 1, secret, secret);
        both_go_on(&pair, 2, "do 1 step T1 b1", "do 1 step T1 b1");
        both_go_on(&pair, 3, "do 2 object 1", "do 2 object 1");
        if (by_hand)
            both_go_on(&pair, 4, "do 3 object 1", "do 3 pass");
        both_go_on(&pair, 502, "speak", "speak");
        assert_int_equal(gral_host_round(pair.host[0]).answered, 2);
        both_go_on(&pair, 900, "do 4 pass", "do 4 pass");
        host_hears(pair.host[1], 0, "1: step T1 b1 | 2: object 1"); /* what came behind it is nobody's business */
        end(&pair);
    }
}

static void a_quick_answer_looks_like_a_standing_order_Q13_R10_2(void **unused)
{
    (void)unused;
    static const char terms[] = "players=3 game=g pace=500 clock=move time=9000";
    pair pair = {.secret = 2};
    pair.host[0] = host_opened(terms, "", "", "");
    pair.host[1] = host_opened(terms, "", "", "");
    both_go_on(&pair, 1, "order 3 pass turn", "");
    both_go_on(&pair, 2, "do 1 step T1 b1", "do 1 step T1 b1");
    both_go_on(&pair, 300, "", "do 3 pass");
    both_go_on(&pair, 502, "speak", "speak");
    both_go_on(&pair, 600, "do 2 pass", "do 2 pass");
    end(&pair);
}

static void who_has_nothing_to_say_looks_like_who_thinks_about_it_R10_2(void **unused)
{
    (void)unused;
    static const char terms[] = "players=3 game=g pace=500 clock=move time=9000";
    pair pair = {.secret = 2};
    pair.host[0] = host_opened(terms, "", "", "");
    pair.host[1] = host_opened(terms, "", "", "place 10 T1");
    both_go_on(&pair, 2, "do 1 step T1 b1", "do 1 step T1 b1");
    both_go_on(&pair, 100, "order 3 pass in 4", "order 3 pass in 4");
    both_go_on(&pair, 502, "speak", "speak");
    both_go_on(&pair, 600, "do 2 pass", "do 2 pass");
    both_go_on(&pair, 3000, "", "do 3 pass");
    both_go_on(&pair, 4100, "speak", "speak");
    host_hears(pair.host[1], 0, "1: step T1 b1 | 2: pass | 3: pass");
    end(&pair);
}

/* Every round is answered in one order here and in another there, at the same time. */
static void answer_in_two_orders(pair *pair)
{
    gral_input answer[GRAL_PLAYERS_MAX];
    unsigned count = 0;
    for (unsigned seat = 0; seat < players(pair); seat++) {
        const gral_options options = gral_host_options(pair->host[0], seat);
        if (gral_options_count(&options) == 0)
            continue;
        answer[count] = (gral_input){
            .kind = GRAL_INPUT_DO, .seat = (uint8_t)seat, .computer = gral_host_seat_at(pair->host[0], seat).computer};
        const gral_action action = choose(pair, seat, 0);
        if (action.verb == GRAL_PLACE || action.verb == GRAL_DONE)
            place_by_chance(pair, 0, &answer[count]);
        else
            add_action(&answer[count], action);
        count++;
    }
    for (unsigned which = 0; which < 2; which++)
        for (unsigned index = 0; index < count; index++) {
            const unsigned swapped = index + (which == 1 ? below(pair, count - index) : 0);
            const gral_input next = answer[swapped];
            answer[swapped] = answer[index];
            answer[index] = next;
            assert_int_equal(gral_host_check(pair->host[which], &next, pair->time), GRAL_LEGAL);
            assert_int_equal(gral_host_apply(pair->host[which], &next, pair->time), GRAL_LEGAL);
        }
}

static void the_order_of_answers_does_not_matter_Q13_R10_2(void **unused)
{
    (void)unused;
    static char log[LOG_MAX];
    unsigned rounds = 0;
    for (unsigned game = 0; game < GAMES; game++) {
        pair pair;
        begin(&pair, game, log);
        seat_everybody(&pair);
        while (playing(&pair)) {
            pair.time += below(&pair, 100);
            if (gral_host_round(pair.host[0]).hidden) {
                answer_in_two_orders(&pair);
                expect_the_same(&pair);
                if (gral_host_terms(pair.host[0])->pace > 0)
                    wait_for_it(&pair);
                rounds++;
            } else {
                act(&pair);
            }
        }
        expect_the_same(&pair);
        end(&pair);
    }
    assert_true(rounds > 100);
}

/* The seal that everybody has heard of for this seat. */
static gral_seal heard_seal(const gral_host *host, unsigned seat)
{
    for (size_t index = 0; index < gral_host_happenings(host, GRAL_SPECTATOR); index++) {
        const gral_happening happening = gral_host_happening(host, GRAL_SPECTATOR, index);
        if (happening.kind == GRAL_HAPPENED_SEAL && happening.seat == seat)
            return happening.seal;
    }
    fail_msg("nobody has heard of a seal");
    return (gral_seal){0};
}

static void an_opening_is_sealed_when_its_owner_says_done_and_he_alone_learns_it_Q13_R3_4(void **unused)
{
    (void)unused;
    static const char terms[] = "players=3 game=g pace=500";
    static char before[HOST_TEXT_MAX], after[HOST_TEXT_MAX];
    gral_host *host = host_of(terms);
    host_seat(host);
    gral_seal own, later;
    assert_false(gral_host_sealed(host, 1, &own));
    gral_text text = gral_text_in(before, sizeof before);
    for (unsigned viewer = 0; viewer < 4; viewer++)
        if (viewer != 1)
            host_tell_all(host, viewer < 3 ? viewer : GRAL_SPECTATOR, &text);

    host_give(host, 1, "do 2 S place 10 T1; done");
    assert_true(gral_host_sealed(host, 1, &own));
    text = gral_text_in(after, sizeof after);
    for (unsigned viewer = 0; viewer < 4; viewer++)
        if (viewer != 1)
            host_tell_all(host, viewer < 3 ? viewer : GRAL_SPECTATOR, &text);
    assert_string_equal(after, before);
    const gral_action placed[] = {gral_place(10, GRAL_T1)};
    const gral_sealing sealing = {
        .game = "g", .seat = 1, .number = 1, .placed = placed, .count = 1, .salt = host_input("do 2 S done").salt};
    const gral_seal made = gral_seal_make(&sealing, fair_blake2b);
    assert_memory_equal(own.bytes, made.bytes, GRAL_SEAL_BYTES);

    host_give(host, 501, "speak | do 1 S done"); /* the pace has passed: how many is shown, not who */
    assert_true(gral_host_sealed(host, 1, &later));
    assert_memory_equal(later.bytes, own.bytes, GRAL_SEAL_BYTES);
    host_hears(host, 1, "begin");
    host_give(host, 600, "do 3 S done");
    later = heard_seal(host, 1);
    assert_memory_equal(later.bytes, own.bytes, GRAL_SEAL_BYTES);
    assert_false(gral_host_sealed(host, 1, &own));
    gral_host_free(host);
}

static char *full_record(const gral_host *host, char *words)
{
    static const char *const names[GRAL_PLAYERS_MAX] = {"a", "b", "c", "d", "e"};
    gral_text text = gral_text_in(words, HOST_TEXT_MAX);
    gral_host_record(host, names, NULL, &text);
    return words;
}

static void the_same_terms_and_inputs_make_the_same_host(void **unused)
{
    (void)unused;
    static char log[LOG_MAX], record[2][HOST_TEXT_MAX], terms[1024];
    for (unsigned game = 0; game < GAMES; game++) {
        pair pair;
        begin(&pair, game, log);
        seat_everybody(&pair);
        while (playing(&pair))
            something_happens(&pair);
        assert_true(pair.log.length < pair.log.capacity);

        gral_text text = gral_text_in(terms, sizeof terms);
        gral_terms_print(&text, gral_host_terms(pair.host[0]));
        gral_host_free(pair.host[1]);
        pair.host[1] = host_of(terms);
        for (char *line = log; *line != '\0';) {
            const int64_t time = strtoll(line, &line, 10);
            const size_t length = strcspn(line, "\n");
            gral_input input;
            gral_error error;
            assert_true(gral_input_parse((gral_span){line + 1, length - 1}, &input, &error));
            assert_int_equal(gral_host_check(pair.host[1], &input, time), GRAL_LEGAL);
            assert_int_equal(gral_host_apply(pair.host[1], &input, time), GRAL_LEGAL);
            line += length + 1;
        }
        expect_the_same(&pair);
        assert_string_equal(full_record(pair.host[0], record[0]), full_record(pair.host[1], record[1]));
        end(&pair);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_learns_what_another_has_placed_R10_2),
        cmocka_unit_test(whether_an_order_speaks_does_not_depend_on_what_is_held_R10_2),
        cmocka_unit_test(who_has_nothing_to_say_looks_like_who_thinks_about_it_R10_2),
        cmocka_unit_test(a_quick_answer_looks_like_a_standing_order_Q13_R10_2),
        cmocka_unit_test(the_order_of_answers_does_not_matter_Q13_R10_2),
        cmocka_unit_test(an_opening_is_sealed_when_its_owner_says_done_and_he_alone_learns_it_Q13_R3_4),
        cmocka_unit_test(the_same_terms_and_inputs_make_the_same_host),
    };
    return cmocka_run_group_tests_name("host secrets", tests, NULL, NULL);
}
