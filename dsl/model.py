"""The model: what a game is once every name, type, order and number is settled.

A model is flat enough to print: a body is a sequence of steps, each of which is one goal in Prolog and one
line or block in C.  A step that cannot be carried out (no cell there, no such value) fails, and what
contains it is false; that is how "off the board" is said.  All values are whole numbers: a named value is
its place in its sort, and `none` is one below the lowest.

    Sort, Var, Const, Op        what values are
    Table, Slot, Rule           constants; what changes; named conditions, values and sets
    Each … Mobility             the steps of a body
    Assign … Repeat             effects
    Action, Ending, Game        a kind of move, a way to end, the whole
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache, cached_property
from operator import attrgetter
from types import NoneType
from typing import Any

from dsl.errors import Span
from dsl.values import frozen

# --------------------------------------------------------------------------------------------- values


@frozen
class Sort:
    """A finite range of whole numbers, `low..high`; named values have `labels`, in that order."""

    name: str
    low: int
    high: int
    labels: tuple[str, ...] = ()
    optional: bool = False  # `or none`

    def __hash__(self) -> int:
        """Without the labels, which are many; sorts of one name and range seldom differ in them."""
        return hash((self.name, self.low, self.high, self.optional))

    @property
    def lowest(self) -> int:
        """The smallest value, `none` included."""
        return self.low - 1 if self.optional else self.low

    @property
    def none(self) -> int:
        return self.low - 1

    @property
    def sure(self) -> Sort:
        """The same values without `none`."""
        return replace(self, optional=False) if self.optional else self

    @property
    def size(self) -> int:
        return self.high - self.lowest + 1

    def values(self) -> range:
        """All values in order; `none`, where it is one, is not among them."""
        return range(self.low, self.high + 1)

    def label(self, value: int) -> str:
        """The word for a value."""
        if self.optional and value == self.none:
            return "none"
        return self.labels[value - self.low] if self.labels else str(value)

    def __str__(self) -> str:
        name = self.name if self.labels or self.name == "int" else f"{self.low}..{self.high}"
        return f"{name} or none" if self.optional else name


INT = Sort("int", -(2**31), 2**31)
BOOL = Sort("bool", 0, 1, ("false", "true"))


@frozen
class SetSort:
    """The sort of a set of values; in a body such a value is the ordered list of its members."""

    of: Sort

    def __str__(self) -> str:
        return f"set of {self.of}"


@frozen
class Var:
    """A variable: bound once in its body, unique in its rule."""

    name: str
    sort: Sort | SetSort

    def __hash__(self) -> int:
        """Of the name alone: it is unique."""
        return hash(self.name)


@frozen
class Const:
    value: int
    sort: Sort


Atom = Var | Const


@frozen
class Op:
    """Arithmetic: a row of ops.py and its operands."""

    name: str
    args: tuple[Expr, ...]


Expr = Var | Const | Op

# ---------------------------------------------------------------------------------------------- tables


@dataclass(frozen=True)
class Table:
    """Constant rows of values, in ascending order.  The first `keys` columns determine the others."""

    name: str
    sorts: tuple[Sort, ...]
    rows: tuple[tuple[int, ...], ...]
    keys: int
    text: str = ""  # where it comes from, for readers

    def __reduce__(self) -> tuple[object, ...]:
        """A table is pickled without what is computed from its rows."""
        return Table, (self.name, self.sorts, self.rows, self.keys, self.text)

    @cached_property
    def lookup(self) -> dict[tuple[int, ...], tuple[int, ...]]:
        """Keys to the rest of their row; only for a table whose keys determine it."""
        return {row[: self.keys]: row[self.keys :] for row in self.rows}

    @cached_property
    def by_first(self) -> dict[int, int]:
        """The first column to the second; only for a table of two whose first determines it."""
        return {row[0]: row[1] for row in self.rows}

    @cached_property
    def by_prefix(self) -> dict[tuple[int, ...], list[int]]:
        """All columns but the last to the ascending values of the last."""
        found: dict[tuple[int, ...], list[int]] = {}
        for row in self.rows:
            found.setdefault(row[:-1], []).append(row[-1])
        return found


@frozen
class Slot:
    """A state variable, or a run of them: one for each combination of its parameters.

    A position is a string of bytes; this slot's begin at `offset`, `width` bytes a value (base 255, the
    high digit first), in ascending order of the parameters, the last one fastest.
    """

    name: str
    params: tuple[Sort, ...]
    sort: Sort
    offset: int
    width: int
    default: int

    @property
    def count(self) -> int:
        total = 1
        for sort in self.params:
            total *= sort.high - sort.low + 1
        return total

    @property
    def shift(self) -> int:
        """What is added to a value to make it a byte: only negative values need it."""
        return max(0, -self.sort.lowest)

    @property
    def stored(self) -> range:
        """The numbers that a position may hold here: the values with `none` among them, moved by `shift`."""
        return range(self.sort.lowest + self.shift, self.sort.high + self.shift + 1)


# ------------------------------------------------------------------------------------- steps of a body


@frozen
class Each:
    """Choose `var` in low..high, in ascending order."""

    var: Var
    low: Atom
    high: Atom


@frozen
class Among:
    """Choose `item` among the listed values; if it is bound already: it is one of them."""

    item: Atom
    values: tuple[Atom, ...]
    binds: tuple[Var, ...]


@frozen
class Member:
    """Choose `item` in a set, in ascending order; if it is bound already: it is in the set."""

    item: Atom
    within: Var
    binds: tuple[Var, ...]


@frozen
class Get:
    """Read the position.  Arguments and value may be unbound: then they are chosen, in ascending order."""

    slot: str
    args: tuple[Atom, ...]
    value: Atom
    binds: tuple[Var, ...]


@frozen
class Find:
    """Look a row up.  Unbound arguments are chosen, in ascending order; fails where there is no row."""

    table: str
    args: tuple[Atom, ...]
    binds: tuple[Var, ...]


@frozen
class Walk:
    """Choose `target` on a ray from `origin`: as far as each cell passed over, `over`, meets `clear`.

    `rays` holds (origin, line, distance, cell) for the cells that may be passed over or reached; `stops`
    holds the (origin, target) that are admissible at all.  Targets come ray by ray.  `first_only`: what is
    demanded of a target is never true of a cell that is clear, so only the first other cell counts.
    """

    origin: Atom
    target: Var
    over: Var
    clear: Body
    rays: str
    stops: str
    first_only: bool


@frozen
class Let:
    """Compute; fails where the sum has no value."""

    var: Var
    expr: Expr


@frozen
class Test:
    """Compare."""

    op: str
    left: Expr
    right: Expr


@frozen
class Ask:
    """A rule: holds, or gives its result."""

    rule: str
    args: tuple[Atom, ...]
    result: Var | None


@frozen
class Not:
    body: Body


@frozen
class Either:
    """One of the bodies holds; which one does not matter."""

    bodies: tuple[Body, ...]


@frozen
class Exists:
    """The body can be carried out in some way; which one does not matter."""

    body: Body


@frozen
class Choose:
    """Bind `var` by the one body or the other."""

    var: Var
    test: Body
    then: Body
    otherwise: Body


@frozen
class Fold:
    """Bind `var` to the count, sum, most, least or first of `value` over all ways of `body`."""

    var: Var
    kind: str
    value: Expr
    body: Body


@frozen
class Collect:
    """Bind `var` to the set of the values of `item` over all ways of `body`."""

    var: Var
    item: Atom
    body: Body


@frozen
class Reach:
    """Bind `var` to the cells that are reached from the set `start` by repeating `body`: near -> next."""

    var: Var
    start: Var
    near: Var
    next: Var
    body: Body


@frozen
class Possible:
    """Some move of this kind is legal for the mover."""

    action: str


@frozen
class Mobility:
    """Bind `var` to the number of legal moves that `player` would have as the mover."""

    var: Var
    player: Atom


Step = (
    Each | Among | Member | Get | Find | Walk | Let | Test | Ask | Not | Either | Exists | Choose | Fold
    | Collect | Reach | Possible | Mobility
)  # fmt: skip
Body = tuple[Step, ...]


def inner_bodies(step: Step) -> Iterator[Body]:
    """The bodies that stand inside a step."""
    match step:
        case Not(body) | Exists(body) | Fold(body=body) | Collect(body=body) | Reach(body=body):
            yield body
        case Either(bodies):
            yield from bodies
        case Choose(_, test, then, otherwise):
            yield from (test, then, otherwise)
        case Walk(clear=clear):
            yield clear
        case _:
            pass


def all_steps(body: Body) -> Iterator[Step]:
    """Every step of a body, those inside other steps too."""
    for step in body:
        yield step
        for inner in inner_bodies(step):
            yield from all_steps(inner)


WITHOUT_VARS = {Const, Sort, SetSort, str, int, bool, NoneType, Span}


def body_vars(body: Body) -> list[Var]:
    """Every variable that a body mentions, in order of appearance."""
    found: dict[Var, None] = {}

    def look(items: Iterable[Any]) -> None:
        for item in items:
            kind: Any = type(item)
            if kind is Var:
                found[item] = None
            elif kind is tuple:
                look(item)
            elif kind not in WITHOUT_VARS:
                look(fields_of(kind)(item))

    look(body)
    return list(found)


@cache
def fields_of(kind: Any) -> Callable[[object], tuple[object, ...]]:
    """What gives the values of the fields of a record with slots."""
    names: tuple[str, ...] = kind.__slots__
    return attrgetter(*names) if len(names) > 1 else lambda record: tuple(getattr(record, name) for name in names)


# --------------------------------------------------------------------------------------------- effects


@frozen
class Compute:
    """Bind variables for the effects that follow; always possible where the rules are right."""

    body: Body
    span: Span


@frozen
class Assign:
    """One place gets a value.  Where it might be below or above the range of the place, it must then be refused."""

    slot: str
    args: tuple[Atom, ...]
    value: Expr
    below: bool
    above: bool
    span: Span

    @property
    def checked(self) -> bool:
        """True if the value may be out of range."""
        return self.below or self.above


@frozen
class When:
    test: Body
    then: Effects
    otherwise: Effects
    span: Span


@frozen
class ForAll:
    """The effects, for every way of `body`."""

    body: Body
    effects: Effects
    span: Span


@frozen
class Again:
    """The turn does not pass."""

    span: Span


@frozen
class Pick:
    """Setup only: draw a lot among the values of `var` over all ways of `body`."""

    var: Var
    body: Body
    span: Span


@frozen
class Repeat:
    """Setup only: the effects, again and again."""

    times: Atom
    effects: Effects
    span: Span


EffectStep = Compute | Assign | When | ForAll | Again | Pick | Repeat
Effects = tuple[EffectStep, ...]

# ------------------------------------------------------------------------------- rules, actions, endings


@frozen
class Stage:
    """Some steps, and the line of the rules file that they come from."""

    span: Span
    text: str
    steps: Body


@frozen
class Rule:
    """A named body with parameters: a condition if `result` is None, else a value or a set."""

    name: str
    params: tuple[Var, ...]
    result: Atom | None
    body: Body
    reads: bool  # does it look at the position at all?
    span: Span
    text: str


@frozen
class Probe:
    """A value that helps to see why a demand holds or fails: `label` with {0}, {1} … for `args`.

    Where `value` is None, it is that there is none: the body then says that the arguments have values and this has not.
    """

    label: str
    args: tuple[Atom, ...]
    body: Body
    value: Atom | None


@frozen
class Trail:
    """How far a closure goes: `body` computes where it starts, and `item`, which may be reached; None asks for all."""

    body: Body
    reach: Reach
    item: Atom | None


@frozen
class Demand:
    """One line under `when` or `after`, checked with every parameter known; or a condition that is part of one.

    `parts` are the conditions that it joins by `and` or `or`, by itself or in a definition; if `negated`, it denies
    what they make together.
    """

    text: str
    reason: str | None
    span: Span
    body: Body
    probes: tuple[Probe, ...]
    counter: Body = ()  # of an `every` or `no`: how to find what speaks against it
    counter_probes: tuple[Probe, ...] = ()
    trail: Trail | None = None
    parts: tuple[Demand, ...] = ()
    negated: bool = False


@frozen
class Action:
    """A kind of move.

    The parameters are chosen in declared order, each in ascending order, unless `sorted` is False: then
    the moves must be sorted by their parameters afterwards.
    """

    name: str
    params: tuple[Var, ...]
    text: str  # the move as text: "{from}-{to}"
    stages: tuple[Stage, ...]
    demands: tuple[Demand, ...]
    rounds: tuple[Effects, ...]
    after: tuple[Demand, ...]
    ordered: bool
    span: Span

    @property
    def body(self) -> Body:
        return tuple(step for stage in self.stages for step in stage.steps)


@frozen
class Winner:
    """A player, or one named by role: `mover` or `opponent`; None is a draw."""

    player: Atom | None
    role: str | None


@frozen
class Contest:
    """The player for whom a rule's value is largest (or smallest); if equal, the next; else the rest."""

    rankings: tuple[tuple[str, str], ...]  # (most or least, rule)
    otherwise: Result

    @property
    def compared(self) -> tuple[tuple[str, str], ...]:
        """All rankings in their order, those of what else decides too."""
        return self.rankings + (self.otherwise.compared if isinstance(self.otherwise, Contest) else ())


Result = Winner | Contest


@frozen
class Ending:
    """A way to end.  `repeated` and `turns` ask about the game so far, which no position knows."""

    result: Result
    body: Body
    reason: str
    repeated: int | None
    ignoring: tuple[str, ...]  # slots in which two positions may differ and be the same to `repeated`
    turns: int | None
    span: Span


@frozen
class Term:
    """A line of `evaluate`: weight times the value of a rule with parameters me and you, less that for the opponent.

    With `only` it counts for this player alone: for the opponent it is the same value subtracted.
    """

    name: str
    weight: int
    rule: str
    only: int | None = None


# ------------------------------------------------------------------------------------ looks and examples


@frozen
class Glyph:
    """How a combination of slot values is drawn: text on a diagram, colour and shape in a picture."""

    values: tuple[int, ...]
    text: str
    look: tuple[str, ...]


@frozen
class Layer:
    """A line of `show`: the slots it draws, and a glyph for each combination of their values."""

    slots: tuple[str, ...]
    glyphs: tuple[Glyph, ...]
    on_cell: bool  # False: a slot whose value is the cell that it is drawn on


Values = tuple[int, ...]


@frozen
class Never:
    """What the drawn values of a cell never are together: their combinations, each in the order of the layers."""

    text: str
    span: Span
    cases: frozenset[Values]


@frozen
class Mark:
    """Cells that are marked on the board: the set that a name means in a query, a colour, and what it says."""

    name: str
    colour: str
    text: str


@frozen
class Tell:
    """A value that is told beside the board: what a name means in a query, and the words before it."""

    name: str
    text: str


@frozen
class Saying:
    """A state that the board does not draw, in the author's words: a text for each of its values, or an empty one."""

    slot: str
    texts: tuple[str, ...]  # in the order of the values, from the lowest


@frozen
class Check:
    """One line of an example, with what it expects.  kind: legal, illegal, result, moves, holds, perft."""

    kind: str
    span: Span
    moves: tuple[str, ...] = ()
    reason: str | None = None
    winner: str | None = None
    count: int = 0
    depth: int = 0
    claim: int | None = None  # of `holds`: its place in Game.claims; None if these are not the options of the example
    above_play: bool = False  # moves that are played first stand below it


@frozen
class Example:
    """A position (None: the initial one), moves played from it, and what must then be true."""

    name: str
    options: tuple[tuple[str, str], ...]
    diagram: str | None
    play: tuple[str, ...]
    checks: tuple[Check, ...]
    span: Span


@frozen
class OptionValue:
    """An option as it is set in this model, and what it may be."""

    name: str
    value: int
    sort: Sort
    choices: tuple[int, ...]
    default: int


# ------------------------------------------------------------------------------------------- the whole


@frozen
class Board:
    """Cells, where they lie, and the lines that connect them.

    `place` gives column and row of each cell, from 1; `rows` lists the cells of each row from the top,
    with None for a hole, as a diagram shows them; `slant` is by how many half cells each row is shifted.
    `links` are the lines of a graph board, each from end to end.
    """

    form: str
    cells: tuple[str, ...]
    place: tuple[tuple[int, int], ...]
    rows: tuple[tuple[int | None, ...], ...]
    slant: tuple[int, ...]
    links: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class Game:
    """One concrete game: options are set, variants are merged, everything is checked."""

    name: str
    title: str
    about: dict[str, str]
    source: str  # where the rules were read
    digest: str  # of rules and options
    options: tuple[OptionValue, ...]
    board: Board
    sorts: dict[str, Sort]
    tables: dict[str, Table]
    slots: dict[str, Slot]
    rules: dict[str, Rule]
    actions: tuple[Action, ...]
    setup: Effects
    draws_lots: bool
    stuck: Result | None  # None: the player without a move passes
    endings: tuple[Ending, ...]
    terms: tuple[Term, ...]
    layers: tuple[Layer, ...]
    examples: tuple[Example, ...]
    nevers: tuple[Never, ...] = ()
    levels: dict[str, str] = field(default_factory=dict)  # players, as dsl.players reads them, by the author's names
    queries: dict[str, Query] = field(default_factory=dict)
    stuck_reason: str | None = None
    marks: tuple[Mark, ...] = ()
    tells: tuple[Tell, ...] = ()
    sayings: tuple[Saying, ...] = ()
    renamed: dict[str, str] = field(default_factory=dict)  # names that a variant has changed, to those of its parent
    claims: tuple[Demand, ...] = ()  # what examples say of a position: no part of the rules, and only Prolog is asked

    @property
    def players(self) -> Sort:
        return self.sorts["player"]

    @cached_property
    def size(self) -> int:
        """Bytes of a position."""
        return max(slot.offset + slot.count * slot.width for slot in self.slots.values())

    @cached_property
    def states(self) -> re.Pattern[bytes]:
        """What matches the states of the game and nothing else: strings of `size` bytes, each value in its range."""
        slots = sorted(self.slots.values(), key=lambda slot: slot.offset)
        return re.compile(b"".join(map(_states_of, slots)), re.DOTALL)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """Names of the kinds of moves; a move begins with its place in this list."""
        return tuple(a.name for a in self.actions) + (() if self.stuck else ("pass",))

    @cached_property
    def men(self) -> tuple[range, ...]:
        """The bytes of a state that say whose men stand where: they hold a player, or none, for each cell."""
        slots = [slot for slot in self.slots.values() if slot.sort.name == "player"]
        on_cells = [slot for slot in slots if any(param.name == "cell" for param in slot.params)]
        return tuple(range(slot.offset, slot.offset + slot.count * slot.width) for slot in on_cells)

    @cached_property
    def contests(self) -> dict[int, Contest]:
        """The endings that compare numbers of the players, by number from 1; behind all others that of who is stuck."""
        results = (*(ending.result for ending in self.endings), self.stuck)
        return {number: result for number, result in enumerate(results, 1) if isinstance(result, Contest)}

    @cached_property
    def remembers(self) -> bool:
        """True if an ending asks about the game so far."""
        return any(e.repeated is not None or e.turns is not None for e in self.endings)

    @cached_property
    def ignored(self) -> tuple[range, ...]:
        """The bytes of a state in which two positions may differ and be the same to `repeated`."""
        names = next((e.ignoring for e in self.endings if e.repeated is not None), ())  # the same for all of them
        slots = [self.slots[name] for name in names]
        return tuple(range(slot.offset, slot.offset + slot.count * slot.width) for slot in slots)

    def identity(self, state: bytes) -> bytes:
        """What `repeated` compares: two states with the same one are the same position."""
        if not self.ignored:
            return state
        kept = bytearray(state)
        for part in self.ignored:
            kept[part.start : part.stop] = bytes(len(part))
        return bytes(kept)

    @cached_property
    def timed(self) -> Ending | None:
        """An ending because of which a position alone does not say who wins by best play.

        A draw when a position is repeated is none: who wins by force needs no position twice, and who draws by force
        does not mind.  But where `repeated` ignores something, the way there may lead over what counts as the same.
        """
        for ending in self.endings:
            is_draw = ending.result == Winner(None, None) and not ending.ignoring
            if ending.turns is not None or (ending.repeated is not None and not (is_draw and ending.repeated > 1)):
                return ending
        return None


@frozen
class Query:
    """What a name of the rules file means in a query: its parameters and, for a value, its result."""

    kind: str  # slot, rule, table
    target: str  # the name in the model
    params: tuple[Sort, ...]
    result: Sort | SetSort | None


def all_effects(effects: Effects) -> Iterator[EffectStep]:
    """Every effect, those inside other effects too."""
    for effect in effects:
        yield effect
        match effect:
            case When(_, then, otherwise):
                yield from all_effects(then)
                yield from all_effects(otherwise)
            case ForAll(effects=inner) | Repeat(effects=inner):
                yield from all_effects(inner)
            case _:
                pass


def all_bodies(game: Game) -> Iterator[Body]:
    """Every body of the rules of a game."""
    for rule in game.rules.values():
        yield rule.body
    for ending in game.endings:
        yield ending.body
    for action in game.actions:
        yield action.body
        for demand in (*action.demands, *action.after):
            yield from _demand_bodies(demand)
    for effects in (game.setup, *(r for a in game.actions for r in a.rounds)):
        for effect in all_effects(effects):
            yield from (getattr(effect, n) for n in ("body", "test") if hasattr(effect, n))


def _demand_bodies(demand: Demand) -> Iterator[Body]:
    yield from (demand.body, demand.counter)
    for probe in (*demand.probes, *demand.counter_probes):
        yield probe.body


def _reasons(game: Game) -> Iterator[Demand]:
    """Every demand that can be asked for a reason, with all their parts."""
    demands = [*game.claims, *(demand for action in game.actions for demand in (*action.demands, *action.after))]
    while demands:
        demand = demands.pop()
        yield demand
        demands += demand.parts


def _reason_bodies(game: Game) -> Iterator[Body]:
    for demand in _reasons(game):
        yield from _demand_bodies(demand)
        if demand.trail is not None:
            yield from (demand.trail.body, (demand.trail.reach,))


def tables_asked(game: Game) -> set[str]:
    """Names of the tables that the rules and the examples look into; queries may ask for others too."""
    found: set[str] = set()
    for body in (*all_bodies(game), *_reason_bodies(game)):
        for step in all_steps(body):
            match step:
                case Find(table=table):
                    found.add(table)
                case Walk(rays=rays, stops=stops):
                    found |= {rays, stops}
    return found


def digits(value: int, width: int) -> tuple[int, ...]:
    """A value as `width` bytes below 255, the high one first; 255 stays free as a mark."""
    return (value,) if width == 1 else (value // 255, value % 255)


def _states_of(slot: Slot) -> bytes:
    """What matches the bytes of a slot."""
    low, high = slot.stored[0], slot.stored[-1]
    if slot.width == 1:
        return _bytes(low, high) + b"{%d}" % slot.count
    (first, least), (last, most) = divmod(low, 255), divmod(high, 255)
    if first == last:
        pairs = [_bytes(first, first) + _bytes(least, most)]
    else:
        pairs = [_bytes(first, first) + _bytes(least, 254), _bytes(last, last) + _bytes(0, most)]
        if first + 1 < last:
            pairs.append(_bytes(first + 1, last - 1) + _bytes(0, 254))
    return b"(?:%b){%d}" % (b"|".join(pairs), slot.count)


def _bytes(low: int, high: int) -> bytes:
    return b"[\\x%02x-\\x%02x]" % (low, high)


def width_of(sort: Sort) -> int:
    """Bytes that a value of the sort takes."""
    return 1 if max(sort.high, sort.size - 1) < 255 else 2


def outline(node: object, indent: str = "") -> Iterator[str]:
    """The model as indented lines, for `pysolve show --stage model`."""
    match node:
        case Sort():
            yield f"{indent}{node.name}: {node.low}..{node.high}" + (
                f" = {', '.join(node.labels)}" if node.labels else ""
            )
        case Var(name, sort):
            yield f"{indent}{name}: {sort}"
        case Table(name, sorts, rows, keys, text):
            columns = [str(sort) for sort in sorts]
            columns[keys:] = [f"-> {', '.join(columns[keys:])}"] if columns[keys:] else []
            yield f"{indent}{name}({', '.join(columns)}) {len(rows)} rows{text and f': {text}'}"
        case Const(value, sort):
            yield f"{indent}{sort.label(value)}"
        case tuple():
            for one in node:
                yield from outline(one, indent)
        case _ if is_dataclass(node):
            yield from _outline_record(node, indent)
        case _:
            yield f"{indent}{brief(node)}"


def _outline_record(node: object, indent: str) -> Iterator[str]:
    words, nested = [], []
    for part in fields(node):  # type: ignore[arg-type]
        value = getattr(node, part.name)
        if part.name in ("span", "sort", "sorts") or value in ((), None):
            continue
        if isinstance(value, Step | EffectStep | Stage | Demand | Probe | Op):
            value = (value,)
        if (
            isinstance(value, tuple)
            and value
            and isinstance(value[0], Step | EffectStep | Stage | Demand | Probe | tuple | Glyph)
        ):
            nested.append((part.name, value))
        else:
            words.append(f"{part.name}={brief(value)}")
    yield f"{indent}{type(node).__name__} {' '.join(words)}"
    for name, items in nested:
        yield f"{indent}  {name}:"
        yield from outline(items, indent + "    ")


def brief(value: object) -> str:
    """An expression, atom or plain value in a few words."""
    match value:
        case Var(name):
            return name
        case Const(number, sort):
            return sort.label(number)
        case Op(name, args):
            return f"({f' {name} '.join(brief(a) for a in args)})" if len(args) > 1 else (f"{name}({brief(args[0])})")
        case tuple():
            return f"[{', '.join(brief(v) for v in value)}]"
        case _:
            return str(value)
