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
 * commit_MARK(writer, connection, number, and the arguments in postgres_group.h) writes a group, with what is made from
 * the same words as SQLite's statements. It returns a text: a number for each write but those that are written all at
 * once, -1 for a conflict, else how many sessions ended to make room; a semicolon; and of those that are written all at
 * once which ones, counted from 0, are the first of a game where there was a conflict, and nothing was written.
 *
 * beat_MARK(server, name) says that a server lives (postgres_peers.c). */
char *postgres_functions(uint64_t *mark);

/* A server that has not beaten for so long is dead. */
#define POSTGRES_DEAD_MS "2500"
/* The connection by which it hears others is called so in the database, with its id behind it. */
#define POSTGRES_EAR "gral ear "

/* By the clock of the database, in milliseconds since 1970. */
#define POSTGRES_NOW "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

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
enum postgres_quoted { POSTGRES_PLAIN, POSTGRES_QUOTED_IN_JSON, POSTGRES_QUOTED_IN_ARRAY };
void postgres_put_text(FILE *out, const char *text, enum postgres_quoted quoted);
/* What was printed into a stream of open_memstream; NULL, and it is freed, if there was no memory. */
char *postgres_close_text(FILE *out, char **text);

#endif
