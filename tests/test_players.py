"""Players: how they are named, what they must find, and that a seed repeats them on every engine."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import pysolve
from pysolve.dsl.language.constants import WIN
from pysolve.dsl.player_texts import OF_SECRETS, PLAYERS, Quiet, UnknownPlayer, quiet_moves
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import Engine, State
from pysolve.game import Game, UnknownGame, other_rules
from pysolve.lab.match import match_jobs, thought_by
from pysolve.players import functions
from pysolve.players.functions import player, specification
from pysolve.players.own_rules import OwnRules, by_own_rules
from pysolve.position import Move, Position
from pysolve.search import greedy
from pysolve.search.mcts import Settings, mcts
from pysolve.search.minimax import Result
from pysolve.search.retrograde import Table, retrograde
from pysolve.search.turns import turn_positions, turns
from tests.games import load, slow_but

QUICK = (
    "random",
    "greedy",
    "greedy:turn",
    "greedy:ties=last",
    "greedy:turn,ties=bottom",
    "greedy:replies=1,ties=top",
    "greedy:replies=2",
    "minimax:depth=2",
    "minimax:depth=2,ties=random",
    "minimax:turns=1,ties=last",
    "minimax:nodes=300",
    "minimax:turns=1",
    "minimax:turns=3,nodes=900",
    "maxn:depth=2",
    "maxn:turns=1,ties=random",
    "maxn:nodes=200",
    "mcts:playouts=40",
    "mcts:playouts=40,leaf=evaluate,bias=1,backup=max",
    "solver:states=3000",
)

WIN_IN_ONE = """
position X
  X X .
  O O .
  . . .
"""
FORK = """
position X
  X O .
  . . .
  . . .
"""


def game_of(start: Position, seats: Sequence[str], seed: int = 1, limit: int = 200) -> tuple[list[str], Position]:
    """The moves of a game between players, and its last position."""
    players = [player(text, seed + seat) for seat, text in enumerate(seats)]
    position, moves = start, []
    while not position.is_over and len(moves) < limit:
        move = players[start.game.players.index(position.to_move)](position)
        assert isinstance(move, Move)
        position = position.play(move)
        moves.append(str(move))
    return moves, position


@cache
def _on(name: str, engine: str, options: tuple[tuple[str, object], ...]) -> Game:
    return Game(load(name, **dict(options)).model, engine)


def on(name: str, engine: str, **options: object) -> Game:
    """A game on one of the engines."""
    return _on(name, engine, tuple(options.items()))


# ------------------------------------------------------------------------------------------- how they are named


@pytest.mark.parametrize(
    ("text", "name", "settings"),
    [
        ("human", "human", {}),
        ("greedy:turn", "greedy", {"turn": ""}),
        (" minimax:depth=3, time=0.5 ", "minimax", {"depth": 3, "time": 0.5}),
        ("mcts:playouts=20,leaf=evaluate,explore=0.7", "mcts", {"playouts": 20, "leaf": "evaluate", "explore": 0.7}),
    ],
)
def test_a_player_is_named_by_a_text(text: str, name: str, settings: dict[str, object]) -> None:
    found = specification(text)
    assert (found.name, dict(found.settings), str(found)) == (name, settings, text.strip())


@pytest.mark.parametrize(
    ("text", "takes"),
    [
        ("minimax:nodes=" + 25 * "9", "an integer from 1 to 1,000,000,000,000"),
        ("maxn:nodes=9223372036854775808", "an integer from 1 to 1,000,000,000,000"),
        ("mcts:playouts=" + 25 * "9", "an integer from 1 to 1,000,000,000,000"),
        ("mcts:playouts=" + 5000 * "9", "an integer from 1 to 1,000,000,000,000"),
        ("solver:states=2147483648", "an integer from 1 to 2,147,483,647"),
        ("minimax:threads=100000000000", "an integer from 1 to 256"),
        ("mcts:explore=1e300", "a number from 0, below 1,000,000"),
        ("mcts:grave=-1", "an integer from 0 to 1,000,000"),
        ("mcts:prior=1000001", "an integer from 0 to 1,000,000"),
        ("mcts:even=0", "an integer from 1 to 1,000,000"),
        ("mcts:trees=1000000", "an integer from 1 to 16"),
    ],
)
def test_numbers_that_no_search_can_have_are_refused(text: str, takes: str) -> None:
    with pytest.raises(UnknownPlayer, match=f'": it must be {takes}$'):
        specification(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gredy", 'there is no player "gredy": did you mean "greedy"? players are human, random, greedy, '),
        ("", 'there is no player "": players are human, random, greedy, minimax, maxn, mcts'),
        ("random:seed=3", 'random has no setting "seed": it is written  random'),
        ("minimax:", 'minimax has no setting "": it has depth=…, time=…, nodes=…, turns=…, quiet=…, onward'),
        ("minimax:deep=3", 'minimax has no setting "deep": it has depth=…, time=…, nodes=…, turns=…, quiet=…, o'),
        ("minimax:depth", "depth of minimax is written  depth=…, an integer from 1 to 128"),
        ("minimax:depth=0", 'depth of minimax cannot be "0": it must be an integer from 1 to 128'),
        ("minimax:depth=129", 'depth of minimax cannot be "129"'),
        ("minimax:depth=3,depth=4", "depth of minimax is set twice"),
        ("mcts:turn=2", "turn of mcts is written  turn"),
        ("mcts:trees=4,room=1000000000", 'mcts has no setting "room": it has playouts=…, nodes=…, time=…, turn, '),
        ("minimax:time=soon", 'time of minimax cannot be "soon": it must be seconds, as in 0.5, below 1,000,000'),
        ("minimax:time=1e9", 'time of minimax cannot be "1e9": it must be seconds, as in 0.5, below 1,000,000'),
        ("minimax:time=nan", 'time of minimax cannot be "nan"'),
        ("mcts:playouts=-1", 'playouts of mcts cannot be "-1": it must be an integer from 1 to 1,000,000,000,000'),
        ("mcts:leaf=oracle", 'leaf of mcts cannot be "oracle": it must be playout or evaluate'),
        ("greedy:turn=2", "turn of greedy is written  turn"),
        ("minimax:depth=2,turns=1", "minimax counts moves or turns: depth and turns cannot both be set"),
        ("minimax:time=2,threads=999", 'threads of minimax cannot be "999": it must be an integer from 1 to 256'),
        (
            "minimax:depth=2,threads=2",
            "threads of minimax need a time: with another limit its moves must be reproducible",
        ),
        ("minimax:turns=0", 'turns of minimax cannot be "0": it must be an integer from 1 to 128'),
        ("minimax:quiet=", 'quiet of minimax cannot be "": it must be kinds of moves, or captures, as in jump or'),
        ("minimax:quiet=capture+", 'quiet of minimax cannot be "capture+": it must be kinds of moves'),
        ("greedy:by", "by of greedy is written  by=…, a game or a rules file"),
        ("mcts:bias=-1", 'bias of mcts cannot be "-1": it must be a number from 0, below 1,000,000'),
        ("mcts:backup=least", 'backup of mcts cannot be "least": it must be mean or max'),
        ("greedy:ties=left", 'ties of greedy cannot be "left": it must be first or last or top or bottom or random'),
        ("greedy:replies=0", 'replies of greedy cannot be "0": it must be an integer from 1 to 64'),
        ("minimax:stuck=wins", 'stuck of minimax cannot be "wins": it must be loses'),
        ("minimax:time=1,threads=2,ties=first", "ties of minimax need one thread: "),
        ("greedy:terms=men,onesided=men+kings", "onesided of greedy names kings, which is not among its terms"),
    ],
)
def test_a_text_that_names_nobody_is_refused(text: str, message: str) -> None:
    with pytest.raises(UnknownPlayer) as error:
        specification(text)
    assert str(error.value).startswith(message)


def test_a_level_is_a_name_for_a_player() -> None:
    levels = load("zola").levels
    assert levels["deep"] == "minimax:depth=4"
    found = specification("deep", levels)
    assert (str(found), found.name, found.settings) == ("deep", "minimax", {"depth": 4})
    known = "levels of this game are easy, medium, hard, expert, deep"
    with pytest.raises(UnknownPlayer, match=f'did you mean "hard".*{known}'):
        specification("hardy", levels)


def test_kinds_of_moves_must_be_those_of_the_game() -> None:
    start = load("zola", size=4).start()
    model = start.game.model
    assert quiet_moves(("capture", "retreat", "capture"), model) == Quiet((0, 1), captures=False)
    assert quiet_moves(("captures", "retreat"), model) == Quiet((0,), captures=True)
    with pytest.raises(UnknownPlayer, match=r'^quiet of minimax: Zola has no kind of move "jump": it has re'):
        player("minimax:depth=2,quiet=jump")(start)
    with pytest.raises(UnknownPlayer, match="quiet of minimax"):
        match_jobs(start.game, "random", "minimax:quiet=jump")  # before anything is played


def test_captures_are_a_kind_of_moves_where_the_rules_have_one_of_this_name() -> None:
    model = load("zola", size=4).model
    named = replace(model, actions=(model.actions[0], replace(model.actions[1], name="captures")))
    assert quiet_moves(("captures",), named) == Quiet((1,), captures=False)


def test_captures_need_a_board_that_says_whose_men_are_where() -> None:
    with pytest.raises(UnknownPlayer, match=r"Kalah has no state variable that holds a player .*kinds of moves, sow$"):
        match_jobs(load("kalah"), "random", "minimax:quiet=captures")


@pytest.mark.slow
def test_moves_that_are_not_quiet_are_the_same_on_both_engines() -> None:
    who = ("minimax:depth=2,quiet=capture", "random")
    one, other = (game_of(on("zola", engine, size=4).start(), who, limit=8)[0] for engine in ("prolog", "native"))
    assert one == other


def test_one_may_think_by_other_rules(tmp_path: Path) -> None:
    """Whoever takes the wrong way round for the right one plays what the others find worst."""
    rules = tmp_path / "blind.rules"
    value = "spread -1 : sum c: cell where at(c) = me of range(c)"
    rules.write_text(f'game "Blind" extends "zola"\nreplace evaluate\n  {value}\n')
    position = load("zola").start().play("a1xb1")
    values = {str(move): position.play(move).evaluate()["Blue"] for move in position.legal_moves}
    assert values[str(player("greedy", 1)(position))] == max(values.values())
    assert values[str(player(f"greedy:by={rules}", 1)(position))] == min(values.values())
    assert values[str(player(f"minimax:depth=1,by={rules}", 1)(position))] == min(values.values())
    with pytest.raises(UnknownPlayer, match="Zola cannot be played by conga: players, cells, states and moves must be"):
        player("greedy:by=conga")(position)


def test_other_rules_may_lie_beside_those_of_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.rules").write_text('game "Mine" extends "zola"\nlevel sly "greedy:by=sly.rules"\n')
    (tmp_path / "sly.rules").write_text('game "Sly" extends "mine"\n')
    game = pysolve.load(tmp_path / "mine.rules")
    assert player("sly", 1, game.levels)(game.start()) == player("greedy", 1)(game.start())
    assert thought_by(game, ["greedy:by=sly.rules"]) == {"sly.rules": pysolve.load(tmp_path / "sly.rules").model.digest}
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    Path("sly.rules").write_text('game "Nearer" extends "zola"\n')
    assert other_rules(game, "sly.rules") == "sly.rules"
    with pytest.raises(UnknownGame, match=r'there are no rules "nowhere\.rules"'):
        player("greedy:by=nowhere.rules")(game.start())


@pytest.mark.parametrize("who", ["greedy", "greedy:turn", "minimax:depth=1", "mcts:playouts=9"])
def test_where_the_game_is_over_by_other_rules_it_is_played_by_its_own(who: str, tmp_path: Path) -> None:
    rules = tmp_path / "short.rules"
    rules.write_text('game "Short" extends "zola"\nreplace end\n  draw when row(c1) = 1\n', encoding="utf-8")
    position = load("zola", size=4).start()
    choose = player(f"{who}{',' if ':' in who else ':'}by={rules}", 1)
    assert choose(position) == player(who, 1)(position)


@pytest.mark.slow
def test_a_move_that_only_other_rules_allow_is_refused(tmp_path: Path) -> None:
    long = REPEATS.replace("3 by 1", "5 by 1")
    rules = tmp_path / "leaps.rules"
    leaps = long.replace("    to in neighbours(from)\n", "")
    rules.write_text(f"{leaps}evaluate\n  far 1 : count c: cell where c = e1 and at(c) = me\n", encoding="utf-8")
    with pytest.raises(
        UnknownPlayer, match=r"^a1e1 is legal by .*leaps\.rules, but not in this game: it cannot be played by"
    ):
        player(f"greedy:by={rules}", 1)(pysolve.load(long).start())


def test_a_person_is_no_program() -> None:
    assert specification("human").is_person
    with pytest.raises(UnknownPlayer, match="human is a human player"):
        player("human")


def test_which_players_can_be_repeated() -> None:
    assert specification("minimax").repeatable
    assert specification("mcts:playouts=9").repeatable
    assert not specification("mcts:time=1,playouts=9").repeatable
    assert not specification("human").repeatable


# --------------------------------------------------------------------------------------------- what they find


@pytest.mark.parametrize("who", ["greedy", "greedy:turn", "minimax", "minimax:nodes=200", "mcts:playouts=100"])
def test_a_win_in_one_is_taken(who: str) -> None:
    position = load("tictactoe").position(WIN_IN_ONE)
    assert str(player(who, 1)(position)) == "c3"


@pytest.mark.parametrize("who", ["minimax:depth=2", "mcts:playouts=400"])
def test_a_loss_in_two_is_prevented(who: str) -> None:
    position = load("tictactoe").position("position O\n  X X .\n  O . .\n  . . .")
    assert str(player(who, 1)(position)) == "c3"


@pytest.mark.parametrize(
    "seats",
    [("minimax:depth=9", "mcts:playouts=1500"), ("mcts:playouts=1500", "solver"), ("solver", "minimax:depth=9")],
)
def test_perfect_play_draws(seats: tuple[str, str]) -> None:
    moves, last = game_of(load("tictactoe").start(), seats)
    assert len(moves) == 9
    assert last.outcome is not None
    assert last.outcome.winner is None


def test_a_forced_win_is_found() -> None:
    start = load("tictactoe").position(FORK)
    for reply in range(5):
        position = start.play(player("minimax:depth=5")(start))
        position = position.play(position.legal_moves[reply])
        _, last = game_of(position, ("minimax:depth=5", "random"))
        assert last.outcome is not None
        assert last.outcome.winner == "X"


@pytest.mark.parametrize("engine", ["prolog", "native"])
@pytest.mark.parametrize("text", [FORK, WIN_IN_ONE])
@pytest.mark.parametrize("leaf", ["playout", "evaluate"])
def test_mcts_proves_what_is_won(engine: str, text: str, leaf: str) -> None:
    position = on("tictactoe", engine).position(text)
    found = mcts(position.game.engine, position.state, visits=5000, seed=3, settings=Settings(leaf))
    assert (found.proven, found.value) == (1, 1)
    assert found.visits < 5000
    assert found.moves[0].move == found.best


def test_mcts_proves_a_loss_and_a_draw() -> None:
    game = load("tictactoe")
    lost = game.position("position O\n  X . X\n  . O .\n  X . .")
    assert mcts(game.engine, lost.state, visits=3000).proven == -1
    drawn = game.position("position X\n  X O X\n  X O .\n  O X .").play("c2")
    assert mcts(game.engine, drawn.state, visits=3000).proven == 0


def test_a_search_needs_a_limit() -> None:
    start = load("tictactoe").start()
    with pytest.raises(ValueError, match="a search needs a limit"):
        mcts(start.game.engine, start.state)


def test_greedy_takes_the_best_value() -> None:
    position = load("zola", size=4).start()
    values = greedy.values(position.game.engine, position.state)
    after = [position.play(move).evaluate()["Red"] for move in position.legal_moves]
    assert values == after
    chosen = player("greedy", 5)(position)
    assert values[list(position.legal_moves).index(chosen)] == max(values)


def test_a_greedy_turn_ends_where_the_value_is_highest() -> None:
    position = load("yoxii").start()
    mover = position.to_move
    most = max(after.evaluate()[mover] for after in position.turn_positions())
    who = player("greedy:turn", 1)
    while position.to_move == mover:
        position = position.play(who(position))
    assert position.evaluate()[mover] == most


@pytest.mark.parametrize("name", ["yoxii", "blockade-4v3"])
def test_a_way_leads_to_every_end_of_a_turn(name: str) -> None:
    start = load(name).start()
    engine = start.game.engine
    first = {}
    if name == "yoxii":
        for one in turns(engine, start.state):
            first.setdefault(one.states[-1], one.moves)
    for goal in list(turn_positions(engine, start.state))[::37]:
        state, moves = start.state, []
        found = greedy.way(engine, start.state, [goal])
        for move, after in zip(found.moves, found.states, strict=True):
            node = engine.expand(state)
            state = node.child(list(node.moves).index(move))
            assert after == state
            moves.append(move)
        assert state == goal
        assert first.get(goal, tuple(moves)) == tuple(moves)


# ------------------------------------------------------------------------------------------ a seed repeats them


SEEDED = [("zola", {"size": 4}), ("conga", {}), ("tictactoe", {}), ("kalah", {"pits": 3, "seeds": 2})]


@pytest.mark.parametrize(("name", "options"), slow_but([SEEDED[3]], SEEDED, late=SEEDED[1:2]))
@pytest.mark.parametrize("who", slow_but(QUICK[::2], QUICK))
def test_the_same_seed_gives_the_same_game_on_both_engines(name: str, options: dict[str, object], who: str) -> None:
    seats, limit = (who, "random"), 12
    by_prolog, _ = game_of(on(name, "prolog", **options).start(), seats, limit=limit)
    native = on(name, "native", **options)
    assert not isinstance(native.engine, PrologEngine)
    assert by_prolog == game_of(native.start(), seats, limit=limit)[0] == game_of(native.start(), seats, limit=limit)[0]


@pytest.mark.parametrize("who", ["greedy:turn", "mcts:playouts=40", *slow_but((), ["solver"])])
def test_a_player_may_go_from_game_to_game(who: str) -> None:
    choose = player(who, 3)
    for name, options in (*SEEDED, SEEDED[0]):
        position = load(name, **options).start()
        for _ in range(6):
            if not position.is_over:
                move = choose(position)
                assert move in position.legal_moves
                position = position.play(move)


@pytest.mark.slow
@pytest.mark.parametrize(
    "who", [*QUICK, "minimax:time=0.01", "minimax:turns=9,time=0.01", "mcts:time=0.01,leaf=evaluate"]
)
@pytest.mark.parametrize(
    "name", slow_but(["yoxii"], ["yoxii", "blockade-4v3", "antiyomacy", "kalah"], late=["blockade-4v3"])
)
def test_turns_of_several_moves_are_played(name: str, who: str) -> None:
    start = load(name).start(3)
    moves, _ = game_of(start, (who, who), limit=6 if name == "blockade-4v3" else 14)
    assert moves


REPEATS = """
game "To and fro"
players A, B
board square 3 by 1
state
  at(cell): player or none
setup
  at(a1) := A
  at(c1) := B
move go(from, to: cell) as "{from}{to}"
  when
    at(from) = mover
    to in neighbours(from)
    at(to) = none
  do
    at(from) := none
    at(to) := mover
stuck
  draw
end
  mover wins when repeated 2   because "here again"
"""


def test_endings_that_ask_about_the_past_are_seen() -> None:
    game = pysolve.load(REPEATS)
    for who in QUICK:
        _, last = game_of(game.start(), (who, who), limit=30)
        assert last.is_over, who


def test_a_player_may_play_for_some_lines_alone() -> None:
    position = load("antiyomacy").start(1)
    known = [term.name for term in position.game.model.terms]
    assert player(f"greedy:terms={'+'.join(known)}", 1)(position) == player("greedy", 1)(position)
    with pytest.raises(UnknownPlayer, match='has no line "nothing" in evaluate: it has '):
        player("minimax:depth=1,terms=nothing")(position)
    for who in ("mcts:terms=nothing", "greedy:onesided=nothing"):
        with pytest.raises(UnknownPlayer, match='has no line "nothing" in evaluate: it has '):
            match_jobs(position.game, "random", who)  # before anything is played
    match_jobs(position.game, "random", "greedy:terms=nothing,by=FILE")  # the lines are those of the other rules


EVEN = """
game "Even"
players White, Black
board square 3 by 3
state
  at(cell): player or none
  size(cell): 0..2
move place(k: 1..2, to: cell) as "{k}{to}"
  when at(to) = none and column(to) + row(to) != 4
  do
    at(to) := mover
    size(to) := k
stuck draw
evaluate
  nothing 1 : if me = White then 0 else 0
"""


@pytest.mark.parametrize("engine", ["prolog", "native"])
@pytest.mark.parametrize(
    "who", ["greedy", "greedy:turn", "greedy:replies=1", "minimax:depth=1", "minimax:depth=3", "minimax:turns=2"]
)
def test_of_equal_moves_the_one_is_played_that_is_asked_for(who: str, engine: str) -> None:
    start = Game(pysolve.load(EVEN).model, engine).start()
    sign = "," if ":" in who else ":"
    played = {ties: str(player(f"{who}{sign}ties={ties}", 1)(start)) for ties in ("first", "last", "top", "bottom")}
    assert played == {"first": "1a1", "last": "2c3", "top": "1b3", "bottom": "2b1"} | {
        "first": str(start.legal_moves[0]), "last": str(start.legal_moves[-1])}  # fmt: skip
    drawn = {str(player(f"{who}{sign}ties=random", seed)(start)) for seed in range(120)}
    assert drawn == {str(move) for move in start.legal_moves}


LONELY = """
game "Lonely"
players White, Black
board square 4 by 1
state at(cell): player or none
setup
  at(a1) := White
  at(d1) := Black
move go(from, to: cell) as "{from}{to}"
  when at(from) = mover and to in neighbours(from) and at(to) = none
  do
    at(to) := mover
    at(from) := none
stuck pass
evaluate
  left 1 : sum c: cell where at(c) = me of 5 - column(c)
"""


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["prolog", "native"])
def test_a_line_may_count_for_one_side_alone(engine: str) -> None:
    """Black's men are worth the less the farther they are to the right; to White alone they are worth nothing."""
    position = Game(pysolve.load(LONELY).model, engine).start()
    for who, view in ((1, (4, -4)), (2, (-1, 1))):
        game = by_own_rules(position.game, who, OwnRules(onesided=("left",)))
        assert game.engine.estimate(position.state) == view
    assert position.game.engine.estimate(position.state) == (3, -3)
    assert by_own_rules(position.game, 1, OwnRules()) is position.game


@pytest.mark.parametrize("engine", ["prolog", "native"])
def test_who_can_only_pass_may_be_taken_to_have_lost(engine: str) -> None:
    game = Game(pysolve.load(LONELY).model, engine)
    position = standing(game, b1="White", d1="Black")
    assert str(player("minimax:depth=2")(position)) == "b1a1"
    assert str(player("minimax:depth=2,stuck=loses")(position)) == "b1c1"
    white, black = (by_own_rules(game, who, OwnRules(stuck=True)).engine for who in (1, 2))
    state = position.play("b1c1").state  # now Black can only pass
    assert white.expand(state).payoff == (1, -1)
    assert black.expand(state).payoff is None
    with pytest.raises(UnknownPlayer, match="stuck of minimax: in Conga no player has to pass"):
        match_jobs(load("conga"), "random", "minimax:stuck=loses")


@pytest.mark.parametrize("engine", ["prolog", "native"])
def test_within_a_turn_nobody_is_stuck(engine: str) -> None:
    again = "    begun := not begun\n    if not begun\n      again\nstuck pass"
    twice = LONELY.replace("state at", "state\n  begun: bool\n  at").replace("stuck pass", again)
    position = standing(Game(pysolve.load(twice).model, engine), b1="White", d1="Black").play("b1c1")
    seen = by_own_rules(position.game, 1, OwnRules(stuck=True)).engine.expand(position.state)
    assert (position.to_move, seen.payoff, len(seen)) == ("White", None, 1)


def standing(game: Game, **men: str) -> Position:
    """White is to move, and so stand the men."""
    at = {cell: men.get(cell) for cell in game.cells}
    return game.from_dict({"mover": "White", "state": {**game.start().to_dict()["state"], "at": at}})


@pytest.mark.parametrize("replies", [1, 2, 3])
def test_replies_are_those_of_a_greedy_player(replies: int) -> None:
    rng, position = random.Random(1), load("zola", size=4).start()
    while not position.is_over:
        mover, values = position.to_move, []
        for move in position.legal_moves:
            after = position.play(move)
            for _ in range(replies):
                after = after if after.is_over else after.play(player("greedy:ties=first")(after))
            won = after.outcome.winner == mover if after.outcome else None
            values.append(after.evaluate()[mover] if won is None else WIN if won else -WIN)
        chosen = player(f"greedy:replies={replies},ties=first")(position)
        assert list(position.legal_moves).index(chosen) == values.index(max(values))
        position = position.play(position.legal_moves.sample(rng))


@pytest.mark.parametrize("who", ["minimax:depth=1,onward", "minimax:depth=3,onward"])
def test_minimax_may_go_onward(who: str) -> None:
    """It leaves no position twice, though it would like to stay in its row."""
    rules = REPEATS.replace("3 by 1", "3 by 3").split("end\n")[0]
    game = pysolve.load(f"{rules}evaluate\n  low 1 : count c: cell where at(c) = me and row(c) = 1\n")
    choose, position, left = player(who), game.start(), list[State]()
    for _ in range(8):
        position = position.play(choose(position))
        left.append(position.state)
        position = position.play(position.legal_moves[0])
    assert len(set(left)) == 8
    assert player(who)(game.start()) == choose(game.start()) == choose(game.start())  # these are other games


TWICE = """
game "Two moves a turn"
players A, B
board square 3 by 3
state
  at(cell): player or none
  moved: bool
setup
  at(a1) := A
  at(c3) := B
move go(from, to: cell) as "{from}{to}"
  when
    at(from) = mover
    to in neighbours(from) or to = from
    at(to) = none or to = from
  do
    at(from) := none
    at(to) := mover
    moved := not moved
    if not moved
      again
stuck pass
evaluate
  low 1 : count c: cell where at(c) = me and row(c) = 1
"""


@pytest.mark.parametrize(("who", "different"), [("minimax:turns=1", 1), ("minimax:turns=1,onward", 6)])
def test_going_onward_looks_back_over_turns_of_several_moves(who: str, different: int) -> None:
    choose, position, left = player(who), pysolve.load(TWICE).start(), set[State]()
    for _ in range(6):
        position = position.play(choose(position))
        position = position.play(choose(position))
        left.add(position.state)
        position = position.play("c3c3").play("c3c3")
    assert len(left) == different


@pytest.mark.slow
def test_a_turn_is_looked_for_at_once_where_time_is_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its moves are those of a search that is as deep, and what it does after them is looked for anew."""
    asked, minimax = list[State](), functions.minimax

    def counted(engine: Engine, state: State, *limits: object, **more: object) -> Result:
        asked.append(state)
        return minimax(engine, state, *limits, **more)

    monkeypatch.setattr(functions, "minimax", counted)
    position = load("blockade", blockers=2, tacklers=3).start()
    choose, turn = player("minimax:turns=1,time=600"), [position.state]
    planned = minimax(position.game.engine, position.state, turns=1).line
    for numbers in planned:
        move = choose(position)
        assert move.numbers == numbers
        position = position.play(move)
    assert len(planned) == 3
    assert asked == [*turn, *turn]
    while position.state[0] == 1:
        position = position.play(position.legal_moves[0])
    choose(position)
    assert asked == [*turn, *turn, position.state, position.state]


def test_where_nobody_chooses_a_player_says_so() -> None:
    over, thrown = load("tictactoe").start(), load("pig").start().play("roll")
    for move in ("a1", "b1", "a2", "b2", "a3"):
        over = over.play(move)
    for who in ("random", "greedy", "minimax:depth=2", "minimax:search=strong,nodes=9", "mcts:playouts=9", "solver"):
        with pytest.raises(IndexError, match="the game is over, so no player chooses a move"):
            player(who)(over)
    for who in ("random", "greedy", "minimax:depth=2", "mcts:playouts=9"):
        with pytest.raises(IndexError, match="chance moves here, so no player chooses a move; play_chance draws one"):
            player(who)(thrown)
    with pytest.raises(IndexError, match="the game is over"):
        over.legal_moves.sample()


@pytest.mark.slow
def test_a_plan_is_left_where_it_would_come_back() -> None:
    """The second half of a turn that would lead where it was before is looked for again."""
    choose, position, left = player("minimax:turns=1,time=600,onward"), pysolve.load(TWICE).start(), set[State]()
    for _ in range(6):
        position = position.play(choose(position))
        position = position.play(choose(position))
        left.add(position.state)
        position = position.play("c3c3").play("c3c3")
    assert len(left) == 6


@pytest.mark.slow
def test_a_solver_wins_as_soon_as_it_can_and_loses_as_late() -> None:
    """Two of them play exactly as long as the table says."""
    game = load("hare_and_hounds")
    table = retrograde(game.engine, game.start().state)
    choose, position, left = player("solver"), game.start(), list[int]()
    while not position.is_over:
        position = position.play(choose(position))
        left.append(retrograde(game.engine, position.state).distances[0])
    assert left == list(range(table.distances[0] - 1, -1, -1))


def test_a_solver_of_a_puzzle_plays_a_solution_though_it_is_too_large_to_look_at_all_of_it() -> None:
    position, choose, moves = load("sliding_tiles", width=3, height=2).start(1), player("solver:states=300"), 0
    while not position.is_over and moves < 100:  # 360 positions can be reached
        position, moves = position.play(choose(position)), moves + 1
    assert position.outcome is not None
    assert position.outcome.winner == "Solver"


def test_a_solver_solves_once_and_follows_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[State]()

    def counted(engine: Engine, state: State, states: int) -> Table:
        asked.append(state)
        return retrograde(engine, state, states)

    monkeypatch.setattr("pysolve.search.perfect.retrograde", counted)
    start = load("hare_and_hounds").start()
    game_of(start, ("solver", "random"))
    assert asked == [start.state]


@pytest.mark.parametrize("name", ["zola", "conga", "yoxii", "blockade", "antiyomacy"])
@pytest.mark.slow
def test_levels_play(name: str) -> None:
    game = load(name)
    assert game.levels
    for level in game.levels:
        assert player(level, 1, game.levels)(game.start()) in game.start().legal_moves


def test_every_name_is_known_to_the_tests() -> None:
    assert set(PLAYERS) == {"human", *OF_SECRETS, *(text.split(":")[0] for text in QUICK)}
