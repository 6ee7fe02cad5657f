"""Rules files in which something was changed at random: see tests/mutations.py.

A hundred with --all, 20,000 with --long.
"""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("resource")
QUICK, ALL, LONG, PART = 12, 100, 20_000, 500


def run(first: int, last: int) -> None:
    command = [sys.executable, "-m", "tests.mutations", str(first), str(last)]
    done = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]


@pytest.mark.slow
def test_mutated_rules_are_refused_in_words_or_played() -> None:
    run(0, QUICK)


@pytest.mark.slow
def test_a_hundred_mutated_rules_are_refused_in_words_or_played() -> None:
    run(QUICK, ALL)


@pytest.mark.long
@pytest.mark.parametrize("first", range(ALL, LONG, PART))
def test_thousands_of_mutated_rules_are_refused_in_words_or_played(first: int) -> None:
    run(first, min(first + PART, LONG))
