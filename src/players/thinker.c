/* The player that people meet: the net that has learned by playing against itself. Its choice is drawn by the net's
 * chances, for a bluff that is always made is none. It looks at nothing but the question; what it remembers it works
 * out anew from what was heard.
 *
 * A weaker level sees less and chooses more warmly among what looks alike to it; none throws a die for a blunder. A
 * character and what was said at the table (talk.h) lean on its choice a little. Advice (explain) is the net's at its
 * full strength, whoever gives it. */
#include "character.h"
#include "escort.h"
#include "foresight.h"
#include "kinds.h"
#include "perception.h"
#include "reasons.h"
#include "tactics.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* It plays to win: a draw is worth no more to it than a loss. */
enum { USUAL_HUNGER = 100, ALL = 100, CLOCKLESS_GAMES_A_MS = 4, GAMES_BEHIND_ADVICE = 600 };

/* In place of a number of games: as many as there is time for. */
static const uint32_t while_time_lasts = UINT32_MAX;

/* --- levels --- */

/* tools/levels measures each against the one below it. */
typedef struct level {
    float warmth; /* 1: chooses as it was learned */
    float alike;  /* what is less likely than this part of the likeliest is not chosen */
    perception perception;
    bool careful;   /* sees what loses at once (tactics.h) */
    bool escorts;   /* knows what to do where all others wait (escort.h) */
    uint32_t games; /* to think ahead with */
} level;

static const level levels[] = {
    /* warmth, alike, {sight, suspects, shown, habits, news}, careful, escorts, games */
    {2.5f, 0.0001f, {0, 0, 0, 0, 0}, false, false, 0},            /* 1 */
    {3.0f, 0.0001f, {1, 8, 25, 0, 0}, false, false, 0},           /* 2 */
    {2.35f, 0.0001f, {2, 23, ALL, 0, 0}, true, false, 0},         /* 3 */
    {1.6f, 0.0001f, {2, 25, ALL, ALL, ALL}, true, false, 0},      /* 4 */
    {1.0f, 0.0f, {UINT8_MAX, ALL, ALL, ALL, ALL}, true, true, 0}, /* 5 */
};
static_assert(sizeof levels / sizeof *levels == THINKER_LEVELS, "a row for every level");
static const level *const strongest = &levels[THINKER_LEVELS - 1];

/* Warmer, among what looks alike. */
static void warm(const level *level, chances *chances)
{
    if (level->warmth == 1 && level->alike == 0)
        return;
    const float least = level->alike * chances->chance[chances_likeliest(chances)];
    for (unsigned place = 0; place < chances->count; place++)
        if (chances->chance[place] > 0)
            chances->chance[place] = chances->chance[place] < least
                                         ? 0
                                         : chances_decay(chances_logarithm(chances->chance[place]) / level->warmth);
    chances_even(chances);
}

/* --- thinking --- */

typedef struct thinker {
    gral_player player;
    learned_net net;
    uint32_t milliseconds; /* that a decision may take; 0 for as long as it takes */
    uint32_t games;        /* to think ahead with; 0 for not at all */
    uint8_t hunger;
    level level;
    const character *character;
} thinker;

/* What the seat that is asked knows, and what it has heard said. */
typedef struct situation {
    const gral_question *question;
    gral_memory memory;
    gral_outlook outlook;
    talk talk;
} situation;

static void take_in(const thinker *self, const gral_question *question, situation *situation)
{
    *situation = (struct situation){
        .question = question,
        .memory = gral_memory_of(question->game, question->heard, question->heard_count),
    };
    situation->outlook = gral_outlook_of(question->game, question->view, question->options, &situation->memory);
    situation->outlook.hunger = self->hunger;
    talk_hear(&situation->talk, question, &self->character->manners);
}

/* What the net makes of it; as a level sees it. */
static void look(const thinker *self, const situation *situation, const level *level, learned_thoughts *thoughts,
                 chances *chances)
{
    gral_observation observation;
    perception_observe(&level->perception, &situation->outlook, &observation);
    learned_think(&self->net, &observation, false, thoughts);
    const gral_numbers legal = gral_numbers_of(&situation->outlook);
    chances_weigh(thoughts, &legal, chances);
}

static gral_action action_at(const situation *situation, const chances *chances, unsigned place)
{
    return gral_number_action(&situation->outlook, chances->number[place]);
}

/* Keeps what wins for sure, or else throws out what loses for sure, unless that is everything. True: it wins. */
static bool keep_sense(const situation *situation, bool careful, chances *chances)
{
    enum tactics_verdict verdict[GRAL_NUMBERS], best = TACTICS_LOSES, worst = TACTICS_WINS;
    for (unsigned place = 0; place < chances->count; place++) {
        verdict[place] = tactics_judge(situation->question, action_at(situation, chances, place));
        best = verdict[place] > best ? verdict[place] : best;
        worst = verdict[place] < worst ? verdict[place] : worst;
    }
    if (best == worst || (best == TACTICS_OPEN && !careful))
        return best == TACTICS_WINS;
    unsigned kept = 0;
    for (unsigned place = 0; place < chances->count; place++) {
        if (verdict[place] != best)
            continue;
        chances->number[kept] = chances->number[place];
        chances->chance[kept++] = chances->chance[place] + 1e-6f; /* the net may have given nothing to any of them */
    }
    chances->count = kept;
    chances_even(chances);
    return best == TACTICS_WINS;
}

/* Character, and what was said. The talk leans in chances of winning; so much of one makes an action e times as likely.
 */
static void lean(const thinker *self, const situation *situation, chances *chances)
{
    const float worth_of_e = 0.025f;
    const gral_open *open = situation->outlook.open;
    const unsigned grudge = character_grudge(situation->question);
    float leaning[GRAL_NUMBERS], most = -16;
    for (unsigned place = 0; place < chances->count; place++) {
        const gral_action action = action_at(situation, chances, place);
        leaning[place] = character_leaning(self->character, &situation->outlook, grudge, action) +
                         talk_leaning(&situation->talk, open, action) / worth_of_e;
        most = leaning[place] > most ? leaning[place] : most;
    }
    for (unsigned place = 0; place < chances->count; place++)
        chances->chance[place] *= chances_decay(leaning[place] - most);
    chances_even(chances);
}

static foresight foresight_of(const thinker *self, const situation *situation, uint32_t games, gral_clock *clock)
{
    if (games == while_time_lasts && clock == NULL)
        games = self->milliseconds * CLOCKLESS_GAMES_A_MS;
    foresight foresight = {
        .net = &self->net, .outlook = &situation->outlook, .talk = &situation->talk, .budget = {.games = games}};
    if (self->milliseconds > 0 && clock != NULL) {
        foresight.budget.clock = clock;
        foresight.budget.until = clock() + self->milliseconds;
    }
    return foresight;
}

static gral_action decide(gral_player *player, const gral_question *question, gral_clock *clock)
{
    const thinker *self = (const thinker *)(const void *)player;
    gral_random random = gral_random_from(question->seed);
    situation situation;
    learned_thoughts thoughts;
    chances chances;
    take_in(self, question, &situation);
    look(self, &situation, &self->level, &thoughts, &chances);
    if (!keep_sense(&situation, self->level.careful, &chances)) {
        gral_action escort;
        if (self->level.escorts && escort_decide(question, &escort))
            return escort;
        const foresight foresight = foresight_of(self, &situation, self->games, clock);
        foresight_lean(&foresight, &random, &chances);
        warm(&self->level, &chances);
        lean(self, &situation, &chances);
    }
    return action_at(&situation, &chances, chances_draw(&chances, &random));
}

/* --- advice --- */

static float between_0_and_1(float chance)
{
    return chance < 0 ? 0 : chance > 1 ? 1 : chance;
}

/* Two numbers may begin with the same action: everything on somebody, and his first unit. The better one stands. */
static void list(gral_explanation *explanation, gral_thought thought)
{
    for (unsigned place = 0; place < explanation->thoughts; place++) {
        if (!gral_same_action(explanation->thought[place].action, thought.action))
            continue;
        explanation->thought[place].weight += thought.weight;
        return;
    }
    explanation->thought[explanation->thoughts++] = thought;
}

/* What each action that was tried is worth, the best first. Few games tell little: the fewer there were, the nearer to
 * what all of them came to, each as often as the net would choose it. And what the net would rather not do it has
 * learned to avoid. */
static void rank(const foresight_result *result, chances *chances, float chance[FORESIGHT_ACTIONS])
{
    const float worth_of_e = 0.02f, rounds_to_be_half_sure = 50;
    const float rounds = (float)(result->games / result->actions), sure = rounds / (rounds + rounds_to_be_half_sure);
    float mean = 0;
    chances->count = result->actions;
    chances_even(chances);
    const float first = chances_logarithm(chances->chance[0]);
    for (unsigned place = 0; place < result->actions; place++)
        mean += chances->chance[place] * result->worth[place];
    for (unsigned place = 0; place < result->actions; place++)
        chance[place] = 0.5f + 0.5f * (mean + sure * (result->worth[place] - mean)) +
                        worth_of_e * (chances_logarithm(chances->chance[place]) - first);
    for (unsigned index = 1; index < result->actions; index++)
        for (unsigned place = index; place > 0 && chance[place] > chance[place - 1]; place--) {
            const uint8_t number = chances->number[place];
            const float weight = chances->chance[place], value = chance[place];
            chances->number[place] = chances->number[place - 1];
            chances->chance[place] = chances->chance[place - 1];
            chance[place] = chance[place - 1];
            chances->number[place - 1] = number;
            chances->chance[place - 1] = weight;
            chance[place - 1] = value;
        }
}

/* The assignment that begins with this number, as the net would go on. */
static void plan(const thinker *self, const situation *situation, unsigned number, gral_explanation *explanation)
{
    gral_memory memory = situation->memory;
    gral_options options = *situation->outlook.options;
    gral_outlook outlook = situation->outlook;
    gral_state state = {.open = *outlook.open};
    state.sheet[outlook.seat] = *outlook.sheet;
    outlook.open = &state.open;
    outlook.sheet = &state.sheet[outlook.seat];
    outlook.memory = &memory;
    outlook.options = &options;
    for (;;) {
        const gral_action action = gral_number_action(&outlook, number);
        explanation->plan[explanation->planned++] = action;
        if (action.verb == GRAL_DONE)
            return;
        gral_memory_hear(&memory, outlook.game, &state.open, action);
        gral_apply(outlook.game, &state, action);
        options = gral_legal_options(outlook.game, &state);
        gral_observation observation;
        learned_thoughts thoughts;
        chances chances;
        gral_observe(&outlook, &observation);
        learned_think(&self->net, &observation, false, &thoughts);
        const gral_numbers legal = gral_numbers_of(&outlook);
        chances_weigh(&thoughts, &legal, &chances);
        number = chances.number[chances_likeliest(&chances)];
    }
}

static bool is_of_assignment(gral_action action)
{
    return action.verb == GRAL_ASSIGN || action.verb == GRAL_PLACE || action.verb == GRAL_DONE;
}

static void think_of_others(const thinker *self, const situation *situation, surmise *surmise)
{
    gral_observation observation;
    learned_thoughts thoughts;
    gral_observe(&situation->outlook, &observation);
    learned_think(&self->net, &observation, true, &thoughts);
    surmise_form(surmise, &situation->outlook, &thoughts);
    surmise_listen(surmise, situation->outlook.open, &situation->talk);
}

static void explain(gral_player *player, const gral_question *question, gral_clock *clock,
                    gral_explanation *explanation)
{
    const thinker *self = (const thinker *)(const void *)player;
    gral_random random = gral_random_from(question->seed);
    situation situation;
    learned_thoughts thoughts;
    chances chances;
    float chance[FORESIGHT_ACTIONS] = {1};
    take_in(self, question, &situation);
    look(self, &situation, strongest, &thoughts, &chances);
    if (keep_sense(&situation, true, &chances)) {
        chances.number[0] = chances.number[chances_likeliest(&chances)];
        chances.chance[0] = 1;
        chances.count = 1;
    } else {
        const uint32_t games = self->games > 0 ? self->games : GAMES_BEHIND_ADVICE;
        const foresight foresight = foresight_of(self, &situation, games, clock);
        foresight_result result;
        foresight_try(&foresight, &random, &chances, &result);
        explanation->simulations = result.games;
        for (unsigned place = 0; place < result.actions && result.games == 0; place++)
            result.worth[place] = (float)thoughts.table[NET_OUT_VALUE] / LEARNED_ONE;
        rank(&result, &chances, chance);
    }
    for (unsigned place = 0; place < chances.count; place++)
        list(explanation, (gral_thought){action_at(&situation, &chances, place), between_0_and_1(chance[place]),
                                         chances.chance[place]});
    if (is_of_assignment(explanation->thought[0].action))
        plan(self, &situation, chances.number[0], explanation);
    surmise surmise;
    think_of_others(self, &situation, &surmise);
    reasons_find(question, &surmise, explanation);
}

/* --- the player --- */

static bool offer(gral_player *player, const gral_question *question, gral_action decided, gral_offer *said)
{
    const thinker *self = (const thinker *)(const void *)player;
    talk talk;
    talk_hear(&talk, question, &self->character->manners);
    return talk_offer(&talk, question, decided, said);
}

static gral_player *make(const player_maker *maker, const player_words *words)
{
    thinker *self = malloc(sizeof *self);
    if (self == NULL)
        return NULL;
    const level *level = &levels[(words->level > 0 ? words->level : THINKER_LEVELS) - 1];
    const bool by_time = words->milliseconds > 0 && words->level == 0;
    *self = (thinker){
        .player.kind = &maker->kind,
        .milliseconds = words->milliseconds,
        .games = words->simulations > 0 ? words->simulations
                 : by_time              ? while_time_lasts
                                        : level->games,
        .hunger = (uint8_t)(words->hunger > 0 ? words->hunger : USUAL_HUNGER),
        .level = *level,
        .character = character_at(words->character),
    };
    learned_inside(&self->net);
    if (words->warmth > 0)
        self->level.warmth = (float)words->warmth / ALL;
    return &self->player;
}

const player_maker thinker_maker = {
    .kind = {.name = "thinker",
             .summary = "has learned by playing against itself, bluffs",
             .decide = decide,
             .explain = explain,
             .offer = offer,
             .free = player_free_plain},
    .takes = WORD_BUDGET | WORD_LEVEL | WORD_CHARACTER | WORD_MOOD,
    .expected =
        "expected a budget like 100ms or 200sims, level=1 to level=5, as= and a character like renard, warmth=1 to "
        "warmth=1000, or hunger=1 to hunger=100",
    .make = make,
};
