"""What every name of a rules text means, for editors: also in texts with mistakes.

In: the sections of a game, and the names as the checker looked them up (`Symbols.mentions`).  Out: `Meanings`: what
there is to name, and each place where one of these names stands.

The checker takes notes and no more; everything here happens only if somebody asks.  A phrase with a mistake is not read
to its end.  So names that were never looked up are found in the syntax, by the section and the phrase around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from pysolve.dsl.check.elaborate import TRUTHS
from pysolve.dsl.check.symbols import Definition, Mentioned, Symbols
from pysolve.dsl.check.terms import CONDS, SETS, SItems, TConst
from pysolve.dsl.errors import Problem, Span
from pysolve.dsl.frozen import frozen
from pysolve.dsl.language.functions import FUNCTIONS, functions_in
from pysolve.dsl.model import INT, Game, SetSort, Sort, Table
from pysolve.dsl.text import nodes

SHOWN = 12  # members of a constant set that are listed
LONGEST = 200  # characters of a declaration that are shown
# Names whose meaning no game declares.
GIVEN = ("mover", "opponent", "me", "you", "turns", *TRUTHS, *functions_in("all"))
SPOKEN_OF = ("variable", "state", "option", "definition", "effect", "column", "type", "value", "move", "term", "level")
_BRACES = re.compile(r"\{(\w+)\}")
_EQUALS = re.compile(r"(?<!\s)\s*=(?!=)")  # with the space before it

_KINDS = {"define": "definition", "table": "type", "chance": "move"}  # of names, by the word that declares them


@frozen
class Meaning:
    """A name that a text declares, or that the language provides: its kind, type and declaration."""

    name: str
    kind: str  # one of SPOKEN_OF; "given": by the language or by the board; "removed": by a variant
    type: str  # of its values: "player or none", "set of cell", "condition"; empty if it has none or is not known
    head: str  # how it is declared; of what is given, how it is called
    params: tuple[str, ...]  # what it is called with: "c: cell"
    value: str  # of a constant
    place: Span | None  # of its name where it is declared
    scope: Span | None = None  # of a variable, where it is known; None if that is the rest of its section


@frozen
class Mention:
    """A place where a name stands: in its declaration, or where it is used."""

    span: Span
    meaning: int  # number among the meanings
    is_declaration: bool


@frozen
class Meanings:
    """All names of a text and of those that it extends, and the places where they are declared or used."""

    names: tuple[Meaning, ...]
    mentions: tuple[Mention, ...]  # in the order of the texts, each place once
    untyped: tuple[tuple[Span, int], ...]  # where a type could be written and is not, and of which name it is


@frozen
class Understanding:
    """The result of reading a text: the game if there are no mistakes, the mistakes, and the meanings of names."""

    game: Game | None
    problems: tuple[Problem, ...]
    meanings: Meanings


Key = tuple[str, str]  # kind and name of what is declared for the whole game
Spot = tuple[str, int, int]  # source, line, column


def meanings_of(
    sections: Iterable[nodes.Section], symbols: Symbols | None, gone: Iterable[nodes.Section] = ()
) -> Meanings:
    """The meanings of all names in some sections; without symbols, as far as the syntax tells them.

    Of what a variant has taken away, only the names are noted, for the line that does so.
    """
    reader = _Reader(symbols)
    sections = tuple(sections)
    for section in sections:
        reader.declare(section)
    have = len(reader.found)
    for section in gone:
        reader.declare(section)
    reader.found[have:] = [replace(one, kind="removed") for one in reader.found[have:]]
    for section in sections:
        reader.read(section)
    return reader.meanings()


class _Reader:
    """Goes through sections, and notes names."""

    def __init__(self, symbols: Symbols | None):
        self.symbols = symbols
        self.met: dict[Spot, tuple[Mentioned, Span | None]] = {}
        for span, _, typed, declared in symbols.mentions if symbols is not None else ():
            self.met.setdefault(_spot(span), (typed, declared))
        self.found: list[Meaning] = []
        self.known: dict[Key, int] = {}
        self.local: dict[Spot, int] = {}  # where a variable is declared -> its meaning
        self.here: dict[str, int] = {}  # the variables of the section that is read
        self.around: Span | None = None  # the phrase around, outside of which its variables are not known
        self.mentions: dict[Spot, Mention] = {}
        self.untyped: list[tuple[Span, int]] = []

    def meanings(self) -> Meanings:
        """All meanings and mentions that have been collected."""
        order = sorted(self.mentions.items(), key=lambda item: item[0])
        return Meanings(tuple(self.found), tuple(mention for _, mention in order), tuple(self.untyped))

    # -- declarations

    def declare(self, section: nodes.Section) -> None:
        """Notes the names that a section gives to the whole game."""
        match section:
            case nodes.Replace(section=inner):
                self.declare(inner)
            case nodes.Extend(section=nodes.State() | nodes.Players() | nodes.Evaluate() as inner):
                self.declare(inner)
            case nodes.Players(names=names):
                for name in names:
                    self._value(name, "player")
            case nodes.Option():
                for name in section.names:
                    self._global("option", name, self._option_type(name.name), _head(section.span), (),
                                 self._option_value(name.name))  # fmt: skip
                if isinstance(section.domain, nodes.SetOf):
                    for item in section.domain.items:
                        if isinstance(item, nodes.Name) and not self._is_value(item.name):
                            self._value(item, section.name.name)
            case nodes.Type(name=name, body=body):
                self._global("type", name, "", _head(section.span))
                self._listed(body, name.name)
            case nodes.Table(name=key, columns=columns):
                for column in columns:
                    sort = self._column(column.name)
                    self._global("column", column, sort, f"{column.name}({key.name}){': ' * bool(sort)}{sort}",
                                 (key.name,))  # fmt: skip
            case nodes.State(entries=entries):
                for entry in entries:
                    own = isinstance(entry.type, nodes.NamesType)
                    params = tuple(
                        type.span.words if name is None else _binder(name.name, type, None)
                        for name, type in zip(entry.names, entry.params, strict=True)
                    )
                    self._global("state", entry.name, entry.name.name if own else entry.type.span.words,
                                 _head(entry.span), params)  # fmt: skip
                    self._listed(entry.type, entry.name.name)
            case nodes.Define(name=name, params=params):
                definition = self.symbols.definitions.get(name.name) if self.symbols is not None else None
                self._global("definition", name, _result(section, definition), _head(section.span), _params(params),
                             self._constant(definition))  # fmt: skip
                if section.type is None and definition is not None and definition.state == "ready":
                    self.untyped.append((_behind(section), len(self.found) - 1))
            case nodes.Effect(name=name, params=params):
                self._global("effect", name, "", _first_line(section.span), _params(params))
            case nodes.Move(name=name, params=params):
                self._global("move", name, "", _first_line(section.span), _params(params))
            case nodes.Evaluate(terms=terms):
                for term in terms:
                    self._global("term", term.name, "", _head(term.span))
            case nodes.Level(name=name):
                self._global("level", name, "", _head(section.span))

    def _global(
        self, kind: str, name: nodes.Name, type: str, head: str, params: tuple[str, ...] = (), value: str = ""
    ) -> None:
        number = self._new(Meaning(name.name, kind, type, head, params, value, name.span))
        self.known.setdefault((kind, name.name), number)
        self._note(name.span, number, True)

    def _value(self, name: nodes.Name, type: str) -> None:
        """A value of a type."""
        self._global("value", name, type, name.name)
        self.known[f"value of {type}", name.name] = len(self.found) - 1

    def _listed(self, body: nodes.TypeExpr, type: str) -> None:
        """The values that a type lists."""
        if isinstance(body, nodes.NamesType):
            for name in body.names:
                self._value(name, type)

    def _new(self, meaning: Meaning) -> int:
        self.found.append(meaning)
        return len(self.found) - 1

    def _note(self, span: Span, meaning: int, is_declaration: bool = False) -> None:
        name = self.found[meaning].name
        self.mentions.setdefault(_spot(span), Mention(span.first(len(name)), meaning, is_declaration))

    # -- what the checker knows of them

    def _is_value(self, name: str) -> bool:
        """True if a declared type has this value, so that an option does not bring it along."""
        return any(key[0] == "value" and key[1] == name for key in self.known)

    def _option_type(self, name: str) -> str:
        option = self.symbols.options.get(name) if self.symbols is not None else None
        return "" if option is None else str(option.sort)

    def _option_value(self, name: str) -> str:
        option = self.symbols.options.get(name) if self.symbols is not None else None
        if option is None or not option.sort.lowest <= option.value <= option.sort.high:
            return ""
        return option.sort.label(option.value)

    def _column(self, name: str) -> str:
        """The type of a column of a table."""
        if self.symbols is None or name not in self.symbols.columns:
            return ""
        return str(self.symbols.tables[self.symbols.columns[name]].sorts[1])

    def _constant(self, definition: Definition | None) -> str:
        """The value of a definition without parameters that never changes."""
        if self.symbols is None or definition is None or definition.table is None or definition.params:
            return ""
        return _constant(self.symbols.tables[definition.table], definition.result)

    # -- uses

    def read(self, section: nodes.Section) -> None:
        """Notes the names that are used in a section."""
        self.here = {}
        self._walk(section)

    def _walk(self, node: object) -> None:
        if isinstance(node, tuple):
            for part in node:
                self._walk(part)
            return
        if not isinstance(node, nodes.Node):
            return
        match node:
            case nodes.Name(span, name):
                self._use(span, name)
            case nodes.Call(span, name, args):
                self._use(span, name)
                if _asks_for_kind(node):
                    self._use(args[0].span, args[0].name, "move")  # type: ignore[union-attr]
                self._walk(args)
            case nodes.CallEffect(_, call):
                self._use(call.span, call.name, "effect")
                self._walk(call.args)
            case nodes.NamedType(span, name):
                self._use(span, name, "type")
            case nodes.Table(name=name):
                self._use(name.span, name.name, "type")
                self._walk(node.rows)
            case nodes.Reach() | nodes.Steps():
                self._use(node.relation_span, node.relation, "definition")
                self._parts(node)
            case nodes.Given(name=name):
                self._use(name.span, name.name, "option")
                self._walk(node.value)
            case nodes.Quantified() | nodes.Aggregate() | nodes.SetWhere() | nodes.ForBlock():
                outside, self.around = self.around, node.span
                self._parts(node)
                self.around = outside
            case nodes.Param(span, name):
                self._parts(node)
                self._declare_local(nodes.Name(span, name), _binder(name, node.type, node.within), node.type is None)
            case nodes.Binder():
                self._read_binder(node)
            case nodes.Let(bindings=bindings):
                for name, value in bindings:
                    self._walk(value)
                    self._declare_local(name, f"let {name.name} = {value.span.words}", True)
            case nodes.Remove(kind=kind, name=name):
                self._use(name.span, name.name, _KINDS.get(kind, kind))
            case nodes.Extend(section=inner):
                self._read_extended(inner)
                self._walk(inner)
            case nodes.StateEntry():
                self._read_state(node)
            case nodes.Move(params=params, text_span=text_span, seen_span=seen_span):
                self._walk(params)
                self._braces(text_span)
                self._braces(seen_span)
                self._parts_but(node, params)
            case nodes.Evaluate(terms=terms):
                self.here |= {name: self._given(name, "player") for name in ("me", "you")}
                self._walk(tuple(term.value for term in terms))
            case nodes.ShowCase(values=values):
                self._walk(values)  # colours and shapes are no names
            case nodes.Mark(name=name):
                self._use(name.span, name.name)
            case nodes.Board(sizes=sizes):
                self._walk(sizes)  # cells are no names that a text declares
            case nodes.Level():
                pass
            case _:
                self._parts(node)

    def _read_binder(self, node: nodes.Binder) -> None:
        self._walk((node.type, node.within))
        for name in node.names:
            self._declare_local(name, _binder(name.name, node.type, node.within), node.type is None)
        self._walk(node.where)

    def _read_extended(self, section: nodes.Section) -> None:
        """The names by which a variant says what it adds to."""
        if isinstance(section, (nodes.Move, nodes.Effect, nodes.Type)):
            self._use(section.name.span, section.name.name, type(section).__name__.lower())
        for column in section.columns if isinstance(section, nodes.Table) else ():
            self._use(column.span, column.name, "column")

    def _read_state(self, node: nodes.StateEntry) -> None:
        self._walk(node.params)
        before, self.here = self.here, {}
        for place, held in zip(node.names, node.params, strict=True):
            if place is not None:
                self._declare_local(place, _binder(place.name, held, None), False)
        self._walk((node.type, node.sight))
        self.here = before

    def _parts(self, node: nodes.Node) -> None:
        self._parts_but(node, None)

    def _parts_but(self, node: nodes.Node, but: object) -> None:
        for field in type(node).__slots__:
            part = getattr(node, field)
            if part is not but or but is None:
                self._walk(part)

    def _braces(self, text: Span | None) -> None:
        """The parameters in the text of a move."""
        for found in _BRACES.finditer(text.text) if text is not None else ():
            if found[1] in self.here and text is not None:
                column = text.column + found.start(1)
                self._note(Span(text.source, text.line, column, text.line, column), self.here[found[1]])

    def _declare_local(self, name: nodes.Name, head: str, untyped: bool) -> None:
        """Notes a variable; where it is declared twice, as the parameters of an effect, the first time counts."""
        spot = _spot(name.span)
        if spot not in self.local:
            typed = self.met.get(spot)
            type = _type(typed[0]) if typed is not None else ""
            self.local[spot] = self._new(Meaning(name.name, "variable", type, head, (), "", name.span, self.around))
            self._note(name.span, self.local[spot], True)
            if untyped and type:
                end = name.span.column + len(name.name)
                at = Span(name.span.source, name.span.line, end, name.span.line, end)
                self.untyped.append((at, self.local[spot]))
        self.here[name.name] = self.local[spot]

    def _use(self, span: Span, name: str, kind: str = "") -> None:
        """Notes a name where it is used: as it was looked up; otherwise as `kind`, or as whatever has this name."""
        spot = _spot(span)
        if spot in self.mentions:
            return
        typed, declared = self.met.get(spot, (None, None))
        if declared is not None and _spot(declared) in self.local:
            number: int | None = self.local[_spot(declared)]
        elif typed is not None:
            number = self._looked_up(name, typed)
        else:
            number = self._guessed(name, kind)
        if number is not None:
            self._note(span, number)

    def _looked_up(self, name: str, typed: Mentioned) -> int:
        """The meaning of a name that is no variable, in the order in which the checker looks for it."""
        if isinstance(typed, (Sort, SetSort)):
            return self._known("type", name, "")
        for kind in ("state", "option", "definition", "column"):
            if (kind, name) in self.known:
                return self.known[kind, name]
        if isinstance(typed, TConst):
            return self._known(f"value of {typed.sort.name}", name, typed.sort.name)
        if name in GIVEN:
            return self._given(name, _type(typed))
        if isinstance(typed, SItems):
            return self._given(name, _type(typed), is_set=True)
        return self._known("type", name, "")

    def _known(self, kind: str, name: str, type: str) -> int:
        """The number of the meaning of a kind and a name; a name that no text declares gets one, with its type."""
        found = self.known.get((kind, name))
        return self._given(name, type) if found is None else found

    def _guessed(self, name: str, kind: str) -> int | None:
        """The meaning of a name that nobody looked up, because of a mistake or because only a reader needs it."""
        if kind and (kind, name) in self.known:
            return self.known[kind, name]
        if name in self.here:
            return self.here[name]
        for other in SPOKEN_OF:
            if (other, name) in self.known:
                return self.known[other, name]
        if name in GIVEN:
            return self._given(name, "")
        constants = self.symbols.constants if self.symbols is not None else {}
        if name in constants:
            return self._given(name, constants[name][0].sort.name)
        if self.symbols is not None and name in self.symbols.sorts:
            return self._given(name, "")
        return None

    def _given(self, name: str, type: str, is_set: bool = False) -> int:
        """The meaning of a name that the language or the board gives; `is_set`: of a set, not of a function."""
        key = (f"given {type}", name)
        if key not in self.known:
            form = FUNCTIONS[name][0].form if name in FUNCTIONS and not is_set else name
            params = tuple(re.findall(r"\w+", form.split("(")[1].split(")")[0])) if "(" in form else ()
            self.known[key] = self._new(Meaning(name, "given", type, form, params, "", None))
        return self.known[key]


# ------------------------------------------------------------------------------------------------ in words


def _spot(span: Span) -> Spot:
    return span.source.name, span.line, span.column


def _asks_for_kind(call: nodes.Call) -> bool:
    """True for `possible(kind)`."""
    return call.name == "possible" and len(call.args) == 1 and isinstance(call.args[0], nodes.Name)


def _type(typed: Mentioned) -> str:
    """The type of a value, a condition or a set."""
    if isinstance(typed, CONDS):
        return "condition"
    if isinstance(typed, (*SETS, SetSort)):
        return f"set of {_sort(typed.of if isinstance(typed, SetSort) else typed.sort)}"
    return _sort(typed if isinstance(typed, Sort) else typed.sort)


def _sort(sort: Sort) -> str:
    """A type as it is written; where all numbers are possible, without its bounds."""
    unbounded = not sort.labels and (sort.low <= INT.low or sort.high >= INT.high)
    return str(INT) if unbounded else str(sort)


def _result(node: nodes.Define, definition: Definition | None) -> str:
    """The type of a definition."""
    if definition is not None and definition.state == "ready":
        return "condition" if definition.result is None else _type(definition.result)
    return "" if node.type is None else node.type.span.words


def _constant(table: Table, result: Sort | SetSort | None) -> str:
    """The value of a table without keys, as text."""
    match result:
        case None:
            return "true" if table.rows else "false"
        case SetSort(of):
            members = [of.label(row[-1]) for row in table.rows]
            left = len(members) - SHOWN
            return f"{{{', '.join(members[:SHOWN])}{f', … {left} more' if left > 0 else ''}}}"
        case _:
            return result.label(table.rows[0][-1]) if table.rows else "nothing"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _head(span: Span) -> str:
    """A declaration on one line."""
    return _cut(span.words)


def _first_line(span: Span) -> str:
    """The first line of a section."""
    end = len(span.source.line(span.line)) + 1
    return _cut((span.first(end - span.column) if span.end_line > span.line else span).words)


def _binder(name: str, type: nodes.TypeExpr | None, within: nodes.Expr | None) -> str:
    """The declaration of a variable as text: `name: type` or `name in set`."""
    if type is not None:
        return f"{name}: {type.span.words}"
    return name if within is None else _cut(f"{name} in {within.span.words}")


def _params(params: tuple[nodes.Param, ...]) -> tuple[str, ...]:
    return tuple(_binder(param.name, param.type, param.within) for param in params)


def _behind(node: nodes.Define) -> Span:
    """The empty span, before the sign of equality, at which the type of a definition could be inserted."""
    start = node.params[-1].span if node.params else node.name.span
    number, column = start.line, start.column - 1
    while number <= node.body.span.line:
        found = _EQUALS.search(node.span.source.line(number), column)
        if found is not None:
            return Span(node.span.source, number, found.start() + 1, number, found.start() + 1)
        number, column = number + 1, 0
    return node.name.span
