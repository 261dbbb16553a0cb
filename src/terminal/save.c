/* A game on disk, whole after every action. While it is played a file beside it, FILE.lock, is locked: so nobody else
 * resumes it and writes over what is done here. The lock is the process's and ends with it, however it ends. */
#include "files.h"
#include "language.h"
#include "play.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char lock_suffix[] = ".lock";

enum { LOCK_PATH_MAX = PATH_MAX + sizeof lock_suffix };

static void name_lock(const play *play, char path[LOCK_PATH_MAX])
{
    snprintf(path, LOCK_PATH_MAX, "%s%s", play->save, lock_suffix);
}

/* Whoever ends his game removes the file: what was locked may not be what has the name now. */
static bool has_name(int file, const char *path)
{
    struct stat opened, named;
    return fstat(file, &opened) == 0 && stat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

bool play_claim(play *play, const char *path, const char **why)
{
    if ((size_t)snprintf(play->save, sizeof play->save, "%s", path) >= sizeof play->save) {
        play->save[0] = '\0';
        *why = strerror(ENAMETOOLONG);
        return false;
    }
    char name[LOCK_PATH_MAX];
    name_lock(play, name);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    /* Where no file can be made nothing can be written over either; that is told when the game is to be saved. */
    while ((play->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) >= 0) {
        if (fcntl(play->lock, F_SETLK, &whole) != 0 && (errno == EACCES || errno == EAGAIN)) {
            close(play->lock);
            play->save[0] = '\0';
            *why = _("this game is being played already");
            return false;
        }
        if (has_name(play->lock, name))
            break;
        close(play->lock);
    }
    return true;
}

void play_release(play *play)
{
    if (play->save[0] == '\0' || play->lock < 0)
        return;
    char name[LOCK_PATH_MAX];
    name_lock(play, name);
    unlink(name);
    close(play->lock);
}

static bool write_game(const play *play, const char *path, const char **why)
{
    gral_text measure = gral_text_in((char[1]){0}, 1);
    gral_record_print(&measure, &play->record);
    char *bytes = malloc(measure.length + 1);
    if (bytes == NULL) {
        *why = strerror(ENOMEM);
        return false;
    }
    gral_text text = gral_text_in(bytes, measure.length + 1);
    gral_record_print(&text, &play->record);
    const bool written = disk_files.write(path, (gral_span){bytes, text.length}, why);
    free(bytes);
    return written;
}

void play_keep(play *play)
{
    const char *why = NULL;
    if (play->save[0] != '\0')
        play->save_failed = write_game(play, play->save, &why) ? NULL : why;
}

bool play_copy(const play *play, const char *path, const char **why)
{
    struct stat status;
    if (lstat(path, &status) == 0) {
        *why = strerror(EEXIST);
        return false;
    }
    return write_game(play, path, why);
}

/* --- in words --- */

static bool tell_trouble(const play *play, gral_text *text)
{
    if (play->save_failed != NULL)
        words_fill(text, _("The game could not be saved in {path}: {reason}"), "path", play->save, "reason",
                   play->save_failed, NULL);
    return play->save_failed != NULL;
}

void play_tell_kept(const play *play, gral_text *text)
{
    if (!tell_trouble(play, text))
        words_fill(text, _("The game is kept in {path}"), "path", play->save, NULL);
}

static bool has_programs(const play *play)
{
    for (unsigned seat = 0; seat < play_game(play)->settings.players; seat++)
        if (play->player[seat] != NULL && strncmp(play->name[seat], "exec:", strlen("exec:")) == 0)
            return true;
    return false;
}

void play_tell_parting(const play *play, gral_text *text)
{
    char resume[PATH_MAX + 16];
    snprintf(resume, sizeof resume, "%s%s", play->save, has_programs(play) ? " --exec" : "");
    if (tell_trouble(play, text))
        return;
    if (play_actor(play) == GRAL_NOBODY)
        words_fill(text, _("The record of the game is kept in {path}"), "path", play->save, NULL);
    else
        words_fill(text, _("The game is saved. Go on with: gral play --resume {path}"), "path", resume, NULL);
}
