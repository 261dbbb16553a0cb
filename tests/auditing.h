/* Records with seals, checks and signatures, made, changed and audited in a few words. */
#ifndef GRAL_TESTS_AUDITING_H
#define GRAL_TESTS_AUDITING_H

#include "scene.h"

#include "fair/blake2b.h"
#include "fair/ed25519.h"

#include <sodium.h>

enum { TEXT_MAX = 1 << 15 };

typedef struct words {
    char bytes[TEXT_MAX];
    size_t length;
} words;

/* A whole small game: two openings, an assignment of a unit, one of nothing, and the way home. */
extern const char small_game[];

/* Where its lines are once it is sealed. */
enum {
    LINE_GAME = 9,
    LINE_SEAL1_1,
    LINE_SALT1_1,
    LINE_SEAL2_1,
    LINE_SEAL1_2 = 14,
    LINE_SEAL2_2 = 16,
    LINE_RESULT = 18,
    LINE_BLANK,
    LINE_FIRST_PLACE,
    LINE_SECOND_PLACE = 24,
    LINE_SECOND_DONE,
    LINE_LAST = 33
};

/* A key pair made of bytes that all are `seed`. */
typedef struct pair {
    gral_signer signer;
    uint8_t secret[crypto_sign_SECRETKEYBYTES];
} pair;

gral_span span(const words *words);
words read_file(const char *path_from_data);
void write_file(const char *path, const words *words);
gral_salt salt_of(unsigned seat, uint32_t number);
/* The record with the tags of all its seals, as a host makes them. */
words sealed(const char *source);
words checked(const words *source);
words words_of(const char *source);
/* `length` bytes at a place become others. */
words changed(const words *source, size_t at, size_t length, const char *other);
words replaced(const words *source, const char *old, const char *new);
unsigned line_at(const words *words, size_t at);
/* The bytes of one line, counted from 1, with its end. */
gral_span line_of(const words *words, unsigned number);
words without_line(const words *source, unsigned number);
void expect_right(const words *file, bool checks, unsigned seals, size_t actions);
void expect_wrong(const words *file, unsigned line, const char *message);
/* Somebody changed the record and made new checks for it. */
void expect_wrong_with_new_checks(const words *record, unsigned line, const char *message);
void expect_digits(const uint8_t *bytes, const char *digits);
pair pair_of(uint8_t seed);
gral_signature sign(const pair *pair, gral_span bytes);
/* The record as a server with this key gives it out. */
words signed_by(const pair *pair, const words *record);
words named_game(void);
/* What everybody saw of it after so many public actions, with the seals of the openings. */
words open_part(const words *record, unsigned actions);
words signed_and_checked(const words *record);

#endif
