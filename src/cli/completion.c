/* What can come next on a command line, for a shell that asks while it is typed. The shells' scripts only carry the
 * question and the answer. */
#include "command.h"

#include "terminal/language.h"

#include <ctype.h>
#include <string.h>

static const struct {
    const char *shell, *script;
} scripts[] = {
    {"bash", "_gral()\n"
             "{\n"
             "    local lines\n"
             "    lines=$(\"${COMP_WORDS[0]}\" --complete \"${COMP_WORDS[@]:1:COMP_CWORD}\") || compopt -o default\n"
             "    mapfile -t COMPREPLY < <([[ -n $lines ]] && cut -f1 <<<\"$lines\")\n"
             "}\n"
             "complete -F _gral gral\n"},
    {"zsh", "#compdef gral\n"
            "_gral()\n"
            "{\n"
            "    local lines\n"
            "    local -a offers\n"
            "    lines=$(\"$words[1]\" --complete \"${(@)words[2,CURRENT]}\") || { _files; return }\n"
            "    offers=(\"${(@f)lines//:/\\\\:}\")\n"
            "    offers=(\"${(@)offers/$'\\t'/:}\")\n"
            "    [[ -n $lines ]] && _describe gral offers\n"
            "}\n"
            "if [[ $funcstack[1] == _gral ]]; then _gral; else compdef _gral gral; fi\n"},
    {"fish", "function __gral\n"
             "    set -l words (commandline -opc) (commandline -ct)\n"
             "    $words[1] --complete $words[2..-1]; or __fish_complete_path (commandline -ct)\n"
             "end\n"
             "complete -c gral -f -a '(__gral)'\n"},
};

void cli_print_completion(FILE *out, const char *shell)
{
    for (size_t row = 0; row < sizeof scripts / sizeof *scripts; row++)
        if (strcmp(scripts[row].shell, shell) == 0)
            fputs(scripts[row].script, out);
}

/* --- answering --- */

/* What the last word may become: a line with a tab and what it means. */
static void offer(const char *begun, const char *dashes, const char *word, int length, const char *meaning)
{
    char whole[64];
    snprintf(whole, sizeof whole, "%s%.*s", dashes, length, word);
    if (strncmp(whole, begun, strlen(begun)) == 0)
        printf("%s\t%s\n", whole, meaning);
}

/* The words of "SEAT|public|all" that stand for themselves. */
static void offer_choices(const char *begun, const char *argument)
{
    for (const char *word = argument; word != NULL; word = strchr(word, '|')) {
        word += *word == '|';
        if (islower((unsigned char)*word))
            offer(begun, "", word, (int)strcspn(word, "|"), "");
    }
}

static void offer_options(const char *begun, const cli_option *option)
{
    for (; option->name != NULL; option++)
        offer(begun, "--", option->name, (int)strlen(option->name), _(option->help));
}

static void offer_commands(const char *begun, const cli_command *const *command)
{
    for (; *command != NULL; command++)
        offer(begun, "", (*command)->name, (int)strlen((*command)->name), _((*command)->summary));
}

/* The option that waits for a value after this word, or NULL. */
static const cli_option *waiting(const cli_command *command, const char *word)
{
    const cli_option *const tables[] = {command->options, cli_common};
    if (strncmp(word, "--", 2) != 0)
        return NULL;
    const char *name = word + 2;
    for (unsigned table = 0; table < 2; table++)
        for (const cli_option *option = tables[table]; option->name != NULL; option++)
            if (option->argument != NULL && strcmp(name, option->name) == 0)
                return option;
    return NULL;
}

int cli_complete(const cli_command *program, int count, char **words)
{
    const cli_command *command = program;
    const cli_option *option = NULL;
    for (int at = 0; at < count - 1; at++) {
        const bool value = option != NULL;
        option = value ? NULL : waiting(command, words[at]);
        const cli_command *named = command == program && !value ? cli_find(program->commands, words[at]) : NULL;
        command = named != NULL ? named : command;
    }
    const char *begun = count > 0 ? words[count - 1] : "";
    if (option != NULL ? option->kind == CLI_FILE : begun[0] != '-' && strncmp(command->arguments, "FILE", 4) == 0)
        return CLI_FAILED;
    if (option != NULL) {
        offer_choices(begun, option->argument);
    } else if (begun[0] == '-') {
        offer_options(begun, command->options);
        offer_options(begun, cli_common);
    } else if (command->commands != NULL) {
        offer_commands(begun, command->commands);
    } else {
        offer_choices(begun, command->arguments);
    }
    return CLI_OK;
}
