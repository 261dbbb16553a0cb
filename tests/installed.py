#!/usr/bin/env python3
"""What `meson install` installs: all of it and nothing else, in the folders it is asked for; and it can be used there.

    installed.py SOURCE BUILD LIBDIR PYTHON_FOLDER COMPILER…
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "server"))
from harness import claim, run_claims, same, Skipped  # noqa: E402

source, build, libdir, python_folder, *compiler = sys.argv[1:]
del sys.argv[1:]
source = pathlib.Path(source)
destination = tempfile.TemporaryDirectory(prefix="gral-installed-")
root = pathlib.Path(destination.name)


def run(*command, **environment):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env={**os.environ, **environment})
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


# Where Meson was told to put things, below the prefix.
OPTIONS = {one["name"]: one["value"] for one in json.loads(run("meson", "introspect", "--buildoptions", build))}
option = OPTIONS.get
prefix = pathlib.Path(option("prefix"))
python_folder = python_folder and os.path.relpath(prefix / python_folder, prefix)
installed = root / prefix.relative_to("/")
run("meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", str(root))
COMMANDS = [offer.split("\t")[0] for offer in run(installed / "bin/gral", "--complete", "").splitlines()]


def here(pattern, without=()):
    return [path.relative_to(source) for path in source.glob(pattern)
            if path.is_file() and path.name not in without and "__pycache__" not in path.parts]


def expected():
    share, documents = option("datadir"), f"{option('datadir')}/doc/gral"
    yield f"{option('bindir')}/gral"
    for name in ["a", "so", "so.0", f"so.{run(installed / 'bin/gral', '--version').split()[1]}"]:
        yield f"{libdir}/libgral.{name}"
    yield f"{libdir}/pkgconfig/gral.pc"
    for header in here("include/gral/*"):
        yield f"{option('includedir')}/gral/{header.name}"
    yield "lib/systemd/system/gral.service"
    for page in ["gral", *(f"gral-{command}" for command in COMMANDS)]:
        yield f"{option('mandir')}/man1/{page}.1"
    yield f"{share}/applications/gral.desktop"
    yield f"{share}/icons/hicolor/scalable/apps/gral.svg"
    yield f"{share}/metainfo/example.gral.gral.metainfo.xml"
    yield f"{share}/bash-completion/completions/gral.bash"
    yield f"{share}/zsh/site-functions/_gral"
    yield f"{share}/fish/vendor_completions.d/gral.fish"
    for document in [*here("docs/**/*"), *here("examples/*", ["meson.build"]), "LICENSE", "CHANGELOG.md"]:
        if not str(document).startswith("docs/screens"):
            yield f"{documents}/{document}"
    pages = source / (option("print") or "print")
    for page in pages.glob("*.pdf"):
        yield f"{share}/gral/print/{page.name}"
    if python_folder:
        yield f"{python_folder}/_gral.abi3.so"
        for module in here("bindings/python/gral/*.py"):
            yield f"{python_folder}/gral/{module.name}"


@claim
def every_file_is_installed_and_nothing_else():
    found = sorted(str(path.relative_to(installed)) for path in root.rglob("*") if not path.is_dir())
    wanted = sorted(os.path.normpath(path) for path in expected())
    same((sorted(set(wanted) - set(found)), sorted(set(found) - set(wanted))), ([], []), "what is missing, and too many,")


@claim
def every_command_has_its_page():
    for command in COMMANDS:
        page = installed / option("mandir") / f"man1/gral-{command}.1"
        assert f"\ngral-{command} \\- " in page.read_text(), f"{page} has no name that apropos finds"


@claim
def a_program_is_built_with_the_library_and_runs():
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/tutorial"
        flags = run("pkg-config", "--cflags", "--libs", "gral", PKG_CONFIG_SYSROOT_DIR=str(root),
                    PKG_CONFIG_PATH=str(installed / libdir / "pkgconfig")).split()
        run(*compiler, "-Werror", "-o", program, str(source / "examples/tutorial.c"), *flags)
        linked = run("readelf", "-d", program)
        assert "[libgral.so.0]" in linked, linked
        assert "has won" in run(program, f"{folder}/game.gral", LD_LIBRARY_PATH=str(installed / libdir))
        assert "no problems found" in run(installed / "bin/gral", "verify", f"{folder}/game.gral")


@claim
def python_finds_its_module():
    if not python_folder:
        raise Skipped("built without Python")
    if prefix in (pathlib.Path("/usr"), pathlib.Path("/usr/local")):
        looked = run("/usr/bin/python3", "-c", "import site; print(*site.getsitepackages(), sep='\\n')").splitlines()
        assert str(prefix / python_folder) in looked, f"{prefix / python_folder} is not among {looked}"
    run("/usr/bin/python3", "-c", "import gral; gral.Table('players=2')", PYTHONPATH=str(installed / python_folder),
        PYTHONDONTWRITEBYTECODE="1")


@claim
def the_desktop_understands_its_files():
    share = installed / option("datadir")
    entry = (share / "applications/gral.desktop").read_text()
    for line in entry.splitlines():
        if line.startswith(("Name=", "Comment=", "Keywords=")):
            for language in ["de", "fr", "it"]:
                assert f"{line.split('=')[0]}[{language}]=" in entry, f"{line} is not translated to {language}"
    if not shutil.which("appstreamcli") or not shutil.which("desktop-file-validate"):
        raise Skipped("there is no appstreamcli or desktop-file-validate")
    run("desktop-file-validate", str(share / "applications/gral.desktop"))
    metainfo = share / "metainfo/example.gral.gral.metainfo.xml"
    looked = subprocess.run(["appstreamcli", "validate", "--no-net", metainfo], capture_output=True, text=True, timeout=300)
    assert "Validation" in looked.stdout, looked
    # There is no home page yet, of which newer versions warn.
    wrong = [line for line in looked.stdout.splitlines() if line[:2] in ("E:", "W:") and "url-homepage-missing" not in line]
    same(wrong, [], "what is wrong with it")


@claim
def the_unit_starts_what_was_installed():
    assert f"ExecStart={prefix}/bin/gral serve" in (installed / "lib/systemd/system/gral.service").read_text()


run_claims()
