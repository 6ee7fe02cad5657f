"""Words from outside stay words: names of files, texts of rules, players and moves in everything that is printed.

In: a game whose file lies under a name that tries to be code, and whose texts try to be comments, quotes or markup.
Out: Prolog that runs nothing, C that does not change, records and variants that read back, pictures that are XML.
"""

import asyncio
import importlib.util
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import pysolve
from pysolve import dsl
from pysolve.cli.app import app
from pysolve.dsl.to_c import print_c
from pysolve.dsl.to_prolog import print_prolog
from pysolve.dsl.to_prolog.unfolded import print_unfolded
from pysolve.engines import build
from pysolve.engines.self_check import begun
from pysolve.export import wasm
from pysolve.lab.report import TournamentReport
from pysolve.lab.tournament import crosstable
from pysolve.lab.tune import variant
from pysolve.notation import record
from pysolve.runtime.lane import Worker
from pysolve.runtime.paths import RULES, runtime

NAMES = [
    "a\n:- shell('touch seized').\n%",
    "a\r:- shell('touch seized').\r%",
    "a\\\n*/ int x; /* ??/",
    "a'). :- shell('touch seized'). x('",
    'a"] <script>alert(1)</script> [b "',
    "a\x1b[31m\x07\u202egpj",
    "a\x0b\x0c\x1c\x85\u2028b",
    b"a\xff\xfeb".decode("utf-8", "surrogateescape"),
]
TEXT = r"""*/ ??/ \ // ' ` $\frac{$ <b>&amp; ${x} %s {{}} [red]x[/red] :- halt. ~w | ; \x41\ """.rstrip()

RULES_TEXT = """\
game "TITLE"
  author "TEXT"
  about "TEXT"
players White, Black
board square 3 by 3
state
  at(cell): player or none
move place(to: cell) as "{to}SIGN"
  when
    at(to) = none  else "TEXT"
  do
    at(to) := mover
stuck
  draw because "TEXT"
end
  mover wins when (count c: cell where at(c) = mover) = 3 because "TEXT"
evaluate
  stones 1 : count c: cell where at(c) = me
show
  at: White "GLYPH", Black "&", none "."
example "TEXT"
  moves 9
"""


def hostile_text() -> str:
    found = RULES_TEXT.replace("TITLE", TEXT).replace("TEXT", TEXT)
    return found.replace("SIGN", r"*/??/'\<&").replace("GLYPH", "*<&'")


def tame_text() -> str:
    found = RULES_TEXT.replace("TITLE", "Tame").replace("TEXT", "tame")
    return found.replace("SIGN", "").replace("GLYPH", "x").replace('"&"', '"o"')


@pytest.fixture(params=range(len(NAMES)), ids=lambda number: f"name{number}")
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Hostile rules in a folder and a file of a hostile name."""
    folder = tmp_path / NAMES[request.param].replace("/", "∕")
    folder.mkdir()
    path = folder / (NAMES[request.param].replace("/", "∕") + ".rules")
    path.write_text(hostile_text(), encoding="utf-8")
    return path


def test_printed_prolog_holds_the_name_of_its_file_on_one_line(file: Path) -> None:
    program = print_prolog(dsl.read_rules(file))
    plain = print_prolog(dsl.read_rules(hostile_text()))
    assert len(program.splitlines()) == len(program.split("\n")) - 1, "no other sign ends a line"
    assert len(program.split("\n")) == len(plain.split("\n")), "the name adds no line"
    assert program.split("\n")[1:10] == plain.split("\n")[1:10]
    program.encode("utf-8")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("swipl") is None, reason="needs swipl on the path")
def test_printed_prolog_runs_nothing_when_it_is_loaded(file: Path, tmp_path: Path) -> None:
    program = print_prolog(dsl.read_rules(file), runtime())
    (tmp_path / "game.pl").write_text(program, encoding="utf-8")
    goal = "initial(P), findall(M, legal(P, M), Ms), length(Ms, N), write(N)"
    run = subprocess.run(["swipl", "--on-warning=halt", "--on-error=halt", "-g", goal, "-t", "halt", "game.pl"],
                         cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)  # fmt: skip
    assert (run.returncode, run.stdout) == (0, "9"), run.stderr
    assert not (tmp_path / "seized").exists()


def test_a_game_of_a_hostile_name_plays_on_both_engines(file: Path) -> None:
    for engine in ("prolog", "native"):
        position = pysolve.load(file, engine=engine).start()
        assert len(position.legal_moves) == 9
        assert len(position.play(position.legal_moves[0]).legal_moves) == 8


def test_texts_and_file_names_do_not_reach_the_c(file: Path) -> None:
    tame = dsl.read_rules(tame_text(), name="tame")
    for sets in (True, False):
        assert print_c(dsl.read_rules(file), sets) == print_c(tame, sets)


def test_the_unfolded_clauses_differ_in_nothing(file: Path) -> None:
    assert print_unfolded(dsl.read_rules(file)) == print_unfolded(dsl.read_rules(tame_text(), name="tame"))


def test_pictures_are_xml_with_the_texts_as_texts(file: Path) -> None:
    game = pysolve.load(file)
    position = game.start().play(game.start().legal_moves[0])
    picture = ElementTree.fromstring(position.svg())
    title = picture.find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert title.text is not None
    assert title.text.startswith(TEXT)
    assert "script" not in {element.tag.rpartition("}")[2] for element in picture.iter()}


def test_a_record_with_hostile_words_reads_back(file: Path) -> None:
    game = pysolve.load(file)
    moves = tuple((move.text,) for move in game.start().legal_moves[:2])
    for name in NAMES:
        written = record.Record(game=str(file), options={}, rules=game.model.digest, turns=moves, termination=name,
                                players={"White": name, "Black": f"{name}\\u0041\\n"})  # fmt: skip
        text = record.write(written)
        assert len(text.splitlines()) == 8, "a tag is a line"
        assert text.encode("utf-8").decode("utf-8") == text
        assert record.read(text) == written


def test_a_title_in_a_page_is_text() -> None:
    table = crosstable(["<script>alert(1)</script>", "b"], ["<b>", "Blue"], [])
    report = TournamentReport("<script>alert(1)</script>", "pysolve '</code><script>'", table, None)
    assert "<script>" not in report.table() + report.summary()


def test_a_variant_names_no_parent_that_would_be_rules() -> None:
    game = pysolve.load("breakthrough")
    weights = {term.name: 1 for term in game.model.terms}
    for parent in ('zola"\nremove end\n#', "a\nb", 'a"b'):
        with pytest.raises(ValueError, match="cannot be written in quotes"):
            variant(game, weights, parent, "about")
    text = variant(game, weights, "breakthrough", 'by="x"\nremove end\n')
    assert dsl.read_rules(text, folders=(RULES,)).title == f"{game.title}, tuned"


@pytest.mark.parametrize("name", ["a\nplayers A, B\n#", 'a"b', "a\x1b[1m"])
def test_a_new_game_has_no_title_that_would_be_rules(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["new", name])
    assert result.exit_code == 2
    assert "cannot be the name of a game" in result.stderr
    assert not list(tmp_path.iterdir())


def test_a_copy_keeps_the_backslashes_of_its_title(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["new", r"a\g<0>b", "--like", "hex"])
    assert result.exit_code == 0, result.stderr
    assert dsl.read_rules(tmp_path / r"a\g<0>b.rules").title == r"A\g<0>b"


def test_a_message_names_its_file_on_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a\nb:1:1: all is well\n.rules"
    path.write_text(hostile_text().replace("players White, Black\n", ""), encoding="utf-8")
    with pytest.raises(dsl.RulesError) as raised:
        dsl.read_rules(path)
    assert "\\nb:1:1: all is well\\n.rules:1:6: " in str(raised.value)
    for problem in raised.value.problems:
        assert len(str(problem).split("\n")) == 4


@pytest.mark.slow
def test_modules_that_lie_where_pysolve_is_started_are_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = pytest.importorskip("pysolve.ide.lsp.documents")
    seized = tmp_path / "seized"
    for name in ("json", "pickle", "pysolve", "ziglang"):
        (tmp_path / f"{name}.py").write_text(f"open({str(seized)!r}, 'w').close()")
    monkeypatch.chdir(tmp_path)

    async def started() -> None:
        worker = await Worker.start(documents.COMMAND)
        worker.process.stdin.close()  # type: ignore[union-attr]
        assert await worker.process.wait() == 0

    asyncio.run(started())
    begun(pysolve.load("nim").model, "none").process.communicate()
    assert not seized.exists()


def test_zig_is_found_where_packages_are_installed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: True)
    zig = build._find.__wrapped__("zig")
    assert zig is not None
    for command in (zig.command, wasm.compiler()):
        assert command[1:4] == ("-P", "-m", "ziglang")
