/* Running games for a store, as the server would have left them: each is played by a real host, with random steps that
 * nobody minds, and its terms and inputs are what the store gets. Every game has a newcomer among its players, so there
 * are as many people as games, each at four of them. */
#include "server.h"

#include "fair/blake2b.h"
#include "gral/host.h"
#include "gral/random.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLAYERS = 4, GAMES_A_COMMIT = 200, TEXT_BYTES = 512, SECOND_MS = 1000 };
static const int64_t first_time = INT64_C(1794787200000); /* in November 2026 */

enum { WRITES_A_GAME = 1 + 2 + PLAYERS + FILL_INPUTS };

/* What goes into one commit. */
typedef struct batch {
    store_write write[GAMES_A_COMMIT * WRITES_A_GAME];
    char text[GAMES_A_COMMIT * WRITES_A_GAME][TEXT_BYTES];
    char id[GAMES_A_COMMIT][GRAL_GAME_ID_MAX + 1];
    size_t count;
} batch;

static store_write *add(batch *batch, enum store_write_kind kind, const char *game, int64_t time)
{
    store_write *write = &batch->write[batch->count++];
    *write = (store_write){.kind = (uint8_t)kind, .game = game, .time = time};
    return write;
}

static gral_text text_of(batch *batch)
{
    return gral_text_in(batch->text[batch->count], TEXT_BYTES);
}

static uint64_t user_at(unsigned game, unsigned seat, unsigned games)
{
    return (game + seat) % games + 1;
}

static void add_user(batch *batch, unsigned game, int64_t time)
{
    char *name = batch->text[batch->count];
    snprintf(name, TEXT_BYTES, "Player %u", game + 1);
    store_write *write = add(batch, STORE_NEW_USER, NULL, time);
    write->user = game + 1;
    write->name = write->key = name;
}

/* Puts it into the host and the batch. */
static bool add_input(batch *batch, gral_host *host, const char *id, const gral_input *input, uint32_t number,
                      int64_t time)
{
    if (gral_host_check(host, input, time) != GRAL_ACCEPTED || gral_host_apply(host, input, time) != GRAL_ACCEPTED)
        return false;
    gral_text text = text_of(batch);
    gral_input_print(&text, input);
    const gral_span words = {batch->text[batch->count], text.length};
    store_write *write = add(batch, STORE_APPEND, id, time);
    write->number = number;
    write->text = words;
    return true;
}

/* What the next seat that is asked says. */
static gral_input next_input(const gral_host *host, gral_random *random)
{
    gral_input input = {.kind = GRAL_INPUT_DO, .other = GRAL_NOBODY, .action_count = 1};
    gral_options options = gral_host_options(host, 0);
    while (gral_options_count(&options) == 0 && input.seat + 1 < PLAYERS)
        options = gral_host_options(host, ++input.seat);
    input.ticket = gral_random_next(random);
    if (gral_host_view(host, GRAL_SPECTATOR).open.phase == GRAL_OPENING) {
        input.action[0] = gral_place(10, gral_random_below(random, GRAL_PAWNS));
        input.action[1] = gral_place(5, gral_random_below(random, GRAL_PAWNS));
        input.action[2] = gral_say(GRAL_DONE);
        input.action_count = 3;
        input.salted = true;
        for (unsigned byte = 0; byte < sizeof input.salt.bytes; byte++)
            input.salt.bytes[byte] = (uint8_t)gral_random_next(random);
        return input;
    }
    static const enum gral_verb quiet[] = {GRAL_PASS, GRAL_LEAVE};
    for (unsigned row = 0; row < sizeof quiet / sizeof *quiet; row++)
        if (options.verbs >> quiet[row] & 1) {
            input.action[0] = gral_say(quiet[row]);
            return input;
        }
    const gral_view view = gral_host_view(host, GRAL_SPECTATOR);
    do
        input.action[0] = gral_options_pick(gral_host_game(host), &view.open, &options,
                                            gral_random_below(random, gral_options_count(&options)));
    while (input.action[0].verb != GRAL_STEP);
    return input;
}

static bool add_game(batch *batch, unsigned game, unsigned games, unsigned slot)
{
    gral_random random = gral_random_from(game + 1);
    char *id = batch->id[slot];
    snprintf(id, sizeof batch->id[slot], "bench-%u", game);
    gral_terms terms = {
        .settings = gral_settings_for(PLAYERS), .seed = game, .listed = true, .notepad = true, .talk = true};
    snprintf(terms.game, sizeof terms.game, "%s", id);
    int64_t time = first_time + game;
    gral_host *host = gral_host_make(&terms, fair_blake2b, time);
    if (host == NULL)
        return false;
    gral_text text = text_of(batch);
    gral_terms_print(&text, &terms);
    const gral_span words = {batch->text[batch->count], text.length};
    store_write *made = add(batch, STORE_NEW_GAME, id, time);
    made->listed = terms.listed;
    made->text = words;
    bool right = true;
    for (unsigned number = 1; number <= FILL_INPUTS && right; number++, time += SECOND_MS) {
        const unsigned seat = number - 1;
        const gral_input input = number > PLAYERS ? next_input(host, &random)
                                                  : (gral_input){.kind = GRAL_INPUT_SIT,
                                                                 .seat = (uint8_t)seat,
                                                                 .other = GRAL_NOBODY,
                                                                 .user = user_at(game, seat, games)};
        right = add_input(batch, host, id, &input, number, time);
        if (right && number <= PLAYERS) {
            store_write *sat = add(batch, STORE_SIT, id, time);
            sat->seat = (uint8_t)seat;
            sat->user = input.user;
        }
    }
    add(batch, STORE_SET_STAGE, id, time)->stage = STORE_RUNNING;
    gral_host_free(host);
    return right;
}

static bool all_done(const batch *batch)
{
    for (size_t index = 0; index < batch->count; index++)
        if (batch->write[index].outcome != STORE_DONE)
            return false;
    return true;
}

static bool fail(gral_error *error, const char *text)
{
    *error = (gral_error){0};
    snprintf(error->message, sizeof error->message, "%s", text);
    return false;
}

/* People first: whoever sits must be known. */
static bool fill(store *store, batch *batch, unsigned games, void (*step)(unsigned done, unsigned all),
                 gral_error *error)
{
    for (unsigned game = 0; game < games; game++) {
        add_user(batch, game, first_time);
        if (batch->count < GAMES_A_COMMIT && game + 1 < games)
            continue;
        if (!store->kind->commit(store, batch->write, batch->count, error))
            return false;
        batch->count = 0;
    }
    for (unsigned game = 0; game < games;) {
        for (unsigned slot = 0; slot < GAMES_A_COMMIT && game < games; slot++, game++)
            if (!add_game(batch, game, games, slot))
                return fail(error, "a game for the store cannot be played");
        if (!store->kind->commit(store, batch->write, batch->count, error))
            return false;
        if (!all_done(batch))
            return fail(error, "the store has not taken a game");
        batch->count = 0;
        if (step != NULL)
            step(game, games);
    }
    return true;
}

bool fill_store(const char *database, unsigned games, void (*step)(unsigned done, unsigned all), gral_error *error)
{
    store *store = store_open(database, false, error);
    if (store == NULL)
        return false;
    batch *batch = calloc(1, sizeof *batch);
    const bool right = batch != NULL ? fill(store, batch, games, step, error) : fail(error, "out of memory");
    free(batch);
    store->kind->close(store);
    return right;
}
