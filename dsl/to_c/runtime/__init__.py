"""What every game needs in C, besides its own tables and functions, which stand between `BEFORE` and the rest.

    types         numbers, a position, mistakes, what both sides read and write while a question is answered
    arithmetic    quotients, powers and roots as the rules mean them
    bits          numbers as rows of bits, and bytes compared many at once
    sampling      how a random number draws a move
    sets          sets of up to 64 * N values
    moves         lists of moves, and their order
    stacks        what lies on each other; only in a game with stacks
    ahead         what the rest of a turn is worth; only in a game with `prefer`

    results       results of other than two players
    payments      results that hold payoffs; only in a game that pays them
    answers       what the answers mean
    last_mover    who has just moved; _of_seats where that is not simply the other of two
    learned       learned values, where two players are not paid; evaluated: elsewhere
    api           what Python asks about a position: legal moves, the positions after them, estimates
    perft         sequences of moves
    turns         the positions of one turn, and after it
    sequences     sequences of whole turns
    turns_after   sequences of whole turns after a game so far; only where endings ask how often a position has occurred
    payoffs       what results of other than two players pay, and estimates for each
    playouts      what endings ask of a game so far, and how random games draw a move
    random_games  games of random moves; _of_seats for other than two players
    policy        how likely a learned policy thinks a move, where two play
    tree_search   Monte Carlo tree search
    alpha_beta    the searches of `minimax` and `maxn`, to one depth
    drive         the same deeper and deeper, until a limit is reached
    strong        the strong search of `minimax`, deeper and deeper; only for two players or more, without chance
    canonical     what stands for a position and its images by the symmetries of the rules
    retrograde    every position that can be reached, and what each is worth
    proof         proof-number search
    decide        alpha-beta for the question who wins; only for two players, without chance

    secrets       a position as a player sees it; only in a game with `seen by`

    games         many games at once, in arrays: a program of its own, which has this instead of the searches

    learning      games of learned values against themselves, which learn from them: a program of its own, too
    labels        what searches find out about positions, to learn from
    teaching      games by search, which learn from labels: with these two and the searches a program of its own

    regrets       equilibria of games with secrets, which are given as trees: a program of its own that knows no rules

Each file needs those before it.  What depends on the number of players stands between lines `#if PLAYERS == 2` (or
another comparison of `PLAYERS`), `#else` and `#endif`, what is for moves that nobody chooses behind `#if CHANCE`, what
is for endings that pay numbers behind `#if PAYS`, what is for states that are not seen by all behind `#if SECRETS`, and
what notes labels behind `#if LABELS`: a program is printed with the lines of its game alone.
"""

from __future__ import annotations

import operator
import re
from pathlib import Path

from pysolve.dsl.model import Game

HERE = Path(__file__).parent
BEFORE = "types", "arithmetic", "bits", "sampling", "sets", "moves"
STACKS = ("stacks",)
AHEAD = ("ahead",)
SECRETS = ("secrets",)
ANSWERING = ("answers",)
ANSWERS = *ANSWERING, "last_mover", "learned", "api"
OF_REPEATS = ("turns_after",)
COUNTING = "perft", "turns", "sequences", "playouts", *OF_REPEATS
PLAYING = *ANSWERS, *COUNTING, "random_games", "policy", "tree_search", "alpha_beta", "drive", "strong"
SOLVING = "canonical", "retrograde", "proof", "decide"
LEARNING = *ANSWERS, "perft", "playouts", "learning"
TEACHING = *ANSWERS, *COUNTING, "alpha_beta", "drive", "labels", "strong", "learning", "teaching", "fitting"
MANY_GAMES = *ANSWERS, "perft", "playouts", "random_games", "games"

# What stands in the place of a part where two players do not simply alternate, and where there are not two.
SEATED = {"last_mover": ("last_mover_of_seats",), "moves": ("moves", "results")}
NOT_TWO = {"learned": ("evaluated",), "api": ("api", "payoffs"), "random_games": ("random_games_of_seats",)}
MORE = dict.fromkeys(SOLVING, ())  # where there are more than two: nobody wins by force
# Where endings pay numbers: two players are treated like several, and searches are in Python alone.
OF_PAYMENTS = {
    **SEATED, **NOT_TWO, "moves": ("moves", "results", "payments"),
    **dict.fromkeys(("tree_search", "alpha_beta", "drive", "strong", *SOLVING), ()),
}  # fmt: skip


COMPARED = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt}
PLAYERS_IF = re.compile(r"#if PLAYERS (==|!=|<|>) (\d)$")


def runtime(parts: tuple[str, ...], game: Game) -> str:
    """Some parts of the runtime, one behind the other, as a game needs them."""
    secrets = any(slot.seen for slot in game.slots.values())
    return runtime_for(
        parts, len(game.players.labels), game.alternating, game.repeats, bool(game.chances), game.pays, secrets
    )


def runtime_for(
    parts: tuple[str, ...], players: int, alternating: bool, repeats: bool = False, chance: bool = False,
    pays: bool = False, secrets: bool = False,
) -> str:  # fmt: skip
    """The C text of some parts of the runtime, one behind the other, for so many players.

    `alternating`: two players who simply take turns; `repeats`: an ending asks how often a position has occurred;
    `chance`: there are moves that nobody chooses; `pays`: endings pay numbers; `secrets`: not all is seen by all.
    """
    parts = tuple(part for part in parts if repeats or part not in OF_REPEATS)
    other = {**({} if alternating else SEATED), **({} if players == 2 else NOT_TWO), **(MORE if players > 2 else {})}
    other |= {} if players >= 2 and not chance else {"strong": ()}
    other |= {} if players == 2 and not chance else {"decide": ()}
    other |= OF_PAYMENTS if pays else {}
    named = [one for part in parts for one in other.get(part, (part,))]
    return "\n".join(
        for_players((HERE / f"{part}.c").read_text(encoding="utf-8"), players, chance, pays, secrets, "labels" in named)
        for part in named
    )


def for_players(
    text: str, players: int, chance: bool = False, pays: bool = False, secrets: bool = False, labels: bool = False
) -> str:
    """A text of C without the conditions about players, chance, payoffs, secrets or labels, and what they leave out."""
    decided = {"CHANCE": chance, "PAYS": pays, "SECRETS": secrets, "LABELS": labels}
    kept: list[str] = []
    open_: list[bool | None] = []  # of each condition around a line: does it hold?  None: the compiler decides
    for line in text.splitlines(keepends=True):
        word = line.strip()
        about = PLAYERS_IF.match(word)
        if about:
            open_.append(COMPARED[about[1]](players, int(about[2])))
            continue
        if (named := word.removeprefix("#if ").removeprefix("!")) in decided and word.startswith("#if "):
            open_.append(decided[named] != word.startswith("#if !"))
            continue
        if word.startswith("#if"):
            open_.append(None)
        elif word == "#else" and open_[-1] is not None:
            open_[-1] = not open_[-1]
            continue
        elif word.startswith("#endif") and open_.pop() is not None:
            continue
        if False not in open_:
            kept.append(line)
    return "".join(kept)
