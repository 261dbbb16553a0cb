#include "server/matching.h"

#include "rules/bits.h"

#include <stdbool.h>
#include <string.h>

enum { NONE = MATCHING_MAX };

/* A search for a path from somebody who is alone to somebody else who is, on which every second step is a pair. Odd
 * rings on the way (blossoms) are taken for one: whoever is in one has its base. */
typedef struct search {
    const matching_graph *graph;
    uint64_t among, reached;
    uint8_t mate[MATCHING_MAX], parent[MATCHING_MAX], base[MATCHING_MAX];
    uint8_t queue[MATCHING_MAX];
    unsigned queued;
} search;

static bool is_in(uint64_t set, unsigned one)
{
    return set >> one & 1;
}

static void reach(search *search, unsigned one)
{
    search->reached |= UINT64_C(1) << one;
    search->queue[search->queued++] = (uint8_t)one;
}

static unsigned common_base(const search *search, unsigned one, unsigned other)
{
    uint64_t passed = 0;
    for (;;) {
        one = search->base[one];
        passed |= UINT64_C(1) << one;
        if (search->mate[one] == NONE)
            break;
        one = search->parent[search->mate[one]];
    }
    for (other = search->base[other]; !is_in(passed, other); other = search->base[search->parent[search->mate[other]]])
        ;
    return other;
}

static uint64_t mark_way(search *search, unsigned from, unsigned base, unsigned child)
{
    uint64_t ring = 0;
    while (search->base[from] != base) {
        const unsigned mate = search->mate[from];
        ring |= UINT64_C(1) << search->base[from] | UINT64_C(1) << search->base[mate];
        search->parent[from] = (uint8_t)child;
        child = mate;
        from = search->parent[mate];
    }
    return ring;
}

static void close_ring(search *search, unsigned one, unsigned other)
{
    const unsigned base = common_base(search, one, other);
    const uint64_t ring = mark_way(search, one, base, other) | mark_way(search, other, base, one);
    for (uint64_t rest = search->among; rest != 0; rest &= rest - 1) {
        const unsigned each = bits_lowest(rest);
        if (!is_in(ring, search->base[each]))
            continue;
        search->base[each] = (uint8_t)base;
        if (!is_in(search->reached, each))
            reach(search, each);
    }
}

/* The other end of such a path, or NONE. */
static unsigned find_end(search *search, unsigned root)
{
    search->reached = 0;
    search->queued = 0;
    for (unsigned each = 0; each < MATCHING_MAX; each++) {
        search->parent[each] = NONE;
        search->base[each] = (uint8_t)each;
    }
    reach(search, root);
    for (unsigned at = 0; at < search->queued; at++) {
        const unsigned one = search->queue[at];
        for (uint64_t rest = search->graph->edge[one] & search->among; rest != 0; rest &= rest - 1) {
            const unsigned other = bits_lowest(rest), mate = search->mate[other];
            if (search->base[one] == search->base[other] || search->mate[one] == other)
                continue;
            if (other == root || (mate != NONE && search->parent[mate] != NONE)) {
                close_ring(search, one, other);
            } else if (search->parent[other] == NONE) {
                search->parent[other] = (uint8_t)one;
                if (mate == NONE)
                    return other;
                reach(search, mate);
            }
        }
    }
    return NONE;
}

static void turn_around(search *search, unsigned end)
{
    while (end != NONE) {
        const unsigned before = search->parent[end], next = search->mate[before];
        search->mate[end] = (uint8_t)before;
        search->mate[before] = (uint8_t)end;
        end = next;
    }
}

unsigned matching_most(const matching_graph *graph, uint64_t among)
{
    search search = {.graph = graph, .among = among};
    unsigned pairs = 0;
    memset(search.mate, NONE, sizeof search.mate);
    for (uint64_t rest = among; rest != 0; rest &= rest - 1) {
        const unsigned one = bits_lowest(rest);
        if (search.mate[one] != NONE)
            continue;
        const unsigned end = find_end(&search, one);
        turn_around(&search, end);
        pairs += end != NONE;
    }
    return pairs;
}
