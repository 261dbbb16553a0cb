/* The members of requests: how each is read, and what is true of several together. */
#include "server/request_inside.h"

#include "server/names.h"

#include "rating/rating.h"

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

/* --- members --- */

static bool read_table(reader *reader, const json_t *value)
{
    return (request_read_text(value, reader->request->table, sizeof reader->request->table) &&
            request_is_plain(reader->request->table)) ||
           request_fail(reader, N_("table must be the id of a table"));
}

static bool read_seat(reader *reader, const json_t *value)
{
    int64_t seat;
    if (!read_number(value, 1, GRAL_PLAYERS_MAX, &seat))
        return request_fail(reader, N_("seat must be a number from 1 to 12"));
    reader->request->seat = (unsigned)seat - 1;
    return true;
}

static bool read_version(reader *reader, const json_t *value)
{
    int64_t version;
    if (!read_number(value, 0, UINT32_MAX, &version))
        return request_fail(reader, N_("version must be a number"));
    reader->request->version = (uint32_t)version;
    return true;
}

static bool read_have(reader *reader, const json_t *value)
{
    int64_t have;
    if (!read_number(value, 0, UINT32_MAX, &have))
        return request_fail(reader, N_("have must be a number"));
    reader->request->have = (uint32_t)have;
    return true;
}

static bool read_switch(reader *reader, const json_t *value, bool *set, const char *otherwise)
{
    *set = json_is_true(value);
    return json_is_boolean(value) || request_fail(reader, otherwise);
}

static bool read_on(reader *reader, const json_t *value)
{
    return read_switch(reader, value, &reader->request->on, "on is true or false");
}

static bool read_actions(reader *reader, const json_t *value)
{
    gral_input *input = &reader->request->input;
    const size_t count = json_array_size(value);
    if (count == 0 || count > GRAL_ACTIONS_MAX)
        return request_fail(reader, N_("actions must be a list of 1 to 26 actions"));
    for (size_t index = 0; index < count; index++) {
        const json_t *action = json_array_get(value, index);
        if (!json_is_string(action))
            return request_fail(reader, N_("an action must be a string"));
        if (!gral_action_parse(text_of(action), &input->action[index], reader->detail))
            return false;
    }
    input->action_count = (uint8_t)count;
    return true;
}

static bool read_salt(reader *reader, const json_t *value)
{
    gral_input *input = &reader->request->input;
    input->salted = true;
    return (json_is_string(value) && gral_bytes_parse(text_of(value), input->salt.bytes, sizeof input->salt.bytes)) ||
           request_fail(reader, N_("salt must be 64 lowercase hexadecimal digits"));
}

static bool read_order(reader *reader, const json_t *value)
{
    if (!json_is_string(value))
        return request_fail(reader, N_("order must be a string"));
    reader->request->input.one_order = true;
    return gral_order_parse(text_of(value), &reader->request->input.order, reader->detail);
}

static bool read_offer(reader *reader, const json_t *value)
{
    if (!json_is_string(value))
        return request_fail(reader, N_("offer must be a string"));
    return gral_offer_parse(text_of(value), &reader->request->input.offer, reader->detail);
}

static bool read_words(reader *reader, const json_t *value)
{
    request *request = reader->request;
    if (!request_read_text(value, request->words, sizeof request->words))
        return request_fail(reader, N_("text must be a string of at most 500 bytes"));
    request->input.words = gral_span_of(request->words);
    return true;
}

static bool read_to(reader *reader, const json_t *value)
{
    if (!json_is_array(value) || json_array_size(value) == 0)
        return request_fail(reader, N_("to must be a list of seats"));
    for (size_t index = 0; index < json_array_size(value); index++) {
        int64_t seat;
        if (!read_number(json_array_get(value, index), 1, GRAL_PLAYERS_MAX, &seat))
            return request_fail(reader, N_("to must be a list of seats"));
        reader->request->input.to |= (uint16_t)(1 << (seat - 1));
    }
    return true;
}

static bool read_name(reader *reader, const json_t *value)
{
    return request_read_text(value, reader->request->name, sizeof reader->request->name) ||
           request_fail(reader, N_("name must be a player's name"));
}

/* The settings have one reader for records, the referee and us: it takes texts. */
static bool read_setting(reader *reader, enum gral_key key, gral_span value)
{
    return gral_settings_read(&reader->settings, key, value, reader->detail);
}

static bool read_number_setting(reader *reader, enum gral_key key, const json_t *value)
{
    char digits[24];
    gral_text text = gral_text_in(digits, sizeof digits);
    int64_t number;
    if (!read_number(value, 0, UINT32_MAX, &number))
        return request_fail(reader, N_("players, first and limit must be numbers"));
    gral_text_add_number(&text, (uint32_t)number);
    return read_setting(reader, key, (gral_span){digits, text.length});
}

static bool read_word_setting(reader *reader, enum gral_key key, const json_t *value)
{
    return json_is_string(value) ? read_setting(reader, key, text_of(value))
                                 : request_fail(reader, N_("rules and hq must be strings"));
}

static bool read_players(reader *reader, const json_t *value)
{
    return read_number_setting(reader, GRAL_KEY_PLAYERS, value);
}

static bool read_rules(reader *reader, const json_t *value)
{
    return read_word_setting(reader, GRAL_KEY_RULES, value);
}

static bool read_hq(reader *reader, const json_t *value)
{
    return read_word_setting(reader, GRAL_KEY_HQ, value);
}

static bool read_first(reader *reader, const json_t *value)
{
    return read_number_setting(reader, GRAL_KEY_FIRST, value);
}

static bool read_limit(reader *reader, const json_t *value)
{
    return read_number_setting(reader, GRAL_KEY_LIMIT, value);
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
    gral_player *made = gral_player_make(gral_span_of(player), reader->detail);
    gral_player_free(made);
    return made != NULL;
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

static bool read_level(reader *reader, const json_t *value)
{
    return read_number(value, 1, COMPUTER_LEVELS, &reader->level) ||
           request_fail(reader, N_("level must be a number from 1 to 5"));
}

static bool read_as(reader *reader, const json_t *value)
{
    return read_character(value, reader->character) ||
           request_fail(reader, N_("as must be a computer player's character"));
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

static bool read_computers(reader *reader, const json_t *value)
{
    if (!json_is_array(value))
        return request_fail(reader, N_("computers must be a list of computer players"));
    for (size_t index = 0; index < json_array_size(value); index++)
        if (!read_computer(reader, json_array_get(value, index)))
            return false;
    return true;
}

enum { SECOND = 1000 };
static const int64_t day = INT64_C(86400000);

/* Nobody fills a whole sheet in the time of one answer. */
static const int64_t opening_least = 180 * SECOND;

static bool read_clock(reader *reader, const json_t *value)
{
    static const char usage[] = N_(
        "clock needs kind move and time, or kind bank, time, increment and answer; opening is optional; times are in "
        "milliseconds");
    gral_terms *terms = &reader->request->terms;
    const char *kind = json_string_value(json_object_get(value, "kind"));
    const json_t *opening = json_object_get(value, "opening");
    if (json_is_null(value))
        return true;
    if (kind == NULL)
        return request_fail(reader, usage);
    const bool bank = strcmp(kind, "bank") == 0;
    if (!bank && strcmp(kind, "move") != 0)
        return request_fail(reader, usage);
    terms->clock = bank ? GRAL_CLOCK_BANK : GRAL_CLOCK_MOVE;
    const bool right = read_number(json_object_get(value, "time"), SECOND, GRAL_TIME_MAX, &terms->time) &&
                       (!bank || (read_number(json_object_get(value, "increment"), 0, 30 * day, &terms->increment) &&
                                  read_number(json_object_get(value, "answer"), SECOND, 30 * day, &terms->answer))) &&
                       (opening == NULL || read_number(opening, SECOND, GRAL_TIME_MAX, &terms->opening));
    const int64_t usual = bank ? terms->answer : terms->time;
    if (opening == NULL && usual < opening_least)
        terms->opening = opening_least;
    return (right && json_object_size(value) == (bank ? 4u : 2u) + (opening != NULL)) || request_fail(reader, usage);
}

static bool read_pace(reader *reader, const json_t *value)
{
    int64_t pace;
    if (!read_number(value, 0, 10000, &pace))
        return request_fail(reader, N_("pace must be a number of milliseconds from 0 to 10000"));
    reader->request->terms.pace = (uint32_t)pace;
    return true;
}

static bool read_listed(reader *reader, const json_t *value)
{
    return read_switch(reader, value, &reader->request->terms.listed, "listed is true or false");
}

static bool read_notepad(reader *reader, const json_t *value)
{
    return read_switch(reader, value, &reader->request->terms.notepad, "notepad is true or false");
}

static bool read_talk(reader *reader, const json_t *value)
{
    return read_switch(reader, value, &reader->request->terms.talk, "talk is true or false");
}

static bool read_rated(reader *reader, const json_t *value)
{
    return read_switch(reader, value, &reader->request->terms.rated, "rated is true or false");
}

static bool read_room(reader *reader, const json_t *value)
{
    return read_switch(reader, value, &reader->request->terms.room, "room is true or false");
}

static bool read_class(reader *reader, const json_t *value)
{
    enum rating_class found;
    if (!json_is_string(value) || !rating_class_find(text_of(value), &found))
        return request_fail(reader, N_("class must be 2, 3-4 or 5+, and -live, -days or -computers: 2-live"));
    reader->request->rating_class = (uint8_t)found;
    return true;
}

/* Which of these words it is; as many as there are for none. */
static unsigned find_word(const json_t *value, const char *const words[], unsigned count)
{
    unsigned at = 0;
    while (at < count && (!json_is_string(value) || strcmp(json_string_value(value), words[at]) != 0))
        at++;
    return at;
}

static bool read_size(reader *reader, const json_t *value)
{
    static const char *const words[PAIRING_SIZES] = {"2", "3", "4", "5+", "any"};
    reader->request->size = (enum pairing_size)find_word(value, words, PAIRING_SIZES);
    return reader->request->size < PAIRING_SIZES ||
           request_fail(reader, N_("size must be 2, 3, 4, 5+ or any, as a string"));
}

static bool read_by(reader *reader, const json_t *value)
{
    reader->request->seen = (enum tie_seen)find_word(value, tie_seen_names, TIE_SEENS);
    return reader->request->seen < TIE_SEENS || request_fail(reader, N_("by must be nobody, friends or everyone"));
}

static bool read_shown(reader *reader, const json_t *value, enum profile_part part)
{
    reader->request->shown[part] = (uint8_t)find_word(value, tie_seen_names, TIE_SEENS);
    return reader->request->shown[part] < TIE_SEENS ||
           request_fail(reader, N_("each part is shown to nobody, friends or everyone"));
}

static bool read_show_ratings(reader *reader, const json_t *value)
{
    return read_shown(reader, value, PROFILE_RATINGS);
}

static bool read_show_results(reader *reader, const json_t *value)
{
    return read_shown(reader, value, PROFILE_RESULTS);
}

static bool read_show_games(reader *reader, const json_t *value)
{
    return read_shown(reader, value, PROFILE_GAMES);
}

static bool read_show_manner(reader *reader, const json_t *value)
{
    return read_shown(reader, value, PROFILE_MANNER);
}

static bool read_days(reader *reader, const json_t *value)
{
    return read_switch(reader, value, &reader->request->days, "days is true or false");
}

enum { WAIT_MAX = 3600 };

static bool read_wait(reader *reader, const json_t *value)
{
    int64_t seconds;
    if (!read_number(value, 0, WAIT_MAX, &seconds))
        return request_fail(reader, N_("wait must be a number of seconds up to 3600; 0 means without computers"));
    reader->request->wait = (uint32_t)seconds;
    return true;
}

static bool read_tournament(reader *reader, const json_t *value)
{
    char *id = reader->request->tournament;
    return (request_read_text(value, id, sizeof reader->request->tournament) && request_is_plain(id)) ||
           request_fail(reader, N_("tournament must be the id of a tournament"));
}

static bool read_title(reader *reader, const json_t *value)
{
    char *title = reader->request->announced.title;
    return (request_read_text(value, title, TOURNAMENT_TITLE_MAX + 1) && name_is_seen(gral_span_of(title))) ||
           request_fail(reader, N_("title must be one line of at most 60 bytes"));
}

static bool read_system(reader *reader, const json_t *value)
{
    const unsigned system = find_word(value, tournament_system_name, TOURNAMENT_SYSTEMS);
    reader->request->announced.system = (enum tournament_system)system;
    return system < TOURNAMENT_SYSTEMS || request_fail(reader, N_("system must be round-robin, swiss or fours"));
}

static bool read_rounds(reader *reader, const json_t *value)
{
    int64_t rounds;
    if (!read_number(value, 1, 9, &rounds))
        return request_fail(reader, N_("rounds must be a number from 1 to 9"));
    reader->request->announced.rounds = (unsigned)rounds;
    return true;
}

static const int64_t round_most = INT64_C(60) * 86400000;

static bool read_round(reader *reader, const json_t *value)
{
    return read_number(value, SECOND, round_most, &reader->request->announced.round) ||
           request_fail(reader, N_("round must be a number of milliseconds, up to 60 days"));
}

static bool read_people(reader *reader, const json_t *value)
{
    int64_t people;
    if (!read_number(value, 1, TOURNAMENT_PEOPLE_MAX, &people))
        return request_fail(reader, N_("people must be a number"));
    reader->request->announced.people = (unsigned)people;
    return true;
}

static bool read_begins(reader *reader, const json_t *value)
{
    int64_t seconds;
    if (!read_number(value, 1, INT64_C(1) << 40, &seconds))
        return request_fail(reader, N_("begins must be a time in seconds since 1970"));
    reader->request->announced.begins = SECOND * seconds;
    return true;
}

const request_member request_members[MEMBERS] = {
    [MEMBER_ID] = {"id", NULL}, /* these two are read before all others */
    [MEMBER_DO] = {"do", NULL},
    [MEMBER_TABLE] = {"table", read_table},
    [MEMBER_SEAT] = {"seat", read_seat},
    [MEMBER_VERSION] = {"version", read_version},
    [MEMBER_HAVE] = {"have", read_have},
    [MEMBER_ON] = {"on", read_on},
    [MEMBER_ACTIONS] = {"actions", read_actions},
    [MEMBER_SALT] = {"salt", read_salt},
    [MEMBER_ORDER] = {"order", read_order},
    [MEMBER_OFFER] = {"offer", read_offer},
    [MEMBER_TEXT] = {"text", read_words},
    [MEMBER_TO] = {"to", read_to},
    [MEMBER_NAME] = {"name", read_name},
    [MEMBER_LEVEL] = {"level", read_level},
    [MEMBER_AS] = {"as", read_as},
    [MEMBER_PLAYERS] = {"players", read_players},
    [MEMBER_RULES] = {"rules", read_rules},
    [MEMBER_HQ] = {"hq", read_hq},
    [MEMBER_FIRST] = {"first", read_first},
    [MEMBER_LIMIT] = {"limit", read_limit},
    [MEMBER_COMPUTERS] = {"computers", read_computers},
    [MEMBER_CLOCK] = {"clock", read_clock},
    [MEMBER_PACE] = {"pace", read_pace},
    [MEMBER_LISTED] = {"listed", read_listed},
    [MEMBER_NOTEPAD] = {"notepad", read_notepad},
    [MEMBER_TALK] = {"talk", read_talk},
    [MEMBER_RATED] = {"rated", read_rated},
    [MEMBER_ROOM] = {"room", read_room},
    [MEMBER_CLASS] = {"class", read_class},
    [MEMBER_SIZE] = {"size", read_size},
    [MEMBER_DAYS] = {"days", read_days},
    [MEMBER_WAIT] = {"wait", read_wait},
    [MEMBER_BY] = {"by", read_by},
    [MEMBER_TOURNAMENT] = {"tournament", read_tournament},
    [MEMBER_TITLE] = {"title", read_title},
    [MEMBER_SYSTEM] = {"system", read_system},
    [MEMBER_ROUNDS] = {"rounds", read_rounds},
    [MEMBER_ROUND] = {"round", read_round},
    [MEMBER_PEOPLE] = {"people", read_people},
    [MEMBER_BEGINS] = {"begins", read_begins},
    [MEMBER_AFTER] = {"after", read_table},
    [MEMBER_PARTS + PROFILE_RATINGS] = {"ratings", read_show_ratings},
    [MEMBER_PARTS + PROFILE_RESULTS] = {"results", read_show_results},
    [MEMBER_PARTS + PROFILE_GAMES] = {"games", read_show_games},
    [MEMBER_PARTS + PROFILE_MANNER] = {"manner", read_show_manner},
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
    if (!read_setting(reader, GRAL_KEY_PLAYERS, gral_span_of(digits)) ||
        !gral_settings_finish(&reader->settings, &terms->settings, reader->detail))
        return false;
    if (terms->clock == GRAL_CLOCK_NONE) {
        terms->clock = GRAL_CLOCK_MOVE;
        terms->time = 60 * SECOND;
        terms->opening = opening_least;
    }
    if (announced->round == 0)
        announced->round = rating_is_by_days(terms) ? 14 * day : 3600 * SECOND;
    if ((people == 0) == (announced->begins == 0))
        return request_fail(reader, N_("a tournament needs people or begins, not both"));
    if (people > 0 && (people < least || people > tournament_room(announced->system)))
        return request_fail(
            reader, N_("people must be 3 to 16 in a round-robin, 3 to 64 in a Swiss, 4 to 64 at tables of four"));
    return announced->rounds == 0 || announced->system != TOURNAMENT_ROUND_ROBIN ||
           request_fail(reader, N_("a round-robin has as many rounds as it needs"));
}
