"""Random games a second beside OpenSpiel, and moves counted beside python-chess, in one run on one core.

    cc      the native engine, compiled by the machine's compiler
    python  OpenSpiel asked from Python, as its own examples do: legal_actions, apply_action, until a game is over
    core    OpenSpiel's random games within its C++: rollouts of its tree search, from the start or a move later

The games are those that both have, on boards of the same size; three leave moves to chance, which are drawn by their
probabilities.  Where a turn is written as the same moves, the numbers
of their first sequences are compared, too.  Programs take turns; the best of some rounds counts; time is CPU time.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any, NamedTuple

import pysolve
from pysolve.dsl.model import Game
from pysolve.engines.native import NativeEngine
from pysolve.engines.protocol import State
from pysolve.search.perft import perft
from pysolve.search.playouts import playouts

LONGEST = 2000  # moves in a game; OpenSpiel's games end by themselves
POSITIONS = 4  # from which OpenSpiel's core plays: the start, or a move later
SECONDS = 0.5  # for one measurement
AIMED = 10.0  # times as fast as OpenSpiel from Python, in the geometric mean
AIMED_CHESS = 20.0  # times as fast as python-chess
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"

# Whose random games others have measured, too: the best known figures of compiled rules, games a second.
RBG = {"breakthrough": 44_000, "othello": 20_000, "chess": 1_091}


class Shared(NamedTuple):
    """A game that both have."""

    name: str
    options: dict[str, Any]
    theirs: str
    depth: int = 2  # sequences of so many moves are as many; 0 where a turn is cut into other moves


GAMES = (
    Shared("tictactoe", {}, "tic_tac_toe"),
    Shared("connect_four", {}, "connect_four"),
    Shared("breakthrough", {}, "breakthrough(rows=8,columns=8)"),
    Shared("othello", {}, "othello"),
    Shared("hex", {}, "hex(board_size=11)"),
    Shared("amazons", {}, "amazons", 0),
    Shared("chess", {}, "chess"),
    Shared("clobber", {}, "clobber(rows=5,columns=6)"),
    Shared("draughts", {}, "checkers"),
    Shared("nine_mens_morris", {}, "nine_mens_morris"),
    Shared("go", {"size": 9}, "go(board_size=9,komi=7.5)"),
    Shared("gomoku", {}, "gomoku(size=15)"),
    Shared("lines_of_action", {}, "lines_of_action"),
    Shared("pig", {}, "pig", 0),
    Shared("backgammon", {}, "backgammon", 0),
    Shared("2048", {}, "2048", 0),
)


class Speed(NamedTuple):
    """Games and moves a second."""

    games: float
    moves: float

    @property
    def length(self) -> float:
        return self.moves / self.games if self.games else 0


Play = Callable[[int], tuple[int, int]]  # plays about so many games: how many they were, and their moves


def run(names: tuple[str, ...], quick: bool) -> dict[str, Any]:
    """All that is compared, game by game."""
    import pyspiel  # type: ignore[import-not-found, unused-ignore]

    rounds, rows = 1 if quick else 3, []
    for shared in GAMES:
        if names and shared.name not in names:
            continue
        ours, theirs = pysolve.load(shared.name, **shared.options).model, pyspiel.load_game(shared.theirs)
        engine = NativeEngine(ours, "cc", proof=False)
        first = same_beginning(engine, theirs, shared.depth)
        plays: dict[str, Play] = {
            "cc": partial(by_pysolve, engine), "python": partial(by_python, theirs),
            **({"core": partial(by_core, theirs)} if has_core(theirs) else {}),
        }  # fmt: skip
        speeds = measured(plays, rounds)
        rows.append({
            "game": shared.name, "theirs": shared.theirs, "same_first_moves": first, "rbg": RBG.get(shared.name),
            "core": None, **{name: speed.games for name, speed in speeds.items()},
            "length": speeds["cc"].length, "their_length": speeds["python"].length,
            "to_python": speeds["cc"].games / speeds["python"].games,
            "to_core": speeds["cc"].games / speeds["core"].games if "core" in speeds else None,
        })  # fmt: skip
        print(f"{shared.name}: measured", file=sys.stderr)
    mean = {}
    for key in ("to_python", "to_core"):
        ratios = [row[key] for row in rows if row[key] is not None]
        mean[key] = prod(ratios) ** (1 / len(ratios)) if ratios else None
    return {"openspiel": rows, "openspiel_mean": mean, "chess": chess(rounds)}


def same_beginning(engine: NativeEngine, theirs: Any, depth: int) -> bool | None:
    """Are there as many sequences of the first moves?  None where moves are not cut alike."""
    if not depth:
        return None
    return perft(engine, engine.start(), depth) == sequences(theirs.new_initial_state(), depth)


def sequences(state: Any, depth: int) -> int:
    if depth == 1:
        return len(state.legal_actions())
    return sum(sequences(state.child(action), depth - 1) for action in state.legal_actions())


def measured(plays: dict[str, Play], rounds: int) -> dict[str, Speed]:
    """The best speed of each program; how many games fit into a measurement is tried first."""
    counts = {}
    for name, play in plays.items():
        count, spent = 1, 0.0
        while spent < SECONDS / 8:
            count *= 4
            spent = clock(play, count)[2]
        counts[name] = max(1, round(count * SECONDS / spent))
    best: dict[str, Speed] = {}
    for _ in range(rounds):
        for name, play in plays.items():
            games, moves, spent = clock(play, counts[name])
            if name not in best or games / spent > best[name].games:
                best[name] = Speed(games / spent, moves / spent)
    return best


def clock(play: Play, count: int) -> tuple[int, int, float]:
    begin = time.process_time()
    games, moves = play(count)
    return games, moves, time.process_time() - begin


def by_pysolve(engine: NativeEngine, count: int) -> tuple[int, int]:
    found = playouts(engine, engine.start(), count, seed=1, longest=LONGEST)
    return count, found.moves


def by_python(game: Any, count: int) -> tuple[int, int]:
    chance, moves = random.Random(1), 0
    for _ in range(count):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(actions, weights)[0])
            else:
                state.apply_action(chance.choice(state.legal_actions()))
            moves += 1
    return count, moves


def has_core(game: Any) -> bool:
    """Can OpenSpiel's tree search play it?  Not where something is won on the way."""
    return str(game.get_type().reward_model) == "RewardModel.TERMINAL"


def by_core(game: Any, count: int) -> tuple[int, int]:
    import pyspiel

    many = max(1, count // POSITIONS)
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=many, seed=1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, POSITIONS, 100, False, 1, False)
    state = game.new_initial_state()
    while state.is_chance_node():  # where its search cannot begin
        state.apply_action(state.chance_outcomes()[0][0])
    bot.mcts_search(state)
    return many * POSITIONS, 0


# ---------------------------------------------------------------------------------------------- chess moves


def chess(rounds: int) -> list[dict[str, Any]]:
    """Sequences of moves from two positions: their number a second, by pysolve and by python-chess."""
    import chess as python_chess  # type: ignore[import-not-found, unused-ignore]

    game = pysolve.load("chess").model
    engine, rows = NativeEngine(game, "cc", proof=False), []
    places = {"the beginning": (engine.start(), python_chess.Board(), 4, 3),
              "in the middle": (kiwipete(game), python_chess.Board(KIWIPETE), 4, 2)}  # fmt: skip
    for name, (state, board, deep, shallow) in places.items():
        assert perft(engine, state, shallow) == walked(board, shallow) == counted(board, shallow)
        asks: dict[str, Play] = {
            "cc": lambda _, state=state, deep=deep: (perft(engine, state, deep), 0),  # type: ignore[misc]
            "made": lambda _, board=board, deep=shallow: (walked(board, deep), 0),  # type: ignore[misc]
            "counted": lambda _, board=board, deep=shallow: (counted(board, deep), 0),  # type: ignore[misc]
        }
        best: dict[str, float] = {}
        for _ in range(rounds):
            for program, ask in asks.items():
                nodes, _, spent = clock(ask, 1)
                best[program] = max(best.get(program, 0), nodes / spent)
        rows.append({"position": name, **best, "to_made": best["cc"] / best["made"],
                     "to_counted": best["cc"] / best["counted"]})  # fmt: skip
    return rows


def kiwipete(game: Game) -> State:
    """A position with all kinds of moves, as the rules file of chess has it in an example."""
    found = next(one for one in game.examples if one.name == "perft with everything")
    assert found.diagram is not None
    return pysolve.load("chess").position(found.diagram).state


def walked(board: Any, depth: int) -> int:
    """Sequences of moves, each move made."""
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += walked(board, depth - 1)
        board.pop()
    return total


def counted(board: Any, depth: int) -> int:
    """The same, the last move counted only."""
    if depth == 1:
        return int(board.legal_moves.count())
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += counted(board, depth - 1)
        board.pop()
    return total
