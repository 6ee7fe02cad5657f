"""Libraries that are not installed with pysolve itself, asked for when they are needed."""

from __future__ import annotations

import importlib
from types import ModuleType

from pysolve.engine import EngineError


class MissingLibrary(EngineError):
    """A library that something needs is not there; the words say how to install it."""


def needed(module: str, extra: str, what: str) -> ModuleType:
    """A library of an extra of pysolve, for something that is named in the complaint."""
    try:
        return importlib.import_module(module)
    except ImportError:
        name = module.split(".")[0]
        raise MissingLibrary(f"{what} needs {name}: pip install 'pysolve-games[{extra}]'") from None
