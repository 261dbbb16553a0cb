#include "replay.h"

#include "box.h"
#include "tell/tell.h"

#include <stdlib.h>
#include <string.h>

struct replay {
    gral_record record;
    gral_game game;
    gral_state *state; /* before all, and after each action */
    gral_entry *heard; /* room for what somebody has heard */
};

/* --- opening --- */

replay *EXPORT(replay_open)(size_t length)
{
    gral_error error;
    gral_record record;
    if (!gral_record_parse(box_words(length), &record, &error)) {
        box_error(&error);
        return NULL;
    }
    replay *replay = malloc(sizeof *replay);
    gral_state *state = malloc((record.count + 1) * sizeof *state);
    gral_entry *heard = malloc((record.count + 1) * sizeof *heard);
    if (replay == NULL || state == NULL || heard == NULL) {
        free(replay);
        free(state);
        free(heard);
        gral_record_free(&record);
        box_say("there is not enough memory");
        return NULL;
    }
    *replay = (struct replay){.record = record, .state = state, .heard = heard};
    gral_record_replay(&record, 0, &replay->game, &state[0]);
    for (size_t index = 0; index < record.count; index++) {
        state[index + 1] = state[index];
        gral_apply(&replay->game, &state[index + 1], record.entry[index].action);
    }
    return replay;
}

void EXPORT(replay_close)(replay *replay)
{
    gral_record_free(&replay->record);
    free(replay->state);
    free(replay->heard);
    free(replay);
}

/* --- about the whole game --- */

static void put_settings(pen *out, const gral_settings *settings)
{
    pen_key(out, "settings");
    pen_begin(out, '{');
    pen_put_number(out, "players", settings->players);
    pen_put_words(out, "rules", settings->rules == GRAL_ORIGINAL ? "original" : "standard");
    if (gral_key_shown(settings, GRAL_KEY_HQ)) {
        char letters[16];
        gral_text text = gral_text_in(letters, sizeof letters);
        gral_key_print(&text, settings, GRAL_KEY_HQ);
        pen_put_words(out, "hq", letters);
    }
    pen_put_number(out, "first", settings->first + 1);
    pen_put_number(out, "limit", settings->limit);
    pen_end(out, '}');
}

/* A quoted value with its backslashes taken away, as JSON. */
static void put_value(pen *out, gral_span value)
{
    char plain[1024];
    size_t length = 0;
    for (size_t at = 0; at < value.length && length < sizeof plain; at++) {
        if (value.bytes[at] == '\\' && at + 1 < value.length)
            at++;
        plain[length++] = value.bytes[at];
    }
    pen_text(out, (gral_span){plain, length});
}

/* The record's own tags: lines of [Name "value"], well-formed since they were parsed. */
static void put_tags(pen *out, const gral_record *record)
{
    pen_key(out, "tags");
    pen_begin(out, '{');
    for (const char *line = record->tags; line != NULL && *line == '[';) {
        const char *end = strchr(line, '\n');
        const size_t length = end != NULL ? (size_t)(end - line) : strlen(line);
        const char *quote = memchr(line, '"', length);
        const char *last = line + length;
        while (last > line && *last != '"')
            last--;
        if (quote != NULL && last > quote && quote - line > 2) {
            char name[64];
            gral_text text = gral_text_in(name, sizeof name);
            gral_text_add_bytes(&text, line + 1, (size_t)(quote - line) - 2);
            pen_key(out, name);
            put_value(out, (gral_span){quote + 1, (size_t)(last - quote) - 1});
        }
        line = end != NULL ? end + 1 : NULL;
    }
    pen_end(out, '}');
}

static gral_span seat_tag(const gral_record *record, unsigned seat, const char *ending)
{
    char name[32];
    gral_text text = gral_text_in(name, sizeof name);
    gral_text_add(&text, "Player");
    gral_text_add_number(&text, seat + 1);
    gral_text_add(&text, ending);
    return gral_record_tag(record, name);
}

static void put_people(pen *out, const gral_record *record)
{
    pen_key(out, "names");
    pen_begin(out, '[');
    for (unsigned seat = 0; seat < record->settings.players; seat++)
        put_value(out, seat_tag(record, seat, ""));
    pen_end(out, ']');
    pen_key(out, "computers");
    pen_begin(out, '[');
    for (unsigned seat = 0; seat < record->settings.players; seat++) {
        const gral_span type = seat_tag(record, seat, "Type");
        pen_bool(out, type.length == strlen("program") && memcmp(type.bytes, "program", type.length) == 0);
    }
    pen_end(out, ']');
}

static void put_actions(pen *out, const replay *replay)
{
    pen_key(out, "actions");
    pen_begin(out, '[');
    for (size_t index = 0; index < replay->record.count; index++) {
        const gral_entry *entry = &replay->record.entry[index];
        char words[GRAL_ACTION_TEXT_MAX];
        gral_text text = gral_text_in(words, sizeof words);
        gral_action_print(&text, entry->action);
        pen_begin(out, '{');
        pen_put_number(out, "seat", entry->seat + 1);
        pen_put_number(out, "turn", replay->state[index].open.turn);
        pen_put_words(out, "action", words);
        if (!gral_view_hears(GRAL_SPECTATOR, entry->seat, entry->action))
            pen_put_bool(out, "secret", true);
        pen_end(out, '}');
    }
    pen_end(out, ']');
}

static void put_placements(pen *out, const gral_record *record)
{
    static gral_placement list[GRAL_PLACEMENTS_MAX];
    const size_t count = gral_record_placements(record, record->count, list);
    pen_key(out, "placements");
    pen_begin(out, '[');
    for (size_t index = 0; index < count; index++) {
        pen_begin(out, '{');
        pen_put_number(out, "turn", list[index].turn);
        pen_put_number(out, "seat", list[index].seat + 1);
        pen_put_words(out, "pawn", gral_pawn_id(list[index].pawn));
        pen_put_number(out, "points", list[index].points);
        pen_end(out, '}');
    }
    pen_end(out, ']');
}

void EXPORT(replay_info)(const replay *replay)
{
    char result[32];
    gral_text text = gral_text_in(result, sizeof result);
    gral_result_print(&text, &replay->state[replay->record.count].open);
    pen *paper = box_paper();
    pen_begin(paper, '{');
    put_settings(paper, &replay->record.settings);
    put_tags(paper, &replay->record);
    put_people(paper, &replay->record);
    pen_key(paper, "result");
    if (strcmp(result, "-") == 0)
        pen_null(paper);
    else
        pen_words(paper, result);
    put_actions(paper, replay);
    put_placements(paper, &replay->record);
    pen_end(paper, '}');
    box_tell(paper);
}

static void put_influence(pen *out, const gral_state *state)
{
    pen_key(out, "influence");
    pen_begin(out, '[');
    for (unsigned seat = 0; seat < state->open.players; seat++) {
        pen_begin(out, '[');
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
            pen_number(out, state->sheet[seat].influence[pawn]);
        pen_end(out, ']');
    }
    pen_end(out, ']');
}

void EXPORT(replay_timeline)(const replay *replay)
{
    pen *paper = box_paper();
    pen_begin(paper, '[');
    for (size_t index = 1; index <= replay->record.count; index++) {
        const gral_state *state = &replay->state[index];
        const uint32_t turn = replay->state[index - 1].open.turn;
        if (index < replay->record.count && state->open.turn == turn)
            continue;
        pen_begin(paper, '{');
        pen_put_number(paper, "turn", turn);
        pen_put_number(paper, "index", (int64_t)index);
        put_influence(paper, state);
        pen_end(paper, '}');
    }
    pen_end(paper, ']');
    box_tell(paper);
}

/* --- about one moment --- */

static size_t moment(const replay *replay, unsigned index)
{
    return index < replay->record.count ? index : replay->record.count;
}

static gral_view look(const replay *replay, unsigned index, unsigned lens)
{
    const unsigned players = replay->record.settings.players;
    const size_t at = moment(replay, index);
    gral_view view = gral_view_of(&replay->state[at], lens - 1 < players ? lens - 1 : GRAL_SPECTATOR);
    if (lens == REPLAY_ALL) {
        memcpy(view.sheet, replay->state[at].sheet, sizeof view.sheet);
        view.known = (uint16_t)((1u << players) - 1);
    }
    return view;
}

void EXPORT(replay_at)(const replay *replay, unsigned index, unsigned lens)
{
    const unsigned players = replay->record.settings.players;
    const gral_view view = look(replay, index, lens);
    const bool all = view.known == (1u << players) - 1;
    pen *paper = box_paper();
    pen_begin(paper, '{');
    pen_put_number(paper, "index", (int64_t)moment(replay, index));
    pen_key(paper, "view");
    tell_view(paper, &replay->game, &view, false, all);
    if (view.seat != GRAL_SPECTATOR) {
        pen_key(paper, "you");
        pen_begin(paper, '{');
        pen_put_number(paper, "seat", view.seat + 1);
        tell_sheet(paper, &view.sheet[view.seat]);
        pen_end(paper, '}');
    }
    if (all) {
        pen_key(paper, "all");
        pen_begin(paper, '[');
        for (unsigned seat = 0; seat < players; seat++) {
            pen_begin(paper, '{');
            tell_sheet(paper, &view.sheet[seat]);
            pen_end(paper, '}');
        }
        pen_end(paper, ']');
    }
    pen_end(paper, '}');
    box_tell(paper);
}

void EXPORT(replay_notepad)(const replay *replay, unsigned index, unsigned lens)
{
    const gral_view view = look(replay, index, lens);
    pen *paper = box_paper();
    box_put_notepad(paper, &replay->game, &view);
    box_tell(paper);
}

/* Offers are in no record, so only deeds count. */
void EXPORT(replay_beliefs)(const replay *replay, unsigned index, unsigned lens)
{
    const gral_view view = look(replay, index, lens);
    size_t count = 0;
    for (size_t at = 0; at < moment(replay, index); at++) {
        const gral_entry entry = replay->record.entry[at];
        if (gral_view_hears(view.seat, entry.seat, entry.action))
            replay->heard[count++] = entry;
    }
    gral_beliefs beliefs;
    gral_believe(&(gral_question){.game = &replay->game, .view = &view, .heard = replay->heard, .heard_count = count},
                 &beliefs);
    pen *paper = box_paper();
    pen_begin(paper, '[');
    for (unsigned seat = 0; seat < view.open.players; seat++) {
        pen_begin(paper, '[');
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
            const gral_estimate estimate = beliefs.of[seat][pawn];
            pen_begin(paper, '[');
            pen_number(paper, estimate.low);
            pen_number(paper, estimate.middle);
            pen_number(paper, estimate.high);
            pen_number(paper, estimate.leads);
            pen_end(paper, ']');
        }
        pen_end(paper, ']');
    }
    pen_end(paper, ']');
    box_tell(paper);
}

/* --- the story of a table, from what it has told --- */

static gral_span next_line(gral_span *words)
{
    const char *end = words->length > 0 ? memchr(words->bytes, '\n', words->length) : NULL;
    const size_t length = end != NULL ? (size_t)(end - words->bytes) : words->length;
    const gral_span line = {words->bytes, length};
    words->bytes += length + (end != NULL);
    words->length -= length + (end != NULL);
    return line;
}

/* Sheets from which the same becomes public: what was lost with an uncovered initiate is known, and nobody who was
 * believed had too little. The real ones are used where they are open. */
static void write_sheets(gral_state *state, const gral_view *view)
{
    for (unsigned seat = 0; seat < view->open.players; seat++)
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
            const unsigned held = !gral_on_board(&view->open, pawn) ? view->open.known[seat][pawn]
                                  : view->known >> seat & 1         ? view->sheet[seat].influence[pawn]
                                                                    : GRAL_POINTS_MAX;
            state->sheet[seat].influence[pawn] = (uint8_t)(held + view->open.paid[seat][pawn]);
        }
}

static bool play_line(const gral_game *game, gral_state *state, gral_span line)
{
    unsigned seat = 0;
    while (line.length > 0 && *line.bytes >= '0' && *line.bytes <= '9' && seat <= GRAL_PLAYERS_MAX) {
        seat = 10 * seat + (unsigned)(*line.bytes - '0');
        line = (gral_span){line.bytes + 1, line.length - 1};
    }
    gral_action action;
    gral_error error;
    if (line.length < 2 || memcmp(line.bytes, ": ", 2) != 0 || seat != state->open.actor + 1u ||
        !gral_action_parse((gral_span){line.bytes + 2, line.length - 2}, &action, &error) ||
        gral_check(game, state, action) != GRAL_LEGAL)
        return false;
    gral_apply(game, state, action);
    return true;
}

void EXPORT(story)(size_t length, unsigned from)
{
    gral_span words = box_words(length);
    gral_settings settings;
    gral_error error;
    gral_game game;
    gral_state state;
    gral_view told;
    pen *paper = box_paper();
    pen_begin(paper, '[');
    if (gral_settings_parse(next_line(&words), &settings, &error) &&
        gral_game_make(&game, &settings) == GRAL_SETTINGS_OK) {
        gral_start(&game, &state);
        told = (gral_view){.open = state.open, .seat = GRAL_SPECTATOR};
        if (box_read_told(next_line(&words), &told)) {
            write_sheets(&state, &told);
            for (unsigned index = 0; words.length > 0 && play_line(&game, &state, next_line(&words)); index++) {
                if (index < from)
                    continue;
                gral_view view = gral_view_of(&state, GRAL_SPECTATOR);
                const bool hidden = view.open.phase == GRAL_OPENING || view.open.phase == GRAL_OBJECTION;
                tell_view(paper, &game, &view, hidden, false);
            }
        }
    }
    pen_end(paper, ']');
    box_tell(paper);
}

/* --- the audit --- */

/* What the page needs to look at a signature itself, with the browser's own cryptography. */
static void put_signed(pen *out, gral_span file, const gral_audit *audit)
{
    gral_text measure = gral_text_in((char[1]){0}, 1);
    gral_statement_print(&measure, file, true);
    char *statement = malloc(measure.length + 1);
    if (audit->is_signed == GRAL_UNSIGNED || audit->open || statement == NULL) {
        free(statement);
        return;
    }
    gral_text text = gral_text_in(statement, measure.length + 1);
    gral_statement_print(&text, file, true);
    pen_key(out, "signed");
    pen_begin(out, '{');
    pen_key(out, "signer");
    pen_text(out, gral_record_tag(&audit->record, "Signer"));
    pen_key(out, "signature");
    pen_text(out, gral_record_tag(&audit->record, "Signature"));
    pen_key(out, "statement");
    pen_text(out, (gral_span){statement, text.length});
    pen_end(out, '}');
    free(statement);
}

void EXPORT(audit)(size_t length)
{
    gral_audit found;
    gral_error error;
    pen *paper = box_paper();
    pen_begin(paper, '{');
    if (gral_audit_record(box_words(length), blake2b, NULL, &found, &error)) {
        pen_put_bool(paper, "ok", true);
        pen_put_bool(paper, "checks", found.checks);
        pen_put_number(paper, "seals", found.seals);
        put_signed(paper, box_words(length), &found);
        gral_record_free(&found.record);
    } else {
        pen_put_bool(paper, "ok", false);
        pen_put_number(paper, "line", error.line);
        pen_put_number(paper, "column", error.column);
        pen_put_words(paper, "text", error.message);
    }
    pen_end(paper, '}');
    box_tell(paper);
}
