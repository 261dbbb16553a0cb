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
#include "store/store_schema.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PATIENCE_MS = 5000,    /* for another process that is writing */
    PAGES_IN_A_STEP = 256, /* of a backup: a mebibyte */
};

/* --- writing: each kind is a statement or two --- */

int store_bind_text(sqlite3_stmt *statement, int at, gral_span text)
{
    /* Without a pointer SQLite would take the text for NULL. */
    return sqlite3_bind_text64(statement, at, text.length > 0 ? text.bytes : "", text.length, SQLITE_STATIC,
                               SQLITE_UTF8);
}

static const struct parameter {
    const char *name;
    enum { SMALL, FLAG, COUNT, NUMBER, REAL, WORDS, MAYBE, TEXT, SECRET } sort;
    size_t at; /* in the write */
} parameters[] = {
#define AT(sort, member) ":" #member, sort, offsetof(store_write, member)
    {AT(SMALL, seat)},     {AT(SMALL, stage)},  {AT(SMALL, players)},     {AT(SMALL, result)},  {AT(FLAG, listed)},
    {AT(FLAG, token)},     {AT(COUNT, number)}, {AT(COUNT, limit)},       {AT(NUMBER, user)},   {AT(NUMBER, time)},
    {AT(NUMBER, ends)},    {AT(WORDS, game)},   {AT(WORDS, name)},        {AT(MAYBE, key)},     {AT(WORDS, password)},
    {AT(WORDS, label)},    {AT(WORDS, rules)},  {AT(MAYBE, signing_key)}, {AT(TEXT, text)},     {AT(SECRET, secret)},
    {AT(SMALL, way)},      {AT(SMALL, event)},  {AT(SMALL, events)},      {AT(SMALL, digest)},  {AT(SMALL, tries)},
    {AT(WORDS, language)}, {AT(SMALL, class)},  {AT(SMALL, place)},       {AT(REAL, strength)}, {AT(REAL, doubt)},
    {AT(NUMBER, other)},   {AT(SMALL, part)},
#undef AT
};

/* A text that is not there is an empty one, or nothing where there may be nothing. */
static int bind_words(sqlite3_stmt *statement, int at, const char *words, bool maybe)
{
    if (maybe && (words == NULL || words[0] == '\0'))
        return sqlite3_bind_null(statement, at);
    return store_bind_text(statement, at, gral_span_of(words != NULL ? words : ""));
}

static int bind(sqlite3_stmt *statement, int at, const struct parameter *parameter, const store_write *write)
{
    const void *value = (const char *)write + parameter->at;
    switch (parameter->sort) {
    case SMALL:
        return sqlite3_bind_int(statement, at, *(const uint8_t *)value);
    case FLAG:
        return sqlite3_bind_int(statement, at, *(const bool *)value);
    case COUNT:
        return sqlite3_bind_int64(statement, at, *(const uint32_t *)value);
    case NUMBER:
        return sqlite3_bind_int64(statement, at, *(const int64_t *)value);
    case REAL:
        return sqlite3_bind_double(statement, at, *(const double *)value);
    case TEXT:
        return store_bind_text(statement, at, *(const gral_span *)value);
    case SECRET:
        return sqlite3_bind_blob(statement, at, value, STORE_SECRET_BYTES, SQLITE_STATIC);
    default:
        return bind_words(statement, at, *(const char *const *)value, parameter->sort == MAYBE);
    }
}

#define THE_GAME       "(SELECT id FROM game WHERE name = :game)"
#define THE_TOURNAMENT "(SELECT id FROM tournament WHERE name = :game)"

/* Something has happened to the game that all who sit there see in the list of their games. */
#define CHANGED "UPDATE seat SET changed = max(changed, :time) WHERE game = " THE_GAME

/* Ends those of a user that are too many; the new one stays. */
#define NEWEST(token)                                                                                                  \
    "DELETE FROM session WHERE :limit > 0 AND user = :user AND token = " token " AND secret NOT IN"                    \
    " (SELECT secret FROM session WHERE user = :user AND token = " token                                               \
    "  ORDER BY secret = :secret DESC, seen DESC LIMIT :limit)"

/* Both are somebody still: who is not leaves nothing behind (store_schema.c). */
#define AND_BOTH                                                                                                       \
    " AND key IS NOT NULL AND EXISTS(SELECT 1 FROM user AS self WHERE self.id = :user AND self.key IS NOT NULL)"

/* It was noted that he has played the game: else nothing of it is. */
#define ADD_TALLY  " games = games + 1, won = won + excluded.won, drawn = drawn + excluded.drawn"
#define HAS_PLAYED "EXISTS(SELECT 1 FROM played WHERE played.user = :user AND played.game = " THE_GAME ")"

/* Of several statements only the first can conflict: then nothing is done yet, and a unit of one write needs no
 * savepoint. */
static const struct {
    const char *statement[STATEMENTS];
    bool may_be_idle; /* nothing to do is done, not a conflict */
    bool makes_room;  /* the last statement ends what is too much */
} write_kinds[] = {
    [STORE_NEW_GAME] = {.statement = {"INSERT INTO game(name, stage, listed, created)"
                                      " VALUES(:game, 0, :listed, :time)",
                                      "INSERT INTO log SELECT id, 0, :time, :text FROM game WHERE name = :game"}},
    [STORE_RENEW_GAME] = {.statement = {"UPDATE game SET listed = :listed WHERE name = :game AND stage = 0",
                                        "DELETE FROM log WHERE game = " THE_GAME,
                                        "INSERT INTO log VALUES(" THE_GAME ", 0, :time, :text)"}},
    [STORE_APPEND] =
        {.statement = {"INSERT INTO log SELECT id, :number, :time, :text FROM game WHERE name = :game"
                       " AND EXISTS(SELECT 1 FROM log WHERE log.game = game.id AND log.number = :number - 1)"}},
    [STORE_SET_STAGE] = {.statement = {"UPDATE game SET stage = :stage WHERE name = :game", CHANGED,
                                       "DELETE FROM invitation WHERE game = " THE_GAME " AND :stage > 0"}},
    [STORE_SLEEP] = {.statement = {"UPDATE game SET wakes = :time, deserted = :ends WHERE name = :game AND stage = 1"}},
    [STORE_WAKE] = {.statement = {"UPDATE game SET wakes = 0 WHERE name = :game"}},
    [STORE_CLEAR_GAME] = {.statement = {"DELETE FROM game WHERE name = :game AND stage = 2"
                                        " AND NOT EXISTS(SELECT 1 FROM rated WHERE rated.game = game.id)"},
                          .may_be_idle = true},
    [STORE_SIT] = {.statement = {"INSERT INTO seat SELECT id, :seat, :user, max(created, :time) FROM game"
                                 " WHERE name = :game",
                                 CHANGED}},
    [STORE_RISE] = {.statement = {"DELETE FROM seat WHERE game = " THE_GAME " AND seat = :seat"}, .may_be_idle = true},
    [STORE_RESULT] = {.statement = {"INSERT INTO result SELECT id, :seat, :user, :players, :result, :rules FROM game"
                                    " WHERE name = :game",
                                    "INSERT INTO tally VALUES(:user, :rules, :players, :result, 1)"
                                    " ON CONFLICT DO UPDATE SET games = games + 1"}},
    [STORE_NEW_USER] = {.statement = {"INSERT INTO user VALUES(:user, :name, :key, :password, :time, :time)"}},
    [STORE_SET_USER] = {.statement = {"UPDATE user SET name = :name, key = :key, password = :password"
                                      " WHERE id = :user AND name <> ''"}},
    [STORE_RENAME] = {.statement = {"UPDATE user SET name = :name, key = :key WHERE id = :user AND name <> ''"}},
    [STORE_SET_PASSWORD] = {.statement = {"UPDATE user SET password = :password WHERE id = :user AND password <> ''"}},
    [STORE_DELETE_USER] = {.statement = {"UPDATE user SET name = '', key = NULL, password = '' WHERE id = :user",
                                         "DELETE FROM session WHERE user = :user",
                                         "DELETE FROM way WHERE user = :user"}},
    [STORE_NEW_SESSION] =
        {.statement = {"INSERT INTO session SELECT :secret, id, :time, :token, :label, :time, :ends FROM user"
                       " WHERE id = :user AND name <> '' AND :password IN ('', password)",
                       NEWEST(":token")},
         .makes_room = true},
    [STORE_NEW_DEVICE] = {.statement = {"INSERT INTO session SELECT :secret, id, :time, 2, '', :time, 0 FROM user"
                                        " WHERE id = :user AND name <> ''",
                                        NEWEST("2")}},
    [STORE_TOUCH] = {.statement = {"UPDATE session SET seen = max(seen, :time) WHERE secret = :secret",
                                   "UPDATE user SET seen = max(seen, :time)"
                                   " WHERE id = (SELECT user FROM session WHERE secret = :secret)"}},
    [STORE_END_SESSION] = {.statement = {"DELETE FROM session WHERE secret = :secret"}, .may_be_idle = true},
    [STORE_END_TOKENS] = {.statement = {"DELETE FROM session WHERE user = :user AND token = 1"}, .may_be_idle = true},
    [STORE_END_OTHERS] = {.statement = {"DELETE FROM session WHERE user = :user AND secret <> :secret"
                                        " AND (token <> 1 OR :token)"},
                          .may_be_idle = true},
    [STORE_END_UNUSED] = {.statement = {"DELETE FROM session WHERE secret IN (SELECT secret FROM session"
                                        " WHERE (token = 1) = :token AND seen < :time LIMIT :limit)"},
                          .may_be_idle = true},
    [STORE_END_OVERDUE] = {.statement = {"DELETE FROM session WHERE secret IN (SELECT secret FROM session"
                                         " WHERE ends > 0 AND ends <= :time LIMIT :limit)"},
                           .may_be_idle = true},
    [STORE_CLEAR_GUEST] = {.statement = {"UPDATE user SET key = NULL WHERE id = :user AND password = ''"
                                         " AND key IS NOT NULL AND seen < :time AND NOT " PLAYING(":user"),
                                         "DELETE FROM session WHERE user = :user", "DELETE FROM way WHERE user = :user",
                                         "DELETE FROM user WHERE id = :user"
                                         " AND NOT EXISTS(SELECT 1 FROM seat WHERE user = :user)"
                                         " AND NOT EXISTS(SELECT 1 FROM result WHERE user = :user)"}},
    [STORE_READ_LATER] = {.statement = {"INSERT INTO unread SELECT 0, id FROM game WHERE name = :game"}},
    [STORE_READ] = {.statement = {"DELETE FROM unread WHERE settled IN (0, 1) AND game = " THE_GAME}},
    [STORE_RATED] = {.statement = {"INSERT INTO rated(game, class, time) VALUES(" THE_GAME ", :class, :time)"}},
    [STORE_RATE] = {.statement = {"INSERT INTO rating SELECT :user, :class, :strength, :doubt, 1, :time WHERE :number ="
                                  " coalesce((SELECT games FROM rating WHERE user = :user AND class = :class), 0)"
                                  " ON CONFLICT DO UPDATE SET strength = excluded.strength, doubt = excluded.doubt,"
                                  " games = games + 1, changed = excluded.changed",
                                  "INSERT INTO rated_seat SELECT number, :seat, :user, class, :place, :strength, :doubt"
                                  " FROM rated WHERE game = " THE_GAME}},
    [STORE_PLAYED] =
        {.statement = {"INSERT INTO played SELECT user.id, game.id, :time, :seat, :class, listed FROM game JOIN user"
                       " ON user.id = :user WHERE game.name = :game AND key IS NOT NULL",
                       "INSERT INTO score SELECT :user, :class, 1, :result = 2, :result = 1 WHERE " HAS_PLAYED
                       " ON CONFLICT DO UPDATE SET" ADD_TALLY,
                       "INSERT INTO met SELECT :user, user, 1, :result = 2, :result = 1 FROM result"
                       " WHERE game = " THE_GAME " AND user <> :user AND " HAS_PLAYED
                       " ON CONFLICT DO UPDATE SET" ADD_TALLY,
                       "INSERT INTO manner SELECT :user, key, value FROM json_each(:text) WHERE " HAS_PLAYED
                       " ON CONFLICT DO UPDATE SET sum = sum + excluded.sum"},
         .may_be_idle = true},
    [STORE_SHOW] = {.statement = {"INSERT OR REPLACE INTO shown VALUES(:user, :part, :place)"}},
    [STORE_BAN] = {.statement = {"INSERT INTO sanction VALUES(:user, :ends, 0)"
                                 " ON CONFLICT DO UPDATE SET banned = :ends"}},
    [STORE_SILENCE] = {.statement = {"INSERT INTO sanction VALUES(:user, 0, :ends)"
                                     " ON CONFLICT DO UPDATE SET silenced = :ends"}},
    [STORE_BAR] = {.statement = {"INSERT INTO barred VALUES(:name, :ends) ON CONFLICT DO UPDATE SET until = :ends"}},
    [STORE_UNBAR] = {.statement = {"DELETE FROM barred WHERE network = :name"}},
    [STORE_ADD_WORD] = {.statement = {"INSERT INTO word VALUES(:name)"}},
    [STORE_DROP_WORD] = {.statement = {"DELETE FROM word WHERE word = :name"}},
    [STORE_REPORT] = {.statement = {"INSERT INTO report(time, user, accused, game, reason, talk)"
                                    " VALUES(:time, :user, :other, :game, :label, :text)"}},
    [STORE_REPORT_DONE] = {.statement = {"UPDATE report SET done = 1 WHERE id = :number AND done = 0"}},
    [STORE_AUDIT] = {.statement = {"INSERT INTO audit(time, text) VALUES(:time, :text)"}},
    [STORE_CLEAR_LOGS] = {.statement = {"DELETE FROM audit WHERE time < :time",
                                        "DELETE FROM report WHERE time < :time"},
                          .may_be_idle = true},
    [STORE_WANT] =
        {.statement = {"INSERT OR REPLACE INTO tie SELECT :user, id, 0, :time FROM user WHERE id = :other" AND_BOTH}},
    [STORE_UNTIE] = {.statement = {"DELETE FROM tie WHERE blocks = 0 AND user = :user AND other = :other",
                                   "DELETE FROM tie WHERE blocks = 0 AND user = :other AND other = :user"},
                     .may_be_idle = true},
    [STORE_BLOCK] =
        {.statement = {"INSERT OR REPLACE INTO tie SELECT :user, id, 1, :time FROM user WHERE id = :other" AND_BOTH,
                       "DELETE FROM tie WHERE blocks = 0 AND user = :other AND other = :user",
                       "DELETE FROM invitation WHERE user = :user AND other = :other"}},
    [STORE_UNBLOCK] = {.statement = {"DELETE FROM tie WHERE blocks = 1 AND user = :user AND other = :other"},
                       .may_be_idle = true},
    [STORE_SEEN] = {.statement = {"INSERT OR REPLACE INTO seen VALUES(:user, :place)"}},
    [STORE_INVITE] =
        {.statement = {"INSERT OR REPLACE INTO invitation SELECT :other, id, :user, :time FROM game"
                       " WHERE name = :game AND stage = 0 AND NOT EXISTS"
                       " (SELECT 1 FROM tie WHERE user = :other AND other = :user AND blocks = 1)",
                       "DELETE FROM invitation WHERE user = :other AND game NOT IN"
                       " (SELECT game FROM invitation WHERE user = :other ORDER BY time DESC LIMIT :limit)"},
         .may_be_idle = true},
    [STORE_UNINVITE] = {.statement = {"DELETE FROM invitation WHERE user = :user AND game = " THE_GAME},
                        .may_be_idle = true},
    [STORE_NEW_WAY] = {.statement = {"DELETE FROM way WHERE kind = :way AND CASE :way WHEN 0 THEN user = :user"
                                     " ELSE address = :name AND user <> :user END",
                                     "INSERT INTO way VALUES(:other, :user, :way, :name, ifnull(:key, ''), :label,"
                                     " :language, :events, 0, :way, :time)"
                                     " ON CONFLICT(address) WHERE kind = 1 DO UPDATE SET key = excluded.key,"
                                     " label = excluded.label, language = excluded.language",
                                     "DELETE FROM way WHERE kind = 1 AND user = :user AND id NOT IN (SELECT id FROM way"
                                     " WHERE kind = 1 AND user = :user ORDER BY created DESC, address = :name DESC"
                                     " LIMIT :limit)",
                                     "INSERT INTO letter(way, event, game, number, other, due, tries, state, made)"
                                     " SELECT id, 5, '', :number, 0, :time, 0, 0, :time FROM way"
                                     " WHERE id = :other AND confirmed = 0 AND :tries = 0"},
                       .may_be_idle = true},
    [STORE_SET_WAY] = {.statement = {"UPDATE way SET events = :events, digest = :digest WHERE id = :other"
                                     " AND user = :user"}},
    [STORE_END_WAY] = {.statement = {"DELETE FROM way WHERE id = :other AND :user IN (0, user)"}, .may_be_idle = true},
    [STORE_STOP_WAY] = {.statement = {"UPDATE way SET events = 0 WHERE id = :other",
                                      "UPDATE letter SET state = 2 WHERE way = :other AND state = 0 AND event < 5"}},
    [STORE_CONFIRM_WAY] = {.statement = {"UPDATE way SET confirmed = 1 WHERE id = (SELECT way FROM letter"
                                         " WHERE id = :other AND event = 5 AND number = :number AND made > :time)",
                                         "DELETE FROM letter WHERE id = :other"}},
    [STORE_LETTER] =
        {.statement = {"INSERT INTO letter(way, event, game, number, other, due, tries, state, made)"
                       " SELECT id, :event, :game, :number, :other,"
                       " :time + CASE WHEN :event IN (1, 4) THEN 0 ELSE 3600000 * digest END, 0, :stage, :time"
                       " FROM way WHERE user = :user AND confirmed = 1 AND events >> :event & 1"
                       " ON CONFLICT(way, game, event) DO UPDATE SET number = excluded.number,"
                       " other = excluded.other, due = excluded.due, tries = 0, state = excluded.state,"
                       " made = excluded.made WHERE excluded.number > number"},
         .may_be_idle = true},
    [STORE_LETTERS_SEEN] =
        {.statement = {"UPDATE letter SET state = 2 WHERE way IN (SELECT id FROM way WHERE user = :user)"
                       " AND game = :game AND state = 0 AND event IN (0, 2, 3, 4)"},
         .may_be_idle = true},
    [STORE_LETTER_GOES] = {.statement = {"UPDATE letter SET state = 1 WHERE id = :other AND number = :number"
                                         " AND state = 0"}},
    [STORE_LETTER_DONE] = {.statement = {"UPDATE letter SET state = 2 WHERE id = :other AND number = :number"},
                           .may_be_idle = true},
    [STORE_LETTER_LATER] =
        {.statement = {"UPDATE letter SET state = 0, due = :time, tries = :tries WHERE id = :other"
                       " AND number = :number AND state < 2",
                       "UPDATE letter SET due = max(due, :time) WHERE :limit > 0 AND state = 0 AND way ="
                       " (SELECT way FROM letter WHERE id = :other)"},
         .may_be_idle = true},
    [STORE_RECOVER] = {.statement = {"INSERT INTO letter(way, event, game, number, other, due, tries, state, made)"
                                     " SELECT way.id, 6, '', :number, 0, :time, 0, 0, :time FROM way"
                                     " JOIN user ON user.id = way.user"
                                     " WHERE kind = 0 AND address = :name AND confirmed = 1 AND password <> ''"
                                     " ON CONFLICT(way, game, event) DO UPDATE SET number = excluded.number,"
                                     " due = excluded.due, tries = 0, state = 0, made = excluded.made"
                                     " WHERE made < :ends"},
                       .may_be_idle = true},
    [STORE_RECOVERED] = {.statement = {"DELETE FROM letter WHERE id = :other AND event = 6 AND number = :number"
                                       " AND made > :time"
                                       " AND way IN (SELECT id FROM way WHERE user = :user)"}},
    [STORE_CLEAR_LETTERS] = {.statement = {"DELETE FROM letter WHERE state > 0 AND made < :time",
                                           "DELETE FROM way WHERE confirmed = 0 AND created < :ends"},
                             .may_be_idle = true},
    [STORE_NEW_TOURNAMENT] = {.statement = {"INSERT INTO tournament(name, over) VALUES(:game, 0)",
                                            "INSERT INTO tournament_log VALUES(" THE_TOURNAMENT ", 0, :time, :text)"}},
    [STORE_TOURNAMENT] =
        {.statement = {"INSERT INTO tournament_log SELECT id, :number, :time, :text FROM tournament WHERE name = :game"
                       " AND EXISTS(SELECT 1 FROM tournament_log WHERE tournament = id AND number = :number - 1)"}},
    [STORE_ENTER] = {.statement = {"INSERT OR IGNORE INTO entrant SELECT :user, id FROM tournament WHERE name = :game"},
                     .may_be_idle = true},
    [STORE_TOURNAMENT_OVER] = {.statement = {"UPDATE tournament SET over = 1 WHERE name = :game"}},
    [STORE_SET_SECRET] = {.statement = {"INSERT INTO secret VALUES(:name, :text) ON CONFLICT DO NOTHING"},
                          .may_be_idle = true},
    [STORE_NEW_SIGNER] = {.statement = {"INSERT INTO signer SELECT :number, :time, :text, :signing_key"
                                        " WHERE :number = 1 + (SELECT count(*) FROM signer)",
                                        "UPDATE signer SET secret = NULL WHERE number < :number"}},
};
static_assert(sizeof write_kinds / sizeof *write_kinds == STORE_WRITE_KINDS, "every kind can be written");

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

bool store_explain(const char *path, sqlite3 *database, gral_error *error)
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
    return sqlite3_exec(database, words, NULL, NULL, NULL) == SQLITE_OK || store_explain(path, database, error);
}

const char *store_text_of(sqlite3_stmt *row, int column)
{
    const unsigned char *text = sqlite3_column_text(row, column);
    return text != NULL ? (const char *)text : "";
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
        return store_explain(path, *database, error);
    sqlite3_extended_result_codes(*database, 1);
    sqlite3_busy_timeout(*database, PATIENCE_MS);
    return true;
}

bool store_prepare(const char *path, sqlite3 *database, const char *words, sqlite3_stmt **statement, gral_error *error)
{
    return sqlite3_prepare_v3(database, words, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) == SQLITE_OK ||
           store_explain(path, database, error);
}

static bool prepare_write(sqlite *sqlite, const char *words, prepared *prepared, gral_error *error)
{
    if (!store_prepare(sqlite->path, sqlite->writer, words, &prepared->statement, error))
        return false;
    prepared->parameters = sqlite3_bind_parameter_count(prepared->statement);
    assert(prepared->parameters <= PARAMETERS_MAX);
    for (int at = 0; at < prepared->parameters; at++) {
        const char *name = sqlite3_bind_parameter_name(prepared->statement, at + 1);
        for (size_t row = 0; row < sizeof parameters / sizeof *parameters; row++)
            if (strcmp(parameters[row].name, name) == 0)
                prepared->parameter[at] = &parameters[row];
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
    bool used = store_prepare(sqlite->path, sqlite->writer, "PRAGMA journal_mode = WAL", &statement, error);
    if (used && sqlite3_step(statement) != SQLITE_ROW)
        used = store_explain(sqlite->path, sqlite->writer, error);
    else if (used && strcmp(store_text_of(statement, 0), "wal") != 0)
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
        if (!store_prepare(sqlite->path, sqlite->writer, frame[row].words, frame[row].statement, error))
            return false;
    for (unsigned kind = 0; kind < STORE_WRITE_KINDS; kind++)
        for (unsigned part = 0; part < STATEMENTS && write_kinds[kind].statement[part] != NULL; part++)
            if (!prepare_write(sqlite, write_kinds[kind].statement[part], &sqlite->write[kind][part], error))
                return false;
    return true;
}

static bool open_readers(sqlite *sqlite, gral_error *error)
{
    sqlite->reader_count = READERS;
    for (unsigned index = 0; index < READERS; index++) {
        reader *reader = &sqlite->readers[index];
        if (!connect_to(sqlite->path, &reader->database, error) ||
            !run(sqlite->path, reader->database, "PRAGMA query_only = ON", error) ||
            !store_open_reader(sqlite, reader, error))
            return false;
    }
    return true;
}

static void sqlite_close(store *store)
{
    sqlite *sqlite = (struct sqlite *)store;
    for (unsigned index = 0; index < READERS; index++) {
        reader *reader = &sqlite->readers[index];
        store_close_reader(reader);
        if (reader->database != sqlite->writer)
            sqlite3_close(reader->database);
    }
    for (unsigned kind = 0; kind < STORE_WRITE_KINDS; kind++)
        for (unsigned part = 0; part < STATEMENTS; part++)
            sqlite3_finalize(sqlite->write[kind][part].statement);
    sqlite3_stmt *const frame[] = {sqlite->begin, sqlite->commit, sqlite->savepoint, sqlite->release,
                                   sqlite->roll_back_unit};
    for (size_t row = 0; row < sizeof frame / sizeof *frame; row++)
        sqlite3_finalize(frame[row]);
    sqlite3_close(sqlite->writer);
    /* The lock's file stays: whoever removed it could remove one that somebody else has just locked. */
    if (sqlite->lock >= 0)
        close(sqlite->lock);
    pthread_cond_destroy(&sqlite->returned);
    pthread_mutex_destroy(&sqlite->guard);
    free(sqlite);
}

static sqlite *make(const store_kind *kind, gral_error *error)
{
    sqlite *sqlite = calloc(1, sizeof *sqlite);
    if (sqlite == NULL) {
        store_say(error, "out of memory");
        return NULL;
    }
    sqlite->head.kind = kind;
    sqlite->lock = -1;
    pthread_mutex_init(&sqlite->guard, NULL);
    pthread_cond_init(&sqlite->returned, NULL);
    return sqlite;
}

static store *open_or_close(sqlite *sqlite, bool opened)
{
    if (opened)
        return &sqlite->head;
    sqlite_close(&sqlite->head);
    return NULL;
}

static store *sqlite_open(const char *path, bool shared, gral_error *error)
{
    sqlite *sqlite = make(&store_in_file, error);
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
    sqlite *sqlite = make(&store_in_memory, error);
    if (sqlite == NULL)
        return NULL;
    memcpy(sqlite->path, nowhere, sizeof nowhere);
    bool opened = open_writer(sqlite, shared, error);
    sqlite->reader_count = 1;
    sqlite->readers[0].database = sqlite->writer;
    return open_or_close(sqlite, opened && store_open_reader(sqlite, &sqlite->readers[0], error));
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
    if (outcome == STORE_DONE && !write_kinds[write->kind].may_be_idle && sqlite3_changes(sqlite->writer) == 0)
        outcome = STORE_CONFLICT;
    for (unsigned part = 1; part < STATEMENTS && outcome == STORE_DONE && prepared[part].statement != NULL; part++)
        outcome = do_statement(&prepared[part], write);
    if (outcome == STORE_DONE && write_kinds[write->kind].makes_room)
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
    store_explain(sqlite->path, sqlite->writer, error);
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
    reader *turn = is_in_memory(sqlite) ? store_take_reader(sqlite) : NULL;
    const bool good = commit(sqlite, writes, count, error);
    if (turn != NULL)
        store_return_reader(sqlite, turn);
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
        return store_explain(path, target, error);
    int step;
    do {
        step = sqlite3_backup_step(backup, PAGES_IN_A_STEP);
        const int all = sqlite3_backup_pagecount(backup);
        if (progress != NULL && all > 0)
            progress((unsigned)(all - sqlite3_backup_remaining(backup)), (unsigned)all);
    } while (step == SQLITE_OK);
    sqlite3_backup_finish(backup);
    return step == SQLITE_DONE || store_explain(path, target, error);
}

static bool check_copy(sqlite3 *target, const char *path, gral_error *error)
{
    sqlite3_stmt *check = NULL;
    bool good = sqlite3_prepare_v2(target, "PRAGMA quick_check(1)", -1, &check, NULL) == SQLITE_OK &&
                sqlite3_step(check) == SQLITE_ROW;
    if (!good)
        store_explain(path, target, error);
    else if (strcmp(store_text_of(check, 0), "ok") != 0)
        good = store_say(error, "the database is damaged: %s", store_text_of(check, 0));
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

#define AS_SQLITE_DOES                                                                                                 \
    .close = sqlite_close, .commit = sqlite_commit, .unfinished = store_ask_unfinished,                                \
    .old_games = store_ask_old_games, .asleep = store_ask_asleep, .asleep_of = store_ask_asleep_of,                    \
    .entries = store_ask_entries, .games_of = store_ask_games_of, .user_by_id = store_ask_user_by_id,                  \
    .user_by_key = store_ask_user_by_key, .user_by_secret = store_ask_user_by_secret,                                  \
    .absent_guests = store_ask_absent_guests, .logins_of = store_ask_logins_of, .statistics = store_ask_statistics,    \
    .signers = store_ask_signers, .ratings_of = store_ask_ratings_of, .rated_of = store_ask_rated_of,                  \
    .ranking = store_ask_ranking, .unread = store_ask_unread, .scores_of = store_ask_scores_of,                        \
    .met_by = store_ask_met_by, .manner_of = store_ask_manner_of, .played_by = store_ask_played_by,                    \
    .shown_by = store_ask_shown_by, .rated = store_ask_rated, .ties = store_ask_ties, .ties_of = store_ask_ties_of,    \
    .seen = store_ask_seen, .invitations_of = store_ask_invitations_of, .list = store_ask_list,                        \
    .ways_of = store_ask_ways_of, .letters = store_ask_letters, .letters_on = store_ask_letters_on,                    \
    .letter = store_ask_letter, .tournaments = store_ask_tournaments, .tournament = store_ask_tournament,              \
    .tournaments_of = store_ask_tournaments_of, .secret = store_ask_secret

const store_kind store_in_file = {.name = "sqlite", .open = sqlite_open, .backup = sqlite_backup, AS_SQLITE_DOES};
const store_kind store_in_memory = {.name = "memory", .open = memory_open, AS_SQLITE_DOES};
