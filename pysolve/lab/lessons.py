"""What learned values say in words: the worth of pieces and places, and of the lines of `evaluate`.

In: a game and its learned values.  Out: `Lessons`.  Worth is measured, not read off weights: in positions of games that
the values play against themselves, with some random moves, each piece is taken off the board in turn, and its worth is
what its owner's value falls by.  Everything that the values know of it is in that: lines, neighbours, the stage.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from pysolve.dsl.analysis.symmetries import symmetries
from pysolve.dsl.language.constants import LINE_UNIT, VALUE_UNIT
from pysolve.dsl.model import Game as Model
from pysolve.dsl.model import Slot
from pysolve.engines.protocol import Engine, State
from pysolve.game import Game
from pysolve.players.own_rules import OwnRules, by_own_rules
from pysolve.search.batch import estimate_many
from pysolve.search.learned import Values

GAMES = 24
STRAYS = 0.3  # how often any move is played
LONGEST = 200  # moves of a game
MOST_POSITIONS = 800
FEWEST = 10  # pieces on a place from which its worth is said


@dataclass(frozen=True, slots=True)
class Lessons:
    """What values have learned; worth is in units of VALUE_UNIT, for the owner."""

    positions: int
    pieces: dict[str, float]  # the mean worth of each kind of piece
    places: dict[str, float | None]  # of a piece of the first player on each cell; None: too seldom seen
    player: str  # the first player, of whom the places are
    lines: dict[str, float]  # the part of each line of `evaluate` in all that is said, from 0 to 1

    @property
    def of_the_weakest(self) -> dict[str, float]:
        """The worth of each kind in that of the weakest that is worth anything."""
        least = min((one for one in self.pieces.values() if one > 0), default=0.0)
        return {name: worth / least for name, worth in self.pieces.items()} if least else {}

    def to_dict(self) -> dict[str, Any]:
        """For programs."""
        return {
            "positions": self.positions,
            "pieces": {name: round(one, 3) for name, one in self.pieces.items()},
            "in_the_weakest": {name: round(one, 2) for name, one in self.of_the_weakest.items()},
            "player": self.player,
            "places": {cell: None if one is None else round(one, 3) for cell, one in self.places.items()},
            "lines": {name: round(one, 3) for name, one in self.lines.items()},
        }


def explained(game: Game, values: Values, seed: int = 1) -> Lessons:
    """What the values of a game have learned."""
    model, plain = game.model, game.engine
    engine = by_own_rules(game, 1, OwnRules(values=values)).engine
    positions = list(_positions(engine, seed))
    owner = _owner(model)
    alike = [
        one.places for one in symmetries(model, setup=False, evaluation=False) if one.players[0] == 1 and one.places
    ]
    kinds, places = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    for state, value in zip(positions, _values(engine, positions), strict=True):
        taken = list(_taken(model, owner, state)) if owner else []
        for (name, cell, player, _), later in zip(taken, _values(engine, [one[3] for one in taken]), strict=True):
            worth = (value - later if player == 1 else later - value) / VALUE_UNIT
            kinds[name].append(worth)
            if player == 1:
                for image in {images[cell - 1] for images in alike} or {cell}:
                    places[model.board.cells[image - 1]].append(worth)
    means = {name: sum(worths) / len(worths) for name, worths in kinds.items()}
    cells = {cell: sum(places[cell]) / len(places[cell]) if len(places[cell]) >= FEWEST else None
             for cell in model.board.cells}  # fmt: skip
    return Lessons(
        len(positions), dict(sorted(means.items(), key=lambda one: one[1])), cells if owner else {},
        model.players.labels[0], _lines(game, plain, values, positions),
    )  # fmt: skip


def _positions(engine: Engine, seed: int) -> Iterator[State]:
    """Positions of games of the values against themselves."""
    rng, count = Random(seed), 0
    for number in range(GAMES):
        state = engine.start(number)
        for _ in range(LONGEST):
            node = engine.expand(state)
            if node.payoff is not None or count == MOST_POSITIONS:
                break
            yield state
            count += 1
            children = list(node.children())
            if rng.random() < STRAYS:
                state = rng.choice(children)
                continue
            sign = 1 if state[0] == 1 else -1
            worths = [sign * one for one in _values(engine, children)]
            state = children[worths.index(max(worths))]


def _values(engine: Engine, states: list[State]) -> list[int]:
    return [one[0] for one in estimate_many(engine, states)]


def _owner(model: Model) -> Slot | None:
    """The state variable that says whose piece stands on a cell."""
    cells = len(model.board.cells)
    for slot in model.slots.values():
        on_cells = len(slot.params) == 1 and slot.params[0].name == "cell" and slot.count == cells
        if on_cells and slot.width == 1 and slot.sort.optional and slot.sort.sure == model.players:
            return slot
    return None


def _taken(model: Model, owner: Slot, state: State) -> Iterator[tuple[str, int, int, State]]:
    """For each piece its kind, cell (from 1) and owner, and the state without it."""
    others = [slot for slot in model.slots.values()
              if slot is not owner and slot.params == owner.params and slot.width == 1 and slot.stack is None
              and slot.sort.optional and slot.sort.labels]  # fmt: skip
    for at in range(len(model.board.cells)):
        player = state[owner.offset + at]
        if not player:
            continue
        without, words = bytearray(state), list[str]()
        without[owner.offset + at] = 0
        for slot in others:
            value = state[slot.offset + at] - slot.shift
            if value != slot.sort.none:
                words.append(slot.sort.label(value))
            without[slot.offset + at] = slot.default + slot.shift
        yield " ".join(words) or "piece", at + 1, player, bytes(without)


def _lines(game: Game, plain: Engine, values: Values, positions: list[State]) -> dict[str, float]:
    """The part of each line in the sum of what lines and weights say, by size."""
    if not values.uses_lines or not positions:
        return {term.name: 0.0 for term in game.model.terms}
    all_said = [
        abs(one) for one in _values(by_own_rules(game, 1, OwnRules(values=without_lines(values))).engine, positions)
    ]
    sizes = {}
    for at, term in enumerate(game.model.terms):
        engine = by_own_rules(game, 1, OwnRules(terms=(term.name,))).engine
        said = _values(engine, positions)
        weights = [values.lines[values.patterns.stage(state)][at] for state in positions]
        sizes[term.name] = sum(
            abs(one // term.weight * weight) / LINE_UNIT for one, weight in zip(said, weights, strict=True)
        )
    total = sum(all_said) + sum(sizes.values())
    return {name: size / total if total else 0.0 for name, size in sizes.items()}


def without_lines(values: Values) -> Values:
    """The same values without the lines of `evaluate`."""
    return replace(values, lines=())
