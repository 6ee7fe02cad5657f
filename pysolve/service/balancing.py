"""Who wins among equals: quick games of a player against itself, as `pysolve balance` plays them.

In: a game, a number of games, a player.  Out: how often each side has won, with a 95 % interval; more and more games.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pysolve.dsl.player_texts import PERSON, UnknownPlayer
from pysolve.game import Game
from pysolve.runtime.cancellation import Abandoned, abandoned_when
from pysolve.service.question import Asked
from pysolve.service.refused import Refused
from pysolve.service.thinking import admitted

if TYPE_CHECKING:
    from pysolve.lab.games import Played

PLAYER = "random"
MOST_GAMES = 10_000
MOST_PARTS = 200  # in which a balance is told


def balance(asked: Asked) -> dict[str, Any]:
    """The standing after all games, or after those that were played when nobody waited any more."""
    from pysolve.lab.balance import play_variant  # slow to import

    game, wanted = asked.opened.game, asked["games"]
    who = asked.get("player", PLAYER)
    told = admitted(game, who)
    if told.is_person:
        raise UnknownPlayer(f"{PERSON} is a person: a balance is played by programs")
    if told.settings.get("threads", 1) > 1:
        raise UnknownPlayer("threads of a player are for one position: a balance is played without them")
    asked.games.improve(asked.opened)
    played: list[Played] = []
    try:
        with abandoned_when(asked.cancelled):
            for one in play_variant(game, who, wanted):
                played.append(one)
                if len(played) % max(1, wanted // MOST_PARTS) == 0 or len(played) == wanted:
                    asked.heard(_standing(game, played, wanted))
                asked.go_on()
    except (Abandoned, Refused):
        if not played:
            raise
    return _standing(game, played, wanted)


def _standing(game: Game, played: Sequence[Played], wanted: int) -> dict[str, Any]:
    """The result so far; games that repeat an earlier one do not count."""
    from pysolve.lab.balance import balance as balance_of
    from pysolve.lab.games import distinct

    counted = distinct(played)
    found = balance_of(game, counted, {})
    wins = {name: sum(one.winner == seat for one in counted) for seat, name in enumerate(game.players)}
    return {
        "played": len(counted),
        "asked": wanted,
        "players": [
            {"name": name, "wins": wins[name], "share": share.share, "low": share.low, "high": share.high}
            for name, share in found.sides.items()
        ],
        "draws": found.draws,
        "endings": [one.to_dict() for one in found.endings],
        "moves": sum(one.length for one in counted) / len(counted),
    }
