#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define fail_at(file, line, ...)                                                                                       \
    do {                                                                                                               \
        print_error(__VA_ARGS__);                                                                                      \
        _fail(file, line);                                                                                             \
    } while (0)

struct scene scene_at(const char *settings, const char *file, int line)
{
    struct scene scene;
    gral_settings parsed;
    gral_error error;
    if (!gral_settings_parse(gral_span_of(settings), &parsed, &error))
        fail_at(file, line, "'%s': %s\n", settings, error.message);
    gral_game_make(&scene.game, &parsed);
    gral_start(&scene.game, &scene.state);
    return scene;
}

static void act(struct scene *scene, gral_action action, const char *words, const char *file, int line)
{
    const enum gral_fault fault = gral_check(&scene->game, &scene->state, action);
    if (fault != GRAL_LEGAL)
        fail_at(file, line, "seat %u: '%s': %s\n", scene->state.open.actor + 1u, words, gral_fault_text(fault));
    gral_apply(&scene->game, &scene->state, action);
}

static void place_points(struct scene *scene, unsigned points, unsigned pawn, const char *file, int line)
{
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
        while (points >= gral_unit_value[kind] && scene->state.sheet[scene->state.open.actor].units[kind] > 0) {
            act(scene, gral_place(gral_unit_value[kind], pawn), "place", file, line);
            points -= gral_unit_value[kind];
        }
    if (points > 0)
        fail_at(file, line, "the units left do not make up the sum, %u short\n", points);
}

static unsigned pawn_of(const char *id, const char *file, int line)
{
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (strncmp(id, gral_pawn_id(pawn), 2) == 0)
            return pawn;
    fail_at(file, line, "'%s' is no initiate\n", id);
    return 0;
}

void scene_open_at(struct scene *scene, const char *file, int line, size_t texts, const char *const text[])
{
    for (size_t seat = 0; seat < scene->state.open.players; seat++) {
        const char *words = seat < texts ? text[seat] : "";
        while (*words != '\0') {
            char *end;
            const unsigned points = (unsigned)strtoul(words, &end, 10);
            if (end == words || *end != ' ')
                fail_at(file, line, "'%s': expected '10 T1, 5 A2'\n", words);
            place_points(scene, points, pawn_of(end + 1, file, line), file, line);
            words = end + 3;
            words += strspn(words, ", ");
        }
        act(scene, gral_say(GRAL_DONE), "done", file, line);
    }
}

static void all_pass(struct scene *scene, const char *file, int line)
{
    do
        act(scene, gral_say(GRAL_PASS), "pass", file, line);
    while (scene->state.open.phase == GRAL_OBJECTION);
}

void scene_do_at(struct scene *scene, const char *actions, const char *file, int line)
{
    while (*actions != '\0') {
        const size_t length = strcspn(actions, ";");
        char words[64];
        snprintf(words, sizeof words, "%.*s", (int)length, actions);
        gral_action action;
        gral_error error;
        if (strcmp(words, "all pass") == 0)
            all_pass(scene, file, line);
        else if (!gral_action_parse(gral_span_of(words), &action, &error))
            fail_at(file, line, "'%s': %s\n", words, error.message);
        else
            act(scene, action, words, file, line);
        actions += length;
        actions += strspn(actions, "; ");
    }
}

static uint8_t field_of(const char *name, const char *file, int line)
{
    if (name[0] < 'a' || name[0] > 'e' || name[1] < '1' || name[1] > '5')
        fail_at(file, line, "'%s' is no field\n", name);
    return (uint8_t)(GRAL_COLUMNS * (name[1] - '1') + name[0] - 'a');
}

void scene_put_at(struct scene *scene, const char *pieces, const char *file, int line)
{
    gral_open *open = &scene->state.open;
    for (; *pieces != '\0'; pieces += strcspn(pieces, " "), pieces += strspn(pieces, " ")) {
        const size_t length = strcspn(pieces, "=");
        if (pieces[length] == '\0')
            fail_at(file, line, "'%s': expected 'T1=d2 grail=c3'\n", pieces);
        const char *where = pieces + length + 1;
        if (strncmp(pieces, "grail=", 6) != 0)
            open->pawn[pawn_of(pieces, file, line)] = field_of(where, file, line);
        else if (where[0] >= 'a' && where[0] <= 'e') {
            open->bearer = GRAL_NO_PAWN;
            open->grail = field_of(where, file, line);
        } else
            open->bearer = (uint8_t)pawn_of(where, file, line);
    }
    if (open->bearer != GRAL_NO_PAWN)
        open->grail = open->pawn[open->bearer];
}

void scene_refuse_at(struct scene *scene, const char *words, enum gral_fault fault, const char *file, int line)
{
    gral_action action, list[GRAL_LEGAL_MAX];
    gral_error error;
    if (!gral_action_parse(gral_span_of(words), &action, &error))
        fail_at(file, line, "'%s': %s\n", words, error.message);
    const gral_state before = scene->state;
    const enum gral_fault found = gral_check(&scene->game, &scene->state, action);
    if (found != fault)
        fail_at(file, line, "'%s': expected '%s' but: %s\n", words, gral_fault_text(fault), gral_fault_text(found));
    const unsigned count = gral_legal_list(&scene->game, &scene->state, list);
    for (unsigned index = 0; index < count; index++)
        if (gral_same_action(list[index], action))
            fail_at(file, line, "'%s' is refused but offered\n", words);
    if (memcmp(&before, &scene->state, sizeof before) != 0)
        fail_at(file, line, "'%s' was refused but changed the state\n", words);
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Splits in place, sorts, and joins again with "; ". */
static void normalise(char *words, const char *separators, char *result, size_t capacity)
{
    char *part[GRAL_LEGAL_MAX];
    size_t parts = 0;
    while (*words != '\0' && parts < GRAL_LEGAL_MAX) {
        words += strspn(words, " ");
        part[parts++] = words;
        words += strcspn(words, separators);
        if (*words != '\0')
            *words++ = '\0';
    }
    qsort(part, parts, sizeof *part, compare_lines);
    gral_text text = gral_text_in(result, capacity);
    for (size_t index = 0; index < parts; index++) {
        gral_text_add(&text, index > 0 ? "; " : "");
        gral_text_add(&text, part[index]);
    }
}

void scene_offers_at(const struct scene *scene, const char *actions, const char *file, int line)
{
    char words[2048], offered[2048], expected[2048];
    const gral_options options = gral_legal_options(&scene->game, &scene->state);
    gral_text text = gral_text_in(words, sizeof words);
    gral_options_print(&text, &scene->game, &scene->state.open, &options);
    normalise(words, "\n", offered, sizeof offered);
    snprintf(words, sizeof words, "%s", actions);
    normalise(words, ";", expected, sizeof expected);
    if (strcmp(offered, expected) != 0)
        fail_at(file, line, "offered:  %s\nexpected: %s\n", offered, expected);
}

static void find_line(const char *lines, const char *line_of_state, const char *file, int line)
{
    const size_t length = strlen(line_of_state);
    for (const char *at = lines; at != NULL; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, line_of_state, length) == 0 && (at[length] == '\n' || at[length] == '\0'))
            return;
        if (*at == '\0')
            break;
    }
    fail_at(file, line, "no line '%s' in\n%s", line_of_state, lines);
}

void scene_expect_at(const struct scene *scene, const char *line_of_state, const char *file, int line)
{
    char lines[GRAL_STATE_TEXT_MAX];
    gral_text text = gral_text_in(lines, sizeof lines);
    gral_state_print(&text, &scene->game, &scene->state.open, scene->state.sheet, UINT32_MAX);
    find_line(lines, line_of_state, file, line);
}

void scene_sees_at(const struct scene *scene, unsigned seat, const char *line_of_view, const char *file, int line)
{
    char lines[GRAL_STATE_TEXT_MAX];
    gral_text text = gral_text_in(lines, sizeof lines);
    const gral_view view = gral_view_of(&scene->state, seat > 0 ? seat - 1 : GRAL_SPECTATOR);
    gral_view_print(&text, &scene->game, &view);
    find_line(lines, line_of_view, file, line);
}

gral_player *player_named_at(const char *name, const char *file, int line)
{
    gral_error error;
    gral_player *player = gral_player_make(gral_span_of(name), &error);
    if (player == NULL)
        fail_at(file, line, "%s: %s\n", name, error.message);
    return player;
}
