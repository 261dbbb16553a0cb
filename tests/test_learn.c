/* Learning: the product of matrices, the net and its slopes. */
#include "scene.h"

#include "learn/choice.h"
#include "learn/export.h"
#include "learn/kernel.h"
#include "learn/run.h"
#include "learn/trial.h"
#include "players/learned.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static float number(gral_random *random)
{
    return (float)gral_random_below(random, 2001) / 1000 - 1;
}

static void fill(float *to, size_t count, gral_random *random)
{
    for (size_t index = 0; index < count; index++)
        to[index] = number(random);
}

static void check_kernel(double tolerance)
{
    static float left[70 * 1100], right[1100 * 112], out[70 * 112];
    static const size_t shape[][3] = {{1, 1, 16}, {5, 3, 32}, {6, 24, 48}, {13, 120, 64}, {70, 1100, 112}};
    gral_random random = gral_random_from(1);
    for (size_t index = 0; index < sizeof shape / sizeof *shape; index++)
        for (unsigned way = 0; way < 4; way++) {
            const size_t rows = shape[index][0], depth = shape[index][1], columns = shape[index][2];
            const bool add = way & 1, turned = way & 2;
            fill(left, rows * depth, &random);
            fill(right, depth * columns, &random);
            fill(out, rows * columns, &random);
            const kernel_left from = turned ? (kernel_left){left, 1, rows} : (kernel_left){left, depth, 1};
            double expected[3];
            const size_t probe[3][2] = {{0, 0}, {rows - 1, columns - 1}, {rows / 2, columns / 2}};
            for (unsigned at = 0; at < 3; at++) {
                expected[at] = add ? out[probe[at][0] * columns + probe[at][1]] : 0;
                for (size_t d = 0; d < depth; d++)
                    expected[at] += (double)left[probe[at][0] * from.row + d * from.column] *
                                    right[d * columns + probe[at][1]];
            }
            kernel_multiply(out, columns, from, right, columns, rows, depth, columns, add);
            for (unsigned at = 0; at < 3; at++)
                assert_true(fabs(out[probe[at][0] * columns + probe[at][1]] - expected[at]) <
                            tolerance * sqrt((double)depth));
        }
}

static void the_kernel_agrees_with_a_naive_product(void **unused)
{
    (void)unused;
    kernel_allow_rounding(false);
    check_kernel(1e-5);
    kernel_allow_rounding(true);
    check_kernel(1e-2);
}

/* --- a few decisions from games of all sizes --- */

enum { SIGHTS = 6 };
typedef struct sights {
    gral_observation observation[SIGHTS];
    net_secrets secrets[SIGHTS];
    gral_numbers legal[SIGHTS];
    net_input input[SIGHTS];
} sights;

static void gather(sights *sights)
{
    static const uint8_t players[SIGHTS] = {2, 2, 3, 4, 7, 12};
    memset(sights, 0, sizeof *sights);
    for (unsigned index = 0; index < SIGHTS; index++) {
        const gral_settings settings = gral_settings_for(players[index]);
        gral_ground ground;
        gral_random random = gral_random_from(index);
        gral_ground_begin(&ground, &settings, index);
        for (unsigned step = 0; step < 60 + 40 * index; step++)
            gral_ground_act(&ground, gral_random_action(&ground.game, &ground.state, &random));
        const gral_outlook outlook = gral_ground_outlook(&ground);
        gral_observe(&outlook, &sights->observation[index]);
        sights->legal[index] = gral_numbers_of(&outlook);
        sights->secrets[index] = net_secrets_of(&ground.state, ground.state.open.actor);
        sights->input[index] = (net_input){&sights->observation[index], &sights->secrets[index]};
    }
}

/* Some sum over all outputs that are used, and its slopes. */
static double total(const net *weights, net_batch *batch, const sights *sights, net *gradient)
{
    net_forward(weights, batch, sights->input, SIGHTS, NET_POLICY_AND_BELIEF);
    const net_rows out = net_outputs(batch), slope = net_gradients(batch);
    memset(slope.pawn, 0, SIGHTS * sizeof *slope.pawn);
    memset(slope.table, 0, SIGHTS * sizeof *slope.table);
    double sum = 0;
    size_t others = 0;
    for (unsigned index = 0; index < SIGHTS; index++) {
        choice choice;
        float back[GRAL_NUMBERS];
        choice_read(&out, index, &sights->legal[index], &choice);
        /* the logarithm of the chance of the first number */
        sum += choice.log_chance[0];
        for (unsigned place = 0; place < choice.count; place++)
            back[place] = (place == 0) - choice.chance[place];
        choice_back(&out, &slope, index, &choice, back);
        sum += out.table[index][NET_OUT_VALUE];
        slope.table[index][NET_OUT_VALUE] += 1;
        others += sights->observation[index].others;
    }
    for (size_t row = 0; row < others; row++)
        for (unsigned step = 0; step < NET_STEPS_OF_INFLUENCE; step++) {
            sum += 0.1 * step * out.reserve[row][step];
            slope.reserve[row][step] = 0.1f * (float)step;
            for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
                sum += 0.01 * pawn * out.belief[row][pawn][step];
                slope.belief[row][pawn][step] = 0.01f * (float)pawn;
            }
        }
    if (gradient != NULL)
        net_backward(weights, batch, gradient);
    return sum;
}

static void slopes_agree_with_differences(void **unused)
{
    (void)unused;
    static net weights, gradient, moved;
    static sights sights;
    kernel_allow_rounding(false);
    gather(&sights);
    gral_random random = gral_random_from(3);
    net_begin(&weights, &random);
    net_batch *batch = net_batch_make();
    assert_non_null(batch);
    total(&weights, batch, &sights, &gradient);
    /* In every layer some weights, all moved together along their slopes; a kink here or there does no harm. */
    for (unsigned name = 0; name < NET_LAYERS; name++) {
        const net_layer *layer = &net_layer_of[name];
        const size_t count = (size_t)layer->in * layer->out + layer->out;
        const float reach = 1e-3f;
        double expected = 0, length = 0;
        for (size_t at = layer->at; at < layer->at + count; at++)
            length += (double)gradient.weight[at] * gradient.weight[at];
        length = sqrt(length);
        assert_true(length > 0);
        double ends[2];
        for (unsigned end = 0; end < 2; end++) {
            moved = weights;
            for (size_t at = layer->at; at < layer->at + count; at++)
                moved.weight[at] += (end ? reach : -reach) * gradient.weight[at] / (float)length;
            ends[end] = total(&moved, batch, &sights, NULL);
        }
        expected = (ends[1] - ends[0]) / (2 * (double)reach);
        assert_true(fabs(expected - length) < 0.05 * length + 0.02);
    }
    net_batch_free(batch);
}

static void a_decision_is_the_same_alone_and_among_others(void **unused)
{
    (void)unused;
    static net weights;
    static sights sights;
    kernel_allow_rounding(false);
    gather(&sights);
    gral_random random = gral_random_from(4);
    net_begin(&weights, &random);
    net_batch *batch = net_batch_make(), *alone = net_batch_make();
    net_forward(&weights, batch, sights.input, SIGHTS, NET_POLICY_AND_BELIEF);
    const net_rows all = net_outputs(batch), one = net_outputs(alone);
    for (unsigned index = 0; index < SIGHTS; index++) {
        net_forward(&weights, alone, &sights.input[index], 1, NET_POLICY_AND_BELIEF);
        for (unsigned at = 0; at < NET_TABLE_OUT; at++)
            assert_true(fabsf(all.table[index][at] - one.table[0][at]) < 1e-4f);
        const size_t row = net_other_row(batch, index);
        assert_true(fabsf(all.belief[row][3][2] - one.belief[0][3][2]) < 1e-4f);
    }
    net_batch_free(batch);
    net_batch_free(alone);
}

static void chances_add_up_to_one_and_are_drawn(void **unused)
{
    (void)unused;
    static net weights;
    static sights sights;
    gather(&sights);
    gral_random random = gral_random_from(5);
    net_begin(&weights, &random);
    net_batch *batch = net_batch_make();
    net_forward(&weights, batch, sights.input, SIGHTS, NET_POLICY);
    const net_rows out = net_outputs(batch);
    for (unsigned index = 0; index < SIGHTS; index++) {
        choice choice;
        choice_read(&out, index, &sights.legal[index], &choice);
        float sum = 0;
        for (unsigned place = 0; place < choice.count; place++) {
            sum += choice.chance[place];
            assert_int_equal(choice_find(&choice, choice.number[place]), place);
        }
        assert_true(fabsf(sum - 1) < 1e-4f);
        enum { DRAWS = 20000 };
        unsigned first = 0;
        for (unsigned draw = 0; draw < DRAWS; draw++)
            first += choice_draw(&choice, &random) == 0;
        assert_true(fabsf((float)first / DRAWS - choice.chance[0]) < 0.02f);
    }
    net_batch_free(batch);
}

static void steps_of_influence_hold_all_points(void **unused)
{
    (void)unused;
    assert_int_equal(net_step_of(0), 0);
    assert_int_equal(net_step_of(GRAL_POINTS_MAX), NET_STEPS_OF_INFLUENCE - 1);
    for (unsigned step = 0; step < NET_STEPS_OF_INFLUENCE; step++)
        assert_int_equal(net_step_of(net_step_from[step]), step);
}

/* --- the player's net --- */

static void the_net_in_whole_numbers_thinks_as_the_trained_one(void **unused)
{
    (void)unused;
    static net weights;
    static sights sights;
    static learned_net whole;
    static learned_thoughts thoughts;
    kernel_allow_rounding(false);
    gather(&sights);
    gral_random random = gral_random_from(6);
    net_begin(&weights, &random);
    void *bytes = malloc(learned_size());
    assert_true(export_net(&weights, bytes));
    assert_true(learned_read(&whole, bytes, learned_size()));
    net_batch *batch = net_batch_make();
    for (unsigned index = 0; index < SIGHTS; index++)
        sights.input[index].secrets = NULL;
    net_forward(&weights, batch, sights.input, SIGHTS, NET_POLICY_AND_BELIEF);
    const net_rows out = net_outputs(batch);
    for (unsigned index = 0; index < SIGHTS; index++) {
        learned_think(&whole, &sights.observation[index], true, &thoughts);
        choice choice;
        choice_read(&out, index, &sights.legal[index], &choice);
        /* What one number is wanted more than another is the same. */
        for (unsigned place = 1; place < choice.count; place++) {
            const float wanted = choice.log_chance[place] - choice.log_chance[0];
            const int32_t whole_wanted = learned_wish(&thoughts, choice.number[place]) -
                                         learned_wish(&thoughts, choice.number[0]);
            assert_true(fabsf(wanted - (float)whole_wanted / LEARNED_ONE) < 0.06f);
        }
        assert_true(fabsf(out.table[index][NET_OUT_VALUE] - (float)thoughts.table[NET_OUT_VALUE] / LEARNED_ONE) <
                    0.03f);
        const size_t row = net_other_row(batch, index);
        for (unsigned step = 0; step < NET_STEPS_OF_INFLUENCE; step++) {
            assert_true(fabsf(out.belief[row][1][step] - (float)thoughts.belief[0][1][step] / LEARNED_ONE) < 0.03f);
            assert_true(fabsf(out.reserve[row][step] - (float)thoughts.reserve[0][step] / LEARNED_ONE) < 0.03f);
        }
    }
    net_batch_free(batch);
    free(bytes);
}

static void bytes_that_are_no_net_are_refused(void **unused)
{
    (void)unused;
    learned_net whole;
    char *bytes = calloc(1, learned_size());
    assert_false(learned_read(&whole, bytes, learned_size()));
    memcpy(bytes, learned_mark, LEARNED_MARK_BYTES);
    assert_true(learned_read(&whole, bytes, learned_size()));
    assert_false(learned_read(&whole, bytes, learned_size() - 1));
    assert_true(learned_inside_size == learned_size() && learned_size() <= 200000);
    free(bytes);
}

/* --- training --- */

static const run_settings small = {.seed = 3,
                                   .games = 32,
                                   .page = 300,
                                   .stretch = 2,
                                   .main_part = 1,
                                   .exploit_part = 1,
                                   .alone = 1,
                                   .rate = 1e-3f,
                                   .entropy = 0.01f,
                                   .magnet = 0.05f};

static void what_is_resumed_goes_on_to_the_same_bytes(void **unused)
{
    (void)unused;
    kernel_allow_rounding(true);
    char path[] = "/tmp/gral-test-run-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    run *run = malloc(sizeof *run), *again = malloc(sizeof *again);
    run_desk *desk = run_desk_make(&small), *other_desk = run_desk_make(&small);
    assert_true(run != NULL && again != NULL && desk != NULL && other_desk != NULL);
    run_begin(run, &small);
    run_stretch(run, desk, NULL);
    run_stretch(run, desk, NULL);
    assert_true(run_save(run, path));
    assert_true(run_load(again, path));
    for (unsigned stretch = 0; stretch < 3; stretch++) { /* the player, an exploiter, the player */
        run_stretch(run, desk, NULL);
        run_stretch(again, other_desk, NULL);
    }
    assert_memory_equal(run, again, sizeof *run);
    assert_true(run->exploiters > 0 && run->old > 0);
    run_desk_free(desk);
    run_desk_free(other_desk);
    free(run);
    free(again);
    close(file);
    unlink(path);
}

static void a_file_that_is_no_run_is_refused(void **unused)
{
    (void)unused;
    char path[] = "/tmp/gral-test-run-XXXXXX";
    const int file = mkstemp(path);
    run *run = malloc(sizeof *run);
    assert_int_equal(write(file, "gral-learn run 1 and no more", 28), 28);
    assert_false(run_load(run, path));
    free(run);
    close(file);
    unlink(path);
}

/* --- the program --- */

/* Runs gral-learn with words in which %s is `path`: what it says must have the text, and this is its exit status. */
static void expect_learn(int status, const char *words, const char *path, const char *said)
{
    char command[512], output[8192];
    const char *wrapper = getenv("MESON_EXE_WRAPPER"); // what imitates the processor that this was built for
    const int prefix = snprintf(command, sizeof command, "%s %s ", wrapper ? wrapper : "", getenv("GRAL_LEARN"));
    snprintf(command + prefix, sizeof command - (size_t)prefix, words, path, path);
    strcat(command, " 2>&1");
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    output[fread(output, 1, sizeof output - 1, pipe)] = '\0';
    const int ended = pclose(pipe);
    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != status || strstr(output, said) == NULL)
        fail_msg("%s: %s", command, output);
}

static void the_program_goes_on_with_a_run_with_its_own_seed_alone(void **unused)
{
    (void)unused;
    char path[] = "/tmp/gral-test-run-XXXXXX";
    close(mkstemp(path));
    run *run = malloc(sizeof *run);
    run_begin(run, &small);
    assert_true(run_save(run, path));
    expect_learn(2, "train %s seed=12345", path, "was begun with seed");
    expect_learn(0, "train %s stretches=3 rate=700 exploit=0", path, "main 2: ");
    assert_true(run_load(run, path));
    assert_true(run->stretches == 3 && run->settings.rate == 1e-6f * 700);
    expect_learn(1, "train %s/none", path, "Not a directory");
    free(run);
    unlink(path);
}

static void the_program_measures_exploits_and_exports_and_changes_nothing(void **unused)
{
    (void)unused;
    char path[] = "/tmp/gral-test-run-XXXXXX", out[64];
    close(mkstemp(path));
    snprintf(out, sizeof out, "%s.net", path);
    run *run = malloc(sizeof *run), *again = malloc(sizeof *again);
    run_begin(run, &small);
    assert_true(run_save(run, path));
    expect_learn(0, "measure %s games=1", path, "measured 0: random=");
    expect_learn(0, "exploit %s stretches=1", path, "exploiter 0: ");
    expect_learn(0, "exploit %s rollout:2sims stretches=1", path, "exploiter 0: ");
    expect_learn(1, "exploit %s nobody stretches=1", path, "gral-learn: nobody: ");
    expect_learn(2, "exploit %s random random", path, "is not understood");
    expect_learn(0, "export %s %s.net slow=1", path, "");
    uint8_t *bytes = malloc(learned_size());
    FILE *file = fopen(out, "rb");
    assert_int_equal(fread(bytes, 1, learned_size(), file), learned_size());
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
    void *expected = malloc(learned_size());
    assert_true(export_net(&run->main.magnet, expected));
    assert_memory_equal(bytes, expected, learned_size());
    assert_true(run_load(again, path));
    assert_memory_equal(run, again, sizeof *run);
    unlink(path);
    unlink(out);
    expect_learn(1, "measure %s", path, "No such file");
    expect_learn(1, "export %s %s.net", path, "No such file");
    free(bytes);
    free(expected);
    free(run);
    free(again);
}

static void a_training_begins_from_a_nets_file_with_the_same_net(void **unused)
{
    (void)unused;
    char path[] = "/tmp/gral-test-run-XXXXXX", out[64];
    close(mkstemp(path));
    snprintf(out, sizeof out, "%s.net", path);
    FILE *file = fopen(out, "wb");
    assert_int_equal(fwrite(learned_inside_bytes, learned_inside_size, 1, file), 1);
    fclose(file);
    expect_learn(0, "begin %s %s.net seed=4", path, "");
    run *run = malloc(sizeof *run);
    void *bytes = malloc(learned_size());
    assert_true(run_load(run, path));
    assert_true(run->settings.seed == 4 && run->settling > 0);
    assert_memory_equal(&run->main.actor, &run->main.magnet, sizeof(net));
    assert_true(export_net(&run->main.actor, bytes));
    assert_memory_equal(bytes, learned_inside_bytes, learned_inside_size);
    unlink(out);
    expect_learn(1, "begin %s %s.net", path, "No such file");
    expect_learn(1, "begin %s %s", path, "Invalid argument");
    unlink(path);
    free(bytes);
    free(run);
}

static void at_first_only_the_critic_learns_where_there_was_none(void **unused)
{
    (void)unused;
    net *learned = malloc(sizeof *learned), *critic = malloc(sizeof *critic);
    run *run = malloc(sizeof *run);
    gral_random random = gral_random_from(9);
    net_begin(learned, &random);
    run_settings settings = small;
    settings.exploit_part = 0;
    run_begin_from(run, &settings, learned);
    *critic = run->main.critic;
    run_desk *desk = run_desk_make(&settings);
    run_stretch(run, desk, NULL);
    assert_memory_equal(&run->main.actor, learned, sizeof *learned);
    assert_memory_not_equal(&run->main.critic, critic, sizeof *critic);
    run_stretch(run, desk, NULL);
    assert_memory_not_equal(&run->main.actor, learned, sizeof *learned);
    run_desk_free(desk);
    free(run);
    free(critic);
    free(learned);
}

static void the_program_holds_beliefs_against_the_truth(void **unused)
{
    (void)unused;
    expect_learn(0, "beliefs rules games=2 players=3 seed=%.0s7", "", "the net, in his seat   log-loss ");
    expect_learn(1, "beliefs nobody%.0s", "", "gral-learn: nobody: ");
}

/* --- learning --- */

static choice chances_of(const net *weights, net_batch *batch, const sights *sights)
{
    choice choice;
    net_forward(weights, batch, sights->input, 1, NET_POLICY);
    const net_rows out = net_outputs(batch);
    choice_read(&out, 0, &sights->legal[0], &choice);
    return choice;
}

static void what_was_rewarded_is_done_more_often_what_was_punished_less(void **unused)
{
    (void)unused;
    enum { MOMENTS = 128, LESSONS = 10 };
    static sights sights;
    static moment moments[MOMENTS];
    static agent agent;
    gather(&sights);
    sights.input[0].secrets = NULL;
    gral_random random = gral_random_from(7);
    agent_begin(&agent, &random);
    net_batch *batch = net_batch_make();
    lesson *lesson = lesson_make();
    const choice before = chances_of(&agent.actor, batch, &sights);
    const lesson_settings settings = {.rate = 1e-3f, .clip = 0.2f, .trace = 0.95f, .belief = 0.1f, .batch = 64};
    for (unsigned round = 0; round < LESSONS; round++) {
        const choice now = chances_of(&agent.actor, batch, &sights);
        for (unsigned index = 0; index < MOMENTS; index++)
            moments[index] = (moment){.observation = sights.observation[0],
                                      .secrets = sights.secrets[0],
                                      .legal = sights.legal[0],
                                      .number = now.number[index % 2],
                                      .log_chance = now.log_chance[index % 2],
                                      .reward = index % 2 == 0 ? 1 : -1,
                                      .next = MOMENT_END};
        book book = {moments, MOMENTS, MOMENTS};
        lesson_learn(lesson, &agent, &book, &settings, &random);
    }
    const choice after = chances_of(&agent.actor, batch, &sights);
    assert_true(after.chance[0] > 1.5f * before.chance[0]);
    assert_true(after.chance[1] < before.chance[1] / 1.5f);
    lesson_free(lesson);
    net_batch_free(batch);
}

/* Lessons of one number that the net hardly ever plays: how likely it is then. */
static float chance_after(float reward, bool tried, float *before)
{
    enum { MOMENTS = 128, LESSONS = 6 };
    static sights sights;
    static moment moments[MOMENTS];
    static agent agent;
    gather(&sights);
    sights.input[0].secrets = NULL;
    gral_random random = gral_random_from(8);
    agent_begin(&agent, &random);
    net_batch *batch = net_batch_make();
    lesson *lesson = lesson_make();
    const choice first = chances_of(&agent.actor, batch, &sights);
    const net_layer *last = &net_layer_of[NET_LAYER_TABLE_OUT];
    agent.actor.weight[last->at + (size_t)last->in * last->out + NET_OUT_WORD + first.number[0]] -= 12;
    const choice rare = chances_of(&agent.actor, batch, &sights);
    *before = rare.chance[0];
    const lesson_settings settings = {.rate = 1e-3f, .clip = 0.2f, .trace = 0.95f, .belief = 0.1f, .batch = 64};
    for (unsigned round = 0; round < LESSONS; round++) {
        for (unsigned index = 0; index < MOMENTS; index++)
            moments[index] = (moment){.observation = sights.observation[0],
                                      .secrets = sights.secrets[0],
                                      .legal = sights.legal[0],
                                      .number = rare.number[index % 2],
                                      .tried = index % 2 == 0 && tried,
                                      .log_chance = index % 2 == 0 && !tried ? -1 : rare.log_chance[index % 2],
                                      .reward = index % 2 == 0 ? reward : -reward,
                                      .next = MOMENT_END};
        book book = {moments, MOMENTS, MOMENTS};
        lesson_learn(lesson, &agent, &book, &settings, &random);
    }
    const choice after = chances_of(&agent.actor, batch, &sights);
    lesson_free(lesson);
    net_batch_free(batch);
    return after.chance[0];
}

static void what_was_tried_with_success_becomes_likelier_however_unlikely_it_was(void **unused)
{
    (void)unused;
    float before;
    const float as_it_comes = chance_after(1, false, &before), tried = chance_after(1, true, &before);
    assert_true(before < 1e-4f);
    assert_true(tried > 1.5f * as_it_comes);
}

/* --- what is tried out --- */

static void arranged_games_are_not_over_and_the_bearer_has_the_grail(void **unused)
{
    (void)unused;
    gral_random random = gral_random_from(10);
    const gral_settings settings = gral_settings_for(4);
    for (unsigned game = 0; game < 500; game++) {
        gral_ground ground;
        gral_ground_begin(&ground, &settings, game);
        trial_arrange(&ground, &random);
        const gral_open *open = &ground.state.open;
        assert_int_equal(open->phase, GRAL_OPENING);
        if (open->bearer == GRAL_NO_PAWN)
            continue;
        assert_int_equal(open->grail, open->pawn[open->bearer]);
        assert_int_not_equal(open->grail, ground.game.home[open->bearer / 2]);
    }
}

/* Plays an opening of the plan's, each number as the net would be asked for it. */
static void open_by(gral_ground *ground, trial_plan plan)
{
    const unsigned actor = ground->state.open.actor;
    while (ground->state.open.phase == GRAL_OPENING && ground->state.open.actor == actor) {
        const gral_outlook outlook = gral_ground_outlook(ground);
        const gral_numbers legal = gral_numbers_of(&outlook);
        choice choice = {0};
        for (unsigned number = 0; number < GRAL_NUMBERS; number++)
            if (gral_numbers_has(&legal, number))
                choice.number[choice.count++] = (uint8_t)number;
        gral_ground_play(ground, choice.number[trial_next(&plan, &choice)]);
    }
}

static void a_planned_opening_places_what_was_planned(void **unused)
{
    (void)unused;
    static const trial_plan plans[] = {
        {.on = true, .points = {[GRAL_T1] = 15, [GRAL_A2] = 30}},
        {.on = true, .points = {[GRAL_I1] = GRAL_POINTS_MAX}},
        {.on = true, .points = {0}},
    };
    for (unsigned index = 0; index < sizeof plans / sizeof *plans; index++) {
        const gral_settings settings = gral_settings_for(2);
        gral_ground ground;
        gral_ground_begin(&ground, &settings, index);
        const unsigned actor = ground.state.open.actor;
        open_by(&ground, plans[index]);
        assert_memory_equal(ground.state.sheet[actor].influence, plans[index].points, GRAL_PAWNS);
    }
}

static void anything_that_may_be_done_is_tried_some_time(void **unused)
{
    (void)unused;
    static sights sights;
    gather(&sights);
    gral_random random = gral_random_from(11);
    for (unsigned index = 0; index < SIGHTS; index++) {
        choice choice = {0};
        bool seen[GRAL_NUMBERS] = {0};
        for (unsigned number = 0; number < GRAL_NUMBERS; number++)
            if (gral_numbers_has(&sights.legal[index], number))
                choice.number[choice.count++] = (uint8_t)number;
        for (unsigned draw = 0; draw < 4000; draw++)
            seen[trial_any(&choice, &random)] = true;
        for (unsigned place = 0; place < choice.count; place++)
            assert_true(seen[place]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kernel_agrees_with_a_naive_product),
        cmocka_unit_test(slopes_agree_with_differences),
        cmocka_unit_test(a_decision_is_the_same_alone_and_among_others),
        cmocka_unit_test(chances_add_up_to_one_and_are_drawn),
        cmocka_unit_test(steps_of_influence_hold_all_points),
        cmocka_unit_test(the_net_in_whole_numbers_thinks_as_the_trained_one),
        cmocka_unit_test(bytes_that_are_no_net_are_refused),
        cmocka_unit_test(what_is_resumed_goes_on_to_the_same_bytes),
        cmocka_unit_test(a_file_that_is_no_run_is_refused),
        cmocka_unit_test(the_program_goes_on_with_a_run_with_its_own_seed_alone),
        cmocka_unit_test(the_program_measures_exploits_and_exports_and_changes_nothing),
        cmocka_unit_test(a_training_begins_from_a_nets_file_with_the_same_net),
        cmocka_unit_test(at_first_only_the_critic_learns_where_there_was_none),
        cmocka_unit_test(the_program_holds_beliefs_against_the_truth),
        cmocka_unit_test(what_was_rewarded_is_done_more_often_what_was_punished_less),
        cmocka_unit_test(what_was_tried_with_success_becomes_likelier_however_unlikely_it_was),
        cmocka_unit_test(arranged_games_are_not_over_and_the_bearer_has_the_grail),
        cmocka_unit_test(a_planned_opening_places_what_was_planned),
        cmocka_unit_test(anything_that_may_be_done_is_tried_some_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
