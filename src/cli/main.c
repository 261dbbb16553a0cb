/* The front door of the program: finds the subcommand and hands over. */
#include "command.h"

#include <string.h>

static const cli_command *const commands[] = {&replay_command, &referee_command, &bench_command, NULL};

static int usage_error(const char *what, const char *word)
{
    fprintf(stderr, "gral: %s '%s' (gral --help lists the commands)\n", what, word);
    return CLI_USAGE;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "gral: a command is missing (gral --help lists the commands)\n");
        return CLI_USAGE;
    }
    const char *word = argv[1];
    for (const cli_command *const *command = commands; *command != NULL; command++)
        if (strcmp(word, (*command)->name) == 0)
            return (*command)->run(*command, argc - 2, argv + 2);

    if (word[0] != '-')
        return usage_error("unknown command", word);
    if (argc > 2)
        return usage_error("unexpected word", argv[2]);
    if (strcmp(word, "--help") == 0)
        cli_print_all_help(stdout, commands);
    else if (strcmp(word, "--version") == 0)
        printf("gral %s\n", GRAL_VERSION);
    else if (strcmp(word, "--manual") == 0)
        cli_print_manual(stdout, commands);
    else
        return usage_error("unknown option", word);
    return CLI_OK;
}
