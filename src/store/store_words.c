#include "store/store_words.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static const store_parameter parameters[] = {
#define AT(sort, member) #member, SORT_##sort, offsetof(store_write, member)
    {AT(SMALL, seat)},     {AT(SMALL, stage)},  {AT(SMALL, players)},     {AT(SMALL, result)},  {AT(FLAG, listed)},
    {AT(FLAG, token)},     {AT(COUNT, number)}, {AT(COUNT, limit)},       {AT(NUMBER, user)},   {AT(NUMBER, time)},
    {AT(NUMBER, ends)},    {AT(WORDS, game)},   {AT(WORDS, name)},        {AT(MAYBE, key)},     {AT(WORDS, password)},
    {AT(WORDS, label)},    {AT(WORDS, rules)},  {AT(MAYBE, signing_key)}, {AT(TEXT, text)},     {AT(SECRET, secret)},
    {AT(SMALL, way)},      {AT(SMALL, event)},  {AT(SMALL, events)},      {AT(SMALL, digest)},  {AT(SMALL, tries)},
    {AT(WORDS, language)}, {AT(SMALL, class)},  {AT(SMALL, place)},       {AT(REAL, strength)}, {AT(REAL, doubt)},
    {AT(NUMBER, other)},   {AT(SMALL, part)},
#undef AT
};

/* What is the later of the two: this, or now. */
#define LATER(column) "CASE WHEN " column " < :time THEN :time ELSE " column " END"

#define THE_GAME       "(SELECT id FROM game WHERE name = :game)"
#define THE_TOURNAMENT "(SELECT id FROM tournament WHERE name = :game)"
#define OLD_TOURNAMENT "(SELECT id FROM tournament WHERE name = :game AND over = 1)"

/* A game's numbers go on and on, whoever writes there. */
#define APPEND "INSERT INTO log SELECT id, :number, :time, :text FROM game WHERE name = :game"
#define AFTER_THE_LAST                                                                                                 \
    " AND EXISTS(SELECT 1 FROM log WHERE log.game = game.id AND log.number = :number - 1) ON CONFLICT DO NOTHING"

/* Something has happened to the game that all who sit there see in the list of their games. */
#define CHANGED     "UPDATE seat SET changed = " LATER("changed") " WHERE game = " THE_GAME
#define OVER(stage) "CASE " stage " WHEN 2 THEN 1 ELSE 0 END"

/* Ends those of a user that are too many; the new one stays. */
#define NEWEST(token)                                                                                                  \
    "DELETE FROM session WHERE :limit > 0 AND user = :user AND token = " token " AND secret NOT IN"                    \
    " (SELECT secret FROM session WHERE user = :user AND token = " token                                               \
    "  ORDER BY secret = :secret DESC, seen DESC LIMIT :limit)"

/* Both are somebody still: who is not leaves nothing behind (store_schema.c). */
#define TIE(blocks)                                                                                                    \
    "INSERT INTO tie SELECT :user, id, " blocks ", :time FROM user WHERE id = :other AND key IS NOT NULL"              \
    " AND EXISTS(SELECT 1 FROM user AS self WHERE self.id = :user AND self.key IS NOT NULL)"                           \
    " ON CONFLICT(user, other) DO UPDATE SET blocks = excluded.blocks, time = excluded.time"

/* It was noted that he has played the game: else nothing of it is. */
#define ADD_TALLY(table)                                                                                               \
    " DO UPDATE SET games = " table ".games + 1, won = " table ".won + excluded.won, drawn = " table                   \
    ".drawn + excluded.drawn"
#define WON_AND_DRAWN "CASE :result WHEN 2 THEN 1 ELSE 0 END, CASE :result WHEN 1 THEN 1 ELSE 0 END"
#define HAS_PLAYED    "EXISTS(SELECT 1 FROM played WHERE played.user = :user AND played.game = " THE_GAME ")"

const store_write_words store_write_kinds[] = {
    [STORE_NEW_GAME] = {.statement = {"INSERT INTO game(name, stage, listed, created)"
                                      " VALUES(:game, 0, :listed, :time)",
                                      "INSERT INTO log SELECT id, 0, :time, :text FROM game WHERE name = :game"}},
    [STORE_RENEW_GAME] = {.statement = {APPEND " AND stage = 0" AFTER_THE_LAST,
                                        "DELETE FROM log WHERE game = " THE_GAME " AND number < :number",
                                        "UPDATE game SET listed = :listed WHERE name = :game"}},
    [STORE_APPEND] = {.statement = {APPEND AFTER_THE_LAST}},
    [STORE_SET_STAGE] = {.statement = {"UPDATE game SET stage = :stage WHERE name = :game",
                                       "UPDATE seat SET over = " OVER(":stage") ", changed = " LATER(
                                           "changed") " WHERE game = " THE_GAME,
                                       "DELETE FROM invitation WHERE game = " THE_GAME " AND :stage > 0"}},
    [STORE_SLEEP] = {.statement = {"UPDATE game SET wakes = :time, deserted = :ends WHERE name = :game AND stage = 1"}},
    [STORE_WAKE] = {.statement = {"UPDATE game SET wakes = 0 WHERE name = :game"}},
    [STORE_CLEAR_GAME] = {.statement = {"DELETE FROM game WHERE name = :game AND stage = 2"
                                        " AND NOT EXISTS(SELECT 1 FROM rated WHERE rated.game = game.id)"},
                          .may_be_idle = true},
    [STORE_SIT] = {.statement = {"INSERT INTO seat SELECT id, :seat, :user, " LATER("created") ", " OVER(
                                     "stage") " FROM game"
                                              " WHERE name = :game",
                                 CHANGED}},
    [STORE_RISE] = {.statement = {"DELETE FROM seat WHERE game = " THE_GAME " AND seat = :seat"}, .may_be_idle = true},
    [STORE_RESULT] =
        {.statement = {"INSERT INTO result SELECT id, :seat, :user, :players, :result, :rules FROM game"
                       " WHERE name = :game",
                       "INSERT INTO tally VALUES(:user, :rules, :players, :result, 1)"
                       " ON CONFLICT(user, rules, players, result) DO UPDATE SET games = tally.games + 1"}},
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
    [STORE_TOUCH] = {.statement = {"UPDATE session SET seen = " LATER("seen") " WHERE secret = :secret",
                                   "UPDATE user SET seen = " LATER(
                                       "seen") " WHERE id = (SELECT user FROM session WHERE secret = :secret)"}},
    [STORE_END_SESSION] = {.statement = {"DELETE FROM session WHERE secret = :secret"}, .may_be_idle = true},
    [STORE_END_TOKENS] = {.statement = {"DELETE FROM session WHERE user = :user AND token = 1"}, .may_be_idle = true},
    [STORE_END_OTHERS] = {.statement = {"DELETE FROM session WHERE user = :user AND secret <> :secret"
                                        " AND (token <> 1 OR :token = 1)"},
                          .may_be_idle = true},
    [STORE_END_UNUSED] = {.statement = {"DELETE FROM session WHERE secret IN (SELECT secret FROM session"
                                        " WHERE (token = 1) = (:token = 1) AND seen < :time LIMIT :limit)"},
                          .may_be_idle = true},
    [STORE_END_OVERDUE] = {.statement = {"DELETE FROM session WHERE secret IN (SELECT secret FROM session"
                                         " WHERE ends > 0 AND ends <= :time LIMIT :limit)"},
                           .may_be_idle = true},
    [STORE_CLEAR_GUEST] = {.statement = {"UPDATE user SET key = NULL WHERE id = :user AND password = ''"
                                         " AND key IS NOT NULL AND seen < :time AND NOT " STORE_PLAYING(":user"),
                                         "DELETE FROM session WHERE user = :user", "DELETE FROM way WHERE user = :user",
                                         "DELETE FROM user WHERE id = :user"
                                         " AND NOT EXISTS(SELECT 1 FROM seat WHERE user = :user)"
                                         " AND NOT EXISTS(SELECT 1 FROM result WHERE user = :user)"}},
    [STORE_READ_LATER] = {.statement = {"INSERT INTO unread SELECT 0, id FROM game WHERE name = :game"}},
    [STORE_READ] = {.statement = {"DELETE FROM unread WHERE settled IN (0, 1) AND game = " THE_GAME}},
    [STORE_RATED] = {.statement = {"INSERT INTO rated(game, class, time) VALUES(" THE_GAME ", :class, :time)",
                                   "UPDATE game SET lasting = 1 WHERE name = :game"}},
    [STORE_RATE] = {.statement = {"INSERT INTO rating SELECT :user, :class, :strength, :doubt, 1, :time WHERE :number ="
                                  " coalesce((SELECT games FROM rating WHERE user = :user AND class = :class), 0)"
                                  " ON CONFLICT(user, class) DO UPDATE SET strength = excluded.strength,"
                                  " doubt = excluded.doubt, games = rating.games + 1, changed = excluded.changed",
                                  "INSERT INTO rated_seat SELECT number, :seat, :user, class, :place, :strength, :doubt"
                                  " FROM rated WHERE game = " THE_GAME}},
    [STORE_PLAYED] =
        {.statement = {"INSERT INTO played SELECT user.id, game.id, :time, :seat, :class, listed FROM game JOIN user"
                       " ON user.id = :user WHERE game.name = :game AND key IS NOT NULL",
                       "INSERT INTO score SELECT :user, :class, 1, " WON_AND_DRAWN " WHERE " HAS_PLAYED
                       " ON CONFLICT(user, class)" ADD_TALLY("score"),
                       "INSERT INTO met SELECT :user, user, 1, " WON_AND_DRAWN " FROM result"
                       " WHERE game = " THE_GAME " AND user <> :user AND " HAS_PLAYED
                       " ON CONFLICT(user, other)" ADD_TALLY("met"),
                       "INSERT INTO manner SELECT :user, key, value FROM json_each(:text) WHERE " HAS_PLAYED
                       " ON CONFLICT(user, what) DO UPDATE SET sum = manner.sum + excluded.sum"},
         .may_be_idle = true},
    [STORE_SHOW] = {.statement = {"INSERT INTO shown VALUES(:user, :part, :place)"
                                  " ON CONFLICT(user, part) DO UPDATE SET place = excluded.place"}},
    [STORE_BAN] = {.statement = {"INSERT INTO sanction VALUES(:user, :ends, 0)"
                                 " ON CONFLICT(user) DO UPDATE SET banned = :ends"}},
    [STORE_SILENCE] = {.statement = {"INSERT INTO sanction VALUES(:user, 0, :ends)"
                                     " ON CONFLICT(user) DO UPDATE SET silenced = :ends"}},
    [STORE_BAR] =
        {.statement = {"INSERT INTO barred VALUES(:name, :ends) ON CONFLICT(network) DO UPDATE SET until = :ends"}},
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
    [STORE_WANT] = {.statement = {TIE("0")}},
    [STORE_UNTIE] = {.statement = {"DELETE FROM tie WHERE blocks = 0 AND user = :user AND other = :other",
                                   "DELETE FROM tie WHERE blocks = 0 AND user = :other AND other = :user"},
                     .may_be_idle = true},
    [STORE_BLOCK] = {.statement = {TIE("1"), "DELETE FROM tie WHERE blocks = 0 AND user = :other AND other = :user",
                                   "DELETE FROM invitation WHERE user = :user AND other = :other"}},
    [STORE_UNBLOCK] = {.statement = {"DELETE FROM tie WHERE blocks = 1 AND user = :user AND other = :other"},
                       .may_be_idle = true},
    [STORE_SEEN] = {.statement = {"INSERT INTO seen VALUES(:user, :place)"
                                  " ON CONFLICT(user) DO UPDATE SET place = excluded.place"}},
    [STORE_INVITE] =
        {.statement = {"INSERT INTO invitation SELECT :other, id, :user, :time FROM game"
                       " WHERE name = :game AND stage = 0 AND NOT EXISTS"
                       " (SELECT 1 FROM tie WHERE user = :other AND other = :user AND blocks = 1)"
                       " ON CONFLICT(user, game) DO UPDATE SET other = excluded.other, time = excluded.time",
                       "DELETE FROM invitation WHERE user = :other AND game NOT IN"
                       " (SELECT game FROM invitation WHERE user = :other ORDER BY time DESC LIMIT :limit)"},
         .may_be_idle = true},
    [STORE_UNINVITE] = {.statement = {"DELETE FROM invitation WHERE user = :user AND game = " THE_GAME},
                        .may_be_idle = true},
    [STORE_NEW_WAY] = {.statement = {"DELETE FROM way WHERE kind = :way AND CASE :way WHEN 0 THEN user = :user"
                                     " ELSE address = :name AND user <> :user END",
                                     "INSERT INTO way VALUES(:other, :user, :way, :name, coalesce(:key, ''), :label,"
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
                       " FROM way WHERE user = :user AND confirmed = 1 AND (events >> CAST(:event AS INTEGER)) & 1 = 1"
                       " ON CONFLICT(way, game, event) DO UPDATE SET number = excluded.number,"
                       " other = excluded.other, due = excluded.due, tries = 0, state = excluded.state,"
                       " made = excluded.made WHERE excluded.number > letter.number"},
         .may_be_idle = true},
    [STORE_LETTERS_SEEN] =
        {.statement = {"UPDATE letter SET state = 2 WHERE way IN (SELECT id FROM way WHERE user = :user)"
                       " AND game = :game AND state = 0 AND event IN (0, 2, 3, 4)"},
         .may_be_idle = true},
    [STORE_LETTER_GOES] = {.statement = {"UPDATE letter SET state = 1 WHERE id = :other AND number = :number"
                                         " AND state = 0"}},
    [STORE_LETTER_DONE] = {.statement = {"UPDATE letter SET state = 2 WHERE id = :other AND number = :number"},
                           .may_be_idle = true},
    [STORE_LETTER_LATER] = {.statement = {"UPDATE letter SET state = 0, due = :time, tries = :tries WHERE id = :other"
                                          " AND number = :number AND state < 2",
                                          "UPDATE letter SET due = " LATER(
                                              "due") " WHERE :limit > 0 AND state = 0 AND way ="
                                                     " (SELECT way FROM letter WHERE id = :other)"},
                            .may_be_idle = true},
    [STORE_RECOVER] = {.statement = {"INSERT INTO letter(way, event, game, number, other, due, tries, state, made)"
                                     " SELECT way.id, 6, '', :number, 0, :time, 0, 0, :time FROM way"
                                     " JOIN user ON user.id = way.user"
                                     " WHERE kind = 0 AND address = :name AND confirmed = 1 AND password <> ''"
                                     " ON CONFLICT(way, game, event) DO UPDATE SET number = excluded.number,"
                                     " due = excluded.due, tries = 0, state = 0, made = excluded.made"
                                     " WHERE letter.made < :ends"},
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
                       " AND EXISTS(SELECT 1 FROM tournament_log WHERE tournament = id AND number = :number - 1)"
                       " ON CONFLICT DO NOTHING"}},
    [STORE_ENTER] = {.statement = {"INSERT INTO entrant SELECT :user, id FROM tournament WHERE name = :game"
                                   " ON CONFLICT DO NOTHING"},
                     .may_be_idle = true},
    [STORE_TOURNAMENT_OVER] = {.statement = {"UPDATE tournament SET over = 1 WHERE name = :game"}},
    [STORE_CLEAR_TOURNAMENT] = {.statement = {"DELETE FROM entrant WHERE tournament = " OLD_TOURNAMENT,
                                              "DELETE FROM tournament_log WHERE tournament = " OLD_TOURNAMENT,
                                              "DELETE FROM tournament WHERE name = :game AND over = 1"},
                                .may_be_idle = true},
    [STORE_SET_SECRET] = {.statement = {"INSERT INTO secret VALUES(:name, :text) ON CONFLICT DO NOTHING"},
                          .may_be_idle = true},
    [STORE_NEW_SIGNER] = {.statement = {"INSERT INTO signer SELECT :number, :time, :text, :signing_key"
                                        " WHERE :number = 1 + (SELECT count(*) FROM signer)",
                                        "UPDATE signer SET secret = NULL WHERE number < :number"}},
};
static_assert(sizeof store_write_kinds / sizeof *store_write_kinds == STORE_WRITE_KINDS, "every kind has words");

const store_parameter *store_find_parameter(const char *name, size_t length)
{
    for (size_t row = 0; row < sizeof parameters / sizeof *parameters; row++)
        if (strncmp(parameters[row].name, name, length) == 0 && parameters[row].name[length] == '\0')
            return &parameters[row];
    return NULL;
}

static unsigned add_parameter(const store_parameter *found[STORE_PARAMETERS_MAX], unsigned count,
                              const store_parameter *parameter)
{
    for (unsigned at = 0; at < count; at++)
        if (found[at] == parameter)
            return count;
    assert(count < STORE_PARAMETERS_MAX);
    found[count] = parameter;
    return count + 1;
}

unsigned store_parameters_of(unsigned kind, const store_parameter *found[STORE_PARAMETERS_MAX])
{
    unsigned count = 0;
    for (unsigned part = 0; part < STORE_STATEMENTS && store_write_kinds[kind].statement[part] != NULL; part++)
        for (const char *at = store_write_kinds[kind].statement[part]; (at = strchr(at, ':')) != NULL;) {
            const size_t length = strspn(++at, "abcdefghijklmnopqrstuvwxyz_");
            count = add_parameter(found, count, store_find_parameter(at, length));
        }
    return count;
}

int64_t store_number_in(const store_write *write, const store_parameter *parameter)
{
    const void *value = (const char *)write + parameter->at;
    switch (parameter->sort) {
    case SORT_SMALL:
        return *(const uint8_t *)value;
    case SORT_FLAG:
        return *(const bool *)value;
    case SORT_COUNT:
        return *(const uint32_t *)value;
    default:
        return *(const int64_t *)value;
    }
}

gral_span store_text_in(const store_write *write, const store_parameter *parameter)
{
    const void *value = (const char *)write + parameter->at;
    if (parameter->sort == SORT_SECRET)
        return (gral_span){(const char *)value, STORE_SECRET_BYTES};
    gral_span text = {NULL, 0};
    if (parameter->sort == SORT_TEXT)
        text = *(const gral_span *)value;
    else if (*(const char *const *)value != NULL)
        text = gral_span_of(*(const char *const *)value);
    if (text.length > 0)
        return text;
    return (gral_span){parameter->sort == SORT_MAYBE ? NULL : "", 0};
}
