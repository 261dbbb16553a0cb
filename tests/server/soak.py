"""The soak of tools/soak, half a minute of it. No figure is judged here, for the machine may be busy: the server lives
and answers, nobody loses anything, and nothing stays open."""
import argparse
import sys

from harness import claim, run_claims
from soak_run import Soak, plan_of

SOAK = None


def faults(*beginnings):
    """Those that begin so."""
    return [fault for fault in SOAK.faults if fault.startswith(beginnings)]


@claim
def honest_people_finish_their_games_under_attack_and_lose_nothing():
    assert SOAK.honest.report["counts"].get("checked", 0) > 0, "no game was finished"
    assert not faults("honest", "the honest"), faults("honest", "the honest")


@claim
def nobody_is_harmed_by_what_others_do():
    assert not faults("harmed"), faults("harmed")


@claim
def the_server_answers_all_the_time_and_holds_nothing_of_those_who_left():
    rest = [fault for fault in SOAK.faults if fault not in faults("honest", "the honest", "harmed")]
    assert not rest, rest


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--direct", action="store_true", help="without --behind-proxy")
    parser.add_argument("--without", default="", metavar="ATTACKS", help="all but these, with commas")
    options = parser.parse_args()
    plan = plan_of(options.seconds, calm=3, lull=4, kills=1, people=10, workers=6, seed=options.seed,
                   proxied=not options.direct, without=options.without, strict=False)
    SOAK = Soak(plan, tell=lambda line: print(f"# {line}", flush=True))
    SOAK.run()
    del sys.argv[1:]
    run_claims()
