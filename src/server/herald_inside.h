/* What herald.c, which decides when, and dispatch.c, which brings one thing to one place, know of each other. */
#ifndef GRAL_SERVER_HERALD_INSIDE_H
#define GRAL_SERVER_HERALD_INSIDE_H

#include "server/allowance.h"
#include "server/letters.h"
#include "server/link_token.h"
#include "server/parts.h"
#include "server/post.h"
#include "server/webpush.h"

enum { PASSWORD_MAX = 500 };

typedef struct due_letter {
    uint64_t id, other;
    uint32_t number;
    uint8_t event, tries;
    char game[GRAL_GAME_ID_MAX + 1];
} due_letter;

/* One or several letters that go to one place together. */
typedef struct dispatch {
    struct herald *herald;
    uint64_t way_id, user;
    enum store_way way;
    char *address, *key, name[NAME_BYTES_MAX], language[8];
    due_letter letter[LETTER_LINES_MAX];
    letter_line line[LETTER_LINES_MAX];
    unsigned count, judged, kept;
    bool noted, overtaken; /* that it goes */
    store_write write[LETTER_LINES_MAX];
    parcel *parcel;
    struct dispatch *next;
} dispatch;

struct herald {
    server *server;
    /* NULL: not done here. Each has a thread, so that a slow mail server keeps no push waiting. */
    post *post[STORE_WAYS];
    char password[PASSWORD_MAX];
    char site[POST_ORIGIN_MAX];
    webpush_pair pair;
    char push_key[100];
    uint8_t key[LINK_KEY_BYTES];
    allowance *unasked; /* for mails to addresses whose owners have not asked for them, as far as is known */
    uv_timer_t timer;
    uv_work_t work;
    bool reading, again, stopped;
    unsigned writing;
    unsigned under_way[STORE_WAYS];
    struct dispatch *dispatches; /* that are under way, one for a way at most */
    /* what was read */
    struct dispatch *read;
    bool failed;
    int64_t next, now; /* the first that is not due yet */
};

/* Writes about letters that nobody waits for. */
typedef struct batch {
    struct herald *herald;
    store_write write[3 * GRAL_PLAYERS_MAX];
    char game[GRAL_GAME_ID_MAX + 1];
    size_t count;
} batch;

batch *herald_batch(struct herald *herald, const char *game);
store_write *herald_add(batch *batch, store_write write);
void herald_write(batch *batch); /* and frees it */

/* dispatch.c */
dispatch *dispatch_new(struct herald *herald, const store_letter *letter);
void dispatch_add(dispatch *dispatch, const store_letter *letter);
void dispatch_start(dispatch *dispatch); /* what of it still matters is sent; it ends by itself */
void dispatch_drop(dispatch *dispatch);  /* all its letters: nobody is told that way any more */
void dispatch_free(dispatch *dispatch);  /* one that was not started */
extern const post_handlers dispatch_handlers;

#endif
