"""The extension for VS Code: its grammar has the words of the language, and it can be built.

Building needs node and the packages of `editors/vscode` (`npm ci` there).
"""

import importlib.util
import json
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

import pysolve
from pysolve.ide.lexer import RulesLexer

FOLDER = Path(__file__).parents[1] / "editors" / "vscode"
PACKAGE = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
needs_node = pytest.mark.skipif(
    shutil.which("npm") is None or not (FOLDER / "node_modules").is_dir(),
    reason="needs node and the packages of editors/vscode",
)


@pytest.mark.slow
def test_the_grammar_has_the_words_of_the_language() -> None:
    spec = importlib.util.spec_from_file_location("make_grammar", FOLDER / "make_grammar.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.TARGET.read_text(encoding="utf-8") == module.content(), "run  python editors/vscode/make_grammar.py"


def test_the_extension_is_for_the_files_of_this_version() -> None:
    (language,) = PACKAGE["contributes"]["languages"]
    assert language["id"] in RulesLexer.aliases
    assert [f"*{ending}" for ending in language["extensions"]] == RulesLexer.filenames
    assert PACKAGE["version"] == pysolve.__version__
    command = PACKAGE["contributes"]["configuration"]["properties"]["pysolve.command"]
    assert command["default"] == ["pysolve", "lsp"]
    assert command["scope"] == "machine"  # a folder from a stranger must not say which program is run
    source = (FOLDER / "src" / "extension.ts").read_text(encoding="utf-8")
    assert "{ command, args, options: { cwd: homedir() } }" in source  # nor have a program of this name


def test_the_list_of_packages_names_no_server() -> None:
    assert "resolved" not in (FOLDER / "package-lock.json").read_text(encoding="utf-8")


@pytest.mark.slow
@needs_node
def test_rules_are_coloured_as_vs_code_does() -> None:
    _npm("test")


@needs_node
@pytest.mark.slow
def test_the_extension_is_checked_and_packaged() -> None:
    _npm("run", "check")
    _npm("run", "package")
    with zipfile.ZipFile(FOLDER / "pysolve-rules.vsix") as packed:
        names = set(packed.namelist())
    for file in (PACKAGE["main"], *(one["path"] for one in PACKAGE["contributes"]["grammars"])):
        assert f"extension/{file.removeprefix('./')}" in names
    assert not [name for name in names if "node_modules" in name or name.endswith(".ts")]


def _npm(*words: str) -> None:
    done = subprocess.run(["npm", *words], cwd=FOLDER, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
