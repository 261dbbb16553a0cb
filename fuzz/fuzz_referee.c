/* Any bytes as the referee's input: an answer to every line, and after an error the game is as it
 * was, byte for byte. */
#include "cli/referee.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds)
{
    if (!holds)
        abort();
}

static void check_line(referee *referee, gral_span line)
{
    static char bytes[REFEREE_ANSWER_MAX];
    const struct referee before = *referee;
    gral_text answer = gral_text_in(bytes, sizeof bytes);
    referee_answer(referee, line, &answer);
    expect(answer.length < sizeof bytes);
    if (answer.length == 0 || strncmp(bytes, "error: ", 7) == 0) {
        expect(memcmp(&before.state, &referee->state, sizeof before.state) == 0);
        expect(before.record.count == referee->record.count && before.playing == referee->playing);
        expect(answer.length == 0 || strchr(bytes, '\n') == bytes + answer.length - 1); /* one line */
    } else {
        expect(answer.length >= 3 && strcmp(bytes + answer.length - 3, "ok\n") == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    referee referee = referee_begin(&no_files);
    const char *bytes = (const char *)data;
    while (size > 0) {
        const char *end = memchr(bytes, '\n', size);
        const size_t length = end != NULL ? (size_t)(end - bytes) : size;
        check_line(&referee, (gral_span){bytes, length});
        bytes += length;
        size -= length;
        if (size > 0) {
            bytes++;
            size--;
        }
    }
    referee_end(&referee);
    return 0;
}
