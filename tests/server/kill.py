#!/usr/bin/env python3
"""Plays hundreds of games against a server that is killed at random moments and started again at once (evening.py).

    tests/server/kill.py --kills 50
"""
import argparse
import random
import sys
import threading
import time

from evening import Evening, Group
from harness import GRAL, Server, claim, run_claims

SHAPES = [(2, 0), (2, 0), (2, 0), (2, 0), (3, 0), (3, 0), (4, 0), (1, 1), (2, 1), (5, 0)]
EVENING = KILLS = CHANCE = None


@claim
def games_go_on_however_often_the_server_is_killed():
    EVENING.begin()
    for kill in range(1, KILLS + 1):
        time.sleep(CHANCE.uniform(0.0, 0.7))
        EVENING.server.kill()
        EVENING.server.start()
        EVENING.report(f"killed {kill} of {KILLS} times")
        if EVENING.failed():
            break
    EVENING.end()
    assert len(EVENING.games()) >= KILLS, f"only {len(EVENING.games())} games in {KILLS} kills"
    print(f"# {len(EVENING.games())} games, killed {KILLS} times")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=f"Kills {GRAL} serve again and again while people play.")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    KILLS, CHANCE = options.kills, random.Random(options.seed)
    over, server = threading.Event(), Server()
    EVENING = Evening(server, [Group(over, server, number, *shape) for number, shape in enumerate(SHAPES)])
    EVENING.claim_what_must_be_true_afterwards()
    del sys.argv[1:]
    run_claims(server)
