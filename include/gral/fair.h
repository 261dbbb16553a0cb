/* Sealed sheets: nobody has to trust whoever keeps the game.
 *
 * The rulebook lets mistrustful players write in changing colours and compare the sheets at the end. Here the
 * opening and every announced assignment of a seat, bluffs included, is sealed when it is done: one hash over the
 * game, the seat, the number of the assignment, the seat's previous seal, the placements padded to a fixed length
 * and a salt of 32 bytes. There is always one seal, always of one length, so it tells nothing (R10.2). Its owner has it
 * at once, everybody else too unless that would say who has answered a hidden round (Q13); the salts are published with
 * the sheets when the game is over, and then anybody can check that nothing was changed afterwards (R3.4).
 *
 * This room knows no cryptography of its own: the caller gives the hash, BLAKE2b with 32 bytes and no key, and looks at
 * signatures. The program takes both from libsodium, a browser from wherever it likes. */
#ifndef GRAL_FAIR_H
#define GRAL_FAIR_H

#include "gral/record.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GRAL_SEAL_BYTES = 32, GRAL_SALT_BYTES = 32, GRAL_SEALED_MAX = 4 * GRAL_UNIT_KINDS, GRAL_GAME_ID_MAX = 32 };

/* The hash by which an assignment is bound before anybody may see it. */
typedef struct gral_seal {
    uint8_t bytes[GRAL_SEAL_BYTES]; /* the hash */
} gral_seal;

/* Chance that is hashed with it, so that nobody can guess what was sealed by trying. */
typedef struct gral_salt {
    uint8_t bytes[GRAL_SALT_BYTES]; /* as many as the hash has */
} gral_salt;

/* BLAKE2b with a digest of 32 bytes, which is the caller's. */
typedef void gral_blake2b(const void *bytes, size_t length, uint8_t digest[GRAL_SEAL_BYTES]);

/* One assignment, ready to be sealed. */
typedef struct gral_sealing {
    const char *game;          /* its id, at most GRAL_GAME_ID_MAX bytes */
    unsigned seat;             /* counted from 0, as everywhere but in texts */
    uint32_t number;           /* of this seat's assignments; the opening is 1 */
    gral_seal previous;        /* the same seat's; zeros before the first */
    const gral_action *placed; /* the `place` actions in the order they were made */
    unsigned count;            /* at most GRAL_SEALED_MAX */
    gral_salt salt;            /* drawn anew for each */
} gral_sealing;

/* The seal of an assignment. */
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

/* --- signatures --- */

/* Seals bind placements, but nothing binds the seals, the names, the terms and the end to one another: whoever writes
 * a record can make them all anew. So a server signs its records, with a key that it publishes. Ed25519, which is the
 * caller's like the hash. */
enum { GRAL_SIGNER_BYTES = 32, GRAL_SIGNATURE_BYTES = 64 };

/* Who signs. */
typedef struct gral_signer {
    uint8_t bytes[GRAL_SIGNER_BYTES]; /* the public key */
} gral_signer;

/* A signature under a statement. */
typedef struct gral_signature {
    uint8_t bytes[GRAL_SIGNATURE_BYTES]; /* of Ed25519 */
} gral_signature;

/* Whether the signer has signed these bytes. */
typedef bool gral_ed25519(const gral_signer *signer, gral_span bytes, const gral_signature *signature);

/* What is signed of a record: every line but salts and placements. `checks`: the file has them, and they are right. */
void gral_statement_print(gral_text *text, gral_span file, bool checks);

/* [Signer "…"], a part of what is signed, and [Signature "…"], which is not. */
void gral_signer_tag(gral_text *tags, const gral_signer *signer);
void gral_signature_tag(gral_text *tags, const gral_signature *signature);

/* Takes seals, salts, signer and signature out of a record's tags (gral_record), in place. They speak for a file as it
 * was: whoever writes the game into another one leaves them out. NULL has none. */
void gral_tags_unseal(char *tags);

/* A key in the list of a server's keys. Each but the first is signed by the one before it. */
typedef struct gral_listed_signer {
    uint32_t number;            /* from 1 */
    uint64_t time;              /* from which it signs, in seconds since 1970 */
    gral_signer signer;         /* the key itself */
    gral_signature endorsement; /* by the key before it; of the first it means nothing */
} gral_listed_signer;

void gral_signer_statement(gral_text *text, const gral_listed_signer *listed); /* what is signed of it */
/* The list as a server publishes it, the oldest key first. */
void gral_signers_print(gral_text *text, const gral_listed_signer *list, size_t count);

/* The number of a key in a list as gral_signers_print makes it, 0 if it is not there. False when the list is wrong, or
 * when a key in it is not signed by the one before; the error says where. */
bool gral_signers_find(gral_span list, gral_ed25519 *check, const gral_signer *sought, uint32_t *number,
                       gral_error *error);

/* --- the audit --- */

/* Whether a record is signed. */
enum gral_signed {
    GRAL_UNSIGNED,  /* there is no signature */
    GRAL_UNCHECKED, /* there is one, and nobody has looked at it */
    GRAL_SIGNED     /* it is right; whose key it is, is another question */
};

/* What an audit found out. */
typedef struct gral_audit {
    bool checks;        /* the lines had checks, and all were right */
    bool open;          /* only what everybody may see is in it: no rule and no seal could be looked at */
    uint8_t is_signed;  /* enum gral_signed */
    gral_signer signer; /* unless GRAL_UNSIGNED */
    unsigned seals;     /* so many were there, and unless `open` all were right; 0 for a record without */
    gral_record record; /* empty if `open`; the caller frees it */
} gral_audit;

/* Everything that can be known of a record without any server: its bytes against its checks, its actions and figures
 * against the rules, its result, every assignment against its seal, and all of it against its signature. Without a
 * `check` the signature is not looked at. The record of a game that goes on is refused unless it is signed: nothing
 * could be said about it. False when anything is wrong: the error names the line and what is wrong there, and nothing
 * is to be freed. */
bool gral_audit_record(gral_span file, gral_blake2b *hash, gral_ed25519 *check, gral_audit *audit, gral_error *error);

/* What of a saved record stands in another one. */
typedef struct gral_comparison {
    size_t actions, seals;  /* of the saved one; all are in the other, in the same order */
    unsigned names_removed; /* so many players have no name any more; all other names are the same */
    bool only_names;        /* some names are others, and nothing else differs */
    bool is_older; /* nothing differs, but it is the saved one that goes on: they were given the wrong way round */
} gral_comparison;

/* Whether a record goes on where a saved one of the same game stopped, with the same terms and names; or is the same,
 * if that one is of the whole game. Both have passed their audits. False when something differs, `only_names` and
 * `is_older` among it: the error has the line of `file`. */
bool gral_compare_records(gral_span file, const gral_audit *audit, gral_span saved, const gral_audit *saved_audit,
                          gral_comparison *found, gral_error *error);

#ifdef __cplusplus
}
#endif

#endif
