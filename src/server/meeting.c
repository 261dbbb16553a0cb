/* A game with whoever wants one too. Those who want to play now wait in a queue (pairing.h), each as long as the
 * connection lasts on which he asked; when there are enough of them, or computer players are to fill the seats, a table
 * is made with all of them on their seats, in one write: nobody is ever left behind at half a table.
 *
 * Those who want to play by days do not wait at a screen. For them the open tables of the lobby are the queue: they get
 * the seat that has waited longest, or a new table that waits for others. So their place is kept on the disk, outlives
 * the connection and the server, and everybody who looks at the lobby can take a seat there, too. */
#include "server/parts.h"

#include "server/memory.h"

#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum { SECOND = 1000, LEVELS = 5, NEWCOMER_LEVEL = 3 };
static const int64_t day = INT64_C(86400000);

/* Ratings are kept apart for two players, for three or four, and for more. */
enum { TABLE_CLASSES = 3 };

/* Somebody who waits, on the connection where he asked. */
typedef struct seeker {
    uv_work_t work;
    conn *conn; /* held */
    promise promise;
    pairing_wish wish;
    char re[REQUEST_ID_MAX + 1];
    double strength[TABLE_CLASSES]; /* NAN: nobody knows */
    pairing_progress told;
    struct seeker *prev, *next;
} seeker;

struct meeting {
    pairing *pairing;
    seeker *seekers;
    uv_timer_t timer;
};

typedef struct meeting meeting;

void meeting_open(server *server)
{
    meeting *meeting = memory_get(sizeof *meeting);
    server->meeting = meeting;
    meeting->pairing = pairing_open(company_may_meet, server);
    uv_timer_init(&server->loop, &meeting->timer);
    meeting->timer.data = server;
}

unsigned meeting_waiting(const server *server)
{
    return pairing_count(server->meeting->pairing);
}

static void let_go(seeker *seeker)
{
    seats_redeem(&seeker->promise);
    conn_release(seeker->conn);
    free(seeker);
}

static seeker *find(const meeting *meeting, uint64_t person)
{
    seeker *seeker = meeting->seekers;
    while (seeker != NULL && seeker->wish.person != person)
        seeker = seeker->next;
    return seeker;
}

/* --- the table that comes of it --- */

/* Those who are to play. */
typedef struct party {
    unsigned count;
    seeker *seeker[GRAL_PLAYERS_MAX];
} party;

static void tell_made(const seeker *seeker, const table *table)
{
    pen *out = &seeker->conn->server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", "quick");
    if (table != NULL) {
        pen_put_words(out, "table", table->id);
    } else {
        pen_put_words(out, "error", refused_storage.code);
        pen_put_words(out, "text", refused_storage.text);
    }
    pen_end(out, '}');
    conn_send(seeker->conn, out);
}

static void table_made(void *context, table *table)
{
    party *party = context;
    for (unsigned index = 0; index < party->count; index++) {
        tell_made(party->seeker[index], table);
        let_go(party->seeker[index]);
    }
    free(party);
}

static unsigned class_of(unsigned players)
{
    return players > 4 ? 2 : players > 2;
}

/* As strong as those who play, as far as anybody knows. */
static unsigned fitting_level(const party *party, unsigned players)
{
    const enum rating_class class = (enum rating_class)(RATING_TWO_COMPUTERS + class_of(players));
    double sum = 0;
    unsigned known = 0, best = NEWCOMER_LEVEL;
    for (unsigned index = 0; index < party->count; index++) {
        const double strength = party->seeker[index]->strength[class_of(players)];
        sum += isnan(strength) ? 0 : strength;
        known += isnan(strength) ? 0 : 1;
    }
    for (unsigned level = 1; known > 0 && level <= LEVELS; level++)
        if (fabs(rating_of_level(level, class).strength - sum / known) <
            fabs(rating_of_level(best, class).strength - sum / known))
            best = level;
    return best;
}

static void shuffle(uint8_t *numbers, unsigned count)
{
    for (unsigned left = count; left > 1; left--) {
        const unsigned other = randombytes_uniform(left);
        const uint8_t number = numbers[left - 1];
        numbers[left - 1] = numbers[other];
        numbers[other] = number;
    }
}

static unsigned shuffled_characters(uint8_t character[GRAL_PLAYERS_MAX])
{
    unsigned count = 0;
    for (; count < GRAL_PLAYERS_MAX && gral_character_key(count) != NULL; count++)
        character[count] = (uint8_t)count;
    shuffle(character, count);
    return count;
}

static void name_computer(char text[GRAL_COMPUTER_TEXT_MAX], unsigned level, unsigned character)
{
    gral_text name = gral_text_in(text, GRAL_COMPUTER_TEXT_MAX);
    gral_text_add(&name, "thinker:level=");
    gral_text_add_number(&name, level);
    gral_text_add(&name, ",as=");
    gral_text_add(&name, gral_character_key(character));
}

static gral_terms usual_terms(unsigned players, bool days, bool rated)
{
    gral_terms terms = {
        .clock = GRAL_CLOCK_MOVE,
        .time = days ? day : 60 * SECOND,
        .opening = days ? 0 : 180 * SECOND,
        .pace = SECOND,
        .listed = true,
        .notepad = true,
        .talk = true,
        .rated = rated,
    };
    terms.settings = gral_settings_for(players);
    terms.settings.first = (uint8_t)randombytes_uniform(players);
    return terms;
}

/* Everybody on a seat by chance. */
static void seat(server *server, party *party, unsigned players, bool rated)
{
    gral_terms terms = usual_terms(players, false, rated);
    uint8_t seats[GRAL_PLAYERS_MAX], characters[GRAL_PLAYERS_MAX], key[ID_BYTES];
    sitting people[GRAL_PLAYERS_MAX];
    const unsigned level = fitting_level(party, players);
    for (unsigned index = 0; index < players; index++)
        seats[index] = (uint8_t)index;
    shuffle(seats, players);
    const unsigned names = shuffled_characters(characters);
    for (unsigned index = 0; index < players; index++)
        if (index < party->count)
            people[index] = (sitting){party->seeker[index]->conn->person, seats[index]};
        else
            name_computer(terms.computer[seats[index]], level, characters[index % names]);
    randombytes_buf(key, sizeof key);
    id_make(terms.game, key, sizeof key, gral_span_of("quick"));
    tables_make(server, &terms, people, party->count, &party->seeker[0]->conn->from, table_made, party);
}

/* --- waiting --- */

static void tell_progress(seeker *seeker, pairing_progress progress)
{
    if (progress.people == seeker->told.people && progress.players == seeker->told.players)
        return;
    seeker->told = progress;
    pen *out = &seeker->conn->server->out;
    pen_clear(out);
    pen_begin(out, '{');
    pen_put_words(out, "push", "quick");
    pen_put_number(out, "people", progress.people);
    pen_put_number(out, "players", progress.players);
    if (progress.left >= 0)
        pen_put_number(out, "left", progress.left);
    pen_end(out, '}');
    conn_send(seeker->conn, out);
}

static void begin_game(server *server, const pairing_group *group)
{
    meeting *meeting = server->meeting;
    party *party = memory_get(sizeof *party);
    for (unsigned index = 0; index < group->people; index++) {
        seeker *seeker = find(meeting, group->person[index]);
        DL_DELETE(meeting->seekers, seeker);
        party->seeker[party->count++] = seeker;
    }
    seat(server, party, group->players, group->rated);
}

static void go_on(server *server);

static void time_is_up(uv_timer_t *timer)
{
    go_on(timer->data);
}

/* Whoever can play does; the others hear how far it is. */
static void go_on(server *server)
{
    meeting *meeting = server->meeting;
    const int64_t now = server_now(server);
    pairing_group group;
    if (server->stopping)
        return;
    while (pairing_take(meeting->pairing, now, &group))
        begin_game(server, &group);
    for (unsigned place = 0; place < pairing_count(meeting->pairing); place++) {
        uint64_t person;
        const pairing_progress progress = pairing_look(meeting->pairing, place, now, &person);
        tell_progress(find(meeting, person), progress);
    }
    const int64_t due = pairing_due(meeting->pairing);
    if (due < 0)
        uv_timer_stop(&meeting->timer);
    else
        uv_timer_start(&meeting->timer, time_is_up, due > now ? (uint64_t)(due - now) : 0, 0);
}

static void remove_seeker(server *server, seeker *seeker)
{
    pairing_leave(server->meeting->pairing, seeker->wish.person);
    DL_DELETE(server->meeting->seekers, seeker);
    let_go(seeker);
    go_on(server);
}

void meeting_leave(conn *conn)
{
    const meeting *meeting = conn->server->meeting;
    seeker *seeker = conn->person != NULL ? find(meeting, conn->person->id) : NULL;
    if (seeker != NULL && seeker->conn == conn)
        remove_seeker(conn->server, seeker);
}

void meeting_cancel(conn *conn, const request *request)
{
    seeker *seeker = find(conn->server->meeting, conn->person->id);
    if (seeker != NULL)
        remove_seeker(conn->server, seeker);
    answer_ok(conn, request->id);
}

/* --- coming --- */

/* Against computer players it counts most what he is worth against them. */
static bool take_rating(void *context, const store_rating *rating)
{
    seeker *seeker = context;
    const bool against_computers = rating->class >= RATING_TWO_COMPUTERS;
    if (rating->class >= RATING_TWO_DAYS && !against_computers)
        return true;
    double *strength = &seeker->strength[rating->class % TABLE_CLASSES];
    if (against_computers || isnan(*strength))
        *strength = rating->strength;
    return true;
}

static void look_up(uv_work_t *work)
{
    seeker *seeker = work->data;
    store *store = seeker->conn->server->store;
    gral_error error; /* a level that fits badly is no reason not to play */
    store->kind->ratings_of(store, seeker->wish.person, take_rating, seeker, &error);
}

static void take_place(uv_work_t *work, int status)
{
    (void)status;
    seeker *seeker = work->data, *old;
    server *server = seeker->conn->server;
    meeting *meeting = server->meeting;
    if (seeker->conn->peer == NULL) {
        let_go(seeker);
        return;
    }
    if ((old = find(meeting, seeker->wish.person)) != NULL) {
        DL_DELETE(meeting->seekers, old);
        let_go(old);
    }
    if (!pairing_join(meeting->pairing, &seeker->wish, server_now(server))) {
        answer_refused(seeker->conn, seeker->re, refused_many);
        let_go(seeker);
        return;
    }
    answer_ok(seeker->conn, seeker->re);
    DL_APPEND(meeting->seekers, seeker);
    go_on(server);
}

static void wait(conn *conn, const request *request)
{
    promise promise;
    if (!requests_reserve_table(conn, pairing_computers(request->size), request->id, &promise))
        return;
    seeker *seeker = memory_get(sizeof *seeker);
    seeker->conn = conn_hold(conn);
    seeker->promise = promise;
    seeker->wish = (pairing_wish){conn->person->id, request->size, request->terms.rated,
                                  (int64_t)request->wait * SECOND, source_number(origin_widest(&conn->from))};
    memcpy(seeker->re, request->id, sizeof seeker->re);
    for (unsigned class = 0; class < TABLE_CLASSES; class ++)
        seeker->strength[class] = NAN;
    seeker->work.data = seeker;
    uv_queue_work(&conn->server->loop, &seeker->work, look_up, take_place);
}

/* --- by days --- */

static bool has_usual_terms(const gral_terms *terms, const request *request)
{
    const unsigned players = terms->settings.players;
    gral_terms usual = usual_terms(players, true, request->terms.rated);
    usual.settings.first = terms->settings.first;
    return pairing_goes_with(request->size, players) && gral_settings_equal(&terms->settings, &usual.settings) &&
           terms->clock == usual.clock && terms->time == usual.time && terms->rated == usual.rated &&
           terms->talk == usual.talk && terms->notepad == usual.notepad;
}

/* Whether he may sit there, as far as those are concerned who do. */
static bool is_among_friends(const table *table, const person *person)
{
    for (unsigned seat = 0; seat < gral_host_terms(table->host)->settings.players; seat++) {
        const uint64_t user = gral_host_seat_at(table->host, seat).user;
        if (user != 0 && user != person->id && !company_may_meet(table->server, user, person->id))
            return false;
    }
    return true;
}

/* The one that waits longest; or where he sits already. */
static table *find_open_table(const server *server, const person *person, const request *request)
{
    table *found = NULL;
    for (const seating *seating = person->seatings; seating != NULL; seating = seating->next)
        if (gral_host_stage(seating->table->host) == GRAL_GATHERING &&
            has_usual_terms(gral_host_terms(seating->table->host), request))
            return seating->table;
    for (table *table = server->lobby.newest[LOBBY_OPEN]; table != NULL; table = table->older)
        if (has_usual_terms(gral_host_terms(table->host), request) && is_among_friends(table, person))
            found = table;
    return found;
}

typedef struct opening {
    conn *conn;
    promise promise;
    char re[REQUEST_ID_MAX + 1];
} opening;

static void table_opened(void *context, table *table)
{
    opening *opening = context;
    seats_redeem(&opening->promise);
    if (table == NULL)
        answer_refused(opening->conn, opening->re, refused_storage);
    else
        answer_table(opening->conn, opening->re, table->id);
    conn_release(opening->conn);
    free(opening);
}

static void open_table(conn *conn, const request *request)
{
    promise promise;
    if (!requests_reserve_table(conn, 0, request->id, &promise))
        return;
    gral_terms terms = usual_terms(pairing_usual(request->size), true, request->terms.rated);
    id_make(terms.game, conn->session, sizeof conn->session,
            (gral_span){(const char *)&request->ticket, sizeof request->ticket});
    opening *opening = memory_get(sizeof *opening);
    opening->conn = conn_hold(conn);
    opening->promise = promise;
    memcpy(opening->re, request->id, sizeof opening->re);
    tables_make(conn->server, &terms, &(sitting){conn->person, 0}, 1, &conn->from, table_opened, opening);
}

static void sit_by_days(conn *conn, const request *request)
{
    table *table = find_open_table(conn->server, conn->person, request);
    if (table == NULL) {
        open_table(conn, request);
        return;
    }
    const gral_input input = {.kind = GRAL_INPUT_SIT,
                              .seat = GRAL_NOBODY,
                              .other = GRAL_NOBODY,
                              .user = conn->person->id,
                              .ticket = request->ticket};
    table_submit(table, &input, conn, request->id, NULL);
}

void meeting_join(conn *conn, const request *request)
{
    if (request->terms.rated && conn->person->guest)
        answer_refused(conn, request->id, refused_guest);
    else if (request->days)
        sit_by_days(conn, request);
    else
        wait(conn, request);
}

/* --- the end --- */

void meeting_stop(server *server)
{
    uv_close((uv_handle_t *)&server->meeting->timer, NULL);
}

void meeting_close(server *server)
{
    meeting *meeting = server->meeting;
    while (meeting->seekers != NULL) {
        seeker *seeker = meeting->seekers;
        DL_DELETE(meeting->seekers, seeker);
        let_go(seeker);
    }
    pairing_close(meeting->pairing);
    free(meeting);
}
