/* The words of the store as PostgreSQL wants them. Inside of src/store only. */
#ifndef GRAL_POSTGRES_WORDS_H
#define GRAL_POSTGRES_WORDS_H

#include "store/store_questions.h"
#include "store/store_words.h"

/* A question, or a step of the schema: `?1` is $1, and `user` is quoted, the only word of ours that PostgreSQL keeps
 * for itself. How many parameters it has. To be freed. */
char *postgres_words_of(const char *words, unsigned *parameters);

/* The functions in the database that write a group, made from the same words as SQLite's statements; and the name of
 * the one that is called. The name changes with the words, so that an old and a new program can work side by side.
 *
 * NAME(writer, connection, number, and what postgres_group makes) returns a text, a number for each write but those
 * that are written all at once: -1 for a conflict, else how many sessions ended to make room. To be freed. */
enum { POSTGRES_NAME_MAX = 40 };
char *postgres_functions(char name[POSTGRES_NAME_MAX]);

/* Which writes of a group are entries that can be written all at once. */
enum postgres_entry {
    POSTGRES_OTHER, /* not this one */
    POSTGRES_FIRST, /* this, and it is the first of its game */
    POSTGRES_NEXT   /* this, and it follows one of the same game */
};
bool postgres_mark_entries(const store_write *writes, size_t count, enum postgres_entry *entry);

/* The writes of a group as the function takes them: the others as an array in JSON, with what each kind needs; of the
 * entries an array of their games, one of their numbers, and so on. Each argument is to be freed, also after a failure.
 */
enum { POSTGRES_ARGUMENTS = 6 };
bool postgres_group(const store_write *writes, size_t count, const enum postgres_entry *entry,
                    char *argument[POSTGRES_ARGUMENTS]);

/* A text that PostgreSQL takes: what is not UTF-8 is U+FFFD. To be freed. */
char *postgres_text(const char *text);

#endif
