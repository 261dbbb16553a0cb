/* A tournament: who plays in it, who meets whom in which round, and how they stand. Pure: people are numbers, and time
 * and tables are elsewhere (tournaments.c).
 *
 * A tournament is its terms and a list of texts, as a game is: somebody joins or leaves, a round begins with these
 * tables, a table is over. The same texts make the same tournament, so that is how it is kept. What comes by itself is
 * said by tournament_due, and who meets whom by tournament_pair. docs/tournaments.md tells people the rules. */
#ifndef GRAL_SERVER_TOURNAMENT_H
#define GRAL_SERVER_TOURNAMENT_H

#include "gral/notation.h"

enum {
    TOURNAMENT_PEOPLE_MAX = 64,
    TOURNAMENT_ALL_MAX = 16, /* where everybody meets everybody */
    TOURNAMENT_LEAST = 3,    /* with fewer there is none; at tables of four, */
    TOURNAMENT_FOURS_LEAST = 4,
    TOURNAMENT_ROUNDS_MAX = 15,
    TOURNAMENT_SEATS_MAX = 4,
    TOURNAMENT_TABLES_MAX = TOURNAMENT_PEOPLE_MAX, /* somebody who has a bye is a table */
    TOURNAMENT_POINT = 12, /* what a table gives: to the winner, or in equal parts to those who are first together */
    TOURNAMENT_TITLE_MAX = 60,
    TOURNAMENT_TEXT_MAX = 512
};

enum tournament_system {
    TOURNAMENT_ROUND_ROBIN, /* everybody meets everybody, at tables of two */
    TOURNAMENT_SWISS,       /* those with the same score meet, at tables of two, nobody twice while that is avoidable */
    TOURNAMENT_FOURS,       /* the same at tables of four, or three where it does not come out even */
    TOURNAMENT_SYSTEMS
};

extern const char *const tournament_system_name[TOURNAMENT_SYSTEMS];
unsigned tournament_seats(enum tournament_system system); /* at its tables */
unsigned tournament_room(enum tournament_system system);  /* so many may play in it */
unsigned tournament_least(enum tournament_system system); /* and so many must */

typedef struct tournament_terms {
    enum tournament_system system;
    unsigned rounds; /* 0: as many as it takes; never more than there are others to meet */
    unsigned people; /* it begins when so many have joined; 0: at a time */
    int64_t begins;  /* milliseconds since 1970; 0: as soon as there are enough */
    int64_t round;   /* a round may take so many milliseconds */
    uint64_t maker, seed;
    char title[TOURNAMENT_TITLE_MAX + 1]; /* without line breaks */
} tournament_terms;

enum tournament_stage {
    TOURNAMENT_OPEN,
    TOURNAMENT_RUNNING,
    TOURNAMENT_OVER,
    TOURNAMENT_OFF, /* there were not enough people */
    TOURNAMENT_STAGES
};

typedef struct tournament_table {
    uint8_t count;                        /* 1: somebody has a bye */
    uint8_t who[TOURNAMENT_SEATS_MAX];    /* which of the people, by seat */
    uint8_t points[TOURNAMENT_SEATS_MAX]; /* twelfths, once it is over */
    bool over;
} tournament_table;

typedef struct tournament_round {
    unsigned count;
    tournament_table table[TOURNAMENT_TABLES_MAX];
    int64_t began, ended; /* the latter: when its last table was over; 0 before */
} tournament_round;

/* Others only read it. */
typedef struct tournament {
    tournament_terms terms;
    enum tournament_stage stage;
    int64_t made;
    unsigned count;
    struct {
        uint64_t user;
        bool left;
    } person[TOURNAMENT_PEOPLE_MAX];
    unsigned rounds; /* that have begun */
    tournament_round round[TOURNAMENT_ROUNDS_MAX];
} tournament;

/* The terms are the first text. False for what makes no sense. */
void tournament_print(gral_text *text, const tournament_terms *terms);
bool tournament_make(tournament *tournament, gral_span terms, int64_t time);

/* The others: "join 17", "leave 17", "round 1-4 3-2 5" (people by number from 1, those at one table joined by a line),
 * "result 2 12-0" (the table of this round by number from 1, and the points of each of its seats), "over", "off".
 * False, and nothing has changed, for what is not possible now. */
bool tournament_apply(tournament *tournament, gral_span text, int64_t time);
void tournament_print_person(gral_text *text, bool joins, uint64_t user);
/* `first` has a bit for each seat that came out first; none of them: nobody gets anything. */
void tournament_print_result(gral_text *text, const tournament *tournament, unsigned table, unsigned first);

/* What comes by itself now, and when something will next, INT64_MAX for never (or when something else happens). */
enum tournament_event {
    TOURNAMENT_NOTHING,
    TOURNAMENT_NEXT_ROUND,
    TOURNAMENT_TIME_UP,
    TOURNAMENT_ENDS,
    TOURNAMENT_FAILS
};
enum tournament_event tournament_due(const tournament *tournament, int64_t now, int64_t *next);

/* The text of the next round; whoever may not meet is never at one table. */
typedef bool tournament_may_meet(void *context, uint64_t one, uint64_t other);
void tournament_pair(const tournament *tournament, tournament_may_meet *may_meet, void *context, gral_text *text);

/* In a round-robin, whom somebody meets in this round, counted from 0; `count`: nobody. And a number by lot for each,
 * of which every `salt` makes others. */
unsigned tournament_meets(const tournament *tournament, unsigned round, unsigned who);
uint64_t tournament_lot(const tournament *tournament, unsigned salt, unsigned who);

const tournament_round *tournament_now(const tournament *tournament); /* the newest round; NULL before the first */
unsigned tournament_rounds(const tournament *tournament); /* in all, as things stand; 0 while nobody can know */
unsigned tournament_in(const tournament *tournament);     /* people who have not left */
unsigned tournament_find(const tournament *tournament, uint64_t user); /* which of the people; `count` for none */

/* How somebody stands. Of two with the same points the one whose opponents have more is first, then the one with more
 * points against those with many; else they share a place. */
typedef struct tournament_standing {
    uint8_t who, place;    /* the latter from 1 */
    unsigned points;       /* twelfths */
    unsigned met, against; /* Buchholz in 72nds of a point, Sonneborn-Berger in 864ths: whole numbers also for means of
                              three, and only good for comparing */
    bool annulled;         /* in a round-robin: left before half of the games, which count for nobody */
} tournament_standing;

/* The best first; returns how many. */
unsigned tournament_stand(const tournament *tournament, tournament_standing standing[TOURNAMENT_PEOPLE_MAX]);

#endif
