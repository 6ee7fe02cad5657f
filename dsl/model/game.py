"""A game: its rules, kinds of moves and endings, what is shown of it, its examples, and the whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from pysolve.dsl.errors import Problem, Span
from pysolve.dsl.frozen import frozen
from pysolve.dsl.language.paths import Strokes
from pysolve.dsl.model.effects import Effects, TurnTo, all_effects, effect_bodies
from pysolve.dsl.model.payoffs import payoff_unit
from pysolve.dsl.model.properties import properties, tables_of
from pysolve.dsl.model.steps import Ask, Body, Preferred, Reach, Step, all_steps
from pysolve.dsl.model.values import Atom, SetSort, Slot, Sort, Table, Var, states_of

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
    reads: bool  # does it read the position?
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
    off_board: bool = False  # is it a step, which has no value where it leads off the board?


@frozen
class Trail:
    """A closure for explanations: where it starts, and the member in question.

    `body` computes the start; `item` is None if all members are meant.
    """

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

    The parameters are chosen in declared order, each in ascending order, unless `ordered` is False:
    then the moves must be sorted by their parameters afterwards.
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
    worth: str | None = None  # the rule that says what a move is worth, where `prefer` asks for the most
    chance: bool = False  # does nobody choose it?
    weight: str | None = None  # the rule that says how likely it is; None: as likely as every other with weight 1
    seen: str | None = None  # the move as a text for who does not make it; None: as for the mover

    @property
    def body(self) -> Body:
        """The steps of all stages, in order: each way to carry them out is a move."""
        return tuple(step for stage in self.stages for step in stage.steps)

    @property
    def candidates(self) -> Body:
        """The body without `prefer`: it finds the moves among which `prefer` then chooses."""
        return without_preference(self.body)


def without_preference(body: Body) -> Body:
    """The steps but for `prefer`.  If there is a way to carry them out, there is one that is preferred, too."""
    return tuple(step for step in body if not isinstance(step, Preferred))


@frozen
class Winner:
    """A player, or one named by role: `mover` or `opponent`; None is a draw.

    With `loses`, which two players do not need, he is the one who loses.
    """

    player: Atom | None
    role: str | None
    loses: bool = False


@frozen
class Contest:
    """The player for whom a rule's value is largest (or smallest); if equal, the next; else the rest.

    Where nothing else decides, `otherwise` is None: those who are equal share the place.  `ranks`: each place counts.
    """

    rankings: tuple[tuple[str, str], ...]  # (most or least, rule)
    otherwise: Result | None
    ranks: bool = False

    @property
    def compared(self) -> tuple[tuple[str, str], ...]:
        """All rankings in their order, those of what else decides too."""
        return self.rankings + (self.otherwise.compared if isinstance(self.otherwise, Contest) else ())


@frozen
class Pay:
    """Each player gets the number that a rule gives for him.

    `most` is the largest payoff that it may give or take.  `proven`: the numbers certainly add up to zero; else engines
    look whether they do.
    """

    rule: str
    most: int
    proven: bool
    span: Span

    @property
    def compared(self) -> tuple[tuple[str, str], ...]:
        """The rule, as if it were compared: so `Engine.standing` gives the numbers."""
        return (("most", self.rule),)


Result = Winner | Contest | Pay


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
    is_told: bool = True  # is the reason the author's, or the text of the condition?


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
    """How a combination of slot values is drawn: text on a diagram, colour and shape in a picture.

    In a picture it stands in the middle of its cell, or at an edge or a corner: `side` is ("edge", "north").
    """

    values: tuple[int, ...]
    text: str
    look: tuple[str, ...]
    side: tuple[str, str] | None = None


@frozen
class Layer:
    """A line of `show`: the slots it draws, and a glyph for each combination of their values.

    If not `on_cell`, it is one slot whose values are the cells that its glyphs are drawn on, a glyph for each of its
    arguments: the values of a glyph are then these.  One that the rules do not have, as they say nothing of states, is
    `plain`: pictures draw it only on cells that nothing else gives a shape.
    """

    slots: tuple[str, ...]
    glyphs: tuple[Glyph, ...]
    on_cell: bool
    plain: bool = False


@frozen
class Rim:
    """A line of `show` about edges or corners: the slots it draws there, and a glyph for each combination of values."""

    kind: str  # "edge" or "corner"
    slots: tuple[str, ...]
    glyphs: tuple[Glyph, ...]


Values = tuple[int, ...]


@frozen
class Never:
    """Combinations of values that the layers of one cell never have together, each in the order of the layers."""

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
    """A `tell` line: the name to be queried and the words shown before its value.

    A value or the members of a set are shown as they are. A definition with a parameter is shown with each value of the
    parameter; if it is a condition, with those for which it holds.
    """

    name: str
    text: str


@frozen
class Derived:
    """A line of `show` that draws a definition, in pictures and terminals alone: what a query of this name answers.

    Each answer is a cell with its value; or, if not `on_cell`, an argument, if there is one, and a cell.  A glyph is
    for the value or for the argument.  Below it lie the first `below` layers.
    """

    name: str
    glyphs: tuple[Glyph, ...]
    on_cell: bool
    below: int


@frozen
class Tie:
    """A line of `show` that joins cells by lines, in pictures alone: what a query of this name answers.

    An answer begins with two cells.  A glyph is for the value behind them; one without values is for all of them.
    """

    name: str
    glyphs: tuple[Glyph, ...]


@frozen
class Icon:
    """A shape that an author has drawn, on a field of 24 by 24, y downwards."""

    name: str
    strokes: Strokes


@frozen
class Under:
    """What is drawn once below everything, in columns and rows: the middle of a1 is 1, 1, and y grows upwards."""

    strokes: Strokes
    look: tuple[str, ...]


@frozen
class Aside:
    """A line of `show` about what lies beside the board: what a query of this name answers, with glyphs.

    By `kind` the value is a `count` of what lies there; or `each` answer has its glyph, by its value; or the condition
    `holds` for what lies there.  The last argument has the glyph, except with `each`; the first one is a heading,
    as a player whose hand it is, but for a condition only if there are two.
    """

    name: str
    kind: str
    glyphs: tuple[Glyph, ...]


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
    winner: str | None = None  # or several, as the result of a game is told; None: a draw
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


@frozen
class Passage:
    """A section of the rules, for whoever reads them: where it stands, and the author's paragraphs about it."""

    span: Span
    about: tuple[tuple[str, Span], ...] = ()


@frozen
class Change:
    """What a variant says of its parent: `how` is added, changed, removed or renamed; `new` is the name after that."""

    how: str
    kind: str
    name: str
    new: str
    span: Span


# ------------------------------------------------------------------------------------------- the whole


@frozen
class Site:
    """An edge or a corner that is seen: its first cell, and where it lies there, as ("corner", "northeast")."""

    name: str
    cell: int
    side: tuple[str, str]


@frozen
class Board:
    """Cells, where they lie, and the lines that connect them.

    `place` gives column and row of each cell, from 1; `rows` lists the cells of each row from the top,
    with None for a hole, as a diagram shows them; `slant` is by how many half cells each row is shifted.
    `links` are the lines of a graph board, each from end to end.  `lines` are thicker in pictures and terminals, every
    so many cells; 0 is none.  `sites` are the edges and corners that are drawn or that moves name.
    """

    form: str
    cells: tuple[str, ...]
    place: tuple[tuple[int, int], ...]
    rows: tuple[tuple[int | None, ...], ...]
    slant: tuple[int, ...]
    links: tuple[tuple[int, ...], ...] = ()
    lines: int = 0
    sites: tuple[Site, ...] = ()
    ground: str = ""
    unders: tuple[Under, ...] = ()
    icons: tuple[Icon, ...] = ()


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
    rims: tuple[Rim, ...] = ()
    levels: dict[str, str] = field(default_factory=dict)  # texts of players, by the author's names
    queries: dict[str, Query] = field(default_factory=dict)
    stuck_reason: str | None = None
    marks: tuple[Mark, ...] = ()
    tells: tuple[Tell, ...] = ()
    derived: tuple[Derived, ...] = ()
    ties: tuple[Tie, ...] = ()
    asides: tuple[Aside, ...] = ()
    sayings: tuple[Saying, ...] = ()
    renamed: dict[str, str] = field(default_factory=dict)  # names that a variant has changed, to those of its parent
    out: str | None = None  # a rule: the player who would come next is out, and is passed over
    seats: tuple[int, ...] = ()  # how many players there may be, by the options; rising
    claims: tuple[Demand, ...] = ()  # what examples say of a position: no part of the rules, and only Prolog is asked
    flaws: tuple[Problem, ...] = ()  # mistakes in examples, where whoever plays reads the rules: these can be played
    extends: str = ""  # the name of the rules that it is a variant of, as its text has it
    extends_title: str = ""  # and their title
    changes: tuple[Change, ...] = ()  # what it says of them
    passages: dict[tuple[str, str], Passage] = field(default_factory=dict)  # sections, by kind and name

    @property
    def players(self) -> Sort:
        """The sort of the players; its labels are their names in turn order."""
        return self.sorts["player"]

    @cached_property
    def alternating(self) -> bool:
        """True if two players move in turn: who moves next, and who has just moved, is the other, but for `again`.

        And a result is which of them wins: where endings pay numbers, programs treat two players like several.
        """
        turns = any(isinstance(e, TurnTo) for a in self.actions for r in a.rounds for e in all_effects(r))
        return len(self.players.labels) == 2 and self.out is None and not turns and not self.pays

    @cached_property
    def size(self) -> int:
        """Bytes of a position."""
        return max(slot.offset + slot.count * slot.width for slot in self.slots.values())

    @cached_property
    def states(self) -> re.Pattern[bytes]:
        """A pattern that matches exactly the states of the game: strings of `size` bytes, each value in its range."""
        slots = sorted(self.slots.values(), key=lambda slot: slot.offset)
        return re.compile(b"".join(map(states_of, slots)), re.DOTALL)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """Names of the kinds of moves; a move begins with its place in this list."""
        return tuple(a.name for a in self.actions) + (() if self.stuck else ("pass",))

    @cached_property
    def chances(self) -> frozenset[int]:
        """The kinds of moves that nobody chooses.  Where one of them is possible, no other move is."""
        return frozenset(number for number, action in enumerate(self.actions) if action.chance)

    @cached_property
    def secret(self) -> bool:
        """True if some player does not see all: a state has `seen by`, or a kind of move `seen as`."""
        hidden = any(slot.seen for slot in self.slots.values())
        return hidden or any(action.seen is not None for action in self.actions)

    def is_open(self, rule: str) -> bool:
        """True if everybody sees all that a rule reads of a position, so that its answers follow from every view.

        A rule that asks for legal moves is not open: these may depend on anything.
        """
        read = map(properties, asked_steps(self, all_steps(self.rules[rule].body)))
        return not any(one.moves or (one.slot is not None and self.slots[one.slot].seen) for one in read)

    @cached_property
    def shown(self) -> dict[str, Query]:
        """The queries whose answers are shown with a position, by name: marks, told values, drawn definitions, things
        beside the board; tables need nobody to be asked."""
        kinds: tuple[tuple[Mark | Tell | Derived | Tie | Aside, ...], ...]
        kinds = self.marks, self.tells, self.derived, self.ties, self.asides
        asked = {line.name: self.queries[line.name] for lines in kinds for line in lines}
        return {name: query for name, query in asked.items() if query.kind != "table"}

    @cached_property
    def weighed(self) -> bool:
        """True if moves of chance may have other weights than 1."""
        return any(action.weight is not None for action in self.actions)

    @cached_property
    def men(self) -> tuple[range, ...]:
        """The byte ranges of a state that hold the owner of the piece on each cell: a player, or none."""
        slots = [slot for slot in self.slots.values() if slot.sort.name == "player" and not slot.part_of]
        on_cells = [slot for slot in slots if any(param.name == "cell" for param in slot.params)]
        return tuple(range(slot.offset, slot.offset + slot.count * slot.width) for slot in on_cells)

    @cached_property
    def contests(self) -> dict[int, Contest]:
        """The endings that compare scores, by number from 1; the last number is that of a player without a move."""
        return {number: result for number, result in enumerate(self.results, 1) if isinstance(result, Contest)}

    @property
    def results(self) -> tuple[Result | None, ...]:
        """The results of the endings, by number from 1, and at last that of a player without a move."""
        return (*(ending.result for ending in self.endings), self.stuck)

    @property
    def others_differ(self) -> bool:
        """True if the others may get this or that where a player wins alone: places count, or numbers are paid."""
        return self.pays or self.ranks

    @cached_property
    def ranks(self) -> bool:
        """True if an ending gives each player a place, so that not only the first counts."""

        def ranks(result: Result | None) -> bool:
            return isinstance(result, Contest) and (result.ranks or ranks(result.otherwise))

        return any(map(ranks, self.results))

    @cached_property
    def payments(self) -> dict[int, Pay]:
        """The endings that pay what a rule says, by number from 1, as in `contests`."""
        return {number: result for number, result in enumerate(self.results, 1) if isinstance(result, Pay)}

    @property
    def numbered(self) -> dict[int, Contest | Pay]:
        """The endings that ask for a number of each player: what `Engine.standing` gives."""
        return {**self.contests, **self.payments}

    @property
    def pays(self) -> bool:
        """True if an ending says what each player gets: payoffs are then numbers and not places."""
        return bool(self.payments)

    @property
    def is_contest(self) -> bool:
        """True if two players or more play to win, and nothing but their moves decides: neither chance nor payoffs."""
        return len(self.players.labels) > 1 and not self.chances and not self.pays

    @property
    def payoff_unit(self) -> int:
        """What the payoffs of nodes are parts of: the least number by which they are whole."""
        return 1 if self.pays else payoff_unit(len(self.players.labels))

    @property
    def most_paid(self) -> int:
        """The largest payoff that the rules may give, or take, in parts of `payoff_unit`."""
        return max((pay.most for pay in self.payments.values()), default=self.payoff_unit)

    @cached_property
    def remembers(self) -> bool:
        """True if an ending asks about the game so far."""
        return any(e.repeated is not None or e.turns is not None for e in self.endings)

    @cached_property
    def repeats(self) -> bool:
        """True if an ending asks how often a position has occurred."""
        return any(ending.repeated is not None for ending in self.endings)

    @cached_property
    def ignored(self) -> tuple[range, ...]:
        """The bytes of a state in which two positions may differ and be the same to `repeated`."""
        names = next((e.ignoring for e in self.endings if e.repeated is not None), ())  # the same for all of them
        slots = [slot for slot in self.slots.values() if slot.name in names or slot.part_of in names]
        return tuple(range(slot.offset, slot.offset + slot.count * slot.width) for slot in slots)

    def identity(self, state: bytes) -> bytes:
        """The part of a state that `repeated` compares, as bytes: equal for two states that count as the same
        position."""
        if not self.ignored:
            return state
        kept = bytearray(state)
        for part in self.ignored:
            kept[part.start : part.stop] = bytes(len(part))
        return bytes(kept)

    @cached_property
    def timed(self) -> Ending | None:
        """An ending that makes the result of best play depend on the game so far; None if there is none.

        A draw by repetition is not one: a forced win needs no position twice, and a forced draw stays a draw.  But if
        `repeated` ignores something, a forced win may pass through two positions that count as the same.
        """
        for ending in self.endings:
            is_draw = ending.result == Winner(None, None) and not ending.ignoring
            if ending.turns is not None or (ending.repeated is not None and not (is_draw and ending.repeated > 1)):
                return ending
        return None


@frozen
class Query:
    """The signature of a name in queries: the sorts of its parameters and, if it is no condition, of its result."""

    kind: str  # slot, rule, table
    target: str  # the name in the model
    params: tuple[Sort, ...]
    result: Sort | SetSort | None

    @property
    def sorts(self) -> tuple[Sort, ...]:
        """The sorts of its arguments in a query: the parameters, then the value or the member of a set."""
        behind = () if self.result is None else (self.result.of if isinstance(self.result, SetSort) else self.result,)
        return (*self.params, *behind)


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
            yield from effect_bodies(effect)


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
        found.update(tables_of(body))
    return found


def asked_steps(game: Game, steps: Iterable[Step]) -> Iterator[Step]:
    """The steps, and all steps of the rules that they ask, directly or through other rules: each rule once."""
    seen: set[str] = set()
    waiting = [steps]
    while waiting:
        for step in waiting.pop():
            yield step
            if isinstance(step, Ask) and step.rule not in seen:
                seen.add(step.rule)
                waiting.append(all_steps(game.rules[step.rule].body))
