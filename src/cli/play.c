/* `gral play`: the options become a game and a place to keep it, and a front end plays it. */
#include "terminal/play.h"

#include "clock.h"
#include "command.h"
#include "exec_player.h"
#include "saves.h"
#include "terminal/files.h"
#include "terminal/language.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* --- options --- */

static struct wishes {
    const char *against[GRAL_PLAYERS_MAX];
    const char *people[GRAL_PLAYERS_MAX];
    unsigned against_count, people_count;
    uint32_t players, first, limit, seed;
    bool seeded, exec, plain, last, saved;
    const char *rules, *save, *resume, *record;
} wishes;

static bool refuse(gral_error *error, const char *why)
{
    snprintf(error->message, sizeof error->message, "%s", why);
    return false;
}

static bool take_player(const cli_option *option, const char *text, gral_error *error)
{
    (void)option;
    if (wishes.against_count == GRAL_PLAYERS_MAX)
        return refuse(error, gral_settings_fault_text(GRAL_BAD_PLAYERS));
    wishes.against[wishes.against_count++] = text;
    return true;
}

static bool take_name(const cli_option *option, const char *name, gral_error *error)
{
    (void)option;
    if (wishes.people_count == GRAL_PLAYERS_MAX)
        return refuse(error, gral_settings_fault_text(GRAL_BAD_PLAYERS));
    wishes.people[wishes.people_count++] = name;
    return true;
}

/* Cuts the names apart in place: the words of main() may be written to. */
static bool take_names(const cli_option *option, const char *names, gral_error *error)
{
    for (char *name = (char *)names, *comma; name != NULL; name = comma) {
        comma = strchr(name, ',');
        if (comma != NULL)
            *comma++ = '\0';
        if (!take_name(option, name, error))
            return false;
    }
    return true;
}

static const cli_option options[] = {
    {"players", "N", N_("number of players; the computer takes the remaining seats"), CLI_NUMBER,
     .number = &wishes.players, .least = GRAL_PLAYERS_MIN, .most = GRAL_PLAYERS_MAX},
    {"against", "PLAYER", N_("add a computer player, e.g. thinker:level=5,as=renard; may be repeated"), CLI_TEXT,
     .take = take_player},
    {"people", "NAME,NAME", N_("the people who share this screen"), CLI_TEXT, .take = take_names},
    {"name", "NAME", N_("your name, if you play alone"), CLI_TEXT, .take = take_name},
    {"rules", "standard|original", N_("which rules; original is the variant The Original"), CLI_CHOICE,
     .text = &wishes.rules, .usual = "standard"},
    {"first", "SEAT", N_("who moves first"), CLI_NUMBER, .number = &wishes.first, .least = 1, .most = GRAL_PLAYERS_MAX,
     .usual = "1"},
    {"limit", "TURNS", N_("end the game as a draw after this many turns; 0 for no limit"), CLI_NUMBER,
     .number = &wishes.limit, .most = 1000000000, .usual = "0"},
    {"seed", "N", N_("random seed: makes the computer players repeatable"), CLI_NUMBER, .number = &wishes.seed},
    {"save", "FILE", N_("save the game in this new file"), CLI_FILE, .text = &wishes.save},
    {"resume", "FILE", N_("resume a saved game"), CLI_FILE, .text = &wishes.resume},
    {"last", NULL, N_("resume the unfinished game you played last"), CLI_SWITCH, .on = &wishes.last},
    {"saved", NULL, N_("list the saved games"), CLI_SWITCH, .on = &wishes.saved},
    {"record", "FILE", N_("also write the record to this new file when the game is over"), CLI_FILE,
     .text = &wishes.record},
    {"exec", NULL, N_("let a resumed game start the programs it names (exec:PROGRAM)"), CLI_SWITCH, .on = &wishes.exec},
    {"plain", NULL, N_("plain lines of text, for screen readers and pipes"), CLI_SWITCH, .on = &wishes.plain},
    {0},
};

/* Whether something was said that a resumed game has already. */
static bool wants_new_game(const cli_words *words)
{
    static const char *const names[] = {"players", "against", "people", "name", "rules", "first", "limit", "seed"};
    bool wants = false;
    for (size_t index = 0; index < sizeof names / sizeof *names; index++)
        wants |= cli_given(words, names[index]);
    return wants;
}

static const char adviser[] = "thinker:level=5";

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

static bool have_names_of_their_own(void)
{
    for (unsigned one = 0; one < wishes.people_count; one++)
        for (unsigned other = 0; other < one; other++)
            if (wishes.people[one][0] != '\0' && strcmp(wishes.people[one], wishes.people[other]) == 0)
                return false;
    return true;
}

static bool is_at_table(const play_setup *setup, unsigned seats, const char *called)
{
    for (unsigned seat = 0; seat < seats; seat++) {
        const char *other = setup->seat[seat].computer ? gral_player_called(gral_span_of(setup->seat[seat].name))
                                                       : NULL;
        if (other != NULL && strcmp(other, called) == 0)
            return true;
    }
    return false;
}

/* A fair opponent for a first game, who answers at once: the first character that is not at the table yet. */
static const char *usual_player(const play_setup *setup, unsigned seat)
{
    static char player[GRAL_PLAYERS_MAX][40];
    for (unsigned index = 0; gral_character_key(index) != NULL; index++) {
        snprintf(player[seat], sizeof player[seat], "thinker:level=3,as=%s", gral_character_key(index));
        if (!is_at_table(setup, seat, gral_player_called(gral_span_of(player[seat]))))
            break;
    }
    return player[seat];
}

/* People first, then the computer players that were named, then as many as are missing. */
static int set_up(const cli_words *words, play_setup *setup)
{
    const bool original = strcmp(wishes.rules, "original") == 0;
    const unsigned people = wishes.people_count > 0 ? wishes.people_count : 1;
    unsigned players = people + wishes.against_count;
    if (wishes.players > 0)
        players = wishes.players;
    else if (original)
        players = GRAL_SOCIETIES;
    else if (players == 1)
        players = 3;
    if (people + wishes.against_count > players)
        return cli_misused(words->command, _("there are more people and computer players than seats"));
    if (!have_names_of_their_own())
        return cli_misused(words->command, _("two people have the same name"));

    setup->settings = gral_settings_for(players);
    setup->settings.rules = original ? GRAL_ORIGINAL : GRAL_STANDARD;
    setup->settings.limit = wishes.limit;
    setup->settings.first = (uint8_t)(wishes.first - 1);
    gral_game game;
    const enum gral_settings_fault fault = gral_game_make(&game, &setup->settings);
    if (fault != GRAL_SETTINGS_OK)
        return cli_misused(words->command, "%s", _(gral_settings_fault_text(fault)));

    for (unsigned seat = 0; seat < players; seat++) {
        const unsigned computer = seat - people;
        setup->seat[seat] = seat >= people ? (play_seat){computer < wishes.against_count ? wishes.against[computer]
                                                                                         : usual_player(setup, seat),
                                                         true}
                            : wishes.people_count > 0 ? (play_seat){wishes.people[seat], false}
                                                      : (play_seat){"", false};
    }
    setup->seed = wishes.seeded ? wishes.seed : seed_from_chance();
    return CLI_OK;
}

static int fail(const cli_command *command, const char *path, const char *why)
{
    fprintf(stderr, "gral %s: %s: %s\n", command->name, path, why);
    return CLI_FAILED;
}

/* Where to keep it. Nobody else may play a game that is kept there. */
static int find_place(play *play, const cli_words *words)
{
    const char *wish = wishes.save != NULL ? wishes.save : wishes.resume;
    char chosen[PATH_MAX];
    if (wish == NULL && !saves_new(chosen))
        return cli_misused(words->command, _("there is no folder to save the game in; use --save FILE"));
    if (wishes.record != NULL && file_is_there(wishes.record))
        return fail(words->command, wishes.record, strerror(EEXIST));
    if (wishes.save != NULL && file_is_there(wishes.save))
        return fail(words->command, wishes.save, strerror(EEXIST));
    const char *path = wish != NULL ? wish : chosen, *why = "";
    return play_claim(play, path, &why) ? CLI_OK : fail(words->command, path, why);
}

/* A new file is tried at once: better to fail now than after an evening. */
static int keep_new(play *play, const cli_words *words)
{
    play_keep(play);
    return play->save_failed == NULL ? CLI_OK : fail(words->command, play->save, play->save_failed);
}

static int begin_new(play *play, const cli_words *words)
{
    play_setup setup = {0};
    int status = set_up(words, &setup);
    if (status != CLI_OK)
        return status;
    char date[16];
    const time_t now = time(NULL);
    struct tm local;
    strftime(date, sizeof date, "%Y-%m-%d", localtime_r(&now, &local));
    setup.date = date;
    gral_error error;
    if (!play_begin(play, &setup, cli_player_make, &error))
        return cli_misused(words->command, "%s", language_of(error.message));
    status = find_place(play, words);
    return status == CLI_OK ? keep_new(play, words) : status;
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
static int resume(play *play, const cli_words *words)
{
    if (wants_new_game(words))
        return cli_misused(words->command, _("a resumed game already has its players, rules and seed"));
    const int status = find_place(play, words);
    if (status != CLI_OK)
        return status;
    size_t length = 0;
    const char *why = "";
    char *bytes = disk_files.read(wishes.resume, &length, &why);
    if (bytes == NULL)
        return fail(words->command, wishes.resume, why);
    gral_error error;
    const bool resumed = play_resume(play, (gral_span){bytes, length},
                                     wishes.exec ? cli_player_make : make_without_programs, &error);
    free(bytes);
    if (resumed)
        return wishes.save != NULL ? keep_new(play, words) : CLI_OK;
    char place[64] = "", reason[400];
    if (error.line > 0)
        snprintf(place, sizeof place, _("line %u, column %u: "), error.line, error.column);
    snprintf(reason, sizeof reason, _("%s%s (the file is unchanged)"), place, language_of(error.message));
    return fail(words->command, wishes.resume, reason);
}

/* It is resumed as if it had been named. */
static int find_last(const cli_words *words)
{
    static char path[PATH_MAX];
    if (wishes.resume != NULL)
        return cli_misused(words->command, _("use either --resume or --last"));
    if (!saves_last(path))
        return cli_misused(words->command, _("there is no unfinished game to resume"));
    wishes.resume = path;
    return CLI_OK;
}

static int begin(play *play, const cli_words *words)
{
    umask(077); /* a save has everybody's secrets in it (R10.2) */
    const int found = wishes.last ? find_last(words) : CLI_OK;
    if (found != CLI_OK)
        return found;
    const int status = wishes.resume != NULL ? resume(play, words) : begin_new(play, words);
    if (status != CLI_OK)
        return status;
    play->clock = wishes.seeded ? NULL : clock_ms; /* who counts in time does not repeat itself */
    gral_error error;
    play->adviser = gral_player_make(gral_span_of(adviser), &error);
    return play->adviser != NULL ? CLI_OK : fail(words->command, adviser, language_of(error.message));
}

static int keep_record(const play *play, const cli_words *words)
{
    const char *why = NULL;
    if (play_actor(play) != GRAL_NOBODY || wishes.record == NULL || play_copy(play, wishes.record, &why))
        return CLI_OK;
    return fail(words->command, wishes.record, why);
}

static void show(play *play)
{
    const bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    (wishes.plain || !terminal ? play_plainly : play_on_screen)(play);
}

static int run(const cli_words *words)
{
    if (wishes.saved)
        return saves_list(stdout) ? CLI_OK : CLI_FAILED;
    wishes.seeded = cli_given(words, "seed");
    play play = {0};
    int status = begin(&play, words);
    if (status == CLI_OK) {
        show(&play);
        status = keep_record(&play, words);
    }
    play_end(&play);
    return status;
}

const cli_command command_play = {
    .name = "play",
    .arguments = "",
    .summary = N_("play in the terminal, alone or with others at one screen"),
    .description = N_(
        "Without options you play against two computer players. Use --people to name those who share the screen; "
        "between their turns a curtain hides what the last one saw. Use --against to choose computer players: "
        "thinker:level=1 (beginner) to thinker:level=5 (strongest), and as= gives them a character: "
        "renard, odile, lupo, bruno, isolde, hugo, morgana, pia, tristan, ursula, yusuf or zaida, e.g. "
        "thinker:level=4,as=renard. All kinds of players are listed in 'gral match --help'.\n\n"
        "Every action is on disk before the next one is asked for, so an interrupted game can be resumed with "
        "--resume or --last. Games are kept in $XDG_DATA_HOME/gral, or ~/.local/share/gral, unless you use --save. A "
        "saved game "
        "contains everybody's secrets.\n\n"
        "Type help in the game to see what you can do."),
    .options = options,
    .run = run,
};
