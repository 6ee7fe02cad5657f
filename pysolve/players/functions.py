"""Players: a player is a function that chooses.

In: a position whose game goes on.  Out: one of its legal moves.  A player is named by a text, for every game:

    human                       a person; that one is asked in `pysolve.cli`
    random                      all legal moves are equal
    greedy                      the `evaluate` block, one move ahead; greedy:turn looks one whole turn ahead,
                                greedy:replies=1 at the turn and the opponent's reply, where each of the two is greedy
    minimax:depth=3             alpha-beta; also time=2 (seconds a move), nodes=100000 (positions a move), turns=2
                                (whole turns deep; with time, too, the turn is looked for at once, in the time of all
                                its moves), stuck=loses (an opponent who can only pass has lost),
                                search=strong (two players or more: late moves less deep, in C),
                                quiet=captures (moves that go on beyond, or kinds of moves, with +),
                                onward (back to a position that it has moved to before only where all else loses for
                                sure)
    maxn:depth=3                max-n, every player plays for themselves; also time, nodes, turns
    mcts:playouts=2000          UCT; also nodes=100000 (positions a move, those of random games included), time=1,
                                leaf=evaluate, explore=0.4, bias=0.5, backup=max, prior=10 (visits for which the
                                estimate of a move counts), policy=FILE (moves that a learned policy thinks likely come
                                first), puct=0.5 (how much that counts), grave=50 (moves are judged by games in which
                                they come later, too, as positions with so many visits know them; 0 leaves that out),
                                even=300 (visits after which a move's own ones count as much as those), trees=4 (grow at
                                once, each so long), turn (the limits of all moves of a turn are used up before its
                                first)
    ismcts:playouts=1000        in a game with secrets information set Monte Carlo tree search, by what the player knows
                                and nothing else; also nodes=100000, time=1, explore=0.7, guesses=256 (states that it
                                thinks possible at a time)
    cfr:file=FILE               in a game with secrets, draws moves by a strategy that `pysolve solve -o FILE` has found
    solver                      best play, as soon as the rest of the game can be solved; also states=5000000

A text like  uci:stockfish  names another program; these are not here but in `pysolve.players.outside`.

In a game of three players or more minimax is paranoid, as if all others were one opponent.

In a game with secrets random plays, and who is told so with `cheat=on`: then the others look at all of the position.

Of equal moves greedy, minimax and maxn play with `ties=first` or `last` the one that stands first or last among the
legal moves, with `top` or `bottom` the same as a board is read, from the top or from the bottom, with `random` one by
lot.  Without it greedy draws lots, minimax plays the one that it finds first, which follows no rule, and maxn the one
that stands first.

With `terms=men+mobility` only these lines of the `evaluate` block count; with `onesided=men` what this line says for
the opponent is not subtracted.  With `values=FILE` greedy, minimax and mcts think by learned values (`pysolve learn`);
the leaves of mcts are judged by them, without random games, unless leaf=playout is set.  With `by=FILE` greedy,
minimax, maxn and mcts think by the `evaluate` block, and the moves, of other rules about the same positions; values and
a policy are then those of these rules.  A file is looked for here, and beside the rules of the game.  A game may have
names for some of them, its levels (`level easy "minimax:depth=1"` in the rules).

What leaves something to chance draws it from the seed, so the same seed makes the same moves, except where time is the
limit.  In a turn of several moves a player is asked for each of them.
"""

from __future__ import annotations

import random as chances
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from pysolve.dsl import stays_inside
from pysolve.dsl.player_texts import (
    EVALUATE,
    FILES,
    LOT,
    PERSON,
    PLAYOUT,
    STRONG,
    UnknownPlayer,
    check_player,
    known_players,
    read_player,
)
from pysolve.engines.protocol import Engine, EngineError, State
from pysolve.engines.protocol import Move as Numbers
from pysolve.game import Game, other_game
from pysolve.players.own_rules import OwnRules, by_own_rules
from pysolve.players.policies import PolicyError, policy_in
from pysolve.players.strategies import Strategy, StrategyError, strategy_in
from pysolve.players.techniques import techniques_beside
from pysolve.players.values import ValuesError, values_file_in, values_in
from pysolve.position import Move, Position, nobody_chooses
from pysolve.runtime import validation
from pysolve.search import greedy as looking
from pysolve.search.forest import Forest
from pysolve.search.hidden.belief import GUESSES, Belief
from pysolve.search.hidden.ismcts import EXPLORE as UNDECIDED
from pysolve.search.hidden.ismcts import ismcts
from pysolve.search.history import History
from pysolve.search.learned import Values
from pysolve.search.maxn import maxn
from pysolve.search.mcts import Branch, Settings, Tree, mcts, place_of, planted, unproven
from pysolve.search.mcts import Result as Sampled
from pysolve.search.minimax import Result, minimax
from pysolve.search.perfect import Perfect
from pysolve.search.policy import Policy
from pysolve.search.strong import Memory, Techniques, has_strong, no_strong, strong, techniques_of
from pysolve.search.ties import preferred
from pysolve.search.turns import Way

Player = Callable[[Position], Move]
Thought = Result | Sampled  # what a search has found
Report = Callable[[Thought], None]  # called with each depth that minimax finishes, and before the move is played


class Resigned(EngineError):
    """A player gives up instead of choosing a move."""


def silent(_: Thought) -> None:
    """A report that does nothing."""


DEPTH = 3  # of minimax without a limit
LATER = 1 << 32  # from the seed of a search to that of what follows it
PLAYOUTS = 1000  # of mcts without a limit
SOLVED = 300_000  # positions that a solver keeps
DRAWING = ("random", "mcts", "ismcts", "cfr")  # by lots; by default greedy, too, draws one of equal moves


@dataclass(frozen=True, slots=True)
class Specification:
    """A player as named by a text, with its settings."""

    text: str  # as given: it may be the name of a level
    name: str
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def is_person(self) -> bool:
        """True for a player whose moves are typed."""
        return self.name == PERSON

    @property
    def repeatable(self) -> bool:
        """True if the same seed always makes the same moves."""
        return not self.is_person and "time" not in self.settings

    @property
    def deterministic(self) -> bool:
        """True if the moves depend on the game alone, neither on chance nor on a clock."""
        ties = self.settings.get("ties", LOT if self.name == "greedy" else None)
        return self.repeatable and self.name not in DRAWING and ties != LOT

    @property
    def needs_native(self) -> bool:
        """True if the search that is asked for is in C alone, so that another one plays where there is no compiler."""
        return self.settings.get("search") == STRONG

    def check(self, game: Game) -> None:
        """Raises `UnknownPlayer` if the settings name something that the game does not have."""
        check_player(self.name, self.settings, game.model)
        if self.needs_native:
            techniques_for(self.settings.get("techniques", ()), game, self.settings.get("values"))
            if not has_strong(game.engine):
                warnings.warn(f"search=strong: {no_strong(game.engine)}", RuntimeWarning, stacklevel=2)
        if "file" in self.settings:
            _strategy(self.settings["file"], game)
        learned = {"policy", "values"} & self.settings.keys()
        rules = other_game(game, self.settings["by"]) if learned and "by" in self.settings else game
        if "policy" in self.settings:
            policy_for(self.settings["policy"], rules)
        if "values" in self.settings:
            file = self.settings["values"]
            if values_for(file, rules).net and self.settings.get("search") != STRONG:
                better = f"minimax:search=strong,values={file}"
                warnings.warn(
                    f"{file} is a net, which is for the strong search: {better}", RuntimeWarning, stacklevel=2
                )

    def player(self, seed: int | None = None, report: Report = silent) -> Player:
        """The player, whose random draws come from the seed and who calls `report` with each search result.

        Raises `UnknownPlayer` for a person, who has to be asked.
        """
        if self.is_person:
            raise UnknownPlayer(
                f"{PERSON} is a human player, but there is no keyboard here; {known_players(people=False)}"
            )
        if "by" not in self.settings:
            return choosing(_made(self.name, self.settings, seed, report))

        def hear(thought: Thought) -> None:
            report(unproven(thought) if isinstance(thought, Sampled) else thought)

        ignorant = {key: one for key, one in self.settings.items() if key not in ("policy", "puct", "values")}
        by_others = _made(self.name, self.settings, seed, hear)
        return choosing(thinking_by(self.settings["by"], by_others, _made(self.name, ignorant, seed, report)))

    def __str__(self) -> str:
        return self.text


def specification(text: str, levels: Mapping[str, str] = {}) -> Specification:
    """The player that a text names, or one of a game's levels; raises `UnknownPlayer` with the known names."""
    text = validation.text("text", text).strip()
    validation.instance("levels", levels, Mapping, "a mapping of names to players")
    return Specification(text, *read_player(levels.get(text, text), tuple(levels)))


def player(text: str, seed: int | None = None, levels: Mapping[str, str] = {}, report: Report = silent) -> Player:
    """The player that a text names, as in ``player("minimax:depth=3")``; raises `UnknownPlayer`.

    It raises `IndexError` for a position in which the game is over or chance moves.
    `report` hears what greedy, minimax and mcts think of each move that they search for.
    """
    return specification(text, levels).player(seed, report)


# ------------------------------------------------------------------------------------------- players


def random(seed: int | None = None) -> Player:
    """A player that draws uniformly from the legal moves; the same seed gives the same moves."""
    rng = chances.Random(seed)
    return lambda position: position.legal_moves.sample(rng)


def greedy(seed: int | None = None, report: Report = silent, ties: str = LOT, onesided: tuple[str, ...] = ()) -> Player:
    """The move after which the `evaluate` block is highest; of equal moves the one that `ties` prefers."""
    rng = chances.Random(seed)

    def choose(position: Position) -> Move:
        values = looking.values(_eyes(position, onesided).engine, position.state, history_of(position))
        move = _numbered(position, _best(position, values, ties, rng))
        report(Result(max(values), (move.numbers,), 1, len(values)))
        return move

    return choose


def greedy_turn(seed: int | None = None, ties: str = LOT, onesided: tuple[str, ...] = (), replies: int = 0) -> Player:
    """The turn after which the `evaluate` block is highest, move by move.

    With `replies` a turn is its first move and the best that can follow it; it is worth what both players see after so
    many turns of both, which are greedy, too.
    """
    rng = chances.Random(seed)
    plan: dict[tuple[Game, State], Numbers] = {}  # what is left of the turn

    def choose(position: Position) -> Move:
        game, state = position.game, position.state
        if (game, state) not in plan:
            turn = answered(position) if replies else alone(position)
            plan.clear()
            plan.update(zip(((game, before) for before in (state, *turn.states)), turn.moves, strict=False))
        return _chosen(position, plan[game, state])

    def alone(position: Position) -> Way:
        return looking.best_turn(_eyes(position, onesided).engine, position.state, history_of(position), ties, rng)

    def answered(position: Position) -> Way:
        game = position.game
        engines = {
            who: by_own_rules(game, who, OwnRules(onesided=onesided)).engine for who in game.model.players.values()
        }
        found = looking.turns_with_replies(
            engines, game.engine, position.state, replies, history_of(position), ties, rng
        )  # fmt: skip
        return found[_best(position, [value for value, _ in found], ties, rng)][1]

    return choose


def _eyes(position: Position, onesided: tuple[str, ...]) -> Game:
    """The game as the player to move looks at it."""
    return by_own_rules(position.game, position.state[0], OwnRules(onesided=onesided))


def _best(position: Position, values: Sequence[int], ties: str, rng: chances.Random) -> int:
    """The index of the best move, by the values of all; of equal moves the one that `ties` prefers."""
    best = [index for index, value in enumerate(values) if value == max(values)]
    if ties == LOT:
        return rng.choice(best)
    moves = [position.node.moves[index] for index in best]
    return best[preferred(position.game.model, moves, ties, rng)[0]]


def searching(
    depth: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    turns: int | None = None,
    quiet: Sequence[str] = (),
    onward: bool = False,
    threads: int = 1,
    report: Report = silent,
    ties: str | None = None,
    seed: int | None = None,
    each: bool = False,
    by_strong: bool = False,
    techniques: Sequence[str] = (),
    values: str | None = None,
) -> Player:
    """Minimax, or with `each` max-n, as deep as the limits allow; to depth `DEPTH` if there is no limit.

    `by_strong`: by the strong search (`pysolve.search.strong`), where the engine has it, with `techniques`, or if none
    are named those of a file beside the rules, or beside that of the learned values by which positions are judged
    (`pysolve.players.techniques`).
    """
    if depth is None and seconds is None and nodes is None and turns is None:
        depth = DEPTH
    trail = _Trail()
    rng = chances.Random(seed)
    plan: dict[tuple[Game, State], Numbers] = {}  # what is left of the turn

    def choose(position: Position) -> Move:
        planned = plan.get((position.game, position.state))
        trail.reach(position)
        left = trail.left if onward else ()
        if len(position.legal_moves) == 1:
            move = _numbered(position, 0)
        elif planned is not None and _after(position, planned) not in left:
            move = _chosen(position, planned)
        else:
            found = search(position, left)
            assert found.best is not None
            report(found)
            move = _chosen(position, found.best)
            plan.clear()
            if seconds is not None and turns is not None:
                plan.update(_rest_of_turn(position, found.line))
        trail.goes_on(position, move)
        return move

    def search(position: Position, left: Collection[State]) -> Result:
        engine, state = position.game.engine, position.state
        if by_strong and has_strong(engine):
            return strong(
                engine, state, depth, nodes, seconds, lambda lines: report(lines[0]), interruptible=False,
                threads=threads, left=left, techniques=techniques_for(techniques, position.game, values),
                history=history_of(position), memory=trail.memory,
            )[0]  # fmt: skip
        order = preferred(position.game.model, position.node.moves, ties, rng) if ties else ()
        ask: Callable[..., Result]
        if each:
            ask = partial(maxn, engine, state, depth, nodes, interruptible=False, report=report, order=order)
        else:
            ask = partial(
                minimax, engine, state, depth, nodes,
                interruptible=False, threads=threads, quiet=quiet, left=left, report=report, order=order,
            )  # fmt: skip
        if seconds is None or turns is None:
            return ask(seconds, turns=turns)
        first = ask(seconds, turns=1)
        if not first.depth:
            return first
        # the turn is found at once, in the time of all its moves
        rest = seconds * len(_rest_of_turn(position, first.line)) - first.seconds
        later = ask(max(0.0, rest), turns=turns)
        return later if later.depth else first

    return choose


def _rest_of_turn(position: Position, line: Sequence[Numbers]) -> dict[tuple[Game, State], Numbers]:
    """The next move of a line for each position of the present turn, by game and state."""
    game, state, found = position.game, position.state, dict[tuple[Game, State], Numbers]()
    for numbers in line:
        node = game.engine.expand(state)
        if state[0] != position.state[0] or node.payoff is not None:
            break
        found[game, state] = numbers
        state = node.child(node.moves.index(numbers))
    return found


def _after(position: Position, numbers: Numbers) -> State:
    """The state that a move leads to."""
    return position.node.child(position.node.moves.index(numbers))


class _Trail:
    """The positions to which a player has moved in the current game, and what his searches have kept of it."""

    def __init__(self) -> None:
        self._game: Game | None = None
        self._turns = -1  # played before the last move
        self._after: State = b""  # what it led to
        self.left = set[State]()
        self.memory = Memory()

    def reach(self, position: Position) -> None:
        """Forgets everything if a position belongs to another game, or comes earlier in it."""
        later = position.turns_played > self._turns or position.state == self._after  # the turn goes on
        if position.game is not self._game or not later:
            self.left, self.memory = set(), Memory()

    def goes_on(self, position: Position, move: Move) -> None:
        """Records the position that a move of the player leads to."""
        self._game, self._turns = position.game, position.turns_played
        self._after = _after(position, move.numbers)
        self.left.add(self._after)


class _Kept(NamedTuple):
    """The tree of an earlier move: what it said, and what had been played when the move was made."""

    engine: Engine
    tree: Tree
    branch: Branch  # of the move
    after: State
    seen: Counter[State]


def sampling(
    seed: int | None = None,
    visits: int | None = None,
    seconds: float | None = None,
    settings: Settings = Settings(),  # noqa: B008  a constant
    report: Report = silent,
    nodes: int | None = None,
    trees: int = 1,
    whole: bool = False,
    policy: str | None = None,
) -> Player:
    """Monte Carlo tree search, limited by visits, positions or time per move; `PLAYOUTS` visits without a limit.

    What the tree of a move knows of the position in which the player has to move again is kept, and grows on.  So many
    `trees` grow at once, each within the limits.  A `whole` turn is found before its first move, within the limits of
    all its moves.  `policy` is the file of a learned policy.
    """
    if visits is None and seconds is None and nodes is None:
        visits = PLAYOUTS
    rng = chances.Random(seed)
    kept: _Kept | None = None
    plan: dict[tuple[Game, State], Numbers] = {}  # what is left of the turn

    def choose(position: Position) -> Move:
        nonlocal kept
        lots = rng.getrandbits(32)  # drawn for each move, so that forced moves do not change later ones
        if len(position.legal_moves) == 1:
            return _numbered(position, 0)
        engine, state, history = position.game.engine, position.state, history_of(position)
        tree = (kept and _grown_on(kept, position)) or rooted(position.game, state, history)
        best = plan.get((position.game, state))
        if best is None:
            found = mcts(engine, state, visits, seconds, lots, settings, history, tree, nodes)
            if whole and (more := len(_rest_of_turn(position, found.line)) - 1) > 0:
                found = mcts(
                    engine, state, visits and more * visits, seconds and more * seconds, lots + LATER, settings,
                    history, tree, nodes and more * nodes,
                )  # fmt: skip
            best = found.best
            assert best is not None
            report(found)
            plan.clear()
            if whole:
                plan.update(_rest_of_turn(position, found.line))
        index = position.node.moves.index(best)
        after = position.node.child(index)
        branches = (one for one in tree.branches(tree.root().at) if one.number == index)
        seen = Counter(history.seen) + Counter([engine.game.identity(after)] if history.seen else [])
        kept = next((_Kept(engine, tree, branch, after, seen) for branch in branches), None)
        return _numbered(position, index)

    def rooted(game: Game, state: State, history: History) -> Tree:
        how = settings if policy is None else settings._replace(policy=policy_for(policy, game))
        if trees > 1:
            return Forest(game.engine, state, how, history, trees)
        return planted(game.engine, state, how, history)

    return choose


def _grown_on(kept: _Kept, position: Position) -> Tree | None:
    """An earlier tree, from a position on that lies in it."""
    engine, history = position.game.engine, history_of(position)
    if kept.engine is not engine:
        return None
    met = Counter(position.seen)
    met.subtract(kept.seen)
    at = place_of(engine, kept.tree, kept.branch, kept.after, position.state, +met)
    if at is None or min(met.values(), default=0) < 0:  # another game
        return None
    kept.tree.advance(at, position.state, history)
    return kept.tree


def guessing(
    seed: int | None = None,
    visits: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    explore: float = UNDECIDED,
    guesses: int = GUESSES,
) -> Player:
    """Information set Monte Carlo tree search, by what the player to move knows; `PLAYOUTS` visits without a limit.

    Of the position it reads that, the legal moves, and nothing else. Where no state is found that agrees with what the
    player knows, a random move is played.
    """
    if visits is None and seconds is None and nodes is None:
        visits = PLAYOUTS
    rng = chances.Random(seed)
    beliefs: dict[tuple[Game, str], Belief] = {}

    def choose(position: Position) -> Move:
        lots = rng.getrandbits(64)
        if len(position.legal_moves) == 1:
            return _numbered(position, 0)
        game, player = position.game, position.to_move
        if (game, player) not in beliefs:
            beliefs.clear()  # games are played one after the other
            beliefs.update({(game, one): Belief(game.engine, at, guesses) for at, one in enumerate(game.players, 1)})
        found = ismcts(beliefs[game, player], position.known_by(player), visits, nodes, seconds, lots, explore)
        return position.legal_moves.sample(rng) if found.best is None else _chosen(position, found.best)

    return choose


def by_strategy(file: str, seed: int | None = None) -> Player:
    """Draws moves by the strategy in a file; all moves alike where the player knows what the strategy does not."""
    rng = chances.Random(seed)
    strategies: dict[Game, Strategy] = {}

    def choose(position: Position) -> Move:
        game, player = position.game, position.to_move
        if game not in strategies:
            strategies[game] = _strategy(file, game)
        left = rng.random()
        for text, part in strategies[game].sets.get((player, position.information(player)), {}).items():
            left -= part
            if left < 0:
                return position.parse(text)
        return position.legal_moves.sample(rng)

    return choose


def _strategy(file: str, game: Game) -> Strategy:
    """The strategy in a file; raises `UnknownPlayer` if there is none for this game."""
    try:
        return strategy_in(file, game)
    except StrategyError as error:
        raise UnknownPlayer(f"cfr: {error}") from None


def solving(states: int = SOLVED) -> Player:
    """Best play where at most so many positions can be reached; in a game of one player a solution, if it is found.

    Until then, and in games whose end depends on more than positions, it is minimax, `DEPTH` moves deep.
    """
    before = searching()
    perfect: Perfect | None = None

    def choose(position: Position) -> Move:
        nonlocal perfect
        if position.game.model.timed is not None:
            return before(position)
        if perfect is None or perfect.engine is not position.game.engine:
            perfect = Perfect(position.game.engine, states)
        index = perfect.best(position.state)
        return before(position) if index is None else _numbered(position, index)

    return choose


def choosing(choose: Player) -> Player:
    """The same player, who raises `IndexError` where there is nothing to choose."""

    def chosen(position: Position) -> Move:
        if not len(position.legal_moves):
            raise nobody_chooses(position)
        return choose(position)

    return chosen


def thinking_by(rules: str, choose: Player, otherwise: Player) -> Player:
    """A player who plays one game and thinks by the rules of another, where things have other values, or moves are left
    out; positions must be the same in both.  `rules` is the name of a game, or the path of a rules file.

    Where the game is over by the other rules, it is played by its own, and `otherwise` chooses.
    """
    others: dict[Game, Game] = {}

    def chosen(position: Position) -> Move:
        game = position.game
        if game not in others:
            others[game] = other_game(game, rules)
        other = in_game(others[game], position)
        if other.is_over:
            return otherwise(position)
        move = choose(other)
        if move.numbers not in position.node.moves:
            raise UnknownPlayer(f"{move} is legal by {rules}, but not in this game: it cannot be played by them")
        return _chosen(position, move.numbers)

    return chosen


def in_game(other: Game, position: Position) -> Position:
    """The same position, and the game so far, by the rules of another game whose positions are the same."""
    before = Counter(position.seen) - Counter([position.game.model.identity(position.state)])
    return Position(other, position.state, position.turns_played, before, position.turns_before)


def estimating_by(own: OwnRules, choose: Player) -> Player:
    """A player that estimates positions by rules of its own."""
    if own == OwnRules():
        return choose

    return lambda position: _chosen_by(own, choose, position)


def judging_by(file: str, choose: Player) -> Player:
    """A player that estimates positions by the learned values in a file."""
    return lambda position: _chosen_by(OwnRules(values=values_for(file, position.game)), choose, position)


def judged_by(file: str, position: Position) -> Position:
    """The position with the learned values in a file in the place of `evaluate`; raises `UnknownPlayer`."""
    return _seen_by(OwnRules(values=values_for(file, position.game)), position)


def _chosen_by(own: OwnRules, choose: Player, position: Position) -> Move:
    """The move of a player who estimates positions by rules of its own."""
    return _chosen(position, choose(_seen_by(own, position)).numbers)


def _seen_by(own: OwnRules, position: Position) -> Position:
    """The position as a player with rules of its own sees it."""
    return in_game(by_own_rules(position.game, position.state[0], own), position)


def techniques_for(words: Sequence[str], game: Game, values: str | None = None) -> Techniques:
    """The techniques that a text names, else those of a file beside the rules or the learned values; raises
    `UnknownPlayer`."""
    try:
        return techniques_of(words) if words else techniques_beside(game, values)
    except ValueError as error:
        raise UnknownPlayer(f"techniques of minimax: {error}") from None


def policy_for(file: str, game: Game) -> Policy:
    """The policy in a file; raises `UnknownPlayer` if there is none for this game."""
    try:
        return policy_in(file, game)
    except PolicyError as error:
        raise UnknownPlayer(f"policy: {error}") from None


def are_for_strong(file: str, game: Game) -> bool:
    """Does the strong search play better by the learned values in a file?  It does where endings ask how often a
    position has occurred, which plain minimax does not know.  Raises `UnknownPlayer`."""
    try:
        found = values_file_in(file, game)
    except ValuesError as error:
        raise UnknownPlayer(f"values: {error}") from None
    return found.strong or found.values.net is not None or game.model.repeats


def values_for(file: str, game: Game) -> Values:
    """The values in a file; raises `UnknownPlayer` if there are none for this game."""
    try:
        return values_in(file, game)
    except ValuesError as error:
        raise UnknownPlayer(f"values: {error}") from None


def named_by_a_stranger(who: str) -> str:
    """A player as a record names it; raises `UnknownPlayer` if it thinks by rules that a stranger cannot name."""
    try:
        _, settings = read_player(who)
    except UnknownPlayer:
        return who  # a person, or a program of elsewhere
    for key in FILES:
        if not stays_inside(settings.get(key, "")):
            inside = f"{'a shipped game, or ' * (key == 'by')}a file beside the rules or below them"
            raise UnknownPlayer(f"a record cannot name the player  {who}: {key} must be {inside}")
    return who


_MADE: dict[str, Callable[[int | None, Mapping[str, Any], Report], Player]] = {
    "random": lambda seed, *_: random(seed),
    "greedy": lambda seed, told, report: (
        greedy_turn(seed, told.get("ties", LOT), told.get("onesided", ()), told.get("replies", 0))
        if "turn" in told or "replies" in told
        else greedy(seed, report, told.get("ties", LOT), told.get("onesided", ()))
    ),
    "minimax": lambda seed, told, report: estimating_by(
        OwnRules(onesided=told.get("onesided", ()), stuck="stuck" in told),
        searching(
            told.get("depth"),
            told.get("time"),
            told.get("nodes"),
            told.get("turns"),
            told.get("quiet", ()),
            "onward" in told,
            told.get("threads", 1),
            report,
            told.get("ties"),
            seed,
            by_strong=told.get("search") == STRONG,
            techniques=told.get("techniques", ()),
            values=told.get("values"),
        ),
    ),
    "maxn": lambda seed, told, report: searching(
        told.get("depth"),
        told.get("time"),
        told.get("nodes"),
        told.get("turns"),
        report=report,
        ties=told.get("ties"),
        seed=seed,
        each=True,
    ),
    "ismcts": lambda seed, told, report: guessing(
        seed,
        told.get("playouts"),
        told.get("nodes"),
        told.get("time"),
        told.get("explore", UNDECIDED),
        told.get("guesses", GUESSES),
    ),
    "cfr": lambda seed, told, report: by_strategy(told["file"], seed),
    "solver": lambda _, told, report: solving(told.get("states", SOLVED)),
    "mcts": lambda seed, told, report: sampling(
        seed,
        told.get("playouts"),
        told.get("time"),
        _settings(told),
        report,
        told.get("nodes"),
        told.get("trees", 1),
        "turn" in told,
        told.get("policy"),
    ),
}


def _made(name: str, settings: Mapping[str, Any], seed: int | None, report: Report) -> Player:
    """A player with these settings, who thinks by the rules of the game that is played."""
    made = _MADE[name](seed, settings, report)
    made = estimating_by(OwnRules(terms=settings.get("terms", ()), cheat="cheat" in settings), made)
    return judging_by(settings["values"], made) if "values" in settings else made


def tree_settings(told: Mapping[str, Any], game: Game) -> Settings:
    """The settings of `mcts` in a text, with the policy in the file that it names; raises `UnknownPlayer`."""
    settings = _settings(told)
    return settings._replace(policy=policy_for(told["policy"], game)) if "policy" in told else settings


def _settings(told: Mapping[str, Any]) -> Settings:
    leaf = EVALUATE if "values" in told else PLAYOUT
    given = {key: told[key] for key in Settings._fields if key in told and key not in FILES}
    return Settings(**{"leaf": leaf, **given})


def history_of(position: Position) -> History:
    """The game so far, as searches ask about it."""
    return History(position.turns_played, position.seen)


def _numbered(position: Position, index: int) -> Move:
    found: Move = position.legal_moves[index]
    return found


def _chosen(position: Position, numbers: Numbers) -> Move:
    return _numbered(position, position.node.moves.index(numbers))
