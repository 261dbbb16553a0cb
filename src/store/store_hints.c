#include "store/store_hints.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const uint8_t store_hint_rules[] = {
    [STORE_NEW_GAME] = STORE_RULE_FRESH,
    [STORE_RENEW_GAME] = STORE_RULE_FRESH,
    [STORE_APPEND] = STORE_RULE_GAME,
    [STORE_SET_STAGE] = STORE_RULE_SEATS,
    [STORE_SLEEP] = STORE_RULE_ASLEEP,
    [STORE_WAKE] = STORE_RULE_ASLEEP,
    [STORE_CLEAR_GAME] = STORE_RULE_SEATS,
    [STORE_SIT] = STORE_RULE_SEATS,
    [STORE_RISE] = STORE_RULE_SEATS,
    [STORE_RESULT] = STORE_RULE_SILENCE, /* SET_STAGE is with it */
    [STORE_NEW_USER] = STORE_RULE_SILENCE,
    [STORE_SET_USER] = STORE_RULE_USER,
    [STORE_RENAME] = STORE_RULE_USER,
    [STORE_SET_PASSWORD] = STORE_RULE_USER,
    [STORE_DELETE_USER] = STORE_RULE_USER,
    [STORE_NEW_SESSION] = STORE_RULE_USER, /* another may have ended to make room */
    [STORE_NEW_DEVICE] = STORE_RULE_SILENCE,
    [STORE_TOUCH] = STORE_RULE_SILENCE,
    [STORE_END_SESSION] = STORE_RULE_USER,
    [STORE_END_TOKENS] = STORE_RULE_USER,
    [STORE_END_OTHERS] = STORE_RULE_USER,
    [STORE_END_UNUSED] = STORE_RULE_SILENCE,  /* nobody uses them, */
    [STORE_END_OVERDUE] = STORE_RULE_SILENCE, /* and everybody knows when they end */
    [STORE_CLEAR_GUEST] = STORE_RULE_USER,
    [STORE_READ_LATER] = STORE_RULE_SILENCE, /* as RESULT */
    [STORE_READ] = STORE_RULE_SILENCE,
    [STORE_RATED] = STORE_RULE_SILENCE,
    [STORE_RATE] = STORE_RULE_USER,
    [STORE_PLAYED] = STORE_RULE_SILENCE,
    [STORE_SHOW] = STORE_RULE_USER,
    [STORE_BAN] = STORE_RULE_USER,
    [STORE_SILENCE] = STORE_RULE_USER,
    [STORE_BAR] = STORE_RULE_MODERATION,
    [STORE_UNBAR] = STORE_RULE_MODERATION,
    [STORE_ADD_WORD] = STORE_RULE_MODERATION,
    [STORE_DROP_WORD] = STORE_RULE_MODERATION,
    [STORE_REPORT] = STORE_RULE_SILENCE,
    [STORE_REPORT_DONE] = STORE_RULE_SILENCE,
    [STORE_AUDIT] = STORE_RULE_SILENCE,
    [STORE_CLEAR_LOGS] = STORE_RULE_SILENCE,
    [STORE_WANT] = STORE_RULE_TIE,
    [STORE_UNTIE] = STORE_RULE_TIE,
    [STORE_BLOCK] = STORE_RULE_TIE,
    [STORE_UNBLOCK] = STORE_RULE_TIE,
    [STORE_SEEN] = STORE_RULE_USER,
    [STORE_INVITE] = STORE_RULE_TIE,
    [STORE_UNINVITE] = STORE_RULE_TIE,
    [STORE_NEW_WAY] = STORE_RULE_LETTERS,
    [STORE_SET_WAY] = STORE_RULE_SILENCE,
    [STORE_END_WAY] = STORE_RULE_SILENCE,
    [STORE_STOP_WAY] = STORE_RULE_SILENCE,
    [STORE_CONFIRM_WAY] = STORE_RULE_SILENCE,
    [STORE_LETTER] = STORE_RULE_LETTERS,
    [STORE_LETTERS_SEEN] = STORE_RULE_SILENCE,
    [STORE_LETTER_GOES] = STORE_RULE_SILENCE,
    [STORE_LETTER_DONE] = STORE_RULE_SILENCE,
    [STORE_LETTER_LATER] = STORE_RULE_LETTERS,
    [STORE_RECOVER] = STORE_RULE_LETTERS,
    [STORE_RECOVERED] = STORE_RULE_SILENCE,
    [STORE_CLEAR_LETTERS] = STORE_RULE_SILENCE,
    [STORE_NEW_TOURNAMENT] = STORE_RULE_TOURNAMENT,
    [STORE_TOURNAMENT] = STORE_RULE_TOURNAMENT,
    [STORE_ENTER] = STORE_RULE_SILENCE, /* TOURNAMENT is with it */
    [STORE_TOURNAMENT_OVER] = STORE_RULE_TOURNAMENT,
    [STORE_CLEAR_TOURNAMENT] = STORE_RULE_TOURNAMENT,
    [STORE_SET_SECRET] = STORE_RULE_SILENCE, /* whoever wants one reads it again */
    [STORE_NEW_SIGNER] = STORE_RULE_SILENCE, /* at the start, by number */
};
static_assert(sizeof store_hint_rules == STORE_WRITE_KINDS, "every kind says what others are told");

/* --- words --- */

static bool is_plain(unsigned char letter)
{
    return letter > ' ' && letter < 0x7f && letter != '%';
}

/* As a word of a payload: what is not printable as in a URL. An empty one is "%". */
static size_t put_escaped(char *out, unsigned char letter)
{
    static const char digits[] = "0123456789abcdef";
    if (is_plain(letter)) {
        out[0] = (char)letter;
        return 1;
    }
    out[0] = '%';
    out[1] = digits[letter >> 4];
    out[2] = digits[letter & 15];
    return 3;
}

enum { ESCAPED_MAX = 3 };

static void put_word(FILE *out, const char *word)
{
    char letter[ESCAPED_MAX];
    if (word[0] == '\0')
        fputc('%', out);
    for (; *word != '\0'; word++)
        fwrite(letter, 1, put_escaped(letter, (unsigned char)*word), out);
}

static int digit_of(char letter)
{
    if (letter >= '0' && letter <= '9')
        return letter - '0';
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/* In its place; returns how long it is. There is a zero at its end. */
static size_t unescape(char *word)
{
    char *end = word;
    for (const char *at = word; *at != '\0';) {
        const int high = at[0] == '%' ? digit_of(at[1]) : -1, low = high >= 0 ? digit_of(at[2]) : -1;
        if (low >= 0) {
            *end++ = (char)(high << 4 | low);
            at += ESCAPED_MAX;
        } else if (*at++ != '%') {
            *end++ = at[-1];
        }
    }
    *end = '\0';
    return (size_t)(end - word);
}

/* --- what a group is worth --- */

static bool fill_in(store_hint *hint, const store_write *write)
{
    const enum store_hint_rule rule = store_hint_rules[write->kind];
    *hint = (store_hint){.game = ""};
    switch (rule) {
    case STORE_RULE_GAME:
    case STORE_RULE_FRESH:
    case STORE_RULE_SEATS:
    case STORE_RULE_ASLEEP:
        hint->kind = STORE_HINT_GAME;
        hint->game = write->game;
        hint->number = rule == STORE_RULE_GAME || rule == STORE_RULE_FRESH ? write->number : 0;
        hint->fresh = rule == STORE_RULE_FRESH;
        hint->listed = hint->fresh && write->listed;
        hint->seats = rule == STORE_RULE_SEATS;
        hint->asleep = rule == STORE_RULE_ASLEEP;
        hint->user = write->kind == STORE_SIT ? write->user : 0;
        return true;
    case STORE_RULE_USER:
        hint->kind = STORE_HINT_USER;
        hint->user = write->user;
        return hint->user != 0;
    case STORE_RULE_TIE:
        hint->kind = STORE_HINT_TIE;
        hint->user = write->user;
        hint->other = write->other;
        return true;
    case STORE_RULE_MODERATION:
        hint->kind = STORE_HINT_MODERATION;
        return true;
    case STORE_RULE_TOURNAMENT:
        hint->kind = STORE_HINT_TOURNAMENT;
        hint->game = write->game;
        hint->number = write->kind == STORE_TOURNAMENT ? write->number : 0;
        return true;
    case STORE_RULE_LETTERS:
        hint->kind = STORE_HINT_LETTERS;
        return true;
    default:
        return false;
    }
}

static int compare(const void *one, const void *other)
{
    const store_hint *left = one, *right = other;
    int order = (left->kind > right->kind) - (left->kind < right->kind);
    order = order != 0 ? order : strcmp(left->game, right->game);
    order = order != 0 ? order : (left->user > right->user) - (left->user < right->user);
    return order != 0 ? order : (left->other > right->other) - (left->other < right->other);
}

/* Of all that are about the same, one. */
static size_t merge(store_hint *hints, size_t count)
{
    size_t kept = 0;
    qsort(hints, count, sizeof *hints, compare);
    for (size_t index = 0; index < count; index++) {
        store_hint *last = kept > 0 ? &hints[kept - 1] : NULL;
        if (last == NULL || compare(last, &hints[index]) != 0) {
            hints[kept++] = hints[index];
            continue;
        }
        last->number = hints[index].number > last->number ? hints[index].number : last->number;
        last->seats |= hints[index].seats;
        last->fresh |= hints[index].fresh;
        last->listed |= hints[index].listed;
        last->asleep |= hints[index].asleep;
    }
    return kept;
}

enum flag { SEATS = 1, FRESH = 2, LISTED = 4, ASLEEP = 8 };

static const char letter_of[] = {
    [STORE_HINT_GAME] = 'G',       [STORE_HINT_USER] = 'U',       [STORE_HINT_TIE] = 'T',
    [STORE_HINT_MODERATION] = 'O', [STORE_HINT_TOURNAMENT] = 'C', [STORE_HINT_LETTERS] = 'L',
};

static void put_hint(FILE *out, const store_hint *hint)
{
    fprintf(out, " %c", letter_of[hint->kind]);
    switch (hint->kind) {
    case STORE_HINT_GAME:
        fprintf(out, " %" PRIu32 " %u %" PRIu64 " ", hint->number,
                hint->seats * SEATS | hint->fresh * FRESH | hint->listed * LISTED | hint->asleep * ASLEEP, hint->user);
        put_word(out, hint->game);
        break;
    case STORE_HINT_USER:
        fprintf(out, " %" PRIu64, hint->user);
        break;
    case STORE_HINT_TIE:
        fprintf(out, " %" PRIu64 " %" PRIu64, hint->user, hint->other);
        break;
    case STORE_HINT_TOURNAMENT:
        fprintf(out, " %" PRIu32 " ", hint->number);
        put_word(out, hint->game);
        break;
    default:
        break;
    }
}

/* One after the other into payloads that are not too long; each begins with who says it. */
static bool put_hints(const char *from, const store_hint *hints, size_t count, store_each_payload *put, void *context)
{
    char payload[STORE_PAYLOAD_MAX], *text = NULL;
    const size_t head = strlen(from);
    size_t length = head, size;
    memcpy(payload, from, head);
    for (size_t index = 0; index < count; index++) {
        FILE *out = open_memstream(&text, &size);
        if (out == NULL)
            return false;
        put_hint(out, &hints[index]);
        const bool good = fclose(out) == 0;
        if (good && length + size > sizeof payload) {
            put(context, (gral_span){payload, length});
            length = head;
        }
        if (good && length + size <= sizeof payload) /* else nobody could be told of a game with such a name */
            memcpy(payload + length, text, size);
        length += length + size <= sizeof payload ? size : 0;
        free(text);
        if (!good)
            return false;
    }
    if (length > head)
        put(context, (gral_span){payload, length});
    return true;
}

bool store_hints_of(const char *from, const store_write *writes, size_t count, store_each_payload *put, void *context)
{
    store_hint *hints = calloc(count, sizeof *hints);
    if (hints == NULL)
        return false;
    size_t found = 0;
    for (size_t index = 0; index < count; index++)
        found += fill_in(&hints[found], &writes[index]);
    const bool good = put_hints(from, hints, merge(hints, found), put, context);
    free(hints);
    return good;
}

/* --- a text, in pieces --- */

void store_pieces_of(const char *from, gral_span text, store_each_payload *put, void *context)
{
    char payload[STORE_PAYLOAD_MAX];
    size_t at = 0;
    for (unsigned piece = 0; piece == 0 || at < text.length; piece++) {
        size_t length = (size_t)snprintf(payload, sizeof payload, "%s S %u ", from, piece);
        const size_t more = length++; /* a mark: there are more, or this is the last */
        payload[length++] = ' ';
        if (text.length == 0)
            payload[length++] = '%';
        while (at < text.length && length + ESCAPED_MAX <= sizeof payload)
            length += put_escaped(payload + length, (unsigned char)text.bytes[at++]);
        payload[more] = at < text.length ? '+' : '.';
        put(context, (gral_span){payload, length});
    }
}

void store_forget_pieces(store_pieces *heard)
{
    free(heard->text);
    *heard = (store_pieces){0};
}

/* A piece after the others; those of one text come one after the other. */
static bool add_piece(store_pieces *heard, const char *from, unsigned piece, gral_span text)
{
    if (piece == 0)
        store_forget_pieces(heard);
    if (piece != heard->next || (piece > 0 && strcmp(heard->from, from) != 0) || strlen(from) >= sizeof heard->from)
        return false;
    char *longer = realloc(heard->text, heard->length + text.length + 1);
    if (longer == NULL)
        return false;
    heard->text = longer;
    memcpy(heard->text + heard->length, text.bytes, text.length);
    heard->length += text.length;
    heard->next++;
    strcpy(heard->from, from);
    return true;
}

/* --- reading --- */

typedef struct reading {
    char *rest; /* NULL: there was a word less than expected */
} reading;

static char *next_word(reading *reading)
{
    if (reading->rest == NULL || reading->rest[0] == '\0') {
        reading->rest = NULL;
        return NULL;
    }
    char *word = reading->rest, *space = strchr(word, ' ');
    if (space != NULL)
        *space = '\0';
    reading->rest = space != NULL ? space + 1 : word + strlen(word);
    return word;
}

static uint64_t next_number(reading *reading)
{
    const char *word = next_word(reading);
    return word != NULL ? strtoull(word, NULL, 10) : 0;
}

static char *next_text(reading *reading, size_t *length)
{
    char *word = next_word(reading);
    *length = word != NULL ? unescape(word) : 0;
    return word;
}

static bool read_said(reading *reading, const char *from, store_pieces *heard, store_hint *hint)
{
    const unsigned piece = (unsigned)next_number(reading);
    const char *mark = next_word(reading);
    size_t length;
    const char *text = next_text(reading, &length);
    if (text == NULL || !add_piece(heard, from, piece, (gral_span){text, length})) {
        store_forget_pieces(heard);
        return false;
    }
    hint->text = (gral_span){heard->text, heard->length};
    return mark[0] == '.';
}

/* False: there is nothing to be told of it. */
static bool read_hint(reading *reading, char letter, store_pieces *heard, store_hint *hint)
{
    size_t length;
    switch (letter) {
    case 'G':
        hint->kind = STORE_HINT_GAME;
        hint->number = (uint32_t)next_number(reading);
        const uint64_t flags = next_number(reading);
        hint->seats = (flags & SEATS) != 0;
        hint->fresh = (flags & FRESH) != 0;
        hint->listed = (flags & LISTED) != 0;
        hint->asleep = (flags & ASLEEP) != 0;
        hint->user = next_number(reading);
        hint->game = next_text(reading, &length);
        break;
    case 'U':
        hint->kind = STORE_HINT_USER;
        hint->user = next_number(reading);
        break;
    case 'T':
        hint->kind = STORE_HINT_TIE;
        hint->user = next_number(reading);
        hint->other = next_number(reading);
        break;
    case 'O':
        hint->kind = STORE_HINT_MODERATION;
        break;
    case 'C':
        hint->kind = STORE_HINT_TOURNAMENT;
        hint->number = (uint32_t)next_number(reading);
        hint->game = next_text(reading, &length);
        break;
    case 'L':
        hint->kind = STORE_HINT_LETTERS;
        break;
    case 'S':
        hint->kind = STORE_HINT_SAID;
        return read_said(reading, hint->from, heard, hint);
    case 'X':
        hint->kind = STORE_HINT_GONE;
        break;
    default:
        reading->rest = NULL;
    }
    return reading->rest != NULL;
}

void store_hear_payload(const char *self, char *payload, store_pieces *heard, store_each_hint *each, void *context)
{
    reading reading = {payload};
    const char *from = next_word(&reading);
    if (from == NULL || strcmp(from, self) == 0)
        return;
    for (const char *letter; (letter = next_word(&reading)) != NULL;) {
        store_hint hint = {.from = from};
        if (read_hint(&reading, letter[0], heard, &hint))
            each(context, &hint);
    }
}
