"""Games that nobody needs leave memory, and nobody notices: they come back when somebody looks, when one of their players
comes, and when a clock runs out."""
import itertools
import sqlite3
import subprocess

from harness import Person, Server, claim, eventually, gather, open_quietly, run_claims, same, send
from machine import machine_server

HOUR = 3600 * 1000
BY_DAYS = {"kind": "move", "time": 24 * HOUR, "opening": 24 * HOUR}
SHORTLY = ("--sleep-after", "1")


def in_memory(server):
    return server.figures()["gral_tables"]


def asleep(server):
    with sqlite3.connect(server.database) as database:
        found = database.execute("select count(*) from game where wakes > 0").fetchone()[0]
    database.close()
    return found


def leave(server, *people):
    for person in people:
        person.close()
    eventually(lambda: in_memory(server) == 0, "that no table is in memory")


def whole_story(person, name):
    """All that somebody is told who comes and knows nothing, without how much time is left and who is there."""
    visit = person.again()
    send(visit, "watch", table=name, have=0)
    message = visit._read()
    while message.get("push") != "table":
        message = visit._read()
    visit.close()
    (message.get("round") or {}).pop("left", None)
    for seat in message["seats"]:
        seat.pop("present")
    return message


def without(story, *members):
    if isinstance(story, dict):
        return {name: without(value, *members) for name, value in story.items() if name not in members}
    return [without(value, *members) for value in story] if isinstance(story, list) else story


@claim
def who_comes_back_is_told_the_same_as_if_it_had_never_left():
    with Server(*SHORTLY) as server:
        name, (ann, bob) = gather(server, 2, first=1, clock=BY_DAYS)
        ann.do(name, "place 10 T1", "done")
        bob.do(name, "place 10 A1", "done")
        ann.do(name, "step T1 b1")
        bob.asked_at(name)
        looker = Person(server)
        before = [whole_story(person, name) for person in (ann, bob, looker)]
        for number, person in enumerate((looker, ann, bob)):
            leave(server, ann, bob, looker)
            same(asleep(server), 1, "the games that sleep")
            same(whole_story(person, name), before[number - 1], "what is told")
        ann, bob = ann.again(), bob.again()
        ann.watch(name)
        bob.watch(name)
        bob.do(name, "pass")
        bob.asked_at(name)


@claim
def other_sheets_are_told_in_the_same_way_after_it_R10_2():
    with Server(*SHORTLY) as server:
        stories = []
        for figure in ("T1", "A1"):
            people = [Person(server, f"Ann {figure}"), Person(server, f"Bob {figure}"), Person(server, f"Cid {figure}")]
            name, (ann, bob, cid) = gather(server, 3, people, first=1, clock=BY_DAYS)
            ann.do(name, "done")
            bob.do(name, f"place 10 {figure}", "done")
            leave(server, ann, bob, cid)
            stories.append(without(whole_story(ann, name), "table", "seal", "name"))
        same(stories[0], stories[1], "what another seat is told")


@claim
def its_players_are_greeted_with_what_waits_for_them_and_find_it_among_their_own():
    with Server(*SHORTLY) as server:
        names = [gather(server, 2, first=1, clock=BY_DAYS) for _ in range(3)]
        ann = names[0][1][0]
        name, (ann, bob) = gather(server, 2, [ann, names[0][1][1]], first=1, clock=BY_DAYS)
        leave(server, *(person for _, people in names for person in people))
        ann = ann.again()
        own = [row["table"] for row in ann.request("lobby", on=False)["own"]]
        same(sorted(own), sorted([name, names[0][0]]), "her games")
        same(in_memory(server), 2, "the tables in memory")
        same(sorted(ann.hello["asked"]), sorted(own), "where she is waited for")


@claim
def a_clock_runs_out_though_nobody_is_there():
    machine, server = machine_server(*SHORTLY)
    with server:
        name, (ann, bob) = gather(server, 2, first=1, clock=BY_DAYS)
        open_quietly([ann, bob], name)
        leave(server, ann, bob)
        machine.set(later_ms=23 * HOUR)
        server.figures()
        same(asleep(server), 1, "the games that sleep after 23 hours")
        machine.set(later_ms=25 * HOUR)
        eventually(lambda: '"late"' in str(whole_story(Person(server), name)).replace("'", '"'), "that she was late")


@claim
def the_time_in_which_the_server_was_away_is_nobodys():
    machine, server = machine_server(*SHORTLY)
    with server:
        name, (ann, bob) = gather(server, 2, first=1, clock=BY_DAYS)
        open_quietly([ann, bob], name)
        leave(server, ann, bob)
        server.stop()
        machine.set(later_ms=100 * HOUR)
        server.start()
        same(in_memory(server), 0, "the tables that were read")
        machine.set(later_ms=120 * HOUR)
        story = whole_story(Person(server), name)
        same(story["version"], ann.tables[name].version, "the version")
        assert "late" not in str(story["happened"]), story["happened"]
        machine.set(later_ms=125 * HOUR)
        eventually(lambda: "late" in str(whole_story(Person(server), name)["happened"]), "that she was late")


@claim
def who_deletes_his_account_leaves_games_that_sleep():
    with Server(*SHORTLY) as server:
        name, (ann, bob) = gather(server, 2, first=1, clock=BY_DAYS)
        open_quietly([ann, bob], name)
        leave(server, ann, bob)
        same(ann.account.request("POST", "/api/delete", {"name": ann.name})[0], 200, "the status of her farewell")
        eventually(lambda: whole_story(bob, name)["seats"][0].get("resigned"), "that she has resigned")


@claim
def whoever_runs_it_sees_and_closes_games_that_sleep():
    with Server(*SHORTLY) as server:
        name, (ann, bob) = gather(server, 2, first=1, clock=BY_DAYS)
        open_quietly([ann, bob], name)
        leave(server, ann, bob)
        admin = [server.command()[0], "admin", "--database", str(server.database)]
        listed = subprocess.run([*admin, "tables"], capture_output=True, text=True, check=True).stdout
        assert name in listed and ann.name in listed, listed
        subprocess.run([*admin, "close", name], capture_output=True, check=True)
        eventually(lambda: whole_story(Person(server), name)["stage"] == "over", "that it is closed")


# --- what goes for good -----------------------------------------------------------------------------------------------


@claim
def games_that_have_been_over_for_long_go_where_that_is_wished():
    machine, server = machine_server("--game-days", "30", "--guest-days", "0", "--session-days", "0")
    with server:
        names = []
        for draw in (True, False):
            name, (ann, bob) = gather(server, 2, first=1)
            open_quietly([ann, bob], name)
            for person in (ann, bob) if draw else ():
                person.request("draw", table=name)
            names.append(name)
        eventually(lambda: "Termination" in server.record(names[0]), "that it is over")
        machine.set(later_ms=29 * 24 * HOUR)
        same(server.get(f"/r/{names[0]}.gral")[0], 200, "the status after 29 days")
        ann.close()
        bob.close()
        hours = itertools.count(31 * 24)

        def has_gone():
            machine.set(later_ms=next(hours) * HOUR)
            return server.get(f"/r/{names[0]}.gral")[0] == 404
        eventually(has_gone, "that it has gone")
        same(Person(server).refused("watch", table=names[0], have=0), "table")
        same(whole_story(Person(server), names[1])["stage"], "playing", "the stage of the other")


@claim
def a_game_without_a_clock_is_closed_after_a_year_in_which_nothing_happens_and_its_players_are_told():
    machine, server = machine_server("--guest-days", "0", "--session-days", "0", "--idle-days", "0", *SHORTLY)
    with server:
        name, (ann, bob) = gather(server, 2, first=1)
        open_quietly([ann, bob], name)
        leave(server, ann, bob)
        machine.set(later_ms=364 * 24 * HOUR)
        same(whole_story(ann, name)["stage"], "playing", "the stage after 364 days")
        machine.set(later_ms=367 * 24 * HOUR)
        eventually(lambda: whole_story(ann, name)["stage"] == "over", "that it is closed", 180)
        same(whole_story(ann, name)["happened"][-1]["ended"], "abandoned", "how it ended")


if __name__ == "__main__":
    run_claims()
