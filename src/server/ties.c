#include "server/ties.h"

#include "server/memory.h"

#include <stdlib.h>
#include <uthash.h>

/* Somebody, and all that is between him and others; each tie is with both of its people. */
typedef struct knot {
    uint64_t person;
    uint8_t seen; /* enum tie_seen */
    tie *tie;
    unsigned count;
    UT_hash_handle hh;
} knot;

struct ties {
    knot *knots;
};

const char *const tie_seen_names[TIE_SEENS] = {"nobody", "friends", "everyone"};

ties *ties_open(void)
{
    return memory_get(sizeof(ties));
}

static void free_knot(ties *ties, knot *knot)
{
    HASH_DEL(ties->knots, knot);
    free(knot->tie);
    free(knot);
}

void ties_close(ties *ties)
{
    while (ties->knots != NULL)
        free_knot(ties, ties->knots);
    free(ties);
}

static knot *find_knot(const ties *ties, uint64_t person)
{
    knot *knot;
    HASH_FIND(hh, ties->knots, &person, sizeof person, knot);
    return knot;
}

static knot *need_knot(ties *ties, uint64_t person)
{
    knot *knot = find_knot(ties, person);
    if (knot != NULL)
        return knot;
    knot = memory_get(sizeof *knot);
    knot->person = person;
    knot->seen = SEEN_BY_FRIENDS;
    HASH_ADD(hh, ties->knots, person, sizeof knot->person, knot);
    return knot;
}

static tie *find_tie(const knot *knot, uint64_t other)
{
    for (unsigned index = 0; knot != NULL && index < knot->count; index++)
        if (knot->tie[index].other == other)
            return &knot->tie[index];
    return NULL;
}

static tie *need_tie(ties *ties, uint64_t person, uint64_t other)
{
    knot *knot = need_knot(ties, person);
    tie *tie = find_tie(knot, other);
    if (tie != NULL)
        return tie;
    knot->tie = memory_grow(knot->tie, (knot->count + 1) * sizeof *knot->tie);
    tie = &knot->tie[knot->count++];
    *tie = (struct tie){.other = other};
    return tie;
}

static void drop_if_empty(ties *ties, uint64_t person, uint64_t other)
{
    knot *knot = find_knot(ties, person);
    tie *tie = find_tie(knot, other);
    if (tie != NULL && tie->out == TIE_NONE && tie->in == TIE_NONE)
        *tie = knot->tie[--knot->count];
    if (knot != NULL && knot->count == 0 && knot->seen == SEEN_BY_FRIENDS)
        free_knot(ties, knot);
}

void ties_set(ties *ties, uint64_t from, uint64_t to, enum tie_kind kind)
{
    need_tie(ties, from, to)->out = (uint8_t)kind;
    need_tie(ties, to, from)->in = (uint8_t)kind;
    drop_if_empty(ties, from, to);
    drop_if_empty(ties, to, from);
}

static void want_no_more(ties *ties, uint64_t from, uint64_t to)
{
    if (ties_get(ties, from, to) == TIE_WANTS)
        ties_set(ties, from, to, TIE_NONE);
}

void ties_block(ties *ties, uint64_t from, uint64_t to)
{
    ties_set(ties, from, to, TIE_BLOCKS);
    want_no_more(ties, to, from);
}

void ties_loosen(ties *ties, uint64_t one, uint64_t other)
{
    want_no_more(ties, one, other);
    want_no_more(ties, other, one);
}

void ties_forget(ties *ties, uint64_t person)
{
    const knot *knot = find_knot(ties, person);
    while (knot != NULL && knot->count > 0) {
        const uint64_t other = knot->tie[0].other;
        ties_set(ties, person, other, TIE_NONE);
        ties_set(ties, other, person, TIE_NONE);
        knot = find_knot(ties, person);
    }
    ties_set_seen(ties, person, SEEN_BY_FRIENDS);
}

enum tie_kind ties_get(const ties *ties, uint64_t from, uint64_t to)
{
    const tie *tie = find_tie(find_knot(ties, from), to);
    return tie != NULL ? (enum tie_kind)tie->out : TIE_NONE;
}

bool ties_are_friends(const ties *ties, uint64_t one, uint64_t other)
{
    const tie *tie = find_tie(find_knot(ties, one), other);
    return tie != NULL && tie->out == TIE_WANTS && tie->in == TIE_WANTS;
}

static bool is_block(const tie *tie)
{
    return tie->out == TIE_BLOCKS || tie->in == TIE_BLOCKS;
}

bool ties_keep_apart(const ties *ties, uint64_t one, uint64_t other)
{
    const tie *tie = find_tie(find_knot(ties, one), other);
    return tie != NULL && is_block(tie);
}

bool ties_has_blocks(const ties *ties, uint64_t person)
{
    unsigned count;
    const tie *tie = ties_of(ties, person, &count);
    for (unsigned index = 0; index < count; index++)
        if (is_block(&tie[index]))
            return true;
    return false;
}

const tie *ties_of(const ties *ties, uint64_t person, unsigned *count)
{
    const knot *knot = find_knot(ties, person);
    *count = knot != NULL ? knot->count : 0;
    return knot != NULL ? knot->tie : NULL;
}

unsigned ties_count(const ties *ties, uint64_t person, enum tie_kind out)
{
    unsigned count, found = 0;
    const tie *tie = ties_of(ties, person, &count);
    for (unsigned index = 0; index < count; index++)
        found += tie[index].out == out;
    return found;
}

unsigned ties_unanswered(const ties *ties, uint64_t person)
{
    unsigned count, found = 0;
    const tie *tie = ties_of(ties, person, &count);
    for (unsigned index = 0; index < count; index++)
        found += tie[index].in == TIE_WANTS && tie[index].out == TIE_NONE;
    return found;
}

enum tie_seen ties_seen(const ties *ties, uint64_t person)
{
    const knot *knot = find_knot(ties, person);
    return knot != NULL ? (enum tie_seen)knot->seen : SEEN_BY_FRIENDS;
}

void ties_set_seen(ties *ties, uint64_t person, enum tie_seen seen)
{
    need_knot(ties, person)->seen = (uint8_t)seen;
    drop_if_empty(ties, person, 0);
}

bool ties_sees(const ties *ties, uint64_t viewer, uint64_t person)
{
    switch (ties_seen(ties, person)) {
    case SEEN_BY_FRIENDS:
        return ties_are_friends(ties, viewer, person);
    case SEEN_BY_ALL:
        return ties_get(ties, viewer, person) != TIE_BLOCKS;
    default:
        return false;
    }
}
