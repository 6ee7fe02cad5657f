"""A learned policy for C: the tables of `pysolve.search.policy.Policy` in memory that a library reads."""

from __future__ import annotations

import ctypes
from array import array
from ctypes import c_longlong, c_void_p
from functools import lru_cache
from itertools import accumulate, chain

from pysolve.engines.memory import Kept
from pysolve.search.policy import Policy, likely


class _Look(ctypes.Structure):
    """As in dsl/to_c/runtime/policy.c."""

    _fields_ = [
        *((name, c_longlong) for name in ("shift", "mask", "low", "base", "count")), ("near", c_void_p),
    ]  # fmt: skip


class _Policy(ctypes.Structure):
    """As in dsl/to_c/runtime/policy.c."""

    _fields_ = [
        *((name, c_longlong) for name in ("cells", "radix", "slots")),
        *((name, c_void_p) for name in ("offsets", "radices", "begins", "looks")),
        ("weights", c_void_p * 2), ("shares", c_void_p),
    ]  # fmt: skip


class NativePolicy:
    """A policy at an address, which is good as long as this object lives: a block, and the arrays that it names."""

    def __init__(self, policy: Policy):
        self.kept = kept = Kept()
        patterns = policy.patterns
        looks = list(chain.from_iterable(patterns.of_kind))
        counts = [*map(len, patterns.of_kind), 0]  # of a pass that the rules do not name there are none
        told = (_Look * len(looks))(*(
            _Look(one.shift, one.mask, one.low, one.base, len(one.ways),
                  kept(array("i", chain.from_iterable(one.near))))
            for one in looks
        ))  # fmt: skip
        self.struct = _Policy(
            len(patterns.game.board.cells), patterns.radix, len(patterns.slots),
            kept(array("i", (slot.offset for slot in patterns.slots))),
            kept(array("i", (slot.stored.stop for slot in patterns.slots))),
            kept(array("i", accumulate(counts, initial=0))), kept(told),
            (c_void_p * 2)(*map(kept, policy.tables)), kept(array("i", likely())),
        )  # fmt: skip
        self.address: int = ctypes.addressof(self.struct)


@lru_cache(maxsize=4)
def native_policy(policy: Policy) -> NativePolicy:
    """A policy for C, made once."""
    return NativePolicy(policy)
