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

static server_settings settings;
static const char *level;
static bool opens;

enum { DAYS_MAX = 36500, COUNT_MAX = 100000000, THINKERS_MAX = 256 };

static const cli_option options[] = {
    {"address", "ADDRESS", N_("listen on this address; '*' for all"), CLI_TEXT, .text = &settings.web.address,
     .usual = "127.0.0.1"},
    {"port", "N", N_("listen on this port; 0 for any free one"), CLI_NUMBER, .number = &settings.web.port,
     .most = 65535, .usual = "8080"},
    {"open", NULL, N_("play on this machine: open a browser, and use another port if 8080 is taken"), CLI_SWITCH,
     .on = &opens},
    {"database", "FILE", N_("where games and accounts are kept; 'memory' keeps nothing"), CLI_FILE,
     .text = &settings.database},
    {"certificate", "FILE", N_("use TLS with this certificate chain (PEM)"), CLI_FILE,
     .text = &settings.web.certificate},
    {"key", "FILE", N_("the certificate's private key (PEM)"), CLI_FILE, .text = &settings.web.key},
    {"new-key", NULL, N_("sign records with a new key from now on; the old key signs the new one"), CLI_SWITCH,
     .on = &settings.new_key},
    {"behind-proxy", NULL, N_("trust the proxy's X-Forwarded-For, -Host and -Proto headers"), CLI_SWITCH,
     .on = &settings.web.behind_proxy},
    {"origins", "LIST", N_("allow pages from these origins as well, e.g. 'https://gral.example'"), CLI_TEXT,
     .text = &settings.web.origins},
    {"thinkers", "N", N_("threads for computer players; by default one per core"), CLI_NUMBER,
     .number = &settings.thinkers, .least = 1, .most = THINKERS_MAX},
    {"rate", "N", N_("messages per second and person, with bursts of ten times that; 0 for no limit"), CLI_NUMBER,
     .number = &settings.rate, .most = 1000000, .usual = "20"},
    {"connections", "N", N_("maximum number of connections"), CLI_NUMBER, .number = &settings.web.connections_max,
     .least = 1, .most = 1000000, .usual = "10000"},
    {"connections-per-address", "N", N_("maximum number of connections from one address"), CLI_NUMBER,
     .number = &settings.web.connections_per_address, .least = 1, .most = 1000000, .usual = "100"},
    {"message-max", "BYTES", N_("maximum length of a message"), CLI_NUMBER, .number = &settings.web.message_max,
     .least = 1024, .most = 1 << 24, .usual = "16384"},
    {"queue-max", "BYTES", N_("disconnect clients with this much unread data"), CLI_NUMBER,
     .number = &settings.web.queue_max, .least = 16384, .most = 1 << 30, .usual = "1048576"},
    {"idle", "SECONDS", N_("ping silent connections after this time"), CLI_NUMBER, .number = &settings.web.idle_seconds,
     .least = 1, .most = 3600, .usual = "30"},
    {"patience", "SECONDS", N_("time for a request or message to arrive completely"), CLI_NUMBER,
     .number = &settings.web.patience_seconds, .least = 1, .most = 3600, .usual = "10"},
    {"tables", "N", N_("maximum number of tables"), CLI_NUMBER, .number = &settings.tables_max, .least = 1,
     .most = COUNT_MAX, .usual = "100000"},
    {"tables-per-user", "N", N_("maximum number of tables per person"), CLI_NUMBER, .number = &settings.tables_per_user,
     .least = 1, .most = COUNT_MAX, .usual = "50"},
    {"computers-per-user", "N", N_("maximum number of computer players at one person's tables"), CLI_NUMBER,
     .number = &settings.computers_per_user, .most = COUNT_MAX, .usual = "60"},
    {"open-days", "DAYS", N_("close tables that have not started after this long without a player; 0 for never"),
     CLI_NUMBER, .number = &settings.open_days, .most = DAYS_MAX, .usual = "1"},
    {"solo-days", "DAYS", N_("the same for games of one person; 0 for never"), CLI_NUMBER,
     .number = &settings.solo_days, .most = DAYS_MAX, .usual = "14"},
    {"idle-days", "DAYS", N_("the same for games of several people; 0 for never"), CLI_NUMBER,
     .number = &settings.idle_days, .most = DAYS_MAX, .usual = "90"},
    {"absent", "SECONDS", N_("how long a player must be away before the others may replace them"), CLI_NUMBER,
     .number = &settings.absent_seconds, .most = 1000000, .usual = "60"},
    {"guest-days", "DAYS", N_("remove guests after this long without a visit; 0 for never"), CLI_NUMBER,
     .number = &settings.guest_days, .most = DAYS_MAX, .usual = "30"},
    {"session-days", "DAYS", N_("log out devices after this long without use; 0 for never"), CLI_NUMBER,
     .number = &settings.session_days, .most = DAYS_MAX, .usual = "90"},
    {"token-days", "DAYS", N_("revoke programs' tokens after this long without use; 0 for never"), CLI_NUMBER,
     .number = &settings.token_days, .most = DAYS_MAX, .usual = "365"},
    {"log", "error|warning|info|debug", N_("how much to log"), CLI_CHOICE, .text = &level, .usual = "info"},
    {0},
};

static const char *shown_address;
static bool shown_secure;

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

static int serve(const cli_words *words)
{
    if (settings.thinkers == 0)
        settings.thinkers = cli_cores(THINKERS_MAX);
    log_set_level((enum log_level)log_level_named(level));
    if ((settings.web.certificate == NULL) != (settings.web.key == NULL))
        return cli_misused(words->command, _("--certificate and --key go together"));

    gral_error error;
    char path[PATH_MAX];
    if (settings.database == NULL) {
        if (!store_place(path, sizeof path, store_usual_file, true, &error)) {
            fprintf(stderr, "gral serve: %s\n", error.message);
            return CLI_FAILED;
        }
        settings.database = path;
    }
    shown_address = strcmp(settings.web.address, "*") == 0 ? "localhost" : settings.web.address;
    shown_secure = settings.web.certificate != NULL;
    if (strcmp(settings.web.address, "*") == 0)
        settings.web.address = NULL;
    if (opens && !cli_given(words, "port") && is_port_taken(settings.web.port))
        settings.web.port = 0;
    if (!server_run(&settings, tell_address, &error)) {
        fprintf(stderr, "gral serve: %s\n", error.message);
        return CLI_FAILED;
    }
    return CLI_OK;
}

const cli_command command_serve = {
    .name = "serve",
    .arguments = "",
    .summary = N_("run a game server"),
    .description = N_("A complete game server: lobby, tables, computer players, chat, spectators and records, with its "
                      "own database. Stop it in any way and start it again: every game continues where it was.\n\n"
                      "It prints its address on standard output when it is ready, and logs to standard error, never "
                      "with a secret in it. SIGTERM stops it cleanly. /healthz says whether all is well, /metrics has "
                      "figures for Prometheus. 'gral backup' copies the database while the server runs.\n\n"
                      "To serve other machines, use a certificate, or a proxy that has one. docs/server.md is the "
                      "guide for operators, docs/protocol.md describes the protocol."),
    .options = options,
    .run = serve,
};
