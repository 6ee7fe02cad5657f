"""Commands that ask about a position: moves, why, query, svg, show-position."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pysolve.cli.arguments import (
    AUTO,
    AsJson,
    EngineChoice,
    GameName,
    Options,
    Played,
    PositionText,
    Seed,
    is_setting,
    move_texts,
    opened,
    opened_with,
    played_from,
    position_of,
    sets_option,
)
from pysolve.cli.console import (
    console,
    counted,
    explanation_text,
    put,
    put_board,
    put_more,
    put_parts,
    put_text,
    put_words,
)
from pysolve.cli.ending import saying_when_stopped
from pysolve.cli.files import text_file
from pysolve.display.changes import last_changed
from pysolve.display.scene import targets_of
from pysolve.dsl.errors import nearest
from pysolve.dsl.notation import NotationError
from pysolve.engines.protocol import EngineError, QueryError
from pysolve.game import Game
from pysolve.notation.json_lines import Answers
from pysolve.notation.uci import is_chess, words_of
from pysolve.position import Move, Position
from pysolve.runtime.files import write_whole

ALL = "all"  # the targets of all moves

# ----------------------------------------------------------------------------------------------- moves


def moves(
    game: GameName,
    options: Options = None,
    position: PositionText = None,
    played: Played = None,
    positions: Annotated[
        str | None,
        typer.Option("--positions", metavar="FILE", help="JSON positions, one per line; - is stdin. Answers are JSON."),
    ] = None,
    seed: Seed = 0,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
) -> None:
    """List the legal moves of a position.

    With --positions each line of the file is a position, and each line of the
    output is its answer: an object with mover, outcome (null while the game
    continues) and moves, each with the position that it leads to. Values that a
    position does not give are the initial ones. A line that is not a position is
    answered by an object with an error, and the exit status is 2.

    \b
    Examples:
      pysolve moves zola size=4
      pysolve moves conga --json
      pysolve moves zola --positions positions.jsonl --json
      echo '{"mover": "Blue"}' | pysolve moves zola --positions - --json
    """
    asked = opened(game, options, engine)
    if positions is not None:
        if position is not None or played is not None:
            raise NotationError("--positions cannot be combined with --position or --play")
        with text_file(positions) as lines:
            raise typer.Exit(_answer_all(asked, lines))
    found, _ = played_from(position_of(asked, position, seed), played)
    if as_json:
        put_parts(Answers(asked.model).parts(found))
        return
    if found.outcome is not None:
        put(f"The game is over; {found.outcome}.")
        return
    if found.chance:
        put(f"Chance moves, {len(found.chance_moves)} possible:")
        rows = [(move.text, f"{likely}", move.kind) for move, likely in found.chance_moves]
    else:
        put(f"{found.to_move} to move, {len(found.legal_moves)} legal:")
        rows = [(found.written(move), move.text, move.kind) for move in found.legal_moves]
    if all(written == own for written, own, _ in rows):
        rows = [(own, "", kind) for _, own, kind in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows, 1):
        words = [word.ljust(width) for word, width in zip(row, widths, strict=True) if width]
        put("  ".join([f"{number:>5}", *words]).rstrip())


def _answer_all(game: Game, lines: Iterable[str]) -> int:
    """Prints an answer for each line; the exit status."""
    answers, status, given = Answers(game.model), 0, 0
    with saying_when_stopped(lambda: f"moves stopped after {counted(given, 'answer')}"):
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            answer, wrong = _answered(game, answers, number, line)
            status = max(status, wrong)
            put(answer, flush=True)
            given += 1
    return status


def _answered(game: Game, answers: Answers, number: int, line: str) -> tuple[str, int]:
    """The answer to a line, and the exit status that it alone would have."""
    try:
        return answers.answer(game.from_dict(json.loads(line))), 0
    except json.JSONDecodeError as error:
        return _error(number, f"this is not valid JSON: {error.msg} (column {error.colno})"), 2
    except (NotationError, EngineError) as error:
        return _error(number, str(error)), 2


def _error(line: int, message: str) -> str:
    return json.dumps({"error": f"line {line}: {message}"})


# ------------------------------------------------------------------------------------------ why, query


def why(
    game: GameName,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[OPTION=VALUE] MOVE",
            help="Options, then a move, or moves separated by commas.",
            show_default=False,
        ),
    ],
    position: PositionText = None,
    played: Played = None,
    seed: Seed = 0,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
) -> None:
    """Explain why a move is legal or not: each condition of the rules, whether it holds, and the values that decide it.

    \b
    Examples:
      pysolve why zola a1-b2
      pysolve why conga size=6 a6 north
      pysolve why zola size=4 a1xb1, b3-c3
    """
    asked, rest = opened_with(game, words, engine)
    found, _ = played_from(position_of(asked, position, seed), played)
    explanations = [found.why(text) for text in move_texts(asked, rest)]
    if as_json:
        put(json.dumps([explanation.to_dict() for explanation in explanations], indent=2, ensure_ascii=False))
    else:
        for explanation in explanations:
            put_words(console(), explanation_text(explanation))
    if not all(explanation.legal or explanation.kinds or found.is_over for explanation in explanations):
        raise typer.Exit(2)


def query(
    game: GameName,
    words: Annotated[
        list[str],
        typer.Argument(metavar="[OPTION=VALUE] GOAL", help="Options, then a goal in quotes.", show_default=False),
    ],
    position: PositionText = None,
    played: Played = None,
    seed: Seed = 0,
    engine: EngineChoice = AUTO,
    limit: Annotated[int, typer.Option("--limit", help="Largest number of answers.")] = 100,
    as_json: AsJson = False,
) -> None:
    """Query the names of the rules with a Prolog goal.

    A word that begins with a capital letter is a variable, unless the game has
    that name. State variables, definitions and moves can be queried; a query of a
    move succeeds if it is legal. To query something that has a value, add one
    argument, as in distance(a1, D).

    \b
    Examples:
      pysolve query zola "capture(From, e2)"
      pysolve query zola size=4 "at(C) = Red, distance(C, D), D > 10"
      pysolve query conga "stones(C) > 0" --json
    """
    asked = opened(game, None, engine)
    others = [word for word in words if not sets_option(asked, word)] or words
    goal = next((word for word in others if not is_setting(word)), others[-1])
    if len(words) > 1:
        asked = opened(game, [word for word in words if word != goal], engine, again=True)
    found, _ = played_from(position_of(asked, position, seed), played)
    try:
        answers = found.query(goal, limit + 1)
    except QueryError as error:
        raise QueryError(f"{error}{_asked_as(found.game, str(error))}") from None
    more, answers = len(answers) > limit, answers[:limit]
    if as_json:
        put(json.dumps(answers, ensure_ascii=False))
    elif not answers:
        put("no")
    else:
        for answer in answers:
            put(", ".join(f"{name} = {_word(value)}" for name, value in answer.items()) or "yes")
    if more:
        put_more(limit)


def _asked_as(game: Game, complaint: str) -> str:
    """The form in which a name is asked, if that was wrong; a value stands behind the arguments."""
    named = re.match(r'"(\w+)" cannot be queried', complaint)
    if named is None or named[1] not in game.model.queries:
        return ""
    asked = game.model.queries[named[1]]
    words = [sort.name.capitalize() for sort in asked.sorts]
    words = [f"{word}{words[:i].count(word) + 1}" if words.count(word) > 1 else word for i, word in enumerate(words)]
    return f": write  {named[1]}({', '.join(words)})" if words else f": write  {named[1]}"


def _word(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "none" if value is None else str(value)


# ------------------------------------------------------------------------------------- svg, show-position

Last = Annotated[
    str | None,
    typer.Option("--last", metavar="MOVE", help="Mark this move as the last one.", show_default=False),
]
Targets = Annotated[
    str | None,
    typer.Option(
        "--targets", "--hint", metavar="CELL", show_default=False,
        help="Mark the targets of the moves of a cell; all: of every move.",
    ),
]  # fmt: skip


def svg(
    game: GameName,
    options: Options = None,
    position: PositionText = None,
    played: Played = None,
    last: Last = None,
    targets: Targets = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Output file.", show_default=False)
    ] = None,
    size: Annotated[int, typer.Option("--size", min=20, max=10_000, help="Width in points.")] = 400,
    whole: Annotated[bool, typer.Option("--whole", help="Show also the unused part of a mostly empty board.")] = False,
    seed: Seed = 0,
    engine: EngineChoice = AUTO,
) -> None:
    """Draw a position as SVG. The cells of the last move are marked; --targets marks the targets of legal moves.

    \b
    Examples:
      pysolve svg zola -o zola.svg
      pysolve svg conga --play "a4 east, d1 west" -o conga.svg
      pysolve svg conga --position saved.txt --last "a4 east" -o conga.svg
      pysolve svg zola --targets b3 --position "RB../.... Red" > hint.svg
      pysolve svg yoxii --targets all -o yoxii.svg
    """
    found, move, cells = _shown(opened(game, options, engine), position, seed, played, last, targets)
    text = found.svg(size, move, cells, whole)
    if output is None:
        put_text(text)
    else:
        write_whole(output, text)


class Form(StrEnum):
    """How a position is written."""

    board = "board"
    diagram = "diagram"
    line = "line"
    json = "json"
    fen = "fen"


def show_position(
    game: GameName,
    options: Options = None,
    position: PositionText = None,
    played: Played = None,
    last: Last = None,
    targets: Targets = None,
    form: Annotated[Form, typer.Option("--as", help="A board for people, or text that can be read back.")] = Form.board,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            show_default=False,
            help="Also save it as text that --position reads: a diagram, or the form of --as.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    seed: Seed = 0,
    engine: EngineChoice = AUTO,
    as_json: Annotated[bool, typer.Option("--json", help="Same as --as json.")] = False,
) -> None:
    """Show a position: the initial one, a given one, or the one after some moves.

    A map from a random setup can be saved with -o, edited, and played with
    --position.

    \b
    Examples:
      pysolve show-position zola size=8
      pysolve show-position conga --play "a4 east" --as line
      pysolve show-position zola --position saved.txt --targets c3
      pysolve show-position chess --play "e4, e5" --as fen
      pysolve show-position antiyomacy --seed 7 -o map.txt
      pysolve play antiyomacy --position map.txt
    """
    found, move, cells = _shown(opened(game, options, engine), position, seed, played, last, targets)
    form = Form.json if as_json else form
    if output is not None:
        if output.exists() and not force:
            raise FileExistsError(17, "the file exists; --force overwrites it", str(output))
        write_whole(output, _written(found, form) + "\n")
    if form is not Form.board:
        if output is None:
            put(_written(found, form))
        return
    to = console()
    put_board(to, found, last_changed(found, move).places, cells)
    outcome = found.outcome
    count = counted(len(found.legal_moves), "legal move")
    if outcome is not None:
        put(outcome.sentence)
    elif found.chance:
        put(f"Chance moves, {len(found.chance_moves)} possible")
    else:
        put(f"{found.to_move} to move, {count}")


def _written(position: Position, form: Form) -> str:
    """A position as a text that can be read back."""
    if form is Form.json:
        return json.dumps(position.to_dict())
    if form is Form.fen:
        if not is_chess(position.game):
            raise NotationError(f"FEN is for chess and its variants: {position.game.title} is none")
        return words_of(position.game).text(position)
    return position.line() if form is Form.line else position.diagram()


def _shown(
    game: Game, text: str | None, seed: int, played: str | None, last: str | None, targets: str | None
) -> tuple[Position, Move | None, list[str]]:
    """The position after the moves, its last move, and the cells to mark as targets."""
    position, move = played_from(position_of(game, text, seed), played)
    if last is not None:
        move = position.named(last)
    if targets is None:
        return position, move, []
    if targets not in (*game.cells, ALL):
        raise NotationError(f'the board has no cell "{targets}". {nearest(targets, game.cells)}'.strip())
    return position, move, targets_of(position, None if targets == ALL else targets)
