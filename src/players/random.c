/* The bottom of the ladder: any legal action, each as likely as any other. */
#include "kinds.h"

static gral_action decide(gral_player *player, const gral_question *question, gral_clock *clock)
{
    (void)player, (void)clock;
    gral_random random = gral_random_from(question->seed);
    const unsigned index = gral_random_below(&random, gral_options_count(question->options));
    return gral_options_pick(question->game, &question->view->open, question->options, index);
}

const player_maker random_maker = {
    .kind = {.name = "random", .summary = "any legal action", .decide = decide, .free = player_free_plain},
    .make = player_make_plain,
};
