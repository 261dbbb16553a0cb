"""How the tests announce a tournament, look at it, and play it to the end."""
import random
import time

from harness import act_at

QUICK = {"pace": 0, "limit": 12, "clock": {"kind": "move", "time": 60000}}


def announce(maker, **terms):
    if "begins" not in terms:
        terms.setdefault("people", 4)
    return maker.request("announce", **{"title": "A cup", "system": "swiss", "round": 120000, **QUICK, **terms})["tournament"]


def state(person, tournament, **members):
    told = person.request("tournament", tournament=tournament, **members)
    del told["re"], told["ok"]
    return told


def tables_of(told, round=-1):
    return [table for table in told["tables"][round] if "table" in table]


def people_at(told, table, people):
    names = [told["entrants"][number - 1]["name"] for number in table["entrants"]]
    return [next(person for person in people if person.name == name) for name in names]


def has_begun(told, people):
    """Whether somebody has acted in this round."""
    tables = [person.tables.get(table["table"]) for table in tables_of(told) for person in people]
    return any(table and table.version > 3 for table in tables)


def meetings(told):
    return [tuple(sorted(table["entrants"])) for tables in told["tables"] for table in tables]


def play_through(people, tournament, between=lambda told: None):
    """Everybody acts wherever he is asked, until it is over."""
    chance, acted, end = random.Random(5), {}, time.monotonic() + 300
    while (told := state(people[0], tournament))["stage"] == "running":
        assert time.monotonic() < end, f"it never ends: {told}"
        between(told)
        for table in tables_of(told):
            for person in people_at(told, table, people) if "points" not in table else []:
                act_at(person, table["table"], acted, chance)
        for person in people:
            person.sync()
        time.sleep(0.005)
    return told
