/* What happened, as each viewer hears it. There is one list of notes for all; a viewer's own list is what remains of
 * it when the notes he does not hear are left out, so its numbers depend on nothing else (R10.2). */
#include "host_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- writing --- */

static bool reserve(void **list, size_t *room, size_t needed, size_t size)
{
    if (needed <= *room)
        return true;
    const size_t wanted = needed + needed / 4; /* a game waits for days: rather once more than too large */
    void *grown = realloc(*list, wanted * size);
    if (grown == NULL)
        return false;
    *list = grown;
    *room = wanted;
    return true;
}

bool notes_reserve(gral_host *host, size_t notes, size_t seals, size_t sayings, size_t words)
{
    void *list[] = {host->note, host->seal, host->saying, host->words};
    const bool enough = reserve(&list[0], &host->note_room, host->notes + notes, sizeof *host->note) &&
                        reserve(&list[1], &host->seal_room, host->seals + seals, sizeof *host->seal) &&
                        reserve(&list[2], &host->saying_room, host->sayings + sayings, sizeof *host->saying) &&
                        reserve(&list[3], &host->words_room, host->words_length + words, 1);
    host->note = (note *)list[0];
    host->seal = (sealed *)list[1];
    host->saying = (saying *)list[2];
    host->words = (char *)list[3];
    return enough;
}

static void copy(void *to, const void *from, size_t bytes)
{
    if (bytes > 0) /* a list that is empty may be nowhere */
        memcpy(to, from, bytes);
}

bool notes_copy(gral_host *host, const gral_host *from)
{
    host->note = NULL, host->seal = NULL, host->saying = NULL, host->words = NULL;
    host->note_room = host->seal_room = host->saying_room = host->words_room = 0;
    if (!notes_reserve(host, 1, 0, 0, 0))
        return false;
    copy(host->note, from->note, from->notes * sizeof *from->note);
    copy(host->seal, from->seal, from->seals * sizeof *from->seal);
    copy(host->saying, from->saying, from->sayings * sizeof *from->saying);
    copy(host->words, from->words, from->words_length);
    return true;
}

static void add(gral_host *host, note added)
{
    assert(host->notes < host->note_room);
    host->note[host->notes++] = added;
    for (unsigned eyes = 0; eyes < EYES; eyes++)
        host->heard[eyes] += note_is_heard(host, &added, eyes == SPECTATORS ? GRAL_SPECTATOR : eyes);
}

static note note_at(enum gral_happening_kind kind, unsigned seat, size_t index)
{
    return (note){.kind = (uint8_t)kind, .seat = (uint8_t)seat, .at = {(uint16_t)index, (uint16_t)(index >> 16)}};
}

static size_t place_of(const note *note)
{
    return note->at[0] | (size_t)note->at[1] << 16;
}

void note_action(gral_host *host, unsigned seat, gral_action action)
{
    add(host, (note){.kind = GRAL_HAPPENED_ACTION, .seat = (uint8_t)seat, .action = action});
    host->version += gral_view_hears(GRAL_SPECTATOR, seat, action);
}

void note_about(gral_host *host, enum gral_happening_kind kind, unsigned seat, unsigned other)
{
    add(host, (note){.kind = (uint8_t)kind, .seat = (uint8_t)seat, .other = (uint8_t)other});
}

void note_end(gral_host *host, enum gral_host_end end)
{
    host->stage = GRAL_ENDED;
    host->end = (uint8_t)end;
    add(host, (note){.kind = GRAL_HAPPENED_END, .seat = GRAL_NOBODY, .end = (uint8_t)end});
}

sealed seal_next(const gral_host *host, unsigned seat, const gral_action *action, unsigned count, gral_salt salt)
{
    const chair *chair = &host->chair[seat];
    gral_action placed[GRAL_SEALED_MAX];
    gral_sealing sealing = {
        .game = host->terms.game, .seat = seat, .number = chair->seals + 1, .placed = placed, .salt = salt};
    if (chair->seals > 0)
        sealing.previous = host->seal[chair->newest_seal].seal;
    for (unsigned index = 0; index < count; index++)
        if (action[index].verb == GRAL_PLACE)
            placed[sealing.count++] = action[index];
    return (sealed){.seal = gral_seal_make(&sealing, host->hash), .salt = salt, .number = sealing.number};
}

void note_seal(gral_host *host, unsigned seat, sealed sealed)
{
    assert(host->seals < host->seal_room && sealed.number == host->chair[seat].seals + 1);
    host->seal[host->seals] = sealed;
    host->chair[seat].seals++;
    host->chair[seat].newest_seal = (uint32_t)host->seals;
    add(host, note_at(GRAL_HAPPENED_SEAL, seat, host->seals++));
}

void note_saying(gral_host *host, enum gral_happening_kind kind, unsigned seat, const saying *said, gral_span words)
{
    assert(host->sayings < host->saying_room && words.length <= host->words_room - host->words_length);
    saying *kept = &host->saying[host->sayings];
    *kept = *said;
    kept->words = host->words_length;
    kept->length = (uint16_t)words.length;
    if (words.length > 0)
        memcpy(host->words + host->words_length, words.bytes, words.length);
    host->words_length += words.length;
    host->chair[seat].said++;
    add(host, note_at(kind, seat, host->sayings++));
}

void notes_forget_whispers(gral_host *host, unsigned seat)
{
    for (size_t index = 0; index < host->sayings; index++) {
        saying *said = &host->saying[index];
        if (said->to == 0 || !(said->heard >> seat & 1))
            continue;
        said->heard &= (uint16_t)~seat_bit(seat);
        host->heard[seat]--;
    }
}

/* --- hearing --- */

static unsigned eyes_of(unsigned viewer)
{
    return viewer == GRAL_SPECTATOR ? SPECTATORS : viewer;
}

const saying *note_saying_of(const gral_host *host, const note *note)
{
    return &host->saying[place_of(note)];
}

bool note_is_heard(const gral_host *host, const note *note, unsigned viewer)
{
    switch ((enum gral_happening_kind)note->kind) {
    case GRAL_HAPPENED_ACTION:
        return gral_view_hears(viewer, note->seat, note->action);
    case GRAL_HAPPENED_TALK:
    case GRAL_HAPPENED_OFFER:
        return note_saying_of(host, note)->heard >> eyes_of(viewer) & 1;
    default:
        return true;
    }
}

size_t gral_host_happenings(const gral_host *host, unsigned viewer)
{
    return host->heard[eyes_of(viewer)];
}

static gral_happening told(const gral_host *host, const note *note)
{
    gral_happening happening = {.kind = note->kind, .seat = note->seat, .other = GRAL_NOBODY};
    switch ((enum gral_happening_kind)note->kind) {
    case GRAL_HAPPENED_ACTION:
        happening.action = note->action;
        break;
    case GRAL_HAPPENED_SEAL:
        happening.number = host->seal[place_of(note)].number;
        happening.seal = host->seal[place_of(note)].seal;
        break;
    case GRAL_HAPPENED_TALK:
    case GRAL_HAPPENED_OFFER: {
        const saying *said = note_saying_of(host, note);
        happening.to = said->to;
        happening.time = said->time;
        happening.offer = said->offer;
        if (said->length > 0)
            happening.words = (gral_span){host->words + said->words, said->length};
        break;
    }
    case GRAL_HAPPENED_END:
        happening.end = note->end;
        break;
    default:
        happening.other = note->other;
        break;
    }
    return happening;
}

/* From the newest backwards: that is what is asked for most of the time. */
gral_hearing gral_host_hearing(const gral_host *host, unsigned viewer, size_t from)
{
    const size_t count = gral_host_happenings(host, viewer);
    size_t place = host->notes;
    for (size_t index = count; index > from;)
        index -= note_is_heard(host, &host->note[--place], viewer);
    return (gral_hearing){.host = host, .viewer = viewer, .place = place, .left = from < count ? count - from : 0};
}

bool gral_host_hear(gral_hearing *hearing, gral_happening *happening)
{
    if (hearing->left == 0)
        return false;
    const note *note = hearing->host->note + hearing->place;
    while (!note_is_heard(hearing->host, note, hearing->viewer))
        note++;
    *happening = told(hearing->host, note);
    hearing->place = (size_t)(note - hearing->host->note) + 1;
    hearing->left--;
    return true;
}

gral_happening gral_host_happening(const gral_host *host, unsigned viewer, size_t index)
{
    assert(index < gral_host_happenings(host, viewer));
    return told(host, host->note + gral_host_hearing(host, viewer, index).place);
}

/* --- the record --- */

static void print_settings(gral_text *text, const gral_settings *settings)
{
    for (unsigned key = 0; key < GRAL_KEYS; key++) {
        if (!gral_key_shown(settings, (enum gral_key)key))
            continue;
        char words[64];
        gral_text value = gral_text_in(words, sizeof words);
        gral_key_print(&value, settings, (enum gral_key)key);
        gral_tag_print(text, gral_key_tag((enum gral_key)key), words);
    }
}

static void print_seals(gral_text *text, const gral_host *host, bool salts)
{
    for (size_t index = 0; index < host->notes; index++) {
        const note *note = &host->note[index];
        if (note->kind != GRAL_HAPPENED_SEAL)
            continue;
        const sealed *sealed = &host->seal[place_of(note)];
        gral_seal_tags(text, note->seat, sealed->number, &sealed->seal, salts ? &sealed->salt : NULL);
    }
}

static void print_actions(gral_text *text, const gral_host *host, bool placements)
{
    for (size_t index = 0; index < host->notes; index++) {
        const note *note = &host->note[index];
        if (note->kind != GRAL_HAPPENED_ACTION ||
            !(placements || gral_view_hears(GRAL_SPECTATOR, note->seat, note->action)))
            continue;
        gral_text_add_number(text, note->seat + 1u);
        gral_text_add(text, ": ");
        gral_action_print(text, note->action);
        gral_text_add(text, "\n");
    }
}

void gral_host_record(const gral_host *host, const char *const names[], const char *date, gral_text *text)
{
    static const char *const termination[] = {
        [GRAL_END_AGREED] = "agreed", [GRAL_END_ABANDONED] = "abandoned", [GRAL_END_CLOSED] = NULL};
    const bool over = host->end != GRAL_END_NONE && host->end != GRAL_END_CLOSED;
    print_settings(text, &host->terms.settings);
    gral_tag_print(text, "Game", host->terms.game);
    char terms[TERMS_OPEN_MAX];
    gral_text open = gral_text_in(terms, sizeof terms);
    terms_print_open(&open, &host->terms);
    gral_tag_print(text, "Terms", terms);
    if (date != NULL)
        gral_tag_print(text, "Date", date);
    for (unsigned seat = 0; seat < host->terms.settings.players; seat++)
        gral_tag_print_seat(text, seat, names[seat], host->terms.computer[seat][0] != '\0');
    if (termination[host->end] != NULL)
        gral_tag_print(text, "Termination", termination[host->end]);
    if (!over)
        gral_tag_print(text, "View", "public");
    print_seals(text, host, over);

    char result[32];
    gral_text words = gral_text_in(result, sizeof result);
    gral_result_print(&words, &host->state.open);
    gral_tag_print(text, "Result", result);
    gral_text_add(text, "\n");
    print_actions(text, host, over);
}
