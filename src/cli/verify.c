/* Records checked by somebody who trusts nobody: no server is asked, and what could not be checked is said too. */
#include "command.h"
#include "fair/blake2b.h"
#include "fair/ed25519.h"
#include "gral/gral.h"
#include "terminal/files.h"
#include "terminal/language.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A game that the rules did not end: how its host says that it was. */
static const char *unfinished(gral_span termination)
{
    static const struct {
        const char *tag, *words;
    } ends[] = {
        {"agreed", N_("  result: a draw by agreement, as the record says")},
        {"abandoned", N_("  result: none, the game was abandoned, as the record says")},
    };
    for (size_t index = 0; index < sizeof ends / sizeof *ends; index++)
        if (termination.length == strlen(ends[index].tag) &&
            memcmp(termination.bytes, ends[index].tag, termination.length) == 0)
            return ends[index].words;
    return N_("  result: none, the game is not over");
}

/* --- whose key it is --- */

/* The keys that the caller takes for the server's: one, or a list as the server publishes it. */
typedef struct trust {
    const char *words; /* as they were given; NULL: none was */
    bool is_list;
    gral_signer key;
    char *list;
    size_t length;
} trust;

static bool read_trust(trust *trust, const char *words)
{
    trust->words = words;
    trust->is_list = !gral_bytes_parse(gral_span_of(words), trust->key.bytes, GRAL_SIGNER_BYTES);
    const char *why = "";
    trust->list = trust->is_list ? disk_files.read(words, &trust->length, &why) : NULL;
    if (trust->is_list && trust->list == NULL)
        fprintf(stderr, "gral verify: %s: %s\n", words, why);
    return !trust->is_list || trust->list != NULL;
}

/* What is shown of a key: enough to tell it from others at a glance. */
enum { KEY_SHOWN = 16 };
typedef struct key_words {
    char digits[2 * GRAL_SIGNER_BYTES + 1];
} key_words;

static key_words words_of(const gral_signer *key)
{
    key_words words;
    gral_text text = gral_text_in(words.digits, sizeof words.digits);
    gral_bytes_print(&text, key->bytes, GRAL_SIGNER_BYTES);
    words.digits[KEY_SHOWN] = '\0';
    return words;
}

/* Whether the record is signed by a key that is trusted; true too if the caller did not ask. */
static bool is_trusted(const trust *trust, const char *path, const gral_audit *audit)
{
    uint32_t number = 0;
    gral_error error;
    if (trust->words == NULL)
        return true;
    if (audit->is_signed == GRAL_UNSIGNED) {
        fprintf(stderr, _("gral verify: %s: it is not signed\n"), path);
        return false;
    }
    if (!trust->is_list)
        number = memcmp(trust->key.bytes, audit->signer.bytes, GRAL_SIGNER_BYTES) == 0;
    else if (!gral_signers_find((gral_span){trust->list, trust->length}, fair_ed25519, &audit->signer, &number,
                                &error)) {
        fprintf(stderr, _("gral verify: %s: line %u: %s\n"), trust->words, error.line, language_of(error.message));
        return false;
    }
    if (number == 0)
        fprintf(stderr, _("gral verify: %s: it is signed with the key %s…, which is not one of those given\n"), path,
                words_of(&audit->signer).digits);
    return number > 0;
}

/* --- what was shown, and what was not --- */

static void show_rules(const gral_record *record)
{
    gral_game game;
    gral_state state;
    gral_record_replay(record, record->count, &game, &state);
    char result[32];
    gral_text text = gral_text_in(result, sizeof result);
    gral_result_print(&text, &state.open);
    printf(_("  rules: all actions (%zu, in %u turns) are legal, and all revealed influence was really held\n"),
           record->count, state.open.turn);
    if (state.open.phase == GRAL_OVER)
        printf(_("  result: %s, as the actions show\n"), result);
    else
        puts(language_of(unfinished(gral_record_tag(record, "Termination"))));
}

static void show_seals(const gral_audit *audit)
{
    if (audit->seals == 0 && audit->is_signed)
        puts(_("  seals: none, because nothing was assigned"));
    else if (audit->seals == 0)
        puts(_("  seals: none, so nobody can tell whether a sheet was changed afterwards"));
    else if (audit->is_signed)
        printf(_("  seals: all (%u) match the placements, and the signature covers them\n"), audit->seals);
    else
        printf(_("  seals: all (%u) match the placements, but whoever changes a placement can make new seals\n"),
               audit->seals);
}

static void show_signature(const gral_audit *audit, const trust *trust)
{
    const key_words key = words_of(&audit->signer);
    if (!audit->is_signed) {
        puts(_("  signature: none; nobody vouches for names, terms and seals, or that nothing was cut off"));
        return;
    }
    if (trust->words != NULL)
        printf(_("  signature: valid, by the key %s…, one of those given\n"), key.digits);
    else
        printf(_("  signature: valid, by the key %s…; whether that is the server's key was not checked (--key)\n"),
               key.digits);
    puts(audit->open ? _("  signed: names, terms, seals and actions, up to that point of the game")
                     : _("  signed: names, terms, seals, actions and the end; nothing was changed, added or cut off"));
}

static void show_audit(const char *path, const gral_audit *audit, const trust *trust)
{
    printf(_("%s: no problems found\n"), path);
    if (audit->open) {
        puts(_("  rules: not checked; the game was still going on, and a record has no sheets before the end"));
    } else {
        show_rules(&audit->record);
        show_seals(audit);
    }
    puts(audit->checks ? _("  checksums: no line was damaged by accident; they do not protect against forgery")
                       : _("  checksums: none"));
    show_signature(audit, trust);
}

/* --- one record, and perhaps one that was saved before --- */

typedef struct file {
    const char *path;
    char *bytes;
    size_t length;
    gral_audit audit;
} file;

static void forget(file *file)
{
    gral_record_free(&file->audit.record);
    free(file->bytes);
}

static bool audit_file(const trust *trust, const char *path, file *file)
{
    const char *why = "";
    gral_error error;
    *file = (struct file){.path = path};
    file->bytes = disk_files.read(path, &file->length, &why);
    if (file->bytes == NULL) {
        fprintf(stderr, "gral verify: %s: %s\n", path, why);
        return false;
    }
    if (!gral_audit_record((gral_span){file->bytes, file->length}, fair_blake2b, fair_ed25519, &file->audit, &error)) {
        fprintf(stderr, _("gral verify: %s: line %u: %s\n"), path, error.line, language_of(error.message));
        return false;
    }
    return is_trusted(trust, path, &file->audit);
}

/* Two records that do not agree, both signed by the server: that is a proof, and worth saying. NULL: nobody is to
 * blame. */
static const char *blame(const gral_audit *one, const gral_audit *other, const trust *trust,
                         const gral_comparison *found)
{
    if (found->is_older)
        return NULL;
    if (!one->is_signed || !other->is_signed)
        return N_("gral verify: at least one record is not signed, so nobody can tell which one was changed\n");
    if (trust->words == NULL && memcmp(one->signer.bytes, other->signer.bytes, GRAL_SIGNER_BYTES) != 0)
        return N_("gral verify: the records are signed by different keys; --key would show which is not the "
                  "server's\n");
    if (found->only_names)
        return N_("gral verify: both records are signed; a name may change only if a guest registers under another\n");
    return N_("gral verify: both records are signed, so whoever has the key has signed two different games\n");
}

static void show_contradiction(const file *file, const struct file *saved, const trust *trust,
                               const gral_comparison *found, const gral_error *error)
{
    fprintf(stderr, _("gral verify: %s: line %u: %s\n"), file->path, error->line, language_of(error->message));
    const char *blamed = blame(&file->audit, &saved->audit, trust, found);
    if (blamed != NULL)
        fputs(language_of(blamed), stderr);
}

static bool compare(const file *file, const trust *trust, const char *path)
{
    struct file saved;
    gral_comparison found;
    gral_error error;
    bool right = audit_file(trust, path, &saved);
    if (right && !gral_compare_records((gral_span){file->bytes, file->length}, &file->audit,
                                       (gral_span){saved.bytes, saved.length}, &saved.audit, &found, &error)) {
        show_contradiction(file, &saved, trust, &found, &error);
        right = false;
    }
    if (right) {
        printf(_("  compared: all actions (%zu) and seals (%zu) of %s are here, with the same terms and names\n"),
               found.actions, found.seals, path);
        if (found.names_removed > 0)
            printf(_("  compared: players whose name was removed since: %u\n"), found.names_removed);
        if (!saved.audit.is_signed)
            puts(_("  compared: the saved record is not signed, so it proves nothing to others"));
    }
    forget(&saved);
    return right;
}

static bool verify(const char *path, const trust *trust, const char *saved)
{
    file file;
    bool right = audit_file(trust, path, &file);
    if (right) {
        show_audit(path, &file.audit, trust);
        if (saved != NULL)
            right = compare(&file, trust, saved);
        else
            puts(_("  compared: with nothing; only a record saved during the game can show that it was not changed "
                   "later (--against)"));
    }
    forget(&file);
    return right;
}

static const char *key, *against;
static const cli_option options[] = {
    {"key", "FILE", N_("file with the server's keys, from its page /keys, or one key of 64 digits"), CLI_FILE,
     .text = &key},
    {"against", "FILE", N_("compare with a record of the same game that was saved earlier"), CLI_FILE,
     .text = &against},
    {0},
};

static int run(const cli_words *words)
{
    trust trust = {0};
    if (against != NULL && words->count > 1)
        return cli_misused(words->command, _("--against compares one record with another, not several"));

    if (key != NULL && !read_trust(&trust, key))
        return CLI_FAILED;
    int status = CLI_OK;
    for (int index = 0; index < words->count; index++)
        if (!verify(words->word[index], &trust, against))
            status = CLI_FAILED;
    free(trust.list);
    return status;
}

const cli_command command_verify = {
    .name = "verify",
    .arguments = "FILE...",
    .words_least = 1,
    .words_most = INT_MAX,
    .summary = N_("check recorded games: rules, seals and signature"),
    .description = N_(
        "Checks records and says what each of them proves and what it does not. All actions are replayed by the rules, "
        "so every figure shown was really held and the result is right. If the record has seals, every opening and "
        "every assignment is compared with its seal. If it has checksums, no line was damaged by accident. If it is "
        "signed, its names, terms, seals, actions and end are those that were signed: nothing was changed, added or "
        "cut off. --key says whose signature it must be.\n\n"
        "A server could still sign two different records of a game. Save its record while you play, from /r/ID.gral: "
        "it is signed, too. --against compares them: everything it says must be in the final record.\n\n"
        "Whatever is wrong is reported with its line, and the exit status is 1. No server is needed or contacted."),
    .options = options,
    .run = run,
};
