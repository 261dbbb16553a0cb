/* What a match says in the end: everything is counted here from the results of the single games. */
#include "match.h"
#include "terminal/language.h"

#include <stdlib.h>
#include <string.h>

static const char *const verdict_word[] = {
    [MATCH_UNDECIDED] = "undecided",
    [MATCH_BETTER] = "better",
    [MATCH_NOT_BETTER] = "not better",
};

static const match_lineup *lineup_of(const match_plan *plan, const match_row *row)
{
    return &plan->lineup[row->lineup];
}

/* Sums for one row. */
typedef struct tally {
    uint32_t games, wins, faults;
    uint64_t decisions;
    match_mean rate; /* over blocks */
} tally;

static void count_game(const match_plan *plan, const match_row *row, unsigned rotation, const match_result *result,
                       tally *tally)
{
    tally->games++;
    for (unsigned seat = 0; seat < plan->seats; seat++) {
        if (match_name_on(plan, lineup_of(plan, row), rotation, seat) != row->name)
            continue;
        tally->wins += result->ending == MATCH_WON && result->winner == seat;
        tally->decisions += result->decisions[seat];
        tally->faults += result->faults[seat];
    }
}

static void count_block(const match_plan *plan, const match_row *row, const match_result *result, uint32_t block,
                        tally *tally)
{
    const match_lineup *lineup = lineup_of(plan, row);
    const match_result *first = &result[block * plan->games + lineup->first];
    const uint32_t wins = tally->wins;
    for (unsigned rotation = 0; rotation < lineup->rotations; rotation++)
        count_game(plan, row, rotation, &first[rotation], tally);
    match_mean_add(&tally->rate, (double)(tally->wins - wins) / lineup->rotations);
}

static tally tally_of(const match_outcome *outcome, const match_row *row)
{
    tally tally = {0};
    for (uint32_t block = 0; block < outcome->blocks; block++)
        if (outcome->counts[block])
            count_block(outcome->plan, row, outcome->result, block, &tally);
    return tally;
}

const char *match_name_without_answers(const match_outcome *outcome)
{
    for (const match_row *row = outcome->plan->row; row < outcome->plan->row + outcome->plan->rows; row++) {
        const tally tally = tally_of(outcome, row);
        if (tally.decisions > 0 && tally.faults == tally.decisions)
            return outcome->plan->names[row->name];
    }
    return NULL;
}

double match_score_of_block(const match_plan *plan, const match_result *result, uint32_t block)
{
    tally first = {0}, second = {0};
    count_block(plan, &plan->row[0], result, block, &first);
    count_block(plan, &plan->row[1], result, block, &second);
    return (1 + match_mean_of(&first.rate) - match_mean_of(&second.rate)) / 2;
}

/* Sums for the whole match. */
typedef struct total {
    uint32_t games, draws, capped, median_turns;
    uint64_t repeated;
    match_mean score;
} total;

static int by_size(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static total total_of(const match_outcome *outcome)
{
    const match_plan *plan = outcome->plan;
    total total = {0};
    uint32_t *turns = calloc((size_t)outcome->blocks * plan->games, sizeof *turns);
    for (uint32_t block = 0; block < outcome->blocks; block++) {
        if (!outcome->counts[block])
            continue;
        for (uint32_t game = block * plan->games; game < (block + 1) * plan->games; game++) {
            const match_result *result = &outcome->result[game];
            total.draws += result->ending == MATCH_DRAWN;
            total.capped += result->ending == MATCH_CAPPED;
            total.repeated += result->repeated;
            if (turns != NULL)
                turns[total.games] = result->turns;
            total.games++;
        }
        if (outcome->sprt != NULL)
            match_mean_add(&total.score, match_score_of_block(plan, outcome->result, block));
    }
    if (turns != NULL && total.games > 0) {
        qsort(turns, total.games, sizeof *turns, by_size);
        total.median_turns = turns[total.games / 2];
    }
    free(turns);
    return total;
}

/* The others at the table, "3 x rules" or "rules, greedy"; empty when there are none. */
static void print_against(gral_text *text, const match_plan *plan, const match_row *row)
{
    const match_lineup *lineup = lineup_of(plan, row);
    if (lineup->alone) {
        gral_text_add_number(text, plan->seats - 1);
        gral_text_add(text, " x ");
        gral_text_add(text, plan->names[lineup->name[1]]);
        return;
    }
    const char *comma = "";
    for (unsigned slot = 0; slot < plan->seats; slot++) {
        if (lineup->name[slot] == row->name)
            continue;
        gral_text_add(text, comma);
        gral_text_add(text, plan->names[lineup->name[slot]]);
        comma = ", ";
    }
}

/* --- for people --- */

enum { CELL_MAX = 32, CELLS = 10 };
static const char *const heading[CELLS] = {
    N_("player"),          N_("against"),   N_("games"),     N_("wins"),   N_("win rate"),
    N_("interval (95 %)"), N_("decisions"), N_("median ms"), N_("p95 ms"), N_("faults"),
};

typedef struct line {
    char cell[CELLS][CELL_MAX];
} line;

/* Long names lose their middle, where programs have their folders. */
static void fill_name(char cell[CELL_MAX], const char *name)
{
    enum { HEAD = 9 };
    const size_t length = strlen(name);
    if (length < CELL_MAX)
        snprintf(cell, CELL_MAX, "%s", name);
    else
        snprintf(cell, CELL_MAX, "%.*s...%s", HEAD, name, name + length - (CELL_MAX - 1 - HEAD - 3));
}

static void fill_time(char cell[CELL_MAX], double ms)
{
    if (ms < 0.001)
        snprintf(cell, CELL_MAX, "<0.001");
    else
        snprintf(cell, CELL_MAX, "%.*f", ms < 1 ? 3 : ms < 100 ? 1 : 0, ms);
}

static void fill_line(line *line, const match_outcome *outcome, unsigned index)
{
    const match_plan *plan = outcome->plan;
    const match_row *row = &plan->row[index];
    const tally tally = tally_of(outcome, row);
    const match_interval interval = match_interval_of(&tally.rate);
    char against[512];
    gral_text text = gral_text_in(against, sizeof against);
    print_against(&text, plan, row);
    fill_name(line->cell[0], plan->names[row->name]);
    fill_name(line->cell[1], against);
    snprintf(line->cell[2], CELL_MAX, "%u", tally.games);
    snprintf(line->cell[3], CELL_MAX, "%u", tally.wins);
    snprintf(line->cell[4], CELL_MAX, "%.1f %%", 100 * match_mean_of(&tally.rate));
    snprintf(line->cell[5], CELL_MAX, _("%.1f to %.1f %%"), 100 * interval.low, 100 * interval.high);
    snprintf(line->cell[6], CELL_MAX, "%.1f", (double)tally.decisions / tally.games);
    fill_time(line->cell[7], match_times_quantile(&outcome->times[index], 0.5));
    fill_time(line->cell[8], match_times_quantile(&outcome->times[index], 0.95));
    snprintf(line->cell[9], CELL_MAX, "%u", tally.faults);
}

/* printf pads bytes, and the headings of other languages have letters of more than one. */
static int letters_in(const char *cell)
{
    int letters = 0;
    for (; *cell != '\0'; cell++)
        letters += ((unsigned char)*cell & 0xc0) != 0x80;
    return letters;
}

static void print_line(FILE *out, const line *line, const int width[CELLS])
{
    enum { NAMES = 2 }; /* to the left, figures to the right */
    for (unsigned cell = 0; cell < CELLS; cell++) {
        const int gap = width[cell] - letters_in(line->cell[cell]);
        fprintf(out, "%s%*s%s%*s", cell > 0 ? "  " : "", cell < NAMES ? 0 : gap, "", line->cell[cell],
                cell < NAMES ? gap : 0, "");
    }
    fputc('\n', out);
}

static void print_lines(FILE *out, const match_outcome *outcome)
{
    const unsigned rows = outcome->plan->rows;
    line *lines = calloc(rows + 1, sizeof *lines);
    if (lines == NULL)
        return;
    int width[CELLS] = {0};
    for (unsigned cell = 0; cell < CELLS; cell++)
        snprintf(lines[0].cell[cell], CELL_MAX, "%s", _(heading[cell]));
    for (unsigned row = 0; row < rows; row++)
        fill_line(&lines[row + 1], outcome, row);
    for (unsigned row = 0; row <= rows; row++)
        for (unsigned cell = 0; cell < CELLS; cell++) {
            const int length = letters_in(lines[row].cell[cell]);
            width[cell] = length > width[cell] ? length : width[cell];
        }
    for (unsigned row = 0; row <= rows; row++)
        print_line(out, &lines[row], width);
    free(lines);
}

static void print_test(FILE *out, const match_outcome *outcome, const match_mean *score)
{
    const match_sprt *sprt = outcome->sprt;
    const char *first = outcome->plan->names[0], *second = outcome->plan->names[1];
    fprintf(out, _("sprt: LLR %.2f (%.2f to %.2f) for elo %g against %g: "), match_sprt_llr(sprt, score),
            match_sprt_lower(sprt), match_sprt_upper(sprt), sprt->elo1, sprt->elo0);
    switch (match_sprt_verdict(sprt, score)) {
    case MATCH_UNDECIDED:
        fprintf(out, _("undecided whether %s is better than %s\n"), first, second);
        break;
    case MATCH_BETTER:
        fprintf(out, _("yes, %s is better than %s\n"), first, second);
        break;
    case MATCH_NOT_BETTER:
        fprintf(out, _("no, %s is not better than %s\n"), first, second);
        break;
    }
}

void match_print_table(FILE *out, const match_outcome *outcome)
{
    const total total = total_of(outcome);
    if (outcome->interrupted)
        fputs(_("stopped early: "), out);
    fprintf(out, _("%u games with seed %llu at a table for %u; draws: %u, capped: %u, median turns: %u\n"), total.games,
            (unsigned long long)outcome->seed, outcome->plan->seats, total.draws, total.capped, total.median_turns);
    if (total.games == 0)
        return;
    fputc('\n', out);
    print_lines(out, outcome);
    if (outcome->sprt != NULL) {
        fputc('\n', out);
        print_test(out, outcome, &total.score);
    }
    if (outcome->leak_checked)
        fprintf(out, _("\nno leak: %llu decisions are the same with other hidden sheets\n"),
                (unsigned long long)total.repeated);
}

/* --- for programs --- */

static void print_string(FILE *out, const char *words)
{
    fputc('"', out);
    for (; *words != '\0'; words++) {
        if ((unsigned char)*words < ' ')
            fprintf(out, "\\u%04x", *words);
        else
            fprintf(out, "%s%c", *words == '"' || *words == '\\' ? "\\" : "", *words);
    }
    fputc('"', out);
}

static void print_object(FILE *out, const match_outcome *outcome, unsigned index)
{
    const match_plan *plan = outcome->plan;
    const match_row *row = &plan->row[index];
    const tally tally = tally_of(outcome, row);
    const match_interval interval = match_interval_of(&tally.rate);
    char against[4096];
    gral_text text = gral_text_in(against, sizeof against);
    print_against(&text, plan, row);
    fprintf(out, "{\"name\":");
    print_string(out, plan->names[row->name]);
    fprintf(out, ",\"against\":");
    print_string(out, against);
    fprintf(out,
            ",\"chance\":%.6f,\"games\":%u,\"wins\":%u,\"win_rate\":%.6f,\"lo\":%.6f,\"hi\":%.6f,\"decisions\":%.3f,"
            "\"median_ms\":%.6f,\"p95_ms\":%.6f,\"faults\":%u}",
            (double)row->places / plan->seats, tally.games, tally.wins, match_mean_of(&tally.rate), interval.low,
            interval.high, tally.games > 0 ? (double)tally.decisions / tally.games : 0,
            match_times_quantile(&outcome->times[index], 0.5), match_times_quantile(&outcome->times[index], 0.95),
            tally.faults);
}

void match_print_json(FILE *out, const match_outcome *outcome)
{
    const total total = total_of(outcome);
    fprintf(out,
            "{\"games\":%u,\"seats\":%u,\"seed\":%llu,\"draws\":%u,\"capped\":%u,\"median_turns\":%u,"
            "\"interrupted\":%s,\"players\":[",
            total.games, outcome->plan->seats, (unsigned long long)outcome->seed, total.draws, total.capped,
            total.median_turns, outcome->interrupted ? "true" : "false");
    for (unsigned row = 0; row < outcome->plan->rows; row++) {
        if (row > 0)
            fputc(',', out);
        print_object(out, outcome, row);
    }
    fputc(']', out);
    if (outcome->sprt != NULL) {
        const match_sprt *sprt = outcome->sprt;
        fprintf(out,
                ",\"sprt\":{\"elo0\":%g,\"elo1\":%g,\"alpha\":%g,\"beta\":%g,\"llr\":%.4f,\"lower\":%.4f,"
                "\"upper\":%.4f,\"verdict\":\"%s\"}",
                sprt->elo0, sprt->elo1, sprt->alpha, sprt->beta, match_sprt_llr(sprt, &total.score),
                match_sprt_lower(sprt), match_sprt_upper(sprt), verdict_word[match_sprt_verdict(sprt, &total.score)]);
    }
    if (outcome->leak_checked)
        fprintf(out, ",\"leak_checked\":%llu", (unsigned long long)total.repeated);
    fprintf(out, "}\n");
}
