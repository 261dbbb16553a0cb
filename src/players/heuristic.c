/* The hand-written player: the policy's best action, nearly always. It has no memory and no search. */
#include "kinds.h"
#include "policy.h"

static gral_action decide(gral_player *player, const gral_question *question, gral_clock *clock)
{
    (void)player, (void)clock;
    gral_random random = gral_random_from(question->seed);
    const gral_view *view = question->view;
    return policy_act(question->game, &view->open, &view->sheet[view->seat], &policy_middling, NULL, &random);
}

const player_maker heuristic_maker = {
    .kind = {.name = "heuristic", .summary = "plays by rules of thumb", .decide = decide, .free = player_free_plain},
    .alias = "rules",
    .make = player_make_plain,
};
