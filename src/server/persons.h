/* People: who they are, how they are known again, reached and judged, and what they want of each other. */
#ifndef GRAL_SERVER_PERSONS_H
#define GRAL_SERVER_PERSONS_H

#include "server/parts.h"

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
/* What the store is just saying of his sessions, or of anybody's, may not be true any more. */
void session_doubt(server *server, uint64_t id);
void session_doubt_all(server *server);
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
void expiry_lead(server *server);
void expiry_stop(server *server);
void expiry_close(server *server);

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

/* company.c: who wants to have to do with whom, and what follows from it at tables */
bool company_open(server *server, gral_error *error);
ties *company_read(store *store, gral_error *error); /* all there are, on any thread; NULL where they cannot be read */
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
bool here_is(const person *person);                                       /* connected, to whichever server; NULL too */
bool here_counts(const person *person);                                   /* as here, as others are told; NULL too */
void here_send(server *server, const person *person, const pen *message); /* wherever he is connected */
void here_send_elsewhere(server *server, const person *person, const pen *message); /* on other servers only */
void here_send_local(const person *person, const pen *message); /* to this server; the others tell him themselves */
void here_send_all(server *server, const pen *message);         /* to everybody, on all servers */
void here_follow_seen(server *server, const person *person, enum tie_seen before); /* he has set it elsewhere */
void here_set_seen(conn *conn, enum tie_seen seen);                                /* by whom he wants to be seen */
/* How many, and the names of those who want it, as members of an object. */
void here_put(pen *out, server *server, const person *viewer);

/* wishes.c: what somebody wants of somebody */
enum { INVITATIONS_MAX = 50 };                        /* that somebody has at a time */
void wishes_take(conn *conn, const request *request); /* a friend, or to have nothing to do with somebody */
void wishes_invite(conn *conn, table *table, const request *request);
void wishes_decline(conn *conn, const request *request);
void wishes_set_seen(conn *conn, const request *request);
/* Another server has written what they want of each other; and whatever has changed for somebody since `before`. */
void wishes_follow(server *server, uint64_t one, uint64_t other, enum tie_kind out, enum tie_kind in);
void wishes_compare(server *server, const person *person, const ties *before);
/* All who have played here and are not looking are invited to the next game. */
void wishes_challenge(const table *old, const table *next, const person *by);

/* friends.c: somebody's own list of all that */
void friends_tell(conn *conn, const request *request);
/* Read on any thread; NULL when the store cannot be read. Without a server nobody is here. */
typedef struct friends_list friends_list;
friends_list *friends_read(store *store, uint64_t user);
void friends_list_put(pen *out, const friends_list *list, server *server); /* as members of an object */
void friends_list_free(friends_list *list);                                /* NULL too */

/* moderation.c: networks from which nobody may come, words that nobody may say, and complaints */
typedef struct moderation moderation;
bool moderation_open(server *server, gral_error *error);
moderation *moderation_read(store *store, gral_error *error); /* on any thread; NULL where it cannot be read */
void moderation_take(server *server, moderation *moderation); /* that is in force from now on */
void moderation_free(moderation *moderation);                 /* NULL too */
void moderation_close(server *server);
bool moderation_bars(const server *server, const char *address);
bool moderation_minds(const server *server, gral_span text); /* a word that nobody may say is in it */
/* What the store has been told: a network is barred until then, or not any more (0); a word is, or is not. */
void moderation_bar(server *server, const ip_range *network, int64_t until);
void moderation_drop_barred(server *server); /* those who are here from such a network */
void moderation_set_word(server *server, const char *word, bool on);
void moderation_complain(conn *conn, table *table, const request *request);

#endif
