"""Commands that walk on from a position: turns, perft."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Annotated

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
    opened,
    played_from,
    position_of,
)
from pysolve.cli.console import console, counted, is_watched, put, put_more
from pysolve.cli.ending import saying_when_stopped
from pysolve.cli.progress import Clock, counter, timed
from pysolve.notation.json_lines import Answers
from pysolve.position import Position
from pysolve.results import told_apart
from pysolve.search.perft import DEEPEST

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

# ----------------------------------------------------------------------------------------------- turns


def turns(
    game: GameName,
    options: Options = None,
    position: PositionText = None,
    played: Played = None,
    distinct: Annotated[
        bool, typer.Option("--distinct", help="List the positions after the turns, each once.")
    ] = False,
    symmetries: Annotated[
        bool,
        typer.Option("--symmetries", help="With --distinct: of positions that are images of each other the first."),
    ] = False,
    count: Annotated[bool, typer.Option("--count", help="Print only their number.")] = False,
    limit: Annotated[int, typer.Option("--limit", min=0, help="Largest number to list; 0: all.")] = 100,
    seed: Seed = 0,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
) -> None:
    """List the whole turns of a position: the moves of a player until the opponent is to move or the game ends.

    Each line is a turn, its moves separated by commas, as --play takes them.
    With --distinct each line is a position, as --position takes it; several turns
    can lead to the same position. With --symmetries those that become each other
    where the board is turned or mirrored, or players are exchanged, so that the
    rules stay the same, are one position, too. --json prints one object per line: the moves of
    a turn and the position after it, or with --distinct the position alone.
    --count counts turns without listing them. Ctrl-C stops the search; the turns
    found so far are printed.

    \b
    Examples:
      pysolve turns yoxii --limit 10
      pysolve turns blockade --count
      pysolve turns blockade --count --distinct
      pysolve turns zola --distinct --symmetries
      pysolve turns yoxii --distinct --json | pysolve moves yoxii --positions -
    """
    if symmetries and not distinct:
        raise typer.BadParameter("--symmetries says which positions are listed: it goes with --distinct")
    found, _ = played_from(position_of(opened(game, options, engine), position, seed), played)
    if not count and found.outcome is not None and not as_json:
        put(f"The game is over; {found.outcome}.")
        return
    with timed() as clock:
        if count:
            _count(found, distinct, symmetries, as_json, clock)
            return
        lines, listed = _lines(found, distinct, symmetries, as_json), 0
        with saying_when_stopped(lambda: f"turns stopped; {listed:,} are listed, and there may be more"):
            for line in islice(lines, limit or None):
                put(line)
                listed += 1
        if limit and next(lines, None) is not None:
            put_more(limit)


def _lines(position: Position, distinct: bool, symmetries: bool, as_json: bool) -> Iterator[str]:
    """A line for each turn, or for each position."""
    write = Answers(position.game.model).position
    if distinct:
        for after in position.turn_positions(symmetries):
            yield write(after.state) if as_json else after.line()
        return
    for turn in position.turns():
        moves = json.dumps([move.text for move in turn], ensure_ascii=False)
        yield f'{{"moves": {moves}, "position": {write(turn.position.state)}}}' if as_json else str(turn)


def _count(position: Position, distinct: bool, symmetries: bool, as_json: bool, clock: Clock) -> None:
    """Prints how many turns, or positions after them, there are; after Ctrl-C, how many positions were found."""
    word, number, complete = "position" if distinct else "turn", 0, False
    try:
        with saying_when_stopped(lambda: f"turns stopped before all {word}s were counted"), _looking() as tick:
            if distinct:
                for _ in position.turn_positions(symmetries):
                    number += 1
                    tick()
            else:
                number = position.count_turns(tick)
        complete = True
    finally:
        known = complete or number > 0
        if as_json:
            told = {f"{word}s": number if known else None, "complete": complete, "seconds": clock.seconds}
            put(json.dumps(told))
        elif known:
            put(f"{'' if complete else 'at least '}{counted(number, word)}")


# ----------------------------------------------------------------------------------------------- perft

LONG = 500_000  # sequences, from which on a progress bar is shown


def perft(
    game: GameName,
    options: Options = None,
    depth: Annotated[
        int, typer.Option("--depth", "-d", min=1, max=DEEPEST, help="Largest number of moves.", show_default=False)
    ] = 3,
    whole: Annotated[bool, typer.Option("--turns", help="Count whole turns; --depth is in turns.")] = False,
    divide: Annotated[bool, typer.Option("--divide", help="Also count for each first move.")] = False,
    position: PositionText = None,
    played: Played = None,
    seed: Seed = 0,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
) -> None:
    """Count the sequences of legal moves of each length up to a depth: the standard test of move generators.

    A forced pass counts as a move. With --turns, sequences of whole turns are
    counted; a turn is the moves of a player until the opponent is to move or the
    game ends. Each position is visited only once, so the number can be very
    large. Ctrl-C stops the count; the counts so far are printed.

    \b
    Examples:
      pysolve perft zola size=4 --depth 4
      pysolve perft conga --depth 6 --json
      pysolve perft zola --depth 3 --divide
      pysolve perft blockade --depth 2 --turns
    """
    found, _ = played_from(position_of(opened(game, options, engine), position, seed), played)
    counts: list[int] = []
    by_move: dict[str, int] = {}
    with timed() as clock, saying_when_stopped(lambda: _stopped(found, depth, counts, by_move)):
        try:
            for length in range(1, depth + 1):
                by_move.clear()
                walk = _count_turns if whole else _count_moves
                walk(found, length, counts, by_move)
                counts.append(sum(by_move.values()))
                if not as_json:
                    put(f"{length:>3}  {counts[-1]:,}")
        finally:
            if as_json:
                put(json.dumps({"counts": counts, "seconds": clock.seconds, **({"divide": by_move} if divide else {})}))
        if divide and not as_json:
            width = max(map(len, by_move), default=0)
            for move, count in by_move.items():
                put(f"     {move.ljust(width)}  {count:,}")


def _stopped(position: Position, depth: int, counts: list[int], by_move: dict[str, int]) -> str:
    """The message of a count that was stopped: the counts that are complete."""
    reached = f"perft stopped at depth {len(counts) + 1} of {depth}"
    if not by_move:
        return f"{reached}; {'the counts of the depths before it are' if counts else 'no count is'} complete"
    done = f"{len(by_move)} of {counted(len(position.possible_moves), 'first move')}"
    return f"{reached}, after {done} with {counted(sum(by_move.values()), 'sequence')}"


def _count_turns(position: Position, depth: int, _: list[int], found: dict[str, int]) -> None:
    """Counts the sequences of turns by first move, into `found`."""
    with _looking() as tick:
        found.update(position.divide(depth, turns=True, tick=tick))


def _count_moves(position: Position, depth: int, counts: list[int], found: dict[str, int]) -> None:
    """Counts the sequences by first move, into `found`; `counts` are those of the smaller depths."""
    if depth < 3:
        found.update(position.divide(depth))
        return
    with _progress(depth, counts) as progress:
        for move, text in zip(position.possible_moves, told_apart(position.possible_moves), strict=True):
            found[text] = position.play(move).perft(depth - 1, tick=progress.tick)
            progress.expect(sum(found.values()) * counts[0] // len(found))


# -------------------------------------------------------------------------------------------- progress


class _Progress:
    """The progress of a count; this one shows nothing."""

    def tick(self, number: int) -> None:
        """Adds newly counted sequences."""

    def expect(self, number: int) -> None:
        """Sets the estimated total."""


class _Bar(_Progress):
    """A bar that grows with what was counted."""

    def __init__(self, bar: Progress, task: TaskID):
        self._bar, self._task = bar, task

    def tick(self, number: int) -> None:
        """Advances the bar by `number` steps."""
        self._bar.advance(self._task, number)

    def expect(self, number: int) -> None:
        """Sets the total number of steps."""
        self._bar.update(self._task, total=number)


@contextmanager
def _progress(depth: int, counts: list[int]) -> Iterator[_Progress]:
    """A bar on stderr, if somebody sees it and it will take long; `counts` are those of the smaller depths."""
    expected = counts[-1] ** 2 // max(1, counts[-2])
    if not is_watched() or expected < LONG:
        yield _Progress()
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        yield _Bar(bar, bar.add_task(f"depth {depth}", total=expected))


@contextmanager
def _looking() -> Iterator[Callable[[], None]]:
    """A number on stderr that grows with the positions looked at, if somebody sees it and it takes long."""
    with counter("positions") as tick:
        yield lambda: tick(1)
