/* Secrets and ids: chance from libsodium, as text that may stand in an address. */
#include "server/parts.h"

#include <sodium.h>
#include <string.h>

enum { BASE64 = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

/* With this the text begins with a letter, never with "-": on a command line nobody takes it for an option. */
static void begin_with_letter(uint8_t *bytes)
{
    bytes[0] &= 0x7f;
}

void secret_make(char text[SECRET_TEXT], uint8_t hash[STORE_SECRET_BYTES])
{
    uint8_t bytes[SECRET_BYTES];
    randombytes_buf(bytes, sizeof bytes);
    begin_with_letter(bytes);
    sodium_bin2base64(text, SECRET_TEXT, bytes, sizeof bytes, BASE64);
    crypto_generichash(hash, STORE_SECRET_BYTES, bytes, sizeof bytes, NULL, 0);
    sodium_memzero(bytes, sizeof bytes);
}

static bool secret_hash(gral_span text, uint8_t hash[STORE_SECRET_BYTES])
{
    uint8_t bytes[SECRET_BYTES];
    size_t length;
    if (sodium_base642bin(bytes, sizeof bytes, text.bytes, text.length, NULL, &length, NULL, BASE64) != 0 ||
        length != sizeof bytes)
        return false;
    crypto_generichash(hash, STORE_SECRET_BYTES, bytes, sizeof bytes, NULL, 0);
    sodium_memzero(bytes, sizeof bytes);
    return true;
}

bool secret_of_cookie(const char *cookies, const char *name, char text[SECRET_TEXT], uint8_t hash[STORE_SECRET_BYTES])
{
    const size_t name_length = strlen(name);
    for (const char *at = cookies; *at != '\0';) {
        const size_t length = strcspn(at, ";");
        if (strncmp(at, name, name_length) == 0 && at[name_length] == '=') {
            const gral_span value = {at + name_length + 1, length - name_length - 1};
            if (value.length >= SECRET_TEXT || !secret_hash(value, hash))
                return false;
            memcpy(text, value.bytes, value.length);
            text[value.length] = '\0';
            return true;
        }
        at += length;
        at += strspn(at, "; ");
    }
    return false;
}

bool secret_of_header(const char *authorization, uint8_t hash[STORE_SECRET_BYTES])
{
    return strncmp(authorization, "Bearer ", 7) == 0 && secret_hash(gral_span_of(authorization + 7), hash);
}

void id_make(char id[GRAL_GAME_ID_MAX + 1], const uint8_t *key, size_t key_length, gral_span words)
{
    uint8_t bytes[ID_BYTES];
    crypto_generichash(bytes, sizeof bytes, (const uint8_t *)words.bytes, words.length, key, key_length);
    begin_with_letter(bytes);
    sodium_bin2base64(id, GRAL_GAME_ID_MAX + 1, bytes, sizeof bytes, BASE64);
}
