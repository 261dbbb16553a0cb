/* Not a test: writes to a store what its standard input says, for server/doubt.py. Each line is a group of three
 * writes, a text for the audit and an entry in each of two games that belong together; the line is the text. What
 * became of them is on the standard output: "DDD", or with a conflict "DCC", or why it failed. */
#include "store/store.h"

#include <stdio.h>
#include <string.h>

int main(int count, char **words)
{
    gral_error error = {0};
    store *store = count == 2 ? store_open(words[1], true, &error) : NULL;
    if (store == NULL) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    store_write games[] = {{.kind = STORE_NEW_GAME, .game = "a"}, {.kind = STORE_NEW_GAME, .game = "b"}};
    store->kind->commit(store, games, 2, &error);
    char line[200];
    for (uint32_t number = 1; fgets(line, sizeof line, stdin) != NULL; number++) {
        const gral_span text = {line, strcspn(line, "\n")};
        store_write group[] = {
            {.kind = STORE_AUDIT, .text = text},
            {.kind = STORE_APPEND, .game = "a", .number = number, .text = text},
            {.kind = STORE_APPEND, .game = "b", .number = number, .text = text, .follows = true},
        };
        if (store->kind->commit(store, group, 3, &error))
            printf("%c%c%c\n", "DC"[group[0].outcome], "DC"[group[1].outcome], "DC"[group[2].outcome]);
        else
            printf("%s\n", error.message);
        fflush(stdout);
    }
    store->kind->close(store);
    return 0;
}
