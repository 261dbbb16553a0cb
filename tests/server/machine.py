"""A server on a machine whose clock, disk and speed of thinking are ours (shim.c)."""
import os
import pathlib
import struct
import tempfile

from harness import Server


class Machine:
    def __init__(self, folder):
        self.path = pathlib.Path(folder) / "machine"
        self.later_ms = 0
        self.set()

    def let_pass(self, seconds):
        """So much later it is for the server from now on; it has noticed within a second."""
        self.later_ms += seconds * 1000
        self.set(later_ms=self.later_ms)

    def set(self, ahead_ms=0, sync_us=0, thought_us=0, later_ms=0):
        mode = "r+b" if self.path.exists() else "wb"
        with open(self.path, mode) as file:  # in place: the server has it mapped
            file.write(struct.pack("<qqqq", ahead_ms, sync_us, thought_us, later_ms))

    def environment(self):
        asan = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        return {"LD_PRELOAD": os.environ["GRAL_SHIM"], "GRAL_SHIM_FILE": str(self.path), "ASAN_OPTIONS": asan}


def machine_server(*options, **set_to):
    folder = tempfile.TemporaryDirectory(prefix="gral-machine-")
    machine = Machine(folder.name)
    machine.set(**set_to)
    server = Server(*options, environment=machine.environment())
    server.machine_folder = folder
    return machine, server
