/* A store in a folder of its own, written to and read in a few words.
 *
 *     expect("DC", GAME("a", 1), ADD("a", 7, "x"));    two writes, one letter each: D done, C conflict
 *     expect_entries("a", "a.0=terms");                what is there now
 *
 * A test has a folder, and a store in it unless it opens one itself; remove_folder closes it. */
#ifndef GRAL_TESTS_STORING_H
#define GRAL_TESTS_STORING_H

#include "scene.h"
#include "shell.h"
#include "store/store.h"
#include "store/store_schema.h"

enum { STORY_MAX = 1 << 16 };

extern char folder[64], database[80]; /* the second is a file in the first, also known to shells as $FOLDER */
extern store *the_store;
extern char story[STORY_MAX]; /* what was read last */

int make_folder(void **unused);
int remove_folder(void **unused);
int open_memory(void **unused);
int open_sqlite(void **unused);
int open_postgres(void **unused); /* an empty one, at the address in GRAL_POSTGRES */

#define ON_EVERY_STORE(claim) ON_EVERY_SQLITE(claim), ON_POSTGRES(claim)
#define ON_EVERY_SQLITE(claim)                                                                                         \
    {#claim "_in_memory", claim, open_memory, remove_folder, NULL},                                                    \
    {                                                                                                                  \
        .name = #claim "_in_sqlite", .test_func = claim, .setup_func = open_sqlite, .teardown_func = remove_folder     \
    }
#define ON_POSTGRES(claim)                                                                                             \
    {                                                                                                                  \
        .name = #claim "_in_postgres", .test_func = claim, .setup_func = open_postgres, .teardown_func = remove_folder \
    }
#define ON_SQLITE(claim)   cmocka_unit_test_setup_teardown(claim, open_sqlite, remove_folder)
#define IN_A_FOLDER(claim) cmocka_unit_test_setup_teardown(claim, make_folder, remove_folder)

/* Those in PostgreSQL only where there is one (server/postgres.py). */
#define run_store_tests(name, tests) (choose_stores(), cmocka_run_group_tests_name(name, tests, NULL, NULL))
void choose_stores(void);

store *open_store(const char *address, bool shared);
void close_store(void);
void expect_no_store(const char *address, bool shared, const char *words);
void ask_sqlite(const char *path, const char *words);
void ask_postgres(const char *words);

/* --- writing --- */

#define TEXT(words)       .text = {words, sizeof words - 1}
#define WRITE(...)        ((store_write){__VA_ARGS__})
#define AND(...)          WRITE(.follows = true, __VA_ARGS__)
#define GAME(id, at)      WRITE(.kind = STORE_NEW_GAME, .game = id, .time = at, TEXT("terms"))
#define ADD(id, n, words) WRITE(.kind = STORE_APPEND, .game = id, .number = n, .time = 100 + n, TEXT(words))
#define USER(id, called, known_as)                                                                                     \
    WRITE(.kind = STORE_NEW_USER, .user = id, .name = called, .key = known_as, .time = 7, .password = "hash")
#define GUEST(id, called, at) WRITE(.kind = STORE_NEW_USER, .user = id, .name = called, .key = called, .time = at)
#define SESSION(byte, id)     WRITE(.kind = STORE_NEW_SESSION, .secret = {byte}, .user = id)

void expect_outcomes(store *store, const char *expected, store_write *writes, size_t count);

#define expect(outcomes, ...)                                                                                          \
    expect_outcomes(the_store, outcomes, (store_write[]){__VA_ARGS__},                                                 \
                    sizeof((store_write[]){__VA_ARGS__}) / sizeof(store_write))

/* --- reading, as one text --- */

bool tell_entry(void *context, const store_entry *entry);
bool tell_game(void *context, const char *game, enum store_stage stage, int64_t changed);

typedef struct tally {
    unsigned count[2]; /* of game a and of game b */
    bool in_order;
} tally;

bool count_entry(void *context, const store_entry *entry);

void expect_entries(const char *game, const char *expected);
void expect_unfinished(const char *expected);
void expect_games(uint64_t user, unsigned most, const char *expected);
void expect_absent(int64_t before, store_guest from, unsigned most, const char *expected);

store_user by_id(uint64_t id);
uint64_t by_key(const char *key);
store_user by_session(enum store_session session, uint8_t byte);
uint64_t by_secret(uint8_t byte); /* whose session or token it is */
uint64_t by_device(uint8_t byte);

#endif
