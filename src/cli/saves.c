#include "saves.h"

#include "store/store.h"
#include "terminal/files.h"
#include "terminal/language.h"
#include "terminal/play.h"

#include "gral/record.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* 2026-11-15-203015.gral, or with a number if it is taken. */
bool saves_new(char path[PATH_MAX])
{
    char when[32], name[48];
    gral_error error;
    const time_t now = time(NULL);
    struct tm local;
    strftime(when, sizeof when, "%Y-%m-%d-%H%M%S", localtime_r(&now, &local));
    for (unsigned number = 1; number < 1000; number++) {
        char more[8] = "";
        if (number > 1)
            snprintf(more, sizeof more, "-%u", number);
        snprintf(name, sizeof name, "%s%s.gral", when, more);
        if (!store_place(path, PATH_MAX, name, false, &error))
            return false;
        if (!file_is_there(path))
            return store_place(path, PATH_MAX, name, true, &error);
    }
    return false;
}

/* --- those that are there --- */

typedef struct save {
    char path[PATH_MAX];
    time_t played;
    gral_record record;
    gral_open open; /* as it stands */
} save;

typedef struct saves {
    save *save;
    size_t count;
} saves;

static bool is_unfinished(const save *save)
{
    return save->open.phase != GRAL_OVER;
}

static bool read_save(const char *folder, const char *name, save *save)
{
    struct stat status;
    size_t length = 0;
    const char *why;
    gral_error error;
    if (snprintf(save->path, sizeof save->path, "%s%s", folder, name) >= (int)sizeof save->path ||
        stat(save->path, &status) != 0)
        return false;
    char *bytes = disk_files.read(save->path, &length, &why);
    if (bytes == NULL)
        return false;
    save->played = status.st_mtime;
    const bool read = gral_record_parse((gral_span){bytes, length}, &save->record, &error);
    free(bytes);
    if (!read)
        return false;
    gral_game game;
    gral_state state;
    gral_record_replay(&save->record, save->record.count, &game, &state);
    save->open = state.open;
    return true;
}

static int last_first(const void *a, const void *b)
{
    const save *one = a, *other = b;
    return one->played != other->played ? (one->played < other->played) - (one->played > other->played)
                                        : strcmp(other->path, one->path);
}

static bool is_called_a_save(const struct dirent *entry)
{
    const char *point = strrchr(entry->d_name, '.');
    return point != NULL && strcmp(point, ".gral") == 0;
}

/* False without memory; a folder that is not there has no games in it. */
static bool find_saves(saves *saves)
{
    char folder[PATH_MAX];
    gral_error error;
    DIR *entries = store_place(folder, sizeof folder, "", false, &error) ? opendir(folder) : NULL;
    bool enough = true;
    for (const struct dirent *entry; entries != NULL && enough && (entry = readdir(entries)) != NULL;) {
        if (!is_called_a_save(entry))
            continue;
        save *more = realloc(saves->save, (saves->count + 1) * sizeof *more);
        enough = more != NULL;
        if (!enough)
            break;
        saves->save = more;
        saves->count += read_save(folder, entry->d_name, &more[saves->count]);
    }
    if (entries != NULL)
        closedir(entries);
    if (saves->count > 0)
        qsort(saves->save, saves->count, sizeof *saves->save, last_first);
    return enough;
}

static void forget_saves(saves *saves)
{
    for (size_t index = 0; index < saves->count; index++)
        gral_record_free(&saves->save[index].record);
    free(saves->save);
}

bool saves_last(char path[PATH_MAX])
{
    saves saves = {0};
    bool found = false;
    find_saves(&saves);
    for (size_t index = 0; index < saves.count && !found; index++) {
        found = is_unfinished(&saves.save[index]);
        if (found)
            memcpy(path, saves.save[index].path, PATH_MAX);
    }
    forget_saves(&saves);
    return found;
}

/* --- telling them --- */

static void add_players(gral_text *text, const gral_record *record)
{
    words_names names;
    for (unsigned seat = 0; seat < record->settings.players; seat++) {
        char tag[32], name[PLAY_NAME_MAX + 1];
        snprintf(tag, sizeof tag, "Player%u", seat + 1);
        const gral_span called = gral_record_tag(record, tag);
        snprintf(name, sizeof name, "%.*s", (int)called.length, called.bytes != NULL ? called.bytes : "");
        snprintf(tag, sizeof tag, "Player%uType", seat + 1);
        const gral_span type = gral_record_tag(record, tag);
        words_name(&names, seat, name, type.length > 0 && type.bytes[0] == 'p');
        gral_text_add(text, seat > 0 ? ", " : "");
        gral_text_add(text, names.seat[seat]);
    }
}

static void list_save(FILE *out, const save *save)
{
    char when[32], players[4096];
    struct tm local;
    strftime(when, sizeof when, "%Y-%m-%d %H:%M", localtime_r(&save->played, &local));
    gral_text text = gral_text_in(players, sizeof players);
    add_players(&text, &save->record);
    char how[64], turn[16];
    gral_text end = gral_text_in(how, sizeof how);
    snprintf(turn, sizeof turn, "%u", save->open.turn);
    if (is_unfinished(save))
        words_fill(&end, _("turn {turn}"), "turn", turn, NULL);
    else
        gral_result_print(&end, &save->open);
    fprintf(out, "%s  %s  (%s)\n    %s\n", when, players, how, save->path);
}

bool saves_list(FILE *out)
{
    saves saves = {0};
    const bool found = find_saves(&saves);
    for (size_t index = 0; index < saves.count; index++)
        list_save(out, &saves.save[index]);
    if (found && saves.count == 0)
        fprintf(out, "%s\n", _("No games are saved."));
    forget_saves(&saves);
    return found;
}
