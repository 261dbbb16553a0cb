/* fsync, clock_gettime */
#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const run_settings run_usual = {
    .seed = 1,
    .games = 512,
    .page = 16384,
    .stretch = 30,
    .main_part = 4,
    .exploit_part = 2,
    .alone = 16,
    .rate = 5e-4f,
    .entropy = 0.02f,
    .magnet = 0.05f,
};

struct run_desk {
    arena *arena;
    lesson *lesson;
    book book;
    gral_player *against; /* the caller's, or NULL */
};

run_desk *run_desk_make(const run_settings *settings)
{
    run_desk *desk = calloc(1, sizeof *desk);
    if (desk == NULL)
        return NULL;
    /* One round more than wanted, and behind it what waits on every seat. */
    desk->book.capacity = settings->page + settings->games * (1 + GRAL_PLAYERS_MAX);
    desk->book.moment = calloc(desk->book.capacity, sizeof *desk->book.moment);
    desk->arena = arena_make(settings->games);
    desk->lesson = lesson_make();
    if (desk->book.moment == NULL || desk->arena == NULL || desk->lesson == NULL) {
        run_desk_free(desk);
        return NULL;
    }
    return desk;
}

void run_desk_free(run_desk *desk)
{
    if (desk == NULL)
        return;
    arena_free(desk->arena);
    lesson_free(desk->lesson);
    free(desk->book.moment);
    free(desk);
}

/* Any use of chance has its own number, so that none depends on how much another drew. */
static gral_random chance_for(const run *run, uint64_t purpose)
{
    gral_random random = gral_random_from(run->settings.seed ^ (purpose << 56) ^ (run->stretches << 16));
    return gral_random_from(gral_random_next(&random));
}
enum { CHANCE_BEGIN = 1, CHANCE_GAMES, CHANCE_ORDER, CHANCE_POOL };

void run_begin(run *run, const run_settings *settings)
{
    memset(run, 0, sizeof *run);
    run->settings = *settings;
    gral_random random = chance_for(run, CHANCE_BEGIN);
    agent_begin(&run->main, &random);
}

void run_begin_from(run *run, const run_settings *settings, const net *learned)
{
    run_begin(run, settings);
    run->main.actor = run->main.magnet = *learned;
    run->settings.alone = 0;
    run->settling = settings->stretch;
}

/* --- who plays against whom --- */

static const arena_plan main_plan = {
    .share = {[COMPANY_SELF] = 22,
              [COMPANY_OLD] = 6,
              [COMPANY_EXPLOITER] = 26,
              [COMPANY_LADDER] = 16,
              [COMPANY_SCRIPTS] = 30},
    .strange = true,
};
static const arena_plan exploit_plan = {.share = {[COMPANY_OLD] = 100}, .two_players_only = true, .hungry = true};

static bool exploits(const run *run)
{
    return run->exploited > 0;
}

static arena_nets nets_of(const run *run)
{
    arena_nets nets = {.count = 1};
    if (exploits(run)) {
        nets.net[0] = &run->exploiter.actor;
        nets.net[1] = &run->main.actor;
        nets.weight[1] = 1;
        nets.company[1] = COMPANY_OLD;
        nets.count = 2;
        return nets;
    }
    nets.net[0] = &run->main.actor;
    nets.count = 1 + RUN_POOL;
    for (unsigned index = 0; index < RUN_POOL; index++) {
        const bool old = index < RUN_OLD;
        const bool there = old ? index < run->old : index - RUN_OLD < run->exploiters;
        nets.net[1 + index] = &run->pool[index];
        nets.weight[1 + index] = there ? 0.1f + run->lost[index] : 0;
        nets.company[1 + index] = old ? COMPANY_OLD : COMPANY_EXPLOITER;
    }
    return nets;
}
static_assert((int)RUN_POOL < (int)ARENA_NETS_MAX, "the learner and the pool");

static void remember_losses(run *run, const arena_nets *nets)
{
    for (unsigned index = 0; index < RUN_POOL && nets->count > 2; index++) {
        const tally *tally = &nets->against[1 + index];
        const uint32_t games = tally->won + tally->drawn + tally->lost;
        if (games < 10)
            continue;
        const float lost = ((float)tally->lost + 0.5f * (float)tally->drawn) / (float)games;
        run->lost[index] += 0.5f * (lost - run->lost[index]);
    }
}

/* --- the course of it --- */

/* Rate and entropy fall with what has been learned from. An exploiter has nobody to fear: nothing holds it back. */
static lesson_settings lesson_for(const run *run)
{
    const float millions = (float)run->moments * 1e-6f;
    return (lesson_settings){
        .rate = fmaxf(run->settings.rate / (1 + millions / 60), 1e-4f),
        .critic_only = run->settling > 0,
        .clip = 0.2f,
        .entropy = exploits(run) ? 0.005f : fmaxf(run->settings.entropy / (1 + millions / 15), 0.003f),
        .magnet = exploits(run) ? 0 : run->settings.magnet,
        .magnet_step = 0.004f,
        .belief = 0.1f,
        .value = 0.25f,
        .trace = 0.95f,
        .batch = 512,
    };
}

static void add_report(lesson_report *sum, const lesson_report *one)
{
    sum->entropy += one->entropy;
    sum->magnet_distance += one->magnet_distance;
    sum->clipped += one->clipped;
    sum->value_error += one->value_error;
    sum->value_spread += one->value_spread;
    sum->belief += one->belief;
    sum->reserve += one->reserve;
    sum->reserve_error += one->reserve_error;
    sum->moments += one->moments;
}

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void print_tally(FILE *out, const char *name, const tally *tally)
{
    const uint32_t games = tally->won + tally->drawn + tally->lost;
    if (games > 0)
        fprintf(out, " %s=%.0f/%.0f%%(%u)", name, 100.0 * tally->won / games, 100.0 * tally->drawn / games, games);
}

static void print_progress(const run *run, const lesson_report *sum, const tally tallies[COMPANIES], double took,
                           FILE *out)
{
    static const char *const name[COMPANIES] = {"self", "old", "exploiters", "ladder", "scripts"};
    const double lessons = run->settings.stretch;
    uint32_t games = 0, turns = 0;
    for (unsigned company = 0; company < COMPANIES; company++) {
        games += tallies[company].won + tallies[company].drawn + tallies[company].lost;
        turns += tallies[company].turns;
    }
    fprintf(out, "%s %llu: %.2fM moments, %.0f/s, entropy %.3f, kl %.4f, clipped %.3f, critic %.2f, ",
            exploits(run) ? "exploiter" : "main", (unsigned long long)run->stretches, (double)run->moments * 1e-6,
            sum->moments / took, sum->entropy / lessons, sum->magnet_distance / lessons, sum->clipped / lessons,
            1 - sum->value_error / sum->value_spread);
    fprintf(out, "belief %.3f, reserve %.3f (%.1f), turns %.0f; won/drawn", sum->belief / lessons,
            sum->reserve / lessons, sum->reserve_error / lessons, games > 0 ? (double)turns / games : 0.0);
    for (unsigned company = 0; company < COMPANIES; company++)
        print_tally(out, name[company], &tallies[company]);
    fprintf(out, "\n");
    fflush(out);
}

/* A new one goes where there is room, then instead of any: so old ones of all ages are left. */
static void keep_old(run *run)
{
    gral_random random = chance_for(run, CHANCE_POOL);
    const unsigned place = run->old < RUN_OLD ? run->old++ : gral_random_below(&random, RUN_OLD);
    run->pool[place] = run->main.actor;
    run->lost[place] = 0.5f;
}

static void keep_exploiter(run *run)
{
    const unsigned place = RUN_OLD + run->exploiters++ % RUN_EXPLOITERS;
    run->pool[place] = run->exploiter.actor;
    run->lost[place] = 1;
}

static void begin_exploiter(run *run)
{
    run->exploiter = run->main;
    memset(&run->exploiter.actor_momentum, 0, sizeof run->exploiter.actor_momentum);
    memset(&run->exploiter.critic_momentum, 0, sizeof run->exploiter.critic_momentum);
    run->exploited = 1;
}

void run_exploit(run *run, run_desk *desk, gral_player *against)
{
    desk->against = against;
    begin_exploiter(run);
    run->settings.exploit_part = UINT32_MAX;
}

/* Who learns in the next stretch. */
static void go_on(run *run)
{
    run->stretches++;
    if (exploits(run)) {
        if (run->exploited++ < run->settings.exploit_part)
            return;
        keep_exploiter(run);
        run->exploited = 0;
        run->main_since = 0;
        return;
    }
    keep_old(run);
    run->main_since++;
    if (run->settings.exploit_part > 0 && run->stretches >= run->settings.alone &&
        run->main_since >= run->settings.main_part)
        begin_exploiter(run);
}

static arena_plan plan_of(const run *run, const run_desk *desk)
{
    arena_plan plan = exploits(run) ? exploit_plan : main_plan;
    if (desk->against != NULL)
        plan = (arena_plan){
            .share = {[COMPANY_LADDER] = 100}, .two_players_only = true, .hungry = true, .against = desk->against};
    return plan;
}

void run_stretch(run *run, run_desk *desk, FILE *out)
{
    const double start = seconds();
    lesson_settings settings = lesson_for(run);
    gral_random games = chance_for(run, CHANCE_GAMES), order = chance_for(run, CHANCE_ORDER);
    agent *agent = exploits(run) ? &run->exploiter : &run->main;
    arena_nets nets = nets_of(run);
    lesson_report sum = {0};
    tally tallies[COMPANIES] = {0};
    const arena_plan plan = plan_of(run, desk);
    arena_begin(desk->arena, &plan, gral_random_next(&games));
    desk->book.count = 0;
    for (uint32_t lesson = 0; lesson < run->settings.stretch; lesson++) {
        arena_play(desk->arena, &nets, &desk->book, run->settings.page, tallies);
        const lesson_report report = lesson_learn(desk->lesson, agent, &desk->book, &settings, &order);
        arena_turn_page(desk->arena, &desk->book);
        add_report(&sum, &report);
        run->lessons++;
        run->settling -= run->settling > 0;
        settings.critic_only = run->settling > 0;
    }
    run->moments += exploits(run) ? 0 : (uint64_t)sum.moments;
    if (out != NULL)
        print_progress(run, &sum, tallies, seconds() - start, out);
    remember_losses(run, &nets);
    go_on(run);
}

/* --- measuring --- */

/* The last three were never met in training. */
static const struct measured {
    const char *player;
    unsigned players;
} measured[] = {
    {"random", 2},    {"greedy", 2},   {"rules", 2},   {"waiter", 2},         {"carrier", 2},
    {"uncoverer", 2}, {"blocker", 2},  {"rules", 4},   {"waiter:steps=2", 4}, {"carrier", 4},
    {"blocker", 4},   {"ambusher", 2}, {"spoiler", 2}, {"creditor", 2},       {"mirror", 2},
};

static void measure_against(const run *run, arena *arena, const struct measured *one, unsigned games, FILE *out)
{
    const arena_nets nets = {.net = {&run->main.actor}, .count = 1};
    gral_error error;
    gral_player *player = gral_player_make(gral_span_of(one->player), &error);
    if (player == NULL)
        return;
    const tally tally = arena_measure(arena, &nets, player, one->players, games, 100, 1);
    char name[64];
    snprintf(name, sizeof name, one->players > 2 ? "%s×%u" : "%s", one->player, one->players - 1);
    print_tally(out, name, &tally);
    gral_player_free(player);
}

void run_measure(const run *run, unsigned games, FILE *out)
{
    arena *arena = arena_make(games);
    if (arena == NULL)
        return;
    fprintf(out, "measured %llu:", (unsigned long long)run->stretches);
    for (unsigned index = 0; index < sizeof measured / sizeof *measured; index++)
        measure_against(run, arena, &measured[index], games, out);
    fprintf(out, "\n");
    fflush(out);
    arena_free(arena);
}

/* --- on disk --- */

typedef struct file_head {
    char magic[16];
    uint64_t size;
} file_head;
static const file_head head = {"gral-learn run 1", sizeof(run)};

bool run_save(const run *run, const char *path)
{
    char beside[4096];
    if (snprintf(beside, sizeof beside, "%s.new", path) >= (int)sizeof beside) {
        errno = ENAMETOOLONG;
        return false;
    }
    FILE *file = fopen(beside, "wb");
    if (file == NULL)
        return false;
    const bool written = fwrite(&head, sizeof head, 1, file) == 1 && fwrite(run, sizeof *run, 1, file) == 1 &&
                         fflush(file) == 0 && fsync(fileno(file)) == 0;
    return fclose(file) == 0 && written && rename(beside, path) == 0;
}

bool run_load(run *run, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    file_head found;
    const bool ours = fread(&found, sizeof found, 1, file) == 1 && memcmp(&found, &head, sizeof head) == 0;
    const bool read = ours && fread(run, sizeof *run, 1, file) == 1;
    fclose(file);
    if (!read)
        errno = EINVAL;
    return read;
}
