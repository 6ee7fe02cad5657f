"""Doors through which a secret could be read: each tells what a player may know, or says that it does not serve."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import re
import shlex
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import pysolve
from pysolve.authoring import examples
from pysolve.cli.app import app
from pysolve.display import scene
from pysolve.display.ipython import board
from pysolve.dsl.notation import NotationError
from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.engines.protocol import UNKNOWN, DoesNotApply
from pysolve.export.description import ExportError, core
from pysolve.game import Game
from pysolve.lab.analysis import Limits, analyse
from pysolve.lab.games import Job, Rules, play_game
from pysolve.notation import known
from pysolve.notation.planes import Planes
from pysolve.notation.uci import words_of
from pysolve.players.functions import specification
from pysolve.players.outside.player import outside
from pysolve.position import Move, Position
from pysolve.protocol import engine, informed
from pysolve.protocol.engine import Talk
from pysolve.runtime import wire
from pysolve.runtime.cancellation import Abandoned, abandoned_when
from pysolve.runtime.lane import Asked
from pysolve.search.decide import decide
from pysolve.search.greedy import values
from pysolve.search.hidden.belief import Belief
from pysolve.search.hidden.ismcts import Found
from pysolve.search.information import observe
from pysolve.search.maxn import maxn
from pysolve.search.mcts import mcts
from pysolve.search.minimax import minimax
from pysolve.search.proof_number import prove
from pysolve.search.retrograde import retrograde
from pysolve.search.several import several
from pysolve.search.value_iteration import expectation
from pysolve.service import Refused, Service, advising, playing, veiled
from pysolve.service.service import QUESTIONS
from pysolve.service.tables import Truth
from pysolve.web import tables as web_tables
from pysolve.web.home import Home
from pysolve.web.opening import Opening
from tests.games import SECRETS, load

pytestmark = pytest.mark.slow

NAME = "phantom_tictactoe"
SEES_ALL = "no player sees all"

# What a door may not tell X: that the code of O is 7342.
HIDDEN = """\
game "Codes"
players X, O
state
  code(p: player): 0..9999 seen by p
  guess(p: player): 0..9999 or none
move choose(n in {1234, 7342, 9876}) as "code {n}" seen as "a code"
  when code(mover) = 0
  do code(mover) := n
move ask(n in {1234, 7342, 9876}) as "{n}"
  when code(mover) != 0
  do guess(mover) := n
define found(p: player) = guess(p) != none and guess(p) = code(next(p))
end
  mover wins when found(mover) because "the code is found"
  draw when turns >= 12
evaluate near 1 : if found(me) then 1 else 0
stuck draw
"""


def hidden() -> Position:
    """A position with a secret of O, where X is to move."""
    return pysolve.load(HIDDEN).start().play("code 1234").play("code 7342")


def test_the_searches_refuse() -> None:
    position = hidden()
    engine, state = position.game.engine, position.state
    for search in (
        lambda: minimax(engine, state, 1),
        lambda: several(engine, state, 2, 1),
        lambda: maxn(engine, state, 1),
        lambda: mcts(engine, state, 5),
        lambda: values(engine, state),
        lambda: prove(engine, state, 1, 1000),
        lambda: decide(engine, state, 1, 1000),
        lambda: retrograde(engine, state),
        lambda: expectation(engine, state),
        lambda: list(analyse([position], [position.legal_moves[0]], Limits(depth=1))),
    ):
        with pytest.raises(DoesNotApply, match=SEES_ALL):
            search()


@pytest.mark.parametrize(
    "text", ["greedy", "greedy:turn", "minimax:depth=1", "maxn:depth=1", "mcts:playouts=9", "solver"]
)
def test_a_player_looks_at_everything_only_if_it_is_told_to(text: str) -> None:
    position = hidden()
    with pytest.raises(UnknownPlayer, match="cheat=on plays it all the same"):
        specification(text).check(position.game)
    with pytest.raises(DoesNotApply, match=SEES_ALL):
        specification(text).player(1)(position)
    cheating = specification(f"{text}{',' if ':' in text else ':'}cheat=on")
    cheating.check(position.game)
    assert cheating.player(1)(position) in position.legal_moves


def test_who_cheats_finds_the_secret_and_who_does_not_can_only_guess() -> None:
    position = hidden()
    assert specification("minimax:depth=1,cheat=on").player(1)(position).text == "7342"
    guessed = {specification("random").player(seed)(position).text for seed in range(20)}
    assert guessed == {"1234", "7342", "9876"}
    open_ = load("tictactoe").start()
    assert specification("minimax:depth=1,cheat=on").player(1)(open_) == specification("minimax:depth=1").player(1)(
        open_
    )


def test_programs_that_would_be_told_all_moves_do_not_play() -> None:
    game = load(NAME)
    with pytest.raises(UnknownPlayer, match=SEES_ALL):
        outside("gtp:cat").check(game)
    with pytest.raises(UnknownPlayer, match=SEES_ALL):
        outside("gtp:cat").player()(game.start())


def telling(position: Position, player: str, moves: Sequence[str] = ()) -> str:
    return f"position known {known.written(position.game.model, player, position.known_by(player), moves)}"


def conversation(game: Game, *lines: str) -> list[str]:
    heard: list[str] = []
    Talk(game, heard.append).converse(lines)
    return heard


@pytest.mark.parametrize("name", [*sorted(SECRETS), "codes"])
def test_what_a_player_knows_is_told_and_read_back(name: str) -> None:
    game, dice = pysolve.load(HIDDEN) if name == "codes" else load(name), random.Random(1)
    position = game.start()
    for _ in range(12):
        for player in game.players:
            told = telling(position, player, [move.text for move in position.view(player).legal_moves])
            word = told.split()[2]
            assert len(told.split()) == 3
            assert known.read(game.model, word) == (player, position.known_by(player))
            assert conversation(game, told, "d") == [position.view(player).diagram()]
        if position.is_over:
            break
        position = position.play(position.random_move(dice))


def test_an_engine_is_told_what_its_player_knows_and_looks_at_nothing_else() -> None:
    game = pysolve.load(HIDDEN)
    truths = [game.start().play("code 1234").play(f"code {code}") for code in CODES]
    assert telling(truths[0], "X") == telling(truths[1], "X")
    assert telling(truths[0], "O") != telling(truths[1], "O")
    told = telling(truths[0], "X")
    heard = conversation(game, told, "query p1turn", "query result", "query gameover", "go perft 1", "go nodes 90")
    hidden_from_x = "info string this looks at all of the position, and X does not see it"
    assert heard[:3] == ["response true", hidden_from_x, hidden_from_x]
    assert heard[3].endswith("which X does not see")
    assert heard[-1] in ("bestmove 1234", "bestmove 7342", "bestmove 9876")
    assert conversation(game, told, "go nodes 90") == conversation(game, told, "go nodes 90")
    level = conversation(game, told, "setoption name Level value easy", "go")
    assert level[-1].startswith("bestmove ")


def test_an_engine_finds_the_move_that_what_it_knows_demands() -> None:
    game = load(NAME)
    position = game.start()
    for text in ("a1", "b1", "a2", "c1"):
        position = position.play(text)
    assert conversation(game, telling(position, "X"), "go nodes 3000") == ["bestmove a3"]
    assert conversation(game, telling(position, "X"), "go infinite", "stop") in (
        [[f"bestmove {move}"] for move in position.legal_moves]
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("position startpos", "an interface tells what a player knows"),
        ("position known", "is an object of JSON with player, view and noticed, and perhaps moves"),
        ("position known [1", "an object of JSON with player"),
        ('position known {"player":"Z","view":{},"noticed":[]}', "player must be X or O"),
        ('position known {"player":"X","view":{},"noticed":[1]}', "must be an object with a text"),
        ('position known {"player":"X","view":{},"noticed":1}', "must be a list"),
        ('position known {"player":"X","view":{},"noticed":[],"moves":[1]}', "must be a list of the texts of moves"),
        ('position known {"player":"X","view":{"state":{"at":{"a1":"Z"}}},"noticed":[]}', '"Z"'),
        ('position known {"player":"X","view":{"mover":"?"},"noticed":[]}', '"?"'),
    ],
)
def test_what_an_engine_cannot_read_is_told(line: str, message: str) -> None:
    first, second = conversation(load(NAME), line, "go")[0], conversation(load(NAME), line, "go")[-1]
    assert message in first
    assert second == "bestmove (none)"


def test_knowledge_that_no_game_leads_to_has_no_move() -> None:
    game = load(NAME)
    position = game.start().play("a1").play("b1")
    impossible = telling(position, "X").replace('"at":{"a1":"X"}', '"at":{"a1":"O"}')
    heard = conversation(game, impossible, "go nodes 10")
    assert heard[0] == "info string no position was found where X is to move and all that X knows is so"
    assert heard[-1] == "bestmove (none)"
    assert conversation(game, impossible.replace('"moves":[]', '"moves":["c3"]'), "go nodes 10")[-1] == "bestmove c3"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever can be stopped is stopped at once."""
    monkeypatch.setattr(engine, "abandoned_when", lambda _: abandoned_when(lambda: True))


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("name", [NAME, "chess-dark"])
def test_an_engine_that_is_stopped_says_a_move_that_it_was_told(name: str) -> None:
    position = load(name).start()
    for _ in range(2):
        position = position.play(position.legal_moves[-1])
    texts, words = [move.text for move in position.legal_moves], words_of(position.game).moves(position)
    for at in (0, -1):
        told = [texts[at], *texts]
        heard = conversation(
            position.game, telling(position, position.to_move, [*told, texts[at]]), "go infinite", "stop"
        )
        assert heard == [f"bestmove {words[1 if at == 0 else 0]}"]  # a text that is told twice may mean two moves
    heard = conversation(position.game, telling(position, position.to_move), "go infinite", "stop")
    assert heard == [f"bestmove {words[0]}"]


def test_the_first_look_of_an_engine_is_within_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now, asked = [100.0], list[float]()

    def searches(belief: Belief, knows: bytes, visits: None, nodes: None, seconds: float, seed: int) -> Found:
        asked.append(seconds)
        now[0] += seconds
        return Found((), 0, 0, 0)

    position = load(NAME).start()
    about = informed.Informed.told(position.game, telling(position, "X").split(" ", 2)[2])
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(informed, "ismcts", searches)
    assert [move.text for move in informed.choices(about, None, None, 8.0)] == [position.legal_moves[0].text]
    assert asked == [1.0, 7.0]


def test_a_belief_that_was_abandoned_goes_on_where_it_was() -> None:
    position = load(NAME).start()
    for text in ("a1", "b1", "a2", "c1"):
        position = position.play(text)
    knows, whole = position.known_by("X"), Belief(position.game.engine, 1)
    wanted, belief = whole.guesses(knows, 0), Belief(position.game.engine, 1)
    for most in range(1, 60):
        left = itertools.repeat(False, most)
        with suppress(Abandoned), abandoned_when(partial(next, left, True)):
            assert belief.guesses(knows, 0) == wanted
    assert belief.guesses(knows, 0) == wanted


LISTENER = """\
import json, sys
log = open(sys.argv[1], "a")
for line in sys.stdin:
    log.write(line)
    log.flush()
    word = line.split()[0]
    if word == "ugi":
        print("ugiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "position":
        move = json.loads(line.split(" ", 2)[2])["moves"][0]
    elif word == "go":
        print("bestmove", move.replace(" ", "_"), flush=True)
    elif word == "quit":
        break
"""


def test_a_program_hears_what_its_player_knows(tmp_path: Path) -> None:
    script = tmp_path / "listener.py"
    script.write_text(LISTENER, encoding="utf-8")
    heard = []
    for code in CODES:
        log = tmp_path / f"{code}.txt"
        who = outside(f"ugi:{shlex.quote(sys.executable)} {shlex.quote(str(script))} {shlex.quote(str(log))}")
        seats = who.player(), coded(code)
        position = pysolve.load(HIDDEN).start()
        for number in range(6):
            position = position.play(seats[number % 2](position))
        seats[0].close()
        heard.append(log.read_text(encoding="utf-8"))
    assert heard[0] == heard[1]
    assert "position known" in heard[0]
    assert "moves" in heard[0]


def test_an_export_of_one_file_refuses() -> None:
    with pytest.raises(ExportError, match="has secrets"):
        core(type("Opened", (), {"game": load(NAME)})())  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [*sorted(SECRETS), "codes"])
def test_a_batch_shows_each_player_the_view(name: str) -> None:
    np = pytest.importorskip("numpy")
    game = pysolve.load(HIDDEN) if name == "codes" else load(name)
    batch, hidden_somewhere = game.batch(8, seed=3, again=True), False
    unknown = [at for at, plane in enumerate(batch.planes.names) if plane.endswith("= ?")]
    for _ in range(20):
        pictures = batch.observe().copy()
        for state, picture in zip(batch.states, pictures, strict=True):
            view = game.engine.view(state.tobytes(), int(state[0]))
            assert np.array_equal(picture, batch.planes.observe(view, int(state[0]) - 1))
            assert picture[unknown].any() == (UNKNOWN in view)
            hidden_somewhere |= UNKNOWN in view
        batch.step(batch.random_moves())
    assert hidden_somewhere


def test_planes_of_a_view_tell_what_is_seen_and_no_more() -> None:
    pytest.importorskip("numpy")
    game = load(NAME)
    position = game.start().play("b2").play("a1")
    planes, view = Planes(game.model), game.engine.view(position.state, 1)
    shown = dict(zip(planes.names, planes.observe(view, 0).tolist(), strict=True))
    assert shown["at = you"] == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert shown["at = next"] == [[0, 0, 0]] * 3
    assert shown["at = ?"] == [[1, 1, 1], [1, 0, 1], [1, 1, 1]]
    numbers = pysolve.load(HIDDEN)
    planes, view = Planes(numbers.model), numbers.engine.view(hidden().state, 1)
    shown = dict(zip(planes.names, planes.observe(view, 0)[:, 0, 0].tolist(), strict=True))
    mine, theirs = (shown[f"code({who})"] + 256 * shown[f"code({who}) / 256"] for who in ("you", "next"))
    assert (mine, theirs, shown["code(you) = ?"], shown["code(next) = ?"]) == (1234, 0, 0, 1)


def coded(code: str) -> Callable[[Position], Move]:
    """A player of O with this code, who guesses wrongly."""
    return lambda position: position.parse(f"code {code}" if position.value("code", "O") == 0 else "9876")


def test_gymnasium_is_told_what_its_side_sees() -> None:
    gym = pytest.importorskip("pysolve.adapters.gym")
    told = []
    for code in CODES:
        environment = gym.OneSide(pysolve.load(HIDDEN), opponent=coded(code), render_mode="ansi")
        numbers = environment._seats.numbered
        moves = {numbers.text(number): number for number in range(numbers.numbers.count)}
        heard = [environment.reset(seed=1)]
        heard.append(environment.step(moves["code 1234"]))
        heard.append(environment.render())
        heard.append(environment.step(moves["code 7342"]))  # which is not legal any more
        told.append(repr(heard))
    assert told[0] == told[1]
    assert "is not legal in X" in told[0]


def test_pettingzoo_tells_each_agent_what_it_sees() -> None:
    zoo = pytest.importorskip("pysolve.adapters.pettingzoo")
    told = []
    for code in CODES:
        environment = zoo.env(pysolve.load(HIDDEN), render_mode="ansi")
        environment.reset(seed=1)
        numbers = environment.unwrapped._seats.numbered
        for text in ("code 1234", f"code {code}"):
            environment.step(next(one for one in range(numbers.numbers.count) if numbers.text(one) == text))
        told.append(repr([environment.last(), environment.observe("X"), environment.render(), environment.infos]))
        assert repr(environment.observe("O")) not in told  # who knows the code
    assert told[0] == told[1]


def test_open_spiel_is_told_what_a_player_knows() -> None:
    spiel = pytest.importorskip("pyspiel")
    from pysolve.adapters.open_spiel import register

    game = spiel.load_game(register(NAME))
    state = game.new_initial_state()
    for action in (4, 4, 0):
        state.apply_action(action)
    ours = load(NAME).start().play("b2").play("b2").play("a1")
    assert game.get_type().information == spiel.GameType.Information.IMPERFECT_INFORMATION
    for number, player in enumerate(ours.game.players):
        assert state.information_state_string(number) == ours.information(player)
        assert state.observation_string(number) == ours.view(player).diagram()
        planes = Planes(ours.game.model).scaled(ours.game.engine.view(ours.state, number + 1), number)
        assert state.observation_tensor(number) == planes.flatten().tolist()


# ---------------------------------------------------------------------------------------------- the page

CODES = ("7342", "9876")  # of O: what X may not tell apart


def opened() -> tuple[Service, str]:
    service = Service()
    return service, service.answer("check", {"text": HIDDEN, "name": "codes", "options": {}})["game"]["id"]


def at_table(code: str, seats: Mapping[str, str], viewer: str | None) -> tuple[Service, dict[str, Any]]:
    """A service with a table at which X, who is to move, does not know the code of O; and a question about it."""
    service, game = opened()
    service.tables.keep("table", Truth(game, 1, seats, ("code 1234", f"code {code}"), viewer))
    return service, {"game": game, "line": {"seed": 0, "start": "", "moves": [], "table": "table"}}


AT_TABLES: Mapping[str, dict[str, Any]] = {
    "state": {},
    "move": {"move": "1234"},
    "reply": {},
    "look": {"player": "X"},
    "analyse": {"seconds": 1, "lines": 3},
    "why": {"move": "7342"},
    "preview": {"moves": ["1234"]},
    "choose": {"player": "random", "seconds": 1, "seed": 1},
    "perft": {"depth": 1},
    "query": {"goal": "code(O, N)"},
    "record": {"players": {}},
    "example": {"move": "7342", "legal": False, "title": "x"},
}


def said(service: Service, question: str, asked: dict[str, Any]) -> str:
    """All that a page hears: parts, and the answer or the failure."""
    parts: list[object] = []
    try:
        found: object = service.answer(question, asked, parts.append)
    except Refused as refused:
        found = refused.to_dict()
    return json.dumps([parts, found])


def test_each_question_about_a_line_is_tried_at_a_table() -> None:
    assert {name for name, one in QUESTIONS.items() if "line" in one.takes and "column" not in one.takes} == {
        *AT_TABLES, "reveal"}  # fmt: skip


@pytest.mark.parametrize("question", AT_TABLES)
@pytest.mark.parametrize(("seats", "viewer"), [({"X": "", "O": "random"}, "X"), ({"X": "", "O": ""}, "X"),
                                               ({"X": "", "O": ""}, None)])  # fmt: skip
def test_whatever_is_hidden_each_answer_at_a_table_is_the_same(
    question: str, seats: dict[str, str], viewer: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = []
    for code in CODES:
        clock = itertools.count()
        monkeypatch.setattr(time, "monotonic", lambda clock=clock: next(clock) / 100)
        answers.append(said(*_asked(question, at_table(code, seats, viewer))))
    assert answers[0] == answers[1]


def _asked(question: str, table: tuple[Service, dict[str, Any]]) -> tuple[Service, str, dict[str, Any]]:
    service, asked = table
    return service, question, {**asked, **AT_TABLES[question]}


def test_the_truth_differs_and_is_told_when_somebody_reveals_it() -> None:
    lines = []
    for code in CODES:
        service, asked = at_table(code, {"X": "", "O": "random"}, "X")
        lines.append(service.answer("reveal", asked)["line"]["moves"][-1])
        with pytest.raises(Refused, match="not kept any more"):
            service.answer("state", asked)
    assert lines == [f"code {code}" for code in CODES]


def test_at_a_table_nobody_looks_at_what_another_sees() -> None:
    service, asked = at_table("7342", {"X": "", "O": "random"}, "X")
    with pytest.raises(Refused, match="O is not a person whose turn it is"):
        service.answer("look", {**asked, "player": "O"})
    with pytest.raises(Refused, match="only programs play"):
        service.answer("sit", {"game": asked["game"], "seats": {"X": "random", "O": "random"}})
    service, asked = at_table("7342", {"X": "", "O": ""}, None)
    with pytest.raises(Refused, match="nobody looks"):
        service.answer("move", {**asked, "move": "7342"})
    with pytest.raises(Refused, match="O is not a person whose turn it is"):
        service.answer("look", {**asked, "player": "O"})
    assert service.answer("look", {**asked, "player": "X"})["facts"][0] == "code: X 1234, O ?"
    after = service.answer("move", {**asked, "move": "1234"})
    assert (after["veil"]["viewer"], after["mover"], after["moves"]) == ("X", "O", [])
    covered = service.answer("state", asked)
    assert covered["veil"]["viewer"] is None
    assert not any(covered[name] for name in ("looks", "facts", "asides", "beside", "marks", "played", "moves"))


def test_a_game_at_a_table_is_played_to_its_end_and_open_then() -> None:
    service, game = opened()
    service.tables.seeds = lambda: 4
    state = service.answer("sit", {"game": game, "seats": {"O": "random"}})
    heard = []
    while state["outcome"] is None:
        heard.append(json.dumps({**state, "moves": []}))
        where = {"game": game, "line": state["line"]}
        if state["mover"] == "X":
            state = service.answer("move", {**where, "move": state["moves"][0]["text"]})
        else:
            state = service.answer("reply", where)
    code = state["line"]["moves"][1].split()[1]
    assert "veil" not in state
    assert state["line"]["seed"] == 4
    assert code != "1234"  # that of X
    assert all(f"code {code}" not in one for one in heard)
    again = service.answer("record", {"game": game, "line": state["line"], "players": {}})
    assert f"code {code}" in again["text"]


@pytest.mark.parametrize("name", sorted(SECRETS))
def test_at_a_table_of_each_game_the_person_sees_the_view(name: str) -> None:
    service = Service()
    text = service.answer("open", {"name": name})["text"]
    game = service.answer("check", {"name": name, "text": text, "options": {}})["game"]["id"]
    state = service.answer("sit", {"game": game, "seats": {one: "random" for one in load(name).players[1:]}})
    dice = random.Random(3)
    for _ in range(12):
        if state["outcome"] is not None:
            break
        truth = service.tables.of(state["line"]["table"], game)
        position = load(name).start(truth.seed)
        for move in truth.moves:
            position = position.play(move)
        me = truth.viewer
        assert me is not None
        view = position.view(me)
        assert state["facts"] == [playing.spaced(fact) for fact in scene.facts(view)]
        assert [move["text"] for move in state["moves"]] == [move.text for move in view.legal_moves]
        assert state["played"] == veiled.noticed(position, me)
        where = {"game": game, "line": state["line"]}
        if state["moves"]:
            state = service.answer("move", {**where, "move": dice.choice(state["moves"])["text"]})
        else:
            state = service.answer("reply", where)


def test_the_server_keeps_how_tables_stand_and_tells_no_page() -> None:
    """`pysolve.web.tables` between a page and processes, of which each question meets another one."""
    tables, opening = web_tables.Tables(), Opening(Path.cwd())

    async def ask(asked: Asked) -> bytes:
        home = Home(opening)
        home.answer("check", {"text": HIDDEN, "name": "codes", "options": {}}, print, bool)
        try:
            return wire.answer(home.answer(asked.question, asked.about, print, bool))
        except wire.Failed as failed:
            return wire.failure(failed.kind, failed.message)

    def answer(question: str, **about: Any) -> dict[str, Any]:
        line = asyncio.run(tables.answered(Asked(question, about), ask))
        assert web_tables.TRUTHS.encode() not in line
        told: dict[str, Any] = json.loads(line)
        return told.get("answer") or told["failure"]

    _, game = opened()
    state = answer("sit", game=game, seats={"O": "random"})
    state = answer("move", game=game, line=state["line"], move="code 1234")
    assert state["mover"] == "O"
    state = answer("reply", game=game, line=state["line"])
    assert [one["text"] for one in state["played"]] == ["code 1234", "a code"]
    line = answer("reveal", game=game, line=state["line"])["line"]
    assert re.fullmatch(r"code \d+", line["moves"][1])
    assert "not kept" in answer("state", game=game, line=state["line"])["message"]


def test_of_two_who_move_at_a_table_the_later_one_fails() -> None:
    tables = web_tables.Tables()
    truth: dict[str, Any] = {"moves": []}
    tables._keep("t", None, {"t": truth})

    async def ask(asked: Asked) -> bytes:
        tables._keep("t", truth, {"t": {"moves": ["1"]}})  # somebody else
        return wire.answer({"answer": {}, web_tables.TRUTHS: {"t": {"moves": ["2"]}}})

    line = asyncio.run(tables.answered(Asked("move", {"line": {"table": "t"}}), ask))
    assert json.loads(line)["failure"]["message"] == "somebody else has moved at this table: open the page anew"
    assert tables._kept["t"] == {"moves": ["1"]}


def test_a_process_forgets_the_tables_that_it_was_told() -> None:
    home = Home(Opening(Path.cwd()))
    game = home.answer("check", {"text": HIDDEN, "name": "codes", "options": {}}, print, bool)["game"]["id"]  # type: ignore[index]
    sat: Any = home.answer("sit", {"game": game, "seats": {}, web_tables.TRUTHS: {}}, print, bool)
    where = {"game": game, "line": sat["answer"]["line"]}
    for question, truths in (("state", {}), ("move", {web_tables.TRUTHS: sat[web_tables.TRUTHS], "move": "1234"})):
        with pytest.raises(wire.Failed):  # of the second one nobody looks
            home.answer(question, {**where, **truths}, print, bool)
        with pytest.raises(wire.Failed, match="not kept any more"):
            home.answer("reveal", where, print, bool)


ENDLESS = """\
game "Endless"
players X, O
state
  a(p: player): 0..3 seen by p
move step(n in {1, 2}) as "{n}" seen as ""
  when mover = O
  do
    a(mover) := n
    again
move over as "over"
  when mover = X
  do a(mover) := 3
end
  draw when turns >= 9
evaluate near 1 : if a(me) = 3 then 1 else 0
stuck draw
"""


def endless(seat: str = "random") -> tuple[Service, dict[str, Any], Callable[[], int]]:
    """A table where X has moved, and O moves for ever without being noticed; a question; how many moves there are."""
    service = Service()
    game = service.answer("check", {"text": ENDLESS, "name": "endless", "options": {}})["game"]["id"]
    where = {"game": game, "line": service.answer("sit", {"game": game, "seats": {"O": seat}})["line"]}
    service.answer("move", {**where, "move": "over"})
    return service, where, lambda: len(service.tables.of(where["line"]["table"], game).moves)


def test_programs_that_move_for_ever_are_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    service, where, moves = endless()
    looked: list[object] = []

    def noting(*step: Any) -> bytes:
        looked.append(step)
        return observe(*step)

    monkeypatch.setattr(veiled, "observe", noting)
    for number in (1, 2):
        looked.clear()
        assert service.answer("reply", where)["mover"] == "O"
        assert moves() == 1 + number * veiled.MOST_REPLIES
        assert len(looked) == veiled.MOST_REPLIES + moves()  # each move once, and all of them for the answer


def test_programs_that_take_too_long_are_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    service, where, moves = endless()
    monkeypatch.setattr(veiled, "MOST_THINKING", 0.0)
    service.answer("reply", where)
    assert moves() == 2
    service, where, moves = endless("ismcts:playouts=9")
    with pytest.raises(Refused, match="ismcts:playouts=9 has no move after 0 seconds"):
        service.answer("reply", where)
    assert moves() == 1


@pytest.mark.parametrize(
    ("limit", "value", "message"),
    [("MOST_MOVES", 20, "at most 20 moves"), ("LARGEST_TEXT", 20, "of 20 characters"),
     ("LONGEST_MOVE", 0, "at most 0 characters")],
)  # fmt: skip
def test_a_game_at_a_table_has_the_limits_of_a_line(
    limit: str, value: int, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, where, moves = endless()
    monkeypatch.setattr(veiled, limit, value)
    with pytest.raises(Refused, match=message) as refused:
        service.answer("reply", where)
    assert (refused.value.kind, moves()) == ("limit", 1)


def test_at_a_table_why_says_what_the_person_can_choose() -> None:
    service, asked = at_table("7342", {"X": "", "O": "random"}, "X")
    asked_of = {"7342": True, "code 1234": False, "code 7342": False, "what": False}
    for move, legal in asked_of.items():
        told = service.answer("why", {**asked, "move": move})
        assert told == {"move": move, "legal": legal, "note": veiled.UNTOLD, "kinds": []}
    with pytest.raises(Refused, match="not kept any more"):
        service.answer("why", {**asked, "line": {**asked["line"], "table": "other"}, "move": "7342"})
    assert veiled.UNTOLD[0].isupper()  # it follows "… is not legal."
    service, asked = at_table("7342", {"X": "", "O": ""}, None)
    assert not service.answer("why", {**asked, "move": "7342"})["legal"]
    text = service.answer("open", {"name": NAME})["text"]
    game = service.answer("check", {"name": NAME, "text": text, "options": {}})["game"]["id"]
    where = {"game": game, "line": service.answer("sit", {"game": game, "seats": {"O": "random"}})["line"]}
    assert service.answer("why", {**where, "cells": ["b2"]})["legal"]
    assert not service.answer("why", {**where, "cells": ["b2", "b3"]})["legal"]


def test_advice_tells_its_time_and_no_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    service, asked = at_table("7342", {"X": "", "O": "random"}, "X")
    clock = itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: next(clock) / 100)
    told: list[Any] = []
    service.answer("analyse", {**asked, "seconds": 1}, told.append)
    times = [thought["seconds"] for thought in told]
    assert times[0] > 0
    assert times == sorted(set(times))
    assert {thought["depth"] for thought in told} == {0}


def refused(question: str, asked: Mapping[str, Any], service: Service) -> str:
    with pytest.raises(Refused) as found:
        service.answer(question, asked)
    return found.value.message


def line_of(*moves: str) -> dict[str, Any]:
    return {"seed": 0, "start": "", "moves": list(moves)}


@pytest.mark.parametrize(
    ("question", "more", "message"),
    [
        ("sit", {"seats": {"X": "human"}}, "a person sits where no player is named"),
        ("move", {"line": line_of(), "move": "code 1234"}, "its line names a table"),
        ("analyse", {"line": line_of("code 1234", "code 7342", "7342")}, "nobody chooses a move here"),
    ],
)
def test_what_is_refused_in_a_game_with_secrets_is_told(question: str, more: dict[str, Any], message: str) -> None:
    service, game = opened()
    assert message in refused(question, {"game": game, **more}, service)


def test_what_is_refused_at_a_table_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    service, asked = at_table("7342", {"X": "", "O": ""}, None)
    assert refused("analyse", asked, service) == "advice is for the person who looks, and is to move"
    other = service.answer("check", {"text": ENDLESS, "name": "endless", "options": {}})["game"]["id"]
    assert "was begun with other rules" in refused("state", {**asked, "game": other}, service)
    plain = service.answer("check", {"text": service.answer("open", {"name": "zola"})["text"], "name": "zola",
                                     "options": {}})["game"]["id"]  # fmt: skip
    assert "has no secrets: its positions are named" in refused("sit", {"game": plain, "seats": {}}, service)
    with pytest.raises(Refused, match="this page shows all of a position"):
        service.shown(hidden())
    service, asked = at_table("7342", {"X": "", "O": ""}, "X")
    monkeypatch.setattr(advising, "ismcts", lambda *_, **__: Found((), 0, 0, 0))
    assert "agrees with what is known here" in refused("analyse", {**asked, "seconds": 1}, service)


def test_what_cannot_be_told_to_a_program_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    position = hidden()
    monkeypatch.setattr(known, "read", lambda *_: ("X", b""))
    with pytest.raises(NotationError, match="what players of Codes know cannot be told to another program"):
        known.written(position.game.model, "X", position.known_by("X"), [])


def test_rules_with_secrets_are_written_and_checked_on_a_page() -> None:
    service = Service()
    found = service.answer("check", {"text": HIDDEN, "name": "codes", "options": {}})
    assert not found["problems"]
    assert service.answer("sheet", {"game": found["game"]["id"]})


def test_a_notebook_shows_a_picture_and_no_board_to_play_on() -> None:
    assert board(load(NAME).start()) == {}


# -------------------------------------------------------------------------------------------- the terminal


def played(lines: str, *arguments: str, text: str = HIDDEN, folder: Path) -> str:
    """What a terminal shows of a game that is played with these lines."""
    path = folder / "codes.rules"
    path.write_text(text, encoding="utf-8")
    return CliRunner().invoke(app, ["play", str(path), *arguments], input=lines).output


COMMANDS = (
    "moves", "why 7342", "undo", "redo", "log", "board", "save game.txt", "computer minimax:cheat=on",
    "hint minimax", "solve", "flip", "rules", "7, 8",
)  # fmt: skip


@pytest.mark.slow
def test_whatever_a_program_keeps_secret_the_screen_is_the_same(tmp_path: Path) -> None:
    screens, secrets = set(), set()
    lines = "\n".join(["code 1234", *COMMANDS, "quit", ""])
    for seed in range(8):
        path = tmp_path / "game.txt"
        both = ("--second", "random", "--seed", str(seed))
        screens.add(played(lines, *both, "--save", str(path), folder=tmp_path))
        assert not path.exists()  # for a record has all moves
        whole = played("", "--first", "random", *both, "--max-moves", "2", folder=tmp_path)
        secrets |= {*re.findall(r"O code (\d+)", whole)}
    assert secrets == {"1234", "7342", "9876"}
    (screen,) = screens
    assert screen.endswith("Left, X to move.\n")
    for answer in (
        "2. O a code", "why looks at all of the position", "moves are not taken back", "written when the game is over",
        "looks at what you do not see", "no player sees all",
    ):  # fmt: skip
        assert answer in screen


def test_the_whole_is_shown_and_recorded_when_the_game_is_over(tmp_path: Path) -> None:
    path = tmp_path / "over.txt"
    shown = played("code 1234\ncode 7342\n7342\n", "--save", str(path), folder=tmp_path)
    assert "Only X looks." in shown
    assert "Only O looks." in shown
    first, second = shown.split("Only O looks.")[:2]
    assert "1234" not in second.split("Only X looks.")[0].replace("X a code", "")
    assert "7342" not in first
    assert "code 7342" in path.read_text(encoding="utf-8")
    assert "7342" in shown.rpartition("X> 7342")[2]  # the last board shows all


def test_as_says_whose_view_is_shown(tmp_path: Path) -> None:
    both = ("--first", "random", "--second", "random", "--seed", "5")
    whole, view = (played("", *both, *more, folder=tmp_path) for more in ((), ("--as", "o", "--max-moves", "2")))
    assert re.search(r"X code \d{4}", whole)
    assert "X a code" in view
    assert re.search(r"O code \d{4}", view)
    refused = played("", "--as", "X", "--first", "random", folder=tmp_path)
    assert "--as X shows O nothing" in refused
    assert 'there is no player "Z"' in played("", "--as", "Z", folder=tmp_path)


def test_an_illegal_move_tells_no_reason(tmp_path: Path) -> None:
    demands = '  when\n    code(mover) != 0\n    code(next(mover)) = n else "no"\n'
    text = HIDDEN.replace("  when code(mover) != 0\n", demands)
    shown = played("code 1234\ncode 7342\nask(1234)\nquit\n", folder=tmp_path, text=text)
    assert "ask(1234) is not legal\n" in shown
    assert "code(" not in shown.replace("code(mover)", "")


# ------------------------------------------------------------------------------------ what is tried elsewhere


@pytest.mark.slow
def test_check_finds_legal_moves_that_tell_a_secret() -> None:
    text = (Path(__file__).parent.parent / "rules" / f"{NAME}.rules").read_text(encoding="utf-8")
    leaky = re.sub(r"    not met\(mover, to\) .*", "    at(to) = none", text)
    found = examples.told_secrets(pysolve.load(leaky))
    assert {failure.example for failure in found} == {"what X may know", "what O may know"}
    for failure in found:
        legal, _, illegal = failure.found.partition("\nand is not after  ")
        move, _, before = legal.removeprefix("that ").partition(" is legal after  ")
        positions = [pysolve.load(leaky).start(), pysolve.load(leaky).start()]
        for number, history in enumerate((before, illegal)):
            for told in history.split(", "):
                positions[number] = positions[number].play(told.split()[1])
        player = failure.example.split()[1]
        assert positions[0].information(player) == positions[1].information(player)
        assert move in positions[0].legal_moves
        assert move not in positions[1].legal_moves
    assert examples.told_secrets(load(NAME)) == []
    assert examples.told_secrets(load("tictactoe")) == []


def test_check_finds_moves_that_their_player_cannot_tell_apart() -> None:
    other = 'move other(n in {1234}) as "code {n}"\n  when code(mover) = 0\n  do guess(next(mover)) := n\n'
    text = HIDDEN.replace("move ask", f"{other}move ask").replace("seen by p", "seen by nobody")
    text = text.replace("0..9999 or none", "0..9999 or none seen by nobody")
    (found, *_) = examples.told_secrets(pysolve.load(text))
    assert "reads like" in found.found


def test_check_shows_both_histories(tmp_path: Path) -> None:
    path = tmp_path / "leaky.rules"
    path.write_text(HIDDEN.replace("  when code(mover) != 0", "  when code(mover) != 0 and code(next(mover)) != n"))
    shown = CliRunner().invoke(app, ["check", str(path)])
    assert shown.exit_code == 1
    assert "the same legal moves wherever" in re.sub(r"\s+", " ", shown.output)
    told = json.loads(CliRunner().invoke(app, ["check", str(path), "--json"]).output)
    assert not told[0]["good"]


def test_games_of_the_lab_are_played_with_views_or_by_who_may_cheat() -> None:
    played = play_game(load(NAME), Job(1, ("random", "random"), (0, 1), 3, 9, Rules(opening=0)))
    assert played.record.result in ("X", "O", "draw", "1/2")
