/* The user's language: English in the source, the others in po/.
 *
 * The catalogues are gettext's, but they are part of the program and looked up here: the C library translates only in a
 * locale that is installed, and since glibc 2.39 it no longer counts C.UTF-8 as one. */
#ifndef GRAL_TERMINAL_LANGUAGE_H
#define GRAL_TERMINAL_LANGUAGE_H

#include "translate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define _(words) language_of(words)

/* Speaks the language that the environment asks for (LC_ALL, LC_MESSAGES, LANG, and LANGUAGE before them). */
void language_from_environment(void);

/* Speaks this one: "en", "de", "fr" or "it". False when it is none of these. */
bool language_choose(const char *code);

/* The words in the language that is spoken, or as they are when its catalogue does not have them. */
__attribute__((format_arg(1))) const char *language_of(const char *words);

/* In another language than the one that is spoken: for whoever is elsewhere. On any thread. */
const char *language_in(const char *code, const char *words);

/* The same for words that depend on how many there are. */
const char *language_of_number(const char *one, const char *many, unsigned count);

/* The catalogues, made by tools/bytes of what msgfmt makes of po/. */
extern const uint8_t language_de_bytes[], language_fr_bytes[], language_it_bytes[];

#endif
