/* What holds in every game: whole games at random, of all sizes and both rule sets. */
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACTIONS_MAX = 6000, TABLES = 16 };

/* Every number of players, The Original, and smaller games. */
static const char *const table[TABLES] = {
    "players=2",
    "players=3 first=3",
    "players=4 limit=60",
    "players=5",
    "players=6 limit=40",
    "players=7",
    "players=8 first=5",
    "players=9",
    "players=10",
    "players=11",
    "players=12 limit=30",
    "players=4 rules=original",
    "players=4 rules=original hq=RITA first=2",
    "players=2 board=3x1 pawns=T1,A1 units=2,1 grail=b1",
    "players=3 board=3x3 pawns=T1,T2,I1,A2 units=10,10,5,3,2,1",
    "players=4 board=2x5 units=10,10,10,4,4,1,1",
};

/* Random, but milder than uniform: three objections in four are swallowed, so that secrets stay. */
static gral_action mild_action(const struct scene *scene, gral_random *random)
{
    const gral_options options = gral_legal_options(&scene->game, &scene->state);
    if (scene->state.open.phase == GRAL_OBJECTION && gral_random_below(random, 4) > 0)
        return gral_say(GRAL_PASS);
    if (options.points_verb != GRAL_NOTHING && gral_random_below(random, 2) > 0)
        return options.points_verb == GRAL_OBJECT ? gral_object(options.least) : gral_claim(options.least);
    return gral_random_action(&scene->game, &scene->state, random);
}

typedef void visit(const struct scene *scene, void *context);

/* Plays one game at every table and shows every state on the way. */
static void visit_games(uint64_t seed, visit *visit, void *context)
{
    for (unsigned index = 0; index < TABLES; index++) {
        struct scene scene = scene_of(table[index]);
        gral_random random = gral_random_from(seed + 1000 * index);
        for (unsigned action = 0; action < ACTIONS_MAX && scene.state.open.phase != GRAL_OVER; action++) {
            visit(&scene, context);
            gral_apply(&scene.game, &scene.state, mild_action(&scene, &random));
        }
        visit(&scene, context);
    }
}

static void check_points(const struct scene *scene, void *context)
{
    (void)context;
    const gral_open *open = &scene->state.open;
    const unsigned all = gral_units_worth(scene->game.settings.units);
    for (unsigned seat = 0; seat < open->players; seat++) {
        unsigned points = gral_units_worth(scene->state.sheet[seat].units);
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
            const unsigned influence = scene->state.sheet[seat].influence[pawn];
            assert_true(gral_floor(open, seat, pawn) <= influence);
            points += influence + gral_lost(open, seat, pawn) + open->paid[seat][pawn];
        }
        assert_int_equal(points, all);
    }
}

static void a_hundred_points_are_conserved_and_no_floor_exceeds_the_influence_R1_4_R3_4_R4_8(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 8; seed++)
        visit_games(seed, check_points, NULL);
}

static void check_pieces(const struct scene *scene, void *context)
{
    (void)context;
    const gral_open *open = &scene->state.open;
    const uint32_t fields = gral_board_fields(&scene->game.settings);
    assert_true(fields >> open->grail & 1);
    if (open->bearer != GRAL_NO_PAWN)
        assert_int_equal(open->pawn[open->bearer], open->grail);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        assert_true(!gral_on_board(open, pawn) || fields >> open->pawn[pawn] & 1);
    const bool over = open->phase == GRAL_OVER;
    assert_int_equal(over, open->actor == GRAL_NOBODY);
    assert_true(over || open->actor < open->players);
}

static void pieces_stay_on_the_board_and_the_grail_with_its_bearer_R1_1_R5_3(void **unused)
{
    (void)unused;
    visit_games(9, check_pieces, NULL);
}

static void check_lists(const struct scene *scene, void *context)
{
    gral_random *random = context;
    gral_action list[GRAL_LEGAL_MAX];
    const unsigned count = gral_legal_list(&scene->game, &scene->state, list);
    const gral_options options = gral_legal_options(&scene->game, &scene->state);
    assert_int_equal(count, gral_options_count(&options));
    for (unsigned index = 0; index < count; index++) {
        const gral_action picked = gral_options_pick(&scene->game, &scene->state.open, &options, index);
        assert_true(gral_same_action(picked, list[index]));
    }
    if (count == 0)
        return;
    gral_random copy = *random;
    const gral_action drawn = gral_random_action(&scene->game, &scene->state, random);
    assert_true(gral_same_action(drawn, list[gral_random_below(&copy, count)]));
}

static void list_options_and_random_choice_agree(void **unused)
{
    (void)unused;
    gral_random random = gral_random_from(17);
    visit_games(10, check_lists, &random);
}

static bool in_list(const gral_action *list, unsigned count, gral_action action)
{
    for (unsigned index = 0; index < count; index++)
        if (gral_same_action(list[index], action))
            return true;
    return false;
}

/* Every action that can be written at all is either listed or refused with a reason. */
static void check_every_action(const struct scene *scene, void *context)
{
    unsigned *visits = context;
    if ((*visits)++ % 97 != 0)
        return;
    gral_action list[GRAL_LEGAL_MAX];
    const unsigned count = gral_legal_list(&scene->game, &scene->state, list);
#define agree(action)                                                                                                  \
    assert_int_equal(gral_check(&scene->game, &scene->state, action) == GRAL_LEGAL, in_list(list, count, action))
    static const enum gral_verb alone[] = {GRAL_NOTHING, GRAL_DONE, GRAL_ASSIGN, GRAL_PASS,
                                           GRAL_YIELD,   GRAL_KEEP, GRAL_DROP,   GRAL_LEAVE};
    for (unsigned index = 0; index < sizeof alone / sizeof *alone; index++)
        agree(gral_say(alone[index]));
    for (unsigned points = 0; points <= 255; points++) {
        agree(gral_object(points));
        agree(gral_claim(points));
    }
    for (unsigned pawn = 0; pawn <= GRAL_PAWNS; pawn++) {
        for (unsigned points = 0; points <= 11; points++)
            agree(gral_place(points, pawn));
        for (unsigned target = 0; target <= GRAL_PAWNS; target++)
            agree(gral_uncover(pawn, target));
        for (unsigned field = 0; field <= GRAL_NOWHERE; field++) {
            agree(gral_step(pawn, field, GRAL_NO_PAWN));
            for (unsigned target = 0; target <= GRAL_PAWNS; target++)
                agree(gral_step(pawn, field, target));
        }
    }
#undef agree
}

static void every_action_is_listed_or_refused_with_a_reason(void **unused)
{
    (void)unused;
    unsigned visits = 0;
    visit_games(11, check_every_action, &visits);
}

static void check_undo(const struct scene *scene, void *context)
{
    gral_random *random = context;
    if (scene->state.open.phase == GRAL_OVER)
        return;
    gral_state state = scene->state;
    gral_undo undo;
    gral_apply_with_undo(&scene->game, &state, gral_random_action(&scene->game, &state, random), &undo);
    gral_take_back(&state, &undo);
    assert_memory_equal(&state, &scene->state, sizeof state);
}

static void undo_gives_the_same_bytes(void **unused)
{
    (void)unused;
    gral_random random = gral_random_from(18);
    visit_games(12, check_undo, &random);
}

static void a_whole_game_can_be_taken_back(void **unused)
{
    (void)unused;
    static gral_undo undo[ACTIONS_MAX];
    for (unsigned index = 0; index < TABLES; index++) {
        struct scene scene = scene_of(table[index]);
        const gral_state start = scene.state;
        gral_random random = gral_random_from(13 + index);
        unsigned actions = 0;
        while (actions < ACTIONS_MAX && scene.state.open.phase != GRAL_OVER)
            gral_apply_with_undo(&scene.game, &scene.state, mild_action(&scene, &random), &undo[actions++]);
        while (actions > 0)
            gral_take_back(&scene.state, &undo[--actions]);
        assert_memory_equal(&scene.state, &start, sizeof start);
    }
}

static void check_text(const struct scene *scene, void *context)
{
    (void)context;
    gral_action list[GRAL_LEGAL_MAX];
    const unsigned count = gral_legal_list(&scene->game, &scene->state, list);
    for (unsigned index = 0; index < count; index++) {
        char words[GRAL_ACTION_TEXT_MAX], again[GRAL_ACTION_TEXT_MAX];
        gral_text text = gral_text_in(words, sizeof words);
        gral_action_print(&text, list[index]);
        assert_true(text.length < sizeof words);
        gral_action action;
        gral_error error;
        assert_true(gral_action_parse(gral_span_of(words), &action, &error));
        assert_true(gral_same_action(action, list[index]));
        text = gral_text_in(again, sizeof again);
        gral_action_print(&text, action);
        assert_string_equal(words, again);
    }
    char lines[GRAL_STATE_TEXT_MAX];
    gral_text text = gral_text_in(lines, sizeof lines);
    gral_state_print(&text, &scene->game, &scene->state.open, scene->state.sheet, UINT32_MAX);
    assert_true(text.length < sizeof lines);
}

static void every_legal_action_survives_text(void **unused)
{
    (void)unused;
    visit_games(14, check_text, NULL);
}

static char *print_record(const gral_record *record)
{
    gral_text measure = gral_text_in((char[1]){0}, 1);
    gral_record_print(&measure, record);
    char *bytes = test_malloc(measure.length + 1);
    gral_text text = gral_text_in(bytes, measure.length + 1);
    gral_record_print(&text, record);
    return bytes;
}

static gral_record play_record(const char *settings, uint64_t seed, unsigned actions)
{
    struct scene scene = scene_of(settings);
    gral_record record = gral_record_begin(&scene.game.settings);
    gral_random random = gral_random_from(seed);
    while (actions-- > 0 && scene.state.open.phase != GRAL_OVER) {
        const gral_action action = mild_action(&scene, &random);
        assert_true(gral_record_add(&record, scene.state.open.actor, action));
        gral_apply(&scene.game, &scene.state, action);
    }
    return record;
}

static void a_record_gives_the_same_game_and_the_same_record(void **unused)
{
    (void)unused;
    for (unsigned index = 0; index < TABLES; index++) {
        gral_record record = play_record(table[index], 15 + index, 2000), again;
        char *words = print_record(&record);
        gral_error error;
        assert_true(gral_record_parse(gral_span_of(words), &again, &error));
        char *words_again = print_record(&again);
        assert_string_equal(words, words_again);
        gral_game game;
        gral_state state, state_again;
        gral_record_replay(&record, record.count, &game, &state);
        gral_record_replay(&again, again.count, &game, &state_again);
        assert_memory_equal(&state, &state_again, sizeof state);
        test_free(words);
        test_free(words_again);
        gral_record_free(&record);
        gral_record_free(&again);
    }
}

/* --- secrets --- */

/* One seat's placements changed a little: another unit, another initiate, one less. */
static void edit_placements(gral_record *record, unsigned seat, gral_random *random)
{
    for (size_t index = 0; index < record->count; index++) {
        gral_entry *entry = &record->entry[index];
        if (entry->seat != seat || entry->action.verb != GRAL_PLACE || gral_random_below(random, 4) > 0)
            continue;
        switch (gral_random_below(random, 3)) {
        case 0:
            entry->action.points = gral_unit_value[gral_random_below(random, GRAL_UNIT_KINDS)];
            break;
        case 1:
            entry->action.pawn = (uint8_t)gral_random_below(random, GRAL_PAWNS);
            break;
        default:
            memmove(entry, entry + 1, (record->count - index - 1) * sizeof *entry);
            record->count--;
        }
    }
}

/* The length of the course on which `other` can be played in place of `record`: all its actions are
 * legal, it loses what the first one lost (the rules make that public), and the game goes on. */
static size_t compare_views(const gral_record *record, const gral_record *other, unsigned changed)
{
    gral_game game;
    gral_state state, twin;
    gral_record_replay(record, 0, &game, &state);
    gral_record_replay(other, 0, &game, &twin);
    size_t at = 0, twin_at = 0;
    for (;;) {
        /* What the changed seat places is not heard; both games go on to the next action that is. */
        for (; at < record->count && !gral_view_hears(GRAL_SPECTATOR, changed, record->entry[at].action) &&
               record->entry[at].seat == changed;
             at++)
            gral_apply(&game, &state, record->entry[at].action);
        for (; twin_at < other->count && other->entry[twin_at].seat == changed &&
               other->entry[twin_at].action.verb == GRAL_PLACE;
             twin_at++) {
            if (gral_check(&game, &twin, other->entry[twin_at].action) != GRAL_LEGAL)
                return 0;
            gral_apply(&game, &twin, other->entry[twin_at].action);
        }
        for (unsigned seat = 0; seat <= state.open.players; seat++) {
            if (seat == changed)
                continue;
            const unsigned eyes = seat < state.open.players ? seat : GRAL_SPECTATOR;
            const gral_view one = gral_view_of(&state, eyes), two = gral_view_of(&twin, eyes);
            assert_memory_equal(&one, &two, sizeof one);
        }
        assert_int_equal(gral_hash_open(&state), gral_hash_open(&twin));
        if (at == record->count || twin_at == other->count)
            return at;
        const gral_action action = record->entry[at].action;
        if (gral_check(&game, &twin, action) != GRAL_LEGAL)
            return at;
        gral_apply(&game, &state, action);
        gral_apply(&game, &twin, action);
        at++;
        twin_at++;
        if (state.open.phase == GRAL_OVER || twin.open.phase == GRAL_OVER)
            return at;
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
            if (gral_lost(&state.open, changed, pawn) != gral_lost(&twin.open, changed, pawn))
                return at;
    }
}

static void what_a_seat_sees_does_not_change_with_the_secrets_of_others_R10_2(void **unused)
{
    (void)unused;
    gral_random random = gral_random_from(19);
    size_t compared = 0;
    for (unsigned index = 0; index < TABLES; index++)
        for (unsigned round = 0; round < 60; round++) {
            gral_record record = play_record(table[index], 100 * index + round, 400);
            gral_record other = record;
            other.entry = test_malloc((record.count + 1) * sizeof *other.entry);
            memcpy(other.entry, record.entry, record.count * sizeof *other.entry);
            const unsigned changed = gral_random_below(&random, record.settings.players);
            edit_placements(&other, changed, &random);
            compared += compare_views(&record, &other, changed);
            test_free(other.entry);
            gral_record_free(&record);
        }
    assert_true(compared > 20000); /* else the edits fit nowhere and nothing was shown */
}

static void secrets_change_the_whole_hash_and_not_the_open_one(void **unused)
{
    (void)unused;
    struct scene scene = scene_of("players=3");
    const uint64_t open = gral_hash_open(&scene.state), whole = gral_hash(&scene.state);
    scene_do(&scene, "place 10 T1");
    assert_true(gral_hash_open(&scene.state) == open);
    assert_true(gral_hash(&scene.state) != whole);
    const uint64_t before = gral_hash_open(&scene.state);
    scene_do(&scene, "done");
    assert_true(gral_hash_open(&scene.state) != before);
}

/* --- counting all games --- */

static uint64_t count_courses(const gral_game *game, const gral_state *state, unsigned depth)
{
    gral_action list[GRAL_LEGAL_MAX];
    const unsigned count = gral_legal_list(game, state, list);
    if (depth <= 1)
        return depth == 0 ? 1 : count;
    uint64_t courses = 0;
    for (unsigned index = 0; index < count; index++) {
        gral_state next = *state;
        gral_apply(game, &next, list[index]);
        courses += count_courses(game, &next, depth - 1);
    }
    return courses;
}

static void all_courses_of_a_game_are_as_many_as_counted_before(void **unused)
{
    (void)unused;
    char path[1024], line[256];
    snprintf(path, sizeof path, "%s/courses.txt", getenv("GRAL_TEST_DATA"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    unsigned lines = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        unsigned depth;
        unsigned long long courses;
        int settings_at = 0;
        assert_int_equal(sscanf(line, "%u %llu %n", &depth, &courses, &settings_at), 2);
        line[strcspn(line, "\n")] = '\0';
        const struct scene scene = scene_of(line + settings_at);
        const uint64_t counted = count_courses(&scene.game, &scene.state, depth);
        if (counted != courses)
            print_error("%s: depth %u: %llu courses\n", line + settings_at, depth, (unsigned long long)counted);
        assert_true(counted == courses);
        lines++;
    }
    fclose(file);
    assert_true(lines > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hundred_points_are_conserved_and_no_floor_exceeds_the_influence_R1_4_R3_4_R4_8),
        cmocka_unit_test(pieces_stay_on_the_board_and_the_grail_with_its_bearer_R1_1_R5_3),
        cmocka_unit_test(list_options_and_random_choice_agree),
        cmocka_unit_test(every_action_is_listed_or_refused_with_a_reason),
        cmocka_unit_test(undo_gives_the_same_bytes),
        cmocka_unit_test(a_whole_game_can_be_taken_back),
        cmocka_unit_test(every_legal_action_survives_text),
        cmocka_unit_test(a_record_gives_the_same_game_and_the_same_record),
        cmocka_unit_test(what_a_seat_sees_does_not_change_with_the_secrets_of_others_R10_2),
        cmocka_unit_test(secrets_change_the_whole_hash_and_not_the_open_one),
        cmocka_unit_test(all_courses_of_a_game_are_as_many_as_counted_before),
    };
    return cmocka_run_group_tests_name("properties", tests, NULL, NULL);
}
