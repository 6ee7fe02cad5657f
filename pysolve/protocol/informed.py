"""Who plays for an interface in a game with secrets: by what it tells that a player knows, and nothing else.

In: the word of `pysolve.notation.known`.  Out: a move.  The legal moves are those of a state that agrees with what the
player knows; they are the same in all of them, which `pysolve check` looks for.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pysolve.dsl.notation import NotationError
from pysolve.engines.protocol import Node
from pysolve.game import Game
from pysolve.notation import known
from pysolve.players.functions import Player
from pysolve.position import LegalMoves, Move, Position
from pysolve.protocol.limits import FOREVER
from pysolve.search.hidden.belief import Belief
from pysolve.search.hidden.ismcts import ismcts
from pysolve.search.information import in_words, noticed
from pysolve.view import View

GLANCE = 8  # such a part of a limit has a first search, for whoever says stop before the end
QUICK = 8  # guesses of a first search, and of whoever needs the legal moves alone: many take long in games of cards
MOST = 64  # guesses of a search


@dataclass(frozen=True)
class Informed:
    """What a player knows: as much of a position as players read who go by what they know."""

    game: Game
    to_move: str  # the player who knows it
    knows: bytes
    moves: tuple[str, ...] = ()  # the legal moves as the interface tells them, if it does

    @classmethod
    def told(cls, game: Game, text: str) -> Informed:
        """What a text tells; raises `NotationError`."""
        return cls(game, *known.read(game.model, text), known.moves(text))

    @property
    def number(self) -> int:
        """The player, from 1."""
        return self.game.players.index(self.to_move) + 1

    @property
    def view(self) -> View:
        """What the player sees now."""
        *_, (_, state, _) = noticed(self.game.model, self.knows)
        return View(self.game, self.to_move, state)

    @cached_property
    def beliefs(self) -> dict[int, Belief]:
        """What the player believes, by the number of guesses: gone on with where it was abandoned."""
        return {}

    def belief(self, guesses: int = MOST) -> Belief:
        """What the player believes, in so many guesses."""
        return self.beliefs.setdefault(guesses, Belief(self.game.engine, self.number, guesses))

    @cached_property
    def possible(self) -> Position:
        """A position that agrees with what the player knows; raises `NotationError` if there is none."""
        guesses = self.belief(QUICK).guesses(self.knows, 0) or self.belief().guesses(self.knows, 0)
        if not guesses:
            who = self.to_move
            raise NotationError(f"no position was found where {who} is to move and all that {who} knows is so")
        return Position(self.game, guesses[0].state)

    @property
    def node(self) -> Node:
        """The legal moves as the engine gives them."""
        return self.possible.node

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves."""
        return self.possible.legal_moves

    def known_by(self, player: str) -> bytes:
        """What the player knows, of whom alone that is known."""
        assert player == self.to_move
        return self.knows

    def information(self, player: str) -> str:
        """The same as text."""
        return in_words(self.game.model, self.known_by(player))

    @property
    def told_move(self) -> str | None:
        """The text of the first move that the interface has told, and that is one move; None if it has told none."""
        return next((text for text, count in Counter(self.moves).items() if count == 1 and text.isprintable()), None)


def choices(about: Informed, level: Player | None, nodes: int | None, seconds: float) -> Iterator[Move]:
    """Better and better moves: the first one, that of a level, or of searches; without a limit they go on for ever.

    All of it takes so many seconds, what the player believes included: as many guesses as there is time for.
    """
    began = time.monotonic()
    until, first = began + seconds, about.legal_moves[0]
    each = (time.monotonic() - began) / QUICK or 1e-9  # seconds that a guess takes
    yield first
    if level is not None:
        yield level(about)  # type: ignore[arg-type]  # it reads nothing of a position but what is here
        return
    if len(about.legal_moves) == 1:
        return
    part, endless, seed = 1 / GLANCE, nodes is None and seconds >= FOREVER, 0
    while part <= 1 or endless:
        affordable = (until - time.monotonic()) / 2 / each if seed else 0.0
        guesses = MOST if nodes is not None else max(QUICK, int(min(affordable, MOST)))
        many = nodes and max(1, round(nodes * part))
        left = max(0.0, until - time.monotonic())
        long = part if endless else min(seconds * part, left) if seconds < FOREVER else None
        found = ismcts(about.belief(guesses), about.knows, None, many, long, seed)
        if found.best is not None:
            yield about.legal_moves[about.node.moves.index(found.best)]
        part, seed = 2 * part if endless or part >= 1 else 1, seed + 1
