#!/usr/bin/env python3
"""The smallest player that plays by the rules, to begin with. Try it:

    gral match exec:./tutorial_bot.py random

docs/tutorial.md goes through it step by step; plain_player.py is a whole player of this kind.
"""
import sys


def block():
    """The lines up to `end`."""
    return list(iter(lambda: next(sys.stdin).rstrip("\n"), "end"))


def distance(one, other):
    return abs(ord(one[0]) - ord(other[0])) + abs(ord(one[1]) - ord(other[1]))


def decide(view, legal):
    """Backs one initiate, T1: all influence goes to him, and he walks to the grail and home with it."""
    fields = dict(pair.split("=") for pair in view["pawns"].split())  # {"T1": "a1", …}; "-" for one who is uncovered
    grail = fields.get(view["grail"], view["grail"])  # where it is, whether somebody carries it or not
    goal = "a1" if grail == fields["T1"] else grail
    steps = [action for action in legal if action.startswith("step T1 ") and " x " not in action]
    if steps:
        return min(steps, key=lambda step: distance(step.split()[2], goal))
    for wish in ["place 10 T1", "place 5 T1", "claim ", "keep", "done", "pass", "leave"]:
        for action in legal:
            if action.startswith(wish):
                return action.split("..")[0]  # "claim 3..17": the least of it
    return legal[0].split("..")[0]


for line in sys.stdin:
    word = line.split()[0]
    if word == "new":
        print("ready", flush=True)
    elif word == "view":
        view = dict(line.split(" ", 1) for line in block() if " " in line)
    elif word == "legal":
        legal = block()
    elif word == "go":
        print(decide(view, legal), flush=True)
    elif word == "quit":
        break
