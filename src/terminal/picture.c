#include "picture.h"

#include "language.h"

#include <string.h>

enum { PAWNS_A_LINE = 4, CELL_WIDTH = 12, CELL_LINES = 3 };

static void draw_edge(FILE *out, unsigned columns)
{
    fprintf(out, "   +");
    for (unsigned column = 0; column < columns; column++)
        fprintf(out, "------------+");
    fprintf(out, "\n");
}

/* The headquarters and a grail that lies free, on the last line of a cell. */
static void describe_field(char cell[CELL_WIDTH + 1], const gral_game *game, const gral_open *open, unsigned field)
{
    char societies[GRAL_SOCIETIES + 1] = "";
    size_t length = 0;
    for (unsigned society = 0; society < GRAL_SOCIETIES; society++)
        if (game->home[society] == field)
            societies[length++] = gral_pawn_id(2 * society)[0];
    const bool grail = open->bearer == GRAL_NO_PAWN && open->grail == field;
    snprintf(cell, CELL_WIDTH + 1, "%s%s%s%s", grail ? _("*grail") : "", grail && length > 0 ? " " : "",
             length > 0 ? _("HQ ") : "", societies);
}

static void describe_pawns(char cell[CELL_WIDTH + 1], const gral_open *open, unsigned field, unsigned skip)
{
    size_t length = 0;
    unsigned shown = 0;
    cell[0] = '\0';
    for (unsigned pawn = 0; pawn < GRAL_PAWNS && shown < PAWNS_A_LINE; pawn++) {
        if (open->pawn[pawn] != field)
            continue;
        if (skip > 0) {
            skip--;
            continue;
        }
        length += (size_t)snprintf(cell + length, CELL_WIDTH + 1 - length, "%s%c", gral_pawn_id(pawn),
                                   open->bearer == pawn ? '*' : ' ');
        shown++;
    }
}

void picture_board(FILE *out, const gral_game *game, const gral_open *open)
{
    const unsigned columns = game->settings.columns, rows = game->settings.rows;
    draw_edge(out, columns);
    for (unsigned row = rows; row-- > 0;) {
        for (unsigned line = 0; line < CELL_LINES; line++) {
            if (line == 1)
                fprintf(out, " %u |", row + 1);
            else
                fprintf(out, "   |");
            for (unsigned column = 0; column < columns; column++) {
                const unsigned field = GRAL_COLUMNS * row + column;
                char cell[CELL_WIDTH + 1];
                if (line == CELL_LINES - 1)
                    describe_field(cell, game, open, field);
                else
                    describe_pawns(cell, open, field, PAWNS_A_LINE * line);
                fprintf(out, "%-*s|", CELL_WIDTH, cell);
            }
            fprintf(out, "\n");
        }
        draw_edge(out, columns);
    }
    fprintf(out, "    ");
    for (unsigned column = 0; column < columns; column++)
        fprintf(out, "%*c%*s", CELL_WIDTH / 2 + 1, 'a' + (int)column, CELL_WIDTH / 2, "");
    fprintf(out, "\n");
}

static void draw_pawn_heads(FILE *out, const char *title, const gral_open *open)
{
    fprintf(out, "%-12s", title);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        fprintf(out, "%8s", gral_on_board(open, pawn) ? gral_pawn_id(pawn) : "-");
    fprintf(out, "\n");
}

void picture_notepad(FILE *out, const gral_game *game, const gral_view *view)
{
    gral_notepad notepad;
    gral_notepad_fill(game, view, &notepad);
    draw_pawn_heads(out, _("influence"), &view->open);
    for (unsigned seat = 0; seat < view->open.players; seat++) {
        fprintf(out, _("  seat %-5u"), seat + 1);
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
            const gral_bounds bounds = notepad.bounds[seat][pawn];
            char range[12];
            if (!gral_on_board(&view->open, pawn))
                snprintf(range, sizeof range, "-");
            else if (bounds.least == bounds.most)
                snprintf(range, sizeof range, "%u", bounds.least);
            else
                snprintf(range, sizeof range, "%u-%u", bounds.least, bounds.most);
            fprintf(out, "%8s", range);
        }
        fprintf(out, "\n");
    }
}

void picture_units(FILE *out, const gral_view *view)
{
    for (unsigned seat = 0; seat < view->open.players; seat++) {
        if (!(view->known >> seat & 1))
            continue;
        fprintf(out, _("seat %u has not placed:"), seat + 1);
        unsigned units = 0;
        for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++)
            for (unsigned unit = 0; unit < view->sheet[seat].units[kind]; unit++, units++)
                fprintf(out, " %u", gral_unit_value[kind]);
        fprintf(out, "%s\n", units == 0 ? _(" nothing") : "");
    }
}

void picture_placements(FILE *out, const gral_view *view, const gral_placement *list, size_t count)
{
    for (unsigned seat = 0; seat < view->open.players; seat++) {
        if (!(view->known >> seat & 1))
            continue;
        fprintf(out, _("seat %u placed (turn:units):\n"), seat + 1);
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
            bool any = false;
            uint32_t turn = 0;
            for (size_t index = 0; index < count; index++) {
                const gral_placement *placement = &list[index];
                if (placement->seat != seat || placement->pawn != pawn)
                    continue;
                if (!any)
                    fprintf(out, "  %s ", gral_pawn_id(pawn));
                if (!any || placement->turn != turn)
                    fprintf(out, " %u:%u", placement->turn, placement->points);
                else
                    fprintf(out, "+%u", placement->points);
                any = true;
                turn = placement->turn;
            }
            fprintf(out, "%s", any ? "\n" : "");
        }
    }
}
