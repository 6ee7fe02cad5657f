"""What a player believes where cards that are played tell who was dealt what: beside all deals, counted by hand."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from functools import cache
from itertools import combinations
from random import Random

import pytest

import pysolve
from pysolve.game import Game
from pysolve.position import Position
from pysolve.protocol.informed import MOST, QUICK, Informed, choices
from pysolve.search.hidden.belief import Belief
from pysolve.search.hidden.ways import Variations, Way
from pysolve.search.playouts import game_lots
from tests.games import load

pytestmark = pytest.mark.slow

# Twelve cards of two suits; each gets four, passes one to the left unseen, and plays four, following suit.
TRICKS = """\
game "Tricks"
players Ann, Bob, Cid
type card = A1, A2, A3, A4, A5, A6, B1, B2, B3, B4, B5, B6
table card suit
  A1 1
  A2 1
  A3 1
  A4 1
  A5 1
  A6 1
  B1 2
  B2 2
  B3 2
  B4 2
  B5 2
  B6 2
state
  hand(p: player, c: card): bool seen by p
  given(p: player): card or none seen by p
  led: card or none
  made: 0..27
effect settle
  then
    for p: player, c: card where made = 15 and given(p) = c: hand(next(p), c) := true
    led := if made > 14 and made % 3 = 0 then none else led
chance deal(c: card) as "deal {c}" seen as "a card"
  when
    made < 12
    no p: player has hand(p, c)
  do
    hand(mover, c) := true
    made := made + 1
    turn to next(mover)
move give(c: card) as "give {c}" seen as "give a card"
  when
    made > 11 and made < 15
    hand(mover, c)
  do
    hand(mover, c) := false
    given(mover) := c
    made := made + 1
    settle
move play(c: card) as "{c}"
  when
    made > 14
    hand(mover, c)
    led = none or suit(c) = suit(led) or no d: card has hand(mover, d) and suit(d) = suit(led)
  do
    hand(mover, c) := false
    led := if led = none then c else led
    made := made + 1
    settle
stuck draw
end
  draw when made = 27
"""

PLAYERS = "Ann", "Bob", "Cid"
CARDS = [suit + number for suit in "AB" for number in "123456"]


@pytest.fixture(scope="module")
def tricks() -> Game:
    return pysolve.load(TRICKS)


def played(game: Game, seed: int, plays: int) -> tuple[Position, list[str]]:
    """A random game until so many cards are played and it is Ann's turn; and all that is said in it."""
    position, rng, said = game.start(), Random(seed), list[str]()
    while len(said) < 15 + plays or position.to_move != "Ann":
        move = position.random_move(rng)
        said.append(move.text)
        position = position.play(move)
    return position, said


def weighed(said: list[str]) -> dict[tuple[frozenset[str], ...], float]:
    """How likely each hand of Bob and Cid is, for what Ann knows: all deals, and all that may have been given."""
    dealt = [one.removeprefix("deal ") for one in said[:12]]
    mine, gave = set(dealt[0::3]), said[12].removeprefix("give ")
    came = {said[14].removeprefix("give ")}  # what Cid gave her lies in her hand now
    found = Counter[tuple[frozenset[str], ...]]()
    others = [card for card in CARDS if card not in mine]
    for bob in map(set, combinations(others, 4)):
        cid = set(others) - bob
        if not came <= cid:
            continue
        for given in bob:
            hands = {"Ann": mine - {gave} | came, "Bob": bob - {given} | {gave}, "Cid": cid - came | {given}}
            likely, led = 1.0, ""
            for number, one in enumerate(said[15:]):
                who = PLAYERS[number % 3]
                led = led if number % 3 else ""
                suits = {card for card in hands[who] if card[0] == led[:1]} or hands[who]
                likely *= (one in suits) * (1 if who == "Ann" else 1 / len(suits))
                hands[who] = hands[who] - {one}
                led = led or one
            if likely:
                found[frozenset(hands["Bob"]), frozenset(hands["Cid"])] += likely
    whole = sum(found.values())
    return {hand: likely / whole for hand, likely in found.items()}


@cache
def hands_in(game: Game, state: bytes) -> tuple[frozenset[str], ...]:
    """The hands of Bob and Cid."""
    position = Position(game, state)
    return tuple(frozenset(card for card in CARDS if position.value("hand", who, card)) for who in PLAYERS[1:])


def far(found: Counter[tuple[frozenset[str], ...]], told: dict[tuple[frozenset[str], ...], float]) -> float:
    """The largest difference of the two; nothing is found that cannot be."""
    assert found.keys() <= told.keys()
    whole = sum(found.values())
    return max(abs(found[hand] / whole - likely) for hand, likely in told.items())


@pytest.mark.parametrize("plays", [0, 3, 6])
def test_few_guesses_are_in_the_mean_as_likely_as_all_deals_say(tricks: Game, plays: int) -> None:
    position, said = played(tricks, 0, plays)
    told, found = weighed(said), Counter[tuple[frozenset[str], ...]]()
    for seed in range(60):
        for guess in Belief(tricks.engine, 1, guesses=24).guesses(position.known_by("Ann"), seed):
            found[hands_in(tricks, guess.state)] += guess.weight  # type: ignore[assignment]
    assert len(told) == {0: 35, 3: 10, 6: 3}[plays]
    assert far(found, told) < 0.06


def test_the_walk_over_ways_comes_to_each_as_often_as_it_is_likely(tricks: Game) -> None:
    """From one way on, which need not be likely: what it came to later."""
    position, said = played(tricks, 0, 6)
    told, found = weighed(said), Counter[tuple[frozenset[str], ...]]()
    belief = Belief(tricks.engine, 1, guesses=8)
    belief.guesses(position.known_by("Ann"), 1)
    variations = Variations(tricks.engine, belief.knowledge, 1)
    way, lots = next(iter(belief._now)), game_lots(3)
    for _ in range(6000):
        way = variations.walked(way, 1, lots, variations.looked + 1000)
        found[hands_in(tricks, way.state)] += 1
    assert len(told) == 3
    assert far(found, told) < 0.03


ROLLS = """\
game "Rolls"
players Ann, Bob
state
  die(p: player): 0..6 seen by p
  said: 0..6
move roll(n: 1..6) as "roll {n}" seen as "rolls"
  when die(mover) = 0
  do die(mover) := n
move say(n: 1..6) as "say {n}"
  when die(mover) > 0
  do said := n
stuck draw
end
  draw when turns >= 6
"""


@pytest.fixture(scope="module")
def rolls() -> Game:
    return pysolve.load(ROLLS)


def test_the_walk_is_fair_to_values_that_were_also_read(rolls: Game) -> None:
    """All six numbers are alike, whether they are read elsewhere, so that they cannot change places, or not."""
    position, found = rolls.start(), Counter[int]()
    for move in ("roll 1", "roll 4", "say 3", "say 2"):
        position = position.play(move)
    belief = Belief(rolls.engine, 1, guesses=8)
    belief.guesses(position.known_by("Ann"), 1)
    variations = Variations(rolls.engine, belief.knowledge, 1)
    way, lots = next(iter(belief._now)), game_lots(3)
    for _ in range(6000):
        way = variations.walked(way, 1, lots, variations.looked + 1000)
        found[Position(rolls, way.state).value("die", "Bob")] += 1
    assert found.keys() == set(range(1, 7))
    assert all(abs(count / 6000 - 1 / 6) < 0.03 for count in found.values())


def test_guesses_are_exact_up_to_so_many(rolls: Game) -> None:
    """Six ways are left for Ann, who knows her own roll."""
    position = rolls.start().play("roll 1").play("roll 4")
    for most, exact in ((6, True), (5, False)):
        counts = {seed: len(Belief(rolls.engine, 1, most).guesses(position.known_by("Ann"), seed)) for seed in range(9)}
        assert set(counts.values()) == {6} if exact else max(counts.values()) <= most
    for seed in range(9):
        found = Belief(rolls.engine, 1, 6).guesses(position.known_by("Ann"), seed)
        assert [guess.weight for guess in found] == pytest.approx([1 / 6] * 6)


def test_one_seed_gives_the_same_guesses_on_both_engines(tricks: Game) -> None:
    position, _ = played(tricks, 2, 3)
    by_prolog = pysolve.load(TRICKS, engine="prolog")
    known = position.known_by("Ann")
    one, other = (Belief(game.engine, 1, 12).guesses(known, 5) for game in (tricks, by_prolog))
    assert one == other


def test_ways_that_do_not_go_on_are_mended(tricks: Game) -> None:
    """A single guess is mostly wrong about the card that is played next."""
    mended = 0
    for seed in range(8):
        position, _ = played(tricks, seed, 3)
        belief = Belief(tricks.engine, 1, guesses=1)
        old = belief._mended

        def counted(now: dict[Way, float], *rest: object, old: object = old) -> dict[Way, float]:
            nonlocal mended
            found: dict[Way, float] = old(now, *rest)  # type: ignore[operator]
            mended += bool(found)
            return found

        belief._mended = counted  # type: ignore[method-assign,assignment]
        for guess in belief.guesses(position.known_by("Ann"), seed):
            assert belief.knowledge.information(guess.known[0]) == position.known_by("Ann")
    assert mended > 3


def test_whoever_waits_for_a_first_move_waits_for_few_guesses(tricks: Game) -> None:
    position, _ = played(tricks, 0, 3)
    about = Informed(tricks, "Ann", position.known_by("Ann"))
    better = choices(about, None, 100, 60.0)
    assert next(better).text == position.legal_moves[0].text
    assert [move.text for move in about.legal_moves] == [move.text for move in position.legal_moves]
    assert about.beliefs.keys() == {QUICK}
    assert next(better) in position.legal_moves
    assert about.beliefs.keys() == {QUICK, MOST}  # as many in every search, where time is no limit


def test_guesses_are_found_until_the_end_of_hearts() -> None:
    """What drawn guesses alone come to, is none before the first card is passed."""
    game, rng, found = load("hearts"), Random(0), 0
    position, belief = game.start(), Belief(game.engine, 1, guesses=32)
    while not position.is_over:
        if not position.chance and position.to_move == "North" and len(position.legal_moves) > 1:
            known = position.known_by("North")
            guesses = belief.guesses(known, 1)
            assert guesses
            assert all(belief.knowledge.information(guess.known[0]) == known for guess in guesses)
            found += len(guesses)
        position = position.play(position.random_move(rng))
    assert found > 200


# Each hides two numbers, of which the other learns a quarter of the first one.
VAULT = """\
game "Vault"
players Ann, Bob
state
  first(p: player): 0..40 seen by p
  second(p: player): 0..40 seen by p
  told: 0..10
  made: 0..6
move hide(a, b: 1..40) as "hide {a} {b}" seen as "hides"
  when made < 6
  do
    first(mover) := a
    second(mover) := b
    told := a // 4
    made := made + 1
stuck draw
end
  draw when made = 6
"""


@pytest.fixture(scope="module")
def vault() -> Game:
    return pysolve.load(VAULT)


def test_of_very_many_secret_moves_some_are_drawn_as_likely_as_they_are(vault: Game) -> None:
    """A tenth of what is drawn first goes on, which is too little; all that goes on is alike."""
    known = vault.start().play("hide 1 2").play("hide 23 7").known_by("Ann")
    firsts, seconds = Counter[int](), Counter[int]()
    for seed in range(40):
        found = Belief(vault.engine, 1, 16).guesses(known, seed)
        assert len(found) == 16
        for guess in found:
            position = Position(vault, guess.state)
            firsts[position.value("first", "Bob")] += guess.weight  # type: ignore[assignment]
            seconds[position.value("second", "Bob") // 10] += guess.weight  # type: ignore[assignment]
    assert firsts.keys() == {20, 21, 22, 23}
    assert all(abs(weight / 40 - 1 / 4) < 0.04 for weight in firsts.values())
    assert all(abs(seconds[ten] / 40 - 1 / 4) < 0.06 for ten in (1, 2, 3))


def test_very_many_secret_moves_are_never_in_memory_together(vault: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """64 guesses with 1,600 moves each, twice; what is found is the same where all of them are kept."""
    position = vault.start()
    for number in (1, 2, 3, 4):
        position = position.play(f"hide {number} {number}")
    known, found = position.known_by("Ann"), []
    for room in (1 << 17, 3200):
        monkeypatch.setattr("pysolve.search.hidden.belief.ROOM", room)
        belief = Belief(vault.engine, 1, 64)
        tracemalloc.start()
        found.append((belief.guesses(known, 1), tracemalloc.get_traced_memory()[1]))
        tracemalloc.stop()
    (all_kept, much), (some_kept, little) = found
    assert all_kept == some_kept
    assert little < 4_000_000 < 9_000_000 < much
