"""Why a game is not exported."""

from __future__ import annotations


class ExportError(RuntimeError):
    """This game, or this machine, makes no page of its own; the message says why."""
