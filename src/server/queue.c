/* The queue of those who want a quick game, on the server that leads: who of them play with each other is pairing.h's
 * business, here their table is made, and it is told to their servers. A server that leads anew waits a moment, until
 * it has heard who waits and where everybody sits. */
#include "server/meeting_inside.h"
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

#include "server/memory.h"

#include <inttypes.h>
#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum { LEVELS = 5, NEWCOMER_LEVEL = 3, LOST_MS = 8000, HEARD_MS = 1000, PLACES_BEFORE = 8 };

/* His place in the queue of the server that leads. */
typedef struct place {
    char peer[STORE_PEER_ID_MAX + 1]; /* that says so; "" for this one */
    person *person;                   /* held */
    quest quest;
    origin from;
    int64_t heard; /* when it was last said */
    pairing_progress told;
    uint64_t before[PLACES_BEFORE]; /* tickets with which he has asked elsewhere, or for something else */
    unsigned asked;                 /* so often */
    struct place *prev, *next;
} place;

/* Those who are to play. */
typedef struct party {
    server *server;
    unsigned count;
    place *place[GRAL_PLAYERS_MAX];
    struct party *prev, *next;
} party;

struct queue {
    pairing *pairing;
    place *places;  /* those in it */
    party *parties; /* whose tables are being made */
    int64_t begins; /* then this server knows all who wait, and who sits where */
    uv_timer_t timer;
};

typedef struct queue queue;

static void free_place(place *place)
{
    person_release(place->person);
    free(place);
}

static place *find_place(const queue *queue, uint64_t person)
{
    place *place = queue->places;
    while (place != NULL && place->quest.wish.person != person)
        place = place->next;
    return place;
}

/* --- the table that comes of it --- */

static seeker *own_seeker(const server *server, const place *place)
{
    return place->peer[0] == '\0' ? seeker_find(server, place->quest.wish.person, place->quest.ticket) : NULL;
}

static void report_made(server *server, const place *place, const table *table)
{
    seeker *seeker = own_seeker(server, place);
    if (seeker != NULL)
        seeker_tell_made(server, seeker, table != NULL ? table->id : NULL);
    else if (place->peer[0] != '\0')
        meeting_say(server, "table %" PRIu64 " %" PRIx64 " %s", place->quest.wish.person, place->quest.ticket,
                    table != NULL ? table->id : "");
}

/* Where another leads now, everybody's own server tells him. */
static void table_made(void *context, table *table)
{
    party *party = context;
    server *server = party->server;
    DL_DELETE(server->meeting->queue->parties, party);
    for (unsigned index = 0; index < party->count; index++) {
        if (table != NULL || lead_is(server))
            report_made(server, party->place[index], table);
        free_place(party->place[index]);
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
        const double strength = party->place[index]->quest.strength[class_of(players)];
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

/* Everybody on a seat by chance. */
static void seat(server *server, party *party, unsigned players, bool rated)
{
    gral_terms terms = meeting_terms(players, false, rated);
    uint8_t seats[GRAL_PLAYERS_MAX], characters[GRAL_PLAYERS_MAX], key[ID_BYTES];
    sitting people[GRAL_PLAYERS_MAX];
    const unsigned level = fitting_level(party, players);
    for (unsigned index = 0; index < players; index++)
        seats[index] = (uint8_t)index;
    shuffle(seats, players);
    const unsigned names = shuffled_characters(characters);
    for (unsigned index = 0; index < players; index++)
        if (index < party->count)
            people[index] = (sitting){party->place[index]->person, seats[index], party->place[index]->quest.ticket};
        else
            name_computer(terms.computer[seats[index]], level, characters[index % names]);
    randombytes_buf(key, sizeof key);
    id_make(terms.game, key, sizeof key, gral_span_of("quick"));
    tables_make_leading(server, &terms, people, party->count, &party->place[0]->from, table_made, party);
}

/* --- who waits --- */

static void report_progress(server *server, place *place, pairing_progress progress)
{
    seeker *seeker = own_seeker(server, place);
    if (seeker != NULL) {
        seeker_tell_progress(seeker, progress);
        return;
    }
    if (place->peer[0] == '\0' || (progress.people == place->told.people && progress.players == place->told.players))
        return;
    place->told = progress;
    meeting_say(server, "progress %" PRIu64 " %" PRIx64 " %u %u %" PRId64, place->quest.wish.person,
                place->quest.ticket, progress.people, progress.players, progress.left);
}

static void begin_game(server *server, const pairing_group *group)
{
    queue *queue = server->meeting->queue;
    party *party = memory_get(sizeof *party);
    party->server = server;
    for (unsigned index = 0; index < group->people; index++) {
        place *place = find_place(queue, group->person[index]);
        DL_DELETE(queue->places, place);
        party->place[party->count++] = place;
    }
    DL_APPEND(queue->parties, party);
    seat(server, party, group->players, group->rated);
}

static void go_on(server *server);

static void time_is_up(uv_timer_t *timer)
{
    go_on(timer->data);
}

static void give_up_place(server *server, place *place)
{
    pairing_leave(server->meeting->queue->pairing, place->quest.wish.person);
    DL_DELETE(server->meeting->queue->places, place);
    free_place(place);
}

/* Those whom a server that led before has seated, and whose own has not noticed yet. */
static void drop_seated(server *server)
{
    place *place, *next;
    DL_FOREACH_SAFE(server->meeting->queue->places, place, next)
    {
        const table *table = seeker_seated_at(place->person, place->quest.ticket);
        if (table == NULL)
            continue;
        report_made(server, place, table);
        give_up_place(server, place);
    }
}

/* Whoever can play does; the others hear how far it is. */
static void go_on(server *server)
{
    queue *queue = server->meeting->queue;
    const int64_t now = server_now(server);
    pairing_group group;
    if (!lead_is(server))
        return;
    if (now < queue->begins) {
        uv_timer_start(&queue->timer, time_is_up, (uint64_t)(queue->begins - now), 0);
        return;
    }
    drop_seated(server);
    while (pairing_take(queue->pairing, now, &group))
        begin_game(server, &group);
    for (unsigned at = 0; at < pairing_count(queue->pairing); at++) {
        uint64_t person;
        const pairing_progress progress = pairing_look(queue->pairing, at, now, &person);
        report_progress(server, find_place(queue, person), progress);
    }
    const int64_t due = pairing_due(queue->pairing);
    if (due < 0)
        uv_timer_stop(&queue->timer);
    else
        uv_timer_start(&queue->timer, time_is_up, due > now ? (uint64_t)(due - now) : 0, 0);
}

void queue_leave(server *server, const char *peer, uint64_t person)
{
    place *place = find_place(server->meeting->queue, person);
    if (place == NULL || strcmp(place->peer, peer) != 0)
        return;
    give_up_place(server, place);
    go_on(server);
}

bool queue_is_about_to_play(const server *server, uint64_t ticket)
{
    const party *party;
    DL_FOREACH(server->meeting->queue->parties, party)
    {
        for (unsigned index = 0; index < party->count; index++)
            if (party->place[index]->quest.ticket == ticket)
                return true;
    }
    return false;
}

static bool has_asked_before(const place *place, uint64_t ticket)
{
    unsigned at = 0;
    while (at < PLACES_BEFORE && place->before[at] != ticket)
        at++;
    return at < PLACES_BEFORE;
}

/* He has asked anew, and waits where he did so last. */
static void move_on(server *server, const char *peer, uint64_t person, uint64_t ticket)
{
    seeker *seeker = seeker_find(server, person, ticket);
    if (peer[0] != '\0')
        meeting_say(server, "moved %" PRIu64 " %" PRIx64, person, ticket);
    else if (seeker != NULL)
        seeker_tell_moved(server, seeker);
}

bool queue_join(server *server, const char *peer, const quest *quest, person *person, const origin *from, bool again)
{
    queue *queue = server->meeting->queue;
    place *place = find_place(queue, person->id);
    if (queue_is_about_to_play(server, quest->ticket) || seeker_seated_at(person, quest->ticket) != NULL)
        return true;
    if (place != NULL && has_asked_before(place, quest->ticket)) {
        move_on(server, peer, person->id, quest->ticket);
        return true;
    }
    const bool same = place != NULL && place->quest.ticket == quest->ticket;
    if (!same && !pairing_join(queue->pairing, &quest->wish, quest->since)) {
        if (place != NULL) { /* he wanted something else before */
            move_on(server, place->peer, person->id, place->quest.ticket);
            give_up_place(server, place);
        }
        return false;
    }
    if (place == NULL) {
        place = memory_get(sizeof *place);
        place->person = person_hold(person);
        DL_APPEND(queue->places, place);
    }
    place->heard = server_now(server);
    if (same && !again)
        return true;
    if (!same && place->quest.ticket != 0) {
        place->before[place->asked++ % PLACES_BEFORE] = place->quest.ticket;
        move_on(server, place->peer, person->id, place->quest.ticket);
    }
    snprintf(place->peer, sizeof place->peer, "%s", peer);
    place->quest = *quest;
    place->from = *from;
    place->told = (pairing_progress){0};
    go_on(server);
    meeting_keep_up(server);
    return true;
}

bool queue_is_empty(const server *server)
{
    return server->meeting->queue->places == NULL;
}

void queue_forget(server *server, const char *peer)
{
    place *place, *next;
    DL_FOREACH_SAFE(server->meeting->queue->places, place, next)
    {
        if (strcmp(place->peer, peer) == 0)
            give_up_place(server, place);
    }
    go_on(server);
}

void queue_forget_lost(server *server)
{
    place *place, *next;
    DL_FOREACH_SAFE(server->meeting->queue->places, place, next)
    {
        if (place->peer[0] != '\0' && server_now(server) - place->heard > LOST_MS)
            give_up_place(server, place);
    }
    go_on(server);
}

/* What was heard before is worth nothing if another leads. */
void queue_lead(server *server)
{
    queue *queue = server->meeting->queue;
    while (!lead_is(server) && queue->places != NULL)
        give_up_place(server, queue->places);
    queue->begins = server_now(server) + HEARD_MS;
}

/* --- beginning and end --- */

void queue_open(server *server)
{
    queue *queue = server->meeting->queue = memory_get(sizeof *queue);
    queue->pairing = pairing_open(company_may_meet, server);
    uv_timer_init(&server->loop, &queue->timer);
    queue->timer.data = server;
    if (!peers_alone(server))
        queue_lead(server);
}

void queue_stop(server *server)
{
    uv_close((uv_handle_t *)&server->meeting->queue->timer, NULL);
}

void queue_close(server *server)
{
    queue *queue = server->meeting->queue;
    while (queue->places != NULL)
        give_up_place(server, queue->places);
    pairing_close(queue->pairing);
    free(queue);
}
