/* Why an action may be right, from what the seat knows and believes. */
#ifndef GRAL_PLAYERS_REASONS_H
#define GRAL_PLAYERS_REASONS_H

#include "surmise.h"

/* The reasons for the explanation's first thought, and for its plan where that is an assignment. */
void reasons_find(const gral_question *question, const surmise *surmise, gral_explanation *explanation);

#endif
