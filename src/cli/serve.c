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

/* All that can be chosen, in one piece: so it can be put back. */
static struct chosen {
    server_settings server;
    const char *config, *level;
    bool opens, room;
} chosen;

enum { DAYS_MAX = 36500, COUNT_MAX = 100000000, THINKERS_MAX = 256 };

static const cli_option options[] = {
    {"config", "FILE", N_("read options from this file as well, one per line: the name and its value"), CLI_FILE,
     .text = &chosen.config},
    {"address", "ADDRESS", N_("listen on this address; '*' for all"), CLI_TEXT, .text = &chosen.server.web.address,
     .usual = "127.0.0.1"},
    {"port", "N", N_("listen on this port; 0 for any free one"), CLI_NUMBER, .number = &chosen.server.web.port,
     .most = 65535, .usual = "8080"},
    {"open", NULL, N_("play on this machine: open a browser, and use another port if 8080 is taken"), CLI_SWITCH,
     .on = &chosen.opens},
    {"room", NULL, N_("play in one room: like --open, for all phones in the local network"), CLI_SWITCH,
     .on = &chosen.room},
    {"database", "FILE",
     N_("where games and accounts are kept: a file, 'postgres://HOST/NAME', or 'memory', which keeps nothing"),
     CLI_FILE, .text = &chosen.server.database},
    {"print", "FOLDER", N_("offer the PDFs in this folder for printing"), CLI_FILE, .text = &chosen.server.print,
     .usual = GRAL_PRINT},
    {"certificate", "FILE", N_("use TLS with this certificate chain (PEM)"), CLI_FILE,
     .text = &chosen.server.web.certificate, .live = true},
    {"key", "FILE", N_("the certificate's private key (PEM)"), CLI_FILE, .text = &chosen.server.web.key, .live = true},
    {"new-key", NULL, N_("sign records with a new key from now on; the old key signs the new one"), CLI_SWITCH,
     .on = &chosen.server.new_key},
    {"behind-proxy", NULL, N_("trust the proxy's X-Forwarded-For, -Host and -Proto headers"), CLI_SWITCH,
     .on = &chosen.server.web.behind_proxy},
    {"origins", "LIST", N_("allow pages from these origins as well, e.g. 'https://gral.example'"), CLI_TEXT,
     .text = &chosen.server.web.origins, .live = true},
    {"thinkers", "N", N_("threads for computer players; by default one per core"), CLI_NUMBER,
     .number = &chosen.server.thinkers, .least = 1, .most = THINKERS_MAX},
    {"rate", "N", N_("messages per second and person, with bursts of ten times that; 0 for no limit"), CLI_NUMBER,
     .number = &chosen.server.rate, .most = 1000000, .usual = "20", .live = true},
    {"connections", "N", N_("maximum number of connections"), CLI_NUMBER, .number = &chosen.server.web.connections_max,
     .least = 1, .most = 1000000, .usual = "10000"},
    {"connections-per-address", "N", N_("maximum number of connections from one address"), CLI_NUMBER,
     .number = &chosen.server.web.connections_per_address, .least = 1, .most = 1000000, .usual = "100", .live = true},
    {"message-max", "BYTES", N_("maximum length of a message"), CLI_NUMBER, .number = &chosen.server.web.message_max,
     .least = 1024, .most = 1 << 24, .usual = "16384", .live = true},
    {"queue-max", "BYTES", N_("disconnect clients with this much unread data"), CLI_NUMBER,
     .number = &chosen.server.web.queue_max, .least = 16384, .most = 1 << 30, .usual = "1048576", .live = true},
    {"idle", "SECONDS", N_("ping silent connections after this time"), CLI_NUMBER,
     .number = &chosen.server.web.idle_seconds, .least = 1, .most = 3600, .usual = "30", .live = true},
    {"patience", "SECONDS", N_("time for a request or message to arrive completely"), CLI_NUMBER,
     .number = &chosen.server.web.patience_seconds, .least = 1, .most = 3600, .usual = "10", .live = true},
    {"tables", "N", N_("maximum number of tables"), CLI_NUMBER, .number = &chosen.server.tables_max, .least = 1,
     .most = COUNT_MAX, .usual = "100000"},
    {"tables-per-user", "N", N_("maximum number of tables per person"), CLI_NUMBER,
     .number = &chosen.server.tables_per_user, .least = 1, .most = COUNT_MAX, .usual = "50", .live = true},
    {"computers-per-user", "N", N_("maximum number of computer players at one person's tables"), CLI_NUMBER,
     .number = &chosen.server.computers_per_user, .most = COUNT_MAX, .usual = "60", .live = true},
    {"open-days", "DAYS", N_("close tables that have not started after this long without a player; 0 for never"),
     CLI_NUMBER, .number = &chosen.server.open_days, .most = DAYS_MAX, .usual = "1", .live = true},
    {"solo-days", "DAYS", N_("the same for games of one person; 0 for never"), CLI_NUMBER,
     .number = &chosen.server.solo_days, .most = DAYS_MAX, .usual = "14", .live = true},
    {"idle-days", "DAYS", N_("the same for games of several people; 0 for never"), CLI_NUMBER,
     .number = &chosen.server.idle_days, .most = DAYS_MAX, .usual = "90", .live = true},
    {"sleep-after", "SECONDS", N_("take games that nobody looks at out of memory after this long; 0 for never"),
     CLI_NUMBER, .number = &chosen.server.sleep_seconds, .most = 86400, .usual = "600", .live = true},
    {"absent", "SECONDS", N_("how long a player must be away before the others may replace them"), CLI_NUMBER,
     .number = &chosen.server.absent_seconds, .most = 1000000, .usual = "60", .live = true},
    {"guest-days", "DAYS", N_("remove guests after this long without a visit; 0 for never"), CLI_NUMBER,
     .number = &chosen.server.guest_days, .most = DAYS_MAX, .usual = "30", .live = true},
    {"session-days", "DAYS", N_("log out devices after this long without use; 0 for never"), CLI_NUMBER,
     .number = &chosen.server.session_days, .most = DAYS_MAX, .usual = "90", .live = true},
    {"token-days", "DAYS", N_("revoke programs' tokens after this long without use; 0 for never"), CLI_NUMBER,
     .number = &chosen.server.token_days, .most = DAYS_MAX, .usual = "365", .live = true},
    {"still-days", "DAYS", N_("close games without a clock in which nothing has happened for this long; 0 for never"),
     CLI_NUMBER, .number = &chosen.server.still_days, .most = DAYS_MAX, .usual = "365", .live = true},
    {"game-days", "DAYS", N_("delete games this long after their end, except rated ones; 0 for never"), CLI_NUMBER,
     .number = &chosen.server.game_days, .most = DAYS_MAX, .usual = "0", .live = true},
    {"tournament-days", "DAYS", N_("delete tournaments this long after their end; 0 for never"), CLI_NUMBER,
     .number = &chosen.server.tournament_days, .most = DAYS_MAX, .usual = "0", .live = true},
    {"log-days", "DAYS", N_("delete reports and the audit log after this long; 0 for never"), CLI_NUMBER,
     .number = &chosen.server.log_days, .most = DAYS_MAX, .usual = "365", .live = true},
    {"site", "URL", N_("the public address of this server, for links in mail"), CLI_TEXT, .text = &chosen.server.site},
    {"smtp", "URL",
     N_("send mail through this server, e.g. 'smtps://mail.example' or 'smtp://mail.example:587', always with TLS"),
     CLI_TEXT, .text = &chosen.server.smtp},
    {"smtp-user", "NAME", N_("log in to the mail server with this name"), CLI_TEXT, .text = &chosen.server.smtp_user},
    {"smtp-password", "FILE", N_("with the password in this file"), CLI_FILE,
     .text = &chosen.server.smtp_password_file},
    {"mail-from", "ADDRESS", N_("the sender of all mail"), CLI_TEXT, .text = &chosen.server.mail_from},
    {"push-contact", "URL",
     N_("offer push notifications; push services report problems here, e.g. 'mailto:me@example.org'"), CLI_TEXT,
     .text = &chosen.server.push_contact},
    {"push-networks", "LIST", N_("push services may also be in these private networks, e.g. '10.0.0.0/8'"), CLI_TEXT,
     .text = &chosen.server.push_networks},
    {"authorities", "FILE", N_("trust these certificates (PEM) for mail and push, not the system's"), CLI_FILE,
     .text = &chosen.server.authorities},
    {"tell-after", "SECONDS",
     N_("wait this long before telling people by mail or push, in case they notice themselves"), CLI_NUMBER,
     .number = &chosen.server.tell_seconds, .most = 86400, .usual = "60", .live = true},
    {"retry", "SECONDS", N_("try again after this long if mail or push fails, then each time four times as long"),
     CLI_NUMBER, .number = &chosen.server.retry_seconds, .least = 1, .most = 86400, .usual = "60", .live = true},
    {"drain-seconds", "SECONDS",
     N_("when stopped while other servers run, keep going this long with /healthz at 503, so that load balancers "
        "notice"),
     CLI_NUMBER, .number = &chosen.server.drain_seconds, .most = 3600, .usual = "0", .live = true},
    {"log-addresses", NULL, N_("log where failed logins come from, for fail2ban"), CLI_SWITCH,
     .on = &chosen.server.log_addresses, .live = true},
    {"log", "error|warning|info|debug", N_("how much to log"), CLI_CHOICE, .text = &chosen.level, .usual = "info",
     .live = true},
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

/* The first is this machine's own, or what it was told to listen on. */
static void tell_address(unsigned port, const web_address others[], unsigned count)
{
    const bool six = strchr(shown_address, ':') != NULL;
    char address[300];
    snprintf(address, sizeof address, "%s://%s%s%s:%u/", shown_secure ? "https" : "http", six ? "[" : "", shown_address,
             six ? "]" : "", port);
    printf("gral serve: %s\n", address);
    for (unsigned index = 0; index < count; index++)
        if (strcmp(others[index].url, address) != 0)
            printf("gral serve: %s\n", others[index].url);
    fflush(stdout);
    if (chosen.room)
        snprintf(address + strlen(address), sizeof address - strlen(address), "#/room");
    if (chosen.opens || chosen.room)
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

/* --- while it runs --- */

static const cli_words *words_given;
static char default_path[PATH_MAX];

/* What the options leave open. */
static bool complete(gral_error *error)
{
    server_settings *server = &chosen.server;
    if ((server->web.certificate == NULL) != (server->web.key == NULL)) {
        snprintf(error->message, sizeof error->message, "%s", _("--certificate and --key go together"));
        return false;
    }
    server->translate = language_in;
    if (server->thinkers == 0)
        server->thinkers = cli_cores(THINKERS_MAX);
    if (server->database == NULL) {
        if (!store_place(default_path, sizeof default_path, store_usual_file, true, error))
            return false;
        server->database = default_path;
    }
    if (strcmp(server->web.address, "*") == 0)
        server->web.address = NULL;
    log_set_level((enum log_level)log_level_named(chosen.level));
    return true;
}

static bool is_same_text(const char *one, const char *other)
{
    return one == other || (one != NULL && other != NULL && strcmp(one, other) == 0);
}

/* Where the value of an option was in what was chosen before. */
static void *place_in(struct chosen *before, const cli_option *option)
{
    return (char *)before + ((char *)option->on - (char *)&chosen);
}

/* Whether it has changed; then it is what it was. */
static bool put_back(const cli_option *option, struct chosen *before)
{
    void *old = place_in(before, option);
    const bool was = option->kind == CLI_SWITCH   ? *option->on == *(bool *)old
                     : option->kind == CLI_NUMBER ? *option->number == *(uint32_t *)old
                                                  : is_same_text(*option->text, *(const char **)old);
    if (option->kind == CLI_SWITCH)
        *option->on = *(bool *)old;
    else if (option->kind == CLI_NUMBER)
        *option->number = *(uint32_t *)old;
    else
        *option->text = *(const char **)old;
    return !was;
}

/* The file anew, or what there was. What cannot change while it runs is said, and stays. */
static const server_settings *reload(gral_error *error)
{
    struct chosen before = chosen;
    if (before.config != NULL && !(cli_read_settings(words_given, before.config, error) && complete(error))) {
        chosen = before;
        return NULL;
    }
    for (const cli_option *option = options; option->name != NULL; option++)
        if (!option->live && put_back(option, &before))
            log_line(LOG_WARNING, "reload", "needs-restart=%s", option->name);
    return &chosen.server;
}

static int fail(const gral_error *error)
{
    fprintf(stderr, "gral serve: %s\n", error->message);
    return CLI_FAILED;
}

static int serve(const cli_words *words)
{
    gral_error error;
    words_given = words;
    if (chosen.config != NULL && !cli_read_settings(words, chosen.config, &error))
        return cli_misused(words->command, "%s", error.message);
    const web_settings *web = &chosen.server.web;
    if (chosen.room && !cli_given(words, "address"))
        chosen.server.web.address = "*";
    shown_address = strcmp(web->address, "*") == 0 ? "localhost" : web->address;
    shown_secure = web->certificate != NULL;
    if ((chosen.opens || chosen.room) && !cli_given(words, "port") && is_port_taken(web->port))
        chosen.server.web.port = 0;
    if (shown_secure != (web->key != NULL))
        return cli_misused(words->command, _("--certificate and --key go together"));
    if (!complete(&error) || !server_run(&chosen.server, tell_address, reload, &error))
        return fail(&error);
    return CLI_OK;
}

const cli_command command_serve = {
    .name = "serve",
    .arguments = "",
    .summary = N_("run a game server"),
    .description = N_("A complete game server: lobby, tables, computer players, chat, spectators and records, with its "
                      "own database. Stop it in any way and start it again: every game continues where it was.\n\n"
                      "It prints its address on standard output when it is ready, and logs to standard error, never "
                      "with a secret in it. SIGTERM stops it cleanly; SIGHUP reads the file of --config and the "
                      "certificate again. /healthz says whether all is well, /metrics has "
                      "figures for Prometheus. 'gral backup' copies the database while the server runs.\n\n"
                      "To serve other machines, use a certificate, or a proxy that has one. docs/server.md is the "
                      "guide for operators, docs/protocol.md describes the protocol."),
    .options = options,
    .run = serve,
};
