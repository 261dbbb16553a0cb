/* A table with a host, told as JSON: what the server sends to people, and what the engine in a browser sends to its
 * page. docs/protocol.md describes it; both speak the same words, so that a client needs to know only one table. */
#ifndef GRAL_TELL_H
#define GRAL_TELL_H

#include "pen.h"

#include "gral/host.h"

typedef struct tell_table {
    const gral_host *host;
    uint16_t present; /* seats whose person is there */
    int64_t now;
    const char *(*name)(void *context, unsigned seat); /* of the person on a seat */
    void *context;
} tell_table;

/* What a reader was told decides what is news to him. All zero to begin with, but for `have`. */
typedef struct tell_reader {
    unsigned viewer; /* a seat, or GRAL_SPECTATOR */
    size_t have;     /* happenings */
    bool introduced; /* he has the terms */
    uint8_t stage;
    uint32_t version;
    uint64_t seats, own; /* prints of these parts */
    gral_round round;
} tell_reader;

/* The push for this reader; false if there is nothing new. `view` holds the part that is the same for all readers of a
 * table: cleared by the caller when the table has changed, filled here when it is first needed. */
bool tell_push(pen *out, pen *view, const tell_table *table, unsigned viewer, tell_reader *reader);

/* One viewer's knowledge of a game, as the member `view` of a push has it. `hidden`: all answer at the same time, and
 * nobody is the actor. `sheets`: the influence of every seat whose sheet is in the view is told. */
void tell_view(pen *out, const gral_game *game, const gral_view *view, bool hidden, bool sheets);

/* The members `influence` and `units`, of somebody's own sheet. */
void tell_sheet(pen *out, const gral_sheet *sheet);

/* The member `legal`: what may be done, figures folded. */
void tell_legal(pen *out, const gral_game *game, const gral_open *open, const gral_options *options);

/* The member `clock`; null without one. */
void tell_clock(pen *out, const gral_terms *terms);

/* The short word for programs of what the host refuses; gral_host_refusal_text is the sentence. */
const char *tell_refusal(enum gral_host_refusal refusal);

/* The table in one line, for a lobby; a seat, unlike GRAL_SPECTATOR, is told whether it is waited for. */
void tell_row(pen *out, const tell_table *table, unsigned viewer);

#endif
