"""The names of the rules and tables that are made of definitions and columns: they say what each is made of.

In: the author's name.  Out: that of the rule or table, and back.  Tables of the board have theirs in
`dsl.language.functions`.
"""

from __future__ import annotations

DEFINITION, RANKING, COLUMN = "def_", "rank_", "table_"  # of a definition; by what an ending ranks; of a table
RAYS = "rays_"  # the rays of a board, each until it is stopped


def rule_of_definition(name: str) -> str:
    """The rule, or the table, of a definition."""
    return DEFINITION + name


def rule_of_ranking(name: str) -> str:
    """The rule by which an ending compares the players."""
    return RANKING + name


def table_of_column(name: str) -> str:
    """The table of a column."""
    return COLUMN + name


def table_of_rays(stops: str) -> str:
    """The table of rays that end where the table `stops` says."""
    return RAYS + stops


def is_definition(rule: str) -> bool:
    """Is it the rule of a definition?"""
    return rule.startswith(DEFINITION)


def is_ranking(rule: str) -> bool:
    """Is it a rule by which an ending compares the players?"""
    return rule.startswith(RANKING)


def is_of_rays(table: str) -> bool:
    """Is it a table of rays, which Prolog has as lists?"""
    return table.startswith(RAYS)


def given_name(name: str) -> str:
    """The name that the author, or the language, gives to what a rule or table is made of: `at_edge`, `column`."""
    made_of = next((prefix for prefix in (DEFINITION, RANKING, COLUMN, "board_") if name.startswith(prefix)), "")
    return name.removeprefix(made_of)
