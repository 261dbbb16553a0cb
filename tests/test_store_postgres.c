/* What only a database elsewhere does: several use it at once, it is older or newer, and it minds what a text is. */
#include "storing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *address(void)
{
    return getenv("GRAL_POSTGRES");
}

static void everything_is_there_after_reopening(void **unused)
{
    (void)unused;
    expect("DDDD", GAME("a", 5), ADD("a", 1, "one"), USER(1, "Anna", "anna"), SESSION(1, 1));
    close_store();
    the_store = open_store(address(), false);
    expect_unfinished("a.0=terms a.1=one");
    assert_int_equal(by_secret(1), 1);
    expect("CD", ADD("a", 1, "late"), ADD("a", 2, "two"));
}

static void a_second_server_has_the_same_games(void **unused)
{
    (void)unused;
    expect("D", GAME("a", 1));
    store *mine = the_store;
    the_store = open_store(address(), false);
    expect("CD", GAME("a", 2), ADD("a", 1, "from outside"));
    close_store();
    the_store = mine;
    expect("CD", ADD("a", 1, "late"), ADD("a", 2, "two"));
}

/* A conflict in the middle of a unit has the whole group begin anew: nothing of it is written twice. */
static void a_conflict_in_the_middle_leaves_the_others_as_they_are(void **unused)
{
    (void)unused;
    expect("DD", GAME("a", 1), GAME("b", 1));
    expect("DCCDCD", {.kind = STORE_AUDIT, TEXT("first")}, ADD("a", 1, "lost"),
           AND(.kind = STORE_APPEND, .game = "b", .number = 7), ADD("a", 1, "kept"), GAME("a", 9),
           {.kind = STORE_AUDIT, TEXT("last")});
    expect_unfinished("a.0=terms a.1=kept b.0=terms");
    ask_postgres("SELECT string_agg(convert_from(text, 'UTF8'), ',') FROM gral.audit");
    assert_string_equal(output, "first,last\n");
}

static void a_text_that_is_none_fails_nobody_elses_writes(void **unused)
{
    (void)unused;
    expect("DDD", GAME("a", 1), USER(1, "An\xff\"\\\x01na", "an\xc3(na"),
           USER(2, "\xed\xa0\x80\xf0\x9f\x8f\x86", "cup"));
    assert_string_equal(by_id(1).name, "An\xef\xbf\xbd\"\\\x01na");
    assert_string_equal(by_id(2).name, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xf0\x9f\x8f\x86");
    assert_int_equal(by_key("an\xc3(na"), 1); /* and is found by the same */
}

static void a_database_of_another_version_or_program_is_refused(void **unused)
{
    (void)unused;
    close_store();
    ask_postgres("UPDATE gral.version SET number = 99");
    expect_no_store(address(), false, "it is of version 99, from a newer gral; this one knows version ");
    ask_postgres("UPDATE gral.version SET number = 1");
    expect_no_store(address(), true, "it is of version 1, from an older gral; gral serve brings it to version ");
    ask_postgres("DROP SCHEMA gral CASCADE; CREATE SCHEMA gral; CREATE TABLE gral.recipe(id bigint)");
    expect_no_store(address(), false, "its schema gral is another program's (database gral at /");
    ask_postgres("SELECT count(*) FROM gral.recipe; DROP SCHEMA gral CASCADE");
    expect_no_store("postgres://nobody@/none?host=/no/such/folder", false, "No such file or directory");
    expect_no_store("postgres://localhost:port/", false, "invalid");
}

static void expect_columns_of_sqlite(const char *expected)
{
    char found[16384] = "";
    sqlite3 *direct = NULL;
    sqlite3_stmt *row = NULL;
    assert_int_equal(sqlite3_open(database, &direct), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(direct,
                                        "SELECT m.name || '.' || c.name || CASE WHEN c.type IN ('INTEGER', 'REAL')"
                                        " THEN ' ' || c.type ELSE '' END FROM sqlite_schema AS m"
                                        " JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table'"
                                        " ORDER BY m.name, c.cid",
                                        -1, &row, NULL),
                     SQLITE_OK);
    while (sqlite3_step(row) == SQLITE_ROW)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s\n", sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    sqlite3_close(direct);
    assert_string_equal(found, expected);
}

/* Whoever moves from one to the other finds everything (gral migrate), and the words fit both. */
static void its_tables_are_those_of_sqlite(void **unused)
{
    (void)unused;
    ask_postgres("SELECT table_name || '.' || column_name || CASE data_type WHEN 'bigint' THEN ' INTEGER'"
                 " WHEN 'double precision' THEN ' REAL' ELSE '' END"
                 " FROM information_schema.columns WHERE table_schema = 'gral'"
                 " AND table_name NOT IN ('version', 'writer', 'server', 'lease', 'orphan')"
                 " AND column_name NOT IN ('keeper', 'fence') ORDER BY table_name COLLATE \"C\", ordinal_position");
    char *found = strdup(output);
    store *file = open_store(database, false);
    file->kind->close(file);
    expect_columns_of_sqlite(found);
    free(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_POSTGRES(everything_is_there_after_reopening),
        ON_POSTGRES(a_second_server_has_the_same_games),
        ON_POSTGRES(a_conflict_in_the_middle_leaves_the_others_as_they_are),
        ON_POSTGRES(a_text_that_is_none_fails_nobody_elses_writes),
        ON_POSTGRES(its_tables_are_those_of_sqlite),
        ON_POSTGRES(a_database_of_another_version_or_program_is_refused),
    };
    return run_store_tests("store_postgres", tests);
}
