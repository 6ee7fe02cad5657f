"""The examples of a rules file, carried out.

In: a game.  Out: what its examples expect and the rules do not do: a `Failure` for each such line; and what is
odd in them or in the rules, a `Notice` each.  An example is played with the options that it names itself; the others
have their default values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from pysolve.dsl import RulesError, UnknownOption
from pysolve.dsl.analysis.absent import leftovers
from pysolve.dsl.errors import choices
from pysolve.dsl.model import Check, Example
from pysolve.dsl.model.payoffs import AND, LOST
from pysolve.dsl.notation import NotationError, breach, move_text, readings, refuse_breach
from pysolve.engines.protocol import EngineError, State
from pysolve.engines.protocol import Move as Numbers
from pysolve.game import Game
from pysolve.position import Explanation, IllegalMove, Outcome, Position
from pysolve.results import DRAW
from pysolve.runtime import validation
from pysolve.search.leaks import Leak, history_text, leaks

RANDOM_GAMES, RANDOM_MOVES = 20, 200  # in which is looked for what never is
EARLY = "this expectation is above a play line, but all moves are played first; it refers to the position after them"
FAR_MORE = 1_000_000  # sequences of moves: who expects so many fewer is told that it is more, and not how many


@dataclass(frozen=True, slots=True)
class Failure:
    """One line of an example that is not true: what it expects, and what was found instead."""

    example: str
    line: int
    expected: str
    found: str

    def __str__(self) -> str:
        return f'line {self.line}, example "{self.example}": expected {self.expected}, found {self.found}'


@dataclass(frozen=True, slots=True)
class Notice:
    """A line that is no mistake but hardly says what its author thinks; `example` is empty if it is not in one."""

    example: str
    line: int
    text: str

    @property
    def place(self) -> str:
        """The example as `example "name"`, or `the rules`."""
        return f'example "{self.example}"' if self.example else "the rules"

    def __str__(self) -> str:
        return f"line {self.line}, {self.place}: {self.text}"


def notices(game: Game) -> list[Notice]:
    """Warnings about a game without mistakes, whether its examples hold or not.

    They are about expectations above a `play` line, and about lines of `tell` and `beside` that list what never occurs.
    """
    validation.instance("game", game, Game, "a Game")
    return [*_leftovers(game)] + [
        Notice(example.name, line, EARLY)
        for example in game.model.examples
        for line in dict.fromkeys(check.span.line for check in example.checks if check.above_play)
    ]


@dataclass(frozen=True, slots=True)
class Trial:
    """An example that was carried out: the game with its options, the position of its checks, and what fails.

    Game and position are None if it cannot begin.
    """

    example: Example
    game: Game | None
    position: Position | None
    failures: tuple[Failure, ...]


def _leftovers(game: Game) -> Iterator[Notice]:
    for one in leftovers(game.model):
        values, them = choices(one.values), "it" if len(one.values) == 1 else "them"
        text = f"no legal move makes {values}, but {one.section} {one.name} lists {them}; replace {one.name}"
        yield Notice("", one.span.line if one.span else 1, text)


def run(game: Game) -> list[Failure]:
    """The failures of all examples of a game; an empty list if every line holds.

    Raises `RulesError` where an example has mistakes: such a game can be played, but its examples cannot be run.
    """
    validation.instance("game", game, Game, "a Game")
    return [failure for trial in trials(game) for failure in trial.failures] + breaches(game) + told_secrets(game)


def trials(game: Game, only: int | None = None) -> Iterator[Trial]:
    """Each example of a game, as soon as it is carried out; or the one with this number, counted from 0."""
    validation.instance("game", game, Game, "a Game")
    if game.model.flaws:
        raise RulesError(game.model.flaws)
    game.explainer  # noqa: B018  (where nothing explains moves: that is no failure of an example)
    tables: dict[tuple[tuple[str, str], ...], Game] = {}
    for number, example in enumerate(game.model.examples):
        if only not in (None, number):
            continue
        try:
            if example.options not in tables:
                tables[example.options] = game.with_options(**dict(example.options))
            table = tables[example.options]
            if table.model.flaws:
                raise RulesError(table.model.flaws)
            example = table.model.examples[number]  # the same, read with its own options
            position = _beginning(table, example)
        except (RulesError, UnknownOption, NotationError, IllegalMove, EngineError) as error:
            failure = Failure(example.name, example.span.line, "a position to begin with", str(error))
            yield Trial(example, None, None, (failure,))
            continue
        yield Trial(example, table, position, tuple(_failures(example, position)))


def count(game: Game) -> int:
    """The number of lines that expect something, in all examples of a game."""
    return sum(len(example.checks) for example in game.model.examples)


def _beginning(game: Game, example: Example) -> Position:
    """The position of an example, after the moves that it plays."""
    position = game.start() if example.diagram is None else game.position(example.diagram)
    for text in example.play:
        refuse_breach(game.model, position.state)
        try:
            position = position.play(text)
        except IllegalMove as error:
            error.args = (f"{error} ({position.to_move} is to move)",)
            raise
    refuse_breach(game.model, position.state)
    return position


def breaches(game: Game) -> list[Failure]:
    """The first position of some random games in which a cell is what `show` says that it never is, if there is one."""
    return list(_breaches(game))


def _breaches(game: Game) -> Iterator[Failure]:
    """The first position of some random games in which a cell is what `show` says that it never is."""
    if not game.model.nevers:
        return
    for seed in range(RANDOM_GAMES):
        position, dice, played = game.start(seed), Random(seed), list[str]()
        for _ in range(RANDOM_MOVES):
            found = breach(game.model, position.state)
            if found is not None:
                after = f" after {', '.join(played)}" if played else " in the initial position"
                yield Failure(f"random game {seed}", found[0].span.line, found[0].text, f"{found[1]}{after}")
                return
            if position.is_over:
                break
            move = position.random_move(dice)
            position = position.play(move)
            played.append(str(move))


def told_secrets(game: Game) -> list[Failure]:
    """The legal moves that tell a player what nobody has shown, in some random games and in what examples play."""
    if not game.model.secret:
        return []
    starts, histories = list[State](), list[list[Numbers]]()
    for example in game.model.examples:
        if example.diagram is None and not example.options:
            with suppress(NotationError, IllegalMove):  # which is a failure of the example itself
                position = _beginning(game, example)
                starts.append(game.start().state)
                histories.append([move for _, move in position.history])
    for seed in range(RANDOM_GAMES):
        position, dice = game.start(seed), Random(seed)
        starts.append(position.state)
        for _ in range(RANDOM_MOVES):
            if position.is_over:
                break
            position = position.play(position.random_move(dice))
        histories.append([move for _, move in position.history])
    return [_told(game, leak) for leak in leaks(game.engine, starts, histories)]


def _told(game: Game, leak: Leak) -> Failure:
    """A leak in the words of a failure."""
    player, move = game.model.players.label(leak.player), move_text(game.model, leak.move)
    kind, first = game.model.actions[leak.move[0]] if leak.move[0] < len(game.model.actions) else None, "legal"
    line = game.model.actions[0].span.line if kind is None else kind.span.line
    before = history_text(game.engine, leak.first)
    if leak.alike is not None:
        return Failure(f"what {player} may know", line, f"that {player} can tell one move from another",
                       f"that {move} reads like {move_text(game.model, leak.alike)}, and {player} sees no difference, "
                       f"after  {before}")  # fmt: skip
    return Failure(
        f"what {player} may know", line, f"the same legal moves wherever {player} has seen the same",
        f"that {move} is {first} after  {before}\nand is not after  {history_text(game.engine, leak.second)}",
    )  # fmt: skip


def _failures(example: Example, position: Position) -> Iterator[Failure]:
    for check in example.checks:
        try:
            for expected, found in _CHECKS[check.kind](check, position):
                late = " after the moves of the play lines below, which are played first" if check.above_play else ""
                yield Failure(example.name, check.span.line, expected, f"{found}{late}")
        except EngineError as error:
            yield Failure(example.name, check.span.line, f"{check.span.text.strip()} to be evaluated", str(error))


# Each check yields what it expects and what it finds, where these are not the same.
Differences = Iterator[tuple[str, str]]


def _legal(check: Check, position: Position) -> Differences:
    if position.outcome is not None:
        yield f"{', '.join(check.moves)} to be legal", _over(position.outcome)
        return
    for text in check.moves:
        explanation = position.why(text)
        if not explanation.legal:
            yield f"{text} to be legal", _against(explanation)


def _illegal(check: Check, position: Position) -> Differences:
    because = f' because "{check.reason}"' if check.reason else ""
    if position.outcome is not None:  # then every move is
        yield f"{', '.join(check.moves)} to be illegal{because}", _over(position.outcome)
        return
    for text in check.moves:
        explanation = position.why(text)
        expected = f"{text} to be illegal{because}"
        if explanation.legal:
            yield expected, "that it is legal"
        elif not readings(position.game.model, text):
            yield expected, "that it is not a move of this game"
        elif check.reason is not None and check.reason not in _reasons(explanation):
            yield expected, _against(explanation)


def _result(check: Check, position: Position) -> Differences:
    outcome = position.outcome
    because = f' because "{check.reason}"' if check.reason else ""
    expected = f"{_winner(check.winner)}{because}"
    if outcome is None:
        yield expected, f"that the game continues: {position.to_move} to move"
    elif outcome.result != (check.winner or DRAW) or check.reason not in (None, outcome.reason):
        yield expected, _ended(outcome)


def _moves(check: Check, position: Position) -> Differences:
    if (found := len(position.possible_moves)) != check.count:
        yield f"{check.count} legal moves", str(found)


def _holds(check: Check, position: Position) -> Differences:
    assert check.claim is not None  # the game has the options of the example
    finding = position.game.explainer.explain_claim(position.state, check.claim)
    if not finding.holds:
        text = position.game.model.claims[check.claim].text
        yield f"{text} to hold", f"that it is false{': ' if finding.values else ''}{', '.join(finding.values)}"


class _TooMany(Exception):
    """More sequences of moves than need be counted to know that a number is wrong."""


def _perft(check: Check, position: Position) -> Differences:
    most, counted = 2 * check.count + FAR_MORE, 0

    def tick(number: int) -> None:
        nonlocal counted
        counted += number
        if counted > most:
            raise _TooMany

    expected = f"{check.count:,} sequences of {check.depth} moves"
    try:
        if (found := position.perft(check.depth, tick=tick)) != check.count:
            yield expected, f"{found:,}"
    except _TooMany:
        yield expected, f"more than {most:,}"


_CHECKS: dict[str, Callable[[Check, Position], Differences]] = {
    "legal": _legal, "illegal": _illegal, "result": _result, "moves": _moves, "holds": _holds,
    "perft": _perft,
}  # fmt: skip


def _reasons(explanation: Explanation) -> set[str]:
    """The author's reasons of all demands that fail, whatever kind of move was meant; a demand without is its own."""
    return {r.reason or r.text for _, reasons in explanation.kinds for r in reasons if not r.holds}


def _against(explanation: Explanation) -> str:
    """The reasons against a move, in a few words."""
    why = "; ".join(f'"{r.reason}"' if r.reason else r.text for r in explanation.failing)
    return why or explanation.note or "that it is not legal"


def _winner(name: str | None) -> str:
    if name is None or name in (DRAW, LOST):
        return "a loss" if name == LOST else "a draw"
    if name[-1].isdigit() and " " in name:  # amounts; names of players are single words
        return f"pays {name}"
    return f"{name} {'win' if AND in name else 'wins'}"


def _over(outcome: Outcome) -> str:
    return f"that the game is over: {_ended(outcome)}"


def _ended(outcome: Outcome) -> str:
    return f'{_winner(outcome.result)} because "{outcome.reason}"'
