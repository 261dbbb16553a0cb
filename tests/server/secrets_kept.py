"""The supreme law: no byte and no delay tells anybody more than the rules do (R10.2). Games are played twice, differing
only in what must not be seen, and every byte that anybody else gets is compared."""
import io
import json
import re
import tarfile
import time

from harness import FAR, Person, Servers, claim, gather, open_quietly, play_on, run_claims, same, serve
from online_player import Table

SERVER = serve("--log", "debug")
SPREAD = isinstance(SERVER, Servers)


def plain(text):
    """On several servers without who is there and when something was said: neither is a secret, nor the same each time."""
    return re.sub(r',? ?"(present|at)": ?(true|false|\d+)', "", text) if SPREAD else text


class Twin:
    """One of several games of the same people, with fresh connections and the same words each time. What each got is
    kept."""

    def __init__(self, accounts, hidden, **terms):
        self.people = [Person(SERVER, f"seat {number + 1}", account) for number, account in enumerate(accounts)]
        self.watcher = Person.nobody(SERVER)
        self.hidden = hidden  # the seat whose sheet differs, from 0
        self.marks = 0
        for person in self.everybody():
            person.known = []
        self.name = self.people[0].create(players=len(accounts), first=1, **terms)
        for person in self.people[1:]:
            person.request("sit", table=self.name)
            self.settle()
        for person in self.everybody():
            person.watch(self.name)
            self.settle()

    def everybody(self):
        return [*self.people, self.watcher]

    def settle(self):
        """What was done is known to everybody before the next thing is done. On several servers that is so when a word
        that was said afterwards has come."""
        for person in self.everybody():
            person.sync()
        if SPREAD:
            self.marks += 1
            word = f"mark {self.marks}"
            self.people[0].request("talk", table=self.name, text=word)
            for person in self.everybody():
                if table := person.tables.get(self.name):
                    person.expect(lambda: any(entry.get("talk") == word for entry in table.happened), word)
                    person.known.append(self.parts(vars(table)))

    @staticmethod
    def parts(push):
        return {part: plain(json.dumps(push[part])) for part in Table.PARTS if push.get(part) is not None}

    def do(self, seat, *actions, salt=None):
        """Seat from 1."""
        person = self.people[seat - 1]
        members = {"salt": salt} if salt else {}
        person.request("act", table=self.name, version=person.tables[self.name].version, actions=list(actions), **members)
        self.settle()

    def others(self):
        return [person for person in self.everybody() if person not in [self.people[self.hidden]]]

    def stream(self, person):
        """All bytes, but for the table's id, the ids of his own orders, the seals, and which other games wait for him:
        nothing else may differ."""
        text = "\n".join(self.told(person) if SPREAD else person.socket.frames).replace(self.name, "TABLE").replace(person.prefix, "ID")
        text = re.sub(r', ?"asked": ?\[[^]]*\]', "", text)
        return re.sub(r'"seal": ?"[0-9a-f]{64}"', '"seal":"SEAL"', text)

    def told(self, person):
        """On several servers what comes at the same time may come in one message or in two, and before an answer or after
        it. So: all answers, all that has happened, and what he knew after each step, than which no message says more."""
        messages = [json.loads(frame) for frame in person.socket.frames]
        for message in messages:
            for part, value in self.parts(message).items() if message.get("push") == "table" else ():
                assert any(known.get(part) == value for known in person.known), f"only for a moment: {part} {value}"
        answers = [message for message in messages if "re" in message]
        return [*(plain(json.dumps(one)) for one in [*answers, *person.tables[self.name].happened]),
                *(f"{part} {value}" for known in person.known for part, value in known.items())]

    def close(self):
        for person in self.everybody():
            person.close()


def accounts_for(count):
    people = [Person(SERVER) for _ in range(count)]
    for person in people:
        person.close()
    return [person.account for person in people]


def compare(first, second, indices):
    for index in indices:
        one, other = first.stream(first.everybody()[index]), second.stream(second.everybody()[index])
        if one != other:
            lines = [pair for pair in zip(one.split("\n"), other.split("\n")) if pair[0] != pair[1]]
            raise AssertionError(f"viewer {index} can tell the games apart ({len(one)} and {len(other)} bytes): "
                                 f"{lines[:1]}")


def dispute(twin, opening, assignment):
    """Everything public is the same whatever the hidden seat (the second) holds."""
    players = len(twin.people)
    for seat in range(1, players + 1):
        twin.do(seat, *(opening if seat == 2 else ["place 10 T1", "place 5 A1"]), "done")
    twin.do(1, "step T1 b1")
    for seat in range(2, players + 1):
        twin.do(seat, "object 3" if seat == 3 else "pass")
    twin.do(1, "claim 4")
    for seat in range(2, players + 1):
        twin.do(seat, "pass")
    twin.do(2, "assign", *assignment, "done")
    twin.do(3, "assign")
    twin.do(3, "place 1 T1", "done")
    for active in range(4, players + 1):
        twin.do(active, "assign", "done")
    twin.do(1, "step A1 d1")
    for seat in range(2, players + 1):
        twin.do(seat, "pass")
    twin.do(2, "assign")
    twin.do(2, *assignment, "done")


SHEETS = [
    ([], []),
    (["place 10 T1"] * 4 + ["place 5 T1"] * 4 + ["place 4 T1"] * 4, ["place 3 R2", "place 2 R2"]),
    (["place 1 R1", "place 10 A1", "place 4 I2"], ["place 10 A1"]),
    ([f"place {unit} {pawn}" for unit, pawn in zip([10, 10, 10, 10, 5, 5, 5, 5], "T1 T2 A1 A2 I1 I2 R1 R2".split())],
     []),
]


@claim
def games_that_differ_in_one_hidden_sheet_are_the_same_bytes_for_all_others_R10_2():
    for players in (2, 3) if SPREAD else (2, 3, 5):
        accounts = accounts_for(players)
        twins = []
        for opening, assignment in SHEETS:
            # With two, seat 3 does not exist: nobody objects.
            twin = Twin(accounts, hidden=1)
            (dispute if players > 2 else quiet)(twin, opening, assignment)
            twins.append(twin)
            twin.close()
        for twin in twins[1:]:
            compare(twins[0], twin, [index for index in range(players + 1) if index != 1])


def quiet(twin, opening, assignment):
    twin.do(1, "place 10 T1", "done")
    twin.do(2, *opening, "done")
    twin.do(1, "step T1 b1")
    twin.do(2, "pass")
    twin.do(2, "assign", *assignment, "done")
    twin.do(1, "step R1 a4")
    twin.do(2, "pass")


@claim
def attempts_that_are_refused_are_heard_by_nobody_else_R10_2():
    accounts = accounts_for(3)
    twins = []
    for clumsy in (False, True):
        twin = Twin(accounts, hidden=1)
        hidden = twin.people[1]

        def attempts():
            if clumsy:
                version = hidden.tables[twin.name].version
                for action in ["object 50", "claim 3", "keep", "place 10 T1", "yield"]:
                    hidden.refused("act", table=twin.name, version=version, actions=[action])
                hidden.refused("talk", table=twin.name, text="")
                hidden.request("order", table=twin.name, order="object R1 c3 4")
                hidden.request("cancel", table=twin.name)
                hidden.request("mute", table=twin.name, seat=3)
                hidden.request("unmute", table=twin.name, seat=3)
            twin.settle()

        attempts()
        for seat in (1, 2, 3):
            twin.do(seat, "place 10 T1", "done")
        attempts()
        twin.do(1, "step T1 b1")
        attempts()
        for seat in (2, 3):
            twin.do(seat, "pass")
        twins.append(twin)
        twin.close()
    # The probes of `settle` are counted in the ids: they are not what is compared here.
    for index in (0, 2, 3):
        streams = [[line for line in twin.stream(twin.everybody()[index]).split("\n") if '"re"' not in line]
                   for twin in twins]
        same(streams[0], streams[1], f"what viewer {index} gets")


@claim
def the_order_of_hidden_answers_is_the_same_bytes_for_the_others_Q13():
    accounts = accounts_for(5)
    twins = []
    for order in ([2, 3, 4, 5], [5, 3, 4, 2]):
        twin = Twin(accounts, hidden=1)
        for seat in ([1] + order):
            twin.do(seat, "place 5 T1", "done")
        twin.do(1, "step T1 b1")
        for seat in order:
            twin.do(seat, "object 2" if seat == 4 else "pass")
        twins.append(twin)
        twin.close()
    # Seats 3 and 4 answered second and third both times; seat 1 and the spectator only looked on.
    compare(*twins, [0, 2, 3, 5])


@claim
def an_opening_is_sealed_at_once_for_its_owner_and_for_nobody_else_until_the_round_closes_Q13():
    accounts = accounts_for(3)
    for pace in (10000, 0):  # before one pace has passed, others do not even see how many have answered
        twin = Twin(accounts, hidden=1, pace=pace)
        before = [len(person.socket.frames) for person in twin.everybody()]
        record = SERVER.record(twin.name)
        twin.do(2, "place 10 T1", "done")
        own = twin.people[1].tables[twin.name].you["seal"]
        assert re.fullmatch("[0-9a-f]{64}", own), own
        same(SERVER.record(twin.name), record, "the public record")
        for index, person in enumerate(twin.everybody()):
            news = [frame for frame in person.socket.frames[before[index]:]
                    if '"re"' not in frame and '"talk":"mark' not in frame and
                    not (SPREAD and json.loads(frame).keys() == {"push", "table", "seats"})]
            assert person is twin.people[1] or not any(own in frame for frame in news), f"viewer {index} has it: {news}"
            assert person is twin.people[1] or pace == 0 or not news, f"viewer {index} hears of it: {news}"
        if pace == 0:
            for seat in (1, 3):
                twin.do(seat, "done")
            for person in twin.everybody():
                seals = {entry["seat"]: entry["seal"] for entry in person.tables[twin.name].happened if "seal" in entry}
                same(seals[2], own, "the seal that all hear of")
                assert "seal" not in person.tables[twin.name].you, "it is still told as his alone"
            assert f'[Seal2_1 "{own}"]' in SERVER.record(twin.name)
        twin.close()


@claim
def a_hidden_answer_is_the_same_whether_it_objects_or_not_until_the_last_is_in_Q13():
    accounts = accounts_for(4)
    twins = []
    for answer in ("pass", "object 1", "object 7"):
        twin = Twin(accounts, hidden=1)
        for seat in (1, 2, 3, 4):
            twin.do(seat, "place 10 T1", "done")
        twin.do(1, "step T1 b1")
        twin.do(2, answer)
        twin.do(3, "pass")
        twins.append(twin)
        twin.close()
    compare(twins[0], twins[1], [0, 2, 3, 4])
    compare(twins[0], twins[2], [0, 2, 3, 4])


@claim
def standing_orders_are_the_same_bytes_for_the_others_R10_2():
    accounts = accounts_for(3)
    twins = []
    for orders in ([], ["pass until mine"], ["object R1 c3 5", "pass until grail"]):
        twin = Twin(accounts, hidden=1)
        for seat in (1, 2, 3):
            twin.do(seat, "place 10 T1", "done")
        for order in orders:
            twin.people[1].request("order", table=twin.name, order=order)
        twin.settle()
        twins.append(twin)
        twin.close()
    compare(twins[0], twins[1], [0, 2, 3])
    compare(twins[0], twins[2], [0, 2, 3])


@claim
def whispers_are_the_same_bytes_for_third_parties():
    accounts = accounts_for(4)
    twins = []
    for whispers in (False, True):
        twin = Twin(accounts, hidden=1)
        for turn in range(3):
            if whispers:
                twin.people[1].request("talk", table=twin.name, text=f"psst {turn}", to=[3])
                twin.people[1].request("offer", table=twin.name, offer="hold 10 T1", to=[3])
            twin.settle()
        for seat in (1, 2, 3, 4):
            twin.do(seat, "done")
        twins.append(twin)
        twin.close()
    compare(*twins, [0, 3, 4])


def archive_of(person):
    status, _, bytes_of_it = person.account.request("GET", "/api/export")
    same(status, 200, "the status of the archive")
    with tarfile.open(fileobj=io.BytesIO(bytes_of_it)) as archive:
        return {member.name: archive.extractfile(member).read().decode() for member in archive.getmembers()}


@claim
def a_block_is_the_same_bytes_for_who_is_blocked_and_all_others():
    accounts = accounts_for(3)
    blocked = json.loads(accounts[1].request("GET", "/api/me")[2])["name"]
    twins, records = [], []
    for blocks in (False, True):
        twin = Twin(accounts, hidden=0)
        if blocks:
            twin.people[0].request("block", name=blocked)
        twin.settle()
        for seat in (1, 2, 3):
            twin.do(seat, "place 10 T1", "done")
        twin.people[1].request("talk", table=twin.name, text="Hello")
        twin.settle()
        twin.people[1].request("befriend", name=json.loads(accounts[0].request("GET", "/api/me")[2])["name"])
        asked = [{**row, "since": 0} for row in twin.people[1].request("friends")["asked"]]
        same(len(asked), 1, "whom he has asked to be his friend")
        twin.people[1].request("unfriend", name=asked[0]["name"])
        twin.do(1, "step T1 b1")
        for seat in (2, 3):
            twin.do(seat, "pass")
        files = archive_of(twin.people[1])
        text = files[f"gral/games/{twin.name}.json"] + SERVER.record(twin.name)
        records.append(re.sub(r"\b[0-9a-f]{64,}\b|(?m: ;[0-9a-f]{4}$)|\"(at|since)\":\d+", "", text.replace(twin.name, "TABLE")))
        twins.append(twin)
        twin.close()
    for index in (1, 2, 3):
        streams = [re.sub(r"\"(at|since)\":\d+", "", twin.stream(twin.everybody()[index])) for twin in twins]
        different = [pair for pair in zip(*(stream.split("\n") for stream in streams)) if pair[0] != pair[1]]
        assert streams[0] == streams[1], f"viewer {index}: {different[:2]}"
    same(records[1], records[0], "what is kept of the game")


# --- everywhere else --------------------------------------------------------------------------------------------------

SALT = "5a17" * 16


@claim
def no_placement_and_no_salt_is_anywhere_before_the_end_R10_2():
    name, people = gather(SERVER, 3, first=1)
    everywhere = Person(SERVER)
    everywhere.request("lobby", on=True)
    everywhere.watch(name)
    figures = [3, 4]
    for seat, person in enumerate(people, 1):
        person.request("act", table=name, version=0, salt=SALT,
                     actions=[f"place {figures[seat % 2]} R2", "place 2 I2", "done"])
    table = people[0].tables[name]
    people[0].expect(lambda: table.version == 3)
    people[0].request("act", table=name, version=3, salt=SALT, actions=["assign", "place 3 R2", "place 1 I2", "done"])
    everywhere.request("lobby")
    public = [SERVER.record(name), SERVER.get("/metrics")[2].decode(), SERVER.get("/healthz")[2].decode(), SERVER.log(),
              SERVER.get(f"/t/{name}")[2].decode(), *everywhere.socket.frames]
    for text in public:
        assert SALT not in text, f"the salt is public: {text}"
        assert "place" not in text, f"a placement is public: {text}"
    for seat, person in enumerate(people, 1):
        person.sync()
        for frame in person.socket.frames:
            assert SALT not in frame, f"the salt is pushed: {frame}"
        for entry in person.tables[name].happened:
            assert entry.get("seat") == seat or "place" not in entry.get("action", ""), f"{person.name} hears {entry}"
    for person in people:
        person.request("draw", table=name)
    assert SALT in SERVER.record(name), "the salt is not published at the end"
    assert SALT not in SERVER.log() and "place" not in SERVER.log(), "the log tells it"


@claim
def archives_profiles_and_lists_are_the_same_bytes_while_the_game_goes_on_R10_2():
    accounts = accounts_for(3)
    found = []
    for opening, assignment in SHEETS[:2] if SPREAD else SHEETS:
        twin = Twin(accounts, hidden=1)
        twin.people[1].request("show", games="everyone", manner="everyone", results="everyone")
        dispute(twin, opening, assignment)
        name = twin.people[1].account.request("GET", "/api/me")[2].decode()
        asked = []
        for person in (twin.people[2], twin.watcher):
            for do, members in (("stats", {}), ("games", {}), ("ratings", {"class": "3-4-live"})):
                asked.append(json.dumps({**person.request(do, name=json.loads(name)["name"], **members), "re": ""}))
            asked.append(json.dumps({**person.request("tournaments"), "re": ""}))
        files = archive_of(twin.people[2])
        asked += [files[f"gral/games/{twin.name}.{kind}"] for kind in ("json", "gral")]
        account = json.loads(files["gral/account.json"])
        asked += [json.dumps(account.get(part)) for part in ("results", "manner", "ratings", "friends", "tournaments")]
        text = plain("\n".join(asked)).replace(twin.name, "TABLE")
        # Seals, the signature, and the marks of lines, which follow from everything before, differ in every game.
        found.append(re.sub(r"\b[0-9a-f]{64,}\b|(?m: ;[0-9a-f]{4}$)", "", text))
        twin.close()
    for other in found[1:]:
        different = [pair for pair in zip(found[0].split("\n"), other.split("\n")) if pair[0] != pair[1]]
        assert not different and len(other) == len(found[0]), f"others can tell them apart: {different[:3]}"


@claim
def the_view_tells_the_sheets_only_at_the_end():
    name, people = gather(SERVER, 2)
    for person in people:
        person.act(person.tables[name], ["place 10 T1", "done"])
    for person in people:
        person.sync()
        assert "sheets" not in person.tables[name].view
    for person in people:
        person.request("draw", table=name)
    for person in people:
        person.expect(lambda: person.tables[name].stage == "over")
        assert person.tables[name].view["sheets"], "no sheets at the end"


# --- when -------------------------------------------------------------------------------------------------------------


@claim
def everybody_is_asked_whether_he_could_object_or_not_R10_2():
    name, people = gather(SERVER, 3, first=1)
    open_quietly(people, name)
    people[0].act(people[0].tables[name], ["step T1 b1"])
    for person in people[1:]:
        person.expect(lambda: person.tables[name].asked(), "to be asked though only `pass` is legal")
        same(person.tables[name].you["legal"], ["pass"])
    people[1].act(people[1].tables[name], ["pass"])
    people[0].expect(lambda: people[0].tables[name].round == {"asked": 2, "answered": 1, "hidden": True}, "one answer")


@claim
def computer_players_answer_after_the_pace_and_always_in_the_same_way_R10_2():
    pace = 0.3
    name, (ann,) = gather(SERVER, 1, players=4, first=1, pace=int(pace * 1000),
                          computers=[{"seat": seat, "level": 1} for seat in (2, 3, 4)])
    table = ann.tables[name]
    ann.act(table, ["place 10 T1"] * 4 + ["done"])
    rounds = []

    def decide(person, table):
        """In her own turns proposes a step of T1, and looks how the answers come in."""
        if table.view["phase"] != "turn":
            return ["pass" if "pass" in table.you["legal"] else table.you["legal"][0].split("..")[0]]
        steps = sorted((action for action in table.you["legal"] if action.startswith("step")),
                       key=lambda step: "T1" not in step)
        begin = time.monotonic()
        ann.pushes.clear()
        ann.act(table, [steps[0]])
        asked = []
        while True:
            push = ann.wait()
            if "round" in push:
                asked.append((push["round"]["asked"], push["round"]["answered"], push["round"]["hidden"]))
            if "happened" in push and len(asked) > 1:
                break
        taken = time.monotonic() - begin
        assert taken >= pace - 0.005, f"an answer after {taken} s"
        assert taken < FAR / 2, f"no answer for {taken} s"
        rounds.append(asked[:-1])  # the last one is what comes after the round

    play_on([ann], name, decide, lambda table: len(rounds) >= 5)
    together = [(3, 0, True)]  # with the pace; where the machine is too busy for that, later and one after the other
    for asked in rounds:
        assert asked in (together, together + [(3, 1, True), (3, 2, True)]), f"the answers come in differently: {rounds}"


if __name__ == "__main__":
    run_claims(SERVER)
