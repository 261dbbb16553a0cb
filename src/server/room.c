/* A table whose people sit in one room, around a screen that shows it: five letters lead there, which can be read from
 * the screen and typed on a phone. There are three million of them, a try costs whoever tries, and such a table is
 * found in no other way; so nobody comes in by guessing.
 *
 * Several servers tell each other which codes there are: a phone may come to another one than the screen, and the
 * screen itself, if its server dies. There a code outlives the table's stay in memory, for a day. */
#include "server/several.h"
#include "server/tables.h"

#include "server/memory.h"

#include <ctype.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct room {
    char code[ROOM_CODE_LENGTH + 1], table[GRAL_GAME_ID_MAX + 1];
    int64_t since;
    UT_hash_handle hh, by_table;
};

typedef struct room room;

static const int64_t day = 86400000;

/* Without vowels they are no words, and nothing looks like a digit. */
static const char letters[] = "BCDFGHJKLMNPQRSTVWXZ";

static const refusal refused_no_room = {"room", N_("this table is not shown on a screen")};

/* --- all of them --- */

static room *find(const server *server, const char *code)
{
    room *found;
    HASH_FIND_STR(server->rooms, code, found);
    return found;
}

static room *room_of(const server *server, const char *table)
{
    room *found;
    HASH_FIND(by_table, server->rooms_by_table, table, strlen(table), found);
    return found;
}

static void end(server *server, room *room)
{
    if (room == NULL)
        return;
    HASH_DELETE(hh, server->rooms, room);
    HASH_DELETE(by_table, server->rooms_by_table, room);
    free(room);
}

static void forget_old(server *server)
{
    const int64_t now = server_now(server);
    for (room *room = server->rooms, *next; room != NULL && now - room->since > day; room = next) {
        const table *table;
        next = room->hh.next;
        HASH_FIND_STR(server->tables, room->table, table);
        if (table == NULL)
            end(server, room);
    }
}

/* The code leads to this table from now on. */
static const room *give(server *server, const char *table, const char *code)
{
    room *room = memory_get(sizeof *room);
    forget_old(server);
    snprintf(room->code, sizeof room->code, "%s", code);
    snprintf(room->table, sizeof room->table, "%s", table);
    room->since = server_now(server);
    end(server, find(server, code));
    end(server, room_of(server, table));
    HASH_ADD_STR(server->rooms, code, room);
    HASH_ADD(by_table, server->rooms_by_table, table, strlen(room->table), room);
    return room;
}

/* --- what servers tell each other: "BCDFG table" --- */

static void say(server *server, const room *room)
{
    char words[ROOM_CODE_LENGTH + 1 + sizeof room->table];
    snprintf(words, sizeof words, "%s %s", room->code, room->table);
    peers_say(server, PEERS_ROOM, gral_span_of(words));
}

static void say_all(server *server)
{
    for (const room *room = server->rooms; room != NULL; room = room->hh.next)
        say(server, room);
}

static void hear(server *server, const char *peer, gral_span words)
{
    (void)peer;
    char code[ROOM_CODE_LENGTH + 1], id[GRAL_GAME_ID_MAX + 1];
    if (words.length <= ROOM_CODE_LENGTH + 1 || words.length > ROOM_CODE_LENGTH + 1 + GRAL_GAME_ID_MAX)
        return;
    snprintf(code, sizeof code, "%.*s", ROOM_CODE_LENGTH, words.bytes);
    snprintf(id, sizeof id, "%.*s", (int)words.length - ROOM_CODE_LENGTH - 1, words.bytes + ROOM_CODE_LENGTH + 1);
    const room *known = find(server, code);
    if (known == NULL || strcmp(known->table, id) != 0)
        give(server, id, code);
}

/* --- for others --- */

static const room *make(server *server, const char *table)
{
    char code[ROOM_CODE_LENGTH + 1] = "";
    do {
        for (unsigned at = 0; at < ROOM_CODE_LENGTH; at++)
            code[at] = letters[randombytes_uniform(sizeof letters - 1)];
    } while (find(server, code) != NULL);
    const room *room = give(server, table, code);
    say(server, room);
    return room;
}

void room_tell_code(conn *conn, table *table, const request *request)
{
    server *server = conn->server;
    if (!gral_host_terms(table->host)->room) {
        answer_refused(conn, request->id, refused_no_room);
        return;
    }
    const room *known = room_of(server, table->id), *room = known != NULL ? known : make(server, table->id);
    answer_begin(conn, request->id);
    pen_put_bool(&server->out, "ok", true);
    pen_put_words(&server->out, "code", room->code);
    answer_end(conn);
}

static bool read_code(const char *text, char code[ROOM_CODE_LENGTH + 1])
{
    size_t length = 0;
    for (; length < ROOM_CODE_LENGTH && isalpha((unsigned char)text[length]); length++)
        code[length] = (char)toupper((unsigned char)text[length]);
    code[length] = '\0';
    return length == ROOM_CODE_LENGTH && text[length] == '\0';
}

bool room_is_code(const char *text)
{
    char code[ROOM_CODE_LENGTH + 1];
    return read_code(text, code);
}

const char *room_find(const server *server, const char *text)
{
    char code[ROOM_CODE_LENGTH + 1];
    const room *room = read_code(text, code) ? find(server, code) : NULL;
    return room != NULL ? room->table : NULL;
}

void room_move(server *server, const char *old, const char *next)
{
    const room *room = room_of(server, old);
    if (room != NULL && room_of(server, next) == NULL) {
        char code[ROOM_CODE_LENGTH + 1];
        memcpy(code, room->code, sizeof code);
        say(server, give(server, next, code));
    }
}

void room_forget(const table *table)
{
    if (peers_alone(table->server))
        end(table->server, room_of(table->server, table->id));
}

void room_open(server *server)
{
    static const peers_listener listener = {.heard = hear, .repeat = say_all};
    peers_listen(server, PEERS_ROOM, &listener);
}

void room_close(server *server)
{
    while (server->rooms != NULL)
        end(server, server->rooms);
}
