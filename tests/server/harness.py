"""What the tests of the server have in common: claims that are counted, a real server that can be stopped, killed and
started again, and people who play there."""
import atexit
import contextlib
import json
import os
import pathlib
import random
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))
import online_player  # noqa: E402  (the folder must be known first)
from online_player import Refused  # noqa: E402,F401  (for the tests)

import postgres  # noqa: E402  (beside this file)

GRAL = os.environ.get("GRAL", str(ROOT / "build" / "gral"))
FAR = 60  # seconds: what takes so long will never come

# Servers keep their data in memory where there is room: on a disk most of the time would be waiting for it, the more the
# more suites run side by side. What a killed server leaves behind is the same; slow disks are machine.py's.
MEMORY = "/dev/shm"
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 1 << 30:
    tempfile.tempdir = MEMORY

# --- claims -----------------------------------------------------------------------------------------------------------


class Skipped(Exception):
    """The claim cannot be tested here."""


_claims = []


def claim(function):
    """A test: its name is a sentence that must be true."""
    _claims.append(function)
    return function


def about_time(function):
    """Of a claim about times and amounts, not about memory: of the program as it is released. Sanitizers would find in it
    what they find in the others, and take three times as long."""
    if os.environ.get("GRAL_SANITIZED"):
        _claims.remove(function)
    return function


def run_claims(server=None):
    """Tests them in order, or those named on the command line, and speaks TAP about it. The server that they have
    shared must have got through all of it."""
    chosen = [function for function in _claims if len(sys.argv) < 2 or function.__name__ in sys.argv[1:]]
    if server:
        def the_server_has_no_complaints_and_stops_when_told():
            server.stop()
        chosen.append(the_server_has_no_complaints_and_stops_when_told)
    print(f"1..{len(chosen)}")
    failed = False
    for number, function in enumerate(chosen, 1):
        begin = time.monotonic()
        try:
            function()
        except Skipped as reason:
            print(f"ok {number} - {function.__name__} # SKIP {reason}", flush=True)
        except Exception:
            failed = True
            lines = traceback.format_exc().splitlines() + (server.errors[-10:] if server else [])
            print("".join(f"# {line.rstrip()}\n" for line in lines), end="")
            print(f"not ok {number} - {function.__name__}", flush=True)
        else:
            print(f"ok {number} - {function.__name__} # {time.monotonic() - begin:.1f} s", flush=True)
        if server and not server.alive() and function is not chosen[-1]:
            print("# the server is dead", flush=True)
            server.start()
    sys.exit(failed)


def same(got, expected, what="it"):
    assert got == expected, f"{what} is {got!r}, not {expected!r}"


def eventually(condition, what, seconds=FAR):
    """For what happens in another process: true within the time, or the claim fails."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"never came true: {what}"
        time.sleep(0.01)


# Some suites are run once more with GRAL_STORE=postgres: each folder has a database of its own there.
POSTGRES = postgres.Postgres() if os.environ.get("GRAL_STORE") == "postgres" and postgres.programs() else None
if POSTGRES:
    atexit.register(POSTGRES.leave)
elif os.environ.get("GRAL_STORE") == "postgres":
    print("1..0 # SKIP PostgreSQL is not installed")
    sys.exit()
_databases = {}


def database_in(folder):
    if not POSTGRES:
        return folder / "gral.sqlite"
    if folder not in _databases:
        _databases[folder] = POSTGRES.make(f"gral_{len(_databases)}")
    return _databases[folder]


# --- the server -------------------------------------------------------------------------------------------------------


class Server:
    """The real program on a port of its own, with a database in a folder that goes away with it."""

    # The tests hurry; what they measure has its own options.
    HASTY = ["--rate", "0", "--connections-per-address", "5000", "--tables-per-user", "1000",
             "--computers-per-user", "10000"]

    def __init__(self, *options, folder=None, database=None, hasty=True, environment=None, limits=None):
        self.options = (self.HASTY if hasty else []) + list(options)
        self.own_folder = None if folder else tempfile.TemporaryDirectory(prefix="gral-server-")
        self.folder = pathlib.Path(folder or self.own_folder.name)
        self.database = database or database_in(self.folder)
        self.environment, self.limits = environment, limits
        self.errors = []  # lines of its standard error, of all its lives
        self.port = 0
        self.process = self.reader = None
        atexit.register(self.leave)
        self.start()

    def command(self):
        return [GRAL, "serve", "--address", "127.0.0.1", "--port", str(self.port), "--database", str(self.database),
                *self.options]

    def start(self):
        """The first time on any port, later on the same: clients come back to where they were."""
        self.process = subprocess.Popen((self.limits or []) + self.command(), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                                        env={**os.environ, **(self.environment or {})})
        self.reader = threading.Thread(target=self._read_errors, args=(self.process,), daemon=True)
        self.reader.start()
        line = self.process.stdout.readline()
        ready = re.fullmatch(r"gral serve: (https?)://127\.0\.0\.1:(\d+)/\n", line)
        if ready is None:
            self.process.kill()
            self.process.wait()
            self.reader.join()
            raise AssertionError(f"the server did not start: {line!r} " + "".join(self.errors[-20:]))
        self.scheme, self.port = ready[1], int(ready[2])
        self.url = f"{self.scheme}://127.0.0.1:{self.port}/"

    def _read_errors(self, process):
        for line in process.stderr:
            self.errors.append(line)

    def log(self):
        return "".join(self.errors)

    def stop(self):
        """As an operator does; it must end by itself, without complaint, and soon."""
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(FAR)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGABRT)
            self.process.wait()
            raise AssertionError("the server does not stop on SIGTERM") from None
        self._bury()
        same(status, 0, "the status of the stopped server: " + "".join(self.errors[-40:]) + "\nit")

    def kill(self):
        """As a power cut does."""
        self.process.kill()
        self.process.wait()
        self._bury()

    def _bury(self):
        self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()
        complaints = [line for line in self.errors if "Sanitizer" in line or "runtime error" in line]
        assert not complaints, "".join(self.errors[-60:])

    def restart(self, kill=False):
        if kill:
            self.kill()
        else:
            self.stop()
        self.start()

    def alive(self):
        return self.process is not None and self.process.poll() is None

    def leave(self):
        """Whatever has gone wrong: no process and no file stays behind."""
        if self.alive():
            self.process.kill()
            self.process.wait()
        if self.own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                self.stop()
            else:
                print("".join(f"# server: {line.rstrip()}\n" for line in self.errors[-20:]), end="")
        finally:
            self.leave()

    # What anybody may ask of it.

    def get(self, path):
        return online_player.Account(self.url).request("GET", path)

    def record(self, table):
        status, _, text = self.get(f"/r/{table}.gral")
        same(status, 200, "the status of the record")
        return text.decode()

    def figures(self):
        """/metrics as {name with labels: value}."""
        status, _, text = self.get("/metrics")
        same(status, 200, "the status of the metrics")
        lines = [line for line in text.decode().splitlines() if line and not line.startswith("#")]
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}

    def raw(self, data=b"", timeout=FAR):
        """A bare socket, for clients that do not behave."""
        bare = socket.create_connection(("127.0.0.1", self.port), timeout)
        if data:
            bare.sendall(data)
        return bare


class Servers:
    """Several processes on one database; whoever comes is sent to one after the other. To be used as if they were one."""

    def __init__(self, servers):
        self.all, self.turn = servers, 0

    @property
    def here(self):
        """Where the next one goes."""
        there = [server for server in self.all if server.alive()] or self.all
        self.turn += 1
        return there[self.turn % len(there)]

    @property
    def url(self):
        return self.here.url

    @property
    def port(self):
        return self.here.port

    @property
    def errors(self):
        return [line for server in self.all for line in server.errors]

    def log(self):
        return "".join(self.errors)

    def alive(self):
        return all(server.alive() for server in self.all)

    def start(self):
        for server in self.all:
            if not server.alive():
                server.start()

    def stop(self):
        for server in self.all:
            server.stop()

    def restart(self, kill=False):
        for server in self.all:
            server.kill() if kill else server.stop()
        self.start()

    def get(self, path):
        return self.here.get(path)

    def figures(self):
        """Of one of them."""
        return self.all[0].figures()

    def record(self, table):
        return self.here.record(table)

    def raw(self, data=b"", timeout=FAR):
        return self.here.raw(data, timeout)


def serve(*options, **others):
    """A server; where GRAL_SERVERS says so, several on one database. What is asked of one is true of all."""
    count = int(os.environ.get("GRAL_SERVERS", "1"))
    if count == 1:
        return Server(*options, **others)
    first = Server(*options, **others)
    return Servers([first] + [Server(*options, database=first.database, **others) for _ in range(count - 1)])


def read_all(bare, timeout=FAR):
    """What comes until the other side hangs up; a reset is an end too."""
    bare.settimeout(timeout)
    data = b""
    try:
        while chunk := bare.recv(65536):
            data += chunk
    except ConnectionError:
        pass
    return data


def verify(*records):
    """What `gral verify` says about the texts of records: (status, words)."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder, f"{number}.gral") for number in range(len(records))]
        for path, record in zip(paths, records):
            path.write_text(record)
        done = subprocess.run([GRAL, "verify", *paths], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "LC_ALL": "C"})
    return done.returncode, done.stdout + done.stderr


def must_verify(record):
    status, words = verify(record)
    assert status == 0, f"the record does not verify: {words}\n{record}"


# --- requests that wait for each other ----------------------------------------------------------------------------------


@contextlib.contextmanager
def at_once(server):
    """What is sent here has all come in, in this order, before the server does the first of it; each of several, what was
    sent to it."""
    processes = [one.process for one in (server.all if isinstance(server, Servers) else [server])]
    for process in processes:
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED)
    try:
        yield
    finally:
        for process in processes:
            process.send_signal(signal.SIGCONT)


def send(person, do, **members):
    """A request whose answer is read later; returns its id."""
    name = person.new_id()
    person._send(name, do, **members)
    return name


def answers(person, ids):
    """The answers to requests that were sent, in their order."""
    found = {}
    while len(found) < len(ids):
        message = person._read()
        if message.get("re") in ids:
            assert message["re"] not in found, f"answered twice: {message}"
            found[message["re"]] = message
    return [found[name] for name in ids]


def words(person, ids):
    return [answer.get("error", "ok") for answer in answers(person, ids)]


def answered_by(record, seat, players):
    """What a seat must have been answered for so that this is the record: its actions, and None for a hidden answer
    that was not needed, because somebody before it had objected (Q13)."""
    actions, active = [], None
    for line in record.splitlines():
        if not line[:1].isdigit():
            continue
        who, action = line.split(";")[0].strip().split(": ", 1)
        who, verb = int(who), action.split()[0]
        if verb in ("step", "uncover"):
            active = who
        if who == seat:
            actions.append(action)
        elif verb == "object" and seat != active and (seat - active) % players > (who - active) % players:
            actions.append(None)
    return actions


# --- people -----------------------------------------------------------------------------------------------------------


class KeepingSocket(online_player.WebSocket):
    """Keeps every message as it came."""

    def __init__(self, *arguments, **options):
        self.frames = []
        super().__init__(*arguments, **options)

    def receive(self, timeout=None):
        text = super().receive(timeout)
        if text is not None:
            self.frames.append(text)
        return text


class Person(online_player.Client):
    """Somebody at a browser. A broken connection is an error unless he `persists`."""

    WAITS = [0.01, 0.02, 0.05, 0.1]
    WebSocket = KeepingSocket
    persists = False
    named = 0

    def __init__(self, server, name=None, account=None):
        self.server = server
        if account is None:
            account = online_player.Account(server.url)
            if name is None:
                Person.named += 1
                name = f"Person {chr(65 + Person.named // 26 % 26)}{chr(65 + Person.named % 26)}{Person.named}"
            account.guest(name)
        elif isinstance(server, Servers):
            account.server = server.url  # he is known to all of them
        self.name = name
        super().__init__(account)

    @classmethod
    def nobody(cls, server):
        return cls(server, account=online_player.Account(server.url))

    def again(self):
        """Another connection of the same person."""
        return Person(self.server, self.name, self.account)

    def at(self, server):
        """The same person with a connection to another server that has the same database."""
        account = online_player.Account(server.url, self.account.token)
        account.cookie, account.device = self.account.cookie, self.account.device
        return Person(server, self.name, account)

    def lost(self, error):
        if not self.persists:
            raise error
        super().lost(error)

    def _read(self, timeout=FAR):
        message = super()._read(timeout)
        assert message is not None, "nothing comes"
        return message

    def look(self, timeout=0.0):
        """Takes in one message if it is there within the time; returns it, or None."""
        try:
            return online_player.Client._read(self, timeout)
        except OSError as error:
            self.lost(error)
            return None

    def refused(self, do, /, **members):
        """The word with which a request is refused, which it must be."""
        try:
            answer = self.request(do, **members)
        except Refused as refusal:
            assert refusal.text, "an error without a sentence"
            return refusal.word
        raise AssertionError(f"{do} {members} was not refused: {answer}")

    def sync(self):
        """When this is answered, everything that was pushed to us before has come."""
        return self.refused("dance")

    def expect(self, condition, what="what was waited for", seconds=FAR):
        """Reads until the condition holds."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"never came: {what}"
            self.look(0.1)

    def asked_at(self, name):
        """The table, when we are asked there and know everything that has happened so far."""
        self.sync()
        self.expect(lambda: self.tables[name].asked(), "to be asked")
        return self.tables[name]

    def do(self, name, *actions):
        """Acts at a table as soon as we are asked."""
        return self.act(self.asked_at(name), list(actions))

    def create(self, **terms):
        return self.request("create", **{"pace": 0, **terms})["table"]

    def sit_at(self, name, **members):
        self.request("sit", table=name, **members)
        return self.watch(name)


def registered(server, name=None):
    """Somebody with a password, "in the cellar"."""
    Person.named += 1
    name = name or f"Member {Person.named}"
    account = online_player.Account(server.url)
    account.register(name, "in the cellar")
    return Person(server, name, account)


def pushed(person, kind, seconds=FAR, **members):
    """The next push of this kind with these members, of all that have come and will."""
    def fits(text):
        push = json.loads(text)
        return push.get("push") == kind and all(push.get(key) == value for key, value in members.items())
    person.expect(lambda: any(fits(frame) for frame in person.socket.frames), f"a push {kind} {members}", seconds)
    at = next(index for index, frame in enumerate(person.socket.frames) if fits(frame))
    return json.loads(person.socket.frames.pop(at))


def heard(person, kind):
    """All pushes of this kind that have come so far."""
    person.sync()
    return [push for push in map(json.loads, person.socket.frames) if push.get("push") == kind]


def gather(server, count, people=None, watch=True, **terms):
    """A table with all its seats taken, and the people on them in their order: (id, people)."""
    people = people or [Person(server) for _ in range(count)]
    name = people[0].create(players=terms.pop("players", count), **terms)
    for seat, person in enumerate(people[1:], 2):
        person.request("sit", table=name, seat=seat)
    if watch:
        for person in people:
            person.watch(name)
    return name, people


def ranked_above(high, low):
    """How often one of the first is above one of the second; a half where nothing can be seen."""
    pairs = [(a > b) + 0.5 * (a == b) for a in high for b in low]
    return sum(pairs) / len(pairs)


def latency(person, name, number):
    """How long the table's log takes for something that has nothing to do with the game."""
    begin = time.monotonic()
    person.request("mute" if number % 2 == 0 else "unmute", table=name, seat=3)
    return time.monotonic() - begin


def wait_for_any(people, timeout=FAR):
    """Until something has come in for one of them, and takes it in."""
    if not any([take_in(person) for person in people]):  # what is there may have been read from the socket already
        ready, _, _ = select.select(people, [], [], timeout)
        assert ready, "nothing happens any more: " + ", ".join(f"{one.name}: {describe(one)}" for one in people)
        for person in ready:
            take_in(person)


def take_in(person):
    """Everything that has come; whether there was anything."""
    count = 0
    while person.look() is not None:
        count += 1
    return count > 0


def describe(person):
    return "; ".join(f"{table.stage} v{table.version} {table.round} asked={table.you.get('asked')}"
                     f" {(table.view or {}).get('phase')}" for table in person.tables.values())


# select wants a file number.
online_player.Client.fileno = lambda self: self.socket.fileno()


def unfold(legal, chance):
    """One of the legal actions, with a figure in it."""
    action = chance.choice(legal)
    if ".." in action:
        verb, figures = action.split()
        low, high = figures.split("..")
        action = f"{verb} {chance.randint(int(low), int(high))}"
    return action


def random_actions(table, chance):
    """Anything legal, but so that games move on: objections are rare, assignments short."""
    phase, legal = table.view["phase"], table.you["legal"]
    if phase == "opening":
        units = [unit for unit, count in zip(online_player.UNITS, table.you["units"]) for _ in range(count)]
        chosen = chance.sample(units, chance.randint(0, len(units) // 2))
        return [f"place {unit} {chance.choice(online_player.PAWNS)}" for unit in chosen] + ["done"]
    if phase == "placing":
        places = [action for action in legal if action.startswith("place")]
        return ([chance.choice(places)] if places and chance.random() < 0.7 else []) + ["done"]
    if phase == "turn":
        # By kind first, or the many steps would hide the rest.
        kinds = {}
        for action in legal:
            kinds.setdefault("x" if " x " in action else action.split()[0], []).append(action)
        action = chance.choice(kinds[chance.choice(sorted(kinds))] if chance.random() < 0.5 else legal)
        if action != "assign":
            return [action]
        alive = [pawn for pawn, field in zip(online_player.PAWNS, table.view["pawns"]) if field != "-"]
        pawn = chance.choice(alive)
        units = [unit for unit, count in zip(online_player.UNITS, table.you["units"]) for _ in range(count)]
        chosen = chance.sample(units, min(len(units), chance.randint(0, 3)))
        return ["assign"] + [f"place {unit} {pawn}" for unit in chosen] + ["done"]
    if phase == "objection" and chance.random() < 0.7:
        return ["pass"]
    return [unfold(legal, chance)]


def play_on(people, name, decide=None, until=None, chance=None):
    """Lets people act whenever they are asked, until the game is over or `until(table)`. Everybody must be watching."""
    chance = chance or random.Random(1)
    decide = decide or (lambda person, table: random_actions(table, chance))
    until = until or (lambda table: False)
    done = {}  # what each knew when he acted last: nobody acts twice on the same knowledge

    def finished():
        return all(person.tables[name].stage == "over" or until(person.tables[name]) for person in people)

    while not finished():
        acted = False
        for person in people:
            table = person.tables[name]
            knows = table.version, json.dumps(table.you)
            if table.asked() and not until(table) and done.get(person) != knows:
                done[person] = knows
                actions = decide(person, table)
                acted = True
                if actions is None:
                    continue
                try:
                    person.act(table, actions)
                except Refused as refusal:
                    # A computer or the clock was quicker; anything else is a fault of the test or the server.
                    if refusal.word not in ("version", "turn", "over", "answered"):
                        raise AssertionError(f"{person.name}: {actions} {table.view} {table.you}: {refusal}") from None
        if not acted and not finished():
            wait_for_any(people)


def act_at(person, name, acted, chance):
    """Does something at a table if he is asked there, and has not acted on the same knowledge before."""
    if name not in person.tables:
        try:
            person.watch(name)
        except Refused as refusal:  # the server was killed before it was made, and is about to make it
            same(refusal.word, "table", "the refusal")
            return
    person.sync()
    table = person.tables[name]
    knows = table.version, json.dumps(table.you)
    if not table.asked() or acted.get((person, name)) == knows:
        return
    acted[person, name] = knows
    try:
        person.act(table, random_actions(table, chance))
    except Refused as refusal:
        assert refusal.word in ("version", "turn", "over", "answered"), refusal


def open_quietly(people, name):
    """Everybody places nothing: for games in which the sheets do not matter."""
    play_on(people, name, lambda person, table: ["done"], lambda table: table.stage == "playing" and table.version > 0)


def serves_a_game(server):
    """The proof that a server is well: two people come, sit down, and act."""
    name, people = gather(server, 2, first=1)
    open_quietly(people, name)
    people[0].do(name, "step T1 b1")
    people[1].asked_at(name)
    for person in people:
        person.close()
