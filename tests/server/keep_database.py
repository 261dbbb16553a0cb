"""Makes a database as people leave it behind, with the program of today: for tests/data/databases, which has one of every
version there ever was. When the schema changes, run it once, before the next change:

    GRAL=build/test/gral python3 tests/server/keep_database.py

upgrades.py opens all of them with the newest program.
"""
import json
import lzma
import pathlib
import random
import sqlite3
import subprocess
import time

from harness import GRAL, Person, Server, gather, play_on, online_player

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "data" / "databases"
PASSWORD = "in the cellar"
NOWHERE = ["--site", "https://gral.example/", "--smtp", "smtp://127.0.0.1:1", "--mail-from", "gral@gral.example"]


def member(server, name):
    account = online_player.Account(server.url)
    account.register(name, PASSWORD)
    return Person(server, name, account)


def admin(server, *words):
    subprocess.run([GRAL, "admin", "--database", server.database, *words], check=True, capture_output=True)


def begun(people, chance, **terms):
    """A game in which something has happened."""
    name, _ = gather(None, len(people), people, **terms)
    play_on(people, name, until=lambda table: table.version > 12, chance=chance)
    return name


def fill(server, version):
    """What people of every version do, and what those of later versions can do besides. Returns what must be there
    again, whoever opens it."""
    chance = random.Random(version)
    anna, cleo, ben = member(server, "Anna"), member(server, "Cleo"), Person(server, "Ben")
    token = anna.account.ask("POST", "/api/token", {"label": "my bot"})["token"]
    over, _ = gather(server, 2, [anna, ben], limit=30)
    anna.request("talk", table=over, text="Good luck!")
    play_on([anna, ben], over, chance=chance)
    running = begun([ben, anna, cleo], chance)
    waiting = anna.create(players=4)
    if version >= 6:
        rated, _ = gather(server, 2, [cleo, anna], limit=20, rated=True, clock={"kind": "move", "time": 60000})
        play_on([anna, cleo], rated, chance=chance)
    if version >= 7:
        admin(server, "forbid", "blockhead")
        admin(server, "mute", "Ben", "30")
        anna.request("report", table=over, seat=2, text="insults me")
    if version >= 8:
        anna.request("befriend", name="Cleo")
        cleo.request("befriend", name="Anna")
        anna.request("invite", table=waiting, name="Cleo")
        cleo.request("block", name="Ben")
    if version >= 9:
        anna.account.ask("POST", "/api/way/mail", {"mail": "anna@mail.example", "language": "de"})
    if version >= 10:
        anna.request("show", games="everyone", manner="nobody")
    if version >= 11:
        cup = anna.request("announce", title="A cup", system="swiss", round=120000,
                           limit=8, clock={"kind": "move", "time": 60000}, people=6)
        cleo.request("join", tournament=cup["tournament"])
    time.sleep(1)  # ratings and profiles are written soon
    return {"time": int(time.time() * 1000), "cookie": ben.account.cookie, "token": token, "over": over,
            "record": server.record(over), "running": running, "waiting": waiting,
            "version": ben.tables[running].version}


def main():
    with Server(*NOWHERE) as server:
        version = sqlite3.connect(server.database).execute("PRAGMA user_version").fetchone()[0]
        kept = fill(server, version)
        server.stop()
        database = sqlite3.connect(server.database)
        database.execute("VACUUM")
        database.close()
        (FOLDER / f"{version:02}.sqlite.xz").write_bytes(lzma.compress(server.database.read_bytes(), preset=9))
        (FOLDER / f"{version:02}.json").write_text(json.dumps(kept, indent=1) + "\n")
        server.start()


if __name__ == "__main__":
    main()
