/* What a table and a host do alike: the tags of their records, and the seeds of their questions. */
#include "shared.h"

#include "gral/random.h"

const char tag_person[] = "human", tag_computer[] = "program";

void tag_add(gral_text *text, const char *name, const char *value)
{
    gral_text_add(text, "[");
    gral_text_add(text, name);
    gral_text_add(text, " \"");
    for (; *value != '\0'; value++) {
        if (*value == '"' || *value == '\\')
            gral_text_add(text, "\\");
        gral_text_add_bytes(text, value, 1);
    }
    gral_text_add(text, "\"]\n");
}

void tag_of_seat(char name[TAG_MAX], unsigned seat, const char *after)
{
    gral_text text = gral_text_in(name, TAG_MAX);
    gral_text_add(&text, "Player");
    gral_text_add_number(&text, seat + 1);
    gral_text_add(&text, after);
}

/* The seed of a question depends on nothing that the seat has not heard: counted over the whole history, it would
 * change with the number of units that others place in secret (R10.2). */
uint64_t seed_of_question(uint64_t seed, unsigned seat, size_t heard)
{
    gral_random random = gral_random_from(seed);
    random.state ^= gral_random_next(&random) * (heard * GRAL_PLAYERS_MAX + seat + 1);
    return gral_random_next(&random);
}
