#!/usr/bin/env python3
"""Has spin go through docs/model/lease.pml, as it is and with each of its rules left out."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MODEL = pathlib.Path(__file__).resolve().parents[1] / "docs" / "model" / "lease.pml"
SAFE = ["-DSAFETY", "-DCOLLAPSE"]


def errors(*rules, compiled=SAFE, run=(), optimized="-O1"):
    """What spin finds wrong: "" for nothing."""
    with tempfile.TemporaryDirectory(prefix="gral-model-") as folder:
        def call(*command):
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
            assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
            return done.stdout
        words = call("spin", "-a", *rules, str(MODEL))
        assert not words, words
        call("cc", optimized, "-w", *compiled, "-o", "pan", "pan.c")
        words = call("./pan", "-m100000", "-w22", *run)
    count = re.search(r"errors: (\d+)", words)
    assert count and "max search depth too small" not in words, words
    found = re.search(r"pan:1: (.*)", words)
    if int(count[1]) == 0:
        assert not found, words
        states = int(re.search(r"(\d+) states, stored", words)[1])
        print(f"# {' '.join(rules) or 'all'}: {states:,} states")
        return ""
    return found[1]


def check():
    yield "two_mishaps_of_any_kind_do_no_harm", not errors()
    yield "a_server_that_is_started_again_does_no_harm", not errors("-DMISHAPS=1", "-DRESTART")
    yield "nothing_goes_on_for_ever", not errors("-DMISHAPS=1", compiled=["-DNP", "-DCOLLAPSE"], run=["-l"])
    variants = re.findall(r"^ \*   -D(\w+)", MODEL.read_text(), re.MULTILINE)
    for variant in variants:
        found = errors(f"-D{variant}", optimized="-O0")  # it is found before it would have been optimized
        print(f"# -D{variant}: {found}")
        yield f"without_its_rule_{variant.lower()}_is_found", found.startswith("assertion violated")


if not shutil.which("spin") or not shutil.which("cc"):
    print("1..0 # SKIP spin is not installed")
    sys.exit()
failed, number = False, 0
for claim, holds in check():
    number += 1
    failed |= not holds
    print(f"{'ok' if holds else 'not ok'} {number} - {claim}", flush=True)
print(f"1..{number}")
sys.exit(failed)
