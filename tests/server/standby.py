#!/usr/bin/env python3
"""A database with a standby that has everything before anybody is answered. The primary dies, the standby is promoted, and the
server goes on with it: whatever was answered is there."""
import atexit
import signal
import sys
import threading
import time

from evening import Evening, Group
from harness import Server, claim, eventually, run_claims
from postgres import Postgres, address_of, programs

if programs() is None:
    print("1..0 # SKIP PostgreSQL is not installed")
    sys.exit()
PRIMARY = Postgres()
atexit.register(PRIMARY.leave)
STANDBY = Postgres(PRIMARY)
atexit.register(STANDBY.leave)
OVER = threading.Event()
SERVER = Server(database=address_of(PRIMARY.folder, STANDBY.folder))
EVENING = Evening(SERVER, [Group(OVER, SERVER, number, *shape) for number, shape in enumerate([(2, 0), (2, 1), (3, 0), (4, 0)])])


def more_games(count):
    before = len(EVENING.games())
    eventually(lambda: EVENING.failed() or len(EVENING.games()) >= before + count, f"{count} more games", 240)


@claim
def games_go_on_with_the_standby_when_the_primary_has_died():
    EVENING.begin()
    more_games(15)
    PRIMARY.stop(signal.SIGKILL)
    time.sleep(0.5)  # whoever decides it takes a moment
    STANDBY.promote()
    more_games(15)
    EVENING.end()


EVENING.claim_what_must_be_true_afterwards()
run_claims(SERVER)
