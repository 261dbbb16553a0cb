#include "server/news.h"

#include "rating/rating.h"

#include <string.h>

enum { TRIES = 6, LONGER = 4, QUARTER = 4 };

const char *const news_names[STORE_EVENTS] = {[STORE_TURN] = "turn",
                                              [STORE_CLOCK] = "clock",
                                              [STORE_INVITED] = "invited",
                                              [STORE_ENDED] = "over",
                                              [STORE_ROUND] = "round"};

enum store_event news_named(gral_span name)
{
    unsigned event = 0;
    while (event < STORE_EVENTS &&
           (strlen(news_names[event]) != name.length || memcmp(name.bytes, news_names[event], name.length) != 0))
        event++;
    return (enum store_event)event;
}

bool news_is_worth_it(const gral_terms *terms)
{
    return rating_is_by_days(terms);
}

news_standing news_stand(const gral_host *host, uint64_t user)
{
    const gral_round round = gral_host_round(host);
    news_standing standing = {.stage = gral_host_stage(host),
                              .version = gral_host_version(host),
                              .deadline = round.deadline,
                              .given = round.given};
    for (unsigned seat = 0; seat < gral_host_terms(host)->settings.players; seat++) {
        const gral_host_seat at = gral_host_seat_at(host, seat);
        if (at.user != user)
            continue;
        standing.sits = true;
        standing.resigned = at.resigned;
        standing.asked = gral_host_waiting(host) >> seat & 1;
    }
    return standing;
}

int64_t news_warning(const news_standing *standing)
{
    return standing->deadline == 0 ? 0 : standing->deadline - standing->given / QUARTER;
}

static bool is_asked_that(const news_standing *standing, uint32_t number)
{
    return standing->stage == GRAL_PLAYING && standing->asked && standing->version == number;
}

static enum news_verdict judge_warning(const news_standing *standing, int64_t now, int64_t *until)
{
    if (standing->deadline == 0 || now >= standing->deadline)
        return NEWS_DROP;
    *until = news_warning(standing);
    return now < *until ? NEWS_WAIT : NEWS_TELL; /* the clock has stood still since that was worked out */
}

enum news_verdict news_judge(enum store_event event, uint32_t number, const news_standing *standing, int64_t now,
                             int64_t *until)
{
    bool matters = false;
    switch (event) {
    case STORE_TURN:
        matters = is_asked_that(standing, number);
        break;
    case STORE_CLOCK:
        if (is_asked_that(standing, number) && judge_warning(standing, now, until) == NEWS_WAIT)
            return NEWS_WAIT; /* whether he looks now says nothing */
        matters = is_asked_that(standing, number) && judge_warning(standing, now, until) == NEWS_TELL;
        break;
    case STORE_INVITED:
        matters = standing->stage == GRAL_GATHERING && !standing->sits;
        break;
    case STORE_ROUND:
        matters = standing->stage == GRAL_PLAYING && standing->asked;
        break;
    case STORE_ENDED:
        matters = standing->stage == GRAL_ENDED && standing->sits && !standing->resigned;
        break;
    default:
        return NEWS_TELL; /* he has asked for it himself */
    }
    return matters && !standing->looks ? NEWS_TELL : NEWS_DROP;
}

int64_t news_patience(unsigned tries, int64_t first)
{
    if (tries >= TRIES)
        return 0;
    for (unsigned count = 1; count < tries; count++)
        first *= LONGER;
    return first;
}
