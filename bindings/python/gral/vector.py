"""Many games side by side, in arrays that C fills."""
import concurrent.futures

import numpy as np
from _gral import ffi, lib

from gral.layout import ENDING, NUMBER_SET, OBSERVATION, mask_of, parts_of
from gral.spaces import Box, Dict, Discrete
from gral.table import settings_from


def observation_space():
    shapes = {"pawn": (lib.GRAL_PAWNS, lib.GRAL_PAWN_SIGHTS), "table": (lib.GRAL_TABLE_SIGHTS,),
              "other": (lib.GRAL_PLAYERS_MAX - 1, lib.GRAL_OTHER_SIGHTS),
              "pair": (lib.GRAL_PLAYERS_MAX - 1, lib.GRAL_PAWNS, lib.GRAL_PAIR_SIGHTS)}
    return Dict({part: Box(-127, 127, shape, np.int8) for part, shape in shapes.items()})


def zeros(count, kind):
    """What np.zeros has, in large pages where it is large: games are far apart in memory."""
    array = np.empty(count, kind)
    array.view(np.uint8).fill(0)
    return array


class VectorEnv:
    """`num_envs` games, by the conventions of Gymnasium's vector API: what is over begins again by itself.

    At each step every game is asked one question. `seat` says whose it is, `mask()` what may be answered, and the
    observation is what that seat may see. Arrays are the environment's own and change with the next step: copy what you
    keep. Who begins is drawn for each game; with `turns=(15, 45)` so is a limit of turns a player, which nobody sees.
    """

    def __init__(self, num_envs, settings=2, seed=0, turns=None, threads=1):
        self.num_envs = num_envs
        if turns is not None and not 0 < turns[0] <= turns[1]:
            raise ValueError(f"turns are how many at least and at most, like (15, 45), not {turns}")
        if threads < 1:
            raise ValueError("it takes at least one thread")
        self._settings, self._turns = settings_from(settings), turns
        self.players = self._settings.players
        self.single_action_space, self.single_observation_space = Discrete(lib.GRAL_NUMBERS), observation_space()
        self._grounds = zeros(num_envs * ffi.sizeof("gral_ground"), np.uint8)
        self.observations = zeros(num_envs, OBSERVATION)
        self.legal, self.endings = zeros(num_envs, NUMBER_SET), zeros(num_envs, ENDING)
        self.seat = np.zeros(num_envs, np.uint8)
        self._ground, self._seen, self._legal, self._ending, self._seat = (
            ffi.from_buffer(f"{name} *", array) for name, array in (
                ("gral_ground", self._grounds), ("gral_observation", self.observations), ("gral_numbers", self.legal),
                ("gral_ending", self.endings), ("uint8_t", self.seat)))
        self._rewards = np.zeros(num_envs)
        self._pool = concurrent.futures.ThreadPoolExecutor(threads - 1) if threads > 1 else None
        edges = np.linspace(0, num_envs, threads + 1).astype(int)
        self._ranges = [(int(first), int(past)) for first, past in zip(edges, edges[1:]) if first < past]
        self.reset(seed=seed)

    def close(self):
        if self._pool is not None:
            self._pool.shutdown()

    def reset(self, *, seed=None, options=None):
        """All games anew; the same seed gives the same games."""
        if seed is not None:
            self._seed = seed
        random = np.random.SeedSequence(self._seed).generate_state(self.num_envs, np.uint64)
        self._seed += 1
        for index in range(self.num_envs):
            ground = self._ground + index
            lib.gral_ground_begin(ground, self._settings, int(random[index]))
            if self._turns is not None:
                ground.limit_least, ground.limit_most = self._turns
                lib.gral_ground_restart(ground)
            self.seat[index] = ground.state.open.actor
            self._legal[index] = lib.gral_ground_observe(ground, self.seat[index], self._seen + index)
        return parts_of(self.observations), {"seat": self.seat, "returns": None}

    def step(self, actions):
        """Plays actions[i] in game i. Rewards are for those whose actions these were; infos["returns"] has those of all
        seats, in the games of infos["over"]. An action that the mask does not allow is refused before anything is done."""
        given = np.asarray(actions)
        if given.shape != (self.num_envs,):
            raise ValueError(f"there are {self.num_envs} games, and actions of shape {given.shape}")
        actions = np.ascontiguousarray(given, np.uint8)
        if given.dtype != np.uint8 and not np.array_equal(actions, given):
            raise ValueError(f"actions are whole numbers from 0 to {lib.GRAL_NUMBERS - 1}")
        numbers = ffi.from_buffer("uint8_t *", actions)
        wrong = lib.first_wrong(self._legal, numbers, self.num_envs)
        if wrong < self.num_envs:
            raise ValueError(f"game {wrong}: {actions[wrong]} cannot be played now")
        asked = self.seat.copy()

        def play(first, past):
            lib.play_all(self._ground + first, past - first, numbers + first, self._seen + first, self._legal + first,
                         self._ending + first, self._seat + first)

        others = [self._pool.submit(play, *edges) for edges in self._ranges[1:]]
        play(*self._ranges[0])
        for other in others:
            other.result()
        over = np.flatnonzero(self.endings["over"])
        returns = self.returns(over)
        rewards = self._rewards
        rewards[:] = 0
        rewards[over] = returns[np.arange(len(over)), asked[over]]
        drawn = np.zeros(self.num_envs, bool)
        drawn[over] = self.endings["winner"][over] == lib.GRAL_NOBODY
        infos = {"seat": self.seat, "over": over, "returns": returns, "turns": self.endings["turns"][over]}
        return parts_of(self.observations), rewards, self.endings["over"] & ~drawn, drawn, infos

    def returns(self, games):
        """Of games that have just ended: 1 for a win; the others share the loss; 0 in a draw."""
        winner = self.endings["winner"][games]
        won = winner != lib.GRAL_NOBODY
        returns = np.where(won[:, None], -1 / (self.players - 1), np.zeros((len(games), self.players)))
        returns[np.flatnonzero(won), winner[won]] = 1
        return returns

    def mask(self):
        """Which numbers may be played, as zeros and ones: (num_envs, NUMBERS)."""
        return mask_of(self.legal)

    def sample(self, random):
        """A number for each game, drawn from those that may be played, each as likely as any other."""
        mask = self.mask()
        count = mask.sum(axis=1, dtype=np.int64)
        place = (random.random(self.num_envs) * count).astype(np.int64)
        legal = np.flatnonzero(mask.view(bool))  # those of all games, one after the other
        return (legal[np.cumsum(count) - count + place] % lib.GRAL_NUMBERS).astype(np.uint8)
