"""Where is printed, and in which colours.

Colour is for terminals, and not for those who set NO_COLOR.  What goes to a program is printed as it is.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import TYPE_CHECKING

from dsl import RulesError, UnknownOption
from dsl.errors import Problem
from dsl.notation import NotationError
from dsl.players import UnknownPlayer
from pysolve.engine import EngineError
from pysolve.game import UnknownGame
from pysolve.lab.games import NoOpening
from pysolve.lab.report import ReportError
from pysolve.lab.store import StoreError
from pysolve.position import Explanation, IllegalMove, Position, QueryError
from pysolve.proofs import ProofError
from pysolve.record import RecordError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

# What can go wrong without being a mistake in pysolve.
MISTAKES = (
    RulesError, UnknownGame, UnknownOption, NotationError, IllegalMove, QueryError, RecordError, EngineError, OSError,
    UnknownPlayer, NoOpening, ReportError, StoreError, ProofError,
)  # fmt: skip


def console(stderr: bool = False) -> Console:
    """A console that prints what it is given: no markup, no wrapping."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)


def in_colour(to: Console) -> bool:
    """True if colours can be seen there."""
    return to.is_terminal and to.color_system is not None and not to.no_color


def put(text: str) -> None:
    """Prints a line for people and programs alike."""
    print(text)


def put_more(limit: int) -> None:
    """Says on stderr, behind all that was printed, that there is more than a limit."""
    sys.stdout.flush()
    console(stderr=True).print(f"… and more; --limit {10 * limit} shows more of them")


def counted(number: int, word: str) -> str:
    """`1 move`, `2 moves`."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def put_board(to: Console, position: Position, last: Collection[str] = (), targets: Collection[str] = ()) -> None:
    """Prints the board of a position, and what it does not show."""
    from pysolve.look import beside
    from pysolve.terminal import coloured_board, plain_board

    board = coloured_board if in_colour(to) else plain_board
    to.print(board(position, last, targets))
    for line in beside(position):
        to.print(line, markup=False, highlight=False)


# -------------------------------------------------------------------------------------------- mistakes


def complain(error: BaseException) -> None:
    """Says on stderr what went wrong."""
    to = console(stderr=True)
    if isinstance(error, RulesError):
        for problem in error.problems:
            to.print(problem_text(problem))
    elif isinstance(error, IllegalMove):
        to.print(explanation_text(error.explanation))
    elif isinstance(error, OSError) and error.filename is not None:
        to.print(_labelled(f"{error.filename}: {error.strerror}"))
    else:
        to.print(_labelled(str(error)))


def remark(text: str) -> None:
    """Says on stderr what is not as one might expect, though it works."""
    console(stderr=True).print(_labelled(text))


def _labelled(message: str) -> Text:
    from rich.text import Text

    return Text.assemble(("pysolve: ", "bold red"), message)


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
