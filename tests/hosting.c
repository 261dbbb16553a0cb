#include "hosting.h"

#include "fair/blake2b.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define fail_at(file, line, ...)                                                                                       \
    do {                                                                                                               \
        print_error(__VA_ARGS__);                                                                                      \
        _fail(file, line);                                                                                             \
    } while (0)

static gral_host *make_at(const char *words, bool paced, const char *file, int line)
{
    gral_terms terms;
    gral_error error;
    if (!gral_terms_parse(gral_span_of(words), &terms, &error))
        fail_at(file, line, "'%s': column %u: %s\n", words, error.column, error.message);
    gral_host *host = gral_host_make(&terms, fair_blake2b, paced ? -(int64_t)terms.pace : 0);
    assert_non_null(host);
    return host;
}

gral_host *host_at(const char *words, const char *file, int line)
{
    return make_at(words, false, file, line);
}

static void seat_all(gral_host *host, int64_t time)
{
    for (unsigned seat = 0; seat < gral_host_terms(host)->settings.players; seat++) {
        if (gral_host_terms(host)->computer[seat][0] != '\0')
            continue;
        const gral_input sit = {.kind = GRAL_INPUT_SIT, .seat = (uint8_t)seat, .user = 101 + seat};
        assert_int_equal(gral_host_check(host, &sit, time), GRAL_LEGAL);
        assert_int_equal(gral_host_apply(host, &sit, time), GRAL_LEGAL);
    }
}

void host_seat(gral_host *host)
{
    seat_all(host, 0);
}

/* " S " in the words is a salt. */
gral_input host_input_at(const char *words, const char *file, int line)
{
    static char salted[GRAL_INPUT_TEXT_MAX]; /* words of talk point into it */
    const char *salt = strstr(words, " S");
    if (salt != NULL && (salt[2] == ' ' || salt[2] == '\0'))
        snprintf(salted, sizeof salted, "%.*s salt=%064d%s", (int)(salt - words), words, 5, salt + 2);
    else
        snprintf(salted, sizeof salted, "%s", words);
    gral_input input;
    gral_error error;
    if (!gral_input_parse(gral_span_of(salted), &input, &error))
        fail_at(file, line, "'%s': column %u: %s\n", salted, error.column, error.message);
    return input;
}

void host_give_at(gral_host *host, int64_t time, const char *inputs, const char *file, int line)
{
    while (*inputs != '\0') {
        const char *end = strstr(inputs, " | ");
        const size_t length = end != NULL ? (size_t)(end - inputs) : strlen(inputs);
        char words[GRAL_INPUT_TEXT_MAX];
        snprintf(words, sizeof words, "%.*s", (int)length, inputs);
        const gral_input input = host_input_at(words, file, line);
        const enum gral_host_refusal refusal = gral_host_check(host, &input, time);
        if (refusal != GRAL_ACCEPTED)
            fail_at(file, line, "'%s': %s\n", words, gral_host_refusal_text(refusal));
        assert_int_equal(gral_host_apply(host, &input, time), GRAL_LEGAL);
        inputs += end != NULL ? length + 3 : length;
    }
}

void host_refuse_at(gral_host *host, int64_t time, const char *words, enum gral_host_refusal refusal, const char *file,
                    int line)
{
    const gral_input input = host_input_at(words, file, line);
    const enum gral_host_refusal found = gral_host_check(host, &input, time);
    if (found != refusal)
        fail_at(file, line, "'%s': expected '%s' but: %s\n", words, gral_host_refusal_text(refusal),
                gral_host_refusal_text(found));
}

gral_host *host_opened_at(const char *terms, const char *file, int line, size_t texts, const char *const text[])
{
    gral_host *host = make_at(terms, true, file, line);
    const int64_t pace = gral_host_terms(host)->pace;
    seat_all(host, -pace);
    for (unsigned seat = 0; seat < gral_host_terms(host)->settings.players; seat++) {
        char words[GRAL_INPUT_TEXT_MAX];
        const char *placed = seat < texts ? text[seat] : "";
        snprintf(words, sizeof words, "do %u%s S %s%sdone", seat + 1,
                 gral_host_seat_at(host, seat).computer ? " computer" : "", placed, placed[0] != '\0' ? "; " : "");
        host_give_at(host, -pace, words, file, line);
    }
    if (pace > 0)
        host_give_at(host, 0, "speak", file, line);
    return host;
}

/* --- what was heard --- */

static const char *const event_word[] = {
    [GRAL_HAPPENED_SIT] = "sit",         [GRAL_HAPPENED_RISE] = "rise",       [GRAL_HAPPENED_BEGIN] = "begin",
    [GRAL_HAPPENED_LATE] = "late",       [GRAL_HAPPENED_HANDED] = "handed",   [GRAL_HAPPENED_BACK] = "back",
    [GRAL_HAPPENED_REPLACE] = "replace", [GRAL_HAPPENED_DRAW] = "draw",       [GRAL_HAPPENED_NODRAW] = "nodraw",
    [GRAL_HAPPENED_TALK] = "talk",       [GRAL_HAPPENED_OFFER] = "offer",     [GRAL_HAPPENED_SEAL] = "seal",
    [GRAL_HAPPENED_END] = "end",         [GRAL_HAPPENED_DISMISS] = "dismiss",
};

void host_tell_happening(gral_text *text, const gral_happening *happening)
{
    if (happening->kind == GRAL_HAPPENED_ACTION) {
        gral_text_add_number(text, happening->seat + 1u);
        gral_text_add(text, ": ");
        gral_action_print(text, happening->action);
        return;
    }
    gral_text_add(text, event_word[happening->kind]);
    for (unsigned which = 0; which < 2; which++) {
        const uint8_t seat = which == 0 ? happening->seat : happening->other;
        if (seat == GRAL_NOBODY)
            continue;
        gral_text_add(text, " ");
        gral_text_add_number(text, seat + 1u);
    }
    if (happening->kind == GRAL_HAPPENED_SEAL) {
        gral_text_add(text, " ");
        gral_text_add_number(text, happening->number);
    } else if (happening->kind == GRAL_HAPPENED_END) {
        static const char *const end_word[] = {[GRAL_END_NONE] = " none",
                                               [GRAL_END_GAME] = " game",
                                               [GRAL_END_AGREED] = " agreed",
                                               [GRAL_END_ABANDONED] = " abandoned",
                                               [GRAL_END_CLOSED] = " closed"};
        gral_text_add(text, end_word[happening->end]);
    } else if (happening->kind == GRAL_HAPPENED_TALK || happening->kind == GRAL_HAPPENED_OFFER) {
        gral_text_add(text, happening->to != 0 ? " to some: " : ": ");
        gral_text_add_bytes(text, happening->words.length > 0 ? happening->words.bytes : "", happening->words.length);
        if (happening->kind == GRAL_HAPPENED_OFFER)
            gral_offer_print(text, happening->offer);
    }
}

static unsigned viewer_of(unsigned seat)
{
    return seat > 0 ? seat - 1 : GRAL_SPECTATOR;
}

void host_hears_at(const gral_host *host, unsigned seat, const char *happenings, const char *file, int line)
{
    static char heard[HOST_TEXT_MAX];
    gral_text text = gral_text_in(heard, sizeof heard);
    const size_t count = gral_host_happenings(host, viewer_of(seat));
    for (size_t index = 0; index < count; index++) {
        const gral_happening happening = gral_host_happening(host, viewer_of(seat), index);
        gral_text_add(&text, " | ");
        host_tell_happening(&text, &happening);
    }
    const size_t length = strlen(happenings);
    const bool ends_so = text.length >= length + 3 && strcmp(heard + text.length - length, happenings) == 0 &&
                         strncmp(heard + text.length - length - 3, " | ", 3) == 0;
    if (!ends_so)
        fail_at(file, line, "heard: %s\nexpected at its end: %s\n", heard, happenings);
}

/* --- all that a viewer can get --- */

static void add_number(gral_text *text, const char *name, int64_t number)
{
    gral_text_add(text, name);
    gral_text_add_number(text, (uint64_t)number);
}

static void tell_seats(const gral_host *host, gral_text *text)
{
    for (unsigned seat = 0; seat < gral_host_terms(host)->settings.players; seat++) {
        const gral_host_seat is = gral_host_seat_at(host, seat);
        add_number(text, "\nseat ", seat + 1);
        add_number(text, " user ", (int64_t)is.user);
        add_number(text, " flags ", is.computer + 2 * is.resigned + 4 * is.draw + 8 * is.first);
        add_number(text, " replace ", is.replace);
        add_number(text, " bank ", is.bank);
        gral_text_add(text, is.player);
    }
}

/* The lines of the record but for those of the seals. */
static void tell_record(const gral_host *host, gral_text *text)
{
    static const char *const names[GRAL_PLAYERS_MAX] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    static char lines[HOST_TEXT_MAX];
    gral_text record = gral_text_in(lines, sizeof lines);
    gral_host_record(host, names, "2026-11-15", &record);
    assert_true(record.length < record.capacity);
    for (const char *line = lines; *line != '\0';) {
        const size_t length = strcspn(line, "\n") + 1;
        if (strncmp(line, "[Seal", 5) != 0)
            gral_text_add_bytes(text, line, length);
        else
            gral_text_add_bytes(text, line, strcspn(line, " "));
        line += length;
    }
}

void host_tell_all(const gral_host *host, unsigned viewer, gral_text *text)
{
    const gral_game *game = gral_host_game(host);
    const gral_view view = gral_host_view(host, viewer);
    gral_view_print(text, game, &view);
    if (viewer != GRAL_SPECTATOR) {
        const gral_options options = gral_host_options(host, viewer);
        gral_options_print(text, game, &view.open, &options);
        gral_order order[GRAL_ORDERS_MAX];
        const unsigned orders = gral_host_orders(host, viewer, order);
        for (unsigned index = 0; index < orders; index++)
            gral_order_print(text, order[index]);
        add_number(text, "muted ", gral_host_muted(host, viewer));
        add_number(text, " sealed ", gral_host_sealed(host, viewer, &(gral_seal){0}));
    }
    const gral_round round = gral_host_round(host);
    add_number(text, "\nround ", round.asked);
    add_number(text, " ", round.answered);
    add_number(text, " ", round.hidden);
    add_number(text, " ", round.deadline);
    add_number(text, " stage ", gral_host_stage(host));
    add_number(text, " version ", gral_host_version(host));
    add_number(text, " thinking ", gral_host_thinking(host));
    add_number(text, " told ", gral_host_tell_time(host, 12345678));
    uint8_t kind = 0;
    int64_t time = 0;
    if (gral_host_due(host, &kind, &time)) {
        add_number(text, " due ", kind);
        add_number(text, " at ", time);
    }
    tell_seats(host, text);
    gral_text_add(text, "\n");
    gral_hearing hearing = gral_host_hearing(host, viewer, 0);
    for (gral_happening happening; gral_host_hear(&hearing, &happening);) {
        host_tell_happening(text, &happening);
        add_number(text, " at ", happening.time);
        gral_text_add(text, "\n");
    }
    tell_record(host, text);
    assert_true(text->length < text->capacity);
}
