/* The front door of the program: finds the subcommand and hands over. */
#include "command.h"
#include "terminal/language.h"

#include <string.h>

static const cli_command *const commands[] = {&play_command,   &serve_command,   &replay_command,
                                              &verify_command, &referee_command, &match_command,
                                              &bench_command,  &backup_command,  NULL};

static int usage_error(const char *what, const char *word)
{
    fprintf(stderr, _("gral: %s '%s' (gral --help lists the commands)\n"), what, word);
    return CLI_USAGE;
}

int main(int argc, char **argv)
{
    language_from_environment();
    if (argc < 2) {
        fputs(_("gral: a command is missing (gral --help lists the commands)\n"), stderr);
        return CLI_USAGE;
    }
    const char *word = argv[1];
    for (const cli_command *const *command = commands; *command != NULL; command++)
        if (strcmp(word, (*command)->name) == 0)
            return (*command)->run(*command, argc - 2, argv + 2);

    if (word[0] != '-')
        return usage_error(_("unknown command"), word);
    if (argc > 2)
        return usage_error(_("unexpected word"), argv[2]);
    if (strcmp(word, "--help") == 0)
        cli_print_all_help(stdout, commands);
    else if (strcmp(word, "--version") == 0)
        printf("gral %s\n", GRAL_VERSION);
    else if (strcmp(word, "--manual") == 0)
        cli_print_manual(stdout, commands);
    else
        return usage_error(_("unknown option"), word);
    return CLI_OK;
}
