/* The words of the store as PostgreSQL wants them. Inside of src/store only. */
#ifndef GRAL_POSTGRES_WORDS_H
#define GRAL_POSTGRES_WORDS_H

#include "store/store_questions.h"
#include "store/store_words.h"

#include <stdio.h>

/* A question, or a step of the schema: `?1` is $1, and `user` is quoted, the only word of ours that PostgreSQL keeps
 * for itself. How many parameters it has. To be freed. */
char *postgres_words_of(const char *words, unsigned *parameters);

/* The functions in the database, as statements that make them; to be freed. Their names end with a mark in 16 digits,
 * which changes with the words, so that an old and a new program can work side by side.
 *
 * commit_MARK(writer, connection, number, and what postgres_group makes) writes a group, with what is made from the
 * same words as SQLite's statements. It returns a text, a number for each write but those that are written all at once:
 * -1 for a conflict, else how many sessions ended to make room.
 *
 * beat_MARK(server, name) says that a server lives (postgres_peers.c). */
char *postgres_functions(uint64_t *mark);

/* A server that has not beaten for so long is dead. */
#define POSTGRES_DEAD_MS "2500"
/* The connection by which it hears others is called so in the database, with its id behind it. */
#define POSTGRES_EAR "gral ear "

/* By the clock of the database, in milliseconds since 1970. */
#define POSTGRES_NOW "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

/* Which writes of a group are entries that can be written all at once. */
enum postgres_entry {
    POSTGRES_OTHER, /* not this one */
    POSTGRES_FIRST, /* this, and it is the first of its game */
    POSTGRES_NEXT   /* this, and it follows one of the same game */
};
bool postgres_mark_entries(const store_write *writes, size_t count, enum postgres_entry *entry);

/* The writes of a group as the function takes them: the others as an array in JSON, with what each kind needs; of the
 * entries an array of their games, one of their numbers, and so on; of those under a lease their games and fences; and
 * what others are told by `from`. Each argument is to be freed, also after a failure. */
enum { POSTGRES_HINTS = 8, POSTGRES_ARGUMENTS };
bool postgres_group(const store_write *writes, size_t count, const enum postgres_entry *entry, const char *from,
                    char *argument[POSTGRES_ARGUMENTS]);

/* An array of texts that PostgreSQL takes, one after the other. In the end it is to be freed; NULL if there was no
 * memory. */
typedef struct postgres_array {
    FILE *out;
    char *text;
    size_t size;
    bool some;
} postgres_array;
void postgres_begin_array(postgres_array *array);
void postgres_add_to_array(void *array, gral_span text);
char *postgres_end_array(postgres_array *array);

/* A text that PostgreSQL takes: what is not UTF-8 is U+FFFD. To be freed. */
char *postgres_text(const char *text);

#endif
