#include "lesson.h"

#include "kernel.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct lesson {
    net_batch *batch, *magnet_batch;
    net gradient, critic_gradient;
    net_input input[NET_BATCH_MAX];
    uint32_t *order; /* of the moments to learn from */
    uint32_t capacity;
};

void agent_begin(agent *agent, gral_random *random)
{
    memset(agent, 0, sizeof *agent);
    net_begin(&agent->actor, random);
    net_begin(&agent->critic, random);
    agent->magnet = agent->actor;
}

lesson *lesson_make(void)
{
    lesson *lesson = calloc(1, sizeof *lesson);
    if (lesson == NULL)
        return NULL;
    lesson->batch = net_batch_make();
    lesson->magnet_batch = net_batch_make();
    if (lesson->batch == NULL || lesson->magnet_batch == NULL) {
        lesson_free(lesson);
        return NULL;
    }
    return lesson;
}

void lesson_free(lesson *lesson)
{
    if (lesson == NULL)
        return;
    net_batch_free(lesson->batch);
    net_batch_free(lesson->magnet_batch);
    free(lesson->order);
    free(lesson);
}

/* --- what was good --- */

static void judge(lesson *lesson, const agent *agent, book *book)
{
    net_input *input = lesson->input;
    for (uint32_t from = 0; from < book->count; from += NET_BATCH_MAX) {
        const uint32_t left = book->count - from, count = left < NET_BATCH_MAX ? left : NET_BATCH_MAX;
        for (uint32_t at = 0; at < count; at++)
            input[at] = (net_input){&book->moment[from + at].observation, &book->moment[from + at].secrets};
        net_forward(&agent->critic, lesson->batch, input, count, NET_VALUE_ONLY);
        const net_rows out = net_outputs(lesson->batch);
        for (uint32_t at = 0; at < count; at++)
            book->moment[from + at].value = out.table[at][NET_OUT_VALUE];
    }
}

/* Backwards, since what comes next is always further on in the book. */
static void trace_back(book *book, float trace)
{
    for (uint32_t index = book->count; index-- > 0;) {
        moment *moment = &book->moment[index];
        moment->advantage = 0;
        if (moment->next == MOMENT_END)
            moment->advantage = moment->reward - moment->value;
        else if (moment->next != MOMENT_PENDING)
            moment->advantage = book->moment[moment->next].value - moment->value +
                                trace * book->moment[moment->next].trust * book->moment[moment->next].advantage;
    }
}

/* Those whose future is known, shuffled. */
static uint32_t shuffle(lesson *lesson, const book *book, gral_random *random)
{
    if (lesson->capacity < book->capacity) {
        free(lesson->order);
        lesson->order = malloc(book->capacity * sizeof *lesson->order);
        lesson->capacity = lesson->order != NULL ? book->capacity : 0;
    }
    uint32_t count = 0;
    for (uint32_t index = 0; index < book->count && lesson->order != NULL; index++) {
        if (book->moment[index].next == MOMENT_PENDING)
            continue;
        const uint32_t to = gral_random_below(random, count + 1);
        lesson->order[count++] = lesson->order[to];
        lesson->order[to] = index;
    }
    return count;
}

/* 1 / the spread of all advantages. */
static float scale_of(const lesson *lesson, const book *book, uint32_t count, lesson_report *report)
{
    double sum = 0, squares = 0, values = 0, value_squares = 0;
    for (uint32_t at = 0; at < count; at++) {
        const moment *moment = &book->moment[lesson->order[at]];
        const double advantage = moment->advantage, target = moment->value + advantage;
        sum += advantage;
        squares += advantage * advantage;
        values += target;
        value_squares += target * target;
    }
    report->value_error = squares / count;
    report->value_spread = value_squares / count - values / count * values / count;
    const double variance = squares / count - sum / count * sum / count;
    return (float)(1 / (sqrt(variance) + 1e-6));
}

/* --- slopes --- */

typedef struct glance {
    const moment *moment;
    size_t index;    /* in the batch */
    float advantage; /* scaled */
    float part;      /* of the step */
} glance;

/* What was tried counts as much however unlikely it was, else it would never become likely (as in NeuRD, not in
 * proportion to its chance); but what is unlikely enough is not made more so. */
static bool is_clipped(const glance *glance, const lesson_settings *settings, float chance, float ratio)
{
    const float unlikely = 3e-4f;
    if (glance->moment->tried)
        return glance->advantage < 0 && chance < unlikely;
    return glance->advantage > 0 ? ratio > 1 + settings->clip : ratio < 1 - settings->clip;
}

static void learn_choice(const glance *glance, const lesson_settings *settings, const net_rows *out,
                         const net_rows *slope, const net_rows *slow, lesson_report *report)
{
    choice choice, magnet;
    choice_read(out, glance->index, &glance->moment->legal, &choice);
    choice_read(slow, glance->index, &glance->moment->legal, &magnet);
    const unsigned done = choice_find(&choice, glance->moment->number);
    const float ratio = expf(fminf(choice.log_chance[done] - glance->moment->log_chance, 20));
    const bool clipped = is_clipped(glance, settings, choice.chance[done], ratio);
    const float push = clipped ? 0 : -glance->advantage * (glance->moment->tried ? 1 : ratio);
    float entropy = 0, distance = 0;
    for (unsigned place = 0; place < choice.count; place++) {
        entropy -= choice.chance[place] * choice.log_chance[place];
        distance += choice.chance[place] * (choice.log_chance[place] - magnet.log_chance[place]);
    }
    float back[GRAL_NUMBERS];
    for (unsigned place = 0; place < choice.count; place++) {
        const float chance = choice.chance[place], log_chance = choice.log_chance[place];
        back[place] = push * ((place == done) - chance) + settings->entropy * chance * (log_chance + entropy) +
                      settings->magnet * chance * (log_chance - magnet.log_chance[place] - distance);
        back[place] *= glance->part;
    }
    choice_back(out, slope, glance->index, &choice, back);
    report->entropy += (double)entropy;
    report->magnet_distance += (double)distance;
    report->clipped += clipped;
}

/* Cross entropy; returns the loss. The rows are of NET_STEPS_OF_INFLUENCE. */
static float learn_step(const float *out, float *slope, unsigned truth, float part)
{
    float most = out[0], sum = 0, chance[NET_STEPS_OF_INFLUENCE];
    for (unsigned step = 1; step < NET_STEPS_OF_INFLUENCE; step++)
        most = fmaxf(most, out[step]);
    for (unsigned step = 0; step < NET_STEPS_OF_INFLUENCE; step++)
        sum += chance[step] = expf(out[step] - most);
    for (unsigned step = 0; step < NET_STEPS_OF_INFLUENCE; step++)
        slope[step] = part * (chance[step] / sum - (step == truth));
    return -logf(chance[truth] / sum + 1e-12f);
}

/* The mean of a reserve that is believed in, in points. */
static float mean_points(const float *out)
{
    float sum = 0, points = 0;
    for (unsigned step = 0; step < NET_STEPS_OF_INFLUENCE; step++) {
        const unsigned next = step + 1 < NET_STEPS_OF_INFLUENCE ? net_step_from[step + 1] - 1u : GRAL_POINTS_MAX;
        const float weight = expf(out[step]);
        sum += weight;
        points += weight * 0.5f * (float)(net_step_from[step] + next);
    }
    return points / sum;
}

static void learn_beliefs(const glance *glance, float weight, size_t row, const net_rows *out, const net_rows *slope,
                          lesson_report *report)
{
    const gral_observation *sight = &glance->moment->observation;
    const float part = weight * glance->part / (float)(sight->others * GRAL_PAWNS);
    double loss = 0;
    unsigned there = 0;
    for (unsigned other = 0; other < sight->others; other++) {
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
            float *back = slope->belief[row + other][pawn];
            if (sight->pawn[pawn][GRAL_SEES_ON_BOARD] == 0) {
                memset(back, 0, sizeof slope->belief[row + other][pawn]);
                continue;
            }
            loss += (double)learn_step(out->belief[row + other][pawn], back,
                                       net_step_of(glance->moment->secrets.influence[other][pawn]), part);
            there++;
        }
        const unsigned reserve = glance->moment->secrets.reserve[other];
        report->reserve += (double)learn_step(out->reserve[row + other], slope->reserve[row + other],
                                              net_step_of(reserve), weight * glance->part / sight->others) /
                           sight->others;
        report->reserve_error += (double)fabsf(mean_points(out->reserve[row + other]) - (float)reserve) / sight->others;
    }
    report->belief += there > 0 ? loss / there : 0;
    report->believed++;
}

/* --- steps --- */

typedef struct adam {
    float rate, part; /* of the slope, if it is too long */
    float mean_part, square_part;
} adam;

static const float decay = 0.9f, slow_decay = 0.999f;

KERNEL_FOR_EACH_PROCESSOR
static void move(float *weight, const float *gradient, float *mean, float *square, adam adam)
{
    for (size_t at = 0; at < NET_WEIGHTS; at++) {
        const float slope = adam.part * gradient[at];
        mean[at] = decay * mean[at] + (1 - decay) * slope;
        square[at] = slow_decay * square[at] + (1 - slow_decay) * slope * slope;
        weight[at] -= adam.rate * adam.mean_part * mean[at] / (sqrtf(adam.square_part * square[at]) + 1e-5f);
    }
}

static float length_of(const net *gradient)
{
    enum { LANES = 16 }; /* sums side by side, which the compiler may not make of one */
    float squares[LANES] = {0};
    static_assert((int)NET_WEIGHTS % (int)LANES == 0, "no weight is left over");
    for (size_t at = 0; at < NET_WEIGHTS; at += LANES)
        for (size_t lane = 0; lane < LANES; lane++)
            squares[lane] += gradient->weight[at + lane] * gradient->weight[at + lane];
    float sum = 0;
    for (size_t lane = 0; lane < LANES; lane++)
        sum += squares[lane];
    return sqrtf(sum);
}

static void step(net *weights, const net *gradient, momentum *momentum, float rate)
{
    const float longest = 0.5f, length = length_of(gradient);
    const double steps = (double)++momentum->steps;
    const adam adam = {
        .rate = rate,
        .part = length > longest ? longest / length : 1,
        .mean_part = (float)(1 / (1 - pow((double)decay, steps))),
        .square_part = (float)(1 / (1 - pow((double)slow_decay, steps))),
    };
    move(weights->weight, gradient->weight, momentum->mean.weight, momentum->square.weight, adam);
}

/* `part` is what one moment counts in the step that these belong to, `belief` what beliefs do. */
static void learn_actor(lesson *lesson, const agent *agent, const book *book, const uint32_t *order, uint32_t count,
                        float scale, float part, float belief, const lesson_settings *settings, lesson_report *report)
{
    net_input *input = lesson->input;
    for (uint32_t at = 0; at < count; at++)
        input[at] = (net_input){&book->moment[order[at]].observation, NULL};
    net_forward(&agent->magnet, lesson->magnet_batch, input, count, NET_POLICY);
    net_forward(&agent->actor, lesson->batch, input, count, belief > 0 ? NET_POLICY_AND_BELIEF : NET_POLICY);
    const net_rows out = net_outputs(lesson->batch), slope = net_gradients(lesson->batch);
    const net_rows slow = net_outputs(lesson->magnet_batch);
    memset(slope.pawn, 0, count * sizeof *slope.pawn);
    memset(slope.table, 0, count * sizeof *slope.table);
    for (uint32_t at = 0; at < count; at++) {
        const moment *moment = &book->moment[order[at]];
        const glance glance = {moment, at, scale * moment->advantage, part};
        learn_choice(&glance, settings, &out, &slope, &slow, report);
        slope.table[at][NET_OUT_VALUE] = settings->value * glance.part *
                                         (out.table[at][NET_OUT_VALUE] - moment->value - moment->advantage);
        if (belief > 0)
            learn_beliefs(&glance, belief, net_other_row(lesson->batch, at), &out, &slope, report);
    }
    net_backward(&agent->actor, lesson->batch, &lesson->gradient);
}

static void learn_critic(lesson *lesson, const agent *agent, const book *book, const uint32_t *order, uint32_t count,
                         float part)
{
    net_input *input = lesson->input;
    for (uint32_t at = 0; at < count; at++)
        input[at] = (net_input){&book->moment[order[at]].observation, &book->moment[order[at]].secrets};
    net_forward(&agent->critic, lesson->batch, input, count, NET_VALUE_ONLY);
    const net_rows out = net_outputs(lesson->batch), slope = net_gradients(lesson->batch);
    memset(slope.table, 0, count * sizeof *slope.table);
    for (uint32_t at = 0; at < count; at++) {
        const moment *moment = &book->moment[order[at]];
        slope.table[at][NET_OUT_VALUE] = part * (out.table[at][NET_OUT_VALUE] - moment->value - moment->advantage);
    }
    net_backward(&agent->critic, lesson->batch, &lesson->critic_gradient);
}

/* Beliefs learn from the first moments of each step alone: that is enough, and they take long. */
static void take_step(lesson *lesson, agent *agent, const book *book, const uint32_t *order, uint32_t count,
                      float scale, const lesson_settings *settings, lesson_report *report)
{
    memset(&lesson->gradient, 0, sizeof lesson->gradient);
    memset(&lesson->critic_gradient, 0, sizeof lesson->critic_gradient);
    for (uint32_t from = 0; from < count; from += NET_BATCH_MAX) {
        const uint32_t left = count - from, here = left < NET_BATCH_MAX ? left : NET_BATCH_MAX;
        const float part = 1.0f / (float)count;
        const float belief = from == 0 ? settings->belief * (float)count / (float)here : 0;
        if (!settings->critic_only)
            learn_actor(lesson, agent, book, order + from, here, scale, part, belief, settings, report);
        learn_critic(lesson, agent, book, order + from, here, part);
    }
    if (!settings->critic_only)
        step(&agent->actor, &lesson->gradient, &agent->actor_momentum, settings->rate);
    step(&agent->critic, &lesson->critic_gradient, &agent->critic_momentum, settings->rate);
}

static void follow(net *slow, const net *quick, float part)
{
    for (size_t at = 0; at < NET_WEIGHTS; at++)
        slow->weight[at] += part * (quick->weight[at] - slow->weight[at]);
}

static void make_means(lesson_report *report, uint32_t count)
{
    double *const sums[] = {&report->entropy, &report->magnet_distance, &report->clipped};
    double *const beliefs[] = {&report->belief, &report->reserve, &report->reserve_error};
    for (size_t index = 0; index < sizeof sums / sizeof *sums; index++)
        *sums[index] /= count;
    for (size_t index = 0; index < sizeof beliefs / sizeof *beliefs; index++)
        *beliefs[index] /= fmax(report->believed, 1);
    report->moments = count;
}

lesson_report lesson_learn(lesson *lesson, agent *agent, book *book, const lesson_settings *settings,
                           gral_random *random)
{
    lesson_report report = {0};
    judge(lesson, agent, book);
    trace_back(book, settings->trace);
    const uint32_t count = shuffle(lesson, book, random);
    if (count == 0)
        return report;
    const float scale = scale_of(lesson, book, count, &report);
    for (uint32_t from = 0; from < count; from += settings->batch) {
        const uint32_t left = count - from, here = left < settings->batch ? left : settings->batch;
        take_step(lesson, agent, book, lesson->order + from, here, scale, settings, &report);
    }
    follow(&agent->magnet, &agent->actor, settings->magnet_step);
    make_means(&report, count);
    return report;
}
