"""Numbers in text: low byte first, deflated, in base64.

In: an array, or a text and how many numbers it holds.  Out: the text, or the array; `ValueError` or `zlib.error` for a
text that holds other than so many, before there is memory for more.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from base64 import b64decode, b64encode
from typing import Any


def packed(numbers: array[int]) -> str:
    """The text of some numbers."""
    return b64encode(zlib.compress(_swapped(numbers).tobytes(), 9)).decode()


def unpacked(text: Any, code: str, count: int, longest: int) -> array[int]:
    """So many numbers of a type code of `array`, from a text of at most `longest` characters."""
    if not isinstance(text, str):
        raise TypeError
    if len(text) > longest:
        raise ValueError
    numbers = array(code)
    size = count * numbers.itemsize
    raw = zlib.decompressobj().decompress(b64decode(text, validate=True), size + 1)
    if len(raw) != size:
        raise ValueError
    numbers.frombytes(raw)
    return _swapped(numbers)


def _swapped(numbers: array[int]) -> array[int]:
    """The numbers with their bytes in the order of a file, or of this machine."""
    if sys.byteorder == "big":
        numbers = array(numbers.typecode, numbers)
        numbers.byteswap()
    return numbers
