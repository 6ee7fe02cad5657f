"""Commands that search: best, analyse."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from pysolve.cli.arguments import (
    AUTO,
    LONGEST,
    MOST,
    AsJson,
    EngineChoice,
    GameName,
    Options,
    Played,
    PositionText,
    Seed,
    opened,
    played_from,
    position_of,
)
from pysolve.cli.console import counted, put
from pysolve.cli.ending import Stopped, saying_when_stopped
from pysolve.cli.files import record_of
from pysolve.cli.progress import counter, steps, timed
from pysolve.cli.recorded import heading, result_of
from pysolve.dsl.language.constants import DEEPEST
from pysolve.dsl.player_texts import MOST_THREADS, PLAIN, STRONG, UnknownPlayer, refuse_values
from pysolve.engines.protocol import DoesNotApply
from pysolve.game import Game
from pysolve.lab.analysis import (
    BLUNDER,
    MISTAKE,
    Found,
    Judged,
    Ranked,
    best_moves,
    line_of,
    margin_of,
    opinion,
    refuse_limits,
)
from pysolve.lab.analysis import analyse as judge
from pysolve.notation import record as records
from pysolve.players.best_lines import Limits, by_values, judged, plays_out, random_games
from pysolve.players.session import Session
from pysolve.position import Move, Position
from pysolve.search.mcts import Result as Sampled

SECONDS = 1.0  # of a search that nobody limits
LEVEL = 4  # the depth of an analysis that nobody limits
MOST_NODES = 10**15


class Searched(StrEnum):
    """Which search looks for the best moves."""

    plain = PLAIN
    strong = STRONG


Depth = Annotated[
    int | None,
    typer.Option("--depth", "-d", min=1, max=DEEPEST, help="Depth in moves.", show_default=False),
]
Time = Annotated[
    float | None,
    typer.Option("--time", "-t", min=0.001, max=LONGEST, help="Seconds.", show_default=False),
]
Turns = Annotated[
    int | None,
    typer.Option("--turns", min=1, max=DEEPEST, help="Depth in whole turns.", show_default=False),
]
Quiet = Annotated[
    str | None,
    typer.Option(
        "--quiet",
        "-q",
        metavar="KIND+KIND",
        help="Moves searched beyond the depth: captures, or kinds.",
        show_default=False,
    ),
]
Search = Annotated[
    Searched | None,
    typer.Option("--search", help="Which search. [default: strong with --time alone]", show_default=False),
]
Learned = Annotated[
    str | None,
    typer.Option(
        "--values", metavar="FILE", help="Learned values that judge positions, in the place of evaluate.",
        show_default=False,
    ),
]  # fmt: skip
Nodes = Annotated[
    int | None,
    typer.Option("--nodes", "-n", min=1, max=MOST_NODES, help="Limit on the positions searched.", show_default=False),
]


def best(
    game: GameName,
    options: Options = None,
    position: PositionText = None,
    played: Played = None,
    depth: Depth = None,
    turns: Turns = None,
    seconds: Time = None,
    nodes: Nodes = None,
    quiet: Quiet = None,
    search: Search = None,
    values: Learned = None,
    threads: Annotated[int, typer.Option("--threads", min=1, max=MOST_THREADS, help="Number of search threads.")] = 1,
    few: Annotated[
        int, typer.Option("--moves", "-m", min=0, max=MOST, help="Number of best moves to show with values.")
    ] = 3,
    seed: Seed = 0,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
) -> None:
    """Search for the best move: its value, the expected line of play, and the values of the next best moves.

    A value is for the player to move: points of the evaluate block, or the number
    of moves in which the game is won or lost by force. Each completed depth is
    shown. --time and --nodes limit the whole command; the default limit is one
    second. --moves 1 uses all of it for the best move. Ctrl-C stops the search
    and shows what was found.

    --search strong looks deeper in the same time: it leaves out what seems
    hopeless, so the value at a depth is not that of minimax, and a forced end may
    be further away than need be. Without --search it looks where --time is the
    only limit, in games of two without chance, with the native engine.

    In rules without an evaluate block, where moves take single places until a
    chain ends the game, as in Hex, and with the native engine where the level
    expert is mcts, random games say more of a position than a search: with --time
    alone they are played, and a share is that of the points which the player to
    move gets in them. --search plain or strong searches, and so does --values.

    --values judges positions by what `pysolve learn` or `refine` has learned, by
    the search that plays better by them. Its values say what to expect: half of
    the points at 0, 88% of them at +1024, 12% at -1024.

    --search plain is minimax, and answers where --depth, --turns, --nodes or
    --quiet is given. Half of the limit goes to the best move, and half to the
    values of the others, which are searched to the same depth if the limit
    allows; each value is shown with its depth, and as "at most" if it is known
    only that the best move is no worse. With --turns each turn counts as one
    step, however many moves it has. An estimate in the middle of an exchange is
    unreliable: with --quiet captures, moves that capture pieces are searched
    beyond the depth, up to four.

    --threads makes the native engine faster on several processors; plain, the
    value of a depth stays the same, but the expected line may differ. With three
    players or more the search is max-n: players play for themselves, and the
    value of each is shown; --search strong, --quiet and --threads do not apply.

    \b
    Examples:
      pysolve best zola
      pysolve best conga --play "a4 east" --time 5 --threads 2
      pysolve best yoxii --position position.txt --depth 4 --json
      pysolve best blockade --turns 2 --moves 1
      pysolve best chess --play "e2e4, e7e5" --depth 4 --quiet captures
      pysolve best chess --search strong --nodes 200000
      pysolve best zola --values zola.values --time 3
    """
    if depth is not None and turns is not None:
        raise typer.BadParameter("--depth (in moves) and --turns (in whole turns) cannot be combined")
    found, _ = played_from(position_of(opened(game, options, engine), position, seed), played)
    if found.outcome is not None:
        put(json.dumps({"over": str(found.outcome)}) if as_json else f"The game is over; {found.outcome}.")
        return
    if found.chance:
        (happens, _), *_ = found.chance_moves
        raise typer.BadParameter(f"chance moves here, and no player: add to --play what happens, as in  {happens}")
    if depth is None and turns is None and seconds is None and nodes is None:
        seconds = SECONDS
    limits = _applying(found.game, Limits(depth, seconds, nodes, turns, _kinds(quiet), threads, search), values)
    if plays_out(found.game, limits):
        _best_by_random_games(found, limits.seconds or SECONDS, few, as_json)
        return
    found = judged(found, limits)
    width = len("loses in 10") if turns is None else len("loses in 10 turns")
    if not as_json:
        put(f"{found.to_move} to move, {counted(len(found.legal_moves), 'legal move')}")
        put(f"{'depth' if turns is None else 'turns':>5}  {'value':>{width}}  {'positions':>13}  best play")

    def report(one: Found) -> None:
        if not as_json:
            put(f"{one.depth:>5}  {one.worth!s:>{width}}  {one.nodes:>13,}  {_shown(found, one.line)}")
            sys.stdout.flush()

    with timed():
        with saying_when_stopped(lambda: "best stopped before a depth was complete"), counter("positions") as tick:
            answer, ranked = best_moves(found, limits, few, report, tick)
        if as_json:
            put(json.dumps(_best_dict(found, answer, ranked), ensure_ascii=False))
        else:
            _put_best(found, answer, ranked, "depth" if turns is None else "turns", width)
    if answer.interrupted:
        raise Stopped(f"best stopped after depth {answer.depth}")


def _best_by_random_games(position: Position, seconds: float, few: int, as_json: bool) -> None:
    """Prints what a tree of random games finds: each time that it has grown to twice its size, and in the end."""
    told, found, lines, stopped = 0, None, list[Sampled](), False
    if not as_json:
        put(f"{position.to_move} to move, {counted(len(position.legal_moves), 'legal move')}")
        put(f"{'games':>11}  {'share':>5}  best play")
    with timed(), saying_when_stopped(lambda: "best stopped before a game was over"):
        try:
            for found, lines in random_games(position, seconds, max(1, few)):  # noqa: B007
                if not as_json and found.visits >= 2 * told:
                    line = _shown(position, line_of(position, found.line))
                    put(f"{found.visits:>11,}  {opinion(found, position.game):>5}  {line}")
                    sys.stdout.flush()
                    told = found.visits
        except KeyboardInterrupt:
            if found is None:
                raise
            stopped = True
        assert found is not None
        ranked = [(line_of(position, one.line[:1])[0], one) for one in lines[:few]]
        if as_json:
            put(json.dumps(_sampled_dict(position, found, ranked), ensure_ascii=False))
        else:
            _put_sampled(position, found, ranked)
    if stopped:
        raise Stopped(f"best stopped after {counted(found.visits, 'random game')}")


def _put_sampled(position: Position, found: Sampled, ranked: list[tuple[Move, Sampled]]) -> None:
    sure = ", for sure" if found.proven is not None else ""
    share = f"{opinion(found, position.game)} for {position.to_move}{sure}"
    (best,) = line_of(position, found.line[:1])
    put(f"\nbest: {position.written(best)}  ({share}; {counted(found.visits, 'random game')})")
    if len(ranked) > 1:
        put(f"{'games':>11}  share  move")
        for move, one in ranked:
            put(f"{one.visits:>11,}  {opinion(one, position.game):>5}  {position.written(move)}")


def _sampled_dict(position: Position, found: Sampled, ranked: list[tuple[Move, Sampled]]) -> dict[str, Any]:
    line = [str(move) for move in line_of(position, found.line)]
    return {
        "mover": position.to_move, "best": line[0], "expected": round(found.value, 4), "sure": found.proven is not None,
        "games": found.visits, "seconds": round(found.seconds, 3), "line": line,
        "moves": [{"move": str(move), "games": one.visits, "expected": round(one.value, 4)} for move, one in ranked],
    }  # fmt: skip


def _put_best(position: Position, answer: Found, values: list[Ranked], depth: str, width: int) -> None:
    """Prints the result of a search for people; `depth` is the heading of the depth, `width` the width of a value."""
    speed = f", {answer.nodes / answer.seconds:,.0f} a second" if answer.seconds > 0.1 else ""
    looked = f"{counted(answer.nodes, 'position')}{speed}"
    put(f"\nbest: {position.written(answer.line[0])}  ({answer.worth} for {position.to_move}; {looked})")
    if answer.each:
        put(f"each for themselves: {', '.join(f'{name} {worth}' for name, worth in answer.each.items())}")
    if len(values) > 1:
        width = max(width, *(len(str(one)) for one in values))
        put(f"{depth:>5}  {'value':>{width}}  move")
        for one in values:
            put(f"{one.depth:>5}  {one!s:>{width}}  {position.written(one.move)}")


def _applying(game: Game, limits: Limits, values: str | None) -> Limits:
    """The limits, with the learned values in a file, if they apply to the game; its engine says whether it has the
    strong search."""
    try:
        if values is not None:
            refuse_values("--values", game.model)
            limits = by_values(game, limits, values)
        refuse_limits(game, limits)
    except DoesNotApply as error:
        raise typer.BadParameter(f"--search {STRONG}: {error}") from None
    except UnknownPlayer as error:
        raise typer.BadParameter(str(error)) from None
    except ValueError as error:
        raise typer.BadParameter(f"--{error}") from None
    if limits.turns is not None and len(game.players) == 1:
        raise typer.BadParameter(f"--turns is for two players or more: {game.title} has one")
    return limits


def _kinds(quiet: str | None) -> tuple[str, ...]:
    """The moves that go on beyond the depth, as a player names them."""
    return () if quiet is None else tuple(quiet.split("+"))


def _shown(position: Position, line: tuple[Move, ...], most: int = 8) -> str:
    """The first moves of a line of play, as players of the game write them."""
    words = []
    for move in line[:most]:
        words.append(position.written(move))
        position = position.play(move)
    return ", ".join([*words, *["…"] * (len(line) > most)])


def _best_dict(position: Position, found: Found, values: list[Ranked]) -> dict[str, Any]:
    return {
        "mover": position.to_move, "best": str(found.line[0]), **found.worth.to_dict(), "depth": found.depth,
        "nodes": found.nodes, "seconds": round(found.seconds, 3), "line": [str(move) for move in found.line],
        "moves": [one.to_dict() for one in values],
        **({"values": {name: worth.to_dict() for name, worth in found.each.items()}} if found.each else {}),
    }  # fmt: skip


# ---------------------------------------------------------------------------------------------- analyse


def analyse(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="A game record.", show_default=False)],
    depth: Depth = None,
    seconds: Time = None,
    nodes: Nodes = None,
    quiet: Quiet = None,
    search: Search = None,
    values: Learned = None,
    margin: Annotated[
        int | None,
        typer.Option("--margin", min=1, max=MOST, help="Smallest loss that counts as a mistake.", show_default=False),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Accept changed rules.")] = False,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
) -> None:
    """Analyse a recorded game: the value of each move and of the best move, with the mistakes marked.

    Values are for the player who moves. Each position is searched to a depth (4),
    or for a time or a number of positions. ?? marks a move that gives up a
    certain win, or allows a certain loss; ? marks a move that loses at least
    --margin, which by default is a tenth of the range of values in the game.
    --quiet captures follows exchanges to their end. With --time alone, or with
    --search strong, the search is the strong one, as `best --help` says; then the
    move that was made is searched as long again. --values judges positions by
    learned values. With three players or more the
    search is max-n: each plays for themselves. Ctrl-C stops the analysis and
    shows the moves so far.

    \b
    Examples:
      pysolve analyse game.txt
      pysolve analyse game.txt --time 1
      pysolve analyse game.txt --depth 6 --margin 20 --json
      pysolve analyse chess.txt --quiet captures
      pysolve analyse game.txt --values zola.values --time 1
    """
    record = record_of(file)
    session = Session(records.beginning(record, records.game_of(record, file.parent, force, engine)), {})
    for move, _ in records.replay(record, session.game):
        session.play(move)
    limits = Limits(depth if seconds or nodes else depth or LEVEL, seconds, nodes, None, _kinds(quiet), search=search)
    limits = _applying(session.game, limits, values)
    positions = [judged(one, limits) for one in session.positions]
    found: list[Judged] = []
    chosen = sum(not before.chance for before, _ in zip(session.positions, session.moves, strict=False))
    in_all = counted(chosen, "move")
    try:
        with saying_when_stopped(lambda: f"analyse stopped after {len(found)} of {in_all}"), \
                steps(chosen, "moves") as step:  # fmt: skip
            for one in judge(positions, session.moves, limits):
                found.append(one)
                step("")
    finally:
        least = margin or margin_of(found)
        if as_json:
            moves = [one.to_dict(least) for one in found]
            put(json.dumps({"game": record.game, "margin": least, "moves": moves}, ensure_ascii=False))
        else:
            put(heading(record, session.game))
            _put_judged(found, session.positions, least)
            if len(found) == chosen:
                put(result_of(record, session))


def _put_judged(judged: list[Judged], positions: list[Position], margin: int) -> None:
    """A line for each move, and how many mistakes each player made; `positions` are those before the moves."""
    places = [positions[one.number - 1] for one in judged]
    made = [f"{one.player} {before.written(one.move)}" for one, before in zip(judged, places, strict=True)]
    width = max(map(len, made), default=0)
    for one, before, said in zip(judged, places, made, strict=True):
        mark = one.mark(margin)
        line = f"{one.number:>4}. {said.ljust(width)} {mark:<2}  {one.after!s:>11}"
        put(f"{line}   {before.written(one.best)} {one.before}".rstrip() if mark else line)
    for player in dict.fromkeys(one.player for one in judged):
        marks = [one.mark(margin) for one in judged if one.player == player]
        least = f" ({MISTAKE} from {counted(margin, 'point')})"
        put(f"{player}: {marks.count(BLUNDER)} {BLUNDER}, {marks.count(MISTAKE)} {MISTAKE}{least}")
