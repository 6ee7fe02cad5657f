"""Moves and positions as text, and text as moves and positions, from the model alone.

    state       the bytes of a position, as an engine takes them
    values      {slot: {arguments: value}}, all whole numbers
    dict        {"mover": "Red", "state": {"at": {"a1": "Red", "a2": None}}}, the exchange format
    diagram     a drawn board, for people and for examples, headed by  position Red, step = placing
    line        the same on one line:  RB../.... Red step=placing
    move        a tuple (kind, parameters…) in numbers; as text by the author's  as "{from}-{to}"

What a text leaves out has its value in `base`, usually the initial position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from pysolve.dsl.errors import choices, nearest
from pysolve.dsl.forms import ANY, CELL, NUMBER, Choice, Form, Word
from pysolve.dsl.language.sites import KINDS
from pysolve.dsl.model import (
    UNKNOWN_WORD,
    UNSEEN,
    Action,
    Board,
    Game,
    Glyph,
    Layer,
    Never,
    Slot,
    Sort,
    Values,
    Var,
    digits,
)

Move = tuple[int, ...]
FEW = 8  # words that are listed one by one
AGAIN = "again"  # the slot that remembers who has just moved; nobody sees it where there are secrets
BARE = "."  # a cell of which nothing is drawn
_GRID_NAME = re.compile("[a-z]+[0-9]+")  # what the cells of most boards are called
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class NotationError(ValueError):
    """A text is not a position or move of the game; the message says what was expected.

    In a drawing, `row` and `word` say where, counted from 0; in a fact, `word` says which argument.
    """

    def __init__(self, message: str, row: int | None = None, word: int | None = None):
        super().__init__(message)
        self.row = row
        self.word = word


class InvalidMove(NotationError):
    """A text does not have the form of any move."""


class AmbiguousMove(NotationError):
    """A text fits several legal moves."""


# ----------------------------------------------------------------------------------- bytes and values


def arguments(slot: Slot) -> Iterator[tuple[int, ...]]:
    """All combinations of a slot's arguments, in the order of its bytes."""
    return product(*(sort.values() for sort in slot.params))


def get(state: bytes, slot: Slot, args: tuple[int, ...] = ()) -> int:
    """One value of a state."""
    at = slot.offset + slot.width * slot.index(args)
    raw = state[at] if slot.width == 1 else state[at] * 255 + state[at + 1]
    return raw - slot.shift


def put(state: bytearray, slot: Slot, args: tuple[int, ...], value: int) -> None:
    """Changes one value; raises `NotationError` if it is out of range."""
    if not slot.sort.lowest <= value <= slot.sort.high:
        raise NotationError(f"{place_name(slot, args)} cannot be {value}: it holds {slot.sort}")
    at = slot.offset + slot.width * slot.index(args)
    if slot.width == 1:
        state[at] = value + slot.shift
    else:
        state[at], state[at + 1] = divmod(value + slot.shift, 255)


def stacked(slots: Mapping[str, Slot], state: bytes, slot: Slot, args: tuple[int, ...] = ()) -> tuple[int, ...]:
    """The values in the stack of `slot` with these arguments, the lowest first."""
    assert slot.stack is not None
    height, items = slots[slot.stack.height], slots[slot.stack.items]
    return tuple(get(state, items, (*args, place)) for place in range(1, get(state, height, args) + 1))


def put_stack(
    slots: Mapping[str, Slot], state: bytearray, slot: Slot, args: tuple[int, ...], values: Sequence[int]
) -> None:
    """Changes what lies in a stack; raises `NotationError` if it is too much."""
    assert slot.stack is not None
    if len(values) > slot.stack.most:
        where = place_name(slot, args)
        raise NotationError(f"{where} cannot hold {len(values)} values: it holds up to {slot.stack.most}")
    put(state, slots[slot.stack.height], args, len(values))
    for place in range(1, slot.stack.most + 1):
        value = values[place - 1] if place <= len(values) else slot.sort.none
        put(state, slots[slot.stack.items], (*args, place), value)
    put(state, slot, args, values[-1] if values else slot.sort.none)


def uneven(game: Game, state: bytes) -> str:
    """A stack whose height, or whose top, is not that of what lies in it; empty if there is none, as it should be."""
    for slot in game.slots.values():
        if slot.stack is None:
            continue
        height, items, most = game.slots[slot.stack.height], game.slots[slot.stack.items], slot.stack.most
        for number, args in enumerate(arguments(slot)):
            high = state[height.offset + number]
            at = items.offset + number * most
            values, none = state[at : at + most], slot.sort.none + slot.shift
            top = values[high - 1] if high else none
            above = values[high:].strip(bytes([none]))
            if above or none in values[:high] or top != state[slot.offset + number]:
                return place_name(slot, args)
    return ""


def blank(game: Game) -> bytes:
    """The state in which every slot has the first value of its type."""
    state = bytearray(game.size)
    for slot in game.slots.values():
        first = bytes(digits(slot.default + slot.shift, slot.width)) * slot.count
        state[slot.offset : slot.offset + len(first)] = first
    return bytes(state)


def place_name(slot: Slot, args: tuple[int, ...]) -> str:
    """A state variable with its arguments as the rules write it: `at(a1)`, or `step`."""
    words = ", ".join(sort.label(v) for sort, v in zip(slot.params, args, strict=False))
    return f"{slot.name}({words})" if words else slot.name


def parse_value(text: object, sort: Sort, what: str) -> int:
    """A value of a sort from its word, number, truth value or None."""
    if text is None or (text == "none" and sort.optional):
        if not sort.optional:
            raise NotationError(f"{what} cannot be none: it must be {_choices(sort)}")
        return sort.none
    if sort.name == "bool":
        text = {True: "true", False: "false", "on": "true", "off": "false"}.get(text, text)
    if sort.labels:
        place = _places(sort.labels).get(text) if isinstance(text, str) else None
        if place is not None:
            return sort.low + place
        same = [label for label in sort.labels if label.lower() == str(text).lower()]
        if len(same) == 1:
            return sort.low + sort.labels.index(same[0])
        hint = nearest(str(text), sort.labels)
        raise NotationError(f'{what} cannot be "{text}": it must be {_choices(sort)}' + (f"; {hint}" * bool(hint)))
    try:
        value = int(str(text))
    except ValueError:
        value = sort.lowest - 1
    if isinstance(text, bool) or not sort.low <= value <= sort.high:
        raise NotationError(f"{what} cannot be {text}: it must be {_choices(sort)}")
    return value


@lru_cache(maxsize=256)
def _places(labels: tuple[str, ...]) -> dict[str, int]:
    """The place of each label, from 0."""
    return {label: place for place, label in enumerate(labels)}


def _choices(sort: Sort) -> str:
    words = list(sort.labels) or [f"a number from {sort.low} to {sort.high}"]
    if _is_grid(sort) and len(words) > 8:
        words = [f"a cell; {cells_in_words(sort)}"]
    if sort.name == "bool":
        words = ["true", "false"]
    return choices([*words, "none"] if sort.optional else words)


def _is_grid(sort: Sort) -> bool:
    """True if all cells have names like a1."""
    return bool(sort.labels) and all(map(_GRID_NAME.fullmatch, sort.labels))


def cells_in_words(sort: Sort, near: str = "") -> str:
    """The cells of a board in words; if it is no rectangle, those in the row of the cell `near`, or in the first
    row."""
    rows: dict[int, list[str]] = {}
    for label in sort.labels:
        rows.setdefault(int(label.lstrip(_LETTERS)), []).append(label.rstrip("0123456789"))
    if len({tuple(columns) for columns in rows.values()}) == 1:
        return f"its cells are {sort.labels[0]} to {sort.labels[-1]}"
    digits_of = near.lstrip(_LETTERS)
    known = digits_of.isdecimal() and len(digits_of) < 3 and int(digits_of) in rows
    row = int(digits_of) if known else min(rows)
    text = f"row {row} is {' '.join(f'{column}{row}' for column in rows[row])}"
    return text if known else f"it has rows {min(rows)} to {max(rows)}; {text}"


def _parse_argument(text: str, sort: Sort, what: str) -> int:
    """A value that says where or by what: `a1` in `at(a1)` or in a move."""
    try:
        return parse_value(text, sort, what)
    except NotationError:
        if not sort.labels:
            raise
        if sort.name == "cell" and _is_grid(sort):
            raise NotationError(f'the board has no cell "{text}": {cells_in_words(sort, text)}') from None
        if sort.name in KINDS and len(sort.labels) > FEW:
            raise NotationError(f'the board has no {sort.name} "{text}": it is called after a cell and where it lies, '
                                f"as {sort.labels[0]}") from None  # fmt: skip
        raise NotationError(f'there is no {sort.name} "{text}": expected {_choices(sort)}') from None


# ------------------------------------------------------------------------------------------ the dict


def to_dict(game: Game, state: bytes) -> dict[str, Any]:
    """The exchange format: plain names and numbers, functions as nested objects, none as None."""
    mover = game.slots["mover"]
    out: dict[str, Any] = {"mover": mover.sort.label(get(state, mover)), "state": {}}
    for slot in visible(game):
        out["state"][slot.name] = _nested(game, state, slot, ())
    return out


def _nested(game: Game, state: bytes, slot: Slot, args: tuple[int, ...]) -> Any:
    if len(args) < len(slot.params):
        sort = slot.params[len(args)]
        return {sort.label(v): _nested(game, state, slot, (*args, v)) for v in sort.values()}
    if slot.stack is not None:
        return [plain(slot.sort, value) for value in stacked(game.slots, state, slot, args)]
    return plain(slot.sort, get(state, slot, args))


def plain(sort: Sort, value: int) -> Any:
    """A value as the exchange format has it: a word, a number, a truth value or None; `?` if it is unknown."""
    if value > sort.high:
        return UNKNOWN_WORD
    if sort.optional and value == sort.none:
        return None
    if sort.name == "bool":
        return bool(value)
    return sort.label(value) if sort.labels else value


def known_word(sort: Sort, value: int) -> str:
    """The word for a value of a state or a view, where what is above all values is unknown."""
    return UNKNOWN_WORD if value > sort.high else sort.label(value)


def visible(game: Game) -> list[Slot]:
    """The slots that an author declared, and what remembers a kept turn where it matters."""
    return [slot for slot in game.slots.values() if slot.name != "mover" and not slot.part_of]


def from_dict(game: Game, data: Mapping[str, Any], base: bytes) -> bytes:
    """The state that a dict describes; what it leaves out is as in `base`."""
    state = _described(game, data, base, False)
    refuse_breach(game, state)
    return state


def view_from_dict(game: Game, data: Mapping[str, Any], base: bytes) -> bytes:
    """The view that a dict describes, where `?` is what the player does not see; what it leaves out is as in `base`."""
    return _described(game, data, base, True)


def _described(game: Game, data: Mapping[str, Any], base: bytes, view: bool) -> bytes:
    if not isinstance(data, Mapping):
        raise NotationError('a position must be an object like {"mover": …, "state": {…}}')
    unknown = [key for key in data if key not in ("mover", "state")]
    if unknown:
        raise NotationError(f'a position has "mover" and "state", not "{unknown[0]}"')
    state = bytearray(base)
    if "mover" in data:
        mover = game.slots["mover"]
        put(state, mover, (), parse_value(data["mover"], mover.sort, "mover"))
    given = data.get("state", {})
    if not isinstance(given, Mapping):
        raise NotationError('"state" must be an object of state variables and their values')
    known = {slot.name: slot for slot in visible(game)}
    for name, value in given.items():
        if name not in known:
            raise NotationError(f'there is no state variable "{name}"; expected {choices(list(known))}')
        _put_nested(game, state, known[name], (), value, view)
    return bytes(state)


def _put_nested(game: Game, state: bytearray, slot: Slot, args: tuple[int, ...], data: Any, view: bool) -> None:
    if len(args) == len(slot.params):
        if slot.stack is not None:
            _put_listed(game, state, slot, args, data)
            return
        if view and slot.seen and data == UNKNOWN_WORD:
            at = slot.offset + slot.index(args) * slot.width
            state[at : at + slot.width] = bytes([UNSEEN]) * slot.width
            return
        try:
            value = parse_value(data, slot.sort, slot.name)
        except NotationError:
            value = parse_value(data, slot.sort, place_name(slot, args))  # says where
        put(state, slot, args, value)
        return
    sort = slot.params[len(args)]
    if not isinstance(data, Mapping):
        raise NotationError(f"{slot.name} needs an object with a value for each {sort.name}")
    what = f"{slot.name}(…)"
    for key, value in data.items():
        _put_nested(game, state, slot, (*args, parse_value(key, sort, what)), value, view)


def _put_listed(game: Game, state: bytearray, slot: Slot, args: tuple[int, ...], data: Any) -> None:
    """Puts the values of a list, from below, in a stack."""
    where = place_name(slot, args)
    if not isinstance(data, list | tuple):
        raise NotationError(f"{where} is a stack: it needs a list of what lies in it, from below")
    put_stack(game.slots, state, slot, args, [parse_value(value, slot.sort.sure, where) for value in data])


# ------------------------------------------------------------------------------------------ diagrams


Pick = tuple[tuple[Layer, Glyph], ...]  # what is drawn on a cell: a glyph of each layer, or one that lies over all


def _picks(layers: tuple[Layer, ...], nevers: tuple[Never, ...]) -> Iterator[tuple[str, Pick]]:
    """All ways to draw a cell, with the text of each, without those that never occur."""
    on_cell = [layer for layer in layers if layer.on_cell]
    for glyphs in product(*(layer.glyphs for layer in on_cell)):
        if nevers:
            values = tuple(value for glyph in glyphs for value in glyph.values)
            if any(values in never.cases for never in nevers):
                continue
        yield "".join(glyph.text for glyph in glyphs) or BARE, tuple(zip(on_cell, glyphs, strict=True))


@lru_cache(maxsize=256)
def _texts(layers: tuple[Layer, ...], nevers: tuple[Never, ...]) -> dict[str, Pick]:
    """Each text that a cell can have in a drawing, with the values that it stands for."""
    found: dict[str, Pick] = {}
    for text, pick in _picks(layers, nevers):
        found.setdefault(text, pick)
    for layer in layers:
        for glyph in () if layer.on_cell else layer.glyphs:
            found[glyph.text] = ((layer, glyph),)
    return found


def _ruled_out(text: str, layers: tuple[Layer, ...], nevers: tuple[Never, ...]) -> str:
    """The line of `show` by which no cell looks so."""
    values = tuple(value for _, glyph in _texts(layers, ())[text] for value in glyph.values)
    return next(never.text for never in nevers if values in never.cases)


def clash(layers: tuple[Layer, ...], nevers: tuple[Never, ...]) -> tuple[str, Pick, Pick] | None:
    """A cell text that could mean two things, and these; None if a diagram can be read back."""
    seen: dict[str, Pick] = {}
    tokens = [(glyph.text, ((layer, glyph),)) for layer in layers if not layer.on_cell for glyph in layer.glyphs]
    for text, pick in (*tokens, *_picks(layers, nevers)):
        if text in seen:
            return text, seen[text], pick
        seen[text] = pick
    return None


def breach(game: Game, state: bytes) -> tuple[Never, str] | None:
    """A line of `show` that says never, and the values of a cell that are so nevertheless; None if there are none."""
    if not game.nevers:
        return None
    slots = [game.slots[name] for layer in game.layers if layer.on_cell for name in layer.slots]
    for cell in range(1, len(game.board.cells) + 1):
        values = tuple(get(state, slot, (cell,)) for slot in slots)
        for never in game.nevers:
            if values in never.cases:
                named = zip(slots, values, strict=True)
                return never, ", ".join(f"{place_name(s, (cell,))} = {s.sort.label(v)}" for s, v in named)
    return None


def refuse_breach(game: Game, state: bytes) -> None:
    """Raises `NotationError` if a state violates a `never` of the rules."""
    found = breach(game, state)
    if found is not None:
        raise NotationError(f"{found[1]}: excluded by the rules:  {found[0].text}")


def shown_glyphs(layer: Layer, slots: Mapping[str, Slot], state: bytes, cell: int) -> list[Glyph]:
    """The glyphs that a layer draws on a cell: one, or for a stack one for each of its values, the lowest first."""
    values = tuple(get(state, slots[name], (cell,)) for name in layer.slots)
    found = [values]
    if is_stack(layer, slots):
        found = [(value,) for value in stacked(slots, state, slots[layer.slots[0]], (cell,))] or found
    looks = {glyph.values: glyph for glyph in layer.glyphs}
    return [looks[one] if one in looks else Glyph(one, UNKNOWN_WORD, ()) for one in found]


def is_stack(layer: Layer, slots: Mapping[str, Slot]) -> bool:
    """Does a layer draw a stack?"""
    return layer.on_cell and slots[layer.slots[0]].stack is not None


def towers(layers: tuple[Layer, ...], slots: Mapping[str, Slot]) -> tuple[tuple[Layer, re.Pattern[str]], ...]:
    """The layers that draw stacks, and what two values or more look like."""
    return _towers(tuple(layer for layer in layers if is_stack(layer, slots)))


@lru_cache(maxsize=256)
def _towers(layers: tuple[Layer, ...]) -> tuple[tuple[Layer, re.Pattern[str]], ...]:
    found = []
    for layer in layers:
        texts = "|".join(re.escape(glyph.text) for glyph in lying(layer))
        found.append((layer, re.compile(f"(?:{texts}){{2,}}")))
    return tuple(found)


def lying(layer: Layer) -> list[Glyph]:
    """The glyphs of what lies in a stack; the first of all is that of an empty one."""
    return list(layer.glyphs[1:])


def tower(word: str, layer: Layer, pattern: re.Pattern[str]) -> tuple[str, list[int]]:
    """A word with only the uppermost of the values that a layer draws, and all of them, or none if it draws one."""
    found = pattern.search(word)
    if found is None:
        return word, []
    values, text = [], found.group()
    while text:
        glyph = next(glyph for glyph in lying(layer) if text.startswith(glyph.text))
        values.append(glyph.values[0])
        text = text[len(glyph.text) :]
    return word[: found.start()] + glyph.text + word[found.end() :], values


def cell_text(layers: tuple[Layer, ...], slots: Mapping[str, Slot], state: bytes, cell: int) -> str:
    """The text of a cell in a drawing."""
    text = ""
    for layer in layers:
        if layer.on_cell:
            text += "".join(glyph.text for glyph in shown_glyphs(layer, slots, state, cell))
        else:
            for glyph in layer.glyphs:
                if get(state, slots[layer.slots[0]], glyph.values) == cell:
                    return glyph.text
    return text or BARE


def drawing(game: Game, state: bytes) -> list[str]:
    """The rows of the board from the top, one word a cell; `~` is no cell."""
    rows = list[str]()
    if not game.board.cells:
        return rows
    width = max(len(cell_text(game.layers, game.slots, state, c + 1)) for c in range(len(game.board.cells)))
    for row, shift in zip(game.board.rows, game.board.slant, strict=True):
        words = ["~" if c is None else cell_text(game.layers, game.slots, state, c) for c in row]
        while words and words[-1] == "~":
            words.pop()
        pad = " " * (shift * (width + 1) // 2)
        rows.append((pad + " ".join(word.ljust(width) for word in words)).rstrip())
    return rows


def read_drawing(
    rows: Iterable[str],
    layers: tuple[Layer, ...],
    nevers: tuple[Never, ...],
    board: Board,
    slots: Mapping[str, Slot],
    state: bytearray,
) -> None:
    """Puts a drawn board into a state; raises as `drawn_cells`."""
    known = _texts(layers, nevers)
    marks: dict[str, list[tuple[int, bytes]]] = {}
    moving = {
        glyph.text: (slots[layer.slots[0]], glyph.values)
        for layer in layers
        if not layer.on_cell
        for glyph in layer.glyphs
    }
    for written, cell in drawn_cells(rows, layers, nevers, board, slots):
        word, lying = plain_word(written, layers, slots)
        if word not in marks:
            marks[word] = list(_marks(known[word], slots))
        for start, raw in marks[word]:
            at = start + len(raw) * cell
            state[at : at + len(raw)] = raw
        if word not in moving:
            for layer, _ in towers(layers, slots):
                _put_drawn(state, layer, slots, cell, lying.get(layer, []))
        if word in moving:
            put(state, *moving[word], cell)


def plain_word(word: str, layers: tuple[Layer, ...], slots: Mapping[str, Slot]) -> tuple[str, dict[Layer, list[int]]]:
    """The text of a cell with at most one value in each stack, and the values of the stacks that have more."""
    lying: dict[Layer, list[int]] = {}
    for layer, pattern in towers(layers, slots):
        word, values = tower(word, layer, pattern)
        if values:
            lying[layer] = values
    return word, lying


def _put_drawn(state: bytearray, layer: Layer, slots: Mapping[str, Slot], cell: int, values: Sequence[int]) -> None:
    """Puts in a stack what is drawn on a cell; its top is there already."""
    slot = slots[layer.slots[0]]
    top = get(bytes(state), slot, (cell,))
    put_stack(slots, state, slot, (cell,), values or ([] if top == slot.sort.none else [top]))


def drawn_cells(
    rows: Iterable[str],
    layers: tuple[Layer, ...],
    nevers: tuple[Never, ...],
    board: Board,
    slots: Mapping[str, Slot],
) -> list[tuple[str, int]]:
    """The text and the number of each cell of a drawing; raises `NotationError` that names the wrong row and cell."""
    lines = [row.split() for row in rows if row.strip()]
    if len(lines) != len(board.rows):
        raise NotationError(f"the board has {len(board.rows)} rows; the drawing has {len(lines)}")
    known = _texts(layers, nevers)
    found: list[tuple[str, int]] = []
    for i, (words, cells) in enumerate(zip(lines, board.rows, strict=True)):
        want = list(cells)
        while want and want[-1] is None and len(words) < len(want):
            want.pop()
        if len(words) != len(want):
            real = [c for c in cells if c is not None]
            row = board.cells[real[0] - 1].lstrip("abcdefghijklmnopqrstuvwxyz") if real else ""
            message = f"row {row} has {len(want)} cells; {len(words)} {'are' if len(words) != 1 else 'is'} drawn"
            if len(words) == 1:
                message += ": separate them by spaces"
                message += f", as in  {' '.join(words[0])}" * (len(words[0]) == len(want))
            elif words[0].isdigit() and words[0] not in known:
                message += ": a row is drawn without its number"
            raise NotationError(message, i)
        for j, (word, cell) in enumerate(zip(words, want, strict=True)):
            if cell is None:
                if word != "~":
                    raise NotationError(f'"{word}" is drawn where the board has no cell; write ~ there', i, j)
            elif plain_word(word, layers, slots)[0] in known:
                found.append((word, cell))
            else:
                name = board.cells[cell - 1]
                if nevers and word in _texts(layers, ()):
                    raise NotationError(
                        f'"{word}" on {name}: excluded by the rules:  {_ruled_out(word, layers, nevers)}', i, j
                    )
                drawn = [text for text in known if len(text) <= 3]
                raise NotationError(f'unknown glyph "{word}" on {name}; a cell is drawn as {choices(drawn)}', i, j)
    return found


def _marks(meant: Pick, slots: Mapping[str, Slot]) -> Iterator[tuple[int, bytes]]:
    """The bytes of a cell that is drawn so, and where those of a cell 0 would be."""
    for layer, glyph in meant:
        for name, value in zip(layer.slots, glyph.values, strict=True) if layer.on_cell else ():
            slot = slots[name]
            yield slot.offset - slot.width * slot.params[0].low, bytes(digits(value + slot.shift, slot.width))


def drawn_slots(layers: tuple[Layer, ...]) -> set[str]:
    """Names of the slots that the diagram shows."""
    return {name for layer in layers for name in layer.slots}


def undrawn(game: Game, state: bytes, base: bytes) -> list[str]:
    """The values that a drawing does not show and that differ from `base`, each as text: `step = placing`."""
    drawn, covered = drawn_slots(game.layers), _covered(game, state)
    facts = []
    for slot in visible(game):
        if slot.name not in drawn:
            facts += differences(game, slot, state, base)
            continue
        for args in arguments(slot):
            if (slot.name, args) in covered:
                facts += differences(game, slot, state, base, args)
    return facts


def differences(game: Game, slot: Slot, state: bytes, base: bytes, args: tuple[int, ...] = ()) -> list[str]:
    """The values of a slot, with these first arguments, that are not those of `base`, each as text: `step = placing`.

    Where all that begins with some arguments has become unknown, only these are named: `hand(Red) = ?`.
    """
    if len(args) == len(slot.params):
        if slot.stack is not None:
            values = stacked(game.slots, state, slot, args)
            same = values == stacked(game.slots, base, slot, args)
            return [] if same else [f"{place_name(slot, args)} = {stack_text(slot, values)}"]
        value = get(state, slot, args)
        if value == get(base, slot, args) or (slot.name == AGAIN and value > slot.sort.high):
            return []
        return [f"{place_name(slot, args)} = {known_word(slot.sort, value)}"]
    if slot.stack is None and state[part := slot.part(args)] == base[part]:
        return []  # soon found out, and usual
    rest = [(*args, value) for value in slot.params[len(args)].values()]
    found = [fact for one in rest for fact in differences(game, slot, state, base, one)]
    if slot.seen and slot.stack is None and len(found) >= len(rest) > 1 and all_unknown(slot, state, args):
        return [f"{place_name(slot, args)} = {UNKNOWN_WORD}"]
    return found


def all_unknown(slot: Slot, state: bytes, args: tuple[int, ...]) -> bool:
    """True if all values with these first arguments are unknown."""
    rest = product(*(sort.values() for sort in slot.params[len(args) :]))
    return all(get(state, slot, (*args, *one)) > slot.sort.high for one in rest)


def stack_text(slot: Slot, values: Sequence[int]) -> str:
    """The values of a stack as text, the lowest first: `King + Pawn`, or `none`."""
    return " + ".join(known_word(slot.sort, value) for value in values) or "none"


def _covered(game: Game, state: bytes) -> set[tuple[str, tuple[int, ...]]]:
    """The drawn places that the drawing cannot show: below a token, other tokens too, and tokens that lie nowhere."""
    found: set[tuple[str, tuple[int, ...]]] = set()
    over: set[int] = set()
    for layer in game.layers:
        for glyph in () if layer.on_cell else layer.glyphs:
            cell = get(state, game.slots[layer.slots[0]], glyph.values)
            if cell not in range(1, len(game.board.cells) + 1) or cell in over:
                found.add((layer.slots[0], glyph.values))
            else:
                over.add(cell)
    return found | {(name, (cell,)) for layer in game.layers if layer.on_cell for name in layer.slots for cell in over}


def diagram(game: Game, state: bytes, base: bytes) -> str:
    """The position as an example would draw it; reads back into the same position."""
    mover = game.slots["mover"]
    head = ", ".join([f"position {mover.sort.label(get(state, mover))}", *undrawn(game, state, base)])
    return "\n".join([head, *(f"  {row}" for row in drawing(game, state))])


def has_wide_texts(game: Game) -> bool:
    """True if a cell may be drawn by more than one character: then commas stand between cells."""
    return bool(towers(game.layers, game.slots)) or any(len(word) != 1 for word in _texts(game.layers, game.nevers))


def drawn_texts(game: Game) -> dict[str, list[tuple[str, int | None, Values]]]:
    """Each text that a cell can have, with the slots and values that it stands for.

    None in the place of a value is the cell itself, which is then the value of the slot for some arguments.
    """
    return {text: list(_meant(pick)) for text, pick in _texts(game.layers, game.nevers).items()}


def _meant(pick: Pick) -> Iterator[tuple[str, int | None, Values]]:
    for layer, glyph in pick:
        if layer.on_cell:
            yield from ((name, value, ()) for name, value in zip(layer.slots, glyph.values, strict=True))
        else:
            yield layer.slots[0], None, glyph.values


def line(game: Game, state: bytes, base: bytes) -> str:
    """The position on one line; reads back into the same position."""
    wide, rows = has_wide_texts(game), []
    for row in game.board.rows:
        words = ["~" if c is None else cell_text(game.layers, game.slots, state, c) for c in row]
        rows.append(("," if wide else "").join(words))
    mover = game.slots["mover"]
    facts = [fact.replace(" ", "") for fact in undrawn(game, state, base)]
    return " ".join([*(["/".join(rows)] if rows else []), mover.sort.label(get(state, mover)), *facts])


_FACT = re.compile(r"\s*([A-Za-z]\w*)\s*(?:\(([^)]*)\)\s*)?=\s*([^\s,+]+(?:\s*\+\s*[^\s,+]+)*)\s*,?")


def parse_position(game: Game, text: str, base: bytes) -> bytes:
    """The state that a diagram or a line describes; what it leaves out is as in `base`."""
    rows = [row for row in text.strip().splitlines() if row.strip()]
    if not rows:
        raise NotationError("a position is empty")
    state = bytearray(base)
    if not game.board.cells:
        rest, drawn = " ".join(rows).removeprefix("position"), list[str]()
    elif len(rows) == 1 and not rows[0].startswith("position"):
        board, _, rest = rows[0].strip().partition(" ")
        one_wide = all(len(row) == 1 for row in game.board.rows)  # then no comma is needed
        with_commas = one_wide or "," in board
        words = [row.split(",") if with_commas else list(row) for row in board.split("/")]
        drawn = [" ".join(row) for row in words]
    else:
        named = rows[0].strip().partition(",")[0] in game.slots["mover"].sort.labels
        headed = rows[0].startswith("position") or (named and len(rows) > len(game.board.rows))
        head = rows.pop(0) if headed else ""
        rest, drawn = head.removeprefix("position"), rows
    _read_head(game, rest, state)
    if drawn:
        try:
            read_drawing(drawn, game.layers, game.nevers, game.board, game.slots, state)
        except NotationError as error:
            shown = "" if error.row is None else f"; the row is  {' '.join(drawn[error.row].split())}"
            raise NotationError(f"{error}{shown}", error.row, error.word) from None
        _read_head(game, rest, state)  # a token may lie on something
    refuse_breach(game, bytes(state))
    return bytes(state)


def _read_head(game: Game, text: str, state: bytearray) -> None:
    """`Red, step = placing`, with or without commas."""
    mover = game.slots["mover"]
    text, at = text.rstrip(), 0
    word = re.match(r"\s*([A-Za-z]\w*\b)(?!\s*[=(])\s*,?", text)
    if word:
        put(state, mover, (), parse_value(word.group(1), mover.sort, "the mover"))
        at = word.end()
    while at < len(text):
        fact = _FACT.match(text, at)
        if not fact:
            raise NotationError(f'"{text[at:].strip()}" does not have the form  name = value')
        read_fact(game.slots, fact.group(1), fact.group(2), fact.group(3), state)
        at = fact.end()


def read_fact(slots: Mapping[str, Slot], name: str, args: str | None, value: str, state: bytearray) -> None:
    """Puts  name(args) = value  into a state."""
    if name not in slots:
        known = [slot.name for slot in slots.values() if not slot.part_of]
        raise NotationError(f'there is no state variable "{name}"; expected {choices(known)}')
    slot = slots[name]
    words = [word.strip() for word in args.split(",")] if args else []
    if len(words) != len(slot.params):
        raise NotationError(f"{name} takes {len(slot.params)} arguments, not {len(words)}")
    numbers = []
    for i, (word, sort) in enumerate(zip(words, slot.params, strict=True)):
        try:
            numbers.append(_parse_argument(word, sort, f"{name}(…)"))
        except NotationError as error:
            raise NotationError(str(error), word=i) from None
    where = place_name(slot, tuple(numbers))
    if slot.stack is not None:
        words = [] if value.strip() == "none" else [word.strip() for word in value.split("+")]
        put_stack(slots, state, slot, tuple(numbers), [parse_value(word, slot.sort.sure, where) for word in words])
        return
    put(state, slot, tuple(numbers), parse_value(value, slot.sort, where))


# --------------------------------------------------------------------------------------------- moves


def move_text(game: Game, move: Move) -> str:
    """A move as the author writes it."""
    if move[0] == len(game.actions):
        return "pass"
    action = game.actions[move[0]]
    return _filled(action, move, action.text)


def seen_text(game: Game, move: Move) -> str:
    """A move as those read it who do not make it; an empty text where they need not notice it."""
    kind = move[0]
    seen = game.actions[kind].seen if kind < len(game.actions) else None
    if seen is None:
        return move_text(game, move)
    return _filled(game.actions[kind], move, seen)


def _filled(action: Action, move: Move, text: str) -> str:
    """A text with the parameters of a move in the place of their names in braces."""
    words = {p.name: _label(p.sort, v) for p, v in zip(action.params, move[1:], strict=True)}
    return re.sub(r"\{(\w+)\}", lambda found: words[found.group(1)], text)


def _label(sort: Any, value: int) -> str:
    return str(sort.label(value))


def is_move(game: Game, numbers: object) -> bool:
    """True if the numbers form a move, legal or not: its kind, and parameters within their ranges."""
    if not (isinstance(numbers, tuple) and numbers and all(isinstance(part, int) for part in numbers)):
        return False
    kind, *args = numbers
    if kind == len(game.actions):
        return game.stuck is None and not args
    if not 0 <= kind < len(game.actions) or len(args) != len(game.actions[kind].params):
        return False
    pairs = zip(args, game.actions[kind].params, strict=True)
    return all(value in _values(param.sort) for value, param in pairs)


def _values(sort: Any) -> range:
    return range(sort.lowest, sort.high + 1)


def move_dict(game: Game, move: Move) -> dict[str, Any]:
    """A move in the exchange format, without the position it leads to."""
    if move[0] == len(game.actions):
        return {"move": "pass", "kind": "pass", "params": {}}
    action = game.actions[move[0]]
    params = {p.name: plain(p.sort, v) for p, v in zip(action.params, move[1:], strict=True)}  # type: ignore[arg-type]
    return {"move": move_text(game, move), "kind": action.name, "params": params}


def readings(game: Game, text: str) -> list[Move]:
    """All moves, legal or not, that a text may mean: in the author's form or as  kind(a, b)."""
    text = text.strip()
    found: list[Move] = []
    for kind, action in enumerate(game.actions):
        for words in _words(action, text):
            try:
                move = (kind, *(parse_value(words[p.name], p.sort, p.name) for p in action.params))  # type: ignore[arg-type]
            except NotationError:
                continue
            if move not in found:
                found.append(move)
    if text.lower() == "pass" and game.stuck is None and not found:
        found.append((len(game.actions),))
    return found


def misread(game: Game, text: str) -> tuple[str, str]:
    """The word that makes a text in the form of a move no move, and what is wrong with it; two empty texts if none."""
    for action in game.actions:
        for words in _words(action, text.strip()):
            for word, wrong in _misread_words(action, words):
                return word, wrong
    for action in game.actions:  # any words, if one of them is right
        loose = _form(action.text, action.params, True).read(text.strip())
        found = list(_misread_words(action, loose)) if loose else []
        if 0 < len(found) < len(action.params):
            return found[0]
    return "", ""


def _misread_words(action: Action, words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The words of a text in the form of a kind of move that are no values of its parameters, and why."""
    for param in action.params:
        word = words[param.name]
        try:
            _parse_argument(word, param.sort, param.name)  # type: ignore[arg-type]
        except NotationError as error:
            yield word, str(error)


def nearest_readings(game: Game, text: str) -> list[Move]:
    """Moves of every kind whose parameters are just the words of a text that is no move as it stands."""
    words = re.findall(r"[A-Za-z][A-Za-z0-9_]*|-?[0-9]+", text)
    found: list[Move] = []
    for kind, action in enumerate(game.actions):
        given = [word for word in words if word != action.name]
        if len(given) != len(action.params) or not given:
            continue
        try:
            values = [parse_value(w, p.sort, p.name) for w, p in zip(given, action.params, strict=True)]  # type: ignore[arg-type]
        except NotationError:
            continue
        found.append((kind, *values))
    return found


def _words(action: Action, text: str) -> Iterator[dict[str, str]]:
    """The words of the parameters in a text, without blanks around it, in each form of a kind of moves that it has."""
    found = _form(action.text, action.params).read(text)
    if found is not None:
        yield found
    call = _call_form(action.name, action.params) if "(" in text or not action.params else None
    match = call and call.fullmatch(text)
    if match:
        yield match.groupdict()


@lru_cache(maxsize=512)
def _form(text: str, params: tuple[Var, ...], loose: bool = False) -> Form:
    """The form  {from}-{to} .  `loose`: with any words in it."""
    return Form(text, {p.name: ANY if loose else _word(p.sort) for p in params if isinstance(p.sort, Sort)})


@lru_cache(maxsize=512)
def _call_form(kind: str, params: tuple[Var, ...]) -> re.Pattern[str]:
    """A regular expression for  kind(from, to) ; blanks and case do not matter."""
    inside = r"\s*,\s*".join(rf"(?P<{param.name}>-?\w+)" for param in params)
    brackets = rf"\(\s*{inside}\s*\)" if params else r"(?:\(\s*\))?"
    return re.compile(rf"{kind}\s*{brackets}", re.IGNORECASE)


def _word(sort: Sort) -> Word:
    """The words for the values of a sort, narrow enough for parameters side by side: `{from}{to}`."""
    if not sort.labels:
        return NUMBER
    return CELL if all(map(_GRID_NAME.fullmatch, sort.labels)) else Choice(sort.labels)
