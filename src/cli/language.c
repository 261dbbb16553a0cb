#include "language.h"

#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char domain[] = "gral";
static const char *const languages[] = {"en", "de", "fr", "it"};

/* The folder `po` beside the program, where the build puts the catalogues, or NULL. */
static const char *folder_beside_program(void)
{
    static char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof "/po");
    if (length <= 0)
        return NULL;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (slash == NULL)
        return NULL;
    strcpy(slash, "/po");
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode) ? path : NULL;
}

/* gettext translates in every locale but "C", and LANGUAGE says into what; so no locale of the language
 * itself needs to be installed. */
bool language_choose(const char *code)
{
    for (size_t index = 0; index < sizeof languages / sizeof *languages; index++) {
        if (strcmp(code, languages[index]) != 0)
            continue;
        setlocale(LC_CTYPE, "C.UTF-8");
        setlocale(LC_MESSAGES, "C.UTF-8");
        setenv("LANGUAGE", code, 1);
        const char *folder = folder_beside_program();
        bindtextdomain(domain, folder != NULL ? folder : GRAL_LOCALE_FOLDER);
        bind_textdomain_codeset(domain, "UTF-8");
        textdomain(domain);
        return true;
    }
    return false;
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
    const char *locale = first_set((const char *const[]){"LC_ALL", "LC_MESSAGES", "LANG", NULL});
    const char *wish = first_set((const char *const[]){"LANGUAGE", NULL});
    char code[3] = "en";
    if (strcmp(locale, "C") != 0 && strcmp(locale, "POSIX") != 0)
        snprintf(code, sizeof code, "%s", strcmp(wish, "C") != 0 ? wish : locale);
    if (!language_choose(code))
        language_choose("en");
}

const char *language_of(const char *words)
{
    return words[0] != '\0' ? gettext(words) : words;
}
