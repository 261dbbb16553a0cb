/* What is worth telling somebody who is not there, and when. Pure: how things stand and what time it is comes from
 * outside, and nothing of it is anybody's secret. What is told is kept as letters (store.h), one for each way to reach
 * somebody and each question; herald.c has them written and sent. */
#ifndef GRAL_SERVER_NEWS_H
#define GRAL_SERVER_NEWS_H

#include "store/store.h"

#include "gral/host.h"

enum { NEWS_EVERYTHING = (1 << STORE_EVENTS) - 1 };

/* How an event is called in the protocol; and back, STORE_EVENTS for none. */
extern const char *const news_names[STORE_EVENTS];
enum store_event news_named(gral_span name);

/* Whether nobody has to sit and wait at such a table: it is played by days, or without a clock. */
bool news_is_worth_it(const gral_terms *terms);

/* How a table stands for one person. */
typedef struct news_standing {
    enum gral_host_stage stage;
    bool sits, resigned;
    bool asked, looks;       /* he is waited for; he looks at the table */
    uint32_t version;        /* which question it is */
    int64_t deadline, given; /* of the clock; 0 for none */
} news_standing;

news_standing news_stand(const gral_host *host, uint64_t user); /* `looks` is for the caller to say */

/* When he is to be warned: a quarter of the time is left. 0 for never. */
int64_t news_warning(const news_standing *standing);

/* A letter about this event, and question, is due. Until when it must wait if it must, is noted. */
enum news_verdict { NEWS_TELL, NEWS_WAIT, NEWS_DROP };
enum news_verdict news_judge(enum store_event event, uint32_t number, const news_standing *standing, int64_t now,
                             int64_t *until);

/* What could not be sent is tried again after so many milliseconds, longer each time; 0: it is given up. */
int64_t news_patience(unsigned tries, int64_t first);

#endif
