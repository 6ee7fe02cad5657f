"""Solves what can be solved here, replays each proof, and prints the table of docs/solver.md.

python -m benchmarks.solved [--quick] [GAME …]

With --quick it does not solve again without the symmetries of the rules.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import pysolve
from pysolve.lab import proofs
from pysolve.lab.solving import ALPHA_BETA, EXHAUSTIVE, Solution, solve
from pysolve.position import Position

SOLVED = [
    "zola size=4", "zola size=4 by proof-number", "zola size=4 by alpha-beta",
    "conga pile=1", "conga pile=2", "conga pile=2 four_equal=on", "conga pile=2 sowing=sweep", "conga pile=3",
    "conga pile=4",
    "tictactoe", "tictactoe width=4 height=3", "tictactoe width=4 height=4",
    "connect_four width=4 height=4", "connect_four width=4 height=5", "connect_four width=5 height=4",
    "connect_four width=5 height=5 by proof-number", "connect_four width=5 height=5 by alpha-beta",
    "connect_four width=6 height=5 by alpha-beta", "connect_four width=6 height=6 by alpha-beta",
    "hex size=2", "hex size=3", "hex size=4", "hex size=4 by proof-number", "hex size=4 by alpha-beta",
    "othello size=4", "go size=3",
    "breakthrough width=2 height=5", "breakthrough width=2 height=6", "breakthrough width=2 height=7",
    "breakthrough width=3 height=5", "breakthrough width=4 height=5 by proof-number",
    "breakthrough width=4 height=5 by alpha-beta", "breakthrough width=5 height=5 by alpha-beta",
    "clobber width=3 height=3", "clobber width=4 height=3", "clobber width=4 height=4",
    "clobber width=5 height=4 by proof-number", "clobber width=5 height=4 by alpha-beta",
    "amazons size=4 by proof-number", "amazons size=4 by alpha-beta",
    *(f"kalah pits=2 seeds={seeds}" for seeds in range(1, 7)),
    *(f"kalah pits=3 seeds={seeds}" for seeds in range(1, 6)),
    "kalah pits=4 seeds=1", "kalah pits=4 seeds=2", "kalah pits=4 seeds=3", "kalah pits=5 seeds=1",
    "kalah pits=6 seeds=1",
]  # fmt: skip
CLAUSES = 30_000  # moves of a proof that is replayed by Prolog as well


def row(text: str, quick: bool) -> str:
    """Solves one game, replays the proof, and gives a line of the table."""
    words, _, method = text.partition(" by ")
    name, *settings = words.split()
    options = dict(setting.split("=") for setting in settings)
    position = pysolve.load(name, engine="native", **options).start()
    solution, seconds = timed(position, method or EXHAUSTIVE, True)
    result = "draw" if solution.is_draw else f"{solution.winner} wins" if solution.winner else "?"
    images = f"{solution.images}" if solution.images > 1 else ""
    if method == ALPHA_BETA:  # its proofs are large, since it looks for no short ones
        return f"| `{words}` | {result} |  | {images} | {solution.positions:,} | {seconds:.1f} |{4 * '  |'} {method} |"
    plain = ["", ""]
    if solution.images > 1 and not quick:
        every, longer = timed(position, solution.method, False)
        assert (every.winner, every.is_draw) == (solution.winner, solution.is_draw)
        plain = [f"{every.positions:,}", f"{longer:.1f}"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "proof"
        file.write_text("\n".join(proofs.write(solution.proof(name))), encoding="utf-8")
        with file.open(encoding="utf-8") as lines:
            proof = proofs.read(lines)
    moves = sum(len(plan) for _, plan in proof.claims)
    began = time.process_time()
    for engine in ("native", "prolog") if moves <= CLAUSES else ("native",):
        seen = list(proofs.replay(proof, proofs.game_of(proof, engine=engine)))
    replayed = time.process_time() - began
    longest = seen[0].longest if solution.winner else ""
    bound = f"{longest}" if solution.method == EXHAUSTIVE else f"at most {longest}"
    cells = [f"`{words}`", result, bound if solution.winner else "", images, f"{solution.positions:,}",
             f"{seconds:.1f}", *plain, f"{moves:,}", f"{replayed:.1f}{' †' if moves <= CLAUSES else ''}"]  # fmt: skip
    by = "" if solution.method == EXHAUSTIVE else solution.method
    return f"| {' | '.join([*cells, by])} |"


def timed(position: Position, method: str, symmetries: bool) -> tuple[Solution, float]:
    """A solution, and the seconds of a processor that it took."""
    began = time.process_time()
    solution = solve(position, method, symmetries=symmetries)
    return solution, time.process_time() - began


def main() -> None:
    quick, wanted = "--quick" in sys.argv, [word for word in sys.argv[1:] if word != "--quick"]
    titles = ("game", "result", "moves", "symmetries", "positions", "s", "without them", "s", "proof, moves",
              "replayed, s", "method")  # fmt: skip
    print(f"| {' | '.join(titles)} |\n|{len(titles) * '---|'}")
    for text in SOLVED:
        if not wanted or text.split()[0] in wanted:
            print(row(text, quick), flush=True)


if __name__ == "__main__":
    main()
