#include "server/ratings.h"

#include "server/memory.h"
#include "server/ratings_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

typedef struct known {
    struct {
        uint64_t user, class;
    } who;
    standing standing;
    UT_hash_handle hh;
} known;

typedef struct row {
    char game[GRAL_GAME_ID_MAX + 1];
    uint64_t user;
    double strength, doubt;
} row;

typedef struct checking {
    store *store;
    void (*differs)(const char *what, uint64_t user);
    ratings_checked *checked;
    row *rows;
    size_t count, room;
    known *known;
} checking;

static bool take_row(void *context, const store_rating *rating)
{
    checking *checking = context;
    if (checking->count == checking->room) {
        checking->room = checking->room > 0 ? 2 * checking->room : 256;
        checking->rows = memory_grow(checking->rows, checking->room * sizeof *checking->rows);
    }
    row *row = &checking->rows[checking->count++];
    *row = (struct row){.user = rating->user, .strength = rating->strength, .doubt = rating->doubt};
    snprintf(row->game, sizeof row->game, "%s", rating->name);
    return true;
}

static known *know(checking *checking, uint64_t user, enum rating_class class)
{
    known *known, key = {.who = {user, class}};
    HASH_FIND(hh, checking->known, &key.who, sizeof key.who, known);
    if (known != NULL)
        return known;
    known = memory_get(sizeof *known);
    known->who = key.who;
    HASH_ADD(hh, checking->known, who, sizeof known->who, known);
    return known;
}

static void compare(checking *checking, const char *what, uint64_t user, bool same)
{
    if (same)
        return;
    checking->checked->differences++;
    checking->differs(what, user);
}

/* The rows of one game, from the first on; returns how many they are, 0 when it cannot be read. */
static size_t check_game(checking *checking, const row *rows, size_t most, gral_error *error)
{
    judged judged = {0};
    gral_host *host;
    memcpy(judged.game, rows->game, sizeof judged.game);
    const bool read = ratings_judge(checking->store, &judged, &host, error);
    gral_host_free(host);
    if (!read)
        return 0;
    size_t count = 1;
    while (count < most && strcmp(rows[count].game, rows->game) == 0)
        count++;
    standing standings[GRAL_PLAYERS_MAX] = {0};
    known *who[GRAL_PLAYERS_MAX] = {NULL};
    for (unsigned seat = 0; seat < judged.outcome.count; seat++)
        if (judged.outcome.user[seat] != 0) {
            who[seat] = know(checking, judged.outcome.user[seat], judged.outcome.class);
            standings[seat] = who[seat]->standing;
        }
    ratings_rate(&judged, standings);
    size_t at = 0;
    for (unsigned seat = 0; seat < judged.outcome.count; seat++) {
        if (who[seat] == NULL)
            continue;
        who[seat]->standing = standings[seat];
        const bool same = at < count && rows[at].user == judged.outcome.user[seat] &&
                          rows[at].strength == standings[seat].rating.strength &&
                          rows[at].doubt == standings[seat].rating.doubt;
        compare(checking, judged.game, judged.outcome.user[seat], same);
        at++;
    }
    return count;
}

static bool check_known(checking *checking, const known *known, gral_error *error)
{
    standing now = {0};
    const enum rating_class class = (enum rating_class)known->who.class;
    if (!ratings_read(checking->store, known->who.user, class, &now, error))
        return false;
    const standing *then = &known->standing;
    compare(checking, rating_class_name(class), known->who.user,
            now.rating.strength == then->rating.strength && now.rating.doubt == then->rating.doubt &&
                now.games == then->games && now.time == then->time);
    return true;
}

static bool check_all(checking *checking, gral_error *error)
{
    if (!checking->store->kind->rated(checking->store, take_row, checking, error))
        return false;
    for (size_t at = 0, rows; at < checking->count; at += rows) {
        rows = check_game(checking, checking->rows + at, checking->count - at, error);
        if (rows == 0)
            return false;
        checking->checked->games++;
    }
    for (const known *known = checking->known; known != NULL; known = known->hh.next, checking->checked->people++)
        if (!check_known(checking, known, error))
            return false;
    return true;
}

bool ratings_check(store *store, void (*differs)(const char *what, uint64_t user), ratings_checked *checked,
                   gral_error *error)
{
    *checked = (ratings_checked){0};
    checking checking = {.store = store, .differs = differs, .checked = checked};
    const bool good = check_all(&checking, error);
    known *known, *next;
    HASH_ITER(hh, checking.known, known, next)
    {
        HASH_DEL(checking.known, known);
        free(known);
    }
    free(checking.rows);
    return good;
}
