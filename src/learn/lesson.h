/* Learning from a book: a policy gradient whose steps are clipped (PPO), drawn to a slow copy of itself (magnetic
 * mirror descent), with a critic that sees everything, and beliefs trained on the truth. */
#ifndef GRAL_LEARN_LESSON_H
#define GRAL_LEARN_LESSON_H

#include "arena.h"

/* Adam's running means. */
typedef struct momentum {
    net mean, square;
    uint64_t steps;
} momentum;

/* A net that learns, with all that it needs for it. */
typedef struct agent {
    net actor, critic, magnet;
    momentum actor_momentum, critic_momentum;
} agent;

void agent_begin(agent *agent, gral_random *random);

typedef struct lesson_settings {
    float rate;        /* of learning */
    bool critic_only;  /* the actor stays as it is */
    float clip;        /* how far a chance may move at once */
    float entropy;     /* what keeps choices open */
    float magnet;      /* how strong the slow copy draws */
    float magnet_step; /* how far it follows, each lesson */
    float belief;
    float value;    /* of the actor's own value */
    float trace;    /* GAE's lambda */
    unsigned batch; /* moments a step */
} lesson_settings;

/* Means over a lesson. */
typedef struct lesson_report {
    double entropy, magnet_distance, clipped;
    double value_error, value_spread; /* of the critic; squares */
    double belief, reserve;           /* log-loss in nats, per initiate on the board and per reserve */
    double reserve_error;             /* points */
    double moments, believed;         /* how many; how many beliefs were learned from */
} lesson_report;

typedef struct lesson lesson;
lesson *lesson_make(void);
void lesson_free(lesson *lesson);

/* One pass over the book in random order. */
lesson_report lesson_learn(lesson *lesson, agent *agent, book *book, const lesson_settings *settings,
                           gral_random *random);

#endif
