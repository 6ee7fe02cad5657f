"""Captures: which effects of a move take men of the others off their places, and which moves have such effects?

In: a kind of move of a game for two players or more.  Out: the effects that decide it, from the position before the
move; and, with two players, bodies that find the captures alone, or little more.

What they say decides what a search looks at first, or at all beyond its horizon, and no legal move, ending or claim.
"""

from __future__ import annotations

from typing import Any, assert_never

from pysolve.dsl.model import (
    Action,
    Again,
    Assign,
    Body,
    Compute,
    Const,
    Effects,
    EffectStep,
    Exists,
    Find,
    ForAll,
    Game,
    Get,
    Not,
    Pick,
    Push,
    Repeat,
    Step,
    Take,
    TurnTo,
    Var,
    When,
)
from pysolve.dsl.model.properties import bound, chooses, given_vars
from pysolve.dsl.model.steps import mentions

MANY = 6  # bodies of one kind of moves: where there are more, all of its moves are as quick to find


def that_move_men(game: Game, action: Action) -> Effects | None:
    """The effects that write who owns a man, with what they need; None if they read what others have written."""
    men = {name for name, slot in game.slots.items() if any(slot.offset in part for part in game.men)}
    first, *later = [_among(effects, men) for effects in action.rounds] or [()]
    return None if any(later) else first


def _among(effects: Effects, men: set[str]) -> Effects:
    kept: list[EffectStep] = []
    for effect in reversed(effects):
        match effect:
            case Assign(slot=slot) if slot in men:
                kept.append(effect)
            case Compute(body) if any(mentions(kept, var) for step in body for var in bound(step)):
                kept.append(effect)
            case When(test, then, otherwise, span):
                then, otherwise = _among(then, men), _among(otherwise, men)
                if then or otherwise:
                    kept.append(When(test, then, otherwise, span))
            case ForAll(body, inner, span):
                if writing := _among(inner, men):
                    kept.append(ForAll(body, writing, span))
            case Assign() | Compute() | Push() | Take() | Again() | TurnTo() | Pick() | Repeat():
                pass  # of something else, or too rare to be worth an answer
            case other:
                assert_never(other)
    return tuple(reversed(kept))


def that_capture(game: Game, action: Action, body: Body) -> tuple[Body, ...] | None:
    """Bodies that find, some of them perhaps several times, those moves of a kind that take men; None: all of them do,
    or nobody knows which.

    `body` finds all moves of the kind.  To it is added that a place which the effects write holds a man of the
    opponent, as early as what says the place is known.
    """
    if len(game.players.labels) != 2 or "opponent" not in game.tables:
        return None
    effects = that_move_men(game, action)
    writes = None if effects is None else _writes(game, effects, ())
    if writes is None or len(writes) > MANY:
        return None
    me, other = (Var(f"{name} of men", game.players) for name in ("mover", "opponent"))
    roles = Get("mover", (), me, (me,)), Find("opponent", (me, other), (other,))
    found = list[Body]()
    for before, write in writes:
        holds = _holds(game, body, write)
        if holds == "opponent":
            return None
        if holds == "":
            test = (*before, Get(write.slot, write.args, other, ()))
            if any(chooses(step, game.tables) for step in before):
                test = (Exists(test),)
            found.append((*roles, *_as_early(body, test)))
    return tuple(found)


def _writes(game: Game, effects: Effects, before: Body) -> list[tuple[Body, Assign]] | None:
    """Each place that effects write, with the steps that lead to it; None where they are written in other ways."""
    found = list[tuple[Body, Assign]]()
    for effect in effects:
        inner: list[tuple[Body, Assign]] | None = []
        match effect:
            case Assign():
                inner = [(_needed(before, effect.args), effect)]
            case Compute(body):
                before = (*before, *body)
            case When(test, then, otherwise):
                one = _writes(game, then, (*before, *test))
                two = _writes(game, otherwise, (*before, Not(test)))
                inner = None if one is None or two is None else [*one, *two]
            case ForAll(body, effects_of_each):
                inner = _writes(game, effects_of_each, (*before, *body))
            case Push() | Take() | Again() | TurnTo() | Pick() | Repeat():
                return None
            case other:
                assert_never(other)
        if inner is None:
            return None
        found += inner
    return found


def _needed(steps: Body, args: tuple[Any, ...]) -> Body:
    """The steps that test something, or bind what is needed later or for `args`."""
    kept, wanted = list[Step](), {arg for arg in args if isinstance(arg, Var)}
    for step in reversed(steps):
        if not bound(step) or wanted & set(bound(step)):
            kept.insert(0, step)
            wanted |= set(given_vars((step,)))
    return tuple(kept)


def _holds(game: Game, body: Body, write: Assign) -> str:
    """What a body says of the place that a move writes: a man of the `opponent` is there, something `else`, nothing."""
    steps = [inner for step in body for inner in (step.body if isinstance(step, Exists) else (step,))]
    mover = {step.value for step in steps if isinstance(step, Get) and step.slot == "mover"}
    others = {step.args[-1] for step in steps if isinstance(step, Find) and step.table == "opponent"}
    none = game.slots[write.slot].sort.none
    for step in steps:
        match step:
            case Get(write.slot, write.args, value):
                if value in others:
                    return "opponent"
                if value in mover or (isinstance(value, Const) and value.value == none):
                    return "else"
    return ""


def _as_early(body: Body, steps: Body) -> Body:
    """The body with further steps in the first place where what they need is known."""
    own = {var for step in body for var in bound(step)}
    needed, known = {var for var in given_vars(steps) if var in own}, set[Var]()
    for number, step in enumerate(body):
        if needed <= known:
            return (*body[:number], *steps, *body[number:])
        known |= set(bound(step))
    return (*body, *steps)
