/* Everything the server knows of a person, as an archive: who he is, by what he is known, his results, and each of his
 * games as he may know it. It is made on the pool, a few games at a time, from what the store has, and goes into a file
 * without a name, so that it costs no memory however much there is. What a game tells him is built by tell.h for his
 * seat, like everything that he hears. */
#include "server/errand.h"
#include "server/persons.h"
#include "server/tables.h"

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

struct takeout {
    listed_game *game;
    unsigned games, room, done;
    pen out, view;
};

typedef struct takeout takeout;

/* --- one game --- */

typedef struct retold {
    stored_game game;
    store_user user[GRAL_PLAYERS_MAX];
} retold;

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
    for (unsigned seat = 0; seat < gral_host_terms(retold->game.host)->settings.players; seat++) {
        const uint64_t user = gral_host_seat_at(retold->game.host, seat).user;
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
    const gral_host *host = retold->game.host;
    if (gral_host_stage(host) == GRAL_GATHERING || gral_host_end(host) == GRAL_END_CLOSED)
        return;
    record_source source = {.host = host, .created = retold->game.created, .signing = errand->server->signing};
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
    takeout *takeout = errand->takeout;
    const tell_table told = {
        .host = retold->game.host, .now = server_now(errand->server), .name = name_of, .context = retold};
    tell_reader reader = {.viewer = seat};
    pen_clear(&takeout->out);
    pen_clear(&takeout->view);
    tell_push(&takeout->out, &takeout->view, &told, seat, &reader);
    add_file(errand, "games/", game->id, ".json", pen_span(&takeout->out), game->changed);
}

static void add_game(errand *errand, const listed_game *game)
{
    store *store = errand->server->store;
    retold retold = {0};
    gral_error error;
    errand->failed |= !stored_game_read(store, game->id, &retold.game, &error);
    if (retold.game.host != NULL) {
        const unsigned seat = find_seats(errand, &retold);
        add_record(errand, game, &retold);
        add_what_he_heard(errand, game, &retold, seat);
    }
    gral_host_free(retold.game.host);
}

/* --- who he is --- */

static bool note_game(void *context, const char *id, enum store_stage stage, int64_t changed)
{
    takeout *takeout = context;
    if (takeout->games == takeout->room) {
        takeout->room = takeout->room > 0 ? 2 * takeout->room : 64;
        takeout->game = memory_grow(takeout->game, takeout->room * sizeof *takeout->game);
    }
    listed_game *game = &takeout->game[takeout->games++];
    snprintf(game->id, sizeof game->id, "%s", id);
    game->stage = stage;
    game->changed = changed;
    return true;
}

static void put_games(pen *out, const takeout *takeout)
{
    static const char *const stages[STORE_STAGES] = {"gathering", "playing", "over"};
    pen_key(out, "games");
    pen_begin(out, '[');
    for (unsigned index = 0; index < takeout->games; index++) {
        pen_begin(out, '{');
        pen_put_words(out, "table", takeout->game[index].id);
        pen_put_words(out, "stage", stages[takeout->game[index].stage]);
        pen_put_number(out, "changed", takeout->game[index].changed / 1000);
        pen_end(out, '}');
    }
    pen_end(out, ']');
}

static bool put_tournament(void *context, const char *id, enum store_stage stage, int64_t changed)
{
    (void)stage, (void)changed;
    pen_words(context, id);
    return true;
}

static void put_tournaments(errand *errand, pen *out)
{
    store *store = errand->server->store;
    gral_error error;
    pen_key(out, "tournaments");
    pen_begin(out, '[');
    errand->failed |= !store->kind->tournaments_of(store, errand->self.user, GAMES_MAX, put_tournament, out, &error);
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
    takeout *takeout = errand->takeout;
    store *store = errand->server->store;
    pen *out = &takeout->out;
    gral_error error;
    profile profile;
    errand->failed |= !store->kind->games_of(store, errand->self.user, GAMES_MAX, note_game, takeout, &error);
    errand->failed |= !profile_read(store, errand->self.user, PROFILE_ALL, &profile, &error);
    pen_begin(out, '{');
    pen_put_words(out, "name", errand->self.name);
    pen_put_bool(out, "guest", errand->self.password[0] == '\0');
    pen_put_number(out, "made", errand->self.created / 1000);
    pen_put_number(out, "seen", errand->self.seen / 1000);
    put_logins(errand, out, "sessions", STORE_COOKIE);
    put_logins(errand, out, "tokens", STORE_TOKEN);
    put_logins(errand, out, "devices", STORE_DEVICE);
    ways_list(errand);
    pen_key(out, "ways");
    pen_raw(out, pen_span(&errand->list));
    pen_key(out, "results");
    pen_begin(out, '{');
    profile_put(out, &profile, PROFILE_RESULTS, 0);
    pen_end(out, '}');
    profile_put(out, &profile, PROFILE_RATINGS, server_now(errand->server));
    profile_put(out, &profile, PROFILE_MANNER, 0);
    profile_put_shown(out, profile.shown);
    friends_list *company = friends_read(store, errand->self.user);
    errand->failed |= company == NULL;
    if (company != NULL)
        friends_list_put(out, company, NULL);
    friends_list_free(company);
    put_tournaments(errand, out);
    put_games(out, takeout);
    pen_end(out, '}');
    add_file(errand, "", "account", ".json", pen_span(out), server_now(errand->server));
}

/* --- all of it --- */

static bool is_enough(const errand *errand)
{
    return errand->failed || errand->takeout->done == errand->takeout->games || ftell(errand->file) > BYTES_MAX;
}

static bool end(errand *errand)
{
    errand->failed |= !archive_end(errand->file);
    return false;
}

bool takeout_go_on(errand *errand)
{
    takeout *takeout = errand->takeout;
    if (takeout == NULL) {
        errand->takeout = takeout = memory_get(sizeof *takeout);
        errand->file = tmpfile();
        errand->failed |= errand->file == NULL;
        if (!errand->failed)
            add_self(errand);
        return !errand->failed;
    }
    for (unsigned count = 0; count < GAMES_AT_ONCE; count++) {
        if (is_enough(errand))
            return end(errand);
        add_game(errand, &takeout->game[takeout->done++]);
    }
    return true;
}

void takeout_end(errand *errand)
{
    takeout *takeout = errand->takeout;
    if (takeout == NULL)
        return;
    pen_free(&takeout->out);
    pen_free(&takeout->view);
    free(takeout->game);
    free(takeout);
}
