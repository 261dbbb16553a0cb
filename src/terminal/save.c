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

/* One file has one lock, whatever links to it. */
static const char *follow_link(const char *path, char found[PATH_MAX])
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode) && realpath(path, found) != NULL ? found : path;
}

static bool refuse_claim(play *play, const char *reason, const char **why)
{
    play->save[0] = '\0';
    *why = reason;
    return false;
}

bool play_claim(play *play, const char *path, const char **why)
{
    char found[PATH_MAX];
    if ((size_t)snprintf(play->save, sizeof play->save, "%s", follow_link(path, found)) >= sizeof play->save)
        return refuse_claim(play, strerror(ENAMETOOLONG), why);
    char name[LOCK_PATH_MAX];
    name_lock(play, name);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    while ((play->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) >= 0) {
        if (fcntl(play->lock, F_SETLK, &whole) != 0 && (errno == EACCES || errno == EAGAIN)) {
            close(play->lock);
            return refuse_claim(play, _("this game is already being played"), why);
        }
        if (has_name(play->lock, name))
            return true;
        close(play->lock);
    }
    return refuse_claim(play, strerror(errno), why); /* where no file can be made no game can be kept */
}

void play_release(play *play)
{
    if (play->save[0] == '\0')
        return;
    char name[LOCK_PATH_MAX];
    name_lock(play, name);
    unlink(name);
    close(play->lock);
}

static bool write_game(const play *play, const char *path, const char **why)
{
    size_t length;
    char *bytes = gral_record_text(&play->record, &length);
    *why = strerror(ENOMEM);
    const bool written = bytes != NULL && disk_files.write(path, (gral_span){bytes, length}, why);
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
        words_fill(text, _("The game is saved in {path}"), "path", play->save, NULL);
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
        words_fill(text, _("The record of the game is in {path}"), "path", play->save, NULL);
    else
        words_fill(text, _("The game is saved. To resume it: gral play --resume {path}"), "path", resume, NULL);
}
