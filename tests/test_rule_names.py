"""Names of rules and tables lead back to the author's, also where he has chosen the word of another kind."""

import pytest

import pysolve
from pysolve.dsl.model.rule_names import (
    given_name,
    is_definition,
    is_ranking,
    rule_of_definition,
    rule_of_ranking,
    table_of_column,
)

MISLEADING = """
game "Names"
players A, B
board square 2 by 2
state at(cell): player or none
define def_rank(c: cell) = at(c) = none
define rank_table(p: player) = count c: cell where at(c) = p
define table_def(c: cell): int = if def_rank(c) then 1 else 0
move put(to: cell) as "{to}"
  when table_def(to) = 1 else "taken"
  do at(to) := mover
stuck most rank_table
"""


@pytest.mark.parametrize("made", [rule_of_definition, rule_of_ranking, table_of_column])
@pytest.mark.parametrize("name", ["free", "def_rank", "rank_table", "table_def", "board_def"])
def test_a_name_leads_back_to_the_authors(made: object, name: str) -> None:
    assert callable(made)
    assert given_name(made(name)) == name
    assert (is_definition(made(name)), is_ranking(made(name))) == (
        made is rule_of_definition, made is rule_of_ranking)  # fmt: skip


def test_definitions_may_be_called_like_rules_of_other_kinds() -> None:
    position = pysolve.load(MISLEADING).start()
    for move in ("a1", "b1", "a2", "b2"):
        position = position.play(move)
    assert position.outcome is not None
    assert [score.name for score in position.outcome.scores] == ["rank_table"]
    assert position.why("a1").kinds[0][1][0].reason == "taken"
