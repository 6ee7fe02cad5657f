"""How a notebook shows a position: as a board to play on, where it can; elsewhere as a picture.

IPython asks here, so that positions know nothing of notebooks.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Any

from pysolve.runtime import paths


def register() -> None:
    """Has positions shown by `board`, if this Python answers a notebook, and not a terminal or a script."""
    ask = getattr(sys.modules.get("IPython"), "get_ipython", None)  # none while IPython itself is being imported
    shell: Any = ask() if ask else None
    if getattr(shell, "kernel", None) is not None:
        shell.display_formatter.mimebundle_formatter.for_type_by_name("pysolve.position", "Position", board)


def board(position: Any) -> dict[str, Any]:
    """The views of a position by MIME type; none without anywidget or the built page, or in a game with secrets."""
    if find_spec("anywidget") is None or not paths.WIDGET.is_file() or position.game.model.secret:
        return {}
    from pysolve.display.notebook import view

    return view(position)
