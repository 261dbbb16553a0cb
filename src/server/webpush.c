#include "server/webpush.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum {
    BASE64 = sodium_base64_VARIANT_URLSAFE_NO_PADDING,
    HASH_BYTES = crypto_auth_hmacsha256_BYTES,
    HALF = 32, /* of a signature */
    SEAL_BYTES = 16,
    HEAD_BYTES = WEBPUSH_SALT_BYTES + 4 + 1 + WEBPUSH_POINT_BYTES
};

static const char curve[] = "prime256v1";

/* --- points --- */

bool webpush_pair_of(const uint8_t secret[WEBPUSH_SECRET_BYTES], webpush_pair *pair)
{
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    EC_POINT *point = group != NULL ? EC_POINT_new(group) : NULL;
    BIGNUM *number = BN_bin2bn(secret, WEBPUSH_SECRET_BYTES, NULL);
    memcpy(pair->secret, secret, WEBPUSH_SECRET_BYTES);
    const bool made = point != NULL && number != NULL && !BN_is_zero(number) &&
                      BN_cmp(number, EC_GROUP_get0_order(group)) < 0 &&
                      EC_POINT_mul(group, point, number, NULL, NULL, NULL) == 1 &&
                      EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, pair->point, WEBPUSH_POINT_BYTES,
                                         NULL) == WEBPUSH_POINT_BYTES;
    BN_clear_free(number);
    EC_POINT_free(point);
    EC_GROUP_free(group);
    return made;
}

/* A key for OpenSSL: public, or with a secret both. NULL for a point that is not on the curve. */
static EVP_PKEY *key_of(const uint8_t point[WEBPUSH_POINT_BYTES], const uint8_t *secret)
{
    EVP_PKEY *key = NULL;
    BIGNUM *number = secret != NULL ? BN_bin2bn(secret, WEBPUSH_SECRET_BYTES, NULL) : NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, curve, 0);
    OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, WEBPUSH_POINT_BYTES);
    if (number != NULL)
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, number);
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    const bool made = context != NULL && parameters != NULL && EVP_PKEY_fromdata_init(context) == 1 &&
                      EVP_PKEY_fromdata(context, &key, secret != NULL ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY,
                                        parameters) == 1;
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    BN_clear_free(number);
    if (!made)
        EVP_PKEY_free(key);
    return made ? key : NULL;
}

static bool decode(const char *text, uint8_t *bytes, size_t length)
{
    size_t got;
    return sodium_base642bin(bytes, length, text, strlen(text), NULL, &got, NULL, BASE64) == 0 && got == length;
}

bool webpush_read_browser(const char *point, const char *auth, webpush_browser *browser)
{
    if (!decode(point, browser->point, sizeof browser->point) || !decode(auth, browser->auth, sizeof browser->auth))
        return false;
    EVP_PKEY *key = browser->point[0] == POINT_CONVERSION_UNCOMPRESSED ? key_of(browser->point, NULL) : NULL;
    EVP_PKEY_free(key);
    return key != NULL;
}

static bool agree(const webpush_pair *own, const webpush_browser *browser, uint8_t shared[WEBPUSH_SECRET_BYTES])
{
    size_t length = WEBPUSH_SECRET_BYTES;
    EVP_PKEY *key = key_of(own->point, own->secret), *other = key_of(browser->point, NULL);
    EVP_PKEY_CTX *context = key != NULL ? EVP_PKEY_CTX_new(key, NULL) : NULL;
    const bool agreed = context != NULL && other != NULL && EVP_PKEY_derive_init(context) == 1 &&
                        EVP_PKEY_derive_set_peer(context, other) == 1 &&
                        EVP_PKEY_derive(context, shared, &length) == 1 && length == WEBPUSH_SECRET_BYTES;
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(key);
    EVP_PKEY_free(other);
    return agreed;
}

/* --- encrypting --- */

static void mix(const void *key, size_t key_length, const void *words, size_t length, uint8_t hash[HASH_BYTES])
{
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, key, key_length);
    crypto_auth_hmacsha256_update(&state, words, length);
    crypto_auth_hmacsha256_final(&state, hash);
}

static bool seal(const uint8_t *key, const uint8_t *nonce, gral_span text, uint8_t *body)
{
    static const uint8_t last = 2; /* there is no other record, and no padding */
    int length, rest, end;
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    const bool sealed = cipher != NULL && EVP_EncryptInit_ex(cipher, EVP_aes_128_gcm(), NULL, key, nonce) == 1 &&
                        EVP_EncryptUpdate(cipher, body, &length, (const uint8_t *)text.bytes, (int)text.length) == 1 &&
                        EVP_EncryptUpdate(cipher, body + length, &rest, &last, 1) == 1 &&
                        EVP_EncryptFinal_ex(cipher, body + length + rest, &end) == 1 &&
                        EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, SEAL_BYTES, body + text.length + 1) == 1;
    EVP_CIPHER_CTX_free(cipher);
    return sealed;
}

/* The names with which keys are derived, with the zero at their end and the number of the first block. */
static const uint8_t for_key[] = "Content-Encoding: aes128gcm\0\1", for_nonce[] = "Content-Encoding: nonce\0\1";
static const char for_both[] = "WebPush: info"; /* and a zero, both points, the number */

size_t webpush_encrypt(gral_span text, const webpush_browser *browser, const webpush_pair *own,
                       const uint8_t salt[WEBPUSH_SALT_BYTES], uint8_t body[WEBPUSH_BODY_MAX])
{
    uint8_t shared[WEBPUSH_SECRET_BYTES], hash[HASH_BYTES], key[HASH_BYTES], nonce[HASH_BYTES];
    uint8_t words[sizeof for_both + 2 * WEBPUSH_POINT_BYTES + 1];
    if (text.length > WEBPUSH_TEXT_MAX || !agree(own, browser, shared))
        return 0;
    memcpy(words, for_both, sizeof for_both);
    memcpy(words + sizeof for_both, browser->point, WEBPUSH_POINT_BYTES);
    memcpy(words + sizeof for_both + WEBPUSH_POINT_BYTES, own->point, WEBPUSH_POINT_BYTES);
    words[sizeof words - 1] = 1;
    mix(browser->auth, sizeof browser->auth, shared, sizeof shared, hash);
    mix(hash, sizeof hash, words, sizeof words, hash);
    mix(salt, WEBPUSH_SALT_BYTES, hash, sizeof hash, hash);
    mix(hash, sizeof hash, for_key, sizeof for_key - 1, key);
    mix(hash, sizeof hash, for_nonce, sizeof for_nonce - 1, nonce);
    static const uint8_t record_bytes[] = {0, 0, 16, 0}, point_bytes = WEBPUSH_POINT_BYTES;
    memcpy(body, salt, WEBPUSH_SALT_BYTES);
    memcpy(body + WEBPUSH_SALT_BYTES, record_bytes, sizeof record_bytes);
    body[WEBPUSH_SALT_BYTES + sizeof record_bytes] = point_bytes;
    memcpy(body + HEAD_BYTES - WEBPUSH_POINT_BYTES, own->point, WEBPUSH_POINT_BYTES);
    const bool sealed = seal(key, nonce, text, body + HEAD_BYTES);
    sodium_memzero(shared, sizeof shared);
    sodium_memzero(hash, sizeof hash);
    sodium_memzero(key, sizeof key);
    return sealed ? HEAD_BYTES + text.length + 1 + SEAL_BYTES : 0;
}

/* --- who sends it --- */

/* Two numbers of 32 bytes, as JSON Web Signatures have them. */
static bool sign(const webpush_pair *pair, gral_span words, uint8_t signature[2 * HALF])
{
    uint8_t wrapped[128];
    size_t length = sizeof wrapped;
    EVP_PKEY *key = key_of(pair->point, pair->secret);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool made = key != NULL && context != NULL && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1 &&
                EVP_DigestSign(context, wrapped, &length, (const uint8_t *)words.bytes, words.length) == 1;
    const uint8_t *at = wrapped;
    ECDSA_SIG *numbers = made ? d2i_ECDSA_SIG(NULL, &at, (long)length) : NULL;
    made = numbers != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(numbers), signature, HALF) == HALF &&
           BN_bn2binpad(ECDSA_SIG_get0_s(numbers), signature + HALF, HALF) == HALF;
    ECDSA_SIG_free(numbers);
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return made;
}

bool webpush_authorize(const webpush_pair *server, const char *audience, const char *contact, int64_t ends_seconds,
                       char text[WEBPUSH_TOKEN_MAX])
{
    static const char head[] = "vapid t=", kind[] = "{\"typ\":\"JWT\",\"alg\":\"ES256\"}";
    char claims[WEBPUSH_TOKEN_MAX / 2], *at = text, *const end = text + WEBPUSH_TOKEN_MAX;
    uint8_t signature[2 * HALF];
    enum { AFTER = 300 }; /* room for all that follows the claims */
    const int length = snprintf(claims, sizeof claims, "{\"aud\":\"%s\",\"exp\":%lld,\"sub\":\"%s\"}", audience,
                                (long long)ends_seconds, contact);
    if (length < 0 || (size_t)length >= sizeof claims ||
        sodium_base64_encoded_len((size_t)length, BASE64) + sizeof head + sizeof kind * 2 + AFTER > WEBPUSH_TOKEN_MAX)
        return false;
    at += snprintf(at, sizeof head, "%s", head);
    const char *const words = at;
#define ADD(bytes, count)                                                                                              \
    (sodium_bin2base64(at, (size_t)(end - at), (const uint8_t *)(bytes), (count), BASE64), at += strlen(at))
    ADD(kind, sizeof kind - 1);
    *at++ = '.';
    ADD(claims, (size_t)length);
    if (!sign(server, (gral_span){words, (size_t)(at - words)}, signature))
        return false;
    *at++ = '.';
    ADD(signature, sizeof signature);
    at += snprintf(at, (size_t)(end - at), ", k=");
    ADD(server->point, sizeof server->point);
#undef ADD
    return true;
}
