#!/usr/bin/env python3
"""A connection to the database is lost while a group is being written: whoever wrote is told what has become of it, and
that is what has become of it."""
import os
import signal
import subprocess
import threading
import time

from harness import Skipped, claim, eventually, run_claims, same
from postgres import Postgres, Way, programs

WRITER = os.environ["GRAL_WRITER"]


class Writer:
    def __init__(self, address):
        self.process = subprocess.Popen([WRITER, address], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.sent = []

    def send(self):
        self.sent.append(f"group {len(self.sent):04}")
        print(self.sent[-1], file=self.process.stdin, flush=True)

    def hear(self):
        return self.process.stdout.readline().strip()

    def write(self):
        self.send()
        return self.hear()

    def close(self):
        self.process.stdin.close()
        same(self.process.wait(60), 0, "the status of the writer")


def expect_each_once(postgres, texts):
    """In the audit nothing but their number keeps two alike apart: a group written twice would be there twice."""
    same(postgres.psql("SELECT convert_from(text, 'UTF8') FROM gral.audit ORDER BY id").splitlines(), texts, "the audit")
    for game in "ab":
        same(postgres.psql("SELECT convert_from(text, 'UTF8') FROM gral.log JOIN gral.game ON game = id"
                           f" WHERE name = '{game}' AND number > 0 ORDER BY number").splitlines(), texts, game)


class OnTheWay:
    """A new database, a way to it, somebody who writes, and what is there in the end."""

    def __enter__(self):
        if POSTGRES is None:
            raise Skipped("PostgreSQL is not installed")
        POSTGRES.psql("DROP SCHEMA IF EXISTS gral CASCADE")
        self.way = Way(POSTGRES)
        self.writer = Writer(self.way.address)
        same(self.writer.write(), "DDD")
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            same(self.writer.write(), "DDD")  # by a connection that is there to say goodbye
            self.writer.close()
            expect_each_once(POSTGRES, self.writer.sent)
            same(POSTGRES.psql("SELECT count(*) FROM gral.writer"), "0", "the writers that are left")
        else:
            self.writer.process.kill()
        self.way.close()

    def lengths(self):
        """How many bytes a group is, up and down."""
        self.way.arm()
        same(self.writer.write(), "DDD")
        return self.way.count["up"], self.way.count["down"]


def places(length):
    """All near the ends, where messages begin and end; every ninth within a long one."""
    return sorted({*range(min(40, length)), *range(0, length, 9), *range(max(0, length - 20), length + 1)})


@claim
def wherever_the_way_is_cut_the_group_is_there_once():
    with OnTheWay() as here:
        up, down = here.lengths()
        for direction, length in ("up", up), ("down", down):
            for after in places(length):
                here.way.arm(direction, after)
                same(here.writer.write(), "DDD", f"the answer, cut after {after} of {length} bytes {direction}")


@claim
def words_that_arrive_late_by_the_old_way_do_nothing():
    with OnTheWay() as here:
        up, _ = here.lengths()
        for after in range(0, up, 25):
            here.way.arm("up", after, late=0.05)
            same(here.writer.write(), "DDD", f"the answer, with the rest after {after} of {up} bytes late")
        time.sleep(0.2)


@claim
def a_new_connection_waits_for_the_old_one_to_be_done():
    """The old one has written and is held up before its end: what becomes of it decides."""
    with OnTheWay() as here:
        up, _ = here.lengths()
        POSTGRES.psql("CREATE FUNCTION gral.slow() RETURNS trigger LANGUAGE plpgsql AS"
                      " 'BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END';"
                      "CREATE CONSTRAINT TRIGGER slow AFTER UPDATE ON gral.writer DEFERRABLE INITIALLY DEFERRED"
                      " FOR EACH ROW WHEN (NEW.number > OLD.number) EXECUTE FUNCTION gral.slow()")
        here.way.arm("up", up)
        same(here.writer.write(), "DDD")


@claim
def while_the_database_is_away_everybody_waits_and_then_goes_on():
    with OnTheWay() as here:
        for how in signal.SIGINT, signal.SIGKILL:
            POSTGRES.stop(how)
            here.writer.send()
            time.sleep(0.2)
            POSTGRES.start()
            same(here.writer.hear(), "DDD")


@claim
def a_database_that_dies_while_groups_are_written_loses_none_of_those_answered():
    with OnTheWay() as here:
        answers, enough = [], threading.Event()

        def write_on():
            while not enough.is_set():
                answers.append(here.writer.write())
        writing = threading.Thread(target=write_on)
        writing.start()
        for _ in range(3):
            before = len(answers)
            eventually(lambda: len(answers) > before + 20, "groups are written")
            POSTGRES.stop(signal.SIGKILL)
            POSTGRES.start()
        enough.set()
        writing.join()
        same(set(answers), {"DDD"}, "the answers")


@claim
def of_several_addresses_the_one_is_used_that_can_be_written():
    with OnTheWay() as here:
        address = f"postgres://gral@/gral?host=/no/such/folder,{here.way.folder}"
        here.writer.close()
        same(POSTGRES.psql("SELECT count(*) FROM gral.audit"), "1")
        POSTGRES.psql("DROP SCHEMA gral CASCADE")
        here.writer = Writer(address)
        same(here.writer.write(), "DDD")


POSTGRES = Postgres() if programs() else None
try:
    run_claims()
finally:
    if POSTGRES:
        POSTGRES.leave()
