/* What other servers have written about people, and about what is allowed here, is read again from the store: of those
 * who were named in a hint, or of all, where a hint may have been missed. One reading at a time is under way; whoever
 * is named meanwhile waits for the next, once, however often he is.
 *
 * What this server itself has written while it was read may not be in it yet: then it is read once more. */
#include "server/persons.h"
#include "server/several.h"

#include "server/log.h"
#include "server/memory.h"

#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 256, PACE_MS = 20, RETRY_MS = 500 };

/* What is to be read of somebody. */
enum { OF_PERSON = 1, OF_TIES = 2, KEEP_SEEN = 4 };

typedef struct wanted {
    uint64_t id;
    uint8_t what;
    UT_hash_handle hh;
} wanted;

typedef struct reading {
    uint64_t id;
    uint8_t what;
    bool disturbed;
    store_user user;
    store_tie *tie; /* without names */
    unsigned count, room;
} reading;

struct anew {
    server *server;
    wanted *wanted;
    bool wants_moderation, wants_ties; /* all of them */
    uv_timer_t timer;
    uv_work_t work;
    bool reads, failed;
    reading reading[AT_ONCE];
    unsigned count;
    bool moderates, all_ties; /* these are read, too */
    moderation *moderation;
    ties *ties;
};

/* --- on the pool --- */

static bool take_tie(void *context, const store_tie *tie)
{
    reading *reading = context;
    if (reading->count == reading->room) {
        reading->room = 2 * reading->room + 16;
        reading->tie = memory_grow(reading->tie, reading->room * sizeof *reading->tie);
    }
    reading->tie[reading->count] = *tie;
    reading->tie[reading->count++].name = NULL;
    return true;
}

static bool read_one(store *store, reading *reading, gral_error *error)
{
    return ((reading->what & OF_PERSON) == 0 || store->kind->user_by_id(store, reading->id, &reading->user, error)) &&
           ((reading->what & OF_TIES) == 0 || store->kind->ties_of(store, reading->id, take_tie, reading, error));
}

static void read_all(uv_work_t *work)
{
    struct anew *anew = work->data;
    store *store = anew->server->store;
    gral_error error;
    anew->failed = (anew->moderates && (anew->moderation = moderation_read(store, &error)) == NULL) ||
                   (anew->all_ties && (anew->ties = company_read(store, &error)) == NULL);
    for (unsigned index = 0; index < anew->count && !anew->failed; index++)
        anew->failed = !read_one(store, &anew->reading[index], &error);
}

/* --- what follows from it --- */

static void want(struct anew *anew, uint64_t id, uint8_t what)
{
    wanted *wanted;
    HASH_FIND(hh, anew->wanted, &id, sizeof id, wanted);
    if (wanted == NULL) {
        wanted = memory_get(sizeof *wanted);
        wanted->id = id;
        HASH_ADD(hh, anew->wanted, id, sizeof wanted->id, wanted);
    }
    wanted->what |= what;
}

static void take_seen(server *server, const person *person, uint8_t shown)
{
    const enum tie_seen before = ties_seen(server->ties, person->id);
    ties_set_seen(server->ties, person->id, shown < TIE_SEENS ? (enum tie_seen)shown : SEEN_BY_FRIENDS);
    here_follow_seen(server, person, before);
}

static void take_person(server *server, const reading *reading)
{
    const store_user *user = &reading->user;
    const bool guest = user->password[0] == '\0';
    if (user->user != 0) {
        person *person = person_meet(server, user);
        const bool deleted = user->name[0] == '\0' && person->name[0] != '\0';
        person->silenced = user->silenced;
        if (strcmp(person->name, user->name) != 0 || person->guest != guest)
            person_rename(server, user->user, user->name, guest);
        if (deleted)
            company_forget(server, user->user);
        else
            take_seen(server, person, user->shown);
    }
    session_check_all(server, reading->id);
}

static enum tie_kind kind_of(const reading *reading, uint64_t from, uint64_t to)
{
    for (const store_tie *tie = reading->tie; tie < reading->tie + reading->count; tie++)
        if (tie->user == from && tie->other == to)
            return tie->blocks ? TIE_BLOCKS : TIE_WANTS;
    return TIE_NONE;
}

static void follow_tie(server *server, const reading *reading, uint64_t other)
{
    wishes_follow(server, reading->id, other, kind_of(reading, reading->id, other),
                  kind_of(reading, other, reading->id));
}

/* Those that are known here, and those that were read: one of them may be gone, or new. */
static void take_ties(server *server, const reading *reading)
{
    unsigned count;
    const tie *known = ties_of(server->ties, reading->id, &count);
    uint64_t *other = memory_get((count + 1) * sizeof *other);
    for (unsigned index = 0; index < count; index++)
        other[index] = known[index].other;
    for (unsigned index = 0; index < count; index++)
        follow_tie(server, reading, other[index]);
    free(other);
    for (unsigned index = 0; index < reading->count; index++) {
        const store_tie *tie = &reading->tie[index];
        follow_tie(server, reading, tie->user == reading->id ? tie->other : tie->user);
    }
}

static void take_all_ties(struct anew *anew)
{
    server *server = anew->server;
    for (const wanted *wanted = anew->wanted; wanted != NULL; wanted = wanted->hh.next)
        if ((wanted->what & KEEP_SEEN) != 0)
            ties_set_seen(anew->ties, wanted->id, ties_seen(server->ties, wanted->id));
    ties *before = server->ties;
    server->ties = anew->ties;
    anew->ties = NULL;
    for (person *person = server->people; person != NULL; person = person->hh.next) {
        wishes_compare(server, person, before);
        here_follow_seen(server, person, ties_seen(before, person->id));
    }
    ties_close(before);
}

static void take_in(struct anew *anew)
{
    server *server = anew->server;
    if (anew->moderates)
        moderation_take(server, anew->moderation);
    if (anew->all_ties)
        take_all_ties(anew);
    for (reading *reading = anew->reading; reading < anew->reading + anew->count; reading++) {
        if (reading->disturbed) {
            want(anew, reading->id, reading->what);
            continue;
        }
        if ((reading->what & OF_PERSON) != 0)
            take_person(server, reading);
        if ((reading->what & OF_TIES) != 0)
            take_ties(server, reading);
    }
}

static void try_again(struct anew *anew)
{
    anew->wants_moderation |= anew->moderates;
    anew->wants_ties |= anew->all_ties;
    for (const reading *reading = anew->reading; reading < anew->reading + anew->count; reading++)
        want(anew, reading->id, reading->what);
    moderation_free(anew->moderation);
    if (anew->ties != NULL)
        ties_close(anew->ties);
    anew->ties = NULL;
}

/* --- one reading after the other --- */

static void begin(uv_timer_t *timer);

static void go_on(struct anew *anew, uint64_t milliseconds)
{
    if (anew->reads || anew->server->stopping || uv_is_active((uv_handle_t *)&anew->timer))
        return;
    if (anew->wanted != NULL || anew->wants_moderation || anew->wants_ties)
        uv_timer_start(&anew->timer, begin, milliseconds, 0);
}

static void was_read(uv_work_t *work, int status)
{
    (void)status;
    struct anew *anew = work->data;
    anew->reads = false;
    if (anew->server->stopping || anew->failed)
        try_again(anew);
    else
        take_in(anew);
    anew->moderation = NULL;
    for (unsigned index = 0; index < anew->count; index++)
        free(anew->reading[index].tie);
    anew->count = 0;
    go_on(anew, anew->failed ? RETRY_MS : PACE_MS);
}

static void begin(uv_timer_t *timer)
{
    struct anew *anew = timer->data;
    anew->moderates = anew->wants_moderation;
    anew->all_ties = anew->wants_ties;
    anew->wants_moderation = anew->wants_ties = false;
    wanted *wanted, *next;
    HASH_ITER(hh, anew->wanted, wanted, next)
    {
        if (anew->count == AT_ONCE)
            break;
        anew->reading[anew->count++] = (reading){.id = wanted->id, .what = wanted->what};
        HASH_DEL(anew->wanted, wanted);
        free(wanted);
    }
    anew->reads = true;
    uv_queue_work(&anew->server->loop, &anew->work, read_all, was_read);
}

/* --- what is wanted --- */

void anew_user(server *server, uint64_t id)
{
    session_doubt(server, id);
    want(server->anew, id, OF_PERSON);
    go_on(server->anew, 0);
}

void anew_ties(server *server, uint64_t id)
{
    want(server->anew, id, OF_TIES);
    go_on(server->anew, 0);
}

void anew_moderation(server *server)
{
    server->anew->wants_moderation = true;
    go_on(server->anew, 0);
}

void anew_all(server *server)
{
    struct anew *anew = server->anew;
    session_doubt_all(server);
    for (const person *person = server->people; person != NULL; person = person->hh.next)
        want(anew, person->id, OF_PERSON);
    anew->wants_ties = anew->wants_moderation = true;
    go_on(anew, 0);
}

void anew_disturb(server *server, uint64_t id)
{
    struct anew *anew = server->anew;
    if (anew == NULL || !anew->reads)
        return;
    for (reading *reading = anew->reading; reading < anew->reading + anew->count; reading++)
        reading->disturbed |= reading->id == id;
    if (anew->all_ties)
        want(anew, id, OF_TIES | KEEP_SEEN);
}

void anew_disturb_moderation(server *server)
{
    server->anew->wants_moderation |= server->anew->reads && server->anew->moderates;
}

/* --- beginning and end --- */

void anew_open(server *server)
{
    struct anew *anew = server->anew = memory_get(sizeof *anew);
    anew->server = server;
    anew->timer.data = anew->work.data = anew;
    uv_timer_init(&server->loop, &anew->timer);
}

bool anew_busy(const server *server)
{
    return server->anew->reads;
}

void anew_stop(server *server)
{
    uv_close((uv_handle_t *)&server->anew->timer, NULL);
}

void anew_close(server *server)
{
    wanted *wanted, *next;
    HASH_ITER(hh, server->anew->wanted, wanted, next)
    {
        HASH_DEL(server->anew->wanted, wanted);
        free(wanted);
    }
    free(server->anew);
}
