"""A PostgreSQL of the tests' own: a cluster in a folder that goes away with it, reached by a socket in that folder and by
nothing else, run by somebody who is not root; if wanted with a standby that has everything before it is answered. And ways
there that can be cut and held up.

    python3 postgres.py COMMAND …

runs the command with such a database in GRAL_POSTGRES, and without it where PostgreSQL is not installed."""
import glob
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

NAME = "gral"  # of the database and of its owner


def programs():
    """The folder of initdb and postgres, of the newest version; None where there are none."""
    found = [folder for folder in glob.glob("/usr/lib/postgresql/*/bin") if os.access(f"{folder}/initdb", os.X_OK)]
    return max(found, key=lambda folder: int(folder.split("/")[4])) if found else None


def address_of(*folders, database=NAME):
    """Of several the one is used that can be written."""
    return f"postgres://{NAME}@/{database}?host={','.join(map(str, folders))}"


class Postgres:
    """What was committed is flushed to its disk, as anywhere."""

    def __init__(self, primary=None):
        """Empty; or a standby: then from now on the other one answers when both have flushed it."""
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gral-postgres-"))
        self.bin, self.process = programs(), None
        self.address = address_of(self.folder)
        if os.getuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
            self.role = [f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups"]
        else:
            self.role = []
        if primary:
            self._run("pg_basebackup", "--no-sync", "--checkpoint=fast", "--write-recovery-conf", "-D", self.data, "-h",
                      primary.folder, "-U", NAME)
            self._set(unix_socket_directories=self.folder)
        else:
            self._run("initdb", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8", "--auth=trust",
                      f"--username={NAME}", "-D", self.data)
            self._set(listen_addresses="", unix_socket_directories=self.folder, shared_buffers="64MB",
                      max_connections=100)
        self.start()
        if primary:
            primary.psql("ALTER SYSTEM SET synchronous_standby_names = '*'")
            primary.psql("SELECT pg_reload_conf()")
            primary.wait_for("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'", "1")
        else:
            self.psql(f"CREATE DATABASE {NAME}", "postgres")

    def _set(self, **settings):
        with open(self.data / "postgresql.conf", "a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())

    def promote(self):
        """The standby takes the place of a primary that is no more, and answers alone."""
        self.psql("SELECT pg_promote()", "postgres")

    def wait_for(self, question, answer):
        end = time.monotonic() + 60
        while (found := self.psql(question, "postgres")) != answer:
            assert time.monotonic() < end, f"{question}: {found}"
            time.sleep(0.02)

    @property
    def data(self):
        return self.folder / "data"

    @property
    def socket(self):
        return str(self.folder / ".s.PGSQL.5432")

    def _command(self, name, *arguments):
        return ["setpriv", "--pdeathsig=INT", *self.role, f"{self.bin}/{name}", *map(str, arguments)]

    def _run(self, name, *arguments):
        done = subprocess.run(self._command(name, *arguments), stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert done.returncode == 0, f"{name}: {done.stdout}{done.stderr}"
        return done.stdout

    def start(self):
        """After a SIGKILL it may have to be tried again: its other processes go by themselves, but not at once."""
        end = time.monotonic() + 60
        while self.process is None or self.process.poll() is not None or not self._answers():
            assert time.monotonic() < end, (self.folder / "log").read_text()
            if self.process is None or self.process.poll() is not None:
                with open(self.folder / "log", "ab") as log:
                    self.process = subprocess.Popen(self._command("postgres", "-D", self.data), stdin=subprocess.DEVNULL,
                                                    stdout=log, stderr=log)
            time.sleep(0.02)

    def _answers(self):
        return subprocess.run([f"{self.bin}/pg_isready", "-q", "-h", self.folder]).returncode == 0

    def stop(self, how=signal.SIGINT):
        """SIGINT cuts all connections off and stops; SIGKILL is a power cut."""
        self.process.send_signal(how)
        self.process.wait()

    def psql(self, words, database=NAME):
        """The rows, as text."""
        return self._run("psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", NAME, "-d", database, "-c",
                         words).strip()

    def make(self, name):
        """One more database, empty; its address."""
        self.psql(f"CREATE DATABASE {name}", "postgres")
        return address_of(self.folder, database=name)

    def leave(self):
        if self.process.poll() is None:
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.leave()


class Way:
    """A way to a database, through which every byte goes until it is cut, or held up."""

    def __init__(self, postgres):
        self.target = postgres.socket
        self.folder = tempfile.mkdtemp(prefix="gral-way-")
        self.address = address_of(self.folder)
        self.lock = threading.Lock()
        self.plan, self.count = None, {"up": 0, "down": 0}
        self.pairs = []
        self.free = threading.Event()
        self.free.set()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(f"{self.folder}/.s.PGSQL.5432")
        self.listener.listen(50)
        threading.Thread(target=self._accept, daemon=True).start()

    def arm(self, direction=None, after=0, late=None):
        """From now on count; when so many bytes have gone up or down, cut all there is. With `late`, what has come up by
        then and was not passed on arrives that many seconds later all the same. Without a direction only count."""
        with self.lock:
            self.plan, self.count = (direction, after, late) if direction else None, {"up": 0, "down": 0}

    def cut(self):
        """All connections end; new ones can be made."""
        self._cut()

    def hold(self):
        """Nothing goes either way, and nobody is told, until it is `let_go`."""
        self.free.clear()

    def let_go(self):
        self.free.set()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(self.target)
            except OSError:
                client.close()
                continue
            pair = (client, server)
            with self.lock:
                self.pairs.append(pair)
            threading.Thread(target=self._pass, args=(pair, client, server, "up"), daemon=True).start()
            threading.Thread(target=self._pass, args=(pair, server, client, "down"), daemon=True).start()

    def _pass(self, pair, source, target, direction):
        try:
            while data := source.recv(65536):
                self.free.wait()
                with self.lock:
                    plan, before = self.plan, self.count[direction]
                    self.count[direction] += len(data)
                    cut = plan and plan[0] == direction and before + len(data) >= plan[1]
                    if cut:
                        self.plan = None
                if cut:
                    keep = max(0, plan[1] - before)
                    target.sendall(data[:keep])
                    self._cut(late=(target, data[keep:], plan[2]) if plan[2] is not None else None)
                    return
                target.sendall(data)
        except OSError:
            pass
        self._close(pair)

    def _close(self, pair, but=None):
        for end in pair:
            if end is not but:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
                end.close()

    def _cut(self, late=None):
        with self.lock:
            pairs, self.pairs = self.pairs, []
        for pair in pairs:
            self._close(pair, but=late and late[0])
        if late:
            threading.Thread(target=self._deliver, args=late, daemon=True).start()

    @staticmethod
    def _deliver(end, data, seconds):
        time.sleep(seconds)
        try:
            end.sendall(data)
            while end.recv(65536):
                pass
        except OSError:
            pass
        end.close()

    def close(self):
        self.listener.close()
        self.let_go()
        self._cut()
        shutil.rmtree(self.folder, ignore_errors=True)


if __name__ == "__main__":
    if programs() is None:
        os.execvp(sys.argv[1], sys.argv[1:])
    with Postgres() as postgres:
        status = subprocess.run(sys.argv[1:], env={**os.environ, "GRAL_POSTGRES": postgres.address}).returncode
    sys.exit(status)
