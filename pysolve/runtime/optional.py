"""Libraries that are not installed with pysolve itself, asked for when they are needed."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from types import ModuleType

from pysolve.engines.protocol import EngineError


class MissingLibrary(EngineError):
    """A library that something needs is not there; the words say how to install it."""


def check_installed(module: str, extra: str, what: str) -> None:
    """Raises `MissingLibrary` if a library of an extra is not there; does not import it."""
    if find_spec(module) is None:
        raise _missing(module, extra, what)


def needed(module: str, extra: str, what: str) -> ModuleType:
    """A library of an extra of pysolve, for something that is named in the complaint."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise _missing(module, extra, what) from None


def _missing(module: str, extra: str, what: str) -> MissingLibrary:
    return MissingLibrary(f"{what} needs {module.split('.')[0]}: pip install 'pysolve-games[{extra}]'")
