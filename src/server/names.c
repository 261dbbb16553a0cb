/* Unicode's own rules decide, through ICU: letters of one script (Latin may stand beside Japanese, Chinese or Korean),
 * no invisible characters, and the "skeleton" of a name, in which look-alikes such as Cyrillic а and Latin a fall
 * together. Case and accents count as looking alike too. */
#include "server/names.h"

#include "server/request.h"

#include <string.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>

#pragma GCC diagnostic ignored "-Wsign-conversion" /* in ICU's macros */

enum { UNITS = 256, TALK_UNITS = 2048 };

static const USpoofChecker *checker(void)
{
    static USpoofChecker *only;
    if (only != NULL)
        return only;
    UErrorCode status = U_ZERO_ERROR;
    only = uspoof_open(&status);
    uspoof_setRestrictionLevel(only, USPOOF_HIGHLY_RESTRICTIVE);
    uspoof_setChecks(only, USPOOF_RESTRICTION_LEVEL | USPOOF_INVISIBLE | USPOOF_MIXED_NUMBERS, &status);
    return only;
}

static bool may_stand_in_names(UChar32 character)
{
    return u_isalnum(character) || u_charType(character) == U_NON_SPACING_MARK || character == ' ' ||
           character == '-' || character == '_' || character == '.' || character == '\'';
}

/* What is left of a name when case, accents and punctuation are gone. */
static int32_t bare_letters(const UChar *name, int32_t length, UChar bare[UNITS], UErrorCode *status)
{
    UChar folded[UNITS], apart[UNITS];
    int32_t count = u_strFoldCase(folded, UNITS, name, length, U_FOLD_CASE_DEFAULT, status);
    count = unorm2_normalize(unorm2_getNFKDInstance(status), folded, count, apart, UNITS, status);
    int32_t kept = 0;
    for (int32_t at = 0; U_SUCCESS(*status) && at < count;) {
        int32_t from = at;
        UChar32 character;
        U16_NEXT(apart, at, count, character);
        while (u_isalnum(character) && from < at)
            bare[kept++] = apart[from++];
    }
    return kept;
}

/* A capital I looks like l and 1, and is an i; a capital O looks like 0, and is an o: whoever folds case must take all
 * of them for one. */
static void join_strokes_and_circles(UChar *skeleton, int32_t length)
{
    for (int32_t at = 0; at < length; at++)
        skeleton[at] = skeleton[at] == 'i' ? 'l' : skeleton[at] == 'O' ? 'o' : skeleton[at];
}

bool name_read(gral_span text, char name[NAME_BYTES_MAX], char key[NAME_KEY_MAX], const char **why)
{
    UErrorCode status = U_ZERO_ERROR;
    UChar raw[UNITS], normal[UNITS], bare[UNITS], skeleton[UNITS];
    int32_t length = 0;
    *why = N_("a name must be valid text");
    if (text.length > NAME_BYTES_MAX - 1) {
        *why = N_("a name can have at most 24 characters");
        return false;
    }
    u_strFromUTF8(raw, UNITS, &length, text.bytes, (int32_t)text.length, &status);
    length = unorm2_normalize(unorm2_getNFKCInstance(&status), raw, length, normal, UNITS, &status);
    if (U_FAILURE(status))
        return false;

    int32_t characters = 0;
    for (int32_t at = 0; at < length; characters++) {
        const bool edge = at == 0;
        UChar32 character;
        U16_NEXT(normal, at, length, character);
        *why = N_("a name can contain only letters, digits, single spaces and - _ . '");
        if (!may_stand_in_names(character) || (character == ' ' && (edge || at == length || normal[at] == ' ')))
            return false;
    }
    *why = characters < NAME_CHARACTERS_MIN ? N_("a name needs at least 2 characters")
                                            : N_("a name can have at most 24 characters");
    if (characters < NAME_CHARACTERS_MIN || characters > NAME_CHARACTERS_MAX)
        return false;
    *why = N_("a name must use one script and no invisible characters");
    if (uspoof_check2(checker(), normal, length, NULL, &status) != 0 || U_FAILURE(status))
        return false;

    const int32_t kept = bare_letters(normal, length, bare, &status);
    *why = N_("a name needs a letter or a digit");
    if (kept == 0)
        return false;
    const int32_t units = uspoof_getSkeleton(checker(), 0, bare, kept, skeleton, UNITS, &status);
    if (U_FAILURE(status))
        return false;
    join_strokes_and_circles(skeleton, units);
    int32_t name_bytes, key_bytes;
    u_strToUTF8(name, NAME_BYTES_MAX, &name_bytes, normal, length, &status);
    u_strToUTF8(key, NAME_KEY_MAX, &key_bytes, skeleton, units, &status);
    *why = N_("a name can have at most 24 characters");
    return U_SUCCESS(status) && status != U_STRING_NOT_TERMINATED_WARNING;
}

/* Pictures may be joined and coloured by invisible marks. */
static bool is_hidden(UChar32 character)
{
    enum { JOINER = 0x200d, AS_PICTURE = 0xfe0f };
    const int8_t type = u_charType(character);
    return character != JOINER && character != AS_PICTURE &&
           (u_hasBinaryProperty(character, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) || type == U_CONTROL_CHAR ||
            type == U_FORMAT_CHAR || type == U_LINE_SEPARATOR || type == U_PARAGRAPH_SEPARATOR ||
            type == U_PRIVATE_USE_CHAR || type == U_UNASSIGNED);
}

bool name_is_seen(gral_span line)
{
    UErrorCode status = U_ZERO_ERROR;
    UChar raw[UNITS];
    int32_t length = 0;
    bool says = false;
    u_strFromUTF8(raw, UNITS, &length, line.bytes, (int32_t)line.length, &status);
    for (int32_t at = 0; U_SUCCESS(status) && at < length;) {
        UChar32 character;
        U16_NEXT(raw, at, length, character);
        if (is_hidden(character))
            return false;
        says |= u_isalnum(character);
    }
    return U_SUCCESS(status) && says;
}

void name_tame(char *text)
{
    const uint8_t *bytes = (const uint8_t *)text;
    const int32_t length = (int32_t)strlen(text);
    for (int32_t at = 0; at < length;) {
        const int32_t from = at;
        UChar32 character;
        U8_NEXT(bytes, at, length, character);
        if (character < 0 || is_hidden(character))
            memset(text + from, ' ', (size_t)(at - from));
    }
}

bool name_fold(gral_span text, char *folded, size_t room)
{
    UErrorCode status = U_ZERO_ERROR;
    UChar raw[TALK_UNITS], lower[TALK_UNITS], apart[TALK_UNITS];
    int32_t length = 0, kept = 0, bytes = 0;
    u_strFromUTF8(raw, TALK_UNITS, &length, text.bytes, (int32_t)text.length, &status);
    length = u_strFoldCase(lower, TALK_UNITS, raw, length, U_FOLD_CASE_DEFAULT, &status);
    length = unorm2_normalize(unorm2_getNFKDInstance(&status), lower, length, apart, TALK_UNITS, &status);
    for (int32_t at = 0; U_SUCCESS(status) && at < length;) {
        int32_t from = at;
        UChar32 character;
        U16_NEXT(apart, at, length, character);
        while (u_isalnum(character) && from < at)
            apart[kept++] = apart[from++];
        const bool parts = !u_isalnum(character) && u_charType(character) != U_NON_SPACING_MARK &&
                           u_charType(character) != U_FORMAT_CHAR;
        if (parts && kept > 0 && apart[kept - 1] != ' ')
            apart[kept++] = ' ';
    }
    kept -= kept > 0 && apart[kept - 1] == ' ';
    u_strToUTF8(folded, (int32_t)room, &bytes, apart, kept, &status);
    return U_SUCCESS(status) && status != U_STRING_NOT_TERMINATED_WARNING;
}
