#include "store/postgres_words.h"

#include "store/common.h"
#include "store/postgres_schema.h"
#include "store/store_hints.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- from our words to PostgreSQL's --- */

static bool is_of_a_name(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_';
}

static size_t name_at(const char *words)
{
    size_t length = 0;
    while (is_of_a_name(words[length]))
        length++;
    return length;
}

/* A member of the write `w`. */
static void put_parameter(FILE *out, const store_parameter *parameter)
{
    static const char *const form[] = {
        [SORT_SMALL] = "(w->>'%s')::bigint",
        [SORT_FLAG] = "(w->>'%s')::bigint",
        [SORT_COUNT] = "(w->>'%s')::bigint",
        [SORT_NUMBER] = "(w->>'%s')::bigint",
        [SORT_REAL] = "(w->>'%s')::float8",
        [SORT_WORDS] = "(w->>'%s')",
        [SORT_MAYBE] = "(w->>'%s')",
        [SORT_TEXT] = "decode(w->>'%s', 'hex')",
        [SORT_SECRET] = "decode(w->>'%s', 'hex')",
    };
    fprintf(out, form[parameter->sort], parameter->name);
}

/* Returns the largest number of a parameter. */
static unsigned put_words(FILE *out, const char *words)
{
    unsigned most = 0;
    while (*words != '\0') {
        const size_t name = name_at(words);
        const store_parameter *parameter = words[0] == ':' ? store_find_parameter(words + 1, name_at(words + 1)) : NULL;
        if (parameter != NULL) {
            put_parameter(out, parameter);
            words += 1 + strlen(parameter->name);
        } else if (words[0] == '?') {
            char *end;
            const unsigned number = (unsigned)strtoul(words + 1, &end, 10);
            most = number > most ? number : most;
            fprintf(out, "$%u", number);
            words = end;
        } else if (name > 0) {
            const bool reserved = name == 4 && memcmp(words, "user", 4) == 0;
            fprintf(out, reserved ? "\"%.*s\"" : "%.*s", (int)name, words);
            words += name;
        } else {
            fputc(*words++, out);
        }
    }
    return most;
}

char *postgres_close_text(FILE *out, char **text)
{
    const bool good = out != NULL && !ferror(out);
    if (out != NULL && fclose(out) == 0 && good)
        return *text;
    free(*text);
    return NULL;
}

char *postgres_words_of(const char *words, unsigned *parameters)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const unsigned most = out != NULL ? put_words(out, words) : 0;
    if (parameters != NULL)
        *parameters = most;
    return postgres_close_text(out, &text);
}

/* --- the functions --- */

/* Several write at once here, and a statement sees what was there when it began. So whoever decides by one row what he
 * does with others holds that row first: what he sees then is still so when he is done. A table that is set up anew, or
 * goes, lets nobody append meanwhile; a table where one plays cannot be, and an entry there holds nothing. What
 * somebody may do with a name, a password or a session holds the person. */
#define HOLD_PERSON "PERFORM 1 FROM user WHERE id = :user FOR NO KEY UPDATE"
static const char *const holds[STORE_WRITE_KINDS] = {
    [STORE_APPEND] = "PERFORM 1 FROM game WHERE name = :game AND stage = 2 FOR KEY SHARE",
    [STORE_SIT] = HOLD_PERSON,
    [STORE_SET_USER] = HOLD_PERSON,
    [STORE_RENAME] = HOLD_PERSON,
    [STORE_SET_PASSWORD] = HOLD_PERSON,
    [STORE_DELETE_USER] = HOLD_PERSON,
    [STORE_NEW_SESSION] = HOLD_PERSON,
    [STORE_NEW_DEVICE] = HOLD_PERSON,
    [STORE_END_TOKENS] = HOLD_PERSON,
    [STORE_END_OTHERS] = HOLD_PERSON,
    [STORE_CLEAR_GUEST] = HOLD_PERSON,
    [STORE_NEW_WAY] = HOLD_PERSON,
};

static void put_statement(FILE *out, const char *words)
{
    put_words(out, words);
    fputs(";\n", out);
}

/* One write: what SQLite does with its statements, one after the other. */
static void put_write_function(FILE *out, uint64_t mark)
{
    fprintf(out,
            "CREATE OR REPLACE FUNCTION write_%016" PRIx64 "(w jsonb) RETURNS bigint LANGUAGE plpgsql AS $function$\n"
            "#variable_conflict use_column\n"
            "DECLARE many_ended bigint;\nBEGIN\n"
            /* Under a lease that is still the one. Nobody takes it over before this is written. */
            "IF w ? 'fence' THEN\n"
            "  PERFORM 1 FROM game WHERE name = w->>'game' AND fence = (w->>'fence')::bigint FOR SHARE;\n"
            "  IF NOT FOUND THEN RETURN -1; END IF;\n"
            "END IF;\n"
            "IF w ? 'world' THEN\n"
            "  PERFORM 1 FROM lease WHERE name = 'world' AND holder = current_setting('gral.writer')"
            " AND fence = (w->>'world')::bigint FOR SHARE;\n"
            "  IF NOT FOUND THEN RETURN -1; END IF;\n"
            "END IF;\n"
            "CASE (w->>'kind')::integer\n",
            mark);
    for (unsigned kind = 0; kind < STORE_WRITE_KINDS; kind++) {
        const store_write_words *words = &store_write_kinds[kind];
        fprintf(out, "WHEN %u THEN\n", kind);
        if (holds[kind] != NULL)
            put_statement(out, holds[kind]);
        for (unsigned part = 0; part < STORE_STATEMENTS && words->statement[part] != NULL; part++) {
            put_statement(out, words->statement[part]);
            if (part == 0 && !words->may_be_idle)
                fputs("IF NOT FOUND THEN RETURN -1; END IF;\n", out);
        }
        if (words->makes_room)
            fputs("GET DIAGNOSTICS many_ended = ROW_COUNT; RETURN many_ended;\n", out);
    }
    fputs("END CASE;\nRETURN 0;\nEND $function$;\n", out);
}

/* A group. Entries of games that nothing else in the group is about are written all at once: those are nearly all there
 * is, and a statement for each would take ten times as long. Where somebody else was there first, the game's are left
 * out, and the others are none the worse: the first entry of each game decides, because whoever has written it is the
 * only one who can go on. All who write take games in the same order.
 *
 * For the rest there is no subtransaction for each unit at first: a conflict at the beginning of a unit has written
 * nothing. With one in the middle of a unit the others begin anew, each unit with a subtransaction. */
static const char group_function[] =
    "CREATE OR REPLACE FUNCTION commit_%1$016" PRIx64 "(of_writer text, by_connection bigint, group_number bigint,"
    " writes jsonb, games text[], numbers bigint[], times bigint[], texts bytea[], firsts boolean[],"
    " held text[], fences bigint[], hints text[]) RETURNS text LANGUAGE plpgsql AS $function$\n"
    "#variable_conflict use_column\n"
    "DECLARE w jsonb; one bigint; answers bigint[] := '{}'; of_unit bigint[]; in_unit bigint := -1;"
    " refused boolean := false; unit jsonb; ids bigint[]; are_over bigint[]; lost text[]; begun bigint[];"
    " left_out text := ''; answer text;\n"
    "BEGIN\n"
    /* As above. */
    "IF cardinality(held) > 0 THEN\n"
    "  SELECT array_agg(given.game) INTO lost FROM unnest(held, fences) AS given(game, number)"
    " LEFT JOIN (SELECT name, fence FROM game WHERE name = ANY(held) ORDER BY name FOR SHARE) AS found"
    " ON name = given.game WHERE fence IS DISTINCT FROM given.number;\n"
    "END IF;\n"
    /* As STORE_APPEND does it. */
    "IF cardinality(games) > 0 THEN\n"
    "  SELECT array_agg(CASE WHEN name = ANY(lost) THEN NULL ELSE id END ORDER BY place),"
    " array_agg(id) FILTER (WHERE stage = 2) INTO ids, are_over"
    " FROM unnest(games) WITH ORDINALITY AS given(game, place) LEFT JOIN game ON name = given.game;\n"
    "  IF cardinality(are_over) > 0 THEN\n"
    "    PERFORM 1 FROM game WHERE id = ANY(are_over) ORDER BY id FOR KEY SHARE;\n"
    "  END IF;\n"
    "  WITH written AS (INSERT INTO log SELECT given.game, given.number, given.time, given.text"
    " FROM unnest(ids, numbers, times, texts, firsts) AS given(game, number, time, text, first)"
    " WHERE first AND given.game IS NOT NULL AND (SELECT count(*) FROM log WHERE log.game = given.game"
    " AND log.number = given.number - 1) = 1 ORDER BY given.game ON CONFLICT DO NOTHING RETURNING game)"
    " SELECT array_agg(game) INTO begun FROM written;\n"
    "  IF false = ANY(firsts) THEN\n"
    "    INSERT INTO log SELECT given.game, given.number, given.time, given.text"
    " FROM unnest(ids, numbers, times, texts, firsts) AS given(game, number, time, text, first)"
    " WHERE NOT first AND given.game = ANY(begun);\n"
    "  END IF;\n"
    "  IF coalesce(cardinality(begun), 0) < cardinality(array_positions(firsts, true)) THEN\n"
    "    SELECT string_agg((place - 1)::text, ',' ORDER BY place) INTO left_out"
    " FROM unnest(ids, firsts) WITH ORDINALITY AS given(game, first, place)"
    " WHERE first AND (given.game = ANY(begun)) IS NOT TRUE;\n"
    "  END IF;\n"
    "END IF;\n"
    "BEGIN\n"
    "FOR w IN SELECT value FROM jsonb_array_elements(writes) LOOP\n"
    "  IF (w->>'unit')::bigint <> in_unit THEN\n"
    "    in_unit := (w->>'unit')::bigint;\n"
    "    one := write_%1$016" PRIx64 "(w);\n"
    "    refused := one < 0;\n"
    "  ELSIF refused THEN\n"
    "    one := -1;\n"
    "  ELSE\n"
    "    one := write_%1$016" PRIx64 "(w);\n"
    "    IF one < 0 THEN RAISE SQLSTATE 'GRAL1'; END IF;\n"
    "  END IF;\n"
    "  answers := answers || one;\n"
    "END LOOP;\n"
    "EXCEPTION WHEN integrity_constraint_violation OR SQLSTATE 'GRAL1' THEN\n"
    "  answers := '{}';\n"
    "  FOR unit IN SELECT jsonb_agg(value ORDER BY place) FROM jsonb_array_elements(writes) WITH ORDINALITY"
    " AS given(value, place) GROUP BY (value->>'unit')::bigint ORDER BY (value->>'unit')::bigint LOOP\n"
    "    BEGIN\n"
    "      of_unit := '{}';\n"
    "      FOR w IN SELECT value FROM jsonb_array_elements(unit) LOOP\n"
    "        one := write_%1$016" PRIx64 "(w);\n"
    "        IF one < 0 THEN RAISE SQLSTATE 'GRAL1'; END IF;\n"
    "        of_unit := of_unit || one;\n"
    "      END LOOP;\n"
    "    EXCEPTION WHEN integrity_constraint_violation OR SQLSTATE 'GRAL1' THEN\n"
    "      of_unit := array_fill(-1::bigint, ARRAY[jsonb_array_length(unit)]);\n"
    "    END;\n"
    "    answers := answers || of_unit;\n"
    "  END LOOP;\n"
    "END;\n"
    "answer := array_to_string(answers, ',') || ';' || left_out;\n"
    "UPDATE writer SET number = group_number, outcomes = answer,"
    " time = " POSTGRES_NOW " WHERE id = of_writer AND connection = by_connection;\n"
    "IF NOT FOUND THEN RAISE SQLSTATE 'GRAL2' USING MESSAGE = 'there is a newer connection of this writer'; END IF;\n"
    "PERFORM pg_notify('gral', hint) FROM unnest(hints) AS given(hint);\n"
    "RETURN answer;\n"
    "END $function$;\n";

/* Says that a server lives, and finds out what it has to know (store_beat). Who has been silent for too long is dead,
 * and goes; but only somebody may say so who has been beating himself all that time: a stall of the database, or of
 * all who use it, kills nobody. A time of which one must think that it is to come was set by a clock that is not the
 * database's any more. None of it waits for whoever has a row for himself at the moment.
 *
 * The dead one's ear is cut off: PostgreSQL keeps what is said until the last has heard it, and when it cannot keep any
 * more, nobody can write. */
#define LATE_MS "1500"
static const char beat_function[] =
    "CREATE OR REPLACE FUNCTION beat_%1$016" PRIx64 "(self text, called text, OUT entered boolean, OUT world bigint,"
    " OUT orphans boolean, OUT present bigint, OUT peers text) LANGUAGE plpgsql AS $function$\n"
    "#variable_conflict use_column\n"
    "DECLARE steady bigint; lost text;\n"
    "BEGIN\n"
    "present := " POSTGRES_NOW ";\n"
    "UPDATE server SET since = CASE WHEN present - beat BETWEEN 0 AND " LATE_MS " THEN since ELSE present END,"
    " beat = present WHERE id = self RETURNING since INTO steady;\n"
    "entered := NOT FOUND;\n"
    "IF entered THEN\n"
    "  INSERT INTO server VALUES(self, present, present, called);\n"
    "  steady := present;\n"
    "  UPDATE game SET keeper = '' WHERE keeper = self AND stage < 2 AND wakes = 0;\n"
    "  UPDATE lease SET holder = '' WHERE holder = self;\n"
    "END IF;\n"
    "IF present - steady >= " POSTGRES_DEAD_MS " THEN\n"
    "  FOR lost IN DELETE FROM server WHERE id = ANY(ARRAY(SELECT id FROM server"
    " WHERE abs(present - beat) > " POSTGRES_DEAD_MS " FOR UPDATE SKIP LOCKED)) RETURNING id LOOP\n"
    "    PERFORM pg_notify('gral', lost || ' " STORE_GONE_LETTER "');\n"
    "    PERFORM pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE usename = current_user AND application_name = '" POSTGRES_EAR "' || lost;\n"
    "  END LOOP;\n"
    "END IF;\n"
    "SELECT fence INTO world FROM lease WHERE name = 'world' AND holder = self;\n"
    "IF NOT FOUND THEN\n"
    "  PERFORM 1 FROM lease WHERE name = 'world' AND NOT EXISTS(SELECT 1 FROM server WHERE id = holder)"
    " FOR UPDATE SKIP LOCKED;\n"
    "  IF FOUND THEN\n"
    "    UPDATE lease SET holder = self, fence = fence + 1 WHERE name = 'world' RETURNING fence INTO world;\n"
    "  END IF;\n"
    "END IF;\n"
    "orphans := EXISTS(SELECT 1 FROM orphan);\n"
    "SELECT string_agg(id, ' ' ORDER BY id) INTO peers FROM server;\n"
    "END $function$;\n";

static char *functions_marked(uint64_t mark)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out != NULL) {
        /* Those of another version of the tables have another mark, though they say the same. */
        fprintf(out, "-- version %u\n", postgres_version);
        put_write_function(out, mark);
        fprintf(out, group_function, mark);
        fprintf(out, beat_function, mark);
    }
    return postgres_close_text(out, &text);
}

char *postgres_functions(uint64_t *mark)
{
    char *draft = functions_marked(0);
    if (draft == NULL)
        return NULL;
    *mark = store_mark(draft);
    free(draft);
    return functions_marked(*mark);
}

/* --- texts --- */

/* The length of the character that begins here, or 0 if none does (RFC 3629). */
static unsigned character_at(const unsigned char *text)
{
    static const struct {
        unsigned char first, last, second_first, second_last, length;
    } forms[] = {
        {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t row = 0; row < sizeof forms / sizeof *forms; row++) {
        if (text[0] < forms[row].first || text[0] > forms[row].last)
            continue;
        unsigned at = 1;
        if (at < forms[row].length && text[at] >= forms[row].second_first && text[at] <= forms[row].second_last)
            at++;
        while (at > 1 && at < forms[row].length && (text[at] & 0xc0) == 0x80)
            at++;
        return at == forms[row].length ? at : 0;
    }
    return 0;
}

void postgres_put_text(FILE *out, const char *text, enum postgres_quoted quoted)
{
    while (*text != '\0') {
        const unsigned length = character_at((const unsigned char *)text);
        if (quoted != POSTGRES_PLAIN && (*text == '"' || *text == '\\'))
            fprintf(out, "\\%c", *text);
        else if (quoted == POSTGRES_QUOTED_IN_JSON && length == 1 && (unsigned char)*text < 0x20)
            fprintf(out, "\\u%04x", (unsigned)*text);
        else if (length > 0)
            fwrite(text, 1, length, out);
        else
            fputs("\xef\xbf\xbd", out);
        text += length > 0 ? length : 1;
    }
}

char *postgres_text(const char *text)
{
    char *mended = NULL;
    size_t size;
    FILE *out = open_memstream(&mended, &size);
    if (out != NULL)
        postgres_put_text(out, text, POSTGRES_PLAIN);
    return postgres_close_text(out, &mended);
}

void postgres_begin_array(postgres_array *array)
{
    *array = (postgres_array){0};
    array->out = open_memstream(&array->text, &array->size);
}

void postgres_add_to_array(void *context, gral_span text)
{
    postgres_array *array = context;
    if (array->out == NULL)
        return;
    fputs(array->some ? ",\"" : "{\"", array->out);
    for (size_t at = 0; at < text.length; at++) {
        if (text.bytes[at] == '"' || text.bytes[at] == '\\')
            fputc('\\', array->out);
        fputc(text.bytes[at], array->out);
    }
    fputc('"', array->out);
    array->some = true;
}

char *postgres_end_array(postgres_array *array)
{
    if (array->out != NULL)
        fputs(array->some ? "}" : "{}", array->out);
    return postgres_close_text(array->out, &array->text);
}
