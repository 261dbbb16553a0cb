/* Who people are, as far as anybody here needs to know: owns the list of them. The store knows everybody; here is who
 * is connected, sits at a table or was asked for lately. A name changes here when the store has written it, so what is
 * here is never older than an answer of the store that was on its way meanwhile. */
#include "server/persons.h"
#include "server/several.h"
#include "server/tables.h"

#include "server/memory.h"

#include <stdlib.h>
#include <utlist.h>

enum { FORGET_MS = 30 * 60 * 1000, SWEPT_AT_ONCE = 10000 };

static void note_time(server *server, person *person)
{
    DL_DELETE(server->people_by_time, person);
    DL_APPEND(server->people_by_time, person);
    person->asked_for = uv_now(&server->loop);
}

person *person_find(server *server, uint64_t id)
{
    person *person;
    HASH_FIND(hh, server->people, &id, sizeof id, person);
    if (person != NULL)
        note_time(server, person);
    return person;
}

static void set_name(person *person, const char *name, bool guest)
{
    snprintf(person->name, sizeof person->name, "%s", name);
    person->guest = guest;
}

static person *add(server *server, uint64_t id, const char *name, bool guest)
{
    person *person = memory_get(sizeof *person);
    person->id = id;
    person->asked_for = uv_now(&server->loop);
    set_name(person, name, guest);
    HASH_ADD(hh, server->people, id, sizeof person->id, person);
    DL_APPEND(server->people_by_time, person);
    return person;
}

person *person_meet(server *server, const store_user *user)
{
    person *person = person_find(server, user->user);
    if (person != NULL)
        return person;
    person = add(server, user->user, user->name, user->password[0] == '\0');
    person->silenced = user->silenced;
    return person;
}

const char *person_name(server *server, uint64_t id)
{
    const person *person = person_find(server, id);
    store_user user = {.user = id};
    gral_error error;
    if (person != NULL)
        return person->name;
    if (!server->store->kind->user_by_id(server->store, id, &user, &error))
        return "?"; /* that nobody could be asked does not make him somebody without a name */
    user.user = id;
    return person_meet(server, &user)->name;
}

void person_rename(server *server, uint64_t id, const char *name, bool guest)
{
    person *person = person_find(server, id);
    if (person == NULL) /* the store may just be telling his old name */
        person = add(server, id, name, guest);
    set_name(person, name, guest);
    anew_disturb(server, id);
    tables_of_person_tell(person);
}

person *person_hold(person *person)
{
    person->held++;
    return person;
}

void person_release(person *person)
{
    if (person != NULL)
        person->held--;
}

static void forget(server *server, person *person)
{
    DL_DELETE(server->people_by_time, person);
    HASH_DEL(server->people, person);
    free(person);
}

static bool is_needed(const person *person)
{
    return person->held > 0 || person->seatings != NULL || person->promised > 0;
}

bool person_is_here(const server *server, uint64_t id)
{
    const person *person;
    HASH_FIND(hh, server->people, &id, sizeof id, person);
    return person != NULL && is_needed(person);
}

void person_sweep(server *server)
{
    const uint64_t now = uv_now(&server->loop);
    for (unsigned count = 0; count < SWEPT_AT_ONCE; count++) {
        person *person = server->people_by_time;
        if (person == NULL || now - person->asked_for < FORGET_MS)
            return;
        if (is_needed(person))
            note_time(server, person);
        else
            forget(server, person);
    }
}

void person_forget_all(server *server)
{
    while (server->people_by_time != NULL)
        forget(server, server->people_by_time);
}
