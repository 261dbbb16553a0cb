#include "reasons.h"

#include "distance.h"
#include "tactics.h"

typedef struct reasoning {
    const gral_question *question;
    const gral_open *open;
    const surmise *surmise;
    unsigned seat;
    gral_explanation *explanation;
} reasoning;

static void add(const reasoning *reasoning, gral_reason reason)
{
    gral_explanation *explanation = reasoning->explanation;
    if (explanation->reasons < GRAL_REASONS_MAX)
        explanation->reason[explanation->reasons++] = reason;
}

/* The other player who has shown most on an initiate; GRAL_NOBODY when nobody has shown anything. */
static unsigned rival_on(const reasoning *reasoning, unsigned pawn)
{
    unsigned rival = GRAL_NOBODY, most = 0;
    for (unsigned seat = 0; seat < reasoning->open->players; seat++)
        if (seat != reasoning->seat && gral_floor(reasoning->open, seat, pawn) > most) {
            most = gral_floor(reasoning->open, seat, pawn);
            rival = seat;
        }
    return rival;
}

static void tell_standing(const reasoning *reasoning, unsigned pawn)
{
    const unsigned rival = rival_on(reasoning, pawn);
    if (rival != GRAL_NOBODY)
        add(reasoning, (gral_reason){.kind = GRAL_REASON_SHOWN,
                                     .seat = (uint8_t)rival,
                                     .pawn = (uint8_t)pawn,
                                     .points = (uint8_t)gral_floor(reasoning->open, rival, pawn)});
    add(reasoning, (gral_reason){.kind = GRAL_REASON_STRONGEST,
                                 .seat = (uint8_t)reasoning->seat,
                                 .pawn = (uint8_t)pawn,
                                 .chance = surmise_leads(reasoning->surmise, reasoning->seat, pawn, true)});
}

static void tell_step(const reasoning *reasoning, gral_action step)
{
    const gral_game *game = reasoning->question->game;
    const gral_open *open = reasoning->open;
    if (tactics_can_end(game, open, step) && game->settings.rules != GRAL_ORIGINAL) {
        const bool sure = tactics_surely_leads(reasoning->question, step.pawn);
        add(reasoning,
            (gral_reason){.kind = sure ? GRAL_REASON_WINS_NOW : GRAL_REASON_MAY_WIN_NOW,
                          .pawn = step.pawn,
                          .chance = sure ? 1 : surmise_leads(reasoning->surmise, reasoning->seat, step.pawn, true)});
        return;
    }
    const unsigned from = open->pawn[step.pawn], home = game->home[step.pawn / 2];
    if (tactics_has_grail(open, step.pawn) && distance(step.field, home) < distance(from, home))
        add(reasoning, (gral_reason){.kind = GRAL_REASON_CARRIES_HOME,
                                     .pawn = step.pawn,
                                     .points = (uint8_t)distance(step.field, home)});
    else if (distance(step.field, open->grail) < distance(from, open->grail))
        add(reasoning, (gral_reason){.kind = GRAL_REASON_TOWARDS_GRAIL,
                                     .pawn = step.pawn,
                                     .points = (uint8_t)distance(step.field, open->grail)});
    tell_standing(reasoning, step.pawn);
}

/* Who is believed to lose most, and how much. */
static void tell_uncovering(const reasoning *reasoning, unsigned target)
{
    unsigned loser = GRAL_NOBODY, most = 0;
    for (unsigned seat = 0; seat < reasoning->open->players; seat++) {
        if (seat == reasoning->seat)
            continue;
        const unsigned loss = surmise_quantile(reasoning->surmise, seat, target, 0.5f);
        if (loser == GRAL_NOBODY || loss > most) {
            loser = seat;
            most = loss;
        }
    }
    add(reasoning,
        (gral_reason){
            .kind = GRAL_REASON_UNCOVERS, .seat = (uint8_t)loser, .pawn = (uint8_t)target, .points = (uint8_t)most});
}

/* Whether letting it pass is thought to be about as good. */
static bool may_as_well_pass(const gral_explanation *explanation)
{
    const float near = 0.05f;
    for (unsigned index = 1; index < explanation->thoughts; index++)
        if (explanation->thought[index].action.verb == GRAL_PASS)
            return explanation->thought[index].chance > explanation->thought[0].chance - near;
    return false;
}

/* Whoever else is likeliest to hold the most on an initiate: the game would end for him, whoever moves (R7.3). */
static void tell_win_stopped(const reasoning *reasoning, unsigned pawn)
{
    const float worth_telling = 0.3f;
    if (may_as_well_pass(reasoning->explanation))
        return;
    unsigned winner = GRAL_NOBODY;
    float most = worth_telling;
    for (unsigned seat = 0; seat < reasoning->open->players; seat++) {
        const float leads = surmise_leads(reasoning->surmise, seat, pawn, seat == reasoning->open->active);
        if (leads <= most)
            continue;
        most = leads;
        winner = seat;
    }
    if (winner != GRAL_NOBODY && winner != reasoning->seat)
        add(reasoning, (gral_reason){.kind = GRAL_REASON_STOPS_WIN, .seat = (uint8_t)winner, .pawn = (uint8_t)pawn});
}

static void tell_dispute(const reasoning *reasoning, gral_action action)
{
    const gral_open *open = reasoning->open;
    const unsigned pawn = open->proposal.pawn;
    const bool objecting = open->phase == GRAL_OBJECTION;
    const unsigned other = objecting ? open->active : open->objector;
    const bool stands_up = action.verb == GRAL_OBJECT || action.verb == GRAL_CLAIM;
    if (stands_up && objecting && tactics_can_end(reasoning->question->game, open, open->proposal))
        tell_win_stopped(reasoning, pawn);
    const unsigned points = stands_up ? action.points + (objecting ? 0u : 1u)
                                      : (objecting ? open->claim + 1u : open->objection);
    add(reasoning, (gral_reason){.kind = GRAL_REASON_HOLDS_AT_LEAST,
                                 .seat = (uint8_t)other,
                                 .pawn = (uint8_t)pawn,
                                 .points = (uint8_t)points,
                                 .chance = surmise_at_least(reasoning->surmise, other, pawn, points)});
    if (!stands_up && reasoning->question->options->points_verb != GRAL_NOTHING)
        add(reasoning, (gral_reason){.kind = GRAL_REASON_SAVES_SECRETS, .pawn = (uint8_t)pawn});
}

/* What is placed is never moved (R3.4). */
static void tell_kept_back(const reasoning *reasoning)
{
    const unsigned points = gral_units_worth(reasoning->question->view->sheet[reasoning->seat].units);
    if (points > 0)
        add(reasoning, (gral_reason){.kind = GRAL_REASON_KEEPS_BACK, .points = (uint8_t)points});
}

/* Everybody who gets something by the plan; or nobody does. */
static void tell_plan(const reasoning *reasoning)
{
    const gral_explanation *explanation = reasoning->explanation;
    bool told[GRAL_PAWNS] = {false}, any = false;
    for (unsigned place = 0; place < explanation->planned; place++) {
        const gral_action action = explanation->plan[place];
        if (action.verb != GRAL_PLACE || told[action.pawn])
            continue;
        any = told[action.pawn] = true;
        add(reasoning, (gral_reason){.kind = GRAL_REASON_BUILDS, .pawn = action.pawn});
    }
    if (!any)
        add(reasoning, (gral_reason){.kind = GRAL_REASON_BLUFF});
}

void reasons_find(const gral_question *question, const surmise *surmise, gral_explanation *explanation)
{
    const reasoning reasoning = {question, &question->view->open, surmise, question->view->seat, explanation};
    const gral_action action = explanation->thought[0].action;
    switch ((enum gral_verb)action.verb) {
    case GRAL_STEP:
        tell_step(&reasoning, action);
        break;
    case GRAL_KEEP:
    case GRAL_DROP:
    case GRAL_LEAVE:
        if (action.verb == GRAL_KEEP && reasoning.open->stage != GRAL_FREED)
            tell_step(&reasoning, reasoning.open->proposal);
        else
            tell_standing(&reasoning, reasoning.open->proposal.pawn);
        break;
    case GRAL_UNCOVER:
        tell_standing(&reasoning, action.pawn);
        break;
    case GRAL_ASSIGN:
        tell_plan(&reasoning);
        break;
    case GRAL_PLACE:
        add(&reasoning, (gral_reason){.kind = GRAL_REASON_BUILDS, .pawn = action.pawn});
        if (reasoning.open->phase == GRAL_PLACING) /* before the first turn there is nothing to compare with */
            tell_standing(&reasoning, action.pawn);
        break;
    case GRAL_OBJECT:
    case GRAL_CLAIM:
    case GRAL_PASS:
    case GRAL_YIELD:
        tell_dispute(&reasoning, action);
        break;
    case GRAL_DONE:
        tell_kept_back(&reasoning);
        break;
    default:
        break;
    }
    if (action.target != GRAL_NO_PAWN)
        tell_uncovering(&reasoning, action.target);
    if (explanation->thoughts > 1)
        add(&reasoning, (gral_reason){.kind = GRAL_REASON_BETTER_THAN, .chance = explanation->thought[1].chance});
}
