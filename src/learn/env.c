/* Games one after the other, and what has no choice is played at once. */
#include "gral/env.h"

#include <assert.h>

static uint32_t draw_limit(gral_ground *ground)
{
    const uint32_t range = ground->limit_most - ground->limit_least + 1;
    return (ground->limit_least + gral_random_below(&ground->random, range)) * ground->next.players;
}

static bool several(uint64_t set)
{
    return (set & (set - 1)) != 0;
}

/* Whether there is more than one option; counting them would take longer. Units never come without `done`. */
static bool has_choice(const gral_ground *ground)
{
    const gral_options *options = &ground->options;
    const bool units = options->units != 0 && options->pawns != 0;
    if (units && ground->memory.everything)
        return false;
    const int kinds = (options->verbs != 0) + units + (options->steps != 0) + (options->uncoverings != 0) +
                      (options->points_verb != GRAL_NOTHING);
    if (kinds != 1)
        return kinds > 1;
    return several(options->verbs) || several(options->steps) || several(options->uncoverings) ||
           options->least < options->most;
}

static void apply(gral_ground *ground, gral_action action)
{
    const unsigned seat = ground->state.open.actor;
    gral_memory_hear(&ground->memory, &ground->game, &ground->state.open, action);
    if (ground->record != NULL)
        gral_record_add(ground->record, seat, action);
    gral_apply(&ground->game, &ground->state, action);
    ground->options = gral_legal_options(&ground->game, &ground->state);
}

/* The only thing that can be done. */
static gral_action forced_action(const gral_ground *ground)
{
    if (ground->options.units == 0)
        return gral_options_pick(&ground->game, &ground->state.open, &ground->options, 0);
    const gral_outlook outlook = gral_ground_outlook(ground);
    const gral_numbers numbers = gral_numbers_of(&outlook);
    unsigned number = 0;
    while (!gral_numbers_has(&numbers, number))
        number++;
    return gral_number_action(&outlook, number);
}

static void skip_forced(gral_ground *ground)
{
    while (ground->state.open.phase != GRAL_OVER && !has_choice(ground))
        apply(ground, forced_action(ground));
}

void gral_ground_restart(gral_ground *ground)
{
    gral_settings settings = ground->next;
    settings.first = (uint8_t)gral_random_below(&ground->random, settings.players);
    if (ground->limit_most > 0)
        settings.limit = draw_limit(ground);
    const enum gral_settings_fault fault = gral_game_make(&ground->game, &settings);
    assert(fault == GRAL_SETTINGS_OK);
    (void)fault;
    gral_start(&ground->game, &ground->state);
    ground->options = gral_legal_options(&ground->game, &ground->state);
    ground->memory = gral_memory_begin();
    if (ground->record != NULL)
        ground->record->count = 0;
    skip_forced(ground);
}

void gral_ground_begin(gral_ground *ground, const gral_settings *settings, uint64_t seed)
{
    *ground = (gral_ground){.next = *settings, .random = gral_random_from(seed)};
    gral_ground_restart(ground);
}

gral_outlook gral_outlook_of(const gral_game *game, const gral_view *view, const gral_options *options,
                             const gral_memory *memory)
{
    return (gral_outlook){
        .game = game,
        .open = &view->open,
        .sheet = &view->sheet[view->seat],
        .options = options,
        .memory = memory,
        .seat = view->seat,
    };
}

static gral_outlook outlook_from(const gral_ground *ground, unsigned seat)
{
    return (gral_outlook){
        .game = &ground->game,
        .open = &ground->state.open,
        .sheet = &ground->state.sheet[seat],
        .options = &ground->options,
        .memory = &ground->memory,
        .seat = (uint8_t)seat,
        .mirrored = ground->mirrored >> seat & 1,
        .hunger = ground->hunger[seat],
    };
}

gral_outlook gral_ground_outlook(const gral_ground *ground)
{
    return outlook_from(ground, ground->state.open.actor);
}

gral_numbers gral_ground_observe(const gral_ground *ground, unsigned seat, gral_observation *observation)
{
    gral_outlook outlook = outlook_from(ground, seat);
    const bool decides = seat == ground->state.open.actor;
    const gral_options nothing = {0};
    gral_memory memory = ground->memory;
    if (!decides) {
        gral_memory_forget_assignment(&memory);
        outlook.options = &nothing;
        outlook.memory = &memory;
    }
    gral_observe(&outlook, observation);
    return decides ? gral_numbers_of(&outlook) : (gral_numbers){0};
}

static gral_ending go_on(gral_ground *ground)
{
    skip_forced(ground);
    const gral_open *open = &ground->state.open;
    return (gral_ending){
        .over = open->phase == GRAL_OVER, .winner = open->winner, .players = open->players, .turns = open->turn};
}

/* Whoever does not play by numbers places his units in any order and means nothing by it. */
gral_ending gral_ground_act(gral_ground *ground, gral_action action)
{
    apply(ground, action);
    ground->memory.everything = false;
    return go_on(ground);
}

gral_ending gral_ground_play(gral_ground *ground, unsigned number)
{
    const gral_outlook outlook = gral_ground_outlook(ground);
    apply(ground, gral_number_action(&outlook, number));
    return go_on(ground);
}

enum { CACHE_LINE = 64 };

/* Many games and observations are more than the nearest caches hold: the next ones come while one is made. */
static void fetch(const void *from, const void *end)
{
    for (const char *line = from; line < (const char *)end; line += CACHE_LINE)
        __builtin_prefetch(line, 1);
}

void gral_grounds_step(gral_ground *ground, unsigned count, const uint8_t *numbers, gral_observation *observation,
                       gral_numbers *legal, gral_ending *ending)
{
    for (unsigned index = 0; index < count; index++) {
        if (index + 2 < count)
            fetch(&ground[index + 2], &ground[index + 3]);
        if (index + 1 < count)
            fetch(&observation[index + 1], observation[index + 1].pair[ground[index + 1].state.open.players - 1]);
        ending[index] = gral_ground_play(&ground[index], numbers[index]);
        if (ending[index].over)
            gral_ground_restart(&ground[index]);
        const gral_outlook outlook = gral_ground_outlook(&ground[index]);
        gral_observe(&outlook, &observation[index]);
        legal[index] = gral_numbers_of(&outlook);
    }
}
