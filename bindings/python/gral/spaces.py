"""What actions and observations look like, by the names of Gymnasium's spaces, which need not be installed."""
import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Discrete:
    n: int
    shape: tuple = ()
    dtype: type = np.int64

    def contains(self, number):
        return isinstance(number, (int, np.integer)) and 0 <= number < self.n

    def sample(self, mask=None, random=None):
        """One of the numbers, or one that the mask allows."""
        random = random or np.random.default_rng()
        return int(random.choice(self.n if mask is None else np.flatnonzero(mask)))


@dataclasses.dataclass(frozen=True)
class Box:
    low: int
    high: int
    shape: tuple
    dtype: type

    def contains(self, array):
        array = np.asarray(array)
        return array.shape == self.shape and array.dtype == self.dtype and bool(
            (array >= self.low).all() and (array <= self.high).all())


class Dict(dict):
    """Spaces by name."""

    def contains(self, arrays):
        return arrays.keys() == self.keys() and all(space.contains(arrays[name]) for name, space in self.items())
