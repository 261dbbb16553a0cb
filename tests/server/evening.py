"""People who play game after game while something goes wrong: with the server, the database, or the way between them.
They lose their connection, come back, and go on. Whatever was answered with ok must be there afterwards, nothing may be
there twice, and every record must verify."""
import random
import sys
import threading
import traceback

from harness import FAR, Person, answered_by, claim, describe, online_player, play_on, random_actions, same, verify


class Watchful(online_player.Table):
    """Checks that what was told once is told again by whoever tells it, that nothing goes back, and that nobody's sheet
    is told to others before the end."""

    def take(self, push):
        before = self.version
        if "from" in push:
            begin, news = push["from"], push["happened"]
            assert begin <= len(self.happened), f"a gap: {begin} after {len(self.happened)}"
            known = self.happened[begin:]
            assert news[:len(known)] == known, f"the past has changed: {known} became {news}"
        super().take(push)
        assert before is None or self.version is None or self.version >= before, f"{before} became {self.version}"
        if self.stage != "over":
            own = self.you.get("seat") if self.you else None
            assert not (self.view or {}).get("sheets"), "the sheets are told"
            for entry in push.get("happened", []):
                assert entry.get("seat") == own or "place" not in entry.get("action", ""), f"seat {own} hears {entry}"


class Survivor(Person):
    """Notes what was answered with ok: actions and talk, by table. Who is not answered for too long looks for another
    connection, and asks again."""

    Table = Watchful
    persists = True
    patience = FAR

    def __init__(self, *arguments, **options):
        self.done, self.said = {}, {}
        super().__init__(*arguments, **options)

    def connect(self):
        self.account.server = self.server.url
        self.socket = self.WebSocket(self.account.server, headers=self.account.headers(), patience=self.patience)
        self.hello = self._read()
        for table in self.tables.values():
            if table.stage != "over":
                have = random.choice([0, len(table.happened)])
                self._send(self.new_id(), "watch", table=table.id, have=have)

    def hop(self):
        """Elsewhere, if there is another server."""
        self.lost(ConnectionAbortedError("left"))

    def _read(self, timeout=None):
        message = online_player.Client._read(self, self.patience if timeout is None else timeout)
        if message is None and timeout is None:
            raise ConnectionAbortedError("the server is silent")
        return message

    def request(self, do, /, **members):
        answer = super().request(do, **members)
        if do == "act":
            self.done.setdefault(members["table"], []).extend(members["actions"])
        if do == "talk":
            self.said.setdefault(members["table"], []).append(members["text"])
        return answer


class Group(threading.Thread):
    """The same people, game after game, until it is evening; some of them only look on."""

    hops = 0.0  # how often somebody goes to another server though nothing is wrong

    def __init__(self, evening, server, number, persons, computers, onlookers=0, sort=Survivor, **terms):
        super().__init__(daemon=True)
        self.evening, self.server, self.terms = evening, server, terms
        self.chance = random.Random(number)
        self.people = [sort(server) for _ in range(persons)]
        self.onlookers = [sort(server) for _ in range(onlookers)]
        self.computers = [{"seat": persons + 1 + index, "level": 1} for index in range(computers)]
        self.games, self.error = [], None

    def where(self):
        """What they know, and what the test waits for."""
        known = "; ".join(f"{person.name} at {person.account.server}: {describe(person)}" for person in self.everybody())
        return known + "\n" + "".join(traceback.format_stack(sys._current_frames().get(self.ident)))

    def everybody(self):
        return self.people + self.onlookers

    def decide(self, person, table):
        if self.chance.random() < self.hops:
            self.chance.choice(self.everybody()).hop()
            if not table.asked():
                return None
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
                                     limit=self.chance.randint(2, 6), **self.terms)
        for person in self.people[1:]:
            person.request("sit", table=name)
        return name

    def play_one(self):
        name = self.sit_down()
        for person in self.everybody():
            person.watch(name)
        play_on(self.everybody(), name, self.decide)
        for person in self.everybody():
            del person.tables[name]
            person.pushes.clear()
            person.socket.frames.clear()
        self.games.append(name)


class Evening:
    """All of it, and what came of it: `server` is anything that has a `url` and gives records."""

    def __init__(self, server, groups):
        self.server, self.groups = server, groups

    def games(self):
        return [(group, name) for group in self.groups for name in group.games]

    def report(self, words):
        if sys.stderr.isatty():
            actions = sum(len(done) for group in self.groups for person in group.people
                          for done in list(person.done.values()))
            print(f"\r{words}, {len(self.games())} games, {actions} actions ", end="", file=sys.stderr, flush=True)

    def begin(self):
        for group in self.groups:
            group.start()

    def failed(self):
        return any(group.error for group in self.groups)

    def end(self):
        """The games that are played are brought to an end."""
        for group in self.groups:
            group.evening.set()
        for group in self.groups:
            group.join(120)
            assert not group.is_alive(), f"{group.people[0].name}'s game does not end: {group.where()}"
        if sys.stderr.isatty():
            print(file=sys.stderr)
        for group in self.groups:
            if group.error:
                raise group.error

    def claim_what_must_be_true_afterwards(self):
        for one in (self.every_action_that_was_answered_is_there_once_and_nothing_else, self.everything_that_was_said_is_there_once,
                    self.every_table_was_made_once, self.every_record_verifies):
            claim(one)

    def every_action_that_was_answered_is_there_once_and_nothing_else(self):
        for group, name in self.games():
            record = self.server.record(name)
            for seat, person in enumerate(group.people, 1):
                needed = answered_by(record, seat, len(group.people) + len(group.computers))
                done = person.done.get(name, [])
                hidden = [action if action or not given.startswith(("pass", "object")) else given for action,
                          given in zip(needed, done)]
                same(done, hidden + needed[len(done):], f"in {name} what seat {seat} did")

    def everything_that_was_said_is_there_once(self):
        for group, name in self.games():
            table = group.people[0].watch(name)
            for seat, person in enumerate(group.people, 1):
                same([entry["talk"] for entry in table.happened if "talk" in entry and entry["seat"] == seat],
                     person.said.get(name, []), f"in {name} what seat {seat} said")

    def every_table_was_made_once(self):
        listed = Person.nobody(self.server).request("lobby")["tables"]
        same(listed, [], "the tables that nobody knows of")

    def every_record_verifies(self):
        status, words = verify(*[self.server.record(name) for _, name in self.games()])
        assert status == 0, words
