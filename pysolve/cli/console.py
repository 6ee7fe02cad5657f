"""Where is printed, and in which colours: the one door to the terminal.

Colour is for terminals, and not for those who set NO_COLOR.  Texts from outside (rules, names of files, positions,
records) may hold control characters that a terminal would obey: every text passes `visible` on its way out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pygments.lexer import Lexer
    from rich.console import Console
    from rich.text import Text

    from pysolve.dsl.errors import Problem
    from pysolve.position import Explanation
    from pysolve.results import Shown

# What can go wrong without being a mistake in pysolve.  By their names, since most commands import few of them.
MISTAKES = frozenset(
    {
        "pysolve.results.IllegalMove",
        "pysolve.players.competitors.PlayerError",
        "pysolve.dsl.errors.RulesError",
        "pysolve.dsl.errors.UnknownOption",
        "pysolve.dsl.notation.NotationError",
        "pysolve.dsl.player_texts.UnknownPlayer",
        "pysolve.engines.protocol.EngineError",
        "pysolve.engines.protocol.QueryError",
        "pysolve.export.errors.ExportError",
        "pysolve.game.UnknownGame",
        "pysolve.lab.database.DatabaseError",
        "pysolve.lab.learn.CheckpointError",
        "pysolve.lab.report.ReportError",
        "pysolve.lab.tables.TableError",
        "pysolve.lab.proofs.ProofError",
        "pysolve.players.strategies.StrategyError",
        "pysolve.notation.record.RecordError",
        "builtins.OSError",
    }
)


def is_mistake(error: BaseException) -> bool:
    """True of an error of whoever gave the command: it becomes a message."""
    return any(f"{kind.__module__}.{kind.__qualname__}" in MISTAKES for kind in type(error).__mro__)


# Control characters but line breaks and tabs, marks that turn the direction of writing, and halves of characters.
_OBEYED = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


HANGING = 2  # columns by which the rest of a long line is indented
LEAST_ROOM = 20  # columns for the words of a line, however far it is indented

_ENDLESS = re.compile(r"(\S{80})\S{900,}(\S{60})")


def visible(text: str) -> str:
    r"""The text with what a terminal would obey written by its number, as in \u001b; JSON stays the same JSON."""
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


@cache
def _console_class() -> type[Console]:
    """Consoles of rich whose words are visible; only rich itself moves the cursor and changes colours."""
    from rich.console import Console
    from rich.segment import Segment

    class Door(Console):
        def render(self, renderable: Any, options: Any = None) -> Iterable[Segment]:
            """The segments of the renderable, with control characters made visible."""
            for segment in super().render(renderable, options):
                yield segment if segment.control else Segment(visible(segment.text), segment.style)

    return Door


def console(stderr: bool = False) -> Console:
    """A console that prints what it is given: no markup, no wrapping, no control characters."""
    return _console_class()(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)


def is_watched() -> bool:
    """True if somebody at a terminal reads what stderr says while a command works."""
    return sys.stderr is not None and sys.stderr.isatty()


def overwrite(text: str) -> None:
    """Writes over what it wrote last, for somebody who watches; nothing removes the line."""
    if is_watched():
        sys.stderr.write(f"\r\x1b[2K{visible(text)}")
        sys.stderr.flush()


def in_colour(to: Console) -> bool:
    """True if colours can be seen there."""
    return to.is_terminal and to.color_system is not None and not to.no_color


def put(text: str, flush: bool = False) -> None:
    """Prints a line for people and programs alike."""
    print(visible(text), flush=flush)


def put_words(to: Console, text: str | Text, style: str = "") -> None:
    """Prints sentences; a terminal breaks long lines between words, and indents what follows."""
    from rich.text import Text

    whole = Text(text, style) if isinstance(text, str) else text
    to.print(_folded(to, whole) if to.is_terminal else whole)


def _folded(to: Console, text: Text) -> Text:
    """The text with its long lines broken between words."""
    from rich.text import Text

    return Text("\n").join(part for line in text.split("\n", allow_blank=True) for part in _parts(to, line))


def _parts(to: Console, line: Text) -> list[Text]:
    """A line as one that fits, and others behind a deeper indent."""
    from rich.text import Text

    if line.cell_len <= to.width:
        return [line]
    indent = len(line.plain) - len(line.plain.lstrip(" "))
    first, *more = line[indent:].wrap(to, max(LEAST_ROOM, to.width - indent - HANGING))
    return [Text(" " * indent) + first, *(Text(" " * (indent + HANGING)) + part for part in more)]


def put_code(text: str, language: str | Lexer) -> None:
    """Prints a program, or rules, in the colours of a language where they can be seen."""
    to = console()
    if not in_colour(to):
        put(text)
        return
    from rich.syntax import Syntax

    to.print(Syntax("", language, theme="ansi_dark", background_color="default").highlight(text), end="")


def put_parts(parts: Iterable[str]) -> None:
    """Prints a line part by part, as they come."""
    for part in parts:
        print(visible(part), end="")
    print()


def put_text(text: str) -> None:
    """Prints a text in a form of its own, such as rules or SVG: as it is, unless a terminal would obey it."""
    print(visible(text) if sys.stdout.isatty() else text, end="")


def put_more(limit: int) -> None:
    """Says on stderr, behind all that was printed, that there is more than a limit."""
    sys.stdout.flush()
    console(stderr=True).print(f"… and more; --limit {10 * limit} shows more")


def counted(number: int, word: str) -> str:
    """`1 move`, `2 moves`."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def in_columns(entries: list[str], width: int) -> list[str]:
    """The entries in as many columns as fit, read downwards."""
    column = max(map(len, entries), default=0) + 2
    count = max(1, width // column)
    rows = -(-len(entries) // count)
    return ["".join(entry.ljust(column) for entry in entries[row::rows]).rstrip() for row in range(rows)]


def put_board(
    to: Console, position: Shown, last: Collection[str] = (), targets: Collection[str] = (), flipped: bool = False
) -> None:
    """Prints the board of a position, and what it does not show; `flipped` shows it from the other side."""
    from pysolve.display import window
    from pysolve.display.scene import beside, has_between
    from pysolve.display.terminal import aside_lines, coloured_board, legend, plain_board

    board = coloured_board if in_colour(to) else plain_board
    cells = window.shown_cells(position, [*last, *targets])
    if position.game.model.board.cells:
        to.print(board(position, last, targets, flipped, cells))
    if goes_on := window.said(position.game.model.board, cells):
        put_words(to, goes_on)
    for mark in legend(position, in_colour(to)):
        to.print(mark)
    for line in beside(position, has_between(position.game.model)):
        put_words(to, line)
    for row in aside_lines(position, in_colour(to)):
        to.print(row)


# -------------------------------------------------------------------------------------------- mistakes


def complain(error: BaseException) -> None:
    """Says on stderr what went wrong."""
    from pysolve.dsl.errors import RulesError
    from pysolve.position import IllegalMove

    to = console(stderr=True)
    if isinstance(error, RulesError):
        put_problems(to, error.problems)
    elif isinstance(error, IllegalMove):
        put_words(to, explanation_text(error.explanation))
    elif isinstance(error, OSError) and error.filename is not None:
        put_words(to, _labelled(_shortened(f"{error.filename}: {error.strerror}")))
    else:
        put_words(to, _labelled(_shortened(str(error))))


def _shortened(message: str) -> str:
    """A message without the middle of words that nobody can read, such as a name of thousands of letters."""
    return _ENDLESS.sub(r"\1…\2", message)


def remark(text: str) -> None:
    """Says on stderr what is not as one might expect, though it works."""
    put_words(console(stderr=True), _labelled(text))


def _labelled(message: str) -> Text:
    from rich.text import Text

    return Text.assemble(("pysolve: ", "bold red"), message)


def put_problems(to: Console, problems: Sequence[Problem]) -> None:
    """Prints the first mistakes in rules, and how many more there are."""
    from pysolve.dsl.errors import SHOWN, more_mistakes

    for problem in problems[:SHOWN]:
        to.print(problem_text(problem))
    for line in more_mistakes(len(problems)):
        to.print(line)


def problem_text(problem: Problem) -> Text:
    """A mistake in rules as `RulesError` words it, with colours."""
    from rich.text import Text

    first, line, caret, *hint = str(problem).split("\n")
    place, message = first[: -len(problem.message)], problem.message
    found = Text.assemble((place, "bold"), (message, "bold red"), f"\n{line}\n", (caret, "red"))
    for words in hint:
        found.append(f"\n{words}", "cyan")
    return found


def explanation_text(explanation: Explanation) -> Text:
    """An explanation with colours: what holds is green, what fails is red."""
    from rich.text import Text

    lines = []
    for line in str(explanation).split("\n"):
        style = {"holds": "green", "fails": "red"}.get(line.strip().split(",")[0], "")
        lines.append(Text(line, style))
    if lines:
        lines[0].stylize("bold")
    return Text("\n").join(lines)
