"""Commands that let programs play each other: match, tournament; and store, for the games that were kept."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from pysolve.cli.arguments import AUTO, MOST, AsJson, EngineChoice, GameName, opened, split_options
from pysolve.cli.beside import Beside, beside_of
from pysolve.cli.console import counted, put, remark
from pysolve.cli.endings import Parents, put_endings
from pysolve.cli.files import save_record
from pysolve.cli.playing import (
    WHO,
    Adjudicate,
    ClusterAddress,
    HtmlFile,
    Limit,
    Opening,
    Out,
    ParentToo,
    PlotFile,
    ProcessCount,
    Room,
    Seeded,
    StoreFile,
    TableFile,
    aligned,
    check_report,
    check_rows,
    command_line,
    ended,
    find_functions,
    game_dict,
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
from pysolve.lab.games import LIMIT, OPENING, Job, Played, distinct
from pysolve.lab.match import Standing, jobs_of_all, series_of, standing
from pysolve.lab.orders import games_in_all
from pysolve.lab.ratings import Rating, ranked_ratings, ratings
from pysolve.lab.report import TournamentReport, shared
from pysolve.lab.store import Held, Series, Store, StoreError
from pysolve.lab.tables import Row, game_rows
from pysolve.lab.tournament import Crosstable, crosstable, tournament_jobs
from pysolve.lab.workers import NamedGame
from pysolve.notation import record as records
from pysolve.runtime.optional import MissingLibrary
from pysolve.runtime.version import __version__


def match(
    game: GameName,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="A B [OPTION=VALUE]...",
            help=f"Two players, or as many as the game has seats at most, {WHO}",
            show_default=False,
        ),
    ],
    games: Annotated[int, typer.Option("--games", "-g", min=1, max=MOST, help="Number of games.")] = 20,
    seed: Seeded = 1,
    opening: Opening = OPENING,
    max_moves: Limit = LIMIT,
    adjudicate: Adjudicate = None,
    parent: ParentToo = False,
    table: TableFile = None,
    store: StoreFile = None,
    out: Out = None,
    processes: ProcessCount = None,
    cluster: ClusterAddress = None,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
) -> None:
    """Play a match between two programs: which one is stronger?

    Games are played in pairs that begin with the same random moves, with the
    seats swapped. A game that does not end counts as a draw. If both players are
    deterministic, equal games count once. The score has a 95% interval (Wilson).
    The same seed gives the same games for any number of processes, except for
    players with a time limit. Ctrl-C stops the match; the games played so far
    count and are kept. With --store the same command resumes it. --table writes
    a row for each game. A table says how many games each ending of the rules
    decided, and for whom; --parent plays a variant's parent, too, and puts its
    games beside them.

    In a game for other than two players, each game divides one point among its
    seats, as it pays them. The players take the seats in all orders, in rounds
    that begin with the same random moves; fewer players than seats have several
    seats each.

    \b
    Examples:
      pysolve match conga minimax:depth=4 random
      pysolve match zola minimax:depth=2 greedy size=4 --games 50 --seed 3
      pysolve match yoxii minimax:time=0.1 mcts:time=0.1 --processes 1 --out games
      pysolve match conga minimax:depth=6 mcts --games 1000 --store conga.db
      pysolve match zola greedy random --json
    """
    chosen, players = _options_and_players(words)
    there = opened(game, chosen, engine)
    if len(there.players) == 2 != len(players):
        raise typer.BadParameter(f"a match needs two players, not {len(players)}; pysolve tournament takes more")
    find_functions(players)
    rules = rules_of(opening, max_moves, adjudicate)
    jobs = jobs_of_all(there, players, seed, rules)
    series = series_of("match", game, there, players, seed, rules)
    check_rows(table)
    beside = beside_of(there, players, jobs_of_all, parent)
    tables = [NamedGame(there, game), *([] if beside is None else [beside.named])]
    again = _again("match", game, [*players, *chosen], games, series, parent)
    if len(there.players) != 2:
        with room(tables, games, processes, cluster, store, out) as here:
            _play_table(there, players, here, series, jobs, games, again, as_json, out, beside, table=table)
        return
    played: list[Played] = []
    wins, draws = [0, 0], 0
    try:
        with room(tables, games, processes, cluster, store, out) as here, steps(games * len(tables), "games") as bar:
            for one, step in here.play(0, series, jobs, games, "games", step=bar):
                played.append(one)
                if one.winner is None:
                    draws += 1
                else:
                    wins[one.seats[one.winner]] += 1
                step(f"{wins[0]} won, {draws} drawn, {wins[1]} lost")
            if beside is not None:
                beside.play(here, series, len(played), bar)
    except KeyboardInterrupt:
        raise ended("match", len(played), games) from None
    finally:
        if played:
            found = standing(there, played)
            before = standing(beside.named.game, beside.games) if beside is not None and beside.games else None
            if as_json:
                put(json.dumps(_told(series, found, again, played, beside, before)))
            else:
                _put_standing(there, (players[0].strip(), players[1].strip()), found, beside, before)
                put_where(out)
            put_rows(table, _rows(series, played, beside), as_json)


def _rows(series: Series, played: Sequence[Played], beside: Beside | None) -> list[Row]:
    """The rows of a table; where a parent is played beside, they say of which game they are."""
    if beside is None:
        return game_rows(played)
    return [*game_rows(played, {"game": series.game}), *game_rows(beside.games, {"game": beside.named.name})]


def _again(command: str, game: str, words: Sequence[str], games: int, series: Series, parent: bool) -> str:
    """The command that plays a series again."""
    opening, limit, adjudication = series.rules
    settings = {"games": games, "seed": series.seed, "opening": opening, "max-moves": limit, "adjudicate": adjudication}
    return command_line(command, game, words, settings) + " --parent" * parent


def _told(
    series: Series, found: Standing | Crosstable, again: str, played: Sequence[Played], beside: Beside | None,
    before: Standing | Crosstable | None, more: Mapping[str, Any] = {},
) -> dict[str, Any]:  # fmt: skip
    """The request, the results and the games as nested objects, for JSON."""
    asked = {key: value for key, value in series.to_dict().items() if key != "command"}
    told = {**asked, **found.to_dict(), **more}
    if beside is not None and before is not None:
        told["parent"] = {"title": beside.title, "rules": beside.named.game.model.digest, **before.to_dict()}
    return {**told, "again": again, "version": __version__, "games": [game_dict(one) for one in played]}


def _ended_beside(beside: Beside | None, before: Standing | Crosstable | None) -> Parents | None:
    """The endings of the parent's games; None if these were not played."""
    if beside is None or before is None:
        return None
    return Parents(beside.title, before.played - before.duplicates, before.endings)


def _put_standing(
    game: Game, players: tuple[str, str], found: Standing, beside: Beside | None, before: Standing | None
) -> None:
    """Prints the standing of a match for people."""
    one, other = players
    if one == other:
        one, other = f"{one} (A)", f"{other} (B)"
    distinct = found.played - found.duplicates
    put(f"{counted(distinct, 'game')} of {game.title}: {one} won {found.wins[0]}, drew {found.draws}, "
        f"lost {found.wins[1]} against {other}")  # fmt: skip
    put(f"score     {found.score}")
    if found.payoff is not None:
        put(f"payoff    {found.payoff} a game")
    for seat, (points, there) in found.by_seat.items():
        put(f"  as {seat:<8} {points:g} of {there}")
    put_luck(found.luck)
    put_rest(found)
    seconds, processor = (
        ", ".join(f"{1000 * one:,.3g} ms" for one in two or ()) for two in (found.seconds, found.processor)
    )
    put(f"a move    {seconds}{f'; of the processor {processor}' if processor else ''}")
    if beside is not None and before is not None:
        put(f"beside    {counted(before.played - before.duplicates, 'game')} of {beside.title}: won {before.wins[0]}, "
            f"drew {before.draws}, lost {before.wins[1]}; score {before.score}")  # fmt: skip
    put_endings(found.endings, ("won", "drawn", "lost"), lambda one: (one.won_by[0], one.draws, one.won_by[1]),
                _ended_beside(beside, before))  # fmt: skip


# ------------------------------------------------------------------------------------------ tournament


def tournament(
    game: GameName,
    words: Annotated[
        list[str],
        typer.Argument(metavar="[OPTION=VALUE]... PLAYER PLAYER...", help=f"The players, {WHO}", show_default=False),
    ],
    games: Annotated[int, typer.Option("--games", "-g", min=1, max=MOST, help="Games for each pair of players.")] = 20,
    seed: Seeded = 1,
    opening: Opening = OPENING,
    max_moves: Limit = LIMIT,
    adjudicate: Adjudicate = None,
    parent: ParentToo = False,
    html: HtmlFile = None,
    plot: PlotFile = None,
    table: TableFile = None,
    store: StoreFile = None,
    out: Out = None,
    processes: ProcessCount = None,
    cluster: ClusterAddress = None,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
) -> None:
    """Let every player play every other: a table of points, and ratings.

    Each two players play pairs of games that begin with the same random moves,
    with the seats swapped; an odd number of --games is made even. A game that
    does not end counts as a draw. If the players are deterministic, equal games
    count once. Ratings are in Elo points around the mean of all players, with
    their 95% intervals, by the model of Bradley and Terry; they need choix
    (pip install 'pysolve-games[lab]'). In a game for other than two players every
    group that fills the seats plays in all orders, --games is for each group, and
    ratings are by the model of Plackett and Luce. --html writes a page with the table and
    plots, --plot only the plots, --table a row for each game. Ctrl-C stops the tournament; the games played so
    far count. With --store the same command resumes it. How games ended is told as in a match.

    \b
    Examples:
      pysolve tournament zola random greedy minimax:depth=2 size=4
      pysolve tournament conga greedy mcts minimax:depth=4 --games 100 --store conga.db
      pysolve tournament chess easy hard mcts --adjudicate 500,8 --html chess.html
      pysolve tournament zola greedy random --json
    """
    chosen, players = _options_and_players(words)
    find_functions(players)
    rules = rules_of(opening, max_moves, adjudicate)
    there = opened(game, chosen, engine)
    jobs = tournament_jobs(there, players, seed, rules)
    series = series_of("tournament", game, there, players, seed, rules)
    total = games_in_all(len(players), games, len(there.players))
    again = _again("tournament", game, [*chosen, *players], games, series, parent)
    beside = beside_of(there, players, tournament_jobs, parent)
    tables = [NamedGame(there, game), *([] if beside is None else [beside.named])]
    check_report(html, plot)
    check_rows(table)
    with room(tables, total, processes, cluster, store, out) as here:
        _play_table(there, players, here, series, jobs, total, again, as_json, out, beside, html, plot, table)


def _play_table(
    game: Game, players: Sequence[str], here: Room, series: Series, jobs: Iterator[Job], total: int, again: str,
    as_json: bool, out: Path | None, beside: Beside | None, html: Path | None = None, plot: Path | None = None,
    table: Path | None = None,
) -> None:  # fmt: skip
    """Plays the games of a table, and says how it stands at their end, or when Ctrl-C has stopped them."""
    played: list[Played] = []
    points = [0.0] * len(players)
    try:
        with steps(total if beside is None else 2 * total, "games") as bar:
            for one, step in here.play(0, series, jobs, total, "games", step=bar):
                played.append(one)
                for who in set(one.seats):
                    points[who] += one.points(who)
                leader = max(range(len(players)), key=points.__getitem__)
                step(f"{players[leader]} leads")
            if beside is not None:
                beside.play(here, series, len(played), bar)
    except KeyboardInterrupt:
        raise ended(series.command, len(played), total) from None
    finally:
        if played:
            found = crosstable(players, game.players, played, game)
            rated = _rated(game, found, played)
            before = _table_beside(players, beside)
            if as_json:
                rates = {"ratings": None if rated is None else [one._asdict() for one in rated]}
                put(json.dumps(_told(series, found, again, played, beside, before, rates)))
            else:
                _put_crosstable(game, found, rated, beside, before)
                put_where(out)
            title = "" if beside is None else beside.title
            put_report(TournamentReport(_title(game), again, found, rated, title, before), html, plot, as_json)
            put_rows(table, _rows(series, played, beside), as_json)


def _table_beside(players: Sequence[str], beside: Beside | None) -> Crosstable | None:
    """The crosstable of the parent's games; None if these were not played."""
    if beside is None or not beside.games:
        return None
    return crosstable(players, beside.named.game.players, beside.games, beside.named.game)


def _title(game: Game) -> str:
    return ", ".join([game.title, *(f"{name}={value}" for name, value in records.option_words(game).items())])


def _options_and_players(words: list[str]) -> tuple[list[str], tuple[str, ...]]:
    """Options of the game and players, in whatever order."""
    chosen = [word for word in words if split_options([word])[0]]
    return chosen, tuple(word for word in words if word not in chosen)


def _rated(game: Game, found: Crosstable, played: Sequence[Played]) -> list[Rating] | None:
    """The ratings; None, and a remark, where their library is missing; None, too, where everybody plays alone."""
    try:
        if len(game.players) == 2:
            return ratings([[cell.points for cell in row] for row in found.cells])
        alone = len(game.players) == 1 or len(found.players) == 1
        return None if alone else ranked_ratings(len(found.players), distinct(played), game.model.ranks)
    except MissingLibrary as error:
        remark(str(error))
        return None


def _put_crosstable(
    game: Game, found: Crosstable, rated: list[Rating] | None, beside: Beside | None, before: Crosstable | None
) -> None:
    """Prints a tournament for people: the players, the best first, with the points of each against each."""
    put(f"{counted(found.played - found.duplicates, 'game')} of {game.title}")
    rows = [["", "player", *([] if rated is None else ["rating"]), "points", *map(str, range(1, len(found.order) + 1))]]
    for place, who in enumerate(found.order, 1):
        rating = [] if rated is None else [str(rated[who])]
        against = [str(found.cells[who][other]) if other != who else "" for other in found.order]
        made = str(found.shares[who] if found.shares else found.total(who))
        rows.append([str(place), found.players[who], *rating, made, *against])
    for line in aligned(rows):
        put(line)
    width = max(8, *map(len, found.of_seats)) if found.of_seats else 8
    for name, made_there in (found.of_seats or found.by_seat).items():
        put(f"  as {name:<{width}} {made_there}")
    put_luck(found.luck)
    put_rest(found)
    if found.seconds:
        put(f"a move    {', '.join(f'{1000 * found.seconds[who]:,.3g} ms' for who in found.order)}")
    places = [str(place) for place in range(1, len(found.order) + 1)]
    if beside is not None and before is not None:
        made = ", ".join(str(before.shares[who] if before.shares else before.total(who)) for who in found.order)
        put(f"beside    {counted(before.played - before.duplicates, 'game')} of {beside.title}: points {made}")
    put_endings(found.endings, [*places, shared(len(found.by_seat))],
                lambda one: [*(one.won_by[who] for who in found.order), one.draws],
                _ended_beside(beside, before))  # fmt: skip


# ----------------------------------------------------------------------------------------------- store


def store(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file given to --store.", show_default=False)],
    series: Annotated[
        int | None, typer.Argument(metavar="SERIES", min=1, max=MOST, help="Its number.", show_default=False)
    ] = None,
    game: Annotated[
        int | None, typer.Argument(metavar="GAME", min=1, max=MOST, help="Its number.", show_default=False)
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FOLDER", help="Write the games to this folder.", show_default=False),
    ] = None,
    table: TableFile = None,
    as_json: AsJson = False,
) -> None:
    """Show the contents of a store: its series, the games of a series, or the record of a game.

    A series contains the games of one match, one tournament or one variant of a
    balance, with its players, rules and seed. The record of a game is what replay
    and analyse read.

    \b
    Examples:
      pysolve store conga.db                  the series
      pysolve store conga.db 1                the games of the first one
      pysolve store conga.db 1 7 > game.txt   its seventh game
      pysolve replay game.txt
      pysolve store conga.db 1 --out games    all of them as files
      pysolve store conga.db 1 --table games.csv
    """
    check_rows(table)
    with closing(Store(file, create=False)) as found:
        if series is not None:
            _put_games(found, series, game, out, table, as_json)
        elif out is not None or table is not None:
            asked = "--out" if out is not None else "--table"
            raise StoreError(f"{asked} writes the games of one series: give its number")
        else:
            _put_series(found.series(), as_json)


def _put_series(found: list[Held], as_json: bool) -> None:
    if as_json:
        put(json.dumps([{"series": one.number, **one.told, "played": one.games, "played_by": list(one.played_by)}
                        for one in found]))  # fmt: skip
        return
    rows = [["", "what", "games", "seed"]]
    for one in found:
        options = "".join(f" {name}={value}" for name, value in one.told["options"].items())
        what = f"{one.told['command']} {one.told['game']}{options}: {' - '.join(one.told['players'])}"
        rows.append([str(one.number), what, str(one.games), str(one.told["seed"])])
    for line in aligned(rows):
        put(line)


def _put_games(
    found: Store, series: int, game: int | None, out: Path | None, table: Path | None, as_json: bool
) -> None:
    if series not in {held.number for held in found.series()}:
        raise StoreError(f"{found.path} has no series {series}")
    games = list(found.games(series, game))
    if game is not None and not games:
        raise StoreError(f"{found.path} has no game {game} in series {series}")
    put_rows(table, game_rows(games), as_json)
    if out is not None:
        _write(games, out)
    elif as_json:
        told = [game_dict(one) for one in games]
        put(json.dumps(told if game is None else told[0]))
    elif game is not None:
        put(records.write(games[0].record).rstrip())
    elif table is None:
        _put_stored(games)


def _write(games: list[Played], folder: Path) -> None:
    """The records of games, each in a file that was not there before."""
    paths = [folder / f"{one.number:04}.txt" for one in games]
    for path in paths:
        if path.exists():
            raise FileExistsError(17, "the file exists; choose another folder", str(path))
    folder.mkdir(parents=True, exist_ok=True)
    for path, one in zip(paths, games, strict=True):
        save_record(path, one.record)
    put(f"{counted(len(games), 'game')} written; pysolve replay shows them")


def _put_stored(games: list[Played]) -> None:
    rows = [["", "players", "moves", "result"]]
    for one in games:
        players = ", ".join(f"{name}: {who}" for name, who in one.record.players.items())
        rows.append([str(one.number), players, str(one.length), one.record.result])
    for line in aligned(rows):
        put(line)
