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
    conn *conn;     /* whom to answer, or NULL */
    uint64_t asked; /* by uv_hrtime: when */
    uint8_t seat;   /* whose request it was when it came */
    unsigned conflicts;
    promise promise; /* to whoever sits down, or fills a seat */
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
    uint32_t count; /* texts in the store */
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
    bool eager;                       /* in the server's list of those that want to write */
    struct table *next_eager;
    bool news; /* in the server's list of those whose watchers are to be told something */
    struct table *prev_with_news, *next_with_news;
    uv_timer_t timer;

    /* deliberation.c */
    deliberation *deliberations;
    uint16_t thinking; /* seats being thought for, or whose decision waits */

    /* watch.c */
    watch *watches;
    uint16_t present; /* seats whose persons watch */
    int64_t gone_since[GRAL_PLAYERS_MAX];
    int64_t left; /* when the last of those who sit there went; 0 if nobody was there in this life */

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

    /* room.c */
    char code[ROOM_CODE_LENGTH + 1]; /* "" for none */
    UT_hash_handle by_code;

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
} here;

/* See session_ended_since; people whose ids have the same rest have one in common. */
enum { ENDS = 1024 };

typedef struct server {
    server_settings settings;
    uv_loop_t loop;
    store *store;
    signing *signing;
    struct papers *papers;
    commit *commit;
    think *think;
    web *web;
    notify notify;
    uv_signal_t on_term, on_int, on_hup;
    const server_settings *(*reload)(gral_error *error);
    uv_timer_t stop_timer;
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
    ties *ties;
    here here;
    struct herald *herald;
    struct slumber *slumber;
    int64_t started; /* when the tables were read */
    conn *conns;
    table *tables;
    table *rooms; /* that have a code, by it */
    lobby lobby;
    budget *budget;
    table *eager;     /* tables that want to write at the next beat */
    table *with_news; /* has been written there and is to be told */
    unsigned table_count, running_count;
    int64_t epoch; /* the time of day when the machine's own clock was 0 */
    pen out;       /* for the message being written */
    pen view;      /* the part of it that is the same for all who watch a table */
    bool stopping;
    struct {
        uint64_t requests, inputs, refused, games_ended, logins, logins_failed, logins_refused, guests_cleared, reports,
            letters_sent, letters_put_off, letters_given_up;
        histogram answers; /* to what players do at tables */
    } figures;
} server;

/* Milliseconds since 1970 as of the start, and from then on the machine's own clock: nobody can set it, ahead or back.
 */
int64_t server_now(const server *server);

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
void answer_table(conn *conn, const char *re, const char *table);
void answer_not_yet(conn *conn, const char *re, refusal why, int64_t milliseconds); /* until it will be possible */
refusal refusal_of_host(enum gral_host_refusal code);
extern const refusal refused_rate, refused_table, refused_seat, refused_who, refused_storage, refused_version,
    refused_many, refused_silenced, refused_words, refused_guest, refused_name, refused_private;

/* person.c: who they are */
person *person_meet(server *server, const store_user *user); /* as the store knows him, unless he is known here */
person *person_find(server *server, uint64_t id);            /* NULL where it has not been heard of */
const char *person_name(server *server, uint64_t id);        /* asks the store where it must: not on the hot path */
bool person_is_here(const server *server, uint64_t id);      /* connected, or at a table */
/* The store has another name for him, "" for nobody any more: so has everybody here. */
void person_rename(server *server, uint64_t id, const char *name, bool guest);
person *person_hold(person *person);
void person_release(person *person); /* NULL too */
void person_sweep(server *server);   /* forgets some who are not here */
void person_forget_all(server *server);

/* session.c: who speaks on which connection */
void session_remember(conn *conn, const web_request *request); /* before it is open */
void session_identify(conn *conn);                             /* and greet */
void session_leave(conn *conn);                                /* it is closed */
/* What the store has been told is told to those who are here: the end of a session, of all tokens, or of everything by
 * which he could be known; or that some session has ended, nobody knows which. Others: all but this one, with `tokens`
 * those of programs too. */
void session_end(server *server, uint64_t id, const uint8_t session[STORE_SECRET_BYTES]);
void session_end_tokens(server *server, uint64_t id);
void session_end_all(server *server, uint64_t id);
void session_end_others(server *server, uint64_t id, const uint8_t session[STORE_SECRET_BYTES], bool tokens);
void session_end_overdue(server *server); /* whatever was to end until now */
void session_check_all(server *server, uint64_t id);
/* Whether something was ended for this person since server->ends had that value: then what the store said of a session
 * may not be true any more. */
bool session_ended_since(const server *server, uint64_t id, uint64_t since);

/* accounts.c: names, passwords, sessions and tokens over HTTP */
bool accounts_request(server *server, web_exchange *exchange, const web_request *request); /* true: it was theirs */

/* errand.c: the way of such a request */
void errands_open(server *server);
unsigned errands_waiting(const server *server); /* for their passwords to be hashed */
void errands_stop(server *server);              /* whoever waits is refused */
bool errands_busy(const server *server);        /* something is under way that will be written or answered */
void errands_close(server *server);

/* expiry.c: what is not used ends */
void expiry_open(server *server);
bool expiry_is_over(server *server, enum store_session session, const store_user *user);
bool expiry_is_touch_due(server *server, int64_t touched); /* the store is told once a day that a session is in use */
void expiry_stop(server *server);
void expiry_close(server *server);

/* tables.c: all of them; table.c, admission.c and deliberation.c: one */
bool tables_load_all(server *server, gral_error *error);
typedef void table_found(void *context, table *table);                               /* NULL: there is none */
void tables_find(server *server, const char *id, table_found *found, void *context); /* now or later */
typedef struct sitting {
    person *person;
    unsigned seat;
} sitting;
/* The table with the id in the terms: a new one, with these people on their seats, once all of it is safely stored; or
 * the one that is there already. NULL when nothing could be stored. The first of them is its maker; the seed is made
 * here. */
void tables_make(server *server, const gral_terms *terms, const sitting people[], unsigned count, const origin *from,
                 table_found *found, void *context);
/* A table that has not begun, where this person sits alone, gets other terms: it is as if it were new, and everybody
 * who watches is told all of it. He is told what came of it, see table_found: the table, or NULL when nothing could be
 * stored. False, and nothing is done, while something else is under way there. */
bool tables_renew(table *table, const gral_terms *terms, sitting host, table_found *found, void *context);
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
void table_catch_up(table *table);       /* with what another process has written */
void table_release(table *table);        /* forgets it, or lets it sleep, if nobody needs it */
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
    uint32_t count;
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
void slumber_stop(server *server);
bool slumber_busy(const server *server);
void slumber_end(server *server);
void slumber_close(server *server);

/* ratings.c: what games are worth to those who played them, and say of them */
void ratings_open(server *server);
void ratings_go_on(server *server); /* there may be another that is to be read */
bool ratings_busy(const server *server);
void ratings_stop(server *server);
void ratings_close(server *server);

/* standing.c: what people ask about each other's play, and who may know it (profile.h) */
void standing_tell(conn *conn, const request *request);
void standing_show(conn *conn, const request *request);

/* herald.c: who is not there is told by mail or push (news.h says what, dispatch.c brings it, post.h says how) */
bool herald_open(server *server, gral_error *error);
bool herald_does(const server *server, enum store_way way);                 /* whether this server can */
const char *herald_push_key(const server *server);                          /* for browsers; NULL: no push */
void herald_asked(table *table);                                            /* somebody may be waited for */
void herald_put_end(const table *table, store_write *write, size_t *count); /* what is to be written with its end */
void herald_invite(server *server, uint64_t user, const char *table,
                   uint64_t by);                                       /* once for each table, however often */
void herald_round(table *table);                                       /* of a tournament: its game has begun */
void herald_tournament(server *server, const char *id, uint32_t news); /* to all who are in it, see tournaments_news */
void herald_seen(table *table, const conn *conn);                      /* somebody looks at it */
void herald_wake(server *server);                                      /* there may be a letter to be sent now */
/* Whether one more mail may go to an address that anybody may have named; it is counted. */
bool herald_may_write_to(server *server, const char *address);
const uint8_t *herald_link_key(const server *server); /* see link_token.h */
void herald_stop(server *server);
bool herald_busy(const server *server);
void herald_end(server *server);
void herald_close(server *server);

/* ways.c: how people want to be reached, over HTTP */
bool ways_request(server *server, web_exchange *exchange, const web_request *request); /* true: it was theirs */

/* stage.c: what the store and the lobby know of a table */
void stage_loaded(table *table); /* they know it as it is */
void stage_follow(table *table); /* it may have begun or ended, and its seats may have changed */
void stage_report(table *table); /* to the store; tried again later where that failed */
bool stage_result(const gral_host *host, unsigned seat, uint8_t *result); /* false: it is nobody's */

/* watch.c: who watches a table */
bool watch_is_allowed(const table *table, const conn *conn); /* else it watches too many already */
void watch_begin(table *table, conn *conn, size_t have);
void watch_end(watch *watch);
bool watch_looks(const table *table, uint64_t user); /* on a page that is in front of somebody */
void watch_presence(table *table);                   /* who is there may have changed */
void watch_miss(table *table, unsigned seat);        /* he has not come yet: from now on he is waited for */
int64_t watch_patience(const table *table);          /* so long somebody may be gone before he can be replaced */
void watch_anew(table *table);                       /* all of it is news to everybody */
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
bool room_is_code(const char *text);                      /* it looks like one, in upper or lower case */
const table *room_find(server *server, const char *code); /* NULL: there is none */
void room_move(table *old, table *next);                  /* whoever has the code gets to the next game */
void room_forget(table *table);

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

/* requests.c */
void requests_take(conn *conn, gral_span text);
/* Whether another table, with so many computer players, was promised him; where not, he is told why. */
bool requests_reserve_table(conn *conn, unsigned computers, const char *re, promise *promise);

/* company.c: who wants to have to do with whom, and what follows from it at tables */
bool company_open(server *server, gral_error *error);
void company_close(server *server);
void company_forget(server *server, uint64_t person);                    /* he is nobody any more */
bool company_may_meet(void *server, uint64_t one, uint64_t other);       /* see pairing.h */
bool company_sees_all_alike(const server *server, const person *viewer); /* in the lobby: what a stranger sees there */
bool company_refuses(const table *table, const person *person);          /* to let him sit there */
bool company_hides(const table *table, const person *viewer);            /* in the lobby; the viewer may be NULL */
/* What somebody wants to be seen by these (enum tie_seen), whether this one may see it; 0 for a stranger. That somebody
 * has blocked him he would notice if he saw less than a stranger. */
bool company_shows(const server *server, uint64_t person, uint8_t to, uint64_t viewer);
void company_hush(table *table); /* those who sit there do not hear whom they have blocked */
void company_hush_everywhere(server *server, uint64_t person); /* where he sits */

/* here.c: who is here, and may be known to be */
void here_open(server *server);
void here_stop(server *server);
void here_came(server *server, person *person); /* his first connection */
void here_went(server *server, person *person); /* and his last */
void here_forget(server *server, uint64_t person);
bool here_is(const person *person);     /* connected; NULL too */
bool here_counts(const person *person); /* as here, as others are told; NULL too */
void here_send(const person *person, const pen *message);
void here_set_seen(conn *conn, enum tie_seen seen); /* by whom he wants to be seen */
/* How many, and the names of those who want it, as members of an object. */
void here_put(pen *out, server *server, const person *viewer);

/* wishes.c: what somebody wants of somebody */
enum { INVITATIONS_MAX = 50 };                        /* that somebody has at a time */
void wishes_take(conn *conn, const request *request); /* a friend, or to have nothing to do with somebody */
void wishes_invite(conn *conn, table *table, const request *request);
void wishes_decline(conn *conn, const request *request);
void wishes_set_seen(conn *conn, const request *request);
/* All who have played here and are not looking are invited to the next game. */
void wishes_challenge(const table *old, const table *next, const person *by);

/* friends.c: somebody's own list of all that */
void friends_tell(conn *conn, const request *request);
/* Read on any thread; NULL when the store cannot be read. Without a server nobody is here. */
typedef struct friends_list friends_list;
friends_list *friends_read(store *store, uint64_t user);
void friends_list_put(pen *out, const friends_list *list, server *server); /* as members of an object */
void friends_list_free(friends_list *list);                                /* NULL too */

/* meeting.c: a game with whoever wants one too */
void meeting_open(server *server);
void meeting_join(conn *conn, const request *request);
void meeting_cancel(conn *conn, const request *request);
void meeting_leave(conn *conn); /* it is closed */
unsigned meeting_waiting(const server *server);
void meeting_stop(server *server);
void meeting_close(server *server);

/* tournaments.c: rounds of tables that are made by themselves (tournament.h) */
bool tournaments_open(server *server, gral_error *error); /* before the tables are loaded */
void tournaments_follow(table *table);                    /* something has happened at one of their tables, perhaps */
void tournaments_forget(server *server, uint64_t user);   /* he leaves all of them */
/* Who is in it, but for those who have left; and what there is to tell one of them when he is not there. */
enum { TOURNAMENT_ENTRANTS_MAX = 64 };
enum news_of_tournament { NEWS_SOON = 1, NEWS_OFF }; /* it begins soon; it will not take place */
typedef struct tournament_news {
    bool matters; /* still, and he is not just looking at it */
    const char *title;
} tournament_news;
unsigned tournaments_people(server *server, const char *id, uint64_t people[TOURNAMENT_ENTRANTS_MAX]);
bool tournaments_news(server *server, const char *id, uint64_t user, enum news_of_tournament news,
                      tournament_news *found); /* false: there is no such tournament */
/* For whoever runs the server: those that are not over, as rows; and the end of one, for all who are in it. */
typedef bool tournaments_row(void *context, const char *const column[], unsigned columns);
void tournaments_each(server *server, tournaments_row *each, void *context);
bool tournaments_can_end(const server *server, const char *id);
void tournaments_end(server *server, const char *id);
void tournaments_cleared(server *server, const char *id); /* it is not in the store any more */
void tournaments_stop(server *server);
void tournaments_close(server *server);
/* tournaments_ask.c, tournaments_tell.c */
void tournaments_announce(conn *conn, const request *request);
void tournaments_join(conn *conn, const request *request);
void tournaments_leave(conn *conn, const request *request);
void tournaments_list(conn *conn, const request *request);
void tournaments_tell(conn *conn, const request *request);

/* moderation.c: networks from which nobody may come, words that nobody may say, and complaints */
typedef struct moderation moderation;
bool moderation_open(server *server, gral_error *error);
void moderation_close(server *server);
bool moderation_bars(const server *server, const char *address);
bool moderation_minds(const server *server, gral_span text); /* a word that nobody may say is in it */
/* What the store has been told: a network is barred until then, or not any more (0); a word is, or is not. */
void moderation_bar(server *server, const ip_range *network, int64_t until);
void moderation_drop_barred(server *server); /* those who are here from such a network */
void moderation_set_word(server *server, const char *word, bool on);
void moderation_complain(conn *conn, table *table, const request *request);

/* admin.c: gral admin */
void admin_open(server *server);
bool admin_busy(const server *server);
void admin_stop(server *server);
void admin_close(server *server);

/* http.c */
void http_request(void *context, web_exchange *exchange, const web_request *request);

/* secrets.c */
void secret_make(char text[SECRET_TEXT], uint8_t hash[STORE_SECRET_BYTES]); /* and its hash */
bool secret_hash(gral_span text, uint8_t hash[STORE_SECRET_BYTES]);
/* Those that a request brings; false where there is none that could be one. */
bool secret_of_cookie(const char *cookies, const char *name, char text[SECRET_TEXT], uint8_t hash[STORE_SECRET_BYTES]);
bool secret_of_header(const char *authorization, uint8_t hash[STORE_SECRET_BYTES]);
/* An id that nobody can guess who does not know the key, and that is the same for the same words: what is ordered twice
 * is made once. */
void id_make(char id[GRAL_GAME_ID_MAX + 1], const uint8_t *key, size_t key_length, gral_span words);

#endif
