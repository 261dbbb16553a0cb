#!/usr/bin/python3
"""A net learns to beat somebody who plays at random, and draws how it went: learning_curve.svg.

    learning_curve.py [--minutes 10] [--settings "players=2"] [--turns 20 40] [--seed 1] [--picture FILE]

Nothing but NumPy is needed, with OpenBLAS (libopenblas0 on Debian): without it, it is many times slower. docs/research.md
says how to have gral in Python. The parts can be pasted into a notebook one after the other. It is a plain actor and critic: proximal policy optimisation, with gradients worked out by hand.
"""
import argparse
import time

import numpy as np

from gral import VectorEnv

# %% The net sees the eight initiates alike: what it learns of one, it knows of all. A second layer sees what is there of
# the others, too. `numbers` puts what it says of each initiate and of the table where the table of gral/env.h has it.

HIDDEN, WORDS = 64, 22  # assign … leave and the figures of a dispute are not about one initiate
ALL, PLACE, STEP, UNCOVERS, UNCOVERED, EACH = 0, slice(1, 7), slice(7, 11), 11, 12, 13


def sights(observations, games):
    """What is seen of each initiate, with what is known of the other player; and of the table. One is a whole sheet."""
    pawn, pair = observations["pawn"][games], observations["pair"][games, 0]
    table, other = observations["table"][games], observations["other"][games, 0]
    return (np.concatenate([pawn, pair], 2).astype(np.float32) / 100,
            np.concatenate([table, other], 1).astype(np.float32) / 100)


class Net:
    def __init__(self, pawn_sights, table_sights, random, kind=np.float32):
        shapes = {"pawn": (pawn_sights, HIDDEN), "table": (table_sights, HIDDEN), "first": (HIDDEN,),
                  "self": (HIDDEN, HIDDEN), "mean": (HIDDEN, HIDDEN), "second": (HIDDEN,),
                  "each": (HIDDEN, EACH), "all": (HIDDEN, WORDS + 1)}
        self.weights = {name: (random.standard_normal(shape) / np.sqrt(shape[0])).astype(kind) if len(shape) > 1 else
                        np.zeros(shape, kind) for name, shape in shapes.items()}
        self.weights["each"] /= 10  # to begin with, everything is about as likely
        self.weights["all"] /= 10

    def look(self, pawns, table):
        """Of each position a figure for each number, and what it is worth. What is worked out on the way is kept."""
        w = self.weights
        self.seen = pawns, table
        self.first = np.maximum(pawns @ w["pawn"] + (table @ w["table"] + w["first"])[:, None], 0)
        mean = self.first.mean(1)
        self.second = np.maximum(self.first @ w["self"] + (mean @ w["mean"] + w["second"])[:, None], 0)
        each, table = self.second @ w["each"], self.second.mean(1) @ w["all"]
        return self.numbers(each, table), table[:, WORDS]

    @staticmethod
    def numbers(each, table):
        flat = len(each), -1
        uncover = each[:, :, UNCOVERS, None] + each[:, None, :, UNCOVERED]
        return np.concatenate([table[:, :WORDS], each[:, :, ALL], each[:, :, PLACE].swapaxes(1, 2).reshape(flat),
                               each[:, :, STEP].reshape(flat), uncover.reshape(flat)], 1)

    @staticmethod
    def numbers_back(slope, value_slope):
        """The same, backwards: the slopes of what it said of each initiate and of the table."""
        parts = np.split(slope, np.cumsum([WORDS, 8, 48, 32]), axis=1)
        each = np.empty((len(slope), 8, EACH), slope.dtype)
        uncover = parts[4].reshape(-1, 8, 8)
        each[:, :, ALL] = parts[1]
        each[:, :, PLACE] = parts[2].reshape(-1, 6, 8).swapaxes(1, 2)
        each[:, :, STEP] = parts[3].reshape(-1, 8, 4)
        each[:, :, UNCOVERS], each[:, :, UNCOVERED] = uncover.sum(2), uncover.sum(1)
        return each, np.concatenate([parts[0], value_slope[:, None]], 1)

    def slopes(self, slope, value_slope):
        """Of all weights, from those of what `look` has just returned."""
        w = self.weights
        each, table = self.numbers_back(slope, value_slope)

        def together(left, right):  # of all initiates of all positions
            return left.reshape(-1, left.shape[-1]).T @ right.reshape(-1, right.shape[-1])

        second = (each @ w["each"].T + (table @ w["all"].T)[:, None] / 8) * (self.second > 0)
        second_sum = second.sum(1)
        first = (second @ w["self"].T + (second_sum @ w["mean"].T)[:, None] / 8) * (self.first > 0)
        first_sum = first.sum(1)
        return {"each": together(self.second, each), "all": self.second.mean(1).T @ table,
                "self": together(self.first, second), "mean": self.first.mean(1).T @ second_sum,
                "second": second_sum.sum(0), "pawn": together(self.seen[0], first),
                "table": self.seen[1].T @ first_sum, "first": first_sum.sum(0)}


def log_chances(figures, mask):
    """Of the numbers that may be played."""
    figures = np.where(mask, figures, -np.inf)
    figures = figures - figures.max(1, keepdims=True)
    return figures - np.log(np.exp(figures).sum(1, keepdims=True))


# %% Learning: what did better than expected becomes likelier, but not much at a time.

CLIP, CURIOSITY, RATE, PATIENCE = 0.2, 0.01, 1e-3, 0.97


def loss(net, batch):
    """How bad it is, and the slopes of all weights."""
    pawns, table, mask, action, before, better, outcome = batch
    figures, value = net.look(pawns, table)
    log = log_chances(figures, mask)
    chance, rows, count = np.exp(log), np.arange(len(action)), len(action)
    log = np.where(mask, log, 0)
    surprise = -(chance * log).sum(1, keepdims=True)
    ratio = np.exp(log[rows, action] - before)
    clipped = np.clip(ratio, 1 - CLIP, 1 + CLIP)
    total = (-np.minimum(ratio * better, clipped * better) + (value - outcome) ** 2 / 2 - CURIOSITY * surprise[:, 0]).mean()
    pull = np.where(ratio * better <= clipped * better, -ratio * better, 0)
    slope = -chance * pull[:, None] + CURIOSITY * chance * (log + surprise)
    slope[rows, action] += pull
    return total, net.slopes(slope / count, (value - outcome) / count)


class Adam:
    def __init__(self, weights):
        self.weights, self.steps = weights, 0
        self.mean = {name: np.zeros_like(weight) for name, weight in weights.items()}
        self.square = {name: np.zeros_like(weight) for name, weight in weights.items()}

    def step(self, slopes, rate):
        self.steps += 1
        size = np.sqrt(sum((slope ** 2).sum() for slope in slopes.values()))
        rate *= np.sqrt(1 - 0.999 ** self.steps) / (1 - 0.9 ** self.steps)
        for name, slope in slopes.items():
            slope = slope * min(1, 0.5 / size)
            self.mean[name] += 0.1 * (slope - self.mean[name])
            self.square[name] += 0.001 * (slope ** 2 - self.square[name])
            self.weights[name] -= rate * self.mean[name] / (np.sqrt(self.square[name]) + 1e-8)


# %% Playing: the net has seat 0 of many games side by side, and the other seat plays at random.

class Lessons:
    def __init__(self, net, games, settings, turns, seed):
        self.net, self.random = net, np.random.default_rng(seed)
        self.env = VectorEnv(games, settings, seed=seed, turns=turns)
        if self.env.players != 2:
            raise SystemExit("learning_curve.py: for two players")
        self.results = []

    def play(self, steps):
        """What the net decided, and how much better than expected it went (generalised advantages)."""
        moments = [self.moment() for _ in range(steps)]
        games = np.flatnonzero(self.env.seat == 0)
        worth, better, gain = np.zeros(self.env.num_envs), np.zeros(self.env.num_envs), np.zeros(self.env.num_envs)
        worth[games] = self.net.look(*sights(self.env.observations, games))[1]
        # Where the other one is asked now, the game is worth what it was when the net last looked.
        for mine, seen, value, over, returns in moments:
            other = np.setdiff1d(mine, games)
            worth[other] = value[np.searchsorted(mine, other)]
        lessons = []
        for mine, seen, value, over, returns in reversed(moments):
            worth[over], better[over], gain[over] = 0, 0, returns
            better[mine] = gain[mine] + worth[mine] - value + PATIENCE * better[mine]
            worth[mine], gain[mine] = value, 0
            lessons.append((*seen, better[mine].astype(np.float32), (better[mine] + value).astype(np.float32)))
        return [np.concatenate(part) for part in zip(*lessons)]

    def moment(self):
        """One step of all games."""
        env = self.env
        actions, mine = env.sample(self.random), np.flatnonzero(env.seat == 0)
        pawns, table = sights(env.observations, mine)
        mask = env.mask()[mine].astype(bool)
        figures, value = self.net.look(pawns, table)
        log = log_chances(figures, mask)
        # The largest of these is as likely to be a number as the net says.
        action = (log + self.random.gumbel(size=log.shape)).argmax(1)
        actions[mine] = action
        infos = env.step(actions)[4]
        returns = infos["returns"][:, 0]
        self.results.extend(returns)
        return mine, (pawns, table, mask, action, log[np.arange(len(mine)), action]), value, infos["over"], returns


def learn(minutes, settings, turns, seed, games=256, steps=32, batch=1024):
    """Plays and learns in turn. Yields the net and, of each stretch: minutes gone by, games so far, and the shares of this
    stretch that were won, drawn and lost."""
    random = np.random.default_rng(seed)
    pawns, table = sights(VectorEnv(1, settings).observations, np.zeros(1, int))
    net = Net(pawns.shape[2], table.shape[1], random)
    optimiser, lessons = Adam(net.weights), Lessons(net, games, settings, turns, seed)
    begin, played, gone = time.monotonic(), 0, 0
    while gone < minutes:
        heard = lessons.play(steps)
        heard[5] = (heard[5] - heard[5].mean()) / (heard[5].std() + 1e-6)
        order = random.permutation(len(heard[0]))
        for first in range(0, len(order), batch):
            _, slopes = loss(net, [part[order[first:first + batch]] for part in heard])
            optimiser.step(slopes, RATE * max(0.02, 1 - gone / minutes))
        if len(lessons.results) >= 2 * games:
            results, lessons.results = np.array(lessons.results), []
            played, gone = played + len(results), (time.monotonic() - begin) / 60
            yield net, (gone, played, (results > 0).mean(), (results == 0).mean(), (results < 0).mean())


# %% The picture.

def svg(curve, title):
    """Shares over time, as a picture that any browser shows."""
    width, height, left, top = 640, 320, 56, 40
    last = curve[-1][0]
    words = {}  # where they stand, the lowest first and each above the last
    for y, column in sorted(((top + height * (1 - curve[-1][column]), column) for column in (2, 3, 4)), reverse=True):
        words[column] = min([y, *(below - 16 for below in words.values())])

    def line(column, colour, word):
        dots = [(left + width * row[0] / last, top + height * (1 - row[column])) for row in curve]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in dots)
        return (f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{path}"/>'
                f'<text x="{left + width + 8}" y="{words[column] + 5:.1f}" fill="{colour}">{word}</text>')

    grid = "".join(f'<path d="M{left} {top + height * (1 - share / 100)}h{width}" stroke="#ddd"/>'
                   f'<text x="{left - 8}" y="{top + height * (1 - share / 100) + 5}" text-anchor="end">{share} %</text>'
                   for share in range(0, 101, 25))
    ticks = "".join(f'<text x="{left + width * part / 5}" y="{top + height + 22}" text-anchor="middle">'
                    f'{last * part / 5:.1f}</text>' for part in range(6))
    lines = line(2, "#1b7a3d", "won") + line(3, "#777", "drawn") + line(4, "#b3261e", "lost")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 70} {top + height + 50}" '
            f'font-family="sans-serif" font-size="14"><rect width="100%" height="100%" fill="#fff"/>'
            f'<text x="{left}" y="24">{title}</text>{grid}{ticks}'
            f'<text x="{left + width / 2}" y="{top + height + 42}" text-anchor="middle">minutes</text>{lines}</svg>\n')


def main():
    parser = argparse.ArgumentParser(description="A net learns to beat somebody who plays at random.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--settings", default="players=2", help="of the game, for two players (default: %(default)s)")
    parser.add_argument("--turns", type=int, nargs=2, default=(20, 40), help="turns a player, at least and at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--picture", default="learning_curve.svg")
    wanted = parser.parse_args()
    curve = []
    for _, row in learn(wanted.minutes, wanted.settings, tuple(wanted.turns), wanted.seed):
        curve.append(row)
        print("%5.1f minutes, %6d games: won %3.0f %%, drawn %3.0f %%, lost %3.0f %%" %
              (*row[:2], *(100 * share for share in row[2:])), flush=True)
    with open(wanted.picture, "w", encoding="utf-8") as file:
        file.write(svg(curve, f"{curve[-1][1]} games against random play, {wanted.settings}"))
    print(wanted.picture)


if __name__ == "__main__":
    main()
