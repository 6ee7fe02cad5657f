"""Mutated rules files: each is refused in words, or it is a game that can be played.

In: numbers.  A number says which file is changed and how, so that a failure is repeated by
`python -m tests.mutations NUMBER NUMBER+1`.  Out: a line for each number whose text ends otherwise: with another
exception than `RulesError`, without an end, or with a game for which Prolog or C fail, or differ.
"""

from __future__ import annotations

import random
import re
import resource
import signal
import sys
import tempfile
import traceback
from pathlib import Path

from pysolve import dsl
from pysolve.dsl.to_c import TooLarge, print_c
from pysolve.engines.native import NativeEngine
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import Engine, EngineError, State
from pysolve.runtime.paths import RULES

HERE = Path(__file__).parent
FILES = [*sorted(RULES.glob("*.rules")), *sorted((HERE / "rules").glob("*.rules"))]
TOKEN = re.compile(rb'\n[ ]*|"[^"\n]*"|\w+|[^\w\s]|[ ]+')
STRANGE = [b"none", b"0", b"3..2", b"-1", b"99999999999", b"mover", b"cell", b"a1", b"set of", b"some c: cell has",
           b"{", b"}", b"(", b")", b"\xff", b"\x00", b"\t", "\u202e".encode(), b"then", b"else", b"if", b"//", b"pick",
           b"reach from", b"first", b"^", b"\n", b"\n  ", b"\n    ", b"repeated 2", b'"']  # fmt: skip
MEMORY = 4 << 30  # bytes
SECONDS = 100  # of processor time, for one text
INFERENCES = 3_000_000  # for one question to Prolog
STATES = 3  # positions of each accepted game that are expanded


class NoEnd(BaseException):
    """A text takes too long.  (Nothing that is caught along the way.)"""


def mutated(number: int) -> bytes:
    """The text of a number."""
    dice = random.Random(number)
    path = FILES[number % len(FILES)]
    data = path.read_bytes()
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        data = dice.choice([_tokens, _tokens, _tokens, _tokens, _bytes, _cut, _lines, _indents, _spliced])(data, dice)
    return data


def _tokens(data: bytes, dice: random.Random) -> bytes:
    """A token is deleted, doubled, exchanged with another one or replaced."""
    found = TOKEN.findall(data) or [b""]
    i, j = dice.randrange(len(found)), dice.randrange(len(found))
    match dice.randrange(5):
        case 0:
            found[i] = b""
        case 1:
            found[i] += found[i]
        case 2:
            found[i], found[j] = found[j], found[i]
        case 3:
            found[i] = dice.choice(STRANGE)
        case _:
            words = [at for at, token in enumerate(found) if token[:1].isalnum()] or [i]
            found[dice.choice(words)] = found[dice.choice(words)]
    return b"".join(found)


def _bytes(data: bytes, dice: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.choice([1, 1, 3, 10])):
        changed[dice.randrange(len(changed))] = dice.choice([dice.randrange(256), *b' "()=:,#'])
    return bytes(changed)


def _cut(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(1, len(data) + 1)
    return dice.choice([data[:at], data[at:], data[:at] + data[min(len(data), at + dice.randrange(1, 200)) :]]) or b" "


def _lines(data: bytes, dice: random.Random) -> bytes:
    """A few lines are shuffled, doubled or deleted."""
    lines = data.split(b"\n")
    i = dice.randrange(len(lines))
    j = min(len(lines), i + dice.randrange(1, 8))
    part = lines[i:j]
    dice.shuffle(part)
    lines[i:j] = dice.choice([part, part, [], lines[i:j] * 2])
    return b"\n".join(lines) or b" "


def _indents(data: bytes, dice: random.Random) -> bytes:
    lines = data.split(b"\n")
    i = dice.randrange(len(lines))
    lines[i] = b" " * dice.choice([0, 1, 2, 4, 6]) + lines[i].lstrip(b" ")
    return b"\n".join(lines) or b" "


def _spliced(data: bytes, dice: random.Random) -> bytes:
    """Some lines of another file stand in it, too."""
    other = dice.choice(FILES).read_bytes().split(b"\n")
    lines = data.split(b"\n")
    i, j = dice.randrange(len(lines)), dice.randrange(len(other))
    lines[i:i] = other[j : j + dice.randrange(1, 6)]
    return b"\n".join(lines)


# ------------------------------------------------------------------------------------------- what becomes of it


def trouble(number: int) -> str | None:
    """What is wrong with what becomes of a text; None if all is as it should be."""
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "mutated.rules"
            path.write_bytes(mutated(number))
            _read_and_tried(path, number)
    except (NoEnd, Exception):
        return traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return None


def _stop(*_: object) -> None:
    raise NoEnd


def _read_and_tried(path: Path, number: int) -> None:
    try:
        game = dsl.read_rules(path, folders=(RULES,))
    except dsl.RulesError as error:
        if not str(error):
            raise AssertionError("a mistake has words") from None
        return
    prolog = PrologEngine(game, INFERENCES, warm=None)
    try:
        states = _followed(prolog)
        if number % 5:
            return
        try:
            native = NativeEngine(game, "tcc" if number % 10 else "cc", proof=False)
        except TooLarge:
            return
        print_c(game)
        for state in states:
            assert _answer(native, state) == _answer(prolog, state), "the engines differ"
    finally:
        prolog.close()


def _followed(engine: Engine) -> list[State]:
    """The first positions of a game, as far as its rules lead."""
    try:
        states = [engine.start(0)]
        for number in range(STATES):
            children = list(engine.expand(states[-1]).children())
            if not children:
                break
            states.append(children[number % len(children)])
    except EngineError as error:
        _check_words(error)
        return []
    return states


def _answer(engine: Engine, state: State) -> object:
    try:
        node = engine.expand(state)
        return node.payoff, node.ending, tuple(node.moves), tuple(node.children()), engine.estimate(state)
    except EngineError as error:
        _check_words(error)
        return "no answer"


def _check_words(error: EngineError) -> None:
    """What the rules do wrong when they are played is the author's mistake, or a limit, and never ours."""
    if "mistake in pysolve" in str(error):
        raise AssertionError(str(error)) from error


def main(first: int, last: int) -> int:
    """Tries the texts from one number up to another; the number of those that fail."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    failed = 0
    for number in range(first, last):
        wrong = trouble(number)
        if wrong is not None:
            failed += 1
            print(f"== {number}, {FILES[number % len(FILES)].name}:\n{wrong}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(min(1, main(*map(int, sys.argv[1:3]))))
