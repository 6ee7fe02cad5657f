"""Rules files drawn at random: small boards, many phrases, no sense.

In: a source of chance.  Out: the text of rules.  Most of them are accepted; those that are not are of no interest here.

An expression is drawn by its type: "cell", "player", "direction", "tint", "int", or a condition or a set of these.
What a place may name is in its scope: variable, type.  Choices that come first are the simplest, so that a source that
shrinks (as Hypothesis has it) finds simple rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import TypeVar

T = TypeVar("T")

BOARDS = {  # with some of their cells
    "square 3 by 3": ("a1", "b2", "c3"),
    "square 2 by 2": ("a1", "b2"),
    "square 5 by 4": ("b2", "e4", "c1"),
    "hex hexagon 2": ("b2", "b1", "a3"),
    "hex rhombus 3 by 2": ("a1", "c2"),
    "hex triangle 3": ("a1", "b2"),
    "hex star 1": ("d1", "c3", "a4"),
    "square 3 by 2\n  shape when 2 < 1\n    # # #\n    . # .\n  shape\n    # . #\n    # # #": ("a1", "c2"),
    "square 9 by 8": ("a1", "i8", "d5"),
    "square 1 by 7": ("a1", "a4"),
    "cylinder 4 by 3": ("a1", "d2", "b3"),
    "torus 3 by 4": ("a1", "c4"),
    "graph\n  line a1 b1 c1, a1 b2 c3\n  line c1 c3\n  line b1 b2": ("a1", "b2", "c3"),
}
SEATED = ("Ann", "Bob", "Cem", "Dan", "Eve")  # who may play where there are not two players who alternate
NAMES = {"player": ("Ann", "Bob"), "tint": ("red", "green", "blue")}
SQUARE = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
HEX = ("northeast", "east", "southeast", "southwest", "west", "northwest")
OPTIONS = {  # with their types
    "shade": ("tint", "red in tint"),
    "dye": ("tint", "blue in {green, blue}"),
    "guest": ("player", "Ann in {Bob, Ann}"),
    "steps": ("int", "1 in 0..3"),
    "swift": ("bool", "off"),
}
SHOWN = {  # how states look, where they are drawn
    "at": ('Ann "A" white disc, Bob "B" black disc, none "."',),
    "piece": ('red "r" red star, green "g" green, blue "b" ring, none ""', 'red "r", none "", green "g", blue "b"'),
    "flag": ('true "!" grey ring, false ""', 'false "", true "+"', 'true "!" grey bar edge east, false ""'),
    "stones": ('0 "", number grey', '4 "", number'),
    "spot": ('"@" red ring', '"@" red disc corner northeast'),
    "fence": ('true "" brown, false "."', 'false "", true "x" red bar'),
    "peg": ('Ann "A" white, Bob "B" black disc, none ""', 'Ann "a", Bob "b", none "."'),
    "token": ('"*"',),
    "home_of": ('Ann "H" white square, Bob "h" black square', 'Bob "(" ring corner southwest, Ann ")" ring'),
    "way_of": ('0 "zero", number red disc', "number"),
    "mark": ('none "", red "a red mark", green "a green one", blue "blue"',),
    "best": ('none "nothing yet", 0 "", 1 "one", 2 "", 3 "", 4 "", 5 "", 6 "", 7 "", 8 "", 9 "nine"',),
}
DERIVED = {  # how definitions look, by their values or by their parameters
    "bool": 'true "" red',
    "player": 'Bob "" blue square, Ann "+" edge west',
    "tint": 'green "g" green disc edge east, red ""',
}
GROUND = ("  ground points", '  under "M1 1L2 2A1 1 0 1 0 1 2Z" yellow hollow', '  under "M0 0H3" large')
CHANGES = ('true "" hollow', 'true "" large green, false "" small', 'true "" wide', 'false "!" small')
NEVER = {  # what a cell may never be, where these states are drawn, if the rules say so
    ("at", "piece"): ("at = none and piece != none", "at = Bob and piece in {red, blue}"),
    ("at", "flag"): ("flag and at = none", "flag and at = Ann"),
    ("stones",): ("stones = 3",),
    ("at", "stones"): ("at != none and stones = 0", "(at = none) != (stones = 0)"),
    ("piece", "flag"): ("not flag and piece = green",),
}
# Two states that look alike in part, which is allowed since the rest of it never is.
ALIKE = (
    '  at, piece: Ann red "R", Ann "A", Bob "B", none "."',
    "  never piece in {green, blue}",
    "  never at != Ann and piece != none",
)
OTHERS = {  # names of the rules, and what a variant may call them
    "Ann": "Cato", "Bob": "Dido", "red": "crimson", "blue": "azure", "tint": "hue", "worth": "merit", "shade": "tone",
    "move0": "go", "done0": "finish", "given0": "known0", "given1": "known1", "at": "lies", "stones": "heap", "n": "m",
    "swift": "quick", "stuck": "nowhere to go",
}  # fmt: skip
# A turn of up to three moves.
AGAIN = (
    "  then",
    "    if counter > 0",
    "      counter := counter - 1",
    "      again",
    "    else",
    "      counter := 2",
)
LARGE = ["2147483648", "1073741823", "1000000007", "60000"]
SIGNS = ("=", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Place:
    """A state variable: its parameters, its type, what it holds as the file has it, and its range if it is a number."""

    name: str
    params: tuple[str, ...]
    type: str
    text: str
    optional: bool = False
    low: int = 0
    high: int = 0


PLACES = (
    Place("at", ("cell",), "player", "player or none", True),
    Place("n", (), "int", "-2..3", low=-2, high=3),
    Place("heat", ("tint", "-1..2"), "int", "-5..5", low=-5, high=5),
    Place("spot", (), "cell", "cell or none", True),
    Place("flag", ("cell",), "bool", "bool"),
    Place("stones", ("cell",), "int", "0..4", low=0, high=4),
    Place("mark", (), "tint", "tint or none", True),
    Place("wide", ("player",), "int", "0..1000", low=0, high=1000),
    Place("token", (), "cell", "cell"),
    Place("best", (), "int", "0..9 or none", True, 0, 9),
    Place("piece", ("cell",), "tint", "tint or none", True),
    Place("line", ("-3..3",), "player", "player or none", True),
    Place("deep", (), "int", "-300..300", low=-300, high=300),
    Place("heading", (), "direction", "direction"),
    Place("seen", ("player", "cell"), "bool", "bool"),
    Place("home_of", ("player",), "cell", "cell or none", True),
    Place("way_of", ("-1..2",), "cell", "cell"),
    Place("far", (), "int", "100000..100009", low=100000, high=100009),
)
STACKS = (  # with what lies in them
    Place("pile", ("cell",), "tint", "stack of tint up to 3"),
    Place("hand", ("player",), "tint", "stack of tint up to 4"),
    Place("column_of", (), "player", "stack of player up to 5"),
    Place("counted", ("cell",), "int", "stack of -1..4 up to 2", low=-1, high=4),
)
SITED = (  # for boards whose cells have edges and corners
    Place("fence", ("edge",), "bool", "bool"),
    Place("peg", ("corner",), "player", "player or none", True),
    Place("gate", (), "edge", "edge or none", True),
    Place("tower", (), "corner", "corner"),
)
# Types of parameters.
WAYS = {"cell": "cell", "tint": "tint", "-1..2": "int", "-3..3": "int", "player": "player", "edge": "edge",
        "corner": "corner"}  # fmt: skip


class Rules:
    """Draws one file."""

    def __init__(self, chance: Random, seats: int | None = None):
        """`seats`: so many players, who need not alternate; None: two who do."""
        self.chance = chance
        self.seats = seats
        self.players = NAMES["player"] if seats is None else SEATED[: max(2, seats)]
        self.lines: list[str] = []
        self.numbers = 0
        self.scope: dict[str, str] = {}  # variables and their types
        self.definitions: list[tuple[str, tuple[str, ...], str]] = []  # name, parameters, type
        self.steps: list[str] = []  # what `reach` may go by
        self.options: dict[str, str] = {}  # and their types
        self.named: dict[str, set[str]] = {}  # effects of a cell, with the places that their lines write
        self.other = "opponent" if seats is None else "next(mover)"
        self.role = ("mover", self.other)
        board = self.one(list(BOARDS))
        self.graph = board.startswith("graph")
        self.directions = () if self.graph else HEX if board.startswith("hex") else SQUARE
        self.cells = BOARDS[board]
        self.small = "9" not in board
        self.places = [PLACES[0]]
        for place in PLACES[1:]:
            if self.often(30) and (self.directions or place.type != "direction"):
                self.places.append(place)
        self.preferring = self.often(15)
        self.large = self.often(15)  # are there numbers near the largest?
        self.sited = bool(self.directions) and self.often(25)
        self.places += [place for place in SITED if self.sited and (place.name == "fence" or self.often(50))]
        self.stacks = [stack for stack in STACKS if self.often(15)] if self.often(50) else []
        self.file(board)

    # ------------------------------------------------------------------------------------------ chance

    def below(self, count: int) -> int:
        return self.chance.randrange(count)

    def one(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def often(self, percent: int) -> bool:
        """True in so many cases of a hundred; false is simpler."""
        return self.below(100) >= 100 - percent

    def fresh(self) -> str:
        self.numbers += 1
        return f"k{self.numbers}"

    @contextmanager
    def knowing(self, **names: str) -> Iterator[None]:
        """Within, there are these variables too."""
        before = self.scope
        self.scope = {**before, **names}
        yield
        self.scope = before

    # ----------------------------------------------------------------------------------------- values

    def known(self, kind: str) -> list[str]:
        """What is there of a type without computing."""
        return [name for name, has in self.scope.items() if has == kind]

    def value(self, kind: str, depth: int = 2) -> str:
        """An expression of a type; it may have no value."""
        if depth <= 0 or not self.often(70):
            return self.one(self.plain(kind))
        more = []
        for place in self.places:
            if place.type == kind:
                more += 2 * [lambda place=place: self.place(place, depth - 1)]
        for name, params, has in self.definitions:
            if has == kind:
                more += 2 * [lambda name=name, params=params: self.call(name, params, depth - 1)]
        for stack in self.stacks:
            if stack.type == kind:
                lying = lambda stack=stack: f"{self.place(stack, depth - 1)}[{self.value('int', depth - 1)}]"
                more += 2 * [lambda stack=stack: f"top({self.place(stack, depth - 1)})", lying]
            if kind == "int":
                more += 2 * [lambda stack=stack: f"height({self.place(stack, depth - 1)})"]
        more += [lambda: f"(if {self.condition(depth - 1)} then {self.value(kind, depth - 1)} "
                         f"else {self.value(kind, depth - 1)})",
                 lambda: f"(first {self.binder(kind, depth - 1)})"]  # fmt: skip
        if kind == "int" and self.steps and self.often(30):
            goal = self.set("cell", depth - 1) if self.often(40) else self.value("cell", depth - 1)
            more += 2 * [lambda: f"(steps from {self.value('cell', depth - 1)} to {goal} by {self.one(self.steps)})"]
        more += {"int": self.numbers_of, "cell": self.cells_of, "direction": self.directions_of,
                 "edge": self.sites_of("edge"), "corner": self.sites_of("corner"),
                 "tint": self.tints_of, "player": self.players_of}[kind](depth - 1)  # fmt: skip
        return self.one(more)()

    def plain(self, kind: str) -> Sequence[str]:
        """Values that are there: mostly variables, if there are some."""
        known = self.known(kind)
        if known and self.often(80):
            return known
        match kind:
            case "int":
                return ["1", "0", "2", "-1", "3", "7", *LARGE * self.large, *self.set_as("int")]
            case "cell":
                return self.cells
            case "player":
                return [*self.role, *self.role, *self.players, *self.set_as("player")]
            case "direction":
                return self.directions
            case "edge" | "corner":
                return [f"{kind}({cell}, {way})" for cell in self.cells for way in self.directions]
        return [*NAMES[kind], *self.set_as(kind)]

    def set_as(self, kind: str) -> list[str]:
        """The options of a type."""
        return [name for name, has in self.options.items() if has == kind]

    def numbers_of(self, depth: int) -> list:
        value, cell = (lambda: self.value("int", depth)), (lambda: self.value("cell", depth))
        found = [
            lambda: f"({value()} {self.one(['+', '-', '*', '//', '%'])} {value()})",
            lambda: f"{self.one(['column', 'row'])}({cell()})",
            lambda: f"{self.one(['min', 'max'])}({value()}, {value()})",
            lambda: f"abs({value()})",
            lambda: f"(-{value()})",
            lambda: f"({value()} ^ {self.one(['2', '1', '3', '0'])})",
            lambda: f"root({value()})",
            lambda: f"worth({self.value('tint', depth)})",
            *5 * [lambda: self.fold(depth)],
        ]
        if self.large:
            found += 3 * [lambda: self.large_number(depth)]
        return found

    def large_number(self, depth: int) -> str:
        """A number that may be near the largest, or so large that the rules are refused."""
        value, few = self.value("int", depth), f"min(9, max(-9, {self.value('int', depth)}))"
        root = f"root({self.one(LARGE)} ^ 2 {self.one('+-')} {few})"
        forms = ["({value} * {large})", "({few} ^ {power})", "({few} * {largest})", "({value} // {large})", "{root}",
                 "(if {value} < 5 and {value} > -5 then {value} ^ 25 else {few})"]  # fmt: skip
        return self.one(forms).format(value=value, few=few, large=self.one(LARGE), power=self.one(["9", "19", "20"]),
                                      largest="2147483648 * 119304647", root=root)  # fmt: skip

    def fold(self, depth: int) -> str:
        word, kind = self.one(["count", "sum", "most", "least"]), self.kind()
        if word == "count":
            return f"(count {self.binder(kind, depth, several=True)})"
        name, within = self.fresh(), self.members(kind, depth)
        with self.knowing(**{name: kind}), self.second(depth) as more:
            within += more
            where = f" where {self.condition(depth)}" if self.often(60) else ""
            of = f" of {self.value('int', depth)}" if word == "sum" or kind != "int" or self.often(50) else ""
        return f"({word} {name} {within}{where}{of})"

    def cells_of(self, depth: int) -> list:
        cell = lambda: self.value("cell", depth)
        found = [lambda: f"home({self.value('player', depth)})"]
        if self.directions:
            way = lambda: self.value("direction", depth)
            found += [
                lambda: f"({cell()} + {way()})",
                lambda: f"({cell()} - {way()})",
                lambda: f"({cell()} + {self.one(['2', *self.known('int'), '3'])} * {way()})",
            ]
        return found

    def directions_of(self, depth: int) -> list:
        way = lambda: self.value("direction", depth)
        return [lambda: f"opposite({way()})", lambda: f"clockwise({way()})"]

    def sites_of(self, kind: str) -> Callable[[int], list]:
        """Edges or corners of cells."""

        def some(depth: int) -> list:
            way = lambda: self.value("direction", depth)
            return [
                lambda: f"{kind}({self.value('cell', depth)}, {way()})",
                lambda: f"({self.value(kind, depth)} {self.one('+-')} {way()})",
                lambda: f"({self.value(kind, depth)} + {self.one(['2', *self.known('int')])} * {way()})",
            ]

        return some

    def tints_of(self, depth: int) -> list:
        return [lambda: f"partner({self.value('tint', depth)})"]

    def players_of(self, depth: int) -> list:
        return [] if self.seats is None else [lambda: f"next({self.value('player', depth)})"]

    def place(self, place: Place, depth: int) -> str:
        """A state variable with its arguments."""
        return self.applied(place.name, [self.argument(param, depth) for param in place.params])

    def argument(self, param: str, depth: int) -> str:
        if WAYS[param] != "int":
            return self.value(WAYS[param], depth)
        low, high = map(int, param.split(".."))
        numbers = [place for place in self.places if place.type == "int" and not place.params]
        if numbers and self.often(30):
            return self.one(["{0}", "{0} + 1", "-{0}"]).format(self.one(numbers).name)
        known = self.known("int")
        return self.one(known) if known and self.often(70) else str(low + self.below(high - low + 1))

    def call(self, name: str, params: Sequence[str], depth: int) -> str:
        return self.applied(name, [self.value(param, depth) for param in params])

    def applied(self, name: str, args: list[str]) -> str:
        return f"{name}({', '.join(args)})" if args else name

    def kind(self) -> str:
        """The type of a variable to be tried."""
        more = ["edge", "corner"] if self.sited else []
        return self.one(["cell", "int", "player", "tint", *(["direction"] if self.directions else []), *more])

    def binder(self, kind: str, depth: int, several: bool = False) -> str:
        """`x in set where …`."""
        name, within = self.fresh(), self.members(kind, depth)
        with self.knowing(**{name: kind}), self.second(depth if several else 0) as more:
            return f"{name} {within}{more}" + (f" where {self.condition(depth)}" if self.often(70) else "")

    @contextmanager
    def second(self, depth: int) -> Iterator[str]:
        """Sometimes `, y in set` behind the first variable, on which the set may depend, and a condition on that."""
        if depth <= 0 or not self.often(30):
            yield ""
            return
        name, kind = self.fresh(), self.kind()
        where = f" where {self.condition(depth)}" if self.often(30) else ""
        within = self.members(kind, depth)
        with self.knowing(**{name: kind}):
            yield f"{where}, {name} {within}"

    def members(self, kind: str, depth: int) -> str:
        """Where a variable comes from: a type or a set."""
        if kind != "int" and self.often(50):
            return f": {kind}"
        return f"in {self.set(kind, depth)}"

    # ------------------------------------------------------------------------------------------- sets

    def set(self, kind: str, depth: int) -> str:
        value = lambda: self.value(kind, depth - 1)
        some = [lambda: f"{{{value()}, {value()}}}"]
        if kind == "int":
            some = [
                lambda: f"{self.one(['0', '1', '-1'])}..{self.one(['2', '3'])}",
                lambda: f"0..{value()}",
                lambda: f"{value()}..{self.one(['2', *self.set_as('int')])}",
                lambda: self.one(["3..2", "0..-1", *(f"2..{name}" for name in self.set_as("int"))]),
                lambda: f"{value()}..{value()} - {self.one(['67', '66000'])}",
            ]
        elif kind in ("player", "tint"):
            some.append(lambda: kind)
            if kind == "player" and self.seats is not None:
                some.append(lambda: "opponents")
        elif kind == "direction" and self.directions:
            some += [lambda: "orthogonals", lambda: "diagonals"]
        elif kind in ("edge", "corner"):
            other = {"edge": "corner", "corner": "edge"}[kind]
            some += [lambda: f"{kind}s({self.value('cell', depth - 1)})",
                     lambda: f"{kind}s({self.value(other, depth - 1)})", lambda: kind]  # fmt: skip
        elif kind == "cell":
            if self.sited:
                some += 2 * [lambda: f"cells({self.value(self.one(['edge', 'corner']), depth - 1)})"]
            some += [lambda: f"neighbours({value()})", lambda: f"between({value()}, {value()})", lambda: "cell"]
            if self.directions:
                some.append(lambda: f"edge({self.value('direction', depth - 1)})")
                some.append(lambda: f"ray({value()}, {self.value('direction', depth - 1)})")
            if self.steps:
                some += 3 * [lambda: f"(reach from {value()} by {self.one(self.steps)})"]
        for name, params, has in self.definitions:
            if has == f"set of {kind}":
                some += 2 * [lambda name=name, params=params: self.call(name, params, depth - 1)]
        if depth > 0:
            some += [
                lambda: f"({self.set(kind, depth - 1)} {self.one(['union', 'except', 'intersect'])} "
                        f"{self.set(kind, depth - 1)})",
                lambda: self.described(kind, depth - 1),
                lambda: f"(if {self.condition(depth - 1)} then {self.set(kind, depth - 1)} "
                        f"else {self.set(kind, depth - 1)})",
            ]  # fmt: skip
        return self.one(some)()

    def described(self, kind: str, depth: int) -> str:
        name, within = self.fresh(), self.members(kind, depth)
        with self.knowing(**{name: kind}):
            return f"{{{name} {within} where {self.condition(depth)}}}"

    # ------------------------------------------------------------------------------------- conditions

    def condition(self, depth: int = 2) -> str:
        kind = self.kind()
        value = lambda kind=kind: self.value(kind, depth - 1)
        some = [
            lambda: f"{self.read(depth - 1)}",
            lambda: f"{value()} {self.one(['=', '!='])} {value()}",
            lambda: f"{value('int')} {self.one(SIGNS)} {value('int')}",
            lambda: f"{value()} {self.one(['in', 'not in'])} {self.set(kind, depth - 1)}",
        ]
        for place in self.places:
            if place.type == "bool":
                some.append(lambda place=place: self.place(place, depth - 1))
        some += [lambda name=name: name for name in self.set_as("bool")]
        for name, params, has in self.definitions:
            if has == "bool":
                some.append(lambda name=name, params=params: self.call(name, params, depth - 1))
        if depth > 0:
            some += [
                lambda: f"({self.condition(depth - 1)} {self.one(['and', 'or'])} {self.condition(depth - 1)})",
                lambda: f"(not {self.condition(depth - 1)})",
                lambda: f"aligned({value('cell')}, {value('cell')})",
                lambda: self.quantified(depth - 1),
                lambda: f"(({self.condition(depth - 1)}) = ({self.condition(depth - 1)}))",
            ]
        return self.one(some)()

    def read(self, depth: int) -> str:
        """The commonest condition: a place holds a value, or none."""
        place = self.one([place for place in self.places if place.type != "bool"])
        other = "none" if place.optional and self.often(40) else self.value(place.type, depth - 1)
        if re.fullmatch(r"-?\d+", other):
            other = str(place.low + self.below(min(5, place.high - place.low + 1)))
        return f"{self.place(place, depth)} {self.one(['=', '!='])} {other}"

    def quantified(self, depth: int) -> str:
        word, kind = self.one(["some", "every", "no"]), self.kind()
        name, within = self.fresh(), self.members(kind, depth)
        with self.knowing(**{name: kind}), self.second(depth) as more:
            where = f" where {self.condition(depth)}" if self.often(40) else ""
            return f"({word} {name} {within}{more}{where} has {self.condition(depth)})"

    # ---------------------------------------------------------------------------------------- the file

    def file(self, board: str) -> None:
        self.lines += ['game "Drawn by lot"', *self.seated(), f"board {board}", "type tint = red, green, blue",
                       "table tint  worth  partner", "  red  5  blue", "  green  -7  green", "  blue  300  none",
                       "table player  home",
                       *(f"  {name}  {self.cells[at % 2]}" for at, name in enumerate(self.players))]  # fmt: skip
        for name, (kind, values) in OPTIONS.items():
            if self.often(20):
                self.lines.append(f"option {name} = {values}")
                self.options[name] = kind
        self.lines.append("state")
        for place in [*self.places, *self.stacks]:
            params = f"({', '.join(place.params)})" if place.params else ""
            self.lines.append(f"  {place.name}{params}: {place.text}")
        if self.preferring:
            self.lines.append("  counter: 0..2")
        for number in range(self.below(6)):
            self.define(f"given{number}")
        if self.seats is not None and self.often(50):
            name, rest = self.one(self.players), self.condition(1)
            self.lines[1] += f"\n  out when {self.one([f'mover = {name} and {rest}', 'at(home(mover)) = mover', rest])}"
        if self.often(80):
            self.setup()
        for number in range(self.one([0, 0, 1, 2])):
            self.lines.append(f"effect done{number}(c: cell)")
            with self.knowing(c="cell"):
                self.named[f"done{number}"] = self.round("  ", 1)
        names = [f"move{number}" for number in range(1 + self.below(3))]
        for number, name in enumerate(names):
            self.move(name, names[:number])
        self.lines.append("stuck")
        outcomes = ["draw", 'draw because "stuck"', "pass", "mover loses", "Ann wins", *self.contests()]
        self.lines.append(f"  {self.one(outcomes)}")
        self.end()
        if self.often(50):
            self.evaluate()
        if self.often(50):
            self.show()
        self.seen()

    def seated(self) -> list[str]:
        """The players, some of whom may not play."""
        if self.seats is None:
            return [f"players {', '.join(self.players)}"]
        if self.often(50):
            return [f"players {self.seats} of {', '.join(SEATED)}"]
        return [f"option seats = {self.seats} in 1..{len(SEATED)}", f"players seats of {', '.join(SEATED)}"]

    def show(self) -> None:
        """How some of the states look, and what a cell never is."""
        names = {place.name for place in self.places}
        self.lines.append("show")
        if "piece" in names and self.seats is None and self.often(30):
            self.lines += ALIKE
            return
        drawn = ["at", *(name for name in SHOWN if name in names - {"at"} and self.often(80))]
        self.lines += [f"  {name}: {self.one(self.looks(name))}" for name in drawn]
        if any(stack.name == "pile" for stack in self.stacks) and self.often(70):
            self.lines.append('  pile: red "R" red disc, green "G", none "_", blue "Z" blue ring')
        if self.directions == SQUARE and self.often(30):
            self.lines.append("  lines every 1")
        self.lines += [f"  {name}: {look}" for name, look in self.derived() if self.often(50)]
        self.lines += [line for line in self.aside() if self.often(20)]
        self.lines += self.drawn(Random("\n".join(self.lines)))
        for together, conditions in NEVER.items():
            if {*together} <= {*drawn} and self.often(80):
                self.lines.append(f"  never {self.one(conditions)}")

    def derived(self) -> Iterator[tuple[str, str]]:
        """Definitions that can be drawn, and how."""
        for name, params, kind in self.definitions:
            if params == ("cell",) and kind in DERIVED:
                yield name, DERIVED[kind]
            elif kind in ("cell", "set of cell") and params in ((), ("player",), ("tint",)):
                yield name, DERIVED[params[0]] if params else '"*" red'

    def drawn(self, lots: Random) -> list[str]:
        """What is seen in pictures alone, and changes no text: shapes, the ground, lines between cells."""
        found = ['  icon hut "M3 11L12 3L21 11V21H3Z", "M10 21v-6h4v6"', *(GROUND if not self.graph else ())]
        for name, params, kind in self.definitions:
            if params == ("cell", "cell") and kind == "bool":
                found.append(f'  {name}: true "" red small')
            elif params == ("cell",) and kind in ("cell", "set of cell"):
                found.append(f'  {name}: "" blue')
            elif params == ("cell",) and kind == "bool":
                found.append(f"  {name}: {lots.choice(CHANGES)}")
        return [line for line in found if lots.random() < 0.4]

    def aside(self) -> Iterator[str]:
        """What may lie beside the board, with a glyph or in words."""
        counted = {(): '"#" white cross', ("tint",): 'green "" green', ("player",): 'Ann "a" red disc'}
        for place in self.places:
            if place.params in counted and (place.params or place.type != "bool") and place.high < 1000:
                named = place.params != ("player",) or self.seats is None
                glyph = place.type == "int" and named and self.often(50)
                yield f"  beside {place.name}" + (f": {counted[place.params]}" if glyph else "")
        for name, params, kind in self.definitions:
            if kind in ("player", "tint", "cell", "set of cell") and params in ((), ("player",), ("tint",)):
                yield f"  beside {name}"

    def looks(self, name: str) -> list[str]:
        """How a state may look: the cells of a graph have neither edges nor corners."""
        if self.seats is not None and name in ("at", "home_of"):
            return [", ".join([*(f'{one} "{one[0]}{name[0]}"' for one in SEATED), *(['none "."'] * (name == "at"))])]
        return [look for look in SHOWN[name] if not (self.graph and re.search(r" (edge|corner) ", look))]

    def seen(self) -> None:
        """Definitions that are marked on the board, or told beside it."""
        for name, params, kind in self.definitions:
            if kind == "set of cell" and not params and self.often(50):
                self.lines.append(f'mark {name} {self.one(["", "red ", "blue "])}"marked {name}"')
            may_be_told = kind != "bool" if not params else len(params) == 1 and not kind.startswith("set of ")
            if may_be_told and self.often(30):
                self.lines.append(f'tell {name} "told {name}"')

    def define(self, name: str) -> None:
        kind = self.one(["bool", "int", "step", "set of cell", "cell", "player", "tint", "set of int"])
        if kind == "step":
            with self.knowing(a="cell", b="cell"):
                first = self.one(["b in neighbours(a)", "aligned(a, b)", "b = a + 1 * " + self.directions[0]
                                  if self.directions else "b in neighbours(a)"])  # fmt: skip
                rest = f" and {self.condition(1)}" if self.often(70) else ""
            if self.directions and self.often(40):
                first, rest = self.leap(), ""
            self.lines.append(f"define {name}(a, b: cell) = {first}{rest}")
            self.steps.append(name)
            self.definitions.append((name, ("cell", "cell"), "bool"))
            return
        params = tuple(self.one(["cell", "player", "tint"]) for _ in range(self.below(3)))
        letters = dict(zip("abc", params, strict=False))
        with self.knowing(**letters):
            if kind == "bool":
                text = self.condition(2)
            elif kind.startswith("set of "):
                text = self.set(kind.removeprefix("set of "), 2)
            else:
                text = self.value(kind, 2)
        nothing = [" or none" if self.often(20) else "" for _ in letters]
        written = ", ".join(f"{letter}: {param}{or_none}"
                            for (letter, param), or_none in zip(letters.items(), nothing, strict=True))  # fmt: skip
        announced = ": int" if kind == "int" else ""
        self.lines.append(f"define {name}{f'({written})' if written else ''}{announced} = {text}")
        self.definitions.append((name, params, kind))

    def leap(self) -> str:
        """One cell in some direction, as far as what lies around lets it."""
        with self.knowing(a="cell", d="direction"):
            within = self.one(["in orthogonals", ": direction", "in diagonals"])
            way = lambda: self.one(["d", "opposite(d)", "clockwise(d)", *self.directions[:2]])
            around = [f"{self.one(['', 'not '])}at({self.one('ab')} + {way()}) = {self.value('player', 1)}"
                      for _ in range(1 + self.below(2))]  # fmt: skip
            if self.often(30):
                around.append(self.condition(1))
        tests = self.one([" and ", " or "]).join(around)
        return f"some d {within} has b = a + d and ({tests})"

    def contests(self) -> list[str]:
        scores = [name for name, params, kind in self.definitions if kind == "int" and params == ("player",)]
        rest = ["", ", else draw", ", else Bob wins"]
        found = [f"{self.one(['most', 'least'])} {name}{self.one(rest)}" for name in scores]
        if self.seats is not None:
            rest = ["", *(f", then {self.one(['', 'most ', 'least '])}{name}" for name in scores)]
            found += [f"rank {self.one(['', 'least '])}{name}{self.one(rest)}" for name in scores]
        return found

    def end(self) -> None:
        endings = []
        ignored = self.one([*self.places, *self.stacks]).name
        again = "repeated 2" + self.one(["", "", " ignoring mover", f" ignoring {ignored}"])
        for _ in range(self.below(4)):
            other = "opponent wins" if self.seats is None else "Cem wins"
            computed = f"({self.value('player', 1)}) {self.one(['wins', 'loses'])}"
            result = self.one(["mover wins", "draw", other, "Ann loses", "mover loses", computed, *self.contests()])
            when = self.condition(2)
            if self.seats != 1 and self.often(15):
                when = self.one(["turns >= 7", again, f"({when}) and {again}", f"({when}) and turns >= 5"])
            endings.append(f"  {result} when {when}")
        self.lines += ["end", *endings] if endings else []

    def payments(self) -> None:
        """Says in the place of all results what each player gets: mostly what adds up to zero."""
        scores = [f"{name}(p)" for name, params, kind in self.definitions if kind == "int" and params == ("player",)]
        scores.append("(count c: cell where at(c) = p)")
        said = ["draw"]
        for number in range(1 + self.below(2)):
            score = f"min({self.one([5, 63])}, max(-{self.one([5, 63])}, {self.one(scores)}))"
            self.lines.append(f"define bounded{number}(p: player): int = {score}")
            less = self.one([f"bounded{number}(next(p))"] * 3 + ["2", f"bounded{number}({self.players[0]})"])
            half = self.one([f"bounded{number}(p) - {less}", f"(bounded{number}(p) - {less}) // 2"])
            self.lines.append(f"define net{number}(p: player): int = {half}")
            said += [f"pay net{number}"] * 3
        if "end" not in self.lines:
            self.lines += ["end", f"  draw when {self.condition(2)}"]
        begin, stuck = self.lines.index("end") + 1, self.lines.index("stuck") + 1
        for at in range(begin, len(self.lines)):
            if not self.lines[at].startswith("  ") or " when " not in self.lines[at]:
                break
            self.lines[at] = f"  {self.one(said)} when {self.lines[at].partition(' when ')[2]}"
        if self.lines[stuck] != "  pass":
            self.lines[stuck] = f"  {self.one(said)}"

    def evaluate(self) -> None:
        self.lines.append("evaluate")
        self.role = ("me", "you", "mover")
        for number in range(1 + self.below(3)):
            text = "moves(me)" if self.often(15) else self.value("int", 2)
            if "me" not in text.replace("(", " ").replace(")", " ").replace(",", " ").split():
                text = f"(if mover = me then {text} else 1)"
            self.lines.append(f"  term{number}  {self.one(['1', '-3', '10'])} : {text}")

    # ----------------------------------------------------------------------------------------- effects

    def setup(self) -> None:
        self.lines.append("setup")
        for _ in range(1 + self.below(3)):
            if self.often(40):
                self.lines.append(f"  repeat {self.one(['1', '3', f'row({self.cells[0]}) + 1'])} times")
                self.pick("    ")
            elif self.often(40):
                self.pick("  ")
            elif self.often(80):
                name = self.fresh()
                with self.knowing(**{name: "cell"}):
                    player = self.one(self.players)
                    self.lines.append(f"  for {name}: cell where {self.condition(1)}: at({name}) := {player}")
            else:
                self.effect("  ", 1, set())

    def pick(self, margin: str) -> None:
        name, kind = self.fresh(), self.one(["cell", "cell", "tint", "player"])
        with self.knowing(**{name: kind}):
            where = f" where {self.condition(1)}" if self.often(25) else ""
            self.lines.append(f"{margin}pick {name}: {kind}{where}")
            if kind == "cell" and self.often(80):
                self.lines.append(f"{margin}at({name}) := {self.one(self.players)}")
            else:
                self.effect(margin, 0, set())

    def move(self, name: str, others: list[str]) -> None:
        kinds = ["cell", "tint", "-1..2", "player", "-3..3", *(["direction"] if self.directions else [])]
        kinds += 2 * ["edge", "corner"] if self.sited and self.small else []
        params = self.one([["cell"], ["cell", "cell"], ["cell", "cell"], [self.one(kinds)], [],
                           [self.one(kinds), self.one(kinds)],
                           ["cell", self.one(kinds), "cell"] if self.small else ["cell"]])  # fmt: skip
        letters = [f"x{number}" for number in range(len(params))]
        types: dict[str, str] = {}
        written = []
        for letter, param in zip(letters, params, strict=True):
            kind = WAYS.get(param, param)
            with self.knowing(**types):
                written.append(f"{letter} {self.members(kind, 1)}" if self.often(15) else f"{letter}: {param}")
            types[letter] = kind
        self.lines.append(f"move {name}({', '.join(written)})" if written else f"move {name}")
        with self.knowing(**types):
            first = [self.condition(2) for _ in range(self.below(3))]
            if others and self.often(15):
                first.append(f"{self.one(['not possible', 'possible'])}({self.one(others)})")
            first += self.usual([letter for letter, kind in types.items() if kind == "cell"])
            named, value = {}, ""
            if self.often(25):
                kind = self.one(["int", "cell", "player"])
                value, named = self.value(kind), {self.fresh(): kind}
            with self.knowing(**named):
                second = [f"let {name} = {value}" for name in named] + [self.condition(2) for _ in named]
                if first or second:
                    self.lines += ["  when", *(f"    {line}" for line in (*first, *second))]
                self.lines.append("  do")
                self.rounds()
                if self.preferring and len(params) < 2 and self.often(50):
                    self.lines += [*AGAIN]
            if self.often(15):
                self.lines += [
                    "  after",
                    f"    {self.reached() if self.steps and self.often(50) else self.condition(2)}",
                ]
            if self.preferring and self.often(70):
                self.lines.append(f"  prefer most {self.value('int', 1)}")

    def chance_of(self, name: str) -> None:
        """A kind of moves that nobody chooses."""
        kinds = [("y1", "-1..2", "int"), ("y2", "player", "player"), ("y3", "cell", "cell"), ("y4", "tint", "tint")]
        self.role = ("mover", self.other)
        some = [] if self.often(15) else self.one([[kinds[0]], [kinds[1], kinds[0]], [kinds[3]], [kinds[2]]])
        params = ", ".join(f"{letter}: {written}" for letter, written, _ in some)
        self.lines.append(f"chance {name}({params})" if params else f"chance {name}")
        with self.knowing(**{letter: kind for letter, _, kind in some}):
            self.lines += ["  when", f"    {self.condition(2)}", f"    at(home(mover)) {self.one(['=', '!='])} none"]
            if self.often(70):
                value = self.value("int", 2)
                self.lines.append(f"  weight {self.one([f'max(0, min(9, {value}))', f'abs({value}) % 4', '2'])}")
            self.lines.append("  do")
            preferring, self.preferring = self.preferring, False
            self.rounds()
            self.preferring = preferring

    def veil(self) -> None:
        """Who sees some of the states, and what others read of some moves."""
        self.role = ("mover", self.other)
        first = self.lines.index("state") + 1
        for number in range(first, len(self.lines)):
            found = re.fullmatch(r"  (\w+)(?:\((.*)\))?: (.*)", self.lines[number])
            if found is None:
                break
            if self.often(30):
                continue
            types = found[2].split(", ") if found[2] else []
            names = {f"z{place}": kind for place, kind in enumerate(types, 1) if self.often(80)}
            params = [f"z{place}: {kind}" if f"z{place}" in names else kind for place, kind in enumerate(types, 1)]
            with self.knowing(**{name: WAYS[kind] for name, kind in names.items()}):
                who = [self.value("player", 2), self.set("player", 2), f"all where {self.condition(2)}", "nobody"]
            head = f"{found[1]}({', '.join(params)})" if params else found[1]
            self.lines[number] = f"  {head}: {found[3]} seen by {self.one(who)}"
        for number, line in enumerate(self.lines):
            if re.match("(move|chance) ", line) and self.often(50):
                self.lines[number] = f'{line} seen as "{self.one(["", "something", "a move"])}"'

    def reached(self) -> str:
        """A condition on what a closure reaches."""
        known = self.one([f"home({self.one(self.role)})", *self.known("cell")])
        with self.knowing(k="cell"):
            return f"{self.one(['some', 'no'])} k in reach from {known} by {self.one(self.steps)} has {self.read(1)}"

    def usual(self, cells: list[str]) -> list[str]:
        """What moves of pieces mostly demand: a piece of one's own, a way that is clear."""
        found = []
        if cells and self.often(60):
            found.append(f"at({cells[0]}) = {self.one(['mover', 'mover', 'none', self.other])}")
        if len(cells) > 1 and self.often(80):
            one, two = cells[:2]
            ways = [f"{two} in neighbours({one})", *[f"aligned({one}, {two})"] * 2, f"{one} != {two}"]
            found.append(self.one(ways))
            if found[-1].startswith("aligned"):
                clear = self.one(["at(k) = none", "at(k) != mover", f"at(k) = {self.other}", "at(k) != none"])
                found.append(f"every k in between({one}, {two}) has {clear}")
                if self.often(60):
                    found.append(f"at({two}) {self.one(['=', '!='])} {self.one(['none', 'mover', self.other])}")
        return found

    def rounds(self) -> None:
        """What a move does: lines, then blocks of rounds, some beside the `do`, some inside one another."""
        self.round("    ", 2)
        for _ in range(self.one([0, 0, 0, 1, 2])):
            self.lines.append("  then")
            self.round("    ", 1)

    def round(self, margin: str, depth: int) -> set[str]:
        """Lines that happen at once, and the rounds after them; returns the places that the lines write."""
        written: set[str] = set()
        names: dict[str, str] = {}
        if self.often(20):
            name, kind = self.fresh(), self.one(["int", "cell", "player"])
            self.lines.append(f"{margin}let {name} = {self.known_or_read(kind)}")
            names = {name: kind}
        with self.knowing(**names):
            for _ in range(1 + self.below(3)):
                self.effect(margin, 1, written)
            if not self.preferring and self.often(20):
                gives = self.seats is not None and self.often(60)
                self.lines.append(f"{margin}turn to {self.value('player', 1)}" if gives else f"{margin}again")
                written.add("mover")
            for name in [name for name, more in self.named.items() if written.isdisjoint(more) and self.often(15)]:
                self.lines.append(f"{margin}{name}({self.value('cell', 1)})")
                written |= self.named[name]
            for _ in range(self.one([0, 0, 0, 1, 1, 2]) if depth else 0):
                self.lines.append(f"{margin}then")
                self.round(f"{margin}  ", depth - 1)
        return written

    def known_or_read(self, kind: str) -> str:
        """A value without `if`, of which Prolog complains where nothing uses it."""
        read = [self.place(place, 0) for place in self.places if place.type == kind]
        return self.one([*self.plain(kind), *read])

    def effect(self, margin: str, depth: int, written: set[str]) -> None:
        """A line or a block that changes something; no place twice in a round."""
        if depth and self.often(25):
            self.lines.append(f"{margin}if {self.condition(1)}")
            self.effect(margin + "  ", depth - 1, written)
            if self.often(50):
                self.lines.append(f"{margin}else")
                self.effect(margin + "  ", depth - 1, written)
        elif depth and self.often(25):
            kind = self.one(["cell", "tint", "player"])
            name, within = self.fresh(), self.members(kind, 1)
            with self.knowing(**{name: kind}), self.second(1) as more:
                where = f" where {self.condition(1)}" if self.often(50) else ""
                self.lines.append(f"{margin}for {name} {within}{more}{where}")
                self.effect(margin + "  ", depth - 1, written)
        elif self.stacks and self.often(50):
            self.lines.append(margin + self.stacked())
        else:
            free = [place for place in self.places if place.name not in written] or self.places
            place = self.one(free)
            written.add(place.name)
            self.lines.append(f"{margin}{self.place(place, 1)} := {self.written(place)}")

    def stacked(self) -> str:
        """Something that is done with a stack, mostly what can be done."""
        stack = self.one(self.stacks)
        place = self.place(stack, 1)
        if self.often(40):
            value = self.value(stack.type, 1)
            value = f"max({stack.low}, min({stack.high}, {value}))" if stack.type == "int" else value
            return f"push {value} onto {place}"
        count = f"min(height({place}), {self.one(['1', '2', 'abs(' + self.value('int', 1) + ')'])})"
        count = count if self.often(80) else f"({self.value('int', 1)})"
        others = [other for other in self.stacks if other.text.split(" up ")[0] == stack.text.split(" up ")[0]]
        if self.often(40):
            return f"drop {count} from {place}"
        return f"take {count} from {place} onto {self.place(self.one(others), 1)}"

    def written(self, place: Place) -> str:
        """A value for a place, mostly one that it can hold."""
        if place.type == "bool":
            return self.one(["true", "false", f"({self.condition(1)})"])
        if place.optional and self.often(30):
            return "none"
        text = self.value(place.type, 1)
        if place.type == "int" and self.often(90):
            return f"max({place.low}, min({place.high}, {text}))"
        return text


def random_renames(chance: Random, text: str, parent: str) -> str:
    """The text of a variant that gives other words to some of the names and texts of rules."""
    lines = [f'game "In other words" extends "{parent}"']
    for name, other in OTHERS.items():
        if chance.randrange(100) < 70:
            continue
        if name == "stuck":
            if f'"{name}"' in text:
                lines.append(f'rename "{name}" as "{other}"')
        elif re.search(rf"^(state|option|type|table|define|effect|move|players)\b.*\b{name}\b|^  {name}\b.*:",
                       text, re.MULTILINE):  # fmt: skip
            lines.append(f"rename {name} as {other}")
    return "\n".join(lines) + "\n"


LEAPING = """
game "A closure by leaps"
players Ann, Bob
board {board}
state
  at(cell): player or none
  mark(cell): 0..2
define open(a, b: cell) = some d in {directions} has b = a + d and {tests}
move go(c: cell, n: 1..2)
  when
    mark(c) = 0
    row(c) = 2
  do
    mark(c) := n
    at(c) := mover
  after
    {some} e in reach from {{x: cell where at(x) {at}}} by open has mark(e) {mark}
stuck pass
evaluate
  reached  1 : sum e in reach from {{x: cell where at(x) = me}} by open of column(e) + 10 * row(e)
"""


def random_leaps(chance: Random) -> str:
    """The text of rules with a closure that goes one cell in some direction, as far as what lies around lets it."""
    board = chance.choice(["square 5 by 4", "square 9 by 8", "hex rhombus 5 by 4", "cylinder 5 by 4"])
    ways = HEX if board.startswith("hex") else SQUARE
    places = ["a", "b", *(f"a + {way}" for way in ("d", "opposite(d)", "clockwise(d)", *ways[:2])), "b", "b + d"]

    def test() -> str:
        one = f"{chance.choice(['at', 'mark'])}({chance.choice(places)})"
        values = [*2 * ["none", "mover", "Ann"], "at(b)"] if one.startswith("at") else [*3 * ["0", "1"], "2", "mark(b)"]
        compared = f"{one} {chance.choice([*6 * ['='], '!='])} {chance.choice(values)}"
        only = f"d {chance.choice(['=', '!='])} {chance.choice(ways)} {chance.choice(['and', 'or'])} "
        negated = chance.choice(["", "not "])
        return f"{negated}({chance.choice(['', only])}{compared})"

    return LEAPING.format(
        board=board, directions=chance.choice([f"{{{ways[0]}, {ways[2]}, {ways[3]}}}", "direction", "orthogonals"]),
        tests=" and ".join(test() for _ in range(chance.randint(1, 2))), some=chance.choice(["some", "no"]),
        at=chance.choice(["= none", "= mover"]), mark=chance.choice(["= 0", "!= 0", "= 2"]),
    )  # fmt: skip


def random_rules(
    chance: Random, seats: int | None = None, rolls: bool = False, pays: bool = False, secrets: bool = False
) -> str:
    """The text of rules, drawn by a source of chance; of `seats` players, to whom the turn comes in any order.

    With `rolls` the rules leave something to chance, too; with `pays` their endings pay numbers; with `secrets` not all
    players see all of the state.
    """
    rules = Rules(chance, seats)
    if pays:
        rules.payments()
    for number in range(1 + rules.below(2) if rolls else 0):
        rules.chance_of(f"roll{number}")
    if secrets:
        rules.veil()
    return "\n".join(rules.lines) + "\n"
