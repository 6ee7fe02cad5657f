"""A game, whatever the position: what a page must know about it.

In: an open game.  Out: its players, options, kinds of moves, levels, board, examples and values.
"""

from __future__ import annotations

from typing import Any

from pysolve.display import scene
from pysolve.display.scene import COLOURS
from pysolve.dsl.errors import Source, Span
from pysolve.dsl.model import Game, OptionValue, Query, SetSort, Var
from pysolve.game import option_word
from pysolve.players.functions import specification
from pysolve.service.games import Opened
from pysolve.service.sides import player_colours

MOST_VALUES = 100  # of an option that are listed


def description(opened: Opened) -> dict[str, Any]:
    """The description of a game for a page: players, options, kinds of moves, levels, board, values."""
    game, model, native = opened.game, opened.game.model, opened.engine == "native"
    return {
        "id": opened.id,
        "name": opened.name,
        "title": model.title,
        "author": model.about.get("author", ""),
        "about": model.about.get("about", ""),
        "players": [
            {"name": name, "colour": COLOURS.get(colour, "")}
            for name, colour in zip(game.players, player_colours(game), strict=True)
        ],
        "options": [_option(option) for option in model.options],
        "kinds": [_kind(model, number, opened.source) for number in range(len(model.actions))],
        "levels": {name: text for name, text in game.levels.items() if native or not specification(text).needs_native},
        "board": opened.picture.board(),
        "walls": scene.has_walls(model),
        "draws_lots": model.draws_lots,
        "rolls": bool(model.chances),
        "remembers": model.remembers,
        "secret": model.secret,
        "examples": [example_of(one.name, one.span) for one in model.examples],
        "values": [label for sort in model.sorts.values() for label in sort.labels if label[:1].isupper()],
        "queries": [{"name": name, "parameters": _types(query)} for name, query in model.queries.items()],
        "engine": opened.engine,
    }


def span_of(span: Span) -> dict[str, int]:
    """A stretch of the rules."""
    return {
        "line": span.line, "column": span.column, "end_line": span.end_line, "end_column": span.end_column,
    }  # fmt: skip


def example_of(name: str, span: Span) -> dict[str, Any]:
    """An example, and where it stands."""
    return {"name": name, **span_of(span)}


def _option(option: OptionValue) -> dict[str, Any]:
    values = [option_word(option, value) for value in option.choices]
    return {
        "name": option.name,
        "value": option_word(option, option.value),
        "values": values if len(values) <= MOST_VALUES else [],
        "about": f"{option_word(option, option.default)} by default",
    }


def _kind(model: Game, number: int, source: Source) -> dict[str, Any]:
    action = model.actions[number]
    return {
        "name": action.name,
        "text": action.text,
        "line": action.span.line if action.span.source.name == source.name else 0,
        "parameters": [
            {"name": param.name, "type": str(param.sort), "values": _words(model, param)[:MOST_VALUES]}
            for param in action.params
        ],
    }


def _words(model: Game, param: Var) -> list[str]:
    """The words that a parameter may be; none for numbers, and for cells, which the board names."""
    labels = getattr(param.sort, "labels", ())
    return [] if labels == model.board.cells else list(labels)


def _types(query: Query) -> list[str]:
    return [str(sort.of) if isinstance(sort, SetSort) else str(sort) for sort in query.sorts]
