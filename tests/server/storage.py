"""What is on disk: one server for one database, a full disk, backups, and going on after a stop."""
import os
import pathlib
import resource
import subprocess
import tempfile
import time

from harness import (FAR, GRAL, Person, Server, Skipped, claim, gather, must_verify, open_quietly, play_on, run_claims,
                     same)
from online_player import Refused


@claim
def a_second_server_on_the_same_database_refuses_to_start():
    with Server() as server:
        second = subprocess.run([GRAL, "serve", "--address", "127.0.0.1", "--port", "0", "--database",
                                 str(server.database)],
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=FAR)
        assert second.returncode != 0, "it started"
        assert "gral serve: http" not in second.stdout, second.stdout
        assert str(server.database) in second.stderr, f"it does not say why: {second.stderr}"
        Person(server).create(players=2)


@claim
def a_server_killed_hard_does_not_lock_its_database():
    with Server() as server:
        server.restart(kill=True)
        server.restart(kill=True)


@claim
def games_go_on_after_a_stop():
    with Server() as server:
        name, people = gather(server, 3, first=1, limit=20)
        chance_until = 6
        play_on(people, name, until=lambda table: table.version >= chance_until)
        server.stop()
        for person in people:
            person.persists = True
            person.socket.close()
        server.start()
        befores = [list(person.tables[name].happened) for person in people]
        for person in people:
            person.lost(ConnectionError())
        for person, before in zip(people, befores):
            person.expect(lambda: person.tables[name].round is not None)
            same(person.tables[name].happened[:len(before)], before)
        play_on(people, name)
        must_verify(server.record(name))


@claim
def the_server_says_goodbye_when_it_is_stopped():
    with Server() as server:
        person = Person(server)
        server.stop()
        try:
            while person.socket.receive(FAR) is not None:
                pass
            raise AssertionError("the connection stays open")
        except ConnectionError as error:
            assert "1001" in str(error), f"no status 1001: {error}"
        server.start()


@claim
def computer_players_go_on_after_a_kill():
    with Server() as server:
        name, (ann,) = gather(server, 1, players=3, first=2, limit=6, pace=200,
                              computers=[{"seat": seat, "level": 1} for seat in (2, 3)])
        ann.persists = True
        ann.act(ann.tables[name], ["place 10 T1", "done"])
        for _ in range(2):
            server.restart(kill=True)
            ann.lost(ConnectionError())
            version = ann.tables[name].version
            play_on([ann], name, lambda person, table: [table.you["legal"][-1].split("..")[0]],
                    lambda table: table.version is not None and table.version > version)
        play_on([ann], name, lambda person, table: ["pass"] if "pass" in table.you["legal"] else
                [[action for action in table.you["legal"] if not action.startswith("assign")][0].split("..")[0]])
        must_verify(server.record(name))


@claim
def a_clock_does_not_run_while_the_server_is_down():
    with Server() as server:
        name, (ann, bob) = gather(server, 2, first=1, clock={"kind": "move", "time": 1500})
        open_quietly([ann, bob], name)
        server.kill()
        time.sleep(2)
        server.start()
        again = ann.again()
        table = again.watch(name)
        assert {"seat": 1, "late": True} not in table.happened, "she was late while nobody could act"
        again.act(table, ["step T1 b1"])


# --- a full disk ------------------------------------------------------------------------------------------------------


def fill_until_refused(people, name):
    """Talks until the disk is full; returns what was answered ok."""
    said = []
    for number in range(20000):
        text = f"{number} " + "x" * 480
        try:
            people[number % 2].request("talk", table=name, text=text)
        except Refused as refusal:
            same(refusal.word, "storage", "the word for a full disk")
            return said
        said.append(text)
    raise AssertionError("the disk is never full")


def full_and_free_again(server, make_room):
    name, people = gather(server, 2, first=1)
    open_quietly(people, name)
    said = fill_until_refused(people, name)
    ann = people[0]
    ann.sync()
    version = ann.tables[name].version
    # Small writes may still find room in a page: what counts is that an answer is true.
    for word in [ann.refused("talk", table=name, text="y" * 490) for _ in range(3)]:
        same(word, "storage")
    fresh = ann.again().watch(name)
    same([entry["talk"] for entry in fresh.happened if "talk" in entry], said, "what was said")
    same(fresh.version, version)
    make_room()

    def is_possible():
        try:
            ann.act(ann.tables[name], ["step T1 b1"])
            return True
        except Refused as refusal:
            same(refusal.word, "storage")
            time.sleep(0.2)
            return False

    end = time.monotonic() + FAR
    while not is_possible():
        assert time.monotonic() < end, "it does not go on when there is room"
    people[1].expect(lambda: people[1].tables[name].asked(), "the proposal")
    people[1].act(people[1].tables[name], ["pass"])
    server.restart(kill=True)
    table = Person(server, "", ann.account).watch(name)
    same([entry["talk"] for entry in table.happened if "talk" in entry], said, "what was said, after a restart")
    same([entry["action"] for entry in table.happened if "action" in entry], ["done", "done", "step T1 b1", "pass"])


@claim
def when_the_disk_is_full_the_game_says_so_and_goes_on_when_there_is_room():
    with tempfile.TemporaryDirectory() as folder:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], capture_output=True)
        if mounted.returncode != 0:
            raise Skipped("no right to mount a small disk")
        try:
            ballast = pathlib.Path(folder, "ballast")
            ballast.write_bytes(bytes(700 * 1024))
            with Server(folder=folder) as server:
                full_and_free_again(server, ballast.unlink)
        finally:
            subprocess.run(["umount", folder], check=True)


@claim
def a_limit_on_the_size_of_files_is_like_a_full_disk():
    with Server() as server:
        def limit(size):
            # The soft limit alone: the hard one could not be raised again.
            hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)[1]
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, hard))
        limit(300 * 1024)
        full_and_free_again(server, lambda: limit(resource.RLIM_INFINITY))


# --- backups ----------------------------------------------------------------------------------------------------------


def backup(server, path):
    return subprocess.run([GRAL, "backup", "--database", str(server.database), str(path)], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=60)


@claim
def a_backup_while_the_server_runs_is_a_database_with_all_games():
    with Server() as server, tempfile.TemporaryDirectory() as folder:
        name, people = gather(server, 2, first=1)
        open_quietly(people, name)
        people[0].account.register("Backup Ann", "a long password")
        copy = pathlib.Path(folder, "gral.sqlite")
        done = backup(server, copy)
        same(done.returncode, 0, f"the status of the backup ({done.stderr})")
        same(oct(copy.stat().st_mode & 0o077), "0o0", "who else may read the backup")
        people[0].act(people[0].tables[name], ["step T1 b1"])  # the server goes on meanwhile
        again = backup(server, copy)
        assert again.returncode != 0, "it writes over a file that is there"
        with Server(folder=folder) as other:
            account = people[0].account
            account.server = other.url
            table = Person(other, "", account).watch(name)
            same([entry["action"] for entry in table.happened if "action" in entry], ["done", "done"])
            same(account.ask("GET", "/api/me"), {"name": "Backup Ann", "guest": False})


@claim
def the_database_is_readable_by_its_owner_only():
    with Server() as server:
        Person(server).create(players=2)
        for path in server.folder.iterdir():
            same(oct(path.stat().st_mode & 0o077), "0o0", f"who else may read {path.name}")


@claim
def a_database_that_is_none_is_refused_and_left_alone():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "gral.sqlite")
        path.write_bytes(b"this is no database " * 500)
        before = path.read_bytes()
        done = subprocess.run([GRAL, "serve", "--address", "127.0.0.1", "--port", "0", "--database", str(path)],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=FAR)
        assert done.returncode != 0 and "gral" in done.stderr, done
        same(path.read_bytes(), before, "the file")
        missing = subprocess.run([GRAL, "serve", "--port", "0", "--database", folder + "/no/such/folder/x.sqlite"],
                                 stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=FAR)
        assert missing.returncode != 0 and missing.stderr, missing


@claim
def a_port_that_is_taken_is_refused_in_words():
    with Server() as server:
        done = subprocess.run([GRAL, "serve", "--address", "127.0.0.1", "--port", str(server.port), "--database",
                               "memory"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=FAR)
        assert done.returncode != 0 and str(server.port) in done.stderr, done


if __name__ == "__main__":
    os.umask(0o022)
    run_claims()
