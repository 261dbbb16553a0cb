/* The referee: a game driven by lines of text. A line in, an answer out; no stream in it, so that
 * tests and the fuzzer use the very same thing. */
#ifndef GRAL_CLI_REFEREE_H
#define GRAL_CLI_REFEREE_H

#include "gral/record.h"
#include "terminal/files.h"

typedef struct referee {
    const files *files;
    bool playing;
    gral_game game;
    gral_state state;
    gral_record record;
} referee;

/* Room for any answer. */
enum { REFEREE_ANSWER_MAX = 2 * GRAL_STATE_TEXT_MAX };

referee referee_begin(const files *files);
void referee_end(referee *referee);

/* Does one line and writes the whole answer, with its last line "ok" or "error: …"; nothing for an
 * empty line or a comment. After an error the game is as it was. */
void referee_answer(referee *referee, gral_span line, gral_text *answer);

#endif
