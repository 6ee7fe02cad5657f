"""Why a game is not exported."""

from __future__ import annotations


class ExportError(RuntimeError):
    """Raised if this game cannot be exported, or not on this machine; the message says why."""
