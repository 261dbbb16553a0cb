/* What admin.c, which has the socket and takes a task on its way, and admin_tasks.c, which says what is done at each of
 * its stations, know of each other. */
#ifndef GRAL_SERVER_ADMIN_INSIDE_H
#define GRAL_SERVER_ADMIN_INSIDE_H

#include "server/ip_range.h"
#include "server/parts.h"

#include <sodium.h>

enum {
    TASK_BYTES_MAX = 4096,
    TASK_WORDS_MAX = 64,
    TASK_WRITES_MAX = 4,
};

typedef struct admin_task admin_task;

/* What can be asked. */
typedef struct admin_kind {
    const char *name;
    unsigned least, most;             /* words after it */
    bool about_somebody;              /* the first is a name, of somebody there is */
    void (*look)(admin_task *task);   /* on the pool */
    void (*decide)(admin_task *task); /* on the loop: adds writes, or refuses */
    void (*effect)(admin_task *task); /* what is in memory follows */
    const char *conflict;             /* what it means if the store finds it out; NULL: that somebody was quicker */
} admin_kind;

struct admin_task {
    uv_work_t work;
    uv_pipe_t pipe;
    server *server;
    char bytes[TASK_BYTES_MAX + 1];
    size_t length;
    const char *word[TASK_WORDS_MAX + 1];
    unsigned words; /* after the first */
    const admin_kind *kind;
    const char *wrong; /* why not */
    store_user user;
    char name[NAME_BYTES_MAX], key[NAME_KEY_MAX], note[TASK_BYTES_MAX + 64], network_text[IP_RANGE_TEXT];
    char password[SECRET_TEXT], hashed[crypto_pwhash_STRBYTES];
    int64_t until;
    ip_range network;
    store_write write[TASK_WRITES_MAX];
    size_t writes;
    pen out;
    uv_write_t writing;
    struct admin_task *prev, *next;
};

/* NULL if there is none. */
const admin_kind *admin_kind_named(const char *name);

/* One more write, about the person whom the task is about, now. */
store_write *admin_write(admin_task *task, uint8_t kind);

#endif
