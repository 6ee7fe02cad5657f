"""The words of the language, in groups: for editors, which colour and complete them.

In: grammar.lark, and the tables of the checker for what is no part of the grammar.  Out: `words()`, lists of words by
group, each in the order of its source.  A group of the grammar holds the words with which one of its rules can begin,
or all words that stand in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from lark.grammar import Symbol

from pysolve.dsl.check.extending import EXTENDABLE
from pysolve.dsl.check.looks import COLOURS, GROUNDS, PLACES, SHAPES
from pysolve.dsl.check.looks import FORMS as SIZES
from pysolve.dsl.check.symbols import plain_types
from pysolve.dsl.language.aggregates import AGGREGATES
from pysolve.dsl.language.functions import FUNCTIONS
from pysolve.dsl.language.geometry import SQUARE_DIRECTIONS
from pysolve.dsl.text.hints import RESERVED
from pysolve.dsl.text.hints.words import FORMS, QUANTIFIERS
from pysolve.dsl.text.parser import built

# A group, and the rules of the grammar with whose words it begins.
BEGINNINGS = {
    "sections": ("section",),
    "header": ("property",),
    "boards": ("_board_form",),
    "board": ("_board_line",),
    "move": ("when", "do", "then", "after", "prefer"),
    "chance": ("when", "weighing", "do", "then"),
    "statements": ("statement",),
    "stuck": ("_stuck",),
    "outcomes": ("result",),
    "show": ("never", "lines", "beside", "icon", "ground", "under"),
    "example": ("_example_line",),
    "kinds": ("remove",),
    "values": ("expr",),
}
# A group, and the rules whose words it holds, wherever they stand.
CONTENTS = {
    "expressions": ("expr",),
    "all": ("start",),
}
GIVEN_TYPES = ("cell", "direction", "player", "edge", "corner")  # by the board and the players
GIVEN_NAMES = ("mover", "opponent", "opponents", "true", "false", "on", "off", "orthogonals", "diagonals", "corners")
IN_PLACES = {"turns": "end", "me": "evaluate", "you": "evaluate"}  # names with a meaning in one section only
SIGNS = re.compile(r"[^\w\s\\]+")


def words() -> dict[str, list[str]]:
    """All groups of words."""
    grammar = _Grammar()
    found = {group: grammar.beginnings(rules) for group, rules in BEGINNINGS.items()}
    found["kinds"] = grammar.kinds()
    found["extended"] = [*EXTENDABLE.values()]
    found |= {group: grammar.contents(rules) for group, rules in CONTENTS.items()}
    hexagons = grammar.contents(("hexagon", "rhombus", "triangle", "star"), without=("expr",))
    found["hexagons"] = [word for word in hexagons if word not in found["boards"]]
    return found | {
        "reserved": sorted(RESERVED),
        "choosing": [*QUANTIFIERS, *AGGREGATES],  # variables stand behind these
        "signs": grammar.signs(),
        "types": [*GIVEN_TYPES, *plain_types()],
        "names": [*GIVEN_NAMES, *IN_PLACES],
        "directions": list(SQUARE_DIRECTIONS),
        "functions": list(signatures()),
        "colours": list(COLOURS),
        "shapes": list(SHAPES),
        "sizes": list(SIZES),
        "places": list(PLACES),
        "grounds": list(GROUNDS),
    }


def signatures() -> dict[str, str]:
    """The signature of each function, as `column(cell)`."""
    return {name: rows[0].form for name, rows in FUNCTIONS.items() if name not in GIVEN_NAMES}


def places() -> dict[str, str]:
    """Where the manual explains each function and aggregate: words of the sentence, or the beginning of a row."""
    return {name: rows[0].manual for name, rows in FUNCTIONS.items()} | {
        row.name: row.manual for row in AGGREGATES.values()
    }


def forms() -> dict[str, str]:
    """An example of each phrase, by the word that heads it or the block in which it stands."""
    return dict(FORMS)


class _Grammar:
    """The words and signs of the grammar, read from its rules."""

    def __init__(self) -> None:
        lark = built()
        self.patterns = {terminal.name: terminal.pattern.value for terminal in lark.terminals}
        self.rules: dict[str, list[Sequence[Symbol]]] = {}
        for rule in lark.rules:
            self.rules.setdefault(str(rule.origin.name), []).append(rule.expansion)

    def beginnings(self, names: Iterable[str]) -> list[str]:
        """The words with which these rules can begin."""
        return self._words(terminal for name in names for terminal in self._first(name, set()))

    def contents(self, names: Iterable[str], without: Iterable[str] = ()) -> list[str]:
        """All words of these rules and of those that they use, but for the words in the rules of `without`."""
        left_out = self.contents(without) if without else []
        found = self._words(terminal for name in names for terminal in self._all(name, set()))
        return [word for word in found if word not in left_out]

    def kinds(self) -> list[str]:
        """The words between the brackets of KIND."""
        return re.findall(r"[a-z]+", self.patterns["KIND"].replace(r"\b", ""))

    def signs(self) -> list[str]:
        """The tokens that are neither words nor spaces, longest first."""
        plain = (self.patterns.get(name, "").replace("\\", "") for name in self._all("start", set()))
        return sorted({sign for sign in plain if SIGNS.fullmatch(sign)}, key=lambda sign: (-len(sign), sign))

    def _first(self, name: str, seen: set[str]) -> Iterator[str]:
        if name in seen:
            return
        seen.add(name)
        for expansion in self.rules[name]:
            for symbol in expansion[:1]:
                yield from [symbol.name] if symbol.is_term else self._first(symbol.name, seen)

    def _all(self, name: str, seen: set[str]) -> Iterator[str]:
        if name in seen:
            return
        seen.add(name)
        for symbol in (symbol for expansion in self.rules[name] for symbol in expansion):
            yield from [symbol.name] if symbol.is_term else self._all(symbol.name, seen)

    def _words(self, terminals: Iterable[str]) -> list[str]:
        """The words of terminals, without those that stand for many, such as NAME."""
        patterns = (self.patterns.get(name, "") for name in terminals)
        matches = (re.match(r"[a-z]+(?=$|\(\?)", pattern) for pattern in patterns)
        return list(dict.fromkeys(match[0] for match in matches if match))
