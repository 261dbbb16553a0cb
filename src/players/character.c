#include "character.h"

static const character characters[] = {
    {"plain", NULL, NULL, {0}, {.trust = 0.8f, .honesty = 0.8f, .chatter = 0.6f}},
    {"renard",
     "fox",
     "Renard",
     {[LEANS_ANNOUNCING] = 0.6f, [LEANS_EMPTY] = 1.2f, [LEANS_OBJECTING] = 0.5f, [LEANS_INSISTING] = 0.4f},
     {.trust = 0.4f, .honesty = 0.3f, .chatter = 0.9f}},
    {"odile",
     "owl",
     "Odile",
     {[LEANS_OBJECTING] = -1.2f, [LEANS_INSISTING] = -1, [LEANS_UNCOVERING] = -0.6f},
     {.trust = 0.5f, .honesty = 1, .chatter = 0.3f}},
    {"lupo",
     "wolf",
     "Lupo",
     {[LEANS_OBJECTING] = 0.4f, [LEANS_INSISTING] = 0.3f, [LEANS_UNCOVERING] = 4},
     {.trust = 0.6f, .honesty = 0.6f, .chatter = 0.7f}},
    {"bruno",
     "ox",
     "Bruno",
     {[LEANS_ANNOUNCING] = -0.6f, [LEANS_EMPTY] = -2, [LEANS_UNCOVERING] = -0.4f},
     {.trust = 1, .honesty = 1, .chatter = 0.4f}},
    {"isolde",
     NULL,
     "Isolde",
     {[LEANS_OBJECTING] = -0.8f, [LEANS_BOASTING] = 1.5f},
     {.trust = 0.5f, .honesty = 0.8f, .chatter = 0.2f}},
    {"hugo",
     NULL,
     "Hugo",
     {[LEANS_OBJECTING] = 0.3f, [LEANS_BOASTING] = 0.8f, [LEANS_DARING] = 1},
     {.trust = 0.7f, .honesty = 0.7f, .chatter = 0.7f}},
    {"morgana",
     NULL,
     "Morgana",
     {[LEANS_INSISTING] = 0.3f, [LEANS_UNCOVERING] = 0.4f, [LEANS_GRUDGES] = 2},
     {.trust = 0.2f, .honesty = 0.6f, .chatter = 0.5f}},
    {"pia",
     NULL,
     "Pia",
     {[LEANS_ANNOUNCING] = 0.2f, [LEANS_OBJECTING] = 0.4f},
     {.trust = 0.9f, .honesty = 0.6f, .chatter = 1}},
    {"tristan",
     NULL,
     "Tristan",
     {[LEANS_OBJECTING] = -0.4f, [LEANS_UNCOVERING] = -1.2f, [LEANS_GRUDGES] = -1},
     {.trust = 1, .honesty = 1, .chatter = 0.8f}},
    {"ursula",
     NULL,
     "Ursula",
     {[LEANS_EMPTY] = -0.6f, [LEANS_OBJECTING] = 0.4f, [LEANS_INSISTING] = 3, [LEANS_GRUDGES] = 0.5f},
     {.trust = 0.4f, .honesty = 0.9f, .chatter = 0.4f}},
    {"yusuf",
     NULL,
     "Yusuf",
     {[LEANS_ANNOUNCING] = -0.4f,
      [LEANS_PLACING] = -0.3f,
      [LEANS_OBJECTING] = -0.2f,
      [LEANS_BOASTING] = -0.6f,
      [LEANS_DARING] = -0.5f},
     {.trust = 0.7f, .honesty = 0.9f, .chatter = 0.3f}},
    {"zaida",
     NULL,
     "Zaida",
     {[LEANS_EMPTY] = 0.8f, [LEANS_OBJECTING] = 0.2f, [LEANS_BOASTING] = -0.8f, [LEANS_UNCOVERING] = 0.6f},
     {.trust = 0.1f, .honesty = 0.1f, .chatter = 0.9f}},
};

const character *character_at(unsigned index)
{
    return index < sizeof characters / sizeof *characters ? &characters[index] : NULL;
}

const char *gral_character_key(unsigned index)
{
    const character *found = character_at(index + 1); /* after nobody in particular */
    return found != NULL ? found->key : NULL;
}

unsigned character_grudge(const gral_question *question)
{
    const uint8_t seat = question->view->seat;
    unsigned grudge = GRAL_NOBODY, objector = GRAL_NOBODY;
    for (size_t index = 0; index < question->heard_count; index++) {
        const gral_entry *entry = &question->heard[index];
        if (entry->action.verb == GRAL_OBJECT)
            objector = entry->seat;
        else if (entry->action.verb == GRAL_YIELD && entry->seat == seat)
            grudge = objector;
    }
    return grudge;
}

/* An objection to what he proposes, or an uncovering that costs him what he has shown. */
static bool is_against(const gral_open *open, unsigned grudge, gral_action action)
{
    if (grudge == GRAL_NOBODY)
        return false;
    return action.verb == GRAL_OBJECT ? open->active == grudge
                                      : action.target != GRAL_NO_PAWN && gral_floor(open, grudge, action.target) > 0;
}

static bool is_daring(const gral_open *open, gral_action action)
{
    return action.verb == GRAL_KEEP || (action.verb == GRAL_STEP && open->bearer == action.pawn);
}

static bool nothing_placed(const gral_outlook *outlook)
{
    return outlook->open->phase == GRAL_PLACING && outlook->memory->last_pawn == GRAL_NO_PAWN;
}

float character_leaning(const character *character, const gral_outlook *outlook, unsigned grudge, gral_action action)
{
    const float *lean = character->lean;
    float sum = is_against(outlook->open, grudge, action) ? lean[LEANS_GRUDGES] : 0;
    if (action.target != GRAL_NO_PAWN)
        return sum + lean[LEANS_UNCOVERING];
    if (is_daring(outlook->open, action))
        sum += lean[LEANS_DARING];
    switch ((enum gral_verb)action.verb) {
    case GRAL_ASSIGN:
        return sum + lean[LEANS_ANNOUNCING];
    case GRAL_PLACE:
        return sum + lean[LEANS_PLACING];
    case GRAL_DONE:
        return sum + (nothing_placed(outlook) ? lean[LEANS_EMPTY] : 0);
    case GRAL_OBJECT:
    case GRAL_CLAIM:
        return sum + lean[action.verb == GRAL_OBJECT ? LEANS_OBJECTING : LEANS_INSISTING] +
               (action.points > outlook->options->least ? lean[LEANS_BOASTING] : 0);
    default:
        return sum;
    }
}
