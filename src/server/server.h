/* The whole server: the door of this room. */
#ifndef GRAL_SERVER_H
#define GRAL_SERVER_H

#include "server/web.h"

typedef struct server_settings {
    web_settings web;
    const char *database;        /* as store_open takes it */
    const char *print;           /* a folder with pages to print, as papers.h has it; it need not be there */
    unsigned rate;               /* what a person may cost a second, in short messages, and ten times that at once; 0
                                    for no limit */
    unsigned tables_per_user;    /* open or played at the same time */
    unsigned computers_per_user; /* at his tables that are not over */
    unsigned tables_max;         /* in all */
    unsigned open_days;          /* until a table that has not begun is given up, when nobody has been there; 0 for
                                    never, here and below */
    unsigned solo_days;          /* the same for a game of one person, */
    unsigned idle_days;          /* and of several */
    unsigned sleep_seconds;      /* until a game leaves memory that nobody needs there; 0 for never */
    unsigned guest_days;         /* without being here, until a guest is cleared away */
    unsigned session_days;       /* without being used, until a session or a known device ends */
    unsigned token_days;         /* and a token for programs */
    unsigned absent_seconds;     /* before the others may vote somebody out */
    unsigned thinkers;           /* threads for computer players */
    bool log_addresses;          /* of failed logins, for fail2ban */
    unsigned still_days;         /* until a game without a clock is given up in which nothing happens, whoever looks */
    unsigned game_days;          /* until a game that is over goes, unless it was rated */
    unsigned tournament_days;    /* and a tournament */
    unsigned log_days;           /* until reports and lines of the audit log go */
    const char *site;            /* where people find this server, for links in mail; NULL: they get none */
    const char *smtp;            /* as post.h has it, and the next */
    const char *smtp_user, *smtp_password_file, *mail_from;
    const char *push_contact;  /* "mailto:…" or "https:…", for push services; NULL: there is no push */
    const char *push_networks; /* separated by blanks: allowed although they are not public; NULL for none */
    const char *authorities;
    unsigned tell_seconds;  /* for somebody to notice by himself */
    unsigned retry_seconds; /* until what could not be sent is tried again; longer each time */
    const char *(*translate)(const char *language, const char *words);
    bool new_key;           /* sign records with a new key from now on */
    unsigned drain_seconds; /* from when it is to stop until it does, where other servers take over */
} server_settings;

/* Serves until SIGTERM or SIGINT. `ready` is called once when everything is up, with the port and where
 * other machines find it. On SIGHUP `reload` says
 * what the settings are from now on, NULL and an error for what they were, and the certificate is read again; settings
 * that cannot change while it runs (address, port, database, proxy, connections, tables, thinkers) must be the same.
 * True if all went well; else the error says why it could not start. */
bool server_run(const server_settings *settings,
                void (*ready)(unsigned port, const web_address others[], unsigned count),
                const server_settings *(*reload)(gral_error *error), gral_error *error);

#endif
