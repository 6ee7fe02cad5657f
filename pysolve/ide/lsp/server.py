"""The language server: which requests it answers, and with what.

In: an editor, on stdin and stdout.  Out: nothing else; it ends when the editor does.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from collections.abc import Awaitable, Callable
from typing import Any, BinaryIO, TypeVar, cast

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from pysolve.ide.lsp import answers
from pysolve.ide.lsp.documents import Document, Documents
from pysolve.ide.lsp.framing import Framed, FramingError
from pysolve.ide.lsp.positions import Codec
from pysolve.ide.moves import moves_wanted
from pysolve.ide.renaming import Unchangeable, places_to_change, renamed_here
from pysolve.runtime.version import __version__

PATIENCE = 5.0  # seconds that a question about the whole text waits until the text has been read
GRACE = 3.0  # seconds after the end of its input in which the server has to end
A = TypeVar("A")


class RulesServer(LanguageServer):
    """The server, with the texts that its editor has open."""

    def __init__(self) -> None:
        super().__init__("pysolve", __version__, lsp.TextDocumentSyncKind.Full)
        self.documents = Documents(self.tell)
        self.asked: set[asyncio.Task[Any]] = set()

    @property
    def codec(self) -> Codec:
        """The codec for positions in the encoding that the editor uses."""
        return Codec(self.workspace.position_encoding)

    def tell(self, document: Document) -> None:
        """Tells the editor what is known of a text now."""
        if self.documents.get(document.uri) is not document:
            return
        found = answers.diagnostics(document, self.codec)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(document.uri, found, document.version))
        workspace = self.client_capabilities.workspace
        if workspace is None:
            return
        for can, refresh in (
            (workspace.semantic_tokens, self.workspace_semantic_tokens_refresh_async),
            (workspace.inlay_hint, self.workspace_inlay_hint_refresh_async),
            (workspace.code_lens, self.workspace_code_lens_refresh_async),
        ):
            if can is not None and can.refresh_support:
                self.in_background(refresh(None))

    def in_background(self, work: Awaitable[Any]) -> None:
        """Lets something happen meanwhile."""
        task = asyncio.ensure_future(work)
        self.asked.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self.asked.discard(task)
        if not task.cancelled() and task.exception() is not None:
            logging.getLogger(__name__).error("in the background", exc_info=task.exception())

    async def read(self, uri: str) -> Document | None:
        """A document, as soon as its text has been read; None if it is not open."""
        document = self.documents.get(uri)
        if document is not None:
            try:
                async with asyncio.timeout(PATIENCE):
                    await document.read.wait()
            except TimeoutError:
                return document
        return document


server = RulesServer()


def _about(answer: Callable[[Document], A], uri: str) -> A | None:
    """The answer about a document; None if it is not open."""
    document = server.documents.get(uri)
    return None if document is None else answer(document)


# ---------------------------------------------------------------------------------------------- texts


@server.feature(lsp.INITIALIZED)
async def initialized(_: lsp.InitializedParams) -> None:
    """Starts to work."""
    await server.documents.ready()


@server.feature(lsp.INITIALIZE)
def initialize(params: lsp.InitializeParams) -> None:
    """Takes the settings."""
    settings: Any = params.initialization_options
    if isinstance(settings, dict) and settings.get("runExamples") is False:
        server.documents.plays_examples = False


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
def opened(params: lsp.DidOpenTextDocumentParams) -> None:
    """A text was opened."""
    one = params.text_document
    server.documents.open(one.uri, one.text, one.version)


@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
def changed(params: lsp.DidChangeTextDocumentParams) -> None:
    """A text was changed."""
    uri = params.text_document.uri
    server.documents.change(uri, server.workspace.get_text_document(uri).source, params.text_document.version)


@server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
def saved(params: lsp.DidSaveTextDocumentParams) -> None:
    """A file was written: others may extend it."""
    for document in server.documents.all():
        if document.uri != params.text_document.uri:
            server.documents.consider(document, 0)


@server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
def closed(params: lsp.DidCloseTextDocumentParams) -> None:
    """A text was closed."""
    uri = params.text_document.uri
    if server.documents.close(uri) is not None:
        server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))


@server.feature(lsp.SHUTDOWN)
async def shutdown(_: None) -> None:
    """Ends the processes."""
    await server.documents.end()


# ---------------------------------------------------------------------------------------------- questions


@server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=["(", "=", " ", ",", ":"]))
async def complete(params: lsp.CompletionParams) -> lsp.CompletionList | None:
    """What can stand at a place."""
    document = server.documents.get(params.text_document.uri)
    if document is None:
        return None
    line, column = server.codec.place(document.lines, params.position)
    wanted = moves_wanted(document.lines, line, column)
    if wanted is not None:
        moves = await server.documents.moves(document, wanted)
        return lsp.CompletionList(False, answers.offered_moves(document, line, column, wanted, moves, server.codec))
    context = params.context
    if (
        context is not None
        and context.trigger_character == " "
        and not answers.wants(document, params.position, server.codec)
    ):
        return None
    return lsp.CompletionList(False, answers.completions(document, params.position, server.codec))


@server.feature(lsp.TEXT_DOCUMENT_HOVER)
def hover(params: lsp.HoverParams) -> lsp.Hover | None:
    """What a word means."""
    return _about(lambda one: answers.hover(one, params.position, server.codec), params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(["(", ","]))
def signature(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
    """How a function is called."""
    return _about(lambda one: answers.signatures(one, params.position, server.codec), params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
    """Where a name is declared."""
    return _about(lambda one: answers.definition(one, params.position, server.codec), params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
async def references(params: lsp.ReferenceParams) -> list[lsp.Location] | None:
    """Where a name is used."""
    document = await server.read(params.text_document.uri)
    if document is None:
        return None
    found = answers.places(document, params.position, server.codec, params.context.include_declaration)
    declared = answers.declared(document, params.position, server.codec)
    if declared is not None:
        found += await server.documents.uses(document, declared)
    return [answers.location(document, place, server.codec) for place in found]


@server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
def highlights(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight] | None:
    """Where the name at a place stands in this text."""
    document = server.documents.get(params.text_document.uri)
    if document is None:
        return None
    codec = server.codec
    return [
        lsp.DocumentHighlight(codec.range(document.lines, place.line, place.column, place.column + place.length))
        for place in answers.places(document, params.position, codec) if place.source == document.path
    ]  # fmt: skip


@server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
async def prepare_rename(params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder | None:
    """Whether the name at a place can be replaced."""
    document = await server.read(params.text_document.uri)
    if document is None:
        return None
    codec = server.codec
    try:
        place, one, _ = renamed_here(document.view, *codec.place(document.lines, params.position))
    except Unchangeable as error:
        raise _refused(error) from error
    where = codec.range(document.lines, place.line, place.column, place.column + place.length)
    return lsp.PrepareRenamePlaceholder(where, one.name)


@server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
async def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    """Replaces a name, unless this would be a mistake."""
    document = await server.read(params.text_document.uri)
    if document is None:
        return None
    codec, new = server.codec, params.new_name
    try:
        places = places_to_change(document.view, *codec.place(document.lines, params.position), new)
        declared = answers.declared(document, params.position, codec)
        assert declared is not None  # otherwise there are no places to change
        before = server.documents.texts()
        found = await server.documents.renamed(document, sorted(set(places)), declared, new)
    except Unchangeable as error:
        raise _refused(error) from error
    if server.documents.texts() != before:
        raise JsonRpcException("the text was changed meanwhile", code=lsp.LSPErrorCodes.ContentModified)
    changes: dict[str, list[lsp.TextEdit]] = {}
    for place in (place for places in found.values() for place in places):
        where = answers.location(server.documents.of(place.source) or document, place, codec)
        changes.setdefault(where.uri, []).append(lsp.TextEdit(where.range, new))
    return lsp.WorkspaceEdit(changes)


def _refused(error: Exception) -> JsonRpcException:
    return JsonRpcException(str(error), code=lsp.LSPErrorCodes.RequestFailed)


@server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]))
def cure(params: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
    """What cures a mistake."""
    return _about(lambda one: answers.cures(one, params.context.diagnostics), params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
async def formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
    """A text as `pysolve fmt` writes it."""
    document = server.documents.get(params.text_document.uri)
    if document is None:
        return None
    before = document.text
    text = await server.documents.formatted(document)
    if text is None or document.text != before or text == before:
        return []
    last = len(document.lines) - 1
    whole = server.codec.span(document.lines, 0, 0, last, len(document.lines[last]))
    return [lsp.TextEdit(whole, text)]


# ---------------------------------------------------------------------------------------------- pictures


@server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol] | None:
    """The sections of a text."""
    return _about(lambda one: answers.symbols(one, server.codec), params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
def folding(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange] | None:
    """The blocks of a text."""
    return _about(answers.folding, params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
def inlays(params: lsp.InlayHintParams) -> list[lsp.InlayHint] | None:
    """Types that are not written, and results of examples."""
    return _about(lambda one: answers.inlays(one, params.range, server.codec), params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
def lenses(params: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
    """A command over each example."""
    return _about(answers.lenses, params.text_document.uri)


_LEGEND = lsp.SemanticTokensLegend(list(answers.TOKEN_TYPES), list(answers.TOKEN_MODIFIERS))


@server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, _LEGEND)
def colours(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens | None:
    """The colours of a text."""
    numbers = _about(lambda one: answers.coloured(one, server.codec), params.text_document.uri)
    return None if numbers is None else lsp.SemanticTokens(numbers)


@server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, _LEGEND)
def some_colours(params: lsp.SemanticTokensRangeParams) -> lsp.SemanticTokens | None:
    """The colours of some lines."""
    first, last = params.range.start.line, params.range.end.line
    numbers = _about(lambda one: answers.coloured(one, server.codec, first, last), params.text_document.uri)
    return None if numbers is None else lsp.SemanticTokens(numbers)


@server.command(answers.RUN)
async def run_example(*given: Any) -> str | None:
    """Carries out one example of a text; tells the editor what came of it."""
    arguments = given[0] if len(given) == 1 and isinstance(given[0], list) else list(given)
    if len(arguments) != 2 or not isinstance(arguments[0], str) or not isinstance(arguments[1], int):
        raise _refused(ValueError(f"{answers.RUN} needs the address of a document and the number of an example"))
    document = await server.read(arguments[0])
    if document is None:
        return None
    if document.problems:
        return "correct the mistakes first"
    await server.documents.play(document, arguments[1])
    return None


class _Input:
    """The input from the editor; its end is the end of this process, whatever is still running."""

    def __init__(self, stream: BinaryIO):
        self._stream = Framed(stream)

    def readline(self) -> bytes:
        """The next header."""
        return self._seen(self._stream.readline)

    def read(self, size: int) -> bytes:
        """Reads this number of bytes."""
        return self._seen(lambda: self._stream.read(size))

    def _seen(self, read: Callable[[], bytes]) -> bytes:
        try:
            data = read()
        except FramingError as error:
            sys.stderr.write(f"pysolve lsp: {error}; the server ends, and the editor can start it again\n")
            sys.stderr.flush()  # before all else: the end may come at once
            _end_soon(1)
            raise
        if not data:
            _end_soon(0)
        return data


def _end_soon(status: int) -> None:
    """Ends this process a little later, if it is still there: a process that is just starting cannot be cancelled."""
    last = threading.Timer(GRACE, os._exit, (status,))
    last.daemon = True
    last.start()


def serve() -> None:
    """Answers an editor on stdin and stdout until it ends; raises `FramingError` for what is no message."""
    server.start_io(cast(BinaryIO, _Input(sys.stdin.buffer)))
