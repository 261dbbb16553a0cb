#include "command.h"

#include "terminal/language.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_misused(const cli_command *command, const char *format, ...)
{
    const char *space = command->name[0] != '\0' ? " " : "";
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "gral%s%s: ", space, command->name);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, _(" (see gral%s%s --help)\n"), space, command->name);
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

/* --- a value --- */

bool cli_has_range(const cli_option *option)
{
    return option->least < option->most;
}

static bool is_within(const cli_option *option, double value)
{
    return !cli_has_range(option) || (value >= option->least && value <= option->most);
}

static bool refuse_number(const cli_option *option, gral_error *error)
{
    if (cli_has_range(option))
        snprintf(error->message, sizeof error->message, _("must be %.10g to %.10g"), option->least, option->most);
    else
        snprintf(error->message, sizeof error->message, "%s", _("must be a number"));
    return false;
}

static bool read_number(const cli_option *option, const char *value, gral_error *error)
{
    uint32_t number;
    if (!cli_number(value, UINT32_MAX, &number) || !is_within(option, number))
        return refuse_number(option, error);
    if (option->number != NULL)
        *option->number = number;
    return true;
}

static bool read_real(const cli_option *option, const char *value, gral_error *error)
{
    char *end;
    const double number = strtod(value, &end);
    if (*value == '\0' || *end != '\0' || !is_within(option, number))
        return refuse_number(option, error);
    *option->real = number;
    return true;
}

static bool read_text(const cli_option *option, const char *value, gral_error *error)
{
    (void)error;
    if (option->text != NULL)
        *option->text = value;
    return true;
}

static bool read_choice(const cli_option *option, const char *value, gral_error *error)
{
    const size_t length = strlen(value);
    for (const char *word = option->argument; word != NULL; word = strchr(word, '|')) {
        word += *word == '|';
        if (length > 0 && strcspn(word, "|") == length && strncmp(word, value, length) == 0)
            return read_text(option, value, error);
    }
    snprintf(error->message, sizeof error->message, _("must be %s"), option->argument);
    return false;
}

static bool read_value(const cli_option *option, const char *value, gral_error *error)
{
    static bool (*const read[])(const cli_option *option, const char *value, gral_error *error) = {
        [CLI_NUMBER] = read_number, [CLI_REAL] = read_real,     [CLI_TEXT] = read_text,
        [CLI_FILE] = read_text,     [CLI_CHOICE] = read_choice,
    };
    return read[option->kind](option, value, error) && (option->take == NULL || option->take(option, value, error));
}

/* --- the words of a command --- */

typedef struct reader {
    int argc, at;
    char **argv;
    cli_words words;
    bool stopped; /* there is nothing more to do, and this is what to exit with: */
    int status;
} reader;

static void stop(reader *reader, int status)
{
    reader->stopped = true;
    reader->status = status;
}

static bool is_named(const cli_option *option, const char *word, size_t length)
{
    return strlen(option->name) == length && strncmp(option->name, word, length) == 0;
}

static const cli_option *find_option(reader *reader, const char *word, size_t length)
{
    const cli_option *options = reader->words.command->options;
    for (unsigned row = 0; options[row].name != NULL; row++)
        if (is_named(&options[row], word, length)) {
            assert(row < 8 * sizeof reader->words.given);
            reader->words.given |= UINT64_C(1) << row;
            return &options[row];
        }
    for (const cli_option *option = cli_common; option->name != NULL; option++)
        if (is_named(option, word, length))
            return option;
    return NULL;
}

static void take_switch(reader *reader, const cli_option *option)
{
    if (option->on != NULL) {
        *option->on = true;
        return;
    }
    cli_print_help(stdout, reader->words.command); /* the only switch that is stored nowhere */
    stop(reader, CLI_OK);
}

/* "players=3" or "players", and then its value is the next word. */
static void take_option(reader *reader, const char *word)
{
    const cli_command *command = reader->words.command;
    const size_t length = strcspn(word, "=");
    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    const cli_option *option = find_option(reader, word, length);
    gral_error error;
    if (option == NULL)
        stop(reader, cli_misused(command, _("unknown option '--%.*s'"), (int)length, word));
    else if (option->kind == CLI_SWITCH && value != NULL)
        stop(reader, cli_misused(command, _("--%s takes no value"), option->name));
    else if (option->kind == CLI_SWITCH)
        take_switch(reader, option);
    else if (value == NULL && reader->at == reader->argc)
        stop(reader,
             cli_misused(command, _("--%s needs a value: --%s %s"), option->name, option->name, option->argument));
    else if (!read_value(option, value != NULL ? value : (value = reader->argv[reader->at++]), &error))
        stop(reader, cli_misused(command, "--%s %s: %s", option->name, value, language_of(error.message)));
}

static void take_word(reader *reader, char *word)
{
    reader->words.word[reader->words.count++] = word; /* never ahead of `at`, so nothing unread is lost */
}

static void read_words(reader *reader)
{
    bool options = true;
    while (!reader->stopped && reader->at < reader->argc) {
        char *word = reader->argv[reader->at++];
        if (!options || word[0] != '-' || word[1] == '\0') {
            take_word(reader, word);
            options &= reader->words.command->commands == NULL;
        } else if (strcmp(word, "--") == 0) {
            options = false;
        } else if (strcmp(word, "-h") == 0) {
            take_option(reader, "help");
        } else if (word[1] == '-') {
            take_option(reader, word + 2);
        } else {
            stop(reader, cli_misused(reader->words.command, _("unknown option '%s'"), word));
        }
    }
}

static void install_defaults(const cli_command *command)
{
    gral_error error;
    for (const cli_option *option = command->options; option->name != NULL; option++)
        if (option->usual != NULL && !read_value(option, option->usual, &error))
            assert(!"a default of the wrong kind");
}

/* --- settings from a file --- */

/* Texts of files that were read: options may point into any of them. */
typedef struct settings_file {
    struct settings_file *next;
    char *text;
} settings_file;

static settings_file *settings_files;

static void set_as_usual(const cli_option *option)
{
    gral_error error;
    if (option->kind == CLI_SWITCH)
        *option->on = false;
    else if (option->usual != NULL)
        read_value(option, option->usual, &error);
    else if (option->kind == CLI_NUMBER)
        *option->number = 0;
    else if (option->kind != CLI_REAL)
        *option->text = NULL;
}

static bool read_switch(const cli_option *option, const char *value, gral_error *error)
{
    const bool yes = *value == '\0' || strcmp(value, "yes") == 0;
    if (!yes && strcmp(value, "no") != 0) {
        snprintf(error->message, sizeof error->message, _("must be %s"), "yes|no");
        return false;
    }
    *option->on = yes;
    return true;
}

static char *skip_blanks(char *at)
{
    return at + strspn(at, " \t\r");
}

/* "name value", "name=value", "name = value"; the line is cut up. */
static bool take_setting(const cli_words *words, char *line, gral_error *error)
{
    char *name = skip_blanks(line), *comment = name + strcspn(name, "#");
    while (*comment == '#' && comment > name && comment[-1] != ' ' && comment[-1] != '\t')
        comment += 1 + strcspn(comment + 1, "#"); /* it belongs to a word */
    *comment = '\0';
    for (size_t length = strlen(name); length > 0 && strchr(" \t\r", name[length - 1]) != NULL;)
        name[--length] = '\0';
    if (*name == '\0')
        return true;
    const size_t length = strcspn(name, " \t=");
    char *value = skip_blanks(name + length);
    value = *value == '=' ? skip_blanks(value + 1) : value;
    for (unsigned row = 0; words->command->options[row].name != NULL; row++) {
        const cli_option *option = &words->command->options[row];
        if (!is_named(option, name, length))
            continue;
        if (words->given >> row & 1)
            return true;
        return option->kind == CLI_SWITCH ? read_switch(option, value, error) : read_value(option, value, error);
    }
    snprintf(error->message, sizeof error->message, _("unknown setting '%.*s'"), (int)length, name);
    return false;
}

static char *read_whole_file(const char *path, gral_error *error)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    const ssize_t length = file != NULL ? getdelim(&text, &room, '\0', file) : -1;
    if (file == NULL || (length < 0 && ferror(file))) {
        snprintf(error->message, sizeof error->message, "%s: %s", path, strerror(errno));
        free(text);
        text = NULL;
    } else if (length < 0) {
        text[0] = '\0'; /* an empty file */
    }
    if (file != NULL)
        fclose(file);
    return text;
}

bool cli_read_settings(const cli_words *words, const char *path, gral_error *error)
{
    for (unsigned row = 0; words->command->options[row].name != NULL; row++)
        if (!(words->given >> row & 1))
            set_as_usual(&words->command->options[row]);
    char *text = read_whole_file(path, error);
    settings_file *file = text != NULL ? malloc(sizeof *file) : NULL;
    if (file == NULL) {
        free(text);
        return false;
    }
    *file = (settings_file){settings_files, text};
    settings_files = file;
    unsigned number = 1;
    for (char *line = text, *end; line != NULL; line = end, number++) {
        end = strchr(line, '\n');
        if (end != NULL)
            *end++ = '\0';
        gral_error why = {0};
        if (take_setting(words, line, &why))
            continue;
        snprintf(error->message, sizeof error->message, "%s:%u: %s", path, number, language_of(why.message));
        return false;
    }
    return true;
}

int cli_run(const cli_command *command, int argc, char **argv)
{
    reader reader = {.argc = argc, .argv = argv, .words = {.command = command, .word = argv}};
    install_defaults(command);
    read_words(&reader);
    if (reader.stopped)
        return reader.status;
    argv[reader.words.count] = NULL;
    if (reader.words.count < command->words_least)
        return cli_misused(command, _("%s is missing"), command->arguments);
    if (reader.words.count > command->words_most)
        return cli_misused(command, _("unexpected word '%s'"), argv[command->words_most]);
    return command->run(&reader.words);
}

bool cli_given(const cli_words *words, const char *option)
{
    const cli_option *options = words->command->options;
    for (unsigned row = 0; options[row].name != NULL; row++)
        if (strcmp(options[row].name, option) == 0)
            return words->given >> row & 1;
    assert(!"no such option");
    return false;
}

const cli_command *cli_find(const cli_command *const commands[], const char *name)
{
    while (*commands != NULL && strcmp((*commands)->name, name) != 0)
        commands++;
    return *commands;
}

unsigned cli_cores(unsigned most)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    if (count < 1)
        return 1;
    return count > (long)most ? most : (unsigned)count;
}
