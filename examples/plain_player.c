/* A complete outside player in C. Try it:
 *
 *     cc -o plain_player plain_player.c
 *     gral match exec:./plain_player random
 *
 * gral sends lines, this program answers `new` and `go` with one line each and flushes. Everything it needs to decide
 * is in the lines between `view` and `end` (what its seat may know) and between `legal` and `end` (what it may do);
 * it keeps no history, so it ignores the `event` lines.
 *
 * How it plays: it backs one initiate, the one it holds most influence on, and leads him to the grail and home. It
 * makes others who carry the grail leave it behind. It objects when somebody else leads its favourite away from the
 * grail or moves him at all once he has it, and when another one comes home with it. It assigns more when somebody has
 * shown as much on its favourite as it has. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAWNS = 8, UNITS = 6, SEATS = 12, LEGAL = 256, LINE = 4096, NOBODY = -1 };

static const char *const pawn_id[PAWNS] = {"T1", "T2", "A1", "A2", "I1", "I2", "R1", "R2"};
static const char *const home[PAWNS] = {"a1", "a1", "e1", "e1", "e5", "e5", "a5", "a5"};

/* What a view says, as far as this player looks at it. */
struct view {
    char phase[16];
    char field[PAWNS][4]; /* "-" when uncovered */
    char grail[4];        /* a field, or the id of the initiate who carries it */
    char proposal[LINE];  /* "step T1 a2" */
    int mine[PAWNS];      /* our influence */
    int shown[PAWNS];     /* the most that another seat has shown */
    int units[UNITS];     /* ours, not yet placed */
};

static int seat;
static unsigned long long seed;
static struct view view;
static char legal[LEGAL][32];
static int legal_count;

/* --- reading --- */

static int pawn_of(const char *id)
{
    for (int pawn = 0; pawn < PAWNS; pawn++)
        if (strncmp(id, pawn_id[pawn], 2) == 0)
            return pawn;
    return NOBODY;
}

/* The value of each "KEY=VALUE" in a line, in order: "T1=12 T2=0 …". A '?' reads as 0. */
static void read_values(const char *line, int count, int values[])
{
    for (int index = 0; index < count && (line = strchr(line, '=')) != NULL; index++)
        values[index] = atoi(++line);
}

static void read_view_line(const char *line)
{
    int who, values[PAWNS] = {0};
    char word[16];
    if (sscanf(line, "phase %15s", view.phase) == 1 || sscanf(line, "grail %3s", view.grail) == 1)
        return;
    if (strncmp(line, "proposal ", 9) == 0)
        snprintf(view.proposal, sizeof view.proposal, "%s", line + 9);
    else if (strncmp(line, "pawns ", 6) == 0)
        for (int pawn = 0; pawn < PAWNS && (line = strchr(line, '=')) != NULL; pawn++)
            sscanf(++line, "%3s", view.field[pawn]);
    else if (sscanf(line, "%15s %d ", word, &who) == 2 && strcmp(word, "influence") == 0 && who == seat)
        read_values(line, PAWNS, view.mine);
    else if (sscanf(line, "%15s %d ", word, &who) == 2 && strcmp(word, "units") == 0 && who == seat)
        read_values(line, UNITS, view.units);
    else if (sscanf(line, "%15s %d ", word, &who) == 2 && strcmp(word, "floor") == 0 && who != seat) {
        read_values(line, PAWNS, values);
        for (int pawn = 0; pawn < PAWNS; pawn++)
            view.shown[pawn] = values[pawn] > view.shown[pawn] ? values[pawn] : view.shown[pawn];
    }
}

/* One line without its end; at the end of the input there is nobody left to play for. */
static void read_line(char line[LINE])
{
    if (fgets(line, LINE, stdin) == NULL)
        exit(0);
    line[strcspn(line, "\r\n")] = '\0';
}

static void read_view(void)
{
    char line[LINE];
    view = (struct view){0};
    for (read_line(line); strcmp(line, "end") != 0; read_line(line))
        read_view_line(line);
}

static void read_legal(void)
{
    char line[LINE];
    legal_count = 0;
    for (read_line(line); strcmp(line, "end") != 0; read_line(line))
        if (legal_count < LEGAL)
            snprintf(legal[legal_count++], sizeof legal[0], "%.31s", line);
}

/* --- looking at the board --- */

static int distance(const char *from, const char *to)
{
    return abs(from[0] - to[0]) + abs(from[1] - to[1]);
}

static bool on_board(int pawn)
{
    return view.field[pawn][0] != '-';
}

static int bearer(void)
{
    return pawn_of(view.grail);
}

static int favourite(void)
{
    int best = NOBODY;
    for (int pawn = 0; pawn < PAWNS; pawn++)
        if (on_board(pawn) && (best == NOBODY || view.mine[pawn] > view.mine[best]))
            best = pawn;
    return best;
}

/* Whether he has the grail, or can take it along when he sets off. */
static bool has_grail(int pawn)
{
    return bearer() == pawn || strcmp(view.grail, view.field[pawn]) == 0;
}

/* How good it is for us that he goes there: small is good. */
static int cost_of_step(int pawn, const char *to)
{
    if (pawn == favourite())
        return bearer() != NOBODY && !has_grail(pawn) ? 50 : distance(to, has_grail(pawn) ? home[pawn] : view.grail);
    if (pawn == bearer())
        return 20 - distance(to, home[pawn]); /* away from home, and we make him leave the grail */
    return 100;
}

/* --- deciding: each answers with one of the legal lines --- */

static const char *say_if_legal(const char *action)
{
    for (int index = 0; index < legal_count; index++)
        if (strcmp(legal[index], action) == 0)
            return legal[index];
    return NULL;
}

/* The largest unit that may be placed on him, or "done". */
static const char *place_on(int pawn)
{
    const char *best = "done";
    int most = 0, value;
    char id[4];
    for (int index = 0; index < legal_count; index++)
        if (sscanf(legal[index], "place %d %3s", &value, id) == 2 && pawn_of(id) == pawn && value > most) {
            most = value;
            best = legal[index];
        }
    return best;
}

/* Most on one initiate, something on a second, and the rest stays for later. */
static const char *open_game(void)
{
    const int first = (int)(seed % PAWNS), second = (int)((seed / PAWNS + 1) % PAWNS);
    return view.mine[first] < 40 ? place_on(first) : view.mine[second] < 20 ? place_on(second) : "done";
}

static const char *assign(void)
{
    const int pawn = favourite();
    return view.mine[pawn] <= view.shown[pawn] + 5 ? place_on(pawn) : "done";
}

static const char *propose(void)
{
    const int pawn = favourite();
    bool units_left = false;
    for (int kind = 0; kind < UNITS; kind++)
        units_left = units_left || view.units[kind] > 0;
    if (units_left && view.shown[pawn] >= view.mine[pawn] && say_if_legal("assign") != NULL)
        return "assign";

    const char *best = legal[0];
    int least = 1000;
    for (int index = 0; index < legal_count; index++) {
        char id[4], to[4], uncovers[4];
        if (sscanf(legal[index], "step %3s %3s %3s", id, to, uncovers) != 2)
            continue;
        const int cost = cost_of_step(pawn_of(id), to);
        if (cost < least) {
            least = cost;
            best = legal[index];
        }
    }
    return best;
}

/* The least of "object 3..17" as "object 3", or the other word if there is no such line. */
static const char *least_of(const char *verb, const char *otherwise)
{
    static char answer[32];
    const size_t length = strlen(verb);
    for (int index = 0; index < legal_count; index++)
        if (strncmp(legal[index], verb, length) == 0 && legal[index][length] == ' ') {
            snprintf(answer, sizeof answer, "%s %d", verb, atoi(legal[index] + length));
            return answer;
        }
    return otherwise;
}

static const char *object(void)
{
    char id[4], to[4];
    if (sscanf(view.proposal, "step %3s %3s", id, to) != 2)
        return "pass";
    const int pawn = pawn_of(id);
    bool bad = has_grail(pawn);
    if (pawn != favourite())
        bad = bad && strcmp(to, home[pawn]) == 0;
    else if (bearer() == NOBODY)
        bad = bad || distance(to, view.grail) > distance(view.field[pawn], view.grail);
    return bad ? least_of("object", "pass") : "pass";
}

static const char *answer_objection(void)
{
    return least_of("claim", "yield");
}

static const char *decide_about_grail(void)
{
    char verb[8], id[4];
    const bool ours = sscanf(view.proposal, "%7s %3s", verb, id) == 2 && pawn_of(id) == favourite();
    return ours ? "keep" : "leave";
}

static const struct {
    const char *phase;
    const char *(*decide)(void);
} decisions[] = {
    {"opening", open_game}, {"placing", assign},          {"turn", propose},
    {"objection", object},  {"answer", answer_objection}, {"grail", decide_about_grail},
};

static void go(void)
{
    for (size_t row = 0; row < sizeof decisions / sizeof *decisions; row++)
        if (strcmp(decisions[row].phase, view.phase) == 0)
            puts(decisions[row].decide());
    fflush(stdout);
}

static void begin(const char *line)
{
    const char *chance = strstr(line, " seed=");
    sscanf(line, "new seat=%d", &seat);
    seed = chance != NULL ? strtoull(chance + 6, NULL, 10) : 0;
    puts("ready");
    fflush(stdout);
}

int main(void)
{
    for (;;) {
        char line[LINE];
        read_line(line);
        if (strncmp(line, "new ", 4) == 0)
            begin(line);
        else if (strcmp(line, "view") == 0)
            read_view();
        else if (strcmp(line, "legal") == 0)
            read_legal();
        else if (strncmp(line, "go ", 3) == 0)
            go();
        else if (strcmp(line, "quit") == 0)
            return 0;
    }
}
