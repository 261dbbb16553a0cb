"""One game by the conventions of OpenSpiel: sequential, without chance, with hidden information. Nothing of OpenSpiel
need be installed."""
import numpy as np

from gral.table import NUMBERS, Table
from gral.vector import observation_space

TERMINAL = -4


class Game:
    def __init__(self, settings="players=2"):
        self._settings = settings
        self._players = Table(settings).players

    def new_initial_state(self):
        return State(Table(self._settings), self)

    def num_players(self):
        return self._players

    def num_distinct_actions(self):
        return NUMBERS

    def min_utility(self):
        return -1 / (self._players - 1)

    def max_utility(self):
        return 1.0

    def utility_sum(self):
        return 0.0

    def information_state_tensor_shape(self):
        return [sum(int(np.prod(box.shape)) for box in observation_space().values())]

    observation_tensor_shape = information_state_tensor_shape


class State:
    def __init__(self, table, game):
        self._table, self._game, self._history = table, game, []

    def current_player(self):
        return TERMINAL if self._table.over else self._table.actor

    def is_terminal(self):
        return self._table.over

    def is_chance_node(self):
        return False

    def is_simultaneous_node(self):
        return False

    def is_player_node(self):
        return not self.is_terminal()

    def num_players(self):
        return self._game.num_players()

    def legal_actions(self, player=None):
        if player is not None and player != self.current_player():
            return []
        return np.flatnonzero(self._table.mask()).tolist()

    def legal_actions_mask(self, player=None):
        mask = [0] * NUMBERS
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def apply_action(self, action):
        self._table.play(action)
        self._history.append(action)

    def child(self, action):
        state = self.clone()
        state.apply_action(action)
        return state

    def clone(self):
        state = State(self._table.clone(), self._game)
        state._history = list(self._history)
        return state

    def history(self):
        return list(self._history)

    def get_game(self):
        return self._game

    def returns(self):
        return self._table.returns.tolist()

    rewards = returns  # nothing counts before the end

    def player_return(self, player):
        return self.returns()[player]

    def action_to_string(self, player, action=None):
        return self._table.words(player if action is None else action)

    def string_to_action(self, player, words):
        return self._table.number(words)

    def _of(self, player):
        return self.current_player() if player is None else player

    def information_state_string(self, player=None):
        """Everything the player has heard, done and seen uncovered from the start: whoever remembers all of it knows no
        more."""
        player = self._of(player)
        heard = [f"{seat + 1} {words}" for seat, words in self._table.heard(player)]
        return "; ".join([str(player + 1), *heard, *self._lost(player)])

    def _lost(self, player):
        """"lost 2 A1=20": what others had on initiates who were uncovered, which no action says (R6.3)."""
        lines = (line.split() for line in self._table.view(player).splitlines() if line.startswith("lost "))
        for word, seat, *points in lines:
            some = [each for each in points if not each.endswith("=0")]
            if some:
                yield " ".join([word, seat, *some])

    def observation_string(self, player=None):
        return self._table.view(self._of(player))

    def information_state_tensor(self, player=None):
        """The observation, hundredths as numbers from -1.27 to 1.27. It has a memory of what was heard, which is shorter
        than all of it: two information states may have the same tensor."""
        parts, _ = self._table.observe(self._of(player))
        return (np.concatenate([part.ravel() for part in parts.values()]).astype(np.float32) / 100).tolist()

    observation_tensor = information_state_tensor

    def __str__(self):
        return self._table.state
