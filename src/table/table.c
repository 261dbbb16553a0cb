/* A table is its record and who sits there; everything else can be had again from these. A new game is the save
 * of a game without actions, resumed: so what can be made can be saved, and there is one way in.
 *
 * An event is told with what everybody knew before and after it. The states are not kept: a place in the history is
 * replayed to when it is asked for, and whoever reads on from there needs one action more. */
#include "gral/table.h"

#include "shared.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define N_(words) words /* translated by whoever shows it */

enum { NAME_MAX_BYTES = 200, SEED_MAX = 24, HEAD_MAX = 16384 };

typedef struct place {
    char name[NAME_MAX_BYTES + 1];
    gral_player *player; /* NULL for a person */
} place;

struct gral_table {
    gral_game game;
    gral_state state;
    gral_record record;
    place place[GRAL_PLAYERS_MAX];
    uint64_t seed;
    gral_state past; /* as it was after `past_count` actions */
    size_t past_count;
    gral_entry *heard; /* room for a question's list */
    size_t capacity;   /* actions for which it has room */
    size_t seen[EYES]; /* how much of the history each seat knows of */
};

static const char *const refusal_text[] = {
    [GRAL_REFUSED_TEXT - GRAL_FAULTS] = N_("these words are no action"),
    [GRAL_REFUSED_TURN - GRAL_FAULTS] = N_("another player has to act first"),
    [GRAL_REFUSED_COMPUTER - GRAL_FAULTS] = N_("a computer is in this seat"),
    [GRAL_REFUSED_PERSON - GRAL_FAULTS] = N_("a person is in this seat"),
    [GRAL_REFUSED_MEMORY - GRAL_FAULTS] = N_("out of memory"),
    [GRAL_REFUSED_BACK_NOTHING - GRAL_FAULTS] = N_("there is nothing to take back"),
    [GRAL_REFUSED_BACK_OTHER - GRAL_FAULTS] = N_("somebody else has acted since"),
    [GRAL_REFUSED_BACK_SHOWN - GRAL_FAULTS] = N_("what has shown influence cannot be taken back"),
    [GRAL_REFUSED_BACK_HEARD - GRAL_FAULTS] = N_("somebody else knows of it already"),
};
static_assert(sizeof refusal_text / sizeof *refusal_text == GRAL_REFUSALS - GRAL_FAULTS, "a text for every refusal");

const char *gral_refusal_text(unsigned refusal)
{
    return refusal < GRAL_FAULTS ? gral_fault_text((enum gral_fault)refusal) : refusal_text[refusal - GRAL_FAULTS];
}

/* --- making and resuming --- */

static bool fail(gral_error *error, const char *message)
{
    *error = (gral_error){0};
    gral_text text = gral_text_in(error->message, sizeof error->message);
    gral_text_add(&text, message);
    return false;
}

/* A tag's value without the backslashes that protected it. */
static bool read_tag(const gral_record *record, const char *name, char *value, size_t capacity)
{
    const gral_span span = gral_record_tag(record, name);
    size_t length = 0;
    for (size_t at = 0; at < span.length && length < capacity; at++) {
        at += span.bytes[at] == '\\' && at + 1 < span.length;
        value[length++] = span.bytes[at];
    }
    if (length == capacity)
        return false;
    value[length] = '\0';
    return true;
}

static bool take_seat(gral_table *table, unsigned seat, gral_player_source *source, gral_error *error)
{
    char tag[TAG_MAX], kind[16];
    place *place = &table->place[seat];
    tag_of_seat(tag, seat, "");
    if (!read_tag(&table->record, tag, place->name, sizeof place->name))
        return fail(error, "a player's name is longer than 200 bytes");
    tag_of_seat(tag, seat, "Type");
    if (!read_tag(&table->record, tag, kind, sizeof kind))
        kind[0] = '?';
    if (kind[0] == '\0' || strcmp(kind, tag_person) == 0)
        return true;
    if (strcmp(kind, tag_computer) != 0)
        return fail(error, "a player's type is neither human nor program");
    place->player = source(gral_span_of(place->name), error);
    error->line = error->column = 0;
    return place->player != NULL;
}

/* Room for one more action than there are. */
static bool make_room(gral_table *table)
{
    if (table->record.count < table->capacity)
        return true;
    const size_t capacity = 2 * table->record.count + 256;
    gral_entry *heard = (gral_entry *)realloc(table->heard, capacity * sizeof *heard);
    if (heard == NULL)
        return false;
    table->heard = heard;
    table->capacity = capacity;
    return true;
}

static void replay(gral_table *table)
{
    gral_record_replay(&table->record, table->record.count, &table->game, &table->state);
    gral_start(&table->game, &table->past);
    table->past_count = 0;
}

/* What everybody knew after so many actions. */
static gral_open open_after(gral_table *table, size_t count)
{
    if (count < table->past_count) {
        gral_start(&table->game, &table->past);
        table->past_count = 0;
    }
    while (table->past_count < count)
        gral_apply(&table->game, &table->past, table->record.entry[table->past_count++].action);
    return table->past.open;
}

gral_table *gral_table_resume(gral_span save, gral_player_source *source, gral_error *error)
{
    gral_table *table = (gral_table *)calloc(1, sizeof *table);
    if (table == NULL) {
        fail(error, refusal_text[GRAL_REFUSED_MEMORY - GRAL_FAULTS]);
        return NULL;
    }
    if (!gral_record_parse(save, &table->record, error))
        goto failed;
    for (unsigned seat = 0; seat < table->record.settings.players; seat++)
        if (!take_seat(table, seat, source, error))
            goto failed;
    if (!make_room(table)) {
        fail(error, refusal_text[GRAL_REFUSED_MEMORY - GRAL_FAULTS]);
        goto failed;
    }
    char seed[SEED_MAX];
    if (read_tag(&table->record, "Seed", seed, sizeof seed))
        table->seed = strtoull(seed, NULL, 10);
    replay(table);
    for (unsigned eyes = 0; eyes < EYES; eyes++)
        table->seen[eyes] = table->record.count;
    return table;
failed:
    gral_table_free(table);
    return NULL;
}

gral_table *gral_table_make(const gral_table_setup *setup, gral_player_source *source, gral_error *error)
{
    gral_game game;
    const enum gral_settings_fault fault = gral_game_make(&game, &setup->settings);
    if (fault != GRAL_SETTINGS_OK) {
        fail(error, gral_settings_fault_text(fault));
        return NULL;
    }
    char tags[HEAD_MAX / 2], head[HEAD_MAX], tag[TAG_MAX], seed[SEED_MAX];
    gral_text text = gral_text_in(tags, sizeof tags);
    if (setup->date != NULL)
        tag_add(&text, "Date", setup->date);
    for (unsigned seat = 0; seat < setup->settings.players; seat++) {
        tag_of_seat(tag, seat, "");
        tag_add(&text, tag, setup->seat[seat].name);
        tag_of_seat(tag, seat, "Type");
        tag_add(&text, tag, setup->seat[seat].computer ? tag_computer : tag_person);
    }
    gral_text digits = gral_text_in(seed, sizeof seed);
    gral_text_add_number(&digits, setup->seed);
    tag_add(&text, "Seed", seed);

    gral_record record = gral_record_begin(&setup->settings);
    record.tags = tags;
    gral_text save = gral_text_in(head, sizeof head);
    gral_record_print(&save, &record);
    if (text.length >= text.capacity || save.length >= save.capacity) {
        fail(error, "a player's name is longer than 200 bytes");
        return NULL;
    }
    return gral_table_resume((gral_span){head, save.length}, source, error);
}

void gral_table_free(gral_table *table)
{
    if (table == NULL)
        return;
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        gral_player_free(table->place[seat].player);
    gral_record_free(&table->record);
    free(table->heard);
    free(table);
}

void gral_table_save(const gral_table *table, gral_text *text)
{
    gral_record_print(text, &table->record);
}

/* --- looking --- */

static void look(gral_table *table, unsigned seat)
{
    table->seen[seat == GRAL_SPECTATOR ? SPECTATORS : seat] = table->record.count;
}

const gral_game *gral_table_game(const gral_table *table)
{
    return &table->game;
}

gral_seat gral_table_seat(const gral_table *table, unsigned seat)
{
    return (gral_seat){.name = table->place[seat].name, .computer = table->place[seat].player != NULL};
}

unsigned gral_table_actor(const gral_table *table)
{
    return table->state.open.actor;
}

gral_view gral_table_view(gral_table *table, unsigned seat)
{
    look(table, seat);
    return gral_view_of(&table->state, seat);
}

gral_options gral_table_options(gral_table *table, unsigned seat)
{
    look(table, seat);
    return seat == table->state.open.actor ? gral_legal_options(&table->game, &table->state) : (gral_options){0};
}

static bool hears(const gral_table *table, unsigned seat, size_t index)
{
    return gral_view_hears(seat, table->record.entry[index].seat, table->record.entry[index].action);
}

size_t gral_table_heard(gral_table *table, unsigned seat)
{
    look(table, seat);
    size_t count = 0;
    for (size_t index = 0; index < table->record.count; index++)
        count += hears(table, seat, index);
    return count;
}

gral_event gral_table_event(gral_table *table, unsigned seat, size_t index)
{
    look(table, seat);
    size_t at = 0;
    while (!hears(table, seat, at) || index-- > 0)
        at++;
    assert(at < table->record.count);
    const gral_entry entry = table->record.entry[at];
    gral_event event = {.action = entry.action, .seat = entry.seat, .before = open_after(table, at)};
    event.after = open_after(table, at + 1);
    return event;
}

const gral_record *gral_table_record(const gral_table *table)
{
    return &table->record;
}

/* --- acting --- */

/* A seat's question, from nothing but its view, its options and what it hears. */
typedef struct asked {
    gral_view view;
    gral_options options;
    gral_question question;
} asked;

static void ask(gral_table *table, unsigned seat, asked *asked)
{
    size_t count = 0;
    for (size_t index = 0; index < table->record.count; index++)
        if (hears(table, seat, index))
            table->heard[count++] = table->record.entry[index];
    asked->view = gral_table_view(table, seat);
    asked->options = gral_table_options(table, seat);
    asked->question = (gral_question){
        .game = &table->game,
        .view = &asked->view,
        .options = &asked->options,
        .heard = table->heard,
        .heard_count = count,
        .seed = seed_of_question(table->seed, seat, count),
    };
}

static void tell_players_the_end(gral_table *table)
{
    for (unsigned seat = 0; seat < table->game.settings.players; seat++) {
        if (table->place[seat].player == NULL)
            continue;
        asked end;
        ask(table, seat, &end);
        gral_player_over(table->place[seat].player, &end.question);
    }
}

static unsigned perform(gral_table *table, gral_action action)
{
    const unsigned seat = table->state.open.actor;
    if (!make_room(table) || !gral_record_add(&table->record, seat, action))
        return GRAL_REFUSED_MEMORY;
    gral_apply(&table->game, &table->state, action);
    look(table, seat);
    if (table->state.open.phase == GRAL_OVER)
        tell_players_the_end(table);
    return GRAL_LEGAL;
}

unsigned gral_table_do(gral_table *table, unsigned seat, gral_action action)
{
    if (table->state.open.phase == GRAL_OVER)
        return GRAL_FAULT_OVER;
    if (seat != table->state.open.actor)
        return GRAL_REFUSED_TURN;
    if (table->place[seat].player != NULL)
        return GRAL_REFUSED_COMPUTER;
    const enum gral_fault fault = gral_check(&table->game, &table->state, action);
    return fault != GRAL_LEGAL ? (unsigned)fault : perform(table, action);
}

unsigned gral_table_say(gral_table *table, unsigned seat, gral_span words, gral_error *error)
{
    gral_action action;
    if (!gral_action_parse(words, &action, error))
        return GRAL_REFUSED_TEXT;
    return gral_table_do(table, seat, action);
}

unsigned gral_table_step(gral_table *table, gral_clock *clock)
{
    if (table->state.open.phase == GRAL_OVER)
        return GRAL_FAULT_OVER;
    gral_player *player = table->place[table->state.open.actor].player;
    if (player == NULL)
        return GRAL_REFUSED_PERSON;
    asked asked;
    ask(table, table->state.open.actor, &asked);
    gral_action action = gral_player_decide(player, &asked.question, clock);
    if (gral_check(&table->game, &table->state, action) != GRAL_LEGAL) /* not all players are ours */
        action = gral_safest_action(&table->game, &asked.view.open, &asked.options);
    return perform(table, action);
}

unsigned gral_table_hint(gral_table *table, unsigned seat, gral_player *adviser, gral_clock *clock,
                         gral_explanation *explanation)
{
    if (table->state.open.phase == GRAL_OVER)
        return GRAL_FAULT_OVER;
    if (seat != table->state.open.actor)
        return GRAL_REFUSED_TURN;
    asked asked;
    ask(table, seat, &asked);
    gral_player_explain(adviser, &asked.question, clock, explanation);
    return GRAL_LEGAL;
}

/* --- taking back --- */

/* R4.8, R6.2: figures and announced uncoverings; R6.3, R7.3: what made the game open the sheets. */
static bool has_shown_influence(gral_action action, const gral_open *before, const gral_open *after)
{
    if (action.verb == GRAL_OBJECT || action.verb == GRAL_CLAIM || action.target != GRAL_NO_PAWN)
        return true;
    return after->phase == GRAL_OVER || memcmp(before->known, after->known, sizeof before->known) != 0;
}

unsigned gral_table_may_take_back(const gral_table *table, unsigned seat)
{
    const size_t count = table->record.count;
    if (count == 0)
        return GRAL_REFUSED_BACK_NOTHING;
    const gral_entry newest = table->record.entry[count - 1];
    if (newest.seat != seat)
        return GRAL_REFUSED_BACK_OTHER;
    if (table->place[seat].player != NULL)
        return GRAL_REFUSED_COMPUTER;
    gral_game game;
    gral_state before;
    gral_record_replay(&table->record, count - 1, &game, &before);
    if (has_shown_influence(newest.action, &before.open, &table->state.open))
        return GRAL_REFUSED_BACK_SHOWN;
    for (unsigned eyes = 0; eyes < EYES; eyes++)
        if (eyes != seat && table->seen[eyes] == count &&
            gral_view_hears(eyes == SPECTATORS ? GRAL_SPECTATOR : eyes, seat, newest.action))
            return GRAL_REFUSED_BACK_HEARD;
    return GRAL_LEGAL;
}

unsigned gral_table_take_back(gral_table *table, unsigned seat)
{
    const unsigned refusal = gral_table_may_take_back(table, seat);
    if (refusal != GRAL_LEGAL)
        return refusal;
    table->record.count--;
    for (unsigned eyes = 0; eyes < EYES; eyes++)
        if (table->seen[eyes] > table->record.count)
            table->seen[eyes] = table->record.count;
    replay(table);
    return GRAL_LEGAL;
}
