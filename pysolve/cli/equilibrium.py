"""What solve prints of a game with secrets: its value, how certain that is, and a strategy to look at."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

from pysolve.cli.console import console, counted, put
from pysolve.cli.ending import saying_when_stopped
from pysolve.cli.progress import Work, stages
from pysolve.game import Game
from pysolve.lab.equilibria import CFR, CLOSE, Limits, Solved, solve_secret
from pysolve.players.strategies import write
from pysolve.runtime.files import write_whole

SHOWN = 24  # information sets
LEAST = 0.0005  # probability of a move that is shown
LIKELY = 3  # moves of an information set that are shown
LEAST_ROOM = 30  # columns for what a player knows


def put_equilibrium(
    name: str, game: Game, method: str | None, limits: Limits, seed: int, out: Path | None, as_json: bool
) -> None:
    """Solves a game, prints what was found, and writes the strategy to a file."""
    work = Work()
    with saying_when_stopped(lambda: f"solve stopped without a strategy{work.told()}"), \
            stages(_prospect(limits), work) as (begun, tick):  # fmt: skip
        found = solve_secret(game, method, limits, seed, tick, lambda stage: begun(stage, None))
    put(json.dumps(found.to_dict(), ensure_ascii=False) if as_json else "\n".join(_told(found)))
    if out is not None:
        write_whole(out, write(found.strategy(name)))
        if not as_json:
            put(f"The strategy is in {out}: play it as  cfr:file={out}")


def _prospect(limits: Limits) -> str:
    """A sentence on what solving may take, for a user who has waited a while."""
    ends = "a limit" if limits.seconds or limits.iterations or limits.close else f"{CLOSE:g} of the largest payoff"
    return f"iterations go on until {ends} is reached, or Ctrl-C ends them with what is found by then"


def _told(solved: Solved) -> list[str]:
    """What was found, in lines."""
    lines = [*_worth(solved), *_table(solved)]
    what = "node" if solved.method == CFR else "position"
    sets = counted(len(solved.rows), "information set")
    many = f"{counted(solved.positions, what)}, {sets}, {counted(solved.iterations, 'iteration')}"
    how = "CFR+" if solved.method == CFR else "MCCFR by external sampling"
    return [*lines, f"{many} of {how}, {solved.seconds:.1f} s"]


def _worth(solved: Solved) -> list[str]:
    """What the game is worth, and what a player could gain."""
    found = solved.found
    if found is None:
        return ["Found by samples: how close this strategy is to an equilibrium is not known."]
    gain = f"exploitability {found.exploitability:.2g}"
    if solved.bounds is not None:
        first, (low, high) = solved.game.players[0], solved.bounds
        about = "" if solved.fraction is None else f": {solved.fraction}, it seems"
        return [f"The game is worth {_exact(found.worth[0])} to {first}{about}",
                f"certainly between {_exact(low)} and {_exact(high)} ({gain})"]  # fmt: skip
    worth = ", ".join(f"{name} {_exact(one)}" for name, one in (solved.worth or {}).items())
    if len(solved.game.players) == 1:
        return [f"The game is worth {_exact(found.worth[0])} ({gain})"]
    return [f"With this strategy players can expect: {worth}",
            f"Together they could gain {found.nash_conv:.2g} by leaving it, each alone (NashConv); "
            "with more than two players CFR+ need not come to an equilibrium"]  # fmt: skip


def _exact(value: float) -> str:
    """A payoff to six places; what is nearly nothing has no sign."""
    return f"{round(value, 6) + 0.0:.6f}"


def _table(solved: Solved) -> list[str]:
    """The first information sets: the player, what the player knows, and how likely each move is."""
    rows = [(solved.game.players[one.player - 1], solved.brief(one), _parts(solved.moves(one, parts)))
            for one, parts in solved.rows[:SHOWN]]  # fmt: skip
    left = max((len(player) for player, *_ in rows), default=0)
    right = max((len(parts) for *_, parts in rows), default=0)
    width = max((len(known) for _, known, _ in rows), default=0)
    width = min(width, max(LEAST_ROOM, console().width - left - right - 4))
    lines = [f"{player:<{left}}  {_shortened(known, width):<{width}}  {parts}" for player, known, parts in rows]
    more = len(solved.rows) - len(rows)
    return ["", *lines, *([f"… and {more:,} more: -o FILE writes them all"] if more else []), ""]


def _parts(moves: dict[str, float]) -> str:
    """The moves that are played, or the most likely ones of many, in canonical order."""
    least = sorted(moves.values(), reverse=True)[:LIKELY][-1]
    played = {text: part for text, part in moves.items() if part >= max(LEAST, least)}
    shown = [f"{text} {part:.3f}" for text, part in islice(played.items(), LIKELY)]
    more = sum(part >= LEAST for part in moves.values()) - len(shown)
    return ", ".join([*shown, *([f"and {more} more"] if more else [])])


def _shortened(text: str, width: int) -> str:
    """The text, or its end if it is longer: what happened last tells more."""
    return text if len(text) <= width else f"…{text[1 - width :]}"
