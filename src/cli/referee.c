#include "referee.h"

#include "command.h"
#include "gral/fair.h"
#include "gral/view.h"
#include "terminal/language.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 8192 };

referee referee_begin(const files *files)
{
    return (referee){.files = files};
}

void referee_end(referee *referee)
{
    gral_record_free(&referee->record);
    referee->playing = false;
}

static bool refuse(gral_text *answer, const char *reason)
{
    gral_text_add(answer, "error: ");
    gral_text_add(answer, reason);
    gral_text_add(answer, "\n");
    return false;
}

/* "error: column 8: expected …", or with the line before it. */
static bool refuse_text(gral_text *answer, const gral_error *error, bool with_line, size_t column_offset)
{
    gral_text_add(answer, "error: ");
    if (with_line) {
        gral_text_add(answer, "line ");
        gral_text_add_number(answer, error->line);
        gral_text_add(answer, ", ");
    }
    gral_text_add(answer, "column ");
    gral_text_add_number(answer, error->column + (uint32_t)column_offset);
    gral_text_add(answer, ": ");
    gral_text_add(answer, error->message);
    gral_text_add(answer, "\n");
    return false;
}

static bool refuse_file(gral_text *answer, const char *path, const char *why)
{
    gral_text_add(answer, "error: ");
    gral_text_add(answer, path);
    gral_text_add(answer, ": ");
    gral_text_add(answer, why);
    gral_text_add(answer, "\n");
    return false;
}

static void install(referee *referee, const gral_record *record)
{
    gral_record_free(&referee->record);
    referee->record = *record;
    referee->playing = true;
    gral_record_replay(&referee->record, referee->record.count, &referee->game, &referee->state);
}

static bool do_new(referee *referee, gral_span words, gral_text *answer)
{
    gral_settings settings;
    gral_error error;
    if (!gral_settings_parse(words, &settings, &error))
        return refuse_text(answer, &error, false, strlen("new "));
    const gral_record record = gral_record_begin(&settings);
    install(referee, &record);
    return true;
}

static bool do_legal(referee *referee, gral_span words, gral_text *answer)
{
    (void)words;
    const gral_options options = gral_legal_options(&referee->game, &referee->state);
    gral_options_print(answer, &referee->game, &referee->state.open, &options);
    return true;
}

static bool do_action(referee *referee, gral_span words, gral_text *answer)
{
    gral_action action;
    gral_error error;
    if (!gral_action_parse(words, &action, &error))
        return refuse_text(answer, &error, false, strlen("do "));
    const enum gral_fault fault = gral_check(&referee->game, &referee->state, action);
    if (fault != GRAL_LEGAL)
        return refuse(answer, gral_fault_text(fault));
    if (!gral_record_add(&referee->record, referee->state.open.actor, action))
        return refuse(answer, "out of memory");
    gral_apply(&referee->game, &referee->state, action);
    return true;
}

static bool do_state(referee *referee, gral_span words, gral_text *answer)
{
    (void)words;
    gral_state_print(answer, &referee->game, &referee->state.open, referee->state.sheet, UINT32_MAX);
    return true;
}

static bool do_view(referee *referee, gral_span words, gral_text *answer)
{
    char word[4] = "";
    uint32_t seat = 0;
    if (words.length < sizeof word)
        memcpy(word, words.bytes, words.length);
    if (!cli_number(word, referee->state.open.players, &seat) || seat == 0)
        return refuse(answer, "column 6: expected the number of a player");
    const gral_view view = gral_view_of(&referee->state, seat - 1);
    gral_view_print(answer, &referee->game, &view);
    return true;
}

/* A game is its record: what came before the last action is the record without it, replayed. */
static bool do_undo(referee *referee, gral_span words, gral_text *answer)
{
    (void)words;
    if (referee->record.count == 0)
        return refuse(answer, "there is nothing to take back");
    referee->record.count--;
    gral_record_replay(&referee->record, referee->record.count, &referee->game, &referee->state);
    return true;
}

static bool path_of(gral_span words, char path[PATH_MAX], gral_text *answer)
{
    if (words.length == 0)
        return refuse(answer, "the name of the file is missing");
    if (words.length >= PATH_MAX)
        return refuse(answer, "the name of the file is too long");
    for (size_t at = 0; at < words.length; at++)
        if ((unsigned char)words.bytes[at] < ' ' || words.bytes[at] == 0x7f)
            return refuse(answer, "the name of the file has a control character");
    memcpy(path, words.bytes, words.length);
    path[words.length] = '\0';
    return true;
}

static bool do_save(referee *referee, gral_span words, gral_text *answer)
{
    char path[PATH_MAX];
    if (!path_of(words, path, answer))
        return false;
    size_t length;
    char *bytes = gral_record_text(&referee->record, &length);
    const char *why = "out of memory";
    const bool saved = bytes != NULL && referee->files->write(path, (gral_span){bytes, length}, &why);
    free(bytes);
    return saved || refuse_file(answer, path, why);
}

static bool do_load(referee *referee, gral_span words, gral_text *answer)
{
    char path[PATH_MAX];
    if (!path_of(words, path, answer))
        return false;
    size_t length = 0;
    const char *why = "";
    char *bytes = referee->files->read(path, &length, &why);
    if (bytes == NULL)
        return refuse_file(answer, path, why);
    gral_record record;
    gral_error error;
    const bool parsed = gral_record_parse((gral_span){bytes, length}, &record, &error);
    free(bytes);
    if (!parsed)
        return refuse_text(answer, &error, true, 0);
    gral_tags_unseal(record.tags);
    install(referee, &record);
    return true;
}

static const struct {
    const char *word;
    bool takes_words, needs_game;
    bool (*answer)(referee *referee, gral_span words, gral_text *answer);
} commands[] = {
    {"new", true, false, do_new},     {"legal", false, true, do_legal}, {"do", true, true, do_action},
    {"state", false, true, do_state}, {"view", true, true, do_view},    {"undo", false, true, do_undo},
    {"save", true, true, do_save},    {"load", true, false, do_load},
};

static bool answer_command(referee *referee, gral_span line, gral_text *answer)
{
    const char *space = memchr(line.bytes, ' ', line.length);
    const size_t length = space != NULL ? (size_t)(space - line.bytes) : line.length;
    for (size_t row = 0; row < sizeof commands / sizeof *commands; row++) {
        if (strlen(commands[row].word) != length || memcmp(commands[row].word, line.bytes, length) != 0)
            continue;
        if (!commands[row].takes_words && space != NULL)
            return refuse(answer, "nothing may follow this command");
        if (commands[row].needs_game && !referee->playing)
            return refuse(answer, "there is no game: start one with 'new players=N'");
        const size_t start = space != NULL ? length + 1 : length;
        return commands[row].answer(referee, (gral_span){line.bytes + start, line.length - start}, answer);
    }
    return refuse(answer, "expected a command (new legal do state view undo save load)");
}

void referee_answer(referee *referee, gral_span line, gral_text *answer)
{
    if (line.length > 0 && line.bytes[line.length - 1] == '\r')
        line.length--;
    if (line.length == 0 || line.bytes[0] == '#')
        return;
    if (answer_command(referee, line, answer))
        gral_text_add(answer, "ok\n");
}

/* Reads one line without its end; at most LINE_MAX_BYTES of it are kept, `length` counts them all. */
static bool read_line(char line[LINE_MAX_BYTES], size_t *length)
{
    *length = 0;
    int byte;
    while ((byte = getchar_unlocked()) != EOF && byte != '\n') {
        if (*length < LINE_MAX_BYTES)
            line[*length] = (char)byte;
        ++*length;
    }
    return byte != EOF || *length > 0;
}

static int run(const cli_words *words)
{
    (void)words;
    if (isatty(STDIN_FILENO))
        fputs(_("The referee is listening. Try: new players=2, legal, do done, state, view 1, undo. Ctrl-D ends it.\n"),
              stderr);
    static char line[LINE_MAX_BYTES], answer[REFEREE_ANSWER_MAX];
    referee referee = referee_begin(&disk_files);
    size_t length;
    while (read_line(line, &length)) {
        gral_text text = gral_text_in(answer, sizeof answer);
        if (length > sizeof line)
            refuse(&text, "the line is longer than 8192 bytes");
        else
            referee_answer(&referee, (gral_span){line, length}, &text);
        if (fputs(answer, stdout) == EOF || fflush(stdout) == EOF)
            break; /* nobody reads any more */
    }
    referee_end(&referee);
    return CLI_OK;
}

const cli_command command_referee = {
    .name = "referee",
    .arguments = "",
    .summary = N_("judge a game, driven by lines of text"),
    .description = N_("Reads one command per line from standard input and answers on standard output: data lines, then "
                      "'ok', or one line 'error: ...', which means that nothing has changed. Empty lines and lines "
                      "that begin with '#' are ignored.\n\n"
                      "new players=N [rules=standard|original] [first=K] [limit=L] [hq=TAIR] starts a game; board=3x1, "
                      "pawns=T1,A1, units=2,1 and grail=b1 make a smaller one. legal lists what the acting player may "
                      "do, do ACTION does it, undo takes it back. state shows everything, view K what seat K may know. "
                      "save FILE and load FILE write and replay a record."),
    .options = (const cli_option[]){{0}},
    .run = run,
};
