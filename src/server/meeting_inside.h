/* What meeting.c, which has those who wait on connections of this server, and queue.c, which pairs them where this
 * server leads, know of each other. */
#ifndef GRAL_SERVER_MEETING_INSIDE_H
#define GRAL_SERVER_MEETING_INSIDE_H

#include "server/pairing.h"
#include "server/parts.h"

/* Ratings are kept apart for two players, for three or four, and for more. */
enum { TABLE_CLASSES = 3 };

/* What must be known of somebody who waits. */
typedef struct quest {
    pairing_wish wish;
    int64_t since;
    uint64_t ticket;
    double strength[TABLE_CLASSES]; /* NAN: nobody knows */
} quest;

/* Somebody who waits, on the connection where he asked. */
typedef struct seeker {
    uv_work_t work;
    conn *conn; /* held */
    promise promise;
    quest quest;
    char re[REQUEST_ID_MAX + 1];
    bool answered;
    pairing_progress told;
    struct seeker *prev, *next;
} seeker;

struct meeting {
    seeker *seekers;
    struct queue *queue;
    uv_timer_t again;
};

seeker *seeker_find(const server *server, uint64_t person, uint64_t ticket); /* NULL: he has not asked here */
/* What came of it; all but progress end his search. */
void seeker_tell_progress(seeker *seeker, pairing_progress progress);
void seeker_tell_made(server *server, seeker *seeker, const char *table); /* NULL: nothing could be stored */
void seeker_tell_moved(server *server, seeker *seeker);                   /* he waits, but on another connection */
table *seeker_seated_at(const person *person, uint64_t ticket);           /* because of this quest; NULL: nowhere */
void meeting_by_days(conn *conn, const request *request);                 /* meeting_days.c */
gral_terms meeting_terms(unsigned players, bool days, bool rated);        /* the usual ones */
void meeting_keep_up(server *server);                                     /* somebody waits, here or elsewhere */
__attribute__((format(printf, 2, 3))) void meeting_say(server *server, const char *format, ...);

/* queue.c, where this server leads. Who waits on this server itself has the peer "". */
void queue_open(server *server);
/* Somebody waits there, or still does; with `again` he has not heard how far it is. False: there are too many. */
bool queue_join(server *server, const char *peer, const quest *quest, person *person, const origin *from, bool again);
void queue_leave(server *server, const char *peer, uint64_t person);
bool queue_is_about_to_play(const server *server, uint64_t ticket); /* his table is being made */
bool queue_is_empty(const server *server);
void queue_forget(server *server, const char *peer); /* all who wait there */
void queue_forget_lost(server *server);              /* of whom nothing was heard for long */
void queue_lead(server *server);                     /* it leads now, or does no more */
void queue_stop(server *server);
void queue_close(server *server);

#endif
