#include "arena.h"

#include "trial.h"

#include "players/scripts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { NO_MOMENT = UINT32_MAX, LIMIT_LEAST = 15, LIMIT_MOST = 45, LIMIT_MEASURED = 60, FULL_HUNGER = 100 };

/* Who sits on a seat. */
typedef struct sitter {
    gral_player *script; /* NULL: a net */
    uint8_t net;
    bool learns;
    uint32_t last; /* its newest moment in the book, or NO_MOMENT */
} sitter;

typedef struct slot {
    gral_ground ground;
    gral_record record; /* for scripts that listen */
    gral_random chance;
    sitter sitter[GRAL_PLAYERS_MAX];
    gral_player *guest[GRAL_PLAYERS_MAX]; /* scripts of this game alone; or NULL */
    gral_player *guide[GRAL_PLAYERS_MAX]; /* scripts that say what a learner should try; or NULL */
    uint32_t guided_until;                /* the last turn of that */
    uint8_t company, opponent;
    uint8_t rival;                     /* what all its guests are, or NO_RIVAL */
    uint8_t wild;                      /* so many decisions of nets are still left to chance */
    uint16_t bold;                     /* bit k: seat k tries things out */
    trial_plan plan[GRAL_PLAYERS_MAX]; /* how a seat fills its sheet now */
    float coolness;                    /* of older selves: some are not quite themselves */
    bool over;                         /* when measuring: its only game has been played */
} slot;

/* Those who do not learn: the lowest rungs of the ladder, then families of scripts. */
enum { LADDER = 5, SEARCHES = 3, MEDLEY = LADDER + 4, RIVALS = LADDER + SCRIPT_FAMILIES, NO_RIVAL = RIVALS };
static const char *const ladder_names[LADDER] = {"random", "greedy", "rules", [SEARCHES] = "rollout:16sims",
                                                 "ismcts:60sims"};

/* What is hard at a small table may be easy at a large one. */
enum { SIZES = 3 };
static unsigned size_of(unsigned players)
{
    return players == 2 ? 0 : players <= 4 ? 1 : 2;
}

struct arena {
    slot *slot;
    unsigned games;
    arena_plan plan;
    net_batch *batch;
    gral_player *ladder[LADDER];
    float lost[SIZES][RIVALS]; /* how much is lost against each; what is hard comes up more often */
    moment *scratch;           /* NET_BATCH_MAX of them */
    slot **waiting;            /* those who wait for one net */
    gral_entry *heard;         /* what a script has heard, gathered for one question */
    size_t heard_capacity;
    tally *tally; /* by company; NULL when measuring */
    tally measured;
    bool measuring;
};

static uint32_t below(slot *slot, uint32_t bound)
{
    return gral_random_below(&slot->chance, bound);
}

/* --- line-ups --- */

/* Nearly half of the games are of two, a third of four; a slot has always the same number of players, so that
 * decisions are shared out alike. Large tables cost the most and teach the least. */
typedef struct table_kind {
    uint8_t players, rules;
} table_kind;
static const table_kind table_kinds[] = {
    {2, 0}, {4, 0}, {2, 0}, {3, 0}, {2, 0}, {4, 0}, {2, 0}, {5, 0},
    {2, 0}, {4, 0}, {2, 0}, {3, 0}, {2, 0}, {4, 0}, {2, 0}, {4, GRAL_ORIGINAL},
    {2, 0}, {4, 0}, {2, 0}, {3, 0}, {2, 0}, {4, 0}, {2, 0}, {6, 0},
    {2, 0}, {4, 0}, {2, 0}, {3, 0}, {2, 0}, {4, 0}, {2, 0}, {4, 0},
    {2, 0}, {4, 0}, {2, 0}, {3, 0}, {2, 0}, {4, 0}, {2, 0}, {8, 0},
    {2, 0}, {4, 0}, {2, 0}, {3, 0}, {2, 0}, {4, 0}, {2, 0}, {4, GRAL_ORIGINAL},
    {2, 0}, {4, 0}, {2, 0}, {3, 0}, {2, 0}, {4, 0}, {2, 0}, {12, 0},
    {2, 0}, {4, 0}, {2, 0}, {3, 0}, {2, 0}, {4, 0}, {2, 0}, {4, 0},
};
enum { TABLE_KINDS = sizeof table_kinds / sizeof *table_kinds };

static gral_settings settings_of(table_kind kind)
{
    gral_settings settings = gral_settings_for(kind.players);
    settings.rules = kind.rules;
    return settings;
}

/* One of the nets of a kind, by weight; 0, the learner, if there is none. */
static unsigned draw_net(slot *slot, const arena_nets *nets, unsigned company)
{
    float sum = 0;
    unsigned chosen = 0;
    for (unsigned index = 1; index < nets->count; index++) {
        if (nets->company[index] != company || nets->weight[index] <= 0)
            continue;
        sum += nets->weight[index];
        if ((float)below(slot, 1 << 20) * sum < nets->weight[index] * (1 << 20))
            chosen = index;
    }
    return chosen;
}

static unsigned draw_company(slot *slot, const arena_plan *plan)
{
    unsigned at = below(slot, 100), company = 0;
    while (company + 1 < COMPANIES && at >= plan->share[company])
        at -= plan->share[company++];
    return company;
}

static sitter learner(void)
{
    return (sitter){.learns = true, .last = NO_MOMENT};
}

static bool is_of(unsigned rival, unsigned company)
{
    if (rival < LADDER)
        return company == COMPANY_LADDER;
    return company == COMPANY_SCRIPTS && script_use_of(&script_makers[rival - LADDER]) == SCRIPT_FOR_TRAINING;
}

static unsigned draw_rival(const arena *arena, slot *slot)
{
    const float *lost = arena->lost[size_of(slot->ground.next.players)];
    const float searching = slot->ground.next.players <= 4 ? 0.5f : 0; /* at larger tables it takes too long */
    float sum = 0;
    unsigned chosen = 0;
    for (unsigned rival = 0; rival < RIVALS; rival++) {
        const float part = rival >= SEARCHES && rival < LADDER ? searching : rival == MEDLEY ? 2.5f : 1;
        const float weight = is_of(rival, slot->company) ? part * (0.15f + lost[rival]) : 0;
        sum += weight;
        if (weight > 0 && (float)below(slot, 1 << 20) * sum < weight * (1 << 20))
            chosen = rival;
    }
    return chosen;
}

/* With traits of its own, or now and then its usual ones; NULL without memory. */
static gral_player *draw_script(slot *slot, unsigned family)
{
    char name[128];
    gral_error error;
    gral_text text = gral_text_in(name, sizeof name);
    script_draw(&script_makers[family], &slot->chance, &text);
    const char *colon = strchr(name, ':');
    const bool usual = below(slot, 3) == 0 && colon != NULL;
    return gral_player_make((gral_span){name, usual ? (size_t)(colon - name) : text.length}, &error);
}

static void send_guests_home(slot *slot)
{
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++) {
        gral_player_free(slot->guest[seat]);
        gral_player_free(slot->guide[seat]);
        slot->guest[seat] = slot->guide[seat] = NULL;
    }
}

/* A guest: a net, or a rival. */
static sitter guest(arena *arena, slot *slot, unsigned seat)
{
    sitter sitter = {.net = slot->opponent, .last = NO_MOMENT};
    if (slot->company != COMPANY_LADDER && slot->company != COMPANY_SCRIPTS)
        return sitter;
    if (arena->plan.against != NULL) {
        sitter.script = arena->plan.against;
        return sitter;
    }
    const unsigned rival = draw_rival(arena, slot);
    slot->rival = (uint8_t)rival;
    if (rival >= LADDER)
        slot->guest[seat] = draw_script(slot, rival - LADDER);
    sitter.script = rival < LADDER ? arena->ladder[rival] : slot->guest[seat];
    if (sitter.script == NULL)
        sitter.script = arena->ladder[0];
    return sitter;
}

/* At larger tables either one learner meets all the others, or about half of them are the learner too, so that more is
 * learned from each game. Half of the time all guests are of one mind. */
static void seat_all(arena *arena, slot *slot, const arena_nets *nets)
{
    const unsigned players = slot->ground.next.players, first = below(slot, players);
    send_guests_home(slot);
    slot->company = (uint8_t)draw_company(slot, &arena->plan);
    slot->opponent = 0;
    if (slot->company == COMPANY_OLD || slot->company == COMPANY_EXPLOITER) {
        slot->opponent = (uint8_t)draw_net(slot, nets, slot->company);
        if (slot->opponent == 0)
            slot->company = COMPANY_SELF;
    }
    const bool alone = players == 2 || below(slot, 2) > 0, alike = players == 2 || below(slot, 2) > 0;
    const sitter *model = NULL;
    slot->rival = NO_RIVAL;
    for (unsigned seat = 0; seat < players; seat++) {
        const bool learns = slot->company == COMPANY_SELF || seat == first || (!alone && below(slot, 2) > 0);
        slot->sitter[seat] = learns ? learner() : model != NULL ? *model : guest(arena, slot, seat);
        if (!learns && alike)
            model = &slot->sitter[seat];
    }
    if (!alike)
        slot->rival = NO_RIVAL;
}

/* An eighth wants a draw as much as a fair share, half not at all; else two who only wait would learn nothing more.
 * Often all at a table want the same. */
static uint8_t draw_hunger(slot *slot)
{
    const uint32_t eighth = below(slot, 8);
    return eighth == 0 ? 0 : eighth <= 4 ? FULL_HUNGER : (uint8_t)below(slot, FULL_HUNGER + 1);
}

static void draw_wishes(slot *slot, bool hungry)
{
    const bool alike = below(slot, 2) > 0;
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        slot->ground.hunger[seat] = hungry              ? FULL_HUNGER
                                    : seat > 0 && alike ? slot->ground.hunger[0]
                                                        : draw_hunger(slot);
    slot->ground.mirrored = (uint16_t)gral_random_next(&slot->chance);
}

/* So that it learns to play on from positions that it would not come to by itself, and against others than itself. */
static void draw_strangeness(slot *slot)
{
    enum { WILD_GAMES = 6, WILD_MOST = 30 };
    enum { BOLD_SEATS = 3 };
    static const float coolness[] = {1, 1, 0.5f, 0.25f};
    slot->wild = (uint8_t)(below(slot, WILD_GAMES) == 0 ? 1 + below(slot, WILD_MOST) : 0);
    slot->bold = 0;
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        slot->bold |= (uint16_t)((below(slot, BOLD_SEATS) == 0) << seat);
    slot->coolness = slot->company == COMPANY_OLD ? coolness[below(slot, sizeof coolness / sizeof *coolness)] : 1;
}

/* Players that go over what they have heard would not understand a game that begins in the middle. */
static void begin_otherwise(slot *slot)
{
    enum { ARRANGED_GAMES = 4, PLANNED_OPENINGS = 5 };
    const bool arranged = below(slot, ARRANGED_GAMES) == 0 && slot->company != COMPANY_LADDER &&
                          slot->ground.next.rules == GRAL_STANDARD;
    if (arranged)
        trial_arrange(&slot->ground, &slot->chance);
    for (unsigned seat = 0; seat < slot->ground.next.players; seat++)
        if (below(slot, arranged ? PLANNED_OPENINGS / 2 : PLANNED_OPENINGS) == 0)
            slot->plan[seat] = trial_plan_draw(&slot->ground.state.open, 1 + below(slot, 3), &slot->chance);
}

static unsigned draw_family(slot *slot)
{
    unsigned family;
    do
        family = below(slot, SCRIPT_FAMILIES);
    while (script_use_of(&script_makers[family]) != SCRIPT_FOR_TRAINING);
    return family;
}

/* A third of them lead a loaded initiate along with the bearer, which nobody finds by chance. */
static gral_player *draw_guide(slot *slot)
{
    char name[128];
    gral_error error;
    gral_text text = gral_text_in(name, sizeof name);
    const uint32_t third = below(slot, 3);
    if (third < 2)
        return draw_script(slot, third == 0 ? MEDLEY - LADDER : draw_family(slot));
    gral_text_add(&text, "medley:opens=1,wants=3,leads=4,strikes=");
    gral_text_add_number(&text, below(slot, 2) == 0 ? 2 : 4);
    gral_text_add(&text, ",steps=");
    gral_text_add_number(&text, 1 + below(slot, 2));
    gral_text_add(&text, ",points=");
    gral_text_add_number(&text, 10 + below(slot, 21));
    return gral_player_make((gral_span){name, text.length}, &error);
}

/* One learner of a game, for all of it or until some turn. */
static void draw_guidance(slot *slot)
{
    enum { GUIDED_GAMES = 4, TURNS_MOST = 25 };
    const unsigned seat = below(slot, slot->ground.next.players);
    if (!slot->sitter[seat].learns || below(slot, GUIDED_GAMES) > 0)
        return;
    slot->guide[seat] = draw_guide(slot);
    slot->guided_until = below(slot, 2) == 0 ? UINT32_MAX : slot->ground.next.players * below(slot, TURNS_MOST);
}

static void next_game(arena *arena, slot *slot, const arena_nets *nets)
{
    seat_all(arena, slot, nets);
    draw_wishes(slot, arena->plan.hungry);
    slot->wild = 0;
    slot->bold = 0;
    memset(slot->plan, 0, sizeof slot->plan);
    slot->coolness = 1;
    if (arena->plan.strange) {
        draw_strangeness(slot);
        draw_guidance(slot);
    }
    const bool scripts = slot->company == COMPANY_LADDER || slot->company == COMPANY_SCRIPTS;
    slot->ground.record = scripts ? &slot->record : NULL;
    gral_ground_restart(&slot->ground);
    if (arena->plan.strange)
        begin_otherwise(slot);
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

static void remember_rival(arena *arena, const slot *slot, gral_ending ending)
{
    const float lost = ending.winner == GRAL_NOBODY ? 0.5f : !slot->sitter[ending.winner].learns;
    float *mean = &arena->lost[size_of(ending.players)][slot->rival];
    *mean += 0.03f * (lost - *mean);
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
        remember_rival(arena, slot, ending);
    if (ending.players == 2) {
        count_end(&arena->tally[slot->company], ending, first);
        if (slot->opponent > 0)
            count_end(&nets->against[slot->opponent], ending, first);
    }
    next_game(arena, slot, nets);
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
    gral_error error;
    arena->games = games;
    arena->slot = calloc(games, sizeof *arena->slot);
    arena->waiting = calloc(games, sizeof *arena->waiting);
    arena->scratch = calloc(NET_BATCH_MAX, sizeof *arena->scratch);
    arena->batch = net_batch_make();
    bool made = arena->slot != NULL && arena->waiting != NULL && arena->scratch != NULL && arena->batch != NULL;
    for (unsigned rung = 0; rung < LADDER; rung++) {
        arena->ladder[rung] = gral_player_make(gral_span_of(ladder_names[rung]), &error);
        made = made && arena->ladder[rung] != NULL;
    }
    if (!made) {
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
        send_guests_home(&arena->slot[index]);
        gral_record_free(&arena->slot[index].record);
    }
    free(arena->slot);
    free(arena->waiting);
    free(arena->scratch);
    free(arena->heard);
    net_batch_free(arena->batch);
    for (unsigned rung = 0; rung < LADDER; rung++)
        gral_player_free(arena->ladder[rung]);
    free(arena);
}

static void begin_slot(slot *slot, table_kind kind, uint64_t seed)
{
    const gral_record record = slot->record;
    send_guests_home(slot);
    const gral_settings settings = settings_of(kind);
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
    for (unsigned size = 0; size < SIZES; size++)
        for (unsigned rival = 0; rival < RIVALS; rival++)
            arena->lost[size][rival] = 0.5f;
    for (unsigned index = 0; index < arena->games; index++) {
        const table_kind kind = plan->two_players_only ? (table_kind){2, GRAL_STANDARD}
                                                       : table_kinds[index % TABLE_KINDS];
        begin_slot(&arena->slot[index], kind, gral_random_next(&random));
        arena->slot[index].over = true; /* has no players yet */
    }
}

void arena_play(arena *arena, arena_nets *nets, book *book, uint32_t wanted, tally tally[COMPANIES])
{
    arena->tally = tally;
    for (unsigned index = 0; index < arena->games; index++)
        if (arena->slot[index].over) {
            arena->slot[index].over = false;
            next_game(arena, &arena->slot[index], nets);
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

static void seat_measured(arena *arena, slot *slot, gral_player *player, unsigned seat, uint8_t hunger)
{
    (void)arena;
    for (unsigned other = 0; other < slot->ground.next.players; other++)
        slot->sitter[other] = other == seat ? learner() : (sitter){.script = player, .net = 1, .last = NO_MOMENT};
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
            begin_slot(slot, (table_kind){(uint8_t)players, GRAL_STANDARD}, gral_random_next(&random));
            if (done + index < games)
                seat_measured(arena, slot, player, index % players, hunger);
            else
                slot->over = true;
        }
        while (!all_over(arena))
            play_round(arena, &copy, &none);
    }
    return arena->measured;
}
