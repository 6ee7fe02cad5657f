"""The package as others meet it: its name, its extras, its types, and the script that sets a checkout up."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pysolve.cli.app import app
from pysolve.reading import KINDS

ROOT = Path(__file__).parent.parent
METADATA = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TEXTS = [
    path
    for pattern in ("*.md", "run", "docs/*.md", "dsl/**/*.py", "pysolve/**/*.py", "benchmarks/**/*.py")
    for path in sorted(ROOT.glob(pattern))
]
INSTALLED = re.compile(r"pip install (?:-\S+ )*'?(pysolve[\w-]*)(?:\[([\w,]+)\])?")


def advice() -> list[tuple[str, str, str]]:
    """Where a text says how pysolve is installed: the place, the name of the distribution, its extra or nothing."""
    return [
        (path.relative_to(ROOT).as_posix(), name, extra)
        for path in TEXTS
        for name, extra in INSTALLED.findall(path.read_text(encoding="utf-8"))
    ]


def test_every_advice_to_install_names_our_distribution() -> None:
    """The distribution `pysolve` is another project's; installing it would replace ours."""
    assert len(advice()) >= 5
    assert {name for _, name, _ in advice()} == {METADATA["name"]} == {"pysolve-games"}


def test_every_extra_that_a_text_names_exists() -> None:
    named = {extra for _, _, extra in advice() if extra}
    assert named >= {"lab", "cluster", "web"}
    assert named <= set(METADATA["optional-dependencies"])


def test_help_texts_show_extras_in_brackets() -> None:
    text = CliRunner().invoke(app, ["tournament", "--help"], env={"COLUMNS": "80"}).output
    assert "'pysolve-games[lab]'" in text


def test_the_licence_is_spdx_and_no_classifier_repeats_it() -> None:
    assert METADATA["license"] == "MIT"
    assert not [line for line in METADATA["classifiers"] if line.startswith("License")]


def test_files_of_dsl_are_of_kinds_that_the_cache_knows() -> None:
    """What is read is kept under a digest of them: a file of another kind could change, and nobody would notice."""
    files = [path for path in (ROOT / "dsl").rglob("*") if path.is_file() and path.name != "py.typed"]
    assert {path.suffix for path in files if "__pycache__" not in path.parts} == set(KINDS)


@pytest.mark.parametrize("package", ["pysolve", "dsl"])
def test_packages_say_that_they_are_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()


@pytest.mark.slow
def test_a_strict_type_checker_knows_what_a_script_gets(tmp_path: Path) -> None:
    api = pytest.importorskip("mypy.api")
    script = tmp_path / "script.py"
    script.write_text(
        "import pysolve\nposition = pysolve.load('zola', size=4).start()\nreveal_type(position.play('a1xb1').to_move)\n"
    )
    found, errors, status = api.run(
        ["--strict", "--config-file=", f"--cache-dir={tmp_path}", f"--python-executable={sys.executable}", str(script)]
    )
    assert (status, errors) == (0, "")
    assert 'Revealed type is "str' in found


@pytest.mark.parametrize(
    ("words", "run"), [("pysolve check my.rules", "check my.rules"), ("web my.rules", "web my.rules")]
)
def test_the_script_runs_the_command_in_the_folder_of_the_caller(words: str, run: str, tmp_path: Path) -> None:
    """`./run pysolve check my.rules` means the file of the caller. The checkout here has nothing left to install."""
    checkout, caller = tmp_path / "checkout", tmp_path / "caller"
    programs = checkout / ".venv" / "bin"
    programs.mkdir(parents=True)
    caller.mkdir()
    for name in ("run", "pyproject.toml"):
        shutil.copy(ROOT / name, checkout)
    shutil.copy(ROOT / "pyproject.toml", checkout / ".venv" / "installed.toml")
    for name, body in (("pip", "exit 1"), ("pysolve", 'echo "$PWD: $*"'), ("swipl", "exit 1")):
        (programs / name).write_text(f"#!/bin/sh\n{body}\n")
        (programs / name).chmod(0o755)
    done = subprocess.run(
        ["../checkout/run", *words.split()],
        cwd=caller,
        env={"PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == (f"{caller}: {run}\n", "")
