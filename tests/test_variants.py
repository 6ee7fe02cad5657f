"""What is known of variants and of small games, beside their rules.

In: shipped rules.  Out: the known value of a game, found by looking at all its positions; a game that begins
differently goes on as its parent does.
"""

from pysolve.engine import Engine, State
from pysolve.engines.prolog import PrologEngine
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
        again = str(position.outcome).endswith("the position stood before")
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
    assert str(position.outcome) == "draw: the third time"
