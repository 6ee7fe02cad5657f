"""The language server, asked by a client over stdin and stdout."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, cast

import pytest

pytest_lsp = pytest.importorskip("pytest_lsp")

from lsprotocol import types as lsp  # noqa: E402
from pygls.exceptions import JsonRpcException  # noqa: E402
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities  # noqa: E402

from pysolve.ide.knowledge import Knowledge, Place  # noqa: E402
from pysolve.ide.lsp import documents, server  # noqa: E402
from pysolve.ide.lsp.answers import RUN, TOKEN_TYPES  # noqa: E402
from pysolve.ide.lsp.positions import Codec  # noqa: E402
from pysolve.ide.lsp.worker import Workshop  # noqa: E402
from pysolve.ide.renaming import Unchangeable  # noqa: E402

pytestmark = pytest.mark.asyncio(loop_scope="module")
ROOT = Path(__file__).parent.parent
HANGING = 900  # seconds after which nobody answers any more, on whatever machine
SMALL = """\
game "Small"

option size = 3 in 2..9

players White, Black

board square size by size

state
  at(cell): player or none

define free(c: cell) = at(c) = none
define near(c: cell): set of cell = neighbours(c)

effect put(c: cell)
  at(c) := mover

move place(to: cell) as "{to}"
  when
    free(to)  else "taken"
    (count n in near(to) where at(n) = mover) < size
  do
    put(to)

stuck draw

show
  at: White "w" white disc, Black "b" black disc, none "."

example "first moves"
  play a1, b2
  legal c3
  illegal a1 because "taken"
  moves 7
"""


@pytest_lsp.fixture(
    scope="module", config=ClientServerConfig(server_command=[sys.executable, "-m", "pysolve", "lsp", "--stdio"])
)
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    for refresh in (lsp.WORKSPACE_SEMANTIC_TOKENS_REFRESH, lsp.WORKSPACE_CODE_LENS_REFRESH,
                    lsp.WORKSPACE_INLAY_HINT_REFRESH):  # fmt: skip
        lsp_client.feature(refresh)(lambda *_: None)
    await lsp_client.initialize_session(
        lsp.InitializeParams(capabilities=client_capabilities("visual-studio-code"), workspace_folders=[])
    )
    yield
    await lsp_client.shutdown_session()


class Text:
    """A text that is open in the client; `|` in it is a place."""

    numbers = iter(range(1_000_000))

    def __init__(self, client: LanguageClient, text: str, uri: str = ""):
        self.client = client
        self.uri = uri or f"file:///nowhere/test{next(self.numbers)}.rules"
        self.version = 0
        self.place, self.text = _place(text), text.replace("|", "", 1)
        client.diagnostics.pop(self.uri, None)
        client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(self.uri, "pysolve-rules", 0, self.text))
        )

    def change(self, text: str) -> None:
        """Another text."""
        self.place, self.text = _place(text), text.replace("|", "", 1)
        self.version += 1
        self.client.diagnostics.pop(self.uri, None)
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(self.version, self.uri),
                [lsp.TextDocumentContentChangeWholeDocument(self.text)],
            )
        )

    @property
    def id(self) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri)

    async def read(self) -> list[lsp.Diagnostic]:
        """The diagnostics, as soon as the text has been read."""
        return await self.until(lambda found: True)

    async def until(self, fits: Callable[[list[lsp.Diagnostic]], bool]) -> list[lsp.Diagnostic]:
        """The diagnostics, as soon as there are such."""
        async with asyncio.timeout(HANGING):
            while True:
                found = self.client.diagnostics.get(self.uri)
                if found is not None and fits(list(found)):
                    return list(found)
                await self.client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)

    async def complete(self) -> dict[str, lsp.CompletionItem]:
        """What is offered at the place, the first first."""
        found = await self.client.text_document_completion_async(lsp.CompletionParams(self.id, self.place))
        items = found.items if isinstance(found, lsp.CompletionList) else found or []
        return {item.label: item for item in sorted(items, key=lambda item: item.sort_text or "")}

    async def hover(self) -> str:
        found = await self.client.text_document_hover_async(lsp.HoverParams(self.id, self.place))
        return found.contents.value if found else ""

    def at(self, place: lsp.Range) -> str:
        """The words in a range of one line."""
        assert place.start.line == place.end.line
        return self.text.split("\n")[place.start.line][place.start.character : place.end.character]


def _place(text: str) -> lsp.Position:
    before = text.partition("|")[0]
    return lsp.Position(before.count("\n"), len(before.rpartition("\n")[2].encode("utf-16-le")) // 2)


def small(old: str, new: str) -> str:
    assert old in SMALL
    return SMALL.replace(old, new, 1)


# ---------------------------------------------------------------------------------------------- diagnostics


async def test_mistakes_have_cures(client: LanguageClient) -> None:
    text = Text(client, small("free(to)", "fre(to)"))
    (problem,) = await text.read()
    assert problem.message == 'there is no "fre"\ndid you mean "free"?'
    assert text.at(problem.range) == "fre"
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(text.id, problem.range, lsp.CodeActionContext([problem]))
    )
    assert actions
    (action,) = actions
    assert isinstance(action, lsp.CodeAction)
    assert action.title == "Replace by free"
    assert action.edit
    assert action.edit.changes
    (edit,) = action.edit.changes[text.uri]
    assert (text.at(edit.range), edit.new_text) == ("fre", "free")
    text.change(SMALL)
    assert await text.read() == []


async def test_each_sentence_that_cannot_be_read_is_reported(client: LanguageClient) -> None:
    text = Text(client, small("free(to)", "free(to").replace("stuck draw", "stuck drow"))
    assert len(await text.read()) == 2


@pytest.mark.slow
async def test_lines_of_examples_that_do_not_hold(client: LanguageClient) -> None:
    text = Text(client, small("moves 7", "moves 8"))
    found = await text.until(bool)
    assert [(one.message, text.at(one.range)) for one in found] == [("expected 8 legal moves\nfound 7", "moves 8")]
    text.change(small("moves 7", "moves 7  # now"))
    assert await text.read() == []


@pytest.mark.slow
async def test_a_long_example_blocks_nothing(client: LanguageClient) -> None:
    """Its examples count for minutes; meanwhile the text is read again and again, and questions have answers."""
    zola = (ROOT / "rules" / "zola.rules").read_text(encoding="utf-8")
    text = Text(client, zola + '\nexample "long"\n  perft 9 = 1\n')
    await text.read()
    await asyncio.sleep(1.0)
    text.change(zola + '\nexample "long"\n  perft 9 = 2\n  lgal a1xb1\n')
    assert len(await text.read()) == 1
    assert "retreat" in await Text.hover(_moved(text, "move re|treat"))
    client.text_document_did_close(lsp.DidCloseTextDocumentParams(text.id))


def _moved(text: Text, words: str) -> Text:
    """The same text, with the place in some words of it."""
    begin = text.text.index(words.replace("|", ""))
    text.place = _place(text.text[:begin] + words)
    return text


# ------------------------------------------------------------------------------------------- while one types


@pytest.mark.parametrize(
    ("old", "new", "best", "others", "never"),
    [
        ("at(n) = mover", "at(n) = |", "at Black mover none opponent White", "n to size neighbours", "place"),
        ("free(to)  else", "|  else", "false free true", "to at possible", "n place put"),
        ("    put(to)", "    |", "", "put at to if for", "free White n"),
        ("near(to) where", "near(|) where", "to", "a1 neighbours", "place n"),
        ("free(to)  else", "some x in near(to) has |  else", "false free true", "x to", "place n"),
        ('"b" black disc', '"b" |', "", "black disc bishop", "free size"),
        ("at(cell): player or", "at(cell): |", "", "bool cell player", "free size"),
        ("stuck draw", "stu|", "", "stuck board define", "free White"),
        ("  moves 7", "  |", "", "legal play position size", "free White"),
        ("stuck draw", "end\n  |", "", "White draw", ""),
        ("board square", "board |", "", "square hex graph", "free"),
        ("free(to)  else", "possible(|  else", "", "place", "free White"),
    ],
)
async def test_completion(client: LanguageClient, old: str, new: str, best: str, others: str, never: str) -> None:
    text = Text(client, SMALL)
    await text.read()
    text.change(small(old, new))
    offers = await text.complete()
    assert [name for name, one in offers.items() if one.sort_text and one.sort_text.startswith("0")] == best.split()
    assert set(others.split()) <= set(offers)
    assert not set(never.split()) & set(offers)


@pytest.mark.parametrize("place", ['"Sm|all"', 'else "t|aken"', "moves 7|"])
async def test_nothing_is_offered_in_texts_and_numbers(client: LanguageClient, place: str) -> None:
    text = Text(client, small(place.replace("|", ""), place))
    await text.read()
    assert await text.complete() == {}


async def test_legal_moves_are_offered_in_examples(client: LanguageClient) -> None:
    text = Text(client, SMALL)
    await text.read()
    text.change(small("legal c3", "legal c3, |"))
    assert list(await text.complete()) == ["b1", "c1", "a2", "c2", "a3", "b3", "c3"]
    text.change(small("play a1, b2", "play a1, |"))
    offers = await text.complete()
    assert len(offers) == 8
    assert "a1" not in offers
    assert offers["b2"].detail == "place"
    text.change(small("  play a1, b2", "  size 2\n  position Black\n    w .\n    . b\n  play |"))
    assert set(await text.complete()) == {"a1", "b2"}
    text.change(small("  play a1, b2", "  play a1, a1, |"))
    assert await text.complete() == {}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("fr|ee(to)", "define free(c: cell) = at(c) = none|definition: condition, line 12"),
        ("count |n in", "n: cell|variable, `n in near(to)`, line 21"),
        ("< si|ze", "option size = 3 in 2..9|option, line 3|is `3`"),
        ("neigh|bours(c)", "neighbours(cell): set of cell|`neighbours(c)`: the cells one step away"),
        ("stu|ck draw", "stuck"),
        ("Whi|te,", "White: player|value, line 5"),
        ("co|unt n", "count"),
        ("disc, Bl|ack", "Black: player"),
        ("whi|te disc", "colours"),
    ],
)
async def test_hover(client: LanguageClient, words: str, told: str) -> None:
    text = Text(client, small(words.replace("|", ""), words))
    await text.read()
    found = await text.hover()
    for part in told.split("|"):
        assert part in found, found


async def test_signatures(client: LanguageClient) -> None:
    text = Text(client, SMALL)
    await text.read()
    text.change(small("free(to)", "between(to, |"))
    found = await client.text_document_signature_help_async(lsp.SignatureHelpParams(text.id, text.place))
    assert found
    assert (found.signatures[0].label, found.active_parameter) == ("between(cell, cell)", 1)
    text.change(small("free(to)", "free(|"))
    found = await client.text_document_signature_help_async(lsp.SignatureHelpParams(text.id, text.place))
    assert found
    assert found.signatures[0].label == "free(c: cell): condition"
    text.change(small("free(to)", "(|to)"))
    assert await client.text_document_signature_help_async(lsp.SignatureHelpParams(text.id, text.place)) is None


# ---------------------------------------------------------------------------------------- names and their places


async def test_definition_and_references(client: LanguageClient) -> None:
    text = Text(client, small("free(to)", "f|ree(to)"))
    await text.read()
    found = await client.text_document_definition_async(lsp.DefinitionParams(text.id, text.place))
    assert isinstance(found, lsp.Location)
    assert (found.uri, found.range.start) == (text.uri, lsp.Position(11, 7))
    places = await client.text_document_references_async(
        lsp.ReferenceParams(lsp.ReferenceContext(True), text.id, text.place)
    )
    assert [place.range.start.line for place in places or []] == [11, 19]
    marked = await client.text_document_document_highlight_async(lsp.DocumentHighlightParams(text.id, text.place))
    assert [place.range.start.line for place in marked or []] == [11, 19]


async def test_definitions_lie_in_the_rules_that_are_extended(client: LanguageClient, tmp_path: Path) -> None:
    (tmp_path / "small.rules").write_text(SMALL, encoding="utf-8")
    child = 'game "Wide" extends "small"\n\nreplace define free(c: cell) = at(c) = none and c in ne|ar(c)\n'
    text = Text(client, child, (tmp_path / "wide.rules").as_uri())
    assert await text.read() == []
    found = await client.text_document_definition_async(lsp.DefinitionParams(text.id, text.place))
    assert isinstance(found, lsp.Location)
    assert (found.uri, found.range.start.line) == ((tmp_path / "small.rules").as_uri(), 12)
    found = await client.text_document_definition_async(lsp.DefinitionParams(text.id, lsp.Position(0, 24)))
    assert isinstance(found, lsp.Location)
    assert found.uri == (tmp_path / "small.rules").as_uri()
    with pytest.raises(JsonRpcException, match=r'"near" is declared in small\.rules: rename it there'):
        await client.text_document_rename_async(lsp.RenameParams(text.id, text.place, "close"))


@pytest.mark.slow
async def test_a_saved_parent_is_read_again(client: LanguageClient, tmp_path: Path) -> None:
    (tmp_path / "small.rules").write_text(SMALL, encoding="utf-8")
    child = 'game "Wide" extends "small"\n\nreplace effect put(c: cell)\n  at(c) := if free(c) then mover else none\n'
    text = Text(client, child, (tmp_path / "wide.rules").as_uri())
    assert await text.read() == []
    (tmp_path / "small.rules").write_text(SMALL.replace("free", "open"), encoding="utf-8")
    client.diagnostics.pop(text.uri)
    parent = lsp.TextDocumentIdentifier((tmp_path / "small.rules").as_uri())
    client.text_document_did_save(lsp.DidSaveTextDocumentParams(parent))
    assert [one.message for one in await text.read()] == ['there is no "free"']


async def test_rules_that_extend_others_are_searched_and_changed_with_them(
    client: LanguageClient, tmp_path: Path
) -> None:
    (tmp_path / "wide.rules").write_text(
        'game "Wide" extends "small"\n\nreplace effect put(c: cell)\n'
        "  at(c) := if free(c) then mover else none\n", encoding="utf-8")  # fmt: skip
    (tmp_path / "wider.rules").write_text(
        'game "Wider" extends "wide"\n\ndefine closed(c: cell) = not free(c)\n', encoding="utf-8")  # fmt: skip
    (tmp_path / "other.rules").write_text('game "Other" extends "zola"\n', encoding="utf-8")
    (tmp_path / "broken.rules").write_bytes(b"\xff\xfe game")
    (tmp_path / "small.rules").write_text(SMALL, encoding="utf-8")
    text = Text(client, small("free(to)", "f|ree(to)"), (tmp_path / "small.rules").as_uri())
    assert await text.read() == []
    places = await client.text_document_references_async(
        lsp.ReferenceParams(lsp.ReferenceContext(True), text.id, text.place)
    )
    assert [(place.uri.rpartition("/")[2], place.range.start.line) for place in places or []] == [
        ("small.rules", 11), ("small.rules", 19), ("wide.rules", 3), ("wider.rules", 2)
    ]  # fmt: skip
    edit = await client.text_document_rename_async(lsp.RenameParams(text.id, text.place, "empty"))
    assert edit
    assert edit.changes
    found = {uri.rpartition("/")[2]: edits for uri, edits in edit.changes.items()}
    assert found.keys() == {"small.rules", "wide.rules", "wider.rules"}
    wide = _edited((tmp_path / "wide.rules").read_text(encoding="utf-8"), found["wide.rules"])
    assert "if empty(c) then" in wide
    with pytest.raises(
        JsonRpcException, match=r'with "closed": the parent already has define "closed" \(wider\.rules:3\)'
    ):
        await client.text_document_rename_async(lsp.RenameParams(text.id, text.place, "closed"))


async def test_rename(client: LanguageClient) -> None:
    text = Text(client, small("place(to: cell)", "place(t|o: cell)"))
    await text.read()
    can = await client.text_document_prepare_rename_async(lsp.PrepareRenameParams(text.id, text.place))
    assert isinstance(can, lsp.PrepareRenamePlaceholder)
    assert can.placeholder == "to"
    edit = await client.text_document_rename_async(lsp.RenameParams(text.id, text.place, "goal"))
    assert edit
    assert edit.changes
    assert _edited(text.text, edit.changes[text.uri]) == text.text.replace("to:", "goal:").replace(
        "{to}", "{goal}").replace("(to)", "(goal)")  # fmt: skip


@pytest.mark.slow
async def test_values_are_renamed_in_moves_of_examples(client: LanguageClient) -> None:
    """A value is a word of moves: the examples change with it, and still hold."""
    chess = (ROOT / "rules" / "antiyomacy.rules").read_text(encoding="utf-8")
    text = _moved(Text(client, chess), "type unit = Pea|sant")
    await text.read()
    edit = await client.text_document_rename_async(lsp.RenameParams(text.id, text.place, "Farmer"))
    assert edit
    assert edit.changes
    text.change(_edited(text.text, edit.changes[text.uri]))
    assert await text.read() == []
    assert "Peasant" not in "".join(line.split("#")[0].split('"')[0] for line in text.text.split("\n"))


@pytest.mark.parametrize(
    ("words", "new", "message"),
    [
        ("f|ree(to)", "near", 'with "near": "near" is already a definition'),
        ("f|ree(to)", "no", '"no" is a word of the language'),
        ("f|ree(to)", "1a", '"1a" is not a name'),
        ("neigh|bours(c)", "beside", '"neighbours" is given by the language or by the board'),
        ("stu|ck", "x", "there is no name here"),
    ],
)
async def test_names_that_cannot_be(client: LanguageClient, words: str, new: str, message: str) -> None:
    text = Text(client, small(words.replace("|", ""), words))
    await text.read()
    with pytest.raises(JsonRpcException, match=message.replace("(", r"\(")):
        await client.text_document_rename_async(lsp.RenameParams(text.id, text.place, new))


def _edited(text: str, edits: Any) -> str:
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
        start, end = edit.range.start, edit.range.end
        line = lines[start.line]
        lines[start.line] = line[: start.character] + edit.new_text + line[end.character :]
    return "\n".join(lines)


# ------------------------------------------------------------------------------------------------- the whole


async def test_outline_and_folding(client: LanguageClient) -> None:
    text = Text(client, SMALL)
    found = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(text.id))
    assert found
    names = [one.name for one in found]
    assert names == ["Small", "size", "players", "board", "state", "free", "near", "put", "place", "stuck", "show",
                     "first moves"]  # fmt: skip
    state = found[4]
    assert isinstance(state, lsp.DocumentSymbol)
    assert [(one.name, text.at(one.selection_range)) for one in state.children or []] == [("at", "at")]
    folds = await client.text_document_folding_range_async(lsp.FoldingRangeParams(text.id))
    assert {(one.start_line, one.end_line) for one in folds or []} >= {(8, 9), (17, 22), (18, 20), (29, 33)}


async def test_formatting(client: LanguageClient) -> None:
    text = Text(client, small("players White, Black", "players   White,Black"))
    edits = await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(text.id, lsp.FormattingOptions(2, True))
    )
    assert edits
    (edit,) = edits
    assert "players White, Black" in edit.new_text
    text.change(small("stuck draw", "stuck )"))
    edits = await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(text.id, lsp.FormattingOptions(2, True))
    )
    assert not edits


async def test_types_that_are_not_written(client: LanguageClient) -> None:
    text = Text(client, SMALL)
    await text.read()
    found = await client.text_document_inlay_hint_async(
        lsp.InlayHintParams(text.id, lsp.Range(lsp.Position(0, 0), lsp.Position(25, 0)))
    )
    assert {(one.position.line, one.label) for one in found or []} == {(11, ": condition"), (20, ": cell")}


@pytest.mark.slow
async def test_examples_can_be_run(client: LanguageClient) -> None:
    text = Text(client, small("moves 7", "moves 8"))
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(text.id))
    assert lenses
    (lens,) = lenses
    assert lens.command
    assert lens.command.command == RUN
    await client.workspace_execute_command_async(lsp.ExecuteCommandParams(RUN, lens.command.arguments))
    (lens,) = await client.text_document_code_lens_async(lsp.CodeLensParams(text.id)) or []
    assert lens.command
    assert lens.command.title == "✗ 1 of 3 lines not as expected · run again"
    hints = await client.text_document_inlay_hint_async(
        lsp.InlayHintParams(text.id, lsp.Range(lsp.Position(28, 0), lsp.Position(40, 0)))
    )
    assert [(one.position.line, one.label) for one in hints or []] == [(31, "✓"), (32, "✓"), (33, "✗")]


async def test_colours_say_what_names_mean(client: LanguageClient) -> None:
    text = Text(client, SMALL)
    await text.read()
    found = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(text.id))
    assert found
    words = list(_coloured(text.text, found.data))
    assert ("size", "variable") in words
    assert ("at", "property") in words
    assert ("free", "function") in words
    assert ("White", "enumMember") in words
    assert ("put", "method") in words
    assert ("n", "parameter") in words
    assert ("game", "keyword") in words
    part = await client.text_document_semantic_tokens_range_async(
        lsp.SemanticTokensRangeParams(text.id, lsp.Range(lsp.Position(8, 0), lsp.Position(9, 30)))
    )
    assert part
    assert [word for word, _ in _coloured(text.text, part.data)] == ["state", "at", "cell", "player", "or", "none"]


def _coloured(text: str, data: Any) -> Any:
    lines, line, column = text.split("\n"), 0, 0
    for down, ahead, length, kind, _ in zip(*[iter(data)] * 5, strict=True):
        line, column = line + down, ahead if down else column + ahead
        yield lines[line][column : column + length], TOKEN_TYPES[kind]


async def test_columns_are_counted_as_the_editor_does(client: LanguageClient) -> None:
    """Behind a character that takes two units of UTF-16, names are where the editor has them."""
    text = Text(
        client, small('free(to)  else "taken"', 'fr|ee(to)  else "taken 😀"').replace("moves 7", "# 😀😀\n  moves 7")
    )
    await text.read()
    assert "define free" in await text.hover()
    text.change(small('"first moves"', '"😀 first"').replace("legal c3", "legal c3, 😀 x"))
    (problem,) = await text.read()
    line = text.text.split("\n")[problem.range.start.line].encode("utf-16-le")
    shown = line[2 * problem.range.start.character : 2 * problem.range.end.character].decode("utf-16-le")
    assert shown == "😀 x"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "|",
        "game",
        'game "x" extends "../../etc/passwd"\n',
        "\x00\x01\x02",
        "a" * 300_000,
        "(" * 5_000,
        "\r\r\n\u2028",
    ],
)
async def test_strange_texts(client: LanguageClient, text: str) -> None:
    """Every question has an answer, whatever the text."""
    one = Text(client, text)
    assert await one.read()
    for place in (lsp.Position(0, 0), lsp.Position(0, 3), lsp.Position(99, 99)):
        one.place = place
        await one.complete()
        await one.hover()
        await client.text_document_signature_help_async(lsp.SignatureHelpParams(one.id, place))
        await client.text_document_definition_async(lsp.DefinitionParams(one.id, place))
    await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(one.id))
    await client.text_document_folding_range_async(lsp.FoldingRangeParams(one.id))
    await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(one.id))
    await client.text_document_code_lens_async(lsp.CodeLensParams(one.id))


@pytest.mark.parametrize(
    ("text", "message", "most"),
    [
        (f"game{100_000 * ' '}x", "a line has at most 5,000 characters; this one has 100,005", 5_001),
        pytest.param(
            200_000 * "a b c\n",
            "a rules text has at most 1,000,000 bytes; this one is longer",
            1_000_001,
            marks=pytest.mark.slow,
        ),
    ],
)
async def test_a_text_that_is_too_large_is_only_seen_in_part(text: str, message: str, most: int) -> None:
    told = asyncio.Queue[documents.Document]()
    opened = documents.Documents(told.put_nowait)
    opened.open("file:///nowhere/large.rules", text, 0)
    document = await told.get()
    assert document.problems[0]["message"] == message
    assert len("\n".join(document.lines)) == most
    await opened.end()


async def test_a_text_that_changes_while_a_name_is_replaced_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    uri, path = "file:///nowhere/small.rules", "/nowhere/small.rules"
    asked = {"path": path, "text": SMALL}
    known = Workshop().answer("understand", asked, lambda _: None, lambda: False)
    document = documents.Document(uri, path, SMALL, 1, Knowledge.read(path, SMALL, cast(Any, known)))
    document.read.set()
    opened = documents.Documents(lambda _: None)

    async def renamed(*_: object) -> dict[str, list[Place]]:
        document.change(f"# first\n{SMALL}", 2)
        return {path: [Place(path, 11, 7, 4)]}

    monkeypatch.setattr(opened, "_documents", {uri: document})
    monkeypatch.setattr(opened, "renamed", renamed)
    monkeypatch.setattr(server.server, "documents", opened)
    monkeypatch.setattr(server.RulesServer, "codec", Codec("utf-16"))
    line = SMALL.split("\n").index("define free(c: cell) = at(c) = none")
    place = lsp.Position(line, 8)
    with pytest.raises(JsonRpcException, match="the text was changed meanwhile"):
        await server.rename(lsp.RenameParams(lsp.TextDocumentIdentifier(uri), place, "empty"))


@pytest.mark.slow
async def test_questions_that_make_no_sense(client: LanguageClient) -> None:
    nowhere = lsp.TextDocumentIdentifier("file:///nowhere/closed.rules")
    assert await client.text_document_hover_async(lsp.HoverParams(nowhere, lsp.Position(0, 0))) is None
    assert await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(nowhere)) is None
    with pytest.raises(JsonRpcException, match="needs the address of a document and the number of an example"):
        await client.workspace_execute_command_async(lsp.ExecuteCommandParams(RUN, ["x"]))
    text = Text(client, SMALL)
    strange = lsp.Diagnostic(lsp.Range(lsp.Position(0, 0), lsp.Position(0, 1)), "", data={"text": 3, "range": []})
    action = lsp.CodeActionParams(text.id, strange.range, lsp.CodeActionContext([strange]))
    assert not await client.text_document_code_action_async(action)


@pytest.mark.slow
async def test_a_process_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "COMMAND", (sys.executable, "-c", "import time; time.sleep(600)"))
    monkeypatch.setattr(documents, "READING", 0.3)
    told = asyncio.Queue[documents.Document]()
    opened = documents.Documents(told.put_nowait)
    opened.open("file:///nowhere/slow.rules", SMALL, 0)
    document = await told.get()
    assert [one["message"] for one in document.problems] == [
        "these rules could not be read: this took longer than 0.3 seconds, and was stopped"
    ]
    assert await opened.formatted(document) is None
    place = Place(document.path, 11, 7, 4)
    with pytest.raises(Unchangeable, match="this took longer"):
        await opened.renamed(document, [place], place, "empty")
    await opened.end()


@pytest.mark.slow
async def test_a_process_that_dies_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "COMMAND", (sys.executable, "-c", "raise SystemExit(3)"))
    told = asyncio.Queue[documents.Document]()
    opened = documents.Documents(told.put_nowait)
    opened.open("file:///nowhere/dying.rules", SMALL, 0)
    document = await told.get()
    assert "the process that answers ended with status 3" in document.problems[0]["message"]
    monkeypatch.undo()
    again = documents.Documents(told.put_nowait)
    again.open("file:///nowhere/dying.rules", SMALL, 0)
    assert (await told.get()).problems == []
    await opened.end()
    await again.end()


@pytest.mark.slow
async def test_the_server_ends_with_its_editor() -> None:
    """No process is left when an editor has died."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "pysolve", "lsp", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdin
    assert process.stdout
    for message in (
        {"id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None, "rootUri": None}},
        {"method": "initialized", "params": {}},
    ):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    assert (await process.stdout.readline()).startswith(b"Content-Length")
    process.stdin.close()
    async with asyncio.timeout(HANGING):
        await process.stdout.read()  # closed by the last process that has it
        await process.wait()
