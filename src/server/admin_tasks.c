/* What whoever runs the server can ask: a table of tasks, each a few short functions. What a task looks up or works out
 * at length is done on the pool; what is in memory follows once all is written. */
#include "server/admin_inside.h"
#include "server/meetings.h"
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

#include "server/memory.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    LIST_MAX = 1000, /* rows */
    PASSWORD_CHARACTERS = 16,
};

static const int64_t day = 86400000, for_ever = 32503680000000; /* the year 3000 */

/* --- lists --- */

/* A cell of the list. Much of it people have written, and a terminal may show it. */
static void put(pen *out, const char *text, char end)
{
    const size_t length = strlen(text);
    char *copy = memory_get(length + 2);
    memcpy(copy, text, length + 1);
    name_tame(copy);
    copy[length] = end;
    pen_keep(out, (gral_span){copy, length + 1});
    out->length--; /* its zero */
    free(copy);
}

static bool put_row(void *context, const char *const column[], unsigned columns)
{
    admin_task *task = context;
    for (unsigned at = 0; at < columns; at++)
        put(&task->out, column[at], at + 1 == columns ? '\n' : '\t');
    return true;
}

/* The time that stands in words behind it is for the server. */
static bool put_network(void *context, const char *const column[], unsigned columns)
{
    return put_row(context, (const char *const[]){column[0], column[columns - 1]}, 2);
}

static void list_by(admin_task *task, enum store_list list, store_filter filter,
                    bool (*put)(void *, const char *const[], unsigned))
{
    store *store = task->server->store;
    gral_error error;
    filter.most = LIST_MAX;
    if (!store->kind->list(store, list, &filter, put, task, &error))
        task->wrong = "the database cannot be read";
}

static void list(admin_task *task, enum store_list list, store_filter filter)
{
    list_by(task, list, filter, put_row);
}

static void list_people(admin_task *task)
{
    list(task, STORE_PEOPLE, (store_filter){.text = task->words > 0 ? task->word[1] : ""});
}

static void list_bans(admin_task *task)
{
    list_by(task, STORE_NETWORKS, (store_filter){0}, put_network);
}

static void list_words(admin_task *task)
{
    list(task, STORE_WORDS, (store_filter){0});
}

static void list_reports(admin_task *task)
{
    list(task, STORE_REPORTS, (store_filter){.from = task->words > 0 && strcmp(task->word[1], "all") == 0});
}

static void list_audits(admin_task *task)
{
    list(task, STORE_AUDITS, (store_filter){0});
}

/* Today, or "2026-11-17"; days are those of UTC. */
static void sum_up_day(admin_task *task)
{
    struct tm date = {0};
    int64_t from = server_now(task->server) / day * day;
    if (task->words > 0) {
        const char *end = strptime(task->word[1], "%Y-%m-%d", &date);
        if (end == NULL || *end != '\0') {
            task->wrong = "a day is written like 2026-11-17";
            return;
        }
        from = (int64_t)timegm(&date) * 1000;
    }
    list(task, STORE_DAY, (store_filter){.from = from, .to = from + day});
}

static void list_tables(admin_task *task)
{
    list(task, STORE_TABLES,
         (store_filter){.text = task->words > 0 ? task->word[1] : "", .to = server_now(task->server)});
}

/* --- people --- */

static void read_new_name(admin_task *task)
{
    const char *why;
    if (!name_read(gral_span_of(task->word[2]), task->name, task->key, &why))
        task->wrong = why;
}

static void rename_person(admin_task *task)
{
    admin_write(task, STORE_RENAME);
}

static void renamed(admin_task *task)
{
    person_rename(task->server, task->user.user, task->name, task->user.password[0] == '\0');
}

static void delete_person(admin_task *task)
{
    admin_write(task, STORE_DELETE_USER);
}

static void deleted(admin_task *task)
{
    server *server = task->server;
    person_rename(server, task->user.user, "", false);
    company_forget(server, task->user.user);
    tables_of_person_leave(server, task->user.user);
    tournaments_forget(server, task->user.user);
    session_end_all(server, task->user.user);
}

static void make_password(admin_task *task)
{
    uint8_t unused[STORE_SECRET_BYTES];
    if (task->user.password[0] == '\0') {
        task->wrong = "a guest has no password";
        return;
    }
    secret_make(task->password, unused);
    task->password[PASSWORD_CHARACTERS] = '\0';
    if (crypto_pwhash_str(task->hashed, task->password, strlen(task->password), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                          crypto_pwhash_MEMLIMIT_INTERACTIVE) != 0)
        task->wrong = "out of memory";
}

/* All that could be him ends: no session has a secret of zeros. */
static void reset_password(admin_task *task)
{
    admin_write(task, STORE_SET_PASSWORD)->password = task->hashed;
    admin_write(task, STORE_END_OTHERS)->token = true;
}

static void was_reset(admin_task *task)
{
    session_end_all(task->server, task->user.user);
    put(&task->out, task->password, '\n');
}

/* "3": so many days; nothing: for ever. */
static void read_days(admin_task *task)
{
    char *end;
    const unsigned at = 2;
    task->until = for_ever;
    if (task->words < at)
        return;
    const long days = strtol(task->word[at], &end, 10);
    if (*end != '\0' || days < 1 || days > 36500)
        task->wrong = "a number of days is 1 to 36500";
    else
        task->until = server_now(task->server) + days * day;
}

static void ban_person(admin_task *task)
{
    admin_write(task, STORE_BAN);
}

static void silence_person(admin_task *task)
{
    admin_write(task, STORE_SILENCE);
}

/* His seats go to computer players, as if he had left. */
static void banned(admin_task *task)
{
    if (task->until > 0) {
        tables_of_person_leave(task->server, task->user.user);
        tournaments_forget(task->server, task->user.user);
        session_end_all(task->server, task->user.user);
    }
}

static void silenced(admin_task *task)
{
    person *person = person_find(task->server, task->user.user);
    if (person != NULL)
        person->silenced = task->until;
    anew_disturb(task->server, task->user.user);
}

/* --- networks and words --- */

static void read_network(admin_task *task)
{
    if (!ip_range_read(task->word[1], &task->network))
        task->wrong = "a network is written like 192.0.2.0/24 or 2001:db8::/32";
    else if (task->network.bits < 16 || (task->network.bits >= 96 && task->network.bits < 104))
        task->wrong = "that is too much of the world";
    ip_range_print(&task->network, task->network_text);
}

static void read_network_and_days(admin_task *task)
{
    read_network(task);
    if (task->wrong == NULL)
        read_days(task);
}

static void bar_network(admin_task *task)
{
    admin_write(task, task->until > 0 ? STORE_BAR : STORE_UNBAR)->name = task->network_text;
}

static void network_barred(admin_task *task)
{
    server *server = task->server;
    moderation_bar(server, &task->network, task->until);
    if (task->until > 0)
        moderation_drop_barred(server);
}

static void add_word(admin_task *task)
{
    admin_write(task, STORE_ADD_WORD)->name = task->word[1];
}

static void drop_word(admin_task *task)
{
    admin_write(task, STORE_DROP_WORD)->name = task->word[1];
}

static void word_added(admin_task *task)
{
    moderation_set_word(task->server, task->word[1], true);
}

static void word_dropped(admin_task *task)
{
    moderation_set_word(task->server, task->word[1], false);
}

/* --- tables, reports, notices --- */

static void look_for_table(admin_task *task)
{
    stored_game game;
    gral_error error;
    if (!stored_game_read(task->server->store, task->word[1], &game, &error))
        task->wrong = "the database cannot be read";
    else if (game.host == NULL || gral_host_stage(game.host) == GRAL_ENDED)
        task->wrong = "there is no such table, or it is over";
    gral_host_free(game.host);
}

static void table_found_to_close(void *context, table *table)
{
    (void)context;
    if (table != NULL && gral_host_stage(table->host) != GRAL_ENDED)
        table_dissolve(table);
}

static void table_closed(admin_task *task)
{
    tables_find(task->server, task->word[1], table_found_to_close, NULL);
}

static void list_tournaments(admin_task *task)
{
    tournaments_each(task->server, put_row, task);
}

static void look_for_tournament(admin_task *task)
{
    if (!tournaments_can_end(task->server, task->word[1]))
        task->wrong = "there is no such tournament, or it is over";
}

static void tournament_ended(admin_task *task)
{
    tournaments_end(task->server, task->word[1]);
}

static void mark_report(admin_task *task)
{
    char *end;
    admin_write(task, STORE_REPORT_DONE)->number = (uint32_t)strtoul(task->word[1], &end, 10);
    if (*end != '\0')
        task->wrong = "a report has a number";
}

static void nothing_more(admin_task *task)
{
    (void)task;
}

/* All words together. */
static void broadcast(admin_task *task)
{
    server *server = task->server;
    char words[TASK_BYTES_MAX];
    gral_text text = gral_text_in(words, sizeof words);
    for (unsigned at = 1; at <= task->words; at++) {
        gral_text_add(&text, at > 1 ? " " : "");
        gral_text_add(&text, task->word[at]);
    }
    pen *out = &server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", "notice");
    pen_put_words(out, "text", words);
    pen_end(out, '}');
    here_send_all(server, out);
}

static const admin_kind kinds[] = {
    {"people", 0, 1, .look = list_people},
    {"rename", 2, 2, .about_somebody = true, .look = read_new_name, .decide = rename_person, .effect = renamed},
    {"password", 1, 1, .about_somebody = true, .look = make_password, .decide = reset_password, .effect = was_reset},
    {"delete", 1, 1, .about_somebody = true, .decide = delete_person, .effect = deleted},
    {"ban", 1, 2, .about_somebody = true, .look = read_days, .decide = ban_person, .effect = banned},
    {"unban", 1, 1, .about_somebody = true, .decide = ban_person, .effect = banned},
    {"mute", 1, 2, .about_somebody = true, .look = read_days, .decide = silence_person, .effect = silenced},
    {"unmute", 1, 1, .about_somebody = true, .decide = silence_person, .effect = silenced},
    {"networks", 0, 0, .look = list_bans},
    {"bar", 1, 2, .look = read_network_and_days, .decide = bar_network, .effect = network_barred},
    {"unbar", 1, 1, .look = read_network, .decide = bar_network, .effect = network_barred},
    {"words", 0, 0, .look = list_words},
    {"forbid", 1, 1, .decide = add_word, .effect = word_added},
    {"allow", 1, 1, .decide = drop_word, .effect = word_dropped},
    {"tables", 0, 1, .look = list_tables},
    {"close", 1, 1, .look = look_for_table, .effect = table_closed},
    {"tournaments", 0, 0, .decide = list_tournaments},
    {"cancel", 1, 1, .decide = look_for_tournament, .effect = tournament_ended},
    {"reports", 0, 1, .look = list_reports},
    {"done", 1, 1, .decide = mark_report, .effect = nothing_more,
     .conflict = "there is no such report, or it is done already"},
    {"notice", 1, TASK_WORDS_MAX, .effect = broadcast},
    {"day", 0, 1, .look = sum_up_day},
    {"audit", 0, 0, .look = list_audits},
};

const admin_kind *admin_kind_named(const char *name)
{
    for (size_t index = 0; index < sizeof kinds / sizeof *kinds; index++)
        if (strcmp(kinds[index].name, name) == 0)
            return &kinds[index];
    return NULL;
}
