"""Why a move is legal or not.

In: a position and a move, or cells as somebody clicks them.  Out: of each kind of move that may be meant the reading
that is nearest to being legal, demand by demand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any

from pysolve.display.scene import cell_params, goal_of_numbers, places_of, value_name, value_params
from pysolve.dsl import notation
from pysolve.dsl.errors import choices
from pysolve.dsl.model import Action, Game, Sort
from pysolve.engines.protocol import Move as Numbers
from pysolve.position import Position
from pysolve.results import Explanation, Reason, reason_of
from pysolve.service.playing import position_of
from pysolve.service.question import Asked
from pysolve.service.refused import Refused

MOST_READINGS = 10_000  # that are looked at to find out if one is legal
MOST_EXPLAINED = 60  # of them, to find the nearest; those that lead to cells near by come first


def why(asked: Asked) -> dict[str, Any]:
    """The explanation of a move, or of the cells that somebody clicked, and of what lies beside the board."""
    position, kind = position_of(asked), asked.get("kind")
    model = position.game.model
    _check(asked, model)
    if "move" in asked.given:
        return _of_kind(position.why(asked["move"]), kind).to_dict()
    return _clicked(position, asked.get("cells", []), asked.get("values", []), kind).to_dict()


def is_legal(asked: Asked, position: Position) -> bool:
    """True if the move that is asked about is legal, or one that somebody may mean who clicked these cells."""
    model = position.game.model
    _check(asked, model)
    if "move" in asked.given:
        found: Iterator[Numbers] = iter(notation.readings(model, asked["move"]))
    else:
        found = _readings(model, asked.get("cells", []), asked.get("values", []), asked.get("kind"))
    legal = set(position.node.moves if len(position.legal_moves) else ())
    return any(numbers in legal for numbers in islice(found, MOST_READINGS))


def _check(asked: Asked, model: Game) -> None:
    """Raises `Refused` where a kind of move or a cell does not exist, or nothing is named."""
    kind, cells = asked.get("kind"), asked.get("cells", [])
    if kind is not None and kind not in model.kinds:
        raise Refused("asked", f'there is no kind of move "{kind}": there are {choices(model.kinds)}')
    if "move" not in asked.given and not cells and not asked.get("values", []):
        raise Refused("asked", "why needs a move or cells")
    for cell in cells:
        if cell not in places_of(model.board):
            raise Refused("asked", f'the board has no cell "{cell}"')


def _of_kind(found: Explanation, kind: str | None) -> Explanation:
    """An explanation without other kinds of moves."""
    if kind is None:
        return found
    kinds = tuple(one for one in found.kinds if one[0].split(" ")[0] == kind)
    return Explanation(found.move, found.legal, kinds or found.kinds, found.note)


def _clicked(position: Position, cells: list[str], values: list[str], kind: str | None) -> Explanation:
    """Why no move that names these cells, or leads to the last one, and has these values is legal, or that one is."""
    model, legal = position.game.model, set(position.node.moves if len(position.legal_moves) else ())
    found = list(islice(_readings(model, cells, values, kind), MOST_READINGS))
    fitting = [numbers for numbers in found if numbers in legal]
    by_kind = [[numbers for numbers in found if numbers[0] == number] for number in range(len(model.actions))]
    by_kind = [some for some in by_kind if some]
    nearest = []
    for some in by_kind:
        some.sort(key=lambda numbers: (numbers not in legal, _distance(model, cells, numbers)))
        nearest.append(_nearest(position, some[: max(1, MOST_EXPLAINED // len(by_kind))]))
    nearest.sort(key=lambda one: one[0])
    kinds = tuple((_named(model, numbers), reasons) for _, numbers, reasons in nearest)
    move = notation.move_text(model, nearest[0][1]) if nearest else " ".join([*values, *cells])
    return Explanation(move, bool(fitting), kinds, _note(position, [*values, *cells], found, fitting))


def _nearest(position: Position, some: list[Numbers]) -> tuple[int, Numbers, tuple[Reason, ...]]:
    """Of moves of one kind the first on which the fewest demands fail: how many, the move, all demands."""
    best: tuple[int, Numbers, tuple[Reason, ...]] | None = None
    for numbers in some:
        reasons = _reasons(position, position.game.model.actions[numbers[0]], numbers)
        failing = sum(not reason.holds for reason in reasons)
        if best is None or failing < best[0]:
            best = failing, numbers, reasons
        if not failing:
            break
    assert best is not None
    return best


def _distance(model: Game, cells: list[str], numbers: Numbers) -> int:
    """The distance from the first of some cells to the goal of a move, in steps of a king; itself is farthest."""
    goal, cell = goal_of_numbers(model, numbers), cells[0] if cells else None
    if goal is None or cell is None or goal == cell or not {goal, cell} <= {*model.board.cells}:
        return len(model.board.cells)
    (x, y), (to_x, to_y) = (model.board.place[model.board.cells.index(one)] for one in (cell, goal))
    return max(abs(x - to_x), abs(y - to_y))


def _note(position: Position, clicked: list[str], found: list[Numbers], fitting: list[Numbers]) -> str:
    if position.outcome is not None:
        return f"the game is over; {position.outcome}"
    if not found:
        return f"no move names {clicked[0]}" if len(clicked) == 1 else f"no move leads from {' to '.join(clicked)}"
    if len(fitting) > 1:
        return f"legal are {choices(notation.move_text(position.game.model, numbers) for numbers in fitting)}"
    if len(found) > MOST_EXPLAINED and not fitting:
        return "there are more moves with these cells; those that lead to cells near by were looked at"
    return ""


def _readings(model: Game, cells: list[str], values: list[str], kind: str | None) -> Iterator[Numbers]:
    """The moves that have these values and name these cells first, or all but the last and lead to it."""
    for number, action in enumerate(model.actions):
        names = cell_params(model, action)
        given, chosen = _given(action, names, cells), _chosen(model, action, values)
        if kind in (None, action.name) and (names or values) and given is not None and chosen is not None:
            given |= chosen
            if len(names) >= len(cells):
                yield from _moves(number, action, given)
            elif len(names) == len(cells) - 1:
                yield from _leading(model, number, given, cells[-1])


def _given(action: Action, names: list[str], cells: list[str]) -> dict[str, Sequence[int]] | None:
    """The values of the parameters that are cells, edges or corners; None if one of them is of another kind."""
    sorts = {param.name: param.sort for param in action.params if isinstance(param.sort, Sort)}
    pairs = list(zip(names, cells, strict=False))
    if any(cell not in sorts[name].labels for name, cell in pairs):
        return None
    return {name: (sorts[name].labels.index(cell) + sorts[name].low,) for name, cell in pairs}


def _chosen(model: Game, action: Action, values: list[str]) -> dict[str, Sequence[int]] | None:
    """The values of parameters that lie beside the board; None if the kind of move has no parameter for one of them."""
    known = {
        value_name(sort, value): (param.name, value)
        for param in (action.params[place] for place in reversed(value_params(model, action)))
        if isinstance(sort := param.sort, Sort)
        for value in sort.values()
    }
    if any(value not in known for value in values):
        return None
    return {name: (value,) for name, value in map(known.__getitem__, values)}


def _leading(model: Game, number: int, given: Mapping[str, Sequence[int]], goal: str) -> Iterator[Numbers]:
    """The moves of a kind that lead to a cell: which do, its last direction alone decides, whatever else is chosen."""
    action = model.actions[number]
    for param in reversed(action.params):
        if isinstance(param.sort, Sort) and param.sort.name == "direction":
            ways = range(param.sort.low, param.sort.high + 1)
            first = ((way, islice(_moves(number, action, {**given, param.name: (way,)}), 1)) for way in ways)
            leading = [way for way, moves in first for move in moves if goal_of_numbers(model, move) == goal]
            yield from _moves(number, action, {**given, param.name: leading})
            return


def _moves(number: int, action: Action, given: Mapping[str, Sequence[int]]) -> Iterator[Numbers]:
    """The moves of a kind in which some parameters have one of these values."""
    values = [
        given.get(param.name, range(param.sort.low, param.sort.high + 1))
        for param in action.params
        if isinstance(param.sort, Sort)
    ]
    for chosen in product(*values):
        yield (number, *chosen)


def _reasons(position: Position, action: Action, numbers: Numbers) -> tuple[Reason, ...]:
    """Each demand on a move, as far as it is asked: those on the position after it only if all others hold."""
    return tuple(
        reason_of((action.demands if one.part == "when" else action.after)[one.number - 1], one)
        for one in position.game.explainer.explain(position.state, numbers)
    )


def _named(model: Game, numbers: Numbers) -> str:
    return f"{model.actions[numbers[0]].name} {notation.move_text(model, numbers)}"
