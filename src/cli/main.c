/* The program itself as a command: finds the one that is meant and hands over. */
#include "command.h"
#include "terminal/language.h"

#include <limits.h>
#include <string.h>

static bool version;
static const char *completion;
static const cli_option options[] = {
    {"version", NULL, N_("show the version"), CLI_SWITCH, .on = &version},
    {"completion", "bash|zsh|fish", N_("print a script that completes commands and options in this shell"), CLI_CHOICE,
     .text = &completion},
    {0},
};

static const cli_command program, help_command;
static const cli_command *const commands[] = {&command_play,
                                              &command_serve,
                                              &command_replay,
                                              &command_verify,
                                              &command_match,
                                              &command_bench,
                                              &command_referee,
                                              &command_backup,
                                              &command_ratings,
                                              &command_admin,
                                              &command_migrate,
                                              &help_command,
                                              NULL};

static int run(const cli_words *words)
{
    const char *name = words->word[0];
    const cli_command *command = name != NULL ? cli_find(commands, name) : NULL;
    if (command != NULL)
        return cli_run(command, words->count - 1, words->word + 1);
    if (name != NULL)
        return cli_misused(&program, _("unknown command '%s'"), name);
    if (version)
        printf("gral %s\n", GRAL_VERSION);
    else if (completion != NULL)
        cli_print_completion(stdout, completion);
    else
        return cli_misused(&program, _("%s is missing"), program.arguments);
    return CLI_OK;
}

static const cli_command program = {
    .name = "",
    .arguments = "COMMAND",
    .words_most = INT_MAX,
    .summary = "play, judge and study The Hunt for the Grail",
    .description = N_("The hunt for the grail: a game of hidden influence and bluff for 2 to 12 players."),
    .options = options,
    .commands = commands,
    .run = run,
};

static bool manual;
static const cli_option help_options[] = {
    {"manual", NULL, N_("print the manual page, as troff source"), CLI_SWITCH, .on = &manual},
    {0},
};

static int run_help(const cli_words *words)
{
    const char *name = words->word[0];
    const cli_command *command = name != NULL ? cli_find(commands, name) : &program;
    if (command == NULL)
        return cli_misused(&program, _("unknown command '%s'"), name);
    if (manual)
        cli_print_manual(stdout, &program, command);
    else
        cli_print_help(stdout, command);
    return CLI_OK;
}

static const cli_command help_command = {
    .name = "help",
    .arguments = "[COMMAND]",
    .words_most = 1,
    .summary = N_("show the help of a command"),
    .description = N_("Shows what a command does and which options it has."),
    .options = help_options,
    .commands = commands,
    .run = run_help,
};

/* What was printed can still be lost where it leaves the program: on a full disk, for instance. */
static int finish(int status)
{
    const bool lost = ferror(stdout) != 0;
    if (fflush(stdout) == 0 && !lost)
        return status;
    fputs(_("gral: could not write to standard output\n"), stderr);
    return status == CLI_OK ? CLI_FAILED : status;
}

int main(int argc, char **argv)
{
    language_from_environment();
    if (argc > 1 && strcmp(argv[1], "--complete") == 0)
        return finish(cli_complete(&program, argc - 2, argv + 2));
    return finish(cli_run(&program, argc - 1, argv + 1));
}
