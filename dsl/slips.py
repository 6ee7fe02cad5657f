"""What an author reads where the grammar could not go on.

In: a rules text, the place where reading stopped, and the words and signs that could have stood there.  Out:
one `Problem`: the place, what was expected in one sentence, and the right form of what was meant.

A slip that newcomers make often has an adviser of its own; whatever no adviser knows is answered with a
short list of what is expected, and with an example of the phrase.  A sentence is a line together with the
lines that continue it; a block is headed by the line above it that is indented less.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dsl.errors import Problem, Report, Source, Span, choices, nearest
from dsl.layout import CONTINUED, drawing_lines

SECTIONS = ("game", "option", "players", "board", "type", "table", "state", "setup", "define", "effect", "move",
            "stuck", "end", "evaluate", "show", "example", "replace", "remove")  # fmt: skip
BLOCKS = ("when", "do", "then", "after", "else", "state", "setup", "stuck", "end", "evaluate", "show")
STATEMENTS = ("let", "if", "for", "then", "again", "pick", "repeat", "position")
QUANTIFIERS = ("some", "every", "no")
AGGREGATES = ("count", "sum", "most", "least", "first")
JOINTS = ("and", "or", "not", "in", "union", "except", "intersect", "has", "where", "of", "else", "because")

# Words that a name cannot be: where they stand, the grammar sees the beginning of a phrase.
RESERVED = {*QUANTIFIERS, *AGGREGATES, *JOINTS, *STATEMENTS, "none", "reach", "repeated", "set", "when"}

_VALUE = {"NAME", "INT", "(", "{", "-", "none", "if", "not", "repeated", "reach", *QUANTIFIERS, *AGGREGATES}
_OPERATORS = {"=", "!=", "<=", "<", ">=", ">", "+", "-", "*", "//", "%", "^", "..",
              "and", "or", "not", "in", "union", "except", "intersect"}  # fmt: skip
_KINDS = {"NAME": "a name", "INT": "a number", "STRING": 'a text in "quotes"', "MOVE": "a move",
          "DRAWN": "a row of the drawing", "KIND": "option, type, table, state, define, effect or move",
          "_INDENT": "an indented line", "_NL": "the end of the line"}  # fmt: skip

# One example of each phrase, by the word that heads it or the block in which it stands.
FORMS = {
    "game": 'game "My game"',
    "option": "option size = 6 in {4, 6, 8}",
    "players": "players White, Black",
    "board": "board square 8 by 8",
    "type": "type piece = King, Queen, Pawn",
    "table": "table piece value price",
    "state": "at(cell): player or none",
    "setup": "at(a1) := White",
    "define": "define free(c: cell) = at(c) = none",
    "effect": "effect capture(c: cell)",
    "move": 'move place(to: cell) as "{to}"',
    "when": 'at(to) = none  else "the cell is taken"',
    "after": 'not attacked(mover)  else "your king would be in check"',
    "do": "at(to) := mover",
    "then": "at(to) := mover",
    "else": "at(to) := mover",
    "let": "let n = stones(from)",
    "if": "if at(to) = none, and the effects indented under it",
    "for": "for c in neighbours(to): at(c) := none",
    "pick": "pick c: cell where at(c) = none",
    "repeat": "repeat 3 times, and the effects indented under it",
    "stuck": "pass  or  mover loses  or  draw",
    "end": "mover wins when no c: cell has at(c) = opponent",
    "evaluate": "material 10 : count c: cell where at(c) = me",
    "show": 'at: White "W" white disc, Black "B" black disc, none "."',
    "example": "legal a1, b2",
    "position": "position White, with the rows of the board indented under it",
    "legal": "legal a1, b2",
    "illegal": 'illegal a1 because "the cell is taken"',
    "result": "result White wins",
    "perft": "perft 1 = 9, 2 = 72",
    "replace": "replace define free(c: cell) = at(c) = none",
    "remove": "remove move capture",
}

# What other languages write, what it means here, and the right form.
_SIGNS = {
    **dict.fromkeys(("==", "==="), ("equality is written with one sign, =", "at(to) = none")),
    **dict.fromkeys(("<>", "/=", "=/=", "~=", "≠"), ("“is not equal to” is written !=", "at(to) != none")),
    **dict.fromkeys(("=<", "≤"), ("“at most” is written <=", "stones(c) <= 3")),
    **dict.fromkeys(("=>", "≥"), ("“at least” is written >=", "stones(c) >= 3")),
    **dict.fromkeys(("&&", "&"), ("conditions are joined with the word and", "at(to) = none and stones(to) = 0")),
    **dict.fromkeys(("||", "|"), ("conditions are joined with the word or", "at(to) = none or at(to) = opponent")),
    "!": ("a condition is denied with the word not", "not at(to) = none"),
    "/": ("whole numbers are divided with //, which rounds down", "(size + 1) // 2"),
    "**": ("a power is written ^", "column(c) ^ 2"),
    "×": ("a product is written *", "2 * size"),
    **dict.fromkeys(("–", "—", "−"), ("this is a dash; the sign for minus is -", "size - 1")),
    **dict.fromkeys(("...", "…"), ("a range is written with two dots", "1..8")),
    **dict.fromkeys(("+=", "-=", "*=", "++", "--"), ("an effect names the whole new value", "stones(c) := stones(c) + 1")),
    ";": ("nothing stands at the end of a line: the next line is the next sentence", ""),
    "[": ("arguments stand in round brackets", "at(to)"),
    **dict.fromkeys("'‘’`“”„«»", ('a text stands in straight double quotes, "…"', "")),
}  # fmt: skip
_WORDS = {
    **dict.fromkeys(("elif", "elseif", "elsif"), ("the second condition is written else if", "else if at(to) = none")),
    **dict.fromkeys(("endif", "endfor", "endwhen", "enddo", "done", "fi", "end"),
                    ("no word closes a block: it ends where its indentation ends", "")),
    **dict.fromkeys(("is", "equals", "eq"), ("equality is written =", "at(to) = none")),
    **dict.fromkeys(("isnt", "ne"), ("“is not equal to” is written !=", "at(to) != none")),
}  # fmt: skip
_QUANTIFIERS_ELSEWHERE = {
    **dict.fromkeys(("all", "forall", "each", "foreach"), "every"),
    **dict.fromkeys(("any", "exists", "exist"), "some"),
    **dict.fromkeys(("none", "never", "not"), "no"),
}
_SECTIONS_ELSEWHERE = {
    **dict.fromkeys(("def", "function", "func", "fun", "predicate"), "define"),
    **dict.fromkeys(("action", "rule", "turn"), "move"),
    **dict.fromkeys(("win", "goal", "over", "terminal"), "end"),
    **dict.fromkeys(("init", "initial", "start"), "setup"),
    **dict.fromkeys(("var", "vars", "variables", "fields"), "state"),
    **dict.fromkeys(("const", "constant", "parameter", "param"), "option"),
    **dict.fromkeys(("enum", "class"), "type"),
    **dict.fromkeys(("grid", "map"), "board"),
    **dict.fromkeys(("draw", "display"), "show"),
    "test": "example",
}

_TOKEN = re.compile(
    r'"[^"\n]*"|[A-Za-z_]\w*|\d+|===?|=/=|<>|=<|=>|/=|~=|&&|\|\||\*\*|[-+*/]=|\+\+|--|:=|!=|<=|>=|//|\.\.+|[^\s\x01]'
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    line: int
    column: int

    @property
    def end(self) -> int:
        return self.column + len(self.text)


@dataclass(frozen=True, slots=True)
class Stop:
    """Where reading stopped, and what stands around it."""

    source: Source
    found: Word  # its text is empty at the end of a sentence
    before: tuple[Word, ...]  # the sentence so far
    after: tuple[Word, ...]  # the rest of its line
    block: Word | None  # the word that heads the block; None at the margin
    wanted: frozenset[str]  # words and signs as they are written; NAME, INT, STRING, _NL, … for the others
    indented: bool = False  # the line stands further in than it may

    @property
    def head(self) -> str:
        """The first word of the sentence."""
        return (self.before[0] if self.before else self.found).text

    @property
    def last(self) -> str:
        """The word before the place."""
        return self.before[-1].text if self.before else ""

    def problem(self, message: str, hint: str = "", at: Word | None = None) -> Problem:
        word = at or self.found
        return Problem(Span(self.source, word.line, word.column, word.line, max(word.end, word.column + 1)), message, hint)


def stop_at(
    source: Source, text: str, line: int, column: int, wanted: frozenset[str], indented: bool = False
) -> Stop:
    """The surroundings of a place in a text that layout.py has laid out."""
    lines = text.split("\n")
    line = min(max(line, 1), len(lines))
    while line > 1 and not lines[line - 1].strip(f" {CONTINUED}"):
        line, column = line - 1, len(lines[line - 2]) + 1
    first = line
    while first > 1 and lines[first - 1].startswith(CONTINUED):
        first -= 1
    words = [word for number in range(first, line + 1) for word in words_of(lines[number - 1], number)]
    here = next((word for word in words if word.line == line and word.end > column), None)
    if here is None:
        here = Word("", line, len(lines[line - 1].rstrip()) + 1)
    before = tuple(word for word in words if (word.line, word.column) < (here.line, here.column))
    after = tuple(word for word in words if (word.line, word.column) > (here.line, here.column))
    return Stop(source, here, before, after, _block(lines, first), wanted, indented)


def words_of(line: str, number: int) -> list[Word]:
    return [Word(found.group(), number, found.start() + 1) for found in _TOKEN.finditer(line)]


def _block(lines: list[str], number: int) -> Word | None:
    """The first word of the line that heads the block in which line `number` stands."""
    margin = _indent(lines[number - 1])
    for above in range(number - 1, 0, -1):
        line = lines[above - 1]
        if line.strip() and not line.startswith(CONTINUED) and _indent(line) < margin:
            return (words_of(line, above) or [None])[0]
    return None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def explain(stop: Stop) -> Problem:
    """The problem at a place where reading stopped."""
    for adviser in _ADVISERS:
        problem = adviser(stop)
        if problem is not None:
            return problem
    found = f'"{stop.found.text}" is not expected here' if stop.found.text else "the line ends here"
    form = FORMS.get(stop.head) or (FORMS.get(stop.block.text) if stop.block else None)
    return stop.problem(f"{found}; expected {expected(stop.wanted)}", f"for example:  {form}" if form else "")


def expected(wanted: frozenset[str]) -> str:
    """What could stand at a place, in a few words."""
    rest, words = set(wanted) - {"_DEDENT", "$END"}, []
    if "game" in rest and "move" in rest:
        return "a section such as state, move or end"
    if "let" in rest and "again" in rest:
        words.append("an effect")
        rest -= {"NAME", *STATEMENTS}
    if {"NAME", "INT", "("} <= rest:
        words.append("a condition or a value" if "not" in rest else "a value")
        rest -= _VALUE
    if {"+", "*"} <= rest:
        words.append("an operator")
        rest -= _OPERATORS
    plain = sorted(rest - _KINDS.keys(), key=lambda word: (word[0].isalpha(), word))
    words += [f'"{word}"' for word in plain] + [_KINDS[kind] for kind in _KINDS if kind in rest]
    return choices(words, 6) if words else "nothing more"


# -------------------------------------------------------------------------------------------- advisers


def _unfinished_block(stop: Stop) -> Problem | None:
    """A heading without its lines."""
    if stop.wanted != {"_INDENT"}:
        return None
    heading = stop.before or (stop.found,)
    if stop.block is None and not stop.before:
        return None
    head = heading[0]
    return stop.problem(f"“{head.text}” heads a block, but no line is indented under it",
                        f"for example:  {FORMS[head.text]}" if head.text in FORMS else "", head)  # fmt: skip


def _deep_line(stop: Stop) -> Problem | None:
    """A line that is indented more than the one above, which heads no block."""
    if not stop.indented:
        return None
    return stop.problem("this line is indented more than the one above, which heads no block",
                        "a sentence goes on after an operator, after a comma and inside brackets")  # fmt: skip


def _section(stop: Stop) -> Problem | None:
    """A word at the margin that begins no section, and a section that is indented."""
    word = stop.found.text
    if stop.before or not word:
        return None
    if stop.found.column > 1:
        if word in ("else", "then"):
            return stop.problem(f"this “{word}” follows no if" if word == "else" else "“then” cannot stand here",
                                "if … and, in the same column, else" if word == "else" else "")  # fmt: skip
        if word not in SECTIONS or (word == "end" and not stop.after) or "game" in stop.wanted:
            return None
        return stop.problem(f"“{word}” begins a section, and sections begin at the margin")
    if word in SECTIONS:
        return None
    if word in ("//", "%", "--", "/"):
        return stop.problem("a comment begins with #", "# like this")
    if word in BLOCKS or word in STATEMENTS:
        return stop.problem(f"“{word}” stands inside a section: indent it", "the lines of a section are two blanks further in")
    if not word[0].isalpha():
        return None
    meant = _SECTIONS_ELSEWHERE.get(word.lower())
    hint = f'say "{meant}":  {FORMS[meant]}' if meant else nearest(word, SECTIONS)
    return stop.problem(f'"{word}" begins no section', hint or f"sections are {choices(SECTIONS, 99)}")


def _reserved(stop: Stop) -> Problem | None:
    """`count > 3`: a word of the language used like a name."""
    if stop.last in (*QUANTIFIERS, *AGGREGATES) and stop.wanted == {"NAME"}:
        form = {"some": "some c: cell has at(c) = none", "every": "every c in neighbours(to) has at(c) = none",
                "no": "no c: cell has at(c) = none", "count": "count c: cell where at(c) = mover",
                "sum": "sum c: cell of stones(c)", "first": "first c: cell where at(c) = none"}  # fmt: skip
        example = form.get(stop.last, f"{stop.last} c: cell of column(c)")
        return stop.problem(f"after the word “{stop.last}” comes a variable; no name can be “{stop.last}”",
                            f"for example:  {example}")  # fmt: skip
    if stop.last in ("reach", "repeated") and len(stop.wanted) == 1:
        form_ = {"reach": "reach from c by near", "repeated": "draw when repeated 3"}[stop.last]
        return stop.problem(f"“{stop.last}” is a word of the language; no name can be “{stop.last}”",
                            f"for example:  {form_}")  # fmt: skip
    return None


def _assignment(stop: Stop) -> Problem | None:
    """The wrong one of = and :=."""
    word = stop.found.text
    if ":=" in stop.wanted and word in ("=", ":", "==", "<-", "is"):
        return stop.problem("an effect assigns with :=", "at(to) := mover")
    if word == ":=" and "+" in stop.wanted:
        return stop.problem("a condition compares with =; only effects assign with :=", "at(to) = none")
    if word == ":=" and "=" in stop.wanted:
        return stop.problem(f"after “{stop.head}” comes =; only effects assign with :=", f"for example:  {FORMS[stop.head]}"
                            if stop.head in FORMS else "")  # fmt: skip
    return None


def _sign(stop: Stop) -> Problem | None:
    """A sign of another language."""
    word = stop.found.text
    if word in ("|", "||") and stop.head == "type":
        return stop.problem("the values of a type are listed with commas", FORMS["type"])
    if word in ("/", "//") and stop.after and stop.after[0].text in ("/", "*"):
        return stop.problem("a comment begins with #", "# like this")
    if word in _SIGNS:
        message, hint = _SIGNS[word]
        return stop.problem(message, hint)
    if word == "-" and stop.after and stop.after[0].text in ("-", ">"):
        return None
    if word in (")", "}") and word not in stop.wanted and _depth(stop.before) <= 0:
        return stop.problem(f'this "{word}" closes a bracket that was never opened')
    return None


def _depth(words: tuple[Word, ...]) -> int:
    return sum((word.text in "({") - (word.text in ")}") for word in words if len(word.text) == 1)


def _word(stop: Stop) -> Problem | None:
    """A word of another language."""
    word = stop.found.text
    for one in ([stop.found, stop.before[-1]] if stop.before else [stop.found]):
        if one.text in _WORDS and (one.text != "end" or not stop.after):
            message, hint = _WORDS[one.text]
            return stop.problem(message, hint, one)
    meant = _QUANTIFIERS_ELSEWHERE.get(stop.last)
    if meant and word and word[0].isalpha():
        at = stop.before[-1]
        if ":=" in stop.wanted:
            return stop.problem("effects for each of several things begin with for", FORMS["for"], at)
        return stop.problem(f"“{stop.last}” does not choose from a set here; say “{meant}”",
                            f"{meant} c in neighbours(to) has at(c) = none", at)  # fmt: skip
    return None


def _colon(stop: Stop) -> Problem | None:
    """`when:` and `if x:`."""
    if stop.found.text == ":" and (stop.last in BLOCKS or stop.head in (*STATEMENTS, *SECTIONS)) and not (
        {":", "in"} & stop.wanted and stop.head not in ("if", "else")
    ):
        return stop.problem(f"no colon follows “{stop.head}”" if stop.last == stop.head else "no colon stands here",
                            "what belongs to it is indented under it" if not stop.after else
                            f"for example:  {FORMS[stop.head]}" if stop.head in FORMS else "")  # fmt: skip
    return None


def _same_line(stop: Stop) -> Problem | None:
    """`when at(to) = none` on one line."""
    if stop.wanted == {"_NL"} and len(stop.before) == 1 and stop.last in BLOCKS:
        return stop.problem(f"“{stop.last}” stands alone on its line; what belongs to it is indented under it",
                            f"for example:  {FORMS[stop.last]}")  # fmt: skip
    if stop.found.text == "then" and stop.head in ("if", "else"):
        return stop.problem("the effects of an if are indented under it, without the word then",
                            "only a value is chosen on one line:  if … then … else …")  # fmt: skip
    return None


def _quotes(stop: Stop) -> Problem | None:
    """A text without quotes, and quotes around what is no text."""
    word = stop.found.text
    if word.startswith('"') and len(word) > 1:
        for joint in ("else", "because", "as"):
            if joint in stop.wanted:
                what = "the form of a move" if joint == "as" else "a reason"
                return stop.problem(f"{what} follows the word {joint}", f"… {joint} {word}")
        if {"NAME", "INT"} <= stop.wanted:
            return stop.problem("a name stands without quotes", word.strip('"') if word[1:-1].isidentifier() else "")
    if stop.wanted == {"STRING"} and word:
        line = stop.source.line(stop.found.line)
        rest = line[stop.found.column - 1 :].split("#")[0].strip()
        return stop.problem('a text in "quotes" is expected here', f'"{rest.replace(chr(34), "")}"')
    return None


def _quantifier(stop: Stop) -> Problem | None:
    """A quantifier or a fold that is not complete."""
    heads = [word.text for word in stop.before]
    if {"in", ":", ","} <= stop.wanted and "+" not in stop.wanted and "=" not in stop.wanted:
        return stop.problem(f"from what is “{stop.last}” chosen? a type or a set is expected after it",
                            f"{stop.last}: cell  or  {stop.last} in neighbours(to)")  # fmt: skip
    if "has" in stop.wanted:
        kind = next((word for word in reversed(heads) if word in QUANTIFIERS), "every")
        return stop.problem(f"the condition of “{kind}” follows the word has",
                            f"{kind} c in neighbours(to) has at(c) = none")  # fmt: skip
    if "of" in stop.wanted and "sum" in heads and "(" not in stop.wanted:
        return stop.problem("what is added up follows the word of", "sum c: cell of stones(c)")
    if not stop.found.text and "else" in stop.wanted and "then" in heads:
        return stop.problem("a value chosen with if needs an else", "if at(c) = mover then 1 else 0")
    return None


_ADVISERS: tuple[Callable[[Stop], Problem | None], ...] = (
    _unfinished_block, _deep_line, _section, _assignment, _reserved, _sign, _colon, _same_line, _word, _quotes,
    _quantifier,
)  # fmt: skip


# -------------------------------------------------------------------------- before the grammar is asked


def before_reading(source: Source, text: str, report: Report) -> Iterator[int]:
    """Reports what no grammar can read; gives the lines, from 1, whose sections are to be left out."""
    lines = text.split("\n")
    drawn = drawing_lines(source.text.split("\n"))
    for check in (_characters, _texts, _brackets, _indentation):
        for problem in check(source, lines, drawn):
            report.add(problem.span, problem.message, problem.hint)
            yield problem.span.line


def _at(source: Source, line: int, column: int, width: int, message: str, hint: str = "") -> Problem:
    return Problem(Span(source, line, column, line, column + width), message, hint)


def _characters(source: Source, lines: list[str], drawn: set[int]) -> Iterator[Problem]:
    """Tabs and characters that cannot be seen."""
    tabs = 0
    for number, line in enumerate(source.text.split("\n"), 1):
        shown = line if number - 1 in drawn else lines[number - 1]
        for column, char in enumerate(line[: len(shown)], 1):
            if char == "\t":
                tabs += 1
                if tabs == 1:
                    yield _at(source, number, column, 1, "this is a tab; blocks are indented with blanks",
                              "two blanks for each level")  # fmt: skip
            elif not char.isprintable():
                yield _at(source, number, column, 1, f"this character cannot be read (U+{ord(char):04X})",
                          "a blank is expected" if char.isspace() else "delete it")  # fmt: skip
            else:
                continue
            break


def _texts(source: Source, lines: list[str], drawn: set[int]) -> Iterator[Problem]:
    """Texts whose closing quote is missing."""
    for number, line in enumerate(lines, 1):
        if number - 1 not in drawn and line.count('"') % 2:
            yield _at(source, number, line.rindex('"') + 1, 1, "this text has no closing quote", 'else "a reason"')


def _brackets(source: Source, lines: list[str], drawn: set[int]) -> Iterator[Problem]:
    """Brackets that are not closed before the next section or drawing begins."""
    open_: list[Word] = []
    for number, line in enumerate([*lines, "end"], 1):
        if number - 1 in drawn or (line.strip() and not line.startswith((" ", CONTINUED))):
            for word in open_[:1]:
                yield _at(source, word.line, word.column, 1, f'this "{word.text}" is never closed')
            open_ = []
        if number - 1 in drawn:
            continue
        for word in words_of(line, number):
            if word.text in ("(", "{"):
                open_.append(word)
            elif word.text in (")", "}") and open_:
                opened = open_.pop()
                if opened.text + word.text not in ("()", "{}"):
                    right = ")" if opened.text == "(" else "}"
                    yield _at(source, word.line, word.column, 1, f'"{right}" is expected here: it closes the '
                              f'"{opened.text}" in column {opened.column}')  # fmt: skip
                    open_ = []


def _indentation(source: Source, lines: list[str], drawn: set[int]) -> Iterator[Problem]:
    """Lines that stand in no column of the blocks around them."""
    margins = [0]
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith(CONTINUED) or number - 1 in drawn:
            continue
        own = _indent(line)
        while margins[-1] > own and len(margins) > 1 and margins[-2] >= own:
            margins.pop()
        if own > margins[-1]:
            margins.append(own)
        elif own < margins[-1]:
            either = choices([str(margin) for margin in margins[-2:]])
            yield _at(source, number, 1, own, f"this line is indented by {own} blank{'s' * (own != 1)}; the lines "
                      f"around it by {either}")  # fmt: skip
