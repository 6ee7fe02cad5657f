"""Writes cards.json, the cards of the shipped games:  python -m pysolve.service.make_cards"""

from __future__ import annotations

import json
from typing import Any

from pysolve.game import find_source, load
from pysolve.runtime.paths import shipped_games
from pysolve.service.cards import FILE, card, usual_turns


def shipped_card(name: str) -> dict[str, Any]:
    """The card of a shipped game, from its rules."""
    game = load(name)
    return card(game, name, find_source(name)[0].text, turns=usual_turns(game))


def main() -> None:
    """Writes the file, a game a line."""
    cards = ",\n".join(json.dumps(shipped_card(name), ensure_ascii=False) for name in shipped_games())
    FILE.write_text(f"[\n{cards}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
