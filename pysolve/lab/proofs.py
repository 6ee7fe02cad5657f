"""Proofs: who wins by best play, or does not lose, with the moves that show it; and their replay.

    {"proof": 1, "game": "zola", "options": {"size": "4"}, "rules": "5df0f1f8e2a7c1d3", "position": "BRBR/RBRB/… Red"}
    {"player": "Red", "result": "wins", "within": 19, "positions": 2}
    ["BRBR/RBRB/BRBR/RBRB Red", "a1xb1"]
    ["BRBR/RBRB/BR.R/RBBB Red", "d4xd3"]

Each line is JSON.  The first names the game and the position.  Then comes a claim or two, each with the move of its
player in every position where he is to move, whatever the other does.  A claim that he wins holds if each game that is
played so ends with his win; a claim that he does not lose, if none ends with his loss, and games may go on for ever.
`rules` is the digest of rules and options.

`replay` plays all these games.  It asks the engine for legal moves and results and nothing else; nothing here knows how
a proof was found.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pysolve.dsl import notation
from pysolve.engines.protocol import Engine, EngineError, Node, State
from pysolve.game import Game, find_named
from pysolve.position import Position

FORMAT = 1
WINS, HOLDS = "wins", "does not lose"

Tick = Callable[[int], None]


class ProofError(ValueError):
    """A text is not a proof, or is one for other rules."""


class Refuted(ProofError):
    """A proof does not show what it claims."""


class Undecided(EngineError):
    """The result of best play depends on more than the position, so that the game cannot be solved."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim about a position: a player wins, within `within` moves if that is not None, or does not lose."""

    player: str
    wins: bool
    within: int | None = None

    @property
    def result(self) -> str:
        """The claim as a proof file names it: "wins" or "does not lose"."""
        return WINS if self.wins else HOLDS


@dataclass(frozen=True, slots=True)
class Proof:
    """Claims about a position, each with the player's moves: by position, both as text."""

    game: str  # what `load` takes: a shipped name or the path of a rules file
    options: dict[str, str]
    rules: str  # digest of rules and options
    position: str
    claims: list[tuple[Claim, dict[str, str]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Replayed:
    """The replay of a claim: the number of positions, and of those with a move of the player."""

    claim: Claim
    positions: int
    moves: int
    longest: int | None  # moves of the longest game; None if games may be endless

    @property
    def shown(self) -> Claim:
        """The claim with the number of moves that was seen."""
        return Claim(self.claim.player, self.claim.wins, self.longest)


def refuse_timed(game: Game) -> None:
    """Raises `Undecided` for a game whose end depends on more than positions."""
    ending = game.model.timed
    if ending is not None:
        asks = (
            "the number of turns that were played" if ending.turns is not None else "how often a position has occurred"
        )
        raise Undecided(
            f"{game.title} cannot be solved by positions: line {ending.span.line} of its rules depends on {asks}, "
            "so the same position may be won in one game and not in another"
        )


# ------------------------------------------------------------------------------------------------ as a text


def write(proof: Proof) -> Iterator[str]:
    """The lines of a proof as text, which `read` parses."""
    head = {"proof": FORMAT, "game": proof.game, "options": proof.options, "rules": proof.rules,
            "position": proof.position}  # fmt: skip
    yield _json(head)
    for claim, moves in proof.claims:
        within = {} if claim.within is None else {"within": claim.within}
        yield _json({"player": claim.player, "result": claim.result, **within, "positions": len(moves)})
        for position, move in moves.items():
            yield _json([position, move])


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def read(lines: Iterable[str]) -> Proof:
    """The proof that lines hold; raises `ProofError` with the line that is wrong."""
    proof, left = None, 0
    for number, line in enumerate(lines, 1):
        try:
            found = json.loads(line)
            if proof is None:
                proof = _head(found)
            elif left:
                position, move = found
                moves = proof.claims[-1][1]
                if not isinstance(position, str) or not isinstance(move, str) or position in moves:
                    raise ValueError
                moves[position] = move
                left -= 1
            else:
                claim, left = _claim(found)
                if any(claim.player == other.player for other, _ in proof.claims):
                    raise ProofError(f"{claim.player} already has a claim")
                proof.claims.append((claim, {}))
        except ProofError as error:
            raise ProofError(f"line {number}: {error}") from None
        except (ValueError, TypeError, KeyError, AttributeError):
            wanted = "a position and a move, each once" if left else "a claim" if proof else "the beginning of a proof"
            raise ProofError(f"line {number} is not {wanted}: {line.strip()[:80]}") from None
    if proof is None or not proof.claims or left:
        raise ProofError("this is not a complete proof: its end is missing")
    return proof


def _head(found: Any) -> Proof:
    if found["proof"] != FORMAT:
        raise ProofError(f"this pysolve reads proofs of format {FORMAT}, not {found['proof']}")
    texts = [found["game"], found["rules"], found["position"], *found["options"].values()]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError
    return Proof(found["game"], dict(found["options"]), found["rules"], found["position"])


def _claim(found: Any) -> tuple[Claim, int]:
    within, positions = found.get("within"), found["positions"]
    right = found["result"] in (WINS, HOLDS) and isinstance(within, int | None) and isinstance(positions, int)
    if not right or positions < 0:
        raise TypeError
    return Claim(str(found["player"]), found["result"] == WINS, within), positions


# ------------------------------------------------------------------------------------------------ replayed


def game_of(proof: Proof, folder: Path = Path(), engine: str = "auto") -> Game:
    """The game of a proof: a shipped one, or rules in `folder`, in this one, or below them.

    Raises `UnknownGame` if there are none, and `ProofError` if they have changed.
    """
    source, folders = find_named(proof.game, folder, Path())
    game = Game.read(source, folders, proof.options, engine)
    if game.model.digest != proof.rules:
        raise ProofError(
            f"the proof is for other rules of {game.title}: for {proof.rules}, and they are now {game.model.digest}"
        )
    return game


def replay(proof: Proof, game: Game, tick: Tick = lambda _: None) -> Iterator[Replayed]:
    """Plays every game that a proof speaks of, claim by claim; raises `Refuted` where one does not go as claimed."""
    refuse_timed(game)
    start = game.position(proof.position)
    for claim, moves in proof.claims:
        if claim.player not in game.players:
            raise Refuted(f'{game.title} has no seat "{claim.player}"')
        yield _Replay(game, claim, moves, tick).run(start)


class _Replay:
    """All games in which the player of a claim moves as the proof says and the opponent makes any moves."""

    def __init__(self, game: Game, claim: Claim, moves: dict[str, str], tick: Tick):
        self._game = game
        self._engine: Engine = game.engine
        self._claim = claim
        self._moves = moves
        self._tick = tick
        self._player = game.players.index(claim.player) + 1
        self._used = 0

    def run(self, start: Position) -> Replayed:
        """Goes through all positions, depth first.

        A position is open while what follows from it is looked at; who comes to one that is open goes in a circle.
        """
        open_ = -1
        longest: dict[State, int] = {}  # moves to the end, at most
        todo: list[tuple[State, list[State] | None]] = [(start.state, None)]
        while todo:
            state, after = todo.pop()
            if after is not None:
                longest[state] = 1 + max(longest[child] for child in after)
            elif state not in longest:
                after = self._after(state)
                self._tick(1)
                longest[state] = open_ if after else 0
                if after:
                    todo.append((state, after))
                    todo += [(child, None) for child in after if child not in longest or self._claim.wins]
            elif longest[state] == open_ and self._claim.wins:
                raise Refuted(f"{self._claim.player} repeats a position at {self._named(state)}")
        if self._used < len(self._moves):
            raise Refuted(f"{len(self._moves) - self._used:,} positions of the proof are never reached")
        most = longest[start.state] if self._claim.wins else None
        within = self._claim.within
        if most is not None and within is not None and most > within:
            raise Refuted(f"a game can take {most} moves, more than the {within} claimed")
        return Replayed(self._claim, len(longest), self._used, most)

    def _after(self, state: State) -> list[State]:
        """The states that may follow; none when the game is over, as it was claimed to end."""
        node = self._engine.expand(state)
        if node.payoff is not None:
            result = node.payoff[self._player - 1]
            if result < (1 if self._claim.wins else 0):
                ended = "is lost" if result < 0 else "is a draw"
                raise Refuted(f"the game {ended} for {self._claim.player} at {self._named(state)}")
            return []
        if state[0] != self._player:
            return list(dict.fromkeys(node.children()))
        self._used += 1
        return [node.child(self._chosen(state, node))]

    def _chosen(self, state: State, node: Node) -> int:
        """The index of the move that the proof gives."""
        name = self._named(state)
        text = self._moves.get(name)
        if text is None:
            raise Refuted(f"the proof has no move for {self._claim.player} at {name}")
        index = move_named(self._game, node, text)
        if index is None:
            raise Refuted(f"{text} is not legal at {name}")
        return index

    def _named(self, state: State) -> str:
        return notation.line(self._game.model, state, self._game.base)


def move_named(game: Game, node: Node, text: str) -> int | None:
    """The index of the legal move that a text means; None if there is none."""
    for index, move in enumerate(node.moves):
        if notation.move_text(game.model, move) == text:
            return index
    readings = notation.readings(game.model, text)
    return next((index for index, move in enumerate(node.moves) if move in readings), None)
