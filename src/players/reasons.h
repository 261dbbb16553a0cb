/* Why an action may be right, from what the seat knows and believes. */
#ifndef GRAL_PLAYERS_REASONS_H
#define GRAL_PLAYERS_REASONS_H

#include "surmise.h"

/* The reasons for the explanation's first thought; `assigned` is the initiate an assignment is for, or GRAL_NO_PAWN. */
void reasons_find(const gral_question *question, const surmise *surmise, unsigned assigned,
                  gral_explanation *explanation);

#endif
