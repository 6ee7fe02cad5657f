"""The types of web/src/protocol.ts, as far as JSON needs them.

In: the text of the protocol.  Out: the type of each question's input, answer and parts; what is wrong with a value of a
type.  Types are read as they are written there: interfaces, aliases, unions, lists, tuples, records, literals.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

TEXT = (Path(__file__).parent.parent / "web" / "src" / "protocol.ts").read_text(encoding="utf-8")
TOKEN = re.compile(r'"[^"]*"|\w+|[{}\[\]<>()|&,;:?.=]')
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


@dataclass
class Type:
    """A type: its kind, the types that it consists of, the names or words in it."""

    kind: str
    parts: list["Type"] = field(default_factory=list)
    names: list[str] = field(default_factory=list)  # a name that may be left out ends in ?


class Reader:
    """Reads types from tokens."""

    def __init__(self, text: str):
        self.tokens = TOKEN.findall(COMMENT.sub("", text))
        self.at = 0

    def next(self, *wanted: str) -> bool:
        """Takes the next token if it is one of these."""
        if self.at < len(self.tokens) and self.tokens[self.at] in wanted:
            self.at += 1
            return True
        return False

    def word(self) -> str:
        self.at += 1
        return str(self.tokens[self.at - 1])

    def type(self) -> Type:
        self.next("|")
        found = [self.joined()]
        while self.next("|"):
            found.append(self.joined())
        return found[0] if len(found) == 1 else Type("union", found)

    def joined(self) -> Type:
        found = [self.listed()]
        while self.next("&"):
            found.append(self.listed())
        return found[0] if len(found) == 1 else Type("all", found)

    def listed(self) -> Type:
        found = self.plain()
        while self.tokens[self.at : self.at + 2] == ["[", "]"]:
            self.at += 2
            found = Type("list", [found])
        return found

    def plain(self) -> Type:
        if self.next("{"):
            return self.object()
        if self.next("["):
            return self.tuple()
        if self.next("("):
            found = self.type()
            assert self.next(")")
            return found
        word = self.word()
        if word == "Record":
            assert self.next("<")
            self.type()
            assert self.next(",")
            found = Type("record", [self.type()])
            assert self.next(">")
            return found
        return Type("literal", names=[word[1:-1]]) if word.startswith('"') else Type("name", names=[word])

    def object(self) -> Type:
        found = Type("object")
        while not self.next("}"):
            name = self.word()
            found.names.append(name + "?" if self.next("?") else name)
            assert self.next(":"), name
            found.parts.append(self.type())
            self.next(";", ",")
        return found

    def tuple(self) -> Type:
        found = Type("tuple")
        while not self.next("]"):
            name = self.word()
            found.names.append(name + "?" if self.next("?") else name)
            assert self.next(":"), name
            found.parts.append(self.type())
            self.next(",")
        return found


@cache
def declared(name: str) -> Type:
    """An interface or an alias of the protocol."""
    found = re.search(rf"export (?:interface {name}\b(?: extends (\w+))? |type {name} =)", TEXT)
    assert found is not None, f"the protocol has no {name}"
    own = Reader(TEXT[found.end() :].split("\nexport ")[0]).type()
    return Type("all", [declared(found[1]), own]) if found[1] else own


@cache
def questions() -> dict[str, dict[str, Type]]:
    """Each question's types: in, out and perhaps part."""
    table = declared("Questions")
    return {
        name: dict(zip(one.names, one.parts, strict=True)) for name, one in zip(table.names, table.parts, strict=True)
    }


def wrong(value: Any, wanted: Type, where: str = "") -> Iterator[str]:
    """What is wrong with a value of JSON; nothing if it has the type."""
    match wanted.kind:
        case "name":
            yield from _wrong_named(value, wanted.names[0], where)
        case "literal":
            if value != wanted.names[0]:
                yield f"{where}: {value!r} is not {wanted.names[0]!r}"
        case "union":
            if all(list(wrong(value, one, where)) for one in wanted.parts):
                yield f"{where}: {value!r} fits none of the types"
        case "list":
            if not isinstance(value, list):
                yield f"{where}: {value!r} is no list"
            else:
                for place, one in enumerate(value):
                    yield from wrong(one, wanted.parts[0], f"{where}[{place}]")
        case "record":
            if not isinstance(value, dict):
                yield f"{where}: {value!r} is no object"
            else:
                for key, one in value.items():
                    yield from wrong(one, wanted.parts[0], f"{where}.{key}")
        case "tuple":
            if not isinstance(value, list) or len(value) > len(wanted.parts):
                yield f"{where}: {value!r} is no tuple of {len(wanted.parts)}"
            elif len(value) < sum(not name.endswith("?") for name in wanted.names):
                yield f"{where}: {value!r} is too short"
            else:
                for one, part, name in zip(value, wanted.parts, wanted.names, strict=False):
                    yield from wrong(one, part, f"{where}.{name}")
        case _:
            yield from _wrong_object(value, dict(fields_of(wanted)), where)


def _wrong_named(value: Any, name: str, where: str) -> Iterator[str]:
    plain = {
        "string": isinstance(value, str),
        "number": isinstance(value, (int, float)) and not isinstance(value, bool),
        "boolean": isinstance(value, bool),
        "null": value is None,
        "unknown": True,
        "never": False,
    }
    if name not in plain:
        yield from wrong(value, declared(name), where)
    elif not plain[name]:
        yield f"{where}: {value!r} is no {name}"


def fields_of(wanted: Type) -> Iterator[tuple[str, Type]]:
    """The fields of an object, or of several objects together."""
    if wanted.kind == "name":
        yield from fields_of(declared(wanted.names[0]))
    elif wanted.kind == "all":
        for part in wanted.parts:
            yield from fields_of(part)
    elif wanted.kind == "object":
        yield from zip(wanted.names, wanted.parts, strict=True)


def _wrong_object(value: Any, wanted: dict[str, Type], where: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{where}: {value!r} is no object"
        return
    known = {name.removesuffix("?") for name in wanted}
    yield from (f"{where} has {name}, which the protocol has not" for name in value if name not in known)
    for name, part in wanted.items():
        if name.removesuffix("?") in value:
            yield from wrong(value[name.removesuffix("?")], part, f"{where}.{name}")
        elif not name.endswith("?"):
            yield f"{where} lacks {name}"
