/* Standing orders: what a player leaves with the host so that he need not be asked. They speak only in a round of
 * objections, and only as their owner could: from his own sheet and what is open to all. */
#include "host_parts.h"

#include "notation/scan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The whole text, or all before the initiate. */
static const char *const order_words[] = {
    [GRAL_ORDER_PASS_PROPOSAL] = "pass proposal",
    [GRAL_ORDER_PASS_TURN] = "pass turn",
    [GRAL_ORDER_PASS_PAWN] = "pass until ",
    [GRAL_ORDER_PASS_GRAIL] = "pass until grail",
    [GRAL_ORDER_PASS_UNCOVER] = "pass until uncover",
    [GRAL_ORDER_PASS_OBJECTION] = "pass until objection",
    [GRAL_ORDER_PASS_MINE] = "pass until mine",
    [GRAL_ORDER_OBJECT] = "object ",
    [GRAL_ORDER_PASS_IN] = "pass in ",
};
static_assert(sizeof order_words / sizeof *order_words == GRAL_ORDER_KINDS, "words for every order");

enum { PASS_IN_MOST = 60 }; /* seconds */

static bool has_pawn(unsigned kind)
{
    return kind == GRAL_ORDER_PASS_PAWN || kind == GRAL_ORDER_OBJECT;
}

static bool has_number(unsigned kind)
{
    return kind == GRAL_ORDER_OBJECT || kind == GRAL_ORDER_PASS_IN;
}

void gral_order_print(gral_text *text, gral_order order)
{
    gral_text_add(text, order_words[order.kind]);
    if (has_pawn(order.kind))
        gral_text_add(text, gral_pawn_id(order.pawn));
    if (order.kind == GRAL_ORDER_OBJECT) {
        gral_text_add(text, " ");
        gral_field_print(text, order.field);
        gral_text_add(text, " ");
    }
    if (has_number(order.kind))
        gral_text_add_number(text, order.points);
}

static bool parse_points(scan *scan, unsigned most, gral_order *order, const char *what)
{
    uint32_t points = 0;
    const size_t points_at = scan->at;
    if (!scan_number(scan, most, &points, what))
        return false;
    if (points == 0) {
        scan->at = points_at;
        return scan_expected(scan, what);
    }
    order->points = (uint8_t)points;
    return true;
}

static bool parse_objection(scan *scan, gral_order *order)
{
    return scan_pawn(scan, &order->pawn) && scan_literal(scan, " ", "a space and a field") &&
           scan_field(scan, &order->field) && scan_literal(scan, " ", "a space and a number of points") &&
           parse_points(scan, GRAL_POINTS_MAX, order, "a number of points (1 to 100)");
}

bool gral_order_parse(gral_span source, gral_order *order, gral_error *error)
{
    for (unsigned kind = 0; kind < GRAL_ORDER_KINDS; kind++)
        if (!has_pawn(kind) && !has_number(kind) && span_is(source, order_words[kind])) {
            *order = (gral_order){.kind = (uint8_t)kind, .pawn = GRAL_NO_PAWN};
            return true;
        }
    scan scan = scan_of(source, error);
    gral_order parsed = {.pawn = GRAL_NO_PAWN};
    if (scan_if(&scan, order_words[GRAL_ORDER_PASS_PAWN])) {
        parsed.kind = GRAL_ORDER_PASS_PAWN;
        if (!scan_pawn(&scan, &parsed.pawn))
            return false;
    } else if (scan_if(&scan, order_words[GRAL_ORDER_OBJECT])) {
        parsed.kind = GRAL_ORDER_OBJECT;
        if (!parse_objection(&scan, &parsed))
            return false;
    } else if (scan_if(&scan, order_words[GRAL_ORDER_PASS_IN])) {
        parsed.kind = GRAL_ORDER_PASS_IN;
        if (!parse_points(&scan, PASS_IN_MOST, &parsed, "a number of seconds (1 to 60)"))
            return false;
    } else {
        return scan_expected(&scan, "an order (pass proposal, pass turn, pass until T1, pass until grail, uncover, "
                                    "objection or mine, pass in 8, object T1 d3 12)");
    }
    if (!scan_end(&scan, "the end of the order"))
        return false;
    *order = parsed;
    return true;
}

/* --- when they speak --- */

static bool in_dispute(const gral_open *open)
{
    return open->phase == GRAL_OBJECTION || open->phase == GRAL_ANSWER;
}

static unsigned distance(unsigned from, unsigned to)
{
    return (unsigned)(abs((int)(from % GRAL_COLUMNS) - (int)(to % GRAL_COLUMNS)) +
                      abs((int)(from / GRAL_COLUMNS) - (int)(to / GRAL_COLUMNS)));
}

static bool brings_nearer(const gral_open *open, gral_order order)
{
    const gral_action proposal = open->proposal;
    return proposal.verb == GRAL_STEP && proposal.pawn == order.pawn &&
           distance(proposal.field, order.field) < distance(open->pawn[order.pawn], order.field);
}

static bool may_say(const gral_host *host, unsigned seat, gral_action action)
{
    const gral_state probe = round_probe(host, seat);
    return gral_check(&host->game, &probe, action) == GRAL_LEGAL;
}

/* Whether and when they speak depends on nothing but what is open to all and when they were given; only what they say
 * depends on the sheet (R10.2). */
int64_t orders_answer(const gral_host *host, unsigned seat, gral_action *answer)
{
    const gral_open *open = &host->state.open;
    const chair *chair = &host->chair[seat];
    if (open->phase != GRAL_OBJECTION || chair->orders == 0)
        return NEVER;
    int64_t speaks = NEVER;
    bool objects = false;
    for (unsigned index = 0; index < chair->orders; index++) {
        const gral_order order = chair->order[index];
        const bool objection = order.kind == GRAL_ORDER_OBJECT;
        const bool applies = !objection || (brings_nearer(open, order) && open->claim < order.points);
        if (order.kind == GRAL_ORDER_PASS_IN)
            speaks = chair->held < speaks ? chair->held : speaks;
        else if (applies)
            speaks = host->began;
        objects = objects || (objection && applies);
    }
    const gral_action least = gral_object(open->claim + 1u);
    *answer = objects && may_say(host, seat, least) ? least : gral_say(GRAL_PASS);
    return speaks;
}

/* --- when they end --- */

static bool concerns_grail(const gral_open *open)
{
    const gral_action proposal = open->proposal;
    if (open->bearer != GRAL_NO_PAWN)
        return proposal.pawn == open->bearer || proposal.target == open->bearer;
    return open->pawn[proposal.pawn] == open->grail || (proposal.verb == GRAL_STEP && proposal.field == open->grail);
}

/* Whether what the order waits for is there now. */
static bool waits_no_longer(const gral_open *open, gral_order order)
{
    const bool disputed = in_dispute(open);
    switch ((enum gral_order_kind)order.kind) {
    case GRAL_ORDER_PASS_PROPOSAL:
        return !disputed;
    case GRAL_ORDER_PASS_PAWN:
        return disputed && (open->proposal.pawn == order.pawn || open->proposal.target == order.pawn);
    case GRAL_ORDER_PASS_GRAIL:
        return disputed && concerns_grail(open);
    case GRAL_ORDER_PASS_UNCOVER:
        return disputed && open->proposal.target != GRAL_NO_PAWN;
    default:
        return false;
    }
}

/* Whether it has just happened. */
static bool has_come(const gral_open *open, gral_order order, unsigned seat, gral_action action, bool new_turn)
{
    switch ((enum gral_order_kind)order.kind) {
    case GRAL_ORDER_PASS_TURN:
        return new_turn;
    case GRAL_ORDER_PASS_MINE:
        return new_turn && open->active == seat;
    case GRAL_ORDER_PASS_OBJECTION:
        return action.verb == GRAL_OBJECT;
    case GRAL_ORDER_PASS_IN:
        return true;
    default:
        return waits_no_longer(open, order);
    }
}

void orders_follow(gral_host *host, gral_action action, uint32_t turn)
{
    const gral_open *open = &host->state.open;
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++) {
        chair *chair = &host->chair[seat];
        unsigned kept = 0;
        for (unsigned index = 0; index < chair->orders; index++)
            if (!has_come(open, chair->order[index], seat, action, open->turn != turn))
                chair->order[kept++] = chair->order[index];
        chair->orders = (uint8_t)kept;
    }
}

/* --- giving and cancelling them --- */

static bool is_kept(const chair *chair, gral_order order)
{
    for (unsigned index = 0; index < chair->orders; index++)
        if (memcmp(&chair->order[index], &order, sizeof order) == 0)
            return true;
    return false;
}

enum gral_host_refusal order_check(const gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    const gral_open *open = &host->state.open;
    const gral_order order = input->order;
    const enum gral_host_refusal refusal = people_acts(host, input->seat);
    if (refusal != GRAL_ACCEPTED)
        return refusal;
    if (order.kind >= GRAL_ORDER_KINDS || (has_pawn(order.kind) && order.pawn >= GRAL_PAWNS))
        return refuse_for(GRAL_FAULT_NO_SUCH_ACTION);
    if (has_pawn(order.kind) && !gral_on_board(open, order.pawn))
        return refuse_for(GRAL_FAULT_PAWN_GONE);
    if (has_number(order.kind) && order.points == 0)
        return refuse_for(GRAL_FAULT_NO_POINTS);
    if (order.kind == GRAL_ORDER_OBJECT &&
        (order.field >= GRAL_FIELDS || !(gral_board_fields(&host->terms.settings) >> order.field & 1)))
        return refuse_for(GRAL_FAULT_NO_SUCH_ACTION);
    if (order.kind == GRAL_ORDER_PASS_PROPOSAL && (!in_dispute(open) || open->active == input->seat))
        return refuse_for(GRAL_FAULT_NO_PROPOSAL);
    if (order.kind == GRAL_ORDER_PASS_IN && (open->phase != GRAL_OBJECTION || open->active == input->seat))
        return refuse_for(GRAL_FAULT_NO_PROPOSAL);
    if (order.kind == GRAL_ORDER_PASS_IN && host->answered >> input->seat & 1)
        return GRAL_HOST_ANSWERED;
    if (order.kind == GRAL_ORDER_PASS_IN && host->chair[input->seat].held != 0) /* a question has one of them */
        return GRAL_HOST_ORDER_ENDED;
    if (waits_no_longer(open, order))
        return GRAL_HOST_ORDER_ENDED;
    return host->chair[input->seat].orders == GRAL_ORDERS_MAX ? GRAL_HOST_NO_ORDERS : GRAL_ACCEPTED;
}

void order_keep(gral_host *host, const gral_input *input, int64_t time)
{
    chair *chair = &host->chair[input->seat];
    if (input->order.kind == GRAL_ORDER_PASS_IN)
        chair->held = clock_not_after(host, time + input->order.points * INT64_C(1000));
    if (!is_kept(chair, input->order))
        chair->order[chair->orders++] = input->order;
}

static bool waits_to_pass(const chair *chair)
{
    for (unsigned index = 0; index < chair->orders; index++)
        if (chair->order[index].kind == GRAL_ORDER_PASS_IN)
            return true;
    return false;
}

void order_cancel(gral_host *host, const gral_input *input, int64_t time)
{
    (void)time;
    chair *chair = &host->chair[input->seat];
    unsigned kept = 0;
    for (unsigned index = 0; input->one_order && index < chair->orders; index++)
        if (memcmp(&chair->order[index], &input->order, sizeof input->order) != 0)
            chair->order[kept++] = chair->order[index];
    chair->orders = (uint8_t)kept;
    const bool answered = host->answered >> input->seat & 1;
    if (!answered && !waits_to_pass(chair)) /* else it would show that he has answered */
        chair->held = 0;
}

unsigned gral_host_orders(const gral_host *host, unsigned seat, gral_order order[GRAL_ORDERS_MAX])
{
    memcpy(order, host->chair[seat].order, host->chair[seat].orders * sizeof *order);
    return host->chair[seat].orders;
}
