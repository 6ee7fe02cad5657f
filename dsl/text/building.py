"""Lark's tree → the syntax tree, phrase by phrase."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast

from lark import Token, Tree

from pysolve.dsl.errors import Report, Source, Span
from pysolve.dsl.language.aggregates import Kind
from pysolve.dsl.text.hints import RESERVED
from pysolve.dsl.text.limits import NAME_LIMIT
from pysolve.dsl.text.lines import SLANTED
from pysolve.dsl.text.nodes import (
    About,
    Again,
    Aggregate,
    And,
    Assign,
    Beside,
    Binary,
    Binder,
    Board,
    Call,
    CallEffect,
    Conditional,
    Contest,
    Define,
    Demand,
    Draw,
    Drawing,
    Effect,
    End,
    Ending,
    Evaluate,
    Example,
    ExampleLine,
    Expr,
    Extend,
    Fact,
    ForBlock,
    Game,
    Given,
    Ground,
    Holds,
    Icon,
    IfBlock,
    Illegal,
    Interval,
    Item,
    Legal,
    Let,
    Level,
    Lines,
    Mark,
    Member,
    Minus,
    Mobility,
    Move,
    Name,
    NamedType,
    NamesType,
    Never,
    NoneWord,
    Not,
    Number,
    Option,
    OptionalType,
    Or,
    Outcome,
    Param,
    Pass,
    Pay,
    Pays,
    Perft,
    Pick,
    Play,
    Players,
    Position,
    Prefer,
    Push,
    Quantified,
    RangeType,
    Reach,
    Remove,
    Rename,
    Repeat,
    Repeated,
    Replace,
    Result,
    Section,
    SetOf,
    SetType,
    Setup,
    SetWhere,
    Show,
    ShowCase,
    ShowLine,
    ShowPart,
    Sight,
    StackType,
    State,
    StateEntry,
    Statement,
    Steps,
    Stuck,
    Table,
    Take,
    Tell,
    Term,
    Then,
    Together,
    TurnTo,
    Type,
    TypeExpr,
    Under,
    Wins,
)

Chosen = tuple[tuple[Binder, ...], Expr | None]  # binders, and the condition on what they choose


def _text(token: Token | None) -> str | None:
    return None if token is None else str(token)[1:-1]


class Builder:
    """Lark's tree to ours, phrase by phrase; methods are named after the rules of the grammar.

    The tree is that of a text with so many lines `above` it in the source.
    """

    def __init__(self, source: Source, report: Report, above: int = 0):
        self.source = source
        self.report = report
        self._above = above

    def phrase(self, tree: Tree[Token]) -> Any:
        """The node for a parse tree; its tokens are already values."""
        parts = [self.phrase(part) if isinstance(part, Tree) else part for part in tree.children]
        return getattr(self, tree.data)(tree.meta, *parts)

    # -- helpers

    def _span(self, place: Any) -> Span:
        return Span(self.source, place.line + self._above, place.column, place.end_line + self._above, place.end_column)

    def _name(self, token: Token) -> Name:
        if len(token) > NAME_LIMIT:
            self.report.add(self._span(token), f"this name is too long: it has {len(token):,} characters",
                            f"a name has at most {NAME_LIMIT}")  # fmt: skip
        return Name(self._span(token), str(token))

    def _names(self, tokens: Any) -> tuple[Name, ...]:
        return tuple(self._name(token) for token in tokens)

    def _new(self, token: Token) -> Name:
        """A name that is given here; it must not be a word of the language."""
        name = self._name(token)
        if name.name in RESERVED:
            self.report.add(name.span, f"“{name.name}” is a reserved word and cannot be a name",
                            "choose another name")  # fmt: skip
        return name

    def _news(self, tokens: Any) -> tuple[Name, ...]:
        return tuple(self._new(token) for token in tokens)

    def _int(self, token: Token) -> int:
        if len(token) > 15:
            self.report.add(self._span(token), "this number is too large", "a number has at most 15 digits")
            return 0
        return int(token)

    # -- sections

    def start(self, meta: Any, *sections: Section) -> tuple[Section, ...]:
        return sections

    def game(self, meta: Any, name: Token, extends: Token | None, *properties: Any) -> Game:
        given = tuple((key, text) for key, text, _ in filter(None, properties))
        said = tuple(About(span, text) for key, text, span in filter(None, properties) if key == "about")
        parent = None if extends is None else self._span(extends)
        return Game(self._span(name), _text(name) or "", _text(extends), given, parent, said)

    def property(self, meta: Any, key: Token, value: Token) -> tuple[str, str, Span]:
        return str(key), str(value).strip('"'), self._span(meta)

    def replace(self, meta: Any, section: Section) -> Replace:
        return Replace(self._span(meta), section)

    def extend(self, meta: Any, section: Section) -> Extend:
        return Extend(self._span(meta), section)

    def remove(self, meta: Any, kind: Token, name: Token) -> Remove:
        return Remove(self._span(meta), str(kind), self._name(name))

    def option(self, meta: Any, *parts: Any) -> Option:
        said = tuple(part for part in parts if isinstance(part, About))
        names = [part for part in parts if isinstance(part, Token) and part.type == "NAME"]
        default, domain = parts[len(names) + 1 : len(names) + 3]  # behind the sign between them
        return Option(self._span(meta), self._news(names), default, domain, said)

    def about(self, meta: Any, text: Token) -> About:
        return About(self._span(meta), _text(text) or "")

    def players(self, meta: Any, count: Expr | None, *parts: Any) -> Players:
        *names, out = parts
        return Players(self._span(meta), self._news(names), count, out)

    def out(self, meta: Any, condition: Expr) -> Expr:
        return condition

    def board(self, meta: Any, form: tuple[str, tuple[Expr, ...]], *lines: Any) -> Board:
        shapes = tuple(line for line in lines if isinstance(line, Drawing))
        links = tuple(line for line in lines if isinstance(line, tuple))
        return Board(self._span(meta), form[0], form[1], shapes, links)

    def square(self, meta: Any, *sizes: Expr) -> tuple[str, tuple[Expr, ...]]:
        return "square", sizes

    def cylinder(self, meta: Any, *sizes: Expr) -> tuple[str, tuple[Expr, ...]]:
        return "cylinder", sizes

    def torus(self, meta: Any, *sizes: Expr) -> tuple[str, tuple[Expr, ...]]:
        return "torus", sizes

    def hexagon(self, meta: Any, *sizes: Expr) -> tuple[str, tuple[Expr, ...]]:
        return "hexagon", sizes

    def rhombus(self, meta: Any, *sizes: Expr) -> tuple[str, tuple[Expr, ...]]:
        return "rhombus", sizes

    def triangle(self, meta: Any, *sizes: Expr) -> tuple[str, tuple[Expr, ...]]:
        return "triangle", sizes

    def star(self, meta: Any, *sizes: Expr) -> tuple[str, tuple[Expr, ...]]:
        return "star", sizes

    def graph(self, meta: Any) -> tuple[str, tuple[Expr, ...]]:
        return "graph", ()

    def shape(self, meta: Any, when: Expr | None, *lines: Token) -> Drawing:
        return Drawing(self._span(meta), self._rows(lines), when)

    def _rows(self, lines: Iterable[Token]) -> tuple[tuple[Span, str], ...]:
        """The rows of a drawing, without the spaces that slant it."""
        rows = []
        for line in lines:
            text = line.lstrip(SLANTED)
            span = self._span(line)
            rows.append((replace(span, column=span.end_column - len(text)), text.rstrip()))
        return tuple(rows)

    def line(self, meta: Any, *lines: tuple[Name, ...]) -> tuple[tuple[Name, ...], ...]:
        return lines

    def linked(self, meta: Any, *cells: Token) -> tuple[Name, ...]:
        return self._names(cells)

    def type(self, meta: Any, name: Token, _eq: Token, body: TypeExpr) -> Type:
        return Type(self._span(meta), self._new(name), body)

    def names_list(self, meta: Any, *names: Token) -> NamesType:
        return NamesType(self._span(meta), self._news(names))

    def table(self, meta: Any, name: Token, *rest: Any) -> Table:
        columns = self._news(item for item in rest if isinstance(item, Token))
        rows = tuple(item for item in rest if isinstance(item, tuple))
        return Table(self._span(meta), self._name(name), columns, rows)

    def row(self, meta: Any, *entries: Expr) -> tuple[Span, tuple[Expr, ...]]:
        return self._span(meta), entries

    def optional_type(self, meta: Any, of: TypeExpr) -> OptionalType:
        return OptionalType(self._span(meta), of)

    def named_type(self, meta: Any, name: Token) -> NamedType:
        return NamedType(self._span(meta), str(name))

    def range_type(self, meta: Any, low: Expr, high: Expr) -> RangeType:
        return RangeType(self._span(meta), low, high)

    def stack_type(self, meta: Any, of: TypeExpr, most: Expr) -> StackType:
        return StackType(self._span(meta), of, most)

    def set_type(self, meta: Any, of: TypeExpr) -> SetType:
        return SetType(self._span(meta), of)

    def params(self, meta: Any, *params: Param) -> tuple[Param, ...]:
        """The parameters; one with a name alone has the type, or the set, of the one behind it."""
        found = list(params)
        for place, param in reversed([*enumerate(params)]):
            if param.type is None and param.within is None and place + 1 < len(found):
                found[place] = Param(param.span, param.name, found[place + 1].type, found[place + 1].within)
        return tuple(found)

    def param(self, meta: Any, name: Token, type: TypeExpr | None) -> Param:
        return Param(self._span(name), self._new(name).name, type, None)

    def param_in(self, meta: Any, name: Token, within: Expr) -> Param:
        return Param(self._span(name), self._new(name).name, None, within)

    def state(self, meta: Any, *entries: StateEntry) -> State:
        return State(self._span(meta), entries)

    def state_entry(
        self, meta: Any, name: Token, params: Any, type: TypeExpr, sight: Sight | None = None
    ) -> StateEntry:
        names, types = zip(*params, strict=True) if params else ((), ())
        return StateEntry(self._span(meta), self._new(name), types, type, names, sight)

    def slot_params(self, meta: Any, *params: Any) -> tuple[Any, ...]:
        return params

    def slot_param(self, meta: Any, name: Token | None, type: TypeExpr) -> tuple[Name | None, TypeExpr]:
        return None if name is None else self._new(name), type

    def seen_by(self, meta: Any, who: Expr) -> Sight:
        return Sight(self._span(meta), who, False)

    def seen_by_nobody(self, meta: Any) -> Sight:
        return Sight(self._span(meta), None, False)

    def seen_by_all(self, meta: Any, condition: Expr) -> Sight:
        return Sight(self._span(meta), condition, True)

    def setup(self, meta: Any, *body: Statement) -> Setup:
        return Setup(self._span(meta), body)

    def define(self, meta: Any, name: Token, params: Any, type: Any, _eq: Token, body: Expr) -> Define:
        return Define(self._span(meta), self._new(name), params or (), type, body)

    def effect(self, meta: Any, name: Token, params: Any, *body: Statement) -> Effect:
        return Effect(self._span(meta), self._new(name), params or (), body)

    def move(self, meta: Any, name: Token, params: Any, text: Token | None, seen: Token | None, *parts: Any) -> Move:
        found: dict[str, tuple[Any, ...]] = {"when": (), "do": (), "after": (), "prefer": (), "weight": ()}
        said = tuple(part for part in parts if isinstance(part, About))
        for part in parts:
            if isinstance(part, Then):
                found["do"] += (part,)
            elif part is not None and not isinstance(part, About):
                found[part[0]] += part[1]
        return Move(
            self._span(meta), self._name(name), params or (), _text(text),
            None if text is None else self._span(text),
            found["when"], found["do"], found["after"], next(iter(found["prefer"]), None), said,
            next(iter(found["weight"]), None), False, _text(seen), None if seen is None else self._span(seen),
        )  # fmt: skip

    def chance(self, meta: Any, *parts: Any) -> Move:
        return replace(self.move(meta, *parts), chance=True)

    def weighing(self, meta: Any, weight: Expr) -> tuple[str, tuple[Expr, ...]]:
        return "weight", (weight,)

    def when(self, meta: Any, *demands: Demand | Let) -> tuple[str, tuple[Demand | Let, ...]]:
        return "when", demands

    def after(self, meta: Any, *demands: Demand) -> tuple[str, tuple[Demand, ...]]:
        return "after", demands

    def prefer(self, meta: Any, *said: Any) -> tuple[str, tuple[Prefer, ...]]:
        value, reason = said[-2:]
        return "prefer", (Prefer(self._span(meta), value, _text(reason)),)

    def do(self, meta: Any, *body: Statement) -> tuple[str, tuple[Statement, ...]]:
        return "do", body

    def demand(self, meta: Any, condition: Expr, reason: Token | None) -> Demand:
        return Demand(condition.span, condition, _text(reason))

    # -- statements

    def assign(self, meta: Any, place: Name | Call, value: Expr) -> Assign:
        return Assign(self._span(meta), place, value)

    def push(self, meta: Any, value: Expr, onto: Name | Call) -> Push:
        return Push(self._span(meta), value, onto)

    def take(self, meta: Any, count: Expr, stack: Name | Call, onto: Name | Call) -> Take:
        return Take(self._span(meta), count, stack, onto)

    def drop(self, meta: Any, count: Expr, stack: Name | Call) -> Take:
        return Take(self._span(meta), count, stack, None)

    def call_effect(self, meta: Any, called: Call | Name) -> CallEffect:
        call = Call(called.span, called.name, ()) if isinstance(called, Name) else called
        return CallEffect(call.span, call)

    def let(self, meta: Any, *bindings: tuple[Name, Expr]) -> Let:
        return Let(self._span(meta), bindings)

    def binding(self, meta: Any, name: Token, _eq: Token, value: Expr) -> tuple[Name, Expr]:
        return self._new(name), value

    def if_block(self, meta: Any, test: Expr, *rest: Any) -> IfBlock:
        body = tuple(item for item in rest if item is not None and not isinstance(item, tuple))
        otherwise = next((item for item in rest if isinstance(item, tuple)), ())
        return IfBlock(test.span, test, body, otherwise)

    def else_block(self, meta: Any, *body: Statement) -> tuple[Statement, ...]:
        return body

    def for_block(self, meta: Any, chosen: Chosen, *body: Statement) -> ForBlock:
        return ForBlock(chosen[0][0].span, *chosen, body)

    def then(self, meta: Any, *body: Statement) -> Then:
        return Then(self._span(meta), body)

    def again(self, meta: Any) -> Again:
        return Again(self._span(meta))

    def turn_to(self, meta: Any, who: Expr) -> TurnTo:
        return TurnTo(self._span(meta), who)

    def pick(self, meta: Any, binder: Binder, where: Expr | None) -> Pick:
        return Pick(self._span(meta), binder, where)

    def repeat(self, meta: Any, times: Expr, *body: Statement) -> Repeat:
        return Repeat(self._span(meta), times, body)

    drawn = shape

    # -- endings, evaluate, show

    def stuck(self, meta: Any, result: Result | Pass, reason: Token | None = None) -> Stuck:
        return Stuck(self._span(meta), result, _text(reason))

    def sit_out(self, meta: Any) -> Pass:
        return Pass(self._span(meta))

    def end(self, meta: Any, *endings: Ending) -> End:
        return End(self._span(meta), endings)

    def ending(self, meta: Any, result: Result, condition: Expr, reason: Token | None) -> Ending:
        return Ending(self._span(meta), result, condition, _text(reason))

    def wins(self, meta: Any, who: Token | Expr) -> Wins:
        return Wins(self._span(meta), self._name(who) if isinstance(who, Token) else who, False)

    def loses(self, meta: Any, who: Token | Expr) -> Wins:
        return replace(self.wins(meta, who), loses=True)

    def together(self, meta: Any, *who: Token) -> Together:
        return Together(self._span(meta), self._names(who))

    def draw(self, meta: Any) -> Draw:
        return Draw(self._span(meta))

    def contest(self, meta: Any, *parts: Any) -> Contest:
        rankings = tuple(part for part in parts if isinstance(part, tuple))
        otherwise = next((p for p in parts if p is not None and not isinstance(p, tuple)), None)
        return Contest(self._span(meta), rankings, otherwise)

    def rank(self, meta: Any, *placings: tuple[str, Name]) -> Contest:
        return Contest(self._span(meta), placings, None, True)

    def pay(self, meta: Any, name: Token) -> Pay:
        return Pay(self._span(meta), self._name(name))

    def pays(self, meta: Any, *parts: Any) -> Pays:
        amounts = zip(parts[::2], parts[1::2], strict=True)
        return Pays(self._span(meta), tuple((self._name(name), amount.value) for name, amount in amounts))

    def ranking(self, meta: Any, kind: Token, name: Token) -> tuple[str, Name]:
        return str(kind), self._name(name)

    def placing(self, meta: Any, kind: Token | None, name: Token) -> tuple[str, Name]:
        return str(kind or "most"), self._name(name)

    def evaluate(self, meta: Any, *terms: Term) -> Evaluate:
        return Evaluate(self._span(meta), terms)

    def term(self, meta: Any, name: Token, weight: Number, value: Expr) -> Term:
        return Term(self._span(name), self._name(name), weight.value, value)

    def level(self, meta: Any, name: Token, player: Token) -> Level:
        return Level(self._span(meta), self._new(name), _text(player) or "", self._span(player))

    def mark(self, meta: Any, name: Token, look: Any, text: Token) -> Mark:
        return Mark(self._span(meta), self._name(name), look, _text(text) or "")

    def tell(self, meta: Any, name: Token, text: Token) -> Tell:
        return Tell(self._span(meta), self._name(name), _text(text) or "")

    def rename(self, meta: Any, old: Token, new: Token) -> Rename:
        is_text = old.type == "STRING"
        words = (_text(old) or "", _text(new) or "") if is_text else (str(old), str(new))
        return Rename(self._span(meta), *words, self._span(old), self._span(new), is_text)

    def show(self, meta: Any, *lines: ShowPart) -> Show:
        return Show(self._span(meta), lines)

    def never(self, meta: Any, condition: Expr) -> Never:
        return Never(self._span(meta), condition)

    def beside(self, meta: Any, name: Token, *cases: ShowCase | None) -> Beside:
        return Beside(self._span(meta), self._name(name), tuple(filter(None, cases)))

    def icon(self, meta: Any, name: Token, *path: Token) -> Icon:
        return Icon(self._span(meta), self._name(name), self._texts(path))

    def ground(self, meta: Any, form: Token) -> Ground:
        return Ground(self._span(meta), self._name(form))

    def under(self, meta: Any, *parts: Any) -> Under:
        *path, look = parts
        return Under(self._span(meta), self._texts(path), look)

    def _texts(self, tokens: Iterable[Token]) -> tuple[tuple[Span, str], ...]:
        return tuple((self._span(token), _text(token) or "") for token in tokens)

    def lines(self, meta: Any, _every: Token, every: Expr) -> Lines:
        return Lines(self._span(meta), every)

    def show_line(self, meta: Any, *parts: Any) -> ShowLine:
        names = self._names(part for part in parts if isinstance(part, Token))
        cases = tuple(part for part in parts if isinstance(part, ShowCase))
        return ShowLine(self._span(meta), names, cases)

    def show_case(self, meta: Any, values: Any, glyph: Token, look: Any) -> ShowCase:
        return ShowCase(self._span(meta), values, _text(glyph), look)

    def show_number(self, meta: Any, look: Any) -> ShowCase:
        return ShowCase(self._span(meta), (), None, look)

    def show_values(self, meta: Any, *values: Expr) -> tuple[Expr, ...]:
        return values

    def look(self, meta: Any, *words: Token) -> tuple[Name, ...]:
        return self._names(words)

    # -- examples

    def example(self, meta: Any, name: Token, *lines: ExampleLine) -> Example:
        return Example(self._span(name), _text(name) or "", lines)

    def given(self, meta: Any, name: Token, value: Expr) -> Given:
        return Given(self._span(meta), self._name(name), value)

    def position(self, meta: Any, mover: Token | None, *parts: Any) -> Position:
        facts = tuple(part for part in parts if isinstance(part, Fact))
        drawn = self._rows(part for part in parts if isinstance(part, Token))
        drawing = Drawing(self._span(meta), drawn) if drawn else None
        return Position(self._span(meta), None if mover is None else self._name(mover), facts, drawing)

    def fact(self, meta: Any, place: Name | Call, _eq: Token, *values: Expr) -> Fact:
        return Fact(self._span(meta), place, values[0], values[2::2])

    def _moves(self, tokens: Any) -> tuple[tuple[Span, str], ...]:
        return tuple((self._span(t), str(t)) for t in tokens if t is not None and t.type == "MOVE")

    def play(self, meta: Any, *moves: Token) -> Play:
        return Play(self._span(meta), self._moves(moves))

    def legal(self, meta: Any, *moves: Token) -> Legal:
        return Legal(self._span(meta), self._moves(moves))

    def illegal(self, meta: Any, *parts: Token | None) -> Illegal:
        return Illegal(self._span(meta), self._moves(parts), _text(parts[-1]))

    def outcome(self, meta: Any, result: Result, reason: Token | None) -> Outcome:
        return Outcome(self._span(meta), result, _text(reason))

    def mobility(self, meta: Any, count: Token) -> Mobility:
        return Mobility(self._span(meta), self._int(count))

    def holds(self, meta: Any, condition: Expr) -> Holds:
        return Holds(self._span(meta), condition)

    def perft(self, meta: Any, *counts: tuple[Span, int, int]) -> Perft:
        return Perft(self._span(meta), counts)

    def count_at(self, meta: Any, depth: Token, _eq: Token, count: Token) -> tuple[Span, int, int]:
        return self._span(meta), self._int(depth), self._int(count)

    # -- expressions

    def number(self, meta: Any, digits: Token) -> Number:
        return Number(self._span(meta), self._int(digits))

    def negative(self, meta: Any, digits: Token) -> Number:
        return Number(self._span(meta), -self._int(digits))

    def name(self, meta: Any, token: Token) -> Name:
        return self._name(token)

    def none(self, meta: Any) -> NoneWord:
        return NoneWord(self._span(meta))

    def call(self, meta: Any, name: Token, *args: Expr) -> Call:
        return Call(self._span(meta), str(name), args)

    def item(self, meta: Any, stack: Name | Call, at: Expr) -> Item:
        return Item(self._span(meta), stack, at)

    def minus(self, meta: Any, of: Expr) -> Minus:
        return Minus(self._span(meta), of)

    def not_(self, meta: Any, of: Expr) -> Not:
        return Not(self._span(meta), of)

    def and_(self, meta: Any, left: Expr, right: Expr) -> And:
        return And(self._span(meta), left, right)

    def or_(self, meta: Any, left: Expr, right: Expr) -> Or:
        return Or(self._span(meta), left, right)

    def binary(self, meta: Any, left: Expr, op: Token, right: Expr) -> Binary:
        return Binary(self._span(meta), str(op), left, right)

    def member(self, meta: Any, item: Expr, within: Expr) -> Member:
        return Member(self._span(meta), item, within, False)

    def not_member(self, meta: Any, item: Expr, within: Expr) -> Member:
        return Member(self._span(meta), item, within, True)

    def interval(self, meta: Any, low: Expr, high: Expr) -> Interval:
        return Interval(self._span(meta), low, high)

    def set_of(self, meta: Any, *items: Expr) -> SetOf:
        return SetOf(self._span(meta), items)

    def set_where_type(self, meta: Any, name: Token, type: TypeExpr, where: Expr | None) -> SetWhere:
        binder = Binder(self._span(name), (self._new(name),), type, None)
        return SetWhere(self._span(meta), binder, where)

    def set_where_in(self, meta: Any, name: Token, within: Expr, where: Expr | None) -> SetWhere:
        binder = Binder(self._span(name), (self._new(name),), None, within)
        return SetWhere(self._span(meta), binder, where)

    def binder_type(self, meta: Any, *parts: Any) -> Binder:
        return Binder(self._span(meta), self._news(parts[:-1]), parts[-1], None)

    def binder_in(self, meta: Any, *parts: Any) -> Binder:
        return Binder(self._span(meta), self._news(parts[:-1]), None, parts[-1])

    def chosen(self, meta: Any, binder: Binder, where: Expr | None) -> Binder:
        return binder if where is None else replace(binder, where=where)

    def binders(self, meta: Any, *binders: Binder) -> Chosen:
        """The binders, and the condition on all of them: that behind the last."""
        return (*binders[:-1], replace(binders[-1], where=None)), binders[-1].where

    def quantified(self, meta: Any, kind: Token, chosen: Chosen, body: Expr) -> Quantified:
        return Quantified(self._span(meta), str(kind), *chosen, body)

    def aggregate(self, meta: Any, kind: Token, chosen: Chosen, of: Expr | None = None) -> Aggregate:
        return Aggregate(self._span(meta), cast(Kind, str(kind)), *chosen, of)

    def conditional(self, meta: Any, test: Expr, then: Expr, otherwise: Expr) -> Conditional:
        return Conditional(self._span(meta), test, then, otherwise)

    def repeated(self, meta: Any, count: Token, *ignoring: Token | None) -> Repeated:
        return Repeated(self._span(meta), self._int(count), self._names(name for name in ignoring if name is not None))

    def reach(self, meta: Any, start: Expr, by: Token | Call) -> Reach:
        return Reach(self._span(meta), start, *self._relation(by))

    def steps(self, meta: Any, start: Expr, goal: Expr, by: Token | Call) -> Steps:
        return Steps(self._span(meta), start, goal, *self._relation(by))

    def _relation(self, by: Token | Call) -> tuple[str, tuple[Expr, ...], Span]:
        """The name of a relation, its arguments, and where the name stands."""
        if isinstance(by, Call):
            return by.name, by.args, by.span.first(len(by.name))
        return str(by), (), self._span(by)
