"""The command balance: is a game fair?"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from pysolve.cli.arguments import AUTO, MOST, AsJson, EngineChoice, GameName, Options, opened, options_of
from pysolve.cli.beside import Beside, parent_beside
from pysolve.cli.console import counted, put
from pysolve.cli.endings import put_endings_by_side
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
    put_luck,
    put_report,
    put_rest,
    put_rows,
    put_where,
    room,
    rules_of,
)
from pysolve.cli.progress import steps
from pysolve.game import Game
from pysolve.lab.balance import Balance, Trial, balance_jobs, compared, swept, trend
from pysolve.lab.balance import balance as weigh
from pysolve.lab.games import LIMIT, OPENING, Job, Played, Rules
from pysolve.lab.match import programs, series_of
from pysolve.lab.report import BalanceReport
from pysolve.lab.tables import Row, game_rows
from pysolve.lab.workers import NamedGame
from pysolve.notation import record as records
from pysolve.players.competitors import Function

PLAYER = "minimax:depth=2"


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be played for each variant and player."""

    games: int
    seed: int
    rules: Rules
    until_decided: bool
    several: bool  # players
    rows: list[Row] = field(default_factory=list)  # of the games played so far
    beside: dict[tuple[str, str, int], list[Played]] = field(default_factory=dict)  # of parents: digest, player, number


@dataclass(frozen=True, slots=True)
class _Table:
    """A variant, where it is played, and where its parent is, if that is played beside it."""

    place: int
    named: NamedGame
    chosen: dict[str, str]  # options
    parent: NamedGame | None
    parent_place: int

    @property
    def options_of_parent(self) -> dict[str, str]:
        """The chosen options that the parent has, too."""
        words = {} if self.parent is None else records.option_words(self.parent.game)
        return {name: words[name] for name in self.chosen if name in words}


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
    parent: Annotated[
        bool, typer.Option("--parent/--no-parent", help="Beside a variant play as many games of its parent.")
    ] = True,
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
    A table says how many games each ending of the rules decided, and for whom.
    Where lots are drawn, two games each have the same ones, and luck is the part of
    the variance of the results that these explain.
    Where the rules extend others, as many games of the parent are played beside
    them, with the same options, players and seeds; --no-parent leaves them out.

    \b
    Examples:
      pysolve balance zola size=4
      pysolve balance zola --sweep size=4..8 --player minimax:depth=3
      pysolve balance blockade --sweep blockers=3..6 tacklers=3..5
      pysolve balance conga --player mcts:playouts=500 --games 40 --json
      pysolve balance zola --ladder "greedy minimax:depth=2 minimax:depth=4" --html zola.html
      pysolve balance hex --games 1000 --until-decided --store hex.db
      pysolve balance my-variant.rules --games 40
    """
    players = _ladder(ladder or ()) or [player]
    find_functions(players)
    words, sweeps = _sweeps(options or (), sweep or ())
    given = options_of(words)
    variants = [{**given, **one} for one in swept(opened(game, words, engine), sweeps)]
    there = [opened(game, [f"{name}={value}" for name, value in chosen.items()], engine, again=True)
             for chosen in variants]  # fmt: skip
    for one in there:
        programs(one, *players)  # a wrong one is refused before anything is played
    asked = _Asked(games, seed, rules_of(opening, max_moves, adjudicate), until_decided, len(players) > 1)
    tables, at = _tables([NamedGame(one, game) for one in there], variants, players, parent)
    report = BalanceReport(there[0].title, command_line("balance", game, words, {
        "sweep": sweeps, "player": None if ladder else player, "ladder": [shlex.join(players)] if ladder else None,
        "games": games, "seed": seed, "opening": opening, "max-moves": max_moves, "adjudicate": adjudicate,
    }) + " --until-decided" * until_decided + " --no-parent" * (not parent))  # fmt: skip
    check_report(html, plot)
    check_rows(as_table)
    if until_decided and len(there[0].players) == 1:
        raise typer.BadParameter(f"--until-decided compares sides: {there[0].title} has one player")
    try:
        with room(tables, games, processes, cluster, store, out) as here:
            for table in at:
                for rung, who in enumerate(players):
                    several = len(at) * len(players) > 1
                    name = f"{table.place * len(players) + rung + 1}-" if several else ""
                    _play(asked, here, table, who, name, report, as_json)
                if not as_json and asked.several:
                    put(f"{trend(report.ladders()[-1])}\n")
    finally:
        _conclude(report, asked, game, players, html, plot, out, as_json)
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
    swept = [word for word in options if re.search(r"\.\.|,", word.partition("=")[2])]
    return [word for word in options if word not in swept], [*(one for word in sweeps for one in word.split()), *swept]


def _tables(
    variants: Sequence[NamedGame], chosen: Sequence[dict[str, str]], players: Sequence[str], beside: bool
) -> tuple[list[NamedGame], list[_Table]]:
    """All games to be played, each once, and for each variant its place and its parent's place among them."""
    games, found = list(variants), list[_Table]()
    places: dict[str, int] = {}  # of parents, by digest
    for place, (named, options) in enumerate(zip(variants, chosen, strict=True)):
        parent = parent_beside(named.game, players, said=place > 0) if beside else None
        if parent is not None and parent.game.model.digest not in places:
            places[parent.game.model.digest] = len(games)
            games.append(parent)
        found.append(_Table(place, named, options, parent, -1 if parent is None else places[parent.game.model.digest]))
    return games, found


def _play(asked: _Asked, here: Room, table: _Table, who: str, name: str, report: BalanceReport, as_json: bool) -> None:
    """The games of one variant between equal players, those of its parent beside them, and what they say."""
    named, chosen = table.named, table.chosen
    what = ", ".join([f"{option}={value}" for option, value in chosen.items()] + [who] * asked.several) or "games"
    total = asked.games if table.parent is None else 2 * asked.games
    played, beside = list[Played](), list[Played]()
    try:
        with steps(total, what) as step:
            _play_games(asked, here, table, who, name, what, step, played)
            if table.parent is not None:
                _play_parent(asked, here, table, who, name, what, step, len(played), beside)
    finally:
        if played:
            before = (
                None
                if table.parent is None or not beside
                else weigh(table.parent.game, beside, table.options_of_parent, who, asked.until_decided)
            )
            report.add(weigh(named.game, played, chosen, who, asked.until_decided, before))
            if not as_json:
                _put_balance(report.found[-1], asked.several)


def _play_games(
    asked: _Asked, here: Room, table: _Table, who: str, name: str, what: str, step: Callable[[str], None],
    played: list[Played],
) -> None:  # fmt: skip
    """Puts the games of a variant into `played`, until they are enough or it is decided."""
    game, title = table.named
    series = series_of("balance", title, game, (who,), asked.seed, asked.rules)
    jobs = balance_jobs(game, who, asked.seed, asked.rules, not asked.until_decided)
    trial = Trial(len(game.players))
    try:
        for one, told in here.play(table.place, series, jobs, asked.games, what, name, step):
            played.append(one)
            trial.add(one)
            told(f"{what}: {game.players[0]} {trial.share.share:.0%}")
            if asked.until_decided and trial.decided:
                break
    except KeyboardInterrupt:
        raise ended("balance", len(played), asked.games) from None
    finally:
        options = {f"option {option}": value for option, value in table.chosen.items()}
        asked.rows.extend(game_rows(played, {"game": title, **options, "player": who}))


def _play_parent(
    asked: _Asked, here: Room, table: _Table, who: str, name: str, what: str, step: Callable[[str], None],
    number: int, beside: list[Played],
) -> None:  # fmt: skip
    """Puts as many games of the parent into `beside`; they are not played twice for two variants of it."""
    assert table.parent is not None
    parent, title = table.parent
    games = Beside(table.parent, programs(table.named.game, who), _jobs(not asked.until_decided), beside)
    key = (parent.model.digest, str(games.players[0]), number)
    if (there := asked.beside.get(key)) is not None:
        beside.extend(there)
        return
    like = series_of("balance", title, parent, games.players, asked.seed, asked.rules)
    try:
        games.play(here, like, number, step, table.parent_place, name, f"{what}: ")
    finally:
        options = {f"option {option}": value for option, value in table.options_of_parent.items()}
        asked.rows.extend(game_rows(beside, {"game": title, **options, "player": who}))
    asked.beside[key] = beside


def _jobs(pairs: bool) -> Callable[[Game, Sequence[str | Function], int, Rules], Iterator[Job]]:
    return lambda game, players, seed, rules: balance_jobs(game, players[0], seed, rules, pairs)


def _conclude(
    report: BalanceReport, asked: _Asked, game: str, players: Sequence[str], html: Path | None, plot: Path | None,
    out: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Prints the results and writes the files at the end of a balance."""
    if not report.found:
        return
    if as_json:
        margin = asked.rules.adjudication
        told = {
            "game": game, "players": list(players), "seed": asked.seed,
            "opening": asked.rules.opening, "max_moves": asked.rules.limit,
            "adjudicate": None if margin is None else str(margin),
        }  # fmt: skip
        put(json.dumps({**told, **report.to_dict()}))
    else:
        put_where(out)
    put_report(report, html, plot, as_json)


def _put_balance(found: Balance, named: bool) -> None:
    """Prints the result of a variant for people."""
    parent = found.parent
    put(_heading(found, found.player if named else ""))
    width = max(map(len, (*found.sides, "begins")))
    mine = {**found.sides, "begins": found.first}
    before = [None] * len(mine) if parent is None else [*parent.sides.values(), parent.first]
    widest = max(len(str(share)) for share in mine.values())
    for (name, share), there in zip(mine.items(), before, strict=True):
        beside = "" if parent is None else f"   {parent.title} {there}"
        put(f"  {name.ljust(width)}  {str(share).ljust(widest) if beside else share}{beside}")
    for name, gain in found.gains.items():
        put(f"payoff    {gain} a game for {name}")
    put_luck(found.luck)
    put_rest(found)
    lead = found.lead_changes
    put(f"choices   {found.branching:.1f} moves in a position; the lead changes {lead.median:g} time"
        f"{'s' * (lead.median != 1)} (quartiles {lead.lower:g} to {lead.upper:g})")  # fmt: skip
    if parent is not None:
        lengths = parent.lengths
        moves = f"; {lengths.median:g} moves (quartiles {lengths.lower:g} to {lengths.upper:g})" * bool(lengths.most)
        put(f"beside    {_heading(parent)}{moves}")
    put_endings_by_side(found)
    put(f"{found.verdict}")
    for sentence in compared(found):
        put(sentence)


def _heading(found: Balance, player: str = "") -> str:
    """The title of the games of a variant, with the number of games that nobody won alone."""
    options = "".join(f", {name}={value}" for name, value in found.options.items())
    drawn = "drawn" if len(found.sides) == 2 else "without a sole winner"
    by = f", {player}" if player else ""
    return f"{found.title}{options}{by}: {counted(found.counted, 'game')}, {found.draws} {drawn}"
