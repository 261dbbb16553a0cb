/* The server as a command: its options become the server's settings. */
#include "command.h"
#include "server/log.h"
#include "server/server.h"
#include "store/store.h"
#include "terminal/language.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    OPTION_ADDRESS,
    OPTION_PORT,
    OPTION_OPEN,
    OPTION_DATABASE,
    OPTION_CERTIFICATE,
    OPTION_KEY,
    OPTION_NEW_KEY,
    OPTION_PROXY,
    OPTION_ORIGINS,
    OPTION_THINKERS,
    OPTION_RATE,
    OPTION_CONNECTIONS,
    OPTION_PER_ADDRESS,
    OPTION_MESSAGE,
    OPTION_QUEUE,
    OPTION_IDLE,
    OPTION_PATIENCE,
    OPTION_TABLES,
    OPTION_TABLES_PER_USER,
    OPTION_OPEN_DAYS,
    OPTION_SOLO_DAYS,
    OPTION_IDLE_DAYS,
    OPTION_COMPUTERS_PER_USER,
    OPTION_ABSENT,
    OPTION_GUEST_DAYS,
    OPTION_SESSION_DAYS,
    OPTION_TOKEN_DAYS,
    OPTION_LOG,
    OPTION_LANG,
    OPTIONS
};

static const cli_option options[] = {
    [OPTION_ADDRESS] = {"address", "ADDRESS", N_("listen on this address; 127.0.0.1 by default, '*' for all")},
    [OPTION_PORT] = {"port", "N", N_("listen on this port; 8080 by default, 0 for any that is free")},
    [OPTION_OPEN] = {"open", NULL,
                     N_("to play on this machine: open the page in a browser, on another port if 8080 is taken")},
    [OPTION_DATABASE] = {"database", "PATH", N_("where games and people are kept; 'memory' keeps nothing")},
    [OPTION_CERTIFICATE] = {"certificate", "FILE", N_("speak TLS, with this chain of certificates (PEM)")},
    [OPTION_KEY] = {"key", "FILE", N_("the certificate's private key (PEM)")},
    [OPTION_NEW_KEY] = {"new-key", NULL, N_("sign records with a new key from now on; the old key signs it")},
    [OPTION_PROXY] = {"behind-proxy", NULL, N_("trust X-Forwarded-For, -Host and -Proto of the proxy in front")},
    [OPTION_ORIGINS] = {"origins", "LIST",
                        N_("pages of these origins may use the server too, e.g. 'https://gral.example'")},
    [OPTION_THINKERS] = {"thinkers", "N", N_("threads for computer players; by default as many as there are cores")},
    [OPTION_RATE] = {"rate", "N",
                     N_("messages a second from one person, ten times that at once; 20 by default, 0 for no limit")},
    [OPTION_CONNECTIONS] = {"connections", "N", N_("at most so many at the same time; 10000 by default")},
    [OPTION_PER_ADDRESS] = {"connections-per-address", "N", N_("at most so many from one address; 100 by default")},
    [OPTION_MESSAGE] = {"message-max", "BYTES", N_("the longest message; 16384 by default")},
    [OPTION_QUEUE] = {"queue-max", "BYTES", N_("cut off who leaves so much unread; 1048576 by default")},
    [OPTION_IDLE] = {"idle", "SECONDS", N_("ask whether somebody silent is still there; 30 by default")},
    [OPTION_PATIENCE] = {"patience", "SECONDS", N_("for a request or message to be complete; 10 by default")},
    [OPTION_TABLES] = {"tables", "N", N_("at most so many tables in all; 100000 by default")},
    [OPTION_TABLES_PER_USER] = {"tables-per-user", "N", N_("at most so many where one person sits; 50 by default")},
    [OPTION_OPEN_DAYS] =
        {"open-days", "DAYS",
         N_("close tables that have not begun when no player has been there for so long; 1 by default, 0 for never")},
    [OPTION_SOLO_DAYS] = {"solo-days", "DAYS", N_("the same for games of one person; 14 by default, 0 for never")},
    [OPTION_IDLE_DAYS] = {"idle-days", "DAYS", N_("the same for games of several people; 90 by default, 0 for never")},
    [OPTION_COMPUTERS_PER_USER] = {"computers-per-user", "N",
                                   N_("at most so many computer players at one person's tables; 60 by default")},
    [OPTION_ABSENT] = {"absent", "SECONDS", N_("before the others may replace somebody; 60 by default")},
    [OPTION_GUEST_DAYS] = {"guest-days", "DAYS",
                           N_("remove guests who have not been here for so long; 60 by default, 0 for never")},
    [OPTION_SESSION_DAYS] = {"session-days", "DAYS",
                             N_("log out a device that was not used for so long; 400 by default, 0 for never")},
    [OPTION_TOKEN_DAYS] = {"token-days", "DAYS",
                           N_("end a program's token that was not used for so long; 365 by default, 0 for never")},
    [OPTION_LOG] = {"log", "error|warning|info|debug", N_("how much is logged; info by default")},
    [OPTION_LANG] = {"lang", "en|de|fr|it", N_("the language; by default the system's")},
    {0},
};

enum { THINKERS_MAX = 256 };

static const char *shown_address;
static bool shown_secure, opens, port_given;

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0';
}

/* Whatever the desktop uses for addresses; nothing where there is no screen. */
static void open_browser(const char *address)
{
    if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY"))
        return;
    if (fork() != 0)
        return;
    const int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execlp("xdg-open", "xdg-open", address, (char *)NULL);
    _exit(1);
}

static void tell_address(unsigned port)
{
    const bool six = strchr(shown_address, ':') != NULL;
    char address[300];
    snprintf(address, sizeof address, "%s://%s%s%s:%u/", shown_secure ? "https" : "http", six ? "[" : "", shown_address,
             six ? "]" : "", port);
    printf("gral serve: %s\n", address);
    fflush(stdout);
    if (opens)
        open_browser(address);
}

static bool is_port_taken(unsigned port)
{
    const struct sockaddr_in here = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int yes = 1, end = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(end, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    const bool taken = bind(end, (const struct sockaddr *)&here, sizeof here) != 0;
    close(end);
    return taken;
}

static unsigned default_thinkers(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > THINKERS_MAX ? THINKERS_MAX : (unsigned)cores;
}

static bool take_number(cli_words *words, uint32_t least, uint32_t most, unsigned *number, int row)
{
    uint32_t value;
    if (cli_number(words->value, most, &value) && value >= least) {
        *number = value;
        return true;
    }
    words->status = cli_misused(words->command, _("--%s needs a number from %u to %u, not '%s'"), options[row].name,
                                least, most, words->value);
    return false;
}

static bool take_option(cli_words *words, int row, server_settings *settings)
{
    const struct {
        unsigned *number;
        uint32_t least, most;
    } numbers[OPTIONS] = {
        [OPTION_PORT] = {&settings->net.port, 0, 65535},
        [OPTION_THINKERS] = {&settings->thinkers, 1, THINKERS_MAX},
        [OPTION_RATE] = {&settings->rate, 0, 1000000},
        [OPTION_CONNECTIONS] = {&settings->net.connections_max, 1, 1000000},
        [OPTION_PER_ADDRESS] = {&settings->net.connections_per_address, 1, 1000000},
        [OPTION_MESSAGE] = {&settings->net.message_max, 1024, 1 << 24},
        [OPTION_QUEUE] = {&settings->net.queue_max, 16384, 1 << 30},
        [OPTION_IDLE] = {&settings->net.idle_seconds, 1, 3600},
        [OPTION_PATIENCE] = {&settings->net.patience_seconds, 1, 3600},
        [OPTION_TABLES] = {&settings->tables_max, 1, 100000000},
        [OPTION_TABLES_PER_USER] = {&settings->tables_per_user, 1, 100000000},
        [OPTION_OPEN_DAYS] = {&settings->open_days, 0, 36500},
        [OPTION_SOLO_DAYS] = {&settings->solo_days, 0, 36500},
        [OPTION_IDLE_DAYS] = {&settings->idle_days, 0, 36500},
        [OPTION_COMPUTERS_PER_USER] = {&settings->computers_per_user, 0, 100000000},
        [OPTION_ABSENT] = {&settings->absent_seconds, 0, 1000000},
        [OPTION_GUEST_DAYS] = {&settings->guest_days, 0, 100000},
        [OPTION_SESSION_DAYS] = {&settings->session_days, 0, 100000},
        [OPTION_TOKEN_DAYS] = {&settings->token_days, 0, 100000},
    };
    port_given |= row == OPTION_PORT;
    if (numbers[row].number != NULL)
        return take_number(words, numbers[row].least, numbers[row].most, numbers[row].number, row);
    switch (row) {
    case OPTION_ADDRESS:
        settings->net.address = words->value;
        break;
    case OPTION_DATABASE:
        settings->database = words->value;
        break;
    case OPTION_CERTIFICATE:
        settings->net.certificate = words->value;
        break;
    case OPTION_KEY:
        settings->net.key = words->value;
        break;
    case OPTION_NEW_KEY:
        settings->new_key = true;
        break;
    case OPTION_OPEN:
        opens = true;
        break;
    case OPTION_PROXY:
        settings->net.behind_proxy = true;
        break;
    case OPTION_ORIGINS:
        settings->net.origins = words->value;
        break;
    case OPTION_LANG:
        if (language_choose(words->value))
            break;
        words->status = cli_misused(words->command, _("--lang needs en, de, fr or it, not '%s'"), words->value);
        return false;
    default: {
        const int level = log_level_named(words->value);
        if (level < 0) {
            words->status = cli_misused(words->command, _("--log needs error, warning, info or debug, not '%s'"),
                                        words->value);
            return false;
        }
        log_set_level((enum log_level)level);
    }
    }
    return true;
}

static int serve(const cli_command *command, int argc, char **argv)
{
    server_settings settings = {
        .net = {.address = "127.0.0.1",
                .port = 8080,
                .connections_max = 10000,
                .connections_per_address = 100,
                .message_max = 16384,
                .queue_max = 1 << 20,
                .idle_seconds = 30,
                .patience_seconds = 10},
        .rate = 20,
        .tables_max = 100000,
        .tables_per_user = 50,
        .open_days = 1,
        .solo_days = 14,
        .idle_days = 90,
        .computers_per_user = 60,
        .absent_seconds = 60,
        .guest_days = 60,
        .session_days = 400,
        .token_days = 365,
        .thinkers = default_thinkers(),
    };
    cli_words words = cli_read(command, argc, argv);
    int row;
    while ((row = cli_next(&words)) >= 0)
        if (!take_option(&words, row, &settings))
            return words.status;
    if (row == CLI_STOP)
        return words.status;
    if (words.word_count > 0)
        return cli_misused(command, _("unexpected word '%s'"), words.words[0]);
    if ((settings.net.certificate == NULL) != (settings.net.key == NULL))
        return cli_misused(command, _("--certificate and --key go together"));

    gral_error error;
    char path[PATH_MAX];
    if (settings.database == NULL) {
        if (!store_default_address(path, sizeof path, true, &error)) {
            fprintf(stderr, "gral serve: %s\n", error.message);
            return CLI_FAILED;
        }
        settings.database = path;
    }
    shown_address = strcmp(settings.net.address, "*") == 0 ? "localhost" : settings.net.address;
    shown_secure = settings.net.certificate != NULL;
    if (strcmp(settings.net.address, "*") == 0)
        settings.net.address = NULL;
    if (opens && !port_given && is_port_taken(settings.net.port))
        settings.net.port = 0;
    if (!server_run(&settings, tell_address, &error)) {
        fprintf(stderr, "gral serve: %s\n", error.message);
        return CLI_FAILED;
    }
    return CLI_OK;
}

const cli_command serve_command = {
    .name = "serve",
    .arguments = "",
    .summary = N_("let people play each other over the network"),
    .description = N_(
        "A complete game server: lobby, tables, computer players, talk, spectators and records, with a database of its "
        "own. "
        "Stop it in any way and start it again: every game goes on where it was.\n"
        "\n"
        "It prints its address on standard output when it is ready, and one line for everything worth knowing on "
        "standard "
        "error, never with a secret in it. SIGTERM stops it cleanly. /healthz says whether all is well, /metrics has "
        "figures for Prometheus. 'gral backup' copies the database while the server runs.\n"
        "\n"
        "For people elsewhere give it a certificate, or run it behind a proxy that has one. docs/protocol.md describes "
        "what "
        "clients say."),
    .options = options,
    .run = serve,
};
