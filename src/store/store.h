/* Where games and people are kept.
 *
 * The interface is small and speaks of what the server keeps, not of tables and columns: a game is a list of texts,
 * each with its number and time; a user is a name and perhaps a password; a session is the hash of a secret. A store
 * may be shared with other processes, so whoever appends to a game says which number he expects to be free, and
 * is told when somebody else was there first.
 *
 * All functions block, and are called from one thread at a time for writing (commit) and from any number for
 * reading. What commit has answered with STORE_DONE survives the death of the process and of the machine. */
#ifndef GRAL_STORE_H
#define GRAL_STORE_H

#include "gral/notation.h"

enum store_outcome {
    STORE_DONE,
    STORE_CONFLICT, /* the number, name, seat or id is taken, or what it is about is not there; nothing of this unit
                       was written */
    STORE_FULL,     /* no room on the disk; nothing was written, try again later */
    STORE_FAILED    /* something else; the message says what. A database out of reach may have written it all the same:
                       then whoever comes with the same number gets a conflict */
};

enum store_stage { STORE_OPEN, STORE_RUNNING, STORE_OVER, STORE_STAGES };

enum store_write_kind {
    STORE_NEW_GAME,     /* game, time, listed, and its text number 0: the terms */
    STORE_RENEW_GAME,   /* game, number (one more than the last), time, listed, text: a table that has not begun gets
                           other terms, and the texts before are gone; so the first of a game need not be number 0 */
    STORE_APPEND,       /* game, number (one more than the last), time, text */
    STORE_SET_STAGE,    /* game, stage, time */
    STORE_SLEEP,        /* game, time, ends: nobody needs the running game in memory before that time; `ends` is when
                           the last of its players went */
    STORE_WAKE,         /* game: it is in memory again */
    STORE_CLEAR_GAME,   /* game: it is over and goes, unless it was rated; sums stay; done too if there is none */
    STORE_SIT,          /* game, seat, user, time: for the list of a user's own games */
    STORE_RISE,         /* game, seat; done too if nobody sits there */
    STORE_RESULT,       /* game, seat, user, players, result, rules: for the statistics */
    STORE_NEW_USER,     /* user, name, key, password, time */
    STORE_SET_USER,     /* user, name, key, password: a guest registers */
    STORE_RENAME,       /* user, name, key */
    STORE_SET_PASSWORD, /* user, password: of somebody who has one */
    STORE_DELETE_USER,  /* user: name, password and sessions go; the name is "" from then on and the key is free */
    STORE_NEW_SESSION,  /* secret, user, time, token, label, ends, limit (of more than that the one used longest ago
                           ends; 0 for no limit), password (that must still be his; NULL or empty: any) */
    STORE_NEW_DEVICE,   /* secret, user, time, limit: a device from which he has logged in */
    STORE_TOUCH,        /* secret, time: the session was used, its user was here. What is in a unit with it is written
                           only if the session has not ended */
    STORE_END_SESSION,  /* secret */
    STORE_END_TOKENS,   /* user: all tokens for programs */
    STORE_END_OTHERS,   /* user, secret, token: all sessions and devices but this one, with `token` the tokens too */
    STORE_END_UNUSED,   /* time, token, limit: sessions and devices, or only tokens, that were not used since then; at
                           most so many of them */
    STORE_END_OVERDUE,  /* time, limit: whatever was to end until then; at most so many */
    STORE_CLEAR_GUEST,  /* user, time: a guest who was not here since then and has no unfinished game. His sessions go,
                           the key is free; the name stays for the games he has played, if there are any */
    STORE_READ_LATER,   /* game: it is over, and nobody has read yet what it says of those who played it */
    STORE_READ,         /* game: now somebody has; the unit has all that was found */
    STORE_RATED,        /* game, time, class: it counts; the unit has a STORE_RATE for each */
    STORE_RATE,   /* game, seat, user, class, place, strength, doubt, time: his rating after the game; number is how
                     many he had before */
    STORE_PLAYED, /* game, seat, user, class, result, time, text: he has played it, and in the text is how, sums by what
                     they are of: {"T1":15,"bluffs":2}; nothing is written for who is nobody any more */
    STORE_SHOW,   /* user, part, place: who may see this part of what is known of how he plays */
    STORE_BAN,    /* user, ends: he is nobody until then; 0 takes it back */
    STORE_SILENCE,     /* user, ends: he may not talk until then; 0 takes it back */
    STORE_BAR,         /* name, ends: a network, as text, from which nobody may come until then */
    STORE_UNBAR,       /* name */
    STORE_ADD_WORD,    /* name: nobody may say it */
    STORE_DROP_WORD,   /* name */
    STORE_REPORT,      /* user, other, game, time, label, text: `user` complains about `other`, the reason is `label`,
                          the text what was said */
    STORE_REPORT_DONE, /* number */
    STORE_AUDIT,       /* time, text: what was done by whoever runs the server */
    STORE_CLEAR_LOGS,  /* time: reports and audits before that */
    STORE_WANT,        /* user, other, time: `user` wants `other` as a friend; they are if both do */
    STORE_UNTIE,       /* user, other: neither wants the other any more; done too if neither did, as all that follow */
    STORE_BLOCK,       /* user, other, time: and whatever `other` wanted of him is gone, invitations too */
    STORE_UNBLOCK,     /* user, other */
    STORE_SEEN,        /* user, place (by whom he wants to be seen) */
    STORE_INVITE,      /* user, other, game, time, limit: `user` invites `other`, who keeps the newest so many; nothing
                          is written where he has blocked him */
    STORE_UNINVITE,    /* user, game: it was answered */
    STORE_NEW_WAY,  /* user, other (its id), way, name (address), key, label, language, events, limit, time, number: a
                       way  to reach him, for mail in place of the one before and with a letter of this number that asks
                       whether it is his, unless `tries` is 1; of more devices than `limit` the oldest goes */
    STORE_SET_WAY,  /* user, other, events, digest */
    STORE_END_WAY,  /* user, or 0 for whoever has it; other */
    STORE_STOP_WAY, /* other: nothing more goes there, until its owner says so */
    STORE_CONFIRM_WAY,  /* other (the letter), number, time: it is his, if he was asked since then */
    STORE_LETTER,       /* user, event, game, number (of what it is about; only more than the last is news), other (who
                           invites), time, stage: due then, on each way on which he wants it; with STORE_OVER he knows it */
    STORE_LETTERS_SEEN, /* user, game: he has looked there, and needs no letter about it but for his clock */
    STORE_LETTER_GOES,  /* other, number: from now on it is never sent again */
    STORE_LETTER_DONE,  /* other, number: it was sent, or is not needed */
    STORE_LETTER_LATER, /* other, number, time, tries, limit: and with a limit nothing on that way goes before */
    STORE_RECOVER,   /* name (address), number, time: a letter to each account with a password that has it, unless there
                        was one since `ends` */
    STORE_RECOVERED, /* other (that letter), user, number, time: it was used, and is not older than that */
    STORE_CLEAR_LETTERS,    /* time, ends: what was sent before the one, addresses not confirmed before the other */
    STORE_NEW_TOURNAMENT,   /* game (its id), time, and its text number 0 */
    STORE_TOURNAMENT,       /* game, number (one more than the last), time, text: something has happened there */
    STORE_ENTER,            /* game, user: for the list of a user's own */
    STORE_TOURNAMENT_OVER,  /* game */
    STORE_CLEAR_TOURNAMENT, /* game: it is over and goes; done too if there is none */
    STORE_SET_SECRET,       /* name, text: unless there is one */
    STORE_NEW_SIGNER, /* number (one more than the last; the first is 1), time, text, signing_key (which goes when there
                         is a newer one): what the server signs with */
    STORE_WRITE_KINDS
};

/* What a secret is good for. A device is nobody by itself: it has its own chance to say a password. */
enum store_session { STORE_COOKIE, STORE_TOKEN, STORE_DEVICE };

enum { STORE_SECRET_BYTES = 32 };

/* How somebody can be reached, and what for. The last two are answers to himself, and not a matter of choice. */
enum store_way { STORE_MAIL, STORE_PUSH, STORE_WAYS };
enum store_event {
    STORE_TURN,
    STORE_CLOCK,
    STORE_INVITED,
    STORE_ENDED,
    STORE_ROUND,
    STORE_EVENTS, /* that can be chosen, a bit each */
    STORE_CONFIRM = STORE_EVENTS,
    STORE_FORGOTTEN
};

typedef struct store_write {
    uint8_t kind;
    uint8_t seat, stage, players, result, class, place, part;
    uint8_t way, event, events, digest, tries; /* digest: hours in which letters are gathered */
    bool listed;                               /* the game is for everybody */
    bool token;                                /* the session is a program's */
    bool follows; /* belongs to the same unit as the write before it: all of a unit is written or none */
    bool leads;   /* its `fence` is that of the world's lease, else of the game's */
    uint32_t number, limit;
    uint64_t user, other;
    uint64_t fence; /* of the lease under which it is written (store_peers_kind): where there is a newer one it is a
                       conflict; 0: anybody may write it */
    int64_t time;
    int64_t ends; /* a session does, then, however much it is used; 0: never */
    double strength, doubt;
    const char *game, *name;
    const char *key;      /* what look-alikes of a name have in common; unique. NULL or empty: no key finds him */
    const char *password; /* the hash of it; NULL or empty for a guest */
    const char *label;    /* of a session or token; may be NULL */
    const char *rules;    /* "standard", "original", or others, which only the sums count */
    const char *signing_key, *language;
    gral_span text;
    uint8_t secret[STORE_SECRET_BYTES]; /* the hash of a session's secret, never the secret */
    enum store_outcome outcome;         /* the answer; the same for all writes of a unit */
    uint32_t ended;                     /* and so many sessions ended to make room for a new one */
} store_write;

enum store_result { STORE_LOST, STORE_DRAWN, STORE_WON, STORE_RESULTS };

enum { STORE_NOT_SAID = 255 }; /* to whom something is shown */

typedef struct store_user {
    uint64_t user; /* 1 … 2^53 - 1 */
    char name[128], password[160];
    int64_t created, seen;
    int64_t used, ends;       /* the session by which he was found; 0 by other ways */
    int64_t banned, silenced; /* until then; 0: he is not */
    uint8_t shown;            /* that he is here: to whom, as STORE_SEEN has it; STORE_NOT_SAID */
} store_user;

/* A place in the list of guests by the time they were here last; zeros before the first. */
typedef struct store_guest {
    int64_t seen;
    uint64_t user;
} store_guest;

/* A session, a token or a device, as its owner may see it. */
typedef struct store_login {
    uint8_t secret[STORE_SECRET_BYTES]; /* the hash of it */
    const char *label;
    int64_t created, used, ends;
} store_login;

/* Lists for whoever runs the server, for people to read: columns of text. */
enum store_list {
    STORE_PEOPLE,   /* whose names have `text` in them, those here last first: name, sort, created, seen, until when
                       banned and silenced, number */
    STORE_NETWORKS, /* that are barred: network, until when in milliseconds, and in words */
    STORE_WORDS,
    STORE_REPORTS, /* the newest first: number, time, who, about whom, table, reason, what was said, whether it is done;
                      with a `from` of 1 those too that are done */
    STORE_AUDITS,  /* the newest first: time, what */
    STORE_DAY,     /* from `from` until `to`: what, how many */
    STORE_TABLES,  /* that are not over, with `text` in a name of who sits there, the oldest first: table, stage, days
                      until `to` since it was made and since something was done there, names */
    STORE_LISTS
};

typedef struct store_filter {
    const char *text; /* "" for any */
    int64_t from, to;
    unsigned most;
} store_filter;

typedef struct store_tally {
    uint32_t games, won, drawn;
} store_tally;

typedef struct store_statistics {
    store_tally all, players[GRAL_PLAYERS_MAX + 1], original; /* the standard game by players, and The Original */
} store_statistics;

/* Somebody's rating in one class; or what it was after a game. */
typedef struct store_rating {
    uint8_t class, place;
    uint8_t shown;  /* in a ranking: to whom, as STORE_SHOW has it for part 0; STORE_NOT_SAID */
    uint32_t games; /* so far */
    uint64_t user;
    double strength, doubt;
    int64_t time;     /* of the last game */
    const char *name; /* of the person, or of the game */
} store_rating;

/* A game that somebody has played, and one of those who did: the same game as often as there were people. */
typedef struct store_played {
    const char *game, *rules, *name;
    int64_t time;
    uint8_t class, players, seat, result; /* his own seat and result; */
    uint8_t other, other_result;          /* and that of the one with this name */
} store_played;

/* Where a list of games goes on: after this one, or "" from the newest on; with those that only a link leads to, or
 * without; so many. */
typedef struct store_page {
    const char *after;
    bool all;
    unsigned most;
} store_page;

/* What somebody wants of another. */
typedef struct store_tie {
    uint64_t user, other;
    bool blocks; /* him; else he wants him as a friend */
    int64_t time;
    const char *name; /* of the other; where the list is somebody's own, of whoever is not he */
} store_tie;

typedef struct store_invitation {
    uint64_t user; /* who invites */
    const char *name, *game;
    int64_t time;
} store_invitation;

/* A way to reach somebody. */
typedef struct store_way_row {
    uint64_t id;
    uint8_t way, events, digest;
    bool confirmed;
    const char *address, *label, *language;
    int64_t made;
} store_way_row;

/* A letter that is to be sent, with where it goes. */
typedef struct store_letter {
    uint64_t id, way_id, user, other;
    uint8_t way, event, digest, tries;
    uint32_t number;
    int64_t due, made;
    const char *game, *address, *key, *language, *name; /* the latter is who it is for */
} store_letter;

typedef struct store_entry {
    const char *game;
    uint8_t stage;
    int64_t created;
    uint32_t number;
    int64_t time;
    gral_span text;
    int64_t wakes, left; /* as STORE_SLEEP has them; 0: it is not asleep */
} store_entry;

/* Called for each row; false stops. What it is given is valid during the call. It must not call the store. */
typedef bool store_each_entry(void *context, const store_entry *entry);
typedef bool store_each_game(void *context, const char *game, enum store_stage stage, int64_t changed);
typedef bool store_each_login(void *context, const store_login *login);
typedef bool store_each_guest(void *context, uint64_t user, int64_t seen, bool playing);
typedef bool store_each_rating(void *context, const store_rating *rating);
typedef bool store_each_unread(void *context, const char *game, bool settled);
typedef bool store_each_tally(void *context, const char *name, uint8_t class, const store_tally *tally);
typedef bool store_each_sum(void *context, const char *what, int64_t sum);
typedef bool store_each_played(void *context, const store_played *played);
typedef bool store_each_shown(void *context, uint8_t part, uint8_t place);
typedef bool store_each_tie(void *context, const store_tie *tie);
typedef bool store_each_seen(void *context, uint64_t user, uint8_t place);
typedef bool store_each_invitation(void *context, const store_invitation *invitation);
typedef bool store_each_row(void *context, const char *const column[], unsigned columns);
typedef bool store_each_way(void *context, const store_way_row *way);
typedef bool store_each_letter(void *context, const store_letter *letter);
typedef bool store_each_signer(void *context, uint32_t number, int64_t time, gral_span text, gral_span secret);

typedef struct store store;

/* --- several servers on one store --- */

/* What another server has written, or says. No more than a hint: it can be lost, come late or twice, and be about what
 * was not written after all. */
enum store_hint_kind {
    STORE_HINT_GAME,       /* game, number (of its newest text, or 0), and what has changed there */
    STORE_HINT_USER,       /* user: his name, sessions, bans, or what may be seen of him */
    STORE_HINT_TIE,        /* user, other: what one wants of the other; invitations */
    STORE_HINT_MODERATION, /* networks that are barred, words that nobody may say */
    STORE_HINT_TOURNAMENT, /* game, number */
    STORE_HINT_LETTERS,    /* there may be a letter to be sent */
    STORE_HINT_SAID,       /* text: as store_peers_kind.say was given it */
    STORE_HINT_GONE,       /* from: it was taken for dead, or has left */
    STORE_HINT_ALL         /* something may have been missed */
};

typedef struct store_hint {
    enum store_hint_kind kind;
    const char *from; /* the server's id */
    const char *game;
    uint32_t number;
    bool seats, fresh, listed; /* who sits there or its stage has changed; it is new, or has new terms; for everybody */
    bool asleep;               /* it fell asleep, or woke */
    uint64_t user, other;      /* with a game: who has sat down there, or 0 */
    gral_span text;
} store_hint;

typedef void store_each_hint(void *context, const store_hint *hint);

typedef struct store_since { /* what was written to a game, from a number on */
    const char *game;
    uint32_t number;
} store_since;

/* What a server learns when it says that it lives. */
enum { STORE_PEERS_MAX = 64, STORE_PEER_ID_MAX = 40 };
typedef struct store_beat {
    bool
        was_dead;   /* it has been too slow, and others may have taken what it kept; it has entered anew, and keeps none
                       of it: what it still wants it has to ask for again (keep), which is refused where another has it */
    uint64_t world; /* the fence of the world's lease, if this server has it; else 0 */
    bool orphans;   /* there are games that are neither over nor asleep, and that nobody keeps who lives */
    bool outdated;  /* also where it failed: a newer program has changed the database, and this one writes no more */
    int64_t now;    /* milliseconds since 1970, by the database's clock */
    unsigned count; /* servers that live, this one included: */
    char peer[STORE_PEERS_MAX][STORE_PEER_ID_MAX + 1];
} store_beat;

/* Servers that share a store. Each game is kept by one of them, which does what comes by itself there, and one has the
 * lease of the world: it does what only one may do. A lease has a number that grows whenever somebody else gets it, the
 * fence; what is written under an older one is refused. All functions block; listen and beat are called from one thread
 * of their own, the others from any. */
typedef struct store_peers_kind {
    const char *(*self)(const store *store); /* this server's id, another one at each start */
    /* Says that this server lives, and finds out who else does. Twice a second; whoever has not for 2.5 s is dead. */
    bool (*beat)(store *store, store_beat *beat, gral_error *error);
    /* Waits for what others have to say, so many milliseconds at most. False where the connection is lost: it is made
     * again at the next call, which begins with a STORE_HINT_ALL. */
    bool (*listen)(store *store, unsigned milliseconds, store_each_hint *each, void *context, gral_error *error);
    bool (*say)(store *store, gral_span text, gral_error *error); /* to all others; of any length */
    /* This server keeps the game from now on, unless one that lives does, or it is over or not there: then the fence
     * is 0. It is the same as before where it kept it already. Where it fails it may have it all the same, and asks
     * again or lets go. */
    bool (*keep)(store *store, const char *game, uint64_t *fence, gral_error *error);
    /* Keeps some of the orphans; each is told with its fence as `changed`, whatever is answered. Where it fails they
     * are told with a fence of 0: it may have them all the same. */
    bool (*take)(store *store, unsigned most, store_each_game *each, void *context, gral_error *error);
    bool (*let_go)(store *store, const char *game, uint64_t fence, gral_error *error); /* it keeps it no more */
    /* What was written to some games, of each from that number on: game by game, in order. An entry has its game,
     * number, time and text; all are told, whatever is answered. */
    bool (*news)(store *store, const store_since *from, unsigned count, store_each_entry *each, void *context,
                 gral_error *error);
    bool (*leave)(store *store, gral_error *error); /* lets go of everything, and does not live any more */
} store_peers_kind;

typedef struct store_kind {
    const char *name;
    const store_peers_kind *peers; /* NULL: only one server can have this store */
    /* Opens or makes the store at the address, brings its schema up to date. Unless `shared`, refuses when another
     * process has it open that does not share; a shared one of an older schema is refused, because its owner may be
     * running. NULL on an error. */
    store *(*open)(const char *address, bool shared, gral_error *error);
    void (*close)(store *store);

    /* Writes everything in one go; each write gets its outcome. False, and a message, if the whole went wrong
     * (STORE_FULL, STORE_FAILED); then all of them have that outcome and nothing was written. A write that makes no
     * sense (no game, no name, a user out of range, a name too long) fails the whole. */
    bool (*commit)(store *store, store_write *writes, size_t count, gral_error *error);

    /* Reading: false and a message when it fails; finding nothing is not failing. */
    /* All entries of all games that are neither over nor asleep, game by game, in order. */
    bool (*unfinished)(store *store, store_each_entry *each, void *context, gral_error *error);
    /* All games by the order in which they were made, from the one after `after` on, or from the first, with when. */
    bool (*games)(store *store, const char *after, unsigned most, store_each_game *each, void *context,
                  gral_error *error);
    /* Those of one game, from this number on. */
    bool (*entries)(store *store, const char *game, uint32_t from, store_each_entry *each, void *context,
                    gral_error *error);
    /* Where the user sits, newest change first; appending is no change, beginning, sitting down and a new stage are. */
    bool (*games_of)(store *store, uint64_t user, unsigned most, store_each_game *each, void *context,
                     gral_error *error);
    /* Those that sleep, with when they are to wake, the first to wake first. And those where somebody sits that are not
     * over, asleep or not. */
    bool (*asleep)(store *store, unsigned most, store_each_game *each, void *context, gral_error *error);
    bool (*unfinished_of)(store *store, uint64_t user, store_each_game *each, void *context, gral_error *error);
    /* Games that were over before that time, and may go: those that were rated stay, or nobody could work out the
     * ratings again. */
    bool (*old_games)(store *store, int64_t before, unsigned most, store_each_game *each, void *context,
                      gral_error *error);
    /* found->user is 0 for nobody. Somebody deleted is still found by id, without a name. */
    bool (*user_by_id)(store *store, uint64_t user, store_user *found, gral_error *error);
    bool (*user_by_key)(store *store, const char *key, store_user *found, gral_error *error);
    bool (*user_by_secret)(store *store, enum store_session session, const uint8_t secret[STORE_SECRET_BYTES],
                           store_user *found, gral_error *error);
    /* Guests who were last here before that time, longest absent first, and whether they have an unfinished game; from
     * the one after `from` on, a pair of `seen` and `user`. */
    bool (*absent_guests)(store *store, int64_t before, const store_guest *from, unsigned most, store_each_guest *each,
                          void *context, gral_error *error);
    /* By what he can be known, the newest first. */
    bool (*logins_of)(store *store, uint64_t user, enum store_session session, store_each_login *each, void *context,
                      gral_error *error);
    bool (*statistics)(store *store, uint64_t user, store_statistics *statistics, gral_error *error);
    /* Ratings: what somebody has in each class; after his newest games of one, the newest first; the best of a class,
     * by strength less twice the doubt, the best first; and the games that were rated, in the order in which they were,
     * each person's seat of them one after the other. */
    bool (*ratings_of)(store *store, uint64_t user, store_each_rating *each, void *context, gral_error *error);
    bool (*rated_of)(store *store, uint64_t user, uint8_t class, unsigned most, store_each_rating *each, void *context,
                     gral_error *error);
    bool (*ranking)(store *store, uint8_t class, unsigned most, store_each_rating *each, void *context,
                    gral_error *error);
    bool (*rated)(store *store, store_each_rating *each, void *context, gral_error *error);
    /* Games that are over and wait to be read, the first that began first; those before others whose ratings are not
     * settled. */
    bool (*unread)(store *store, unsigned most, store_each_unread *each, void *context, gral_error *error);
    /* What those that were read say of somebody: his results by class; against whom he has played most, by name; sums
     * of how he plays; the games, the newest first; and who may see what of it, as far as he has said so. */
    bool (*scores_of)(store *store, uint64_t user, store_each_tally *each, void *context, gral_error *error);
    bool (*met_by)(store *store, uint64_t user, unsigned most, store_each_tally *each, void *context,
                   gral_error *error);
    bool (*manner_of)(store *store, uint64_t user, store_each_sum *each, void *context, gral_error *error);
    bool (*played_by)(store *store, uint64_t user, const store_page *page, store_each_played *each, void *context,
                      gral_error *error);
    bool (*shown_by)(store *store, uint64_t user, store_each_shown *each, void *context, gral_error *error);
    /* Everybody's; and those of which somebody is a part, from either side, by name. */
    bool (*ties)(store *store, store_each_tie *each, void *context, gral_error *error);
    bool (*ties_of)(store *store, uint64_t user, store_each_tie *each, void *context, gral_error *error);
    bool (*seen)(store *store, store_each_seen *each, void *context, gral_error *error);
    /* To tables that have not begun, the newest first. */
    bool (*invitations_of)(store *store, uint64_t user, store_each_invitation *each, void *context, gral_error *error);
    bool (*list)(store *store, enum store_list list, const store_filter *filter, store_each_row *each, void *context,
                 gral_error *error);
    bool (*ways_of)(store *store, uint64_t user, store_each_way *each, void *context, gral_error *error);
    /* Letters that are still to be sent, of each way the first, and the one that is due first; on one way all that can
     * be gathered; and one that was written, sent or not. */
    bool (*letters)(store *store, unsigned most, store_each_letter *each, void *context, gral_error *error);
    bool (*letters_on)(store *store, uint64_t way, unsigned most, store_each_letter *each, void *context,
                       gral_error *error);
    bool (*letter)(store *store, uint64_t id, store_each_letter *each, void *context, gral_error *error);
    /* Tournaments, as entries that have the stages STORE_OPEN and STORE_OVER, one after the other: all that are not
     * over and so many of the newest others; or one. And those somebody has entered, the newest first. */
    bool (*tournaments)(store *store, unsigned over, store_each_entry *each, void *context, gral_error *error);
    bool (*tournament)(store *store, const char *name, store_each_entry *each, void *context, gral_error *error);
    bool (*old_tournaments)(store *store, int64_t before, unsigned most, store_each_game *each, void *context,
                            gral_error *error); /* that were over before that time */
    bool (*tournaments_of)(store *store, uint64_t user, unsigned most, store_each_game *each, void *context,
                           gral_error *error);
    bool (*secret)(store *store, const char *name, char *value, size_t room, gral_error *error); /* "" for none */
    /* All that sign or have signed, the oldest first; only the newest still has its secret. */
    bool (*signers)(store *store, store_each_signer *each, void *context, gral_error *error);

    /* A consistent copy of everything, as it is now, into a file that is new or empty, while the store is in use; NULL
     * where that is not this store's business. When it returns true the copy was checked and is safe on the disk; else
     * the file is of no use. `progress` is called with parts done and parts in all, and may be NULL. */
    bool (*backup)(store *store, const char *path, void (*progress)(unsigned done, unsigned all), gral_error *error);
} store_kind;

struct store {
    const store_kind *kind;
};

/* "memory": keeps nothing beyond its own life; for tests and for playing without a trace. "sqlite:PATH", or a path
 * alone. "postgres://…" as libpq takes it; the tables are in the schema "gral". */
extern const store_kind store_in_memory, store_in_file, store_in_postgres;

store *store_open(const char *address, bool shared, gral_error *error);

bool store_is_postgres(const char *address);
/* Everything of one store into another, which must be empty; both are open, not shared, and in use for nothing else.
 * When it returns true, every row was read again and compared; else the other is as empty as before. `progress` may be
 * NULL; `rows` is how many there are. */
bool store_move(store *from, store *to, void (*progress)(unsigned done, unsigned all), uint64_t *rows,
                gral_error *error);

/* The file that an address means, a part of the address itself; NULL if it is not in a file. */
const char *store_file_of(const char *address);

/* Where the socket is by which a server with this database is looked after: beside its file; with PostgreSQL among the
 * data of whoever runs the server, by a name made of the address. False where there is none. */
bool store_socket_of(const char *address, char *path, size_t capacity);

/* Where a file is when nobody says where: in $XDG_DATA_HOME/gral or ~/.local/share/gral. With `make_folder` that is
 * there afterwards, for the user alone. */
bool store_place(char *path, size_t capacity, const char *file, bool make_folder, gral_error *error);
extern const char store_usual_file[];

#endif
