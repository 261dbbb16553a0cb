/* Subcommands and their options as data: one table gives the reading, the help, the manual page and the completion in
 * a shell, so that they cannot disagree. */
#ifndef GRAL_CLI_COMMAND_H
#define GRAL_CLI_COMMAND_H

#include "gral/notation.h"

#include <stdio.h>

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_SIGNALLED = 128 /* and the number of the signal */ };

enum cli_kind {
    CLI_SWITCH,
    CLI_NUMBER, /* whole, without sign or leading zeros */
    CLI_REAL,
    CLI_TEXT,
    CLI_FILE,
    CLI_CHOICE, /* one of the words of `argument` */
};

typedef struct cli_option {
    const char *name;     /* without dashes */
    const char *argument; /* its name in the help, e.g. "N" or "en|de|fr|it"; NULL for a switch */
    const char *help;
    enum cli_kind kind;
    union { /* where the value goes, by kind */
        bool *on;
        uint32_t *number;
        double *real;
        const char **text; /* of texts, files and choices */
    };
    /* Takes the value instead, when it is of its kind; false when it is wrong, and the error's message says why. */
    bool (*take)(const struct cli_option *option, const char *value, gral_error *error);
    double least, most; /* of a number; both 0: any */
    const char *usual;  /* what it is unless given, read like a value; NULL: nothing */
    bool live;          /* may be another one while the command runs, see cli_read_settings */
} cli_option;

struct cli_words;

typedef struct cli_command {
    const char *name;                          /* "" for the program itself */
    const char *arguments;                     /* "FILE", or "" */
    int words_least, words_most;               /* how many of them */
    const char *summary;                       /* a few words for the list of commands */
    const char *description;                   /* paragraphs separated by blank lines */
    const cli_option *options;                 /* ended by a row without a name; --lang and --help are always there */
    const struct cli_command *const *commands; /* the program's, ended by NULL: what follows a word is theirs */
    int (*run)(const struct cli_words *words);
} cli_command;

/* What was said after the name of a command, once its options are where they belong. */
typedef struct cli_words {
    const cli_command *command;
    char **word; /* those that are no options, ended by NULL */
    int count;
    uint64_t given; /* bit k: the option of row k was */
} cli_words;

extern const cli_command command_referee, command_replay, command_bench, command_match, command_play, command_verify,
    command_serve, command_backup, command_ratings, command_admin, command_migrate;

/* Reads the words and runs the command; returns what to exit with. */
int cli_run(const cli_command *command, int argc, char **argv);

bool cli_given(const cli_words *words, const char *option);
/* Options from a file, one a line: its name, and its value after blanks or a `=`; a switch may have `yes` or `no`. `#`
 * begins a comment. What was given as a word counts, not what the file says; what neither says is as usual. False on an
 * error, which says where; then some are set and some are not. The texts stay where they are. It can be called again.
 */
bool cli_read_settings(const cli_words *words, const char *path, gral_error *error);
bool cli_has_range(const cli_option *option);
const cli_command *cli_find(const cli_command *const commands[], const char *name); /* or NULL */

/* One line "gral COMMAND: …" on standard error; returns CLI_USAGE. */
__attribute__((format(printf, 2, 3))) int cli_misused(const cli_command *command, const char *format, ...);

/* How many threads can work at the same time here, at most `most`. */
unsigned cli_cores(unsigned most);

/* A number without sign or leading zeros, at most `most`. */
bool cli_number(const char *word, uint32_t most, uint32_t *number);

/* --- help.c: what the tables say --- */

extern const cli_option cli_common[]; /* what every command has */

void cli_print_help(FILE *out, const cli_command *command);
/* The page of a command, or of the program itself. In English, whatever is spoken: it is made when the program is
 * built. */
void cli_print_manual(FILE *out, const cli_command *program, const cli_command *command);

/* --- completion.c --- */

/* The script that makes this shell ask `gral --complete WORD…`, the last being the one that is typed. */
void cli_print_completion(FILE *out, const char *shell);
/* Answers it: a line for each word that could come. CLI_FAILED: it would be the name of a file. */
int cli_complete(const cli_command *program, int count, char **words);

#endif
