"""Commands that ask about a position: moves, why, query, perft, svg, show-position."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from dsl.notation import NotationError, readings
from pysolve import perft as counting
from pysolve.cli.arguments import (
    GAME_HELP, AsJson, GameName, Options, PositionText, Seed, opened, position_of, split_options,
)  # fmt: skip
from pysolve.cli.console import console, explanation_text, put, put_board
from pysolve.engine import EngineError
from pysolve.exchange import Answers
from pysolve.game import Game
from pysolve.look import cells_of
from pysolve.position import IllegalMove, Position

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

    With --positions every line of the file is a position, and every line printed is the answer to one: an object
    with mover, outcome (null while the game goes on) and moves, each with the position that it leads to.  What a
    position leaves out has its initial value.  A line that is no position is answered by an object with an error,
    and the exit status is 2.

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
            metavar="[OPTION=VALUE]... MOVE...", help="Options, then a move; commas between moves.", show_default=False
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
        typer.Argument(metavar="[OPTION=VALUE]... GOAL", help="Options, then a goal in quotes.", show_default=False),
    ],
    position: PositionText = None,
    seed: Seed = 0,
    limit: Annotated[int, typer.Option("--limit", help="How many answers at most.")] = 100,
    as_json: AsJson = False,
) -> None:
    """Ask a question in the names of the rules, as a Prolog goal.

    What begins with a capital letter is unknown, unless the game has that name.  State, definitions and moves can
    be asked; a move is asked whether it is legal.

    \b
    Examples:
      pysolve query zola "capture(From, e3)"
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
    return {None: "none", True: "true", False: "false"}.get(value, str(value)) if not _is_number(value) else str(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
