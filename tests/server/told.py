"""Being told what happens when one is not there: by mail and by push, once, and not more than one wants. Both go to real
services outside of the server (outside.py)."""
import json
import re
import sqlite3
import subprocess
import time

from harness import FAR, GRAL, Person, Server, claim, eventually, gather, open_quietly, run_claims, same, serves_a_game
from machine import machine_server
from online_player import Account
from outside import CERTIFICATE, PASSWORD, Mail, Push, Silence

MAIL, PUSH = Mail(), Push()
SITE = "https://gral.example"
DAYS = {"kind": "move", "time": 3 * 86400 * 1000}


def options(mail=MAIL, networks="127.0.0.0/8", after="0", retry="1"):
    return ["--site", SITE + "/", "--smtp", f"smtp://127.0.0.1:{mail.port}", "--smtp-user", "gral", "--smtp-password",
            str(PASSWORD), "--mail-from", "gral@gral.example", "--push-contact", "mailto:host@gral.example",
            "--push-networks", networks, "--authorities", str(CERTIFICATE), "--tell-after", after, "--retry", retry]


SERVER = Server(*options())
named = 0


def fresh(kind):
    global named
    named += 1
    return f"{kind}{named}"


def ask(person, method, path, body=None):
    """The answer, which must be good."""
    status, _, text = person.account.request(method, path, body)
    assert status == 200, f"{method} {path}: {status} {text}"
    return json.loads(text)


def denied(account, method, path, body=None):
    status, _, text = account.request(method, path, body)
    return status, json.loads(text)["error"]


def ways(person):
    return ask(person, "GET", "/api/way")["ways"]


def with_push(person, language="en"):
    browser = PUSH.browser(fresh("browser"))
    ask(person, "POST", "/api/way/push", browser.subscription(language))
    return browser


def token_of(letter, page):
    return re.search(rf"{re.escape(SITE)}/#/{page}/([\w-]+)", letter.text)[1]


def with_mail(person, language="en", mail=MAIL):
    address = fresh("somebody") + "@mail.example"
    ask(person, "POST", "/api/way/mail", {"mail": address, "language": language})
    letter = mail.next_to(address)
    ask(person, "POST", "/api/confirm", {"token": token_of(letter, "confirm")})
    mail.letters.clear()
    return address


def by_days(server=None, people=None, watch=(), **terms):
    """A table for two by days; the first has the first turn. Whoever is in `watch` looks at it."""
    terms = {"clock": DAYS, "first": 1, **terms}
    name, people = gather(server or SERVER, 2, people=people, watch=False, **terms)
    for person in watch:
        person.watch(name)
    return name, people


def opened(name, people):
    """Both have opened, and nobody looks any more."""
    for person in people:
        person.watch(name)
    open_quietly(people, name)
    for person in people:
        person.request("unwatch", table=name)


def settled(server=SERVER):
    """Whatever was due has been sent, or never will be: nothing waits in the outbox that is not put off. What follows from
    what was answered before is written before somebody new is answered."""
    Person(server).close()

    def waiting():
        with sqlite3.connect(f"file:{server.database}?mode=ro", uri=True) as database:
            return database.execute("SELECT count(*) FROM letter WHERE state < 2 AND due <= ?",
                                    (int(time.time() * 1000),)).fetchone()[0]
    eventually(lambda: waiting() == 0, "the outbox is empty")


def rows(server, words, *values):
    with sqlite3.connect(server.database) as database:
        return database.execute(words, values).fetchall()


# --- what is offered --------------------------------------------------------------------------------------------------


@claim
def a_server_without_mail_and_push_offers_none():
    with Server() as server:
        person = Person(server)
        same(ask(person, "GET", "/api/offers"), {"mail": False, "push": None})
        same(denied(person.account, "POST", "/api/way/mail", {"mail": "a@b.example", "language": "en"}), (409, "off"))
        browser = PUSH.browser("nobody")
        same(denied(person.account, "POST", "/api/way/push", browser.subscription()), (409, "off"))
        same(denied(person.account, "POST", "/api/recover", {"mail": "a@b.example"}), (409, "off"))
        name, _ = by_days(server)
        same(rows(server, "SELECT count(*) FROM letter"), [(0,)])


@claim
def the_key_for_browsers_stays_the_same_over_restarts():
    person = Person(SERVER)
    before = ask(person, "GET", "/api/offers")
    assert before["mail"] and len(before["push"]) == 87
    SERVER.restart()
    same(ask(person, "GET", "/api/offers"), before)


@claim
def what_is_incomplete_is_said_at_the_start():
    for given, said in (["--smtp", "smtp://127.0.0.1:9"], "--smtp needs --site and --mail-from"), \
                       ([*options(), "--smtp", "mail.example"], "--smtp must begin with"), \
                       ([*options(), "--site", "gral.example"], "--site must begin with"), \
                       ([*options(), "--mail-from", "The Grail <g@gral.example>"], "--mail-from must be"), \
                       ([*options(), "--push-contact", "host@gral.example"], "--push-contact must begin with"), \
                       (["--push-contact", "mailto:a@b.example", "--push-networks", "nowhere"], "no network"), \
                       ([*options(), "--smtp-password", "/nowhere"], "password for mail"):
        try:
            Server(*given)
            raise RuntimeError(f"it starts with {given}")
        except AssertionError as error:
            assert said in str(error), error


@claim
def addresses_that_cannot_be_are_refused():
    account = Person(SERVER).account
    for mail in "", "ann", "ann@", "@b.example", "a b@c.example", "a@b.example\r\nBcc: c@d.example", "<a@b.example>", "a@b@c", 5, \
            "a" * 65 + "@b.example", "a@" + "b" * 300:
        same(denied(account, "POST", "/api/way/mail", {"mail": mail, "language": "en"}), (400, "mail"), f"the answer to {mail!r}")
    good = PUSH.browser("refused").subscription()
    for wrong in {"endpoint": "http://127.0.0.1/push"}, {"endpoint": "https://user@host.example/"}, \
            {"endpoint": "https://host.example/" + "a" * 500}, {"endpoint": "https://host.example/ \""}, {"endpoint": "file:///etc/passwd"}, \
            {"key": good["key"][:-2]}, {"key": "A" * 87}, {"auth": "AAAA"}, {"auth": ""}:
        same(denied(account, "POST", "/api/way/push", {**good, **wrong}), (400, "push"), f"the answer to {wrong}")
    same(denied(Account(SERVER.url), "POST", "/api/way/push", good), (401, "who"))


# --- by mail ----------------------------------------------------------------------------------------------------------


@claim
def an_address_is_used_once_its_owner_has_confirmed_it():
    name, (ann, bob) = by_days()
    address = fresh("bob") + "@mail.example"
    ask(bob, "POST", "/api/way/mail", {"mail": address.upper(), "language": "en"})
    letter = MAIL.next_to(address)
    same((letter["From"].addresses[0].addr_spec, letter["Subject"]), ("gral@gral.example", "Confirm your e-mail address"))
    assert letter["List-Unsubscribe"] is None
    opened(name, (ann, bob))
    ann.watch(name)
    ann.do(name, "step T1 b1")
    settled()
    same(len(MAIL.to(address)), 1, "letters to an address that is not confirmed")
    token = token_of(letter, "confirm")
    same(denied(bob.account, "POST", "/api/confirm", {"token": token[:-1] + ("A" if token[-1] != "A" else "B")}), (404, "link"))
    ask(bob, "POST", "/api/confirm", {"token": token})
    same(denied(bob.account, "POST", "/api/confirm", {"token": token}), (404, "link"))
    same([(way["way"], way["address"], way["confirmed"], way["events"]) for way in ways(bob)],
         [("mail", address, True, ["turn", "clock", "invited", "over", "round"])])


@claim
def who_is_asked_in_a_game_by_days_and_does_not_look_gets_one_mail_in_his_language():
    people = [Person(SERVER) for _ in range(2)]
    ann, bob = people
    address = with_mail(bob, "de")
    name, _ = by_days(people=people)
    letter = MAIL.next_to(address)
    same(letter["Subject"], "Du bist dran")
    assert f"{SITE}/t/{name}" in letter.text and ann.name in letter.text, letter.text
    assert bob.name not in letter.text
    same(letter["List-Unsubscribe-Post"], "List-Unsubscribe=One-Click")
    same(letter["Auto-Submitted"], "auto-generated")
    settled()
    same(len(MAIL.to(address)), 1)


@claim
def nobody_else_sees_an_address():
    ann, bob = Person(SERVER), Person(SERVER)
    address = with_mail(bob)
    browser = with_push(bob)
    name, _ = by_days(people=[ann, bob], watch=(ann, bob))
    ann.request("stats", name=bob.name)
    ann.request("lobby", on=False)
    ann.sync()
    heard = "".join(ann.socket.frames) + SERVER.get("/metrics")[2].decode() + SERVER.log()
    assert address not in heard and browser.path not in heard
    same(ways(ann), [])


@claim
def one_click_stops_the_mails_and_what_waits():
    ann, bob = Person(SERVER), Person(SERVER)
    address = with_mail(bob)
    by_days(people=[ann, bob])
    letter = MAIL.next_to(address)
    link = re.fullmatch(rf"<{re.escape(SITE)}(/api/stop/[\w-]+)>", letter["List-Unsubscribe"])[1]
    assert link.rsplit("/", 1)[1] == token_of(letter, "stop")
    status, headers = Account(SERVER.url).request("GET", link)[:2]  # a mail program that opens it in a browser
    same((status, headers["Location"]), (302, "/#/stop/" + token_of(letter, "stop")), "somebody who looks at it")
    same([bool(way["events"]) for way in ways(bob)], [True], "and nothing has stopped by that")
    stranger = Account(SERVER.url)  # as mail providers do it: without a cookie, and with a form
    status, _, _ = stranger.request("POST", link)
    same(status, 200)
    same([way["events"] for way in ways(bob)], [[]])
    by_days(people=[ann, bob])
    settled()
    same(len(MAIL.to(address)), 1)
    same(denied(stranger, "POST", link[:-3] + "AAA"), (404, "link"))
    way = ways(bob)[0]["id"]
    ask(bob, "POST", f"/api/way/{way}", {"events": ["turn"], "digest": 0})  # and he can change his mind
    by_days(people=[ann, bob])
    MAIL.next_to(address, 2)


@claim
def what_the_mail_server_cannot_take_now_is_sent_later_and_what_it_never_takes_is_given_up():
    ann, bob = Person(SERVER), Person(SERVER)
    address = with_mail(bob)
    before = SERVER.figures()
    MAIL.at_recipient.append("451 later")
    MAIL.answers.append("452 later still")
    by_days(people=[ann, bob])
    MAIL.next_to(address)
    MAIL.at_recipient.append("550 nobody here")
    by_days(people=[ann, bob])
    eventually(lambda: SERVER.figures()["gral_letters_given_up_total"] == before["gral_letters_given_up_total"] + 1, "given up")
    same(SERVER.figures()["gral_letters_put_off_total"], before["gral_letters_put_off_total"] + 2)
    settled()
    same(len(MAIL.to(address)), 1)


@claim
def after_many_tries_it_is_given_up():
    ann, bob = Person(SERVER), Person(SERVER)
    address = with_mail(bob)
    MAIL.at_recipient.append("451 later")
    name, _ = by_days(people=[ann, bob])
    eventually(lambda: rows(SERVER, "SELECT tries FROM letter WHERE game = ? AND event = 0", name) == [(1,)], "tried")
    SERVER.stop()
    with sqlite3.connect(SERVER.database) as database:
        database.execute("UPDATE letter SET tries = 5, due = 0 WHERE game = ? AND event = 0", (name,))
    MAIL.at_recipient[:] = ["451 later"]
    SERVER.start()
    eventually(lambda: rows(SERVER, "SELECT state FROM letter WHERE game = ? AND event = 0", name) == [(2,)], "given up")
    same(MAIL.to(address), [])


@claim
def letters_are_gathered_for_a_day_on_wish():
    machine, server = machine_server(*options())
    with server:
        ann, bob = Person(server), Person(server)
        address = with_mail(bob)
        ask(bob, "POST", f"/api/way/{ways(bob)[0]['id']}", {"events": ["turn", "over"], "digest": 24})
        tables = [by_days(server, [ann, bob])[0] for _ in range(2)]
        seen, _ = by_days(server, [ann, bob], watch=(bob,))
        settled(server)
        same(MAIL.to(address), [])
        machine.set(ahead_ms=86400 * 1000 + 1000)
        server.restart()
        letter = MAIL.next_to(address)
        same(letter["Subject"], "News from your tables")
        assert all(f"{SITE}/t/{table}" in letter.text for table in tables), letter.text
        assert seen not in letter.text
        settled(server)
        same(len(MAIL.to(address)), 1)


# --- by push ----------------------------------------------------------------------------------------------------------


@claim
def a_turn_is_one_push_message_that_only_the_browser_can_read():
    ann, bob = Person(SERVER), Person(SERVER)
    browser = with_push(bob, "fr")
    name, _ = by_days(people=[ann, bob])
    message = browser.next()
    same((message["event"], message["table"]), ("turn", name))
    same(set(message), {"event", "table", "title", "text", "stop", "token"})
    assert ann.name in message["text"] and "tour" in message["text"], message
    same(browser.headers[0]["k"], ask(bob, "GET", "/api/offers")["push"])
    same(browser.headers[0]["Topic"], name)
    settled()
    same((len(browser.messages), PUSH.wrong), (1, []))


@claim
def one_question_is_told_once_whatever_else_happens_and_the_next_one_again():
    ann, bob = Person(SERVER), Person(SERVER)
    browser = with_push(bob)
    name, _ = by_days(people=[ann, bob])
    browser.next()
    opened(name, (ann, bob))
    settled()
    before = len(browser.messages)  # what came of the opening he has seen
    ann.watch(name)
    ann.do(name, "step T1 b1")
    browser.next(before + 1)
    ann.request("talk", table=name, text="Hello?")
    ann.request("draw", table=name)
    SERVER.restart()
    settled()
    SERVER.restart(kill=True)
    settled()
    same(len(browser.messages), before + 1)


@claim
def who_looks_at_the_table_is_not_told_and_who_has_another_page_in_front_of_it_is():
    ann, bob = Person(SERVER), Person(SERVER)
    browser = with_push(bob)
    name, _ = by_days(people=[ann, bob])
    browser.next()
    opened(name, (ann, bob))
    settled()
    told = len(browser.messages)
    ann.watch(name)
    bob.watch(name)
    ann.do(name, "step T1 b1")
    bob.asked_at(name)
    settled()
    same(len(browser.messages), told, "messages to somebody who looks")
    SERVER.restart()  # and later, too: he has seen it
    settled()
    same(len(browser.messages), told, "messages about what he has seen")
    ann, bob = ann.again(), bob.again()
    bob.request("look", on=False)
    name = ann.create(players=2, clock=DAYS)
    bob.watch(name)
    bob.request("sit", table=name)
    same(browser.next(told + 1)["table"], name, "the table that he has in another window")
    bob.request("look", on=True)


@claim
def games_that_are_played_live_tell_nobody_and_those_without_a_clock_do():
    ann, bob = Person(SERVER), Person(SERVER)
    browser = with_push(bob)
    live, _ = by_days(people=[ann, bob], clock={"kind": "move", "time": 600000})
    without, _ = gather(SERVER, 2, people=[ann, bob], watch=False)
    browser.next()
    settled()
    same([message["table"] for message in browser.messages], [without])


@claim
def the_beginning_of_a_live_game_of_a_tournament_is_told_to_who_does_not_look():
    maker = registered()
    ann, bob, cleo = Person(SERVER), Person(SERVER), Person(SERVER)
    browsers = {person: with_push(person) for person in (ann, bob, cleo)}
    tournament = maker.request("announce", title="Friday", system="fours", people=4)["tournament"]
    for person in browsers:
        person.request("join", tournament=tournament)
    message = browsers[ann].next()
    table = maker.request("tournament", tournament=tournament)["tables"][0][0]["table"]
    same((message["event"], message["table"]), ("round", table))
    assert bob.name in message["text"] and "tournament" in message["text"], message
    for person in (bob, cleo):
        browsers[person].next()
    settled()
    same([len(browser.messages) for browser in browsers.values()], [1, 1, 1], "messages")


@claim
def who_has_joined_is_reminded_before_it_begins_and_told_if_it_does_not():
    maker = registered()
    ann, bob, cleo = Person(SERVER), Person(SERVER), Person(SERVER)
    browsers = {person: with_push(person) for person in (ann, bob, cleo)}
    begins = int(time.time()) + 3 * 3600
    tournament = maker.request("announce", title="Friday", system="swiss", begins=begins)["tournament"]
    for person in (ann, bob, cleo):
        person.request("join", tournament=tournament)
    bob.request("leave", tournament=tournament)
    for person in (ann, bob, cleo):
        person.persists = True
    SERVER.stop()
    with sqlite3.connect(SERVER.database) as database:  # the same two and a half hours later
        database.execute("UPDATE tournament_log SET time = time - 9000000, text = replace(text, ?, ?)"
                         " WHERE tournament = (SELECT id FROM tournament WHERE name = ?)",
                         (f"begins={begins}", f"begins={begins - 9000}", tournament))
    SERVER.start()
    cleo.request("tournament", tournament=tournament, on=True)  # she sees it
    message = browsers[ann].next()
    same((message["event"], message["table"], message["tournament"]), ("round", "", tournament))
    assert "Friday" in message["text"] and "soon" in message["text"], message
    settled()
    same([len(browsers[person].messages) for person in (ann, bob, cleo)], [1, 0, 0], "messages")
    run = subprocess.run([GRAL, "admin", "--database", str(SERVER.database), "cancel", tournament], capture_output=True)
    same(run.returncode, 0, run.stderr)
    message = browsers[ann].next(2)
    assert message["tournament"] == tournament and "will not take place" in message["text"], message
    cleo.expect(lambda: any('"push":"off"' in frame and "Friday" in frame for frame in cleo.socket.frames), "the news")
    settled()
    same([len(browsers[person].messages) for person in (ann, bob, cleo)], [2, 0, 0], "messages")


@claim
def the_end_of_a_game_is_told_to_who_does_not_look():
    ann, bob = Person(SERVER), Person(SERVER)
    mine, his = with_push(ann), with_push(bob)
    name, _ = by_days(people=[ann, bob])
    opened(name, (ann, bob))
    settled()
    before = len(his.messages), len(mine.messages)
    ann.watch(name)
    bob.watch(name)
    bob.request("draw", table=name)
    bob.request("unwatch", table=name)
    ann.request("draw", table=name)
    message = his.next(before[0] + 1)
    same((message["event"], message["table"]), ("over", name))
    settled()
    same((len(his.messages), len(mine.messages)), (before[0] + 1, before[1]))


@claim
def a_warning_is_due_when_a_quarter_of_the_time_is_left():
    ann, bob = Person(SERVER), Person(SERVER)
    with_push(bob)
    before = time.time() * 1000
    name, _ = by_days(people=[ann, bob])
    settled()
    (due,), = rows(SERVER, "SELECT due FROM letter WHERE game = ? AND event = 1", name)
    assert before - 5000 <= due - DAYS["time"] * 3 // 4 <= time.time() * 1000 + 5000, due
    SERVER.stop()
    with sqlite3.connect(SERVER.database) as database:  # too early: it waits
        database.execute("UPDATE letter SET due = 0 WHERE game = ? AND event = 1", (name,))
    SERVER.start()
    eventually(lambda: rows(SERVER, "SELECT due >= ? FROM letter WHERE game = ? AND event = 1", due, name) == [(1,)], "put off")


@claim
def an_invitation_is_told_once_with_who_invites_and_not_to_whoever_has_blocked_him():
    ann, bob, cleo = (Person(SERVER) for _ in range(3))
    browser, hers = with_push(bob), with_push(cleo)
    cleo.request("block", name=ann.name)
    table = ann.create(players=2, listed=False, clock={"kind": "move", "time": 600000})
    for _ in range(2):
        ann.request("invite", table=table, name=bob.name)
        ann.request("invite", table=table, name=cleo.name)
    message = browser.next()
    same((message["event"], message["table"], message["text"]), ("invited", table, f"{ann.name} invites you to a table."))
    settled()
    same((len(browser.messages), len(hers.messages)), (1, 0))


@claim
def a_browser_that_has_gone_is_forgotten_and_a_busy_service_is_asked_again():
    ann, bob = Person(SERVER), Person(SERVER)
    browser = with_push(bob)
    PUSH.answers[:] = [503]
    by_days(people=[ann, bob])
    browser.next()
    PUSH.answers[:] = [410]
    by_days(people=[ann, bob])
    eventually(lambda: ways(bob) == [], "the subscription is gone")
    again = with_push(bob)
    PUSH.answers[:] = [302]
    before = PUSH.requests
    by_days(people=[ann, bob])
    eventually(lambda: PUSH.requests == before + 1, "one request")
    settled()
    same((PUSH.requests, again.messages, PUSH.wrong), (before + 1, [], []), "what follows from being sent elsewhere")
    same(len(ways(bob)), 1)


@claim
def a_push_message_can_be_stopped_by_what_is_in_it():
    ann, bob = Person(SERVER), Person(SERVER)
    browser = with_push(bob)
    by_days(people=[ann, bob])
    status, _, _ = Account(SERVER.url).request("POST", "/api/stop/" + browser.next()["token"])
    same(status, 200)
    by_days(people=[ann, bob])
    settled()
    same(len(browser.messages), 1)


@claim
def private_networks_are_not_written_to_unless_the_host_says_so():
    with Server(*options(networks="192.0.2.0/24")) as server:
        ann, bob = Person(server), Person(server)
        for endpoint in PUSH.url, PUSH.url.replace("127.0.0.1", "localhost"), PUSH.url.replace("127.0.0.1", "[::1]"), \
                PUSH.url.replace("127.0.0.1", "[::ffff:127.0.0.1]"), PUSH.url.replace("127.0.0.1", "2130706433"):
            browser = PUSH.browser(fresh("private"))
            ask(bob, "POST", "/api/way/push", {**browser.subscription(), "endpoint": endpoint + browser.path})
        before = PUSH.requests
        by_days(server, [ann, bob])
        eventually(lambda: server.figures()["gral_letters_put_off_total"] >= 5, "nothing could be sent")
        same(PUSH.requests, before)


@claim
def somebody_has_eight_browsers_at_most_and_one_belongs_to_one_person():
    ann, bob = Person(SERVER), Person(SERVER)
    browsers = [with_push(bob) for _ in range(9)]
    known = {way["address"] for way in ways(bob)}
    same(known, {browser.endpoint for browser in browsers[1:]})
    ask(ann, "POST", "/api/way/push", browsers[8].subscription())
    same({way["address"] for way in ways(ann)}, {browsers[8].endpoint})
    same(len(ways(bob)), 7)
    ask(ann, "DELETE", f"/api/way/{ways(bob)[0]['id']}")  # nobody else's
    same(len(ways(bob)), 7)
    ask(bob, "DELETE", f"/api/way/{ways(bob)[0]['id']}")
    same(len(ways(bob)), 6)


# --- whatever happens -------------------------------------------------------------------------------------------------


@claim
def what_had_not_left_when_the_server_was_killed_is_sent_once_by_the_next():
    mail = Mail()
    with Server(*options(mail)) as server:
        ann, bob = Person(server), Person(server)
        address = with_mail(bob, mail=mail)
        server.restart()  # which hangs up
        mail.stop()
        silent = Silence(mail.port)
        by_days(server, [ann.again(), bob.again()])
        eventually(lambda: silent.guests, "the server tries")
        server.kill()
        silent.close()
        mail.start()
        server.start()
        mail.next_to(address)
        settled(server)
        server.restart(kill=True)
        settled(server)
        same(len(mail.to(address)), 1)
    mail.stop()


@claim
def a_mail_server_that_says_nothing_holds_up_nobody():
    silent = Silence()
    with Server(*options(silent)) as server:
        person = Person(server)
        for _ in range(4):
            ask(Person(server), "POST", "/api/way/mail", {"mail": fresh("silent") + "@mail.example", "language": "en"})
        eventually(lambda: silent.guests, "the server tries")
        browser = with_push(person)
        by_days(server, [Person(server), person])
        browser.next()  # push goes on beside it
        serves_a_game(server)
        server.stop()  # and it stops when it is told to
        server.start()
    silent.close()


# --- forgotten passwords ----------------------------------------------------------------------------------------------


def registered(password="in the cellar"):
    account = Account(SERVER.url)
    name = "Reg " + "".join(chr(ord("A") + int(digit)) for digit in str(time.monotonic_ns())[-8:])
    account.register(name, password)
    return Person(SERVER, name, account)


@claim
def a_forgotten_password_is_replaced_by_a_link_that_works_once():
    ann = registered()
    address = with_mail(ann)
    stranger = Account(SERVER.url)
    same(json.loads(stranger.request("POST", "/api/recover", {"mail": address})[2]), {"ok": True})
    letter = MAIL.next_to(address)
    assert ann.name in letter.text and letter["List-Unsubscribe"] is None
    token = token_of(letter, "recover")
    same(denied(stranger, "POST", "/api/reset", {"token": token, "new": "short"}), (400, "password-length"))
    same(denied(stranger, "POST", "/api/reset", {"token": token[:-1] + "-", "new": "under the stairs"}), (404, "link"))
    same(json.loads(stranger.request("POST", "/api/reset", {"token": token, "new": "under the stairs"})[2]), {"name": ann.name})
    same(denied(stranger, "POST", "/api/reset", {"token": token, "new": "somewhere else"}), (404, "link"))
    same(denied(ann.account, "GET", "/api/me"), (401, "who"), "the old session")
    same(denied(stranger, "POST", "/api/login", {"name": ann.name, "password": "in the cellar"}), (403, "password"))
    stranger.login(ann.name, "under the stairs")


@claim
def nobody_learns_whether_an_address_is_known_and_nobody_is_flooded():
    ann = registered()
    address = with_mail(ann)
    guest = Person(SERVER)
    guests = with_mail(guest)
    stranger = Account(SERVER.url)
    answers = {stranger.request("POST", "/api/recover", {"mail": mail})[2]
               for mail in (address, address, guests, "nobody@mail.example", address)}
    same(len(answers), 1, "different answers")
    MAIL.next_to(address)
    settled()
    same((len(MAIL.to(address)), MAIL.to(guests), MAIL.to("nobody@mail.example")), (1, [], []))


@claim
def a_link_ends_after_its_time():
    ann = registered()
    address = with_mail(ann)
    ask(ann, "POST", "/api/recover", {"mail": address})
    token = token_of(MAIL.next_to(address), "recover")
    settled()
    SERVER.stop()
    with sqlite3.connect(SERVER.database) as database:
        database.execute("UPDATE letter SET made = made - 3600 * 1000")
    SERVER.start()
    same(denied(Account(SERVER.url), "POST", "/api/reset", {"token": token, "new": "under the stairs"}), (404, "link"))


@claim
def requests_for_mail_are_limited():
    with Server(*options(), hasty=False) as server:
        person = Person(server)
        words = [denied_or_ok(person.account, "/api/way/mail", {"mail": fresh("many") + "@mail.example", "language": "en"})
                 for _ in range(8)]
        same(words, ["ok"] * 5 + ["often"] * 3)
        stranger = Account(server.url)
        words = [denied_or_ok(stranger, "/api/recover", {"mail": fresh("many") + "@mail.example"}) for _ in range(20)]
        same((words[0], words[-1]), ("ok", "often"))


@claim
def however_many_name_an_address_few_mails_go_there():
    mailbox = fresh("victim")
    for number in range(12):
        person = Person(SERVER)
        tag = f"+{number}" if number % 2 else ""
        ask(person, "POST", "/api/way/mail", {"mail": f"{mailbox.title()}{tag}@mail.example", "language": "en"})
    ask(person, "POST", "/api/recover", {"mail": f"{mailbox}@mail.example"})
    settled()
    to_him = [letter for letter in MAIL.letters if mailbox in letter.recipients[0].lower()]
    same(len(to_him), 4, "the mails to one mailbox")


def denied_or_ok(account, path, body):
    return json.loads(account.request("POST", path, body)[2]).get("error", "ok")


# --- whose it is ------------------------------------------------------------------------------------------------------


@claim
def everything_about_him_is_in_the_archive_and_goes_with_the_account():
    import io
    import tarfile
    bob = Person(SERVER)
    address, browser = with_mail(bob), with_push(bob)
    by_days(people=[Person(SERVER), bob])
    browser.next()
    status, _, data = bob.account.request("GET", "/api/export")
    same(status, 200)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        told = json.load(archive.extractfile("gral/account.json"))["ways"]
    same([way["address"] for way in told], [address, browser.endpoint])
    ask(bob, "POST", "/api/delete", {"name": bob.name})
    same(rows(SERVER, "SELECT count(*) FROM way WHERE address IN (?, ?)", address, browser.endpoint), [(0,)])
    same(rows(SERVER, "SELECT count(*) FROM letter WHERE way NOT IN (SELECT id FROM way)"), [(0,)])
    assert address.encode() not in SERVER.database.read_bytes()


if __name__ == "__main__":
    run_claims(SERVER)
    same(PUSH.wrong, [])
