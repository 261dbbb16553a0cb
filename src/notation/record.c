/* Records (.gral): tags, a blank line, one action a line with the seat before it. What comes in is
 * played through the rules as it is read, so a record that exists is a game that can happen. */
#include "gral/record.h"

#include "scan.h"

#include <stdlib.h>
#include <string.h>

static const char result_tag[] = "Result";

gral_record gral_record_begin(const gral_settings *settings)
{
    return (gral_record){.settings = *settings};
}

void gral_record_free(gral_record *record)
{
    free(record->entry);
    free(record->tags);
    *record = (gral_record){0};
}

bool gral_record_add(gral_record *record, unsigned seat, gral_action action)
{
    if (record->count == record->capacity) {
        const size_t capacity = record->capacity > 0 ? 2 * record->capacity : 256;
        gral_entry *entry = realloc(record->entry, capacity * sizeof *entry);
        if (entry == NULL)
            return false;
        record->entry = entry;
        record->capacity = capacity;
    }
    record->entry[record->count++] = (gral_entry){action, (uint8_t)seat};
    return true;
}

void gral_record_replay(const gral_record *record, size_t count, gral_game *game, gral_state *state)
{
    gral_game_make(game, &record->settings);
    gral_start(game, state);
    for (size_t index = 0; index < count; index++)
        gral_apply(game, state, record->entry[index].action);
}

/* --- reading --- */

typedef struct reader {
    gral_record record;
    gral_settings_reader settings;
    gral_game game;
    gral_state state;
    bool playing; /* the tags are over */
    size_t tags_length;
    gral_span result; /* the value of its tag, and where that stood */
    uint32_t result_line, result_column;
    gral_error *error;
} reader;

/* An error that a part of the line reported as if it stood alone, moved to its place. */
static bool fail_inside(const scan *line, size_t at, gral_error *error)
{
    error->line = line->line;
    error->column += (uint32_t)at;
    return false;
}

static bool check_plain_text(scan *line)
{
    const char *bytes = line->source.bytes;
    for (size_t at = 0; at < line->source.length;) {
        const size_t length = bytes[at] == '\t' ? 1 : scan_plain(bytes + at, line->source.length - at);
        if (length == 0)
            return scan_fail_at(line, at, "a record is UTF-8 text without control characters");
        at += length;
    }
    return true;
}

static bool keep_tag(reader *reader, gral_span tag)
{
    char *tags = realloc(reader->record.tags, reader->tags_length + tag.length + 2);
    if (tags == NULL)
        return false;
    memcpy(tags + reader->tags_length, tag.bytes, tag.length);
    reader->tags_length += tag.length;
    tags[reader->tags_length++] = '\n';
    tags[reader->tags_length] = '\0';
    reader->record.tags = tags;
    return true;
}

static void skip_blanks(scan *line)
{
    while (scan_if(line, " ") || scan_if(line, "\t"))
        continue;
}

static bool end_of_line(scan *line)
{
    skip_blanks(line);
    return scan_at_end(line) || line->source.bytes[line->at] == ';' ||
           scan_expected(line, "the end of the line or a comment after ';'");
}

static bool is_name(gral_span name)
{
    for (size_t at = 0; at < name.length; at++) {
        const char byte = name.bytes[at];
        if (!((byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') ||
              byte == '_'))
            return false;
    }
    return name.length > 0;
}

/* The value between the quotes, in which a backslash protects a quote and itself. */
static bool scan_quoted(scan *line, gral_span *value)
{
    if (!scan_literal(line, "\"", "a value in double quotes"))
        return false;
    const size_t start = line->at;
    while (!scan_at_end(line) && line->source.bytes[line->at] != '"')
        line->at += line->source.bytes[line->at] == '\\' && line->at + 1 < line->source.length ? 2 : 1;
    *value = (gral_span){line->source.bytes + start, line->at - start};
    return scan_literal(line, "\"", "the closing quote");
}

static bool read_tag(reader *reader, scan *line)
{
    const size_t start = line->at;
    scan_literal(line, "[", "a tag");
    const size_t name_at = line->at;
    const gral_span name = scan_until(line, " ]\"");
    if (!is_name(name)) {
        line->at = name_at;
        return scan_expected(line, "the name of a tag");
    }
    gral_span value;
    if (!scan_literal(line, " ", "a space and a value in double quotes") || !scan_quoted(line, &value) ||
        !scan_literal(line, "]", "']'"))
        return false;
    const gral_span tag = {line->source.bytes + start, line->at - start};
    if (!end_of_line(line))
        return false;

    const size_t value_at = (size_t)(value.bytes - line->source.bytes);
    for (unsigned key = 0; key < GRAL_KEYS; key++)
        if (span_is(name, gral_key_tag((enum gral_key)key)))
            return gral_settings_read(&reader->settings, (enum gral_key)key, value, reader->error) ||
                   fail_inside(line, value_at, reader->error);
    if (span_is(name, "View") && span_is(value, "public"))
        return scan_fail_at(line, start,
                            "this record shows only what everybody may know; it can be replayed once the game is over");
    if (span_is(name, result_tag)) {
        if (reader->result.bytes != NULL)
            return scan_fail_at(line, name_at, "this appears twice");
        reader->result = value;
        reader->result_line = line->line;
        reader->result_column = (uint32_t)value_at + 1;
        return true;
    }
    return keep_tag(reader, tag) || scan_fail_at(line, start, "out of memory");
}

static bool begin_play(reader *reader, const scan *line)
{
    if (!gral_settings_finish(&reader->settings, &reader->record.settings, reader->error))
        return fail_inside(line, 0, reader->error);
    gral_game_make(&reader->game, &reader->record.settings);
    gral_start(&reader->game, &reader->state);
    reader->playing = true;
    return true;
}

static bool wrong_seat(scan *line, size_t at, unsigned actor)
{
    char words[64];
    gral_text text = gral_text_in(words, sizeof words);
    gral_text_add(&text, "it is seat ");
    gral_text_add_number(&text, actor + 1);
    gral_text_add(&text, " that acts here");
    return scan_fail_at(line, at, words);
}

static bool read_action(reader *reader, scan *line)
{
    const size_t seat_at = line->at;
    uint32_t seat = 0;
    if (!scan_number(line, GRAL_PLAYERS_MAX, &seat, "a tag, or an action like '1: step T1 a2'") ||
        !scan_literal(line, ": ", "': ' after the seat"))
        return false;
    const size_t action_at = line->at;
    gral_span words = scan_until(line, ";");
    while (words.length > 0 && (words.bytes[words.length - 1] == ' ' || words.bytes[words.length - 1] == '\t'))
        words.length--;
    gral_action action;
    if (!gral_action_parse(words, &action, reader->error))
        return fail_inside(line, action_at, reader->error);

    if (!reader->playing && !begin_play(reader, line))
        return false;
    if (reader->state.open.phase == GRAL_OVER)
        return scan_fail_at(line, action_at, gral_fault_text(GRAL_FAULT_OVER));
    if (seat != reader->state.open.actor + 1u)
        return wrong_seat(line, seat_at, reader->state.open.actor);
    const enum gral_fault fault = gral_check(&reader->game, &reader->state, action);
    if (fault != GRAL_LEGAL)
        return scan_fail_at(line, action_at, gral_fault_text(fault));
    if (!gral_record_add(&reader->record, seat - 1, action))
        return scan_fail_at(line, action_at, "out of memory");
    gral_apply(&reader->game, &reader->state, action);
    return true;
}

static bool read_line(reader *reader, scan *line)
{
    if (!check_plain_text(line))
        return false;
    skip_blanks(line);
    if (scan_at_end(line) || line->source.bytes[line->at] == ';')
        return true;
    if (line->source.bytes[line->at] != '[')
        return read_action(reader, line);
    if (reader->playing)
        return scan_fail_at(line, line->at, "tags stand before the first action");
    return read_tag(reader, line);
}

static bool check_result(const reader *reader)
{
    if (reader->result.bytes == NULL)
        return true;
    char words[32];
    gral_text text = gral_text_in(words, sizeof words);
    gral_result_print(&text, &reader->state.open);
    if (span_is(reader->result, words))
        return true;
    reader->error->line = reader->result_line;
    reader->error->column = reader->result_column;
    text = gral_text_in(reader->error->message, sizeof reader->error->message);
    gral_text_add(&text, "the actions lead to the result '");
    gral_text_add(&text, words);
    gral_text_add(&text, "'");
    return false;
}

static bool read_all(reader *reader, gral_span source)
{
    uint32_t number = 0;
    size_t at = 0;
    scan line = scan_of((gral_span){source.bytes, 0}, reader->error);
    while (at < source.length) {
        const char *end = (const char *)memchr(source.bytes + at, '\n', source.length - at);
        size_t length = end != NULL ? (size_t)(end - source.bytes) - at : source.length - at;
        const size_t next = at + length + 1;
        if (length > 0 && source.bytes[at + length - 1] == '\r')
            length--;
        line = scan_of((gral_span){source.bytes + at, length}, reader->error);
        line.line = ++number;
        if (!read_line(reader, &line))
            return false;
        at = next;
    }
    return (reader->playing || begin_play(reader, &line)) && check_result(reader);
}

bool gral_record_parse(gral_span source, gral_record *record, gral_error *error)
{
    reader reader = {.error = error};
    if (!read_all(&reader, source)) {
        gral_record_free(&reader.record);
        return false;
    }
    *record = reader.record;
    return true;
}

/* --- writing --- */

static void open_tag(gral_text *text, const char *name)
{
    gral_text_add(text, "[");
    gral_text_add(text, name);
    gral_text_add(text, " \"");
}

void gral_tag_print(gral_text *text, const char *name, const char *value)
{
    open_tag(text, name);
    for (; *value != '\0'; value++) {
        if (*value == '"' || *value == '\\')
            gral_text_add(text, "\\");
        gral_text_add_bytes(text, value, 1);
    }
    gral_text_add(text, "\"]\n");
}

void gral_tag_print_seat(gral_text *text, unsigned seat, const char *name, bool computer)
{
    char words[24];
    gral_text tag = gral_text_in(words, sizeof words);
    gral_text_add(&tag, "Player");
    gral_text_add_number(&tag, seat + 1);
    gral_tag_print(text, words, name);
    gral_text_add(&tag, "Type");
    gral_tag_print(text, words, computer ? "program" : "human");
}

void gral_record_print(gral_text *text, const gral_record *record)
{
    for (unsigned key = 0; key < GRAL_KEYS; key++) {
        if (!gral_key_shown(&record->settings, (enum gral_key)key))
            continue;
        open_tag(text, gral_key_tag((enum gral_key)key));
        gral_key_print(text, &record->settings, (enum gral_key)key);
        gral_text_add(text, "\"]\n");
    }
    if (record->tags != NULL)
        gral_text_add(text, record->tags);

    gral_game game;
    gral_state state;
    gral_record_replay(record, record->count, &game, &state);
    open_tag(text, result_tag);
    gral_result_print(text, &state.open);
    gral_text_add(text, "\"]\n\n");

    for (size_t index = 0; index < record->count; index++) {
        gral_text_add_number(text, record->entry[index].seat + 1u);
        gral_text_add(text, ": ");
        gral_action_print(text, record->entry[index].action);
        gral_text_add(text, "\n");
    }
}

static void write_record(gral_text *text, const void *context)
{
    gral_record_print(text, context);
}

char *gral_record_text(const gral_record *record, size_t *length)
{
    return gral_text_whole(write_record, record, length);
}

/* --- asking --- */

gral_span gral_record_tag(const gral_record *record, const char *name)
{
    const size_t length = strlen(name);
    const char *line = record->tags;
    while (line != NULL && *line != '\0') {
        const char *end = strchr(line, '\n');
        if (strncmp(line + 1, name, length) == 0 && line[1 + length] == ' ') {
            const char *value = line + length + 3;
            return (gral_span){value, (size_t)(end - 2 - value)};
        }
        line = end + 1;
    }
    return (gral_span){NULL, 0};
}

size_t gral_record_placements(const gral_record *record, size_t count, gral_placement list[GRAL_PLACEMENTS_MAX])
{
    gral_game game;
    gral_state state;
    gral_record_replay(record, 0, &game, &state);
    size_t placements = 0;
    for (size_t index = 0; index < count; index++) {
        const gral_entry entry = record->entry[index];
        if (entry.action.verb == GRAL_PLACE)
            list[placements++] = (gral_placement){state.open.turn, entry.seat, entry.action.pawn, entry.action.points};
        gral_apply(&game, &state, entry.action);
    }
    return placements;
}
