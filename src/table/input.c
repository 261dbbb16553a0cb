/* Inputs as text: the word, whose it is, and what its kind takes, in a fixed order. One table says which kind takes
 * what, for writing and for reading. */
#include "host_parts.h"

#include "notation/scan.h"

#include <assert.h>
#include <string.h>

/* In the order in which they stand. */
enum part {
    PART_SEAT,
    PART_COMPUTER, /* may be left out, like the next three */
    PART_TICKET,
    PART_SALT,
    PART_TO,
    PART_OTHER,
    PART_USER,
    PART_PLAYER,
    PART_ACTIONS,
    PART_ORDER,
    PART_ONE_ORDER, /* may be left out */
    PART_OFFER,
    PART_WORDS,
    PARTS
};

#define WITH(part) (1u << PART_##part)

enum {
    OF_SEAT = WITH(SEAT) | WITH(TICKET),
};

static const struct {
    const char *word;
    uint16_t parts;
} kinds[] = {
    [GRAL_INPUT_SIT] = {"sit", OF_SEAT | WITH(USER)},
    [GRAL_INPUT_RISE] = {"rise", OF_SEAT},
    [GRAL_INPUT_FILL] = {"fill", OF_SEAT | WITH(OTHER) | WITH(PLAYER)},
    [GRAL_INPUT_DISMISS] = {"dismiss", OF_SEAT | WITH(OTHER)},
    [GRAL_INPUT_DO] = {"do", OF_SEAT | WITH(COMPUTER) | WITH(SALT) | WITH(ACTIONS)},
    [GRAL_INPUT_ORDER] = {"order", OF_SEAT | WITH(ORDER)},
    [GRAL_INPUT_CANCEL] = {"cancel", OF_SEAT | WITH(ONE_ORDER)},
    [GRAL_INPUT_DRAW] = {"draw", OF_SEAT},
    [GRAL_INPUT_NODRAW] = {"nodraw", OF_SEAT},
    [GRAL_INPUT_REPLACE] = {"replace", OF_SEAT | WITH(OTHER)},
    [GRAL_INPUT_RESIGN] = {"resign", OF_SEAT},
    [GRAL_INPUT_BACK] = {"back", OF_SEAT},
    [GRAL_INPUT_TALK] = {"talk", OF_SEAT | WITH(TO) | WITH(WORDS)},
    [GRAL_INPUT_OFFER] = {"offer", OF_SEAT | WITH(COMPUTER) | WITH(TO) | WITH(OFFER)},
    [GRAL_INPUT_MUTE] = {"mute", OF_SEAT | WITH(OTHER)},
    [GRAL_INPUT_UNMUTE] = {"unmute", OF_SEAT | WITH(OTHER)},
    [GRAL_INPUT_SPEAK] = {"speak", 0},
    [GRAL_INPUT_LATE] = {"late", WITH(SALT)},
    [GRAL_INPUT_RESUME] = {"resume", 0},
    [GRAL_INPUT_CLOSE] = {"close", 0},
};
static_assert(sizeof kinds / sizeof *kinds == GRAL_INPUT_KINDS, "a row for every kind");

/* --- writing --- */

static void print_hexadecimal(gral_text *text, uint64_t number)
{
    unsigned shift = 60;
    while (shift > 0 && number >> shift == 0)
        shift -= 4;
    for (;; shift -= 4) {
        gral_text_add_bytes(text, &"0123456789abcdef"[number >> shift & 15], 1);
        if (shift == 0)
            return;
    }
}

static void print_seats(gral_text *text, uint16_t seats)
{
    const char *before = " to=";
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++) {
        if (!(seats >> seat & 1))
            continue;
        gral_text_add(text, before);
        gral_text_add_number(text, seat + 1);
        before = ",";
    }
}

static void print_actions(gral_text *text, const gral_input *input)
{
    for (unsigned index = 0; index < input->action_count; index++) {
        gral_text_add(text, index > 0 ? "; " : " ");
        gral_action_print(text, input->action[index]);
    }
}

static void print_part(gral_text *text, const gral_input *input, enum part part)
{
    switch (part) {
    case PART_SEAT:
        gral_text_add(text, " ");
        gral_text_add_number(text, input->seat + 1u);
        break;
    case PART_COMPUTER:
        gral_text_add(text, input->computer ? " computer" : "");
        break;
    case PART_TICKET:
        if (input->ticket == 0)
            break;
        gral_text_add(text, " #");
        print_hexadecimal(text, input->ticket);
        break;
    case PART_SALT:
        if (!input->salted)
            break;
        gral_text_add(text, " salt=");
        gral_bytes_print(text, input->salt.bytes, GRAL_SALT_BYTES);
        break;
    case PART_TO:
        print_seats(text, input->to);
        break;
    case PART_OTHER:
        gral_text_add(text, " ");
        gral_text_add_number(text, input->other + 1u);
        break;
    case PART_USER:
        gral_text_add(text, " ");
        gral_text_add_number(text, input->user);
        break;
    case PART_PLAYER:
        gral_text_add(text, " ");
        gral_text_add_bytes(text, input->words.bytes, input->words.length);
        break;
    case PART_ACTIONS:
        print_actions(text, input);
        break;
    case PART_ONE_ORDER:
        if (!input->one_order)
            break;
        /* fall through */
    case PART_ORDER:
        gral_text_add(text, " ");
        gral_order_print(text, input->order);
        break;
    case PART_OFFER:
        gral_text_add(text, " ");
        gral_offer_print(text, input->offer);
        break;
    case PART_WORDS:
        gral_text_add(text, ": ");
        gral_text_add_bytes(text, input->words.bytes, input->words.length);
        break;
    case PARTS:
        break;
    }
}

void gral_input_print(gral_text *text, const gral_input *input)
{
    gral_text_add(text, kinds[input->kind].word);
    for (unsigned part = 0; part < PARTS; part++)
        if (kinds[input->kind].parts >> part & 1)
            print_part(text, input, (enum part)part);
}

/* --- reading --- */

static bool parse_seat(scan *scan, uint8_t *seat)
{
    const char *what = "a seat (1 to 12)";
    const size_t start = scan->at;
    uint32_t number = 0;
    if (!scan_number(scan, GRAL_PLAYERS_MAX, &number, what))
        return false;
    if (number == 0) {
        scan->at = start;
        return scan_expected(scan, what);
    }
    *seat = (uint8_t)(number - 1);
    return true;
}

static bool parse_ticket(scan *scan, uint64_t *ticket)
{
    enum { DIGITS_MAX = 16 };
    const size_t start = scan->at;
    const gral_span digits = scan_until(scan, " :");
    bool fits = digits.length > 0 && digits.length <= DIGITS_MAX && digits.bytes[0] != '0';
    uint64_t number = 0;
    for (size_t at = 0; fits && at < digits.length; at++) {
        const char byte = digits.bytes[at];
        fits = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f');
        number = number << 4 | (uint64_t)(byte <= '9' ? byte - '0' : byte - 'a' + 10);
    }
    if (!fits) {
        scan->at = start;
        return scan_expected(scan, "a ticket (hexadecimal digits, not beginning with 0)");
    }
    *ticket = number;
    return true;
}

static bool parse_salt(scan *scan, gral_input *input)
{
    const size_t start = scan->at;
    if (!gral_bytes_parse(scan_until(scan, " "), input->salt.bytes, GRAL_SALT_BYTES)) {
        scan->at = start;
        return scan_expected(scan, "a salt (64 hexadecimal digits)");
    }
    input->salted = true;
    return true;
}

static bool parse_seats(scan *scan, uint16_t *seats)
{
    do {
        const size_t at = scan->at;
        uint8_t seat = 0;
        if (!parse_seat(scan, &seat))
            return false;
        if (*seats >> seat & 1)
            return scan_fail_at(scan, at, "this seat is named twice");
        *seats |= seat_bit(seat);
    } while (scan_if(scan, ","));
    return true;
}

static bool parse_user(scan *scan, uint64_t *user)
{
    const char *what = "a user's number (not 0)";
    const size_t start = scan->at;
    if (!scan_long_number(scan, UINT64_MAX, user, what))
        return false;
    if (*user == 0) {
        scan->at = start;
        return scan_expected(scan, what);
    }
    return true;
}

/* An error that a part reported as if it stood alone, moved to its place. */
static bool fail_inside(scan *scan, size_t at)
{
    scan->failed = true;
    scan->error->column += (uint32_t)at;
    return false;
}

static bool parse_actions(scan *scan, gral_input *input)
{
    do {
        const size_t at = scan->at;
        if (input->action_count == GRAL_ACTIONS_MAX)
            return scan_fail_at(scan, at, "these are too many actions");
        if (!gral_action_parse(scan_until(scan, ";"), &input->action[input->action_count++], scan->error))
            return fail_inside(scan, at);
    } while (scan_if(scan, "; "));
    return true;
}

static gral_span rest(scan *scan)
{
    return scan_until(scan, "");
}

static bool parse_words(scan *scan, gral_span *words)
{
    const size_t at = scan->at;
    *words = rest(scan);
    return speech_is_plain(*words) ||
           scan_fail_at(scan, at, "talk is 1 to 500 bytes of UTF-8 text without control characters");
}

static bool parse_player(scan *scan, gral_span *words)
{
    const size_t at = scan->at;
    *words = rest(scan);
    if (words->length >= GRAL_COMPUTER_TEXT_MAX)
        return scan_fail_at(scan, at, "a computer player's text has at most 47 bytes");
    return gral_player_check(*words, scan->error) || fail_inside(scan, at);
}

static bool parse_part(scan *scan, gral_input *input, enum part part)
{
    size_t at = scan->at;
    switch (part) {
    case PART_COMPUTER:
        input->computer = scan_if(scan, " computer");
        return true;
    case PART_TICKET:
        return !scan_if(scan, " #") || parse_ticket(scan, &input->ticket);
    case PART_SALT:
        return !scan_if(scan, " salt=") || parse_salt(scan, input);
    case PART_TO:
        return !scan_if(scan, " to=") || parse_seats(scan, &input->to);
    case PART_SEAT:
        return scan_literal(scan, " ", "a space and a seat") && parse_seat(scan, &input->seat);
    case PART_OTHER:
        return scan_literal(scan, " ", "a space and another seat") && parse_seat(scan, &input->other);
    case PART_USER:
        return scan_literal(scan, " ", "a space and a user's number") && parse_user(scan, &input->user);
    case PART_PLAYER:
        return scan_literal(scan, " ", "a space and a computer player") && parse_player(scan, &input->words);
    case PART_ACTIONS:
        return scan_literal(scan, " ", "a space and actions") && parse_actions(scan, input);
    case PART_ONE_ORDER:
        if (scan_at_end(scan))
            return true;
        input->one_order = true;
        /* fall through */
    case PART_ORDER:
        at++;
        return scan_literal(scan, " ", "a space and an order") &&
               (gral_order_parse(rest(scan), &input->order, scan->error) || fail_inside(scan, at));
    case PART_OFFER:
        at++;
        return scan_literal(scan, " ", "a space and an offer") &&
               (gral_offer_parse(rest(scan), &input->offer, scan->error) || fail_inside(scan, at));
    case PART_WORDS:
        return scan_literal(scan, ": ", "': ' and words") && parse_words(scan, &input->words);
    case PARTS:
        break;
    }
    return false;
}

bool gral_input_parse(gral_span source, gral_input *input, gral_error *error)
{
    scan scan = scan_of(source, error);
    const gral_span word = scan_until(&scan, " ");
    unsigned kind = 0;
    while (kind < GRAL_INPUT_KINDS && !span_is(word, kinds[kind].word))
        kind++;
    if (kind == GRAL_INPUT_KINDS) {
        scan.at = 0;
        return scan_expected(&scan, "an input (sit rise fill dismiss do order cancel draw nodraw replace resign back "
                                    "talk offer mute unmute speak late resume close)");
    }
    gral_input parsed = {.kind = (uint8_t)kind, .seat = GRAL_NOBODY, .other = GRAL_NOBODY};
    for (unsigned part = 0; part < PARTS; part++)
        if (kinds[kind].parts >> part & 1 && !parse_part(&scan, &parsed, (enum part)part))
            return false;
    if (!scan_end(&scan, "the end of the input"))
        return false;
    *input = parsed;
    return true;
}
