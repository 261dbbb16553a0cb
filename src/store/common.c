#include "store/common.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const uint64_t last_user = (UINT64_C(1) << 53) - 1; /* the last that JavaScript can count */

bool store_say(gral_error *error, const char *format, ...)
{
    if (error == NULL)
        return false;
    *error = (gral_error){0};
    va_list words;
    va_start(words, format);
    vsnprintf(error->message, sizeof error->message, format, words);
    va_end(words);
    return false;
}

enum need { GAME = 1, USER = 2, NAME = 4, PASSWORD = 8, STAGE = 16, RESULT = 32, OTHER = 64, ADDRESS = 128 };

static const uint8_t needs[] = {
    [STORE_NEW_GAME] = GAME,
    [STORE_RENEW_GAME] = GAME,
    [STORE_SLEEP] = GAME,
    [STORE_WAKE] = GAME,
    [STORE_CLEAR_GAME] = GAME,
    [STORE_APPEND] = GAME,
    [STORE_SET_STAGE] = GAME | STAGE,
    [STORE_SIT] = GAME | USER,
    [STORE_RISE] = GAME,
    [STORE_RESULT] = GAME | USER | RESULT,
    [STORE_NEW_USER] = USER | NAME | PASSWORD,
    [STORE_SET_USER] = USER | NAME | PASSWORD,
    [STORE_RENAME] = USER | NAME,
    [STORE_SET_PASSWORD] = USER | PASSWORD,
    [STORE_DELETE_USER] = USER,
    [STORE_NEW_SESSION] = USER,
    [STORE_NEW_DEVICE] = USER,
    [STORE_TOUCH] = 0,
    [STORE_END_SESSION] = 0,
    [STORE_END_TOKENS] = USER,
    [STORE_END_OTHERS] = USER,
    [STORE_END_UNUSED] = 0,
    [STORE_END_OVERDUE] = 0,
    [STORE_CLEAR_GUEST] = USER,
    [STORE_READ_LATER] = GAME,
    [STORE_READ] = GAME,
    [STORE_RATED] = GAME,
    [STORE_RATE] = GAME | USER,
    [STORE_PLAYED] = GAME | USER | RESULT,
    [STORE_SHOW] = USER,
    [STORE_BAN] = USER,
    [STORE_SILENCE] = USER,
    [STORE_BAR] = NAME,
    [STORE_UNBAR] = NAME,
    [STORE_ADD_WORD] = NAME,
    [STORE_DROP_WORD] = NAME,
    [STORE_REPORT] = USER | GAME,
    [STORE_REPORT_DONE] = 0,
    [STORE_AUDIT] = 0,
    [STORE_CLEAR_LOGS] = 0,
    [STORE_WANT] = USER | OTHER,
    [STORE_UNTIE] = USER | OTHER,
    [STORE_BLOCK] = USER | OTHER,
    [STORE_UNBLOCK] = USER | OTHER,
    [STORE_SEEN] = USER,
    [STORE_INVITE] = USER | OTHER | GAME,
    [STORE_UNINVITE] = USER | GAME,
    [STORE_NEW_WAY] = USER | ADDRESS,
    [STORE_SET_WAY] = USER,
    [STORE_END_WAY] = 0,
    [STORE_STOP_WAY] = 0,
    [STORE_CONFIRM_WAY] = 0,
    [STORE_LETTER] = USER | GAME | STAGE,
    [STORE_LETTERS_SEEN] = USER | GAME,
    [STORE_LETTER_GOES] = 0,
    [STORE_LETTER_DONE] = 0,
    [STORE_LETTER_LATER] = 0,
    [STORE_RECOVER] = ADDRESS,
    [STORE_RECOVERED] = USER,
    [STORE_CLEAR_LETTERS] = 0,
    [STORE_NEW_TOURNAMENT] = GAME,
    [STORE_TOURNAMENT] = GAME,
    [STORE_ENTER] = GAME | USER,
    [STORE_TOURNAMENT_OVER] = GAME,
    [STORE_CLEAR_TOURNAMENT] = GAME,
    [STORE_SET_SECRET] = NAME,
    [STORE_NEW_SIGNER] = 0,
};
static_assert(sizeof needs / sizeof *needs == STORE_WRITE_KINDS, "every kind says what it needs");

static const char *what_is_wrong(const store_write *write)
{
    if (write->kind >= STORE_WRITE_KINDS)
        return "there is no such kind of write";
    const unsigned need = needs[write->kind];
    if ((need & GAME) && (write->game == NULL || write->game[0] == '\0'))
        return "it names no game";
    if ((need & USER) && (write->user == 0 || write->user > last_user))
        return "the user's number is out of range";
    if ((need & OTHER) && (write->other == 0 || write->other > last_user || write->other == write->user))
        return "the other user's number is out of range";
    /* Nobody but somebody deleted has no name. */
    if ((need & NAME) && (write->name == NULL || write->name[0] == '\0'))
        return "it has no name";
    if ((need & NAME) && strlen(write->name) >= sizeof((store_user *)0)->name)
        return "the name is too long";
    if ((need & ADDRESS) && (write->name == NULL || write->name[0] == '\0'))
        return "it has no address";
    if ((need & PASSWORD) && write->password != NULL && strlen(write->password) >= sizeof((store_user *)0)->password)
        return "the password's hash is too long";
    if ((need & STAGE) && write->stage >= STORE_STAGES)
        return "there is no such stage";
    if ((need & RESULT) && (write->result >= STORE_RESULTS || write->players > GRAL_PLAYERS_MAX))
        return "there is no such result";
    return NULL;
}

bool store_writes_make_sense(const store_write *writes, size_t count, gral_error *error)
{
    for (size_t index = 0; index < count; index++) {
        const char *wrong = what_is_wrong(&writes[index]);
        if (wrong != NULL)
            return store_say(error, "write %zu of %zu: %s", index + 1, count, wrong);
    }
    return true;
}

uint64_t store_mark(const char *text)
{
    uint64_t mark = UINT64_C(14695981039346656037);
    for (; *text != '\0'; text++)
        mark = (mark ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return mark;
}

size_t store_unit_end(const store_write *writes, size_t count, size_t first)
{
    size_t end = first + 1;
    while (end < count && writes[end].follows)
        end++;
    return end;
}

void store_set_outcome(store_write *writes, size_t count, enum store_outcome outcome)
{
    for (size_t index = 0; index < count; index++)
        writes[index].outcome = outcome;
}

static void add(store_tally *tally, enum store_result result, uint32_t games)
{
    tally->games += games;
    tally->won += result == STORE_WON ? games : 0;
    tally->drawn += result == STORE_DRAWN ? games : 0;
}

void store_count(store_statistics *statistics, const char *rules, unsigned players, enum store_result result,
                 uint32_t games)
{
    add(&statistics->all, result, games);
    if (strcmp(rules, "original") == 0)
        add(&statistics->original, result, games);
    else if (strcmp(rules, "standard") == 0 && players <= GRAL_PLAYERS_MAX)
        add(&statistics->players[players], result, games);
}
