"""Databases of every version there ever was, made by the programs of their time (keep_database.py), are opened by the
newest: people and logins are there, games replay, and those that were being played go on.

The server's clock stands where it stood then: what ends unused would be gone."""
import json
import lzma
import pathlib
import re
import sqlite3
import subprocess
import tempfile
import time

from harness import (GRAL, ROOT, Person, Server, claim, eventually, must_verify, online_player, play_on, run_claims,
                     same)
from keep_database import FOLDER, PASSWORD
from machine import Machine

SCHEMA = (ROOT / "src/store/store_schema.c").read_text()


def ask(path, question):
    database = sqlite3.connect(path)
    answer = database.execute(question).fetchall()
    database.close()
    return answer


def tables(path):
    return ask(path, "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name")


class Old:
    """A server on a copy of what was kept."""

    def __init__(self, version):
        self.version = version
        self.kept = json.loads((FOLDER / f"{version:02}.json").read_text())
        self.folder = tempfile.TemporaryDirectory(prefix="gral-upgrade-")
        self.path = pathlib.Path(self.folder.name, "gral.sqlite")
        self.path.write_bytes(lzma.decompress((FOLDER / f"{version:02}.sqlite.xz").read_bytes()))
        same(self.ask("PRAGMA user_version"), version, "the version of the file")
        machine = Machine(self.folder.name)
        machine.set(ahead_ms=self.kept["time"] + 60000 - int(time.time() * 1000))
        self.server = Server(folder=self.folder.name, environment=machine.environment())

    def ask(self, question):
        return ask(self.path, question)[0][0]

    def person(self, name, cookie=None, token=None):
        account = online_player.Account(self.server.url, token)
        account.cookie = cookie
        return Person(self.server, name, account)

    def logged_in(self, name):
        account = online_player.Account(self.server.url)
        same(account.login(name, PASSWORD), {"name": name, "guest": False}, "who has logged in")
        return Person(self.server, name, account)


def actions(record):
    return [line.split(";")[0].rstrip() for line in record.splitlines() if line[:1].isdigit()]


def newest():
    steps = re.search(r"\*const steps\[\] = \{(.*?)\n\};", SCHEMA, re.DOTALL)[1]
    return len([step for step in re.sub(r'/\*.*?\*/|"(\\.|[^"\\])*"', "", steps, flags=re.DOTALL).split(",")]) - 1


def names(people):
    return [person["name"] for person in people]


def people_and_logins_are_there(old):
    anna, cleo = old.logged_in("Anna"), old.logged_in("Cleo")
    ben, bot = old.person("Ben", cookie=old.kept["cookie"]), old.person("Anna", token=old.kept["token"])
    same(ben.account.ask("GET", "/api/me"), {"name": "Ben", "guest": True}, "the guest")
    same(bot.account.ask("GET", "/api/me")["name"], "Anna", "whose token it is")
    same([token["label"] for token in anna.account.ask("GET", "/api/token")["tokens"]], ["my bot"], "her tokens")
    return anna, ben, cleo, bot


def games_replay(old, anna):
    record = old.server.record(old.kept["over"])
    same(actions(record), actions(old.kept["record"]), "the actions of the game that is over")
    assert len(actions(record)) > 20, record
    must_verify(record)
    table = anna.watch(old.kept["over"])
    same(table.stage, "over")
    eventually(lambda: anna.request("stats", name="Anna").get("games", 0) >= 1, "her games are counted")


def games_go_on(old, anna, ben, cleo):
    name = old.kept["running"]
    for person in (anna, ben, cleo):
        person.watch(name)
    same(ben.tables[name].version, old.kept["version"], "how far the game was")
    play_on([ben, anna, cleo], name, until=lambda table: table.version > old.kept["version"] + 10)
    ben.request("sit", table=old.kept["waiting"])


def later_things_are_there(old, anna, cleo):
    if old.version >= 6:
        assert anna.request("stats", name="Anna")["ratings"], "no rating"
    if old.version >= 7:
        words = subprocess.run([GRAL, "admin", "--database", old.path, "words"], capture_output=True, text=True)
        same(words.stdout, "blockhead\n", "forbidden words")
    if old.version >= 8:
        friends = cleo.request("friends")
        same((names(friends["friends"]), names(friends["blocked"])), (["Anna"], ["Ben"]), "friends and blocked")
        same([one["table"] for one in friends["invitations"]], [old.kept["waiting"]], "her invitations")
    if old.version >= 9:
        same(old.ask("SELECT count(*) FROM way WHERE address = 'anna@mail.example'"), 1, "the mail address")
    if old.version >= 10:
        shown = anna.request("stats", name="Anna")["shown"]
        same((shown["games"], shown["manner"]), ("everyone", "nobody"), "what she shows")
    if old.version >= 11:
        same([(cup["title"], cup["joined"]) for cup in anna.request("tournaments")["tournaments"]], [("A cup", 2)])


def upgrade(version):
    def a_database_of_this_version_goes_on():
        old = Old(version)
        with old.server:
            anna, ben, cleo, bot = people_and_logins_are_there(old)
            games_replay(old, anna)
            later_things_are_there(old, anna, cleo)
            games_go_on(old, anna, ben, cleo)
            for person in (anna, ben, cleo, bot):
                person.close()
        same(old.ask("PRAGMA user_version"), newest(), "the version afterwards")
        same(old.ask("PRAGMA integrity_check"), "ok", "the database")
        same(tables(old.path), TABLES, "what it consists of")

    a_database_of_this_version_goes_on.__name__ = f"a_database_of_version_{version}_goes_on"
    return claim(a_database_of_this_version_goes_on)


@claim
def every_version_that_there_was_is_kept():
    same(sorted(int(path.name[:2]) for path in FOLDER.glob("*.xz")), list(range(1, newest() + 1)),
         "what is kept (tests/server/keep_database.py makes one)")


with Server() as fresh:
    TABLES = tables(fresh.database)
for number in range(1, newest() + 1):
    upgrade(number)
run_claims()
