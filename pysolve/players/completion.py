"""What is left of a turn of several moves.

In: a position.  Out: the moves of one kind that end the turn, where it does not matter which of them come first; those
that end it without doing more, which need no kind.
"""

from __future__ import annotations

from pysolve.dsl.model import Action, Assign, Game, Push, Take, all_effects
from pysolve.position import Move, Position

MOST_POSITIONS = 5_000  # that are looked at to find out whether a kind of move leaves a choice


def rest_of_turn(position: Position, kind: str) -> list[Move]:
    """The moves of one kind until the turn passes or there are no more of them, if all orders of them end alike.

    Returns no moves if the end depends on which are played, or if there are too many orders to be sure.
    """
    ends, met, todo = set[Position](), {position}, [position]
    while todo:
        before = todo.pop()
        moves = _of_kind(before, position.to_move, kind)
        if not moves:
            ends.add(before)
        for move in moves:
            after = before.play(move)
            if after not in met:
                met.add(after)
                todo.append(after)
        if len(ends) > 1 or len(met) > MOST_POSITIONS:
            return []
    return _first_way(position, kind) if ends else []


def resting(position: Position) -> list[Move]:
    """The moves that end the turn without doing more, as `stay` for each piece that has not acted.

    They are of a kind that chooses at most a cell and leaves what is there as it is; no moves if no such kind ends the
    turn, or if it matters in which order they are played.
    """
    if position.outcome is not None:
        return []
    legal = {numbers[0] for numbers in position.node.moves}
    for number, action in enumerate(position.game.model.actions):
        if number not in legal or not leaves_all(position.game.model, action):
            continue
        moves = rest_of_turn(position, action.name)
        if moves and _ends_turn(position, moves):
            return moves
    return []


def leaves_all(game: Game, action: Action) -> bool:
    """True if a kind of move names at most a cell, and notes there at most that something has acted."""
    cells = [(param,) for param in action.params if str(param.sort) == "cell"]
    effects = [effect for effects in action.rounds for effect in all_effects(effects)]
    changed = [effect for effect in effects if isinstance(effect, Assign) and effect.args in cells]
    if any(isinstance(effect, Push | Take) for effect in effects):
        return False
    return len(action.params) == len(cells) < 2 and all(game.slots[one.slot].sort.name == "bool" for one in changed)


def _ends_turn(position: Position, moves: list[Move]) -> bool:
    """True if it is another player's turn after the moves, or the end, and everybody's pieces are where they were."""
    after = position
    for move in moves:
        after = after.play(move)
    men = position.game.model.men
    same = all(position.state[part.start : part.stop] == after.state[part.start : part.stop] for part in men)
    return same and (after.to_move != position.to_move or after.outcome is not None)


def _first_way(position: Position, kind: str) -> list[Move]:
    mover, found = position.to_move, list[Move]()
    while moves := _of_kind(position, mover, kind):
        found.append(moves[0])
        position = position.play(moves[0])
    return found


def _of_kind(position: Position, mover: str, kind: str) -> list[Move]:
    """The legal moves of one kind, as long as it is the mover's turn."""
    if position.to_move != mover or position.outcome is not None:
        return []
    legal, number = position.legal_moves, position.game.model.kinds.index(kind)
    return [legal[at] for at, numbers in enumerate(position.node.moves) if numbers[0] == number]
