"""Standing orders: what a player leaves with the host, who answers for him."""
from harness import Person, Server, claim, gather, play_on, run_claims, same

SERVER = Server()


def with_orders(orders, placed=("place 10 T1", "place 10 T1"), first=1, players=3):
    """A table at the beginning of Ann's turn, where Bob, who holds 20 on T1, has left these orders."""
    name, people = gather(SERVER, players, first=first)
    play_on(people, name, lambda person, table: [*(placed if person is people[1] else ("place 10 T1",)), "done"],
            lambda table: table.version > 0)
    for order in orders:
        people[1].request("order", table=name, order=order)
    people[1].sync()
    same(people[1].tables[name].you["orders"], list(orders))
    return name, people


def propose(person, name, action, others):
    """A proposal; `others` pass. Returns what those did of whom nobody asked."""
    start = len(person.asked_at(name).happened)
    person.do(name, action)
    for other in others:
        other.do(name, "pass")
    person.expect(lambda: len(person.tables[name].happened) > start + 1, "the end of the round")
    person.sync()
    return [entry["action"]
            for entry in person.tables[name].happened[start + 1:] if entry.get("seat") == 2 and "action" in entry]


@claim
def a_standing_order_passes_for_one_proposal_only():
    name, (ann, bob, carl) = with_orders(["pass turn"])
    bob.request("cancel", table=name)
    ann.do(name, "step T1 b1")
    bob.asked_at(name)
    bob.request("order", table=name, order="pass proposal")
    carl.do(name, "pass")
    ann.expect(lambda: ann.tables[name].view["turn"] == 2, "that the proposal is carried out")
    bob.sync()
    same(bob.tables[name].you["orders"], [])


@claim
def a_standing_order_passes_for_a_turn():
    name, (ann, bob, carl) = with_orders(["pass turn"])
    same(propose(ann, name, "step T1 b1", [carl]), ["pass"])
    bob.expect(lambda: bob.tables[name].view["active"] == 2)
    bob.sync()
    same(bob.tables[name].you["orders"], [], "the orders in the next turn")


@claim
def a_standing_order_passes_until_a_pawn_acts():
    name, (ann, bob, carl) = with_orders(["pass until T1"])
    ann.do(name, "step T1 b1")
    bob.asked_at(name)
    bob.sync()
    assert bob.tables[name].asked()
    name, (ann, bob, carl) = with_orders(["pass until T1"])
    same(propose(ann, name, "step T2 b1", [carl]), ["pass"])


@claim
def a_standing_order_passes_until_the_grail_may_move():
    name, (ann, bob, carl) = with_orders(["pass until grail"])
    same(propose(ann, name, "step T2 b1", [carl]), ["pass"])


@claim
def a_standing_order_passes_until_an_uncovering():
    name, (ann, bob, carl) = with_orders(["pass until uncover"])
    ann.do(name, "uncover T1 T2")
    bob.asked_at(name)
    name, (ann, bob, carl) = with_orders(["pass until uncover"])
    same(propose(ann, name, "step A1 d1", [carl]), ["pass"])


@claim
def a_standing_order_passes_until_somebody_objects():
    name, (ann, bob, carl) = with_orders(["pass until objection"])
    ann.do(name, "step T1 b1")
    carl.do(name, "object 1")
    ann.do(name, "claim 1")
    bob.asked_at(name)


@claim
def a_standing_order_passes_until_it_is_my_turn():
    name, (ann, bob, carl) = with_orders(["pass until mine"], first=3)
    same(propose(carl, name, "step T1 b1", [ann]), ["pass"])
    same(propose(ann, name, "step T2 b1", [carl]), ["pass"])
    bob.asked_at(name)
    same(bob.tables[name].you["orders"], [])


@claim
def a_standing_order_objects_with_the_least_that_suffices():
    name, (ann, bob, carl) = with_orders(["object T1 c3 12"])
    same(propose(ann, name, "step T1 b1", [carl]), ["object 1"])
    ann.do(name, "claim 8")
    carl.do(name, "pass")
    ann.expect(lambda: ann.tables[name].view["objection"] == {"points": 9, "by": 2}, "the next objection")


@claim
def orders_that_are_none_are_refused():
    name, (ann, bob) = gather(SERVER, 2)
    for order in ["", "pass", "pass until", "pass until X1", "object T1", "object T1 d3", "object T1 d3 0",
                  "object T1 f9 3", "object T1 d3 101",
                  "object T1 d3 -1", "dance", "pass turn now", 3, None, ["pass turn"]]:
        same(ann.refused("order", table=name, order=order), "member", f"the answer to {order!r}")
    for number in range(17):
        try:
            ann.request("order", table=name, order=f"object T1 d3 {number + 1}")
        except Exception as error:
            same(getattr(error, "word", None), "orders")
            break
    else:
        raise AssertionError("17 standing orders are accepted")


@claim
def standing_orders_are_nobody_elses_business():
    name, people = with_orders(["pass until mine", "object T1 c3 12"])
    watcher = Person.nobody(SERVER)
    watcher.watch(name)
    for person in (people[0], people[2], watcher):
        person.sync()
        for frame in person.socket.frames:
            assert "pass until" not in frame and "object T1" not in frame, frame


if __name__ == "__main__":
    run_claims(SERVER)
