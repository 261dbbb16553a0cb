/* Everything a client hears of a table is written here, from what the host hands out for that viewer; there is no other
 * way from a game to the network or to a page.
 *
 * A push has the parts that have changed for this reader. Whether a part is there depends on what everybody knows, and
 * on what the reader himself may see, never on another seat's secrets. */
#include "tell.h"

#include <assert.h>
#include <string.h>

static const char *const stage_name[] = {
    [GRAL_GATHERING] = "gathering", [GRAL_PLAYING] = "playing", [GRAL_ENDED] = "over"};
static const char *const end_name[] = {[GRAL_END_NONE] = "",
                                       [GRAL_END_GAME] = "game",
                                       [GRAL_END_AGREED] = "agreed",
                                       [GRAL_END_ABANDONED] = "abandoned",
                                       [GRAL_END_CLOSED] = "closed"};

static const char *const refusal_name[] = {
    [GRAL_HOST_REPEATED - GRAL_FAULTS] = "repeated",
    [GRAL_HOST_NOT_BEGUN - GRAL_FAULTS] = "not-begun",
    [GRAL_HOST_BEGUN - GRAL_FAULTS] = "begun",
    [GRAL_HOST_ENDED - GRAL_FAULTS] = "over",
    [GRAL_HOST_NO_SEAT - GRAL_FAULTS] = "seat",
    [GRAL_HOST_TAKEN - GRAL_FAULTS] = "taken",
    [GRAL_HOST_SEATED - GRAL_FAULTS] = "seated",
    [GRAL_HOST_DISMISSED - GRAL_FAULTS] = "dismissed",
    [GRAL_HOST_NOT_FIRST - GRAL_FAULTS] = "not-host",
    [GRAL_HOST_EMPTY - GRAL_FAULTS] = "empty",
    [GRAL_HOST_TURN - GRAL_FAULTS] = "turn",
    [GRAL_HOST_ANSWERED - GRAL_FAULTS] = "answered",
    [GRAL_HOST_COMPUTER - GRAL_FAULTS] = "computer",
    [GRAL_HOST_PERSON - GRAL_FAULTS] = "person",
    [GRAL_HOST_UNFINISHED - GRAL_FAULTS] = "unfinished",
    [GRAL_HOST_AFTER - GRAL_FAULTS] = "after",
    [GRAL_HOST_NO_SALT - GRAL_FAULTS] = "salt",
    [GRAL_HOST_NOT_ASKED - GRAL_FAULTS] = "not-asked",
    [GRAL_HOST_ORDER_ENDED - GRAL_FAULTS] = "order-ended",
    [GRAL_HOST_NO_ORDERS - GRAL_FAULTS] = "orders",
    [GRAL_HOST_NO_DRAW - GRAL_FAULTS] = "no-draw",
    [GRAL_HOST_TALK_OFF - GRAL_FAULTS] = "talk-off",
    [GRAL_HOST_TALK_EMPTY - GRAL_FAULTS] = "talk",
    [GRAL_HOST_TALK_TEXT - GRAL_FAULTS] = "talk",
    [GRAL_HOST_TALK_MUCH - GRAL_FAULTS] = "talk-much",
    [GRAL_HOST_MUCH - GRAL_FAULTS] = "much",
    [GRAL_HOST_NOT_DUE - GRAL_FAULTS] = "due",
    [GRAL_HOST_MEMORY - GRAL_FAULTS] = "storage",
};
static_assert(sizeof refusal_name / sizeof *refusal_name == GRAL_HOST_REFUSALS - GRAL_FAULTS,
              "a word for every refusal");

const char *tell_refusal(enum gral_host_refusal refusal)
{
    return refusal < GRAL_HOST_REPEATED ? "rules" : refusal_name[refusal - GRAL_FAULTS];
}

static unsigned players_of(const tell_table *table)
{
    return gral_host_terms(table->host)->settings.players;
}

/* --- pieces --- */

static void put_lines(pen *out, const char *name, const char *lines, const char *separator)
{
    pen_key(out, name);
    pen_begin(out, '[');
    while (*lines != '\0') {
        const char *end = strstr(lines, separator);
        const size_t length = end != NULL ? (size_t)(end - lines) : strlen(lines);
        pen_text(out, (gral_span){lines, length});
        lines += end != NULL ? length + strlen(separator) : length;
    }
    pen_end(out, ']');
}

static void put_numbers(pen *out, const char *name, const uint8_t *numbers, unsigned count)
{
    if (name != NULL)
        pen_key(out, name);
    pen_begin(out, '[');
    for (unsigned index = 0; index < count; index++)
        pen_number(out, numbers[index]);
    pen_end(out, ']');
}

static void put_seats(pen *out, const char *name, uint16_t seats)
{
    pen_key(out, name);
    pen_begin(out, '[');
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        if (seats >> seat & 1)
            pen_number(out, seat + 1);
    pen_end(out, ']');
}

static unsigned seat_number(unsigned seat)
{
    return seat == GRAL_NOBODY ? 0 : seat + 1;
}

static void put_action(pen *out, const char *name, gral_action action)
{
    char words[GRAL_ACTION_TEXT_MAX];
    gral_text text = gral_text_in(words, sizeof words);
    gral_action_print(&text, action);
    pen_put_words(out, name, words);
}

void tell_clock(pen *out, const gral_terms *terms)
{
    pen_key(out, "clock");
    if (terms->clock == GRAL_CLOCK_NONE) {
        pen_null(out);
        return;
    }
    pen_begin(out, '{');
    pen_put_words(out, "kind", terms->clock == GRAL_CLOCK_BANK ? "bank" : "move");
    pen_put_number(out, "time", terms->time);
    if (terms->clock == GRAL_CLOCK_BANK) {
        pen_put_number(out, "increment", terms->increment);
        pen_put_number(out, "answer", terms->answer);
    }
    if (terms->opening != 0)
        pen_put_number(out, "opening", terms->opening);
    pen_end(out, '}');
}

/* --- parts --- */

static void put_terms(pen *out, const tell_table *table)
{
    const gral_terms *terms = gral_host_terms(table->host);
    pen_key(out, "terms");
    pen_begin(out, '{');
    pen_put_number(out, "players", terms->settings.players);
    pen_put_words(out, "rules", terms->settings.rules == GRAL_ORIGINAL ? "original" : "standard");
    if (gral_key_shown(&terms->settings, GRAL_KEY_HQ)) {
        char letters[16];
        gral_text text = gral_text_in(letters, sizeof letters);
        gral_key_print(&text, &terms->settings, GRAL_KEY_HQ);
        pen_put_words(out, "hq", letters);
    }
    pen_put_number(out, "first", terms->settings.first + 1);
    pen_put_number(out, "limit", terms->settings.limit);
    tell_clock(out, terms);
    pen_put_number(out, "pace", terms->pace);
    pen_put_bool(out, "listed", terms->listed);
    pen_put_bool(out, "notepad", terms->notepad);
    pen_put_bool(out, "talk", terms->talk);
    if (terms->rated)
        pen_put_bool(out, "rated", true);
    if (terms->room)
        pen_put_bool(out, "room", true);
    if (terms->tournament[0] != '\0')
        pen_put_words(out, "tournament", terms->tournament);
    pen_end(out, '}');
}

static void put_seat(pen *out, const tell_table *table, unsigned seat, bool at_the_table)
{
    const gral_host_seat at = gral_host_seat_at(table->host, seat);
    if (at.user == 0 && !at.computer) {
        pen_null(out);
        return;
    }
    pen_begin(out, '{');
    if (at.user != 0) {
        pen_put_words(out, "name", table->name(table->context, seat));
        if (at_the_table)
            pen_put_bool(out, "present", (table->present >> seat & 1) != 0);
    }
    if (at.computer)
        pen_put_words(out, "computer", at.player);
    if (at_the_table && at.first)
        pen_put_bool(out, "host", true);
    if (at_the_table && at.resigned)
        pen_put_bool(out, "resigned", true);
    if (at_the_table && at.draw)
        pen_put_bool(out, "draw", true);
    if (at_the_table && at.replace != 0)
        put_seats(out, "replace", at.replace);
    if (at_the_table && gral_host_terms(table->host)->clock == GRAL_CLOCK_BANK)
        pen_put_number(out, "bank", at.bank);
    pen_end(out, '}');
}

static void put_all_seats(pen *out, const tell_table *table, bool at_the_table)
{
    pen_key(out, "seats");
    pen_begin(out, '[');
    for (unsigned seat = 0; seat < players_of(table); seat++)
        put_seat(out, table, seat, at_the_table);
    pen_end(out, ']');
}

static void put_round(pen *out, const tell_table *table, const gral_round *round)
{
    pen_key(out, "round");
    if (gral_host_stage(table->host) != GRAL_PLAYING) {
        pen_null(out);
        return;
    }
    pen_begin(out, '{');
    pen_put_number(out, "asked", round->asked);
    pen_put_number(out, "answered", round->answered);
    pen_put_bool(out, "hidden", round->hidden);
    if (round->deadline != 0) {
        const int64_t left = round->deadline - table->now;
        pen_put_number(out, "left", left > 0 ? left : 0);
    }
    pen_end(out, '}');
}

static void put_matrix(pen *out, const char *name, const uint8_t row[][GRAL_PAWNS], unsigned rows)
{
    pen_key(out, name);
    pen_begin(out, '[');
    for (unsigned seat = 0; seat < rows; seat++)
        put_numbers(out, NULL, row[seat], GRAL_PAWNS);
    pen_end(out, ']');
}

static void put_pawns(pen *out, const gral_open *open)
{
    pen_key(out, "pawns");
    pen_begin(out, '[');
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        char field[4] = "-";
        gral_text text = gral_text_in(field, sizeof field);
        if (gral_on_board(open, pawn))
            gral_field_print(&text, open->pawn[pawn]);
        else
            gral_text_add(&text, "-");
        pen_words(out, field);
    }
    pen_end(out, ']');
}

/* `judged`: the result is the one that the state has. */
static void put_view(pen *out, const gral_game *game, const gral_view *view, bool hidden, bool sheets, bool judged)
{
    const gral_open *open = &view->open;
    char words[GRAL_STATE_TEXT_MAX];
    pen_begin(out, '{');
    pen_put_words(out, "phase", gral_phase_name((enum gral_phase)open->phase));
    pen_put_number(out, "actor", hidden ? 0 : seat_number(open->actor));
    pen_put_number(out, "turn", open->turn);
    pen_put_number(out, "active", seat_number(open->active));
    put_pawns(out, open);
    gral_text text = gral_text_in(words, sizeof words);
    if (open->bearer != GRAL_NO_PAWN)
        gral_text_add(&text, gral_pawn_id(open->bearer));
    else
        gral_field_print(&text, open->grail);
    pen_put_words(out, "grail", words);
    if (open->proposal.verb == GRAL_NOTHING) {
        pen_key(out, "proposal");
        pen_null(out);
    } else {
        put_action(out, "proposal", open->proposal);
    }
    pen_put_number(out, "claim", open->claim);
    pen_key(out, "objection");
    if (open->objection == 0) {
        pen_null(out);
    } else {
        pen_begin(out, '{');
        pen_put_number(out, "points", open->objection);
        pen_put_number(out, "by", seat_number(open->objector));
        pen_end(out, '}');
    }
    const unsigned ends = open->phase == GRAL_OVER ? GRAL_NO_PAWN : gral_ends_with(game, open);
    pen_key(out, "ends");
    if (ends == GRAL_NO_PAWN)
        pen_null(out);
    else
        pen_words(out, gral_pawn_id(ends));
    text = gral_text_in(words, sizeof words);
    gral_rejected_print(&text, game, open);
    put_lines(out, "rejected", words, "; ");
    put_matrix(out, "known", open->known, open->players);
    put_matrix(out, "paid", open->paid, open->players);
    if (sheets) {
        pen_key(out, "sheets");
        pen_begin(out, '[');
        for (unsigned seat = 0; seat < open->players; seat++)
            if (view->known >> seat & 1)
                put_numbers(out, NULL, view->sheet[seat].influence, GRAL_PAWNS);
        pen_end(out, ']');
    }
    text = gral_text_in(words, sizeof words);
    gral_result_print(&text, open);
    pen_key(out, "result");
    if (!judged || strcmp(words, "-") == 0)
        pen_null(out);
    else
        pen_words(out, words);
    pen_end(out, '}');
}

void tell_view(pen *out, const gral_game *game, const gral_view *view, bool hidden, bool sheets)
{
    put_view(out, game, view, hidden, sheets, true);
}

void tell_sheet(pen *out, const gral_sheet *sheet)
{
    put_numbers(out, "influence", sheet->influence, GRAL_PAWNS);
    put_numbers(out, "units", sheet->units, GRAL_UNIT_KINDS);
}

void tell_legal(pen *out, const gral_game *game, const gral_open *open, const gral_options *options)
{
    char lines[GRAL_STATE_TEXT_MAX];
    gral_text text = gral_text_in(lines, sizeof lines);
    gral_options_print(&text, game, open, options);
    put_lines(out, "legal", lines, "\n");
}

/* What everybody knows. It is made from a spectator's view, and is the same for all. A game that was abandoned is no
 * draw: nobody has won it, and the persons have lost. */
static void write_view(pen *out, const tell_table *table)
{
    const gral_view view = gral_host_view(table->host, GRAL_SPECTATOR);
    pen_clear(out);
    put_view(out, gral_host_game(table->host), &view, gral_host_round(table->host).hidden,
             gral_host_stage(table->host) == GRAL_ENDED, gral_host_end(table->host) != GRAL_END_ABANDONED);
}

static void put_orders(pen *out, const tell_table *table, unsigned seat)
{
    gral_order order[GRAL_ORDERS_MAX];
    const unsigned count = gral_host_orders(table->host, seat, order);
    pen_key(out, "orders");
    pen_begin(out, '[');
    for (unsigned index = 0; index < count; index++) {
        char words[32];
        gral_text text = gral_text_in(words, sizeof words);
        gral_order_print(&text, order[index]);
        pen_words(out, words);
    }
    pen_end(out, ']');
}

static void put_seal(pen *out, const gral_seal *seal)
{
    char digits[2 * GRAL_SEAL_BYTES + 1];
    gral_text text = gral_text_in(digits, sizeof digits);
    gral_bytes_print(&text, seal->bytes, sizeof seal->bytes);
    pen_put_words(out, "seal", digits);
}

static void put_own_seal(pen *out, const tell_table *table, unsigned seat)
{
    gral_seal seal;
    if (gral_host_sealed(table->host, seat, &seal))
        put_seal(out, &seal);
}

/* A seat that a computer plays for, as for somebody who has resigned, is asked nothing. */
static bool is_asked(const tell_table *table, unsigned seat)
{
    if (gral_host_stage(table->host) != GRAL_PLAYING || gral_host_seat_at(table->host, seat).computer)
        return false;
    const gral_options options = gral_host_options(table->host, seat);
    return gral_options_count(&options) > 0;
}

static void put_you(pen *out, const tell_table *table, unsigned seat)
{
    pen_key(out, "you");
    pen_begin(out, '{');
    pen_put_number(out, "seat", seat_number(seat));
    if (gral_host_stage(table->host) != GRAL_GATHERING) {
        const gral_view view = gral_host_view(table->host, seat);
        const gral_options options = gral_host_options(table->host, seat);
        const bool asked = is_asked(table, seat);
        tell_sheet(out, &view.sheet[seat]);
        pen_put_bool(out, "asked", asked);
        if (asked)
            tell_legal(out, gral_host_game(table->host), &view.open, &options);
        put_own_seal(out, table, seat);
        put_orders(out, table, seat);
        put_seats(out, "muted", gral_host_muted(table->host, seat));
    }
    pen_end(out, '}');
}

/* --- happenings --- */

static void put_flag(pen *out, const char *name)
{
    pen_put_bool(out, name, true);
}

static void put_talk(pen *out, const gral_happening *happening)
{
    if (happening->to != 0)
        put_seats(out, "to", happening->to);
    pen_put_number(out, "at", happening->time / 1000);
}

static void put_happening(pen *out, const gral_happening *happening)
{
    static const char *const flag[GRAL_HAPPENED_KINDS] = {
        [GRAL_HAPPENED_SIT] = "sat",   [GRAL_HAPPENED_RISE] = "rose",     [GRAL_HAPPENED_BEGIN] = "began",
        [GRAL_HAPPENED_LATE] = "late", [GRAL_HAPPENED_HANDED] = "handed", [GRAL_HAPPENED_BACK] = "back",
        [GRAL_HAPPENED_DRAW] = "draw", [GRAL_HAPPENED_NODRAW] = "nodraw",
    };
    char words[32];
    gral_text text;
    pen_begin(out, '{');
    if (happening->seat != GRAL_NOBODY)
        pen_put_number(out, "seat", happening->seat + 1);
    if (flag[happening->kind] != NULL)
        put_flag(out, flag[happening->kind]);
    switch (happening->kind) {
    case GRAL_HAPPENED_ACTION:
        put_action(out, "action", happening->action);
        break;
    case GRAL_HAPPENED_SEAL:
        put_seal(out, &happening->seal);
        pen_put_number(out, "number", happening->number);
        break;
    case GRAL_HAPPENED_REPLACE:
        pen_put_number(out, "replace", happening->other + 1);
        break;
    case GRAL_HAPPENED_DISMISS:
        pen_put_number(out, "dismissed", happening->other + 1);
        break;
    case GRAL_HAPPENED_TALK:
        pen_key(out, "talk");
        pen_text(out, happening->words);
        put_talk(out, happening);
        break;
    case GRAL_HAPPENED_OFFER:
        text = gral_text_in(words, sizeof words);
        gral_offer_print(&text, happening->offer);
        pen_put_words(out, "offer", words);
        put_talk(out, happening);
        break;
    case GRAL_HAPPENED_END:
        pen_put_words(out, "ended", end_name[happening->end]);
        break;
    default:
        break;
    }
    pen_end(out, '}');
}

static void put_happened(pen *out, const tell_table *table, tell_reader *reader)
{
    const size_t count = gral_host_happenings(table->host, reader->viewer);
    if (reader->have > count)
        reader->have = 0; /* it says that it knows more than there is: from the start, then */
    if (reader->have == count)
        return;
    pen_put_number(out, "from", (int64_t)reader->have);
    pen_key(out, "happened");
    pen_begin(out, '[');
    gral_hearing hearing = gral_host_hearing(table->host, reader->viewer, reader->have);
    for (gral_happening happening; gral_host_hear(&hearing, &happening); reader->have++)
        put_happening(out, &happening);
    pen_end(out, ']');
}

/* --- what is news --- */

/* FNV-1a: two states of a part are told apart by their prints. */
static uint64_t print_of(uint64_t print, const void *bytes, size_t length)
{
    const uint8_t *at = (const uint8_t *)bytes;
    while (length-- > 0)
        print = (print ^ *at++) * 1099511628211u;
    return print;
}

static const uint64_t blank = 14695981039346656037u;

static uint64_t print_of_seats(const tell_table *table)
{
    uint64_t print = print_of(blank, &table->present, sizeof table->present);
    for (unsigned seat = 0; seat < players_of(table); seat++) {
        const gral_host_seat at = gral_host_seat_at(table->host, seat);
        const uint64_t part[] = {at.user, at.computer, at.resigned, at.draw, at.first, at.replace, (uint64_t)at.bank};
        print = print_of(print, part, sizeof part);
        if (at.user != 0) {
            const char *name = table->name(table->context, seat);
            print = print_of(print, name, strlen(name));
        }
    }
    return print;
}

/* What only the seat itself sees. */
static uint64_t print_of_own(const tell_table *table, unsigned seat)
{
    const gral_view view = gral_host_view(table->host, seat);
    const gral_options options = gral_host_options(table->host, seat);
    gral_order order[GRAL_ORDERS_MAX];
    const unsigned orders = gral_host_orders(table->host, seat, order);
    const uint16_t muted = gral_host_muted(table->host, seat);
    const unsigned choices = gral_options_count(&options);
    gral_seal seal;
    const bool sealed = gral_host_sealed(table->host, seat, &seal), asked = is_asked(table, seat);
    uint64_t print = print_of(blank, &view.sheet[seat], sizeof view.sheet[seat]);
    print = print_of(print, &choices, sizeof choices);
    print = print_of(print, &asked, sizeof asked);
    print = print_of(print, &sealed, sizeof sealed);
    print = print_of(print, order, orders * sizeof *order);
    return print_of(print, &muted, sizeof muted);
}

static bool same_round(const gral_round *a, const gral_round *b)
{
    return a->asked == b->asked && a->answered == b->answered && a->hidden == b->hidden && a->deadline == b->deadline;
}

bool tell_push(pen *out, pen *view, const tell_table *table, unsigned viewer, tell_reader *reader)
{
    if (viewer != reader->viewer) { /* he has sat down or got up: what he may hear is another story now */
        reader->viewer = viewer;
        reader->introduced = false;
        reader->have = 0;
    }
    const unsigned seat = viewer == GRAL_SPECTATOR ? GRAL_NOBODY : viewer;
    const bool all = !reader->introduced;
    const enum gral_host_stage stage = gral_host_stage(table->host);
    const uint32_t version = gral_host_version(table->host);
    const gral_round round = gral_host_round(table->host);
    const bool playing = stage != GRAL_GATHERING;
    const bool staged = all || stage != reader->stage;
    const bool moved = staged || version != reader->version;
    const uint64_t seats = print_of_seats(table);
    const uint64_t own = seat != GRAL_NOBODY ? print_of_own(table, seat) : 0;

    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", "table");
    pen_put_words(out, "table", gral_host_terms(table->host)->game);
    const size_t head = out->length;
    if (all)
        put_terms(out, table);
    if (staged)
        pen_put_words(out, "stage", stage_name[stage]);
    if (playing && (all || version != reader->version || (staged && stage == GRAL_PLAYING)))
        pen_put_number(out, "version", version);
    if (all || seats != reader->seats)
        put_all_seats(out, table, true);
    if (playing && (moved || !same_round(&round, &reader->round)))
        put_round(out, table, &round);
    if (playing && moved) {
        if (view->length == 0)
            write_view(view, table);
        pen_key(out, "view");
        pen_raw(out, pen_span(view));
    }
    if (seat != GRAL_NOBODY && (moved || own != reader->own))
        put_you(out, table, seat);
    put_happened(out, table, reader);
    const bool news = out->length > head;
    pen_end(out, '}');

    reader->introduced = true;
    reader->stage = (uint8_t)stage;
    reader->version = version;
    reader->round = round;
    reader->seats = seats;
    reader->own = own;
    return news;
}

void tell_row(pen *out, const tell_table *table, unsigned viewer)
{
    const gral_terms *terms = gral_host_terms(table->host);
    pen_begin(out, '{');
    pen_put_words(out, "table", terms->game);
    pen_put_words(out, "stage", stage_name[gral_host_stage(table->host)]);
    pen_put_number(out, "players", terms->settings.players);
    pen_put_words(out, "rules", terms->settings.rules == GRAL_ORIGINAL ? "original" : "standard");
    tell_clock(out, terms);
    pen_put_bool(out, "talk", terms->talk);
    pen_put_bool(out, "notepad", terms->notepad);
    if (terms->rated)
        pen_put_bool(out, "rated", true);
    put_all_seats(out, table, false);
    if (viewer != GRAL_SPECTATOR && is_asked(table, viewer))
        pen_put_bool(out, "asked", true);
    pen_end(out, '}');
}
