"""What may be the case, for all that a player knows: states that agree with his information, and how likely each is.

In: an engine, the information of a player (`pysolve.search.information`).  Out: `Guess`es: a state, what all players
know there, and its weight.  The true state is not asked for.

The game is played anew from its beginning, along all ways at once: chance moves by weight, all moves of others are
taken to be equally likely, and of what follows only that is kept in which the player notices what he did notice.  So
guesses are exact as long as they are no more than `guesses`; of more, so many are drawn, by weight.

    cost        a step takes the moves of all guesses, and a view of what follows each; what was found out for an
                earlier move of the same game is kept
    dead ends   where none of the guesses that were drawn goes on, a way is looked for depth first, moves in random
                order, over at most `STEPS` positions; where that finds none either, there are no guesses

Where what was noticed late tells much about what was drawn early (a trick-taking game near its end), drawn guesses come
to dead ends often.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pysolve.engines.protocol import Engine, Move, State
from pysolve.runtime.cancellation import go_on
from pysolve.search.hidden.knowledge import Knowledge, Known
from pysolve.search.information import END, first, observe
from pysolve.search.playouts import game_lots

GUESSES = 256  # that are kept by default
STEPS = 20_000  # positions that are looked at to find a way depth first
WAYS = 16  # that are looked for then
UNNOTICED = 256  # moves in a row that the player may not notice
STARTS = 64  # seeds of a setup that draws lots

Spot = tuple[State, Known]
Made = tuple[Move, State]  # a move, and the state after it


class Guess(NamedTuple):
    """A state that may be the true one, with what each player knows in it."""

    state: State
    known: Known
    weight: float


class Belief:
    """What a player believes, in the course of a game."""

    def __init__(self, engine: Engine, player: int, guesses: int = GUESSES):
        self.knowledge = Knowledge(engine)
        self.engine, self.player, self._most = engine, player, guesses
        self._view = b""
        self._noticed: tuple[bytes, ...] = ()
        self._now: dict[Spot, float] = {}

    def guesses(self, information: bytes, seed: int) -> list[Guess]:
        """States that agree with the information, each with its weight; none where no way to one is found.

        Lots are drawn from the seed where there are more than are kept.
        """
        lots = game_lots(seed)
        view, noticed = _parts(information, len(self.engine.start()))
        before = len(self._noticed)
        if view != self._view or noticed[:before] != self._noticed or not self._now:
            self._view, self._noticed, before, self._now = view, (), 0, self._beginnings(view)
        for number in range(before, len(noticed)):  # whoever is abandoned here goes on from here the next time
            self._now, self._noticed = self._step(self._now, noticed[number], lots), noticed[: number + 1]
        found = self._settled(self._now, lots) or self._searched(noticed, lots)
        self._noticed = noticed
        return [Guess(*spot, weight) for spot, weight in found.items()]

    def _beginnings(self, view: bytes) -> dict[Spot, float]:
        """The initial states that look like this to the player."""
        engine, found = self.engine, dict[Spot, float]()
        for seed in range(STARTS if engine.game.draws_lots else 1):
            state = engine.start(seed)
            if first(engine, state, self.player) == view:
                found[state, self.knowledge.first(state)] = 1.0
        return found

    def _step(self, now: dict[Spot, float], noticed: bytes, lots: Iterator[int]) -> dict[Spot, float]:
        """What may be the case after the player has noticed something more."""
        found = dict[Spot, float]()
        for _ in range(UNNOTICED):
            unnoticed = dict[Spot, float]()
            for spot, weight in now.items():
                for made, part, seen in self._moves(spot):
                    if seen == noticed or not seen:
                        place, kept = self._place(spot, made), found if seen else unnoticed
                        kept[place] = kept.get(place, 0.0) + weight * part
            now = self._thinned(unnoticed, lots)
            if not now:
                break
        return self._thinned(found, lots)

    def _settled(self, now: dict[Spot, float], lots: Iterator[int]) -> dict[Spot, float]:
        """What may be the case where it is the player's turn: others may have moved without his notice."""
        found = dict[Spot, float]()
        for _ in range(UNNOTICED):
            unnoticed = dict[Spot, float]()
            for spot, weight in now.items():
                if self._is_his(spot[0]):
                    found[spot] = found.get(spot, 0.0) + weight
                    continue
                for made, part, seen in self._moves(spot):
                    if not seen:
                        place = self._place(spot, made)
                        unnoticed[place] = unnoticed.get(place, 0.0) + weight * part
            now = self._thinned(unnoticed, lots)
            if not now:
                break
        return self._thinned(found, lots)

    def _is_his(self, state: State) -> bool:
        node = self.engine.expand(state)
        return state[0] == self.player and node.payoff is None and node.weights is None

    def _moves(self, spot: Spot) -> Iterator[tuple[Made, float, bytes]]:
        """The moves from a state, each with how likely it is, and what the player notices of it."""
        go_on()
        state = spot[0]
        node = self.engine.expand(state)
        if node.payoff is not None:
            return
        weights: Sequence[float] = node.weights or (1,) * len(node)
        whole = 1 if node.weights is None and state[0] == self.player else sum(weights)
        for move, child, weight in zip(node.moves, node.children(), weights, strict=True):
            yield (move, child), weight / whole, observe(self.engine, state, move, child, self.player)

    def _place(self, spot: Spot, made: Made) -> Spot:
        """Where a move leads to."""
        (state, known), (move, child) = spot, made
        return child, self.knowledge.after(known, state, move, child)

    def _thinned(self, spots: dict[Spot, float], lots: Iterator[int]) -> dict[Spot, float]:
        """At most as many as are kept, drawn at equal distances where they lie side by side by weight."""
        whole = sum(spots.values())
        if len(spots) <= self._most:
            return {spot: weight / whole for spot, weight in spots.items()}
        step = whole / self._most
        at, end, found = (next(lots) >> 11) / (1 << 53) * step, 0.0, dict[Spot, float]()
        for spot, weight in spots.items():
            end += weight
            while at < end:
                found[spot] = found.get(spot, 0.0) + 1 / self._most
                at += step
        return found

    def _searched(self, noticed: tuple[bytes, ...], lots: Iterator[int]) -> dict[Spot, float]:
        """Some ways that agree with all that was noticed, found depth first."""
        found = dict[Spot, float]()
        todo = [(spot, 0) for spot in self._beginnings(self._view)]
        for _ in range(STEPS):
            if not todo or len(found) == WAYS:
                break
            spot, number = todo.pop()
            if number == len(noticed) and self._is_his(spot[0]):
                found[spot] = 1.0
                continue
            wanted = noticed[number : number + 1]
            moves = ((made, seen) for made, _, seen in self._moves(spot) if (seen,) == wanted or not seen)
            after = [(made, number + bool(seen)) for made, seen in moves]
            for last in range(len(after) - 1, 0, -1):
                at = (next(lots) >> 32) * (last + 1) >> 32
                after[at], after[last] = after[last], after[at]
            todo += [(self._place(spot, made), later) for made, later in after]
        self._now = found
        return found


def _parts(information: bytes, size: int) -> tuple[bytes, tuple[bytes, ...]]:
    """The view of the initial state, and what was noticed of each step, in views of so many bytes."""
    parts, at = [], size
    while at < len(information):
        end = information.index(END, at) + len(END) + size
        parts.append(information[at:end])
        at = end
    return information[:size], tuple(parts)
