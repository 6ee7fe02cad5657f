"""What comes through a public function is checked once, before an engine sees it: the same errors on both engines.

States first: their type, their length, and that each value is in its range.  The model says what a state is
(`Game.states`), C looks for itself; here both are held against each other, and C is run under sanitizers.
"""

import random
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

import pysolve
from pysolve.dsl.model import Game as Model
from pysolve.dsl.to_c import print_c
from pysolve.engines import native
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import Engine, InvalidState
from pysolve.runtime import validation
from tests.games import each, slow_but

GAMES = ("tictactoe", "zola", "chess", "antiyomacy", "blockade", "kalah")


def open_native(model: Model) -> native.NativeEngine:
    try:
        return native.NativeEngine(model)
    except (native.NoCompiler, native.BuildError):
        pytest.skip("nothing compiles C here")


@cache
def engines(name: str) -> tuple[Engine, ...]:
    model = pysolve.load(name).model
    return PrologEngine(model), open_native(model)


def damaged(model: Model, state: bytes, chance: random.Random) -> bytes:
    """The state with one value changed: to the next one that it cannot hold, to any byte, or to the greatest."""
    slot = chance.choice(list(model.slots.values()))
    at = slot.offset + slot.width * chance.randrange(slot.count)
    low, high = slot.stored[0], slot.stored[-1]
    value = chance.choice((high + 1, low - 1, high, low, chance.randrange(256), 255))
    digits = (value,) if slot.width == 1 else (value // 255, value % 255)
    found = bytearray(state)
    found[at : at + slot.width] = bytes(digit % 256 for digit in digits)
    if chance.random() < 0.3:
        found[at + slot.width - 1] = 255
    return bytes(found)


@pytest.mark.parametrize("name", each(GAMES))
def test_c_and_the_model_agree_on_what_a_state_is(name: str) -> None:
    model = pysolve.load(name).model
    engine = open_native(model)
    chance = random.Random(name)
    start = engine.start(1)
    refused = 0
    for _ in range(2000):
        state = damaged(model, start, chance)
        is_state = model.states.fullmatch(state) is not None
        assert (engine.functions.sound(state, 1) == 1) == is_state, state
        refused += not is_state
    assert 400 < refused < 2000


def questions(engine: Engine):  # type: ignore[no-untyped-def]
    asked = [engine.expand, engine.estimate, lambda state: engine.judge(state, 0, 1)]
    asked.append(lambda state: engine.standing(state, 1))
    more = ("look", "result", "turn_positions", "count_turns")
    asked += [getattr(engine, name) for name in more if hasattr(engine, name)]
    if isinstance(engine, native.NativeEngine):
        asked += [
            lambda state: engine.perft(state, 2),
            lambda state: engine.playouts(state, 1, 1, 10),
            lambda state: engine.expand_many([engine.start(), state]),
            lambda state: engine.estimate_many([engine.start(), state]),
            lambda state: engine.retrograde(state, 1000),
            lambda state: engine.prover(state, 1, 1000),
            lambda state: engine.prover(engine.start(), 1, 1000).known(state),
            lambda state: engine.prover(engine.start(), 1, 1000).forget(state),
            lambda state: engine.tree(state, native.Settings(), native.History()),
            lambda state: engine.searcher(100, 1, native.Horizon()).visit(state, 1, -100, 100, None, None),
        ]
    return asked


@pytest.mark.parametrize("name", each(GAMES))
def test_both_engines_refuse_the_same_states_in_the_same_words(name: str) -> None:
    model = pysolve.load(name).model
    chance = random.Random(name)
    start = engines(name)[0].start(1)
    other = pysolve.load("hex" if name != "hex" else "zola").start().state
    wrong: list[object] = [None, 5, "text", bytearray(start), b"", start[:-1], start + b"\0", other, bytes(len(start)),
                           b"\xff" * len(start)]  # fmt: skip
    wrong += [state for _ in range(20) if not model.states.fullmatch(state := damaged(model, start, chance))]
    for state in wrong:
        kind = InvalidState if isinstance(state, bytes) else TypeError
        with pytest.raises(kind) as expected:
            validation.sound(model, state)
        for engine in engines(name):
            for ask in questions(engine):
                with pytest.raises(kind) as error:
                    ask(state)
                assert str(error.value) == str(expected.value)


def test_the_message_says_what_a_byte_may_hold() -> None:
    start = pysolve.load("zola").start()
    with pytest.raises(InvalidState, match=r'of Zola: byte 0, of "mover", holds 3; it can hold 1 to 2$'):
        start.game.engine.expand(b"\x03" + start.state[1:])
    with pytest.raises(InvalidState, match="a state of Zola has 37 bytes, not 36"):
        start.game.engine.expand(start.state[1:])
    with pytest.raises(TypeError, match="a state of Zola must be bytes, not None"):
        start.game.engine.expand(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("index", [-1, 9, 2**70, None, "0", 1.0])
def test_a_move_is_asked_for_by_its_number(index: object) -> None:
    kind = IndexError if isinstance(index, int) else TypeError
    said = []
    for engine in engines("tictactoe"):
        node = engine.expand(engine.start())
        with pytest.raises(kind) as error:
            node.child(index)  # type: ignore[arg-type]
        said.append(str(error.value))
    assert said[0] == said[1]


SANITIZED = """
#include <stdio.h>
#include <stdlib.h>
%s
/* States of the right length and of any bytes, each in memory of exactly its size. */
int main(void) {
    Move *moves = malloc(100000 * sizeof(Move));
    u8 *children = malloc(100000 * (size_t)SIZE + 8), *start = malloc(SIZE + 8);
    I result[2], refused = 0;
    Control *c = calloc(1, sizeof(Control));
    u64 random = 7;
    c->left = c->steps = 1000000000;
    if (ps_start(c, 1, start) < 0) return 1;
    for (int n = 0; n < 20000; n++) {
        u8 *s = malloc(SIZE);
        for (int i = 0; i < SIZE; i++) s[i] = start[i];
        for (int k = n %% 5; k >= 0; k--) {
            random = random * 6364136223846793005ULL + 1442695040888963407ULL;
            s[(random >> 33) %% SIZE] = (u8)((random >> 20) %% (n %% 2 ? 256 : 8));
        }
        I sound = ps_sound(s, 1), count = ps_expand(c, s, moves, 100000, result, children);
        if (!sound != (count == UNSOUND)) return 2;
        if (!sound != (ps_estimate(c, s) == UNSOUND_VALUE)) return 3;
        if (!sound != (ps_judge(c, s, 0, 1, result) == UNSOUND)) return 4;
        refused += !sound;
        free(s);
    }
    printf("%%lld\\n", refused);
    return 0;
}
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc here")
@pytest.mark.parametrize(
    "name", slow_but((), ["tictactoe", "zola", "antiyomacy", "kalah"], late=("zola", "antiyomacy", "kalah"))
)
def test_sanitizers_find_nothing_where_states_are_wrong(name: str, tmp_path: Path) -> None:
    """Wrong states go no further than the door; those that pass it, however odd, are answered within bounds."""
    source, made = tmp_path / "game.c", tmp_path / "game"
    source.write_text(SANITIZED % print_c(pysolve.load(name).model), encoding="ascii")
    flags = ["-O0", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fwrapv", "-w"]
    built = subprocess.run(["gcc", *flags, str(source), "-o", str(made)], capture_output=True, text=True, check=False)
    if built.returncode and "cannot find" in built.stderr:
        pytest.skip("there are no sanitizers here")
    assert not built.returncode, built.stderr[:2000]
    done = subprocess.run([str(made)], capture_output=True, text=True, check=False, timeout=600,
                          env={"ASAN_OPTIONS": "detect_leaks=0"})  # fmt: skip
    assert done.returncode == 0, done.stderr[:3000]
    assert int(done.stdout) > 1000
