"""One game by the conventions of PettingZoo, which need not be installed."""
from gral.spaces import Box, Dict, Discrete
from gral.table import NUMBERS, Table
from gral.vector import observation_space
import numpy as np


class AECEnv:
    """One agent after the other: reset, then `for agent in env.agent_iter(): env.last(); env.step(action)`.

    Observations are {"observation": arrays, "action_mask": zeros and ones}. The settings' `first` is drawn by `reset`
    unless it is given. Actions are numbers of the mask, or words, as `Player.decide(env.table)` gives them.
    """

    metadata = {"name": "gral_v0", "render_modes": ["ansi"], "is_parallelizable": False}
    render_mode = "ansi"

    def __init__(self, settings=2):
        self._settings = f"players={settings}" if isinstance(settings, int) else settings
        self.table = Table(self._settings)
        self.possible_agents = [f"player_{seat + 1}" for seat in range(self.table.players)]
        self.agents = []
        self._observation_space = Dict({"observation": observation_space(), "action_mask": Box(0, 1, (NUMBERS,), np.int8)})
        self._action_space = Discrete(NUMBERS)

    def observation_space(self, agent):
        return self._observation_space

    def action_space(self, agent):
        return self._action_space

    @property
    def unwrapped(self):
        return self

    def __str__(self):
        return self.metadata["name"]

    @property
    def max_num_agents(self):
        return len(self.possible_agents)

    @property
    def num_agents(self):
        return len(self.agents)

    def reset(self, seed=None, options=None):
        settings = self._settings
        if "first=" not in settings:
            settings += f" first={np.random.default_rng(seed).integers(self.table.players) + 1}"
        self.table = Table(settings)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.table.actor]

    def observe(self, agent):
        observation, mask = self.table.observe(self.possible_agents.index(agent))
        return {"observation": observation, "action_mask": mask}

    def last(self, observe=True):
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent], self.terminations[agent],
                self.truncations[agent], self.infos[agent])

    def agent_iter(self, max_iter=2**63):
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return self._part(agent, action)
        if action is None:
            raise ValueError(f"{agent} must act: None is for those who are done")
        if isinstance(action, str):
            self.table.act(action)
        else:
            self.table.play(action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, self.table.returns.tolist()))
        if self.table.over:
            ended = self.terminations if self.table.winner is not None else self.truncations
            ended.update(dict.fromkeys(self.agents, True))
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.table.actor]
        for each, reward in self.rewards.items():
            self._cumulative_rewards[each] += reward

    def _part(self, agent, action):
        """After the end each agent is called once more and does nothing."""
        if action is not None:
            raise ValueError("when an agent is done, the only action is None")
        self.agents.remove(agent)
        for of_each in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del of_each[agent]
        if self.agents:
            self.agent_selection = self.agents[0]

    def render(self):
        """What everybody may know."""
        return self.table.view()

    def close(self):
        self.agents = []


class ParallelEnv:
    """All agents at every step. Only one of them is asked in this game: the others' masks are all zeros, and whatever
    they say is not looked at."""

    metadata = {"name": "gral_v0", "render_modes": ["ansi"]}

    def __init__(self, settings=2):
        self._one = AECEnv(settings)
        self.possible_agents, self.agents = self._one.possible_agents, []
        self.observation_space, self.action_space = self._one.observation_space, self._one.action_space
        self.render = self._one.render

    @property
    def table(self):
        return self._one.table

    @property
    def unwrapped(self):
        return self

    def __str__(self):
        return self.metadata["name"]

    def _observe_all(self):
        return {agent: self._one.observe(agent) for agent in self.possible_agents}

    def reset(self, seed=None, options=None):
        self._one.reset(seed)
        self.agents = list(self.possible_agents)
        return self._observe_all(), {agent: {} for agent in self.agents}

    def step(self, actions):
        one = self._one
        one.step(actions[one.agent_selection])
        ended = one.terminations, one.truncations
        if one.table.over:
            self.agents = []
        return (self._observe_all(), dict(one.rewards), *(dict(each) for each in ended),
                {agent: {} for agent in self.possible_agents})

    def close(self):
        self.agents = []
