"""Finding a game: quick games, friends, invitations, blocks, and who is here."""
import io
import json
import tarfile

from harness import Person, Server, about_time, claim, eventually, gather, heard, play_on, pushed, run_claims, same
from online_player import Account, Refused

SERVER = Server()


def registered(server, name):
    account = Account(server.url)
    account.request("POST", "/api/register", {"name": name, "password": "in the cellar"})
    return Person(server, name, account)


def waiting(server):
    return server.figures()["gral_quick_games_waiting"]


def table_of(person):
    person.expect(lambda: any('"push":"quick","table"' in frame for frame in person.socket.frames), "a quick game")
    return next(json.loads(frame)["table"] for frame in person.socket.frames if '"push":"quick","table"' in frame)


def names(rows):
    return [row["name"] for row in rows]


def befriend(one, other):
    one.request("befriend", name=other.name)
    other.request("befriend", name=one.name)


# --- quick games --------------------------------------------------------------------------------------------------------


@claim
def two_who_want_the_same_play_at_once():
    ann, bob = Person(SERVER), Person(SERVER)
    ann.request("quick", size="2")
    pushed(ann, "quick", people=1, players=2)
    bob.request("quick", size="any")
    same(table_of(ann), table_of(bob), "the table")
    table = ann.watch(table_of(ann))
    same(table.stage, "playing")
    same(sorted(seat["name"] for seat in table.seats), sorted([ann.name, bob.name]))
    same(table.terms["clock"], {"kind": "move", "time": 60000, "opening": 180000})
    same(waiting(SERVER), 0, "who waits")


@claim
def everybody_hears_how_far_it_is_until_there_are_enough():
    people = [Person(SERVER) for _ in range(4)]
    for count, person in enumerate(people[:3], 1):
        person.request("quick", size="4", wait=600)
        for other in people[:count]:
            push = pushed(other, "quick", people=count, players=4)
            assert 0 < push["left"] <= 600000, push
    people[3].request("quick", size="any")
    same(len({table_of(person) for person in people}), 1, "tables")


@claim
def eight_who_want_many_play_at_one_table_and_six_after_a_moment():
    people = [Person(SERVER) for _ in range(8)]
    for person in people:
        person.request("quick", size="5+", wait=600)
    table = table_of(people[0])
    for person in people[1:]:
        same(table_of(person), table)
    six = [Person(SERVER) for _ in range(6)]
    for person in six:
        person.request("quick", size="5+", wait=0)
    push = pushed(six[5], "quick", people=6, players=6)
    assert 0 < push["left"] <= 10000, push
    table = table_of(six[5])
    same(len(six[0].watch(table).seats), 6)


@claim
def computers_take_the_seats_when_patience_is_over():
    person = Person(SERVER)
    person.request("quick", size="3", wait=1)
    table = person.watch(table_of(person))
    same(table.stage, "playing")
    computers = [seat["computer"] for seat in table.seats if "name" not in seat]
    same(len(computers), 2)
    assert all("level=3" in computer for computer in computers), "of the level of somebody nobody knows"
    same(len(set(computers)), 2, "their characters")


@about_time
@claim
def computers_are_about_as_strong_as_who_plays_with_them():
    with Server() as server:
        person = registered(server, "Arthur")
        for _ in range(4):  # who gives up again and again is not strong
            name = person.create(players=3, rated=True, clock={"kind": "move", "time": 60000},
                                 computers=[{"seat": 2, "level": 1}, {"seat": 3, "level": 1}])
            person.watch(name)
            play_on([person], name, until=lambda table: table.version > 40)  # so that it counts
            if person.tables[name].stage == "playing":
                person.request("resign", table=name)
        eventually(lambda: "3-4-computers" in person.request("stats", name="Arthur")["ratings"], "a rating")
        person.socket.frames.clear()
        person.request("quick", size="3", wait=1)
        table = person.watch(table_of(person))
        levels = {seat["computer"].split("level=")[1][0] for seat in table.seats if "name" not in seat}
        assert levels <= {"1", "2"}, f"of level {levels}"


@claim
def everybody_has_one_place_on_whichever_connection():
    person = Person(SERVER)
    other = person.again()
    person.request("quick", size="3", wait=600)
    other.request("quick", size="3", wait=600)
    same(waiting(SERVER), 1, "who waits")
    person.close()  # he waits on the other one now
    same(waiting(SERVER), 1, "who waits")
    other.request("unquick")
    same(waiting(SERVER), 0, "who waits")
    other.request("unquick")


@claim
def who_leaves_is_not_waited_for():
    gone, bob = Person(SERVER), Person(SERVER)
    gone.request("quick", size="2", wait=0)
    gone.close()
    eventually(lambda: waiting(SERVER) == 0, "nobody waits")
    bob.request("quick", size="2", wait=0)
    push = pushed(bob, "quick")
    same((push["people"], push["players"], "left" in push), (1, 2, False), "his progress")
    bob.request("unquick")


@claim
def a_wish_that_makes_no_sense_is_refused():
    person = Person(SERVER)
    for wish in ({"size": "1"}, {"size": 2}, {"wait": -1}, {"wait": 3601}, {"wait": "long"}, {"days": 1},
                 {"players": 2}):
        same(person.refused("quick", **wish), "member", str(wish))
    same(person.refused("quick", rated=True), "registered")
    same(Person.nobody(SERVER).refused("quick"), "who")


@claim
def rated_games_are_for_those_who_want_them():
    with Server() as server:
        ann, bob, cleo = (registered(server, name) for name in ("Ann", "Bob", "Cleo"))
        ann.request("quick", size="2", rated=True, wait=600)
        cleo.request("quick", size="2", wait=600)
        bob.request("quick", size="2", rated=True, wait=600)
        table = ann.watch(table_of(ann))
        same(table.terms["rated"], True)
        same(sorted(seat["name"] for seat in table.seats), ["Ann", "Bob"])


@claim
def who_has_too_many_tables_gets_no_quick_game():
    with Server("--tables-per-user", "1", hasty=False) as server:
        person = Person(server, "Arthur")
        person.create(players=2)
        same(person.refused("quick"), "many")


@claim
def by_days_one_gets_the_seat_that_has_waited_longest_or_a_new_table():
    with Server() as server:
        ann, bob, cleo = Person(server, "Ann"), Person(server, "Bob"), Person(server, "Cleo")
        first = ann.request("quick", size="3", days=True)["table"]
        same(ann.request("quick", size="3", days=True)["table"], first, "where she has a seat already")
        same(ann.watch(first).terms["clock"], {"kind": "move", "time": 86400000})
        second = bob.request("quick", size="2", days=True)["table"]
        assert second != first
        server.restart(kill=True)  # such a place outlives the connection, and the server
        cleo = Person(server, account=cleo.account, name="Cleo")
        same(cleo.request("quick", days=True)["table"], first, "the oldest that fits")
        same(len([seat for seat in cleo.watch(first).seats if seat]), 2, "people there")
        dan = Person(server, "Dan")
        same(dan.request("quick", size="2", days=True)["table"], second)
        same(dan.watch(second).stage, "playing")


# --- other terms --------------------------------------------------------------------------------------------------------


@claim
def the_host_changes_the_terms_as_long_as_nobody_else_sits_there():
    with Server() as server:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        name = ann.create(players=4, computers=[{"seat": 2, "level": 1}])
        table, seen = ann.watch(name), bob.watch(name)
        same(bob.refused("terms", table=name, players=2), "seat")
        ann.request("terms", table=name, players=2, first=2, listed=False, clock={"kind": "move", "time": 60000})
        for who in (ann, bob):
            who.expect(lambda who=who: who.tables[name].terms["players"] == 2, "the new terms")
        same([seat and seat["name"] for seat in table.seats], ["Ann", None])
        same((table.you["seat"], table.terms["listed"], seen.stage), (1, False, "gathering"))
        ann.request("terms", table=name, players=4, computers=[{"seat": 1, "level": 1}, {"seat": 3, "level": 2}])
        ann.expect(lambda: table.you["seat"] == 2, "another seat")
        server.restart(kill=True)
        ann, bob = Person(server, "Ann", ann.account), Person(server, "Bob", bob.account)
        table = ann.watch(name)
        same((table.terms["players"], table.you["seat"]), (4, 2))
        ann.request("terms", table=name, players=3)
        bob.request("sit", table=name)
        same(ann.refused("terms", table=name, players=2), "seated")
        Person(server, "Cleo").request("sit", table=name)
        same(ann.refused("terms", table=name, players=2), "begun")
        same(bob.watch(name).stage, "playing")


# --- friends ------------------------------------------------------------------------------------------------------------


@claim
def friends_are_those_who_both_want_it():
    ann, bob = Person(SERVER), Person(SERVER)
    ann.request("befriend", name=bob.name)
    pushed(bob, "friends")
    same(names(ann.request("friends")["asked"]), [bob.name])
    lists = bob.request("friends")
    same((names(lists["asking"]), names(lists["friends"])), ([ann.name], []))
    bob.request("befriend", name=ann.name)
    pushed(ann, "friends")
    for one, other in ((ann, bob), (bob, ann)):
        lists = one.request("friends")
        same([(row["name"], row["here"]) for row in lists["friends"]], [(other.name, True)])
        same((lists["asked"], lists["asking"]), ([], []))
    ann.request("unfriend", name=bob.name)
    pushed(bob, "friends")
    same(bob.request("friends")["friends"], [])
    same(ann.refused("befriend", name="Nobody At All"), "name")
    same(ann.refused("befriend", name=ann.name), "name")
    same(Person.nobody(SERVER).refused("friends"), "who")


@claim
def a_request_can_be_declined_or_taken_back():
    ann, bob = Person(SERVER), Person(SERVER)
    for who, other in ((bob, ann), (ann, bob)):
        ann.request("befriend", name=bob.name)
        who.request("unfriend", name=other.name)
        same(ann.request("friends")["asked"], [])
        same(bob.request("friends")["asking"], [])


@claim
def friends_see_who_comes_and_goes_unless_he_does_not_want_it():
    ann, bob = Person(SERVER), Person(SERVER)
    stranger = Person(SERVER)
    befriend(ann, bob)
    for _ in range(5):  # whoever is back in a moment has not gone
        other = bob.again()
        bob.close()
        other.close()
        bob = Person(SERVER, bob.name, bob.account)
        same([row["here"] for row in ann.request("friends")["friends"]], [True])
    bob.sync()
    same(heard(ann, "friend"), [], "what is heard of who comes back at once")
    bob.close()
    pushed(ann, "friend", name=bob.name, here=False)
    bob = Person(SERVER, bob.name, bob.account)
    pushed(ann, "friend", name=bob.name, here=True)
    bob.request("seen", by="nobody")
    pushed(ann, "friend", name=bob.name, here=False)
    same([row["here"] for row in ann.request("friends")["friends"]], [False])
    bob.close()
    bob = Person(SERVER, bob.name, bob.account)
    same(bob.request("friends")["seen"], "nobody")
    ann.sync()
    same(heard(ann, "friend"), [], "what is heard of who wants to be seen by nobody")
    same(heard(stranger, "friend"), [])


@claim
def the_lobby_tells_how_many_are_here_and_names_those_who_want_it():
    with Server() as server:
        ann, bob, cleo = Person(server, "Ann"), Person(server, "Bob"), Person(server, "Cleo")
        same(ann.request("lobby", on=True)["here"], {"count": 3, "names": []})
        same(Person.nobody(server).request("lobby")["here"]["count"], 3)
        bob.request("seen", by="everyone")
        pushed(ann, "here", names=["Bob"])
        cleo.close()
        pushed(ann, "here", count=2)
        bob.request("block", name="Ann")
        same(ann.request("lobby", on=True)["here"]["names"], ["Bob"], "what every stranger sees, also who is blocked")
        ann.request("seen", by="everyone")
        same(bob.request("lobby")["here"]["names"], ["Bob"], "the names without hers whom he has blocked")


@claim
def nobody_is_bothered_by_what_changes_nothing():
    with Server() as server:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        for _ in range(5):
            ann.request("unfriend", name="Bob")
        bob.sync()
        same(heard(bob, "friends"), [], "what Bob hears of nothing")
        for _ in range(3):
            ann.request("befriend", name="Bob")
        for _ in range(3):
            ann.request("unfriend", name="Bob")
        bob.sync()
        same(len(heard(bob, "friends")), 2, "pushes about a wish and its end")


# --- invitations --------------------------------------------------------------------------------------------------------


@claim
def somebody_invited_is_told_and_finds_it_until_he_sits_or_the_game_begins():
    ann, bob, cleo = Person(SERVER), Person(SERVER), Person(SERVER)
    table = ann.create(players=3, listed=False)
    for who in (bob, cleo):
        ann.request("invite", table=table, name=who.name)
        same(pushed(who, "invited")["by"], ann.name)
        same([(row["table"], row["by"]) for row in who.request("friends")["invitations"]], [(table, ann.name)])
    bob.request("sit", table=table)
    same(bob.request("friends")["invitations"], [])
    dan = Person(SERVER)
    dan.request("sit", table=table)
    eventually(lambda: cleo.request("friends")["invitations"] == [], "no invitation to a game that has begun")
    same(ann.refused("invite", table=table, name=cleo.name), "begun")


@claim
def an_invitation_can_be_declined():
    ann, bob = Person(SERVER), Person(SERVER)
    table = ann.create(players=2)
    ann.request("invite", table=table, name=bob.name)
    bob.request("decline", table=table)
    same(bob.request("friends")["invitations"], [])
    bob.request("decline", table=table)
    same(bob.refused("invite", table=table, name=ann.name), "seat", "who does not sit there")


@claim
def somebody_keeps_the_newest_of_many_invitations():
    ann, bob = Person(SERVER), Person(SERVER)
    tables = [ann.create(players=2) for _ in range(60)]
    for table in tables:
        ann.request("invite", table=table, name=bob.name)
    same([row["table"] for row in bob.request("friends")["invitations"]], tables[:-51:-1])


@claim
def a_rematch_invites_who_is_not_there_any_more():
    name, (ann, bob) = gather(SERVER, 2, limit=1)
    play_on([ann, bob], name)
    bob.request("unwatch", table=name)
    following = ann.request("rematch", table=name)["table"]
    same(pushed(bob, "invited"), {"push": "invited", "table": following, "by": ann.name})
    bob.request("sit", table=following)
    same(bob.watch(following).stage, "playing")


# --- blocks -------------------------------------------------------------------------------------------------------------


@claim
def who_is_blocked_is_not_matched():
    with Server() as server:
        ann, bob, cleo = Person(server, "Ann"), Person(server, "Bob"), Person(server, "Cleo")
        ann.request("block", name="Bob")
        for who in (ann, bob):
            who.request("quick", size="2", wait=0)
            same(pushed(who, "quick")["people"], 1)
        cleo.request("quick", size="2", wait=0)
        same(table_of(cleo), table_of(ann))
        bob.request("unquick")
        first = ann.request("quick", size="2", days=True)["table"]
        assert bob.request("quick", size="2", days=True)["table"] != first, "by days, too"


@claim
def who_is_blocked_cannot_sit_at_the_table_and_does_not_see_it_in_the_lobby():
    ann, bob = Person(SERVER), Person(SERVER)
    bob.request("lobby", on=True)
    ann.request("block", name=bob.name)
    table = ann.create(players=2)
    same(bob.refused("sit", table=table), "dismissed", "the same word as for who was asked to leave")
    for who, seen in ((bob, False), (Person(SERVER), True)):
        same(table in [row["table"] for row in who.request("lobby", on=True)["tables"]], seen)
    own = bob.create(players=2)
    same(own in [row["table"] for row in ann.request("lobby")["tables"]], False, "nor does she want to see his")
    bob.expect(lambda: any(own in frame and '"push":"lobby"' in frame for frame in bob.socket.frames), "his own table")
    same([frame for frame in bob.socket.frames if table in frame and '"push":"lobby"' in frame], [])
    ann.request("unblock", name=bob.name)
    bob.request("sit", table=table)


@claim
def nobody_hears_whom_he_has_blocked():
    name, (ann, bob, cleo) = gather(SERVER, 3)
    ann.request("block", name=bob.name)
    ann.expect(lambda: ann.tables[name].you.get("muted") == [2], "that he is muted")
    bob.request("talk", table=name, text="Hello?")
    cleo.request("talk", table=name, text="Hello!")
    ann.expect(lambda: any("Hello!" in frame for frame in ann.socket.frames), "what Cleo says")
    assert not any("Hello?" in frame for frame in ann.socket.frames)
    same(bob.tables[name].you["muted"], [], "what Bob knows")
    other = cleo.create(players=4)  # and at the next table, where a third is the host
    bob.request("sit", table=other)
    ann.sit_at(other)
    bob.request("talk", table=other, text="And here?")
    cleo.request("talk", table=other, text="And here!")
    ann.expect(lambda: any("And here!" in frame for frame in ann.socket.frames), "what Cleo says")
    assert not any("And here?" in frame for frame in ann.socket.frames)


@claim
def who_is_blocked_gets_the_answers_of_who_is_ignored():
    ann, bob = Person(SERVER), Person(SERVER)
    befriend(ann, bob)
    ann.request("block", name=bob.name)
    pushed(bob, "friends")
    same({**bob.request("friends"), "re": 0}, {**Person(SERVER).request("friends"), "re": 0}, "his list")
    for frames in (ann.socket.frames, bob.socket.frames):
        frames.clear()
    bob.request("befriend", name=ann.name)
    same(names(bob.request("friends")["asked"]), [ann.name])
    bob.request("invite", table=bob.create(players=2), name=ann.name)
    ann.sync()
    same([frame for frame in ann.socket.frames if '"push"' in frame], [], "what she hears")
    lists = ann.request("friends")
    same((lists["asking"], lists["invitations"], names(lists["blocked"])), ([], [], [bob.name]))
    assert not any("block" in frame for frame in bob.socket.frames if '"blocked":[]' not in frame)


@claim
def who_has_blocked_the_other_is_not_told_of_a_rematch():
    name, (ann, bob) = gather(SERVER, 2, limit=1)
    play_on([ann, bob], name)
    ann.request("block", name=bob.name)
    bob.request("rematch", table=name)
    same(heard(ann, "rematch") + heard(ann, "invited"), [])


# --- what stays ---------------------------------------------------------------------------------------------------------


@claim
def what_was_answered_is_there_after_a_power_cut():
    with Server() as server:
        people = [Person(server) for _ in range(6)]
        first = people[0]
        table = first.create(players=12)
        befriend(first, people[1])
        first.request("befriend", name=people[2].name)
        first.request("block", name=people[3].name)
        first.request("seen", by="everyone")
        first.request("invite", table=table, name=people[4].name)
        first.request("invite", table=table, name=people[5].name)
        people[5].request("decline", table=table)
        server.restart(kill=True)
        again = [Person(server, person.name, person.account) for person in people]
        lists = again[0].request("friends")
        same([names(lists[part]) for part in ("friends", "asked", "blocked")],
             [[people[1].name], [people[2].name], [people[3].name]])
        same(lists["seen"], "everyone")
        same(names(again[2].request("friends")["asking"]), [first.name])
        same([row["table"] for row in again[4].request("friends")["invitations"]], [table])
        same(again[5].request("friends")["invitations"], [])
        same(again[3].refused("sit", table=table), "dismissed")


@claim
def of_a_deleted_account_nothing_stays_and_its_name_is_a_stranger():
    ann, bob, cleo = Person(SERVER), Person(SERVER), Person(SERVER)
    befriend(ann, bob)
    cleo.request("block", name=bob.name)
    bob.request("invite", table=bob.create(players=2), name=ann.name)
    same(bob.account.request("POST", "/api/delete", {"name": bob.name})[0], 200)
    lists = ann.request("friends")
    same((lists["friends"], lists["invitations"]), ([], []))
    same(cleo.request("friends")["blocked"], [])
    heir = Person(SERVER, bob.name)
    heir.request("sit", table=cleo.create(players=2))
    same(heir.request("friends")["friends"], [])


@claim
def the_export_has_ones_own_list_and_not_who_has_blocked_one():
    ann, bob, cleo = Person(SERVER), Person(SERVER), Person(SERVER)
    befriend(ann, bob)
    cleo.request("block", name=ann.name)
    ann.request("block", name=cleo.name)
    ann.request("unblock", name=cleo.name)
    status, _, content = ann.account.request("GET", "/api/export")
    same(status, 200)
    account = tarfile.open(fileobj=io.BytesIO(content)).extractfile("gral/account.json").read().decode()
    same(names(json.loads(account)["friends"]), [bob.name])
    assert cleo.name not in account


@claim
def nobody_can_bother_others_without_end():
    with Server("--connections-per-address", "100", hasty=False) as server:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        done = 0
        try:
            while done < 100:
                ann.request("befriend", name="Bob")
                done += 1
        except Refused as refusal:
            same(refusal.word, "rate")
        assert 10 < done < 60, f"{done} requests"


if __name__ == "__main__":
    run_claims(SERVER)
