"""Who people are: guests, registered names, sessions, tokens; and what other sites may not do in their name."""
import io
import json
import os
import pathlib
import tarfile
import threading
import time

from harness import FAR, Person, Server, claim, eventually, gather, run_claims, same, online_player
from online_player import Account, Refused

SERVER = Server()


def account():
    return Account(SERVER.url)


def refusal(person, method, path, body=None):
    """(status, word) of a request that must be refused, with a sentence."""
    status, _, text = person.request(method, path, body)
    answer = json.loads(text)
    assert status >= 400, f"{method} {path} {body} was not refused: {answer}"
    assert answer["text"], "an error without a sentence"
    return status, answer["error"]


def guest(name):
    person = account()
    person.guest(name)
    return person


def who(person):
    return person.ask("GET", "/api/me")


def is_nobody(person):
    return refusal(person, "GET", "/api/me") == (401, "who")


def connected(person):
    return Person(SERVER, "", person)


def is_cut_off(person):
    """Whether the server ends the WebSocket."""
    try:
        while True:
            assert person.socket.receive(FAR) is not None, "the connection stays open"
    except ConnectionError:
        return True


# --- coming and going -------------------------------------------------------------------------------------------------


@claim
def whoever_says_nothing_is_nobody():
    assert is_nobody(account())
    same("name" in connected(account()).hello and connected(account()).hello["name"], None, "the name of nobody")


@claim
def a_guest_is_who_he_says():
    same(guest("Guendolyn").guest("Gwendolyn"), {"name": "Gwendolyn", "guest": True})
    person = guest("Galahad")
    same(who(person), {"name": "Galahad", "guest": True})
    same(connected(person).hello["name"], "Galahad")


@claim
def a_guest_who_registers_stays_who_he_was():
    person = guest("Percival")
    client = connected(person)
    table = client.create(players=2)
    same(person.register("Parsifal", "kundry kundry"), {"name": "Parsifal", "guest": False})
    same(who(person), {"name": "Parsifal", "guest": False})
    again = connected(person)
    same([own["table"] for own in again.request("lobby")["own"]], [table], "his tables")
    same(again.request("sit", table=table)["repeated"], True, "that he sits there")


@claim
def somebody_new_can_register_at_once():
    person = account()
    same(person.register("Bedivere", "excalibur in the lake"), {"name": "Bedivere", "guest": False})
    same(who(person), {"name": "Bedivere", "guest": False})


@claim
def a_registered_person_comes_back_on_another_device():
    first, second = account(), account()
    first.register("Lohengrin", "never ask my name")
    table = connected(first).create(players=2)
    same(second.login("Lohengrin", "never ask my name"), {"name": "Lohengrin", "guest": False})
    assert first.cookie != second.cookie, "two devices share a secret"
    same([own["table"] for own in connected(second).request("lobby")["own"]], [table], "his tables")
    same(who(first)["name"], "Lohengrin")


@claim
def the_name_of_a_login_is_found_in_any_case():
    account().register("Gawain", "green girdle")
    same(account().login("gAWAIN", "green girdle")["name"], "Gawain")


@claim
def a_wrong_password_and_an_unknown_name_are_answered_alike():
    account().register("Mordred", "camlann camlann")
    guest("Agravain")
    wrong = account().request("POST", "/api/login", {"name": "Mordred", "password": "not this one"})
    unknown = account().request("POST", "/api/login", {"name": "Nimue the Unknown", "password": "not this one"})
    without = account().request("POST", "/api/login", {"name": "Agravain", "password": "not this one"})
    same(wrong[0], 403)
    same(unknown[2], wrong[2], "the answer for an unknown name")
    same(without[2], wrong[2], "the answer for a guest's name")
    same(unknown[0], 403)
    same(without[0], 403)


@claim
def logging_out_ends_the_session_and_its_connections_and_no_other():
    first, second = account(), account()
    first.register("Tristan", "isolde isolde")
    second.login("Tristan", "isolde isolde")
    on_first, on_second = connected(first), connected(second)
    old = dict(first.headers())
    same(first.request("POST", "/api/logout")[0], 200, "the status of logging out")
    assert is_cut_off(on_first)
    same(json.loads(first.request("GET", "/api/me", headers=old)[2])["error"], "who", "what the old secret is worth")
    on_second.request("lobby")
    same(who(second)["name"], "Tristan")


@claim
def a_deleted_account_is_gone_and_its_name_free():
    first, second = account(), account()
    first.register("Morgause", "orkney orkney")
    second.login("Morgause", "orkney orkney")
    client = connected(second)
    same(refusal(first, "POST", "/api/delete", {"name": "Morgause", "password": "wrong wrong"}), (403, "password"))
    same(refusal(first, "POST", "/api/delete", {"name": "Somebody Else", "password": "orkney orkney"})[0] // 100, 4)
    same(who(first)["name"], "Morgause")
    same(first.request("POST", "/api/delete", {"name": "Morgause", "password": "orkney orkney"})[0], 200)
    assert is_cut_off(client)
    assert is_nobody(second), "another device is still somebody"
    same(refusal(account(), "POST", "/api/login", {"name": "Morgause", "password": "orkney orkney"}), (403, "password"))
    same(guest("Morgause").ask("GET", "/api/me")["guest"], True)


@claim
def a_guest_deletes_himself_by_his_name():
    person = guest("Dagonet")
    same(person.request("POST", "/api/delete", {"name": "Dagonet"})[0], 200)
    guest("Dagonet")


@claim
def the_seats_of_a_deleted_account_go_to_computer_players():
    one, other = account(), guest("Elaine of Astolat")
    one.register("Lancelot", "guinevere")
    people = [connected(one), connected(other)]
    name, people = gather(SERVER, 2, people)
    one.request("POST", "/api/delete", {"name": "Lancelot", "password": "guinevere"})
    table = people[1].tables[name]
    people[1].expect(lambda: {"seat": 1, "handed": True} in table.happened, "the seat handed over")
    people[1].expect(lambda: not (table.seats[0] or {}).get("name") == "Lancelot", "the name gone")


# --- another name, another password -----------------------------------------------------------------------------------


@claim
def with_another_name_one_is_the_same_person_to_everybody():
    one, other = account(), guest("Feirefiz")
    one.register("Anfortas", "the spear the spear")
    name, people = gather(SERVER, 2, [connected(one), connected(other)])
    same(one.ask("POST", "/api/name", {"name": "Frimutel"}), {"name": "Frimutel", "guest": False})
    table = people[1].tables[name]
    people[1].expect(lambda: table.seats[0]["name"] == "Frimutel", "the new name at the table")
    same(who(one)["name"], "Frimutel")
    same(connected(one).hello["name"], "Frimutel")
    same(account().login("Frimutel", "the spear the spear")["name"], "Frimutel")
    same(refusal(account(), "POST", "/api/login", {"name": "Anfortas", "password": "the spear the spear"})[0], 403)
    guest("Anfortas")
    people[0].request("talk", table=name, text="still me")


@claim
def a_guest_changes_his_name_and_one_may_change_how_it_is_written():
    person = guest("Gahmuret")
    same(person.ask("POST", "/api/name", {"name": "GAHMURET"}), {"name": "GAHMURET", "guest": True})
    guest("Belakane")
    for name in ["Belakane", "belak\u0430ne", "BELAKANE"]:
        status, word = refusal(person, "POST", "/api/name", {"name": name})
        assert (status, word) in [(409, "name-taken"), (400, "name")], f"{name!r}: {status} {word}"
    same(refusal(person, "POST", "/api/name", {"name": "<b>"}), (400, "name"))
    same(refusal(account(), "POST", "/api/name", {"name": "Nobody Yet"}), (401, "who"))
    same(who(person)["name"], "GAHMURET")


@claim
def nobody_changes_his_name_all_the_time():
    with Server(hasty=False) as server:
        person = Account(server.url)
        person.guest("Name 0")
        for number in range(1, 4):
            person.ask("POST", "/api/name", {"name": f"Name {number}"})
        status, headers, text = person.request("POST", "/api/name", {"name": "Name 4"})
        same((status, json.loads(text)["error"]), (429, "often"))
        assert int(headers["Retry-After"]) > 60
        same(person.ask("GET", "/api/me")["name"], "Name 3")


@claim
def with_another_password_everything_else_that_could_be_him_ends():
    first, second = account(), account()
    first.register("Cundrie", "a black mule")
    second.login("Cundrie", "a black mule")
    token = first.ask("POST", "/api/token", {"label": "mule"})["token"]
    on_first, on_second, program = connected(first), connected(second), connected(Account(SERVER.url, token))
    change = {"password": "a white mule", "new": "surcoat of black"}
    same(refusal(first, "POST", "/api/password", change), (403, "password"))
    on_second.request("lobby")
    same(refusal(first, "POST", "/api/password", {"password": "a black mule", "new": "short"}), (400, "password-length"))
    same(first.ask("POST", "/api/password", {"password": "a black mule", "new": "surcoat of black"}), {"ok": True})
    assert is_cut_off(on_second)
    assert is_cut_off(program)
    on_first.request("lobby")
    assert is_nobody(second) and is_nobody(Account(SERVER.url, token))
    same(who(first), {"name": "Cundrie", "guest": False})
    same(refusal(account(), "POST", "/api/login", {"name": "Cundrie", "password": "a black mule"}), (403, "password"))
    same(second.login("Cundrie", "surcoat of black")["name"], "Cundrie")


@claim
def a_password_is_changed_by_its_owner_alone():
    person = guest("Repanse")
    change = {"password": "12345678", "new": "87654321"}
    same(refusal(person, "POST", "/api/password", change), (409, "guest"))
    same(refusal(account(), "POST", "/api/password", change), (401, "who"))
    person.register("Repanse", "12345678")
    program = Account(SERVER.url, person.ask("POST", "/api/token", {"label": "x"})["token"])
    same(refusal(program, "POST", "/api/password", change), (401, "who"))
    same(refusal(program, "POST", "/api/name", {"name": "Programmed"}), (401, "who"))
    for _ in range(10):
        person.request("POST", "/api/password", {"password": "a wild guess", "new": "87654321"})
    same(refusal(person, "POST", "/api/password", change), (429, "guesses"))


# --- names ------------------------------------------------------------------------------------------------------------

LOOK_ALIKES = {
    "Viviane": ["viviane", "VIVIANE", "V\u00efviane", "Viviane\u0301", "V\u0456v\u0456an\u0435", "Vivi\u0430ne",
                " Viviane", "Viviane ",
                "Vi\u200bviane", "\uff36iviane"],
    "Lot Olin": ["L0t 0lin", "lot 0l1n", "Iot OIin", "1ot O1in", "LOT OLIN", "Lot  Olin"],
    "Ector": ["\u0415ctor", "Ect\u043er", "\u00c9ctor", "Ect0r"],
}


@claim
def names_that_look_like_a_taken_one_are_refused():
    for name, others in LOOK_ALIKES.items():
        guest(name)
        for other in others:
            status, word = refusal(account(), "POST", "/api/guest", {"name": other})
            assert (status, word) in [(409, "name-taken"), (400, "name")], f"{other!r} beside {name!r}: {status} {word}"


@claim
def different_names_are_different():
    for name in ["Bors", "Boris", "Böse", "Борис", "王雪", "Ἀθηνᾶ", "Zoë 2", "O'Neill", "J.-P."]:
        guest(name)


@claim
def names_have_2_to_24_characters_and_nothing_invisible():
    for name in ["a", "", "é", "x" * 25, "é" * 25, "tab\there", "new\nline", "zero\0zero", "esc\x1b[31m",
                 "\u202eright to left",
                 "   ", "\u200b\u200b\u200b", "bell\x07", "\u0085next", "a\u2028b"]:
        same(refusal(account(), "POST", "/api/guest", {"name": name}), (400, "name"), f"the answer to {name!r}")
    guest("qq")
    guest("q" * 24)
    guest("ö" * 24)


@claim
def script_in_a_name_is_refused_and_answers_are_never_taken_for_pages():
    for name in ["<script>x</script>", '"onload=', "a&b;", "<b>", "%s%n", "a;b", "`x`"]:
        same(refusal(account(), "POST", "/api/guest", {"name": name}), (400, "name"), f"the answer to {name!r}")
        status, headers, _ = account().request("POST", "/api/guest", {"name": name})
        assert headers["Content-Type"].startswith("application/json"), headers["Content-Type"]
        same(headers["X-Content-Type-Options"], "nosniff")


@claim
def passwords_have_8_to_200_bytes():
    for number, password in enumerate(["", "7 bytes", "x" * 201, "é" * 101]):
        same(refusal(account(), "POST", "/api/register", {"name": f"Pass {number}{number}", "password": password}),
             (400, "password-length"), f"the answer to a password of {len(password.encode())} bytes")
    account().register("Eight", "8 bytes.")
    account().register("Two hundred", "é" * 100)
    same(account().login("Two hundred", "é" * 100)["name"], "Two hundred")


@claim
def bodies_that_are_not_understood_are_refused():
    for body in ["", "[]", "null", '"Ann"', "{", '{"name":"Ann"} x', '{"name":1}', '{"name":null}', '{"name":["Kay"]}',
                 "{}",
                 '{"name":"Kay","name":"Kay"}', '{"name":"Kay","age":3}',
                 '{"name":"\ud800"}'.encode("utf-8", "surrogatepass"),
                 b'{"name":"\xff\xfe"}', "[" * 5000]:
        content = body if isinstance(body, bytes) else body.encode()
        bare = SERVER.raw(b"POST /api/guest HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                          b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(content) + content)
        answer = b""
        while chunk := bare.recv(65536):
            answer += chunk
        bare.close()
        assert answer.startswith(b"HTTP/1.1 400 "), f"{body!r}: {answer!r}"
    assert is_nobody(account())


@claim
def the_same_name_cannot_be_taken_twice_at_the_same_moment():
    outcomes = []

    def take():
        try:
            outcomes.append(account().guest("Highlander")["name"])
        except Refused as refused:
            outcomes.append(refused.word)

    threads = [threading.Thread(target=take) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    same(sorted(outcomes), ["Highlander"] + ["name-taken"] * 11)


# --- secrets in the browser and in programs ---------------------------------------------------------------------------


def cookie_of(headers):
    name, *flags = [part.strip() for part in headers["Set-Cookie"].split(";")]
    return name, {flag.split("=")[0].lower(): flag.partition("=")[2] for flag in flags}


@claim
def the_cookie_is_closed_to_scripts_and_other_sites():
    _, headers, _ = account().request("POST", "/api/guest", {"name": "Isolde"})
    value, flags = cookie_of(headers)
    assert "httponly" in flags, flags
    same(flags["samesite"].lower(), "strict")
    same(flags["path"], "/")
    assert "domain" not in flags, flags
    assert len(value.split("=", 1)[1]) >= 32, "the secret is short"
    assert "secure" not in flags, "a cookie for TLS alone, without TLS"


@claim
def behind_a_proxy_with_tls_the_cookie_is_for_tls_alone():
    with Server("--behind-proxy") as server:
        def flags(scheme, name):
            _, headers, _ = Account(server.url).request(
                "POST", "/api/guest", {"name": name}, {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": scheme})
            return cookie_of(headers)[1]
        assert "secure" in flags("https", "Isolde")
        assert "secure" not in flags("http", "Brangaene")
    _, headers, _ = account().request("POST", "/api/guest", {"name": "Brangaene"}, {"X-Forwarded-Proto": "https"})
    assert "secure" not in cookie_of(headers)[1], "anybody can say that he is a proxy"


@claim
def the_server_does_not_keep_the_secret_itself():
    person = guest("Merlin")
    token = person.ask("POST", "/api/token", {"label": "owl"})["token"]
    person.register("Merlin", "archimedes the owl")
    secret = person.cookie.split("=", 1)[1]
    kept = b"".join(path.read_bytes() for path in SERVER.folder.iterdir() if path.is_file())
    for text in [secret, token, "archimedes the owl"]:
        assert text.encode() not in kept, "a secret is in the database"
        assert text not in SERVER.log(), "a secret is in the log"


@claim
def a_token_is_its_owner_until_he_ends_it():
    person = guest("Taliesin")
    token = person.ask("POST", "/api/token", {"label": "harp"})["token"]
    second = person.ask("POST", "/api/token", {"label": "lyre"})["token"]
    assert token != second
    tokens = person.ask("GET", "/api/token")["tokens"]
    same(sorted(one["label"] for one in tokens), ["harp", "lyre"])
    assert all(abs(one["made"] - time.time()) < 60 for one in tokens)
    program = Account(SERVER.url, token)
    same(who(program), {"name": "Taliesin", "guest": True})
    client = connected(program)
    same(client.hello["name"], "Taliesin")
    table = client.create(players=2)
    same([own["table"] for own in connected(person).request("lobby")["own"]], [table], "his tables")
    same(person.request("DELETE", "/api/token")[0], 200)
    assert is_cut_off(client)
    assert is_nobody(program)
    assert is_nobody(Account(SERVER.url, second))
    same(person.ask("GET", "/api/token"), {"tokens": []})
    same(who(person)["name"], "Taliesin")


@claim
def sessions_are_listed_and_end_one_by_one():
    first, second, third = account(), account(), account()
    first.request("POST", "/api/register", {"name": "Sigune", "password": "the lime tree", "label": "Firefox, Linux"})
    second.login("Sigune", "the lime tree")
    third.request("POST", "/api/login", {"name": "Sigune", "password": "the lime tree", "label": "Safari, iPhone"})
    sessions = first.ask("GET", "/api/session")["sessions"]
    same(sorted(one["label"] for one in sessions), ["", "Firefox, Linux", "Safari, iPhone"])
    same([one["label"] for one in sessions if one.get("this")], ["Firefox, Linux"])
    assert all(abs(one[key] - time.time()) < 60 for one in sessions for key in ("made", "used"))
    stranger = guest("Schionatulander")
    phone = next(one["id"] for one in sessions if one["label"] == "Safari, iPhone")
    same(refusal(stranger, "DELETE", f"/api/session/{phone}"), (404, "session"))
    on_second, on_third = connected(second), connected(third)
    first.ask("DELETE", f"/api/session/{phone}")
    assert is_cut_off(on_third)
    assert is_nobody(third)
    on_second.request("lobby")
    same(refusal(first, "DELETE", f"/api/session/{phone}"), (404, "session"))
    third.login("Sigune", "the lime tree")
    token = first.ask("POST", "/api/token", {"label": "hound"})["token"]
    program = connected(Account(SERVER.url, token))
    first.ask("DELETE", "/api/session")
    assert is_cut_off(on_second)
    assert is_nobody(second) and is_nobody(third)
    program.request("lobby")
    same([one.get("this") for one in first.ask("GET", "/api/session")["sessions"]], [True])


@claim
def a_token_has_an_end_and_can_be_ended_before_alone():
    person = guest("Condwiramurs")
    made = {days: person.ask("POST", "/api/token", {"label": f"{days}", "days": days}) for days in (1, 30, 365)}
    usual = person.ask("POST", "/api/token", {"label": "usual"})
    for days, token in [*made.items(), (365, usual)]:
        assert abs(token["ends"] - time.time() - days * 86400) < 60, (days, token)
    for days in (0, 366, -1, 1.5, "7", None, 10 ** 20):
        status, _ = refusal(person, "POST", "/api/token", {"label": "x", "days": days})
        same(status, 400, f"the status for {days} days")
    tokens = person.ask("GET", "/api/token")["tokens"]
    same([one["label"] for one in tokens if one["ends"] == made[30]["ends"]], ["30"])
    client = connected(Account(SERVER.url, made[30]["token"]))
    other = connected(Account(SERVER.url, made[1]["token"]))
    person.ask("DELETE", "/api/session/" + next(one["id"] for one in tokens if one["label"] == "30"))
    assert is_cut_off(client)
    other.request("lobby")


@claim
def of_too_many_tokens_the_oldest_ends_and_so_does_its_connection():
    person = guest("Malcreatiure")
    tokens = [person.ask("POST", "/api/token", {"label": "x"})["token"] for _ in range(2)]
    clients = [connected(Account(SERVER.url, token)) for token in tokens]
    own = connected(person)
    for _ in range(99):
        person.ask("POST", "/api/token", {"label": "x"})
    assert is_cut_off(clients[0])
    assert is_nobody(Account(SERVER.url, tokens[0]))
    for client in (clients[1], own):
        client.create(players=2)


@claim
def a_program_cannot_become_its_owner():
    """A token is for playing. Whoever found one must not give a guest a password and keep the account."""
    person = guest("Orgeluse")
    program = Account(SERVER.url, person.ask("POST", "/api/token", {"label": "bow"})["token"])
    taken = {"name": "Gramoflanz", "password": "a wreath of the tree"}
    same(refusal(program, "POST", "/api/register", taken), (401, "who"))
    same(refusal(account(), "POST", "/api/login", taken), (403, "password"))
    same(who(person), {"name": "Orgeluse", "guest": True})


@claim
def a_wrong_token_is_nobody_or_refused():
    for token in [" ", "x", "A" * 43, "A" * 500, "../..", "%00"]:
        status = Account(SERVER.url, token).request("GET", "/api/me")[0]
        assert 400 <= status < 500, f"{token[:10]!r} is somebody: {status}"


@claim
def nobody_may_watch_but_not_do():
    name, people = gather(SERVER, 2)
    nobody = connected(account())
    nobody.watch(name)
    nobody.request("lobby")
    for do, members in [("create", {"players": 2}), ("sit", {"table": name}),
                        ("act", {"table": name, "version": 0, "actions": ["done"]}),
                        ("talk", {"table": name, "text": "hello"}), ("resign", {"table": name}),
                        ("draw", {"table": name}),
                        ("rise", {"table": name}), ("order", {"table": name, "order": "pass turn"}),
                        ("cancel", {"table": name}),
                        ("rematch", {"table": name}), ("replace", {"table": name, "seat": 1}),
                        ("back", {"table": name})]:
        same(nobody.refused(do, **members), "who", f"the answer to {do}")


# --- everything about me ----------------------------------------------------------------------------------------------


def archive(person):
    """What is in it, by name."""
    status, headers, content = person.request("GET", "/api/export")
    same((status, headers["Content-Type"]), (200, "application/x-tar"), content[:200])
    assert "attachment" in headers["Content-Disposition"], headers
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        return {file.name: tar.extractfile(file).read().decode() for file in tar if file.isfile()}


def heard(files, table):
    return json.loads(files[f"gral/games/{table}.json"])["happened"]


@claim
def everything_about_me_is_in_an_archive_and_nothing_about_others():
    one, others = account(), [guest("Liasse"), guest("Bene")]
    one.request("POST", "/api/register", {"name": "Obie", "password": "the queen of Janfuse", "label": "Firefox, Linux"})
    token = one.ask("POST", "/api/token", {"label": "parrot"})["token"]
    people = [connected(person) for person in (one, *others)]
    running, _ = gather(SERVER, 3, people)
    people[1].request("talk", table=running, text="for Obie alone", to=[1])
    people[1].request("talk", table=running, text="not for Obie", to=[3])
    people[0].request("act", table=running, version=0, actions=["place 10 T1", "done"])
    people[1].request("act", table=running, version=0, actions=["place 5 A1", "place 4 R2", "done"])
    over, _ = gather(SERVER, 2, people[:2])
    people[0].request("talk", table=over, text="well played")
    for person in people[:2]:
        person.request("draw", table=over)
    people[0].expect(lambda: people[0].tables[over].stage == "over", "the game is over")
    waiting = people[0].create(players=4)
    files = archive(one)
    same(sorted(files), sorted(["gral/account.json", f"gral/games/{waiting}.json"] +
                               [f"gral/games/{game}.{kind}" for game in (running, over) for kind in ("gral", "json")]))
    about = json.loads(files["gral/account.json"])
    same((about["name"], about["guest"], about["results"]["drawn"]), ("Obie", False, 1))
    same([one["label"] for one in about["sessions"]], ["Firefox, Linux"])
    same([one["label"] for one in about["tokens"]], ["parrot"])
    same(len(about["devices"]), 1, "the number of devices")
    same({game["table"]: game["stage"] for game in about["games"]},
         {running: "playing", over: "over", waiting: "gathering"})
    same(files[f"gral/games/{over}.gral"], SERVER.record(over), "the record")
    same(files[f"gral/games/{running}.gral"], SERVER.record(running), "the record of what goes on")
    same([event["talk"] for event in heard(files, running) if "talk" in event], ["for Obie alone"])
    same([event["talk"] for event in heard(files, over) if "talk" in event], ["well played"])
    told = json.loads(files[f"gral/games/{running}.json"])
    same((told["you"]["seat"], told["you"]["influence"][0]), (1, 10), "his own sheet")
    everything = "".join(files.values())
    for text in ["not for Obie", "place 4 R2", token, one.cookie.split("=", 1)[1], "the queen of Janfuse", "argon2"]:
        assert text not in everything, f"{text!r} is in the archive"


@claim
def an_archive_has_all_games_and_somebody_without_any_has_one_too():
    person = guest("Kyot")
    same(sorted(archive(person)), ["gral/account.json"])
    client = connected(person)
    tables = {client.create(players=2) for _ in range(45)}
    same({name[11:-5] for name in archive(person) if name.startswith("gral/games/")}, tables)


@claim
def an_archive_is_for_its_owner_and_not_for_the_whole_day():
    same(refusal(account(), "GET", "/api/export"), (401, "who"))
    person = guest("Trevrizent")
    program = Account(SERVER.url, person.ask("POST", "/api/token", {"label": "x"})["token"])
    same(refusal(program, "GET", "/api/export"), (401, "who"))
    with Server(hasty=False) as server:
        person = Account(server.url)
        person.guest("Trevrizent")
        for _ in range(2):
            archive(person)
        same(refusal(person, "GET", "/api/export"), (429, "often"))


@claim
def whoever_hangs_up_meanwhile_leaves_nothing_behind():
    person = guest("Gurzgri")
    files = len(os.listdir(f"/proc/{SERVER.process.pid}/fd"))
    for _ in range(20):
        bare = SERVER.raw(f"GET /api/export HTTP/1.1\r\nHost: localhost\r\nCookie: {person.cookie}\r\n\r\n".encode())
        bare.close()
    eventually(lambda: person.request("GET", "/api/export")[0] == 200, "an archive again")
    eventually(lambda: len(os.listdir(f"/proc/{SERVER.process.pid}/fd")) <= files, "its files closed")
    maps = pathlib.Path(f"/proc/{SERVER.process.pid}/maps")
    eventually(lambda: "(deleted)" not in maps.read_text(), "its files unmapped")


# --- other sites ------------------------------------------------------------------------------------------------------


@claim
def another_site_cannot_post():
    person = guest("Kundry")
    own = SERVER.url.rstrip("/")
    for origin in ["https://evil.example", "null", own + ".evil.example", "http://127.0.0.1:1",
                   own.replace("http:", "https:"), "file://"]:
        for path, body in [("/api/guest", {"name": "Klingsor"}), ("/api/logout", None), ("/api/token", {"label": "x"}),
                           ("/api/delete", {"name": "Kundry"}),
                           ("/api/login", {"name": "Kundry", "password": "12345678"})]:
            status, _, _ = person.request("POST", path, body, {"Origin": origin})
            same(status, 403, f"the status of POST {path} from {origin}")
        same(person.request("DELETE", "/api/token", None, {"Origin": origin})[0], 403, "the status of DELETE")
    same(who(person)["name"], "Kundry")
    same(person.request("POST", "/api/token", {"label": "own"}, {"Origin": own})[0], 200,
         "the status from our own page")


@claim
def another_site_is_not_told_that_it_may_read():
    person = guest("Herzeleide")
    for method, path in [("GET", "/api/me"), ("OPTIONS", "/api/guest"), ("GET", "/healthz"), ("POST", "/api/guest")]:
        _, headers, _ = person.request(method, path, None, {"Origin": "https://evil.example",
                                                            "Access-Control-Request-Method": "POST"})
        assert not [name for name in headers if name.lower().startswith("access-control")], headers


@claim
def another_site_cannot_open_the_websocket():
    person = guest("Gurnemanz")
    own = SERVER.url.rstrip("/")
    for origin in ["https://evil.example", "null", own + ".evil.example", "http://127.0.0.1:1"]:
        try:
            online_player.WebSocket(SERVER.url, headers={**person.headers(), "Origin": origin})
        except ConnectionRefusedError as refused:
            assert " 403" in str(refused), refused
        else:
            raise AssertionError(f"{origin} may open it")
    online_player.WebSocket(SERVER.url, headers={**person.headers(), "Origin": own}).close()


@claim
def further_origins_can_be_allowed():
    with Server("--origins", "https://gral.example https://www.gral.example") as server:
        for origin in ["https://gral.example", "https://www.gral.example"]:
            online_player.WebSocket(server.url, headers={"Origin": origin}).close()
        try:
            online_player.WebSocket(server.url, headers={"Origin": "https://gral.example.evil.example"})
        except ConnectionRefusedError:
            pass
        else:
            raise AssertionError("a longer name may open it")


@claim
def names_and_sessions_are_there_after_a_restart():
    person, other = guest("Titurel"), account()
    person.register("Titurel", "in the grave i live")
    token = person.ask("POST", "/api/token", {"label": "swan"})["token"]
    SERVER.restart(kill=True)
    same(who(person), {"name": "Titurel", "guest": False})
    same(who(Account(SERVER.url, token))["name"], "Titurel")
    same(other.login("Titurel", "in the grave i live")["name"], "Titurel")
    same(refusal(account(), "POST", "/api/guest", {"name": "Titurel"}), (409, "name-taken"))


if __name__ == "__main__":
    run_claims(SERVER)
