"""Where the shipped files are, in a checkout and in an install alike."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent


def folder(name: str) -> Path:
    """The folder `prolog` or `rules`: inside the package in an install, beside it in a checkout."""
    inside = _HERE / name
    return inside if inside.is_dir() else _HERE.parent / name


RULES = folder("rules")
PROLOG = folder("prolog")
TEMPLATES = _HERE / "templates"


def shipped_games() -> list[str]:
    """Names of the games that come with pysolve."""
    return sorted(path.stem for path in RULES.glob("*.rules"))
