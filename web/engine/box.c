#include "box.h"

#include "tell/tell.h"

#include <stdlib.h>
#include <string.h>

static struct {
    char *bytes;
    size_t capacity;
} box;

char *EXPORT(box_room)(size_t length)
{
    /* A decision fits without asking, and so does what is wrong with one. */
    const size_t least = GRAL_INPUT_TEXT_MAX, needed = length < least ? least : length + 1;
    if (needed > box.capacity) {
        char *bytes = realloc(box.bytes, needed);
        if (bytes == NULL)
            return NULL;
        box.bytes = bytes;
        box.capacity = needed;
    }
    return box.bytes;
}

gral_span box_words(size_t length)
{
    return (gral_span){box.bytes, length};
}

gral_text box_answer(void)
{
    return gral_text_in(box.bytes, box.capacity);
}

void box_error(const gral_error *error)
{
    gral_text text = box_answer();
    if (error->line > 0) {
        gral_text_add(&text, "line ");
        gral_text_add_number(&text, error->line);
        gral_text_add(&text, ", column ");
        gral_text_add_number(&text, error->column);
        gral_text_add(&text, ": ");
    }
    gral_text_add(&text, error->message);
}

void box_say(const char *words)
{
    gral_text text = box_answer();
    gral_text_add(&text, words);
}

unsigned box_refuse(enum gral_host_refusal refusal)
{
    gral_text text = box_answer();
    if (refusal != GRAL_ACCEPTED) {
        gral_text_add(&text, tell_refusal(refusal));
        gral_text_add(&text, " ");
        gral_text_add(&text, gral_host_refusal_text(refusal));
    }
    return refusal;
}

unsigned box_refuse_text(const gral_error *error)
{
    gral_text text = box_answer();
    gral_text_add(&text, "member ");
    gral_text_add(&text, error->message);
    return BOX_NONSENSE;
}

/* --- paper --- */

static pen paper;

pen *box_paper(void)
{
    pen_clear(&paper);
    return &paper;
}

void box_tell(const pen *told)
{
    if (box_room(told->length) == NULL)
        return box_say("there is not enough memory");
    memcpy(box.bytes, told->bytes, told->length);
    box.bytes[told->length] = '\0';
}

void box_put_part(pen *out, const char *name, float part)
{
    const unsigned thousandths = (unsigned)(1000 * part + 0.5f);
    char words[] = "0.000";
    words[0] = (char)('0' + thousandths / 1000);
    words[2] = (char)('0' + thousandths / 100 % 10);
    words[3] = (char)('0' + thousandths / 10 % 10);
    words[4] = (char)('0' + thousandths % 10);
    pen_key(out, name);
    pen_raw(out, gral_span_of(words));
}

void box_put_notepad(pen *out, const gral_game *game, const gral_view *view)
{
    gral_notepad notepad;
    gral_notepad_fill(game, view, &notepad);
    pen_begin(out, '[');
    for (unsigned seat = 0; seat < view->open.players; seat++) {
        pen_begin(out, '[');
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
            pen_begin(out, '[');
            pen_number(out, notepad.bounds[seat][pawn].least);
            pen_number(out, notepad.bounds[seat][pawn].most);
            pen_end(out, ']');
        }
        pen_end(out, ']');
    }
    pen_end(out, ']');
}

/* --- numbers --- */

int box_number(gral_span *words, int most)
{
    while (words->length > 0 && (*words->bytes == ' ' || *words->bytes == '\n')) {
        words->bytes++;
        words->length--;
    }
    int number = -1;
    while (words->length > 0 && *words->bytes >= '0' && *words->bytes <= '9') {
        number = 10 * (number < 0 ? 0 : number) + (*words->bytes - '0');
        if (number > most)
            return -1;
        words->bytes++;
        words->length--;
    }
    return number;
}

bool box_numbers(gral_span *words, uint8_t *number, unsigned count, int most)
{
    for (unsigned index = 0; index < count; index++) {
        const int read = box_number(words, most);
        if (read < 0)
            return false;
        number[index] = (uint8_t)read;
    }
    return true;
}

static bool read_row(gral_span *words, uint8_t row[GRAL_PAWNS], int most)
{
    return box_numbers(words, row, GRAL_PAWNS, most);
}

bool box_read_told(gral_span words, gral_view *view)
{
    const int players = view->open.players;
    uint8_t there[GRAL_PAWNS];
    if (!read_row(&words, there, 1))
        return false;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (!there[pawn])
            view->open.pawn[pawn] = GRAL_NOWHERE;
    for (int seat = 0; seat < players; seat++)
        if (!read_row(&words, view->open.known[seat], GRAL_POINTS_MAX))
            return false;
    for (int seat = 0; seat < players; seat++)
        if (!read_row(&words, view->open.paid[seat], GRAL_POINTS_MAX))
            return false;
    for (int seat; (seat = box_number(&words, players)) > 0;) {
        if (!read_row(&words, view->sheet[seat - 1].influence, GRAL_POINTS_MAX))
            return false;
        view->known |= (uint16_t)(1u << (seat - 1));
    }
    return words.length == 0;
}

/* --- players --- */

/* A table has hardly more kinds of them. A player keeps nothing from one question to the next, so any table can have
 * it. */
enum { KEPT = 4, NAME_MAX = 64 };
static struct {
    char name[NAME_MAX];
    gral_player *player;
} kept[KEPT];

gral_player *box_player(gral_span text, gral_error *error)
{
    for (unsigned index = 0; index < KEPT; index++)
        if (kept[index].player != NULL && strlen(kept[index].name) == text.length &&
            memcmp(kept[index].name, text.bytes, text.length) == 0)
            return kept[index].player;
    gral_player *player = gral_player_make(text, error);
    if (player == NULL)
        return NULL;
    if (kept[KEPT - 1].player != NULL)
        gral_player_free(kept[KEPT - 1].player);
    memmove(&kept[1], &kept[0], (KEPT - 1) * sizeof kept[0]);
    kept[0].player = player;
    gral_text name = gral_text_in(kept[0].name, sizeof kept[0].name);
    gral_text_add_bytes(&name, text.bytes, text.length); /* one too long is not found again, and made anew */
    return player;
}
