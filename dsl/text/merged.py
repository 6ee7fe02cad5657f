"""The sections of a variant as one text, without what it extends.

In: the sections with all that is inherited: some of one text, some of another, some with lines of both.  Out: a rules
text in which they stand as their authors wrote them, each with the comments above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from pysolve.dsl.errors import Source, Span
from pysolve.dsl.text import nodes
from pysolve.dsl.text.fmt import STEP, format_rules
from pysolve.dsl.text.lines import CONTINUED, lay_out
from pysolve.dsl.text.recovery import section_around

_EDIT = re.compile(r"^(?:replace|extend) +")
_OPTION = re.compile(r"^option [^=]*=", re.MULTILINE)
_PARENT = re.compile(r'("[^"\n]*") *extends *"[^"\n]*"')


def merged_text(sections: Sequence[nodes.Section]) -> str:
    """The sections as a rules text."""
    headers = [section for section in sections if isinstance(section, nodes.Game)]
    others = [section for section in sections if not isinstance(section, nodes.Game)]
    parts = [_header(header) for header in headers]
    for kind, group in groupby(others, type):
        if kind is nodes.State:
            entries = [entry for state in group if isinstance(state, nodes.State) for entry in state.entries]
            parts.append("\n".join(_block("state", entries, 0)))
        else:
            parts += [_written(one) if _is_whole(one) else "\n".join(_composed(one)) for one in group]
    return format_rules("\n".join(parts))


def _header(header: nodes.Game) -> str:
    """The first lines, with the paragraphs of the parent."""
    inherited = [said for said in header.about if said.span.source != header.span.source]
    lines = _indented((line for said in inherited for line in _sentence(said.span, "")), 1)
    return "\n".join([_PARENT.sub(r"\1", _whole(header), count=1), *lines])


def _written(section: nodes.Section) -> str:
    """The text of a section that is as somebody has written it; of the options of a line, that of one."""
    text = _whole(section)
    if isinstance(section, nodes.Option):
        return _OPTION.sub(f"option {section.name.name} =", text, count=1)
    return text


def _composed(section: nodes.Section) -> Iterator[str]:
    """The lines of a section that has parts of several."""
    match section:
        case nodes.Option(about=about):  # what the parent says about it
            yield _written(section)
            said = (line for one in about if one.span.source != section.span.source for line in _sentence(one.span, ""))
            yield from _indented(said, 1)
        case nodes.Players(names=names, count=count, out=out):
            yield f"players {f'{count.span.text} of ' if count else ''}{_listed(names)}"
            yield from [f"{STEP}out when {out.span.text}"] if out else ()
        case nodes.Type(name=name, body=nodes.NamesType(names=names)):
            yield f"type {name.name} = {_listed(names)}"
        case nodes.Table(rows=rows):
            yield from _head(section)
            yield from (f"{STEP}{' '.join(entry.span.text for entry in row)}" for _, row in rows)
        case nodes.Setup(body=body):
            yield from _block("setup", body, 0)
        case nodes.End(endings=endings):
            yield from _block("end", endings, 0)
        case nodes.Evaluate(terms=terms):
            yield from _block("evaluate", terms, 0)
        case nodes.Show(lines=lines):
            yield "show"
            for line in lines:
                yield from _indented(_shown(line) if not _is_whole(line) else _sentence(line.span, "show"), 1)
        case nodes.Effect(body=body):
            yield from _head(section)
            yield from _indented((line for one in body for line in _sentence(one.span, "")), 1)
        case nodes.Move(when=when, do=do, after=after, prefer=prefer, about=about):
            yield from _head(section)
            yield from _indented((line for said in about for line in _sentence(said.span, "")), 1)
            for word, parts in (("when", when), ("do", do), ("after", after)):
                yield from _block(word, parts, 1) if parts else ()
            yield from _indented(_sentence(prefer.span, ""), 1) if prefer else ()
        case _:
            raise AssertionError("a section of this kind has one author")


def _listed(names: Iterable[nodes.Name]) -> str:
    return ", ".join(name.name for name in names)


def _block(word: str, parts: Iterable[nodes.Node], level: int) -> Iterator[str]:
    """A word, and under it the sentences of some parts of a section."""
    yield STEP * level + word
    yield from _indented((line for part in parts for line in _sentence(part.span, word)), level + 1)


def _indented(lines: Iterable[str], level: int) -> Iterator[str]:
    return (STEP * level + line if line else line for line in lines)


def _shown(line: nodes.ShowPart) -> Iterator[str]:
    """A line of `show` with the glyphs of several."""
    assert isinstance(line, (nodes.ShowLine, nodes.Beside))
    names = _listed(line.slots) if isinstance(line, nodes.ShowLine) else f"beside {line.name.name}"
    cases = [case.span.text for case in line.cases]
    yield f"{names}: {cases[0]}" + "," * (len(cases) > 1)
    yield from (f"{STEP}{case}," for case in cases[1:-1])
    yield from (f"{STEP}{case}" for case in cases[1:][-1:])


# -------------------------------------------------------------------------------------- as it was written


@lru_cache(maxsize=8)
def _lines(source: Source) -> tuple[list[str], list[str]]:
    """The lines of a text, as written and as the grammar sees them: without comments, continued lines marked."""
    return source.text.split("\n"), lay_out(source.text).split("\n")


def _is_whole(part: nodes.Node) -> bool:
    """True if all parts of a part stand within its own section."""
    first, last = section_around(_lines(part.span.source)[1], part.span.line)
    return all(span.source == part.span.source and first < span.line <= last for span in _spans(part))


def _spans(part: object) -> Iterator[Span]:
    """Where a part and everything in it stand."""
    if isinstance(part, tuple):
        for one in part:
            yield from _spans(one)
    elif isinstance(part, nodes.Node):
        yield part.span
        for field in type(part).__slots__:
            yield from _spans(getattr(part, field))


def _whole(section: nodes.Section) -> str:
    """A section as it was written, with the comments above it, but as one of the game's own."""
    written, bare = _lines(section.span.source)
    first, last = section_around(bare, section.span.line)
    comments = first
    while comments > 0 and written[comments - 1].startswith("#"):
        comments -= 1
    lines = [*written[comments:first], _EDIT.sub("", written[first], count=1), *written[first + 1 : last]]
    while not bare[last - 1].strip():  # these are about the next section
        lines.pop()
        last -= 1
    return "\n".join(lines)


def _head(section: nodes.Section) -> Iterator[str]:
    """The first sentence of a section."""
    written, bare = _lines(section.span.source)
    first, last = section_around(bare, section.span.line)
    yield _EDIT.sub("", written[first], count=1)
    for number in range(first + 1, last):
        if not bare[number].startswith(CONTINUED):
            return
        yield written[number]


def _sentence(span: Span, word: str) -> Iterator[str]:
    """The sentence that begins at a place, with what stands under it; without the word of its block before it."""
    written, bare = _lines(span.source)
    first = span.line - 1
    while first > 0 and bare[first].startswith(CONTINUED):
        first -= 1
    margin, last = _margin(bare[first]), first + 1
    while last < len(bare) and (
        not bare[last].strip() or bare[last].startswith(CONTINUED) or _margin(bare[last]) > margin
        or (_margin(bare[last]) == margin and re.match(r" *else\b", bare[last]))
    ):  # fmt: skip
        last += 1
    while not bare[last - 1].strip():
        last -= 1
    head = written[first][margin:]
    begins = re.match(rf"(?:(?:replace|extend) +)?{word} +(?=\S)", head) if word else None
    inline = begins is not None and (span.line > first + 1 or span.column > margin + 1)
    yield head[begins.end() :] if begins is not None and inline else head
    yield from (line[margin:] if not line[:margin].strip() else line.lstrip() for line in written[first + 1 : last])


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
