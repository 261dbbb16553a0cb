"""How fast many games are from Python; beside it `gral bench env`, which has no Python in it.

    bench.py [--json]

Steps a second, the best of many short runs, since other work on the machine can only make a run slower. Drawing the
actions is not counted, as there. Needs GRAL and the module _gral in PYTHONPATH."""
import json
import os
import subprocess
import sys
import time

import numpy as np

from gral import VectorEnv

GAMES, RUNS = 4096, 100


def speed(players, threads):
    env, random, best = VectorEnv(GAMES, players, turns=(40, 40), threads=threads), np.random.default_rng(1), 0
    for _ in range(RUNS):
        actions = env.sample(random)
        begin = time.perf_counter()
        env.step(actions)
        best = max(best, GAMES / (time.perf_counter() - begin))
    env.close()
    return best


def main():
    bare = json.loads(subprocess.run([os.environ.get("GRAL", "gral"), "bench", "env", "--json"], capture_output=True,
                                     check=True).stdout)["players"]
    cores = os.cpu_count()
    rows = {players: (bare[str(players)]["observed_per_second"], speed(players, 1), speed(players, cores))
            for players in (2, 4, 8, 12)}
    if "--json" in sys.argv:
        print(json.dumps({players: dict(zip(("c", "one_thread", "all_cores"), row)) for players, row in rows.items()}))
        return
    print(f"{GAMES} games side by side; millions of observed steps a second\n")
    print(f"players   in C, 1,024 games   Python, one thread   Python, {cores} threads")
    for players, row in rows.items():
        print(f"{players:7}   {row[0] / 1e6:17.2f}   {row[1] / 1e6:18.2f}   {row[2] / 1e6:17.2f}")


if __name__ == "__main__":
    main()
