/* Which players there are, and how a text names one. */
#include "character.h"
#include "scripts.h"

#include <stdlib.h>
#include <string.h>

static const player_maker *const ladder[] = {&random_maker, &greedy_maker,  &heuristic_maker,
                                             &ismcts_maker, &rollout_maker, &thinker_maker};
enum { LADDER = sizeof ladder / sizeof *ladder, MAKERS = LADDER + SCRIPT_FAMILIES };

static const player_maker *maker_at(unsigned index)
{
    return index < LADDER ? ladder[index] : &script_makers[index - LADDER];
}

const gral_player_kind *gral_player_kind_at(unsigned index)
{
    return index < MAKERS ? &maker_at(index)->kind : NULL;
}

static bool refuse(gral_error *error, size_t at, const char *message)
{
    error->line = 1;
    error->column = (uint32_t)at + 1;
    gral_text text = gral_text_in(error->message, sizeof error->message);
    gral_text_add(&text, message);
    return false;
}

static bool is(gral_span span, const char *words)
{
    return span.length == strlen(words) && memcmp(span.bytes, words, span.length) == 0;
}

/* Digits, then the unit: "100ms", "2000sims", "level=3". */
static bool read_number(gral_span word, const char *before, const char *after, uint32_t most, uint32_t *number)
{
    const size_t head = strlen(before), tail = strlen(after);
    if (word.length <= head + tail || memcmp(word.bytes, before, head) != 0 ||
        memcmp(word.bytes + word.length - tail, after, tail) != 0)
        return false;
    uint64_t value = 0;
    for (size_t at = head; at < word.length - tail; at++) {
        if (word.bytes[at] < '0' || word.bytes[at] > '9')
            return false;
        value = 10 * value + (uint64_t)(word.bytes[at] - '0');
        if (value > most)
            return false;
    }
    *number = (uint32_t)value;
    return value > 0;
}

static bool read_character(gral_span word, uint32_t *character)
{
    enum { BEFORE = 3 };
    if (word.length < BEFORE || memcmp(word.bytes, "as=", BEFORE) != 0)
        return false;
    const gral_span key = {word.bytes + BEFORE, word.length - BEFORE};
    for (uint32_t index = 0; character_at(index) != NULL; index++)
        if (is(key, character_at(index)->key) ||
            (character_at(index)->former != NULL && is(key, character_at(index)->former))) {
            *character = index;
            return true;
        }
    return false;
}

static bool read_word(const player_maker *maker, gral_span word, size_t at, player_words *words, gral_error *error)
{
    enum { MILLISECONDS_MAX = 3600000, SIMULATIONS_MAX = 1000000000, WARMTH_MAX = 1000, HUNGER_MAX = 100 };
    if (maker->takes & WORD_BUDGET && (read_number(word, "", "ms", MILLISECONDS_MAX, &words->milliseconds) ||
                                       read_number(word, "", "sims", SIMULATIONS_MAX, &words->simulations) ||
                                       read_number(word, "", "", SIMULATIONS_MAX, &words->simulations)))
        return true;
    if (maker->takes & WORD_LEVEL && read_number(word, "level=", "", THINKER_LEVELS, &words->level))
        return true;
    if (maker->takes & WORD_CHARACTER && read_character(word, &words->character))
        return true;
    if (maker->takes & WORD_MOOD && (read_number(word, "warmth=", "", WARMTH_MAX, &words->warmth) ||
                                     read_number(word, "hunger=", "", HUNGER_MAX, &words->hunger)))
        return true;
    if (maker->takes & WORD_TRAITS && script_read_trait(maker, word, words))
        return true;
    return refuse(error, at, maker->expected != NULL ? maker->expected : "this player takes nothing after its name");
}

static bool read_words(const player_maker *maker, gral_span text, size_t at, player_words *words, gral_error *error)
{
    while (at <= text.length) {
        const char *comma = memchr(text.bytes + at, ',', text.length - at);
        const size_t end = comma != NULL ? (size_t)(comma - text.bytes) : text.length;
        if (!read_word(maker, (gral_span){text.bytes + at, end - at}, at, words, error))
            return false;
        at = end + 1;
    }
    return true;
}

/* The kind that a text names, and its words; NULL when the text is wrong. */
static const player_maker *read_player(gral_span text, player_words *words, gral_error *error)
{
    const char *colon = memchr(text.bytes, ':', text.length);
    const gral_span name = {text.bytes, colon != NULL ? (size_t)(colon - text.bytes) : text.length};
    for (unsigned index = 0; index < MAKERS; index++) {
        const player_maker *maker = maker_at(index);
        if (is(name, maker->kind.name) || (maker->alias != NULL && is(name, maker->alias)))
            return colon == NULL || read_words(maker, text, name.length + 1, words, error) ? maker : NULL;
    }
    char message[sizeof error->message];
    gral_text expected = gral_text_in(message, sizeof message);
    gral_text_add(&expected, "expected a player:");
    for (unsigned index = 0; index < MAKERS; index++) {
        gral_text_add(&expected, index > 0 ? ", " : " ");
        gral_text_add(&expected, maker_at(index)->kind.name);
    }
    refuse(error, 0, message);
    return NULL;
}

gral_player *gral_player_make(gral_span text, gral_error *error)
{
    player_words words = {0};
    const player_maker *maker = read_player(text, &words, error);
    if (maker == NULL)
        return NULL;
    gral_player *player = maker->make(maker, &words);
    if (player == NULL)
        refuse(error, 0, "out of memory");
    return player;
}

bool gral_player_check(gral_span text, gral_error *error)
{
    player_words words = {0};
    return read_player(text, &words, error) != NULL;
}

uint32_t gral_player_time(gral_span text)
{
    enum { QUICK = 20, SLOW = 600 };
    gral_error error;
    player_words words = {0};
    const player_maker *maker = read_player(text, &words, &error);
    if (words.milliseconds > 0)
        return words.milliseconds;
    return maker == NULL || maker->ponders || words.simulations > 0 ? SLOW : QUICK;
}

const char *gral_player_called(gral_span text)
{
    gral_error error;
    player_words words = {0};
    return read_player(text, &words, &error) != NULL ? character_at(words.character)->name : NULL;
}

unsigned gral_player_level(gral_span text)
{
    gral_error error;
    player_words words = {0};
    return read_player(text, &words, &error) != NULL ? words.level : 0;
}

void gral_player_free(gral_player *player)
{
    if (player != NULL)
        player->kind->free(player);
}

/* What the header has inline, for those who link. */
extern inline void gral_player_over(gral_player *player, const gral_question *end);
extern inline bool gral_player_offer(gral_player *player, const gral_question *question, gral_action decided,
                                     gral_offer *offer);

gral_action gral_player_decide(gral_player *player, const gral_question *question, gral_clock *clock)
{
    return player->kind->decide(player, question, clock);
}

void gral_player_explain(gral_player *player, const gral_question *question, gral_clock *clock,
                         gral_explanation *explanation)
{
    *explanation = (gral_explanation){0};
    if (player->kind->explain != NULL) {
        player->kind->explain(player, question, clock, explanation);
        return;
    }
    explanation->thought[0] = (gral_thought){.action = player->kind->decide(player, question, clock), .weight = 1};
    explanation->thoughts = 1;
}

gral_action gral_safest_action(const gral_game *game, const gral_open *open, const gral_options *options)
{
    static const enum gral_verb safe[] = {GRAL_PASS, GRAL_YIELD, GRAL_DONE, GRAL_LEAVE};
    for (size_t index = 0; index < sizeof safe / sizeof *safe; index++)
        if (options->verbs >> safe[index] & 1)
            return gral_say(safe[index]);
    return gral_options_pick(game, open, options, 0);
}

gral_player *player_make_plain(const player_maker *maker, const player_words *words)
{
    (void)words;
    gral_player *player = malloc(sizeof *player);
    if (player != NULL)
        player->kind = &maker->kind;
    return player;
}

void player_free_plain(gral_player *player)
{
    free(player);
}
