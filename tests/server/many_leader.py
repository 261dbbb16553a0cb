"""What only one of several servers does: quick games, tournaments, letters, ratings; and how one of them goes, killed or
stopped in order. Two servers have one database; people are on both of them."""
import contextlib
import json
import pathlib
import random
import signal
import subprocess
import tempfile
import threading
import time

from contests import QUICK, announce, has_begun, meetings, play_through, state
from harness import (FAR, GRAL, POSTGRES, Person, Server, act_at, claim, eventually, gather, must_verify, open_quietly,
                     play_on, pushed, run_claims, same, send)
from online_player import Account
from outside import CERTIFICATE, PASSWORD, Mail, Silence

SITE = "https://gral.example"
DAYS = {"kind": "move", "time": 3 * 86400 * 1000}


class Servers(list):
    """So many servers with one database. Whoever is killed or stopped is not in the list any more."""

    def __init__(self, *options, count=2, **others):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(prefix="gral-many-")
        self.options, self.others = options, others
        for _ in range(count):
            self.add()
        eventually(lambda: all(server.figures()["gral_servers_other"] == len(self) - 1 for server in self), "they know each other")

    def add(self, *options):
        self.append(Server(*self.options, *options, folder=pathlib.Path(self.folder.name), **self.others))
        return self[-1]

    def leader(self):
        """The one that leads, when there is one; and the others."""
        eventually(lambda: sum(server.figures()["gral_leads"] for server in self) == 1, "one leads", 20)
        leads = next(server for server in self if server.figures()["gral_leads"])
        return leads, [server for server in self if server is not leads]

    def lose(self, server):
        self.remove(server)
        server.kill()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        for server in self:
            try:
                if kind is None:
                    server.stop()
                else:
                    print("".join(f"# server: {line.rstrip()}\n" for line in server.errors[-20:]), end="")
            finally:
                server.leave()


class Traveller(Person):
    """Somebody behind a load balancer: when his connection breaks he comes to another server."""

    persists = True

    def __init__(self, servers, server, name=None, account=None):
        self.servers, self.closed_with = servers, []
        super().__init__(server, name, account)

    def connect(self):
        if not any(server.url == self.account.server for server in self.servers):
            self.account.server = random.choice(self.servers).url
        super().connect()

    def lost(self, error):
        self.closed_with.append(str(error))
        super().lost(error)


class Screen(Person):
    """The window on the television."""

    def connect(self):
        self.socket = self.WebSocket(self.account.server, "/ws?nobody", self.account.headers())
        self.hello = self._read()


def member(server, kind=Person, servers=None):
    Person.named += 1
    account = Account(server.url)
    name = f"Member {Person.named}"
    account.register(name, "in the cellar")
    return kind(servers, server, name, account) if kind is Traveller else kind(server, name, account)


def also(server, person):
    """A connection of the same person to this server."""
    account = Account(server.url)
    account.cookie, account.device = person.account.cookie, person.account.device
    return Person(server, person.name, account)


def waiting(*servers):
    return sum(server.figures()["gral_quick_games_waiting"] for server in servers)


def table_of(person):
    return next(push for push in iter(lambda: pushed(person, "quick"), None) if "table" in push)["table"]


SERVERS = Servers("--absent", "1")
ONE, TWO = SERVERS


# --- quick games ------------------------------------------------------------------------------------------------------


@claim
def two_who_want_the_same_on_two_servers_play_at_once():
    for _ in range(3):
        ann, bob = Person(ONE), Person(TWO)
        ann.request("quick", size="2")
        pushed(ann, "quick", people=1, players=2)
        bob.request("quick", size="any")
        name = table_of(ann)
        same(table_of(bob), name, "the table")
        for person in (ann, bob):
            table = person.watch(name)
            same(table.stage, "playing")
            same(sorted(seat["name"] for seat in table.seats), sorted([ann.name, bob.name]))
        same(waiting(ONE, TWO), 0, "who waits")
        open_quietly([ann, bob], name)


@claim
def everybody_hears_how_far_it_is_on_whichever_server():
    people = [Person(server) for server in (ONE, TWO, ONE, TWO)]
    for count, person in enumerate(people[:3], 1):
        person.request("quick", size="4", wait=600)
        for other in people[:count]:
            push = pushed(other, "quick", people=count, players=4)
            assert 0 < push["left"] <= 600000, push
    people[0].request("unquick")
    for other in people[1:3]:
        pushed(other, "quick", people=2, players=4)
    people[1].close()
    pushed(people[2], "quick", people=1, players=4)
    people[2].request("unquick")
    eventually(lambda: waiting(ONE, TWO) == 0, "nobody waits")


@claim
def who_seeks_on_two_servers_seeks_once():
    ann = Person(ONE)
    twice = also(TWO, ann)
    ann.request("quick", size="2", wait=600)
    twice.request("quick", size="2", wait=600)
    eventually(lambda: waiting(ONE, TWO) == 1, "he waits where he asked last")
    same(waiting(TWO), 1, "who waits there")
    ann.close()
    for server in (ONE, TWO):
        other = Person(server)
        other.request("quick", size="3", wait=600)
        pushed(other, "quick", people=1, players=3)
        other.close()
    bob = Person(ONE)
    bob.request("quick", size="2", wait=600)
    same(table_of(bob), table_of(twice), "the table")
    same(len(bob.watch(table_of_own(bob)).seats), 2)
    eventually(lambda: waiting(ONE, TWO) == 0, "nobody waits")


def table_of_own(person):
    return person.request("lobby")["own"][0]["table"]


@claim
def who_has_too_many_tables_gets_no_more_on_another_server():
    with Servers("--tables-per-user", "1", "--rate", "0", hasty=False) as servers:
        ann = Person(servers[0])
        ann.create(players=2)
        twice = also(servers[1], ann)
        same(twice.refused("quick"), "many")
        bob, cleo = Person(servers[0]), Person(servers[1])
        for person in (bob, cleo):
            person.request("quick", size="2")
        same(table_of(bob), table_of(cleo))
        for person in (bob, cleo):
            same(person.refused("quick"), "many")


@claim
def who_waits_keeps_his_place_when_the_leader_is_killed():
    with Servers(count=3) as servers:
        leads, others = servers.leader()
        ann, bob = Person(others[0]), Person(others[1])
        ann.request("quick", size="3", wait=0)
        bob.request("quick", size="4", wait=0)
        lost = Traveller(servers, leads)
        lost.request("quick", size="2", wait=0)
        pushed(ann, "quick", people=1, players=3)
        servers.lose(leads)
        servers.leader()
        same(waiting(*servers), 2, "who waits")
        more = [Person(server) for server in others]
        for person in more:
            person.request("quick", size="3", wait=0)
        name = table_of(ann)
        same(len(ann.watch(name).seats), 3)
        same(waiting(*servers), 1, "who waits")
        bob.request("unquick")
        lost.request("quick", size="2", wait=0)  # as a browser does when it is back
        last = Person(others[0])
        last.request("quick", size="2", wait=0)
        same(table_of(last), table_of(lost), "the table")


@claim
def nobody_is_seated_twice_by_a_leader_that_was_only_slow():
    with Servers(count=2) as servers:
        leads, (other,) = servers.leader()
        ann, bob, cleo = Person(other), Person(other), Person(other)
        ann.request("quick", size="2", wait=0)
        pushed(ann, "quick", people=1, players=2)
        leads.process.send_signal(signal.SIGSTOP)
        asked = send(bob, "quick", size="2", wait=0)
        eventually(lambda: other.figures()["gral_leads"], "the other leads")
        leads.process.send_signal(signal.SIGCONT)
        same(table_of(ann), table_of(bob), "the table")
        servers.leader()
        cleo.request("quick", size="2", wait=0)
        pushed(cleo, "quick", people=1, players=2)
        for person in (ann, bob):
            same(len(person.request("lobby")["own"]), 1, "tables of his own")
        assert asked


# --- tournaments ------------------------------------------------------------------------------------------------------


@claim
def a_tournament_is_the_same_on_both_servers_and_everybody_joins_where_he_is():
    people = [member(ONE)] + [Person(server) for server in (TWO, ONE, TWO)]
    tournament = announce(people[0], people=8, title="Here and there")
    for person in people[1:]:
        eventually(lambda person=person: any(row["tournament"] == tournament for row in
                                             person.request("tournaments", on=True)["tournaments"]), "it is announced")
    for _ in range(5):  # at the same moment
        asked = [send(person, "join", tournament=tournament) for person in people[1:]]
        for person, name in zip(people[1:], asked):
            person.expect(lambda person=person, name=name: any(json.loads(frame).get("re") == name for frame in person.socket.frames),
                          "an answer")
            answer = next(json.loads(frame) for frame in person.socket.frames if json.loads(frame).get("re") == name)
            same(answer.get("ok"), True, f"the answer {answer}")
        eventually(lambda: all(len([one for one in state(person, tournament)["entrants"] if "left" not in one]) == 4
                               for person in people), "four are in it")
        for person in people[1:]:
            person.request("leave", tournament=tournament)
        eventually(lambda: all(len([one for one in state(person, tournament)["entrants"] if "left" not in one]) == 1
                               for person in people), "one is in it")
    subprocess.run([GRAL, "admin", "--database", str(ONE.database), "--", "cancel", tournament], check=True, timeout=FAR)
    for person in people:
        eventually(lambda person=person: state(person, tournament)["stage"] == "off", "it is off")


@claim
def a_tournament_goes_on_although_the_leader_is_killed_in_the_middle_of_a_round():
    with Servers("--absent", "5") as servers:
        people = [member(servers[number % 2], Traveller, servers) for number in range(5)]
        tournament = announce(people[0], people=5)
        for person in people[1:]:
            eventually(lambda person=person: tournament in str(person.request("tournaments")), "it is announced")
            person.request("join", tournament=tournament)
        eventually(lambda: all(state(person, tournament)["stage"] == "running" for person in people), "a beginning")
        killed = set()

        def kill(told):
            if told["current"] not in killed and has_begun(told, people) and len(killed) < 2:
                killed.add(told["current"])
                leads, _ = servers.leader()
                servers.add()
                servers.lose(leads)

        told = play_through(people, tournament, kill)
        same((told["stage"], told["current"], len(killed)), ("over", 3, 2), "the end")
        met = meetings(told)
        same(len(set(met)), len(met), "nobody has met twice, or had two byes")
        for tables in told["tables"]:
            for table in tables:
                if "table" in table:
                    assert sum(table["points"]) in (0, 12), table
                    must_verify(servers[0].record(table["table"]))
        for person in people:
            eventually(lambda person=person: state(person, tournament) == told, "what everybody knows")


# --- letters ----------------------------------------------------------------------------------------------------------


def mail_options(mail):
    return ["--site", SITE + "/", "--smtp", f"smtp://127.0.0.1:{mail.port}", "--smtp-user", "gral", "--smtp-password",
            str(PASSWORD), "--mail-from", "gral@gral.example", "--authorities", str(CERTIFICATE), "--tell-after", "0",
            "--retry", "1"]


def with_mail(person, mail, name):
    address = f"{name}@mail.example"
    status, _, text = person.account.request("POST", "/api/way/mail", {"mail": address, "language": "en"})
    same(status, 200, f"the status: {text}")
    letter = mail.next_to(address)
    token = letter.text.split(f"{SITE}/#/confirm/")[1].split()[0]
    same(person.account.request("POST", "/api/confirm", {"token": token})[0], 200)
    mail.letters.clear()
    return address


def outbox(server):
    name = str(server.database).split("?")[0].rsplit("/", 1)[1]
    return int(POSTGRES.psql(f"SELECT count(*) FROM gral.letter WHERE state < 2 AND due <= {int(time.time() * 1000)}", name))


@claim
def one_mail_is_sent_once_whoever_has_written_it_and_whoever_leads():
    mail = Mail()
    with Servers(*mail_options(mail)) as servers:
        for number, server in enumerate(servers):
            ann, bob = Person(server), Person(server)
            address = with_mail(bob, mail, f"number{number}")
            gather(server, 2, people=[ann, bob], watch=False, clock=DAYS, first=1)
            mail.next_to(address)
            eventually(lambda: outbox(server) == 0, "nothing is left")
            same(len(mail.to(address)), 1, "letters")
    mail.stop()


@claim
def what_had_not_left_when_the_leader_was_killed_is_sent_once_by_the_next():
    mail = Mail()
    with Servers(*mail_options(mail)) as servers:
        leads, (other,) = servers.leader()
        ann, bob = Person(other), Person(other)
        address = with_mail(bob, mail, "somebody")
        servers.lose(leads)  # the next has no connection to the mail server yet
        servers.add()
        leads, (other,) = servers.leader()
        ann, bob = also(other, ann), also(other, bob)
        mail.stop()
        silent = Silence(mail.port)
        gather(other, 2, people=[ann, bob], watch=False, clock=DAYS, first=1)
        eventually(lambda: silent.guests, "the leader tries")
        servers.lose(leads)
        silent.close()
        mail.start()
        mail.next_to(address)
        servers.leader()
        eventually(lambda: outbox(other) == 0, "nothing is left")
        same(len(mail.to(address)), 1, "letters")
    mail.stop()


# --- ratings, keys, looking after it ----------------------------------------------------------------------------------


@claim
def what_a_game_was_worth_is_told_on_both_servers():
    people = [member(ONE), member(TWO)]
    looker = Person(TWO)
    name, _ = gather(ONE, 2, people=people, rated=True, watch=False, **QUICK)
    for person in (*people, looker):
        person.watch(name)
    play_on(people, name)
    for person in (*people, looker):
        same(len(pushed(person, "rated", table=name)["ratings"]), 2, "ratings")
    for person in people:
        eventually(lambda person=person: person.request("stats", name=person.name)["ratings"], "a rating")


@claim
def a_new_key_of_one_server_is_everybodys():
    with Servers() as servers:
        name, people = gather(servers[0], 2, **QUICK)
        open_quietly(people, name)
        before = servers[0].get("/keys")[2]
        servers.add("--new-key")
        eventually(lambda: servers[0].get("/keys")[2] != before, "the new key is known")
        keys = servers[2].get("/keys")[2].decode()
        for server in servers:
            eventually(lambda server=server: server.get("/keys")[2].decode() == keys, "the same keys")
            record = server.record(name)
            newest = keys.split("\n")[-2].split()
            assert any(word in record for word in newest if len(word) == 64), f"{newest} {record}"
            must_verify(record)


@claim
def whoever_runs_them_asks_one_and_all_follow():
    def admin(*words):
        done = subprocess.run([GRAL, "admin", "--database", str(servers[0].database), "--", *words], capture_output=True,
                              text=True, timeout=FAR)
        same(done.returncode, 0, f"the status of {words}: {done.stderr}")
        return done.stdout
    with Servers() as servers:
        people = [Person(server) for server in servers]
        admin("notice", "We close at ten")
        for person in people:
            same(pushed(person, "notice")["text"], "We close at ten")
        leads, _ = servers.leader()
        servers.lose(leads)
        admin("notice", "Not yet")
        same(pushed(next(person for person in people if person.server in servers), "notice", text="Not yet")["push"], "notice")


@claim
def health_and_figures_say_who_lives_and_leads():
    leads, (other,) = SERVERS.leader()
    same(leads.get("/healthz")[2].decode(), "ok\nleads\n1 other servers\n")
    same(other.get("/healthz")[2].decode(), "ok\nfollows\n1 other servers\n")
    people = [Person(ONE), Person(ONE)]
    before = sum(server.figures()["gral_games_kept"] for server in SERVERS)
    gather(ONE, 2, people=people)
    eventually(lambda: sum(server.figures()["gral_games_kept"] for server in SERVERS) == before + 1, "one more is kept, once")


@claim
def a_rematch_is_told_on_both_servers():
    people = [Person(ONE), Person(TWO)]
    name, _ = gather(ONE, 2, people=people)
    open_quietly(people, name)
    for person in people:
        person.request("draw", table=name)
    for person in people:
        person.expect(lambda person=person: person.tables[name].stage == "over", "the end")
    after = people[0].request("rematch", table=name)["table"]
    for person in people:
        same(pushed(person, "rematch", table=name)["next"], after, "the next game")


@claim
def the_code_of_a_room_leads_there_from_every_server():
    def leads_to(server):
        status, headers, _ = server.get("/" + code)
        return status, headers["Location"]
    screen, other = Screen.nobody(ONE), Screen.nobody(TWO)
    table = screen.create(players=3, room=True)
    code = screen.request("code", table=table)["code"]
    for server in (ONE, TWO):
        eventually(lambda server=server: leads_to(server) == (302, f"/#/t/{table}"), "the way there")
    same(other.request("code", table=table)["code"], code, "the code there")


# --- one goes ---------------------------------------------------------------------------------------------------------


def play_until_over(people, names, chance):
    """Everybody acts wherever he is asked, as long as games are played."""
    acted = {}
    while any(person.tables[name].stage != "over" for name in names for person in people[name]):
        for name in names:
            for person in people[name]:
                act_at(person, name, acted, chance)
        time.sleep(0.001)


@claim
def a_server_that_is_stopped_during_games_loses_nothing_and_everybody_goes_on_elsewhere():
    with Servers("--absent", "30") as servers:
        people, chance = {}, random.Random(3)
        for number in range(6):
            two = [Traveller(servers, servers[(number + seat) % 2]) for seat in range(2)]
            name, two = gather(servers[0], 2, people=two, limit=20, clock={"kind": "move", "time": 60000})
            people[name] = two
        acted = {}
        for _ in range(40):
            for name in people:
                for person in people[name]:
                    act_at(person, name, acted, chance)
        leads, (other,) = servers.leader()
        servers.remove(leads)
        stopping = threading.Thread(target=leads.stop)
        stopping.start()
        play_until_over(people, list(people), chance)
        stopping.join()
        for name in people:
            must_verify(other.record(name))
            for person in people[name]:
                person.sync()  # whoever has finished before may not have noticed
                same(person.account.server, other.url, "where he is")
        closed = [words for two in people.values() for person in two for words in person.closed_with]
        assert sum("1012" in words for words in closed) == 6, closed


@claim
def before_it_goes_a_load_balancer_can_notice():
    with Servers("--drain-seconds", "4") as servers:
        person = Person(servers[0])
        going = servers[0]
        servers.remove(going)
        going.process.send_signal(signal.SIGTERM)
        eventually(lambda: going.get("/healthz")[0] == 503, "it says so")
        assert going.get("/healthz")[2].decode().startswith("this server is about to stop\n")
        person.create(players=2)  # and serves as before
        with contextlib.suppress(ConnectionError):
            while person.socket.receive(FAR) is not None:
                pass
        same(going.process.wait(FAR), 0, "its status")
        going.stop = lambda: None
        eventually(lambda: servers[0].get("/healthz")[2].decode() == "ok\nleads\n0 other servers\n", "the other leads")


if __name__ == "__main__":
    try:
        run_claims()
    finally:
        for server in SERVERS:
            server.stop()
