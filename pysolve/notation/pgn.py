"""Games of chess in PGN, as other programs keep them.

In: a game record, or a text in PGN.  Out: the other one.  The package `chess` reads PGN and knows how moves are
written.  So games of a variant, whose rules must name the notation san, can be written only while it is chess.
"""

from __future__ import annotations

import io
import re
from textwrap import fill

from pysolve.game import Game, load
from pysolve.notation import san
from pysolve.notation.fen import number_of
from pysolve.notation.record import DRAW, UNFINISHED, Record, RecordError, beginning, position_word, replay
from pysolve.notation.uci import is_chess, words_of
from pysolve.position import Position
from pysolve.runtime.optional import needed

CHESS = "chess"  # the game of a text
WIDTH = 79  # of lines of moves
FIRST, SECOND, HALF = "1-0", "0-1", "1/2-1/2"
UNKNOWN = "?"


def is_pgn(text: str) -> bool:
    """True of a text that begins as PGN does, and no record of ours."""
    return text.lstrip("\ufeff \t\r\n").startswith(("[Event ", "[Site ", "[White "))


def written(record: Record, game: Game) -> str:
    """A record as PGN; raises `RecordError` for a game that PGN cannot hold."""
    needed("chess", "chess", "PGN")
    if not is_chess(game) or game.model.about.get("notation") != "san":
        raise RecordError(f"PGN is for chess, and {game.title} is another game")
    start = beginning(record, game)
    tags = {
        "Event": UNKNOWN, "Site": UNKNOWN, "Date": record.date.replace("-", ".") or "????.??.??", "Round": UNKNOWN,
        **{tag: record.players.get(name, UNKNOWN) for tag, name in zip(("White", "Black"), game.players, strict=True)},
        "Result": _result(record, game),
    }  # fmt: skip
    if start != game.start():
        tags |= {"SetUp": "1", "FEN": words_of(game).text(start)}
    if record.termination:
        tags["Termination"] = record.termination
    moves = fill(" ".join([*_moves(record, game, start), tags["Result"]]), WIDTH, break_on_hyphens=False)
    return "".join(f'[{name} "{_quoted(value)}"]\n' for name, value in tags.items()) + f"\n{moves}\n"


def _quoted(text: str) -> str:
    plain = "".join(one if one.isprintable() else " " for one in text)
    return plain.replace("\\", "\\\\").replace('"', '\\"')


def _unquoted(text: str) -> str:
    """The value of a tag without the backslashes that the package `chess` leaves in it."""
    return re.sub(r"\\(.)", r"\1", text)


def _result(record: Record, game: Game) -> str:
    first, second = game.players
    return {first: FIRST, second: SECOND, DRAW: HALF}.get(record.result, UNFINISHED)


def _moves(record: Record, game: Game, position: Position) -> list[str]:
    """The moves with their numbers."""
    found = list[str]()
    for count, (move, after) in enumerate(replay(record, game), 1):
        said = san.written(position).get(move.numbers)
        if said is None:
            raise RecordError(f"PGN cannot hold move {count}, {move}: {game.title} has other moves there than chess")
        blacks = position.to_move != game.players[0]
        if not blacks or not found:
            number = number_of(position.turns_before + position.turns_played, blacks)
            found.append(f"{number}{'...' if blacks else '.'}")
        found.append(said)
        position = after
    return found


def read(text: str) -> Record:
    """The record of the game of chess in a text; raises `RecordError` if it holds none, or several."""
    pgn = needed("chess.pgn", "chess", "PGN")
    stream = io.StringIO(text)
    found = pgn.read_game(stream)
    if found is None:
        raise RecordError("there is no game in this PGN")
    if pgn.read_game(stream) is not None:
        raise RecordError("this PGN holds several games, and a record is one: cut it into files")
    if found.errors:
        raise RecordError(f"this PGN cannot be read: {found.errors[0]}")
    if found.headers.get("Variant", "Standard").lower() not in ("standard", "from position", CHESS):
        raise RecordError(f'this PGN is of the variant "{found.headers["Variant"]}", and only chess can be read')
    game = load(CHESS)
    first, second = game.players
    fen = found.headers.get("FEN", "")
    start = words_of(game).position(fen.split()) if fen else game.start()
    date = found.headers.get("Date", "").replace(".", "-")
    return Record(
        game=CHESS,
        options={},
        rules="",
        turns=tuple((move,) for move in _own_moves(start, [move.uci() for move in found.mainline_moves()])),
        players={first: _unquoted(found.headers["White"]), second: _unquoted(found.headers["Black"])},
        position=position_word(start) if fen else "",
        turns_before=start.turns_before,
        result={FIRST: first, SECOND: second, HALF: DRAW}.get(found.headers.get("Result", ""), UNFINISHED),
        termination=_unquoted(found.headers.get("Termination", "")),
        date="" if UNKNOWN in date else date,
    )


def _own_moves(position: Position, given: list[str]) -> list[str]:
    """Moves in the words of UCI as the rules write them; raises `RecordError` for one that is not legal."""
    words, found = words_of(position.game), list[str]()
    for word in given:
        known = words.moves(position)
        if word not in known:
            why = f"the game is over; {position.outcome}" if position.is_over else "it is not legal"
            raise RecordError(
                f"by the rules of chess here, move {len(found) + 1} of this PGN, {word}, cannot be: {why}"
            )
        found.append(position.legal_moves[known.index(word)].text)
        position = position.play(position.legal_moves[known.index(word)])
    return found
