"""Speed of the Prolog engine, beside hand-written Prolog and Python that answer in the same bytes and order of moves.

  expansion   all that can be asked about a position, over 300 positions of random playouts
  search      plain alpha-beta (benchmarks.alphabeta) over the Prolog engine and over hand-written Python rules
  memory      growth of the process over a million expansions
  start       reading, checking and compiling; and a whole command, cold

Times are CPU time, but for whole commands.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pysolve
from benchmarks.alphabeta import search
from benchmarks.handwritten import rules
from benchmarks.positions import sample
from benchmarks.start import kilobytes
from pysolve.dsl import read_rules
from pysolve.dsl.to_prolog import print_prolog
from pysolve.dsl.to_prolog.unfolded import print_unfolded
from pysolve.engines.bridge import bridge
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import State
from pysolve.runtime.paths import RULES, runtime

HANDWRITTEN = Path(__file__).with_name("handwritten")
GAMES = ("zola", "conga")
ROUNDS = 9

# Runs expand/2 of a module over all positions, some times, and says how many seconds of CPU that took.
INSIDE = """
:- dynamic position/1.
remember(In, "") :- assertz(position(In)).
inside(In, Out) :-
    term_string(Module-Predicate-Times, In),
    Goal =.. [Predicate, S, _],
    statistics(cputime, T0),
    ( between(1, Times, _), position(S), \\+ \\+ Module:Goal, fail ; true ),
    statistics(cputime, T1),
    ( between(1, Times, _), position(S), \\+ \\+ atom(S), fail ; true ),
    statistics(cputime, T2),
    Seconds is (T1 - T0) - (T2 - T1),
    format(string(Out), "~w", [Seconds]).
"""


class Peer:
    """Hand-written Python rules as something that a search can expand."""

    def __init__(self, expand: Callable[[State], rules.Node]):
        self._expand = expand

    def expand(self, state: State) -> PeerNode:
        return PeerNode(self._expand(state))


class PeerNode:
    """A hand-written node with the names of the protocol."""

    __slots__ = ("_node", "payoff")

    def __init__(self, node: rules.Node):
        self._node = node
        self.payoff = None if node.winner is None else (1, -1) if node.winner == 1 else (-1, 1)

    def children(self) -> Iterator[State]:
        state, play = self._node.state, self._node.play
        return (play(state, move) for move in self._node.moves)


def run(quick: bool) -> dict[str, dict[str, float]]:
    """All of it."""
    figures = {name: expansions(name, 3 if quick else ROUNDS) for name in GAMES}
    figures["search"] = searches(3 if quick else 5)
    figures["start"] = starts()
    if not quick:
        figures["memory"] = memory()
    return figures


def expansions(name: str, rounds: int) -> dict[str, float]:
    """Microseconds an expansion: hand-written and generated, inside Prolog and through Python."""
    game = pysolve.load(name)
    tables = PrologEngine(game.model, warm=None)
    unfolded = PrologEngine(game.model, inferences=tables.inferences + 1, warm=None)
    unfolded.unfold()
    positions = sample(unfolded, 300)
    prolog = bridge()
    timer = f"timer_{name}"
    prolog.load(timer, INSIDE)
    for position in positions:
        prolog.function(timer, "remember")(position)
    peer = (HANDWRITTEN / f"{name}.pl").read_text(encoding="utf-8")
    prolog.load(f"handwritten_{name}_peer", _without_header(peer))
    shapes = {
        "hand-written, tables": (f"handwritten_{name}_peer", "expand", None),
        "generated, tables": (tables.module, "expand", tables),
        "generated, unfolded": (unfolded.module, "expand_unfolded", unfolded),
    }
    inside = prolog.function(timer, "inside")
    best: dict[str, float] = {}
    for _ in range(rounds):
        for shape, (module, predicate, engine) in shapes.items():
            seconds = float(inside(f"{module}-{predicate}-10".encode()) or 0)
            _keep(best, f"{shape}, in Prolog", seconds / 10 / len(positions))
            call = engine.expand if engine is not None else prolog.function(module, predicate)
            _keep(best, f"{shape}, through Python", _per_call(call, positions))
            if engine is not None:
                _keep(best, f"{shape}, bridge only", _per_call(engine.ask, positions))
    report(f"{name}: microseconds an expansion (of {len(positions)}; best of {rounds})", best,
           best["hand-written, tables, in Prolog"])  # fmt: skip
    return best


def _without_header(text: str) -> str:
    """A module file as plain clauses, to be loaded into a module of any name."""
    return text[text.index(").") + 2 :]


def _per_call(call: Callable[[State], object], positions: list[State]) -> float:
    begin = time.process_time()
    for _ in range(5):
        for position in positions:
            call(position)
    return (time.process_time() - begin) / 5 / len(positions)


def _keep(best: dict[str, float], key: str, seconds: float) -> None:
    best[key] = min(best.get(key, 1e9), seconds * 1e6)


def searches(rounds: int) -> dict[str, float]:
    """Nodes a second of the same alpha-beta over the Prolog engine and over hand-written Python rules."""
    figures: dict[str, float] = {}
    for name, depth, peer in (("zola", 4, rules.expand_zola), ("conga", 5, rules.expand_conga)):
        engine = PrologEngine(pysolve.load(name).model)
        engine.unfold()
        roots = sample(engine, 8, seed=5)
        value = partial(_material, len(engine.start()))
        rates: dict[str, list[float]] = {"Prolog engine": [], "hand-written Python": []}
        counts = set()
        for _ in range(rounds):
            for who, one in (("Prolog engine", engine), ("hand-written Python", Peer(peer))):
                begin, nodes, values = time.process_time(), 0, []
                for root in roots:
                    found = search(one, root, depth, value)  # type: ignore[arg-type]
                    nodes += found.nodes
                    values.append((found.value, found.best))
                rates[who].append(nodes / (time.process_time() - begin))
                counts.add((nodes, tuple(values)))
        assert len(counts) == 1, "both searches must visit the same nodes and find the same values"
        best = {f"{name}, {who}": max(found) / 1000 for who, found in rates.items()}
        base = best[f"{name}, hand-written Python"]
        report(f"{name}: alpha-beta, thousand nodes a second at depth {depth}", best, base)
        figures |= best
    return figures


def _material(size: int, state: State) -> int:
    """The mover's cells less the other's; on both games' bytes."""
    cells = state[1 : 37 if size == 37 else 17]
    return cells.count(state[0]) - cells.count(3 - state[0])


def starts() -> dict[str, float]:
    """Milliseconds from text to loaded clauses, after imports; and seconds of a whole cold command."""
    bridge()
    figures: dict[str, float] = {}
    for number in range(5):
        begin = time.process_time()
        model = read_rules(RULES / "zola.rules")
        read = time.process_time()
        text = print_prolog(model, runtime())
        bridge().load(f"start_{number}", text)
        loaded = time.process_time()
        print_unfolded(model)
        unfolded = time.process_time()
        for key, seconds in (("read and check", read - begin), ("print and load", loaded - read),
                             ("unfold (later)", unfolded - loaded)):  # fmt: skip
            figures[key] = min(figures.get(key, 1e9), seconds * 1e3)
    figures["text to moves"] = figures["read and check"] + figures["print and load"]
    report("zola: milliseconds to compile, after imports (best of 5)", figures)
    command = [sys.executable, "-m", "pysolve", "moves", "zola"]
    walls = []
    for _ in range(5):
        begin = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        walls.append(time.perf_counter() - begin)
    cold = {"pysolve moves zola (wall, best)": min(walls), "pysolve moves zola (wall, median)": sorted(walls)[2]}
    report("seconds of a whole command", cold)
    return figures | cold


def memory() -> dict[str, float]:
    """Kilobytes that the process grows by over a million expansions."""
    engine = PrologEngine(pysolve.load("zola").model)
    positions = sample(engine, 300)

    def expand(times: int) -> None:
        for i in range(times):
            engine.expand(positions[i % 300])

    expand(50_000)
    before = kilobytes("VmRSS")
    expand(1_000_000)
    grown = {"growth over 1 000 000 expansions": kilobytes("VmRSS") - before}
    report("kilobytes", grown)
    return grown


def report(title: str, figures: dict[str, float], base: float | None = None) -> None:
    """Prints figures in a table, with their ratio to a base where there is one."""
    print(title)
    for name, figure in figures.items():
        print(f"  {name:<44}{figure:>10.2f}" + (f"{figure / base:>8.2f}" if base else ""))
    print()
