"""The computer players that come with gral."""
from _gral import ffi, lib

from gral.table import refused, span, words_of


class Player:
    """One of them by name: "random", "heuristic", "thinker", "thinker:level=3,as=renard", "ismcts:1000".

    It gets what the seat may know and nothing else, and keeps nothing from one question to the next: the same question
    and seed give the same answer.
    """

    def __init__(self, name):
        error = ffi.new("gral_error *")
        words, _kept = span(name)
        player = lib.gral_player_make(words, error)
        if player == ffi.NULL:
            raise refused(error)
        self.name, self._player = name, ffi.gc(player, lib.gral_player_free)

    def decide(self, table, seed=0):
        """What it would do for whoever must act, in the notation."""
        seat = table.actor
        if seat is None:
            raise ValueError("the game is over")
        heard = table._heard(seat)
        entries = ffi.new("gral_entry[]", len(heard))
        for index, entry in enumerate(heard):
            entries[index] = entry
        ground = table._ground
        view = ffi.new("gral_view *", lib.gral_view_of(ffi.addressof(ground, "state"), seat))
        question = ffi.new("gral_question *")
        question.game, question.view = ffi.addressof(ground, "game"), view
        question.options = ffi.addressof(ground, "options")
        question.heard, question.heard_count, question.seed = entries, len(heard), seed
        return words_of(lib.gral_player_decide(self._player, question, ffi.NULL))
