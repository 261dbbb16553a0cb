/* The members of a body: how each is read, and what is wrong with it. */
#include "server/errand.h"
#include "server/persons.h"

#include "server/news.h"
#include "server/webpush.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const denial denied_body = {
    {"json", N_("the body must be a JSON object with the members of this request")}, 400, 0};
static const denial denied_length = {{"password-length", N_("use at least 8 characters, and at most 200")}, 400, 0};
static const denial denied_word = {{"name", N_("this name is not allowed here")}, 400, 0};
static const denial denied_days = {{"days", N_("a token lasts 1 to 365 days")}, 400, 0};
static const denial denied_mail = {{"mail", N_("this is not an e-mail address")}, 400, 0};
static const denial denied_push = {{"push", N_("this browser can't be reached")}, 400, 0};

static denial read_name(errand *errand, const json_t *name)
{
    const char *why;
    if (!json_is_string(name))
        return denied_body;
    if (!name_read((gral_span){json_string_value(name), json_string_length(name)}, errand->name, errand->key, &why))
        return (denial){{"name", why}, 400, 0};
    return errand->kind->makes_name && moderation_minds(errand->server, gral_span_of(errand->name)) ? denied_word
                                                                                                    : no_denial;
}

static denial copy_password(const json_t *password, char copy[PASSWORD_MAX + 1])
{
    const size_t length = json_string_length(password);
    if (!json_is_string(password) || length < PASSWORD_MIN || length > PASSWORD_MAX ||
        strlen(json_string_value(password)) != length)
        return denied_length;
    memcpy(copy, json_string_value(password), length + 1);
    return no_denial;
}

static denial read_password(errand *errand, const json_t *password)
{
    return copy_password(password, errand->password);
}

static denial read_new_password(errand *errand, const json_t *password)
{
    return copy_password(password, errand->new_password);
}

static denial read_label(errand *errand, const json_t *label)
{
    if (!json_is_string(label) || json_string_length(label) > LABEL_MAX)
        return denied_body;
    memcpy(errand->label, json_string_value(label), json_string_length(label) + 1);
    return no_denial;
}

static denial read_text(const json_t *value, char *text, size_t room, denial denial)
{
    const size_t length = json_string_length(value);
    if (!json_is_string(value) || length == 0 || length >= room || strlen(json_string_value(value)) != length)
        return denial;
    memcpy(text, json_string_value(value), length + 1);
    return no_denial;
}

/* As most of the world writes it: a name, one "@", the name of a machine. Upper case means nothing there. */
static bool make_mailbox(char *text)
{
    static const char in_names[] = "abcdefghijklmnopqrstuvwxyz0123456789.!#$%&'*+/=?^_`{|}~-",
                      in_machines[] = "abcdefghijklmnopqrstuvwxyz0123456789.-";
    for (char *at = text; *at != '\0'; at++)
        if (*at >= 'A' && *at <= 'Z')
            *at = (char)(*at + 'a' - 'A');
    const size_t name = strspn(text, in_names);
    return name > 0 && name <= 64 && text[0] != '-' && text[name] == '@' && text[name + 1] != '-' &&
           text[name + 1] != '.' && text[name + 1] != '\0' &&
           text[name + 1 + strspn(text + name + 1, in_machines)] == '\0';
}

static denial read_mail(errand *errand, const json_t *mail)
{
    enum { MAIL_MAX = 254 };
    const denial denial = read_text(mail, errand->where, MAIL_MAX + 1, denied_mail);
    return is_denied(denial) || make_mailbox(errand->where) ? denial : denied_mail;
}

static denial read_endpoint(errand *errand, const json_t *endpoint)
{
    char origin[POST_ORIGIN_MAX];
    const denial denial = read_text(endpoint, errand->where, sizeof errand->where, denied_push);
    return is_denied(denial) || post_origin(errand->where, origin) ? denial : denied_push;
}

static denial read_key(errand *errand, const json_t *key)
{
    return read_text(key, errand->keys, 100, denied_push);
}

/* After the key, with a blank between them. */
static denial read_auth(errand *errand, const json_t *auth)
{
    webpush_browser browser;
    char words[40];
    const denial denial = read_text(auth, words, sizeof words, denied_push);
    if (is_denied(denial) || !webpush_read_browser(errand->keys, words, &browser))
        return denied_push;
    const size_t length = strlen(errand->keys);
    snprintf(errand->keys + length, sizeof errand->keys - length, " %s", words);
    return no_denial;
}

static denial read_language(errand *errand, const json_t *language)
{
    const denial denial = read_text(language, errand->language, sizeof errand->language, denied_body);
    const bool right = strspn(errand->language, "abcdefghijklmnopqrstuvwxyz") == 2;
    return is_denied(denial) || right ? denial : denied_body;
}

static denial read_events(errand *errand, const json_t *events)
{
    if (!json_is_array(events) || json_array_size(events) > STORE_EVENTS)
        return denied_body;
    for (size_t at = 0; at < json_array_size(events); at++) {
        const json_t *name = json_array_get(events, at);
        const enum store_event event = news_named((gral_span){json_string_value(name), json_string_length(name)});
        if (event == STORE_EVENTS)
            return denied_body;
        errand->events |= (uint8_t)(1u << event);
    }
    return no_denial;
}

static denial read_digest(errand *errand, const json_t *hours)
{
    enum { WEEK = 168 };
    const json_int_t number = json_integer_value(hours);
    if (!json_is_integer(hours) || number < 0 || number > WEEK)
        return denied_body;
    errand->digest = (uint8_t)number;
    return no_denial;
}

static denial read_token(errand *errand, const json_t *token)
{
    return read_text(token, errand->link, sizeof errand->link, denied_link);
}

static denial read_days(errand *errand, const json_t *days)
{
    const json_int_t number = json_integer_value(days);
    if (!json_is_integer(days) || number < 1 || number > TOKEN_DAYS)
        return denied_days;
    errand->days = (unsigned)number;
    return no_denial;
}

static const struct {
    const char *name;
    denial (*read)(errand *errand, const json_t *value);
} members[] = {
    [BODY_NAME] = {"name", read_name},
    [BODY_PASSWORD] = {"password", read_password},
    [BODY_NEW_PASSWORD] = {"new", read_new_password},
    [BODY_LABEL] = {"label", read_label},
    [BODY_DAYS] = {"days", read_days},
    [BODY_MAIL] = {"mail", read_mail},
    [BODY_ENDPOINT] = {"endpoint", read_endpoint},
    [BODY_KEY] = {"key", read_key},
    [BODY_AUTH] = {"auth", read_auth},
    [BODY_LANGUAGE] = {"language", read_language},
    [BODY_EVENTS] = {"events", read_events},
    [BODY_DIGEST] = {"digest", read_digest},
    [BODY_TOKEN] = {"token", read_token},
};
static_assert(sizeof members / sizeof *members == BODY_MEMBERS, "every member can be read");

denial errand_read_body(errand *errand, const json_t *body)
{
    size_t expected = 0;
    for (unsigned index = 0; index < BODY_MEMBERS; index++) {
        const json_t *value = json_object_get(body, members[index].name);
        const bool needed = errand->kind->body >> index & 1, allowed = errand->kind->optional >> index & 1;
        if (!needed && !(allowed && value != NULL))
            continue;
        const denial denial = members[index].read(errand, value);
        if (is_denied(denial))
            return denial;
        expected++;
    }
    return json_object_size(body) == expected ? no_denial : denied_body;
}
