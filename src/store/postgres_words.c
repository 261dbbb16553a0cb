#include "store/postgres_words.h"

#include "store/common.h"

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

static char *close_text(FILE *out, char **text)
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
    return close_text(out, &text);
}

/* --- the functions --- */

/* One write: what SQLite does with its statements, one after the other. */
static void put_write_function(FILE *out, uint64_t mark)
{
    fprintf(out,
            "CREATE OR REPLACE FUNCTION write_%016" PRIx64 "(w jsonb) RETURNS bigint LANGUAGE plpgsql AS $function$\n"
            "#variable_conflict use_column\n"
            "DECLARE many_ended bigint;\nBEGIN\nCASE (w->>'kind')::integer\n",
            mark);
    for (unsigned kind = 0; kind < STORE_WRITE_KINDS; kind++) {
        const store_write_words *words = &store_write_kinds[kind];
        fprintf(out, "WHEN %u THEN\n", kind);
        for (unsigned part = 0; part < STORE_STATEMENTS && words->statement[part] != NULL; part++) {
            put_words(out, words->statement[part]);
            fputs(";\n", out);
            if (part == 0 && !words->may_be_idle)
                fputs("IF NOT FOUND THEN RETURN -1; END IF;\n", out);
        }
        if (words->makes_room)
            fputs("GET DIAGNOSTICS many_ended = ROW_COUNT; RETURN many_ended;\n", out);
    }
    fputs("END CASE;\nRETURN 0;\nEND $function$;\n", out);
}

/* A group. Entries of games that nothing else in the group is about are written all at once: those are nearly all there
 * is, and a statement for each would take ten times as long. If one of them is in conflict, nothing is written, and
 * they come once more among the others. There is no subtransaction for each unit at first: a conflict at the beginning
 * of a unit has written nothing. With one in the middle of a unit the others begin anew, each unit with a
 * subtransaction. */
static const char group_function[] =
    "CREATE OR REPLACE FUNCTION commit_%1$016" PRIx64 "(of_writer text, by_connection bigint, group_number bigint,"
    " writes jsonb, games text[], numbers bigint[], times bigint[], texts bytea[], firsts boolean[])"
    " RETURNS text LANGUAGE plpgsql AS $function$\n"
    "#variable_conflict use_column\n"
    "DECLARE w jsonb; one bigint; answers bigint[] := '{}'; of_unit bigint[]; in_unit bigint := -1;"
    " refused boolean := false; unit jsonb;\n"
    "BEGIN\n"
    /* As STORE_APPEND does it. */
    "IF cardinality(games) > 0 THEN\n"
    "  INSERT INTO log SELECT id, number, time, text FROM unnest(games, numbers, times, texts, firsts)"
    " AS given(game, number, time, text, first) JOIN game ON name = given.game"
    " WHERE CASE WHEN first THEN (SELECT count(*) FROM log WHERE log.game = id AND log.number = given.number - 1)"
    " ELSE 1 END = 1 ON CONFLICT DO NOTHING;\n"
    "  GET DIAGNOSTICS one = ROW_COUNT;\n"
    "  IF one <> cardinality(games) THEN RAISE SQLSTATE 'GRAL3'; END IF;\n"
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
    "UPDATE writer SET number = group_number, outcomes = array_to_string(answers, ','),"
    " time = (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    " WHERE id = of_writer AND connection = by_connection;\n"
    "IF NOT FOUND THEN RAISE SQLSTATE 'GRAL2' USING MESSAGE = 'there is a newer connection of this writer'; END IF;\n"
    "RETURN array_to_string(answers, ',');\n"
    "END $function$;\n";

static char *functions_marked(uint64_t mark)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out != NULL) {
        put_write_function(out, mark);
        fprintf(out, group_function, mark);
    }
    return close_text(out, &text);
}

char *postgres_functions(char name[POSTGRES_NAME_MAX])
{
    char *draft = functions_marked(0);
    if (draft == NULL)
        return NULL;
    const uint64_t mark = store_mark(draft);
    free(draft);
    snprintf(name, POSTGRES_NAME_MAX, "commit_%016" PRIx64, mark);
    return functions_marked(mark);
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

enum quoted { PLAIN, QUOTED_IN_JSON, QUOTED_IN_ARRAY };

static void put_text(FILE *out, const char *text, enum quoted quoted)
{
    while (*text != '\0') {
        const unsigned length = character_at((const unsigned char *)text);
        if (quoted != PLAIN && (*text == '"' || *text == '\\'))
            fprintf(out, "\\%c", *text);
        else if (quoted == QUOTED_IN_JSON && length == 1 && (unsigned char)*text < 0x20)
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
        put_text(out, text, PLAIN);
    return close_text(out, &mended);
}

/* --- a group --- */

static void put_hex(FILE *out, gral_span bytes)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t at = 0; at < bytes.length; at++) {
        putc_unlocked(digits[(unsigned char)bytes.bytes[at] >> 4], out);
        putc_unlocked(digits[(unsigned char)bytes.bytes[at] & 15], out);
    }
}

static void put_value(FILE *out, const store_write *write, const store_parameter *parameter)
{
    fprintf(out, ",\"%s\":", parameter->name);
    switch (parameter->sort) {
    case SORT_REAL:
        fprintf(out, "%.17g", *(const double *)((const char *)write + parameter->at));
        break;
    case SORT_TEXT:
    case SORT_SECRET:
        fputc('"', out);
        put_hex(out, store_text_in(write, parameter));
        fputc('"', out);
        break;
    case SORT_WORDS:
    case SORT_MAYBE: {
        const gral_span text = store_text_in(write, parameter);
        if (text.bytes == NULL) {
            fputs("null", out);
            break;
        }
        fputc('"', out);
        put_text(out, text.bytes, QUOTED_IN_JSON);
        fputc('"', out);
        break;
    }
    default:
        fprintf(out, "%" PRId64, store_number_in(write, parameter));
    }
}

static void put_write(FILE *out, const store_write *write, unsigned unit)
{
    fprintf(out, "{\"kind\":%u,\"unit\":%u", write->kind, unit);
    const store_parameter *put[STORE_PARAMETERS_MAX];
    const unsigned count = store_parameters_of(write->kind, put);
    for (unsigned at = 0; at < count; at++)
        put_value(out, write, put[at]);
    fputc('}', out);
}

static int by_game(const void *one, const void *other)
{
    const store_write *const *left = one, *const *right = other;
    const int order = strcmp((*left)->game, (*right)->game);
    return order != 0 ? order : (*left > *right) - (*left < *right);
}

/* A unit can be written with others if it has entries of one game and nothing else. */
static void mark_units(const store_write *writes, size_t count, enum postgres_entry *entry)
{
    for (size_t first = 0, end; first < count; first = end) {
        end = store_unit_end(writes, count, first);
        bool alike = true;
        for (size_t index = first; index < end; index++)
            alike = alike && writes[index].kind == STORE_APPEND && strcmp(writes[index].game, writes[first].game) == 0;
        for (size_t index = first; index < end; index++)
            entry[index] = alike ? POSTGRES_FIRST : POSTGRES_OTHER;
    }
}

/* And only if all that is about the game are such units, with numbers one after the other. */
static void mark_games(const store_write *writes, const store_write **sorted, size_t count, enum postgres_entry *entry)
{
    for (size_t first = 0, end; first < count; first = end) {
        bool alike = true;
        for (end = first; end < count && strcmp(sorted[end]->game, sorted[first]->game) == 0; end++)
            alike = alike && entry[sorted[end] - writes] != POSTGRES_OTHER &&
                    sorted[end]->number == sorted[first]->number + (uint32_t)(end - first);
        for (size_t index = first; index < end; index++)
            entry[sorted[index] - writes] = !alike ? POSTGRES_OTHER : index == first ? POSTGRES_FIRST : POSTGRES_NEXT;
    }
}

bool postgres_mark_entries(const store_write *writes, size_t count, enum postgres_entry *entry)
{
    const store_write **sorted = malloc(count * sizeof *sorted);
    if (sorted == NULL)
        return false;
    size_t games = 0;
    for (size_t index = 0; index < count; index++)
        if (writes[index].game != NULL)
            sorted[games++] = &writes[index];
    mark_units(writes, count, entry);
    qsort(sorted, games, sizeof *sorted, by_game);
    mark_games(writes, sorted, games, entry);
    free(sorted);
    return true;
}

/* --- the arguments of the function --- */

static void put_game(FILE *out, const store_write *write, enum postgres_entry entry)
{
    (void)entry;
    fputc('"', out);
    put_text(out, write->game, QUOTED_IN_ARRAY);
    fputc('"', out);
}

static void put_number(FILE *out, const store_write *write, enum postgres_entry entry)
{
    (void)entry;
    fprintf(out, "%" PRIu32, write->number);
}

static void put_time(FILE *out, const store_write *write, enum postgres_entry entry)
{
    (void)entry;
    fprintf(out, "%" PRId64, write->time);
}

static void put_entry(FILE *out, const store_write *write, enum postgres_entry entry)
{
    (void)entry;
    fputs("\"\\\\x", out);
    put_hex(out, write->text);
    fputc('"', out);
}

static void put_first(FILE *out, const store_write *write, enum postgres_entry entry)
{
    (void)write;
    fputc(entry == POSTGRES_FIRST ? 't' : 'f', out);
}

static char *array_of(const store_write *writes, size_t count, const enum postgres_entry *entry,
                      void (*put)(FILE *out, const store_write *write, enum postgres_entry entry))
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    const char *before = "{";
    for (size_t index = 0; index < count; index++)
        if (entry[index] != POSTGRES_OTHER) {
            fputs(before, out);
            put(out, &writes[index], entry[index]);
            before = ",";
        }
    fputs(before[0] == '{' ? "{}" : "}", out);
    return close_text(out, &text);
}

static char *others(const store_write *writes, size_t count, const enum postgres_entry *entry)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    const char *before = "[";
    unsigned unit = 0;
    for (size_t index = 0; index < count; index++) {
        unit += index == 0 || !writes[index].follows;
        if (entry[index] == POSTGRES_OTHER) {
            fputs(before, out);
            put_write(out, &writes[index], unit);
            before = ",";
        }
    }
    fputs(before[0] == '[' ? "[]" : "]", out);
    return close_text(out, &text);
}

bool postgres_group(const store_write *writes, size_t count, const enum postgres_entry *entry,
                    char *argument[POSTGRES_ARGUMENTS])
{
    argument[0] = others(writes, count, entry);
    argument[1] = array_of(writes, count, entry, put_game);
    argument[2] = array_of(writes, count, entry, put_number);
    argument[3] = array_of(writes, count, entry, put_time);
    argument[4] = array_of(writes, count, entry, put_entry);
    argument[5] = array_of(writes, count, entry, put_first);
    bool all = true;
    for (unsigned at = 0; at < POSTGRES_ARGUMENTS; at++)
        all = all && argument[at] != NULL;
    return all;
}
