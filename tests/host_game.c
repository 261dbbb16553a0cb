/* host_game TERMS: a whole game of the computer players that the terms seat, with a host; prints its inputs. With it
 * the engine for the browser is held against the native one (web/engine/test.mjs). */
#include "bench/hosted.h"
#include "fair/blake2b.h"

#include <stdio.h>

int main(int count, char **words)
{
    gral_terms terms;
    gral_error error;
    if (count != 2 || !gral_terms_parse(gral_span_of(words[1]), &terms, &error)) {
        fprintf(stderr, "host_game: %s\n", count != 2 ? "expected the terms" : error.message);
        return 2;
    }
    gral_host *host = gral_host_make(&terms, fair_blake2b, 0);
    char lines[2 * GRAL_INPUT_TEXT_MAX];
    gral_text inputs = gral_text_in(lines, sizeof lines);
    while (host != NULL && hosted_step(host, &inputs)) {
        fputs(lines, stdout);
        inputs = gral_text_in(lines, sizeof lines);
    }
    const bool over = host != NULL && gral_host_stage(host) == GRAL_ENDED;
    gral_host_free(host);
    return over ? 0 : 1;
}
