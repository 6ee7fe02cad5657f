"""Does a move capture, and which moves do?  What C says from the position before is what counting men after moves says.

In: positions of random games, with captures on the target, beside it and of many at once, and men that are pushed.
Out: each answer is that of the men of the others before and after the move, and every capture is found once.
"""

from __future__ import annotations

from ctypes import addressof, c_char_p, c_ulonglong, c_void_p, sizeof
from random import Random
from typing import Any

import pytest

import pysolve
from pysolve.dsl.to_c import print_c
from pysolve.engines.build import build, compilers
from pysolve.engines.native import NativeEngine
from tests.games import load, slow_but
from tests.threes import HUNT

ASKED = """
EXPORT I test_captures(Control *c, const u8 *in, Move move) {
    State s;
    take(&s, in);
    NEW_MEMO(k);
    return captures(s.b, s.b[0] MEMO(&k) BOUND(c), move);
}
EXPORT I test_taking(Control *c, const u8 *in, Move *out, Move *end) {
    State s;
    take(&s, in);
    NEW_MEMO(k);
    return taking(s.b, s.b[0] MEMO(&k) BOUND(c), out, end) - out;
}
"""
GAMES: dict[str, dict[str, Any]] = {
    "zola": {"size": 4},
    "breakthrough-mini": {},
    "othello": {"size": 6},
    "chess": {},
    "draughts": {},
    "abalone": {},
    "surakarta": {},
    "nine_mens_morris": {},
    "lines_of_action": {},
    "onitama": {},
    "hunt": {},
}
INEXACT = {"abalone", "draughts", "hunt", "nine_mens_morris", "surakarta", "chess"}  # more than captures is found
QUIET = {"abalone", "surakarta", "nine_mens_morris"}  # in random games nothing may be captured


@pytest.mark.parametrize("name", slow_but(("zola",), GAMES))
def test_captures_are_told_from_the_position_before(name: str) -> None:
    game = (pysolve.load(HUNT) if name == "hunt" else load(name, **GAMES[name])).model
    engine, compiler, rng = NativeEngine(game), compilers()[0], Random(1)
    library = build(print_c(game, sets=not compiler.in_memory) + ASKED, compiler)
    asked = library.function("test_captures", c_void_p, c_char_p, c_ulonglong)
    move_type, room = engine.move_type, 1 << 14
    taking = library.function("test_taking", c_void_p, c_char_p, c_void_p, c_void_p)
    listed = (move_type * room)()
    found, others = {True: 0, False: 0}, 0
    for seed in range(12):
        state = engine.start(seed)
        for _ in range(60):
            node = engine.expand(state)
            if node.payoff is not None:
                break
            men, captured = _of_others(game, state, state[0]), set[int]()
            for move, child in zip(node.moves, node.children(), strict=True):
                told, takes = asked(None, state, engine.codes.encode(move)), _of_others(game, child, state[0]) < men
                assert told in (-1, takes), (name, move)
                found[takes] += told >= 0
                captured |= {engine.codes.encode(move)} if takes else set()
            count = taking(None, state, listed, addressof(listed) + sizeof(listed))
            assert len(set(listed[:count])) == count
            assert captured <= set(listed[:count])
            others += count - len(captured)
            state = node.child(rng.randrange(len(node)))
    assert found[False] or name == "othello"
    assert found[True] or name in QUIET
    assert not others or name in INEXACT


def _of_others(game: Any, state: bytes, player: int) -> int:
    others = set(range(1, len(game.players.labels) + 1)) - {player}
    return sum(state[at] in others for part in game.men for at in part)
