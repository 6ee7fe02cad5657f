"""The parse trees of a text, section by section: a section that was read a moment ago is not parsed again.

In: a text as `lines` lays it out.  Out: the tree of each section, and the lines above it.  Sections do not depend on
each other for the grammar; so where an author changes one word, one section is parsed.
"""

from __future__ import annotations

from collections import OrderedDict
from itertools import pairwise
from threading import RLock

from lark import Token, Tree, UnexpectedInput

from pysolve.dsl.text.parser import parser
from pysolve.dsl.text.recovery import at_margin

MOST_KEPT = 100_000  # characters of sections whose trees are kept
NEXT = "players Next\n"  # stands behind a section that is not the last, so that it ends as it does in its text

Piece = tuple[int, Tree[Token]]  # a tree of some sections, and how many lines stand above its first

_PARSING = RLock()  # the parser keeps count of blocks: one text at a time


def parsed(text: str) -> Tree[Token]:
    """The tree of a whole text; raises `UnexpectedInput`."""
    with _PARSING:
        return parser().parse(text)


def pieces(text: str) -> list[Piece]:
    """The trees of the sections of a text, in their order.  Raises `UnexpectedInput` for the first that cannot be read,
    as it stands in the text."""
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines) if at_margin(line)]
    if not starts or any(line.strip() for line in lines[: starts[0]]):
        return [(0, parsed(text))]
    found: list[Piece] = []
    for first, behind in pairwise([*starts, len(lines)]):
        is_last = behind == len(lines)
        section = "\n".join(lines[first:behind])
        try:
            with _PARSING:
                tree = _KEPT.tree(section if is_last else f"{section}\n{NEXT}", is_last)
        except UnexpectedInput:
            return [*found, (0, parsed("\n" * first + "\n".join(lines[first:])))]
        found.append((first, tree))
    return found


def forget() -> None:
    """Forgets the sections that were read: the next text is parsed as a whole."""
    _KEPT.forget()


class _Kept:
    """The trees of the sections that were read last."""

    def __init__(self) -> None:
        self._trees = OrderedDict[str, Tree[Token]]()
        self._size = 0

    def forget(self) -> None:
        self._trees.clear()
        self._size = 0

    def tree(self, text: str, is_last: bool) -> Tree[Token]:
        """The tree of one section; raises `UnexpectedInput`."""
        if text not in self._trees:
            tree = parsed(text)
            self._trees[text] = tree if is_last else Tree(tree.data, tree.children[:-1], tree.meta)
            self._size += len(text)
        self._trees.move_to_end(text)
        while self._size > MOST_KEPT and len(self._trees) > 1:
            self._size -= len(self._trees.popitem(last=False)[0])
        return self._trees[text]


_KEPT = _Kept()
