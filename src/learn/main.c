/* gral-learn: how the player that has learned is made. Nobody who only plays needs it. */
#include "export.h"
#include "run.h"

#include "../players/net.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct order {
    const char *name, *usage;
    int (*run)(int argc, char **argv);
} order;

static int complain(const char *what)
{
    fprintf(stderr, "gral-learn: %s: %s\n", what, strerror(errno));
    return 1;
}

/* "NAME=NUMBER"; 0 when the words do not have it. */
static unsigned long long wish(int argc, char **argv, const char *name, unsigned long long otherwise)
{
    const size_t length = strlen(name);
    for (int index = 0; index < argc; index++)
        if (strncmp(argv[index], name, length) == 0 && argv[index][length] == '=')
            return strtoull(argv[index] + length + 1, NULL, 10);
    return otherwise;
}

/* Given in millionths. */
static void change(float *setting, int argc, char **argv, const char *name)
{
    const unsigned long long value = wish(argc, argv, name, UINT64_MAX);
    if (value != UINT64_MAX)
        *setting = 1e-6f * (float)value;
}

static bool load_or_begin(run *run, const char *path, int argc, char **argv)
{
    if (!run_load(run, path)) {
        if (errno != ENOENT)
            return false;
        run_settings settings = run_usual;
        settings.seed = wish(argc, argv, "seed", settings.seed);
        run_begin(run, &settings);
    }
    change(&run->settings.rate, argc, argv, "rate");
    change(&run->settings.entropy, argc, argv, "entropy");
    change(&run->settings.magnet, argc, argv, "magnet");
    run->settings.main_part = (uint32_t)wish(argc, argv, "main", run->settings.main_part);
    run->settings.exploit_part = (uint32_t)wish(argc, argv, "exploit", run->settings.exploit_part);
    printf("seed %llu, rate %g, entropy %g, magnet %g, main %u, exploit %u, from stretch %llu\n",
           (unsigned long long)run->settings.seed, (double)run->settings.rate, (double)run->settings.entropy,
           (double)run->settings.magnet, run->settings.main_part, run->settings.exploit_part,
           (unsigned long long)run->stretches);
    fflush(stdout);
    return true;
}

/* A checkpoint after every stretch; figures after every few. */
static int train(int argc, char **argv)
{
    enum { MEASURED_EACH = 4, MEASURED_GAMES = 200 };
    const char *path = argv[0];
    run *run = malloc(sizeof *run);
    run_desk *desk = run != NULL && load_or_begin(run, path, argc, argv) ? run_desk_make(&run->settings) : NULL;
    int status = desk != NULL ? 0 : complain(path);
    const unsigned long long last = wish(argc, argv, "stretches", UINT64_MAX);
    while (status == 0 && run->stretches < last) {
        run_stretch(run, desk, stdout);
        if (!run_save(run, path))
            status = complain(path);
        if (run->stretches % MEASURED_EACH == 0)
            run_measure(run, MEASURED_GAMES, stdout);
    }
    run_desk_free(desk);
    free(run);
    return status;
}

static int measure(int argc, char **argv)
{
    run *run = malloc(sizeof *run);
    const int status = run != NULL && run_load(run, argv[0]) ? 0 : complain(argv[0]);
    if (status == 0)
        run_measure(run, (unsigned)wish(argc, argv, "games", 400), stdout);
    free(run);
    return status;
}

/* Nothing is kept: it is a measurement. */
static int exploit(int argc, char **argv)
{
    run *run = malloc(sizeof *run);
    run_desk *desk = run != NULL && run_load(run, argv[0]) ? run_desk_make(&run->settings) : NULL;
    const int status = desk != NULL ? 0 : complain(argv[0]);
    const unsigned long long stretches = wish(argc, argv, "stretches", 8);
    if (status == 0)
        run_exploit(run);
    for (unsigned long long stretch = 0; status == 0 && stretch < stretches; stretch++)
        run_stretch(run, desk, stdout);
    run_desk_free(desk);
    free(run);
    return status;
}

static bool write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return false;
    const bool written = fwrite(bytes, size, 1, file) == 1;
    return fclose(file) == 0 && written;
}

/* The player's net, for src/players/learned.net, or its slow copy. */
static int export(int argc, char **argv)
{
    const bool slow = wish(argc, argv, "slow", 0) > 0;
    run *run = malloc(sizeof *run);
    void *bytes = malloc(net_whole_size());
    int status = 0;
    if (argc < 2 || run == NULL || bytes == NULL || !run_load(run, argv[0]))
        status = complain(argv[0]);
    else if (!export_net(slow ? &run->main.magnet : &run->main.actor, bytes) ||
             !write_file(argv[1], bytes, net_whole_size()))
        status = complain(argv[1]);
    free(bytes);
    free(run);
    return status;
}

static const order orders[] = {
    {"train",
     "FILE [seed=N] [stretches=N] [rate=N] [entropy=N] [magnet=N] [main=N] [exploit=N]   learns, going on with FILE if "
     "it is there; rate, entropy and magnet in millionths, main and exploit in stretches",
     train},
    {"export", "FILE OUT [slow=1]             writes the player's net, or its slow copy", export},
    {"exploit", "FILE [stretches=N]            trains a player against this one alone, to see how hard that is",
     exploit},
    {"measure", "FILE [games=N]                plays against a few fixed players", measure},
};
enum { ORDERS = sizeof orders / sizeof *orders };

int main(int argc, char **argv)
{
    for (unsigned index = 0; argc > 2 && index < ORDERS; index++)
        if (strcmp(argv[1], orders[index].name) == 0)
            return orders[index].run(argc - 2, argv + 2);
    for (unsigned index = 0; index < ORDERS; index++)
        fprintf(stderr, "usage: gral-learn %s %s\n", orders[index].name, orders[index].usage);
    return 2;
}
