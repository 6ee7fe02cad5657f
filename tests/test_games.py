"""The games that stand for all others in walks over games use all that any game uses of the language."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from pysolve.ide.tokens import tokens
from tests.games import BROAD, EVERY, FAMILIES, FEW, MAIN, RULES, load


def words(path: Path) -> Iterator[str]:
    """The words of the language in a rules file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for line, found in zip(lines, tokens(lines), strict=True):
        yield from (line[one.start : one.end] for one in found if one.kind in ("heading", "keyword", "operator"))


def constructs(part: Any) -> Iterator[tuple[object, ...]]:
    """The kinds of things that a model is made of, and which of their fields hold something."""
    if is_dataclass(part):
        for field in fields(part):
            value = getattr(part, field.name)
            yield type(part).__name__, field.name, value if isinstance(value, bool) else value in (None, (), {})
            yield from constructs(value)
    elif isinstance(part, tuple | frozenset):
        for one in part:
            yield from constructs(one)
    elif isinstance(part, dict):
        yield from constructs(tuple(part.values()))


@pytest.mark.slow
def test_what_any_game_uses_of_the_language_a_game_of_every_walk_uses() -> None:
    """A game that uses more is added to BROAD, or takes the place of another one there."""
    used = {path.stem: {*words(path), *constructs(load(path).model)} for path in RULES}
    tried = {part for name in BROAD for part in used[name]}
    assert len(tried) > 300
    assert {name: sorted(map(str, used[name] - tried)) for name in EVERY - BROAD if used[name] - tried} == {}


def test_what_stands_for_others_is_tried_by_the_larger_runs_too() -> None:
    assert {*FEW} < {*FAMILIES} < MAIN < BROAD < EVERY
