/* `gral match`: what is asked for on the command line, and what it means. */
#include "match.h"

#include "command.h"
#include "exec_player.h"
#include "terminal/language.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { GAMES_MAX = 1000000, THREADS_MAX = 256 };

static struct wishes {
    gral_settings_reader settings;
    match_wishes match;
} wishes;

static bool take_setting(const cli_option *option, const char *value, gral_error *error);

static const cli_option options[] = {
    [GRAL_KEY_PLAYERS] = {"players", "N", N_("seats at the table; by default 2, or 4 with The Original"), CLI_NUMBER,
                          .take = take_setting, .least = GRAL_PLAYERS_MIN, .most = GRAL_PLAYERS_MAX},
    [GRAL_KEY_RULES] = {"rules", "standard|original", N_("which rules"), CLI_CHOICE, .take = take_setting},
    [GRAL_KEY_FIRST] = {"first", "SEAT", N_("who moves first; by default 1"), CLI_NUMBER, .take = take_setting,
                        .least = 1, .most = GRAL_PLAYERS_MAX},
    [GRAL_KEY_LIMIT] = {"limit", "TURNS", N_("the game is a draw after this many turns, and the players know it"),
                        CLI_NUMBER, .take = take_setting},
    [GRAL_KEY_HQ] = {"hq", "TAIR", N_("who owns which headquarters in The Original"), CLI_TEXT, .take = take_setting},
    [GRAL_KEY_BOARD] = {"board", "CxR", N_("a smaller board, e.g. 3x3"), CLI_TEXT, .take = take_setting},
    [GRAL_KEY_PAWNS] = {"pawns", "LIST", N_("only these initiates, e.g. T1,A1"), CLI_TEXT, .take = take_setting},
    [GRAL_KEY_UNITS] = {"units", "LIST", N_("only these units, e.g. 2,1"), CLI_TEXT, .take = take_setting},
    [GRAL_KEY_GRAIL] = {"grail", "FIELD", N_("where the grail starts"), CLI_TEXT, .take = take_setting},
    [GRAL_KEYS] = {"games", "N", N_("number of games, rounded up to whole blocks; by default 100, 20000 with --sprt"),
                   CLI_NUMBER, .number = &wishes.match.games, .least = 1, .most = GAMES_MAX},
    {"cap", "TURNS", N_("break off longer games; 0 for never, as with --limit"), CLI_NUMBER,
     .number = &wishes.match.cap, .usual = "300"},
    {"seed", "N", N_("random seed"), CLI_NUMBER, .number = &wishes.match.seed, .usual = "1"},
    {"threads", "N", N_("games at the same time; by default one per core"), CLI_NUMBER, .number = &wishes.match.threads,
     .least = 1, .most = THREADS_MAX},
    {"time", "MS", N_("milliseconds per decision of an outside program"), CLI_NUMBER,
     .number = &wishes.match.milliseconds, .least = 1, .most = 3600000, .usual = "5000"},
    {"records", "FOLDER", N_("write every game there, as game-NNNNNN.gral"), CLI_FILE, .text = &wishes.match.records},
    {"json", NULL, N_("print one JSON object instead of a table"), CLI_SWITCH, .on = &wishes.match.json},
    {"leak-check", NULL, N_("ask for each decision again with other hidden sheets; the answers must match"), CLI_SWITCH,
     .on = &wishes.match.leak_check},
    {"sprt", NULL, N_("stop when it is clear whether the first player is better"), CLI_SWITCH,
     .on = &wishes.match.sprt_wanted},
    {"elo0", "ELO", N_("--sprt: Elo lead for the answer no"), CLI_REAL, .real = &wishes.match.sprt.elo0, .least = -1000,
     .most = 1000, .usual = "0"},
    {"elo1", "ELO", N_("--sprt: Elo lead for the answer yes"), CLI_REAL, .real = &wishes.match.sprt.elo1,
     .least = -1000, .most = 1000, .usual = "30"},
    {"alpha", "P", N_("--sprt: probability of a wrong yes"), CLI_REAL, .real = &wishes.match.sprt.alpha, .least = 1e-6,
     .most = 0.4999, .usual = "0.05"},
    {"beta", "P", N_("--sprt: probability of a wrong no"), CLI_REAL, .real = &wishes.match.sprt.beta, .least = 1e-6,
     .most = 0.4999, .usual = "0.05"},
    {0},
};

/* The first rows are the settings of a game, in their order. */
static bool take_setting(const cli_option *option, const char *value, gral_error *error)
{
    return gral_settings_read(&wishes.settings, (enum gral_key)(option - options), gral_span_of(value), error);
}

/* What was not said, where it depends on something else. */
static void complete(const cli_words *words)
{
    enum { GAMES = 100, GAMES_OF_A_TEST = 20000 };
    gral_error error;
    const bool original = wishes.settings.settings.rules == GRAL_ORIGINAL;
    if (!cli_given(words, "players"))
        gral_settings_read(&wishes.settings, GRAL_KEY_PLAYERS, gral_span_of(original ? "4" : "2"), &error);
    if (cli_given(words, "limit") && !cli_given(words, "cap"))
        wishes.match.cap = 0;
    if (wishes.match.games == 0)
        wishes.match.games = wishes.match.sprt_wanted ? GAMES_OF_A_TEST : GAMES;
    if (wishes.match.threads == 0)
        wishes.match.threads = cli_cores(THREADS_MAX);
}

/* A wrong name is found before anything is played. */
static int check_names(const cli_command *command, char **names, int count)
{
    for (int index = 0; index < count; index++) {
        gral_error error;
        gral_player *player = cli_player_make(gral_span_of(names[index]), &error);
        if (player == NULL)
            return cli_misused(command, _("'%s', column %u: %s"), names[index], error.column,
                               language_of(error.message));
        gral_player_free(player);
    }
    return CLI_OK;
}

static int check_wishes(const cli_command *command, int names)
{
    if (wishes.match.sprt_wanted && (names != 2 || wishes.match.leak_check))
        return cli_misused(command, _("--sprt compares exactly two players"));
    if (wishes.match.sprt.elo0 >= wishes.match.sprt.elo1)
        return cli_misused(command, _("--elo0 must be less than --elo1"));
    if (wishes.match.records != NULL && mkdir(wishes.match.records, 0777) != 0 && errno != EEXIST)
        return cli_misused(command, "--records: %s: %s", wishes.match.records, strerror(errno));
    return CLI_OK;
}

static int run(const cli_words *words)
{
    const cli_command *command = words->command;
    int status;
    complete(words);
    gral_settings settings;
    gral_error error;
    if (!gral_settings_finish(&wishes.settings, &settings, &error))
        return cli_misused(command, "%s", language_of(error.message));
    if ((status = check_names(command, words->word, words->count)) != CLI_OK ||
        (status = check_wishes(command, words->count)) != CLI_OK)
        return status;

    return match_run(&wishes.match, words->word, (unsigned)words->count, &settings);
}

const cli_command command_match = {
    .name = "match",
    .arguments = "PLAYER...",
    .words_least = 1,
    .words_most = MATCH_NAMES_MAX,
    .summary = N_("let computer players play each other"),
    .description = N_(
        "Plays games between computer players on all cores and prints how often each of them wins, with confidence "
        "intervals (95 %), the number of decisions per game, and the time per decision (median and 95th "
        "percentile).\n\n"
        "A PLAYER is NAME or NAME:ARG,ARG..., e.g. random, greedy, heuristic, ismcts:1000, thinker:100ms. "
        "thinker:level=1 "
        "(beginner) to thinker:level=5 (strongest) are the players people meet; as= gives them a character (see "
        "'gral play --help'), e.g. thinker:level=4,as=renard. exec:PROGRAM is a program of your own, with its "
        "arguments in the same "
        "word: 'exec:./mine --fast'. If its answer is illegal, late or missing, this is reported and counted as a "
        "fault, and the safest action is taken for it.\n\n"
        "If there are as many players as seats, they sit down as listed; a single player takes all seats. Otherwise "
        "every two of them play each other; at a table for more than two, one of the first against as many of the "
        "second as there are other seats, and vice versa.\n\n"
        "Games are played in blocks: all games of a block share a seed, and everybody sits once on every seat. "
        "Confidence "
        "intervals and the sequential "
        "test count blocks. The same seed and players give the same games with any number of threads, as long as "
        "players are limited by simulations, not time.\n\n"
        "--sprt is a sequential test like fishtest's: it continues until the first player's score against the second "
        "clearly supports --elo1 or --elo0, or there are 20000 games. At a table for more than two, a block's score is "
        "half of 1 + how often the first won alone - how often the second won alone.\n\n"
        "--leak-check asks for every decision again, with other hidden sheets that fit the same view, and fails if the "
        "answer differs. Limits in time become fixed amounts of work. Outside programs get nothing but text and are "
        "not asked twice.\n\n"
        "Ctrl-C prints the result of the blocks that are finished; the exit status is then 130. If an outside program "
        "never gave a legal answer, it is 1."),
    .options = options,
    .run = run,
};
