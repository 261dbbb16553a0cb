/* The tournaments of a server, as their parts know them. Inside of src/server only: tournaments.c has them go on,
 * tournaments_write.c writes what happens, tournaments_tables.c has their tables, tournaments_ask.c does what people
 * ask for, tournaments_tell.c tells them, tournaments_hear.c follows what other servers have written. */
#ifndef GRAL_SERVER_TOURNAMENTS_INSIDE_H
#define GRAL_SERVER_TOURNAMENTS_INSIDE_H

#include "server/parts.h"
#include "server/tournament.h"

/* Something that wants to go into a tournament's log. */
typedef struct step {
    struct contest *contest;
    conn *conn; /* whom to answer, held; or NULL */
    char re[REQUEST_ID_MAX + 1];
    char text[TOURNAMENT_TEXT_MAX];
    uint64_t user; /* who joins; 0 for everything else */
    bool leads;    /* only the server that leads may say it */
    unsigned conflicts;
    store_write write[3];
    struct step *next;
} step;

/* A tournament with its tables: of those that are not over all, and some of the others. */
typedef struct contest {
    server *server;
    char id[GRAL_GAME_ID_MAX + 1];
    tournament state;
    gral_terms terms; /* of its tables */
    uint32_t count;   /* texts in the store */
    step *first;      /* that wait, */
    step *writing;    /* and the one that is under way */
    unsigned busy;    /* tables are being looked for, or its texts read */
    bool reading;     /* the latter: another server has written some; */
    bool again;       /* and one more since */
    uint64_t made;    /* a bit for each table of this round that is there, or will be */
    uint64_t settled; /* and for each whose result is on its way */
    uint64_t looking; /* and for each that is being looked for */
    int64_t looked[TOURNAMENT_TABLES_MAX];
    char table[TOURNAMENT_TABLES_MAX][GRAL_GAME_ID_MAX + 1];
    int64_t not_before; /* the disk has refused: try again then */
    bool changed;       /* and not yet told */
    bool reminded;      /* those who have joined: it begins soon */
    struct contest *next_read;
    UT_hash_handle hh;
} contest;

struct tournaments {
    contest *all; /* in the order in which they were made */
    unsigned unfinished;
    struct announcing *announcing; /* on their way there */
    int64_t tell_at;               /* what has changed is told then, or later */
    uv_timer_t timer;
};

enum { OVER_KEPT = 100 }; /* tournaments that are over, in memory */

bool contest_is_over(const contest *contest);
contest *contest_find(const server *server, const char *id);
/* From its texts: those of its terms make a new one, the others are done. False for one that makes no sense. */
typedef struct stored_contest {
    contest *contest; /* NULL: there is none, or it makes no sense */
} stored_contest;
bool contest_read(void *context, const store_entry *entry); /* see store_each_entry */
void contest_add(server *server, contest *contest);         /* to all of them */
void contest_go_on(contest *contest);                /* with what waits to be written, and what comes by itself */
void contest_leave(contest *contest, uint64_t user); /* if he is in it */

/* --- what is written --- */

enum { RETRY_MS = 5000 }; /* after the store has refused */
void contest_step(contest *contest, const char *text, uint64_t joins, conn *conn, const char *re);
void contest_lead_step(contest *contest, const char *text); /* what comes by itself */
void contest_write_next(contest *contest);
void contest_refuse_all(contest *contest); /* that waits: the store cannot be read */
void contest_drop_steps(contest *contest); /* unanswered: the server ends */

/* --- the tables of this round --- */

void contest_look_after_tables(contest *contest, bool time_is_up);
void contest_end_tables(const contest *contest); /* in the middle of it: their games are over, too */

/* --- the rest --- */

/* What follows from what has happened, whoever has written it; it had so many rounds, and was over, before. */
void contest_follow(contest *contest, unsigned rounds, bool over);
void contest_catch_up(server *server, const char *id); /* with what others have written */
/* Judged again because something has happened there since: whether what he wanted is so already, or why he may not. */
bool contest_is_in(const contest *contest, const person *person);
const refusal *contest_refuses(const contest *contest, const person *person);
void contest_print(const contest *contest, char *text, size_t room); /* the first text */

/* Of a table of a round, both counted from 1 and 0. */
void contest_table_id(const contest *contest, unsigned round, unsigned number, char id[GRAL_GAME_ID_MAX + 1]);

/* What somebody wants counts before it is written: many requests at once are no way around a limit. */
bool contest_is_joining(const contest *contest, uint64_t user);

void contest_tell_changes(server *server);
void contest_tell_off(contest *contest); /* those who are in it: it will not take place */

#endif
