#include "command.h"

#include "terminal/language.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char about[] = N_("The hunt for the grail: a game of hidden influence and bluff for 2 to 12 players.");

cli_words cli_read(const cli_command *command, int argc, char **argv)
{
    return (cli_words){.command = command, .argc = argc, .argv = argv, .words = argv};
}

static int stop(cli_words *words, int status)
{
    words->status = status;
    return CLI_STOP;
}

static int take_option(cli_words *words, const char *word)
{
    const char *equals = strchr(word, '=');
    const size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    if (length == strlen("help") && strncmp(word, "help", length) == 0 && equals == NULL) {
        cli_print_help(stdout, words->command);
        return stop(words, CLI_OK);
    }
    for (int row = 0; words->command->options[row].name != NULL; row++) {
        const cli_option *option = &words->command->options[row];
        if (strlen(option->name) != length || strncmp(option->name, word, length) != 0)
            continue;
        if (option->argument == NULL && equals != NULL)
            return stop(words, cli_misused(words->command, _("--%s takes no value"), option->name));
        words->value = equals != NULL ? equals + 1 : NULL;
        if (option->argument != NULL && equals == NULL) {
            if (words->at == words->argc)
                return stop(words, cli_misused(words->command, _("--%s needs a value: --%s %s"), option->name,
                                               option->name, option->argument));
            words->value = words->argv[words->at++];
        }
        return row;
    }
    return stop(words, cli_misused(words->command, _("unknown option '--%.*s'"), (int)length, word));
}

int cli_next(cli_words *words)
{
    while (words->at < words->argc) {
        char *word = words->argv[words->at++];
        if (strcmp(word, "--") == 0) {
            while (words->at < words->argc)
                words->words[words->word_count++] = words->argv[words->at++];
        } else if (strncmp(word, "--", 2) == 0) {
            return take_option(words, word + 2);
        } else if (word[0] == '-' && word[1] != '\0') {
            return stop(words, cli_misused(words->command, _("unknown option '%s'"), word));
        } else {
            words->words[words->word_count++] = word; /* never ahead of `at`, so nothing unread is lost */
        }
    }
    words->words[words->word_count] = NULL;
    return CLI_END;
}

int cli_misused(const cli_command *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "gral %s: ", command->name);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, _(" (gral %s --help says more)\n"), command->name);
    va_end(arguments);
    return CLI_USAGE;
}

bool cli_number(const char *word, uint32_t most, uint32_t *number)
{
    if (word[0] < '0' || word[0] > '9' || (word[0] == '0' && word[1] != '\0') || strlen(word) > 10)
        return false;
    char *end;
    const unsigned long long value = strtoull(word, &end, 10);
    if (*end != '\0' || value > most)
        return false;
    *number = (uint32_t)value;
    return true;
}

/* Runs of text between blank lines, broken at 78 columns. */
enum { WIDTH = 78, HELP_COLUMN = 29 };

/* How many columns so many bytes of UTF-8 take; nothing here is wider than one. */
static int columns_of(const char *text, int length)
{
    int columns = 0;
    for (int at = 0; at < length; at++)
        columns += ((unsigned char)text[at] & 0xc0) != 0x80;
    return columns;
}

/* From `column` on, further lines from `indent` on. A blank line separates paragraphs. */
static void print_wrapped(FILE *out, const char *text, int column, int indent)
{
    bool fresh = true; /* no word yet on this line */
    while (*text != '\0') {
        if (*text == '\n') {
            fprintf(out, "\n\n%*s", indent, "");
            column = indent;
            fresh = true;
            text += strspn(text, "\n");
            continue;
        }
        const int length = (int)strcspn(text, " \n"), columns = columns_of(text, length);
        if (!fresh && column + 1 + columns > WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
            fresh = true;
        }
        fprintf(out, "%s%.*s", fresh ? "" : " ", length, text);
        column += columns + !fresh;
        fresh = false;
        text += length;
        text += *text == ' ';
    }
    fputc('\n', out);
}

static void print_option(FILE *out, const char *name, const char *argument, const char *help)
{
    const int column = fprintf(out, "  --%s%s%s", name, argument != NULL ? " " : "", argument != NULL ? argument : "");
    if (column < HELP_COLUMN)
        fprintf(out, "%*s", HELP_COLUMN - column, "");
    else
        fprintf(out, "\n%*s", HELP_COLUMN, "");
    print_wrapped(out, help, HELP_COLUMN, HELP_COLUMN);
}

static void print_usage(FILE *out, const cli_command *command)
{
    fprintf(out, "gral %s%s%s%s", command->name, command->options[0].name != NULL ? " [OPTIONS]" : "",
            command->arguments[0] != '\0' ? " " : "", command->arguments);
}

void cli_print_help(FILE *out, const cli_command *command)
{
    fputs(_("Usage: "), out);
    print_usage(out, command);
    fprintf(out, "\n\n");
    print_wrapped(out, _(command->description), 0, 0);
    fputs(_("\nOptions:\n"), out);
    for (const cli_option *option = command->options; option->name != NULL; option++)
        print_option(out, option->name, option->argument, _(option->help));
    print_option(out, "help", NULL, _("show this help"));
}

void cli_print_all_help(FILE *out, const cli_command *const commands[])
{
    fprintf(out, _("Usage: gral COMMAND [OPTIONS]\n\n%s\n\nCommands:\n"), _(about));
    for (; *commands != NULL; commands++)
        fprintf(out, "  %-*s%s\n", HELP_COLUMN - 2, (*commands)->name, _((*commands)->summary));
    fputs(_("\nOptions:\n"), out);
    print_option(out, "help", NULL, _("show this help; after a command, its own"));
    print_option(out, "version", NULL, _("show the version"));
    print_option(out, "manual", NULL, _("print the manual page, as troff source"));
}

/* Text as troff wants it: no line may begin with a dot or a quote, a hyphen is a minus. */
static void print_troff(FILE *out, const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        if ((at == text || at[-1] == '\n') && (*at == '.' || *at == '\''))
            fputs("\\&", out);
        if (*at == '\n' && at[1] == '\n') {
            fputs("\n.PP", out);
            continue;
        }
        fputs(*at == '-' ? "\\-" : *at == '\\' ? "\\e" : (char[]){*at, '\0'}, out);
    }
    fputc('\n', out);
}

static void print_troff_option(FILE *out, const char *name, const char *argument, const char *help)
{
    fprintf(out, ".TP\n\\fB\\-\\-%s\\fR", name);
    if (argument != NULL)
        fprintf(out, " \\fI%s\\fR", argument);
    fputc('\n', out);
    print_troff(out, help);
}

void cli_print_manual(FILE *out, const cli_command *const commands[])
{
    fprintf(out, ".\\\" Made by 'gral --manual'; the source is the table of commands in src/cli.\n");
    fprintf(out, ".TH GRAL 1 \"\" \"gral %s\" \"Games\"\n", GRAL_VERSION);
    fprintf(out, ".SH NAME\ngral \\- play, judge and study the hunt for the grail\n.SH SYNOPSIS\n");
    for (const cli_command *const *command = commands; *command != NULL; command++) {
        fprintf(out, ".B gral %s\n", (*command)->name);
        if ((*command)->options[0].name != NULL)
            fprintf(out, "[\\fIOPTIONS\\fR]\n");
        fprintf(out, "%s\n.br\n", (*command)->arguments);
    }
    fprintf(out, ".SH DESCRIPTION\n");
    print_troff(out, about);
    for (const cli_command *const *command = commands; *command != NULL; command++) {
        fprintf(out, ".SH \"GRAL %s\"\n", (*command)->name);
        print_troff(out, (*command)->description);
        for (const cli_option *option = (*command)->options; option->name != NULL; option++)
            print_troff_option(out, option->name, option->argument, option->help);
    }
    fprintf(out,
            ".SH \"EXIT STATUS\"\n0 when all went well, 1 when the work failed, 2 when the command line was wrong.\n");
}
