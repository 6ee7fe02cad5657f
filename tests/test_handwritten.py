"""The hand-written rules of the benchmarks give the answers of the oracles.

In: positions of seeded random games as the oracles play them, and one that such games hardly ever
reach.  Out: for each position an answer of the oracle, of the Prolog file and of `rules.py`, all in
the same shape: the number of the winner, or a list of (move in numbers, state after it) in order.
"""

import json
import random
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from benchmarks.handwritten import rules
from tests.oracles import conga, zola

Position = dict[str, Any]
Answer = int | list[tuple[tuple[int, ...], bytes]]

HANDWRITTEN = Path(rules.__file__).parent
EXPAND = {zola: rules.expand_zola, conga: rules.expand_conga}

# What a number stands for, counted from 1; 0 is None.
PLAYERS = {zola: ["Red", "Blue"], conga: ["Black", "White"]}
KINDS = {zola: ["retreat", "capture", "pass"], conga: ["sow"]}
DIRECTIONS = list(conga.DIRECTIONS)

BLOCKED = conga.initial()
BLOCKED["state"]["owner"] |= {"a3": "White", "b3": "White", "b4": "White", "d1": None}
BLOCKED["state"]["stones"] |= {"a3": 3, "b3": 3, "b4": 4, "d1": 0}

# Reads lists of numbers until the end of the input and writes one for each.
SERVE = """
    repeat,
    read(Codes),
    (   Codes == end_of_file
    ->  !
    ;   string_codes(State, Codes),
        expand(State, Reply),
        string_codes(Reply, Answer),
        print(Answer),
        nl,
        fail
    )
"""


@pytest.mark.slow
@pytest.mark.parametrize("oracle", [zola, conga])
def test_the_prolog_files_agree_with_the_oracles(oracle: ModuleType) -> None:
    positions = sample(oracle)
    expected = [oracle_answer(oracle, position) for position in positions]
    assert prolog_answers(oracle, [state(oracle, position) for position in positions]) == expected


@pytest.mark.slow
@pytest.mark.parametrize("oracle", [zola, conga])
def test_the_python_rules_agree_with_the_oracles(oracle: ModuleType) -> None:
    for position in sample(oracle):
        expected = oracle_answer(oracle, position)
        assert python_answer(oracle, state(oracle, position)) == expected


@pytest.mark.slow
def test_the_sample_has_passes_and_both_winners() -> None:
    answers = [oracle_answer(zola, position) for position in sample(zola)]
    assert 1 in answers
    assert 2 in answers
    assert any(isinstance(answer, list) and answer[0][0] == (3,) for answer in answers)
    assert oracle_answer(conga, BLOCKED) == 2


def sample(oracle: ModuleType) -> list[Position]:
    """Positions of seeded random games, finished ones among them; for Conga also `BLOCKED`."""
    rng = random.Random(1)
    seen: list[Position] = []
    while len(seen) < 1200:
        position = oracle.initial()
        for _ in range(100):
            seen.append(position)
            moves = oracle.moves(position)
            if not moves:
                break
            _, _, position = rng.choice(moves)
    unreached = [BLOCKED] if oracle is conga else []
    return rng.sample(seen, 300) + unreached


def state(oracle: ModuleType, position: Position) -> bytes:
    """The bytes of `position`: the mover, then the values in the order of the exchange form."""
    values = [value for cells in position["state"].values() for value in cells.values()]
    names = [None, *PLAYERS[oracle]]
    return bytes(value if isinstance(value, int) else names.index(value) for value in [position["mover"], *values])


def oracle_answer(oracle: ModuleType, position: Position) -> Answer:
    """What the oracle says."""
    outcome = oracle.outcome(position)
    if outcome:
        return 1 + PLAYERS[oracle].index(outcome["winner"])
    cells = list(next(iter(position["state"].values())))
    return [
        (
            (
                1 + KINDS[oracle].index(kind),
                *(1 + (DIRECTIONS if name == "dir" else cells).index(value) for name, value in parameters.items()),
            ),
            state(oracle, after),
        )
        for kind, parameters, after in oracle.moves(position)
    ]


def python_answer(oracle: ModuleType, before: bytes) -> Answer:
    """What `rules.py` says."""
    node = EXPAND[oracle](before)
    if node.winner is not None:
        assert not node.moves
        return node.winner
    return [(move, node.child(index)) for index, move in enumerate(node.moves)]


def prolog_answers(oracle: ModuleType, states: list[bytes]) -> list[Answer]:
    """What the Prolog file says about all `states`."""
    name = oracle.__name__.rpartition(".")[2]
    run = subprocess.run(
        ["swipl", "-O", "-g", SERVE, "-t", "halt", "--on-error=halt", HANDWRITTEN / f"{name}.pl"],
        input="".join(f"{list(before)}.\n" for before in states),
        capture_output=True,
        check=True,
        encoding="ascii",
        timeout=300,
    )
    replies = [json.loads(line) for line in run.stdout.splitlines()]
    return [read_reply(*pair) for pair in zip(states, replies, strict=True)]


def read_reply(before: bytes, reply: list[int]) -> Answer:
    """The answer that a reply of the Prolog file stands for."""
    ending, player, *records = reply
    if ending:
        return player
    answer = []
    for record in bytes(records).split(b"\xff")[1:]:
        parameters = 0 if record[0] == 3 else 2
        patch = record[1 + parameters :]
        after = bytearray(before)
        after[0] = player
        for index, value in zip(patch[::2], patch[1::2], strict=True):
            after[index] = value
        answer.append((tuple(record[: 1 + parameters]), bytes(after)))
    return answer
