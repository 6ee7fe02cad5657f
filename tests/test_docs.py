"""The documents are true: the rules, sessions and messages that they show are tried here.

What stands behind the ``` of a block says what it is:

    rules [NAME.rules]   a whole game; its examples hold; the blocks below can use it by its name
    rules-part           sections put into the last whole game above (no variant), in place of those with the
                         same heading
    rules-wrong          such a part, or a variant, that is refused; the block below is what its author reads
    rules-add NAME       sections put into the file of that name, for the commands below
    python [NAME]        a session with >>>, or a program; one with a name is written to that file, for what comes later
    python with LIBRARY  the same, carried out where the library is installed
    console [LIBRARY]    commands behind $ and what they print; what stands behind a prompt, as White>, is typed;
                         they are carried out where the library is installed, plain calls of pysolve in this process
    prolog               queries behind ?- and what swipl answers with zola.pl, as the blocks above have made it

In what is expected, … stands for anything.  `# is 3` behind a definition says what a query for it gives.  Other
blocks are for people only.  `pytest --all --update` writes into the documents what was found instead.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import get_args

import pytest
from typer.testing import CliRunner

from benchmarks import levels, report, strong
from docs.site.blocks import DOCUMENTS, ROOT, Block, blocks, put_into
from pysolve.authoring import examples
from pysolve.cli.app import app
from pysolve.dsl import RulesError, check, model, parent_finder
from pysolve.dsl.check import variants
from pysolve.dsl.check.looks import COLOURS, SHAPES
from pysolve.dsl.check.show import EXAMPLE_LINES
from pysolve.dsl.errors import Source
from pysolve.dsl.language.functions import functions_in
from pysolve.dsl.text import nodes
from pysolve.dsl.text.fmt import format_rules
from pysolve.dsl.text.hints import RESERVED
from pysolve.dsl.text.parser import grammar
from pysolve.dsl.text.syntax import parse
from pysolve.game import Game
from pysolve.runtime.models import Reading
from tests.games import slow_but

MANUAL = ROOT / "docs" / "manual.md"
MORE = ";\n"  # behind an answer of swipl: what is typed to see the next one


ALL = [block for document in DOCUMENTS for block in blocks(document)]


def some(*kinds: str) -> list[Block]:
    return [block for block in ALL if block.kind in kinds]


def rewrite(block: Block, text: str) -> None:
    """Puts a text in place of a block's, wherever that stands by now."""
    lines = block.document.read_text(encoding="utf-8").split("\n")
    old = block.text.split("\n")[:-1]
    at = next(i for i in range(len(lines)) if lines[i : i + len(old)] == old and lines[i - 1].startswith("```"))
    lines[at : at + len(old)] = text.rstrip("\n").split("\n")
    block.document.write_text("\n".join(lines), encoding="utf-8")


# ---------------------------------------------------------------------------------------------- rules


def above(block: Block) -> list[Block]:
    """The blocks of the same document before one."""
    return [other for other in ALL if other.document == block.document and other.line < block.line]


def find_parent(block: Block):  # type: ignore[no-untyped-def]
    """How `extends` finds a file in a document: a block above with that name, or a shipped game."""
    named = {other.name.removesuffix(".rules"): other.text for other in above(block) if other.name}

    def find(name: str, child: Source) -> Source | None:
        if name in named:
            return Source(f"{name}.rules", named[name])
        return parent_finder((ROOT / "rules",))(name, child)

    return find


def sections(rules: nodes.Rules) -> Iterator[nodes.Section]:
    """The sections, with one for each state variable."""
    for section in rules.sections:
        if isinstance(section, nodes.State):
            yield from (replace(section, entries=(entry,)) for entry in section.entries)
        else:
            yield section


def read(block: Block) -> nodes.Rules:
    """The sections of a block; a part is completed by the sections of the last whole game above."""
    rules = parse(Source(block.name or "my.rules", block.text))
    if block.kind == "rules" or any(isinstance(s, nodes.Game) and s.extends for s in rules.sections):
        return rules
    host = [other for other in above(block) if other.kind == "rules" and " extends " not in other.text][-1]
    whole = {
        variants.key(section): section for section in sections(parse(Source("host.rules", host.text)))
        if not isinstance(section, nodes.Example)
    }  # fmt: skip
    whole |= {variants.key(section): section for section in sections(rules)}
    return nodes.Rules(rules.source, tuple(whole.values()))


def game_of(block: Block) -> Game:
    rules, find = read(block), find_parent(block)

    def reread(options):  # type: ignore[no-untyped-def]
        return Reading(check.check(rules, options, find), None)

    return Game(reread({}).model, reread=reread)


@pytest.mark.parametrize(
    "block", slow_but(some("rules", "rules-part")[::3], some("rules", "rules-part")), ids=lambda block: block.place
)
def test_rules_are_true(block: Block) -> None:
    game = game_of(block)
    assert (examples.notices(game), examples.run(game)) == ([], [])
    position = game.start()
    for name, expected in re.findall(r"^define (\w+) *[=:].*# is (.+)$", block.text, re.MULTILINE):
        assert f"{name} is {answer(position, name)}" == f"{name} is {expected}"


@pytest.mark.parametrize(
    "block", slow_but(some("rules", "rules-part")[::3], some("rules", "rules-part")), ids=lambda block: block.place
)
def test_rules_are_laid_out(block: Block, update: bool) -> None:
    settle(block, format_rules(block.text), update)


def answer(position, name: str) -> str:  # type: ignore[no-untyped-def]
    """What a definition without parameters is, in words."""
    if position.game.model.queries[name].result is None:
        return "true" if position.query(name) else "false"
    words = {True: "true", False: "false", None: "none"}
    found = [one["It"] for one in position.query(f"{name}(It)")]
    return ", ".join(str(it) if type(it) is int else words.get(it, it) for it in found) or "nothing"


@pytest.mark.parametrize("block", some("rules-wrong"), ids=lambda block: block.place)
def test_a_mistake_is_answered_as_shown(block: Block, update: bool) -> None:
    with pytest.raises(RulesError) as refused:
        raise RulesError(game_of(block).model.flaws)
    below = next(other for other in ALL if other.document == block.document and other.line > block.line)
    settle(below, str(refused.value), update)


# ------------------------------------------------------------------------------------------- sessions


def fits(found: str, expected: str) -> bool:
    """True if a text is as expected, where … stands for anything; spaces at the ends of lines do not count."""
    pattern = ".*?".join(re.escape(part) for part in tidy(expected).split("…"))
    return re.fullmatch(pattern, tidy(found), re.DOTALL) is not None


def without_spaces(text: str) -> str:
    """A Prolog session without the spaces and characters that swipl prints on a terminal only."""
    return re.sub(r"[\s;]+", "", text)


def tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))


def settle(block: Block, found: str, update: bool) -> None:
    """Compares what was found with a block, or writes it there."""
    plain = without_spaces if block.kind == "prolog" else tidy
    if fits(plain(found), plain(block.text)):
        return
    assert update, f"{block.place} has changed:\n{found}"
    rewrite(block, found)


@pytest.mark.slow
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_sessions_are_true(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, update: bool) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(doctest, "ELLIPSIS_MARKER", "\\u2026")  # … as doctest sees it
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(document):
        file = Path(block.name)
        match block.kind:
            case "python" if block.name.startswith("with "):
                if find_spec(block.name.removeprefix("with ")):
                    run_python(block, names)
            case "rules" | "python" if block.name:
                file.write_text(block.text, encoding="utf-8")
            case "rules-add":
                old = file.read_text(encoding="utf-8") if file.exists() else ""
                file.write_text(put_into(old, block.text), encoding="utf-8")
            case "python":
                run_python(block, names)
            case "console" if not block.name or find_spec(block.name):
                settle(block, run_console(block), update)
            case "prolog":
                settle(block, run_prolog(block), update)


class WithoutModules(doctest.OutputChecker):
    """Takes exceptions for the same whatever module they come from: a document shows their public names."""

    def check_output(self, want: str, got: str, flags: int) -> bool:
        want, got = (re.sub(r"^[a-z_.]+\.(?=[A-Z]\w+: )", "", text) for text in (want, got))
        return super().check_output(want, got, flags)


def run_python(block: Block, names: dict[str, object]) -> None:
    """Carries a program or a session out; `names` are those of the document so far."""
    if ">>>" not in block.text:
        exec(compile(block.text, block.place, "exec"), names)
        return
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    name, path = block.document.name, str(block.document)
    test = doctest.DocTestParser().get_doctest(block.text, names, name, path, block.line - 1)
    runner, said = doctest.DocTestRunner(WithoutModules(), optionflags=flags), []
    runner.run(test, out=said.append, clear_globs=False)
    names |= test.globs
    assert not runner.failures, "".join(said)


def answered(command: str) -> str | None:
    """What a plain call of pysolve prints, which needs no process of its own; None for other commands."""
    if not re.fullmatch(r"pysolve [^|<>&;$`~*]+", command):
        return None
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment().items():
            patch.setenv(name, value)
        return CliRunner().invoke(app, shlex.split(command)[1:]).output


def run(command: list[str], typed: str) -> str:
    """What a command prints."""
    ran = subprocess.run(
        command, input=typed, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, timeout=600, check=False,
    )  # fmt: skip
    return ran.stdout


def environment() -> dict[str, str]:
    """What commands find: `pysolve`, no colours, a terminal of a known width."""
    folder = Path("bin").absolute()
    folder.mkdir(exist_ok=True)
    script = folder / "pysolve"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pysolve "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    own = {"PATH": f"{folder}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "100",
           "TERM": "dumb", "LC_ALL": "C.UTF-8", "PYSOLVE_PROCESSES": "1"}  # fmt: skip
    return {**os.environ, **own}


def run_console(block: Block) -> str:
    """The block with what its commands print now."""
    found = []
    for command, typed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE):
        lines = re.findall(r"^[A-Z]\w*> (.*)$", typed, re.MULTILINE)
        plain = None if lines else answered(command)
        printed = run(["bash", "-c", command], "".join(f"{line}\n" for line in lines)) if plain is None else plain
        printed = printed.rstrip("\n")
        found += [f"$ {command}", *([printed] if printed else [])]
    return "\n".join(found)


def run_prolog(block: Block) -> str:
    """The block with what swipl answers now; after an answer that ends with ; the next one is asked for."""
    asked = re.findall(r"^\?- (.*(?:\n   .*)*)\n((?:(?!\?- ).*\n)*)", block.text, re.MULTILINE)
    typed = "".join(f"{query}\n{answer.count(MORE) * MORE}writeln('%').\n" for query, answer in asked)
    hide = "set_prolog_flag(toplevel_print_anon, false)"
    printed = run(["swipl", "-q", "-g", hide, "zola.pl"], typed)
    answers = printed.split("%\ntrue.\n\n")
    if len(answers) != len(asked) + 1:
        return printed
    pairs = zip(asked, answers, strict=False)
    return "\n\n".join(f"?- {query}\n{answer.strip()}" for (query, _), answer in pairs)


# --------------------------------------------------------------------------------------- the manual


def phrases(node: object) -> Iterator[type]:
    """The classes of all phrases in a syntax tree."""
    if isinstance(node, tuple):
        for item in node:
            yield from phrases(item)
    elif isinstance(node, (nodes.Node, nodes.Rules)):
        yield type(node)
        for name in node.__dataclass_fields__:
            yield from phrases(getattr(node, name))


def test_the_manual_shows_every_phrase() -> None:
    shown = set()
    for block in blocks(MANUAL):
        if block.kind in ("rules", "rules-part"):
            shown |= set(phrases(parse(Source("manual", block.text))))
    phrase_classes = {c for c in vars(nodes).values() if isinstance(c, type) and issubclass(c, nodes.Node)}
    assert phrase_classes - shown - {nodes.Node} == set()


def test_the_manual_shows_every_word_of_the_grammar() -> None:
    words = set(re.findall(r'"([a-z]+)"', re.sub(r"//.*", "", grammar())))
    shown = "\n".join(block.text for block in blocks(MANUAL) if block.kind in ("rules", "rules-part"))
    assert {word for word in words if not re.search(rf"\b{word}\b", shown)} == set()


def test_the_manual_lists_every_word_that_means_something() -> None:
    text = MANUAL.read_text(encoding="utf-8")
    words = {*RESERVED, *functions_in("all"), *SHAPES, *COLOURS, *EXAMPLE_LINES}
    assert {word for word in words if f"`{word}" not in text} == set()


def test_the_architecture_lists_every_step() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \| [a-z]", text, re.MULTILINE)
    assert listed == [step.__name__ for step in get_args(model.Step)]


@pytest.mark.parametrize(("title", "most"), [("Breakthrough", 20), ("Hex", 15)])
def test_the_games_of_the_tutorial_are_short(title: str, most: int) -> None:
    (text,) = (block.text for block in some("rules") if block.text.startswith(f'game "{title}"'))
    counted = [part for part in re.split(r"\n(?=\w)", text) if not part.startswith(("show", "example"))]
    lines = [line.strip() for part in counted for line in part.split("\n")]
    assert len([line for line in lines if line and not line.startswith("#")]) <= most


def test_the_tables_of_the_benchmarks_have_their_marks_and_headings() -> None:
    """Where `python -m benchmarks levels --docs` and the like write them."""
    text = report.DOCS.read_text(encoding="utf-8")
    for part, name in ((levels, "levels"), (strong, "strong")):
        table = text.partition(f"<!-- {name} -->\n")[2].partition(f"<!-- end of {name} -->")[0]
        assert table.startswith(f"| {' | '.join(part.HEADINGS)} |\n")
        assert text.count(f"<!-- {name} -->") == text.count(f"<!-- end of {name} -->") == 1


@pytest.mark.slow
def test_the_table_of_levels_has_the_games_that_are_played() -> None:
    text = report.DOCS.read_text(encoding="utf-8")
    table = text.partition("<!-- levels -->\n")[2].partition("<!-- end of levels -->")[0]
    assert re.findall(r"^\| ([a-z][\w-]*) \|", table, re.MULTILINE) == ["game", *levels.names()]
    assert set(levels.names()) < set(levels.names(every=True))


def test_links_lead_somewhere() -> None:
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for target, anchor in re.findall(r"\]\(([^)#:]*)(#[^)]*)?\)", text):
            goal = document.parent / target if target else document
            assert goal.exists(), f"{document.name}: {target}"
            if anchor:
                titles = re.findall(r"^#+ (.*)$", goal.read_text(encoding="utf-8"), re.MULTILINE)
                anchors = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
                assert anchor[1:] in anchors, f"{document.name}: {target}{anchor}"
