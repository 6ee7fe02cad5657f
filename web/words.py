"""The words of the language for editors: groups, signatures, and what the manual says of each.

    .venv/bin/python web/words.py      writes pysolve/ide/words.json; for the colours that a text has before it was
                                       read, web/src/generated/words.json and the grammar of editors/vscode

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
TARGET = ROOT / "pysolve" / "ide" / "words.json"
PAGE = ROOT / "web" / "src" / "generated" / "words.json"

# Where the manual explains a word, or a group of words; of functions and aggregates their rows say it.  "end most" is
# `most` under `end`; "| a" is the row of a table that begins with a.
PLACES = {
    "game": "`game` gives the title",
    "extends": "derives a game from another one",
    "author": "`author`, `about`, `language` and `notation` may stand",
    "about": "**`about`** is a text",
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
    "chance": "A **`chance`** section defines",
    "seen": "**`seen by`**, after the type",
    "nobody": "| `nobody`",
    "all": "| `all where condition`",
    "stuck": "**`stuck`** says",
    "end": "**`end`** lists",
    "evaluate": "`evaluate` says what a program",
    "level": "`level` names a program",
    "show": "`show` defines how",
    "mark": "`mark` marks",
    "tell": "`tell` prints a value",
    "example": "An example consists",
    "replace": "| `replace` and",
    "extend": "| `extend` and",
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
    "weight": "**`weight`** says how likely",
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
    "pay": "| `pay gain`",
    "pays": "| `result ",
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
    "directions": "The directions are",
    # types
    "cell": "| `cell`, `direction`",
    "direction": "| `cell`, `direction`",
    "player": "| `player` | the players",
    "int": "| `int`",
    "bool": "| `bool`",
    # show
    "number": "| `stones: 0",
    "never": "**`never`** is followed",
    "lines": "| `lines every 3`",
    "beside": "| `beside stock",
    "icon": "| `icon hut",
    "ground": "| `ground points`",
    "under": "| `under",
    "sizes": "Something is `small`",
    "grounds": "| `ground points`",
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
    for word, place in {**language.places(), **PLACES}.items():
        matches = [one for one in known if (one.startswith(place) if place.startswith("|") else place in one)]
        if len(matches) != 1:
            raise LookupError(f'{len(matches)} sentences of the manual say "{place}", of "{word}"; expected one')
        found[word] = plain(matches[0])
    return found


def content() -> str:
    """What words.json holds in Python."""
    everything = {
        "groups": language.words(),
        "signatures": language.signatures(),
        "forms": language.forms(),
        "sentences": explained(MANUAL.read_text(encoding="utf-8")),
    }
    return json.dumps(everything, ensure_ascii=False, indent=1) + "\n"


def colours() -> str:
    """What words.json holds in the page: the words that have a colour wherever they stand."""
    groups = language.words()
    kinds = {
        "heading": groups["sections"],
        "keyword": [word for word in groups["reserved"] if word not in groups["sections"]],
        "kind": groups["types"],
        "given": [*groups["names"], *groups["functions"], *groups["directions"]],
    }
    return json.dumps(kinds, indent=1) + "\n"


if __name__ == "__main__":
    TARGET.write_text(content(), encoding="utf-8", newline="\n")
    PAGE.write_text(colours(), encoding="utf-8", newline="\n")
    runpy.run_path(str(ROOT / "editors" / "vscode" / "make_grammar.py"), run_name="__main__")
