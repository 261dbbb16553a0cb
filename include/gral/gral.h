/* libgral: the game "Die Jagd nach dem Gral", whole.
 *
 * A game takes a few calls; examples/tutorial.c is a program that uses most of them. Each header begins with what it is
 * about.
 *
 * | to                          | call                                                                |
 * |-----------------------------|---------------------------------------------------------------------|
 * | choose what is played       | gral_settings_for() or gral_settings_parse(), then gral_game_make() |
 * | begin                       | gral_start()                                                        |
 * | list what the actor may do  | gral_legal_list(), or gral_legal_options() with gral_options_pick() |
 * | do it                       | gral_check() if it may be illegal, then gral_apply()                |
 * | see what a seat may know    | gral_view_of(), gral_view_hears()                                   |
 * | let computer players decide | gral_player_make(), gral_player_decide()                            |
 * | read and write actions      | gral_action_parse(), gral_action_print()                            |
 * | read and write whole games  | gral_record_parse(), gral_record_text()                             |
 * | train on thousands of games | gral_ground_begin(), gral_grounds_step()                            |
 * | host people at a table      | gral_host_make(), gral_host_check(), gral_host_apply()              |
 */
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
