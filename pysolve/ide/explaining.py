"""What a word means, when somebody points at it, and how a function is called.

In: a view of a text and a place in it.  Out: texts, with code marked as in Markdown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pysolve.ide.calls import call_around
from pysolve.ide.knowledge import WORD, Named, Place, View
from pysolve.ide.reading import reading_at
from pysolve.ide.tokens import line_tokens
from pysolve.ide.vocabulary import form, is_in, sentence, signature

_SILENT = ("string", "comment", "drawing", "move", "number")
_WORDS = ("heading", "keyword", "kind", "given", "look")
_CALLED = {"state": "state variable", "column": "column of a table", "term": "term of evaluate"}
_GIVEN = {"direction": "directions"}


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of a word for a hover."""

    place: Place
    code: str  # how it is declared, called or written
    lines: tuple[str, ...]  # sentences


@dataclass(frozen=True, slots=True)
class Signature:
    """The signature of a definition, a state variable, an effect or a function."""

    label: str
    params: tuple[str, ...]
    argument: int  # the number of the argument at the place
    text: str


def explanation(view: View, line: int, column: int) -> Explanation | None:
    """The explanation of the word at a place; None if nothing is known about it."""
    reading = reading_at(view.lines, line)
    text = view.lines[line]
    token = next((one for one in line_tokens(text, reading) if one.start <= column <= one.end), None)
    if (found := view.at(line, column)) is not None and found[1].kind != "given":
        return Explanation(found[0], _code(found[1]), tuple(_said(found[1], view)))
    if token is None or token.kind in _SILENT:
        return None
    word = WORD.match(text, token.start)
    if word is None:
        return None
    place = Place(view.known.source, line, word.start(), len(word.group()))
    said = sentence(word.group(), reading.section)
    if found is not None:
        return Explanation(place, _given(found[1]), tuple(one for one in (said, _value(found[1])) if one))
    heads = bool(reading.blocks) and reading.blocks[-1].word == word.group()
    code = signature(word.group()) or (form(word.group()) if heads else "")
    if token.kind not in _WORDS or not (said or code):
        return None
    return Explanation(place, code, (said,) if said else ())


def _code(one: Named) -> str:
    """The declaration of a name, with its type if that is not written."""
    if one.kind == "variable" and one.type and not one.head.startswith(f"{one.name}:"):
        return f"{one.name}: {one.type}"
    if one.kind == "value":
        return f"{one.name}: {one.type}"
    return one.head


def _given(one: Named) -> str:
    """A function with its type, or a value of the board."""
    return f"{one.head}: {one.type}" if one.type else one.head


def _said(one: Named, view: View) -> list[str]:
    """The lines of text about a name that a text declares."""
    lines = []
    what = _CALLED.get(one.kind, one.kind)
    if one.kind == "variable" and not one.head.startswith(f"{one.name}:"):
        what = f"variable, `{one.head}`"
    elif one.kind == "definition" and one.type:
        what = f"definition: {one.type}"
    if one.place is not None:
        here = view.here(one.place)
        line = one.place.line if here is None else here.line
        other = "" if one.place.source == view.known.source else f" of {_file(one.place.source)}"
        lines.append(f"{what}, line {line + 1}{other}")
    if one.kind == "type" and one.name in view.known.types:
        lines.append(f"values: {', '.join(view.known.types[one.name])}")
    if value := _value(one):
        lines.append(value)
    return lines


def _file(source: str) -> str:
    """The name of a file without its folders."""
    return re.split(r"[/\\]", source)[-1]


def _value(one: Named) -> str:
    return f"is `{one.value}`" if one.value else ""


def signature_at(view: View, line: int, column: int) -> Signature | None:
    """The signature of the call around a place; None if there is none."""
    call = call_around(view.lines, line, column)
    if call is None:
        return None
    number = view.named(call.name, line)
    one = view.known.names[number] if number is not None else None
    if one is not None and one.kind != "given":
        label = f"{one.name}({', '.join(one.params)})"
        return Signature(f"{label}: {one.type}" if one.type else label, one.params, call.argument, one.head)
    if not is_in("functions", call.name):
        return None
    label = signature(call.name).split(")")[0] + ")"
    params = tuple(re.findall(r"\w+", label[label.index("(") :]))
    return Signature(label, params, call.argument, sentence(call.name))
