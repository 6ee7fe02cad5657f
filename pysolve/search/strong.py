"""The strong search of games of two players or more: alpha-beta with what programs for chess have found useful.

In: an engine that has it (the native one), a state, limits.  Out: the best lines of play, with values as those of
`pysolve.search.minimax`.

The search itself is in C (dsl/to_c/runtime/strong.c) and nowhere else.  It looks deeper than minimax in the same time,
because it searches late moves less deep and leaves out what margins say is hopeless; so a value at some depth is not
that of minimax.  A forced win or loss that it claims is proved, but a shorter win may exist.  With one thread the
result is the same for the same limit of nodes or depth.

With three players or more it is paranoid, as minimax is: all others are one opponent of the player to move, and what it
claims is a payoff that he gets at least, or at most.

It counts depth in moves, not in turns, and knows neither chance nor payoffs that rules compute; where it does not
apply, minimax does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from pysolve.dsl.model import Game
from pysolve.engines.protocol import DoesNotApply, Engine, State, refuse_secrets
from pysolve.runtime import validation
from pysolve.search.history import History, checked_history
from pysolve.search.minimax import Limits, Result, checked_limits, leading_to, most_entries
from pysolve.search.searcher import checked_table

Lines = list[Result]  # the best first
Report = Callable[[Lines], None]


class Techniques(NamedTuple):
    """What the search does beyond alpha-beta; 0 leaves a technique out.  A swing is by how much one move changes the
    estimate, on average over the search so far.  The names are those of C."""

    look: int = 0  # from this depth on, all positions one move ahead are looked at first: wins, estimates, captures
    reduce: int = 56  # late moves are searched less deep, by so much; 56 is usual in chess
    late: int = 16  # near the horizon late moves are left out: 4 times how many are tried at depth 0, and ¼ of all more
    futility: int = 24  # near the horizon a position better than needed by 16ths of a swing a move is not searched
    internal: int = 0  # from this depth on, a position without a known best move is searched one move less deep
    quiet: int = 2  # captures go on beyond the horizon where they are few and gain; 1: who must capture may stop
    null: int = 0  # who is well off even after a pass, searched by 1 more than this less deep, is not searched further
    singular: int = 0  # from this depth on, a move that alone is good is searched deeper
    probable: int = 0  # a shallow search far above or below the window, by 16ths of a swing, ends a deep one
    correct: int = 0  # 1: estimates are corrected by what search has found in positions like this one
    forced: int = 0  # 1: only moves are searched deeper
    wins: int = 0  # 1: at the horizon, a move that wins at once is looked for
    take: int = 1  # from this depth on, captures are tried first, by what they gain
    check: int = 1  # 1: a player in check is searched one move deeper
    hopeless: int = 0  # near the horizon moves other than captures are left out: 16ths of a swing a move too low
    keep: int = 1  # 1: the next search of a game goes on with what this one has found


MOST_A_SECOND = 1 << 19  # positions that are kept in a second
MOST = 10_000  # the largest number of a technique
DEFAULT = Techniques()
UNCHANGED = "default"  # the text of them
PLAIN = Techniques(*(0 for _ in Techniques._fields))


class StrongSearcher(Protocol):
    """Searches deeper and deeper; see `strong`.  With the technique `keep` its searches go on from those before."""

    def lines(
        self, state: State, limits: Limits, report: Report | None, back: Sequence[int], unwanted: Sequence[int],
        earlier: Collection[State],
    ) -> Lines:  # fmt: skip
        """The best lines of play from a state, until a limit is reached; `back`: the numbers of first moves that are
        avoided, `unwanted`: of those that are left out, `earlier`: positions that have occurred in the game, as
        `repeated` compares them."""


@runtime_checkable
class StrongEngine(Protocol):
    """An engine that has the strong search, for some games."""

    game: Game
    has_strong: bool

    def strong(self, entries: int, threads: int, lines: int, techniques: Techniques) -> StrongSearcher:
        """A new searcher with a table of `entries` positions, a power of two."""


class Memory:
    """What the searches of a player keep for his next move of the same game."""

    def __init__(self) -> None:
        self._searcher: StrongSearcher | None = None
        self._made: tuple[object, ...] = ()

    def searcher(self, engine: StrongEngine, state: State, *asked: Any) -> StrongSearcher:
        """The searcher of before, where as much was `asked` of it (see `StrongEngine.strong`) for the same engine, and
        among three players or more for the same player; else a new one."""
        made = (engine, state[0] if len(engine.game.players.labels) > 2 else None, *asked)
        if self._searcher is None or self._made != made:
            self._searcher, self._made = engine.strong(*asked), made
        return self._searcher


def has_strong(engine: object) -> bool:
    """True if the strong search applies to the game of an engine, and the engine has it."""
    return isinstance(engine, StrongEngine) and engine.has_strong


def no_strong(engine: Engine) -> str:
    """Why the strong search does not apply to the game of an engine, and what plays instead."""
    return (
        "the strong search is for two players or more, without chance or payoffs, on the native engine; plain minimax "
        f"plays {engine.game.title} here"
    )


def strong(
    engine: Engine,
    state: State,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    report: Report | None = None,
    entries: int | None = None,
    interruptible: bool = True,
    threads: int = 1,
    lines: int = 1,
    left: Collection[State] = (),
    techniques: Techniques = DEFAULT,
    history: History = History(),  # noqa: B008  a constant
    memory: Memory | None = None,
    moves: Sequence[int] | None = None,
) -> Lines:
    """The best lines of play from a state, each from another first move, until a limit is reached.

    At least one of the limits `depth`, `nodes` and `seconds` must be given.  The first line has the best value; there
    are fewer lines than asked for if there are fewer moves, and one without moves if the game is over.  With several
    `threads`, of which each searches by itself and all share a table, results may differ from run to run.  `left` are
    positions to which the player should not return as long as there is another move; `moves` are the indices of the
    legal moves that are considered, one at least, by default all.  A position of the `history` that comes again counts
    as if the game ended by that, where the rules know such an ending.  With the same `memory`, searches of positions of
    a game, one after the other, go on from what those before have found, on which their results depend then.  `report`
    is called with the lines of each finished depth.  Ctrl-C returns the result so far, if depth 1 is finished and the
    search is `interruptible`.  Raises `DoesNotApply` where the engine or the game does not have this search,
    `TypeError`, `ValueError`, `IndexError` or `InvalidState` for invalid arguments.
    """
    report = validation.callback("report", report)
    limits = checked_limits(engine, depth, None, nodes, seconds, interruptible)
    lines = validation.whole("lines", lines, 1)
    left = frozenset(validation.sound_all(engine.game, left, "left")) if left else frozenset()
    refuse_secrets(engine.game, "the strong search")
    if not (isinstance(engine, StrongEngine) and engine.has_strong):
        raise DoesNotApply(no_strong(engine))
    earlier = [known for known, times in checked_history(engine.game, history).seen.items() if times]
    entries = _entries(engine, nodes, seconds, threads) if entries is None else entries
    entries, threads = checked_table(entries, threads)
    node = engine.expand(state)
    unwanted = () if moves is None else _without(moves, len(node))
    back = leading_to(left, node) if left else ()
    if len({*back, *unwanted}) == len(node):  # nothing else is left
        back = ()
    size = 1 << (entries.bit_length() - 1)
    if memory is not None:
        validation.instance("memory", memory, Memory, "a Memory")
    techniques = checked_techniques(techniques)
    if memory is None or not techniques.keep:
        memory = Memory()
    searcher = memory.searcher(engine, state, size, threads, lines, techniques)
    return searcher.lines(state, limits, report, back, unwanted, earlier)


def _without(moves: Sequence[int], count: int) -> tuple[int, ...]:
    """The other ones of `count` moves."""
    wanted = {validation.place(one, count) for one in moves}
    if not wanted:
        raise ValueError("moves must name one move at least")
    return tuple(index for index in range(count) if index not in wanted)


def _entries(engine: Engine, nodes: int | None, seconds: float | None, threads: int) -> int:
    """How many positions a table holds by default: no more than a search can visit, for a large table takes long to
    be made."""
    visited = None if seconds is None else int(1 + seconds) * MOST_A_SECOND * validation.whole("threads", threads, 1)
    known = [one for one in (nodes, visited) if one is not None]
    return min([most_entries(engine.game), *(1 << one.bit_length() for one in known)])


def techniques_of(words: Sequence[str]) -> Techniques:
    """The default techniques but for some: each word is a name with its number, as late0, or alone the word default.
    Raises `ValueError`."""
    return DEFAULT._replace(**numbers_of(words))


def numbers_of(words: Sequence[str]) -> dict[str, int]:
    """The techniques that such words name, and their numbers.  Raises `ValueError`."""
    found = dict[str, int]()
    if tuple(words) == (UNCHANGED,):
        return found
    for word in words:
        name = word.rstrip("0123456789")
        number = word.removeprefix(name)
        if name not in Techniques._fields or not number or int(number) > MOST:
            known = ", ".join(Techniques._fields)
            raise ValueError(
                f'"{word}" is no technique with its number from 0 to {MOST:,}: techniques are {known}; {UNCHANGED} '
                "alone changes none"
            )
        found[name] = int(number)
    return found


def text_of(techniques: Techniques) -> str:
    """What differs from the default techniques, as `techniques_of` reads it."""
    return "+".join(f"{name}{value}" for name, value in techniques._asdict().items() if value != getattr(DEFAULT, name))


def checked_techniques(techniques: Techniques | Sequence[int]) -> Techniques:
    """The techniques; raises `TypeError` or `ValueError` for one that is no number from 0 to MOST."""
    validation.instance("techniques", techniques, Techniques, "Techniques")
    for name, value in techniques._asdict().items():  # type: ignore[union-attr]
        validation.whole(name, value, 0, MOST)
    return Techniques(*techniques)
