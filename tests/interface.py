#!/usr/bin/env python3
"""The interface of libgral is the one of the list: every function that a public header declares is in the shared library
(also those that are inline for C), the library has no other names, and every struct has its size. A program that was
built before runs as long as no line of the list changes or goes.

    interface.py LIBRARY HEADERS LIST COMPILER…            compares
    interface.py --update LIBRARY HEADERS LIST COMPILER…   writes the list, after a change that is meant
"""
import pathlib
import re
import subprocess
import sys
import tempfile

update = sys.argv[1] == "--update"
library, headers, path, *compiler = sys.argv[2 if update else 1:]


def exported():
    """The names of the library, with their versions."""
    found = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    names = [line.split()[-1] for line in found.splitlines() if line.split()[-2] != "A"]
    return {name.replace("@@", "@") for name in names}


def header_text():
    texts = [header.read_text() for header in sorted(pathlib.Path(headers).glob("gral/*.h"))]
    return re.sub(r"/\*.*?\*/", "", "\n".join(texts), flags=re.DOTALL)


def compile_with(lines, *options):
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "sizes.c"), pathlib.Path(folder, "sizes")
        source.write_text("#include <gral/gral.h>\n#include <stdio.h>\n" + "\n".join(lines))
        done = subprocess.run([*compiler, f"-I{headers}", source, *options, "-o", program], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        if not options:
            return subprocess.run([program], capture_output=True, text=True, check=True).stdout


names, text = exported(), header_text()
structs = sorted(re.findall(r"^\} (gral_\w+);", text, re.MULTILINE))
if update:
    prints = [f'printf("sizeof {name} %zu\\n", sizeof({name}));' for name in structs]
    sizes = compile_with(["int main(void)", "{", *prints, "}"])
    pathlib.Path(path).write_text("\n".join(sorted(names)) + "\n" + sizes)
listed = pathlib.Path(path).read_text().split("\n")[:-1]
sizes = dict(line.split()[1:] for line in listed if line.startswith("sizeof "))
listed_names = {line for line in listed if not line.startswith("sizeof ")}

declared = set(re.findall(r"^(?!typedef)[a-z][\w ]*[ *](gral_\w+)\(", text, re.MULTILINE))
assert len(declared) > 100, f"only {len(declared)} functions in the headers"
missing = sorted(declared - {name.split("@")[0] for name in names})
assert not missing, f"declared, but not to be linked: {missing}"
hint = "; if that is meant: " + " ".join(["tests/interface.py --update", library, headers, path, *compiler])
gone, new = sorted(listed_names - names), sorted(names - listed_names)
assert not gone, f"programs need these, and they are gone: {gone}{hint}"
assert not new, f"not in {path}: {new}{hint}"
assert sorted(sizes) == structs, f"other structs: {sorted(set(sizes) ^ set(structs))}{hint}"
compile_with([f'_Static_assert(sizeof({name}) == {size}, "{name} has another size{hint}");'
              for name, size in sizes.items()], "-c")
