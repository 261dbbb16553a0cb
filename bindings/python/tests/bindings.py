"""gral from Python: every step is the referee's, nothing hidden is seen, and the conventions of others are kept.

Needs GRAL, GRAL_LEARN and the module _gral in PYTHONPATH."""
import contextlib
import copy
import fractions
import importlib.util
import io
import os
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile
import traceback
import xml.etree.ElementTree

import numpy as np

from gral import NUMBERS, AECEnv, Game, GralError, ParallelEnv, Player, Table, VectorEnv, solve

CLAIMS = []
SOURCE = pathlib.Path(__file__).parents[3]


def claim(function):
    CLAIMS.append(function)
    return function


def refuses(kind, words, call, *arguments):
    try:
        call(*arguments)
    except kind as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"it was not refused: {words}")


class Referee:
    """The program, which plays along."""

    def __init__(self, settings):
        self.process = subprocess.Popen([os.environ["GRAL"], "referee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        assert self.ask(f"new {settings}") == ""
        self.done = 0

    def ask(self, line):
        """The lines of its answer before the last, "ok"."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        lines = []
        while (answer := self.process.stdout.readline()) not in ("ok\n", "") and not answer.startswith("error"):
            lines.append(answer)
        assert answer == "ok\n", f"{line}: {answer}"
        return "".join(lines)

    def follow(self, table):
        """Does what is new in the record."""
        actions = [line.split(": ", 1)[1] for line in table.record.splitlines() if line[:1].isdigit()]
        for action in actions[self.done:]:
            self.ask(f"do {action}")
        self.done = len(actions)

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def sorted_lines(text):
    return sorted(text.splitlines())


def random_game(settings, random, each, actions=400):
    table = Table(settings)
    while not table.over and len(table) < actions:
        each(table)
        table.play(int(random.choice(np.flatnonzero(table.mask()))))
    each(table)
    return table


# --- the rules --------------------------------------------------------------------------------------------------------


@claim
def every_step_is_the_referees_for_2_to_12_players_and_the_original():
    random = np.random.default_rng(1)
    games = [f"players={players} first={players} limit={12 * players}" for players in range(2, 13)]
    for settings in [*games, "players=4 rules=original limit=60", "players=2 board=3x3 pawns=T1,A1 units=2,1 grail=b2 limit=9"]:
        referee = Referee(settings)

        def compare(table):
            referee.follow(table)
            assert table.state == referee.ask("state"), settings
            assert sorted_lines(table.legal) == sorted_lines(referee.ask("legal")), settings
            seat = int(random.integers(table.players))
            assert table.view(seat) == referee.ask(f"view {seat + 1}"), settings

        random_game(settings, random, compare)
        referee.close()


@claim
def every_number_of_the_mask_is_a_legal_action_and_no_other_is_taken():
    random = np.random.default_rng(2)

    def look(table):
        mask = table.mask()
        assert mask.shape == (NUMBERS,) and mask.any() != table.over
        for number in np.flatnonzero(mask):
            assert table.number(table.words(number)) is not None
        if not mask.all() and not table.over:
            refuses(GralError, "cannot be played", table.play, int(np.flatnonzero(mask == 0)[0]))
        refuses(GralError, "cannot be played", table.play, NUMBERS)

    random_game("players=3 limit=20", random, look)


@claim
def what_is_wrong_is_refused_in_words():
    refuses(GralError, "players", Table, "players=13")
    refuses(GralError, "", Table, "players=2 rules=none")
    for look in (Table(2).observe, Table(2).view, Table(2).heard):
        refuses(GralError, "no seat 2", look, 2)
        refuses(GralError, "no seat -1", look, -1)
    refuses(GralError, "expected", Table(2).act, "hello")
    refuses(GralError, "", Table(2).act, "pass")
    refuses(GralError, "", Player, "nobody")
    refuses(GralError, "line 1", Table.load, "nonsense")


@claim
def a_record_comes_back_and_a_copy_goes_its_own_way():
    table = random_game("players=4 limit=30", np.random.default_rng(3), lambda table: None, 150)
    again = Table.load(table.record)
    assert again.record == table.record and again.state == table.state
    if not table.over:
        other = table.clone()
        other.play(int(np.flatnonzero(other.mask())[0]))
        assert len(other) > len(table) and table.record == again.record


@claim
def a_game_can_be_copied_and_sent_to_another_process():
    table = random_game("players=3 limit=9", np.random.default_rng(5), lambda table: None, 60)
    env = AECEnv("players=2 limit=9")
    env.reset(seed=2)
    state = Game("players=2 limit=9").new_initial_state().child(22)
    for thing in (copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))):
        assert thing(table).record == table.record and thing(table).state == table.state
        assert all((thing(table).observe(seat)[0]["pair"] == table.observe(seat)[0]["pair"]).all() for seat in range(3))
        assert thing(env).table.state == env.table.state and thing(env).agent_selection == env.agent_selection
        assert str(thing(state)) == str(state) and thing(state).history() == [22]


@claim
def a_record_is_gone_through_step_by_step_and_keeps_its_tags():
    text = SOURCE.joinpath("tests/data/records/signed.gral").read_text(encoding="utf-8")
    states, lengths = [], []
    for table in Table.replay(text):
        states.append(table.state)
        lengths.append(len(table))
    assert lengths[0] == 0 and lengths == sorted(set(lengths)) and len(states) > 10
    assert table.over and states[-1] == Table.load(text).state
    assert [f"{seat + 1}: {words}" for seat, words in table.actions] == [
        line for line in table.record.splitlines() if line[:1].isdigit()]
    tags = {line.split(" ;")[0] for line in text.splitlines() if line.startswith("[")}
    for record in (table.record, table.clone().record):
        kept = {line for line in record.splitlines() if line.startswith("[")}
        assert '[Player1 "Ann"]' in kept < tags and not any(tag[1:].startswith(("Se", "Sa", "Si")) for tag in kept)
        with tempfile.NamedTemporaryFile("w", suffix=".gral", encoding="utf-8") as file:
            file.write(record)
            file.flush()
            subprocess.run([os.environ["GRAL"], "verify", file.name], check=True, stdout=subprocess.DEVNULL)


# --- secrets ----------------------------------------------------------------------------------------------------------


@claim
def who_does_not_place_sees_the_same_whatever_is_placed_R3_1_R10_2():
    here, there = Table(3), Table(3)
    for table, units in ((here, ("10 T1", "1 T1")), (there, ("5 A2", "5 I1", "2 R2"))):
        for unit in units:
            table.act(f"place {unit}")
    for seat in (1, 2):
        for mine, other in zip(here.observe(seat)[0].values(), there.observe(seat)[0].values()):
            assert (mine == other).all()
        assert not here.observe(seat)[1].any()
        assert here.view(seat) == there.view(seat) and here.heard(seat) == there.heard(seat) == []
    state = [Game("players=3").new_initial_state() for _ in range(2)]
    state[0]._table, state[1]._table = here, there
    assert state[0].information_state_string(1) == state[1].information_state_string(1)
    assert state[0].information_state_string(0) != state[1].information_state_string(0)


@claim
def the_information_state_tells_all_the_player_knows_and_no_sheet_of_others_R6_3_R10_2():
    random, known, uncovered = np.random.default_rng(12), {}, 0
    for settings, games in (("players=2 board=3x1 pawns=T1,A1 units=10,10 grail=b1 limit=4", 600),
                            ("players=3 board=2x1 pawns=T1,A1 units=10 grail=b1 limit=5", 200), ("players=4 limit=40", 2)):
        game = Game(settings)
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                for player in range(game.num_players()):
                    words = state.information_state_string(player)
                    view = state.observation_string(player)
                    assert known.setdefault((settings, words), view) == view, words
                    uncovered += "lost" in words
                    mine = f"{player + 1} place"
                    assert all(said.startswith(mine) for said in words.split("; ") if " place " in said), words
                state.apply_action(int(random.choice(state.legal_actions())))
    assert uncovered > 20


# --- many games -------------------------------------------------------------------------------------------------------


@claim
def many_games_are_the_same_as_one_after_another_with_any_number_of_threads():
    one, two = VectorEnv(64, 3, seed=5, turns=(4, 8)), VectorEnv(64, 3, seed=5, turns=(4, 8), threads=3)
    random, ended = np.random.default_rng(6), 0
    for _ in range(300):
        actions = one.sample(random)
        assert (one.mask()[np.arange(64), actions] == 1).all()
        first, second = one.step(actions), two.step(actions)
        for a, b in zip(first[0].values(), second[0].values()):
            assert (a == b).all()
        assert (first[1] == second[1]).all() and (one.mask() == two.mask()).all()
        ended += len(first[4]["over"])
        assert np.allclose(first[4]["returns"].sum(axis=1), 0)
        assert (first[2] | first[3]).sum() == len(first[4]["over"])
    assert ended > 64
    two.close()
    seen = one.single_observation_space
    assert seen.contains({part: array[0] for part, array in first[0].items()})


@claim
def a_game_among_many_is_seen_as_a_table_sees_it():
    env = VectorEnv(1, "players=2 limit=40", seed=1)
    table = Table("players=2 limit=40 first=" + str(env._ground.game.settings.first + 1))
    random = np.random.default_rng(9)
    while not table.over:
        parts, mask = table.observe(table.actor)
        assert env.seat[0] == table.actor and (env.mask()[0] == mask).all()
        for part, array in parts.items():
            assert (env.observations[part][0] == array).all(), part
        action = env.sample(random)
        _, _, ended, drawn, infos = env.step(action)
        table.play(int(action[0]))
    assert ended[0] or drawn[0]
    assert (infos["returns"][0] == table.returns).all()


@claim
def what_may_not_be_played_is_refused_before_anything_is_done():
    env = VectorEnv(8, 2)
    before = env.observations.copy()
    actions = env.sample(np.random.default_rng(1))
    for wrong in (2, 200, 255):
        actions[5] = wrong
        refuses(ValueError, f"game 5: {wrong} cannot", env.step, actions)
    refuses(ValueError, "shape", env.step, actions[:3])
    right = env.sample(np.random.default_rng(1)).astype(int)
    for wrong in (right + 256, right - 256, right + 0.5):  # in a byte they would be the same as what is right
        refuses(ValueError, "from 0 to 173", env.step, wrong)
    assert (env.observations == before).all()
    env.step(right.tolist())
    assert (env.observations != before).any()


@claim
def what_many_games_cannot_be_is_refused_at_once():
    for turns in ((45, 15), (0, 0), (-1, 5)):
        refuses(ValueError, "turns", VectorEnv, 8, 2, 0, turns)
    refuses(ValueError, "at least one", VectorEnv, 8, 2, 0, None, 0)


# --- the conventions of others ----------------------------------------------------------------------------------------


@claim
def pettingzoos_loop_plays_a_whole_game():
    for seed in range(5):
        env, random, rewards = AECEnv("players=3 limit=60"), np.random.default_rng(seed), {}
        env.reset(seed=seed)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            assert agent == env.agent_selection and env.observation_space(agent).keys() == observation.keys()
            rewards[agent] = rewards.get(agent, 0) + reward
            if terminated or truncated:
                env.step(None)
            else:
                env.step(env.action_space(agent).sample(observation["action_mask"], random))
        assert not env.agents and rewards == dict(zip(env.possible_agents, env.table.returns))
        assert "phase over" in env.render() and str(env.unwrapped) == "gral_v0"
        assert env.action_space("player_1") is env.action_space("player_2")  # the same object at each call
        assert env.observation_space("player_1") is env.observation_space("player_1")
    env.reset(seed=1)
    refuses(ValueError, "must act", env.step, None)


@claim
def a_computer_player_takes_a_seat_in_pettingzoos_loop_in_words():
    for name in ("greedy", "carrier", "uncoverer"):  # the last two place units in an order that has no numbers
        env, player = AECEnv("players=2 limit=40"), Player(name)
        env.reset(seed=1)
        for agent in env.agent_iter():
            env.step(None if env.last()[2] or env.last()[3] else player.decide(env.table, seed=len(env.table)))
        assert env.table.over and not env.agents


@claim
def in_the_parallel_form_one_is_asked_and_the_others_do_not_matter():
    env, random = ParallelEnv("players=2 limit=40"), np.random.default_rng(4)
    observations, _ = env.reset(seed=1)
    while env.agents:
        asked = [agent for agent, seen in observations.items() if seen["action_mask"].any()]
        assert len(asked) == 1
        actions = {agent: env.action_space(agent).sample(seen["action_mask"] if agent in asked else None, random)
                   for agent, seen in observations.items()}
        observations, rewards, terminated, truncated, _ = env.step(actions)
    assert sum(rewards.values()) == 0 and (all(terminated.values()) or all(truncated.values()))


@claim
def openspiels_state_goes_from_the_start_to_the_returns():
    game, random = Game("players=2 board=3x1 pawns=T1,A1 units=1 grail=b1 limit=4"), np.random.default_rng(8)
    for _ in range(20):
        state, seen = game.new_initial_state(), set()
        while not state.is_terminal():
            player = state.current_player()
            legal = state.legal_actions()
            assert legal and state.legal_actions(1 - player) == [] and not state.is_chance_node()
            assert np.flatnonzero(state.legal_actions_mask()).tolist() == legal
            assert not any(state.legal_actions_mask(1 - player)) and state.is_player_node()
            seen.add(state.information_state_string())  # of whoever must act, as of anybody who is named
            assert state.information_state_string() == state.information_state_string(player)
            assert state.observation_string() == state.observation_string(player)
            assert state.action_to_string(legal[0]) == state.action_to_string(player, legal[0])
            assert len(state.information_state_tensor()) == game.information_state_tensor_shape()[0]
            action = int(random.choice(legal))
            assert state.string_to_action(player, state.action_to_string(player, action)) == action
            child = state.child(action)
            state.apply_action(action)
            assert str(child) == str(state) and child.history() == state.history()
        assert len(seen) > 1 and state.current_player() == -4 and sum(state.returns()) == 0
        assert state.rewards() == state.returns() and not state.is_player_node() and state.num_players() == 2


# --- players and the solver -------------------------------------------------------------------------------------------


@claim
def the_players_that_come_with_it_answer_legally_and_the_same_again():
    for names in (("thinker", "random"), ("thinker:level=1", "heuristic", "greedy")):
        table, players = Table(f"players={len(names)} first=1 limit=80"), [Player(name) for name in names]
        while not table.over:
            words = players[table.actor].decide(table, seed=len(table))
            assert words == players[table.actor].decide(table, seed=len(table))
            table.act(words)
        assert table.result != "-"
        refuses(ValueError, "over", players[0].decide, table)


@claim
def a_small_game_is_solved():
    solution = solve("players=2 board=3x1 pawns=T1,A1 units=1 grail=b1 limit=3")
    assert abs(solution.value) < 0.01 and solution.distance < 0.001 and "opening of seat 1" in solution.words
    refuses(ValueError, "gral-learn", solve, "players=2")
    refuses(FileNotFoundError, "GRAL_LEARN", lambda: solve("players=2", program="./no-such-program"))


@claim
def what_the_page_for_researchers_shows_works():
    page = SOURCE.joinpath("docs/research.md").read_text(encoding="utf-8")
    lines = page[page.index("    from gral import"):].splitlines()
    code = "\n".join(line[4:] for line in lines[:next(at for at, line in enumerate(lines) if line.startswith("|"))])
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        exec(code, {})
    assert "result" in shown.getvalue()


@claim
def the_small_games_have_the_values_that_the_page_gives():
    page = SOURCE.joinpath("docs/research.md").read_text(encoding="utf-8")
    row = r"^\| `(.*)` \| (.*) \| (\d+), (\d+), (\d+) % \| ([\d,]+) \|$"
    games = re.findall(row, page, re.MULTILINE)
    assert len(games) == 7, games
    for settings, value, *shares, sets in games:
        if int(sets.replace(",", "")) > 50_000:
            continue  # takes long
        found = solve(settings, "--until", "0.001")
        assert abs(found.value - fractions.Fraction(value)) < 0.002, (settings, found)
        assert f"sets {sets.replace(',', '')} " in found.words, (settings, found)
        wins, losses, draws = re.search(r"wins (\S+) (\S+) draws (\S+)", found.words).groups()
        for share, percent in zip((wins, losses, draws), shares):
            assert abs(100 * float(share) - int(percent)) <= 1, (settings, found)


def learning_curve():
    place = importlib.util.spec_from_file_location("learning_curve", SOURCE / "examples/learning_curve.py")
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


@claim
def the_gradients_of_the_learning_curve_are_those_of_its_loss():
    script, random = learning_curve(), np.random.default_rng(5)
    net = script.Net(106, 72, random, np.float64)
    batch = script.Lessons(net, 24, "players=2", (3, 5), seed=5).play(40)
    batch[4] = batch[4] + random.normal(0, 0.3, len(batch[4]))  # as if it had learned something since
    weights, (_, slopes) = net.weights, script.loss(net, batch)
    for name, slope in slopes.items():
        assert slope.shape == weights[name].shape
        for index in random.choice(slope.size, 12, replace=False):
            weight, kept, either = weights[name].reshape(-1), weights[name].reshape(-1)[index], []
            for change in (1e-5, -1e-5):
                weight[index] = kept + change
                either.append(script.loss(net, batch)[0])
            weight[index] = kept
            assert abs((either[0] - either[1]) / 2e-5 - slope.reshape(-1)[index]) < 1e-6 + 1e-3 * abs(slope).max(), name


@claim
def the_learning_curve_rises_within_few_games_and_is_a_picture():
    script, curve = learning_curve(), []
    for _, row in script.learn(1e6, "players=2 board=3x3", (10, 20), seed=1, games=128):
        curve.append(row)
        if row[2] > 0.3 or row[1] > 8000:
            break
    assert curve[0][2] < 0.2 and curve[-1][2] > 0.3, curve
    picture = xml.etree.ElementTree.fromstring(script.svg(curve, "a title"))
    lines = picture.findall("{http://www.w3.org/2000/svg}polyline")
    assert [len(line.get("points").split()) for line in lines] == 3 * [len(curve)]


def main():
    print(f"1..{len(CLAIMS)}")
    failed = 0
    for number, function in enumerate(CLAIMS, 1):
        try:
            function()
            print(f"ok {number} - {function.__name__}", flush=True)
        except Exception:
            failed += 1
            print("".join(f"# {line}\n" for line in traceback.format_exc().splitlines()), end="")
            print(f"not ok {number} - {function.__name__}", flush=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
