"""The honest part of the soak: people who come, make names, play whole games with each other and with computer players,
talk, watch, lose their connection and come back, ask for records, log in on another day, and leave. Each request and
each request is timed. Whatever was answered must be there when the game is over.

Started by tools/soak, which says the phase on standard input and reads JSON on standard output."""
import argparse
import asyncio
import collections
import json
import math
import random
import secrets
import time

import soak_wire as wire
from harness import ROOT, answered_by, online_player, random_actions
from soak_wire import Refused

THINK = 0.4  # seconds, on average: people in a hurry
FAR = 30  # seconds: who has no answer until then has none
SHUT_OUT = 60  # seconds of polite refusals until somebody is shut out
ARRIVAL = 0.3  # seconds between two groups
GAME_MAX = 240  # seconds until a game of a few turns must be over
PACE = 200  # milliseconds
RECENTLY = 10  # seconds, for the line of progress
EVENING_MAX = 60  # seconds
DISTURBED = ("killing", "hung")  # phases in which a connection may break

# The game went on meanwhile: no fault of anybody.
GONE_ON = {"version", "turn", "answered", "over"}
# Who may be asked to wait: somebody who brings a password, and with a word that docs/protocol.md has. All others may
# not.
POLITE = {"login", "register"}
POLITE_STATUS = {429, 503}
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text()

# What people wait for, as they know it, and the requests that belong to it.
EVERY = "every answer of these four"
KINDS = {
    EVERY: [],
    "an act": ["act"],
    "any other request": ["create", "sit", "watch", "unwatch", "talk", "lobby", "stats", "rematch"],
    "a request": ["guest", "record", "me", "logout", "delete"],
    "to connect": ["connect"],
    "a password": ["login", "register"],
    "a computer player": ["computer"],
    "(the soak itself)": ["driver"],
}
KIND_OF = {name: kind for kind, names in KINDS.items() for name in names}

# Persons and computers at a table.
SHAPES = [(2, 0), (1, 1), (3, 0), (1, 2), (4, 0), (2, 1), (2, 2), (1, 1)]


# --- what is noted ----------------------------------------------------------------------------------------------------


def spread(times):
    """Of milliseconds: how many, the middle, the 99th of 100, the longest."""
    ordered = sorted(times)
    count = len(ordered)
    return {"n": count, "p50": ordered[count // 2], "p99": ordered[math.ceil(0.99 * count) - 1], "max": ordered[-1]}


class Notes:
    """How long things took, by phase and kind; what went wrong; what was done."""

    def __init__(self):
        self.begin = time.monotonic()
        self.phase = "calm"
        self.times = collections.defaultdict(list)  # by (phase, kind)
        self.minutes = collections.defaultdict(list)
        self.troubles, self.counts = collections.Counter(), collections.Counter()
        self.recent = []

    def took(self, kind, began, answer=True):
        now = time.monotonic()
        milliseconds = 1000 * (now - began)
        phase = "attack" if self.phase == "hung" else self.phase  # who waited for a server that hung has waited
        self.times[phase, KIND_OF[kind]].append(milliseconds)
        if answer:
            self.times[phase, EVERY].append(milliseconds)
            self.minutes[int((now - self.begin) // 60)].append(milliseconds)
            self.recent.append((now, milliseconds))

    def trouble(self, text):
        self.troubles[text] += 1

    def progress(self):
        since = time.monotonic() - RECENTLY
        self.recent = [entry for entry in self.recent if entry[0] > since]
        return {"recent": spread([took for _, took in self.recent]) if self.recent else None, "counts": self.counts,
                "troubles": sum(self.troubles.values())}

    def report(self):
        kinds = collections.defaultdict(dict)
        for (phase, kind), times in self.times.items():
            kinds[phase][kind] = spread(times)
        return {"kinds": kinds, "minutes": {minute: spread(times) for minute, times in self.minutes.items()},
                "troubles": self.troubles, "counts": self.counts}


# --- one of them ------------------------------------------------------------------------------------------------------


def error_of(answer):
    """What a refused request was answered with; where that is no JSON, its status is the word."""
    if answer.body.startswith(b"{"):
        return json.loads(answer.body)
    return {"error": str(answer.status), "text": answer.body.decode(errors="replace")}


class Table(online_player.Table):
    """Notices when what was told once is not told again."""

    changed = False

    def take(self, push):
        known = len(self.happened)
        if push.get("from") == 0 and push["happened"][:known] != self.happened:
            self.changed = True
        super().take(push)


class Waiting:
    """A request that has no answer yet."""

    def __init__(self, text):
        self.text, self.answer = text, asyncio.get_running_loop().create_future()
        self.killed = False  # the server, before it could answer: the time says nothing


class Person:
    def __init__(self, house, number):
        self.house, self.notes, self.number = house, house.notes, number
        self.name = f"Soak {number}"
        self.password = secrets.token_hex(8) if number % 2 else None
        self.address = wire.new_address(house.chance, wire.HONEST)
        self.cookies = {}
        self.tables, self.done, self.said, self.waiting = {}, {}, {}, {}
        self.prefix, self.count = secrets.token_hex(6), 0
        self.socket = self.reading = None
        self.news = asyncio.Event()

    # Who they are.

    def headers(self):
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} if self.cookies else {}

    def _keep_cookies(self, answer):
        for name, value in answer.headers:
            if name == "set-cookie":
                key, _, content = value.split(";")[0].partition("=")
                self.cookies[key] = content
                if not content:
                    del self.cookies[key]

    async def _persist(self, work):
        """Until it is done: a connection may break while the server is killed. (result, whether it was killed
        meanwhile: then the time says nothing)"""
        killed = False
        while True:
            try:
                return await asyncio.wait_for(work(), FAR), killed
            except TimeoutError:
                self.notes.trouble("not answered in time")
            except OSError as error:
                if self.notes.phase not in DISTURBED:
                    self.notes.trouble(f"a connection broke: {error}")
            killed |= self.notes.phase == "killing"
            await asyncio.sleep(0.3)

    async def ask(self, kind, method, path, body=None):
        """A request: the JSON or text of the answer. Who is politely asked to wait waits, and asks again."""
        began = time.monotonic()
        while True:
            answer, killed = await self._persist(
                lambda: wire.request(self.house.place, self.address, method, path, body, self.headers()))
            if answer.status not in POLITE_STATUS or kind not in POLITE:
                break
            self.notes.counts[f"{kind}: asked to wait"] += 1
            word = error_of(answer)["error"]
            if f"`{word}`" not in PROTOCOL:
                self.notes.trouble(f"{kind} was refused: {word}, which docs/protocol.md does not have")
            if time.monotonic() - began > SHUT_OUT:
                self.notes.trouble(f"{kind}: shut out for {SHUT_OUT} s")
                break
            await asyncio.sleep(min(5.0, float(dict(answer.headers).get("retry-after", 1))))
        if not killed:
            self.notes.took(kind, began, kind not in POLITE)
        self._keep_cookies(answer)
        if answer.status != 200:
            raise Refused(error_of(answer))
        return answer.body.decode()

    async def make_name(self):
        """A name whose answer was lost is taken, by ourselves."""
        while True:
            body = {"name": self.name, **({"password": self.password} if self.password else {})}
            try:
                await self.ask("register" if self.password else "guest", "POST",
                               "/api/register" if self.password else "/api/guest", body)
                return
            except Refused as refusal:
                if refusal.word != "name-taken":
                    self.notes.trouble(f"a name was refused: {refusal}")
                    await asyncio.sleep(1)
                self.name += "b"

    async def log_in_again(self):
        """On another day."""
        await self.hang_up()
        await self.ask("logout", "POST", "/api/logout")
        while True:
            try:
                await self.ask("login", "POST", "/api/login", {"name": self.name, "password": self.password})
                break
            except Refused as refusal:
                self.notes.trouble(f"a login was refused: {refusal.word}")
        await self.connect()

    async def delete(self):
        body = {"name": self.name, **({"password": self.password} if self.password else {})}
        try:
            await self.ask("login" if self.password else "delete", "POST", "/api/delete", body)
        except Refused as refusal:
            if refusal.word != "who":  # deleted already, and the answer was lost
                self.notes.trouble(f"a deletion was refused: {refusal.word}")

    # Their connection.

    async def connect(self):
        began = time.monotonic()

        async def open_and_greet():
            socket = await wire.Socket.open(self.house.place, self.address, self.headers())
            hello = json.loads(await socket.receive())
            return socket, hello

        (self.socket, hello), killed = await self._persist(open_and_greet)
        if not killed:
            self.notes.took("connect", began)
        if hello.get("name") != self.name:
            self.notes.trouble("greeted as somebody else")
        for table in self.tables.values():  # one has kept what was told, the other checks it
            have = len(table.happened) if self.number % 3 else 0
            self.socket.send(self._text(self.new_id(), "watch", table=table.id, have=have))
        for waiting in self.waiting.values():
            waiting.killed |= self.notes.phase == "killing"
            self.socket.send(waiting.text)
        self.reading = asyncio.create_task(self._read(self.socket))

    async def hang_up(self):
        self.reading.cancel()
        self.socket.close()

    async def reconnect(self):
        await self.hang_up()
        await self.connect()

    async def _read(self, socket):
        try:
            while True:
                self._take(json.loads(await socket.receive()))
        except OSError as error:
            socket.close()
            if self.notes.phase not in DISTURBED:
                self.notes.trouble(f"an honest connection was cut: {error}")
            await self.connect()

    def _take(self, message):
        waiting = self.waiting.pop(message.get("re"), None)
        if waiting is not None and not waiting.answer.done():
            waiting.answer.set_result(message)
        elif "error" in message:
            self.notes.trouble(f"a request was refused: {message['error']}")
        if message.get("push") == "table" and message["table"] in self.tables:
            self.tables[message["table"]].take(message)
        self.news.set()

    def new_id(self):
        self.count += 1
        return f"{self.prefix}-{self.count}"

    @staticmethod
    def _text(name, do, /, **members):
        return json.dumps({"id": name, "do": do, **members})

    async def request(self, do, /, **members):
        name = self.new_id()
        waiting = self.waiting[name] = Waiting(self._text(name, do, **members))
        began = time.monotonic()
        try:
            self.socket.send(waiting.text)
        except ConnectionError:
            pass  # sent by connect(), which is under way
        while True:
            try:
                answer = await asyncio.wait_for(asyncio.shield(waiting.answer), FAR)
                break
            except TimeoutError:
                self.notes.trouble(f"{do}: not answered in {FAR} s")
        if not waiting.killed:
            self.notes.took(do, began)
        if "error" in answer:
            if answer["error"] not in GONE_ON:
                self.notes.trouble(f"{do} was refused: {answer['error']}")
            raise Refused(answer)
        return answer

    async def watch(self, name):
        table = self.tables[name] = Table(name)
        await self.request("watch", table=name, have=0)
        while table.stage is None:
            await self.hear()
        return table

    async def hear(self, seconds=FAR):
        """Until something has come; whether it has."""
        self.news.clear()
        try:
            return await asyncio.wait_for(self.news.wait(), seconds)
        except TimeoutError:
            return False

    # At a table.

    async def play(self, table, alone):
        """To the end of the game. Who is alone with computer players knows for whom he waits."""
        known, since, version = None, time.monotonic(), table.version
        while table.stage != "over":
            if alone and table.version != version:
                if not table.asked() and self.notes.phase not in DISTURBED:
                    self.notes.took("computer", since, False)
                since, version = time.monotonic(), table.version
            knows = table.version, json.dumps(table.you)
            if table.asked() and knows != known:
                known = knows
                await self.act(table)
                since, version = time.monotonic(), table.version
            else:
                heard = await self.hear()
                if alone and not heard and not table.asked() and self.notes.phase not in DISTURBED:
                    self.notes.trouble(f"a computer player had not answered after {FAR} s")

    async def act(self, table):
        chance = self.house.chance
        await asyncio.sleep(0 if self.house.evening else chance.expovariate(1 / THINK))
        try:
            if chance.random() < 0.08:
                await self.say(table, f"This is remark {chance.random()}.")
            if not table.asked():
                return
            actions = random_actions(table, chance)
            salt = {"salt": secrets.token_hex(32)} if actions[-1] == "done" else {}
            await self.request("act", table=table.id, version=table.version, actions=actions, **salt)
            self.done.setdefault(table.id, []).extend(actions)
            self.notes.counts["actions"] += len(actions)
        except Refused:
            pass  # noted, if it was no matter of time

    async def say(self, table, text):
        await self.request("talk", table=table.id, text=text)
        self.said.setdefault(table.id, []).append(text)
        self.notes.counts["remarks"] += 1


# --- what is left of a game -------------------------------------------------------------------------------------------


def lost_actions(person, seat, record, players, name):
    """Whether the record has what was answered, and nothing else."""
    needed, done = answered_by(record, seat, players), person.done.get(name, [])
    for index, given in enumerate(done):
        if index >= len(needed):
            return True
        hidden = needed[index] is None and given.startswith(("pass", "object"))
        if needed[index] != given and not hidden:
            return True
    return len(needed) > len(done)


async def check_game(house, people, name, players):
    record = await people[0].ask("record", "GET", f"/r/{name}.gral")
    for seat, person in enumerate(people, 1):
        if lost_actions(person, seat, record, players, name):
            house.notes.trouble("an answered action is not in the record, or another is")
        table = person.tables[name]
        heard = [entry["talk"] for entry in table.happened if "talk" in entry and entry["seat"] == seat]
        if heard != person.said.get(name, []):
            house.notes.trouble("an answered remark is lost, or there twice")
        if table.changed:
            house.notes.trouble("what was told once was told differently later")
        house.notes.counts["checked"] += 1


async def leave_table(person, name):
    await person.request("unwatch", table=name)
    for kept in (person.tables, person.done, person.said):
        kept.pop(name, None)


# --- all of them ------------------------------------------------------------------------------------------------------


class House:
    def __init__(self, options):
        self.place = wire.Place(options.port, options.proxied)
        self.chance = random.Random(options.seed)
        self.notes, self.number, self.evening = Notes(), 0, False
        self.size = options.people

    def new_person(self):
        self.number += 1
        return Person(self, self.number)

    async def arrive(self):
        person = self.new_person()
        await person.make_name()
        await person.connect()
        return person

    async def sit_down(self, people, computers, last):
        """At a new table, or where the last game goes on."""
        if last and self.chance.random() < 0.3:
            return [await person.request("rematch", table=last) for person in people][0]["table"]
        first = len(people) + 1
        seats = [{"seat": first + index, "level": self.chance.randint(1, 3)} for index in range(computers)]
        name = (await people[0].request("create", players=len(people) + computers, computers=seats, pace=PACE,
                                      limit=self.chance.randint(4, 16)))["table"]
        for person in people[1:]:
            if self.chance.random() < 0.3:
                await self.find_in_lobby(person, name)
            await person.request("sit", table=name)
        return name

    async def find_in_lobby(self, person, name):
        """Whoever has a table that waits wants to be found."""
        listed = [entry["table"] for entry in (await person.request("lobby"))["tables"]]
        self.notes.counts["looked for in the lobby"] += 1
        if name not in listed:
            self.notes.trouble("a table that waits for people is not in the lobby")

    async def game(self, people, computers, last):
        name = await self.sit_down(people, computers, last)
        tables = [await person.watch(name) for person in people]
        alone = len(people) == 1
        async with asyncio.timeout(GAME_MAX), asyncio.TaskGroup() as playing:
            for person, table in zip(people, tables):
                playing.create_task(person.play(table, alone))
        await check_game(self, people, name, len(people) + computers)
        self.notes.counts["games"] += 1
        return name

    async def clear_tables(self, people, but=None):
        for person in people:
            for name in [name for name in person.tables if name != but]:
                await leave_table(person, name)

    async def between_games(self, person):
        """What people do when they do not play. Returns who sits here from now on."""
        chance = self.chance
        what = chance.random()
        if what < 0.15:
            await person.reconnect()
        elif what < 0.35 and person.password:
            await person.log_in_again()
        elif what < 0.5:
            await person.request("stats", name=person.name)
        elif what < 0.6:
            await person.ask("me", "GET", "/api/me")
        elif what < 0.7:
            await person.request("lobby", on=True)
            await asyncio.sleep(chance.random())
            await person.request("lobby", on=False)
        elif what < 0.8 and not self.evening:
            await self.say_farewell(person)
            return await self.arrive()
        return person

    async def say_farewell(self, person):
        await person.hang_up()
        if self.chance.random() < 0.5:
            await person.delete()

    async def group(self, shape, after):
        """The same seats, game after game; now and then somebody else sits there."""
        await asyncio.sleep(after)
        persons, computers = shape
        people = [await self.arrive() for _ in range(persons)]
        last = None
        while not self.evening:
            try:
                last = await self.game(people, computers, last)
            except TimeoutError:
                self.notes.trouble(f"a game was not over after {GAME_MAX} s")
                last = None
            except Refused:  # noted; another table then
                last = None
                await asyncio.sleep(1)
            await self.clear_tables(people, last)
            before = list(people)
            for seat, person in enumerate(before):
                try:
                    people[seat] = await self.between_games(person)
                except Refused:
                    pass  # noted
            last = last if people == before else None
        for person in people:
            await person.hang_up()

    async def watch_own_pace(self):
        """How late this very program is: no time above can be trusted further than that."""
        while True:
            began = time.monotonic() + 0.05
            await asyncio.sleep(0.05)
            self.notes.took("driver", began, False)

    async def tell_progress(self):
        while True:
            await asyncio.sleep(1)
            wire.say(**self.notes.progress())

    def take(self, word):
        self.notes.phase = word
        self.evening |= word == "evening"

    async def finish(self, groups):
        """In the evening the games that are played are brought to an end, quickly."""
        games = asyncio.gather(*groups)
        while not self.evening and not games.done():
            await asyncio.sleep(0.1)
        try:
            await asyncio.wait_for(games, EVENING_MAX)
        except TimeoutError:
            self.notes.trouble(f"games were not over {EVENING_MAX} s after everybody stopped thinking")

    async def run(self):
        beside = [asyncio.create_task(work) for work in
                  (wire.Commands(self.take).listen(), self.watch_own_pace(), self.tell_progress())]
        groups, seated = [], 0
        while seated < self.size:
            shape = SHAPES[len(groups) % len(SHAPES)]
            groups.append(asyncio.create_task(self.group(shape, len(groups) * ARRIVAL)))
            seated += shape[0]
        await self.finish(groups)
        for task in beside:
            task.cancel()
        wire.say(report=self.notes.report())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--proxied", action="store_true")
    parser.add_argument("--people", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    asyncio.run(House(parser.parse_args()).run())
