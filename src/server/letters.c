#include "server/letters.h"

#include "server/memory.h"
#include "server/news.h"
#include "tell/pen.h"
#include "translate.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- sentences with gaps --- */

static const char title[] = N_("The Hunt for the Grail");

typedef struct sentences {
    const char *subject, *text;
} sentences;

static const sentences words[] = {
    [STORE_TURN] = {N_("It's your turn"), N_("It's your turn at the table with {players}.")},
    [STORE_CLOCK] = {N_("Your time is running out"), N_("Your time is running out at the table with {players}.")},
    [STORE_INVITED] = {N_("You're invited"), N_("{player} invites you to a table.")},
    [STORE_ENDED] = {N_("Your game is over"), N_("Your game with {players} is over.")},
    [STORE_ROUND] = {N_("Your tournament game has begun"), N_("Your tournament game with {players} has begun.")},
    [STORE_CONFIRM] = {N_("Confirm your e-mail address"), N_("{player}, please confirm your e-mail address:")},
    [STORE_FORGOTTEN] = {N_("Choose a new password"), N_("Choose a new password for {player} here:")},
};

static const sentences of_tournaments[LETTER_ABOUTS] = {
    [LETTER_SOON] = {N_("Your tournament begins soon"), N_("The tournament “{title}” begins soon.")},
    [LETTER_OFF] = {N_("Your tournament is cancelled"), N_("The tournament “{title}” will not take place.")},
};

static const sentences *words_of(const letter_line *line)
{
    return line->about == LETTER_TABLE ? &words[line->event] : &of_tournaments[line->about];
}

static const char gathered[] = N_("News from your tables");
static const char nobody_else[] = N_("computer players");
static const char if_not_asked[] = N_(
    "The link works for one day. If you didn't ask for this, just ignore this message.");
static const char if_not_forgotten[] = N_("The link works once, for one hour. If you didn't ask for this, just ignore "
                                          "this message: your password stays as it is.");
static const char to_stop[] = N_("Unsubscribe:");
static const char to_choose[] = N_("Choose your notifications:");
static const char stop_it[] = N_("Unsubscribe");

static const char *say(const letter *letter, const char *english)
{
    return letter->translate(letter->language, english);
}

/* Every gap is for the names. */
static void put_filled(FILE *out, const char *sentence, const char *names)
{
    const char *gap = strchr(sentence, '{'), *end = gap != NULL ? strchr(gap, '}') : NULL;
    if (end == NULL) {
        fputs(sentence, out);
        return;
    }
    fprintf(out, "%.*s%s%s", (int)(gap - sentence), sentence, names, end + 1);
}

static void put_line(FILE *out, const letter *letter, const letter_line *line)
{
    const char *names = line->names[0] != '\0' ? line->names : say(letter, nobody_else);
    put_filled(out, say(letter, words_of(line)->text), line->event >= STORE_EVENTS ? letter->name : names);
}

/* --- a mail --- */

enum {
    BASE64 = sodium_base64_VARIANT_ORIGINAL,
    WORD_BYTES = 45, /* of a subject in one encoded word: 60 letters */
    LINE_BYTES = 54, /* of a body in one line: 72 letters */
};

static void put_base64(FILE *out, const char *bytes, size_t length)
{
    char text[sodium_base64_ENCODED_LEN(LINE_BYTES, BASE64)];
    fputs(sodium_bin2base64(text, sizeof text, (const uint8_t *)bytes, length, BASE64), out);
}

static bool is_inside_letter(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* As headers have it (RFC 2047): pieces that end with a whole letter. */
static void put_words(FILE *out, const char *text)
{
    for (size_t left = strlen(text), length; left > 0; text += length, left -= length) {
        length = left < WORD_BYTES ? left : WORD_BYTES;
        while (length < left && is_inside_letter(text[length]))
            length--;
        fputs("=?UTF-8?B?", out);
        put_base64(out, text, length);
        fputs(length < left ? "?=\r\n " : "?=", out);
    }
}

static void put_date(FILE *out, int64_t milliseconds)
{
    char text[64];
    const time_t seconds = (time_t)(milliseconds / 1000);
    struct tm parts;
    strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S +0000", gmtime_r(&seconds, &parts));
    fprintf(out, "Date: %s\r\n", text);
}

static bool can_be_stopped(const letter *letter)
{
    return letter->line[0].event < STORE_EVENTS;
}

static void put_head(FILE *out, const letter *letter)
{
    const char *at = strchr(letter->from, '@');
    fputs("From: ", out);
    put_words(out, say(letter, title));
    fprintf(out, " <%s>\r\nTo: <%s>\r\nSubject: ", letter->from, letter->to);
    put_words(out, say(letter, letter->count > 1 ? gathered : words_of(letter->line)->subject));
    fputs("\r\n", out);
    put_date(out, letter->time);
    fprintf(out, "Message-ID: <gral-%llu-%u%s>\r\n", (unsigned long long)letter->id, letter->number,
            at != NULL ? at : "@localhost");
    if (can_be_stopped(letter))
        fprintf(out,
                "List-Unsubscribe: <%s/api/stop/%s>\r\n"
                "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n",
                letter->site, letter->token);
    fprintf(out,
            "Auto-Submitted: auto-generated\r\nContent-Language: %s\r\nMIME-Version: 1.0\r\n"
            "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n",
            letter->language);
}

static void put_text(FILE *out, const letter *letter)
{
    for (unsigned at = 0; at < letter->count; at++) {
        const letter_line *line = &letter->line[at];
        put_line(out, letter, line);
        if (line->event < STORE_EVENTS)
            fprintf(out, "\n%s/%s%s\n\n", letter->site, line->about == LETTER_TABLE ? "t/" : "#/tournament/",
                    line->game);
        else
            fprintf(out, "\n%s/#/%s/%s\n\n", letter->site, line->event == STORE_CONFIRM ? "confirm" : "recover",
                    letter->token);
    }
    if (can_be_stopped(letter))
        fprintf(out, "-- \n%s %s/#/stop/%s\n%s %s/#/account\n", say(letter, to_stop), letter->site, letter->token,
                say(letter, to_choose), letter->site);
    else
        fprintf(out, "%s\n", say(letter, letter->line[0].event == STORE_CONFIRM ? if_not_asked : if_not_forgotten));
}

typedef void put(FILE *out, const letter *letter);

static char *print(put *put, const letter *letter, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (out == NULL)
        abort();
    put(out, letter);
    fclose(out);
    return text;
}

static void put_mail(FILE *out, const letter *letter)
{
    size_t length;
    char *text = print(put_text, letter, &length);
    put_head(out, letter);
    for (size_t at = 0; at < length; at += LINE_BYTES) {
        put_base64(out, text + at, length - at < LINE_BYTES ? length - at : LINE_BYTES);
        fputs("\r\n", out);
    }
    free(text);
}

char *letter_as_mail(const letter *letter, size_t *length)
{
    return print(put_mail, letter, length);
}

/* --- a message for the browser --- */

static void put_sentence(FILE *out, const letter *letter)
{
    if (letter->count > 1)
        fputs(say(letter, gathered), out);
    else
        put_line(out, letter, letter->line);
}

char *letter_as_push(const letter *letter, size_t *length)
{
    pen pen = {0};
    size_t ignored;
    char *text = print(put_sentence, letter, &ignored);
    pen_begin(&pen, '{');
    pen_put_words(&pen, "event", news_names[letter->line[0].event]);
    const bool of_table = letter->line[0].about == LETTER_TABLE;
    pen_put_words(&pen, "table", letter->count > 1 || !of_table ? "" : letter->line[0].game);
    if (letter->count == 1 && !of_table)
        pen_put_words(&pen, "tournament", letter->line[0].game);
    pen_put_words(&pen, "title", say(letter, title));
    pen_put_words(&pen, "text", text);
    pen_put_words(&pen, "stop", say(letter, stop_it));
    pen_put_words(&pen, "token", letter->token);
    pen_end(&pen, '}');
    free(text);
    const gral_span span = pen_span(&pen);
    char *copy = memory_get(span.length + 1);
    memcpy(copy, span.bytes, span.length);
    *length = span.length;
    pen_free(&pen);
    return copy;
}
