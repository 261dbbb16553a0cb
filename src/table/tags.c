/* Tags of records that a table and a host both write. */
#include "host_parts.h"

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
