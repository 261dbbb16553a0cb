/* Any bytes as a record to audit: refused with a line and a reason, or right; and with checks of its own what is right
 * stays right, and agrees with itself. The same bytes as a list of keys. */
#include "fair/blake2b.h"
#include "fair/ed25519.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds)
{
    if (!holds)
        abort();
}

/* libFuzzer's inputs cannot hold real hashes. Under this one they need not: it is a sum of the bytes and their places.
 */
static void weak_hash(const void *bytes, size_t length, uint8_t digest[GRAL_SEAL_BYTES])
{
    memset(digest, 0, GRAL_SEAL_BYTES);
    for (size_t at = 0; at < length; at++)
        digest[at % 2] = (uint8_t)(digest[at % 2] + ((const uint8_t *)bytes)[at]);
}

/* Nor real signatures: this one is right when it ends like the key. */
static bool weak_check(const gral_signer *signer, gral_span bytes, const gral_signature *signature)
{
    return bytes.length > 0 && signature->bytes[GRAL_SIGNATURE_BYTES - 1] == signer->bytes[GRAL_SIGNER_BYTES - 1];
}

static bool audited(gral_span file, gral_blake2b *hash, gral_audit *audit)
{
    gral_error error = {0};
    gral_ed25519 *check = hash == fair_blake2b ? fair_ed25519 : weak_check;
    const bool right = gral_audit_record(file, hash, check, audit, &error);
    expect(right || (error.line > 0 && error.column > 0 && error.message[0] != '\0'));
    return right;
}

static void expect_right_with_checks(gral_span file, gral_blake2b *hash)
{
    gral_text measure = gral_text_in((char[1]){0}, 1);
    gral_checks_add(&measure, file, hash);
    char *bytes = malloc(measure.length + 1);
    expect(bytes != NULL);
    gral_text text = gral_text_in(bytes, measure.length + 1);
    gral_checks_add(&text, file, hash);
    gral_audit audit;
    expect(audited((gral_span){bytes, text.length}, hash, &audit) && audit.checks);
    gral_record_free(&audit.record);
    free(bytes);
}

static void expect_agreement_with_itself(gral_span file, const gral_audit *audit)
{
    gral_comparison found;
    gral_error error;
    expect(gral_compare_records(file, audit, file, audit, &found, &error) && found.names_removed == 0);
}

static void look_for_a_key(gral_span list)
{
    uint32_t number = 0;
    gral_error error = {0};
    expect(gral_signers_find(list, weak_check, &(gral_signer){{0}}, &number, &error) ||
           (error.line > 0 && error.message[0] != '\0'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static gral_blake2b *const hashes[] = {fair_blake2b, weak_hash};
    const gral_span file = {(const char *)data, size};
    look_for_a_key(file);
    for (size_t index = 0; index < sizeof hashes / sizeof *hashes; index++) {
        gral_audit audit;
        if (!audited(file, hashes[index], &audit))
            continue;
        expect_agreement_with_itself(file, &audit);
        gral_record_free(&audit.record);
        if (!audit.checks && memchr(data, '\r', size) == NULL)
            expect_right_with_checks(file, hashes[index]);
    }
    return 0;
}
