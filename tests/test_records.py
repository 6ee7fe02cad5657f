"""The loops that list all moves for a program find what the readable clauses find, on every game."""

import ctypes
import random
import sys
from pathlib import Path

import pytest

import pysolve
from pysolve.engines.border import PrologError
from pysolve.engines.bridge import bridge
from pysolve.engines.prolog import SEPARATOR, PrologEngine
from tests.games import SMALLER, each, slow_but

HERE = Path(__file__).parent
RULES = sorted([*(HERE.parent / "rules").glob("*.rules"), *(HERE / "rules").glob("*.rules")])
OPTIONS = [("zola", {"size": 8}), ("conga", {"sowing": "sweep"}), ("conga", {"four_equal": "on", "size": 6})]

# Each move with its changes in words, from the clauses that people ask.
FOUND = """
inference_limit(1000000000).
found(In, Out) :-
    string_codes(In, Codes),
    decode(Codes, P),
    findall(M-W, (move(P, M), once(effect(M, P, W, []))), Found),
    with_output_to(string(Out), forall(member(M-W, Found), (M =.. [Kind|Args], format("~w ~w ~w~n", [Kind, Args, W])))).
"""


def compare(rules: str | Path, games: int, plies: int, **options: object) -> None:
    model = pysolve.load(rules, **options).model
    engine = PrologEngine(model, warm=None)
    module = f"found_{model.digest}"
    bridge().load(module, engine.program + FOUND)
    found = bridge().function(module, "found")
    rng = random.Random(1)
    for seed in range(games):
        state = engine.start(seed)
        for _ in range(plies):
            node = engine.expand(state)
            if node.payoff is not None:
                break
            said = []
            for move, record in zip(node.moves, engine.ask(state).split(SEPARATOR)[1:], strict=True):
                if move[0] < len(model.actions):  # no pass
                    changes = list(record[engine._layout.lengths[move[0]] :])
                    said.append(f"{model.actions[move[0]].name} {list(move[1:])} {changes}".replace(", ", ","))
            assert "".join(line + "\n" for line in said) == (found(state) or b"").decode().replace(", ", ",")
            state = node.child(rng.randrange(len(node)))
    bridge().unload(module)


@pytest.mark.parametrize("path", each(RULES, quick=("zola", "yoxii", "othello")))
def test_records_are_what_the_readable_clauses_find(path: Path) -> None:
    compare(path, games=2, plies=25, **SMALLER.get(path.stem, {}))


@pytest.mark.parametrize(("name", "options"), slow_but((), OPTIONS), ids=str)
def test_under_options(name: str, options: dict[str, object]) -> None:
    compare(name, games=2, plies=25, **options)


def test_calls_through_ctypes_do_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing compiles in memory, and in other threads."""
    prolog, data = bridge(), bytes(range(256)) * 40
    prolog.load("calls", "same(X, X).\nnone(_, _) :- fail.\nbad(X, Y) :- atom_length(f(X), Y).\n")
    for direct in (prolog._direct, None):
        monkeypatch.setattr(prolog, "_direct", direct)
        same, none, bad = (prolog.function("calls", name) for name in ("same", "none", "bad"))
        for _ in range(3):
            assert same(data) == data
            assert same(b"") == b""
            assert none(data) is None
            with pytest.raises(PrologError, match="type_error"):
                bad(data)
        with pytest.raises((TypeError, ctypes.ArgumentError)):
            same("text")  # type: ignore[arg-type]
        assert same(b"goes on") == b"goes on"
        assert not prolog._me().calls.value


def test_a_direct_call_leaves_nothing_behind() -> None:
    """Neither references to Python's objects nor memory of Prolog."""
    prolog, data = bridge(), bytes(300)
    prolog.load("calls", "same(X, X).\nnone(_, _) :- fail.\n")
    same, none = prolog.function("calls", "same"), prolog.function("calls", "none")
    before = sys.getrefcount(data), sys.getrefcount(None)
    for _ in range(5000):
        same(data)
        none(data)
    assert abs(sys.getrefcount(data) - before[0]) < 10
    assert abs(sys.getrefcount(None) - before[1]) < 1000
