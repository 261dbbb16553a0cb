/* What other servers have written of tournaments: a hint says which has more texts than it has here, and all of its
 * texts are read, on a thread of the pool. Nothing is written there meanwhile. */
#include "server/meetings.h"
#include "server/several.h"
#include "server/tournaments_inside.h"

#include "server/memory.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

typedef struct hearing {
    uv_work_t work;
    server *server;
    char id[GRAL_GAME_ID_MAX + 1]; /* "": all of them */
    bool known, failed;
    stored_contest stored;
    contest *read; /* all that were */
} hearing;

static bool take_heard(void *context, const store_entry *entry)
{
    hearing *hearing = context;
    if (entry->number == 0 && hearing->stored.contest != NULL) {
        hearing->stored.contest->next_read = hearing->read;
        hearing->read = hearing->stored.contest;
        hearing->stored.contest = NULL;
    }
    if (entry->number == 0 || hearing->stored.contest != NULL)
        contest_read(&hearing->stored, entry);
    return true;
}

static void read_texts(uv_work_t *work)
{
    hearing *hearing = work->data;
    store *store = hearing->server->store;
    gral_error error;
    hearing->failed = hearing->id[0] != '\0' ? !store->kind->tournament(store, hearing->id, take_heard, hearing, &error)
                                             : !store->kind->tournaments(store, OVER_KEPT, take_heard, hearing, &error);
    if (hearing->stored.contest != NULL)
        LL_PREPEND2(hearing->read, hearing->stored.contest, next_read);
}

/* As it is in the store, or was a moment ago. */
static void take_over(server *server, contest *read)
{
    contest *contest = contest_find(server, read->id);
    if (contest == NULL) {
        contest_add(server, read);
        return;
    }
    const unsigned rounds = contest->state.rounds;
    const bool over = contest_is_over(contest);
    if (read->count > contest->count) {
        contest->state = read->state;
        contest->count = read->count;
        contest_follow(contest, rounds, over);
    }
    free(read);
}

static void texts_read(uv_work_t *work, int status)
{
    (void)status;
    hearing *hearing = work->data;
    server *server = hearing->server;
    const bool none = hearing->read == NULL && !hearing->failed;
    while (hearing->read != NULL) {
        contest *read = hearing->read;
        hearing->read = read->next_read;
        if (!hearing->failed)
            take_over(server, read);
        else
            free(read);
    }
    contest *contest = hearing->known ? contest_find(server, hearing->id) : NULL;
    if (contest != NULL) {
        contest->busy--;
        contest->reading = false;
        if (hearing->failed)
            contest_refuse_all(contest);
        if (contest->again)
            contest_catch_up(server, hearing->id);
        contest_go_on(contest);
        if (none)
            tournaments_cleared(server, hearing->id);
    }
    free(hearing);
}

static void read_from_store(server *server, const char *id, bool known)
{
    hearing *hearing = memory_get(sizeof *hearing);
    hearing->server = server;
    hearing->known = known;
    hearing->work.data = hearing;
    memcpy(hearing->id, id, strlen(id) + 1);
    uv_queue_work(&server->loop, &hearing->work, read_texts, texts_read);
}

void contest_catch_up(server *server, const char *id)
{
    contest *contest = contest_find(server, id);
    if (server->stopping || (contest != NULL && (contest->again = contest->reading)))
        return;
    if (contest != NULL) {
        contest->reading = true;
        contest->busy++;
    }
    read_from_store(server, id, contest != NULL);
}

void tournaments_hear(server *server, const char *id, uint32_t number)
{
    const contest *contest = contest_find(server, id);
    if (contest == NULL || number >= contest->count)
        contest_catch_up(server, id);
}

void tournaments_compare(server *server)
{
    if (!server->stopping)
        read_from_store(server, "", false);
}
