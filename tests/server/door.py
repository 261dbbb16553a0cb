"""Raw bytes at the door: HTTP, and TLS before it, from clients that pipeline, lie about lengths, hang up half way or
send anything at all. After each of them the server answers at once, and has neither more files open nor its processor
busy.

    tests/server/door.py --seconds 600 --seed 7
"""
import argparse
import collections
import contextlib
import os
import random
import select
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time

from harness import FAR, GRAL, Server, Skipped, claim, eventually, read_all, run_claims, same, serves_a_game

PATIENCE = 1  # seconds
LONGER = 5  # where an honest handshake waits behind two hundred others
SERVER = Server("--patience", str(PATIENCE), "--idle", "2")
QUICK = 5  # seconds: far more than an answer takes, and less than anybody would wait
serves_a_game(SERVER)  # it opens files when they are needed first
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


def post(body=b"{}", *lines, path=b"/api/guest", length=None):
    length = len(body) if length is None else length
    head = [b"POST " + path + b" HTTP/1.1", b"Host: x", b"Content-Length: %d" % length]
    return b"\r\n".join(head + list(lines)) + b"\r\n\r\n" + body


def statuses(data):
    """Of the replies in what came; the body of none has a status line in it."""
    return [int(line.split()[1]) for line in data.split(b"\r\n") if line.startswith(b"HTTP/1.1 ")]


def connect(server, name="localhost", version=None):
    """To send anything, in TLS where the server speaks that."""
    bare = server.raw()
    if server.scheme == "http":
        return bare
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.maximum_version = version or ssl.TLSVersion.TLSv1_3
    return context.wrap_socket(bare, server_hostname=name)


# --- files ------------------------------------------------------------------------------------------------------------


@claim
def pages_to_print_are_served_from_their_folder_and_nothing_else_is():
    page = b"%PDF-1.4\n" + random.Random(1).randbytes(3_000_000)  # more than a queue holds
    with tempfile.TemporaryDirectory(prefix="gral-print-") as folder:
        for name, content in {"gral-de-a4.pdf": page, "empty.pdf": b"", "secret.txt": b"secret"}.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        os.mkdir(os.path.join(folder, "folder.pdf"))
        with Server("--print", folder) as server:
            status, headers, got = server.get("/print/gral-de-a4.pdf")
            same((status, headers["content-type"]), (200, "application/pdf"))
            assert got == page, "it is another file"
            bare = server.raw(b"HEAD /print/gral-de-a4.pdf HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            head = read_all(bare).lower()
            assert head.startswith(b"http/1.1 200") and head.endswith(b"\r\n\r\n") and b"content-length: 3000009" in head, head
            again = server.raw(b"GET /print/gral-de-a4.pdf HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIf-None-Match: %s\r\n\r\n"
                               % headers["etag"].encode())
            same(statuses(read_all(again)), [304])
            for name in ("secret.txt", "empty.pdf", "folder.pdf", "", "../gral-de-a4.pdf", "nothing.pdf", "%2e%2e/gral-de-a4.pdf"):
                same(server.get("/print/" + name)[0], 404, name)
    with Server("--print", os.path.join(folder, "gone")) as server:
        same(server.get("/print/gral-de-a4.pdf")[0], 404)
        serves_a_game(server)


# --- what the system says about the server ----------------------------------------------------------------------------


def files(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def processor_seconds(server):
    with open(f"/proc/{server.process.pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def half_closed(server):
    """How many of its connections wait for it to close them, the others having done so."""
    with open("/proc/net/tcp") as table:
        rows = [line.split() for line in table.readlines()[1:]]
    return sum(row[3] == "08" and int(row[1].split(":")[1], 16) == server.port for row in rows)


def answers_at_once(server):
    begin = time.monotonic()
    with contextlib.closing(connect(server)) as one:
        one.settimeout(QUICK)
        one.sendall(HEALTH)
        same(statuses(one.recv(4096)), [200], "the status of /healthz")
    assert time.monotonic() - begin < QUICK, f"it took {time.monotonic() - begin:.1f} s"


def is_well(server, files_before):
    """It answers, has let go of everybody, and has nothing to do."""
    answers_at_once(server)
    eventually(lambda: files(server) <= files_before, f"only {files_before} open files", FAR)
    eventually(lambda: half_closed(server) == 0, "no connection that only the other side has closed", FAR)
    begin, used = time.monotonic(), processor_seconds(server)
    time.sleep(0.5)
    used, passed = processor_seconds(server) - used, time.monotonic() - begin
    assert used < passed / 2, f"{used:.2f} s of processor time in {passed:.2f} s of nothing to do"


def files_at_rest(server):
    answers_at_once(server)
    eventually(lambda: half_closed(server) == 0, "no connection that only the other side has closed", FAR)
    return files(server)


@contextlib.contextmanager
def leaves_it_well(server=SERVER):
    before = files_at_rest(server)
    yield
    is_well(server, before)


# --- one request behind another ---------------------------------------------------------------------------------------


FIRST = [HEALTH, b"HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n", post(), post(b"x" * 5000), post(b""),
         b"DELETE /api/session HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /healthz HTTP/1.0\r\n\r\n",
         b"GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"]
BEHIND = [HEALTH, post(), post(length=9), post(length=9, body=b""), post(b"x" * 3000), HEALTH * 3, post() * 3, b"G",
          b"\r\n", b"\0", b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", post(b"x" * 100000, length=5)]


@claim
def a_request_with_another_behind_it_is_answered_and_the_server_goes_on():
    with leaves_it_well():
        for first in FIRST:
            for behind in BEHIND:
                one = SERVER.raw(first + behind)
                got = statuses(read_all(one, QUICK))
                one.close()
                same(len(got), 1, f"the number of answers to {first[:20]} and {behind[:20]}: {got}; it")
                answers_at_once(SERVER)


@claim
def a_request_in_two_packets_with_another_behind_it_is_answered():
    with leaves_it_well():
        for first in FIRST:
            for behind in (HEALTH, post(), post(length=9)):
                one = SERVER.raw(first[:-1])
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                time.sleep(0.01)
                one.sendall(first[-1:] + behind)
                assert len(statuses(read_all(one, QUICK))) >= 1, f"no answer to {first[:20]} and {behind[:20]}"
                one.close()


@claim
def who_waits_for_his_answers_keeps_his_connection():
    with leaves_it_well():
        one = SERVER.raw()
        for number in range(100):
            one.sendall(post() if number % 3 == 0 else HEALTH)
            data = b""
            while not data.endswith(b"ok\n" if number % 3 else b"}"):
                got = one.recv(4096)
                assert got, f"the connection has ended before answer {number}"
                data += got
            same(statuses(data), [200 if number % 3 else 400])
            assert b"connection: close" not in data
        one.close()


@claim
def what_waits_behind_a_request_is_announced_as_the_end():
    one = SERVER.raw(HEALTH + b"x" * 10000)  # more than is read with the request
    data = read_all(one, QUICK)
    same(statuses(data), [200])
    assert b"\r\nconnection: close\r\n" in data, f"it is not said: {data}"


# --- what is refused --------------------------------------------------------------------------------------------------


REFUSED = [b"Content-Length: +5", b"Content-Length: -5", b"Content-Length: 5, 5",
           b"Content-Length: 5\r\nContent-Length: 6", b"Content-Length: 0x5", b"Content-Length:",
           b"Content-Length: 5 5", b"Content-Length: " + b"0" * 40 + b"5",
           b"Content-Length: 99999999999999999999", b"Content-Length: 1000000", b"Transfer-Encoding: chunked",
           b"Transfer-Encoding: chunked\r\nContent-Length: 5", b"Transfer-Encoding: identity\r\nContent-Length: 5",
           b"Content-Length: 5\r\nOrigin: http://evil.test", b""]


@claim
def refused_requests_with_more_than_they_said_leave_nothing_behind():
    with leaves_it_well():
        left = []
        for line in REFUSED:
            for rest in (b"", b"hel", b"hello", b"hello and more", b"x" * 50000, b"5\r\nhello\r\n0\r\n\r\n"):
                one = SERVER.raw(b"POST /api/guest HTTP/1.1\r\nHost: x\r\n" + line + b"\r\n\r\n" + rest)
                one.shutdown(socket.SHUT_WR)
                left.append((one, line, rest))
        for one, line, rest in left:
            got = statuses(read_all(one, QUICK))
            assert got in ([403], [411], [413]), f"{line} with {rest[:20]} was answered with {got}"
            one.close()


@claim
def who_does_not_close_after_a_refusal_is_closed():
    with leaves_it_well():
        left = [SERVER.raw(b"POST /api/guest HTTP/1.1\r\nHost: x\r\n" + line + b"\r\n\r\nhello and more")
                for line in REFUSED for _ in range(3)]
        answers_at_once(SERVER)
        eventually(lambda: all(read_all(one, QUICK) for one in left), "the end of all of them")
        # They are still open on this side, and gone on the other.
        answers_at_once(SERVER)
        eventually(lambda: half_closed(SERVER) == 0 and files(SERVER) < len(left), "that they are let go of")
        for one in left:
            one.close()


@claim
def a_refused_request_is_not_done():
    name = b'{"name":"Refused"}'
    with leaves_it_well():
        for lines in ([b"Origin: http://evil.test"], [b"Transfer-Encoding: chunked"], [b"Content-Length: 18"]):
            for behind in (b"", b"x", name, post(name, b"Origin: http://evil.test")):
                one = SERVER.raw(post(name, *lines) + behind)
                data = read_all(one, QUICK)
                assert statuses(data) in ([403], [411]) and b"set-cookie" not in data.lower(), f"{lines}: {data}"
        one = SERVER.raw(post(name))
        same(statuses(one.recv(4096)), [200], "the same name, asked for properly")
        one.close()


# --- half of it -------------------------------------------------------------------------------------------------------


@claim
def a_request_may_be_cut_at_every_byte():
    with leaves_it_well():
        for request, status in ((HEALTH, 200), (post(b'{"name":"x' + b"y" * 60 + b'"}'), 400)):
            for at in range(1, len(request)):
                one = SERVER.raw(request[:at])
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                one.sendall(request[at:])
                same(statuses(one.recv(4096)), [status], f"the answer when cut at {at}")
                one.close()
        one = SERVER.raw()
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in HEALTH:
            one.sendall(bytes([byte]))
            time.sleep(0.001)
        same(statuses(one.recv(4096)), [200])


@claim
def who_hangs_up_at_any_byte_is_forgotten():
    request = post() + HEALTH
    with leaves_it_well():
        for at in range(len(request) + 1):
            for how in ("close", "reset", "half"):
                one = SERVER.raw(request[:at])
                if how == "reset":
                    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                if how == "half":
                    one.shutdown(socket.SHUT_WR)
                    read_all(one, QUICK)
                one.close()


@claim
def who_asks_for_much_and_does_not_read_keeps_nobody_busy():
    before, greedy = files_at_rest(SERVER), []
    for _ in range(50):
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        one.connect(("127.0.0.1", SERVER.port))
        one.setblocking(False)
        greedy.append(one)
    begin, used = time.monotonic(), processor_seconds(SERVER)
    while time.monotonic() < begin + 2:
        for one in greedy:
            with contextlib.suppress(OSError):
                one.send(HEALTH * 100)
        time.sleep(0.1)
    used = processor_seconds(SERVER) - used
    assert used < 1, f"{used:.2f} s of processor time in 2 s"
    for one in greedy:
        one.close()
    is_well(SERVER, before)


# --- many addresses ---------------------------------------------------------------------------------------------------


# Run in a network of its own, in which all of 2001:db8::/32 is this machine: how many of 100 addresses get an answer.
NETWORK = """
import atexit, socket, subprocess, sys
subprocess.run("ip link set lo up && ip -6 route add local 2001:db8::/32 dev lo", shell=True, check=True)
command = [sys.argv[1], "serve", "--address", "*", "--port", "8099", "--database", "memory", "--rate", "0",
           "--connections-per-address", "5"]
server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
atexit.register(server.kill)
server.stdout.readline()
for address in sys.argv[2:]:
    opened = []
    for number in range(100):
        one = socket.socket(socket.AF_INET6)
        one.setsockopt(socket.IPPROTO_IPV6, 78, 1)  # IPV6_FREEBIND: any address may be one's own
        one.bind((address.replace("N", "%02x" % number), 0))
        one.settimeout(10)
        one.connect(("::1", 8099))
        try:
            one.sendall(b"GET /healthz HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
            opened += [one] if one.recv(100) else []
        except ConnectionError:
            pass
    print(len(opened))
server.terminate()
sys.exit(server.wait())
"""


@claim
def who_owns_a_network_gets_a_little_more_than_one_address_and_not_everything():
    inside = ["unshare", "-Urn"]
    if subprocess.run([*inside, "ip", "link"], capture_output=True).returncode != 0:
        raise Skipped("no network of its own can be made here")
    addresses = ["2001:db8:1:1::N", "2001:db8:2:2N::1", "2001:db8:3:N00::1", "2001:db8:4N::1"]
    done = subprocess.run([*inside, sys.executable, "-c", NETWORK, GRAL, *addresses], capture_output=True, text=True,
                          timeout=3 * FAR)
    same(done.returncode, 0, done.stderr + "the status")
    same([int(line) for line in done.stdout.split()], [5, 20, 80, 100],
         "how many of a /64, a /56, a /48 and any come in")


# --- TLS --------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def tls_server(*options, patience=PATIENCE):
    with tempfile.TemporaryDirectory() as folder:
        certificate, key = f"{folder}/certificate.pem", f"{folder}/key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                        "-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost"],
                       check=True, capture_output=True)
        with Server("--certificate", certificate, "--key", key, "--patience", str(patience), *options) as server:
            yield server


def client_hello(name="localhost"):
    """The first bytes of a handshake, and what made them."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    maker = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).wrap_bio(incoming, outgoing, server_hostname=name)
    with contextlib.suppress(ssl.SSLWantReadError):
        maker.do_handshake()
    return outgoing.read()


@claim
def a_handshake_that_is_not_finished_is_not_waited_for():
    with tls_server(patience=LONGER) as server:
        before, hello = files_at_rest(server), client_hello()
        beginnings = [b"", hello[:1], hello[:5], hello[:-1], hello, hello + b"\x14\x03\x03\x00\x01\x01",
                      hello + os.urandom(300)]
        slow = [server.raw(beginning) for beginning in beginnings for _ in range(30)]
        answers_at_once(server)
        for one in slow:
            read_all(one, FAR)  # comes to its end
            one.close()
        is_well(server, before)


@claim
def a_handshake_byte_by_byte_has_no_more_time_than_any_other():
    with tls_server(patience=LONGER) as server:
        begin, hello = time.monotonic(), client_hello()
        one = server.raw()
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            for byte in hello:
                one.sendall(bytes([byte]))
                time.sleep(0.05)
                if select.select([one], [], [], 0)[0] and one.recv(4096) == b"":
                    break
        except ConnectionError:
            pass
        took = time.monotonic() - begin
        assert took < LONGER + QUICK, f"it was listened to for {took:.1f} s"
        answers_at_once(server)


@claim
def what_is_no_handshake_is_hung_up_on():
    chance = random.Random(1)
    with tls_server(patience=LONGER) as server:
        before, hello = files_at_rest(server), client_hello()
        cases = [HEALTH, b"\x16\x03\x01\xff\xff" + b"x" * 100, b"\x80\x2e\x01\x00\x02", b"\0" * 1000, os.urandom(2000)]
        for _ in range(200):
            damaged = bytearray(hello)
            for _ in range(chance.randint(1, 8)):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            cases.append(bytes(damaged))
        opened = [server.raw(case) for case in cases]
        for one in opened:
            read_all(one, FAR)
            one.close()
        is_well(server, before)


@claim
def the_name_in_a_handshake_does_not_matter():
    with tls_server() as server:
        for name in ("localhost", "elsewhere.example", "x" * 60 + ".example", "127.0.0.1", None):
            with connect(server, name) as one:
                one.sendall(HEALTH)
                same(statuses(one.recv(4096)), [200], f"the answer to one who asks for {name}")


@claim
def nobody_may_negotiate_again():
    with tls_server() as server:
        done = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-tls1_2",
                               "-legacy_renegotiation"],
                              input=b"R\nR\nR\n", capture_output=True, timeout=FAR)
        words = (done.stdout + done.stderr).decode(errors="replace")
        assert "RENEGOTIATING" in words and "no renegotiation" in words, words[-2000:]
        answers_at_once(server)


@claim
def over_tls_one_request_behind_another_is_answered_too():
    with tls_server() as server:
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            for first in FIRST:
                for behind in (HEALTH, post(), post(length=9), post(b"x" * 20000), b"G"):
                    with connect(server, version=version) as one:
                        one.sendall(first + behind)
                        got = statuses(read_all(one, QUICK))
                        assert len(got) >= 1, f"no answer to {first[:20]} and {behind[:20]}"
            answers_at_once(server)


# --- anything at all --------------------------------------------------------------------------------------------------


class Storm:
    """Requests put together of good and bad parts, damaged, joined, cut into packets, and ended in every way; some
    connections at a time. All of it comes from one number."""

    METHODS = [b"GET", b"POST", b"HEAD", b"DELETE", b"PUT", b"OPTIONS", b"CONNECT", b"get", b"", b"PRI", b"GET" * 50]
    PATHS = [b"/", b"/healthz", b"/ws", b"/api/guest", b"/api/session", b"/r/x.gral", b"/t/x", b"*", b"relative", b"/%",
             b"/%00", b"/%zz", b"/..", b"//", b"/?a=1&b", b"/?" + b"&" * 300, b"/" + b"a" * 3000, b"/\xff", b"http://x/"]
    VERSIONS = [b"HTTP/1.1"] * 6 + [b"HTTP/1.0", b"HTTP/2.0", b"HTTP/0.9", b"", b"HTTP/1.1 x"]
    LINES = [b"Host: x"] * 6 + REFUSED + [
        b"Content-Length: 2", b"Content-Length: 5", b"Content-Length: 0", b"Connection: close",
        b"Connection: keep-alive", b"Connection: Upgrade", b"Upgrade: websocket", b"Upgrade: h2c", b"Upgrade: tls",
        b"HTTP2-Settings: AAA",
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Version: 8",
        b"Sec-WebSocket-Protocol: gral", b"Sec-WebSocket-Extensions: permessage-deflate", b"Expect: 100-continue",
        b"Cookie: session=x", b"Cookie: " + b"a=b; " * 100, b"Authorization: Bearer x", b"Range: bytes=0-1,1-2",
        b"If-None-Match: *", b"X: y", b"X: " + b"y" * 3000, b": x", b"x", b" folded", b"\0: \0", b"Origin: http://x",
        b"Accept-Encoding: gzip", b"Content-Length: 5\n", b"Transfer-Encoding : chunked"]
    BODIES = [b"", b"", b"{}", b"hello", b"x" * 5000, b"0\r\n\r\n", b"\x81\x85mask\0\0\0\0\0", b"\x88\x80mask",
              b"\x89\x80mask"]

    def __init__(self, server, seed):
        self.server, self.chance, self.cases = server, random.Random(seed), 0
        self.stayed = []  # connections that are open on this side

    def request(self):
        pick = self.chance.choice
        if self.chance.random() < 0.3:
            return pick(FIRST + BEHIND)
        lines = [pick(self.LINES) for _ in range(self.chance.choice([0, 1, 2, 3, 5, 9, 40]))]
        if self.chance.random() < 0.3:
            lines += [b"Upgrade: websocket", b"Connection: Upgrade", b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                      b"Sec-WebSocket-Version: 13"]
        end = pick([b"\r\n"] * 9 + [b"\n"])
        start = b" ".join([pick(self.METHODS[:4] * 5 + self.METHODS), pick(self.PATHS), pick(self.VERSIONS)])
        return end.join([start, *lines, b"", b""]) + pick(self.BODIES)

    def bytes(self):
        data = bytearray(b"".join(self.request() for _ in range(self.chance.choice([1, 1, 2, 2, 3, 10]))))
        for _ in range(self.chance.choice([0, 0, 0, 1, 3, 10])):
            at = self.chance.randrange(len(data) + 1)
            kind = self.chance.randrange(4)
            if kind == 0 and data:
                data[at % len(data)] = self.chance.randrange(256)
            elif kind == 1:
                del data[at:at + self.chance.randrange(20)]
            elif kind == 2:
                data[at:at] = self.chance.choice([b"\r\n", b"\n", b"\0", b":", b" ", b"%", b"\xff" * 9, b"9" * 30])
            else:
                data[at:at] = data[at // 2:at]
        return bytes(data[:60000])

    def pieces(self, data):
        how = self.chance.choice(["one", "one", "two", "few", "bytes"])
        cuts = {"one": 0, "two": 1, "few": 6, "bytes": len(data)}[how]
        if how == "bytes" and len(data) < 400:
            return [data[at:at + 1] for at in range(len(data))]
        marks = sorted(self.chance.randrange(len(data) + 1) for _ in range(min(cuts, 30)))
        return [data[start:end] for start, end in zip([0, *marks], [*marks, len(data)])]

    def end(self, one):
        how = self.chance.choice(["close", "reset", "half", "read", "stay"])
        with contextlib.suppress(OSError):
            if how == "reset":
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            elif how == "half":
                one.shutdown(socket.SHUT_WR)
            elif how == "read":
                one.settimeout(0.01)
                one.recv(100000)
        if how in ("half", "stay"):
            self.stayed.append(one)
        else:
            one.close()

    def step(self, one, left):
        """Sends the next pieces; whether there are more."""
        try:
            for _ in range(self.chance.randint(1, 4)):
                if left:
                    one.send(left.popleft())
        except (BlockingIOError, ssl.SSLWantWriteError):
            pass
        except OSError:
            left.clear()
        if not left:
            self.end(one)
        return bool(left)

    def batch(self, count=150, at_once=15):
        running = []
        for number in range(count):
            one = connect(self.server)
            one.setblocking(False)
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            running.append((one, collections.deque(self.pieces(self.bytes()))))
            self.cases += 1
            while len(running) >= at_once or running and number == count - 1:
                running = [(one, left) for one, left in running if self.step(one, left)]

    def calm(self):
        for one in self.stayed:
            one.close()
        self.stayed.clear()


def storm(server, seed, seconds):
    weather = Storm(server, seed)
    before, end = files_at_rest(server), time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            for _ in range(5):
                weather.batch()
                answers_at_once(server)
            is_well(server, before)  # those who have stayed are let go of as well
            weather.calm()
        except (AssertionError, OSError) as error:
            raise AssertionError(f"seed {seed}, after {weather.cases} connections: {error}") from error
    print(f"# {weather.cases} connections of seed {seed}", flush=True)


@claim
def whatever_is_said_the_server_is_well_afterwards():
    storm(SERVER, OPTIONS.seed, OPTIONS.seconds)
    serves_a_game(SERVER)


@claim
def whatever_is_said_over_tls_the_server_is_well_afterwards():
    with tls_server("--idle", "2") as server:
        storm(server, OPTIONS.seed + 1, OPTIONS.seconds / 2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=f"Raw bytes for {GRAL} serve.")
    parser.add_argument("--seconds", type=float, default=15, help="of anything at all")
    parser.add_argument("--seed", type=int, default=1)
    OPTIONS, sys.argv[1:] = parser.parse_known_args()
    run_claims(SERVER)
