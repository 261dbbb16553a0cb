"""gral for Python: games of hidden information, exactly by the rules, one or thousands at a time.

    Table                  one game, in words and in numbers
    VectorEnv              many games side by side, in NumPy arrays that C fills (conventions of Gymnasium's vector API)
    AECEnv, ParallelEnv    one game by the conventions of PettingZoo
    Game, State            one game by the conventions of OpenSpiel
    Player                 the computer players that come with gral
    solve                  equilibria of shrunken games

docs/research.md in gral's sources tells the whole story.
"""
from gral.openspiel import Game, State
from gral.pettingzoo import AECEnv, ParallelEnv
from gral.players import Player
from gral.solver import Solution, solve
from gral.table import NUMBERS, GralError, Table
from gral.vector import VectorEnv

__all__ = ["AECEnv", "Game", "GralError", "NUMBERS", "ParallelEnv", "Player", "Solution", "State", "Table", "VectorEnv",
           "solve"]
