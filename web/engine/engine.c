/* Each function here takes words from the box, asks the table, and puts words into the box. */
#include "engine.h"

#include "box.h"

#include <assert.h>

static unsigned answer_refusal(unsigned refusal)
{
    gral_text text = box_answer();
    if (refusal != GRAL_LEGAL)
        gral_text_add(&text, gral_refusal_text(refusal));
    return refusal;
}

/* --- opening --- */

gral_table *EXPORT(engine_open)(size_t length)
{
    gral_error error;
    gral_table *table = gral_table_resume(box_words(length), gral_player_make, &error);
    if (table == NULL)
        box_error(&error);
    return table;
}

void EXPORT(engine_close)(gral_table *table)
{
    gral_table_free(table);
}

/* --- looking --- */

static unsigned players_of(const gral_table *table)
{
    return gral_table_game(table)->settings.players;
}

static unsigned seat_at(const gral_table *table, unsigned number)
{
    return number - 1 < players_of(table) ? number - 1 : GRAL_SPECTATOR;
}

void EXPORT(engine_save)(const gral_table *table)
{
    gral_text text = box_answer();
    gral_table_save(table, &text);
    if (text.length < text.capacity || engine_box(text.length) == NULL)
        return;
    text = box_answer();
    gral_table_save(table, &text);
}

void EXPORT(engine_seat)(const gral_table *table, unsigned seat)
{
    gral_text text = box_answer();
    if (seat_at(table, seat) == GRAL_SPECTATOR)
        return;
    const gral_seat sits = gral_table_seat(table, seat_at(table, seat));
    gral_text_add(&text, sits.computer ? "program " : "human ");
    gral_text_add(&text, sits.name);
}

void EXPORT(engine_view)(gral_table *table, unsigned seat)
{
    gral_text text = box_answer();
    const gral_view view = gral_table_view(table, seat_at(table, seat));
    gral_view_print(&text, gral_table_game(table), &view);
}

void EXPORT(engine_legal)(gral_table *table, unsigned seat)
{
    gral_text text = box_answer();
    const gral_view view = gral_table_view(table, seat_at(table, seat));
    const gral_options options = gral_table_options(table, seat_at(table, seat));
    gral_options_print(&text, gral_table_game(table), &view.open, &options);
}

void EXPORT(engine_notepad)(gral_table *table, unsigned seat)
{
    gral_text text = box_answer();
    const gral_view view = gral_table_view(table, seat_at(table, seat));
    gral_notepad notepad;
    gral_notepad_fill(gral_table_game(table), &view, &notepad);
    for (unsigned player = 0; player < players_of(table); player++) {
        gral_text_add_number(&text, player + 1);
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
            gral_text_add(&text, " ");
            gral_text_add(&text, gral_pawn_id(pawn));
            gral_text_add(&text, "=");
            gral_text_add_number(&text, notepad.bounds[player][pawn].least);
            gral_text_add(&text, "..");
            gral_text_add_number(&text, notepad.bounds[player][pawn].most);
        }
        gral_text_add(&text, "\n");
    }
}

unsigned EXPORT(engine_actor)(const gral_table *table)
{
    const unsigned actor = gral_table_actor(table);
    return actor == GRAL_NOBODY ? 0 : actor + 1;
}

unsigned EXPORT(engine_heard)(gral_table *table, unsigned seat)
{
    return (unsigned)gral_table_heard(table, seat_at(table, seat));
}

void EXPORT(engine_event)(gral_table *table, unsigned seat, unsigned index)
{
    gral_text text = box_answer();
    if (index >= engine_heard(table, seat))
        return;
    const gral_event event = gral_table_event(table, seat_at(table, seat), index);
    gral_text_add_number(&text, event.seat + 1u);
    gral_text_add(&text, ": ");
    gral_action_print(&text, event.action);
    gral_text_add(&text, "\n");
    const gral_sheet unknown[GRAL_PLAYERS_MAX] = {0};
    gral_state_print(&text, gral_table_game(table), &event.after, unknown, 0);
}

/* --- acting --- */

unsigned EXPORT(engine_say)(gral_table *table, unsigned seat, size_t length)
{
    gral_error error;
    const unsigned refusal = gral_table_say(table, seat_at(table, seat), box_words(length), &error);
    if (refusal != GRAL_REFUSED_TEXT)
        return answer_refusal(refusal);
    box_error(&error);
    return refusal;
}

unsigned EXPORT(engine_step)(gral_table *table)
{
    return answer_refusal(gral_table_step(table, NULL));
}

unsigned EXPORT(engine_take_back)(gral_table *table, unsigned seat)
{
    return answer_refusal(gral_table_take_back(table, seat_at(table, seat)));
}

/* --- hints --- */

static const char *const reason_names[] = {
    [GRAL_REASON_WINS_NOW] = "wins-now",
    [GRAL_REASON_MAY_WIN_NOW] = "may-win-now",
    [GRAL_REASON_STOPS_WIN] = "stops-win",
    [GRAL_REASON_CARRIES_HOME] = "carries-home",
    [GRAL_REASON_TOWARDS_GRAIL] = "towards-grail",
    [GRAL_REASON_SHOWN] = "shown",
    [GRAL_REASON_HOLDS_AT_LEAST] = "holds-at-least",
    [GRAL_REASON_STRONGEST] = "strongest",
    [GRAL_REASON_UNCOVERS] = "uncovers",
    [GRAL_REASON_SAVES_SECRETS] = "saves-secrets",
    [GRAL_REASON_BUILDS] = "builds",
    [GRAL_REASON_BLUFF] = "bluff",
    [GRAL_REASON_BETTER_THAN] = "better-than",
};
static_assert(sizeof reason_names / sizeof *reason_names == GRAL_REASON_KINDS, "a name for every reason");

const char *engine_reason_name(unsigned kind)
{
    return reason_names[kind];
}

static void add_number(gral_text *text, const char *label, unsigned number)
{
    gral_text_add(text, label);
    gral_text_add_number(text, number);
}

static void add_thousandths(gral_text *text, const char *label, float part)
{
    add_number(text, label, (unsigned)(1000 * part + 0.5f));
}

static void add_explanation(gral_text *text, const gral_explanation *explanation)
{
    add_number(text, "simulations ", explanation->simulations);
    gral_text_add(text, "\n");
    for (unsigned index = 0; index < explanation->thoughts; index++) {
        const gral_thought *thought = &explanation->thought[index];
        gral_text_add(text, "action ");
        gral_action_print(text, thought->action);
        add_thousandths(text, ": chance ", thought->chance);
        add_thousandths(text, " weight ", thought->weight);
        gral_text_add(text, "\n");
    }
    for (unsigned index = 0; index < explanation->reasons; index++) {
        const gral_reason *reason = &explanation->reason[index];
        gral_text_add(text, "reason ");
        gral_text_add(text, reason_names[reason->kind]);
        add_number(text, ": seat ", reason->seat == GRAL_NOBODY ? 0 : reason->seat + 1u);
        gral_text_add(text, " pawn ");
        gral_text_add(text, reason->pawn < GRAL_PAWNS ? gral_pawn_id(reason->pawn) : "-");
        add_number(text, " points ", reason->points);
        add_thousandths(text, " chance ", reason->chance);
        gral_text_add(text, "\n");
    }
}

unsigned EXPORT(engine_hint)(gral_table *table, unsigned seat, size_t length)
{
    gral_error error;
    gral_player *adviser = gral_player_make(box_words(length), &error);
    if (adviser == NULL) {
        box_error(&error);
        return GRAL_REFUSED_TEXT;
    }
    gral_explanation explanation;
    const unsigned refusal = answer_refusal(gral_table_hint(table, seat_at(table, seat), adviser, NULL, &explanation));
    gral_player_free(adviser);
    gral_text text = box_answer();
    if (refusal == GRAL_LEGAL)
        add_explanation(&text, &explanation);
    return refusal;
}
