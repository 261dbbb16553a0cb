/* Everything in memory, and gone with the store.
 *
 * A unit that conflicts must leave nothing behind. So every change goes through `change`, which notes the bytes that
 * were there, and every row through `make`: going back is putting the old bytes back, last first. Rows are linked in
 * chains, which makes all changes a few pointers. What is removed is freed only when nothing can go back any more. */
#include "common.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 14 };

typedef struct line {
    struct line *next;
    uint32_t number;
    int64_t time;
    size_t length;
    char text[];
} line;

typedef struct sitting {
    struct sitting *next;
    uint64_t user;
    uint8_t seat;
} sitting;

typedef struct result {
    struct result *next_of_game, *next_of_user;
    uint8_t seat, players, result;
    char rules[];
} result;

typedef struct game {
    struct game *next, *next_made; /* in its bucket; in the order of making */
    line *first, *last;
    sitting *sittings;
    result *results;
    int64_t created, changed;
    size_t made; /* how many were made before it */
    uint8_t stage;
    char name[];
} game;

typedef struct user {
    struct user *next;
    result *results;
    store_user is;
    const char *key; /* NULL: none */
} user;

typedef struct key {
    struct key *next;
    user *owner;
    char key[];
} key;

typedef struct session {
    struct session *next;
    uint64_t user;
    enum store_session is;
    int64_t created, seen;
    uint8_t secret[STORE_SECRET_BYTES];
    char label[];
} session;

typedef struct signer {
    struct signer *next;
    uint32_t number;
    int64_t time;
    size_t length, secret_length;
    char text[]; /* and the secret */
} signer;

/* One note of the way back: bytes that were at `place`, or a row that was made or removed. */
typedef struct note {
    enum { CHANGED, MADE, REMOVED } kind;
    void *place;
    unsigned char bytes[sizeof(void *)];
    size_t size;
} note;

typedef struct memory {
    store head;
    pthread_rwlock_t guard;
    game *games[BUCKETS], *first_game, *last_game;
    user *users[BUCKETS];
    key *keys[BUCKETS];
    session *sessions[BUCKETS];
    signer *first_signer, *last_signer;
    note *notes;
    size_t note_count, note_capacity;
    bool exhausted; /* memory was refused since the commit began */
} memory;

/* --- changing and going back --- */

/* Room for a note is found before anything is done: false when there is none. */
static bool take_note(memory *memory, note note)
{
    if (memory->note_count == memory->note_capacity) {
        const size_t capacity = memory->note_capacity > 0 ? 2 * memory->note_capacity : 64;
        struct note *notes = realloc(memory->notes, capacity * sizeof *notes);
        if (notes == NULL) {
            memory->exhausted = true;
            return false;
        }
        memory->notes = notes;
        memory->note_capacity = capacity;
    }
    memory->notes[memory->note_count++] = note;
    return true;
}

static void change(memory *memory, void *place, const void *bytes, size_t size)
{
    note note = {.kind = CHANGED, .place = place, .size = size};
    assert(size <= sizeof note.bytes);
    memcpy(note.bytes, place, size);
    if (take_note(memory, note))
        memcpy(place, bytes, size);
}

/* Puts a value into an lvalue of its own type. */
#define CHANGE(memory, place, value) change(memory, &(place), &(__typeof__(place)){value}, sizeof(place))

/* A row of zeros, or NULL. */
static void *make(memory *memory, size_t size)
{
    void *row = calloc(1, size);
    if (row == NULL)
        memory->exhausted = true;
    else if (!take_note(memory, (note){.kind = MADE, .place = row})) {
        free(row);
        row = NULL;
    }
    return row;
}

static void unmake(memory *memory, void *row)
{
    take_note(memory, (note){.kind = REMOVED, .place = row});
}

static void go_back(memory *memory, size_t to)
{
    while (memory->note_count > to) {
        const note *note = &memory->notes[--memory->note_count];
        if (note->kind == CHANGED)
            memcpy(note->place, note->bytes, note->size);
        else if (note->kind == MADE)
            free(note->place);
    }
}

static void forget_way_back(memory *memory)
{
    for (size_t index = 0; index < memory->note_count; index++)
        if (memory->notes[index].kind == REMOVED)
            free(memory->notes[index].place);
    memory->note_count = 0;
}

/* --- finding --- */

static size_t bucket_of(const void *bytes, size_t length)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (size_t index = 0; index < length; index++)
        hash = (hash ^ ((const unsigned char *)bytes)[index]) * UINT64_C(1099511628211);
    return (hash ^ hash >> 32) % BUCKETS;
}

static game *find_game(const memory *memory, const char *name)
{
    game *game = memory->games[bucket_of(name, strlen(name))];
    while (game != NULL && strcmp(game->name, name) != 0)
        game = game->next;
    return game;
}

static user *find_user(const memory *memory, uint64_t id)
{
    user *user = memory->users[bucket_of(&id, sizeof id)];
    while (user != NULL && user->is.user != id)
        user = user->next;
    return user;
}

static user *find_living(const memory *memory, uint64_t id)
{
    user *user = find_user(memory, id);
    return user != NULL && user->is.name[0] != '\0' ? user : NULL;
}

/* What points to the row, so that it can be taken out; to NULL when there is none. */
static key **find_key(memory *memory, const char *words)
{
    key **place = &memory->keys[bucket_of(words, strlen(words))];
    while (*place != NULL && strcmp((*place)->key, words) != 0)
        place = &(*place)->next;
    return place;
}

static session **find_session(memory *memory, const uint8_t secret[STORE_SECRET_BYTES])
{
    session **place = &memory->sessions[bucket_of(secret, STORE_SECRET_BYTES)];
    while (*place != NULL && memcmp((*place)->secret, secret, STORE_SECRET_BYTES) != 0)
        place = &(*place)->next;
    return place;
}

static sitting **find_sitting(game *game, unsigned seat)
{
    sitting **place = &game->sittings;
    while (*place != NULL && (*place)->seat != seat)
        place = &(*place)->next;
    return place;
}

/* --- one kind of write each; false is a conflict, or `exhausted` --- */

static bool add_line(memory *memory, game *game, const store_write *write, uint32_t number)
{
    line *line = make(memory, sizeof *line + write->text.length);
    if (line == NULL)
        return false;
    line->number = number;
    line->time = write->time;
    line->length = write->text.length;
    if (line->length > 0)
        memcpy(line->text, write->text.bytes, line->length);
    if (game->last == NULL)
        CHANGE(memory, game->first, line);
    else
        CHANGE(memory, game->last->next, line);
    CHANGE(memory, game->last, line);
    return true;
}

static void mark_changed(memory *memory, game *game, int64_t time)
{
    if (time > game->changed)
        CHANGE(memory, game->changed, time);
}

static bool new_game(memory *memory, const store_write *write)
{
    const size_t length = strlen(write->game);
    game **bucket = &memory->games[bucket_of(write->game, length)];
    if (find_game(memory, write->game) != NULL)
        return false;
    game *game = make(memory, sizeof *game + length + 1);
    if (game == NULL)
        return false;
    memcpy(game->name, write->game, length);
    game->next = *bucket;
    game->created = game->changed = write->time;
    game->made = memory->last_game == NULL ? 0 : memory->last_game->made + 1;
    CHANGE(memory, *bucket, game);
    if (memory->last_game == NULL)
        CHANGE(memory, memory->first_game, game);
    else
        CHANGE(memory, memory->last_game->next_made, game);
    CHANGE(memory, memory->last_game, game);
    return add_line(memory, game, write, 0);
}

static bool append(memory *memory, const store_write *write)
{
    game *game = find_game(memory, write->game);
    if (game == NULL || write->number == 0 || write->number - 1 != game->last->number)
        return false;
    return add_line(memory, game, write, write->number);
}

static bool set_stage(memory *memory, const store_write *write)
{
    game *game = find_game(memory, write->game);
    if (game == NULL)
        return false;
    CHANGE(memory, game->stage, write->stage);
    mark_changed(memory, game, write->time);
    return true;
}

static bool sit(memory *memory, const store_write *write)
{
    game *game = find_game(memory, write->game);
    if (game == NULL || find_user(memory, write->user) == NULL || *find_sitting(game, write->seat) != NULL)
        return false;
    sitting *sitting = make(memory, sizeof *sitting);
    if (sitting == NULL)
        return false;
    *sitting = (struct sitting){.next = game->sittings, .user = write->user, .seat = write->seat};
    CHANGE(memory, game->sittings, sitting);
    mark_changed(memory, game, write->time);
    return true;
}

static bool rise(memory *memory, const store_write *write)
{
    game *game = find_game(memory, write->game);
    if (game == NULL)
        return true;
    sitting **place = find_sitting(game, write->seat), *sitting = *place;
    if (sitting == NULL)
        return true;
    CHANGE(memory, *place, sitting->next);
    unmake(memory, sitting);
    return true;
}

static bool add_result(memory *memory, const store_write *write)
{
    game *game = find_game(memory, write->game);
    user *user = find_user(memory, write->user);
    if (game == NULL || user == NULL)
        return false;
    for (const result *other = game->results; other != NULL; other = other->next_of_game)
        if (other->seat == write->seat)
            return false;
    result *result = make(memory, sizeof *result + write->text.length + 1);
    if (result == NULL)
        return false;
    result->seat = write->seat;
    result->players = (uint8_t)write->number;
    result->result = write->result;
    if (write->text.length > 0)
        memcpy(result->rules, write->text.bytes, write->text.length);
    result->next_of_game = game->results;
    result->next_of_user = user->results;
    CHANGE(memory, game->results, result);
    CHANGE(memory, user->results, result);
    return true;
}

/* The key, if it is one, is the user's; what he had is free. False when it is somebody else's. */
static bool set_key(memory *memory, user *owner, const char *words)
{
    const bool wanted = words != NULL && words[0] != '\0';
    key **taken = wanted ? find_key(memory, words) : NULL;
    if (wanted && *taken != NULL)
        return (*taken)->owner == owner;
    if (owner->key != NULL) {
        key **place = find_key(memory, owner->key), *old = *place;
        CHANGE(memory, *place, old->next);
        unmake(memory, old);
        CHANGE(memory, owner->key, NULL);
    }
    if (!wanted)
        return true;
    const size_t length = strlen(words);
    key **bucket = &memory->keys[bucket_of(words, length)];
    key *key = make(memory, sizeof *key + length + 1);
    if (key == NULL)
        return false;
    memcpy(key->key, words, length);
    key->owner = owner;
    key->next = *bucket;
    CHANGE(memory, *bucket, key);
    CHANGE(memory, owner->key, key->key);
    return true;
}

static void change_words(memory *memory, char *place, size_t capacity, gral_span words)
{
    for (size_t index = 0; index < capacity; index++)
        if (place[index] != (index < words.length ? words.bytes[index] : '\0'))
            CHANGE(memory, place[index], index < words.length ? words.bytes[index] : '\0');
}

static void change_person(memory *memory, user *user, gral_span name, gral_span password)
{
    change_words(memory, user->is.name, sizeof user->is.name, name);
    change_words(memory, user->is.password, sizeof user->is.password, password);
}

static bool new_user(memory *memory, const store_write *write)
{
    if (find_user(memory, write->user) != NULL)
        return false;
    user *user = make(memory, sizeof *user);
    if (user == NULL)
        return false;
    struct user **bucket = &memory->users[bucket_of(&write->user, sizeof write->user)];
    user->is.user = write->user;
    user->is.created = user->is.seen = write->time;
    user->next = *bucket;
    CHANGE(memory, *bucket, user);
    change_person(memory, user, gral_span_of(write->name), write->text);
    return set_key(memory, user, write->key);
}

static bool set_user(memory *memory, const store_write *write)
{
    user *user = find_living(memory, write->user);
    if (user == NULL)
        return false;
    change_person(memory, user, gral_span_of(write->name), write->text);
    return set_key(memory, user, write->key);
}

/* Ends at most so many sessions, those that are meant. */
static void end_sessions(memory *memory, bool (*is_meant)(const session *session, const store_write *write),
                         const store_write *write, size_t most)
{
    for (size_t bucket = 0; bucket < BUCKETS; bucket++)
        for (session **place = &memory->sessions[bucket]; *place != NULL && most > 0 && !memory->exhausted;) {
            session *session = *place;
            if (!is_meant(session, write)) {
                place = &session->next;
                continue;
            }
            CHANGE(memory, *place, session->next);
            unmake(memory, session);
            most--;
        }
}

static bool is_of_user(const session *session, const store_write *write)
{
    return session->user == write->user;
}

static bool is_token_of_user(const session *session, const store_write *write)
{
    return session->user == write->user && session->is == STORE_TOKEN;
}

static bool is_unused(const session *session, const store_write *write)
{
    return (session->is == STORE_TOKEN) == write->flag && session->seen < write->time;
}

static bool delete_user(memory *memory, const store_write *write)
{
    user *user = find_user(memory, write->user);
    if (user == NULL)
        return false;
    change_person(memory, user, gral_span_of(""), gral_span_of(""));
    end_sessions(memory, is_of_user, write, SIZE_MAX);
    return set_key(memory, user, NULL);
}

static bool add_session(memory *memory, const store_write *write, enum store_session is)
{
    if (find_living(memory, write->user) == NULL || *find_session(memory, write->secret) != NULL)
        return false;
    session *session = make(memory, sizeof *session + write->text.length + 1);
    if (session == NULL)
        return false;
    struct session **bucket = &memory->sessions[bucket_of(write->secret, STORE_SECRET_BYTES)];
    *session = (struct session){
        .next = *bucket, .user = write->user, .is = is, .created = write->time, .seen = write->time};
    memcpy(session->secret, write->secret, STORE_SECRET_BYTES);
    if (write->text.length > 0)
        memcpy(session->label, write->text.bytes, write->text.length);
    CHANGE(memory, *bucket, session);
    return true;
}

/* What points to the user's session of that sort which was used longest ago and is not the new one, and how many he
 * has. */
static session **find_oldest(memory *memory, const store_write *write, enum store_session is, size_t *count)
{
    session **oldest = NULL;
    *count = 0;
    for (size_t bucket = 0; bucket < BUCKETS; bucket++)
        for (session **place = &memory->sessions[bucket]; *place != NULL; place = &(*place)->next) {
            if ((*place)->user != write->user || (*place)->is != is)
                continue;
            ++*count;
            const bool is_new = memcmp((*place)->secret, write->secret, STORE_SECRET_BYTES) == 0;
            if (!is_new && (oldest == NULL || (*place)->seen < (*oldest)->seen))
                oldest = place;
        }
    return oldest;
}

static bool new_of_sort(memory *memory, const store_write *write, enum store_session is)
{
    if (!add_session(memory, write, is))
        return false;
    size_t count;
    session **oldest;
    while (write->number > 0 && (oldest = find_oldest(memory, write, is, &count)) != NULL && count > write->number &&
           !memory->exhausted) {
        session *forgotten = *oldest;
        CHANGE(memory, *oldest, forgotten->next);
        unmake(memory, forgotten);
    }
    return true;
}

static bool new_session(memory *memory, const store_write *write)
{
    return new_of_sort(memory, write, write->flag ? STORE_TOKEN : STORE_COOKIE);
}

static bool new_device(memory *memory, const store_write *write)
{
    return new_of_sort(memory, write, STORE_DEVICE);
}

static bool touch(memory *memory, const store_write *write)
{
    session *session = *find_session(memory, write->secret);
    if (session == NULL)
        return false;
    user *user = find_user(memory, session->user);
    if (write->time > session->seen)
        CHANGE(memory, session->seen, write->time);
    if (write->time > user->is.seen)
        CHANGE(memory, user->is.seen, write->time);
    return true;
}

static bool end_session(memory *memory, const store_write *write)
{
    session **place = find_session(memory, write->secret), *session = *place;
    if (session == NULL)
        return true;
    CHANGE(memory, *place, session->next);
    unmake(memory, session);
    return true;
}

static bool end_tokens(memory *memory, const store_write *write)
{
    end_sessions(memory, is_token_of_user, write, SIZE_MAX);
    return true;
}

static bool end_unused(memory *memory, const store_write *write)
{
    end_sessions(memory, is_unused, write, write->number);
    return true;
}

static bool sits_in(const game *game, uint64_t user)
{
    const sitting *sitting = game->sittings;
    while (sitting != NULL && sitting->user != user)
        sitting = sitting->next;
    return sitting != NULL;
}

/* Whether he sits in a game; with `unfinished`, in one that is not over. */
static bool sits_anywhere(const memory *memory, uint64_t user, bool unfinished)
{
    const game *game = memory->first_game;
    while (game != NULL && !((!unfinished || game->stage != STORE_OVER) && sits_in(game, user)))
        game = game->next_made;
    return game != NULL;
}

static bool is_guest(const user *user)
{
    return user->is.password[0] == '\0' && user->key != NULL;
}

static bool clear_guest(memory *memory, const store_write *write)
{
    user *guest = find_user(memory, write->user);
    if (guest == NULL || !is_guest(guest) || guest->is.seen >= write->time || sits_anywhere(memory, write->user, true))
        return false;
    end_sessions(memory, is_of_user, write, SIZE_MAX);
    if (!set_key(memory, guest, NULL))
        return false;
    if (guest->results != NULL || sits_anywhere(memory, write->user, false))
        return true;
    user **place = &memory->users[bucket_of(&write->user, sizeof write->user)];
    while (*place != guest)
        place = &(*place)->next;
    CHANGE(memory, *place, guest->next);
    unmake(memory, guest);
    return true;
}

static bool new_signer(memory *memory, const store_write *write)
{
    if (write->number != 1 + (memory->last_signer != NULL ? memory->last_signer->number : 0))
        return false;
    const gral_span secret = write->key != NULL ? gral_span_of(write->key) : (gral_span){0};
    signer *signer = make(memory, sizeof *signer + write->text.length + secret.length);
    if (signer == NULL)
        return false;
    signer->number = write->number;
    signer->time = write->time;
    signer->length = write->text.length;
    signer->secret_length = secret.length;
    if (signer->length > 0)
        memcpy(signer->text, write->text.bytes, signer->length);
    if (secret.length > 0)
        memcpy(signer->text + signer->length, secret.bytes, secret.length);
    if (memory->last_signer == NULL) {
        CHANGE(memory, memory->first_signer, signer);
    } else {
        CHANGE(memory, memory->last_signer->next, signer);
        CHANGE(memory, memory->last_signer->secret_length, 0);
    }
    CHANGE(memory, memory->last_signer, signer);
    return true;
}

static bool (*const write_kinds[])(memory *memory, const store_write *write) = {
    [STORE_NEW_GAME] = new_game,
    [STORE_APPEND] = append,
    [STORE_SET_STAGE] = set_stage,
    [STORE_SIT] = sit,
    [STORE_RISE] = rise,
    [STORE_RESULT] = add_result,
    [STORE_NEW_USER] = new_user,
    [STORE_SET_USER] = set_user,
    [STORE_DELETE_USER] = delete_user,
    [STORE_NEW_SESSION] = new_session,
    [STORE_NEW_DEVICE] = new_device,
    [STORE_TOUCH] = touch,
    [STORE_END_SESSION] = end_session,
    [STORE_END_TOKENS] = end_tokens,
    [STORE_END_UNUSED] = end_unused,
    [STORE_CLEAR_GUEST] = clear_guest,
    [STORE_NEW_SIGNER] = new_signer,
};
static_assert(sizeof write_kinds / sizeof *write_kinds == STORE_WRITE_KINDS, "every kind can be written");

static bool do_unit(memory *memory, const store_write *writes, size_t count)
{
    for (size_t index = 0; index < count; index++)
        if (!write_kinds[writes[index].kind](memory, &writes[index]) || memory->exhausted)
            return false;
    return true;
}

static bool null_commit(store *store, store_write *writes, size_t count, gral_error *error)
{
    memory *memory = (struct memory *)store;
    if (!store_writes_make_sense(writes, count, error)) {
        store_set_outcome(writes, count, STORE_FAILED);
        return false;
    }
    pthread_rwlock_wrlock(&memory->guard);
    memory->exhausted = false;
    for (size_t first = 0, end; first < count && !memory->exhausted; first = end) {
        const size_t before = memory->note_count;
        end = store_unit_end(writes, count, first);
        const bool done = do_unit(memory, writes + first, end - first);
        store_set_outcome(writes + first, end - first, done ? STORE_DONE : STORE_CONFLICT);
        if (!done)
            go_back(memory, before);
    }
    const bool exhausted = memory->exhausted;
    if (exhausted)
        go_back(memory, 0);
    forget_way_back(memory);
    pthread_rwlock_unlock(&memory->guard);
    if (!exhausted)
        return true;
    store_set_outcome(writes, count, STORE_FAILED);
    return store_say(error, "out of memory");
}

/* --- reading --- */

/* False when it was told to stop. */
static bool each_line(const game *game, store_each_entry *each, void *context)
{
    for (const line *line = game->first; line != NULL; line = line->next) {
        const store_entry entry = {
            .game = game->name,
            .stage = game->stage,
            .created = game->created,
            .number = line->number,
            .time = line->time,
            .text = {line->text, line->length},
        };
        if (!each(context, &entry))
            return false;
    }
    return true;
}

static bool null_unfinished(store *store, store_each_entry *each, void *context, gral_error *error)
{
    (void)error;
    memory *memory = (struct memory *)store;
    pthread_rwlock_rdlock(&memory->guard);
    for (const game *game = memory->first_game; game != NULL; game = game->next_made)
        if (game->stage != STORE_OVER && !each_line(game, each, context))
            break;
    pthread_rwlock_unlock(&memory->guard);
    return true;
}

static bool null_entries(store *store, const char *name, store_each_entry *each, void *context, gral_error *error)
{
    (void)error;
    memory *memory = (struct memory *)store;
    pthread_rwlock_rdlock(&memory->guard);
    const game *game = find_game(memory, name);
    if (game != NULL)
        each_line(game, each, context);
    pthread_rwlock_unlock(&memory->guard);
    return true;
}

static int newest_first(const void *left, const void *right)
{
    const game *a = *(game *const *)left, *b = *(game *const *)right;
    if (a->changed != b->changed)
        return a->changed < b->changed ? 1 : -1;
    return a->made < b->made ? 1 : -1;
}

static bool null_games_of(store *store, uint64_t user, unsigned most, store_each_game *each, void *context,
                          gral_error *error)
{
    memory *memory = (struct memory *)store;
    pthread_rwlock_rdlock(&memory->guard);
    size_t count = 0;
    for (const game *game = memory->first_game; game != NULL; game = game->next_made)
        count += sits_in(game, user);
    const game **games = malloc((count + 1) * sizeof *games);
    if (games != NULL) {
        count = 0;
        for (const game *game = memory->first_game; game != NULL; game = game->next_made)
            if (sits_in(game, user))
                games[count++] = game;
        qsort(games, count, sizeof *games, newest_first);
        for (size_t index = 0; index < count && index < most; index++)
            if (!each(context, games[index]->name, games[index]->stage, games[index]->changed))
                break;
    }
    pthread_rwlock_unlock(&memory->guard);
    const bool good = games != NULL;
    free(games);
    return good || store_say(error, "out of memory");
}

static store_user copy_of(const user *user)
{
    return user != NULL ? user->is : (store_user){0};
}

static bool null_user_by_id(store *store, uint64_t id, store_user *found, gral_error *error)
{
    (void)error;
    memory *memory = (struct memory *)store;
    pthread_rwlock_rdlock(&memory->guard);
    *found = copy_of(find_user(memory, id));
    pthread_rwlock_unlock(&memory->guard);
    return true;
}

static bool null_user_by_key(store *store, const char *words, store_user *found, gral_error *error)
{
    (void)error;
    memory *memory = (struct memory *)store;
    pthread_rwlock_rdlock(&memory->guard);
    const key *key = *find_key(memory, words);
    *found = copy_of(key != NULL ? key->owner : NULL);
    pthread_rwlock_unlock(&memory->guard);
    return true;
}

static bool null_user_by_secret(store *store, enum store_session is, const uint8_t secret[STORE_SECRET_BYTES],
                                store_user *found, gral_error *error)
{
    (void)error;
    memory *memory = (struct memory *)store;
    pthread_rwlock_rdlock(&memory->guard);
    const session *session = *find_session(memory, secret);
    const bool fits = session != NULL && session->is == is;
    *found = copy_of(fits ? find_user(memory, session->user) : NULL);
    found->used = fits ? session->seen : 0;
    pthread_rwlock_unlock(&memory->guard);
    return true;
}

static bool is_after(const store_guest *place, const store_user *user)
{
    return user->seen != place->seen ? user->seen > place->seen : user->user > place->user;
}

/* The first absent guest after that place, or NULL. */
static const user *next_absent(const memory *memory, int64_t before, const store_guest *after)
{
    const user *first = NULL;
    for (size_t bucket = 0; bucket < BUCKETS; bucket++)
        for (const user *user = memory->users[bucket]; user != NULL; user = user->next)
            if (is_guest(user) && user->is.seen < before && is_after(after, &user->is) &&
                (first == NULL || !is_after(&(store_guest){first->is.seen, first->is.user}, &user->is)))
                first = user;
    return first;
}

static bool null_absent_guests(store *store, int64_t before, const store_guest *from, unsigned most,
                               store_each_guest *each, void *context, gral_error *error)
{
    (void)error;
    memory *memory = (struct memory *)store;
    store_guest at = *from;
    const user *guest;
    pthread_rwlock_rdlock(&memory->guard);
    while (most-- > 0 && (guest = next_absent(memory, before, &at)) != NULL) {
        at = (store_guest){guest->is.seen, guest->is.user};
        if (!each(context, at.user, at.seen, sits_anywhere(memory, at.user, true)))
            break;
    }
    pthread_rwlock_unlock(&memory->guard);
    return true;
}

static bool null_tokens_of(store *store, uint64_t user, store_each_token *each, void *context, gral_error *error)
{
    (void)error;
    memory *memory = (struct memory *)store;
    bool goes_on = true;
    pthread_rwlock_rdlock(&memory->guard);
    for (size_t bucket = 0; bucket < BUCKETS; bucket++)
        for (const session *row = memory->sessions[bucket]; row != NULL && goes_on; row = row->next)
            if (row->user == user && row->is == STORE_TOKEN)
                goes_on = each(context, row->label, row->created);
    pthread_rwlock_unlock(&memory->guard);
    return true;
}

static bool null_statistics(store *store, uint64_t id, store_statistics *statistics, gral_error *error)
{
    (void)error;
    memory *memory = (struct memory *)store;
    *statistics = (store_statistics){0};
    pthread_rwlock_rdlock(&memory->guard);
    const user *user = find_user(memory, id);
    for (const result *row = user != NULL ? user->results : NULL; row != NULL; row = row->next_of_user)
        store_count(statistics, row->rules, row->players, row->result, 1);
    pthread_rwlock_unlock(&memory->guard);
    return true;
}

static bool null_signers(store *store, store_each_signer *each, void *context, gral_error *error)
{
    (void)error;
    memory *memory = (struct memory *)store;
    pthread_rwlock_rdlock(&memory->guard);
    for (const signer *row = memory->first_signer; row != NULL; row = row->next)
        if (!each(context, row->number, row->time, (gral_span){row->text, row->length},
                  (gral_span){row->text + row->length, row->secret_length}))
            break;
    pthread_rwlock_unlock(&memory->guard);
    return true;
}

/* --- beginning and end --- */

static store *null_open(const char *address, bool shared, gral_error *error)
{
    (void)address, (void)shared;
    memory *memory = calloc(1, sizeof *memory);
    if (memory == NULL) {
        store_say(error, "out of memory");
        return NULL;
    }
    memory->head.kind = &null_store;
    pthread_rwlock_init(&memory->guard, NULL);
    return &memory->head;
}

static void free_game(game *game)
{
    for (line *line = game->first, *next; line != NULL; line = next) {
        next = line->next;
        free(line);
    }
    for (sitting *sitting = game->sittings, *next; sitting != NULL; sitting = next) {
        next = sitting->next;
        free(sitting);
    }
    for (result *result = game->results, *next; result != NULL; result = next) {
        next = result->next_of_game;
        free(result);
    }
    free(game);
}

static void null_close(store *store)
{
    memory *memory = (struct memory *)store;
    for (size_t bucket = 0; bucket < BUCKETS; bucket++) {
        for (game *game = memory->games[bucket], *next; game != NULL; game = next) {
            next = game->next;
            free_game(game);
        }
        for (user *user = memory->users[bucket], *next; user != NULL; user = next) {
            next = user->next;
            free(user);
        }
        for (key *key = memory->keys[bucket], *next; key != NULL; key = next) {
            next = key->next;
            free(key);
        }
        for (session *session = memory->sessions[bucket], *next; session != NULL; session = next) {
            next = session->next;
            free(session);
        }
    }
    for (signer *signer = memory->first_signer, *next; signer != NULL; signer = next) {
        next = signer->next;
        free(signer);
    }
    free(memory->notes);
    pthread_rwlock_destroy(&memory->guard);
    free(memory);
}

const store_kind null_store = {
    .name = "memory",
    .open = null_open,
    .close = null_close,
    .commit = null_commit,
    .unfinished = null_unfinished,
    .entries = null_entries,
    .games_of = null_games_of,
    .user_by_id = null_user_by_id,
    .user_by_key = null_user_by_key,
    .user_by_secret = null_user_by_secret,
    .absent_guests = null_absent_guests,
    .tokens_of = null_tokens_of,
    .statistics = null_statistics,
    .signers = null_signers,
};
