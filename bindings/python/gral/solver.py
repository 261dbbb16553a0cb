"""Equilibria of shrunken games, by the program gral-learn, which is built with gral and not installed."""
import dataclasses
import os
import re
import subprocess


@dataclasses.dataclass(frozen=True)
class Solution:
    value: float  # to the first seat: a win is 1, a loss -1
    distance: float  # from an equilibrium: what best answers gain
    words: str  # all that was said: openings, how often whom


def solve(settings, *options, program=None):
    """Solves 'players=2 board=3x1 pawns=T1,A1 units=1 grail=b1 limit=4'; `gral-learn solve --help` has the options."""
    program = program or os.environ.get("GRAL_LEARN", "gral-learn")
    try:
        done = subprocess.run([program, "solve", "--quiet", *options, settings], capture_output=True, text=True)
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{program} is not there: it is built beside gral (build/gral-learn); put it in PATH, "
                                "or name it with program= or GRAL_LEARN") from error
    if done.returncode != 0:
        raise ValueError(done.stderr.strip())
    found = re.search(r"value ([-+.\d]+) .* distance ([.\d]+)", done.stdout)
    return Solution(float(found[1]), float(found[2]), done.stdout)
