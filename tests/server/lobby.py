"""Tables: which there are, how they are made, who sits down and who leaves."""
import http.client
import json
import urllib.parse

from harness import Person, Server, at_once, claim, eventually, gather, run_claims, same, send, words
from online_player import Refused

SERVER = Server()


def listed(person, name):
    """How the lobby shows a table to this person, or None."""
    found = [table for table in person.request("lobby")["tables"] if table["table"] == name]
    assert len(found) <= 1, f"listed {len(found)} times"
    return found[0] if found else None


def owned(person):
    return [table["table"] for table in person.request("lobby")["own"]]


# --- making a table ---------------------------------------------------------------------------------------------------

OPTIONS = [
    {"players": 2}, {"players": 12}, {"players": 4, "rules": "standard"}, {"players": 4, "rules": "original"},
    {"players": 4, "rules": "original", "hq": "RITA"}, {"players": 3, "first": 3}, {"players": 2, "limit": 1},
    {"players": 2, "limit": 1000}, {"players": 3, "computers": [{"seat": 2, "level": 1}]},
    {"players": 4, "computers": [{"seat": 2, "level": 1, "as": "fox"}, {"seat": 4, "level": 2}]},
    {"players": 2, "clock": {"kind": "move", "time": 60000, "opening": 120000}},
    {"players": 2, "clock": {"kind": "move", "time": 14 * 24 * 3600 * 1000}},
    {"players": 2, "clock": {"kind": "bank", "time": 600000, "increment": 5000, "answer": 200000}},
    {"players": 2, "pace": 0}, {"players": 2, "pace": 10000}, {"players": 2, "listed": False},
    {"players": 2, "notepad": False}, {"players": 2, "talk": False},
]


@claim
def a_table_is_made_with_every_option():
    person = Person(SERVER)
    for options in OPTIONS:
        name = person.request("create", **options)["table"]
        table = person.watch(name)
        same(table.stage, "gathering")
        same(table.you["seat"], 1, "the seat of who made it")
        for option, value in options.items():
            if option not in ("computers", "first"):
                same(table.terms[option], value, f"the term {option}")
        if "first" in options:
            same(table.terms["first"], options["first"])
        for computer in options.get("computers", []):
            seat = table.seats[computer["seat"] - 1]
            assert f"level={computer['level']}" in seat["computer"], seat
            assert computer.get("as", "") in seat["computer"], seat
        person.request("rise", table=name)


@claim
def no_table_is_called_like_an_option_of_a_command():
    person = Person(SERVER)
    for _ in range(400):
        name = person.request("create", players=2, listed=False)["table"]
        assert name[0].isalpha(), name
        person.request("rise", table=name)


@claim
def what_is_left_out_has_its_meaning():
    person = Person(SERVER)
    table = person.watch(person.request("create", players=4)["table"])
    expected = {"players": 4, "rules": "standard", "limit": 0, "clock": None, "pace": 1000, "listed": True,
                "notepad": True, "talk": True}
    same({key: table.terms[key] for key in expected}, expected)
    for clock in (MOVE, BANK):
        table = person.watch(person.request("create", players=4, clock=clock)["table"])
        same(table.terms["clock"], {**clock, "opening": 180000}, "time enough to fill a sheet")


FOX = {"seat": 2, "level": 1, "as": "fox"}
MOVE, BANK = {"kind": "move", "time": 60000}, {"kind": "bank", "time": 60000, "increment": 0, "answer": 30000}
# Beside two players each of these is wrong.
WRONG = {
    "players": [1, 0, 13, -2, 2.5, "2", None, True, 1e300],
    "rules": ["chess", 1, "original"],
    "hq": ["TAIR"],
    "first": [0, 3, "1"],
    "limit": [-1, 1.5, 1 << 40, "9"],
    "computers": [{}, [1], [{}], [FOX, FOX], [FOX, {**FOX, "seat": 1}], [{**FOX, "seat": 3}], [{**FOX, "seat": 0}],
                  [{**FOX, "level": 0}], [{**FOX, "level": 99}], [{**FOX, "as": "nobody"}], [{**FOX, "as": 7}],
                  [{**FOX, "as": "fox,samples=9"}], [{**FOX, "x": 1}], [{"seat": 2}], [{"level": 1}]],
    "clock": ["fast", {}, {"kind": "sand"}, {"kind": "move"}, {**MOVE, "time": 0}, {**MOVE, "time": -1},
              {**MOVE, "time": 1e30},
              {**MOVE, "increment": 5}, {**MOVE, "x": 1}, {"kind": "bank", "time": 60000}, {**BANK, "increment": -5},
              {**BANK, "answer": 0}, {**MOVE, "opening": 0}, {**BANK, "opening": "long"}],
    "pace": [-1, 10001, "slow"],
    "listed": [1, "no"],
    "notepad": [0],
    "talk": [[]],
    "seed": [1],
    "game": ["AAAA"],
    "table": ["A" * 22],
}
MISTAKES = [{"players": 2, option: value} for option, values in WRONG.items() for value in values]
MISTAKES += [{}, {"players": 5, "rules": "original"}, {"players": 4, "hq": "TAIR"}]
MISTAKES += [{"players": 4, "rules": "original", "hq": hq} for hq in ("TTTT", "TAI", "TAIRX", "tair")]


@claim
def a_mistake_in_any_option_is_refused_in_words_and_makes_no_table():
    person = Person(SERVER)
    for options in MISTAKES:
        try:
            answer = person.request("create", **options)
        except Refused as refusal:
            assert refusal.word in ("member", "terms", "person"), f"{options}: {refusal}"
            assert len(refusal.text) > 10, f"{options}: {refusal}"
        else:
            raise AssertionError(f"{options} was not refused: {answer}")
    same(owned(person), [], "his tables")


@claim
def who_begins_is_left_to_chance():
    person = Person(SERVER)
    firsts = set()
    for _ in range(40):
        name = person.create(players=4)
        firsts.add(person.watch(name).terms["first"])
        person.request("rise", table=name)
    assert len(firsts) > 1, f"40 times {firsts}"


@claim
def ids_cannot_be_guessed():
    person = Person(SERVER)
    names = [person.create(players=2) for _ in range(20)]
    same(len(set(names)), 20)
    for name in names:
        assert len(name) == 22 and name.replace("-", "").replace("_", "").isalnum(), f"{name} has not 128 bits"
    for place in range(4):
        assert len({name[place] for name in names}) > 5, f"letter {place} of the ids hardly changes: {names}"


@claim
def somebody_can_have_only_so_many_tables():
    with Server("--tables-per-user", "3", hasty=False) as server:
        person = Person(server, "Arthur")
        names = [person.create(players=2) for _ in range(3)]
        same(person.refused("create", players=2), "many")
        person.request("rise", table=names[0])
        person.create(players=2)
        other = Person(server, "Kay")
        own = [other.create(players=2) for _ in range(3)]
        same(len(own), 3)
        same(person.refused("sit", table=own[0]), "many")


# --- the list ---------------------------------------------------------------------------------------------------------


@claim
def the_lobby_shows_open_tables_and_those_where_somebody_plays():
    name, (ann, bob) = gather(SERVER, 2, watch=False)
    nobody = Person.nobody(SERVER)
    same(listed(nobody, name), None, "a game that nobody is at")
    ann.watch(name)
    entry = listed(nobody, name)
    same(entry["stage"], "playing")
    same([seat["name"] for seat in entry["seats"]], [ann.name, bob.name])
    other = ann.create(players=3)
    same(listed(nobody, other)["stage"], "gathering")
    same(listed(nobody, other)["seats"], [{"name": ann.name}, None, None])


@claim
def changes_follow_to_whoever_wants_them():
    ann, bob, carl = Person(SERVER), Person(SERVER), Person(SERVER)
    ann.request("lobby", on=True)
    carl.request("lobby")
    name = bob.create(players=2)

    def told(stage):
        return any(push["push"] == "lobby" and any(table["table"] == name and table["stage"] == stage
                                                   for table in push["tables"])
                   for push in ann.pushes)

    ann.expect(lambda: told("gathering"), "the new table")
    carl.sit_at(name)
    ann.expect(lambda: told("playing"), "the game begun")
    ann.request("lobby", on=False)
    ann.sync()
    ann.pushes.clear()
    bob.create(players=2)
    ann.sync()
    same(list(ann.pushes), [])
    carl.sync()
    same([push for push in carl.pushes if push["push"] == "lobby"], [], "what came to somebody who looked once")


@claim
def an_unlisted_table_is_only_for_those_with_the_link():
    ann, bob, carl = Person(SERVER), Person(SERVER), Person(SERVER)
    bob.request("lobby", on=True)
    name = ann.create(players=2, listed=False)
    same(listed(bob, name), None)
    assert name in owned(ann), "not even its owner sees it"
    assert name not in owned(bob)
    carl.sit_at(name)
    same(listed(bob, name), None)
    bob.sync()
    assert name not in json.dumps(list(bob.pushes)), "a push tells of it"
    assert name in owned(carl)


@claim
def a_guessed_id_finds_nothing():
    ann, bob = Person(SERVER), Person(SERVER)
    name = ann.create(players=2, listed=False)
    guesses = ["A" * 22, name[:-1], name + "A", name[:-1] + ("A" if name[-1] != "A" else "B"), name.swapcase(), "",
               "%", "*", "' or 1=1 --",
               "../x", name + "\0"]
    for guess in guesses:
        for do in ("watch", "sit", "rise", "draw", "resign", "rematch"):
            word = bob.refused(do, table=guess)
            assert word in ("table", "member"), f"{do} {guess!r}: {word}"
        path = f"/r/{urllib.parse.quote(guess or 'x')}.gral"
        try:
            same(SERVER.get(path)[0], 404, f"the status of {path}")
        except http.client.RemoteDisconnected:
            assert "%00" in path, f"no answer to {path}"


@claim
def own_tables_are_listed_while_they_last_and_afterwards():
    name, (ann, bob) = gather(SERVER, 2)
    same([owned(ann), owned(bob)], [[name], [name]])
    for person in (ann, bob):
        person.request("draw", table=name)
    ann.expect(lambda: ann.tables[name].stage == "over")
    eventually(lambda: listed(bob, name) is None, "that an ended game is not in the lobby")
    eventually(lambda: name in owned(ann), "that an ended game is not forgotten")


@claim
def whoever_is_waited_for_sees_it_in_the_list_of_his_tables():
    name, (ann, bob) = gather(SERVER, 2, first=1)
    asked = lambda person: [row.get("asked", False) for row in person.request("lobby")["own"] if row["table"] == name]
    same([asked(ann), asked(bob)], [[True], [True]], "in the opening")
    ann.do(name, "done")
    same([asked(ann), asked(bob)], [[False], [True]], "when one has placed")
    bob.do(name, "done")
    ann.expect(lambda: ann.tables[name].view["phase"] == "turn")
    same([asked(ann), asked(bob)], [[True], [False]], "when Ann begins")
    assert "asked" not in listed(bob, name), "who is waited for is in the lobby"


def asked_pushes(person, name):
    return [push["asked"] for push in person.pushes if push["push"] == "asked" and push["table"] == name]


@claim
def whoever_is_waited_for_hears_of_it_wherever_he_is_and_nobody_else_does():
    name, (ann, bob) = gather(SERVER, 2, first=1)
    elsewhere, eve = bob.again(), Person(SERVER)
    eve.request("lobby", on=True)
    same(elsewhere.hello.get("asked"), [name], "what he is greeted with")
    assert "asked" not in eve.hello, eve.hello
    for person in (ann, bob):
        person.do(name, "done")
    elsewhere.expect(lambda: asked_pushes(elsewhere, name) == [False], "that he has opened")
    ann.do(name, "step T1 b1")
    elsewhere.expect(lambda: asked_pushes(elsewhere, name) == [False, True], "that he is asked")
    bob.do(name, "pass")
    elsewhere.expect(lambda: asked_pushes(elsewhere, name)[-2:] == [False, True], "that he has answered, and it is his turn")
    for person in (ann, bob):
        person.request("draw", table=name)
    elsewhere.expect(lambda: asked_pushes(elsewhere, name)[-1] is False, "that nobody waits for him any more")
    for person in (ann, bob, eve):
        person.sync()
        same(asked_pushes(person, name), [], "what those heard who look at it, or do not play there")
    assert "asked" not in bob.again().hello


@claim
def the_host_fills_free_seats_and_asks_people_to_leave():
    ann, bob, carl = Person(SERVER), Person(SERVER), Person(SERVER)
    name = ann.create(players=4)
    table = ann.watch(name)
    bob.sit_at(name)
    same([seat.get("host", False) if seat else None for seat in table.seats[:1]], [True])
    same(bob.refused("fill", table=name, seat=3, level=1), "not-host")
    same(bob.refused("dismiss", table=name, seat=1), "not-host")
    same(carl.refused("fill", table=name, seat=3, level=1), "seat")
    same(carl.refused("dismiss", table=name, seat=1), "seat")
    same(ann.refused("fill", table=name, seat=2, level=1), "taken")
    same(ann.refused("fill", table=name, seat=5, level=1), "seat")
    for wrong in ({"level": 0}, {"level": 6}, {}, {"level": 1, "as": "nobody"}, {"level": 1, "as": "fox,samples=9"},
                  {"level": 1, "seat": 0}, {"level": 1, "x": 1}):
        same(ann.refused("fill", table=name, **{"seat": 3, **wrong}), "member")
    ann.request("fill", table=name, seat=3, level=2, **{"as": "odile"})
    ann.expect(lambda: table.seats[2] is not None)
    same(table.seats[2], {"computer": "thinker:level=2,as=odile"})
    ann.request("dismiss", table=name, seat=2)
    bob.expect(lambda: bob.tables[name].seats[1] is None, "that he sits there no longer")
    assert {"seat": 1, "dismissed": 2} in bob.tables[name].happened
    same([bob.refused("sit", table=name), bob.refused("talk", table=name, text="why?")], ["dismissed", "seat"])
    assert name not in owned(bob)
    ann.request("dismiss", table=name, seat=3)
    ann.request("fill", table=name, seat=3, level=1)
    carl.sit_at(name)
    ann.request("fill", table=name, seat=4, level=1)
    ann.expect(lambda: table.stage == "playing", "the beginning")
    same(ann.refused("dismiss", table=name, seat=2), "begun")
    SERVER.restart(kill=True)
    again = ann.again().watch(name)
    same([seat.get("computer", seat.get("name")) for seat in again.seats],
         [ann.name, carl.name, "thinker:level=1", "thinker:level=1"], "who plays after a power cut")


@claim
def who_fills_seats_has_so_many_computer_players_and_no_more():
    with Server("--computers-per-user", "3", "--tables-per-user", "1", "--rate", "0", hasty=False) as server:
        ann = Person(server)
        name = ann.create(players=6)
        with at_once(server):
            ids = [send(ann, "fill", table=name, seat=seat, level=1) for seat in range(2, 7)]
        same(words(ann, ids), ["ok"] * 3 + ["many"] * 2)
        ann.request("dismiss", table=name, seat=2)
        ann.request("fill", table=name, seat=2, level=1)
        same(ann.refused("fill", table=name, seat=5, level=1), "many")


# --- sitting down -----------------------------------------------------------------------------------------------------


@claim
def people_sit_where_they_like_and_rise_before_the_game():
    ann, bob, carl = Person(SERVER), Person(SERVER), Person(SERVER)
    name = ann.create(players=3)
    same(bob.sit_at(name, seat=3).you["seat"], 3)
    same(carl.refused("sit", table=name, seat=1), "taken")
    same(carl.refused("sit", table=name, seat=3), "taken")
    same(bob.refused("sit", table=name, seat=2), "seated")
    assert carl.refused("sit", table=name, seat=4) in ("seat", "member")
    assert carl.refused("sit", table=name, seat=0) in ("seat", "member")
    carl.request("rise", table=name)  # again: he stands
    bob.request("rise", table=name)
    table = ann.watch(name)
    same(table.seats, [{"name": ann.name, "present": True, "host": True}, None, None])
    same(table.happened, [{"seat": 1, "sat": True}, {"seat": 3, "sat": True}, {"seat": 3, "rose": True}])
    carl.request("sit", table=name)
    bob.request("sit", table=name)
    ann.expect(lambda: table.stage == "playing", "the beginning")
    same([seat["name"] for seat in table.seats], [ann.name, carl.name, bob.name])
    same(bob.refused("rise", table=name), "begun")
    assert Person(SERVER).refused("sit", table=name) in ("begun", "taken")


@claim
def a_table_is_gone_when_the_last_person_rises():
    ann, bob = Person(SERVER), Person(SERVER)
    bob.request("lobby", on=True)
    name = ann.create(players=4, computers=[{"seat": 2, "level": 1}])
    bob.request("sit", table=name)
    watcher = Person.nobody(SERVER)
    watcher.watch(name)
    ann.request("rise", table=name)
    assert listed(ann, name), "it is gone though somebody sits there"
    bob.request("rise", table=name)
    eventually(lambda: listed(ann, name) is None, "that it is gone")
    bob.expect(lambda: any(push["push"] == "lobby" and name in push["gone"] for push in bob.pushes), "that it is gone")
    watcher.expect(lambda: watcher.tables[name].stage == "over", "the end of the table")
    assert {"ended": "closed"} in watcher.tables[name].happened
    assert ann.refused("sit", table=name) in ("table", "over")
    assert name not in owned(ann) + owned(bob)


@claim
def one_person_cannot_take_two_seats():
    ann = Person(SERVER)
    name = ann.create(players=2)
    same(ann.refused("sit", table=name, seat=2), "seated")
    same(ann.request("sit", table=name)["repeated"], True, "that she sits there")
    same(ann.again().refused("sit", table=name, seat=2), "seated")
    same(ann.watch(name).seats, [{"name": ann.name, "present": True, "host": True}, None])


@claim
def two_people_cannot_take_one_seat():
    for _ in range(10):
        ann = Person(SERVER)
        name = ann.create(players=2)
        rivals = [Person(SERVER) for _ in range(3)]
        for rival in rivals:
            rival._send("s", "sit", table=name, seat=2)
        words = []
        for rival in rivals:
            answer = rival._read()
            while answer.get("re") != "s":
                answer = rival._read()
            words.append(answer.get("error", "ok"))
        same(words.count("ok"), 1, f"of {words} those who sit")
        for person in [ann, *rivals]:
            person.close()


@claim
def computers_take_their_seats_at_once():
    ann = Person(SERVER)
    name = ann.create(players=2, computers=[{"seat": 1, "level": 1, "as": "fox"}], first=2)
    table = ann.watch(name)
    ann.expect(lambda: table.stage == "playing", "the beginning")
    same(table.you["seat"], 2, "the first free seat")
    same(Person(SERVER).refused("sit", table=name, seat=1) in ("taken", "begun", "computer"), True)


@claim
def whoever_is_away_is_shown_as_away():
    name, (ann, bob) = gather(SERVER, 2)
    table = ann.tables[name]
    ann.expect(lambda: table.seats[1]["present"], "that he is there")
    second = bob.again()
    second.watch(name)
    bob.close()
    ann.sync()
    assert table.seats[1]["present"], "he is still there on another device"
    second.close()
    ann.expect(lambda: not table.seats[1]["present"], "that he is gone")
    bob.again().watch(name)
    ann.expect(lambda: table.seats[1]["present"], "that he is there again")


@claim
def the_link_to_a_table_leads_to_its_page():
    name = Person(SERVER).create(players=2)
    status, headers, _ = SERVER.get(f"/t/{name}")
    same((status, headers["Location"]), (302, f"/#/t/{name}"), "where the link leads")
    assert headers["Referrer-Policy"] in ("no-referrer", "same-origin"), "the link is told to other sites"
    status, headers, _ = SERVER.get("/")
    assert status == 200 and headers["Content-Type"].startswith("text/html"), (status, headers["Content-Type"])


if __name__ == "__main__":
    run_claims(SERVER)
