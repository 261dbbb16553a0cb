/* What the headers have inline, for those who link: bindings of other languages have no C compiler. */
#include "gral/state.h"

extern inline unsigned gral_units_worth(const uint8_t units[GRAL_UNIT_KINDS]);
extern inline gral_action gral_say(enum gral_verb verb);
extern inline gral_action gral_place(unsigned points, unsigned pawn);
extern inline gral_action gral_step(unsigned pawn, unsigned field, unsigned target);
extern inline gral_action gral_uncover(unsigned pawn, unsigned target);
extern inline gral_action gral_object(unsigned points);
extern inline gral_action gral_claim(unsigned points);
extern inline bool gral_same_action(gral_action a, gral_action b);
extern inline bool gral_on_board(const gral_open *open, unsigned pawn);
extern inline unsigned gral_floor(const gral_open *open, unsigned seat, unsigned pawn);
extern inline unsigned gral_lost(const gral_open *open, unsigned seat, unsigned pawn);
extern inline gral_random gral_random_from(uint64_t seed);
extern inline uint64_t gral_random_next(gral_random *random);
extern inline uint32_t gral_random_below(gral_random *random, uint32_t bound);
