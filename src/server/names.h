/* The names of people: what may be one, and which look alike. */
#ifndef GRAL_SERVER_NAMES_H
#define GRAL_SERVER_NAMES_H

#include "gral/notation.h"

enum { NAME_CHARACTERS_MIN = 2, NAME_CHARACTERS_MAX = 24, NAME_BYTES_MAX = 128, NAME_KEY_MAX = 512 };

/* The name in its normal form, and its key: names that a reader could take for each other have the same one. Where it
 * may not be a name, false, and `why` is a sentence without a full stop. */
bool name_read(gral_span text, char name[NAME_BYTES_MAX], char key[NAME_KEY_MAX], const char **why);

/* Whether everybody sees what it says: a letter or digit is in it, and nothing invisible or that turns what follows. */
bool name_is_seen(gral_span line);

/* Blanks, as many bytes, stand for what nobody sees and a terminal may obey. */
void name_tame(char *text);

/* The letters and digits of a text, case and accents gone, with one blank between words; false where it has no room. */
bool name_fold(gral_span text, char *folded, size_t room);

#endif
