"""The examples of the rules, carried out.

In: a game.  Out: for each example what its lines expect, what was found where that is something else, and the line of
moves that leads to its position.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pysolve.authoring import examples
from pysolve.authoring.examples import Failure, Trial
from pysolve.dsl import RulesError, UnknownOption
from pysolve.dsl.notation import NotationError
from pysolve.engines.protocol import EngineError
from pysolve.game import Game
from pysolve.notation.record import option_words, position_word
from pysolve.position import IllegalMove
from pysolve.runtime.cancellation import abandoned_when
from pysolve.service.describing import example_of
from pysolve.service.question import Asked

MOST_MOVES = 400  # that are offered


def results(asked: Asked) -> dict[str, Any]:
    """The results of all examples, each told as soon as it is there."""
    game, found = asked.opened.game, list[dict[str, Any]]()
    with abandoned_when(asked.cancelled):
        for trial in examples.trials(game):
            found.append(result(trial))
            asked.heard(found[-1])
            asked.go_on()
        for failure in examples.breaches(game):
            found.append(breach(game, failure))
            asked.heard(found[-1])
    return {"examples": found}


def result(trial: Trial) -> dict[str, Any]:
    """An example, what each of its lines expects, and what was found."""
    example, game = trial.example, trial.game
    lines = {check.span.line: check.span.text.strip() for check in reversed(example.checks)}
    lines |= {failure.line: "" for failure in trial.failures if failure.line not in lines}
    return {
        **example_of(example.name, example.span),
        "checks": [
            _check(line, lines[line], [one for one in trial.failures if one.line == line]) for line in sorted(lines)
        ],
        "start": None if game is None else _start(trial, game),
        "options": dict(example.options) if game is None else option_words(game),
    }


def legal_moves(game: Game, options: Mapping[str, str], position: str, played: Sequence[str]) -> list[dict[str, str]]:
    """The legal moves behind some others in the position of an example; none where that cannot be played."""
    try:
        table = _with_options(game, tuple(options.items()))
        reached = table.position(position) if position else table.start()
        for move in played:
            reached = reached.play(move)
        return [{"text": str(move), "kind": move.kind} for move in list(reached.possible_moves)[:MOST_MOVES]]
    except (RulesError, UnknownOption, NotationError, IllegalMove, EngineError):
        return []


@lru_cache(maxsize=2)  # somebody writes one example at a time
def _with_options(game: Game, options: tuple[tuple[str, str], ...]) -> Game:
    return game.with_options(**dict(options)) if options else game


def _check(line: int, text: str, failures: Iterable[Failure]) -> dict[str, Any]:
    """A line of an example: what it expects, and what was found instead."""
    failures = list(failures)
    return {
        "line": line,
        "holds": not failures,
        "expected": "; ".join(dict.fromkeys(one.expected for one in failures)) or text,
        "found": "; ".join(dict.fromkeys(one.found for one in failures)),
    }


def _start(trial: Trial, game: Game) -> dict[str, Any]:
    """The line that leads to the position of an example."""
    diagram = trial.example.diagram
    start = "" if diagram is None else position_word(game.position(diagram))
    return {"seed": 0, "start": start, "moves": list(trial.example.play)}


def breach(game: Game, failure: Failure) -> dict[str, Any]:
    """A random game in which a cell is what `show` says that it never is."""
    place = {"line": failure.line, "column": 1, "end_line": failure.line, "end_column": 2}
    check = _check(failure.line, "", [failure])
    return {"name": failure.example, **place, "checks": [check], "start": None, "options": option_words(game)}
