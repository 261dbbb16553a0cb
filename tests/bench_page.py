"""docs/bots.md names the fields of `gral bench … --json`: all of them, and no others."""
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "server"))
import postgres  # noqa: E402

PAGE = (pathlib.Path(__file__).parent.parent / "docs" / "bots.md").read_text()
BENCHES = {"engine": [], "env": ["--quick"], "players": ["--quick"], "server": ["--quick"], "thinking": ["--seconds", "1"]}
SHARED = {"in_database", "processes", "across"}  # what there is with PostgreSQL alone


def named(bench):
    """The words in the second cell of a bench's row that look like code."""
    section = PAGE[PAGE.index("## `gral bench … --json`"):]
    found = set(re.findall("`([^`]+)`", re.search(rf"^\| `{bench}` \|(.*)\|$", section, re.MULTILINE)[1]))
    return {name for name in found if not name.startswith("--")} - (set() if postgres.programs() else SHARED)


def fields(value):
    """The names of all members, but for table sizes and players, which are named by what they are."""
    if isinstance(value, list):
        return set().union(*map(fields, value))
    if not isinstance(value, dict):
        return set()
    return {name for name in value if re.fullmatch("[a-z][a-z0-9_]*", name)}.union(*map(fields, value.values()))


if postgres.programs():
    DATABASE = postgres.Postgres()
    BENCHES["server"] += ["--connections", "100", "--database", DATABASE.address, "--processes", "2"]
print(f"1..{len(BENCHES)}")
for number, (bench, options) in enumerate(BENCHES.items(), 1):
    lines = subprocess.check_output([os.environ["GRAL"], "bench", "--json", bench, *options], text=True).splitlines()
    found = fields([json.loads(line) for line in lines])
    assert found == named(bench), f"{bench}: not on the page {found - named(bench)}, only there {named(bench) - found}"
    print(f"ok {number} - the_page_names_the_fields_of_bench_{bench}", flush=True)
if postgres.programs():
    DATABASE.leave()
