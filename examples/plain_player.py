#!/usr/bin/env python3
"""A complete outside player in Python, with nothing but the standard library. Try it:

    gral match exec:./plain_player.py random

gral sends lines; this program answers `new` and `go` with one line each and flushes. Everything it needs to decide is
in the lines between `view` and `end` (what its seat may know) and between `legal` and `end` (what it may do); it keeps
no history, so it ignores the `event` lines.

How it plays: it backs one initiate, the one it holds most influence on, and leads him to the grail and home. It makes
others who carry the grail leave it behind. It objects when somebody else leads its favourite away from the grail or
moves him at all once he has it, and when another one comes home with it. It assigns more when somebody has shown as
much on its favourite as it has.
"""
import random
import sys

PAWNS = ["T1", "T2", "A1", "A2", "I1", "I2", "R1", "R2"]
HOME = {"T": "a1", "A": "e1", "I": "e5", "R": "a5"}


def pairs(words):
    """["T1=12", "T2=?"] as {"T1": "12", "T2": "?"}."""
    return dict(word.split("=") for word in words)


def distance(one, other):
    return abs(ord(one[0]) - ord(other[0])) + abs(ord(one[1]) - ord(other[1]))


class View:
    """What the lines of a view say, as far as this player looks at it."""

    def __init__(self, lines, seat):
        self.shown = dict.fromkeys(PAWNS, 0)
        for line in lines:
            key, *words = line.split()
            if key == "phase":
                self.phase = words[0]
            elif key == "pawns":
                self.field = {pawn: field for pawn, field in pairs(words).items() if field != "-"}
            elif key == "grail":
                self.grail = words[0]
            elif key == "proposal":
                self.proposal = words
            elif key == "influence" and words[0] == seat:
                self.mine = {pawn: int(points) for pawn, points in pairs(words[1:]).items()}
            elif key == "units" and words[0] == seat:
                self.units = sum(int(count) for count in pairs(words[1:]).values())
            elif key == "floor" and words[0] != seat:
                for pawn, points in pairs(words[1:]).items():
                    self.shown[pawn] = max(self.shown[pawn], int(points))
        self.favourite = max(self.field, key=self.mine.get)

    def has_grail(self, pawn):
        """Whether he carries it, or can take it along when he sets off."""
        return self.grail in (pawn, self.field[pawn])

    def goal(self, pawn):
        """Where we want him; None when there is nothing for him to do."""
        if self.has_grail(pawn):
            return HOME[pawn[0]]
        return None if self.grail in PAWNS else self.grail

    def cost_of_step(self, pawn, to):
        """How good it is for us that he goes there: small is good."""
        if pawn == self.favourite:
            return distance(to, self.goal(pawn)) if self.goal(pawn) else 50
        if pawn == self.grail:
            return 20 - distance(to, HOME[pawn[0]])  # away from home, and we make him leave the grail
        return 100


class Player:
    def __init__(self, settings):
        self.seat = settings["seat"]
        chance = random.Random(int(settings["seed"]))
        self.first, self.second = chance.sample(PAWNS, 2)

    def decide(self, view, legal):
        return getattr(self, view.phase)(view, legal)

    @staticmethod
    def place_on(pawn, legal):
        """The largest unit that may be placed on him, or "done"."""
        units = [int(line.split()[1]) for line in legal if line.startswith("place") and line.endswith(pawn)]
        return f"place {max(units)} {pawn}" if units else "done"

    @staticmethod
    def least_of(verb, legal, otherwise):
        """The least of "object 3..17" as "object 3", or the other word if there is no such line."""
        for line in legal:
            if line.startswith(verb + " "):
                return line.split("..")[0]
        return otherwise

    def opening(self, view, legal):
        """Most on one initiate, something on a second, and the rest stays for later."""
        if view.mine[self.first] < 40:
            return self.place_on(self.first, legal)
        if view.mine[self.second] < 20:
            return self.place_on(self.second, legal)
        return "done"

    def placing(self, view, legal):
        pawn = view.favourite
        return self.place_on(pawn, legal) if view.mine[pawn] <= view.shown[pawn] + 5 else "done"

    def turn(self, view, legal):
        pawn = view.favourite
        if view.units and view.shown[pawn] >= view.mine[pawn] and "assign" in legal:
            return "assign"
        steps = [line for line in legal if line.startswith("step") and " x " not in line]
        return min(steps, key=lambda step: view.cost_of_step(*step.split()[1:]), default=legal[0])

    def objection(self, view, legal):
        if view.proposal[0] != "step":
            return "pass"
        pawn, to = view.proposal[1:3]
        bad = view.has_grail(pawn)
        if pawn != view.favourite:
            bad = bad and to == HOME[pawn[0]]
        elif view.grail not in PAWNS:
            bad = bad or distance(to, view.grail) > distance(view.field[pawn], view.grail)
        return self.least_of("object", legal, "pass") if bad else "pass"

    def answer(self, view, legal):
        return self.least_of("claim", legal, "yield")

    def grail(self, view, legal):
        return "keep" if view.proposal[1] == view.favourite else "leave"


def read_block():
    """The lines up to `end`."""
    return list(iter(lambda: next(sys.stdin).rstrip("\n"), "end"))


def main():
    player, view, legal = None, None, None
    for line in sys.stdin:
        command, *words = line.split()
        if command == "new":
            player = Player(pairs(words))
            print("ready", flush=True)
        elif command == "view":
            view = View(read_block(), player.seat)
        elif command == "legal":
            legal = read_block()
        elif command == "go":
            print(player.decide(view, legal), flush=True)
        elif command == "quit":
            break


if __name__ == "__main__":
    main()
