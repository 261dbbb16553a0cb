/* Table talk: what a seat makes of the offers it has heard, and what it says itself.
 *
 * Nothing binds anybody, so an offer is a weak hint from somebody who may lie: everything here shifts a choice by a
 * bounded little, and whoever is caught with a false claim is not listened to any more. Where nothing was said,
 * nothing is shifted. */
#ifndef GRAL_PLAYERS_TALK_H
#define GRAL_PLAYERS_TALK_H

#include "gral/player.h"

/* Character in talking, each from 0 to 1. */
typedef struct talk_manners {
    float trust;   /* how far he believes and follows others */
    float honesty; /* how seldom he claims more than everybody knows, and how much his promises count for him */
    float chatter; /* how often he says something when there is something to say */
} talk_manners;

/* All that was said, as it counts in one position. */
typedef struct talk {
    const talk_manners *manners;
    unsigned seat;   /* who listens; what he has said himself is here too */
    uint16_t caught; /* bit k: seat k has said what cannot be true, and nothing of his is here */
    struct {
        uint8_t pawn, points; /* 0 points for none */
    } claim[GRAL_PLAYERS_MAX];
    /* The last turn in which a seat has promised not to object to what an initiate does, or to his being uncovered. */
    uint32_t passes_until[GRAL_PLAYERS_MAX][GRAL_PAWNS], spares_until[GRAL_PLAYERS_MAX][GRAL_PAWNS];
    /* Who wants it, now: bit k for seat k. */
    uint16_t uncover[GRAL_PAWNS], stop[GRAL_PLAYERS_MAX], bring[GRAL_PAWNS][GRAL_FIELDS];
} talk;

void talk_hear(talk *talk, const gral_question *question, const talk_manners *manners);

/* How much more a sheet counts, as a guess at this seat's, for what the seat has claimed: 1, or up to 1.5. */
float talk_credit(const talk *talk, const gral_open *open, unsigned seat, const gral_sheet *sheet);

/* Whether the actor, who is asked for an objection in a simulated game, passes because he has promised to. Draws only
 * where there is a promise. */
bool talk_keeps_quiet(const talk *talk, const gral_open *open, gral_random *random);

/* How far the talk draws its listener towards an action, in chances of winning. */
float talk_leaning(const talk *talk, const gral_open *open, gral_action action);

/* What the seat says with the action it has decided on; false for nothing, which is most of the time. It speaks with
 * the first word of its own turn only: words beside an answer to a proposal would tell the answer before it is due.
 * It answers what was said to everybody, never a whisper. Of its own sheet it tells no more than that it is not the one
 * who leads on an initiate whom it wants stopped: figures that it claims are known to all already, or made up without a
 * look at the sheet. */
bool talk_offer(const talk *talk, const gral_question *question, gral_action decided, gral_offer *offer);

#endif
