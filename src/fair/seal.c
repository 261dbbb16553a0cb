/* One assignment in one hash. What is hashed is always 165 bytes, so that a bluff and a full sheet look alike:
 *
 *     offset  bytes
 *          0     16  "gral seal 1", then zeros: no hash of anything else can pass for a seal
 *         16     32  the id of the game, then zeros
 *         48      1  the seat, counted from 1
 *         49      4  the number of the seat's assignment, least byte first; the opening is 1
 *         53     32  the same seat's previous seal; zeros before the first
 *         85     48  24 pairs, one a placement in its order: the points, and the initiate counted from 1 (T1 is 1,
 *                    R2 is 8); the pairs after the last placement are zeros, which no placement is
 *        133     32  the salt
 *
 * docs/fair.md says the same for people, with an example. */
#include "gral/fair.h"

#include <assert.h>
#include <string.h>

static const char domain[] = "gral seal 1";

enum {
    DOMAIN_BYTES = 16,
    SEAT_BYTES = 1,
    NUMBER_BYTES = 4,
    PLACED_BYTES = 2 * GRAL_SEALED_MAX,
    SEALED_BYTES = DOMAIN_BYTES + GRAL_GAME_ID_MAX + SEAT_BYTES + NUMBER_BYTES + GRAL_SEAL_BYTES + PLACED_BYTES +
                   GRAL_SALT_BYTES
};
static_assert(SEALED_BYTES == 165, "the table above is what everybody else reads");
static_assert(sizeof domain <= DOMAIN_BYTES, "the domain fits");

/* Copies a field into the room it has, which is zeros so far, and returns where the next one begins. */
static uint8_t *put(uint8_t *at, const void *bytes, size_t length, size_t room)
{
    assert(length <= room);
    memcpy(at, bytes, length);
    return at + room;
}

gral_seal gral_seal_make(const gral_sealing *sealing, gral_blake2b *hash)
{
    assert(sealing->seat < GRAL_PLAYERS_MAX && sealing->count <= GRAL_SEALED_MAX);
    const uint8_t seat = (uint8_t)(sealing->seat + 1);
    uint8_t number[NUMBER_BYTES];
    for (unsigned byte = 0; byte < NUMBER_BYTES; byte++)
        number[byte] = (uint8_t)(sealing->number >> (8 * byte));
    uint8_t placed[PLACED_BYTES] = {0};
    for (unsigned index = 0; index < sealing->count; index++) {
        placed[2 * index] = sealing->placed[index].points;
        placed[2 * index + 1] = (uint8_t)(sealing->placed[index].pawn + 1);
    }

    uint8_t sealed[SEALED_BYTES] = {0};
    uint8_t *at = put(sealed, domain, strlen(domain), DOMAIN_BYTES);
    at = put(at, sealing->game, strlen(sealing->game), GRAL_GAME_ID_MAX);
    at = put(at, &seat, sizeof seat, SEAT_BYTES);
    at = put(at, number, sizeof number, NUMBER_BYTES);
    at = put(at, sealing->previous.bytes, GRAL_SEAL_BYTES, GRAL_SEAL_BYTES);
    at = put(at, placed, sizeof placed, PLACED_BYTES);
    put(at, sealing->salt.bytes, GRAL_SALT_BYTES, GRAL_SALT_BYTES);

    gral_seal seal;
    hash(sealed, sizeof sealed, seal.bytes);
    return seal;
}

void gral_bytes_print(gral_text *text, const uint8_t *bytes, size_t count)
{
    static const char digit[] = "0123456789abcdef";
    for (size_t index = 0; index < count; index++)
        gral_text_add_bytes(text, (const char[]){digit[bytes[index] >> 4], digit[bytes[index] & 15]}, 2);
}

/* The value of a digit, or -1 for what is none. */
static int digit_value(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

bool gral_bytes_parse(gral_span digits, uint8_t *bytes, size_t count)
{
    if (digits.length != 2 * count)
        return false;
    for (size_t index = 0; index < digits.length; index++)
        if (digit_value(digits.bytes[index]) < 0)
            return false;
    for (size_t index = 0; index < count; index++)
        bytes[index] = (uint8_t)(16 * digit_value(digits.bytes[2 * index]) + digit_value(digits.bytes[2 * index + 1]));
    return true;
}

static void add_tag(gral_text *tags, const char *name, unsigned seat, uint32_t number, const uint8_t *bytes,
                    size_t count)
{
    gral_text_add(tags, "[");
    gral_text_add(tags, name);
    gral_text_add_number(tags, seat + 1);
    gral_text_add(tags, "_");
    gral_text_add_number(tags, number);
    gral_text_add(tags, " \"");
    gral_bytes_print(tags, bytes, count);
    gral_text_add(tags, "\"]\n");
}

void gral_seal_tags(gral_text *tags, unsigned seat, uint32_t number, const gral_seal *seal, const gral_salt *salt)
{
    add_tag(tags, "Seal", seat, number, seal->bytes, GRAL_SEAL_BYTES);
    if (salt != NULL)
        add_tag(tags, "Salt", seat, number, salt->bytes, GRAL_SALT_BYTES);
}
