/* What the server signs of a record: its lines as they are, so that nothing has to be put in order first.
 *
 *     gral record 1
 *     [Signer "…"]
 *     …
 *
 * After this head come all lines without their checks, each ended by a line feed, but for these: the tag Signature, the
 * salts, the placements, and the last line of the checks. Salts and placements are no part of it, so that the record of
 * a game that goes on can be signed like the one of a game that is over; nobody can exchange them, because the seals
 * are a part of it (R3.4), and the audit finds a placement without a seal. */
#include "statement.h"

#include "checks.h"

static const char head[] = "gral record 1\n";

static bool has_digit_at(gral_span bytes, size_t at)
{
    return bytes.length > at && bytes.bytes[at] >= '0' && bytes.bytes[at] <= '9';
}

/* "2: place 10 T1" */
static bool is_placement(gral_span line)
{
    size_t digits = 0;
    while (has_digit_at(line, digits))
        digits++;
    return digits > 0 && line_starts((gral_span){line.bytes + digits, line.length - digits}, ": place ");
}

bool line_is_secret(gral_span line)
{
    static const char salt[] = "[Salt";
    return is_placement(line) || (line_starts(line, salt) && has_digit_at(line, sizeof salt - 1));
}

bool open_lines_next(open_lines *lines)
{
    while (line_next(&lines->line, &lines->rest)) {
        if (lines->checks && lines->rest.length == 0)
            return false; /* the hash of all lines */
        if (lines->checks)
            lines->line.bytes = checks_without(lines->line.bytes);
        if (!line_is_secret(lines->line.bytes) && !line_starts(lines->line.bytes, "[Signature \""))
            return true;
    }
    return false;
}

void gral_statement_print(gral_text *text, gral_span file, bool checks)
{
    gral_text_add(text, head);
    for (open_lines lines = open_lines_of(file, checks); open_lines_next(&lines);) {
        gral_text_add_bytes(text, lines.line.bytes.bytes, lines.line.bytes.length);
        gral_text_add(text, "\n");
    }
}

static void add_tag(gral_text *text, const char *name, const uint8_t *bytes, size_t count)
{
    gral_text_add(text, "[");
    gral_text_add(text, name);
    gral_text_add(text, " \"");
    gral_bytes_print(text, bytes, count);
    gral_text_add(text, "\"]\n");
}

void gral_signer_tag(gral_text *tags, const gral_signer *signer)
{
    add_tag(tags, "Signer", signer->bytes, GRAL_SIGNER_BYTES);
}

void gral_signature_tag(gral_text *tags, const gral_signature *signature)
{
    add_tag(tags, "Signature", signature->bytes, GRAL_SIGNATURE_BYTES);
}

static bool speaks_for_file(gral_span line)
{
    return line_is_secret(line) || line_starts(line, "[Signer ") || line_starts(line, "[Signature ") ||
           (line_starts(line, "[Seal") && has_digit_at(line, strlen("[Seal")));
}

void gral_tags_unseal(char *tags)
{
    if (tags == NULL)
        return;
    char *end = tags;
    gral_span rest = {tags, strlen(tags)};
    for (line line = {0}; line_next(&line, &rest);) {
        if (speaks_for_file(line.bytes))
            continue;
        memmove(end, line.bytes.bytes, line.bytes.length);
        end += line.bytes.length;
        if (line.ended)
            *end++ = '\n';
    }
    *end = '\0';
}
