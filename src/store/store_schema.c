/* The tables, and how an older database gets them.
 *
 * A step that was ever released is never changed: a new one is added after it. */
#include "store/store_schema.h"

#include "store/common.h"

#include <stdio.h>

/* Sessions and guests end when they are not used. Up to now nobody noted when they were: all were just now, or those
 * who come every day would be thrown out. The column `token` says from now on what a session is, see enum
 * store_session. */
#define NOW "CAST(strftime('%s', 'now') AS INTEGER) * 1000"
static const char sessions_end[] = "ALTER TABLE session ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;"
                                   "UPDATE session SET seen = " NOW ";"
                                   "UPDATE user SET seen = " NOW ";"
                                   "CREATE INDEX session_seen ON session((token = 1), seen);"
                                   "CREATE INDEX user_guest ON user(seen, id) WHERE password = '' AND key IS NOT NULL;";

/* What somebody asks for again and again must not cost more the longer he has played. So his games are in an index by
 * the time of their last change, which is kept with the seat, and his results are added up as they come in. */
static const char sums_and_order[] = "ALTER TABLE seat ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;"
                                     "UPDATE seat SET changed = (SELECT changed FROM game WHERE id = seat.game);"
                                     "ALTER TABLE game DROP COLUMN changed;"
                                     "DROP INDEX seat_user;"
                                     "CREATE INDEX seat_user ON seat(user, changed, game);"
                                     "CREATE TABLE tally("
                                     "  user INTEGER NOT NULL REFERENCES user,"
                                     "  rules TEXT NOT NULL,"
                                     "  players INTEGER NOT NULL,"
                                     "  result INTEGER NOT NULL,"
                                     "  games INTEGER NOT NULL,"
                                     "  PRIMARY KEY(user, rules, players, result)"
                                     ") STRICT, WITHOUT ROWID;"
                                     "INSERT INTO tally SELECT user, rules, players, result, count(*) FROM result"
                                     " GROUP BY 1, 2, 3, 4;"
                                     "DROP INDEX result_user;"
                                     "CREATE INDEX result_user ON result(user);";

/* Tokens for programs have an end: those that had none, in a year. */
static const char tokens_end[] = "ALTER TABLE session ADD COLUMN ends INTEGER NOT NULL DEFAULT 0;"
                                 "UPDATE session SET ends = " NOW " + 365 * 86400000 WHERE token = 1;"
                                 "CREATE INDEX session_ends ON session(ends) WHERE ends > 0;";

/* Ratings follow from the games, in the order of `rated`: what each person had after each of them is kept, and what he
 * has now. A game that is over waits in `unrated` until they have heard of it. */
static const char ratings[] = "CREATE TABLE rating("
                              "  user INTEGER NOT NULL REFERENCES user,"
                              "  class INTEGER NOT NULL,"
                              "  strength REAL NOT NULL,"
                              "  doubt REAL NOT NULL,"
                              "  games INTEGER NOT NULL,"
                              "  changed INTEGER NOT NULL,"
                              "  PRIMARY KEY(user, class)"
                              ") STRICT, WITHOUT ROWID;"
                              "CREATE INDEX rating_rank ON rating(class, strength - 2 * doubt DESC);"
                              "CREATE TABLE unrated(game INTEGER PRIMARY KEY REFERENCES game) STRICT;"
                              "CREATE TABLE rated("
                              "  number INTEGER PRIMARY KEY,"
                              "  game INTEGER NOT NULL UNIQUE REFERENCES game,"
                              "  class INTEGER NOT NULL,"
                              "  time INTEGER NOT NULL"
                              ") STRICT;"
                              "CREATE TABLE rated_seat("
                              "  rated INTEGER NOT NULL REFERENCES rated,"
                              "  seat INTEGER NOT NULL,"
                              "  user INTEGER NOT NULL REFERENCES user,"
                              "  class INTEGER NOT NULL,"
                              "  place INTEGER NOT NULL,"
                              "  strength REAL NOT NULL,"
                              "  doubt REAL NOT NULL,"
                              "  PRIMARY KEY(rated, seat)"
                              ") STRICT, WITHOUT ROWID;"
                              "CREATE INDEX rated_user ON rated_seat(user, class, rated);";
/* What keeps a community in order. Sanctions refer to nobody: they outlive the rows of guests. */
static const char moderation[] = "CREATE TABLE sanction("
                                 "  user INTEGER PRIMARY KEY,"
                                 "  banned INTEGER NOT NULL," /* until then; 0: not */
                                 "  silenced INTEGER NOT NULL"
                                 ") STRICT;"
                                 "CREATE TABLE barred(network TEXT NOT NULL PRIMARY KEY, until INTEGER NOT NULL)"
                                 " STRICT, WITHOUT ROWID;"
                                 "CREATE TABLE word(word TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;"
                                 "CREATE TABLE report("
                                 "  id INTEGER PRIMARY KEY,"
                                 "  time INTEGER NOT NULL,"
                                 "  user INTEGER NOT NULL,"
                                 "  accused INTEGER NOT NULL,"
                                 "  game TEXT NOT NULL,"
                                 "  reason TEXT NOT NULL,"
                                 "  talk TEXT NOT NULL,"
                                 "  done INTEGER NOT NULL DEFAULT 0"
                                 ") STRICT;"
                                 "CREATE TABLE audit(id INTEGER PRIMARY KEY, time INTEGER NOT NULL, text TEXT NOT NULL)"
                                 " STRICT;";

/* What people want of each other. Nothing here outlives a name: whoever is deleted, or a guest who did not come back,
 * has no key any more, and with it everything goes that he wanted or that was wanted of him. */
static const char company[] = "CREATE TABLE tie("
                              "  user INTEGER NOT NULL,"
                              "  other INTEGER NOT NULL,"
                              "  blocks INTEGER NOT NULL," /* 0: wants him as a friend */
                              "  time INTEGER NOT NULL,"
                              "  PRIMARY KEY(user, other)"
                              ") STRICT, WITHOUT ROWID;"
                              "CREATE INDEX tie_other ON tie(other);"
                              "CREATE TABLE seen(user INTEGER PRIMARY KEY, place INTEGER NOT NULL) STRICT;"
                              "CREATE TABLE invitation("
                              "  user INTEGER NOT NULL," /* who is invited, */
                              "  game INTEGER NOT NULL REFERENCES game,"
                              "  other INTEGER NOT NULL," /* by whom */
                              "  time INTEGER NOT NULL,"
                              "  PRIMARY KEY(user, game)"
                              ") STRICT, WITHOUT ROWID;"
                              "CREATE INDEX invitation_game ON invitation(game);"
                              "CREATE INDEX invitation_other ON invitation(other);"
                              "CREATE TRIGGER nobody AFTER UPDATE OF key ON user WHEN NEW.key IS NULL BEGIN"
                              "  DELETE FROM tie WHERE user = NEW.id;"
                              "  DELETE FROM tie WHERE other = NEW.id;"
                              "  DELETE FROM seen WHERE user = NEW.id;"
                              "  DELETE FROM invitation WHERE user = NEW.id;"
                              "  DELETE FROM invitation WHERE other = NEW.id;"
                              "END;";

/* How people can be reached, what for, and what is to be sent to them. A letter stays when it was sent, so that nobody
 * gets it twice. Its state is 0 while it waits, 1 once it may have arrived, 2 when it is done. */
static const char letters[] = "CREATE TABLE way("
                              "  id INTEGER PRIMARY KEY,"
                              "  user INTEGER NOT NULL REFERENCES user,"
                              "  kind INTEGER NOT NULL," /* enum store_way */
                              "  address TEXT NOT NULL,"
                              "  key TEXT NOT NULL,"
                              "  label TEXT NOT NULL,"
                              "  language TEXT NOT NULL,"
                              "  events INTEGER NOT NULL," /* a bit for each enum store_event */
                              "  digest INTEGER NOT NULL," /* hours */
                              "  confirmed INTEGER NOT NULL,"
                              "  created INTEGER NOT NULL"
                              ") STRICT;"
                              "CREATE INDEX way_user ON way(user);"
                              "CREATE UNIQUE INDEX way_device ON way(address) WHERE kind = 1;"
                              "CREATE INDEX way_mail ON way(address) WHERE kind = 0;"
                              "CREATE TABLE letter("
                              "  id INTEGER PRIMARY KEY,"
                              "  way INTEGER NOT NULL REFERENCES way ON DELETE CASCADE,"
                              "  event INTEGER NOT NULL,"
                              "  game TEXT NOT NULL,"
                              "  number INTEGER NOT NULL,"
                              "  other INTEGER NOT NULL,"
                              "  due INTEGER NOT NULL,"
                              "  tries INTEGER NOT NULL,"
                              "  state INTEGER NOT NULL,"
                              "  made INTEGER NOT NULL,"
                              "  UNIQUE(way, game, event)"
                              ") STRICT;"
                              "CREATE INDEX letter_due ON letter(way, due) WHERE state = 0;"
                              "CREATE TABLE secret(name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)"
                              " STRICT, WITHOUT ROWID;";

/* What games say of those who played them is read off each once, when it is over, and added up; a game waits in
 * `unread` for that. Those of before have their ratings (`settled`), and wait behind all others. Whoever is nobody
 * leaves none of it behind but what others have played against him. */
static const char profiles[] = "CREATE TABLE unread("
                               "  settled INTEGER NOT NULL,"
                               "  game INTEGER NOT NULL REFERENCES game,"
                               "  PRIMARY KEY(settled, game)"
                               ") STRICT, WITHOUT ROWID;"
                               "INSERT INTO unread SELECT 0, game FROM unrated;"
                               "INSERT INTO unread SELECT DISTINCT 1, game FROM result"
                               "  WHERE game NOT IN (SELECT game FROM unrated);"
                               "DROP TABLE unrated;"
                               "CREATE TABLE played("
                               "  user INTEGER NOT NULL REFERENCES user,"
                               "  game INTEGER NOT NULL REFERENCES game,"
                               "  time INTEGER NOT NULL,"
                               "  seat INTEGER NOT NULL,"
                               "  class INTEGER NOT NULL,"
                               "  listed INTEGER NOT NULL,"
                               "  PRIMARY KEY(user, game)"
                               ") STRICT, WITHOUT ROWID;"
                               "CREATE INDEX played_order ON played(user, time, game);"
                               "CREATE INDEX played_openly ON played(user, time, game) WHERE listed = 1;"
                               "CREATE TABLE score("
                               "  user INTEGER NOT NULL REFERENCES user,"
                               "  class INTEGER NOT NULL,"
                               "  games INTEGER NOT NULL,"
                               "  won INTEGER NOT NULL,"
                               "  drawn INTEGER NOT NULL,"
                               "  PRIMARY KEY(user, class)"
                               ") STRICT, WITHOUT ROWID;"
                               "CREATE TABLE met("
                               "  user INTEGER NOT NULL REFERENCES user,"
                               "  other INTEGER NOT NULL REFERENCES user,"
                               "  games INTEGER NOT NULL,"
                               "  won INTEGER NOT NULL,"
                               "  drawn INTEGER NOT NULL,"
                               "  PRIMARY KEY(user, other)"
                               ") STRICT, WITHOUT ROWID;"
                               "CREATE INDEX met_most ON met(user, games DESC, other);"
                               "CREATE INDEX met_other ON met(other);"
                               "CREATE TABLE manner("
                               "  user INTEGER NOT NULL REFERENCES user,"
                               "  what TEXT NOT NULL," /* an initiate, "bluffs", "worked" */
                               "  sum INTEGER NOT NULL,"
                               "  PRIMARY KEY(user, what)"
                               ") STRICT, WITHOUT ROWID;"
                               "CREATE TABLE shown("
                               "  user INTEGER NOT NULL REFERENCES user,"
                               "  part INTEGER NOT NULL," /* 0 ratings, 1 results, 2 games, 3 manner */
                               "  place INTEGER NOT NULL,"
                               "  PRIMARY KEY(user, part)"
                               ") STRICT, WITHOUT ROWID;"
                               "CREATE TRIGGER nobody_plays AFTER UPDATE OF key ON user WHEN NEW.key IS NULL BEGIN"
                               "  DELETE FROM played WHERE user = NEW.id;"
                               "  DELETE FROM score WHERE user = NEW.id;"
                               "  DELETE FROM met WHERE user = NEW.id;"
                               "  DELETE FROM manner WHERE user = NEW.id;"
                               "  DELETE FROM shown WHERE user = NEW.id;"
                               "END;";
/* A tournament is kept as a game is. Letters have a new event that people can choose, and everybody has who has chosen
 * any; those that are no matter of choice come after it. */
static const char tournaments[] = "CREATE TABLE tournament("
                                  "  id INTEGER PRIMARY KEY,"
                                  "  name TEXT NOT NULL UNIQUE,"
                                  "  over INTEGER NOT NULL"
                                  ") STRICT;"
                                  "CREATE INDEX tournament_over ON tournament(over, id);"
                                  "CREATE TABLE tournament_log("
                                  "  tournament INTEGER NOT NULL REFERENCES tournament,"
                                  "  number INTEGER NOT NULL,"
                                  "  time INTEGER NOT NULL,"
                                  "  text TEXT NOT NULL,"
                                  "  PRIMARY KEY(tournament, number)"
                                  ") STRICT, WITHOUT ROWID;"
                                  "CREATE TABLE entrant("
                                  "  user INTEGER NOT NULL,"
                                  "  tournament INTEGER NOT NULL REFERENCES tournament,"
                                  "  PRIMARY KEY(user, tournament)"
                                  ") STRICT, WITHOUT ROWID;"
                                  "UPDATE letter SET event = 6 WHERE event = 5;"
                                  "UPDATE letter SET event = 5 WHERE event = 4;"
                                  "UPDATE way SET events = events | 16 WHERE events > 0;";

/* A game that sleeps is not in the server's memory, and need not be before `wakes`. One that goes takes everything
 * along that is about it alone; sums stay. */
static const char slumber[] = "ALTER TABLE game ADD COLUMN wakes INTEGER NOT NULL DEFAULT 0;"
                              "ALTER TABLE game ADD COLUMN deserted INTEGER NOT NULL DEFAULT 0;"
                              "CREATE INDEX game_asleep ON game(wakes) WHERE wakes > 0;"
                              "DROP INDEX game_unfinished;"
                              "CREATE INDEX game_unfinished ON game(id) WHERE stage < 2 AND wakes = 0;"
                              "CREATE INDEX game_over ON game(created) WHERE stage = 2;"
                              "CREATE INDEX played_game ON played(game);"
                              "CREATE TRIGGER game_goes BEFORE DELETE ON game BEGIN"
                              "  DELETE FROM invitation WHERE game = OLD.id;"
                              "  DELETE FROM played WHERE game = OLD.id;"
                              "  DELETE FROM result WHERE game = OLD.id;"
                              "  DELETE FROM seat WHERE game = OLD.id;"
                              "  DELETE FROM log WHERE game = OLD.id;"
                              "END;";

/* However many games there are, and somebody has played: his that are not over are in an index of their own, and so are
 * those that nobody wants to keep for ever (rated ones last), and letters and addresses that can go. */
static const char flat[] = "ALTER TABLE seat ADD COLUMN over INTEGER NOT NULL DEFAULT 0;"
                           "UPDATE seat SET over = 1 WHERE game IN (SELECT id FROM game WHERE stage = 2);"
                           "CREATE INDEX seat_going_on ON seat(user, game) WHERE over = 0;"
                           "ALTER TABLE game ADD COLUMN lasting INTEGER NOT NULL DEFAULT 0;"
                           "UPDATE game SET lasting = 1 WHERE id IN (SELECT game FROM rated);"
                           "DROP INDEX game_over;"
                           "CREATE INDEX game_over ON game(created) WHERE stage = 2 AND lasting = 0;"
                           "CREATE INDEX letter_made ON letter(made) WHERE state > 0;"
                           "CREATE INDEX way_unconfirmed ON way(created) WHERE confirmed = 0;";

/* A tournament goes without a look at the entrants of all others. */
static const char cleared_at_once[] = "CREATE INDEX entrant_tournament ON entrant(tournament);";

/* A text is TEXT, so that any SQLite shell can read a game; its bytes are kept as they are. The log refers to a game by
 * a small number, not by its name, and is itself the tree that orders it: an entry costs little more than its text. */
static const char *const steps[] = {
    "CREATE TABLE game("
    "  id INTEGER PRIMARY KEY,"
    "  name TEXT NOT NULL UNIQUE,"
    "  stage INTEGER NOT NULL,"
    "  listed INTEGER NOT NULL,"
    "  created INTEGER NOT NULL,"
    "  changed INTEGER NOT NULL"
    ") STRICT;"
    "CREATE INDEX game_unfinished ON game(id) WHERE stage < 2;"
    "CREATE TABLE log("
    "  game INTEGER NOT NULL REFERENCES game,"
    "  number INTEGER NOT NULL,"
    "  time INTEGER NOT NULL,"
    "  text TEXT NOT NULL,"
    "  PRIMARY KEY(game, number)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE TABLE user("
    "  id INTEGER PRIMARY KEY,"
    "  name TEXT NOT NULL," /* empty: deleted */
    "  key TEXT UNIQUE,"    /* NULL is no key, and no two are alike */
    "  password TEXT NOT NULL,"
    "  created INTEGER NOT NULL,"
    "  seen INTEGER NOT NULL"
    ") STRICT;"
    "CREATE TABLE session("
    "  secret BLOB NOT NULL PRIMARY KEY,"
    "  user INTEGER NOT NULL REFERENCES user,"
    "  created INTEGER NOT NULL,"
    "  token INTEGER NOT NULL,"
    "  label TEXT NOT NULL"
    ") STRICT, WITHOUT ROWID;"
    "CREATE INDEX session_user ON session(user);"
    "CREATE TABLE seat("
    "  game INTEGER NOT NULL REFERENCES game,"
    "  seat INTEGER NOT NULL,"
    "  user INTEGER NOT NULL REFERENCES user,"
    "  PRIMARY KEY(game, seat)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE INDEX seat_user ON seat(user);"
    "CREATE TABLE result("
    "  game INTEGER NOT NULL REFERENCES game,"
    "  seat INTEGER NOT NULL,"
    "  user INTEGER NOT NULL REFERENCES user,"
    "  players INTEGER NOT NULL,"
    "  result INTEGER NOT NULL,"
    "  rules TEXT NOT NULL,"
    "  PRIMARY KEY(game, seat)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE INDEX result_user ON result(user, rules, players, result);",
    sessions_end,

    "CREATE TABLE signer("
    "  number INTEGER PRIMARY KEY,"
    "  time INTEGER NOT NULL,"
    "  text TEXT NOT NULL,"
    "  secret TEXT" /* NULL: there is a newer one */
    ") STRICT;",
    sums_and_order,
    tokens_end,
    ratings,
    moderation,
    company,
    letters,
    profiles,
    tournaments,
    slumber,
    flat,
    cleared_at_once,
};

const store_migrations store_schema = {steps, sizeof steps / sizeof *steps};

static const int our_id = 0x6772616c; /* "gral", in the head of the file: `file` and we know it by that */

static bool ask_number(sqlite3 *database, const char *question, int *number, gral_error *error)
{
    sqlite3_stmt *statement = NULL;
    const bool answered = sqlite3_prepare_v2(database, question, -1, &statement, NULL) == SQLITE_OK &&
                          sqlite3_step(statement) == SQLITE_ROW;
    if (answered)
        *number = sqlite3_column_int(statement, 0);
    else
        store_say(error, "%s", sqlite3_errmsg(database));
    sqlite3_finalize(statement);
    return answered;
}

static bool run(sqlite3 *database, const char *words, gral_error *error)
{
    return sqlite3_exec(database, words, NULL, NULL, NULL) == SQLITE_OK ||
           store_say(error, "%s", sqlite3_errmsg(database));
}

static bool look(sqlite3 *database, const store_migrations *migrations, unsigned *version, gral_error *error)
{
    int id, tables, number;
    if (!ask_number(database, "PRAGMA application_id", &id, error) ||
        !ask_number(database, "PRAGMA user_version", &number, error) ||
        !ask_number(database, "SELECT count(*) FROM sqlite_schema", &tables, error))
        return false;
    const bool empty = id == 0 && number == 0 && tables == 0;
    if (!empty && (id != our_id || number < 1))
        return store_say(error, "it is a database of another program");
    *version = (unsigned)number;
    if (*version > migrations->count)
        return store_say(error, "it is of version %u, from a newer gral; this one knows version %u", *version,
                         migrations->count);
    return true;
}

static bool climb(sqlite3 *database, const store_migrations *migrations, bool may_change, gral_error *error)
{
    unsigned version;
    /* Once more: somebody may have been quicker, but nobody is now. */
    if (!look(database, migrations, &version, error))
        return false;
    if (version > 0 && version < migrations->count && !may_change)
        return store_say(error,
                         "it is of version %u, from an older gral; gral serve brings it to version %u when it starts",
                         version, migrations->count);
    for (; version < migrations->count; version++)
        if (!run(database, migrations->steps[version], error))
            return false;
    char mark[80];
    snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %u", our_id, version);
    return run(database, mark, error);
}

bool store_migrate(sqlite3 *database, const store_migrations *migrations, bool may_change, gral_error *error)
{
    unsigned version;
    if (!look(database, migrations, &version, error))
        return false;
    if (version == migrations->count)
        return true;
    if (!run(database, "BEGIN IMMEDIATE", error))
        return false;
    if (climb(database, migrations, may_change, error) && run(database, "COMMIT", error))
        return true;
    if (!sqlite3_get_autocommit(database))
        sqlite3_exec(database, "ROLLBACK", NULL, NULL, NULL);
    return false;
}
