/* What the tables of commands say, to whoever reads them: the help and the manual pages. */
#include "command.h"

#include "terminal/language.h"

#include <ctype.h>
#include <string.h>

static bool choose_language(const cli_option *option, const char *value, gral_error *error)
{
    (void)option, (void)error;
    return language_choose(value);
}

const cli_option cli_common[] = {
    {"lang", "en|de|fr|it", N_("language; by default the system's"), CLI_CHOICE, .take = choose_language},
    {"help", NULL, N_("show this help; also -h"), CLI_SWITCH, .on = NULL},
    {0},
};

/* --- help --- */

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

/* What an option is for, its range and its default. */
typedef struct explanation {
    char words[400];
} explanation;

static explanation explain(const cli_option *option)
{
    explanation explanation;
    char range[64] = "", usual[64] = "";
    if (cli_has_range(option))
        snprintf(range, sizeof range, _("%.10g to %.10g"), option->least, option->most);
    if (option->usual != NULL)
        snprintf(usual, sizeof usual, _("default: %s"), option->usual);
    const bool some = range[0] != '\0' || usual[0] != '\0', both = range[0] != '\0' && usual[0] != '\0';
    snprintf(explanation.words, sizeof explanation.words, "%s%s%s%s%s%s", _(option->help), some ? " (" : "", range,
             both ? _("; ") : "", usual, some ? ")" : "");
    return explanation;
}

static void print_options(FILE *out, const cli_option *option)
{
    for (; option->name != NULL; option++) {
        int column = fprintf(out, "  --%s", option->name);
        if (option->argument != NULL)
            column += fprintf(out, " %s", option->argument);
        if (column < HELP_COLUMN)
            fprintf(out, "%*s", HELP_COLUMN - column, "");
        else
            fprintf(out, "\n%*s", HELP_COLUMN, "");
        print_wrapped(out, explain(option).words, HELP_COLUMN, HELP_COLUMN);
    }
}

static void print_commands(FILE *out, const cli_command *const *command)
{
    fputs(_("\nCommands:\n"), out);
    for (; *command != NULL; command++) {
        fprintf(out, "  %-*s", HELP_COLUMN - 2, (*command)->name);
        print_wrapped(out, _((*command)->summary), HELP_COLUMN, HELP_COLUMN);
    }
}

void cli_print_help(FILE *out, const cli_command *command)
{
    const char *after_name = command->name[0] != '\0' ? " " : "", *before = command->arguments[0] != '\0' ? " " : "";
    fprintf(out, _("Usage: gral %s%s[OPTIONS]%s%s\n\n"), command->name, after_name, before, command->arguments);
    print_wrapped(out, _(command->description), 0, 0);
    if (command->commands != NULL)
        print_commands(out, command->commands);
    fputs(_("\nOptions:\n"), out);
    print_options(out, command->options);
    print_options(out, cli_common);
}

/* --- the manual pages --- */

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

static void print_troff_options(FILE *out, const cli_option *option)
{
    for (; option->name != NULL; option++) {
        fprintf(out, ".TP\n\\fB\\-\\-%s\\fR", option->name);
        if (option->argument != NULL)
            fprintf(out, " \\fI%s\\fR", option->argument);
        fputc('\n', out);
        print_troff(out, explain(option).words);
    }
}

/* A word in capitals, as titles are. */
static void print_capitals(FILE *out, const char *word)
{
    for (; *word != '\0'; word++)
        fputc(toupper((unsigned char)*word), out);
}

static void print_manual_name(FILE *out, const cli_command *command)
{
    const char *dash = command->name[0] != '\0' ? "-" : "";
    fputs(".\\\" Made by 'gral help --manual'; the source is the table of commands in src/cli.\n.TH GRAL", out);
    print_capitals(out, dash);
    print_capitals(out, command->name);
    fprintf(out, " 1 \"\" \"gral %s\" \"Games\"\n.SH NAME\ngral%s%s \\- ", GRAL_VERSION, dash, command->name);
    print_troff(out, command->summary);
    fprintf(out, ".SH SYNOPSIS\n.B gral %s\n[\\fIOPTIONS\\fR] %s\n", command->name, command->arguments);
}

static void print_manual_commands(FILE *out, const cli_command *const *command)
{
    fputs(".SH COMMANDS\n", out);
    for (; *command != NULL; command++) {
        fprintf(out, ".TP\n.BR gral\\-%s (1)\n", (*command)->name);
        print_troff(out, (*command)->summary);
    }
}

void cli_print_manual(FILE *out, const cli_command *program, const cli_command *command)
{
    language_choose("en");
    print_manual_name(out, command);
    fputs(".SH DESCRIPTION\n", out);
    print_troff(out, command->description);
    if (command == program)
        print_manual_commands(out, program->commands);
    fputs(".SH OPTIONS\n", out);
    print_troff_options(out, command->options);
    print_troff_options(out, cli_common);
    fputs(".SH \"EXIT STATUS\"\n0 on success, 1 on failure, 2 if the command line was wrong.\n.SH \"SEE ALSO\"\n", out);
    for (const cli_command *const *other = program->commands; *other != NULL; other++)
        if (*other != command)
            fprintf(out, ".BR gral\\-%s (1),\n", (*other)->name);
    fputs(command == program ? "the documents in share/doc/gral\n" : ".BR gral (1)\n", out);
}
