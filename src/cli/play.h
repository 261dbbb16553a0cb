/* A game that is played here: the table, where it is kept, and what the people know of it already. play.c makes
 * it from the options, keeps every action on disk and ends it; a front end in between shows it and asks. */
#ifndef GRAL_CLI_PLAY_H
#define GRAL_CLI_PLAY_H

#include "command.h"
#include "words.h"

#include <limits.h>

typedef struct play {
    gral_table *table;
    words_names names;
    unsigned people;         /* how many seats are people's */
    char save[PATH_MAX];     /* where the game is kept, after every action */
    gral_player *adviser;    /* for hints */
    gral_clock *clock;       /* NULL in a game that is to be repeatable */
    const char *save_failed; /* why the newest action is not on disk, or NULL */
} play;

/* One way to show a game: runs it until its end, or until the people leave. CLI_OK in both cases. */
typedef struct play_front {
    int (*run)(play *play);
} play_front;

extern const play_front plain_front;
extern const play_front screen_front; /* on a terminal that can do no more than lines it is the plain one */

/* The table's gral_table_do, _step and _take_back, with the game on disk afterwards. A front end that finds
 * save_failed set says so; the game goes on. */
unsigned play_do(play *play, unsigned seat, gral_action action);
unsigned play_step(play *play);

unsigned play_take_back(play *play, unsigned seat);

/* What comes after `gral play --resume` to go on with this game. */
void play_resume_words(const play *play, char *words, size_t capacity);

/* A copy of the game in another file, which must not be there yet. On failure `why` says what is wrong. */
bool play_copy(const play *play, const char *path, const char **why);

/* Words that a person types, without regard to capitals and spaces. */
enum play_order {
    PLAY_NOTHING, /* an empty line */
    PLAY_ACTIONS, /* one or more actions */
    PLAY_BOARD,
    PLAY_MAP,
    PLAY_SHEET,
    PLAY_NOTEPAD,
    PLAY_LOG,
    PLAY_LEGAL,
    PLAY_HINT,
    PLAY_UNDO,
    PLAY_SAVE,
    PLAY_RULES,
    PLAY_HELP,
    PLAY_QUIT,
    PLAY_ORDERS,
    PLAY_UNKNOWN,   /* no order begins like this */
    PLAY_AMBIGUOUS, /* several do */
    PLAY_MALFORMED  /* an action whose words are not as `usage` says */
};

enum { PLAY_ACTIONS_MAX = 24, PLAY_LINE_MAX = 4096 };

typedef struct play_typed {
    enum play_order order;
    gral_action action[PLAY_ACTIONS_MAX];
    unsigned actions;
    const char *usage;        /* PLAY_MALFORMED: how it is written, in the notation */
    char rest[PLAY_LINE_MAX]; /* what follows an order's word, as it was typed */
} play_typed;

/* `phase` gives a number alone its meaning: an objection or a claim. */
play_typed play_read(const char *line, enum gral_phase phase);

/* What can be typed, for a help text. */
void play_help(gral_text *text);

#endif
