"""Effects: what a move changes, and the setup."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from pysolve.dsl.errors import Span
from pysolve.dsl.frozen import frozen
from pysolve.dsl.model.steps import Body
from pysolve.dsl.model.values import Atom, Expr, Var


@frozen
class Compute:
    """Bind variables for the effects that follow; always possible where the rules are right."""

    body: Body
    span: Span


@frozen
class Assign:
    """One place gets a value.  Where it might be below or above the range of the place, it must then be refused."""

    slot: str
    args: tuple[Atom, ...]
    value: Expr
    below: bool
    above: bool
    span: Span

    @property
    def checked(self) -> bool:
        """True if the value may be out of range."""
        return self.below or self.above


@frozen
class Push:
    """A value is put on a stack.  Where it might be below or above the range of the stack, it must then be refused."""

    slot: str
    args: tuple[Atom, ...]
    value: Expr
    below: bool
    above: bool
    span: Span

    @property
    def checked(self) -> bool:
        """True if the value may be out of range."""
        return self.below or self.above


@frozen
class Take:
    """The uppermost values of a stack are put on another, in their order, or, if `onto` is None, taken away.

    Unlike other effects, those on stacks happen one after the other, also within a round.
    """

    slot: str
    args: tuple[Atom, ...]
    count: Atom
    onto: str | None
    onto_args: tuple[Atom, ...]
    span: Span


@frozen
class When:
    """Carry out `then` if the test holds, else `otherwise`."""

    test: Body
    then: Effects
    otherwise: Effects
    span: Span


@frozen
class ForAll:
    """Carry out the effects for every way of `body`."""

    body: Body
    effects: Effects
    span: Span


@frozen
class Again:
    """The mover stays the same: the turn goes on."""

    span: Span


@frozen
class TurnTo:
    """The effect of `turn to`: this player moves next."""

    player: Atom
    span: Span


@frozen
class Pick:
    """Setup only: bind `var` to one of its values over all ways of `body`, drawn at random."""

    var: Var
    body: Body
    span: Span


@frozen
class Repeat:
    """Setup only: carry out the effects `times` times."""

    times: Atom
    effects: Effects
    span: Span


EffectStep = Compute | Assign | Push | Take | When | ForAll | Again | TurnTo | Pick | Repeat
Effects = tuple[EffectStep, ...]


def inner_effects(effect: EffectStep) -> tuple[Effects, ...]:
    """The effects that stand inside an effect."""
    match effect:
        case When(_, then, otherwise):
            return then, otherwise
        case ForAll(effects=inner) | Repeat(effects=inner):
            return (inner,)
        case Compute() | Assign() | Push() | Take() | Again() | TurnTo() | Pick():
            return ()
    assert_never(effect)


def effect_bodies(effect: EffectStep) -> tuple[Body, ...]:
    """The bodies that an effect carries out or tests itself, besides those of the effects inside it."""
    match effect:
        case Compute(body) | ForAll(body) | Pick(body=body) | When(test=body):
            return (body,)
        case Assign() | Push() | Take() | Again() | TurnTo() | Repeat():
            return ()
    assert_never(effect)


def all_effects(effects: Effects) -> Iterator[EffectStep]:
    """Every effect, those inside other effects too."""
    for effect in effects:
        yield effect
        for inner in inner_effects(effect):
            yield from all_effects(inner)
