"""Computer players: when they speak, for whom is thought first, and how many one person may have."""
import collections
import contextlib
import threading
import time

from harness import FAR, Person, Server, about_time, at_once, claim, eventually, gather, run_claims, same, send, words
from machine import machine_server
from online_player import Refused, Table

SERVER = Server()
SOON = FAR / 2  # seconds: long for a busy machine


def computers(seats, level):
    return [{"seat": seat, "level": level} for seat in seats]


# --- one who has the server think for him ------------------------------------------------------------------------------


def slow_server():
    """One that needs some sixty milliseconds for every thought: served in the order they came, fifty tables would cost a
    newcomer two seconds."""
    return machine_server(thought_us=30_000)[1]


class Crowd:
    """A guest with many tables at which eleven think as soon as he has begun; he reads what he is sent and looks at none
    of it."""

    def __init__(self, server, tables=50):
        self.person, self.done = Person(server), False
        for _ in range(tables):
            name = self.person.create(players=12, first=2, listed=False, computers=computers(range(2, 13), 5))
            self.person.request("watch", table=name, have=0)
            self.person.request("act", table=name, version=0, actions=["done"])
            self.person.request("order", table=name, order="pass until mine")
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        eventually(lambda: server.figures()["gral_thinking_waiting"] > tables, "a queue of thoughts", 3 * FAR)

    def _read(self):
        with contextlib.suppress(OSError):
            while not self.done and self.person.socket.socket.recv(1 << 20):
                pass

    def leave(self):
        self.done = True
        self.person.close()
        self.reader.join()


def time_of_an_answer(server):
    """Seconds until a newcomer's opponent of the lowest level has played its first turn."""
    ann = Person(server)
    begin = time.monotonic()
    name, _ = gather(server, 1, [ann], players=2, first=2, computers=computers([2], 1), listed=False, pace=1000)
    ann.do(name, "done")
    ann.expect(lambda: ann.tables[name].version > 2, "the computer's turn", 10 * FAR)
    ann.close()
    return time.monotonic() - begin


@about_time
@claim
def one_persons_fifty_tables_cost_a_newcomer_a_second_at_the_most():
    with slow_server() as server:
        alone = min(time_of_an_answer(server) for _ in range(3))
        crowd = Crowd(server)
        with_crowd = [time_of_an_answer(server) for _ in range(5)]
        waiting = server.figures()["gral_thinking_waiting"]
        crowd.leave()
        print(f"# alone {alone:.2f} s; beside a queue of {waiting:.0f}: "
              + ", ".join(f"{taken:.2f}" for taken in sorted(with_crowd)) + " s", flush=True)
        assert waiting > 25, f"only {waiting} thoughts wait"
        # The machine may be busy with other things, now and then.
        assert min(with_crowd) < alone + 1, f"alone it takes {alone:.2f} s, else {with_crowd}"
        assert max(with_crowd) < alone + SOON, f"alone it takes {alone:.2f} s, else {with_crowd}"


@claim
def people_are_answered_while_the_server_thinks_on_all_its_threads():
    with slow_server() as server:
        crowd = Crowd(server, 10)
        name, people = gather(server, 2, first=1)
        taken = []
        for person in people:
            person.asked_at(name)
            begin = time.monotonic()
            person.act(person.tables[name], ["done"])
            taken.append(time.monotonic() - begin)
        for number in range(20):
            begin = time.monotonic()
            people[number % 2].request("talk", table=name, text="Hello")
            taken.append(time.monotonic() - begin)
        crowd.leave()
        taken.sort()
        print(f"# half of the answers within {1000 * taken[len(taken) // 2]:.1f} ms, all within {1000 * taken[-1]:.1f} ms")
        assert taken[len(taken) // 2] < 1, f"half of the answers take longer than {taken[len(taken) // 2]:.1f} s"


@claim
def a_server_that_thinks_stops_when_told_and_goes_on_when_it_is_back():
    with slow_server() as server:
        crowd = Crowd(server, 10)
        begin = time.monotonic()
        server.stop()
        taken = time.monotonic() - begin
        assert taken < SOON, f"it has taken {taken:.1f} s"
        crowd.leave()
        server.start()
        same(server.figures()["gral_thinking_waiting"], 0, "what is thought for nobody")
        time_of_an_answer(server)


# --- when they speak --------------------------------------------------------------------------------------------------

class Timed(Table):
    """Notes what is done here, and when we hear of it; first of all both open."""

    def __init__(self, name):
        super().__init__(name)
        self.noted = []

    def take(self, push):
        super().take(push)
        if "version" in push:
            actions = [entry for entry in push.get("happened", []) if "action" in entry]
            self.noted += [(time.monotonic(), entry["seat"], entry["action"].split()[0] if self.noted else "open")
                           for entry in actions[-1:]]


class Timekeeper(Person):
    Table = Timed


def some_action(table):
    """Steps where she can, and lets the other have his way."""
    phase, legal = table.view["phase"], table.you["legal"]
    if phase == "opening":
        return ["done"]
    wanted = [action for action in legal if action.startswith("step")] if phase == "turn" else ["pass", "yield", "done"]
    return [next((action for action in wanted if action in legal), legal[0]).split("..")[0]]


# The 20 ms that a player may think, and a third of it for the way; in its own turn twice that.
ONCE, TWICE = (27 / 1000, 54 / 1000)
WHEN = {**dict.fromkeys(["open", "pass", "object", "claim", "yield", "keep", "drop", "leave"], ONCE),
        **dict.fromkeys(["step", "uncover", "assign", "done"], TWICE)}


def lateness(begin, decisions):
    """How much later than due each of some decisions in a row was told: (verb, seconds). The first follows what we sent
    at `begin`. However busy the machine is, the server heard of that later, and we hear of the decision after it was
    told: nothing looks early that was not."""
    due = begin
    for now, verb in decisions:
        due += WHEN[verb]
        yield verb, now - due


def one_game(times):
    ann = Timekeeper(SERVER)
    begin, heard = time.monotonic(), 0  # the other opens as soon as there is a table
    name, _ = gather(SERVER, 1, [ann], players=2, first=2, pace=0, listed=False, computers=computers([2], 4))
    table = ann.tables[name]
    while len(table.noted) < 16 and table.stage == "playing":
        ann.sync()
        if not table.asked():
            ann.look(0.1)
            continue
        if table.view["phase"] != "opening":
            decisions = [(now, verb) for now, seat, verb in table.noted[heard:] if seat == 2]
            for verb, late in lateness(begin, decisions):
                times[verb].append(late)
            begin, heard = time.monotonic(), len(table.noted)
        ann.act(table, some_action(table))
    ann.close()


@claim
def a_decision_is_told_at_the_same_time_whether_it_needed_thinking_or_not_R10_2():
    """An opening needs microseconds, and so does the pass of somebody who holds nothing; the others much more."""
    times = collections.defaultdict(list)
    for _ in range(4):
        one_game(times)
    print("# " + "; ".join(f"{verb}: " + " ".join(f"{one:.3f}" for one in late) for verb, late in times.items()))
    same({"open", "pass", "step"} - set(times), set(), "what it has not done")
    for verb, late in times.items():
        assert min(late) > -0.002, f"{verb}: before {WHEN[verb]} s, {late}"  # the server counts in milliseconds
        assert len(late) < 4 or min(late) < 1, f"{verb}: not after {WHEN[verb]} s, but {late}"


# --- how many one may have --------------------------------------------------------------------------------------------

LIMIT = 5
TWO = {"players": 3, "computers": computers([2, 3], 1), "listed": False}


def refusal_of(person, do, **members):
    try:
        person.request(do, **members)
    except Refused as refusal:
        return refusal.word, refusal.text
    return None


@claim
def somebody_may_have_so_many_computer_players_and_no_more():
    with Server("--computers-per-user", str(LIMIT)) as server:
        ann, bob = Person(server), Person(server)
        tables = [ann.create(**TWO) for _ in range(LIMIT // 2)]
        same(refusal_of(ann, "create", **TWO), ("many", "you have too many computer players at your tables"))
        ann.create(players=2)  # without any
        ann.create(players=2, computers=computers([2], 1))
        same(refusal_of(ann, "create", players=2, computers=computers([2], 1))[0], "many")
        bob.create(**TWO)  # somebody else's are his own
        server.restart(kill=True)
        ann = ann.again()
        same(refusal_of(ann, "create", **TWO)[0], "many")
        ann.request("resign", table=tables[0])  # who has none any more may have others
        again = ann.create(**TWO)
        same(refusal_of(ann, "rematch", table=tables[0])[0], "many")
        ann.request("resign", table=again)
        ann.request("rematch", table=tables[0])
        same(refusal_of(ann, "create", **TWO)[0], "many")


def words_of_all(person, orders):
    """The answers to orders that have all come in before the server does the first of them."""
    with at_once(person.server):
        sent = [send(person, do, **members) for do, members in orders]
    return collections.Counter(words(person, sent))


@claim
def the_limit_of_computer_players_holds_for_orders_that_come_all_at_once():
    with Server("--computers-per-user", str(LIMIT)) as server:
        ann, bob = Person(server), Person(server)
        expected = {"ok": LIMIT // 2, "many": 20 - LIMIT // 2}
        same(words_of_all(ann, [("create", TWO)] * 20), expected, "the tables she makes")
        makers = [Person(server) for _ in range(20)]
        tables = [maker.create(players=4, computers=computers([3, 4], 1)) for maker in makers]
        same(words_of_all(bob, [("sit", {"table": name}) for name in tables]), expected, "the seats he takes")


@claim
def everybody_has_the_computer_players_of_the_tables_where_he_plays():
    with Server("--computers-per-user", str(LIMIT)) as server:
        ann, bob, eve = (Person(server) for _ in range(3))
        four = {"players": 6, "computers": computers([3, 4, 5, 6], 1), "listed": False, "pace": 5000}
        name = ann.create(**four)
        waiting = Person(server).create(**{**four, "players": 7})
        eve.create(**TWO)
        same(eve.refused("sit", table=name), "many")
        for person in (bob, bob):  # who gets up has none any more
            person.request("sit", table=waiting)
            same(refusal_of(person, "create", **TWO)[0], "many")
            person.request("rise", table=waiting)
        bob.request("sit", table=name)
        assert bob.request("sit", table=name)["repeated"], "it is not done already"
        ann.request("resign", table=name)  # she has none any more; he has one more, who plays for her
        ann.create(**TWO)
        same(refusal_of(bob, "create", players=2, computers=computers([2], 1))[0], "many")
        bob.request("resign", table=name)
        bob.create(**TWO)


if __name__ == "__main__":
    run_claims(SERVER)
