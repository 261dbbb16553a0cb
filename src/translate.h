/* A sentence that xgettext is to find; whoever shows it translates it. */
#ifndef GRAL_TRANSLATE_H
#define GRAL_TRANSLATE_H

#define N_(words) words

#endif
