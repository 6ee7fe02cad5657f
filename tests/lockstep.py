"""An engine beside an oracle, position by position.

In: a game, an oracle, its options.  Out: nothing, if both give the same outcome or the same moves in the same
order, leading to the same positions; a failing assertion otherwise.
"""

import random
from collections.abc import Iterator
from typing import Any

from pysolve.dsl.model import SetSort, notation
from pysolve.engines.prolog import PrologEngine
from pysolve.game import Game

Position = dict[str, Any]


def compare(
    game: Game, engine: PrologEngine, oracle: Any, position: Position, options: dict[str, Any]
) -> list[Position]:
    """The positions after the moves, in which engine and oracle agree."""
    model = game.model
    state = notation.from_dict(model, position, notation.blank(model))
    node = engine.expand(state)
    ended = oracle.outcome(position, **options)
    if ended is not None:
        assert node.payoff is not None, f"{position}: should be over: {ended}"
        most = max(node.payoff)
        winners = [name for name, value in zip(game.players, node.payoff, strict=True) if value == most > 0]
        assert winners == ended.get("winners", [ended["winner"]] if ended["winner"] else []), position
        return []
    expected = oracle.moves(position, **options)
    found = [notation.move_dict(model, move) for move in node.moves]
    assert node.payoff is None, f"{position}: should go on"
    moves = [(move["kind"], move["params"]) for move in found]
    assert moves == [(kind, params) for kind, params, _ in expected], position
    for i, (kind, params, after) in enumerate(expected):
        child = node.child(i)
        if child != notation.from_dict(model, after, state):
            assert notation.to_dict(model, child) == after, (position, kind, params)
    return [after for _, _, after in expected]


def play_along(
    game: Game, oracle: Any, options: dict[str, Any], seed: int, games: int = 3, length: int = 60,
    start: Position | None = None, warm: int | None = 0,
) -> int:  # fmt: skip
    """Random games in lockstep; the number of positions compared."""
    rng = random.Random(seed)
    seen = 0
    for number in range(games):
        engine = PrologEngine(game.model, warm=warm if number % 2 else None)
        position = start or oracle.initial(**options)
        for _ in range(length):
            seen += 1
            children = compare(game, engine, oracle, position, options)
            if not children:
                break
            position = rng.choice(children)
    return seen


def random_states(game: Game, seed: int, count: int, fill: float = 0.5) -> Iterator[bytes]:
    """States with any value in any place, not only those that a game reaches; `fill` is how many are not none."""
    rng = random.Random(seed)
    for _ in range(count):
        state = bytearray(notation.blank(game.model))
        for slot in game.model.slots.values():
            assert not isinstance(slot.sort, SetSort)
            for args in notation.arguments(slot) if not slot.part_of else ():
                if slot.stack is not None:
                    high = int(rng.random() < fill) * rng.randint(1, min(6, slot.stack.most))
                    lying = [rng.randint(slot.sort.low, slot.sort.high) for _ in range(high)]
                    notation.put_stack(game.model.slots, state, slot, args, lying)
                    continue
                some = not slot.sort.optional or rng.random() < fill
                value = rng.randint(slot.sort.low, slot.sort.high) if some else slot.sort.none
                notation.put(state, slot, args, value)
        yield bytes(state)


def compare_anywhere(
    game: Game,
    oracle: Any,
    options: dict[str, Any],
    seed: int,
    count: int = 40,
    fill: float = 0.5,
    warm: int | None = 0,
    **fixed: Any,
) -> None:
    """Engine and oracle in positions with any values; `fixed` slots keep the value given."""
    engines = [PrologEngine(game.model, warm=one) for one in (None, warm)]
    for number, state in enumerate(random_states(game, seed, count, fill)):
        position = notation.to_dict(game.model, state)
        position["state"] |= fixed
        compare(game, engines[number % 2], oracle, position, options)
