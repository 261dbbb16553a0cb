/* What whoever runs the server asks of it while it runs: `gral admin`, over a socket beside the database that only its
 * owner can open. Not through the database: names, tables and who is connected are in memory here, and another writer
 * there would not change them.
 *
 * A request is words, each ended by a zero byte; the end of sending is the end of the request. The answer is one line,
 * "ok" or why not, and then a list, its columns separated by tabs. What changes something is looked up on the pool,
 * written in one unit with a line of the audit log, and then followed by what is in memory, as errands do. */
#include "server/admin_inside.h"
#include "server/persons.h"

#include "server/log.h"
#include "server/memory.h"

#include <errno.h>
#include <glob.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utlist.h>

enum { TASKS_MAX = 4 /* at the same time */ };

struct admin {
    uv_pipe_t listener;
    char path[sizeof((struct sockaddr_un *)0)->sun_path];
    admin_task *tasks;
    unsigned count, under_way; /* of them */
    bool open;
};

/* --- answering --- */

static void gone(uv_handle_t *pipe)
{
    admin_task *task = pipe->data;
    struct admin *admin = task->server->admin;
    DL_DELETE(admin->tasks, task);
    admin->count--;
    pen_free(&task->out);
    sodium_memzero(task, sizeof *task);
    free(task);
}

static void answered(uv_write_t *writing, int status)
{
    (void)status;
    admin_task *task = writing->data;
    if (!uv_is_closing((uv_handle_t *)&task->pipe))
        uv_close((uv_handle_t *)&task->pipe, gone);
}

static void answer(admin_task *task)
{
    static char fine[] = "ok\n";
    char refused[200];
    snprintf(refused, sizeof refused, "%s\n", task->wrong != NULL ? task->wrong : "");
    const char *first = task->wrong != NULL ? refused : fine;
    pen *out = &task->out;
    const size_t length = task->wrong == NULL ? out->length : 0;
    char *whole = memory_get(strlen(first) + length + 1);
    memcpy(whole, first, strlen(first));
    if (length > 0)
        memcpy(whole + strlen(first), out->bytes, length);
    const size_t all = strlen(first) + length;
    pen_free(out);
    *out = (pen){.bytes = whole, .length = all, .capacity = all + 1};
    const uv_buf_t bytes = uv_buf_init(out->bytes, (unsigned)out->length);
    task->writing.data = task;
    task->server->admin->under_way--;
    if (uv_write(&task->writing, (uv_stream_t *)&task->pipe, &bytes, 1, answered) != 0)
        answered(&task->writing, 0);
}

/* --- writing --- */

store_write *admin_write(admin_task *task, uint8_t kind)
{
    store_write *write = &task->write[task->writes++];
    *write = (store_write){.kind = kind,
                           .user = task->user.user,
                           .time = server_now(task->server),
                           .name = task->name,
                           .key = task->key,
                           .ends = task->until};
    return write;
}

/* The words as they were said, but no password is among them. */
static void note(admin_task *task)
{
    gral_text text = gral_text_in(task->note, sizeof task->note);
    for (unsigned at = 0; at <= task->words; at++) {
        gral_text_add(&text, at > 0 ? " " : "");
        gral_text_add(&text, task->word[at]);
    }
    store_write *write = admin_write(task, STORE_AUDIT);
    write->user = 0;
    write->text = gral_span_of(task->note);
}

static void written(void *context, enum store_outcome outcome)
{
    admin_task *task = context;
    const char *conflict = task->kind->conflict != NULL ? task->kind->conflict : "that is taken, or not there any more";
    if (outcome != STORE_DONE)
        task->wrong = outcome == STORE_CONFLICT ? conflict : "it cannot be stored";
    else if (task->kind->effect != NULL)
        task->kind->effect(task);
    answer(task);
}

static void looked(uv_work_t *work, int status)
{
    (void)status;
    admin_task *task = work->data;
    if (task->wrong == NULL && task->kind->decide != NULL)
        task->kind->decide(task);
    if (task->wrong != NULL || task->kind->effect == NULL) {
        answer(task);
        return;
    }
    note(task);
    commit_write(task->server->commit, task->write, task->writes, written, task);
}

static void look(uv_work_t *work)
{
    admin_task *task = work->data;
    store *store = task->server->store;
    const char *why;
    gral_error error;
    if (task->kind->about_somebody) {
        if (!name_read(gral_span_of(task->word[1]), task->name, task->key, &why) ||
            !store->kind->user_by_key(store, task->key, &task->user, &error) || task->user.user == 0)
            task->wrong = "there is nobody of that name";
    }
    if (task->wrong == NULL && task->kind->look != NULL)
        task->kind->look(task);
}

/* --- the socket --- */

static bool is_text(const admin_task *task)
{
    for (size_t at = 0; at < task->length; at++)
        if ((unsigned char)task->bytes[at] < ' ' && task->bytes[at] != '\0')
            return false;
    return true;
}

static void cut_into_words(admin_task *task)
{
    unsigned count = 0;
    for (size_t at = 0; at < task->length && count < TASK_WORDS_MAX; at += strlen(task->bytes + at) + 1)
        task->word[count++] = task->bytes + at;
    task->words = count > 0 ? count - 1 : 0;
    task->kind = count > 0 ? admin_kind_named(task->word[0]) : NULL;
}

static void begin(admin_task *task)
{
    cut_into_words(task);
    task->server->admin->under_way++;
    if (task->kind == NULL)
        task->wrong = "there is no such command; gral admin --help lists them";
    else if (!is_text(task) || task->words < task->kind->least || task->words > task->kind->most)
        task->wrong = "that is not how this command is used; see gral admin --help";
    else if (task->server->stopping)
        task->wrong = "the server is stopping";
    if (task->wrong != NULL) {
        answer(task);
        return;
    }
    task->work.data = task;
    uv_queue_work(&task->server->loop, &task->work, look, looked);
}

static void give_room(uv_handle_t *handle, size_t wanted, uv_buf_t *room)
{
    (void)wanted;
    admin_task *task = handle->data;
    *room = uv_buf_init(task->bytes + task->length, (unsigned)(TASK_BYTES_MAX - task->length));
}

static void heard(uv_stream_t *stream, ssize_t length, const uv_buf_t *room)
{
    (void)room;
    admin_task *task = stream->data;
    if (length > 0) {
        task->length += (size_t)length;
        return;
    }
    uv_read_stop(stream);
    if (length == UV_EOF)
        begin(task);
    else
        uv_close((uv_handle_t *)stream, gone);
}

static void on_connection(uv_stream_t *listener, int status)
{
    server *server = listener->data;
    if (status != 0 || server->stopping)
        return;
    admin_task *task = memory_get(sizeof *task);
    task->server = server;
    uv_pipe_init(&server->loop, &task->pipe, 0);
    task->pipe.data = task;
    DL_APPEND(server->admin->tasks, task);
    server->admin->count++;
    if (uv_accept(listener, (uv_stream_t *)&task->pipe) != 0 || server->admin->count > TASKS_MAX ||
        uv_read_start((uv_stream_t *)&task->pipe, give_room, heard) != 0)
        uv_close((uv_handle_t *)&task->pipe, gone);
}

/* Nobody else has the database, or this number of a process, so a socket that is there is an old one. */
static int listen_at(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    unlink(path);
    const int end = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const mode_t usual = umask(0177);
    const bool bound = end >= 0 && bind(end, (const struct sockaddr *)&address, sizeof address) == 0;
    umask(usual);
    if (bound)
        return end;
    if (end >= 0)
        close(end);
    return -1;
}

/* Several servers with one database may run on one machine: then each has a socket of its own. Whichever of them is
 * task, all follow. */
static bool find_path(const server *server, char *path, size_t room)
{
    if (!store_socket_of(server->settings.database, path, room))
        return false;
    const size_t length = strlen(path);
    return server->store->kind->peers == NULL ||
           snprintf(path + length, room - length, "-%ld", (long)getpid()) < (int)(room - length);
}

/* Those of servers that were killed. */
static void remove_dead(const server *server)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char pattern[sizeof address.sun_path + 2];
    glob_t found;
    if (server->store->kind->peers == NULL ||
        !store_socket_of(server->settings.database, pattern, sizeof address.sun_path))
        return;
    strcat(pattern, "-*");
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t at = 0; at < found.gl_pathc; at++) {
        const int end = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        snprintf(address.sun_path, sizeof address.sun_path, "%s", found.gl_pathv[at]);
        if (end >= 0 && connect(end, (const struct sockaddr *)&address, sizeof address) != 0 && errno == ECONNREFUSED)
            unlink(address.sun_path);
        if (end >= 0)
            close(end);
    }
    globfree(&found);
}

void admin_open(server *server)
{
    struct admin *admin = memory_get(sizeof *admin);
    server->admin = admin;
    if (server->store->kind == &store_in_memory)
        return;
    remove_dead(server);
    const int end = find_path(server, admin->path, sizeof admin->path) ? listen_at(admin->path) : -1;
    if (end < 0) {
        log_line(LOG_WARNING, "no-admin", "why=\"its socket cannot be made\"");
        return;
    }
    uv_pipe_init(&server->loop, &admin->listener, 0);
    admin->listener.data = server;
    admin->open = uv_pipe_open(&admin->listener, end) == 0 &&
                  uv_listen((uv_stream_t *)&admin->listener, TASKS_MAX, on_connection) == 0;
    if (!admin->open)
        uv_close((uv_handle_t *)&admin->listener, NULL);
}

bool admin_busy(const server *server)
{
    return server->admin->under_way > 0;
}

void admin_stop(server *server)
{
    struct admin *admin = server->admin;
    for (admin_task *task = admin->tasks; task != NULL; task = task->next)
        if (!uv_is_closing((uv_handle_t *)&task->pipe))
            uv_close((uv_handle_t *)&task->pipe, gone);
    if (!admin->open)
        return;
    unlink(admin->path);
    uv_close((uv_handle_t *)&admin->listener, NULL);
    admin->open = false;
}

void admin_close(server *server)
{
    free(server->admin);
}
