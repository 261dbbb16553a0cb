/* gral-learn: how the player that has learned is made, and how small games are solved. Nobody who only plays needs it.
 */
#include "beliefs.h"
#include "export.h"
#include "run.h"
#include "solve_command.h"

#include "players/learned.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FAILED = 1, MISUSED = 2 };

static int complain(const char *what)
{
    fprintf(stderr, "gral-learn: %s: %s\n", what, strerror(errno));
    return FAILED;
}

/* --- words --- */

/* NAME=NUMBER. */
typedef struct setting {
    const char *name;
    uint64_t least, most;
    const char *help;
} setting;

enum { SETTINGS_MAX = 7, PATHS_MAX = 2 };

typedef struct task {
    const char *name, *paths, *help;
    unsigned path_count, path_most; /* the second is 0 where it is the same */
    setting setting[SETTINGS_MAX];
} task;

/* What was said of a task: numbers are in the order of its settings. */
typedef struct said {
    const char *path[PATHS_MAX];
    unsigned path_count;
    struct {
        bool given;
        uint64_t value;
    } number[SETTINGS_MAX];
} said;

static uint64_t number_or(const said *said, unsigned index, uint64_t otherwise)
{
    return said->number[index].given ? said->number[index].value : otherwise;
}

static void print_help(const task *task, FILE *out)
{
    fprintf(out, "Usage: gral-learn %s %s%s\n\n%s\n", task->name, task->paths,
            task->setting[0].name != NULL ? " [NAME=NUMBER]..." : "", task->help);
    for (unsigned index = 0; index < SETTINGS_MAX && task->setting[index].name != NULL; index++)
        fprintf(out, "%s  %-10s %s\n", index == 0 ? "\n" : "", task->setting[index].name, task->setting[index].help);
}

static bool read_number(const char *digits, const setting *setting, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(digits, &end, 10);
    return digits[0] >= '0' && digits[0] <= '9' && *end == '\0' && errno == 0 && *value >= setting->least &&
           *value <= setting->most;
}

static bool read_setting(const task *task, said *said, const char *word, size_t length)
{
    for (unsigned index = 0; index < SETTINGS_MAX && task->setting[index].name != NULL; index++) {
        const setting *setting = &task->setting[index];
        if (strlen(setting->name) != length || strncmp(setting->name, word, length) != 0)
            continue;
        said->number[index].given = read_number(word + length + 1, setting, &said->number[index].value);
        if (!said->number[index].given)
            fprintf(stderr, "gral-learn %s: %s: a number from %" PRIu64 " to %" PRIu64 " is expected\n", task->name,
                    word, setting->least, setting->most);
        return said->number[index].given;
    }
    fprintf(stderr, "gral-learn %s: %s is not understood; --help shows what is\n", task->name, word);
    return false;
}

/* Whatever has a `=` is a setting: who forgets the file shall not get one of that name. */
static bool read_word(const task *task, said *said, const char *word)
{
    const size_t length = strcspn(word, "=");
    if (word[length] == '=')
        return read_setting(task, said, word, length);
    const unsigned most = task->path_most > 0 ? task->path_most : task->path_count;
    if (said->path_count == most || word[0] == '-') {
        fprintf(stderr, "gral-learn %s: %s is not understood; --help shows what is\n", task->name, word);
        return false;
    }
    said->path[said->path_count++] = word;
    return true;
}

/* False when there is nothing to do, and the exit status for that. */
static bool understand(const task *task, int count, char **words, said *said, int *status)
{
    *said = (struct said){0};
    *status = MISUSED;
    if (count == 1 && strcmp(words[0], "--help") == 0) {
        print_help(task, stdout);
        *status = 0;
        return false;
    }
    for (int index = 0; index < count; index++)
        if (!read_word(task, said, words[index]))
            return false;
    if (said->path_count >= task->path_count)
        return true;
    print_help(task, stderr);
    return false;
}

/* --- training --- */

enum { TRAIN_SEED, TRAIN_STRETCHES, TRAIN_RATE, TRAIN_ENTROPY, TRAIN_MAGNET, TRAIN_MAIN, TRAIN_EXPLOIT };

static const task train_task = {
    .name = "train",
    .paths = "FILE",
    .help = "Learns by playing, and goes on with FILE if it is there; a checkpoint is kept there after every stretch.",
    .path_count = 1,
    .setting =
        {
            [TRAIN_SEED] = {"seed", 0, UINT64_MAX, "all chance follows from it; when a training begins"},
            [TRAIN_STRETCHES] = {"stretches", 1, UINT64_MAX, "stop when there have been so many in all"},
            [TRAIN_RATE] = {"rate", 1, 1000000, "of learning, in millionths; it falls"},
            [TRAIN_ENTROPY] = {"entropy", 0, 1000000, "how much variety is rewarded, in millionths; it falls"},
            [TRAIN_MAGNET] = {"magnet", 0, 10000000, "how much its slow copy draws it back, in millionths"},
            [TRAIN_MAIN] = {"main", 1, 1000000, "stretches of the player itself, then"},
            [TRAIN_EXPLOIT] = {"exploit", 0, 1000000, "stretches of one that learns to beat it; 0 for none"},
        },
};

static bool load_or_begin(run *run, const said *said)
{
    if (run_load(run, said->path[0]))
        return true;
    if (errno != ENOENT)
        return false;
    run_settings settings = run_usual;
    settings.seed = number_or(said, TRAIN_SEED, settings.seed);
    run_begin(run, &settings);
    return true;
}

/* --- from a net that is there --- */

static const task begin_task = {
    .name = "begin",
    .paths = "FILE NET",
    .help = "Begins a training in FILE from the player's net as src/players has it.",
    .path_count = 2,
    .setting = {{"seed", 0, UINT64_MAX, "all chance follows from it; 1"}},
};

static bool read_net(const char *path, net *net)
{
    const size_t size = learned_size();
    char *bytes = malloc(size + 1);
    FILE *file = bytes != NULL ? fopen(path, "rb") : NULL;
    errno = file != NULL ? EINVAL : errno;
    const bool read = file != NULL && import_net(net, bytes, fread(bytes, 1, size + 1, file));
    if (file != NULL)
        fclose(file);
    free(bytes);
    return read;
}

static int begin(int count, char **words)
{
    said said;
    int status;
    if (!understand(&begin_task, count, words, &said, &status))
        return status;
    run_settings settings = run_usual;
    settings.seed = number_or(&said, 0, settings.seed);
    run *run = malloc(sizeof *run);
    net *net = malloc(sizeof *net);
    status = 0;
    if (run == NULL || net == NULL || !read_net(said.path[1], net))
        status = complain(said.path[1]);
    else {
        run_begin_from(run, &settings, net);
        status = run_save(run, said.path[0]) ? 0 : complain(said.path[0]);
    }
    free(net);
    free(run);
    return status;
}

/* --- training goes on --- */

/* What is begun with a seed goes on with it. */
static bool has_seed(const run *run, const said *said)
{
    if (number_or(said, TRAIN_SEED, run->settings.seed) == run->settings.seed)
        return true;
    fprintf(stderr, "gral-learn train: %s was begun with seed %" PRIu64 "\n", said->path[0], run->settings.seed);
    return false;
}

static void change(float *setting, const said *said, unsigned index)
{
    if (said->number[index].given)
        *setting = 1e-6f * (float)said->number[index].value;
}

static void change_settings(run_settings *settings, const said *said)
{
    change(&settings->rate, said, TRAIN_RATE);
    change(&settings->entropy, said, TRAIN_ENTROPY);
    change(&settings->magnet, said, TRAIN_MAGNET);
    settings->main_part = (uint32_t)number_or(said, TRAIN_MAIN, settings->main_part);
    settings->exploit_part = (uint32_t)number_or(said, TRAIN_EXPLOIT, settings->exploit_part);
}

static void print_settings(const run *run)
{
    const run_settings *settings = &run->settings;
    printf("seed %" PRIu64 ", rate %g, entropy %g, magnet %g, main %u, exploit %u, from stretch %" PRIu64 "\n",
           settings->seed, (double)settings->rate, (double)settings->entropy, (double)settings->magnet,
           settings->main_part, settings->exploit_part, run->stretches);
    fflush(stdout);
}

/* Figures after every few stretches. */
static int go_on_training(run *run, run_desk *desk, const char *path, uint64_t last)
{
    enum { MEASURED_EACH = 4, MEASURED_GAMES = 200 };
    while (run->stretches < last) {
        run_stretch(run, desk, stdout);
        if (!run_save(run, path))
            return complain(path);
        if (run->stretches % MEASURED_EACH == 0)
            run_measure(run, MEASURED_GAMES, stdout);
    }
    return 0;
}

static int change_and_train(run *run, const said *said)
{
    change_settings(&run->settings, said);
    print_settings(run);
    run_desk *desk = run_desk_make(&run->settings);
    if (desk == NULL)
        return complain(said->path[0]);
    const int status = go_on_training(run, desk, said->path[0], number_or(said, TRAIN_STRETCHES, UINT64_MAX));
    run_desk_free(desk);
    return status;
}

static int train(int count, char **words)
{
    said said;
    int status;
    if (!understand(&train_task, count, words, &said, &status))
        return status;
    run *run = malloc(sizeof *run);
    if (run == NULL || !load_or_begin(run, &said))
        status = complain(said.path[0]);
    else
        status = has_seed(run, &said) ? change_and_train(run, &said) : MISUSED;
    free(run);
    return status;
}

/* --- what has come of it --- */

static const task measure_task = {
    .name = "measure",
    .paths = "FILE",
    .help = "Plays against a few fixed players.",
    .path_count = 1,
    .setting = {{"games", 1, 100000, "against each; 400"}},
};

static int measure(int count, char **words)
{
    said said;
    int status;
    if (!understand(&measure_task, count, words, &said, &status))
        return status;
    run *run = malloc(sizeof *run);
    status = run != NULL && run_load(run, said.path[0]) ? 0 : complain(said.path[0]);
    if (status == 0)
        run_measure(run, (unsigned)number_or(&said, 0, 400), stdout);
    free(run);
    return status;
}

static const task beliefs_task = {
    .name = "beliefs",
    .paths = "PLAYER",
    .help = "Such players play with each other, and what the net and what rollout believe is held against the truth.",
    .path_count = 1,
    .setting = {{"games", 1, 100000, "100"}, {"players", 2, GRAL_PLAYERS_MAX, "2"}, {"seed", 0, UINT64_MAX, "1"}},
};

static int beliefs(int count, char **words)
{
    said said;
    int status;
    if (!understand(&beliefs_task, count, words, &said, &status))
        return status;
    gral_error error = {.message = "out of memory"};
    if (beliefs_measure(said.path[0], (unsigned)number_or(&said, 1, 2), (unsigned)number_or(&said, 0, 100),
                        number_or(&said, 2, 1), stdout, &error))
        return 0;
    fprintf(stderr, "gral-learn: %s: %s\n", said.path[0], error.message);
    return FAILED;
}

static const task exploit_task = {
    .name = "exploit",
    .paths = "FILE [PLAYER]",
    .help =
        "Trains a player against this one alone, to see how hard that is; or from its weights against another, such\n"
        "as rollout:16sims. Nothing is kept.",
    .path_count = 1,
    .path_most = 2,
    .setting = {{"stretches", 1, 1000000, "so many; 8"}},
};

static bool make_player(const char *text, gral_player **player)
{
    gral_error error;
    *player = gral_player_make(gral_span_of(text), &error);
    if (*player == NULL)
        fprintf(stderr, "gral-learn: %s: %s\n", text, error.message);
    return *player != NULL;
}

static int exploit(int count, char **words)
{
    said said;
    int status;
    if (!understand(&exploit_task, count, words, &said, &status))
        return status;
    run *run = malloc(sizeof *run);
    run_desk *desk = run != NULL && run_load(run, said.path[0]) ? run_desk_make(&run->settings) : NULL;
    status = desk != NULL ? 0 : complain(said.path[0]);
    gral_player *against = NULL;
    if (status == 0 && said.path_count > 1 && !make_player(said.path[1], &against))
        status = FAILED;
    if (status == 0)
        run_exploit(run, desk, against);
    for (uint64_t stretch = 0; status == 0 && stretch < number_or(&said, 0, 8); stretch++)
        run_stretch(run, desk, stdout);
    gral_player_free(against);
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

static const task export_task = {
    .name = "export",
    .paths = "FILE OUT",
    .help = "Writes the player's net in whole numbers, as src/players has it.",
    .path_count = 2,
    .setting = {{"slow", 0, 1, "1 for its slow copy; 0"}},
};

static int export(int count, char **words)
{
    said said;
    int status;
    if (!understand(&export_task, count, words, &said, &status))
        return status;
    run *run = malloc(sizeof *run);
    void *bytes = malloc(learned_size());
    status = 0;
    if (run == NULL || bytes == NULL || !run_load(run, said.path[0]))
        status = complain(said.path[0]);
    else if (!export_net(number_or(&said, 0, 0) > 0 ? &run->main.magnet : &run->main.actor, bytes) ||
             !write_file(said.path[1], bytes, learned_size()))
        status = complain(said.path[1]);
    free(bytes);
    free(run);
    return status;
}

/* --- all together --- */

static const struct {
    const char *name, *summary;
    int (*run)(int count, char **words);
} commands[] = {
    {"begin", "begins a training from a net", begin},
    {"train", "learns by playing", train},
    {"measure", "plays against a few fixed players", measure},
    {"exploit", "finds out how hard the player is to beat", exploit},
    {"export", "writes the player's net", export},
    {"beliefs", "finds out how good beliefs about hidden sheets are", beliefs},
    {"solve", "solves a small game", solve_command},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_commands(FILE *out)
{
    fputs("Usage: gral-learn COMMAND [WORDS]...\n\n", out);
    for (unsigned index = 0; index < COMMANDS; index++)
        fprintf(out, "  %-8s %s\n", commands[index].name, commands[index].summary);
    fputs("\n'gral-learn COMMAND --help' tells more.\n", out);
}

int main(int argc, char **argv)
{
    for (unsigned index = 0; argc > 1 && index < COMMANDS; index++)
        if (strcmp(argv[1], commands[index].name) == 0)
            return commands[index].run(argc - 2, argv + 2);
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        print_commands(stdout);
        return 0;
    }
    if (argc > 1)
        fprintf(stderr, "gral-learn: there is no command %s\n", argv[1]);
    print_commands(stderr);
    return MISUSED;
}
