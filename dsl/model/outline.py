"""The model as indented lines, for `pysolve show --stage model`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from pysolve.dsl.model.effects import EffectStep
from pysolve.dsl.model.game import Demand, Glyph, Probe, Stage
from pysolve.dsl.model.steps import Step
from pysolve.dsl.model.values import Const, Op, Sort, Table, Var


def outline(node: object, indent: str = "") -> Iterator[str]:
    """The model as indented lines, for `pysolve show --stage model`."""
    match node:
        case Sort():
            yield f"{indent}{node.name}: {node.low}..{node.high}" + (
                f" = {', '.join(node.labels)}" if node.labels else ""
            )
        case Var(name, sort):
            yield f"{indent}{name}: {sort}"
        case Table(name, sorts, rows, keys, text):
            columns = [str(sort) for sort in sorts]
            columns[keys:] = [f"-> {', '.join(columns[keys:])}"] if columns[keys:] else []
            yield f"{indent}{name}({', '.join(columns)}) {len(rows)} rows{text and f': {text}'}"
        case Const(value, sort):
            yield f"{indent}{sort.label(value)}"
        case tuple():
            for one in node:
                yield from outline(one, indent)
        case _ if is_dataclass(node):
            yield from _outline_record(node, indent)
        case _:
            yield f"{indent}{brief(node)}"


def _outline_record(node: object, indent: str) -> Iterator[str]:
    words, nested = [], []
    for part in fields(node):  # type: ignore[arg-type]
        value = getattr(node, part.name)
        if part.name in ("span", "sort", "sorts") or value in ((), None, ""):
            continue
        if isinstance(value, Step | EffectStep | Stage | Demand | Probe | Op):
            value = (value,)
        if (
            isinstance(value, tuple)
            and value
            and isinstance(value[0], Step | EffectStep | Stage | Demand | Probe | tuple | Glyph)
        ):
            nested.append((part.name, value))
        else:
            words.append(f"{part.name}={brief(value)}")
    yield f"{indent}{type(node).__name__} {' '.join(words)}"
    for name, items in nested:
        yield f"{indent}  {name}:"
        yield from outline(items, indent + "    ")


def brief(value: object) -> str:
    """An expression, atom or plain value in a few words."""
    match value:
        case Var(name):
            return name
        case Const(number, sort):
            return sort.label(number)
        case Op(name, args):
            return f"({f' {name} '.join(brief(a) for a in args)})" if len(args) > 1 else (f"{name}({brief(args[0])})")
        case tuple():
            return f"[{', '.join(brief(v) for v in value)}]"
        case _:
            return str(value)
