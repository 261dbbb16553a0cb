/* What a host gives out: records that pass their audit, and tasks for computer players. */
#include "hosting.h"

#include "fair/blake2b.h"
#include "fair/ed25519.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

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
        cmocka_unit_test(while_the_game_goes_on_the_record_is_public_R10_1_R10_2),
        cmocka_unit_test(the_record_of_an_ended_game_passes_its_audit_R10_4),
        cmocka_unit_test(the_record_of_an_agreed_draw_passes_its_audit_R10_4),
        cmocka_unit_test(the_record_of_an_abandoned_game_passes_its_audit_R10_4),
        cmocka_unit_test(computer_players_finish_a_game_with_what_their_tasks_say),
        cmocka_unit_test(a_task_holds_what_the_seat_has_heard_and_nothing_else_R10_2),
        cmocka_unit_test(an_illegal_decision_becomes_the_safest_one),
    };
    return cmocka_run_group_tests_name("host_record", tests, NULL, NULL);
}
