/* Records checked by somebody who trusts nobody: no server is asked, and what could not be checked is said too. */
#include "blake2b.h"
#include "command.h"
#include "files.h"
#include "gral/gral.h"
#include "language.h"

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

static void show_rules(const gral_record *record)
{
    gral_game game;
    gral_state state;
    gral_record_replay(record, record->count, &game, &state);
    char result[32];
    gral_text text = gral_text_in(result, sizeof result);
    gral_result_print(&text, &state.open);
    printf(_("  rules: all actions (%zu, in %u turns) are legal, and every figure shown was really held\n"),
           record->count, state.open.turn);
    if (state.open.phase == GRAL_OVER)
        printf(_("  result: %s, as the actions lead to it\n"), result);
    else
        puts(language_of(unfinished(gral_record_tag(record, "Termination"))));
}

static void show_audit(const char *path, const gral_audit *audit)
{
    printf(_("%s: right\n"), path);
    show_rules(&audit->record);
    if (audit->seals > 0)
        printf(_("  seals: all of them (%u) belong to the placements they were made for\n"), audit->seals);
    else
        puts(_("  seals: this record has none, so nobody can tell whether a sheet was changed afterwards"));
    if (audit->checks)
        puts(_("  checks: every line is as it was written"));
    else
        puts(_("  checks: this record has none"));
}

static bool verify(const char *path)
{
    size_t length = 0;
    const char *why = "";
    char *bytes = disk_files.read(path, &length, &why);
    if (bytes == NULL) {
        fprintf(stderr, "gral verify: %s: %s\n", path, why);
        return false;
    }
    gral_audit audit;
    gral_error error;
    const bool right = gral_audit_record((gral_span){bytes, length}, fair_blake2b, &audit, &error);
    free(bytes);
    if (!right) {
        fprintf(stderr, _("gral verify: %s: line %u: %s\n"), path, error.line, language_of(error.message));
        return false;
    }
    show_audit(path, &audit);
    gral_record_free(&audit.record);
    return true;
}

enum { OPTION_LANG };
static const cli_option options[] = {
    [OPTION_LANG] = {"lang", "en|de|fr|it", N_("the language; by default the system's")},
    {0},
};

static int run(const cli_command *command, int argc, char **argv)
{
    cli_words words = cli_read(command, argc, argv);
    for (int option; (option = cli_next(&words)) != CLI_END;)
        switch (option) {
        case OPTION_LANG:
            if (!language_choose(words.value))
                return cli_misused(command, _("--lang needs en, de, fr or it, not '%s'"), words.value);
            break;
        default:
            return words.status;
        }
    if (words.word_count == 0)
        return cli_misused(command, _("expected at least one record"));

    int status = CLI_OK;
    for (int index = 0; index < words.word_count; index++)
        if (!verify(words.words[index]))
            status = CLI_FAILED;
    return status;
}

const cli_command verify_command = {
    .name = "verify",
    .arguments = "FILE...",
    .summary = N_("check recorded games: rules, seals and checks"),
    .description = N_(
        "Checks records and says what is certain about each. All actions are played by the rules, so that every "
        "figure shown was held and the result is the right one. If the record has seals, every opening and every "
        "assignment is compared with the seal that was published when it was made: nothing was put on a sheet, taken "
        "away or moved afterwards. If it has checks, every byte is as it was written.\n\n"
        "What is wrong is named with its line, and the exit status is 1. No server is needed or asked."),
    .options = options,
    .run = run,
};
