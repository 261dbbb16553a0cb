/* Seals and checks: what they hide, what they find, and where. */
#include "scene.h"
#include "shell.h"

#include "fair/blake2b.h"
#include "fair/ed25519.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 1 << 15 };

typedef struct words {
    char bytes[TEXT_MAX];
    size_t length;
} words;

static gral_span span(const words *words)
{
    return (gral_span){words->bytes, words->length};
}

static words read_file(const char *path_from_data)
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

static void write_file(const char *path, const words *words)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(words->bytes, 1, words->length, file), words->length);
    assert_int_equal(fclose(file), 0);
}

/* A whole small game: two openings, an assignment of a unit, one of nothing, and the way home. */
static const char small_game[] = "[Players \"2\"]\n"
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

static gral_salt salt_of(unsigned seat, uint32_t number)
{
    gral_salt salt;
    for (unsigned byte = 0; byte < GRAL_SALT_BYTES; byte++)
        salt.bytes[byte] = (uint8_t)(32 * (seat + 1) + number + byte);
    return salt;
}

/* The record with the tags of all its seals, as a host makes them. */
static words sealed(const char *source)
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

static words checked(const words *source)
{
    words result = {.length = 0};
    gral_text text = gral_text_in(result.bytes, TEXT_MAX);
    gral_checks_add(&text, span(source), fair_blake2b);
    assert_true(text.length < TEXT_MAX);
    result.length = text.length;
    return result;
}

static words words_of(const char *source)
{
    words words = {.length = strlen(source)};
    memcpy(words.bytes, source, words.length);
    return words;
}

/* `length` bytes at a place become others. */
static words changed(const words *source, size_t at, size_t length, const char *other)
{
    words result = {.length = 0};
    gral_text text = gral_text_in(result.bytes, TEXT_MAX);
    gral_text_add_bytes(&text, source->bytes, at);
    gral_text_add(&text, other);
    gral_text_add_bytes(&text, source->bytes + at + length, source->length - at - length);
    result.length = text.length;
    return result;
}

static words replaced(const words *source, const char *old, const char *new)
{
    const char *found = strstr(source->bytes, old);
    assert_non_null(found);
    return changed(source, (size_t)(found - source->bytes), strlen(old), new);
}

static unsigned line_at(const words *words, size_t at)
{
    unsigned line = 1;
    for (size_t index = 0; index < at; index++)
        line += words->bytes[index] == '\n';
    return line;
}

/* The bytes of one line, counted from 1, with its end. */
static gral_span line_of(const words *words, unsigned number)
{
    const char *line = words->bytes;
    while (--number > 0)
        line = strchr(line, '\n') + 1;
    return (gral_span){line, (size_t)(strchr(line, '\n') - line) + 1};
}

static words without_line(const words *source, unsigned number)
{
    const gral_span line = line_of(source, number);
    return changed(source, (size_t)(line.bytes - source->bytes), line.length, "");
}

static void expect_right(const words *file, bool checks, unsigned seals, size_t actions)
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

static void expect_wrong(const words *file, unsigned line, const char *message)
{
    gral_audit audit = {.seals = 77};
    gral_error error = {0};
    assert_false(gral_audit_record(span(file), fair_blake2b, fair_ed25519, &audit, &error));
    assert_string_equal(error.message, message);
    assert_int_equal(error.line, line);
    assert_true(error.column > 0);
    assert_int_equal(audit.seals, 77); /* untouched */
}

/* Somebody changed the record and made new checks for it. */
static void expect_wrong_with_new_checks(const words *record, unsigned line, const char *message)
{
    const words file = checked(record);
    expect_wrong(&file, line, message);
}

static void expect_digits(const uint8_t *bytes, const char *digits)
{
    char printed[2 * GRAL_SEAL_BYTES + 1];
    gral_text text = gral_text_in(printed, sizeof printed);
    gral_bytes_print(&text, bytes, GRAL_SEAL_BYTES);
    assert_string_equal(printed, digits);
}

/* --- the hash and the seal --- */

/* The empty message and "abc"; from `b2sum -l 256` of the GNU core utilities. */
static void the_hash_is_blake2b_of_32_bytes_without_a_key(void **unused)
{
    (void)unused;
    uint8_t digest[GRAL_SEAL_BYTES];
    fair_blake2b("", 0, digest);
    expect_digits(digest, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
    fair_blake2b("abc", 3, digest);
    expect_digits(digest, "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
}

static void bytes_are_two_small_digits_each_and_come_back(void **unused)
{
    (void)unused;
    uint8_t bytes[3] = {7, 7, 7};
    assert_false(gral_bytes_parse(gral_span_of("00ff1"), bytes, 3));
    assert_false(gral_bytes_parse(gral_span_of("00ff1a00"), bytes, 3));
    assert_false(gral_bytes_parse(gral_span_of("00ff1A"), bytes, 3));
    assert_false(gral_bytes_parse(gral_span_of("00ff1g"), bytes, 3));
    assert_false(gral_bytes_parse(gral_span_of("00ff 1"), bytes, 3));
    assert_memory_equal(bytes, "\7\7\7", 3); /* untouched */
    assert_true(gral_bytes_parse(gral_span_of("00ff1a"), bytes, 3));
    assert_memory_equal(bytes, "\0\xff\x1a", 3);
    char printed[8];
    gral_text text = gral_text_in(printed, sizeof printed);
    gral_bytes_print(&text, bytes, 3);
    assert_string_equal(printed, "00ff1a");
}

static size_t hashed_length;
static unsigned hashed_times;

static void measuring_hash(const void *bytes, size_t length, uint8_t digest[GRAL_SEAL_BYTES])
{
    hashed_length = length;
    hashed_times++;
    fair_blake2b(bytes, length, digest);
}

static void a_seal_tells_nothing_by_its_length_or_by_the_work_it_is_R10_2(void **unused)
{
    (void)unused;
    gral_action placed[GRAL_SEALED_MAX];
    for (unsigned index = 0; index < GRAL_SEALED_MAX; index++)
        placed[index] = gral_place(gral_unit_value[index / 4], index % GRAL_PAWNS);
    for (unsigned count = 0; count <= GRAL_SEALED_MAX; count++) {
        const gral_sealing sealing = {.game = "g", .number = 1, .placed = placed, .count = count};
        hashed_times = 0;
        const gral_seal seal = gral_seal_make(&sealing, measuring_hash);
        assert_int_equal(hashed_times, 1);
        assert_int_equal(hashed_length, 165);
        char tag[100];
        gral_text text = gral_text_in(tag, sizeof tag);
        gral_seal_tags(&text, 0, 1, &seal, NULL);
        assert_int_equal(text.length, strlen("[Seal1_1 \"\"]\n") + 64);
    }
}

static void expect_another_seal(const gral_sealing *sealing, const gral_sealing *other)
{
    const gral_seal a = gral_seal_make(sealing, fair_blake2b), b = gral_seal_make(other, fair_blake2b);
    assert_memory_not_equal(a.bytes, b.bytes, GRAL_SEAL_BYTES);
}

static void any_other_part_makes_another_seal_R3_4(void **unused)
{
    (void)unused;
    const gral_action placed[] = {gral_place(10, GRAL_T1), gral_place(5, GRAL_A2)};
    const gral_action swapped[] = {gral_place(5, GRAL_A2), gral_place(10, GRAL_T1)};
    const gral_action other_points[] = {gral_place(10, GRAL_T1), gral_place(4, GRAL_A2)};
    const gral_action other_pawn[] = {gral_place(10, GRAL_T2), gral_place(5, GRAL_A2)};
    const gral_sealing sealing = {.game = "a game", .seat = 1, .number = 2, .placed = placed, .count = 2};
    gral_sealing other = sealing;
    other.game = "a gamf";
    expect_another_seal(&sealing, &other);
    other = sealing;
    other.seat = 2;
    expect_another_seal(&sealing, &other);
    for (unsigned bit = 0; bit < 32; bit++) {
        other = sealing;
        other.number ^= (uint32_t)1 << bit;
        expect_another_seal(&sealing, &other);
    }
    for (unsigned byte = 0; byte < GRAL_SEAL_BYTES; byte++) {
        other = sealing;
        other.previous.bytes[byte] = 1;
        expect_another_seal(&sealing, &other);
        other = sealing;
        other.salt.bytes[byte] = 1;
        expect_another_seal(&sealing, &other);
    }
    other = sealing;
    other.count = 1;
    expect_another_seal(&sealing, &other);
    const gral_action *const others[] = {swapped, other_points, other_pawn};
    for (size_t index = 0; index < sizeof others / sizeof *others; index++) {
        other = sealing;
        other.placed = others[index];
        expect_another_seal(&sealing, &other);
    }
}

/* The example that docs/fair.md works out byte by byte. */
static void the_seal_in_the_handbook_is_right(void **unused)
{
    (void)unused;
    const gral_action placed[] = {gral_place(10, GRAL_T1), gral_place(2, GRAL_T1), gral_place(5, GRAL_A2)};
    gral_sealing sealing = {.game = "example", .seat = 1, .number = 1, .placed = placed, .count = 3};
    for (unsigned byte = 0; byte < GRAL_SALT_BYTES; byte++)
        sealing.salt.bytes[byte] = (uint8_t)byte;
    const gral_seal seal = gral_seal_make(&sealing, fair_blake2b);
    char tag[100];
    gral_text text = gral_text_in(tag, sizeof tag);
    gral_seal_tags(&text, 1, 1, &seal, NULL);
    assert_string_equal(tag, "[Seal2_1 \"4527f35e941025365bcea6a9d2d693af3d852f43eeadedec7b2b4fa7a3c9167f\"]\n");
    const words page = read_file("../../docs/fair.md");
    assert_non_null(strstr(page.bytes, tag));
}

static void a_salt_stands_beside_its_seal_only_when_it_is_given_R10_2(void **unused)
{
    (void)unused;
    const gral_seal seal = {{0xab}};
    const gral_salt salt = {{0xcd}};
    char tags[256];
    gral_text text = gral_text_in(tags, sizeof tags);
    gral_seal_tags(&text, 11, 10, &seal, NULL);
    assert_string_equal(tags, "[Seal12_10 \"ab00000000000000000000000000000000000000000000000000000000000000\"]\n");
    text = gral_text_in(tags, sizeof tags);
    gral_seal_tags(&text, 0, 1, &seal, &salt);
    assert_string_equal(tags, "[Seal1_1 \"ab00000000000000000000000000000000000000000000000000000000000000\"]\n"
                              "[Salt1_1 \"cd00000000000000000000000000000000000000000000000000000000000000\"]\n");
}

/* --- records --- */

static void a_record_without_seals_and_checks_is_only_played_by_the_rules(void **unused)
{
    (void)unused;
    const words plain = read_file("records/example.gral");
    expect_right(&plain, false, 0, 56);
    const words checked_only = checked(&plain);
    expect_right(&checked_only, true, 0, 56);
}

/* Made by another program than this one, so that nobody changes the format unseen. */
static void a_sealed_record_of_long_ago_is_still_right_R3_4(void **unused)
{
    (void)unused;
    const words file = read_file("records/sealed.gral");
    expect_right(&file, true, 4, 56);
}

static void a_game_sealed_while_it_was_played_is_right_to_its_bluffs_R3_2_R3_4(void **unused)
{
    (void)unused;
    const words record = sealed(small_game), file = checked(&record);
    expect_right(&file, true, 4, 14);
}

static void checks_need_the_room_they_say(void **unused)
{
    (void)unused;
    static const char *const records[] = {"", "x", "\n", "a\nb\n", small_game};
    for (size_t index = 0; index < sizeof records / sizeof *records; index++) {
        const words source = words_of(records[index]), file = checked(&source);
        size_t lines = 1;
        for (const char *at = records[index]; *at != '\0'; at++)
            lines += *at == '\n';
        assert_true(file.length + 1 <= source.length + 8 * lines + 90);
    }
}

static void a_checked_record_reads_like_the_same_without_R10_4(void **unused)
{
    (void)unused;
    const words record = sealed(small_game), file = checked(&record);
    gral_record again;
    gral_error error;
    assert_true(gral_record_parse(span(&file), &again, &error));
    words printed = {.length = 0};
    gral_text text = gral_text_in(printed.bytes, TEXT_MAX);
    gral_record_print(&text, &again);
    assert_string_equal(printed.bytes, record.bytes);
    gral_record_free(&again);
}

/* The first line after this one that is not empty, and so has a check. */
static unsigned next_check(const words *file, unsigned line)
{
    unsigned number = 1;
    for (size_t at = 0; at < file->length; at++) {
        const bool starts = at == 0 || file->bytes[at - 1] == '\n';
        if (starts && number > line && file->bytes[at] != '\n')
            return number;
        number += file->bytes[at] == '\n';
    }
    return line + 1;
}

/* A check of two bytes can miss a wrong line, one time in 65536, and an empty line has none: the next check finds it.
 */
static void expect_found_at(const words *file, unsigned line)
{
    gral_audit audit;
    gral_error error = {0};
    assert_false(gral_audit_record(span(file), fair_blake2b, fair_ed25519, &audit, &error));
    assert_true(error.message[0] != '\0');
    assert_in_range(error.line, line, next_check(file, line));
}

static void every_changed_byte_is_found_and_its_line_named(void **unused)
{
    (void)unused;
    static const char values[] = "\n\r\t ;x0a[\"\x80\x01";
    const words record = sealed(small_game), file = checked(&record);
    for (size_t at = 0; at < file.length; at++) {
        const char was = file.bytes[at];
        const char near[] = {(char)(was ^ 1), (char)(was ^ 0x20), '\0'};
        words wrong = file;
        for (const char *value = values; value < values + sizeof values; value++) /* and the zero byte */
            if (*value != was) {
                wrong.bytes[at] = *value;
                expect_found_at(&wrong, line_at(&file, at));
            }
        for (const char *value = near; value < near + 2; value++) {
            wrong.bytes[at] = *value;
            expect_found_at(&wrong, line_at(&file, at));
        }
    }
}

static void every_lost_or_added_byte_is_found_and_its_line_named(void **unused)
{
    (void)unused;
    const words record = sealed(small_game), file = checked(&record);
    for (size_t at = 0; at < file.length; at++) {
        const words wrong = changed(&file, at, 1, "");
        expect_found_at(&wrong, line_at(&file, at));
    }
    static const char *const added[] = {"\n", " ", "x", "0", ";", "\r"};
    for (size_t at = 0; at <= file.length; at++)
        for (size_t index = 0; index < sizeof added / sizeof *added; index++) {
            const words wrong = changed(&file, at, 0, added[index]);
            expect_found_at(&wrong, line_at(&file, at));
        }
}

/* The same without seals: then nothing but the checks themselves say that there should be checks. */
static void a_file_of_checks_is_known_by_any_part_that_is_left_of_it(void **unused)
{
    (void)unused;
    const words record = words_of(small_game), file = checked(&record);
    expect_right(&file, true, 0, 14);
    for (size_t at = 0; at < file.length; at++) {
        const words wrong = changed(&file, at, 1, file.bytes[at] == 'x' ? "y" : "x");
        expect_found_at(&wrong, line_at(&file, at));
    }
    for (size_t length = strlen("[Players \"2\"] ;abcd"); length < file.length; length++) {
        words wrong = file;
        wrong.length = length;
        expect_found_at(&wrong, line_at(&file, length - 1));
    }
}

static void lines_removed_doubled_or_swapped_are_found(void **unused)
{
    (void)unused;
    const words record = sealed(small_game), file = checked(&record);
    for (unsigned number = 1; number <= LINE_LAST; number++) {
        const words removed = without_line(&file, number);
        expect_found_at(&removed, number);
        const gral_span line = line_of(&file, number);
        const size_t start = (size_t)(line.bytes - file.bytes);
        char copy[128] = "";
        memcpy(copy, line.bytes, line.length);
        const words doubled = changed(&file, start, 0, copy);
        expect_found_at(&doubled, number + 1);
        if (number < LINE_LAST) {
            const gral_span next = line_of(&file, number + 1);
            const words moved = changed(&removed, start + next.length, 0, copy);
            expect_found_at(&moved, number);
        }
    }
    const words last = without_line(&file, LINE_LAST + 1);
    expect_wrong(&last, LINE_LAST, "the lines after this one are missing");
}

static void what_is_wrong_with_a_line_is_said(void **unused)
{
    (void)unused;
    static const char changed_line[] = "this line or its check was changed";
    const words record = sealed(small_game), file = checked(&record);
    words wrong = replaced(&file, "1: place 1 A1 ", "1: place 1 T1 ");
    expect_wrong(&wrong, LINE_SECOND_PLACE, changed_line);
    const gral_span blank = line_of(&file, LINE_BLANK);
    wrong = changed(&file, (size_t)(blank.bytes - file.bytes), 0, " ");
    expect_wrong(&wrong, LINE_BLANK, "this line has no check");
    wrong = changed(&file, file.length, 0, "\n");
    expect_wrong(&wrong, LINE_LAST + 2, "nothing may follow the hash of all lines");
    wrong = changed(&file, file.length - 1, 1, "");
    expect_wrong(&wrong, LINE_LAST + 1, "this line was cut off at its end");
    wrong = replaced(&file, "; gral checks 1 ", "; gral checks 2 ");
    expect_wrong(&wrong, LINE_LAST + 1, "this is not the hash of the lines above");

    words windows = {.length = 0};
    for (size_t at = 0; at < file.length; at++) {
        if (file.bytes[at] == '\n')
            windows.bytes[windows.length++] = '\r';
        windows.bytes[windows.length++] = file.bytes[at];
    }
    expect_wrong(&windows, 1, "this line ends in CR LF, but was written with LF alone");
}

static void a_record_with_seals_must_have_checks(void **unused)
{
    (void)unused;
    const words record = sealed(small_game);
    expect_wrong(&record, LINE_LAST, "a sealed record must end with its checks, and they are missing");
}

static void a_sheet_changed_after_the_game_is_found_R3_4_R10_4(void **unused)
{
    (void)unused;
    const words record = sealed(small_game);
    static const char points[] = "seal 1 of player 1 does not belong to his placements";
    words wrong = replaced(&record, "1: place 2 T1\n", "1: place 2 A1\n");
    wrong = replaced(&wrong, "win 1 with T1", "win 2 with T1");
    expect_wrong_with_new_checks(&wrong, LINE_SEAL1_1, points);
    wrong = replaced(&record, "1: place 2 T1\n", "1: place 1 T1\n");
    wrong = replaced(&wrong, "1: place 1 A1\n", "1: place 2 A1\n");
    expect_wrong_with_new_checks(&wrong, LINE_SEAL1_1, points);
    /* A unit that was never placed, in the place of a bluff. */
    wrong = replaced(&record, "2: assign\n", "2: assign\n2: place 2 T1\n");
    wrong = replaced(&wrong, "win 1 with T1", "win 2 with T1");
    expect_wrong_with_new_checks(&wrong, LINE_SEAL2_2, "seal 2 of player 2 does not belong to his placements");
    /* One that was placed, later. */
    wrong = replaced(&record, "1: place 1 A1\n", "");
    expect_wrong_with_new_checks(&wrong, LINE_SEAL1_2, "seal 2 of player 1 does not belong to his placements");
}

static void a_seal_of_another_game_seat_or_assignment_is_found(void **unused)
{
    (void)unused;
    const words record = sealed(small_game);
    words wrong = replaced(&record, "\"small\"", "\"large\"");
    expect_wrong_with_new_checks(&wrong, LINE_SEAL1_1, "seal 1 of player 1 does not belong to his placements");
    wrong = replaced(&record, "[Salt1_1 \"2122", "[Salt1_1 \"2123");
    expect_wrong_with_new_checks(&wrong, LINE_SEAL1_1, "seal 1 of player 1 does not belong to his placements");
    /* Seal and salt of seat 2's two empty assignments change their names: only the chain tells them apart. */
    wrong = replaced(&record, "[Seal2_1", "[Seal2_0");
    wrong = replaced(&wrong, "[Salt2_1", "[Salt2_0");
    wrong = replaced(&wrong, "[Seal2_2", "[Seal2_1");
    wrong = replaced(&wrong, "[Salt2_2", "[Salt2_1");
    wrong = replaced(&wrong, "[Seal2_0", "[Seal2_2");
    wrong = replaced(&wrong, "[Salt2_0", "[Salt2_2");
    expect_wrong_with_new_checks(&wrong, LINE_SEAL2_2, "seal 1 of player 2 does not belong to his placements");
}

static void a_missing_or_superfluous_seal_is_found(void **unused)
{
    (void)unused;
    static const char zeros[] = "\"0000000000000000000000000000000000000000000000000000000000000000\"]\n[Result";
    const words record = sealed(small_game);
    words wrong = without_line(&record, LINE_SEAL1_2);
    expect_wrong_with_new_checks(&wrong, LINE_SECOND_DONE - 1,
                                 "seal 2 of player 1 is missing for the placements that end here");
    wrong = without_line(&record, LINE_SALT1_1);
    expect_wrong_with_new_checks(&wrong, LINE_SEAL1_1, "seal 1 of player 1 has no salt");
    char more[128];
    static const char *const names[] = {"Seal1_3", "Salt2_3", "Seal3_1", "Seal12_4294967295"};
    static const char *const messages[] = {
        "seal 3 of player 1 is one too many: he has not assigned so often",
        "seal 3 of player 2 is one too many: he has not assigned so often",
        "seal 1 of player 3 is one too many: he has not assigned so often",
        "seal 4294967295 of player 12 is one too many: he has not assigned so often"};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        snprintf(more, sizeof more, "[%s %s", names[index], zeros);
        wrong = replaced(&record, "[Result", more);
        expect_wrong_with_new_checks(&wrong, LINE_RESULT, messages[index]);
    }
    snprintf(more, sizeof more, "[Seal1_1 %s", zeros);
    wrong = replaced(&record, "[Result", more);
    expect_wrong_with_new_checks(&wrong, LINE_RESULT, "this appears twice");
}

static void a_badly_written_seal_is_refused(void **unused)
{
    (void)unused;
    static const char digits[] = "expected 64 digits 0 to 9 and a to f";
    static const char name[] = "seals have names like Seal2_1, salts like Salt2_1";
    const words record = sealed(small_game);
    words wrong = replaced(&record, "[Salt1_1 \"21", "[Salt1_1 \"2");
    expect_wrong_with_new_checks(&wrong, LINE_SALT1_1, digits);
    wrong = replaced(&record, "[Salt1_1 \"2122232425262728292a", "[Salt1_1 \"2122232425262728292A");
    expect_wrong_with_new_checks(&wrong, LINE_SALT1_1, digits);
    wrong = replaced(&record, "[Seal2_1 \"", "[Seal2_1 \"00");
    expect_wrong_with_new_checks(&wrong, LINE_SEAL2_1, digits);
    static const char *const names[] = {"[Seal0_1 ",   "[Seal13_1 ", "[Seal1_0 ",          "[Seal1_01 ", "[Seal01_1 ",
                                        "[Seal1-1_1 ", "[Seal1_ ",   "[Seal1_4294967296 ", "[Seal1_1x ", "[Seal1 "};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        wrong = replaced(&record, "[Seal1_1 ", names[index]);
        expect_wrong_with_new_checks(&wrong, LINE_SEAL1_1, name);
    }
    wrong = without_line(&record, LINE_GAME);
    expect_wrong_with_new_checks(&wrong, LINE_GAME, "a record with seals needs the tag Game");
    wrong = replaced(&record, "\"small\"", "\"\"");
    expect_wrong_with_new_checks(&wrong, LINE_GAME, "the name of a game must have 1 to 32 bytes");
    wrong = replaced(&record, "\"small\"", "\"a name of more than thirty-two bytes\"");
    expect_wrong_with_new_checks(&wrong, LINE_GAME, "the name of a game must have 1 to 32 bytes");
    wrong = replaced(&record, "[Game \"small\"]\n", "[Game \"small\"]\n[Game \"large\"]\n");
    expect_wrong_with_new_checks(&wrong, LINE_GAME + 1, "this appears twice");
}

static void tags_that_only_begin_like_seals_are_anybodys(void **unused)
{
    (void)unused;
    const words record = words_of(
        "[Players \"2\"]\n[Seals \"none\"]\n[Salted \"no\"]\n[Sea \"blue\"]\n[Game \"chess\"]\n1: done\n");
    expect_right(&record, false, 0, 1);
}

static void what_breaks_the_rules_is_refused_whatever_its_seals_R4_8_R7_3(void **unused)
{
    (void)unused;
    const words record = sealed(small_game);
    words wrong = replaced(&record, "\n2: pass\n", "\n2: object 2\n");
    expect_wrong_with_new_checks(&wrong, LINE_LAST - 4, "you don't have that much influence on this initiate (R4.8)");
    wrong = replaced(&record, "win 1 with T1", "win 2 with T1");
    expect_wrong_with_new_checks(&wrong, LINE_RESULT, "the actions lead to the result 'win 1 with T1'");
}

static void a_game_that_goes_on_cannot_be_audited_yet_R10_2(void **unused)
{
    (void)unused;
    const words record = words_of(
        "[Players \"2\"]\n[View \"public\"]\n\n1: done\n2: done\n1: step T1 a2\n2: object 5\n");
    expect_wrong_with_new_checks(
        &record, 2, "this record contains only what everyone may see; it will be complete when the game is over");
}

/* --- signatures --- */

/* A key pair made of bytes that all are `seed`. */
typedef struct pair {
    gral_signer signer;
    uint8_t secret[crypto_sign_SECRETKEYBYTES];
} pair;

static pair pair_of(uint8_t seed)
{
    pair pair;
    uint8_t bytes[crypto_sign_SEEDBYTES];
    memset(bytes, seed, sizeof bytes);
    crypto_sign_seed_keypair(pair.signer.bytes, pair.secret, bytes);
    return pair;
}

static gral_signature sign(const pair *pair, gral_span bytes)
{
    gral_signature signature;
    crypto_sign_detached(signature.bytes, NULL, (const uint8_t *)bytes.bytes, bytes.length, pair->secret);
    return signature;
}

/* The record as a server with this key gives it out. */
static words signed_by(const pair *pair, const words *record)
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

static const char unsigned_words[] =
    "the signature does not match this record: something was changed, added or removed";

static words named_game(void)
{
    const words plain = words_of(small_game);
    const words named = replaced(&plain, "[Game", "[Player1 \"Anna\"]\n[Player2 \"Ben\"]\n[Game");
    return sealed(named.bytes);
}

/* What everybody saw of it after so many public actions, with the seals of the openings. */
static words open_part(const words *record, unsigned actions)
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
static void signatures_are_those_of_ed25519(void **unused)
{
    (void)unused;
    gral_signer signer;
    gral_signature signature;
    assert_true(gral_bytes_parse(gral_span_of("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"),
                                 signer.bytes, sizeof signer.bytes));
    assert_true(gral_bytes_parse(gral_span_of("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                                              "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
                                 signature.bytes, sizeof signature.bytes));
    assert_true(fair_ed25519(&signer, (gral_span){"\x72", 1}, &signature));
    assert_false(fair_ed25519(&signer, (gral_span){"\x73", 1}, &signature));
    assert_false(fair_ed25519(&(gral_signer){{0}}, (gral_span){"\x72", 1}, &signature)); /* a key that fits anything */
}

static void a_signed_record_is_right_and_names_its_key(void **unused)
{
    (void)unused;
    const pair pair = pair_of(7);
    const words record = named_game(), whole = signed_by(&pair, &record), file = checked(&whole);
    gral_audit audit;
    gral_error error;
    assert_true(gral_audit_record(span(&file), fair_blake2b, fair_ed25519, &audit, &error));
    assert_int_equal(audit.is_signed, GRAL_SIGNED);
    assert_false(audit.open);
    assert_memory_equal(audit.signer.bytes, pair.signer.bytes, GRAL_SIGNER_BYTES);
    assert_int_equal(audit.seals, 4);
    gral_record_free(&audit.record);
    assert_true(gral_audit_record(span(&file), fair_blake2b, NULL, &audit, &error)); /* as in a browser */
    assert_int_equal(audit.is_signed, GRAL_UNCHECKED);
    gral_record_free(&audit.record);
    expect_wrong(&whole, line_at(&whole, whole.length) - 1,
                 "a sealed record must end with its checks, and they are missing");
}

static void exchanged_names_are_found_by_the_signature(void **unused)
{
    (void)unused;
    const pair pair = pair_of(7);
    const words record = named_game();
    words other = replaced(&record, "\"Anna\"", "\"Ben?\"");
    other = replaced(&other, "\"Ben\"", "\"Anna\"");
    other = replaced(&other, "\"Ben?\"", "\"Ben\"");
    const words before = checked(&other);
    expect_right(&before, true, 4, 14); /* without one nothing shows it */
    const words whole = signed_by(&pair, &record);
    words forged = replaced(&whole, "\"Anna\"", "\"Ben?\"");
    forged = replaced(&forged, "\"Ben\"", "\"Anna\"");
    forged = replaced(&forged, "\"Ben?\"", "\"Ben\"");
    expect_wrong_with_new_checks(&forged, 1, unsigned_words);
}

/* Anna's second assignment was on A1; on T1 it would do as well. All seals are made anew. */
static void a_changed_sheet_with_new_seals_is_found_by_the_signature_R3_4(void **unused)
{
    (void)unused;
    const pair pair = pair_of(7);
    const words plain = words_of(small_game), other = replaced(&plain, "1: place 1 A1\n", "1: place 1 T1\n");
    const words resealed = sealed(other.bytes), before = checked(&resealed);
    expect_right(&before, true, 4, 14);
    const words record = sealed(small_game), whole = signed_by(&pair, &record);
    /* The forger keeps the signature that he has. */
    words forged = {.length = 0};
    gral_text text = gral_text_in(forged.bytes, TEXT_MAX);
    gral_text_add_bytes(&text, whole.bytes, whole.length - record.length);
    gral_text_add_bytes(&text, resealed.bytes, resealed.length);
    forged.length = text.length;
    expect_wrong_with_new_checks(&forged, 1, unsigned_words);
}

static void a_record_that_was_cut_is_found_by_the_signature(void **unused)
{
    (void)unused;
    const pair pair = pair_of(7);
    const words record = sealed(small_game), whole = signed_by(&pair, &record);
    words cut = replaced(&record, "2: step T1 a1\n1: pass\n2: keep\n", "");
    cut = replaced(&cut, "win 1 with T1", "-");
    const words before = checked(&cut);
    expect_right(&before, true, 4, 11);
    cut = replaced(&whole, "2: step T1 a1\n1: pass\n2: keep\n", "");
    cut = replaced(&cut, "win 1 with T1", "-");
    expect_wrong_with_new_checks(&cut, 1, unsigned_words);
}

static void every_byte_of_a_signed_record_is_held_by_its_signature_or_a_seal(void **unused)
{
    (void)unused;
    const pair pair = pair_of(7);
    const words record = named_game(), whole = signed_by(&pair, &record);
    for (size_t at = 0; at < whole.length; at++) {
        words other = whole;
        other.bytes[at] = whole.bytes[at] == '1' ? '2' : '1';
        const words file = checked(&other);
        gral_audit audit;
        gral_error error;
        if (!gral_audit_record(span(&file), fair_blake2b, fair_ed25519, &audit, &error))
            continue;
        if (audit.is_signed) /* a damaged name of the tag is none: then nobody says that it is signed */
            fail_msg("byte %zu may be another: %.40s", at, whole.bytes + at);
        gral_record_free(&audit.record);
    }
}

static void a_placement_that_no_seal_holds_is_found_in_a_signed_record(void **unused)
{
    (void)unused;
    const pair pair = pair_of(7);
    const words plain = words_of("[Players \"2\"]\n[Game \"small\"]\n[Termination \"abandoned\"]\n\n");
    words whole = signed_by(&pair, &plain), file = checked(&whole);
    expect_right(&file, true, 0, 0);
    gral_text text = gral_text_in(whole.bytes + whole.length, TEXT_MAX - whole.length);
    gral_text_add(&text, "1: place 10 T1\n");
    whole.length += text.length;
    expect_wrong_with_new_checks(&whole, 8, "seal 1 of player 1 is missing for placements that were not ended");
    gral_text_add(&text, "1: done\n");
    whole.length += strlen("1: done\n");
    expect_wrong_with_new_checks(&whole, 8, "seal 1 of player 1 is missing for the placements that end here");
}

static void badly_written_signatures_are_refused(void **unused)
{
    (void)unused;
    const pair pair = pair_of(7);
    const words record = sealed(small_game), whole = signed_by(&pair, &record);
    words wrong = without_line(&whole, 2);
    expect_wrong_with_new_checks(&wrong, 1, "a record with a signature needs the tag Signer");
    wrong = replaced(&whole, "[Signer \"", "[Signer \"0");
    expect_wrong_with_new_checks(&wrong, 2, "expected 64 digits 0 to 9 and a to f");
    wrong = replaced(&whole, "[Signature \"", "[Signature \"0");
    expect_wrong_with_new_checks(&wrong, 1, "expected 128 digits 0 to 9 and a to f");
    wrong = replaced(&whole, "[Signature \"", "[Signature \"\"]\n[Signature \"");
    expect_wrong_with_new_checks(&wrong, 2, "this appears twice");
    const words plain = words_of("[Players \"2\"]\n[Game \"small\"]\n\n"), bare = signed_by(&pair, &plain);
    expect_wrong(&bare, 5, "a signed record must end with its checks, and they are missing");
}

/* --- a record that was saved before --- */

static bool compared(const words *file, const words *saved, gral_comparison *found, gral_error *error)
{
    gral_audit audit, saved_audit;
    assert_true(gral_audit_record(span(file), fair_blake2b, fair_ed25519, &audit, error));
    assert_true(gral_audit_record(span(saved), fair_blake2b, fair_ed25519, &saved_audit, error));
    const bool same = gral_compare_records(span(file), &audit, span(saved), &saved_audit, found, error);
    gral_record_free(&audit.record);
    gral_record_free(&saved_audit.record);
    return same;
}

static words signed_and_checked(const words *record)
{
    const pair pair = pair_of(7);
    const words whole = signed_by(&pair, record);
    return checked(&whole);
}

static void expect_contradiction(const words *record, const words *saved, const char *message)
{
    const words file = signed_and_checked(record), other = signed_and_checked(saved);
    gral_comparison found;
    gral_error error;
    assert_false(compared(&file, &other, &found, &error));
    assert_string_equal(error.message, message);
    assert_true(error.line > 0);
}

static void the_record_of_a_game_that_goes_on_is_looked_at_if_it_is_signed_R10_2(void **unused)
{
    (void)unused;
    const words record = named_game(), part = open_part(&record, 6), file = signed_and_checked(&part);
    gral_audit audit;
    gral_error error;
    assert_true(gral_audit_record(span(&file), fair_blake2b, fair_ed25519, &audit, &error));
    assert_true(audit.open);
    assert_int_equal(audit.record.count, 0);
    assert_int_equal(audit.seals, 2);
    const pair pair = pair_of(7);
    const words whole = signed_by(&pair, &part), more = replaced(&whole, "1: done\n", "1: place 2 T1\n1: done\n");
    expect_wrong_with_new_checks(&more, line_at(&more, (size_t)(strstr(more.bytes, "1: place") - more.bytes)),
                                 "this is not public while the game is running");
}

static void a_record_goes_on_where_the_saved_one_stopped(void **unused)
{
    (void)unused;
    const words record = named_game(), file = signed_and_checked(&record);
    gral_comparison found;
    gral_error error;
    for (unsigned actions = 2; actions <= 8; actions += 3) {
        const words part = open_part(&record, actions), saved = signed_and_checked(&part);
        if (!compared(&file, &saved, &found, &error))
            fail_msg("line %u: %s", error.line, error.message);
        assert_int_equal(found.actions, actions);
        assert_int_equal(found.seals, 2);
        assert_int_equal(found.names_removed, 0);
    }
    assert_true(compared(&file, &file, &found, &error));
    assert_int_equal(found.seals, 4);
    words part = open_part(&record, 3);
    const words earlier = signed_and_checked(&part);
    part = open_part(&record, 5);
    const words later = signed_and_checked(&part);
    assert_true(compared(&later, &earlier, &found, &error));
    assert_false(compared(&earlier, &later, &found, &error));
    assert_string_equal(error.message, "the saved record goes on longer: this one is older");
    assert_true(found.is_older);
}

static void what_a_saved_record_says_otherwise_is_found(void **unused)
{
    (void)unused;
    const words record = named_game(), saved = open_part(&record, 6);
    words other = replaced(&record, "\"small\"", "\"other\"");
    other = open_part(&other, 6);
    expect_contradiction(&other, &saved, "the saved record differs here");
    other = replaced(&saved, "[Game \"small\"]\n", "");
    expect_contradiction(&record, &other, "this is not in the saved record");
    expect_contradiction(&other, &saved, "something in the saved record is missing here");
    other = replaced(&saved, "[Seal1_1 \"", "[Seal1_1 \"0");
    expect_contradiction(&record, &other, "the saved record has another seal here");
    other = replaced(&saved, "2: assign\n", "2: step T1 b1\n");
    expect_contradiction(&record, &other, "the saved record has another action here");
    const words small = sealed(small_game), all = open_part(&small, 77);
    other = replaced(&small, "2: step T1 a1\n1: pass\n2: keep\n", "");
    other = replaced(&other, "win 1 with T1", "-");
    expect_contradiction(&other, &all, "actions of the saved record are missing here");
    other = replaced(&small, "2: step T1 a1\n1: pass\n2: keep\n", "");
    other = replaced(&other, "win 1 with T1", "-");
    expect_contradiction(&small, &other, "the saved record covers the whole game and does not have this action");
    const words agreed = replaced(&other, "[Game", "[Termination \"agreed\"]\n[Game");
    expect_contradiction(&agreed, &other, "the game ended differently in the saved record");
}

static void a_name_may_be_taken_away_but_not_exchanged(void **unused)
{
    (void)unused;
    const words record = named_game(), part = open_part(&record, 6), saved = signed_and_checked(&part);
    const words without = replaced(&record, "\"Ben\"", "\"\""), file = signed_and_checked(&without);
    gral_comparison found;
    gral_error error;
    assert_true(compared(&file, &saved, &found, &error));
    assert_int_equal(found.names_removed, 1);
    assert_false(found.only_names);
    const words nameless = replaced(&part, "\"Ben\"", "\"\"");
    expect_contradiction(&record, &nameless, "the saved record has another name here");
    const words renamed = replaced(&record, "\"Ben\"", "\"Eve\""), other = signed_and_checked(&renamed);
    assert_false(compared(&other, &saved, &found, &error));
    assert_string_equal(error.message, "the saved record has another name here");
    assert_true(found.only_names); /* which may be right, so nobody is accused */
    const words more = replaced(&part, "2: assign\n", "2: step T1 b1\n");
    expect_contradiction(&renamed, &more, "the saved record has another action here");
}

/* --- the keys of a server --- */

enum { KEYS = 3 };

static words list_of_keys(unsigned count)
{
    gral_listed_signer list[KEYS];
    pair previous = pair_of(0);
    for (unsigned index = 0; index < count; index++) {
        const pair pair = pair_of((uint8_t)(index + 1));
        list[index] = (gral_listed_signer){.number = index + 1, .time = 1794787200 + index, .signer = pair.signer};
        char bytes[200];
        gral_text text = gral_text_in(bytes, sizeof bytes);
        gral_signer_statement(&text, &list[index]);
        list[index].endorsement = sign(&previous, (gral_span){bytes, text.length});
        previous = pair;
    }
    words words = {.length = 0};
    gral_text text = gral_text_in(words.bytes, TEXT_MAX);
    gral_signers_print(&text, list, count);
    words.length = text.length;
    return words;
}

static void a_key_is_found_in_a_list_in_which_each_is_signed_by_the_one_before(void **unused)
{
    (void)unused;
    const words list = list_of_keys(KEYS), shorter = list_of_keys(KEYS - 1);
    assert_memory_equal(list.bytes, shorter.bytes, shorter.length); /* it only grows */
    for (unsigned seed = 1; seed <= KEYS + 1; seed++) {
        uint32_t number = 77;
        gral_error error;
        const pair pair = pair_of((uint8_t)seed);
        assert_true(gral_signers_find(span(&list), fair_ed25519, &pair.signer, &number, &error));
        assert_int_equal(number, seed <= KEYS ? seed : 0);
    }
}

static void every_changed_byte_of_a_list_of_keys_but_of_its_first_key_is_found(void **unused)
{
    (void)unused;
    const words list = list_of_keys(KEYS);
    const gral_span first = line_of(&list, 2);
    const pair pair = pair_of(1);
    for (size_t at = 0; at < list.length; at++) {
        words other = list;
        other.bytes[at] = list.bytes[at] == '7' ? '3' : '7';
        const char *changed = list.bytes + at;
        uint32_t number;
        gral_error error = {0};
        const bool right = gral_signers_find(span(&other), fair_ed25519, &pair.signer, &number, &error);
        /* Nobody vouches for the first time; another first key has signed nothing. */
        const bool time = changed >= first.bytes + 2 && changed < first.bytes + 12;
        assert_int_equal(right, time);
        assert_true(right || (error.line > 0 && error.message[0] != '\0'));
    }
    for (size_t length = 0; length < list.length; length++) {
        uint32_t number;
        gral_error error;
        const bool whole_lines = length > 0 && list.bytes[length - 1] == '\n';
        const gral_span cut = {list.bytes, length};
        const bool bare_head = length == strlen("gral keys 1");
        assert_int_equal(gral_signers_find(cut, fair_ed25519, &pair.signer, &number, &error), whole_lines || bare_head);
    }
}

/* --- the program --- */

static char sealed_path[64];

static int write_sealed_record(void **unused)
{
    (void)unused;
    snprintf(sealed_path, sizeof sealed_path, "/tmp/gral-sealed-XXXXXX");
    const int file = mkstemp(sealed_path);
    assert_true(file >= 0);
    const words record = sealed(small_game), content = checked(&record);
    write_file(sealed_path, &content);
    return close(file);
}

static int remove_sealed_record(void **unused)
{
    (void)unused;
    return remove(sealed_path);
}

static void expect_verify(const char *edit, int status, const char *expected)
{
    char script[1024];
    snprintf(script, sizeof script,
             "cp %s /tmp/gral-verify-$$; sed -i '%s' /tmp/gral-verify-$$; gral verify /tmp/gral-verify-$$ 2>&1; "
             "status=$?; rm /tmp/gral-verify-$$; exit $status",
             sealed_path, edit);
    assert_int_equal(shell(script), status);
    expect_in_output(expected);
}

static void verify_says_what_is_certain_about_a_sealed_record(void **unused)
{
    (void)unused;
    expect_verify("", 0,
                  ": no problems found\n"
                  "  rules: all actions (14, in 4 turns) are legal, and all revealed influence was really held\n"
                  "  result: win 1 with T1, as the actions show\n"
                  "  seals: all (4) match the placements, but whoever changes a placement can make new seals\n"
                  "  checksums: no line was damaged by accident; they do not protect against forgery\n"
                  "  signature: none; nobody vouches for names, terms and seals, or that nothing was cut off\n"
                  "  compared: with nothing; ");
}

static void verify_says_that_a_plain_record_has_no_seals(void **unused)
{
    (void)unused;
    assert_int_equal(shell("cd $data/records && gral verify example.gral"), 0);
    assert_string_equal(output,
                        "example.gral: no problems found\n"
                        "  rules: all actions (56, in 13 turns) are legal, and all revealed influence was really held\n"
                        "  result: none, the game is not over\n"
                        "  seals: none, so nobody can tell whether a sheet was changed afterwards\n"
                        "  checksums: none\n"
                        "  signature: none; nobody vouches for names, terms and seals, or that nothing was cut off\n"
                        "  compared: with nothing; only a record saved during the game can show that it was not "
                        "changed later (--against)\n");
}

static void verify_says_what_a_signature_shows_and_what_it_does_not(void **unused)
{
    (void)unused;
    assert_int_equal(shell("cd $data/records && gral verify signed.gral"), 0);
    expect_in_output(
        "  seals: all (5) match the placements, and the signature covers them\n"
        "  checksums: no line was damaged by accident; they do not protect against forgery\n"
        "  signature: valid, by the key b9ae72c5232993dd…; whether that is the server's key was not checked "
        "(--key)\n"
        "  signed: names, terms, seals, actions and the end; nothing was changed, added or cut off\n"
        "  compared: with nothing; ");
    assert_int_equal(shell("cd $data/records && gral verify --key signed_keys signed_saved.gral"), 0);
    assert_string_equal(output,
                        "signed_saved.gral: no problems found\n"
                        "  rules: not checked; the game was still going on, and a record has no sheets before the end\n"
                        "  checksums: no line was damaged by accident; they do not protect against forgery\n"
                        "  signature: valid, by the key b9ae72c5232993dd…, one of those given\n"
                        "  signed: names, terms, seals and actions, up to that point of the game\n"
                        "  compared: with nothing; only a record saved during the game can show that it was "
                        "not changed later (--against)\n");
    assert_int_equal(shell("cd $data/records && gral verify --against signed_saved.gral signed.gral"), 0);
    expect_in_output(
        "  compared: all actions (14) and seals (2) of signed_saved.gral are here, with the same terms and "
        "names\n");
    assert_int_equal(shell("cd $data/records && gral verify --key signed_keys sealed.gral 2>&1"), 1);
    assert_string_equal(output, "gral verify: sealed.gral: it is not signed\n");
}

static void verify_says_how_an_unfinished_game_ended(void **unused)
{
    (void)unused;
    static const char *const ends[][2] = {{"agreed", "  result: a draw by agreement, as the record says\n"},
                                          {"abandoned", "  result: none, the game was abandoned, as the record says\n"},
                                          {"agreeable", "  result: none, the game is not over\n"}};
    for (size_t index = 0; index < sizeof ends / sizeof *ends; index++) {
        char script[256];
        snprintf(script, sizeof script,
                 "cd $data/records && (echo '[Termination \"%s\"]'; cat example.gral) >/tmp/gral-end-$$; "
                 "gral verify /tmp/gral-end-$$; status=$?; rm /tmp/gral-end-$$; exit $status",
                 ends[index][0]);
        assert_int_equal(shell(script), 0);
        expect_in_output(ends[index][1]);
    }
}

static void verify_names_the_line_that_is_wrong_and_fails(void **unused)
{
    (void)unused;
    expect_verify("s/1: place 2 T1 /1: place 2 A1 /", 1, ": line 20: this line or its check was changed\n");
    expect_verify("s/ ;[0-9a-f]*$//; $d", 1,
                  ": line 33: a sealed record must end with its checks, and they are missing\n");
}

static void verify_reads_every_file_and_fails_if_one_is_wrong(void **unused)
{
    (void)unused;
    assert_int_equal(shell("cd $data/records && gral verify nowhere.gral sealed.gral ../courses.txt example.gral 2>&1"),
                     1);
    expect_in_output("gral verify: nowhere.gral: No such file or directory\n");
    expect_in_output("sealed.gral: no problems found\n");
    expect_in_output("gral verify: ../courses.txt: line 1: ");
    expect_in_output("example.gral: no problems found\n");
    assert_int_equal(shell("gral verify 2>&1"), 2);
    assert_string_equal(output, "gral verify: FILE... is missing (see gral verify --help)\n");
    assert_int_equal(shell("gral verify --help"), 0);
    expect_in_output("Usage: gral verify");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hash_is_blake2b_of_32_bytes_without_a_key),
        cmocka_unit_test(bytes_are_two_small_digits_each_and_come_back),
        cmocka_unit_test(a_seal_tells_nothing_by_its_length_or_by_the_work_it_is_R10_2),
        cmocka_unit_test(any_other_part_makes_another_seal_R3_4),
        cmocka_unit_test(the_seal_in_the_handbook_is_right),
        cmocka_unit_test(a_salt_stands_beside_its_seal_only_when_it_is_given_R10_2),
        cmocka_unit_test(a_record_without_seals_and_checks_is_only_played_by_the_rules),
        cmocka_unit_test(a_sealed_record_of_long_ago_is_still_right_R3_4),
        cmocka_unit_test(a_game_sealed_while_it_was_played_is_right_to_its_bluffs_R3_2_R3_4),
        cmocka_unit_test(checks_need_the_room_they_say),
        cmocka_unit_test(a_checked_record_reads_like_the_same_without_R10_4),
        cmocka_unit_test(every_changed_byte_is_found_and_its_line_named),
        cmocka_unit_test(every_lost_or_added_byte_is_found_and_its_line_named),
        cmocka_unit_test(a_file_of_checks_is_known_by_any_part_that_is_left_of_it),
        cmocka_unit_test(lines_removed_doubled_or_swapped_are_found),
        cmocka_unit_test(what_is_wrong_with_a_line_is_said),
        cmocka_unit_test(a_record_with_seals_must_have_checks),
        cmocka_unit_test(a_sheet_changed_after_the_game_is_found_R3_4_R10_4),
        cmocka_unit_test(a_seal_of_another_game_seat_or_assignment_is_found),
        cmocka_unit_test(a_missing_or_superfluous_seal_is_found),
        cmocka_unit_test(a_badly_written_seal_is_refused),
        cmocka_unit_test(tags_that_only_begin_like_seals_are_anybodys),
        cmocka_unit_test(what_breaks_the_rules_is_refused_whatever_its_seals_R4_8_R7_3),
        cmocka_unit_test(a_game_that_goes_on_cannot_be_audited_yet_R10_2),
        cmocka_unit_test(signatures_are_those_of_ed25519),
        cmocka_unit_test(a_signed_record_is_right_and_names_its_key),
        cmocka_unit_test(exchanged_names_are_found_by_the_signature),
        cmocka_unit_test(a_changed_sheet_with_new_seals_is_found_by_the_signature_R3_4),
        cmocka_unit_test(a_record_that_was_cut_is_found_by_the_signature),
        cmocka_unit_test(every_byte_of_a_signed_record_is_held_by_its_signature_or_a_seal),
        cmocka_unit_test(a_placement_that_no_seal_holds_is_found_in_a_signed_record),
        cmocka_unit_test(badly_written_signatures_are_refused),
        cmocka_unit_test(the_record_of_a_game_that_goes_on_is_looked_at_if_it_is_signed_R10_2),
        cmocka_unit_test(a_record_goes_on_where_the_saved_one_stopped),
        cmocka_unit_test(what_a_saved_record_says_otherwise_is_found),
        cmocka_unit_test(a_name_may_be_taken_away_but_not_exchanged),
        cmocka_unit_test(a_key_is_found_in_a_list_in_which_each_is_signed_by_the_one_before),
        cmocka_unit_test(every_changed_byte_of_a_list_of_keys_but_of_its_first_key_is_found),
        cmocka_unit_test_setup_teardown(verify_says_what_is_certain_about_a_sealed_record, write_sealed_record,
                                        remove_sealed_record),
        cmocka_unit_test(verify_says_what_a_signature_shows_and_what_it_does_not),
        cmocka_unit_test(verify_says_how_an_unfinished_game_ended),
        cmocka_unit_test(verify_says_that_a_plain_record_has_no_seals),
        cmocka_unit_test_setup_teardown(verify_names_the_line_that_is_wrong_and_fails, write_sealed_record,
                                        remove_sealed_record),
        cmocka_unit_test(verify_reads_every_file_and_fails_if_one_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
