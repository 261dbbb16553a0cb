/* Checks: which line of a record was changed, not only that one was.
 *
 * All lines make up a chain of hashes, H being BLAKE2b with 32 bytes:
 *
 *     h(0) = 32 zeros,  h(i) = H(h(i-1), H(line i))
 *
 * A line is its bytes without its check and without its end. Each but the empty ones is followed by its check: a space,
 * a semicolon and the first two bytes of h(i) in hexadecimal. After the last line comes one with the whole hash, and
 * then nothing:
 *
 *     1: step T1 a2 ;90c1
 *     ; gral checks 1 c2f0…
 *
 * To a reader of records these are comments. Two bytes let one wrong line in 65536 pass; the next line is wrong then,
 * and at the end the whole hash. Checks find mishaps, and the place of a mishap: whoever changes a record on purpose
 * can make new ones, and that is what seals are for. */
#include "checks.h"

#include "lines.h"
#include "translate.h"

#include <assert.h>

static const char closing[] = "; gral checks ";
static const char version[] = "1 ";

enum {
    CHECK_BYTES = 2,
    CHECK_LENGTH = 2 + 2 * CHECK_BYTES, /* " ;90c1" */
    CLOSING_LENGTH = sizeof closing - 1 + sizeof version - 1 + 2 * GRAL_SEAL_BYTES
};

typedef struct chain {
    gral_blake2b *hash;
    uint8_t state[GRAL_SEAL_BYTES];
} chain;

static void chain_add(chain *chain, gral_span line)
{
    uint8_t both[2 * GRAL_SEAL_BYTES];
    memcpy(both, chain->state, GRAL_SEAL_BYTES);
    chain->hash(line.bytes, line.length, both + GRAL_SEAL_BYTES);
    chain->hash(both, sizeof both, chain->state);
}

static void print_check(gral_text *text, const chain *chain)
{
    gral_text_add(text, " ;");
    gral_bytes_print(text, chain->state, CHECK_BYTES);
}

static void print_closing(gral_text *text, const chain *chain)
{
    gral_text_add(text, closing);
    gral_text_add(text, version);
    gral_bytes_print(text, chain->state, GRAL_SEAL_BYTES);
}

void gral_checks_add(gral_text *text, gral_span record, gral_blake2b *hash)
{
    chain chain = {.hash = hash};
    line line = {0};
    while (line_next(&line, &record)) {
        chain_add(&chain, line.bytes);
        gral_text_add_bytes(text, line.bytes.bytes, line.bytes.length);
        if (line.bytes.length > 0)
            print_check(text, &chain);
        gral_text_add(text, "\n");
    }
    print_closing(text, &chain);
    gral_text_add(text, "\n");
}

gral_span checks_without(gral_span line)
{
    return (gral_span){line.bytes, line.length > CHECK_LENGTH ? line.length - CHECK_LENGTH : 0};
}

static bool ends_in_cr(gral_span line)
{
    return line.length > 0 && line.bytes[line.length - 1] == '\r';
}

/* What is wrong with a line, or NULL; the chain goes on. */
static const char *line_problem(chain *chain, gral_span line)
{
    if (line.length == 0) {
        chain_add(chain, line);
        return NULL;
    }
    if (ends_in_cr(line))
        return N_("this line ends in CR LF, but was written with LF alone");
    if (line.length < CHECK_LENGTH)
        return N_("this line has no check");
    const size_t length = line.length - CHECK_LENGTH;
    chain_add(chain, (gral_span){line.bytes, length});
    char check[CHECK_LENGTH + 1];
    gral_text text = gral_text_in(check, sizeof check);
    print_check(&text, chain);
    return memcmp(line.bytes + length, check, CHECK_LENGTH) == 0 ? NULL : N_("this line or its check was changed");
}

static const char *closing_problem(const chain *chain, const line *line)
{
    char expected[CLOSING_LENGTH + 1];
    gral_text text = gral_text_in(expected, sizeof expected);
    print_closing(&text, chain);
    assert(text.length == CLOSING_LENGTH);
    if (line->bytes.length != CLOSING_LENGTH || memcmp(line->bytes.bytes, expected, CLOSING_LENGTH) != 0)
        return N_("this is not the hash of the lines above");
    return line->ended ? NULL : N_("this line was cut off at its end");
}

/* A damaged file may have lost what marks it as one with checks: a single check that fits is mark enough, and so is a
 * last line, wherever it stands. */
enum checks checks_look(gral_span file, gral_blake2b *hash, gral_error *error)
{
    chain chain = {.hash = hash};
    line line = {0};
    uint32_t wrong_line = 0;
    const char *wrong = NULL;
    bool marked = false, closed = false;
    while (!closed && line_next(&line, &file)) {
        closed = line_starts(line.bytes, closing);
        const char *problem = closed ? closing_problem(&chain, &line) : line_problem(&chain, line.bytes);
        marked |= closed || (problem == NULL && line.bytes.length > 0);
        if (wrong == NULL && problem != NULL) {
            wrong = problem;
            wrong_line = line.number;
        }
    }
    if (!marked)
        return CHECKS_NONE;
    if (wrong == NULL && !closed) {
        wrong = N_("the lines after this one are missing");
        wrong_line = line.number;
    } else if (wrong == NULL && file.length > 0) {
        wrong = N_("nothing may follow the hash of all lines");
        wrong_line = line.number + 1;
    }
    if (wrong == NULL)
        return CHECKS_RIGHT;
    *error = (gral_error){.line = wrong_line, .column = 1};
    gral_text text = gral_text_in(error->message, sizeof error->message);
    gral_text_add(&text, wrong);
    return CHECKS_WRONG;
}
