"""The language server: `python -m benchmarks.editors [--games antiyomacy zola] [--edits 100]`.

A client over stdin and stdout types into rules, a character every 80 milliseconds, and asks after each what an editor
asks.  All figures are milliseconds of wall-clock time from a question to its answer; `mistakes` is the time from a
change after which nobody types to the diagnostics of the text, with the 120 milliseconds that the server waits.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from rich.console import Console
from rich.table import Table

from pysolve.runtime.paths import RULES

PAUSE = 0.08  # seconds between two characters
TYPED = " and at(to) != none"  # a piece of a condition; each character is a change
STILL = 12  # changes after which nobody types

Times = dict[str, list[float]]


class Typist:
    """Somebody who edits rules."""

    def __init__(self, client: LanguageClient, path: Path):
        self.client = client
        self.text = path.read_text(encoding="utf-8")
        self.uri = path.as_uri()
        self.version = 0
        self.times: Times = {}
        self.told = asyncio.Event()

    def open(self) -> None:
        self.client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(self.uri, "pysolve-rules", 0, self.text))
        )

    def change(self, text: str) -> None:
        self.version += 1
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(self.version, self.uri),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    async def ask(self, what: str, question: Callable[[Any], Awaitable[Any]], params: Any) -> None:
        began = time.perf_counter()
        await question(params)
        self.times.setdefault(what, []).append(1e3 * (time.perf_counter() - began))

    async def ask_everything(self, place: lsp.Position) -> None:
        client, one = self.client, lsp.TextDocumentIdentifier(self.uri)
        screen = lsp.Range(lsp.Position(max(0, place.line - 30), 0), lsp.Position(place.line + 30, 0))
        await self.ask("completion", client.text_document_completion_async, lsp.CompletionParams(one, place))
        await self.ask("signature", client.text_document_signature_help_async, lsp.SignatureHelpParams(one, place))
        await self.ask("hover", client.text_document_hover_async, lsp.HoverParams(one, place))
        await self.ask("definition", client.text_document_definition_async, lsp.DefinitionParams(one, place))
        await self.ask("highlight", client.text_document_document_highlight_async,
                       lsp.DocumentHighlightParams(one, place))  # fmt: skip
        await self.ask("colours", client.text_document_semantic_tokens_full_async, lsp.SemanticTokensParams(one))
        await self.ask("outline", client.text_document_document_symbol_async, lsp.DocumentSymbolParams(one))
        await self.ask("folding", client.text_document_folding_range_async, lsp.FoldingRangeParams(one))
        await self.ask("inlays", client.text_document_inlay_hint_async, lsp.InlayHintParams(one, screen))
        await self.ask("lenses", client.text_document_code_lens_async, lsp.CodeLensParams(one))

    async def type(self, edits: int) -> None:
        """Types at random places under `when`, and takes it back."""
        dice, lines = random.Random(0), self.text.split("\n")
        places = [i for i, line in enumerate(lines) if line.startswith("    ") and " = " in line and '"' not in line]
        for number in range(edits):
            line = dice.choice(places)
            written = TYPED[: 1 + number % len(TYPED)]
            text = "\n".join([*lines[:line], lines[line] + written, *lines[line + 1 :]])
            self.told.clear()
            began = time.perf_counter()
            self.change(text)
            await self.ask_everything(lsp.Position(line, len(lines[line] + written)))
            if number % STILL == STILL - 1:
                await self.told.wait()
                self.times.setdefault("mistakes", []).append(1e3 * (time.perf_counter() - began))
            await asyncio.sleep(max(0.0, PAUSE - (time.perf_counter() - began)))


async def measured(path: Path, edits: int) -> Times:
    """How long the server takes with some rules."""
    client = LanguageClient("benchmark", "1")
    typist = Typist(client, path)

    @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def told(params: lsp.PublishDiagnosticsParams) -> None:
        if params.version == typist.version:
            typist.told.set()

    await client.start_io(sys.executable, "-m", "pysolve", "lsp")
    await client.initialize_async(lsp.InitializeParams(lsp.ClientCapabilities(), initialization_options={}))
    client.initialized(lsp.InitializedParams())
    began = time.perf_counter()
    typist.open()
    await typist.told.wait()
    typist.times["opened"] = [1e3 * (time.perf_counter() - began)]
    await typist.type(edits)
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    return typist.times


def show(console: Console, game: str, times: Times) -> None:
    table = Table(title=f"{game}, milliseconds")
    for head in ("question", "times", "median", "95 %", "longest"):
        table.add_column(head, justify="left" if head == "question" else "right")
    asked = [one for what, found in times.items() if what not in ("opened", "mistakes") for one in found]
    for what, found in (*times.items(), ("all answers", asked)):
        ordered = sorted(found)
        figures = (ordered[len(found) // 2], ordered[min(len(found) - 1, int(0.95 * len(found)))], ordered[-1])
        table.add_row(what, str(len(found)), *(f"{figure:.1f}" for figure in figures))
    console.print(table)


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.editors", description=__doc__.splitlines()[0])
    options.add_argument("--games", nargs="+", default=["antiyomacy", "chess", "zola"])
    options.add_argument("--edits", type=int, default=100, help="characters that are typed")
    chosen = options.parse_args()
    for game in chosen.games:
        show(Console(), game, asyncio.run(measured(RULES / f"{game}.rules", chosen.edits)))


if __name__ == "__main__":
    main()
