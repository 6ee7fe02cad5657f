"""A text that somebody writes: its colours and parts, what can stand at a place, what a word means, another name.

In: a rules text, right or wrong, and a place in it.  Out: what `pysolve.ide` says of it, as in every editor.
"""

from __future__ import annotations

import re
from typing import Any

from pysolve.ide.colours import colours
from pysolve.ide.completion import offered
from pysolve.ide.explaining import explanation
from pysolve.ide.knowledge import View
from pysolve.ide.moves import moves_wanted
from pysolve.ide.outline import Part, folds, outline
from pysolve.ide.reading import lines_of
from pysolve.ide.renaming import Unchangeable, edited, places_to_change, refuse_mistakes
from pysolve.service.examples import legal_moves
from pysolve.service.question import Asked
from pysolve.service.refused import Refused

_PLAIN = re.compile(r"[^\w, ].*")  # what ends words and commas


def view(asked: Asked) -> dict[str, Any]:
    """The colours of a text, the blocks that can be folded, its sections."""
    return told(asked.games.view(asked["name"], asked["text"], asked["read"]))


def told(found: View) -> dict[str, Any]:
    """What an editor shows of a text, as an object for JSON."""
    kinds: dict[str, int] = {}
    lines: list[list[int]] = [[] for _ in found.lines]
    for one in colours(found):
        if one.token == "sign":
            continue
        kind = one.meaning.kind if one.token == "name" and one.meaning is not None else one.token
        lines[one.line] += one.start, one.end, kinds.setdefault(kind, len(kinds))
    return {
        "kinds": list(kinds),
        "colours": lines,
        "folds": [[first + 1, last + 1] for first, last, _ in folds(found.lines)],
        "sections": [_section(part, found.lines[part.first]) for part in outline(found.lines)],
    }


def _section(part: Part, head: str) -> dict[str, Any]:
    """A section, with its name, the names in it, or what stands behind its word."""
    name = part.name or ", ".join(one.name for one in part.parts) or _PLAIN.sub("", head[part.end :]).strip()
    return {"line": part.first + 1, "section": f"{part.change} {part.word}".strip(), "name": name}


def complete(asked: Asked) -> dict[str, Any]:
    """What can stand at a place, what fits best first."""
    known = asked.games.view(asked["name"], asked["text"], read=not asked.games.knows(asked["name"]))
    line, column = _place(known, asked)
    wanted = moves_wanted(known.lines, line, column)
    if wanted is None:
        offers = [
            {"label": one.label, "detail": one.detail, "text": one.text, "code": one.code, "rank": one.rank}
            for one in offered(known, line, column)
        ]
        return {"column": column + 1, "offers": offers}
    game = asked.games.last(asked["name"])
    moves = [] if game is None else legal_moves(game.game, wanted.options, wanted.position, wanted.played)
    offers = [{"label": one["text"], "detail": one["kind"], "text": "", "code": "", "rank": 0} for one in moves]
    return {"column": wanted.start + 1, "offers": offers}


def explain(asked: Asked) -> dict[str, Any]:
    """What the word at a place means; null if nothing is known of it."""
    known = asked.games.view(asked["name"], asked["text"], read=True)
    found = explanation(known, *_place(known, asked))
    if found is None:
        return {"meaning": None}
    column = found.place.column + 1
    place = {"line": found.place.line + 1, "column": column, "end_column": column + found.place.length}
    return {"meaning": {**place, "code": found.code, "lines": list(found.lines)}}


def rename(asked: Asked) -> dict[str, Any]:
    """The places in this text where a name has to become another one; refused if the text would have a mistake then."""
    name, text, new = asked["name"], "\n".join(lines_of(asked["text"])), asked["new"]
    before = asked.games.understood(name, text)
    known = asked.games.view(name, text, read=False)
    try:
        found = sorted(set(places_to_change(known, *_place(known, asked), new)))
        places = [(one.line + 1, one.column + 1, one.length) for one in found]
        refuse_mistakes(before, asked.games.understood(name, edited(text, places, new)), new)
    except Unchangeable as error:
        raise Refused("asked", str(error)) from error
    return {"places": [list(place) for place in places]}


def _place(known: View, asked: Asked) -> tuple[int, int]:
    """The place that is asked about, from 0 and within the text."""
    line = min(asked["line"], len(known.lines)) - 1
    return line, min(asked["column"] - 1, len(known.lines[line]))
