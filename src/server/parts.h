/* What the parts of the server know of each other.
 *
 *     net -> orders, http -> tables, lobby, people -> tell -> net
 *                              |
 *                              v
 *                       commit -> store, think
 *
 * Everything here runs on the loop's thread. People, connections and tables are found by id; whoever keeps a
 * pointer to a connection beyond a call holds it (conn_hold), or is its own watch and ends with it. */
#ifndef GRAL_SERVER_PARTS_H
#define GRAL_SERVER_PARTS_H

#include "bucket.h"
#include "commit.h"
#include "message.h"
#include "names.h"
#include "server.h"
#include "think.h"

#include "../tell/tell.h"

#include "gral/host.h"

#include <uthash.h>

enum { SECRET_BYTES = 32, ID_BYTES = 16 };

/* --- people --- */

/* Somebody with a name. Once known, known as long as the server runs. */
typedef struct person {
    uint64_t id;
    char name[NAME_BYTES_MAX]; /* "" once deleted */
    bool guest;
    unsigned tables;    /* he sits, or is about to sit, at so many that are not over */
    unsigned computers; /* are, or are about to be, at his tables that are not over */
    bucket bucket;      /* of the rate limit, for all his connections together */
    UT_hash_handle hh;
} person;

typedef struct conn conn;
typedef struct table table;

/* A connection that looks at a table. */
typedef struct watch {
    conn *conn;
    table *table;
    tell_reader reader;
    struct watch *next_of_conn, *prev, *next; /* the latter two: of the table */
} watch;

struct conn {
    struct server *server;
    net_peer *peer; /* NULL once closed */
    person *person; /* NULL for nobody */
    uint8_t session[STORE_SECRET_BYTES];
    bool has_session, by_token, known; /* `known`: it is settled who this is */
    bool lobby;
    unsigned held, offences;
    bucket bucket; /* of the rate limit, of somebody who is nobody */
    pen early;     /* messages that came before it was settled who this is, each ended by a zero byte */
    watch *watches;
    struct conn *prev, *next;
};

conn *conn_hold(conn *conn);
void conn_release(conn *conn);
void conn_send(conn *conn, const pen *message); /* nothing once it is closed */

/* --- tables --- */

/* Something that wants to go into a table's log. */
typedef struct submission {
    table *table;
    gral_input input;
    char words[GRAL_TALK_MAX + 1];
    bool versioned;
    uint32_t version;
    int64_t time;
    conn *conn;   /* whom to answer, or NULL */
    uint8_t seat; /* whose order it was when it came */
    bool performed;
    unsigned conflicts;
    unsigned computers; /* of who sits down: counted until it is done or refused */
    char re[MESSAGE_ID_MAX + 1];
    char text[GRAL_INPUT_TEXT_MAX];
    store_write write[2];
    struct submission *next;
} submission;

/* Computer players of a table who were asked at the same moment; their decisions are told at the same moment, too. */
typedef struct deliberation {
    table *table;
    int64_t asked;        /* when, by server_now */
    uint64_t began, last; /* by uv_hrtime: when that was, and when the last of their thoughts began */
    int64_t each;         /* milliseconds: the longest that one of them may think */
    unsigned rounds;      /* of thinking, as many at once as there are threads */
    unsigned awaited;     /* thoughts */
    uint16_t thought_out; /* the seats of the others */
    thought thought[GRAL_PLAYERS_MAX];
    int64_t told_at; /* INT64_MAX while one is awaited */
    struct deliberation *next;
} deliberation;

struct table {
    struct server *server;
    char id[GRAL_GAME_ID_MAX + 1];
    gral_host *host;
    int64_t created;
    uint32_t count;     /* texts in the store */
    bool loading;       /* from the store; there is no host yet, or an old one */
    bool settled;       /* its end is in the store's statistics */
    bool overdue;       /* what comes by itself is on its way */
    int64_t not_before; /* the disk has refused: try again then */
    unsigned busy;      /* thoughts and writes under way: it cannot be forgotten */
    submission *first, *last, *in_flight;
    uint8_t queued[GRAL_PLAYERS_MAX]; /* orders of each seat that wait */
    bool stalled;                     /* the disk has refused something: time has gone by in which nobody could act */
    watch *watches;
    deliberation *deliberations;
    uint16_t thinking;                  /* seats being thought for, or whose decision waits */
    uint64_t charged[GRAL_PLAYERS_MAX]; /* the persons who play here, as they were counted; 0 for none */
    unsigned computers;                 /* that each of them has here */
    uint16_t present;
    int64_t gone_since[GRAL_PLAYERS_MAX];
    uint8_t told_stage;      /* what the store and the lobby know */
    struct waiting *waiting; /* for the table to be loaded */
    uv_timer_t timer;
    bool lobby_dirty;
    struct table *next_dirty;
    UT_hash_handle hh;
};

/* How often an address has tried to become somebody; several may share a bucket. */
enum { ATTEMPT_BUCKETS = 1024, ATTEMPTS_AT_ONCE = 60, ATTEMPTS_PER_SECOND = 1 };

typedef struct server {
    server_settings settings;
    uv_loop_t loop;
    store *store;
    commit *commit;
    think *think;
    net *net;
    uv_signal_t on_term, on_int;
    uv_timer_t lobby_timer, sweep_timer, stop_timer;
    person *people;
    conn *conns;
    table *tables;
    table *dirty; /* what the lobby has yet to hear of */
    unsigned table_count, running_count;
    unsigned passwords; /* being hashed */
    bucket attempts[ATTEMPT_BUCKETS];
    uint8_t attempts_key[16]; /* nobody can choose his bucket, or another's */
    int64_t clock;            /* the newest time given out */
    pen out;                  /* for the message being written */
    pen view;                 /* the part of it that is the same for all who watch a table */
    bool stopping;
    struct {
        uint64_t orders, inputs, refused, games_ended, logins;
    } figures;
} server;

/* Milliseconds since 1970 that never go back. */
int64_t server_now(server *server);

/* Answers. */
void answer_ok(conn *conn, const char *re);
void answer_refused(conn *conn, const char *re, refusal why);
refusal refusal_of_host(unsigned code);
extern const refusal refused_rate, refused_table, refused_seat, refused_who, refused_storage, refused_version,
    refused_present, refused_many;

/* people.c */
person *people_know(server *server, uint64_t id, const char *name, bool guest);
person *people_find(server *server, uint64_t id);     /* NULL where it has not been heard of */
const char *people_name(server *server, uint64_t id); /* asks the store where it must: not on the hot path */
void people_remember_session(conn *conn, const net_request *request);                    /* before it is open */
void people_identify(conn *conn);                                                        /* and greet */
bool people_request(server *server, net_exchange *exchange, const net_request *request); /* true: it was theirs */
void people_forget_all(server *server);

/* tables.c: all of them; table.c: one */
bool tables_load_all(server *server, gral_error *error);
typedef void table_found(void *context, table *table);                               /* NULL: there is none */
void tables_find(server *server, const char *id, table_found *found, void *context); /* now or later */
/* The table with the id in the terms: a new one, with its maker on a seat, once both are safely stored; or the one that
 * is there already. NULL when nothing could be stored. The seed is made here. */
void tables_make(server *server, const gral_terms *terms, person *maker, unsigned seat, table_found *found,
                 void *context);
void table_submit(table *table, const gral_input *input, conn *conn, const char *re, const uint32_t *version);
unsigned table_seat_of(const table *table, const person *person); /* GRAL_NOBODY for none */
void table_watch(table *table, conn *conn, size_t have);
void table_unwatch(watch *watch);
void table_store_stage(table *table);
void table_settle(table *table);   /* counts its computer players; tells store and lobby of a new stage */
void table_go_on(table *table);    /* after it was loaded */
void table_presence(table *table); /* who is there may have changed */
void table_catch_up(table *table); /* with what another process has written */
void table_release(table *table);  /* forgets it if nobody needs it */
void tables_sweep(server *server);
void tables_rest(server *server); /* nothing comes by itself any more */
void tables_forget_all(server *server);
void tables_of_person_tell(server *server, const person *person); /* he has another name */
void tables_of_person_leave(server *server, const person *person);

/* tell.c */
void tell_watchers(table *table);                             /* everybody who watches hears what is news to him */
void tell_lobby_row(pen *out, table *table, unsigned viewer); /* a seat, or GRAL_SPECTATOR */
char *tell_record(const table *table, size_t *length);        /* the caller frees it */

/* lobby.c */
void lobby_changed(table *table);
void lobby_open(conn *conn, const char *re, bool on);
void lobby_start(server *server);

/* orders.c */
void orders_take(conn *conn, gral_span text);

/* http.c */
void http_request(void *context, net_exchange *exchange, const net_request *request);

/* secrets.c */
void secret_make(char text[48], uint8_t hash[STORE_SECRET_BYTES]); /* and its hash */
bool secret_hash(gral_span text, uint8_t hash[STORE_SECRET_BYTES]);
/* An id that nobody can guess who does not know the key, and that is the same for the same words: what is ordered twice
 * is made once. */
void id_make(char id[GRAL_GAME_ID_MAX + 1], const uint8_t *key, size_t key_length, gral_span words);

#endif
