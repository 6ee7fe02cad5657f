"""The words of the language, and what the manual says of them: one generated list, `web/words.py` writes it.

In: a word.  Out: whether it belongs to a group, its sentence, how it is called.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

LOOKS = ("colours", "shapes", "sizes")  # groups of the words of a look
LIST = Path(__file__).with_name("words.json")


@cache
def _list() -> Mapping[str, Any]:
    found: dict[str, Any] = json.loads(LIST.read_text(encoding="utf-8"))
    return found


@cache
def group(name: str) -> tuple[str, ...]:
    """The words of a group, in their order."""
    return tuple(_list()["groups"][name])


@cache
def _members(name: str) -> frozenset[str]:
    return frozenset(group(name))


def is_in(name: str, word: str) -> bool:
    """True if a group has a word."""
    return word in _members(name)


def sentence(word: str, section: str = "") -> str:
    """The manual's sentence about a word in a section; empty if there is none."""
    sentences: Mapping[str, str] = _list()["sentences"]
    groups = ("colours", "directions", "shapes", "sizes", "grounds")
    whole = next((name for name in groups if is_in(name, word)), "")
    return sentences.get(f"{section} {word}") or sentences.get(word) or sentences.get(whole, "")


def signature(word: str) -> str:
    """The signature of a function: `column(cell)`."""
    return str(_list()["signatures"].get(word, ""))


def form(word: str) -> str:
    """An example of the phrase that a word begins."""
    return str(_list()["forms"].get(word, ""))
