/* `gral verify`: what it says about a record, and what it does not. */
#include "auditing.h"
#include "shell.h"

#include <stdio.h>
#include <unistd.h>

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

/* What the referee writes is a copy, for which nobody vouches. */
static void a_signed_record_that_the_referee_has_read_and_written_is_a_plain_one(void **unused)
{
    (void)unused;
    const pair pair = pair_of(7);
    const words record = named_game(), whole = signed_by(&pair, &record), content = checked(&whole);
    char path[] = "/tmp/gral-signed-XXXXXX", script[256];
    const int file = mkstemp(path);
    assert_true(file >= 0);
    write_file(path, &content);
    assert_int_equal(close(file), 0);
    snprintf(script, sizeof script, "printf 'load %s\\nsave %s\\n' | gral referee && cat %s && gral verify %s", path,
             path, path, path);
    assert_int_equal(shell(script), 0);
    expect_in_output("\"Anna\"");
    expect_in_output("  seals: none");
    expect_in_output("  signature: none");
    assert_int_equal(remove(path), 0);
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
        cmocka_unit_test_setup_teardown(verify_says_what_is_certain_about_a_sealed_record, write_sealed_record,
                                        remove_sealed_record),
        cmocka_unit_test(verify_says_what_a_signature_shows_and_what_it_does_not),
        cmocka_unit_test(verify_says_how_an_unfinished_game_ended),
        cmocka_unit_test(a_signed_record_that_the_referee_has_read_and_written_is_a_plain_one),
        cmocka_unit_test(verify_says_that_a_plain_record_has_no_seals),
        cmocka_unit_test_setup_teardown(verify_names_the_line_that_is_wrong_and_fails, write_sealed_record,
                                        remove_sealed_record),
        cmocka_unit_test(verify_reads_every_file_and_fails_if_one_is_wrong),
    };
    return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
