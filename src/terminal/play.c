/* There is one list of what was done, the record. The host has its beginning; the rest is the draft of whoever acts. */
#include "play.h"

#include "fair/blake2b.h"
#include "language.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED_MAX = 24, HEAD_MAX = 16384 };

static const char too_long[] = N_("a player's name is longer than 200 bytes");

static bool fail(gral_error *error, const char *message)
{
    *error = (gral_error){0};
    gral_text text = gral_text_in(error->message, sizeof error->message);
    gral_text_add(&text, message);
    return false;
}

static unsigned players_of(const play *play)
{
    return play->record.settings.players;
}

/* --- giving the host what was done --- */

/* After these the same person goes on. */
static bool goes_on(gral_action action)
{
    return action.verb == GRAL_ASSIGN || action.verb == GRAL_PLACE;
}

/* What the host does not have yet, as an input for him. Nobody here needs a seal to be convinced: any salt will do. */
static gral_input input_of(const play *play, unsigned seat)
{
    gral_input input = {.kind = GRAL_INPUT_DO,
                        .seat = (uint8_t)seat,
                        .other = GRAL_NOBODY,
                        .computer = play->player[seat] != NULL,
                        .salted = true};
    for (size_t index = play->given; index < play->record.count; index++)
        input.action[input.action_count++] = play->record.entry[index].action;
    return input;
}

/* Nobody behind an objection is asked: the host, who waits for all, would throw their answers away untold. */
static enum gral_host_refusal pass_for_the_others(play *play)
{
    for (unsigned seat = 0; seat < players_of(play); seat++) {
        const gral_input pass = {.kind = GRAL_INPUT_DO,
                                 .seat = (uint8_t)seat,
                                 .other = GRAL_NOBODY,
                                 .computer = play->player[seat] != NULL,
                                 .action = {gral_say(GRAL_PASS)},
                                 .action_count = 1};
        if (gral_host_check(play->host, &pass, 0) == GRAL_ACCEPTED &&
            gral_host_apply(play->host, &pass, 0) != GRAL_ACCEPTED)
            return GRAL_HOST_MEMORY;
    }
    return GRAL_ACCEPTED;
}

static enum gral_host_refusal give(play *play, const gral_input *input)
{
    enum gral_host_refusal refusal = gral_host_apply(play->host, input, 0);
    if (refusal == GRAL_ACCEPTED && input->action[0].verb == GRAL_OBJECT)
        refusal = pass_for_the_others(play);
    if (refusal == GRAL_ACCEPTED)
        play->given = play->record.count;
    return refusal;
}

/* --- making and resuming --- */

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

static bool take_seat(play *play, unsigned seat, play_source *source, gral_error *error)
{
    char tag[24], kind[16];
    snprintf(tag, sizeof tag, "Player%u", seat + 1);
    if (!read_tag(&play->record, tag, play->name[seat], PLAY_NAME_MAX + 1))
        return fail(error, too_long);
    snprintf(tag, sizeof tag, "Player%uType", seat + 1);
    if (!read_tag(&play->record, tag, kind, sizeof kind))
        kind[0] = '?';
    const bool computer = strcmp(kind, "program") == 0;
    if (!computer && kind[0] != '\0' && strcmp(kind, "human") != 0)
        return fail(error, N_("a player's type is neither human nor program"));
    words_name(&play->names, seat, play->name[seat], computer);
    play->people += !computer;
    if (!computer)
        return true;
    play->player[seat] = source(gral_span_of(play->name[seat]), error);
    error->line = error->column = 0;
    return play->player[seat] != NULL;
}

/* Everybody sits down. Of the computer players the host knows that they are there; who they are, programs of other
 * people's among them, is our business. */
static bool lay_table(play *play)
{
    gral_terms terms = {.settings = play->record.settings, .game = "here", .notepad = true};
    char seed[SEED_MAX];
    if (read_tag(&play->record, "Seed", seed, sizeof seed))
        terms.seed = strtoull(seed, NULL, 10);
    for (unsigned seat = 0; seat < players_of(play); seat++)
        if (play->player[seat] != NULL)
            strcpy(terms.computer[seat], "random");
    play->host = gral_host_make(&terms, fair_blake2b, 0);
    if (play->host == NULL)
        return false;
    for (unsigned seat = 0; seat < players_of(play); seat++) {
        const gral_input sit = {.kind = GRAL_INPUT_SIT, .seat = (uint8_t)seat, .user = seat + 1};
        if (play->player[seat] == NULL && gral_host_apply(play->host, &sit, 0) != GRAL_ACCEPTED)
            return false;
    }
    return true;
}

/* The record's actions, which its reader has found legal. What a computer player has not finished he decides anew. */
static bool give_record(play *play)
{
    const size_t count = play->record.count;
    for (play->record.count = 1; play->record.count <= count; play->record.count++) {
        const gral_entry newest = play->record.entry[play->record.count - 1];
        const gral_input input = input_of(play, newest.seat);
        if (!goes_on(newest.action) && give(play, &input) != GRAL_ACCEPTED)
            return false;
    }
    const bool drafted = count > play->given && play->player[play->record.entry[play->given].seat] == NULL;
    play->record.count = drafted ? count : play->given;
    return true;
}

bool play_resume(play *play, gral_span save, play_source *source, gral_error *error)
{
    if (!gral_record_parse(save, &play->record, error))
        return false;
    for (unsigned seat = 0; seat < players_of(play); seat++)
        if (!take_seat(play, seat, source, error))
            return false;
    if (!lay_table(play) || !give_record(play))
        return fail(error, gral_host_refusal_text(GRAL_HOST_MEMORY));
    gral_start(play_game(play), &play->past);
    return true;
}

/* A new game is the save of one without actions, resumed: so what can be made can be saved. */
bool play_begin(play *play, const play_setup *setup, play_source *source, gral_error *error)
{
    gral_game game;
    const enum gral_settings_fault fault = gral_game_make(&game, &setup->settings);
    if (fault != GRAL_SETTINGS_OK)
        return fail(error, gral_settings_fault_text(fault));
    char tags[HEAD_MAX / 2], head[HEAD_MAX], digits[SEED_MAX];
    gral_text text = gral_text_in(tags, sizeof tags);
    if (setup->date != NULL)
        gral_tag_print(&text, "Date", setup->date);
    for (unsigned seat = 0; seat < setup->settings.players; seat++)
        gral_tag_print_seat(&text, seat, setup->seat[seat].name, setup->seat[seat].computer);
    gral_text seed = gral_text_in(digits, sizeof digits);
    gral_text_add_number(&seed, setup->seed);
    gral_tag_print(&text, "Seed", digits);

    gral_record record = gral_record_begin(&setup->settings);
    record.tags = tags;
    gral_text save = gral_text_in(head, sizeof head);
    gral_record_print(&save, &record);
    if (text.length >= text.capacity || save.length >= save.capacity)
        return fail(error, too_long);
    return play_resume(play, (gral_span){head, save.length}, source, error);
}

void play_end(play *play)
{
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++)
        gral_player_free(play->player[seat]);
    gral_player_free(play->adviser);
    gral_record_free(&play->record);
    gral_host_free(play->host);
    play_release(play);
}

/* --- looking --- */

const gral_game *play_game(const play *play)
{
    return gral_host_game(play->host);
}

/* The first, clockwise, whom the host asks and who has not answered. */
unsigned play_actor(const play *play)
{
    const unsigned first = gral_host_view(play->host, GRAL_SPECTATOR).open.actor;
    for (unsigned index = 0; first != GRAL_NOBODY && index < players_of(play); index++) {
        const unsigned seat = (first + index) % players_of(play);
        const gral_options options = gral_host_options(play->host, seat);
        if (gral_options_count(&options) > 0)
            return seat;
    }
    return GRAL_NOBODY;
}

gral_view play_look(const play *play, unsigned viewer, gral_options *options)
{
    const unsigned actor = play_actor(play);
    gral_view view;
    if (viewer == actor) {
        const gral_input draft = input_of(play, viewer);
        gral_host_draft(play->host, viewer, draft.action, draft.action_count, &view, options);
        return view;
    }
    view = gral_host_view(play->host, viewer);
    view.open.actor = (uint8_t)actor;
    *options = (gral_options){0};
    return view;
}

/* Of a draft nobody hears but whoever makes it. */
static bool hears(const play *play, unsigned viewer, size_t index)
{
    const gral_entry entry = play->record.entry[index];
    return index < play->given ? gral_view_hears(viewer, entry.seat, entry.action) : entry.seat == viewer;
}

size_t play_heard(const play *play, unsigned viewer)
{
    size_t count = 0;
    for (size_t index = 0; index < play->record.count; index++)
        count += hears(play, viewer, index);
    return count;
}

static void forget_past(play *play)
{
    gral_start(play_game(play), &play->past);
    play->past_count = 0;
}

/* What everybody knew after so many actions. Whoever reads on from there needs one action more. */
static gral_open open_after(play *play, size_t count)
{
    if (count < play->past_count)
        forget_past(play);
    while (play->past_count < count)
        gral_apply(play_game(play), &play->past, play->record.entry[play->past_count++].action);
    return play->past.open;
}

event play_event(play *play, unsigned viewer, size_t index)
{
    size_t at = 0;
    while (!hears(play, viewer, at) || index-- > 0)
        at++;
    assert(at < play->record.count);
    const gral_entry entry = play->record.entry[at];
    event event = {.action = entry.action, .seat = entry.seat, .before = open_after(play, at)};
    event.after = open_after(play, at + 1);
    return event;
}

enum gral_host_refusal play_hint(const play *play, unsigned seat, gral_clock *clock, gral_explanation *explanation)
{
    if (seat != play_actor(play))
        return GRAL_HOST_TURN;
    gral_task task;
    if (!gral_host_task(play->host, seat, &task))
        return GRAL_HOST_MEMORY;
    for (size_t index = play->given; index < play->record.count; index++)
        task.heard[task.heard_count++] = play->record.entry[index];
    gral_options options;
    task.view = play_look(play, seat, &options);
    gral_task_explain(&task, play->adviser, clock, explanation);
    gral_task_free(&task);
    return GRAL_ACCEPTED;
}

/* --- acting --- */

static void tell_players_the_end(play *play)
{
    for (unsigned seat = 0; seat < players_of(play); seat++) {
        gral_task task;
        if (play->player[seat] == NULL || !gral_host_task(play->host, seat, &task))
            continue;
        gral_task_over(&task, play->player[seat]);
        gral_task_free(&task);
    }
}

/* Adds actions of the seat to the draft; if they end it the host gets it. */
static enum gral_host_refusal act(play *play, unsigned seat, const gral_action *action, unsigned count)
{
    const size_t before = play->record.count;
    enum gral_host_refusal refusal = GRAL_ACCEPTED;
    for (unsigned index = 0; index < count; index++)
        if (!gral_record_add(&play->record, seat, action[index]))
            refusal = GRAL_HOST_MEMORY;
    const gral_input input = input_of(play, seat);
    if (refusal == GRAL_ACCEPTED)
        refusal = gral_host_check(play->host, &input, 0);
    if (refusal == GRAL_HOST_UNFINISHED)
        refusal = GRAL_ACCEPTED;
    if (refusal == GRAL_ACCEPTED && !goes_on(action[count - 1]))
        refusal = give(play, &input);
    if (refusal != GRAL_ACCEPTED) {
        play->record.count = before;
        return refusal;
    }
    play_keep(play);
    if (play_actor(play) == GRAL_NOBODY)
        tell_players_the_end(play);
    return GRAL_ACCEPTED;
}

enum gral_host_refusal play_do(play *play, unsigned seat, gral_action action)
{
    const unsigned actor = play_actor(play);
    if (seat != actor)
        return actor == GRAL_NOBODY ? GRAL_HOST_ENDED : GRAL_HOST_TURN;
    if (play->player[seat] != NULL)
        return GRAL_HOST_COMPUTER;
    return act(play, seat, &action, 1);
}

enum gral_host_refusal play_step(play *play)
{
    const unsigned seat = play_actor(play);
    if (seat == GRAL_NOBODY)
        return GRAL_HOST_ENDED;
    if (play->player[seat] == NULL)
        return GRAL_HOST_PERSON;
    gral_task task;
    if (!gral_host_task(play->host, seat, &task))
        return GRAL_HOST_MEMORY;
    gral_action action[GRAL_ACTIONS_MAX];
    gral_offer offer;
    bool offers;
    const unsigned count = gral_task_think(&task, play->player[seat], play->clock, action, &offer, &offers);
    gral_task_free(&task);
    return act(play, seat, action, count);
}

bool play_is_drafting(const play *play)
{
    return play->record.count > play->given;
}

bool play_take_back(play *play)
{
    if (!play_is_drafting(play))
        return false;
    play->record.count--;
    forget_past(play);
    play_keep(play);
    return true;
}
