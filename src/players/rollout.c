/* The player that simulates: one step better than the quick hand that plays its simulated games, and there to measure
 * by.
 *
 * 1. It forms a belief about the others' sheets (belief.h).
 * 2. It picks a few actions that seem sensible (policy.h).
 * 3. It plays each of them on, many times, always the same drawn sheets and the same luck for every action, so that
 *    only the action makes the difference. In these games everybody acts on what he himself could know: the policy
 *    sees the board, what was shown, and its own sheet. After a few rounds the position is judged.
 * 4. Half of the actions are dropped, then half of the rest, until one is left; in a dispute it chooses among those
 *    that come close by lot, else others could read its sheet from its answers. */
#include "belief.h"
#include "kinds.h"
#include "policy.h"
#include "tactics.h"

#include <stdlib.h>

enum {
    CANDIDATES_MAX = GRAL_THOUGHTS_MAX,
    CLOCKLESS_SIMULATIONS_A_MS = 40,
    USUAL_SIMULATIONS = 8000,
    GUESSES = 192,
    MEMORY = 64,
};

static const policy_traits traits = {.warmth = 0.002f, .reserve = 1.4f};

/* One way to act. An assignment is looked at as a whole: an initiate, and how many points at least. */
typedef struct candidate {
    gral_action action;
    uint8_t pawn, points; /* of the assignment; GRAL_NO_PAWN for none */
    float prior;
    double sum;
    uint32_t visits;
    float behind; /* the best one when it was dropped; both had met the same sheets and luck until then */
} candidate;

typedef struct rollout {
    gral_player player;
    player_words words;
    belief belief;
    policy_hunch hunch;
    candidate candidate[CANDIDATES_MAX];
    unsigned candidates;
    uint32_t simulations; /* done */
} rollout;

static float chance_of(const candidate *candidate)
{
    return candidate->visits > 0 ? (float)(candidate->sum / candidate->visits) : 0;
}

/* --- candidates --- */

static float prior_of(const candidate *candidate)
{
    return candidate->prior;
}

/* The best first; equals stay in their order, so that every build sorts alike. */
static void sort(candidate *list, unsigned count, float (*worth)(const candidate *candidate))
{
    for (unsigned index = 1; index < count; index++) {
        const candidate moved = list[index];
        unsigned place = index;
        for (; place > 0 && worth(&list[place - 1]) < worth(&moved); place--)
            list[place] = list[place - 1];
        list[place] = moved;
    }
}

static void add_candidate(rollout *self, candidate candidate)
{
    for (unsigned index = 0; index < self->candidates; index++) {
        const struct candidate *other = &self->candidate[index];
        if (gral_same_action(other->action, candidate.action) && other->pawn == candidate.pawn &&
            other->points == candidate.points)
            return;
    }
    if (self->candidates < CANDIDATES_MAX)
        self->candidate[self->candidates++] = candidate;
}

static void add_action(rollout *self, gral_action action)
{
    add_candidate(self, (candidate){.action = action, .pawn = GRAL_NO_PAWN});
}

/* In a dispute: the least that suffices, what is known anyway, just more than the other has shown, half of what is
 * held, and all of it. */
static void add_figures(rollout *self, const gral_question *question)
{
    const gral_options *options = question->options;
    const gral_open *open = &question->view->open;
    const unsigned pawn = open->proposal.pawn;
    const bool objecting = open->phase == GRAL_OBJECTION;
    const unsigned other = objecting ? open->active : open->objector;
    const unsigned figures[] = {
        options->least,
        open->known[open->actor][pawn],
        open->known[other][pawn] + (objecting ? 1u : 0u),
        (options->least + options->most + 1u) / 2,
        options->most,
    };
    add_action(self, gral_say(objecting ? GRAL_PASS : GRAL_YIELD));
    if (options->points_verb == GRAL_NOTHING)
        return;
    for (unsigned index = 0; index < sizeof figures / sizeof *figures; index++)
        if (figures[index] >= options->least && figures[index] <= options->most)
            add_action(self, objecting ? gral_object(figures[index]) : gral_claim(figures[index]));
}

/* The unit to go on with when so many points are still wanted: the largest that is not too much, else the smallest. */
static unsigned next_unit(const gral_sheet *sheet, unsigned wanted)
{
    unsigned smallest = 0;
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++) {
        if (sheet->units[kind] == 0)
            continue;
        smallest = gral_unit_value[kind];
        if (smallest <= wanted)
            return smallest;
    }
    return smallest;
}

/* What it takes, on top of what we hold, to lead on an initiate but for this much doubt; 0 when we do. */
static unsigned points_to_lead(const rollout *self, const gral_view *view, unsigned pawn, float doubt)
{
    unsigned wanted = 0;
    for (unsigned other = 0; other < view->open.players; other++) {
        if (other == view->seat)
            continue;
        const unsigned theirs = belief_quantile(&self->belief, other, pawn, doubt) + 1;
        wanted = theirs > wanted ? theirs : wanted;
    }
    const unsigned held = view->sheet[view->seat].influence[pawn];
    return wanted > held ? wanted - held : 0;
}

/* Assignments that would give us the lead on an initiate: probably, very probably, almost surely. */
static unsigned list_assignments(const rollout *self, const gral_question *question, candidate list[])
{
    static const float doubt[] = {0.4f, 0.15f, 0.02f};
    const gral_view *view = question->view;
    const gral_sheet *sheet = &view->sheet[view->seat];
    const unsigned left = gral_units_worth(sheet->units);
    const gral_action action = gral_say(GRAL_ASSIGN);
    const policy_gaze now = policy_look(question->game, &view->open, sheet, view->seat, &self->hunch);
    const float before = policy_value(&now, &view->open);
    unsigned count = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (!gral_on_board(&view->open, pawn) || (sheet->assigned_to != GRAL_NO_PAWN && sheet->assigned_to != pawn))
            continue;
        for (unsigned level = 0; level < sizeof doubt / sizeof *doubt; level++) {
            const unsigned wanted = points_to_lead(self, view, pawn, doubt[level]);
            if (wanted == 0 || wanted > left)
                continue;
            policy_gaze then = now;
            then.lead[pawn] = 1 - doubt[level];
            list[count++] = (candidate){.action = action,
                                        .pawn = (uint8_t)pawn,
                                        .points = (uint8_t)wanted,
                                        .prior = policy_value(&then, &view->open) - before};
        }
    }
    sort(list, count, prior_of);
    return count;
}

static void choose_candidates(rollout *self, const gral_question *question)
{
    enum { ROOM_FOR_ASSIGNING = 4 };
    const gral_view *view = question->view;
    const gral_sheet *sheet = &view->sheet[view->seat];
    candidate list[POLICY_BIDS_MAX];
    self->candidates = 0;
    if (view->open.phase == GRAL_OBJECTION || view->open.phase == GRAL_ANSWER) {
        add_figures(self, question);
        return;
    }
    if (view->open.phase == GRAL_PLACING) {
        add_action(self, gral_say(GRAL_DONE));
        const unsigned count = list_assignments(self, question, list);
        for (unsigned index = 0; index < count; index++)
            add_candidate(self, list[index]);
        return;
    }
    policy_bid bids[POLICY_BIDS_MAX];
    const unsigned count = policy_weigh(question->game, &view->open, sheet, &traits, &self->hunch, bids);
    for (unsigned index = 0; index < count; index++)
        list[index] = (candidate){.action = bids[index].action, .pawn = GRAL_NO_PAWN, .prior = bids[index].value};
    sort(list, count, prior_of);
    for (unsigned index = 0; index < count && self->candidates < CANDIDATES_MAX - ROOM_FOR_ASSIGNING; index++)
        if (list[index].action.verb != GRAL_ASSIGN)
            add_candidate(self, list[index]);
    if (question->options->verbs >> GRAL_ASSIGN & 1) {
        const unsigned assignments = list_assignments(self, question, list);
        for (unsigned index = 0; index < assignments && self->candidates < CANDIDATES_MAX - 1; index++)
            add_candidate(self, list[index]);
        add_action(self, gral_say(GRAL_ASSIGN)); /* perhaps with nothing behind it */
    }
}

/* --- simulation --- */

/* How likely the seat is to win a game that is not over, by everybody's true influence and what he can still add. */
static float judge(const gral_game *game, const gral_state *state, unsigned seat)
{
    float share[GRAL_PLAYERS_MAX] = {0}, all = 0;
    for (unsigned player = 0; player < state->open.players; player++) {
        gral_sheet sheet = state->sheet[player];
        gral_open open = state->open;
        /* With everything shown a gaze sees who leads for sure. */
        for (unsigned other = 0; other < open.players; other++)
            for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
                if (gral_on_board(&open, pawn))
                    open.known[other][pawn] = state->sheet[other].influence[pawn];
        const policy_gaze gaze = policy_look(game, &open, &sheet, player, NULL);
        const float value = policy_value(&gaze, &open) + 1.5f; /* 0 to 3 */
        share[player] = value > 0 ? value * value * value : 0;
        all += share[player];
    }
    return all > 0 ? share[seat] / all : 1.0f / (float)state->open.players;
}

/* Everybody acts on what he knows; we know what we believe. */
static float play_on(const rollout *self, const gral_game *game, gral_state *state, uint32_t turns, gral_random *random)
{
    static const policy_traits everybody = {.warmth = 0.02f, .reserve = 1};
    const unsigned seat = self->belief.seat;
    const uint32_t last = state->open.turn + turns;
    while (state->open.phase != GRAL_OVER) {
        if (state->open.turn > last)
            return judge(game, state, seat);
        const unsigned actor = state->open.actor;
        gral_apply(game, state,
                   policy_act(game, &state->open, &state->sheet[actor], &everybody, actor == seat ? &self->hunch : NULL,
                              random));
    }
    if (state->open.winner == GRAL_NOBODY)
        return 1.0f / (float)state->open.players;
    return state->open.winner == seat ? 1.0f : 0.0f;
}

/* The whole assignment. */
static void assign(const gral_game *game, gral_state *state, const candidate *candidate)
{
    if (state->open.phase == GRAL_TURN)
        gral_apply(game, state, candidate->action);
    const gral_sheet *sheet = &state->sheet[state->open.actor];
    unsigned wanted = candidate->points;
    while (wanted > 0) {
        const unsigned unit = next_unit(sheet, wanted);
        gral_apply(game, state, gral_place(unit, candidate->pawn));
        wanted -= unit < wanted ? unit : wanted;
    }
    gral_apply(game, state, gral_say(GRAL_DONE));
}

/* One draw of the hidden sheets, played on for each of the first candidates. */
static void simulate(rollout *self, const gral_question *question, unsigned candidates, gral_random *random)
{
    const gral_view *view = question->view;
    const uint32_t turns = view->open.players <= 3 ? 24 : 3u * view->open.players;
    gral_state drawn;
    belief_draw(&self->belief, &view->open, random, &drawn);
    const gral_random luck = *random;
    for (unsigned index = 0; index < candidates; index++) {
        candidate *candidate = &self->candidate[index];
        gral_state state = drawn;
        gral_random same_luck = luck;
        if (candidate->pawn != GRAL_NO_PAWN)
            assign(question->game, &state, candidate);
        else
            gral_apply(question->game, &state, candidate->action);
        candidate->sum += play_on(self, question->game, &state, turns, &same_luck);
        candidate->visits++;
        self->simulations++;
    }
    gral_random_next(random);
}

typedef struct budget {
    gral_clock *clock;
    double start, milliseconds;
    uint32_t simulations;
} budget;

static budget budget_of(const rollout *self, gral_clock *clock)
{
    budget budget = {.clock = clock, .simulations = self->words.simulations};
    if (self->words.milliseconds > 0 && clock != NULL) {
        budget.milliseconds = self->words.milliseconds;
        budget.start = clock();
    } else if (self->words.milliseconds > 0 && budget.simulations == 0) {
        budget.simulations = self->words.milliseconds * CLOCKLESS_SIMULATIONS_A_MS;
    }
    return budget;
}

static float spent(const budget *budget, const rollout *self)
{
    const float simulated = budget->simulations > 0 ? (float)self->simulations / (float)budget->simulations : 0;
    const float waited = budget->milliseconds > 0 ? (float)((budget->clock() - budget->start) / budget->milliseconds)
                                                  : 0;
    return simulated > waited ? simulated : waited;
}

/* Sequential halving: equal parts of the budget for each round. */
static void think(rollout *self, const gral_question *question, const budget *budget, gral_random *random)
{
    unsigned left = self->candidates, rounds = 1, round = 0;
    while (2u << (rounds - 1) < left)
        rounds++;
    simulate(self, question, left, random); /* so that there is a chance to tell even without a choice */
    while (left > 1) {
        round++;
        const float share = 0.97f * (float)round / (float)rounds;
        do
            simulate(self, question, left, random);
        while (spent(budget, self) < share);
        sort(self->candidate, left, chance_of);
        const unsigned kept = (left + 1) / 2;
        for (unsigned index = kept; index < left; index++)
            self->candidate[index].behind = chance_of(&self->candidate[0]) - chance_of(&self->candidate[index]);
        left = kept;
    }
}

/* The lots of the candidates: the best one has nearly all, and in a dispute what comes close has some, or others could
 * read the sheet from the answer. */
static void draw_lots(const rollout *self, const gral_open *open, float lot[CANDIDATES_MAX])
{
    const bool dispute = open->phase == GRAL_OBJECTION || open->phase == GRAL_ANSWER;
    const float width = dispute ? 0.01f : 0;
    float least = 1e9f, sum = 0;
    for (unsigned index = 0; index < self->candidates; index++)
        least = self->candidate[index].behind < least ? self->candidate[index].behind : least;
    for (unsigned index = 0; index < self->candidates; index++) {
        const float behind = self->candidate[index].behind - least;
        const float close = width > 0 ? 1 - behind / (2 * width) : behind <= 0;
        lot[index] = close > 0 ? close * close * close : 0;
        sum += lot[index];
    }
    for (unsigned index = 0; index < self->candidates; index++)
        lot[index] /= sum;
}

static const candidate *draw_candidate(const rollout *self, const gral_open *open, gral_random *random)
{
    float lot[CANDIDATES_MAX];
    draw_lots(self, open, lot);
    float at = (float)gral_random_below(random, 1 << 20) / (1 << 20);
    unsigned chosen = 0;
    for (unsigned index = 0; index < self->candidates && at >= 0; index++)
        if (lot[index] > 0) {
            chosen = index;
            at -= lot[index];
        }
    return &self->candidate[chosen];
}

static void expect_others(rollout *self, const gral_view *view)
{
    for (unsigned seat = 0; seat < view->open.players; seat++)
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
            self->hunch.expected[seat][pawn] = seat == view->seat
                                                   ? 0
                                                   : (uint8_t)belief_quantile(&self->belief, seat, pawn, 0.4f);
}

/* Never more than it can play on: so few simulations are quick. */
static unsigned guesses_of(const rollout *self)
{
    const uint32_t simulations = self->words.simulations;
    return simulations > 0 && simulations < GUESSES ? simulations : GUESSES;
}

/* Looks for a win that can hardly fail, then thinks. */
static void consider(rollout *self, const gral_question *question, gral_clock *clock, gral_random *random)
{
    const budget budget = budget_of(self, clock);
    self->simulations = 0;
    belief_form(&self->belief, question, guesses_of(self), MEMORY, random);
    expect_others(self, question->view);
    choose_candidates(self, question);
    float leads[GRAL_PAWNS];
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        leads[pawn] = belief_leads(&self->belief, pawn, true);
    for (unsigned index = 0; index < self->candidates; index++)
        if (tactics_wins(question, leads, self->candidate[index].action)) {
            self->candidate[0] = self->candidate[index];
            self->candidate[0].sum = self->candidate[0].visits = 1;
            self->candidates = 1;
            return;
        }
    think(self, question, &budget, random);
}

/* What to say for a candidate now: of a whole assignment its first unit. */
static gral_action first_word(const candidate *candidate, const gral_view *view)
{
    if (view->open.phase == GRAL_PLACING && candidate->pawn != GRAL_NO_PAWN)
        return gral_place(next_unit(&view->sheet[view->seat], candidate->points), candidate->pawn);
    return candidate->action;
}

/* In the midst of an assignment the thinking is done, and the rest follows quickly: were every unit thought about, the
 * time would tell how many are placed (R10.2). */
static bool goes_on_placing(const gral_question *question)
{
    return question->view->open.phase == GRAL_PLACING && question->heard_count > 0 &&
           question->heard[question->heard_count - 1].action.verb == GRAL_PLACE;
}

static gral_action go_on_placing(rollout *self, const gral_question *question, gral_random *random)
{
    const float doubt = 0.15f;
    const gral_view *view = question->view;
    const gral_sheet *sheet = &view->sheet[view->seat];
    const unsigned pawn = question->heard[question->heard_count - 1].action.pawn;
    belief_form(&self->belief, question, guesses_of(self), MEMORY, random);
    const unsigned wanted = points_to_lead(self, view, pawn, doubt);
    return wanted == 0 || wanted > gral_units_worth(sheet->units) ? gral_say(GRAL_DONE)
                                                                  : gral_place(next_unit(sheet, wanted), pawn);
}

static gral_action decide(gral_player *player, const gral_question *question, gral_clock *clock)
{
    rollout *self = (rollout *)player;
    const gral_view *view = question->view;
    gral_random random = gral_random_from(question->seed);
    if (gral_options_count(question->options) == 1)
        return gral_options_pick(question->game, &view->open, question->options, 0);
    if (view->open.phase == GRAL_OPENING)
        return policy_act(question->game, &view->open, &view->sheet[view->seat], &traits, NULL, &random);
    if (goes_on_placing(question))
        return go_on_placing(self, question, &random);
    consider(self, question, clock, &random);
    return first_word(draw_candidate(self, &view->open, &random), view);
}

static float standing_of(const candidate *candidate)
{
    return -candidate->behind;
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

static void add_thought(gral_explanation *explanation, gral_action action, float chance, float weight)
{
    for (unsigned index = 0; index < explanation->thoughts; index++)
        if (gral_same_action(explanation->thought[index].action, action)) {
            explanation->thought[index].weight += weight;
            return;
        }
    if (explanation->thoughts < GRAL_THOUGHTS_MAX)
        explanation->thought[explanation->thoughts++] = (gral_thought){action, chance, weight};
}

static void explain(gral_player *player, const gral_question *question, gral_clock *clock,
                    gral_explanation *explanation)
{
    rollout *self = (rollout *)player;
    const gral_view *view = question->view;
    gral_random random = gral_random_from(question->seed);
    if (view->open.phase == GRAL_OPENING) {
        add_thought(explanation, decide(player, question, clock), 0, 1);
        return;
    }
    float lot[CANDIDATES_MAX];
    consider(self, question, clock, &random);
    sort(self->candidate, self->candidates, standing_of);
    draw_lots(self, &view->open, lot);
    for (unsigned index = 0; index < self->candidates; index++)
        add_thought(explanation, first_word(&self->candidate[index], view),
                    larger(0, chance_of(&self->candidate[0]) - self->candidate[index].behind), lot[index]);
    explanation->simulations = self->simulations;
}

static gral_player *make(const player_maker *maker, const player_words *words)
{
    rollout *self = calloc(1, sizeof *self);
    if (self == NULL)
        return NULL;
    self->player.kind = &maker->kind;
    self->words = *words;
    if (words->simulations == 0 && words->milliseconds == 0)
        self->words.simulations = USUAL_SIMULATIONS;
    return &self->player;
}

const player_maker rollout_maker = {
    .kind = {.name = "rollout",
             .summary = "believes, and simulates by hand-written rules",
             .decide = decide,
             .explain = explain,
             .free = player_free_plain},
    .takes = WORD_BUDGET,
    .expected = "expected a budget like 100ms or 2000sims",
    .ponders = true,
    .make = make,
};
