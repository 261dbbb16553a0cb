#include "storing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- a folder for each test, and a store in it --- */

char folder[64], database[80];
store *the_store;

int make_folder(void **unused)
{
    (void)unused;
    snprintf(folder, sizeof folder, "/tmp/gral-store-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(database, sizeof database, "%s/gral.db", folder);
    setenv("FOLDER", folder, 1);
    return 0;
}

int remove_folder(void **unused)
{
    (void)unused;
    if (the_store != NULL)
        the_store->kind->close(the_store);
    the_store = NULL;
    return shell("rm -rf \"$FOLDER\"");
}

store *open_store(const char *address, bool shared)
{
    gral_error error = {0};
    store *opened = store_open(address, shared, &error);
    if (opened == NULL)
        fail_msg("%s", error.message);
    return opened;
}

void close_store(void)
{
    the_store->kind->close(the_store);
    the_store = NULL;
}

int open_memory(void **unused)
{
    const int status = make_folder(unused);
    the_store = store_open("memory", false, NULL);
    return status == 0 && the_store != NULL ? 0 : -1;
}

int open_sqlite(void **unused)
{
    const int status = make_folder(unused);
    the_store = store_open(database, false, NULL);
    return status == 0 && the_store != NULL ? 0 : -1;
}

void choose_stores(void)
{
    if (getenv("GRAL_POSTGRES") == NULL)
        cmocka_set_skip_filter("*_in_postgres");
}

void ask_postgres(const char *words)
{
    setenv("WORDS", words, 1);
    assert_int_equal(shell("psql -XqAt -v ON_ERROR_STOP=1 -d \"$GRAL_POSTGRES\" -c \"$WORDS\" 2>&1"), 0);
}

/* As if it were new; that its tables are made anew each time would take longer than all else. */
static const char nothing_is_there[] =
    "SET session_replication_role = replica; DO $$ DECLARE one text; BEGIN"
    " FOR one IN SELECT format('%I.%I', schemaname, tablename) FROM pg_tables"
    "  WHERE schemaname = 'gral' AND tablename NOT IN ('version', 'lease') LOOP EXECUTE 'DELETE FROM ' || one; END "
    "LOOP;"
    " FOR one IN SELECT format('%I.%I', schemaname, sequencename) FROM pg_sequences WHERE schemaname = 'gral' LOOP"
    "  PERFORM setval(one::regclass, 1, false); END LOOP;"
    "END $$";

int open_postgres(void **unused)
{
    const int status = make_folder(unused);
    ask_postgres(nothing_is_there);
    gral_error error = {0};
    the_store = store_open(getenv("GRAL_POSTGRES"), false, &error);
    if (the_store == NULL)
        print_error("%s\n", error.message);
    return status == 0 && the_store != NULL ? 0 : -1;
}

void expect_no_store(const char *address, bool shared, const char *words)
{
    gral_error error = {0};
    store *opened = store_open(address, shared, &error);
    if (opened != NULL)
        opened->kind->close(opened);
    assert_null(opened);
    if (strstr(error.message, words) == NULL)
        fail_msg("no '%s' in '%s'", words, error.message);
}

/* --- writing --- */

void expect_outcomes(store *store, const char *expected, store_write *writes, size_t count)
{
    gral_error error = {0};
    assert_int_equal(strlen(expected), count);
    if (!store->kind->commit(store, writes, count, &error))
        fail_msg("%s", error.message);
    char got[64] = "";
    for (size_t index = 0; index < count; index++)
        got[index] = "DC??"[writes[index].outcome];
    assert_string_equal(got, expected);
}

/* --- reading, as one text --- */

char story[STORY_MAX];

bool tell_entry(void *context, const store_entry *entry)
{
    (void)context;
    const size_t length = strlen(story);
    snprintf(story + length, sizeof story - length, "%s%s.%u=%.*s", length > 0 ? " " : "", entry->game, entry->number,
             (int)entry->text.length, entry->text.bytes);
    return true;
}

bool tell_game(void *context, const char *game, enum store_stage stage, int64_t changed)
{
    (void)context;
    const size_t length = strlen(story);
    snprintf(story + length, sizeof story - length, "%s%s/%d@%d", length > 0 ? " " : "", game, (int)stage,
             (int)changed);
    return true;
}

bool count_entry(void *context, const store_entry *entry)
{
    tally *tally = context;
    unsigned *count = &tally->count[entry->game[0] - 'a'];
    tally->in_order = tally->in_order && entry->number == *count;
    ++*count;
    return true;
}

void expect_entries(const char *game, const char *expected)
{
    story[0] = '\0';
    assert_true(the_store->kind->entries(the_store, game, 0, tell_entry, NULL, NULL));
    assert_string_equal(story, expected);
}

void expect_unfinished(const char *expected)
{
    story[0] = '\0';
    assert_true(the_store->kind->unfinished(the_store, tell_entry, NULL, NULL));
    assert_string_equal(story, expected);
}

void expect_games(uint64_t user, unsigned most, const char *expected)
{
    story[0] = '\0';
    assert_true(the_store->kind->games_of(the_store, user, most, tell_game, NULL, NULL));
    assert_string_equal(story, expected);
}

static bool note_guest(void *context, uint64_t user, int64_t seen, bool playing)
{
    (void)context;
    const size_t length = strlen(story);
    snprintf(story + length, sizeof story - length, "%d@%d%s ", (int)user, (int)seen, playing ? "!" : "");
    return true;
}

void expect_absent(int64_t before, store_guest from, unsigned most, const char *expected)
{
    story[0] = '\0';
    assert_true(the_store->kind->absent_guests(the_store, before, &from, most, note_guest, NULL, NULL));
    assert_string_equal(story, expected);
}

store_user by_id(uint64_t id)
{
    store_user found;
    assert_true(the_store->kind->user_by_id(the_store, id, &found, NULL));
    return found;
}

uint64_t by_key(const char *key)
{
    store_user found;
    assert_true(the_store->kind->user_by_key(the_store, key, &found, NULL));
    return found.user;
}

store_user by_session(enum store_session session, uint8_t byte)
{
    store_user found;
    const uint8_t secret[STORE_SECRET_BYTES] = {byte};
    assert_true(the_store->kind->user_by_secret(the_store, session, secret, &found, NULL));
    return found;
}

uint64_t by_secret(uint8_t byte)
{
    const uint64_t user = by_session(STORE_COOKIE, byte).user;
    return user != 0 ? user : by_session(STORE_TOKEN, byte).user;
}

uint64_t by_device(uint8_t byte)
{
    return by_session(STORE_DEVICE, byte).user;
}

void ask_sqlite(const char *path, const char *words)
{
    sqlite3 *direct = NULL;
    assert_int_equal(sqlite3_open(path, &direct), SQLITE_OK);
    assert_int_equal(sqlite3_exec(direct, words, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(direct), SQLITE_OK);
}
