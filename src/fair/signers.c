/* The keys of a server, in a list that it publishes:
 *
 *     gral keys 1
 *     1 1794787200 8f…e2 -
 *     2 1797379200 07…41 5c…0b
 *
 * A line is a key's number, the time in seconds since 1970 from which it signs, the key, and the signature of the key
 * before it over
 *
 *     gral key 1
 *     2 1797379200 07…41
 *
 * with a line feed after each line. So whoever knows one key can follow the list to the newest; a list only grows at
 * its end. */
#include "gral/fair.h"

#include "lines.h"
#include "translate.h"

static const char list_head[] = "gral keys 1", key_head[] = "gral key 1\n", no_signature[] = "-";

enum { NUMBER_MAX = 20, ENDORSED_MAX = 2 * NUMBER_MAX + 2 * GRAL_SIGNER_BYTES + 32 };

/* --- writing --- */

static void print_key(gral_text *text, const gral_listed_signer *listed)
{
    gral_text_add_number(text, listed->number);
    gral_text_add(text, " ");
    gral_text_add_number(text, listed->time);
    gral_text_add(text, " ");
    gral_bytes_print(text, listed->signer.bytes, GRAL_SIGNER_BYTES);
}

void gral_signer_statement(gral_text *text, const gral_listed_signer *listed)
{
    gral_text_add(text, key_head);
    print_key(text, listed);
    gral_text_add(text, "\n");
}

void gral_signers_print(gral_text *text, const gral_listed_signer *list, size_t count)
{
    gral_text_add(text, list_head);
    gral_text_add(text, "\n");
    for (size_t index = 0; index < count; index++) {
        print_key(text, &list[index]);
        gral_text_add(text, " ");
        if (index == 0)
            gral_text_add(text, no_signature);
        else
            gral_bytes_print(text, list[index].endorsement.bytes, GRAL_SIGNATURE_BYTES);
        gral_text_add(text, "\n");
    }
}

/* --- reading --- */

static gral_span take_word(gral_span *rest)
{
    const char *space = rest->length > 0 ? (const char *)memchr(rest->bytes, ' ', rest->length) : NULL;
    const gral_span word = {rest->bytes, space != NULL ? (size_t)(space - rest->bytes) : rest->length};
    const size_t taken = word.length + (space != NULL);
    *rest = (gral_span){rest->bytes + taken, rest->length - taken};
    return word;
}

/* As it is printed: no sign, no zeros in front, and not so long that it would not fit. */
static bool read_number(gral_span word, uint64_t *number)
{
    *number = 0;
    for (size_t at = 0; at < word.length; at++) {
        if (word.bytes[at] < '0' || word.bytes[at] > '9')
            return false;
        *number = 10 * *number + (uint64_t)(word.bytes[at] - '0');
    }
    return word.length > 0 && word.length < NUMBER_MAX - 1 && (word.length == 1 || word.bytes[0] != '0');
}

static bool read_key(gral_span line, uint32_t expected, gral_listed_signer *listed)
{
    uint64_t number;
    if (!read_number(take_word(&line), &number) || number != expected ||
        !read_number(take_word(&line), &listed->time) ||
        !gral_bytes_parse(take_word(&line), listed->signer.bytes, GRAL_SIGNER_BYTES))
        return false;
    listed->number = expected;
    if (expected == 1)
        return line.length == sizeof no_signature - 1 && line_starts(line, no_signature);
    return gral_bytes_parse(line, listed->endorsement.bytes, GRAL_SIGNATURE_BYTES);
}

static bool is_endorsed(const gral_listed_signer *listed, const gral_signer *previous, gral_ed25519 *check)
{
    char words[ENDORSED_MAX];
    gral_text text = gral_text_in(words, sizeof words);
    gral_signer_statement(&text, listed);
    return listed->number == 1 || check(previous, (gral_span){words, text.length}, &listed->endorsement);
}

static bool fail(gral_error *error, uint32_t line, const char *message)
{
    *error = (gral_error){.line = line, .column = 1};
    gral_text text = gral_text_in(error->message, sizeof error->message);
    gral_text_add(&text, message);
    return false;
}

bool gral_signers_find(gral_span list, gral_ed25519 *check, const gral_signer *sought, uint32_t *number,
                       gral_error *error)
{
    line line = {0};
    gral_listed_signer listed = {0};
    uint32_t found = 0;
    if (!line_next(&line, &list) || line.bytes.length != sizeof list_head - 1 || !line_starts(line.bytes, list_head))
        return fail(error, 1, N_("this is not a list of keys"));
    while (line_next(&line, &list)) {
        const gral_signer previous = listed.signer;
        if (!line.ended || !read_key(line.bytes, line.number - 1, &listed))
            return fail(error, line.number, N_("expected a number, a time, a key and a signature"));
        if (!is_endorsed(&listed, &previous, check))
            return fail(error, line.number, N_("this key is not signed by the one before it"));
        if (found == 0 && memcmp(listed.signer.bytes, sought->bytes, GRAL_SIGNER_BYTES) == 0)
            found = listed.number;
    }
    *number = found;
    return true;
}
