#include "auditing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char small_game[] = "[Players \"2\"]\n"
                          "[Board \"3x1\"]\n"
                          "[Pawns \"T1,A1\"]\n"
                          "[Units \"2,1\"]\n"
                          "[Game \"small\"]\n"
                          "\n"
                          "1: place 2 T1\n"
                          "1: done\n"
                          "2: done\n"
                          "1: assign\n"
                          "1: place 1 A1\n"
                          "1: done\n"
                          "2: assign\n"
                          "2: done\n"
                          "1: step T1 b1\n"
                          "2: pass\n"
                          "1: keep\n"
                          "2: step T1 a1\n"
                          "1: pass\n"
                          "2: keep\n";

gral_span span(const words *words)
{
    return (gral_span){words->bytes, words->length};
}

words read_file(const char *path_from_data)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", getenv("GRAL_TEST_DATA"), path_from_data);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    words words = {.length = 0};
    words.length = fread(words.bytes, 1, TEXT_MAX - 1, file);
    assert_true(words.length > 0 && words.length < TEXT_MAX - 1);
    fclose(file);
    return words;
}

void write_file(const char *path, const words *words)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(words->bytes, 1, words->length, file), words->length);
    assert_int_equal(fclose(file), 0);
}

gral_salt salt_of(unsigned seat, uint32_t number)
{
    gral_salt salt;
    for (unsigned byte = 0; byte < GRAL_SALT_BYTES; byte++)
        salt.bytes[byte] = (uint8_t)(32 * (seat + 1) + number + byte);
    return salt;
}

words sealed(const char *source)
{
    gral_record record;
    gral_error error;
    assert_true(gral_record_parse(gral_span_of(source), &record, &error));
    words tags = {.length = 0}, result = {.length = 0};
    gral_text text = gral_text_in(tags.bytes, TEXT_MAX);
    gral_text_add(&text, record.tags);
    struct {
        gral_action placed[GRAL_SEALED_MAX];
        unsigned count;
        uint32_t number;
        gral_seal seal;
    } hand[GRAL_PLAYERS_MAX] = {0};
    for (size_t index = 0; index < record.count; index++) {
        const unsigned seat = record.entry[index].seat;
        const gral_action action = record.entry[index].action;
        if (action.verb == GRAL_PLACE)
            hand[seat].placed[hand[seat].count++] = action;
        if (action.verb != GRAL_DONE)
            continue;
        hand[seat].number++;
        const gral_sealing sealing = {.game = "small",
                                      .seat = seat,
                                      .number = hand[seat].number,
                                      .previous = hand[seat].seal,
                                      .placed = hand[seat].placed,
                                      .count = hand[seat].count,
                                      .salt = salt_of(seat, hand[seat].number)};
        hand[seat].seal = gral_seal_make(&sealing, fair_blake2b);
        hand[seat].count = 0;
        gral_seal_tags(&text, seat, sealing.number, &hand[seat].seal, &sealing.salt);
    }
    free(record.tags);
    record.tags = strdup(tags.bytes);
    text = gral_text_in(result.bytes, TEXT_MAX);
    gral_record_print(&text, &record);
    result.length = text.length;
    gral_record_free(&record);
    return result;
}

words checked(const words *source)
{
    words result = {.length = 0};
    gral_text text = gral_text_in(result.bytes, TEXT_MAX);
    gral_checks_add(&text, span(source), fair_blake2b);
    assert_true(text.length < TEXT_MAX);
    result.length = text.length;
    return result;
}

words words_of(const char *source)
{
    words words = {.length = strlen(source)};
    memcpy(words.bytes, source, words.length);
    return words;
}

words changed(const words *source, size_t at, size_t length, const char *other)
{
    words result = {.length = 0};
    gral_text text = gral_text_in(result.bytes, TEXT_MAX);
    gral_text_add_bytes(&text, source->bytes, at);
    gral_text_add(&text, other);
    gral_text_add_bytes(&text, source->bytes + at + length, source->length - at - length);
    result.length = text.length;
    return result;
}

words replaced(const words *source, const char *old, const char *new)
{
    const char *found = strstr(source->bytes, old);
    assert_non_null(found);
    return changed(source, (size_t)(found - source->bytes), strlen(old), new);
}

unsigned line_at(const words *words, size_t at)
{
    unsigned line = 1;
    for (size_t index = 0; index < at; index++)
        line += words->bytes[index] == '\n';
    return line;
}

gral_span line_of(const words *words, unsigned number)
{
    const char *line = words->bytes;
    while (--number > 0)
        line = strchr(line, '\n') + 1;
    return (gral_span){line, (size_t)(strchr(line, '\n') - line) + 1};
}

words without_line(const words *source, unsigned number)
{
    const gral_span line = line_of(source, number);
    return changed(source, (size_t)(line.bytes - source->bytes), line.length, "");
}

void expect_right(const words *file, bool checks, unsigned seals, size_t actions)
{
    gral_audit audit;
    gral_error error;
    if (!gral_audit_record(span(file), fair_blake2b, fair_ed25519, &audit, &error))
        fail_msg("line %u, column %u: %s", error.line, error.column, error.message);
    assert_int_equal(audit.checks, checks);
    assert_int_equal(audit.seals, seals);
    assert_int_equal(audit.record.count, actions);
    gral_record_free(&audit.record);
}

void expect_wrong(const words *file, unsigned line, const char *message)
{
    gral_audit audit = {.seals = 77};
    gral_error error = {0};
    assert_false(gral_audit_record(span(file), fair_blake2b, fair_ed25519, &audit, &error));
    assert_string_equal(error.message, message);
    assert_int_equal(error.line, line);
    assert_true(error.column > 0);
    assert_int_equal(audit.seals, 77); /* untouched */
}

void expect_wrong_with_new_checks(const words *record, unsigned line, const char *message)
{
    const words file = checked(record);
    expect_wrong(&file, line, message);
}

void expect_digits(const uint8_t *bytes, const char *digits)
{
    char printed[2 * GRAL_SEAL_BYTES + 1];
    gral_text text = gral_text_in(printed, sizeof printed);
    gral_bytes_print(&text, bytes, GRAL_SEAL_BYTES);
    assert_string_equal(printed, digits);
}

pair pair_of(uint8_t seed)
{
    pair pair;
    uint8_t bytes[crypto_sign_SEEDBYTES];
    memset(bytes, seed, sizeof bytes);
    crypto_sign_seed_keypair(pair.signer.bytes, pair.secret, bytes);
    return pair;
}

gral_signature sign(const pair *pair, gral_span bytes)
{
    gral_signature signature;
    crypto_sign_detached(signature.bytes, NULL, (const uint8_t *)bytes.bytes, bytes.length, pair->secret);
    return signature;
}

words signed_by(const pair *pair, const words *record)
{
    words with_signer = {.length = 0}, statement = {.length = 0}, whole = {.length = 0};
    gral_text text = gral_text_in(with_signer.bytes, TEXT_MAX);
    gral_signer_tag(&text, &pair->signer);
    gral_text_add_bytes(&text, record->bytes, record->length);
    with_signer.length = text.length;
    text = gral_text_in(statement.bytes, TEXT_MAX);
    gral_statement_print(&text, span(&with_signer), false);
    statement.length = text.length;
    const gral_signature signature = sign(pair, span(&statement));
    text = gral_text_in(whole.bytes, TEXT_MAX);
    gral_signature_tag(&text, &signature);
    gral_text_add_bytes(&text, with_signer.bytes, with_signer.length);
    whole.length = text.length;
    return whole;
}

words named_game(void)
{
    const words plain = words_of(small_game);
    const words named = replaced(&plain, "[Game", "[Player1 \"Anna\"]\n[Player2 \"Ben\"]\n[Game");
    return sealed(named.bytes);
}

words open_part(const words *record, unsigned actions)
{
    words result = {.length = 0};
    gral_text text = gral_text_in(result.bytes, TEXT_MAX);
    unsigned heard = 0, seals = 0;
    for (const char *line = record->bytes; *line != '\0'; line = strchr(line, '\n') + 1) {
        const size_t length = (size_t)(strchr(line, '\n') - line) + 1;
        const bool action = *line != '[' && *line != '\n';
        if (strncmp(line, "[Salt", 5) == 0 || strncmp(line, "[Result", 7) == 0 ||
            (action && strstr(line, "place") == line + 3) || (action && heard == actions) ||
            (strncmp(line, "[Seal", 5) == 0 && seals++ >= 2))
            continue;
        if (*line == '\n')
            gral_text_add(&text, "[View \"public\"]\n[Result \"-\"]\n");
        gral_text_add_bytes(&text, line, length);
        heard += action;
    }
    result.length = text.length;
    return result;
}

/* RFC 8032, 7.1, the second test. */
words signed_and_checked(const words *record)
{
    const pair pair = pair_of(7);
    const words whole = signed_by(&pair, record);
    return checked(&whole);
}
