"""The parse trees of a text, section by section: a section that was read a moment ago is not parsed again.

In: a text as `lines` lays it out.  Out: the tree of each section, and the lines above it.  Sections do not depend on
each other for the grammar; so where an author changes one word, one section is parsed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
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


def pieces(text: str, read: dict[str, Piece] | None = None) -> list[Piece]:
    """The trees of the sections of a text, in their order.  Raises `UnexpectedInput` for the first that cannot be read,
    as it stands in the text.

    `read` gets the sections that can be, however many they are; who gives it again, with another text, has those that
    stand there too at once.
    """
    read = {} if read is None else read
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines) if at_margin(line)]
    if not starts or any(line.strip() for line in lines[: starts[0]]):
        return [(0, parsed(text))]
    sections = ["\n".join([*lines[first:behind], NEXT]) for first, behind in pairwise(starts)]
    sections.append("\n".join(lines[starts[-1] :]))
    with _PARSING:
        if not read and not _KEPT.has_any(sections):  # one parse of all is quicker than one of each
            try:
                tree = parsed(text)
            except UnexpectedInput:
                pass  # which section it is, and what those above it say, is found below
            else:
                if len(tree.children) == len(sections):
                    for section, child, first in zip(sections, tree.children, starts, strict=True):
                        _KEPT.keep(section, (-first, Tree(tree.data, [child], tree.meta)))
                return [(0, tree)]
        found: list[Piece] = []
        for number, (first, section) in enumerate(zip(starts, sections, strict=True)):
            if section not in read:
                try:
                    read[section] = _KEPT.piece(section, is_last=number == len(sections) - 1)
                except UnexpectedInput:
                    return [*found, (0, parsed("\n" * first + "\n".join(lines[first:])))]
            above, tree = read[section]
            found.append((first + above, tree))
        return found


def forget() -> None:
    """Forgets the sections that were read: the next text is parsed as a whole."""
    with _PARSING:
        _KEPT.forget()


class _Kept:
    """The trees of the sections that were read last, and how many lines are above each section where its tree counts
    lines from, as a number below 0."""

    def __init__(self) -> None:
        self._pieces = OrderedDict[str, Piece]()
        self._size = 0

    def has_any(self, sections: Iterable[str]) -> bool:
        """Is one of these sections kept?"""
        return not self._pieces.keys().isdisjoint(sections)

    def forget(self) -> None:
        self._pieces.clear()
        self._size = 0

    def piece(self, section: str, is_last: bool) -> Piece:
        """The tree of one section; raises `UnexpectedInput`."""
        if section not in self._pieces:
            tree = parsed(section)
            self.keep(section, (0, tree if is_last else Tree(tree.data, tree.children[:-1], tree.meta)))
        self._pieces.move_to_end(section)
        return self._pieces[section]

    def keep(self, section: str, piece: Piece) -> None:
        """Keeps a tree, and forgets those that were read longest ago."""
        if section not in self._pieces:
            self._size += len(section)
        self._pieces[section] = piece
        while self._size > MOST_KEPT and len(self._pieces) > 1:
            self._size -= len(self._pieces.popitem(last=False)[0])


_KEPT = _Kept()
