/* A record against everything that can be known of it, from the bytes to the meaning: its checks, the rules, and the
 * seals of every assignment (R3.4).
 *
 * Either a record has no seals, or it has one and its salt for every opening and every assignment that was ended, not
 * one more, and checks. So a seal cannot be left out, and a tag that was damaged until it is none is missed. In a
 * signed record every placement has its seal, for the signature speaks for the seals and not for the placements. */
#include "checks.h"
#include "statement.h"
#include "translate.h"

#include <assert.h>
#include <stdlib.h>

enum tag_kind { TAG_SEAL, TAG_SALT };
static const char *const kind_name[] = {[TAG_SEAL] = "Seal", [TAG_SALT] = "Salt"};
enum { TAG_KINDS = sizeof kind_name / sizeof *kind_name };

/* One tag of a seal or a salt, and where it stands. */
typedef struct tag {
    uint8_t kind, seat;
    uint32_t number;
    gral_span value;
    uint32_t line, column; /* of the value */
} tag;

/* A tag that is there once at most, and where its value stands. */
enum single { SINGLE_GAME, SINGLE_VIEW, SINGLE_SIGNER, SINGLE_SIGNATURE };
static const char *const single_name[] = {
    [SINGLE_GAME] = "Game", [SINGLE_VIEW] = "View", [SINGLE_SIGNER] = "Signer", [SINGLE_SIGNATURE] = "Signature"};
enum { SINGLES = sizeof single_name / sizeof *single_name };

typedef struct single_tag {
    gral_span value; /* without bytes: it is not there */
    uint32_t line, column;
} single_tag;

typedef struct tags {
    tag *tag; /* sorted by seat, number and kind once all are read */
    size_t count, capacity;
    single_tag single[SINGLES];
} tags;

/* What a seat has put on its sheet since its last seal. */
typedef struct hand {
    gral_action placed[GRAL_SEALED_MAX];
    unsigned count;
    uint32_t sealed;
    gral_seal previous;
} hand;

static bool fail(gral_error *error, uint32_t line, uint32_t column, const char *message)
{
    *error = (gral_error){.line = line, .column = column};
    gral_text text = gral_text_in(error->message, sizeof error->message);
    gral_text_add(&text, message);
    return false;
}

/* "seal 3 of player 2 …" */
static bool fail_seal(gral_error *error, uint32_t line, uint32_t column, uint32_t number, unsigned seat,
                      const char *predicate)
{
    *error = (gral_error){.line = line, .column = column};
    gral_text text = gral_text_in(error->message, sizeof error->message);
    gral_text_add(&text, "seal ");
    gral_text_add_number(&text, number);
    gral_text_add(&text, " of player ");
    gral_text_add_number(&text, seat + 1);
    gral_text_add(&text, predicate);
    return false;
}

/* --- the tags --- */

static gral_span skip_blanks(gral_span line)
{
    while (line.length > 0 && (*line.bytes == ' ' || *line.bytes == '\t'))
        line = (gral_span){line.bytes + 1, line.length - 1};
    return line;
}

/* Name and value of a tag; false for a line that is none. Whether it is written well is for the reader of records to
 * say. */
static bool split_tag(gral_span line, gral_span *name, gral_span *value)
{
    line = skip_blanks(line);
    if (!line_starts(line, "["))
        return false;
    const char *const end = line.bytes + line.length;
    const char *at = line.bytes + 1;
    while (at < end && *at != ' ')
        at++;
    *name = (gral_span){line.bytes + 1, (size_t)(at - line.bytes) - 1};
    if (end - at < 2 || at[1] != '"')
        return false;
    const char *const start = at += 2;
    while (at < end && *at != '"')
        at += *at == '\\' && end - at > 1 ? 2 : 1;
    *value = (gral_span){start, (size_t)(at - start)};
    return at < end;
}

static bool is_digit(gral_span words)
{
    return words.length > 0 && *words.bytes >= '0' && *words.bytes <= '9';
}

/* Takes a number from 1 to `most` off the front of the words. */
static bool take_number(gral_span *words, uint32_t most, uint32_t *number)
{
    if (line_starts(*words, "0"))
        return false;
    uint64_t value = 0;
    while (is_digit(*words) && value <= most) {
        value = 10 * value + (uint64_t)(*words->bytes - '0');
        *words = (gral_span){words->bytes + 1, words->length - 1};
    }
    *number = (uint32_t)value;
    return value > 0 && value <= most;
}

static bool keep(tags *tags, tag tag)
{
    if (tags->count == tags->capacity) {
        const size_t capacity = tags->capacity > 0 ? 2 * tags->capacity : 64;
        struct tag *const more = realloc(tags->tag, capacity * sizeof *more);
        if (more == NULL)
            return false;
        tags->tag = more;
        tags->capacity = capacity;
    }
    tags->tag[tags->count++] = tag;
    return true;
}

/* "2_1": the seat and the number of its assignment. */
static bool read_seal(tags *tags, tag tag, gral_span place, gral_error *error)
{
    uint32_t seat = 0;
    bool well = take_number(&place, GRAL_PLAYERS_MAX, &seat) && line_starts(place, "_");
    if (well) {
        place = (gral_span){place.bytes + 1, place.length - 1};
        well = take_number(&place, UINT32_MAX, &tag.number) && place.length == 0;
    }
    if (!well)
        return fail(error, tag.line, 1, N_("seals have names like Seal2_1, salts like Salt2_1"));
    tag.seat = (uint8_t)(seat - 1);
    return keep(tags, tag) || fail(error, tag.line, 1, N_("out of memory"));
}

static bool is(gral_span words, const char *other)
{
    return line_starts(words, other) && words.length == strlen(other);
}

static bool read_tag(tags *tags, const line *line, gral_error *error)
{
    gral_span name, value;
    if (!split_tag(line->bytes, &name, &value))
        return true;
    const uint32_t column = (uint32_t)(value.bytes - line->bytes.bytes) + 1;
    for (unsigned single = 0; single < SINGLES; single++) {
        if (!is(name, single_name[single]))
            continue;
        if (tags->single[single].value.bytes != NULL)
            return fail(error, line->number, column, N_("this appears twice"));
        tags->single[single] = (single_tag){value, line->number, column};
        return true;
    }
    for (unsigned kind = 0; kind < TAG_KINDS; kind++) {
        if (!line_starts(name, kind_name[kind]))
            continue;
        const size_t length = strlen(kind_name[kind]);
        const gral_span place = {name.bytes + length, name.length - length};
        const tag tag = {.kind = (uint8_t)kind, .value = value, .line = line->number, .column = column};
        return !is_digit(place) || read_seal(tags, tag, place, error);
    }
    return true;
}

/* By what it is about; of two about the same, the one further up comes first. */
static int compare_place(const tag *a, const tag *b)
{
    if (a->seat != b->seat)
        return a->seat < b->seat ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (int)a->kind - (int)b->kind;
}

static int compare_tags(const void *first, const void *second)
{
    const tag *a = (const tag *)first, *b = (const tag *)second;
    const int place = compare_place(a, b);
    return place != 0 ? place : (a->line > b->line) - (a->line < b->line);
}

static int compare_places(const void *first, const void *second)
{
    return compare_place((const tag *)first, (const tag *)second);
}

static bool read_tags(gral_span file, tags *tags, gral_error *error)
{
    line line = {0};
    while (line_next(&line, &file))
        if (!read_tag(tags, &line, error))
            return false;
    if (tags->count > 0)
        qsort(tags->tag, tags->count, sizeof *tags->tag, compare_tags);
    for (size_t index = 1; index < tags->count; index++)
        if (compare_place(&tags->tag[index - 1], &tags->tag[index]) == 0)
            return fail(error, tags->tag[index].line, tags->tag[index].column, N_("this appears twice"));
    return true;
}

static const tag *find_tag(const tags *tags, enum tag_kind kind, unsigned seat, uint32_t number)
{
    const tag key = {.kind = (uint8_t)kind, .seat = (uint8_t)seat, .number = number};
    if (tags->count == 0)
        return NULL; /* a signed record may have none, and bsearch wants a list */
    return (const tag *)bsearch(&key, tags->tag, tags->count, sizeof key, compare_places);
}

/* --- the seals --- */

/* The line of the record's action number `index`, counted from 0. */
static uint32_t line_of_action(gral_span file, size_t index)
{
    line line = {0};
    while (line_next(&line, &file)) {
        const gral_span words = skip_blanks(line.bytes);
        const bool action = words.length > 0 && !line_starts(words, "[") && !line_starts(words, ";") &&
                            !line_starts(words, "\r");
        if (action && index-- == 0)
            break;
    }
    return line.number;
}

static bool read_bytes(const tag *tag, uint8_t *bytes, size_t count, gral_error *error)
{
    return gral_bytes_parse(tag->value, bytes, count) ||
           fail(error, tag->line, tag->column, N_("expected 64 digits 0 to 9 and a to f"));
}

static bool is_signed(const tags *tags)
{
    return tags->single[SINGLE_SIGNATURE].value.bytes != NULL;
}

typedef struct auditor {
    gral_span file;
    const tags *tags;
    gral_blake2b *hash;
    char game[GRAL_GAME_ID_MAX + 1];
    hand hand[GRAL_PLAYERS_MAX];
    gral_error *error;
} auditor;

/* The assignment that action `index` has ended. */
static bool audit_assignment(auditor *auditor, unsigned seat, size_t index)
{
    hand *hand = &auditor->hand[seat];
    const uint32_t number = hand->sealed + 1;
    const tag *seal_tag = find_tag(auditor->tags, TAG_SEAL, seat, number);
    const tag *salt_tag = find_tag(auditor->tags, TAG_SALT, seat, number);
    if (seal_tag == NULL)
        return fail_seal(auditor->error, line_of_action(auditor->file, index), 1, number, seat,
                         " is missing for the placements that end here");
    if (salt_tag == NULL)
        return fail_seal(auditor->error, seal_tag->line, seal_tag->column, number, seat, " has no salt");
    gral_sealing sealing = {.game = auditor->game,
                            .seat = seat,
                            .number = number,
                            .previous = hand->previous,
                            .placed = hand->placed,
                            .count = hand->count};
    gral_seal seal;
    if (!read_bytes(seal_tag, seal.bytes, GRAL_SEAL_BYTES, auditor->error) ||
        !read_bytes(salt_tag, sealing.salt.bytes, GRAL_SALT_BYTES, auditor->error))
        return false;
    const gral_seal made = gral_seal_make(&sealing, auditor->hash);
    if (memcmp(made.bytes, seal.bytes, GRAL_SEAL_BYTES) != 0)
        return fail_seal(auditor->error, seal_tag->line, seal_tag->column, number, seat,
                         " does not belong to his placements");
    hand->previous = seal;
    hand->sealed = number;
    hand->count = 0;
    return true;
}

static bool read_game(auditor *auditor)
{
    const tags *tags = auditor->tags;
    const single_tag *game = &tags->single[SINGLE_GAME];
    if (game->value.bytes == NULL)
        return fail(auditor->error, tags->count > 0 ? tags->tag[0].line : tags->single[SINGLE_SIGNATURE].line, 1,
                    N_("a record with seals needs the tag Game"));
    if (game->value.length == 0 || game->value.length > GRAL_GAME_ID_MAX)
        return fail(auditor->error, game->line, game->column, N_("the name of a game must have 1 to 32 bytes"));
    memcpy(auditor->game, game->value.bytes, game->value.length);
    return true;
}

static uint32_t last_line(gral_span file)
{
    line line = {0};
    while (line_next(&line, &file))
        continue;
    return line.number;
}

/* Placements that no `done` has ended are in nobody's seal. */
static bool audit_rest(const auditor *auditor)
{
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        if (auditor->hand[seat].count > 0)
            return fail_seal(auditor->error, last_line(auditor->file), 1, auditor->hand[seat].sealed + 1, seat,
                             " is missing for placements that were not ended");
    return true;
}

static bool audit_seals(gral_span file, const tags *tags, const gral_record *record, gral_blake2b *hash,
                        gral_error *error)
{
    auditor auditor = {.file = file, .tags = tags, .hash = hash, .error = error};
    if (!read_game(&auditor))
        return false;
    for (size_t index = 0; index < record->count; index++) {
        const gral_entry entry = record->entry[index];
        hand *hand = &auditor.hand[entry.seat];
        if (entry.action.verb == GRAL_PLACE) {
            assert(hand->count < GRAL_SEALED_MAX); /* no sheet has more units (R1.4) */
            hand->placed[hand->count++] = entry.action;
        } else if (entry.action.verb == GRAL_DONE && !audit_assignment(&auditor, entry.seat, index)) {
            return false;
        }
    }
    for (size_t index = 0; index < tags->count; index++) {
        const tag *tag = &tags->tag[index];
        if (tag->number > auditor.hand[tag->seat].sealed)
            return fail_seal(error, tag->line, tag->column, tag->number, tag->seat,
                             " is one too many: he has not assigned so often");
    }
    return !is_signed(tags) || audit_rest(&auditor);
}

/* --- the signature --- */

static bool read_digits(const single_tag *tag, uint8_t *bytes, size_t count, const char *expected, gral_error *error)
{
    return gral_bytes_parse(tag->value, bytes, count) || fail(error, tag->line, tag->column, expected);
}

static bool check_statement(gral_span file, gral_ed25519 *check, const gral_signer *signer,
                            const gral_signature *signature, const single_tag *tag, gral_error *error)
{
    gral_text measure = gral_text_in((char[1]){0}, 1);
    gral_statement_print(&measure, file, true);
    char *bytes = malloc(measure.length + 1);
    if (bytes == NULL)
        return fail(error, tag->line, 1, N_("out of memory"));
    gral_text text = gral_text_in(bytes, measure.length + 1);
    gral_statement_print(&text, file, true);
    const bool right = check(signer, (gral_span){bytes, text.length}, signature);
    free(bytes);
    return right || fail(error, tag->line, tag->column,
                         N_("the signature does not match this record: something was changed, added or removed"));
}

/* The file has checks, and they are right. */
static bool audit_signature(gral_span file, const tags *tags, gral_ed25519 *check, gral_audit *audit, gral_error *error)
{
    const single_tag *signer = &tags->single[SINGLE_SIGNER], *tag = &tags->single[SINGLE_SIGNATURE];
    gral_signature signature;
    if (signer->value.bytes == NULL)
        return fail(error, tag->line, 1, N_("a record with a signature needs the tag Signer"));
    if (!read_digits(signer, audit->signer.bytes, GRAL_SIGNER_BYTES, N_("expected 64 digits 0 to 9 and a to f"),
                     error) ||
        !read_digits(tag, signature.bytes, GRAL_SIGNATURE_BYTES, N_("expected 128 digits 0 to 9 and a to f"), error))
        return false;
    audit->is_signed = check != NULL ? GRAL_SIGNED : GRAL_UNCHECKED;
    return check == NULL || check_statement(file, check, &audit->signer, &signature, tag, error);
}

/* --- all of it --- */

/* What needs the sheets: all of it is refused or right before anybody looks at the signature, so that the error names
 * the line where it can. */
static bool audit_play(gral_span file, const tags *tags, gral_blake2b *hash, gral_audit *audit, gral_error *error)
{
    if (!gral_record_parse(file, &audit->record, error))
        return false;
    if (tags->count == 0 && !is_signed(tags))
        return true;
    return audit_seals(file, tags, &audit->record, hash, error);
}

/* The signature does not speak for secrets, so where nothing opens the seals there may be none. */
static bool audit_open(gral_span file, gral_error *error)
{
    line line = {0};
    while (line_next(&line, &file))
        if (line_is_secret(line.bytes))
            return fail(error, line.number, 1, N_("this is not public while the game is running"));
    return true;
}

static bool audit_all(gral_span file, const tags *tags, gral_blake2b *hash, gral_ed25519 *check, gral_audit *audit,
                      gral_error *error)
{
    const single_tag *view = &tags->single[SINGLE_VIEW];
    audit->open = view->value.bytes != NULL;
    if (audit->open && !is_signed(tags))
        return fail(error, view->line, view->column,
                    N_("this record contains only what everyone may see; it will be complete when the game is over"));
    if (!audit->checks && tags->count > 0)
        return fail(error, last_line(file), 1, N_("a sealed record must end with its checks, and they are missing"));
    if (!audit->checks && is_signed(tags))
        return fail(error, last_line(file), 1, N_("a signed record must end with its checks, and they are missing"));
    if (!(audit->open ? audit_open(file, error) : audit_play(file, tags, hash, audit, error)))
        return false;
    return !is_signed(tags) || audit_signature(file, tags, check, audit, error);
}

bool gral_audit_record(gral_span file, gral_blake2b *hash, gral_ed25519 *check, gral_audit *audit, gral_error *error)
{
    const enum checks checks = checks_look(file, hash, error);
    if (checks == CHECKS_WRONG)
        return false;
    tags tags = {0};
    gral_audit found = {.checks = checks == CHECKS_RIGHT};
    const bool right = read_tags(file, &tags, error) && audit_all(file, &tags, hash, check, &found, error);
    if (right) {
        for (size_t index = 0; index < tags.count; index++)
            found.seals += tags.tag[index].kind == TAG_SEAL;
        *audit = found;
    } else {
        gral_record_free(&found.record);
    }
    free(tags.tag);
    return right;
}
