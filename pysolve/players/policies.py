"""Files of learned policies, which `pysolve policy` writes and `policy=FILE` of a player names.

    {"policy": 1, "game": "hex", "options": {"size": 7}, "rules": "b864fe47a6e493e9", "made": {…}, "gate": {…},
     "weights": [{"count": 1230, "places": "…", "weights": "…"}, {…}]}

One JSON object.  `rules` is the digest of rules and options (`play_digest`), `made` says how the policy was made, and
`gate` how `mcts` played with it against `mcts` without.  Which patterns there are follows from the rules alone.
`weights` are those of the first player and of the second, each of a place; the places that are missing have 0.  Places
are numbers of 32 bits, weights of 16 (`pysolve.players.packed`).  A file is data alone: every number is checked
before it is used.
"""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from pysolve.dsl.analysis.move_patterns import MovePatterns, move_patterns
from pysolve.dsl.analysis.patterns import play_digest
from pysolve.game import Game
from pysolve.players.files import as_argument, named_file, short_text
from pysolve.players.packed import packed, unpacked
from pysolve.search.policy import Policy

FORMAT = 1
LARGEST = 8 << 20  # bytes of a file
MOST_WEIGHTS = 1 << 19


class PolicyError(ValueError):
    """A file holds no learned policy, or one of other rules."""


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """A learned policy, and where it comes from."""

    policy: Policy
    made: dict[str, Any] = field(default_factory=dict)
    gate: dict[str, Any] = field(default_factory=dict)


@lru_cache(maxsize=8)
def patterns_of(game: Game) -> MovePatterns:
    """What a policy of a game looks at."""
    return move_patterns(game.model)


def write(file: PolicyFile, game: Game) -> str:
    """The text of a file, which `read` understands."""
    told = {
        "policy": FORMAT, "game": game.name, "options": dict(game.options), "rules": play_digest(game.model),
        "made": file.made, "gate": file.gate, "weights": [_told(one) for one in file.policy.weights],
    }  # fmt: skip
    return json.dumps(told, separators=(",", ":")) + "\n"


def read(text: str, game: Game) -> PolicyFile:
    """The policy in a text, for a game; raises `PolicyError` for one that is none, or is of other rules."""
    try:
        told = json.loads(text)
        if not isinstance(told, dict) or "policy" not in told:
            raise PolicyError("this is no file of a learned policy")
        if told["policy"] != FORMAT:
            raise PolicyError(f"this pysolve reads learned policies of format {FORMAT}")
        if told["rules"] != play_digest(game.model):
            options = "".join(f" {name}={value}" for name, value in told["options"].items())
            raise PolicyError(
                f"this policy was learned for other rules than those of {game.title}: for {told['game']}{options}; "
                f"learn it again:  pysolve policy {as_argument(game)} -o FILE"
            )
        patterns = patterns_of(game)
        first, second = (_weights(one, patterns.size) for one in told["weights"])
        return PolicyFile(Policy(patterns, (first, second)), dict(told["made"]), dict(told["gate"]))
    except PolicyError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, zlib.error):
        raise PolicyError("the file is damaged: it is no complete file of a learned policy") from None


def _told(weights: Mapping[int, int]) -> dict[str, Any]:
    """The weights of a player as a file has them."""
    rows = sorted((place, weight) for place, weight in weights.items() if weight)
    places, found = array("i", (row[0] for row in rows)), array("h", (row[1] for row in rows))
    return {"count": len(rows), "places": packed(places), "weights": packed(found)}


def _weights(told: Any, size: int) -> dict[int, int]:
    """The weights of a player, each of one of so many places."""
    count = told["count"]
    if type(count) is not int or not 0 <= count <= min(size, MOST_WEIGHTS):
        raise ValueError
    places, weights = unpacked(told["places"], "i", count, LARGEST), unpacked(told["weights"], "h", count, LARGEST)
    if not all(0 <= place < size for place in places):
        raise ValueError
    return dict(zip(places, weights, strict=True))


def policy_in(name: str, game: Game) -> Policy:
    """The policy in a file, for a game; raises `PolicyError`."""
    return policy_file_in(name, game).policy


def policy_file_in(name: str, game: Game) -> PolicyFile:
    """What a file of a policy for a game holds; raises `PolicyError`."""
    path = named_file(name, game)
    try:
        told = path.stat()
    except OSError as error:
        raise PolicyError(f"{name}: {error.strerror or error}") from None
    return _read(path, told.st_mtime_ns, told.st_size, game, name)


@lru_cache(maxsize=8)
def _read(path: Path, _time: int, _size: int, game: Game, name: str) -> PolicyFile:
    """What a file that was last written at this time holds, read once for a game."""
    try:
        return read(short_text(path, LARGEST, "a learned policy"), game)
    except ValueError as error:
        raise PolicyError(f"{name}: {error}") from None
