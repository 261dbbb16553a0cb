#include "live.h"

#include "box.h"
#include "tell/tell.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_MAX = 100 };

struct live {
    gral_host *host;
    tell_reader reader[GRAL_PLAYERS_MAX + 1]; /* the last is the spectator's */
    char name[GRAL_PLAYERS_MAX][NAME_MAX];
    pen view; /* the part of a push that is the same for all; empty when the game has gone on */
};

static unsigned players_of(const live *live)
{
    return gral_host_terms(live->host)->settings.players;
}

static unsigned seat_at(const live *live, unsigned number)
{
    return number - 1 < players_of(live) ? number - 1 : GRAL_SPECTATOR;
}

/* --- opening --- */

live *EXPORT(live_open)(size_t length, double time)
{
    gral_terms terms;
    gral_error error;
    if (!gral_terms_parse(box_words(length), &terms, &error)) {
        box_error(&error);
        return NULL;
    }
    live *live = calloc(1, sizeof *live);
    if (live != NULL)
        live->host = gral_host_make(&terms, blake2b, (int64_t)time);
    if (live == NULL || live->host == NULL) {
        free(live);
        box_say("there is not enough memory");
        return NULL;
    }
    return live;
}

void EXPORT(live_close)(live *live)
{
    gral_host_free(live->host);
    pen_free(&live->view);
    free(live);
}

void EXPORT(live_name)(live *live, unsigned seat, size_t length)
{
    if (seat_at(live, seat) == GRAL_SPECTATOR)
        return;
    /* What is too long ends before the character that does not fit. */
    const gral_span name = box_words(length);
    size_t kept = length < NAME_MAX ? length : NAME_MAX - 1;
    while (kept < length && kept > 0 && (name.bytes[kept] & 0xc0) == 0x80)
        kept--;
    memcpy(live->name[seat_at(live, seat)], name.bytes, kept);
    live->name[seat_at(live, seat)][kept] = '\0';
}

/* --- inputs --- */

unsigned EXPORT(live_input)(live *live, size_t length, double time)
{
    gral_input input;
    gral_error error;
    if (!gral_input_parse(box_words(length), &input, &error))
        return box_refuse_text(&error);
    enum gral_host_refusal refusal = gral_host_check(live->host, &input, (int64_t)time);
    if (refusal == GRAL_ACCEPTED)
        refusal = gral_host_apply(live->host, &input, (int64_t)time);
    if (refusal == GRAL_ACCEPTED)
        pen_clear(&live->view);
    return box_refuse(refusal);
}

/* --- looking --- */

static const char *name_of(void *context, unsigned seat)
{
    return ((struct live *)context)->name[seat];
}

unsigned EXPORT(live_push)(live *live, unsigned viewer, unsigned everything, double time)
{
    const unsigned seat = seat_at(live, viewer);
    tell_reader *reader = &live->reader[seat == GRAL_SPECTATOR ? GRAL_PLAYERS_MAX : seat];
    if (everything)
        *reader = (tell_reader){.viewer = seat};
    const tell_table table = {
        .host = live->host,
        .present = UINT16_MAX,
        .now = (int64_t)time,
        .name = name_of,
        .context = live,
    };
    pen *paper = box_paper();
    const bool news = tell_push(paper, &live->view, &table, seat, reader);
    if (news)
        box_tell(paper);
    else
        box_say("");
    return news;
}

double EXPORT(live_due)(const live *live)
{
    uint8_t kind;
    int64_t time;
    box_say("");
    if (!gral_host_due(live->host, &kind, &time))
        return -1;
    box_say(kind == GRAL_INPUT_LATE ? "late" : "speak");
    return (double)time;
}

unsigned EXPORT(live_asked)(const live *live)
{
    unsigned asked = 0;
    for (unsigned seat = 0; seat < players_of(live); seat++) {
        const gral_options options = gral_host_options(live->host, seat);
        if (gral_options_count(&options) > 0)
            asked |= 1u << seat;
    }
    return asked;
}

/* --- computer players --- */

unsigned EXPORT(live_thinking)(const live *live)
{
    return gral_host_thinking(live->host);
}

/* The bytes of a task and of what it points to. Nobody but think.c reads them, in an instance of the same module. */
static unsigned tell_task(const gral_task *task)
{
    gral_task flat = *task;
    flat.heard = NULL;
    flat.offers = NULL;
    const gral_span parts[] = {
        {(const char *)&flat, sizeof flat},
        {(const char *)task->heard, task->heard_count * sizeof *task->heard},
        {(const char *)task->offers, task->offer_count * sizeof *task->offers},
    };
    const size_t length = parts[0].length + parts[1].length + parts[2].length;
    if (box_room(length) == NULL) {
        box_refuse(GRAL_HOST_MEMORY);
        return 0;
    }
    gral_text text = box_answer();
    for (unsigned part = 0; part < sizeof parts / sizeof *parts; part++)
        gral_text_add_bytes(&text, parts[part].bytes, parts[part].length);
    return (unsigned)length;
}

static enum gral_host_refusal why_no_question(const live *live, unsigned seat, bool hint)
{
    if (seat == GRAL_SPECTATOR)
        return GRAL_HOST_NO_SEAT;
    if (gral_host_stage(live->host) == GRAL_ENDED)
        return GRAL_HOST_ENDED;
    const gral_options options = gral_host_options(live->host, seat);
    const bool asked = hint ? gral_options_count(&options) > 0 : gral_host_thinking(live->host) >> seat & 1;
    return asked ? GRAL_ACCEPTED : GRAL_HOST_TURN;
}

unsigned EXPORT(live_question)(live *live, unsigned number, size_t length)
{
    const unsigned seat = seat_at(live, number);
    const gral_span adviser = box_words(length);
    gral_task task;
    enum gral_host_refusal refusal = why_no_question(live, seat, length > 0);
    if (refusal == GRAL_ACCEPTED && !gral_host_task(live->host, seat, &task))
        refusal = GRAL_HOST_MEMORY;
    if (refusal != GRAL_ACCEPTED) {
        box_refuse(refusal);
        return 0;
    }
    if (length > 0) {
        gral_text player = gral_text_in(task.player, sizeof task.player);
        gral_text_add_bytes(&player, adviser.bytes, adviser.length);
    }
    const unsigned bytes = tell_task(&task);
    gral_task_free(&task);
    return bytes;
}

double EXPORT(live_tell_time)(const live *live, double ready)
{
    return (double)gral_host_tell_time(live->host, (int64_t)ready);
}

/* --- the record --- */

void EXPORT(live_record)(const live *live, size_t length)
{
    char date[32], nothing[1];
    gral_text text = gral_text_in(date, sizeof date);
    gral_text_add_bytes(&text, box_words(length).bytes, length);
    const char *names[GRAL_PLAYERS_MAX];
    for (unsigned seat = 0; seat < players_of(live); seat++) {
        const gral_host_seat at = gral_host_seat_at(live->host, seat);
        names[seat] = at.user != 0 ? live->name[seat] : at.player;
    }
    text = gral_text_in(nothing, sizeof nothing);
    gral_host_record(live->host, names, length > 0 ? date : NULL, &text);
    const size_t capacity = text.length + 1;
    char *record = malloc(capacity);
    if (record == NULL)
        return box_say("");
    text = gral_text_in(record, capacity);
    gral_host_record(live->host, names, length > 0 ? date : NULL, &text);

    gral_text checked = gral_text_in(nothing, sizeof nothing);
    gral_checks_add(&checked, (gral_span){record, text.length}, blake2b);
    box_say("");
    if (box_room(checked.length) != NULL) {
        checked = box_answer();
        gral_checks_add(&checked, (gral_span){record, text.length}, blake2b);
    }
    free(record);
}

/* --- the notepad --- */

/* How many players, and the start of their game; 0 if there can be no such game. */
static int read_players(gral_span *words, gral_game *game, gral_state *state)
{
    const int players = box_number(words, GRAL_PLAYERS_MAX);
    if (players < GRAL_PLAYERS_MIN)
        return 0;
    const gral_settings settings = gral_settings_for((unsigned)players);
    gral_game_make(game, &settings);
    gral_start(game, state);
    return players;
}

static bool read_view(gral_span words, gral_game *game, gral_view *view)
{
    gral_state state;
    if (read_players(&words, game, &state) == 0)
        return false;
    *view = (gral_view){.open = state.open, .seat = GRAL_SPECTATOR};
    return box_read_told(words, view);
}

/* What comes from outside may be nonsense, and to deduce from nonsense has no end. */
static bool is_possible(const gral_game *game, const gral_view *view)
{
    gral_random random = gral_random_from(1);
    gral_sheet sheet;
    for (unsigned seat = 0; seat < view->open.players; seat++)
        if (!(view->known >> seat & 1) && !gral_guess_sheet(game, &view->open, seat, &random, &sheet))
            return false;
    return true;
}

unsigned EXPORT(notepad)(size_t length)
{
    gral_game game;
    gral_view view;
    if (!read_view(box_words(length), &game, &view) || !is_possible(&game, &view)) {
        box_say("no game leads to these figures");
        return 1;
    }
    pen *paper = box_paper();
    box_put_notepad(paper, &game, &view);
    box_tell(paper);
    return 0;
}

/* --- drafts --- */

static bool read_draft(gral_span *words, gral_game *game, gral_state *state)
{
    uint8_t there[GRAL_PAWNS];
    gral_sheet *sheet = &state->sheet[0];
    if (read_players(words, game, state) == 0)
        return false;
    const int placing = box_number(words, 1);
    if (placing < 0 || !box_numbers(words, there, GRAL_PAWNS, 1) ||
        !box_numbers(words, sheet->influence, GRAL_PAWNS, GRAL_POINTS_MAX) ||
        !box_numbers(words, sheet->units, GRAL_UNIT_KINDS, 4))
        return false;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (!there[pawn])
            state->open.pawn[pawn] = GRAL_NOWHERE;
    if (placing) {
        state->open.phase = GRAL_PLACING;
        state->open.active = 0;
        state->open.turn = 1;
    }
    return true;
}

unsigned EXPORT(draft)(size_t length)
{
    static const gral_error nonsense = {.message = "no game leads to these figures"};
    gral_span words = box_words(length);
    gral_game game;
    gral_state state;
    if (!read_draft(&words, &game, &state))
        return box_refuse_text(&nonsense);
    for (int points; (points = box_number(&words, GRAL_POINTS_MAX)) >= 0;) {
        const int pawn = box_number(&words, GRAL_PAWNS - 1);
        if (pawn < 0)
            return box_refuse_text(&nonsense);
        const gral_action action = gral_place((unsigned)points, (unsigned)pawn);
        const enum gral_fault fault = gral_check(&game, &state, action);
        if (fault != GRAL_LEGAL)
            return box_refuse((enum gral_host_refusal)fault);
        gral_apply(&game, &state, action);
    }
    if (words.length > 0)
        return box_refuse_text(&nonsense);
    const gral_options options = gral_legal_options(&game, &state);
    pen *paper = box_paper();
    pen_begin(paper, '{');
    tell_sheet(paper, &state.sheet[0]);
    tell_legal(paper, &game, &state.open, &options);
    pen_end(paper, '}');
    box_tell(paper);
    return GRAL_LEGAL;
}
