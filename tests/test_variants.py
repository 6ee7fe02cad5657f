"""What is known of variants and of small games, beside their rules.

In: shipped rules.  Out: the known value of a game, found by looking at all its positions; a game that begins
differently goes on as its parent does.
"""

from pathlib import Path

import pytest

import pysolve
from pysolve.authoring import examples
from pysolve.dsl import RulesError, read_rules
from pysolve.dsl.analysis.absent import leftovers
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import Engine, State
from pysolve.search.playouts import playouts
from tests.games import load
from tests.oracles import othello


def value(engine: Engine, start: State) -> int:
    """The value for the first player of a game with cycles: 1, -1, or 0 if nobody can force a win."""
    after: dict[State, list[State]] = {}
    known: dict[State, int] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state not in after:
            node = engine.expand(state)
            after[state] = list(node.children()) if node.payoff is None else []
            if node.payoff is not None:
                known[state] = node.payoff[0]
            waiting += after[state]
    changed = True
    while changed:
        changed = False
        for state, children in after.items():
            wins = 1 if state[0] == 1 else -1
            found = [known.get(child) for child in children]
            if state not in known and (wins in found or all(one == -wins for one in found)):
                known[state] = wins if wins in found else -wins
                changed = True
    return known.get(start, 0)


@pytest.mark.slow
def test_the_hounds_win() -> None:
    """As Berlekamp, Conway and Guy say (Winning Ways, chapter 21)."""
    game = load("hare_and_hounds")
    assert value(game.engine, game.engine.start()) == 1


def test_misere_tic_tac_toe_is_a_draw() -> None:
    game = load("tictactoe-misere")
    assert value(game.engine, game.engine.start()) == 0


def test_reversi_goes_on_as_othello_does() -> None:
    """After every placing of the first four discs the moves are those of Othello in that position."""
    game = load("othello-reversi", size=6)
    waiting, seen = [game.start()], 0
    while waiting:
        position = waiting.pop()
        discs = sum(owner is not None for owner in position.to_dict()["state"]["at"].values())
        if discs < 4:
            waiting += [position.play(move) for move in position.legal_moves]
            continue
        seen += 1
        expected = [move[1].get("to") for move in othello.moves(position.to_dict(), 6)]
        assert [move.params.get("to") for move in position.legal_moves] == expected
    assert seen == 24


@pytest.mark.slow
def test_a_repetition_that_ignores_something_is_counted_alike_by_both_engines() -> None:
    """Games of random moves end at the same move, and as a position counts that was played there."""
    for name, options in (("chess-los-alamos", {}), ("go-5x5", {"size": 3})):
        game = load(name, **options)
        start = game.start().state
        assert playouts(game.engine, start, 3, seed=2) == playouts(PrologEngine(game.model), start, 3, seed=2)


def test_who_makes_a_position_again_loses() -> None:
    ended = set()
    for seed in range(8):
        position = load("go-5x5", size=3).start()
        while not position.is_over:
            position = position.play(position.legal_moves.sample(seed + position.turns_played))
        again = str(position.outcome).endswith("the position stood before)")
        assert max(position.seen.values()) == (2 if again else 1)
        assert not again or position.outcome.winner == position.to_move
        ended.add(again)
    assert ended == {True, False}


def test_a_clock_does_not_hide_a_repetition() -> None:
    position = load("chess").start()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8") * 2:
        assert not position.is_over
        position = position.play(move)
    assert position.value("clock") == 8
    assert str(position.outcome) == "draw: the position occurs for the third time"


ROW = """\
game "Row"
option width, height, length = 3 in 2..9
players X, O
board square width by height
state at(cell): player or none
state placed: 0..99
move place(to: cell) as "{to}"
  when at(to) = none
  do
    at(to) := mover
    placed := placed + 1
stuck opponent wins because "the board is full"
end mover wins when some c: cell, d: direction has every k in 0..length - 1 has at(c + k * d) = mover because "a row"
end draw when placed = 7 because "seven"
evaluate open 1 : count c: cell, d: direction where at(c) = none and at(c + d) = me
evaluate own  2 : count c: cell where at(c) = me
"""


def test_options_of_one_line_are_set_by_themselves() -> None:
    assert pysolve.load(ROW).options == {"width": 3, "height": 3, "length": 3}
    assert pysolve.load(ROW, height=5).options == {"width": 3, "height": 5, "length": 3}
    child = """
game "Mini" extends "tictactoe"

replace option height, width = 4 in 3..6
"""
    assert pysolve.load(child).options == {"width": 4, "height": 4, "in_a_row": 3}
    child = child.replace("height, width = 4 in 3..6", "in_a_row = 2 in 2..2")
    assert pysolve.load(child).options == {"width": 3, "height": 3, "in_a_row": 2}


def test_sections_of_several_lines_may_stand_line_by_line() -> None:
    together = ROW.replace("end mover", "end\n  mover").replace("end draw", "  draw")
    together = together.replace("evaluate open", "evaluate\n  open").replace("evaluate own", "  own")
    together = together.replace("state at(cell)", "state\n  at(cell)").replace("state placed", "  placed")
    one, other = pysolve.load(ROW), pysolve.load(together)
    assert [ending.reason for ending in one.model.endings] == ["a row", "seven"]
    assert [term.weight for term in one.model.terms] == [1, 2]
    for game in (one, other):
        assert playouts(game.engine, game.start().state, 20, seed=3) == playouts(
            PrologEngine(one.model), one.start().state, 20, seed=3
        )
        assert game.start().play("b2").evaluate() == {"X": 10, "O": -10}


def test_so_may_what_replaces_them() -> None:
    child = """
game "Short" extends "gomoku"
replace end draw when turns >= 3 because "three"
replace end mover wins when at(a1) = mover because "the corner"
"""
    endings = pysolve.load(child).model.endings
    assert [ending.reason for ending in endings] == ["three", "the corner"]


def test_the_reason_of_who_is_stuck() -> None:
    for engine in ("prolog", "auto"):
        position = pysolve.load(ROW, engine=engine, width=2, height=2, length=4).start()
        for move in ("a1", "b1", "a2", "b2"):
            position = position.play(move)
        assert str(position.outcome) == "the winner: O (the board is full)"


def test_a_comma_is_read_by_what_stands_around_it() -> None:
    text = """
game "Commas"
players X, O
board square 3 by 3
state
  at(cell): player or none
  king(cell): bool
  tall(cell): bool
  clock: 0..9
define lines = count x, y, z: cell, d: direction where x + d = y and y + d = z
define near = sum a, b: cell, n in neighbours(a), m in {a, b} where n = b and m = a of 1
define most_of(a, b: cell, c, d: player, e: bool): int = max(count k: cell where at(k) = c, if e then 1 else 0)
define asked = most_of(a1, b2, X, O, a1 in {a1, b2}) + max(count k: cell, 3)
move place(to: cell, by: player) as "{to}{by}"
  when at(to) = none
  do
    let gain = to, inner = count x, y: cell, d: direction where x + d = y and y = to, more = 3
    at(gain) := by
    for x, y: cell, d: direction where x + d = y and y = to and at(x) = by: king(x) := inner > more
stuck draw
end draw when repeated 3 ignoring at, king, tall, clock
show
  at, king, tall: none false false ".", none false true "A", none true false "B", none true true "C",
    X false false "D", X false true "E",
    X true false "F", X true true "G", O false false "H", O false true "I", O true false "J", O true true "K"
"""
    game = pysolve.load(text)
    position = game.start().play("b2X").play("a2X")
    assert position.value("king", "b2") is True
    (found,) = game.start().query("lines(A), near(B), asked(C)")
    assert found == {"A": 16, "B": 40, "C": 10}


def test_a_level_that_does_not_fit_a_variant_is_refused() -> None:
    """Its player goes for lines of an evaluate block that is replaced."""
    text = 'game "Narrow" extends "conga"\nreplace evaluate\n  narrow 1 : moves(me)\n'
    with pytest.raises(RulesError, match='Narrow has no line "mobility" in evaluate: it has narrow') as error:
        pysolve.load(text)
    assert [problem.hint for problem in error.value.problems] == [
        f'in the variant write  replace level {name} "…"  or  remove level {name}'
        for name in ("original", "easy", "hard")
    ]
    fits = pysolve.load(f'{text}remove level original\nremove level easy\nreplace level hard "greedy:terms=narrow"\n')
    assert fits.model.levels == {"hard": "greedy:terms=narrow"}


@pytest.mark.parametrize(
    ("removed", "named"),
    [("option size", "size"), ("define distance", "distance"), ("state at", "at")],
)
def test_what_uses_a_removed_name_says_who_removed_it(removed: str, named: str) -> None:
    text = f'game "Variant" extends "zola"\n\nstate mine: 0..3\n\nremove {removed}\n'
    with pytest.raises(RulesError) as caught:
        pysolve.load(text)
    first = caught.value.problems[0]
    assert first.message in (f'there is no "{named}"', f'"{named}" is not part of the state')
    assert first.hint == f"rules:5 removes {removed}; replace what uses it, too"


def test_a_removed_stack_is_no_stack_of_another_name() -> None:
    with pytest.raises(RulesError) as caught:
        pysolve.load('game "Variant" extends "lasca"\n\nremove state pile\n')
    first = caught.value.problems[0]
    assert first.message == 'there is no "pile"'
    assert first.hint == "rules:3 removes state pile; replace what uses it, too"


def test_what_a_removed_type_listed_is_gone_with_it(tmp_path: Path) -> None:
    parent = SMALL + "type colour = Ruby, Jade\n\ndefine best = Ruby\n"
    (tmp_path / "parent.rules").write_text(parent, encoding="utf-8")
    (tmp_path / "middle.rules").write_text('game "Middle" extends "parent"\n\nremove type colour\n', encoding="utf-8")
    child = tmp_path / "child.rules"
    child.write_text('game "Child" extends "middle"\n', encoding="utf-8")
    with pytest.raises(RulesError, match=r"middle\.rules:3 removes type colour; replace what uses it, too"):
        pysolve.load(child)


SMALL = """\
game "Small"

players White, Black

board square 3 by 3

state at(cell): player or none

move place(to: cell)
  when at(to) = none
  do at(to) := mover

stuck draw

"""


SHOPS = """\
game "Shops"
type shop = Bakery, Mill, Smithy
players Red, Blue
board square 2 by 2
state
  at(cell): shop or none
  purse: 0..9
setup
  purse := 9
move build(kind: shop, to: cell) as "{kind} {to}"
  when
    cost(kind) <= purse
    at(to) = none
  do
    at(to) := kind
    purse := purse - cost(kind)
move shift(from, to: cell) as "{from}-{to}"
  when
    at(from) != none
    at(to) = none
  do
    at(to) := at(from)
    at(from) := none
define cost(s: shop): int = (if s = Mill then 2 else 1) + (if purse > 8 then 1 else 0)
define dear(s: shop) = cost(s) > purse
tell cost "costs"
tell dear "too dear"
stuck draw
"""
NO_MILL = (
    'replace move build(kind: shop, to: cell) as "{kind} {to}"\n  when\n    kind != Mill\n  do\n    at(to) := kind\n'
)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ("", []),
        (NO_MILL, [("cost", "Mill", 3), ("dear", "Mill", 3)]),
        ("remove move build\n", [(name, "Bakery Mill Smithy", None) for name in ("cost", "dear")]),
        (f"{NO_MILL}replace define dear(s: shop) = s != Mill and cost(s) > purse\n", [("cost", "Mill", 3)]),
        (f"{NO_MILL}replace setup\n  at(a1) := Mill\n", []),
        (f"{NO_MILL}move grind as \"grind\"\n  do at(a1) := Mill\n", []),
        (f"{NO_MILL}move other as \"other\"\n  do at(a1) := first s: shop where dear(s)\n", []),
    ],
)  # fmt: skip
def test_lines_that_list_what_a_variant_has_forbidden_are_found(
    tmp_path: Path, changes: str, expected: list[tuple[str, str, int | None]]
) -> None:
    (tmp_path / "shops.rules").write_text(SHOPS)
    file = tmp_path / "variant.rules"
    file.write_text(f'game "Variant" extends "shops"\n\n{changes}')
    found = leftovers(read_rules(file))
    assert [(one.name, " ".join(one.values), one.span and one.span.line) for one in found] == expected
    assert leftovers(read_rules(tmp_path / "shops.rules")) == []


def test_check_remarks_what_a_variant_still_lists_at_the_line_that_forbids_it(tmp_path: Path) -> None:
    (tmp_path / "shops.rules").write_text(SHOPS)
    file = tmp_path / "variant.rules"
    file.write_text(f'game "Variant" extends "shops"\n\n{NO_MILL}remove tell dear\n')
    (notice,) = examples.notices(pysolve.load(file, engine="prolog"))
    assert str(notice) == "line 3, the rules: no legal move makes Mill, but tell cost lists it; replace cost"
