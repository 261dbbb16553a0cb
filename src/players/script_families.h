/* The families of script players: one idea each, as a few functions and the numbers in them. */
#ifndef GRAL_PLAYERS_SCRIPT_FAMILIES_H
#define GRAL_PLAYERS_SCRIPT_FAMILIES_H

#include "script_desk.h"
#include "scripts.h"

typedef struct script_range {
    uint8_t least, most, usual; /* most 0: the family has no such trait */
} script_range;

typedef struct script_family {
    enum script_use use;
    bool loud; /* shows all it is ready to show at once */
    script_range trait[SCRIPT_TRAITS];
    wish (*opening)(const desk *desk); /* NULL: it places nothing */
    wish (*wish)(const desk *desk);
    aim (*aim)(const desk *desk);
    bool (*strikes)(const desk *desk, gral_action uncovering); /* NULL: never */
    unsigned (*goes_to)(const desk *desk);                     /* how many points against the proposal */
} script_family;

/* In the order of script_makers. */
extern const script_family script_families[SCRIPT_FAMILIES];

#endif
