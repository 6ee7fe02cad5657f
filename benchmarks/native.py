"""Speed of a game's C, beside the same game in Prolog and beside C that was written by hand for it.

    prolog   the Prolog engine with its fast clauses, asked from Python
    tcc, cc  the native engine, compiled by tcc in memory and by the machine's compiler
    tables   C by hand (benchmarks/peers.py): a byte board and tables
    sets     C by hand: sets of squares, and code for each square (Zola)
    shifts   C by hand: sets of squares, moves of all pieces at once by shifts

Programs take turns at each question, and the best of several rounds counts; time is CPU time of this process.  What
they answer is compared, so nobody is quick by doing something else.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, NamedTuple

import pysolve
from benchmarks.peers import Blockade, Zola
from benchmarks.positions import sample
from pysolve.dsl.model import Game
from pysolve.engines.build import QUICK, compilers
from pysolve.engines.native import NativeEngine
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import Engine, State
from pysolve.search.minimax import minimax
from pysolve.search.perft import perft
from pysolve.search.playouts import playouts
from pysolve.search.turns import count_turns, turn_positions

GAMES = ("zola", "conga", "yoxii", "blockade", "antiyomacy")
PROGRAMS = ("prolog", "tcc", "cc", "tables", "sets", "shifts")
SLOW = 2  # rounds of Prolog
OFTEN = 10  # times that C is asked what Prolog is asked once
LONGEST = 1000  # moves in a playout: random games of Conga hardly end
BY_HAND: dict[str, type[Zola] | type[Blockade]] = {"zola": Zola, "blockade": Blockade}

Ask = Callable[[], tuple[float, object]]  # how much was done, and the answer, None if others do another amount


class Amount(NamedTuple):
    """How much a game is asked: in C, and in Prolog."""

    perft: tuple[int, int]  # moves deep
    playouts: tuple[int, int]
    depth: tuple[int, int]  # of alpha-beta


AMOUNTS = {
    "zola": Amount((5, 4), (8000, 500), (8, 5)),
    "conga": Amount((8, 6), (1000, 30), (12, 8)),
    "yoxii": Amount((7, 5), (16000, 200), (9, 6)),
    "blockade": Amount((6, 4), (4000, 20), (9, 3)),
    "antiyomacy": Amount((8, 4), (300, 2), (10, 4)),
}


class Row(NamedTuple):
    """What the programs did at a question: so many a second, or milliseconds."""

    game: str
    question: str
    unit: Literal["/s", "ms"]
    figures: dict[str, float]
    done: dict[str, float]  # nodes, moves, positions, boards

    def ratio(self, one: str, other: str) -> float | None:
        """How many times as fast one program is as another."""
        if one not in self.figures or other not in self.figures:
            return None
        quotient = self.figures[one] / self.figures[other]
        return quotient if self.unit == "/s" else 1 / quotient


class Timer:
    """Asks programs in turn, and keeps the best times."""

    def __init__(self, rounds: int):
        self._rounds = rounds

    def row(self, game: str, question: str, unit: Literal["/s", "ms"], asks: Mapping[str, Ask]) -> Row:
        best: dict[str, float] = {}
        done: dict[str, float] = {}
        answers = set()
        for number in range(self._rounds):
            for program, ask in asks.items():
                if program == "prolog" and number >= SLOW:
                    continue
                begin = time.process_time()
                amount, answer = ask()
                spent = time.process_time() - begin
                best[program] = min(best.get(program, 1e9), spent)
                done[program] = amount
                answers.add(answer)
        assert len(answers - {None}) <= 1, f"{game}, {question}: the programs disagree: {answers}"
        figures = {program: done[program] / best[program] if unit == "/s" else 1e3 * best[program] for program in best}
        return Row(game, question, unit, figures, done)


def run(games: tuple[str, ...], quick: bool) -> dict[str, Any]:
    """All questions about some games."""
    timer = Timer(2 if quick else 5)
    rows: list[Row] = []
    for game in games:
        rows += speeds(timer, game)
        rows += {"blockade": turns, "antiyomacy": successors}.get(game, lambda _: [])(timer)
        print(f"{game}: measured", file=sys.stderr)
    return {"rows": rows, "start": {game: starts(game, 1 if quick else 3) for game in games}}


def engines(model: Game) -> dict[str, Engine]:
    """Those of this machine."""
    prolog = PrologEngine(model, warm=None)
    prolog.unfold()
    native = {compiler.name: NativeEngine(model, compiler.name, proof=False) for compiler in reversed(compilers())}
    return {"prolog": prolog, **native}


# --------------------------------------------------------------------------------------------- moves and searches


def speeds(timer: Timer, name: str) -> list[Row]:
    """Perft, playouts and alpha-beta from the start."""
    model = pysolve.load(name).model
    programs, amounts = engines(model), AMOUNTS[name]
    start = programs["prolog"].start()
    asks: dict[str, dict[str, Ask]] = {"perft": {}, "perft, deep": {}, "playouts": {}, "alpha-beta": {}}
    for program, engine in programs.items():
        slow = program == "prolog"
        asks["perft"][program] = partial(_perft, partial(perft, engine, start), amounts.perft[1], 1 if slow else OFTEN)
        if not slow:
            asks["perft, deep"][program] = partial(_perft, partial(perft, engine, start), amounts.perft[0])
        asks["playouts"][program] = partial(
            _playouts, partial(playouts, engine, start, longest=LONGEST), amounts.playouts[slow], slow)  # fmt: skip
        asks["alpha-beta"][program] = partial(_search, partial(minimax, engine, start), amounts.depth[slow], slow)
    by_hand = BY_HAND.get(name)
    for kind in by_hand.KINDS if by_hand else ():
        peer = by_hand(model, kind)
        asks["perft, deep"][kind] = partial(_perft, partial(peer.perft, start), amounts.perft[0])
        if isinstance(peer, Zola):
            asks["playouts"][kind] = partial(
                _playouts, partial(peer.playouts, start, longest=LONGEST), amounts.playouts[0], False)  # fmt: skip
            asks["alpha-beta"][kind] = partial(_search, partial(peer.search, start), amounts.depth[0], False)
    shallow, deep, played, searched = (timer.row(name, question, "/s", asked) for question, asked in asks.items())
    length = max(played.done.values()) / amounts.playouts[0]  # Prolog plays too few games to know
    games = {program: rate / length for program, rate in played.figures.items()}
    spent = {program: 1e3 * searched.done[program] / rate for program, rate in searched.figures.items()}
    spent.pop("prolog")  # which went less deep
    return [
        shallow._replace(question=f"perft {amounts.perft[1]}"),
        deep._replace(question=f"perft {amounts.perft[0]}"),
        Row(name, f"playouts of {length:.0f} moves", "/s", games, played.done),
        searched,
        Row(name, f"to depth {amounts.depth[0]}", "ms", spent, searched.done),
    ]


def _perft(ask: Callable[[int], int], depth: int, times: int = 1) -> tuple[float, object]:
    found = [ask(depth) for _ in range(times)]
    return sum(found), found[0]


def _playouts(ask: Callable[[int], Any], games: int, slow: bool) -> tuple[float, object]:
    found = ask(games)
    return found.moves, None if slow else found


def _search(ask: Callable[[int], Any], depth: int, slow: bool) -> tuple[float, object]:
    found = ask(depth)
    return found.nodes, None if slow else found.value


# ---------------------------------------------------------------------------------------------- whole turns


def turns(timer: Timer) -> list[Row]:
    """A whole turn of the Offence in Blockade: its distinct positions, and in how many ways it can be played."""
    rows = []
    for blockers in (4, 5):
        model = pysolve.load("blockade", first="Offence", blockers=blockers).model
        programs = engines(model)
        start = programs["prolog"].start()
        if blockers == 5:
            del programs["prolog"]  # minutes
        asks: dict[str, Ask] = {program: partial(_turn, engine, start) for program, engine in programs.items()}
        asks |= {kind: partial(_turn_by_hand, Blockade(model, kind), start) for kind in Blockade.KINDS}
        rows.append(timer.row("blockade", f"turn, {blockers + 1} against 4", "ms", asks))
    return rows


def _turn(engine: Engine, start: State) -> tuple[float, object]:
    if not isinstance(engine, NativeEngine):  # one walk for the positions, another for the number
        return sum(1 for _ in turn_positions(engine, start)), None
    engine._buffers().turn = None  # which it remembers
    positions = list(turn_positions(engine, start))
    return len(positions), (len(positions), count_turns(engine, start))


def _turn_by_hand(peer: Blockade, start: State) -> tuple[float, object]:
    turn = peer.turn(start)
    return turn.positions, (turn.positions, turn.ways)


def successors(timer: Timer) -> list[Row]:
    """Boards a second of Antiyomacy in the middle of games: what the moves of a position lead to."""
    programs = engines(pysolve.load("antiyomacy").model)
    quick = programs["cc" if "cc" in programs else "prolog"]
    positions = sample(quick, 300, seed=2, longest=400)
    few = positions[::10]
    made = {depth: sum(perft(quick, state, within) for state in few for within in range(1, depth)) for depth in (2, 4)}
    for_python: dict[str, Ask] = {program: partial(_boards, one, positions) for program, one in programs.items()}
    at_once: dict[str, Ask] = {
        program: partial(_boards_at_once, one, positions)
        for program, one in programs.items() if isinstance(one, NativeEngine)
    }  # fmt: skip
    within: dict[str, Ask] = {
        program: partial(_boards_asked, one, few, depth, made[depth])
        for program, one in programs.items() for depth in (2 if program == "prolog" else 4,)
    }  # fmt: skip
    return [
        timer.row("antiyomacy", "boards, for Python", "/s", for_python),
        timer.row("antiyomacy", "boards, positions at once", "/s", at_once),
        timer.row("antiyomacy", "boards, and all their moves", "/s", within),
    ]


def _boards(engine: Engine, positions: list[State]) -> tuple[float, object]:
    """All successors of positions, as Python's bytes."""
    count = sum(len(list(engine.expand(state).children())) for state in positions)
    return count, count


def _boards_at_once(engine: NativeEngine, positions: list[State]) -> tuple[float, object]:
    """The same, all positions asked about in one go."""
    count = sum(len(list(node.children())) for node in engine.expand_many(positions, children=True))
    return count, count


def _boards_asked(engine: Engine, positions: list[State], depth: int, made: int) -> tuple[float, object]:
    """The boards that perft makes; it finds all moves of each of them."""
    found = sum(perft(engine, state, depth) for state in positions)
    return made, None if depth == 2 else found


# --------------------------------------------------------------------------------------- first use, and memory


def starts(game: str, rounds: int) -> dict[str, dict[str, float]]:
    """What a game costs in a new process: with Prolog, tcc, cc, cc in a hurry, and cc when it built the game before."""
    found: dict[str, dict[str, float]] = {}
    names = [compiler.name for compiler in compilers()]
    ways = [("prolog", "prolog"), *((name, name) for name in names)]
    if names[0] != "tcc":
        ways += [(names[0] + QUICK, names[0] + QUICK), ("cached", names[0])]
    for number in range(rounds):
        with tempfile.TemporaryDirectory() as cache:
            for way, engine in ways:
                questions = ["whole"] if engine == "prolog" else ["whole", "steps"]
                for question in questions if number else [*questions, "growth"]:
                    figures = _start(game, engine, question, os.path.join(cache, f"{engine}-{question}"))
                    best = found.setdefault(way, {})
                    best |= {key: min(value, best.get(key, value)) for key, value in figures.items()}
    return found


def _start(game: str, engine: str, question: str, cache: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.start", game, engine, question]
    told = subprocess.run(command, env={**os.environ, "PYSOLVE_CACHE": cache}, stdout=subprocess.PIPE, check=True)
    figures: dict[str, float] = json.loads(told.stdout)
    return figures
