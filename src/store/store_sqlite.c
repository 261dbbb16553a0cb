/* One file on the disk, through SQLite; or a database that is nowhere but in memory.
 *
 * A commit is one transaction in the write-ahead log and one fsync, however many games it is about; when it has
 * returned, its writes survive a loss of power. There is one connection for writing and a few for reading, each with
 * its statements prepared: readers see the last commit and neither wait for the writer nor make it wait. A database in
 * memory is known to one connection only: whoever reads or writes there has it to himself meanwhile.
 *
 * Who may use the file at all is decided by a lock on a file of its own, PATH-lock. A lock on the database would not
 * do: closing any descriptor of a file drops all of the process's POSIX locks on it, SQLite's too. */
#include "store/store_inside.h"
#include "store/store_raw.h"
#include "store/store_schema.h"
#include "store/store_words.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PATIENCE_MS = 5000,    /* for another process that is writing */
    PAGES_IN_A_STEP = 256, /* of a backup: a mebibyte */
    PARAMETERS_MAX = 10,   /* of one statement */
};

typedef struct reader {
    sqlite3 *database;
    sqlite3_stmt *query[STORE_QUERIES];
} reader;

typedef struct prepared {
    sqlite3_stmt *statement;
    const store_parameter *parameter[PARAMETERS_MAX];
    int parameters;
} prepared;

typedef struct sqlite {
    store_inside head; /* with one reader in memory: it shares the writer's connection, and takes turns with it */
    char path[PATH_MAX];
    int lock; /* -1 when shared, and in memory */
    sqlite3 *writer;
    sqlite3_stmt *begin, *commit, *savepoint, *release, *roll_back_unit;
    prepared write[STORE_WRITE_KINDS][STORE_STATEMENTS];
    reader readers[STORE_READERS];
} sqlite;

/* --- values --- */

static int bind_span(sqlite3_stmt *statement, int at, gral_span text)
{
    /* Without a pointer SQLite takes a text for NULL. */
    return sqlite3_bind_text64(statement, at, text.bytes, text.length, SQLITE_STATIC, SQLITE_UTF8);
}

static int bind(sqlite3_stmt *statement, int at, const store_parameter *parameter, const store_write *write)
{
    switch (parameter->sort) {
    case SORT_REAL:
        return sqlite3_bind_double(statement, at, *(const double *)((const char *)write + parameter->at));
    case SORT_SECRET:
        return sqlite3_bind_blob(statement, at, write->secret, STORE_SECRET_BYTES, SQLITE_STATIC);
    case SORT_WORDS:
    case SORT_MAYBE:
    case SORT_TEXT:
        return bind_span(statement, at, store_text_in(write, parameter));
    default:
        return sqlite3_bind_int64(statement, at, store_number_in(write, parameter));
    }
}

static gral_span bytes_of(const store_row *row, int column)
{
    const unsigned char *text = sqlite3_column_text(row->answer, column);
    return (gral_span){text != NULL ? (const char *)text : "", (size_t)sqlite3_column_bytes(row->answer, column)};
}

static int64_t number_of(const store_row *row, int column)
{
    return sqlite3_column_int64(row->answer, column);
}

static double real_of(const store_row *row, int column)
{
    return sqlite3_column_double(row->answer, column);
}

static const store_cells cells = {bytes_of, number_of, real_of};

static const char *text_of(sqlite3_stmt *statement, int column)
{
    return bytes_of(&(store_row){.answer = statement}, column).bytes;
}

/* --- what went wrong --- */

/* Asked right after the failure: SQLite's own note of the system's reason is not made for a COMMIT, so errno must do.
 * It knows a full disk itself, but neither a full quota nor a file at its limit. */
static bool is_full(sqlite3 *database)
{
    const int reason = errno, code = sqlite3_extended_errcode(database);
    if (code == SQLITE_FULL || code == SQLITE_IOERR_SHMSIZE)
        return true;
    return (code & 0xff) == SQLITE_IOERR && (reason == ENOSPC || reason == EDQUOT || reason == EFBIG);
}

static bool explain(const char *path, sqlite3 *database, gral_error *error)
{
    static const struct {
        int code;
        const char *words;
    } known[] = {
        {SQLITE_NOTADB, "it is not a database"},
        {SQLITE_CORRUPT, "the database is damaged"},
        {SQLITE_BUSY, "another program keeps the database locked"},
        {SQLITE_READONLY, "no permission to write the database"},
        {SQLITE_NOMEM, "out of memory"},
    };
    if (is_full(database))
        return store_say(error, "no room on the disk (%s)", path);
    const int code = sqlite3_errcode(database);
    for (size_t row = 0; row < sizeof known / sizeof *known; row++)
        if ((code & 0xff) == known[row].code)
            return store_say(error, "%s (%s)", known[row].words, path);
    return store_say(error, "%s (%s)", sqlite3_errmsg(database), path);
}

static bool run(const char *path, sqlite3 *database, const char *words, gral_error *error)
{
    return sqlite3_exec(database, words, NULL, NULL, NULL) == SQLITE_OK || explain(path, database, error);
}

/* --- opening --- */

/* The file is there afterwards, a new one for its owner alone; `found` is its name without links, so that there is only
 * one lock however it was called. */
static bool find_file(const char *path, char found[PATH_MAX], struct stat *status, gral_error *error)
{
    if (path[0] == '\0')
        return store_say(error, "the database has no name");
    /* Only a new file is opened here: see above what closing an old one would do. */
    const int made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (made >= 0)
        close(made);
    if ((made < 0 && errno != EEXIST) || realpath(path, found) == NULL || stat(found, status) != 0)
        return store_say(error, "%s (%s)", strerror(errno), path);
    if (S_ISDIR(status->st_mode))
        return store_say(error, "it is a folder, not a database (%s)", path);
    return S_ISREG(status->st_mode) || store_say(error, "it is not a file (%s)", path);
}

static bool take_lock(sqlite *sqlite, gral_error *error)
{
    char path[PATH_MAX + sizeof "-lock"];
    snprintf(path, sizeof path, "%s-lock", sqlite->path);
    sqlite->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (sqlite->lock < 0)
        return store_say(error, "%s (%s)", strerror(errno), path);
    if (flock(sqlite->lock, LOCK_EX | LOCK_NB) == 0)
        return true;
    if (errno == EWOULDBLOCK)
        return store_say(error, "another gral serve uses this database (%s)", sqlite->path);
    return store_say(error, "%s (%s)", strerror(errno), path);
}

/* Even when it fails the connection is the caller's to close. */
static bool connect_to(const char *path, sqlite3 **database, gral_error *error)
{
    if (sqlite3_open_v2(path, database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return explain(path, *database, error);
    sqlite3_extended_result_codes(*database, 1);
    sqlite3_busy_timeout(*database, PATIENCE_MS);
    return true;
}

static bool prepare(const char *path, sqlite3 *database, const char *words, sqlite3_stmt **statement, gral_error *error)
{
    return sqlite3_prepare_v3(database, words, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) == SQLITE_OK ||
           explain(path, database, error);
}

static bool prepare_write(sqlite *sqlite, const char *words, prepared *prepared, gral_error *error)
{
    if (!prepare(sqlite->path, sqlite->writer, words, &prepared->statement, error))
        return false;
    prepared->parameters = sqlite3_bind_parameter_count(prepared->statement);
    assert(prepared->parameters <= PARAMETERS_MAX);
    for (int at = 0; at < prepared->parameters; at++) {
        const char *name = sqlite3_bind_parameter_name(prepared->statement, at + 1) + 1; /* after the colon */
        prepared->parameter[at] = store_find_parameter(name, strlen(name));
        assert(prepared->parameter[at] != NULL);
    }
    return true;
}

static const char nowhere[] = ":memory:"; /* the path by which SQLite knows it */

static bool is_in_memory(const sqlite *sqlite)
{
    return strcmp(sqlite->path, nowhere) == 0;
}

static bool use_write_ahead_log(sqlite *sqlite, gral_error *error)
{
    sqlite3_stmt *statement = NULL;
    bool used = prepare(sqlite->path, sqlite->writer, "PRAGMA journal_mode = WAL", &statement, error);
    if (used && sqlite3_step(statement) != SQLITE_ROW)
        used = explain(sqlite->path, sqlite->writer, error);
    else if (used && strcmp(text_of(statement, 0), "wal") != 0)
        used = store_say(error, "this file system cannot share memory between processes (%s)", sqlite->path);
    sqlite3_finalize(statement);
    return used;
}

static bool open_writer(sqlite *sqlite, bool shared, gral_error *error)
{
    if (!connect_to(sqlite->path, &sqlite->writer, error))
        return false;
    if (sqlite3_db_readonly(sqlite->writer, "main"))
        return store_say(error, "no permission to write the database (%s)", sqlite->path);
    gral_error why;
    if (!store_migrate(sqlite->writer, &store_schema, !shared, &why))
        return store_say(error, "%s (%s)", why.message, sqlite->path);
    /* What is deleted is overwritten: a name that somebody took back must not linger in a free page. */
    if ((!is_in_memory(sqlite) && !use_write_ahead_log(sqlite, error)) ||
        !run(sqlite->path, sqlite->writer,
             "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;"
             "PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 16777216",
             error))
        return false;
    const struct {
        const char *words;
        sqlite3_stmt **statement;
    } frame[] = {
        {"BEGIN IMMEDIATE", &sqlite->begin},           {"COMMIT", &sqlite->commit},
        {"SAVEPOINT unit", &sqlite->savepoint},        {"RELEASE unit", &sqlite->release},
        {"ROLLBACK TO unit", &sqlite->roll_back_unit},
    };
    for (size_t row = 0; row < sizeof frame / sizeof *frame; row++)
        if (!prepare(sqlite->path, sqlite->writer, frame[row].words, frame[row].statement, error))
            return false;
    for (unsigned kind = 0; kind < STORE_WRITE_KINDS; kind++)
        for (unsigned part = 0; part < STORE_STATEMENTS && store_write_kinds[kind].statement[part] != NULL; part++)
            if (!prepare_write(sqlite, store_write_kinds[kind].statement[part], &sqlite->write[kind][part], error))
                return false;
    return true;
}

static bool prepare_questions(const sqlite *sqlite, reader *reader, gral_error *error)
{
    for (unsigned query = 0; query < STORE_QUERIES; query++)
        if (!prepare(sqlite->path, reader->database, store_questions[query].words, &reader->query[query], error))
            return false;
    return true;
}

static bool open_readers(sqlite *sqlite, gral_error *error)
{
    for (unsigned index = 0; index < STORE_READERS; index++) {
        reader *reader = &sqlite->readers[index];
        if (!connect_to(sqlite->path, &reader->database, error) ||
            !run(sqlite->path, reader->database, "PRAGMA query_only = ON", error) ||
            !prepare_questions(sqlite, reader, error))
            return false;
    }
    return true;
}

static void sqlite_close(store *store)
{
    sqlite *sqlite = (struct sqlite *)store;
    for (unsigned index = 0; index < STORE_READERS; index++) {
        reader *reader = &sqlite->readers[index];
        for (unsigned query = 0; query < STORE_QUERIES; query++)
            sqlite3_finalize(reader->query[query]);
        if (reader->database != sqlite->writer)
            sqlite3_close(reader->database);
    }
    for (unsigned kind = 0; kind < STORE_WRITE_KINDS; kind++)
        for (unsigned part = 0; part < STORE_STATEMENTS; part++)
            sqlite3_finalize(sqlite->write[kind][part].statement);
    sqlite3_stmt *const frame[] = {sqlite->begin, sqlite->commit, sqlite->savepoint, sqlite->release,
                                   sqlite->roll_back_unit};
    for (size_t row = 0; row < sizeof frame / sizeof *frame; row++)
        sqlite3_finalize(frame[row]);
    sqlite3_finalize(sqlite->head.under_way);
    sqlite3_close(sqlite->writer);
    /* The lock's file stays: whoever removed it could remove one that somebody else has just locked. */
    if (sqlite->lock >= 0)
        close(sqlite->lock);
    store_end_asking(&sqlite->head);
    free(sqlite);
}

static bool hear(store *store, unsigned reader, enum store_query query, const store_argument *arguments,
                 const store_listener *listener, gral_error *error);

static sqlite *make(const store_kind *kind, unsigned readers, gral_error *error)
{
    sqlite *sqlite = calloc(1, sizeof *sqlite);
    if (sqlite == NULL) {
        store_say(error, "out of memory");
        return NULL;
    }
    store_begin_asking(&sqlite->head, kind, readers);
    sqlite->head.hear = hear;
    sqlite->head.raw = &store_raw_sqlite;
    sqlite->lock = -1;
    return sqlite;
}

static store *open_or_close(sqlite *sqlite, bool opened)
{
    if (opened)
        return &sqlite->head.head;
    sqlite_close(&sqlite->head.head);
    return NULL;
}

static store *sqlite_open(const char *path, bool shared, gral_error *error)
{
    sqlite *sqlite = make(&store_in_file, STORE_READERS, error);
    struct stat status;
    if (sqlite == NULL)
        return NULL;
    return open_or_close(sqlite, find_file(path, sqlite->path, &status, error) &&
                                     (shared || take_lock(sqlite, error)) && open_writer(sqlite, shared, error) &&
                                     open_readers(sqlite, error));
}

static store *memory_open(const char *address, bool shared, gral_error *error)
{
    (void)address;
    sqlite *sqlite = make(&store_in_memory, 1, error);
    if (sqlite == NULL)
        return NULL;
    memcpy(sqlite->path, nowhere, sizeof nowhere);
    bool opened = open_writer(sqlite, shared, error);
    sqlite->readers[0].database = sqlite->writer;
    return open_or_close(sqlite, opened && prepare_questions(sqlite, &sqlite->readers[0], error));
}

/* --- committing --- */

static bool do_frame(sqlite3_stmt *statement)
{
    sqlite3_step(statement);
    return sqlite3_reset(statement) == SQLITE_OK;
}

/* STORE_FAILED is the end of the whole transaction, also if the reason is a full disk. */
static enum store_outcome do_statement(const prepared *prepared, const store_write *write)
{
    for (int at = 0; at < prepared->parameters; at++)
        if (bind(prepared->statement, at + 1, prepared->parameter[at], write) != SQLITE_OK)
            return STORE_FAILED;
    sqlite3_step(prepared->statement);
    const int code = sqlite3_reset(prepared->statement);
    sqlite3_clear_bindings(prepared->statement);
    if (code == SQLITE_OK)
        return STORE_DONE;
    return (code & 0xff) == SQLITE_CONSTRAINT ? STORE_CONFLICT : STORE_FAILED;
}

static enum store_outcome do_write(sqlite *sqlite, store_write *write)
{
    const prepared *prepared = sqlite->write[write->kind];
    enum store_outcome outcome = do_statement(&prepared[0], write);
    if (outcome == STORE_DONE && !store_write_kinds[write->kind].may_be_idle && sqlite3_changes(sqlite->writer) == 0)
        outcome = STORE_CONFLICT;
    for (unsigned part = 1; part < STORE_STATEMENTS && outcome == STORE_DONE && prepared[part].statement != NULL;
         part++)
        outcome = do_statement(&prepared[part], write);
    if (outcome == STORE_DONE && store_write_kinds[write->kind].makes_room)
        write->ended = (uint32_t)sqlite3_changes(sqlite->writer);
    return outcome;
}

static enum store_outcome do_unit(sqlite *sqlite, store_write *writes, size_t count)
{
    if (count == 1)
        return do_write(sqlite, writes);
    enum store_outcome outcome = do_frame(sqlite->savepoint) ? STORE_DONE : STORE_FAILED;
    for (size_t index = 0; index < count && outcome == STORE_DONE; index++)
        outcome = do_write(sqlite, &writes[index]);
    if (outcome == STORE_CONFLICT && !do_frame(sqlite->roll_back_unit))
        outcome = STORE_FAILED;
    if (outcome != STORE_FAILED && !do_frame(sqlite->release))
        outcome = STORE_FAILED;
    return outcome;
}

static bool give_up(sqlite *sqlite, store_write *writes, size_t count, gral_error *error)
{
    store_set_outcome(writes, count, is_full(sqlite->writer) ? STORE_FULL : STORE_FAILED);
    explain(sqlite->path, sqlite->writer, error);
    if (!sqlite3_get_autocommit(sqlite->writer))
        sqlite3_exec(sqlite->writer, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

static bool commit(sqlite *sqlite, store_write *writes, size_t count, gral_error *error)
{
    errno = 0; /* an old reason is none, see is_full */
    if (!do_frame(sqlite->begin))
        return give_up(sqlite, writes, count, error);
    for (size_t first = 0, end; first < count; first = end) {
        end = store_unit_end(writes, count, first);
        const enum store_outcome outcome = do_unit(sqlite, writes + first, end - first);
        if (outcome == STORE_FAILED)
            return give_up(sqlite, writes, count, error);
        store_set_outcome(writes + first, end - first, outcome);
    }
    return do_frame(sqlite->commit) || give_up(sqlite, writes, count, error);
}

static bool sqlite_commit(store *store, store_write *writes, size_t count, gral_error *error)
{
    sqlite *sqlite = (struct sqlite *)store;
    if (!store_writes_make_sense(writes, count, error)) {
        store_set_outcome(writes, count, STORE_FAILED);
        return false;
    }
    if (count == 0)
        return true;
    if (!is_in_memory(sqlite))
        return commit(sqlite, writes, count, error);
    const unsigned turn = store_take_reader(&sqlite->head);
    const bool good = commit(sqlite, writes, count, error);
    store_return_reader(&sqlite->head, turn);
    return good;
}

/* --- reading --- */

static int bind_argument(sqlite3_stmt *statement, int at, const store_argument *argument)
{
    if (argument->text != NULL)
        return bind_span(statement, at, gral_span_of(argument->text));
    if (argument->secret != NULL)
        return sqlite3_bind_blob(statement, at, argument->secret, STORE_SECRET_BYTES, SQLITE_STATIC);
    return sqlite3_bind_int64(statement, at, argument->number);
}

static bool take_rows(sqlite3_stmt *rows, enum store_query query, const store_argument *arguments,
                      const store_listener *listener)
{
    const int parameters = sqlite3_bind_parameter_count(rows);
    for (int at = 0; at < parameters; at++)
        if (bind_argument(rows, at + 1, &arguments[at]) != SQLITE_OK)
            return false;
    const store_row row = {.cells = &cells, .answer = rows};
    int step;
    while ((step = sqlite3_step(rows)) == SQLITE_ROW)
        if (!store_questions[query].take(listener, &row))
            return true;
    return step == SQLITE_DONE;
}

static bool hear(store *store, unsigned reader, enum store_query query, const store_argument *arguments,
                 const store_listener *listener, gral_error *error)
{
    const sqlite *sqlite = (struct sqlite *)store;
    sqlite3_stmt *rows = sqlite->readers[reader].query[query];
    const bool good = take_rows(rows, query, arguments, listener);
    if (!good)
        explain(sqlite->path, sqlite->readers[reader].database, error);
    sqlite3_reset(rows);
    sqlite3_clear_bindings(rows);
    return good;
}

/* --- copying --- */

static bool copy_pages(const sqlite *sqlite, sqlite3 *source, sqlite3 *target, const char *path,
                       void (*progress)(unsigned done, unsigned all), gral_error *error)
{
    /* The open transaction holds on to this moment. Without it, the copy would begin again at each commit. */
    if (!run(sqlite->path, source, "BEGIN; SELECT count(*) FROM sqlite_schema", error))
        return false;
    sqlite3_backup *backup = sqlite3_backup_init(target, "main", source, "main");
    if (backup == NULL)
        return explain(path, target, error);
    int step;
    do {
        step = sqlite3_backup_step(backup, PAGES_IN_A_STEP);
        const int all = sqlite3_backup_pagecount(backup);
        if (progress != NULL && all > 0)
            progress((unsigned)(all - sqlite3_backup_remaining(backup)), (unsigned)all);
    } while (step == SQLITE_OK);
    sqlite3_backup_finish(backup);
    return step == SQLITE_DONE || explain(path, target, error);
}

static bool check_copy(sqlite3 *target, const char *path, gral_error *error)
{
    sqlite3_stmt *check = NULL;
    bool good = sqlite3_prepare_v2(target, "PRAGMA quick_check(1)", -1, &check, NULL) == SQLITE_OK &&
                sqlite3_step(check) == SQLITE_ROW;
    if (!good)
        explain(path, target, error);
    else if (strcmp(text_of(check, 0), "ok") != 0)
        good = store_say(error, "the database is damaged: %s", text_of(check, 0));
    sqlite3_finalize(check);
    return good;
}

static bool sync_file(const char *path, gral_error *error)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const bool safe = file >= 0 && fsync(file) == 0;
    if (!safe)
        store_say(error, "%s (%s)", strerror(errno), path);
    if (file >= 0)
        close(file);
    return safe;
}

static bool sqlite_backup(store *store, const char *path, void (*progress)(unsigned done, unsigned all),
                          gral_error *error)
{
    const sqlite *sqlite = (struct sqlite *)store;
    char copy[PATH_MAX];
    struct stat status;
    if (!find_file(path, copy, &status, error))
        return false;
    if (status.st_size > 0)
        return store_say(error, "it is there already (%s)", path);
    sqlite3 *source = NULL, *target = NULL;
    /* With a journal that goes away the copy is one file. */
    const bool good = connect_to(sqlite->path, &source, error) && connect_to(copy, &target, error) &&
                      copy_pages(sqlite, source, target, copy, progress, error) &&
                      run(copy, target, "PRAGMA journal_mode = DELETE", error) && check_copy(target, copy, error);
    sqlite3_close(source);
    sqlite3_close(target);
    return good && sync_file(copy, error);
}

#define AS_SQLITE_DOES .close = sqlite_close, .commit = sqlite_commit, ASKED_AS_ANY

const store_kind store_in_file = {.name = "sqlite", .open = sqlite_open, .backup = sqlite_backup, AS_SQLITE_DOES};
const store_kind store_in_memory = {.name = "memory", .open = memory_open, AS_SQLITE_DOES};

sqlite3 *store_sqlite_writer(store *store)
{
    return ((sqlite *)store)->writer;
}
