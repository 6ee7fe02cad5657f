"""Two engines side by side: the same questions, the answers compared.

In: an engine that is trusted, others that are tried, positions.  Out: nothing where they agree; else a `Disagreement`
with the smallest position that shows it, and both answers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from pysolve.dsl import notation
from pysolve.dsl.model import Game, SetSort, Slot, Sort
from pysolve.dsl.to_c import print_c
from pysolve.engines.bridge import bridge
from pysolve.engines.build import Compiler
from pysolve.engines.native import NativeEngine
from pysolve.engines.protocol import Engine, EngineError, LimitReached, State

TOO_LONG = object()
PAST = [(0, 2), (7, 1), (7, 3), (1000, 1)]  # turns over, and how often a position has occurred


class Laid(NativeEngine):
    """The native engine by one compiler and in one layout, whatever would suit the compiler."""

    def __init__(self, game: Game, compiler: str = "tcc", sets: bool = True):
        self.sets = sets
        super().__init__(game, compiler, proof=False)

    def text(self, compiler: Compiler) -> str:
        return print_c(self.game, sets=self.sets)

    def __str__(self) -> str:
        return f"{self.compiler} {'with' if self.sets else 'without'} sets"


class Disagreement(AssertionError):
    """Two engines answer differently."""


def answer(engine: Engine, question: Callable[[Engine], Any]) -> Any:
    """What an engine answers; a mistake in the rules is an answer, too.  `TOO_LONG` if it may not think so long."""
    try:
        return question(engine)
    except LimitReached:
        return TOO_LONG
    except EngineError as error:
        return f"{type(error).__name__}: {error}"


def answers(engine: Engine, state: State) -> dict[str, Any]:
    """All that is asked about a position; nothing where there is a limit to what an engine may be asked."""
    found: dict[str, Any] = {}
    try:
        node = engine.expand(state)
        found |= {
            "the winner": (node.payoff, node.ending),
            "the legal moves": list(node.moves),
            "how likely they are": node.weights,
            "the positions after them": list(node.children()),
        }
        found["its estimate"] = engine.estimate(state)
        if engine.game.numbered:
            found["what its endings compare"] = [engine.standing(state, ending) for ending in engine.game.numbered]
        if engine.game.remembers:
            found["its end after a game"] = [engine.judge(state, *past) for past in PAST]
    except LimitReached:
        return {}
    except EngineError as error:
        found["a mistake"] = str(error) if _one_is_first(engine.game) else True
    return found


def _one_is_first(game: Game) -> bool:
    """Of several mistakes in a position one is reported on every engine.

    That is settled where moves are found in order, and where no round has to do with stacks: Prolog looks at their
    heights at the end of a round, C line by line.
    """
    stacks = any(slot.stack for slot in game.slots.values())
    return not stacks and all(action.ordered for action in game.actions)


def differ(expected: dict[str, Any], found: dict[str, Any]) -> str:
    """What the answers differ in; a mistake of the rules that an estimate meets need not be seen by both."""
    if "a mistake" in expected and "the winner" in expected:
        expected = {name: value for name, value in expected.items() if name in found and name != "a mistake"}
        found = {name: value for name, value in found.items() if name in expected}
    names = (name for name in (*expected, *found) if expected.get(name) != found.get(name))
    return next(names, "") if expected else ""


def compare(trusted: Engine, tried: Sequence[Engine], state: State) -> list[State]:
    """The positions after all moves, on which the engines agree; none if the game is over or the rules fail."""
    expected = answers(trusted, state)
    for engine in tried:
        if differ(expected, answers(engine, state)):
            state = smallest(trusted, engine, state)
            one, other = answers(trusted, state), answers(engine, state)
            name = differ(one, other)
            raise Disagreement(told(trusted, engine, name, state, one.get(name), other.get(name)))
    return list(expected.get("the positions after them", ()))


def same(trusted: Engine, tried: Sequence[Engine], state: State, name: str, question: Callable[[Engine], Any]) -> Any:
    """The answer to another question about a position, on which the engines agree."""
    expected = answer(trusted, question)
    for engine in tried:
        found = answer(engine, question)
        if expected is not TOO_LONG and found != expected:
            raise Disagreement(told(trusted, engine, name, state, expected, found))
    return expected


def smallest(trusted: Engine, tried: Engine, state: State) -> State:
    """A position about which the engines still disagree, with as few values in it as can be."""
    again = True
    while again:
        again = False
        for slot, args, values in places(trusted.game):
            less = with_value(state, slot, args, values[0])
            if less != state and differ(answers(trusted, less), answers(tried, less)):
                state, again = less, True
    return state


def told(trusted: Engine, tried: Engine, name: str, state: State, expected: Any, found: Any) -> str:
    """Both answers, and the position that they are about; of two lists what only one of them has."""
    model, where = trusted.game, facts(trusted.game, state) if state else "the beginning"
    if isinstance(expected, list) and isinstance(found, list) and {*expected} != {*found}:
        only = [one for one in expected if one not in found]
        expected, found = only, [one for one in found if one not in expected]
    one, other = in_words(model, name, expected), in_words(model, name, found)
    return f"{model.title}: {tried} disagrees about {name}, in\n{where}\nProlog: {one}\nC:      {other}"


def in_words(model: Game, name: str, answer: Any) -> str:
    """An answer, to be read."""
    if isinstance(answer, list) and answer and isinstance(answer[0], bytes):
        return "; ".join(facts(model, state) for state in answer)
    if isinstance(answer, list) and name == "the legal moves":
        return "; ".join(f"{move} {notation.move_text(model, move)}" for move in answer)
    return str(answer)


def facts(model: Game, state: State) -> str:
    """What a position holds, besides what every value is at first."""
    held = []
    for slot, args, values in places(model):
        value = notation.get(state, slot, args)
        if slot.stack is not None and value != values[0]:
            held.append(f"{notation.place_name(slot, args)} = {notation.stack_text(slot, _lying(state, slot, args))}")
        elif value != values[0] or slot.name == "mover":
            assert not isinstance(slot.sort, SetSort)
            held.append(f"{notation.place_name(slot, args)} = {slot.sort.label(value)}")
    return ", ".join(held)


@cache
def _asking() -> Callable[[bytes], bytes | None]:
    prolog = bridge()
    prolog.load("pysolve_spent", 'spent(_, Text) :- statistics(inferences, N), format(string(Text), "~d", [N]).\n')
    return prolog.function("pysolve_spent", "spent")


def inferences() -> int:
    """How much Prolog has done in this thread so far: a measure of work that is the same on every machine."""
    return int(_asking()(b"") or b"0")


def play_along(
    trusted: Engine, tried: Sequence[Engine], seed: int, games: int, length: int, most: int = 100_000_000
) -> int:
    """Random games in lockstep, until Prolog has needed so many inferences; how many positions were compared."""
    chance, seen, until = random.Random(seed), 0, inferences() + most
    for number in range(games):
        begin = same(trusted, tried, b"", f"seed {number}", lambda engine, number=number: engine.start(number))
        if isinstance(begin, str):
            continue  # no position, by a mistake in the rules
        state = begin
        for _ in range(length):
            children = compare(trusted, tried, state)
            seen += 1
            if not children or inferences() > until:
                break
            state = chance.choice(children)
    return seen


def places(model: Game) -> Iterator[tuple[Slot, tuple[int, ...], list[int]]]:
    """Every place of a position, with the values that it may have, the blank one first; of a stack those of its top."""
    for slot in model.slots.values():
        if slot.part_of:
            continue
        sort = slot.sort
        assert not isinstance(sort, SetSort)
        others = [value for value in range(sort.lowest, sort.high + 1) if value != slot.default]
        for args in notation.arguments(slot):
            yield slot, args, [slot.default, *others]


def _parts(slot: Slot) -> dict[str, Slot]:
    """The slots of what belongs to a stack, which stand behind its own."""
    assert slot.stack is not None
    height = Slot(slot.stack.height, slot.params, Sort("number", 0, slot.stack.most), slot.offset + slot.count, 1, 0)
    place = Sort("place", 1, slot.stack.most)
    items = Slot(slot.stack.items, (*slot.params, place), slot.sort, height.offset + slot.count, 1, slot.default)
    return {height.name: height, items.name: items}


def _lying(state: State, slot: Slot, args: tuple[int, ...]) -> tuple[int, ...]:
    return notation.stacked(_parts(slot), state, slot, args)


def contents(slot: Slot, value: int) -> list[int]:
    """What lies in a stack whose top is a value; none lies in an empty one."""
    assert slot.stack is not None
    if value == slot.sort.none:
        return []
    chance = random.Random(value)
    below = [chance.choice(slot.sort.values()) for _ in range(chance.randrange(min(slot.stack.most, 5)))]
    return [*below, value]


def with_value(state: State, slot: Slot, args: tuple[int, ...], value: int) -> State:
    changed = bytearray(state)
    if slot.stack is not None:
        notation.put_stack(_parts(slot), changed, slot, args, contents(slot, value))
        return bytes(changed)
    notation.put(changed, slot, args, value)
    return bytes(changed)
