/* Any bytes as a message to the server: understood, or refused with a word and a sentence. What is understood keeps to
 * its limits, for nobody looks again behind the reader. */
#include "server/request.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    request request;
    refusal why = {0};
    gral_error detail;
    expect(sodium_init() >= 0);
    if (!request_read((gral_span){(const char *)data, size}, &request, &why, &detail)) {
        expect(why.code != NULL && why.text != NULL && why.text[0] != '\0');
        return 0;
    }
    expect(request.kind < REQUEST_KINDS && request.id[0] != '\0' && request.ticket != 0);
    expect(request.seat == GRAL_NOBODY || request.seat < GRAL_PLAYERS_MAX);
    expect(request.input.action_count <= GRAL_ACTIONS_MAX && request.input.words.length <= GRAL_TALK_MAX);
    if (request.kind != REQUEST_CREATE)
        return 0;
    /* What a table may be made with, its text carries. */
    char words[2048];
    gral_text text = gral_text_in(words, sizeof words);
    gral_terms terms;
    memcpy(request.terms.game, "AAAA", 5);
    gral_terms_print(&text, &request.terms);
    expect(text.length < sizeof words && gral_terms_parse((gral_span){words, text.length}, &terms, &detail));
    return 0;
}
