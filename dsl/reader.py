"""A text of the rules language, read phrase by phrase.

In: a text as layout.py leaves it, and a builder with a method for each phrase of grammar.lark.  Out: what the builder
makes of the whole; None for a text that cannot be read: lark says where such a text goes wrong, and what was expected.

lark makes the tables of the grammar (LALR), which are kept in the user's cache.  To read by them takes a third of the
time that lark takes, and does not import it: words are cut by one regular expression, and no tree is made.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dsl.errors import Source, Span

if TYPE_CHECKING:
    from lark import Lark

GRAMMAR = Path(__file__).with_name("grammar.lark")
PLAIN = ("NAME", "INT", "STRING", "_NL")  # the words that are cut out whatever stands around them
DEEPEST = 100  # phrases inside each other

NOWHERE = 1 << 30  # no state

Place = tuple[int, int]  # line and column
State = dict[str, int]  # what may follow, to the next state; to ~ the number of a phrase that is complete


class Phrase(NamedTuple):
    """A way to write a phrase."""

    name: str  # of the rule in the grammar
    size: int  # words and phrases that it is made of
    method: str  # of the builder; none for parts that belong to the phrase around them
    single: bool  # what is only one phrase is that phrase
    parts: tuple[tuple[int, bool, int], ...]  # place, whether it is itself a list of parts, missing ones before it
    missing: int  # parts that may stand at the end

    @property
    def only_renames(self) -> bool:
        """Is it nothing but one other phrase?"""
        return self.single and self.size == 1 and self.parts == ((0, False, 0),)


class Tables(NamedTuple):
    """All that is known of the grammar."""

    states: dict[int, State]
    first: int
    last: int
    written: dict[str, str]  # words and signs of the language, to their names; the longest first
    patterns: dict[str, str]  # of the other words; where two fit the first is meant
    ignored: tuple[str, ...]
    kept: frozenset[str]  # the words that are parts of phrases; the others only show which phrase it is
    phrases: tuple[Phrase, ...]


class Token(str):
    """A word of the text: a name, a number, a text, a sign."""

    __slots__ = ("kind", "span")
    kind: str
    span: Span


class _Unreadable(Exception):
    """No phrase goes on like this."""


def read(text: str, source: Source, builder: object) -> Any:
    """What the builder makes of a text; None if it cannot be read, or nests more deeply than is allowed."""
    try:
        return _Reading(source, builder).read(text)
    except _Unreadable:
        return None


class _Reading:
    """Two stacks: states, and the words and phrases between them: value, beginning, end, how deeply it is nested."""

    def __init__(self, source: Source, builder: object):
        self.source = source
        self.tables = tables()
        self.methods = [getattr(builder, phrase.method) if phrase.method else None for phrase in self.tables.phrases]
        self.renamed = [phrase.name if phrase.only_renames else "" for phrase in self.tables.phrases]
        self.states = [self.tables.first]
        self.pieces: list[tuple[Any, Place | None, Place | None, int]] = []

    def read(self, text: str) -> Any:
        skipped, plain, special = _patterns()
        kept = self.tables.kept
        margins = [0]
        line, begin, at = 1, 0, 0  # the line, where it begins, where we are
        while True:
            if found := skipped.match(text, at):
                line += text.count("\n", at, found.end())
                begin = max(begin, text.rfind("\n", at, found.end()) + 1)
                at = found.end()
            if at == len(text):
                break
            kind, end = self._word(text, at, plain, special)
            start = line, at - begin + 1
            if kind == "_NL":
                line += text.count("\n", at, end)
                begin = text.rindex("\n", at, end) + 1
                for name in ("_NL", *_blocks(margins, end - begin)):
                    self._take(name, None, start, (line, end - begin + 1))
            else:
                token = None
                if kind in kept:
                    token = Token(text[at:end])
                    token.kind = kind
                    token.span = Span(self.source, *start, line, end - begin + 1)
                self._take(kind, token, start, (line, end - begin + 1))
            at = end
        while self.states[-1] != self.tables.last:
            then = self.tables.states[self.states[-1]].get("$END", 0)
            if then >= 0:
                raise _Unreadable
            self._complete(~then)
        value, _, _, depth = self.pieces[-1]
        if depth > DEEPEST:
            raise _Unreadable
        return value

    def _word(
        self, text: str, at: int, plain: re.Pattern[str], special: dict[str, re.Pattern[str]]
    ) -> tuple[str, int]:
        """The kind of the next word, and its end."""
        row = self.tables.states[self.states[-1]]
        for kind, pattern in special.items():
            if kind in row and (found := pattern.match(text, at)):
                return kind, found.end()
        if found := plain.match(text, at):
            kind = self.tables.written.get(found[0], "")
            if kind in row:
                return kind, found.end()
            kind = found.lastgroup or ""
            if kind in row or kind == "_NL":
                return kind, found.end()
        for written, kind in self.tables.written.items():  # what is not separated from what follows
            if kind in row and text.startswith(written, at):
                return kind, at + len(written)
        raise _Unreadable

    def _take(self, kind: str, value: Token | None, start: Place, end: Place) -> None:
        """Goes on with a word; what it completes is completed before."""
        states, rows = self.states, self.tables.states
        while (then := rows[states[-1]].get(kind, NOWHERE)) < 0:
            if name := self.renamed[~then]:
                states[-1] = rows[states[-2]][name]
            else:
                self._complete(~then)
        if then == NOWHERE:
            raise _Unreadable
        states.append(then)
        self.pieces.append((value, start, end, 0))

    def _complete(self, number: int) -> None:
        """Makes one phrase of its parts, the last pieces."""
        phrase, method = self.tables.phrases[number], self.methods[number]
        start = end = None
        values: list[Any] = []
        depth = 0
        if phrase.size:
            below = self.pieces[-phrase.size :]
            del self.states[-phrase.size :], self.pieces[-phrase.size :]
            start = below[0][1] or next((piece[1] for piece in below if piece[1]), None)
            end = below[-1][2] or next((piece[2] for piece in reversed(below) if piece[2]), None)
            for piece in below:
                if piece[3] > depth:
                    depth = piece[3]
            for place, several, missing in phrase.parts:
                if missing:
                    values += [None] * missing
                if not several:
                    values.append(below[place][0])
                elif values:
                    values += below[place][0]
                else:
                    values = below[place][0]
        if phrase.missing:
            values += [None] * phrase.missing
        value: Any = values
        if phrase.single and len(values) == 1:
            value = values[0]
        elif method is not None:
            value = method(Span(self.source, *start, *end) if start and end else None, *values)
            depth += 1
        self.states.append(self.tables.states[self.states[-1]][phrase.name])
        self.pieces.append((value, start, end, depth))


def _blocks(margins: list[int], margin: int) -> Iterator[str]:
    """The blocks that begin or end at a line with this margin; `margins` are those of the open blocks."""
    if margin > margins[-1]:
        margins.append(margin)
        yield "_INDENT"
    while margin < margins[-1]:
        margins.pop()
        yield "_DEDENT"
    if margin != margins[-1]:
        raise _Unreadable


# ------------------------------------------------------------------------------------------ the grammar


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], dict[str, re.Pattern[str]]]:
    """What stands between words, the words that are cut out everywhere, and those of some places only."""
    known = tables()
    skipped = re.compile("(?:" + "|".join(known.patterns[name] for name in known.ignored) + ")+")
    signs = "|".join(map(re.escape, known.written))
    plain = re.compile("|".join(f"(?P<{name}>{known.patterns[name]})" for name in PLAIN) + f"|{signs}")
    others = [name for name in known.patterns if name not in (*PLAIN, *known.ignored)]
    return skipped, plain, {name: re.compile(known.patterns[name]) for name in others}


@cache
def tables() -> Tables:
    """The tables of the grammar; they are kept in the user's cache, since making them takes a while."""
    kept = cache_file(".tables")
    with contextlib.suppress(OSError, EOFError, TypeError, ValueError):
        if kept is not None:
            found = Tables(*marshal.loads(kept.read_bytes()))
            return found._replace(phrases=tuple(Phrase(*phrase) for phrase in found.phrases))
    made = _tables_of(lark_parser())
    if kept is not None:
        with contextlib.suppress(OSError):
            written = kept.with_suffix(f".{os.getpid()}")
            written.write_bytes(marshal.dumps((*made[:-1], tuple(tuple(phrase) for phrase in made.phrases))))
            written.replace(kept)
    return made


def cache_file(ending: str) -> Path | None:
    """Where something that is made of the grammar is kept; None where nothing can be written."""
    import platformdirs

    said = GRAMMAR.read_bytes() + Path(__file__).read_bytes() + sys.version.encode()  # others have their own
    try:
        folder = Path(platformdirs.user_cache_dir("pysolve"))
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return None
    return folder / f"grammar-{hashlib.sha256(said).hexdigest()[:16]}{ending}"


@cache
def lark_parser() -> Lark:
    """The parser that lark makes of the grammar."""
    from lark import Lark
    from lark.indenter import Indenter

    class Blocks(Indenter):
        NL_type = "_NL"
        OPEN_PAREN_types: list[str] = []
        CLOSE_PAREN_types: list[str] = []
        INDENT_type = "_INDENT"
        DEDENT_type = "_DEDENT"
        tab_len = 8

    def build(kept: str | bool) -> Lark:
        text = GRAMMAR.read_text(encoding="utf-8")
        return Lark(text, parser="lalr", postlex=Blocks(), propagate_positions=True, cache=kept)

    file = cache_file(".cache")
    try:
        return build(str(file) if file else False)
    except OSError:  # no cache can be written: then the tables are built each time
        return build(False)


def _tables_of(lark: Lark) -> Tables:
    """What lark knows of the grammar, as plain data."""
    table = lark.parser.parser._parse_table
    numbers: dict[Any, int] = {}
    states = {
        state: {
            str(name): ~numbers.setdefault(to, len(numbers)) if hasattr(to, "expansion") else to
            for name, (_, to) in row.items()
        }
        for state, row in table.states.items()
    }
    signs = {str(one.name): str(one.pattern.value) for one in lark.terminals if one.pattern.type == "str"}
    others = sorted((one for one in lark.terminals if one.pattern.type == "re"), key=lambda one: -one.priority)
    return Tables(
        states,
        table.start_states["start"],
        table.end_states["start"],
        {sign: name for name, sign in sorted(signs.items(), key=lambda pair: (-len(pair[1]), pair[1]))},
        {str(one.name): str(one.pattern.to_regexp()) for one in others},
        tuple(map(str, lark.lexer_conf.ignore)),
        frozenset(str(part.name) for one in numbers for part in one.expansion if part.is_term and not part.filter_out),
        tuple(map(_phrase, numbers)),
    )


def _phrase(rule: Any) -> Phrase:
    """A rule of lark, with what it keeps of its parts."""
    places = "".join(str(int(empty)) for empty in rule.options.empty_indices).split("0")
    missing = [len(ones) for ones in places] if len(places) > 1 else [0] * (len(rule.expansion) + 1)
    parts, before = [], 0
    for i, part in enumerate(rule.expansion):
        before += missing[i]
        if not (part.is_term and part.filter_out):
            parts.append((i, not part.is_term and part.name.startswith("_"), before))
            before = 0
    name = rule.alias or rule.origin.name
    single = bool(rule.options.expand1) and not rule.alias
    method = "" if single or name.startswith("_") else str(name)
    return Phrase(str(rule.origin.name), len(rule.expansion), method, single, tuple(parts), before + missing[-1])
