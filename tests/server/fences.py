"""Fences that somebody has once climbed over: other people's seats, secrets in times and ids, clocks, floods, and
what a stop in the wrong moment leaves behind."""
import base64
import collections
import hashlib
import http.client
import json
import os
import resource
import struct
import threading
import time

from harness import (FAR, Person, Server, Servers, Skipped, about_time, answers, at_once, claim, eventually, gather,
                     open_quietly, run_claims, same, send, serve, words)
from online_player import PAWNS, Refused

SERVER = serve("--thinkers", "1")
SOON = FAR / 2  # seconds: long for a busy machine, short for somebody who waits for a flood to end


def as_guest(server, path, body, account):
    """A request that is sent and not waited for."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=FAR)
    connection.request("POST", path, json.dumps(body), account.headers())
    return connection


def try_until_stored(person, do, **members):
    """The answer, as soon as the disk takes it."""
    end = time.monotonic() + FAR
    while True:
        try:
            return person.request(do, **members)
        except Refused as refusal:
            same(refusal.word, "storage")
            assert time.monotonic() < end, "it does not go on when there is room"
            time.sleep(0.1)


# --- seats ------------------------------------------------------------------------------------------------------------

THEFT = [("act", {"version": 0, "actions": ["place 10 T1", "done"]}), ("talk", {"text": "I am Cid"}), ("draw", {}),
         ("resign", {})]


def must_be_untouched(cid, name):
    """Nobody but Cid has done anything on the second seat since he took it."""
    table = cid.watch(name)
    same(table.seats[1], {"name": cid.name, "present": True}, "his seat")
    same((table.you["seat"], table.you["asked"], sum(table.you["influence"])), (2, True, 0), "his game")
    since = len(table.happened) - table.happened[::-1].index({"seat": 2, "sat": True})
    same([entry for entry in table.happened[since:] if entry.get("seat") == 2], [], "what he is said to have done")


@claim
def who_has_left_a_seat_does_nothing_for_whoever_sits_there_now():
    name, (bob, ann) = gather(SERVER, 2, players=3, watch=False)
    ann.request("rise", table=name)
    cid = Person(SERVER)
    cid.request("sit", table=name, seat=2)
    Person(SERVER).request("sit", table=name, seat=3)
    for do, members in THEFT:
        same(ann.refused(do, table=name, **members), "seat", f"the answer to {do}")
    must_be_untouched(cid, name)


@claim
def requests_that_waited_while_the_seat_changed_hands_are_not_done():
    waited = 0
    for _ in range(4):
        name, (bob, ann) = gather(SERVER, 2, players=3, watch=False)
        cid, dora, elsewhere = Person(SERVER), Person(SERVER), ann.again()
        with at_once(SERVER):
            leaving = [send(ann, "talk", table=name, text=f"{number}") for number in range(3)]
            leaving.append(send(ann, "rise", table=name))
            sitting = send(cid, "sit", table=name, seat=2)
            beginning = send(dora, "sit", table=name, seat=3)
            theft = [send(elsewhere, do, table=name, **members) for do, members in THEFT]
        same(words(ann, leaving), ["ok"] * 4)
        if words(cid, [sitting]) + words(dora, [beginning]) != ["ok", "ok"]:
            continue  # read in another order: Ann had not left yet
        waited += words(elsewhere, theft) == ["seat"] * len(theft)
        must_be_untouched(cid, name)
    assert waited > 0 or isinstance(SERVER, Servers), "Ann's requests were always read before she got up: this has tested nothing"


@claim
def who_sits_down_while_the_last_one_leaves_has_a_table():
    for _ in range(4):
        ann, bob = Person(SERVER), Person(SERVER)
        name = ann.create(players=2)
        with at_once(SERVER):
            leaving = [send(ann, "talk", table=name, text="x"), send(ann, "rise", table=name)]
            sitting = send(bob, "sit", table=name, seat=2)
        left = words(ann, leaving)
        if isinstance(SERVER, Servers) and left == ["ok", "begun"]:
            continue  # they were on two, and Bob was there first
        same(left, ["ok", "ok"])
        if words(bob, [sitting]) == ["ok"]:
            Person(SERVER).request("sit", table=name)
            same(bob.watch(name).stage, "playing")


@claim
def who_has_sat_down_but_not_looked_yet_is_not_absent():
    ann, bob, cid = Person(SERVER), Person(SERVER), Person(SERVER)
    name = ann.create(players=3)
    bob.request("sit", table=name)
    cid.sit_at(name)
    same(cid.refused("replace", table=name, seat=2), "present")


@claim
def who_has_made_a_table_but_not_looked_yet_is_not_absent():
    ann, bob = Person(SERVER), Person(SERVER)
    name = ann.create(players=2)
    bob.sit_at(name)
    same(bob.refused("replace", table=name, seat=1), "present")


@claim
def an_account_deleted_as_its_game_begins_leaves_no_seat_that_nobody_can_free():
    for kill in (False, True):
        people = [(Person(SERVER), Person(SERVER)) for _ in range(3)]
        tables = [ann.create(players=2, first=2) for ann, _ in people]
        sitting, deleting = [], []
        with at_once(SERVER):
            for (ann, bob), name in zip(people, tables):
                for number in range(7):
                    send(ann, "talk", table=name, text=f"{number}")
                sitting.append(send(bob, "sit", table=name))
                deleting.append(as_guest(SERVER, "/api/delete", {"name": ann.name}, ann.account))
        late = set()  # on another server than Ann he may come when she has gone and the table with her
        for (ann, bob), name, sit, delete in zip(people, tables, sitting, deleting):
            same(delete.getresponse().status, 200, "the status of the deletion")
            delete.close()
            if not kill:
                word, = words(bob, [sit])
                assert word == "ok" or (word == "over" and isinstance(SERVER, Servers)), f"the answer is {word}"
                late |= {name} if word == "over" else set()
        if kill:
            SERVER.restart(kill=True)
        for (ann, bob), name in zip(people, tables):
            bob = bob.again()
            if name in late:
                continue
            try:
                table = bob.watch(name)
            except Refused as refusal:
                same(refusal.word, "table")
                continue
            if table.you.get("seat") is None:
                assert kill, f"Bob's seat is lost: {table.seats}"
                continue  # he was not answered
            if table.stage == "playing":
                bob.do(name, "done")
                bob.asked_at(name)
                same(table.view["phase"], "turn", "how far it has come")
            else:
                other = 3 - table.you["seat"]  # Ann's, or where she has left it before he came to it, the second
                bob.expect(lambda: not {"name", "computer"} & (table.seats[other - 1] or {}).keys(), "a free seat")
                Person(SERVER).request("sit", table=name, seat=other)


@claim
def who_has_deleted_his_account_does_not_sit_down_afterwards():
    ann, bob = Person(SERVER), Person(SERVER)
    name = ann.create(players=2)
    connection = as_guest(SERVER, "/api/delete", {"name": bob.name}, bob.account)
    same(connection.getresponse().status, 200)
    connection.close()
    try:
        word = bob.refused("sit", table=name)
    except ConnectionError:
        word = "hung up"
    # Another server hears of it a moment later, and does not let him sit either.
    assert word in ("who", "hung up") or (word == "seat" and isinstance(SERVER, Servers)), f"the answer is {word}"
    same(ann.watch(name).stage, "gathering")


@claim
def an_account_deleted_while_its_owner_sits_down_leaves_no_seat_that_nobody_can_free():
    for _ in range(3):
        ann, bob = Person(SERVER), Person(SERVER)
        name = ann.create(players=2, first=1)
        with at_once(SERVER):
            delete = as_guest(SERVER, "/api/delete", {"name": bob.name}, bob.account)
            for number in range(6):
                send(ann, "talk", table=name, text=f"{number}")
            send(bob, "sit", table=name)
        same(delete.getresponse().status, 200, "the status of the deletion")
        delete.close()
        ann.request("talk", table=name, text="after all of that")
        table = ann.watch(name)
        if table.stage == "gathering":
            Person(SERVER).request("sit", table=name)
        else:
            ann.expect(lambda: table.seats[1].get("computer"), f"a player in {table.seats[1]}", SOON)


@claim
def an_account_that_is_being_deleted_takes_no_seat_and_no_table_with_it():
    """However the deletion meets the request: before it, in one group with it, or after it."""
    ann = Person(SERVER)
    before = SERVER.figures()["gral_tables"]
    tables = []
    for delay in [0, 1, 2, 3] * 4:
        bob = Person(SERVER)
        tables.append(ann.create(players=3))
        delete = as_guest(SERVER, "/api/delete", {"name": bob.name}, bob.account)
        time.sleep(delay / 1000)
        try:
            send(bob, "sit", table=tables[-1])
            send(bob, "create", players=2)
        except ConnectionError:
            pass  # he is gone already
        same(delete.getresponse().status, 200, "the status of the deletion")
        delete.close()
    for name in tables:
        table = ann.watch(name)
        ann.expect(lambda: table.seats[1:] == [None, None], f"free seats in {table.seats}", SOON)
    eventually(lambda: SERVER.figures()["gral_tables"] == before + len(tables), "Ann's tables alone", SOON)
    for name in tables:
        ann.request("rise", table=name)


# --- what times and ids tell ------------------------------------------------------------------------------------------

PACE = 100  # milliseconds; each of them thinks for six tenths of it
PROPOSALS = ["step T1 a2", "step A1 e2", "step I1 e4", "step R1 a4"]
COMPUTERS = [{"seat": seat, "level": 3} for seat in (2, 3, 4, 5)]


def one_proposal(ann, proposal):
    """A game up to the end of the round after Ann's first proposal: (whether one of the computer players before the
    last could object, how many paces it took)."""
    name, _ = gather(SERVER, 1, [ann], players=5, first=1, pace=PACE, listed=False, computers=COMPUTERS)
    table = ann.tables[name]
    ann.do(name, "done")
    ann.asked_at(name)
    version = table.version + 1
    begin = time.monotonic()
    ann.act(table, [proposal])
    ann.expect(lambda: table.version > version, "the end of the round")
    paces = int(1000 * (time.monotonic() - begin) / PACE)  # whole ones: late is later within one, too
    ann.request("draw", table=name)
    ann.expect(lambda: table.stage == "over")
    pawn = PAWNS.index(proposal.split()[1])
    held = any(sheet[pawn] > 0 for sheet in table.view["sheets"][1:-1])
    ann.request("unwatch", table=name)
    del ann.tables[name]
    return held, paces


@about_time
@claim
def the_times_of_computer_players_who_share_a_thread_tell_nothing_of_what_they_hold_R10_2():
    ann = Person(SERVER)
    paces = {True: [], False: []}
    for number in range(40):
        held, taken = one_proposal(ann, PROPOSALS[number % len(PROPOSALS)])
        paces[held].append(taken)
        if min(map(len, paces.values())) >= 4 and min(paces[True]) == min(paces[False]):
            break
    assert all(paces.values()), f"always the same case: {paces}"
    # A busy machine is late now and then, but never early.
    same(min(paces[True]), min(paces[False]), f"the paces, when somebody could object ({paces}): the least")


def finish(people, **terms):
    name, _ = gather(SERVER, len(people), people, **terms)
    for person in people:
        person.request("draw", table=name)
    for person in people:
        person.expect(lambda: person.tables[name].stage == "over")
    return name


def guesses(old):
    """What somebody who knows the public id of a table may take for the id of its rematch."""
    for number in range(3):
        for text in (b"rematch", b"rematch\0", b"rematch\0" + struct.pack("<Q", number), b"rematch%d" % number):
            for key in (old.encode(), base64.urlsafe_b64decode(old + "=="), b""):
                for said in (text, old.encode() + text):
                    digest = hashlib.blake2b(said, key=key, digest_size=16).digest()
                    yield base64.urlsafe_b64encode(digest).decode().rstrip("=")


@claim
def a_rematch_is_found_by_its_players_alone():
    ann, bob, eve = (Person(SERVER) for _ in range(3))
    old = finish([ann, bob])
    eve.watch(old)
    following = ann.request("rematch", table=old)["table"]
    bob.expect(lambda: {"push": "rematch", "table": old, "next": following} in bob.pushes, "the news of the rematch")
    eve.sync()
    assert not any(following in frame for frame in eve.socket.frames), "a spectator is told of it"
    assert following not in SERVER.record(old), "the record tells it"
    assert following not in guesses(old), "it follows from the old id"
    assert following not in [row["table"] for row in eve.request("lobby")["tables"]], "it is listed"
    same(eve.refused("rematch", table=old), "seat")
    same(bob.request("rematch", table=old)["table"], following)
    same([person.watch(following).you["seat"] for person in (ann, bob)], [1, 2], "their seats")


def give_up_and_find_again(watched):
    ann, bob = Person(SERVER), Person(SERVER)
    old = finish([ann, bob], listed=False)
    if not watched:
        for person in (ann, bob):
            person.request("unwatch", table=old)
    given_up = []
    for _ in range(2):
        following = ann.request("rematch", table=old)["table"]
        assert following not in given_up, "the table that was given up is found again"
        table = ann.watch(following)
        ann.request("rise", table=following)
        ann.expect(lambda: table.stage == "over", "the end of the table")
        ann.request("unwatch", table=following)
        given_up.append(following)
    following = bob.request("rematch", table=old)["table"]
    assert following not in given_up, "the table that was given up is found again"
    same(ann.request("rematch", table=old)["table"], following, "what Ann finds")
    same([person.watch(following).you["seat"] for person in (ann, bob)], [1, 2], "their seats")


@claim
def a_rematch_that_was_given_up_can_be_had_again():
    give_up_and_find_again(watched=True)


@claim
def a_rematch_that_was_given_up_can_be_had_again_when_nobody_looks_at_the_old_table():
    give_up_and_find_again(watched=False)


def status_of(server, path, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=FAR)
    connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    status = connection.getresponse().status
    connection.close()
    return status


@claim
def the_figures_of_the_server_are_for_its_own_machine():
    same(status_of(SERVER, "/metrics"), 200)
    same(status_of(SERVER, "/metrics", X_Forwarded_For="203.0.113.7"), 200, "without a proxy the header counts; it")
    with Server("--behind-proxy") as server:
        for address in ("203.0.113.7", "127.0.0.1, 203.0.113.7", "2001:db8::7", "::1, 2001:db8::7", "203.0.113.7 ",
                        "127.0.0.1,\t203.0.113.7", "203.0.113.7:4711", "[2001:db8::7]:4711", "unknown", "127.0.0.1,"):
            same(status_of(server, "/metrics", X_Forwarded_For=address), 404, f"the status for {address}")
        same(status_of(server, "/healthz", X_Forwarded_For="203.0.113.7"), 200)
        same(status_of(server, "/metrics"), 200, "the status for the machine itself")


@claim
def a_new_name_is_told_to_those_who_watch():
    name, (ann, bob) = gather(SERVER, 2)
    eve = Person(SERVER)
    eve.watch(name)
    bob.account.register("Sir Bob of Elsewhere", "a long password")
    for person in (ann, eve):
        person.expect(lambda: person.tables[name].seats[1]["name"] == "Sir Bob of Elsewhere", "the new name",
                      SOON)


# --- clocks and the disk ----------------------------------------------------------------------------------------------

DAY = 24 * 3600 * 1000
LONGEST = [{"kind": "move", "time": 366 * DAY},
           {"kind": "bank", "time": 366 * DAY, "increment": 30 * DAY, "answer": 30 * DAY}]


@claim
def a_clock_is_at_most_so_long_that_the_game_can_be_read_again():
    ann, bob = Person(SERVER), Person(SERVER)
    for clock in LONGEST:
        for part in clock.keys() - {"kind"}:
            same(ann.refused("create", players=2, clock={**clock, part: clock[part] + 1}), "member",
                 f"the answer to a longer {part}")
    tables = [gather(SERVER, 2, [ann, bob], first=1, clock=clock)[0] for clock in LONGEST]
    for name in tables:
        open_quietly([ann, bob], name)
    SERVER.restart(kill=True)
    again = ann.again()
    for name, clock in zip(tables, LONGEST):
        same(again.watch(name).terms["clock"], clock)
        again.do(name, "step T1 b1")


@claim
def nobody_is_late_for_the_time_in_which_nothing_could_be_stored():
    if isinstance(SERVER, Servers):
        raise Skipped("the disk is the database's")
    with Server() as server:
        def limit(size):
            hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)[1]
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, hard))

        name, (ann, bob) = gather(server, 2, first=1, clock={"kind": "move", "time": 6000})
        open_quietly([ann, bob], name)
        limit(os.path.getsize(f"{server.database}-wal"))
        same(ann.refused("act", table=name, version=ann.tables[name].version, actions=["step T1 b1"]), "storage")
        time.sleep(6.3)
        limit(resource.RLIM_INFINITY)
        time.sleep(1.3)  # whatever has waited for room is done now, and a new time has not run out
        try_until_stored(ann, "act", table=name, version=ann.tables[name].version, actions=["step T1 b1"])
        for person in (ann, bob):
            person.expect(lambda: {"seat": 1, "action": "step T1 b1"} in person.tables[name].happened)
            late = [entry for entry in person.tables[name].happened if "late" in entry]
            same(late, [], "who was late")


# --- floods -----------------------------------------------------------------------------------------------------------


def frames(count, **members):
    """Many requests as the bytes of one write; their ids are their numbers."""
    whole = bytearray()
    for number in range(count):
        payload = json.dumps({"id": f"{number}", **members}).encode()
        assert len(payload) < 126
        whole += bytes([0x81, 0x80 | len(payload)]) + b"\0\0\0\0" + payload  # masked with nothing
    return bytes(whole)


class Flood(threading.Thread):
    """Somebody who sends all that and reads the answers only because he must."""

    def __init__(self, person, data, repeat=False):
        super().__init__(daemon=True)
        self.socket, self.data, self.repeat = person.socket, data, repeat
        self.socket.socket.settimeout(FAR)
        self.answers = []
        self.reader = threading.Thread(target=self.read, daemon=True)

    def run(self):
        self.reader.start()
        try:
            self.socket.socket.sendall(self.data)
            while self.repeat:
                self.socket.socket.sendall(self.data)
        except OSError:
            pass

    def read(self):
        try:
            while self.repeat:
                if not self.socket.socket.recv(1 << 16):
                    return
            while True:
                message = json.loads(self.socket.receive(FAR))
                if "push" not in message:
                    self.answers.append(message)
        except (OSError, TypeError):
            pass


@claim
def a_flood_of_talk_does_not_keep_the_other_from_his_move():
    name, (ann, bob) = gather(SERVER, 2, first=1, watch=False)
    ann.watch(name)
    for person in (ann, bob):
        person.request("act", table=name, version=0, actions=["done"])
    ann.asked_at(name)
    count = 3000
    flood = Flood(bob.again(), frames(count, do="talk", table=name, text="x"))
    flood.start()
    eventually(lambda: flood.answers, "the first answer")
    begin = time.monotonic()
    ann.act(ann.tables[name], ["step T1 b1"])
    waited = time.monotonic() - begin
    assert waited < SOON, f"she has waited for {waited:.1f} s"
    eventually(lambda: len(flood.answers) == count, "an answer to everything")
    same({answer.get("re") for answer in flood.answers}, {f"{number}" for number in range(count)}, "what was answered")
    same({answer.get("error", "ok") for answer in flood.answers}, {"ok", "rate"}, "the answers")
    table = bob.watch(name)
    same(len([entry for entry in table.happened if "talk" in entry]),
         len([answer for answer in flood.answers if "ok" in answer]), "what was said")


@claim
def a_refusal_for_being_too_fast_says_which_request_it_was():
    with Server("--rate", "1", hasty=False) as server:
        person = Person(server)
        requests = [send(person, "dance") for _ in range(24)]
        got = words(person, requests)
        same(set(got), {"request", "rate"}, "the answers")
        assert got.count("request") >= 10, f"not ten at once: {got}"


@claim
def much_talk_does_not_shut_out_who_comes_with_a_new_device():
    with Server("--queue-max", "200000") as server:
        name, people = gather(server, 2, watch=False)
        said = collections.Counter()
        for start in range(0, 600, 12):
            texts = [f"{number} ".ljust(490, "x") for number in range(start, start + 12)]
            sent = [send(people[number % 2], "talk", table=name, text=text) for number, text in enumerate(texts)]
            for side in (0, 1):
                said.update(words(people[side], sent[side::2]))
        assert said["ok"] > 100, f"answered: {said}"
        table = people[0].again().watch(name)
        same(len([entry for entry in table.happened if "talk" in entry]), said["ok"], "what she hears")


@claim
def many_tables_of_one_person_do_not_hide_a_new_one():
    crowd, newcomer = Person(SERVER), Person(SERVER)
    played = [{"seat": 2, "level": 1}]
    for number in range(250):
        crowd.create(players=2, computers=played if number % 2 else [])
    name = newcomer.create(players=2)

    def is_listed(viewer):
        return name in [row["table"] for row in viewer.request("lobby")["tables"]]
    for viewer in (newcomer, crowd):
        eventually(lambda: is_listed(viewer), "the new table is listed, on another server once that has heard of it")
    SERVER.restart(kill=True)
    newcomer = newcomer.again()
    eventually(lambda: is_listed(newcomer), "it still is")


@claim
def the_limit_of_tables_holds_for_requests_that_come_all_at_once():
    limit = 5
    with Server("--tables-per-user", str(limit)) as server:
        makers = [Person(server) for _ in range(3)]
        tables = [maker.create(players=3) for maker in makers for _ in range(limit)]
        greedy, sitter = Person(server), Person(server)
        with at_once(server):
            created = [send(greedy, "create", players=2) for _ in range(4 * limit)]
            sat = [send(sitter, "sit", table=name) for name in tables]
        same(collections.Counter(words(greedy, created)), {"ok": limit, "many": 3 * limit}, "the tables he has made")
        same(collections.Counter(words(sitter, sat)), {"ok": limit, "many": 2 * limit}, "the seats he has")
        # What came to nothing is not counted, what was given up neither.
        own = [row["table"] for row in sitter.request("lobby")["own"]]
        sitter.request("rise", table=own[0])
        for _ in range(2 * limit):
            same(sitter.refused("sit", table=tables[-1], seat=1), "taken")
        sitter.create(players=2)
        same(sitter.refused("create", players=2), "many")


@claim
def the_limit_of_tables_holds_for_rematches_that_come_all_at_once():
    limit = 2
    with Server("--tables-per-user", str(limit)) as server:
        ann, over = Person(server), []
        for _ in range(3 * limit):
            name, people = gather(server, 2, [ann, Person(server)], watch=False)
            for person in people:
                person.request("draw", table=name)
            over.append(name)
        with at_once(server):
            wanted = [send(ann, "rematch", table=name) for name in over]
        same(collections.Counter(words(ann, wanted)), {"ok": limit, "many": 2 * limit}, "the tables she has")


@claim
def tables_of_computers_that_nobody_looks_at_do_not_stop_a_computer_elsewhere():
    crowd, ann = Person(SERVER), Person(SERVER)
    pace = 1000
    computers = [{"seat": seat, "level": 5} for seat in range(2, 13)]
    for _ in range(20):
        name = crowd.create(players=12, first=2, pace=pace, listed=False, computers=computers)
        crowd.request("act", table=name, version=0, actions=["done"])
    time.sleep(1.5 * pace / 1000)  # if they did open, they would now be thinking about their first turns
    begin = time.monotonic()
    name, _ = gather(SERVER, 1, [ann], players=2, first=2, computers=[{"seat": 2, "level": 1}])
    ann.do(name, "done")
    ann.expect(lambda: ann.tables[name].version > 2, "the computer's turn")
    waited = time.monotonic() - begin
    assert waited < SOON, f"the computer has taken {waited:.1f} s"


@claim
def a_server_under_load_stops_when_told():
    with Server() as server:
        people = [Person(server) for _ in range(6)]
        floods = [Flood(person, frames(200, do="talk", table=person.create(players=2), text="x"), repeat=True)
                  for person in people]
        for flood in floods:
            flood.start()
        before = server.figures()["gral_inputs_total"]
        eventually(lambda: server.figures()["gral_inputs_total"] > before + 100, "the load")
        begin = time.monotonic()
        server.stop()
        took = time.monotonic() - begin
        assert took < SOON, f"it has taken {took:.1f} s"
        server.start()
        for person in people:
            same(len(person.again().request("lobby")["own"]), 1, "the tables he has")


if __name__ == "__main__":
    run_claims(SERVER)
