#include "scan.h"

#include <string.h>

enum { QUOTED_MAX = 24 };

scan scan_of(gral_span source, gral_error *error)
{
    return (scan){.source = source, .line = 1, .column = 1, .error = error};
}

bool scan_at_end(const scan *scan)
{
    return scan->at == scan->source.length;
}

static void place_error(scan *scan, size_t at)
{
    scan->failed = true;
    scan->error->line = scan->line;
    scan->error->column = scan->column + (uint32_t)at;
}

bool scan_fail_at(scan *scan, size_t at, const char *message)
{
    if (scan->failed)
        return false;
    place_error(scan, at);
    gral_text text = gral_text_in(scan->error->message, sizeof scan->error->message);
    gral_text_add(&text, message);
    return false;
}

/* What stands here, up to the next space, made harmless: nobody's bytes reach a terminal as they are. */
static void quote(gral_text *text, const scan *scan)
{
    size_t end = scan->at;
    while (end < scan->source.length && scan->source.bytes[end] != ' ')
        end++;
    if (end == scan->at) {
        gral_text_add(text, end == scan->source.length ? "the end" : "a space");
        return;
    }
    const bool cut = end - scan->at > QUOTED_MAX;
    gral_text_add(text, "'");
    for (size_t at = scan->at; at < end && at - scan->at < QUOTED_MAX; at++) {
        const char byte = scan->source.bytes[at];
        gral_text_add_bytes(text, byte > ' ' && byte <= '~' ? &byte : "?", 1);
    }
    gral_text_add(text, cut ? "...'" : "'");
}

bool scan_expected(scan *scan, const char *what)
{
    if (scan->failed)
        return false;
    place_error(scan, scan->at);
    gral_text text = gral_text_in(scan->error->message, sizeof scan->error->message);
    gral_text_add(&text, "expected ");
    gral_text_add(&text, what);
    gral_text_add(&text, ", not ");
    quote(&text, scan);
    return false;
}

bool scan_end(scan *scan, const char *what)
{
    return !scan->failed && (scan_at_end(scan) || scan_expected(scan, what));
}

bool scan_if(scan *scan, const char *literal)
{
    const size_t length = strlen(literal);
    if (scan->failed || scan->source.length - scan->at < length ||
        memcmp(scan->source.bytes + scan->at, literal, length) != 0)
        return false;
    scan->at += length;
    return true;
}

bool scan_literal(scan *scan, const char *literal, const char *what)
{
    return scan_if(scan, literal) || scan_expected(scan, what);
}

/* Digits without leading zeros, at most `most`. */
bool scan_long_number(scan *scan, uint64_t most, uint64_t *number, const char *what)
{
    const char *bytes = scan->source.bytes;
    uint64_t value = 0;
    size_t at = scan->at;
    bool fits = true;
    for (; fits && at < scan->source.length && bytes[at] >= '0' && bytes[at] <= '9'; at++) {
        const uint64_t digit = (uint64_t)(bytes[at] - '0');
        fits = digit <= most && value <= (most - digit) / 10;
        value = 10 * value + digit;
    }
    const bool leading_zero = at > scan->at + 1 && bytes[scan->at] == '0';
    if (scan->failed || at == scan->at || leading_zero || !fits)
        return scan_expected(scan, what);
    scan->at = at;
    *number = value;
    return true;
}

bool scan_number(scan *scan, uint32_t most, uint32_t *number, const char *what)
{
    uint64_t value = 0;
    if (!scan_long_number(scan, most, &value, what))
        return false;
    *number = (uint32_t)value;
    return true;
}

bool scan_pawn(scan *scan, uint8_t *pawn)
{
    for (unsigned p = 0; p < GRAL_PAWNS; p++)
        if (scan_if(scan, gral_pawn_id(p))) {
            *pawn = (uint8_t)p;
            return true;
        }
    return scan_expected(scan, "an initiate (T1 T2 A1 A2 I1 I2 R1 R2)");
}

bool scan_field(scan *scan, uint8_t *field)
{
    const char *at = scan->source.bytes + scan->at;
    if (scan->failed || scan->source.length - scan->at < 2 || at[0] < 'a' || at[0] >= 'a' + GRAL_COLUMNS ||
        at[1] < '1' || at[1] >= '1' + GRAL_ROWS)
        return scan_expected(scan, "a field (a1 to e5)");
    *field = (uint8_t)(GRAL_COLUMNS * (at[1] - '1') + (at[0] - 'a'));
    scan->at += 2;
    return true;
}

gral_span scan_until(scan *scan, const char *stops)
{
    const size_t start = scan->at;
    while (!scan_at_end(scan) && memchr(stops, scan->source.bytes[scan->at], strlen(stops)) == NULL)
        scan->at++;
    return (gral_span){scan->source.bytes + start, scan->at - start};
}

size_t scan_plain(const char *bytes, size_t left)
{
    static const struct {
        unsigned char first, last, mask;
        uint32_t least;
    } form[] = {
        {0x20, 0x7e, 0x7f, 0x20}, {0xc2, 0xdf, 0x1f, 0xa0}, {0xe0, 0xef, 0x0f, 0x800}, {0xf0, 0xf4, 0x07, 0x10000}};
    const unsigned char *at = (const unsigned char *)bytes;
    for (size_t length = 1; length <= sizeof form / sizeof *form; length++) {
        if (*at < form[length - 1].first || *at > form[length - 1].last || left < length)
            continue;
        uint32_t character = *at & form[length - 1].mask;
        for (size_t next = 1; next < length; next++) {
            if ((at[next] & 0xc0) != 0x80)
                return 0;
            character = character << 6 | (at[next] & 0x3f);
        }
        const bool surrogate = character >= 0xd800 && character <= 0xdfff;
        return character >= form[length - 1].least && character <= 0x10ffff && !surrogate ? length : 0;
    }
    return 0;
}

bool span_is(gral_span span, const char *words)
{
    return span.length == strlen(words) && memcmp(span.bytes, words, span.length) == 0;
}
