"""Every public function refuses what it cannot use, on both engines: `tests/bad_calls.py` goes through a table of them.

What is public stands in docs/python.md and in the protocols of engines; a function that is missing from the table fails
here.
"""

import ast
import inspect
import json
import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import bad_calls
import pytest

import pysolve
from pysolve.engines import protocol
from pysolve.search import batch, decide, mcts, minimax, playouts, proof_number, retrograde, turns
from pysolve.search import perft as counting
from tests.games import slow_but

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
ENGINES = ("native", "prolog")
TRIED = slow_but((), ENGINES, late=["prolog"])
VALUES = {  # what is made and not asked: their fields are given to the functions of the table
    "AmbiguousMove", "EndlessTurn", "EngineError", "Explanation", "IllegalMove", "InvalidMove", "InvalidState",
    "LegalMoves", "LimitReached", "Move", "NotationError", "Outcome", "QueryError", "Reason", "RuleMistake",
    "RulesError", "Score", "Turn", "UnknownGame", "UnknownOption",
}  # fmt: skip
PROTOCOLS = (
    protocol.Engine, protocol.LookingEngine, counting.PerftEngine, turns.TurnEngine, playouts.PlayoutEngine,
    batch.ManyEngine, minimax.SearchingEngine, minimax.SizedEngine, mcts.TreeEngine, retrograde.SolvingEngine,
    proof_number.ProvingEngine, decide.DecidingEngine,
)  # fmt: skip


@cache
def carried_out(name: str) -> dict[str, Any]:
    """What the process says that carries the calls out."""
    command = [sys.executable, str(ROOT / "tests" / "bad_calls.py"), name]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=1200, check=False,
                          cwd=ROOT)  # fmt: skip
    if "native engine cannot be used" in done.stderr:
        pytest.skip("nothing compiles C here")
    last = [line for line in done.stderr.splitlines() if "(" in line][-1:]
    assert done.returncode == 0, f"the process ended with {done.returncode} in {last}\n{done.stderr[-2000:]}"
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", TRIED)
def test_no_bad_call_crashes_or_raises_what_is_not_documented(name: str) -> None:
    found = carried_out(name)
    assert found["calls"] > 4000
    assert found["wrong"] == []


@pytest.mark.parametrize("name", TRIED)
def test_what_is_wrong_is_refused(name: str) -> None:
    answered = [call for call, said in carried_out(name)["refused"].items() if said == "no error"]
    assert answered == []


@pytest.mark.long
def test_both_engines_refuse_in_the_same_words() -> None:
    native, prolog = (carried_out(name)["refused"] for name in ENGINES)
    assert native == prolog


def test_the_message_names_the_parameter_what_was_expected_and_what_was_given() -> None:
    refused = carried_out("prolog")["refused"]
    assert refused["perft(-1)"] == "ValueError: depth must be an integer from 0 to 200, not -1"
    assert refused["minimax(seconds=nan)"] == "ValueError: seconds must be a number from 0 to 1e+09, not nan"
    assert refused["playouts(longest=-1)"] == "ValueError: longest must be an integer from 0 to 1,000,000, not -1"
    assert refused["retrograde(states=0)"] == (
        "ValueError: states must be an integer from 1 to 2,147,483,647, not 0")  # fmt: skip
    assert refused["Position(g, other)"] == "InvalidState: a state of Tic-tac-toe has 10 bytes, not 17"
    assert refused["perft(1.0)"] == "TypeError: depth must be an integer, not 1.0"


def public() -> set[str]:
    """The names of the table that there must be: what docs/python.md imports, and what engines and positions answer."""
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    names = set(pysolve.__all__)
    for line in re.findall(r"^>>> (from pysolve\S* import .*)$", text, re.MULTILINE):
        (imported,) = ast.parse(line).body
        assert isinstance(imported, ast.ImportFrom)
        for one in imported.names:
            home = import_module(str(imported.module))
            value = getattr(home, one.name, None)
            if inspect.isfunction(value) or inspect.isclass(value):
                names.add(one.name)
                continue
            module = import_module(f"{imported.module}.{one.name}")  # as in  turns.turn_positions
            names |= {f"{one.name}.{called}" for called in re.findall(rf"\b{one.name}\.([a-z_]\w*)\(", text)
                      if inspect.isfunction(getattr(module, called, None))}  # fmt: skip
    for kind in (pysolve.Game, pysolve.Position, pysolve.LegalMoves):
        methods = [(name, value) for name, value in vars(kind).items() if not name.startswith("_")]
        names |= {f"{kind.__name__}.{name}" for name, value in methods
                  if inspect.isfunction(value) or isinstance(value, classmethod)}  # fmt: skip
    for one in PROTOCOLS:
        names |= {f"Engine.{name}" for name, value in vars(one).items()
                  if not name.startswith("_") and inspect.isfunction(value)}  # fmt: skip
    return names - VALUES


def test_every_public_function_is_in_the_table() -> None:
    known = {name for one in ENGINES for name in bad_calls.table(one)}
    assert not public() - known


def test_every_parameter_is_in_the_table() -> None:
    missing = []
    for name, (function, given) in bad_calls.table("prolog").items():
        if getattr(function, "__name__", "") == "<lambda>" or name in UNASKED:
            continue
        for parameter in inspect.signature(function).parameters.values():
            if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
                missing += [f"{name}({parameter.name})"] if parameter.name not in given else []
    assert set(missing) <= UNTRIED


UNASKED = {"Turn.count", "Turn.index", "LegalMoves.index"}  # of Sequence
UNTRIED = {
    "Game(reread)", "Game(kept)",  # what `load` gives
    "mcts(tree)", "best(report)", "best_moves(report)", "best_moves(tick)", "ranked(known)", "ranked(tick)",
    "play_match(name)", "play_variant(name)",
}  # fmt: skip


def test_legal_moves_can_be_pickled() -> None:
    import copy
    import pickle

    position = pysolve.load("tictactoe").start()
    for again in (pickle.loads(pickle.dumps(position.legal_moves)), copy.deepcopy(position.legal_moves)):
        assert list(again) == list(position.legal_moves)
    over = position
    for move in ("a1", "a2", "b1", "b2", "c1"):
        over = over.play(move)
    assert list(pickle.loads(pickle.dumps(over.legal_moves))) == []


def test_a_position_of_wrong_bytes_is_not_unpickled() -> None:
    import pickle

    position = pysolve.load("tictactoe").start()
    wrong = pickle.dumps(position).replace(position.state, b"\x01" + b"\x63" * 9)
    with pytest.raises(protocol.InvalidState, match='byte 1, of "at", holds 99'):
        pickle.loads(wrong)
