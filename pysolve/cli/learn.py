"""The command learn: values of positions, from games of a program against itself."""

from __future__ import annotations

import json
import shlex
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from pysolve.cli.arguments import AUTO, MOST, AsJson, EngineChoice, GameName, Options, opened
from pysolve.cli.console import counted, is_watched, overwrite, put
from pysolve.cli.ending import Stopped
from pysolve.cli.files import check_writable
from pysolve.cli.playing import ProcessCount, Seeded
from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.game import Game
from pysolve.lab.learn import GATE_GAMES, GATE_NODES, MOST_GAMES, Limits, Round, Training
from pysolve.lab.lessons import Lessons, explained
from pysolve.lab.sprt import Sprt
from pysolve.lab.workers import processors
from pysolve.players.files import named_file
from pysolve.players.values import ValuesError, file_at, values_in

MINUTES = 5.0
LONGEST = 100_000.0  # minutes
MOST_SEARCHED = 1_000_000  # positions a move, of the games that are learned from


def learn(
    game: GameName,
    options: Options = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="File of the values.", show_default="GAME.values"),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            "--minutes",
            "-m",
            metavar="MINUTES",
            min=0.01,
            max=LONGEST,
            show_default=str(MINUTES),
            help="Minutes of learning at most, without matches.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-g",
            min=1,
            max=MOST,
            show_default=False,
            help="Exactly so many games, whatever they gain; the same seed then makes the same values.",
        ),
    ] = None,
    gate: Annotated[
        int,
        typer.Option("--match", min=0, max=MOST, help="Games of the test against evaluate, at most; below 2: no test."),
    ] = GATE_GAMES,
    nodes: Annotated[
        int, typer.Option("--nodes", metavar="N", min=1, max=MOST, help="Positions a move, in the test.")
    ] = GATE_NODES,
    search: Annotated[
        int | None,
        typer.Option(
            "--search",
            metavar="N",
            min=1,
            max=MOST_SEARCHED,
            show_default=False,
            help="Play by searches of N positions a move, and learn from all that these find out. Try 300.",
        ),
    ] = None,
    without: Annotated[
        bool, typer.Option("--no-evaluate", help="Learn from the rules alone, without the lines of evaluate.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    explain: Annotated[
        Path | None,
        typer.Option(
            "--explain", metavar="FILE", show_default=False, help="Learn nothing; say what a file has learned."
        ),
    ] = None,
    seed: Seeded = 1,
    processes: ProcessCount = None,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
) -> None:
    """Learn what positions are worth from games of a program against itself.

    It needs no evaluate block: it looks at what stands on cells, on
    neighbours, on lines and in blocks; lines of evaluate count, too, as far
    as they prove useful. With --search the games are played by search, and
    the values learn from all positions that it has looked at. Learning ends
    after --minutes, or sooner, where twice as many games gain nothing. Ctrl-C
    writes what was learned so far; the same command goes on from there, also
    after a crash. At the end a test (SPRT) says whether the values are stronger
    than evaluate at the same number of positions.

    \b
    Examples:
      pysolve learn zola --minutes 30 -o zola.values
      pysolve learn zola --search 300 --no-evaluate
      pysolve play zola --seat Blue=minimax:values=zola.values,time=1
      pysolve match zola minimax:values=zola.values,time=0.1 minimax:time=0.1
      pysolve learn zola --explain zola.values
    """
    there = opened(game, options, engine)
    if explain is not None:
        _explain(there, explain, as_json)
        return
    path = out or Path(f"{there.name}.values")
    if "," in str(path):
        raise UnknownPlayer(f"a comma ends a setting of a player, so no player can use {path}; choose another --out")
    parallel = processes or processors()
    training = Training(there, game, path, seed, shlex.join(["pysolve", *sys.argv[1:]]), evaluate=not without,
                        search=search, threads=parallel)  # fmt: skip
    resumed = training.resume()
    check_writable(path, force or resumed)
    if resumed:
        _say(f"going on from {counted(training.learner.games, 'game')}", as_json)
    limits = Limits(games, None if games and minutes is None else 60 * (minutes or MINUTES), games is None)
    stopped = _train(training, limits, parallel, as_json)
    found = None
    if not stopped and gate >= 2:
        training.keep()  # the same command goes on with the test, if it is stopped there
        try:
            found = _test(training, nodes, gate, parallel)
        except KeyboardInterrupt:
            stopped = True
    lessons = explained(there, values_in(str(path), there), seed) if as_json and not stopped else None
    if as_json:
        put(json.dumps({
            "game": game, "file": str(path), "seed": seed, "games": training.learner.games,
            "seconds": round(training.seconds, 1), "rounds": [one.to_dict() for one in training.rounds],
            "gate": training.gate or None, "lessons": lessons and lessons.to_dict(), "stopped": stopped,
        }))  # fmt: skip
    else:
        put(f"\n{path} is written: {counted(training.learner.games, 'game')}, {path.stat().st_size:,} bytes")
        if found is not None:
            put(_verdict(there, found, nodes))
    if stopped:
        raise Stopped(f"learn stopped after {counted(training.learner.games, 'game')}; the same command goes on")
    training.forget()


def _train(training: Training, limits: Limits, processes: int, as_json: bool) -> bool:
    """Learns until a limit is reached; True if Ctrl-C ended it, and then what was learned is written."""
    line = _Line(limits, training.learner.games)
    try:
        if not as_json:
            put(f"{'games':>10}  {'seconds':>8}  {'a second':>9}  {'last values':>11}  {'evaluate':>8}")
        for one in training.go_on(limits, line.tick, processes):
            line.clear()
            if not as_json:
                put(_row(one))
        return False
    except KeyboardInterrupt:
        training.keep()
        training.write()
        return True
    finally:
        line.clear()
        training.end()


class _Line:
    """How far learning is, in one line of a terminal."""

    def __init__(self, limits: Limits, begun: int):
        self._limits, self._begun = limits, begun
        self._shown, self._began = 0.0, time.monotonic()

    def tick(self, games: int, seconds: float) -> None:
        """Says it, not more than twice a second."""
        now = time.monotonic()
        if not is_watched() or now - self._shown < 0.5:
            return
        self._shown = now
        speed = (games - self._begun) / max(0.001, now - self._began)
        left = "" if self._limits.seconds is None else f", {max(0.0, self._limits.seconds - seconds):,.0f} s left"
        if self._limits.games is not None:
            left = f" of {self._limits.games:,}"
        overwrite(f"{games:,} games{left}, {speed:,.0f} a second")

    def clear(self) -> None:
        """Removes the line."""
        if self._shown:
            overwrite("")


def _row(one: Round) -> str:
    last, evaluate = ("" if share is None else f"{share:.0%}" for share in (one.against_last, one.against_evaluate))
    speed = one.games / max(0.001, one.seconds)
    return f"{one.games:>10,}  {one.seconds:>8,.0f}  {speed:>9,.0f}  {last:>11}  {evaluate:>8}".rstrip()


def _test(training: Training, nodes: int, games: int, processes: int) -> Sprt | None:
    """The gate, which is written into the file; None if no game of it counts."""
    found = None
    try:
        for found in training.test(nodes, games, processes):
            overwrite(f"against evaluate: {found}")
    finally:
        overwrite("")
    return found


def _verdict(game: Game, found: Sprt, nodes: int) -> str:
    other = "evaluate" if game.model.terms else "a search without estimates"
    words = {True: "The values are stronger.", False: "The values are not stronger.", None: "The test is undecided."}
    return f"against {other} at {nodes:,} positions a move: {found}\n{words[found.verdict]}"


def _say(text: str, as_json: bool) -> None:
    if not as_json:
        put(text)


# --------------------------------------------------------------------------------------------- words


def _explain(game: Game, path: Path, as_json: bool) -> None:
    try:
        file, values = file_at(named_file(str(path), game)), values_in(str(path), game)
    except ValuesError as error:
        raise UnknownPlayer(str(error)) from None
    lessons = explained(game, values)
    if as_json:
        put(json.dumps({"file": str(path), "made": file.made, "gate": file.gate, **lessons.to_dict()}))
        return
    for line in _words(game, lessons, file.made, file.gate):
        put(line)


def _words(game: Game, lessons: Lessons, made: dict[str, Any], gate: dict[str, Any]) -> list[str]:
    lines = [
        f"{game.title}: learned from {counted(_whole(made.get('games')), 'game')}, seed {_whole(made.get('seed'))}"
    ]
    if gate:
        try:
            share = f"{gate['score']:.1%} ({gate['low']:.1%} to {gate['high']:.1%}) of {_whole(gate['games']):,} games"
            lines.append(f"against evaluate at {_whole(gate['nodes']):,} positions a move: {share}")
        except (KeyError, TypeError, ValueError, OverflowError):
            pass
    if len(lessons.pieces) > 1:
        lines += ["", "worth of a piece, in that of the weakest"]
        width = max(map(len, lessons.pieces))
        shares = lessons.of_the_weakest or lessons.pieces
        lines += [f"  {name:{width}}  {worth:6.2f}" for name, worth in shares.items()]
    elif lessons.pieces:
        (worth,) = lessons.pieces.values()
        lines += ["", f"a piece more is worth {worth:+.2f}, where the winner is expected to get tanh of the sum"]
    if any(one is not None for one in lessons.places.values()):
        lines += [
            "",
            f"where a piece of {lessons.player} is worth most (9) and least (0), by tenths of the cells",
            *_picture(game, lessons),
        ]
    if lessons.lines:
        lines += ["", "lines of evaluate, as a part of all that is said"]
        width = max(map(len, lessons.lines))
        lines += [f"  {name:{width}}  {part:5.0%}" for name, part in lessons.lines.items()]
    return lines


def _picture(game: Game, lessons: Lessons) -> list[str]:
    """The board with a digit on each cell: in which tenth of all cells it is."""
    board = game.model.board
    known = sorted(one for one in lessons.places.values() if one is not None)

    def sign(at: int | None) -> str:
        worth = None if at is None else lessons.places[board.cells[at]]
        if at is None:
            return " "
        return "·" if worth is None else str(10 * known.index(worth) // len(known))

    columns, rows = (max(one[axis] for one in board.place) for axis in (0, 1))
    where = {place: at for at, place in enumerate(board.place)}
    hexagonal = any(board.slant)
    found = []
    for row in range(rows, 0, -1):
        shift = " " * row if hexagonal else ""
        found.append(
            f"  {shift}" + " ".join(sign(where.get((column, row))) for column in range(1, columns + 1)).rstrip()
        )
    return found


def _whole(told: Any) -> int:
    return told if type(told) is int and 0 <= told <= MOST_GAMES else 0
