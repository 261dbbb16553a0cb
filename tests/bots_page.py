"""docs/bots.md as a reader tries it out: the lines of its game are those that a program gets, and it names every field of
`gral match --json`."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

PAGE = (pathlib.Path(__file__).parent.parent / "docs" / "bots.md").read_text()

# Says what it hears and what it answers; it places nothing and takes the first action else.
BOT = """
import sys
said, choices = open(sys.argv[1], "w"), None
for line in map(str.strip, sys.stdin):
    print("<", line, file=said)
    answer = None
    if line.startswith("new"):
        answer = "ready"
    elif line == "legal":
        choices = []
    elif line.startswith("go"):
        answer = choices[0]
    elif choices is not None:
        choices.append(line)
    if answer:
        print(">", answer, file=said)
        print(answer, flush=True)
"""


def match(*words):
    return json.loads(subprocess.check_output([os.environ["GRAL"], "match", "--json", *words]))


def the_game_shown_is_what_a_program_gets():
    shown = [line[4:] for line in PAGE.splitlines() if line.startswith(("    < ", "    > ", "    …"))]
    with tempfile.TemporaryDirectory(prefix="gral-bots-") as folder:
        bot, heard = pathlib.Path(folder, "bot.py"), pathlib.Path(folder, "heard")
        bot.write_text(BOT)
        match("--games", "2", "--seed", "3", "--limit", "4", "--threads", "1", f"exec:{sys.executable} {bot} {heard}", "greedy")
        lines = heard.read_text().splitlines()
    before, after = shown[:shown.index("…")], shown[shown.index("…") + 1:]
    at = lines.index(before[0])
    assert lines[at:at + len(before)] == before, lines[at:at + len(before)]
    end = lines.index(after[0], at + len(before))
    while lines[end:end + len(after)] != after:
        end = lines.index(after[0], end + 1)


def every_field_of_a_match_is_named():
    tested, checked = match("--sprt", "random", "greedy"), match("--games", "4", "--leak-check", "random", "greedy")
    fields = {*tested, *checked, *tested["sprt"], *tested["players"][0]}
    assert [field for field in sorted(fields) if f"`{field}`" not in PAGE] == []
    assert f"`{tested['sprt']['verdict']}`" in PAGE, tested["sprt"]


def every_action_is_explained():
    with tempfile.TemporaryDirectory(prefix="gral-bots-") as folder:
        match("--games", "40", "--limit", "60", "--records", folder, "random", "uncoverer")
        done = {line.split()[1] for game in pathlib.Path(folder).iterdir() for line in game.read_text().splitlines()
                if line[:1].isdigit()}
    assert len(done) == 12, done
    assert [verb for verb in sorted(done) if f"| `{verb}" not in PAGE and f"`{verb}`" not in PAGE] == []


def the_interval_of_a_clean_sheet_is_as_wide_as_told():
    row = match("--games", "50", "sprinter:first=100", "waiter:steps=1")["players"][0]
    assert (row["wins"], round(100 * row["lo"]), row["hi"]) == (50, 89, 1) and "give 89 to 100 %" in PAGE, row


claims = [the_game_shown_is_what_a_program_gets, every_field_of_a_match_is_named, every_action_is_explained,
          the_interval_of_a_clean_sheet_is_as_wide_as_told]
print(f"1..{len(claims)}")
for number, claim in enumerate(claims, 1):
    claim()
    print(f"ok {number} - {claim.__name__}", flush=True)
