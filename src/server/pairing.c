#include "server/pairing.h"

#include "server/memory.h"

#include <stdlib.h>
#include <string.h>

/* More than would ever wait at once: whoever fits is gone from the list. Only who may not meet stay there side by side;
 * so it bounds what it costs to look through it, and that nobody fills it from one place. */
enum { PLACES_MAX = 120, PLACES_OF_ONE_ORIGIN = 40 };

/* The sizes of a table that a wish goes with, from the least to the most; the one where nobody else comes; and how many
 * computer players can be there. Who wants any number begins as soon as somebody else is there. */
static const struct {
    uint8_t least, most, alone, computers;
} sizes[PAIRING_SIZES] = {
    [PAIRING_TWO] = {2, 2, 2, 1},  [PAIRING_THREE] = {3, 3, 3, 2}, [PAIRING_FOUR] = {4, 4, 4, 3},
    [PAIRING_MANY] = {5, 8, 5, 4}, [PAIRING_ANY] = {2, 8, 3, 4},
};

/* Who wants many gives others so long to come, too, from when there are enough. */
static const int64_t moment = 10000;

typedef struct place {
    pairing_wish wish;
    int64_t since;
    int64_t begins; /* he is one of many who will begin then; -1: he is not */
} place;

struct pairing {
    pairing_may_meet *may_meet;
    void *context;
    unsigned count;
    place places[PLACES_MAX];           /* in the order in which they came */
    bool meets[PLACES_MAX][PLACES_MAX]; /* may: asked once when somebody is looked for, and then needed very often */
};

pairing *pairing_open(pairing_may_meet *may_meet, void *context)
{
    pairing *pairing = memory_get(sizeof *pairing);
    pairing->may_meet = may_meet;
    pairing->context = context;
    return pairing;
}

void pairing_close(pairing *pairing)
{
    free(pairing);
}

unsigned pairing_count(const pairing *pairing)
{
    return pairing->count;
}

unsigned pairing_computers(enum pairing_size size)
{
    return sizes[size].computers;
}

unsigned pairing_usual(enum pairing_size size)
{
    return sizes[size].alone;
}

bool pairing_goes_with(enum pairing_size size, unsigned players)
{
    return players >= sizes[size].least && players <= sizes[size].most;
}

static unsigned find(const pairing *pairing, uint64_t person)
{
    unsigned at = 0;
    while (at < pairing->count && pairing->places[at].wish.person != person)
        at++;
    return at;
}

bool pairing_leave(pairing *pairing, uint64_t person)
{
    const unsigned at = find(pairing, person);
    if (at == pairing->count)
        return false;
    pairing->count--;
    memmove(&pairing->places[at], &pairing->places[at + 1], (pairing->count - at) * sizeof *pairing->places);
    return true;
}

static bool is_same(const pairing_wish *one, const pairing_wish *other)
{
    return one->size == other->size && one->rated == other->rated && one->patience == other->patience;
}

static unsigned count_from(const pairing *pairing, uint64_t origin)
{
    unsigned count = 0;
    for (unsigned at = 0; at < pairing->count; at++)
        count += pairing->places[at].wish.origin == origin;
    return count;
}

bool pairing_join(pairing *pairing, const pairing_wish *wish, int64_t since)
{
    const unsigned old = find(pairing, wish->person);
    if (old < pairing->count && is_same(&pairing->places[old].wish, wish))
        return true;
    pairing_leave(pairing, wish->person);
    if (pairing->count == PLACES_MAX || count_from(pairing, wish->origin) == PLACES_OF_ONE_ORIGIN)
        return false;
    unsigned at = pairing->count++;
    for (; at > 0 && pairing->places[at - 1].since > since; at--)
        pairing->places[at] = pairing->places[at - 1];
    pairing->places[at] = (place){*wish, since, -1};
    return true;
}

/* --- who would play with whom --- */

static bool has_patience_only_for_people(const pairing_wish *wish)
{
    return wish->patience == 0;
}

static void ask_who_may_meet(pairing *pairing)
{
    for (unsigned one = 0; one < pairing->count; one++)
        for (unsigned other = 0; other < one; other++)
            pairing->meets[one][other] = pairing->meets[other][one] = pairing->may_meet(
                pairing->context, pairing->places[one].wish.person, pairing->places[other].wish.person);
}

/* Those who would sit at one table, by their places. */
typedef struct circle {
    uint8_t place[GRAL_PLAYERS_MAX];
    unsigned people, players;
    bool rated;
} circle;

/* Whether this one may join those who are there already. */
static bool fits(const pairing *pairing, const circle *circle, unsigned at, bool computers)
{
    const place *place = &pairing->places[at];
    const pairing_wish *wish = &place->wish;
    if (wish->rated != circle->rated || !pairing_goes_with(wish->size, circle->players) ||
        (computers && has_patience_only_for_people(wish)) ||
        (place->begins >= 0 && !pairing_goes_with(PAIRING_MANY, circle->players))) /* nobody takes him from his table */
        return false;
    for (unsigned index = 0; index < circle->people; index++)
        if (circle->place[index] == at || !pairing->meets[circle->place[index]][at])
            return false;
    return true;
}

/* Those who would be at a table of this size with him, those who have waited longest before others; with computer
 * players or without. */
static circle gather(const pairing *pairing, unsigned first, unsigned players, bool computers)
{
    circle circle = {
        .place = {(uint8_t)first}, .people = 1, .players = players, .rated = pairing->places[first].wish.rated};
    for (unsigned at = 0; at < pairing->count && circle.people < players; at++)
        if (fits(pairing, &circle, at, computers))
            circle.place[circle.people++] = (uint8_t)at;
    return circle;
}

static unsigned missing(const circle *circle)
{
    return circle->players - circle->people;
}

/* Of all tables that he would sit at, the one that lacks the fewest people, and has the most. */
static circle closest(const pairing *pairing, unsigned first)
{
    const enum pairing_size size = pairing->places[first].wish.size;
    circle best = gather(pairing, first, sizes[size].least, false);
    for (unsigned players = sizes[size].least + 1u; players <= sizes[size].most; players++) {
        const circle circle = gather(pairing, first, players, false);
        if (missing(&circle) <= missing(&best) && circle.people > best.people)
            best = circle;
    }
    return best;
}

/* The one with the most people; alone he has the usual number of computer players. */
static circle with_computers(const pairing *pairing, unsigned first)
{
    const enum pairing_size size = pairing->places[first].wish.size;
    circle best = gather(pairing, first, sizes[size].alone, true);
    for (unsigned players = sizes[size].least; players <= sizes[size].most; players++) {
        const circle circle = gather(pairing, first, players, true);
        if (circle.people > best.people)
            best = circle;
    }
    return best;
}

static int64_t patience_ends(const place *place)
{
    return place->since + place->wish.patience;
}

static bool begin(pairing *pairing, const circle *circle, pairing_group *group)
{
    *group = (pairing_group){.people = circle->people, .players = circle->players, .rated = circle->rated};
    for (unsigned index = 0; index < group->people; index++)
        group->person[index] = pairing->places[circle->place[index]].wish.person;
    for (unsigned index = 0; index < group->people; index++)
        pairing_leave(pairing, group->person[index]);
    return true;
}

static bool is_in(const circle *circle, unsigned at)
{
    unsigned index = 0;
    while (index < circle->people && circle->place[index] != at)
        index++;
    return index < circle->people;
}

/* When those begin of whom nobody lacks: at once, but where somebody wants many and there is room for more. */
static int64_t begins(const pairing *pairing, const circle *circle)
{
    int64_t enough = 0; /* since when there are */
    unsigned people = 0;
    bool many = false;
    for (unsigned at = 0; at < pairing->count; at++)
        if (is_in(circle, at)) {
            many |= pairing->places[at].wish.size == PAIRING_MANY;
            if (++people == sizes[PAIRING_MANY].least)
                enough = pairing->places[at].since;
        }
    return many && circle->players < sizes[PAIRING_MANY].most ? enough + moment : 0;
}

bool pairing_take(pairing *pairing, int64_t now, pairing_group *group)
{
    ask_who_may_meet(pairing);
    for (unsigned at = 0; at < pairing->count; at++)
        pairing->places[at].begins = -1;
    for (unsigned at = 0; at < pairing->count; at++) {
        const circle found = closest(pairing, at);
        if (missing(&found) > 0)
            continue;
        const int64_t time = begins(pairing, &found);
        if (time <= now)
            return begin(pairing, &found, group);
        for (unsigned index = 0; index < found.people; index++)
            pairing->places[found.place[index]].begins = time;
    }
    for (unsigned at = 0; at < pairing->count; at++)
        if (!has_patience_only_for_people(&pairing->places[at].wish) && patience_ends(&pairing->places[at]) <= now) {
            const circle found = with_computers(pairing, at);
            return begin(pairing, &found, group);
        }
    return false;
}

/* When something will happen to him if nobody comes or goes; -1: never. */
static int64_t due_for(const place *place)
{
    return place->begins >= 0 ? place->begins : has_patience_only_for_people(&place->wish) ? -1 : patience_ends(place);
}

int64_t pairing_due(const pairing *pairing)
{
    int64_t due = -1;
    for (unsigned at = 0; at < pairing->count; at++) {
        const int64_t own = due_for(&pairing->places[at]);
        if (own >= 0 && (due < 0 || own < due))
            due = own;
    }
    return due;
}

pairing_progress pairing_look(const pairing *pairing, unsigned at, int64_t now, uint64_t *person)
{
    const place *place = &pairing->places[at];
    const circle circle = closest(pairing, at);
    const int64_t due = due_for(place);
    *person = place->wish.person;
    return (pairing_progress){circle.people, circle.players, due < 0 ? -1 : due > now ? due - now : 0};
}
