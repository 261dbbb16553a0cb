#!/usr/bin/env python3
"""A complete computer player for a game server, in Python, with nothing but the standard library. Try it:

    gral serve --port 8080
    ./online_player.py --server http://127.0.0.1:8080/ --name Ann --create 2
    ./online_player.py --server http://127.0.0.1:8080/ --name Bob --table ID

docs/protocol.md describes every message. To write a player of your own, import this file and keep the first three
classes: `Account` says who you are, `Client` sends requests and stays connected, `Table` is what you know of one game.
Then write another `decide`.

How it plays: it backs one initiate, the one it holds most influence on, and leads him to the grail and home. It makes
others who carry the grail leave it behind. It objects when somebody else leads its favourite away from the grail or
moves him at all once he has it, and when another one comes home with it. It assigns more when somebody has shown as
much on its favourite as it has.
"""
import argparse
import base64
import collections
import hashlib
import http.client
import json
import os
import random
import secrets
import socket
import ssl
import struct
import sys
import time
import urllib.parse

# --- the protocol -----------------------------------------------------------------------------------------------------


class Refused(Exception):
    """The server said no: `word` is for programs, `text` for people."""

    def __init__(self, answer):
        super().__init__(f"{answer['error']}: {answer['text']}")
        self.word, self.text = answer["error"], answer["text"]
        self.wait = answer.get("wait")  # milliseconds until it will be possible, where that is known


class WebSocket:
    """A client's half of RFC 6455: text messages over one socket. Raises ConnectionError when the connection breaks."""

    TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
    MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    def __init__(self, server, path="/ws", headers=None, patience=30):
        """`server` is its URL. After `patience` seconds in silence the server is asked whether it is still there."""
        self.bytes = bytearray()  # come in, not looked at yet
        self.parts = bytearray()  # of a message that is not complete
        self.patience = patience
        url = urllib.parse.urlsplit(server)
        secure = url.scheme in ("https", "wss")
        self.socket = socket.create_connection((url.hostname, url.port or (443 if secure else 80)), patience)
        try:
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if secure:
                self.socket = ssl.create_default_context().wrap_socket(self.socket, server_hostname=url.hostname)
            self._shake_hands(url.netloc, path, headers or {})
        except BaseException:
            self.socket.close()
            raise

    def _shake_hands(self, host, path, headers):
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade",
                 f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self.socket.sendall("\r\n".join(lines + ["", ""]).encode())
        while b"\r\n\r\n" not in self.bytes:
            self._read_more()
        head, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
        status, *lines = head.decode("latin-1").split("\r\n")
        answer = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        accept = base64.b64encode(hashlib.sha1((key + self.MAGIC).encode()).digest()).decode()
        if status.split()[1] != "101" or answer.get("sec-websocket-accept") != accept:
            raise ConnectionRefusedError(status)

    def _read_more(self):
        chunk = self.socket.recv(65536)
        if not chunk:
            raise ConnectionResetError("the server has hung up")
        self.bytes += chunk

    def fileno(self):
        return self.socket.fileno()

    def send_frame(self, kind, payload, last=True):
        """Every frame of a client is masked; four random bytes tell how."""
        head = bytes([(0x80 if last else 0) | kind])
        if len(payload) < 126:
            head += bytes([0x80 | len(payload)])
        elif len(payload) < 65536:
            head += bytes([0x80 | 126]) + struct.pack(">H", len(payload))
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", len(payload))
        mask = os.urandom(4)
        repeated = (mask * (len(payload) // 4 + 1))[:len(payload)]
        masked = int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")
        self.socket.sendall(head + mask + masked.to_bytes(len(payload), "big"))

    def send(self, text):
        self.send_frame(self.TEXT, text.encode())

    def _frame(self):
        """The next whole frame as (last, kind, payload), or None if more bytes must come first."""
        if len(self.bytes) < 2:
            return None
        start, length = 2, self.bytes[1] & 127
        if length >= 126:
            start += 2 if length == 126 else 8
            if len(self.bytes) < start:
                return None
            length = int.from_bytes(self.bytes[2:start], "big")
        if len(self.bytes) < start + length:
            return None
        first, payload = self.bytes[0], bytes(self.bytes[start:start + length])
        del self.bytes[:start + length]
        return bool(first & 0x80), first & 15, payload

    def receive(self, timeout=None):
        """The next message, or None when none has come within `timeout` seconds."""
        end = None if timeout is None else time.monotonic() + timeout
        asked = False
        while True:
            frame = self._frame()
            if frame is None:
                left = self.patience if end is None else max(0.0, end - time.monotonic())
                try:
                    # A timeout of 0 would mean something else to the socket: not to wait for sending either.
                    self.socket.settimeout(max(left, 0.000001))
                    self._read_more()
                except TimeoutError:
                    if end is not None:
                        return None
                    if asked:
                        raise ConnectionAbortedError("the server is silent") from None
                    self.send_frame(self.PING, b"")
                    asked = True
                finally:
                    self.socket.settimeout(self.patience)
                continue
            asked = False
            last, kind, payload = frame
            if kind == self.PING:
                self.send_frame(self.PONG, payload)
            elif kind == self.CLOSE:
                code = int.from_bytes(payload[:2], "big")
                raise ConnectionResetError(f"closed by the server: {code} {payload[2:].decode(errors='replace')}")
            elif kind != self.PONG:
                self.parts += payload
                if last:
                    text, self.parts = self.parts.decode(), bytearray()
                    return text

    def close(self):
        try:
            self.send_frame(self.CLOSE, struct.pack(">H", 1000))
        except OSError:
            pass  # it is gone already
        self.socket.close()


class Account:
    """Who you are, for one server: a guest, a registered name, or the owner of a token."""

    def __init__(self, server, token=None):
        self.server, self.token = server, token
        self.cookie = None  # the session
        self.device = None  # by which the server knows this device after a login; it stays when the session ends

    def headers(self):
        if self.token:
            return {"Authorization": f"Bearer {self.token}"}
        cookies = [cookie for cookie in (self.cookie, self.device) if cookie]
        return {"Cookie": "; ".join(cookies)} if cookies else {}

    def request(self, method, path, body=None, headers=None):
        """One HTTP request; returns (status, headers, bytes)."""
        url = urllib.parse.urlsplit(self.server)
        secure = url.scheme == "https"
        connection = (http.client.HTTPSConnection if secure else http.client.HTTPConnection)(url.netloc, timeout=30)
        try:
            content = None if body is None else json.dumps(body)
            kind = {} if body is None else {"Content-Type": "application/json"}
            connection.request(method, path, content, {**self.headers(), **kind, **(headers or {})})
            answer = connection.getresponse()
            for cookie in answer.headers.get_all("Set-Cookie", []):
                if cookie.startswith("gral-device="):
                    self.device = cookie.split(";")[0]
                else:
                    self.cookie = cookie.split(";")[0]
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def ask(self, method, path, body=None):
        """A request that is answered with JSON."""
        status, _, text = self.request(method, path, body)
        answer = json.loads(text)
        if status != 200:
            raise Refused(answer)
        return answer

    def guest(self, name):
        return self.ask("POST", "/api/guest", {"name": name})

    def register(self, name, password):
        return self.ask("POST", "/api/register", {"name": name, "password": password})

    def login(self, name, password):
        return self.ask("POST", "/api/login", {"name": name, "password": password})


class Table:
    """What you know of one table. The server pushes the parts that have changed; `take` puts them in their place."""

    PARTS = ("terms", "stage", "version", "seats", "round", "view", "you")

    def __init__(self, name):
        self.id = name
        self.terms = self.stage = self.version = self.seats = self.round = self.view = None
        self.you = {}
        self.happened = []

    def take(self, push):
        for part in self.PARTS:
            if part in push:
                setattr(self, part, push[part])
        if "from" in push:
            self.happened[push["from"]:] = push["happened"]

    def asked(self):
        return self.stage == "playing" and bool(self.you.get("asked"))


class Client:
    """A connection that stays: when it breaks it is opened again, the tables are watched from where they were, and a
    request that was not answered is sent again with the same id, so that it is done once."""

    WAITS = [0.1, 0.2, 0.5, 1, 2, 5]  # seconds before each new try to connect; the last one is repeated
    WebSocket, Table = WebSocket, Table

    def __init__(self, account):
        self.account = account
        self.tables = {}
        self.pushes = collections.deque()  # come in, not waited for yet
        self.prefix, self.count = secrets.token_hex(6), 0  # together they make ids that are never used twice
        self.socket = self.hello = None
        self.connect()

    def connect(self):
        self.socket = self.WebSocket(self.account.server, headers=self.account.headers())
        self.hello = self._read()
        for table in self.tables.values():
            self._send(self.new_id(), "watch", table=table.id, have=len(table.happened))

    def new_id(self):
        self.count += 1
        return f"{self.prefix}-{self.count}"

    def _send(self, name, do, /, **members):
        self.socket.send(json.dumps({"id": name, "do": do, **members}))

    def _read(self, timeout=None):
        """The next message, or None when the time is over. What it says about tables is noted."""
        text = self.socket.receive(timeout)
        if text is None:
            return None
        message = json.loads(text)
        if message.get("push") == "table":
            table = self.tables.get(message["table"])
            if table is not None:
                table.take(message)
        if "push" in message:
            self.pushes.append(message)
        return message

    def lost(self, error):
        """The connection has broken: comes back when there is a new one."""
        self.socket.close()
        for attempt in range(1000):
            time.sleep(self.WAITS[min(attempt, len(self.WAITS) - 1)])
            try:
                self.connect()
                return
            except ConnectionRefusedError as refusal:
                if refusal.errno is None:  # not the network's: the server is there and does not want us
                    raise
            except OSError:
                pass
        raise error

    def request(self, do, /, **members):
        """Sends a request and returns the answer, however often the connection breaks in between."""
        name = self.new_id()
        sent = False
        while True:
            try:
                if not sent:
                    self._send(name, do, **members)
                    sent = True
                message = self._read()
            except OSError as error:
                self.lost(error)
                sent = False
                continue
            if message.get("re") != name:
                continue
            if "error" in message:
                raise Refused(message)
            return message

    def watch(self, table):
        """Opens a table: from now on it is kept up to date. Returns it when the first push has come."""
        known = self.tables[table] = self.Table(table)
        try:
            self.request("watch", table=table, have=0)
        except Refused:
            del self.tables[table]
            raise
        while known.stage is None:
            self.wait()
        return known

    def wait(self):
        """The next push, whatever it is about."""
        while not self.pushes:
            try:
                self._read()
            except OSError as error:
                self.lost(error)
        return self.pushes.popleft()

    def act(self, table, actions):
        """Does something at a table; an assignment is sealed with a salt of our own."""
        salt = {"salt": secrets.token_hex(32)} if actions[-1] == "done" else {}
        return self.request("act", table=table.id, version=table.version, actions=actions, **salt)

    def close(self):
        self.socket.close()


# --- the player -------------------------------------------------------------------------------------------------------

PAWNS = ["T1", "T2", "A1", "A2", "I1", "I2", "R1", "R2"]
UNITS = [10, 5, 4, 3, 2, 1]
HEADQUARTERS = {"T": "a1", "A": "e1", "I": "e5", "R": "a5"}


def distance(one, other):
    return abs(ord(one[0]) - ord(other[0])) + abs(ord(one[1]) - ord(other[1]))


class Position:
    """What a table says, in the words this player thinks in."""

    def __init__(self, table):
        view, you = table.view, table.you
        self.phase, self.grail, self.legal = view["phase"], view["grail"], you["legal"]
        self.field = {pawn: field for pawn, field in zip(PAWNS, view["pawns"]) if field != "-"}
        self.proposal = (view["proposal"] or "").split()
        self.mine = dict(zip(PAWNS, you["influence"]))
        self.units = dict(zip(UNITS, you["units"]))
        others = [known for seat, known in enumerate(view["known"], 1) if seat != you["seat"]]
        self.shown = {pawn: max(known[index] for known in others) for index, pawn in enumerate(PAWNS)}
        self.favourite = max(self.field, key=self.mine.get)
        # In The Original a player, not a society, owns each headquarters, and whoever arrives there with the grail
        # wins for its owner.
        original = table.terms["rules"] == "original"
        own = table.terms.get("hq", "TAIR")[you["seat"] - 1] if original else None
        self.home = {pawn: HEADQUARTERS[own or pawn[0]] for pawn in PAWNS}
        self.ends = {pawn: set(HEADQUARTERS.values()) if original else {HEADQUARTERS[pawn[0]]} for pawn in PAWNS}

    def has_grail(self, pawn):
        """Whether he carries it, or can take it along when he sets off."""
        return self.grail in (pawn, self.field[pawn])

    def goal(self, pawn):
        """Where we want him; None when there is nothing for him to do."""
        if self.has_grail(pawn):
            return self.home[pawn]
        return None if self.grail in PAWNS else self.grail

    def cost_of_step(self, pawn, to):
        """How good it is for us that he goes there: small is good."""
        if pawn == self.favourite:
            return distance(to, self.goal(pawn)) if self.goal(pawn) else 50
        if pawn == self.grail:  # away from home, and we make him leave the grail
            return 20 - min(distance(to, end) for end in self.ends[pawn])
        return 100

    def place(self, pawn, points):
        """The largest units first, until so many points are placed or none are left."""
        placements = []
        for unit, count in self.units.items():
            for _ in range(count):
                if points > 0:
                    placements.append(f"place {unit} {pawn}")
                    points -= unit
                    self.units[unit] -= 1
        return placements

    def least(self, verb, otherwise):
        """The least of "object 3..17" as "object 3", or the other word if there is none."""
        for line in self.legal:
            if line.startswith(verb + " "):
                return line.split("..")[0]
        return otherwise


class Player:
    """Decides for one game. Each method is for one phase, and returns the list of actions to do now."""

    def __init__(self, chance=random):
        self.first, self.second = chance.sample(PAWNS, 2)

    def decide(self, table):
        position = Position(table)
        return getattr(self, position.phase)(position)

    def opening(self, position):
        """Most on one initiate, something on a second, and the rest stays for later."""
        return position.place(self.first, 40) + position.place(self.second, 20) + ["done"]

    def placing(self, position):
        pawn = position.favourite
        return position.place(pawn, position.shown[pawn] + 6 - position.mine[pawn]) + ["done"]

    def turn(self, position):
        pawn = position.favourite
        if any(position.units.values()) and position.shown[pawn] >= position.mine[pawn] and "assign" in position.legal:
            return ["assign"] + self.placing(position)
        steps = [line for line in position.legal if line.startswith("step") and " x " not in line]
        return [min(steps, key=lambda step: position.cost_of_step(*step.split()[1:]), default=position.legal[0])]

    def objection(self, position):
        if position.proposal[0] != "step":
            return ["pass"]
        pawn, to = position.proposal[1:3]
        bad = position.has_grail(pawn)
        if pawn != position.favourite:
            bad = bad and to in position.ends[pawn]
        elif position.grail not in PAWNS:
            bad = bad or distance(to, position.grail) > distance(position.field[pawn], position.grail)
        return [position.least("object", "pass") if bad else "pass"]

    def answer(self, position):
        return [position.least("claim", "yield")]

    def grail(self, position):
        return ["keep" if position.proposal[1] == position.favourite else "leave"]


# --- sitting down and playing -----------------------------------------------------------------------------------------


def play(client, table, player):
    """One game to its end; returns the result."""
    while table.stage != "over":
        if not table.asked():
            client.wait()
            continue
        known = table.version, table.you
        try:
            client.act(table, player.decide(table))
        except Refused as refusal:
            if refusal.word not in ("version", "turn", "answered", "over"):
                raise  # else the game went on before we had heard of it: a clock, another connection of ours
        while table.stage != "over" and (table.version, table.you) == known:
            client.wait()  # what we know is older than the answer until the push comes
    return table.view["result"]


def sit_down(client, options):
    """The id of the table where we have a seat."""
    if options.create:
        terms = {"pace": 0}  # programs need not wait for each other
        if options.limit:
            terms["limit"] = options.limit
        return client.request("create", players=options.create, rules=options.rules, **terms)["table"]
    try:
        client.request("sit", table=options.table)
    except Refused as refusal:
        if refusal.word != "seated":  # from an earlier run of this program
            raise
    return options.table


def main():
    parser = argparse.ArgumentParser(description="A computer player for a gral server.")
    parser.add_argument("--server", default="http://127.0.0.1:8080/", help="its URL")
    who = parser.add_mutually_exclusive_group(required=True)
    who.add_argument("--name", help="come as a guest with this name")
    who.add_argument("--token", help="come as the owner of this token")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--table", help="sit down at this table")
    where.add_argument("--create", type=int, metavar="PLAYERS", help="make a table for so many")
    parser.add_argument("--rules", choices=["standard", "original"], default="standard")
    parser.add_argument("--limit", type=int, help="turns until a draw")
    parser.add_argument("--games", type=int, default=1, help="play so many games, each a rematch of the one before")
    options = parser.parse_args()

    account = Account(options.server, options.token)
    if options.name:
        account.guest(options.name)
    client = Client(account)
    place = sit_down(client, options)
    for game in range(1, options.games + 1):
        table = client.watch(place)
        print(f"game {game}: {urllib.parse.urljoin(options.server, '/t/' + place)}", flush=True)
        result = play(client, table, Player())
        print(f"game {game}: {result or 'no result'}", flush=True)
        if game < options.games:
            place = client.request("rematch", table=place)["table"]
    client.close()


if __name__ == "__main__":
    try:
        main()
    except (Refused, OSError) as problem:
        sys.exit(f"online_player.py: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
