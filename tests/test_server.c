/* Parts of the server that can be asked alone: the reader of requests, names, allowances, and what is written. The
 * server as a whole is tested in tests/server. */
#include "server/allowance.h"
#include "server/hashing.h"
#include "server/names.h"
#include "server/persons.h"
#include "server/request.h"
#include "server/source.h"
#include "server/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- requests --- */

static request heard;
static refusal why;
static gral_error detail;

static bool reads(const char *words)
{
    return request_read(gral_span_of(words), &heard, &why, &detail);
}

static void a_request_is_read_into_plain_values(void **state)
{
    (void)state;
    assert_true(reads(
        "{\"id\":\"x-1\",\"do\":\"act\",\"table\":\"T_1\",\"version\":7,\"actions\":[\"place 10 T1\",\"done\"]}"));
    assert_int_equal(heard.kind, REQUEST_ACT);
    assert_string_equal(heard.id, "x-1");
    assert_string_equal(heard.table, "T_1");
    assert_int_equal(heard.version, 7);
    assert_int_equal(heard.input.action_count, 2);
    assert_true(gral_same_action(heard.input.action[0], gral_place(10, GRAL_T1)));
}

static void the_same_bytes_have_the_same_ticket_and_others_another(void **state)
{
    (void)state;
    assert_true(reads("{\"id\":\"1\",\"do\":\"draw\",\"table\":\"T\"}"));
    const uint64_t first = heard.ticket;
    assert_true(reads("{\"id\":\"1\",\"do\":\"draw\",\"table\":\"T\"}"));
    assert_true(heard.ticket == first && first != 0);
    assert_true(reads("{\"id\":\"2\",\"do\":\"draw\",\"table\":\"T\"}"));
    assert_true(heard.ticket != first);
}

static void what_is_wrong_is_refused_with_a_word_and_keeps_its_id_where_it_has_one(void **state)
{
    (void)state;
    static const struct {
        const char *words, *code, *id;
    } wrong[] = {
        {"", "json", ""},
        {"[]", "json", ""},
        {"{\"id\":\"1\",\"id\":\"2\",\"do\":\"draw\"}", "json", ""},
        {"{\"id\":1,\"do\":\"draw\"}", "id", ""},
        {"{\"id\":\"\",\"do\":\"draw\"}", "id", ""},
        {"{\"id\":\"a b\",\"do\":\"draw\"}", "id", ""},
        {"{\"id\":\"1\"}", "request", "1"},
        {"{\"id\":\"1\",\"do\":\"dance\"}", "request", "1"},
        {"{\"id\":\"1\",\"do\":\"draw\"}", "member", "1"},
        {"{\"id\":\"1\",\"do\":\"draw\",\"table\":\"T\",\"seat\":1}", "member", "1"},
        {"{\"id\":\"1\",\"do\":\"draw\",\"table\":\"../T\"}", "member", "1"},
        {"{\"id\":\"1\",\"do\":\"mute\",\"table\":\"T\",\"seat\":13}", "member", "1"},
        {"{\"id\":\"1\",\"do\":\"mute\",\"table\":\"T\",\"seat\":1.0}", "member", "1"},
        {"{\"id\":\"1\",\"do\":\"act\",\"table\":\"T\",\"version\":-1,\"actions\":[\"pass\"]}", "member", "1"},
        {"{\"id\":\"1\",\"do\":\"act\",\"table\":\"T\",\"version\":0,\"actions\":[]}", "member", "1"},
        {"{\"id\":\"1\",\"do\":\"act\",\"table\":\"T\",\"version\":0,\"actions\":[\"fly\"]}", "member", "1"},
        {"{\"id\":\"1\",\"do\":\"create\",\"players\":\"2\"}", "member", "1"},
        {"{\"id\":\"1\",\"do\":\"create\",\"players\":13}", "member", "1"},
        {"{\"id\":\"1\",\"do\":\"create\",\"players\":2,\"pace\":-1}", "member", "1"},
        {"{\"id\":\"1\",\"do\":\"create\",\"players\":2,\"computers\":[{\"seat\":1,\"level\":1},{\"seat\":2,\"level\":"
         "1}]}",
         "member", "1"},
        {"{\"id\":\"1\",\"do\":\"create\",\"players\":2,\"computers\":[{\"seat\":3,\"level\":1}]}", "member", "1"},
        {"{\"id\":\"1\",\"do\":\"create\",\"players\":2,\"computers\":[{\"seat\":2,\"level\":9}]}", "member", "1"},
    };
    for (unsigned index = 0; index < sizeof wrong / sizeof *wrong; index++) {
        assert_false(reads(wrong[index].words));
        assert_string_equal(why.code, wrong[index].code);
        assert_string_equal(heard.id, wrong[index].id);
        assert_true(why.text != NULL && why.text[0] != '\0');
    }
}

static void every_refusal_of_the_host_has_a_word_and_a_sentence(void **state)
{
    (void)state;
    for (unsigned code = 1; code < GRAL_HOST_REFUSALS; code++) {
        const refusal refusal = refusal_of_host(code);
        assert_true(refusal.code != NULL && refusal.code[0] != '\0');
        assert_true(refusal.text != NULL && refusal.text[0] != '\0');
    }
}

/* --- names --- */

static char name[NAME_BYTES_MAX], key[NAME_KEY_MAX], other_key[NAME_KEY_MAX];

static bool is_name(const char *text)
{
    const char *reason;
    return name_read(gral_span_of(text), name, key, &reason);
}

static void names_keep_to_letters_and_lengths(void **state)
{
    (void)state;
    static const char *const right[] = {"Al",    "Ann",  "Jean-Luc", "O'Neill", "Größe 7",
                                        "Ελένη", "Анна", "王小明",   "a.b_c"};
    static const char *const wrong[] = {"",
                                        "a",
                                        " Ann",
                                        "Ann ",
                                        "A  n",
                                        "Ann\n",
                                        "<b>",
                                        "A\xff",
                                        ("a\xe2\x80\x8b"
                                         "b"),
                                        "Аnn",
                                        "--",
                                        "abcdefghijklmnopqrstuvwxy"};
    for (unsigned index = 0; index < sizeof right / sizeof *right; index++)
        assert_true(is_name(right[index]));
    for (unsigned index = 0; index < sizeof wrong / sizeof *wrong; index++)
        assert_false(is_name(wrong[index]));
}

static void names_that_look_alike_have_the_same_key(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"Ann", "ann"}, {"Ann", "Ánn"},  {"Bill", "B1ll"}, {"Bill", "BiII"},
                                           {"Lot", "L0t"}, {"rnax", "max"}, {"Ann", "A-n-n"}, {"cop", "сор"}};
    for (unsigned index = 0; index < sizeof pairs / sizeof *pairs; index++) {
        assert_true(is_name(pairs[index][0]));
        memcpy(other_key, key, sizeof key);
        assert_true(is_name(pairs[index][1]));
        assert_string_equal(key, other_key);
    }
    assert_true(is_name("Anna"));
    memcpy(other_key, key, sizeof key);
    assert_true(is_name("Anne"));
    assert_string_not_equal(key, other_key);
}

/* --- writing --- */

static void what_is_written_is_json_whatever_the_words_are(void **state)
{
    (void)state;
    pen pen = {0};
    pen_begin(&pen, '{');
    pen_put_words(&pen, "a", "</script>\"\\\n\x7f");
    pen_put_number(&pen, "b", -9007199254740991);
    pen_key(&pen, "c");
    pen_begin(&pen, '[');
    pen_bool(&pen, true);
    pen_null(&pen);
    pen_begin(&pen, '{');
    pen_end(&pen, '}');
    pen_end(&pen, ']');
    pen_end(&pen, '}');
    const char expected[] =
        "{\"a\":\"\\u003c/script\\u003e\\\"\\\\\\u000a\\u007f\",\"b\":-9007199254740991,\"c\":[true,null,{}]}";
    assert_int_equal(pen.length, sizeof expected - 1);
    assert_memory_equal(pen.bytes, expected, pen.length);
    pen_free(&pen);
}

/* --- where somebody comes from --- */

static void who_owns_a_network_is_known_by_each_prefix_of_it(void **state)
{
    (void)state;
    static const struct {
        const char *address, *other;
        unsigned levels, same; /* the same from this level on; `levels` when nothing is */
    } pairs[] = {
        {"192.0.2.7", "192.0.2.7", 2, 0},
        {"192.0.2.7", "::ffff:192.0.2.7", 2, 0},
        {"192.0.2.7", "::ffff:c000:207", 2, 0},
        {"192.0.2.7", "192.0.2.8", 2, 1},
        {"192.0.2.7", "192.0.3.7", 2, 2},
        {"2001:db8:1:203::1", "2001:db8:1:203:ffff::2", 3, 0},
        {"2001:db8:1:203::1", "2001:db8:1:2ff::1", 3, 1},
        {"2001:db8:1:203::1", "2001:db8:1:ffff::1", 3, 2},
        {"2001:db8:1:203::1", "2001:db8:2:203::1", 3, 3},
        {"fe80::1%eth0", "fe80::2%lo", 3, 0},
        {"::1", "127.0.0.1", 3, 3},
        {"", "unix:", 1, 0},
        {"300.1.1.1", "a name that is longer than any address of any kind can be", 1, 0},
    };
    for (size_t row = 0; row < sizeof pairs / sizeof *pairs; row++) {
        const origin one = origin_of(pairs[row].address), other = origin_of(pairs[row].other);
        assert_int_equal(one.count, pairs[row].levels);
        for (unsigned level = 0; level < one.count && level < other.count; level++)
            assert_int_equal(source_is(&one.source[level], &other.source[level]), level >= pairs[row].same);
        for (unsigned level = 1; level < one.count; level++)
            assert_true(source_weight(&one.source[level]) > source_weight(&one.source[level - 1]));
        assert_int_equal(source_weight(&one.source[0]), 1);
    }
}

/* --- allowances --- */

static void everybody_has_an_allowance_of_his_own(void **state)
{
    (void)state;
    const gral_span ann = gral_span_of("ann"), ben = gral_span_of("ben");
    allowance *allowance = allowance_open((bucket_rate){0.5, 3});
    for (unsigned number = 0; number < 3; number++)
        assert_true(allowance_take(allowance, ann, 1, 1000));
    assert_false(allowance_take(allowance, ann, 1, 1000));
    assert_int_equal(allowance_wait(allowance, ann, 1, 1000), 3);
    assert_true(allowance_take(allowance, ben, 3, 1000));
    assert_false(allowance_take(allowance, ann, 1, 2999));
    assert_true(allowance_take(allowance, ann, 1, 3000));
    allowance_give_back(allowance, ann, 1, 3000);
    assert_true(allowance_take(allowance, ann, 1, 3000));
    assert_true(allowance_left(allowance, ann, 1000000) == 3);
    allowance_give_back(allowance, ben, 5, 1000000);
    assert_true(allowance_left(allowance, ben, 1000000) == 3);
    allowance_close(allowance);
}

static void a_million_others_do_not_give_somebody_more(void **state)
{
    (void)state;
    allowance *allowance = allowance_open((bucket_rate){1, 2});
    uint64_t now = 1;
    for (uint32_t other = 0; other < 1000000; other++) {
        const gral_span who = {(const char *)&other, sizeof other};
        now += other % 20 == 0; /* 20,000 a second, each of them back in full after one */
        assert_true(allowance_take(allowance, who, 1, now));
        if (other % 10000 == 0 && now > 1) {
            assert_true(allowance_take(allowance, gral_span_of("ann"), 2, now) ||
                        allowance_left(allowance, gral_span_of("ann"), now) < 2);
            assert_false(allowance_take(allowance, gral_span_of("ann"), 2, now));
        }
    }
    allowance_close(allowance);
}

/* --- hashing --- */

typedef struct test_turn {
    hashing_turn turn; /* the first member: one is the other */
    char side[8];
} test_turn;

static char order_of_hashing[4096];
static unsigned turned_away;

static void hash_nothing(hashing_turn *turn)
{
    (void)turn;
}

static void note_turn(hashing_turn *turn, bool was_run)
{
    if (was_run)
        strcat(order_of_hashing, ((test_turn *)turn)->side);
    turned_away += !was_run;
    free(turn);
}

static hashing_turn *come(hashing *hashing, const char *side, bool stranger)
{
    test_turn *turn = calloc(1, sizeof *turn);
    snprintf(turn->side, sizeof turn->side, "%s", side);
    turn->turn = (hashing_turn){
        .side = gral_span_of(turn->side), .stranger = stranger, .hash = hash_nothing, .done = note_turn};
    hashing_wait(hashing, &turn->turn);
    return &turn->turn;
}

static hashing *begin_hashing(uv_loop_t *loop)
{
    order_of_hashing[0] = '\0';
    turned_away = 0;
    uv_loop_init(loop);
    hashing *hashing = hashing_open(loop, 1);
    for (unsigned number = 0; number < 4; number++) /* whatever else comes waits until the loop runs */
        come(hashing, "-", false);
    return hashing;
}

static void end_hashing(hashing *hashing, uv_loop_t *loop)
{
    uv_run(loop, UV_RUN_DEFAULT);
    hashing_close(hashing);
    assert_int_equal(uv_loop_close(loop), 0);
}

static void who_comes_less_often_is_first_and_who_is_known_before_strangers(void **state)
{
    (void)state;
    uv_loop_t loop;
    hashing *hashing = begin_hashing(&loop);
    for (unsigned number = 0; number < 5; number++)
        come(hashing, "a", true);
    come(hashing, "b", true);
    come(hashing, "c", true);
    come(hashing, "b", true);
    come(hashing, "d", false);
    end_hashing(hashing, &loop);
    const char *order = order_of_hashing + strspn(order_of_hashing, "-");
    assert_non_null(strstr(order_of_hashing, "d"));
    assert_true(strchr(order, 'd') < strchr(order, 'c'));
    assert_non_null(strstr(order, "cbbaaaaa"));
    assert_int_equal(turned_away, 0);
}

static void when_too_many_wait_the_one_who_comes_most_often_is_turned_away(void **state)
{
    (void)state;
    uv_loop_t loop;
    hashing *hashing = begin_hashing(&loop);
    for (unsigned round = 0; round < 20; round++)
        for (char side = 'a'; side <= 'h'; side++)
            come(hashing, (char[]){side, '\0'}, true);
    assert_int_equal(hashing_waiting(hashing), 64);
    come(hashing, "z", true);
    assert_int_equal(hashing_waiting(hashing), 64);
    for (unsigned number = 0; number < 20; number++)
        come(hashing, "y", false);
    end_hashing(hashing, &loop);
    assert_non_null(strchr(order_of_hashing, 'z'));
    assert_true(strchr(order_of_hashing, 'z') < strchr(order_of_hashing, 'a'));
    unsigned of_y = 0;
    for (const char *at = order_of_hashing; *at != '\0'; at++)
        of_y += *at == 'y';
    assert_int_equal(of_y, 16); /* no more of one side wait */
}

static void who_has_waited_too_long_is_turned_away(void **state)
{
    (void)state;
    uv_loop_t loop;
    order_of_hashing[0] = '\0';
    turned_away = 0;
    uv_loop_init(&loop);
    hashing *hashing = hashing_open(&loop, 1);
    come(hashing, "-", true);
    come(hashing, "a", true)->since -= 60000;
    come(hashing, "c", true);
    assert_int_equal(turned_away, 1);
    end_hashing(hashing, &loop);
    assert_null(strchr(order_of_hashing, 'a'));
    assert_non_null(strchr(order_of_hashing, 'c'));
}

static void who_waits_when_it_stops_is_turned_away(void **state)
{
    (void)state;
    uv_loop_t loop;
    hashing *hashing = begin_hashing(&loop);
    for (unsigned number = 0; number < 5; number++)
        come(hashing, "a", true);
    const unsigned waiting = hashing_waiting(hashing);
    hashing_stop(hashing);
    come(hashing, "b", true);
    assert_int_equal(turned_away, waiting + 1);
    end_hashing(hashing, &loop);
}

/* --- people --- */

static void people_who_are_not_here_are_forgotten_a_few_at_a_time(void **state)
{
    (void)state;
    server *server = calloc(1, sizeof *server);
    uv_loop_init(&server->loop);
    for (uint64_t id = 1; id <= 30000; id++)
        person_meet(server, &(store_user){.user = id, .name = "Anna"});
    person_find(server, 7)->held = 1;
    person_find(server, 8)->promised = 1;
    person_sweep(server);
    assert_int_equal(HASH_COUNT(server->people), 30000); /* all were asked for just now */
    for (person *person = server->people_by_time; person != NULL; person = person->next)
        person->asked_for -= 3600 * 1000;
    assert_string_equal(person_name(server, 9), "Anna"); /* except him */
    person_sweep(server);
    assert_int_equal(HASH_COUNT(server->people), 20000);
    for (unsigned round = 0; round < 3; round++)
        person_sweep(server);
    assert_int_equal(HASH_COUNT(server->people), 3);
    for (uint64_t id = 7; id <= 9; id++)
        assert_non_null(person_find(server, id));
    person_forget_all(server);
    uv_loop_close(&server->loop);
    free(server);
}

static void what_the_store_said_before_a_change_does_not_bring_the_old_name_back(void **state)
{
    (void)state;
    server *server = calloc(1, sizeof *server);
    uv_loop_init(&server->loop);
    const store_user known = {.user = 7, .name = "Old"}, unknown = {.user = 8, .name = "Old"};
    person_meet(server, &known);
    for (uint64_t id = 7; id <= 8; id++)
        person_rename(server, id, "New", false);
    assert_string_equal(person_meet(server, &known)->name, "New");
    assert_string_equal(person_meet(server, &unknown)->name, "New");
    assert_false(person_meet(server, &unknown)->guest);
    person_rename(server, 7, "", false);
    assert_string_equal(person_meet(server, &known)->name, "");
    person_forget_all(server);
    uv_loop_close(&server->loop);
    free(server);
}

/* --- clearing --- */

enum { LEFT_BEHIND = 5000 };

static void gather_nothing(void *server)
{
    (void)server;
}

static void note_made(void *context, table *table)
{
    assert_non_null(table);
    ++*(unsigned *)context;
}

static void leave_tables_behind(server *server)
{
    unsigned made = 0;
    store_write user = {.kind = STORE_NEW_USER, .user = 1, .name = "Anna"};
    assert_true(server->store->kind->commit(server->store, &user, 1, NULL));
    const origin from = origin_of("192.0.2.1");
    gral_terms terms = {.settings = gral_settings_for(2)};
    for (unsigned number = 0; number < LEFT_BEHIND; number++) {
        snprintf(terms.game, sizeof terms.game, "t%u", number);
        const sitting anna = {.person = person_meet(server, &(store_user){.user = 1, .name = "Anna"})};
        tables_make(server, &terms, &anna, 1, &from, note_made, &made);
    }
    while (made < LEFT_BEHIND)
        uv_run(&server->loop, UV_RUN_ONCE);
    for (table *table = server->tables; table != NULL; table = table->hh.next)
        table->heard = 0; /* since 1970 */
}

static unsigned count_surplus(const server *server)
{
    unsigned count = 0;
    for (table *table = server->tables; table != NULL; table = table->hh.next)
        count += table->surplus;
    return count;
}

static void of_very_many_tables_left_behind_a_few_are_looked_at_in_one_turn_of_the_loop(void **state)
{
    (void)state;
    server *server = calloc(1, sizeof *server);
    server->epoch = INT64_C(1700000000000);
    server->settings.tables_max = 100 * 100;
    uv_loop_init(&server->loop);
    server->store = store_open("memory", false, NULL);
    server->commit = commit_open(server->store, &server->loop, &(commit_handlers){.gather = gather_nothing}, server);
    assert_true(company_open(server, NULL) && herald_open(server, NULL));
    lobby_start(server);
    leave_tables_behind(server);
    clearing_open(server);
    unsigned turns = 0, before = 0, surplus;
    do {
        uv_run(&server->loop, UV_RUN_ONCE);
        surplus = count_surplus(server);
        assert_true(surplus - before <= LEFT_BEHIND / 2); /* its timer may come twice in a turn */
        turns += surplus > before;
        before = surplus;
    } while (surplus < LEFT_BEHIND - 101);
    assert_true(turns >= 3);
    for (table *table = server->tables; table != NULL; table = table->hh.next)
        assert_int_equal(table->surplus, atoi(table->id + 1) < LEFT_BEHIND - 101); /* the newest stay */
    clearing_stop(server);
    lobby_stop(server);
    herald_stop(server);
    while (commit_busy(server->commit))
        uv_run(&server->loop, UV_RUN_ONCE);
    herald_end(server);
    commit_close(server->commit);
    tables_forget_all(server);
    uv_run(&server->loop, UV_RUN_DEFAULT);
    clearing_close(server);
    commit_free(server->commit);
    company_close(server);
    herald_close(server);
    person_forget_all(server);
    server->store->kind->close(server->store);
    assert_int_equal(uv_loop_close(&server->loop), 0);
    free(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_read_into_plain_values),
        cmocka_unit_test(the_same_bytes_have_the_same_ticket_and_others_another),
        cmocka_unit_test(what_is_wrong_is_refused_with_a_word_and_keeps_its_id_where_it_has_one),
        cmocka_unit_test(every_refusal_of_the_host_has_a_word_and_a_sentence),
        cmocka_unit_test(names_keep_to_letters_and_lengths),
        cmocka_unit_test(names_that_look_alike_have_the_same_key),
        cmocka_unit_test(who_owns_a_network_is_known_by_each_prefix_of_it),
        cmocka_unit_test(everybody_has_an_allowance_of_his_own),
        cmocka_unit_test(a_million_others_do_not_give_somebody_more),
        cmocka_unit_test(who_comes_less_often_is_first_and_who_is_known_before_strangers),
        cmocka_unit_test(when_too_many_wait_the_one_who_comes_most_often_is_turned_away),
        cmocka_unit_test(who_has_waited_too_long_is_turned_away),
        cmocka_unit_test(who_waits_when_it_stops_is_turned_away),
        cmocka_unit_test(people_who_are_not_here_are_forgotten_a_few_at_a_time),
        cmocka_unit_test(what_the_store_said_before_a_change_does_not_bring_the_old_name_back),
        cmocka_unit_test(of_very_many_tables_left_behind_a_few_are_looked_at_in_one_turn_of_the_loop),
        cmocka_unit_test(what_is_written_is_json_whatever_the_words_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
