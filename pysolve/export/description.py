"""What the core of an exported game must know besides its programs: web/src/export/exported.ts says what.

In: an open game.  Out: an object for JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from xml.etree.ElementTree import Element

from pysolve.display.scene import (
    AGAIN,
    COLOURS,
    Marked,
    Thing,
    Tied,
    cell_params,
    is_cell,
    is_flat,
    is_headed,
    is_place,
    is_shop,
    look_of,
    looks_of,
    named_beside,
    names_of,
    on_ground,
    shows_dice,
    slots_between,
    type_name,
    value_params,
)
from pysolve.display.shapes import add, short
from pysolve.display.svg import sides_of, tie_style
from pysolve.dsl import notation
from pysolve.dsl.language.functions import STEP
from pysolve.dsl.language.sites import KINDS
from pysolve.dsl.model import (
    Aside,
    Contest,
    Demand,
    Derived,
    Game,
    Glyph,
    Probe,
    Result,
    SetSort,
    Slot,
    Sort,
    Tell,
    Tie,
    Var,
)
from pysolve.dsl.model.demands import AFTER, WHEN, Numbered, numbered_demands
from pysolve.dsl.model.move_codes import move_codes
from pysolve.dsl.model.rule_names import given_name
from pysolve.export.errors import ExportError
from pysolve.export.looks import Looks
from pysolve.players.best_lines import grows_trees
from pysolve.players.completion import leaves_all
from pysolve.service.games import Opened
from pysolve.service.picture import Picture

Places = Mapping[str, int]  # of state variables, by name


class Sorts:
    """The sorts of a game, by number."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], int] = {}
        self.listed: list[dict[str, Any]] = []

    def number(self, sort: Sort | SetSort) -> int:
        """The number of a sort; of a set, that of its members."""
        if isinstance(sort, SetSort):
            return self.number(sort.of)
        key = (sort.name, sort.low, sort.high, sort.labels, sort.optional)
        if key not in self._known:
            self._known[key] = len(self.listed)
            self.listed.append({
                "name": sort.name, "low": sort.low, "high": sort.high, "labels": list(sort.labels),
                "optional": sort.optional, "type": type_name(sort),
            })  # fmt: skip
        return self._known[key]


def core(opened: Opened) -> dict[str, Any]:
    """The description of a game that the exported page needs for any players; raises `ExportError`."""
    model = opened.game.model
    refuse_unknown(model)
    sorts, places = Sorts(), {name: number for number, name in enumerate(model.slots)}
    return {
        "digest": model.digest,
        "options": opened.options,
        **_moves_and_state(model, sorts, places),
        **_board(model),
        **_texts(model, places),
        **_pictures(opened, sorts, places),
        **_ends(model),
        "base": list(opened.game.base),
        "men": [[part.start, part.stop] for part in model.men],
        "estimates": bool(model.terms),
        "plays_out": grows_trees(opened.game, in_c=True),
        "lead": opened.lead if model.terms else 1.0,
        "sorts": sorts.listed,  # those that all the others have named
    }


def refuse_unknown(model: Game) -> None:
    """Raises `ExportError` for what an exported page does not know: asked before anything is compiled."""
    if model.secret:
        raise ExportError(
            f"{model.title} has secrets, and an exported page holds all of a game: whoever opens its file could read "
            "them; pysolve web keeps them in its server, and pysolve play in its process"
        )
    if model.pays:
        raise ExportError(
            f"{model.title} pays numbers, and an exported page knows only who wins; pysolve play and pysolve web do"
        )


def _moves_and_state(model: Game, sorts: Sorts, places: Places) -> dict[str, Any]:
    """The bytes of a state, and the bits of a move."""
    codes = move_codes(model)
    kinds = [_kind(model, number, sorts) for number in range(len(model.actions))]
    return {
        "slots": [_slot(slot, sorts, places) for slot in model.slots.values()],
        "kinds": [{**kind, "fields": [[field.shift, field.bits, field.low] for field in fields]}
                  for kind, fields in zip(kinds, codes.fields, strict=True)],
        "size": model.size,
        "bits": codes.bits,
        "kind_shift": codes.kind_shift,
        "passes": model.stuck is None,
    }  # fmt: skip


def _board(model: Game) -> dict[str, Any]:
    """Cells, edges and corners, and where a step leads."""
    return {
        "cells": list(model.board.cells),
        "rows": [list(row) for row in model.board.rows],
        "step": _steps(model),
        "sites": [{"name": site.name, "side": list(site.side), "number": number}
                  for kind in KINDS
                  for number, site in enumerate(site for site in model.board.sites if site.side[0] == kind)],
    }  # fmt: skip


def _texts(model: Game, places: Places) -> dict[str, Any]:
    """Positions as text."""
    return {
        "wide_texts": notation.has_wide_texts(model),
        "texts": {text: [[places[name], value, model.slots[name].index(args) if args else 0]
                         for name, value, args in meant]
                  for text, meant in notation.drawn_texts(model).items()},
        "drawn": sorted(places[name] for name in notation.drawn_slots(model.layers)),
        "nevers": [{"text": never.text, "cases": sorted(",".join(map(str, case)) for case in never.cases)}
                   for never in model.nevers],
    }  # fmt: skip


def _pictures(opened: Opened, sorts: Sorts, places: Places) -> dict[str, Any]:
    """What is drawn, on the board and beside it, and what is told."""
    model, picture = opened.game.model, opened.picture
    looks = Looks(model)
    marks, tells, defined, tied, beside = _shown(model, picture, sorts)
    shops = [is_shop(model, tell) for tell in model.tells]
    return {
        "layers": [
            {"slots": [places[name] for name in layer.slots], "on_cell": layer.on_cell, "flat": is_flat(layer),
             "glyphs": [{"values": list(glyph.values), "text": glyph.text, "thing": thing,
                         "index": 0 if layer.on_cell else model.slots[layer.slots[0]].index(glyph.values)}
                        for glyph, thing in zip(layer.glyphs, things, strict=True)]}
            for layer, things in zip(model.layers, looks.layers, strict=True)
        ],
        "derived": [
            {**one, "on_cell": derived.on_cell, "below": derived.below, "holds": _holds(model, derived),
             "glyphs": _glyphs(derived.glyphs, looks.of(derived))}
            for derived, one in zip(_moving(model), defined, strict=True)
        ],
        "rims": [
            {"kind": rim.kind, "slots": [places[name] for name in rim.slots], "glyphs": _glyphs(rim.glyphs, things)}
            for rim, things in zip(model.rims, looks.rims, strict=True)
        ],
        "ties": [_tie(tie, one) for tie, one in zip(model.ties, tied, strict=True)],
        "spots": [list(map(short, spot)) for spot in picture.spots] if model.ties else [],
        "asides": [_aside(model, aside, one, picture) for aside, one in zip(model.asides, beside, strict=True)]
        + [_shop(model, tell, one, picture) for tell, one, shop in zip(model.tells, tells, shops, strict=True) if shop],
        "looks": looks.table(picture),
        "sayings": [{"slot": places[saying.slot], "texts": list(saying.texts)} for saying in model.sayings],
        "beside": [places[name] for name in _beside(model)],
        "marks": marks,
        "tells": [one for one, shop in zip(tells, shops, strict=True) if not shop],
        "outs": None if model.out is None else len(model.shown),
    }  # fmt: skip


def _glyphs(glyphs: Sequence[Glyph], things: Sequence[Any]) -> list[dict[str, Any]]:
    return [{"values": list(glyph.values), "thing": thing} for glyph, thing in zip(glyphs, things, strict=True)]


def _ends(model: Game) -> dict[str, Any]:
    """The endings, and what is compared where positions repeat."""
    return {
        "endings": [
            {"reason": ending.reason, "line": ending.span.line or None, **_compared(ending.result)}
            for ending in model.endings
        ],
        "stuck": None if model.stuck is None else {
            "reason": model.stuck_reason, "line": None, **_compared(model.stuck)},
        "remembers": model.remembers,
        "ignored": [[part.start, part.stop] for part in model.ignored],
        "unit": model.payoff_unit,
        "ranks": model.ranks,
    }  # fmt: skip


def _slot(slot: Slot, sorts: Sorts, places: Places) -> dict[str, Any]:
    return {
        "name": slot.name, "params": [sorts.number(param) for param in slot.params], "sort": sorts.number(slot.sort),
        "offset": slot.offset, "width": slot.width, "shift": slot.shift, "default": slot.default,
        "part": bool(slot.part_of),
        "stack": slot.stack and {
            "height": places[slot.stack.height], "items": places[slot.stack.items], "most": slot.stack.most},
    }  # fmt: skip


def _kind(model: Game, number: int, sorts: Sorts) -> dict[str, Any]:
    action = model.actions[number]
    demands = {asked.part: asked.demands for asked in numbered_demands(model) if asked.action is action}
    names = [param.name for param in action.params]
    return {
        "name": action.name,
        "text": action.text,
        "params": [_parameter(model, param, sorts) for param in action.params],
        "cells": [names.index(name) for name in cell_params(model, action)],
        "values": value_params(model, action),
        "when": [_demand(one, sorts) for one in demands[WHEN]],
        "after": [_demand(one, sorts) for one in demands[AFTER]],
        "rests": leaves_all(model, action),
        "chance": action.chance,
        "dice": action.chance and shows_dice(action),
    }


def _parameter(model: Game, param: Var, sorts: Sorts) -> dict[str, Any]:
    return {
        "name": param.name, "sort": sorts.number(param.sort),
        "cell": is_cell(param.sort),
        "site": is_place(model, param.sort) and not is_cell(param.sort),
        "direction": getattr(param.sort, "name", "") == "direction",
    }  # fmt: skip


def _demand(one: Numbered, sorts: Sorts) -> dict[str, Any]:
    demand: Demand = one.demand
    trail = demand.trail
    return {
        "number": one.number, "text": demand.text, "reason": demand.reason, "line": demand.span.line,
        "negated": demand.negated,
        "probes": [_probe(probe, sorts) for probe in (*demand.probes, *demand.counter_probes)],
        "trail": None if trail is None else {
            "sort": sorts.number(trail.reach.near.sort), "goal": trail.item is not None},
        "parts": [_demand(part, sorts) for part in one.parts],
    }  # fmt: skip


def _probe(probe: Probe, sorts: Sorts) -> dict[str, Any]:
    return {
        "label": probe.label,
        "off_board": probe.off_board,
        "sorts": [sorts.number(arg.sort) for arg in probe.args],
        "value": None if probe.value is None else sorts.number(probe.value.sort),
    }


def _steps(model: Game) -> dict[str, int]:
    """The next cell in each direction, if some kind of move names one."""
    named = any(getattr(param.sort, "name", "") == "direction" for action in model.actions for param in action.params)
    rows = model.tables[STEP].rows if named and STEP in model.tables else ()
    return {f"{cell} {way}": goal for cell, way, goal in rows}


def _compared(result: Result) -> dict[str, Any]:
    """The comparisons of an ending, and whether they rank all players."""
    contest = result if isinstance(result, Contest) else None
    compared = contest.compared if contest is not None else ()
    return {
        "scores": [{"name": given_name(rule), "least": kind == "least"} for kind, rule in compared],
        "ranks": contest is not None and contest.ranks,
    }


def _beside(model: Game) -> Iterable[str]:
    """The states that stand beside the board."""
    drawn = notation.drawn_slots(model.layers) | slots_between(model) | {aside.name for aside in model.asides}
    said = {saying.slot for saying in model.sayings}
    for slot in notation.visible(model):
        if slot.name in said or (slot.name not in drawn and slot.name != AGAIN):
            yield slot.name


# ------------------------------------------------------------------------------------- marks and tells


def _holds(model: Game, derived: Derived) -> bool:
    """True for a condition: its answers are the cells for which it holds."""
    return model.queries[derived.name].result is None


def _shown(model: Game, picture: Picture, sorts: Sorts) -> tuple[list[dict[str, Any]], ...]:
    """The marks with their drawings, the told names, and the definitions that the rules draw."""
    programs = list(model.shown)

    def found(name: str, text: str) -> dict[str, Any]:
        query = model.queries[name]
        lasting = query.kind == "table"
        rows = model.tables[query.target].rows if lasting else ()
        return {
            "text": text,
            "program": None if lasting else programs.index(name),
            "sorts": [sorts.number(sort) for sort in query.sorts],
            "rows": [list(row[: len(query.sorts)]) for row in rows],
        }

    marks = []
    for count, mark in enumerate(model.marks, 1):
        one = found(mark.name, mark.text)
        lasting = one["program"] is None
        cells = frozenset(model.board.cells[row[0] - 1] for row in one["rows"])
        marked = [Marked(cells, mark.colour, mark.text, lasting, depth) for depth in range(count)]
        draw = _lasting if lasting else _changing
        marks.append({
            **one, "colour": COLOURS[mark.colour], "lasting": lasting,
            "drawn": [draw(model, picture, one) for one in marked],
        })  # fmt: skip
    tells = [found(tell.name, tell.text) for tell in model.tells]
    derived = [found(one.name, one.name) for one in _moving(model)]
    ties = [found(one.name, one.name) for one in model.ties]
    return marks, tells, derived, ties, [found(one.name, one.name.replace("_", " ")) for one in model.asides]


def _moving(model: Game) -> tuple[Derived, ...]:
    """The drawn definitions that do not belong to the ground."""
    still = on_ground(model)
    return tuple(derived for derived in model.derived if derived not in still)


def _tie(tie: Tie, found: dict[str, Any]) -> dict[str, Any]:
    """The description of a line about pairs of cells, with the attributes of the lines that it draws."""
    looks = [Tied((0, 0), thing.colour, thing.size) for thing in looks_of(tie).values()]
    styles = [add(Element("g"), "line", **tie_style(look)).attrib for look in looks]
    glyphs = [{"values": list(glyph.values), "style": dict(style)}
              for glyph, style in zip(tie.glyphs, styles, strict=True)]  # fmt: skip
    return {**found, "glyphs": glyphs}


def _aside(model: Game, aside: Aside, found: dict[str, Any], picture: Picture) -> dict[str, Any]:
    """The description of a line beside the board, with the look of each value or argument; null for what is not
    drawn."""
    query = model.queries[aside.name]
    looks = {
        ",".join(map(str, key)): picture.beside(thing) if thing.is_seen else None
        for key, thing in looks_of(aside).items()
    }
    kinds = {"count": query.params[1:], "holds": query.params[-1:]}.get(aside.kind, query.sorts[-1:])
    for named in kinds:  # one at most
        for value in named.values():
            looks.setdefault(str(value), picture.beside(Thing("", "", named.label(value))))
    headed = is_headed(query, aside)
    return {
        **found, "kind": aside.kind, "condition": query.result is None, "headed": headed,
        "whose": headed and query.params[0].name == "player", "sort": len(query.params) - (aside.kind != "each"),
        "named": named_beside(model, aside) is not None, "arguments": len(query.params), "looks": looks,
        "words": {str(value): word for value, word in names_of(query, aside).items()},
    }  # fmt: skip


def _shop(model: Game, tell: Tell, found: dict[str, Any], picture: Picture) -> dict[str, Any]:
    """The description of what the rules tell of values that moves name, with the look of each value."""
    query = model.queries[tell.name]
    sort = query.sorts[0]
    return {
        **found, "kind": "told", "condition": query.result is None, "headed": False, "whose": False, "sort": 0,
        "named": True, "arguments": len(query.params),
        "looks": {str(value): picture.beside(look_of(model, sort, value)) for value in sort.values()},
        "words": {},
    }  # fmt: skip


def _lasting(model: Game, picture: Picture, mark: Marked) -> dict[str, Any]:
    return {"group": picture.mark(mark)["parts"][0], "around": [], "sides": []}


def _changing(model: Game, picture: Picture, mark: Marked) -> dict[str, Any]:
    """How each cell is marked by itself, side by side: those between two marked cells are left out."""
    board = model.board
    by_place = {place: cell for cell, place in enumerate(board.place, 1)}
    steps = [] if board.links else [step for step, _, _ in sides_of(board, 0.0)]
    group: list[Any] = []
    around, sides = [], []
    for name, (x, y) in zip(board.cells, board.place, strict=True):
        (group,) = picture.mark(replace(mark, cells=frozenset({name}), lasting=False))["parts"]
        title, *parts = group[3]
        group = [*group[:3], [title]]
        alone = len(parts) - len(steps)
        around.append(parts[:alone])
        behind = [by_place.get((x + dx, y + dy), 0) for dx, dy in steps]
        sides.append([[cell, part] for cell, part in zip(behind, parts[alone:], strict=True)])
    return {"group": group, "around": around, "sides": sides}
