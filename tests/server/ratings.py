"""Rated games: who may play them, what they are worth, and that the numbers follow from the games alone."""
import sqlite3
import subprocess

from harness import FAR, GRAL, Person, Server, claim, gather, open_quietly, registered, run_claims, same

SERVER = Server()
LIVE = {"kind": "move", "time": 600000}


def somebody(server=SERVER):
    return registered(server)


def rated_table(people, **terms):
    return gather(people[0].server, len(people), people, rated=True, clock=LIVE, first=1, **terms)[0]


def take_turns(people, name, turns):
    for turn in range(turns):
        people[turn % len(people)].do(name, "assign", "done")


def play_and(wish, people, **terms):
    """Everybody has a turn, then all ask for this, one after another."""
    name = rated_table(people, **terms)
    open_quietly(people, name)
    take_turns(people, name, len(people))
    for person in people:
        person.request(wish, table=name)
    return name


def play_a_draw(people, **terms):
    return play_and("draw", people, **terms)


def play_until_one_resigns(people, **terms):
    """The first of two gives up, and then the second, who is the last to leave: he is ahead."""
    return play_and("resign", people, **terms)


def rating_of(asker, person, kind="2-live"):
    return asker.request("stats", name=person.name)["ratings"].get(kind)


def expect_games(asker, person, games, kind="2-live"):
    asker.expect(lambda: (rating_of(asker, person, kind) or {"games": 0})["games"] == games, f"{games} rated games")
    return rating_of(asker, person, kind)


def check(server):
    """What `gral ratings` says of the server's database: (exit code, words)."""
    done = subprocess.run([GRAL, "ratings", "--database", str(server.database)], capture_output=True,
                          text=True, timeout=FAR)
    assert done.stderr == "", done.stderr
    return done.returncode, done.stdout


# --- who may ----------------------------------------------------------------------------------------------------------


@claim
def a_guest_can_neither_open_a_rated_table_nor_sit_there():
    guest, ann = Person(SERVER), somebody()
    same(guest.refused("create", players=2, rated=True, clock=LIVE), "registered")
    name = ann.create(players=2, rated=True, clock=LIVE)
    same(guest.refused("sit", table=name), "registered")
    guest.watch(name)
    same(guest.tables[name].terms["rated"], True)


@claim
def a_rated_table_needs_a_clock_and_the_standard_game():
    ann = somebody()
    same(ann.refused("create", players=2, rated=True), "member")
    same(ann.refused("create", players=4, rules="original", rated=True, clock=LIVE), "member")
    name = ann.create(players=2, clock=LIVE)
    ann.watch(name)
    assert "rated" not in ann.tables[name].terms


# --- what it is worth -------------------------------------------------------------------------------------------------


@claim
def nobody_has_a_rating_who_has_not_played():
    ann = somebody()
    same(ann.request("stats", name=ann.name)["ratings"], {})
    same(ann.request("ratings", name=ann.name, **{"class": "2-live"})["games"], [])
    same(ann.refused("ratings", name=ann.name, **{"class": "two"}), "member")
    same(ann.refused("ratings", name="Nobody At All", **{"class": "2-live"}), "name")


@claim
def whoever_gives_up_first_loses_what_the_other_wins_and_all_who_watch_are_told():
    ann, bob, eve = somebody(), somebody(), Person.nobody(SERVER)
    name = rated_table([ann, bob])
    eve.watch(name)
    open_quietly([ann, bob], name)
    take_turns([ann, bob], name, 2)
    ann.request("resign", table=name)
    bob.request("resign", table=name)
    lost, won = expect_games(eve, ann, 1), expect_games(eve, bob, 1)
    assert lost["points"] < 1500 < won["points"], (lost, won)
    same(lost["points"] + won["points"], 3000)
    for watcher in (ann, bob, eve):
        watcher.sync()
        pushes = [frame for frame in watcher.socket.frames if '"push":"rated"' in frame]
        same(len(pushes), 1, "told once")
        assert f'"seat":2,"points":{won["points"]}' in pushes[0] and '"before":1500' in pushes[0], pushes[0]


@claim
def a_game_that_is_not_rated_or_was_left_at_once_changes_nothing():
    ann, bob = somebody(), somebody()
    name, _ = gather(SERVER, 2, [ann, bob], clock=LIVE, first=1)
    open_quietly([ann, bob], name)
    take_turns([ann, bob], name, 3)
    ann.request("resign", table=name)
    bob.request("resign", table=name)
    name = rated_table([ann, bob])
    open_quietly([ann, bob], name)
    ann.request("resign", table=name)
    bob.request("resign", table=name)
    play_a_draw([ann, bob])
    same(expect_games(ann, ann, 1)["games"], 1)
    same(ann.request("stats", name=ann.name)["games"], 3)


@claim
def games_against_computers_count_apart():
    ann = somebody()
    name = ann.create(players=2, rated=True, clock=LIVE, first=1, computers=[{"seat": 2, "level": 1}], limit=3)
    ann.watch(name)
    while ann.tables[name].stage != "over":
        ann.look(0.1)
        table = ann.tables[name]
        if table.asked():
            phase = table.view["phase"]
            ann.act(table, ["done"] if phase == "opening" else ["assign", "done"] if phase == "turn" else ["pass"])
    expect_games(ann, ann, 1, "2-computers")
    same(rating_of(ann, ann), None)
    assert rating_of(ann, ann, "2-computers")["points"] < 1500, "a draw with level 1 is no feat"


# --- what is told -----------------------------------------------------------------------------------------------------


@claim
def how_a_rating_went_is_told_to_all_and_at_which_tables_to_its_owner_alone():
    ann, bob = somebody(), somebody()
    tables = [play_a_draw([ann, bob]), play_until_one_resigns([ann, bob])]
    expect_games(ann, ann, 2)
    own = ann.request("ratings", name=ann.name, **{"class": "2-live"})["games"]
    same([game["table"] for game in own], tables[::-1])
    same(own[0]["points"], rating_of(ann, ann)["points"])
    seen = bob.request("ratings", name=ann.name, **{"class": "2-live"})["games"]
    same(seen, [{key: value for key, value in game.items() if key != "table"} for game in own])


@claim
def the_ranking_has_the_best_first_and_nobody_who_has_left():
    people = [somebody() for _ in range(3)]
    for first, second in [(0, 1), (0, 2), (1, 2), (0, 1), (0, 2), (1, 2)]:  # each loses to all who come after
        play_until_one_resigns([people[first], people[second]])
    for person in people:
        expect_games(person, person, 4)

    def ranking():
        names = [row["name"] for row in people[0].request("ranking", **{"class": "2-live"})["players"]]
        return [name for name in names if name in {person.name for person in people}]
    same(ranking(), [person.name for person in reversed(people)])
    people[2].account.ask("POST", "/api/delete", {"name": people[2].name, "password": "in the cellar"})
    same(ranking(), [people[1].name, people[0].name])


# --- that nothing is lost, and nothing invented -----------------------------------------------------------------------


@claim
def a_game_that_ended_just_before_the_server_was_killed_is_rated_when_it_starts_again():
    with Server() as server:
        ann, bob = somebody(server), somebody(server)
        for kill in range(5):
            play_until_one_resigns([ann, bob])
            server.restart(kill=True)
            ann, bob = ann.again(), bob.again()
            expect_games(ann, ann, kill + 1)
        same(check(server), (0, "rated games: 5; ratings: 2; differences: 0\n"))


@claim
def all_ratings_can_be_worked_out_again_and_a_changed_one_is_found():
    with Server() as server:
        people = [somebody(server) for _ in range(4)]
        for first in range(4):
            for second in range(first + 1, 4):
                play_until_one_resigns([people[first], people[second]])
        play_a_draw(people)
        for person in people:
            expect_games(person, person, 3)
            expect_games(person, person, 1, "3-4-live")
        people[3].account.ask("POST", "/api/delete", {"name": people[3].name, "password": "in the cellar"})
        same(check(server), (0, "rated games: 7; ratings: 8; differences: 0\n"))
        server.stop()
        with sqlite3.connect(server.database) as database:
            database.execute("UPDATE rating SET strength = strength + 1e-12 WHERE user ="
                             " (SELECT id FROM user WHERE name = ?) AND class = 0", (people[0].name,))
        code, words = check(server)
        same((code, words.splitlines()), (1, [f"2-live: the rating of {people[0].name} is not what the games give",
                                              "rated games: 7; ratings: 8; differences: 1"]))
        damaged = server.database.with_name("damaged.sqlite")
        with sqlite3.connect(server.database) as database, sqlite3.connect(damaged) as copy:
            database.backup(copy)
            copy.execute("DROP TABLE rated_seat")
        done = subprocess.run([GRAL, "ratings", "--database", str(damaged)], capture_output=True, text=True, timeout=FAR)
        same(done.returncode, 1)
        assert done.stderr.startswith("gral ratings: ") and "rated_seat" in done.stderr, done.stderr
        server.start()


if __name__ == "__main__":
    run_claims(SERVER)
