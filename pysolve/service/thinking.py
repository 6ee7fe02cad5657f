"""What programs think of a position: the move of a player, the best line, how many ways there are to go on.

In: a position and limits.  Out: thoughts and counts, each as soon as it is there.  When nobody waits any more the last
one is the answer.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from pysolve.dsl.language.constants import WIN
from pysolve.dsl.player_texts import PERSON, UnknownPlayer
from pysolve.game import Game
from pysolve.lab.scoring import divided, points_of
from pysolve.lab.solving import Guide, Limits
from pysolve.players.best_lines import Limits as Limited
from pysolve.players.best_lines import as_expert, best_lines, grows_trees, judged, random_games
from pysolve.players.functions import SOLVED, Specification, Thought, named_by_a_stranger, specification
from pysolve.position import Position
from pysolve.runtime.cancellation import Abandoned, abandoned_when
from pysolve.search.mcts import Result as Sampled
from pysolve.search.minimax import Result
from pysolve.service.games import Opened
from pysolve.service.playing import position_of
from pysolve.service.question import Asked
from pysolve.service.refused import Refused
from pysolve.service.scale import expected_share

MOST_SECONDS = 3600.0
MOST_THINKING = 600.0  # seconds for a move, whatever the text of a player says: it may be a stranger's
SOLVING = 60  # seconds in which a puzzle is to be solved for somebody who gives up
REVIEWED = 1  # seconds for a position, where a whole game is looked at
FALLS = {"inaccuracy": 10, "mistake": 20, "blunder": 30}  # the least part of a hundred that such a move loses
MOST_LINES = 5  # of an analysis
DEEPEST_COUNT = 50  # moves of a sequence that is counted
LEAST = 0.1  # seconds in which a puzzle may be solved
TIMED = ("minimax", "maxn", "mcts", "ismcts")  # players that can be told how long to think


def choose(asked: Asked) -> dict[str, Any]:
    """The move that a player chooses, and what it thinks of it; when it has thought for too long, the best so far."""
    opened, position = asked.opened, _going_on(asked)
    who = player_of(opened, asked["player"], asked.get("seconds"))
    if position.chance:
        raise Refused("illegal", "chance moves here, and no player")
    asked.games.improve(opened)
    thoughts, until = _Thoughts(asked, opened, position), time.monotonic() + MOST_THINKING
    thoughts.values = who.settings.get("values")
    try:
        with abandoned_when(lambda: asked.cancelled() or time.monotonic() >= until):
            move = who.player(asked.get("seed"), thoughts.hear)(position)
    except Abandoned:
        if thoughts.last is None and not asked.cancelled():
            raise Refused("limit", f"{asked['player']} has no move after {MOST_THINKING:g} seconds") from None
        return thoughts.last_of_all()
    return {**(thoughts.last or _silent(opened, position)), "move": move.text, "written": position.written(move)}


def analyse(asked: Asked) -> dict[str, Any]:
    """The best line that a search finds until it is cancelled: by what the level `expert` goes by, minimax where that
    does not apply, max-n where three players or more play, or random games where they say more than `evaluate`.  Of a
    puzzle it is a solution, if one is found in half of the time.  Where several lines are asked for, the thought has
    them all.
    """
    opened, position, seconds = asked.opened, _going_on(asked), asked.get("seconds", MOST_SECONDS)
    asked.games.improve(opened)
    search = _random_games if grows_trees(opened.game) else _deeper
    lines = 1 if position.chance else asked.get("lines", 1)
    thoughts = _Thoughts(asked, opened, position)
    try:
        with abandoned_when(asked.cancelled):
            if opened.guide is None:
                search(position, seconds, lines, thoughts)
            elif not _solved(opened.guide, position, seconds / 2, thoughts.hear):
                search(position, seconds / 2, lines, thoughts)
    except Abandoned:
        pass
    return thoughts.last_of_all()


def perft(asked: Asked) -> dict[str, Any]:
    """The number of sequences of one move, of two, and so on; if cancelled, up to the last finished depth."""
    position, counts = position_of(asked), list[dict[str, Any]]()
    asked.games.improve(asked.opened)
    try:
        with abandoned_when(asked.cancelled):
            for depth in range(1, asked["depth"] + 1):
                began = time.monotonic()
                count = position.perft(depth, tick=lambda _: asked.go_on())
                counts.append({"depth": depth, "count": str(count), "seconds": time.monotonic() - began})
                asked.heard(counts[-1])
    except (Abandoned, Refused):
        if not counts:
            raise
    return {"counts": counts}


# ----------------------------------------------------------------------------------------------- searches


def _going_on(asked: Asked) -> Position:
    """The position that is asked about; raises `Refused` if the game is over."""
    position = position_of(asked)
    if position.outcome is not None:
        raise Refused("asked", f"the game is over; {position.outcome}")
    return position


def player_of(opened: Opened, text: str, seconds: float | None) -> Specification:
    """A player by its text; one that can think for a time thinks for so many seconds, unless it has another limit."""
    who = admitted(opened.game, text)
    if who.is_person:
        raise UnknownPlayer(f"{PERSON} is a person, who chooses without being asked")
    limits = {"depth", "nodes", "turns", "playouts"} & set(who.settings)
    if seconds is not None and who.name in TIMED and not limits:
        return replace(who, settings={**who.settings, "time": seconds})
    return who


def admitted(game: Game, text: str) -> Specification:
    """A player as a page, a link or the rules name it; it searches with no more threads than there are processors.

    Raises `UnknownPlayer`.  More threads find nothing more, and only a player with a time has any.
    """
    who = specification(named_by_a_stranger(text), game.levels)
    who.check(game)
    if who.settings.get("threads", 1) <= _processors():
        return who
    return replace(who, settings={**who.settings, "threads": _processors()})


def _processors() -> int:
    return os.cpu_count() or 1


def _solved(guide: Guide, position: Position, seconds: float, hear: Callable[[Thought], None]) -> bool:
    """Tells a solution of a puzzle, if one is found; raises `Refused` if there is none."""
    found = guide.at(position, Limits(SOLVED, seconds=max(seconds, LEAST)))
    if found.unsolvable:
        raise Refused("asked", str(found))
    if found.line:
        line = tuple(move.numbers for move in found.line)
        hear(Result(WIN, line, len(line), found.positions, found.seconds))
    return bool(found.line)


def _deeper(position: Position, seconds: float, lines: int, thoughts: _Thoughts) -> None:
    """The strong search, minimax or max-n, deeper and deeper; by what `expert` goes by, where that is one of these."""
    each, limits = len(position.game.players) > 2, as_expert(position.game, Limited(seconds=seconds))
    try:
        position = judged(position, limits)
        thoughts.values = limits.values
    except UnknownPlayer:  # there are none for these rules
        limits = Limited(seconds=seconds)
    if lines > 1:
        found = best_lines(position, lines, limits, thoughts.hear_all, each=each)
        if found:
            return thoughts.hear_all(found)

    def hear(lines: Sequence[Result]) -> None:
        thoughts.hear(lines[0])

    hear(best_lines(position, 1, limits, hear, each=each))


def _random_games(position: Position, seconds: float, lines: int, thoughts: _Thoughts) -> None:
    """A tree of random games, as it grows."""
    for found, best in random_games(position, seconds, lines):
        if lines > 1:
            thoughts.hear_all(best or [found], found)
        else:
            thoughts.hear(found)


# ----------------------------------------------------------------------------------------------- thoughts


class _Thoughts:
    """Sends the results of a search as parts of the answer."""

    def __init__(self, asked: Asked, opened: Opened, position: Position):
        self._asked = asked
        self._opened = opened
        self._position = position
        self.values: str | None = None  # the file of learned values by which positions are judged
        self.last: dict[str, Any] | None = None

    def hear(self, thought: Thought) -> None:
        """Tells a thought; one about a move that is not legal here, as by other rules, is not told."""
        line = list(_written(self._position, thought))
        if line or self._position.chance:
            self.last = self._told(thought, line)
            self._asked.heard(self.last)

    def hear_all(self, found: Sequence[Thought], whole: Thought | None = None) -> None:
        """Tells several lines, the best first; of a tree the thought is `whole`, and has the line of the best move."""
        lines = [(one, list(_written(self._position, one))) for one in found]
        told = [self._told(one, line) for one, line in lines if line]
        if not told:
            return
        first = list(_written(self._position, whole)) if whole else []
        best = self._told(whole, first) if whole and first else told[0]
        self.last = {**best, "lines": told}
        self._asked.heard(self.last)

    def _told(self, thought: Thought, line: list[tuple[str, str]]) -> dict[str, Any]:
        found = _thought(self._opened, self._position, thought, line)
        if self.values is None or found["value"] is None or found["sure"]:
            return found
        return {**found, "value": None, "share": expected_share(found["value"])}

    def last_of_all(self) -> dict[str, Any]:
        """The last thought; raises `Refused` if there was none before nobody waited any more."""
        if self.last is None:
            raise Refused("cancelled", "the question was cancelled before anything was found")
        return self.last


def _thought(opened: Opened, position: Position, thought: Thought, line: list[tuple[str, str]]) -> dict[str, Any]:
    """The result of a search as JSON for a page."""
    move, written = line[0] if line else ("", "")  # where chance moves nobody chooses
    found = {"move": move, "written": written, "line": [written for _, written in line],
             "moves": [text for text, _ in line]}  # fmt: skip
    if len(position.game.players) > 2:
        return {**found, **_of_many(opened, position, thought, [move for move, _ in line])}
    if isinstance(thought, Sampled):
        return {
            **found,
            "depth": len(line),
            "value": None,
            "share": (thought.value + 1) / 2 if thought.proven is None else (thought.proven + 1) / 2,
            "sure": thought.proven is not None,
            "positions": thought.visits,
            "seconds": thought.seconds,
        }
    sure, end = (thought.turns_to_end if thought.by_turns else thought.moves_to_end) is not None, thought.end or 0
    return {
        **found,
        "depth": thought.depth,
        "value": thought.value,
        "share": points_of(position.game.model, (end, -end))[0] if sure else opened.share(thought.value),
        "sure": sure,
        "positions": thought.nodes,
        "seconds": thought.seconds,
    }


def _of_many(opened: Opened, position: Position, thought: Thought, line: Sequence[str]) -> dict[str, Any]:
    """The result of a search with three players or more, as JSON: with the standing of each."""
    players = position.game.players
    if isinstance(thought, Sampled):
        depth, value, positions, sure = len(line), None, thought.visits, thought.proven is not None
        parts = list(divided(thought.values, position.game.model.others_differ))
    else:
        depth, value, positions, sure = thought.depth, thought.value, thought.nodes, thought.end is not None
        parts = _parts(opened, position, line)
    return {
        "depth": depth, "value": value, "share": parts[players.index(position.to_move)], "sure": sure,
        "shares": dict(zip(players, parts, strict=True)), "positions": positions, "seconds": thought.seconds,
    }  # fmt: skip


def _parts(opened: Opened, position: Position, line: Sequence[str]) -> list[float]:
    """The share of each player at the end of a line."""
    for move in line:
        position = position.play(move)
    players = position.game.players
    if position.outcome is None:
        estimates = position.evaluate()
        return opened.shares([estimates[name] for name in players])
    paid = [float(position.outcome.payoffs[name]) for name in players]
    return list(points_of(position.game.model, paid))


def _written(position: Position, thought: Result | Sampled) -> Iterator[tuple[str, str]]:
    """The moves of a line as texts and as people write them, as far as they are legal in the game itself."""
    for numbers in thought.line:
        if position.is_over or numbers not in position.node.moves:
            return
        move = position.legal_moves[position.node.moves.index(numbers)]
        yield move.text, position.written(move)
        position = position.play(move)


def _silent(opened: Opened, position: Position) -> dict[str, Any]:
    """The thought of a player who does not search: the value of `evaluate` in this position."""
    value = position.evaluate()[position.to_move] if opened.game.model.terms else None
    if len(position.game.players) > 2:
        parts = _parts(opened, position, ())
        return {
            "depth": 0, "value": value, "share": parts[position.game.players.index(position.to_move)], "sure": False,
            "shares": dict(zip(position.game.players, parts, strict=True)), "line": [], "moves": [], "positions": 0,
            "seconds": 0.0,
        }  # fmt: skip
    return {
        "depth": 0, "value": value, "share": 0.5 if value is None else opened.share(value), "sure": False, "line": [],
        "moves": [], "positions": 0, "seconds": 0.0,
    }  # fmt: skip
