"""Tournaments: announced, joined, played round by round to the end, whatever happens to people and to the server."""
import io
import itertools
import json
import random
import sqlite3
import tarfile
import time

from contests import QUICK, announce, has_begun, meetings, people_at, play_through, state, tables_of
from harness import Person, Server, act_at, at_once, claim, eventually, registered, run_claims, same, send, words
from machine import machine_server
from online_player import Refused

SERVER = Server("--absent", "1")
HALF, WHOLE = 6, 12


def patient(server):
    """Where time flies, connections on which nothing has come for long are closed."""
    person = registered(server)
    person.persists = True
    return person


def tournament_of(people, **terms):
    """It has begun, with all of them, the first has announced it."""
    tournament = announce(people[0], **{"people": len(people), **terms})
    for person in people[1:]:
        person.request("join", tournament=tournament)
    eventually(lambda: state(people[0], tournament)["stage"] == "running", "a beginning")
    return tournament


def check_standings(told, per_table=WHOLE):
    """Points are what the tables gave, and places follow from them."""
    points = [0] * len(told["entrants"])
    for tables in told["tables"]:
        for table in tables:
            for number, part in zip(table["entrants"], table.get("points", [])):
                points[number - 1] += part
            if "points" in table:
                assert sum(table["points"]) in (0, per_table), table
    rows = told["standings"]
    same(len(rows), len(points), "rows")
    for one, other in zip(rows, rows[1:]):
        key = [(row["points"], row["met"], row["against"]) for row in (one, other)]
        assert key[0] >= key[1], f"{one} before {other}"
        same(one["place"] == other["place"], key[0] == key[1], "a shared place")
    return points


# --- whole tournaments ------------------------------------------------------------------------------------------------


@claim
def five_people_play_a_swiss_to_the_end_although_the_server_is_killed():
    with Server() as server:
        people = [registered(server) for _ in range(5)]
        tournament = tournament_of(people)
        killed = set()

        def kill(told):
            if told["current"] not in killed and has_begun(told, people):
                killed.add(told["current"])
                server.restart(kill=True)

        for person in people:
            person.persists = True
        told = play_through(people, tournament, between=kill)
        same((told["stage"], told["current"], len(killed)), ("over", 3, 3), "the end")
        met = meetings(told)
        same(len(set(met)), len(met), "nobody has met twice, or had two byes")
        points = check_standings(told)
        for row in told["standings"]:  # a bye is a point
            byes = sum(pair == (row["entrant"],) for pair in met)
            same(row["points"], points[row["entrant"] - 1] + byes * WHOLE, f"points of {row}")
        server.restart(kill=True)
        same(state(people[1], tournament), told, "what is kept")


@claim
def eight_people_play_at_tables_of_four():
    with Server() as server:
        people = [registered(server) for _ in range(2)] + [Person(server) for _ in range(6)]
        tournament = tournament_of(people, system="fours", limit=8)
        rounds = set()

        def kill(told):
            if told["current"] == 2 and 2 not in rounds:
                server.restart(kill=True)
            rounds.add(told["current"])

        for person in people:
            person.persists = True
        told = play_through(people, tournament, between=kill)
        same((told["stage"], len(told["tables"])), ("over", 3))
        for tables in told["tables"]:
            same([len(table["entrants"]) for table in tables], [4, 4], "tables")
            same(sorted(number for table in tables for number in table["entrants"]), list(range(1, 9)))
        check_standings(told)


@claim
def in_a_round_robin_everybody_meets_everybody():
    people = [registered(SERVER) for _ in range(3)]
    told = play_through(people, tournament_of(people, system="round-robin"))
    same(sorted(meetings(told)), [(1,), (1, 2), (1, 3), (2,), (2, 3), (3,)])
    same(sum(row["points"] for row in told["standings"]), 3 * WHOLE, "all points: a bye gives none")


@claim
def it_begins_at_its_date_with_those_who_have_joined_or_not_at_all():
    machine, server = machine_server()
    with server:
        people = [patient(server) for _ in range(4)]
        tournament = announce(people[0], begins=int(time.time()) + 3600)
        lonely = announce(people[3], begins=int(time.time()) + 3600)
        same("rounds" in state(people[0], tournament), False, "nobody knows yet how many rounds")
        for person in people[1:3]:
            person.request("join", tournament=tournament)
        same([state(people[0], one)["stage"] for one in (tournament, lonely)], ["open", "open"], "before the date")
        machine.let_pass(3600)
        eventually(lambda: state(people[0], tournament)["stage"] == "running", "a beginning")
        told = state(people[0], tournament)
        same((len(told["entrants"]), told["rounds"], len(tables_of(told))), (3, 3, 1))
        eventually(lambda: state(people[0], lonely)["stage"] == "off", "nobody came")
        same(people[1].refused("join", tournament=lonely), "begun")


# --- what comes of a table --------------------------------------------------------------------------------------------


@claim
def who_resigns_has_lost_at_once_and_the_game_is_over():
    people = [registered(SERVER) for _ in range(4)]
    tournament = tournament_of(people, rated=True)
    told = state(people[0], tournament)
    table = tables_of(told)[0]
    one, other = people_at(told, table, people)
    acted = {}
    chance = random.Random(3)
    one.watch(table["table"])
    while one.tables[table["table"]].version < 20:
        for person in (one, other):
            act_at(person, table["table"], acted, chance)
    same(one.tables[table["table"]].terms["tournament"], tournament)
    one.request("resign", table=table["table"])
    eventually(lambda: tables_of(state(one, tournament))[0].get("points") == [0, WHOLE], "a point for who stayed")
    other.expect(lambda: other.tables[table["table"]].stage == "over", "the end of the game")
    eventually(lambda: "2-live" in other.request("stats", name=other.name)["ratings"], "a rating")
    ratings = [person.request("stats", name=person.name) for person in (one, other)]
    assert ratings[0]["ratings"]["2-live"]["points"] < 1500 < ratings[1]["ratings"]["2-live"]["points"], ratings
    same([(row["games"], row["won"]) for row in ratings], [(1, 0), (1, 1)], "results")
    fresh = one.request("rematch", table=table["table"])["table"]
    same("tournament" in one.watch(fresh).terms, False, "a rematch belongs to nobody")


@claim
def when_the_time_of_a_round_is_up_those_who_play_share_the_point():
    people = [registered(SERVER) for _ in range(3)]
    tournament = tournament_of(people, system="round-robin", round=2000)
    told = state(people[0], tournament)
    table = tables_of(told, 0)[0]
    one, _ = people_at(told, table, people)
    one.watch(table["table"])
    eventually(lambda: len(state(one, tournament)["tables"]) > 1, "the next round")
    same(tables_of(state(one, tournament), 0)[0]["points"], [HALF, HALF])
    one.expect(lambda: one.tables[table["table"]].stage == "over", "the end of the game")
    eventually(lambda: state(one, tournament)["stage"] == "over", "the end")
    same({row["place"] for row in state(one, tournament)["standings"]}, {1})


def play_until_replaced(machine, person, name, acted, chance):
    """His opponent never comes; whenever it is the opponent's turn, the time for it goes by."""
    versions = set()

    def is_replaced():
        act_at(person, name, acted, chance)
        person.sync()
        table = person.tables[name]
        if not table.asked() and table.version not in versions:
            versions.add(table.version)
            machine.let_pass(10)
        return any("computer" in seat for seat in table.seats)
    eventually(is_replaced, "a computer player for who does not come")


def tournament_without_one(server, machine):
    """The first round of four people, in which one of them never comes and is replaced: (tournament, who does, who does not,
    the number of the latter)."""
    people = [patient(server) for _ in range(4)]
    tournament = tournament_of(people, rounds=3, round=3600000, clock={"kind": "move", "time": 10000, "opening": 10000})
    told = state(people[0], tournament)
    there, gone = people_at(told, tables_of(told)[0], people)
    one, _ = people_at(told, tables_of(told)[1], people)
    one.request("resign", table=tables_of(told)[1]["table"])
    play_until_replaced(machine, there, tables_of(told)[0]["table"], {}, random.Random(1))
    return tournament, there, gone, tables_of(told)[0]["entrants"][1]


def is_out(person, tournament, number):
    told = state(person, tournament)
    return told["entrants"][number - 1].get("left") and tables_of(told, 0)[0].get("points") == [WHOLE, 0]


@claim
def who_does_not_come_loses_and_is_not_paired_again_until_he_joins_anew():
    machine, server = machine_server("--absent", "1")
    with server:
        tournament, there, gone, number = tournament_without_one(server, machine)
        eventually(lambda: is_out(there, tournament, number), "a point for who came, and the other is out of it")
        for round in (2, 3):
            machine.let_pass(60)
            eventually(lambda: state(there, tournament)["current"] == round, "the next round")
            told = state(there, tournament)
            paired = [one for table in told["tables"][-1] for one in table["entrants"]]
            same(sorted(paired), sorted({1, 2, 3, 4} - ({number} if round == 2 else set())), "who is paired")
            if round == 2:
                gone.request("join", tournament=tournament)
                same(state(there, tournament)["entrants"][number - 1].get("left"), None, "he is back")
                machine.let_pass(3600)
                eventually(lambda: "pause" in state(there, tournament), "the time is up")


@claim
def who_is_not_back_when_the_game_ends_is_not_paired_again():
    """However quickly it was played: nobody has to wait for him in the next round."""
    machine, server = machine_server("--absent", "3600")
    with server:
        tournament, there, _, number = tournament_without_one(server, machine)
        name = tables_of(state(there, tournament), 0)[0]["table"]
        acted, chance = {}, random.Random(1)

        def ended():
            act_at(there, name, acted, chance)
            return there.tables[name].stage == "over"
        eventually(ended, "the end of the game")
        same(there.tables[name].happened[-1], {"ended": "game"}, "how it ended")
        eventually(lambda: is_out(there, tournament, number), "a point for who came, and the other is out of it")


@claim
def who_leaves_is_not_paired_any_more():
    machine, server = machine_server()
    with server:
        people = [patient(server) for _ in range(4)]
        tournament = tournament_of(people, rounds=2)
        people[2].request("leave", tournament=tournament)
        people[2].request("leave", tournament=tournament)
        same(people[2].refused("join", tournament="nowhere"), "tournament")
        machine.let_pass(120)
        eventually(lambda: all("points" in table for table in tables_of(state(people[0], tournament), 0)), "the time is up")
        machine.let_pass(60)
        eventually(lambda: state(people[0], tournament)["current"] == 2, "the next round")
        told = state(people[0], tournament)
        same(sorted(number for table in told["tables"][1] for number in table["entrants"]), [1, 2, 4])
        machine.let_pass(120)
        eventually(lambda: state(people[0], tournament)["stage"] == "over", "the end")
        same(people[2].refused("join", tournament=tournament), "begun")


@claim
def a_deleted_account_leaves():
    people = [registered(SERVER) for _ in range(3)]
    tournament = announce(people[0])
    for person in people[1:]:
        person.request("join", tournament=tournament)
    status, _, _ = people[1].account.request("POST", "/api/delete", {"name": people[1].name, "password": "in the cellar"})
    same(status, 200)
    eventually(lambda: state(people[0], tournament)["joined"] == 2, "he is gone")
    people[0].request("leave", tournament=tournament)
    same(state(people[2], tournament)["joined"], 1, "it goes on without whoever announced it")
    people[2].request("leave", tournament=tournament)
    eventually(lambda: state(people[0], tournament)["stage"] == "off", "nobody is left")


# --- who sees what ------------------------------------------------------------------------------------------------------


def pushed(person, kind, fits):
    def found():
        return next((push for push in map(json.loads, person.socket.frames) if push.get("push") == kind and fits(push)), None)
    person.expect(lambda: found() is not None, f"a push {kind}")
    return found()


@claim
def the_list_and_one_of_them_are_told_live():
    maker, other, visitor = registered(SERVER), Person(SERVER), Person.nobody(SERVER)
    other.request("tournaments", on=True)
    tournament = announce(maker, title="Friday ‹night›", people=3, talk=False, rated=False)
    def row_in(push):  # another may have changed with it
        return next((row for row in push["tournaments"] if row["tournament"] == tournament), None)
    row = row_in(pushed(other, "tournaments", row_in))
    same((row["title"], row["by"], row["stage"], row["joined"], row["people"], row["system"], row["players"], row["round"]),
         ("Friday ‹night›", maker.name, "open", 1, 3, "swiss", 2, 120000))
    state(visitor, tournament, on=True)
    other.request("join", tournament=tournament)
    other.request("join", tournament=tournament)
    told = pushed(visitor, "tournament", lambda push: push["joined"] == 2)
    same([entrant["name"] for entrant in told["entrants"]], [maker.name, other.name])
    rows = other.request("tournaments")["tournaments"]
    mine = next(row for row in rows if row["tournament"] == tournament)
    same((mine["in"], mine["joined"]), (True, 2))
    same("in" in next(row for row in visitor.request("tournaments")["tournaments"] if row["tournament"] == tournament), False)
    other.socket.frames.clear()
    maker.request("leave", tournament=tournament)
    pushed(visitor, "tournament", lambda push: push["joined"] == 1)
    other.sync()
    same([frame for frame in other.socket.frames if '"push":"tournament' in frame], [], "who has looked away")
    same(visitor.refused("join", tournament=tournament), "who")
    same(visitor.refused("tournament", tournament="nowhere"), "tournament")


@claim
def whoever_has_announced_it_is_rid_of_somebody_by_blocking_him():
    ann, eve = registered(SERVER), registered(SERVER)
    bob, joe = Person(SERVER), Person(SERVER)
    hers, another = announce(ann, people=8), announce(eve, people=8)
    begun = tournament_of([ann, bob, joe])
    for person in (bob, joe):
        for tournament in (hers, another):
            person.request("join", tournament=tournament)
    ann.request("block", name=bob.name)
    entrants = lambda tournament: [each["name"] for each in state(ann, tournament)["entrants"] if not each.get("left")]
    eventually(lambda: entrants(hers) == [ann.name, joe.name], "that he has left")
    same(bob.refused("join", tournament=hers), "dismissed")
    same(entrants(another), [eve.name, bob.name, joe.name], "where she is not the host")
    same(entrants(begun), [ann.name, bob.name, joe.name], "where they play already")


@claim
def everything_about_me_has_my_tournaments():
    maker = registered(SERVER)
    tournament = announce(maker)
    status, _, archive = maker.account.request("GET", "/api/export")
    same(status, 200)
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        account = json.load(tar.extractfile("gral/account.json"))
    same(account["tournaments"], [tournament])


# --- who may do what ----------------------------------------------------------------------------------------------------


@claim
def what_makes_no_sense_is_refused():
    maker, guest = registered(SERVER), Person(SERVER)
    good = {"title": "A cup", "system": "swiss", "people": 4}
    for wrong in ({"title": ""}, {"title": "x" * 61}, {"title": "a\nb"}, {"title": 5}, {"system": "knockout"},
                  {"people": 2}, {"people": 65}, {"people": 17, "system": "round-robin"}, {"people": 3, "system": "fours"},
                  {"rounds": 0}, {"rounds": 10}, {"rounds": 3, "system": "round-robin"}, {"round": 10}, {"begins": 5000},
                  {"players": 3}, {"clock": {"kind": "sand"}}):
        same(maker.refused("announce", **{**good, **wrong}), "member", str(wrong))
    same(maker.refused("announce", title="A cup", system="swiss"), "member", "neither people nor a date")
    same(maker.refused("announce", title="A cup", system="swiss", begins=int(time.time()) - 10), "member")
    same(maker.refused("announce", title="A cup", system="swiss", begins=int(time.time()) + 400 * 86400), "member")
    same(guest.refused("announce", **good), "registered")
    rated = announce(maker, rated=True)
    same(guest.refused("join", tournament=rated), "registered")
    for _ in range(2):
        announce(maker)
    same(maker.refused("announce", **good), "many")


@claim
def nobody_is_in_more_than_ten():
    makers = [registered(SERVER) for _ in range(4)]
    keen = Person(SERVER)
    cups = [announce(maker) for maker in makers for _ in range(3)]
    for cup in cups[:10]:
        keen.request("join", tournament=cup)
    same(keen.refused("join", tournament=cups[10]), "many")
    keen.request("leave", tournament=cups[0])
    keen.request("join", tournament=cups[10])


@claim
def many_requests_at_once_are_no_way_around_a_limit():
    with Server() as server:
        ann, bob = registered(server), registered(server)
        terms = {"title": "x", "system": "swiss", "people": 60, **QUICK}
        with at_once(server):
            ids = [send(ann, "announce", **terms) for _ in range(9)]
        same(sorted(words(ann, ids)), ["many"] * 6 + ["ok"] * 3, "nine announced at once")
        makers = [registered(server) for _ in range(4)]
        cups = [announce(maker, people=60) for maker in makers for _ in range(3)]
        with at_once(server):
            ids = [send(bob, "join", tournament=cup) for cup in cups]
        same(sorted(words(bob, ids)), ["many"] * 2 + ["ok"] * 10, "twelve joined at once")


@claim
def who_joins_and_leaves_again_and_again_has_to_wait():
    with Server(hasty=False) as server:
        ann, eve = registered(server), registered(server)
        cup = announce(ann)
        refused = 0
        for number in range(60):
            try:
                eve.request("leave" if number % 2 else "join", tournament=cup)
            except Refused as refusal:
                refused += refusal.word == "rate"
        assert refused > 10, f"{refused} of 60 were refused"


@claim
def nobody_takes_all_the_room_with_tournaments_that_nobody_joins():
    machine, server = machine_server()
    with server:
        ann = registered(server)
        cups = [announce(ann, people=60)]
        server.stop()
        with sqlite3.connect(server.database) as database:  # names cost little, but here they take their time
            log = database.execute("SELECT number, time, text FROM tournament_log").fetchall()
            for number in range(2, 201):
                cups.append(f"{number:A>22}")
                database.execute("INSERT INTO tournament VALUES(?, ?, 0)", (number, cups[-1]))
                database.executemany("INSERT INTO tournament_log VALUES(?, ?, ?, ?)", [
                    (number, entry, time, text.replace(cups[0], cups[-1])) for entry, time, text in log])
        server.start()
        Person(server).request("join", tournament=cups[0])
        bob = registered(server)
        bob.request("join", tournament=cups[0])
        same(len(bob.request("tournaments")["tournaments"]), 200, "tournaments in the list")
        same(bob.refused("announce", title="Mine", system="swiss", people=4), "many")
        machine.set(later_ms=2 * 3600 * 1000)
        mine = announce(bob)
        eventually(lambda: state(bob, cups[1])["stage"] == "off", "that there is room")
        same((state(bob, cups[0])["stage"], state(bob, mine)["stage"]), ("open", "open"), "the others")


@claim
def old_ones_go_where_that_is_wished():
    machine, server = machine_server("--tournament-days", "30", "--guest-days", "0", "--session-days", "0")
    with server:
        ann = registered(server)
        ended, kept = announce(ann), announce(ann, begins=int(time.time()) + 300 * 86400)
        ann.request("leave", tournament=ended)
        eventually(lambda: state(ann, ended)["stage"] == "off", "that it is off")
        machine.set(later_ms=29 * 86400 * 1000)
        same(state(ann, ended)["stage"], "off", "the stage after 29 days")
        hours = itertools.count(31 * 24)

        def has_gone():
            machine.set(later_ms=next(hours) * 3600 * 1000)
            rows = Person.nobody(server).request("tournaments")["tournaments"]
            return ended not in [row["tournament"] for row in rows]
        eventually(has_gone, "that it has gone")
        same(Person.nobody(server).refused("tournament", tournament=ended), "tournament")
        same(state(Person.nobody(server), kept)["stage"], "open", "the stage of the other")
        server.restart()
        same(Person.nobody(server).refused("tournament", tournament=ended), "tournament")


@claim
def a_title_can_be_read():
    ann = registered(SERVER)
    for title in ("", " ", "a\nb", "a\u2028b", "a\u202eb", "\u200b", "\u3164", "!?", "x" * 61):
        same(ann.refused("announce", title=title, system="swiss", people=4), "member", repr(title))
    announce(ann, title="Größe 🐈‍⬛ ❤️ 12")


@claim
def a_full_one_is_full():
    people = [registered(SERVER)] + [Person(SERVER) for _ in range(16)]
    tournament = announce(people[0], system="round-robin", begins=int(time.time()) + 3600)
    for person in people[1:16]:
        person.request("join", tournament=tournament)
    same(people[16].refused("join", tournament=tournament), "full")


@claim
def who_is_blocked_is_kept_apart_and_not_told():
    ann, bob, *others = [registered(SERVER) for _ in range(6)]
    ann.request("block", name=bob.name)
    same(bob.refused("join", tournament=announce(ann)), "dismissed", "hers")
    ring = announce(others[0], system="round-robin")
    ann.request("join", tournament=ring)
    same(bob.refused("join", tournament=ring), "dismissed", "where all meet")
    people = [others[1], ann, bob, others[2]]
    tournament = tournament_of(people, rounds=2, round=2000)
    eventually(lambda: state(ann, tournament)["stage"] == "over", "the end")
    assert (2, 3) not in meetings(state(ann, tournament)), "they have met"


if __name__ == "__main__":
    run_claims(SERVER)
