/* How a database gets the tables and functions of this program.
 *
 * There may be servers at work of an older version. A step that only adds things is done beside them
 * (postgres_schema.h); before any other they must have ended, and are shut out: one that was taken for dead and wakes,
 * or that starts this moment, writes nothing any more, and notices. */
#include "store/postgres_inside.h"
#include "store/postgres_schema.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Nobody else's on this database: "gral". */
#define SCHEMA_LOCK "1735549292"
/* The one server of the first version has this one. */
#define FIRST_LOCK "1735549293"

enum { ATTEMPTS = 20 }; /* where somebody is in the way */

typedef struct upgrade {
    PGconn *connection;
    gral_error *error;
    bool may_change;
    bool passing; /* what failed last can be tried again */
} upgrade;

/* A large database is silent for minutes while it gets new columns and indexes, and so is who waits for his turn. */
static bool run(upgrade *upgrade, const char *words)
{
    PGresult *result = PQexec(upgrade->connection, words);
    const bool good = postgres_is_good(result) || postgres_explain_result(upgrade->connection, result, upgrade->error);
    upgrade->passing = postgres_is_passing(result);
    PQclear(result);
    return good;
}

static bool ask(const upgrade *upgrade, const char *words, int64_t *number)
{
    return postgres_ask_number(upgrade->connection, words, number, upgrade->error);
}

static bool fail(const upgrade *upgrade, const char *words)
{
    return postgres_explain(upgrade->connection, words, upgrade->error);
}

/* Everything in one transaction, as one program at a time. */
static bool alone(upgrade *upgrade, bool (*change)(struct upgrade *upgrade))
{
    for (unsigned attempt = 1;; attempt++) {
        upgrade->passing = false;
        if (run(upgrade, "BEGIN; SELECT pg_advisory_xact_lock(" SCHEMA_LOCK ")") && change(upgrade) &&
            run(upgrade, "COMMIT"))
            return true;
        if (!upgrade->passing || attempt == ATTEMPTS || !postgres_run(upgrade->connection, "ROLLBACK", NULL))
            return false;
    }
}

/* --- the version --- */

/* 0: it is not ours yet. */
static bool look(const upgrade *upgrade, int64_t *version)
{
    int64_t tables, marked;
    if (!ask(upgrade, "SELECT count(*) FROM pg_tables WHERE schemaname = 'gral'", &tables))
        return false;
    *version = 0;
    if (tables == 0)
        return true;
    if (!ask(upgrade, "SELECT count(*) FROM pg_tables WHERE schemaname = 'gral' AND tablename = 'version'", &marked))
        return false;
    if (marked == 0)
        return fail(upgrade, "its schema gral is another program's");
    if (!ask(upgrade, "SELECT number FROM version", version))
        return false;
    if (*version <= postgres_version)
        return true;
    char words[100];
    snprintf(words, sizeof words, "it is of version %d, from a newer gral; this one knows version %u", (int)*version,
             postgres_version);
    return fail(upgrade, words);
}

static bool count_servers(const upgrade *upgrade, int64_t version, int64_t *count)
{
    return ask(upgrade,
               version == POSTGRES_FIRST_VERSION
                   ? "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = " FIRST_LOCK
                     " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
                   : "SELECT count(*) FROM server WHERE abs(" POSTGRES_NOW " - beat) <= " POSTGRES_DEAD_MS,
               count);
}

/* Without its functions nobody writes, and a group that is on its way does not find its writer's row at the end. */
static const char shut_out[] = "DELETE FROM writer;"
                               "DO $block$ DECLARE old regprocedure; BEGIN"
                               " FOR old IN SELECT oid FROM pg_proc WHERE pronamespace = 'gral'::regnamespace"
                               " AND proname ~ '^(commit|write|beat)_[0-9a-f]{16}$' LOOP"
                               "  EXECUTE 'DROP FUNCTION ' || old;"
                               " END LOOP;"
                               "END $block$";

static bool goes_beside(int64_t version)
{
    for (int64_t next = version + 1; next <= postgres_version; next++)
        if (!postgres_steps[next - POSTGRES_FIRST_VERSION].beside)
            return false;
    return true;
}

static bool part_with_older(upgrade *upgrade, int64_t version)
{
    int64_t servers;
    if (version == 0 || goes_beside(version))
        return true;
    if (!count_servers(upgrade, version, &servers))
        return false;
    if (servers == 0)
        return run(upgrade, shut_out);
    char words[120];
    snprintf(words, sizeof words,
             "it is of version %d, and servers of an older gral still use it (%d): stop them first", (int)version,
             (int)servers);
    return fail(upgrade, words);
}

static bool run_ours(upgrade *upgrade, const char *words)
{
    char *translated = postgres_words_of(words, NULL);
    const bool good = translated != NULL ? run(upgrade, translated) : store_say(upgrade->error, "out of memory");
    free(translated);
    return good;
}

static bool take_steps(upgrade *upgrade, int64_t version)
{
    for (int64_t next = version == 0 ? POSTGRES_FIRST_VERSION : version + 1; next <= postgres_version; next++)
        if (!run_ours(upgrade, postgres_steps[next - POSTGRES_FIRST_VERSION].words))
            return false;
    char mark[80];
    snprintf(mark, sizeof mark, "UPDATE version SET number = %u", postgres_version);
    return run(upgrade, mark);
}

static bool climb(upgrade *upgrade)
{
    int64_t version;
    /* Once more: somebody may have been quicker, but nobody is now. */
    if (!run(upgrade, "CREATE SCHEMA IF NOT EXISTS gral") || !look(upgrade, &version))
        return false;
    if (version > 0 && version < postgres_version && !upgrade->may_change) {
        char words[120];
        snprintf(words, sizeof words,
                 "it is of version %d, from an older gral; gral serve brings it to version %u when it starts",
                 (int)version, postgres_version);
        return fail(upgrade, words);
    }
    if (version == 0 && !run(upgrade, "CREATE TABLE version(number bigint NOT NULL); INSERT INTO version VALUES(0)"))
        return false;
    return part_with_older(upgrade, version) && take_steps(upgrade, version);
}

/* --- the functions --- */

/* They stay there for older programs, as long as those may write. */
static bool make_functions(upgrade *upgrade)
{
    uint64_t mark;
    int64_t version;
    if (!look(upgrade, &version)) /* a newer program has just been here */
        return false;
    char *words = postgres_functions(&mark);
    const bool good = words != NULL ? run(upgrade, words) : store_say(upgrade->error, "out of memory");
    free(words);
    return good;
}

static bool have_functions(upgrade *upgrade, uint64_t *mark)
{
    char question[200];
    int64_t there;
    char *words = postgres_functions(mark);
    if (words == NULL)
        return store_say(upgrade->error, "out of memory");
    free(words);
    snprintf(question, sizeof question,
             "SELECT count(*) FROM pg_proc WHERE proname = 'commit_%016" PRIx64 "'"
             " AND pronamespace = 'gral'::regnamespace",
             *mark);
    return ask(upgrade, question, &there) && (there > 0 || alone(upgrade, make_functions));
}

bool postgres_bring_up_to_date(PGconn *connection, bool may_change, uint64_t *mark, gral_error *error)
{
    upgrade upgrade = {.connection = connection, .error = error, .may_change = may_change};
    int64_t version;
    return look(&upgrade, &version) && (version == postgres_version || alone(&upgrade, climb)) &&
           have_functions(&upgrade, mark);
}
