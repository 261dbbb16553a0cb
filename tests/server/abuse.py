"""Clients that do not behave, by clumsiness or on purpose. After each of them the server serves a game as if nothing
had been."""
import json
import os
import random
import socket
import struct
import time

from harness import (FAR, Person, Server, claim, eventually, gather, open_quietly, read_all, run_claims, same,
                     serves_a_game, online_player)

SERVER = Server("--patience", "2", "--queue-max", "200000")
UPGRADE = b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
LIMIT = 16 * 1024  # bytes of one message, unless told otherwise


def bare(server=SERVER, **headers):
    """A WebSocket without manners, greeted."""
    opened = online_player.WebSocket(server.url, headers=headers)
    assert json.loads(opened.receive(FAR))["push"] == "hello"
    return opened


def last_words(opened, timeout=FAR):
    """What comes until the server ends the connection: (messages, how it ended)."""
    messages = []
    try:
        while True:
            message = opened.receive(timeout)
            assert message is not None, f"the connection stays open; came {messages[:3]}"
            messages.append(json.loads(message))
    except ConnectionError as error:
        return messages, str(error)


def ask(opened, text):
    """The answer to a text, or None if that ended the connection."""
    try:
        opened.send(text)
        while True:
            message = opened.receive(FAR)
            assert message is not None, f"no answer to {text[:100]}"
            if "push" not in json.loads(message):
                return json.loads(message)
    except ConnectionError:
        return None


def must_be_refused(text, words=None):
    opened = bare()
    answer = ask(opened, text)
    assert answer is None or answer.get("error"), f"{text[:200]} was answered with {answer}"
    assert words is None or answer is not None and answer["error"] in words, f"{text[:200]} was answered with {answer}"
    opened.close()


# --- messages ---------------------------------------------------------------------------------------------------------


@claim
def what_is_no_json_object_is_refused():
    for text in ["", " ", "null", "true", "1", '"x"', "[]", "[{}]", "{", "}", "{}{}", '{"id":"a","do":"lobby"} x',
                 "{'id':'a'}", '{"id":"a",}',
                 '{"id":"a","do":"lobby"', '{"id":"a","do":"lobby","on":NaN}', '{"id":"a","do":"lobby","on":Infinity}',
                 "\ufeff{}", "// {}",
                 '{"id":"a","id":"b","do":"lobby"}', '{"id":"a","do":"lobby","do":"lobby"}',
                 '{"id":"a","do":"lobby","on":true,"on":false}',
                 '{"id":"a","do":"lobb\\u0000"}', '{"id":"a","do":"\\ud800"}', '{"id":"a","do":"lobby","on":+1}',
                 '{"id":"a\tb","do":"lobby"}',
                 '{"a":' * 2000 + "1" + "}" * 2000, "[" * 16000, '{"id":"a","do":' + "[" * 8000,
                 '{"id":"a","do":"lobby","on":' + "9" * 5000 + "}",
                 '{"id":"a","do":"create","players":1e999}', '{"id":"a","do":"create","players":-1e-999}',
                 '{"id":"a","do":"create","players":0x2}']:
        must_be_refused(text)
    serves_a_game(SERVER)


@claim
def ids_are_1_to_40_plain_characters():
    for name in ["", "x" * 41, "a b", "ä", "a.b", "a\n", None, 7, True, ["a"], {"a": 1}]:
        must_be_refused(json.dumps({"id": name, "do": "lobby"}), ["id"])
    must_be_refused('{"do":"lobby"}', ["id"])
    opened = bare()
    for name in ["a", "-", "_", "0", "x" * 40, "aZ09-_"]:
        same(ask(opened, json.dumps({"id": name, "do": "lobby"}))["re"], name)


REQUESTS = {
    "lobby": {"on": True},
    "create": {"players": 2, "rules": "standard", "first": 1, "limit": 0, "computers": [], "pace": 20, "listed": True,
               "notepad": True,
               "talk": True, "rated": False},
    "watch": {"have": 0}, "unwatch": {}, "sit": {"seat": 2}, "rise": {},
    "act": {"version": 0, "actions": ["done"], "salt": "0" * 64},
    "order": {"order": "pass turn"}, "cancel": {}, "talk": {"text": "x", "to": [2]},
    "offer": {"offer": "agree", "to": [2]}, "mute": {"seat": 2},
    "unmute": {"seat": 2}, "replace": {"seat": 2}, "resign": {}, "back": {}, "draw": {}, "nodraw": {}, "rematch": {},
    "stats": {"name": "Ann"}, "ratings": {"name": "Ann", "class": "2-live"}, "ranking": {"class": "2-live"},
}
WITHOUT_TABLE = {"lobby", "create", "stats", "ratings", "ranking"}
ODD = [None, True, 0, -1, 1.5, 10 ** 30, "", "x", "x" * 300, "\0", [], [1], ["x"], [[]], {}, {"a": 1}, [None] * 300]


@claim
def a_wrong_value_of_any_member_of_any_request_is_refused_or_harmless():
    name, people = gather(SERVER, 3)
    ann = people[0]
    for do, members in REQUESTS.items():
        whole = dict(members) if do in WITHOUT_TABLE else {"table": name, **members}
        for member in whole:
            for value in ODD:
                if type(value) is type(whole[member]) and value not in ("\0", ""):
                    continue  # may well be right
                try:
                    ann._send("odd", do, **{**whole, member: value})
                    answer = ann._read()
                    while "push" in answer:
                        answer = ann._read()
                except ConnectionError:  # what is hardly JSON is an offence, and they are counted
                    ann = ann.again()
                    continue
                word = answer.get("error")
                assert word in ("member", "json", "table", "rules"), f"{do} with {member} = {value!r}: {answer}"
    same(ann.again().watch(name).stage, "playing")
    serves_a_game(SERVER)


@claim
def members_that_do_not_belong_are_refused():
    name, people = gather(SERVER, 2)
    for do, members in REQUESTS.items():
        whole = dict(members) if do in WITHOUT_TABLE else {"table": name, **members}
        for extra in ("x", "__proto__", "Table", "seat " if do != "sit" else "x", "seed"):
            same(people[0].refused(do, **whole, **{extra: 1}), "member", f"the answer to {do} with {extra}")
    for do, members in REQUESTS.items():
        if do not in WITHOUT_TABLE:
            same(people[0].refused(do, **members), "member", f"the answer to {do} without a table")


@claim
def repeated_offences_end_the_connection():
    opened = bare()
    try:
        for _ in range(2000):
            opened.send("[")
    except OSError:
        pass
    messages, end = last_words(opened)
    assert len(messages) < 2000, "it listened to all of it"
    serves_a_game(SERVER)


@claim
def a_giant_message_ends_the_connection_and_nothing_else():
    for size in (LIMIT + 1, 10 * LIMIT, 3_000_000):
        opened = bare()
        try:
            opened.send('{"id":"a","do":"talk","text":"' + "x" * size + '"}')
        except OSError:
            continue
        try:
            answer = opened.receive(FAR)
        except ConnectionError:
            continue
        assert answer and "error" in json.loads(answer), f"{size} bytes: {answer}"
    opened = bare()
    # A head that promises an endless message.
    opened.socket.sendall(b"\x81" + bytes([0x80 | 127]) + struct.pack(">Q", 1 << 62) + b"mask" + b"x" * 1000)
    last_words(opened)
    serves_a_game(SERVER)


@claim
def a_message_of_the_allowed_size_is_read():
    opened = bare()
    head, tail = '{"id":"a","do":"dance', '"}'
    same(ask(opened, head + "x" * (LIMIT - len(head) - len(tail)) + tail)["error"], "request")


@claim
def binary_and_invalid_frames_end_the_connection_or_are_refused():
    for kind, payload in [(online_player.WebSocket.BINARY, b'{"id":"a","do":"lobby"}'),
                          (online_player.WebSocket.TEXT, b'{"id":"a","do":"\xff"}'),
                          (online_player.WebSocket.TEXT, b"\xc3"),
                          (online_player.WebSocket.TEXT, b'{"id":"a\xed\xa0\x80","do":"lobby"}'),
                          (3, b"x"), (11, b"x"), (online_player.WebSocket.PING, b"x" * 126)]:
        opened = bare()
        opened.send_frame(kind, payload)
        try:
            answer = opened.receive(FAR)
        except ConnectionError:
            continue
        assert answer and "error" in json.loads(answer), f"{kind} {payload[:30]}: {answer}"
        opened.close()
    serves_a_game(SERVER)


@claim
def endless_fragments_end_the_connection():
    opened = bare()
    try:
        opened.send_frame(online_player.WebSocket.TEXT, b'{"id":"', last=False)
        for _ in range(100):
            opened.send_frame(0, b"x" * 1000, last=False)
    except OSError:
        pass
    last_words(opened)
    # Empty ones never grow too long, but they never end either.
    opened = bare()
    begin = time.monotonic()
    try:
        opened.send_frame(online_player.WebSocket.TEXT, b"", last=False)
        while time.monotonic() - begin < FAR:
            opened.send_frame(0, b"", last=False)
            time.sleep(0.01)
        raise AssertionError("empty fragments go on for ever")
    except OSError:
        pass
    serves_a_game(SERVER)


@claim
def a_message_that_never_ends_is_not_waited_for():
    opened, half = bare(), bare()
    opened.send_frame(online_player.WebSocket.TEXT, b'{"id":', last=False)
    half.socket.sendall(b"\x81\x90mask" + b"half")
    last_words(opened)
    last_words(half)


@claim
def messages_in_pieces_are_put_together():
    opened = bare()
    text = b'{"id":"pieces","do":"lobby"}'
    opened.send_frame(online_player.WebSocket.TEXT, text[:5], last=False)
    opened.send_frame(online_player.WebSocket.PING, b"between")
    opened.send_frame(0, b"", last=False)
    opened.send_frame(0, text[5:])
    same(json.loads(opened.receive(FAR))["re"], "pieces")
    # And byte by byte on the wire.
    opened.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in bytes([0x81, 0x80 | len(text)]) + bytes(4) + text:
        opened.socket.sendall(bytes([byte]))
    same(json.loads(opened.receive(FAR))["re"], "pieces")


# --- too much, too slow, too many -------------------------------------------------------------------------------------


@claim
def a_flood_is_slowed_down_and_others_do_not_notice():
    with Server("--rate", "5", hasty=False) as server:
        name, (ann, bob) = gather(server, 2, first=1)
        flood = Person(server, "Flood")
        answers, cut_off = [], False
        try:
            for number in range(3000):
                flood.socket.send(json.dumps({"id": f"f{number}", "do": "lobby"}))
            while (message := flood.socket.receive(2)) is not None:
                answers.append(json.loads(message))
        except OSError:
            cut_off = True  # and what it was told before may be lost with the connection
        done = [answer for answer in answers if answer.get("ok")]
        refused = [answer for answer in answers if answer.get("error") == "rate"]
        assert refused or cut_off, f"nothing was refused of {len(answers)} answers"
        assert len(done) < 200, f"{len(done)} of 3000 were done at once"
        open_quietly([ann, bob], name)


@claim
def pings_without_end_are_no_burden():
    opened = bare()
    try:
        for _ in range(5000):
            opened.send_frame(online_player.WebSocket.PING, b"x" * 100)
    except OSError:
        pass
    serves_a_game(SERVER)


@claim
def a_reader_who_never_reads_is_cut_off():
    person = Person(SERVER)
    for _ in range(50):
        person.create(players=12)
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.settimeout(FAR)
    slow.connect(("127.0.0.1", SERVER.port))
    slow.sendall(b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n" % SERVER.port)
    text = b'{"id":"l","do":"lobby"}'
    try:
        for _ in range(20000):
            slow.sendall(bytes([0x81, 0x80 | len(text)]) + bytes(4) + text)
    except ConnectionError:
        pass
    data = read_all(slow)  # ends, because the server has hung up
    assert len(data) < 20_000_000, f"{len(data)} bytes were kept for somebody who does not read"
    serves_a_game(SERVER)


@claim
def a_slow_request_is_not_waited_for():
    beginnings = [b"", b"G", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: x\r\nX: ",
                  b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Length: 3000\r\n\r\n{"]
    slow = {SERVER.raw(beginning): beginning for beginning in beginnings}
    end = time.monotonic() + FAR
    while slow:
        assert time.monotonic() < end, f"these may go on for ever: {slow.values()}"
        time.sleep(0.2)
        for one in list(slow):
            try:
                one.sendall(b"a" if slow[one] else b"")
                one.settimeout(0.001)
                if one.recv(4096) == b"":
                    del slow[one]
            except TimeoutError:
                pass
            except OSError:
                del slow[one]
    serves_a_game(SERVER)


@claim
def hundreds_of_half_open_connections_keep_nobody_out():
    half_open = [SERVER.raw(b"GET /ws HTTP/1.1\r\nHost:" if number % 2 else b"") for number in range(600)]
    serves_a_game(SERVER)
    for one in half_open[:50]:
        read_all(one)  # ends in time
    for one in half_open:
        one.close()
    serves_a_game(SERVER)


@claim
def connections_that_vanish_are_forgotten():
    people = [Person(SERVER) for _ in range(20)]
    name, _ = gather(SERVER, 20 and 2, people[:2])
    for person in people:
        # A reset instead of a farewell.
        person.socket.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        person.socket.socket.close()
    watcher = Person.nobody(SERVER)
    watcher.watch(name)
    watcher.expect(lambda: not any(seat["present"] for seat in watcher.tables[name].seats), "that nobody is there")


@claim
def the_silent_are_pinged_and_the_dead_are_forgotten():
    with Server("--idle", "1") as server:
        person, dead = Person(server), bare(server)
        end = time.monotonic() + FAR
        seen, gone = b"", False
        while not gone:
            assert time.monotonic() < end, "the dead one is never given up"
            person.look(0.05)  # answers its pings, as the dead one does not
            dead.socket.settimeout(0.05)
            try:
                chunk = dead.socket.recv(4096)
                seen, gone = seen + chunk, chunk == b""
            except TimeoutError:
                pass
            except ConnectionError:
                gone = True
        assert b"\x89" in seen, f"no ping came: {seen!r}"
        person.sync()


@claim
def one_address_gets_only_so_many_connections():
    with Server("--connections-per-address", "5", hasty=False) as server:
        opened = [bare(server) for _ in range(5)]
        refused = 0
        for _ in range(5):
            try:
                bare(server).close()
            except OSError:
                refused += 1
        assert refused == 5, f"{refused} of 5 were refused"
        opened.pop().close()

        def comes_in():
            try:
                opened.append(bare(server))
                return True
            except OSError:
                return False
        eventually(comes_in, "room for one more")


@claim
def behind_a_proxy_the_clients_address_counts():
    with Server("--connections-per-address", "3", "--behind-proxy", hasty=False) as server:
        opened = [bare(server, **{"X-Forwarded-For": f"192.0.2.{number}"}) for number in range(8)]
        opened += [bare(server, **{"X-Forwarded-For": "198.51.100.1"}) for _ in range(3)]
        try:
            bare(server, **{"X-Forwarded-For": "203.0.113.9, 198.51.100.1"})
        except OSError:
            pass
        else:
            raise AssertionError("a fourth one from the same address; what a client writes himself is believed")


@claim
def in_all_there_are_only_so_many_connections():
    with Server("--connections", "8", "--connections-per-address", "100", hasty=False) as server:
        opened = []
        try:
            for _ in range(30):
                opened.append(bare(server))
        except OSError:
            pass
        assert len(opened) <= 8, f"{len(opened)} connections"
        for one in opened:
            one.close()

        def is_served():
            try:
                return server.get("/healthz")[0] == 200
            except OSError:
                return False
        eventually(is_served, "that it is served again")


# --- HTTP -------------------------------------------------------------------------------------------------------------


@claim
def garbage_instead_of_http_is_thrown_away():
    chance = random.Random(1)
    pieces = [chance.randbytes(500), b"\0" * 20000,
              b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + chance.randbytes(500), b"\r\n" * 5000,
              b"GET\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
              b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20000 + b"\r\n",
              b"GET /" + b"x" * 100000 + b" HTTP/1.1\r\n\r\n",
              b"GET / HTTP/1.1\r\nHost: " + b"x" * 100000 + b"\r\n\r\n",
              b"GET / HTTP/1.1\r\nCookie: " + b"x" * 100000 + b"\r\n\r\n",
              b"POST /api/guest HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
              b"POST /api/guest HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n{",
              b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n" + b"x" * 100000,
              b"POST /api/guest HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + b"fff\r\n" * 1000,
              UPGRADE + b"Sec-WebSocket-Version: 13\r\n\r\n",
              UPGRADE + b"Sec-WebSocket-Key: x\r\nSec-WebSocket-Version: 99\r\n\r\n"]
    for piece in pieces:
        raw = SERVER.raw()
        try:
            raw.sendall(piece)
            raw.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        data = read_all(raw)
        status = data.split(b"\r\n")[0]
        assert b" 200 " not in status and b" 101 " not in status, f"{piece[:60]!r}: {data[:200]!r}"
        raw.close()
    serves_a_game(SERVER)


@claim
def no_path_leads_out_of_the_house():
    database = SERVER.database.name
    for path in ["/../../../../etc/passwd", "/r/../../../../etc/passwd", "/r/..%2f..%2f..%2fetc%2fpasswd.gral",
                 "/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
                 "/t/../../etc/passwd", f"/{database}", f"/r/{database}", f"/r/../{database}", "//etc/passwd",
                 "/r//etc/passwd", "/r/.gral", "/r/%00.gral",
                 "/..\\..\\etc\\passwd", "/api/../healthz/..", "/.git/config", "/r/AAAAAAAAAAAAAAAAAAAAAA",
                 "/r/AAAAAAAAAAAAAAAAAAAAAA.gral.gral", "/api/people"]:
        raw = SERVER.raw(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        data = read_all(raw)
        status = data.split(b" ")[1] if b" " in data else b"cut off"
        front = status == b"200" and data.endswith(SERVER.get("/")[2])
        page = front or status == b"302" and b"Location: /#/r/AAAA" in data  # which looks for a record, and finds none
        assert page or status in (b"400", b"403", b"404", b"cut off"), f"{path}: {data[:300]!r}"
        assert b"root:" not in data and b"SQLite format" not in data, f"{path}: {data[:300]!r}"
    serves_a_game(SERVER)


@claim
def methods_that_are_not_offered_are_refused():
    for method, path in [("PUT", "/api/guest"), ("TRACE", "/"), ("DELETE", "/api/me"), ("POST", "/r/x.gral"),
                         ("GET", "/api/guest"), ("PATCH", "/api/me"),
                         ("POST", "/healthz"), ("CONNECT", "/")]:
        head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        raw = SERVER.raw(head.encode())
        data = read_all(raw)
        assert not data or data.split(b" ")[1][:1] == b"4", f"{method} {path}: {data[:200]!r}"


@claim
def a_browser_is_told_to_be_careful():
    for path in ("/healthz", "/api/me", "/metrics"):
        _, headers, _ = SERVER.get(path)
        same(headers["X-Content-Type-Options"], "nosniff", f"the header of {path}")
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"], f"{path} may be put in a frame"
        assert not headers["Server"] or "/" not in headers["Server"], f"the version is told: {headers['Server']}"


@claim
def the_server_is_healthy_and_counts():
    same(SERVER.get("/healthz")[0], 200)
    before = SERVER.figures()
    serves_a_game(SERVER)
    after = SERVER.figures()
    assert any(after[name] > before.get(name, 0) for name in after), "nothing is counted"
    assert os.path.exists(SERVER.database)


if __name__ == "__main__":
    run_claims(SERVER)
