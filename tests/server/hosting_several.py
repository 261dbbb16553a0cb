"""Several servers, the balancers before them and the database behind them, set up with the files of docs/hosting."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import postgres
from harness import FAR, GRAL, ROOT, Person, Server, Skipped, claim, eventually, registered, run_claims, same
from online_player import Account
from samples import (HOSTING, Folder, certify, free_port, is_listening, needed, nginx, play_through, running, sample)

FOLDER = Folder()
INTERNAL = ("10.0.0.11:8080", "10.0.0.12:8080", "10.0.0.13:8080")


class Served(Server):
    """One of several on a database."""

    def __init__(self, database, *options):
        self.address = database
        super().__init__("--behind-proxy", "--log-addresses", *options)

    def command(self):
        return [*super().command(), "--database", self.address]


def three_on(database):
    return [Served(database) for _ in INTERNAL]


def addresses(servers):
    """What the samples call them, and where they are."""
    return [(address, f"127.0.0.1:{server.port}") for address, server in zip(INTERNAL, servers)]


def needs_postgres():
    if postgres.programs() is None:
        raise Skipped("PostgreSQL is not installed: tools/setup test installs it")


def spreads(servers, port):
    """People come through the balancer: to every server, by their own address, and past one that is gone."""
    authority, url = FOLDER.path / "chain.pem", f"https://127.0.0.1:{port}/"
    for number in range(2 * len(servers)):
        play_through(url, authority, f"Ann {number}")
    for server in servers:
        assert server.figures()["gral_connections_accepted_total"] > 1, "nobody was sent to this one"
    status = Account(url).request("POST", "/api/login", {"name": "Nobody", "password": "a guess at it"},
                                  {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Host": "evil.example"})[0]
    same(status, 403)
    eventually(lambda: any("login-failed address=127.0.0.1" in server.log() for server in servers), "his own address in a log")
    assert not any("203.0.113.7" in server.log() for server in servers), "an address that somebody made up is believed"
    servers[0].kill()
    for number in range(2 * len(servers)):
        play_through(url, authority, f"Bob {number}")


@claim
def the_sample_for_haproxy_spreads_people_over_three_servers_and_leaves_out_one_that_is_gone():
    needs_postgres()
    program = needed("haproxy")
    certify("haproxy", FOLDER.path)
    FOLDER.write("gral.pem", (FOLDER.path / "chain.pem").read_text() + (FOLDER.path / "key.pem").read_text())
    port = free_port()
    with postgres.Postgres() as database:
        servers = three_on(database.address)
        try:
            path = FOLDER.write("haproxy.cfg", sample(
                "haproxy.cfg", ("maxconn 20000", "maxconn 500"), ("bind :80\n", f"bind 127.0.0.1:{free_port()}\n"), ("bind :443", f"bind 127.0.0.1:{port}"),
                ("/etc/haproxy/gral.pem", str(FOLDER.path / "gral.pem")),
                *addresses(servers)))
            with running(program, "-db", "-f", path):
                eventually(lambda: is_listening(port), "HAProxy listens")
                spreads(servers, port)
        finally:
            for server in servers:
                server.leave()


@claim
def the_sample_for_nginx_does_so_too():
    needs_postgres()
    certify("nginx", FOLDER.path)
    port = free_port()
    with postgres.Postgres() as database:
        servers = three_on(database.address)
        try:
            site = sample("nginx-several.conf", ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
                          ("    listen [::]:80;\n", ""), ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
                          ("    listen [::]:443 ssl;\n", ""),
                          ("/etc/letsencrypt/live/gral.example/fullchain.pem", str(FOLDER.path / "chain.pem")),
                          ("/etc/letsencrypt/live/gral.example/privkey.pem", str(FOLDER.path / "key.pem")),
                          *addresses(servers))
            with running(*nginx(FOLDER, site)):
                eventually(lambda: is_listening(port), "nginx listens")
                spreads(servers, port)
        finally:
            for server in servers:
                server.leave()


@claim
def a_server_waits_for_as_long_as_another_needs_to_bring_the_database_up_to_date():
    needs_postgres()
    with postgres.Postgres() as database:
        held = subprocess.Popen([f"{database.bin}/psql", "-XqAt", "-h", database.folder, "-U", postgres.NAME, "-d", postgres.NAME,
                                 "-c", "SELECT pg_advisory_lock(1735549292), 'held'", "-c", "SELECT pg_sleep(12)"],
                                stdout=subprocess.PIPE, text=True)  # longer than any other silence of a database is borne
        eventually(lambda: database.psql("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted") == "1",
                   "somebody has the lock")
        server = Served(database.address)
        server.stop()
        server.leave()
        same(held.wait(), 0)


@claim
def figures_go_to_prometheus_and_to_nobody_else():
    with Server("--behind-proxy") as server:
        for who, status in (("127.0.0.1", 200), ("10.0.0.31", 403)):
            port = free_port()
            site = sample("metrics.conf", ("listen 8090;", f"listen 127.0.0.1:{port};"),
                          ("127.0.0.1:8080", f"127.0.0.1:{server.port}"), ("allow 10.0.0.31;", f"allow {who};"))
            with running(*nginx(FOLDER, site)):
                eventually(lambda: is_listening(port), "nginx listens")
                same(Account(f"http://127.0.0.1:{port}/").request("GET", "/metrics")[0], status)
                if status == 200:
                    same(Account(f"http://127.0.0.1:{port}/").request("GET", "/healthz")[0], 404)


@claim
def prometheus_asks_where_figures_are_and_alerts_by_those_there_are():
    try:
        import yaml
    except ImportError:
        raise Skipped("python3-yaml is not installed: tools/setup test installs it") from None
    scraped = yaml.safe_load(sample("prometheus.yml"))
    ports = {target.split(":")[1] for target in scraped["scrape_configs"][0]["static_configs"][0]["targets"]}
    same(ports, {re.search(r"listen (\d+);", sample("metrics.conf"))[1]}, "where Prometheus asks")
    same(scraped["rule_files"], ["alerts.yml"])
    rules = [rule for group in yaml.safe_load(sample("alerts.yml"))["groups"] for rule in group["rules"]]
    for rule in rules:
        assert {"alert", "expr", "labels", "annotations"} <= set(rule), rule
        assert rule["labels"]["severity"] in ("page", "warning") and rule["annotations"]["summary"], rule
    with Server() as server:
        there = {re.split(r"[ {]", name)[0] for name in server.figures()}
    asked = {name for rule in rules for name in re.findall(r"gral_\w+", rule["expr"])}
    same(asked - there, set(), "what alerts ask for in vain")
    if shutil.which("promtool"):
        for what in (["rules", HOSTING / "alerts.yml"], ["config", HOSTING / "prometheus.yml"]):
            done = subprocess.run(["promtool", "check", *what], capture_output=True, text=True)
            same(done.returncode, 0, done.stdout + done.stderr)


@claim
def the_unit_with_what_differs_for_several_is_one_that_systemd_understands():
    analyze = needed("systemd-analyze")
    unit = (ROOT / "src/server/gral.service").read_text(encoding="utf-8").replace("@bindir@/gral", GRAL)
    path = FOLDER.write("gral.service", unit)
    (FOLDER.path / "gral.service.d").mkdir()
    FOLDER.write("gral.service.d/several.conf", sample("gral-several.service.conf", ("ExecStart=gral", f"ExecStart={GRAL}")))
    said = subprocess.run([analyze, "verify", "--man=no", path], capture_output=True, text=True)
    assert "gral.service" not in said.stderr and "several.conf" not in said.stderr, said.stderr


# --- a primary, its standby and their backups -------------------------------------------------------------------------


class Node(postgres.Postgres):
    """A host of the database: its settings are those of the samples, outside of its data as in Debian."""

    def __init__(self, name, where):
        self.name, self.where = name, where
        self.folder = where / name
        self.folder.mkdir()
        self.bin, self.process, self.port = postgres.programs(), None, free_port()
        self.role = []
        if os.getuid() == 0:
            self.role = ["--reuid=65534", "--regid=65534", "--clear-groups"]
        self.settings = self.folder / "postgresql.conf"
        self.settings.write_text(sample("postgresql.conf", ("'*'", "'127.0.0.1'"), ("/backup/", f"{where}/backup/"),
                                        ("/etc/postgresql/gral-", f"{where}/"))
                                 + f"port = {self.port}\nunix_socket_directories = '{self.folder}'\nfsync = off\n")
        # Whoever runs this is not called postgres.
        (self.folder / "pg_hba.conf").write_text(sample("pg_hba.conf", ("10.0.0.0/24", "127.0.0.1/32"), ("peer", "trust")))
        self.environment = {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}", "PGHOST": str(self.folder),
                            "PGPORT": str(self.port), "PGUSER": "postgres", "HOME": str(where), "PGPASSFILE": str(where / "pgpass"),
                            "TZ": "UTC"}
        self.own()

    def own(self):
        if os.getuid() == 0:
            subprocess.run(["chown", "-R", "65534:65534", self.where], check=True)

    def first(self):
        self._run("initdb", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8", "--auth=trust", "--username=postgres", "-D",
                  self.data)

    def _command(self, name, *arguments):
        if name == "postgres":
            arguments += ("-c", f"config_file={self.settings}", "-c", f"hba_file={self.folder}/pg_hba.conf")
        return ["env", f"HOME={self.where}", *super()._command(name, *arguments)]

    def _answers(self):
        return subprocess.run([f"{self.bin}/pg_isready", "-q", "-h", self.folder, "-p", str(self.port)]).returncode == 0

    def script(self, name, *arguments, changes=()):
        """A script of docs/hosting, run as whoever runs the database."""
        (self.folder / name).write_text(sample(name, *changes))
        self.own()
        done = subprocess.run(["setpriv", *self.role, "sh", str(self.folder / name), *arguments], capture_output=True,
                              text=True, env=self.environment, timeout=FAR, cwd=self.folder)
        assert done.returncode == 0, f"{name}: {done.stdout}{done.stderr}"

    def ask(self, words, database="postgres"):
        done = subprocess.run([f"{self.bin}/psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", database, "-c", words],
                              capture_output=True, text=True, env=self.environment, timeout=FAR)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def games(self):
        return set(self.ask("SELECT name FROM gral.game", "gral").split())

    def alone(self):
        """It is not waited for a standby any more, in the words of the sample."""
        words = re.search(r"ALTER SYSTEM SET synchronous_standby_names = '';", sample("postgresql.conf"))[0]
        self.ask(words)
        self.ask("SELECT pg_reload_conf()")


@claim
def with_the_samples_nothing_is_lost_with_the_primary_and_any_moment_can_be_returned_to():
    needs_postgres()
    where = FOLDER.path / "databases"
    (where / "backup" / "wal").mkdir(parents=True)
    os.chmod(FOLDER.path, 0o755)
    certify("database", where)
    os.chmod(where / "key.pem", 0o600)
    (where / "pgpass").write_text("*:*:*:gral:change this\n*:*:*:replicator:and this\n")
    os.chmod(where / "pgpass", 0o600)
    primary, standby = Node("db1", where), Node("db2", where)
    try:
        try_databases(where, primary, standby)
    except Exception:
        for node in (primary, standby):
            print("".join(f"# {node.name}: {line}\n" for line in (node.folder / "log").read_text().splitlines()[-20:]), end="")
        raise
    finally:
        for node in (primary, standby):
            if node.process and node.process.poll() is None:
                node.stop(signal.SIGQUIT)


def try_databases(where, primary, standby):
    primary.first()
    primary.start()
    subprocess.run([f"{primary.bin}/psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-d", "postgres", "-f", HOSTING / "database.sql"],
                   check=True, env=primary.environment, timeout=FAR)
    data = ("/var/lib/postgresql/15/main", str(standby.data))
    standby.script("standby.sh", "db2", "127.0.0.1", changes=(
        data, ("port=5432", f"port={primary.port}"), ("/etc/gral-db-ca.pem", str(where / "chain.pem"))))
    standby.start()
    eventually(lambda: primary.ask("SELECT application_name || ' ' || sync_state FROM pg_stat_replication") == "db2 quorum",
               "the standby is waited for")

    settings = FOLDER.write("several.conf", sample(
        "several.conf", ("db1.internal,db2.internal", f"127.0.0.1:{primary.port},127.0.0.1:{standby.port}"),
        ("/etc/gral-db-ca.pem", str(where / "chain.pem")), ("port = 8080", "port = 0"), ("address = *", "address = 127.0.0.1")))
    address = re.search("^database = (.*)$", pathlib.Path(settings).read_text(), re.M)[1]
    own = FOLDER.write("pgpass", "*:*:*:gral:change this\n")
    os.chmod(own, 0o600)
    os.environ["PGPASSFILE"] = own
    server = Served(address, "--config", settings)
    try:
        ann = registered(server)
        first = ann.create(players=2)
        backup = (("backup=/backup", f"backup={where}/backup"),)
        primary.script("backup.sh", changes=backup)
        second = ann.create(players=2)
        moment = primary.ask("SELECT clock_timestamp()")
        third = ann.create(players=2)
        before = primary.ask("SELECT pg_walfile_name(pg_switch_wal())")
        eventually(lambda: (where / "backup" / "wal" / before).exists(), "the log is archived")

        primary.stop(signal.SIGKILL)
        standby.ask("SELECT pg_promote()")
        standby.alone()
        ann.persists = True
        eventually(lambda: server.get("/healthz")[0] == 200, "the server has found the new primary")
        fourth = ann.create(players=2)
        same(standby.games(), {first, second, third, fourth}, "the games on the new primary")
        server.stop()

        time.sleep(1)  # what is kept of before has the second in its name
        primary.script("restore.sh", moment, changes=(*backup, (data[0], str(primary.data))))
        primary.start()
        eventually(lambda: primary.ask("SELECT pg_is_in_recovery()") == "f", "it has gone back")
        same(primary.games(), {first, second}, "the games of that moment")
        primary.alone()
        standby.stop()
        server.start()
        Person(server, ann.name, ann.account).watch(second)
        server.stop()
    finally:
        server.leave()


if __name__ == "__main__":
    run_claims()
