/* Seals and checks: what they hide, what they find, and where. */
#include "auditing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    };
    return cmocka_run_group_tests_name("fair", tests, NULL, NULL);
}
