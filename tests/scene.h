/* A game told in a few words, so that a test reads like the rule it is about.
 *
 *     struct scene scene = scene_of("players=3");
 *     scene_open(&scene, "15 T1", "12 T1, 5 A2", "10 A2");     one text a seat, then everybody is done
 *     scene_do(&scene, "step T1 a2; object 3; yield");         each must be legal
 *     scene_refuse(&scene, "assign", GRAL_FAULT_ASSIGN_AFTER_REJECTION);
 *     scene_expect(&scene, "phase turn");                      a line of the referee's `state`
 *
 * Everything fails with the line of the test that called it. */
#ifndef GRAL_TESTS_SCENE_H
#define GRAL_TESTS_SCENE_H

/* cmocka wants these before it, in this order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gral/gral.h"

struct scene {
    gral_game game;
    gral_state state;
};

struct scene scene_at(const char *settings, const char *file, int line);

/* One text a seat, "10 T1, 5 A2": points on initiates, in any units that make them up. Seats without
 * a text place nothing. */
void scene_open_at(struct scene *scene, const char *file, int line, size_t texts, const char *const text[]);

/* Actions separated by "; ". "all pass" stands for everybody passing until somebody else must speak. */
void scene_do_at(struct scene *scene, const char *actions, const char *file, int line);

/* Moves pieces without playing: "T1=d2 A2=e3 grail=c3", or "grail=T1" for a bearer. */
void scene_put_at(struct scene *scene, const char *pieces, const char *file, int line);

/* The action is refused for this reason, is not offered, and changes nothing. */
void scene_refuse_at(struct scene *scene, const char *action, enum gral_fault fault, const char *file, int line);

/* These are all legal actions, separated by "; ", in any order, figures folded. */
void scene_offers_at(const struct scene *scene, const char *actions, const char *file, int line);

/* The referee's `state`, or the `view` of a seat (from 1; 0 for a spectator), has this line. */
void scene_expect_at(const struct scene *scene, const char *line_of_state, const char *file, int line);
void scene_sees_at(const struct scene *scene, unsigned seat, const char *line_of_view, const char *file, int line);

/* A computer player, which the test frees. */
gral_player *player_named_at(const char *name, const char *file, int line);

#define scene_of(settings) scene_at(settings, __FILE__, __LINE__)
#define scene_open(scene, ...)                                                                                         \
    scene_open_at(scene, __FILE__, __LINE__, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *),        \
                  (const char *const[]){__VA_ARGS__})
#define player_named(name)                    player_named_at(name, __FILE__, __LINE__)
#define scene_do(scene, actions)              scene_do_at(scene, actions, __FILE__, __LINE__)
#define scene_put(scene, pieces)              scene_put_at(scene, pieces, __FILE__, __LINE__)
#define scene_refuse(scene, action, fault)    scene_refuse_at(scene, action, fault, __FILE__, __LINE__)
#define scene_offers(scene, actions)          scene_offers_at(scene, actions, __FILE__, __LINE__)
#define scene_expect(scene, line_of_state)    scene_expect_at(scene, line_of_state, __FILE__, __LINE__)
#define scene_sees(scene, seat, line_of_view) scene_sees_at(scene, seat, line_of_view, __FILE__, __LINE__)

#endif
