/* A table whose people sit in one room, around a screen that shows it: five letters lead there, which can be read from
 * the screen and typed on a phone. There are three million of them, a try costs whoever tries, and such a table is
 * found in no other way; so nobody comes in by guessing. */
#include "server/parts.h"

#include <ctype.h>
#include <sodium.h>
#include <string.h>

/* Without vowels they are no words, and nothing looks like a digit. */
static const char letters[] = "BCDFGHJKLMNPQRSTVWXZ";

static const refusal refused_no_room = {"room", N_("this table is not shown on a screen")};

static table *find(const server *server, const char *code)
{
    table *found;
    HASH_FIND(by_code, server->rooms, code, ROOM_CODE_LENGTH, found);
    return found;
}

static void give(table *table, const char *code)
{
    memcpy(table->code, code, sizeof table->code);
    HASH_ADD(by_code, table->server->rooms, code, ROOM_CODE_LENGTH, table);
}

void room_tell_code(conn *conn, table *table, const request *request)
{
    char code[ROOM_CODE_LENGTH + 1] = "";
    if (!gral_host_terms(table->host)->room) {
        answer_refused(conn, request->id, refused_no_room);
        return;
    }
    while (table->code[0] == '\0') {
        for (unsigned at = 0; at < ROOM_CODE_LENGTH; at++)
            code[at] = letters[randombytes_uniform(sizeof letters - 1)];
        if (find(table->server, code) == NULL)
            give(table, code);
    }
    answer_begin(conn, request->id);
    pen_put_bool(&conn->server->out, "ok", true);
    pen_put_words(&conn->server->out, "code", table->code);
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

const table *room_find(server *server, const char *text)
{
    char code[ROOM_CODE_LENGTH + 1];
    return read_code(text, code) ? find(server, code) : NULL;
}

void room_move(table *old, table *next)
{
    char code[ROOM_CODE_LENGTH + 1];
    if (old->code[0] == '\0' || next->code[0] != '\0')
        return;
    memcpy(code, old->code, sizeof code);
    room_forget(old);
    give(next, code);
}

void room_forget(table *table)
{
    if (table->code[0] == '\0')
        return;
    HASH_DELETE(by_code, table->server->rooms, table);
    table->code[0] = '\0';
}
