/* Everything the server knows of a person, as an archive: who he is, by what he is known, his results, and each of his
 * games as he may know it. It is made on the pool, a few games at a time, from what the store has, and goes into a file
 * without a name, so that it costs no memory however much there is. What a game tells him is built by tell.h for his
 * seat, like everything that he hears. */
#include "server/errand.h"

#include "server/archive.h"
#include "server/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    GAMES_MAX = 10000,
    GAMES_AT_ONCE = 20, /* then others have their turn on the pool */
    BYTES_MAX = 256 * 1024 * 1024,
};

typedef struct listed_game {
    char id[GRAL_GAME_ID_MAX + 1];
    enum store_stage stage;
    int64_t changed;
} listed_game;

struct export
{
    listed_game *game;
    unsigned games, room, done;
    bool has_self; /* what is not a game is written */
    pen out, view;
};

typedef struct export export;

/* --- one game --- */

typedef struct retold {
    gral_host *host;
    int64_t created, heard;
    uint64_t maker;
    bool unreadable;
    store_user user[GRAL_PLAYERS_MAX];
} retold;

static bool take_entry(void *context, const store_entry *entry)
{
    retold *retold = context;
    gral_error error;
    retold->created = entry->created;
    retold->unreadable = !tables_take_entry(&retold->host, entry, &retold->maker, &retold->heard, &error);
    return !retold->unreadable;
}

static const char *name_of(void *context, unsigned seat)
{
    const retold *retold = context;
    return retold->user[seat].name;
}

/* Where he sits; the names of all who do are looked up on the way. */
static unsigned find_seats(errand *errand, retold *retold)
{
    store *store = errand->server->store;
    unsigned own = GRAL_SPECTATOR;
    gral_error error;
    for (unsigned seat = 0; seat < gral_host_terms(retold->host)->settings.players; seat++) {
        const uint64_t user = gral_host_seat_at(retold->host, seat).user;
        if (user == 0)
            continue;
        errand->failed |= !store->kind->user_by_id(store, user, &retold->user[seat], &error);
        own = user == errand->self.user ? seat : own;
    }
    return own;
}

static void add_file(errand *errand, const char *folder, const char *name, const char *end, gral_span content,
                     int64_t time)
{
    char path[100];
    snprintf(path, sizeof path, "gral/%s%s%s", folder, name, end);
    errand->failed |= !archive_add(errand->file, path, content, time / 1000);
}

static void add_record(errand *errand, const listed_game *game, const retold *retold)
{
    const gral_host *host = retold->host;
    if (gral_host_stage(host) == GRAL_GATHERING || gral_host_end(host) == GRAL_END_CLOSED)
        return;
    record_source source = {.host = host, .created = retold->created, .signing = errand->server->signing};
    for (unsigned seat = 0; seat < gral_host_terms(host)->settings.players; seat++)
        source.names[seat] = retold->user[seat].user != 0 ? retold->user[seat].name
                                                          : gral_host_seat_at(host, seat).player;
    size_t length;
    char *record = record_write(&source, &length);
    add_file(errand, "games/", game->id, ".gral", (gral_span){record, length}, game->changed);
    free(record);
}

static void add_what_he_heard(errand *errand, const listed_game *game, retold *retold, unsigned seat)
{
    export *export = errand->export;
    const tell_table told = {
        .host = retold->host, .now = server_now(errand->server), .name = name_of, .context = retold};
    tell_reader reader = {.viewer = seat};
    pen_clear(&export->out);
    pen_clear(&export->view);
    tell_push(&export->out, &export->view, &told, seat, &reader);
    add_file(errand, "games/", game->id, ".json", pen_span(&export->out), game->changed);
}

static void add_game(errand *errand, const listed_game *game)
{
    store *store = errand->server->store;
    retold retold = {0};
    gral_error error;
    errand->failed |= !store->kind->entries(store, game->id, take_entry, &retold, &error);
    if (retold.host != NULL && !retold.unreadable) {
        const unsigned seat = find_seats(errand, &retold);
        add_record(errand, game, &retold);
        add_what_he_heard(errand, game, &retold, seat);
    }
    gral_host_free(retold.host);
}

/* --- who he is --- */

static bool note_game(void *context, const char *id, enum store_stage stage, int64_t changed)
{
    export *export = context;
    if (export->games == export->room) {
        export->room = export->room > 0 ? 2 * export->room : 64;
        export->game = memory_grow(export->game, export->room * sizeof *export->game);
    }
    listed_game *game = &export->game[export->games++];
    snprintf(game->id, sizeof game->id, "%s", id);
    game->stage = stage;
    game->changed = changed;
    return true;
}

static void put_games(pen *out, const export *export)
{
    static const char *const stages[STORE_STAGES] = {"gathering", "playing", "over"};
    pen_key(out, "games");
    pen_begin(out, '[');
    for (unsigned index = 0; index < export->games; index++) {
        pen_begin(out, '{');
        pen_put_words(out, "table", export->game[index].id);
        pen_put_words(out, "stage", stages[export->game[index].stage]);
        pen_put_number(out, "changed", export->game[index].changed / 1000);
        pen_end(out, '}');
    }
    pen_end(out, ']');
}

static void put_logins(errand *errand, pen *out, const char *name, enum store_session session)
{
    accounts_list_logins(errand, session);
    pen_key(out, name);
    pen_raw(out, pen_span(&errand->list));
}

static void add_self(errand *errand)
{
    export *export = errand->export;
    store *store = errand->server->store;
    pen *out = &export->out;
    gral_error error;
    store_statistics statistics = {0};
    errand->failed |= !store->kind->games_of(store, errand->self.user, GAMES_MAX, note_game, export, &error);
    errand->failed |= !store->kind->statistics(store, errand->self.user, &statistics, &error);
    pen_begin(out, '{');
    pen_put_words(out, "name", errand->self.name);
    pen_put_bool(out, "guest", errand->self.password[0] == '\0');
    pen_put_number(out, "made", errand->self.created / 1000);
    pen_put_number(out, "seen", errand->self.seen / 1000);
    put_logins(errand, out, "sessions", STORE_COOKIE);
    put_logins(errand, out, "tokens", STORE_TOKEN);
    put_logins(errand, out, "devices", STORE_DEVICE);
    pen_key(out, "results");
    pen_begin(out, '{');
    standing_put_results(out, &statistics);
    pen_end(out, '}');
    put_games(out, export);
    pen_end(out, '}');
    add_file(errand, "", "account", ".json", pen_span(out), server_now(errand->server));
}

/* --- all of it --- */

static bool is_enough(const errand *errand)
{
    return errand->failed || errand->export->done == errand->export->games || ftell(errand->file) > BYTES_MAX;
}

static bool end(errand *errand)
{
    errand->failed |= !archive_end(errand->file);
    return false;
}

bool export_go_on(errand *errand)
{
    export *export = errand->export;
    if (export == NULL) {
        errand->export = export = memory_get(sizeof *export);
        errand->file = tmpfile();
        errand->failed |= errand->file == NULL;
        if (!errand->failed)
            add_self(errand);
        return !errand->failed;
    }
    for (unsigned count = 0; count < GAMES_AT_ONCE; count++) {
        if (is_enough(errand))
            return end(errand);
        add_game(errand, &export->game[export->done++]);
    }
    return true;
}

void export_end(errand *errand)
{
    export *export = errand->export;
    if (export == NULL)
        return;
    pen_free(&export->out);
    pen_free(&export->view);
    free(export->game);
    free(export);
}
