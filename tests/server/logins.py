"""Logging in while others guess: nobody is locked out, nobody guesses much, and what was ended stays ended."""
import contextlib
import http.client
import itertools
import json
import os
import random
import sqlite3
import threading
import time

from harness import FAR, Person, Server, about_time, at_once, claim, eventually, gather, run_claims, same
from online_player import Account

SERVER = Server("--behind-proxy")
PASSWORD = "the right password"
BURST, PER_MINUTE = 8, 2  # guesses of strangers at one name
OF_ONE_SOURCE = 4
DEVICES = 10
DAY = 86400 * 1000

networks = itertools.count(11 << 16)  # many threads take from it at once


def somewhere():
    """Headers of somebody from a network from which nobody has come yet."""
    network = next(networks)
    address = f"{network >> 16}.{network >> 8 & 255}.{network & 255}.7"
    return {"X-Forwarded-For": address, "X-Forwarded-Proto": "http"}


class Visitor(Account):
    """Somebody who always comes from the same address."""

    def __init__(self, server=None, where=None, token=None):
        super().__init__((server or SERVER).url, token)
        self.where = where or somewhere()

    def headers(self):
        return {**super().headers(), **self.where}

    def try_password(self, name, password=PASSWORD):
        return self.request("POST", "/api/login", {"name": name, "password": password})

    def who(self):
        """His name, or None for nobody."""
        status, _, text = self.request("GET", "/api/me")
        return json.loads(text)["name"] if status == 200 else None


def registered(name, server=None):
    person = Visitor(server)
    person.register(name, PASSWORD)
    return person


def guess(name, where=None, server=None):
    return Visitor(server, where).try_password(name, "a wild guess")


@contextlib.contextmanager
def flood(names, attackers=24, networks=None):
    """Guesses as fast as they are answered, each from a network of its own, or from one of so many; who is turned away
    guesses again in a tenth of a second. Yields the list of answers: (status, seconds to wait or None)."""
    answers, done = [], threading.Event()
    sources = [somewhere() for _ in range(networks)] if networks else None

    def attack():
        while not done.is_set():
            status, headers, _ = guess(names(), random.choice(sources) if sources else None)
            answers.append((status, headers["Retry-After"]))
            if status != 403:
                done.wait(0.1)

    threads = [threading.Thread(target=attack, daemon=True) for _ in range(attackers)]
    for thread in threads:
        thread.start()
    try:
        yield answers
    finally:
        done.set()
        for thread in threads:
            thread.join()
    for status, wait in answers:
        assert (status, wait) == (403, None) or (status in (429, 503) and int(wait) > 0), f"{status}, wait {wait}"


# --- guessing ---------------------------------------------------------------------------------------------------------


@claim
def strangers_together_have_eight_guesses_at_a_name_and_then_wait():
    registered("Amfortas")
    begin, count = time.monotonic(), 0
    while True:
        status, headers, text = guess("Amfortas")
        if status != 403:
            break
        count += 1
    most = BURST + PER_MINUTE * (time.monotonic() - begin) / 60
    assert BURST <= count <= most, f"{count} guesses, not {BURST} to {most:.1f}"
    same((status, json.loads(text)["error"]), (429, "guesses"))
    assert 1 <= int(headers["Retry-After"]) <= 60 / PER_MINUTE + 1, headers["Retry-After"]


@claim
def an_unknown_name_a_guest_and_an_account_are_answered_alike():
    registered("Feirefiz")
    Visitor().guest("Belakane")
    answers = {}
    for name in ("Feirefiz", "Belakane", "Nobody at all"):
        answers[name] = [(status, text) for status, _, text in (guess(name) for _ in range(BURST + 2))]
    same(answers["Belakane"], answers["Feirefiz"], "what is said of a guest")
    same(answers["Nobody at all"], answers["Feirefiz"], "what is said of nobody")


@claim
def one_source_cannot_use_up_the_guesses_at_a_name():
    for name, where in {"Condwiramurs": "203.0.113.{}", "Kundrie": "2001:db8:7:{}::1"}.items():
        registered(name)
        one = [guess(name, {"X-Forwarded-For": where.format(number)})[0] for number in range(1, 9)]
        same(one, [403] * OF_ONE_SOURCE + [429] * (len(one) - OF_ONE_SOURCE), f"what {where} is answered")
        same(Visitor().try_password(name)[0], 200, "the status of a login from elsewhere")


@claim
def the_right_password_is_no_guess():
    registered("Trevrizent")
    for _ in range(BURST + 3):
        same(Visitor().try_password("Trevrizent")[0], 200)


@about_time
@claim
def a_flood_at_one_account_gets_two_guesses_a_minute_and_its_owner_in():
    owner = registered("Repanse")
    registered("Urepanse")
    same(owner.request("POST", "/api/logout")[0], 200)
    begin = time.monotonic()
    with flood(lambda: "Repanse") as answers:
        for _ in range(5):
            time.sleep(1)
            first = time.monotonic()
            same(owner.try_password("Repanse")[0], 200, "the owner's login on a known device")
            assert time.monotonic() - first < FAR / 2, "the owner has to wait"
            same(owner.request("POST", "/api/logout")[0], 200)
            same(Visitor().try_password("Urepanse")[0], 200, "another's login from a new address")
    minutes = (time.monotonic() - begin) / 60
    guessed = sum(status == 403 for status, _ in answers)
    assert len(answers) > 50, f"no flood: {len(answers)}"
    assert guessed <= BURST + PER_MINUTE * minutes + 1, f"{guessed} guesses in {minutes:.1f} minutes"
    print(f"# {len(answers)} requests, {guessed} guesses in {60 * minutes:.0f} s")


def patient(visitor, name):
    """Somebody who comes again when he is told to; the status in the end."""
    end = time.monotonic() + FAR
    while (status := visitor.try_password(name)[0]) == 503 and time.monotonic() < end:
        time.sleep(1)
    return status


@about_time
@claim
def a_flood_at_many_names_from_many_addresses_lets_a_newcomer_and_the_owner_in():
    owner = registered("Sigune")
    registered("Schionatulander")
    times = []
    with flood(lambda: f"Name {random.randrange(10**9)}", attackers=80, networks=100) as answers:
        eventually(lambda: len(answers) > 20 * 100, "a flood in which every network has come often", 5 * FAR)
        for _ in range(8):
            begin = time.monotonic()
            same(patient(Visitor(), "Schionatulander"), 200, "an honest login from a new address")
            times.append(time.monotonic() - begin)
            same(owner.try_password("Sigune")[0], 200, "the owner's login on a known device")
    assert max(times) < FAR / 2, f"honest logins took {times}"
    print(f"# {len(answers)} requests, honest logins took {min(times):.2f} to {max(times):.2f} s,"
          f" {sum(status == 503 for status, _ in answers)} of the flood turned away")
    assert SERVER.alive()


@about_time
@claim
def who_is_turned_away_is_told_when_to_come_back():
    with flood(lambda: f"Name {random.randrange(10**9)}", attackers=60, networks=2) as answers:
        eventually(lambda: any(status == 503 for status, _ in answers), "somebody turned away", 3 * FAR)
    with Server("--behind-proxy", hasty=False) as server:
        where = somewhere()
        answers = [Visitor(server, where).request("POST", "/api/guest", {"name": f"Guest {number}"})
                   for number in range(100)]
        same({status for status, _, _ in answers}, {200, 429}, "what one address is answered")
        assert all(int(headers["Retry-After"]) > 0 for status, headers, _ in answers if status == 429)
        same(Visitor(server).request("POST", "/api/guest", {"name": "Guest elsewhere"})[0], 200)


@claim
def a_server_that_stops_in_a_flood_leaves_nothing_half_done():
    """Whoever waits for his password to be hashed is refused, whoever was answered has his account."""
    with Server("--behind-proxy") as server:
        outcomes = {}

        def come(number):
            try:
                status, _, _ = Visitor(server).request("POST", "/api/register",
                                                       {"name": f"Late {number}", "password": PASSWORD})
            except (OSError, http.client.HTTPException):
                status = None
            outcomes[number] = status

        threads = [threading.Thread(target=come, args=(number,)) for number in range(100, 140)]
        for thread in threads:
            thread.start()
        eventually(lambda: server.figures()["gral_passwords_waiting"] > 10, "a queue")
        server.restart()
        for thread in threads:
            thread.join()
        assert set(outcomes.values()) <= {200, 503, None}, outcomes
        for number, status in outcomes.items():
            if status == 200:
                same(Visitor(server).try_password(f"Late {number}")[0], 200, "the status of a login")
        print(f"# {sum(status == 200 for status in outcomes.values())} done,"
              f" {sum(status == 503 for status in outcomes.values())} refused")


# --- devices ----------------------------------------------------------------------------------------------------------


def use_up(name):
    """Nobody can guess any more, for half a minute."""
    threads = [threading.Thread(target=guess, args=(name,)) for _ in range(BURST)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    same(guess(name)[0], 429)


@claim
def a_known_device_is_closed_to_scripts_and_other_sites_and_is_nobody_by_itself():
    person = Visitor()
    _, headers, _ = person.request("POST", "/api/register", {"name": "Herzeloyde", "password": PASSWORD})
    cookies = headers.get_all("Set-Cookie")
    same([cookie.split("=")[0] for cookie in cookies], ["gral-device", "gral"], "the cookies, the session's last:")
    for flag in ("HttpOnly", "SameSite=Strict", "Path=/"):
        assert flag in cookies[0], f"{flag} is not in {cookies[0]}"
    secret = person.device.split("=", 1)[1]
    stranger = Visitor()
    for cookie in (person.device, f"gral={secret}"):
        stranger.cookie = cookie
        same(stranger.who(), None, "who a device is")
    same(Visitor(token=secret).who(), None, "who a device is as a token")
    kept = b"".join(path.read_bytes() for path in SERVER.folder.iterdir() if path.is_file())
    assert secret.encode() not in kept, "a secret is in the database"


@claim
def a_device_stays_known_when_its_owner_logs_out():
    person = registered("Gahmuret")
    device = person.device
    same(person.request("POST", "/api/logout")[0], 200)
    same(person.device, device)
    use_up("Gahmuret")
    same(Visitor().try_password("Gahmuret")[0], 429, "a stranger's login")
    person.where = somewhere()
    same(person.try_password("Gahmuret")[0], 200, "the owner's login")
    same(person.device, device, "the device after another login")


@claim
def a_device_opens_no_way_to_another_account_and_does_not_guess_for_ever():
    ann = registered("Itonje")
    registered("Gramoflanz")
    use_up("Gramoflanz")
    same(ann.try_password("Gramoflanz")[0], 429, "a login to an account that does not know the device")
    answers = [ann.try_password("Itonje", "a wild guess")[0] for _ in range(12)]
    same(answers, [403] * 10 + [429] * 2, "what a known device is answered")


@claim
def of_many_devices_the_one_used_longest_ago_is_forgotten():
    first = registered("Kyot of Katelangen")
    others = [Visitor() for _ in range(DEVICES)]
    for other in others:
        same(other.try_password("Kyot of Katelangen")[0], 200)
    use_up("Kyot of Katelangen")
    same(first.try_password("Kyot of Katelangen")[0], 429)
    same(others[-1].try_password("Kyot of Katelangen")[0], 200)


@claim
def a_failed_login_is_logged_without_saying_whose():
    registered("Orgeluse")
    before = SERVER.figures()
    guess("Orgeluse", {"X-Forwarded-For": "198.51.100.77"})
    eventually(lambda: SERVER.figures()["gral_logins_failed_total"] == before["gral_logins_failed_total"] + 1,
               "the count")
    assert "event=login-failed count=" in SERVER.log()
    for word in ("Orgeluse", "orgeluse", "198.51.100", "wild"):
        assert word not in SERVER.log(), f"{word} is in the log"


# --- what was ended stays ended ---------------------------------------------------------------------------------------


@contextlib.contextmanager
def slow_server():
    """One whose store has read who somebody is long before it says so (tests/slow_store.c): whoever is looked up while
    something ends is surely told what was true before. Without it there is only luck to rely on."""
    slow = os.environ.get("GRAL_SLOW_STORE")
    with Server("--behind-proxy", environment={"LD_PRELOAD": slow} if slow else None) as server:
        yield server


def upgrade(server, account):
    """A WebSocket that asks to be opened, as a bare socket."""
    headers = "".join(f"{name}: {value}\r\n" for name, value in account.headers().items())
    return server.raw(f"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                      f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'x' * 22}==\r\n{headers}\r\n".encode())


def asked(server, account, method, path, body=None):
    """A request that is sent and not waited for."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=FAR)
    content = None if body is None else json.dumps(body)
    connection.request(method, path, content, account.headers())
    return connection


def is_somebody(bare):
    """Whether a connection that was opened may do something."""
    request = b'{"id":"p","do":"create","players":2,"pace":0}'
    answer = b""
    try:
        bare.sendall(bytes([0x81, 0x80 | len(request)]) + b"\0\0\0\0" + request)
        while b'"re":"p"' not in answer and b"you have logged out" not in answer:
            chunk = bare.recv(65536)
            if not chunk:
                break
            answer += chunk
    except ConnectionError:
        pass
    assert b"HTTP/1.1 101" in answer, f"it was not opened: {answer}"
    return b'"re":"p","ok":true' in answer


SOCKETS, ROUNDS = 24, 9


def race(server, account, way_in, method, path, body=None):
    """Connections that are identified while what they are identified by ends: how many live on."""
    with at_once(server):
        bare = [upgrade(server, way_in) for _ in range(SOCKETS // 2)]
        ending = asked(server, account, method, path, body)
        bare += [upgrade(server, way_in) for _ in range(SOCKETS - len(bare))]
    same(ending.getresponse().status, 200, f"the status of {method} {path}")
    ending.close()
    alive = sum(is_somebody(one) for one in bare)
    for one in bare:
        one.close()
    return alive


@claim
def who_has_a_session_that_does_not_end_is_somebody():
    with slow_server() as server:
        person, other = Visitor(server), Visitor(server)
        person.guest("Liaze")
        other.guest("Antikonie")
        same(race(server, other, person, "POST", "/api/logout"), SOCKETS, "the number of connections that live on")


@claim
def of_200_connections_opened_while_their_tokens_end_none_lives_on():
    with slow_server() as server:
        person = Visitor(server)
        person.guest("Taurian")
        alive = 0
        for _ in range(ROUNDS):
            token = person.ask("POST", "/api/token", {"label": "x"})["token"]
            alive += race(server, person, Visitor(server, token=token), "DELETE", "/api/token")
        same(alive, 0, "the number of connections that live on")


@claim
def of_200_connections_opened_while_their_session_ends_none_lives_on():
    with slow_server() as server:
        alive = 0
        for number in range(ROUNDS):
            person = Visitor(server)
            person.guest(f"Dodines {number}")
            alive += race(server, person, person, "POST", "/api/logout")
        same(alive, 0, "the number of connections that live on")


@claim
def of_200_connections_opened_while_their_account_is_deleted_none_lives_on():
    with slow_server() as server:
        alive = 0
        for number in range(ROUNDS):
            person = Visitor(server)
            person.guest(f"Ither {number}")
            alive += race(server, person, person, "POST", "/api/delete", {"name": f"Ither {number}"})
        same(alive, 0, "the number of connections that live on")


def ask_while_it_ends(server, person, way_in, method, path, body, ending):
    """Requests that are looked up while what they are made with ends: their answers."""
    with at_once(server):
        early = [asked(server, way_in, method, path, body) for _ in range(6)]
        end = asked(server, person, *ending)
        late = [asked(server, way_in, method, path, body) for _ in range(6)]
    same(end.getresponse().status, 200, f"the status of {ending}")
    answers = []
    for connection in [end] + early + late:
        if connection is not end:
            answer = connection.getresponse()
            answers.append((answer.status, json.loads(answer.read())))
        connection.close()
    return answers


@claim
def a_token_asked_for_while_the_account_is_deleted_is_nobody():
    with slow_server() as server:
        for number in range(5):
            person = Visitor(server)
            person.guest(f"Segramors {number}")
            answers = ask_while_it_ends(server, person, person, "POST", "/api/token", {"label": "x"},
                                        ("POST", "/api/delete", {"name": f"Segramors {number}"}))
            for status, answer in answers:
                assert status in (200, 401), f"{status} {answer}"
                if status == 200:
                    same(Visitor(server, token=answer["token"]).who(), None, "who the token of a deleted account is")


@claim
def a_deleted_name_does_not_come_back_by_an_old_question():
    with slow_server() as server:
        watcher = Person(server, "Watcher")
        person = Visitor(server)
        person.guest("Frimutel")
        client = Person(server, "Frimutel", person)
        name, _ = gather(server, 2, [watcher, client])
        ask_while_it_ends(server, person, person, "GET", "/api/me", None, ("POST", "/api/delete", {"name": "Frimutel"}))
        watcher.expect(lambda: watcher.tables[name].seats[1].get("name") != "Frimutel", "the name gone")
        with contextlib.closing(Person.nobody(server)) as other:
            assert other.watch(name).seats[1].get("name") != "Frimutel", "the name is back"


@claim
def whose_account_is_not_deleted_after_all_has_left_no_table():
    with slow_server() as server:
        number = refused = 0
        while number < 5 or refused == 0:  # which of the two comes first is the machine's choice
            number += 1
            assert number < 200, "every account was deleted: this has tested nothing"
            person = Visitor(server)
            person.guest(f"Lischoys {number}")
            watcher = Person(server)
            name, _ = gather(server, 2, [watcher, Person(server, f"Lischoys {number}", person)], players=3)
            with at_once(server):
                logout = asked(server, person, "POST", "/api/logout")
                delete = asked(server, person, "POST", "/api/delete", {"name": f"Lischoys {number}"})
            statuses = logout.getresponse().status, delete.getresponse().status
            assert statuses in ((200, 200), (200, 401), (401, 200)), statuses
            status = statuses[1]
            refused += status == 401
            watcher.sync()
            watcher.sync()
            seat = watcher.tables[name].seats[1] or {}
            if status == 401:
                same(seat.get("name"), f"Lischoys {number}", "who sits there")


# --- what is not used ends --------------------------------------------------------------------------------------------


@contextlib.contextmanager
def stopped(server):
    """The database while nobody serves it."""
    server.stop()
    database = sqlite3.connect(server.database)
    yield database
    database.commit()
    database.close()
    server.start()


def set_back(database, name, days, table="user", sort=None):
    """Somebody, or his sessions of a sort, was last here so many days ago."""
    when = int(time.time() * 1000) - days * DAY
    if table == "user":
        database.execute("UPDATE user SET seen = ? WHERE name = ?", (when, name))
    else:
        database.execute("UPDATE session SET seen = ? WHERE token = ? AND user = (SELECT id FROM user WHERE name = ?)",
                         (when, sort, name))


def rows(server, question, *values):
    with contextlib.closing(sqlite3.connect(server.database)) as database:
        return database.execute(question, values).fetchall()


@claim
def a_guest_who_does_not_come_back_is_cleared_unless_he_still_plays():
    with Server() as server:
        gone, playing, played, recent = (Person(server, name) for name in ("Gone", "Playing", "Played", "Recent"))
        account = Account(server.url)
        account.register("Account", PASSWORD)
        open_table, _ = gather(server, 2, [playing, recent])
        over, _ = gather(server, 2, [played, recent])
        for person in (played, recent):
            person.request("draw", table=over)
        played.expect(lambda: played.tables[over].stage == "over")
        with stopped(server) as database:
            for name in ("Gone", "Playing", "Played", "Account"):
                set_back(database, name, 31)
            set_back(database, "Recent", 29)
        eventually(lambda: server.figures()["gral_guests_cleared_total"] == 2, "two guests cleared")
        names = {person.name: json.loads(person.account.request("GET", "/api/me")[2]).get("name")
                 for person in (gone, playing, played, recent)}
        same(names, {"Gone": None, "Playing": "Playing", "Played": None, "Recent": "Recent"}, "who they are")
        same(account.ask("GET", "/api/me")["name"], "Account")
        for name in ("Gone", "Played"):
            Account(server.url).guest(name)
        assert '"Played"' in server.record(over) or " Played" in server.record(over), server.record(over)
        same(rows(server, "SELECT count(*) FROM user WHERE name = 'Gone'"), [(1,)], "the rows of that name")
        server.record(open_table)


@claim
def clearing_many_goes_on_a_few_at_a_time():
    with Server() as server:
        with stopped(server) as database:
            database.executemany("INSERT INTO user VALUES(?, ?, ?, '', 1, 1)",
                                 [(number, f"Old {number}", f"old{number}") for number in range(1, 231)])
        eventually(lambda: server.figures()["gral_guests_cleared_total"] == 230, "all of them cleared", 2 * FAR)
        same(rows(server, "SELECT count(*) FROM user"), [(0,)], "who is left")


@claim
def a_session_a_token_and_a_device_end_when_they_are_not_used():
    with Server() as server:
        def make(name):
            person = Account(server.url)
            person.register(name, PASSWORD)
            return person, Account(server.url, person.ask("POST", "/api/token", {"label": "x"})["token"])

        old, old_program = make("Old one")
        new, new_program = make("New one")
        with stopped(server) as database:
            for sort, days in enumerate((91, 366, 91)):
                set_back(database, "Old one", days, "session", sort)
                set_back(database, "New one", days - 2, "session", sort)
        for person in (old, old_program):
            same(person.request("GET", "/api/me")[0], 401, "the status for one not used for so long")
            with contextlib.closing(Person(server, "", person)) as client:
                same(client.hello["name"], None)
        for person in (new, new_program):
            same(person.ask("GET", "/api/me")["name"], "New one")
        question = "SELECT count(*) FROM session JOIN user ON user.id = user WHERE name = 'Old one'"
        eventually(lambda: rows(server, question) == [(0,)], "the rows gone")
        assert rows(server, "SELECT min(seen) FROM session WHERE token < 2")[0][0] > (time.time() - 60) * 1000, \
            "a session that was used is not noted as used"


@claim
def a_token_ends_when_its_time_has_come_and_so_do_its_connections():
    with Server("--idle", "600") as server:
        person = Account(server.url)
        person.guest("Ending")
        programs = [Account(server.url, person.ask("POST", "/api/token", {"label": label})["token"]) for label in "abc"]
        with stopped(server) as database:
            now = int(time.time() * 1000)
            database.execute("UPDATE session SET ends = ? WHERE label = 'a'", (now - 1,))
            database.execute("UPDATE session SET ends = ? WHERE label = 'b'", (now + 20000,))
        clients = [Person(server, "", program) for program in programs]
        same([client.hello["name"] for client in clients], [None, "Ending", "Ending"])
        same(programs[0].request("GET", "/api/me")[0], 401, "the status of the one that has ended")
        try:
            while True:
                assert clients[1].socket.receive(2 * FAR) is not None, "its connection stays open"
        except ConnectionError:
            pass
        clients[2].request("lobby")
        same(programs[1].request("GET", "/api/me")[0], 401, "the status of the one that ended meanwhile")
        eventually(lambda: rows(server, "SELECT label FROM session WHERE token = 1") == [("c",)], "the rows gone")


@claim
def a_game_without_a_clock_in_which_nothing_happens_for_a_year_is_closed_whoever_looks():
    with Server("--idle-days", "0", "--solo-days", "0", "--idle", "600") as server:
        still, people = gather(server, 2)
        slow, _ = gather(server, 2, people, clock={"kind": "move", "time": 366 * DAY})
        with stopped(server) as database:
            database.execute("UPDATE log SET time = time - ?", (366 * DAY,))
            database.execute("UPDATE game SET created = created - ?", (366 * DAY,))
        watcher = people[0].again()
        for name in (still, slow):
            watcher.watch(name)
        watcher.expect(lambda: watcher.tables[still].stage == "over", "the still game is closed", 2 * FAR)
        assert {"ended": "abandoned"} in watcher.tables[still].happened
        same(watcher.tables[slow].stage, "playing", "the stage of the game with a clock")


@claim
def old_reports_and_acts_go():
    with Server() as server:
        with stopped(server) as database:
            now = int(time.time() * 1000)
            for age in (366, 364):
                database.execute("INSERT INTO audit(time, text) VALUES(?, 'x')", (now - age * DAY,))
                database.execute("INSERT INTO report(time, user, accused, game, reason, talk) VALUES(?, 1, 2, 'a', 'b', 'c')",
                                 (now - age * DAY,))
        for table in ("audit", "report"):
            eventually(lambda: rows(server, f"SELECT count(*) FROM {table}") == [(1,)], f"the old {table} gone")


@claim
def the_use_of_a_session_is_noted_once_a_day():
    with Server() as server:
        person = Person(server, "Daily")
        with stopped(server) as database:
            set_back(database, "Daily", 2)
            set_back(database, "Daily", 2, "session", 0)
        with contextlib.closing(person.again()) as client:
            same(client.hello["name"], "Daily")
        eventually(lambda: rows(server, "SELECT seen FROM user")[0][0] > (time.time() - 60) * 1000, "it is noted")
        writes = server.figures()["gral_commit_writes_total"]
        for _ in range(5):
            person.again().close()
            same(person.account.request("GET", "/api/me")[0], 200)
        assert server.figures()["gral_commit_writes_total"] - writes <= 2, "every use is written"


if __name__ == "__main__":
    run_claims(SERVER)
