/* How online_player plays: it backs one initiate, the one it holds most influence on, and leads him to the grail and
 * home. It makes others who carry the grail leave it behind. It objects when somebody else leads its favourite away
 * from the grail or moves him at all once he has it, and when another one comes home with it. It assigns more when
 * somebody has shown as much on its favourite as it has. */
#include "online_choice.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAWNS = 8, UNITS = 6, NOBODY = -1 };

static const char *const pawn_id[PAWNS] = {"T1", "T2", "A1", "A2", "I1", "I2", "R1", "R2"};
static const int unit_value[UNITS] = {10, 5, 4, 3, 2, 1};
static const char society[] = "TAIR";
static const char *const headquarters[] = {"a1", "e1", "e5", "a5"}; /* of the societies */

static const choice_table *table;       /* the one that is decided about */
static int first_choice, second_choice; /* for the opening */

/* --- the board, as the table's view has it --- */

static int pawn_of(const char *id)
{
    for (int pawn = 0; pawn < PAWNS; pawn++)
        if (strncmp(id, pawn_id[pawn], 2) == 0)
            return pawn;
    return NOBODY;
}

static int distance(const char *from, const char *to)
{
    return abs(from[0] - to[0]) + abs(from[1] - to[1]);
}

const char *choice_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static int number_at(const json_t *object, const char *key, size_t index)
{
    return (int)json_integer_value(json_array_get(json_object_get(object, key), index));
}

static const char *field_of(int pawn)
{
    return json_string_value(json_array_get(json_object_get(table->view, "pawns"), (size_t)pawn));
}

static const char *grail(void)
{
    return choice_text(table->view, "grail");
}

static int bearer(void)
{
    return pawn_of(grail());
}

static int own_seat(void)
{
    return (int)json_integer_value(json_object_get(table->you, "seat"));
}

static int held(int pawn)
{
    return number_at(table->you, "influence", (size_t)pawn);
}

/* The most that another seat has shown on him. */
static int shown(int pawn)
{
    int most = 0;
    size_t seat;
    const json_t *row;
    json_array_foreach(json_object_get(table->view, "known"), seat, row)
    {
        const int known = (int)json_integer_value(json_array_get(row, (size_t)pawn));
        if ((int)seat + 1 != own_seat() && known > most)
            most = known;
    }
    return most;
}

static int favourite(void)
{
    int best = NOBODY;
    for (int pawn = 0; pawn < PAWNS; pawn++)
        if (field_of(pawn)[0] != '-' && (best == NOBODY || held(pawn) > held(best)))
            best = pawn;
    return best;
}

/* Whether he has the grail, or can take it along when he sets off. */
static bool has_grail(int pawn)
{
    return bearer() == pawn || strcmp(grail(), field_of(pawn)) == 0;
}

static bool original(void)
{
    return strcmp(choice_text(table->terms, "rules"), "original") == 0;
}

/* Where he brings us victory. In The Original that is our own headquarters, whoever comes. */
static const char *home_of(int pawn)
{
    const char *owners = choice_text(table->terms, "hq");
    const char letter = original() ? (owners[0] != '\0' ? owners : society)[own_seat() - 1] : pawn_id[pawn][0];
    return headquarters[strchr(society, letter) - society];
}

/* Whether the game ends when he arrives there with the grail. */
static bool ends_at(int pawn, const char *field)
{
    if (!original())
        return strcmp(field, home_of(pawn)) == 0;
    for (int number = 0; number < 4; number++)
        if (strcmp(field, headquarters[number]) == 0)
            return true;
    return false;
}

/* How good it is for us that he goes there: small is good. */
static int cost_of_step(int pawn, const char *to)
{
    if (pawn == favourite())
        return bearer() != NOBODY && !has_grail(pawn) ? 50 : distance(to, has_grail(pawn) ? home_of(pawn) : grail());
    if (pawn == bearer())
        return 20 - distance(to, home_of(pawn)); /* away from home, and we make him leave the grail */
    return 100;
}

/* --- deciding: each fills a list of actions --- */

/* The largest units first, until so many points are placed or none are left. `left` are our units. */
static void place(json_t *actions, int left[UNITS], int pawn, int points)
{
    for (int kind = 0; kind < UNITS; kind++)
        for (; points > 0 && left[kind] > 0; left[kind]--, points -= unit_value[kind])
            json_array_append_new(actions, json_sprintf("place %d %s", unit_value[kind], pawn_id[pawn]));
}

static int units_left(int left[UNITS])
{
    int count = 0;
    for (int kind = 0; kind < UNITS; kind++)
        count += left[kind] = number_at(table->you, "units", (size_t)kind);
    return count;
}

static void say(json_t *actions, const char *action)
{
    json_array_append_new(actions, json_string(action));
}

/* Most on one initiate, something on a second, and the rest stays for later. */
static void open_game(json_t *actions)
{
    int left[UNITS];
    units_left(left);
    place(actions, left, first_choice, 40);
    place(actions, left, second_choice, 20);
    say(actions, "done");
}

static void assign(json_t *actions)
{
    int left[UNITS];
    units_left(left);
    place(actions, left, favourite(), shown(favourite()) + 6 - held(favourite()));
    say(actions, "done");
}

/* The first legal action that begins with these words, or NULL. */
static const char *legal_with(const char *words)
{
    size_t index;
    const json_t *line;
    json_array_foreach(json_object_get(table->you, "legal"), index,
                       line) if (strncmp(json_string_value(line), words, strlen(words)) ==
                                 0) return json_string_value(line);
    return NULL;
}

static void propose(json_t *actions)
{
    int left[UNITS], least = 1000;
    if (units_left(left) > 0 && shown(favourite()) >= held(favourite()) && legal_with("assign") != NULL) {
        say(actions, "assign");
        assign(actions);
        return;
    }
    const char *best = legal_with("");
    size_t index;
    const json_t *line;
    json_array_foreach(json_object_get(table->you, "legal"), index, line)
    {
        char pawn[4], to[4], uncovers[4];
        if (sscanf(json_string_value(line), "step %3s %3s %3s", pawn, to, uncovers) != 2)
            continue;
        if (cost_of_step(pawn_of(pawn), to) < least) {
            least = cost_of_step(pawn_of(pawn), to);
            best = json_string_value(line);
        }
    }
    say(actions, best);
}

/* The least of "object 3..17" as "object 3", or the other word if there is no such line. */
static void say_least(json_t *actions, const char *verb, const char *otherwise)
{
    const char *line = legal_with(verb);
    if (line == NULL)
        say(actions, otherwise);
    else
        json_array_append_new(actions, json_sprintf("%s %d", verb, atoi(line + strlen(verb))));
}

static void answer_proposal(json_t *actions)
{
    char id[4], to[4];
    if (sscanf(choice_text(table->view, "proposal"), "step %3s %3s", id, to) != 2) {
        say(actions, "pass");
        return;
    }
    const int pawn = pawn_of(id);
    bool bad = has_grail(pawn);
    if (pawn != favourite())
        bad = bad && ends_at(pawn, to);
    else if (bearer() == NOBODY)
        bad = bad || distance(to, grail()) > distance(field_of(pawn), grail());
    if (bad)
        say_least(actions, "object", "pass");
    else
        say(actions, "pass");
}

static void answer_objection(json_t *actions)
{
    say_least(actions, "claim", "yield");
}

static void decide_about_grail(json_t *actions)
{
    char verb[8], id[4];
    const bool ours = sscanf(choice_text(table->view, "proposal"), "%7s %3s", verb, id) == 2 &&
                      pawn_of(id) == favourite();
    say(actions, ours ? "keep" : "leave");
}

static const struct {
    const char *phase;
    void (*decide)(json_t *actions);
} decisions[] = {
    {"opening", open_game},         {"placing", assign},          {"turn", propose},
    {"objection", answer_proposal}, {"answer", answer_objection}, {"grail", decide_about_grail},
};

void choice_begin(const unsigned chance[2])
{
    first_choice = (int)(chance[0] % PAWNS);
    second_choice = (int)((chance[0] + 1 + chance[1] % (PAWNS - 1)) % PAWNS);
}

json_t *choice_of(const choice_table *now)
{
    json_t *actions = json_array();
    table = now;
    for (size_t row = 0; row < sizeof decisions / sizeof *decisions; row++)
        if (strcmp(decisions[row].phase, choice_text(table->view, "phase")) == 0)
            decisions[row].decide(actions);
    return actions;
}
