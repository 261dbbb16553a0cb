"""One game, exactly by the rules."""

import numpy as np
from _gral import ffi, lib

from gral.layout import NUMBER_SET, OBSERVATION, mask_of, parts_of

NUMBERS = lib.GRAL_NUMBERS


class GralError(ValueError):
    """What libgral refused, in its words."""


def span(words):
    """Of a text as C has it, and what keeps its bytes alive."""
    kept = ffi.from_buffer(words.encode())
    return ffi.new("gral_span *", {"bytes": kept, "length": len(kept)})[0], kept


def printed(print_it, *arguments, room=lib.GRAL_STATE_TEXT_MAX):
    buffer = ffi.new("char[]", room)
    text = ffi.new("gral_text *", lib.gral_text_in(buffer, room))
    print_it(text, *arguments)
    return ffi.string(buffer).decode()


def refused(error):
    return GralError(ffi.string(error.message).decode())


def settings_from(words):
    """Those of "players=2 limit=80", or of a number of players."""
    if isinstance(words, int):
        words = f"players={words}"
    settings, error = ffi.new("gral_settings *"), ffi.new("gral_error *")
    words, _kept = span(words)
    if not lib.gral_settings_parse(words, settings, error):
        raise refused(error)
    return settings


class Table:
    """A game that begins with an empty board. Seats count from 0 here and from 1 in every text.

    Whoever has no choice is not asked: what he must do is done at once, and stands in the record. `settings` are those
    of the notation, "players=3 first=2 limit=120", or just the number of players.
    """

    def __init__(self, settings=2, _ground=None):
        self._ground = _ground or ffi.new("gral_ground *")
        if _ground is not None:
            return
        ground, settings = self._ground, settings_from(settings)
        ground.next = settings[0]
        fault = lib.gral_game_make(ffi.addressof(ground, "game"), settings)
        if fault != lib.GRAL_SETTINGS_OK:
            raise GralError(ffi.string(lib.gral_settings_fault_text(fault)).decode())
        lib.gral_start(ffi.addressof(ground, "game"), ffi.addressof(ground, "state"))
        ground.options = lib.gral_legal_options(ffi.addressof(ground, "game"), ffi.addressof(ground, "state"))
        ground.memory = lib.gral_memory_begin()
        self._keep(lib.gral_record_begin(settings))

    def _keep(self, record):
        self._record = ffi.gc(ffi.new("gral_record *", record), lib.gral_record_free)
        self._ground.record = self._record

    def _keep_tags(self, tags):
        """Names, dates and the like. Seals and signatures are the server's: what is written here is a copy."""
        if tags != ffi.NULL:
            words = ffi.string(tags) + b"\0"
            self._record.tags = ffi.cast("char *", lib.malloc(len(words)))
            ffi.memmove(self._record.tags, words, len(words))
            lib.gral_tags_unseal(self._record.tags)

    @classmethod
    def load(cls, text):
        """The game of a record, as far as it goes."""
        for table in cls.replay(text):
            pass
        return table

    @classmethod
    def replay(cls, text):
        """The game of a record, step by step: a table at its beginning, and the same table after each decision."""
        record, error = ffi.new("gral_record *"), ffi.new("gral_error *")
        words, _kept = span(text)
        if not lib.gral_record_parse(words, record, error):
            raise GralError(f"line {error.line}, column {error.column}: {ffi.string(error.message).decode()}")
        record = ffi.gc(record, lib.gral_record_free)
        table = cls(printed(lib.gral_settings_print, ffi.addressof(record, "settings")))
        table._keep_tags(record.tags)
        yield table
        for index in range(record.count):
            if index == len(table):  # what had to be done is there already
                table._act(record.entry[index].action)
                yield table

    def clone(self):
        ground = ffi.new("gral_ground *", self._ground[0])
        copy = Table(_ground=ground)
        copy._keep(lib.gral_record_begin(ffi.addressof(self._record, "settings")))
        copy._keep_tags(self._record.tags)
        for index in range(self._record.count):
            entry = self._record.entry[index]
            lib.gral_record_add(copy._record, entry.seat, entry.action)
        return copy

    def __reduce__(self):
        """Its record is all there is of a game: so it can be copied by `copy`, and sent to other processes."""
        return Table.load, (self.record,)

    # --- what all know ---

    @property
    def players(self):
        return self._ground.state.open.players

    @property
    def actor(self):
        """Who must act; None when the game is over."""
        return None if self.over else self._ground.state.open.actor

    @property
    def over(self):
        return self._ground.state.open.phase == lib.GRAL_OVER

    @property
    def winner(self):
        """None in a draw and before the end."""
        winner = self._ground.state.open.winner
        return None if winner == lib.GRAL_NOBODY else winner

    @property
    def turn(self):
        return self._ground.state.open.turn

    @property
    def returns(self):
        """For each seat: 1 for a win; the others share the loss; 0 in a draw and before the end."""
        if self.winner is None:
            return np.zeros(self.players)
        returns = np.full(self.players, -1 / (self.players - 1))
        returns[self.winner] = 1
        return returns

    @property
    def result(self):
        return printed(lib.gral_result_print, ffi.addressof(self._ground.state, "open"))

    @property
    def settings(self):
        return printed(lib.gral_settings_print, ffi.addressof(self._ground.game, "settings"))

    def __len__(self):
        """How many actions were done, whoever heard of them."""
        return self._record.count

    # --- what a seat knows ---

    def observe(self, seat):
        """What it sees, as arrays; and which numbers it may play, as zeros and ones: all zeros unless it must act."""
        self._must_sit(seat)
        seen = np.zeros((), OBSERVATION)
        legal = np.zeros((), NUMBER_SET)
        numbers = lib.gral_ground_observe(self._ground, seat, ffi.from_buffer("gral_observation *", seen))
        legal["word"] = list(numbers.word)
        return parts_of(seen), mask_of(legal)

    def mask(self):
        """Which numbers the actor may play."""
        return np.zeros(NUMBERS, np.int8) if self.over else self.observe(self.actor)[1]

    def view(self, seat=None):
        """The lines of the referee's `view`; without a seat, what everybody may know."""
        view = ffi.new("gral_view *", lib.gral_view_of(ffi.addressof(self._ground, "state"), self._ear(seat)))
        return printed(lib.gral_view_print, ffi.addressof(self._ground, "game"), view)

    def heard(self, seat=None):
        """All that the seat, or everybody, has heard or done from the start: (seat, action) each. What is uncovered is not
        said in actions; the view has it."""
        return [(entry.seat, words_of(entry.action)) for entry in self._heard(seat)]

    def _heard(self, seat):
        ear = self._ear(seat)
        return [entry for entry in self._entries() if lib.gral_view_hears(ear, entry.seat, entry.action)]

    def _entries(self):
        return (self._record.entry[index] for index in range(self._record.count))

    def _ear(self, seat):
        if seat is None:
            return lib.GRAL_SPECTATOR
        self._must_sit(seat)
        return seat

    # --- everything, for whoever looks from outside ---

    @property
    def state(self):
        """The lines of the referee's `state`, with every sheet."""
        state = ffi.addressof(self._ground, "state")
        return printed(lib.gral_state_print, ffi.addressof(self._ground, "game"), ffi.addressof(state, "open"),
                       state.sheet, 2**self.players - 1)

    @property
    def actions(self):
        """All that was done from the start: (seat, action) each."""
        return [(entry.seat, words_of(entry.action)) for entry in self._entries()]

    @property
    def legal(self):
        """The lines of the referee's `legal`."""
        return printed(lib.gral_options_print, ffi.addressof(self._ground, "game"),
                       ffi.addressof(self._ground.state, "open"), ffi.addressof(self._ground, "options"))

    @property
    def record(self):
        """The text of the record."""
        length = ffi.new("size_t *")
        text = lib.gral_record_text(self._record, length)
        try:
            return ffi.buffer(text, length[0])[:].decode()
        finally:
            lib.free(text)

    # --- playing ---

    def words(self, number):
        """What the number means now, in the notation."""
        self._must_allow(number)
        outlook = ffi.new("gral_outlook *", lib.gral_ground_outlook(self._ground))
        return words_of(lib.gral_number_action(outlook, number))

    def number(self, words):
        """The number of a legal action; None for a unit placed out of order, which has none."""
        action = self._legal(words)
        outlook = ffi.new("gral_outlook *", lib.gral_ground_outlook(self._ground))
        number = lib.gral_action_number(outlook, action)
        return None if number == lib.GRAL_NUMBER_NONE else number

    def play(self, number):
        """Plays a number of the mask."""
        self._must_allow(number)
        lib.gral_ground_play(self._ground, number)

    def act(self, words):
        """Does any legal action, "object 17"."""
        self._act(self._legal(words))

    def _act(self, action):
        lib.gral_ground_act(self._ground, action)

    def _legal(self, words):
        action, error = ffi.new("gral_action *"), ffi.new("gral_error *")
        given, _kept = span(words)
        if not lib.gral_action_parse(given, action, error):
            raise refused(error)
        fault = lib.gral_check(ffi.addressof(self._ground, "game"), ffi.addressof(self._ground, "state"), action[0])
        if fault != lib.GRAL_LEGAL:
            raise GralError(ffi.string(lib.gral_fault_text(fault)).decode())
        return action[0]

    def _must_sit(self, seat):
        if not 0 <= seat < self.players:
            raise GralError(f"there is no seat {seat} at a table for {self.players}")

    def _must_allow(self, number):
        if not 0 <= number < NUMBERS or not self.mask()[number]:
            raise GralError(f"{number} cannot be played now")


def words_of(action):
    return printed(lib.gral_action_print, action, room=lib.GRAL_ACTION_TEXT_MAX)
