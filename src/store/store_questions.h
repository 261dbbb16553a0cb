/* What can be asked of the store, in words that SQLite and PostgreSQL understand alike: each question is a row of one
 * table, its words and what becomes of a row of the answer. Inside of src/store only. */
#ifndef GRAL_STORE_QUESTIONS_H
#define GRAL_STORE_QUESTIONS_H

#include "store/store.h"

enum store_query {
    ASK_UNFINISHED,
    ASK_GAMES,
    ASK_ENTRIES,
    ASK_GAMES_OF,
    ASK_OLD_GAMES,
    ASK_ASLEEP,
    ASK_UNFINISHED_OF,
    ASK_USER_BY_ID,
    ASK_USER_BY_KEY,
    ASK_USER_BY_SECRET,
    ASK_ABSENT_GUESTS,
    ASK_LOGINS_OF,
    ASK_STATISTICS,
    ASK_RATINGS_OF,
    ASK_RATED_OF,
    ASK_RANKING,
    ASK_RATED,
    ASK_UNREAD,
    ASK_SCORES_OF,
    ASK_MET_BY,
    ASK_MANNER_OF,
    ASK_PLAYED_BY,
    ASK_PLAYED_OPENLY_BY,
    ASK_SHOWN_BY,
    ASK_WAYS_OF,
    ASK_LETTERS,
    ASK_LETTERS_ON,
    ASK_LETTER,
    ASK_TOURNAMENTS,
    ASK_TOURNAMENT,
    ASK_OLD_TOURNAMENTS,
    ASK_TOURNAMENTS_OF,
    ASK_SECRET_TEXT_OF,
    ASK_SIGNERS,
    ASK_TIES,
    ASK_TIES_OF,
    ASK_SEEN,
    ASK_INVITATIONS_OF,
    ASK_LISTS,
    STORE_QUERIES = ASK_LISTS + STORE_LISTS
};

/* One row of an answer. Bytes have a zero after them, and are empty where there is nothing. */
typedef struct store_row store_row;
typedef struct store_cells {
    gral_span (*bytes)(const store_row *row, int column);
    int64_t (*number)(const store_row *row, int column);
    double (*real)(const store_row *row, int column);
} store_cells;
struct store_row {
    const store_cells *cells;
    void *answer; /* as the database has it */
    int at;       /* the row in it, if it has all of them */
};

/* Whom to tell: somebody's function, or what is to be filled in. */
typedef struct store_listener {
    void *context;
    union {
        store_each_entry *entry;
        store_each_game *game;
        store_each_guest *guest;
        store_each_login *login;
        store_each_rating *rating;
        store_each_unread *unread;
        store_each_tally *tally;
        store_each_sum *sum;
        store_each_played *played;
        store_each_shown *shown;
        store_each_signer *signer;
        store_each_tie *tie;
        store_each_seen *seen;
        store_each_invitation *invitation;
        store_each_row *row;
        store_each_way *way;
        store_each_letter *letter;
    } each;
    const char *columns; /* of a list: what each is, a letter of enum store_cell */
} store_listener;

/* What is in a column of a list. Times are in milliseconds. */
enum store_cell {
    STORE_CELL_TEXT = 't',
    STORE_CELL_NUMBER = 'n',
    STORE_CELL_TIME = 'w',
    STORE_CELL_UNTIL = 'u',
    STORE_CELL_DAYS = 'd'
};

typedef struct store_question {
    const char *words;
    bool (*take)(const store_listener *listener, const store_row *row); /* false: no more */
    const char *columns;                                                /* of a list, a letter each: enum store_cell */
    bool endless; /* there may be more rows than anybody wants to have in memory at once */
} store_question;
extern const store_question store_questions[STORE_QUERIES];

/* What a question is about: a number, a text, or the bytes of a secret. One for each parameter. */
typedef struct store_argument {
    int64_t number;
    const char *text;
    const uint8_t *secret;
} store_argument;

/* What becomes of a row. */
bool store_tell_entry(const store_listener *listener, const store_row *row);
bool store_tell_game(const store_listener *listener, const store_row *row);
bool store_fill_in_user(const store_listener *listener, const store_row *row);
bool store_tell_guest(const store_listener *listener, const store_row *row);
bool store_tell_login(const store_listener *listener, const store_row *row);
bool store_count_results(const store_listener *listener, const store_row *row);
bool store_tell_rating(const store_listener *listener, const store_row *row);
bool store_tell_unread(const store_listener *listener, const store_row *row);
bool store_tell_tally(const store_listener *listener, const store_row *row);
bool store_tell_sum(const store_listener *listener, const store_row *row);
bool store_tell_played(const store_listener *listener, const store_row *row);
bool store_tell_shown(const store_listener *listener, const store_row *row);
bool store_tell_way(const store_listener *listener, const store_row *row);
bool store_tell_letter(const store_listener *listener, const store_row *row);
bool store_fill_in_text(const store_listener *listener, const store_row *row);
bool store_tell_signer(const store_listener *listener, const store_row *row);
bool store_tell_tie(const store_listener *listener, const store_row *row);
bool store_tell_seen(const store_listener *listener, const store_row *row);
bool store_tell_invitation(const store_listener *listener, const store_row *row);
bool store_tell_row(const store_listener *listener, const store_row *row);

/* What is to be filled in, and how much room there is. */
typedef struct store_filled_text {
    char *value;
    size_t room;
} store_filled_text;

#endif
