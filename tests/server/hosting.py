"""Settings from a file, read again while the server runs; and the sample files of docs/hosting, as they are used."""
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess

from harness import FAR, GRAL, ROOT, Person, Server, Skipped, claim, eventually, gather, run_claims, same
from online_player import Account
from samples import (HOSTING, Folder, certify, free_port, has_certificate, is_listening, needed, nginx, play_through, running,
                     sample)

FOLDER = Folder()


def tried(text, *options):
    """What the program says to a file that it cannot take."""
    path = FOLDER.write("tried.conf", text)
    run = subprocess.run([GRAL, "serve", "--config", path, *options], capture_output=True, text=True, timeout=FAR)
    return run.returncode, run.stderr.replace(path, "FILE")


def reload(server, event):
    """Sends SIGHUP and waits for a line of the log."""
    lines = len(server.errors)
    server.process.send_signal(signal.SIGHUP)
    eventually(lambda: any(f"event={event}" in line for line in server.errors[lines:]), event)
    return "".join(server.errors[lines:])


# --- the file ---------------------------------------------------------------------------------------------------------


@claim
def a_file_has_the_names_of_the_options_and_says_where_it_is_wrong():
    for line, why in [
            ("prot = 1", "unknown setting 'prot'"), ("port = 70000", "must be 0 to 65535"), ("port", "must be 0 to 65535"),
            ("log = loud", "must be error|warning|info|debug"), ("behind-proxy = maybe", "must be yes|no"),
            ("--port = 1", "unknown setting '--port'"), ("rate 1 2", "must be 0 to 1000000")]:
        status, said = tried(f"# a comment\n\n  rate = 7 # and another\n{line}\nlog = info\n")
        same(status, 2, f"the status for {line!r}")
        assert f"FILE:4: {why}" in said, f"{line!r}: {said}"
    said = subprocess.run([GRAL, "serve", "--config", "/no/such/file"], capture_output=True, text=True)
    same(said.returncode, 2)
    assert "/no/such/file: No such file or directory" in said.stderr, said.stderr


@claim
def what_is_given_as_an_option_counts_more_than_the_file():
    path = FOLDER.write("gral.conf", "tables-per-user=1\nport = 1\naddress = 192.0.2.1\nbehind-proxy\nlog warning\n")
    with Server("--config", path, "--tables-per-user", "2", hasty=False) as server:
        person = Person(server, "Ann")
        for _ in range(2):
            person.create(players=2)
        same(person.refused("create", players=2), "many")
        assert "event=listening" not in server.log(), "the level of the log is not from the file"


@claim
def with_a_signal_the_file_counts_anew_and_nobody_is_disturbed():
    path = FOLDER.write("gral.conf", "tables-per-user = 1\nrate = 0\n")
    with Server("--config", path, hasty=False) as server:
        person = Person(server, "Ann")
        person.create(players=2)
        same(person.refused("create", players=2), "many")
        FOLDER.write("gral.conf", "tables-per-user = 2\nrate = 0\nthinkers = 3\n")
        said = reload(server, "reloaded")
        assert "needs-restart=thinkers" in said, said
        person.create(players=2)
        same(person.refused("create", players=2), "many")
        FOLDER.write("gral.conf", "tables-per-user = 5\n\nrate = many\n")
        said = reload(server, "reload-failed")
        assert "gral.conf:3: must be 0 to 1000000" in said, said
        same(person.refused("create", players=2), "many")
        FOLDER.write("gral.conf", "")
        reload(server, "reloaded")
        person.create(players=2)


# --- certificates -----------------------------------------------------------------------------------------------------


def shown_certificate(port):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", port), FAR) as plain, context.wrap_socket(plain) as secure:
        return secure.getpeercert(True)


@claim
def a_new_certificate_is_shown_after_the_signal_and_a_broken_one_is_not():
    certify("first", FOLDER.path)
    with Server("--certificate", str(FOLDER.path / "chain.pem"), "--key", str(FOLDER.path / "key.pem")) as server:
        first = shown_certificate(server.port)
        certify("second", FOLDER.path)
        same(shown_certificate(server.port), first, "the certificate before the signal")
        reload(server, "reloaded")
        second = shown_certificate(server.port)
        assert second != first, "still the old certificate"
        FOLDER.write("key.pem", "no key")
        assert "is not the key of" in reload(server, "reload-failed")
        same(shown_certificate(server.port), second, "the certificate after the broken one")


# --- the samples ------------------------------------------------------------------------------------------------------


@claim
def the_sample_settings_are_settings():
    path = FOLDER.write("sample.conf", sample("gral.conf", ("/var/lib/gral/", f"{FOLDER.path}/")))
    with Server("--config", path):
        pass
    every = "\n".join(line.lstrip("#") if re.match(r"#[a-z-]+ =", line) else "" for line in
                      sample("gral.conf").splitlines())
    status, said = tried(every)
    assert "unknown setting" not in said and "must be" not in said, said
    assert status != 0, "it serves with a certificate that is not there"


@claim
def the_sample_for_nginx_works():
    certify("nginx", FOLDER.path)
    port = free_port()
    with Server("--behind-proxy") as server:
        site = sample("nginx.conf", ("listen 80;", f"listen 127.0.0.1:{free_port()};"), ("    listen [::]:80;\n", ""),
                      ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"), ("    listen [::]:443 ssl;\n", ""),
                      ("/etc/letsencrypt/live/gral.example/fullchain.pem", str(FOLDER.path / "chain.pem")),
                      ("/etc/letsencrypt/live/gral.example/privkey.pem", str(FOLDER.path / "key.pem")),
                      ("127.0.0.1:8080", f"127.0.0.1:{server.port}"))
        with running(*nginx(FOLDER, site)):
            eventually(lambda: is_listening(port), "nginx listens")
            play_through(f"https://127.0.0.1:{port}/", FOLDER.path / "chain.pem")


@claim
def the_sample_for_caddy_works():
    caddy = needed("caddy")
    port = free_port()
    with Server("--behind-proxy") as server:
        site = sample("Caddyfile", ("gral.example {", f"https://localhost:{port} {{\n\ttls internal"),
                      ("127.0.0.1:8080", f"127.0.0.1:{server.port}"))
        path = FOLDER.write("Caddyfile", "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n" + site)
        home = {**os.environ, "XDG_DATA_HOME": str(FOLDER.path), "XDG_CONFIG_HOME": str(FOLDER.path)}
        with running(caddy, "run", "--config", path, "--adapter", "caddyfile", env=home):
            root = FOLDER.path / "caddy/pki/authorities/local/root.crt"
            eventually(lambda: root.exists() and has_certificate(port, root), "Caddy has made its certificate")
            play_through(f"https://localhost:{port}/", root)


@claim
def the_sample_container_has_the_libraries_of_the_program():
    system = pathlib.Path("/etc/os-release").read_text(encoding="utf-8")
    text = sample("Containerfile")
    if 'VERSION_ID="12"' not in system or "debian" not in system:
        raise Skipped("the sample is for Debian 12")
    linked = subprocess.run(["ldd", GRAL], capture_output=True, text=True, check=True).stdout
    files = [str(pathlib.Path(path).resolve()) for path in re.findall(r"=> (/\S+)", linked)]
    owners = subprocess.run(["dpkg", "-S", *files], capture_output=True, text=True).stdout
    packages = {line.split(":")[0] for line in owners.splitlines()}
    direct = subprocess.run(["readelf", "-d", GRAL], capture_output=True, text=True, check=True).stdout
    needed_files = re.findall(r"NEEDED.*\[(.*)\]", direct)
    for name in needed_files:
        package = next((line.split(":")[0] for line in owners.splitlines() if re.search(rf"/{re.escape(name)}", line)), None)
        if package in (None, "libc6", "libgcc-s1", "libtinfo6") or package.startswith(("libasan", "libubsan")):
            continue
        assert re.search(rf"\b{re.escape(package)}\b", text), f"{package} is missing in the container ({name})"
    assert packages


@claim
def failed_logins_have_their_address_if_that_is_wanted_and_fail2ban_finds_it():
    pattern = re.search(r"^failregex = (.*)$", sample("fail2ban.conf"), re.M)[1].replace("<HOST>", r"(?P<host>\S+)")
    for options, found in (((), []), (("--log-addresses",), ["203.0.113.7", "2001:db8::7"])):
        with Server("--behind-proxy", *options) as server:
            for address in ("203.0.113.7", "2001:db8::7"):
                body = {"name": "Nobody Here", "password": "a wild guess"}
                status = Account(server.url).request("POST", "/api/login", body, {"X-Forwarded-For": address})[0]
                same(status, 403)
            eventually(lambda: "login-failed" in server.log(), "a line in the log")
            server.stop()
            same([line["host"] for line in re.finditer(pattern, server.log(), re.M)], found)
            assert options or "203.0.113" not in server.log(), "an address is in the log"
            assert "Nobody" not in server.log() and "guess" not in server.log(), "more than the address is in the log"
            server.start()


@claim
def the_figures_are_as_prometheus_wants_them_and_the_dashboard_asks_for_those_there_are():
    with Server() as server:
        table, people = gather(server, 2)
        people[0].request("talk", table=table, text="hello")
        lines = server.get("/metrics")[2].decode().splitlines()
        kinds = {}
        for line in lines:
            name = re.split(r"[ {]", line.removeprefix("# HELP ").removeprefix("# TYPE "))[0]
            if line.startswith("# HELP "):
                assert len(line.split(" ", 3)[3]) > 5, line
                kinds[name] = None
            elif line.startswith("# TYPE "):
                assert name in kinds, f"{name} has no help"
                kinds[name] = line.split()[-1]
            else:
                bare = re.sub(r"_(bucket|sum|count)$", "", name)
                assert kinds.get(name) or kinds.get(bare) == "histogram", f"{line} has no type"
                float(line.rsplit(" ", 1)[1])
        version = subprocess.run([GRAL, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
        assert f'gral_info{{version="{version}"}} 1' in lines
        for name in ("answer_seconds", "commit_seconds"):
            counts = [int(line.split()[-1]) for line in lines if line.startswith(f"gral_{name}_bucket")]
            assert counts == sorted(counts) and counts[-1] > 0, f"{name}: {counts}"
            assert f"gral_{name}_count {counts[-1]}" in lines
        asked = set(re.findall(r"gral_\w+", " ".join(target["expr"] for panel in json.loads(
            (HOSTING / "grafana.json").read_text())["panels"] for target in panel["targets"])))
        there = {re.split(r"[ {]", line)[0] for line in lines if not line.startswith("#")}
        same(asked - there, set(), "what the dashboard asks for in vain")


@claim
def the_unit_is_one_that_systemd_understands_and_reloads_by_the_signal():
    analyze = needed("systemd-analyze")
    unit = (ROOT / "src/server/gral.service").read_text(encoding="utf-8").replace("@bindir@/gral", GRAL)
    assert "ExecReload=kill -HUP $MAINPID" in unit
    path = FOLDER.write("gral.service", unit)
    said = subprocess.run([analyze, "verify", "--man=no", path], capture_output=True, text=True)
    assert "gral.service:" not in said.stderr, said.stderr


@claim
def the_unit_keeps_its_data_in_its_own_folder_unless_the_file_names_another_place():
    unit = (ROOT / "src/server/gral.service").read_text(encoding="utf-8").replace("%S", str(FOLDER.path))
    words = re.search(r"^ExecStart=@bindir@/gral (.*)$", unit, re.MULTILINE)[1]
    environment = os.environ | dict(re.findall(r"^Environment=(\w+)=(.*)$", unit, re.MULTILINE))
    path = FOLDER.write("elsewhere.conf", f"database = {FOLDER.path}/elsewhere.db\n")
    for options, database in (("", "gral/gral.db"), (f"--config {path}", "elsewhere.db")):
        command = [GRAL, *words.replace("$GRAL_OPTIONS", options).split(), "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment) as server:
            try:
                assert server.stdout.readline(), "it does not serve"
                assert (FOLDER.path / database).exists(), f"{command} does not make {database}"
            finally:
                server.terminate()


if __name__ == "__main__":
    run_claims()
