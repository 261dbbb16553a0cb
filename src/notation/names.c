/* The proper names of R1.2, R1.3 and R1.5; they are the same in every language. */
#include "gral/notation.h"

#include <assert.h>

static const char *const pawn_name[] = {
    [GRAL_T1] = "Alberto Castellano", [GRAL_T2] = "Jacques de Barruel", [GRAL_A1] = "Hassan Al-Molk",
    [GRAL_A2] = "Mansur Al-Jallah",   [GRAL_I1] = "Johann von Fiore",   [GRAL_I2] = "Adam zu Weisenheym",
    [GRAL_R1] = "Frater Valentinus",  [GRAL_R2] = "Frater Maleficus",
};
static_assert(sizeof pawn_name / sizeof *pawn_name == GRAL_PAWNS, "a name for every initiate");

static const char *const field_name[] = {
    "Tomar",      "Granada",           "Alexandria", "Cairo",          "Alamut",   "Toledo",  "Montserrat",  "Antioch",
    "Tortosa",    "Damascus",          "Santiago",   "Avignon",        "Golgotha", "Akkon",   "Masyaf",      "Chartres",
    "Montségur",  "Rennes-le-Château", "Malta",      "Constantinople", "Kassel",   "Rosslyn", "Glastonbury", "Prague",
    "Ingolstadt",
};
static_assert(sizeof field_name / sizeof *field_name == GRAL_FIELDS, "a name for every field");

const char *gral_pawn_name(unsigned pawn)
{
    assert(pawn < GRAL_PAWNS);
    return pawn_name[pawn];
}

const char *gral_field_name(unsigned field)
{
    assert(field < GRAL_FIELDS);
    return field_name[field];
}
