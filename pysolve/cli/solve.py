"""The command solve: who wins by best play; a proof in a file, and its check."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pysolve.cli.arguments import (
    AUTO,
    GAME_HELP,
    LONGEST,
    MOST,
    AsJson,
    EngineChoice,
    Options,
    Played,
    PositionText,
    Seed,
    opened,
    played_from,
    position_of,
)
from pysolve.cli.console import complain, counted, put
from pysolve.cli.ending import Stopped, saying_when_stopped
from pysolve.cli.equilibrium import put_equilibrium
from pysolve.cli.files import check_writable, text_file
from pysolve.cli.progress import Work, counter, stages
from pysolve.dsl.player_texts import MOST_STATES, MOST_THREADS
from pysolve.engines.protocol import DoesNotApply
from pysolve.lab.equilibria import CFR, MCCFR, Limits
from pysolve.lab.proofs import Proof, ProofError, Refuted, Replayed, game_of, read, replay, write
from pysolve.lab.solving import ALPHA_BETA, DEFAULT, EXHAUSTIVE, PROOF_NUMBER, Solution, sentence, symmetries_in_time
from pysolve.lab.solving import Limits as SolvingLimits
from pysolve.lab.solving import solve as solved
from pysolve.position import Position
from pysolve.runtime.files import write_whole
from pysolve.search.canonical import NONE
from pysolve.search.hidden.tree import NODES
from pysolve.search.value_iteration import Expectation, expectation

SEARCHES = {ALPHA_BETA: "visited by alpha-beta", PROOF_NUMBER: "proof-number search"}
SHOWN = 20  # moves of the best line
MOST_VISITS = 10**15
BYTES = 140  # of memory for a position of exhaustive solving, as measured for Zola with size=4


class Method(StrEnum):
    """A method of solving a game."""

    auto = "auto"
    exhaustive = EXHAUSTIVE
    alpha_beta = ALPHA_BETA
    proof_number = PROOF_NUMBER
    cfr = CFR
    mccfr = MCCFR


def solve(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=GAME_HELP, show_default=False)] = None,
    options: Options = None,
    position: PositionText = None,
    played: Played = None,
    method: Annotated[
        Method,
        typer.Option(
            "--method",
            help="auto: exhaustive if it fits in memory, otherwise alpha-beta, or proof-number where that gives up and "
            "for one player; with secrets cfr, otherwise mccfr.",
        ),
    ] = Method.auto,
    states: Annotated[
        int, typer.Option("--states", min=1, max=MOST_STATES, help="Largest number of positions in memory.")
    ] = DEFAULT.states,
    nodes: Annotated[
        int | None,
        typer.Option(
            "--nodes",
            "-n",
            min=2,
            max=MOST_VISITS,
            show_default=False,
            help="Limit on the visits of alpha-beta or proof-number search.",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--time", "-t", min=0.001, max=LONGEST, help="Time limit in seconds.", show_default=False),
    ] = None,
    threads: Annotated[
        int, typer.Option("--threads", min=1, max=MOST_THREADS, help="Threads of alpha-beta, which share its table.")
    ] = 1,
    iterations: Annotated[
        int | None,
        typer.Option("--iterations", min=1, max=MOST, show_default=False, help="With secrets: so many iterations."),
    ] = None,
    close: Annotated[
        float | None,
        typer.Option(
            "--close",
            min=0.0,
            max=MOST,
            show_default=False,
            help="With secrets: until nobody gains more than this by playing otherwise.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="With secrets: write the strategy.", show_default=False),
    ] = None,
    proof: Annotated[
        Path | None, typer.Option("--proof", metavar="FILE", help="Write a proof to this file.", show_default=False)
    ] = None,
    check: Annotated[
        Path | None, typer.Option("--check", metavar="FILE", help="Check this proof instead.", show_default=False)
    ] = None,
    symmetries: Annotated[
        bool,
        typer.Option(
            "--symmetries/--no-symmetries", help="Of positions that are images of each other look at one alone."
        ),
    ] = True,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    seed: Seed = 0,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
) -> None:
    """Find out who wins with best play, and prove it.

    Exhaustive solving visits every reachable position and finds the shortest win.
    Proof-number search visits only what a proof needs: first whether the player
    to move wins, then whether the opponent does. Alpha-beta asks the same depth
    first, keeps only --states positions, and is mostly the fastest for large
    games in which positions do not come again. Each question gets half of the
    limit; without a limit the search continues until Ctrl-C. --time limits all
    methods together: without --method the first has half of it, and what follows
    the rest. An endless game is a draw. The exit status is 1 if the question
    stays open.

    A proof contains the move of the winner in each position that can arise,
    whatever the opponent does; for a draw, the moves of both. --check plays all
    these games by the rules alone; the exit status is 1 if one of them does not
    end as claimed.

    In a game with chance, it says what the first player can expect with best
    play: a fraction where no position comes back, else two bounds. --time and
    Ctrl-C end it with the bounds known by then.

    In a game with secrets, it computes an equilibrium: for all that a player may
    know, how likely each move is, so that nobody gains by playing otherwise. By
    CFR+ over all that can happen, up to --states positions, until the gain is
    small (--close), or --iterations, --time or Ctrl-C end it; in larger games by
    samples (MCCFR). -o writes the strategy, and cfr:file=FILE plays it.

    Where the board can be turned or mirrored, or players exchanged, so that the
    rules stay the same, one of all positions that become each other stands for
    all (pysolve show GAME --stage symmetries); proofs have each of them.
    --no-symmetries looks at all.

    In a game of one player, exhaustive solving finds a shortest solution, and
    proof-number search any.

    \b
    Examples:
      pysolve solve tictactoe
      pysolve solve othello size=4 --proof othello4.proof
      pysolve solve --check othello4.proof --engine prolog
      pysolve solve breakthrough width=5 height=5 --method proof-number --time 600
      pysolve solve connect_four width=6 height=6 --method alpha-beta --threads 2
      pysolve solve hex size=4 --play "b2" --json
      pysolve solve kuhn_poker -o kuhn.strategy
    """
    if check is not None:
        if game is not None or position is not None or played is not None or proof is not None:
            raise ProofError("a proof contains its game and position: --check cannot be combined with them")
        raise typer.Exit(_check(check, engine, as_json))
    if game is None:
        raise typer.BadParameter("name a game (see: pysolve games), or --check a proof")
    for file in filter(None, (proof, out)):
        check_writable(file, force)
    if threads > 1 and method is not Method.alpha_beta:
        raise DoesNotApply("--threads is for --method alpha-beta: the other methods have one")
    source = opened(game, options, engine)
    if source.model.secret:
        if position is not None or played is not None:
            raise DoesNotApply("an equilibrium is one of the whole game: leave --position and --play out")
        if proof is not None or method in (Method.exhaustive, Method.alpha_beta, Method.proof_number):
            raise DoesNotApply(f"{source.title} has secrets: no proof and no method but cfr and mccfr applies")
        chosen = None if method is Method.auto else method.value
        room = Limits(NODES if states == DEFAULT.states else states, iterations, seconds, close)
        put_equilibrium(game, source, chosen, room, seed, out, as_json)
        return
    if out or iterations or close is not None or method in (Method.cfr, Method.mccfr):
        what = "-o, --iterations, --close and the methods cfr and mccfr are for games with secrets"
        raise DoesNotApply(f"{source.title} has no secrets: {what}")
    found, _ = played_from(position_of(source, position, seed), played)
    if found.outcome is not None:
        put(json.dumps({"over": str(found.outcome)}) if as_json else f"The game is over; {found.outcome}.")
        return
    if found.game.model.chances or found.game.model.pays:
        _put_expected(found, states, seconds, symmetries, as_json)
        return
    chosen = None if method is Method.auto else method.value
    limits, work = SolvingLimits(states, nodes, seconds, threads), Work()
    with saying_when_stopped(lambda: f"solve stopped without a result{work.told()}"), \
            stages(_prospect(chosen, limits, len(found.game.players)), work) as (begun, tick):  # fmt: skip
        solution = solved(found, chosen, limits, tick, lambda stage: begun(*stage), symmetries)
    put(json.dumps(solution.to_dict(), ensure_ascii=False) if as_json else _told(solution, chosen))
    if proof is not None:
        _write(proof, solution.proof(game), as_json)
    if solution.interrupted:
        raise Stopped(f"solve stopped before all was known{work.told()}")
    if not solution.is_solved:
        raise typer.Exit(1)


def _put_expected(position: Position, states: int, seconds: float | None, symmetries: bool, as_json: bool) -> None:
    """Prints what a game with chance, or one whose endings pay numbers, is worth with best play."""
    game = position.game
    if game.model.timed is not None:
        raise DoesNotApply(f"solve does not apply: the end of {game.title} depends on the game so far; mcts plays it")
    began, left = time.monotonic(), seconds
    work, prospect = Work(), f"it visits up to {states:,} positions (--states), and Ctrl-C tells what is known by then"
    with saying_when_stopped(lambda: f"solve stopped without a result{work.told()}"), \
            stages(prospect, work) as (begun, tick):  # fmt: skip
        group = NONE
        if symmetries:
            group = symmetries_in_time(game, seconds, tick, lambda stage: begun(*stage))
        if seconds is not None:
            left = max(0.0, began + seconds - time.monotonic())
        begun("reachable positions", None)
        found = expectation(game.engine, position.state, states, seconds=left, tick=tick, symmetries=group)
    put(_expected(position, found, group.order, as_json))
    if found.interrupted:
        raise Stopped("solve stopped before the bounds were close")
    if found.stopped:
        raise typer.Exit(1)


def _expected(position: Position, found: Expectation, images: int, as_json: bool) -> str:
    """What a search has found, as text."""
    game = position.game
    move = None if found.best is None else position._move(found.best).text
    if as_json:
        told = {"player": game.players[0], "low": str(found.low), "high": str(found.high), "exact": found.exact,
                "best": move, "positions": found.positions, "images": images, "stopped": found.stopped}  # fmt: skip
        return json.dumps(told, ensure_ascii=False)
    worth = f"exactly {found.low}" if found.exact else f"{float(found.low):.9f} to {float(found.high):.9f}"
    scale = f"of {game.model.most_paid} at most" if game.model.pays else "where 1 is a win and -1 a loss"
    lines = [f"{game.players[0]} can expect {worth}, {scale}"]
    lines += [f"best: {move}"] if move is not None else []
    lines += ["Stopped before these bounds were close: a larger --time may suffice."] if found.stopped else []
    return "\n".join([*lines, f"{counted(found.positions, 'position')} (all reachable ones{_up_to(images)})"])


def _prospect(method: str | None, limits: SolvingLimits, players: int) -> str:
    """A sentence on the most time and memory that solving may take, for a user who has waited a while."""
    if method in (ALPHA_BETA, PROOF_NUMBER):
        ends = "--time or --nodes" if limits.seconds is None and limits.visits is None else "its limit"
        return f"{SEARCHES[method]} goes on until it has an answer, or until {ends} or Ctrl-C ends it"
    room = f"{limits.states:,} positions, some {limits.states * BYTES / 1e9:.1f} GB of memory, before it gives up"
    search = ALPHA_BETA if players > 1 else SEARCHES[PROOF_NUMBER]
    then = "" if method == EXHAUSTIVE else f"; {search} follows, and Ctrl-C ends it"
    return f"exhaustive solving visits up to {room} (--states){then}"


def _told(solution: Solution, method: str | None) -> str:
    """The result in words, the best line, what it took; `method` was asked for."""
    lines = [str(solution)]
    if solution.line:
        alone = len(solution.position.game.players) == 1
        shown = len(solution.line) if alone else SHOWN
        more = ", …" if len(solution.line) > shown else ""
        word = "Best play:" if solution.method == EXHAUSTIVE or alone else "It begins with"
        lines.append(f"{word} {', '.join(map(str, solution.line[:shown]))}{more}")
    if not solution.is_solved:
        lines.append("Larger --time, --nodes or --states may suffice.")
        if method == PROOF_NUMBER and len(solution.position.game.players) == 2:
            lines.append("Where positions do not come again, --method alpha-beta may get further.")
    how = SEARCHES.get(solution.method, "all reachable ones")
    lines.append(
        f"{counted(solution.positions, 'position')} ({how}{_up_to(solution.images)}), {solution.seconds:.1f} s"
    )
    return "\n".join(lines)


def _up_to(images: int) -> str:
    return f" up to {images} symmetries" if images > 1 else ""


def _write(path: Path, proof: Proof, quiet: bool) -> None:
    """Writes a proof in one go, so that a file is never half a proof."""
    if not proof.claims:
        return
    write_whole(path, (f"{line}\n" for line in write(proof)))
    if not quiet:
        moves = sum(len(moves) for _, moves in proof.claims)
        put(f"The proof is in {path}: {counted(moves, 'move')}. Check it with  pysolve solve --check {path}")


# ------------------------------------------------------------------------------------------------- the check


def _check(path: Path, engine: str, as_json: bool) -> int:
    """Replays a proof; the exit status."""
    with text_file(path) as file:
        proof = read(file)
    game = game_of(proof, path.parent, engine)
    start = game.position(proof.position)
    began = time.monotonic()
    try:
        with saying_when_stopped(lambda: f"the check of {path} stopped; it is not known whether the proof holds"), \
                counter("positions") as tick:  # fmt: skip
            seen = list(replay(proof, game, tick))
    except Refuted as error:
        if as_json:
            put(json.dumps({"holds": False, "reason": str(error)}, ensure_ascii=False))
        else:
            complain(ProofError(f"the proof fails: {error}"))
        return 1
    put(_seen_dict(seen, start) if as_json else _seen_told(seen, start, time.monotonic() - began))
    return 0


def _seen_told(seen: Sequence[Replayed], start: Position, seconds: float) -> str:
    positions = counted(sum(one.positions for one in seen), "position")
    return f"The proof holds. {_said(seen, start)}\n{positions} replayed, {seconds:.1f} s"


def _seen_dict(seen: Sequence[Replayed], start: Position) -> str:
    claims = [
        {"player": one.claim.player, "result": one.claim.result, "within": one.longest, "positions": one.positions}
        for one in seen
    ]
    return json.dumps({"holds": True, "said": _said(seen, start), "claims": claims}, ensure_ascii=False)


def _said(seen: Sequence[Replayed], start: Position) -> str:
    """The result of a replayed proof as text, with the lengths that the replay has seen."""
    return f"{start.game.title}{_options(start)}: " + sentence(tuple(one.shown for one in seen), start)


def _options(position: Position) -> str:
    return "".join(f", {name}={value}" for name, value in position.game.options.items())
