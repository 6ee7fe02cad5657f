"""The rules that one player thinks by: positions and moves stay as they are, what they are worth does not.

In: a game, a player's number, settings of a program.  Out: a game that a search can think by in place of it.

    terms       the only lines of the `evaluate` block that count
    onesided    the lines that count for this player alone: what they say for the opponent is not subtracted
    stuck       an opponent who can only pass has lost
    cheat       nothing is secret
    values      learned values, in the place of the whole block
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import lru_cache

from pysolve.dsl.model import BOOL, INT, Const, Ending, Get, Mobility, Term, Test, Var, Winner
from pysolve.dsl.model import Game as Model
from pysolve.dsl.player_texts import check_terms
from pysolve.game import Game
from pysolve.search.learned import Values, ValuingEngine


@dataclass(frozen=True, slots=True)
class OwnRules:
    """The part of the rules that a player takes into account; by default all of them."""

    terms: tuple[str, ...] = ()  # none: all of them
    onesided: tuple[str, ...] = ()
    stuck: bool = False
    cheat: bool = False
    values: Values | None = None


def by_own_rules(game: Game, player: int, own: OwnRules) -> Game:
    """The game by rules of one's own; raises `UnknownPlayer` if it does not have the lines that are named."""
    if not game.model.secret:
        own = replace(own, cheat=False)
    if own == OwnRules():
        return game
    return _changed(game, player if own.onesided or own.stuck else 0, own)


@lru_cache(maxsize=16)
def _changed(game: Game, player: int, own: OwnRules) -> Game:
    model = game.model
    check_terms((*own.terms, *own.onesided), model)
    terms = tuple(_term(term, player, own) for term in model.terms if not own.terms or term.name in own.terms)
    endings = (*model.endings, _lost(model, 3 - player)) if own.stuck and model.stuck is None else model.endings
    digest = hashlib.sha256(f"{model.digest} seen by {player} as {own}".encode()).hexdigest()[:16]
    slots, actions = model.slots, model.actions
    if own.cheat:
        slots = {name: replace(slot, seen="") for name, slot in slots.items()}
        actions = tuple(replace(action, seen=None) for action in actions)
    if own.values is not None:
        digest = hashlib.sha256(f"{model.digest} by values {own.values.digest}".encode()).hexdigest()[:16]
        valued = game.beside(digest)
        assert isinstance(valued.engine, ValuingEngine)
        valued.engine.think_by(own.values)
        return valued
    changed = replace(model, terms=terms, endings=endings, digest=digest, slots=slots, actions=actions)
    return Game(changed, game.engine_name)


def _term(term: Term, player: int, own: OwnRules) -> Term:
    return replace(term, only=player) if term.name in own.onesided else term


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
