"""What is said when an effect of the rules cannot be carried out.

In: a game, what an engine met (a state out of its range, a value that does not exist), and the position.  Out: a
`RuleMistake` that names the line, the place, the value and the move, and draws the position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from pysolve.dsl import notation
from pysolve.dsl.model import Action, Assign, Atom, Const, Game, Push, Take, all_effects
from pysolve.dsl.model.payoffs import told_payoffs
from pysolve.engines.protocol import Engine, EngineError, Move, RuleMistake, State

MISSING = "an effect needs a value that does not exist (perhaps a cell off the board)"
NOTHING_TO_PICK = "there is nothing to pick from"
EVERYBODY_OUT = "all players are out, and no ending holds"
NOT_ZERO = "what this pays does not add up to zero"


def rule_mistake(
    game: Game, line: int, what: str | tuple[str, int], state: State | None, moves: Iterable[Move],
    after: Callable[[State, Move], object], start: Callable[[], State],
) -> RuleMistake:  # fmt: skip
    """The mistake in a line of the rules.

    `what` is a sentence, or a state variable with the value that it cannot hold.  `moves` are the legal moves of the
    state, as far as the engine can list them, and `after` carries one out, or raises `EngineError`: so the move is
    found.  `start` is asked for what a drawing may leave out.
    """
    move = None if state is None else _culprit(state, moves, after)
    place, value, said = _spoken(game, line, what, move)
    return RuleMistake(
        said, game.source, line, place, value,
        None if move is None else notation.move_text(game, move),
        None if state is None else notation.diagram(game, state, _base(game, start)),
    )  # fmt: skip


def mispaid(engine: Engine, line: int, state: State | None) -> RuleMistake:
    """The mistake in an ending that stands in a line: what it pays the players does not add up to zero.

    With the amounts, where the position is known in which it does so.
    """
    game, what = engine.game, NOT_ZERO
    number = next((number for number, pay in game.payments.items() if pay.span.line == line), 0)
    for amounts in engine.standing(state, number) if state is not None else ():
        what += f": {told_payoffs(dict(zip(game.players.labels, amounts, strict=True)))}"
    return rule_mistake(game, line, what, state, (), lambda *_: None, engine.start)


def _culprit(state: State, moves: Iterable[Move], after: Callable[[State, Move], object]) -> Move | None:
    """The first move that cannot be carried out."""
    for move in moves:
        try:
            after(state, move)
        except EngineError:
            return move
    return None


def _base(game: Game, start: Callable[[], State]) -> State:
    if game.draws_lots:
        return notation.blank(game)
    try:
        return start()
    except EngineError:  # the setup has a mistake, too
        return notation.blank(game)


def _spoken(
    game: Game, line: int, what: str | tuple[str, int], move: Move | None
) -> tuple[str | None, str | None, str]:
    """The place, the value, and a sentence with both."""
    if isinstance(what, str):
        return None, None, what
    slot = game.slots[what[0]]
    place = _place(game, line, slot.part_of or slot.name, move)
    if slot.part_of:  # the height of a stack
        place = f"height({place})"
    is_word = slot.sort.labels and what[1] <= slot.sort.high
    value = replace(slot.sort, optional=True).label(what[1]) if is_word else str(what[1])
    return place, value, f'"{place}" becomes {value}, but it holds {slot.sort}'


def _place(game: Game, line: int, name: str, move: Move | None) -> str:
    """The place that gets a value in a line, by its arguments where these are chosen with the move."""
    if move is None or move[0] >= len(game.actions):
        return name
    action = game.actions[move[0]]
    known: dict[Atom, int] = dict(zip(action.params, move[1:], strict=True))
    places = {_named(slot, args, known) for slot, args in _changed(action, line, name)}
    return places.pop() if len(places) == 1 else name


Place = tuple[str, tuple[Atom, ...]]


def _changed(action: Action, line: int, name: str) -> list[Place]:
    """The places of a state variable that the effects in a line change."""
    effects = [effect for effects in action.rounds for effect in all_effects(effects) if effect.span.line == line]
    found: list[Place] = [(e.slot, e.args) for e in effects if isinstance(e, Assign | Push | Take)]
    found += [(e.onto, e.onto_args) for e in effects if isinstance(e, Take) and e.onto is not None]
    return [place for place in found if place[0] == name]


def _named(slot: str, args: tuple[Atom, ...], known: dict[Atom, int]) -> str:
    """The place as `stones(e4)`; without arguments if one of them is not known."""
    words = []
    for arg in args:
        if isinstance(arg, Const):
            words.append(arg.sort.label(arg.value))
        elif arg in known:
            words.append(arg.sort.label(known[arg]))  # type: ignore[union-attr]
        else:
            return slot
    return f"{slot}({', '.join(words)})" if words else slot
