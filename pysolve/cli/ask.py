"""Commands that ask about a position: moves, why, query, perft, svg, show-position."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dsl.errors import nearest
from dsl.notation import NotationError, readings
from pysolve.cli.arguments import (
    AsJson,
    GameName,
    Options,
    PositionText,
    Seed,
    opened,
    position_of,
    split_options,
)
from pysolve.cli.console import console, explanation_text, put, put_board
from pysolve.engine import EngineError
from pysolve.exchange import Answers
from pysolve.game import Game
from pysolve.look import cells_of, targets_of
from pysolve.position import Move, Position

# ----------------------------------------------------------------------------------------------- moves


def moves(
    game: GameName,
    options: Options = None,
    position: PositionText = None,
    positions: Annotated[
        str | None,
        typer.Option("--positions", metavar="FILE", help="JSON positions, one a line; - is stdin. Answers in JSON."),
    ] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """List the legal moves of a position.

    With --positions every line of the file is a position, and every line
    printed is the answer to one: an object with mover, outcome (null while the
    game goes on) and moves, each with the position that it leads to. What a
    position leaves out has its initial value. A line that is no position is
    answered by an object with an error, and the exit status is 2.

    \b
    Examples:
      pysolve moves zola size=4
      pysolve moves conga --json
      pysolve moves zola --positions positions.jsonl --json
      echo '{"mover": "Blue"}' | pysolve moves zola --positions - --json
    """
    asked = opened(game, options)
    if positions is not None:
        with _lines(positions) as lines:
            raise typer.Exit(_answer_all(asked, lines))
    found = position_of(asked, position, seed)
    if as_json:
        put(Answers(asked.model).answer(found))
        return
    if found.outcome is not None:
        put(f"The game is over: {found.outcome}.")
        return
    put(f"{found.to_move} to move, {len(found.legal_moves)} legal:")
    width = max(len(move.text) for move in found.legal_moves)
    for number, move in enumerate(found.legal_moves, 1):
        put(f"{number:>5}  {move.text.ljust(width)}  {move.kind}".rstrip())


@contextmanager
def _lines(name: str) -> Iterator[Iterable[str]]:
    if name == "-":
        yield sys.stdin
    else:
        with Path(name).open(encoding="utf-8-sig") as file:
            yield file


def _answer_all(game: Game, lines: Iterable[str]) -> int:
    """Prints an answer for each line; the exit status."""
    answers, status = Answers(game.model), 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            answer = answers.answer(game.from_dict(json.loads(line)))
        except (json.JSONDecodeError, NotationError, EngineError) as error:
            answer, status = json.dumps({"error": f"line {number}: {error}"}), 2
        print(answer, flush=True)
    return status


# ------------------------------------------------------------------------------------------ why, query


def why(
    game: GameName,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[OPTION=VALUE] MOVE", help="Options, then a move; commas between moves.", show_default=False
        ),
    ],
    position: PositionText = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Say why a move is legal or not: every demand of the rules, whether it holds, and the values that decide it.

    \b
    Examples:
      pysolve why zola a1-b2
      pysolve why conga size=6 a6 north
      pysolve why zola size=4 a1xb1, b3-c3
    """
    settings, rest = split_options(words)
    asked = opened(game, settings)
    found = position_of(asked, position, seed)
    explanations = [found.why(text) for text in _move_texts(asked, rest)]
    if as_json:
        put(json.dumps([explanation.to_dict() for explanation in explanations], indent=2, ensure_ascii=False))
    else:
        for explanation in explanations:
            console().print(explanation_text(explanation))
    if not all(explanation.legal or explanation.kinds or found.is_over for explanation in explanations):
        raise typer.Exit(2)


def _move_texts(game: Game, words: list[str]) -> list[str]:
    """The moves that the words name: one move of several words, or moves with commas between them, or one a word."""
    text = " ".join(words)
    if not text:
        raise NotationError("no move is given")
    if "," in text and not readings(game.model, text):
        return [part.strip() for part in text.split(",") if part.strip()]
    if len(words) > 1 and not readings(game.model, text) and all(readings(game.model, word) for word in words):
        return words
    return [text]


def query(
    game: GameName,
    words: Annotated[
        list[str],
        typer.Argument(metavar="[OPTION=VALUE] GOAL", help="Options, then a goal in quotes.", show_default=False),
    ],
    position: PositionText = None,
    seed: Seed = 0,
    limit: Annotated[int, typer.Option("--limit", help="How many answers at most.")] = 100,
    as_json: AsJson = False,
) -> None:
    """Ask a question in the names of the rules, as a Prolog goal.

    What begins with a capital letter is unknown, unless the game has that name.
    State, definitions and moves can be asked; a move is asked whether it is
    legal.

    \b
    Examples:
      pysolve query zola "capture(From, e2)"
      pysolve query zola size=4 "at(C) = Red, distance(C, D), D > 10"
      pysolve query conga "stones(C) > 0" --json
    """
    *settings, goal = words
    found = position_of(opened(game, settings), position, seed)
    answers = found.query(goal, limit + 1)
    more, answers = len(answers) > limit, answers[:limit]
    if as_json:
        put(json.dumps(answers, ensure_ascii=False))
    elif not answers:
        put("no")
    else:
        for answer in answers:
            put(", ".join(f"{name} = {_word(value)}" for name, value in answer.items()) or "yes")
    if more:
        console(stderr=True).print(f"… and more; --limit {10 * limit} shows more of them")


def _word(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "none" if value is None else str(value)


# ----------------------------------------------------------------------------------------------- perft

LONG = 500_000  # sequences, from which on a progress bar is shown


def perft(
    game: GameName,
    options: Options = None,
    depth: Annotated[int, typer.Option("--depth", "-d", min=1, help="Up to how many moves.", show_default=False)] = 3,
    divide: Annotated[bool, typer.Option("--divide", help="Also count by first move.")] = False,
    position: PositionText = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Count the sequences of legal moves of each length up to a depth: the test that compares move generators.

    A forced pass is a move. Ctrl-C ends the counting; what was counted so far
    is printed.

    \b
    Examples:
      pysolve perft zola size=4 --depth 4
      pysolve perft conga --depth 6 --json
      pysolve perft zola --depth 3 --divide
    """
    found = position_of(opened(game, options), position, seed)
    counts: list[int] = []
    by_move: dict[str, int] = {}
    try:
        for length in range(1, depth + 1):
            by_move = _counted(found, length, counts)
            counts.append(sum(by_move.values()))
            if not as_json:
                put(f"{length:>3}  {counts[-1]:,}")
    finally:
        if as_json:
            put(json.dumps({"counts": counts, "divide": by_move} if divide else {"counts": counts}))
    if divide and not as_json:
        width = max(map(len, by_move), default=0)
        for move, count in by_move.items():
            put(f"     {move.ljust(width)}  {count:,}")


def _counted(position: Position, depth: int, counts: list[int]) -> dict[str, int]:
    """The number of sequences by first move; `counts` are those of the smaller depths."""
    if depth < 3:
        return position.divide(depth)
    found: dict[str, int] = {}
    with _progress(depth, counts) as advance:
        for move in position.legal_moves:
            after = position.play(move)
            found[str(move)] = 0
            for second in after.legal_moves:
                found[str(move)] += after.play(second).perft(depth - 2)
                advance()
    return found


@contextmanager
def _progress(depth: int, counts: list[int]) -> Iterator[Callable[[], None]]:
    """A bar on stderr that grows with the first two moves, if somebody sees it and it will take long."""
    to = console(stderr=True)
    if not to.is_terminal or counts[-1] ** 2 < LONG * counts[-2]:
        yield lambda: None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    with Progress(*columns, console=to, transient=True) as bar:
        task = bar.add_task(f"depth {depth}", total=counts[1])
        yield lambda: bar.advance(task)


# ------------------------------------------------------------------------------------- svg, show-position

Played = Annotated[
    str | None,
    typer.Option("--play", metavar="MOVES", help="Moves to play first, with commas between them.", show_default=False),
]
Hint = Annotated[
    str | None,
    typer.Option("--hint", metavar="CELL", help="Mark where the moves of a cell lead.", show_default=False),
]


def svg(
    game: GameName,
    options: Options = None,
    position: PositionText = None,
    played: Played = None,
    hint: Hint = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write it.", show_default=False)
    ] = None,
    size: Annotated[int, typer.Option("--size", min=20, max=10_000, help="Width in points.")] = 400,
    seed: Seed = 0,
) -> None:
    """Draw a position as SVG; the cells of the last move that was played are marked.

    \b
    Examples:
      pysolve svg zola -o zola.svg
      pysolve svg conga --play "a4 east, d1 west" -o conga.svg
      pysolve svg zola --hint b3 --position "RB../.... Red" > hint.svg
    """
    found, last, targets = _shown(opened(game, options), position, seed, played, hint)
    text = found.svg(size, last, targets)
    if output is None:
        print(text, end="")
    else:
        output.write_text(text, encoding="utf-8")


class Form(StrEnum):
    """How a position is written."""

    board = "board"
    diagram = "diagram"
    line = "line"
    json = "json"


def show_position(
    game: GameName,
    options: Options = None,
    position: PositionText = None,
    played: Played = None,
    hint: Hint = None,
    form: Annotated[Form, typer.Option("--as", help="A board to look at, or a text to be read back.")] = Form.board,
    seed: Seed = 0,
) -> None:
    """Show a position: the initial one, a given one, or the one after some moves.

    \b
    Examples:
      pysolve show-position zola size=8
      pysolve show-position conga --play "a4 east" --as line
      pysolve show-position zola --position saved.txt --hint c3
    """
    found, last, targets = _shown(opened(game, options), position, seed, played, hint)
    if form is not Form.board:
        put(_written(found, form))
        return
    to = console()
    put_board(to, found, () if last is None else cells_of(found.game.model, last), targets)
    outcome = found.outcome
    put(f"{found.to_move} to move, {len(found.legal_moves)} legal moves" if outcome is None else f"{outcome}")


def _written(position: Position, form: Form) -> str:
    """A position as a text that can be read back."""
    if form is Form.json:
        return json.dumps(position.to_dict())
    return position.line() if form is Form.line else position.diagram()


def _shown(
    game: Game, text: str | None, seed: int, played: str | None, hint: str | None
) -> tuple[Position, Move | None, list[str]]:
    """The position after the moves, the last of them, and the cells that a hint marks."""
    position, last = position_of(game, text, seed), None
    for word in _move_texts(game, [played]) if played else ():
        last = position.parse(word)
        position = position.play(last)
    if hint is None:
        return position, last, []
    if hint not in game.cells:
        raise NotationError(f'the board has no cell "{hint}". {nearest(hint, game.cells)}'.strip())
    return position, last, targets_of(position, hint)
