/* Who meets whom in the next round. */
#include "server/matching.h"
#include "server/tournament.h"

#include "rules/bits.h"

/* Those who play on, the best first: by points, and by lot where they have the same. */
typedef struct field {
    const tournament *tournament;
    tournament_may_meet *may_meet;
    void *context;
    unsigned count;
    uint8_t who[TOURNAMENT_PEOPLE_MAX];
    unsigned points[TOURNAMENT_PEOPLE_MAX];                    /* of these */
    uint8_t met[TOURNAMENT_PEOPLE_MAX][TOURNAMENT_PEOPLE_MAX]; /* how often */
    bool had_bye[TOURNAMENT_PEOPLE_MAX], apart[TOURNAMENT_PEOPLE_MAX][TOURNAMENT_PEOPLE_MAX];
} field;

static uint64_t bit(unsigned one)
{
    return UINT64_C(1) << one;
}

static bool is_before(const field *field, unsigned points, unsigned who, unsigned at)
{
    const tournament *tournament = field->tournament;
    return points > field->points[at] ||
           (points == field->points[at] &&
            tournament_lot(tournament, 0, who) < tournament_lot(tournament, 0, field->who[at]));
}

static void put_in(field *field, unsigned who, unsigned points)
{
    unsigned at = field->count++;
    for (; at > 0 && is_before(field, points, who, at - 1); at--) {
        field->who[at] = field->who[at - 1];
        field->points[at] = field->points[at - 1];
    }
    field->who[at] = (uint8_t)who;
    field->points[at] = points;
}

/* How often two have met so far, and who has had a bye: by their place in the field. */
static void look_back(field *field)
{
    const tournament *tournament = field->tournament;
    uint8_t place[TOURNAMENT_PEOPLE_MAX];
    for (unsigned who = 0; who < TOURNAMENT_PEOPLE_MAX; who++)
        place[who] = TOURNAMENT_PEOPLE_MAX;
    for (unsigned at = 0; at < field->count; at++)
        place[field->who[at]] = (uint8_t)at;
    for (unsigned round = 0; round < tournament->rounds; round++)
        for (unsigned number = 0; number < tournament->round[round].count; number++) {
            const tournament_table *table = &tournament->round[round].table[number];
            for (unsigned seat = 0; seat < table->count; seat++)
                for (unsigned other = 0; other < table->count; other++) {
                    const unsigned one = place[table->who[seat]], two = place[table->who[other]];
                    if (one < field->count && two < field->count && one != two)
                        field->met[one][two]++;
                    if (one < field->count && table->count == 1)
                        field->had_bye[one] = true;
                }
        }
}

static void keep_apart(field *field)
{
    for (unsigned one = 0; one < field->count; one++)
        for (unsigned other = 0; other < field->count; other++)
            field->apart[one][other] = one != other &&
                                       !field->may_meet(field->context, field->tournament->person[field->who[one]].user,
                                                        field->tournament->person[field->who[other]].user);
}

static field make_field(const tournament *tournament, tournament_may_meet *may_meet, void *context)
{
    field field = {.tournament = tournament, .may_meet = may_meet, .context = context};
    tournament_standing standing[TOURNAMENT_PEOPLE_MAX];
    const unsigned count = tournament_stand(tournament, standing);
    for (unsigned at = 0; at < count; at++)
        if (!tournament->person[standing[at].who].left)
            put_in(&field, standing[at].who, standing[at].points);
    look_back(&field);
    keep_apart(&field);
    return field;
}

/* --- the text --- */

/* By lot, so that nobody can tell from a seat how somebody stands. */
static void print_table(gral_text *text, const field *field, uint64_t people)
{
    const tournament *tournament = field->tournament;
    gral_text_add(text, text->length == 0 ? "round" : "");
    for (bool first = true; people != 0; first = false) {
        unsigned next = TOURNAMENT_PEOPLE_MAX;
        for (unsigned at = 0; at < field->count; at++)
            if ((people & bit(at)) != 0 && (next == TOURNAMENT_PEOPLE_MAX ||
                                            tournament_lot(tournament, 1 + tournament->rounds, field->who[at]) <
                                                tournament_lot(tournament, 1 + tournament->rounds, field->who[next])))
                next = at;
        people &= ~bit(next);
        gral_text_add(text, first ? " " : "-");
        gral_text_add_number(text, field->who[next] + 1u);
    }
}

/* --- everybody with everybody --- */

static void pair_all(const field *field, gral_text *text)
{
    const tournament *tournament = field->tournament;
    uint64_t done = 0;
    for (unsigned at = 0; at < field->count; at++) {
        const unsigned meets = tournament_meets(tournament, tournament->rounds, field->who[at]);
        if ((done & bit(at)) != 0)
            continue;
        uint64_t people = bit(at);
        for (unsigned other = 0; other < field->count; other++)
            people |= field->who[other] == meets ? bit(other) : 0;
        done |= people;
        print_table(text, field, people);
    }
}

/* --- those with the same score --- */

/* Those who may meet: with `again` also those who have met. */
static matching_graph graph_of(const field *field, bool again)
{
    matching_graph graph = {0};
    for (unsigned one = 0; one < field->count; one++)
        for (unsigned other = 0; other < field->count; other++)
            if (one != other && !field->apart[one][other] && (again || field->met[one][other] == 0))
                graph.edge[one] |= bit(other);
    return graph;
}

/* Whoever is last and has not had one; where that would make two meet again, or leave others alone, the next. */
static unsigned find_bye(const field *field, const matching_graph *graph, uint64_t left)
{
    for (unsigned again = 0; again < 2; again++)
        for (unsigned at = field->count; at > 0; at--)
            if (field->had_bye[at - 1] == again && matching_most(graph, left & ~bit(at - 1)) == (field->count - 1) / 2)
                return at - 1;
    return field->count;
}

/* The others in the order in which somebody, who is the first of those left, would meet them: the upper half of a score
 * group meets the lower one, the first with the first of it; then everybody else in the order of the field. */
static unsigned list_others(const field *field, uint64_t left, unsigned first, uint8_t others[TOURNAMENT_PEOPLE_MAX])
{
    uint8_t group[TOURNAMENT_PEOPLE_MAX];
    unsigned size = 0, count = 0;
    for (unsigned at = first; at < field->count; at++)
        if ((left & bit(at)) != 0 && field->points[at] == field->points[first])
            group[size++] = (uint8_t)at;
    for (unsigned at = size / 2; at < size; at++)
        if (at > 0)
            others[count++] = group[at];
    for (unsigned at = size / 2; at > 1; at--)
        others[count++] = group[at - 1];
    for (unsigned at = first + 1; at < field->count; at++)
        if ((left & bit(at)) != 0 && field->points[at] != field->points[first])
            others[count++] = (uint8_t)at;
    return count;
}

/* Whom the first of those left meets so that all the others still find somebody; himself: nobody. Those he has met come
 * last. */
static unsigned find_other(const field *field, const matching_graph *graph, uint64_t left, unsigned first)
{
    uint8_t others[TOURNAMENT_PEOPLE_MAX];
    const unsigned count = list_others(field, left, first, others), pairs = matching_most(graph, left);
    for (unsigned again = 0; again < 2; again++)
        for (unsigned at = 0; at < count; at++) {
            const unsigned other = others[at];
            if ((field->met[first][other] > 0) == again && (graph->edge[first] & bit(other)) != 0 &&
                matching_most(graph, left & ~bit(first) & ~bit(other)) + 1 == pairs)
                return other;
        }
    return first;
}

static void pair_equals(const field *field, gral_text *text)
{
    uint64_t left = field->count < TOURNAMENT_PEOPLE_MAX ? bit(field->count) - 1 : UINT64_MAX;
    matching_graph graph = graph_of(field, false);
    const bool odd = field->count % 2 == 1;
    unsigned bye = odd ? find_bye(field, &graph, left) : field->count;
    if (odd ? bye == field->count : matching_most(&graph, left) < field->count / 2) { /* some must meet again */
        graph = graph_of(field, true);
        bye = odd ? find_bye(field, &graph, left) : field->count;
    }
    if (bye < field->count)
        left &= ~bit(bye);
    for (unsigned first = 0; first < field->count; first++) {
        if ((left & bit(first)) == 0)
            continue;
        const uint64_t people = bit(first) | bit(find_other(field, &graph, left, first));
        left &= ~people;
        print_table(text, field, people);
    }
    if (bye < field->count)
        print_table(text, field, bit(bye));
}

/* --- tables of four --- */

typedef struct plan {
    unsigned tables;
    uint64_t people[TOURNAMENT_TABLES_MAX];
} plan;

enum { APART = 1000000, AGAIN = 40 }; /* twelfths of a point by which two may differ rather than meet again */

static unsigned cost_of(const field *field, uint64_t people)
{
    unsigned cost = 0;
    for (; people != 0; people &= people - 1)
        for (uint64_t rest = people & (people - 1); rest != 0; rest &= rest - 1) {
            const unsigned one = bits_lowest(people), other = bits_lowest(rest), met = field->met[one][other];
            cost += field->points[one] - field->points[other] + AGAIN * met * met +
                    (field->apart[one][other] ? APART : 0);
        }
    return cost;
}

/* Two change places if that makes their tables better. */
static bool swap(const field *field, plan *plan, unsigned one, unsigned other)
{
    for (uint64_t from = plan->people[one]; from != 0; from &= from - 1)
        for (uint64_t to = plan->people[other]; to != 0; to &= to - 1) {
            const uint64_t both = (from & -from) | (to & -to);
            const uint64_t first = plan->people[one] ^ both, second = plan->people[other] ^ both;
            if (cost_of(field, first) + cost_of(field, second) >=
                cost_of(field, plan->people[one]) + cost_of(field, plan->people[other]))
                continue;
            plan->people[one] = first;
            plan->people[other] = second;
            return true;
        }
    return false;
}

static bool improve(const field *field, plan *plan)
{
    for (unsigned one = 0; one < plan->tables; one++)
        for (unsigned other = one + 1; other < plan->tables; other++)
            if (swap(field, plan, one, other))
                return true;
    return false;
}

/* The last in the field who has had no bye, or the last of all. */
static unsigned last_without_bye(const field *field)
{
    for (unsigned at = field->count; at > 0; at--)
        if (!field->had_bye[at - 1])
            return at - 1;
    return field->count - 1;
}

/* Fours in the order of the field, and threes at its end; of five people one has a bye. */
static plan cut(const field *field, uint64_t *byes)
{
    enum { FOUR = 4, THREE = 3, FIVE = 5 };
    plan plan = {0};
    *byes = field->count == FIVE ? bit(last_without_bye(field)) : 0;
    const unsigned count = field->count - (*byes != 0), threes = (FOUR - count % FOUR) % FOUR;
    unsigned left = 0, fours = (count - THREE * threes) / FOUR;
    for (unsigned at = 0; at < field->count; at++) {
        if ((*byes & bit(at)) != 0)
            continue;
        if (left == 0) {
            left = fours > 0 ? FOUR : THREE;
            fours -= fours > 0;
            plan.tables++;
        }
        plan.people[plan.tables - 1] |= bit(at);
        left--;
    }
    return plan;
}

/* Somebody who must not meet another who is at his table either; `count` for nobody. */
static unsigned find_apart(const field *field, uint64_t people)
{
    for (uint64_t from = people; from != 0; from &= from - 1)
        for (uint64_t rest = from & (from - 1); rest != 0; rest &= rest - 1)
            if (field->apart[bits_lowest(from)][bits_lowest(rest)])
                return bits_lowest(rest);
    return field->count;
}

static void pair_fours(const field *field, gral_text *text)
{
    uint64_t byes;
    plan plan = cut(field, &byes);
    while (improve(field, &plan))
        ;
    for (unsigned table = 0; table < plan.tables; table++) {
        for (unsigned one; (one = find_apart(field, plan.people[table])) < field->count;
             plan.people[table] &= ~bit(one))
            byes |= bit(one);
        print_table(text, field, plan.people[table]);
    }
    for (; byes != 0; byes &= byes - 1)
        print_table(text, field, byes & -byes);
}

void tournament_pair(const tournament *tournament, tournament_may_meet *may_meet, void *context, gral_text *text)
{
    static void (*const pair[TOURNAMENT_SYSTEMS])(const field *field, gral_text *text) = {
        [TOURNAMENT_ROUND_ROBIN] = pair_all, [TOURNAMENT_SWISS] = pair_equals, [TOURNAMENT_FOURS] = pair_fours};
    const field field = make_field(tournament, may_meet, context);
    pair[tournament->terms.system](&field, text);
}
