"""The links of the documents, as the site needs them.

In the repository a document links to others and to their headings, and the manual is one file.  On the site the manual
is a page for each chapter, rules files are pages of the gallery, and what is not on the site is in the repository.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from docs.site.blocks import ROOT

FENCE = re.compile(r"^```")
HEADING = re.compile(r"^(#+) (.+)$")
LINK = re.compile(r"(?<=\]\()(?!\w+:)([^)\s]+)(?=\))")


def anchor(title: str) -> str:
    """The anchor of a heading, as GitHub writes it."""
    return re.sub(r" ", "-", re.sub(r"[^\w\- ]", "", title.lower()))


def chapters(text: str) -> list[tuple[str, str]]:
    """The title and the text of each chapter of a document; the first is what stands before them."""
    found: list[tuple[str, list[str]]] = [("", [])]
    for line, quoted in lines(text):
        title = HEADING.match(line)
        if title is not None and not quoted and title[1] == "##":
            found.append((title[2], [f"# {title[2]}"]))
        else:
            # A chapter is a page of its own: its sections are one level higher.
            found[-1][1].append(line[1:] if title is not None and not quoted and len(found) > 1 else line)
    return [(title, "\n".join(body).strip() + "\n") for title, body in found]


def lines(text: str) -> list[tuple[str, bool]]:
    """The lines of a text, each with whether it belongs to a fenced block."""
    found, inside = [], False
    for line in text.split("\n"):
        fence = FENCE.match(line) is not None
        found.append((line, inside or fence))
        inside ^= fence
    return found


def headings(text: str) -> list[str]:
    """The anchors of all headings."""
    found = [HEADING.match(line) for line, quoted in lines(text) if not quoted]
    return [anchor(title[2]) for title in found if title is not None]


class Places:
    """Where on the site the files of the repository and their headings are."""

    def __init__(self, repository: str):
        self._repository = repository
        self._pages: dict[str, str] = {}
        self._anchors: dict[tuple[str, str], str] = {}

    def put(self, file: str, page: str, anchors: list[str]) -> None:
        """A file, or a part of it with these headings, is this page."""
        self._pages.setdefault(file, page)
        self._anchors |= {(file, one): page for one in anchors}

    def page(self, file: str) -> str | None:
        """The page of a file, if it has one."""
        return self._pages.get(file)

    def linked(self, text: str, file: str, page: str) -> str:
        """A page's text, which stands in a file, with the links that it needs on the site."""
        return "\n".join(
            line if quoted else LINK.sub(self._link(file, page), line) for line, quoted in lines(text)
        )  # fmt: skip

    def _link(self, file: str, page: str) -> Callable[[re.Match[str]], str]:
        def link(found: re.Match[str]) -> str:
            name, _, heading = found[1].partition("#")
            target = _resolved(PurePosixPath(file).parent / name) if name else file
            there = self._anchors.get((target, heading)) or self._pages.get(target)
            if there is None:
                return f"{self._repository}/blob/main/{target}"
            return relative(there, page) + (f"#{heading}" if heading else "")

        return link


def relative(page: str, other: str) -> str:
    """The link to a page from another one."""
    ups = len(PurePosixPath(other).parent.parts)
    return "../" * ups + page


def _resolved(path: PurePosixPath) -> str:
    """A path without its `..`, from the root of the repository."""
    return (ROOT / path).resolve().relative_to(ROOT.resolve()).as_posix()


def read(file: str) -> str:
    """The text of a file of the repository."""
    return (ROOT / file).read_text(encoding="utf-8")


def copied(file: str, to: Path) -> None:
    """Copies a file that pages show."""
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_bytes((ROOT / file).read_bytes())
