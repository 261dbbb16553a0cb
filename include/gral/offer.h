/* Table talk that needs no language: short offers with a fixed meaning, shown to each reader in his own words, made
 * and read by computer players too. They bind nobody, and nobody checks whether they are true. */
#ifndef GRAL_OFFER_H
#define GRAL_OFFER_H

#include "gral/notation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What can be offered; behind each, its text. */
enum gral_offer_kind {
    GRAL_OFFER_PASS,    /* "pass T1": I will not object when T1 is to act */
    GRAL_OFFER_UNCOVER, /* "uncover A2": somebody uncover A2; I will not pay for it, and not object */
    GRAL_OFFER_HOLD,    /* "hold 10 T1": I hold at least 10 points on T1 */
    GRAL_OFFER_BRING,   /* "bring T1 d3": let us bring T1 to d3 */
    GRAL_OFFER_STOP,    /* "stop 3": let us stop player 3 */
    GRAL_OFFER_AGREE,   /* "agree": to the newest offer that I can read */
    GRAL_OFFER_REFUSE,  /* "refuse" */
    GRAL_OFFER_KINDS
};

/* What a kind does not use is GRAL_NO_PAWN in pawn, GRAL_NOBODY in seat, 0 elsewhere. */
typedef struct gral_offer {
    uint8_t kind; /* enum gral_offer_kind */
    uint8_t pawn; /* whom it is about */
    uint8_t seat; /* counted from 0 */
    union {
        uint8_t field;
        uint8_t points;
    };
} gral_offer;

/* An offer as text, and back. */
void gral_offer_print(gral_text *text, gral_offer offer);
bool gral_offer_parse(gral_span source, gral_offer *offer, gral_error *error);

/* An offer as a seat heard it. */
typedef struct gral_heard_offer {
    gral_offer offer; /* what was said */
    uint8_t from;     /* the seat that said it */
    uint32_t turn;    /* in which it was made; 0 in the opening */
    uint16_t to;      /* the seats it was said to; 0 for everybody */
} gral_heard_offer;

#ifdef __cplusplus
}
#endif

#endif
