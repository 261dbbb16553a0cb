/* Signatures: what they hold, what a record saved before shows, and whose key it was. */
#include "auditing.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const char unsigned_words[] =
    "the signature does not match this record: something was changed, added or removed";

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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests_name("fair_signed", tests, NULL, NULL);
}
