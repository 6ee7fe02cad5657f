"""Lark's tables, and one loop that reads a text by them.

In: a text that layout.py has laid out.  Out: the tree that Lark makes of it, with the same places; or nothing where
the text is not as the grammar says, for then it is Lark that knows what is wrong.  Lark finds the words, counts the
blocks and builds the tree in three layers that hand each word on; here one loop does it, and
  * expressions are kept as they were compiled, and names looked up;
  * a rule that only passes a phrase on, as `sum` does where nothing is added, builds nothing;
  * a word that no tree holds is no token, and places are noted only where they are read.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from lark import Lark, Token, Tree
from lark.grammar import Rule

NEW_LINE, INDENT, DEDENT = "_NL", "_INDENT", "_DEDENT"  # as the grammar calls them
END = "$END"  # as Lark calls the end of a text


class Place(NamedTuple):
    """Where a phrase stands: its first character, lines and columns from 1, and where it ends."""

    line: int
    column: int
    end_line: int
    end_column: int


# What is done at the end of a phrase: so many parts are a phrase of this name, and this makes a tree of them (None: the
# phrase is its only part).  A plain tuple, of which hundreds are loaded at once.
Reduction: TypeAlias = tuple[int, str, Callable[[list[Any]], Any] | None]
Step: TypeAlias = int | Reduction  # a word is taken and leads to a state; or a phrase ends before it


@dataclass
class Scanner:
    """Finds the next word, where only some may come."""

    pattern: str
    flags: int
    compiled: tuple[Any, ...] | None  # what Python made of the pattern; None if it does not say
    names: dict[str, dict[str, str]]  # for each kind of words, those that are a kind of their own

    @cached_property
    def match(self) -> Callable[[str, int], re.Match[str] | None]:
        if self.compiled is None:
            return re.compile(self.pattern, self.flags).match
        return _made(self.pattern, self.compiled).match

    def __reduce__(self) -> tuple[Any, ...]:
        return Scanner, (self.pattern, self.flags, self.compiled, self.names)  # without `match`


@dataclass
class Tables:
    """What Lark found out about the grammar."""

    states: list[dict[str, Step]]  # by the kind of the next word, or the phrase that has been read
    scanners: list[Scanner]  # for each state
    start: int
    end: int
    ignored: frozenset[str]  # kinds of words that say nothing
    held: frozenset[str]  # kinds of words that a tree may hold

    def tree(self, text: str) -> Tree[Token] | None:
        """The tree of a text; None if the text has a mistake."""
        states = self.states
        stack: list[Any] = [self.start]  # states
        parts: list[Any] = []  # what was read to reach each of these states
        places: list[Any] = []  # and where it stands
        try:
            for kind, word, place in self._words(text, stack):
                step = states[stack[-1]][kind]
                while not isinstance(step, int):
                    size, name, build = step
                    if build is None:
                        del stack[-1]
                    else:
                        first = len(parts) - size
                        whole = places[first] if size == 1 else _from_to(places[first:])
                        made = build(parts[first:])
                        if whole and name[0] != "_" and type(made) is Tree and made._meta is None:
                            made._meta = Place(*whole)  # type: ignore[assignment]
                        del stack[first + 1 :], parts[first:], places[first:]
                        parts.append(made)
                        places.append(whole)
                    stack.append(states[stack[-1]][name])
                    step = states[stack[-1]][kind]
                stack.append(step)
                parts.append(word)
                places.append(place)
        except KeyError:  # this word cannot stand here
            return None
        return parts[0] if stack[-1] == self.end else None

    def _words(self, text: str, stack: list[int]) -> Iterator[tuple[str, Any, tuple[int, ...]]]:
        """The words of a text, each of a kind that may come next, and their places; as far as there are such words."""
        scanners, ignored, held = self.scanners, self.ignored, self.held
        at, line, margin = 0, 1, 0  # `margin` is where the line begins
        indents = [0]
        place = 1, 1, 1, 1
        while at < len(text):
            scanner = scanners[stack[-1]]
            found = scanner.match(text, at)
            if found is None:
                return
            kind, word = found.lastgroup or "", found.group()
            begins = line, at - margin + 1
            at = found.end()
            if "\n" in word:
                line += word.count("\n")
                margin = text.rindex("\n", 0, at) + 1
            if kind in ignored:
                continue
            if kind in scanner.names:
                kind = scanner.names[kind].get(word, kind)
            place = *begins, line, at - margin + 1
            yield kind, _token(kind, word, place) if kind in held else None, place
            if kind == NEW_LINE:
                indent = at - margin
                if indent > indents[-1]:
                    indents.append(indent)
                    yield INDENT, None, place
                while indent < indents[-1]:
                    del indents[-1]
                    yield DEDENT, None, place
                if indent != indents[-1]:
                    return
        for _ in indents[1:]:
            yield DEDENT, None, place
        yield END, None, place


def _from_to(places: list[Any]) -> tuple[int, ...] | None:
    """The place from the first of these to the last; what is empty has none."""
    begins, ends = places[0] if places else None, places[-1] if places else None
    if begins is None or ends is None:
        some = [place for place in places if place is not None]
        if not some:
            return None
        begins, ends = some[0], some[-1]
    return *begins[:2], *ends[2:]


def _token(kind: str, word: str, place: tuple[int, ...]) -> Token:
    """A token as Lark makes it, but without numbers of characters, which nobody asks for."""
    token: Token = str.__new__(Token, word)
    token.type, token.value = kind, word
    token.line, token.column, token.end_line, token.end_column = place
    return token


def tables_of(lark: Lark) -> Tables:
    """The tables of a parser; raises whatever it may if this Lark is made otherwise inside."""
    parser, lexers = lark.parser.parser.parser, lark.parser.lexer.lexer.lexers
    found, (start,) = parser.parse_table, lark.options.start
    words = [one for rule in parser.callbacks for one in rule.expansion if one.is_term]
    number = {state: n for n, state in enumerate(found.states)}
    end = number[found.end_states[start]]
    reductions = {rule: _reduction(rule, build) for rule, build in parser.callbacks.items()}
    states: list[dict[str, Step]] = [
        {str(after): number[to] if action.name == "Shift" else reductions[to] for after, (action, to) in steps.items()}
        for steps in found.states.values()
    ]
    states[end][END] = end
    return Tables(
        states, _scanners([lexers[state] for state in found.states]), number[found.start_states[start]], end,
        frozenset(lark.lexer_conf.ignore),
        frozenset(word.name for word in words if not word.filter_out),
    )  # fmt: skip


def _reduction(rule: Rule, build: Any) -> Reduction:
    only = rule.expansion[0] if len(rule.expansion) == 1 else None
    passes = only and rule.options.expand1 and not rule.alias and not only.is_term and not only.name.startswith("_")
    return len(rule.expansion), str(rule.origin.name), None if passes else build.node_builder


def _scanners(lexers: list[Any]) -> list[Scanner]:
    """For each state what finds the next word; where the same words may come, it is the same."""
    shared: dict[frozenset[str], Scanner] = {}
    scanners = []
    for lexer in lexers:
        kinds = frozenset(terminal.name for terminal in lexer.terminals)
        if kinds not in shared:
            (expression,) = lexer.scanner._mres
            names = {
                kind: {one.pattern.value: one.name for one in words.scanner.terminals}
                for kind, words in lexer.callback.items()
            }
            shared[kinds] = Scanner(expression.pattern, expression.flags, _compiled(expression), names)
        scanners.append(shared[kinds])
    return scanners


def _made(pattern: str, compiled: tuple[Any, ...]) -> re.Pattern[str]:
    made: re.Pattern[str] = re._compiler._sre.compile(pattern, *compiled)  # type: ignore[attr-defined]
    return made


def _compiled(expression: re.Pattern[str]) -> tuple[Any, ...] | None:
    """What Python compiles an expression to, from which it is made again at once; None if this Python does not say.

    That belongs to one version of Python, as does the parser that is kept.
    """
    with contextlib.suppress(Exception):
        pattern, flags, groups = expression.pattern, expression.flags, expression.groupindex
        code = [*map(int, re._compiler._code(re._parser.parse(pattern, flags), flags))]  # type: ignore[attr-defined]
        names: list[str | None] = [None] * (expression.groups + 1)
        for name, number in groups.items():
            names[number] = name
        compiled = flags, code, expression.groups, dict(groups), tuple(names)
        if _made(pattern, compiled) == expression:
            return compiled
    return None
