/* Messages to browsers: the examples of the standards, and what a browser would make of ours. */
#include "server/webpush.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { BASE64 = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

static size_t decode(const char *text, uint8_t *bytes, size_t room)
{
    size_t length;
    assert_int_equal(sodium_base642bin(bytes, room, text, strlen(text), NULL, &length, NULL, BASE64), 0);
    return length;
}

/* RFC 8291, section 5. */
static const char browser_point[] =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
static const char browser_auth[] = "BTBZMqHH6r4Tts7J_aSIgg";
static const char own_secret[] = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw";
static const char own_point[] =
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
static const char salt_text[] = "DGv6ra1nlYgDCS1FRnbzlw";
static const char body_text[] = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
                                "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
                                "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";

static webpush_pair pair_of(const char *secret)
{
    webpush_pair pair;
    uint8_t bytes[WEBPUSH_SECRET_BYTES];
    assert_int_equal(decode(secret, bytes, sizeof bytes), sizeof bytes);
    assert_true(webpush_pair_of(bytes, &pair));
    return pair;
}

static void a_message_is_encrypted_as_in_the_example_of_rfc_8291(void **unused)
{
    (void)unused;
    uint8_t salt[WEBPUSH_SALT_BYTES], body[WEBPUSH_BODY_MAX], expected[WEBPUSH_BODY_MAX], point[WEBPUSH_POINT_BYTES];
    webpush_browser browser;
    const webpush_pair own = pair_of(own_secret);
    decode(own_point, point, sizeof point);
    assert_memory_equal(own.point, point, sizeof point);
    assert_true(webpush_read_browser(browser_point, browser_auth, &browser));
    decode(salt_text, salt, sizeof salt);
    const size_t length = webpush_encrypt(gral_span_of("When I grow up, I want to be a watermelon"), &browser, &own,
                                          salt, body);
    assert_int_equal(length, decode(body_text, expected, sizeof expected));
    assert_memory_equal(body, expected, length);
}

static void keys_that_cannot_be_are_refused(void **unused)
{
    (void)unused;
    webpush_browser browser;
    webpush_pair pair;
    char off[sizeof browser_point];
    memcpy(off, browser_point, sizeof off);
    off[20] = off[20] == 'A' ? 'B' : 'A'; /* not on the curve any more */
    assert_false(webpush_read_browser(off, browser_auth, &browser));
    assert_false(webpush_read_browser("", browser_auth, &browser));
    assert_false(webpush_read_browser(browser_point, "BTBZMqHH6r4Tts7J_aSI", &browser));
    assert_false(webpush_read_browser(browser_point, "BTBZMqHH6r4Tts7J_aSIg!", &browser));
    assert_false(webpush_pair_of((const uint8_t[WEBPUSH_SECRET_BYTES]){0}, &pair));
    uint8_t large[WEBPUSH_SECRET_BYTES];
    memset(large, 0xff, sizeof large);
    assert_false(webpush_pair_of(large, &pair));
}

static void a_text_that_is_too_long_is_refused_and_the_longest_is_not(void **unused)
{
    (void)unused;
    static char text[WEBPUSH_TEXT_MAX + 1];
    uint8_t body[WEBPUSH_BODY_MAX];
    webpush_browser browser;
    const webpush_pair own = pair_of(own_secret);
    assert_true(webpush_read_browser(browser_point, browser_auth, &browser));
    assert_int_equal(webpush_encrypt((gral_span){text, sizeof text}, &browser, &own, body, body), 0);
    assert_int_equal(webpush_encrypt((gral_span){text, sizeof text - 1}, &browser, &own,
                                     (const uint8_t[WEBPUSH_SALT_BYTES]){1}, body),
                     WEBPUSH_BODY_MAX);
}

/* RFC 8292, section 2.4. */
static const char token[] = "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B"
                            "1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bz"
                            "pwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCG"
                            "SK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA";
static const char token_point[] = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU"
                                  "_RCPCfA5aq9ojSwk5Y2EmClBPs";

/* As a push service does it: whether the signature of the token is that of this point. */
static bool is_signed_by(const char *text, const char *point_text)
{
    uint8_t signature[64], point[WEBPUSH_POINT_BYTES], *wrapped = NULL;
    const char *end = strrchr(text, '.');
    assert_int_equal(decode(end + 1, signature, sizeof signature), sizeof signature);
    decode(point_text, point, sizeof point);
    ECDSA_SIG *numbers = ECDSA_SIG_new();
    ECDSA_SIG_set0(numbers, BN_bin2bn(signature, 32, NULL), BN_bin2bn(signature + 32, 32, NULL));
    const int length = i2d_ECDSA_SIG(numbers, &wrapped);
    EVP_PKEY *key = NULL;
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char[]){"prime256v1"}, 0),
                               OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point),
                               OSSL_PARAM_construct_end()};
    EVP_PKEY_CTX *making = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    assert_int_equal(EVP_PKEY_fromdata_init(making), 1);
    assert_int_equal(EVP_PKEY_fromdata(making, &key, EVP_PKEY_PUBLIC_KEY, parameters), 1);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    assert_int_equal(EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, key), 1);
    const int right = EVP_DigestVerify(context, wrapped, (size_t)length, (const uint8_t *)text, (size_t)(end - text));
    EVP_MD_CTX_free(context);
    EVP_PKEY_CTX_free(making);
    EVP_PKEY_free(key);
    ECDSA_SIG_free(numbers);
    OPENSSL_free(wrapped);
    return right == 1;
}

static void a_token_is_that_of_the_example_of_rfc_8292_but_for_who_signs_it(void **unused)
{
    (void)unused;
    char text[WEBPUSH_TOKEN_MAX], own[WEBPUSH_TOKEN_MAX], key[100];
    const webpush_pair pair = pair_of(own_secret);
    assert_true(is_signed_by(token, token_point)); /* or this test could not tell */
    assert_false(is_signed_by(token, own_point));
    assert_true(webpush_authorize(&pair, "https://push.example.net", "mailto:push@example.com", 1453523768, text));
    assert_int_equal(sscanf(text, "vapid t=%[^,], k=%99s", own, key), 2);
    assert_string_equal(key, own_point);
    assert_true(is_signed_by(own, key));
    assert_memory_equal(own, token, (size_t)(strrchr(token, '.') - token) + 1);
}

static void a_contact_that_is_too_long_is_refused(void **unused)
{
    (void)unused;
    char text[WEBPUSH_TOKEN_MAX], contact[WEBPUSH_TOKEN_MAX];
    const webpush_pair pair = pair_of(own_secret);
    memset(contact, 'a', sizeof contact);
    for (size_t length = 200; length < sizeof contact; length++) {
        contact[length] = '\0';
        if (webpush_authorize(&pair, "https://push.example.net", contact, 1453523768, text))
            assert_true(strlen(text) < sizeof text && strstr(text, own_point) != NULL);
        contact[length] = 'a';
    }
    contact[sizeof contact - 1] = '\0';
    assert_false(webpush_authorize(&pair, "https://push.example.net", contact, 1453523768, text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_is_encrypted_as_in_the_example_of_rfc_8291),
        cmocka_unit_test(keys_that_cannot_be_are_refused),
        cmocka_unit_test(a_text_that_is_too_long_is_refused_and_the_longest_is_not),
        cmocka_unit_test(a_token_is_that_of_the_example_of_rfc_8292_but_for_who_signs_it),
        cmocka_unit_test(a_contact_that_is_too_long_is_refused),
    };
    return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
