/* The words of what is sent, in the language of whoever gets it: as a mail, or as a message for the service worker of
 * the browser client. Only public things are in them: which table, who else sits there, and what it is about. */
#ifndef GRAL_SERVER_LETTERS_H
#define GRAL_SERVER_LETTERS_H

#include "gral/host.h"
#include "store/store.h"

enum { LETTER_LINES_MAX = 50, LETTER_NAMES_MAX = 400 };

/* One thing to tell: about a table, or a tournament that begins soon or does not take place. */
enum letter_about { LETTER_TABLE, LETTER_SOON, LETTER_OFF, LETTER_ABOUTS };

typedef struct letter_line {
    uint8_t event, about;
    char game[GRAL_GAME_ID_MAX + 1]; /* the table's or tournament's id */
    char names[LETTER_NAMES_MAX];    /* of the others at the table, or of who invites; the tournament's title */
} letter_line;

typedef struct letter {
    const char *(*translate)(const char *language, const char *words);
    const char *language;
    const char *site; /* "https://gral.example", without a slash */
    const char *from, *to, *name;
    const char *token; /* for the link: to stop, to confirm, or to choose a new password */
    uint64_t id;       /* of the first letter, and its number: the same mail has the same id, always */
    uint32_t number;
    int64_t time; /* milliseconds */
    const letter_line *line;
    unsigned count; /* more than one: gathered */
} letter;

/* Both are the caller's to free. */
char *letter_as_mail(const letter *letter, size_t *length);
char *letter_as_push(const letter *letter, size_t *length);

#endif
