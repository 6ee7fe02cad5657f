"""A game, whatever the position: what a page must know about it.

In: an open game.  Out: its players, options, kinds of moves, levels, board, examples and names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pysolve.dsl.errors import Source, Span
from pysolve.dsl.model import Game, OptionValue, Query, SetSort, Var
from pysolve.dsl.text.lines import without_comment
from pysolve.game import option_word
from pysolve.scene import COLOURS
from pysolve.service.games import Opened

MOST_VALUES = 100  # of an option that are listed
_SECTION = re.compile(r"(?:replace[ \t]+)?([a-z]+)\b[ \t]*(\w*)")  # the word that begins a section, and a name


def description(opened: Opened) -> dict[str, Any]:
    """The description of a game for a page: players, options, kinds of moves, levels, board, names."""
    game, model = opened.game, opened.game.model
    return {
        "id": opened.id,
        "name": opened.name,
        "title": model.title,
        "author": model.about.get("author", ""),
        "about": model.about.get("about", ""),
        "players": [{"name": name, "colour": _colour(model, name)} for name in game.players],
        "options": [_option(option) for option in model.options],
        "kinds": [_kind(model, number, opened.source) for number in range(len(model.actions))],
        "levels": game.levels,
        "board": opened.picture.board(),
        "draws_lots": model.draws_lots,
        "remembers": model.remembers,
        "examples": [example_of(one.name, one.span) for one in model.examples],
        "names": list(_names(model, opened.source)),
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


def _colour(model: Game, player: str) -> str:
    """The colour of a player's pieces; none if the rules give none, or several."""
    found = set()
    for layer in model.layers:
        for glyph in layer.glyphs:
            for slot, value in zip(layer.slots, glyph.values, strict=False):
                sort = model.slots[slot].sort if layer.on_cell else model.slots[slot].params[0]
                if sort.name == "player" and sort.label(value) == player:
                    found |= {word for word in glyph.look if word in COLOURS}
    return COLOURS[found.pop()] if len(found) == 1 else ""


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


# ------------------------------------------------------------------------------------------------- names


def _names(model: Game, source: Source) -> Iterator[dict[str, Any]]:
    """The names that the rules give, and where: line 0 for those of the rules that they extend."""
    places = _Places(source)
    for option in model.options:
        yield places.name(option.name, "option", f"option {option.name}", "option")
    for name, query in model.queries.items():
        if query.kind == "slot" and name != "mover":
            yield places.name(name, "state", f"{_head(name, query)}: {query.result}", "state")
        elif query.target.startswith("table_"):
            yield places.name(name, "definition", _head(name, query), "table")
        elif query.target.startswith("def_"):
            yield places.name(name, "definition", _head(name, query), "define", headed=True)
    for name in places.heads("effect"):
        yield places.name(name, "definition", name, "effect", headed=True)
    for name in places.heads("type"):
        yield places.name(name, "type", name, "type", headed=True)
    for label in dict.fromkeys(label for sort in model.sorts.values() for label in sort.labels):
        found = places.name(label, "value", label, "players", "type", "state")
        if found["line"]:
            yield found
    for action in model.actions:
        yield places.name(action.name, "move", f'move {action.name} as "{action.text}"', "move", headed=True)


def _head(name: str, query: Query) -> str:
    return f"{name}({', '.join(map(str, query.params))})" if query.params else name


class _Places:
    """The lines of the sections of a text that declare names, by the word that begins a section."""

    def __init__(self, source: Source):
        self._lines: dict[str, list[tuple[int, str, str]]] = {}  # number, line, the name in the head of the section
        section = headed = ""
        for number, whole in enumerate(source.text.split("\n"), 1):
            line = without_comment(whole).rstrip()
            head = _SECTION.match(line)
            if head is not None:
                section, headed = head[1], head[2] or ""
            if line:
                self._lines.setdefault(section, []).append((number, line, headed if head is not None else ""))

    def heads(self, section: str) -> list[str]:
        """The names in the heads of the sections of a kind."""
        return [headed for _, _, headed in self._lines.get(section, ()) if headed]

    def name(self, name: str, sort: str, text: str, *sections: str, headed: bool = False) -> dict[str, Any]:
        """A name with the first line of these sections that has it, in their heads if it is `headed`; else a text."""
        word = re.compile(rf"\b{re.escape(name)}\b")
        for section in sections:
            for number, line, head in self._lines.get(section, ()):
                if head == name if headed else word.search(line):
                    said = text if sort in ("value", "state") or section == "table" else line.strip()
                    return {"name": name, "sort": sort, "line": number, "text": said}
        return {"name": name, "sort": sort, "line": 0, "text": text}
