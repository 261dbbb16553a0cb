#include "think.h"

#include "box.h"
#include "gral/host.h"
#include "players/learned.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void *EXPORT(net_room)(void)
{
    return learned_room();
}

size_t EXPORT(net_size)(void)
{
    return learned_size();
}

/* A question, and the player it is for. */
typedef struct thought {
    gral_task task;
    gral_player *player;
    gral_clock *clock; /* NULL without a limit */
} thought;

static gral_player *find_player(const char *text, unsigned milliseconds, gral_error *error)
{
    char words[GRAL_COMPUTER_TEXT_MAX + sizeof ",4294967295ms"];
    gral_text name = gral_text_in(words, sizeof words);
    gral_text_add(&name, text);
    if (milliseconds > 0 && strchr(text, ':') != NULL) {
        gral_text_add(&name, ",");
        gral_text_add_number(&name, milliseconds);
        gral_text_add(&name, "ms");
    }
    return box_player(gral_span_of(words), error);
}

/* What live_question wrote; 0 or a refusal. `GRAL_ACTIONS_MAX` more actions must fit behind those heard. */
static unsigned read_question(size_t length, unsigned milliseconds, thought *thought)
{
    const gral_span bytes = box_words(length);
    gral_task *task = &thought->task;
    memcpy(task, bytes.bytes, sizeof *task);
    const size_t heard = task->heard_count * sizeof *task->heard, offers = task->offer_count * sizeof *task->offers;
    gral_error error;
    task->heard = malloc(heard + GRAL_ACTIONS_MAX * sizeof *task->heard);
    task->offers = malloc(offers + 1);
    if (task->heard == NULL || task->offers == NULL) {
        gral_task_free(task);
        return box_refuse(GRAL_HOST_MEMORY);
    }
    memcpy(task->heard, bytes.bytes + sizeof *task, heard);
    memcpy(task->offers, bytes.bytes + sizeof *task + heard, offers);
    /* A turn may become an assignment, which is thought about twice: whether, and for whom. */
    if (task->view.open.phase == GRAL_TURN)
        milliseconds = (milliseconds + 1) / 2;
    thought->clock = milliseconds > 0 ? now : NULL;
    thought->player = find_player(task->player, milliseconds, &error);
    if (thought->player != NULL)
        return GRAL_LEGAL;
    gral_task_free(task);
    return box_refuse_text(&error);
}

unsigned EXPORT(thinking_time)(size_t length)
{
    return gral_player_time(box_words(length));
}

/* --- a decision --- */

static void add_actions(gral_text *text, const gral_action *action, unsigned count)
{
    for (unsigned index = 0; index < count; index++) {
        gral_text_add(text, index > 0 ? "; " : "");
        gral_action_print(text, action[index]);
    }
}

unsigned EXPORT(think)(size_t length, unsigned milliseconds)
{
    thought thought;
    const unsigned refusal = read_question(length, milliseconds, &thought);
    if (refusal != GRAL_LEGAL)
        return refusal;
    gral_action action[GRAL_ACTIONS_MAX];
    gral_offer offer;
    bool offers = false;
    const unsigned count = gral_task_think(&thought.task, thought.player, thought.clock, action, &offer, &offers);
    gral_task_free(&thought.task);
    gral_text text = box_answer();
    add_actions(&text, action, count);
    gral_text_add(&text, "\n");
    if (offers)
        gral_offer_print(&text, offer);
    return GRAL_LEGAL;
}

/* --- advice --- */

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
    [GRAL_REASON_KEEPS_BACK] = "keeps-back",
    [GRAL_REASON_BETTER_THAN] = "better-than",
};
static_assert(sizeof reason_names / sizeof *reason_names == GRAL_REASON_KINDS, "a name for every reason");

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
        pen_put_words(out, "kind", reason_names[reason->kind]);
        pen_put_number(out, "seat", reason->seat == GRAL_NOBODY ? 0 : reason->seat + 1);
        pen_put_words(out, "pawn", reason->pawn < GRAL_PAWNS ? gral_pawn_id(reason->pawn) : "-");
        pen_put_number(out, "points", reason->points);
        box_put_part(out, "chance", reason->chance);
        pen_end(out, '}');
    }
    pen_end(out, ']');
}

/* What was explained, or else what is decided. */
static void put_plan(pen *out, thought *thought, const gral_explanation *explanation)
{
    gral_action decided[GRAL_ACTIONS_MAX];
    const gral_action *plan = explanation->plan;
    unsigned count = explanation->planned;
    if (count == 0) {
        gral_offer offer;
        bool offers;
        count = gral_task_think(&thought->task, thought->player, thought->clock, decided, &offer, &offers);
        plan = decided;
    }
    pen_key(out, "plan");
    pen_begin(out, '[');
    for (unsigned index = 0; index < count; index++)
        put_action(out, NULL, plan[index]);
    pen_end(out, ']');
}

static bool begins_assignment(const gral_explanation *explanation)
{
    if (explanation->thoughts == 0)
        return false;
    const uint8_t verb = explanation->thought[0].action.verb;
    return verb == GRAL_PLACE || verb == GRAL_DONE || verb == GRAL_ASSIGN;
}

unsigned EXPORT(advise)(size_t length, unsigned milliseconds)
{
    thought thought;
    const unsigned refusal = read_question(length, milliseconds, &thought);
    if (refusal != GRAL_LEGAL)
        return refusal;
    gral_explanation explanation;
    gral_task_explain(&thought.task, thought.player, thought.clock, &explanation);
    pen *paper = box_paper();
    pen_begin(paper, '{');
    put_explanation(paper, &explanation);
    if (begins_assignment(&explanation))
        put_plan(paper, &thought, &explanation);
    pen_end(paper, '}');
    gral_task_free(&thought.task);
    box_tell(paper);
    return GRAL_LEGAL;
}
