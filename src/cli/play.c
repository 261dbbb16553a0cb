/* `gral play`: the options become a game and a place to keep it, and a front end plays it. */
#include "terminal/play.h"

#include "clock.h"
#include "command.h"
#include "exec_player.h"
#include "terminal/files.h"
#include "terminal/language.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* --- where the game is kept --- */

static bool is_there(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

/* Makes the folder and those above it. */
static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool there = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
        if (!there)
            return false;
    }
    return true;
}

/* A new file among the user's own: $XDG_DATA_HOME/gral/2026-11-15-203015.gral, or with a number if it is taken. */
static bool choose_save(char path[PATH_MAX])
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    const bool has_data = data != NULL && data[0] == '/'; /* as the standard wants it */
    if (!has_data && home == NULL)
        return false;
    char when[32];
    const time_t now = time(NULL);
    struct tm local;
    strftime(when, sizeof when, "%Y-%m-%d-%H%M%S", localtime_r(&now, &local));
    for (unsigned number = 1; number < 1000; number++) {
        char more[8] = "";
        if (number > 1)
            snprintf(more, sizeof more, "-%u", number);
        if (snprintf(path, PATH_MAX, "%s%s/gral/%s%s.gral", has_data ? data : home, has_data ? "" : "/.local/share",
                     when, more) >= PATH_MAX)
            return false;
        if (!is_there(path))
            return make_folders(path);
    }
    return false;
}

/* --- options --- */

enum {
    OPTION_PLAYERS,
    OPTION_AGAINST,
    OPTION_PEOPLE,
    OPTION_NAME,
    OPTION_RULES,
    OPTION_FIRST,
    OPTION_LIMIT,
    OPTION_SEED,
    OPTION_SAVE,
    OPTION_RESUME,
    OPTION_RECORD,
    OPTION_EXEC,
    OPTION_PLAIN,
    OPTION_LANG
};
static const cli_option options[] = {
    [OPTION_PLAYERS] = {"players", "N", N_("players in all, 2 to 12; computer players fill the seats")},
    [OPTION_AGAINST] = {"against", "PLAYER", N_("a computer player, e.g. greedy; once for each of them")},
    [OPTION_PEOPLE] = {"people", "NAME,NAME", N_("the people who share this keyboard and screen")},
    [OPTION_NAME] = {"name", "NAME", N_("your name, if you play alone")},
    [OPTION_RULES] = {"rules", "RULES", N_("standard, or original for the variant The Original")},
    [OPTION_FIRST] = {"first", "SEAT", N_("who begins; 1 by default")},
    [OPTION_LIMIT] = {"limit", "TURNS", N_("the game is a draw after so many turns")},
    [OPTION_SEED] = {"seed", "NUMBER", N_("repeats the chance in the computer players")},
    [OPTION_SAVE] = {"save", "FILE", N_("where to keep the game; it must not be there yet")},
    [OPTION_RESUME] = {"resume", "FILE", N_("go on with a saved game")},
    [OPTION_RECORD] = {"record", "FILE", N_("at the end, keep the record there as well")},
    [OPTION_EXEC] = {"exec", NULL, N_("a resumed game may start the programs it names (exec:PROGRAM)")},
    [OPTION_PLAIN] = {"plain", NULL, N_("lines of text only, for screen readers and pipes")},
    [OPTION_LANG] = {"lang", "en|de|fr|it", N_("the language; by default the system's")},
    {0},
};

typedef struct wishes {
    const cli_command *command;
    const char *against[GRAL_PLAYERS_MAX];
    const char *people[GRAL_PLAYERS_MAX];
    unsigned against_count, people_count;
    uint32_t players, rules, first, limit, seed;
    bool seeded, exec, plain, new_game; /* new_game: something was said that a resumed game has already */
    const char *save, *resume, *record;
} wishes;

/* Cuts the names apart in place. */
static bool take_name(wishes *wishes, const char *name)
{
    if (wishes->people_count == GRAL_PLAYERS_MAX)
        return false;
    wishes->people[wishes->people_count++] = name;
    return true;
}

static bool take_names(wishes *wishes, char *names)
{
    for (char *name = names; name != NULL;) {
        char *comma = strchr(name, ',');
        if (comma != NULL)
            *comma++ = '\0';
        if (!take_name(wishes, name))
            return false;
        name = comma;
    }
    return true;
}

/* Takes one option; false when it was wrong, and the status is then what to exit with. */
static bool take_option(wishes *wishes, int option, const char *value, int *status)
{
    static const struct {
        uint32_t most;
        size_t at;
    } numbers[] = {
        [OPTION_PLAYERS] = {GRAL_PLAYERS_MAX, offsetof(struct wishes, players)},
        [OPTION_FIRST] = {GRAL_PLAYERS_MAX, offsetof(struct wishes, first)},
        [OPTION_LIMIT] = {1000000000, offsetof(struct wishes, limit)},
        [OPTION_SEED] = {UINT32_MAX, offsetof(struct wishes, seed)},
    };
    const cli_command *command = wishes->command;
    switch (option) {
    case OPTION_PLAYERS:
    case OPTION_FIRST:
    case OPTION_LIMIT:
    case OPTION_SEED: {
        uint32_t *number = (uint32_t *)((char *)wishes + numbers[option].at);
        wishes->new_game = true;
        wishes->seeded |= option == OPTION_SEED;
        if (cli_number(value, numbers[option].most, number) && (*number > 0 || option > OPTION_FIRST))
            return true;
        *status = cli_misused(command, _("--%s needs a number, at most %u, not '%s'"), options[option].name,
                              numbers[option].most, value);
        return false;
    }
    case OPTION_AGAINST:
        wishes->new_game = true;
        if (wishes->against_count < GRAL_PLAYERS_MAX) {
            wishes->against[wishes->against_count++] = value;
            return true;
        }
        break;
    case OPTION_PEOPLE:
        wishes->new_game = true;
        if (take_names(wishes, (char *)value)) /* the words of main() may be written to */
            return true;
        break;
    case OPTION_NAME:
        wishes->new_game = true;
        if (take_name(wishes, value))
            return true;
        break;
    case OPTION_RULES:
        wishes->new_game = true;
        wishes->rules = strcmp(value, "original") == 0 ? GRAL_ORIGINAL : GRAL_STANDARD;
        if (wishes->rules == GRAL_ORIGINAL || strcmp(value, "standard") == 0)
            return true;
        *status = cli_misused(command, "%s", _(gral_settings_fault_text(GRAL_BAD_RULES)));
        return false;
    case OPTION_SAVE:
        wishes->save = value;
        return true;
    case OPTION_RESUME:
        wishes->resume = value;
        return true;
    case OPTION_RECORD:
        wishes->record = value;
        return true;
    case OPTION_EXEC:
        wishes->exec = true;
        return true;
    case OPTION_PLAIN:
        wishes->plain = true;
        return true;
    case OPTION_LANG:
        if (language_choose(value))
            return true;
        *status = cli_misused(command, _("--lang needs en, de, fr or it, not '%s'"), value);
        return false;
    default:
        return false;
    }
    *status = cli_misused(command, "%s", _(gral_settings_fault_text(GRAL_BAD_PLAYERS)));
    return false;
}

/* A fair opponent for a first game, who answers at once. */
static const char usual_player[] = "thinker:level=3";

static uint64_t seed_from_chance(void)
{
    uint64_t seed = 0;
    FILE *file = fopen("/dev/urandom", "r");
    if (file == NULL || fread(&seed, sizeof seed, 1, file) != 1)
        seed = (uint64_t)time(NULL) * 1000003 + (uint64_t)getpid();
    if (file != NULL)
        fclose(file);
    return seed;
}

/* --- beginning --- */

/* People first, then the computer players that were named, then as many as are missing. */
static int set_up(const wishes *wishes, play_setup *setup)
{
    unsigned people = wishes->people_count > 0 ? wishes->people_count : 1;
    unsigned players = people + wishes->against_count;
    if (wishes->players > 0)
        players = wishes->players;
    else if (wishes->rules == GRAL_ORIGINAL)
        players = GRAL_SOCIETIES;
    else if (players == 1)
        players = 3;
    if (people + wishes->against_count > players)
        return cli_misused(wishes->command, _("there are more people and computer players than seats"));

    setup->settings = gral_settings_for(players);
    setup->settings.rules = (uint8_t)wishes->rules;
    setup->settings.limit = wishes->limit;
    setup->settings.first = (uint8_t)(wishes->first > 0 ? wishes->first - 1 : 0);
    gral_game game;
    const enum gral_settings_fault fault = gral_game_make(&game, &setup->settings);
    if (fault != GRAL_SETTINGS_OK)
        return cli_misused(wishes->command, "%s", _(gral_settings_fault_text(fault)));

    for (unsigned seat = 0; seat < players; seat++) {
        const unsigned computer = seat - people;
        setup->seat[seat] =
            seat >= people
                ? (play_seat){computer < wishes->against_count ? wishes->against[computer] : usual_player, true}
            : wishes->people_count > 0 ? (play_seat){wishes->people[seat], false}
                                       : (play_seat){"", false};
    }
    setup->seed = wishes->seeded ? wishes->seed : seed_from_chance();
    return CLI_OK;
}

static int fail(const cli_command *command, const char *path, const char *why)
{
    fprintf(stderr, "gral %s: %s: %s\n", command->name, path, why);
    return CLI_FAILED;
}

/* Where to keep it. Nobody else may play a game that is kept there. */
static int find_place(play *play, const wishes *wishes)
{
    const char *wish = wishes->save != NULL ? wishes->save : wishes->resume;
    char chosen[PATH_MAX];
    if (wish == NULL && !choose_save(chosen))
        return cli_misused(wishes->command, _("no folder to keep the game in; say where with --save FILE"));
    if (wishes->record != NULL && is_there(wishes->record))
        return fail(wishes->command, wishes->record, strerror(EEXIST));
    if (wishes->save != NULL && is_there(wishes->save))
        return fail(wishes->command, wishes->save, strerror(EEXIST));
    const char *path = wish != NULL ? wish : chosen, *why = "";
    return play_claim(play, path, &why) ? CLI_OK : fail(wishes->command, path, why);
}

/* A new file is tried at once: better to fail now than after an evening. */
static int keep_new(play *play, const wishes *wishes)
{
    play_keep(play);
    return play->save_failed == NULL ? CLI_OK : fail(wishes->command, play->save, play->save_failed);
}

static int begin_new(play *play, const wishes *wishes)
{
    play_setup setup = {0};
    int status = set_up(wishes, &setup);
    if (status != CLI_OK)
        return status;
    char date[16];
    const time_t now = time(NULL);
    struct tm local;
    strftime(date, sizeof date, "%Y-%m-%d", localtime_r(&now, &local));
    setup.date = date;
    gral_error error;
    if (!play_begin(play, &setup, cli_player_make, &error))
        return cli_misused(wishes->command, "%s", language_of(error.message));
    status = find_place(play, wishes);
    return status == CLI_OK ? keep_new(play, wishes) : status;
}

/* Who passes a save on must not thereby run programs here. */
static gral_player *make_without_programs(gral_span text, gral_error *error)
{
    static const char prefix[] = "exec:";
    gral_player *player = gral_player_make(text, error);
    if (player == NULL && text.length >= strlen(prefix) && memcmp(text.bytes, prefix, strlen(prefix)) == 0)
        snprintf(error->message, sizeof error->message, "%s",
                 N_("this game starts programs of its own (exec:); if you trust it, add --exec"));
    return player;
}

/* Claimed before it is read: so nothing that was done meanwhile is lost. It stays as it is until something happens. */
static int resume(play *play, const wishes *wishes)
{
    if (wishes->new_game)
        return cli_misused(wishes->command, _("a resumed game has its players, rules and seed already"));
    const int status = find_place(play, wishes);
    if (status != CLI_OK)
        return status;
    size_t length = 0;
    const char *why = "";
    char *bytes = disk_files.read(wishes->resume, &length, &why);
    if (bytes == NULL)
        return fail(wishes->command, wishes->resume, why);
    gral_error error;
    const bool resumed = play_resume(play, (gral_span){bytes, length},
                                     wishes->exec ? cli_player_make : make_without_programs, &error);
    free(bytes);
    if (resumed)
        return wishes->save != NULL ? keep_new(play, wishes) : CLI_OK;
    char place[64] = "", reason[400];
    if (error.line > 0)
        snprintf(place, sizeof place, _("line %u, column %u: "), error.line, error.column);
    snprintf(reason, sizeof reason, _("%s%s (the file stays as it is)"), place, language_of(error.message));
    return fail(wishes->command, wishes->resume, reason);
}

static int begin(play *play, const wishes *wishes)
{
    umask(077); /* a save has everybody's secrets in it (R10.2) */
    const int status = wishes->resume != NULL ? resume(play, wishes) : begin_new(play, wishes);
    if (status != CLI_OK)
        return status;
    play->clock = wishes->seeded ? NULL : clock_ms; /* who counts in time does not repeat itself */
    gral_error error;
    play->adviser = gral_player_make(gral_span_of(usual_player), &error);
    return play->adviser != NULL ? CLI_OK : fail(wishes->command, usual_player, language_of(error.message));
}

static int keep_record(const play *play, const wishes *wishes)
{
    const char *why = NULL;
    if (play_actor(play) != GRAL_NOBODY || wishes->record == NULL || play_copy(play, wishes->record, &why))
        return CLI_OK;
    return fail(wishes->command, wishes->record, why);
}

static const play_front *choose_front(const wishes *wishes)
{
    const bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    return wishes->plain || !terminal ? &plain_front : &screen_front;
}

static int run(const cli_command *command, int argc, char **argv)
{
    wishes wishes = {.command = command};
    cli_words words = cli_read(command, argc, argv);
    for (int option; (option = cli_next(&words)) != CLI_END;) {
        int status = words.status;
        if (option == CLI_STOP || !take_option(&wishes, option, words.value, &status))
            return status;
    }
    if (words.word_count > 0)
        return cli_misused(command, _("unexpected word '%s'"), words.words[0]);

    play play = {0};
    int status = begin(&play, &wishes);
    if (status == CLI_OK) {
        choose_front(&wishes)->run(&play);
        status = keep_record(&play, &wishes);
    }
    play_end(&play);
    return status;
}

const cli_command play_command = {
    .name = "play",
    .arguments = "",
    .summary = N_("play against the computer, or with others at one screen"),
    .description = N_(
        "Without options you play against two computer players. People who share the screen are named with --people; "
        "between them a curtain hides what the last one saw. Computer players are named with --against.\n\n"
        "Every action is on disk before the next one is asked for: a game that ends early, for whatever reason, goes "
        "on with --resume. Games are kept under $XDG_DATA_HOME/gral, or ~/.local/share/gral, unless --save says "
        "otherwise. A saved game holds everybody's secrets.\n\n"
        "Type help in the game for what you can say."),
    .options = options,
    .run = run,
};
