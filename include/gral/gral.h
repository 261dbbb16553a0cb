/* libgral: the game "Die Jagd nach dem Gral", whole. */
#ifndef GRAL_GRAL_H
#define GRAL_GRAL_H

#include "gral/action.h"
#include "gral/env.h"
#include "gral/fair.h"
#include "gral/game.h"
#include "gral/host.h"
#include "gral/notation.h"
#include "gral/offer.h"
#include "gral/player.h"
#include "gral/random.h"
#include "gral/record.h"
#include "gral/state.h"
#include "gral/view.h"

#endif
