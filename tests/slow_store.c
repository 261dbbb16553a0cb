/* Loaded into a server before SQLite (LD_PRELOAD): whatever looks up a session has read the database long before it
 * says so. What happens meanwhile would be a matter of luck else. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

enum { DELAY_US = 40000 };

int sqlite3_step(sqlite3_stmt *statement)
{
    static int (*real)(sqlite3_stmt *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "sqlite3_step");
    const int code = real(statement);
    const char *words = sqlite3_sql(statement);
    if (words != NULL && strstr(words, "FROM session JOIN user") != NULL)
        usleep(DELAY_US);
    return code;
}
