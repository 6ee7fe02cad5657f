"""Games with secrets beside OpenSpiel: legal moves, what chance may do and how likely, returns, what players know.

In: shipped rules, and `pyspiel` where it is installed.  Out: in random games, in lockstep, the same moves everywhere
and the same end; where a player chooses, two histories are told apart by our information exactly if by theirs.
Some games of each are played, with --long 1,000.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from pysolve.position import Move, Position
from tests.games import load

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.slow
LONG = pytest.param(1000, marks=pytest.mark.long)
GAMES = [150, LONG]  # of each


def told(state: Any) -> str:
    """Their text of what the player to move knows."""
    return str(state.information_state_string(state.current_player()))


def at_the_same_time(state: Any) -> str:
    """The same in a game whose players move at the same time: all but what the others have chosen meanwhile."""
    history = [action for player, action in zip(players_of(state), state.history(), strict=True)]
    hidden = state.current_player()  # so many have chosen before the second player, and nobody before the first
    return repr(history[: len(history) - hidden])


def players_of(state: Any) -> list[int]:
    return [one.player for one in state.full_history()]


SMALL_HANABI = "hanabi(players=2,colors=2,ranks=5,hand_size=2,max_information_tokens=3,max_life_tokens=1)"


def in_hanabi(move: str) -> str:
    """One of our moves in the words of the Hanabi Learning Environment, which counts cards from the oldest."""
    kind, what = move.split()
    if kind == "draw":
        return f"(Deal {what})"
    if kind == "tell":
        return f"(Reveal player +1 {'rank ' + what if what.isdigit() else 'color ' + what[0]})"
    return f"({kind.title()} {'abcde'.index(what[0])})"


def all_observed(state: Any) -> str:
    """All that the player to move of Hanabi has been able to see: their observations are of one moment."""
    player, past, found = state.current_player(), state.get_game().new_initial_state(), []
    for action in state.history():
        by = past.current_player()
        found.append("" if by < 0 else f"{by} {past.action_to_string(by, action)}")
        past.apply_action(action)
        if by >= 0 or not past.is_chance_node():
            found.append(past.observation_string(player))
    return repr(found)


@dataclass(frozen=True)
class Judged:
    """A game of both: a move of ours and an action of theirs have the same key if they are the same."""

    name: str
    theirs: str
    ours: Callable[[Move], str] = str
    of_action: Callable[[str], str] = str
    options: dict[str, Any] = field(default_factory=dict)
    known: Callable[[Any], str] = told

    def __str__(self) -> str:
        return self.name


JUDGED = [
    Judged("phantom_tictactoe", "phantom_ttt", of_action=lambda text: cell_of(text, 3)),
    Judged(
        "hex-dark", "dark_hex(board_size=3)", options={"size": 3},
        known=lambda state: re.sub(r"\n\d+\n", "\n", told(state)),  # without the number of all moves, which nobody sees
    ),
    Judged(
        "liars_dice", "liars_dice", lambda move: re.sub(r"(\d)x(\d)", r"\1-\2", str(move)),
        lambda text: re.sub("Roll ", "", text).replace("Liar", "liar"),
    ),
    Judged(
        "goofspiel", "turn_based_simultaneous_game(game=goofspiel(num_cards=4))",
        lambda move: str(move).removeprefix("prize "), lambda text: re.findall(r"\d+$", text)[0],
        {"cards": 4}, at_the_same_time,
    ),
    Judged(
        "hanabi", SMALL_HANABI, lambda move: in_hanabi(str(move)), known=lambda state: all_observed(state),
    ),
    Judged(
        "rock_paper_scissors", "turn_based_simultaneous_game(game=matrix_rps())", known=at_the_same_time,
    ),
]  # fmt: skip


def cell_of(text: str, width: int) -> str:
    """The cell of an action as x(row,column), the rows from the top."""
    row, column = map(int, re.findall(r"\d+", text))
    return f"{'abcdefg'[column]}{width - row}"


@dataclass
class Lockstep:
    """One game of each kind after another, and what both said of what players knew."""

    judged: Judged
    theirs: dict[tuple[str, str], str] = field(default_factory=dict)  # player and our information -> theirs
    ours: dict[tuple[str, str], str] = field(default_factory=dict)

    def play(self, seed: int) -> None:
        """A random game, compared at each step."""
        rng, position = Random(seed), load(self.judged.name, **self.judged.options).start()
        state = pyspiel.load_game(self.judged.theirs).new_initial_state()
        while not state.is_terminal():
            position = self.step(position, state, rng)
        while not position.is_over:  # what they play by themselves: there is no choice left
            assert len(position.possible_moves) == 1
            position = position.play(position.possible_moves[0])
        returns = state.returns()
        assert position.returns()[: len(returns)] == pytest.approx(returns)

    def step(self, position: Position, state: Any, rng: Random) -> Position:
        """Both after the same move."""
        who = state.current_player()
        keys = {self.judged.of_action(state.action_to_string(who, action)): action for action in state.legal_actions()}
        moves = {self.judged.ours(move): move for move in position.possible_moves}
        assert moves.keys() == keys.keys()
        assert len(moves) == len(position.possible_moves)
        assert position.chance == state.is_chance_node()
        if position.chance:
            likely = {self.judged.ours(move): weight for move, weight in position.chance_moves}
            for key, action in keys.items():
                assert likely[key] == Fraction(dict(state.chance_outcomes())[action]).limit_denominator(10_000)
        else:
            assert list(position.game.players).index(position.to_move) == who
            self.compare(position.to_move, position.information(position.to_move), self.judged.known(state))
        key = rng.choice(sorted(keys))
        state.apply_action(keys[key])
        return position.play(moves[key])

    def compare(self, player: str, ours: str, theirs: str) -> None:
        """What both know is equal wherever one of them is."""
        assert self.theirs.setdefault((player, ours), theirs) == theirs
        assert self.ours.setdefault((player, theirs), ours) == ours


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize("judged", JUDGED, ids=str)
def test_open_spiel_plays_and_knows_the_same(judged: Judged, games: int) -> None:
    both = Lockstep(judged)
    for seed in range(games):
        both.play(seed)
    assert len(both.ours) == len(both.theirs) >= 2


# -------------------------------------------------------------------------------------- dark chess: what is seen now

LETTERS = {"Pawn": "p", "Knight": "n", "Bishop": "b", "Rook": "r", "Queen": "q", "King": "k"}


def dark_fen(position: Position) -> str:
    """A position, or a view, in the notation of their observations: `?` is a square that is not seen."""
    state, rows = position.to_dict()["state"], []
    for row in (4, 3, 2, 1):
        line = ""
        for column in "abcd":
            owner, kind = (state[name][f"{column}{row}"] for name in ("owner", "kind"))
            letter = "." if owner is None else LETTERS.get(kind, "?")
            line += letter.upper() if owner == "White" else letter
        rows.append(re.sub(r"\.+", lambda found: str(len(found[0])), line))
    return "/".join(rows)


@pytest.mark.parametrize("games", GAMES)
def test_dark_chess_shows_and_plays_what_open_spiel_does(games: int) -> None:
    game, theirs = load("chess-dark", size=4), pyspiel.load_game("dark_chess(board_size=4)")
    for seed in range(games):
        rng, position, state = Random(seed), game.start(), theirs.new_initial_state()
        while not state.is_terminal():
            assert not position.is_over
            assert position.to_move == ("Black", "White")[state.current_player()]
            actions = {str(state.child(action)).split()[0]: action for action in state.legal_actions()}
            moves = {dark_fen(position.play(move)): move for move in position.legal_moves}
            assert moves.keys() == actions.keys()
            assert len(moves) == len(position.legal_moves)
            for number, player in enumerate(("Black", "White")):
                assert dark_fen(position.view(player)) == state.observation_string(number).split()[0]
            key = rng.choice(sorted(moves))
            position = position.play(moves[key])
            state.apply_action(actions[key])
        assert position.returns() == state.returns()[::-1]


# -------------------------------------------------------------------------- hearts: no two games are alike by chance

PASSED = ("Nobody", "Left", "Across", "Right")


def card_of(move: Move) -> str:
    """A card as theirs: QS."""
    return str(move).split()[-1][::-1]


def replayed(game: Any, state: Any) -> Position | None:
    """Our position after the moves of a state of theirs; the first is who passes to whom, an option of ours.

    None where somebody has not followed suit: their draw forgets that.
    """
    past, position = state.get_game().new_initial_state(), game.start()
    for number, action in enumerate(state.history()):
        if number:
            card = past.action_to_string(action)
            found = [move for move in position.possible_moves if card_of(move) == card]
            if not found:
                assert card not in {past.action_to_string(one) for one in past.legal_actions()}
                return None
            position = position.play(found[0])
        past.apply_action(action)
    return position


def known_in_hearts(position: Position, player: str) -> tuple[object, ...]:
    """What a player sees, the cards he was dealt, and the tricks: all but the order of his cards, of which theirs
    say nothing."""
    dealt = sorted(re.findall(rf"hand\({player}, (\w+)\) = true", position.information(player).split(": pass ")[0]))
    played = [text for text in position.information(player).splitlines() if re.match(r"\w+: [CDSH][2-9TJQKA]$", text)]
    return position.view(player).to_dict()["state"], dealt, played


@pytest.mark.parametrize("games", [4, LONG])  # a second each
def test_hearts_is_that_of_open_spiel(games: int) -> None:
    """Legal moves, cards that are dealt and how likely, payoffs; and that a player cannot tell apart two deals that
    theirs cannot: of each game one is drawn that agrees with what the player to move knows at some time."""
    theirs, compared = pyspiel.load_game("hearts"), 0
    for seed in range(games):
        rng, state = Random(seed), theirs.new_initial_state()
        way, stop = rng.randrange(4), rng.randrange(60)
        state.apply_action(way)
        game = load("hearts", **{"pass": PASSED[way]})
        position = game.start()
        while not state.is_terminal():
            actions = {state.action_to_string(action): action for action in state.legal_actions()}
            moves = {card_of(move): move for move in position.possible_moves}
            assert moves.keys() == actions.keys()
            assert position.chance == state.is_chance_node()
            if position.chance:
                assert {chance for _, chance in position.chance_moves} == {Fraction(1, len(actions))}
            else:
                assert game.players.index(position.to_move) == state.current_player()
                stop -= 1
                if stop == 0:
                    compared += compare_deals(game, position, state, rng)
            card = rng.choice(sorted(moves))
            state.apply_action(actions[card])
            position = position.play(moves[card])
        returns = state.returns()
        assert position.returns() == [4 * one - sum(returns) for one in returns]
    assert compared > games // 4


def compare_deals(game: Any, position: Position, state: Any, rng: Random) -> bool:
    """Compares a game with one that is drawn; false where none was found."""
    for _ in range(8):
        other = state.resample_from_infostate(state.current_player(), rng.random)
        if (alike := replayed(game, other)) is not None:
            break
    else:
        return False
    assert [str(move) for move in alike.legal_moves] == [str(move) for move in position.legal_moves]
    for number, player in enumerate(game.players):
        same = state.information_state_string(number) == other.information_state_string(number)
        assert (known_in_hearts(position, player) == known_in_hearts(alike, player)) == same
    return True
