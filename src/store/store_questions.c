#include "store/store_questions.h"

#include "store/store_words.h"

#include <assert.h>

#define ENTRY_COLUMNS                                                                                                  \
    "game.name, stage, created, number, time, text, wakes, deserted FROM game JOIN log ON log.game = game.id"
#define RATING_COLUMNS                                                                                                 \
    "user.name, rating.user, class, 0, strength, doubt, games, changed, coalesce(place, 255) FROM rating"              \
    " JOIN user ON user.id = rating.user LEFT JOIN shown ON shown.user = rating.user AND part = 0"
#define RATED_COLUMNS                                                                                                  \
    "game.name, user, rated.class, place, strength, doubt, 0, time, 255 FROM rated_seat JOIN rated ON number = rated"  \
    " JOIN game ON game.id = game"
#define TOURNAMENT_COLUMNS                                                                                             \
    "name, 2 * over, 0, number, time, text, 0, 0 FROM tournament JOIN tournament_log ON tournament = id"

/* A page of somebody's games, and of each all who played it. */
#define PLAYED(which)                                                                                                  \
    "SELECT game.name, time, class, own.rules, own.players, own.seat, own.result, user.name, other.seat, other.result" \
    " FROM (SELECT * FROM played WHERE user = ?1" which " AND (time, game) < (coalesce((SELECT time FROM played"       \
    " WHERE user = ?1 AND game = (SELECT id FROM game WHERE name = ?2)), 9000000000000000),"                           \
    " coalesce((SELECT id FROM game WHERE name = ?2), 9000000000000000)) ORDER BY time DESC, game DESC LIMIT ?3) AS "  \
    "page"                                                                                                             \
    " JOIN game ON game.id = page.game JOIN result AS own ON own.game = page.game AND own.seat = page.seat"            \
    " JOIN result AS other ON other.game = page.game JOIN user ON user.id = other.user"                                \
    " ORDER BY time DESC, page.game DESC, other.seat"
#define USER_COLUMNS "user.id, user.name, user.password, user.created, user.seen"

#define LETTER_COLUMNS                                                                                                 \
    "letter.id, letter.way, event, game, number, other, due, tries, made, way.user, way.kind, address, way.key,"       \
    " language, digest, user.name"
#define LETTER_TABLES " FROM letter JOIN way ON way.id = letter.way JOIN user ON user.id = way.user"

#define SANCTIONS                                                                                                      \
    "coalesce(banned, 0), coalesce(silenced, 0), coalesce((SELECT place FROM seen WHERE seen.user = user.id), 255)"    \
    " FROM user LEFT JOIN sanction ON sanction.user = user.id"

/* For people to read: store_rows.c makes times and days of numbers. */
/* In small letters as a name is, where only those of ASCII have small ones: by the name's collation. */
#define LIKE_A_NAME(text)           "lower(" text " || substr(name, 1, 0))"
#define NAMED(user)                 "coalesce((SELECT name FROM user WHERE id = " user "), '')"
#define HOW_MANY(place, what, rows) "SELECT " place " AS place, '" what "' AS what, count(*) AS many FROM " rows
#define THAT_DAY(time)              time " >= ?2 AND " time " < ?3"
/* Formatted by hand: clang-format would cut the words up. */
/* clang-format off */
static const char people[] =
    "SELECT name, CASE WHEN password = '' THEN 'guest' ELSE 'account' END, created, user.seen,"
    " coalesce(banned, 0), coalesce(silenced, 0), user.id FROM user LEFT JOIN sanction ON sanction.user = user.id"
    " WHERE name <> '' AND key IS NOT NULL AND (?1 = '' OR replace(lower(name), " LIKE_A_NAME("?1") ", '') <> lower(name))"
    " ORDER BY user.seen DESC LIMIT ?4";

static const char tables[] =
    "SELECT game.name, CASE stage WHEN 0 THEN 'gathering' ELSE 'playing' END, ?3 - created,"
    " ?3 - (SELECT time FROM log WHERE log.game = game.id ORDER BY number DESC LIMIT 1),"
    " (SELECT group_concat(name, ', ') FROM (SELECT name FROM seat JOIN user ON user.id = seat.user"
    "  WHERE seat.game = game.id ORDER BY seat.seat) AS sitting)"
    " FROM game WHERE stage < 2 AND (?1 = '' OR EXISTS(SELECT 1 FROM seat JOIN user ON user.id = seat.user"
    "  WHERE seat.game = game.id AND replace(user.name, ?1, '') <> user.name)) ORDER BY game.id LIMIT ?4";

static const char reports[] =
    "SELECT id, time, " NAMED("report.user") ", " NAMED("accused") ", game, reason, talk,"
    " CASE done WHEN 1 THEN 'done' ELSE '' END FROM report WHERE done <= ?2 ORDER BY id DESC LIMIT ?4";

/* What was made from ?2 until ?3. */
static const char figures_of_a_day[] =
    "SELECT what, many FROM ("
    HOW_MANY("1", "new people", "user WHERE " THAT_DAY("created")) " UNION ALL "
    HOW_MANY("2", "of them with an account", "user WHERE password <> '' AND " THAT_DAY("created")) " UNION ALL "
    HOW_MANY("3", "people last seen that day", "user WHERE " THAT_DAY("seen")) " UNION ALL "
    HOW_MANY("4", "new tables", "game WHERE " THAT_DAY("created")) " UNION ALL "
    HOW_MANY("5", "games that ended",
             "game WHERE stage = 2 AND EXISTS(SELECT 1 FROM result WHERE result.game = game.id)"
             " AND " THAT_DAY("(SELECT max(changed) FROM seat WHERE seat.game = game.id)")) " UNION ALL "
    HOW_MANY("6", "reports", "report WHERE " THAT_DAY("time")) ") AS figures ORDER BY place";
/* clang-format on */

const store_question store_questions[] = {
    [ASK_UNFINISHED] = {"SELECT " ENTRY_COLUMNS " WHERE stage < 2 AND wakes = 0 ORDER BY game.id, number",
                        .take = store_tell_entry, .endless = true},
    [ASK_GAMES] = {"SELECT name, stage, created FROM game"
                   " WHERE id > coalesce((SELECT id FROM game WHERE name = ?1), 0) ORDER BY id LIMIT ?2",
                   .take = store_tell_game},
    [ASK_ENTRIES] = {"SELECT " ENTRY_COLUMNS " WHERE game.name = ?1 AND number >= ?2 ORDER BY number",
                     .take = store_tell_entry},
    /* However many seats of it are his, a game is listed once. With the "+ 0" those are looked for among the seats of
     * the game, which are few, and not among all that are his. That there is none before it is what PostgreSQL expects;
     * it would go through all his games before it sorts them if hardly any were expected to be left. */
    [ASK_GAMES_OF] = {"SELECT name, stage, changed FROM seat JOIN game ON game.id = seat.game WHERE seat.user = ?1"
                      " AND NOT EXISTS(SELECT 1 FROM seat AS first WHERE first.game = seat.game"
                      "  AND first.user + 0 = ?1 AND first.seat < seat.seat)"
                      " ORDER BY changed DESC, seat.game DESC LIMIT ?2",
                      .take = store_tell_game},
    [ASK_OLD_GAMES] = {"SELECT name, stage, created FROM game WHERE stage = 2 AND lasting = 0 AND created < ?1"
                       " AND NOT EXISTS(SELECT 1 FROM unread WHERE settled IN (0, 1) AND unread.game = game.id)"
                       " AND (SELECT time FROM log WHERE log.game = game.id ORDER BY number DESC LIMIT 1) < ?1"
                       " ORDER BY created LIMIT ?2",
                       .take = store_tell_game},
    [ASK_ASLEEP] = {"SELECT name, stage, wakes FROM game WHERE wakes > 0 ORDER BY wakes LIMIT ?1",
                    .take = store_tell_game},
    [ASK_UNFINISHED_OF] = {"SELECT name, stage, wakes FROM seat JOIN game ON game.id = seat.game"
                           " WHERE user = ?1 AND over = 0 ORDER BY seat.game",
                           .take = store_tell_game},
    [ASK_USER_BY_ID] = {"SELECT " USER_COLUMNS ", 0, 0, " SANCTIONS " WHERE id = ?1", .take = store_fill_in_user},
    [ASK_USER_BY_KEY] = {"SELECT " USER_COLUMNS ", 0, 0, " SANCTIONS " WHERE key = ?1", .take = store_fill_in_user},
    [ASK_USER_BY_SECRET] = {"SELECT " USER_COLUMNS ", session.seen, ends, " SANCTIONS
                            " JOIN session ON user.id = session.user"
                            " WHERE secret = ?1 AND token = ?2",
                            .take = store_fill_in_user},
    [ASK_ABSENT_GUESTS] = {"SELECT id, seen, CASE WHEN " STORE_PLAYING(
                               "user.id") " THEN 1 ELSE 0 END FROM user WHERE password = '' AND key IS NOT NULL"
                                          " AND seen < ?1 AND (seen, id) > (?2, ?3) ORDER BY seen, id LIMIT ?4",
                           .take = store_tell_guest},
    [ASK_LOGINS_OF] = {"SELECT secret, label, created, seen, ends FROM session WHERE user = ?1 AND token = ?2"
                       " ORDER BY created DESC",
                       .take = store_tell_login},
    [ASK_STATISTICS] = {"SELECT rules, players, result, games FROM tally WHERE user = ?1", .take = store_count_results},
    [ASK_RATINGS_OF] = {"SELECT " RATING_COLUMNS " WHERE rating.user = ?1", .take = store_tell_rating},
    [ASK_RATED_OF] = {"SELECT " RATED_COLUMNS " WHERE user = ?1 AND rated_seat.class = ?2 ORDER BY rated DESC LIMIT ?3",
                      .take = store_tell_rating},
    [ASK_RANKING] = {"SELECT " RATING_COLUMNS
                     " WHERE class = ?1 AND name <> '' ORDER BY strength - 2 * doubt DESC LIMIT ?2",
                     .take = store_tell_rating},
    [ASK_RATED] = {"SELECT " RATED_COLUMNS " ORDER BY rated, seat", .take = store_tell_rating, .endless = true},
    [ASK_UNREAD] = {"SELECT name, settled FROM unread JOIN game ON game.id = game ORDER BY settled, game LIMIT ?1",
                    .take = store_tell_unread},
    [ASK_SCORES_OF] = {"SELECT '', class, games, won, drawn FROM score WHERE user = ?1 ORDER BY class",
                       .take = store_tell_tally},
    [ASK_MET_BY] =
        {"SELECT name, 0, games, won, drawn FROM met JOIN user ON user.id = other WHERE user = ?1 AND name <> ''"
         " ORDER BY games DESC, other LIMIT ?2",
         .take = store_tell_tally},
    [ASK_MANNER_OF] = {"SELECT what, sum FROM manner WHERE user = ?1 ORDER BY what", .take = store_tell_sum},
    [ASK_PLAYED_BY] = {PLAYED(""), .take = store_tell_played},
    [ASK_PLAYED_OPENLY_BY] = {PLAYED(" AND listed = 1"), .take = store_tell_played},
    [ASK_SHOWN_BY] = {"SELECT part, place FROM shown WHERE user = ?1 ORDER BY part", .take = store_tell_shown},
    [ASK_LISTS + STORE_PEOPLE] = {people, .take = store_tell_row, .columns = "ttwwuun"},
    [ASK_LISTS + STORE_NETWORKS] = {"SELECT network, until, until FROM barred ORDER BY network LIMIT ?4",
                                    .take = store_tell_row, .columns = "tnu"},
    [ASK_LISTS +
        STORE_WORDS] = {"SELECT word FROM word ORDER BY word LIMIT ?4", .take = store_tell_row, .columns = "t"},
    [ASK_LISTS + STORE_REPORTS] = {reports, .take = store_tell_row, .columns = "nwtttttt"},
    [ASK_LISTS + STORE_AUDITS] = {"SELECT time, text FROM audit ORDER BY id DESC LIMIT ?4", .take = store_tell_row,
                                  .columns = "wt"},
    [ASK_LISTS + STORE_DAY] = {figures_of_a_day, .take = store_tell_row, .columns = "tn"},
    [ASK_LISTS + STORE_TABLES] = {tables, .take = store_tell_row, .columns = "ttddt"},
    [ASK_TIES] = {"SELECT user, other, blocks, time, '' FROM tie ORDER BY user, other", .take = store_tell_tie},
    [ASK_TIES_OF] = {"SELECT user, other, blocks, time, name FROM tie JOIN user ON user.id = other WHERE user = ?1"
                     " UNION ALL SELECT user, other, blocks, time, name FROM tie JOIN user ON user.id = tie.user"
                     " WHERE other = ?1 ORDER BY name",
                     .take = store_tell_tie},
    [ASK_SEEN] = {"SELECT user, place FROM seen", .take = store_tell_seen},
    [ASK_INVITATIONS_OF] = {"SELECT other, user.name, game.name, time FROM invitation JOIN user ON user.id = other"
                            " JOIN game ON game.id = game WHERE user = ?1 ORDER BY time DESC",
                            .take = store_tell_invitation},
    [ASK_WAYS_OF] =
        {"SELECT id, kind, address, label, language, events, digest, confirmed, created FROM way WHERE user = ?1"
         " ORDER BY kind, created DESC, id",
         .take = store_tell_way},
    /* Of each way the first. */
    [ASK_LETTERS] =
        {"SELECT " LETTER_COLUMNS LETTER_TABLES " WHERE state = 0 AND NOT EXISTS(SELECT 1 FROM letter AS first"
         " WHERE first.way = letter.way AND first.state = 0 AND (first.due, first.id) < (letter.due, letter.id))"
         " ORDER BY due LIMIT ?1",
         .take = store_tell_letter},
    [ASK_LETTERS_ON] = {"SELECT " LETTER_COLUMNS LETTER_TABLES
                        " WHERE letter.way = ?1 AND state = 0 AND event NOT IN (1, 4, 5, 6)"
                        " ORDER BY due LIMIT ?2",
                        .take = store_tell_letter},
    [ASK_LETTER] = {"SELECT " LETTER_COLUMNS LETTER_TABLES " WHERE letter.id = ?1", .take = store_tell_letter},
    [ASK_TOURNAMENTS] = {"SELECT " TOURNAMENT_COLUMNS
                         " WHERE over = 0 OR id IN (SELECT id FROM tournament WHERE over = 1 ORDER BY id DESC LIMIT ?1)"
                         " ORDER BY id, number",
                         .take = store_tell_entry},
    [ASK_TOURNAMENT] = {"SELECT " TOURNAMENT_COLUMNS " WHERE name = ?1 ORDER BY number", .take = store_tell_entry},
    [ASK_OLD_TOURNAMENTS] = {"SELECT name, 2, 0 FROM tournament WHERE over = 1 AND (SELECT time FROM tournament_log"
                             " WHERE tournament = tournament.id ORDER BY number DESC LIMIT 1) < ?1"
                             " ORDER BY id LIMIT ?2",
                             .take = store_tell_game},
    [ASK_TOURNAMENTS_OF] = {"SELECT name, 2 * over, 0 FROM entrant JOIN tournament ON id = tournament WHERE user = ?1"
                            " ORDER BY id DESC LIMIT ?2",
                            .take = store_tell_game},
    [ASK_SECRET_TEXT_OF] = {"SELECT value FROM secret WHERE name = ?1", .take = store_fill_in_text},
    [ASK_SIGNERS] = {"SELECT number, time, text, secret FROM signer ORDER BY number", .take = store_tell_signer},
};
static_assert(sizeof store_questions / sizeof *store_questions == STORE_QUERIES, "every question can be asked");
