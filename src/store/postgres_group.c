#include "store/postgres_group.h"

#include "store/common.h"
#include "store/postgres_words.h"
#include "store/store_hints.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- one write --- */

static void put_hex(FILE *out, gral_span bytes)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t at = 0; at < bytes.length; at++) {
        putc_unlocked(digits[(unsigned char)bytes.bytes[at] >> 4], out);
        putc_unlocked(digits[(unsigned char)bytes.bytes[at] & 15], out);
    }
}

static void put_value(FILE *out, const store_write *write, const store_parameter *parameter)
{
    fprintf(out, ",\"%s\":", parameter->name);
    switch (parameter->sort) {
    case SORT_REAL:
        fprintf(out, "%.17g", *(const double *)((const char *)write + parameter->at));
        break;
    case SORT_TEXT:
    case SORT_SECRET:
        fputc('"', out);
        put_hex(out, store_text_in(write, parameter));
        fputc('"', out);
        break;
    case SORT_WORDS:
    case SORT_MAYBE: {
        const gral_span text = store_text_in(write, parameter);
        if (text.bytes == NULL) {
            fputs("null", out);
            break;
        }
        fputc('"', out);
        postgres_put_text(out, text.bytes, POSTGRES_QUOTED_IN_JSON);
        fputc('"', out);
        break;
    }
    default:
        fprintf(out, "%" PRId64, store_number_in(write, parameter));
    }
}

static void put_write(FILE *out, const store_write *write, unsigned unit)
{
    fprintf(out, "{\"kind\":%u,\"unit\":%u", write->kind, unit);
    const store_parameter *put[STORE_PARAMETERS_MAX];
    const unsigned count = store_parameters_of(write->kind, put);
    for (unsigned at = 0; at < count; at++)
        put_value(out, write, put[at]);
    if (write->fence > 0)
        fprintf(out, ",\"%s\":%" PRIu64, write->leads ? "world" : "fence", write->fence);
    fputc('}', out);
}

/* --- all of them --- */

static int by_game(const void *one, const void *other)
{
    const store_write *const *left = one, *const *right = other;
    const int order = strcmp((*left)->game, (*right)->game);
    return order != 0 ? order : (*left > *right) - (*left < *right);
}

/* A unit can be written with others if it has entries of one game and nothing else. */
static void mark_units(const store_write *writes, size_t count, enum postgres_entry *entry)
{
    for (size_t first = 0, end; first < count; first = end) {
        end = store_unit_end(writes, count, first);
        bool alike = true;
        for (size_t index = first; index < end; index++)
            alike = alike && writes[index].kind == STORE_APPEND && !(writes[index].fence > 0 && writes[index].leads) &&
                    strcmp(writes[index].game, writes[first].game) == 0;
        for (size_t index = first; index < end; index++)
            entry[index] = alike ? POSTGRES_FIRST : POSTGRES_OTHER;
    }
}

/* And only if that unit is all there is about the game, with numbers one after the other. */
static void mark_games(const store_write *writes, const store_write **sorted, size_t count, enum postgres_entry *entry)
{
    for (size_t first = 0, end; first < count; first = end) {
        bool alike = true;
        for (end = first; end < count && strcmp(sorted[end]->game, sorted[first]->game) == 0; end++)
            alike = alike && entry[sorted[end] - writes] != POSTGRES_OTHER && (end == first || sorted[end]->follows) &&
                    sorted[end]->number == sorted[first]->number + (uint32_t)(end - first);
        for (size_t index = first; index < end; index++)
            entry[sorted[index] - writes] = !alike ? POSTGRES_OTHER : index == first ? POSTGRES_FIRST : POSTGRES_NEXT;
    }
}

static bool begins_with_entry(const postgres_group *group, size_t first)
{
    return group->entry[first] == POSTGRES_OTHER && group->writes[first].kind == STORE_APPEND;
}

/* Of the others, units that begin with an entry are taken by their games, as all servers do it: whoever waits for
 * another has nothing that the other waits for. The rest stays where it is. */
static void put_in_order(postgres_group *group, const store_write **sorted)
{
    const store_write *writes = group->writes;
    size_t found = 0, next = 0, at = 0, first;
    for (first = 0; first < group->count; first = store_unit_end(writes, group->count, first))
        if (begins_with_entry(group, first))
            sorted[found++] = &writes[first];
    qsort(sorted, found, sizeof *sorted, by_game);
    for (first = 0; first < group->count; first = store_unit_end(writes, group->count, first)) {
        const size_t unit = begins_with_entry(group, first) ? (size_t)(sorted[next++] - writes) : first;
        const size_t end = store_unit_end(writes, group->count, unit);
        for (size_t index = unit; index < end; index++)
            group->order[at++] = index;
    }
}

static bool look_through(postgres_group *group)
{
    const store_write **sorted = malloc(group->count * sizeof *sorted);
    group->entry = malloc(group->count * sizeof *group->entry);
    group->order = malloc(group->count * sizeof *group->order);
    const bool good = sorted != NULL && group->entry != NULL && group->order != NULL;
    size_t games = 0;
    for (size_t index = 0; good && index < group->count; index++)
        if (group->writes[index].game != NULL)
            sorted[games++] = &group->writes[index];
    if (good) {
        mark_units(group->writes, group->count, group->entry);
        qsort(sorted, games, sizeof *sorted, by_game);
        mark_games(group->writes, sorted, games, group->entry);
        put_in_order(group, sorted);
    }
    free(sorted);
    return good;
}

/* --- the arguments of the function --- */

/* A write, with what it is among the others of its group. */
typedef struct place {
    const store_write *write;
    enum postgres_entry entry;
    unsigned unit;
} place;

static bool is_entry(const place *place)
{
    return place->entry != POSTGRES_OTHER;
}

static bool is_other(const place *place)
{
    return place->entry == POSTGRES_OTHER;
}

static bool is_held(const place *place)
{
    return is_entry(place) && place->write->fence > 0;
}

static void put_other(FILE *out, const place *place)
{
    put_write(out, place->write, place->unit);
}

static void put_game(FILE *out, const place *place)
{
    fputc('"', out);
    postgres_put_text(out, place->write->game, POSTGRES_QUOTED_IN_ARRAY);
    fputc('"', out);
}

static void put_number(FILE *out, const place *place)
{
    fprintf(out, "%" PRIu32, place->write->number);
}

static void put_time(FILE *out, const place *place)
{
    fprintf(out, "%" PRId64, place->write->time);
}

static void put_entry(FILE *out, const place *place)
{
    fputs("\"\\\\x", out);
    put_hex(out, place->write->text);
    fputc('"', out);
}

static void put_first(FILE *out, const place *place)
{
    fputc(place->entry == POSTGRES_FIRST ? 't' : 'f', out);
}

static void put_fence(FILE *out, const place *place)
{
    fprintf(out, "%" PRIu64, place->write->fence);
}

/* Each argument is a list: of which writes, and what of them. */
static const struct {
    char marks[3]; /* around it */
    bool (*is_meant)(const place *place);
    void (*put)(FILE *out, const place *place);
} lists[] = {
    {"[]", is_other, put_other}, {"{}", is_entry, put_game},  {"{}", is_entry, put_number}, {"{}", is_entry, put_time},
    {"{}", is_entry, put_entry}, {"{}", is_entry, put_first}, {"{}", is_held, put_game},    {"{}", is_held, put_fence},
};
enum { HINTS = sizeof lists / sizeof *lists };
static_assert(HINTS + 1 == POSTGRES_ARGUMENTS, "and what others are told");

static char *list_of(const postgres_group *group, unsigned argument)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    char before = lists[argument].marks[0];
    place place = {.unit = 0};
    for (size_t at = 0; at < group->count; at++) {
        const size_t index = group->order[at];
        place.write = &group->writes[index];
        place.entry = group->entry[index];
        place.unit += index == 0 || !place.write->follows;
        if (lists[argument].is_meant(&place)) {
            fputc(before, out);
            lists[argument].put(out, &place);
            before = ',';
        }
    }
    fputs(before == ',' ? lists[argument].marks + 1 : lists[argument].marks, out);
    return postgres_close_text(out, &text);
}

bool postgres_group_make(postgres_group *group, store_write *writes, size_t count, const char *from)
{
    *group = (postgres_group){.writes = writes, .count = count};
    if (!look_through(group))
        return false;
    for (unsigned at = 0; at < HINTS; at++)
        group->argument[at] = list_of(group, at);
    postgres_array hints;
    postgres_begin_array(&hints);
    bool all = store_hints_of(from, writes, count, postgres_add_to_array, &hints);
    group->argument[HINTS] = postgres_end_array(&hints);
    for (unsigned at = 0; at < POSTGRES_ARGUMENTS; at++)
        all = all && group->argument[at] != NULL;
    return all;
}

void postgres_group_free(postgres_group *group)
{
    for (unsigned at = 0; at < POSTGRES_ARGUMENTS; at++)
        free(group->argument[at]);
    free(group->entry);
    free(group->order);
}

/* --- what became of it --- */

/* The next of some numbers, which have commas between them; false, and -1, where there is none. */
static bool next_number(const char **numbers, long *number)
{
    char *end;
    *number = strtol(*numbers, &end, 10);
    if (end == *numbers) {
        *number = -1;
        return false;
    }
    *numbers = *end == ',' ? end + 1 : end;
    return true;
}

bool postgres_group_read(const postgres_group *group, const char *outcomes)
{
    const char *left_out = strchr(outcomes, ';');
    long one, entry = 0, refused;
    bool in_conflict = false;
    if (left_out == NULL)
        return false;
    left_out++;
    next_number(&left_out, &refused);
    for (size_t at = 0; at < group->count; at++) {
        const size_t index = group->order[at];
        if (group->entry[index] == POSTGRES_OTHER) {
            if (!next_number(&outcomes, &one))
                return false;
        } else {
            if (group->entry[index] == POSTGRES_FIRST)
                in_conflict = entry == refused;
            if (entry++ == refused)
                next_number(&left_out, &refused);
            one = in_conflict ? -1 : 0;
        }
        group->writes[index].outcome = one < 0 ? STORE_CONFLICT : STORE_DONE;
        group->writes[index].ended = one > 0 ? (uint32_t)one : 0;
    }
    return outcomes[0] == ';' && left_out[0] == '\0';
}
