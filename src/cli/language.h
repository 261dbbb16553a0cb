/* The user's language: English in the source, the others in po/.
 *
 * The catalogues are found beside the program in a build folder, else where they were installed. They are
 * always read as UTF-8, and need no locale of the language itself on the machine: C.UTF-8 will do. */
#ifndef GRAL_CLI_LANGUAGE_H
#define GRAL_CLI_LANGUAGE_H

#include <libintl.h>
#include <stdbool.h>

#define _(words)  gettext(words)
#define N_(words) words /* to be found by xgettext, translated where it is shown */

/* Speaks the language that the environment asks for (LC_ALL, LC_MESSAGES, LANG, and LANGUAGE before them). */
void language_from_environment(void);

/* Speaks this one: "en", "de", "fr" or "it". False when it is none of these. */
bool language_choose(const char *code);

/* Text of somebody else's that may be empty: gettext("") would answer with the head of the catalogue. */
const char *language_of(const char *words);

#endif
