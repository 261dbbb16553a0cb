/* How people come to a table without choosing it: quick games and tournaments. */
#ifndef GRAL_SERVER_MEETINGS_H
#define GRAL_SERVER_MEETINGS_H

#include "server/parts.h"

/* meeting.c: a game with whoever wants one too */
void meeting_open(server *server);
void meeting_join(conn *conn, const request *request);
void meeting_cancel(conn *conn, const request *request);
void meeting_leave(conn *conn);                 /* it is closed */
unsigned meeting_waiting(const server *server); /* who have asked here */
void meeting_lead(server *server);
void meeting_stop(server *server);
void meeting_close(server *server);

/* tournaments.c: rounds of tables that are made by themselves (tournament.h) */
bool tournaments_open(server *server, gral_error *error); /* before the tables are loaded */
void tournaments_follow(table *table);                    /* something has happened at one of their tables, perhaps */
void tournaments_forget(server *server, uint64_t user);   /* he leaves all of them */
/* Whoever has announced it has blocked him: he leaves it, unless it has begun. */
void tournaments_keep_out(server *server, uint64_t maker, uint64_t user);
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
void tournaments_lead(server *server);
void tournaments_cleared(server *server, const char *id); /* it is not in the store any more */
void tournaments_stop(server *server);
void tournaments_close(server *server);
/* tournaments_ask.c, tournaments_tell.c */
void tournaments_announce(conn *conn, const request *request);
void tournaments_join(conn *conn, const request *request);
void tournaments_leave(conn *conn, const request *request);
void tournaments_list(conn *conn, const request *request);
void tournaments_tell(conn *conn, const request *request);

#endif
