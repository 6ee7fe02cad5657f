"""An engine beside an oracle, position by position.

In: a game, an oracle, its options.  Out: nothing, if both give the same outcome or the same moves in the same
order, leading to the same positions; a failing assertion otherwise. An oracle of a game with chance says the weights,
too.
"""

import random
from collections.abc import Iterator
from typing import Any

from pysolve.dsl import notation
from pysolve.dsl.model import SetSort
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
    if hasattr(oracle, "weights"):
        weights = oracle.weights(position, **options)
        assert node.weights == (None if weights is None else tuple(weights)), position
    for i, (kind, params, after) in enumerate(expected):
        child = node.child(i)
        if child != notation.from_dict(model, after, state):
            assert notation.to_dict(model, child) == after, (position, kind, params)
    return [after for _, _, after in expected]


def play_along(
    game: Game, oracle: Any, options: dict[str, Any], games: int = 3, length: int = 60, unfolded: bool = True
) -> None:
    """Random games in lockstep, every second one by the faster clauses, too.

    They begin as the oracle says, or, where the rules draw lots, as they do.
    """
    for seed in range(games):
        rng, position = random.Random(seed), game.start(seed).to_dict()
        if hasattr(oracle, "initial"):
            assert position == oracle.initial(**options)
        engine = PrologEngine(game.model, warm=0 if unfolded and seed % 2 == 0 else None)
        for _ in range(length):
            children = compare(game, engine, oracle, position, options)
            if not children:
                break
            position = rng.choice(children)


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
    count: int,
    unfolded: bool = True,
    fills: tuple[float, ...] = (0.2, 0.6, 1.0),
) -> None:
    """Positions as the oracle deals them, or with any values; half of them by the faster clauses."""
    engines = [PrologEngine(game.model, warm=warm) for warm in (None, 0 if unfolded else None)]
    rng = random.Random(count)
    if hasattr(oracle, "anything"):
        positions = (oracle.anything(rng, **options) for _ in range(count))
    else:
        states = (
            state for seed, fill in enumerate(fills) for state in random_states(game, seed, count // len(fills), fill)
        )
        positions = (notation.to_dict(game.model, state) for state in states)
    for number, position in enumerate(positions):
        compare(game, engines[number % 2], oracle, position, options)
