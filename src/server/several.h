/* What there is only because several servers can share a store: who of them lives and leads, what they tell each other,
 * and how one keeps up with what others have written. A server that is alone answers all of it at once. */
#ifndef GRAL_SERVER_SEVERAL_H
#define GRAL_SERVER_SEVERAL_H

#include "server/parts.h"

/* peers.c: other servers on the same store. Where the store has only one, it keeps all games, leads, and is alone. */
bool peers_open(server *server, gral_error *error); /* before anything is loaded */
bool peers_alone(const server *server);             /* there can be no others */
unsigned peers_count(const server *server);         /* that live, this one not included */
unsigned peers_before(const server *server);        /* of them, in an order that is the same on all servers */
uint64_t peers_world(const server *server);         /* the fence of the one who leads; 0: another does; alone: 1 */
void peers_leave(server *server);                   /* it stops: the others take over at once */
void peers_stop(server *server);
bool peers_busy(const server *server);
void peers_close(server *server);
/* Words that go to all others and are not stored, gathered for a moment: at most five times a second. Whoever has a
 * topic says again all that holds when somebody new has come or has missed something, and forgets what a server has
 * said that is gone. Words come in the order in which they were said, or not at all; then all is said again. */
typedef struct peers_listener {
    void (*heard)(server *server, const char *peer, gral_span words);
    void (*gone)(server *server, const char *peer); /* NULL: it makes no difference */
    void (*repeat)(server *server);                 /* NULL: nothing of it lasts */
    void (*gather)(server *server); /* whatever else is to be said now, by peers_say; NULL: nothing. See peers_expect */
} peers_listener;
void peers_listen(server *server, enum peers_topic topic, const peers_listener *listener);
void peers_say(server *server, enum peers_topic topic, gral_span words);
void peers_expect(server *server);                               /* something is to be gathered soon */
bool peers_next_line(gral_span *words, char *line, size_t room); /* of words that are lines; false at the end */
unsigned peers_slot(const server *server, const char *peer);     /* its place among those that live; not when alone */
/* What follows from it elsewhere: */
void tables_hear(server *server, const store_hint *hint); /* another server has written to a game */
void tables_compare(server *server);                      /* something may have been missed */
void tables_take_orphans(server *server);                 /* there are games whose keeper is dead */
void tables_were_lost(server *server);                    /* others keep what this one kept */
/* anew.c: what others have written about people and about what is allowed is read again */
void anew_open(server *server);
void anew_user(server *server, uint64_t id); /* his name, sessions and bans */
void anew_ties(server *server, uint64_t id); /* what he wants of others, and they of him */
void anew_moderation(server *server);        /* barred networks, forbidden words */
void anew_all(server *server);               /* something may have been missed */
/* This server has just written something about him, or about what is allowed: what is being read may be older. */
void anew_disturb(server *server, uint64_t id);
void anew_disturb_moderation(server *server);
void anew_stop(server *server);
bool anew_busy(const server *server);
void anew_close(server *server);

/* crowds.c: who watches a game at other servers, as they say */
void crowds_open(server *server);
void crowds_note(table *table);                                  /* they are to hear who watches here */
uint16_t crowds_present(const server *server, const char *game); /* the seats of those who do there, */
uint16_t crowds_looking(const server *server, const char *game); /* and of those in front of whom the page is */
unsigned crowds_count(const server *server, const char *game);   /* about how many */
bool crowds_any(const server *server, const char *game);         /* anybody at all */
void crowds_forget(table *table);                                /* it goes */
void crowds_close(server *server);

void tournaments_hear(server *server, const char *id, uint32_t number); /* something has happened there */
void tournaments_hear_table(server *server, const char *game);          /* who sits there, or its stage, has changed */
void tournaments_compare(server *server);

/* lead.c: what only one server does */
void lead_changed(server *server);                               /* this server leads now, or does no more */
void lead_heard(server *server);                                 /* another has written something, nobody knows what */
void lead_heard_of(server *server, const char *game);            /* who sits there, or its stage, has changed */
bool lead_is(const server *server);                              /* it leads, and does not stop */
store_write lead_write(const server *server, store_write write); /* it is a conflict once another leads */

/* kept.c, follow.c, slow.c: several servers */
bool table_is_kept(const table *table);          /* here: what comes by itself there comes from this server */
void table_ask_who_keeps(table *table);          /* it may be this server again, or no more */
void table_catch_up(table *table);               /* with what another server has written */
bool table_is_somebody_here(const table *table); /* somebody who sits there is connected, whatever he looks at */
void table_send(table *table, conn *conn, const pen *message); /* something that follows from what was written there */
void follow_open(server *server);
void follow_forget(table *table);
void follow_stop(server *server);
void follow_close(server *server);
void slow_open(server *server);
void slow_forget(table *table);
void slow_stop(server *server);
void slow_close(server *server);

#endif
