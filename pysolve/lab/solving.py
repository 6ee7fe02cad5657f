"""Solving: who wins by best play from a position.

In: a position, limits.  Out: what is proven, the best line of play, a proof that can be replayed.

    exhaustive     every position that can be reached (`pysolve.search.retrograde`): exact values, shortest wins, draws
    alpha-beta     depth first, with a table of fixed size (`pysolve.search.decide`): for games that are too large for
                   that, of two players, in which positions do not come again
    proof-number   only what a proof needs (`pysolve.search.proof_number`): for other games that are too large

Of positions that are images of each other by the symmetries of the rules all look at one (`pysolve.search.canonical`).
What they find, lines of play and moves of proofs, is told of the positions themselves.

Moves played before the position do not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from pysolve.dsl import notation
from pysolve.engines.protocol import LimitReached, Node, State
from pysolve.game import Game
from pysolve.lab.proofs import Claim, Proof, move_named, refuse_timed
from pysolve.notation.record import option_words, position_word
from pysolve.position import Move, Position
from pysolve.search.canonical import NONE, Renamings, renamings_of
from pysolve.search.decide import Decider, GoesRound, decide_by, decider_of
from pysolve.search.perfect import best_move
from pysolve.search.proof_number import Result, TableFull, prove
from pysolve.search.retrograde import STATES, Begun, OutOfTime, Stage, Table, Tick, TooManyStates, retrograde

EXHAUSTIVE, ALPHA_BETA, PROOF_NUMBER = "exhaustive", "alpha-beta", "proof-number"
FIRST_STATES = 2_000_000  # of a puzzle, before any solution is sought in the place of a shortest one
TO_FIND_SYMMETRIES = 0.25  # of the time, at most
SHOWN = 60  # moves of a drawn line, which may be endless

Plan = dict[State, int]  # the index of the move to play in each state


class Limits(NamedTuple):
    """Limits: positions kept, visits (not of the exhaustive method), seconds; threads of alpha-beta."""

    states: int = STATES
    visits: int | None = None
    seconds: float | None = None
    threads: int = 1


DEFAULT = Limits()


@dataclass(frozen=True, slots=True)
class Solution:
    """The solution of a position, as far as it is known.

    `claims` says that a player wins, or that one player or each does not lose; it is empty if nothing is known.
    `positions` is the number of positions kept; of alpha-beta, which loses some, that of visits. `plans` gives the
    moves that prove a claim; computing them may take long.
    """

    position: Position
    method: str
    claims: tuple[Claim, ...]
    line: tuple[Move, ...]  # best play, as far as it is known
    positions: int
    seconds: float
    plans: Callable[[Claim], Plan] = field(repr=False)
    unsolvable: bool = False  # of a puzzle: it is proven that nothing leads to its solution
    images: int = 1  # of a position, counted once, itself included: at most so many are
    interrupted: bool = False  # did Ctrl-C end it, when a part of the answer was known?

    @property
    def winner(self) -> str | None:
        """Who wins by best play; None in a draw, or if that is not known."""
        return self.claims[0].player if self.claims and self.claims[0].wins else None

    @property
    def is_draw(self) -> bool:
        """True if it is proven for each player that the opponent cannot win."""
        return len(self.claims) == 2

    @property
    def is_solved(self) -> bool:
        """Is it known who wins, or that nobody does?"""
        return self.winner is not None or self.is_draw or self.unsolvable

    @property
    def fewest(self) -> bool:
        """Of a puzzle: is there no solution in fewer moves?"""
        return self.method == EXHAUSTIVE

    def __str__(self) -> str:
        if len(self.position.game.players) > 1:
            return sentence(self.claims, self.position)
        where = beginning(self.position)
        if self.winner is None:
            return f"There is no solution {where}." if self.unsolvable else f"Not solved {where}."
        count, fewest = len(self.line), ", the fewest" if self.fewest else ""
        return f"Solved {where} in {count} move{'s' * (count != 1)}{fewest}."

    def proof(self, game: str) -> Proof:
        """A proof of the claims that can be written to a file; `game` is an argument for `load`."""
        model = self.position.game.model
        proof = Proof(game, option_words(self.position.game), model.digest, position_word(self.position))
        for claim in self.claims:
            plan = self.plans(claim)
            proof.claims.append((claim, dict(_row(self.position, state, plan[state]) for state in plan)))
        return proof

    def to_dict(self) -> dict[str, Any]:
        """For programs."""
        claims = [{"player": c.player, "result": c.result, "within": c.within} for c in self.claims]
        alone = {"unsolvable": self.unsolvable} if len(self.position.game.players) == 1 else {}
        return {
            "solved": self.is_solved, **alone, "winner": self.winner, "draw": self.is_draw,
            "claims": claims, "line": [str(move) for move in self.line], "method": self.method,
            "positions": self.positions, "images": self.images, "seconds": round(self.seconds, 3),
        }  # fmt: skip


def sentence(claims: tuple[Claim, ...], position: Position) -> str:
    """The claims as a sentence."""
    game, where = position.game, beginning(position)
    if not claims:
        return f"Not solved {where}."
    first = claims[0]
    if first.wins:
        within = "" if first.within is None else f", in at most {first.within} move{'s' * (first.within != 1)}"
        return f"The winner {where}: {first.player}{within}."
    if len(claims) == 2:
        return f"A draw {where}: neither player can force a win."
    (other,) = (name for name in game.players if name != first.player)
    return f"{other} cannot force a win {where}; whether {first.player} can is not known."


def beginning(position: Position) -> str:
    """Whether it is the start that is spoken of."""
    is_start = not position.game.model.draws_lots and position == position.game.start()
    return "from the start" if is_start else "from this position"


def solve(
    position: Position,
    method: str | None = None,
    limits: Limits = DEFAULT,
    tick: Tick = lambda _: None,
    begun: Begun = lambda _: None,
    symmetries: bool = True,
) -> Solution:
    """Who wins by best play.

    Without a `method` it is exhaustive, then alpha-beta if there are too many positions, or if half of the time is used
    up, and proof-number where positions come again so often that alpha-beta gives up.  In a game of one player there
    are too many sooner, and it is proof-number then.  Without `symmetries` each position is looked at for
    itself.  `begun` is called with each stage, `tick` with the steps newly done in it.  Raises `Undecided` for a game
    that cannot be solved by positions alone, and `TooManyStates` if the exhaustive method was asked for.
    """
    refuse_timed(position.game)
    began = time.monotonic()
    group = symmetries_in_time(position.game, limits.seconds, tick, begun) if symmetries else NONE
    states = limits.states
    if method is None and len(position.game.players) == 1:
        states = min(states, FIRST_STATES)
    if method in (EXHAUSTIVE, None):
        share = 1.0 if method == EXHAUSTIVE else 0.5
        until = None if limits.seconds is None else began + share * limits.seconds
        try:
            return _exhaustive(position, states, until, tick, begun, group)
        except TooManyStates:
            if method == EXHAUSTIVE:
                raise
        except OutOfTime as error:
            if method == EXHAUSTIVE:
                return Solution(position, EXHAUSTIVE, (), (), error.kept, time.monotonic() - began, lambda _: {})
    if limits.seconds is not None:
        limits = limits._replace(seconds=max(0.0, began + limits.seconds - time.monotonic()))
    found = _searched(position, method, limits, tick, begun, group.keeping_players)
    return replace(found, seconds=time.monotonic() - began)


def _searched(
    position: Position, method: str | None, limits: Limits, tick: Tick, begun: Begun, group: Renamings
) -> Solution:
    """By alpha-beta, or where that does not apply, or gives up, by proof-number search; `method` says which."""
    began = time.monotonic()
    if method == ALPHA_BETA or (method is None and len(position.game.players) == 2):
        try:
            return _by_alpha_beta(position, limits, tick, begun, group)
        except (GoesRound, LimitReached):
            if method == ALPHA_BETA:
                raise
    if limits.seconds is not None:
        limits = limits._replace(seconds=max(0.0, began + limits.seconds - time.monotonic()))
    return _by_proof_number(position, limits, tick, begun, group)


def symmetries_in_time(game: Game, seconds: float | None, tick: Tick, begun: Begun) -> Renamings:
    """The symmetries of the rules that are found in the first part of so many seconds, all of them if it is None."""
    begun(Stage("possible symmetries"))
    until = None if seconds is None else time.monotonic() + TO_FIND_SYMMETRIES * seconds
    return renamings_of(game.model, until, tick)


def is_puzzle(game: Game) -> bool:
    """Can a solution be sought: does one play alone, without chance, and depend endings on the position alone?"""
    return len(game.players) == 1 and not game.model.chances and game.model.timed is None


class Guide:
    """Solutions of a puzzle for whoever tries it: it solves again only where somebody has left the last solution."""

    def __init__(self) -> None:
        self._known: dict[State, Solution] = {}

    def at(self, position: Position, limits: Limits = DEFAULT) -> Solution:
        """A solution from a position, or what the limits allow to know; raises `Undecided` as `solve` does."""
        if position.state not in self._known:
            found = solve(position, limits=limits)
            self._known = dict(_on_the_way(found))
            return found
        return self._known[position.state]


def _on_the_way(solution: Solution) -> Iterator[tuple[State, Solution]]:
    """A solution as it is seen from each position of its line."""
    position = solution.position
    for place, move in enumerate(solution.line):
        yield position.state, replace(solution, position=position, line=solution.line[place:])
        position = position.play(move)


# ------------------------------------------------------------------------------------------ every position


def _exhaustive(
    position: Position, states: int, until: float | None, tick: Tick, begun: Begun, group: Renamings
) -> Solution:
    began, players, start = time.monotonic(), position.game.players, position.state
    table = retrograde(position.game.engine, start, states, tick, until, begun, group)
    worth, lone = table.worth(start), len(players) == 1
    assert worth is not None
    if lone:
        claims: tuple[Claim, ...] = (Claim(players[0], True, worth.distance),) * (worth.value > 0)
    elif worth.value:
        claims = (Claim(players[0] if worth.value == 1 else players[1], True, worth.distance),)
    else:
        claims = tuple(Claim(player, False) for player in players)
    line = _best_line(position, table, max(SHOWN, worth.distance if lone else 0)) if claims else ()
    seconds = time.monotonic() - began
    return Solution(
        position, EXHAUSTIVE, claims, line, len(table), seconds, lambda claim: _plan(position, table, claim),
        unsolvable=lone and not claims, images=group.order,
    )  # fmt: skip


def _best_line(position: Position, table: Table, most: int) -> tuple[Move, ...]:
    """Best play of both players; a drawn line ends where it would repeat a position."""
    line, met = list[Move](), {position.state}
    while position.legal_moves and len(line) < most:
        node = position.game.engine.expand(position.state)
        index = best_move(table, position.state[0], node.children())
        if node.child(index) in met:
            break
        line.append(position.legal_moves[index])
        position = position.play(line[-1])
        met.add(position.state)
    return tuple(line)


def _plan(position: Position, table: Table, claim: Claim) -> Plan:
    """The player's best move in each position that can be reached by playing so."""
    engine, player = position.game.engine, position.game.players.index(claim.player) + 1
    plan: Plan = {}
    met, todo = {position.state}, [position.state]
    while todo:
        state = todo.pop()
        children = list(engine.expand(state).children())
        if state[0] == player and children:
            plan[state] = best_move(table, player, children)
            children = [children[plan[state]]]
        for child in children:
            if child not in met:
                met.add(child)
                todo.append(child)
    return plan


# ------------------------------------------------------------------------------------------ a question for each player

Asking = Callable[[int, Limits], Result]  # does this player win?


def _by_proof_number(position: Position, limits: Limits, tick: Tick, begun: Begun, group: Renamings) -> Solution:
    if len(position.game.players) == 1:
        return _solitaire(position, limits, tick, begun, group)
    return _asked(
        position, PROOF_NUMBER, limits, begun, group, lambda player, half: _proven(position, player, half, tick, group)
    )


def _by_alpha_beta(position: Position, limits: Limits, tick: Tick, begun: Begun, group: Renamings) -> Solution:
    engine = position.game.engine
    searcher = decider_of(engine, limits.states, group, limits.threads)

    def ask(player: int, half: Limits) -> Result:
        found = decide_by(searcher, engine, position.state, player, half.visits, half.seconds, tick)
        return replace(found, kept=found.visits)

    return _asked(
        position, ALPHA_BETA, limits, begun, group, ask, lambda: _course(position, searcher), lambda: not searcher.drawn
    )


def _course(position: Position, searcher: Decider) -> str:
    """The first moves of what is being searched: `d1 (1 of 7), d2 (4 of 7)`."""
    words = list[str]()
    for move, number, count in searcher.course():
        moves = list(position.game.engine.expand(position.state).moves)
        if move not in moves:  # the search has gone on meanwhile
            break
        chosen = position.legal_moves[moves.index(move)]
        words.append(f"{chosen} ({number} of {count})")
        position = position.play(chosen)
    return ", ".join(words)


def _asked(
    position: Position, method: str, limits: Limits, begun: Begun, group: Renamings, ask: Asking,
    where: Callable[[], str] | None = None, decisive: Callable[[], bool] = lambda: False,
) -> Solution:  # fmt: skip
    """Searches whether the player to move wins; if not, whether the opponent does, unless `decisive` says that the
    search has met no end but wins of either.

    Ctrl-C during the second search leaves that question open.
    """
    began, players = time.monotonic(), position.game.players
    mover = position.state[0]
    visits = None if limits.visits is None else limits.visits // 2
    half = limits._replace(visits=visits, seconds=None if limits.seconds is None else limits.seconds / 2)
    results: dict[Claim, Result] = {}
    kept, interrupted = 0, False
    for player in (mover, 3 - mover):
        begun(Stage(f"does {players[player - 1]} win", None if visits is None else lambda: visits, where))
        try:
            found = ask(player, half)
        except KeyboardInterrupt:
            if not results:
                raise
            interrupted = True
            break
        kept += found.kept
        if found.wins:
            results = {Claim(players[player - 1], True): found}
            break
        if found.wins is False and decisive():
            other = 3 - player
            plan = lambda: ask(other, limits._replace(visits=None, seconds=None)).plan
            results[Claim(players[other - 1], True)] = replace(found, gathered=plan)
            break
        if found.wins is False:
            results[Claim(players[2 - player], False)] = found
    first = next((one.first for one in results.values() if one.first is not None), None)
    line = () if first is None else (position.legal_moves[first],)
    seconds = time.monotonic() - began
    return Solution(position, method, tuple(results), line, kept, seconds, lambda claim: results[claim].plan,
                    images=group.order, interrupted=interrupted)  # fmt: skip


def _solitaire(position: Position, limits: Limits, tick: Tick, begun: Begun, group: Renamings) -> Solution:
    """Searches a solution of a puzzle, which need not be a shortest one."""
    began, player, visits = time.monotonic(), position.game.players[0], limits.visits
    begun(Stage("is there a solution", None if visits is None else lambda: visits))
    found = _proven(position, 1, limits, tick, group)
    line = list[Move]()
    plan = found.plan if found.wins else {}
    last = position
    while last.state in plan:
        line.append(last.legal_moves[plan[last.state]])
        last = last.play(line[-1])
    claims = (Claim(player, True, len(line)),) if found.wins else ()
    seconds = time.monotonic() - began
    return Solution(position, PROOF_NUMBER, claims, tuple(line), found.kept, seconds, lambda claim: plan,
                    unsolvable=found.wins is False, images=group.order)  # fmt: skip


def _proven(position: Position, player: int, limits: Limits, tick: Tick, group: Renamings) -> Result:
    try:
        states, visits, seconds, _ = limits
        return prove(position.game.engine, position.state, player, states, visits, seconds, tick, group)
    except TableFull:
        return Result(None, 0, limits.states)


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
