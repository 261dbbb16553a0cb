/* The questions of store_kind, as any database answers them. */
#include "store/store_inside.h"

/* --- readers --- */

void store_begin_asking(store_inside *inside, const store_kind *kind, unsigned readers)
{
    inside->head.kind = kind;
    inside->readers = readers;
    pthread_mutex_init(&inside->guard, NULL);
    pthread_cond_init(&inside->returned, NULL);
}

void store_end_asking(store_inside *inside)
{
    pthread_cond_destroy(&inside->returned);
    pthread_mutex_destroy(&inside->guard);
}

static unsigned find_free(const store_inside *inside)
{
    unsigned reader = 0;
    while (reader < inside->readers && inside->taken[reader])
        reader++;
    return reader;
}

unsigned store_take_reader(store_inside *inside)
{
    unsigned reader;
    pthread_mutex_lock(&inside->guard);
    while ((reader = find_free(inside)) == inside->readers)
        pthread_cond_wait(&inside->returned, &inside->guard);
    inside->taken[reader] = true;
    pthread_mutex_unlock(&inside->guard);
    return reader;
}

void store_return_reader(store_inside *inside, unsigned reader)
{
    pthread_mutex_lock(&inside->guard);
    inside->taken[reader] = false;
    pthread_cond_signal(&inside->returned);
    pthread_mutex_unlock(&inside->guard);
}

/* --- asking --- */

/* One argument for each parameter of the question. */
static bool ask(store *store, enum store_query query, const store_argument *arguments, store_listener listener,
                gral_error *error)
{
    store_inside *inside = (store_inside *)store;
    listener.columns = store_questions[query].columns;
    const unsigned reader = store_take_reader(inside);
    const bool good = inside->hear(store, reader, query, arguments, &listener, error);
    store_return_reader(inside, reader);
    return good;
}

#define ABOUT(...)    ((const store_argument[]){__VA_ARGS__})
#define TELLING(what) ((store_listener){.context = context, .each = {.what = each}})

bool store_ask_unfinished(store *store, store_each_entry *each, void *context, gral_error *error)
{
    return ask(store, ASK_UNFINISHED, NULL, TELLING(entry), error);
}

bool store_ask_games(store *store, const char *after, unsigned most, store_each_game *each, void *context,
                     gral_error *error)
{
    return ask(store, ASK_GAMES, ABOUT({.text = after}, {.number = most}), TELLING(game), error);
}

bool store_ask_entries(store *store, const char *game, uint32_t from, store_each_entry *each, void *context,
                       gral_error *error)
{
    return ask(store, ASK_ENTRIES, ABOUT({.text = game}, {.number = from}), TELLING(entry), error);
}

bool store_ask_games_of(store *store, uint64_t user, unsigned most, store_each_game *each, void *context,
                        gral_error *error)
{
    return ask(store, ASK_GAMES_OF, ABOUT({.number = (int64_t)user}, {.number = most}), TELLING(game), error);
}

bool store_ask_old_games(store *store, int64_t before, unsigned most, store_each_game *each, void *context,
                         gral_error *error)
{
    return ask(store, ASK_OLD_GAMES, ABOUT({.number = before}, {.number = most}), TELLING(game), error);
}

bool store_ask_asleep(store *store, unsigned most, store_each_game *each, void *context, gral_error *error)
{
    return ask(store, ASK_ASLEEP, ABOUT({.number = most}), TELLING(game), error);
}

bool store_ask_unfinished_of(store *store, uint64_t user, store_each_game *each, void *context, gral_error *error)
{
    return ask(store, ASK_UNFINISHED_OF, ABOUT({.number = (int64_t)user}), TELLING(game), error);
}

static bool ask_for_user(store *store, enum store_query query, const store_argument *arguments, store_user *found,
                         gral_error *error)
{
    *found = (store_user){0};
    return ask(store, query, arguments, (store_listener){.context = found}, error);
}

bool store_ask_user_by_id(store *store, uint64_t user, store_user *found, gral_error *error)
{
    return ask_for_user(store, ASK_USER_BY_ID, ABOUT({.number = (int64_t)user}), found, error);
}

bool store_ask_user_by_key(store *store, const char *key, store_user *found, gral_error *error)
{
    return ask_for_user(store, ASK_USER_BY_KEY, ABOUT({.text = key}), found, error);
}

bool store_ask_user_by_secret(store *store, enum store_session session, const uint8_t secret[STORE_SECRET_BYTES],
                              store_user *found, gral_error *error)
{
    return ask_for_user(store, ASK_USER_BY_SECRET, ABOUT({.secret = secret}, {.number = session}), found, error);
}

bool store_ask_absent_guests(store *store, int64_t before, const store_guest *from, unsigned most,
                             store_each_guest *each, void *context, gral_error *error)
{
    return ask(store, ASK_ABSENT_GUESTS,
               ABOUT({.number = before}, {.number = from->seen}, {.number = (int64_t)from->user}, {.number = most}),
               TELLING(guest), error);
}

bool store_ask_logins_of(store *store, uint64_t user, enum store_session session, store_each_login *each, void *context,
                         gral_error *error)
{
    return ask(store, ASK_LOGINS_OF, ABOUT({.number = (int64_t)user}, {.number = session}), TELLING(login), error);
}

bool store_ask_statistics(store *store, uint64_t user, store_statistics *statistics, gral_error *error)
{
    *statistics = (store_statistics){0};
    return ask(store, ASK_STATISTICS, ABOUT({.number = (int64_t)user}), (store_listener){.context = statistics}, error);
}

bool store_ask_ratings_of(store *store, uint64_t user, store_each_rating *each, void *context, gral_error *error)
{
    return ask(store, ASK_RATINGS_OF, ABOUT({.number = (int64_t)user}), TELLING(rating), error);
}

bool store_ask_rated_of(store *store, uint64_t user, uint8_t class, unsigned most, store_each_rating *each,
                        void *context, gral_error *error)
{
    return ask(store, ASK_RATED_OF, ABOUT({.number = (int64_t)user}, {.number = class}, {.number = most}),
               TELLING(rating), error);
}

bool store_ask_ranking(store *store, uint8_t class, unsigned most, store_each_rating *each, void *context,
                       gral_error *error)
{
    return ask(store, ASK_RANKING, ABOUT({.number = class}, {.number = most}), TELLING(rating), error);
}

bool store_ask_unread(store *store, unsigned most, store_each_unread *each, void *context, gral_error *error)
{
    return ask(store, ASK_UNREAD, ABOUT({.number = most}), TELLING(unread), error);
}

bool store_ask_scores_of(store *store, uint64_t user, store_each_tally *each, void *context, gral_error *error)
{
    return ask(store, ASK_SCORES_OF, ABOUT({.number = (int64_t)user}), TELLING(tally), error);
}

bool store_ask_met_by(store *store, uint64_t user, unsigned most, store_each_tally *each, void *context,
                      gral_error *error)
{
    return ask(store, ASK_MET_BY, ABOUT({.number = (int64_t)user}, {.number = most}), TELLING(tally), error);
}

bool store_ask_manner_of(store *store, uint64_t user, store_each_sum *each, void *context, gral_error *error)
{
    return ask(store, ASK_MANNER_OF, ABOUT({.number = (int64_t)user}), TELLING(sum), error);
}

bool store_ask_played_by(store *store, uint64_t user, const store_page *page, store_each_played *each, void *context,
                         gral_error *error)
{
    return ask(store, page->all ? ASK_PLAYED_BY : ASK_PLAYED_OPENLY_BY,
               ABOUT({.number = (int64_t)user}, {.text = page->after}, {.number = page->most}), TELLING(played), error);
}

bool store_ask_shown_by(store *store, uint64_t user, store_each_shown *each, void *context, gral_error *error)
{
    return ask(store, ASK_SHOWN_BY, ABOUT({.number = (int64_t)user}), TELLING(shown), error);
}

bool store_ask_rated(store *store, store_each_rating *each, void *context, gral_error *error)
{
    return ask(store, ASK_RATED, NULL, TELLING(rating), error);
}

bool store_ask_ties(store *store, store_each_tie *each, void *context, gral_error *error)
{
    return ask(store, ASK_TIES, NULL, TELLING(tie), error);
}

bool store_ask_ties_of(store *store, uint64_t user, store_each_tie *each, void *context, gral_error *error)
{
    return ask(store, ASK_TIES_OF, ABOUT({.number = (int64_t)user}), TELLING(tie), error);
}

bool store_ask_seen(store *store, store_each_seen *each, void *context, gral_error *error)
{
    return ask(store, ASK_SEEN, NULL, TELLING(seen), error);
}

bool store_ask_invitations_of(store *store, uint64_t user, store_each_invitation *each, void *context,
                              gral_error *error)
{
    return ask(store, ASK_INVITATIONS_OF, ABOUT({.number = (int64_t)user}), TELLING(invitation), error);
}

bool store_ask_list(store *store, enum store_list list, const store_filter *filter, store_each_row *each, void *context,
                    gral_error *error)
{
    return ask(store, (enum store_query)(ASK_LISTS + list),
               ABOUT({.text = filter->text != NULL ? filter->text : ""}, {.number = filter->from},
                     {.number = filter->to}, {.number = filter->most}),
               TELLING(row), error);
}

bool store_ask_ways_of(store *store, uint64_t user, store_each_way *each, void *context, gral_error *error)
{
    return ask(store, ASK_WAYS_OF, ABOUT({.number = (int64_t)user}), TELLING(way), error);
}

bool store_ask_letters(store *store, unsigned most, store_each_letter *each, void *context, gral_error *error)
{
    return ask(store, ASK_LETTERS, ABOUT({.number = most}), TELLING(letter), error);
}

bool store_ask_letters_on(store *store, uint64_t way, unsigned most, store_each_letter *each, void *context,
                          gral_error *error)
{
    return ask(store, ASK_LETTERS_ON, ABOUT({.number = (int64_t)way}, {.number = most}), TELLING(letter), error);
}

bool store_ask_letter(store *store, uint64_t id, store_each_letter *each, void *context, gral_error *error)
{
    return ask(store, ASK_LETTER, ABOUT({.number = (int64_t)id}), TELLING(letter), error);
}

bool store_ask_tournaments(store *store, unsigned over, store_each_entry *each, void *context, gral_error *error)
{
    return ask(store, ASK_TOURNAMENTS, ABOUT({.number = over}), TELLING(entry), error);
}

bool store_ask_tournament(store *store, const char *name, store_each_entry *each, void *context, gral_error *error)
{
    return ask(store, ASK_TOURNAMENT, ABOUT({.text = name}), TELLING(entry), error);
}

bool store_ask_old_tournaments(store *store, int64_t before, unsigned most, store_each_game *each, void *context,
                               gral_error *error)
{
    return ask(store, ASK_OLD_TOURNAMENTS, ABOUT({.number = before}, {.number = most}), TELLING(game), error);
}

bool store_ask_tournaments_of(store *store, uint64_t user, unsigned most, store_each_game *each, void *context,
                              gral_error *error)
{
    return ask(store, ASK_TOURNAMENTS_OF, ABOUT({.number = (int64_t)user}, {.number = most}), TELLING(game), error);
}

bool store_ask_secret(store *store, const char *name, char *value, size_t room, gral_error *error)
{
    store_filled_text filled = {value, room};
    value[0] = '\0';
    return ask(store, ASK_SECRET_TEXT_OF, ABOUT({.text = name}), (store_listener){.context = &filled}, error);
}

bool store_ask_signers(store *store, store_each_signer *each, void *context, gral_error *error)
{
    return ask(store, ASK_SIGNERS, NULL, TELLING(signer), error);
}
