/* Who wants whom as a friend, who has blocked whom, and by whom each wants to be seen: all of it, to be asked quickly.
 * A pure list that follows the store; people are numbers.
 *
 * Two people are friends if each wants the other. Somebody who is blocked finds no answer anywhere that tells him so:
 * what he wants is kept, and not shown to who has blocked him. */
#ifndef GRAL_SERVER_TIES_H
#define GRAL_SERVER_TIES_H

#include <stdbool.h>
#include <stdint.h>

enum tie_kind { TIE_NONE, TIE_WANTS, TIE_BLOCKS };

/* By whom somebody's being here is seen. */
enum tie_seen { SEEN_BY_NOBODY, SEEN_BY_FRIENDS, SEEN_BY_ALL, TIE_SEENS };
extern const char *const tie_seen_names[TIE_SEENS];

/* What is between somebody and another, from either side. */
typedef struct tie {
    uint64_t other;
    uint8_t out, in; /* enum tie_kind */
} tie;

typedef struct ties ties;
ties *ties_open(void);
void ties_close(ties *ties);

void ties_set(ties *ties, uint64_t from, uint64_t to, enum tie_kind kind);
void ties_block(ties *ties, uint64_t from, uint64_t to);    /* nor does the other want him any more */
void ties_loosen(ties *ties, uint64_t one, uint64_t other); /* neither wants the other; blocks stay */
void ties_forget(ties *ties, uint64_t person);              /* he is nobody any more */

enum tie_kind ties_get(const ties *ties, uint64_t from, uint64_t to);
bool ties_are_friends(const ties *ties, uint64_t one, uint64_t other);
bool ties_keep_apart(const ties *ties, uint64_t one, uint64_t other); /* one of them has blocked the other */
bool ties_has_blocks(const ties *ties, uint64_t person);              /* on either side */

/* All of somebody's. They are valid until something is set. */
const tie *ties_of(const ties *ties, uint64_t person, unsigned *count);
unsigned ties_count(const ties *ties, uint64_t person, enum tie_kind out); /* of his own */
unsigned ties_unanswered(const ties *ties, uint64_t person);               /* who want him, and he has not answered */

/* Friends, unless he has said otherwise. */
enum tie_seen ties_seen(const ties *ties, uint64_t person);
void ties_set_seen(ties *ties, uint64_t person, enum tie_seen seen);
/* Whether `viewer`, 0 for a stranger, may know that this person is here. */
bool ties_sees(const ties *ties, uint64_t viewer, uint64_t person);

#endif
