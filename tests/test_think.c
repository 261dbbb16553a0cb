/* In which order is thought: with one thread, which is kept busy until everything waits, and the spare one, which is
 * kept busy for longer than the rest takes. */
#include "hosting.h"
#include "server/think.h"

#include <stdlib.h>
#include <string.h>

enum { QUESTIONS_MAX = 32, BUSY = 2, NETWORK = 100 };
static const uint64_t FAR_NS = 20000000000;

typedef struct begun {
    uint64_t time;
    char table;
} begun;

static uv_loop_t loop;
static uv_timer_t ticking; /* keeps the loop going */
static think *thinking;
static gral_host *host;
static begun done[QUESTIONS_MAX];
static unsigned asked, done_count;

static void note_done(void *context, const thought *thought)
{
    assert_true(thought->count > 0);
    done[done_count++] = (begun){thought->began, *(const char *)context};
}

static void tick(uv_timer_t *timer)
{
    (void)timer;
}

/* Tables are letters; payers with the same hundreds come from one network. */
static void ask(const char *player, uint64_t payer, uint64_t cost, char table)
{
    static char tables[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    gral_task task;
    assert_true(gral_host_task(host, 0, &task));
    strcpy(task.player, player);
    think_about(thinking, &task, (think_payer){payer, payer > NETWORK ? payer / NETWORK : payer}, cost, note_done,
                &tables[table - 'A']);
    asked++;
}

/* A question for each letter. */
static void ask_all(uint64_t payer, uint64_t cost, const char *tables)
{
    for (; *tables != '\0'; tables++)
        ask("rules", payer, cost, *tables);
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = ((const begun *)a)->time, y = ((const begun *)b)->time;
    return (x > y) - (x < y);
}

static void wait_for_all(void)
{
    for (const uint64_t end = uv_hrtime() + FAR_NS; done_count < asked && uv_hrtime() < end;)
        uv_run(&loop, UV_RUN_ONCE);
    assert_int_equal(done_count, asked);
}

/* The tables in the order in which they were thought about, after those that kept the threads busy. */
static void assert_order(const char *expected)
{
    char order[QUESTIONS_MAX + 1] = "";
    wait_for_all();
    qsort(done, done_count, sizeof *done, compare);
    for (unsigned index = BUSY; index < done_count; index++)
        order[index - BUSY] = done[index].table;
    assert_string_equal(order, expected);
}

static int start(void **state)
{
    (void)state;
    asked = done_count = 0;
    uv_loop_init(&loop);
    uv_timer_init(&loop, &ticking);
    uv_timer_start(&ticking, tick, 1, 1);
    thinking = think_open(&loop, 1);
    host = host_opened("players=2 game=g", "place 10 T1", "place 10 A1");
    ask("rollout:1000ms", 98, 1, 'Y');
    ask("rollout:200ms", 99, 1, 'Z');
    while (think_count(thinking).running < BUSY)
        uv_sleep(1);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    gral_host_free(host);
    think_stop(thinking);
    while (think_count(thinking).running > 0)
        uv_run(&loop, UV_RUN_ONCE);
    uv_close((uv_handle_t *)&ticking, NULL);
    think_close(thinking);
    uv_run(&loop, UV_RUN_DEFAULT);
    return uv_loop_close(&loop);
}

static void one_payers_questions_come_in_their_order(void **state)
{
    (void)state;
    ask_all(1, 600, "AAA");
    assert_order("AAA");
    assert_int_equal(think_count(thinking).decisions, 3 + BUSY);
    assert_int_equal(think_count(thinking).waiting, 0);
}

static void tables_of_one_payer_take_turns(void **state)
{
    (void)state;
    ask_all(1, 600, "AAAABBC");
    assert_order("ABCABAA");
}

static void a_newcomer_goes_before_who_is_level_with_him(void **state)
{
    (void)state;
    ask_all(1, 600, "AAAABBBB");
    ask_all(2, 20, "X");
    assert_order("XABABABAB");
}

static void who_has_spent_least_is_next_however_much_others_ask(void **state)
{
    (void)state;
    ask_all(1, 55, "AAAA");
    ask_all(2, 20, "BBBBBB");
    assert_order("BABBABBBAA");
}

static void payers_from_one_network_share_what_one_would_have(void **state)
{
    (void)state;
    for (unsigned payer = 701; payer <= 703; payer++)
        ask_all(payer, 20, "AAA");
    ask_all(2, 20, "XXX");
    assert_order("XAAAXXAAAAAA");
}

static void one_payer_leaves_a_thread_for_the_others(void **state)
{
    (void)state;
    wait_for_all();
    for (unsigned question = 0; question < 4; question++)
        ask("rollout:500ms", 1, 1000, 'A');
    while (think_count(thinking).running == 0)
        uv_sleep(1);
    uv_sleep(50); /* for the spare thread to take the second, if it did */
    assert_int_equal(think_count(thinking).running, 1);
    ask_all(2, 20, "B");
    wait_for_all();
    qsort(done, done_count, sizeof *done, compare);
    assert_int_equal(done[BUSY].table, 'A');
    assert_int_equal(done[BUSY + 1].table, 'B');
}

static void what_has_not_begun_is_forgotten_when_it_stops(void **state)
{
    (void)state;
    ask_all(1, 600, "AAAAAAAA");
    think_stop(thinking);
    assert_int_equal(think_count(thinking).waiting, 0);
    assert_int_equal(think_count(thinking).running, BUSY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_payers_questions_come_in_their_order, start, finish),
        cmocka_unit_test_setup_teardown(tables_of_one_payer_take_turns, start, finish),
        cmocka_unit_test_setup_teardown(a_newcomer_goes_before_who_is_level_with_him, start, finish),
        cmocka_unit_test_setup_teardown(who_has_spent_least_is_next_however_much_others_ask, start, finish),
        cmocka_unit_test_setup_teardown(payers_from_one_network_share_what_one_would_have, start, finish),
        cmocka_unit_test_setup_teardown(one_payer_leaves_a_thread_for_the_others, start, finish),
        cmocka_unit_test_setup_teardown(what_has_not_begun_is_forgotten_when_it_stops, start, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
