"""What takes long in a game: to count, or to find out what can be reached, anew for each move.

In: a game.  Out: guesses that engines and searches go by; what they answer never depends on them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import isqrt
from typing import assert_never

from pysolve.dsl.model import (
    Action,
    Again,
    Among,
    Ask,
    Assign,
    Body,
    Choose,
    Collect,
    Compute,
    Distance,
    Each,
    Effects,
    EffectStep,
    Either,
    Exists,
    Find,
    Fold,
    ForAll,
    Game,
    Get,
    Let,
    Member,
    Mobility,
    Not,
    Pick,
    Possible,
    Preferred,
    Push,
    Reach,
    Repeat,
    Sort,
    Step,
    Take,
    Test,
    TurnTo,
    Walk,
    When,
    all_effects,
    all_steps,
    asked_steps,
    effect_bodies,
    inner_bodies,
)
from pysolve.dsl.model.properties import every, gathers, highest, most_rounds, most_ways, properties

VERY_LONG = 4 * 10**9  # steps; in no shipped game a question can take as many
EVERYWHERE = 200  # steps of a search for a distance that take a unit of `search_cost`, in C without sets
MANY = 32  # more places than these take longer than it takes to keep what was found


def looks_around(game: Game, steps: Iterable[Step]) -> bool:
    """Do steps, or the rules that they ask, count, collect or reach something?"""
    return any(gathers(step) for step in asked_steps(game, steps))


def effects_take_long(game: Game) -> bool:
    """Does it take longer to find out what moves change than which moves there are?

    So it seems if an effect of a move reaches something, or looks at many places for something else.
    """
    return any(
        looks_far(step)
        for action in game.actions for effects in action.rounds for effect in all_effects(effects)
        for body in effect_bodies(effect) for step in asked_steps(game, all_steps(body))
    )  # fmt: skip


def looks_far(step: Step) -> bool:
    """Does a step reach something, or go through many places for something else?"""
    inside = (var for body in inner_bodies(step) for inner in body for var in every(inner))
    return bool(properties(step).local) or any(isinstance(var.sort, Sort) and var.sort.size > MANY for var in inside)


def takes_very_long(game: Game) -> bool:
    """Can a question about one position take so long that somebody must be able to end it?"""
    return most_steps(game) > VERY_LONG


def most_steps(game: Game) -> int:
    """An upper bound on the steps that one question about a position can take, however unlucky the position is.

    A question is: the legal moves and what each of them changes, the ending that holds, the estimate, the setup.
    The bound knows the ranges of all choices and nothing about tests, so most positions take far fewer steps.
    """
    return _Bound(game).of_game()


def search_cost(game: Game) -> int:
    """A guess of the time that a search takes for one position, about 0.2 µs of C in each unit.

    It is made of whole numbers alone, so it is the same on every machine.  An estimate takes about the root of its
    bound, since its loops are cut short; but a distance is a part of its bound, since the search for it goes
    everywhere.  Of moves, effects and endings the bound says far too much, and its length counts.  Fitted to the
    shipped games, of which most take between a fifth of it and twice as long.
    """
    bound = _Bound(game)
    far = sum(bound.rule(term.rule) for term in game.terms if _goes_everywhere(game, term.rule))
    return playout_cost(game) + isqrt(bound.of_estimates() - far) + far // EVERYWHERE


def _goes_everywhere(game: Game, rule: str) -> bool:
    """Does a rule ask for a distance?"""
    return any(isinstance(step, Distance) for step in asked_steps(game, all_steps(game.rules[rule].body)))


def playout_cost(game: Game) -> int:
    """The same guess for a position of a random game, which needs no estimate."""
    return 10 + _Bound(game).of_moves_and_endings().bit_length() ** 2 // 20


@dataclass
class _Bound:
    """Upper bounds on steps, each rule and each kind of moves computed once."""

    game: Game
    rules: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, tuple[int, int]] = field(default_factory=dict)

    def of_game(self) -> int:
        """The largest bound of all questions."""
        return max(self.of_moves_and_endings(), self.of_estimates(), self.effects(self.game.setup))

    def of_moves_and_endings(self) -> int:
        """The bound for the legal moves, what each of them changes, and the ending that holds."""
        moves = sum(self.kind(action)[0] + self.kind(action)[1] * self.rounds(action) for action in self.game.actions)
        return moves + sum(self.body(ending.body)[0] for ending in self.game.endings)

    def of_estimates(self) -> int:
        """The bound for the `evaluate` block."""
        return sum(self.rule(term.rule) for term in self.game.terms)

    def rule(self, name: str) -> int:
        """Steps of a rule that is asked once."""
        if name not in self.rules:
            self.rules[name] = self.body(self.game.rules[name].body)[0]
        return self.rules[name]

    def kind(self, action: Action) -> tuple[int, int]:
        """Steps to list the moves of a kind, and how many moves there can be."""
        if action.name not in self.kinds:
            steps, ways = self.body(action.body)
            if action.after:
                steps += ways * (self.rounds(action) + sum(self.body(demand.body)[0] for demand in action.after))
            self.kinds[action.name] = steps, ways
        return self.kinds[action.name]

    def rounds(self, action: Action) -> int:
        """Steps to carry out the effects of a move."""
        return sum(map(self.effects, action.rounds))

    def body(self, body: Body) -> tuple[int, int]:
        """Steps to carry a body out in all ways, and how many ways there can be."""
        steps, ways = 1, 1
        for step in body:
            steps += ways * self.within(step)
            ways *= most_ways(step, self.game.tables, self.game.slots)
            steps += ways
        return steps, ways

    def within(self, step: Step) -> int:
        """Steps of what stands inside a step, or of what it asks."""
        match step:
            case Ask(rule):
                return self.rule(rule)
            case Possible(name):
                return self.kind(next(action for action in self.game.actions if action.name == name))[0]
            case Preferred():
                return 2 * VERY_LONG  # nobody knows how many ways there are to go on with a turn
            case Mobility():
                return sum(self.kind(action)[0] for action in self.game.actions)
            case (
                Each() | Among() | Member() | Get() | Find() | Walk() | Let() | Test() | Not() | Either() | Exists()
                | Choose() | Fold() | Collect() | Reach() | Distance()
            ):  # fmt: skip
                return most_rounds(step) * sum(self.body(inner)[0] for inner in inner_bodies(step))
        assert_never(step)

    def effects(self, effects: Effects) -> int:
        """The largest number of steps of some effects carried out once."""
        return 1 + sum(map(self.effect, effects))

    def effect(self, effect: EffectStep) -> int:
        """The largest number of steps of one effect carried out once."""
        match effect:
            case Compute(body) | Pick(_, body):
                return self.body(body)[0]
            case When(test, then, otherwise):
                return self.body(test)[0] + max(self.effects(then), self.effects(otherwise))
            case ForAll(body, inner):
                steps, ways = self.body(body)
                return steps + ways * self.effects(inner)
            case Repeat(times, inner):
                return max(0, highest(times)) * self.effects(inner)
            case Assign() | Push() | Again() | TurnTo():
                return 1
            case Take(count=count):
                return 1 + max(0, highest(count))
            case _:
                assert_never(effect)
