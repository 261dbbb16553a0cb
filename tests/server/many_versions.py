"""A new version beside the old one, on one PostgreSQL. The program of tomorrow is that of today with one more version of
the schema (tests/next_schema.c): GRAL_NEXT only adds to it, GRAL_APART changes what older servers rely on. And a database
that was left behind by the program of version 12, the first that knew PostgreSQL."""
import json
import lzma
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import threading

import harness
from harness import POSTGRES, Person, Server, claim, eventually, gather, must_verify, online_player, play_on, run_claims, same, send
from keep_database import FOLDER, PASSWORD

NEXT, APART = os.environ["GRAL_NEXT"], os.environ["GRAL_APART"]
FOREVER = [word for what in ("open", "solo", "idle", "still", "guest", "session", "token") for word in (f"--{what}-days", "0")]


class Version(Server):
    """A server of this program."""

    def __init__(self, program, *options, folder):
        self.program = program
        super().__init__(*options, folder=pathlib.Path(folder.name))

    def command(self):
        return [self.program, *super().command()[1:]]


def new_folder():
    return tempfile.TemporaryDirectory(prefix="gral-versions-")


def name_of(address):
    return address.split("/")[3].split("?")[0]


def ask(server, question):
    return POSTGRES.psql(question, name_of(server.database))


def first_version():
    """A database as the first program made it that knew PostgreSQL (keep_database.py and pg_dump): the folder that it
    belongs to, and how to ask it."""
    folder = new_folder()
    database = name_of(harness.database_in(pathlib.Path(folder.name)))
    psql = [f"{POSTGRES.bin}/psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", str(POSTGRES.folder), "-U", "gral", "-d", database]
    dump = lzma.decompress((FOLDER / "postgres/12.sql.xz").read_bytes())
    subprocess.run(psql, input=dump, check=True, stdout=subprocess.DEVNULL)
    return folder, psql


def version(server):
    return int(ask(server, "SELECT number FROM gral.version"))


def refused(program, server):
    """What it says when it does not start there."""
    done = subprocess.run([program, *server.command()[1:]], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=harness.FAR)
    assert done.returncode != 0, done.stdout
    return done.stderr


def further(table, by):
    return lambda now, before=table.version: now.version > before + by


@claim
def a_version_that_only_adds_starts_while_older_servers_play_on():
    folder = new_folder()
    old = Version(harness.GRAL, folder=folder)
    before = version(old)
    people = [Person(old), Person(old)]
    name, _ = gather(old, 2, people=people, limit=60)
    playing = threading.Thread(target=play_on, args=(people, name), kwargs={"chance": random.Random(1)})
    playing.start()
    new = Version(NEXT, folder=folder)
    playing.join()  # to the end, on the older server
    same(version(new), before + 1, "the version")
    records = [server.record(name) for server in (old, new)]
    same(records[0].split("\n\n", 1)[1], records[1].split("\n\n", 1)[1], "the record")
    must_verify(records[1])

    both = [people[0], Person(new)]
    name, _ = gather(old, 2, people=both)
    play_on(both, name, until=further(both[0].tables[name], 12), chance=random.Random(2))
    old.stop()  # the update goes on: people come back to the new one
    both[0].close()
    both[0] = people[0].at(new)
    both[0].watch(name)
    play_on(both, name, until=further(both[0].tables[name], 8), chance=random.Random(3))
    found = refused(harness.GRAL, old)
    assert f"it is of version {before + 1}, from a newer gral; this one knows version {before}" in found, found
    new.stop()
    for person in (*people, *both):
        person.close()


@claim
def a_version_that_changes_more_wants_older_servers_to_end_first():
    folder = new_folder()
    old = Version(harness.GRAL, folder=folder)
    before = version(old)
    people = [Person(old), Person(old)]
    name, _ = gather(old, 2, people=people)
    found = refused(APART, old)
    assert f"it is of version {before}, and servers of an older gral still use it (1): stop them first" in found, found
    same(version(old), before, "the version")
    play_on(people, name, until=further(people[0].tables[name], 8), chance=random.Random(4))
    old.stop()
    new = Version(APART, folder=folder)
    same(version(new), before + 1, "the version")
    there = [person.at(new) for person in people]
    for person in there:
        person.watch(name)
    play_on(there, name, until=further(there[0].tables[name], 8), chance=random.Random(5))
    new.stop()
    for person in (*people, *there):
        person.close()


@claim
def an_older_server_that_slept_through_such_a_change_writes_nothing_and_ends():
    folder = new_folder()
    old = Version(harness.GRAL, folder=folder)
    people = [Person(old), Person(old)]
    name, _ = gather(old, 2, people=people)
    play_on(people, name, until=further(people[0].tables[name], 8), chance=random.Random(6))
    old.process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, old.process.pid, os.WSTOPPED)
    send(people[0], "talk", table=name, text="I am late")
    eventually(lambda: "still use it" not in start_or_say(APART, folder), "the older one is taken for dead")
    stored = ask(old, "SELECT count(*) FROM gral.log")
    old.process.send_signal(signal.SIGCONT)
    eventually(lambda: not old.alive(), "it ends: " + old.log())
    assert old.process.returncode != 0, "it ended as if nothing had happened"
    old.reader.join()
    assert "event=outdated" in old.log() and "a newer gral has changed the database" in old.log(), old.log()
    same(ask(old, "SELECT count(*) FROM gral.log"), stored, "what is stored")
    new = STARTED.pop()
    there = [person.at(new) for person in people]
    for person in there:
        person.watch(name)
    play_on(there, name, until=further(there[0].tables[name], 8), chance=random.Random(7))
    new.stop()
    for person in (*people, *there):
        person.close()


STARTED = []


def start_or_say(program, folder):
    try:
        STARTED.append(Version(program, folder=folder))
    except AssertionError as error:
        return str(error)
    return ""


@claim
def a_database_of_the_first_version_goes_on():
    kept = json.loads((FOLDER / "postgres/12.json").read_text())
    folder, psql = first_version()
    same(subprocess.run([*psql, "-c", "SELECT number FROM gral.version"], capture_output=True, text=True).stdout, "12\n")
    with Version(harness.GRAL, *FOREVER, folder=folder) as server:
        people = []
        for name in ("Anna", "Cleo"):
            account = online_player.Account(server.url)
            same(account.login(name, PASSWORD), {"name": name, "guest": False}, "who has logged in")
            people.append(Person(server, name, account))
        guest = online_player.Account(server.url)
        guest.cookie = kept["cookie"]
        people.append(Person(server, "Ben", guest))
        must_verify(server.record(kept["over"]))
        for person in people:
            person.watch(kept["running"])
        same(people[2].tables[kept["running"]].version, kept["version"], "how far the game was")
        play_on(people, kept["running"], until=further(people[2].tables[kept["running"]], 10), chance=random.Random(8))
        assert people[0].request("stats", name="Anna")["ratings"], "no rating"
        for person in people:
            person.close()


@claim
def a_server_of_the_first_version_has_to_end_first():
    """It had a lock of its own instead of a beat."""
    folder, psql = first_version()
    holder = subprocess.Popen(psql, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    holder.stdin.write("SELECT pg_try_advisory_lock(1735549293);\n")
    holder.stdin.flush()
    same(holder.stdout.readline(), "t\n", "the lock")
    found = start_or_say(harness.GRAL, folder)
    assert "it is of version 12, and servers of an older gral still use it (1): stop them first" in found, found
    holder.stdin.close()
    holder.wait()
    Version(harness.GRAL, *FOREVER, folder=folder).stop()


run_claims()
