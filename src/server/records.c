#include "server/records.h"

#include "server/tables.h"

#include "fair/blake2b.h"
#include "server/memory.h"

#include <stdlib.h>
#include <string.h>

enum { GAMES_AT_ONCE = 200 };

typedef struct page {
    char name[GAMES_AT_ONCE][GRAL_GAME_ID_MAX + 1];
    unsigned count;
} page;

static bool take_name(void *context, const char *game, enum store_stage stage, int64_t changed)
{
    (void)stage, (void)changed;
    page *page = context;
    snprintf(page->name[page->count++], sizeof page->name[0], "%s", game);
    return true;
}

static void write_record(gral_text *text, const void *context)
{
    const char *names[GRAL_PLAYERS_MAX];
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        names[seat] = "";
    gral_host_record(context, names, NULL, text);
}

static void write_checked(gral_text *text, const void *context)
{
    gral_checks_add(text, *(const gral_span *)context, fair_blake2b);
}

static bool is_right(const gral_host *host, gral_error *error)
{
    const gral_span record = memory_print(write_record, host), checked = memory_print(write_checked, &record);
    gral_audit audit;
    const bool right = gral_audit_record(checked, fair_blake2b, NULL, &audit, error);
    if (right)
        gral_record_free(&audit.record);
    free((char *)record.bytes);
    free((char *)checked.bytes);
    return right;
}

static bool check_game(store *store, const char *name, void (*wrong)(const char *game, const char *why),
                       records_checked *checked, gral_error *error)
{
    stored_game game;
    if (!stored_game_read(store, name, &game, error))
        return false;
    gral_error why = {.message = "its texts make no game"};
    const bool over = game.host != NULL && gral_host_stage(game.host) == GRAL_ENDED &&
                      gral_host_end(game.host) != GRAL_END_CLOSED; /* never begun: no record */
    const bool right = game.host != NULL && (!over || is_right(game.host, &why));
    checked->games++;
    checked->over += over;
    checked->wrong += !right;
    if (!right)
        wrong(name, why.message);
    gral_host_free(game.host);
    return true;
}

bool records_check(store *store, void (*wrong)(const char *game, const char *why), records_checked *checked,
                   gral_error *error)
{
    page *page = memory_get(sizeof *page);
    char after[GRAL_GAME_ID_MAX + 1] = "";
    bool good;
    *checked = (records_checked){0};
    do {
        page->count = 0;
        good = store->kind->games(store, after, GAMES_AT_ONCE, take_name, page, error);
        for (unsigned index = 0; good && index < page->count; index++)
            good = check_game(store, page->name[index], wrong, checked, error);
        if (good && page->count > 0)
            memcpy(after, page->name[page->count - 1], sizeof after);
    } while (good && page->count == GAMES_AT_ONCE);
    free(page);
    return good;
}
