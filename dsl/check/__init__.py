"""Syntax to model: the only place that can reject a rules file.

In: the syntax of a rules text, options as a user set them, and a way to find the text that it extends.  Out: the
Game, every name, type, order and number settled; or `RulesError` with everything that is wrong.

    variants     a child and its parent become one list of sections
    world        what the names of the game mean
    elaborate    expressions get types
    static       what does not read the position is computed
    order        expressions become steps, in a good order
    effects, moves, looks    statements, kinds of moves, show and examples
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import TypeVar

from dsl import geometry, notation, syntax
from dsl.check import effects, looks, moves, variants
from dsl.check.elaborate import TRUTHS, Names, Scope, a_kind, define, same_kind
from dsl.check.order import Builder, rule_of
from dsl.check.terms import CONDS, CCompare, CTruth, SItems, TConst, Term, TVar, both
from dsl.check.variants import Find
from dsl.check.world import BUILT_IN, Definition, Rejected, World, board_tables, plain_types
from dsl.errors import Report, RulesError, Span, choices, nearest
from dsl.model import (
    BOOL,
    INT,
    Again,
    Ask,
    Assign,
    Body,
    Const,
    Contest,
    Effects,
    Ending,
    Game,
    Get,
    OptionValue,
    Pick,
    Query,
    Result,
    Rule,
    SetSort,
    Slot,
    Sort,
    Table,
    Var,
    Winner,
    all_effects,
    all_steps,
    tables_asked,
    width_of,
)  # fmt: skip
from dsl.model import Term as ValueTerm

S = TypeVar("S")
STATE_LIMIT = 60_000  # bytes of a position
OPTION_LIMIT = 10_000  # values of an option


class UnknownOption(ValueError):
    """An option that the game does not have, or a value that it does not take."""


def check(rules: syntax.Rules, options: Mapping[str, object], find: Find) -> Game:
    """The model of a rules text with its options set."""
    report = Report()
    sections = variants.merged(rules, find, report)
    report.stop_if_any()
    try:
        return _Checker(rules, sections, report).game(options)
    except RecursionError:
        report.add(Span(rules.source, 1, 1, 1, 2), "definitions or effects use each other too deeply")
        raise RulesError(report.problems) from None


@dataclass
class _Checker:
    """Reads the sections in the order in which they build on each other."""

    rules: syntax.Rules
    sections: list[syntax.Section]
    report: Report

    def all(self, kind: type[S]) -> list[S]:
        return [section for section in self.sections if isinstance(section, kind)]

    def one(self, kind: type[S]) -> S | None:
        """The section of which there is one at most."""
        found = self.all(kind)
        for extra in found[1:]:
            word = variants.SINGLE[kind]  # type: ignore[index]
            self.report.add(extra.span, f"a second “{word}”: a game has one")  # type: ignore[attr-defined]
        return found[0] if found else None

    def game(self, given: Mapping[str, object]) -> Game:
        header = self._header()
        world = self._world(given)
        if "cell" not in world.sorts:
            self.report.stop_if_any()  # without a board nothing has a meaning
        self._names(world)
        self.report.stop_if_any()  # without types and state everything else would be noise
        self._definitions(world)
        layers = self._try(lambda: looks.layers_of(world, self.one(syntax.Show)))
        actions = self._actions(world)
        setup = self._setup(world, layers)
        endings = self._endings(world)
        stuck = self._stuck(world)
        terms = self._terms(world)
        effects.check_unused(world)
        examples = tuple(looks.example_of(world, e) for e in self.all(syntax.Example))
        self.report.stop_if_any()
        game = Game(
            name=_short_name(self.rules.source.name),
            title=header.name,
            about=dict(header.properties),
            source=self.rules.source.name,
            digest=self._digest(world),
            options=tuple(world.options.values()),
            board=looks.board_of(world),
            sorts=world.sorts,
            tables={},
            slots=world.slots,
            rules=world.rules,
            actions=actions,
            setup=setup,
            draws_lots=any(isinstance(e, Pick) for e in all_effects(setup)),
            stuck=stuck,
            endings=endings,
            terms=terms,
            layers=layers,
            examples=examples,
            queries=_queries(world, actions),
        )
        game = _with_kept_turn(game)
        game.tables.update({name: t for name, t in world.tables.items() if name in _used_tables(game)})
        looks.check_examples(world, game, self.all(syntax.Example))
        self.report.stop_if_any()
        return game

    def _try(self, read: object) -> object:
        """The result of a reading, or None if it was rejected; the reason is in the report."""
        try:
            return read()  # type: ignore[operator]
        except Rejected:
            return None

    def _digest(self, world: World) -> str:
        """Says which rules these are: the texts of all sections, and the options."""
        sources = {s.span.source.name: s.span.source.text for s in self.sections}
        text = "".join(sources[name] for name in sorted(sources))
        text += repr([(o.name, o.value) for o in world.options.values()])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    # ------------------------------------------------------------------------------- the parts in order

    def _header(self) -> syntax.Game:
        header = self.one(syntax.Game)
        own = next((s for s in self.rules.sections if isinstance(s, syntax.Game)), None)
        if header is None and own is None:
            span = Span(self.rules.source, 1, 1, 1, 2)
            self.report.add(span, "a rules file begins with the name of the game", 'for example:  game "My game"')
            return syntax.Game(span, "", None, ())
        return own or header or self._header()

    def _world(self, given: Mapping[str, object]) -> World:
        """Options, players, board, types."""
        world = World(self.report, geometry.square(1, 1))
        world.sorts |= plain_types()
        self._options(world, given)
        players = self.one(syntax.Players)
        if players is None:
            self._missing("players", "players White, Black")
            world.add_sort(Sort("player", 1, 2, ("White", "Black")))
        else:
            self._labels(world, "player", players.names)
            if len(players.names) != 2:
                self.report.add(players.span, f"a game has two players, not {len(players.names)}")
        self._board(world)
        for node in self.all(syntax.Type):
            self._try(lambda node=node: self._type(world, node))
        for table in self.all(syntax.Table):
            self._try(lambda table=table: self._table(world, table))
        return world

    def _missing(self, what: str, form: str) -> None:
        own = next((s for s in self.rules.sections if isinstance(s, syntax.Game)), None)
        span = own.span if own else Span(self.rules.source, 1, 1, 1, 2)
        self.report.add(span, f"this game has no “{what}”", f"for example:  {form}")

    def _options(self, world: World, given: Mapping[str, object]) -> None:
        nodes = self.all(syntax.Option)
        names = [node.name.name for node in nodes]
        for name in given:
            if name not in names:
                known = f"it has {choices(names)}" if names else "it has none"
                hint = nearest(name, names)
                raise UnknownOption(f'the game has no option "{name}": {hint or known}')
        for node in nodes:
            try:
                option = _option(world, node)
            except Rejected:
                continue
            if option.name in given:
                option = replace(option, value=_option_value(option, given[option.name]))
            if option.name in world.options:
                self.report.add(node.name.span, f'there is an option "{option.name}" already', "choose another name")
            world.options[option.name] = option
            if option.sort.labels and option.sort != BOOL:
                world.add_sort(option.sort)

    def _labels(self, world: World, sort: str, names: tuple[syntax.Name, ...]) -> Sort:
        seen: set[str] = set()
        for name in names:
            if name.name in seen:
                self.report.add(name.span, f'"{name.name}" is listed twice')
            seen.add(name.name)
        found = Sort(sort, 1, len(names), tuple(name.name for name in names))
        world.add_sort(found)
        return found

    def _board(self, world: World) -> None:
        board = self.one(syntax.Board)
        if board is None:
            self._missing("board", "board square 8 by 8")
            return
        grid = self._try(lambda: looks.grid_of(world, board))
        if isinstance(grid, geometry.Grid):
            world.grid = grid
        cell = Sort("cell", 1, len(world.grid.cells), world.grid.cells)
        world.add_sort(cell)
        direction = None
        if world.grid.directions:
            direction = Sort("direction", 1, len(world.grid.directions), world.grid.directions)
            world.add_sort(direction)
            for name, numbers in (
                ("orthogonals", world.grid.orthogonals()), ("diagonals", world.grid.diagonals())
            ):  # fmt: skip
                world.sets[name] = SItems(tuple(TConst(d, direction) for d in numbers), direction)
        world.sets["corners"] = SItems(tuple(TConst(c, cell) for c in world.grid.corners()), cell)
        for table in board_tables(world.grid, cell, direction):
            world.add_table(table)
        player = world.sorts["player"]
        if player.high == 2:
            world.add_table(Table("opponent", (player, player), ((1, 2), (2, 1)), 1, "the other player"))

    def _type(self, world: World, node: syntax.Type) -> None:
        name = node.name.name
        if name in world.sorts:
            raise world.reject(node.name.span, f'there is a type "{name}" already')
        match node.body:
            case syntax.NamesType(_, names):
                self._labels(world, name, names)
            case syntax.NamedType(_, other) if other not in world.sorts:
                self._labels(world, name, (syntax.Name(node.body.span, other),))
            case _:
                sort = Scope(world).sort(node.body)
                if isinstance(sort, SetSort):
                    raise world.reject(node.body.span, "a name for sets is not needed: write the set itself")
                world.sorts[name] = sort

    def _table(self, world: World, node: syntax.Table) -> None:
        """`table unit strength price`: a function of the first column for each other column."""
        key = world.sorts.get(node.name.name)
        if key is None or key in (INT,):
            raise world.reject(node.name.span, f'there is no type "{node.name.name}" for the rows of the table',
                               nearest(node.name.name, world.sorts))  # fmt: skip
        scope = Scope(world, place="table")
        rows: list[tuple[int, list[Term]]] = []
        for span, entries in node.rows:
            if len(entries) != len(node.columns) + 1:
                raise world.reject(span, f"this row has {len(entries)} entries; the table has "
                                   f"{len(node.columns) + 1} columns")  # fmt: skip
            first = scope.argument(entries[0], key, "the first column")
            if not isinstance(first, TConst):
                raise world.reject(entries[0].span, f"a row begins with {a_kind(key)}")
            if first.value in [value for value, _ in rows]:
                raise world.reject(entries[0].span, f"a second row for {key.label(first.value)}")
            expected = [None] * len(node.columns)
            if rows:
                expected = [term.sort if term.sort.labels else None for term in rows[0][1]]  # type: ignore[misc]
            rest = [_table_entry(scope, e, x) for e, x in zip(entries[1:], expected, strict=True)]
            if rows:
                _check_row(world, node, entries[1:], rest, rows[0][1])
            rows.append((first.value, rest))
        missing = [key.label(v) for v in key.values() if v not in [first for first, _ in rows]]
        if missing:
            raise world.reject(node.name.span, f"the table has no row for {choices(missing)}")
        for i, column in enumerate(node.columns):
            terms = [rest[i] for _, rest in rows]
            sort = _column_sort(terms)
            name = f"table_{column.name}"
            if column.name in world.columns:
                raise world.reject(column.span, f'there is a column "{column.name}" already')
            world.columns[column.name] = name
            world.add_table(Table(name, (key, sort), tuple(sorted(
                (first, sort.none if rest[i].value is None else rest[i].value) for first, rest in rows)),  # type: ignore[union-attr]
                1, f"table {node.name.name}: {column.name}"))  # fmt: skip

    def _names(self, world: World) -> None:
        """State, definitions, effects and moves get their names; no name may have two meanings."""
        offset = 1
        world.slots["mover"] = Slot("mover", (), world.sorts["player"], 0, 1, 1)
        taken = {name: "a word of the language" for name in (*BUILT_IN, *TRUTHS, "mover", "opponent")}
        taken |= {name: "an option" for name in world.options}
        taken |= {name: "a column of a table" for name in world.columns}
        taken |= {name: "a value" for name in world.constants}
        taken |= {name: "a set" for name in world.sets}

        def take(name: syntax.Name, what: str) -> bool:
            if name.name in taken:
                self.report.add(name.span, f'"{name.name}" is {taken[name.name]} already', "choose another name")
                return False
            taken[name.name] = what
            return True

        for state in self.all(syntax.State):
            for entry in state.entries:
                if take(entry.name, "a state"):
                    slot = self._try(lambda entry=entry, offset=offset: self._slot(world, entry, offset))
                    if isinstance(slot, Slot):
                        world.slots[slot.name] = slot
                        offset += slot.count * slot.width
        for node in self.all(syntax.Define):
            if take(node.name, "a definition"):
                world.definitions[node.name.name] = Definition(node)
        for effect in self.all(syntax.Effect):
            if take(effect.name, "an effect"):
                world.effects[effect.name.name] = effect
        for move in self.all(syntax.Move):
            if move.name.name in world.moves:
                self.report.add(move.name.span, f'there is a move "{move.name.name}" already', "choose another name")
            world.moves[move.name.name] = move
        if len(world.slots) == 1:
            self._missing("state", "state, and under it  at(cell): player or none")
        if not world.moves:
            self._missing("move", 'move place(to: cell) as "{to}", with when and do under it')

    def _slot(self, world: World, entry: syntax.StateEntry, offset: int) -> Slot:
        scope = Scope(world)
        params = tuple(scope.sort(p) for p in entry.params)
        if isinstance(entry.type, syntax.NamesType):
            sort: Sort | SetSort = self._labels(world, entry.name.name, entry.type.names)
        else:
            sort = scope.sort(entry.type)
        if isinstance(sort, SetSort):
            raise world.reject(entry.type.span, "a state holds single values; a set is a yes or no for each member",
                               f"for example:  {entry.name.name}({sort.of}): bool")  # fmt: skip
        if sort == INT:
            raise world.reject(entry.type.span, "a number in the state needs a range",
                               f"for example:  {entry.span.text.split(':')[0].strip()}: 0..20")  # fmt: skip
        if sort.size > 60_000:
            raise world.reject(entry.type.span, "this range is too large: a state has up to 60000 values")
        for param, node in zip(params, entry.params, strict=True):
            if not isinstance(param, Sort) or param == INT or param.optional:
                raise world.reject(node.span, "the arguments of a state are of a finite type, without none",
                                   f"for example:  {entry.name.name}(cell)  or  {entry.name.name}(1..8)")  # fmt: skip
        plain = tuple(p for p in params if isinstance(p, Sort))
        count = prod(p.size for p in plain)
        if offset + count * width_of(sort) > STATE_LIMIT:
            raise world.reject(entry.name.span, f"a position would have more than {STATE_LIMIT} values")
        return Slot(entry.name.name, plain, sort, offset, width_of(sort), sort.lowest)

    def _definitions(self, world: World) -> None:
        for name in world.definitions:
            self._try(lambda name=name: define(world, name))

    def _actions(self, world: World) -> tuple[moves.Action, ...]:
        found = [self._try(lambda node=node: moves.action_of(world, node)) for node in world.moves.values()]
        moves.check_circles(world)
        return tuple(action for action in found if isinstance(action, moves.Action))

    def _setup(self, world: World, layers: object) -> Effects:
        node = self.one(syntax.Setup)
        if node is None:
            return ()
        body: list[syntax.Statement] = []
        drawn: list[Assign] = []
        for statement in node.body:
            if isinstance(statement, syntax.Drawing) and layers is None:
                continue  # without glyphs nothing can be read
            if isinstance(statement, syntax.Drawing):
                found = self._try(lambda s=statement: looks.drawn_setup(world, layers, s))  # type: ignore[arg-type]
                drawn += found if isinstance(found, list) else []
            else:
                body.append(statement)
        scope = Scope(world, place="setup")
        written = effects.write(tuple(body), scope, Builder(world, scope.names, "setup"), in_setup=True)
        return (*drawn, *written[0])

    def _stuck(self, world: World) -> Result | None:
        node = self.one(syntax.Stuck)
        if node is None:
            if not any(not m.params and not m.when for m in world.moves.values()):
                self._missing("stuck", "stuck, and under it  pass  or  mover loses")
            return None
        if isinstance(node.result, syntax.Pass):
            return None
        result = self._try(lambda: self._result(world, node.result))  # type: ignore[arg-type]
        return result if isinstance(result, (Winner, Contest)) else None

    def _result(self, world: World, node: syntax.Result) -> Result:
        match node:
            case syntax.Draw():
                return Winner(None, None)
            case syntax.Wins(_, who, loses):
                player = world.sorts["player"]
                if who.name in ("mover", "opponent"):
                    other = {"mover": "opponent", "opponent": "mover"}
                    return Winner(None, other[who.name] if loses else who.name)
                if who.name not in player.labels:
                    known = [*player.labels, "mover", "opponent"]
                    raise world.reject(who.span, f'"{who.name}" is no player',
                                       nearest(who.name, known) or f"it is {choices(known)}")  # fmt: skip
                value = player.labels.index(who.name) + 1
                return Winner(Const(3 - value if loses else value, player), None)
            case syntax.Contest(_, rankings, otherwise):
                rules = [self._try(lambda name=name: self._ranking(world, name)) for _, name in rankings]
                if None in rules:
                    raise Rejected
                ranked = tuple((kind, str(rule)) for (kind, _), rule in zip(rankings, rules, strict=True))
                rest = self._result(world, otherwise) if otherwise is not None else Winner(None, None)
                return Contest(ranked, rest)

    def _ranking(self, world: World, name: syntax.Name) -> str:
        """A rule that gives a player's number, for `most points`."""
        player, slot = world.sorts["player"], world.slots.get(name.name)
        definition = define(world, name.name) if name.name in world.definitions else None
        if slot is None and definition is None:
            raise world.reject(name.span, f'there is no definition "{name.name}"',
                               nearest(name.name, [*world.definitions, *world.slots]))  # fmt: skip
        params = slot.params if slot else tuple(p.sort for p in definition.params) if definition else ()
        result = slot.sort if slot else definition.result if definition else None
        if params != (player,) or not isinstance(result, Sort) or result.labels:
            raise world.reject(
                name.span, f'"{name.name}" cannot rank the players: a number for each player is needed',
                f"for example:  define {name.name}(p: player) = count c: cell where at(c) = p")
        rule = f"rank_{name.name}"
        scope = Scope(world)
        who = scope.names.fresh("player", player)
        scope.locals["player"] = TVar(who)
        body = scope.number(syntax.Call(name.span, name.name, (syntax.Name(name.span, "player"),)))
        world.rules[rule] = rule_of(world, rule, (who,), body, scope.names, name.span, name.name)
        return rule

    def _endings(self, world: World) -> tuple[Ending, ...]:
        node = self.one(syntax.End)
        found = [self._try(lambda e=e: self._ending(world, e)) for e in node.endings] if node else []
        return tuple(ending for ending in found if isinstance(ending, Ending))

    def _ending(self, world: World, node: syntax.Ending) -> Ending | None:
        scope = Scope(world, place="end")
        result = self._result(world, node.result)
        repeated = turns = None
        conds = []
        for part in _conjuncts(node.condition):
            match part:
                case syntax.Repeated(_, count):
                    repeated = count
                case syntax.Binary(_, op, syntax.Name(_, "turns"), limit) if "turns" not in world.slots:
                    if op != ">=":
                        raise world.reject(part.span, "turns are compared with >=",
                                           "for example:  draw when turns >= 100")  # fmt: skip
                    turns = scope.constant(limit)
                case _:
                    conds.append(scope.cond(part))
        cond = both(*conds)
        if cond == CTruth(False):
            return None  # the options have decided that this never happens
        builder = Builder(world, scope.names, "end")
        builder.cond(cond)
        reason = node.reason or " ".join(node.condition.span.text.split())
        return Ending(result, builder.body(), reason, repeated, turns, node.span)

    def _terms(self, world: World) -> tuple[ValueTerm, ...]:
        node = self.one(syntax.Evaluate)
        found = [self._try(lambda t=t: self._term(world, t)) for t in node.terms] if node else []
        return tuple(term for term in found if isinstance(term, ValueTerm))

    def _term(self, world: World, node: syntax.Term) -> ValueTerm:
        player = world.sorts["player"]
        scope = Scope(world, place="evaluate")
        me, you = scope.names.fresh("me", player), scope.names.fresh("you", player)
        scope.locals |= {"me": TVar(me), "you": TVar(you)}
        rule = f"term_{node.name.name}"
        if rule in world.rules:
            raise world.reject(node.name.span, f'there is a term "{node.name.name}" already')
        value = scope.number(node.value)
        world.rules[rule] = rule_of(world, rule, (me, you), value, scope.names, node.name.span,
                                    " ".join(node.value.span.text.split()))  # fmt: skip
        return ValueTerm(node.name.name, node.weight, rule)


# --------------------------------------------------------------------------------------------- options


def _option(world: World, node: syntax.Option) -> OptionValue:
    """An option with its default; its values are numbers, words, or on and off."""
    name, scope = node.name.name, Scope(world, place="option")
    domain = node.domain
    if domain is None:
        default = scope.term(node.default)
        if default.sort.name == BOOL.name:
            return OptionValue(name, default.value, BOOL, (0, 1), default.value)  # type: ignore[union-attr]
        number = scope.constant(node.default)
        return OptionValue(name, number, Sort("number", 0, max(10_000, number)), (), number)
    if isinstance(domain, syntax.SetOf) and all(isinstance(item, syntax.Name) for item in domain.items):
        words = tuple(item.name for item in domain.items if isinstance(item, syntax.Name))
        if all(word in world.options for word in words):
            raise world.reject(domain.span, "an option is one of some numbers or new words")
        sort = BOOL if set(words) <= set(TRUTHS) else Sort(name, 1, len(words), words)
        word = node.default.name if isinstance(node.default, syntax.Name) else node.default.span.text
        if word not in words:
            raise world.reject(node.default.span, f'"{word}" is not among the values of the option: '
                               f"it is {choices(words)}", nearest(word, words))  # fmt: skip
        value = TRUTHS[word] if sort == BOOL else words.index(word) + 1
        return OptionValue(name, value, sort, tuple(sort.values()), value)
    if isinstance(domain, syntax.SetOf):
        values = tuple(sorted(scope.constant(item) for item in domain.items))
    elif isinstance(domain, syntax.Interval):
        low, high = scope.constant(domain.low), scope.constant(domain.high)
        if not 0 <= high - low < OPTION_LIMIT:
            raise world.reject(domain.span, f"the range {low}..{high} is empty" if low > high else
                               f"an option has up to {OPTION_LIMIT} values")  # fmt: skip
        values = tuple(range(low, high + 1))
    else:
        raise world.reject(domain.span, "an option has a set or a range of values",
                           "for example:  option size = 6 in {4, 6, 8}")  # fmt: skip
    if not values:
        raise world.reject(domain.span, "an option needs a value", "for example:  option size = 6 in {4, 6, 8}")
    number = scope.constant(node.default)
    if number not in values:
        raise world.reject(node.default.span, f"{number} is not among the values of the option: "
                           f"it is {choices([str(v) for v in values])}")  # fmt: skip
    return OptionValue(name, number, Sort("number", values[0], values[-1]), values, number)


def _option_value(option: OptionValue, given: object) -> int:
    """The value that a user gave, from Python or as text."""
    words = {True: "on", False: "off", "yes": "on", "no": "off", "True": "on", "False": "off",
             "1": "on", "0": "off"} if option.sort == BOOL else {}  # fmt: skip
    given = words.get(given, given)  # type: ignore[call-overload]
    try:
        value = notation.parse_value(given, option.sort, f"option {option.name}")
    except notation.NotationError as error:
        raise UnknownOption(str(error)) from None
    if option.choices and value not in option.choices:
        allowed = choices([option.sort.label(v) for v in option.choices], 12)
        raise UnknownOption(f"option {option.name} cannot be {given}: it is {allowed}")
    return value


# --------------------------------------------------------------------------------------------- helpers


def _short_name(source: str) -> str:
    name = source.replace("\\", "/").rsplit("/", 1)[-1]
    return name.removesuffix(".rules")


def _conjuncts(expr: syntax.Expr) -> list[syntax.Expr]:
    if isinstance(expr, syntax.And):
        return _conjuncts(expr.left) + _conjuncts(expr.right)
    return [expr]


@dataclass(frozen=True)
class _Entry:
    value: int | None
    sort: Sort


def _table_entry(scope: Scope, expr: syntax.Expr, expect: Sort | None) -> Term:
    if isinstance(expr, syntax.NoneWord):
        return _Entry(None, expect or INT)  # type: ignore[return-value]
    term = scope.term(expr, expect)
    if not isinstance(term, TConst):
        raise scope.world.reject(expr.span, "a table holds numbers and names that never change")
    return term


def _check_row(
    world: World, node: syntax.Table, entries: tuple[syntax.Expr, ...], row: list[Term], first: list[Term]
) -> None:
    """Rejects an entry that is not of the kind of the first row's."""
    for column, expr, own, other in zip(node.columns, entries, row, first, strict=True):
        if isinstance(own, TConst) and isinstance(other, TConst) and not same_kind(own.sort, other.sort):
            raise world.reject(expr.span, f'"{column.name}" is {a_kind(other.sort)} in the first row; this is '
                               f"{a_kind(own.sort)}")  # fmt: skip


def _column_sort(terms: list[Term]) -> Sort:
    known = [t for t in terms if isinstance(t, TConst)]
    optional = len(known) < len(terms)
    first = known[0].sort if known else INT
    if first.labels:
        return replace(first, optional=optional)
    values = [t.value for t in known] or [0]
    return Sort("number", min(values), max(values), (), optional)


def _queries(world: World, actions: tuple[moves.Action, ...]) -> dict[str, Query]:
    """Every name that a query may use."""
    found: dict[str, Query] = {}
    for name, slot in world.slots.items():
        found[name] = Query("slot", name, slot.params, slot.sort)
    for name, table in world.columns.items():
        sorts = world.tables[table].sorts
        found[name] = Query("table", table, sorts[:1], sorts[1])
    for name, definition in world.definitions.items():
        params = tuple(p.sort for p in definition.params if isinstance(p.sort, Sort))
        target = definition.table or f"def_{name}"
        found[name] = Query("table" if definition.table else "rule", target, params, definition.result)
    for action in actions:
        found.setdefault(action.name, Query(
            "move", action.name, tuple(p.sort for p in action.params if isinstance(p.sort, Sort)), None))
    for name, target in (("neighbours", "board_neighbour"), ("aligned", "board_aligned"),
                         ("between", "board_between"), ("column", "board_column"), ("row", "board_row")):  # fmt: skip
        table_ = world.tables[target]
        if name in ("column", "row"):
            found.setdefault(name, Query("table", target, table_.sorts[:1], table_.sorts[1]))
        elif name == "aligned":
            found.setdefault(name, Query("table", target, table_.sorts, None))
        else:
            found.setdefault(name, Query("table", target, table_.sorts[:-1], SetSort(table_.sorts[-1])))
    return found


def _used_tables(game: Game) -> set[str]:
    return tables_asked(game) | {query.target for query in game.queries.values()} | {"opponent", "board_step"}


def _reads_mover(game: Game, body: Body, seen: set[str]) -> bool:
    for step in all_steps(body):
        if isinstance(step, Get) and step.slot == "mover":
            return True
        if isinstance(step, Ask) and step.rule not in seen:
            seen.add(step.rule)
            rule: Rule = game.rules[step.rule]
            if _reads_mover(game, rule.body, seen):
                return True
    return False


def _with_kept_turn(game: Game) -> Game:
    """The game, with a slot `again` if its endings must know whether the last move kept the turn.

    An ending speaks of the player who has just moved.  That is the opponent of the mover, unless the last
    move said `again`; only games in which this makes a difference remember it.
    """
    keeps = any(isinstance(e, Again) for a in game.actions for r in a.rounds for e in all_effects(r))
    role = any(isinstance(e.result, Winner) and e.result.role for e in game.endings)
    if not keeps or not (role or any(_reads_mover(game, e.body, set()) for e in game.endings)):
        return game
    game.slots["again"] = Slot("again", (), BOOL, game.size, 1, 0)
    game.__dict__.pop("size", None)
    return game


__all__ = ["CONDS", "CCompare", "Names", "UnknownOption", "Var", "check"]
