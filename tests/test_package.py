"""The package as others meet it: its name, its extras, its types, and the script that sets a checkout up."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from docs.site.blocks import blocks
from pysolve.cli.app import app
from pysolve.runtime.models import KINDS

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
    pytest.importorskip("mypy")
    script = tmp_path / "script.py"
    script.write_text(
        "import pysolve\nposition = pysolve.load('zola', size=4).start()\nreveal_type(position.play('a1xb1').to_move)\n"
    )
    words = ["--strict", "--config-file=", f"--cache-dir={tmp_path}", f"--python-executable={sys.executable}"]
    done = subprocess.run([sys.executable, "-m", "mypy", *words, str(script)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert 'Revealed type is "str' in done.stdout


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


# ------------------------------------------------------------------------------------ what is built


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel and the sdist, the wheel made from the sdist."""
    pytest.importorskip("build", reason="needs build (pip install build)")
    folder = tmp_path_factory.mktemp("dist")
    done = subprocess.run([sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)],
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment outside of the checkout, with the wheel alone: its folder of programs."""
    folder = tmp_path_factory.mktemp("fresh")
    programs = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    [wheel] = built.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python")]
    subprocess.run([*pip, "install", "--quiet", "--no-compile", str(wheel)], check=True)
    return programs


@pytest.mark.slow
def test_a_wheel_puts_one_package_into_an_environment(built: Path) -> None:
    [wheel] = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"pysolve"}
    for name in ("dsl/text/grammar.lark", "dsl/to_c/runtime/types.c", "rules/zola.rules", "prolog/runtime.pl",
                 "page/index.html", "templates", "py.typed", "dsl/py.typed"):  # fmt: skip
        assert any(f"pysolve/{name}" in found for found in names), name
    assert len(names) == len(set(names))


@pytest.mark.slow
def test_an_installed_package_is_used_from_another_folder(installed: Path, tmp_path: Path) -> None:
    def said(*words: str) -> str:
        own = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYSOLVE_CACHE")}
        own |= {"PYSOLVE_CACHE": str(tmp_path / "cache")}
        done = subprocess.run(words, cwd=tmp_path, env=own, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    pysolve = str(installed / "pysolve")
    assert "zola" in said(pysolve, "games")
    assert said(pysolve, "perft", "zola", "--depth", "2", "--json").count("1296")
    assert "is not legal" in said(pysolve, "why", "zola", "a1-b1")
    said(pysolve, "new", "mine.rules", "--like", "conga")
    assert "no mistakes" in said(pysolve, "check", "mine.rules")
    script = "import pysolve; print(pysolve.__file__, len(pysolve.load('zola').start().legal_moves))"
    place, moves = said(str(installed / "python"), "-c", script).split()
    assert (ROOT not in Path(place).parents, moves) == (True, "36")


@pytest.mark.slow
def test_a_strict_type_checker_knows_the_installed_package(installed: Path, tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    [session] = [block.text for block in blocks(ROOT / "README.md") if block.kind == "python"]
    (tmp_path / "script.py").write_text(session + "reveal_type(position.to_move)\n", encoding="utf-8")
    words = ["--strict", "--config-file=", "--cache-dir=cache", f"--python-executable={installed / 'python'}"]
    done = subprocess.run([sys.executable, "-m", "mypy", *words, "script.py"],
                          cwd=tmp_path, capture_output=True, text=True, check=False)  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert 'Revealed type is "str"' in done.stdout


# -------------------------------------------------------------------------------------- workflows

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["check-jsonschema", "zizmor"])
def test_workflows_are_sound(tool: str) -> None:
    """Against the schema of GitHub, and against known holes."""
    program = Path(sys.executable).with_name(tool)
    if not program.exists():
        pytest.skip(f"needs {tool}")
    words = {"check-jsonschema": ["--builtin-schema", "vendor.github-workflows"],
             "zizmor": ["--offline", "--quiet", "--config", str(ROOT / ".github" / "zizmor.yml")]}  # fmt: skip
    done = subprocess.run([program, *words[tool], *map(str, WORKFLOWS)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_workflows_run_what_there_is() -> None:
    """A workflow calls ./run and scripts of package.json by names that they have."""
    texts = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    known = set(re.findall(r"^    (\w+)\)$", (ROOT / "run").read_text(encoding="utf-8"), re.MULTILINE))
    asked = set(re.findall(r"\./run (\w+)", texts))
    assert asked
    assert asked <= known
    for folder in re.findall(r"working-directory: (\S+)", texts):
        assert (ROOT / folder / "package.json").is_file()
