"""Which techniques of a search make it stronger in a game: short matches.

The search is the strong one (`pysolve.search.strong`), or that of trees of random games (`pysolve.search.mcts`).

In: a game, a number of nodes for each move, candidates.  Out: for each candidate its test against the best so far,
whose place it takes where the test says that it is stronger.

A match is one of pairs of games from random openings with sides swapped, and ends by the sequential test of
`pysolve.lab.sprt`.  Numbers of nodes are the limit, so a busy machine changes nothing; but a position that is only
looked at one move ahead (`look`, `wins`) costs less time than another and counts as much.  So a candidate may also have
as many nodes as cost the same time of the processor, which is measured before its match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from pysolve.dsl.player_texts import EVALUATE, FILES, MAX, UnknownPlayer, read_player
from pysolve.engines.protocol import EngineError
from pysolve.game import Game
from pysolve.lab.pairs import nodes_in_time, paired
from pysolve.lab.sprt import Sprt
from pysolve.players.techniques import write
from pysolve.runtime import validation
from pysolve.runtime.version import __version__
from pysolve.search import mcts
from pysolve.search.learned import has_estimates
from pysolve.search.mcts import Settings
from pysolve.search.strong import DEFAULT, UNCHANGED, Techniques, has_strong, numbers_of, text_of

STRONG, MCTS = "strong", "mcts"  # the searches
EXAMPLES = {STRONG: "null2+late4", MCTS: "prior=10,bias=0"}  # of candidates
Chosen = Techniques | Settings

# What is tried, one after the other: what gains most in most games comes first.  Techniques that trust the estimate may
# hide each other's faults, so they are left out together, too.
CANDIDATES: tuple[dict[str, int], ...] = (
    {"reduce": 0, "late": 0, "futility": 0}, {"quiet": 0}, {"quiet": 0, "take": 0}, {"quiet": 1}, {"wins": 1},
    {"futility": 0}, {"futility": 12},
    {"late": 0}, {"late": 8}, {"late": 4},
    {"reduce": 0}, {"reduce": 90}, {"null": 2}, {"hopeless": 32}, {"hopeless": 16}, {"look": 4}, {"look": 2},
    {"correct": 1}, {"singular": 6}, {"probable": 24}, {"forced": 1}, {"internal": 4},
    {"keep": 0},
)  # fmt: skip
OF_TREES: tuple[dict[str, Any], ...] = (
    {"grave": 0, "explore": 0.4}, {"explore": 0.2}, {"explore": 0.05}, {"leaf": EVALUATE}, {"bias": 0.0}, {"bias": 2.0},
    {"prior": 5}, {"prior": 20}, {"even": 1000}, {"even": 100}, {"grave": 20}, {"backup": MAX},
)  # fmt: skip
ESTIMATED = {"leaf", "bias", "prior"}  # settings that are of use where there are estimates
BEGIN = DEFAULT
GAMES = 400  # of a candidate, at most
NODES = 5_000
NODES_OF_TREES = 50_000  # each move of a random game is one


@dataclass(frozen=True, slots=True)
class Trial:
    """A candidate, the best before it, and the test of the two so far."""

    candidate: Chosen
    best: Chosen
    test: Sprt
    nodes: tuple[int, int]  # a move of the candidate, and of the best

    @property
    def kept(self) -> Chosen:
        """The techniques that are the best after this test."""
        return self.candidate if self.test.verdict else self.best

    @property
    def changed(self) -> str:
        """What the candidate does otherwise than the best before it, as late0."""
        pairs = zip(self.candidate._asdict().items(), self.best, strict=True)
        changed = [(name, value) for (name, value), before in pairs if value != before]
        if isinstance(self.candidate, Settings):
            return ",".join(f"{name}={value}" for name, value in changed)
        return "+".join(f"{name}{value}" for name, value in changed)

    def to_dict(self) -> dict[str, Any]:
        """For programs: both sides by what differs from the default, and the test."""
        words = {"tried": _words(self.candidate), "against": _words(self.best), "nodes": self.nodes}
        return words | self.test.to_dict()


def _words(techniques: Chosen) -> str:
    """What differs from the default, as the text of a player has it."""
    return mcts.text_of(techniques) if isinstance(techniques, Settings) else text_of(techniques)


def player_text(techniques: Chosen, limit: str, values: str | None = None) -> str:
    """The text of the player who searches by these techniques, as in ``player_text(DEFAULT, "time=1")``, and judges
    positions by the learned values in a file, if one is named.  Raises `UnknownPlayer` for a name with a comma.
    """
    if values and "," in values:
        raise UnknownPlayer(f'values: a comma ends the name of a file, as in "{values}"; give the file another name')
    limit = limit if values is None else f"{limit},values={values}"
    if isinstance(techniques, Settings):
        return ",".join(filter(None, (f"mcts:{limit}", mcts.text_of(techniques))))
    return f"minimax:search=strong,{limit},techniques={text_of(techniques) or UNCHANGED}"


def file_of(techniques: Chosen, game: Game, trials: Sequence[Trial], command: str, seed: int) -> str:
    """The text of a file of techniques, those of the strong search, which these trials have found best in a game."""
    validation.instance("techniques", techniques, Techniques, "techniques of the strong search")
    made = {"pysolve": __version__, "command": command, "seed": seed}
    return write(techniques, game, made, [one.to_dict() for one in trials])  # type: ignore[arg-type]


def begin_with(search: str, game: Game, values: str | None = None) -> tuple[Chosen, Sequence[Mapping[str, Any]], int]:
    """Of a search, by its name: where it begins, what is tried in a game or by learned values, positions a move."""
    if search == STRONG:
        return BEGIN, CANDIDATES, NODES
    tried = [one for one in OF_TREES if values or has_estimates(game.engine) or ESTIMATED.isdisjoint(one)]
    return Settings(), tried, NODES_OF_TREES


def candidate(search: str, text: str) -> dict[str, Any]:
    """What a text changes, as the text of a player has it: techniques of the strong search, as in null2+late4, or
    settings of mcts, as in prior=10,bias=0.  Raises `UnknownPlayer`."""
    found: dict[str, Any]
    if search == STRONG:
        settings = read_player(f"minimax:search={STRONG},techniques={text}", ())[1]
        try:
            found = numbers_of(settings["techniques"]) if settings.keys() == {"search", "techniques"} else {}
        except ValueError as error:
            raise UnknownPlayer(str(error)) from None
    else:
        settings = read_player(f"{MCTS}:{text}", ())[1]
        found = dict(settings) if settings.keys() <= {*Settings._fields} - {*FILES} else {}
    if found:
        return found
    raise UnknownPlayer(f'"{text}" is no candidate; one is like {EXAMPLES[search]}')


def calibrate(
    game: Game,
    nodes: int = NODES,
    games: int = GAMES,
    candidates: Sequence[Mapping[str, Any]] = CANDIDATES,
    begin: Chosen = BEGIN,
    seed: int = 1,
    processes: int = 1,
    by_time: bool = False,
    values: str | None = None,
) -> Iterator[Trial]:
    """The trials, after each pair of games; those of a candidate end where it is decided, or after so many games.

    Those who `begin` say which search it is, by their type.  The `kept` techniques of the last trial are the best.  The
    same arguments give the same trials, but `by_time`: then everyone has as many nodes as cost the time that `nodes`
    cost those who `begin`, as it is measured here.  All judge positions by learned `values`, if a file is named.

    Raises `EngineError` where the engine does not have the strong search, if that is asked for, and
    `UnknownPlayer` where `values` are not for this game.
    """
    validation.instance("game", game, Game, "a Game")
    nodes, games = validation.whole("nodes", nodes, 1), validation.whole("games", games, 2)
    if isinstance(begin, Techniques) and not has_strong(game.engine):
        raise EngineError(f"the strong search is in C alone, and {game.title} is played by Prolog here")
    text = partial(_with_nodes, values)
    best: Any = begin
    in_time = {begin: nodes}
    for candidate in candidates:
        tried = best._replace(**candidate)
        if tried == best:
            continue
        if tried not in in_time:
            in_time[tried] = nodes_in_time(game, text(tried), text(begin), nodes, seed) if by_time else nodes
        trial = Trial(tried, best, Sprt(), (in_time[tried], in_time[best]))
        one, other = (text(each)(in_time[each]) for each in (tried, best))
        for test in paired(game, one, other, games, seed, processes):
            trial = replace(trial, test=test)
            yield trial
            if test.verdict is not None:
                break
        best = trial.kept


def _with_nodes(values: str | None, techniques: Chosen) -> Callable[[int], str]:
    """The text of the player with these techniques, for any number of nodes a move."""
    return lambda nodes: player_text(techniques, f"nodes={nodes}", values)
