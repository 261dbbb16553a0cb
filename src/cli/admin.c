/* Asks a running server, over the socket beside its database, and prints what it answers (server/admin.c). */
#include "command.h"
#include "server/server.h"
#include "store/store.h"
#include "terminal/language.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { WORDS_MAX = 64 };

static const char *database;

static const cli_option options[] = {
    {"database", "FILE", N_("the database of the server; by default the one gral serve uses"), CLI_FILE,
     .text = &database},
    {0},
};

static int complain(const char *why)
{
    fprintf(stderr, "gral admin: %s\n", why);
    return CLI_FAILED;
}

static bool send_words(int end, char *const *word)
{
    for (; *word != NULL; word++)
        for (size_t sent = 0, length = strlen(*word) + 1; sent < length;) {
            const ssize_t part = send(end, *word + sent, length - sent, MSG_NOSIGNAL);
            if (part < 0)
                return false;
            sent += (size_t)part;
        }
    return shutdown(end, SHUT_WR) == 0;
}

/* The first line says whether it was done. */
static int print_answer(int end)
{
    FILE *answer = fdopen(end, "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t length = answer != NULL ? getline(&line, &room, answer) : -1;
    int status = CLI_FAILED;
    if (length <= 0) {
        complain(_("the server closed the connection"));
    } else if (strcmp(line, "ok\n") != 0) {
        line[strcspn(line, "\n")] = '\0';
        complain(line);
    } else {
        status = CLI_OK;
        while ((length = getline(&line, &room, answer)) > 0)
            fwrite(line, (size_t)length, 1, stdout);
    }
    free(line);
    if (answer != NULL)
        fclose(answer);
    return status;
}

static bool connect_to(int end, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int length = snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    return length < (int)sizeof address.sun_path &&
           connect(end, (const struct sockaddr *)&address, sizeof address) == 0;
}

/* Of several servers with this database on this machine, whichever answers; they have the number of their process in
 * the name of the socket. */
static bool connect_to_any(int end, const char *path)
{
    char pattern[PATH_MAX];
    glob_t found;
    bool connected = false;
    snprintf(pattern, sizeof pattern, "%s-*", path);
    if (!store_is_postgres(database) || glob(pattern, 0, NULL, &found) != 0)
        return connect_to(end, path);
    for (size_t at = 0; at < found.gl_pathc && !connected; at++)
        connected = connect_to(end, found.gl_pathv[at]);
    globfree(&found);
    return connected;
}

static int run(const cli_words *words)
{
    char path[sizeof((struct sockaddr_un *)0)->sun_path];
    gral_error error;
    char usual[PATH_MAX];
    if (database == NULL) {
        if (!store_place(usual, sizeof usual, store_usual_file, false, &error))
            return complain(language_of(error.message));
        database = usual;
    }
    if (!store_socket_of(database, path, sizeof path))
        return cli_misused(words->command, _("a server with this database has no socket"));
    const int end = socket(AF_UNIX, SOCK_STREAM, 0);
    if (end < 0 || !connect_to_any(end, path)) {
        const bool nobody = errno == ENOENT || errno == ECONNREFUSED;
        const int status = complain(nobody ? _("no server is running with this database") : strerror(errno));
        if (end >= 0)
            close(end);
        return status;
    }
    if (send_words(end, words->word))
        return print_answer(end);
    close(end);
    return complain(strerror(errno));
}

const cli_command command_admin = {
    .name = "admin",
    .arguments = "COMMAND [WORD...]",
    .words_least = 1,
    .words_most = WORDS_MAX,
    .summary = N_("manage a running server"),
    .description = N_(
        "Asks a running server to do something, and prints its answer, columns separated by tabs. Run it as the user "
        "who runs the server: it uses a socket beside the database. Every change is written to the audit log.\n\n"
        "people [TEXT]: lists everyone, or those whose name contains TEXT. rename NAME NEW. password NAME: sets a new "
        "password and prints it. delete NAME.\n\n"
        "ban NAME [DAYS], unban NAME: this person can't log in. mute NAME [DAYS], unmute NAME: this person can't chat. "
        "bar NETWORK [DAYS], unbar NETWORK, networks: nobody can connect from 192.0.2.0/24. Without DAYS it lasts "
        "until it is lifted.\n\n"
        "forbid WORD, allow WORD, words: words that nobody may use in chat and names.\n\n"
        "tables [NAME]: all tables whose game is not over, with their age and the time since something happened there, "
        "in days. close TABLE. tournaments: those that are not over. cancel TOURNAMENT: it will not take place, its "
        "games end, and everyone in it is told.\n\n"
        "reports [all]: what players complain about. done NUMBER: marks one as dealt with.\n\n"
        "notice TEXT: tells everyone who is connected. day [2026-11-17]: figures of a day. audit: what was done "
        "with this command."),
    .options = options,
    .run = run,
};
