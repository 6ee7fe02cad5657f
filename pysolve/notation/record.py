"""Game records: a game as it was played, in a text that people can read and programs can replay.

    [Game "zola"]
    [Options "size=4"]
    [Rules "5df0f1f8e2a7c1d3"]
    [Red "human"]
    [Blue "random"]
    [Result "*"]

    1. a1xb1; c2xc3
    2. b4xa4; d2xc2

Tags come first, then the moves.  A numbered line holds the turns of a round, divided by semicolons, a turn
its moves, divided by commas; a move that has such a sign itself stands in quotes.  What stands in {braces} is
a comment.  `Rules` is the digest of rules and options: a record is replayed only by the rules that it was
played by, unless that is forced.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from pysolve.dsl.notation import NotationError
from pysolve.game import Game, find_named, option_word
from pysolve.position import Move, Position
from pysolve.results import DRAW as DRAW
from pysolve.runtime import validation

UNFINISHED = "*"
BEFORE = "TurnsBefore"  # a tag
SUFFIX = ".record"  # of a record that comes with rules, beside their file


class RecordError(ValueError):
    """A text is not a game record, or does not fit the rules."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it was played."""

    game: str  # what `load` takes: a shipped name or the path of a rules file
    options: dict[str, str]
    rules: str  # digest of rules and options
    turns: tuple[tuple[str, ...], ...] = ()  # the moves of each turn
    players: dict[str, str] = field(default_factory=dict)  # by seat
    seed: int = 0  # of the random draws of the setup
    position: str = ""  # the first position, if it is not the initial one
    turns_before: int = 0  # turns of the game before it, where they are counted: the numbers of moves go on from them
    result: str = UNFINISHED  # the winner's name, or draw
    termination: str = ""  # why it ended
    date: str = ""

    @property
    def moves(self) -> tuple[str, ...]:
        """All moves, in order."""
        return tuple(move for turn in self.turns for move in turn)


def turns_of(positions: Sequence[Position], moves: Sequence[Move]) -> tuple[tuple[str, ...], ...]:
    """The moves of each turn; `positions` are those in which the moves were played."""
    played = zip(positions, moves, strict=False)
    by_mover = groupby(played, key=lambda pair: pair[0].to_move)
    return tuple(tuple(move.text for _, move in pairs) for _, pairs in by_mover)


def position_word(position: Position) -> str:
    """A line that `Game.position` reads back into the same position."""
    line = position.line()
    try:
        same = position.game.position(line) == position
    except NotationError:
        same = False
    return line if same else json.dumps(position.to_dict())


def option_words(game: Game) -> dict[str, str]:
    """The options of a game as a user sets them."""
    validation.instance("game", game, Game, "a Game")
    return {option.name: option_word(option, option.value) for option in game.model.options}


# ------------------------------------------------------------------------------------------ as a text


def write(record: Record) -> str:
    """The record as a text; `read` gives it back."""
    validation.instance("record", record, Record, "a Record")
    options = ", ".join(f"{name}={value}" for name, value in record.options.items())
    tags = {
        "Game": record.game, "Options": options, "Rules": record.rules, "Seed": str(record.seed or ""),
        "Position": record.position, BEFORE: str(record.turns_before or ""), **record.players, "Date": record.date,
        "Result": record.result, "Termination": record.termination,
    }  # fmt: skip
    lines = [f"[{name} {_quoted(value)}]" for name, value in tags.items() if value]
    turns = [", ".join(map(_move_word, turn)) for turn in record.turns]
    rounds = ["; ".join(turns[i : i + 2]) for i in range(0, len(turns), 2)]
    lines += ["", *(f"{number}. {text}" for number, text in enumerate(rounds, 1))]
    return "\n".join(lines).rstrip() + "\n"


def _quoted(text: str) -> str:
    """The text between quotes, on one line: what does not print is written by its number, as in JSON."""
    marked = re.sub(r'(["\\])', r"\\\1", text)
    return '"' + "".join(one if one.isprintable() or one > "\uffff" else f"\\u{ord(one):04x}" for one in marked) + '"'


def _move_word(text: str) -> str:
    return _quoted(text) if re.search(r'[,;{}"\[\]]|^\d+\.', text) else text


_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
# Each reads a line once, however it ends: a quotation mark or a brace that stays open is taken as it stands.
_COMMENT = re.compile(r'("(?:[^"\\]|\\.?)*(?:"|$)|\{[^}]*$)|\{[^}]*\}')
_ROUND = re.compile(r"^\s*\d+\.(?=\s|$)")
_MOVE = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"](?:[^,;"]*[^\s,;"])?))\s*([,;]|$)')
_OURS = ("Game", "Options", "Rules", "Seed", "Position", BEFORE, "Date", "Result", "Termination")


def read(text: str) -> Record:
    """The record that a text holds; raises `RecordError` with the line that is wrong."""
    tags: dict[str, str] = {}
    lines = validation.text("text", text).replace("\r\n", "\n").split("\n")
    at = 0
    while at < len(lines) and (not lines[at].strip() or lines[at].startswith("[")):
        if lines[at].strip():
            found = _TAG.fullmatch(lines[at])
            if found is None:
                raise RecordError(f'line {at + 1}: a tag is written  [Name "value"], not  {lines[at]}')
            tags[found[1]] = _unquoted(found[2])
        at += 1
    if "Game" not in tags:
        raise RecordError('this is not a game record: it does not begin with a tag like  [Game "zola"]')
    options = dict(_option(word.strip()) for word in tags.get("Options", "").split(",") if word.strip())
    return Record(
        game=tags["Game"],
        options=options,
        rules=tags.get("Rules", ""),
        turns=_read_turns(lines, at),
        players={name: value for name, value in tags.items() if name not in _OURS},
        seed=_seed(tags.get("Seed", "")),
        position=tags.get("Position", ""),
        turns_before=_before(tags.get(BEFORE, "")),
        result=tags.get("Result", UNFINISHED),
        termination=tags.get("Termination", ""),
        date=tags.get("Date", ""),
    )


def _read_turns(lines: list[str], first: int) -> tuple[tuple[str, ...], ...]:
    turns: list[tuple[str, ...]] = []
    for number, line in enumerate(lines[first:], first + 1):
        moves, at, turn = _ROUND.sub("", _COMMENT.sub(lambda found: found[1] or " ", line)).strip(), 0, list[str]()
        while at < len(moves):
            found = _MOVE.match(moves, at)
            if found is None:
                raise RecordError(f"line {number}: {line.strip()} cannot be read as moves")
            turn.append(found[2] if found[1] is None else _unquoted(found[1]))
            at = found.end()
            if found[3] != ",":
                turns.append(tuple(turn))
                turn = []
        if turn:
            raise RecordError(f"line {number}: a move is missing after the last comma")
    return tuple(turns)


def _unquoted(text: str) -> str:
    return re.sub(r"\\(?:u([0-9a-f]{4})|(.))", lambda found: chr(int(found[1], 16)) if found[1] else found[2], text)


def _option(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals:
        raise RecordError(f"the options of a record are written  name=value, not  {word}")
    return name.strip(), value.strip()


def _before(word: str) -> int:
    if re.fullmatch("[0-9]{0,9}", word):
        return int(word or 0)
    raise RecordError(f'the turns before the first position of a record are a number, not "{word}"')


def _seed(word: str) -> int:
    if re.fullmatch(r"-?\d*", word):
        with suppress(ValueError):  # a sign alone, or more digits than Python reads
            return int(word or 0)
    raise RecordError(f'the seed of a record is a number, not "{word}"')


# ------------------------------------------------------------------------------------------- replayed


def game_of(record: Record, folder: Path = Path(), force: bool = False, engine: str = "auto") -> Game:
    """The game of a record: a shipped one, or rules in `folder`, in this one, or below them.

    Raises `UnknownGame` if there are none, and `RecordError` if the rules are no longer those by which the record was
    played, unless forced.
    """
    validation.instance("record", record, Record, "a Record")
    source, folders = find_named(record.game, folder, Path())
    game = Game.read(source, folders, record.options, engine)
    if record.rules and record.rules != game.model.digest and not force:
        raise RecordError(
            f"the rules of {game.title} have changed since this game was played "
            f"(it was played by {record.rules}, they are now {game.model.digest})"
        )
    return game


def beside(game: Game) -> Path | None:
    """The record that comes with the rules of a game: the file of their name that ends in .record, if there is one."""
    validation.instance("game", game, Game, "a Game")
    rules = Path(game.model.source)
    path = rules.with_suffix(SUFFIX) if rules.suffix == ".rules" else None
    return path if path is not None and path.is_file() else None


def beginning(record: Record, game: Game) -> Position:
    """The position in which the game of a record began."""
    if not record.position:
        return game.start(record.seed)
    return Position(game, game.position(record.position).state, turns_before=record.turns_before)


def replay(record: Record, game: Game) -> Iterator[tuple[Move, Position]]:
    """Each move with the position after it; raises `RecordError` at a move that the rules do not allow."""
    validation.instance("record", record, Record, "a Record")
    validation.instance("game", game, Game, "a Game")
    position = beginning(record, game)
    for number, text in enumerate(record.moves, 1):
        try:
            move = position.parse(text)
        except ValueError as error:
            raise RecordError(f"move {number}, {position.to_move}: {error}") from None
        position = position.play(move)
        yield move, position
    if (problem := contradiction(record, position)) is not None:
        raise RecordError(problem)


def contradiction(record: Record, last: Position) -> str | None:
    """A message if the result of a record does not fit its last position; otherwise None."""
    outcome = last.outcome
    if outcome is None or record.result in (UNFINISHED, outcome.result):
        return None  # a game may also end by resignation, or be broken off
    won = f"{outcome.result} {'has' if outcome.winner else 'have'} won" if outcome.winners else "the game is lost"
    won = f"it pays {outcome.result}" if outcome.pays else won
    found = "it is a draw" if outcome.is_draw else won
    return f'the record gives the result "{record.result}", but according to the rules {found}'
