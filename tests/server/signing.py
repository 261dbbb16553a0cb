"""The server's signature: what it is of, whose it is, and which forgeries it finds. Everything is worked out here a
second time, from docs/fair.md alone: hashes by hashlib, signatures by the openssl program."""
import contextlib
import hashlib
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

from harness import FAR, GRAL, ROOT, Person, Server, claim, gather, play_on, run_claims, same

PAGE = (ROOT / "docs" / "fair.md").read_text()
OWN_FOLDER = tempfile.TemporaryDirectory(prefix="gral-signing-")
FOLDER = pathlib.Path(OWN_FOLDER.name)

# --- as the page says -------------------------------------------------------------------------------------------------


def blake2b(data):
    return hashlib.blake2b(data, digest_size=32).digest()


def plain(record):
    """The lines of a record without its checks."""
    return [line[:-6] for line in record.split("\n")[:-2]]


def with_checks(lines):
    state, text = bytes(32), ""
    for line in lines:
        state = blake2b(state + blake2b(line.encode()))
        text += line + (f" ;{state[:2].hex()}" if line else "") + "\n"
    return text + f"; gral checks 1 {state.hex()}\n"


PAWNS = "T1 T2 A1 A2 I1 I2 R1 R2".split()


def with_seals(lines):
    """With new seals for the placements that are there, and the salts that are there."""
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', "\n".join(lines), re.MULTILINE))
    placed, number, previous, seals = {}, {}, {}, {}
    for seat, action in re.findall(r"^(\d+): (.*)$", "\n".join(lines), re.MULTILINE):
        if action.startswith("place "):
            _, points, pawn = action.split()
            placed[seat] = placed.get(seat, b"") + bytes([int(points), PAWNS.index(pawn) + 1])
        if action == "done":
            number[seat] = number.get(seat, 0) + 1
            name = f"{seat}_{number[seat]}"
            previous[seat] = blake2b(b"gral seal 1".ljust(16, b"\0") + tags["Game"].encode().ljust(32, b"\0") +
                                     bytes([int(seat)]) + number[seat].to_bytes(4, "little") +
                                     previous.get(seat, bytes(32)) + placed.pop(seat, b"").ljust(48, b"\0") +
                                     bytes.fromhex(tags[f"Salt{name}"]))
            seals[f"Seal{name}"] = previous[seat].hex()
    return [re.sub(r'^\[(Seal\w+) ".*"\]$', lambda tag: f'[{tag[1]} "{seals[tag[1]]}"]', line) for line in lines]


def code_of_the_page():
    """The program in the section about the signature, as somebody would copy it."""
    section = PAGE[PAGE.index("## The signature"):PAGE.index("## The server's keys")]
    code = section[section.index("    import pathlib"):].split("\n")
    return "\n".join(line[4:] for line in code if line.startswith("    "))


def signed_by_the_page(record):
    path = FOLDER / "page.gral"
    path.write_text(record)
    return subprocess.run([sys.executable, "-c", code_of_the_page(), path], capture_output=True, timeout=FAR).returncode


class Forger:
    """Somebody with a key of his own."""

    def __init__(self):
        self.key = FOLDER / "forger.pem"
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", self.key], check=True,
                       capture_output=True)
        public = subprocess.run(["openssl", "pkey", "-in", self.key, "-pubout", "-outform", "DER"], check=True,
                                capture_output=True).stdout
        self.public = public[-32:].hex()

    def sign(self, lines):
        """The record under his own signature instead of the server's."""
        lines = [f'[Signer "{self.public}"]' if line.startswith("[Signer") else line for line in lines
                 if not line.startswith("[Signature")]
        left_out = re.compile(r"\[Salt[0-9]|[0-9]+: place ")
        statement = FOLDER / "statement"
        statement.write_text("gral record 1\n" + "".join(f"{line}\n" for line in lines if not left_out.match(line)))
        signature = subprocess.run(["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", self.key, "-in", statement],
                                   check=True, capture_output=True).stdout
        return [f'[Signature "{signature.hex()}"]', *lines]


def verify(record, *options, against=None):
    """What `gral verify` says: (status, words)."""
    path, saved = FOLDER / "record.gral", FOLDER / "saved.gral"
    path.write_text(record)
    if against is not None:
        saved.write_text(against)
        options = (*options, "--against", saved)
    done = subprocess.run([GRAL, "verify", *options, path], capture_output=True, text=True, timeout=FAR,
                          env={**os.environ, "LC_ALL": "C"})
    return done.returncode, done.stdout + done.stderr


def keys_of(server):
    path = FOLDER / "keys"
    path.write_bytes(server.get("/keys")[2])
    return path


def expect(status, words, record, *options, against=None):
    got, said = verify(record, *options, against=against)
    assert got == status and words in said, f"status {got}, not {status}, or not {words!r} in: {said}\n{record}"


# --- one game for all of them -----------------------------------------------------------------------------------------


class Played:
    """A game with names, played to an agreed draw: its records from the beginning to the end."""

    def __init__(self, server):
        self.name, people = gather(server, 2, first=1)
        for person in people:
            person.do(self.name, "place 10 T1", "place 5 A1", "done")
        self.records = [server.record(self.name)]
        turn = 0

        def until(table):
            nonlocal turn
            if table.version > turn:
                turn = table.version
                self.records.append(server.record(self.name))
            return table.version >= 24

        play_on(people, self.name, until=until)
        for person in people:
            person.request("draw", table=self.name)
        self.final = server.record(self.name)
        self.names = [person.name for person in people]
        for person in people:
            person.close()


SERVER = Server()
GAME = Played(SERVER)
WRONG = "the signature does not match this record: something was changed, added or removed"


@claim
def every_record_is_signed_by_the_published_key_while_the_game_goes_on_and_when_it_is_over():
    keys = keys_of(SERVER)
    head, first = keys.read_text().splitlines()
    same(head, "gral keys 1")
    assert re.fullmatch(r"1 \d{10} [0-9a-f]{64} -", first), first
    for record in (*GAME.records, GAME.final):
        expect(0, ", one of those given\n", record, "--key", keys)
        expect(0, ", one of those given\n", record, "--key", first.split()[2])
        same(signed_by_the_page(record), 0, "what the program of the page says")
    expect(0, "rules: not checked", GAME.records[0])
    expect(0, "signed: names, terms, seals, actions and the end; nothing was changed, added or cut off\n", GAME.final)


@claim
def the_example_of_the_page_is_right():
    example = re.search(r'\n    (\[Signature "[^…]*\n    ; gral checks 1 .*\n)', PAGE)[1].replace("\n    ", "\n")
    expect(0, "signature: valid, by the key 03a107bff3ce10be…", example)
    same(signed_by_the_page(example), 0, "what the program of the page says")
    assert signed_by_the_page(with_checks([line.replace("Bob", "Eve") for line in plain(example)])) != 0


@claim
def what_is_signed_is_public_and_the_same_however_often_it_is_asked_for_R10_2():
    same(SERVER.record(GAME.name), GAME.final, "the record, asked for again")
    for record in GAME.records:
        assert "place" not in record and "[Salt" not in record, record
    assert "seed" not in GAME.final
    assert '[Terms "clock=none ' in GAME.final


@claim
def a_record_saved_while_playing_is_the_beginning_of_the_final_one():
    keys = keys_of(SERVER)
    assert len(GAME.records) > 3
    for saved in GAME.records:
        expect(0, "are here, with the same terms and names\n", GAME.final, "--key", keys, against=saved)
    expect(0, "are here", GAME.records[-1], against=GAME.records[0])
    status, words = verify(GAME.records[0], against=GAME.records[-1])
    assert status == 1 and "this one is older" in words and "two different games" not in words, words
    other = Played(SERVER)
    expect(1, "the saved record differs here", GAME.final, against=other.records[0])


# --- forgeries: each with new checks, as somebody makes them who knows how ---------------------------------------------


def exchanged(lines):
    one, other = GAME.names
    return [line.replace(one, "?").replace(other, one).replace("?", other) if line.startswith("[Player") else line
            for line in lines]


def resealed(lines):
    """The first player's unit of 5 was on another initiate all the time."""
    first = lines.index("1: place 5 A1")
    return with_seals([*lines[:first], "1: place 5 A2", *lines[first + 1:]])


def cut(lines):
    """The last action has never been."""
    return lines[:-1]


def unsigned(lines):
    return [line for line in lines if not line.startswith("[Sign")]


FORGERIES = (exchanged, resealed, cut)


@claim
def without_a_signature_forgeries_pass_but_nobody_is_told_that_they_are_right():
    for forge in FORGERIES:
        forged = with_checks(unsigned(forge(plain(GAME.final))))
        status, words = verify(forged)
        if status == 0:  # where the rules still hold
            assert "signature: none; nobody vouches for names, terms and seals, or that nothing was cut off" in words
        expect(1, "", forged, "--key", keys_of(SERVER))
    expect(0, "signature: none", with_checks(unsigned(exchanged(plain(GAME.final)))))
    expect(0, "whoever changes a placement can make new seals", with_checks(unsigned(resealed(plain(GAME.final)))))


@claim
def exchanged_names_a_changed_sheet_with_new_seals_and_a_cut_record_are_found():
    for forge in FORGERIES:
        forged = with_checks(forge(plain(GAME.final)))
        expect(1, WRONG, forged)
        assert signed_by_the_page(forged) != 0


@claim
def a_forger_who_signs_himself_is_found_by_the_key_and_by_the_saved_record():
    forger, keys = Forger(), keys_of(SERVER)
    for forge in FORGERIES:
        forged = with_checks(forger.sign(forge(plain(GAME.final))))
        expect(0, "whether that is the server's key was not checked (--key)", forged)
        expect(1, f"it is signed with the key {forger.public[:16]}…, which is not one of those given", forged, "--key", keys)
    for forge in FORGERIES[:2]:
        forged = with_checks(forger.sign(forge(plain(GAME.final))))
        expect(1, "the records are signed by different keys", forged, against=GAME.records[-1])


@claim
def a_server_that_signs_two_different_games_is_convicted_by_its_signatures():
    """The forger is the server here: he has signed both."""
    forger = Forger()
    saved = with_checks(forger.sign(plain(GAME.records[-1])))
    final = with_checks(forger.sign(resealed(plain(GAME.final))))
    expect(1, "both records are signed, so whoever has the key has signed two different games", final, "--key",
           forger.public, against=saved)
    final = with_checks(forger.sign(exchanged(plain(GAME.final))))
    expect(1, "a name may change only if a guest registers under another", final, "--key", forger.public, against=saved)
    honest = with_checks(forger.sign(plain(GAME.final)))
    expect(0, "are here", honest, "--key", forger.public, against=saved)
    bare = with_checks(unsigned(exchanged(plain(GAME.final))))
    expect(1, "at least one record is not signed, so nobody can tell which one was changed", bare, against=saved)


@claim
def names_that_change_by_right_are_no_proof_against_the_server():
    name, people = gather(SERVER, 2, first=1)
    for person in people:
        person.do(name, "place 10 T1", "done")
    saved = SERVER.record(name)
    status, _, _ = people[1].account.request("POST", "/api/register", {"name": "Somebody Else", "password": "in the cellar"})
    same(status, 200, "the status of the registration")
    status, words = verify(SERVER.record(name), "--key", keys_of(SERVER), against=saved)
    assert status == 1 and "the saved record has another name here" in words, words
    assert "a name may change only if a guest registers under another" in words and "two different" not in words, words
    status, _, _ = people[1].account.request("POST", "/api/delete", {"name": "Somebody Else", "password": "in the cellar"})
    same(status, 200, "the status of the deletion")
    expect(0, "players whose name was removed since: 1", SERVER.record(name), "--key", keys_of(SERVER), against=saved)


@claim
def keys_that_cannot_be_read_are_refused():
    expect(1, "this is not a list of keys", GAME.final, "--key", FOLDER / "record.gral")
    expect(1, "No such file", GAME.final, "--key", FOLDER / "nowhere")
    expect(2, "--against compares one record", GAME.final, "--against", "a", "b")


# --- the life of a key ------------------------------------------------------------------------------------------------


@claim
def the_key_stays_the_same_whatever_ends_the_server():
    with Server() as server:
        before = server.get("/keys")[2]
        server.restart(kill=True)
        server.restart()
        same(server.get("/keys")[2], before, "the list of keys")


@claim
def a_new_key_is_signed_by_the_old_one_and_old_records_stay_right():
    with Server() as server:
        name, people = gather(server, 2, first=1)
        for person in people:
            person.do(name, "place 10 T1", "done")
        saved, old = server.record(name), server.get("/keys")[2].decode()
        server.stop()
        with contextlib.closing(sqlite3.connect(server.database)) as database:
            (secret,), = database.execute("SELECT secret FROM signer")
        server.options.append("--new-key")
        server.start()
        new = server.get("/keys")[2].decode()
        assert new.startswith(old) and len(new.splitlines()) == 3, f"{old}\n{new}"
        people = [Person(server, person.name, person.account) for person in people]
        for person in people:
            person.watch(name)
            person.request("draw", table=name)
        final = server.record(name)
        assert re.search(r'\[Signer "(\w+)"', saved)[1] != re.search(r'\[Signer "(\w+)"', final)[1]
        expect(0, "are here", final, "--key", keys_of(server), against=saved)
        (FOLDER / "old").write_text(old)
        expect(1, "which is not one of those given", final, "--key", FOLDER / "old")
        damaged = new[:-3] + ("00\n" if new[-3:-1] != "00" else "11\n")
        (FOLDER / "damaged").write_text(damaged)
        expect(1, "line 3: this key is not signed by the one before it", final, "--key", FOLDER / "damaged")
        server.stop()
        files = b"".join(path.read_bytes() for path in server.folder.iterdir() if path.is_file())
        assert len(secret) == 64 and secret.encode() not in files, "the secret of the old key is still there"
        server.options.remove("--new-key")
        server.start()
        same(server.get("/keys")[2].decode(), new, "the list of keys")


@claim
def the_secret_of_the_key_is_nowhere_to_be_read():
    log = SERVER.log()
    for word in ("signer", "secret", keys_of(SERVER).read_text().split()[5]):
        assert word not in log, f"{word} is in the log"


if __name__ == "__main__":
    run_claims(SERVER)
