"""Sets of places word by word: in C a set is an array of words of 64 bits, and an expression gives one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pysolve.dsl.frozen import frozen
from pysolve.dsl.to_c.value import Value

Word = int | str  # the number of a word of a set, or the variable in C that has it
Bits = Callable[[Word], str]  # the expression for one word of a set


@frozen
class Places:
    """The places for which a test holds; if they are not `exact`, it may fail for some of them."""

    bits: Bits
    exact: bool = True


def exactly(found: Places | None) -> Bits | None:
    """The places for which a test holds, if they are known."""
    return found.bits if found is not None and found.exact else None


@frozen
class Seen:
    """The places to which the way is clear: those up to the first that is in the way, on each ray from one place."""

    rays: str
    origin: Value
    blocked: str

    def __call__(self, word: Word) -> str:
        return self.within("~0ULL")

    def within(self, text: str) -> str:
        """Those of a set."""
        up, down = (f"{self.rays}_{way}, {self.rays}_{way}_r + {self.origin}" for way in ("up", "down"))
        return f"seen({text}, {self.rays}_rest[{self.origin.text}].w[0], {up}, {down}, {self.blocked})"


def joined(parts: Sequence[Bits], word: Word) -> str:
    """The intersection of several sets; those that follow rays come last, as far as they matter."""
    text = " & ".join(part(word) for part in parts if not isinstance(part, Seen)) or "~0ULL"
    for part in parts:
        if isinstance(part, Seen):
            text = part.within(text)
    return text


def word_of(name: str) -> Bits:
    """The words of a variable."""
    return lambda word: f"{name}.w[{word}]"


def shifted(text: str, by: int) -> str:
    """A word moved by some bits, up if that is positive."""
    return f"({text} {'<<' if by > 0 else '>>'} {abs(by)})" if by else text


def words_for(places: int) -> int:
    """The number of words of a set of so many places."""
    return (places + 63) // 64


def constant(members: int, word: int) -> str:
    """A word of a set that is known; bit by bit its members are those of a number."""
    return f"{members >> 64 * word & 2**64 - 1:#x}ULL"


def set_of(members: int, words: int) -> str:
    """A set that is known."""
    if words == 1:  # there are many thousands
        return f"{{{{{members:#x}ULL}}}}"
    return braces([constant(members, word) for word in range(words)])


def braces(words: Iterable[str]) -> str:
    """A set that begins with these words."""
    return f"{{{{{', '.join(words)}}}}}"
