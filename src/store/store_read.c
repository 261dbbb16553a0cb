/* What can be asked of the store: each question is a row of one table, its words and what becomes of a row of the
 * answer. Whoever asks takes a reader for himself until he has heard the last row. */
#include "store/store_inside.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* --- the rows of the answers --- */

/* Whom to tell: somebody's function, or what is to be filled in. */
typedef struct listener {
    void *context;
    union {
        store_each_entry *entry;
        store_each_game *game;
        store_each_guest *guest;
        store_each_login *login;
        store_each_rating *rating;
        store_each_unread *unread;
        store_each_tally *tally;
        store_each_sum *sum;
        store_each_played *played;
        store_each_shown *shown;
        store_each_signer *signer;
        store_each_tie *tie;
        store_each_seen *seen;
        store_each_invitation *invitation;
        store_each_row *row;
        store_each_way *way;
        store_each_letter *letter;
    } each;
} listener;

static gral_span span_of(sqlite3_stmt *row, int column)
{
    return (gral_span){store_text_of(row, column), (size_t)sqlite3_column_bytes(row, column)};
}

static bool tell_entry(const listener *listener, sqlite3_stmt *row)
{
    const store_entry entry = {
        .game = store_text_of(row, 0),
        .stage = (uint8_t)sqlite3_column_int(row, 1),
        .created = sqlite3_column_int64(row, 2),
        .number = (uint32_t)sqlite3_column_int64(row, 3),
        .time = sqlite3_column_int64(row, 4),
        .text = span_of(row, 5),
        .wakes = sqlite3_column_int64(row, 6),
        .left = sqlite3_column_int64(row, 7),
    };
    return listener->each.entry(listener->context, &entry);
}

static bool tell_game(const listener *listener, sqlite3_stmt *row)
{
    return listener->each.game(listener->context, store_text_of(row, 0), (enum store_stage)sqlite3_column_int(row, 1),
                               sqlite3_column_int64(row, 2));
}

static bool fill_in_user(const listener *listener, sqlite3_stmt *row)
{
    store_user *found = (store_user *)listener->context;
    found->user = (uint64_t)sqlite3_column_int64(row, 0);
    snprintf(found->name, sizeof found->name, "%s", store_text_of(row, 1));
    snprintf(found->password, sizeof found->password, "%s", store_text_of(row, 2));
    found->created = sqlite3_column_int64(row, 3);
    found->seen = sqlite3_column_int64(row, 4);
    found->used = sqlite3_column_int64(row, 5);
    found->ends = sqlite3_column_int64(row, 6);
    found->banned = sqlite3_column_int64(row, 7);
    found->silenced = sqlite3_column_int64(row, 8);
    return false; /* there is no other */
}

static bool tell_guest(const listener *listener, sqlite3_stmt *row)
{
    return listener->each.guest(listener->context, (uint64_t)sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1),
                                sqlite3_column_int(row, 2) != 0);
}

static bool tell_login(const listener *listener, sqlite3_stmt *row)
{
    store_login login = {
        .label = store_text_of(row, 1),
        .created = sqlite3_column_int64(row, 2),
        .used = sqlite3_column_int64(row, 3),
        .ends = sqlite3_column_int64(row, 4),
    };
    const void *secret = sqlite3_column_blob(row, 0);
    if (sqlite3_column_bytes(row, 0) == sizeof login.secret)
        memcpy(login.secret, secret, sizeof login.secret);
    return listener->each.login(listener->context, &login);
}

static bool count_results(const listener *listener, sqlite3_stmt *row)
{
    store_count((store_statistics *)listener->context, store_text_of(row, 0), (unsigned)sqlite3_column_int(row, 1),
                (enum store_result)sqlite3_column_int(row, 2), (uint32_t)sqlite3_column_int64(row, 3));
    return true;
}

static bool tell_rating(const listener *listener, sqlite3_stmt *row)
{
    const store_rating rating = {
        .name = store_text_of(row, 0),
        .user = (uint64_t)sqlite3_column_int64(row, 1),
        .class = (uint8_t)sqlite3_column_int(row, 2),
        .place = (uint8_t)sqlite3_column_int(row, 3),
        .strength = sqlite3_column_double(row, 4),
        .doubt = sqlite3_column_double(row, 5),
        .games = (uint32_t)sqlite3_column_int64(row, 6),
        .time = sqlite3_column_int64(row, 7),
        .shown = (uint8_t)sqlite3_column_int(row, 8),
    };
    return listener->each.rating(listener->context, &rating);
}

static bool tell_unread(const listener *listener, sqlite3_stmt *row)
{
    return listener->each.unread(listener->context, store_text_of(row, 0), sqlite3_column_int(row, 1) != 0);
}

static bool tell_tally(const listener *listener, sqlite3_stmt *row)
{
    const store_tally tally = {(uint32_t)sqlite3_column_int64(row, 2), (uint32_t)sqlite3_column_int64(row, 3),
                               (uint32_t)sqlite3_column_int64(row, 4)};
    return listener->each.tally(listener->context, store_text_of(row, 0), (uint8_t)sqlite3_column_int(row, 1), &tally);
}

static bool tell_sum(const listener *listener, sqlite3_stmt *row)
{
    return listener->each.sum(listener->context, store_text_of(row, 0), sqlite3_column_int64(row, 1));
}

static bool tell_played(const listener *listener, sqlite3_stmt *row)
{
    const store_played played = {
        .game = store_text_of(row, 0),
        .time = sqlite3_column_int64(row, 1),
        .class = (uint8_t)sqlite3_column_int(row, 2),
        .rules = store_text_of(row, 3),
        .players = (uint8_t)sqlite3_column_int(row, 4),
        .seat = (uint8_t)sqlite3_column_int(row, 5),
        .result = (uint8_t)sqlite3_column_int(row, 6),
        .name = store_text_of(row, 7),
        .other = (uint8_t)sqlite3_column_int(row, 8),
        .other_result = (uint8_t)sqlite3_column_int(row, 9),
    };
    return listener->each.played(listener->context, &played);
}

static bool tell_shown(const listener *listener, sqlite3_stmt *row)
{
    return listener->each.shown(listener->context, (uint8_t)sqlite3_column_int(row, 0),
                                (uint8_t)sqlite3_column_int(row, 1));
}

static bool tell_way(const listener *listener, sqlite3_stmt *row)
{
    const store_way_row way = {
        .id = (uint64_t)sqlite3_column_int64(row, 0),
        .way = (uint8_t)sqlite3_column_int(row, 1),
        .address = store_text_of(row, 2),
        .label = store_text_of(row, 3),
        .language = store_text_of(row, 4),
        .events = (uint8_t)sqlite3_column_int(row, 5),
        .digest = (uint8_t)sqlite3_column_int(row, 6),
        .confirmed = sqlite3_column_int(row, 7) != 0,
        .made = sqlite3_column_int64(row, 8),
    };
    return listener->each.way(listener->context, &way);
}

static bool tell_letter(const listener *listener, sqlite3_stmt *row)
{
    const store_letter letter = {
        .id = (uint64_t)sqlite3_column_int64(row, 0),
        .way_id = (uint64_t)sqlite3_column_int64(row, 1),
        .event = (uint8_t)sqlite3_column_int(row, 2),
        .game = store_text_of(row, 3),
        .number = (uint32_t)sqlite3_column_int64(row, 4),
        .other = (uint64_t)sqlite3_column_int64(row, 5),
        .due = sqlite3_column_int64(row, 6),
        .tries = (uint8_t)sqlite3_column_int(row, 7),
        .made = sqlite3_column_int64(row, 8),
        .user = (uint64_t)sqlite3_column_int64(row, 9),
        .way = (uint8_t)sqlite3_column_int(row, 10),
        .address = store_text_of(row, 11),
        .key = store_text_of(row, 12),
        .language = store_text_of(row, 13),
        .digest = (uint8_t)sqlite3_column_int(row, 14),
        .name = store_text_of(row, 15),
    };
    return listener->each.letter(listener->context, &letter);
}

/* What is to be filled in, and how much room there is. */
typedef struct filled_text {
    char *value;
    size_t room;
} filled_text;

static bool fill_in_text(const listener *listener, sqlite3_stmt *row)
{
    const filled_text *filled = (const filled_text *)listener->context;
    snprintf(filled->value, filled->room, "%s", store_text_of(row, 0));
    return false;
}

static bool tell_signer(const listener *listener, sqlite3_stmt *row)
{
    return listener->each.signer(listener->context, (uint32_t)sqlite3_column_int64(row, 0),
                                 sqlite3_column_int64(row, 1), span_of(row, 2), span_of(row, 3));
}

static bool tell_tie(const listener *listener, sqlite3_stmt *row)
{
    const store_tie tie = {
        .user = (uint64_t)sqlite3_column_int64(row, 0),
        .other = (uint64_t)sqlite3_column_int64(row, 1),
        .blocks = sqlite3_column_int(row, 2) != 0,
        .time = sqlite3_column_int64(row, 3),
        .name = store_text_of(row, 4),
    };
    return listener->each.tie(listener->context, &tie);
}

static bool tell_seen(const listener *listener, sqlite3_stmt *row)
{
    return listener->each.seen(listener->context, (uint64_t)sqlite3_column_int64(row, 0),
                               (uint8_t)sqlite3_column_int(row, 1));
}

static bool tell_invitation(const listener *listener, sqlite3_stmt *row)
{
    const store_invitation invitation = {
        .user = (uint64_t)sqlite3_column_int64(row, 0),
        .name = store_text_of(row, 1),
        .game = store_text_of(row, 2),
        .time = sqlite3_column_int64(row, 3),
    };
    return listener->each.invitation(listener->context, &invitation);
}

static bool tell_row(const listener *listener, sqlite3_stmt *row)
{
    enum { COLUMNS_MAX = 8 };
    const char *column[COLUMNS_MAX];
    const int count = sqlite3_column_count(row);
    assert(count <= COLUMNS_MAX);
    for (int at = 0; at < count; at++)
        column[at] = store_text_of(row, at);
    return listener->each.row(listener->context, column, (unsigned)count);
}

/* --- the questions --- */

#define ENTRY_COLUMNS                                                                                                  \
    "game.name, stage, created, number, time, text, wakes, deserted FROM game JOIN log ON log.game = game.id"
#define RATING_COLUMNS                                                                                                 \
    "user.name, rating.user, class, 0, strength, doubt, games, changed, ifnull(place, 255) FROM rating"                \
    " JOIN user ON user.id = rating.user LEFT JOIN shown ON shown.user = rating.user AND part = 0"
#define RATED_COLUMNS                                                                                                  \
    "game.name, user, rated.class, place, strength, doubt, 0, time, 255 FROM rated_seat JOIN rated ON number = rated"  \
    " JOIN game ON game.id = game"
#define TOURNAMENT_COLUMNS                                                                                             \
    "name, 2 * over, 0, number, time, text FROM tournament JOIN tournament_log ON tournament = id"

/* A page of somebody's games, and of each all who played it. */
#define PLAYED(which)                                                                                                  \
    "SELECT game.name, time, class, own.rules, own.players, own.seat, own.result, user.name, other.seat, other.result" \
    " FROM (SELECT * FROM played WHERE user = ?1" which " AND (time, game) < (ifnull((SELECT time FROM played"         \
    " WHERE user = ?1 AND game = (SELECT id FROM game WHERE name = ?2)), 9e15),"                                       \
    " ifnull((SELECT id FROM game WHERE name = ?2), 9e15)) ORDER BY time DESC, game DESC LIMIT ?3) AS page"            \
    " JOIN game ON game.id = page.game JOIN result AS own ON own.game = page.game AND own.seat = page.seat"            \
    " JOIN result AS other ON other.game = page.game JOIN user ON user.id = other.user"                                \
    " ORDER BY time DESC, page.game DESC, other.seat"
#define USER_COLUMNS "user.id, user.name, user.password, user.created, user.seen"

#define LETTER_COLUMNS                                                                                                 \
    "letter.id, letter.way, event, game, number, other, due, tries, made, way.user, way.kind, address, way.key,"       \
    " language, digest, user.name"
#define LETTER_TABLES " FROM letter JOIN way ON way.id = letter.way JOIN user ON user.id = way.user"

#define SANCTIONS "ifnull(banned, 0), ifnull(silenced, 0) FROM user LEFT JOIN sanction ON sanction.user = user.id"

/* For people to read. */
#define WHEN(time) "strftime('%Y-%m-%d %H:%M', " time " / 1000, 'unixepoch')"
#define UNTIL(time)                                                                                                    \
    "CASE WHEN ifnull(" time ", 0) = 0 THEN '' WHEN " time " >= 32503680000000 THEN 'for ever'"                        \
    " ELSE " WHEN(time) " END"
#define NAMED(user)          "ifnull((SELECT name FROM user WHERE id = " user "), '')"
#define HOW_MANY(what, rows) "SELECT '" what "', count(*) FROM " rows

/* Formatted by hand: clang-format would cut their words up. */
/* clang-format off */
static const char people[] =
    "SELECT name, CASE WHEN password = '' THEN 'guest' ELSE 'account' END, " WHEN("created") ", " WHEN(
        "user.seen") ", " UNTIL("banned") ", " UNTIL("silenced") ", user.id"
                                                                 " FROM user LEFT JOIN sanction ON sanction.user = "
                                                                 "user.id"
                                                                 " WHERE name <> '' AND key IS NOT NULL AND (?1 = '' "
                                                                 "OR instr(lower(name), lower(?1)))"
                                                                 " ORDER BY user.seen DESC LIMIT ?4";

/* clang-format off */
static const char tables[] =
    "SELECT game.name, CASE stage WHEN 0 THEN 'gathering' ELSE 'playing' END, printf('%.1f', (?3 - created) / 86400000.0),"
    " printf('%.1f', (?3 - (SELECT time FROM log WHERE log.game = game.id ORDER BY number DESC LIMIT 1)) / 86400000.0),"
    " (SELECT group_concat(name, ', ') FROM (SELECT name FROM seat JOIN user ON user.id = seat.user"
    "  WHERE seat.game = game.id ORDER BY seat.seat)) AS names"
    " FROM game WHERE stage < 2 AND ?2 = ?2 AND (?1 = '' OR instr(names, ?1)) ORDER BY game.id LIMIT ?4";
/* clang-format on */

static const char networks[] = "SELECT network, until, " UNTIL("until") " FROM barred ORDER BY network LIMIT ?4";

static const char reports[] = "SELECT id, " WHEN("time") ", " NAMED("report.user") ", " NAMED(
    "accused") ", game, reason, talk, CASE done WHEN 1 THEN 'done' ELSE '' END"
               " FROM report WHERE done <= ?2 ORDER BY id DESC LIMIT ?4";

static const char audits[] = "SELECT " WHEN("time") ", text FROM audit ORDER BY id DESC LIMIT ?4";

/* What was made from ?2 until ?3. */
#define THAT_DAY(time) time " >= ?2 AND " time " < ?3"
static const char figures_of_a_day[] = HOW_MANY("new people", "user WHERE " THAT_DAY("created")) " UNION ALL " HOW_MANY(
    "of them with an account",
    "us"
    "er"
    " W"
    "HE"
    "RE"
    " p"
    "as"
    "sw"
    "or"
    "d "
    "<>"
    " '"
    "' "
    "AN"
    "D"
    " " THAT_DAY(
        "created")) " UNION ALL " HOW_MANY("people last seen that day",
                                           "user WHERE " THAT_DAY(
                                               "seen")) " UNION ALL " HOW_MANY("new tables",
                                                                               "game WHERE " THAT_DAY(
                                                                                   "created")) " UNION "
                                                                                               "ALL " HOW_MANY(
                                                                                                   "gam"
                                                                                                   "es "
                                                                                                   "tha"
                                                                                                   "t "
                                                                                                   "end"
                                                                                                   "ed",
                                                                                                   "gam"
                                                                                                   "e "
                                                                                                   "WHE"
                                                                                                   "RE "
                                                                                                   "sta"
                                                                                                   "ge "
                                                                                                   "= "
                                                                                                   "2 "
                                                                                                   "AND"
                                                                                                   " "
                                                                                                   "EXI"
                                                                                                   "STS"
                                                                                                   "(SE"
                                                                                                   "LEC"
                                                                                                   "T "
                                                                                                   "1 "
                                                                                                   "FRO"
                                                                                                   "M "
                                                                                                   "res"
                                                                                                   "ult"
                                                                                                   " "
                                                                                                   "WHE"
                                                                                                   "RE "
                                                                                                   "res"
                                                                                                   "ult"
                                                                                                   ".ga"
                                                                                                   "me "
                                                                                                   "= "
                                                                                                   "gam"
                                                                                                   "e."
                                                                                                   "id)"
                                                                                                   " "
                                                                                                   "AND"
                                                                                                   " " THAT_DAY(
                                                                                                       "(SELECT "
                                                                                                       "max(changed) "
                                                                                                       "FROM "
                                                                                                       "seat WHERE "
                                                                                                       "seat.game = "
                                                                                                       "game.id)")) " U"
                                                                                                                    "NI"
                                                                                                                    "ON"
                                                                                                                    " "
                                                                                                                    "AL"
                                                                                                                    "L"
                                                                                                                    " " HOW_MANY(
                                                                                                                        "reports",
                                                                                                                        "report WHERE " THAT_DAY(
                                                                                                                            "time"));
/* clang-format on */

static const struct {
    const char *words;
    bool (*take)(const listener *listener, sqlite3_stmt *row); /* false: no more */
} queries[] = {
    [UNFINISHED] = {"SELECT " ENTRY_COLUMNS " WHERE stage < 2 AND wakes = 0 ORDER BY game.id, number", tell_entry},
    [ENTRIES] = {"SELECT " ENTRY_COLUMNS " WHERE game.name = ?1 ORDER BY number", tell_entry},
    [GAMES_OF] = {"SELECT name, stage, changed FROM seat JOIN game ON game.id = seat.game"
                  " WHERE user = ?1 GROUP BY changed, seat.game ORDER BY changed DESC, seat.game DESC LIMIT ?2",
                  tell_game},
    [OLD_GAMES] = {"SELECT name, stage, created FROM game WHERE stage = 2 AND created < ?1"
                   " AND NOT EXISTS(SELECT 1 FROM rated WHERE rated.game = game.id)"
                   " AND NOT EXISTS(SELECT 1 FROM unread WHERE settled IN (0, 1) AND unread.game = game.id)"
                   " AND (SELECT time FROM log WHERE log.game = game.id ORDER BY number DESC LIMIT 1) < ?1"
                   " ORDER BY created LIMIT ?2",
                   tell_game},
    [ASLEEP] = {"SELECT name, stage, wakes FROM game WHERE wakes > 0 ORDER BY wakes LIMIT ?1", tell_game},
    [ASLEEP_OF] = {"SELECT name, stage, wakes FROM seat JOIN game ON game.id = seat.game"
                   " WHERE user = ?1 AND wakes > 0 AND stage = 1",
                   tell_game},
    [USER_BY_ID] = {"SELECT " USER_COLUMNS ", 0, 0, " SANCTIONS " WHERE id = ?1", fill_in_user},
    [USER_BY_KEY] = {"SELECT " USER_COLUMNS ", 0, 0, " SANCTIONS " WHERE key = ?1", fill_in_user},
    [USER_BY_SECRET] = {"SELECT " USER_COLUMNS ", session.seen, ends, " SANCTIONS
                        " JOIN session ON user.id = session.user"
                        " WHERE secret = ?1 AND token = ?2",
                        fill_in_user},
    [ABSENT_GUESTS] = {"SELECT id, seen, " PLAYING(
                           "user.id") " FROM user WHERE password = '' AND key IS NOT NULL"
                                      " AND seen < ?1 AND (seen, id) > (?2, ?3) ORDER BY seen, id LIMIT ?4",
                       tell_guest},
    [LOGINS_OF] = {"SELECT secret, label, created, seen, ends FROM session WHERE user = ?1 AND token = ?2"
                   " ORDER BY created DESC",
                   tell_login},
    [STATISTICS] = {"SELECT rules, players, result, games FROM tally WHERE user = ?1", count_results},
    [RATINGS_OF] = {"SELECT " RATING_COLUMNS " WHERE rating.user = ?1", tell_rating},
    [RATED_OF] = {"SELECT " RATED_COLUMNS " WHERE user = ?1 AND rated_seat.class = ?2 ORDER BY rated DESC LIMIT ?3",
                  tell_rating},
    [RANKING] = {"SELECT " RATING_COLUMNS
                 " WHERE class = ?1 AND name <> '' ORDER BY strength - 2 * doubt DESC LIMIT ?2",
                 tell_rating},
    [RATED] = {"SELECT " RATED_COLUMNS " ORDER BY rated, seat", tell_rating},
    [UNREAD] = {"SELECT name, settled FROM unread JOIN game ON game.id = game ORDER BY settled, game LIMIT ?1",
                tell_unread},
    [SCORES_OF] = {"SELECT '', class, games, won, drawn FROM score WHERE user = ?1", tell_tally},
    [MET_BY] = {"SELECT name, 0, games, won, drawn FROM met JOIN user ON user.id = other WHERE user = ?1 AND name <> ''"
                " ORDER BY games DESC, other LIMIT ?2",
                tell_tally},
    [MANNER_OF] = {"SELECT what, sum FROM manner WHERE user = ?1", tell_sum},
    [PLAYED_BY] = {PLAYED(""), tell_played},
    [PLAYED_OPENLY_BY] = {PLAYED(" AND listed = 1"), tell_played},
    [SHOWN_BY] = {"SELECT part, place FROM shown WHERE user = ?1", tell_shown},
    [LISTS + STORE_PEOPLE] = {people, tell_row},
    [LISTS + STORE_NETWORKS] = {networks, tell_row},
    [LISTS + STORE_WORDS] = {"SELECT word FROM word ORDER BY word LIMIT ?4", tell_row},
    [LISTS + STORE_REPORTS] = {reports, tell_row},
    [LISTS + STORE_AUDITS] = {audits, tell_row},
    [LISTS + STORE_DAY] = {figures_of_a_day, tell_row},
    [LISTS + STORE_TABLES] = {tables, tell_row},
    [TIES] = {"SELECT user, other, blocks, time, '' FROM tie", tell_tie},
    [TIES_OF] = {"SELECT user, other, blocks, time, name FROM tie JOIN user ON user.id = other WHERE user = ?1"
                 " UNION ALL SELECT user, other, blocks, time, name FROM tie JOIN user ON user.id = tie.user"
                 " WHERE other = ?1 ORDER BY name",
                 tell_tie},
    [SEEN] = {"SELECT user, place FROM seen", tell_seen},
    [INVITATIONS_OF] = {"SELECT other, user.name, game.name, time FROM invitation JOIN user ON user.id = other"
                        " JOIN game ON game.id = game WHERE user = ?1 ORDER BY time DESC",
                        tell_invitation},
    [WAYS_OF] =
        {"SELECT id, kind, address, label, language, events, digest, confirmed, created FROM way WHERE user = ?1"
         " ORDER BY kind, created DESC, id",
         tell_way},
    /* Of each way the first: with min(), SQLite takes the other columns from the row that has it. */
    [LETTERS] = {"SELECT " LETTER_COLUMNS ", min(due)" LETTER_TABLES
                 " WHERE state = 0 GROUP BY letter.way ORDER BY min(due) LIMIT ?1",
                 tell_letter},
    [LETTERS_ON] = {"SELECT " LETTER_COLUMNS LETTER_TABLES
                    " WHERE letter.way = ?1 AND state = 0 AND event NOT IN (1, 4, 5, 6)"
                    " ORDER BY due LIMIT ?2",
                    tell_letter},
    [LETTER] = {"SELECT " LETTER_COLUMNS LETTER_TABLES " WHERE letter.id = ?1", tell_letter},
    [TOURNAMENTS] = {"SELECT " TOURNAMENT_COLUMNS
                     " WHERE over = 0 OR id IN (SELECT id FROM tournament WHERE over = 1 ORDER BY id DESC LIMIT ?1)"
                     " ORDER BY id, number",
                     tell_entry},
    [TOURNAMENT] = {"SELECT " TOURNAMENT_COLUMNS " WHERE name = ?1 ORDER BY number", tell_entry},
    [TOURNAMENTS_OF] = {"SELECT name, 2 * over, 0 FROM entrant JOIN tournament ON id = tournament WHERE user = ?1"
                        " ORDER BY id DESC LIMIT ?2",
                        tell_game},
    [SECRET_TEXT_OF] = {"SELECT value FROM secret WHERE name = ?1", fill_in_text},
    [SIGNERS] = {"SELECT number, time, text, secret FROM signer ORDER BY number", tell_signer},
};
static_assert(sizeof queries / sizeof *queries == QUERIES, "every question can be asked");

/* --- readers --- */

bool store_open_reader(const sqlite *sqlite, reader *reader, gral_error *error)
{
    for (unsigned query = 0; query < QUERIES; query++)
        if (!store_prepare(sqlite->path, reader->database, queries[query].words, &reader->query[query], error))
            return false;
    return true;
}

void store_close_reader(reader *reader)
{
    for (unsigned query = 0; query < QUERIES; query++)
        sqlite3_finalize(reader->query[query]);
}

static reader *find_free(sqlite *sqlite)
{
    for (unsigned index = 0; index < sqlite->reader_count; index++)
        if (!sqlite->readers[index].taken)
            return &sqlite->readers[index];
    return NULL;
}

reader *store_take_reader(sqlite *sqlite)
{
    reader *reader;
    pthread_mutex_lock(&sqlite->guard);
    while ((reader = find_free(sqlite)) == NULL)
        pthread_cond_wait(&sqlite->returned, &sqlite->guard);
    reader->taken = true;
    pthread_mutex_unlock(&sqlite->guard);
    return reader;
}

void store_return_reader(sqlite *sqlite, reader *reader)
{
    pthread_mutex_lock(&sqlite->guard);
    reader->taken = false;
    pthread_cond_signal(&sqlite->returned);
    pthread_mutex_unlock(&sqlite->guard);
}

/* --- asking --- */

/* What a question is about: a number, a text, or the bytes of a secret. */
typedef struct argument {
    int64_t number;
    const char *text;
    const uint8_t *secret;
} argument;

static int bind_argument(sqlite3_stmt *statement, int at, const argument *argument)
{
    if (argument->text != NULL)
        return store_bind_text(statement, at, gral_span_of(argument->text));
    if (argument->secret != NULL)
        return sqlite3_bind_blob(statement, at, argument->secret, STORE_SECRET_BYTES, SQLITE_STATIC);
    return sqlite3_bind_int64(statement, at, argument->number);
}

static bool hear(sqlite3_stmt *rows, enum query query, const argument *arguments, const listener *listener)
{
    const int parameters = sqlite3_bind_parameter_count(rows);
    for (int at = 0; at < parameters; at++)
        if (bind_argument(rows, at + 1, &arguments[at]) != SQLITE_OK)
            return false;
    int step;
    while ((step = sqlite3_step(rows)) == SQLITE_ROW)
        if (!queries[query].take(listener, rows))
            return true;
    return step == SQLITE_DONE;
}

/* One argument for each parameter of the question. */
static bool ask(store *store, enum query query, const argument *arguments, listener listener, gral_error *error)
{
    sqlite *sqlite = (struct sqlite *)store;
    reader *reader = store_take_reader(sqlite);
    sqlite3_stmt *rows = reader->query[query];
    const bool good = hear(rows, query, arguments, &listener);
    if (!good)
        store_explain(sqlite->path, reader->database, error);
    sqlite3_reset(rows);
    sqlite3_clear_bindings(rows);
    store_return_reader(sqlite, reader);
    return good;
}

#define ABOUT(...) ((const argument[]){__VA_ARGS__})

bool store_ask_unfinished(store *store, store_each_entry *each, void *context, gral_error *error)
{
    return ask(store, UNFINISHED, NULL, (listener){context, {.entry = each}}, error);
}

bool store_ask_entries(store *store, const char *game, store_each_entry *each, void *context, gral_error *error)
{
    return ask(store, ENTRIES, ABOUT({.text = game}), (listener){context, {.entry = each}}, error);
}

bool store_ask_games_of(store *store, uint64_t user, unsigned most, store_each_game *each, void *context,
                        gral_error *error)
{
    return ask(store, GAMES_OF, ABOUT({.number = (int64_t)user}, {.number = most}), (listener){context, {.game = each}},
               error);
}

bool store_ask_old_games(store *store, int64_t before, unsigned most, store_each_game *each, void *context,
                         gral_error *error)
{
    return ask(store, OLD_GAMES, ABOUT({.number = before}, {.number = most}), (listener){context, {.game = each}},
               error);
}

bool store_ask_asleep(store *store, unsigned most, store_each_game *each, void *context, gral_error *error)
{
    return ask(store, ASLEEP, ABOUT({.number = most}), (listener){context, {.game = each}}, error);
}

bool store_ask_asleep_of(store *store, uint64_t user, store_each_game *each, void *context, gral_error *error)
{
    return ask(store, ASLEEP_OF, ABOUT({.number = (int64_t)user}), (listener){context, {.game = each}}, error);
}

static bool ask_for_user(store *store, enum query query, const argument *arguments, store_user *found,
                         gral_error *error)
{
    *found = (store_user){0};
    return ask(store, query, arguments, (listener){.context = found}, error);
}

bool store_ask_user_by_id(store *store, uint64_t user, store_user *found, gral_error *error)
{
    return ask_for_user(store, USER_BY_ID, ABOUT({.number = (int64_t)user}), found, error);
}

bool store_ask_user_by_key(store *store, const char *key, store_user *found, gral_error *error)
{
    return ask_for_user(store, USER_BY_KEY, ABOUT({.text = key}), found, error);
}

bool store_ask_user_by_secret(store *store, enum store_session session, const uint8_t secret[STORE_SECRET_BYTES],
                              store_user *found, gral_error *error)
{
    return ask_for_user(store, USER_BY_SECRET, ABOUT({.secret = secret}, {.number = session}), found, error);
}

bool store_ask_absent_guests(store *store, int64_t before, const store_guest *from, unsigned most,
                             store_each_guest *each, void *context, gral_error *error)
{
    return ask(store, ABSENT_GUESTS,
               ABOUT({.number = before}, {.number = from->seen}, {.number = (int64_t)from->user}, {.number = most}),
               (listener){context, {.guest = each}}, error);
}

bool store_ask_logins_of(store *store, uint64_t user, enum store_session session, store_each_login *each, void *context,
                         gral_error *error)
{
    return ask(store, LOGINS_OF, ABOUT({.number = (int64_t)user}, {.number = session}),
               (listener){context, {.login = each}}, error);
}

bool store_ask_statistics(store *store, uint64_t user, store_statistics *statistics, gral_error *error)
{
    *statistics = (store_statistics){0};
    return ask(store, STATISTICS, ABOUT({.number = (int64_t)user}), (listener){.context = statistics}, error);
}

bool store_ask_ratings_of(store *store, uint64_t user, store_each_rating *each, void *context, gral_error *error)
{
    return ask(store, RATINGS_OF, ABOUT({.number = (int64_t)user}), (listener){context, {.rating = each}}, error);
}

bool store_ask_rated_of(store *store, uint64_t user, uint8_t class, unsigned most, store_each_rating *each,
                        void *context, gral_error *error)
{
    return ask(store, RATED_OF, ABOUT({.number = (int64_t)user}, {.number = class}, {.number = most}),
               (listener){context, {.rating = each}}, error);
}

bool store_ask_ranking(store *store, uint8_t class, unsigned most, store_each_rating *each, void *context,
                       gral_error *error)
{
    return ask(store, RANKING, ABOUT({.number = class}, {.number = most}), (listener){context, {.rating = each}},
               error);
}

bool store_ask_unread(store *store, unsigned most, store_each_unread *each, void *context, gral_error *error)
{
    return ask(store, UNREAD, ABOUT({.number = most}), (listener){context, {.unread = each}}, error);
}

bool store_ask_scores_of(store *store, uint64_t user, store_each_tally *each, void *context, gral_error *error)
{
    return ask(store, SCORES_OF, ABOUT({.number = (int64_t)user}), (listener){context, {.tally = each}}, error);
}

bool store_ask_met_by(store *store, uint64_t user, unsigned most, store_each_tally *each, void *context,
                      gral_error *error)
{
    return ask(store, MET_BY, ABOUT({.number = (int64_t)user}, {.number = most}), (listener){context, {.tally = each}},
               error);
}

bool store_ask_manner_of(store *store, uint64_t user, store_each_sum *each, void *context, gral_error *error)
{
    return ask(store, MANNER_OF, ABOUT({.number = (int64_t)user}), (listener){context, {.sum = each}}, error);
}

bool store_ask_played_by(store *store, uint64_t user, const store_page *page, store_each_played *each, void *context,
                         gral_error *error)
{
    return ask(store, page->all ? PLAYED_BY : PLAYED_OPENLY_BY,
               ABOUT({.number = (int64_t)user}, {.text = page->after}, {.number = page->most}),
               (listener){context, {.played = each}}, error);
}

bool store_ask_shown_by(store *store, uint64_t user, store_each_shown *each, void *context, gral_error *error)
{
    return ask(store, SHOWN_BY, ABOUT({.number = (int64_t)user}), (listener){context, {.shown = each}}, error);
}

bool store_ask_rated(store *store, store_each_rating *each, void *context, gral_error *error)
{
    return ask(store, RATED, NULL, (listener){context, {.rating = each}}, error);
}

bool store_ask_ties(store *store, store_each_tie *each, void *context, gral_error *error)
{
    return ask(store, TIES, NULL, (listener){context, {.tie = each}}, error);
}

bool store_ask_ties_of(store *store, uint64_t user, store_each_tie *each, void *context, gral_error *error)
{
    return ask(store, TIES_OF, ABOUT({.number = (int64_t)user}), (listener){context, {.tie = each}}, error);
}

bool store_ask_seen(store *store, store_each_seen *each, void *context, gral_error *error)
{
    return ask(store, SEEN, NULL, (listener){context, {.seen = each}}, error);
}

bool store_ask_invitations_of(store *store, uint64_t user, store_each_invitation *each, void *context,
                              gral_error *error)
{
    return ask(store, INVITATIONS_OF, ABOUT({.number = (int64_t)user}), (listener){context, {.invitation = each}},
               error);
}

bool store_ask_list(store *store, enum store_list list, const store_filter *filter, store_each_row *each, void *context,
                    gral_error *error)
{
    return ask(store, (enum query)(LISTS + list),
               ABOUT({.text = filter->text != NULL ? filter->text : ""}, {.number = filter->from},
                     {.number = filter->to}, {.number = filter->most}),
               (listener){context, {.row = each}}, error);
}

bool store_ask_ways_of(store *store, uint64_t user, store_each_way *each, void *context, gral_error *error)
{
    return ask(store, WAYS_OF, ABOUT({.number = (int64_t)user}), (listener){context, {.way = each}}, error);
}

bool store_ask_letters(store *store, unsigned most, store_each_letter *each, void *context, gral_error *error)
{
    return ask(store, LETTERS, ABOUT({.number = most}), (listener){context, {.letter = each}}, error);
}

bool store_ask_letters_on(store *store, uint64_t way, unsigned most, store_each_letter *each, void *context,
                          gral_error *error)
{
    return ask(store, LETTERS_ON, ABOUT({.number = (int64_t)way}, {.number = most}),
               (listener){context, {.letter = each}}, error);
}

bool store_ask_letter(store *store, uint64_t id, store_each_letter *each, void *context, gral_error *error)
{
    return ask(store, LETTER, ABOUT({.number = (int64_t)id}), (listener){context, {.letter = each}}, error);
}

bool store_ask_tournaments(store *store, unsigned over, store_each_entry *each, void *context, gral_error *error)
{
    return ask(store, TOURNAMENTS, ABOUT({.number = over}), (listener){context, {.entry = each}}, error);
}

bool store_ask_tournament(store *store, const char *name, store_each_entry *each, void *context, gral_error *error)
{
    return ask(store, TOURNAMENT, ABOUT({.text = name}), (listener){context, {.entry = each}}, error);
}

bool store_ask_tournaments_of(store *store, uint64_t user, unsigned most, store_each_game *each, void *context,
                              gral_error *error)
{
    return ask(store, TOURNAMENTS_OF, ABOUT({.number = (int64_t)user}, {.number = most}),
               (listener){context, {.game = each}}, error);
}

bool store_ask_secret(store *store, const char *name, char *value, size_t room, gral_error *error)
{
    filled_text filled = {value, room};
    value[0] = '\0';
    return ask(store, SECRET_TEXT_OF, ABOUT({.text = name}), (listener){.context = &filled}, error);
}

bool store_ask_signers(store *store, store_each_signer *each, void *context, gral_error *error)
{
    return ask(store, SIGNERS, NULL, (listener){context, {.signer = each}}, error);
}
