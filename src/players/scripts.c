#include "scripts.h"

#include "distance.h"
#include "script_families.h"
#include "tactics.h"

#include <stdlib.h>
#include <string.h>

static const script_family *family_of(const player_maker *maker)
{
    return &script_families[maker - script_makers];
}

enum script_use script_use_of(const player_maker *maker)
{
    return family_of(maker)->use;
}

/* --- how all of them play --- */

/* The largest unit that does not go beyond what is missing, else the smallest there is. */
static unsigned unit_for(const desk *desk, unsigned missing)
{
    unsigned smallest = 0;
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++) {
        if (desk->sheet->units[kind] == 0)
            continue;
        smallest = gral_unit_value[kind];
        if (smallest <= missing)
            break;
    }
    return smallest;
}

static bool can_serve(const desk *desk, wish wish)
{
    return wish.pawn != GRAL_NO_PAWN && gral_on_board(desk->open, wish.pawn) &&
           wish.total > desk->sheet->influence[wish.pawn] && gral_units_worth(desk->sheet->units) > 0;
}

static gral_action place(const desk *desk, wish wish)
{
    if (!can_serve(desk, wish) || !(desk->options->pawns >> wish.pawn & 1))
        return gral_say(GRAL_DONE);
    return gral_place(unit_for(desk, wish.total - desk->sheet->influence[wish.pawn]), wish.pawn);
}

static bool can_assign(const desk *desk)
{
    return desk->options->verbs >> GRAL_ASSIGN & 1;
}

/* How much good a step does: ends the game for us, brings whom we lead nearer; anything else as little as possible for
 * anybody. */
static int worth_of_step(const desk *desk, aim aim, gral_action step)
{
    enum { WINS = 10000, NEARER = 1000 };
    if (tactics_can_end(desk->game, desk->open, step))
        return desk_would_win(desk, step.pawn, step.field) ? WINS : -WINS;
    const unsigned from = desk->open->pawn[step.pawn];
    if (step.pawn == aim.pawn)
        return NEARER * ((int)distance(from, aim.field) - (int)distance(step.field, aim.field));
    const unsigned way = distance_to_go(desk->game, desk->open, desk->seat, step.pawn, step.field);
    const int others = desk_has_grail(desk, step.pawn) ? -8 : 0;
    return others + (int)way - (int)desk_way_to_go(desk, step.pawn);
}

static gral_action turn(const script_family *family, const desk *desk)
{
    const bool wishes = can_assign(desk) && can_serve(desk, family->wish(desk));
    const aim aim = family->aim(desk);
    gral_action best = gral_say(GRAL_NOTHING);
    int best_worth = INT32_MIN;
    const unsigned count = gral_options_count(desk->options);
    for (unsigned index = 0; index < count; index++) {
        const gral_action action = gral_options_pick(desk->game, desk->open, desk->options, index);
        int worth;
        if (action.verb == GRAL_ASSIGN) /* what else there is to do for it is to say that it assigns */
            worth = wishes ? 2000 : 10;
        else if (action.target != GRAL_NO_PAWN)
            worth = family->strikes != NULL && family->strikes(desk, action) ? 5000 : -20000;
        else
            worth = worth_of_step(desk, aim, action);
        worth = 4 * worth + (int)gral_random_below(desk->random, 4);
        if (worth > best_worth) {
            best_worth = worth;
            best = action;
        }
    }
    return best;
}

static gral_action figure(const script_family *family, const desk *desk, enum gral_verb refusal, unsigned ready)
{
    const gral_options *options = desk->options;
    if (options->points_verb == GRAL_NOTHING || options->least > ready)
        return gral_say(refusal);
    const unsigned points = family->loud ? ready : options->least;
    return refusal == GRAL_PASS ? gral_object(points) : gral_claim(points);
}

/* It insists on what it wants and lets the rest go. */
static unsigned insists_up_to(const script_family *family, const desk *desk)
{
    const gral_action proposal = desk->open->proposal;
    const bool wanted = proposal.target != GRAL_NO_PAWN || proposal.pawn == family->aim(desk).pawn ||
                        desk_leads(desk, proposal.pawn);
    return wanted ? desk->sheet->influence[proposal.pawn] : 0;
}

/* It takes the grail along, but not home for somebody else. */
static gral_action handle_grail(const desk *desk)
{
    const gral_open *open = desk->open;
    const unsigned pawn = open->proposal.pawn;
    const bool ends = open->stage == GRAL_FREED ? desk->game->pickup_ends[pawn] >> open->grail & 1
                                                : tactics_can_end(desk->game, open, open->proposal);
    return gral_say(ends && !desk_would_win(desk, pawn, open->proposal.field) ? GRAL_LEAVE : GRAL_KEEP);
}

typedef struct script {
    gral_player player;
    const script_family *family;
    uint8_t trait[SCRIPT_TRAITS];
} script;

static gral_action decide(gral_player *player, const gral_question *question, gral_clock *clock)
{
    (void)clock;
    const script *script = (const struct script *)player;
    const gral_view *view = question->view;
    gral_random random = gral_random_from(question->seed);
    const desk desk = {.game = question->game,
                       .open = &view->open,
                       .sheet = &view->sheet[view->seat],
                       .options = question->options,
                       .question = question,
                       .trait = script->trait,
                       .random = &random,
                       .seat = view->seat};
    const script_family *family = script->family;
    switch ((enum gral_phase)view->open.phase) {
    case GRAL_OPENING:
        return place(&desk, family->opening != NULL ? family->opening(&desk) : desk_no_wish);
    case GRAL_PLACING:
        return place(&desk, family->wish(&desk));
    case GRAL_TURN:
        return turn(family, &desk);
    case GRAL_OBJECTION:
        return figure(family, &desk, GRAL_PASS, family->goes_to(&desk));
    case GRAL_ANSWER:
        return figure(family, &desk, GRAL_YIELD, insists_up_to(family, &desk));
    default:
        return handle_grail(&desk);
    }
}

static gral_player *make(const player_maker *maker, const player_words *words)
{
    script *script = malloc(sizeof *script);
    if (script == NULL)
        return NULL;
    script->player.kind = &maker->kind;
    script->family = family_of(maker);
    for (unsigned trait = 0; trait < SCRIPT_TRAITS; trait++)
        script->trait[trait] = words->trait_given >> trait & 1 ? words->trait[trait]
                                                               : script->family->trait[trait].usual;
    return &script->player;
}

#define SCRIPT(family, idea, traits)                                                                                   \
    .kind = {.name = family, .summary = idea, .decide = decide, .free = player_free_plain}, .takes = WORD_TRAITS,      \
    .expected = "expected " traits, .make = make

const player_maker script_makers[] = {
    {SCRIPT("waiter", "waits and outbids whoever comes near home", "steps=1 to 3, all or enough, or lure=0 to 60")},
    {SCRIPT("carrier", "builds on two initiates in secret",
            "steps=1 to 3, all or enough, first=20 to 60, or second=10 to 30")},
    {SCRIPT("uncoverer", "uncovers the bearer before he is home",
            "steps=1 to 3, all or enough, initiates=1 to 4, or points=10 to 24")},
    {SCRIPT("blocker", "objects to everything", "steps=1 to 3, all or enough, initiates=3 to 8, or points=1 to 12")},
    {SCRIPT("medley", "a bit of several ideas",
            "opens=1 to 4, wants=1 to 4, leads=1 to 5, strikes=1 to 4, resists=1 to 4, steps=1 to 3, all or enough, "
            "initiates=1 to 4, or points=10 to 30")},
    {SCRIPT("ambusher", "has the grail carried to the wrong house",
            "steps=1 to 3, initiates=2 to 4, or points=10 to 20")},
    {SCRIPT("shadow", "bets on whomever the others lead", "steps=1 to 3, or points=2 to 10")},
    {SCRIPT("sprinter", "everything on one initiate", "all or enough, or first=50 to 100")},
    {SCRIPT("miser", "waits so many turns and then runs", "all or enough, or turns=3 to 30")},
    {SCRIPT("thief", "robs the bearer wherever he is", "steps=1 to 3, all or enough, or points=10 to 20")},
    {SCRIPT("spoiler", "uncovers whomever others lead", "initiates=1 to 4, or points=10 to 30")},
    {SCRIPT("creditor", "lets the others spend first", "all or enough, or first=5 to 60")},
    {SCRIPT("mirror", "does the same with the other initiate of the society",
            "steps=1 to 3, all or enough, or points=5 to 20")},
};

/* --- traits as words --- */

typedef struct trait_word {
    const char *word;
    enum script_trait trait;
    uint8_t value; /* 0: a number follows */
} trait_word;

static const trait_word trait_words[] = {
    {"steps=", TRAIT_STEPS, 0},     {"all", TRAIT_SPEND, SPEND_ALL}, {"enough", TRAIT_SPEND, SPEND_ENOUGH},
    {"lure=", TRAIT_LURE, 0},       {"first=", TRAIT_FIRST, 0},      {"second=", TRAIT_SECOND, 0},
    {"initiates=", TRAIT_COUNT, 0}, {"points=", TRAIT_POINTS, 0},    {"turns=", TRAIT_TURNS, 0},
    {"opens=", TRAIT_OPENS, 0},     {"wants=", TRAIT_WANTS, 0},      {"leads=", TRAIT_LEADS, 0},
    {"strikes=", TRAIT_STRIKES, 0}, {"resists=", TRAIT_RESISTS, 0},
};
enum { TRAIT_WORDS = sizeof trait_words / sizeof *trait_words };

static bool read_value(gral_span digits, uint8_t *value)
{
    unsigned number = 0;
    if (digits.length == 0 || digits.length > 3)
        return false;
    for (size_t at = 0; at < digits.length; at++) {
        if (digits.bytes[at] < '0' || digits.bytes[at] > '9')
            return false;
        number = 10 * number + (unsigned)(digits.bytes[at] - '0');
    }
    *value = (uint8_t)number;
    return number <= UINT8_MAX;
}

static bool read_trait_word(const trait_word *known, gral_span word, uint8_t *value)
{
    const size_t length = strlen(known->word);
    if (word.length < length || memcmp(word.bytes, known->word, length) != 0)
        return false;
    if (known->value == 0)
        return read_value((gral_span){word.bytes + length, word.length - length}, value);
    *value = known->value;
    return word.length == length;
}

bool script_read_trait(const player_maker *maker, gral_span word, player_words *words)
{
    for (unsigned index = 0; index < TRAIT_WORDS; index++) {
        const enum script_trait trait = trait_words[index].trait;
        const script_range range = family_of(maker)->trait[trait];
        uint8_t value;
        if (range.most == 0 || !read_trait_word(&trait_words[index], word, &value) || value < range.least ||
            value > range.most)
            continue;
        words->trait[trait] = value;
        words->trait_given |= 1u << trait;
        return true;
    }
    return false;
}

static void print_trait(gral_text *text, enum script_trait trait, unsigned value)
{
    for (unsigned index = 0; index < TRAIT_WORDS; index++) {
        const trait_word *known = &trait_words[index];
        if (known->trait != trait || (known->value != 0 && known->value != value))
            continue;
        gral_text_add(text, known->word);
        if (known->value == 0)
            gral_text_add_number(text, value);
    }
}

void script_draw(const player_maker *maker, gral_random *random, gral_text *text)
{
    const script_family *family = family_of(maker);
    const char *before = ":";
    gral_text_add(text, maker->kind.name);
    for (unsigned trait = 0; trait < SCRIPT_TRAITS; trait++) {
        const script_range range = family->trait[trait];
        if (range.most == 0)
            continue;
        gral_text_add(text, before);
        print_trait(text, (enum script_trait)trait,
                    range.least + gral_random_below(random, range.most - range.least + 1u));
        before = ",";
    }
}
