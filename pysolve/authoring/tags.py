"""What a game is made of, read off its model: the size of its board, and the mechanisms that its rules use.

In: a model.  Out: a few words, for lists of games.
"""

from __future__ import annotations

from collections.abc import Iterator

from pysolve.dsl.model import (
    Action,
    Again,
    Assign,
    Const,
    Contest,
    Distance,
    EffectStep,
    Game,
    Get,
    Possible,
    Preferred,
    Push,
    Reach,
    Slot,
    Step,
    Take,
    Walk,
    all_bodies,
    all_effects,
    all_steps,
)


def board_size(game: Game) -> str:
    """The size of the board as text: `8x8`, `hex 11x11`, or `24 cells` for a board that is no full rectangle."""
    board = game.board
    if not board.cells:
        return "no board"
    width, height = (max(place[i] for place in board.place) for i in (0, 1))
    full = board.form in ("square", "rhombus") and len(board.cells) == width * height
    words = "" if board.form == "square" else "graph " if board.form == "graph" else "hex "
    return words + (f"{width}x{height}" if full else f"{len(board.cells)} cells")


def mechanisms(game: Game) -> tuple[str, ...]:
    """The mechanisms of a game, in the order of the cookbook."""
    steps = list(_steps(game))
    slots = [slot for name, slot in game.slots.items() if name not in ("mover", "again") and not slot.part_of]
    found = {
        "placing": any(_places(game, action) for action in game.actions),
        "moving": any(_moves(action) for action in game.actions),
        "sliding": any(isinstance(step, Walk) for step in steps),
        "kinds of pieces": any(_on_cells(slot) and _is_word(slot) for slot in slots),
        "stacks": any(slot.stack or (_on_cells(slot) and _is_number(slot)) for slot in slots),
        "stock": any(_beside(slot) and _is_number(slot) for slot in slots),
        "groups": any(isinstance(step, Reach | Distance) for step in steps),
        "several moves a turn": has_long_turns(game),
        "compulsory moves": any(isinstance(step, Possible | Preferred) for step in steps),
        "passing": game.stuck is None or any(_passes(game, action) for action in game.actions),
        "chance": bool(game.chances),
        "secrets": game.secret,
        "random setup": game.draws_lots,
        "repetition": any(ending.repeated is not None for ending in game.endings),
        "counting": any(isinstance(ending.result, Contest) for ending in game.endings),
        "payoffs": game.pays,
    }
    return tuple(name for name, there in found.items() if there)


def has_long_turns(game: Game) -> bool:
    """True if a turn can have several moves."""
    return any(isinstance(effect, Again) for action in game.actions for effect in _effects(action))


def _steps(game: Game) -> Iterator[Step]:
    for body in all_bodies(game):
        yield from all_steps(body)


def _effects(action: Action) -> Iterator[EffectStep]:
    for effects in action.rounds:
        yield from all_effects(effects)


def _ways(action: Action) -> int:
    """The number of parameters that are cells or directions."""
    return sum(str(param.sort) in ("cell", "direction") for param in action.params)


def _moves(action: Action) -> bool:
    """True if two places are chosen, or a direction for what knows where it is."""
    return _ways(action) > 1 or any(str(param.sort) == "direction" for param in action.params)


def _places(game: Game, action: Action) -> bool:
    """True if one cell alone is chosen, and must be empty or gets something."""
    where = [(param,) for param in action.params if str(param.sort) == "cell"]
    asked = [step for demand in action.demands for step in demand.body if isinstance(step, Get)]
    given = [effect for effect in _effects(action) if isinstance(effect, Assign | Push)]
    return _ways(action) == 1 and (
        any(step.args in where and _is_nothing(game, step) for step in asked)
        or any(effect.args in where and not _is_nothing(game, effect) for effect in given)
    )


def _is_nothing(game: Game, part: Get | Assign | Push) -> bool:
    return isinstance(part.value, Const) and part.value.value in (game.slots[part.slot].sort.none, 0)


def _passes(game: Game, action: Action) -> bool:
    """True if nothing is chosen, and nothing on the board changes."""
    changed = [effect for effect in _effects(action) if isinstance(effect, Assign | Push | Take)]
    assigned = [game.slots[effect.slot] for effect in changed]
    return not action.params and not any(_on_cells(slot) or slot.sort.name == "cell" for slot in assigned)


def _on_cells(slot: Slot) -> bool:
    return "cell" in [param.name for param in slot.params]


def _beside(slot: Slot) -> bool:
    """True for what players or heaps have: several values, none of which lies on a cell."""
    return bool(slot.params) and not _on_cells(slot)


def _is_word(slot: Slot) -> bool:
    return bool(slot.sort.labels) and slot.sort.name not in ("player", "bool", "cell", "direction")


def _is_number(slot: Slot) -> bool:
    return not slot.sort.labels
