"""The command balance: is a game fair?"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from pysolve.cli.arguments import AUTO, MOST, AsJson, EngineChoice, GameName, Options, opened, options_of
from pysolve.cli.console import counted, put
from pysolve.cli.playing import (
    WHO,
    Adjudicate,
    ClusterAddress,
    HtmlFile,
    Limit,
    Opening,
    Out,
    PlotFile,
    ProcessCount,
    Room,
    Seeded,
    StoreFile,
    TableFile,
    check_report,
    check_rows,
    command_line,
    ended,
    find_functions,
    put_report,
    put_rest,
    put_rows,
    put_where,
    room,
    rules_of,
)
from pysolve.lab.balance import Balance, Trial, balance_jobs, swept, trend
from pysolve.lab.balance import balance as weigh
from pysolve.lab.games import LIMIT, OPENING, Played, Rules
from pysolve.lab.match import programs, series_of
from pysolve.lab.report import BalanceReport
from pysolve.lab.tables import Row, game_rows
from pysolve.lab.workers import NamedGame

PLAYER = "minimax:depth=2"


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be played for each variant and player."""

    game: str
    games: int
    seed: int
    rules: Rules
    until_decided: bool
    rows: list[Row] = field(default_factory=list)  # of the games played so far


def balance(
    game: GameName,
    options: Options = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option(
            "--sweep", metavar="OPTION=VALUES", help="Values of an option: size=4..8 or size=4,8.", show_default=False
        ),
    ] = None,
    player: Annotated[str, typer.Option("--player", metavar="WHO", help=f"The player on both sides, {WHO}")] = PLAYER,
    ladder: Annotated[
        list[str] | None,
        typer.Option("--ladder", metavar="WHO...", help="Several players, weakest first.", show_default=False),
    ] = None,
    games: Annotated[
        int, typer.Option("--games", "-g", min=1, max=MOST, help="Games for each variant and player.")
    ] = 100,
    until_decided: Annotated[bool, typer.Option("--until-decided", help="Stop early if the result is clear.")] = False,
    seed: Seeded = 1,
    opening: Opening = OPENING,
    max_moves: Limit = LIMIT,
    adjudicate: Adjudicate = None,
    html: HtmlFile = None,
    plot: PlotFile = None,
    as_table: TableFile = None,
    store: StoreFile = None,
    out: Out = None,
    processes: ProcessCount = None,
    cluster: ClusterAddress = None,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
) -> None:
    """Test whether a game is fair: the same player plays all sides in many games.

    --sweep tests each variant; several options can be swept. Points are wins plus
    half of the draws, with their 95% interval (Wilson). A game that does not end
    counts as a draw. The fairness of a game depends on its player: --ladder tests
    several players and shows how the result changes with strength.
    --until-decided stops a variant as soon as one side is significantly favoured,
    or no side by more than 5 points of 100; the interval is then one that remains
    valid under early stopping. Ctrl-C stops the test; the games played so far
    count. With --store the same command resumes it. --table writes a row for each
    game. In a game for three players or
    more, each game divides one point among them, and the intervals hold together.

    \b
    Examples:
      pysolve balance zola size=4
      pysolve balance zola --sweep size=4..8 --player minimax:depth=3
      pysolve balance blockade --sweep blockers=3..6 tacklers=3..5
      pysolve balance conga --player mcts:playouts=500 --games 40 --json
      pysolve balance zola --ladder "greedy minimax:depth=2 minimax:depth=4" --html zola.html
      pysolve balance hex --games 1000 --until-decided --store hex.db
    """
    asked = _Asked(game, games, seed, rules_of(opening, max_moves, adjudicate), until_decided)
    players = _ladder(ladder or ()) or [player]
    find_functions(players)
    words, sweeps = _sweeps(options or (), sweep or ())
    given = options_of(words)
    variants = [{**given, **one} for one in swept(opened(game, words, engine), sweeps)]
    there = [opened(game, [f"{name}={value}" for name, value in chosen.items()], engine, again=True)
             for chosen in variants]  # fmt: skip
    for one in there:
        programs(one, *players)  # a wrong one is refused before anything is played
    tables = [NamedGame(one, game) for one in there]
    report = BalanceReport(there[0].title, command_line("balance", game, words, {
        "sweep": sweeps, "player": None if ladder else player, "ladder": [shlex.join(players)] if ladder else None,
        "games": games, "seed": seed, "opening": opening, "max-moves": max_moves, "adjudicate": adjudicate,
    }) + " --until-decided" * until_decided)  # fmt: skip
    check_report(html, plot)
    check_rows(as_table)
    if until_decided and len(there[0].players) == 1:
        raise typer.BadParameter(f"--until-decided compares sides: {there[0].title} has one player")
    try:
        with room(tables, games, processes, cluster, store, out) as here:
            for place, table in enumerate(tables):
                for rung, who in enumerate(players):
                    several = len(tables) * len(players) > 1
                    name = f"{place * len(players) + rung + 1}-" if several else ""
                    _play(asked, here, place, table, variants[place], who, name, report, as_json, len(players) > 1)
                if not as_json and len(players) > 1:
                    put(f"{trend(report.ladders()[-1])}\n")
    finally:
        _conclude(report, asked, players, html, plot, out, as_json)
        if asked.rows:
            put_rows(as_table, asked.rows, as_json)


def _ladder(words: Sequence[str]) -> list[str]:
    """The players of a ladder; one with a blank in it stands in quotes."""
    try:
        return [who for word in words for who in shlex.split(word)]
    except ValueError:
        raise typer.BadParameter("--ladder has an unclosed quote") from None


def _sweeps(options: Sequence[str], sweeps: Sequence[str]) -> tuple[list[str], list[str]]:
    """The options that are set, and those that are swept: several may follow one --sweep."""
    swept = [word for word in options if re.search(r"=.*(\.\.|,)", word)]
    return [word for word in options if word not in swept], [*(one for word in sweeps for one in word.split()), *swept]


def _play(
    asked: _Asked, here: Room, place: int, table: NamedGame, chosen: dict[str, str], who: str, name: str,
    report: BalanceReport, as_json: bool, named: bool,
) -> None:  # fmt: skip
    """The games of one variant between equal players, and what they say."""
    there = table.game
    series = series_of("balance", asked.game, there, (who,), asked.seed, asked.rules)
    jobs = balance_jobs(there, who, asked.seed, asked.rules)
    played: list[Played] = []
    trial = Trial(len(there.players))
    what = ", ".join([f"{option}={value}" for option, value in chosen.items()] + [who] * named) or "games"
    try:
        for one, step in here.play(place, series, jobs, asked.games, what, name):
            played.append(one)
            trial.add(one)
            step(f"{what}: {there.players[0]} {trial.share.share:.0%}")
            if asked.until_decided and trial.decided:
                break
    except KeyboardInterrupt:
        raise ended("balance", len(played), asked.games) from None
    finally:
        if played:
            options = {f"option {option}": value for option, value in chosen.items()}
            asked.rows.extend(game_rows(played, {**options, "player": who}))
            report.add(weigh(there, played, chosen, who, asked.until_decided))
            if not as_json:
                _put_balance(there.title, report.found[-1], named)


def _conclude(
    report: BalanceReport, asked: _Asked, players: Sequence[str], html: Path | None, plot: Path | None,
    out: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """What is printed and written at the end."""
    if not report.found:
        return
    if as_json:
        margin = asked.rules.adjudication
        told = {
            "game": asked.game, "players": list(players), "seed": asked.seed,
            "opening": asked.rules.opening, "max_moves": asked.rules.limit,
            "adjudicate": None if margin is None else str(margin),
        }  # fmt: skip
        put(json.dumps({**told, **report.to_dict()}))
    else:
        put_where(out)
    put_report(report, html, plot, as_json)


def _shared(found: Balance) -> str:
    """What games are that nobody has won alone."""
    return "drawn" if len(found.sides) == 2 else "without a sole winner"


def _put_balance(title: str, found: Balance, named: bool) -> None:
    """What was found about a variant, for people."""
    options = "".join(f", {name}={value}" for name, value in found.options.items())
    by = f", {found.player}" if named else ""
    put(f"{title}{options}{by}: {counted(found.played - found.duplicates, 'game')}, {found.draws} {_shared(found)}")
    width = max(map(len, (*found.sides, "begins")))
    for name, share in found.sides.items():
        put(f"  {name.ljust(width)}  {share}")
    put(f"  {'begins'.ljust(width)}  {found.first}")
    put_rest(found)
    lead = found.lead_changes
    put(f"choices   {found.branching:.1f} moves in a position; the lead changes {lead.median:g} time"
        f"{'s' * (lead.median != 1)} (quartiles {lead.lower:g} to {lead.upper:g})")  # fmt: skip
    put(f"{found.verdict}")
