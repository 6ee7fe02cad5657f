"""Positions: their legal moves, and everything that can be asked about them.

A `Position` is a value: it never changes, it can be a key of a dict, and playing a move gives a new one.
"""

from __future__ import annotations

import math
import operator
import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from pysolve.dsl import notation
from pysolve.dsl.analysis.sampling import by_weight
from pysolve.dsl.errors import choices, nearest
from pysolve.dsl.model import Action
from pysolve.dsl.model import Game as Model
from pysolve.dsl.model.payoffs import payoffs
from pysolve.dsl.model.rule_names import given_name
from pysolve.dsl.notation import AmbiguousMove, InvalidMove
from pysolve.engines.protocol import Engine, Node, State
from pysolve.engines.protocol import Move as Numbers
from pysolve.engines.protocol import View as Bytes
from pysolve.notation import san
from pysolve.notation.matching import fitting
from pysolve.results import (
    NO_MOVE,
    Explanation,
    IllegalMove,
    Move,
    Outcome,
    Reason,
    Score,
    reason_of,
    settles,
    told_apart,
)
from pysolve.runtime import validation
from pysolve.search import information as noticing
from pysolve.search import perft as counting
from pysolve.search import turns as whole
from pysolve.search.canonical import renamings_of
from pysolve.search.turns import EndlessTurn, Tick
from pysolve.view import View, value_in

if TYPE_CHECKING:
    from pysolve.game import Game

_Path = tuple["_Path | None", State, Numbers]  # the moves before, a state, and the move that was made in it


class LegalMoves(Sequence[Move]):
    """The legal moves of a position in canonical order; each is built when it is read."""

    def __init__(self, position: Position, node: Node):
        self._position = position
        self._node = node

    def __reduce__(self) -> tuple[Any, ...]:
        """Legal moves are pickled as the `legal_moves` of their position."""
        return operator.attrgetter("legal_moves"), (self._position,)

    def __len__(self) -> int:
        return len(self._node)

    @property
    def numbers(self) -> Sequence[Numbers]:
        """The moves as engines know them: for each its kind, then its parameters."""
        return self._node.moves

    def count(self, move: Move | str | None = None) -> int:
        """The number of legal moves; for a given move 1 if it is legal, else 0."""
        return len(self) if move is None else int(move in self)

    def __getitem__(self, index: Any) -> Any:
        numbers = self._node.moves[index]
        if isinstance(index, slice):
            return [self._position._move(one) for one in numbers]
        return self._position._move(numbers)

    def __iter__(self) -> Iterator[Move]:
        return (self._position._move(numbers) for numbers in self._node.moves)

    def __contains__(self, move: object) -> bool:
        """True if the move, or the move that a text means, is legal; never raises."""
        if isinstance(move, Move):
            return move.numbers in self._node.moves and self._position._owns(move)
        if isinstance(move, str):
            readings = notation.readings(self._position.game.model, move)
            if not readings:
                return san.read(self._position, move) is not None
            legal = set(self._node.moves)
            return any(one in legal for one in readings)
        return False

    def sample(self, rng: random.Random | int | None = None) -> Move:
        """One legal move, all equally likely; raises `IndexError` if there is none."""
        source = _source(rng, "rng")
        if not len(self):
            raise nobody_chooses(self._position)
        return self[source.randrange(len(self))]  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        shown = ", ".join(str(move) for move, _ in zip(self, range(8), strict=False))
        return f"<LegalMoves {len(self)}: {shown}{', …' if len(self) > 8 else ''}>"


class _Absent:
    """A method of python-chess that changes the board; reading it raises an error that names the alternative."""

    def __init__(self, instead: str):
        self._instead = instead

    def __get__(self, position: object, owner: type) -> NoReturn:
        raise AttributeError(f"positions are immutable: {self._instead}")


MOST_POINTS = 100_000  # that a picture is wide


class Position:
    """A position of a game.  Two positions are equal if game, options and everything on the board are."""

    __slots__ = ("__dict__", "_path", "_seen", "game", "state", "turns_before", "turns_played")

    game: Game
    state: State
    turns_played: int  # complete turns before this position, where it was reached by play
    turns_before: int  # those of the game before play began here: a FEN counts them, and no rule does
    came_from: State | None = None  # the state before the move that led here, where one was played
    _seen: dict[State, int]
    _path: _Path | None  # the moves that led here, in a game with secrets; None where it begins

    def __init__(
        self, game: Game, state: State, turns_played: int = 0, seen: Mapping[State, int] | None = None,
        turns_before: int = 0,
    ):  # fmt: skip
        """`seen` says how often each state, as `repeated` compares them, occurred before this position.

        Raises `InvalidState` for bytes that are not a state of the game, and `TypeError` or `ValueError` for other
        invalid arguments.
        """
        from pysolve.game import Game

        validation.instance("game", game, Game, "a Game")
        turns_played = validation.whole("turns_played", turns_played, 0, validation.MOST_TURNS)
        turns_before = validation.whole("turns_before", turns_before, 0, validation.MOST_TURNS)
        before = {} if seen is None else validation.seen(game.model, seen)
        self._become(game, validation.sound(game.model, state), turns_played, before, turns_before)

    def _become(
        self, game: Game, state: State, turns_played: int, before: dict[State, int], turns_before: int
    ) -> None:  # fmt: skip
        """Makes this the position of a state that has been checked, or that an engine gave."""
        if game.model.remembers:
            known = game.model.identity(state)
            before[known] = before.get(known, 0) + 1
        keep = object.__setattr__
        keep(self, "game", game)
        keep(self, "state", state)
        keep(self, "turns_played", turns_played)
        keep(self, "turns_before", turns_before)
        keep(self, "_seen", before)
        keep(self, "_path", None)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f'positions are immutable, and so is "{name}": play returns the next position')

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self.state, self.game.model.digest) == (
            other.state, other.game.model.digest)  # fmt: skip

    def __hash__(self) -> int:
        return hash((self.state, self.game.model.digest))

    def __copy__(self) -> Position:
        """The position itself, which never changes."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        """The position itself, which never changes, with its game and engine."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """A position is pickled without its engine, which is opened again where it is needed."""
        whole = self.game, self.state, self.turns_played, self._before(), self.turns_before
        return Position, whole, self.history

    def __setstate__(self, steps: list[tuple[State, Numbers]]) -> None:
        for state, move in steps:
            object.__setattr__(self, "_path", (self._path, state, move))

    @property
    def seen(self) -> Mapping[State, int]:
        """The number of times that each state, as `repeated` compares them, has occurred, including this one.

        Empty if no ending of the game asks for it.
        """
        return self._seen

    def _before(self) -> dict[State, int]:
        """The number of times that each state occurred before this position, in a game that remembers."""
        now = self.game.model.identity(self.state)
        return {state: count - (state == now) for state, count in self._seen.items()}

    @cached_property
    def node(self) -> Node:
        """The engine's answers for this position."""
        return self.game.engine.expand(self.state)

    # --------------------------------------------------------------------------------- what it is

    @property
    def to_move(self) -> str:
        """The player whose turn it is."""
        return self.game.players[self.state[0] - 1]

    turn = to_move

    @cached_property
    def outcome(self) -> Outcome | None:
        """The outcome of the game; None while it goes on."""
        model = self.game.model
        number, payoff = 0, None
        if model.remembers:
            times = self._seen.get(model.identity(self.state), 1)
            judged = self.game.engine.judge(self.state, self.turns_played, times)
            if judged is not None:
                number, payoff = judged[0], payoffs(judged[1], len(self.game.players))
        if payoff is None:
            number, payoff = self.node.ending, self.node.payoff
        if payoff is None:
            return None
        paid = {name: Fraction(value, model.payoff_unit) for name, value in zip(self.game.players, payoff, strict=True)}
        if number > len(model.endings):
            reason = model.stuck_reason or f"{self.to_move} has {NO_MOVE}"
            return Outcome.of(paid, reason, scores=self._scores(number), ending=model.stuck_reason or NO_MOVE,
                              pays=model.pays)  # fmt: skip
        ending = model.endings[number - 1]
        return Outcome.of(paid, ending.reason, ending.span.line, self._scores(number), pays=model.pays)

    def _scores(self, ending: int) -> tuple[Score, ...]:
        """The comparisons of an ending, up to the one that decides."""
        contest, found = self.game.model.contests.get(ending), list[Score]()
        compared = contest.compared if contest is not None else ()
        standing = self.game.engine.standing(self.state, ending) if compared else []
        for (kind, rule), values in zip(compared, standing, strict=True):
            by_player = dict(zip(self.game.players, values, strict=True))
            found.append(Score(given_name(rule), by_player, kind == "least"))
            if settles(found, contest is not None and contest.ranks):
                break
        return tuple(found)

    @property
    def is_over(self) -> bool:
        """True if the game has ended, be it by the position or by the moves played so far."""
        return self.outcome is not None

    def returns(self) -> list[float]:
        """The payoff of each player, from -1 to 1, or as the rules pay; zeros while the game goes on."""
        if self.outcome is None:
            return [0.0] * len(self.game.players)
        return [float(value) for value in self.outcome.payoffs.values()]

    def value(self, slot: str, *args: object) -> Any:
        """The value of a state variable, as in ``position.value("at", "a1")``: a word, a number, a bool, or None.

        Raises `KeyError` for an unknown name or argument.
        """
        validation.text("slot", slot)
        return value_in(self.to_dict()["state"], slot, *args)

    def evaluate(self) -> dict[str, int]:
        """The value of the `evaluate` block for each player, in points; the values add up to zero."""
        return dict(zip(self.game.players, self.game.engine.estimate(self.state), strict=True))

    # ------------------------------------------------------------------------------------- moves

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves in canonical order; none when the game is over, or where chance moves."""
        return LegalMoves(self, _Finished()) if self.chance else self.possible_moves

    @property
    def possible_moves(self) -> LegalMoves:
        """All moves that are possible here: the legal ones, or where chance moves, those of chance."""
        if self.game.model.remembers and self.outcome is not None:
            return LegalMoves(self, _Finished())
        return LegalMoves(self, self.node)

    @cached_property
    def chance(self) -> bool:
        """True if nobody chooses here: the next move is one of `chance_moves`, drawn by `play_chance`."""
        kinds = self.game.model.chances
        if not kinds or not len(self.node) or self.node.moves[0][0] not in kinds:
            return False
        return not (self.game.model.remembers and self.outcome is not None)

    @property
    def chance_moves(self) -> list[tuple[Move, Fraction]]:
        """The moves of chance, each with its probability; none where a player chooses."""
        weights = self.node.weights if self.chance else None
        if weights is None:
            return []
        likely = (Fraction(weight, sum(weights)) for weight in weights)
        return list(zip(self.possible_moves, likely, strict=True))

    def draw(self, seed: random.Random | int | None = None) -> Move:
        """One of `chance_moves`, drawn by `random.Random(seed)`; raises `IndexError` where a player chooses."""
        weights = self.node.weights if self.chance else None
        if weights is None:
            raise IndexError("nothing is left to chance here; legal_moves has the moves of the player")
        return self.possible_moves[by_weight(_source(seed, "seed").getrandbits(64), weights)]  # type: ignore[no-any-return]

    def random_move(self, rng: random.Random) -> Move:
        """A move of chance, drawn by its weight; or one of the legal moves, all equally likely."""
        return self.draw(rng) if self.chance else self.legal_moves.sample(rng)

    def play_chance(self, seed: random.Random | int | None = None) -> Position:
        """The position after a move of chance that `draw` draws."""
        return self.play(self.draw(seed))

    def _move(self, numbers: Numbers) -> Move:
        found = notation.move_dict(self.game.model, numbers)
        return Move(found["move"], found["kind"], found["params"], numbers)

    def parse(self, text: str) -> Move:
        """The legal move that a text means.

        The text is a move as the author writes it, or any part of one that fits a single legal move.  Raises
        `InvalidMove` if it has no form of a move, `AmbiguousMove` if it fits several moves, `IllegalMove` with the
        reasons if the rules forbid it.
        """
        validation.text("text", text)
        legal = list(self.possible_moves)
        readings = notation.readings(self.game.model, text)
        exact = [move for move in legal if move.numbers in readings]
        if len(exact) == 1:
            return exact[0]
        said = san.read(self, text)
        if said is not None:
            return self._move(said)
        found = exact if readings else fitting(text, legal)
        if len(found) == 1:
            return found[0]
        if found:
            shown = ", ".join(move.text for move in found[:6])
            raise AmbiguousMove(f'"{text}" may be {shown}{" …" if len(found) > 6 else ""}')
        if not readings:
            raise InvalidMove(f'"{text}" is not a move: {_no_move(self.game.model, text)}')
        raise IllegalMove(self.why(text))

    def written(self, move: Move) -> str:
        """A legal move in the notation that the rules name, as Nf3, if its package is installed; else its own text.

        It is for people: records, and everything that programs read, contain the own text of the move.
        """
        validation.instance("move", move, Move, "a Move")
        return self._written.get(move.numbers, move.text) if self._owns(move) else move.text

    @cached_property
    def _written(self) -> dict[Numbers, str]:
        return san.written(self)

    def named(self, text: str) -> Move:
        """The move that a text means, legal here or not, such as the move that led here; raises `InvalidMove`.

        If several kinds of moves fit, it is of the first kind.
        """
        for numbers in notation.readings(self.game.model, validation.text("text", text)):
            return self._move(numbers)
        raise InvalidMove(f'"{text}" is not a move: {_no_move(self.game.model, text)}')

    def play(self, move: Move | str) -> Position:
        """The position after a move, given as a `Move` or as text; raises as `parse` does."""
        if isinstance(move, str):
            move = self.parse(move)
        if not isinstance(move, Move):
            raise TypeError(f"a move is a Move or its text, not {validation.shown(move)}")
        if not self._owns(move):
            raise InvalidMove(f'"{move}" is a move of another game')
        try:
            index = self.possible_moves._node.moves.index(move.numbers)
        except ValueError:
            raise IllegalMove(self.why(move)) from None
        return self._after(self.node.child(index), move.numbers)

    def child(self, index: int) -> Position:
        """The position after the move that stands at this place of `possible_moves`; raises `IndexError`."""
        index = validation.place(index, len(self.possible_moves))
        return self._after(self.node.child(index), self.node.moves[index])

    def _owns(self, move: Move) -> bool:
        """False if a move was made by another game, or on another board, where its numbers mean something else."""
        model, numbers = self.game.model, move.numbers
        return notation.is_move(model, numbers) and notation.move_text(model, numbers) == move.text

    if not TYPE_CHECKING:  # mypy says that there are no such methods
        push = push_san = push_uci = _Absent("play returns the next position, as in  position = position.play(move)")
        pop = _Absent("to take a move back, keep the position before it")

    def _after(self, state: State, move: Numbers = ()) -> Position:
        """The position of a state that a move leads to, or a turn of which nobody says by which moves."""
        after = Position.__new__(Position)
        turns = self.turns_played + (state[0] != self.state[0])
        after._become(self.game, state, turns, dict(self._seen), self.turns_before)
        object.__setattr__(after, "came_from", self.state)
        if self.game.model.secret:
            object.__setattr__(after, "_path", (self._path, self.state, move))
        return after

    # ------------------------------------------------------------------------------------ secrets

    def view(self, player: str) -> View:
        """What a player sees of the position, by name: unknown values are marked, and drawn as `?`.

        In a game without secrets it is all there is.
        """
        number = self._number_of(player)
        moves = self.legal_moves if self.to_move == player else ()
        seen = self.game.engine.view(self.state, number)
        return View(self.game, player, seen, tuple(moves), self.outcome)

    def information(self, player: str) -> str:
        """All that a player has seen since play began, by name: moves as that player reads them, and what they changed.

        Two positions that were reached by play give the same text exactly if the player, who forgets nothing, cannot
        tell the games that led there apart.  Each line with a move is followed by what has changed in the player's
        view, if anything has.  Of a position that was set up, or begins a game, it is the view.  Raises `ValueError` in
        a game without secrets, and in one of `turn_positions`, which do not say by which moves they were reached.
        """
        return noticing.in_words(self.game.model, self.known_by(player))

    def known_by(self, player: str) -> bytes:
        """The same as bytes, as `pysolve.search.information` makes them: for searches."""
        number, steps = self._number_of(player), self.history
        if not self.game.model.secret:
            raise ValueError(f"{self.game.title} has no secrets: every player sees all moves and all of the position")
        if not all(move for _, move in steps):
            raise ValueError("a position of turn_positions does not say by which moves it was reached")
        return noticing.information(self.game.engine, steps, self.state, number)

    def _number_of(self, player: str) -> int:
        """The number of a player, from 1; raises `ValueError` for a name that no player has."""
        players = list(self.game.players)
        if player not in players:
            raise ValueError(f'"{player}" does not play: {nearest(str(player), players) or choices(players)}')
        return players.index(player) + 1

    @property
    def history(self) -> list[tuple[State, Numbers]]:
        """The moves since play began, each after the state in which it was made; it is kept in games with secrets."""
        found, path = [], self._path
        while path is not None:
            path, state, move = path
            found.append((state, move))
        return found[::-1]

    # ------------------------------------------------------------------------------------ reasons

    def why(self, move: Move | str) -> Explanation:
        """Why a move is legal or not; for a text that does not parse, the explanation of the nearest kinds of moves."""
        validation.instance("move", move, (Move, str), "a Move or its text")
        model = self.game.model
        text = str(move)
        readings = notation.readings(model, text)
        if isinstance(move, Move) and self._owns(move):
            readings = [move.numbers]
        elif not readings and (said := san.read(self, text)) is not None:
            readings = [said]
        legal = set(self.possible_moves._node.moves)
        note = f"the game is over; {self.outcome}" if self.outcome is not None else ""
        if not readings:
            note = note or _no_move(model, text)
            readings = notation.nearest_readings(model, text)
        kinds = []
        for numbers in readings:
            if numbers[0] == len(model.actions):
                note = note or ("" if numbers in legal else "there is another legal move")
                continue
            action = model.actions[numbers[0]]
            kinds.append((f"{action.name} {notation.move_text(model, numbers)}", self._reasons(action, numbers)))
        kinds.sort(key=lambda kind: sum(not reason.holds for reason in kind[1]))
        return Explanation(text, any(numbers in legal for numbers in readings), tuple(kinds), note)

    def _reasons(self, action: Action, numbers: Numbers) -> tuple[Reason, ...]:
        found = []
        for one in self.game.explainer.explain(self.state, numbers):
            demand = (action.demands if one.part == "when" else action.after)[one.number - 1]
            found.append(reason_of(demand, one))
        return tuple(found)

    def query(self, goal: str, limit: int = 1000, seconds: float | None = 10) -> list[dict[str, Any]]:
        """The solutions of a goal written with names of the rules, as in ``query("capture(From, e3)")``.

        A word with a capital letter is a variable, as in Prolog, unless the game has that name (Red).  Goals may
        be joined by `,` `;` and negated by `\\+`; values are compared as in ``distance(C) > 10``.
        """
        found = self.game.prolog.query(self.state, goal, limit, seconds)
        return [{name: _word(value) for name, value in one.items()} for one in found]

    def rows(self, name: str, limit: int) -> list[tuple[int, ...]]:
        """The first answers to a name that `show` draws, as numbers: see `pysolve.engines.protocol.Shows`.

        Raises `ValueError` for another name, and `LimitReached` for what takes too many steps.
        """
        name, limit = validation.drawn(self.game.model, name), validation.whole("limit", limit, 1)
        return self.game.shows.rows(self.state, name, limit)

    def players_out(self) -> tuple[str, ...]:
        """The players who are out, in turn order: `out when` holds for them, as if the turn came to them.

        None without it.  Raises `LimitReached` where that takes too many steps.
        """
        if self.game.model.out is None:
            return ()
        return tuple(self.game.players[number - 1] for number in self.game.shows.outs(self.state))

    # -------------------------------------------------------------------------------- whole turns

    def turns(self) -> Iterator[Turn]:
        """Every way to play the turn to its end, lazily, in canonical order; none when the game is over.

        A turn is the moves of one player until the other is to move or the game ends; moves played before this
        position do not belong to it.  Raises `EndlessTurn` if a turn can return to a position.
        """
        return (Turn(self, way) for way in whole.turns(self._engines(1)[0], self.state))

    def turn_positions(self, symmetries: bool = False) -> Iterator[Position]:
        """The distinct positions that the turn can lead to, lazily, as `turns` first meets them.

        Each position within the turn is expanded once, however many orders of moves lead to it.  The results know the
        game before this turn (`repeated`), but not the moves within the turn.  With `symmetries`, of positions that the
        symmetries of the rules make of each other only the first is among them, whatever was played before.
        """
        found = whole.turn_positions(self._engines(1)[0], self.state)
        if symmetries:
            found = renamings_of(self.game.model).first(found)
        return map(self._after, found)

    def count_turns(self, tick: Tick = lambda: None) -> int:
        """The number of `turns`, without listing them; `tick` is called at each position that is expanded.

        Raises `EndlessTurn` if there are infinitely many.
        """
        return whole.count_turns(self._engines(1)[0], self.state, validation.callback("tick", tick))

    def sample_turn(self, seed: random.Random | int | None = None) -> Turn:
        """One turn, each of its moves drawn uniformly from the legal ones by `random.Random(seed)`.

        So not all turns are equally likely.  Raises `IndexError` if the game is over.
        """
        source = _source(seed, "seed")
        return Turn(self, whole.sample_turn(self._engines(1)[0], self.state, source))

    def _engines(self, count: int) -> list[Engine]:
        """For each of the next turns an engine that knows which positions end the game by what was played before."""
        endings = self.game.model.endings
        asking = [e.turns or 0 for e in endings if e.turns is not None or e.repeated is not None]
        soonest = min(asking, default=math.inf)
        return [
            self.game.engine if turns < soonest else _Remembering(self, turns)
            for turns in range(self.turns_played, self.turns_played + count)
        ]

    # ----------------------------------------------------------------------------------- counting

    def perft(self, depth: int, turns: bool = False, tick: counting.Tick | None = None) -> int:
        """The number of sequences of `depth` legal moves, or of `depth` whole turns.

        `tick` is called with the number of sequences of moves counted since its last call.
        """
        depth, tick = validation.whole("depth", depth, 0, counting.DEEPEST), validation.callback("tick", tick)
        if turns and depth:
            return sum(self.divide(depth, turns).values())
        if not depth:  # nothing is asked of the engine: what `divide` counts last are positions that nobody looks at
            if tick is not None:
                tick(1)
            return 1
        if not self.game.model.remembers:
            return counting.perft(self.game.engine, self.state, depth, tick)
        if isinstance(engine := self.game.engine, counting.RememberingPerftEngine):
            return engine.perft_after(self.state, depth, self.turns_played, self._seen, tick)
        if depth == 1:
            number = len(self.possible_moves)
            if tick is not None:
                tick(number)
            return number
        return sum(self.play(move).perft(depth - 1, tick=tick) for move in self.possible_moves)

    def divide(self, depth: int, turns: bool = False, tick: Tick = lambda: None) -> dict[str, int]:
        """`perft` by first move, for a depth of at least 1; `tick` is called repeatedly while turns are counted.

        A move has its kind before its text where another one has the same text.
        """
        depth, tick = validation.whole("depth", depth, 1, counting.DEEPEST), validation.callback("tick", tick)
        moves = told_apart(self.possible_moves)
        if not turns:
            counts = [self.play(move).perft(depth - 1) for move in self.possible_moves]
            return dict(zip(moves, counts, strict=True))
        if depth == 1 or not self.game.model.repeats:
            counter = whole.TurnCounter(self._engines(depth), tick)
            return dict(zip(moves, counter.divide(self.state), strict=True))
        if isinstance(engine := self.game.engine, whole.RememberingTurnEngine):
            by_move = engine.turns_after(self.state, depth, self.turns_played, self._seen, lambda _: tick())
            if by_move is not None:
                return {move: by_move[at] for at, move in enumerate(moves)}
        found = dict.fromkeys(self.possible_moves.numbers, 0)
        for turn in self.turns():  # each order of moves is a history of its own, and endings ask about it
            found[turn[0].numbers] += turn.position.perft(depth - 1, turns)
            tick()
        return dict(zip(moves, found.values(), strict=True))

    # -------------------------------------------------------------------------------------- texts

    def to_dict(self) -> dict[str, Any]:
        """The exchange format: {"mover": "Red", "state": {"at": {"a1": "Red", "a2": None, …}}}."""
        return notation.to_dict(self.game.model, self.state)

    def diagram(self) -> str:
        """The position as a diagram; `Game.position` reads it back."""
        return notation.diagram(self.game.model, self.state, self.game.base)

    def line(self) -> str:
        """The position on one line; `Game.position` reads it back."""
        return notation.line(self.game.model, self.state, self.game.base)

    fen = line
    __str__ = diagram

    def __repr__(self) -> str:
        return f"<Position {self.game.name} {self.line()}>"

    def svg(self, size: int = 400, last: Move | None = None, targets: Sequence[str] = (), whole: bool = False) -> str:
        """A picture of the position as SVG, `size` points wide; marks the cells of the last move and `targets`.

        Of a large board that is mostly empty it shows the part in use, unless `whole` is true.
        """
        from pysolve.display.svg import draw  # imported here because it is slow to import and rarely needed

        validation.number("size", size, 1, MOST_POINTS)
        if last is not None and not self._owns(validation.instance("last", last, Move, "a Move")):
            raise InvalidMove(f'"{last}" is a move of another game')
        targets = validation.listed("targets", targets, "a list of cells")
        return draw(self, size, last, targets, whole)

    def _repr_svg_(self) -> str:
        return self.svg()


class Turn(Sequence[Move]):
    """A whole turn from a position: its moves in order, and the position after them."""

    def __init__(self, start: Position, way: whole.Way):
        self._start = start
        self._way = way

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the turn, in order."""
        return tuple(map(self._start._move, self._way.moves))

    @cached_property
    def position(self) -> Position:
        """The position after the turn."""
        position = self._start
        for state, move in zip(self._way.states, self._way.moves, strict=True):
            position = position._after(state, move)
        return position

    def __len__(self) -> int:
        return len(self._way.moves)

    def __getitem__(self, index: Any) -> Any:
        return self.moves[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Turn) and (self._start, self._way.moves) == (other._start, other._way.moves)

    def __hash__(self) -> int:
        return hash((self._start, self._way.moves))

    def __str__(self) -> str:
        return ", ".join(map(str, self.moves))

    def __repr__(self) -> str:
        return f"<Turn {self}>"


class _Remembering:
    """An engine for one turn of a game whose endings ask about the past: where they end the game, there are no moves.

    A position is taken to occur once within the turn.
    """

    def __init__(self, position: Position, turns: int):
        self.game = position.game.model
        self._engine = position.game.engine
        self._turns = turns
        self._before = position._before()

    def expand(self, state: State) -> Node:
        """The answers of the engine, or no moves where an ending about the past holds."""
        ended = self._engine.judge(state, self._turns, self._before.get(self.game.identity(state), 0) + 1)
        return _Finished() if ended is not None else self._engine.expand(state)

    def estimate(self, state: State) -> tuple[int, ...]:
        """The estimate of the engine."""
        return self._engine.estimate(state)

    def start(self, seed: int = 0) -> State:
        """The initial state of the engine."""
        return self._engine.start(seed)

    def view(self, state: State, player: int) -> Bytes:
        """The state as a player sees it, as the engine gives it."""
        return self._engine.view(state, player)

    def standing(self, state: State, ending: int) -> list[tuple[int, ...]]:
        """The numbers that an ending compares, as the engine gives them."""
        return self._engine.standing(state, ending)

    def judge(self, state: State, turns: int, times: int) -> tuple[int, int] | None:
        """The judgement of the engine on a state after a number of turns and occurrences: number of the ending, and
        result."""
        return self._engine.judge(state, turns, times)


def nobody_chooses(position: Position) -> IndexError:
    """What is raised where a move is asked for and no player has one."""
    if position.chance:
        return IndexError("chance moves here, so no player chooses a move; play_chance draws one")
    return IndexError("the game is over, so no player chooses a move")


class _Finished(Sequence[Numbers]):
    """The answers of a position that has ended because of the game so far."""

    payoff: tuple[int, ...] | None = None
    ending = 0
    moves: Sequence[Numbers] = ()
    weights: tuple[int, ...] | None = None

    def child(self, index: int) -> State:
        """Raises `IndexError`: there are no moves."""
        raise IndexError(index)

    def children(self) -> Iterator[State]:
        """An empty iterator."""
        return iter(())

    def __len__(self) -> int:
        return 0

    def __getitem__(self, index: Any) -> Any:
        raise IndexError(index)


def _source(seed: Any, name: str) -> random.Random:
    """A random generator: the one given, or a new one from a seed; None seeds it from the system."""
    if isinstance(seed, random.Random):
        return seed
    if seed is not None and not isinstance(seed, int):
        raise TypeError(f"{name} must be an integer, a random.Random or None, not {validation.shown(seed)}")
    return random.Random(seed)


def _no_move(game: Model, text: str) -> str:
    """The message for a text that is not a move: what is wrong with it, or the forms of moves."""
    _, wrong = notation.misread(game, text)
    if wrong:
        return wrong
    names = [action.name for action in game.actions]
    forms = ", ".join(" ".join(dict.fromkeys((action.name, action.text))) for action in game.actions)
    word = text.split("(")[0].strip()
    hint = nearest(word, names) if word.split(" ")[0] not in names else ""
    return f"moves are {forms}" + (f"; {hint}" if hint else "")


def _word(text: str) -> Any:
    known = {"none": None, "true": True, "false": False}
    if text in known:
        return known[text]
    return int(text) if text.lstrip("-").isdigit() else text


__all__ = [
    "AmbiguousMove", "EndlessTurn", "Explanation", "IllegalMove", "InvalidMove", "LegalMoves", "Move", "Outcome",
    "Position", "Reason", "Score", "Turn",
]  # fmt: skip
