"""What every public function asks of its arguments before it uses them.

In: the name of a parameter, what was given for it, and what is expected.  Out: the value, in the type that the function
works with; or a `TypeError`, a `ValueError` or an `InvalidState`, which name the parameter, what was expected and what
was given.  What has passed a door once is trusted behind it: C is given nothing else.
"""

from __future__ import annotations

import math
import operator
import reprlib
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from pysolve.dsl import notation
from pysolve.dsl.model import Game
from pysolve.engines.protocol import InvalidState, Move, State

LARGEST = 2**63 - 1  # the greatest number of C
MASK = 2**64 - 1
MOST_TURNS = 2**62  # that were played before a position
LONGEST_WAIT = 1e9  # seconds: some thirty years


def whole(name: str, value: Any, low: int, high: int = LARGEST) -> int:
    """A whole number in a range; numbers of other libraries are numbers, too."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {shown(value)}") from None
    if not low <= number <= high:
        limits = f"from {low:,}" if high == LARGEST else f"from {low:,} to {high:,}"
        raise ValueError(f"{name} must be an integer {limits}, not {shown(number)}")
    return number


def whole_or_none(name: str, value: Any, low: int, high: int = LARGEST) -> int | None:
    """A whole number in a range, as `whole` checks it, or None."""
    return None if value is None else whole(name, value, low, high)


def seed(value: Any, name: str = "seed") -> int:
    """A seed: any whole number, of which 64 bits count."""
    try:
        return operator.index(value) & MASK
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {shown(value)}") from None


def number(name: str, value: Any, low: float, high: float) -> float:
    """A finite number in a range."""
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name} must be a number, not {shown(value)}")
    try:
        found = float(value)
    except TypeError:
        raise TypeError(f"{name} must be a number, not {shown(value)}") from None
    except OverflowError:
        found = math.inf
    if not low <= found <= high:  # false of NaN, too
        raise ValueError(f"{name} must be a number from {low:,g} to {high:,g}, not {shown(value)}")
    return found


def seconds(value: Any, name: str = "seconds") -> float | None:
    """A time, or None for no limit."""
    return None if value is None else number(name, value, 0, LONGEST_WAIT)


def moment(value: Any, name: str = "until") -> float | None:
    """A moment of `time.monotonic`, or None for no limit."""
    return None if value is None else number(name, value, -LONGEST_WAIT, 2 * LONGEST_WAIT)


def text(name: str, value: Any) -> str:
    """A text."""
    found: str = instance(name, value, str, "a string")
    return found


def callback(name: str, value: Any) -> Any:
    """Something that can be called, or None."""
    if value is not None and not callable(value):
        raise TypeError(f"{name} must be a function, not {shown(value)}")
    return value


def instance(name: str, value: Any, kind: type | tuple[type, ...], what: str) -> Any:
    """A value of a type, which the message calls `what`."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be {what}, not {shown(value)}")
    return value


def sound(game: Game, state: Any) -> State:
    """A state of a game, each of its values in its range."""
    if not (isinstance(state, bytes) and game.states.fullmatch(state)):
        refuse(game, state)
    found: State = state
    uneven = notation.uneven(game, found)
    if uneven:
        raise InvalidState(f"this is not a state of {game.title}: {uneven} is not as high as what lies in it")
    return found


def refuse(game: Game, state: Any) -> None:
    """Raises what is to be said of a value that is no state of a game."""
    if not isinstance(state, bytes):
        raise TypeError(f"a state of {game.title} must be bytes, not {shown(state)}")
    if len(state) != game.size:
        raise InvalidState(f"a state of {game.title} has {game.size:,} bytes, not {len(state):,}")
    for slot in game.slots.values():
        allowed = slot.stored
        for at in range(slot.offset, slot.offset + slot.count * slot.width, slot.width):
            digits = state[at : at + slot.width]
            value = digits[0] if slot.width == 1 else 255 * digits[0] + digits[1]
            if value not in allowed or (slot.width == 2 and digits[1] == 255):
                raise InvalidState(
                    f'this is not a state of {game.title}: byte {at}, of "{slot.name}", holds {value}; '
                    f"it can hold {allowed[0]} to {allowed[-1]}"
                )


def sound_all(game: Game, states: Any, name: str = "states") -> list[State]:
    """States of a game, as a list."""
    return [sound(game, state) for state in listed(name, states, "a list of states")]


def seen(game: Game, times: Any) -> dict[State, int]:
    """A mapping from states to the number of times that they occurred, checked.

    The values in a state are not checked, because states are given as `repeated` compares them.
    """
    instance("seen", times, Mapping, "a mapping of states to numbers")
    for state in times:
        if not isinstance(state, bytes) or len(state) != game.size:
            refuse(game, state)
    return {state: whole("seen", count, 0) for state, count in times.items()}


def engine(value: Any) -> Any:
    """An engine, of whatever making: what answers `expand`."""
    if isinstance(value, type) or not callable(getattr(value, "expand", None)):
        raise TypeError(f"engine must be an engine, as game.engine is, not {shown(value)}")
    return value


def listed(name: str, values: Any, what: str) -> list[Any]:
    """The members of whatever can be gone through; a text is not a list of letters here."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be {what}, not {shown(values)}")
    return list(values)


def move(game: Game, numbers: Any) -> Move:
    """A move as its kind and its parameters, which the rules know; a forced pass is none of them."""
    if not isinstance(numbers, tuple):
        raise TypeError(f"a move of {game.title} must be a tuple of numbers here, not {shown(numbers)}")
    if not notation.is_move(game, numbers) or numbers[0] == len(game.actions):
        raise ValueError(
            f"{shown(numbers)} is not a move of {game.title}: a move is its kind and a value for each parameter"
        )
    found: Move = numbers
    return found


def drawn(game: Game, name: Any) -> str:
    """A name that `show` draws, marks or tells by the rules."""
    if text("name", name) not in game.shown:
        raise ValueError(
            f"show draws no {shown(name)} in {game.title}: it draws {', '.join(game.shown) or 'states alone'}"
        )
    return str(name)


def place(index: Any, count: int, what: str = "move") -> int:
    """The number of a move, or of something else of which there are so many; raises `IndexError` outside."""
    try:
        found = operator.index(index)
    except TypeError:
        raise TypeError(f"the number of a {what} must be an integer, not {shown(index)}") from None
    if not 0 <= found < count:
        raise IndexError(f"there is no {what} {shown(found)}: there are {count:,}, numbered from 0")
    return found


def refuse_copy(what: str, instead: str) -> NoReturn:
    """Raises what is to be said of something that holds memory or a program, and is neither pickled nor copied."""
    raise TypeError(f"{what} cannot be pickled or copied: {instead}")


def shown(value: Any) -> str:
    """A value as a message shows it: short, whatever it is."""
    try:
        return reprlib.repr(value)
    except Exception:  # a number with too many digits, or an object that fails
        return f"<{type(value).__name__}>"
