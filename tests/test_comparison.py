"""The figures of docs/comparison.md for our own games are those of the files; `pytest --update` writes them.

And the games that docs/cookbook.md points at are there.
"""

import re
from pathlib import Path

from pysolve.dsl.text.measure import length
from pysolve.runtime.paths import RULES, shipped_games

DOCUMENT = Path(__file__).parent.parent / "docs" / "comparison.md"
GAMES = ("tictactoe", "breakthrough", "hex", "othello", "chess", "amazons")  # the columns of the table


def test_the_figures_are_those_of_the_files(update: bool) -> None:
    found = [length((RULES / f"{name}.rules").read_text(encoding="utf-8")) for name in GAMES]
    row = " | ".join(["| **pysolve**", *(f"{one.lines} / {one.tokens}" for one in found)]) + " |"
    text = DOCUMENT.read_text(encoding="utf-8")
    (shown,) = re.findall(r"^\| \*\*pysolve\*\*.*$", text, re.MULTILINE)
    if update:
        DOCUMENT.write_text(text.replace(shown, row), encoding="utf-8")
    else:
        assert shown == row


RULES_TEXT = """\
# a comment
game "G"
  about "this counts"

players A, B  # two, but 4 tokens

board square 3 by
  3

replace evaluate
  it 1 : count c: cell
move place(to: cell) as "{to}"  # 9 tokens
  do at(to) := mover
show
  at: A "#" red disc

example "it"
  position
    # # #
"""


def test_what_is_counted() -> None:
    assert length(RULES_TEXT) == (9, 2 + 2 + 4 + 5 + 2 + 7 + 9 + 8)


def test_what_only_shows_the_game_is_not_counted() -> None:
    """Marks, values beside the board, and definitions that nothing else names; one that a rule names counts."""
    shown = 'mark sides red "sides"\ntell best "the best"\n'
    alone = "define sides = edge(north)\ndefine best =\n  3\n"
    assert length(RULES_TEXT + shown + alone) == length(RULES_TEXT)
    assert length(RULES_TEXT + shown + alone + "stuck best wins\n").lines == length(RULES_TEXT).lines + 3


def test_the_cookbook_points_at_shipped_games() -> None:
    text = (DOCUMENT.parent / "cookbook.md").read_text(encoding="utf-8")
    pointers = re.findall(r"\((`[^()]*)\)", text)
    named = {name for pointer in pointers for name in re.findall(r"`([\w-]+)`", pointer)} - {"superko"}
    assert len(pointers) > 20
    assert named <= set(shipped_games())
