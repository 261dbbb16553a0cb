#include "language.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct language {
    const char *code;
    const uint8_t *catalogue; /* NULL: the source's own language */
    bool none_is_one;         /* "0 point", as in French */
} languages[] = {
    {"en", NULL, false},
    {"de", language_de_bytes, false},
    {"fr", language_fr_bytes, true},
    {"it", language_it_bytes, false},
};

static const struct language *spoken = languages;

static const struct language *language_called(const char *code)
{
    for (size_t index = 0; index < sizeof languages / sizeof *languages; index++)
        if (strcmp(code, languages[index].code) == 0)
            return &languages[index];
    return NULL;
}

bool language_choose(const char *code)
{
    const struct language *chosen = language_called(code);
    spoken = chosen != NULL ? chosen : spoken;
    return chosen != NULL;
}

static const char *first_set(const char *const names[])
{
    for (; *names != NULL; names++) {
        const char *value = getenv(*names);
        if (value != NULL && value[0] != '\0')
            return value;
    }
    return "C";
}

void language_from_environment(void)
{
    setlocale(LC_CTYPE, "C.UTF-8"); /* our texts are UTF-8, whatever the environment says */
    setlocale(LC_MESSAGES, "");     /* for what is not ours: the system's errors */
    const char *locale = first_set((const char *const[]){"LC_ALL", "LC_MESSAGES", "LANG", NULL});
    const char *wish = first_set((const char *const[]){"LANGUAGE", NULL});
    char code[3] = "en";
    if (strcmp(locale, "C") != 0 && strcmp(locale, "POSIX") != 0)
        snprintf(code, sizeof code, "%s", strcmp(wish, "C") != 0 ? wish : locale);
    language_choose(code);
}

/* A catalogue begins with numbers of four bytes; the third is how many texts it has, the two after it say where the
 * places of the English and of the translated texts are noted. A place is two numbers, the length and where the text
 * begins. The English is sorted, and every text ends with a zero. */
enum { CATALOGUE_COUNT = 2, CATALOGUE_ENGLISH, CATALOGUE_TRANSLATED };

static uint32_t number_at(const struct language *language, size_t byte)
{
    uint32_t number;
    memcpy(&number, language->catalogue + byte, sizeof number);
    return number;
}

static const char *text_at(const struct language *language, unsigned table, uint32_t index)
{
    const size_t place = number_at(language, table * sizeof(uint32_t)) + index * 2 * sizeof(uint32_t);
    return (const char *)language->catalogue + number_at(language, place + sizeof(uint32_t));
}

/* NULL when the catalogue does not have it. Words with a plural are found by their singular. */
static const char *find(const struct language *language, const char *english)
{
    if (language->catalogue == NULL || english[0] == '\0') /* the translation of nothing is the catalogue's head */
        return NULL;
    uint32_t low = 0, high = number_at(language, CATALOGUE_COUNT * sizeof(uint32_t));
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = strcmp(english, text_at(language, CATALOGUE_ENGLISH, middle));
        if (order == 0)
            return text_at(language, CATALOGUE_TRANSLATED, middle);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const char *language_of(const char *words)
{
    const char *translated = find(spoken, words);
    return translated != NULL ? translated : words;
}

const char *language_in(const char *code, const char *words)
{
    const struct language *language = language_called(code);
    const char *translated = language != NULL ? find(language, words) : NULL;
    return translated != NULL ? translated : words;
}

const char *language_of_number(const char *one, const char *many, unsigned count)
{
    const bool is_one = count == 1 || (count == 0 && spoken->none_is_one);
    const char *translated = find(spoken, one);
    if (translated == NULL)
        return is_one ? one : many;
    return is_one ? translated : translated + strlen(translated) + 1; /* the plural follows it */
}
