/* Subcommands as data: one table gives their help, the manual page and the reading of options, so
 * that the three cannot disagree. */
#ifndef GRAL_CLI_COMMAND_H
#define GRAL_CLI_COMMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

typedef struct cli_option {
    const char *name;     /* without dashes */
    const char *argument; /* its name in the help, or NULL for a switch */
    const char *help;
} cli_option;

typedef struct cli_command {
    const char *name;
    const char *arguments;     /* "FILE", or "" */
    const char *summary;       /* a few words for the list of commands */
    const char *description;   /* paragraphs separated by blank lines */
    const cli_option *options; /* ended by a row without a name; --help is always there */
    int (*run)(const struct cli_command *command, int argc, char **argv);
} cli_command;

extern const cli_command referee_command, replay_command, bench_command, match_command, play_command, verify_command,
    serve_command, backup_command;

/* Reading a command's words. cli_next returns the row of the next option, with its argument in
 * `value`, or one of these: */
enum { CLI_END = -1, CLI_STOP = -2 };

typedef struct cli_words {
    const cli_command *command;
    int argc;
    char **argv;
    int at;
    const char *value;
    int status;   /* what to exit with after CLI_STOP */
    char **words; /* after CLI_END: the words that are no options, ended by NULL */
    int word_count;
} cli_words;

cli_words cli_read(const cli_command *command, int argc, char **argv);
int cli_next(cli_words *words);

/* One line "gral COMMAND: …" on standard error; returns CLI_USAGE. */
__attribute__((format(printf, 2, 3))) int cli_misused(const cli_command *command, const char *format, ...);

/* A number without sign or leading zeros, at most `most`. */
bool cli_number(const char *word, uint32_t most, uint32_t *number);

void cli_print_help(FILE *out, const cli_command *command);
void cli_print_all_help(FILE *out, const cli_command *const commands[]);
void cli_print_manual(FILE *out, const cli_command *const commands[]);

#endif
