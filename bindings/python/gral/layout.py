"""How numpy sees the structs of libgral: the same bytes, nothing is copied."""
import numpy as np
from _gral import ffi, lib

KINDS = {"int8_t": np.int8, "uint8_t": np.uint8, "uint32_t": np.uint32, "uint64_t": np.uint64, "_Bool": np.bool_}


def dtype_of(name):
    """The fields of a struct of numbers, where C has them."""
    struct = ffi.typeof(name)
    names, formats, offsets = [], [], []
    for field, place in struct.fields:
        kind, shape = place.type, []
        while kind.kind == "array":
            shape.append(kind.length)
            kind = kind.item
        names.append(field)
        formats.append((KINDS[kind.cname], tuple(shape)))
        offsets.append(place.offset)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": ffi.sizeof(struct)})


OBSERVATION = dtype_of("gral_observation")
ENDING = dtype_of("gral_ending")
NUMBER_SET = dtype_of("gral_numbers")
PARTS = ("pawn", "table", "other", "pair")


def parts_of(observation):
    """An observation, or many, as arrays of hundredths; docs/research.md says where what stands (gral/env.h)."""
    return {part: observation[part] for part in PARTS}


def mask_of(numbers):
    """The numbers that may be played, as zeros and ones: (…, NUMBERS)."""
    rows = np.atleast_1d(numbers)["word"].view(np.uint8)
    bits = np.unpackbits(rows, axis=-1, count=lib.GRAL_NUMBERS, bitorder="little").view(np.int8)
    return bits if np.ndim(numbers) else bits[0]
