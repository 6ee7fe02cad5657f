"""Files of learned values, which `pysolve learn` writes and `values=FILE` of a player names.

    {"values": 1, "game": "zola", "options": {"size": 6}, "rules": "b864fe47a6e493e9", "search": "plain",
     "made": {…}, "gate": {…},
     "patterns": {"size": 37, "codes": […], "groups": [[[base, [[byte, code], …]], …], …], "entries": 19316,
     "filled": [[1, 37]], "stages": […]}, "lines": [[…], …], "weights": "…",
     "net": {"inputs": {"codes": […], "groups": […], "entries": 193}, "units": 64, "ceiling": 512, "rows": "…",
     "outputs": "…"}}

One JSON object.  `rules` is the digest of rules and options (`play_digest`), `search` the search by which the level
`expert` plays (strong with a net, or where it has shown that it plays better, else plain), `made` says how the values
were made, and `gate` how they played against the `evaluate` block.  `weights` are numbers of 16 bits, low byte first,
deflated, in base64; so are those of `net`, which may be null or missing.  A file is data alone: every size is checked
before there is memory for it, and every number before it is used.
"""

from __future__ import annotations

import json
import zlib
from array import array
from dataclasses import dataclass, field
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import Any

from pysolve.dsl.analysis.patterns import MOST_OF_ONE, Group, Patterns, Seen, play_digest
from pysolve.dsl.analysis.patterns import inputs as inputs_of
from pysolve.dsl.language.constants import MOST_PLACES, NET_LANES, NET_WIDEST, WIDEST
from pysolve.game import Game
from pysolve.players.files import as_argument, named_file, short_text
from pysolve.players.packed import packed, unpacked
from pysolve.search.learned import HIGHEST, LARGEST_LINE, Net, Values, folding, largest_sums

FORMAT = 1
LARGEST = 8 << 20  # bytes of a file
MOST_WEIGHTS = 1 << 20
MOST_LOOKED_UP = 1 << 23  # numbers that C reads, where weights are not shared, and sums that are made for it
MOST_GROUPS = 2 * MOST_PLACES  # of one mover, with those that symmetries repeat
MOST_CODES = 1_000


class ValuesError(ValueError):
    """A file holds no learned values, or those of other rules."""


@dataclass(frozen=True, slots=True)
class ValuesFile:
    """Learned values, and where they come from."""

    game: str
    options: dict[str, Any]
    rules: str  # digest of rules and options
    values: Values
    names: tuple[str, ...] = ()  # of the lines of `evaluate`
    made: dict[str, Any] = field(default_factory=dict)
    gate: dict[str, Any] = field(default_factory=dict)
    strong: bool = False  # does the strong search play better by these tables than the plain one?  By a net it does

    def check(self, game: Game) -> None:
        """Raises `ValuesError` unless the values are for these rules and options, and know every value that a byte may
        have: whoever computes by them relies on it."""
        if play_digest(game.model) != self.rules:
            options = "".join(f" {name}={value}" for name, value in self.options.items())
            raise ValuesError(
                f"these values were learned for other rules than those of {game.title}: for {self.game}{options}; "
                f"learn them again:  pysolve learn {as_argument(game)} -o FILE"
            )
        model, patterns, net = game.model, self.values.patterns, self.values.net
        highest = bytearray(model.size)
        for slot in model.slots.values():
            for byte in range(slot.offset, slot.offset + slot.count * slot.width):
                highest[byte] = slot.stored[-1] if slot.width == 1 else 254
        fits = patterns.size == model.size and len(self.names) == len(model.terms)
        known = all(
            len(looked_at.codes[code]) > highest[byte]
            for looked_at in (patterns, *([net.inputs] if net else []))
            for groups in looked_at.groups for group in groups for byte, code in group.seen
        )  # fmt: skip
        if not (fits and known):
            raise ValuesError(f"the file is damaged: its patterns are not those of {game.title}")


def write(file: ValuesFile) -> str:
    """The text of a file, which `read` understands."""
    p = file.values.patterns
    net = file.values.net
    told = {
        "values": FORMAT, "game": file.game, "options": file.options, "rules": file.rules,
        "search": "strong" if file.strong or net else "plain", "made": file.made, "gate": file.gate,
        "names": file.names, "lines": file.values.lines,
        "patterns": {"size": p.size, "codes": p.codes, "groups": p.groups, "entries": p.entries, "filled": p.filled,
                     "stages": p.stages},
        "weights": packed(file.values.weights),
        "net": net and {
            "inputs": {"codes": net.inputs.codes, "groups": net.inputs.groups, "entries": net.inputs.entries},
            "units": net.units, "ceiling": net.ceiling, "rows": packed(net.rows), "outputs": packed(net.outputs),
        },
    }  # fmt: skip
    return json.dumps(told, separators=(",", ":")) + "\n"


def read(text: str) -> ValuesFile:
    """The values in a text; raises `ValuesError` for one that is none."""
    try:
        told = json.loads(text)
        if not isinstance(told, dict) or "values" not in told:
            raise ValuesError("this is no file of learned values")
        if told["values"] != FORMAT:
            raise ValuesError(f"this pysolve reads learned values of format {FORMAT}")
        found = _patterns(told["patterns"])
        names, lines = _names(told["names"]), _lines(told["lines"], len(told["names"]), found.stage_count)
        weights = _weights(told["weights"], found.entries * found.stage_count)
        values = Values(found, weights, lines, _net(told.get("net"), told["patterns"]))
        made, gate, options = (_object(told[key]) for key in ("made", "gate", "options"))
        strong = values.net is None and told.get("search") == "strong"
        return ValuesFile(_text(told["game"]), options, _text(told["rules"]), values, names, made, gate, strong)
    except ValuesError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError, zlib.error):
        raise ValuesError("the file is damaged: it is no complete file of learned values") from None


def _patterns(told: Any) -> Patterns:
    size, entries = _whole(told["size"], 1, 1 << 20), _whole(told["entries"], 1, MOST_WEIGHTS)
    codes = tuple(
        tuple(_whole(one, 0, 255) for one in _list(code, 1, 256)) for code in _list(told["codes"], 0, MOST_CODES)
    )
    first, second = (tuple(_group(one, size, entries, codes) for one in _list(groups, 1, MOST_GROUPS))
                     for groups in _list(told["groups"], 2, 2))  # fmt: skip
    filled = tuple((_whole(start, 1, size), _whole(stop, 1, size)) for start, stop in _list(told["filled"], 0, 16))
    count = sum(stop - start for start, stop in filled if start <= stop)
    stages = tuple(_whole(one, 0, 15) for one in _list(told["stages"], count + 1, count + 1))
    found = Patterns(size, codes, (first, second), entries, filled, stages)
    looked_up = sum(prod(len(codes[one.code]) for one in group.seen) for group in (*first, *second))
    if (looked_up + folding(found)) * found.stage_count > MOST_LOOKED_UP:
        raise ValueError
    return found


def _net(told: Any, tables: dict[str, Any]) -> Net | None:
    if told is None:
        return None
    inputs = _patterns({**tables, **{key: told["inputs"][key] for key in ("codes", "groups", "entries")}})
    units, ceiling = _whole(told["units"], 1, NET_WIDEST), _whole(told["ceiling"], 1, HIGHEST)
    if units % NET_LANES or units * inputs.entries > MOST_WEIGHTS or units * folding(inputs) > MOST_LOOKED_UP:
        raise ValueError
    outputs = _weights(told["outputs"], units * inputs.stage_count)
    rows = _weights(told["rows"], units * inputs.entries)
    said = (ceiling * sum(map(abs, outputs[at : at + units])) for at in range(0, len(outputs), units))
    if max(largest_sums(inputs, units, rows)) > HIGHEST or max(said) >= 1 << 31:
        raise ValueError  # C counts in 16 and 32 bits
    return Net(inputs, units, ceiling, rows, outputs)


def most_units(game: Game) -> int:
    """How many units a net of a game may have, so that a file may hold it."""
    looked_at = inputs_of(game.model)
    most = min(MOST_WEIGHTS // looked_at.entries, MOST_LOOKED_UP // folding(looked_at), NET_WIDEST)
    return most // NET_LANES * NET_LANES


def _group(told: Any, size: int, entries: int, codes: tuple[tuple[int, ...], ...]) -> Group:
    base, parts = told
    seen = tuple(
        Seen(_whole(byte, 1, size - 1), _whole(code, 0, len(codes) - 1)) for byte, code in _list(parts, 0, WIDEST)
    )
    if len({one.byte for one in seen}) != len(seen):
        raise ValueError
    weights = prod(max(codes[one.code]) + 1 for one in seen)
    if max(weights, prod(len(codes[one.code]) for one in seen)) > MOST_OF_ONE:
        raise ValueError
    return Group(_whole(base, 0, entries - weights), seen)


def _weights(text: Any, count: int) -> array[int]:
    if count > MOST_WEIGHTS:
        raise ValueError
    return unpacked(text, "h", count, LARGEST)


def _names(told: Any) -> tuple[str, ...]:
    return tuple(map(_text, _list(told, 0, 1000)))


def _lines(told: Any, count: int, stages: int) -> tuple[tuple[int, ...], ...]:
    if not told:
        return ()
    return tuple(tuple(_whole(one, -LARGEST_LINE, LARGEST_LINE) for one in _list(line, count, count))
                 for line in _list(told, stages, stages))  # fmt: skip


def _whole(told: Any, least: int, most: int) -> int:
    if type(told) is not int or not least <= told <= most:
        raise ValueError
    return told


def _list(told: Any, least: int, most: int) -> list[Any]:
    if not isinstance(told, list) or not least <= len(told) <= most:
        raise ValueError
    return told


def _text(told: Any) -> str:
    if not isinstance(told, str):
        raise TypeError
    return told


def _object(told: Any) -> dict[str, Any]:
    if not isinstance(told, dict):
        raise TypeError
    return told


def file_at(path: Path) -> ValuesFile:
    """What a file holds; raises `ValuesError`."""
    try:
        return read(short_text(path, LARGEST, "learned values"))
    except ValueError as error:
        raise ValuesError(f"{path}: {error}") from None


def values_in(name: str, game: Game) -> Values:
    """The values in a file, for a game; raises `ValuesError`."""
    return values_file_in(name, game).values


def values_file_in(name: str, game: Game) -> ValuesFile:
    """What a file of values for a game holds; raises `ValuesError`."""
    path = named_file(name, game)
    try:
        told = path.stat()
    except OSError as error:
        raise ValuesError(f"{name}: {error.strerror or error}") from None
    return _checked(path, told.st_mtime_ns, told.st_size, game, name)


@lru_cache(maxsize=8)
def _checked(path: Path, _time: int, _size: int, game: Game, name: str) -> ValuesFile:
    """What a file that was last written at this time holds, checked once for a game."""
    found = file_at(path)
    try:
        found.check(game)
    except ValuesError as error:
        raise ValuesError(f"{name}: {error}") from None
    return found
