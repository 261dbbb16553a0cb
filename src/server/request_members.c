/* The members of requests: how each is read, and what is true of several together. */
#include "server/request_inside.h"

#include "server/names.h"

#include "rating/rating.h"

#include <assert.h>
#include <string.h>

/* --- single values --- */

bool request_fail(reader *reader, const char *text)
{
    *reader->detail = (gral_error){0};
    gral_text message = gral_text_in(reader->detail->message, sizeof reader->detail->message);
    gral_text_add(&message, text);
    return false;
}

static gral_span text_of(const json_t *value)
{
    return (gral_span){json_string_value(value), json_string_length(value)};
}

bool request_read_text(const json_t *value, char *text, size_t capacity)
{
    if (!json_is_string(value) || json_string_length(value) >= capacity || json_string_length(value) == 0 ||
        strlen(json_string_value(value)) != json_string_length(value))
        return false;
    memcpy(text, json_string_value(value), json_string_length(value) + 1);
    return true;
}

static bool read_number(const json_t *value, int64_t least, int64_t most, int64_t *number)
{
    if (!json_is_integer(value) || json_integer_value(value) < least || json_integer_value(value) > most)
        return false;
    *number = json_integer_value(value);
    return true;
}

bool request_is_plain(const char *text)
{
    for (; *text != '\0'; text++)
        if (!((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') || (*text >= '0' && *text <= '9') ||
              *text == '-' || *text == '_'))
            return false;
    return true;
}

/* --- members that are read alike --- */

static void *place_of(const reader *reader, const request_member *member)
{
    return (char *)reader->request + member->at;
}

static bool read_flag(reader *reader, const request_member *member, const json_t *value)
{
    *(bool *)place_of(reader, member) = json_is_true(value);
    return json_is_boolean(value);
}

static bool read_count(reader *reader, const request_member *member, const json_t *value)
{
    int64_t count;
    if (!read_number(value, member->least, member->most, &count))
        return false;
    *(uint32_t *)place_of(reader, member) = (uint32_t)count;
    return true;
}
static_assert(sizeof(unsigned) == sizeof(uint32_t), "counts are of either type");

static bool read_long(reader *reader, const request_member *member, const json_t *value)
{
    return read_number(value, member->least, member->most, place_of(reader, member));
}

static bool read_string(reader *reader, const request_member *member, const json_t *value)
{
    return request_read_text(value, place_of(reader, member), (size_t)member->most);
}

static bool read_plain(reader *reader, const request_member *member, const json_t *value)
{
    return read_string(reader, member, value) && request_is_plain(place_of(reader, member));
}

/* The settings have one reader for records, the referee and us: it takes texts. */
static bool read_word_setting(reader *reader, const request_member *member, const json_t *value)
{
    return json_is_string(value) && gral_settings_read(&reader->settings, member->key, text_of(value), reader->detail);
}

static bool read_number_setting(reader *reader, const request_member *member, const json_t *value)
{
    char digits[24];
    gral_text text = gral_text_in(digits, sizeof digits);
    int64_t number;
    if (!read_number(value, 0, UINT32_MAX, &number))
        return false;
    gral_text_add_number(&text, (uint32_t)number);
    return gral_settings_read(&reader->settings, member->key, (gral_span){digits, text.length}, reader->detail);
}

/* Which of these words it is; as many as there are for none. */
static unsigned find_word(const json_t *value, const char *const words[], unsigned count)
{
    unsigned at = 0;
    while (at < count && (!json_is_string(value) || strcmp(json_string_value(value), words[at]) != 0))
        at++;
    return at;
}

static bool read_seen(reader *reader, const request_member *member, const json_t *value)
{
    const unsigned seen = find_word(value, tie_seen_names, TIE_SEENS);
    *(uint8_t *)place_of(reader, member) = (uint8_t)seen;
    return seen < TIE_SEENS;
}

/* --- members with a reader of their own --- */

static bool read_seat(reader *reader, const request_member *member, const json_t *value)
{
    (void)member;
    int64_t seat;
    if (!read_number(value, 1, GRAL_PLAYERS_MAX, &seat))
        return false;
    reader->request->seat = (unsigned)seat - 1;
    return true;
}

static bool read_actions(reader *reader, const request_member *member, const json_t *value)
{
    (void)member;
    gral_input *input = &reader->request->input;
    const size_t count = json_array_size(value);
    if (count == 0 || count > GRAL_ACTIONS_MAX)
        return request_fail(reader, N_("actions must be a list of 1 to 26 actions"));
    for (size_t index = 0; index < count; index++) {
        const json_t *action = json_array_get(value, index);
        if (!json_is_string(action))
            return false;
        if (!gral_action_parse(text_of(action), &input->action[index], reader->detail))
            return false;
    }
    input->action_count = (uint8_t)count;
    return true;
}

static bool read_salt(reader *reader, const request_member *member, const json_t *value)
{
    (void)member;
    gral_input *input = &reader->request->input;
    input->salted = true;
    return json_is_string(value) && gral_bytes_parse(text_of(value), input->salt.bytes, sizeof input->salt.bytes);
}

static bool read_order(reader *reader, const request_member *member, const json_t *value)
{
    (void)member;
    if (!json_is_string(value))
        return false;
    reader->request->input.one_order = true;
    return gral_order_parse(text_of(value), &reader->request->input.order, reader->detail);
}

static bool read_offer(reader *reader, const request_member *member, const json_t *value)
{
    (void)member;
    if (!json_is_string(value))
        return false;
    return gral_offer_parse(text_of(value), &reader->request->input.offer, reader->detail);
}

static bool read_words(reader *reader, const request_member *member, const json_t *value)
{
    (void)member;
    request *request = reader->request;
    if (!request_read_text(value, request->words, sizeof request->words))
        return false;
    request->input.words = gral_span_of(request->words);
    return true;
}

static bool read_to(reader *reader, const request_member *member, const json_t *value)
{
    (void)member;
    if (!json_is_array(value) || json_array_size(value) == 0)
        return false;
    for (size_t index = 0; index < json_array_size(value); index++) {
        int64_t seat;
        if (!read_number(json_array_get(value, index), 1, GRAL_PLAYERS_MAX, &seat))
            return false;
        reader->request->input.to |= (uint16_t)(1 << (seat - 1));
    }
    return true;
}

enum { COMPUTER_LEVELS = 5 };

/* Only thinkers, by level and character: a stranger may not order a thousand seconds of thinking. */
static bool name_computer(reader *reader, char player[GRAL_COMPUTER_TEXT_MAX], int64_t level, const char *character)
{
    gral_text text = gral_text_in(player, GRAL_COMPUTER_TEXT_MAX);
    gral_text_add(&text, "thinker:level=");
    gral_text_add_number(&text, (uint32_t)level);
    if (*character != '\0') {
        gral_text_add(&text, ",as=");
        gral_text_add(&text, character);
    }
    return gral_player_check(gral_span_of(player), reader->detail);
}

static bool read_character(const json_t *value, char character[CHARACTER_MAX])
{
    return request_read_text(value, character, CHARACTER_MAX) && request_is_plain(character);
}

static bool read_computer(reader *reader, json_t *value)
{
    const char *name;
    json_t *part;
    int64_t seat = 0, level = 0;
    char character[CHARACTER_MAX] = "";
    json_object_foreach(value, name, part)
    {
        const bool known = strcmp(name, "seat") == 0    ? read_number(part, 1, GRAL_PLAYERS_MAX, &seat)
                           : strcmp(name, "level") == 0 ? read_number(part, 1, COMPUTER_LEVELS, &level)
                           : strcmp(name, "as") == 0    ? read_character(part, character)
                                                        : false;
        if (!known)
            return request_fail(reader, N_("a computer player needs seat and level; as is optional"));
    }
    if (seat == 0 || level == 0)
        return request_fail(reader, N_("a computer player needs seat and level; as is optional"));
    char *player = reader->request->terms.computer[seat - 1];
    if (*player != '\0')
        return request_fail(reader, N_("two computer players have the same seat"));
    return name_computer(reader, player, level, character);
}

static bool read_level(reader *reader, const request_member *member, const json_t *value)
{
    (void)member;
    return read_number(value, 1, COMPUTER_LEVELS, &reader->level);
}

static bool read_as(reader *reader, const request_member *member, const json_t *value)
{
    (void)member;
    return read_character(value, reader->character);
}

/* Whom to put on a free seat. */
bool request_finish_computer(reader *reader)
{
    request *request = reader->request;
    if (!name_computer(reader, request->words, reader->level, reader->character))
        return false;
    request->input.words = gral_span_of(request->words);
    return true;
}

static bool read_computers(reader *reader, const request_member *member, const json_t *value)
{
    (void)member;
    if (!json_is_array(value))
        return false;
    for (size_t index = 0; index < json_array_size(value); index++)
        if (!read_computer(reader, json_array_get(value, index)))
            return false;
    return true;
}

enum { SECOND = 1000 };
#define DAY INT64_C(86400000)

/* Nobody fills a whole sheet in the time of one answer. */
static const int64_t opening_least = 180 * SECOND;

static bool read_clock(reader *reader, const request_member *member, const json_t *value)
{
    (void)member;
    gral_terms *terms = &reader->request->terms;
    const char *kind = json_string_value(json_object_get(value, "kind"));
    const json_t *opening = json_object_get(value, "opening");
    if (json_is_null(value))
        return true;
    if (kind == NULL)
        return false;
    const bool bank = strcmp(kind, "bank") == 0;
    if (!bank && strcmp(kind, "move") != 0)
        return false;
    terms->clock = bank ? GRAL_CLOCK_BANK : GRAL_CLOCK_MOVE;
    const bool right = read_number(json_object_get(value, "time"), SECOND, GRAL_TIME_MAX, &terms->time) &&
                       (!bank || (read_number(json_object_get(value, "increment"), 0, 30 * DAY, &terms->increment) &&
                                  read_number(json_object_get(value, "answer"), SECOND, 30 * DAY, &terms->answer))) &&
                       (opening == NULL || read_number(opening, SECOND, GRAL_TIME_MAX, &terms->opening));
    const int64_t usual = bank ? terms->answer : terms->time;
    if (opening == NULL && usual < opening_least)
        terms->opening = opening_least;
    return right && json_object_size(value) == (bank ? 4u : 2u) + (opening != NULL);
}

static bool read_class(reader *reader, const request_member *member, const json_t *value)
{
    (void)member;
    enum rating_class found;
    if (!json_is_string(value) || !rating_class_find(text_of(value), &found))
        return false;
    reader->request->rating_class = (uint8_t)found;
    return true;
}

static bool read_size(reader *reader, const request_member *member, const json_t *value)
{
    (void)member;
    static const char *const words[PAIRING_SIZES] = {"2", "3", "4", "5+", "any"};
    reader->request->size = (enum pairing_size)find_word(value, words, PAIRING_SIZES);
    return reader->request->size < PAIRING_SIZES;
}

static bool read_title(reader *reader, const request_member *member, const json_t *value)
{
    (void)member;
    char *title = reader->request->announced.title;
    return request_read_text(value, title, TOURNAMENT_TITLE_MAX + 1) && name_is_seen(gral_span_of(title));
}

static bool read_system(reader *reader, const request_member *member, const json_t *value)
{
    (void)member;
    const unsigned system = find_word(value, tournament_system_name, TOURNAMENT_SYSTEMS);
    reader->request->announced.system = (enum tournament_system)system;
    return system < TOURNAMENT_SYSTEMS;
}

static bool read_begins(reader *reader, const request_member *member, const json_t *value)
{
    (void)member;
    int64_t seconds;
    if (!read_number(value, 1, INT64_C(1) << 40, &seconds))
        return false;
    reader->request->announced.begins = SECOND * seconds;
    return true;
}

const request_member request_members[MEMBERS] = {
    [MEMBER_ID] = {.name = "id"}, /* these two are read before all others */
    [MEMBER_DO] = {.name = "do"},
    [MEMBER_TABLE] = {"table", read_plain, .at = offsetof(request, table), .most = GRAL_GAME_ID_MAX + 1,
                      .wrong = N_("table must be the id of a table")},
    [MEMBER_SEAT] = {"seat", read_seat, .wrong = N_("seat must be a number from 1 to 12")},
    [MEMBER_VERSION] = {"version", read_count, .at = offsetof(request, version), .most = UINT32_MAX,
                        .wrong = N_("version must be a number")},
    [MEMBER_HAVE] = {"have", read_count, .at = offsetof(request, have), .most = UINT32_MAX,
                     .wrong = N_("have must be a number")},
    [MEMBER_ON] = {"on", read_flag, .at = offsetof(request, on), .wrong = N_("on must be true or false")},
    [MEMBER_ACTIONS] = {"actions", read_actions, .wrong = N_("an action must be a string")},
    [MEMBER_SALT] = {"salt", read_salt, .wrong = N_("salt must be 64 lowercase hexadecimal digits")},
    [MEMBER_ORDER] = {"order", read_order, .wrong = N_("order must be a string")},
    [MEMBER_OFFER] = {"offer", read_offer, .wrong = N_("offer must be a string")},
    [MEMBER_TEXT] = {"text", read_words, .wrong = N_("text must be a string of at most 500 bytes")},
    [MEMBER_TO] = {"to", read_to, .wrong = N_("to must be a list of seats")},
    [MEMBER_NAME] = {"name", read_string, .at = offsetof(request, name), .most = REQUEST_NAME_MAX + 1,
                     .wrong = N_("name must be a player's name")},
    [MEMBER_LEVEL] = {"level", read_level, .wrong = N_("level must be a number from 1 to 5")},
    [MEMBER_AS] = {"as", read_as, .wrong = N_("as must be a computer player's character")},
    [MEMBER_PLAYERS] = {"players", read_number_setting, .key = GRAL_KEY_PLAYERS,
                        .wrong = N_("players, first and limit must be numbers")},
    [MEMBER_RULES] = {"rules", read_word_setting, .key = GRAL_KEY_RULES, .wrong = N_("rules and hq must be strings")},
    [MEMBER_HQ] = {"hq", read_word_setting, .key = GRAL_KEY_HQ, .wrong = N_("rules and hq must be strings")},
    [MEMBER_FIRST] = {"first", read_number_setting, .key = GRAL_KEY_FIRST,
                      .wrong = N_("players, first and limit must be numbers")},
    [MEMBER_LIMIT] = {"limit", read_number_setting, .key = GRAL_KEY_LIMIT,
                      .wrong = N_("players, first and limit must be numbers")},
    [MEMBER_COMPUTERS] = {"computers", read_computers, .wrong = N_("computers must be a list of computer players")},
    [MEMBER_CLOCK] = {"clock", read_clock,
                      .wrong = N_("clock needs kind move and time, or kind bank, time, increment and answer; opening "
                                  "is optional; times are in milliseconds")},
    [MEMBER_PACE] = {"pace", read_count, .at = offsetof(request, terms.pace), .most = 10000,
                     .wrong = N_("pace must be a number of milliseconds from 0 to 10000")},
    [MEMBER_LISTED] = {"listed", read_flag, .at = offsetof(request, terms.listed),
                       .wrong = N_("listed must be true or false")},
    [MEMBER_NOTEPAD] = {"notepad", read_flag, .at = offsetof(request, terms.notepad),
                        .wrong = N_("notepad must be true or false")},
    [MEMBER_TALK] = {"talk", read_flag, .at = offsetof(request, terms.talk), .wrong = N_("talk must be true or false")},
    [MEMBER_RATED] = {"rated", read_flag, .at = offsetof(request, terms.rated),
                      .wrong = N_("rated must be true or false")},
    [MEMBER_ROOM] = {"room", read_flag, .at = offsetof(request, terms.room), .wrong = N_("room must be true or false")},
    [MEMBER_CLASS] = {"class", read_class,
                      .wrong = N_("class must be 2, 3-4 or 5+, and -live, -days or -computers: 2-live")},
    [MEMBER_SIZE] = {"size", read_size, .wrong = N_("size must be 2, 3, 4, 5+ or any, as a string")},
    [MEMBER_DAYS] = {"days", read_flag, .at = offsetof(request, days), .wrong = N_("days must be true or false")},
    [MEMBER_WAIT] = {"wait", read_count, .at = offsetof(request, wait), .most = 3600,
                     .wrong = N_("wait must be a number of seconds up to 3600; 0 means without computers")},
    [MEMBER_BY] = {"by", read_seen, .at = offsetof(request, seen),
                   .wrong = N_("by must be nobody, friends or everyone")},
    [MEMBER_TOURNAMENT] = {"tournament", read_plain, .at = offsetof(request, tournament), .most = GRAL_GAME_ID_MAX + 1,
                           .wrong = N_("tournament must be the id of a tournament")},
    [MEMBER_TITLE] = {"title", read_title, .wrong = N_("title must be one line of at most 60 bytes")},
    [MEMBER_SYSTEM] = {"system", read_system, .wrong = N_("system must be round-robin, swiss or fours")},
    [MEMBER_ROUNDS] = {"rounds", read_count, .at = offsetof(request, announced.rounds), .least = 1, .most = 9,
                       .wrong = N_("rounds must be a number from 1 to 9")},
    [MEMBER_ROUND] = {"round", read_long, .at = offsetof(request, announced.round), .least = SECOND, .most = 60 * DAY,
                      .wrong = N_("round must be a number of milliseconds, up to 60 days")},
    [MEMBER_PEOPLE] = {"people", read_count, .at = offsetof(request, announced.people), .least = 1,
                       .most = TOURNAMENT_PEOPLE_MAX, .wrong = N_("people must be a number")},
    [MEMBER_BEGINS] = {"begins", read_begins, .wrong = N_("begins must be a time in seconds since 1970")},
    [MEMBER_AFTER] = {"after", read_plain, .at = offsetof(request, table), .most = GRAL_GAME_ID_MAX + 1,
                      .wrong = N_("after must be the id of a table")},
    [MEMBER_PARTS + PROFILE_RATINGS] = {"ratings", read_seen, .at = offsetof(request, shown[PROFILE_RATINGS]),
                                        .wrong = N_("each part is shown to nobody, friends or everyone")},
    [MEMBER_PARTS + PROFILE_RESULTS] = {"results", read_seen, .at = offsetof(request, shown[PROFILE_RESULTS]),
                                        .wrong = N_("each part is shown to nobody, friends or everyone")},
    [MEMBER_PARTS + PROFILE_GAMES] = {"games", read_seen, .at = offsetof(request, shown[PROFILE_GAMES]),
                                      .wrong = N_("each part is shown to nobody, friends or everyone")},
    [MEMBER_PARTS + PROFILE_MANNER] = {"manner", read_seen, .at = offsetof(request, shown[PROFILE_MANNER]),
                                       .wrong = N_("each part is shown to nobody, friends or everyone")},
};

/* --- several together --- */

bool request_finish_terms(reader *reader)
{
    gral_terms *terms = &reader->request->terms;
    reader->request->first_by_chance = (reader->request->given & BIT(MEMBER_FIRST)) == 0;
    if (!gral_settings_finish(&reader->settings, &terms->settings, reader->detail))
        return false;
    unsigned computers = 0;
    for (unsigned seat = 0; seat < GRAL_PLAYERS_MAX; seat++) {
        if (*terms->computer[seat] != '\0' && seat >= terms->settings.players)
            return request_fail(reader, N_("a computer player is in a seat that does not exist"));
        computers += *terms->computer[seat] != '\0';
    }
    const char *unrated = terms->rated ? rating_refuses(terms) : NULL;
    if (unrated != NULL)
        return request_fail(reader, unrated);
    return computers < terms->settings.players ||
           request_fail(reader, N_("a table needs a seat for at least one person"));
}

/* Without a clock a round would never end; an hour is enough for two who have a minute for a decision. */
bool request_finish_tournament(reader *reader)
{
    gral_terms *terms = &reader->request->terms;
    tournament_terms *announced = &reader->request->announced;
    const unsigned people = announced->people, least = tournament_least(announced->system);
    char digits[4];
    gral_text text = gral_text_in(digits, sizeof digits);
    gral_text_add_number(&text, tournament_seats(announced->system));
    if (!gral_settings_read(&reader->settings, GRAL_KEY_PLAYERS, gral_span_of(digits), reader->detail) ||
        !gral_settings_finish(&reader->settings, &terms->settings, reader->detail))
        return false;
    if (terms->clock == GRAL_CLOCK_NONE) {
        terms->clock = GRAL_CLOCK_MOVE;
        terms->time = 60 * SECOND;
        terms->opening = opening_least;
    }
    if (announced->round == 0)
        announced->round = rating_is_by_days(terms) ? 14 * DAY : 3600 * SECOND;
    if ((people == 0) == (announced->begins == 0))
        return request_fail(reader, N_("a tournament needs people or begins, not both"));
    if (people > 0 && (people < least || people > tournament_room(announced->system)))
        return request_fail(
            reader, N_("people must be 3 to 16 in a round-robin, 3 to 64 in a Swiss, 4 to 64 at tables of four"));
    return announced->rounds == 0 || announced->system != TOURNAMENT_ROUND_ROBIN ||
           request_fail(reader, N_("a round-robin has as many rounds as it needs"));
}
