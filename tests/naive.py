"""Rules, played as docs/manual.md says: word for word, from the syntax tree, slowly.

In: the text of rules, values of its options.  Out: a `Naive` game, which says of any position how it has ended, which
moves are legal, in their order and with the positions after them, and what `evaluate` says; and how the game begins.

It is a judge of the checker, whose mistakes both printers share: so it imports nothing of the checker, the model, the
printers or the engines, and is neither clever nor quick.  What it does not read raises `NotCovered`: variants, and
drawings in setup.  Cells, directions, players and words of a type are their names; numbers, `True`, `False` and `None`
(none) are themselves; sets are lists in the order of their type, stacks lists from below.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from operator import add, eq, floordiv, ge, gt, le, lt, mod, mul, ne, sub
from typing import Any

from pysolve.dsl.errors import Source
from pysolve.dsl.text import nodes as s
from pysolve.dsl.text.syntax import parse

LONGEST_TURN = 64  # moves that are looked at to find out what a turn is worth
STEPS = 300_000  # phrases that are read for one question, unless more are allowed
SQUARE = {"north": (0, 1), "northeast": (1, 1), "east": (1, 0), "southeast": (1, -1),
          "south": (0, -1), "southwest": (-1, -1), "west": (-1, 0), "northwest": (-1, 1)}  # fmt: skip
HEX = {"northeast": (0, 1), "east": (1, 0), "southeast": (1, -1),
       "southwest": (0, -1), "west": (-1, 0), "northwest": (-1, 1)}  # fmt: skip
POINTS = {"northeast": "ene", "east": "ese", "southeast": "s", "southwest": "wsw", "west": "wnw", "northwest": "n"}
COMPARISONS = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
SUMS = {"+": add, "-": sub, "*": mul, "//": floordiv, "%": mod, "^": pow}
Place = tuple[Any, ...]  # a state and its arguments
Paid = dict[str, Fraction]  # what each player gets
Times = Callable[[tuple[str, ...]], int]  # how often the position has occurred, whatever these states are


class NotCovered(Exception):
    """A phrase that is not read here, or a question that takes too many steps."""


class Missing(Exception):
    """There is no such value: a cell off the board, `none` where a value is needed, the first of nothing."""


class Mistake(Exception):
    """An effect that cannot be carried out."""


@dataclass(frozen=True)
class Kind:
    """A type: its values in their order (None: `int`, or a type of sets); `optional` if `none` is one more.

    That of a stack has those of what lies in it, and how many these are at `most`.
    """

    values: Sequence[Any] | None
    optional: bool = False
    most: int | None = None

    def has(self, value: Any) -> bool:
        return self.optional if value is None else self.values is None or value in self.values


BOOL = Kind((False, True))


@dataclass
class Position:
    """`moved` has just moved: the player before `mover`, unless the turn went on, to somebody else, or over others."""

    mover: str
    moved: str
    state: dict[Place, Any]


@dataclass(frozen=True)
class Here:
    """Where a phrase is read: the position, who is `mover` if it is not who is to move, variables, the game so far."""

    position: Position
    who: str | None = None
    names: dict[str, Any] = field(default_factory=dict)
    turns: int = 0
    times: Times = lambda ignored: 1

    @property
    def mover(self) -> str:
        return self.who or self.position.mover

    def knowing(self, names: Sequence[str], values: Sequence[Any]) -> Here:
        return replace(self, names={**self.names, **dict(zip(names, values, strict=True))})


class Board:
    """Cells in their order with column and row, and where a step leads."""

    def __init__(self, board: s.Board, sizes: list[int], shape: s.Drawing | None):
        form, (width, height) = board.form, (sizes * 2 or [0, 0])[:2]
        self.hex = form in ("hexagon", "rhombus", "triangle", "star")
        self.lines = [[name.name for name in line] for lines in board.lines for line in lines]
        self.directions = {} if form == "graph" else HEX if self.hex else SQUARE
        self.around = width if form in ("cylinder", "torus") else 0
        self.over = height if form == "torus" else 0
        rows = [text.split() for _, text in reversed(shape.lines)] if shape is not None else []
        inside: dict[str, Callable[[int, int], bool]] = {
            "hexagon": lambda x, y: width < x + y < 3 * width, "triangle": lambda x, y: x + y <= width + 1,
            "star": lambda x, y: (lie := sorted((x, y, 6 * width + 3 - x - y)))[0] > width or lie[2] < 3 * width + 2,
        }  # fmt: skip
        fits = inside.get(form, lambda x, y: x <= width and y <= height and (not rows or rows[y - 1][x - 1] == "#"))
        ways = range(1, 4 * width + 2 if form == "star" else 2 * max(width, height))
        self.places = {f"{letters(x)}{y}": (x, y) for y in ways for x in ways if fits(x, y)}
        for name in [name for line in self.lines for name in line]:  # lies where its name says, or behind those before
            found = re.fullmatch("([A-Za-z])([0-9]+)", name)
            at = (ord(found[1].lower()) - ord("a") + 1, int(found[2])) if found else (len(self.places) + 1, 1)
            self.places.setdefault(name, at)
        self.cells = sorted(self.places, key=lambda name: self.places[name][::-1])
        self.at = {place: cell for cell, place in self.places.items()}
        self.points: dict[str, tuple[Any, Any]] = {}  # where edges and corners lie, by their names, in order
        self.sites = {kind: self.lying(kind) for kind in ("edge", "corner")}

    def lying(self, kind: str) -> dict[tuple[str, str], str]:
        """The edges, or the corners, of each cell, by direction: they lie in the mean of the places around them."""
        ways, found, names = [*self.directions.values()], dict[tuple[str, str], str](), dict[Any, str]()
        for cell, (i, direction) in product(self.cells, enumerate(self.directions)):
            near = [i] if kind == "edge" else [i, i + 1] if self.hex else [i - 1, i, i + 1]
            if self.hex or (kind == "edge") == (0 in ways[i]):
                around = [(0, 0), *(ways[n % len(ways)] for n in near)]
                mean = (Fraction(sum(axis), len(around)) for axis in zip(*around, strict=True))
                word = re.sub("(north|south|east|west)", lambda part: part[0][0], direction)
                word = POINTS[direction] if self.hex and kind == "corner" else word
                place = self.on_ring(*map(add, self.places[cell], mean))
                found[cell, direction] = names.setdefault(place, cell + word)
        self.points |= {name: place for place, name in names.items()}
        return found

    def on_ring(self, x: Any, y: Any) -> tuple[Any, Any]:
        return (x % self.around if self.around else x), (y % self.over if self.over else y)

    def beside(self, kind: str, one: str) -> list[str]:
        """The edges, corners or cells of another one of these."""
        if one in self.places:
            return [name for (cell, _), name in self.sites[kind].items() if cell == one]
        if kind == "cell":
            return [cell for sites in self.sites.values() for (cell, _), name in sites.items() if name == one]
        ways, back = [*self.directions], 0 if self.hex else -1
        ends = [(self.sites["edge"][cell, ways[(ways.index(way) + by) % len(ways)]], corner)
                for (cell, way), corner in self.sites["corner"].items() for by in (back, 1)]  # fmt: skip
        return [corner if kind == "corner" else edge for edge, corner in ends if one in (edge, corner)]

    def step(self, cell: str, direction: str) -> str | None:
        (x, y), (dx, dy) = self.places[cell], self.directions[direction]
        x = (x + dx - 1) % self.around + 1 if self.around else x + dx
        y = (y + dy - 1) % self.over + 1 if self.over else y + dy
        there = self.at.get((x, y))
        return None if there == cell else there

    def ray(self, cell: str, direction: str) -> list[str]:
        """The cells beyond a cell in a direction; once around, a line ends."""
        found: list[str] = []
        there = self.next(cell, direction)
        while there is not None and there != cell:
            found.append(there)
            there = self.next(there, direction)
        return found

    def next(self, one: str, direction: str) -> str | None:
        """Where a step leads from a cell; or the next edge or corner that lies like one."""
        if one in self.places:
            return self.step(one, direction)
        kind = next(kind for kind, sites in self.sites.items() if one in sites.values())
        there = self.on_ring(*map(add, self.points[one], self.directions[direction]))
        return next((name for name in self.sites[kind].values() if self.points[name] == there), None)

    def rays(self, cell: str) -> list[list[str]]:
        """By direction, or along the lines of a graph."""
        found = [self.ray(cell, direction) for direction in self.directions]
        for line, at in [(line, line.index(cell)) for line in self.lines if cell in line]:
            found += [line[:at][::-1], line[at + 1 :]]
        return [ray for ray in found if ray]

    def walk(self, cell: str, steps: int, direction: str) -> str:
        ray = self.ray(cell, direction if steps > 0 else self.opposite(direction))
        if abs(steps) > len(ray):
            raise Missing
        return ray[abs(steps) - 1] if steps else cell

    def opposite(self, direction: str) -> str:
        return self.turned(direction, len(self.directions) // 2)

    def turned(self, direction: str, by: int) -> str:
        return [*self.directions][([*self.directions].index(direction) + by) % len(self.directions)]

    def between(self, one: str, other: str) -> list[str] | None:
        """None if they lie on no common line; of several ways the shortest, of these the first."""
        ways = [ray[: ray.index(other)] for ray in self.rays(one) if other in ray]
        return min(ways, key=len) if ways else None

    def named(self, name: str) -> list[str] | None:
        """The sets of directions and cells that have a name."""
        straight = [d for d, way in self.directions.items() if self.hex or 0 in way]
        near = {cell: {ray[0] for ray in self.rays(cell)} for cell in self.cells}
        corners = [cell for cell in near if all(len(near[cell]) < len(near[other]) for other in near[cell])]
        curved = [d for d in self.directions if d not in straight]
        return {"orthogonals": straight, "diagonals": curved, "corners": corners}.get(name)


def letters(column: int) -> str:
    """a, b, …, z, aa, ab, …"""
    return (letters((column - 1) // 26) if column > 26 else "") + chr(ord("a") + (column - 1) % 26)


class Naive:
    """One game, with its options."""

    def __init__(self, text: str, **options: Any):
        self.steps, self.most_steps = 0, STEPS
        self.sections = parse(Source("rules", text)).sections
        if any(isinstance(one, s.Game) and one.extends for one in self.sections):
            raise NotCovered("a variant")
        self.constants: dict[str, Any] = {"true": True, "false": False, "on": True, "off": False}
        (seats,) = self._all(s.Players)
        everybody = [name.name for name in seats.names]
        self.kinds = {"int": Kind(None), "bool": BOOL, "player": self._words(everybody)}
        self.nowhere = Here(Position(everybody[0], everybody[0], {}))
        self.absent: list[str] = []
        self.slots: dict[str, tuple[list[Kind], Kind]] = {}
        self.columns: dict[str, dict[Any, Any]] = {}
        self.defines = {one.name.name: one for one in self._all(s.Define)}
        self.effects = {one.name.name: one for one in self._all(s.Effect)}
        self.kinds_of_moves = {one.name.name: one for one in self._all(s.Move)}
        self.types = {one.name.name: one.body for one in self._all(s.Type)}
        listed = [one.items for one in self._all(s.Option, "domain") if isinstance(one, s.SetOf)]
        listed += [one.names for one in self.types.values() if isinstance(one, s.NamesType)]
        for word in [one.name for words in listed for one in words if isinstance(one, s.Name)]:
            self.constants.setdefault(word, word)
        for option in self._all(s.Option):
            default = self.value(option.default, self.nowhere)
            self.constants |= {name.name: options.get(name.name, default) for name in option.names}
        count = len(everybody) if seats.count is None else self.value(seats.count, self.nowhere)
        self.players, self.absent, self.out = everybody[:count], everybody[count:], seats.out
        self.kinds["player"] = Kind(self.players)
        for board in self._all(s.Board):
            drawn = (shape for shape in board.shapes if shape.when is None or self.holds(shape.when, self.nowhere))
            self.board = Board(board, [self.value(size, self.nowhere) for size in board.sizes], next(drawn, None))
            self.kinds["cell"] = self._words(self.board.cells)
            self.kinds["direction"] = self._words(list(self.board.directions))
            self.kinds |= {kind: self._words([*dict.fromkeys(of.values())]) for kind, of in self.board.sites.items()}
        for name, body in self.types.items():
            self.kinds[name] = self.kind(body)
        for entry in self._all(s.State, "entries"):
            self.slots[entry.name.name] = [self.kind(param) for param in entry.params], self.kind(entry.type)
        for table in self._all(s.Table):
            rows = [[(self._if_there(entry, self.nowhere) or [None])[0] for entry in row] for _, row in table.rows]
            known = [row for row in rows if row[0] is not None]
            self.columns |= {name.name: {row[0]: row[i] for row in known} for i, name in enumerate(table.columns, 1)}
        self.stuck = next(iter(self._all(s.Stuck, "result")), None)
        self.endings = self._all(s.End, "endings")

    def _all(self, kind: type, part: str = "") -> list[Any]:
        found = [section for section in self.sections if isinstance(section, kind)]
        parts = [getattr(section, part) for section in found] if part else found
        return [one for some in parts for one in (some if isinstance(some, tuple) else [some])]

    def _words(self, words: list[str]) -> Kind:
        self.constants |= {word: word for word in words}
        return Kind(words)

    def kind(self, type: s.TypeExpr | None) -> Kind:
        match type:
            case s.NamedType(name=name):
                return self.kinds[name] if name in self.kinds else self.kind(self.types[name])
            case s.RangeType(low=low, high=high):
                return Kind(range(self.value(low, self.nowhere), self.value(high, self.nowhere) + 1))
            case s.SetType():
                return Kind(None)
            case s.StackType(of=of, most=most):
                return replace(self.kind(of), most=self.value(most, self.nowhere))
            case s.OptionalType(of=of):
                return replace(self.kind(of), optional=True)
            case s.NamesType(names=names):
                return self._words([name.name for name in names])
        raise NotCovered("a parameter without a type")

    def next(self, player: str) -> str:
        return self.players[(self.players.index(player) + 1) % len(self.players)]

    def holds(self, phrase: s.Expr, here: Here) -> bool:
        """Whether a condition is true; one that needs a value that does not exist is false."""
        return any(self._if_there(phrase, here))

    def members(self, phrase: s.Expr, here: Here) -> Sequence[Any]:
        """The members of a set; one of a thing that does not exist is empty."""
        return (self._if_there(phrase, here) or [[]])[0]

    def value(self, phrase: s.Expr, here: Here) -> Any:
        """The value of a phrase; raises `Missing` if it has none."""
        self.steps += 1
        if self.steps > self.most_steps:
            raise NotCovered("a question that takes so long")
        return READ[type(phrase)](self, phrase, here)

    def _needed(self, phrase: s.Expr, here: Here) -> Any:
        """A value that is not none."""
        if (value := self.value(phrase, here)) is None:
            raise Missing
        return value

    def _if_there(self, phrase: s.Expr, here: Here, value: Callable[..., Any] | None = None) -> list[Any]:
        """The value as a list, which is empty if there is none."""
        try:
            return [(value or self.value)(phrase, here)]
        except Missing:
            return []

    def sorted(self, values: Sequence[Any]) -> list[Any]:
        """Values in the order of their type, each once."""
        found = list(dict.fromkeys(value for value in values if value is not None))
        words = [kind.values for kind in self.kinds.values() if kind.values and {*found} <= {*kind.values}]
        return sorted(found, key=words[0].index) if found and isinstance(found[0], str) else sorted(found)

    def _binary(self, phrase: s.Binary, here: Here) -> Any:
        op, left, right = phrase.op, phrase.left, phrase.right
        if op in COMPARISONS:
            return any(self._if_there(phrase, here, self._compared))
        if op in ("union", "except", "intersect"):
            one, other = self.members(left, here), self.members(right, here)
            return self.sorted([*one, *other] if op == "union" else [v for v in one if (v in other) == (op[0] == "i")])
        return self._computed(op, self._needed(left, here), self._needed(right, here))

    def _compared(self, phrase: s.Member | s.Binary, here: Here) -> bool:
        if isinstance(phrase, s.Member):
            return self.value(phrase.item, here) in self.members(phrase.within, here)
        value = self.value if phrase.op in ("=", "!=") else self._needed
        left, right = value(phrase.left, here), value(phrase.right, here)
        if isinstance(left, bool) != isinstance(right, bool) and {left, right} & {"on", "off"}:
            left, right = (one == "on" if isinstance(one, str) else one for one in (left, right))
        return bool(COMPARISONS[phrase.op](left, right))

    def _computed(self, op: str, left: Any, right: Any) -> Any:
        if op == "*" and (isinstance(left, str) or isinstance(right, str)):  # so many steps in a direction
            return (right, left) if isinstance(left, str) else (left, right)
        if isinstance(left, str):  # a cell
            count, direction = right if isinstance(right, tuple) else (1, right)
            return self.board.walk(left, count if op == "+" else -count, direction)
        if (op in ("//", "%") and right == 0) or (op == "^" and not 0 <= right <= 30):
            raise Missing
        return SUMS[op](left, right)

    def _quantified(self, phrase: s.Quantified, here: Here) -> bool:
        found = (self.holds(phrase.body, each) for each in self.choices(phrase.binders, phrase.where, here))
        return all(found) if phrase.kind == "every" else any(found) == (phrase.kind == "some")

    def _named(self, name: str, here: Here) -> Any:
        if name in here.names:
            return here.names[name]
        if name in ("mover", "opponent"):
            return self.next(here.mover) if name == "opponent" else here.mover
        if name == "opponents" and name not in {**self.slots, **self.defines}:
            return [player for player in self.players if player != here.mover]
        if name in self.absent:
            raise Missing
        if name in self.slots or name in self.defines:
            return self._called(name, (), here)
        if name in self.constants:
            return self.constants[name]
        if name == "turns":
            return here.turns
        found = self.kinds[name].values if name in self.kinds else self.board.named(name)
        if found is None:
            raise NotCovered(name)
        return found

    def _called(self, name: str, args: Sequence[s.Expr], here: Here) -> Any:
        if name == "possible":
            kind = self.kinds_of_moves[args[0].name]
            return any(True for _ in self._of_kind(kind, replace(here.position, mover=here.mover)))
        if name in ("top", "height") and name not in self.defines and name not in self.slots:
            stack = here.position.state[self._stack(args[0], here)]
            return len(stack) if name == "height" else stack[-1] if stack else None
        try:
            values = [self.value(arg, here) for arg in args]
            if name in self.defines:
                return self._defined(self.defines[name], values, here)
            if name in self.slots:
                return here.position.state[self._place(name, values)]
            return self._function(name, values, here)
        except Missing:
            if name != "aligned" and not (name in self.defines and self.is_condition(self.defines[name], {})):
                raise
            return False

    def _defined(self, define: s.Define, values: list[Any], here: Here) -> Any:
        """What a definition says; its body knows its parameters and nothing else."""
        if not all(map(Kind.has, [self.kind(param.type) for param in define.params], values)):
            raise Missing
        value = self.value(define.body, replace(here, names={}).knowing([p.name for p in define.params], values))
        if define.type is not None and not self.kind(define.type).has(value):
            raise Missing
        return value

    def _place(self, name: str, values: list[Any]) -> Place:
        if not all(kind.has(value) for kind, value in zip(self.slots[name][0], values, strict=True)):
            raise Missing
        return (name, *values)

    def _stack(self, phrase: s.Name | s.Call, here: Here) -> Place:
        return self._place(phrase.name, [self.value(arg, here) for arg in getattr(phrase, "args", ())])

    def _item(self, phrase: s.Item, here: Here) -> Any:
        stack, at = here.position.state[self._stack(phrase.stack, here)], self._needed(phrase.at, here)
        if not 1 <= at <= len(stack):
            raise Missing
        return stack[at - 1]

    def _moved(self, state: dict[Place, Any], line: s.Push | s.Take, here: Here) -> None:
        """What is done with stacks, in the order of the lines: what they say is read before."""
        onto = self._if_there(line.onto, here, self._stack) if line.onto else [None]
        if isinstance(line, s.Push):
            taken = [self._sure(line.value, here)]
        else:
            count, places = self._sure(line.count, here), self._if_there(line.stack, here, self._stack)
            if count is None or not places or not 0 <= count <= len(stack := state[places[0]]):
                raise Mistake
            taken, state[places[0]] = stack[len(stack) - count :], stack[: len(stack) - count]
        if not onto:
            raise Mistake
        if onto[0] is not None:
            kind = self.slots[onto[0][0]][1]
            state[onto[0]] = state[onto[0]] + taken
            if not all(map(kind.has, taken)) or len(state[onto[0]]) > (kind.most or 0):
                raise Mistake

    def _function(self, name: str, values: list[Any], here: Here) -> Any:
        if name in self.columns and values[0] in self.columns[name]:
            return self.columns[name][values[0]]
        board, (one, *more) = getattr(self, "board", None), values
        functions: dict[str, Callable[[], Any]] = {
            "neighbours": lambda: self.sorted([ray[0] for ray in board.rays(one)]),
            "between": lambda: self.sorted(board.between(one, *more) or []),
            "ray": lambda: self.sorted(board.ray(one, *more)),
            "edge": lambda: (
                board.sites["edge"].get((one, *more))
                if more
                else [cell for cell in board.cells if board.step(cell, one) is None]
            ),
            "corner": lambda: board.sites["corner"].get((one, *more)),
            "edges": lambda: self.sorted(board.beside("edge", one)),
            "corners": lambda: self.sorted(board.beside("corner", one)),
            "cells": lambda: self.sorted(board.beside("cell", one)),
            "aligned": lambda: board.between(one, *more) is not None,
            "column": lambda: board.places[one][0],
            "row": lambda: board.places[one][1],
            "opposite": lambda: board.opposite(one),
            "clockwise": lambda: board.turned(one, 1),
            "abs": lambda: abs(one),
            "min": lambda: min(one, *more),
            "max": lambda: max(one, *more),
            "root": lambda: math.isqrt(one) if one >= 0 else None,
            "next": lambda: self.next(one),
            "moves": lambda: sum(1 for _ in self._legal(replace(here.position, mover=one))),
        }
        if name not in {**functions, **self.columns}:
            raise NotCovered(f"the function {name}")
        if None in values or name in self.columns or (found := functions[name]()) is None:
            raise Missing
        return found

    def is_condition(self, phrase: Any, params: dict[str, Kind]) -> bool:
        """Whether a phrase is true or false by itself: so it is false where something in it does not exist."""
        match phrase:
            case s.Conditional(then=then):
                return self.is_condition(then, params)
            case s.Name(name=name) if name in params:
                return params[name] == BOOL
            case s.Name(name=name) | s.Call(name=name) if name in self.defines:
                return self.is_condition(self.defines[name], {})
            case s.Name(name=name) | s.Call(name=name):
                return name in ("aligned", "possible") or (name in self.slots and self.slots[name][1] == BOOL)
            case s.Define(type=type, body=body):
                kinds = {param.name: self.kind(param.type) for param in phrase.params}
                return self.is_condition(body, kinds) if type is None else self.kind(type) == BOOL
        by_itself = isinstance(phrase, s.And | s.Or | s.Not | s.Member | s.Quantified)
        return by_itself or (isinstance(phrase, s.Binary) and phrase.op in COMPARISONS)

    def choices(self, binders: Sequence[s.Binder], where: s.Expr | None, here: Here) -> Iterator[Here]:
        """Where the rest of a phrase is read: once for each choice of the variables."""
        if not binders:
            if where is None or self.holds(where, here):
                yield here
            return
        binder, *rest = binders
        members = self.members(binder.within, here) if binder.within else self.kind(binder.type).values
        for values in product(members or (), repeat=len(binder.names)):
            chosen = here.knowing([name.name for name in binder.names], values)
            if binder.where is None or self.holds(binder.where, chosen):
                yield from self.choices(rest, where, chosen)

    def _aggregate(self, phrase: s.Aggregate, here: Here) -> Any:
        """Of what has no value nothing is counted, added or compared."""
        of = phrase.of or phrase.binders[0].names[0]
        choices = self.choices(phrase.binders, phrase.where, here)
        if phrase.kind == "count":
            return sum(1 for _ in choices)
        found = [value for each in choices for value in self._if_there(of, each)]
        if phrase.kind != "first":
            found = [value for value in found if value is not None]
        if not found and phrase.kind != "sum":
            raise Missing
        return {"sum": sum, "most": max, "least": min, "first": lambda of: of[0]}[phrase.kind](found)

    def _spread(self, phrase: s.Reach | s.Steps, here: Here) -> dict[Any, int]:
        """From each member a step further, until nothing new is reached: how many steps lead to each value."""
        step = self.defines[phrase.relation]
        given = [self.value(arg, here) for arg in phrase.args]
        found = dict.fromkeys(self._as_set(phrase.start, here), 0)
        for one in (waiting := [*found]):
            for other in self.kind(step.params[-1].type).values or ():
                names = [str(i) for i in range(len(given) + 2)]
                leads = s.Call(phrase.span, phrase.relation, tuple(s.Name(phrase.span, name) for name in names))
                if other not in found and self.holds(leads, here.knowing(names, [*given, one, other])):
                    found[other] = found[one] + 1
                    waiting.append(other)
        return found

    def _as_set(self, phrase: s.Expr, here: Here) -> Sequence[Any]:
        value = self.value(phrase, here)
        return value if isinstance(value, list | range) else [value]

    def _steps(self, phrase: s.Steps, here: Here) -> int:
        found = self._spread(phrase, here)
        ways = [found[one] for one in self._as_set(phrase.goal, here) if one is not None and one in found]
        if not ways:
            raise Missing
        return min(ways)

    def _legal(self, position: Position) -> Iterator[tuple[s.Move, Here]]:
        """The moves that fulfil what is demanded; of the kinds with `prefer`, those that are worth the most."""
        best = self._best(position, LONGEST_TURN)
        for kind in self.kinds_of_moves.values():
            for move, here in self._of_kind(kind, position):
                if kind.prefer is None or self._worth(kind, here, LONGEST_TURN) == best:
                    yield move, here

    def _best(self, position: Position, ahead: int) -> int | None:
        kinds = [kind for kind in self.kinds_of_moves.values() if kind.prefer is not None]
        found = [self._worth(*move, ahead) for kind in kinds for move in self._of_kind(kind, position)]
        return max(found, default=None)

    def _worth(self, kind: s.Move, here: Here, ahead: int) -> int:
        """What a move is worth, with the best moves of the same turn behind it."""
        assert kind.prefer is not None
        own = self._counted(kind.prefer.value, here)
        try:
            after = self._passed(*self._rounds(kind.do, here), here.position.mover)  # chance is not preferred
        except Mistake:
            return own
        goes_on = ahead > 0 and len(self.players) > 1 and after.mover == here.position.mover
        return own + ((self._best(after, ahead - 1) or 0) if goes_on else 0)

    def _of_kind(self, kind: s.Move, position: Position) -> Iterator[tuple[s.Move, Here]]:
        """The legal moves of a kind in their order: what is chosen; where something is drawn, nobody chooses."""
        if not kind.chance:
            kinds = [one for one in self.kinds_of_moves.values() if one.chance]
            if any(True for one in kinds for _ in self._of_kind(one, position)):
                return
        params = [s.Binder(p.span, (s.Name(p.span, p.name),), p.type, p.within) for p in kind.params]
        for chosen in self.choices(params, None, Here(position)):
            for here in self._demanded(kind.when, chosen):
                if kind.chance and not self._weight(kind, here) > 0:
                    continue
                try:
                    after = replace(here, position=self._rounds(kind.do, here)[0]) if kind.after else here
                except Mistake:  # which is found when the move is carried out
                    yield kind, here
                    continue
                if all(self.holds(demand.condition, after) for demand in kind.after):
                    yield kind, here

    def _weight(self, kind: s.Move, here: Here) -> int:
        """How likely a move of chance is; what has no weight is not possible."""
        return 1 if kind.weight is None else self._counted(kind.weight, here)

    def weights(self, position: Position) -> list[int] | None:
        """How likely all moves are, in their order; None where a player chooses."""
        moves = list(self._legal(position))
        return [self._weight(*move) for move in moves] if moves and moves[0][0].chance else None

    def view(self, position: Position, player: str) -> dict[Place, Any]:
        """The values of a position as a player sees them; `?` stands for what is unknown."""
        entries = {entry.name.name: entry for entry in self._all(s.State, "entries")}
        return {
            place: value if self._sees(entries[place[0]], place[1:], position, player) else
            ["?"] * len(value) if isinstance(value, list) else "?"
            for place, value in position.state.items()
        }  # fmt: skip

    def _sees(self, entry: s.StateEntry, args: Place, position: Position, player: str) -> bool:
        named = [(name.name, arg) for name, arg in zip(entry.names, args, strict=True) if name is not None]
        here = Here(position).knowing([name for name, _ in named], [arg for _, arg in named])
        if entry.sight is None or entry.sight.who is None:
            return entry.sight is None
        if entry.sight.all:
            return self.holds(entry.sight.who, here)
        return any(player in (who if isinstance(who, list) else [who]) for who in self._if_there(entry.sight.who, here))

    def _demanded(self, lines: Sequence[s.Demand | s.Let], here: Here) -> Iterator[Here]:
        """Where the rest of a move is read: nowhere if a line under `when` does not hold, or its `let` has no value."""
        for line in lines:
            for name, phrase in line.bindings if isinstance(line, s.Let) else ():
                if not (found := self._if_there(phrase, here)):
                    return
                here = here.knowing([name.name], found)
            if isinstance(line, s.Demand) and not self.holds(line.condition, here):
                return
        yield here

    def _rounds(self, body: Sequence[s.Statement], here: Here) -> tuple[Position, str | None]:
        """The lines at once, then the rounds after them; who gets the turn by the last `again` or `turn to`."""
        lines = list(self._lines(body, here))
        written = [self._written(line, inside) for line, inside in lines if isinstance(line, s.Assign)]
        position = replace(here.position, state={**here.position.state, **dict(written)})
        for line, inside in [line for line in lines if isinstance(line[0], s.Push | s.Take)]:
            self._moved(position.state, line, inside)
        given = [here.mover if isinstance(line, s.Again) else self._sure(line.who, inside)
                 for line, inside in lines if isinstance(line, s.Again | s.TurnTo)]  # fmt: skip
        if None in given:
            raise Mistake
        turn = given[-1] if given else None
        for block, inside in [line for line in lines if isinstance(line[0], s.Then)]:
            position, later = self._rounds(block.body, replace(inside, position=position))
            turn = later or turn
        return position, turn

    def _passed(self, position: Position, who: str | None, moved: str) -> Position:
        """The turn goes to who has it given, or to the next one, or behind that to the first who is not out."""
        first = turn = who or self.next(moved)
        for _ in self.players:
            if self.out is None or not self.holds(self.out, Here(replace(position, mover=turn, moved=moved))):
                return replace(position, mover=turn, moved=moved)
            turn = self.next(turn)
        position = replace(position, mover=first, moved=moved)
        if self._ended(position, 0, Here.times) is None:
            raise Mistake
        return position

    def _lines(self, body: Sequence[s.Statement], here: Here, lots: Any = None) -> Iterator[Any]:
        """The simple lines in their order, each with where it is read: `if`, `for` and effects are taken apart."""
        for line in body:
            match line:
                case s.Let(bindings=bindings):
                    for name, phrase in bindings:
                        here = here.knowing([name.name], [self._sure(phrase, here)])
                case s.IfBlock(test=test, then=then, otherwise=otherwise):
                    yield from self._lines(then if self.holds(test, here) else otherwise, here, lots)
                case s.ForBlock(binders=binders, where=where, body=inner):
                    for each in list(self.choices(binders, where, here)):
                        yield from self._lines(inner, each, lots)
                case s.CallEffect(call=call):
                    effect = self.effects[call.name]
                    values = [self._sure(arg, here) for arg in call.args]
                    kinds = [self.kind(param.type) for param in effect.params]
                    if not all(map(Kind.has, kinds, values)):
                        raise Mistake
                    inside = replace(here, names={}).knowing([param.name for param in effect.params], values)
                    yield from self._lines(effect.body, inside, lots)
                case s.Repeat(times=times, body=inner):
                    for _ in range(self._sure(times, here)):
                        yield from self._lines(inner, here, lots)
                case s.Pick(binder=binder, where=where):
                    (name,) = [name.name for name in binder.names]
                    values = [each.names[name] for each in self.choices((binder,), where, here)]
                    if not values:
                        raise Mistake
                    here = here.knowing([name], [values[(next(lots) >> 32) * len(values) >> 32]])
                case _:
                    yield line, here

    def _sure(self, phrase: s.Expr, here: Here) -> Any:
        if not (found := self._if_there(phrase, here)):
            raise Mistake
        return found[0]

    def _written(self, line: Any, here: Here) -> tuple[Place, Any]:
        args = [self._sure(arg, here) for arg in line.place.args] if isinstance(line.place, s.Call) else []
        value = self._sure(line.value, here)
        params, kind = self.slots[line.place.name]
        if not all(map(Kind.has, (*params, kind), (*args, value))):
            raise Mistake
        return (line.place.name, *args), value

    def places(self) -> Iterator[tuple[Place, Kind]]:
        """Every place of a position, with its type."""
        for name, (params, kind) in self.slots.items():
            for args in product(*(param.values or () for param in params)):
                yield (name, *args), kind

    def start(self, seed: int = 0) -> Position:
        """The initial position.  Lines happen one after another: each changes the position that the next one reads."""
        self.steps = 0
        state = {place: [] if kind.most else None if kind.optional or not kind.values else kind.values[0]
                 for place, kind in self.places()}  # fmt: skip
        position = Position(self.players[0], self.players[0], state)
        for line, here in self._lines(self._all(s.Setup, "body"), Here(position), lots_of(seed)):
            if isinstance(line, s.Push | s.Take):
                self._moved(state, line, here)
                continue
            if not isinstance(line, s.Assign):
                raise NotCovered(f"{type(line).__name__} in setup")
            if line.place.name == "mover":
                position.mover = self.value(line.value, here)
            else:
                state.update([self._written(line, here)])
        before = self.players[self.players.index(position.mover) - 1]
        return self._passed(position, position.mover, before)

    def outcome(self, position: Position, turns: int = 0, times: Times = Here.times) -> tuple[int, Paid] | None:
        """The line of the ending that holds, 0 for `stuck`, and what each player gets; None if there is none."""
        self.steps = 0
        if ended := self._ended(position, turns, times):
            return ended
        if self.stuck is None or isinstance(self.stuck, s.Pass) or any(True for _ in self._legal(position)):
            return None
        return 0, self._paid(self.stuck, Here(position))

    def _ended(self, position: Position, turns: int, times: Times) -> tuple[int, Paid] | None:
        here = Here(position, position.moved, {}, turns, times)
        for ending in self.endings:
            who = ending.result.who if isinstance(ending.result, s.Wins) else None
            absent = isinstance(who, s.Name) and who.name in self.absent
            nobody = who is not None and not absent and not any(self._if_there(who, here))
            if not absent and not nobody and self.holds(ending.condition, here):
                return ending.span.line, self._paid(ending.result, here)
        return None

    def _paid(self, result: s.Result | None, here: Here) -> Paid:
        match result:
            case s.Wins(who=who, loses=loses):
                player = self.value(who, here)
                return self._shared([one for one in self.players if (one == player) != loses])
            case s.Contest(rankings=rankings, otherwise=otherwise, ranks=ranks):
                scores = {one: self._scores(rankings, one, here) for one in self.players}
                first = [one for one in self.players if scores[one] == max(scores.values())]
                if ranks and len(self.players) > 2:
                    return self._by_place(scores)
                return self._shared(first) if len(first) == 1 or otherwise is None else self._paid(otherwise, here)
            case s.Pay(span=span, name=name):
                paid = {one: Fraction(self._counted(s.Call(span, name.name, (s.Name(span, one),)), here))
                        for one in self.players}  # fmt: skip
                if len(paid) > 1 and sum(paid.values()):
                    raise Mistake(f"line {span.line}: what is paid adds up to {sum(paid.values())}")
                return paid
        return dict.fromkeys(self.players, Fraction(0))

    def _scores(self, rankings: Sequence[tuple[str, s.Name]], player: str, here: Here) -> list[int]:
        """The numbers of a player, the larger the better."""
        numbers = [(kind, self._counted(s.Call(name.span, name.name, (s.Name(name.span, player),)), here))
                   for kind, name in rankings]  # fmt: skip
        return [number if kind == "most" else -number for kind, number in numbers]

    def _shared(self, first: Sequence[str]) -> Paid:
        """Those who share the first place get alike, what the others lose in equal parts."""
        number, some = len(self.players), len(first)
        if number == 1:
            return {one: Fraction(1 if first else -1) for one in self.players}
        loss = Fraction(-1, number - 1) if some < number else Fraction(0)
        return {one: -loss * (number - some) / some if one in first else loss for one in self.players}

    def _by_place(self, scores: dict[str, list[int]]) -> Paid:
        """Places pay from 1 to -1 in equal steps; who is equal gets the mean."""
        order = sorted(scores.values(), reverse=True)
        pays = [1 - Fraction(2 * place, len(order) - 1) for place in range(len(order))]
        means = {one: [pay for pay, score in zip(pays, order, strict=True) if score == scores[one]] for one in scores}
        return {one: sum(equal, Fraction(0)) / len(equal) for one, equal in means.items()}

    def _counted(self, phrase: s.Expr, here: Here) -> int:
        """A number; what does not exist counts as 0."""
        return (self._if_there(phrase, here) or [None])[0] or 0

    def moves(self, position: Position) -> list[tuple[str, dict[str, Any], Position]]:
        """The legal moves of a position that is not the end, in their order, with the positions after them."""
        self.steps, found = 0, []
        for kind, here in self._legal(position):
            after, turn = self._rounds(kind.do, here)
            turn = turn or (position.mover if kind.chance else None)
            chosen = {param.name: here.names[param.name] for param in kind.params}
            found.append((kind.name.name, chosen, self._passed(after, turn, position.mover)))
        if not found and isinstance(self.stuck, s.Pass):
            found = [("pass", {}, self._passed(position, None, position.mover))]
        return found

    def estimate(self, position: Position) -> tuple[int, ...]:
        """What `evaluate` says for each player."""
        self.steps, others = 0, len(self.players) - 1
        found = dict.fromkeys(self.players, 0)
        for term in self._all(s.Evaluate, "terms"):
            for me in self.players:
                pairs = [(me, you) for you in self.players if you != me] or [(me, me)]
                mine, theirs = (
                    sum(self._counted(term.value, Here(position, None, {"me": one, "you": two})) for one, two in some)
                    for some in (pairs, [pair[::-1] for pair in pairs])
                )
                worth = Fraction(term.weight * (mine - theirs if others else mine), max(1, others))
                found[me] += math.trunc(worth)
        return tuple(found.values())


def lots_of(seed: int) -> Iterator[int]:
    """splitmix64."""
    mask = 2**64 - 1
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        lot = ((seed ^ seed >> 30) * 0xBF58476D1CE4E5B9) & mask
        lot = ((lot ^ lot >> 27) * 0x94D049BB133111EB) & mask
        yield lot ^ lot >> 31


# How a phrase is read, by its kind.
READ: dict[type, Callable[[Naive, Any, Here], Any]] = {
    s.Number: lambda game, phrase, here: phrase.value,
    s.NoneWord: lambda game, phrase, here: None,
    s.Name: lambda game, phrase, here: game._named(phrase.name, here),
    s.Call: lambda game, phrase, here: game._called(phrase.name, phrase.args, here),
    s.Item: Naive._item,
    s.Minus: lambda game, phrase, here: (
        game.board.opposite(of) if isinstance(of := game._needed(phrase.of, here), str) else -of),
    s.Not: lambda game, phrase, here: not game.holds(phrase.of, here),
    s.And: lambda game, phrase, here: game.holds(phrase.left, here) and game.holds(phrase.right, here),
    s.Or: lambda game, phrase, here: game.holds(phrase.left, here) or game.holds(phrase.right, here),
    s.Member: lambda game, phrase, here: any(game._if_there(phrase, here, game._compared)) != phrase.negated,
    s.Binary: Naive._binary,
    s.Conditional: lambda game, phrase, here: game.value(
        phrase.then if game.holds(phrase.test, here) else phrase.otherwise, here),
    s.Quantified: Naive._quantified,
    s.Aggregate: Naive._aggregate,
    s.Interval: lambda game, phrase, here: range(game._needed(phrase.low, here), game._needed(phrase.high, here) + 1),
    s.SetOf: lambda game, phrase, here: game.sorted([one for of in phrase.items for one in game._if_there(of, here)]),
    s.SetWhere: lambda game, phrase, here: game.sorted(
        [each.names[phrase.binder.names[0].name] for each in game.choices((phrase.binder,), phrase.where, here)]),
    s.Reach: lambda game, phrase, here: game.sorted([*game._spread(phrase, here)]),
    s.Steps: Naive._steps,
    s.Repeated: lambda game, phrase, here: here.times(tuple(one.name for one in phrase.ignoring)) >= phrase.count,
}  # fmt: skip
