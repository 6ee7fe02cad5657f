"""What takes long in a game: to count, or to find out what can be reached, anew for each move.

In: a game.  Out: guesses that engines and searches go by; what they answer never depends on them.
"""

from __future__ import annotations

from collections.abc import Iterable

from dsl.model import (
    Ask,
    Collect,
    Each,
    Exists,
    Fold,
    Game,
    Get,
    Not,
    Reach,
    Sort,
    Step,
    all_effects,
    all_steps,
    inner_bodies,
)

MANY = 32  # more places than these take longer than it takes to keep what was found


def looks_around(game: Game, step: Step) -> bool:
    """Does a step look at many places, by itself or in a rule that it asks?"""
    match step:
        case Fold() | Reach():
            return True
        case Ask(rule):
            return any(looks_around(game, one) for one in all_steps(game.rules[rule].body))
    return False


def effects_take_long(game: Game) -> bool:
    """Does it take longer to find out what moves change than which moves there are?

    So it seems if an effect of a move reaches something, or looks at many places for something else.
    """

    def far(body: Iterable[Step]) -> bool:
        for step in body:
            match step:
                case Reach():
                    return True
                case Fold() | Collect() | Not() | Exists() if any(
                    many_places(game, inner) for body in inner_bodies(step) for inner in body
                ):
                    return True
                case Ask(rule) if far(all_steps(game.rules[rule].body)):
                    return True
        return False

    return any(
        far(all_steps(getattr(effect, part)))
        for action in game.actions for effects in action.rounds for effect in all_effects(effects)
        for part in ("body", "test") if hasattr(effect, part)
    )  # fmt: skip


def many_places(game: Game, step: Step) -> bool:
    """Does a step go through many places, itself?"""
    match step:
        case Each(var):
            return isinstance(var.sort, Sort) and var.sort.size > MANY
        case Get(slot, args, _, binds):
            return game.slots[slot].count > MANY and any(arg in binds for arg in args)
    return False
