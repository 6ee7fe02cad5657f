"""What is known of a text, in the values of the protocol.

In: a document, and a place in it.  Out: diagnostics, completions, hovers and so on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls import uris

from pysolve.ide.colours import Colour, colours
from pysolve.ide.completion import offered
from pysolve.ide.explaining import explanation, signature_at
from pysolve.ide.knowledge import Place
from pysolve.ide.lsp.documents import Document
from pysolve.ide.lsp.positions import Codec
from pysolve.ide.moves import Wanted
from pysolve.ide.outline import Part, examples, folds, outline
from pysolve.ide.reading import lines_of

SOURCE = "pysolve"
RUN = "pysolve.runExample"
_KIND, _SYMBOL = lsp.CompletionItemKind, lsp.SymbolKind
COMPLETIONS = {
    "variable": _KIND.Variable, "state": _KIND.Field, "definition": _KIND.Function, "effect": _KIND.Method,
    "type": _KIND.Class, "value": _KIND.EnumMember, "option": _KIND.Constant, "move": _KIND.Event,
    "column": _KIND.Property, "term": _KIND.Variable, "level": _KIND.Constant, "keyword": _KIND.Keyword,
    "function": _KIND.Function, "look": _KIND.Color,
}  # fmt: skip
SYMBOLS = {
    "game": _SYMBOL.Module, "option": _SYMBOL.Constant, "players": _SYMBOL.Enum, "board": _SYMBOL.Array,
    "type": _SYMBOL.Enum, "table": _SYMBOL.Object, "state": _SYMBOL.Struct, "setup": _SYMBOL.Constructor,
    "define": _SYMBOL.Function, "effect": _SYMBOL.Method, "move": _SYMBOL.Event, "chance": _SYMBOL.Event,
    "evaluate": _SYMBOL.Number,
    "example": _SYMBOL.Boolean, "level": _SYMBOL.Constant,
}  # fmt: skip
TOKEN_TYPES = (
    "keyword", "type", "enumMember", "variable", "parameter", "property", "function", "method", "event", "string",
    "number", "comment",
)  # fmt: skip
TOKEN_MODIFIERS = ("declaration", "readonly", "defaultLibrary")
_OF_MEANING = {
    "variable": "parameter", "state": "property", "definition": "function", "effect": "method", "type": "type",
    "value": "enumMember", "option": "variable", "move": "event", "column": "property", "term": "variable",
    "level": "variable",
}  # fmt: skip
_OF_TOKEN = {
    "heading": "keyword", "keyword": "keyword", "kind": "type", "given": "function", "look": "enumMember",
    "string": "string", "number": "number", "comment": "comment", "drawing": "string", "move": "event",
    "declared": "function",
}  # signs have no colour of their own  # fmt: skip
_DECLARATION, _READONLY, _GIVEN = 1, 2, 4


# --------------------------------------------------------------------------------------------- diagnostics


def diagnostics(document: Document, codec: Codec) -> list[lsp.Diagnostic]:
    """Mistakes, what is odd in the examples, and lines of examples that do not hold."""
    found = [_mistake(document, one, codec) for one in document.problems]
    if not document.problems:
        found += [_whole_line(document, one["line"] - 1, one["message"], lsp.DiagnosticSeverity.Warning, codec)
                  for one in document.warnings]  # fmt: skip
        found += _failures(document, codec)
    return found


def _mistake(document: Document, one: dict[str, Any], codec: Codec) -> lsp.Diagnostic:
    """A mistake; one in rules that the text extends is shown at the first line."""
    message = f"{one['message']}\n{one['hint']}" if one["hint"] else one["message"]
    if one["source"] != document.path:
        name = re.split(r"[/\\]", one["source"])[-1]
        place = codec.range(document.lines, 0, 0, len(document.lines[0]))
        return lsp.Diagnostic(place, f"{name}:{one['line']}: {message}", lsp.DiagnosticSeverity.Error, source=SOURCE)
    cure = one["cure"] and {"text": one["cure"]["text"], "range": _range(document, one["cure"]["span"], codec)}
    return lsp.Diagnostic(_range(document, one, codec), message, lsp.DiagnosticSeverity.Error, source=SOURCE, data=cure)


def _range(document: Document, one: dict[str, int], codec: Codec) -> lsp.Range:
    return codec.span(document.lines, one["line"] - 1, one["column"] - 1, one["end_line"] - 1, one["end_column"] - 1)


def _failures(document: Document, codec: Codec) -> Iterator[lsp.Diagnostic]:
    """Diagnostics for the lines of examples that do not hold."""
    for first, one in document.results_now().items():
        for check in one["checks"]:
            if not check["holds"]:
                message = f"expected {check['expected']}\nfound {check['found']}"
                line = first + check["line"] - one["line"]
                if 0 <= line < len(document.lines):
                    yield _whole_line(document, line, message, lsp.DiagnosticSeverity.Error, codec)


def _whole_line(
    document: Document, line: int, message: str, severity: lsp.DiagnosticSeverity, codec: Codec
) -> lsp.Diagnostic:
    text = document.lines[line]
    place = codec.range(document.lines, line, len(text) - len(text.lstrip()), len(text.rstrip()))
    return lsp.Diagnostic(place, message, severity, source=SOURCE)


def cures(document: Document, given: Sequence[lsp.Diagnostic]) -> list[lsp.CodeAction]:
    """Code actions that correct the mistakes which an editor asks about."""
    found = []
    for one in given:
        cure: Any = one.data
        if isinstance(cure, dict) and isinstance(cure.get("text"), str) and (place := _place(cure.get("range"))):
            edit = lsp.WorkspaceEdit({document.uri: [lsp.TextEdit(place, cure["text"])]})
            found.append(lsp.CodeAction(f"Replace by {cure['text']}", lsp.CodeActionKind.QuickFix, [one],
                                        is_preferred=True, edit=edit))  # fmt: skip
    return found


def _place(told: Any) -> lsp.Range | None:
    """A range as an editor has returned it; None if it is none."""
    if isinstance(told, lsp.Range):
        return told
    try:
        start, end = told["start"], told["end"]
        return lsp.Range(
            lsp.Position(int(start["line"]), int(start["character"])),
            lsp.Position(int(end["line"]), int(end["character"])),
        )
    except (KeyError, TypeError, ValueError):
        return None


# ------------------------------------------------------------------------------------- completion, hover, calls


def completions(document: Document, position: lsp.Position, codec: Codec) -> list[lsp.CompletionItem]:
    """The completion items at a position."""
    line, column = codec.place(document.lines, position)
    return [
        lsp.CompletionItem(
            one.label, kind=COMPLETIONS.get(one.kind), detail=one.detail or None,
            documentation=_markdown(one.text) if one.text else _code(one.code), sort_text=f"{one.rank}{number:05}",
        )
        for number, one in enumerate(offered(document.view, line, column))
    ]  # fmt: skip


def wants(document: Document, position: lsp.Position, codec: Codec) -> bool:
    """True if something is needed behind the space that was just typed: a value, a type, an argument."""
    line, column = codec.place(document.lines, position)
    return document.lines[line][:column].rstrip()[-1:] in ("=", ":", ",", "(")


def offered_moves(
    document: Document, line: int, column: int, wanted: Wanted, moves: Sequence[dict[str, str]], codec: Codec
) -> list[lsp.CompletionItem]:
    """Legal moves, in place of what is written since the last comma."""
    place = codec.range(document.lines, line, wanted.start, column)
    return [
        lsp.CompletionItem(
            one["text"], kind=_KIND.Event, detail=one["kind"], sort_text=f"{number:05}", filter_text=one["text"],
            text_edit=lsp.TextEdit(place, one["text"]),
        )
        for number, one in enumerate(moves)
    ]  # fmt: skip


def hover(document: Document, position: lsp.Position, codec: Codec) -> lsp.Hover | None:
    """The hover text for the word at a position; None if there is none."""
    line, column = codec.place(document.lines, position)
    found = explanation(document.view, line, column)
    if found is None:
        return None
    code = f"```pysolve-rules\n{found.code}\n```" if found.code else ""
    text = "\n\n".join([*([code] if code else []), *found.lines])
    place = codec.range(document.lines, line, found.place.column, found.place.column + found.place.length)
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), place)


def signatures(document: Document, position: lsp.Position, codec: Codec) -> lsp.SignatureHelp | None:
    """The signature of the call around a position; None if there is none."""
    found = signature_at(document.view, *codec.place(document.lines, position))
    if found is None:
        return None
    params = [lsp.ParameterInformation(param) for param in found.params]
    signature = lsp.SignatureInformation(found.label, _code(found.text), params)
    return lsp.SignatureHelp([signature], 0, min(found.argument, max(0, len(params) - 1)))


def _markdown(text: str) -> lsp.MarkupContent:
    return lsp.MarkupContent(lsp.MarkupKind.Markdown, text)


def _code(text: str) -> lsp.MarkupContent | None:
    return _markdown(f"```pysolve-rules\n{text}\n```") if text else None


# ----------------------------------------------------------------------------------- definitions and references


def definition(document: Document, position: lsp.Position, codec: Codec) -> lsp.Location | None:
    """The declaration of the name at a position; for a game that is extended, its file."""
    line, column = codec.place(document.lines, position)
    text = document.lines[line]
    if document.known.parent and re.match(r"game\b", text) and column > text.find("extends") > 0:
        return lsp.Location(
            uris.from_fs_path(document.known.parent) or "", lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
        )
    view = document.view
    found = view.at(line, column)
    if found is None or found[1].place is None:
        return None
    place = view.here(found[1].place)
    return None if place is None else location(document, place, codec)


def location(document: Document, place: Place, codec: Codec) -> lsp.Location:
    """A place in a text, perhaps in one that the document extends."""
    start, end = place.column, place.column + place.length
    if place.source == document.path:
        return lsp.Location(document.uri, codec.range(document.lines, place.line, start, end))
    try:
        lines = lines_of(Path(place.source).read_text(encoding="utf-8", errors="replace"))
    except OSError:
        lines = [""]
    return lsp.Location(uris.from_fs_path(place.source) or "", codec.range(lines, place.line, start, end))


def places(document: Document, position: lsp.Position, codec: Codec, declaration: bool = True) -> list[Place]:
    """Everywhere where the name at a place stands."""
    view = document.view
    found = view.at(*codec.place(document.lines, position))
    if found is None:
        return []
    mentions = (one for one in document.known.mentions if one.meaning == found[2])
    wanted = (one.place for one in mentions if declaration or not one.is_declaration)
    return [place for place in map(view.here, wanted) if place is not None]


def declared(document: Document, position: lsp.Position, codec: Codec) -> Place | None:
    """The place in this document that declares the name at a position for the whole game; otherwise None."""
    view = document.view
    found = view.at(*codec.place(document.lines, position))
    if found is None or found[1].place is None or found[1].place.source != document.path:
        return None
    return view.here(found[1].place)


# ---------------------------------------------------------------------------------------------- structure


def symbols(document: Document, codec: Codec) -> list[lsp.DocumentSymbol]:
    """The sections of a text, and what they declare."""
    return [_symbol(document, part, codec) for part in outline(document.lines)]


def _symbol(document: Document, part: Part, codec: Codec) -> lsp.DocumentSymbol:
    whole = codec.span(document.lines, part.first, 0, part.last, len(document.lines[part.last]))
    inner = [
        lsp.DocumentSymbol(
            one.name, _SYMBOL.Field if part.word == "state" else _SYMBOL.Number,
            codec.range(document.lines, one.first, 0, len(document.lines[one.first])),
            codec.range(document.lines, one.first, one.start, one.end),
        )
        for one in part.parts
    ]  # fmt: skip
    return lsp.DocumentSymbol(
        part.name or part.word, SYMBOLS.get(part.word, _SYMBOL.Property), whole,
        codec.range(document.lines, part.first, part.start, part.end), part.word if part.name else None, children=inner,
    )  # fmt: skip


def folding(document: Document) -> list[lsp.FoldingRange]:
    """The blocks that can be folded."""
    return [
        lsp.FoldingRange(first, last, kind=lsp.FoldingRangeKind.Comment if is_comment else None)
        for first, last, is_comment in folds(document.lines)
    ]


def lenses(document: Document) -> list[lsp.CodeLens]:
    """Over each example what came of it, and a command that runs it."""
    results, found = document.results_now(), []
    for number, part in enumerate(examples(document.lines)):
        place = lsp.Range(lsp.Position(part.first, 0), lsp.Position(part.first, 0))
        title = "run this example"
        if part.first in results:
            title = f"{_told(results[part.first])} · run again"
        found.append(lsp.CodeLens(place, lsp.Command(title, RUN, arguments=[document.uri, number])))
    return found


def _told(result: dict[str, Any]) -> str:
    """The result of an example, in a few words."""
    checks = result["checks"]
    failing = sum(not check["holds"] for check in checks)
    lines = f"{len(checks)} line{'s' * (len(checks) != 1)}"
    return f"✗ {failing} of {lines} not as expected" if failing else f"✓ {lines} as expected"


def inlays(document: Document, wanted: lsp.Range, codec: Codec) -> list[lsp.InlayHint]:
    """Types that are not written, and what came of the lines of examples, as far as an editor shows them."""
    view, known, found = document.view, document.known, []
    for then, column, number in known.untyped:
        line = view.now(then)
        if line is not None and wanted.start.line <= line <= wanted.end.line:
            at = codec.position(document.lines, line, column)
            found.append(lsp.InlayHint(at, f": {known.names[number].type}", lsp.InlayHintKind.Type))
    for first, one in document.results_now().items():
        for check in one["checks"]:
            line = first + check["line"] - one["line"]
            if wanted.start.line <= line <= wanted.end.line and line < len(document.lines):
                at = codec.position(document.lines, line, len(document.lines[line].rstrip()))
                found.append(lsp.InlayHint(at, "✓" if check["holds"] else "✗", padding_left=True))
    return found


def coloured(document: Document, codec: Codec, first: int = 0, last: int | None = None) -> list[int]:
    """The tokens of some lines, five numbers each, as the protocol has them."""
    numbers: list[int] = []
    before, start = 0, 0
    for one in colours(document.view, first, last):
        if kind := _type(one):
            text = document.lines[one.line]
            column = codec.units(text, one.start)
            ahead = column - start if one.line == before else column
            length = codec.units(text, one.end) - column
            numbers += [one.line - before, ahead, length, TOKEN_TYPES.index(kind), _modifiers(one)]
            before, start = one.line, column
    return numbers


def _type(one: Colour) -> str:
    """The type of a token by its meaning; words of the language, and what has no meaning, keep that of their token."""
    if one.meaning is None:
        return _OF_TOKEN.get(one.token, "")
    return _OF_MEANING.get(one.meaning.kind, "") or _OF_TOKEN.get(one.token, "enumMember")


def _modifiers(one: Colour) -> int:
    meaning = one.meaning
    constant = meaning is not None and (meaning.kind in ("option", "value") or bool(meaning.value))
    given = meaning is not None and meaning.kind == "given"
    return one.declares * _DECLARATION | constant * _READONLY | given * _GIVEN
