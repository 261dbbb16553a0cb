"""What the service manager and the hardened program promise each other."""
import os
import re
import select
import socket
import subprocess
import tempfile
import time

from harness import FAR, GRAL, ROOT, Server, Skipped, claim, run_claims, same


def readelf(*options):
    return subprocess.run(["readelf", "-W", *options, GRAL], capture_output=True, text=True, check=True).stdout


def is_sanitized():
    return "asan" in readelf("-d") or "__asan" in readelf("-s")


# --- the finished program ---------------------------------------------------------------------------------------------


@claim
def the_program_is_loaded_anywhere_and_its_tables_cannot_be_written():
    assert "Type:                              DYN" in readelf("-h"), "not position independent"
    if is_sanitized():
        raise Skipped("the sanitizers look for more")
    segments = readelf("-l")
    assert "GNU_RELRO" in segments, "its tables stay writable"
    assert re.search(r"GNU_STACK.* RW ", segments), "its stack can be executed"
    assert "NOW" in readelf("-d"), "its tables are filled in while it runs"


@claim
def the_program_checks_its_stack_and_its_buffers():
    if is_sanitized():
        raise Skipped("the sanitizers look for more")
    symbols = readelf("-s", "--dyn-syms")
    assert "__stack_chk_fail" in symbols, "no stack protector"
    assert re.search(r"__(mem|str|snprintf|vsnprintf|read|recv)\w*_chk", symbols), "no fortified functions"


# --- the person who starts it -----------------------------------------------------------------------------------------


class Desktop:
    """Hears which page is to be opened."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        opened, opener = (os.path.join(self.folder.name, name) for name in ("opened", "xdg-open"))
        os.mkfifo(opened)
        self.opened = os.open(opened, os.O_RDWR)
        with open(opener, "w", encoding="utf-8") as script:
            script.write(f'#!/bin/sh\necho "$1" >{opened}\n')
        os.chmod(opener, 0o755)

    def start(self, option="--open", **screens):
        environment = {"PATH": f"{self.folder.name}:{os.environ['PATH']}", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
        return Server(option, environment=environment | screens)

    def hears(self, patience):
        return os.read(self.opened, 4096).decode() if select.select([self.opened], [], [], patience)[0] else None


@claim
def a_page_is_opened_where_there_is_a_screen_and_only_there():
    desktop = Desktop()
    for screen in ({"DISPLAY": ":0"}, {"WAYLAND_DISPLAY": "wayland-0"}):
        with desktop.start(**screen) as server:
            same(desktop.hears(FAR), server.url + "\n", str(screen))
    with desktop.start("--room", DISPLAY=":0") as server:
        same(desktop.hears(FAR), server.url + "#/room\n", "for a room")
    with desktop.start():
        same(desktop.hears(0.2), None, "without a screen")


# --- the service manager ----------------------------------------------------------------------------------------------


class Manager:
    """Listens as systemd does."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.socket.settimeout(FAR)

    def hears(self):
        return self.socket.recv(4096).decode()


@claim
def the_manager_hears_when_it_is_ready_and_that_its_loop_turns():
    manager, begin = Manager(), time.monotonic()
    with Server(environment={"NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "400000"}) as server:
        heard = [manager.hears() for _ in range(9)]
        same(heard.count("READY=1"), 1, "how often it was ready")
        same(set(heard), {"READY=1", "WATCHDOG=1"}, "what was heard")
        # Eight beats, and 0.2 s between two of them; some may have waited for us.
        assert time.monotonic() - begin > 1, "it does not keep its time"
        assert server.alive()
    last = manager.hears()
    while last == "WATCHDOG=1":
        last = manager.hears()
    same(last, "STOPPING=1")


@claim
def a_heartbeat_for_another_process_is_not_ours():
    manager = Manager()
    with Server(environment={"NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "100000", "WATCHDOG_PID": "1"}):
        same(manager.hears(), "READY=1")
        manager.socket.settimeout(0.5)
        try:
            assert False, f"it beats for another: {manager.hears()}"
        except TimeoutError:
            pass


@claim
def the_unit_asks_for_the_heartbeat():
    unit = (ROOT / "src/server/gral.service").read_text()
    assert "Type=notify" in unit and "WatchdogSec=" in unit


run_claims()
