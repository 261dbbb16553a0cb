"""What can be done at a table besides playing: talk, draws, absence, rematches, statistics, clocks."""
import random

from harness import (Person, Server, claim, gather, must_verify, online_player, open_quietly, play_on, random_actions,
                     run_claims, same)

from online_player import Refused

SERVER = Server()
NEVER_WAITS = Server("--absent", "0")


# --- talking ----------------------------------------------------------------------------------------------------------


def said(person, name, key="talk"):
    person.sync()
    return [entry[key] for entry in person.tables[name].happened if key in entry]


@claim
def talk_is_heard_by_all_and_a_whisper_by_those_meant():
    name, people = gather(SERVER, 4)
    nobody = Person.nobody(SERVER)
    nobody.watch(name)
    people[0].request("talk", table=name, text="to all")
    people[0].request("talk", table=name, text="to two", to=[2])
    people[1].request("talk", table=name, text="to one and four", to=[1, 4])
    same(said(people[0], name), ["to all", "to two", "to one and four"])
    same(said(people[1], name), ["to all", "to two", "to one and four"])
    same(said(people[2], name), ["to all"])
    same(said(people[3], name), ["to all", "to one and four"])
    same(said(nobody, name), ["to all"])
    for frame in people[2].socket.frames + nobody.socket.frames:
        assert "to two" not in frame and "one and four" not in frame, frame
    same(people[2].tables[name].happened, nobody.tables[name].happened, "what a third one hears")
    record = SERVER.record(name)
    assert "to two" not in record and "to all" not in record, "talk is in the record"


@claim
def script_in_talk_is_text():
    name, people = gather(SERVER, 2)
    texts = ["<script>alert('x')</script>", '"}],"push":"table', "\\u0000", "</script>", "äöü 王 🏆", "% %s %n",
             "line\u2028line"]
    for text in texts:
        people[0].request("talk", table=name, text=text)
    same(said(people[1], name), texts)
    for text in ["", "x" * 501, "a\x00b", "a\nb", "a\x1b[0m", "\x7f"]:
        assert people[0].refused("talk", table=name, text=text) in ("talk", "member"), repr(text)
    same(said(people[1], name), texts)


@claim
def offers_need_no_language():
    name, people = gather(SERVER, 3)
    offers = ["pass T1", "uncover A2", "hold 10 T1", "bring T1 d3", "stop 3", "agree", "refuse"]
    for offer in offers:
        people[0].request("offer", table=name, offer=offer)
    people[0].request("offer", table=name, offer="hold 100 R2", to=[3])
    same(said(people[1], name, "offer"), offers)
    same(said(people[2], name, "offer"), offers + ["hold 100 R2"])
    for offer in ["", "pass", "pass T3", "uncover", "hold T1", "hold -1 T1", "bring T1", "bring T1 f6", "stop 0",
                  "stop 13", "stop", "perhaps",
                  "agree now", 5]:
        assert people[0].refused("offer", table=name, offer=offer) in ("member", "talk"), offer


@claim
def a_muted_player_is_not_heard():
    name, (ann, bob, carl) = gather(SERVER, 3)
    ann.request("mute", table=name, seat=2)
    ann.expect(lambda: ann.tables[name].you["muted"] == [2])
    bob.request("talk", table=name, text="quiet please")
    bob.request("offer", table=name, offer="agree", to=[1])
    carl.request("talk", table=name, text="and I?")
    same(said(ann, name), ["and I?"])
    same(said(ann, name, "offer"), [])
    same(said(carl, name), ["quiet please", "and I?"])
    assert not any("quiet please" in frame for frame in ann.socket.frames)
    bob.sync()
    same(bob.tables[name].you["muted"], [], "what the muted one knows of it")
    ann.request("unmute", table=name, seat=2)
    bob.request("talk", table=name, text="thank you")
    same(said(ann, name)[-1], "thank you")


@claim
def a_table_can_turn_talk_off():
    name, (ann, bob) = gather(SERVER, 2, talk=False)
    same(ann.refused("talk", table=name, text="hello"), "talk-off")
    same(ann.refused("talk", table=name, text="hello", to=[2]), "talk-off")
    same(ann.refused("offer", table=name, offer="agree"), "talk-off")


@claim
def whispers_to_nobody_are_refused():
    name, (ann, bob) = gather(SERVER, 2)
    for to in ([], [3], [0], [13], ["2"], [1.5], "2"):
        word = ann.refused("talk", table=name, text="hello", to=to)
        assert word in ("talk", "member", "seat"), f"{to}: {word}"


# --- ending -----------------------------------------------------------------------------------------------------------


@claim
def a_draw_needs_all_persons():
    name, people = gather(SERVER, 3)
    same(people[0].refused("nodraw", table=name), "no-draw")
    people[0].request("draw", table=name)
    people[1].request("nodraw", table=name)
    people[1].request("draw", table=name)
    people[2].request("draw", table=name)
    people[2].sync()
    same(people[2].tables[name].stage, "playing")
    same([bool(seat.get("draw")) for seat in people[2].tables[name].seats], [False, True, True])
    people[0].request("draw", table=name)
    for person in people:
        person.expect(lambda: person.tables[name].stage == "over")
        same(person.tables[name].happened[-1], {"ended": "agreed"})
    record = SERVER.record(name)
    assert '[Termination "agreed"]' in record, record
    must_verify(record)
    for do, members in [("act", {"version": 0, "actions": ["done"]}), ("draw", {}), ("resign", {})]:
        same(people[0].refused(do, table=name, **members), "over", f"the answer to {do}")


@claim
def computer_players_do_not_stand_in_the_way_of_a_draw():
    name, (ann,) = gather(SERVER, 1, players=2, computers=[{"seat": 2, "level": 1}], pace=10000)
    ann.request("draw", table=name)
    ann.expect(lambda: ann.tables[name].stage == "over")


@claim
def who_resigns_is_followed_by_a_computer_player():
    chance = random.Random(3)
    name, (ann, bob) = gather(SERVER, 2, limit=8)
    ann.request("resign", table=name)
    bob.expect(lambda: {"seat": 1, "handed": True} in bob.tables[name].happened)
    assert ann.refused("act", table=name, version=0, actions=["done"]) in ("computer", "seat")
    assert ann.refused("back", table=name) in ("computer", "seat", "resigned")
    play_on([bob], name, lambda person, table: random_actions(table, chance))
    must_verify(SERVER.record(name))


@claim
def the_absent_are_replaced_by_vote_until_they_are_back():
    name, (ann, bob, carl) = gather(NEVER_WAITS, 3, first=1)
    same(ann.refused("replace", table=name, seat=2), "present")
    ann.expect(lambda: ann.tables[name].seats[1]["present"])
    bob.close()
    ann.expect(lambda: not ann.tables[name].seats[1]["present"])
    ann.request("replace", table=name, seat=2)
    ann.sync()
    assert {"seat": 1, "replace": 2} in ann.tables[name].happened
    assert {"seat": 2, "handed": True} not in ann.tables[name].happened, "one of two has decided alone"
    carl.request("replace", table=name, seat=2)
    ann.expect(lambda: {"seat": 2, "handed": True} in ann.tables[name].happened)
    open_quietly([ann, carl], name)
    back = bob.again()
    table = back.watch(name)
    assert back.refused("act", table=name, version=table.version, actions=["done"]) in ("computer",
                                                                                        "turn"), "he may act"
    back.request("back", table=name)
    back.expect(lambda: {"seat": 2, "back": True} in table.happened)
    same(back.refused("back", table=name), "person")
    ann.do(name, "step T1 b1")
    back.expect(lambda: table.asked(), "to be asked again")
    back.act(table, ["pass"])
    for word, members in [("seat", {"seat": 4}), ("seat", {"seat": 1})]:
        assert ann.refused("replace", table=name, **members) in (word, "member", "present", "empty"), members


@claim
def who_may_not_be_replaced_yet_will_be_and_it_is_said_when():
    name, (ann, bob) = gather(SERVER, 2)
    try:
        ann.request("replace", table=name, seat=2)
        raise AssertionError("somebody who is here was replaced")
    except Refused as refusal:
        same([refusal.word, refusal.wait], ["present", None])
    bob.close()
    ann.expect(lambda: not ann.tables[name].seats[1]["present"])
    try:
        ann.request("replace", table=name, seat=2)
        raise AssertionError("somebody who has just left was replaced")
    except Refused as refusal:
        assert refusal.word == "present" and 0 < refusal.wait <= 60000, refusal.wait


@claim
def the_vote_of_one_is_enough_among_two():
    name, (ann, bob) = gather(NEVER_WAITS, 2)
    ann.expect(lambda: ann.tables[name].seats[1]["present"])
    bob.close()
    ann.expect(lambda: not ann.tables[name].seats[1]["present"])
    ann.request("replace", table=name, seat=2)
    ann.expect(lambda: {"seat": 2, "handed": True} in ann.tables[name].happened)


@claim
def a_rematch_has_the_same_terms_and_people():
    name, people = gather(SERVER, 3, limit=50, rules="standard", talk=False, computers=[])
    assert people[0].refused("rematch", table=name) in ("begun", "not-over", "over"), "a rematch of a running game"
    for person in people:
        person.request("draw", table=name)
    nexts = [person.request("rematch", table=name)["table"] for person in people]
    same(len(set(nexts)), 1, "the number of new tables")
    assert nexts[0] != name
    table = people[0].watch(nexts[0])
    people[0].expect(lambda: table.stage == "playing")
    same([seat["name"] for seat in table.seats], [person.name for person in people])
    same((table.terms["limit"], table.terms["talk"]), (50, False))
    assert Person(SERVER).refused("rematch", table=name) == "seat"


@claim
def rematches_asked_for_at_the_same_moment_are_one():
    for _ in range(5):
        name, people = gather(SERVER, 3)
        for person in people:
            person.request("draw", table=name)
        for person in people:
            person._send("again", "rematch", table=name)
        nexts = []
        for person in people:
            while (answer := person._read()).get("re") != "again":
                pass
            nexts.append(answer["table"])
        same(len(set(nexts)), 1, f"the number of new tables {nexts}")


@claim
def statistics_count_what_was_played():
    ann, bob = Person(SERVER, "Stat Ann"), Person(SERVER, "Stat Bob")
    same(ann.request("stats", name="Stat Bob")["games"], 0)
    name, people = gather(SERVER, 2, [ann, bob])
    for person in people:
        person.request("draw", table=name)
    name, people = gather(SERVER, 2, [ann, bob], limit=1)
    play_on(people, name)
    winner, count = None, 2
    while winner is None:
        count += 1
        assert count < 20, "nobody ever wins"
        name, people = gather(SERVER, 2, [ann, bob], limit=60)
        minds = {person: online_player.Player() for person in people}
        play_on(people, name, lambda person, table: minds[person].decide(table))
        result = ann.tables[name].view["result"]
        winner = None if result == "draw" else people[int(result.split()[1]) - 1]
    bob.expect(lambda: bob.request("stats", name="Stat Ann")["games"] == count, "the count")
    for person in people:
        stats = person.request("stats", name=person.name)
        won = int(person is winner)
        same((stats["games"], stats["won"], stats["drawn"]), (count, won, count - 1))
        same(stats["standard"]["2"], {"games": count, "won": won, "drawn": count - 1})
    assert ann.refused("stats", name="Nobody At All") in ("who", "name", "person"), "statistics of nobody"


# --- clocks -----------------------------------------------------------------------------------------------------------


@claim
def a_clock_that_runs_out_does_the_safest_and_twice_hands_over():
    name, (ann, bob) = gather(SERVER, 2, first=1, clock={"kind": "move", "time": 1000, "opening": 1000})
    table = ann.tables[name]
    assert 0 < table.round["left"] <= 1000, table.round
    # In the opening: nothing is placed for anybody.
    ann.expect(lambda: table.version == 2, "the end of the opening by the clock")
    same(table.you["influence"], [0] * 8, "what the clock has placed")
    # Ann acts; Bob, for the second time in a row, does not.
    ann.act(table, ["step T1 b1"])
    ann.expect(lambda: {"seat": 2, "handed": True} in table.happened, "the seat handed over")
    assert {"seat": 1, "handed": True} not in table.happened, "who acted in time is replaced"
    same([entry["action"] for entry in table.happened if entry.get("seat") == 2 and "action" in entry][:2],
         ["done", "pass"])
    assert not [entry
                for entry in table.happened if entry.get("late") and entry["seat"] == 2], "a late hidden answer is told"
    bob.request("back", table=name)
    bob.expect(lambda: {"seat": 2, "back": True} in bob.tables[name].happened)


@claim
def a_late_turn_is_told_and_never_invents_influence():
    name, (ann, bob) = gather(SERVER, 2, first=1, clock={"kind": "move", "time": 1000})
    open_quietly([ann, bob], name)
    bob.expect(lambda: {"seat": 1, "late": True} in bob.tables[name].happened, "that she was late")
    bob.sync()
    same(bob.tables[name].view["known"], [[0] * 8, [0] * 8])


@claim
def a_bank_pays_for_turns_and_an_answer_has_its_own_time():
    name, (ann, bob) = gather(SERVER, 2, first=1, clock={"kind": "bank", "time": 90000, "increment": 1000,
                                                         "answer": 5000})
    open_quietly([ann, bob], name)
    ann.sync()
    assert 5000 < ann.tables[name].round["left"] <= 90000, ann.tables[name].round
    ann.do(name, "step T1 b1")
    bob.asked_at(name)
    assert bob.tables[name].round["left"] <= 5000, bob.tables[name].round
    same([seat["bank"] > 80000 for seat in bob.tables[name].seats], [True, True], "that the banks are shown")


if __name__ == "__main__":
    run_claims(SERVER)
