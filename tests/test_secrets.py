"""Secrets: who sees what, what a player knows of a game, and that no door tells more."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from random import Random

import pytest

import pysolve
from pysolve.display.scene import players_out, told
from pysolve.dsl.to_c import print_c
from pysolve.dsl.to_prolog import print_prolog
from pysolve.engines.native import native_engine
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import UNKNOWN, Engine
from pysolve.game import Game
from pysolve.position import Position
from pysolve.search.information import first, information, observe
from tests.games import load

# Everything that `seen by` can say: a player, none, sets, all under a condition, nobody; two bytes a value, a stack.
SIGHTS = """\
game "Sights"
players Red, Blue, Green
type card = Ace, King, Queen
state
  holder(c: card): player or none seen by holder(c)
  mark(p: player, k: 1..2): -3..3 seen by {q: player where q != p}
  far(1..3): 0..999 seen by opponents
  open: 0..3
  deck: stack of card up to 3 seen by nobody
  vault: 0..9 seen by all where open >= 2
  low(x: -1..1): bool seen by {Red, Blue} except {mover}
setup
  for c: card: push c onto deck
move take(c: card) as "{c}" seen as "a card"
  when holder(c) = none
  do
    holder(c) := mover
    drop 1 from deck
    vault := 5
    far(2) := 700
    mark(mover, 2) := -2
move peek(k: 1..2) as "{k}" seen as ""
  do
    open := min(open + k - 1, 3)
    mark(mover, k) := min(mark(mover, k) + 1, 3)
    low(0) := not low(0)
end
  draw when turns >= 12
stuck pass
"""

CARDS = ("Jack", "Queen", "King")
TWO_CARDS = """\
game "Two cards"
players Ann, Bob
type card = Jack, Queen, King
table card rank
  Jack 1
  Queen 2
  King 3
state
  holder(c: card): player or none seen by holder(c)
  dealt: 0..2
  step: asking, answering, over
chance deal(c: card) as "{c}" seen as "a card"
  when
    dealt < 2
    holder(c) = none
  do
    holder(c) := if dealt = 0 then Ann else Bob
    dealt := dealt + 1
move bet
  when step = asking
  do step := answering
move call
  when step = answering
  do step := over
move fold
  when step in {asking, answering}
  do step := over
define best(p: player) = most c: card where holder(c) = p of rank(c)
end
  next(mover) wins when step = over and best(next(mover)) > best(mover)
  mover wins when step = over
stuck draw
"""


@pytest.fixture(scope="module")
def engines() -> Iterator[tuple[Engine, Engine]]:
    model = pysolve.load(SIGHTS).model
    prolog, native = PrologEngine(model), native_engine(model, "tcc")
    yield prolog, native
    prolog.close()


def seen_in_sights(state: dict[str, object], mover: str, player: str) -> dict[str, object]:
    """What the rules above say, written by hand: the values of a position, with ? where a player does not see them."""
    players, unknown = ["Red", "Blue", "Green"], "?"
    found = {name: dict(value) if isinstance(value, dict) else value for name, value in state.items()}
    found["holder"] = {card: who if who == player else unknown for card, who in state["holder"].items()}  # type: ignore[attr-defined]
    found["mark"] = {
        who: values if who != player else dict.fromkeys(values, unknown)
        for who, values in state["mark"].items()  # type: ignore[attr-defined]
    }
    if player == mover:
        found["far"] = dict.fromkeys(state["far"], unknown)  # type: ignore[call-overload]
    found["deck"] = [unknown] * len(state["deck"])  # type: ignore[arg-type]
    if state["open"] < 2:  # type: ignore[operator]
        found["vault"] = unknown
    if player == mover or player not in players[:2]:
        found["low"] = dict.fromkeys(state["low"], unknown)  # type: ignore[call-overload]
    return found


def walks(game: Game, games: int, longest: int = 40) -> Iterator[Position]:
    """Positions of random games."""
    rng = Random(27)
    for _ in range(games):
        position = game.start(rng.getrandbits(32))
        for _ in range(longest):
            yield position
            if position.is_over:
                break
            position = position.play(position.random_move(rng))


def test_each_player_sees_what_the_rules_say_and_both_engines_agree(engines: tuple[Engine, Engine]) -> None:
    game = pysolve.load(SIGHTS)
    for position in walks(game, 12):
        exact = position.to_dict()
        for number, player in enumerate(game.players, 1):
            view = position.view(player)
            assert view.to_dict() == {**exact, "state": seen_in_sights(exact["state"], position.to_move, player)}
            assert {engine.view(position.state, number) for engine in engines} == {view.state}


def test_what_is_not_seen_is_neither_drawn_nor_kept() -> None:
    position = load("phantom_tictactoe").start().play("b2").play("b2").play("a1")
    x, o = position.view("X"), position.view("O")
    assert x.diagram() == "position X, met(O) = ?\n  ? ? ?\n  ? X ?\n  ? ? ?"
    assert o.diagram() == "position X, met(X) = ?, met(O, b2) = true\n  ? ? ?\n  ? X ?\n  O ? ?"
    assert (o.value("at", "b2"), o.value("at", "c3"), o.value("met", "X", "a1")) == ("X", "?", "?")
    assert len(o.legal_moves) == 0
    assert len(x.legal_moves) == 8
    hidden = position.play("c3")
    assert hidden.view("O") == position.play("c2").view("O") != hidden.view("X")
    assert position.state not in pickle.dumps(hidden.view("O").state)
    assert "red cross" not in o.svg()
    assert o.svg() != x.svg()
    with pytest.raises(ValueError, match="whole position"):
        o.query("at(C, X)")
    with pytest.raises(ValueError, match='"Z" does not play'):
        position.view("Z")


FOG = """\
game "Fog"
players Ann, Bob
  out when lit(a1) and next(mover) = Ann
board square 2 by 1
state
  shown(cell): bool
  mine(p: player, c: cell): bool seen by p
define lit(c: cell) = shown(c)
define far(c: cell) = some d in neighbours(c) has lit(d)
define danger(c: cell) = some p: player has mine(p, c)
define covered(c: cell) = far(c) and danger(c)
move lay(c: cell) as "lay {c}" seen as "lays a mine"
  do mine(mover, c) := true
move light(c: cell) as "light {c}"
  do shown(c) := true
stuck pass
end
  draw when every c: cell has shown(c)
show
  shown: true "+", false "."
  lit: true "l" yellow disc, false ""
  far: true "f" orange ring, false ""
  danger: true "d" red cross, false ""
  covered: true "c" blue ring, false ""
"""


@pytest.mark.parametrize("engine", ["native", "prolog"])
def test_a_view_shows_the_definitions_that_follow_from_what_everybody_sees(engine: str) -> None:
    game = pysolve.load(FOG, engine=engine)
    laid, other = (game.start().play(first).play("light a1") for first in ("lay a1", "lay b1"))
    assert laid.rows("danger", 10) != other.rows("danger", 10)
    for position in (laid, other):
        view = position.view("Bob")
        assert view == laid.view("Bob")
        for name in ("lit", "far"):
            assert view.rows(name, 10) == position.rows(name, 10) == [(1 if name == "lit" else 2,)]
        for name in ("danger", "covered"):
            with pytest.raises(ValueError, match=f"{name} reads what not everybody sees"):
                view.rows(name, 10)
        assert view.players_out() == position.players_out() == ("Bob",)
        assert [colour in view.svg() for colour in ("yellow", "orange", "red", "blue")] == [True, True, False, False]


# Definitions beginning with `secret` read what Bob does not see, each in another way; those with `open` do not.
SNEAKY = """\
game "Sneaky"
players Ann, Bob
  out when possible(hop) and next(mover) = Ann
board square 3 by 1
state
  lit(cell): bool
  mine(p: player, c: cell): bool seen by p
  gold(p: player): 0..9 seen by p
  bag: stack of player up to 3 seen by nobody
define step(c, d: cell) = d in neighbours(c) and not mine(Ann, d)
define bright(c, d: cell) = d in neighbours(c) and not lit(d)
define owned(p: player, c: cell) = mine(p, c)
define secret_own(c: cell) = owned(Ann, c)
define secret_twice(c: cell) = secret_own(c) or lit(c)
define secret_reach(c: cell) = c in reach from c1 by step
define secret_steps(c: cell) = steps from c1 to c by step
define secret_where(c: cell) = count d: cell where d = c and mine(Ann, d)
define secret_if(c: cell) = if mine(Ann, c) then 1 else 2
define secret_first(c: cell) = first d in neighbours(c) where not mine(Ann, d)
define secret_set = {c: cell where mine(Ann, c)}
define secret_sum = sum p: player of gold(p)
define secret_moves(c: cell) = moves(Ann) + (if lit(c) then 1 else 0)
define secret_possible(c: cell) = possible(hop) and not lit(c)
define secret_top(c: cell) = if lit(c) then mover else top(bag)
define secret_gold(c: cell) = gold(mover) > 4 and not lit(c)
define open_reach(c: cell) = c in reach from c1 by bright
define open_height(c: cell) = height(bag) + (if lit(c) then 1 else 0)
define open_count = count c: cell where lit(c)
move lay(c: cell) as "lay {c}" seen as "lays a mine"
  do
    mine(mover, c) := true
    gold(mover) := if c = a1 then 5 else 1
    push (if c = a1 then Ann else Bob) onto bag
move light(c: cell) as "light {c}"
  do lit(c) := true
move hop(c: cell) as "hop {c}"
  when mine(Ann, c) and c = a1
  do lit(c) := true
stuck pass
end
  draw when every c: cell has lit(c)
show
  lit: true "+", false "."
"""


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["native", "prolog"])
def test_no_definition_tells_a_view_what_its_player_cannot_know(engine: str) -> None:
    """Two courses that Bob cannot tell apart: what is shown is the same, and true, or refused."""
    names = re.findall(r"^define ((?:open|secret)_\w+)", SNEAKY, re.MULTILINE)
    shown = [f'tell {name} "{name}"' for name in names if name != "secret_set"] + ['mark secret_set red "set"']
    game = pysolve.load("\n".join([SNEAKY, *shown, ""]), engine=engine)
    laid, other = (game.start().play(first).play("light b1") for first in ("lay a1", "lay c1"))
    seen = [position.view("Bob") for position in (laid, other)]
    assert seen[0] == seen[1]
    for name in names:
        if name.startswith("open"):
            assert seen[0].rows(name, 99) == seen[1].rows(name, 99) == laid.rows(name, 99) == other.rows(name, 99)
            continue
        assert laid.rows(name, 99) != other.rows(name, 99), f"{name} tells them apart"
        for view in seen:
            with pytest.raises(ValueError, match=f"{name} reads what not everybody sees"):
                view.rows(name, 99)
    assert laid.players_out() != other.players_out()
    for view in seen:
        with pytest.raises(ValueError, match="who is out depends on what not everybody sees"):
            view.players_out()
        assert all(line.startswith("open") for line in told(view))
        assert players_out(view) == ()
    assert seen[0].svg() == seen[1].svg()


def test_in_a_game_without_secrets_a_view_is_the_position() -> None:
    position = load("tictactoe").start().play("b2")
    assert position.view("X").state == position.state
    assert UNKNOWN not in position.state
    with pytest.raises(ValueError, match="has no secrets"):
        position.information("X")


def test_a_game_without_secrets_has_nothing_of_them_in_what_is_printed() -> None:
    plain, secret = (load(name).model for name in ("tictactoe", "phantom_tictactoe"))
    for printed, words in (
        (print_c, ("veil(", "ps_view", "UNSEEN")),
        (print_prolog, ("secret(", "seen_at", "viewed(")),
    ):
        assert not any(word in printed(plain) for word in words)
        assert all(word in printed(secret) for word in words)


def histories(position: Position, done: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Position]]:
    """All games, and all beginnings of games: the moves, and the position after them."""
    yield done, position
    for move in position.possible_moves:
        yield from histories(position.play(move), (*done, move.text))


def noticed(moves: tuple[str, ...], player: str) -> tuple[str, ...]:
    """What a player knows of a game of two cards, by hand: his own card, and whatever is said."""
    own = ("Ann", "Bob").index(player)
    return tuple(move if number == own or move not in CARDS else "a card" for number, move in enumerate(moves))


@pytest.mark.parametrize("player", ["Ann", "Bob"])
def test_information_is_equal_exactly_where_a_player_cannot_tell_two_histories_apart(player: str) -> None:
    by_hand: dict[tuple[str, ...], set[str]] = {}
    for moves, position in histories(pysolve.load(TWO_CARDS).start()):
        by_hand.setdefault(noticed(moves, player), set()).add(position.information(player))
    assert len(by_hand) == {"Ann": 1 + 3 + 3 + 3 * 4, "Bob": 1 + 1 + 3 + 3 * 4}[player]
    assert all(len(texts) == 1 for texts in by_hand.values())
    assert len(set.union(*by_hand.values())) == len(by_hand)


def test_information_says_what_happened_as_the_player_reads_it() -> None:
    position = pysolve.load(TWO_CARDS).start().play("King").play("Jack").play("bet")
    assert (
        position.information("Bob")
        == """\
  mover = Ann, holder = ?
Ann: a card
  dealt = 1
Ann: a card
  holder(Jack) = Bob, dealt = 2
Ann: bet
  mover = Bob, step = answering"""
    )
    again = pickle.loads(pickle.dumps(position))
    assert again.information("Ann") == position.information("Ann") != position.information("Bob")


@pytest.mark.slow
def test_the_bytes_of_information_are_equal_exactly_where_its_texts_are() -> None:
    game = load("phantom_tictactoe")
    for player, name in enumerate(game.players, 1):
        texts: dict[bytes, str] = {}
        for position in walks(game, 40):
            known = information(game.engine, position.history, position.state, player)
            assert texts.setdefault(known, position.information(name)) == position.information(name)
        assert len(set(texts.values())) == len(texts)


def test_a_move_with_an_empty_text_is_noticed_only_by_what_it_changes() -> None:
    game = load("phantom_tictactoe")
    engine = game.engine
    before = game.start().play("b2")
    tried = before.play("b2")
    move = before.parse("b2").numbers
    assert observe(engine, before.state, move, tried.state, 1) == b""
    assert observe(engine, before.state, move, tried.state, 2).startswith(b"b2\xff")
    assert first(engine, before.state, 1) == engine.view(before.state, 1)
    assert before.information("X") == tried.information("X")


# ------------------------------------------------------------------------------------- battleship, by hand

LENGTHS = {"Cruiser": 3, "Destroyer": 2, "Submarine": 1}
SIZE = 4
SEAS = {
    player: [f"{column}{row}" for row in range(1, SIZE + 1) for column in columns]
    for player, columns in (("Red", "abcd"), ("Blue", "efgh"))
}


class Battleship:
    """The game without the rules: whose fleets lie where, who has shot where, and what each player has noticed."""

    def __init__(self) -> None:
        self.fleets: dict[str, dict[str, str]] = {"Red": {}, "Blue": {}}
        self.shots: dict[str, set[str]] = {"Red": set(), "Blue": set()}
        self.noticed: dict[str, list[str]] = {"Red": [], "Blue": []}
        self.mover, self.other = "Red", "Blue"

    def moves(self) -> set[str]:
        """The texts of the legal moves."""
        own = self.fleets[self.mover]
        missing = [ship for ship in LENGTHS if ship not in own.values()]
        if not missing:
            return {*SEAS[self.other]} - self.shots[self.mover]
        ways = [(1, 0), (0, 1)] if LENGTHS[missing[0]] > 1 else [(1, 0)]
        sea = SEAS[self.mover]
        hulls = [hull for at in sea for way in ways if (hull := lying(sea, at, way, LENGTHS[missing[0]]))]
        return {f"{missing[0]} {hull[0]}-{hull[-1]}" for hull in hulls if not own.keys() & {*hull}}

    def play(self, text: str) -> None:
        """Makes a move."""
        ship, _, place = text.rpartition(" ")
        if ship:
            first, last = place.split("-")
            way = (int(first[0] != last[0]), int(first[1] != last[1])) if first != last else (1, 0)
            self.fleets[self.mover] |= dict.fromkeys(lying(SEAS[self.mover], first, way, LENGTHS[ship]), ship)
            told = {self.mover: text, self.other: ship}
        else:
            self.shots[self.mover].add(text)
            hit = self.fleets[self.other].get(text, "water")
            told = dict.fromkeys(self.noticed, f"{text} {hit}")
        for player, line in told.items():
            self.noticed[player].append(line)
        self.mover, self.other = self.other, self.mover

    @property
    def winner(self) -> str | None:
        """Who has hit all cells of the other's fleet."""
        ready = len({*self.fleets[self.mover].values()}) == len(LENGTHS)
        return self.other if ready and self.fleets[self.mover].keys() <= self.shots[self.other] else None


def lying(sea: list[str], at: str, way: tuple[int, int], length: int) -> list[str]:
    """The cells of a ship; none if it does not fit into a half of the sea."""
    cells = [f"{chr(ord(at[0]) + way[0] * step)}{int(at[1]) + way[1] * step}" for step in range(length)]
    return cells if {*cells} <= {*sea} else []


@pytest.mark.slow
def test_battleship_is_played_and_known_as_by_hand() -> None:
    rng, start = Random(3), load("battleship", size=SIZE).start()
    known: dict[tuple[str, str], str] = {}
    told: dict[tuple[str, str], str] = {}
    for _ in range(10):
        by_hand, position = Battleship(), start
        while True:
            for player, noticed in by_hand.noticed.items():
                ours, theirs = position.information(player), "\n".join(noticed)
                assert known.setdefault((player, ours), theirs) == theirs
                assert told.setdefault((player, theirs), ours) == ours
            assert (position.outcome.winner if position.outcome else None) == by_hand.winner
            if by_hand.winner is not None:
                break
            assert {move.text for move in position.legal_moves} == by_hand.moves()
            move = rng.choice(sorted(by_hand.moves()))
            by_hand.play(move)
            position = position.play(move)
    assert len(known) == len(told) > 200
