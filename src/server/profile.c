#include "server/profile.h"

#include <stdio.h>
#include <string.h>

const char *const profile_part_names[PROFILE_PARTS] = {"ratings", "results", "games", "manner"};

/* For who has said nothing. Games and manner are what somebody might not expect strangers to look at. */
static const uint8_t usual[PROFILE_PARTS] = {SEEN_BY_ALL, SEEN_BY_ALL, SEEN_BY_FRIENDS, SEEN_BY_FRIENDS};

static const char bluffs[] = "bluffs", worked[] = "worked";

/* --- reading --- */

uint8_t profile_shown(uint8_t said, enum profile_part part)
{
    return said < TIE_SEENS ? said : usual[part];
}

static bool take_shown(void *context, uint8_t part, uint8_t place)
{
    uint8_t *shown = context;
    if (part < PROFILE_PARTS)
        shown[part] = profile_shown(place, (enum profile_part)part);
    return true;
}

bool profile_read_shown(store *store, uint64_t user, uint8_t shown[PROFILE_PARTS], gral_error *error)
{
    memcpy(shown, usual, sizeof usual);
    return store->kind->shown_by(store, user, take_shown, shown, error);
}

static bool take_class(void *context, const char *name, uint8_t class, const store_tally *tally)
{
    (void)name;
    profile *profile = context;
    if (class < RATING_CLASSES)
        profile->class[class] = *tally;
    return true;
}

static bool take_opponent(void *context, const char *name, uint8_t class, const store_tally *tally)
{
    (void)class;
    profile *profile = context;
    gral_text text = gral_text_in(profile->met[profile->opponents].name, sizeof profile->met->name);
    gral_text_add(&text, name);
    profile->met[profile->opponents++].tally = *tally;
    return profile->opponents < PROFILE_OPPONENTS;
}

static bool take_rating(void *context, const store_rating *rating)
{
    profile *profile = context;
    profile->rating[profile->ratings] = *rating;
    profile->rating[profile->ratings++].name = NULL;
    return profile->ratings < RATING_CLASSES;
}

static bool take_sum(void *context, const char *what, int64_t sum)
{
    profile *profile = context;
    if (strcmp(what, bluffs) == 0)
        profile->bluffs = sum;
    else if (strcmp(what, worked) == 0)
        profile->worked = sum;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (strcmp(what, gral_pawn_id(pawn)) == 0)
            profile->placed[pawn] = sum;
    return true;
}

static bool read_results(store *store, uint64_t user, profile *profile, gral_error *error)
{
    const store_kind *kind = store->kind;
    return kind->statistics(store, user, &profile->statistics, error) &&
           kind->scores_of(store, user, take_class, profile, error) &&
           kind->met_by(store, user, PROFILE_OPPONENTS, take_opponent, profile, error);
}

bool profile_read(store *store, uint64_t user, unsigned parts, profile *profile, gral_error *error)
{
    const store_kind *kind = store->kind;
    *profile = (struct profile){0};
    return profile_read_shown(store, user, profile->shown, error) &&
           ((parts >> PROFILE_RATINGS & 1) == 0 || kind->ratings_of(store, user, take_rating, profile, error)) &&
           ((parts >> PROFILE_RESULTS & 1) == 0 || read_results(store, user, profile, error)) &&
           ((parts >> PROFILE_MANNER & 1) == 0 || kind->manner_of(store, user, take_sum, profile, error));
}

/* --- telling --- */

void profile_put_rating(pen *out, rating rating)
{
    pen_put_number(out, "points", rating_points(rating));
    pen_put_number(out, "margin", rating_margin(rating));
}

static void put_ratings(pen *out, const profile *profile, int64_t now)
{
    pen_key(out, "ratings");
    pen_begin(out, '{');
    for (const store_rating *row = profile->rating; row < profile->rating + profile->ratings; row++) {
        pen_key(out, rating_class_name((enum rating_class)row->class));
        pen_begin(out, '{');
        profile_put_rating(out, rating_after((rating){row->strength, row->doubt}, now - row->time));
        pen_put_number(out, "games", row->games);
        pen_end(out, '}');
    }
    pen_end(out, '}');
}

static void put_tally(pen *out, const store_tally *tally)
{
    pen_put_number(out, "games", tally->games);
    pen_put_number(out, "won", tally->won);
    pen_put_number(out, "drawn", tally->drawn);
}

static void put_games(pen *out, const char *name, const store_tally *tally)
{
    pen_key(out, name);
    pen_begin(out, '{');
    put_tally(out, tally);
    pen_end(out, '}');
}

static void put_results(pen *out, const profile *profile)
{
    const store_statistics *statistics = &profile->statistics;
    put_tally(out, &statistics->all);
    pen_key(out, "standard");
    pen_begin(out, '{');
    for (unsigned players = GRAL_PLAYERS_MIN; players <= GRAL_PLAYERS_MAX; players++) {
        char digits[4];
        gral_text text = gral_text_in(digits, sizeof digits);
        gral_text_add_number(&text, players);
        if (statistics->players[players].games > 0)
            put_games(out, digits, &statistics->players[players]);
    }
    pen_end(out, '}');
    put_games(out, "original", &statistics->original);
    pen_key(out, "classes");
    pen_begin(out, '{');
    for (unsigned class = 0; class < RATING_CLASSES; class ++)
        if (profile->class[class].games > 0)
            put_games(out, rating_class_name((enum rating_class) class), &profile->class[class]);
    pen_end(out, '}');
    pen_key(out, "opponents");
    pen_begin(out, '[');
    for (unsigned index = 0; index < profile->opponents; index++) {
        pen_begin(out, '{');
        pen_put_words(out, "name", profile->met[index].name);
        put_tally(out, &profile->met[index].tally);
        pen_end(out, '}');
    }
    pen_end(out, ']');
}

static void put_manner(pen *out, const profile *profile)
{
    pen_key(out, "manner");
    pen_begin(out, '{');
    pen_key(out, "placed");
    pen_begin(out, '{');
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        pen_put_number(out, gral_pawn_id(pawn), profile->placed[pawn]);
    pen_end(out, '}');
    pen_put_number(out, bluffs, profile->bluffs);
    pen_put_number(out, worked, profile->worked);
    pen_end(out, '}');
}

void profile_put(pen *out, const profile *profile, enum profile_part part, int64_t now)
{
    if (part == PROFILE_RATINGS)
        put_ratings(out, profile, now);
    else if (part == PROFILE_RESULTS)
        put_results(out, profile);
    else if (part == PROFILE_MANNER)
        put_manner(out, profile);
}

void profile_put_shown(pen *out, const uint8_t shown[PROFILE_PARTS])
{
    pen_key(out, "shown");
    pen_begin(out, '{');
    for (unsigned part = 0; part < PROFILE_PARTS; part++)
        pen_put_words(out, profile_part_names[part], tie_seen_names[shown[part]]);
    pen_end(out, '}');
}

void profile_put_manner(pen *out, const manner *manner)
{
    pen_begin(out, '{');
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (manner->placed[pawn] > 0)
            pen_put_number(out, gral_pawn_id(pawn), manner->placed[pawn]);
    pen_put_number(out, bluffs, manner->bluffs);
    pen_put_number(out, worked, manner->worked);
    pen_end(out, '}');
}
