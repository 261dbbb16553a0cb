"""A soak: one real server, honest people in one process, their enemies in another, and this one, which looks at the
server every five seconds, kills it now and then, and says at the end what was seen.

The honest play alone first, so that there is something to compare with; then attacks and lulls take turns. In a lull
all hostile connections are closed, so whatever the server still holds it has leaked. The kills come early: the rest of
the time is one life of the server, whose memory can be judged."""
import collections
import json
import os
import pathlib
import subprocess
import sys
import threading
import time

import soak_report
from harness import Server, online_player

HERE = pathlib.Path(__file__).resolve().parent
SAMPLE = 5  # seconds
HUNG = 15  # seconds without an answer to "how are you"
LULL_SPARE = 25  # open files that honest people who are just connecting may make up in a lull
CLOSE_WAIT = "08"

Plan = collections.namedtuple("Plan", "seconds calm rounds lull kills people workers proxied seed only without strict")


def plan_of(seconds, **others):
    """What becomes of so much time."""
    usual = {"calm": min(60, seconds / 8), "rounds": max(2, round(seconds / 300)) if seconds > 120 else 1,
             "lull": min(20, seconds / 5), "kills": 0, "people": 40, "workers": 6, "proxied": True, "seed": 1,
             "only": "", "without": "", "strict": True}
    return Plan(seconds, **{**usual, **others})


def phases_of(plan):
    """[(when it begins, its name)]"""
    phases = [(0, "calm")]
    length = (plan.seconds - plan.calm) / plan.rounds
    for number in range(plan.rounds):
        begin = plan.calm + number * length
        phases += [(begin, "attack"), (begin + length - plan.lull, "lull")]
    return phases


def kills_of(plan):
    """In the first third, under attack."""
    first, last = plan.calm + 2, plan.calm + plan.seconds / 3
    return [first + (number + 0.5) * (last - first) / plan.kills for number in range(plan.kills)]


class Part:
    """One of the two other processes: takes words, tells how it goes."""

    def __init__(self, script, *options):
        self.process = subprocess.Popen([sys.executable, "-B", str(HERE / script), *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.progress, self.report = {}, None
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            self.report = message.get("report", self.report)
            self.progress = message

    def say(self, word):
        try:
            self.process.stdin.write(word + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # seen at the end: it has no report

    def end(self, seconds):
        """Whether it has come to its end by itself, with a report."""
        self.say("evening")
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join()
        return self.report is not None


class Looks:
    """What can be seen of the server from outside."""

    def __init__(self, server):
        self.server, self.begin, self.life = server, time.monotonic(), 0
        self.before = None

    def _close_wait(self):
        port = f"{self.server.port:04X}"
        rows = (line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:])
        return sum(row[3] == CLOSE_WAIT and row[1].endswith(port) for row in rows)

    def _processor(self, now):
        """Percent of one core since the last look."""
        fields = pathlib.Path(f"/proc/{self.server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        before, self.before = self.before, (self.life, now, seconds)
        if before is None or before[0] != self.life:
            return None
        return 100 * (seconds - before[2]) / (now - before[1])

    def _size(self, suffix):
        path = pathlib.Path(str(self.server.database) + suffix)
        return path.stat().st_size / (1 << 20) if path.exists() else 0

    def fds(self):
        return len(os.listdir(f"/proc/{self.server.process.pid}/fd"))

    def now(self):
        now = time.monotonic()
        status = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text()
        rss = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        return {"at": now - self.begin, "life": self.life, "rss": rss / 1024, "fds": self.fds(),
                "close_wait": self._close_wait(), "processor": self._processor(now), "database": self._size(""),
                "wal": self._size("-wal")}


def ask_health(server):
    """/metrics as {name: figure}, {} if they are not for us. Raises OSError if the server does not answer."""
    connection = online_player.http.client.HTTPConnection("127.0.0.1", server.port, timeout=HUNG)
    try:
        connection.request("GET", "/metrics")
        answer = connection.getresponse()
        text = answer.read().decode()
    except online_player.http.client.HTTPException as error:
        raise ConnectionResetError(str(error)) from None
    finally:
        connection.close()
    lines = [line for line in text.splitlines() if line and not line.startswith("#")] if answer.status == 200 else []
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


class Soak:
    def __init__(self, plan, folder=None, tell=print, command="tools/soak"):
        self.plan, self.tell, self.command = plan, tell, command
        self.server = Server(*(["--behind-proxy"] if plan.proxied else []), hasty=False, folder=folder)
        self.looks, self.day = Looks(self.server), time.strftime("%Y-%m-%d")
        self.samples, self.faults, self.judged = [], [], {}
        self.phase, self.entered = "calm", self.looks.begin
        ask_health(self.server)
        self.fds_at_start = self.looks.fds()
        common = ["--port", str(self.server.port), "--seed", str(plan.seed), *(["--proxied"] if plan.proxied else [])]
        self.honest = Part("soak_honest.py", *common, "--people", str(plan.people))
        self.hostile = Part("soak_hostile.py", *common, "--workers", str(plan.workers), "--only", plan.only,
                            "--without", plan.without)

    # The course of it.

    def say(self, word):
        for part in (self.honest, self.hostile):
            part.say(word)

    def enter(self, phase):
        self.phase, self.entered = phase, time.monotonic()
        self.say(phase)

    def revive(self, why):
        """A kill, and a new life with the same database."""
        self.say(why)
        time.sleep(0.5)  # for that to be heard, on a busy machine too
        self.end_server(self.server.kill)
        self.server.start()
        self.looks.life += 1
        time.sleep(2)  # for connections to be opened again
        self.say(self.phase)

    def end_server(self, end):
        """What it complains of is noted once."""
        try:
            end()
        except AssertionError as error:
            self.faults.append(f"the server did not end well: {str(error)[-4000:]}")
            self.server.errors.clear()

    def sample(self):
        """One look. A server that does not answer has hung, or died: that is noted, and it gets another life, for there
        may be more to find."""
        asked = time.monotonic()
        try:
            figures = ask_health(self.server)
            self.samples.append({**self.looks.now(), **figures, "phase": self.phase})
        except OSError:
            self.faults.append(f"{asked - self.looks.begin:.0f} s: the server {self.state()}; begun before: "
                               + ", ".join(sorted({name for at, name in self.hostile.progress.get("lately", [])
                                                   if asked - SAMPLE - 1 < at <= asked})))
            self.tell(self.faults[-1])
            self.revive("hung")

    def state(self):
        """Of a server that does not answer: whether it waits or spins."""
        if not self.server.alive():
            return "died"
        self.looks.now()
        time.sleep(1)
        return f"hung, using {self.looks.now()['processor'] or 0:.0f} % of a processor"

    def end_of_lull(self):
        """Whatever is open now belongs to honest people, or was leaked. They have a connection each, and one for a
        request."""
        time.sleep(max(0, self.entered + self.plan.lull - 1 - time.monotonic()))  # it may have begun late
        if not self.plan.strict or not self.server.alive():
            return
        held = self.looks.fds() - self.fds_at_start - self.plan.people
        if held > LULL_SPARE:
            self.faults.append(f"{time.monotonic() - self.looks.begin:.0f} s: {held} open files that belong to nobody")

    def progress(self):
        last = self.samples[-1] if self.samples else collections.defaultdict(float)
        recent, counts = self.honest.progress.get("recent"), self.honest.progress.get("counts", {})
        times = "p50 {p50:.1f} p99 {p99:.1f} max {max:.0f} ms".format(**recent) if recent else "no answers"
        self.tell(f"{time.monotonic() - self.looks.begin:5.0f} s {self.phase:6} {times}; "
                  f"{counts.get('games', 0)} games, {self.hostile.progress.get('bursts', 0)} bursts, "
                  f"{self.honest.progress.get('troubles', 0)} troubles; {last['rss']:.1f} MiB, "
                  f"{last['fds']:.0f} files, {last['close_wait']:.0f} in CLOSE-WAIT, "
                  f"processor {last['processor'] or 0:.0f} %")

    def calendar(self):
        """[(when, what)] in order."""
        plan = self.plan
        entries = [(at, lambda phase=phase: self.enter(phase)) for at, phase in phases_of(plan)]
        entries += [(at + plan.lull - 1, self.end_of_lull) for at, phase in phases_of(plan) if phase == "lull"]
        entries += [(at, lambda: self.revive("killing")) for at in kills_of(plan)]
        entries += [(at, self.sample) for at in range(1, int(plan.seconds), SAMPLE)]
        entries += [(at, self.progress) for at in range(10, int(plan.seconds), 10)]
        return sorted(entries, key=lambda entry: entry[0])

    def run(self):
        for at, what in self.calendar():
            late = time.monotonic() - self.looks.begin - at
            time.sleep(max(0, -late))
            if late < SAMPLE or what not in (self.sample, self.progress):
                what()
        self.finish()

    # The end of it.

    def finish(self):
        if not self.hostile.end(20):
            self.faults.append("the hostile part of the soak broke down")
        if not self.honest.end(120):
            self.faults.append("the honest could not finish their games")
        self.honest.report = self.honest.report or {"kinds": {}, "minutes": {}, "troubles": {}, "counts": {}}
        self.hostile.report = self.hostile.report or {"bursts": {}, "tally": {}}
        if self.server.alive():
            self.wait_for_fds()
        self.end_server(self.server.stop)
        self.add_up()

    def wait_for_fds(self):
        """When everybody has gone, nothing is left of them."""
        end = time.monotonic() + 45
        while self.looks.fds() > self.fds_at_start + 3 and time.monotonic() < end:
            time.sleep(0.2)
        if self.looks.fds() > self.fds_at_start + 3:
            self.faults.append(f"open files at the end: {self.looks.fds()}, at the start: {self.fds_at_start}; "
                               f"in CLOSE-WAIT: {self.looks.now()['close_wait']}")

    def add_up(self):
        self.faults += [f"honest, {count} times: {text}" for text, count in self.honest.report["troubles"].items()]
        self.faults += [f"harmed, {count} times: {text[5:]}" for text, count in self.hostile.report["tally"].items()
                        if text.startswith("HARM ")]
        if self.plan.strict and self.samples:
            self.judged = soak_report.judge(self.samples)
            self.faults += [f"{figure} is not flat: grew by {grown:.1f} ({allowed:.1f} allowed)"
                            for figure, (grown, allowed) in self.judged.items() if grown > allowed]

    def report(self):
        return soak_report.whole(self)
