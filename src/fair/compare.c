/* A record against one that somebody saved before. What the older one says must stand in the newer one: the same terms
 * and names, the same seals and actions in the same order; only after them may there be more, and only if the game
 * went on. */
#include "statement.h"
#include "translate.h"

enum part { PART_NONE, PART_TERMS, PART_SEALS, PART_ACTIONS, PART_END, PARTS };

/* What may be said of a line that differs, that is missing, or that is one too many. */
static const struct {
    const char *other, *missing, *more;
} faults[PARTS] = {
    [PART_TERMS] = {N_("the saved record differs here"), N_("something in the saved record is missing here"),
                    N_("this is not in the saved record")},
    [PART_SEALS] = {N_("the saved record has another seal here"), N_("seals of the saved record are missing here"),
                    N_("the saved record covers the whole game and does not have this seal")},
    [PART_ACTIONS] = {N_("the saved record has another action here"),
                      N_("actions of the saved record are missing here"),
                      N_("the saved record covers the whole game and does not have this action")},
    [PART_END] = {N_("the game ended differently in the saved record"),
                  N_("the game ended differently in the saved record"),
                  N_("the game ended differently in the saved record")},
};

/* The first that fits. Who has signed may change while a game goes on. */
static const struct {
    const char *start;
    enum part part;
} starts[] = {
    {"[Signer ", PART_NONE}, {"[View ", PART_NONE},       {"[Seal", PART_SEALS}, {"[Result ", PART_END},
    {";", PART_NONE},        {"[Termination ", PART_END}, {"[", PART_TERMS},     {"", PART_ACTIONS},
};

static enum part part_of(gral_span line)
{
    size_t row = 0;
    while (!line_starts(line, starts[row].start))
        row++;
    return line.length > 0 ? starts[row].part : PART_NONE;
}

/* The next line of this part, or false. */
static bool next_of(open_lines *lines, enum part part)
{
    while (open_lines_next(lines))
        if (part_of(lines->line.bytes) == part)
            return true;
    return false;
}

static bool same(gral_span a, gral_span b)
{
    return a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

/* How long the front of a line [Player2 "Ben"] is, up to the name; 0 for another line. */
static size_t front_of_name(gral_span line)
{
    static const char start[] = "[Player";
    size_t at = sizeof start - 1;
    if (!line_starts(line, start))
        return 0;
    while (at < line.length && line.bytes[at] >= '0' && line.bytes[at] <= '9')
        at++;
    const gral_span rest = {line.bytes + at, line.length - at};
    return at >= sizeof start && line_starts(rest, " \"") ? at + 2 : 0;
}

static bool fail(gral_error *error, uint32_t line, const char *message)
{
    *error = (gral_error){.line = line, .column = 1};
    gral_text text = gral_text_in(error->message, sizeof error->message);
    gral_text_add(&text, message);
    return false;
}

typedef struct comparison {
    gral_span file, saved;
    bool checks, saved_checks;
    bool goes_on;       /* the saved one is of a game that went on */
    bool may_end;       /* so is the other: it may be the older of the two */
    uint32_t name_line; /* of the first name that is another; 0: none is */
    gral_comparison found;
    gral_error *error;
} comparison;

/* Two lines that are not the same, of a player's name: whoever deletes his account takes it away, also from the
 * records, and a guest may register under another. So a name alone is no proof, and everything else is looked at first.
 * False if they are no names of one player. */
static bool note_name(comparison *comparison, const line *line, gral_span saved)
{
    const size_t front = front_of_name(line->bytes);
    if (front == 0 || front_of_name(saved) != front || memcmp(line->bytes.bytes, saved.bytes, front) != 0)
        return false;
    if (line->bytes.length > front && line->bytes.bytes[front] == '"')
        comparison->found.names_removed++;
    else if (comparison->name_line == 0)
        comparison->name_line = line->number;
    return true;
}

static bool compare_part(comparison *comparison, enum part part, size_t *count)
{
    open_lines file = open_lines_of(comparison->file, comparison->checks);
    open_lines saved = open_lines_of(comparison->saved, comparison->saved_checks);
    for (; next_of(&saved, part); ++*count) {
        if (!next_of(&file, part)) {
            comparison->found.is_older |= comparison->may_end && part != PART_TERMS;
            return comparison->found.is_older || fail(comparison->error, file.line.number, faults[part].missing);
        }
        if (!same(file.line.bytes, saved.line.bytes) && !note_name(comparison, &file.line, saved.line.bytes))
            return fail(comparison->error, file.line.number, faults[part].other);
    }
    const bool may_grow = comparison->goes_on && part != PART_TERMS;
    return may_grow || !next_of(&file, part) || fail(comparison->error, file.line.number, faults[part].more);
}

bool gral_compare_records(gral_span file, const gral_audit *audit, gral_span saved, const gral_audit *saved_audit,
                          gral_comparison *found, gral_error *error)
{
    comparison comparison = {.file = file,
                             .saved = saved,
                             .checks = audit->checks,
                             .saved_checks = saved_audit->checks,
                             .goes_on = saved_audit->open,
                             .may_end = audit->open,
                             .error = error};
    size_t ignored = 0;
    *found = comparison.found;
    if (!compare_part(&comparison, PART_TERMS, &ignored) ||
        !compare_part(&comparison, PART_SEALS, &comparison.found.seals) ||
        !compare_part(&comparison, PART_ACTIONS, &comparison.found.actions) ||
        (!comparison.goes_on && !compare_part(&comparison, PART_END, &ignored)))
        return false;
    *found = comparison.found;
    found->only_names = comparison.name_line > 0;
    if (found->only_names)
        return fail(error, comparison.name_line, N_("the saved record has another name here"));
    return !found->is_older || fail(error, 1, N_("the saved record goes on longer: this one is older"));
}
