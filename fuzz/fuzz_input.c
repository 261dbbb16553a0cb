/* Any bytes as a table: its terms in the first line, then inputs, each with the milliseconds since the one before. What
 * is understood prints as it was read; what the host finds legal he does; whatever has happened, everybody can ask him
 * everything. */
#include "fair/blake2b.h"

#include "gral/host.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds)
{
    if (!holds)
        abort();
}

static bool parse_terms(gral_span words, gral_terms *terms)
{
    gral_error error = {0};
    if (!gral_terms_parse(words, terms, &error)) {
        expect(error.line > 0 && error.column > 0 && error.message[0] != '\0');
        return false;
    }
    char again[2048], twice[2048];
    gral_text text = gral_text_in(again, sizeof again), same = gral_text_in(twice, sizeof twice);
    gral_terms_print(&text, terms);
    gral_terms parsed;
    expect(gral_terms_parse((gral_span){again, text.length}, &parsed, &error));
    gral_terms_print(&same, &parsed);
    expect(strcmp(again, twice) == 0);
    return true;
}

static bool parse_input(gral_span words, gral_input *input)
{
    gral_error error = {0};
    if (!gral_input_parse(words, input, &error)) {
        expect(error.line > 0 && error.column > 0 && error.message[0] != '\0');
        return false;
    }
    char again[GRAL_INPUT_TEXT_MAX], twice[GRAL_INPUT_TEXT_MAX];
    gral_text text = gral_text_in(again, sizeof again), same = gral_text_in(twice, sizeof twice);
    gral_input_print(&text, input);
    expect(text.length < sizeof again);
    gral_input parsed;
    expect(gral_input_parse((gral_span){again, text.length}, &parsed, &error));
    gral_input_print(&same, &parsed);
    expect(strcmp(again, twice) == 0);
    return true;
}

static void ask_everything(const gral_host *host)
{
    static const char *const names[GRAL_PLAYERS_MAX] = {"", "", "", "", "", "", "", "", "", "", "", ""};
    const unsigned players = gral_host_terms(host)->settings.players;
    for (unsigned seat = 0; seat <= players; seat++) {
        const unsigned viewer = seat < players ? seat : GRAL_SPECTATOR;
        const gral_view view = gral_host_view(host, viewer);
        const size_t heard = gral_host_happenings(host, viewer);
        gral_hearing hearing = gral_host_hearing(host, viewer, 0);
        gral_happening happening = {0};
        size_t told = 0;
        for (; gral_host_hear(&hearing, &happening); told++)
            expect(happening.kind < GRAL_HAPPENED_KINDS);
        expect(told == heard && (heard == 0 || gral_host_happening(host, viewer, heard - 1).kind == happening.kind));
        const gral_options options = gral_host_options(host, viewer);
        expect(gral_options_count(&options) == 0 || view.open.phase != GRAL_OVER);
    }
    const gral_round round = gral_host_round(host);
    expect(round.answered < round.asked || round.asked == 0);
    expect((round.asked > 0) == (gral_host_stage(host) == GRAL_PLAYING));
    gral_text measure = gral_text_in((char[1]){0}, 1);
    gral_host_record(host, names, NULL, &measure);
    uint8_t kind;
    int64_t due;
    if (gral_host_due(host, &kind, &due)) {
        const gral_input input = {.kind = kind, .seat = GRAL_NOBODY, .salted = true};
        expect(gral_host_check(host, &input, due) == GRAL_ACCEPTED);
    }
}

/* The number at the start of a line, at most a day. */
static int64_t take_time(gral_span *line)
{
    int64_t time = 0;
    while (line->length > 0 && *line->bytes >= '0' && *line->bytes <= '9') {
        time = (10 * time + *line->bytes - '0') % 86400000;
        line->bytes++;
        line->length--;
    }
    if (line->length > 0 && *line->bytes == ' ') {
        line->bytes++;
        line->length--;
    }
    return time;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gral_host *host = NULL;
    int64_t time = 0;
    for (size_t at = 0; at < size;) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        gral_span line = {(const char *)data + at, end != NULL ? (size_t)(end - data) - at : size - at};
        at += line.length + 1;
        gral_terms terms;
        gral_input input;
        if (host == NULL) {
            if (!parse_terms(line, &terms))
                return 0;
            host = gral_host_make(&terms, fair_blake2b, 0);
            expect(host != NULL);
            continue;
        }
        time += take_time(&line);
        if (!parse_input(line, &input))
            continue;
        const enum gral_host_refusal refusal = gral_host_check(host, &input, time);
        expect(gral_host_refusal_text(refusal) != NULL);
        if (refusal != GRAL_ACCEPTED)
            continue;
        expect(gral_host_apply(host, &input, time) == GRAL_ACCEPTED);
        ask_everything(host);
    }
    gral_host_free(host);
    return 0;
}
