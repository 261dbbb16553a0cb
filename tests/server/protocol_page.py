"""Plays docs/protocol.md against a real server: every line of its examples, in order.

`Ann POST PATH BODY` and `Ann 200 BODY` are a request and its answer; `Ann > …` is sent, `Ann < …` is what she must get
next. `"…"` stands for any value; `"$name"` for one that stays what it is from its first use on. Nothing else may
differ, and nothing that is not in the example may be there."""
import json
import re

from harness import FAR, ROOT, Server, claim, run_claims, online_player

PAGE = ROOT / "docs" / "protocol.md"
ANY = "…"


class Play:
    """Who has said what so far."""

    def __init__(self, server):
        self.server = server
        self.accounts, self.sockets, self.values, self.answers = {}, {}, {}, {}

    def account(self, who):
        return self.accounts.setdefault(who, online_player.Account(self.server.url))

    def socket(self, who):
        if who not in self.sockets:
            self.sockets[who] = online_player.WebSocket(self.server.url, headers=self.account(who).headers())
        return self.sockets[who]

    def fill(self, text):
        """The names with a dollar replaced by their values."""
        return re.sub(r"\$(\w+)", lambda found: self.values[found[1]], text)

    def compare(self, example, real, where):
        if example == ANY:
            return
        if isinstance(example, str) and example.startswith("$"):
            assert isinstance(real, str) and real == self.values.setdefault(example[1:], real), \
                f"{where}: {real!r} is not {example} = {self.values[example[1:]]!r}"
        elif isinstance(example, dict) and isinstance(real, dict):
            assert example.keys() == real.keys(), \
                f"{where}: missing {example.keys() - real.keys()}, not in the example {real.keys() - example.keys()}"
            for key in example:
                self.compare(example[key], real[key], f"{where}.{key}")
        elif isinstance(example, list) and isinstance(real, list):
            assert len(example) == len(real), f"{where}: {len(real)} elements, not {len(example)}: {real}"
            for index, pair in enumerate(zip(example, real)):
                self.compare(*pair, f"{where}[{index}]")
        else:
            assert type(example) is type(real) and example == real, f"{where}: {real!r}, not {example!r}"

    def line(self, number, text):
        """One line of the page."""
        who, what, rest = (text.split(" ", 2) + [""])[:3]
        where = f"line {number}, {who}"
        if what in ("GET", "POST", "DELETE"):
            path, _, body = rest.partition(" ")
            self.answers[who] = self.account(who).request(what, self.fill(path), json.loads(body) if body else None)
        elif what.isdigit():
            status, headers, body = self.answers.pop(who)
            assert status == int(what), f"{where}: status {status}: {body.decode()}"
            self.compare(json.loads(rest), json.loads(body), where)
        elif what == ">":
            self.socket(who).send(self.fill(rest))
        elif what == "<":
            message = self.socket(who).receive(FAR)
            assert message is not None, f"{where}: nothing came, instead of {rest}"
            try:
                self.compare(json.loads(rest), json.loads(message), where)
            except AssertionError as error:
                raise AssertionError(f"{error}\ncame:     {message}\ninstead:  {rest}") from None
        else:
            raise AssertionError(f"{where}: not understood: {text}")


def examples():
    """The code blocks as (heading, [(line number, line), …])."""
    heading, inside, block = "", False, []
    for number, line in enumerate(PAGE.read_text().splitlines(), 1):
        if line.startswith("#") and not inside:
            heading = line.strip("# ")
        elif line == "```":
            if inside:
                yield heading, block
            inside, block = not inside, []
        elif inside:
            block.append((number, line))


def claims_of(play):
    for heading, block in examples():

        def test(block=block):
            for number, line in block:
                play.line(number, line)

        test.__name__ = f"the_page_is_true_from_line_{block[0][0]}_to_{block[-1][0]}_" + \
            re.sub(r"\W+", "_", heading).lower()
        claim(test)


if __name__ == "__main__":
    # Mail and push are offered, and reach nobody.
    SERVER = Server("--absent", "60", "--site", "https://gral.example", "--smtp", "smtp://127.0.0.1:9", "--mail-from",
                    "gral@gral.example", "--push-contact", "mailto:host@gral.example", hasty=False)
    claims_of(Play(SERVER))
    run_claims(SERVER)
