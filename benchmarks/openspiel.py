"""Random games a second beside OpenSpiel, and moves counted beside python-chess, in one run on one core.

    cc      the native engine, compiled by the machine's compiler
    python  OpenSpiel asked from Python, as its own examples do: legal_actions, apply_action, until a game is over
    core    OpenSpiel's random games within its C++: rollouts of its tree search, from the start or a move later
    begun   cc from where that search can begin, which is not where chance moves: what core is compared with

The games are those that both have, on boards of the same size: GAMES, and LOTS with dice, cards and secrets, where
moves of chance are drawn by their probabilities.  Where a turn is written as the same moves, there must be as many
sequences of two of them.  OpenSpiel's tree search does not play where something is won on the way; there core is its
loop of bots that choose at random.  Programs take turns; the best of some rounds counts; time is CPU time.
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
    alike: bool = True  # are turns cut into moves in the same way?


GAMES = (
    Shared("tictactoe", {}, "tic_tac_toe"),
    Shared("connect_four", {}, "connect_four"),
    Shared("breakthrough", {}, "breakthrough(rows=8,columns=8)"),
    Shared("othello", {}, "othello"),
    Shared("hex", {}, "hex(board_size=11)"),
    Shared("amazons", {}, "amazons", False),
    Shared("chess", {}, "chess"),
    Shared("clobber", {}, "clobber(rows=5,columns=6)"),
    Shared("draughts", {}, "checkers"),
    Shared("nine_mens_morris", {}, "nine_mens_morris"),
    Shared("go", {"size": 9}, "go(board_size=9,komi=7.5)"),
    Shared("gomoku", {}, "gomoku(size=15)"),
    Shared("lines_of_action", {}, "lines_of_action"),
)
BY_TURNS = "turn_based_simultaneous_game(game={})"  # who moves at the same time chooses one after the other
FLEETS = "ship_sizes=[1;2;3],ship_values=[1;1;1],num_shots=36,allow_repeated_shots=false"
LOTS = (
    Shared("pig", {}, "pig", False),
    Shared("backgammon", {}, "backgammon", False),
    Shared("2048", {}, "2048", False),
    Shared("einstein_wuerfelt_nicht", {}, "einstein_wurfelt_nicht", False),
    Shared("kuhn_poker", {}, "kuhn_poker"),
    Shared("leduc_poker", {}, "leduc_poker"),
    Shared("liars_dice", {}, "liars_dice"),
    Shared("goofspiel", {"cards": 4}, BY_TURNS.format("goofspiel(num_cards=4)")),
    Shared("rock_paper_scissors", {}, BY_TURNS.format("matrix_rps()")),
    Shared("phantom_tictactoe", {}, "phantom_ttt"),
    Shared("hex-dark", {"size": 3}, "dark_hex(board_size=3)"),
    Shared("battleship", {}, f"battleship(board_width=6,board_height=6,{FLEETS})", False),
    Shared("hanabi", {}, "hanabi(players=2,colors=2,ranks=5,hand_size=2,max_information_tokens=3,max_life_tokens=1)"),
    Shared("chess-dark", {"size": 4}, "dark_chess(board_size=4)"),
    Shared("hearts", {}, "hearts", False),
)


class Speed(NamedTuple):
    """Games and moves a second."""

    games: float
    moves: float

    @property
    def length(self) -> float:
        return self.moves / self.games if self.games else 0


Play = Callable[[int], tuple[int, int]]  # plays about so many games: how many they were, and their moves


def run(games: tuple[Shared, ...], quick: bool) -> dict[str, Any]:
    """Random games, game by game, and the geometric means of the ratios."""
    rows = [compared(shared, 1 if quick else 3) for shared in games]
    return {"rows": rows, "mean": {key: prod(row[key] for row in rows) ** (1 / len(rows))
                                   for key in ("to_python", "to_core")}}  # fmt: skip


def compared(shared: Shared, rounds: int) -> dict[str, Any]:
    """One game."""
    import pyspiel  # type: ignore[import-not-found, unused-ignore]

    ours, theirs = pysolve.load(shared.name, **shared.options).model, pyspiel.load_game(shared.theirs)
    engine = NativeEngine(ours, "cc", proof=False)
    start, search = engine.start(), has_search(theirs)
    if shared.alike and perft(engine, start, 2) != sequences(theirs.new_initial_state(), 2):
        raise ValueError(f"{shared.name} and {shared.theirs} begin with other moves: they are not the same game")
    plays: dict[str, Play] = {
        "cc": partial(by_pysolve, engine, start),
        "python": partial(by_python, theirs),
        "core": partial(by_search if search else by_bots, theirs),
    }
    if search and theirs.new_initial_state().is_chance_node():
        plays["begun"] = partial(by_pysolve, engine, begun(engine, start))
    speeds = measured(plays, rounds)
    print(f"{shared.name}: measured", file=sys.stderr)
    return {
        "game": shared.name, "theirs": shared.theirs, "rbg": RBG.get(shared.name),
        **{name: speed.games for name, speed in speeds.items()},
        "length": speeds["cc"].length, "their_length": speeds["python"].length,
        "to_python": speeds["cc"].games / speeds["python"].games,
        "to_core": speeds.get("begun", speeds["cc"]).games / speeds["core"].games,
    }  # fmt: skip


def sequences(state: Any, depth: int) -> int:
    if depth == 0 or state.is_terminal():
        return depth == 0
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


def begun(engine: NativeEngine, state: State) -> State:
    """The first position where chance does not move, with the last possibility each time, as in `by_search`."""
    while (node := engine.expand(state)).weights is not None:
        state = node.child(len(node) - 1)
    return state


def by_pysolve(engine: NativeEngine, state: State, count: int) -> tuple[int, int]:
    found = playouts(engine, state, count, seed=1, longest=LONGEST)
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


def has_search(game: Any) -> bool:
    """Can OpenSpiel's tree search play it?  Not where something is won on the way."""
    return str(game.get_type().reward_model) == "RewardModel.TERMINAL"


def by_search(game: Any, count: int) -> tuple[int, int]:
    import pyspiel

    many = max(1, count // POSITIONS)
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=many, seed=1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, POSITIONS, 100, False, 1, False)
    state = game.new_initial_state()
    while state.is_chance_node():  # where its search cannot begin
        state.apply_action(state.chance_outcomes()[-1][0])
    bot.mcts_search(state)
    return many * POSITIONS, 0


def by_bots(game: Any, count: int) -> tuple[int, int]:
    import pyspiel

    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(game.num_players())]
    for seed in range(count):
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
    return count, 0


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
