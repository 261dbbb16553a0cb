"""gral admin: whoever runs the server looks after it while it runs. And what keeps order among people: bans, mutes,
barred networks, words that nobody may say, complaints; every act is in the audit log."""
import contextlib
import json
import os
import socket
import stat
import subprocess
import time

from harness import FAR, GRAL, Person, Server, claim, eventually, gather, run_claims, same
from online_player import Account, Refused

SERVER = Server("--behind-proxy")


def admin(*words, server=SERVER):
    """The rows of its answer."""
    run = subprocess.run([GRAL, "admin", "--database", str(server.database), "--", *words], capture_output=True, text=True,
                         timeout=FAR)
    assert run.returncode == 0, f"{words}: {run.stderr}"
    return [line.split("\t") for line in run.stdout.splitlines()]


def refused(*words):
    run = subprocess.run([GRAL, "admin", "--database", str(SERVER.database), "--", *words], capture_output=True, text=True,
                         timeout=FAR)
    same(run.returncode, 1, f"the status of {words}")
    same(run.stdout, "", "what it prints")
    return run.stderr.removeprefix("gral admin: ").strip()


def account(name, password="behind the stairs"):
    person = Account(SERVER.url)
    person.register(name, password)
    return person


def status(person, method, path, body=None, headers=None):
    code, _, text = person.request(method, path, body, headers)
    return code, json.loads(text).get("error")


def is_cut_off(client):
    try:
        while True:
            assert client.socket.receive(FAR) is not None, "the connection stays open"
    except ConnectionError:
        return True


# --- the socket -------------------------------------------------------------------------------------------------------


@claim
def its_socket_is_for_the_owner_of_the_server_alone():
    path = f"{SERVER.database}-admin"
    same(stat.S_IMODE(os.stat(path).st_mode), 0o600)
    assert stat.S_ISSOCK(os.stat(path).st_mode)


@claim
def without_a_server_it_says_so_and_a_second_start_has_the_socket_again():
    with Server() as server:
        admin("people", server=server)
        server.stop()
        assert not os.path.exists(f"{server.database}-admin"), "the socket stays behind"
        run = subprocess.run([GRAL, "admin", "--database", str(server.database), "people"], capture_output=True, text=True)
        same((run.returncode, run.stderr), (1, "gral admin: no server is running with this database\n"))
        server.start()
        server.kill()
        server.start()
        admin("people", server=server)


@claim
def what_is_not_understood_is_refused_and_nobody_holds_up_the_server():
    assert "no such command" in refused("dance")
    assert "not how this command is used" in refused("rename", "Ann")
    assert "not how this command is used" in refused("ban", "a\nb")
    silent = []
    for _ in range(6):
        silent.append(socket.socket(socket.AF_UNIX))
        silent[-1].connect(f"{SERVER.database}-admin")
    silent[0].sendall(b"x" * 10000)
    for one in silent:
        one.close()
    eventually(lambda: subprocess.run([GRAL, "admin", "--database", SERVER.database, "words"],
                                      capture_output=True).returncode == 0, "it answers again")
    with Server() as server:
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as silent:
            silent.connect(f"{server.database}-admin")
            server.stop()
        server.start()


# --- people -----------------------------------------------------------------------------------------------------------


@claim
def people_are_listed_found_renamed_and_deleted():
    ann, bob = account("Annabel"), Account(SERVER.url)
    bob.guest("Bobadil")
    people = {row[0]: row[1] for row in admin("people")}
    same((people["Annabel"], people["Bobadil"]), ("account", "guest"))
    same([row[0] for row in admin("people", "NABE")], ["Annabel"])
    same(admin("people", "nobody at all"), [])
    client = Person(SERVER, "", bob)
    admin("rename", "Bobadil", "Robert")
    same(bob.ask("GET", "/api/me")["name"], "Robert")
    same(refused("rename", "Robert", "Ànnabel"), "that is taken, or not there any more")
    same(refused("rename", "Robert", "<b>").split()[0:2], ["a", "name"])
    same(refused("rename", "Bobadil", "Roberta"), "there is nobody of that name")
    admin("delete", "Robert")
    assert is_cut_off(client)
    same(admin("people", "Robert"), [])
    same(ann.ask("GET", "/api/me")["name"], "Annabel")


@claim
def a_password_that_was_reset_is_the_only_one_that_works():
    cleo = account("Cleopatra", "an asp in a basket")
    client = Person(SERVER, "", cleo)
    [[password]] = admin("password", "Cleopatra")
    assert is_cut_off(client)
    same(status(cleo, "GET", "/api/me"), (401, "who"))
    old = {"name": "Cleopatra", "password": "an asp in a basket"}
    same(status(Account(SERVER.url), "POST", "/api/login", old), (403, "password"))
    same(Account(SERVER.url).login("Cleopatra", password)["name"], "Cleopatra")
    Account(SERVER.url).guest("Passless")
    same(refused("password", "Passless"), "a guest has no password")
    assert password not in json.dumps(admin("audit")) and password not in SERVER.log()


@claim
def who_is_banned_is_nobody_until_it_ends():
    dora, other = account("Dora"), Account(SERVER.url)
    other.guest("Emil")
    table, people = gather(SERVER, 2, [Person(SERVER, "", dora), Person(SERVER, "", other)])
    admin("ban", "Dora", "3")
    assert is_cut_off(people[0])
    same(status(dora, "GET", "/api/me"), (401, "who"))
    same(Person(SERVER, "", dora).hello["name"], None)
    login = {"name": "Dora", "password": "behind the stairs"}
    same(status(Account(SERVER.url), "POST", "/api/login", login), (403, "banned"))
    same(status(Account(SERVER.url), "POST", "/api/login", {**login, "password": "a wild guess"}), (403, "password"))
    people[1].expect(lambda: {"seat": 1, "handed": True} in people[1].tables[table].happened, "a computer player there")
    row = admin("people", "Dora")[0]
    assert row[4].startswith("20"), row
    SERVER.restart()
    same(status(dora, "GET", "/api/me"), (401, "who"))
    admin("unban", "Dora")
    same(dora.ask("GET", "/api/me")["name"], "Dora")
    admin("ban", "Dora")
    same(admin("people", "Dora")[0][4], "for ever")
    assert "a number of days" in refused("ban", "Dora", "soon")
    same(refused("ban", "Dorothea"), "there is nobody of that name")


@claim
def who_is_muted_plays_on_in_silence():
    table, people = gather(SERVER, 2)
    name = people[0].hello["name"]
    people[0].request("talk", table=table, text="hello")
    admin("mute", name, "1")
    same(people[0].refused("talk", table=table, text="hello again"), "silenced")
    people[1].request("talk", table=table, text="who is there?")
    people[0].request("act", table=table, version=0, actions=["done"])
    again = people[0].again()
    same(again.refused("talk", table=table, text="hello again"), "silenced")
    admin("unmute", name)
    again.request("talk", table=table, text="hello again")


# --- networks and words -----------------------------------------------------------------------------------------------


@claim
def nobody_comes_from_a_barred_network():
    def come(address, name):
        return Account(SERVER.url).request("POST", "/api/guest", {"name": name}, {"X-Forwarded-For": address})[0]

    same(come("198.51.100.7", "Frank"), 200)
    admin("bar", "198.51.100.0/24", "9")
    admin("bar", "2001:db8:7::/48")
    same([come(address, f"Grim {number}") for number, address in enumerate(
        ["198.51.100.8", "198.51.101.8", "2001:db8:7:1::1", "2001:db8:8::1", "::ffff:198.51.100.1"])],
         [403, 200, 403, 200, 403])
    [ours, theirs] = admin("networks")
    same((ours[0], ours[1][:2], len(ours), theirs), ("198.51.100.0/24", "20", 2, ["2001:db8:7::/48", "for ever"]))
    SERVER.restart()
    same(come("198.51.100.8", "Hagen"), 403)
    same(come("192.0.2.4", "Hagen"), 200)
    admin("unbar", "198.51.100.0/24")
    same(come("198.51.100.8", "Ilse"), 200)
    for wrong in ("0.0.0.0/0", "10.0.0.0/7", "::/0"):
        same(refused("bar", wrong), "that is too much of the world", wrong)
    for wrong in ("198.51.100.0/33", "somewhere", "198.51.100.0/", "1.2.3.4/x"):
        assert "a network is written like" in refused("bar", wrong), wrong
    admin("unbar", "2001:db8:7::/48")


@claim
def who_is_there_from_a_barred_network_goes():
    person = Account(SERVER.url)
    person.guest("Jost")
    import online_player  # noqa: PLC0415  (the harness has made it known)
    inside = online_player.WebSocket(SERVER.url, headers={**person.headers(), "X-Forwarded-For": "203.0.113.9"})
    outside = online_player.WebSocket(SERVER.url, headers={**person.headers(), "X-Forwarded-For": "203.0.114.9"})
    for one in (inside, outside):
        assert '"hello"' in one.receive(FAR)
    admin("bar", "203.0.113.0/24")
    try:
        while inside.receive(FAR) is not None:
            pass
        raise AssertionError("it stays")
    except ConnectionError:
        pass
    outside.send('{"id":"a","do":"lobby"}')
    assert '"ok":true' in outside.receive(FAR)
    admin("unbar", "203.0.113.0/24")


@claim
def a_word_that_nobody_may_say_is_found_however_it_is_written():
    table, people = gather(SERVER, 2)
    admin("forbid", "Kühlschrank")
    for text in ["kühlschrank", "So ein KÜHLSCHRANK!", "kuhlschrank", "ein…Kühlschrank.", "ＫÜＨＬＳＣＨＲＡＮＫ", "kühl\u200bschrank"]:
        same(people[0].refused("talk", table=table, text=text), "words", f"the answer to {text!r}")
    for text in ["Kühlschränke", "kühl, Schrank", "Akühlschrank", "well played", "🙂"]:
        people[0].request("talk", table=table, text=text)
    same(status(Account(SERVER.url), "POST", "/api/guest", {"name": "Der Kuhlschrank"}), (400, "name"))
    SERVER.restart()
    same(admin("words"), [["Kühlschrank"]])
    again = people[0].again()
    same(again.refused("talk", table=table, text="kühlschrank"), "words")
    admin("allow", "Kühlschrank")
    again.request("talk", table=table, text="kühlschrank")
    same(refused("allow", "Kühlschrank"), "that is taken, or not there any more")


# --- complaints, tables, notices --------------------------------------------------------------------------------------


@claim
def a_complaint_has_what_was_said_as_far_as_he_who_complains_has_heard_it():
    table, people = gather(SERVER, 3)
    names = [person.hello["name"] for person in people]
    people[1].request("talk", table=table, text="you fool")
    people[1].request("talk", table=table, text="a whisper to you", to=[1])
    people[1].request("talk", table=table, text="a whisper to the other", to=[3])
    people[2].request("talk", table=table, text="somebody else")
    same(people[0].request("report", table=table, seat=2, text="insults me")["ok"], True)
    number, _, who, whom, where, reason, said, done = admin("reports")[0]
    same((who, whom, where, reason, done), (names[0], names[1], table, "insults me", ""))
    same(said, "you fool (whispers) a whisper to you ")
    for seat, word in [(1, "seat"), (7, "seat")]:
        same(people[0].refused("report", table=table, seat=seat, text="x"), word)
    admin("done", number)
    same(admin("reports"), [])
    same(admin("reports", "all")[0][7], "done")
    for one in number, "4000000":
        same(refused("done", one), "there is no such report, or it is done already")
    same(SERVER.figures()["gral_reports_total"], 1)


@claim
def what_people_write_cannot_speak_to_the_terminal_that_shows_it():
    table, (ann, bob) = gather(SERVER, 2)
    bob.request("talk", table=table, text="red\u202eknurd")
    ann.request("report", table=table, seat=2, text="\x1b]0;title\x07 \x9b2J \u2066 ümlaut 🏴‍☠️")
    row = admin("reports")[0]
    same((row[5].split(), row[6].split()), (["]0;title", "2J", "ümlaut", "🏴‍☠️"], ["red", "knurd"]))
    admin("done", row[0])


@claim
def of_much_that_was_said_a_complaint_has_the_newest():
    table, (ann, bob) = gather(SERVER, 2)
    for number in range(30):
        bob.request("talk", table=table, text=f"word {number}")
    ann.request("report", table=table, seat=2, text="talks")
    same(admin("reports")[0][6], "".join(f"word {number} " for number in range(10, 30)), "short ones")
    for number in range(10):
        bob.request("talk", table=table, text=f"{number}" * 500)
    ann.request("report", table=table, seat=2, text="talks on and on")
    same(admin("reports")[0][6], "".join(f"{number}" * 500 + " " for number in range(5, 10)), "long ones")


@claim
def nobody_complains_all_the_time():
    with Server(hasty=False) as server:
        table, people = gather(server, 2)
        for _ in range(5):
            people[0].request("report", table=table, seat=2, text="x")
        same(people[0].refused("report", table=table, seat=2, text="x"), "rate")


@claim
def tables_are_listed_with_their_age_and_closed():
    table, people = gather(SERVER, 2)
    names = [person.hello["name"] for person in people]
    waiting = people[0].create(players=3)
    rows = {row[0]: row[1:] for row in admin("tables", names[0])}
    same(rows[table], ["playing", "0.0", "0.0", ", ".join(names)])
    same(rows[waiting][0], "gathering")
    admin("close", table)
    people[1].expect(lambda: {"ended": "abandoned"} in people[1].tables[table].happened, "the table closed")
    admin("close", waiting)
    same(people[0].request("stats", name=names[0])["won"], 0)
    assert "there is no such table" in refused("close", "AAAAAAAAAAAAAAAAAAAAAA")


@claim
def a_notice_reaches_everybody_who_is_there():
    people = [Person(SERVER, f"Notified {number}") for number in range(3)] + [Person(SERVER, "", Account(SERVER.url))]
    admin("notice", "We", "restart at 8 <b>")
    for person in people:
        message = json.loads(person.socket.receive(FAR))
        same(message, {"push": "notice", "text": "We restart at 8 <b>"})


@claim
def a_day_has_figures_and_every_act_is_in_the_audit_log():
    before = dict(admin("day"))
    Account(SERVER.url).guest("Today")
    after = dict(admin("day"))
    same(int(after["new people"]) - int(before["new people"]), 1)
    same(set(row[1] for row in admin("day", "2001-01-01")), {"0"})
    assert "2026-11-17" in refused("day", "yesterday")
    admin("mute", "Today", "2")
    when, what = admin("audit")[0]
    same(what, "mute Today 2")
    assert when.startswith(time.strftime("%Y-%m-", time.gmtime())), when
    acts = [row[1].split()[0] for row in admin("audit")]
    for act in ("rename", "delete", "password", "ban", "unban", "bar", "forbid", "close", "notice", "done"):
        assert act in acts, f"{act} is not in the audit log"
    assert not {"people", "tables", "audit", "day"} & set(acts), "looking is no act"
    for name in ("Today", "Dora"):
        assert name not in SERVER.log(), "a name is in the log"


@claim
def a_tournament_is_called_off_with_its_games_and_everybody_in_it_is_told():
    maker, ann = account("Mia"), account("Moritz")
    people = [Person(SERVER, "Mia", maker), Person(SERVER, "Moritz", ann), Person(SERVER), Person(SERVER)]
    stranger = Person(SERVER)
    cup = people[0].request("announce", title="Spam cup", system="swiss", people=4)["tournament"]
    same([row for row in admin("tournaments") if row[0] == cup], [[cup, "open", "1", "Mia", "Spam cup"]])
    for person in people[1:]:
        person.request("join", tournament=cup)
    told = lambda: people[0].request("tournament", tournament=cup)
    eventually(lambda: told()["stage"] == "running", "a beginning")
    tables = [table["table"] for table in told()["tables"][0]]
    same(admin("cancel", cup), [])
    for person in people:
        person.expect(lambda: any(json.loads(frame) == {"push": "off", "tournament": cup, "title": "Spam cup"}
                                  for frame in person.socket.frames), "the news")
    same(told()["stage"], "off")
    for table in tables:
        eventually(lambda: "abandoned" in SERVER.record(table).lower(), "the end of its games")
    stranger.sync()
    assert not any('"off"' in frame for frame in stranger.socket.frames), "a stranger is told"
    same(refused("cancel", cup), "there is no such tournament, or it is over")
    same(refused("cancel", "AAAA"), "there is no such tournament, or it is over")
    assert any(row[-1] == f"cancel {cup}" for row in admin("audit")), "the audit log"


if __name__ == "__main__":
    run_claims(SERVER)
