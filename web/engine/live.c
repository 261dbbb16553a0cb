#include "live.h"

#include "../../src/tell/tell.h"
#include "box.h"

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

static unsigned refuse(unsigned refusal)
{
    gral_text text = box_answer();
    if (refusal != GRAL_LEGAL) {
        gral_text_add(&text, tell_refusal(refusal));
        gral_text_add(&text, " ");
        gral_text_add(&text, gral_host_refusal_text(refusal));
    }
    return refusal;
}

static unsigned refuse_text(const gral_error *error)
{
    gral_text text = box_answer();
    gral_text_add(&text, "member ");
    gral_text_add(&text, error->message);
    return LIVE_NO_INPUT;
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
    live *live = (struct live *)calloc(1, sizeof *live);
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
        return refuse_text(&error);
    unsigned refusal = gral_host_check(live->host, &input, (int64_t)time);
    if (refusal == GRAL_LEGAL)
        refusal = gral_host_apply(live->host, &input, (int64_t)time);
    if (refusal == GRAL_LEGAL)
        pen_clear(&live->view);
    return refuse(refusal);
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

static void add_actions(gral_text *text, const gral_action *action, unsigned count)
{
    for (unsigned index = 0; index < count; index++) {
        gral_text_add(text, index > 0 ? "; " : "");
        gral_action_print(text, action[index]);
    }
}

unsigned EXPORT(live_think)(live *live, unsigned seat)
{
    if (seat_at(live, seat) == GRAL_SPECTATOR)
        return refuse(GRAL_HOST_NO_SEAT);
    if (!(gral_host_thinking(live->host) >> seat_at(live, seat) & 1))
        return refuse(GRAL_HOST_TURN);
    gral_task task;
    if (!gral_host_task(live->host, seat_at(live, seat), &task))
        return refuse(GRAL_HOST_MEMORY);
    gral_error error;
    gral_player *player = box_player(gral_span_of(task.player), &error);
    if (player == NULL) {
        gral_task_free(&task);
        return refuse_text(&error);
    }
    gral_action action[GRAL_ACTIONS_MAX];
    gral_offer offer;
    bool offers = false;
    const unsigned count = gral_task_think(&task, player, NULL, action, &offer, &offers);
    gral_task_free(&task);
    gral_text text = box_answer();
    add_actions(&text, action, count);
    gral_text_add(&text, "\n");
    if (offers)
        gral_offer_print(&text, offer);
    return GRAL_LEGAL;
}

double EXPORT(live_tell_time)(const live *live, double ready)
{
    return (double)gral_host_tell_time(live->host, (int64_t)ready);
}

/* --- advice --- */

static void put_action(pen *out, const char *name, gral_action action)
{
    char words[GRAL_ACTION_TEXT_MAX];
    gral_text text = gral_text_in(words, sizeof words);
    gral_action_print(&text, action);
    if (name != NULL)
        pen_key(out, name);
    pen_words(out, words);
}

static void put_explanation(pen *out, const gral_explanation *explanation)
{
    pen_put_number(out, "simulations", explanation->simulations);
    pen_key(out, "actions");
    pen_begin(out, '[');
    for (unsigned index = 0; index < explanation->thoughts; index++) {
        const gral_thought *thought = &explanation->thought[index];
        pen_begin(out, '{');
        put_action(out, "action", thought->action);
        box_put_part(out, "chance", thought->chance);
        box_put_part(out, "weight", thought->weight);
        pen_end(out, '}');
    }
    pen_end(out, ']');
    pen_key(out, "reasons");
    pen_begin(out, '[');
    for (unsigned index = 0; index < explanation->reasons; index++) {
        const gral_reason *reason = &explanation->reason[index];
        pen_begin(out, '{');
        pen_put_words(out, "kind", engine_reason_name(reason->kind));
        pen_put_number(out, "seat", reason->seat == GRAL_NOBODY ? 0 : reason->seat + 1);
        pen_put_words(out, "pawn", reason->pawn < GRAL_PAWNS ? gral_pawn_id(reason->pawn) : "-");
        pen_put_number(out, "points", reason->points);
        box_put_part(out, "chance", reason->chance);
        pen_end(out, '}');
    }
    pen_end(out, ']');
}

static void put_plan(pen *out, gral_task *task, gral_player *adviser)
{
    gral_action action[GRAL_ACTIONS_MAX];
    gral_offer offer;
    bool offers;
    const unsigned count = gral_task_think(task, adviser, NULL, action, &offer, &offers);
    pen_key(out, "plan");
    pen_begin(out, '[');
    for (unsigned index = 0; index < count; index++)
        put_action(out, NULL, action[index]);
    pen_end(out, ']');
}

static bool begins_assignment(const gral_explanation *explanation)
{
    const uint8_t verb = explanation->thought[0].action.verb;
    return explanation->thoughts > 0 && (verb == GRAL_PLACE || verb == GRAL_DONE || verb == GRAL_ASSIGN);
}

unsigned EXPORT(live_hint)(live *live, unsigned seat, size_t length)
{
    if (gral_host_stage(live->host) == GRAL_ENDED)
        return refuse(GRAL_HOST_ENDED);
    const gral_options options = gral_host_options(live->host, seat_at(live, seat));
    if (gral_options_count(&options) == 0)
        return refuse(GRAL_HOST_TURN);
    gral_error error;
    gral_player *adviser = box_player(box_words(length), &error);
    if (adviser == NULL)
        return refuse_text(&error);
    gral_task task;
    if (!gral_host_task(live->host, seat_at(live, seat), &task))
        return refuse(GRAL_HOST_MEMORY);
    gral_explanation explanation;
    gral_task_explain(&task, adviser, NULL, &explanation);
    pen *paper = box_paper();
    pen_begin(paper, '{');
    put_explanation(paper, &explanation);
    if (begins_assignment(&explanation))
        put_plan(paper, &task, adviser);
    pen_end(paper, '}');
    gral_task_free(&task);
    box_tell(paper);
    return GRAL_LEGAL;
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
    char *record = (char *)malloc(capacity);
    if (record == NULL)
        return box_say("");
    text = gral_text_in(record, capacity);
    gral_host_record(live->host, names, length > 0 ? date : NULL, &text);

    gral_text checked = gral_text_in(nothing, sizeof nothing);
    gral_checks_add(&checked, (gral_span){record, text.length}, blake2b);
    box_say("");
    if (engine_box(checked.length) != NULL) {
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
        return refuse_text(&nonsense);
    for (int points; (points = box_number(&words, GRAL_POINTS_MAX)) >= 0;) {
        const int pawn = box_number(&words, GRAL_PAWNS - 1);
        if (pawn < 0)
            return refuse_text(&nonsense);
        const gral_action action = gral_place((unsigned)points, (unsigned)pawn);
        const enum gral_fault fault = gral_check(&game, &state, action);
        if (fault != GRAL_LEGAL)
            return refuse(fault);
        gral_apply(&game, &state, action);
    }
    if (words.length > 0)
        return refuse_text(&nonsense);
    const gral_options options = gral_legal_options(&game, &state);
    pen *paper = box_paper();
    pen_begin(paper, '{');
    tell_sheet(paper, &state.sheet[0]);
    tell_legal(paper, &game, &state.open, &options);
    pen_end(paper, '}');
    box_tell(paper);
    return GRAL_LEGAL;
}
