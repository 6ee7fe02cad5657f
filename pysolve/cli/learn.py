"""The command learn: values of positions, from games of a program against itself."""

from __future__ import annotations

import json
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from pysolve.cli.arguments import AUTO, MOST, AsJson, EngineChoice, GameName, Options, opened
from pysolve.cli.console import counted, is_watched, overwrite, put, remark
from pysolve.cli.ending import Stopped
from pysolve.cli.files import check_writable
from pysolve.cli.playing import ClusterAddress, ProcessCount, Seeded
from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.game import Game
from pysolve.lab.choice import SEARCHED, Choice, can_search, choices, left, shared
from pysolve.lab.learn import GATE_GAMES, GATE_NODES, MOST_GAMES, Limits, Round, Training
from pysolve.lab.lessons import Lessons, explained
from pysolve.lab.sprt import Sprt
from pysolve.lab.workers import WorkerError, processors
from pysolve.players.files import named_file
from pysolve.players.values import ValuesError, file_at, values_in

Found = TypeVar("Found")
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
        str | None,
        typer.Option(
            "--search",
            metavar="N|auto",
            show_default=False,
            help="Play by searches of N positions a move, and learn from all that these find out; auto learns without "
            f"searches and with {SEARCHED}, half of the time each, and keeps what wins a match.",
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
    cluster: ClusterAddress = None,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
) -> None:
    """Learn what positions are worth from games of a program against itself.

    It needs no evaluate block: it looks at what stands on cells, on
    neighbours, on lines and in blocks; lines of evaluate count, too, as far
    as they prove useful. With --search N the games are played by search, and
    the values learn from all positions that it has looked at. Which is better
    depends on the game: --search auto learns in both ways, lets the values of
    both play against each other, and keeps the stronger ones. Learning ends
    after --minutes, or sooner, where twice as many games gain nothing. Ctrl-C
    writes what was learned so far; the same command goes on from there, also
    after a crash. At the end a test (SPRT) says whether the values are stronger
    than evaluate at the same number of positions.

    \b
    Examples:
      pysolve learn zola --minutes 30 -o zola.values
      pysolve learn zola --search 300 --no-evaluate
      pysolve learn zola --search auto --minutes 10
      pysolve learn zola --search 1000 --cluster tcp://that-machine:8786
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
    if cluster and search is None:
        raise typer.BadParameter("a cluster plays games by search: give --search, too", param_hint="--cluster")
    auto, command = search == AUTO, shlex.join(["pysolve", *sys.argv[1:]])

    def training(positions: int | None, at: Path) -> Training:
        return Training(there, game, at, seed, command, evaluate=not without, search=positions, threads=parallel)

    plain = training(None if auto or search is None else _positions(search), path)
    searched = training(SEARCHED, path.with_name(f"{path.name}.search")) if auto and _can_choose(there, games) else None
    trainings = [plain] if searched is None else [plain, searched]
    for one, resumed in [(one, one.resume()) for one in trainings]:
        check_writable(one.out, force or resumed)
        if resumed:
            _say(f"going on from {_learned(one, auto)}", as_json)
    limits = Limits(games, None if games and minutes is None else 60 * (minutes or MINUTES), games is None)
    kept, chosen, found, stopped = plain, None, None, False
    try:
        _train(plain, limits if searched is None else shared(limits), parallel, cluster, as_json, auto)
        if searched is not None:
            _train(searched, left(limits, plain), parallel, cluster, as_json, auto)
            chosen = _last(choices(searched, plain, nodes, limits.seconds is not None, parallel), _told)
            kept = searched if chosen is not None and chosen.searched else plain
        if auto:
            kept.command = _again(kept, path, options)
            kept.write(path)
        if gate >= 2:
            kept.keep()  # the same command goes on with the test, if it is stopped there
            found = _last(kept.test(nodes, gate, parallel), lambda test: f"against evaluate: {test}")
            kept.write(path)
    except KeyboardInterrupt:
        stopped = True
    lessons = explained(there, values_in(str(path), there), seed) if as_json and not stopped else None
    if as_json:
        candidates = [{
            "search": one.search, "games": one.learner.games, "seconds": round(one.seconds, 1),
            "rounds": [row.to_dict() for row in one.rounds], "command": _again(one, path, options),
            "kept": None if chosen is None and searched is not None else one is kept,
        } for one in trainings]  # fmt: skip
        put(json.dumps({
            "game": game, "file": str(path), "seed": seed, "games": kept.learner.games,
            "seconds": round(kept.seconds, 1), "rounds": [one.to_dict() for one in kept.rounds],
            "gate": kept.gate or None, "lessons": lessons and lessons.to_dict(), "stopped": stopped,
            "auto": {"candidates": candidates, "match": chosen and chosen.to_dict()} if auto else None,
        }))  # fmt: skip
    else:
        put("")
        if chosen is not None:
            put(_reason(chosen))
        put(f"{path} is written: {_learned(kept, auto)}, {path.stat().st_size:,} bytes")
        if chosen is not None:
            put(f"The same values again, without {AUTO}:  {kept.command}")
        elif searched is not None and searched.out.exists():
            put(f"{searched.out} is written: {_learned(searched, auto)}; no match has been played yet")
        if found is not None:
            put(_verdict(there, found, nodes))
    if stopped:
        done = sum(one.learner.games for one in trainings)
        raise Stopped(f"learn stopped after {counted(done, 'game')}; the same command goes on")
    for one in trainings:
        one.forget()
        if one.out != path:
            one.out.unlink(missing_ok=True)


def _positions(search: str) -> int:
    """The number that --search has."""
    if not re.fullmatch("[0-9]{1,20}", search) or not 1 <= int(search) <= MOST_SEARCHED:
        raise typer.BadParameter(
            f'"{search}" is neither a number of positions from 1 to {MOST_SEARCHED:,} nor {AUTO}', param_hint="--search"
        )
    return int(search)


def _can_choose(game: Game, games: int | None) -> bool:
    """Are there two ways of learning between which --search auto can choose?  If not, says why."""
    if not can_search(game):
        remark("the strong search needs the native engine: the values are learned from games one move deep alone")
        return False
    if games == 1:
        raise typer.BadParameter(f"--search {AUTO} shares the games between two ways of learning: give it 2 or more")
    return True


def _again(one: Training, path: Path, options: Sequence[str] | None) -> str:
    """The command that makes the values of a training as they are now."""
    words = ["pysolve", "learn", one.name, *(options or ())]
    if one.search is not None:
        words += ["--search", str(one.search)]
    if not one.evaluate:
        words.append("--no-evaluate")
    return shlex.join([*words, "--games", str(one.learner.games), "--seed", str(one.seed), "-o", str(path)])


def _learned(one: Training, auto: bool) -> str:
    """How many games a training has learned from; of which kind, where there are two."""
    return counted(one.learner.games, "game") + (f" {_way(one)}" if auto else "")


def _way(one: Training) -> str:
    return "one move deep" if one.search is None else f"by searches of {one.search} positions a move"


def _told(chosen: Choice) -> str:
    """The match of the two ways so far."""
    mine, others = chosen.nodes
    if chosen.by_time:
        much = f"in equal time, {mine:,} against {others:,} positions a move"
    else:
        much = f"at {mine:,} positions a move"
    return f"values of games by search against those of games one move deep, {much}: {chosen.test}"


def _reason(chosen: Choice) -> str:
    """The match of the two ways, and what follows from it."""
    if not chosen.test.games:
        return "The values of both ways were not compared, as all games between them are the same.\n" + _KEPT_PLAIN
    kept = _KEPT_SEARCHED if chosen.searched else _KEPT_PLAIN
    return f"{_told(chosen)}\n{kept}" + ("" if chosen.is_clear else " The match does not tell the two apart.")


_KEPT_PLAIN, _KEPT_SEARCHED = "Kept: the values of games one move deep.", "Kept: the values of games by search."


def _train(training: Training, limits: Limits, processes: int, cluster: str | None, as_json: bool, auto: bool) -> None:
    """Learns until a limit is reached; what was learned is written, also if Ctrl-C or a cluster that fails ends it."""
    line = _Line(limits, training.learner.games)
    try:
        if not as_json:
            if auto:
                put(f"games {_way(training)}")
            put(f"{'games':>10}  {'seconds':>8}  {'a second':>9}  {'last values':>11}  {'evaluate':>8}")
        with training.on_cluster(cluster):
            for one in training.go_on(limits, line.tick, processes):
                line.clear()
                if not as_json:
                    put(_row(one))
    except (KeyboardInterrupt, WorkerError) as error:
        if training.learner.games or isinstance(error, KeyboardInterrupt):
            training.keep()
            training.write()
        raise
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


def _last(tests: Iterable[Found], told: Callable[[Found], str]) -> Found | None:
    """The last standing of a match, each of which is told to somebody who watches; None if there is none."""
    found = None
    try:
        for found in tests:
            overwrite(told(found))
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
