"""Whole games between people and computer players; what they may not do; what they hear again when they come back."""
import json
import random
import secrets

from harness import (Person, Server, claim, gather, must_verify, open_quietly, play_on, random_actions, run_claims,
                     same, send, verify)

SERVER = Server()


def lines_of(record):
    """Its actions."""
    return [line.split(";")[0].strip() for line in record.splitlines() if line[:1].isdigit()]


def check_open_record(record):
    assert not [line for line in lines_of(record) if " place " in line], f"placements are public:\n{record}"
    assert "Salt" not in record, f"salts are public:\n{record}"


def check_fresh(person, name):
    """What a person has been told bit by bit is what somebody is told who looks now for the first time."""
    fresh = person.again()
    new, old = fresh.watch(name), person.tables[name]
    person.sync()
    for part in ("terms", "stage", "version", "seats", "view", "you", "happened"):
        same(getattr(old, part), getattr(new, part), f"{person.name}'s {part} (fresh is the second)")
    if old.round:
        same({**old.round, "left": 0}, {**new.round, "left": 0}, "the round")
    fresh.close()


def whole_game(server, count, seed, watcher=True, **terms):
    chance = random.Random(seed)
    name, people = gather(server, count, **{"limit": 40, **terms})
    nobody = Person.nobody(server)
    nobody.watch(name)
    check_open_record(server.record(name))
    steps = 0

    def decide(person, table):
        nonlocal steps
        steps += 1
        if steps % 17 == 0:
            check_open_record(server.record(name))
            for everybody in people:
                everybody.sync()
            check_fresh(chance.choice(people), name)
            if not table.asked():
                return None
        return random_actions(table, chance)

    play_on(people, name, decide)
    nobody.expect(lambda: nobody.tables[name].stage == "over", "the end for who watches")
    for person in people:
        check_fresh(person, name)
        same(person.tables[name].view, nobody.tables[name].view, "the final view of a player")
    record = server.record(name)
    must_verify(record)
    return name, people, nobody, record


# --- whole games ------------------------------------------------------------------------------------------------------


@claim
def two_play_a_whole_game():
    for seed in range(3):
        name, people, nobody, record = whole_game(SERVER, 2, seed)
        assert "[Salt1_1 " in record and "[Seal2_1 " in record, record


@claim
def three_play_a_whole_game():
    for seed in range(2):
        whole_game(SERVER, 3, seed)


@claim
def four_play_a_whole_game():
    whole_game(SERVER, 4, 1)


@claim
def four_play_the_original():
    name, people, *_ = whole_game(SERVER, 4, 2, rules="original", hq="RITA", limit=80)
    same(people[0].tables[name].terms["hq"], "RITA")


@claim
def eight_play_a_whole_game():
    whole_game(SERVER, 8, 3, limit=16)


@claim
def twelve_play_a_whole_game():
    whole_game(SERVER, 12, 4, limit=13)


@claim
def computer_players_play_along():
    for players, computers, rules in [(2, [2], "standard"), (3, [1, 3], "standard"), (4, [2, 3, 4], "original")]:
        chance = random.Random(players)
        count = players - len(computers)
        name, people = gather(SERVER, count, players=players, rules=rules, limit=12, pace=20,
                              computers=[{"seat": seat, "level": 1, "as": "fox"} for seat in computers])
        play_on(people, name, lambda person, table: random_actions(table, chance))
        must_verify(SERVER.record(name))


# --- the public view --------------------------------------------------------------------------------------------------


@claim
def a_spectator_sees_the_public_view_only():
    name, people = gather(SERVER, 3, limit=10)
    watchers = [Person.nobody(SERVER), Person(SERVER)]
    for watcher in watchers:
        watcher.watch(name)
    chance = random.Random(5)
    play_on(people, name, lambda person, table: random_actions(table, chance), lambda table: table.version > 30)
    for watcher in watchers:
        watcher.sync()
        table = watcher.tables[name]
        assert not {"influence", "units", "legal", "orders"} & table.you.keys(), table.you
        assert "place " not in json.dumps(table.happened), table.happened
        assert "sheets" not in table.view
        for frame in watcher.socket.frames:
            assert '"influence"' not in frame and '"units"' not in frame and "place " not in frame, frame


@claim
def the_record_is_open_while_the_game_goes_on_and_whole_afterwards():
    name, people = gather(SERVER, 2, first=1, limit=3)
    play_on(people, name, lambda person, table: [["place 10 T1", "place 3 R2", "done"],
                                                 ["place 5 A1", "done"]][table.you["seat"] - 1],
            lambda table: table.version > 0)
    record = SERVER.record(name)
    same(lines_of(record), ["1: done", "2: done"])
    assert '[View "public"]' in record and "[Seal1_1 " in record and "[Seal2_1 " in record, record
    check_open_record(record)
    assert "rules: not checked" in verify(record)[1], verify(record)
    play_on(people, name, lambda person, table: ["pass" if "pass" in table.you["legal"] else table.you["legal"][-1]])
    record = SERVER.record(name)
    same(lines_of(record)[:5], ["1: place 10 T1", "1: place 3 R2", "1: done", "2: place 5 A1", "2: done"])
    assert "[Salt1_1 " in record and "[Salt2_1 " in record and '[View "public"]' not in record, record
    must_verify(record)
    spoilt = record.replace("1: place 3 R2", "1: place 3 R1")
    assert spoilt != record and verify(spoilt)[0] != 0, "another placement is not found"


@claim
def a_salt_of_ones_own_is_used():
    salt = secrets.token_hex(32)
    name, (ann, bob) = gather(SERVER, 2)
    ann.request("act", table=name, version=0, actions=["place 4 I2", "done"], salt=salt)
    bob.request("act", table=name, version=0, actions=["done"])
    assert salt not in SERVER.record(name)
    for person in (ann, bob):
        person.request("draw", table=name)
    assert f'[Salt1_1 "{salt}"]' in SERVER.record(name), SERVER.record(name)
    must_verify(SERVER.record(name))


# --- what is refused --------------------------------------------------------------------------------------------------


@claim
def nobody_acts_out_of_turn_or_on_an_old_version():
    name, (ann, bob) = gather(SERVER, 2, first=1)
    same(ann.refused("act", table=name, version=0, actions=["step T1 b1"]), "rules")
    same(ann.refused("act", table=name, version=0, actions=["place 10 T1"]), "unfinished")
    same(ann.refused("act", table=name, version=0, actions=["done", "step T1 b1"]), "after")
    open_quietly([ann, bob], name)
    same(bob.refused("act", table=name, version=2, actions=["step T1 b1"]), "turn")
    same(ann.refused("act", table=name, version=1, actions=["step T1 b1"]), "version")
    same(ann.refused("act", table=name, version=9, actions=["step T1 b1"]), "version")
    same(ann.refused("act", table=name, version=2, actions=["step T1 c3"]), "rules")
    same(ann.refused("act", table=name, version=2, actions=["assign", "place 10 T1", "place 10 T1", "place 10 T1",
                                                            "place 10 T1",
                                                            "place 10 T1", "done"]), "rules")
    same(ann.refused("act", table=name, version=2, actions=["jump T1"]), "member")
    ann.sync()
    same(ann.tables[name].version, 2, "the version: nothing has been done")
    same(ann.tables[name].you["units"], [4, 4, 4, 4, 4, 4])


@claim
def nobody_answers_twice():
    name, people = gather(SERVER, 3, first=1)
    people[0].do(name, "done")
    same(people[0].refused("act", table=name, version=0, actions=["place 1 T1", "done"]), "answered")
    for person in people[1:]:
        person.do(name, "done")
    people[0].expect(lambda: people[0].tables[name].version == 3)
    people[0].do(name, "step T1 b1")
    people[1].do(name, "pass")
    same(people[1].refused("act", table=name, version=4, actions=["pass"]), "answered")
    same(people[0].refused("act", table=name, version=4, actions=["pass"]), "turn")


@claim
def nobody_acts_at_a_table_where_he_does_not_sit():
    name, people = gather(SERVER, 2)
    stranger = Person(SERVER)
    stranger.watch(name)
    for do, members in [("act", {"version": 0, "actions": ["done"]}), ("talk", {"text": "hello"}),
                        ("draw", {}),
                        ("offer", {"offer": "agree"}), ("nodraw", {}), ("order", {"order": "pass turn"}),
                        ("cancel", {}),
                        ("resign", {}), ("back", {}), ("replace", {"seat": 1}), ("mute", {"seat": 1}),
                        ("unmute", {"seat": 1}),
                        ("rematch", {})]:
        word = stranger.refused(do, table=name, **members)
        assert word in ("seat", {"rematch": "begun", "replace": "present"}.get(do)), f"{do}: {word}"
    stranger.request("rise", table=name)  # he does not sit there: so be it
    stranger.sync()
    same(stranger.tables[name].happened[-1], {"began": True}, "what has happened")


@claim
def an_assignment_is_done_whole_or_not_at_all():
    name, (ann, bob) = gather(SERVER, 2, first=1)
    open_quietly([ann, bob], name)
    table = ann.tables[name]
    same(ann.refused("act", table=name, version=2, actions=["assign", "place 10 T1", "place 11 T1", "done"]), "member")
    same(ann.refused("act", table=name, version=2, actions=["assign", "place 10 T1", "step T1 b1"]), "rules")
    ann.sync()
    same((table.version, table.you["influence"][0]), (2, 0))
    ann.act(table, ["assign"])
    ann.expect(lambda: table.version == 3)
    same(table.view["phase"], "placing")
    ann.act(table, ["place 5 T1", "place 1 R1", "done"])
    ann.expect(lambda: table.version == 4)
    same(table.you["influence"], [5, 0, 0, 0, 0, 0, 1, 0])
    bob.expect(lambda: bob.tables[name].version == 4)
    assert "place" not in json.dumps([entry for entry in bob.tables[name].happened if entry.get("seat") == 1])


# --- repeats and lost connections -------------------------------------------------------------------------------------


def answer_to(person, name):
    """The answer to a request sent by hand."""
    while True:
        message = person._read()
        if message.get("re") == name:
            return message


@claim
def a_request_with_the_same_id_is_done_once():
    name, (ann, bob) = gather(SERVER, 2, first=1)
    open_quietly([ann, bob], name)
    request = {"table": name, "version": 2, "actions": ["step T1 b1"]}
    for _ in range(3):
        ann._send("again", "act", **request)
    for _ in range(3):
        same(answer_to(ann, "again").get("ok"), True, "the answer")
    bob.do(name, "pass")
    bob.sync()
    other = ann.again()
    other._send("again", "act", **request)
    same(answer_to(other, "again").get("ok"), True, "the answer on another connection, later")
    bob.sync()
    same([entry["action"] for entry in bob.tables[name].happened if "action" in entry and entry["action"] != "done"],
         ["step T1 b1", "pass"])


@claim
def a_table_is_made_once_for_one_id():
    ann = Person(SERVER)
    names = []
    for connection in (ann, ann, ann.again()):
        connection._send("table", "create", players=2, listed=False)
        names.append(answer_to(connection, "table")["table"])
    same(len(set(names)), 1, "the number of tables")
    same(len(ann.request("lobby")["own"]), 1, "the number of own tables")


@claim
def what_is_asked_at_many_tables_is_answered_in_the_order_in_which_it_came():
    ann = Person(SERVER)
    asked = [send(ann, "talk", table=table, text="Hello") for table in [ann.create(players=2) for _ in range(20)]]
    answered = []
    while len(answered) < len(asked):
        answered += [name for name in [ann._read().get("re")] if name in asked]
    same(answered, asked, "the order of the answers")


@claim
def talk_draw_and_sitting_with_the_same_id_are_done_once():
    ann, bob = Person(SERVER), Person(SERVER)
    name = ann.create(players=2)
    ann.watch(name)

    def thrice(person, do, **members):
        for _ in range(3):
            person._send("once-" + do, do, table=name, **members)
        return [answer_to(person, "once-" + do).get("ok") for _ in range(3)]

    same(thrice(bob, "sit"), [True] * 3, "sitting down")
    same(thrice(ann, "talk", text="hello"), [True] * 3, "talking")
    same(thrice(ann, "offer", offer="pass T1"), [True] * 3, "offering")
    same(thrice(ann, "order", order="pass turn"), [True] * 3, "ordering")
    ann.sync()
    happened = ann.tables[name].happened
    for key in ("talk", "offer"):
        same(len([entry for entry in happened if key in entry]), 1, f"the number of {key}")
    same(len(ann.tables[name].you["orders"]), 1, "the number of standing orders")


@claim
def a_repeat_after_the_server_was_killed_is_harmless():
    with Server() as server:
        name, people = gather(server, 2, first=1)
        open_quietly(people, name)
        requests = []
        for person, action in [(people[0], "step T1 b1"), (people[1], "pass"), (people[1], "step A1 d1")]:
            person.asked_at(name)
            request = {"table": name, "version": person.tables[name].version, "actions": [action]}
            person._send(f"r{len(requests)}", "act", **request)
            same(answer_to(person, f"r{len(requests)}")["ok"], True)
            requests.append((person, request))
            person.sync()
        before = people[0].again().watch(name)
        server.restart(kill=True)
        for number, (person, request) in enumerate(requests):
            again = person.again()
            again._send(f"r{number}", "act", **request)
            same(answer_to(again, f"r{number}").get("ok"), True, "the answer to the repeat")
        after = people[0].again().watch(name)
        same(after.version, before.version)
        same(after.happened, before.happened)
        same(after.view, before.view)
        same(after.you, before.you)


@claim
def all_connections_of_a_person_hear_everything():
    name, (ann, bob) = gather(SERVER, 2, first=1)
    second = ann.again()
    second.watch(name)
    open_quietly([ann, bob], name)
    second.do(name, "step T1 b1")
    ann.expect(lambda: ann.tables[name].version == 3)
    bob.request("talk", table=name, text="both of you")
    for person in (ann, second):
        person.expect(lambda: any("talk" in entry for entry in person.tables[name].happened))
    ann.sync()
    second.sync()
    same(vars(ann.tables[name]), vars(second.tables[name]))


@claim
def whoever_comes_back_hears_what_he_has_missed():
    name, people = gather(SERVER, 2, first=1)
    chance = random.Random(8)
    play_on(people, name, lambda person, table: random_actions(table, chance), lambda table: table.version > 12)
    ann = people[0]
    ann.sync()
    whole = list(ann.tables[name].happened)
    for have in (0, 1, 5, len(whole) - 1, len(whole)):
        back = ann.again()
        back.request("watch", table=name, have=have)
        push = back._read()
        while push.get("push") != "table":
            push = back._read()
        if have < len(whole):
            same((push["from"], push["happened"]), (have, whole[have:]))
        else:
            same(push.get("happened", []), [])
        same(push["view"], ann.tables[name].view)
    far = ann.again()
    answer = None
    far._send("far", "watch", table=name, have=999999)
    answer = answer_to(far, "far")
    assert answer.get("ok") or answer["error"] == "member", answer


if __name__ == "__main__":
    run_claims(SERVER)
