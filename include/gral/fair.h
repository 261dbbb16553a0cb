/* Sealed sheets: nobody has to trust whoever keeps the game.
 *
 * The rulebook lets mistrustful players write in changing colours and compare the sheets at the end. Here the
 * opening and every announced assignment of a seat, bluffs included, is sealed when it is done: one hash over the
 * game, the seat, the number of the assignment, the seat's previous seal, the placements padded to a fixed length
 * and a salt of 32 bytes. There is always one seal, always of one length, so it tells nothing (R10.2). Its owner has it
 * at once, everybody else too unless that would say who has answered a hidden round (Q13); the salts are published with
 * the sheets when the game is over, and then anybody can check that nothing was changed afterwards (R3.4).
 *
 * This room knows no cryptography of its own: the caller gives the hash, BLAKE2b with 32 bytes and no key. The
 * program takes it from libsodium, a browser from wherever it likes. */
#ifndef GRAL_FAIR_H
#define GRAL_FAIR_H

#include "gral/record.h"

enum { GRAL_SEAL_BYTES = 32, GRAL_SALT_BYTES = 32, GRAL_SEALED_MAX = 4 * GRAL_UNIT_KINDS, GRAL_GAME_ID_MAX = 32 };

typedef struct gral_seal {
    uint8_t bytes[GRAL_SEAL_BYTES];
} gral_seal;

typedef struct gral_salt {
    uint8_t bytes[GRAL_SALT_BYTES];
} gral_salt;

typedef void gral_blake2b(const void *bytes, size_t length, uint8_t digest[GRAL_SEAL_BYTES]);

/* One assignment, ready to be sealed. */
typedef struct gral_sealing {
    const char *game;          /* its id, at most GRAL_GAME_ID_MAX bytes */
    unsigned seat;             /* counted from 0, as everywhere but in texts */
    uint32_t number;           /* of this seat's assignments; the opening is 1 */
    gral_seal previous;        /* the same seat's; zeros before the first */
    const gral_action *placed; /* the `place` actions in the order they were made */
    unsigned count;            /* at most GRAL_SEALED_MAX */
    gral_salt salt;
} gral_sealing;

gral_seal gral_seal_make(const gral_sealing *sealing, gral_blake2b *hash);

/* Two hexadecimal digits a byte, in small letters, and back; there must be just as many as `count` bytes need, or it is
 * false and `bytes` is as it was. */
void gral_bytes_print(gral_text *text, const uint8_t *bytes, size_t count);
bool gral_bytes_parse(gral_span digits, uint8_t *bytes, size_t count);

/* A seal as it stands in a record: tag "Seal2_1" is the first of seat 2, "Salt2_1" its salt. `salt` is NULL as long as
 * the game goes on. Adds the tag lines to a text. */
void gral_seal_tags(gral_text *tags, unsigned seat, uint32_t number, const gral_seal *seal, const gral_salt *salt);

/* A record with its checks: every line but an empty one ends with a comment of four digits that depends on it and on
 * all lines before it, and the last line is the hash of everything. So a wrong byte is not only found but named. The
 * lines of `record` end in '\n' alone, and it has no checks yet. The text must have room for it: `record` and 8 bytes a
 * line and 90 bytes. */
void gral_checks_add(gral_text *text, gral_span record, gral_blake2b *hash);

/* What an audit found out. */
typedef struct gral_audit {
    bool checks;        /* the lines had checks, and all were right */
    unsigned seals;     /* so many seals were there, and all were right; 0 for a record without */
    gral_record record; /* the caller frees it */
} gral_audit;

/* Everything that can be known of a record without any server: its bytes against its checks, its actions and figures
 * against the rules, its result, and every assignment against its seal. False when anything is wrong: the error
 * names the line and what is wrong there, and nothing is to be freed. */
bool gral_audit_record(gral_span file, gral_blake2b *hash, gral_audit *audit, gral_error *error);

#endif
