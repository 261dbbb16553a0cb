#!/usr/bin/env python3
"""Every function that a public header declares is in the shared library, also those that are inline for C."""
import pathlib
import re
import subprocess
import sys

library, headers = sys.argv[1:]
found = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
exported = {line.split()[-1] for line in found.splitlines()}
declared = set()
for header in pathlib.Path(headers).glob("gral/*.h"):
    text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
    declared |= set(re.findall(r"^(?!typedef)[a-z][\w ]*[ *](gral_\w+)\(", text, re.MULTILINE))
assert len(declared) > 100, f"only {len(declared)} functions in the headers"
missing = sorted(declared - exported)
assert not missing, f"declared, but not to be linked: {missing}"
