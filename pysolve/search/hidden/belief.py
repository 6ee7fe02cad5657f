"""What may be the case, for all that a player knows: states that agree with his information, and how likely each is.

In: an engine, the information of a player (`pysolve.search.information`).  Out: `Guess`es: a state, what all players
know there, and its weight.  The true state is not asked for.

The game is played anew from its beginning, along all ways at once: chance moves by weight, all moves of others are
taken to be equally likely, and of what follows only that is kept in which the player notices what he did notice.  So
guesses are exact as long as no more than `MANY` times `guesses` ways go on, and no more than `guesses` are left; of
more, so many are drawn, by weight.

    cost        a step takes the moves of all guesses, and a view of what follows each; of many, of some that are drawn
                first.  Of more than `ROOM` moves those of one guess after the other are in memory, and are asked for
                again where they are drawn.  What was found out for an earlier move of the same game is kept
    drift       what was noticed late tells much about what was drawn early, as in a trick-taking game: most of what was
                drawn then comes to an end.  Where few are left, others are made of them (`ways`)
    dead ends   where none goes on, those that did not are mended; where that cannot be done, a way is looked for depth
                first, moves in random order, over at most `STEPS` positions; where that finds none either, there are
                no guesses
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from pysolve.engines.protocol import Engine, Node, State
from pysolve.runtime.cancellation import go_on
from pysolve.search.hidden.knowledge import Knowledge, Known
from pysolve.search.hidden.ways import Step, Variations, Way, parts_of, picked
from pysolve.search.information import END, first
from pysolve.search.playouts import game_lots

GUESSES = 256  # that are kept by default
MANY = 4  # times as many ways are all looked at
MORE = 16  # times as many are drawn where too few go on
ROOM = 1 << 17  # moves that are kept to be looked at again
FEW = 8  # where so small a part of the guesses is left, others are made of them
MADE = 16  # of one, at most
WALK = 2  # steps of each
STEPS = 20_000  # positions that are looked at to find a way depth first, or to make others of some
MENDING = 40_000  # to mend ways
WAYS = 16  # that are looked for then
UNNOTICED = 256  # moves in a row that the player may not notice
STARTS = 64  # seeds of a setup that draws lots

T = TypeVar("T")
May = tuple[Way, Node, int, float]  # a move from a way, by number, and how likely it is


class Reading(NamedTuple):
    """Moves from a way that a player reads alike: by number, and how likely each is."""

    way: Way
    node: Node
    numbers: Sequence[int]
    parts: Sequence[float]

    def weighed(self, weight: float) -> Iterator[tuple[May, float]]:
        """Each with its weight, where the way has this one."""
        for number, part in zip(self.numbers, self.parts, strict=True):
            yield (self.way, self.node, number, part), weight * part


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
        self._variations = Variations(engine, self.knowledge, player)
        self._view = b""
        self._noticed: tuple[bytes, ...] = ()
        self._now: dict[Way, float] = {}
        self._drawn = False  # are there more than these?

    def guesses(self, information: bytes, seed: int) -> list[Guess]:
        """States that agree with the information, each with its weight; none where no way to one is found.

        Lots are drawn from the seed where there are more than are kept.
        """
        lots = game_lots(seed)
        view, noticed = _parts(information, len(self.engine.start()))
        before = len(self._noticed)
        if view != self._view or noticed[:before] != self._noticed or not self._now:
            self._view, self._noticed, before, self._now = view, (), 0, self._beginnings(view)
            self._drawn = False
        for number in range(before, len(noticed)):  # whoever is abandoned here goes on from here the next time
            self._now, self._noticed = self._step(self._now, noticed[number], lots), noticed[: number + 1]
        if before < len(noticed):
            self._now = self._spread(self._now, 2, lots)
        found = self._settled(self._now, lots)
        if not found:
            found = self._now = self._searched(noticed, lots)
        self._noticed = noticed
        return [Guess(way.state, way.known, weight) for way, weight in found.items()]

    def _beginnings(self, view: bytes) -> dict[Way, float]:
        """The initial states that look like this to the player."""
        engine, found = self.engine, dict[Way, float]()
        for seed in range(STARTS if engine.game.draws_lots else 1):
            state = engine.start(seed)
            if first(engine, state, self.player) == view:
                found[Way(Step((), state, 1.0, view), self.knowledge.first(state))] = 1.0
        return found

    def _step(self, now: dict[Way, float], noticed: bytes, lots: Iterator[int]) -> dict[Way, float]:
        """What may be the case after the player has noticed something more."""
        found = self._noticing(now, noticed, lots)
        if not found and now:
            found = self._noticing(self._mended(now, noticed, lots), noticed, lots)
        return self._spread(found, FEW, lots)

    def _noticing(self, now: dict[Way, float], noticed: bytes, lots: Iterator[int]) -> dict[Way, float]:
        """The ways on which the player notices this next."""
        found = dict[Way, float]()
        for _ in range(UNNOTICED):
            unnoticed = dict[Way, float]()
            for (way, step), weight in self._going_on(now, noticed, lots):
                after, kept = self._variations.after(way, step), found if step.noticed else unnoticed
                kept[after] = kept.get(after, 0.0) + weight
            now = self._thinned(unnoticed, lots)
            if not now:
                break
        return self._thinned(found, lots)

    def _settled(self, now: dict[Way, float], lots: Iterator[int]) -> dict[Way, float]:
        """What may be the case where it is the player's turn: others may have moved without his notice."""
        found = dict[Way, float]()
        for _ in range(UNNOTICED):
            unnoticed, others = dict[Way, float](), dict[Way, float]()
            for way, weight in now.items():
                kept = found if self._is_his(way.state) else others
                kept[way] = kept.get(way, 0.0) + weight
            for (way, step), weight in self._going_on(others, b"", lots):
                after = self._variations.after(way, step)
                unnoticed[after] = unnoticed.get(after, 0.0) + weight
            now = self._thinned(unnoticed, lots)
            if not now:
                break
        return self._thinned(found, lots)

    def _is_his(self, state: State) -> bool:
        node = self.engine.expand(state)
        return state[0] == self.player and node.payoff is None and node.weights is None

    # -------------------------------------------------------------------------------------- one move on

    def _going_on(
        self, now: dict[Way, float], noticed: bytes, lots: Iterator[int]
    ) -> list[tuple[tuple[Way, Step], float]]:
        """The moves of which the player notices this, or nothing: each with its weight.

        Of very many, some are drawn, and more where too few of these go on; all of them are never kept together.
        """
        readings, parts, count = _Readings(self._reading, _text(noticed)), list[float](), 0
        for way, weight in now.items():
            reading = readings.of(way)
            parts.append(weight * sum(reading.parts))
            count += len(reading.parts)
        many = MANY * self._most
        while many < count:
            self._drawn = True
            found = self._seen(_some(readings, now, parts, many, lots), noticed)
            if len(found) >= self._most:
                return _drawn(found, self._most, lots)
            many *= MORE
        return self._seen((may for way, weight in now.items() for may in readings.of(way).weighed(weight)), noticed)

    def _reading(self, way: Way, text: bytes) -> Reading:
        """The moves from a way that the player reads so, or that have no text."""
        go_on()
        node = self.engine.expand(way.state)
        if node.payoff is not None:
            return Reading(way, node, [], [])
        parts = parts_of(node, way.state, self.player)
        own = way.state[0] == self.player and node.weights is None
        read, wanted = self.knowledge.text, (text, b"")
        numbers = [at for at, move in enumerate(node.moves) if parts[at] and read(move, own) in wanted]
        return Reading(way, node, numbers, [parts[at] for at in numbers])

    def _seen(self, may: Iterable[tuple[May, float]], noticed: bytes) -> list[tuple[tuple[Way, Step], float]]:
        """Those of which the player notices this, or nothing."""
        found = list[tuple[tuple[Way, Step], float]]()
        for (way, node, number, part), weight in may:
            move, state = node.moves[number], node.child(number)
            seen = self.knowledge.observe(way.state, move, state, self.player)
            if seen in (noticed, b""):
                found.append(((way, Step(move, state, part, seen)), weight))
        return found

    def _thinned(self, ways: dict[Way, float], lots: Iterator[int]) -> dict[Way, float]:
        """At most as many as are kept; the weights of all are 1."""
        if len(ways) > self._most:
            self._drawn = True
            return dict(_drawn(list(ways.items()), self._most, lots))
        whole = sum(ways.values())
        return {way: weight / whole for way, weight in ways.items()}

    # ------------------------------------------------------------------------------------ where few are left

    def _spread(self, now: dict[Way, float], few: int, lots: Iterator[int]) -> dict[Way, float]:
        """The same, with others that are made of them where there are fewer than such a part of what is kept."""
        if not now or not self._drawn or len(now) * few >= self._most:
            return now
        until, found = self._variations.looked + STEPS, dict[Way, float]()
        many = min(self._most, MADE * len(now))
        for way, weight in _drawn(list(now.items()), many, lots, apart=False):
            other = self._variations.walked(way, WALK, lots, until)
            found[other] = found.get(other, 0.0) + weight
        return found

    def _mended(self, now: dict[Way, float], noticed: bytes, lots: Iterator[int]) -> dict[Way, float]:
        """Ways that go on, made of some that do not."""
        found, until = dict[Way, float](), self._variations.looked + MENDING
        for way in sorted(now, key=lambda one: self._variations.short(one.state, noticed)[0]):
            mended = self._variations.mended(way, noticed, lots, until)
            if mended is not None:
                found[mended] = 1.0
            if len(found) == WAYS or self._variations.looked >= until:
                break
        self._drawn = True
        return found

    def _searched(self, noticed: tuple[bytes, ...], lots: Iterator[int]) -> dict[Way, float]:
        """Some ways that agree with all that was noticed, found depth first."""
        found = dict[Way, float]()
        todo = [iter([(way, 0) for way in self._beginnings(self._view)])]
        for _ in range(STEPS):
            while todo and (here := next(todo[-1], None)) is None:
                todo.pop()
            if not todo or here is None or len(found) == WAYS:
                break
            way, number = here
            if number == len(noticed) and self._is_his(way.state):
                found[way] = 1.0
            else:
                todo.append(self._onwards(way, number, noticed, lots))
        self._drawn = True
        return found

    def _onwards(
        self, way: Way, number: int, noticed: tuple[bytes, ...], lots: Iterator[int]
    ) -> Iterator[tuple[Way, int]]:
        """The ways one move on, in random order, each with how much of what was noticed it agrees with."""
        wanted = noticed[number] if number < len(noticed) else b""
        may = list(self._reading(way, _text(wanted)).weighed(1.0))
        while may:
            at = picked(lots, len(may))
            may[at], may[-1] = may[-1], may[at]
            for (_, step), _ in self._seen([may.pop()], wanted):
                yield self._variations.after(way, step), number + bool(step.noticed)


class _Readings:
    """What a player reads so from each way, which is kept while there is room."""

    def __init__(self, reading: Callable[[Way, bytes], Reading], text: bytes):
        self._reading, self._text, self._kept, self._room = reading, text, dict[Way, Reading](), ROOM

    def of(self, way: Way) -> Reading:
        """The moves from a way."""
        found = self._kept.get(way)
        if found is None:
            found = self._reading(way, self._text)
            self._room -= len(found.node)
            if self._room >= 0:
                self._kept[way] = found
        return found


class _Distances:
    """Draws some of what lies side by side by weight, at equal distances from a random place on."""

    def __init__(self, whole: float, count: int, lots: Iterator[int]):
        self._step = whole / count
        self._left = (next(lots) >> 11) / (1 << 53) * self._step  # as far it is to the next one that is drawn

    def passes(self, weight: float) -> bool:
        """True if nothing within the next weight is drawn, which is then passed."""
        if self._left < weight:
            return False
        self._left -= weight
        return True

    def times(self, weight: float) -> int:
        """How often the next one is drawn, which has such a weight."""
        times = 0
        while self._left < weight:
            times += 1
            self._left += self._step
        self._left -= weight
        return times


def _some(
    readings: _Readings, now: dict[Way, float], parts: list[float], count: int, lots: Iterator[int]
) -> Iterator[tuple[May, float]]:
    """So many moves from these ways, drawn as `_drawn` does; `parts` is what the moves of each weigh together."""
    left = _Distances(sum(parts), count, lots)
    for (way, weight), part in zip(now.items(), parts, strict=True):
        if not left.passes(part):
            for one, own in readings.of(way).weighed(weight):
                if times := left.times(own):
                    yield one, times / count


def _drawn(
    weighted: list[tuple[T, float]], count: int, lots: Iterator[int], apart: bool = True
) -> list[tuple[T, float]]:
    """So many, drawn at equal distances where they lie side by side by weight.

    One that is drawn more than once counts as often, or else comes as often.
    """
    left, found = _Distances(sum(weight for _, weight in weighted), count, lots), list[tuple[T, float]]()
    for one, weight in weighted:
        if times := left.times(weight):
            found += [(one, times / count)] if apart else [(one, 1 / count)] * times
    return found


def _text(noticed: bytes) -> bytes:
    """The text of what was noticed of a step; empty where nothing was."""
    return noticed[: noticed.index(END)] if noticed else b""


def _parts(information: bytes, size: int) -> tuple[bytes, tuple[bytes, ...]]:
    """The view of the initial state, and what was noticed of each step, in views of so many bytes."""
    parts, at = [], size
    while at < len(information):
        end = information.index(END, at) + len(END) + size
        parts.append(information[at:end])
        at = end
    return information[:size], tuple(parts)
