/* Seals and checks: what they hide, what they find, and where. */
#include "scene.h"
#include "shell.h"

#include "blake2b.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 1 << 14 };

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
    if (!gral_audit_record(span(file), fair_blake2b, &audit, &error))
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
    assert_false(gral_audit_record(span(file), fair_blake2b, &audit, &error));
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
    assert_false(gral_audit_record(span(file), fair_blake2b, &audit, &error));
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
    expect_wrong(&wrong, LINE_LAST + 2, "nothing may stand after the hash of all lines");
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
    expect_wrong(&windows, 1, "this line ends in CR LF, and it was written with LF alone");
}

static void a_record_with_seals_must_have_checks(void **unused)
{
    (void)unused;
    const words record = sealed(small_game);
    expect_wrong(&record, LINE_LAST, "a record with seals ends with its checks, and they are missing");
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
    expect_wrong_with_new_checks(&wrong, LINE_RESULT, "this is given twice");
}

static void a_badly_written_seal_is_refused(void **unused)
{
    (void)unused;
    static const char digits[] = "expected 64 digits 0 to 9 and a to f";
    static const char name[] = "a seal has a name like Seal2_1, its salt like Salt2_1";
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
    expect_wrong_with_new_checks(&wrong, LINE_GAME, "a record with seals has the tag Game");
    wrong = replaced(&record, "\"small\"", "\"\"");
    expect_wrong_with_new_checks(&wrong, LINE_GAME, "a game is named by 1 to 32 bytes");
    wrong = replaced(&record, "\"small\"", "\"a name of more than thirty-two bytes\"");
    expect_wrong_with_new_checks(&wrong, LINE_GAME, "a game is named by 1 to 32 bytes");
    wrong = replaced(&record, "[Game \"small\"]\n", "[Game \"small\"]\n[Game \"large\"]\n");
    expect_wrong_with_new_checks(&wrong, LINE_GAME + 1, "this is given twice");
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
    expect_wrong_with_new_checks(&wrong, LINE_LAST - 4, "you hold less influence on that initiate (R4.8)");
    wrong = replaced(&record, "win 1 with T1", "win 2 with T1");
    expect_wrong_with_new_checks(&wrong, LINE_RESULT, "the actions lead to the result 'win 1 with T1'");
}

static void a_game_that_goes_on_cannot_be_audited_yet_R10_2(void **unused)
{
    (void)unused;
    const words record = words_of(
        "[Players \"2\"]\n[View \"public\"]\n\n1: done\n2: done\n1: step T1 a2\n2: object 5\n");
    expect_wrong_with_new_checks(
        &record, 2, "only what everybody may see is in this record; all of it comes when the game is over");
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
                  ": right\n"
                  "  rules: all actions (14, in 4 turns) are legal, and every figure shown was really held\n"
                  "  result: win 1 with T1, as the actions lead to it\n"
                  "  seals: all of them (4) belong to the placements they were made for\n"
                  "  checks: every line is as it was written\n");
}

static void verify_says_that_a_plain_record_has_no_seals(void **unused)
{
    (void)unused;
    assert_int_equal(shell("cd $data/records && gral verify example.gral"), 0);
    assert_string_equal(output,
                        "example.gral: right\n"
                        "  rules: all actions (56, in 13 turns) are legal, and every figure shown was really held\n"
                        "  result: none, the game is not over\n"
                        "  seals: this record has none, so nobody can tell whether a sheet was changed afterwards\n"
                        "  checks: this record has none\n");
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
                  ": line 33: a record with seals ends with its checks, and they are missing\n");
}

static void verify_reads_every_file_and_fails_if_one_is_wrong(void **unused)
{
    (void)unused;
    assert_int_equal(shell("cd $data/records && gral verify nowhere.gral sealed.gral ../courses.txt example.gral 2>&1"),
                     1);
    expect_in_output("gral verify: nowhere.gral: No such file or directory\n");
    expect_in_output("sealed.gral: right\n");
    expect_in_output("gral verify: ../courses.txt: line 1: ");
    expect_in_output("example.gral: right\n");
    assert_int_equal(shell("gral verify 2>&1"), 2);
    assert_string_equal(output, "gral verify: expected at least one record (gral verify --help says more)\n");
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
        cmocka_unit_test_setup_teardown(verify_says_what_is_certain_about_a_sealed_record, write_sealed_record,
                                        remove_sealed_record),
        cmocka_unit_test(verify_says_how_an_unfinished_game_ended),
        cmocka_unit_test(verify_says_that_a_plain_record_has_no_seals),
        cmocka_unit_test_setup_teardown(verify_names_the_line_that_is_wrong_and_fails, write_sealed_record,
                                        remove_sealed_record),
        cmocka_unit_test(verify_reads_every_file_and_fails_if_one_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
