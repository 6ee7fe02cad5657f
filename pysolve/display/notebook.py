"""A position in a notebook: a board to play on.

In: a position.  Out: a widget, whose `position` is what lies on the board now.  It needs anywidget (the extra
`notebook`) and the built page; `Position` shows itself by it where there are both, and as a picture elsewhere.
"""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets

from pysolve.position import Position
from pysolve.runtime import validation
from pysolve.runtime.paths import WIDGET
from pysolve.service import Refused, Service

VIEW = "application/vnd.jupyter.widget-view+json"


class Board(anywidget.AnyWidget):
    """A board on which one plays the game of a position, from there on."""

    _esm = WIDGET
    game = traitlets.Dict().tag(sync=True)
    line = traitlets.Dict().tag(sync=True)

    def __init__(self, position: Position):
        """A board with this position; raises `TypeError` for anything else."""
        validation.instance("position", position, Position, "a Position, as in Board(game.start())")
        self._service = Service()
        super().__init__(**self._service.shown(position))
        self.on_msg(self._asked)

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self._service.position(self.game["id"], self.line)

    def _asked(self, _widget: object, told: dict[str, Any], _buffers: object) -> None:
        """Answers a question of the page; see web/src/notebook/messages.ts."""
        which = {"view": told.get("view"), "number": told.get("number")}

        def heard(part: object) -> None:
            self.send({**which, "part": part})

        try:
            self.send({**which, "answer": self._service.answer(told["question"], told["asked"], heard)})
        except Refused as refused:
            self.send({**which, "failure": refused.to_dict()})


def view(position: Position) -> dict[str, Any]:
    """The view of a position for a notebook: a new board."""
    return {VIEW: {"version_major": 2, "version_minor": 0, "model_id": Board(position).model_id}}
