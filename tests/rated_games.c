/* rated_games COUNT: random games of random people, a line each: for everybody
 * his place and his rating before and after, "PLACE STRENGTH DOUBT STRENGTH DOUBT". Held against another implementation
 * of the method (web/tools/rating.test.ts). */
#include "gral/random.h"
#include "rating/rating.h"

#include <stdio.h>
#include <stdlib.h>

enum { PEOPLE = 40 };

int main(int count, char **words)
{
    gral_random random = gral_random_from(15);
    rating people[PEOPLE];
    for (unsigned one = 0; one < PEOPLE; one++)
        people[one] = rating_of_newcomer();
    for (long games = count == 2 ? atol(words[1]) : 0; games > 0; games--) {
        const unsigned players = 2 + gral_random_below(&random, GRAL_PLAYERS_MAX - 1);
        const unsigned first = gral_random_below(&random, PEOPLE);
        rating ratings[GRAL_PLAYERS_MAX], before[GRAL_PLAYERS_MAX];
        uint8_t place[GRAL_PLAYERS_MAX];
        for (unsigned one = 0; one < players; one++) {
            before[one] = ratings[one] = people[(first + one) % PEOPLE];
            place[one] = (uint8_t)gral_random_below(&random, players); /* ties are common */
        }
        rating_play(ratings, place, players);
        for (unsigned one = 0; one < players; one++) {
            people[(first + one) % PEOPLE] = ratings[one];
            printf("%u %.17g %.17g %.17g %.17g%s", place[one], before[one].strength, before[one].doubt,
                   ratings[one].strength, ratings[one].doubt, one + 1 < players ? " " : "\n");
        }
    }
    return ferror(stdout) != 0;
}
