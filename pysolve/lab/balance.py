"""Balance: the same player on both sides, for each variant of a game.

In: a game, ranges of options, a player as a text, a seed.  Out: for each variant how the points fall to the sides and
to whoever begins, how long the games are, and a verdict.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

from dsl import UnknownOption
from dsl.errors import choices, nearest
from pysolve.game import Game, option_word
from pysolve.lab.match import LIMIT, OPENING, Played, distinct, play_game
from pysolve.lab.statistics import Quartiles, Share, quartiles, wilson
from pysolve.players import specification

NEAR = 0.05  # half the width of an interval around one half that is called balanced


def swept(game: Game, sweeps: Sequence[str]) -> list[dict[str, str]]:
    """The options of each variant, by words like `size=4..8`, `size=4,8` or `swap=on`; every combination of them.

    Of a range those values count that the option may have.  Raises `UnknownOption`.
    """
    known = {option.name: option for option in game.model.options}
    values: dict[str, list[str]] = {}
    for word in sweeps:
        name, equals, wanted = word.partition("=")
        if not equals or not wanted:
            raise UnknownOption(f'a sweep is an option and its values, as in  size=4..8 or size=4,8, not "{word}"')
        if name not in known:
            hint = nearest(name, known) or (f"options are {', '.join(known)}" if known else "it has none")
            raise UnknownOption(f'{game.title} has no option "{name}": {hint}')
        option = known[name]
        words = {option_word(option, value): value for value in option.choices}
        low, dots, high = wanted.partition("..")
        if dots and low.isdigit() and high.isdigit():
            found = [text for text, value in words.items() if int(low) <= value <= int(high)]
        else:
            found = [text for text in wanted.split(",") if text in words]
            if len(found) < len(wanted.split(",")):
                found = []
        if not found:
            raise UnknownOption(f"option {name} cannot be {wanted}: it is {choices(words)}")
        values[name] = found
    return [dict(zip(values, one, strict=True)) for one in product(*values.values())]


def play_variant(
    game: Game, player: str, games: int, seed: int = 1, opening: int = OPENING, limit: int = LIMIT, name: str = ""
) -> Iterator[Played]:
    """The games of one variant, each as soon as it is over."""
    who = specification(player, game.levels)
    who.player()
    rng = Random(seed)
    seats = (0,) * len(game.players)
    for number in range(1, games + 1):
        lots, seeds = rng.getrandbits(31), rng.getrandbits(32)
        yield play_game(game, (who,), seats, number, seeds, lots, opening, limit, name)


@dataclass(frozen=True, slots=True)
class Balance:
    """How the points fall in a variant."""

    options: Mapping[str, str]
    games: int  # that were played
    duplicates: int  # of those before them; they count for nothing else here
    sides: dict[str, Share]  # the share of each player of the rules
    first: Share  # of whoever begins by the rules
    draws: int
    stopped: int  # draws, because they took too long
    lengths: Quartiles  # of games that were not stopped
    verdict: str

    def to_dict(self) -> dict[str, Any]:
        """For programs: the same as nested objects."""
        return {
            "options": dict(self.options), "games": self.games, "duplicates": self.duplicates,
            "sides": {name: share._asdict() for name, share in self.sides.items()}, "first": self.first._asdict(),
            "draws": self.draws, "stopped": self.stopped, "moves": self.lengths._asdict(), "verdict": self.verdict,
        }  # fmt: skip


def balance(game: Game, games: Sequence[Played], options: Mapping[str, str]) -> Balance:
    """What the games of a variant say."""
    counted = distinct(games)
    won = [sum(one.winner == seat for one in counted) for seat in range(len(game.players))]
    draws = len(counted) - sum(won)
    sides = {name: wilson(wins + draws / 2, len(counted)) for name, wins in zip(game.players, won, strict=True)}
    begun = sum(0.5 if one.winner is None else game.players[one.winner] == one.first for one in counted)
    stopped = sum(one.stopped for one in counted)
    return Balance(
        options=options,
        games=len(games),
        duplicates=len(games) - len(counted),
        sides=sides,
        first=wilson(begun, len(counted)),
        draws=draws,
        stopped=stopped,
        lengths=quartiles([one.length for one in counted if not one.stopped]),
        verdict=verdict(sides, len(counted), stopped),
    )


def verdict(sides: Mapping[str, Share], games: int, stopped: int) -> str:
    """One sentence on whether the sides are equal."""
    if not games:
        return "No game was played."
    if 2 * stopped > games:
        return f"{stopped} of {games} games came to no end: between such players this says little."
    name, share = max(sides.items(), key=lambda side: side[1].share)
    if share.low > 0.5:
        size = "slightly" if share.share < 0.6 else "clearly" if share.share < 0.75 else "heavily"
        return f"{name} is {size} favoured: {share.share:.0%} of the points, {share.low:.0%} to {share.high:.0%}."
    if share.high <= 0.5 + NEAR:
        return f"The sides are equal: {name}, who is ahead, has {share.high:.0%} of the points at most."
    needed = math.ceil(0.25 * (1.96 / NEAR) ** 2)
    more = f"; {needed} games would tell 50% from {0.5 + NEAR:.0%}" if games < needed else ""
    return f"No side is shown to be favoured: {name} has {share.share:.0%}, {share.low:.0%} to {share.high:.0%}{more}."
