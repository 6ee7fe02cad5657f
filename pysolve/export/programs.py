"""The programs of an exported game: one for the rules as they are, one for each view that its players have of them,
and one that explains.

In: an open game and texts of players.  Out: WebAssembly, which program a player thinks with, and what was learned.  A
player that this file cannot be is refused with a sentence.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pysolve.dsl.model.move_codes import move_codes
from pysolve.dsl.player_texts import (
    PERSON,
    RULES,
    SETTINGS,
    STRONG,
    UnknownPlayer,
    check_player,
    check_seats,
    read_player,
    refuse_strong,
)
from pysolve.dsl.to_c import print_c, print_reasons
from pysolve.engines.learned import LearnedValues
from pysolve.engines.policy import NativePolicy
from pysolve.export.images import Image
from pysolve.export.wasm import JUDGING, PLAYING, PLAYING_OTHERS, ROLLING, SEARCHING, TELLING, wasm
from pysolve.game import Game, other_game
from pysolve.players.functions import policy_for, techniques_for, values_for
from pysolve.players.own_rules import OwnRules, by_own_rules
from pysolve.search.learned import Values
from pysolve.search.policy import Policy

BY_OTHER_RULES = ("minimax", "maxn", "mcts")  # in an export; the others need moves of both games
OF_CHANCE = "of a game with chance an export has people, random, greedy, and for two players at most minimax"
OF_STRONG = {"search", "techniques"}  # settings
LEARNED: dict[str, Callable[[str, Game], Values | Policy]] = {"values": values_for, "policy": policy_for}  # in files
NOT_OF_CHANCE = ("turn", "turns", "replies", "quiet")  # settings
NOT_IN_A_FILE = {"mcts": ("turn", "trees")}  # settings
SAME = "minimax chooses by the same values"
KNOWN = (PERSON, "random", "greedy", "minimax", "maxn", "mcts")


@dataclass(frozen=True, slots=True)
class Programs:
    """The programs, deflated, as base64: the first plays, the last one explains.  By view those of each player, by the
    name of a file what was learned, and by that of values, or none, the techniques of the strong search."""

    packed: list[str]
    views: dict[str, list[int]]
    learned: dict[str, dict[str, Any]]
    techniques: dict[str, list[int]]


def playable(text: str, game: Game) -> dict[str, Any]:
    """The settings of a player that an export can be; raises `UnknownPlayer` with the reason if it cannot."""
    name, settings = read_player(game.levels.get(text, text), tuple(game.levels))
    check_player(name, settings, game.model)
    if name not in KNOWN:
        raise UnknownPlayer(f'an export cannot play "{text}": it has {", ".join(KNOWN)}')
    _refuse_chance(name, settings, game)
    for key in ("turn", "trees"):
        if name == "mcts" and key in settings:
            raise UnknownPlayer(f'an export cannot play "{text}": its mcts has no {key}')
    if settings.get("search") == STRONG:
        techniques_for(settings.get("techniques", ()), game, settings.get("values"))
    if "by" in settings and name not in BY_OTHER_RULES:
        raise UnknownPlayer(f'an export cannot play "{text}": by other rules it has {", ".join(BY_OTHER_RULES)}')
    _learned(game, settings)
    if name == "maxn" and len(game.players) == 2:
        raise UnknownPlayer(f'an export of a game of two cannot play "{text}": {SAME}')
    return settings


def settings_of_players(game: Game) -> dict[str, dict[str, Any]]:
    """The players that an export has: their rules, the form of each setting, and why it is not for this game."""

    def why_not(name: str, *keys: str) -> str | None:
        try:
            check_seats(name, dict.fromkeys(keys), game.model)
            _refuse_chance(name, keys, game)
            if not OF_STRONG.isdisjoint(keys):
                refuse_strong(game.model)
        except UnknownPlayer as error:
            return str(error)
        return None

    for_two = len(game.players) == 2
    return {
        name: {
            "refused": f"maxn is not for two players here: {SAME}" if name == "maxn" and for_two else why_not(name),
            "settings": {
                key: {**setting._asdict(), "refused": why_not(name, key)}
                for key, setting in SETTINGS[name].items()
                if key not in NOT_IN_A_FILE.get(name, ()) and (key != "by" or name in BY_OTHER_RULES)
            },
            "rules": [rule._replace(message=rule.message.format(name))._asdict()
                      for rule in RULES if rule.key in SETTINGS[name]],
        }
        for name in KNOWN if name != PERSON
    }  # fmt: skip


def programs(game: Game, players: Iterable[str]) -> Programs:
    """All programs that these players need; raises `NoCompiler`, `BuildError`, `UnknownPlayer`."""
    seats = len(game.players)
    others, rolling = () if seats == 2 else PLAYING_OTHERS, ROLLING if game.model.chances else ()
    told = [playable(text, game) for text in players]
    judging = JUDGING if any("values" in settings for settings in told) else ()
    functions = (*PLAYING, *others, *rolling, *judging, *(SEARCHING if game.model.is_contest else ()))
    packed: list[str] = [_packed(print_c(game.model), functions)]
    views = {_name(): [0] * seats}
    learned: dict[str, dict[str, Any]] = {}
    techniques = {"": list(techniques_for((), game))}
    for settings in told:
        learned |= {file: _image(found) for file, found in _learned(game, settings).items()}
        if settings.get("search") == STRONG and "values" in settings:
            techniques[settings["values"]] = list(techniques_for((), game, settings["values"]))
        for name, seen in _views(game, settings):
            if name in views:
                continue
            made = {one: _packed(print_c(one.model), functions) for one in dict.fromkeys(seen)}
            for text in made.values():
                if text not in packed:
                    packed.append(text)
            views[name] = [packed.index(made[one]) for one in seen]
    return Programs([*packed, _packed(print_reasons(game.model), TELLING)], views, learned, techniques)


def _learned(game: Game, settings: dict[str, Any]) -> dict[str, Values | Policy]:
    """What was learned of the rules by which a player thinks, by the names of its files; raises `UnknownPlayer`."""
    thought = _thought_by(game, settings)
    return {settings[key]: found(settings[key], thought) for key, found in LEARNED.items() if key in settings}


def _image(found: Values | Policy) -> dict[str, Any]:
    """What was learned as the page lays it before its programs."""
    image = Image(LearnedValues.of(found) if isinstance(found, Values) else NativePolicy(found))
    return {"data": packed(bytes(image.data)), "addresses": image.addresses}


def _refuse_chance(name: str, settings: Iterable[str], game: Game) -> None:
    """Raises `UnknownPlayer` if an export cannot be this player, because some moves are left to chance."""
    if not game.model.chances:
        return
    searches = name in ("maxn", "mcts") or (name == "minimax" and len(game.players) > 2)
    if searches or not set(NOT_OF_CHANCE).isdisjoint(settings):
        raise UnknownPlayer(f"an export cannot be this player: {OF_CHANCE}")


def _thought_by(game: Game, settings: dict[str, Any]) -> Game:
    """The game by whose rules a player thinks; raises `UnknownPlayer` if its moves have other numbers."""
    if "by" not in settings:
        return game
    other = other_game(game, settings["by"])
    if move_codes(other.model) != move_codes(game.model):
        raise UnknownPlayer(f"an export of {game.title} cannot think by {settings['by']}: its moves have other numbers")
    return other


def _views(game: Game, settings: dict[str, Any]) -> Iterator[tuple[str, list[Game]]]:
    """By name what a player thinks of the game, for each side; and by which lines alone replies are judged."""
    terms, onesided, stuck = settings.get("terms", ()), settings.get("onesided", ()), "stuck" in settings
    players, rules = range(1, len(game.players) + 1), _thought_by(game, settings)
    for own in dict.fromkeys([(), onesided]):
        for loses in dict.fromkeys([False, stuck]):
            inner = OwnRules(onesided=own, stuck=loses)
            for by, thought in {"": game, settings.get("by", ""): rules}.items():
                seen = [
                    by_own_rules(by_own_rules(thought, player, OwnRules(terms)), player, inner) for player in players
                ]
                yield _name(terms, own, loses, by), seen


def _name(terms: tuple[str, ...] = (), onesided: tuple[str, ...] = (), stuck: bool = False, by: str = "") -> str:
    """The name of a program for these settings, as web/src/export/players.ts makes it."""
    return "|".join(("+".join(terms), "+".join(onesided), "stuck" * stuck, *([by] if by else [])))


def _packed(text: str, functions: tuple[str, ...]) -> str:
    return packed(wasm(text, functions))


def packed(data: bytes) -> str:
    """Bytes as a text that the page inflates."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(deflate.compress(data) + deflate.flush()).decode()
