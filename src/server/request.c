#include "server/request_inside.h"

#include <sodium.h>
#include <string.h>

#define OF_ALL   (BIT(MEMBER_ID) | BIT(MEMBER_DO))
#define OF_TABLE (OF_ALL | BIT(MEMBER_TABLE))
#define OF_TERMS                                                                                                       \
    (BIT(MEMBER_PLAYERS) | BIT(MEMBER_RULES) | BIT(MEMBER_HQ) | BIT(MEMBER_FIRST) | BIT(MEMBER_LIMIT) |                \
     BIT(MEMBER_COMPUTERS) | BIT(MEMBER_CLOCK) | BIT(MEMBER_PACE) | BIT(MEMBER_LISTED) | BIT(MEMBER_NOTEPAD) |         \
     BIT(MEMBER_TALK) | BIT(MEMBER_RATED))

#define OF_TOURNAMENT (OF_ALL | BIT(MEMBER_TOURNAMENT))
#define OF_ITS_TABLES                                                                                                  \
    (BIT(MEMBER_LIMIT) | BIT(MEMBER_CLOCK) | BIT(MEMBER_PACE) | BIT(MEMBER_NOTEPAD) | BIT(MEMBER_TALK) |               \
     BIT(MEMBER_RATED))

static const struct {
    const char *name;
    uint64_t needs, may;
} kinds[REQUEST_KINDS] = {
    [REQUEST_PING] = {"ping", OF_ALL, 0},
    [REQUEST_LOOK] = {"look", OF_ALL | BIT(MEMBER_ON), 0},
    [REQUEST_LOBBY] = {"lobby", OF_ALL, BIT(MEMBER_ON)},
    [REQUEST_CREATE] = {"create", OF_ALL | BIT(MEMBER_PLAYERS), OF_TERMS | BIT(MEMBER_ROOM)},
    [REQUEST_WATCH] = {"watch", OF_TABLE, BIT(MEMBER_HAVE)},
    [REQUEST_UNWATCH] = {"unwatch", OF_TABLE, 0},
    [REQUEST_SIT] = {"sit", OF_TABLE, BIT(MEMBER_SEAT)},
    [REQUEST_RISE] = {"rise", OF_TABLE, 0},
    [REQUEST_FILL] = {"fill", OF_TABLE | BIT(MEMBER_SEAT) | BIT(MEMBER_LEVEL), BIT(MEMBER_AS)},
    [REQUEST_DISMISS] = {"dismiss", OF_TABLE | BIT(MEMBER_SEAT), 0},
    [REQUEST_ACT] = {"act", OF_TABLE | BIT(MEMBER_VERSION) | BIT(MEMBER_ACTIONS), BIT(MEMBER_SALT)},
    [REQUEST_ORDER] = {"order", OF_TABLE | BIT(MEMBER_ORDER), 0},
    [REQUEST_CANCEL] = {"cancel", OF_TABLE, BIT(MEMBER_ORDER)},
    [REQUEST_DRAW] = {"draw", OF_TABLE, 0},
    [REQUEST_NODRAW] = {"nodraw", OF_TABLE, 0},
    [REQUEST_REPLACE] = {"replace", OF_TABLE | BIT(MEMBER_SEAT), 0},
    [REQUEST_RESIGN] = {"resign", OF_TABLE, 0},
    [REQUEST_BACK] = {"back", OF_TABLE, 0},
    [REQUEST_REMATCH] = {"rematch", OF_TABLE, 0},
    [REQUEST_CODE] = {"code", OF_TABLE, 0},
    [REQUEST_TALK] = {"talk", OF_TABLE | BIT(MEMBER_TEXT), BIT(MEMBER_TO)},
    [REQUEST_OFFER] = {"offer", OF_TABLE | BIT(MEMBER_OFFER), BIT(MEMBER_TO)},
    [REQUEST_MUTE] = {"mute", OF_TABLE | BIT(MEMBER_SEAT), 0},
    [REQUEST_UNMUTE] = {"unmute", OF_TABLE | BIT(MEMBER_SEAT), 0},
    [REQUEST_REPORT] = {"report", OF_TABLE | BIT(MEMBER_SEAT) | BIT(MEMBER_TEXT), 0},
    [REQUEST_STATS] = {"stats", OF_ALL | BIT(MEMBER_NAME), 0},
    [REQUEST_RATINGS] = {"ratings", OF_ALL | BIT(MEMBER_NAME) | BIT(MEMBER_CLASS), 0},
    [REQUEST_RANKING] = {"ranking", OF_ALL | BIT(MEMBER_CLASS), 0},
    [REQUEST_GAMES] = {"games", OF_ALL | BIT(MEMBER_NAME), BIT(MEMBER_AFTER)},
    [REQUEST_SHOW] = {"show", OF_ALL, BIT(MEMBERS) - BIT(MEMBER_PARTS)},
    [REQUEST_QUICK] = {"quick", OF_ALL, BIT(MEMBER_SIZE) | BIT(MEMBER_DAYS) | BIT(MEMBER_RATED) | BIT(MEMBER_WAIT)},
    [REQUEST_UNQUICK] = {"unquick", OF_ALL, 0},
    [REQUEST_TERMS] = {"terms", OF_TABLE | BIT(MEMBER_PLAYERS), OF_TERMS},
    [REQUEST_FRIENDS] = {"friends", OF_ALL, 0},
    [REQUEST_BEFRIEND] = {"befriend", OF_ALL | BIT(MEMBER_NAME), 0},
    [REQUEST_UNFRIEND] = {"unfriend", OF_ALL | BIT(MEMBER_NAME), 0},
    [REQUEST_BLOCK] = {"block", OF_ALL | BIT(MEMBER_NAME), 0},
    [REQUEST_UNBLOCK] = {"unblock", OF_ALL | BIT(MEMBER_NAME), 0},
    [REQUEST_INVITE] = {"invite", OF_TABLE | BIT(MEMBER_NAME), 0},
    [REQUEST_DECLINE] = {"decline", OF_TABLE, 0},
    [REQUEST_SEEN] = {"seen", OF_ALL | BIT(MEMBER_BY), 0},
    [REQUEST_TOURNAMENTS] = {"tournaments", OF_ALL, BIT(MEMBER_ON)},
    [REQUEST_TOURNAMENT] = {"tournament", OF_TOURNAMENT, BIT(MEMBER_ON)},
    [REQUEST_ANNOUNCE] = {"announce", OF_ALL | BIT(MEMBER_TITLE) | BIT(MEMBER_SYSTEM),
                          BIT(MEMBER_ROUNDS) | BIT(MEMBER_ROUND) | BIT(MEMBER_PEOPLE) | BIT(MEMBER_BEGINS) |
                              OF_ITS_TABLES},
    [REQUEST_JOIN] = {"join", OF_TOURNAMENT, 0},
    [REQUEST_LEAVE] = {"leave", OF_TOURNAMENT, 0},
};

enum { WAIT_USUAL = 45 };

static const refusal no_json = {"json", N_("a message must be one JSON object")};
static const refusal no_id = {"id", N_("a request needs an id of 1 to 40 letters, digits, - and _")};
static const refusal no_kind = {"request", N_("this request does not exist")};

static bool refuse(refusal *why, refusal this)
{
    *why = this;
    return false;
}

static bool refuse_detail(refusal *why, const gral_error *detail)
{
    return refuse(why, (refusal){"member", detail->message});
}

static uint64_t ticket_of(gral_span text)
{
    uint8_t hash[crypto_generichash_BYTES_MIN];
    uint64_t ticket;
    crypto_generichash(hash, sizeof hash, (const unsigned char *)text.bytes, text.length, NULL, 0);
    memcpy(&ticket, hash, sizeof ticket);
    return ticket > 0 ? ticket : 1;
}

static bool read_members(reader *reader, json_t *root, refusal *why)
{
    request *request = reader->request;
    const char *name;
    json_t *value;
    json_object_foreach(root, name, value)
    {
        unsigned member = 0;
        while (member < MEMBERS && strcmp(name, request_members[member].name) != 0)
            member++;
        if (member == MEMBERS || ((kinds[request->kind].needs | kinds[request->kind].may) & BIT(member)) == 0)
            return request_fail(reader, N_("this request has no such member")) || refuse_detail(why, reader->detail);
        request->given |= BIT(member);
        const request_member *row = &request_members[member];
        if (row->read == NULL || row->read(reader, row, value))
            continue;
        if (reader->detail->message[0] == '\0')
            request_fail(reader, row->wrong);
        return refuse_detail(why, reader->detail);
    }
    if ((kinds[request->kind].needs & ~request->given) != 0)
        return request_fail(reader, N_("a member is missing")) || refuse_detail(why, reader->detail);
    const bool has_terms = request->kind == REQUEST_CREATE || request->kind == REQUEST_TERMS;
    if (has_terms && !request_finish_terms(reader))
        return refuse_detail(why, reader->detail);
    if (request->kind == REQUEST_ANNOUNCE && !request_finish_tournament(reader))
        return refuse_detail(why, reader->detail);
    if (request->kind == REQUEST_FILL && !request_finish_computer(reader))
        return refuse_detail(why, reader->detail);
    return true;
}

bool request_read(gral_span text, request *request, refusal *why, gral_error *detail)
{
    memset(request, 0, sizeof *request);
    request->seat = GRAL_NOBODY;
    request->input.seat = request->input.other = GRAL_NOBODY;
    request->terms.listed = request->terms.notepad = request->terms.talk = true;
    request->terms.pace = 1000;
    request->size = PAIRING_ANY;
    request->wait = WAIT_USUAL;
    memset(request->shown, TIE_SEENS, sizeof request->shown);
    *detail = (gral_error){0};

    json_t *root = json_loadb(text.bytes, text.length, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
    bool right = false;
    if (!json_is_object(root)) {
        refuse(why, no_json);
        goto end;
    }
    if (!request_read_text(json_object_get(root, "id"), request->id, sizeof request->id) ||
        !request_is_plain(request->id)) {
        request->id[0] = '\0';
        refuse(why, no_id);
        goto end;
    }
    const char *word = json_string_value(json_object_get(root, "do"));
    unsigned kind = 0;
    while (word != NULL && kind < REQUEST_KINDS && strcmp(word, kinds[kind].name) != 0)
        kind++;
    if (word == NULL || kind == REQUEST_KINDS) {
        refuse(why, no_kind);
        goto end;
    }
    request->kind = (enum request_kind)kind;
    request->ticket = ticket_of(text);
    reader reader = {.request = request, .detail = detail};
    right = read_members(&reader, root, why);
end:
    json_decref(root);
    return right;
}
