"""The games of a parent beside those of a variant: which game it is, and how they are played.

In: a variant, its players.  Out: as many games of its parent, of the same players and from the same seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from pysolve.cli.console import remark
from pysolve.cli.playing import Room, ended
from pysolve.game import Game
from pysolve.lab.games import Job, Played, Rules
from pysolve.lab.match import programs, series_of
from pysolve.lab.parents import Incomparable, check_player_of, parent_of
from pysolve.lab.store import Series
from pysolve.lab.workers import NamedGame
from pysolve.players.competitors import Function

Jobs = Callable[[Game, Sequence[str | Function], int, Rules], Iterator[Job]]  # of players, a seed and rules


@dataclass
class Beside:
    """A parent that is played after its variant; `games` are those that were played."""

    named: NamedGame
    players: tuple[str | Function, ...]  # as in jobs: a level of the variant is what it means there
    jobs: Jobs
    games: list[Played] = field(default_factory=list)

    @property
    def title(self) -> str:
        """The title of the parent."""
        return self.named.game.title

    def play(
        self, here: Room, like: Series, total: int, step: Callable[[str], None], place: int = 1, name: str = "",
        what: str = "",
    ) -> None:  # fmt: skip
        """Plays games as those of the series `like` at table number `place`; Ctrl-C keeps those that were played."""
        game, title = self.named
        series = series_of(like.command, title, game, self.players, like.seed, like.rules)
        jobs = self.jobs(game, self.players, like.seed, like.rules)
        try:
            for one, told in here.play(place, series, jobs, total, what, f"{name}parent-", step):
                self.games.append(one)
                told(f"{what}{game.title}")
        except KeyboardInterrupt:
            raise ended(like.command, len(self.games), total, game.title) from None


def parent_beside(game: Game, players: Sequence[str], said: bool = False) -> NamedGame | None:
    """The parent of a variant, if the same players can play it; otherwise says why not, unless that was said."""
    try:
        parent = parent_of(game)
        if parent is not None:
            for who in programs(game, *players):
                check_player_of(parent.game, who)
    except Incomparable as error:
        if not said:
            remark(f"the parent is not played beside this variant: {error}")
        return None
    return parent


def beside_of(game: Game, players: Sequence[str], jobs: Jobs, wished: bool) -> Beside | None:
    """The parent of a variant, if it is wished and can be played."""
    parent = parent_beside(game, players) if wished else None
    return None if parent is None else Beside(parent, programs(game, *players), jobs)
