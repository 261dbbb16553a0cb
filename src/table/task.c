/* What a computer player is asked, taken out of the host, and how it answers without him.
 *
 * The question holds what a person in that seat would have and nothing else: so the answer cannot depend on more
 * (R10.2), wherever and whenever it is thought about. */
#include "host_parts.h"

#include <stdlib.h>
#include <string.h>

/* The seed of a question depends on nothing that the seat has not heard: counted over the whole history, it would
 * change with the number of units that others place in secret (R10.2). */
static uint64_t seed_of_question(uint64_t seed, unsigned seat, size_t heard)
{
    gral_random random = gral_random_from(seed);
    random.state ^= gral_random_next(&random) * (heard * GRAL_PLAYERS_MAX + seat + 1);
    return gral_random_next(&random);
}

static void collect(const gral_host *host, gral_task *task)
{
    for (size_t index = 0; index < host->notes; index++) {
        const note *note = &host->note[index];
        if (!note_is_heard(host, note, task->seat))
            continue;
        if (note->kind == GRAL_HAPPENED_ACTION)
            task->heard[task->heard_count++] = (gral_entry){note->action, note->seat};
        if (note->kind == GRAL_HAPPENED_OFFER && note->seat != task->seat) {
            const saying *said = note_saying_of(host, note);
            task->offers[task->offer_count++] = (gral_heard_offer){
                .offer = said->offer, .from = note->seat, .turn = said->turn, .to = said->to};
        }
    }
}

bool gral_host_task(const gral_host *host, unsigned seat, gral_task *task)
{
    *task = (gral_task){
        .game = host->game,
        .view = gral_host_view(host, seat),
        .heard = malloc((host->heard[seat] + GRAL_ACTIONS_MAX) * sizeof *task->heard),
        .offers = malloc((host->sayings + 1) * sizeof *task->offers),
        .version = host->version,
        .seat = (uint8_t)seat,
        .may_talk = host->terms.talk,
    };
    if (task->heard == NULL || task->offers == NULL) {
        gral_task_free(task);
        return false;
    }
    gral_text player = gral_text_in(task->player, sizeof task->player);
    gral_text_add(&player, gral_host_seat_at(host, seat).player);
    collect(host, task);
    task->seed = seed_of_question(host->terms.seed, seat, task->heard_count);
    return true;
}

void gral_task_free(gral_task *task)
{
    free(task->heard);
    free(task->offers);
    *task = (gral_task){0};
}

/* The game as the seat knows it, when it is asked in its turn: those before it have said nothing of note. */
static gral_state state_from_view(const gral_task *task)
{
    gral_state state = {.open = task->view.open};
    memcpy(state.sheet, task->view.sheet, sizeof state.sheet);
    while ((state.open.phase == GRAL_OPENING || state.open.phase == GRAL_OBJECTION) && state.open.actor != task->seat)
        gral_apply(&task->game, &state, gral_say(state.open.phase == GRAL_OPENING ? GRAL_DONE : GRAL_PASS));
    return state;
}

static gral_question question_of(const gral_task *task, const gral_view *view, const gral_options *options)
{
    return (gral_question){
        .game = &task->game,
        .view = view,
        .options = options,
        .heard = task->heard,
        .heard_count = task->heard_count,
        .offers = task->offers,
        .offer_count = task->offer_count,
        .seed = task->seed,
    };
}

void gral_task_explain(const gral_task *task, gral_player *player, gral_clock *clock, gral_explanation *explanation)
{
    const gral_state state = state_from_view(task);
    gral_view view = task->view;
    view.open = state.open;
    const gral_options options = gral_legal_options(&task->game, &state);
    const gral_question question = question_of(task, &view, &options);
    gral_player_explain(player, &question, clock, explanation);
}

void gral_task_over(const gral_task *task, gral_player *player)
{
    const gral_options none = {0};
    const gral_question question = question_of(task, &task->view, &none);
    gral_player_over(player, &question);
}

unsigned gral_task_think(gral_task *task, gral_player *player, gral_clock *clock, gral_action action[GRAL_ACTIONS_MAX],
                         gral_offer *offer, bool *offers)
{
    gral_state state = state_from_view(task);
    gral_view view = task->view;
    gral_options options;
    gral_question question = question_of(task, &view, &options);
    gral_random random = gral_random_from(task->seed);
    unsigned count = 0;
    for (;;) {
        view.open = state.open;
        view.sheet[task->seat] = state.sheet[task->seat];
        options = gral_legal_options(&task->game, &state);
        gral_action decided = gral_player_decide(player, &question, clock);
        if (gral_check(&task->game, &state, decided) != GRAL_LEGAL) /* not all players are ours */
            decided = gral_safest_action(&task->game, &view.open, &options);
        action[count++] = decided;
        if ((decided.verb != GRAL_ASSIGN && decided.verb != GRAL_PLACE) || count == GRAL_ACTIONS_MAX)
            break;
        gral_apply(&task->game, &state, decided);
        task->heard[question.heard_count++] = (gral_entry){decided, task->seat};
        question.seed = gral_random_next(&random);
    }
    *offers = task->may_talk && gral_player_offer(player, &question, action[count - 1], offer);
    return count;
}
