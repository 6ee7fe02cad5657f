"""How a notebook shows a position: as a board to play on, where it can.

In: a position.  Out: what a notebook displays besides the picture; nothing outside of notebooks, without anywidget, or
without the built page.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from pysolve.paths import PAGE

WIDGET = PAGE / "notebook.js"


def notebook_view(position: object) -> dict[str, Any]:
    """The views of a position for a notebook, by MIME type."""
    if not in_notebook() or find_spec("anywidget") is None or not WIDGET.is_file():
        return {}
    # By its name: the widget stands on positions, and nothing of them on it.
    found: dict[str, Any] = import_module("pysolve.notebook").view(position)
    return found


def in_notebook() -> bool:
    """True if this Python answers a notebook, and not a terminal or a script."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return getattr(shell, "kernel", None) is not None
