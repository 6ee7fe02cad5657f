"""The answers of a position: moves, how the game ended, why a move is legal or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

from pysolve.dsl.model import Demand, Game
from pysolve.dsl.model.payoffs import AND, LOST, payoff_unit, payoffs, shared, told_payoffs
from pysolve.engines.protocol import Finding, Shows, State
from pysolve.engines.protocol import Move as Numbers

DRAW = "draw"  # the result of a game that nobody wins
NO_MOVE = "no legal move"  # what an end is called where a player has none and the rules give no reason
RESIGNED = "resigned"  # where a player has given up
FORFEITED, FORFEITS = "forfeited", "forfeits the game"  # where the program of a player has failed; what it does


@dataclass(frozen=True, slots=True)
class Move:
    """A move of one game: its kind, its parameters by name, and its text."""

    text: str
    kind: str
    params: Mapping[str, Any] = field(hash=False)
    numbers: Numbers = ()

    def __str__(self) -> str:
        return self.text


def told_apart(moves: Iterable[Move]) -> list[str]:
    """The texts of moves, with its kind before each that has the text of another one."""
    known = list(moves)
    same = Counter(move.text for move in known)
    return [move.text if same[move.text] < 2 else f"{move.kind} {move.text}" for move in known]


@dataclass(frozen=True, slots=True)
class Score:
    """The numbers of all players in a comparison by `most` or `least`, with its name in the rules."""

    name: str
    values: Mapping[str, int] = field(hash=False)
    least: bool = False  # True if the smallest number wins

    def best(self, players: Sequence[str]) -> list[str]:
        """The names of the players who are first by this comparison."""
        most = (min if self.least else max)(self.values[name] for name in players)
        return [name for name in players if self.values[name] == most]

    def _numbers(self, winner: str | None) -> str:
        """The numbers: of two players that of the winner first, else each with its player."""
        if len(self.values) != 2:
            return ", ".join(f"{name} {number}" for name, number in self.values.items())
        return " to ".join(str(self.values[name]) for name in sorted(self.values, key=lambda name: name != winner))


def leaders(scores: Sequence[Score]) -> list[list[str]]:
    """Who may still be the first after each of the scores."""
    found: list[list[str]] = []
    for score in scores:
        found.append(score.best(found[-1] if found else list(score.values)))
    return found


def settles(scores: Sequence[Score], ranks: bool) -> bool:
    """True if the first place is decided by the scores; where an ending ranks the players, if all places are."""
    if not ranks:
        return len(leaders(scores)[-1]) == 1
    players = scores[0].values
    return len({tuple(score.values[name] for score in scores) for name in players}) == len(players)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: who alone wins (None if nobody does), the reason, and the line of the rules.

    `winners` are those who share the first place, nobody in a draw of all; `payoffs` is what each player gets, together
    nothing where there are several.  Where the ending compares numbers of the players, `scores` has what was compared,
    up to what decided: the first place, or all places where the ending ranks them.
    `ending` is what games that end so have in common: the reason without the player's name.  `pays`: the game is one in
    which an ending says what each player gets, so the result is told as these amounts.
    """

    winner: str | None
    reason: str
    line: int = 0  # of the ending in the rules file; 0 for a player without a move
    scores: tuple[Score, ...] = ()
    winners: tuple[str, ...] = ()
    payoffs: Mapping[str, Fraction] = field(default_factory=dict, hash=False)
    ending: str = ""
    pays: bool = False

    @staticmethod
    def of(
        payoff: Mapping[str, Fraction], reason: str, line: int = 0, scores: tuple[Score, ...] = (), ending: str = "",
        pays: bool = False,
    ) -> Outcome:  # fmt: skip
        """The outcome of a game that pays this to each player; the ending is called by its reason, or as given."""
        most = max(payoff.values())
        winners = tuple(name for name, value in payoff.items() if value == most > 0)
        alone = winners[0] if len(winners) == 1 else None
        return Outcome(alone, reason, line, scores, winners, payoff, ending or reason, pays)

    @property
    def is_draw(self) -> bool:
        """True if nobody wins or loses."""
        return not any(self.payoffs.values())

    @property
    def result(self) -> str:
        """The names of those who win, or that it is a draw, or that a lone player has lost; as records have it.

        Where the game pays, what each player gets: ``White 2, Black -2``.
        """
        if self.is_draw:
            return DRAW
        if self.pays:
            return told_payoffs(self.payoffs)
        return AND.join(self.winners) or LOST

    @property
    def by(self) -> str | None:
        """The name of the score that decided who is the first; None if none did."""
        return None if self._decisive is None else self.scores[self._decisive].name

    @property
    def _decisive(self) -> int | None:
        left = [len(names) for names in leaders(self.scores)]
        return next((at for at in reversed(range(len(left))) if left[at] < [len(self.payoffs), *left][at]), None)

    @property
    def account(self) -> str:
        """The reason, with the scores: ``by points: 12 to 9 (Red has no legal move)``."""
        if not self.scores:
            return self.reason
        told = [f"{score.name} {score._numbers(self.winner)}" for score in self.scores]
        at = self._decisive
        if at is None:
            return f"{', '.join(told)} ({self.reason})"
        score = self.scores[at]
        after = f", after {', '.join(told[:at])}" if told[:at] else ""
        then = f", then {', '.join(told[at + 1 :])}" if told[at + 1 :] else ""
        return f"by {'least ' * score.least}{score.name}: {score._numbers(self.winner)}{after}{then} ({self.reason})"

    @property
    def sentence(self) -> str:
        """The outcome as it begins a line: ``The winner: Red (all enemy checkers are captured)``."""
        text = str(self)
        return text[:1].upper() + text[1:]

    def __str__(self) -> str:
        if not self.winners or self.pays:
            return f"{self.result}: {self.account}"
        who = f"the winner{'s' if self.winner is None else ''}: {self.result}"  # a name can be a singular or a plural
        return f"{who}, {self.account}" if self.scores else f"{who} ({self.account})"


def given_up(players: Sequence[str], who: str, reason: str, ending: str) -> Outcome:
    """The outcome where a player has given up, or must: the others win, and share that if they are several.

    `ending` is `RESIGNED` or `FORFEITED`.
    """
    number, count = list(players).index(who) + 1, len(players)
    others = frozenset(range(1, count + 1)) - {number}
    payoff = payoffs(next(iter(others)) if count == 2 else shared(others), count)
    paid = {name: Fraction(value, payoff_unit(count)) for name, value in zip(players, payoff, strict=True)}
    return Outcome.of(paid, reason, ending=ending)


@dataclass(frozen=True, slots=True)
class Reason:
    """One demand on a move: whether it holds, its line, the author's words, and the values that decide it.

    A demand may join conditions by `and` or `or`, itself or through a definition.  If it fails, `parts` are those of
    the conditions that decide it; the text has an indented line for each of them, with its own values.
    """

    holds: bool
    text: str
    line: int
    reason: str | None
    values: tuple[str, ...]
    parts: tuple[Reason, ...] = ()

    def __str__(self) -> str:
        said = f"{self.reason}: {self.text}" if self.reason and not self.holds else self.text
        values = "" if self.parts else ", ".join(self.values)
        first = f"{'holds' if self.holds else 'fails'}, line {self.line}: {said}{values and f' ({values})'}"
        return "\n".join([first, *(f"  {line}" for part in self.parts for line in str(part).split("\n"))])

    def to_dict(self) -> dict[str, Any]:
        """For programs: the same as nested objects."""
        return {
            "holds": self.holds, "text": self.text, "line": self.line, "reason": self.reason,
            "values": list(self.values), "parts": [part.to_dict() for part in self.parts],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a move is legal or not: every demand of each kind that it may be."""

    move: str
    legal: bool
    kinds: tuple[tuple[str, tuple[Reason, ...]], ...]  # nearest kind first
    note: str = ""

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The demands of the nearest kind."""
        return self.kinds[0][1] if self.kinds else ()

    @property
    def failing(self) -> tuple[Reason, ...]:
        """The demands of the nearest kind that do not hold; empty for a legal move."""
        return tuple(reason for reason in self.reasons if not reason.holds)

    def __str__(self) -> str:
        lines = [f"{self.move} is {'legal' if self.legal else 'not legal'}{f': {self.note}' if self.note else ''}"]
        for text, reasons in self.kinds:
            lines.append(f"  as {text}")
            lines += [f"    {line}" for reason in reasons for line in str(reason).split("\n")]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """For programs: the same as nested objects."""
        return {
            "move": self.move, "legal": self.legal, "note": self.note,
            "kinds": [{"kind": text, "demands": [r.to_dict() for r in reasons]} for text, reasons in self.kinds],
        }  # fmt: skip


class IllegalMove(ValueError):
    """A move that the rules do not allow here; `explanation` says why."""

    def __init__(self, explanation: Explanation):
        self.explanation = explanation
        why = explanation.note or "; ".join(r.reason or r.text for r in explanation.failing)
        super().__init__(f"{explanation.move} is not legal: {why}")

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The demands that fail."""
        return self.explanation.failing


def reason_of(demand: Demand, finding: Finding) -> Reason:
    """The finding of an engine about a demand, in the words of the rules."""
    parts = tuple(reason_of(demand.parts[part.number - 1], part) for part in finding.parts)
    return Reason(finding.holds, demand.text, demand.span.line, demand.reason, finding.values, parts)


class ShownGame(Protocol):
    """The part of a game that pictures and notations use."""

    @property
    def model(self) -> Game:
        """The checked model of the rules."""

    @property
    def title(self) -> str:
        """The title of the game, for people."""

    @property
    def players(self) -> Sequence[str]:
        """Names of the players, in turn order."""

    @property
    def cells(self) -> Sequence[str]:
        """Names of the cells, row by row from the lower left."""

    @property
    def base(self) -> State:
        """The state from which texts of positions tell what differs."""

    @property
    def shows(self) -> Shows:
        """What answers the names that `show` draws; raises `EngineError` if there is nothing."""

    def start(self) -> Shown:
        """The initial position."""


@runtime_checkable
class Shown(Protocol):
    """The part of a position that pictures and notations use."""

    @property
    def game(self) -> ShownGame:
        """The game of the position."""

    @property
    def state(self) -> State:
        """The position as bytes, in the layout of the model."""

    @property
    def to_move(self) -> str:
        """The name of the player whose turn it is."""

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game; None while it goes on."""

    @property
    def legal_moves(self) -> Sequence[Move]:
        """The legal moves in canonical order; empty when the game is over."""

    def query(self, goal: str, limit: int = ...) -> list[dict[str, Any]]:
        """At most `limit` solutions of a goal, each as a dict from variable to value."""

    def rows(self, name: str, limit: int) -> list[tuple[int, ...]]:
        """The first answers to a name that `show` draws, as numbers."""

    def players_out(self) -> tuple[str, ...]:
        """The players who are out."""

    def to_dict(self) -> dict[str, Any]:
        """The exchange format: {"mover": …, "state": {…}}."""
