"""What finished games say of those who played them, and that nobody learns of it but who may."""
import json
import sqlite3

from harness import FAR, Person, Server, claim, eventually, gather, open_quietly, play_on, registered, run_claims, same

SERVER = Server()
LIVE = {"kind": "move", "time": 600000}
PARTS = ["ratings", "results", "games", "manner"]


def somebody(server=SERVER):
    return registered(server)


def profile(asker, person):
    return asker.request("stats", name=person.name)


def games_of(asker, person, **members):
    return asker.request("games", name=person.name, **members)


def expect_read(person, games):
    """Until so many games of his have been read."""
    person.expect(lambda: sum(tally["games"] for tally in profile(person, person)["classes"].values()) == games,
                  f"{games} games that were read")


def last_answer(person):
    """The bytes of it."""
    return person.socket.frames[-1]


def draw(people, turns=None, **terms):
    """A game in which nobody wants anything, until all agree that it is enough."""
    name, _ = gather(people[0].server, len(people), people, **{"clock": LIVE, "first": 1, **terms})
    open_quietly(people, name)
    for turn in range(turns if turns is not None else len(people)):
        people[turn % len(people)].do(name, "assign", "done")
    for person in people:
        person.request("draw", table=name)
    return name


def befriend(one, other):
    one.request("befriend", name=other.name)
    other.request("befriend", name=one.name)


# --- what is told -----------------------------------------------------------------------------------------------------


@claim
def a_profile_has_results_by_class_and_opponent_favourites_and_bluffs():
    ann, bob = somebody(), somebody()
    name, _ = gather(SERVER, 2, [ann, bob], clock=LIVE, first=1)
    opening = {ann: ["place 3 A1", "place 10 T1", "done"], bob: ["place 4 A1", "done"]}
    play_on([ann, bob], name, lambda person, table: opening[person],
            lambda table: table.stage == "playing" and table.version > 0)
    ann.do(name, "step A1 d1")  # Bob could stop this, and does not
    bob.do(name, "pass")
    bob.do(name, "step T1 b1")  # and Ann could stop this, and does
    ann.do(name, "object 1")
    bob.do(name, "yield")
    bob.do(name, "step A1 e1")
    ann.do(name, "pass")
    ann.request("resign", table=name)
    bob.request("resign", table=name)
    draw([ann, bob], clock=None)
    expect_read(ann, 2)
    expect_read(bob, 2)
    mine = profile(ann, ann)
    same((mine["games"], mine["won"], mine["drawn"]), (2, 0, 1))
    same(mine["classes"], {"2-live": {"games": 1, "won": 0, "drawn": 0}, "2-days": {"games": 1, "won": 0, "drawn": 1}})
    same(mine["opponents"], [{"name": bob.name, "games": 2, "won": 0, "drawn": 1}])
    same(mine["manner"], {"placed": {"T1": 10, "T2": 0, "A1": 3, "A2": 0, "I1": 0, "I2": 0, "R1": 0, "R2": 0},
                          "bluffs": 1, "worked": 1})
    same({key: profile(bob, bob)["manner"][key] for key in ("bluffs", "worked")}, {"bluffs": 1, "worked": 0})


@claim
def games_come_in_pages_the_newest_first_with_all_who_played_them():
    ann, bob, cleo = somebody(), somebody(), Person(SERVER)
    tables = [draw([ann, bob] if number % 2 else [ann, bob, cleo], turns=0) for number in range(23)]
    expect_read(ann, 23)
    first = games_of(ann, ann)
    same([game["table"] for game in first["games"]], tables[:2:-1])
    same(first["more"], True)
    rest = games_of(ann, ann, after=tables[3])
    same([game["table"] for game in rest["games"]], tables[2::-1])
    same(rest["more"], False)
    game = rest["games"][0]
    same({key: value for key, value in game.items() if key != "time"},
         {"table": tables[2], "class": "3-4-live", "rules": "standard", "players": 3, "result": "drawn",
          "with": [{"name": bob.name, "result": "drawn"}, {"name": cleo.name, "result": "drawn"}]})
    assert f'"{cleo.name}"' in SERVER.record(tables[2]), "the replay is anybody's"


@claim
def a_table_that_only_a_link_leads_to_is_in_nobodys_list_but_ones_own():
    ann, bob = somebody(), somebody()
    open_table, hidden = draw([ann, bob]), draw([ann, bob], listed=False)
    expect_read(ann, 2)
    ann.request("show", games="everyone")
    same([game["table"] for game in games_of(ann, ann)["games"]], [hidden, open_table])
    same([game["table"] for game in games_of(bob, ann)["games"]], [open_table])
    assert hidden not in last_answer(bob)


# --- who may know it --------------------------------------------------------------------------------------------------


@claim
def without_a_word_strangers_see_ratings_and_results_and_friends_everything():
    ann, bob, eve, nobody = somebody(), somebody(), somebody(), Person.nobody(SERVER)
    befriend(ann, bob)
    draw([ann, bob], rated=True)
    expect_read(ann, 1)
    same(profile(ann, ann)["shown"], dict(zip(PARTS, ["everyone", "everyone", "friends", "friends"])))
    same(profile(ann, ann)["sees"], PARTS)
    same(profile(bob, ann)["sees"], PARTS)
    assert "shown" not in profile(bob, ann)
    for stranger in (eve, nobody):
        seen = profile(stranger, ann)
        same(seen["sees"], ["ratings", "results"])
        assert "manner" not in seen and "2-live" in seen["ratings"] and seen["games"] == 1, seen
        same(stranger.refused("games", name=ann.name), "private")
    same(len(games_of(bob, ann)["games"]), 1)


@claim
def what_somebody_shows_to_nobody_is_in_no_byte_that_anybody_else_gets():
    ann, bob, eve = somebody(), somebody(), somebody()
    befriend(ann, bob)
    ann.request("show", **{part: "nobody" for part in PARTS})
    name, _ = gather(SERVER, 2, [ann, bob], clock=LIVE, first=1, rated=True)
    eve.watch(name)
    open_quietly([ann, bob], name)
    ann.do(name, "assign", "done")
    bob.do(name, "assign", "done")
    ann.request("draw", table=name)
    bob.request("draw", table=name)
    expect_read(ann, 1)
    for asker in (bob, eve):
        profile(asker, ann)
        same(json.loads(last_answer(asker)).keys(), {"re", "ok", "name", "sees"})
        same(asker.refused("games", name=ann.name), "private")
        same(asker.refused("ratings", name=ann.name, **{"class": "2-live"}), "private")
        asker.request("ranking", **{"class": "2-live"})
        assert ann.name not in last_answer(asker), "she is in no ranking"
        told = [json.loads(frame) for frame in asker.socket.frames if '"push":"rated"' in frame]
        same([[row["seat"] for row in push["ratings"]] for push in told], [[2]], "what the game was worth")
    assert bob.name in [row["name"] for row in eve.request("ranking", **{"class": "2-live"})["players"]]
    mine = profile(ann, ann)
    same(mine["sees"], PARTS)
    ann.request("ranking", **{"class": "2-live"})
    assert ann.name in last_answer(ann)
    same(len(games_of(ann, ann)["games"]), 1)


@claim
def what_is_for_friends_ends_with_the_friendship_and_one_part_can_be_changed_alone():
    ann, bob = somebody(), somebody()
    befriend(ann, bob)
    ann.request("show", ratings="friends", results="friends")
    same(profile(bob, ann)["sees"], PARTS)
    ann.request("unfriend", name=bob.name)
    same(profile(bob, ann)["sees"], [])
    ann.request("show", manner="everyone")
    same(profile(bob, ann)["sees"], ["manner"])
    same(profile(ann, ann)["shown"], dict(zip(PARTS, ["friends", "friends", "friends", "everyone"])))
    ann.request("show")
    same(ann.refused("show", manner="me"), "member")
    same(ann.refused("show", soul="everyone"), "member")
    same(Person.nobody(SERVER).refused("show", manner="nobody"), "who")


@claim
def whoever_is_blocked_sees_what_a_stranger_sees():
    ann, bob = somebody(), somebody()
    befriend(ann, bob)
    ann.request("block", name=bob.name)
    same(profile(bob, ann)["sees"], ["ratings", "results"])


@claim
def settings_survive_the_server_and_go_with_the_account():
    with Server() as server:
        ann, bob = somebody(server), somebody(server)
        draw([ann, bob])
        expect_read(ann, 1)
        ann.request("show", results="nobody")
        server.restart(kill=True)
        ann, bob = ann.again(), bob.again()
        same(profile(bob, ann)["sees"], ["ratings"])
        ann.account.ask("POST", "/api/delete", {"name": ann.name, "password": "in the cellar"})
        same(bob.refused("stats", name=ann.name), "name")
        same(profile(bob, bob)["opponents"], [])
        server.stop()
        with sqlite3.connect(server.database) as database:
            for table in ("played", "score", "manner", "shown"):
                same(database.execute(f"SELECT count(*) FROM {table} WHERE user NOT IN"
                                      " (SELECT id FROM user WHERE name <> '')").fetchone()[0], 0, table)
        server.start()


# --- that nothing is lost ---------------------------------------------------------------------------------------------


@claim
def games_of_an_older_server_are_read_when_it_starts_again_and_none_twice():
    with Server() as server:
        ann, bob = somebody(server), somebody(server)
        for _ in range(3):
            draw([ann, bob], rated=True)
        expect_read(ann, 3)
        before = profile(ann, ann)
        server.stop()
        with sqlite3.connect(server.database) as database:  # as the upgrade leaves it
            database.execute("INSERT INTO unread SELECT DISTINCT 1, game FROM result")
            for table in ("played", "score", "met", "manner"):
                database.execute(f"DELETE FROM {table}")
        server.start()
        ann = ann.again()
        expect_read(ann, 3)
        eventually(lambda: profile(ann, ann)["opponents"] == before["opponents"], "the same opponents", FAR)
        after = profile(ann, ann)
        for member in ("classes", "opponents", "manner", "games", "won", "drawn"):
            same(after[member], before[member], member)
        same(after["ratings"]["2-live"]["games"], 3, "rated games")


@claim
def whoever_does_not_play_sinks_in_the_ranking():
    with Server() as server:
        people = [somebody(server) for _ in range(2)]
        for _ in range(3):
            name, _ = gather(server, 2, people, clock=LIVE, first=1, rated=True)
            open_quietly(people, name)
            for person in people:
                person.do(name, "assign", "done")
            for person in people:
                person.request("resign", table=name)
        for person in people:
            expect_read(person, 3)

        def ranking(asker):
            rows = asker.request("ranking", **{"class": "2-live"})["players"]
            return [row["name"] for row in rows], {row["name"]: row["margin"] for row in rows}
        best = people[1]  # the last to leave has won
        names, margins = ranking(best)
        same(names, [best.name, people[0].name])
        server.stop()
        with sqlite3.connect(server.database) as database:  # it was two years ago, and the other has just played
            database.execute("UPDATE rating SET changed = changed - 2 * 365 * 86400000 WHERE user ="
                             " (SELECT id FROM user WHERE name = ?)", (best.name,))
            database.execute("UPDATE rating SET doubt = doubt / 4 WHERE user <>"
                             " (SELECT id FROM user WHERE name = ?)", (best.name,))
        server.start()
        names, later = ranking(people[0].again())
        same(names, [people[0].name, best.name])
        assert later[best.name] > margins[best.name], "she is less well known"


if __name__ == "__main__":
    run_claims(SERVER)
