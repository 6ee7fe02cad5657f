"""Known numbers of move sequences.

In: the `.perft` files of this folder, a line for each game and its options: `zola size=4: 16 256 3836`.  Out:
those lines as data, and a counter that remembers positions.
"""

from dataclasses import dataclass
from pathlib import Path

from pysolve.engines.protocol import Engine, State

FOLDER = Path(__file__).parent
RULES = (FOLDER.parent.parent / "rules", FOLDER.parent / "rules")


@dataclass(frozen=True)
class Known:
    """What is known of one game: counts for depth 1, 2, …"""

    name: str
    options: dict[str, str]
    turns: bool
    counts: tuple[int, ...]

    def __str__(self) -> str:
        return " ".join([self.name, *(f"{name}={value}" for name, value in self.options.items())])

    @property
    def path(self) -> Path:
        """The rules file."""
        return next(path for folder in RULES if (path := folder / f"{self.name}.rules").exists())


def known() -> list[Known]:
    """All lines of all files."""
    found = []
    for path in sorted(FOLDER.glob("*.perft")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                head, _, counts = line.partition(":")
                name, *words = head.split()
                options = dict(word.split("=") for word in words if "=" in word)
                found.append(Known(name, options, "turns" in words, tuple(map(int, counts.split()))))
    return found


class Counter:
    """Perft that remembers positions."""

    def __init__(self, engine: Engine):
        self.engine = engine
        self.known: dict[tuple[State, int], int] = {}

    def moves(self, state: State, depth: int) -> int:
        """The number of sequences of so many moves."""
        if depth == 0:
            return 1
        if (state, depth) not in self.known:
            node = self.engine.expand(state)
            self.known[state, depth] = (
                len(node) if depth == 1 else sum(self.moves(node.child(i), depth - 1) for i in range(len(node)))
            )
        return self.known[state, depth]

    def turns(self, state: State, depth: int) -> int:
        """The number of ways to play so many turns, each to its end."""
        if depth == 0:
            return 1
        if (state, -depth) not in self.known:
            node = self.engine.expand(state)
            children = [node.child(i) for i in range(len(node))]
            self.known[state, -depth] = sum(self.turns(c, depth - (c[0] != state[0])) for c in children)
        return self.known[state, -depth]
