"""Ways: courses of a game that agree with what a player has noticed, and others that are made of them.

In: a way, and lots.  Out: another way in which the player notices the same, or none.

    exchange    two values change places in all moves of which the player does not read them: who was dealt the one card
                was dealt the other, and passed it on.  What he reads stays as it is
    change      one of these moves becomes another one that was legal, too, and that reads the same

Then the game is played anew, from the first move that is another.  All moves must be legal, and the player must notice
at each of them what he did notice.  Both are as likely there as back; so a walk over ways, in which a step is taken
with the probability min(1, how likely the new way is / how likely the old one is), comes to each way as often as it is
likely (Metropolis and others 1953).  Steps of such a walk between those of a particle filter keep its particles apart:
W. R. Gilks and C. Berzuini, Following a moving target: Monte Carlo inference for dynamic Bayesian models, Journal of
the Royal Statistical Society B 63 (2001).

Where a way does not go on as was noticed, exchanges are looked for that bring it nearer: first until a move that reads
so is legal, counted by the legal moves that there are in its place; then until the player sees after it what he saw.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from pysolve.dsl.model import Slot, Sort
from pysolve.engines.protocol import Engine, Move, Node, State
from pysolve.runtime.cancellation import go_on
from pysolve.search.hidden.knowledge import Knowledge, Known
from pysolve.search.information import END

MOST_MOVES = 20_000  # whose texts are listed, of all kinds together
SHOWN = 1 << 12  # changes that are kept
EXCHANGES = 100  # that are tried to mend a way


class Step(NamedTuple):
    """A move, the state after it, how likely it was, and what the player noticed of it; the first one is no move."""

    move: Move
    state: State
    part: float
    noticed: bytes


class Way:
    """A course of the game: its last step, and the way before that.

    Two are equal if they lead to the same state, and nobody can tell them apart.
    """

    __slots__ = ("_hash", "before", "known", "step")

    def __init__(self, step: Step, known: Known, before: Way | None = None):
        self.step, self.known, self.before = step, known, before
        self._hash = hash((step.state, known))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Way) and self.state == other.state and self.known == other.known

    @property
    def state(self) -> State:
        """The state that it leads to."""
        return self.step.state

    def course(self) -> list[Way]:
        """All ways before this one, and this one: the beginning first."""
        found, at = list[Way](), self
        while at.before is not None:
            found.append(at)
            at = at.before
        return [at, *reversed(found)]


def parts_of(node: Node, state: State, player: int) -> Sequence[float]:
    """How likely each move is: by weight, one's own moves being given, and all moves of others being alike."""
    weights = node.weights
    if weights is None:
        return (1.0 if state[0] == player else 1 / len(node),) * len(node)
    whole = sum(weights)
    return [weight / whole for weight in weights]


def picked(lots: Iterator[int], count: int) -> int:
    """A number below `count`."""
    return (next(lots) >> 32) * count >> 32


Changed = Callable[[int, Move], Move]  # the number of a step and its move: the move in its place


class Variations:
    """Other ways for the eyes of one player."""

    def __init__(self, engine: Engine, knowledge: Knowledge, player: int):
        self._engine, self._knowledge, self._player = engine, knowledge, player
        game = engine.game
        self._sorts = [tuple(sort for param in action.params if isinstance(sort := param.sort, Sort))
                       for action in game.actions]  # fmt: skip
        self._secret = {number for number, action in enumerate(game.actions) if action.seen is not None}
        self._shown = lru_cache(SHOWN)(self._shown_between)
        self.looked = 0  # positions so far
        self._texts: dict[bytes, list[Move]] | None = None

    def after(self, way: Way, step: Step) -> Way:
        """The way on which a move has been made, too."""
        return Way(step, self._knowledge.after(way.known, way.state, step.move, step.state), way)

    def walked(self, way: Way, count: int, lots: Iterator[int], until: int) -> Way:
        """The way to which so many steps of the walk lead; fewer, if so many positions have been looked at."""
        other = _Other(way)
        for _ in range(count):
            if self.looked >= until:
                break
            # What cannot be exchanged is not changed in its place: whether it can be may be otherwise on the way back.
            changed = self._exchange(other.steps, lots) if next(lots) >> 62 else self._change(other.steps, lots)
            made = changed and self._replayed(other.steps, changed)
            if made:
                at, found = made
                gained = _log(found) - _log(other.steps[at:])
                if gained >= 0 or (next(lots) >> 11) / (1 << 53) < math.exp(gained):
                    other.replace(at, found)
        return self._built(other)

    def mended(self, way: Way, wanted: bytes, lots: Iterator[int], until: int) -> Way | None:
        """A way like this one that goes on as was noticed; None where none is found before so many positions."""
        other = _Other(way)
        short, focus = self.short(way.state, wanted)
        for _ in range(EXCHANGES):
            if not short or self.looked >= until:
                break
            kind = picked(lots, 4)  # half of them are exchanges of what it may depend on
            changed = self._exchange(other.steps, lots, focus if kind > 1 else ()) if kind else None
            changed = changed or self._change(other.steps, lots)
            made = changed and self._replayed(other.steps, changed)
            if made:
                shorter, sharper = self.short(made[1][-1].state, wanted)
                if shorter <= short:
                    other.replace(*made)
                    short, focus = shorter, sharper
        return None if short else self._built(other)

    def _built(self, other: _Other) -> Way:
        """The way with these steps."""
        way = other.kept
        for step in other.steps[other.same :]:
            way = self.after(way, step)
        return way

    # ------------------------------------------------------------------------------------- other moves

    def _values(self, move: Move) -> list[tuple[Sort, int]]:
        """The parameters of a move, each with its sort."""
        return list(zip(self._sorts[move[0]], move[1:], strict=True)) if move[0] < len(self._sorts) else []

    def _is_secret(self, steps: list[Step], number: int) -> bool:
        """True for a step whose move the player does not read as who makes it."""
        kind = steps[number].move[0]
        own = steps[number - 1].state[0] == self._player and kind not in self._engine.game.chances
        return kind in self._secret and not own

    def _exchange(
        self, steps: list[Step], lots: Iterator[int], focus: Sequence[tuple[Sort, int]] = ()
    ) -> Changed | None:
        """Two values change places, one of them of `focus` if that is given; None where there is nothing to exchange.

        Values that the player has read, or has seen to be set, change places with none.
        """
        secret, read = list[tuple[Sort, int]](), set[tuple[str, int]]()
        for number in range(1, len(steps)):
            values = self._values(steps[number].move)
            if self._is_secret(steps, number):
                secret += values
                read |= self._shown(steps[number - 1].noticed, steps[number].noticed)
            else:
                read |= {(sort.name, value) for sort, value in values}
        free = [(sort, value) for sort, value in secret if (sort.name, value) not in read]
        near = {(sort.name, value) for sort, value in focus}
        firsts = [one for one in free if (one[0].name, one[1]) in near] or free
        if not firsts:
            return None
        sort, one = firsts[picked(lots, len(firsts))]
        alike = [value for also, value in focus if also.name == sort.name] if focus and next(lots) >> 63 else []
        others = [two for two in alike or sort.values() if two != one and (sort.name, two) not in read]
        if not others:
            return None
        two = others[picked(lots, len(others))]

        places = {one: two, two: one}

        def changed(number: int, move: Move) -> Move:
            if not (one in move[1:] or two in move[1:]) or not self._is_secret(steps, number):
                return move
            values = self._values(move)
            found = (move[0], *(places.get(at, at) if also.name == sort.name else at for also, at in values))
            return found if self._knowledge.text(found, False) == self._knowledge.text(move, False) else move

        return changed

    def _change(self, steps: list[Step], lots: Iterator[int]) -> Changed | None:
        """One move that the player does not read becomes another one; None where there is none."""
        secret = [number for number in range(1, len(steps)) if self._is_secret(steps, number)]
        if not secret:
            return None
        at = secret[picked(lots, len(secret))]
        move, text = steps[at].move, self._knowledge.text
        self.looked += 1
        moves = self._engine.expand(steps[at - 1].state).moves
        others = [
            one for one in moves if one[0] in self._secret and text(one, False) == text(move, False) and one != move
        ]
        if not others:
            return None
        other = others[picked(lots, len(others))]
        return lambda number, move: other if number == at else move

    # ------------------------------------------------------------------------------------ played anew

    def _replayed(self, steps: list[Step], changed: Changed) -> tuple[int, list[Step]] | None:
        """The first step with another move, and all from there on; None if the player would notice something else."""
        moves = [changed(number, steps[number].move) for number in range(1, len(steps))]
        first = next((at for at, move in enumerate(moves, 1) if move != steps[at].move), None)
        if first is None:
            return None
        go_on()
        state, found = steps[first - 1].state, list[Step]()
        for number in range(first, len(steps)):
            self.looked += 1
            node, move = self._engine.expand(state), moves[number - 1]
            if node.payoff is not None or move not in node.moves:
                return None
            at = node.moves.index(move)
            child, part = node.child(at), parts_of(node, state, self._player)[at]
            noticed = self._knowledge.observe(state, move, child, self._player)
            if not part or noticed != steps[number].noticed:
                return None
            found.append(Step(move, child, part, noticed))
            state = child
        return first, found

    # --------------------------------------------------------------------------------- what does not suit

    def short(self, state: State, wanted: bytes) -> tuple[int, list[tuple[Sort, int]]]:
        """How far a way is from going on as was noticed: 0 if it does; and the values that it may depend on."""
        go_on()
        self.looked += 1
        node = self._engine.expand(state)
        at = wanted.index(END)
        text, view = wanted[:at], wanted[at + len(END) :]
        if node.payoff is not None:
            return 1 << 30, []
        own = state[0] == self._player and node.weights is None
        best, missed = 1 << 30, b""
        for number, move in enumerate(node.moves):
            if self._knowledge.text(move, own) != text:
                continue
            seen = self._engine.view(node.child(number), self._player)
            short = sum(a != b for a, b in zip(seen, view, strict=True))
            if short < best:
                best, missed = short, seen
        if missed:
            return best, self._values_where(missed, view)
        moves = [*node.moves, *self._moves_that_read(text)]
        return len(view) + len(node), list(dict.fromkeys(pair for move in moves for pair in self._values(move)))

    def _values_where(self, one: bytes, other: bytes) -> list[tuple[Sort, int]]:
        """The parameters of the state where two views differ."""
        found = list[tuple[Sort, int]]()
        for slot in self._engine.game.slots.values():
            begin, end = slot.offset, slot.offset + slot.count * slot.width
            if one[begin:end] != other[begin:end]:
                found += _differing(slot, one, other)
        return list(dict.fromkeys(found))

    def _shown_between(self, before: bytes, after: bytes) -> frozenset[tuple[str, int]]:
        """The parameters of the state that the player has seen to change from what he noticed once to the next time."""
        size = self._engine.game.size
        values = self._values_where(before[-size:], after[-size:]) if before and after else []
        return frozenset((sort.name, value) for sort, value in values)

    def _moves_that_read(self, text: bytes) -> list[Move]:
        """The moves whose text this is, of the first kinds that do not have too many; legal or not."""
        if self._texts is None:
            self._texts, room = {}, MOST_MOVES
            for kind, sorts in enumerate(self._sorts):
                count = math.prod(sort.size for sort in sorts)
                if count <= room:
                    room -= count
                    for values in product(*(sort.values() for sort in sorts)):
                        move = (kind, *values)
                        self._texts.setdefault(self._knowledge.text(move, False), []).append(move)
        return self._texts.get(text, [])


class _Other:
    """The steps of a way, which are replaced from some on."""

    def __init__(self, way: Way):
        self._ways = way.course()
        self.steps = [one.step for one in self._ways]
        self.same = len(self.steps)  # so many are still those of the way

    def replace(self, at: int, found: list[Step]) -> None:
        """Other steps from this number on."""
        self.steps[at:] = found
        self.same = min(self.same, at)

    @property
    def kept(self) -> Way:
        """As much of the way as is left."""
        return self._ways[self.same - 1]


def _log(steps: Sequence[Step]) -> float:
    """The logarithm of how likely the steps are together."""
    return sum(math.log(step.part) for step in steps)


def _differing(slot: Slot, one: bytes, other: bytes) -> Iterator[tuple[Sort, int]]:
    """The parameters of a slot's values that differ, and these values."""
    for index, args in enumerate(product(*(sort.values() for sort in slot.params))):
        at = slot.offset + index * slot.width
        if one[at : at + slot.width] != other[at : at + slot.width]:
            yield from zip(slot.params, args, strict=True)
            for view in (one, other):
                if slot.width == 1 and view[at] - slot.shift in slot.sort.values():
                    yield slot.sort.sure, view[at] - slot.shift
