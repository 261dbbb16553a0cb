"""People on two servers with one database: who is here, what they want of each other and what whoever runs the servers
wants of them is the same on both, and so it stays when one of the servers dies."""
import contextlib
import json
import pathlib
import random
import re
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from harness import (FAR, GRAL, POSTGRES, Person, Server, Servers, at_once, claim, eventually, gather, heard, open_quietly,
                     pushed, registered, run_claims, same)
from online_player import Account, Refused

FOLDER = tempfile.TemporaryDirectory(prefix="gral-many-")
ONE, TWO = [Server(folder=pathlib.Path(FOLDER.name)) for _ in range(2)]


def also(server, person):
    """A connection of the same person to this server."""
    account = Account(server.url, person.account.token)
    account.cookie, account.device = person.account.cookie, person.account.device
    return Person(server, person.name, account)


def here(person):
    return person.request("lobby")["here"]


def friends(person):
    return {row["name"]: row["here"] for row in person.request("friends")["friends"]}


def befriend(one, other):
    """Both know it, and each knows that the other is here."""
    one.request("befriend", name=other.name)
    eventually(lambda: other.request("friends")["asking"], "a wish")
    other.request("befriend", name=one.name)
    for who, friend in ((one, other), (other, one)):
        eventually(lambda who=who, friend=friend: friends(who).get(friend.name), f"{friend.name} is here")
        who.sync()
        who.socket.frames.clear()


def is_cut_off(person):
    with contextlib.suppress(ConnectionError):
        while person.socket.receive(FAR) is not None:
            pass
        raise AssertionError("the connection stays open")


def admin(*words):
    run = subprocess.run([GRAL, "admin", "--database", str(ONE.database), "--", *words], capture_output=True, text=True,
                         timeout=FAR)
    assert run.returncode == 0, f"{words}: {run.stderr}"


def both():
    return Person(ONE), Person(TWO)


# --- who is here --------------------------------------------------------------------------------------------------------


@claim
def who_comes_to_one_server_is_here_on_both_and_counts_once():
    ann, bob = both()
    eventually(lambda: here(ann)["count"] == here(bob)["count"] == 2, "two are here")
    ann.request("seen", by="everyone")
    eventually(lambda: here(ann)["names"] == here(bob)["names"] == [ann.name], "one of them is seen by all")
    twice = also(TWO, ann)
    cleo = Person(TWO)  # what is said of her comes after what is said of the other
    for person in (ann, bob, twice, cleo):
        eventually(lambda person=person: here(person) == {"count": 3, "names": [ann.name]}, "three are here")
    twice.close()
    cleo.close()
    eventually(lambda: here(ann)["count"] == here(bob)["count"] == 2, "two are left")
    same(here(bob)["names"], [ann.name])


@claim
def friends_hear_once_who_comes_and_goes_on_the_other_server():
    ann, bob = both()
    befriend(ann, bob)
    bob.close()
    pushed(ann, "friend", name=bob.name, here=False)
    same(friends(ann), {bob.name: False})
    bob = also(TWO, bob)
    pushed(ann, "friend", name=bob.name, here=True)
    also(ONE, bob)
    also(TWO, bob)
    bob.request("seen", by="nobody")
    pushed(ann, "friend", name=bob.name, here=False)
    same(friends(ann), {bob.name: False})
    same(heard(ann, "friend"), [], "what else is heard of him")


@claim
def who_moves_to_the_other_server_was_never_gone():
    ann, bob = both()
    cleo = Person(ONE)
    befriend(ann, bob)
    befriend(ann, cleo)
    for server in (ONE, TWO, ONE, TWO):
        bob.close()
        bob = also(server, bob)
        bob.sync()
    cleo.close()  # after he has: who goes is told in this order
    pushed(ann, "friend", name=cleo.name, here=False)
    same(heard(ann, "friend"), [], "what is heard of who has moved")
    same(friends(ann), {bob.name: True, cleo.name: False})


@claim
def who_wants_to_be_seen_by_nobody_is_not_on_the_other_server_either():
    ann, bob = both()
    befriend(ann, bob)
    bob.request("seen", by="nobody")
    pushed(ann, "friend", name=bob.name, here=False)
    bob.close()
    for server in (ONE, TWO):
        bob = also(server, bob)
        same(bob.request("friends")["seen"], "nobody")
    marker = Person(TWO)
    befriend(ann, marker)
    same(friends(ann), {bob.name: False, marker.name: True})
    same(heard(ann, "friend"), [], "what is heard of who hides")


# --- at tables ------------------------------------------------------------------------------------------------------------


def present(person, name):
    person.sync()
    return [bool(seat and seat.get("present")) for seat in person.tables[name].seats]


@claim
def a_player_is_present_on_whichever_server_he_is():
    ann, bob = both()
    name = ann.create(players=3)
    ann.watch(name)
    bob.sit_at(name, seat=2)
    for person in (ann, bob):
        eventually(lambda person=person: present(person, name) == [True, True, False], "both are there")
    moved = also(ONE, bob)
    moved.watch(name)
    bob.close()
    cleo = Person(TWO)
    cleo.sit_at(name, seat=3)
    eventually(lambda: present(ann, name)[2], "the third has come")
    same(present(ann, name), [True, True, True], "who is there")
    moved.close()
    for person in (ann, cleo):
        eventually(lambda person=person: present(person, name) == [True, False, True], "one has gone")


def wait_for(person, name, seat):
    """So long this person has to wait until he may vote for somebody's replacement."""
    person.sync()
    try:
        person.request("replace", table=name, seat=seat)
    except Refused as refused:
        same(refused.word, "present")
        return refused.wait
    return 0


@claim
def nobody_waits_longer_for_who_is_gone_than_on_the_other_server():
    ann, bob, cleo = [Person(ONE) for _ in range(3)]
    name, _ = gather(ONE, 3, [ann, bob, cleo])
    bob.close()
    cleo.close()
    eventually(lambda: present(ann, name) == [True, False, False], "two have gone")
    first = wait_for(ann, name, 2)
    eventually(lambda: wait_for(ann, name, 2) < first - 1000, "a second")
    cleo = also(TWO, cleo)
    cleo.watch(name)
    eventually(lambda: wait_for(ann, name, 2) + 100 >= wait_for(cleo, name, 2), "the same patience on both")


@claim
def the_lobby_is_the_same_on_both():
    ann, bob = both()
    name = ann.create(players=2)

    def row(person, name=name):
        return next((row for row in person.request("lobby")["tables"] if row["table"] == name), None)
    eventually(lambda: row(bob) and row(bob)["stage"] == "gathering", "an open table of the other server")
    looker = Person(TWO)
    looker.request("lobby", on=True)
    bob.sit_at(name)
    pushed(looker, "lobby")
    ann.watch(name)
    for person in (ann, looker):
        eventually(lambda person=person: (row(person) or {}).get("stage") == "playing", "a game that is played")
    same([seat["name"] for seat in row(looker)["seats"]], [ann.name, bob.name])
    for person in (ann, bob):
        person.request("resign", table=name)
    for person in (ann, looker):
        eventually(lambda person=person: row(person) is None, "no game that is over")


@claim
def talk_is_heard_and_who_is_asked_knows_it_on_both():
    ann, bob = both()
    elsewhere = also(ONE, bob)
    name = ann.create(players=2, first=1)
    ann.watch(name)
    bob.sit_at(name)
    eventually(lambda: [push for push in heard(elsewhere, "asked") if push["table"] == name and push["asked"]],
               "to be asked on the other server, too")
    open_quietly([ann, bob], name)
    ann.request("talk", table=name, text="Good luck")
    bob.expect(lambda: any("Good luck" in json.dumps(item) for item in bob.tables[name].happened), "what was said")
    ann.do(name, "step T1 b1")
    bob.asked_at(name)
    assert name in also(ONE, bob).hello["asked"], "where he is asked"


# --- what they want of each other ---------------------------------------------------------------------------------------


@claim
def friends_and_invitations_span_both():
    ann, bob = both()
    ann.request("befriend", name=bob.name)
    pushed(bob, "friends")
    bob.request("befriend", name=ann.name)
    pushed(ann, "friends")
    for who, friend in ((ann, bob), (bob, ann)):
        eventually(lambda who=who, friend=friend: friends(who) == {friend.name: True}, "a friend who is here")
    name = ann.create(players=2, listed=False)
    ann.request("invite", table=name, name=bob.name)
    same(pushed(bob, "invited"), {"push": "invited", "table": name, "by": ann.name})
    same([row["table"] for row in bob.request("friends")["invitations"]], [name])
    bob.request("sit", table=name)
    same(bob.request("friends")["invitations"], [])
    bob.request("unfriend", name=ann.name)
    pushed(ann, "friends")
    same(friends(ann), {})


@claim
def who_is_blocked_on_one_server_is_on_the_other_and_does_not_hear_of_it():
    ann, bob = both()
    eventually(lambda: here(ann)["count"] == here(bob)["count"], "both know who is here")
    ann.request("block", name=bob.name)
    name = ann.create(players=2)
    stranger = Person(TWO)
    eventually(lambda: any(row["table"] == name for row in stranger.request("lobby")["tables"]), "an open table")
    same([row for row in bob.request("lobby")["tables"] if row["table"] == name], [], "what he sees of it")
    same(bob.refused("sit", table=name), "dismissed")
    bob.request("befriend", name=ann.name)
    same([row["name"] for row in bob.request("friends")["asked"]], [ann.name], "what he wants")
    same(ann.request("friends")["asking"], [], "who wants her")
    same(heard(bob, "friends"), [])
    ann.request("unblock", name=bob.name)
    eventually(lambda: any(row["table"] == name for row in bob.request("lobby")["tables"]), "the same table for him")


# --- names, sessions, order ---------------------------------------------------------------------------------------------


@claim
def a_new_name_is_known_on_both():
    ann, bob = both()
    ann.request("seen", by="everyone")
    name = ann.create(players=2)
    bob.watch(name)
    ann.account.ask("POST", "/api/name", {"name": "Annabel"})
    bob.expect(lambda: bob.tables[name].seats[0]["name"] == "Annabel", "her new name at the table")
    eventually(lambda: "Annabel" in here(bob)["names"], "her new name in the lobby")
    same(bob.refused("befriend", name=ann.name), "name")


@claim
def a_session_that_ends_on_one_server_ends_on_both():
    ann, bob = registered(ONE), registered(ONE)
    twice = also(TWO, ann)
    ann.account.request("POST", "/api/logout")
    is_cut_off(twice)
    other = Account(TWO.url)
    other.login(bob.name, "in the cellar")
    away = Person(TWO, bob.name, other)
    bob.account.ask("DELETE", "/api/session")
    is_cut_off(away)
    bob.sync()


@claim
def who_deletes_his_account_is_nobody_on_both():
    ann, bob = registered(ONE), Person(TWO)
    twice = also(TWO, ann)
    befriend(ann, bob)
    name = ann.create(players=2)
    bob.watch(name)
    ann.account.ask("POST", "/api/delete", {"name": ann.name, "password": "in the cellar"})
    is_cut_off(twice)
    bob.expect(lambda: bob.tables[name].stage == "over", "the end of her table")
    same(friends(bob), {})


@claim
def what_whoever_runs_the_servers_wants_holds_on_both():
    ann, bob = both()
    talkers = gather(ONE, 2, [ann, also(ONE, bob)])[0]
    bob.watch(talkers)
    for person in (ann, bob):
        admin("mute", person.name)
        eventually(lambda person=person: refusal(person, "talk", table=talkers, text="hello") == "silenced", "silence")
        admin("unmute", person.name)
        eventually(lambda person=person: refusal(person, "talk", table=talkers, text="hello") is None, "talk")
    admin("forbid", "grumble")
    for person in (ann, bob):
        eventually(lambda person=person: refusal(person, "talk", table=talkers, text="grumble!") == "words", "order")
    admin("allow", "grumble")
    admin("notice", "closed", "tonight")
    for person in (ann, bob):
        same(pushed(person, "notice")["text"], "closed tonight")
    admin("bar", "127.0.0.1")
    for person in (ann, bob):
        is_cut_off(person)
    admin("unbar", "127.0.0.1")
    ann, bob = [eventually_back(person) for person in (ann, bob)]
    for person in (ann, bob):
        admin("ban", person.name)
        is_cut_off(person)
        same([Person(server, person.name, person.account).hello["name"] for server in (ONE, TWO)], [None, None])


def eventually_back(person):
    back = []

    def try_it():
        with contextlib.suppress(ConnectionError):
            back.append(also(person.server, person))
        return back
    eventually(try_it, "a network that is not barred any more")
    return back[0]


def refusal(person, do, /, **members):
    try:
        person.request(do, **members)
    except Refused as refused:
        return refused.word
    return None


# --- what servers say to each other -------------------------------------------------------------------------------------


@claim
def however_much_somebody_does_others_hear_of_it_five_times_a_second():
    ann, bob = both()
    names = [bob.create(players=2) for _ in range(5)]
    for name in names:
        bob.watch(name)
    befriend(ann, bob)
    before, began = TWO.figures(), time.monotonic()
    for turn in range(100):
        bob.request("look", on=turn % 2 == 1)
        bob.request("seen", by=("friends", "nobody")[turn % 2])
        bob.request("unwatch", table=names[0])
        bob.request("watch", table=names[0])
        also(TWO, bob).close()
        bob.request("block" if turn % 2 else "unblock", name=ann.name)
    after, seconds = TWO.figures(), time.monotonic() - began
    said = after["gral_words_said_total"] - before["gral_words_said_total"]
    bytes_said = after["gral_words_bytes_total"] - before["gral_words_bytes_total"]
    assert 0 < said <= 5 * seconds + 2, f"said {said} times in {seconds:.1f} s"
    assert bytes_said < 1000 * said, f"{bytes_said} bytes in {said} words"


@claim
def who_has_missed_something_finds_it_out():
    ann, bob = both()
    cleo, dan = Person(ONE), Person(TWO)
    ann.request("seen", by="everyone")
    name = bob.create(players=2)
    cleo.watch(name)
    eventually(lambda: ann.name in here(cleo)["names"] and ann.name in here(bob)["names"], "who is seen by all")

    def user(person):
        return f"(SELECT id FROM gral.\"user\" WHERE name = '{person.name}')"
    change(  # nobody is told
        f"INSERT INTO gral.tie SELECT a, b, 0, 1 FROM (VALUES ({user(ann)}, {user(bob)}), ({user(bob)}, {user(ann)})) t(a, b)",
        f"INSERT INTO gral.seen VALUES ({user(ann)}, 0) ON CONFLICT (\"user\") DO UPDATE SET place = 0",
        f"INSERT INTO gral.sanction VALUES ({user(dan)}, {2 ** 50}, 0)",
        "INSERT INTO gral.word VALUES ('grumble')",
        f"UPDATE gral.\"user\" SET name = 'Bobby' WHERE name = '{bob.name}'",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()")
    is_cut_off(dan)
    pushed(ann, "friends")
    pushed(bob, "friends")
    cleo.expect(lambda: cleo.tables[name].seats[0]["name"] == "Bobby", "his new name at the table")
    for person in (cleo, bob):
        eventually(lambda person=person: ann.name not in here(person)["names"], "who hides")
    eventually(lambda: refusal(bob, "talk", table=name, text="grumble") == "words", "a word that nobody may say")
    also(TWO, cleo).sync()
    change("DELETE FROM gral.word")


def change(*words):
    """In the database, by somebody who is no server."""
    POSTGRES.psql("; ".join(words), re.search(r"@/(\w+)", str(ONE.database))[1])


@claim
def whatever_people_do_both_servers_agree_in_the_end():
    chance = random.Random(16)
    people = [Person(chance.choice((ONE, TWO))) for _ in range(8)]
    conns = {person.name: [person] for person in people}
    table = people[0].create(players=8)
    for seat, person in enumerate(people[1:], 2):
        person.request("sit", table=table, seat=seat)

    def one_more(person):
        conn = also(chance.choice((ONE, TWO)), person)
        conns[person.name].append(conn)
        return conn
    for _ in range(300):
        person, other = chance.sample(people, 2)
        mine = conns[person.name]
        act = chance.randrange(6)
        if act == 0 and mine:
            mine.pop(chance.randrange(len(mine))).close()
            continue
        conn = one_more(person) if act == 1 or not mine else chance.choice(mine)
        if act == 2:
            conn.request("seen", by=chance.choice(("nobody", "friends", "everyone")))
        elif act == 3:
            conn.request(chance.choice(("befriend", "befriend", "unfriend", "block", "unblock")), name=other.name)
        elif act == 4:
            conn.request("watch", table=table)
        elif act == 5:
            conn.request("unwatch", table=table)
    for person in people[:4]:
        while conns[person.name]:
            conns[person.name].pop().close()
    lookers = [Person(server) for server in (ONE, TWO)]
    for person in people[4:]:
        for conn in (one_more(person), one_more(person), *conns[person.name]):
            conn.request("watch", table=table)

    def known(server):
        """All that somebody there could notice."""
        looker = lookers[server is TWO]
        looker.watch(table)
        own = [also(server, person) for person in people[4:]]
        lists = [{part: [(row.get("name"), row.get("here")) for row in answer[part]]
                  for part in ("friends", "asked", "asking", "blocked")}
                 for answer in (conn.request("friends") for conn in own)]
        return here(looker)["count"], sorted(here(looker)["names"]), present(looker, table), lists
    eventually(lambda: known(ONE) == known(TWO) and known(ONE)[0] == 6, "the same on both")
    same(known(TWO)[2], [False] * 4 + [True] * 4, "who is there")


# --- when a server dies -------------------------------------------------------------------------------------------------


@claim
def who_is_on_a_server_that_was_taken_for_dead_is_there_again():
    ann, bob = both()
    befriend(ann, bob)
    name = ann.create(players=2)
    ann.watch(name)
    bob.sit_at(name)
    eventually(lambda: present(ann, name) == [True, True], "both are there")
    with at_once(TWO):  # it stands still
        eventually(lambda: present(ann, name) == [True, False], "one is not there any more")
        ann.account.ask("POST", "/api/name", {"name": "Anastasia"})
    eventually(lambda: present(ann, name) == [True, True], "he is there again")
    eventually(lambda: present(bob, name) == [True, True], "and knows that she is")
    bob.expect(lambda: bob.tables[name].seats[0]["name"] == "Anastasia", "her new name")
    same(friends(ann), {bob.name: True})
    same(heard(ann, "friend"), [], "what is heard of a server that was slow")


@claim
def the_people_of_a_dead_server_go_unless_they_come_to_another():
    ann, bob = both()
    cleo = Person(TWO)
    befriend(ann, bob)
    befriend(ann, cleo)
    name = ann.create(players=2)
    ann.watch(name)
    bob.sit_at(name)
    eventually(lambda: present(ann, name) == [True, True], "both are there")
    TWO.kill()
    eventually(lambda: present(ann, name) == [True, False], "one is not there any more")
    bob = also(ONE, bob)
    bob.watch(name)
    eventually(lambda: present(ann, name) == [True, True], "he is back")
    pushed(ann, "friend", name=cleo.name, here=False)
    same(heard(ann, "friend"), [], "what is heard of who came back")
    same(friends(ann), {bob.name: True, cleo.name: False})
    TWO.start()
    cleo = also(TWO, cleo)
    pushed(ann, "friend", name=cleo.name, here=True)
    same(friends(cleo), {ann.name: True}, "what the new server knows")


@claim
def guesses_at_a_password_count_on_both_servers():
    Account(ONE.url).register("Gurnemanz", "in the cellar")

    def status(server, password):
        request = urllib.request.Request(server.url + "api/login", json.dumps({"name": "Gurnemanz", "password": password}).encode(),
                                         {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    same(status(TWO, "in the cellar"), 200, "a login")
    same([status(ONE, "on the roof") for _ in range(5)], [403] * 4 + [429], "guesses on one server")
    eventually(lambda: status(TWO, "in the cellar") == 429, "the other one has heard of them", 10)


run_claims(Servers([TWO, ONE]))
