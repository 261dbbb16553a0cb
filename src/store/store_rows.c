/* The rows of answers, as whoever asked hears them. */
#include "store/store_questions.h"

#include "store/common.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int64_t number_of(const store_row *row, int column)
{
    return row->cells->number(row, column);
}

static const char *text_of(const store_row *row, int column)
{
    return row->cells->bytes(row, column).bytes;
}

bool store_tell_entry(const store_listener *listener, const store_row *row)
{
    const store_entry entry = {
        .game = text_of(row, 0),
        .stage = (uint8_t)number_of(row, 1),
        .created = number_of(row, 2),
        .number = (uint32_t)number_of(row, 3),
        .time = number_of(row, 4),
        .text = row->cells->bytes(row, 5),
        .wakes = number_of(row, 6),
        .left = number_of(row, 7),
    };
    return listener->each.entry(listener->context, &entry);
}

bool store_tell_game(const store_listener *listener, const store_row *row)
{
    return listener->each.game(listener->context, text_of(row, 0), (enum store_stage)number_of(row, 1),
                               number_of(row, 2));
}

bool store_fill_in_user(const store_listener *listener, const store_row *row)
{
    store_user *found = (store_user *)listener->context;
    found->user = (uint64_t)number_of(row, 0);
    snprintf(found->name, sizeof found->name, "%s", text_of(row, 1));
    snprintf(found->password, sizeof found->password, "%s", text_of(row, 2));
    found->created = number_of(row, 3);
    found->seen = number_of(row, 4);
    found->used = number_of(row, 5);
    found->ends = number_of(row, 6);
    found->banned = number_of(row, 7);
    found->silenced = number_of(row, 8);
    found->shown = (uint8_t)number_of(row, 9);
    return false; /* there is no other */
}

bool store_tell_guest(const store_listener *listener, const store_row *row)
{
    return listener->each.guest(listener->context, (uint64_t)number_of(row, 0), number_of(row, 1),
                                number_of(row, 2) != 0);
}

bool store_tell_login(const store_listener *listener, const store_row *row)
{
    store_login login = {
        .label = text_of(row, 1),
        .created = number_of(row, 2),
        .used = number_of(row, 3),
        .ends = number_of(row, 4),
    };
    const gral_span secret = row->cells->bytes(row, 0);
    if (secret.length == sizeof login.secret)
        memcpy(login.secret, secret.bytes, sizeof login.secret);
    return listener->each.login(listener->context, &login);
}

bool store_count_results(const store_listener *listener, const store_row *row)
{
    store_count((store_statistics *)listener->context, text_of(row, 0), (unsigned)number_of(row, 1),
                (enum store_result)number_of(row, 2), (uint32_t)number_of(row, 3));
    return true;
}

bool store_tell_rating(const store_listener *listener, const store_row *row)
{
    const store_rating rating = {
        .name = text_of(row, 0),
        .user = (uint64_t)number_of(row, 1),
        .class = (uint8_t)number_of(row, 2),
        .place = (uint8_t)number_of(row, 3),
        .strength = row->cells->real(row, 4),
        .doubt = row->cells->real(row, 5),
        .games = (uint32_t)number_of(row, 6),
        .time = number_of(row, 7),
        .shown = (uint8_t)number_of(row, 8),
    };
    return listener->each.rating(listener->context, &rating);
}

bool store_tell_unread(const store_listener *listener, const store_row *row)
{
    return listener->each.unread(listener->context, text_of(row, 0), number_of(row, 1) != 0);
}

bool store_tell_tally(const store_listener *listener, const store_row *row)
{
    const store_tally tally = {(uint32_t)number_of(row, 2), (uint32_t)number_of(row, 3), (uint32_t)number_of(row, 4)};
    return listener->each.tally(listener->context, text_of(row, 0), (uint8_t)number_of(row, 1), &tally);
}

bool store_tell_sum(const store_listener *listener, const store_row *row)
{
    return listener->each.sum(listener->context, text_of(row, 0), number_of(row, 1));
}

bool store_tell_played(const store_listener *listener, const store_row *row)
{
    const store_played played = {
        .game = text_of(row, 0),
        .time = number_of(row, 1),
        .class = (uint8_t)number_of(row, 2),
        .rules = text_of(row, 3),
        .players = (uint8_t)number_of(row, 4),
        .seat = (uint8_t)number_of(row, 5),
        .result = (uint8_t)number_of(row, 6),
        .name = text_of(row, 7),
        .other = (uint8_t)number_of(row, 8),
        .other_result = (uint8_t)number_of(row, 9),
    };
    return listener->each.played(listener->context, &played);
}

bool store_tell_shown(const store_listener *listener, const store_row *row)
{
    return listener->each.shown(listener->context, (uint8_t)number_of(row, 0), (uint8_t)number_of(row, 1));
}

bool store_tell_way(const store_listener *listener, const store_row *row)
{
    const store_way_row way = {
        .id = (uint64_t)number_of(row, 0),
        .way = (uint8_t)number_of(row, 1),
        .address = text_of(row, 2),
        .label = text_of(row, 3),
        .language = text_of(row, 4),
        .events = (uint8_t)number_of(row, 5),
        .digest = (uint8_t)number_of(row, 6),
        .confirmed = number_of(row, 7) != 0,
        .made = number_of(row, 8),
    };
    return listener->each.way(listener->context, &way);
}

bool store_tell_letter(const store_listener *listener, const store_row *row)
{
    const store_letter letter = {
        .id = (uint64_t)number_of(row, 0),
        .way_id = (uint64_t)number_of(row, 1),
        .event = (uint8_t)number_of(row, 2),
        .game = text_of(row, 3),
        .number = (uint32_t)number_of(row, 4),
        .other = (uint64_t)number_of(row, 5),
        .due = number_of(row, 6),
        .tries = (uint8_t)number_of(row, 7),
        .made = number_of(row, 8),
        .user = (uint64_t)number_of(row, 9),
        .way = (uint8_t)number_of(row, 10),
        .address = text_of(row, 11),
        .key = text_of(row, 12),
        .language = text_of(row, 13),
        .digest = (uint8_t)number_of(row, 14),
        .name = text_of(row, 15),
    };
    return listener->each.letter(listener->context, &letter);
}

bool store_fill_in_text(const store_listener *listener, const store_row *row)
{
    const store_filled_text *filled = (const store_filled_text *)listener->context;
    snprintf(filled->value, filled->room, "%s", text_of(row, 0));
    return false;
}

bool store_tell_signer(const store_listener *listener, const store_row *row)
{
    return listener->each.signer(listener->context, (uint32_t)number_of(row, 0), number_of(row, 1),
                                 row->cells->bytes(row, 2), row->cells->bytes(row, 3));
}

bool store_tell_tie(const store_listener *listener, const store_row *row)
{
    const store_tie tie = {
        .user = (uint64_t)number_of(row, 0),
        .other = (uint64_t)number_of(row, 1),
        .blocks = number_of(row, 2) != 0,
        .time = number_of(row, 3),
        .name = text_of(row, 4),
    };
    return listener->each.tie(listener->context, &tie);
}

bool store_tell_seen(const store_listener *listener, const store_row *row)
{
    return listener->each.seen(listener->context, (uint64_t)number_of(row, 0), (uint8_t)number_of(row, 1));
}

bool store_tell_invitation(const store_listener *listener, const store_row *row)
{
    const store_invitation invitation = {
        .user = (uint64_t)number_of(row, 0),
        .name = text_of(row, 1),
        .game = text_of(row, 2),
        .time = number_of(row, 3),
    };
    return listener->each.invitation(listener->context, &invitation);
}

/* --- lists, for people to read --- */

enum { COLUMNS_MAX = 8, CELL_MAX = 32 };
static const int64_t for_ever = INT64_C(32503680000000); /* the year 3000 */

static void put_time(char cell[CELL_MAX], int64_t time)
{
    struct tm parts;
    const time_t seconds = (time_t)(time / 1000);
    cell[0] = '\0';
    if (gmtime_r(&seconds, &parts) != NULL)
        strftime(cell, CELL_MAX, "%Y-%m-%d %H:%M", &parts);
}

static const char *put_cell(char cell[CELL_MAX], char sort, int64_t number)
{
    switch (sort) {
    case STORE_CELL_TIME:
        put_time(cell, number);
        break;
    case STORE_CELL_UNTIL:
        if (number == 0)
            return "";
        if (number >= for_ever)
            return "for ever";
        put_time(cell, number);
        break;
    case STORE_CELL_DAYS:
        snprintf(cell, CELL_MAX, "%.1f", (double)number / 86400000.0);
        break;
    default:
        snprintf(cell, CELL_MAX, "%" PRId64, number);
    }
    return cell;
}

bool store_tell_row(const store_listener *listener, const store_row *row)
{
    const char *column[COLUMNS_MAX];
    char cell[COLUMNS_MAX][CELL_MAX];
    const unsigned count = (unsigned)strlen(listener->columns);
    assert(count <= COLUMNS_MAX);
    for (unsigned at = 0; at < count; at++)
        column[at] = listener->columns[at] == STORE_CELL_TEXT
                         ? text_of(row, (int)at)
                         : put_cell(cell[at], listener->columns[at], number_of(row, (int)at));
    return listener->each.row(listener->context, column, count);
}
