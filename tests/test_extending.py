"""`extend`: what a variant adds to the sections of its parent, and a variant as one text.

In: small rules and variants of them; all shipped variants.  Out: a variant plays as the rules that say the same at full
length; the text that is printed of a variant is the same game.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

import pysolve
from pysolve.dsl import Source, merged_text, parent_finder, read_rules, read_source
from pysolve.dsl.check.meanings import Understanding
from pysolve.dsl.errors import Span
from pysolve.dsl.model import Game as Model
from pysolve.dsl.text.fmt import format_rules
from pysolve.runtime.paths import RULES
from tests.games import VARIANTS, slow_but
from tests.naive import Naive
from tests.test_naive import Both

PARENT = """\
game "Shops"

option price = 3 in 1..5

players Red, Blue

board square 3 by 3

type shop = Bakery, Mill

table shop  cost  gain
  Bakery       1     2
  Mill         2     4

state
  at(cell): shop or none
  owner(cell): player or none
  purse(player): 0..20

setup
  for p: player: purse(p) := price

effect pay(amount: 0..9)
  purse(mover) := purse(mover) - amount

move build(kind: shop, to: cell) as "{kind} {to}"
  when
    at(to) = none                else "taken"
    let due = cost(kind)
    due <= purse(mover)          else "too dear"
  do
    at(to) := kind
    owner(to) := mover
    pay(due)
    then
      purse(mover) := min(20, purse(mover) + gain(kind))

stuck draw

end
  mover wins when purse(mover) >= 15  because "rich"

evaluate
  money 10 : purse(me)
  shops  1 : count c: cell where owner(c) = me

show
  owner, at: Red Bakery "B" red, Red Mill "M" red, Blue Bakery "b" blue, Blue Mill "m" blue, none none ".",
    none Bakery "1", none Mill "2", Red none "3", Blue none "4"
"""

# What a variant says, and the same at full length: in each pair a part of the parent, and what is there instead.
ADDED = {
    "when": ("extend move build\n  when kind != Mill or to != b2 else \"no mill there\"\n",
             [('"too dear"\n', '"too dear"\n    kind != Mill or to != b2  else "no mill there"\n')]),
    "do and then": ("extend move build\n  do\n    again\n    then\n      purse(mover) := purse(mover) - due // 2\n",
                    [("    pay(due)\n", "    pay(due)\n    again\n"),
                     ("gain(kind))\n", "gain(kind))\n    then\n      purse(mover) := purse(mover) - due // 2\n")]),
    "after and prefer": ("extend move build\n  after purse(mover) > 2\n  prefer most cost(kind)\n",
                         [("\nstuck", "  after purse(mover) > 2\n  prefer most cost(kind)\n\nstuck")]),
    "effect": ("extend effect pay\n  purse(opponent) := min(20, purse(opponent) + amount)\n",
               [("- amount\n", "- amount\n  purse(opponent) := min(20, purse(opponent) + amount)\n")]),
    "a column": ("extend table shop  gain\n  Mill  3\n", [("Mill         2     4", "Mill         2     3")]),
    "a type, rows and glyphs":
        ("extend type shop = Smithy, Inn\nextend table shop\n  Smithy  3 6\n  Bakery 2 2\n  Inn 1 1\n"
         'extend show owner, at: Red Smithy "S" red, Blue Smithy "s" blue, Red Inn "I", Blue Inn "i", Red Mill "W", '
         'none Smithy "5", none Inn "6"\n',
         [("Bakery, Mill\n", "Bakery, Mill, Smithy, Inn\n"), ("Bakery       1", "Bakery       2"),
          ("Mill         2     4\n", "Mill         2     4\n  Smithy 3 6\n  Inn 1 1\n"), ('"M" red', '"W"'),
          ('Blue none "4"', 'Blue none "4", Red Smithy "S" red, Blue Smithy "s" blue, Red Inn "I", Blue Inn "i", '
           'none Smithy "5", none Inn "6"')]),
    "players": ('extend players Green\n  out when purse(mover) = 0\nextend show owner, at: Green Bakery "g", '
                'Green Mill "G", Green none "5"\n',
                [("Red, Blue\n", "Red, Blue, Green\n  out when purse(mover) = 0\n"),
                 ('Blue none "4"', 'Blue none "4", Green Bakery "g", Green Mill "G", Green none "5"')]),
    "state and setup": ("extend state built: 0..9\nextend setup\n  purse(Blue) := 5\n  built := 1\n",
                        [("0..20\n", "0..20\n  built: 0..9\n"),
                         (":= price\n", ":= price\n  purse(Blue) := 5\n  built := 1\n")]),
    "end": ('extend end draw when purse(mover) >= 15 and purse(opponent) >= 9 because "both"\n'
            'extend end opponent wins when purse(mover) = 0\nend draw when turns >= 6\n',
            [("end\n", 'end\n  draw when purse(mover) >= 15 and purse(opponent) >= 9 because "both"\n'
              "  opponent wins when purse(mover) = 0\n"), ('"rich"\n', '"rich"\n  draw when turns >= 6\n')]),
    "evaluate": ("extend evaluate\n  money 7 : purse(me) * 2\n  mills 3 : count c: cell where owner(c) = me and "
                 "at(c) = Mill\n",
                 [("money 10 : purse(me)", "money 7 : purse(me) * 2"),
                  ("owner(c) = me\n", "owner(c) = me\n  mills 3 : count c: cell where owner(c) = me and "
                   "at(c) = Mill\n")]),
    "twice": ("extend move build\n  when to != a1\nextend move build\n  when to != c3\n",
              [('"too dear"\n', '"too dear"\n    to != a1\n    to != c3\n')]),
}  # fmt: skip


OF_THE_TEXT = ("name", "title", "about", "source", "digest", "extends", "renamed", "examples", "changes",
               "extends_title")  # fmt: skip


def model(text: str, **parents: str) -> Model:
    return read_source(Source("child", text), lambda name, _: Source(name, parents[name]), {})


def bare(value: Any) -> Any:
    """A model as plain data, but for where its parts stand, and for what its text is called."""
    if isinstance(value, Mapping):
        return {key: bare(of) for key, of in value.items()}
    if isinstance(value, (tuple, list, set, frozenset)):
        return [bare(one) for one in value if not isinstance(one, Span)]
    if not is_dataclass(value):
        return value
    parts = ((part.name, getattr(value, part.name)) for part in fields(value) if part.name not in OF_THE_TEXT)
    return [type(value), *((name, bare(part)) for name, part in parts if not isinstance(part, Span))]


@pytest.mark.parametrize("added", ADDED)
def test_a_variant_plays_as_the_rules_at_full_length(added: str) -> None:
    said, changes = ADDED[added]
    full = PARENT
    for old, new in changes:
        assert old in full
        full = full.replace(old, new, 1)
    variant = f'game "Variant" extends "shops"\n\n{said}'
    expected = bare(model(full))
    game = model(variant, shops=PARENT)
    assert bare(game) == expected
    printed = merged_text(Source("child", variant), lambda name, _: Source(name, PARENT))
    assert bare(model(printed)) == expected
    assert "extend" not in printed
    assert bare(model(format_rules(variant), shops=PARENT)) == expected


@pytest.mark.parametrize("added", slow_but(["do and then"], ADDED))
def test_a_variant_is_played_by_the_manual(added: str) -> None:
    variant = Source("child", f'game "Variant" extends "shops"\n\n{ADDED[added][0]}')
    text = merged_text(variant, lambda name, _: Source(name, PARENT))
    assert Both(model(text), Naive(text)).play(1, 1, 6, 2)


def test_a_grandchild_extends_what_its_parent_has_extended() -> None:
    middle = 'game "Middle" extends "shops"\nextend move found\n  when to != a1 else "first"\nrename build as found\n'
    child = 'game "Child" extends "middle"\nextend move found\n  when to != b1 else "second"\n'
    game = model(child, middle=middle, shops=PARENT)
    assert [demand.reason for demand in game.actions[0].demands if demand.reason] == [
        "taken", "too dear", "first", "second"]  # fmt: skip
    assert [demand.span.source.name for demand in game.actions[0].demands if demand.reason][-2:] == ["middle", "child"]


SHIPPED_VARIANTS = sorted(name for name in VARIANTS if (RULES / f"{name}.rules").exists())


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    slow_but(["secret-service"], SHIPPED_VARIANTS, late=SHIPPED_VARIANTS[::2]),
)
def test_the_text_of_a_variant_is_the_same_game(name: str) -> None:
    path = RULES / f"{name}.rules"
    text = merged_text(Source(str(path), path.read_text(encoding="utf-8")), parent_finder((RULES,)))
    found, expected = read_rules(text, name=path.name), read_rules(path)
    assert bare(found) == bare(expected)
    assert found.extends == ""


def test_a_name_of_the_parent_is_known_in_what_extends_it(tmp_path: Path) -> None:
    (tmp_path / "shops.rules").write_text(PARENT)
    text = 'game "V" extends "shops"\nextend move build\n  when kind != Mill\nextend table shop  gain\n  Mill 3\n'
    found: Understanding = pysolve.dsl.understand(
        Source(str(tmp_path / "v.rules"), text), parent_finder((tmp_path,)), {})  # fmt: skip
    meant = {
        (one.span.line, one.span.column): found.meanings.names[one.meaning]
        for one in found.meanings.mentions
        if one.span.source.text == text
    }
    assert found.problems == ()
    assert [(place, one.kind, one.name) for place, one in sorted(meant.items())] == [
        ((2, 13), "move", "build"), ((3, 8), "variable", "kind"), ((3, 16), "value", "Mill"),
        ((4, 14), "type", "shop"), ((4, 20), "column", "gain"), ((5, 3), "value", "Mill"),
    ]  # fmt: skip
