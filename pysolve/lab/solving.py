"""Solving: who wins by best play from a position.

In: a position, limits.  Out: what is known for certain, the play that is expected, a proof that can be replayed.

    exhaustive     every position that can be reached (`pysolve.search.retrograde`): exact values, shortest wins, draws
    proof-number   only what a proof needs (`pysolve.search.proof_number`): for games that are too large for that

What was played before the position counts for nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from dsl import notation
from pysolve.engine import Node, State
from pysolve.position import Move, Position
from pysolve.proofs import Claim, Proof, move_named, refuse_timed
from pysolve.record import option_words, position_word
from pysolve.search.perfect import best_move
from pysolve.search.proof_number import Result, TableFull, prove
from pysolve.search.retrograde import STATES, Table, Tick, TooManyStates, retrograde

EXHAUSTIVE, PROOF_NUMBER = "exhaustive", "proof-number"
SHOWN = 60  # moves of a drawn line, which may have no end

Plan = dict[State, int]  # the place of the move to play in each state


class Limits(NamedTuple):
    """How much may be kept and done; visits and seconds are limits of proof-number search alone."""

    states: int = STATES
    visits: int | None = None
    seconds: float | None = None


DEFAULT = Limits()


@dataclass(frozen=True, slots=True)
class Solution:
    """What is known of a position.

    `claims` are one that a player wins; or that one, or each, of them does not lose; or none.  `positions` were kept.
    """

    position: Position
    method: str
    claims: tuple[Claim, ...]
    line: tuple[Move, ...]  # best play, as far as it is known
    positions: int
    seconds: float
    plans: Callable[[Claim], Plan] = field(repr=False)

    @property
    def winner(self) -> str | None:
        """Who wins by best play; None in a draw, or if that is not known."""
        return self.claims[0].player if self.claims and self.claims[0].wins else None

    @property
    def is_draw(self) -> bool:
        return len(self.claims) == 2

    @property
    def is_solved(self) -> bool:
        """Is it known who wins, or that nobody does?"""
        return self.winner is not None or self.is_draw

    def __str__(self) -> str:
        return sentence(self.claims, self.position)

    def proof(self, game: str) -> Proof:
        """What shows it; `game` is what `load` takes."""
        model = self.position.game.model
        proof = Proof(game, option_words(self.position.game), model.digest, position_word(self.position))
        for claim in self.claims:
            plan = self.plans(claim)
            proof.claims.append((claim, dict(_row(self.position, state, plan[state]) for state in plan)))
        return proof

    def to_dict(self) -> dict[str, Any]:
        """For programs."""
        claims = [{"player": c.player, "result": c.result, "within": c.within} for c in self.claims]
        return {
            "solved": self.is_solved, "winner": self.winner, "draw": self.is_draw,
            "claims": claims, "line": [str(move) for move in self.line], "method": self.method,
            "positions": self.positions, "seconds": round(self.seconds, 3),
        }  # fmt: skip


def sentence(claims: tuple[Claim, ...], position: Position) -> str:
    """What claims say, in words."""
    game = position.game
    is_start = not game.model.draws_lots and position == game.start()
    where = "from the start" if is_start else "from this position"
    if not claims:
        return f"Not solved {where}."
    first = claims[0]
    if first.wins:
        within = "" if first.within is None else f", in {first.within} move{'s' * (first.within != 1)} at most"
        return f"{first.player} wins {where}{within}."
    if len(claims) == 2:
        return f"A draw {where}: neither player can force a win."
    (other,) = (name for name in game.players if name != first.player)
    return f"{other} cannot force a win {where}; whether {first.player} can is not known."


def solve(
    position: Position, method: str | None = None, limits: Limits = DEFAULT, tick: Tick = lambda _: None
) -> Solution:
    """Who wins by best play.

    Without a `method` it is exhaustive, and proof-number where there are too many positions for that.  Raises
    `Undecided` for a game that cannot be solved by positions, and `TooManyStates`.
    """
    refuse_timed(position.game)
    if method != PROOF_NUMBER:
        try:
            return _exhaustive(position, limits, tick)
        except TooManyStates:
            if method == EXHAUSTIVE:
                raise
    return _proof_number(position, limits, tick)


# ------------------------------------------------------------------------------------------ every position


def _exhaustive(position: Position, limits: Limits, tick: Tick) -> Solution:
    began, players = time.monotonic(), position.game.players
    table = retrograde(position.game.engine, position.state, limits.states, tick)
    value = table.values[0]
    if value:
        claims: tuple[Claim, ...] = (Claim(players[0] if value == 1 else players[1], True, table.distances[0]),)
    else:
        claims = tuple(Claim(player, False) for player in players)
    line = _best_line(position, table)
    seconds = time.monotonic() - began
    return Solution(
        position, EXHAUSTIVE, claims, line, len(table), seconds, lambda claim: _plan(position, table, claim)
    )


def _best_line(position: Position, table: Table) -> tuple[Move, ...]:
    """Best play of both; a draw as far as it does not come back to a position."""
    number, line, met = 0, list[Move](), {0}
    while position.legal_moves and len(line) < SHOWN:
        index = best_move(table, number, position.state[0])
        number = table.children(number)[index]
        if number in met:
            break
        met.add(number)
        line.append(position.legal_moves[index])
        position = position.play(line[-1])
    return tuple(line)


def _plan(position: Position, table: Table, claim: Claim) -> Plan:
    """The player's best move in each position that he can come to by such moves."""
    engine, player = position.game.engine, position.game.players.index(claim.player) + 1
    plan: Plan = {}
    met, todo = {0}, [(0, position.state)]
    while todo:
        number, state = todo.pop()
        node, children = engine.expand(state), table.children(number)
        if state[0] == player and len(node):
            plan[state] = index = best_move(table, number, player)
            after = [(children[index], node.child(index))]
        else:
            after = list(zip(children, node.children(), strict=True))
        for child in after:
            if child[0] not in met:
                met.add(child[0])
                todo.append(child)
    return plan


# ------------------------------------------------------------------------------------------ what a proof needs


def _proof_number(position: Position, limits: Limits, tick: Tick) -> Solution:
    """First whether the player to move wins; if he does not, whether the other does.

    Ctrl-C during the second question leaves it open.
    """
    began, players = time.monotonic(), position.game.players
    mover = position.state[0]
    half = Limits(limits.states, limits.visits and limits.visits // 2, limits.seconds and limits.seconds / 2)
    plans: dict[Claim, Plan] = {}
    kept = 0
    for player in (mover, 3 - mover):
        try:
            found = _proven(position, player, half, tick)
        except KeyboardInterrupt:
            if not plans:
                raise
            break
        kept += found.kept
        if found.wins:
            plans = {Claim(players[player - 1], True): found.plan}
            break
        if found.wins is False:
            plans[Claim(players[2 - player], False)] = found.plan
    claims = tuple(plans)
    line = _first_move(position, claims, plans)
    return Solution(position, PROOF_NUMBER, claims, line, kept, time.monotonic() - began, plans.__getitem__)


def _proven(position: Position, player: int, limits: Limits, tick: Tick) -> Result:
    try:
        return prove(position.game.engine, position.state, player, *limits, tick)
    except TableFull:
        return Result(None, {}, 0, limits.states)


def _first_move(position: Position, claims: tuple[Claim, ...], plans: dict[Claim, Plan]) -> tuple[Move, ...]:
    """The move of the player to move, if a plan is his."""
    for claim in claims:
        index = plans[claim].get(position.state)
        if index is not None:
            return (position.legal_moves[index],)
    return ()


# ------------------------------------------------------------------------------------------ as a text


def _row(position: Position, state: State, index: int) -> tuple[str, str]:
    """A position and the move that is played there, as text."""
    game = position.game
    return notation.line(game.model, state, game.base), _move_word(position, game.engine.expand(state), index)


def _move_word(position: Position, node: Node, index: int) -> str:
    """The text of a move; with its kind, if another move has the same text."""
    model = position.game.model
    move = notation.move_dict(model, node.moves[index])
    if move_named(position.game, node, move["move"]) == index:
        return str(move["move"])
    return f"{move['kind']}({', '.join(map(str, move['params'].values()))})"
