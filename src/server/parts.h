/* What the parts of the server know of each other.
 *
 *     web -> requests, http -> tables, lobby, persons -> watch -> web
 *                              |
 *                              v
 *                       commit -> store, think
 *
 * Everything here runs on the loop's thread. People, connections and tables are found by id; whoever keeps a
 * pointer to a connection beyond a call holds it (conn_hold), or is its own watch and ends with it. */
#ifndef GRAL_SERVER_PARTS_H
#define GRAL_SERVER_PARTS_H

#include "server/budget.h"
#include "server/commit.h"
#include "server/ip_range.h"
#include "server/names.h"
#include "server/notify.h"
#include "server/request.h"
#include "server/server.h"
#include "server/signing.h"
#include "server/think.h"
#include "server/ties.h"

#include "rating/rating.h"
#include "tell/tell.h"

#include "gral/host.h"

#include <uthash.h>

enum { SECRET_BYTES = 32, SECRET_TEXT = 48, ID_BYTES = 16, ROOM_CODE_LENGTH = 5 };

/* --- people --- */

/* A seat of a table that is not over, with the person who has it. The table owns it, seats.c keeps it. */
typedef struct seating {
    struct table *table;
    struct person *person;       /* NULL: nobody's */
    unsigned computers;          /* that he has there */
    struct seating *prev, *next; /* of the same person */
} seating;

/* Somebody with a name, as long as somebody holds him, he sits at a table, or he was asked for lately. */
typedef struct person {
    uint64_t id;
    char name[NAME_BYTES_MAX]; /* "" once deleted */
    bool guest;
    seating *seatings;           /* where he sits */
    unsigned seated;             /* so many */
    unsigned promised;           /* he is about to sit at so many more */
    unsigned computers;          /* are, or are about to be, at his tables */
    bucket bucket[BUDGET_KINDS]; /* for all his connections together */
    struct conn *conns;          /* session.c: where he is known */
    bool here;                   /* here.c: he counts as here; also for a moment after he has gone, */
    int64_t went;                /* then, */
    struct person *prev_going, *next_going;
    uint64_t elsewhere; /* other servers where he is known, a bit each (peers_slot); */
    uint64_t heard;     /* in which of their lists he was last */
    bool unsaid;        /* the others are to hear whether he is here */
    bool said;          /* he is, as they have heard */
    struct person *next_unsaid;
    int64_t silenced; /* until then he may not talk; 0: he may */
    unsigned held;
    uint64_t asked_for;         /* when, last */
    struct person *prev, *next; /* by that time */
    UT_hash_handle hh;
} person;

/* That somebody may sit at one more table, or have more computer players. */
typedef struct promise {
    person *person; /* NULL: none */
    unsigned tables, computers;
} promise;

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
    web_peer *peer; /* NULL once closed */
    person *person; /* held; NULL for nobody */
    uint8_t session[STORE_SECRET_BYTES];
    bool has_session, by_token, known; /* `known`: it is clear who this is */
    bool looked_up;                    /* the store is being asked */
    int64_t touched;                   /* when the store was last told that the session is in use */
    int64_t ends;                      /* the session does; 0: never */
    bool lobby;
    bool tournaments;                      /* it looks at the list of them, */
    char tournament[GRAL_GAME_ID_MAX + 1]; /* or at this one; "" for none */
    uint64_t here;                         /* what it was told last of who is here, see lobby */
    bool away;                             /* nobody looks at the page */
    unsigned held, offences;
    origin from;
    size_t sent; /* bytes */
    pen early;   /* messages that came before it was clear who this is, each ended by a zero byte */
    watch *watches;
    unsigned watch_count;
    struct conn *prev, *next;
    struct conn *prev_of_person, *next_of_person;
};

/* --- tables --- */

/* Something that wants to go into a table's log. */
typedef struct submission {
    table *table;
    gral_input input;
    uint64_t user; /* whom it was made for; 0 for what comes by itself. The seat must still be his when it is done */
    char words[GRAL_TALK_MAX + 1];
    bool versioned;
    uint32_t version;
    int64_t time;
    conn *conn;         /* whom to answer, or NULL */
    uint64_t asked;     /* by uv_hrtime: when */
    uint8_t seat;       /* whose request it was when it came */
    bool anywhere;      /* wants to sit, on whichever seat is free when it is his turn */
    unsigned conflicts; /* one after the other, none of which somebody else's text was the reason for */
    uint32_t tried;     /* the number of the text that it was to be last */
    bool due;           /* it came before the slow beat, and is to be written at it */
    promise promise;    /* to whoever sits down, or fills a seat */
    char re[REQUEST_ID_MAX + 1];
    char text[GRAL_INPUT_TEXT_MAX];
    struct submission *next;
} submission;

/* Computer players of a table who were asked at the same moment; their decisions are told at the same moment, too. */
typedef struct deliberation {
    table *table;
    int64_t asked;        /* when, by table_now */
    uint64_t began, last; /* by uv_hrtime: when that was, and when the last of their thoughts began */
    int64_t each;         /* milliseconds: the longest that one of them may think */
    unsigned rounds;      /* of thinking, as many at once as there are threads */
    unsigned awaited;     /* thoughts */
    uint16_t thought_out; /* the seats of the others */
    thought thought[GRAL_PLAYERS_MAX];
    int64_t told_at; /* INT64_MAX while one is awaited */
    struct deliberation *next;
} deliberation;

/* The newest signature under the table's record, and what it is of: who asks again for the same costs no new one. */
typedef struct signed_record {
    uint8_t hash[GRAL_SEAL_BYTES]; /* of the signed bytes; zeros: none was made */
    gral_signature signature;
} signed_record;

/* What a record is made of; see record_write. */
typedef struct record_source {
    const gral_host *host;
    int64_t created;
    const char *names[GRAL_PLAYERS_MAX];
    const signing *signing;
    signed_record *known; /* NULL: nobody will ask again */
} record_source;

/* Of what is below a part's name nobody else changes anything. */
struct table {
    struct server *server;
    char id[GRAL_GAME_ID_MAX + 1];
    unsigned busy; /* thoughts and writes under way: it cannot be forgotten */
    UT_hash_handle hh;

    /* tables.c */
    int64_t created;
    uint64_t maker;          /* who sat down first */
    origin from;             /* where he came from, as far as is known */
    bool loading;            /* from the store; there is no host yet, or an old one */
    struct waiting *waiting; /* for the table to be loaded */
    int64_t resumed_at;      /* its clocks go on from then: the server was away; 0: from when that is said */

    /* slumber.c */
    bool asleep; /* in the store, or about to be */
    bool idle;   /* in the list of those that nobody needs */
    int64_t idle_since;
    struct table *prev_idle, *next_idle;

    /* table.c, and tables.c when it is loaded */
    gral_host *host;
    uint32_t count; /* the number of the next text in the store */
    int64_t heard;  /* when something was last done here; that the server was started is nothing */

    /* table.c */
    int64_t ahead;      /* of the server's clock: time at a table never goes back, see table_now */
    bool overdue;       /* what comes by itself is on its way */
    bool dissolved;     /* whoever runs the server has closed it */
    int64_t not_before; /* the disk has refused: try again then */
    bool stalled;       /* the disk has refused something: time has gone by in which nobody could act */
    submission *first, *last;
    unsigned in_flight;               /* submissions being written */
    uint8_t queued[GRAL_PLAYERS_MAX]; /* requests of each seat that wait */
    bool hurries; /* what is due, or is tried again, is written as soon as it can be, the rest later */
    bool eager;   /* in the server's list of those that want to write */
    struct table *next_eager;
    bool news; /* in the server's list of those whose watchers are to be told something */
    struct table *prev_with_news, *next_with_news;
    uv_timer_t timer;

    /* kept.c */
    uint64_t fence; /* of the lease under which this server keeps it; 0: it does not, or there can be no other */
    bool keeps;     /* whether it does is to be asked with the next reading */

    /* follow.c */
    bool behind;             /* another server has written something, perhaps */
    bool following;          /* that is being read, or waits for it */
    bool once_more;          /* and is to be read once more: somebody wants to know what is there now */
    uint32_t hinted;         /* as far as others say that they have written, the number of the next text */
    struct reading *reading; /* what was read, until the beat */
    struct table *next_behind;

    /* slow.c */
    struct held *held; /* what waits to be sent */
    bool slow;         /* something waits for the slow beat */
    struct table *prev_slow, *next_slow;

    /* deliberation.c */
    deliberation *deliberations;
    uint16_t thinking; /* seats being thought for, or whose decision waits */

    /* watch.c */
    watch *watches;
    uint16_t present; /* seats whose persons watch */
    int64_t gone_since[GRAL_PLAYERS_MAX];
    int64_t left; /* when the last of those who sit there went; 0 if nobody was there in this life */

    /* crowds.c */
    struct {
        uint16_t present, looking;
        unsigned watched;
    } said;      /* what other servers have heard of who is there; */
    bool unsaid; /* they are to hear it, */
    bool again;  /* even if it is the same */
    struct table *prev_unsaid, *next_unsaid;

    /* seats.c */
    seating seating[GRAL_PLAYERS_MAX];
    uint64_t payer;     /* for whom is thought here */
    unsigned computers; /* seats */

    /* asked.c */
    uint16_t asked; /* seats whose persons have been told that they are waited for */

    /* herald.c */
    uint32_t told_of[GRAL_PLAYERS_MAX]; /* the version of the question there is a letter about, and one */

    /* stage.c */
    uint8_t told_stage; /* what the store and the lobby know */
    bool reported;      /* its end is in the store's statistics */

    /* lobby.c */
    uint8_t place;               /* enum lobby_place */
    uint64_t opened;             /* which it was there */
    struct table *newer, *older; /* there */
    bool lobby_dirty;
    struct table *next_dirty;

    /* clearing.c */
    bool surplus; /* others left theirs behind, too, and there is no room for all */

    /* record.c */
    signed_record signed_record;
};

/* The lists of the lobby. Who is held back would be open, if there were room. */
enum lobby_place { LOBBY_NOT_SHOWN, LOBBY_OPEN, LOBBY_PLAYED, LOBBY_HELD_BACK, LOBBY_PLACES };

typedef struct lobby {
    table *newest[LOBBY_PLACES];
    uint64_t opened;  /* so many tables so far */
    table *next_held; /* of those held back, to be looked at: there may be room for it */
    table *dirty;     /* what is to be told */
    uint64_t here;    /* how often it has changed who is here */
    unsigned lookers; /* connections that look at it, when it was last told */
    uv_timer_t timer;
} lobby;

typedef struct here {
    unsigned count; /* people */
    person *going;  /* who has no connection any more, and may be back in a moment; the first who went first */
    uv_timer_t timer;
    uint64_t *shown; /* those of them who want to be seen by all, in the order in which they came */
    unsigned shown_count, shown_room;
    person *unsaid; /* of whom other servers are to hear */
    uint64_t lists; /* of people that others have said */
} here;

/* crowds.c: what other servers say of tables. */
typedef struct crowds {
    struct crowd *by_game;
    table *unsaid;  /* of which other servers are to hear */
    pen words;      /* for them, also of those that were forgotten meanwhile */
    uint64_t lists; /* that others have said */
} crowds;

/* See session_ended_since; people whose ids have the same rest have one in common. */
enum { ENDS = 1024 };

/* peers.c: what servers say to each other is about one of these. */
enum peers_topic {
    PEERS_HERE,
    PEERS_WATCH,
    PEERS_MESSAGE,
    PEERS_QUEUE,   /* meeting.c */
    PEERS_RATED,   /* ratings.c */
    PEERS_ROOM,    /* room.c */
    PEERS_KEYS,    /* server.c */
    PEERS_REMATCH, /* create.c */
    PEERS_GUESSES, /* errand.c */
    PEERS_TOPICS
};

typedef struct server {
    server_settings settings;
    uv_loop_t loop;
    store *store;
    signing *_Atomic signing; /* read on other threads, too */
    struct papers *papers;
    commit *commit;
    think *think;
    web *web;
    notify notify;
    uv_signal_t on_term, on_int, on_hup;
    const server_settings *(*reload)(gral_error *error);
    uv_timer_t stop_timer;
    uv_work_t keys;                  /* are read again */
    person *people, *people_by_time; /* the one asked for longest ago first */
    uint64_t ends, ended[ENDS];      /* of sessions: how many, and which was the last of these people */
    struct errands *errands;
    struct admin *admin;
    struct moderation *moderation;
    struct expiry *expiry;
    struct clearing *clearing;
    struct ratings *ratings;
    struct meeting *meeting;
    struct tournaments *tournaments;
    struct peers *peers; /* NULL: it is alone */
    const struct peers_listener *topic[PEERS_TOPICS];
    struct anew *anew;
    ties *ties;
    here here;
    crowds crowds;
    struct herald *herald;
    struct slumber *slumber;
    struct follow *follow;
    struct slow *slow;
    struct taking *taking; /* games of a server that has died; NULL: none are being taken */
    bool loaded;           /* all tables that are to be in memory from the start */
    int64_t started;       /* when the tables were read; 0: others had them then */
    conn *conns;
    table *tables;
    struct room *rooms, *rooms_by_table; /* room.c */
    lobby lobby;
    budget *budget;
    table *eager;     /* tables that want to write at the next beat */
    table *with_news; /* has been written there and is to be told */
    unsigned table_count, running_count;
    int64_t epoch; /* the time of day when the machine's own clock was 0 */
    pen out;       /* for the message being written */
    pen view;      /* the part of it that is the same for all who watch a table */
    bool stopping;
    bool draining; /* it will stop in a moment, and load balancers are to notice */
    bool outdated; /* a newer program has changed the store, and this one can write no more */
    bool left;     /* the others were told */
    struct {
        uint64_t requests, inputs, refused, games_ended, logins, logins_failed, logins_refused, guests_cleared, reports,
            letters_sent, letters_put_off, letters_given_up, words_said, words_bytes, games_taken, conflicts;
        histogram answers;    /* to what players do at tables */
        histogram take_overs; /* of all games of a server that has died, those that this one got */
    } figures;
} server;

/* Milliseconds since 1970 as of the start, and from then on the machine's own clock: nobody can set it, ahead or back.
 */
int64_t server_now(const server *server);
void server_give_up(server *server);   /* it is outdated: it tells everyone to go elsewhere, and ends */
void server_read_keys(server *server); /* another server may have made a new one to sign with */

/* conn.c: a connection, and what it is answered */
conn *conn_hold(conn *conn);
void conn_release(conn *conn);
void conn_send(conn *conn, const pen *message); /* nothing once it is closed */
/* What something costs the person of this connection, and the place he comes from. False: he has used up his budget. */
bool conn_pays(conn *conn, enum budget_kind kind, double price);
void conn_charge(conn *conn, double price);              /* for work that is done already */
void conn_pay_for_bytes(conn *conn, size_t sent_before); /* for what it has been sent since then */
void answer_begin(conn *conn, const char *re);           /* into server->out */
void answer_end(conn *conn);
void answer_ok(conn *conn, const char *re);
void answer_refused(conn *conn, const char *re, refusal why);
void answer_put_refused(conn *conn, const char *re, refusal why); /* into server->out */
void answer_table(conn *conn, const char *re, const char *table);
void answer_not_yet(conn *conn, const char *re, refusal why, int64_t milliseconds); /* until it will be possible */
refusal refusal_of_host(enum gral_host_refusal code);
extern const refusal refused_rate, refused_table, refused_seat, refused_who, refused_storage, refused_version,
    refused_many, refused_silenced, refused_words, refused_guest, refused_name, refused_private;

/* requests.c */
void requests_take(conn *conn, gral_span text);

/* admin.c: gral admin */
void admin_open(server *server);
bool admin_busy(const server *server);
void admin_stop(server *server);
void admin_close(server *server);

/* http.c */
void http_request(void *context, web_exchange *exchange, const web_request *request);

/* secrets.c */
void secret_make(char text[SECRET_TEXT], uint8_t hash[STORE_SECRET_BYTES]); /* and its hash */
/* Those that a request brings; false where there is none that could be one. */
bool secret_of_cookie(const char *cookies, const char *name, char text[SECRET_TEXT], uint8_t hash[STORE_SECRET_BYTES]);
bool secret_of_header(const char *authorization, uint8_t hash[STORE_SECRET_BYTES]);
/* An id that nobody can guess who does not know the key, and that is the same for the same words: what is asked for
 * is made once. */
void id_make(char id[GRAL_GAME_ID_MAX + 1], const uint8_t *key, size_t key_length, gral_span words);

#endif
