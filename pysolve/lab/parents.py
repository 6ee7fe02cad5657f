"""The game that a variant extends, so that both can be played and compared.

In: a variant with its options set.  Out: its parent with the same options; or why the two cannot be compared.
"""

from __future__ import annotations

from pathlib import Path

from pysolve.dsl import NoRules, RulesError, UnknownOption
from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.game import Game, option_word
from pysolve.lab.match import programs
from pysolve.lab.workers import NamedGame
from pysolve.players.competitors import Function
from pysolve.runtime.paths import RULES


class Incomparable(ValueError):
    """A variant and its parent cannot play the same games; the words say why."""


def parent_of(game: Game) -> NamedGame | None:
    """The game that the rules extend, with those options of `game` that it has, under its name in records.

    None where they extend none.  Raises `Incomparable` if the parent cannot be played alone, cannot have these options,
    or has another number of players.
    """
    try:
        plain = game.parent()
        if plain is None:
            return None
        parent = plain.with_options(**_shared_options(game, plain))
    except (NoRules, RulesError, UnknownOption) as error:
        raise Incomparable(f"{game.model.extends} cannot be played: {error}") from None
    if len(parent.players) != len(game.players):
        raise Incomparable(f"{parent.title} is for another number of players ({len(parent.players)})")
    source = Path(parent.model.source)
    return NamedGame(parent, parent.name if source.parent == RULES else str(source))


def check_player_of(parent: Game, player: str | Function) -> None:
    """Raises `Incomparable` if a player of the variant, as in its jobs, cannot play the parent."""
    try:
        programs(parent, player)
    except UnknownPlayer as error:
        raise Incomparable(str(error)) from None


def _shared_options(game: Game, parent: Game) -> dict[str, str]:
    """The options of a variant that its parent has, too, in the parent's words."""
    first = game.model.renamed
    words = {first.get(o.name, o.name): option_word(o, o.value) for o in game.model.options}
    found = {}
    for option in parent.model.options:
        if option.name in words:
            word = first.get(words[option.name], words[option.name])
            if word not in {option_word(option, value) for value in option.choices}:
                raise Incomparable(f"{parent.title} has no {option.name}={word}")
            found[option.name] = word
    return found
