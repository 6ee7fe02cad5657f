"""Where messages begin and end: the base protocol of LSP.

In: the bytes that an editor writes, header by header and body by body.  Out: the same, as pygls reads them; or
`FramingError`, for whoever has lost the beginning of a message cannot find the next one.

A header is a name and its value, as in `Content-Length: 120`, with whatever line breaks and in whatever case.
"""

from __future__ import annotations

import re
from typing import BinaryIO

LONGEST = 1 << 26  # bytes of a message
LONGEST_HEADER = 1000  # bytes of a header
MOST_HEADERS = 20
_HEADER = re.compile(rb"([A-Za-z][A-Za-z0-9-]*):([ -~\t]*)\r?\n")
_END = b"\r\n"


class FramingError(ValueError):
    """Input that is not a message of LSP."""


class Framed:
    """A stream of messages; each has its headers, of which one is its length, an empty line, and its body."""

    def __init__(self, stream: BinaryIO):
        self._stream = stream
        self._headers: list[bytes] = []  # that were read, and are not asked for yet

    def readline(self) -> bytes:
        """The next header, or the empty line behind the last one; nothing at the end.  Raises `FramingError`."""
        if not self._headers:
            length = self._length()
            if length is None:
                return b""
            self._headers = [b"Content-Length: %d" % length + _END, _END]
        return self._headers.pop(0)

    def read(self, size: int) -> bytes:
        """A body of so many bytes, fewer if the stream ends.  Raises `FramingError` if it is no object of JSON."""
        body = self._stream.read(size)
        if len(body) == size and not (body.lstrip()[:1] == b"{" and body.rstrip()[-1:] == b"}"):
            raise FramingError(f"a message of {size:,} bytes is not an object of JSON: {_shown(body)}")
        return body

    def _length(self) -> int | None:
        """The length that the headers of the next message say; None at the end.  Empty lines before them do no harm."""
        length, begun = None, False
        for _ in range(MOST_HEADERS):
            line = self._stream.readline(LONGEST_HEADER)
            if not line.endswith(b"\n") and len(line) < LONGEST_HEADER:
                return None
            if not line.strip():
                if length is not None:
                    return length
                if begun:
                    raise FramingError("a message has no Content-Length")
                continue
            begun = True
            found = _HEADER.fullmatch(line)
            if found is None:
                raise FramingError(f"a header has the form  Content-Length: 120, not  {_shown(line)}")
            if found[1].lower() == b"content-length":
                length = _number(found[2].strip(b" \t"))
        raise FramingError(f"a message has at most {MOST_HEADERS} headers")


def _number(value: bytes) -> int:
    if not (re.fullmatch(rb"[0-9]{1,12}", value) and 1 <= int(value) <= LONGEST):
        raise FramingError(f"Content-Length is a number from 1 to {LONGEST:,}, not {_shown(value)}")
    return int(value)


def _shown(data: bytes) -> str:
    """The beginning of what cannot be read, without what a terminal would obey."""
    text = data[:60].decode(errors="replace").strip()
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in text) + "…" * (len(data) > 60)
