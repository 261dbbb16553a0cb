#include "arena.h"

#include "lineup.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT_LEAST = 15, LIMIT_MOST = 45, LIMIT_MEASURED = 60 };

struct arena {
    slot *slot;
    unsigned games;
    arena_plan plan;
    net_batch *batch;
    lineup lineup;
    moment *scratch;   /* NET_BATCH_MAX of them */
    slot **waiting;    /* those who wait for one net */
    gral_entry *heard; /* what a script has heard, gathered for one question */
    size_t heard_capacity;
    tally *tally; /* by company; NULL when measuring */
    tally measured;
    bool measuring;
};

static uint32_t below(slot *slot, uint32_t bound)
{
    return gral_random_below(&slot->chance, bound);
}

/* --- the end of a game --- */

static float reward_of(const slot *slot, gral_ending ending, unsigned seat)
{
    if (ending.winner == seat)
        return 1;
    if (ending.winner != GRAL_NOBODY)
        return -1;
    const float hunger = (float)slot->ground.hunger[seat] / FULL_HUNGER, fair = 2.0f / ending.players - 1;
    return (1 - hunger) * fair - hunger;
}

static void count_end(tally *tally, gral_ending ending, unsigned seat)
{
    tally->turns += ending.turns;
    if (ending.winner == GRAL_NOBODY)
        tally->drawn++;
    else if (ending.winner == seat)
        tally->won++;
    else
        tally->lost++;
}

static void end_game(arena *arena, slot *slot, arena_nets *nets, book *book, gral_ending ending)
{
    unsigned first = GRAL_NOBODY;
    for (unsigned seat = 0; seat < ending.players; seat++) {
        sitter *sitter = &slot->sitter[seat];
        if (!sitter->learns)
            continue;
        first = first == GRAL_NOBODY ? seat : first;
        if (sitter->last == NO_MOMENT)
            continue;
        book->moment[sitter->last].next = MOMENT_END;
        book->moment[sitter->last].reward = reward_of(slot, ending, seat);
        sitter->last = NO_MOMENT;
    }
    if (arena->measuring) {
        count_end(&arena->measured, ending, first);
        slot->over = true;
        return;
    }
    if (slot->rival != NO_RIVAL)
        lineup_remember(&arena->lineup, slot, ending);
    if (ending.players == 2) {
        count_end(&arena->tally[slot->company], ending, first);
        if (slot->opponent > 0)
            count_end(&nets->against[slot->opponent], ending, first);
    }
    lineup_next(&arena->lineup, slot, &arena->plan, nets);
}

/* --- scripts --- */

static size_t gather_heard(arena *arena, const gral_record *record, unsigned seat)
{
    if (arena->heard_capacity < record->count) {
        gral_entry *more = realloc(arena->heard, 2 * record->count * sizeof *more);
        if (more == NULL)
            return 0;
        arena->heard = more;
        arena->heard_capacity = 2 * record->count;
    }
    size_t count = 0;
    for (size_t index = 0; index < record->count; index++)
        if (gral_view_hears(seat, record->entry[index].seat, record->entry[index].action))
            arena->heard[count++] = record->entry[index];
    return count;
}

static gral_action ask_script(arena *arena, slot *slot, const gral_ground *ground, gral_player *script)
{
    const gral_view view = gral_view_of(&ground->state, ground->state.open.actor);
    const size_t heard = ground->record != NULL ? gather_heard(arena, ground->record, view.seat) : 0;
    const gral_question question = {
        .game = &ground->game,
        .view = &view,
        .options = &ground->options,
        .heard = arena->heard,
        .heard_count = heard,
        .seed = gral_random_next(&slot->chance),
    };
    const gral_action action = gral_player_decide(script, &question, NULL);
    if (gral_check(&ground->game, &ground->state, action) == GRAL_LEGAL)
        return action;
    return gral_safest_action(&ground->game, &view.open, &ground->options);
}

/* Until a net must decide. */
static void play_scripts(arena *arena, slot *slot, arena_nets *nets, book *book)
{
    gral_player *script;
    while (!slot->over && (script = slot->sitter[slot->ground.state.open.actor].script) != NULL) {
        const gral_ending ending = gral_ground_act(&slot->ground, ask_script(arena, slot, &slot->ground, script));
        if (ending.over)
            end_game(arena, slot, nets, book, ending);
    }
}

/* --- nets --- */

static void look(slot *slot, moment *moment)
{
    const gral_outlook outlook = gral_ground_outlook(&slot->ground);
    gral_observe(&outlook, &moment->observation);
    moment->legal = gral_numbers_of(&outlook);
}

static void write_down(slot *slot, sitter *sitter, book *book, const moment *seen)
{
    assert(book->count < book->capacity);
    moment *moment = &book->moment[book->count];
    *moment = *seen;
    moment->secrets = net_secrets_of(&slot->ground.state, slot->ground.state.open.actor);
    moment->next = MOMENT_PENDING;
    moment->reward = 0;
    if (sitter->last != NO_MOMENT)
        book->moment[sitter->last].next = book->count;
    sitter->last = book->count++;
}

/* What is never tried is never learned. Of those who are bold, some decisions in a hundred. */
enum { TRIED = 4, ASSIGNMENTS_TRIED = 2 };

static bool fills_sheet(const slot *slot)
{
    const enum gral_phase phase = slot->ground.state.open.phase;
    return phase == GRAL_OPENING || phase == GRAL_PLACING;
}

/* What the guide would place, in whatever order it does. */
static trial_plan guided_plan(arena *arena, slot *slot, gral_player *guide)
{
    trial_plan plan = {.on = true};
    gral_ground copy = slot->ground;
    gral_action action;
    while ((action = ask_script(arena, slot, &copy, guide)).verb == GRAL_PLACE) {
        plan.points[action.pawn] += (uint8_t)action.points;
        gral_apply(&copy.game, &copy.state, action);
        copy.options = gral_legal_options(&copy.game, &copy.state);
    }
    return plan;
}

/* The place of what the guide of the one who is to act says, or the choice's count for nothing. */
static unsigned follow_guide(arena *arena, slot *slot, const choice *choice)
{
    const gral_open *open = &slot->ground.state.open;
    gral_player *guide = slot->guide[open->actor];
    if (guide == NULL || open->turn > slot->guided_until)
        return choice->count;
    trial_plan *plan = &slot->plan[open->actor];
    if (fills_sheet(slot)) {
        *plan = guided_plan(arena, slot, guide);
        return trial_next(plan, choice);
    }
    const gral_outlook outlook = gral_ground_outlook(&slot->ground);
    const unsigned number = gral_action_number(&outlook, ask_script(arena, slot, &slot->ground, guide));
    for (unsigned place = 0; place < choice->count; place++)
        if (choice->number[place] == number)
            return place;
    return choice->count;
}

/* The place of what is tried out, or the choice's count for nothing. */
static unsigned try_out(arena *arena, slot *slot, const choice *choice)
{
    const gral_open *open = &slot->ground.state.open;
    trial_plan *plan = &slot->plan[open->actor];
    if (fills_sheet(slot) && plan->on)
        return trial_next(plan, choice);
    const unsigned guided = follow_guide(arena, slot, choice);
    if (guided < choice->count)
        return guided;
    if (!(slot->bold >> open->actor & 1))
        return choice->count;
    const unsigned hundredth = below(slot, 100);
    if (hundredth < ASSIGNMENTS_TRIED && choice->number[0] == GRAL_NUMBER_WORDS) {
        *plan = trial_plan_draw(open, 1 + below(slot, 2), &slot->chance);
        return 0;
    }
    return hundredth < TRIED ? trial_any(choice, &slot->chance) : choice->count;
}

static void decide(arena *arena, slot *slot, arena_nets *nets, book *book, moment *seen, choice *choice)
{
    sitter *sitter = &slot->sitter[slot->ground.state.open.actor];
    const bool wild = slot->wild > 0;
    slot->wild -= wild;
    if (!sitter->learns && slot->coolness != 1)
        choice_cool(choice, slot->coolness);
    unsigned place = wild ? below(slot, choice->count) : try_out(arena, slot, choice);
    seen->tried = place < choice->count;
    if (!seen->tried)
        place = choice_draw(choice, &slot->chance);
    seen->number = choice->number[place];
    seen->log_chance = choice->log_chance[place];
    seen->trust = seen->tried ? choice->chance[place] : 1;
    if (sitter->learns && !wild && !arena->measuring)
        write_down(slot, sitter, book, seen);
    const gral_ending ending = gral_ground_play(&slot->ground, seen->number);
    if (ending.over)
        end_game(arena, slot, nets, book, ending);
}

static void decide_all(arena *arena, arena_nets *nets, unsigned index, slot **slots, unsigned count, book *book)
{
    net_input input[NET_BATCH_MAX];
    for (unsigned at = 0; at < count; at++) {
        look(slots[at], &arena->scratch[at]);
        input[at] = (net_input){&arena->scratch[at].observation, NULL};
    }
    net_forward(nets->net[index], arena->batch, input, count, NET_POLICY);
    const net_rows outputs = net_outputs(arena->batch);
    for (unsigned at = 0; at < count; at++) {
        choice choice;
        choice_read(&outputs, at, &arena->scratch[at].legal, &choice);
        decide(arena, slots[at], nets, book, &arena->scratch[at], &choice);
    }
}

static bool waits_for(const slot *slot, unsigned net)
{
    return !slot->over && slot->sitter[slot->ground.state.open.actor].net == net;
}

/* One decision of a net in every game. Who waits for whom is settled first, so that nobody decides twice. */
static void play_round(arena *arena, arena_nets *nets, book *book)
{
    unsigned start[ARENA_NETS_MAX + 1] = {0};
    for (unsigned index = 0; index < arena->games; index++)
        play_scripts(arena, &arena->slot[index], nets, book);
    for (unsigned net = 0, at = 0; net < nets->count; net++) {
        for (unsigned index = 0; index < arena->games; index++)
            if (waits_for(&arena->slot[index], net))
                arena->waiting[at++] = &arena->slot[index];
        start[net + 1] = at;
    }
    for (unsigned net = 0; net < nets->count; net++)
        for (unsigned at = start[net]; at < start[net + 1]; at += NET_BATCH_MAX) {
            const unsigned left = start[net + 1] - at;
            decide_all(arena, nets, net, arena->waiting + at, left < NET_BATCH_MAX ? left : NET_BATCH_MAX, book);
        }
}

/* --- outside --- */

arena *arena_make(unsigned games)
{
    arena *arena = calloc(1, sizeof *arena);
    if (arena == NULL)
        return NULL;
    arena->games = games;
    arena->slot = calloc(games, sizeof *arena->slot);
    arena->waiting = calloc(games, sizeof *arena->waiting);
    arena->scratch = calloc(NET_BATCH_MAX, sizeof *arena->scratch);
    arena->batch = net_batch_make();
    if (!lineup_make(&arena->lineup) || arena->slot == NULL || arena->waiting == NULL || arena->scratch == NULL ||
        arena->batch == NULL) {
        arena_free(arena);
        return NULL;
    }
    return arena;
}

void arena_free(arena *arena)
{
    if (arena == NULL)
        return;
    for (unsigned index = 0; arena->slot != NULL && index < arena->games; index++) {
        lineup_send_home(&arena->slot[index]);
        gral_record_free(&arena->slot[index].record);
    }
    free(arena->slot);
    free(arena->waiting);
    free(arena->scratch);
    free(arena->heard);
    net_batch_free(arena->batch);
    lineup_free(&arena->lineup);
    free(arena);
}

static void begin_slot(slot *slot, gral_settings settings, uint64_t seed)
{
    const gral_record record = slot->record;
    lineup_send_home(slot);
    *slot = (struct slot){.record = record, .coolness = 1, .chance = gral_random_from(seed)};
    gral_ground_begin(&slot->ground, &settings, gral_random_next(&slot->chance));
    slot->ground.limit_least = LIMIT_LEAST;
    slot->ground.limit_most = LIMIT_MOST;
}

void arena_begin(arena *arena, const arena_plan *plan, uint64_t seed)
{
    gral_random random = gral_random_from(seed);
    arena->plan = *plan;
    arena->measuring = false;
    lineup_forget(&arena->lineup);
    for (unsigned index = 0; index < arena->games; index++) {
        begin_slot(&arena->slot[index], plan->two_players_only ? gral_settings_for(2) : lineup_settings(index),
                   gral_random_next(&random));
        arena->slot[index].over = true; /* has no players yet */
    }
}

void arena_play(arena *arena, arena_nets *nets, book *book, uint32_t wanted, tally tally[COMPANIES])
{
    arena->tally = tally;
    for (unsigned index = 0; index < arena->games; index++)
        if (arena->slot[index].over) {
            arena->slot[index].over = false;
            lineup_next(&arena->lineup, &arena->slot[index], &arena->plan, nets);
        }
    while (book->count < wanted)
        play_round(arena, nets, book);
}

void arena_turn_page(arena *arena, book *book)
{
    uint32_t kept = 0;
    for (unsigned index = 0; index < arena->games; index++)
        for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++) {
            sitter *sitter = &arena->slot[index].sitter[seat];
            if (!sitter->learns || sitter->last == NO_MOMENT)
                continue;
            /* Behind the end, since the beginning is still needed. */
            book->moment[book->count + kept] = book->moment[sitter->last];
            sitter->last = kept++;
        }
    memmove(book->moment, book->moment + book->count, kept * sizeof *book->moment);
    book->count = kept;
}

static void seat_measured(slot *slot, gral_player *player, unsigned seat, uint8_t hunger)
{
    for (unsigned other = 0; other < slot->ground.next.players; other++)
        slot->sitter[other] = other == seat ? lineup_learner()
                                            : (sitter){.script = player, .net = 1, .last = NO_MOMENT};
    memset(slot->ground.hunger, hunger, sizeof slot->ground.hunger);
    slot->ground.limit_least = slot->ground.limit_most = LIMIT_MEASURED;
    slot->ground.record = &slot->record;
    slot->over = false;
    gral_ground_restart(&slot->ground);
}

static bool all_over(const arena *arena)
{
    for (unsigned index = 0; index < arena->games; index++)
        if (!arena->slot[index].over)
            return false;
    return true;
}

tally arena_measure(arena *arena, const arena_nets *nets, gral_player *player, unsigned players, unsigned games,
                    uint8_t hunger, uint64_t seed)
{
    gral_random random = gral_random_from(seed);
    arena_nets copy = *nets;
    book none = {0};
    arena->measuring = true;
    arena->measured = (tally){0};
    for (unsigned done = 0; done < games; done += arena->games) {
        for (unsigned index = 0; index < arena->games; index++) {
            slot *slot = &arena->slot[index];
            begin_slot(slot, gral_settings_for(players), gral_random_next(&random));
            if (done + index < games)
                seat_measured(slot, player, index % players, hunger);
            else
                slot->over = true;
        }
        while (!all_over(arena))
            play_round(arena, &copy, &none);
    }
    return arena->measured;
}
