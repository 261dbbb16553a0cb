"""A table in the middle of a room: a screen that is nobody, phones that come by a code, and who is told where the server
is."""
import http.client
import json
import os
import re
import subprocess
import urllib.parse

from harness import GRAL, Person, Server, Skipped, claim, run_claims, same
from online_player import Account

SERVER = Server()
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"


class Screen(Person):
    """The window on the television, in a browser that may know somebody."""

    def __init__(self, server, account=None):
        super().__init__(server, account=account or Account(server.url))

    def connect(self):
        self.socket = self.WebSocket(self.account.server, "/ws?nobody", self.account.headers())
        self.hello = self._read()


def code_of(screen, table):
    return screen.request("code", table=table)["code"]


def ask(url, path, **headers):
    """(status, headers, body) of a request as it stands, followed nowhere."""
    where = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=30)
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        connection.close()


def leads_to(path, server=SERVER):
    status, headers, _ = ask(server.url, path)
    return status, headers["Location"]


def room_of(count, **terms):
    """A screen, its table and the people who have come by its code."""
    screen = Screen(SERVER)
    table = screen.create(players=count, room=True, **terms)
    screen.watch(table)
    people = [Person(SERVER) for _ in range(count)]
    for person in people:
        person.sit_at(table)
    return screen, table, people


# --- the screen -------------------------------------------------------------------------------------------------------


@claim
def a_screen_opens_a_table_without_a_name_and_takes_no_seat():
    screen = Screen(SERVER)
    table = screen.watch(screen.create(players=4, room=True, computers=[{"seat": 2, "level": 1}]))
    same(table.terms["room"], True)
    same(table.terms["listed"], False, "that it is in the lobby")
    same([seat and list(seat)[0] for seat in table.seats], [None, "computer", None, None])
    assert not table.you or "seat" not in table.you, table.you
    same(screen.refused("create", players=4), "who")
    same(screen.refused("create", players=2, room=True, rated=True, clock={"kind": "move", "time": 60000}), "registered")


@claim
def two_screens_that_order_the_same_get_a_table_each():
    orders = []
    for _ in range(2):
        screen = Screen(SERVER)
        screen._send("a1", "create", players=3, room=True)
        orders.append(screen._read()["table"])
    assert orders[0] != orders[1], orders


@claim
def whoever_is_known_to_the_browser_the_screen_is_nobody_and_is_sent_nothing_of_a_sheet():
    screen = Screen(SERVER)
    table = screen.create(players=2, room=True)
    ann, bob = Person(SERVER), Person(SERVER)
    for person in (ann, bob):
        person.sit_at(table)
    hers = Screen(SERVER, ann.account)
    same(hers.hello["name"], None)
    for one in (screen, hers):
        one.watch(table)
    ann.do(table, "place 10 T1", "done")
    bob.do(table, "place 5 A1", "done")
    for one in (screen, hers):
        one.expect(lambda: one.tables[table].view and one.tables[table].view["phase"] == "turn", "the first turn")
        one.sync()
        told = [json.loads(frame) for frame in one.socket.frames]
        assert not [message for message in told if message.get("you")], told
        assert "place" not in "".join(one.socket.frames), "a placement was told"
    ann.expect(lambda: ann.tables[table].you["influence"][0] == 10, "what she has placed")


@claim
def the_first_who_sits_is_the_host_and_other_terms_leave_it_a_room():
    screen = Screen(SERVER)
    table = screen.create(players=3, room=True)
    ann = Person(SERVER)
    same(ann.sit_at(table).seats[0].get("host"), True)
    ann.request("terms", table=table, players=4, listed=True)
    ann.expect(lambda: len(ann.tables[table].seats) == 4, "the other terms")
    same([ann.tables[table].terms[term] for term in ("room", "listed")], [True, False])


# --- the code ---------------------------------------------------------------------------------------------------------


@claim
def five_letters_lead_to_the_table_in_upper_and_lower_case():
    screen = Screen(SERVER)
    table = screen.create(players=2, room=True)
    code = code_of(screen, table)
    assert re.fullmatch(f"[{LETTERS}]{{5}}", code), code
    same(code_of(Person(SERVER), table), code, "the code that somebody else is told")
    same(leads_to("/" + code), (302, f"/#/t/{table}"))
    same(leads_to("/" + code.lower()), (302, f"/#/t/{table}"))


@claim
def a_wrong_code_leads_to_no_table_and_only_rooms_have_one():
    same(leads_to("/zzzzz"), (302, "/#/t/zzzzz"))
    same(leads_to("/BCDFGH")[0], 404)
    same(leads_to("/BCDF")[0], 404)
    person = Person(SERVER)
    same(person.refused("code", table=person.create(players=2)), "room")


@claim
def whoever_tries_codes_is_stopped():
    with Server(hasty=False) as server:
        screen = Screen(server)
        code = code_of(screen, screen.create(players=2, room=True))
        same(leads_to("/" + code, server)[0], 302, "the status for one who knows it")
        tries = [leads_to("/ZZZZZ", server)[0] for _ in range(40)]
        assert tries.count(302) < 30 and tries[-1] == 429, tries


# --- once more --------------------------------------------------------------------------------------------------------


def end(table, people):
    for person in people:
        person.request("draw", table=table)


@claim
def a_screen_is_told_of_the_rematch_and_the_code_leads_there():
    screen, table, people = room_of(2)
    code = code_of(screen, table)
    end(table, people)
    following = people[0].request("rematch", table=table)["table"]
    screen.expect(lambda: {"push": "rematch", "table": table, "next": following} in screen.pushes, "the rematch")
    same(leads_to("/" + code), (302, f"/#/t/{following}"))
    same(code_of(screen, following), code, "the code of the next game")
    same(people[1].request("rematch", table=table)["table"], following)


@claim
def a_screen_asks_for_the_rematch_and_all_have_their_seats_there():
    screen, table, people = room_of(3)
    same(screen.refused("rematch", table=table), "not-over")
    end(table, people)
    following = screen.request("rematch", table=table)["table"]
    for person in people:
        person.expect(lambda: {"push": "rematch", "table": table, "next": following} in person.pushes, "the rematch")
    same(screen.watch(following).seats, [None] * 3)
    for person in reversed(people):
        same(person.request("rematch", table=table)["table"], following)
    screen.expect(lambda: screen.tables[following].stage == "playing", "the next game")
    same([seat["name"] for seat in screen.tables[following].seats], [person.name for person in people])


# --- where the server is ----------------------------------------------------------------------------------------------


class Wide:
    """A server that listens on these addresses, and what it prints."""

    def __init__(self, *options):
        self.process = subprocess.Popen([GRAL, "serve", "--port", "0", "--database", "memory", *options],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        env={**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": ""})

    def __enter__(self):
        """It prints all of them at once."""
        printed = self.process.stdout.raw.read(4096).decode()
        self.printed = re.findall(r"^gral serve: (\S+)$", printed, re.MULTILINE)
        self.port = urllib.parse.urlsplit(self.printed[0]).port
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)
        self.process.stdout.close()

    def addresses(self, host="127.0.0.1", **headers):
        return ask(f"http://{host}:{self.port}/", "/api/addresses", **headers)


def own_address():
    """One by which others could reach this machine."""
    with Wide("--address", "*") as wide:
        found = [urllib.parse.urlsplit(url).hostname for url in wide.printed[1:]]
    if not found:
        raise Skipped("this machine is in no network")
    return found[0]


@claim
def it_says_on_which_addresses_it_can_be_reached_and_can_be():
    own_address()
    for options in (["--address", "*"], ["--room"]):
        with Wide(*options) as wide:
            same(wide.printed[0], f"http://localhost:{wide.port}/")
            status, _, text = wide.addresses()
            same((status, json.loads(text)), (200, {"addresses": wide.printed[1:]}))
            for url in wide.printed[1:]:
                assert urllib.parse.urlsplit(url).hostname not in ("127.0.0.1", "::1", "0.0.0.0", "::"), url
                same(ask(url, "/healthz")[0], 200, f"the status at {url}")


@claim
def one_that_listens_to_its_machine_only_has_no_address_to_tell():
    for options in ([], ["--address", "localhost"], ["--address", "::1"]):
        with Wide(*options) as wide:
            same(len(wide.printed), 1, "how many it prints")
            host = "::1" if "[::1]" in wide.printed[0] else "localhost"
            status, _, text = ask(f"http://{'[::1]' if host == '::1' else host}:{wide.port}/", "/api/addresses")
            same((status, json.loads(text)), (200, {"addresses": []}), f"with {options}")


@claim
def one_that_listens_on_one_address_tells_that_one():
    own = own_address()
    with Wide("--address", own) as wide:
        same(len(wide.printed), 1, "how many it prints")
        same(wide.addresses(own)[0], 404, "the status for somebody in the network")


@claim
def nobody_but_this_machine_hears_where_it_is():
    own = own_address()
    with Wide("--address", "*") as wide:
        same(wide.addresses(own)[0], 404, "for another machine")
        same(wide.addresses(own, Host="localhost")[0], 404, "for another machine that lies")
        same(wide.addresses(Host="gral.example")[0], 404, "through a tunnel")
        same(wide.addresses(Host=f"localhost.gral.example:{wide.port}")[0], 404, "for a name that begins so")
        same(wide.addresses(Host=f"localhost:{wide.port}")[0], 200, "for its own page")
    with Wide("--address", "*", "--behind-proxy") as wide:
        same(wide.addresses(**{"X-Forwarded-For": "198.51.100.7"})[0], 404, "through a proxy")


run_claims(SERVER)
