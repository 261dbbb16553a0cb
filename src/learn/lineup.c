#include "lineup.h"

#include <string.h>

enum { ROLLOUT = 3, ISMCTS, MEDLEY = LADDER + 4 };
static const char *const ladder_names[LADDER] = {"random", "greedy",
                                                 "rules", [ROLLOUT] = "rollout:16sims", [ISMCTS] = "ismcts:60sims"};

/* What is hard at a small table may be easy at a large one. */
static unsigned size_of(unsigned players)
{
    return players == 2 ? 0 : players <= 4 ? 1 : 2;
}

bool lineup_make(lineup *lineup)
{
    gral_error error;
    bool made = true;
    for (unsigned rung = 0; rung < LADDER; rung++) {
        lineup->ladder[rung] = gral_player_make(gral_span_of(ladder_names[rung]), &error);
        made = made && lineup->ladder[rung] != NULL;
    }
    return made;
}

void lineup_free(lineup *lineup)
{
    for (unsigned rung = 0; rung < LADDER; rung++)
        gral_player_free(lineup->ladder[rung]);
}

void lineup_forget(lineup *lineup)
{
    for (unsigned size = 0; size < TABLE_SIZES; size++)
        for (unsigned rival = 0; rival < RIVALS; rival++)
            lineup->lost[size][rival] = 0.5f;
}

static uint32_t below(slot *slot, uint32_t bound)
{
    return gral_random_below(&slot->chance, bound);
}

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

gral_settings lineup_settings(unsigned slot)
{
    const table_kind kind = table_kinds[slot % TABLE_KINDS];
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

sitter lineup_learner(void)
{
    return (sitter){.learns = true, .last = NO_MOMENT};
}

static bool is_of(unsigned rival, unsigned company)
{
    if (rival < LADDER)
        return company == COMPANY_LADDER;
    return company == COMPANY_SCRIPTS && script_use_of(&script_makers[rival - LADDER]) == SCRIPT_FOR_TRAINING;
}

static unsigned draw_rival(const lineup *lineup, slot *slot)
{
    const float *lost = lineup->lost[size_of(slot->ground.next.players)];
    const bool small = slot->ground.next.players <= 4; /* at larger tables searching takes too long */
    float sum = 0;
    unsigned chosen = 0;
    for (unsigned rival = 0; rival < RIVALS; rival++) {
        const float part = rival == ROLLOUT  ? small * 0.1f /* takes five times as long as ismcts and teaches less */
                           : rival == ISMCTS ? small * 0.6f
                           : rival == MEDLEY ? 2.5f
                                             : 1;
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

void lineup_send_home(slot *slot)
{
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++) {
        gral_player_free(slot->guest[seat]);
        gral_player_free(slot->guide[seat]);
        slot->guest[seat] = slot->guide[seat] = NULL;
    }
}

/* A guest: a net, or a rival. */
static sitter guest(lineup *lineup, slot *slot, const arena_plan *plan, unsigned seat)
{
    sitter sitter = {.net = slot->opponent, .last = NO_MOMENT};
    if (slot->company != COMPANY_LADDER && slot->company != COMPANY_SCRIPTS)
        return sitter;
    if (plan->against != NULL) {
        sitter.script = plan->against;
        return sitter;
    }
    const unsigned rival = draw_rival(lineup, slot);
    slot->rival = (uint8_t)rival;
    if (rival >= LADDER)
        slot->guest[seat] = draw_script(slot, rival - LADDER);
    sitter.script = rival < LADDER ? lineup->ladder[rival] : slot->guest[seat];
    if (sitter.script == NULL)
        sitter.script = lineup->ladder[0];
    return sitter;
}

/* At larger tables either one learner meets all the others, or about half of them are the learner too, so that more is
 * learned from each game. Half of the time all guests are of one mind. */
static void seat_all(lineup *lineup, slot *slot, const arena_plan *plan, const arena_nets *nets)
{
    const unsigned players = slot->ground.next.players, first = below(slot, players);
    lineup_send_home(slot);
    slot->company = (uint8_t)draw_company(slot, plan);
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
        slot->sitter[seat] = learns ? lineup_learner() : model != NULL ? *model : guest(lineup, slot, plan, seat);
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

void lineup_next(lineup *lineup, slot *slot, const arena_plan *plan, const arena_nets *nets)
{
    seat_all(lineup, slot, plan, nets);
    draw_wishes(slot, plan->hungry);
    slot->wild = 0;
    slot->bold = 0;
    memset(slot->plan, 0, sizeof slot->plan);
    slot->coolness = 1;
    if (plan->strange) {
        draw_strangeness(slot);
        draw_guidance(slot);
    }
    const bool scripts = slot->company == COMPANY_LADDER || slot->company == COMPANY_SCRIPTS;
    slot->ground.record = scripts ? &slot->record : NULL;
    gral_ground_restart(&slot->ground);
    if (plan->strange)
        begin_otherwise(slot);
}

void lineup_remember(lineup *lineup, const slot *slot, gral_ending ending)
{
    const float lost = ending.winner == GRAL_NOBODY ? 0.5f : !slot->sitter[ending.winner].learns;
    float *mean = &lineup->lost[size_of(ending.players)][slot->rival];
    *mean += 0.03f * (lost - *mean);
}
