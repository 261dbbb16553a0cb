/* What counts. Whoever wins by the rules is first, and all others share the next place; in a draw all share the first.
 * Who has left is behind all who stayed, whatever became of his sheet: the sooner he left, the further. A computer
 * player that took his seat is nobody, so if it wins, those who stayed share the first place. */
#include "rating/rating.h"

#include "translate.h"

static const int64_t slow = INT64_C(60) * 60 * 1000; /* who has so long for a decision plays by days */

static bool has_computers(const gral_terms *terms)
{
    for (unsigned seat = 0; seat < terms->settings.players; seat++)
        if (terms->computer[seat][0] != '\0')
            return true;
    return false;
}

const char *rating_refuses(const gral_terms *terms)
{
    if (terms->settings.rules != GRAL_STANDARD)
        return N_("only the standard game can be rated");
    if (terms->clock == GRAL_CLOCK_NONE)
        return N_("a rated game needs a clock");
    for (unsigned seat = 0; seat < terms->settings.players; seat++)
        if (terms->computer[seat][0] != '\0' && gral_player_level(gral_span_of(terms->computer[seat])) == 0)
            return N_("only computer players with a level can play in a rated game");
    return NULL;
}

bool rating_is_by_days(const gral_terms *terms)
{
    return terms->clock == GRAL_CLOCK_NONE || (terms->clock == GRAL_CLOCK_MOVE ? terms->time : terms->answer) >= slow;
}

enum rating_class rating_class_of(const gral_terms *terms)
{
    const unsigned players = terms->settings.players;
    const unsigned kind = has_computers(terms)       ? RATING_TWO_COMPUTERS
                          : rating_is_by_days(terms) ? RATING_TWO_DAYS
                                                     : RATING_TWO_LIVE;
    return (enum rating_class)(kind + (players > 2) + (players > 4));
}

/* For each seat how much had happened when its person left for good; 0 for those who stayed. */
static void find_who_left(const gral_host *host, size_t left[GRAL_PLAYERS_MAX])
{
    gral_happening happening;
    gral_hearing hearing = gral_host_hearing(host, GRAL_SPECTATOR, 0);
    for (size_t heard = 1; gral_host_hear(&hearing, &happening); heard++) {
        if (happening.kind == GRAL_HAPPENED_HANDED)
            left[happening.seat] = heard;
        else if (happening.kind == GRAL_HAPPENED_BACK)
            left[happening.seat] = 0;
    }
}

unsigned rating_last_one(const gral_host *host)
{
    unsigned last = GRAL_NOBODY, staying = 0, resigned = 0;
    for (unsigned seat = 0; seat < gral_host_terms(host)->settings.players; seat++) {
        const gral_host_seat at = gral_host_seat_at(host, seat);
        if (at.user != 0 && !at.resigned) {
            last = seat;
            staying++;
        }
        resigned += at.resigned;
    }
    return staying == 1 && resigned > 0 ? last : GRAL_NOBODY;
}

/* A game that nobody has lost, because nobody came any more; and one that was left before it had really begun. */
static bool counts(const gral_host *host, unsigned turn)
{
    const gral_terms *terms = gral_host_terms(host);
    if (!terms->rated || gral_host_stage(host) != GRAL_ENDED || gral_host_end(host) == GRAL_END_CLOSED)
        return false;
    if (gral_host_end(host) == GRAL_END_GAME)
        return true;
    for (unsigned seat = 0; seat < terms->settings.players && gral_host_end(host) == GRAL_END_ABANDONED; seat++) {
        const gral_host_seat at = gral_host_seat_at(host, seat);
        if (at.user != 0 && !at.resigned && rating_last_one(host) != seat)
            return false;
    }
    return turn > terms->settings.players;
}

/* Of somebody who has left: behind all who stayed, and all who left later. */
static uint8_t place_behind(const size_t left[], unsigned count, unsigned seat)
{
    unsigned place = count;
    for (unsigned other = 0; other < count; other++)
        place += left[other] > left[seat];
    return (uint8_t)place;
}

void rating_places(const gral_host *host, uint8_t place[GRAL_PLAYERS_MAX])
{
    const unsigned players = gral_host_terms(host)->settings.players;
    const unsigned winner = gral_host_view(host, GRAL_SPECTATOR).open.winner;
    size_t left[GRAL_PLAYERS_MAX] = {0};
    find_who_left(host, left);
    const bool won = winner != GRAL_NOBODY && left[winner] == 0;
    for (unsigned seat = 0; seat < players; seat++)
        place[seat] = left[seat] == 0 ? won && seat != winner : place_behind(left, players, seat);
}

bool rating_outcome_of(const gral_host *host, rating_outcome *outcome)
{
    const gral_terms *terms = gral_host_terms(host);
    if (!counts(host, gral_host_view(host, GRAL_SPECTATOR).open.turn))
        return false;
    *outcome = (rating_outcome){.class = rating_class_of(terms), .count = terms->settings.players};
    rating_places(host, outcome->place);
    for (unsigned seat = 0; seat < outcome->count; seat++) {
        const gral_host_seat at = gral_host_seat_at(host, seat);
        outcome->user[seat] = at.user;
        outcome->level[seat] = at.user == 0 ? (uint8_t)gral_player_level(gral_span_of(at.player)) : 0;
    }
    return true;
}

void rating_apply(const rating_outcome *outcome, rating ratings[])
{
    rating after[GRAL_PLAYERS_MAX];
    for (unsigned one = 0; one < outcome->count; one++)
        after[one] = outcome->user[one] != 0 ? ratings[one] : rating_of_level(outcome->level[one], outcome->class);
    rating_play(after, outcome->place, outcome->count);
    for (unsigned one = 0; one < outcome->count; one++)
        if (outcome->user[one] != 0)
            ratings[one] = after[one];
}
