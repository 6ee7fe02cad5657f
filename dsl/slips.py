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

from dsl.errors import Problem, Report, Source, Span, choices, nearest
from dsl.layout import CONTINUED, DRAWN, TEXT, drawing_lines
from dsl.values import frozen

SECTIONS = ("game", "option", "players", "board", "type", "table", "state", "setup", "define", "effect", "move",
            "stuck", "end", "evaluate", "level", "show", "example", "replace", "remove")  # fmt: skip
BLOCKS = ("when", "do", "then", "after", "else", "state", "setup", "stuck", "end", "evaluate", "show")
STATEMENTS = ("let", "if", "for", "then", "again", "pick", "repeat", "position")
QUANTIFIERS = ("some", "every", "no")
AGGREGATES = ("count", "sum", "most", "least", "first")
JOINTS = ("and", "or", "not", "in", "union", "except", "intersect", "has", "where", "of", "else", "because")
EXAMPLE_LINES = ("position", "play", "legal", "illegal", "result", "moves", "holds", "perft")
COMPARATORS = ("=", "!=", "<", "<=", ">", ">=")

# Words that a name cannot be: where they stand, the grammar sees the beginning of a phrase.
RESERVED = {*QUANTIFIERS, *AGGREGATES, *JOINTS, *STATEMENTS, "none", "repeated", "set", "when"} - {"first"}

_VALUE = {"NAME", "INT", "(", "{", "-", "none", "if", "not", "repeated", *QUANTIFIERS, *AGGREGATES,
          "_REACH", "FIRST"}  # fmt: skip
_OPERATORS = {"=", "!=", "<=", "<", ">=", ">", "+", "-", "*", "//", "%", "^", "..",
              "and", "or", "not", "in", "union", "except", "intersect"}  # fmt: skip
_KINDS = {"NAME": "a name", "INT": "a number", "STRING": 'a text in "quotes"', "MOVE": "a move",
          "DRAWN": "a row of the drawing", "KIND": "option, type, table, state, define, effect, move or level",
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
    "if": "if at(to) = none",
    "for": "for c in neighbours(to): at(c) := none",
    "pick": "pick c: cell where at(c) = none",
    "repeat": "repeat 3 times",
    "stuck": "pass  or  mover loses  or  draw",
    "end": "mover wins when no c: cell has at(c) = opponent",
    "evaluate": "material 10 : count c: cell where at(c) = me",
    "level": 'level easy "minimax:depth=1"',
    "show": 'at: White "W" white disc, Black "B" black disc, none "."',
    "example": "legal a1, b2",
    "position": "position White",
    "legal": "legal a1, b2",
    "illegal": 'illegal a1 because "the cell is taken"',
    "result": "result White wins",
    "holds": "holds at(a1) = none",
    "perft": "perft 1 = 9, 2 = 72",
    "replace": "replace define free(c: cell) = at(c) = none",
    "remove": "remove move capture",
}
HEADINGS = {"example": 'example "the first move"'}  # of sections whose FORMS are the lines under them
BOARDS = {"square": "board square 8 by 8", "cylinder": "board cylinder 8 by 8", "torus": "board torus 9 by 9",
          "rhombus": "board hex rhombus 11 by 11", "hexagon": "board hex hexagon 5",
          "triangle": "board hex triangle 9"}  # fmt: skip

# What other languages write: what is written here instead, and the sentence that says so.
_SIGNS = {
    **dict.fromkeys(("==", "==="), ("=", "equality is written with one sign, =")),
    **dict.fromkeys(("<>", "/=", "=/=", "~=", "=!", "≠"), ("!=", "“is not equal to” is written !=")),
    **dict.fromkeys(("=<", "≤"), ("<=", "“at most” is written <=")),
    **dict.fromkeys(("=>", "≥"), (">=", "“at least” is written >=")),
    **dict.fromkeys(("&&", "&"), ("and", "conditions are joined with the word and")),
    **dict.fromkeys(("||", "|"), ("or", "conditions are joined with the word or")),
    "!": ("not", "a condition is denied with the word not"),
    "/": ("//", "whole numbers are divided with //, which rounds down"),
    "**": ("^", "a power is written ^"),
    "×": ("*", "a product is written *"),
    **dict.fromkeys(("–", "—", "−"), ("-", "this is a dash; minus is written -")),
    **dict.fromkeys(("...", "…"), ("..", "a range is written with two dots")),
    ";": ("", "no sign ends a line"),
    "[": ("(", "arguments stand in round brackets"),
    "]": (")", "arguments stand in round brackets"),
    **dict.fromkeys("'‘’`“”„«»", ('"', 'a text stands in straight double quotes, "…"')),
}  # fmt: skip
_WORDS = {
    **dict.fromkeys(("elif", "elseif", "elsif"), ("else if", "the second condition of an if is written else if")),
    **dict.fromkeys(("is", "equals"), ("=", "equality is written =")),
    "isnt": ("!=", "“is not equal to” is written !="),
}  # fmt: skip
# Words that stand where another is wanted: the block ("" for any), these words, the one that is meant, and why.
_INSTEAD = (
    ("end", ("if", "where", ":", "while"), "when", "the condition of an ending follows the word when"),
    ("end", ("else", "since", "reason"), "because", "the reason of an ending follows the word because"),
    ("stuck", ("else", "since", "reason"), "because", "the reason of an outcome follows the word because"),
    ("when", ("because", "since", "reason"), "else", "the reason of a demand follows the word else"),
    ("after", ("because", "since", "reason"), "else", "the reason of a demand follows the word else"),
    ("", ("with", "using", "via", "through"), "by", "the step of reach follows the word by"),
    ("", ("to",), "..", "a range is written with two dots"),
    ("", ("won", "win", "winner"), "wins", "after the player comes the word wins or loses"),
    ("", ("lost", "lose"), "loses", "after the player comes the word wins or loses"),
)
_DRAWS = ("nobody", "none", "no", "nothing", "tie", "tied", "drawn", "remis", "even", "equal")
_CLOSERS = ("endif", "endfor", "endwhen", "enddo", "done", "fi", "end")
_HEXES = ("hexagon", "rhombus", "triangle")
_BEGINNINGS = {*QUANTIFIERS, *AGGREGATES, "if", "not", "reach", "{"}  # of a value, and never of a type
_QUANTIFIERS_ELSEWHERE = {
    **dict.fromkeys(("all", "forall", "each", "foreach"), "every"),
    **dict.fromkeys(("any", "exists", "exist"), "some"),
    **dict.fromkeys(("none", "never"), "no"),
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
    r'"[^"\n]*"|[A-Za-z_]\w*|\d+|===?|=/=|=!|<>|=<|=>|/=|~=|&&|\|\||\*\*|[-+*/]=|\+\+|--|:=|!=|<=|>=|//|\.\.+|[^\s\x01]'
)  # fmt: skip


@frozen
class Word:
    """A word or sign of the text, and where it begins."""

    text: str
    line: int
    column: int

    @property
    def end(self) -> int:
        return self.column + len(self.text)


@frozen
class Stop:
    """Where reading stopped, and what stands around it."""

    source: Source
    found: Word  # its text is empty at the end of a sentence
    before: tuple[Word, ...]  # the sentence so far
    after: tuple[Word, ...]  # the rest of its line
    block: str  # the word that heads the block; empty at the margin
    above: Word | None  # the first word of the sentence before
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

    @property
    def rest(self) -> str:
        """The line from the place on, without a comment."""
        return self.source.line(self.found.line)[self.found.column - 1 :].split("#")[0].strip()

    def problem(self, message: str, hint: str = "", at: Word | None = None) -> Problem:
        word = at or self.found
        span = Span(self.source, word.line, word.column, word.line, max(word.end, word.column + 1))
        return Problem(span, message, hint)

    def like(self, word: str) -> str:
        """An example of the phrase that a word heads."""
        return f"for example:  {FORMS[word]}" if word in FORMS else ""

    def rewritten(self, right: str, at: Word | None = None) -> str:
        """The line as it should be, with one word and the signs of other languages replaced."""
        wrong = at or self.found
        line, text = [w for w in (*self.before, self.found, *self.after) if w.line == wrong.line], ""
        for word, following in zip(line, [*line[1:], None], strict=True):
            new = right if word == wrong else _SIGNS[word.text][0] if word.text in _SIGNS else word.text
            text += f" {new} " if new.isalpha() and new != word.text else new
            text += " " * (following.column - word.end if following else 0)
        return f"write  {re.sub(' +', ' ', text).strip()}"


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
    block = _heading(lines, first, _indent(lines[first - 1]))
    above = _heading(lines, first, len(text))
    return Stop(source, here, before, after, block.text if block else "", above, wanted, indented)


def _heading(lines: list[str], number: int, margin: int) -> Word | None:
    """The first word of the nearest sentence above line `number` that is indented by less than `margin`."""
    for above in range(number - 1, 0, -1):
        line = lines[above - 1]
        if line.strip() and not line.startswith(CONTINUED) and _indent(line) < margin:
            return next(iter(words_of(line, above)), None)
    return None


def words_of(line: str, number: int) -> list[Word]:
    """The words and signs of a line of a text that layout.py has laid out."""
    return [Word(found.group(), number, found.start() + 1) for found in _TOKEN.finditer(line)]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def outside(line: str, margin: int) -> bool:
    """True if a line stands in the column of the heading above it, though it begins no section and no block."""
    words = line.split()
    return bool(words) and _indent(line) == margin and not line.startswith(CONTINUED) and (
        re.split(r"\W", words[0])[0] not in (*SECTIONS, *BLOCKS) and not words[0].startswith("#"))  # fmt: skip


def explain(stop: Stop) -> Problem:
    """The problem at a place where reading stopped."""
    for adviser in _ADVISERS:
        problem = adviser(stop)
        if problem is not None:
            return problem
    word = stop.found.text
    shown = word if word.startswith('"') and len(word) > 1 else f'"{word}"'
    found = f"{shown} is not expected here" if word else "the line ends here"
    hint = nearest(stop.found.text, [word for word in stop.wanted if word.islower()])
    return stop.problem(f"{found}; expected {expected(stop.wanted)}", hint or _form(stop))


def _form(stop: Stop) -> str:
    """An example of the phrase in which reading stopped."""
    if stop.head == "board":
        words = {word.text for word in stop.before}
        form = next((form for form in BOARDS if form in words), "rhombus" if "hex" in words else "square")
        return f"for example:  {BOARDS[form]}"
    if stop.head in HEADINGS and not stop.block:
        return f"for example:  {HEADINGS[stop.head]}"
    if stop.head not in FORMS or stop.block in ("state", "stuck", "end", "evaluate", "show"):
        return stop.like(stop.block)
    return stop.like(stop.head)


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


# ----------------------------------------------------------------------------------- advisers for all lines


def _unfinished_block(stop: Stop) -> Problem | None:
    """A heading without its lines."""
    head = stop.before[0] if stop.before else stop.above
    if stop.wanted != {"_INDENT"} or head is None:
        return None
    inside = "do" if head.text in (*STATEMENTS, "effect") else head.text
    lines = stop.source.text.split("\n")[head.line :]
    below = next((line for line in lines if line.strip()), "")
    hint = stop.like(inside)
    if outside(below, head.column - 1):
        hint = f"write  {' '.join(below.split())}  two blanks further in"
    return stop.problem(f"“{head.text}” heads a block, but no line is indented under it", hint, head)


def _deep_line(stop: Stop) -> Problem | None:
    """A line that is indented more than the one above, which heads no block."""
    if not stop.indented or stop.found.text in SECTIONS:
        return None
    if stop.above is not None and stop.above.text in BLOCKS:
        return stop.problem(f"several lines of “{stop.above.text}” all stand under it, the first one, too",
                            f"write  {stop.above.text}  on a line of its own")  # fmt: skip
    return stop.problem("this line is indented more than the one above, which heads no block",
                        "a sentence goes on after an operator, after a comma and inside brackets")  # fmt: skip


def _margin(stop: Stop) -> Problem | None:
    """What begins no section, though it stands at the margin; a section that does not stand there."""
    word = stop.found.text
    if stop.before or not word:
        return None
    if stop.found.column > 1:
        if word not in SECTIONS or (word == "end" and not stop.after):
            return None
        return stop.problem(f"“{word}” begins a section, and sections begin at the margin")
    if word in SECTIONS:
        return None
    if word in ("//", "%", "--", "/"):
        return stop.problem("a comment begins with #")
    if word in BLOCKS or word in STATEMENTS:
        return stop.problem(f"“{word}” stands inside a section, two blanks further in than its heading")
    if not word[0].isalpha():
        return None
    meant = _SECTIONS_ELSEWHERE.get(word.lower())
    hint = f"that is said with {meant}:  {FORMS[meant]}" if meant else nearest(word, SECTIONS)
    return stop.problem(f'"{word}" begins no section', hint or f"sections are {choices(SECTIONS, 99)}")


def _assignment(stop: Stop) -> Problem | None:
    """The wrong one of = and :=."""
    word = stop.found.text
    if ":=" in stop.wanted and word in ("=", ":", "==", "is"):
        return stop.problem("an effect assigns with :=", stop.rewritten(":="))
    if word == ":=" and stop.head in ("define", "option", "type", "let"):
        return stop.problem(f"“{stop.head}” takes =; only effects assign with :=", stop.rewritten("="))
    if word == ":=" and "+" in stop.wanted:
        return stop.problem("a condition compares with =; only effects assign with :=", stop.rewritten("="))
    return None


def _reserved(stop: Stop) -> Problem | None:
    """`count > 3`: a word of the language used like a name."""
    forms = {
        "some": "some c: cell has at(c) = none", "every": "every c in neighbours(to) has at(c) = none",
        "no": "no c: cell has at(c) = none", "count": "count c: cell where at(c) = mover",
        "sum": "sum c: cell of stones(c)", "first": "first c: cell where at(c) = none",
        "most": "most c: cell of column(c)", "least": "least c: cell of column(c)",
        "reach": "reach from c by near", "repeated": "draw when repeated 3",
    }  # fmt: skip
    if stop.last not in forms or not stop.wanted <= {"NAME", "INT", "from"} or len(stop.wanted) != 1:
        return None
    what = "a variable" if stop.wanted == {"NAME"} else expected(stop.wanted)
    return stop.problem(f"after the word “{stop.last}” comes {what}; no name can be “{stop.last}”",
                        f"for example:  {forms[stop.last]}", stop.before[-1])  # fmt: skip


def _sign(stop: Stop) -> Problem | None:
    """A sign of another language."""
    word = stop.found.text
    following = stop.after[0].text if stop.after else ""
    if word in ("|", "||") and stop.head == "type":
        return stop.problem("the values of a type are listed with commas", stop.like("type"))
    if (word in ("/", "//") and following in ("/", "*")) or (word == "//" and "//" not in stop.wanted):
        return stop.problem("a comment begins with #")
    if ":=" in stop.wanted and (word in ("+=", "-=", "*=", "++", "--")):
        place = stop.source.line(stop.found.line)[: stop.found.column - 1].strip()
        by = "1" if word[-1:] != "=" else " ".join(w.text for w in stop.after)
        return stop.problem("an effect names the whole new value", f"write  {place} := {place} {word[0]} {by}")
    if word in (")", "}") and word not in stop.wanted and _depth(stop.before) <= 0:
        return stop.problem(f'this "{word}" closes a bracket that was never opened')
    if word in _SIGNS:
        right, message = _SIGNS[word]
        return stop.problem(message, stop.rewritten(right))
    return None


def _depth(words: tuple[Word, ...]) -> int:
    return sum((word.text in "({") - (word.text in ")}") for word in words if len(word.text) == 1)


def _word(stop: Stop) -> Problem | None:
    """A word of another language."""
    for one in (stop.found, *stop.before[:1]):
        if one.text in _WORDS:
            right, message = _WORDS[one.text]
            return stop.problem(message, stop.rewritten(right, one), one)
        if one.text in _CLOSERS and len(stop.before) < 2 and not stop.after:
            return stop.problem("no word closes a block: it ends where its indentation ends", "", one)
    if stop.last == "not" and stop.wanted == {"in"}:
        at = stop.before[-1]
        return stop.problem("“is not equal to” is written !=", stop.rewritten("!=", at), at)
    begins = len(stop.before) == 1 or (len(stop.before) > 1 and stop.before[-2].text in (*JOINTS, "when", "("))
    meant = _QUANTIFIERS_ELSEWHERE.get(stop.last) if begins else None
    if meant and stop.found.text[:1].isalpha():
        at = stop.before[-1]
        if ":=" in stop.wanted:
            return stop.problem("effects on several things begin with for", stop.rewritten("for", at), at)
        return stop.problem(f"“{at.text}” is no word of the language; say “{meant}”", stop.rewritten(meant, at), at)
    return None


def _connective(stop: Stop) -> Problem | None:
    """A word or sign that joins two parts of a phrase, and is missing or another one."""
    word = stop.found.text
    for block, words, right, message in _INSTEAD:
        if word in words and right in stop.wanted and block in ("", stop.block, stop.head):
            return stop.problem(message, stop.rewritten(right).replace(" .. ", ".."))
    if word == "," and stop.after and stop.after[0].text in ("because", "else"):
        for right, what in (("because", "an ending"), ("else", "a demand")):
            if right in stop.wanted:
                return stop.problem(f"the reason of {what} follows the word {right}, without a comma",
                                    stop.rewritten("") if stop.after[0].text == right else "")  # fmt: skip
    if stop.last == "pass" and word == "because":
        return stop.problem("whoever passes plays on: only an outcome has a reason", stop.like("stuck"))
    if stop.head == "players" and word == "and" and stop.after:
        return stop.problem("the players are listed with a comma", f"write  players {stop.last}, {stop.after[0].text}")
    if stop.head == "players" and not word:
        return stop.problem("a game has two players", stop.like("players"))
    if stop.block == "evaluate" and word == ":" and "INT" in stop.wanted:
        return stop.problem("the weight of a term stands before the colon", stop.like("evaluate"))
    if stop.block == "show" and "STRING" in stop.wanted:
        return stop.problem("each value is followed by its glyph, in quotes", stop.like("show"))
    return None


def _colon(stop: Stop) -> Problem | None:
    """`when:` and `if x:`."""
    heading = stop.last in BLOCKS or stop.head in (*STATEMENTS, *SECTIONS)
    if stop.found.text != ":" or not heading or {"in", ","} <= stop.wanted:
        return None
    if stop.after and not stop.last.isidentifier():
        return None
    if stop.after:
        return stop.problem(f"no colon follows “{stop.last}”", stop.like(stop.head))
    return stop.problem("no colon ends a heading; what belongs to it is indented under it", stop.rewritten(""))


def _same_line(stop: Stop) -> Problem | None:
    """`when at(to) = none` on one line."""
    if stop.wanted == {"_NL"} and len(stop.before) == 1 and stop.last in BLOCKS:
        return stop.problem(f"“{stop.last}” stands alone on its line; what belongs to it is indented under it",
                            stop.like(stop.last))  # fmt: skip
    if stop.found.text == "then" and stop.head in ("if", "else"):
        return stop.problem("the effects of an if are indented under it, without the word then",
                            "only a value is chosen on one line:  if … then … else …")  # fmt: skip
    return None


def _quotes(stop: Stop) -> Problem | None:
    """A text without quotes, and quotes around what is no text."""
    word = stop.found.text
    if word.startswith('"') and len(word) > 1:
        for joint, what in (("else", "a reason"), ("because", "a reason"), ("as", "the form of a move")):
            if joint in stop.wanted and stop.last != joint:
                return stop.problem(f"{what} follows the word {joint}", stop.rewritten(f"{joint} {word}"))
        if {"NAME", "INT"} <= stop.wanted and word[1:-1].isidentifier():
            return stop.problem("a name stands without quotes", stop.rewritten(word[1:-1]))
        if "INT" in stop.wanted and word[1:-1].isdecimal():
            return stop.problem("a number stands without quotes", stop.rewritten(word[1:-1]))
    if stop.wanted == {"STRING"} and word and word not in _SIGNS:
        hint = "" if '"' in stop.rest or not stop.last.isalpha() else f'write  {stop.last} "{stop.rest}"'
        return stop.problem('a text in "quotes" is expected here', hint)
    return None


def _quantifier(stop: Stop) -> Problem | None:
    """A quantifier or a fold that is not complete."""
    heads = [word.text for word in stop.before]
    if {"in", ":", ","} <= stop.wanted and not {"+", "="} & stop.wanted:
        return stop.problem(f"from what is “{stop.last}” chosen? a type or a set is expected after it",
                            f"for example:  {stop.last}: cell  or  {stop.last} in neighbours(to)")  # fmt: skip
    if stop.found.text == "," and "where" in stop.wanted and stop.after and stop.after[0].text.isidentifier():
        name = stop.after[0].text
        if stop.head == "pick":
            return stop.problem("pick draws one lot", "write a line for each")
        return stop.problem(f"from what is “{name}” chosen? a type or a set is expected after it",
                            "for example:  some c: cell, d: direction has at(c + d) = none", stop.after[0])  # fmt: skip
    if "has" in stop.wanted:
        at = next((i for i in reversed(range(len(heads))) if heads[i] in QUANTIFIERS), 0)
        kind = heads[at] if heads[at] in QUANTIFIERS else "every"
        form = f"for example:  {kind} c in neighbours(to) has at(c) = none"
        over = stop.found.text in ("", ")", "}", *JOINTS)
        if over and "where" in heads[at:]:
            where = stop.before[heads.index("where", at)]
            return stop.problem(f"the condition of “{kind}” follows the word has; where only says which are meant",
                                stop.rewritten("has", where), where)  # fmt: skip
        right = stop.rewritten(f"has {stop.found.text}") if stop.found.text[:1].isalpha() and not over else ""
        return stop.problem(f"the condition of “{kind}” follows the word has", right or form)
    if "of" in stop.wanted and "sum" in heads:
        return stop.problem("what is added up follows the word of", "for example:  sum c: cell of stones(c)")
    if not stop.found.text and "else" in stop.wanted and "STRING" not in stop.wanted and "then" in heads:
        return stop.problem("a value chosen with if needs an else", "for example:  if at(c) = mover then 1 else 0")
    return None


def _bare_if(stop: Stop) -> Problem | None:
    """An `if` within a condition or a sum, where it was taken for a name."""
    if stop.last != "if" or len(stop.before) < 2 or stop.before[-2].text not in (*_OPERATORS, "not"):
        return None
    operator = stop.before[-2].text
    return stop.problem(f"behind “{operator}” an if stands in brackets", f"write  {operator} (if … then … else …)",
                        stop.before[-1])  # fmt: skip


def _set(stop: Stop) -> Problem | None:
    """`{edge(north) where …}` without a variable, and `reach from c in …` without braces."""
    texts = [word.text for word in stop.before]
    if stop.found.text == "where" and "}" in stop.wanted and "{" in texts:
        opened = stop.before[len(texts) - 1 - texts[::-1].index("{")]
        inner = stop.source.line(opened.line)[opened.end - 1 : stop.found.column - 1].strip()
        hint = f"write  {{c in {inner} where …}}" if opened.line == stop.found.line and inner else ""
        return stop.problem("a condition needs a variable: which member is it about?", hint)
    if stop.found.text in ("in", ":") and "by" in stop.wanted and "reach" in texts:
        return stop.problem("a set with a condition stands in braces",
                            "for example:  reach from {c: cell where at(c) = mover} by near")  # fmt: skip
    return None


def _chained(stop: Stop) -> Problem | None:
    """`1 <= n <= 3`."""
    word = stop.found.text
    compared = any(one.text in COMPARATORS for one in stop.before)
    if word not in COMPARATORS or word in stop.wanted or not compared or not {"and", "_NL"} & stop.wanted:
        return None
    return stop.problem("a comparison has two sides", "for example:  1 <= n and n <= 3  or  n in 1..3")


# ------------------------------------------------------------------------ advisers for one section each


def _board(stop: Stop) -> Problem | None:
    """A board whose form or second side is missing."""
    if stop.head != "board" or not stop.before:
        return None
    word, following = stop.found.text, stop.after[0].text if stop.after else ""
    two = "by" in [one.text for one in stop.after]
    if stop.last == "board" and word in (*_HEXES, "hexagonal"):
        form = "rhombus" if two else "triangle" if word == "triangle" else "hexagon"
        right = stop.rewritten("hex" if following in _HEXES else f"hex {form}")
        shown = right if following and (two or word != "rhombus") else f"for example:  {BOARDS.get(word, BOARDS[form])}"
        return stop.problem("a board of hexagons begins with the word hex", shown)
    if "by" in stop.wanted and word[:1] in ("x", "X", "×", ","):
        return stop.problem("the sides of a board are joined by the word by", stop.rewritten(f" by {word[1:]} "))
    if "by" in stop.wanted and not word:
        line = stop.source.line(stop.found.line)[: stop.before[-1].end - 1]
        side = re.split(f"{'|'.join(BOARDS)}", line)[-1].strip()
        return stop.problem("the second side of the board is missing", f"write  {line.strip()} by {side}")
    if {"square", "hexagon"} & stop.wanted and (word.isdigit() or following == "by"):
        form = "square" if stop.last == "board" else "rhombus" if following == "by" else "hexagon"
        sides = stop.rest if following or form == "hexagon" else f"{word} by {word}"
        given = " ".join(one.text for one in stop.before)
        return stop.problem(f"here the form of the board is missing: {choices(sorted(stop.wanted))}",
                            f"write  {given} {form} {sides}")  # fmt: skip
    return None


def _definition(stop: Stop) -> Problem | None:
    """A definition without =, or with a value as other languages write it."""
    if stop.head != "define" or not stop.before:
        return None
    word, texts = stop.found.text, [one.text for one in stop.before]
    level = [i for i, text in enumerate(texts) if text in (":", "=") and _depth(stop.before[:i]) == 0]
    if level and texts[level[0]] == ":" and {*texts[level[0] + 1 : level[0] + 2]} & _BEGINNINGS:
        colon = stop.before[level[0]]
        return stop.problem("the value of a definition follows the sign =", stop.rewritten(" =", colon), colon)
    if {":", "="} <= stop.wanted and word and word not in ("=", "==", ":="):
        return stop.problem("the value of a definition follows the sign =", stop.rewritten(f"= {word}"))
    level = [i for i in level if texts[i] == "="]
    if word == "?" and level:
        return stop.problem("a value is chosen with if … then … else …", _chosen(stop, stop.before[level[0]]))
    if word == ":" and level and level[-1] == len(texts) - 2:
        return stop.problem("which of them is meant? a variable follows a word such as first, some or count",
                            stop.rewritten(f"first {texts[-1]}", stop.before[-1]))  # fmt: skip
    return None


def _chosen(stop: Stop, equals: Word) -> str:
    """`x = a ? b : c` as it is written here."""
    line = stop.source.line(stop.found.line)
    test, (then, colon, otherwise) = line[equals.end - 1 : stop.found.column - 1], stop.rest[1:].partition(":")
    if equals.line != stop.found.line or not colon or "?" in otherwise:
        return "for example:  if at(c) = mover then 1 else 0"
    return f"write  {line[: equals.end - 1].strip()} if {test.strip()} then {then.strip()} else {otherwise.strip()}"


def _state(stop: Stop) -> Problem | None:
    """A state without its colon, or with its initial value."""
    word = stop.found.text
    if stop.block != "state" or not stop.before:
        return None
    if word in ("=", ":=") and "_NL" in stop.wanted:
        value, name = stop.rest[len(word) :].strip(), stop.before[0].text
        inside = [one.text for one in stop.before[1:4]]
        if "(" not in inside:
            return stop.problem("an initial value stands under setup", f"write  {name} := {value}  under setup")
        hint = f"write  for x: {inside[1]}: {name}(x) := {value}  under setup" if inside[2] == ")" else ""
        return stop.problem("initial values stand under setup", hint)
    if {":", "("} <= stop.wanted and word:
        hint = stop.rewritten(f"{stop.last}:", stop.before[-1]) if _depth(stop.after) == 0 else ""
        return stop.problem("a colon stands between a state and its type", hint)
    return None


def _demand(stop: Stop) -> Problem | None:
    """What is said under `when` as if it were an effect."""
    if stop.block not in ("when", "after"):
        return None
    if stop.head == "let" and len(stop.before) == 1:
        return stop.problem("“let” stands under do: a demand gives no names",
                            "write the value out, or give it a name with define", stop.before[0])  # fmt: skip
    if stop.head == "for" and len(stop.before) == 1:
        return stop.problem("a demand on several things begins with every, some or no",
                            "for example:  every c in neighbours(to) has at(c) = none", stop.before[0])  # fmt: skip
    if stop.found.text == "," and _depth(stop.before) == 0 and "else" in stop.wanted:
        first, second = stop.source.line(stop.found.line)[: stop.found.column - 1], stop.rest[1:]
        return stop.problem("each demand has a line of its own, without a comma",
                            f"write  {' '.join(first.split())}  and under it  {' '.join(second.split())}")  # fmt: skip
    return None


def _effect(stop: Stop) -> Problem | None:
    """`then again` and `again if …` on one line."""
    word = stop.found
    if word.text in ("then", "else") and "_NL" in stop.wanted and stop.after and stop.before and (
        stop.before[-1].line < word.line and stop.block not in ("when", "after", "end", "stuck")):  # fmt: skip
        return stop.problem(f"“{word.text}” stands alone on its line; what belongs to it is indented under it",
                            f"write  {stop.rest[len(word.text) :].strip()}  in a line of its own, "
                            f"two blanks further in than “{word.text}”")  # fmt: skip
    if stop.last == "again" and stop.wanted == {"_NL"}:
        test = stop.rest[len(word.text) :].strip()
        hint = f"write  if {test}  and “again” under it, two blanks further in"
        return stop.problem("“again” stands alone on its line", hint if word.text in ("if", "when") else "write  again")
    return None


def _example(stop: Stop) -> Problem | None:
    """A line of an example that begins with another word, or whose parts are joined with signs."""
    if stop.block != "example" or not stop.before:
        return None
    head, word = stop.before[0], stop.found.text
    if word in ("=", ":", ":=") and stop.last == head.text:
        return stop.problem("only a blank stands between the two", stop.rewritten(""))
    if head.text not in EXAMPLE_LINES:
        meant = nearest(head.text, EXAMPLE_LINES)
        if meant:
            return stop.problem(f'"{head.text}" begins no line of an example', meant, head)
        if word == "(" or word in COMPARATORS:
            return stop.problem("what is true of a position follows the word holds",
                                f"write  holds {' '.join(stop.source.line(head.line).split())}", head)  # fmt: skip
        return stop.problem(f'"{word}" is not expected here; an option is set with its name and its value'
                            if word else "the value of the option is missing", "for example:  size 6")  # fmt: skip
    if head.text == "result" and "wins" in stop.wanted and len(stop.before) > 1:
        who = stop.before[1]
        if who.text.lower() in _DRAWS:
            return stop.problem("without a winner a game is a draw", "write  result draw", who)
        if not word:
            name = "White" if who.text in ("mover", "opponent") else who.text
            return stop.problem("after the player comes the word wins or loses", f"write  result {name} wins")
    return None


def _table(stop: Stop) -> Problem | None:
    """A row of a table with commas."""
    if stop.block != "table" or stop.found.text != ",":
        return None
    words = [word.text for word in (*stop.before, *stop.after) if word.text != ","]
    return stop.problem("the entries of a row stand apart by blanks", f"write  {' '.join(words)}")


_ADVISERS: tuple[Callable[[Stop], Problem | None], ...] = (
    _unfinished_block, _deep_line, _margin, _board, _definition, _state, _demand, _effect, _example, _table,
    _assignment, _reserved, _bare_if, _set, _chained, _connective, _sign, _colon, _same_line, _word, _quotes,
    _quantifier,
)  # fmt: skip


# -------------------------------------------------------------------------- before the grammar is asked


def before_reading(source: Source, text: str, report: Report) -> Iterator[int]:
    """Reports what no grammar can read; gives the lines, from 1, whose sections are to be left out."""
    lines = text.split("\n")
    drawn = drawing_lines(source.text.split("\n"))
    loose = _loose_rows(lines, drawn)
    problems = [problem for check in (_characters, _texts, _brackets, _indentation)
                for problem in check(source, lines, drawn | loose)]  # fmt: skip
    for problem in (*problems, *_rows(source, lines, loose)):
        report.add(problem.span, problem.message, problem.hint)
        yield problem.span.line


def _at(source: Source, line: int, column: int, width: int, message: str, hint: str = "") -> Problem:
    return Problem(Span(source, line, column, line, column + width), message, hint)


def _characters(source: Source, lines: list[str], drawn: set[int]) -> Iterator[Problem]:
    """Tabs and characters that cannot be seen."""
    tabs = 0
    for number, line in enumerate(source.text.split("\n"), 1):
        shown = line if number - 1 in drawn else line[: len(lines[number - 1])]
        for column, char in enumerate(shown if not shown.isprintable() else "", 1):
            if char == "\t":
                tabs += 1
                if tabs == 1:
                    yield _at(source, number, column, 1, "this is a tab; blocks are indented with blanks",
                              "two blanks for each level")  # fmt: skip
            elif not char.isprintable():
                yield _at(source, number, column, 1, f"this character cannot be read (U+{ord(char):04X})",
                          "write a plain blank" if char.isspace() and char != "\r" else "")  # fmt: skip
            else:
                continue
            break


def _texts(source: Source, lines: list[str], drawn: set[int]) -> Iterator[Problem]:
    """Texts whose closing quote is missing."""
    for number, line in enumerate(lines, 1):
        if number - 1 not in drawn and line.count('"') % 2:
            yield _at(source, number, line.rindex('"') + 1, 1, "this text has no closing quote",
                      f'write  {line.strip(f" {CONTINUED}")}"')  # fmt: skip


_BRACKET = re.compile(rf"{TEXT}|\(|\)|\{{|\}}")


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
        for found in _BRACKET.finditer(line):
            text, column = found.group(), found.start() + 1
            if text in ("(", "{"):
                open_.append(Word(text, number, column))
            elif text in (")", "}") and open_:
                opened = open_.pop()
                if opened.text + text not in ("()", "{}"):
                    right = ")" if opened.text == "(" else "}"
                    yield _at(source, number, column, 1, f'"{right}" is expected here: it closes the '
                              f'"{opened.text}" in column {opened.column}')  # fmt: skip
                    open_ = []


def _loose_rows(lines: list[str], drawn: set[int]) -> set[int]:
    """Numbers of the lines, from 0, that look like rows of a drawing and stand in none: `. w . b`."""
    found: set[int] = set()
    group: list[int] = []
    for number, line in enumerate([*lines, ""]):
        words = line.strip(f" {CONTINUED}").split()
        if len(words) > 1 and number not in drawn and all(len(word) < 4 for word in words) and not (
            {"=", ":="} & set(words)):  # fmt: skip
            group.append(number)
            continue
        found |= set(group) if any("." in lines[row].split() for row in group) else set()
        group = []
    return found


def _rows(source: Source, lines: list[str], loose: set[int]) -> Iterator[Problem]:
    """Drawings that do not stand under their heading; the first row of each is reported."""
    for row in sorted(loose):
        if row - 1 in loose:
            continue
        above = next((line.split()[0] for line in reversed(lines[:row]) if line.strip()), "")
        text = lines[row].strip(f" {CONTINUED}")
        hint = "two blanks further in than this word" if above in DRAWN else ""
        yield _at(source, row + 1, lines[row].index(text) + 1, len(text),
                  f"the rows of a drawing are indented under the word {above if above in DRAWN else 'position'}",
                  hint)  # fmt: skip


def _indentation(source: Source, lines: list[str], drawn: set[int]) -> Iterator[Problem]:
    """Lines that stand in no column of the blocks around them."""
    margins, heads = [0], [0]
    above = 0
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith(CONTINUED) or number - 1 in drawn:
            continue
        own = _indent(line)
        while margins[-1] > own and len(margins) > 1 and margins[-2] >= own:
            margins.pop()
            heads.pop()
        if own > margins[-1]:
            margins.append(own)
            heads.append(above)
        elif own < margins[-1] and len(margins) == 2 and (word := lines[heads[-1] - 1].strip()) in BLOCKS[:5]:
            yield _at(source, heads[-1], 1, len(word), f"“{word}” stands inside a section, two blanks further in "
                      "than its heading")  # fmt: skip
        elif own < margins[-1]:
            either = choices([str(margin) for margin in margins[-2:]])
            yield _at(source, number, 1, own, f"this line is indented by {own} blank{'s' * (own != 1)}; the lines "
                      f"around it by {either}")  # fmt: skip
        above = number
