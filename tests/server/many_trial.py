#!/usr/bin/env python3
"""Three servers, a database with a synchronous standby, and people who play hundreds of games there (evening.py), while
servers are killed, stopped and updated, ways to the database are cut and held up, and the primary dies.

    tests/server/many_trial.py --seconds 600 --seed 7
"""
import argparse
import atexit
import collections
import random
import re
import signal
import sys
import threading
import time

from evening import Evening, Group, Survivor
from harness import Person, Server, Servers, claim, eventually, run_claims, same
from postgres import Postgres, Way, address_of, programs

if programs() is None:
    print("1..0 # SKIP PostgreSQL is not installed")
    sys.exit()
from outside import CERTIFICATE, PASSWORD, Mail  # noqa: E402  (takes a moment)

SHAPES = [(2, 0, 1), (2, 0), (2, 0), (2, 1), (3, 0, 1), (3, 0), (1, 1), (2, 2), (4, 0, 1), (5, 0)]
LONG = {"clock": {"kind": "move", "time": 300000}}   # runs, and never runs out
SHORT = {"clock": {"kind": "move", "time": 1000, "opening": 1000}}
DAYS = {"clock": {"kind": "move", "time": 3 * 86400 * 1000}}
TAKEN_OVER = 40  # seconds; 5 are promised, on a machine that has nothing else to do
SITE = "https://gral.example"


class Traveller(Survivor):
    """Does not wait for long, for there are others; asks there again, too, where the database is out of reach."""

    patience = 4

    def _read(self, timeout=None):
        message = super()._read(timeout)
        if message and message.get("error") == "storage":
            raise ConnectionAbortedError("the database is out of reach")
        return message


class Idle(Group):
    """Somebody who never does anything; his clock does it for him."""

    def decide(self, person, table):
        return None

    def sit_down(self):
        return self.people[0].create(players=2, computers=[{"seat": 2, "level": 1}], limit=2, **SHORT)


class Away(threading.Thread):
    """People who are asked in games by days, do not look, and are told of it by mail."""

    def __init__(self, evening, server, mail):
        super().__init__(daemon=True)
        self.evening, self.server, self.mail = evening, server, mail
        self.host, self.guest = Traveller(server), Traveller(server)
        self.address, self.tables, self.error = "away@mail.example", [], None
        self.ask("/api/way/mail", {"mail": self.address, "language": "en"})
        token = re.search(rf"{re.escape(SITE)}/#/confirm/([\w-]+)", mail.next_to(self.address).text)[1]
        self.ask("/api/confirm", {"token": token})

    def ask(self, path, body):
        status, _, text = self.guest.account.request("POST", path, body)
        assert status == 200, f"{path}: {status} {text}"

    def run(self):
        try:
            while not self.evening.wait(0.3):
                name = self.host.create(players=2, first=1, **DAYS)
                self.guest.request("sit", table=name)
                self.tables.append(name)
        except Exception as error:
            self.error = error

    def mails(self):
        """By table."""
        return collections.Counter(re.search(rf"{re.escape(SITE)}/t/([\w-]+)", letter.text)[1]
                                   for letter in self.mail.to(self.address)[1:])


class AllOver(Evening):
    """On several servers, where the tables of those who are away are left."""

    def every_table_was_made_once(self):
        for server in self.server.all:
            for row in Person.nobody(server).request("lobby")["tables"]:
                assert row["table"] in TRIAL.away.tables, f"{row} is listed on {server.url}; {TRIAL.known_of(row['table'])}"


class Trial:
    """The machines, and what goes wrong with them."""

    def __init__(self, seconds, seed, count):
        self.seconds, self.chance = seconds, random.Random(seed)
        self.primary = self.database()
        self.standby = self.database(self.primary)
        self.ways = [[Way(self.primary), Way(self.standby)] for _ in range(count)]
        self.mail = Mail()
        options = ["--site", SITE + "/", "--smtp", f"smtp://127.0.0.1:{self.mail.port}", "--smtp-user", "gral",
                   "--smtp-password", str(PASSWORD), "--mail-from", "gral@gral.example", "--authorities",
                   str(CERTIFICATE), "--tell-after", "0", "--retry", "1", "--thinkers", "1"]
        self.servers = Servers([Server(*options, database=address_of(*[way.folder for way in ways]))
                                for ways in self.ways])
        self.over = threading.Event()
        groups = [Group(self.over, self.servers, number, *SHAPES[number % len(SHAPES)], sort=Traveller,
                        **(LONG if number % 2 else {})) for number in range(2 * len(SHAPES))]
        Group.hops = 0.02 if count > 1 else 0.0
        self.evening = AllOver(self.servers, groups)
        self.idle = Evening(self.servers, [Idle(self.over, self.servers, number, 1, 1, sort=Traveller)
                                           for number in range(4)])
        self.away = Away(self.over, self.servers, self.mail)
        self.happened, self.taken_over = collections.Counter(), []

    @staticmethod
    def database(primary=None):
        made = Postgres(primary)
        atexit.register(made.leave)
        return made

    # Who lives and who keeps what, as the database knows it.

    def living(self):
        return set(self.primary.psql("SELECT id FROM gral.server").split())

    def kept_by(self, server):
        return int(self.primary.psql(f"SELECT count(*) FROM gral.game WHERE keeper = '{server}' AND stage < 2"))

    def known_of(self, table):
        return self.primary.psql("SELECT 'stage ' || stage || ', keeper ' || keeper || ', fence ' || fence || ', texts ' ||"
                                 f" (SELECT count(*) FROM gral.log WHERE game = id) FROM gral.game WHERE name = '{table}'")

    # What goes wrong.

    def kill_server(self, server, ways):
        eventually(lambda: len(self.living()) == len(self.ways), "all servers live")
        before = self.living()
        server.kill()
        died = time.monotonic()
        if len(self.ways) > 1 and self.chance.random() < 0.7:
            eventually(lambda: len(before & self.living()) < len(before), "one of them is found dead", TAKEN_OVER)
            dead = (before - self.living()).pop()
            eventually(lambda: self.kept_by(dead) == 0, "its games are taken over", TAKEN_OVER)
            self.taken_over.append(time.monotonic() - died)
        server.start()

    def stop_server(self, server, ways):
        server.process.send_signal(signal.SIGSTOP)
        time.sleep(self.chance.choice([0.3, 1, 3, 5]))
        server.process.send_signal(signal.SIGCONT)

    def drain_server(self, server, ways):
        """As for an update: it ends by itself, and without complaint."""
        server.restart()

    def cut_ways(self, server, ways):
        for way in ways:
            way.cut()

    def hold_ways_up(self, server, ways):
        for way in ways:
            way.hold()
        time.sleep(self.chance.choice([0.3, 1, 4]))
        if self.chance.random() < 0.5:
            for way in ways:
                way.cut()
        for way in ways:
            way.let_go()

    def kill_primary(self, server, ways):
        place = [way.target for way in self.ways[0]].index(self.primary.socket)
        self.primary.stop(signal.SIGKILL)
        self.standby.promote()
        self.primary = self.standby
        self.standby = self.database(self.primary)
        for pair in self.ways:
            pair[place].target = self.standby.socket

    def run(self):
        for evening in (self.evening, self.idle):
            evening.begin()
        self.away.start()
        begin, primaries = time.monotonic(), 0
        while time.monotonic() < begin + self.seconds and not self.failed():
            number = self.chance.randrange(len(self.ways))
            trouble = self.chance.choice([self.kill_server, self.stop_server, self.drain_server, self.cut_ways,
                                          self.hold_ways_up])
            if time.monotonic() > begin + self.seconds * (0.4 + primaries) / max(1, self.seconds // 60):
                trouble, primaries = self.kill_primary, primaries + 1
            trouble(self.servers.all[number], self.ways[number])
            self.happened[trouble.__name__] += 1
            self.evening.report(f"{dict(self.happened)}")
            time.sleep(self.chance.uniform(0, 1.5))
        for evening in (self.evening, self.idle):
            evening.end()
        self.away.join(60)
        if self.away.error:
            raise self.away.error

    def failed(self):
        return self.evening.failed() or self.idle.failed() or self.away.error


TRIAL = None


@claim
def games_go_on_whatever_happens_to_servers_and_database():
    TRIAL.run()
    print(f"# {len(TRIAL.evening.games())} games, {len(TRIAL.idle.games())} by the clock alone; {dict(TRIAL.happened)}")
    assert len(TRIAL.evening.games()) >= TRIAL.seconds // 2, f"only {len(TRIAL.evening.games())} games"


@claim
def games_of_a_dead_server_are_taken_over():
    times = sorted(TRIAL.taken_over)
    print("# seconds until all games of a killed server were kept again: " + " ".join(f"{one:.1f}" for one in times))
    assert all(one < TAKEN_OVER for one in times)


@claim
def every_record_of_those_whose_clock_plays_verifies():
    TRIAL.idle.every_record_verifies()


@claim
def no_mail_goes_out_twice():
    """One that was on its way when the server died that sent it may be lost, so that it is not sent twice."""
    def missing():
        return len(set(TRIAL.away.tables) - set(TRIAL.away.mails()))
    lost = sum(TRIAL.happened[what] for what in ("kill_server", "stop_server", "hold_ways_up"))
    eventually(lambda: missing() <= lost, "the mails have come")
    print(f"# {len(TRIAL.away.tables)} mails were due, {missing()} were lost with a server")
    same({table: count for table, count in TRIAL.away.mails().items() if count > 1}, {}, "what was said twice")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=45)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--servers", type=int, default=3)
    given = parser.parse_args()
    TRIAL = Trial(given.seconds, given.seed, given.servers)
    TRIAL.evening.claim_what_must_be_true_afterwards()
    del sys.argv[1:]
    run_claims(TRIAL.servers)
