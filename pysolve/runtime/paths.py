"""Where the shipped files are, in a checkout and in an install alike."""

from __future__ import annotations

import os
from pathlib import Path

from pysolve.dsl.language.constants import in_prolog

_HERE = Path(__file__).parent.parent


def folder(name: str) -> Path:
    """The folder `prolog` or `rules`: inside the package in an install, beside it in a checkout."""
    inside = _HERE / name
    return inside if inside.is_dir() else _HERE.parent / name


RULES = folder("rules")
PROLOG = folder("prolog")
TEMPLATES = _HERE / "templates"
PAGE = _HERE / "page"
WIDGET = PAGE / "notebook.js"


def runtime() -> str:
    """The Prolog code that is appended to the clauses of every game."""
    parts = ("people.pl", "runtime.pl", "programs.pl")
    return "".join([*((PROLOG / part).read_text(encoding="utf-8") for part in parts), in_prolog()])


def shipped_games() -> list[str]:
    """Names of the games that come with pysolve."""
    return sorted(path.stem for path in RULES.glob("*.rules"))


def environment() -> dict[str, str]:
    """The environment variables with which another Python finds the same pysolve, in any folder and with -P."""
    here, known = str(_HERE.parent), os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": f"{here}{os.pathsep}{known}" if known else here}
