/* What one may cost, and the beat of what is written: parts of the server that can be asked alone. */
#include "server/budget.h"
#include "server/commit.h"

#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* --- budgets --- */

static payer from(const char *address, bucket *own)
{
    return (payer){.own = own, .from = origin_of(address)};
}

/* How much of this price can be had at once. */
static unsigned spend(budget *budget, enum budget_kind kind, const payer *payer, double price, uint64_t now)
{
    unsigned times = 0;
    while (times < 1000000 && budget_take(budget, kind, payer, price, now))
        times++;
    return times;
}

static void a_person_has_ten_seconds_worth_at_once_and_then_the_rate(void **state)
{
    (void)state;
    budget *budget = budget_open(20);
    bucket own[BUDGET_KINDS] = {0};
    const payer ann = from("192.0.2.1", own);
    assert_int_equal(spend(budget, BUDGET_WORK, &ann, 1, 1000), 200);
    assert_int_equal(spend(budget, BUDGET_WORK, &ann, 1, 2000), 20);
    assert_int_equal(spend(budget, BUDGET_WORK, &ann, 1, 1000000), 200);
    budget_close(budget);
}

static void many_people_of_one_address_share_what_it_may_cost(void **state)
{
    (void)state;
    budget *budget = budget_open(20);
    unsigned all = 0;
    for (unsigned person = 0; person < 100; person++) {
        bucket own[BUDGET_KINDS] = {0};
        const payer payer = from("192.0.2.1", own);
        all += spend(budget, BUDGET_WORK, &payer, 1, 1000);
    }
    assert_int_equal(all, 2000);
    bucket own[BUDGET_KINDS] = {0};
    const payer elsewhere = from("198.51.100.1", own);
    assert_int_equal(spend(budget, BUDGET_WORK, &elsewhere, 1, 1000), 200);
    budget_close(budget);
}

static void a_whole_network_has_a_larger_budget_but_not_without_end(void **state)
{
    (void)state;
    budget *budget = budget_open(20);
    unsigned all = 0;
    for (unsigned number = 0; number < 0x1000; number++) {
        char address[40];
        snprintf(address, sizeof address, "2001:db8:1:%x::1", number);
        const payer payer = from(address, NULL);
        all += spend(budget, BUDGET_STRANGERS, &payer, 1, 1000);
    }
    const origin site = origin_of("2001:db8:1::1");
    assert_int_equal(all, 400 * source_weight(origin_widest(&site)));
    budget_close(budget);
}

static void many_at_one_address_complain_or_enter_tournaments_only_now_and_then(void **state)
{
    (void)state;
    static const struct {
        enum budget_kind kind;
        unsigned at_once, a_day;
    } few[] = {{BUDGET_REPORTS, 20, 72}, {BUDGET_ENTRIES, 60, 60 * 24}};
    enum { PEOPLE = 2000, HOUR = 3600 * 1000 };
    static bucket own[PEOPLE][BUDGET_KINDS];
    for (unsigned row = 0; row < sizeof few / sizeof *few; row++) {
        budget *budget = budget_open(20);
        unsigned done = 0, all = 0;
        memset(own, 0, sizeof own);
        for (unsigned hour = 0; hour <= 24; hour++) {
            for (unsigned person = 0; person < PEOPLE; person++) {
                const payer payer = from("192.0.2.1", own[person]);
                done += budget_take(budget, few[row].kind, &payer, 1, 1000 + hour * HOUR);
            }
            all += done;
            if (hour == 0)
                assert_int_equal(done, few[row].at_once);
            done = 0;
        }
        assert_in_range(all, few[row].at_once + few[row].a_day / 2, few[row].at_once + few[row].a_day);
        budget_close(budget);
    }
}

static void a_long_answer_is_paid_for_afterwards(void **state)
{
    (void)state;
    budget *budget = budget_open(20);
    bucket own[BUDGET_KINDS] = {0};
    const payer ann = from("192.0.2.1", own);
    budget_charge(budget, BUDGET_WORK, &ann, 1000, 1000);
    assert_false(budget_take(budget, BUDGET_WORK, &ann, 1, 1000));
    assert_false(budget_take(budget, BUDGET_WORK, &ann, 1, 1000 + 39 * 1000));
    assert_true(budget_take(budget, BUDGET_WORK, &ann, 1, 1000 + 41 * 1000));
    budget_close(budget);
}

static void what_is_refused_costs_nobody_anything(void **state)
{
    (void)state;
    budget *budget = budget_open(20);
    bucket poor[BUDGET_KINDS] = {0}, rich[BUDGET_KINDS] = {0};
    const payer first = from("192.0.2.1", poor), second = from("192.0.2.1", rich);
    spend(budget, BUDGET_WORK, &first, 1, 1000);
    for (unsigned times = 0; times < 100000; times++)
        assert_false(budget_take(budget, BUDGET_WORK, &first, 1, 1000));
    assert_int_equal(spend(budget, BUDGET_WORK, &second, 1, 1000), 200);
    budget_close(budget);
}

static void a_network_that_was_quiet_has_all_of_its_budget_again(void **state)
{
    (void)state;
    budget *budget = budget_open(20);
    const payer stranger = from("192.0.2.1", NULL);
    spend(budget, BUDGET_STRANGERS, &stranger, 1, 1000);
    assert_int_equal(budget_wait(budget, BUDGET_STRANGERS, &stranger, 1000), 1);
    assert_int_equal(spend(budget, BUDGET_STRANGERS, &stranger, 1, 2000), 40);
    assert_int_equal(spend(budget, BUDGET_STRANGERS, &stranger, 1, 1000000), 400);
    budget_close(budget);
}

static void without_a_rate_nothing_is_limited(void **state)
{
    (void)state;
    budget *budget = budget_open(0);
    const payer stranger = from("192.0.2.1", NULL);
    assert_int_equal(spend(budget, BUDGET_NAMES, &stranger, 1, 1000), 1000000);
    budget_close(budget);
}

/* --- the beat --- */

enum { DISK_MS = 5 };

/* A store whose disk takes its time. */
static bool slow_commit(store *store, store_write *writes, size_t count, gral_error *error)
{
    (void)store, (void)error;
    usleep(1000 * DISK_MS);
    for (size_t index = 0; index < count; index++)
        writes[index].outcome = STORE_DONE;
    return true;
}

static const store_kind slow_kind = {.name = "slow", .commit = slow_commit};

typedef struct desk {
    uv_loop_t loop;
    store store;
    commit *commit;
    uint64_t told[2];
    unsigned gathered;
    uv_timer_t late;
    store_write write[2];
} desk;

static void gather(void *context)
{
    ((desk *)context)->gathered++;
}

static void open_desk(desk *desk)
{
    *desk = (struct desk){.store = {&slow_kind}};
    uv_loop_init(&desk->loop);
    desk->commit = commit_open(&desk->store, &desk->loop, &(commit_handlers){.gather = gather}, desk);
}

static void close_desk(desk *desk)
{
    commit_close(desk->commit);
    uv_run(&desk->loop, UV_RUN_DEFAULT);
    commit_free(desk->commit);
    assert_int_equal(uv_loop_close(&desk->loop), 0);
}

static void first_told(void *context, enum store_outcome outcome)
{
    assert_int_equal(outcome, STORE_DONE);
    desk *desk = (struct desk *)context;
    desk->told[0] = uv_now(&desk->loop);
}

static void second_told(void *context, enum store_outcome outcome)
{
    assert_int_equal(outcome, STORE_DONE);
    desk *desk = (struct desk *)context;
    desk->told[1] = uv_now(&desk->loop);
}

static void what_comes_in_together_is_told_at_the_same_beat(void **state)
{
    (void)state;
    desk desk;
    open_desk(&desk);
    commit_write(desk.commit, &desk.write[0], 1, first_told, &desk);
    commit_write(desk.commit, &desk.write[1], 1, second_told, &desk);
    assert_true(commit_busy(desk.commit));
    uv_run(&desk.loop, UV_RUN_DEFAULT);
    assert_false(commit_busy(desk.commit));
    assert_int_equal(desk.told[0], desk.told[1]);
    assert_int_equal(commit_count(desk.commit).groups, 1);
    close_desk(&desk);
}

static void whoever_wants_to_be_asked_is_asked_at_a_beat(void **state)
{
    (void)state;
    desk desk;
    open_desk(&desk);
    commit_expect(desk.commit);
    uv_run(&desk.loop, UV_RUN_DEFAULT);
    assert_int_equal(desk.gathered, 1);
    assert_int_equal(commit_count(desk.commit).groups, 0);
    close_desk(&desk);
}

static void the_beat_becomes_longer_for_a_slow_disk(void **state)
{
    (void)state;
    desk desk;
    open_desk(&desk);
    const unsigned before = commit_count(desk.commit).beat;
    for (unsigned times = 0; times < 300; times++) {
        commit_write(desk.commit, &desk.write[0], 1, first_told, &desk);
        uv_run(&desk.loop, UV_RUN_DEFAULT);
    }
    assert_true(commit_count(desk.commit).beat > before);
    close_desk(&desk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_person_has_ten_seconds_worth_at_once_and_then_the_rate),
        cmocka_unit_test(many_people_of_one_address_share_what_it_may_cost),
        cmocka_unit_test(a_whole_network_has_a_larger_budget_but_not_without_end),
        cmocka_unit_test(many_at_one_address_complain_or_enter_tournaments_only_now_and_then),
        cmocka_unit_test(a_long_answer_is_paid_for_afterwards),
        cmocka_unit_test(what_is_refused_costs_nobody_anything),
        cmocka_unit_test(a_network_that_was_quiet_has_all_of_its_budget_again),
        cmocka_unit_test(without_a_rate_nothing_is_limited),
        cmocka_unit_test(what_comes_in_together_is_told_at_the_same_beat),
        cmocka_unit_test(whoever_wants_to_be_asked_is_asked_at_a_beat),
        cmocka_unit_test(the_beat_becomes_longer_for_a_slow_disk),
    };
    return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
