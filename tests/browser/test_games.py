"""Shipped games but variants open with the first moves that Python has; four are played to their end."""

from collections.abc import Callable

import pytest

import pysolve
from pysolve.players.functions import player
from pysolve.players.session import roll_of
from pysolve.runtime.paths import RULES
from tests.browser.table import Table
from tests.games import FAMILIES, SECRETS, VARIANTS

pytestmark = pytest.mark.slow
GAMES = sorted({path.stem for path in RULES.glob("*.rules")} - VARIANTS - SECRETS)
LONGEST = 200  # moves
SUGGESTED = 200  # moves that a field of the page suggests, of all that are legal


@pytest.mark.parametrize("others", [False, pytest.param(True, marks=pytest.mark.long)])
def test_every_game_begins_with_the_moves_of_python(others: bool, open_table: Callable[..., Table]) -> None:
    table = open_table()
    for name in [name for name in GAMES if (name in FAMILIES) is not others]:
        start, rolls = pysolve.load(name).start(), 0
        while start.chance:  # what the page rolls with the seed 0
            start, rolls = start.play(roll_of(start, 0, rolls)), rolls + 1
        table.visit_game(name, board=bool(start.game.cells), view="play")
        table.says_count(len(start.legal_moves))
        assert table.role("heading", start.game.title).count() == 1, name
        texts = table.page.locator("#example-moves option").evaluate_all("words => words.map((word) => word.value)")
        assert texts == [move.text for move in start.legal_moves][:SUGGESTED], name


@pytest.mark.parametrize(
    ("name", "options", "human", "level"),
    [
        pytest.param("yoxii", {}, "White", "one", marks=pytest.mark.long),
        pytest.param(
            "blockade",
            {"columns": 5, "rows": 6, "blockers": 1, "tacklers": 1, "touchdown": 1},
            "Defence",
            "quick",
            marks=pytest.mark.long,
        ),
        pytest.param("antiyomacy", {}, "Red", "easy", marks=pytest.mark.long),
        ("dots_and_boxes", {"width": 2, "height": 2}, "White", "easy"),
    ],
)
def test_a_game_is_played_by_mouse_alone_to_its_end(
    name: str, options: dict[str, int], human: str, level: str, open_table: Callable[..., Table]
) -> None:
    game = pysolve.load(name, **options)
    gliding = "no-preference" if name == "yoxii" else "reduce"
    table, position, adviser = open_table(reduced_motion=gliding), game.start(), player("greedy", seed=1)
    table.visit_game(name, options=options, view="play")
    for other in game.players:
        if other != human:
            table.sit(other, level)
    for played in range(1, LONGEST):
        if position.is_over:
            break
        if position.to_move == human:
            table.says_count(len(position.legal_moves))
            move = adviser(position)
            table.play(position, move)
        else:
            table.has_played(played)
            move = position.parse(table.played()[played])
        position = position.play(move)
        table.has_played(played)
    assert position.outcome is not None
    said = str(position.outcome)
    table.says(said[0].upper() + said[1:], table.board)
    assert table.says(position.outcome.reason, table.rail)
