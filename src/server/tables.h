/* Tables: one by one, all of them, who sits and looks there, and where they are listed. */
#ifndef GRAL_SERVER_TABLES_H
#define GRAL_SERVER_TABLES_H

#include "server/parts.h"

/* tables.c, making.c: all of them; table.c, admission.c and deliberation.c: one */
bool tables_load_all(server *server, gral_error *error);
typedef void table_found(void *context, table *table);                               /* NULL: there is none */
void tables_find(server *server, const char *id, table_found *found, void *context); /* now or later */
typedef struct sitting {
    person *person;
    unsigned seat;
    uint64_t ticket; /* with which he sits down; 0 for none */
} sitting;
/* The table with the id in the terms: a new one, with these people on their seats, once all of it is safely stored; or
 * the one that is there already. NULL when nothing could be stored. The first of them is its maker; the seed is made
 * here. */
void tables_make(server *server, const gral_terms *terms, const sitting people[], unsigned count, const origin *from,
                 table_found *found, void *context);
/* The same by the server that leads, as long as it does. */
void tables_make_leading(server *server, const gral_terms *terms, const sitting people[], unsigned count,
                         const origin *from, table_found *found, void *context);
/* A table that has not begun, where this person sits alone, gets other terms: it is as if it were new, and everybody
 * who watches is told all of it. False, and nothing is done, while something else is under way there. */
typedef void table_renewed(void *context, const table *table, const refusal *why); /* NULL: it has them */
bool tables_renew(table *table, const gral_terms *terms, sitting host, table_renewed *renewed, void *context);
/* create.c: tables that people ask for */
void create_open(server *server);
void create_table(conn *conn, const request *request);
void create_terms(conn *conn, table *table, const request *request); /* other ones, as long as he is alone there */
void create_rematch(conn *conn, table *table, const request *request);
/* One with these terms, for somebody who was promised it and sits down there, if not at GRAL_NOBODY. */
void create_with(conn *conn, const gral_terms *terms, unsigned seat, const char *re, promise promise);
/* Whether another table, with so many computer players, was promised him; where not, he is told why. */
bool create_reserve(conn *conn, unsigned computers, const char *re, promise *promise);

/* The time for everything at this table: the server's, or ahead of it where the clock was, in an earlier life, and has
 * been put right since. */
int64_t table_now(const table *table);
void table_keep_time(table *table); /* after it was loaded */
/* What a person says at the table, with whom to answer. */
void table_submit(table *table, const gral_input *input, conn *conn, const char *re, const uint32_t *version);
/* What comes by itself; or from a person who is not there to be answered, `user`. */
void table_submit_for(table *table, const gral_input *input, uint64_t user);
void tables_write(void *server);                                  /* all that is ready, at a beat of the store */
void tables_tell(void *server);                                   /* what has been written, to all who watch */
void table_forget_work(table *table);                             /* it goes: nothing of it is done or told any more */
unsigned table_seat_of(const table *table, const person *person); /* GRAL_NOBODY for none */
/* By somebody who may have deleted his account on the way there: then he leaves again. */
void table_seat_was_taken(table *table, unsigned seat, uint64_t user);
void table_start_thinking(table *table); /* computer players who are to act, if somebody is there */
void table_go_on(table *table);          /* after it was loaded */

void table_release(table *table); /* forgets it, or lets it sleep, if nobody needs it */
bool table_is_needed(const table *table);
void table_forget(table *table);   /* it is in the store */
void table_dissolve(table *table); /* whoever is there */
void tables_rest(server *server);  /* nothing comes by itself any more */
void tables_forget_all(server *server);
void tables_of_person_tell(const person *person);         /* he has another name */
void tables_of_person_leave(server *server, uint64_t id); /* his account is deleted */

/* A game as the store has it, apart from all tables, on any thread. */
typedef struct stored_game {
    gral_host *host;
    uint32_t terms, count; /* the numbers of its first text and of the next */
    uint8_t stage;         /* as the store knows it */
    int64_t created, heard;
    uint64_t maker;
    int64_t wakes, left; /* see store_entry */
} stored_game;

/* The host is the caller's to free, and NULL when the game is not there or makes no sense. False when the store cannot
 * be read. */
bool stored_game_read(store *store, const char *id, stored_game *game, gral_error *error);

/* slumber.c: games that nobody needs leave memory */
void slumber_open(server *server);
void slumber_note(table *table);    /* nobody needs it now */
void slumber_forget(table *table);  /* it goes */
void slumber_disturb(table *table); /* it is needed in memory: the store is told so, if it thinks otherwise */
/* All games of somebody are in memory then; `done` may be NULL. */
void slumber_wake_all_of(server *server, uint64_t user, void (*done)(void *context), void *context);
void slumber_lead(server *server);
void slumber_stop(server *server);
bool slumber_busy(const server *server);
void slumber_end(server *server);
void slumber_close(server *server);

/* stage.c: what the store and the lobby know of a table */
void stage_loaded(table *table, enum store_stage stage); /* the store has it so */
void stage_follow(table *table); /* it may have begun or ended, and its seats may have changed */
void stage_report(table *table); /* to the store; tried again later where that failed */
bool stage_result(const gral_host *host, unsigned seat, uint8_t *result); /* false: it is nobody's */

/* watch.c: who watches a table */
bool watch_is_allowed(const table *table, const conn *conn); /* else it watches too many already */
bool watch_is_watching(const table *table, const conn *conn);
void watch_begin(table *table, conn *conn, size_t have);
void watch_end(watch *watch);
uint16_t watch_seats_here(const table *table, bool looking); /* of those who do; or only who have the page in front */
unsigned watch_count_here(const table *table);
void watch_look(const conn *conn);                             /* somebody is in front of the page, or is no more */
bool watch_looks(const table *table, uint64_t user);           /* on a page that is in front of somebody */
void watch_presence(table *table);                             /* who is there may have changed */
void watch_miss(table *table, unsigned seat);                  /* he has not come yet: from now on he is waited for */
void watch_missed(table *table, unsigned seat, int64_t since); /* if he is, perhaps from earlier on */
int64_t watch_patience(const table *table);      /* so long somebody may be gone before he can be replaced */
void watch_anew(table *table);                   /* all of it is news to everybody */
void watch_tell(table *table, conn *payer);      /* everybody what is news to him, at the cost of this one or NULL */
void watch_pay(const table *table, conn *payer); /* for one more thing that will be told */
tell_table watch_as_told(table *table);

/* record.c */
char *table_record(table *table, size_t *length);                /* signed; the caller frees it */
char *record_write(const record_source *source, size_t *length); /* the same, on any thread */

/* clearing.c: what nobody comes back to */
void clearing_open(server *server);
void clearing_forget(table *table); /* it goes */
void clearing_stop(server *server);
void clearing_close(server *server);
bool table_is_given_up(const table *table);
int64_t clearing_time(const table *table); /* when it will be, if nobody comes; INT64_MAX for never */

/* seats.c: who sits where and for whom is thought, of all tables that are not over */
void seats_follow(table *table); /* its seats may have changed */
void seats_clear(table *table);  /* it goes */
/* One more table or none, with so many computer players, is promised to a person, so that many requests at once are
 * counted too; NULL, or why not. It is redeemed when he sits there, or nothing came of it; one that was not given needs
 * no more. */
const refusal *seats_promise(const server *server, person *person, unsigned tables, unsigned computers,
                             promise *promise);
void seats_redeem(promise *promise);
unsigned seats_computers_for(const table *table, const person *person); /* new to him, if he sits down there */

/* room.c: the short code of a table whose people sit around one screen */
void room_tell_code(conn *conn, table *table, const request *request);
bool room_is_code(const char *text);                               /* it looks like one, in upper or lower case */
const char *room_find(const server *server, const char *code);     /* the table; NULL: there is none */
void room_move(server *server, const char *old, const char *next); /* whoever has the code gets to the next game */
void room_forget(const table *table);                              /* it goes */
void room_open(server *server);
void room_close(server *server);

/* asked.c: who is waited for, told to him wherever he is */
void asked_follow(table *table, conn *payer);   /* that may have changed, at the cost of this one or NULL */
void asked_put(pen *out, const person *person); /* where, if anywhere: the member `asked` */

/* lobby.c */
void lobby_changed(table *table);
void lobby_forget(table *table);
void lobby_check(table *table);          /* takes it down if it has waited for nobody */
void lobby_here_changed(server *server); /* who is here */
void lobby_open(conn *conn, const char *re, bool on);
void lobby_start(server *server);
void lobby_stop(server *server);

#endif
