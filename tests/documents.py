#!/usr/bin/env python3
"""Every command that a document shows is run, in a folder that has what the documents speak of. Figures that only say how
much of something (games, samples) are made small; what cannot run here is in CANNOT, with the reason.

    documents.py SOURCE [PATTERN]    with a pattern: only commands that it matches
"""
import contextlib
import fnmatch
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "server"))
import harness  # noqa: E402
import postgres  # noqa: E402
from harness import claim, online_player, run_claims, same  # noqa: E402

SOURCE = pathlib.Path(sys.argv[1])
ONLY = sys.argv[2] if len(sys.argv) > 2 else ""
del sys.argv[1:]
GRAL, LEARN, LIBRARY = (os.environ[name] for name in ("GRAL", "GRAL_LEARN", "GRAL_LIBRARY"))
MODULE = os.environ.get("GRAL_PYTHON")  # where the module for Python is, if it is built
PAGES = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "bench/RESULTS.md",
         *sorted(str(page.relative_to(SOURCE)) for page in [*SOURCE.glob("docs/*.md"), *SOURCE.glob("docs/hosting/*")])]
COMMAND = re.compile(r"(\w+=\S+ )*\(?(gral|gral-learn|build/(test/)?gral|make|meson|ninja|(/usr/bin/)?python3|cc|cd|echo|export|git|npm"
                     r"|npx|pg_dump|pg_restore|podman|snap|(sudo -u postgres )?sh|standby\.sh|restore\.sh|sudo|systemctl|taskset|valgrind"
                     r"|\./\w+|tools/[\w-]+) ")

# What is no command, and what cannot run in a sandbox: a part of the command, and the reason.
CANNOT = {
    "gral seal 1": "begins what is sealed",
    "gral record 1": "begins what is signed",
    "gral key 1": "begins what signs a key",
    "gral keys 1": "begins a list of keys",
    "gral match --json": "a part of a command; bots_page.py tries it",
    "gral match --seed 21 …": "a part of a command",
    "gral verify --key FILE": "a part of a command, which is whole further down",
    "gral bench ": "measures for minutes; bench_page.py has each of them measure for a moment",
    "gral-learn solve --exploit PLAYER": "a part of a command, which solver.md has whole",
    "meson setup build": "builds all of gral, as tools/test does with the same words",
    "meson compile": "the same",
    "meson test": "the same; this is one of its tests",
    "meson install": "installed.py does",
    "ninja -C build/test": "tools/test builds it",
    "meson configure": "make play does",
    "tools/check-translations --update": "changes the source; tools/test runs it without",
    "tools/dist --twice": "builds the client twice",
    "tools/setup": "installs packages",
    "tools/scale": "fills a database for most of an hour",
    "tools/soak": "lasts an hour; server_soak is the same for seconds",
    "npm ": "tools/setup and tools/test do",
    "npx ": "tools/test does",
    "sudo ": "nobody is root here; admin.py does it as the server's own user",
    "standby.sh": "hosting_several.py does",
    "restore.sh": "the same",
    "podman ": "tools/try-container does the same, with what there is",
    "snap ": "nobody is root here, and Debian has no snap",
    "git shortlog": "there may be no repository around the source",
    "pg_restore": "needs an empty database of that name; hosting_several.py restores",
    "pg_dump": "the same",
    "valgrind": "says how something was measured once",
    "build/test/gral bench": "the same",
    "taskset": "the same",
    "systemctl ": "there is no systemd here; service.py sends the signal",
    "gral-learn train": "takes hours; test_learn.c trains",
    "gral-learn begin": "continues a training; test_learn.c does",
    "gral-learn export": "needs a training; test_learn.c does",
}
# What else is in blocks, and what holds it to the truth.
OTHERS = {
    "bench/RESULTS.md": "figures, each with its command and date",
    "docs/bots.md": "a game, by bots_page.py",
    "docs/fair.md": "a record and programs that check it, by test_fair.c and signing.py",
    "docs/hosting.md": "a line for cron: hosting_several.py runs the script",
    "docs/map.md": "modules, by what each is linked with",
    "docs/research.md": "Python, by bindings.py; whom to cite, below",
    "docs/scale.md": "figures of tools/scale",
    "docs/server.md": "a line of a file, by hosting.py",
}
FENCES = {"README.md": "below", "docs/protocol.md": "protocol_page.py"}
# Names that stand for something, and how much of something is done.
SMALLER = [
    (r"--games \d+|--games N\b", "--games 2"), (r"--limit \d+", "--limit 3"), (r"--samples \d+", "--samples 2"),
    (r"--cap \d+", "--cap 5"), (r"\bplayers=N\b", "players=2"), (r"\bgames=N\b", "games=1"), (r"--players N\b", "--players 2"),
    (r"\bOTHER\b", "random"), (r"\bSCRIPT\b", "waiter"), (r"\bPLAYER\b", "rules"), (r"\bTABLE\b", "$TABLE"), (r"\bTOURNAMENT\b", "$TOURNAMENT"), (r"\bWORD\b", "word"),
    (r"\bFILE\b", "game.gral"), (r"tools/levels \d+", "tools/levels 1"), (r"(/learning_curve\.py)$", r"\1 --minutes 0.01 --turns 2 4"),
    (r" …", ""), (r"/etc/gral\.conf", "gral.conf"), (r"/etc/gral-mail-password", "password"), (r"/var/lib/gral/gral\.db", "$DATABASE"),
]


def fences(text):
    """What stands between ``` and ```, with the word after the first of them."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)


def shown(text):
    """The indented blocks, as (how far their first line is indented, their lines)."""
    text = re.sub(r"\\\n +", "", text)
    indented = r"^( {4,})\S.*\n(?:\1.*\n|\n(?=\1))*"
    for block in re.finditer(rf"(?<=\n\n){indented}", text, re.MULTILINE):
        yield len(block[1]), block[0].splitlines()


def commands_of(page):
    """The commands of indented blocks, whole lines, and those in backquotes; of a file to copy, those in its comments."""
    text = (SOURCE / page).read_text() + "\n"
    if "hosting/" in page:
        yield from (line for line in re.findall(r"^# {3}(\S.*)", text, re.MULTILINE) if COMMAND.match(line + " "))
        text = "\n".join(line for line in text.split("\n") if line.startswith("# "))
    text, found = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE), set()
    for indented, lines in shown(text):
        for line in lines:
            found.add(line)
            if COMMAND.match(line[indented:] + " "):
                yield re.sub(r" {2,}.*", "", line[indented:])  # what follows after blanks explains it
    rest = "\n".join(line for line in text.split("\n") if line not in found)
    for words in re.findall(r"`([^`]+)`", rest):
        words = " ".join(words.split())
        if COMMAND.match(words):
            yield words


def commands():
    for page in PAGES:
        for command in commands_of(page):
            yield page, command


class Sandbox:
    """A folder that looks like the source with gral built in it, and a home of its own."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="gral-documents-")
        self.path = pathlib.Path(self.folder.name)
        for name in ["examples", "tools", "bindings", "web", "docs", "include", "Makefile", "meson.build", "po"]:
            (self.path / name).symlink_to(SOURCE / name)
        for folder, name, to in [("build", "gral", GRAL), ("bin", "gral", GRAL), ("bin", "gral-learn", LEARN)]:
            (self.path / folder).mkdir(exist_ok=True)
            (self.path / folder / name).symlink_to(to)
        if MODULE:
            (self.path / "build/bindings").mkdir()
            (self.path / "build/bindings/python").symlink_to(pathlib.Path(MODULE).parent)
        records = SOURCE / "tests/data/records"
        for name, record in [("game.gral", "example.gral"), ("final.gral", "signed.gral"), ("saved.gral", "signed_saved.gral"),
                             ("keys", "signed_keys")]:
            (self.path / name).write_bytes((records / record).read_bytes())
        (self.path / "gral.conf").write_text("port = 0\n")
        (self.path / "password").write_text("a password\n")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=gral.example", "-days", "2",
                        "-keyout", "key.pem", "-out", "chain.pem"], cwd=self.path, check=True, capture_output=True)
        library = pathlib.Path(LIBRARY).parent
        (self.path / "build/libgral.a").symlink_to(library / "libgral.a")
        (self.path / "gral.pc").write_text(f"Name: gral\nDescription: as installed\nVersion: 0\n"
                                           f"Cflags: -I{SOURCE}/include\nLibs: -L{library} -lgral\n")
        self.environment = {
            **os.environ, "HOME": str(self.path), "XDG_DATA_HOME": str(self.path / "data"), "TERM": "dumb", "LC_ALL": "C",
            "PATH": f"{self.path / 'bin'}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1",
            "PKG_CONFIG_PATH": str(self.path), "LD_LIBRARY_PATH": str(library)}

    def run(self, command):
        """What it exports is there for those after it."""
        kept = self.path / "exported"
        if command.startswith("export "):
            command += f" && env -0 >{kept}"
        done = subprocess.run(command, shell=True, cwd=self.path, env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=240)
        assert done.returncode == 0, f"{command}: {done.returncode} {done.stdout[-500:]}{done.stderr[-1000:]}"
        if command.startswith("export "):
            self.environment = dict(each.split("=", 1) for each in kept.read_text().split("\0") if each)

    def serve(self, command):
        """A server runs until it is ended: it must come up and end well."""
        process = subprocess.Popen(f"exec {command} --port 0", shell=True, cwd=self.path, env=self.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=harness.FAR)
        assert "http" in line and process.returncode == 0, f"{command}: {line} {process.returncode} {errors}"

    def with_databases(self, command):
        """Runs it beside a PostgreSQL with an empty database, and a file that a server has left."""
        self.environment["DATABASE"] = str(self.path / "gral.db")
        self.serve("gral serve --database $DATABASE")
        with postgres.Postgres() as database:
            self.environment["POSTGRES"] = database.address
            run(command.replace(ELSEWHERE, "$POSTGRES"))


SANDBOX = Sandbox()
ELSEWHERE = "postgres://gral@db.example/gral"
OPERATORS = ("gral admin ", "gral backup ")
DONE = set()


def dry(command):
    """make would build for minutes: whether it knows what to do."""
    subprocess.run(["make", "--dry-run", *command.split()[1:2]], cwd=SOURCE, check=True, capture_output=True)


def smaller(command):
    for pattern, words in SMALLER:
        command = re.sub(pattern, words, command)
    return command


def run(command):
    words = smaller(command).split()
    if words[0] == "make":
        dry(command)
    elif "examples/learning_curve.py" in words and not MODULE:
        pass  # this gral was built without Python
    elif ELSEWHERE in words:
        if postgres.programs():
            SANDBOX.with_databases(command)
    elif words[0] in ("gral", "build/gral") and words[1] == "serve" and "--help" not in words:
        SANDBOX.serve(" ".join(words))
    elif len(words) == 2 and words[0] == "gral" and not words[1].startswith("-"):
        SANDBOX.run(f"gral help {words[1]}")  # only its name
    elif len(words) == 2 and words[0] == "gral-learn":
        SANDBOX.run(f"gral-learn {words[1]} --help")
    elif command.startswith(OPERATORS):
        pass  # below: it talks to a server
    else:
        SANDBOX.run(" ".join(words))


def excused(command):
    return [part for part in CANNOT if part in command + " "]


def claim_page(page):
    found = [command for of, command in commands() if of == page and ONLY in command]
    if not found:
        return

    def the_commands_run():
        for command in found:
            if not excused(command) and command not in DONE:
                DONE.add(command)
                run(command)

    the_commands_run.__name__ = "the_commands_of_" + re.sub(r"\W", "_", page.lower()) + "_run"
    claim(the_commands_run)


for each in PAGES:
    claim_page(each)


@claim
def operators_can_do_what_the_page_for_them_says():
    with harness.Server() as server:
        host = harness.registered(server, "Bob")
        cup = host.request("announce", title="A cup", system="swiss", people=4, round=120000,
                           clock={"kind": "move", "time": 60000})["tournament"]
        SANDBOX.environment.update(DATABASE=str(server.database), TOURNAMENT=cup)
        for words in dict.fromkeys(smaller(command).split(" #")[0].strip() for _, command in commands()):
            if not words.startswith(OPERATORS) or excused(words):
                continue
            with contextlib.suppress(harness.Refused):  # somebody may have renamed or deleted her
                online_player.Account(server.url).register("Ann", "in the cellar")
            SANDBOX.environment["TABLE"] = host.create(players=3)
            SANDBOX.run(words.replace("gral admin ", "gral admin --database $DATABASE "))


@claim
def the_version_to_cite_is_this_one():
    version = subprocess.check_output([GRAL, "--version"], text=True).split()[1]
    cited = set(re.findall(r"\b\d+\.\d+\.\d+\b", (SOURCE / "docs/research.md").read_text()))
    assert cited == {version}, cited


@claim
def every_file_on_the_map_is_there():
    """A name on the map may leave out the folders that the text around it is about."""
    text = (SOURCE / "docs/map.md").read_text()
    names = {name for name in re.findall(r"`([\w./*-]+)`", text)
             if re.search(r"(/|\.(c|h|py|ts|mjs|svelte|css|js))$", name) and not name.startswith("build/")}
    tops = [top for top in SOURCE.iterdir() if top.is_dir() and top.name not in ("build", ".git")]
    there = {f"/{path.relative_to(SOURCE)}" for top in tops for path in [top, *top.rglob("*")] if "node_modules" not in path.parts}
    missing = sorted(name for name in names if not fnmatch.filter(there, f"*/{name.rstrip('/')}"))
    assert len(names) > 200 and not missing, missing


@claim
def the_program_in_the_readme_runs():
    (language, program), = fences((SOURCE / "README.md").read_text())
    same(language, "c")
    (SANDBOX.path / "readme.c").write_text(f"#include <gral/gral.h>\nint main(void)\n{{\n{program}}}\n")
    SANDBOX.run("cc -Werror -o readme -Iinclude readme.c build/libgral.a && ./readme")


@claim
def a_block_that_begins_with_no_command_is_known_to_be_something_else():
    for page in PAGES:
        text = (SOURCE / page).read_text()
        if not page.startswith("docs/hosting/") and page not in OTHERS:
            strange = [lines for indented, lines in shown(text) if not COMMAND.match(lines[0][indented:] + " ")]
            assert not strange, f"{page}: {strange}"
        assert page in FENCES or not fences(text), page


@claim
def no_excuse_is_out_of_date():
    everything = [command for _, command in commands()]
    assert len(everything) > 60, everything
    unused = [part for part in CANNOT if not any(part in command + " " for command in everything)]
    assert not unused, f"no document has these any more: {unused}"


run_claims()
