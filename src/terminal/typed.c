/* What a person types: commands to the program, and actions in the notation with some freedom. Words may be cut
 * short as long as they are clear ("note" is notepad), capitals and commas do not matter, and where the
 * game makes the meaning plain the verb may be left out: "T1 a2" is a step, "3" an objection or a claim. */
#include "language.h"
#include "play.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static const struct {
    const char *word, *help;
} commands[] = {
    [PLAY_BOARD] = {"board", N_("who stands where, and where the grail is")},
    [PLAY_MAP] = {"map", N_("the board as a drawing")},
    [PLAY_SHEET] = {"sheet", N_("your own influence sheet")},
    [PLAY_NOTEPAD] = {"notepad", N_("what can be deduced about everybody's influence")},
    [PLAY_LOG] = {"log", N_("what has happened so far; log 10: the last ten events")},
    [PLAY_LEGAL] = {"legal", N_("everything you can do now")},
    [PLAY_HINT] = {"hint", N_("what the computer would do in your place, and why")},
    [PLAY_UNDO] = {"undo", N_("undo your last placement, until you type done")},
    [PLAY_SAVE] = {"save", N_("show where the game is saved; save FILE: save a copy there")},
    [PLAY_RULES] = {"rules", N_("the rules in short")},
    [PLAY_HELP] = {"help", N_("this list")},
    [PLAY_QUIT] = {"quit", N_("quit; the game is saved")},
    [PLAY_COMMANDS] = {NULL, NULL},
};

void play_help(gral_text *text)
{
    static const char *const intro[] = {
        N_("Actions: place 10 T1, done, assign, step T1 a2, step T1 a2 x T2, uncover T1 T2, object 3, pass, claim 3, "
           "yield, keep, drop, leave."),
        N_("Shortcuts: place 10 T1 5 A2 places two units; T1 a2 is a step; a number alone is an objection or a claim; "
           "words can be shortened as long as they are clear."),
    };
    for (size_t index = 0; index < sizeof intro / sizeof *intro; index++)
        words_fill(text, "{line}\n", "line", _(intro[index]), NULL);
    for (unsigned command = PLAY_BOARD; command < PLAY_COMMANDS; command++)
        words_fill(text, "{word}: {help}\n", "word", commands[command].word, "help", _(commands[command].help), NULL);
}

/* How each action is written, and which of its words (bit 0: the first after the verb) are initiates: they have
 * capitals, for A1 is one and a1 is a field. */
static const struct {
    const char *word, *usage;
    uint64_t initiates;
} verbs[GRAL_VERBS] = {
    [GRAL_PLACE] = {"place", "place 10 T1 5 A2", UINT64_C(0xaaaaaaaaaaaaaaaa)},
    [GRAL_DONE] = {"done", "done", 0},
    [GRAL_ASSIGN] = {"assign", "assign", 0},
    [GRAL_STEP] = {"step", "step T1 a2, step T1 a2 x T2", 1 << 0 | 1 << 3},
    [GRAL_UNCOVER] = {"uncover", "uncover T1 T2", 1 << 0 | 1 << 1},
    [GRAL_OBJECT] = {"object", "object 3", 0},
    [GRAL_PASS] = {"pass", "pass", 0},
    [GRAL_CLAIM] = {"claim", "claim 3", 0},
    [GRAL_YIELD] = {"yield", "yield", 0},
    [GRAL_KEEP] = {"keep", "keep", 0},
    [GRAL_DROP] = {"drop", "drop", 0},
    [GRAL_LEAVE] = {"leave", "leave", 0},
};

/* Small letters, single spaces and no commas. */
static void tidy(const char *line, char words[PLAY_LINE_MAX])
{
    size_t length = 0;
    bool gap = false;
    for (; *line != '\0' && length + 2 < PLAY_LINE_MAX; line++) {
        if (isspace((unsigned char)*line) || *line == ',') {
            gap = length > 0;
            continue;
        }
        if (gap)
            words[length++] = ' ';
        words[length++] = (char)tolower((unsigned char)*line);
        gap = false;
    }
    words[length] = '\0';
}

static void raise_initiates(char *words, uint64_t initiates)
{
    for (unsigned word = 0; word < 64 && *words != '\0'; word++) {
        if (initiates >> word & 1)
            *words = (char)toupper((unsigned char)*words);
        words += strcspn(words, " ");
        words += *words == ' ';
    }
}

/* The row of the table that the word names or, when it is clear, begins. */
typedef struct match {
    unsigned verb, command, count;
} match;

static void consider(match *found, const char *candidate, const char *word, size_t length, unsigned verb,
                     unsigned command)
{
    if (candidate == NULL || strncmp(candidate, word, length) != 0)
        return;
    const bool exact = candidate[length] == '\0';
    if (exact || found->count == 0) {
        found->verb = verb;
        found->command = command;
    }
    found->count = exact ? 1 : found->count + 1;
}

static match find(const char *word, size_t length)
{
    match found = {0};
    for (unsigned verb = 0; verb < GRAL_VERBS; verb++)
        consider(&found, verbs[verb].word, word, length, verb, PLAY_ACTIONS);
    for (unsigned command = PLAY_BOARD; command < PLAY_COMMANDS; command++)
        consider(&found, commands[command].word, word, length, GRAL_NOTHING, command);
    return found;
}

static bool add_action(play_typed *typed, const char *verb, gral_span words)
{
    char notation[PLAY_LINE_MAX + 16];
    gral_text text = gral_text_in(notation, sizeof notation);
    gral_text_add(&text, verb);
    if (words.length > 0) {
        gral_text_add(&text, " ");
        gral_text_add_bytes(&text, words.bytes, words.length);
    }
    gral_error error;
    return typed->actions < PLAY_ACTIONS_MAX &&
           gral_action_parse(gral_span_of(notation), &typed->action[typed->actions], &error) && ++typed->actions;
}

/* "10 T1 5 A2" is two placements. */
static bool add_placements(play_typed *typed, const char *words)
{
    do {
        const size_t unit = strcspn(words, " ");
        const size_t pair = words[unit] == '\0' ? unit : unit + 1 + strcspn(words + unit + 1, " ");
        if (!add_action(typed, verbs[GRAL_PLACE].word, (gral_span){words, pair}))
            return false;
        words += pair;
        words += *words == ' ';
    } while (*words != '\0');
    return true;
}

static void read_action(play_typed *typed, unsigned verb, char *words)
{
    raise_initiates(words, verbs[verb].initiates);
    const bool read = verb == GRAL_PLACE ? add_placements(typed, words)
                                         : add_action(typed, verbs[verb].word, gral_span_of(words));
    typed->command = read ? PLAY_ACTIONS : PLAY_MALFORMED;
    typed->usage = verbs[verb].usage;
}

static unsigned verb_left_out(const char *words, enum gral_phase phase)
{
    static const uint8_t of_number[GRAL_PHASES] = {
        [GRAL_OPENING] = GRAL_PLACE,    [GRAL_TURN] = GRAL_CLAIM,   [GRAL_PLACING] = GRAL_PLACE,
        [GRAL_OBJECTION] = GRAL_OBJECT, [GRAL_ANSWER] = GRAL_CLAIM, [GRAL_GRAIL] = GRAL_CLAIM,
    };
    if (isdigit((unsigned char)words[0]))
        return of_number[phase];
    const bool initiate = strchr("tair", words[0]) != NULL && (words[1] == '1' || words[1] == '2');
    return initiate ? GRAL_STEP : GRAL_NOTHING;
}

play_typed play_read(const char *line, enum gral_phase phase)
{
    play_typed typed = {.command = PLAY_NOTHING};
    char words[PLAY_LINE_MAX];
    tidy(line, words);
    if (words[0] == '\0')
        return typed;
    const unsigned verb = verb_left_out(words, phase);
    if (verb != GRAL_NOTHING) {
        read_action(&typed, verb, words);
        return typed;
    }
    const size_t length = strcspn(words, " ");
    const match found = find(words, length);
    if (found.count != 1) {
        typed.command = found.count == 0 ? PLAY_UNKNOWN : PLAY_AMBIGUOUS;
        return typed;
    }
    if (found.command == PLAY_ACTIONS) {
        read_action(&typed, found.verb, words + length + (words[length] == ' '));
        return typed;
    }
    typed.command = (enum play_command)found.command;
    line += strspn(line, " \t");
    line += strcspn(line, " \t\r\n");
    line += strspn(line, " \t");
    gral_text rest = gral_text_in(typed.rest, sizeof typed.rest);
    gral_text_add_bytes(&rest, line, strcspn(line, "\r\n"));
    return typed;
}
