/* What is written, in words that SQLite and PostgreSQL understand alike. Inside of src/store only.
 *
 * `:game` and the like are members of the write. */
#ifndef GRAL_STORE_WORDS_H
#define GRAL_STORE_WORDS_H

#include "store/store.h"

enum { STORE_STATEMENTS = 4 }; /* for one write */

/* What sort a member is: a text that is not there is an empty one, or with MAYBE nothing. */
enum store_sort {
    SORT_SMALL,
    SORT_FLAG,
    SORT_COUNT,
    SORT_NUMBER,
    SORT_REAL,
    SORT_WORDS,
    SORT_MAYBE,
    SORT_TEXT,
    SORT_SECRET
};

typedef struct store_parameter {
    const char *name;
    enum store_sort sort;
    size_t at; /* in the write */
} store_parameter;

/* Of several statements only the first can conflict: then nothing is done yet, and a unit of one write needs no
 * savepoint. */
typedef struct store_write_words {
    const char *statement[STORE_STATEMENTS];
    bool may_be_idle; /* nothing to do is done, not a conflict */
    bool makes_room;  /* the last statement ends what is too much */
} store_write_words;

extern const store_write_words store_write_kinds[STORE_WRITE_KINDS];

/* All members that the statements of a kind name; and the one of that name. */
enum { STORE_PARAMETERS_MAX = 16 };
unsigned store_parameters_of(unsigned kind, const store_parameter *found[STORE_PARAMETERS_MAX]);
const store_parameter *store_find_parameter(const char *name, size_t length);

/* What a write has there: a number, whatever its sort; and a text, whose bytes are NULL where there is none. */
int64_t store_number_in(const store_write *write, const store_parameter *parameter);
gral_span store_text_in(const store_write *write, const store_parameter *parameter);

/* Whether he sits in a game that is not over, as a part of a statement. */
#define STORE_PLAYING(user) "EXISTS(SELECT 1 FROM seat WHERE seat.user = " user " AND over = 0)"

#endif
