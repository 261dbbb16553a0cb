"""The example clients in examples/: complete games of one against the other, also when the connection breaks."""
import os
import subprocess
import sys
import tempfile
import threading

from harness import FAR, ROOT, Person, Server, claim, must_verify, run_claims, same

PLAYERS = {"Python": [sys.executable, str(ROOT / "examples" / "online_player.py")],
           "C": [os.environ.get("GRAL_ONLINE_PLAYER", str(ROOT / "build" / "examples" / "online_player"))]}
SERVER = Server()


class Player:
    """A running example; its lines are kept."""

    def __init__(self, kind, server, *options):
        self.lines, self.server = [], server
        self.process = subprocess.Popen([*PLAYERS[kind], "--server", server.url, *options], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.first = self.process.stdout.readline()
        self.lines.append(self.first)

    def table(self):
        assert "/t/" in self.first, f"{self.first!r} {self.process.stderr.read()}"
        return self.first.strip().rsplit("/", 1)[1]

    def finish(self):
        """Its results, when all games are over."""
        patience = threading.Timer(120, self.process.kill)
        patience.daemon = True
        patience.start()
        self.lines += self.process.stdout.readlines()
        errors = self.process.stderr.read()
        same((self.process.wait(), errors), (0, ""), f"how it ended, after {self.lines},")
        patience.cancel()
        return [line.strip().split(": ", 1)[1] for line in self.lines if "/t/" not in line]


def games(first, second, count, server=SERVER, names=(), **options):
    """One makes a table, the other comes; what both say of the results."""
    words = [word for option, value in options.items() for word in (f"--{option}", str(value))]
    one = Player(first, server, "--name", names[0], "--create", "2", "--games", str(count), *words)
    other = Player(second, server, "--name", names[1], "--table", one.table(), "--games", str(count))
    return one, other


def must_agree(one, other, count):
    results = one.finish(), other.finish()
    same(results[0], results[1], "the results")
    same(len(results[0]), count, "the number of games")
    for line in one.lines:
        if "/t/" in line:
            must_verify(one.server.record(line.strip().rsplit("/", 1)[1]))


@claim
def the_example_in_python_plays_itself():
    must_agree(*games("Python", "Python", 3, names=("Pia", "Paul"), limit=60), 3)


@claim
def the_example_in_c_plays_the_one_in_python():
    must_agree(*games("C", "Python", 3, names=("Cora", "Peter"), limit=60), 3)
    must_agree(*games("Python", "C", 3, names=("Pam", "Carl"), limit=60), 3)


@claim
def a_whole_game_is_played_over_tls():
    with tempfile.TemporaryDirectory() as folder:
        certificate, key = f"{folder}/certificate.pem", f"{folder}/key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        os.environ["SSL_CERT_FILE"] = certificate
        with Server("--certificate", certificate, "--key", key) as server:
            assert server.url.startswith("https:"), server.url
            must_agree(*games("Python", "Python", 1, server, names=("Tilda", "Tom"), limit=30), 1)
        del os.environ["SSL_CERT_FILE"]


@claim
def four_examples_play_the_original():
    one = Player("C", SERVER, "--name", "Otto 1", "--create", "4", "--rules", "original", "--limit", "30")
    others = [Player(kind, SERVER, "--name", f"Otto {kind} {number}", "--table", one.table())
              for number, kind in enumerate(["Python", "C", "Python"], 2)]
    results = [player.finish() for player in [one, *others]]
    assert all(result == results[0] for result in results), results


@claim
def the_examples_play_on_when_the_server_is_killed():
    with Server() as server:
        one, other = games("C", "Python", 5, server, names=("Cleo", "Petra"), limit=30)
        done = threading.Event()

        def kill():
            for _ in range(20):  # a slow machine must come to its games, too
                if done.wait(0.3):
                    break
                server.restart(kill=True)
        killer = threading.Thread(target=kill)
        killer.start()
        try:
            results = one.finish(), other.finish()
        finally:
            done.set()
            killer.join()
        same(results[0], results[1], "the results")
        same(len(results[0]), 5, "the number of games")


@claim
def an_example_comes_with_a_token():
    person = Person(SERVER)
    token = person.account.ask("POST", "/api/token", {"label": "example"})["token"]
    for kind in PLAYERS:
        name = person.create(players=2, limit=4)
        person.request("rise", table=name)
        one = Player(kind, SERVER, "--token", token, "--create", "2", "--limit", "4")
        other = Player("Python", SERVER, "--name", f"Guest of {kind}", "--table", one.table())
        must_agree(one, other, 1)
        assert person.name in [seat["name"] for seat in person.watch(one.table()).seats]


@claim
def the_examples_say_what_is_wrong():
    for kind, command in PLAYERS.items():
        for options in (["--name", "x" * 99, "--create", "2"], ["--name", f"Nobody {kind}", "--table", "A" * 22],
                        ["--name", f"Much {kind}", "--create", "99"], ["--create", "2"]):
            done = subprocess.run([*command, "--server", SERVER.url, *options], stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=FAR)
            assert done.returncode != 0 and done.stderr, f"{kind} {options}: {done}"
            assert "Traceback" not in done.stderr, done.stderr


if __name__ == "__main__":
    run_claims(SERVER)
