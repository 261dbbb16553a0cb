#include "server/tournament.h"

#include "notation/scan.h"

#include "gral/random.h"

#include <string.h>

enum {
    PAUSE_MS = 30000,   /* between two rounds, */
    PAUSE_PART = 100,   /* or this part of the time for one */
    FOURS_BYE = 3,      /* twelfths: an equal part of a table */
    FOURS_USUAL = 3,    /* rounds */
    SWISS_USUAL = 3,    /* or more, see usual_rounds */
    FREE_ROUNDS_MAX = 9 /* where they can be chosen */
};

static const int64_t patience = INT64_C(30) * 24 * 60 * 60 * 1000; /* until enough have joined */

const char *const tournament_system_name[TOURNAMENT_SYSTEMS] = {
    [TOURNAMENT_ROUND_ROBIN] = "round-robin", [TOURNAMENT_SWISS] = "swiss", [TOURNAMENT_FOURS] = "fours"};

static const struct {
    uint8_t seats, room, least, enough; /* the last: to go on */
} systems[TOURNAMENT_SYSTEMS] = {
    [TOURNAMENT_ROUND_ROBIN] = {2, TOURNAMENT_ALL_MAX, TOURNAMENT_LEAST, 2},
    [TOURNAMENT_SWISS] = {2, TOURNAMENT_PEOPLE_MAX, TOURNAMENT_LEAST, 2},
    [TOURNAMENT_FOURS] = {4, TOURNAMENT_PEOPLE_MAX, TOURNAMENT_FOURS_LEAST, 3},
};

unsigned tournament_seats(enum tournament_system system)
{
    return systems[system].seats;
}

unsigned tournament_room(enum tournament_system system)
{
    return systems[system].room;
}

unsigned tournament_least(enum tournament_system system)
{
    return systems[system].least;
}

/* --- what is asked of it --- */

const tournament_round *tournament_now(const tournament *tournament)
{
    return tournament->rounds > 0 ? &tournament->round[tournament->rounds - 1] : NULL;
}

unsigned tournament_in(const tournament *tournament)
{
    unsigned count = 0;
    for (unsigned who = 0; who < tournament->count; who++)
        count += !tournament->person[who].left;
    return count;
}

unsigned tournament_find(const tournament *tournament, uint64_t user)
{
    unsigned who = 0;
    while (who < tournament->count && tournament->person[who].user != user)
        who++;
    return who;
}

uint64_t tournament_lot(const tournament *tournament, unsigned salt, unsigned who)
{
    gral_random random = gral_random_from(tournament->terms.seed + 256 * (uint64_t)salt + who);
    return gral_random_next(&random);
}

/* So many rounds there are if everybody meets everybody: with an odd number, everybody has a bye once. */
static unsigned full_rounds(unsigned people)
{
    return people + people % 2 - 1;
}

/* A winner is found as in a knock-out; a few more rounds do no harm. */
static unsigned usual_rounds(unsigned people)
{
    unsigned rounds = SWISS_USUAL;
    while (UINT64_C(1) << rounds < people)
        rounds++;
    return rounds;
}

unsigned tournament_rounds(const tournament *tournament)
{
    const tournament_terms *terms = &tournament->terms;
    const unsigned people = tournament->stage == TOURNAMENT_OPEN ? terms->people : tournament->count;
    if (people == 0)
        return terms->rounds;
    if (terms->system == TOURNAMENT_FOURS)
        return terms->rounds > 0 ? terms->rounds : FOURS_USUAL;
    const unsigned full = full_rounds(people);
    const unsigned wanted = terms->system == TOURNAMENT_ROUND_ROBIN ? full
                            : terms->rounds > 0                     ? terms->rounds
                                                                    : usual_rounds(people);
    return wanted < full ? wanted : full;
}

/* Places around a table by lot; everybody but the last moves on by one each round. Two places meet if their sum is the
 * round's number, and the last meets whoever would meet himself. */
unsigned tournament_meets(const tournament *tournament, unsigned round, unsigned who)
{
    const unsigned count = tournament->count, last = full_rounds(count);
    unsigned order[TOURNAMENT_PEOPLE_MAX], place = 0;
    for (unsigned each = 0; each < count; each++) {
        unsigned at = each;
        for (; at > 0 && tournament_lot(tournament, 0, order[at - 1]) > tournament_lot(tournament, 0, each); at--)
            order[at] = order[at - 1];
        order[at] = each;
    }
    while (order[place] != who)
        place++;
    const unsigned sum = round % last,
                   other = place == last ? sum * ((last + 1) / 2) % last : (sum + last - place) % last;
    const unsigned meets = place < last && other == place ? last : other;
    return meets < count ? order[meets] : count;
}

static int64_t pause_of(const tournament *tournament)
{
    const int64_t part = tournament->terms.round / PAUSE_PART;
    return part < PAUSE_MS ? part : PAUSE_MS;
}

static enum tournament_event due_at(int64_t time, int64_t now, enum tournament_event event, int64_t *next)
{
    *next = time;
    return now >= time ? event : TOURNAMENT_NOTHING;
}

enum tournament_event tournament_due(const tournament *tournament, int64_t now, int64_t *next)
{
    const tournament_terms *terms = &tournament->terms;
    const unsigned in = tournament_in(tournament);
    *next = INT64_MAX;
    if (tournament->stage == TOURNAMENT_OPEN) {
        if (in == 0)
            return TOURNAMENT_FAILS;
        if (terms->people == 0)
            return due_at(terms->begins, now,
                          in >= systems[terms->system].least ? TOURNAMENT_NEXT_ROUND : TOURNAMENT_FAILS, next);
        return in >= terms->people ? TOURNAMENT_NEXT_ROUND
                                   : due_at(tournament->made + patience, now, TOURNAMENT_FAILS, next);
    }
    if (tournament->stage != TOURNAMENT_RUNNING)
        return TOURNAMENT_NOTHING;
    const tournament_round *round = tournament_now(tournament);
    if (round->ended == 0)
        return due_at(round->began + terms->round, now, TOURNAMENT_TIME_UP, next);
    if (tournament->rounds >= tournament_rounds(tournament) || in < systems[terms->system].enough)
        return TOURNAMENT_ENDS;
    return due_at(round->ended + pause_of(tournament), now, TOURNAMENT_NEXT_ROUND, next);
}

/* --- how they stand --- */

/* Where somebody sits in a round; NULL: nowhere. */
static const tournament_table *table_of(const tournament_round *round, unsigned who, unsigned *seat)
{
    for (const tournament_table *table = round->table; table < round->table + round->count; table++)
        for (*seat = 0; *seat < table->count; ++*seat)
            if (table->who[*seat] == who)
                return table;
    return NULL;
}

/* Whoever has left a round-robin before half of his games is taken out of it: else who happened to meet him would have
 * it better or worse than the others. */
static bool is_annulled(const tournament *tournament, unsigned who)
{
    unsigned played = 0, seat;
    if (tournament->terms.system != TOURNAMENT_ROUND_ROBIN || !tournament->person[who].left)
        return false;
    for (unsigned round = 0; round < tournament->rounds; round++) {
        const tournament_table *table = table_of(&tournament->round[round], who, &seat);
        played += table != NULL && table->count > 1 && table->over;
    }
    return 2 * played < tournament->count - 1;
}

static bool counts(const tournament *tournament, const tournament_table *table)
{
    for (unsigned seat = 0; seat < table->count; seat++)
        if (is_annulled(tournament, table->who[seat]))
            return false;
    return table->count > 1;
}

/* Without a game: in a round-robin it is won against somebody who has left, and nothing against nobody. */
static unsigned points_of_bye(const tournament *tournament, unsigned round, unsigned who)
{
    if (tournament->terms.system != TOURNAMENT_ROUND_ROBIN)
        return tournament->terms.system == TOURNAMENT_FOURS ? FOURS_BYE : TOURNAMENT_POINT;
    const unsigned other = tournament_meets(tournament, round, who);
    return other < tournament->count && !is_annulled(tournament, other) ? TOURNAMENT_POINT : 0;
}

static unsigned points_of(const tournament *tournament, unsigned who)
{
    unsigned points = 0, seat;
    for (unsigned round = 0; round < tournament->rounds; round++) {
        const tournament_table *table = table_of(&tournament->round[round], who, &seat);
        if (table == NULL)
            continue;
        if (table->count == 1)
            points += points_of_bye(tournament, round, who);
        else if (counts(tournament, table))
            points += table->points[seat];
    }
    return is_annulled(tournament, who) ? 0 : points;
}

/* What the others of each table have, on the average; a round without a game counts as if he had met himself. */
static void compare_by(const tournament *tournament, const unsigned points[], tournament_standing *standing)
{
    enum { PARTS = 6 };
    const unsigned who = standing->who;
    for (unsigned round = 0; round < tournament->rounds; round++) {
        unsigned seat = 0, others = 0;
        const tournament_table *table = table_of(&tournament->round[round], who, &seat);
        if (table == NULL || !counts(tournament, table)) {
            standing->met += PARTS * points[who];
            continue;
        }
        for (unsigned other = 0; other < table->count; other++)
            others += other != seat ? points[table->who[other]] : 0;
        const unsigned mean = PARTS * others / (table->count - 1u);
        standing->met += mean;
        standing->against += table->points[seat] * mean;
    }
}

static int compare(const tournament_standing *one, const tournament_standing *other)
{
    const unsigned a[] = {!one->annulled, one->points, one->met, one->against},
                   b[] = {!other->annulled, other->points, other->met, other->against};
    for (unsigned at = 0; at < sizeof a / sizeof *a; at++)
        if (a[at] != b[at])
            return a[at] > b[at] ? -1 : 1;
    return 0;
}

unsigned tournament_stand(const tournament *tournament, tournament_standing standing[TOURNAMENT_PEOPLE_MAX])
{
    unsigned points[TOURNAMENT_PEOPLE_MAX];
    for (unsigned who = 0; who < tournament->count; who++)
        points[who] = points_of(tournament, who);
    for (unsigned who = 0; who < tournament->count; who++) {
        tournament_standing own = {
            .who = (uint8_t)who, .points = points[who], .annulled = is_annulled(tournament, who)};
        compare_by(tournament, points, &own);
        unsigned at = who;
        for (; at > 0 && compare(&own, &standing[at - 1]) < 0; at--)
            standing[at] = standing[at - 1];
        standing[at] = own;
    }
    for (unsigned at = 0; at < tournament->count; at++)
        standing[at].place = at > 0 && compare(&standing[at], &standing[at - 1]) == 0 ? standing[at - 1].place
                                                                                      : (uint8_t)(at + 1);
    return tournament->count;
}

/* --- its terms as text --- */

static void print_pair(gral_text *text, const char *name, uint64_t number)
{
    gral_text_add(text, name);
    gral_text_add_number(text, number);
}

void tournament_print(gral_text *text, const tournament_terms *terms)
{
    gral_text_add(text, "system=");
    gral_text_add(text, tournament_system_name[terms->system]);
    print_pair(text, " rounds=", terms->rounds);
    print_pair(text, " people=", terms->people);
    print_pair(text, " begins=", (uint64_t)terms->begins);
    print_pair(text, " round=", (uint64_t)terms->round);
    print_pair(text, " by=", terms->maker);
    print_pair(text, " seed=", terms->seed);
    gral_text_add(text, " title=");
    gral_text_add(text, terms->title);
}

static bool read_system(scan *scan, enum tournament_system *system)
{
    const gral_span word = scan_until(scan, " ");
    unsigned each = 0;
    while (each < TOURNAMENT_SYSTEMS && !span_is(word, tournament_system_name[each]))
        each++;
    *system = (enum tournament_system)each;
    return each < TOURNAMENT_SYSTEMS;
}

static bool read_pair(scan *scan, const char *name, uint64_t most, uint64_t *number)
{
    return scan_literal(scan, name, name) && scan_long_number(scan, most, number, "a number");
}

static bool is_possible(const tournament_terms *terms)
{
    const bool by_people = terms->people >= systems[terms->system].least &&
                           terms->people <= systems[terms->system].room;
    return (terms->people == 0 || by_people) && (terms->people == 0) == (terms->begins > 0) && terms->round > 0 &&
           terms->rounds <= FREE_ROUNDS_MAX && (terms->rounds == 0 || terms->system != TOURNAMENT_ROUND_ROBIN) &&
           terms->maker > 0;
}

bool tournament_make(tournament *tournament, gral_span source, int64_t time)
{
    gral_error error;
    scan scan = scan_of(source, &error);
    tournament_terms terms = {0};
    uint64_t rounds, people, begins, round;
    if (!scan_literal(&scan, "system=", "a system") || !read_system(&scan, &terms.system) ||
        !read_pair(&scan, " rounds=", FREE_ROUNDS_MAX, &rounds) ||
        !read_pair(&scan, " people=", TOURNAMENT_PEOPLE_MAX, &people) ||
        !read_pair(&scan, " begins=", INT64_MAX, &begins) || !read_pair(&scan, " round=", INT64_MAX, &round) ||
        !read_pair(&scan, " by=", INT64_MAX, &terms.maker) || !read_pair(&scan, " seed=", UINT64_MAX, &terms.seed) ||
        !scan_literal(&scan, " title=", "a title"))
        return false;
    const gral_span title = scan_until(&scan, "\n");
    if (title.length > TOURNAMENT_TITLE_MAX || !scan_at_end(&scan))
        return false;
    memcpy(terms.title, title.bytes, title.length);
    terms.rounds = (unsigned)rounds;
    terms.people = (unsigned)people;
    terms.begins = (int64_t)begins;
    terms.round = (int64_t)round;
    if (!is_possible(&terms))
        return false;
    *tournament = (struct tournament){.terms = terms, .made = time};
    return true;
}

/* --- what happens --- */

void tournament_print_person(gral_text *text, bool joins, uint64_t user)
{
    print_pair(text, joins ? "join " : "leave ", user);
}

void tournament_print_result(gral_text *text, const tournament *tournament, unsigned table, unsigned first)
{
    const unsigned count = tournament_now(tournament)->table[table].count;
    unsigned sharing = 0;
    for (unsigned seat = 0; seat < count; seat++)
        sharing += first >> seat & 1;
    print_pair(text, "result ", table + 1);
    for (unsigned seat = 0; seat < count; seat++)
        print_pair(text, seat == 0 ? " " : "-", first >> seat & 1 ? TOURNAMENT_POINT / sharing : 0);
}

/* Whoever was in it before comes back for the next round. */
static bool join(tournament *tournament, scan *scan, int64_t time)
{
    (void)time;
    uint64_t user;
    if (!scan_long_number(scan, INT64_MAX, &user, "a person") || user == 0)
        return false;
    const unsigned who = tournament_find(tournament, user);
    if (who < tournament->count) {
        const bool again = tournament->person[who].left && tournament->stage < TOURNAMENT_OVER;
        tournament->person[who].left &= !again;
        return again;
    }
    if (tournament->stage != TOURNAMENT_OPEN || tournament->count >= systems[tournament->terms.system].room)
        return false;
    tournament->person[tournament->count].left = false;
    tournament->person[tournament->count++].user = user;
    return true;
}

/* Before it begins it is as if he had never been there. */
static bool leave(tournament *tournament, scan *scan, int64_t time)
{
    (void)time;
    uint64_t user;
    if (!scan_long_number(scan, INT64_MAX, &user, "a person") || tournament->stage >= TOURNAMENT_OVER)
        return false;
    const unsigned who = tournament_find(tournament, user);
    if (who == tournament->count || tournament->person[who].left)
        return false;
    if (tournament->stage == TOURNAMENT_RUNNING) {
        tournament->person[who].left = true;
        return true;
    }
    tournament->count--;
    memmove(&tournament->person[who], &tournament->person[who + 1],
            (tournament->count - who) * sizeof *tournament->person);
    return true;
}

static void end_round_if_over(tournament_round *round, int64_t time)
{
    for (unsigned table = 0; table < round->count; table++)
        if (!round->table[table].over)
            return;
    round->ended = time;
}

static bool read_table(const tournament *tournament, scan *scan, uint64_t *seated, tournament_table *table)
{
    *table = (tournament_table){0};
    do {
        uint32_t number;
        if (table->count == systems[tournament->terms.system].seats ||
            !scan_number(scan, tournament->count, &number, "somebody") || number == 0 || *seated >> (number - 1) & 1)
            return false;
        *seated |= UINT64_C(1) << (number - 1);
        table->who[table->count++] = (uint8_t)(number - 1);
    } while (scan_if(scan, "-"));
    table->over = table->count == 1;
    return true;
}

static bool begin_round(tournament *tournament, scan *scan, int64_t time)
{
    const tournament_round *before = tournament_now(tournament);
    const bool ready = tournament->stage == TOURNAMENT_OPEN ||
                       (tournament->stage == TOURNAMENT_RUNNING && before->ended > 0);
    tournament_round round = {.began = time};
    uint64_t seated = 0;
    if (!ready || tournament->rounds == TOURNAMENT_ROUNDS_MAX)
        return false;
    do {
        if (round.count == TOURNAMENT_TABLES_MAX || !read_table(tournament, scan, &seated, &round.table[round.count++]))
            return false;
    } while (scan_if(scan, " "));
    end_round_if_over(&round, time);
    tournament->stage = TOURNAMENT_RUNNING;
    tournament->round[tournament->rounds++] = round;
    return true;
}

static bool end_table(tournament *tournament, scan *scan, int64_t time)
{
    uint32_t number, points[TOURNAMENT_SEATS_MAX];
    if (tournament->stage != TOURNAMENT_RUNNING)
        return false;
    tournament_round *round = &tournament->round[tournament->rounds - 1];
    if (!scan_number(scan, round->count, &number, "a table") || number == 0 || round->table[number - 1].over)
        return false;
    tournament_table *table = &round->table[number - 1];
    for (unsigned seat = 0; seat < table->count; seat++)
        if (!scan_literal(scan, seat == 0 ? " " : "-", "points") ||
            !scan_number(scan, TOURNAMENT_POINT, &points[seat], "points"))
            return false;
    for (unsigned seat = 0; seat < table->count; seat++)
        table->points[seat] = (uint8_t)points[seat];
    table->over = true;
    end_round_if_over(round, time);
    return true;
}

static bool end(tournament *tournament, scan *scan, int64_t time)
{
    (void)scan, (void)time;
    if (tournament->stage != TOURNAMENT_RUNNING)
        return false;
    tournament->stage = TOURNAMENT_OVER;
    return true;
}

static bool call_off(tournament *tournament, scan *scan, int64_t time)
{
    (void)scan, (void)time;
    if (tournament->stage >= TOURNAMENT_OVER)
        return false;
    tournament->stage = TOURNAMENT_OFF;
    return true;
}

static const struct {
    const char *word;
    bool (*happen)(tournament *tournament, scan *scan, int64_t time);
} kinds[] = {{"join ", join},        {"leave ", leave}, {"round ", begin_round},
             {"result ", end_table}, {"over", end},     {"off", call_off}};

bool tournament_apply(tournament *tournament, gral_span text, int64_t time)
{
    gral_error error;
    scan scan = scan_of(text, &error);
    struct tournament after = *tournament;
    for (unsigned kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        if (!scan_if(&scan, kinds[kind].word))
            continue;
        if (!kinds[kind].happen(&after, &scan, time) || !scan_at_end(&scan))
            return false;
        *tournament = after;
        return true;
    }
    return false;
}
