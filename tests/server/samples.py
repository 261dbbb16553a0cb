"""The files of docs/hosting as tests use them: with other ports, paths and addresses, and nothing else changed."""
import contextlib
import json
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import tempfile

from harness import FAR, ROOT, Skipped, online_player, same
from online_player import Account

HOSTING = ROOT / "docs" / "hosting"


class Folder:
    """Somewhere for files that go away."""

    def __init__(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="gral-hosting-")
        self.path = pathlib.Path(self.temporary.name)

    def write(self, name, text):
        (self.path / name).write_text(text, encoding="utf-8")
        return str(self.path / name)


def sample(name, *changes):
    """Each change is what is there and what it becomes; it must be there."""
    text = (HOSTING / name).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, f"{old!r} is not in {name}"
        text = text.replace(old, new)
    return text


def certify(name, folder):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                    "9", "-subj", f"/CN={name}", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                    "-keyout", folder / "key.pem", "-out", folder / "chain.pem"], check=True, capture_output=True)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def is_listening(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


def has_certificate(port, authority):
    try:
        with socket.create_connection(("127.0.0.1", port)) as plain, \
                ssl.create_default_context(cafile=authority).wrap_socket(plain, server_hostname="localhost"):
            return True
    except OSError:
        return False


def play_through(url, authority, name="Ann"):
    """Somebody comes through a proxy, says his name, and is at a table."""
    host = url.split("/")[2]
    os.environ["SSL_CERT_FILE"] = str(authority)  # whom we trust
    person = Account(url)
    status, headers, _ = person.request("POST", "/api/guest", {"name": name}, {"Origin": f"https://{host}"})
    same(status, 200, "the status of saying a name")
    assert "; Secure" in headers["Set-Cookie"], "the server does not know that it is TLS"
    person.cookie = headers["Set-Cookie"].split(";")[0]
    web_socket = online_player.WebSocket(url, headers={**person.headers(), "Origin": f"https://{host}"})
    same(json.loads(web_socket.receive(FAR))["name"], name)
    web_socket.send('{"id":"a","do":"create","players":2}')
    same(json.loads(web_socket.receive(FAR))["ok"], True)
    web_socket.close()


def needed(program):
    path = shutil.which(program) or shutil.which(program, path="/usr/sbin")
    if path is None:
        raise Skipped(f"{program} is not installed: tools/setup test installs it")
    return path


@contextlib.contextmanager
def running(*command, **more):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **more)
    said = ""
    try:
        yield process
    except Exception:
        process.terminate()
        said = process.communicate(timeout=FAR)[1]
        print("".join(f"# {line}\n" for line in said.splitlines()[-20:]), end="")
        raise
    finally:
        if process.poll() is None:
            process.terminate()
            said = process.communicate(timeout=FAR)[1]
    assert "emerg" not in said and "[ALERT]" not in said, said


def nginx(folder, site):
    """The command that runs it with this site alone."""
    temporary = "".join(f"{kind}_temp_path {folder.path}/{kind};" for kind in
                        ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    path = folder.write("nginx.conf", f"daemon off; pid {folder.path}/pid; error_log stderr;"
                        f"events {{}} http {{ access_log off; {temporary}\n{site}\n}}")
    user = ["-g", "user root;"] if os.getuid() == 0 else []
    return [needed("nginx"), "-p", str(folder.path), "-e", "stderr", "-c", path, *user]
