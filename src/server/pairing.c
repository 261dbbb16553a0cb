#include "server/pairing.h"

#include "server/memory.h"

#include <stdlib.h>
#include <string.h>

/* More than would ever wait at once: whoever fits is gone from the list. It bounds what it costs to look through it. */
enum { PLACES_MAX = 500 };

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
    place *places; /* in the order in which they came */
    unsigned count, room;
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
    free(pairing->places);
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

static place *find(const pairing *pairing, uint64_t person)
{
    for (place *place = pairing->places; place < pairing->places + pairing->count; place++)
        if (place->wish.person == person)
            return place;
    return NULL;
}

bool pairing_leave(pairing *pairing, uint64_t person)
{
    place *place = find(pairing, person);
    if (place == NULL)
        return false;
    pairing->count--;
    memmove(place, place + 1, (size_t)(pairing->places + pairing->count - place) * sizeof *place);
    return true;
}

static bool is_same(const pairing_wish *one, const pairing_wish *other)
{
    return one->size == other->size && one->rated == other->rated && one->patience == other->patience;
}

bool pairing_join(pairing *pairing, const pairing_wish *wish, int64_t now)
{
    const place *old = find(pairing, wish->person);
    if (old != NULL && is_same(&old->wish, wish))
        return true;
    pairing_leave(pairing, wish->person);
    if (pairing->count >= PLACES_MAX)
        return false;
    if (pairing->count == pairing->room) {
        pairing->room = pairing->room > 0 ? 2 * pairing->room : 16;
        pairing->places = memory_grow(pairing->places, pairing->room * sizeof *pairing->places);
    }
    pairing->places[pairing->count++] = (place){*wish, now, -1};
    return true;
}

/* --- who would play with whom --- */

static bool has_patience_only_for_people(const pairing_wish *wish)
{
    return wish->patience == 0;
}

/* Whether this one may join those who are there already. */
static bool fits(const pairing *pairing, const pairing_group *group, const place *place, bool computers)
{
    const pairing_wish *wish = &place->wish;
    if (wish->rated != group->rated || !pairing_goes_with(wish->size, group->players) ||
        (computers && has_patience_only_for_people(wish)) ||
        (place->begins >= 0 && !pairing_goes_with(PAIRING_MANY, group->players))) /* nobody takes him from his table */
        return false;
    for (unsigned index = 0; index < group->people; index++)
        if (group->person[index] == wish->person ||
            !pairing->may_meet(pairing->context, group->person[index], wish->person))
            return false;
    return true;
}

/* Those who would be at a table of this size with him, those who have waited longest before others; with computer
 * players or without. */
static pairing_group gather(const pairing *pairing, const place *first, unsigned players, bool computers)
{
    pairing_group group = {.person = {first->wish.person}, .people = 1, .players = players, .rated = first->wish.rated};
    for (unsigned index = 0; index < pairing->count && group.people < players; index++)
        if (fits(pairing, &group, &pairing->places[index], computers))
            group.person[group.people++] = pairing->places[index].wish.person;
    return group;
}

static unsigned missing(const pairing_group *group)
{
    return group->players - group->people;
}

/* Of all tables that he would sit at, the one that lacks the fewest people, and has the most. */
static pairing_group closest(const pairing *pairing, const place *first)
{
    const unsigned least = sizes[first->wish.size].least, most = sizes[first->wish.size].most;
    pairing_group best = gather(pairing, first, least, false);
    for (unsigned players = least + 1; players <= most; players++) {
        const pairing_group group = gather(pairing, first, players, false);
        if (missing(&group) <= missing(&best) && group.people > best.people)
            best = group;
    }
    return best;
}

/* The one with the most people; alone he has the usual number of computer players. */
static pairing_group with_computers(const pairing *pairing, const place *first)
{
    pairing_group best = gather(pairing, first, sizes[first->wish.size].alone, true);
    for (unsigned players = sizes[first->wish.size].least; players <= sizes[first->wish.size].most; players++) {
        const pairing_group group = gather(pairing, first, players, true);
        if (group.people > best.people)
            best = group;
    }
    return best;
}

static int64_t patience_ends(const place *place)
{
    return place->since + place->wish.patience;
}

static bool begin(pairing *pairing, const pairing_group *found, pairing_group *group)
{
    *group = *found;
    for (unsigned index = 0; index < group->people; index++)
        pairing_leave(pairing, group->person[index]);
    return true;
}

static bool is_in(const pairing_group *group, uint64_t person)
{
    unsigned index = 0;
    while (index < group->people && group->person[index] != person)
        index++;
    return index < group->people;
}

/* When those begin of whom nobody lacks: at once, but where somebody wants many and there is room for more. */
static int64_t begins(const pairing *pairing, const pairing_group *group)
{
    int64_t enough = 0; /* since when there are */
    unsigned people = 0;
    bool many = false;
    for (const place *place = pairing->places; place < pairing->places + pairing->count; place++)
        if (is_in(group, place->wish.person)) {
            many |= place->wish.size == PAIRING_MANY;
            if (++people == sizes[PAIRING_MANY].least)
                enough = place->since;
        }
    return many && group->players < sizes[PAIRING_MANY].most ? enough + moment : 0;
}

static void promise(pairing *pairing, const pairing_group *group, int64_t time)
{
    for (place *place = pairing->places; place < pairing->places + pairing->count; place++)
        if (is_in(group, place->wish.person))
            place->begins = time;
}

bool pairing_take(pairing *pairing, int64_t now, pairing_group *group)
{
    for (place *place = pairing->places; place < pairing->places + pairing->count; place++)
        place->begins = -1;
    for (const place *place = pairing->places; place < pairing->places + pairing->count; place++) {
        const pairing_group found = closest(pairing, place);
        const int64_t time = begins(pairing, &found);
        if (missing(&found) > 0)
            continue;
        if (time <= now)
            return begin(pairing, &found, group);
        promise(pairing, &found, time);
    }
    for (const place *place = pairing->places; place < pairing->places + pairing->count; place++)
        if (!has_patience_only_for_people(&place->wish) && patience_ends(place) <= now) {
            const pairing_group found = with_computers(pairing, place);
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
    for (const place *place = pairing->places; place < pairing->places + pairing->count; place++) {
        const int64_t own = due_for(place);
        if (own >= 0 && (due < 0 || own < due))
            due = own;
    }
    return due;
}

pairing_progress pairing_look(const pairing *pairing, unsigned at, int64_t now, uint64_t *person)
{
    const place *place = &pairing->places[at];
    const pairing_group group = closest(pairing, place);
    const int64_t due = due_for(place);
    *person = place->wish.person;
    return (pairing_progress){group.people, group.players, due < 0 ? -1 : due > now ? due - now : 0};
}
