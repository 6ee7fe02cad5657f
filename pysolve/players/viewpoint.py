"""A game as one of its players looks at it: positions and moves stay, what they are worth does not.

In: a game, a player's number, settings of a program.  Out: a game that a search can think by in place of it.

    terms       the only lines of the `evaluate` block that count
    onesided    the lines that count for this player alone: what they say for the opponent is not subtracted
    stuck       an opponent who can only pass has lost
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import lru_cache

from pysolve.dsl.model import BOOL, INT, Const, Ending, Get, Mobility, Term, Test, Var, Winner
from pysolve.dsl.model import Game as Model
from pysolve.dsl.player_texts import check_terms
from pysolve.game import Game


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """The part of the rules that a player takes into account; by default all of them."""

    terms: tuple[str, ...] = ()  # none: all of them
    onesided: tuple[str, ...] = ()
    stuck: bool = False


def seen_by(game: Game, player: int, view: Viewpoint) -> Game:
    """The game as a player looks at it; raises `UnknownPlayer` if it does not have the lines that are named."""
    if view == Viewpoint():
        return game
    return _seen(game, player if view.onesided or view.stuck else 0, view)


@lru_cache(maxsize=16)
def _seen(game: Game, player: int, view: Viewpoint) -> Game:
    model = game.model
    check_terms((*view.terms, *view.onesided), model)
    terms = tuple(_term(term, player, view) for term in model.terms if not view.terms or term.name in view.terms)
    endings = (*model.endings, _lost(model, 3 - player)) if view.stuck and model.stuck is None else model.endings
    digest = hashlib.sha256(f"{model.digest} seen by {player} as {view}".encode()).hexdigest()[:16]
    return Game(replace(model, terms=terms, endings=endings, digest=digest), game.engine_name)


def _term(term: Term, player: int, view: Viewpoint) -> Term:
    return replace(term, only=player) if term.name in view.onesided else term


def _lost(model: Model, player: int) -> Ending:
    """The ending at which a player is to move who has no move but a pass: he loses."""
    winner, loser, moves = Const(3 - player, model.players), Const(player, model.players), Var("moves", INT)
    turn_over = (Get("again", (), Const(0, BOOL), ()),) if "again" in model.slots else ()
    body = (  # in an ending the mover is who has just moved
        Get("mover", (), winner, ()),
        *turn_over,
        Mobility(moves, loser),
        Test("=", moves, Const(0, INT)),
    )
    span = model.actions[0].span
    return Ending(Winner(winner, None), body, "the opponent has no move", None, (), None, span)
