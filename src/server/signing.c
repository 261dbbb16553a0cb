#include "server/signing.h"

#include "server/memory.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DIGITS_OF_SIGNER = 2 * GRAL_SIGNER_BYTES,
    DIGITS_OF_SIGNATURE = 2 * GRAL_SIGNATURE_BYTES,
    DIGITS_OF_SEED = 2 * crypto_sign_SEEDBYTES,
    STATEMENT_MAX = 256
};

struct signing {
    gral_listed_signer *list; /* the last one signs */
    size_t count;
    uint8_t secret[crypto_sign_SECRETKEYBYTES];
    gral_span words; /* the published list */
    bool damaged;    /* while it is read */
    signing *before;
};

/* --- as they stand in the store: key and endorsement in the text, the seed of the newest as its secret --- */

static bool read_signer(void *context, uint32_t number, int64_t time, gral_span text, gral_span secret)
{
    signing *signing = context;
    signing->list = memory_grow(signing->list, (signing->count + 1) * sizeof *signing->list);
    gral_listed_signer *listed = &signing->list[signing->count++];
    *listed = (gral_listed_signer){.number = number, .time = (uint64_t)time / 1000};
    uint8_t seed[crypto_sign_SEEDBYTES];
    gral_signer made = {{0}};
    signing->damaged |= number != signing->count || text.length != DIGITS_OF_SIGNER + DIGITS_OF_SIGNATURE;
    if (signing->damaged)
        return false;
    signing->damaged |= !gral_bytes_parse((gral_span){text.bytes, DIGITS_OF_SIGNER}, listed->signer.bytes,
                                          GRAL_SIGNER_BYTES) ||
                        !gral_bytes_parse((gral_span){text.bytes + DIGITS_OF_SIGNER, DIGITS_OF_SIGNATURE},
                                          listed->endorsement.bytes, GRAL_SIGNATURE_BYTES);
    if (secret.length == 0)
        return true;
    signing->damaged |= !gral_bytes_parse(secret, seed, sizeof seed) ||
                        crypto_sign_seed_keypair(made.bytes, signing->secret, seed) != 0 ||
                        memcmp(made.bytes, listed->signer.bytes, GRAL_SIGNER_BYTES) != 0;
    sodium_memzero(seed, sizeof seed);
    return true;
}

static bool write_signer(store *store, const gral_listed_signer *listed, const uint8_t seed[crypto_sign_SEEDBYTES],
                         int64_t time, gral_error *error)
{
    char text[DIGITS_OF_SIGNER + DIGITS_OF_SIGNATURE + 1], secret[DIGITS_OF_SEED + 1];
    gral_text words = gral_text_in(text, sizeof text), hidden = gral_text_in(secret, sizeof secret);
    gral_bytes_print(&words, listed->signer.bytes, GRAL_SIGNER_BYTES);
    gral_bytes_print(&words, listed->endorsement.bytes, GRAL_SIGNATURE_BYTES);
    gral_bytes_print(&hidden, seed, crypto_sign_SEEDBYTES);
    store_write write = {.kind = STORE_NEW_SIGNER,
                         .number = listed->number,
                         .time = time,
                         .text = {text, words.length},
                         .signing_key = secret};
    /* A conflict: another server has made one at the same moment. */
    const bool written = store->kind->commit(store, &write, 1, error) &&
                         (write.outcome == STORE_DONE || write.outcome == STORE_CONFLICT);
    sodium_memzero(secret, sizeof secret);
    return written;
}

/* --- a new key --- */

static gral_signature endorse(const signing *signing, const gral_listed_signer *listed)
{
    char bytes[STATEMENT_MAX];
    gral_text text = gral_text_in(bytes, sizeof bytes);
    gral_signer_statement(&text, listed);
    return signing->count > 0 ? signing_sign(signing, (gral_span){bytes, text.length}) : (gral_signature){{0}};
}

static bool make_signer(signing *signing, store *store, int64_t time, gral_error *error)
{
    gral_listed_signer listed = {.number = (uint32_t)signing->count + 1, .time = (uint64_t)time / 1000};
    uint8_t seed[crypto_sign_SEEDBYTES], secret[crypto_sign_SECRETKEYBYTES];
    randombytes_buf(seed, sizeof seed);
    crypto_sign_seed_keypair(listed.signer.bytes, secret, seed);
    listed.endorsement = endorse(signing, &listed);
    const bool written = write_signer(store, &listed, seed, time, error);
    sodium_memzero(seed, sizeof seed);
    sodium_memzero(secret, sizeof secret);
    return written;
}

/* --- all of it --- */

static bool say(gral_error *error, const char *words)
{
    *error = (gral_error){0};
    gral_text text = gral_text_in(error->message, sizeof error->message);
    gral_text_add(&text, words);
    return false;
}

/* What is in the store, from nothing. */
static bool read_all(signing *signing, store *store, gral_error *error)
{
    signing->count = 0;
    if (!store->kind->signers(store, read_signer, signing, error))
        return false;
    const bool usable = signing->count == 0 || !sodium_is_zero(signing->secret, sizeof signing->secret);
    return (!signing->damaged && usable) || say(error, "the key for signing records is damaged in the database");
}

static void print_list(gral_text *text, const void *context)
{
    const signing *signing = context;
    gral_signers_print(text, signing->list, signing->count);
}

signing *signing_open(store *store, bool renew, int64_t time, gral_error *error)
{
    signing *signing = memory_get(sizeof *signing);
    *error = (gral_error){0};
    bool right = read_all(signing, store, error);
    if (right && (renew || signing->count == 0))
        right = make_signer(signing, store, time, error) && read_all(signing, store, error);
    if (!right) {
        signing_close(signing);
        return NULL;
    }
    signing->words = memory_print(print_list, signing);
    return signing;
}

signing *signing_again(signing *before, store *store)
{
    gral_error error;
    signing *now = signing_open(store, false, 0, &error);
    if (now == NULL || now->count == before->count) {
        signing_close(now);
        return before;
    }
    now->before = before;
    return now;
}

void signing_close(signing *signing)
{
    if (signing == NULL)
        return;
    signing_close(signing->before);
    sodium_memzero(signing->secret, sizeof signing->secret);
    free(signing->list);
    free((char *)signing->words.bytes);
    free(signing);
}

const gral_signer *signing_signer(const signing *signing)
{
    return &signing->list[signing->count - 1].signer;
}

gral_signature signing_sign(const signing *signing, gral_span bytes)
{
    gral_signature signature;
    crypto_sign_detached(signature.bytes, NULL, (const uint8_t *)bytes.bytes, bytes.length, signing->secret);
    return signature;
}

gral_span signing_list(const signing *signing)
{
    return signing->words;
}
