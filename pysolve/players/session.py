"""A game in progress: its positions, moves and players, with undo and redo.

In: a position to begin with, and who sits where.  Out: the moves as they are played, taken back, logged and
recorded.  Nothing is asked or printed here; that is the business of `pysolve.cli`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pysolve.dsl.analysis.sampling import by_weight
from pysolve.dsl.notation import seen_text
from pysolve.game import Game
from pysolve.notation.record import UNFINISHED, Record, turns_of
from pysolve.players.functions import Player
from pysolve.position import Move, Outcome, Position
from pysolve.results import FORFEITED, FORFEITS, RESIGNED, given_up
from pysolve.runtime import validation
from pysolve.search.information import observe
from pysolve.search.playouts import lot_of


def roll_of(position: Position, lots: int, number: int) -> Move:
    """What chance does as the move of this number, counted from 0, in a game whose seed is `lots`."""
    weights = position.node.weights
    assert weights is not None, "a player moves here"
    rolled: Move = position.possible_moves[by_weight(lot_of(lots, number), weights)]
    return rolled


class Session:
    """The positions so far, the moves between them, and the players; a seat without a player is played by a person."""

    def __init__(self, start: Position, seats: Mapping[str, Player | None], lots: int = 0):
        """`lots` is the seed of what is left to chance: a roll depends on it, and on how many moves were played."""
        validation.instance("start", start, Position, "a Position")
        validation.instance("seats", seats, Mapping, "a mapping of names to players")
        self.game: Game = start.game
        self.positions = [start]
        self.moves: list[Move] = []
        self.seats = dict(seats)
        self._lots = validation.seed(lots, "lots")
        self._undone: list[list[Move]] = []  # the moves of each undo, the latest at the end
        self._given_up: tuple[str, str, str] | None = None  # by whom, why, and what such an ending is called

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game, by the rules or because a player resigned or forfeited; None while it goes on."""
        if self._given_up is None:
            return self.position.outcome
        return given_up(self.game.players, *self._given_up)

    def rolled(self) -> Move:
        """The move that chance makes now, if it moves: the same one whenever the game comes to this move."""
        return roll_of(self.position, self._lots, len(self.moves))

    def player(self, position: Position | None = None) -> Player | None:
        """The player to move in a position; None for a person."""
        return self.seats[(position or self.position).to_move]

    def play(self, move: Move) -> None:
        """Plays a move; moves that were taken back before cannot be redone after it.

        Raises as `Position.play` does, and changes nothing then.
        """
        self._add(move)
        if self._undone and self._undone[-1][0] == move:
            self._undone[-1].pop(0)
            self._undone = [moves for moves in self._undone if moves]
        else:
            self._undone.clear()

    def _add(self, move: Move) -> None:
        self.positions.append(self.position.play(move))
        self.moves.append(move)

    def undo(self) -> int:
        """Takes moves back until a person has a choice again; the number of moves, 0 if no person had a choice."""
        for count in range(1, len(self.moves) + 1):
            before = self.positions[-1 - count]
            if self.player(before) is None and forced_pass(before) is None and not before.chance:
                self._undone.append(self.moves[-count:])
                del self.positions[-count:], self.moves[-count:]
                return count
        return 0

    def redo(self) -> int:
        """Plays the moves of the last `undo` again; the number of moves, 0 if there are none."""
        if not self._undone:
            return 0
        moves = self._undone.pop()
        for move in moves:
            self._add(move)
        return len(moves)

    def restart(self) -> None:
        """Begins again in the same position, with the same players."""
        del self.positions[1:]
        self.moves.clear()
        self._undone.clear()
        self._given_up = None

    def resign(self) -> None:
        """The player to move resigns."""
        self._given_up = self.position.to_move, f"{self.position.to_move} {RESIGNED}", RESIGNED

    def forfeit(self, why: str) -> None:
        """The player to move loses the game, because the program that should have moved did not."""
        self._given_up = self.position.to_move, f"{self.position.to_move} {FORFEITS}: {why}", FORFEITED

    def log(self) -> list[str]:
        """A line for each move: its number, the player, the move."""
        return [self.entry(number) for number in range(1, len(self.moves) + 1)]

    def told(self, player: str) -> list[str]:
        """The log as a player may read it, in a game with secrets: a line for each move that the player has noticed.

        They are numbered by themselves, so that nobody can count the others.
        """
        engine, model, lines = self.game.engine, self.game.model, list[str]()
        viewer = self.game.players.index(player) + 1
        for before, move, after in zip(self.positions, self.moves, self.positions[1:], strict=False):
            if not observe(engine, before.state, move.numbers, after.state, viewer):
                continue
            own = before.to_move == player and not before.chance
            text = before.written(move) if own else seen_text(model, move.numbers)
            lines.append(f"{len(lines) + 1:>4}. {before.to_move} {text}".rstrip())
        return lines

    def entry(self, number: int) -> str:
        """The line of the log for a move, counted from 1, written as players of the game do."""
        before = self.positions[number - 1]
        move = self.moves[number - 1]
        said = f"{move.kind} {move}" if before.chance else before.written(move)
        return f"{number:>4}. {before.to_move} {said}"

    def record(self, so_far: Record) -> Record:
        """The record of the game, its moves and its result as they are now."""
        outcome = self.outcome
        return replace(
            so_far,
            turns=turns_of(self.positions, self.moves),
            result=UNFINISHED if outcome is None else outcome.result,
            termination="" if outcome is None else outcome.account,
        )


def forced_pass(position: Position) -> Move | None:
    """The pass, if it is the only move."""
    moves = position.legal_moves
    return moves[0] if len(moves) == 1 and moves[0].kind == "pass" else None
