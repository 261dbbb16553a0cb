#include "hosted.h"

unsigned hosted_seat(const gral_host *host)
{
    const unsigned thinking = gral_host_thinking(host);
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        if (thinking >> seat & 1)
            return seat;
    return GRAL_NOBODY;
}

static bool give(gral_host *host, const gral_input *input, gral_text *inputs)
{
    if (gral_host_check(host, input, 0) != GRAL_ACCEPTED || gral_host_apply(host, input, 0) != GRAL_ACCEPTED)
        return false;
    gral_input_print(inputs, input);
    gral_text_add(inputs, "\n");
    return true;
}

bool hosted_step(gral_host *host, gral_text *inputs)
{
    const unsigned seat = hosted_seat(host);
    gral_task task;
    if (seat == GRAL_NOBODY || !gral_host_task(host, seat, &task))
        return false;
    gral_error error;
    gral_player *player = gral_player_make(gral_span_of(task.player), &error);
    bool done = false, offers = false;
    if (player != NULL) {
        /* The salt is nobody's secret here. */
        gral_input decision = {
            .kind = GRAL_INPUT_DO, .seat = (uint8_t)seat, .other = GRAL_NOBODY, .computer = true, .salted = true};
        gral_input offer = {.kind = GRAL_INPUT_OFFER, .seat = (uint8_t)seat, .other = GRAL_NOBODY, .computer = true};
        decision.action_count = (uint8_t)gral_task_think(&task, player, NULL, decision.action, &offer.offer, &offers);
        done = give(host, &decision, inputs) && (!offers || give(host, &offer, inputs));
        gral_player_free(player);
    }
    gral_task_free(&task);
    return done;
}
