/* A host told in a few words, so that a test reads like what happens at the table.
 *
 *     gral_host *host = host_of("players=2 game=g");           nobody sits there yet
 *     host_seat(host);                                         users 101, 102 … on the seats of persons
 *     host_give(host, 5, "do 1 S done | do 2 S done");         inputs at this time, each must be legal; S is a salt
 *     host_refuse(host, 6, "do 2 pass", GRAL_HOST_TURN);       refused for this reason, and nothing has changed
 *     host_hears(host, 1, "1: done | seal 1 1 | 2: done | seal 2 1");      the newest a viewer has heard (0: who
 *                                                                          only watches)
 *
 * Everything fails with the line of the test that called it. */
#ifndef GRAL_TESTS_HOSTING_H
#define GRAL_TESTS_HOSTING_H

#include "scene.h"

enum { HOST_TEXT_MAX = 1 << 17 };

gral_host *host_at(const char *terms, const char *file, int line);
void host_seat(gral_host *host);
gral_input host_input_at(const char *words, const char *file, int line);
void host_give_at(gral_host *host, int64_t time, const char *inputs, const char *file, int line);
void host_refuse_at(gral_host *host, int64_t time, const char *input, enum gral_host_refusal refusal, const char *file,
                    int line);
void host_hears_at(const gral_host *host, unsigned seat, const char *happenings, const char *file, int line);

/* Everybody sits down and opens with these placements: "" or "place 10 T1; place 5 T1", one text a seat. At the time 0
 * the opening is over. */
gral_host *host_opened_at(const char *terms, const char *file, int line, size_t texts, const char *const text[]);

/* All that a viewer can get from the host: his view, options, orders and happenings, the round, the seats, the version,
 * when what comes by itself is due, and the record. Without the bytes of the seals, which are new in every game. */
void host_tell_all(const gral_host *host, unsigned viewer, gral_text *text);

void host_tell_happening(gral_text *text, const gral_happening *happening);

#define host_of(terms)                host_at(terms, __FILE__, __LINE__)
#define host_input(words)             host_input_at(words, __FILE__, __LINE__)
#define host_give(host, time, inputs) host_give_at(host, time, inputs, __FILE__, __LINE__)
#define host_refuse(host, time, input, r)                                                                              \
    host_refuse_at(host, time, input, (enum gral_host_refusal)(r), __FILE__, __LINE__)
#define host_hears(host, seat, happenings) host_hears_at(host, seat, happenings, __FILE__, __LINE__)
#define host_opened(terms, ...)                                                                                        \
    host_opened_at(terms, __FILE__, __LINE__, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *),       \
                   (const char *const[]){__VA_ARGS__})

#endif
