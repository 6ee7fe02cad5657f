"""Which techniques of the strong search (`pysolve.search.strong`) make it stronger in a game: short matches.

In: a game, a number of nodes for each move, candidates.  Out: for each candidate its test against the best so far,
whose place it takes where the test says that it is stronger.

A match is one of pairs of games from random openings with sides swapped, and ends by the sequential test of
`pysolve.lab.sprt`.  Numbers of nodes are the limit, so a busy machine changes nothing; but a position that is only
looked at one move ahead (`look`, `wins`) costs less time than another and counts as much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pysolve.engines.protocol import EngineError
from pysolve.game import Game
from pysolve.lab.pairs import paired
from pysolve.lab.sprt import Sprt
from pysolve.runtime import validation
from pysolve.search.strong import DEFAULT, Techniques, has_strong, text_of

# What is tried, one after the other: what gains most in most games comes first.
CANDIDATES: tuple[dict[str, int], ...] = (
    {"quiet": 0}, {"quiet": 1}, {"wins": 1}, {"futility": 0}, {"futility": 12}, {"late": 0}, {"late": 8},
    {"reduce": 0}, {"reduce": 90}, {"look": 4}, {"look": 2}, {"correct": 1}, {"singular": 6}, {"probable": 24},
    {"forced": 1}, {"internal": 0},
)  # fmt: skip
BEGIN = DEFAULT
GAMES = 400  # of a candidate, at most
NODES = 5_000


@dataclass(frozen=True, slots=True)
class Trial:
    """A candidate, the best before it, and the test of the two so far."""

    candidate: Techniques
    best: Techniques
    test: Sprt

    @property
    def kept(self) -> Techniques:
        """The techniques that are the best after this test."""
        return self.candidate if self.test.verdict else self.best

    @property
    def changed(self) -> str:
        """What the candidate does otherwise than the best before it, as late0."""
        pairs = zip(self.candidate._asdict().items(), self.best, strict=True)
        return "+".join(f"{name}{value}" for (name, value), before in pairs if value != before)

    def to_dict(self) -> dict[str, Any]:
        """For programs: both sides by what differs from the default, and the test."""
        return {"tried": text_of(self.candidate), "against": text_of(self.best), **self.test.to_dict()}


def player_text(techniques: Techniques, limit: str) -> str:
    """The text of the player who searches by these techniques, as in ``player_text(DEFAULT, "time=1")``."""
    words = text_of(techniques)
    return f"minimax:search=strong,{limit}" + f",techniques={words}" * bool(words)


def calibrate(
    game: Game,
    nodes: int = NODES,
    games: int = GAMES,
    candidates: Sequence[dict[str, int]] = CANDIDATES,
    begin: Techniques = BEGIN,
    seed: int = 1,
    processes: int = 1,
) -> Iterator[Trial]:
    """The trials, after each pair of games; those of a candidate end where it is decided, or after so many games.

    The `kept` techniques of the last trial are the best.  The same arguments give the same trials.

    Raises `EngineError` where the engine does not have the strong search.
    """
    validation.instance("game", game, Game, "a Game")
    nodes, games = validation.whole("nodes", nodes, 1), validation.whole("games", games, 2)
    if not has_strong(game.engine):
        raise EngineError(f"the strong search is in C alone, and {game.title} is played by Prolog here")
    best = begin
    for candidate in candidates:
        tried = best._replace(**candidate)
        if tried == best:
            continue
        trial = Trial(tried, best, Sprt())
        one, other = (player_text(each, f"nodes={nodes}") for each in (tried, best))
        for test in paired(game, one, other, games, seed, processes):
            trial = Trial(tried, best, test)
            yield trial
            if test.verdict is not None:
                break
        best = trial.kept
