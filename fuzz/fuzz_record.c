/* Any bytes as a record: refused with a place and a reason, or a game that prints, parses and
 * prints to the same text. */
#include "gral/record.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds)
{
    if (!holds)
        abort();
}

static char *print(const gral_record *record)
{
    gral_text measure = gral_text_in((char[1]){0}, 1);
    gral_record_print(&measure, record);
    char *bytes = malloc(measure.length + 1);
    expect(bytes != NULL);
    gral_text text = gral_text_in(bytes, measure.length + 1);
    gral_record_print(&text, record);
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gral_record record, again;
    gral_error error = {0};
    if (!gral_record_parse((gral_span){(const char *)data, size}, &record, &error)) {
        expect(error.line > 0 && error.column > 0 && error.message[0] != '\0');
        return 0;
    }
    char *words = print(&record);
    expect(gral_record_parse(gral_span_of(words), &again, &error));
    char *words_again = print(&again);
    expect(strcmp(words, words_again) == 0);
    free(words);
    free(words_again);
    gral_record_free(&record);
    gral_record_free(&again);
    return 0;
}
