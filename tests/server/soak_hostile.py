"""The hostile part of the soak: each attack is one function, a burst of a few seconds. Which comes next is drawn by lot
from a seed. None of them expects anything but that the server lives; two look whether somebody was harmed (`harm`).

Started by tools/soak, which says the phase on standard input and reads JSON on standard output."""
import argparse
import asyncio
import collections
import json
import os
import random
import time

import soak_wire as wire

BURST_MAX = 20  # seconds
REST = 0.3  # seconds between two bursts of a worker, on average
ATTACKS = {}


def attack(function):
    ATTACKS[function.__name__] = function
    return function


class Burst:
    """One attack under way: what it needs, and all its sockets, which are closed when it is over."""

    number = 0

    def __init__(self, enemy, chance):
        self.place, self.chance, self.tally = enemy.place, chance, enemy.tally
        self.writers = []

    def address(self):
        return wire.new_address(self.chance, wire.HOSTILE)

    async def open(self, address=None):
        reader, writer = await self.place.open(address or self.address())
        self.writers.append(writer)
        return reader, writer

    def close(self):
        """Some take their leave, some are gone."""
        for writer in self.writers:
            if self.chance.random() < 0.5:
                writer.transport.abort()
            else:
                writer.close()

    # HTTP as bytes.

    def head(self, first, **headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return wire.head(first + " HTTP/1.1", {**self.place.headers(self.address()), **named})

    def post(self, path, body=b"{}", **headers):
        return self.head(f"POST {path}", Content_Length=len(body), **headers) + body

    async def say(self, *parts, pause=0.0, half=False, linger=1.0):
        """The parts one after the other; then what comes is read for a while, and thrown away."""
        self.tally["connections"] += 1
        try:
            reader, writer = await self.open()
            for part in parts:
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(pause)
            if half:
                writer.write_eof()
            await swallow(reader, linger)
        except OSError:
            self.tally["cut off"] += 1

    # People who are none.

    async def guest(self, address=None):
        """Cookie and name of a new guest, or None: refused."""
        Burst.number += 1
        name = f"Mob {os.getpid() % 1000}-{Burst.number}"
        answer = await self.request("POST", "/api/guest", {"name": name}, address=address)
        if answer is None or answer.status != 200:
            return None
        cookies = [value.split(";")[0] for key, value in answer.headers if key == "set-cookie"]
        return {"name": name, "headers": {"Cookie": "; ".join(cookies)}}

    async def request(self, method, path, body=None, headers=None, address=None):
        self.tally["requests"] += 1
        try:
            answer = await wire.request(self.place, address or self.address(), method, path, body, headers)
        except OSError:
            self.tally["cut off"] += 1
            return None
        self.tally["refused"] += answer.status in (429, 503)
        return answer

    async def socket(self, who=None, address=None):
        """A WebSocket that was greeted, or None."""
        self.tally["connections"] += 1
        try:
            socket = await wire.Socket.open(self.place, address or self.address(), (who or {}).get("headers"))
            self.writers.append(socket.writer)
            await socket.receive()
            return socket
        except OSError:
            self.tally["refused"] += 1
            return None

    async def request(self, socket, do, /, **members):
        """The answer, or {} when there is none any more."""
        Burst.number += 1
        name = f"h{Burst.number}"
        self.tally["requests"] += 1
        try:
            socket.send(json.dumps({"id": name, "do": do, **members}))
            answer = await socket.answer(name)
        except (OSError, AttributeError):  # cut off, or never let in
            self.tally["cut off"] += 1
            return {}
        self.tally["refused"] += answer.get("error") == "rate"
        return answer

    async def flood(self, socket, requests):
        """Sends all of them at once and reads whatever comes for a while."""
        self.tally["requests"] += len(requests)
        try:
            for number, request in enumerate(requests):
                socket.send(json.dumps({"id": f"f{number}", **request}))
            await swallow(socket.reader, 2)
        except (OSError, AttributeError):
            self.tally["cut off"] += 1

    async def spend(self, socket, count):
        """So many looks at the lobby, and away."""
        self.tally["requests"] += count
        try:
            for number in range(count):
                socket.send(json.dumps({"id": f"l{number}", "do": "lobby"}))
            await asyncio.wait_for(socket.answer(f"l{count - 1}"), 5)
            socket.close()
        except OSError:
            self.tally["cut off"] += 1

    async def table(self, **terms):
        """(guest, socket, table) of somebody new, each of them None if refused."""
        who = await self.guest()
        socket = await self.socket(who) if who else None
        answer = await self.request(socket, "create", **terms) if socket else {}
        return who, socket, answer.get("table")

    def harm(self, text):
        self.tally["HARM " + text] += 1


async def swallow(reader, seconds):
    """What comes in this time, or until the end, is read and thrown away."""
    async def read():
        while await reader.read(1 << 16):
            pass
    try:
        await asyncio.wait_for(read(), seconds)
    except TimeoutError:
        pass


# --- the door ---------------------------------------------------------------------------------------------------------


@attack
async def pipelined_requests(burst):
    gets = [burst.head("GET /healthz"), burst.head("GET /"), burst.head("GET /r/x.gral")]
    posts = [burst.post("/api/guest", b'{"name":"x"}'), burst.post("/api/login"), burst.post("/api/logout", b"")]
    await asyncio.gather(*(
        burst.say(b"".join(burst.chance.choices(gets + posts, k=burst.chance.randint(2, 6))),
                  half=burst.chance.random() < 0.3) for _ in range(10)))


@attack
async def requests_in_pieces(burst):
    text = burst.post("/api/guest", b'{"name":"in pieces"}') + burst.head("GET /healthz")
    cuts = sorted(burst.chance.sample(range(1, len(text)), 12))
    pieces = [text[begin:end] for begin, end in zip([0] + cuts, cuts + [len(text)])]
    await asyncio.gather(*(burst.say(*pieces, pause=0.02) for _ in range(10)))


@attack
async def half_closed_sockets(burst):
    texts = [burst.head("GET /healthz"), burst.post("/api/guest")[:-1], b"GET / HT", b"", burst.head("GET /ws"),
             burst.head("GET /ws", Upgrade="websocket", Connection="Upgrade", Sec_WebSocket_Version=13,
                        Sec_WebSocket_Key="AAAAAAAAAAAAAAAAAAAAAA==")]
    await asyncio.gather(*(burst.say(text, half=True) for text in texts * 3))


@attack
async def slow_heads(burst):
    text = burst.head("GET /healthz", X_Slow="x" * 40)
    await asyncio.gather(*(burst.say(*(text[at:at + 1] for at in range(24)), pause=0.5) for _ in range(20)))


@attack
async def slow_bodies(burst):
    text = burst.post("/api/login", b'{"name":"slow","password":"slow slow slow"}')
    await asyncio.gather(*(burst.say(text[:-24], *(text[at:at + 1] for at in range(-24, -1)), pause=0.5)
                           for _ in range(20)))


@attack
async def silent_sockets(burst):
    await asyncio.gather(*(burst.say(linger=12) for _ in range(50)))


@attack
async def garbage(burst):
    chance = burst.chance
    texts = [chance.randbytes(chance.randint(1, 3000)) for _ in range(10)]
    texts += [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + chance.randbytes(400), b"\0" * 500, b"\r\n" * 500,
              b"GET " + b"/" * 9000 + b" HTTP/1.1\r\n\r\n", b"BREW / HTTP/1.1\r\nHost: x\r\n\r\n",
              b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 3000, b"GET / HTTP/9.9\r\n: \r\n\r\n"]
    await asyncio.gather(*(burst.say(text, half=chance.random() < 0.5) for text in texts))


@attack
async def oversized_bodies(burst):
    large = burst.head("POST /api/guest", Content_Length=10 << 20) + b"x" * (1 << 20)
    chunked = burst.head("POST /api/guest", Transfer_Encoding="chunked") + b"fffff\r\n" + b"x" * 65536
    wide = burst.head("GET /", X_Wide="x" * 65536)
    await asyncio.gather(*(burst.say(text) for text in [large, chunked, wide] * 3))


REFUSED = [{"Content-Length": length} for length in ("+5", "-5", "5, 5", "0x5", "", "5 5", "99999999", "9" * 20)] + [
    {}, {"Transfer-Encoding": "chunked"}, {"Transfer-Encoding": "identity", "Content-Length": 5},
    {"Origin": "http://elsewhere.example", "Content-Length": 5}]


@attack
async def refused_with_more_behind(burst):
    """More bytes than they said, at once or later, and often half-closed before the answer."""
    chance = burst.chance

    def parts():
        refused = burst.head(chance.choice(["POST /api/guest"] * 3 + ["PUT /", "GET /ws"]), **chance.choice(REFUSED))
        behind = b'{"name":"behind"}' * chance.choice([0, 1, 2, 20, 3000])
        return [refused, behind] if chance.random() < 0.5 else [refused + behind]
    await asyncio.gather(*(burst.say(*parts(), half=chance.random() < 0.7, pause=chance.choice([0, 0.01]))
                           for _ in range(20)))


@attack
async def a_crowd_from_one_address(burst):
    address = burst.address()
    await asyncio.gather(*(burst.socket(address=address) for _ in range(150)))
    await asyncio.sleep(2)


# --- WebSocket --------------------------------------------------------------------------------------------------------


@attack
async def damaged_frames(burst):
    frame, chance = wire.Socket.frame, burst.chance
    whole = frame(1, b'{"id":"a","do":"lobby"}')
    damaged = [b"\x81\x05hello", b"\xf1" + whole[1:], frame(3, b"x"), frame(9, b"x" * 200), frame(0, b"alone"),
               frame(1, b"\xff\xfe\xc0"), b"\x81\xff" + b"\xff" * 8 + b"mask", frame(1, b"x" * 70000),
               frame(8, b"\x00"), frame(1, b"{" * 8000), frame(1, b"\0"),
               frame(1, b"part", last=False) + frame(1, b"again"),
               frame(2, chance.randbytes(500)), whole[:7]]
    damaged += [bytes(byte ^ (1 << chance.randrange(8)) if chance.random() < 0.1 else byte for byte in whole)
                for _ in range(6)]

    async def hit(bytes_of_it):
        socket = await burst.socket()
        if socket is not None:
            socket.writer.write(bytes_of_it)
            try:
                await swallow(socket.reader, 1)
            except OSError:
                pass
    await asyncio.gather(*(hit(text) for text in damaged))


@attack
async def fresh_budgets_by_reconnecting(burst):
    address = burst.address()
    for _ in range(10):
        socket = await burst.socket(address=address)
        if socket is not None:
            await burst.spend(socket, 190)


@attack
async def lobby_floods(burst):
    sockets = await asyncio.gather(*(burst.socket() for _ in range(10)))
    requests = [{"do": "lobby", "on": number % 2 == 0} for number in range(300)]
    await asyncio.gather(*(burst.flood(socket, requests) for socket in sockets if socket))


@attack
async def slow_readers(burst):
    """They ask for much and read nothing of it."""
    _, owner, table = await burst.table(players=2, listed=False)
    if table is None:
        return
    for number in range(15):
        await burst.request(owner, "talk", table=table, text=f"{number}" + "x" * 400)
    for socket in await asyncio.gather(*(burst.socket() for _ in range(10))):
        if socket is not None:
            socket.writer.transport.pause_reading()
            for number in range(190):
                socket.send(json.dumps({"id": f"w{number}", "do": "watch", "table": table, "have": 0}))
    await asyncio.sleep(8)


# --- tables -----------------------------------------------------------------------------------------------------------


@attack
async def watching_all_of_it_again_and_again(burst):
    _, owner, table = await burst.table(players=2)
    if table is None:
        return
    for number in range(50):
        await burst.request(owner, "talk", table=table, text=f"{number}" + "x" * 400)
    requests = [{"do": "watch", "table": table, "have": 0}] * 250
    sockets = await asyncio.gather(*(burst.socket() for _ in range(8)))
    await asyncio.gather(*(burst.flood(socket, requests) for socket in sockets if socket))


@attack
async def draws_offered_and_refused_for_ever(burst):
    _, ann, table = await burst.table(players=2)
    bob = await burst.socket(await burst.guest())
    if table is None or bob is None:
        return
    await burst.request(bob, "sit", table=table)
    for _ in range(150):
        await burst.request(ann, "draw", table=table)
        await burst.request(bob, "nodraw", table=table)
    await burst.request(ann, "resign", table=table)
    await burst.request(bob, "resign", table=table)


@attack
async def sitting_down_and_rising_for_ever(burst):
    _, ann, table = await burst.table(players=3)
    bob = await burst.socket(await burst.guest())
    if table is None or bob is None:
        return
    for _ in range(150):
        await burst.request(bob, "sit", table=table)
        await burst.request(bob, "rise", table=table)


@attack
async def tables_full_of_computers(burst):
    """Eleven of the strongest at each. They think as long as somebody watches."""
    computers = [{"seat": seat, "level": 5} for seat in range(2, 13)]
    socket = await burst.socket(await burst.guest())
    for _ in range(burst.chance.randint(5, 50)):
        pace = burst.chance.choice([0, 1000, 10000])
        table = (await burst.request(socket, "create", players=12, computers=computers, pace=pace)).get("table")
        if table is None:
            break
        await burst.request(socket, "watch", table=table, have=0)
        await burst.request(socket, "act", table=table, version=0, actions=["done"])
    if socket is not None:
        await swallow(socket.reader, 12)


@attack
async def tables_never_begun(burst):
    socket = await burst.socket(await burst.guest())
    for _ in range(60):
        if "table" not in await burst.request(socket, "create", players=burst.chance.randint(2, 12)):
            return


# --- people -----------------------------------------------------------------------------------------------------------


@attack
async def a_guest_a_moment(burst):
    address = burst.address()
    await asyncio.gather(*(burst.guest(address) for _ in range(30)))


@attack
async def guessing_passwords(burst):
    """Of people seen in the lobby, from everywhere."""
    socket = await burst.socket()
    tables = (await burst.request(socket, "lobby")).get("tables", [])
    names = sorted({seat["name"] for table in tables for seat in table["seats"]
                    if seat and seat.get("name", "").startswith("Soak")})
    if not names:
        return
    for _ in range(4):
        await asyncio.gather(*(burst.request("POST", "/api/login", {
            "name": burst.chance.choice(names), "password": f"guess {burst.chance.random()}"}) for _ in range(20)))


@attack
async def an_account_deleted_as_another_takes_the_seat(burst):
    await asyncio.gather(*(delete_and_sit(burst) for _ in range(8)))


async def delete_and_sit(burst):
    _, bob, table = await burst.table(players=3)
    leaving, coming = await burst.guest(), await burst.guest()
    ann, cid = await burst.socket(leaving), await burst.socket(coming)
    if table is None or ann is None or cid is None:
        return
    await burst.request(ann, "sit", table=table, seat=2)
    ann.send(json.dumps({"id": "rise", "do": "rise", "table": table}))
    _, answer = await asyncio.gather(
        burst.request("POST", "/api/delete", {"name": leaving["name"]}, leaving["headers"]),
        burst.request(cid, "sit", table=table, seat=2))
    if "table" not in answer:
        return
    await asyncio.sleep(0.3)
    listed = (await burst.request(cid, "lobby")).get("own")
    if listed is not None and table not in [entry["table"] for entry in listed]:
        burst.harm("somebody lost his seat because another deleted her account")
    await burst.request(bob, "rise", table=table)
    await burst.request(cid, "rise", table=table)


@attack
async def coming_in_while_tokens_are_revoked(burst):
    await asyncio.gather(*(revoke_and_come(burst) for _ in range(8)))


async def revoke_and_come(burst):
    who = await burst.guest()
    answer = await burst.request("POST", "/api/token", {"label": "race"}, who["headers"]) if who else None
    if answer is None or answer.status != 200:
        return
    token = {"headers": {"Authorization": f"Bearer {json.loads(answer.body)['token']}"}}
    *sockets, ended = await asyncio.gather(
        *(burst.socket(token) for _ in range(8)), burst.request("DELETE", "/api/token", headers=who["headers"]))
    if ended is None or ended.status != 200:
        return
    await asyncio.sleep(0.3)
    for socket in sockets:
        if socket and (await burst.request(socket, "create", players=2, listed=False)).get("ok"):
            burst.harm("a revoked token still plays")


# --- all of it --------------------------------------------------------------------------------------------------------


class Enemy:
    def __init__(self, options):
        self.place = wire.Place(options.port, options.proxied)
        self.chance = random.Random(options.seed)
        self.names = options.only.split(",") if options.only else sorted(set(ATTACKS) - set(options.without.split(",")))
        self.workers, self.deck = options.workers, []
        self.attacking, self.over = asyncio.Event(), asyncio.Event()
        self.tally, self.bursts = collections.Counter(), collections.Counter()
        self.lately = collections.deque(maxlen=200)  # (when on the machine's clock, which)
        self.tasks = set()

    def take(self, word):
        if word == "attack":
            self.attacking.set()
        else:
            self.attacking.clear()
            for task in self.tasks:
                task.cancel()
        if word == "evening":
            self.over.set()

    def draw(self):
        """As from a pack of cards: each comes once before one comes again."""
        if not self.deck:
            self.deck = self.chance.sample(self.names, len(self.names))
        return self.deck.pop()

    async def burst(self, name):
        burst = Burst(self, random.Random(self.chance.random()))
        self.lately.append((time.monotonic(), name))
        self.bursts[name] += 1
        try:
            await asyncio.wait_for(ATTACKS[name](burst), BURST_MAX)
        except TimeoutError:
            self.tally["not over in time"] += 1
        except asyncio.CancelledError:
            pass  # a lull
        except (OSError, ValueError, KeyError, TypeError) as error:
            self.tally[f"{name}: {type(error).__name__}"] += 1
        finally:
            burst.close()

    async def work(self):
        while True:
            await self.attacking.wait()
            task = asyncio.create_task(self.burst(self.draw()))
            self.tasks.add(task)
            await task
            self.tasks.discard(task)
            await asyncio.sleep(self.chance.expovariate(1 / REST))

    async def tell_progress(self):
        while True:
            await asyncio.sleep(1)
            wire.say(bursts=self.bursts.total(), lately=list(self.lately), tally=self.tally)

    async def run(self):
        workers = [self.work() for _ in range(self.workers)]
        beside = [asyncio.create_task(work) for work in
                  (wire.Commands(self.take).listen(), self.tell_progress(), *workers)]
        await self.over.wait()
        await asyncio.sleep(0.2)
        for task in beside:
            task.cancel()
        wire.say(report={"bursts": self.bursts, "tally": self.tally})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--proxied", action="store_true")
    parser.add_argument("--workers", type=int, default=6)
    parser.add_argument("--only", default="")
    parser.add_argument("--without", default="")
    parser.add_argument("--seed", type=int, default=1)
    asyncio.run(Enemy(parser.parse_args()).run())
