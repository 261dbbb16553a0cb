#!/usr/bin/env python3
"""Plays hundreds of games against a server that is killed at random moments and started again at once. Whatever was
answered with ok must be there afterwards, nothing may be there twice, and every record must verify.

    tests/server/kill.py --kills 50
"""
import argparse
import random
import sys
import threading
import time
import traceback

from harness import (GRAL, Person, Server, answered_by, claim, play_on, random_actions, run_claims, same, verify,
                     online_player)


class Watchful(online_player.Table):
    """Checks that what was told once is told again after every restart."""

    def take(self, push):
        if push.get("from") == 0:
            known = len(self.happened)
            assert push["happened"][:known] == self.happened, \
                f"the past has changed: {self.happened} became {push['happened']}"
        super().take(push)


class Survivor(Person):
    """Notes what was answered with ok: actions and talk, by table."""

    Table = Watchful
    persists = True

    def __init__(self, *arguments, **options):
        self.done, self.said = {}, {}
        super().__init__(*arguments, **options)

    def connect(self):
        self.socket = self.WebSocket(self.account.server, headers=self.account.headers())
        self.hello = self._read()
        for table in self.tables.values():
            if table.stage != "over":
                self._send(self.new_id(), "watch", table=table.id, have=0)

    def request(self, do, /, **members):
        answer = super().request(do, **members)
        if do == "act":
            self.done.setdefault(members["table"], []).extend(members["actions"])
        if do == "talk":
            self.said.setdefault(members["table"], []).append(members["text"])
        return answer


class Group(threading.Thread):
    """The same people, game after game, until it is evening."""

    def __init__(self, evening, server, number, persons, computers):
        super().__init__(daemon=True)
        self.evening, self.server = evening, server
        self.chance = random.Random(number)
        self.people = [Survivor(server) for _ in range(persons)]
        self.computers = [{"seat": persons + 1 + index, "level": 1} for index in range(computers)]
        self.games, self.error = [], None

    def decide(self, person, table):
        if self.chance.random() < 0.1:
            person.request("talk", table=table.id, text=f"This is remark {self.chance.random()}.")
            if not table.asked():
                return None
        return random_actions(table, self.chance)

    def run(self):
        try:
            while not self.evening.is_set():
                self.play_one()
        except Exception as error:
            traceback.print_exc()
            self.error = error

    def sit_down(self):
        """At a new table, or at the one where the last game goes on."""
        if self.games and self.chance.random() < 0.5:
            names = [person.request("rematch", table=self.games[-1])["table"] for person in self.people]
            same(len(set(names)), 1, "the number of rematches")
            return names[0]
        name = self.people[0].create(players=len(self.people) + len(self.computers), computers=self.computers,
                                     limit=self.chance.randint(2, 6))
        for person in self.people[1:]:
            person.request("sit", table=name)
        return name

    def play_one(self):
        name = self.sit_down()
        for person in self.people:
            person.watch(name)
        play_on(self.people, name, self.decide)
        for person in self.people:
            del person.tables[name]
            person.pushes.clear()
            person.socket.frames.clear()
        self.games.append(name)


class Evening:
    """All of it, and what came of it."""

    def __init__(self, kills, seed):
        self.kills, self.chance = kills, random.Random(seed)
        self.server = Server()
        self.over = threading.Event()
        shapes = [(2, 0), (2, 0), (2, 0), (2, 0), (3, 0), (3, 0), (4, 0), (1, 1), (2, 1), (5, 0)]
        self.groups = [Group(self.over, self.server, number, *shape) for number, shape in enumerate(shapes)]

    def games(self):
        return [(group, name) for group in self.groups for name in group.games]

    def report(self, kill):
        actions = sum(len(done) for group in self.groups for person in group.people
                      for done in list(person.done.values()))
        print(f"\rkilled {kill} of {self.kills} times, {len(self.games())} games, {actions} actions ", end="",
              file=sys.stderr, flush=True)

    def play(self):
        for group in self.groups:
            group.start()
        for kill in range(1, self.kills + 1):
            time.sleep(self.chance.uniform(0.0, 0.7))
            self.server.kill()
            self.server.start()
            if sys.stderr.isatty():
                self.report(kill)
            if any(group.error for group in self.groups):
                break
        self.over.set()
        for group in self.groups:
            group.join(120)
            assert not group.is_alive(), f"{group.people[0].name}'s game does not end"
        if sys.stderr.isatty():
            print(file=sys.stderr)
        for group in self.groups:
            if group.error:
                raise group.error


EVENING = None


@claim
def games_go_on_however_often_the_server_is_killed():
    EVENING.play()
    assert len(EVENING.games()) >= EVENING.kills, f"only {len(EVENING.games())} games in {EVENING.kills} kills"
    print(f"# {len(EVENING.games())} games, killed {EVENING.kills} times")


@claim
def every_action_that_was_answered_is_there_once_and_nothing_else():
    for group, name in EVENING.games():
        record = EVENING.server.record(name)
        for seat, person in enumerate(group.people, 1):
            needed = answered_by(record, seat, len(group.people) + len(group.computers))
            done = person.done.get(name, [])
            hidden = [action if action or not given.startswith(("pass", "object")) else given for action,
                      given in zip(needed, done)]
            same(done, hidden + needed[len(done):], f"in {name} what seat {seat} did")


@claim
def everything_that_was_said_is_there_once():
    for group, name in EVENING.games():
        for seat, person in enumerate(group.people, 1):
            table = person.watch(name)
            same([entry["talk"] for entry in table.happened if "talk" in entry and entry["seat"] == seat],
                 person.said.get(name, []),
                 f"in {name} what seat {seat} said")


@claim
def every_table_was_made_once():
    listed = Person.nobody(EVENING.server).request("lobby")["tables"]
    same(listed, [], "the tables that nobody knows of")


@claim
def every_record_verifies():
    status, words = verify(*[EVENING.server.record(name) for _, name in EVENING.games()])
    assert status == 0, words


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=f"Kills {GRAL} serve again and again while people play.")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    EVENING = Evening(options.kills, options.seed)
    del sys.argv[1:]
    run_claims(EVENING.server)
