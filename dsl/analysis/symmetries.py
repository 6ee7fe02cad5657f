"""Symmetries of the rules: found, not declared.

In: a checked game.  Out: the permutations of places, players and named values under which the rules stay the same, each
as a `Symmetry`; together they are a group, the identity first.

    found      among the ways to lay the board onto itself, to move the players on by turn, and to exchange named values
               and state variables that occur alike (candidates)
    proved     by renaming (`renaming`): moves, turns, ends and results of a game are the same after it.  What is not
               proved is refused
    composed   what two of them make together is one, and needs no proof

So a position and its image have the same value, the winner renamed, and a move of the one is a move of the other.  The
order of moves may differ.  By default the lines of `evaluate` must stay the same, too, and the first position, but for
who moves; whoever needs values of positions alone can do without.

Source: S. Schiffel, Symmetry Detection in General Game Playing, AAAI 2010.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import islice, permutations, product
from math import factorial, prod
from typing import Any

from pysolve.dsl.analysis.board_maps import BoardMap, board_maps
from pysolve.dsl.analysis.first_position import first_position
from pysolve.dsl.analysis.relations import Relations
from pysolve.dsl.analysis.renaming import Act, Budget, Kind, Proof, Renaming
from pysolve.dsl.model import (
    WITHOUT_VARS,
    Ask,
    Const,
    Each,
    Effects,
    Game,
    Rule,
    Slot,
    Sort,
    all_bodies,
    all_effects,
    all_steps,
    asked_steps,
    fields_of,
    tables_asked,
)
from pysolve.dsl.passes import prepared

MOST_CANDIDATES = 5_000  # renamings that are tried
MOST_EXCHANGED = 720  # of named values and of state variables
MOST_FOUND = 4_000  # symmetries of a game
MOST_BYTES = 2_000_000  # of the images of a position by all of them
IMPLICIT = "mover", "again"  # state variables that each move writes and endings read, without a line that says so

Images = tuple[int, ...]
Named = tuple[tuple[str, Images], ...]
Slots = tuple[tuple[str, str], ...]


class Symmetry:
    """One way to rename a game such that it stays the same.

    `places` has the image of each cell, 1 to n, and `players` that of each player.  `values` has for each named type
    the images of its values, the lowest first; `slots` the images of state variables that do not stay.
    `keeps_setup` is true if the first position stays the same but for who moves, `keeps_start` if that stays, too;
    `keeps_evaluation` if the lines of `evaluate` do.
    """

    def __init__(
        self, game: Game, values: Named, slots: Slots, kinds: tuple[Kind, ...] = (),
        made_of: tuple[Symmetry, Symmetry] | None = None,
    ):  # fmt: skip
        self.game = game
        self.values: dict[str, Images] = dict(values)
        self.slots = dict(slots)
        self._kinds, self._made_of = kinds, made_of
        self.places = self.values.get("cell", ())
        self.players = self.values["player"]
        self.keeps_setup = self.keeps_start = self.keeps_evaluation = False

    @cached_property
    def key(self) -> tuple[Named, Slots]:
        """What tells it from others."""
        return tuple(sorted(self.values.items())), tuple(sorted(self.slots.items()))

    @property
    def move_kinds(self) -> tuple[Kind, ...]:
        """For each kind of moves its image, and what becomes of its parameters.

        Composed when they are first asked for: of the symmetries of a large group few are.
        """
        waiting, one = list[tuple[Symmetry, Symmetry, Symmetry]](), self
        while one._made_of is not None:  # no recursion: one may be made of thousands
            waiting.append((one, *one._made_of))
            one = one._made_of[0]
        for one, first, second in reversed(waiting):
            one._kinds, one._made_of = first._kinds_before(second), None
        return self._kinds

    @property
    def is_identity(self) -> bool:
        """Does everything stay what it is?"""
        return not self.slots and all(_stays(self.game.sorts[name], images) for name, images in self.values.items())

    def value(self, sort: str, value: int) -> int:
        """The image of a value of a type; `none` and numbers stay."""
        images, low = self.values.get(sort), self.game.sorts[sort].low if sort in self.game.sorts else 0
        return images[value - low] if images is not None and value >= low else value

    def state(self, state: bytes) -> bytes:
        """The image of a position."""
        order, tables = self._bytes
        return bytes([tables[at][state[source]] for at, source in enumerate(order)])

    def move(self, move: tuple[int, ...]) -> tuple[int, ...]:
        """The image of a move: its kind and parameters as numbers; `pass` stays."""
        if move[0] >= len(self.move_kinds):
            return move
        kind = self.move_kinds[move[0]]
        names = [action.name for action in self.game.actions]
        values = [value if act is None else act[value] for value, act in zip(move[1:], kind.acts, strict=True)]
        return (names.index(kind.name), *values)

    @cached_property
    def byte_map(self) -> tuple[Images, tuple[bytes, ...]]:
        """For each byte of a position the byte of its original that decides it, and the image of each number there."""
        return tuple(self._bytes[0]), tuple(self._bytes[1])

    @cached_property
    def _bytes(self) -> tuple[list[int], list[bytes]]:
        order, tables = list(range(self.game.size)), [_SAME] * self.game.size
        for slot in self.game.slots.values():
            other = self.game.slots[self.slots.get(slot.name, slot.name)]
            table = self._table(slot)
            for index, image in enumerate(self._places(slot)):
                there = other.offset + image * other.width
                for digit in range(slot.width):
                    order[there + digit] = slot.offset + index * slot.width + digit
                    tables[there + digit] = table
        return order, tables

    def _places(self, slot: Slot) -> list[int]:
        """For each place of a state variable, in the order of `Slot.index`, the index of its image."""
        places = [0]
        for sort in slot.params:
            values = tuple(sort.values())
            images = self._through(sort.name, values)
            places = [place * len(values) + image - sort.low for place in places for image in images]
        return places

    def _table(self, slot: Slot) -> bytes:
        found = bytearray(_SAME)
        if slot.sort.name in self.values and slot.width == 1:
            for value in slot.sort.values():
                found[value + slot.shift] = self.value(slot.sort.name, value) + slot.shift
        return bytes(found)

    def then(self, other: Symmetry) -> Symmetry:
        """First this one, then another one."""
        values = tuple((name, other._through(name, images)) for name, images in self.values.items())
        every = {name: other.slots.get(to, to) for name in self.game.slots for to in [self.slots.get(name, name)]}
        slots = tuple((name, to) for name, to in every.items() if to != name)
        return Symmetry(self.game, values, slots, made_of=(self, other))

    def _through(self, name: str, images: Images) -> Images:
        """What becomes of the images of all values of a type."""
        if (further := self.values.get(name)) is None:
            return images
        low = self.game.sorts[name].low
        return tuple([further[value - low] for value in images])

    def _kinds_before(self, other: Symmetry) -> tuple[Kind, ...]:
        """The kinds of moves of this one and then the other; equal acts of parameters are one object."""
        behind = {action.name: kind for action, kind in zip(self.game.actions, other.move_kinds, strict=True)}
        made: dict[tuple[int, int], Act] = {}
        for kind in self._kinds:
            for first, second in zip(kind.acts, behind[kind.name].acts, strict=True):
                if (id(first), id(second)) not in made:
                    made[id(first), id(second)] = _composed(first, second)
        return tuple(
            Kind(behind[kind.name].name, tuple(
                made[id(first), id(second)] for first, second in zip(kind.acts, behind[kind.name].acts, strict=True)))
            for kind in self._kinds
        )  # fmt: skip


_SAME = bytes(range(256))


def symmetries(
    game: Game, *, setup: bool = True, evaluation: bool = True, start: bytes | None = None
) -> list[Symmetry]:
    """The symmetries of a game that could be proved, the identity first.

    Without `setup` those too under which the first position becomes another one; without `evaluation` those too that
    change the lines of `evaluate`.  `start` is the first state, if the caller knows it; games that draw lots in the
    setup have none.
    """
    search = _Search(game, start)
    found = search.judged(search.members())
    return [one for one in found if (one.keeps_setup or not setup) and (one.keeps_evaluation or not evaluation)]


def symmetries_of_play(game: Game, go_on: Callable[[], bool] = lambda: True) -> list[Symmetry]:
    """All symmetries of moves and results, the identity first; whether they keep anything else is not asked.

    `go_on` is asked before each candidate: where it says no, the group that is found by then is returned.
    """
    return _Search(game, None).members(go_on)


def likely_symmetries(game: Game, holds: Callable[[Symmetry], bool], most: int) -> list[Symmetry]:
    """Renamings of places, players and named values, of so many, that a test does not refute: a group, or the identity.

    They are not proved, so they are for what is right without them, too, as what is learned from examples is.
    """
    found = list[Symmetry]()
    for values, slots in islice(_candidates(game), most):
        images = dict(values)
        kinds = tuple(
            Kind(action.name, tuple(
                _act(param.sort, images.get(param.sort.name)) if isinstance(param.sort, Sort) else None
                for param in action.params))
            for action in game.actions
        )  # fmt: skip
        one = Symmetry(game, values, (), kinds)
        if not slots and (one.is_identity or holds(one)):
            found.append(one)
    known = {one.key for one in found}
    whole = all(one.then(other).key in known for one in found for other in found)
    return found if whole else [one for one in found if one.is_identity]


class _Search:
    """Proves candidates, one after the other."""

    def __init__(self, game: Game, start: bytes | None):
        self.game = game
        self.ready = prepared(game)
        self.relations = Relations(self.ready)
        self.budget = Budget()  # of what is asked: what is a symmetry, what keeps evaluations, what the setup
        self._given = start

    @cached_property
    def start(self) -> bytes | None:
        """The first position; None where it is drawn by lots, or not known."""
        return None if self.game.draws_lots else self._given or first_position(self.game)

    def members(self, go_on: Callable[[], bool] = lambda: True) -> list[Symmetry]:
        """The symmetries of moves and results."""
        group = _Group(self.game)
        for values, slots in _candidates(self.ready):
            if self.budget.is_spent or (group.members and not go_on()):
                break
            group.offer(Symmetry(self.game, values, slots), self._proved)
        return group.members

    def judged(self, members: list[Symmetry]) -> list[Symmetry]:
        """The same, each with what it keeps."""
        evaluated = self._part(members, self._keeps_evaluation)
        settled = self._part(members, self._keeps_setup)
        for one in members:
            one.keeps_evaluation = one.key in evaluated
            one.keeps_setup = one.key in settled
            one.keeps_start = one.keeps_setup and one.players[0] == 1
        return members

    def _proof(self, one: Symmetry, kinds: Mapping[str, Kind] | None = None) -> Proof:
        values = {name: _act(self.game.sorts[name], images) for name, images in one.values.items()}
        return Proof(self.ready, Renaming(values, one.slots), self.relations, self.budget, kinds)

    def _proved(self, one: Symmetry) -> Symmetry | None:
        proof = self._proof(one)
        if not one.is_identity and any(
            slot.width > 1 and not _stays(slot.sort, one.values.get(slot.sort.name))
            for slot in self.game.slots.values()
        ):
            return None  # the bytes of a position could not be renamed one by one
        if one.is_identity:
            kinds = tuple(Kind(action.name, (None,) * len(action.params)) for action in self.game.actions)
        elif proof.of_play():
            kinds = tuple(proof.kinds[action.name] for action in self.game.actions)
        else:
            return None
        return Symmetry(self.game, tuple(one.values.items()), tuple(one.slots.items()), kinds)

    def _part(self, members: list[Symmetry], holds: Callable[[Symmetry], bool]) -> set[object]:
        """The keys of those members of a group for which something holds that holds for all they make together."""
        self.budget = Budget()
        group = _Group(self.game)
        for one in members:
            if self.budget.is_spent:
                break
            group.offer(one, lambda it: it if it.is_identity or holds(it) else None)
        return {one.key for one in group.members}

    def _keeps_evaluation(self, one: Symmetry) -> bool:
        if not self.game.terms:
            return True
        names = [action.name for action in self.game.actions]
        return self._proof(one, dict(zip(names, one.move_kinds, strict=True))).of_evaluation()

    def _keeps_setup(self, one: Symmetry) -> bool:
        if self.start is not None:
            return one.state(self.start)[1:] == self.start[1:]
        return self._proof(one).of_setup()


class _Group:
    """Symmetries with all that they make together, as many as `MOST_FOUND` and `MOST_BYTES` allow."""

    def __init__(self, game: Game):
        self.game = game
        self._most = min(MOST_FOUND, max(1, MOST_BYTES // game.size))
        self.members: list[Symmetry] = []
        self._generators: list[Symmetry] = []
        self._keys: set[object] = set()
        self._refused: set[object] = set()
        self._is_full = False

    def offer(self, one: Symmetry, proved: Callable[[Symmetry], Symmetry | None]) -> None:
        """Takes one in, with all that follows, if it can be proved; none after one with which they were too many."""
        if self._is_full or one.key in self._keys or one.key in self._refused:
            return
        found = proved(one)
        if found is None:
            self._refused.add(one.key)
        else:
            self._is_full = not self._closed_with(found)

    def _closed_with(self, one: Symmetry) -> bool:
        """Adds a generator and closes the group again; or leaves it as it is, where that would be too many.

        The members so far are a subgroup; its cosets are added as a whole, each as the product of one that is there
        with a generator.
        """
        if not self.members:
            self.members, self._keys = [one], {one.key}  # the identity
            return True
        members, keys, generators = list(self.members), set(self._keys), [*self._generators, one]
        size, at = len(members), 0
        while at < len(members):
            for generator in generators:
                if members[at].then(generator).key in keys:
                    continue
                if len(members) + size > self._most:
                    return False
                coset = [member.then(generator) for member in members[at : at + size]]
                members += coset
                keys.update(member.key for member in coset)
            at += size
        self.members, self._keys, self._generators = members, keys, generators
        return True


# ------------------------------------------------------------------------------------------ candidates


def _candidates(game: Game) -> Iterator[tuple[Named, Slots]]:
    """Renamings that may be symmetries, the identity first."""
    exchanges = list(_exchanges(game))
    players = game.players.high
    turns = [tuple((p + by) % players + 1 for p in range(players)) for by in range(players)]
    for board, turn, (values, slots) in islice(product(list(board_maps(game)), turns, exchanges), MOST_CANDIDATES):
        yield (*_board_values(game, board), ("player", turn), *values), slots


def _board_values(game: Game, board: BoardMap) -> Iterator[tuple[str, Images]]:
    for name, images in (("cell", board.cells), ("direction", board.directions), *board.sites):
        if images and name in game.sorts:
            yield name, images


def _exchanges(game: Game) -> Iterator[tuple[Named, Slots]]:
    """What may be exchanged besides places and players: values and state variables that occur alike."""
    occurring = _occurrences(game)
    used = {sort.name for slot in game.slots.values() for sort in (*slot.params, slot.sort)}
    used |= {param.sort.name for action in game.actions for param in action.params if isinstance(param.sort, Sort)}
    fixed = {"player", "cell", "direction", "edge", "corner", "bool", "int"}
    axes: list[list[tuple[str, Any]]] = []
    for sort in game.sorts.values():
        if sort.labels and sort.name in used - fixed:
            classes = _classes(sort.values(), lambda value, sort=sort: occurring[sort.name, value])  # type: ignore[misc]
            axes.append([(sort.name, tuple(images[v] for v in sort.values())) for images in _permuted(classes)])
    own = [slot for slot in game.slots.values() if slot.name not in IMPLICIT and not slot.stack and not slot.part_of]
    names = [slot.name for slot in own]
    alike = _classes(names, lambda name: (game.slots[name].params, game.slots[name].sort, occurring["slot", name]))
    by_name = [("slots", tuple((a, b) for a, b in images.items() if a != b)) for images in _permuted(alike)]
    size = prod(len(axis) for axis in (*axes, by_name))
    for chosen in product(*axes, by_name) if size <= MOST_EXCHANGED else [tuple(axis[0] for axis in (*axes, by_name))]:
        yield tuple(chosen[:-1]), chosen[-1][1]


def _classes(items: Any, profile: Callable[[Any], object]) -> list[list[Any]]:
    found: dict[object, list[Any]] = {}
    for item in items:
        found.setdefault(profile(item), []).append(item)
    return list(found.values())


def _permuted(classes: list[list[Any]]) -> Iterator[dict[Any, Any]]:
    """All permutations within the classes, the identity first; only that if they are too many."""
    if prod(factorial(min(len(one), 10)) for one in classes) > MOST_EXCHANGED:
        yield {item: item for one in classes for item in one}
        return
    for order in product(*(permutations(one) for one in classes)):
        yield {a: b for one, other in zip(classes, order, strict=True) for a, b in zip(one, other, strict=True)}


def _occurrences(game: Game) -> Mapping[tuple[str, Any], object]:
    """For each named value, and each state variable, in which steps and columns of tables it occurs how often."""
    counts: dict[tuple[str, Any], Counter[object]] = {}

    def look(item: Any, where: object) -> None:
        kind: Any = type(item)
        if kind is Const:
            counts.setdefault((item.sort.name, item.value), Counter())[where] += 1
        elif kind is tuple:
            for one in item:
                look(one, where)
        elif kind not in WITHOUT_VARS and hasattr(kind, "__slots__"):
            values = fields_of(kind)(item)
            slot = getattr(item, "slot", None)
            if slot is not None:
                counts.setdefault(("slot", slot), Counter())[kind.__name__] += 1
            for place, one in enumerate(values if kind is not Each else ()):  # the ends of a range are no values
                look(one, (kind.__name__, place))

    setup: Effects = ()
    play = replace(game, setup=setup, examples=(), claims=(), rules=_rules_of_play(game))
    asked = tables_asked(play)
    for body in all_bodies(play):
        look(body, "")
    for effects in [round_ for action in game.actions for round_ in action.rounds]:
        for effect in all_effects(effects):
            look(effect, "")
    for table in (game.tables[name] for name in sorted(asked)):
        plain = [i for i, sort in enumerate(table.sorts) if not sort.labels]
        for column, sort in enumerate(table.sorts):
            if sort.labels and sort.name not in ("cell", "direction", "player"):
                for row in table.rows:
                    told = tuple(row[i] for i in plain)
                    counts.setdefault((sort.name, row[column]), Counter())[table.name, column, told] += 1
    return _Frozen(counts)


def _rules_of_play(game: Game) -> dict[str, Rule]:
    """The rules that moves and results depend on: without those that only `evaluate`, `show` and queries ask."""
    named = [name for result in game.numbered.values() for _, name in result.compared]
    named += [name for action in game.actions for name in (action.worth, action.weight) if name]
    named += [name for name in (game.out, *(slot.seen for slot in game.slots.values())) if name]
    bodies = all_bodies(replace(game, rules={name: game.rules[name] for name in named}))
    asked = (step for body in bodies for step in asked_steps(game, all_steps(body)))
    found = {*named, *(step.rule for step in asked if isinstance(step, Ask))}
    return {name: rule for name, rule in game.rules.items() if name in found}


class _Frozen(dict[Any, Any]):
    """Counts that can be compared and hashed; none for what does not occur."""

    def __init__(self, counts: dict[tuple[str, Any], Counter[object]]):
        super().__init__({key: frozenset(found.items()) for key, found in counts.items()})

    def __missing__(self, key: object) -> object:
        return frozenset()


def _act(sort: Sort, images: Images | None) -> Act:
    if images is None or _stays(sort, images):
        return None
    return {**dict(zip(sort.values(), images, strict=True)), sort.none: sort.none}


def _stays(sort: Sort, images: Images | None) -> bool:
    return images is None or images == tuple(sort.values())


def _composed(first: Act, second: Act) -> Act:
    if first is None or second is None:
        return second if first is None else first
    both = {value: second.get(to, to) for value, to in first.items()}
    return None if all(a == b for a, b in both.items()) else both
