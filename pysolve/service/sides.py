"""The colours of players: those of their pieces.

In: a game.  Out: a colour for each player, or none: where nobody has pieces of his own, or nothing tells them apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pysolve.display import scene
from pysolve.dsl.model import Game as Model
from pysolve.dsl.model import Glyph, Layer, Rim, Sort
from pysolve.engines.protocol import EngineError
from pysolve.game import Game
from pysolve.position import Position

Owners = dict[str, dict[int, int]]  # the player to whom each value of a type belongs


def player_colours(game: Game) -> list[str]:
    """The colour of each player's pieces, as a word of the language, or "".

    Of several colours it is the one that most of the player's things have at the beginning.  A player alone has the
    colour of what he moves: the one thing that lies on a single cell.
    """
    model = game.model
    players = range(1, len(game.players) + 1)
    found = _of_values(model, {"player": {player: player for player in players}})
    if not all(found.get(player) for player in players) and (owners := _owners(game)):
        found = _of_values(model, owners) | found
    if not found and len(players) == 1:
        found = {1: _of_token(model)}
    chosen = [_most(game, found.get(player, [])) for player in players]
    return [colour if chosen.count(colour) == 1 else "" for colour in chosen]


def _of_values(model: Model, owners: Owners) -> dict[int, list[str]]:
    """The colours in which `show` draws what belongs to each player."""
    found: dict[int, list[str]] = {}
    for sorts, glyph in _glyphs(model):
        colours = [word for word in glyph.look if word in scene.COLOURS]
        for sort, value in zip(sorts, glyph.values, strict=False):
            owner = owners.get(sort.name, {}).get(value)
            if owner and colours and colours[0] not in found.setdefault(owner, []):
                found[owner].append(colours[0])
    return {player: colours for player, colours in found.items() if colours}


def _glyphs(model: Model) -> Iterator[tuple[list[Sort], Glyph]]:
    """Each glyph of `show`, with the sorts of the values for which it stands."""
    lines: list[Layer | Rim] = [*model.layers, *model.rims]
    for line in lines:
        slots = [model.slots[name] for name in line.slots]
        on_cell = isinstance(line, Rim) or line.on_cell
        sorts = [slot.sort for slot in slots] if on_cell else list(slots[0].params)
        yield from ((sorts, glyph) for glyph in line.glyphs)
    for aside in model.asides:
        sort = scene.sort_beside(model.queries[aside.name], aside.kind)
        yield from (([sort], glyph) for glyph in aside.glyphs if sort is not None)


def _owners(game: Game) -> Owners:
    """What the rules say of the owner of each value of a drawn type: a column of a table, or a definition."""
    model, found = game.model, Owners()
    drawn = {sort.name for sorts, _ in _glyphs(model) for sort in sorts if sort.labels}
    for name, query in model.queries.items():
        (sort, *others), result = query.params or (None,), query.result
        if sort is None or others or sort.name not in drawn or getattr(result, "name", "") != "player":
            continue
        start = _start(game)
        rows = (start and scene.rows_of(start, name)) or []
        if {player for _, player in rows} >= set(range(1, len(game.players) + 1)):
            found.setdefault(sort.name, {value: player for value, player in rows})
    return found


def _of_token(model: Model) -> list[str]:
    """The colours of what lies on a cell that a state names: the keeper of a puzzle."""
    tokens = [line for line in model.layers if not line.on_cell and not model.slots[line.slots[0]].params]
    return [word for line in tokens for glyph in line.glyphs for word in glyph.look if word in scene.COLOURS]


def _most(game: Game, colours: list[str]) -> str:
    """The colour that most things have at the beginning; none if there is no such colour."""
    if len(colours) < 2 or (start := _start(game)) is None:
        return next(iter(colours), "")
    seen = Counter(thing.colour for pile in scene.things(start) for thing in pile)
    most = max(seen[colour] for colour in colours)
    best = [colour for colour in colours if seen[colour] == most]
    return best[0] if len(best) == 1 else ""


def _start(game: Game) -> Position | None:
    """The first position; none where no engine plays the game, which whoever asks for a position is told."""
    try:
        return game.start()
    except (EngineError, ValueError):
        return None
