"""The words of the language for the editor: groups, signatures, and what the manual says of each.

    .venv/bin/python web/words.py      writes web/src/generated/words.json, the same to pysolve/editor/words.json, and
                                       the grammar of editors/vscode

The manual is the only place where a word is explained.  `PLACES` says where: with words that only one sentence of the
manual holds, or that only one row of its tables begins with.  A sentence that has gone is an error.
"""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

from pysolve.dsl import words as language

ROOT = Path(__file__).parent.parent
MANUAL = ROOT / "docs" / "manual.md"
TARGET = ROOT / "web" / "src" / "generated" / "words.json"
COPY = ROOT / "pysolve" / "editor" / "words.json"  # for editors other than the page's

# Where the manual explains a word, or a group of words.  "end most" is `most` under `end`; "| a" is the row of a table
# that begins with a.
PLACES = {
    "game": "`game` gives the title",
    "extends": "derives a game from another one",
    "author": "`author`, `about`, `language` and `notation` may stand",
    "about": "`author`, `about`, `language` and `notation` may stand",
    "language": "`language 1` is the language",
    "notation": 'With `notation "san"`, moves may',
    "option": "An **option** is",
    "players": "**Players** are listed",
    "board": "A board defines the type `cell`",
    "type": "`type` declares",
    "table": "A **table** gives",
    "state": "**State** is everything",
    "setup": "**Setup** builds",
    "define": "gives a name to a value, a condition or a set",
    "effect": "**Named effects** are",
    "move": "A `move` section defines",
    "stuck": "**`stuck`** says",
    "end": "**`end`** lists",
    "evaluate": "`evaluate` says what a program",
    "level": "`level` names a program",
    "show": "`show` defines how",
    "mark": "`mark` marks",
    "tell": "`tell` prints a value",
    "example": "An example consists",
    "replace": "| `replace` and",
    "remove": "| `remove`, a kind",
    "rename": "`rename` gives a name of the parent",
    # boards
    "square": "`board square W by H` gives",
    "cylinder": "On `board cylinder W by H`",
    "torus": "On `board torus W by H`",
    "hex": "Each row lies half a cell",
    "hexagon": "| `hex hexagon N`",
    "rhombus": "| `hex rhombus W by H`",
    "triangle": "| `hex triangle N`",
    "star": "| `hex star N`",
    "graph": "A graph board lists",
    "shape": "A `shape` leaves cells out",
    "line": "Each cell of a line is linked",
    # moves and effects
    "when": "**`when`** lists conditions",
    "do": "**`do`** and `then` describe",
    "after": "**`after`** lists conditions",
    "prefer": "**`prefer most`** comes last",
    "then": "The lines under it form a *round*",
    "else": "after a condition gives the reason that a player reads",
    "as": "**`as`** gives the text",
    "let": "| `let n",
    "if": "| `if … `",
    "for": "| `for x",
    "again": "**`again`** keeps the turn",
    "turn": "| `turn to p`",
    "out": "**`out when`** under `players` is",
    "push": "| `push value onto stack`",
    "take": "| `take n from stack",
    "drop": "| `drop n from stack`",
    "pick": "| `pick x",
    "repeat": "| `repeat n times`",
    "times": "| `repeat n times`",
    "position": "| `position`, `position when …`",
    # endings
    "pass": "With `pass`, that player has",
    "because": "`because` gives the reason that people read",
    "rank": "| `rank points`",
    "end most": "| `most points` ",
    "end least": "| `most points` ",
    "stuck most": "| `most points` ",
    "stuck least": "| `most points` ",
    "repeated": "| `repeated 3`",
    "ignoring": "`repeated 3 ignoring clock, mover` treats",
    "turns": "| `turns >= 100`",
    # values and conditions
    "define if": "`if … then … else …` chooses",
    "define then": "`if … then … else …` chooses",
    "define else": "`if … then … else …` chooses",
    "in": "`in` and `not in` test",
    "and": "`and`, `or` and `not` join",
    "or": "`and`, `or` and `not` join",
    "not": "`and`, `or` and `not` join",
    "some": "The three quantifiers are",
    "every": "The three quantifiers are",
    "no": "The three quantifiers are",
    "has": "The part after `has` extends",
    "where": "`where` restricts",
    "count": "| `count x in set",
    "sum": "| `sum x in set",
    "most": "| `most x in set",
    "least": "| `most x in set",
    "first": "| `first x in set",
    "union": "| `A union B`",
    "except": "| `A union B`",
    "intersect": "| `A union B`",
    "reach": "| `reach from c by near`",
    "steps": "`steps from a to b by near` is a number",
    "none": "`none` is a value like the others",
    "set": "| `set of …`",
    "true": "| `bool`",
    "false": "| `bool`",
    "on": "| `bool`",
    "off": "| `bool`",
    "mover": "Rules refer to the player whose turn it is as `mover`",
    "opponent": "Rules refer to the player whose turn it is as `mover`",
    "opponents": "`opponents` is the set of all players",
    "end mover": "Under `end`, `mover` is",
    "stuck mover": "Under `stuck`, `mover` is",
    "me": "Here, and only here, rules use `me`",
    "you": "Here, and only here, rules use `me`",
    "orthogonals": "`orthogonals` is the set of the four",
    "diagonals": "`orthogonals` is the set of the four",
    "corners": "`orthogonals` is the set of the four",
    "edges": "| `edges(c)`, `edges(k)`",
    "cells": "| `cells(e)`, `cells(k)`",
    "corner": "| `edge(c, d)`, `corner(c, d)`",
    "directions": "The directions are",
    # types
    "cell": "| `cell`, `direction`",
    "direction": "| `cell`, `direction`",
    "player": "| `player` | the players",
    "int": "| `int`",
    "bool": "| `bool`",
    # functions
    "next": "| `next(p)`",
    "neighbours": "| `neighbours(c)` ",
    "between": "| `between(a, b)`",
    "edge": "| `edge(d)`",
    "ray": "| `ray(c, d)`",
    "aligned": "| `aligned(a, b)`",
    "column": "| `column(c)`",
    "row": "| `column(c)`",
    "opposite": "| `opposite(d)`",
    "clockwise": "| `opposite(d)`",
    "abs": "The functions are `abs(n)`",
    "min": "The functions are `abs(n)`",
    "max": "The functions are `abs(n)`",
    "root": "The functions are `abs(n)`",
    "possible": "`possible(kind)` tests",
    "top": "`top(pile(c))` is the value on top",
    "height": "`top(pile(c))` is the value on top",
    "moves": "| `moves(p)`",
    # show
    "number": "| `stones: 0",
    "never": "**`never`** is followed",
    "lines": "| `lines every 3`",
    "beside": "| `beside stock",
    "colours": "The colours are",
    "shapes": "The shapes are",
    # examples
    "example position": "| `position South, step = closing` and rows",
    "play": "| `play ",
    "legal": "| `legal ",
    "illegal": "| `illegal ",
    "result": "| `result ",
    "example moves": "| `moves 12`",
    "holds": "| `holds ",
    "perft": "| `perft 1",
}


def sentences(manual: str) -> list[str]:
    """The sentences of the manual, and the rows of its tables, in their order."""
    text = re.sub(r"^```.*?^```$", "", manual, flags=re.MULTILINE | re.DOTALL)
    found: list[str] = []
    for paragraph in re.split(r"\n\s*\n|\n(?=[|*#] )", text):
        if paragraph.startswith("|"):
            found += paragraph.split("\n")
        else:
            found += re.split(r"(?<=[.:])\s+(?=[A-Z`*])", " ".join(paragraph.split()))
    return found


def plain(sentence: str) -> str:
    """A sentence as a tip shows it: without bold type, links and heading; the cells of a row are joined by a colon."""
    if sentence.startswith("|"):
        cells = [cell.strip() for cell in sentence.strip("|").split(" | ")]
        sentence = ": ".join(cells)
    sentence = re.sub(r"^\*\*[^*]+\.\*\* |:$", lambda match: "." if match[0] == ":" else "", sentence)
    sentence = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", sentence)
    return re.sub(r"(?<!\*)\*{1,2}([^*]+)\*{1,2}", r"\1", sentence).strip()


def explained(manual: str) -> dict[str, str]:
    """What the manual says of each word of PLACES."""
    known = sentences(manual)
    found = {}
    for word, place in PLACES.items():
        matches = [one for one in known if (one.startswith(place) if place.startswith("|") else place in one)]
        if len(matches) != 1:
            raise LookupError(f'{len(matches)} sentences of the manual say "{place}", of "{word}"; expected one')
        found[word] = plain(matches[0])
    return found


def content() -> str:
    """What words.json holds."""
    everything = {
        "groups": language.words(),
        "signatures": language.signatures(),
        "forms": language.forms(),
        "sentences": explained(MANUAL.read_text(encoding="utf-8")),
    }
    return json.dumps(everything, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    for target in (TARGET, COPY):
        target.write_text(content(), encoding="utf-8", newline="\n")
    runpy.run_path(str(ROOT / "editors" / "vscode" / "make_grammar.py"), run_name="__main__")
