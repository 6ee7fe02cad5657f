"""The examples of a rules file, carried out.

In: a game.  Out: what its examples expect and the rules do not do: a `Failure` for each such line.  An
example is played with the options that it names itself; the others have their default values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dsl import RulesError, UnknownOption
from dsl.model import Check, Example
from dsl.notation import NotationError, readings
from pysolve.engine import EngineError
from pysolve.game import Game
from pysolve.position import Explanation, IllegalMove, Outcome, Position


@dataclass(frozen=True, slots=True)
class Failure:
    """One line of an example that is not true: what it expects, and what was found instead."""

    example: str
    line: int
    expected: str
    found: str

    def __str__(self) -> str:
        return f'line {self.line}, example "{self.example}": expected {self.expected}, found {self.found}'


def run(game: Game) -> list[Failure]:
    """What fails in the examples of a game; nothing if all is well."""
    game.prolog  # noqa: B018  (without Prolog nothing can be said: that is no failure of an example)
    tables: dict[tuple[tuple[str, str], ...], Game] = {}
    failures: list[Failure] = []
    for number, example in enumerate(game.model.examples):
        try:
            if example.options not in tables:
                tables[example.options] = game.with_options(**dict(example.options))
            example = tables[example.options].model.examples[number]  # the same, read with its own options
            position = _beginning(tables[example.options], example)
        except (RulesError, UnknownOption, NotationError, IllegalMove, EngineError) as error:
            failures.append(Failure(example.name, example.span.line, "a position to begin with", str(error)))
            continue
        failures += _failures(example, position)
    return failures


def count(game: Game) -> int:
    """How many lines of the examples expect something."""
    return sum(len(example.checks) for example in game.model.examples)


def _beginning(game: Game, example: Example) -> Position:
    """The position of an example, after the moves that it plays."""
    position = game.start() if example.diagram is None else game.position(example.diagram)
    for text in example.play:
        try:
            position = position.play(text)
        except IllegalMove as error:
            error.args = (f"{error} ({position.to_move} is to move)",)
            raise
    return position


def _failures(example: Example, position: Position) -> Iterator[Failure]:
    for check in example.checks:
        try:
            for expected, found in _CHECKS[check.kind](check, position):
                yield Failure(example.name, check.span.line, expected, found)
        except EngineError as error:
            yield Failure(example.name, check.span.line, f"an answer to  {check.span.text}", str(error))


# Each check yields what it expects and what it finds, where these are not the same.
Differences = Iterator[tuple[str, str]]


def _legal(check: Check, position: Position) -> Differences:
    for text in check.moves:
        explanation = position.why(text)
        if not explanation.legal:
            yield f"{text} to be legal", _against(explanation)


def _illegal(check: Check, position: Position) -> Differences:
    for text in check.moves:
        explanation = position.why(text)
        because = f' because "{check.reason}"' if check.reason else ""
        expected = f"{text} to be illegal{because}"
        if explanation.legal:
            yield expected, "that it is legal"
        elif not readings(position.game.model, text):
            yield expected, "that it is no move of this game"
        elif check.reason is not None and check.reason not in _reasons(explanation):
            yield expected, _against(explanation)


def _result(check: Check, position: Position) -> Differences:
    outcome = position.outcome
    because = f' because "{check.reason}"' if check.reason else ""
    expected = f"{_winner(check.winner)}{because}"
    if outcome is None:
        yield expected, f"that the game goes on: {position.to_move} to move"
    elif outcome.winner != check.winner or check.reason not in (None, outcome.reason):
        yield expected, _ended(outcome)


def _moves(check: Check, position: Position) -> Differences:
    if (found := len(position.legal_moves)) != check.count:
        yield f"{check.count} legal moves", str(found)


def _holds(check: Check, position: Position) -> Differences:
    assert check.claim is not None  # the game has the options of the example
    finding = position.game.prolog.explain_claim(position.state, check.claim)
    if not finding.holds:
        text = position.game.model.claims[check.claim].text
        yield f"{text} to hold", f"that it does not{': ' if finding.values else ''}{', '.join(finding.values)}"


def _perft(check: Check, position: Position) -> Differences:
    if (found := position.perft(check.depth)) != check.count:
        yield f"{check.count:,} sequences of {check.depth} moves", f"{found:,}"


_CHECKS: dict[str, Callable[[Check, Position], Differences]] = {
    "legal": _legal, "illegal": _illegal, "result": _result, "moves": _moves, "holds": _holds,
    "perft": _perft,
}  # fmt: skip


def _reasons(explanation: Explanation) -> set[str]:
    """The author's reasons of all demands that fail, whatever kind of move was meant; a demand without is its own."""
    return {r.reason or r.text for _, reasons in explanation.kinds for r in reasons if not r.holds}


def _against(explanation: Explanation) -> str:
    """What speaks against a move, in a few words."""
    why = "; ".join(f'"{r.reason}"' if r.reason else r.text for r in explanation.failing)
    return why or explanation.note or "that it is not legal"


def _winner(name: str | None) -> str:
    return f"{name} wins" if name else "a draw"


def _ended(outcome: Outcome) -> str:
    return f'{_winner(outcome.winner)} because "{outcome.reason}"'
