"""The service: what a page asks about games, and what it hears."""

import io
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

import pysolve
from pysolve.display import svg
from pysolve.display.changes import last_changed
from pysolve.display.scene import COLOURS, goal_of_numbers
from pysolve.dsl import Game as Model
from pysolve.dsl import notation
from pysolve.engines import native
from pysolve.engines.build import BuildError
from pysolve.players import best_lines as best_lines_
from pysolve.players.best_lines import Limits, as_expert, best_lines, grows_trees, judged, random_games, tree_of_expert
from pysolve.players.functions import Specification, specification
from pysolve.players.policies import policy_in
from pysolve.players.session import Session
from pysolve.runtime.cancellation import Abandoned
from pysolve.runtime.paths import RULES, shipped_games
from pysolve.search.mcts import Settings
from pysolve.service import Refused, Service, explaining, lines, playing, thinking
from pysolve.service.__main__ import answer_lines
from pysolve.service.door import Maybe
from pysolve.service.make_cards import shipped_card
from pysolve.service.scale import share, shares, usual_lead
from pysolve.service.service import QUESTIONS
from pysolve.service.thumbnail import thumbnail
from tests import protocol
from tests.games import EVERY, MAIN, SECRETS, each
from tests.test_sites import SHOWN

ROOT = Path(__file__).parent.parent
START: Mapping[str, Any] = {"seed": 0, "start": "", "moves": []}


@cache
def service() -> Service:
    """A service that several tests ask."""
    return Service()


def ask(question: str, **asked: object) -> dict[str, Any]:
    """An answer; it can be written as JSON."""
    return heard(question, **asked)[0]


def heard(question: str, cancelled: Callable[[], bool] = lambda: False, **asked: object) -> tuple[Any, list[Any]]:
    """An answer and its parts; they can be written as JSON."""
    parts: list[Any] = []
    answer = service().answer(question, asked, parts.append, cancelled)
    assert json.loads(json.dumps([answer, parts])) == [answer, parts]
    types = protocol.questions()[question]
    assert list(protocol.wrong(asked, types["in"], "asked")) == []
    assert list(protocol.wrong(answer, types["out"], "answer")) == []
    for part in parts:
        assert list(protocol.wrong(part, types["part"], "part")) == []
    return answer, parts


def after(count: int) -> Callable[[], bool]:
    """Says that a question is cancelled when it has been asked so often."""
    asked = iter(range(count))
    return lambda: next(asked, None) is None


def refusal(question: str, asked: object) -> tuple[str, str]:
    """Kind and message of what is refused."""
    with pytest.raises(Refused) as refused:
        service().answer(question, asked)
    return refused.value.kind, refused.value.message


def text_of(name: str) -> str:
    """The rules of a shipped game."""
    return (RULES / f"{name}.rules").read_text(encoding="utf-8")


def check(name: str = "zola", text: str | None = None, **options: str) -> dict[str, Any]:
    """The check of a rules text."""
    return ask("check", name=name, text=text_of(name) if text is None else text, options=options)


def opened(name: str = "zola", **options: str) -> str:
    """The id of a shipped game."""
    return str(check(name, **options)["game"]["id"])


def line(*moves: str, start: str = "", seed: int = 0) -> dict[str, Any]:
    """How a position is reached."""
    return {"seed": seed, "start": start, "moves": list(moves)}


# --------------------------------------------------------------------------------------------- the contract


def test_the_types_of_the_protocol_are_read() -> None:
    """What an answer must be is told by protocol.ts; `heard` asks it about every answer of these tests."""
    line_type = protocol.declared("Line")
    assert list(protocol.wrong(line("a1"), line_type, "line")) == []
    assert list(protocol.wrong({"seed": True, "start": "", "moves": ["a", 1], "more": 2}, line_type, "line")) == [
        "line has more, which the protocol has not", "line.seed: True is no number", "line.moves[1]: 1 is no string"
    ]  # fmt: skip
    part = protocol.declared("Part")
    assert list(protocol.wrong(["g", {"x": 1}, "", [["text", {}, "a"]]], part, "part")) == []
    assert list(protocol.wrong(["g"], part, "part")) == ["part: ['g'] is too short"]
    failure = protocol.declared("Failure")
    assert list(protocol.wrong({"kind": "odd", "message": ""}, failure)) == [".kind: 'odd' fits none of the types"]


def test_every_question_is_one_of_the_protocol() -> None:
    beside = {"hello"}, {"save", "watch"}  # answered by the service itself, by whoever owns the files
    assert {*QUESTIONS} | beside[0] | beside[1] == set(protocol.questions())
    for name, question in QUESTIONS.items():
        wanted = dict(protocol.fields_of(protocol.questions()[name]["in"]))
        given = {f"{key}?" if isinstance(check, Maybe) else key for key, check in question.takes.items()}
        assert given == set(wanted), name


# ------------------------------------------------------------------------------------------------- rules


def test_a_page_begins_with_a_game() -> None:
    hello = ask("hello")
    assert hello["first"]["text"] == text_of("zola")
    assert "why" in hello["can"]


def test_the_gallery_shows_every_shipped_game() -> None:
    cards = {card["name"]: card for card in ask("games")["games"]}
    assert list(cards) == shipped_games()
    drawn = [cards[name]["picture"] != "" for name in ("zola", "nim", "pig", "goofspiel")]
    assert drawn == [True, True, False, False], "values in words are no picture"


@pytest.mark.parametrize("name", each(shipped_games(), late=()))
def test_the_cards_are_those_of_the_rules(name: str) -> None:
    card = next(card for card in ask("games")["games"] if card["name"] == name)
    assert card == shipped_card(name), "python -m pysolve.service.make_cards"


def test_rules_without_mistakes_make_a_game() -> None:
    found = check("zola", size="4")
    assert (found["problems"], found["options"]) == ([], {"size": "4"})
    game = found["game"]
    assert [player["name"] for player in game["players"]] == ["Red", "Blue"]
    assert game["players"][0]["colour"] == "#c0392b"
    assert game["options"] == [{"name": "size", "value": "4", "values": ["4", "6", "8", "10"], "about": "6 by default"}]
    assert [kind["line"] for kind in game["kinds"]] == [25, 36]
    assert game["kinds"][0]["parameters"] == [{"name": name, "type": "cell", "values": []} for name in ("from", "to")]
    assert game["values"] == ["Red", "Blue"]
    assert len(game["board"]["cells"]) == 16


def test_a_mistake_has_its_place_and_a_cure() -> None:
    text = text_of("zola").replace("at(to) = opponent", "at(to) = oponent")
    found = check("mine", text)
    assert found["game"] is None
    (problem,) = found["problems"]
    assert (problem["line"], problem["column"], problem["end_column"]) == (41, 14, 21)
    assert problem["message"] == 'there is no "oponent"'
    assert problem["hint"] == 'did you mean "opponent"?'
    assert (problem["severity"], problem["source"]) == ("error", "mine")
    assert problem["cure"]["text"] == "opponent"
    assert problem["cure"]["label"] == "oponent → opponent"
    assert problem["cure"]["span"] == {"line": 41, "column": 14, "end_line": 41, "end_column": 21}


def test_a_mistake_against_a_parent_names_the_text_that_is_open() -> None:
    found = check("mine", 'game "Mine" extends "zola"\nremove move retret\n')
    assert [problem["source"] for problem in found["problems"]] == ["mine"]
    assert found["problems"][0]["cure"]["text"] == "retreat"


def test_kinds_of_a_parent_have_no_line() -> None:
    game = check("mine", 'game "Mine" extends "zola"\noption extra = 1 in 1..3\n')["game"]
    assert [kind["line"] for kind in game["kinds"]] == [0, 0]


def test_an_expectation_above_a_play_line_is_a_warning() -> None:
    text = text_of("zola") + 'example "late"\n  moves 36\n  play a1xb1\n'
    (warning,) = check("mine", text)["problems"]
    assert (warning["severity"], warning["line"], warning["column"]) == ("warning", text.count("\n") - 1, 3)
    assert "moves are played first" in warning["message"]


def test_options_that_do_not_fit_are_left_out() -> None:
    found = check("zola", size="5")
    assert (found["problems"], found["options"]) == ([], {"size": "6"})
    found = ask("check", name="zola", text=text_of("zola"), options={"gone": "1", "size": "8"})
    assert found["options"] == {"size": "8"}


def test_rules_extend_files_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "base.rules").write_text(text_of("zola").replace('"Zola"', '"Base"'), encoding="utf-8")
    text = 'game "Mine" extends "base"\nremove define distance\n'
    found = Service(tmp_path).answer("check", {"name": "below/mine.rules", "text": text, "options": {}})
    assert {problem["source"] for problem in found["problems"]} == {"base.rules"}
    found = Service(tmp_path).answer(
        "check", {"name": "mine.rules", "text": 'game "M" extends "base"\n', "options": {}}
    )
    assert (found["problems"], found["game"]["title"]) == ([], "M")


def test_a_parent_that_changes_makes_another_game(tmp_path: Path) -> None:
    one, asked = Service(tmp_path), {"name": "m.rules", "text": 'game "M" extends "base"\n', "options": {}}
    (tmp_path / "base.rules").write_text(text_of("zola"), encoding="utf-8")
    before = one.answer("check", asked)["game"]
    (tmp_path / "base.rules").write_text(text_of("conga"), encoding="utf-8")
    after = one.answer("check", asked)["game"]
    assert before["id"] != after["id"]
    assert len(after["board"]["cells"]) == 16


def test_names_of_rules_are_understood() -> None:
    text = (ROOT / "rules" / "zola.rules").read_text(encoding="utf-8")
    found = ask("understand", name="zola", text=text)
    assert found["problems"] == []
    names = {one["name"]: one for one in found["names"]}
    assert names["distance"]["type"] == "0..162"
    assert names["at"]["head"] == "at(cell): player or none"
    assert found["types"]["player"] == ["Red", "Blue"]
    source, line, column, number, declares = found["mentions"][0]
    assert (source, declares) == ("zola", 1)
    assert text.split("\n")[line - 1][column - 1 :].startswith(found["names"][number]["name"])


def test_names_of_rules_with_mistakes_are_understood() -> None:
    found = ask(
        "understand", name="mine", text='game "A"\nplayers White, Black\nboard square 3 by 3\nstate at(cel): bool\n'
    )
    assert 'there is no type "cel"' in [one["message"] for one in found["problems"]]
    assert [one["name"] for one in found["names"] if one["kind"] == "value"] == ["White", "Black"]
    assert ask("understand", name="mine", text="(" * 5_000)["names"] == []


def kinds_of(text: str, name: str, read: bool) -> list[tuple[str, str]]:
    """The words of a text and their kinds, as a page colours them."""
    found = ask("view", name=name, text=text, read=read)
    return [
        (line[numbers[at] : numbers[at + 1]], found["kinds"][numbers[at + 2]])
        for line, numbers in zip(text.split("\n"), found["colours"], strict=True)
        for at in range(0, len(numbers), 3)
    ]


def test_names_have_the_colour_of_what_they_mean_once_somebody_has_read_them() -> None:
    text = text_of("zola")
    assert ("distance", "name") in kinds_of(text, "coloured", read=False)
    found = kinds_of(text, "coloured", read=True)
    assert {("distance", "declared"), ("distance", "definition"), ("to", "variable"), ("Red", "value")} <= set(found)
    later = kinds_of(text + "define near = distance(b2)\n", "coloured", read=False)
    assert later == [*found, *[("define", "heading"), ("near", "declared"), ("=", "operator")],
                     ("distance", "definition"), ("b2", "name")]  # fmt: skip
    assert kinds_of("(" * 5_000, "coloured", read=True) == []


def test_a_text_has_sections_and_blocks() -> None:
    text = 'game "Mine" extends "zola"\n\nreplace define distance(c: cell) =\n  1\nstate\n  at(cell): bool\n  n: 0..3\n'
    text += "players Red, Blue # two\nstuck draw\n"
    found = ask("view", name="mine", text=text, read=False)
    assert [(one["line"], one["section"], one["name"]) for one in found["sections"]] == [
        (1, "game", "Mine"), (3, "replace define", "distance"), (5, "state", "at, n"),
        (8, "players", "Red, Blue"), (9, "stuck", "draw"),
    ]  # fmt: skip
    assert found["folds"] == [[3, 4], [5, 7]]


def at(name: str, text: str) -> dict[str, Any]:
    """The place of | in a text."""
    before, after = text.split("|")
    lines = before.split("\n")
    return {"name": name, "text": before + after, "line": len(lines), "column": len(lines[-1]) + 1}


def test_what_fits_a_place_is_offered() -> None:
    text = text_of("zola")
    found = ask("complete", **at("offering", text + "define far(a, b: cell) = distance(|"))
    best = [one["label"] for one in found["offers"] if one["rank"] == 0]
    assert (best, found["column"]) == (["a", "b"], 35)
    (distance,) = [one for one in found["offers"] if one["label"] == "distance"]
    assert distance["code"].startswith("define distance(c: cell)")
    (column,) = [one for one in found["offers"] if one["label"] == "column"]
    assert (column["detail"], column["text"][:11]) == ("column(cell)", "`column(c)`")


def test_moves_are_offered_in_examples() -> None:
    text = text_of("zola") + 'example "new"\n  size 4\n  play a1xb1, |'
    assert ask("complete", **at("moving", text))["offers"] == []  # nobody has checked it
    check("moving", text_of("zola"))
    found = ask("complete", **at("moving", text))
    assert found["column"] == 15
    table = pysolve.load("zola", size=4).start().play("a1xb1")
    assert [one["label"] for one in found["offers"]] == [str(move) for move in table.legal_moves]


def test_a_word_is_explained() -> None:
    text = text_of("zola")
    one = ask("explain", **at("zola", text.replace("distance(to) >", "dist|ance(to) >")))["meaning"]
    assert (one["line"], one["column"], one["end_column"]) == (31, 5, 13)
    assert one["lines"] == ["definition: 0..162, line 22"]
    (line,) = ask("explain", **at("zola", text.replace("neighbours(from)", "neigh|bours(from)", 1)))["meaning"]["lines"]
    assert line == "`neighbours(c)`: the cells one step away"
    assert ask("explain", **at("zola", text.replace("# Squared", "# Squ|ared")))["meaning"] is None
    assert ask("explain", name="zola", text="", line=9, column=9)["meaning"] is None


def test_a_name_gets_another_one_where_that_makes_no_mistake() -> None:
    place = at("mine", text_of("zola").replace("distance(to) >", "dist|ance(to) >"))
    places = ask("rename", **place, new="far")["places"]
    lines = place["text"].split("\n")
    assert {lines[line - 1][column - 1 : column - 1 + length] for line, column, length in places} == {"distance"}
    assert len(places) == place["text"].count("distance(")
    for new, message in (("size", 'with "size": '), ("when", "a word of the language"), ("a b", "is not a name")):
        with pytest.raises(Refused, match=re.escape(message)):
            ask("rename", **place, new=new)


def test_rules_are_formatted() -> None:
    found = ask("format", text='game "A"\nplayers  White,Black\nboard square 3 by 3\n')
    assert found == {"text": 'game "A"\n\nplayers White, Black\n\nboard square 3 by 3\n', "problems": []}
    found = ask("format", text="game\n")
    assert (found["text"], [problem["line"] for problem in found["problems"]]) == (None, [1])


# --------------------------------------------------------------------------------------------- positions


@pytest.mark.parametrize("name", each(one for one in shipped_games() if one not in SECRETS))
def test_a_game_begins_as_in_python(name: str) -> None:
    start = pysolve.load(name).start()
    state = ask("state", game=opened(name), line=START)
    rolls = state.get("chance", {"rolls": []})["rolls"]
    assert [(roll["text"], roll["share"]) for roll in rolls] == [
        (move.text, float(share)) for move, share in start.chance_moves
    ]
    assert [move["text"] for move in state["moves"]] == [move.text for move in start.legal_moves]
    assert (state["mover"], state["outcome"], state["lost"]) == (start.to_move, None, None)
    assert state["position"] == start.line()


def test_what_is_left_to_chance_is_told_and_drawn_by_the_seed() -> None:
    game = opened("pig")
    drawn = {seed: ask("state", game=game, line=line("roll", seed=seed))["chance"]["drawn"] for seed in range(40)}
    assert set(drawn.values()) == {"1", "2", "3", "4", "5", "6"}
    state = ask("state", game=game, line=line("roll", seed=1))
    assert (state["moves"], state["rest"], state["mover"]) == ([], [], "White")
    assert [(roll["dice"], roll["kind"]) for roll in state["chance"]["rolls"]] == [([n], "die") for n in range(1, 7)]
    session = Session(pysolve.load("pig").start(), {"White": None, "Black": None}, lots=1)
    session.play(session.position.parse("roll"))
    assert session.rolled().text == drawn[1]  # as at the command line
    state = ask("state", game=game, line=line("roll", "5", seed=1))
    assert [move.get("roll") for move in state["played"]] == [None, [5]]
    assert "chance" not in state
    with pytest.raises(Refused, match="chance moves here, and no player"):
        ask("choose", game=game, line=line("roll"), player="random")
    assert ask("analyse", game=game, line=line("roll"), seconds=0.1, lines=3)["move"] == ""


def test_a_game_without_a_board_has_a_picture_of_its_state() -> None:
    start = pysolve.load("nim").start()
    for picture, told in ((svg.draw(start), ["matches left: 16"]), (thumbnail(start), [])):
        tree = list(ElementTree.fromstring(picture).iter())
        words = [element.text for element in tree if element.tag.endswith("text")]
        assert words == [*told, "A", "B", "C", "D"]
        assert sum(element.get("transform", "").endswith("scale(0.5)") for element in tree) == 16
    assert check("nim")["game"]["board"]["cells"] == []
    state = ask("state", game=opened("nim"), line=START)
    assert [*state["facts"], *state["beside"]] == ["matches left: 16"]
    assert [aside["text"] for aside in state["asides"]] == ["matches: A 1, B 3, C 5, D 7"]


WITHOUT_BOARD = ("nim", "pig")


@pytest.mark.parametrize("name", each(one for one in shipped_games() if one not in SECRETS | {*WITHOUT_BOARD}))
def test_the_parts_are_those_of_the_picture(name: str) -> None:
    """What `pysolve svg` draws on a cell is what the page gets, but for the place."""
    start, board = pysolve.load(name).start(), check(name)["game"]["board"]
    looks = ask("state", game=opened(name), line=START)["looks"]
    drawn = svg.draw(start)
    picture = drawn.split("coordinates")[0]
    parts = [cell["parts"] for cell in board["cells"]] + [board[name] for name in ("below", "under", "between")]
    parts += [site["parts"] for site in board["sites"]] + [look["parts"] for look in looks.values()]
    for one, other in (("<circle", '"circle"'), ("<path", '"path"'), ("fill-white", "fill-white")):
        assert picture.count(one) == json.dumps(parts).count(other)
    assert [cell["name"] for cell in board["cells"]] == re.findall(r'data-cell="([^"]*)"', drawn)


def test_a_look_is_drawn_around_the_middle_and_said_in_words() -> None:
    looks = ask("state", game=opened("conga"), line=START)["looks"]
    assert looks["a4"]["label"] == "black disc, 10"
    group, attributes, _, parts = looks["a4"]["parts"][0]
    assert (group, attributes["class"]) == ("g", "pieces stroke-edge")
    assert parts[0][:2] == ["circle", {"cx": "0", "cy": "0", "r": "22.2", "fill": "#2a2a2a", "class": "fill-black"}]
    assert parts[-1][2] == "10"


def test_moves_are_played_and_listed() -> None:
    state = ask("state", game=opened(), line=line("a1xb1", "c2xc3"))
    assert [(one["player"], one["text"], one["turn"]) for one in state["played"]] == [
        ("Red", "a1xb1", 1), ("Blue", "c2xc3", 2)
    ]  # fmt: skip
    assert (state["played"][0]["cells"], state["played"][0]["goal"]) == (["a1", "b1"], "b1")
    assert (state["mover"], state["turn_began"], state["rest"]) == ("Red", 2, [])


def test_a_line_is_cut_before_the_first_move_that_is_not_legal() -> None:
    state = ask("state", game=opened(), line=line("a1xb1", "a1xb1", "c2xc3"))
    assert state["line"] == line("a1xb1")
    assert state["lost"]["move"] == "a1xb1"
    assert state["lost"]["message"].startswith("a1xb1 is not legal: ")
    state = ask("state", game=opened(), line=line("nonsense"))
    assert state["lost"]["message"].startswith('"nonsense" is not a move')


def test_a_first_position_that_does_not_fit_is_lost() -> None:
    state = ask("state", game=opened(), line=line("a1xb1", start="R. Red"))
    assert state["line"] == START
    assert state["lost"]["move"] == ""
    assert len(state["moves"]) == 36


def test_a_line_may_begin_with_a_position() -> None:
    begun = line(start="..../.RB./..../.... Red")
    state = ask("state", game=opened(size="4"), line={**begun, "moves": ["b3xc3"]})
    assert state["outcome"] == {
        "winner": "Red", "text": "The winner: Red (all enemy checkers are captured)",
        "reason": "all enemy checkers are captured", "line": 53,
    }  # fmt: skip
    assert state["moves"] == []


def test_a_seed_makes_another_beginning() -> None:
    game = opened("antiyomacy")
    assert check("antiyomacy")["game"]["draws_lots"]
    one, other = (ask("state", game=game, line=line(seed=seed))["position"] for seed in (1, 2))
    assert one != other


def test_moves_that_end_a_turn_without_doing_more() -> None:
    game = opened("blockade")
    state = ask("state", game=game, line=line("d5-d4"))
    mover = state["mover"]
    assert state["rest"] == ["e5 stays", "f5 stays", "g5 stays"]
    state = ask("state", game=game, line=line("d5-d4", *state["rest"]))
    assert (state["mover"], state["turn_began"]) != (mover, 0)
    assert state["turn_began"] == 4
    assert ask("state", game=opened("antiyomacy"), line=START)["rest"] == ["rest"]
    assert ask("state", game=opened("kalah"), line=START)["rest"] == []


def test_marks_and_what_the_board_does_not_show() -> None:
    state = ask("state", game=opened("hex", size="3"), line=START)
    assert [mark["colour"] for mark in state["marks"]] == ["#c0392b", "#2b62ad"]
    assert state["marks"][0]["lasting"]
    assert state["marks"][0]["parts"][0][1]["class"] == "mark stroke-red"
    state = ask("state", game=opened("yoxii"), line=START)
    assert state["beside"] == ["the token is to be moved"]  # the author's words
    assert state["facts"] == []
    assert [aside["text"] for aside in state["asides"]] == ["stock: White 1 5, 2 5, 3 5, 4 3; Red 1 5, 2 5, 3 5, 4 3"]


def test_one_more_move_costs_one_move(monkeypatch: pytest.MonkeyPatch) -> None:
    played = []
    play = pysolve.Position.play
    monkeypatch.setattr(pysolve.Position, "play", lambda self, move: (played.append(move), play(self, move))[1])
    game = opened("tictactoe")
    ask("state", game=game, line=line("a1", "b1", "c1"))
    played.clear()
    ask("state", game=game, line=line("a1", "b1", "c1", "a2"))
    assert [str(move) for move in played] == ["a2"]
    ask("state", game=game, line=line("a1", "b1"))
    assert len(played) == 1


# --------------------------------------------------------------------------------------------------- why


def why(name: str, *moves: str, **asked: object) -> dict[str, Any]:
    """An explanation."""
    return ask("why", game=opened(name), line=line(*moves), **asked)


def test_why_a_move_is_not_legal() -> None:
    found = why("zola", move="a1-b1")
    assert (found["legal"], found["kinds"][0]["kind"]) == (False, "retreat a1-b1")
    failing = [demand["reason"] for demand in found["kinds"][0]["demands"] if not demand["holds"]]
    assert failing == ["a retreat ends on an empty square", "a retreat must lead away from the centre"]


def test_why_two_cells_make_no_move() -> None:
    found = why("zola", cells=["a1", "b1"])
    assert found["legal"]
    assert [kind["kind"] for kind in found["kinds"]] == ["capture a1xb1", "retreat a1-b1"]
    found = why("zola", cells=["a1", "b1"], kind="retreat")
    assert (found["legal"], [kind["kind"] for kind in found["kinds"]]) == (False, ["retreat a1-b1"])


def test_why_a_piece_cannot_move() -> None:
    found = why("zola", "a1xb1", cells=["a2"])
    assert (found["legal"], found["note"]) == (True, "legal are a2-a1, a2xb1, a2xb2 or a2xa3")
    found = why("zola", cells=["b2"], kind="retreat")
    assert not found["legal"]
    assert found["kinds"][0]["kind"].startswith("retreat b2-")


def test_why_a_direction_leads_nowhere() -> None:
    found = why("conga", cells=["a4", "b4"])
    assert (found["legal"], found["move"]) == (True, "a4 east")
    assert why("conga", cells=["a4", "d1"])["note"] == "no move leads from a4 to d1"


WIDE = """game "Wide"
players A, B
board square 3 by 3
state
  at(cell): player or none
move put(c: cell, d: direction, x: 0..30000, y: 0..30000) as "{c} {d} {x} {y}"
  when x = 0 and y = 0 else "a number is too large"
  do at(c) := mover
stuck draw
end mover wins when no c: cell has at(c) = none
"""


def test_why_reads_no_more_numbers_than_needed_to_see_where_a_direction_leads(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[object]()

    def goal(model: Any, numbers: Any) -> str | None:
        asked.append(numbers)
        assert len(asked) < 100_000
        return goal_of_numbers(model, numbers)

    monkeypatch.setattr(explaining, "goal_of_numbers", goal)
    game = check("wide", WIDE)["game"]["id"]
    nowhere = ask("why", game=game, line=START, cells=["a1", "c3"])
    assert (nowhere["legal"], nowhere["note"]) == (False, "no move leads from a1 to c3")
    east = ask("why", game=game, line=START, cells=["a1", "b1"])
    assert (east["legal"], east["move"]) == (True, "a1 east 0 0")


def test_why_nothing_is_legal_when_the_game_is_over() -> None:
    begun = line("b3xc3", start="..../.RB./..../.... Red")
    found = ask("why", game=opened(size="4"), line=begun, cells=["c3"])
    assert (
        found["note"] == "the game is over; the winner: Red (all enemy checkers are captured)"
        or "game is over" in found["note"]
    )


@pytest.mark.parametrize(
    ("asked", "kind", "message"),
    [
        ({}, "asked", "why needs a move or cells"),
        ({"cells": []}, "asked", "why needs a move or cells"),
        ({"cells": ["z9"]}, "asked", 'the board has no cell "z9"'),
        ({"move": "a1", "kind": "fly"}, "asked", 'there is no kind of move "fly": there are retreat, capture or pass'),
    ],
)
def test_why_is_refused(asked: Mapping[str, Any], kind: str, message: str) -> None:
    assert refusal("why", {"game": opened(), "line": START, **asked}) == (kind, message)


def test_a_line_that_cannot_be_played_has_no_explanation() -> None:
    kind, message = refusal("why", {"game": opened(), "line": line("a1-a1"), "move": "a1-b1"})
    assert (kind, message.split(":")[0]) == ("illegal", "a1-a1 is not legal")


# ---------------------------------------------------------------------------------------------- thinking


def test_a_player_chooses_and_says_what_it_thinks() -> None:
    game = opened("zola", size="4")
    move, thoughts = heard("choose", game=game, line=START, player="minimax:depth=3", seed=1)
    assert [thought["depth"] for thought in thoughts] == [1, 2, 3, 3]
    assert {key: move[key] for key in ("move", "value", "share")} == {
        key: thoughts[-1][key] for key in ("move", "value", "share")
    }
    assert move["line"][0] == move["move"]
    easy = ask("choose", game=game, line=START, player="easy")
    assert easy["move"] in {one["text"] for one in ask("state", game=game, line=START)["moves"]}


def test_a_player_who_says_nothing_is_given_the_value_of_the_position() -> None:
    game = opened("zola", size="4")
    move, thoughts = heard("choose", game=game, line=START, player="random", seed=5)
    assert thoughts == []
    assert (move["depth"], move["value"], move["share"], move["sure"]) == (0, 0, 0.5, False)
    assert ask("choose", game=game, line=START, player="random", seed=5) == move
    move = ask("choose", game=opened("blockade-8x8"), line=START, player="random", seed=5)
    assert 0 < move["share"] < 1


def test_seconds_are_for_players_without_another_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    monkeypatch.setattr(Specification, "player", lambda self, *_: (told.append(str(dict(self.settings))), first)[1])
    game = opened("zola", size="4")
    for player in ("minimax", "maxn", "minimax:time=9", "minimax:depth=2", "mcts:playouts=3", "greedy", "hard"):
        ask("choose", game=game, line=START, player=player, seconds=0.5)
    assert told == [
        "{'time': 0.5}", "{'time': 0.5}", "{'time': 0.5}", "{'depth': 2}", "{'playouts': 3}", "{}",
        "{'depth': 2, 'stuck': 'loses', 'ties': 'last'}",
    ]  # fmt: skip


def first(position: pysolve.Position) -> pysolve.Move:
    """A player who plays the first legal move."""
    move: pysolve.Move = position.legal_moves[0]
    return move


def test_a_proven_result_is_sure() -> None:
    move = ask("choose", game=opened("tictactoe"), line=line("a1", "a2", "b1", "b2"), player="minimax:depth=2")
    assert (move["move"], move["share"], move["sure"]) == ("c1", 1.0, True)
    lost = ask("analyse", game=opened("tictactoe"), line=line("a1", "a2", "b2", "b1"))
    assert (lost["share"], lost["sure"]) == (1.0, True)
    sampled = ask("choose", game=opened("tictactoe"), line=line("a1", "a2", "b1", "b2"), player="mcts:playouts=200")
    assert (sampled["move"], sampled["value"], sampled["share"], sampled["sure"]) == ("c1", None, 1.0, True)


def test_an_analysis_goes_deeper_until_it_is_cancelled() -> None:
    thought, thoughts = heard("analyse", after(10), game=opened("zola"), line=START, seconds=60)
    assert thought == thoughts[-1]
    assert thought["depth"] > 1
    assert [one["depth"] for one in thoughts] == list(range(1, thought["depth"] + 1))


def test_an_analysis_tells_several_lines_the_best_first() -> None:
    asked = {"game": opened("zola"), "line": START, "seconds": 60, "lines": 3}
    thoughts: list[Any] = []
    thought = service().answer("analyse", asked, thoughts.append, cancelled=lambda: len(thoughts) > 2)
    assert [one["depth"] for one in thoughts] == list(range(1, thought["depth"] + 1))
    expected = [one["share"] for one in thought["lines"]]
    assert expected == sorted(expected, reverse=True)
    assert len({one["move"] for one in thought["lines"]}) == 3
    assert (thought["move"], thought["moves"]) == (thought["lines"][0]["move"], thought["lines"][0]["moves"])
    assert thought["moves"][0] == thought["move"]


@pytest.mark.slow
def test_an_analysis_goes_by_what_expert_goes_by() -> None:
    """Learned values in the place of `evaluate`, in Zola by the strong search; in chess its techniques."""
    for name, game in ((name, pysolve.load(name)) for name in ("zola", "chess")):
        found: list[Any] = []
        asked = {"game": opened(name), "line": START, "seconds": 60, "lines": 2}
        service().answer("analyse", asked, found.append, cancelled=lambda found=found: len(found) > 3)
        limits = as_expert(game, Limits(4))
        position, entries = judged(game.start(), limits), 1 << 20
        lines = best_lines(position, 2, limits, entries=entries)
        assert limits.search == "strong"
        assert [one["moves"] for one in found[3]["lines"]] == [
            [position._move(numbers).text for numbers in one.line] for one in lines
        ]
        told = [(one["value"], one["share"]) for one in found[3]["lines"]]
        if name == "zola":
            assert told == [(None, (1 + math.tanh(one.value / 1024)) / 2) for one in lines]
        else:
            assert [value for value, _ in told] == [one.value for one in lines]
    thoughts: list[Any] = []
    asked = {"game": opened("zola"), "line": START, "player": "minimax:depth=1,values=zola.values"}
    service().answer("choose", asked, thoughts.append)
    value = best_lines(judged(pysolve.load("zola").start(), Limits(values="zola.values")), 1, Limits(1))[0].value
    assert [(one["value"], one["share"]) for one in thoughts] == [(None, (1 + math.tanh(value / 1024)) / 2)] * 2


def test_several_lines_of_three_players_have_the_share_of_each() -> None:
    asked = {"game": opened("connect_four-three"), "line": START, "seconds": 60, "lines": 2}
    thoughts: list[Any] = []
    thought = service().answer("analyse", asked, thoughts.append, cancelled=lambda: bool(thoughts))
    assert [sum(one["shares"].values()) for one in thought["lines"]] == pytest.approx([1, 1])


@pytest.mark.slow
def test_several_lines_of_random_games_are_those_of_the_most_visited_moves() -> None:
    game = check("mine", re.sub(r"(?s)\nevaluate.*?\n\n", "\n\n", text_of("hex")), size="4")["game"]["id"]
    found: list[int] = []  # how many lines there were, each time
    asked = {"game": game, "line": START, "seconds": 60, "lines": 2}
    seconds: list[float] = []

    def heard(one: dict[str, Any]) -> None:
        found.append(len(one["lines"]))
        seconds.append(one["seconds"])

    thought = service().answer("analyse", asked, heard, lambda: 2 in found and len(found) > 2)
    assert sorted(set(seconds[:3])) == seconds[:3]  # since the beginning, as positions are
    first, second = thought["lines"]
    assert first["move"] == thought["move"] != second["move"]
    assert first["positions"] >= second["positions"]


def test_the_analysis_of_a_puzzle_is_a_solution() -> None:
    game = opened("sliding_tiles", width="3", height="2")
    found = ask("analyse", game=game, line=START, seconds=5)
    assert (found["depth"], found["share"], found["sure"]) == (len(found["line"]), 1.0, True)
    later = ask("analyse", game=game, line=line(found["move"]), seconds=5)
    assert found["line"][1:] == later["line"]
    odd = {"game": game, "line": line(start="45./213 Solver"), "seconds": 5}
    assert refusal("analyse", odd) == ("asked", "There is no solution from this position.")
    assert ask("choose", game=game, line=START, player="solve")["move"] == found["move"]


@pytest.mark.slow
def test_an_analysis_by_random_games_grows_the_trees_of_expert(monkeypatch: pytest.MonkeyPatch) -> None:
    hex_, told = pysolve.load("hex"), list[tuple[Any, ...]]()
    rules, settings, values = tree_of_expert(hex_)
    assert (rules, settings._replace(policy=None), values) == (hex_, Settings(leaf="playout"), "hex.values")
    assert settings.policy is not None
    for other in (pysolve.load("hex", size=7), pysolve.load("zola")):
        assert tree_of_expert(other) == (other, Settings(), None)
    mcts = best_lines_.mcts
    monkeypatch.setattr(best_lines_, "mcts", lambda *asked: told.append(asked) or mcts(*asked))
    ask("analyse", game=opened("hex"), line=START, seconds=0.1)
    assert told[0][5]._replace(policy=None) == Settings(leaf="playout")
    assert told[0][5].policy is not None
    assert told[0][0].game.digest == judged(hex_.start(), Limits(values=values)).game.model.digest


@pytest.mark.slow
def test_an_analysis_thinks_by_the_rules_by_which_expert_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the game goes on by them; a line is one of the game itself."""
    told, mcts = list[tuple[Any, ...]](), best_lines_.mcts
    monkeypatch.setattr(best_lines_, "mcts", lambda *asked: told.append(asked) or mcts(*asked))
    found = ask("analyse", game=opened("go"), line=START, seconds=0.1, lines=2)
    rules = pysolve.load("go-sensible")
    policy = policy_in("go-sensible.policy", rules)
    assert (told[0][0].game.digest, told[0][5].policy.digest) == (rules.model.digest, policy.digest)
    assert found["lines"][0]["moves"][0] in {move.text for move in pysolve.load("go").start().legal_moves}
    assert not grows_trees(pysolve.load("go", engine="prolog"))  # where they would grow slowly
    short = pysolve.load('game "Short" extends "go"\nend\n  draw when passes = 1 because "one has passed"\n', size=3)
    game = pysolve.load("go", size=3)
    monkeypatch.setattr(best_lines_, "tree_of_expert", lambda _: (short, Settings(explore=0.7), None))
    for position, explore in ((game.start(), 0.7), (game.start().play("pass"), None)):
        next(random_games(position, 0.05))
        assert told[-1][5].explore == explore


@pytest.mark.slow
def test_other_rules_prove_nothing() -> None:
    """What wins where moves are left out may lose: in neither an analysis nor what a player says is it sure."""
    game = pysolve.load("go", size=3, komi=3)
    position = game.position("position Black\n  . O .\n  X . O\n  O . .\n")
    (found, lines), *more = random_games(position, 60, 3)
    assert (found.value, found.proven, more) == (1, None, [])
    assert {line.proven for line in lines} == {None}
    told: list[Any] = []
    for who, proven in (("mcts:by=go-sensible,playouts=1000", None), ("mcts:playouts=1000", 1)):
        there = pysolve.load("go-sensible", size=3, komi=3).position(position.line())
        move = specification(who).player(1, told.append)(there)
        assert (told[-1].proven, move.numbers) == (proven, told[-1].best)


@pytest.mark.slow
def test_other_rules_that_allow_more_are_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told, mcts = list[tuple[Any, ...]](), best_lines_.mcts
    monkeypatch.setattr(best_lines_, "mcts", lambda *asked: told.append(asked) or mcts(*asked))
    rules = tmp_path / "edge.rules"
    rules.write_text('game "Edge" extends "go"\nreplace define lives(to: cell) = column(to) = 1\n'
                     'replace level hard "mcts:by=go-sensible,nodes=100"\n')  # fmt: skip
    game = pysolve.load(str(rules), size=3)
    assert game.levels["expert"] == "mcts:by=go-sensible,nodes=400"
    ((found, _),) = random_games(game.start(), 0.1)
    assert (told[0][0].game.digest, found.best in game.start().node.moves) == (game.model.digest, True)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hex", "zola"])
def test_an_analysis_plays_random_games_where_they_say_more_than_evaluate(name: str) -> None:
    """In Hex always, else if there is none."""
    text = text_of(name)
    if name != "hex":
        text = re.sub(r"(?s)\nevaluate.*?\n\n", "\n\n", text)
    game = check("mine", text, size="4")["game"]["id"]
    thoughts: list[Any] = []
    asked = {"game": game, "line": START, "seconds": 60}
    thought = service().answer("analyse", asked, thoughts.append, cancelled=lambda: bool(thoughts))
    assert (thought["value"], thoughts[-1]) == (None, thought)
    assert 0 <= thought["share"] <= 1


def test_a_player_of_a_stranger_has_no_more_threads_than_there_are_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "_processors", lambda: 3)
    text = text_of("zola") + '\nlevel endless "minimax:time=100000,threads=256"\n'
    game = service()._games.checked("mine", text, {}).game
    for who, threads in (("minimax:time=1,threads=256", 3), ("endless", 3), ("minimax:time=1,threads=2", 2)):
        assert thinking.admitted(game, who).settings["threads"] == threads
    said = refusal("balance", {"game": opened(), "games": 2, "player": "minimax:time=1,threads=2"})
    assert said == ("asked", "threads of a player are for one position: a balance is played without them")


def test_a_player_of_a_stranger_thinks_for_some_minutes_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    now, stops = [0.0], []

    @contextmanager
    def captured(stopped: Callable[[], bool]) -> Iterator[None]:
        stops.append(stopped)
        if now[0]:
            raise Abandoned
        yield

    monkeypatch.setattr(thinking, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(thinking, "abandoned_when", captured)
    asked = {"game": opened(), "line": line(), "player": "random"}
    ask("choose", **asked)
    assert not stops[0]()
    now[0] = thinking.MOST_THINKING
    assert stops[0]()
    assert refusal("choose", asked) == ("limit", "random has no move after 600 seconds")


@pytest.mark.parametrize("player", ["maxn:depth=2", "minimax:depth=2", "mcts:playouts=40", "random"])
def test_of_three_players_each_has_a_share(player: str) -> None:
    played = line("e1", "a1", "d1", "e2", "a2")
    move = ask("choose", game=opened("connect_four-three"), line=played, player=player, seed=1)
    assert list(move["shares"]) == ["Yellow", "Red", "Blue"]
    assert sum(move["shares"].values()) == pytest.approx(1)
    assert move["share"] == move["shares"]["Blue"]
    assert not move["sure"]


@pytest.mark.slow
def test_an_analysis_of_three_players_is_max_n() -> None:
    game = opened("connect_four-three")
    thought, thoughts = heard("analyse", after(10), game=game, line=START, seconds=60)
    assert [one["depth"] for one in thoughts] == list(range(1, thought["depth"] + 1))
    assert sum(thought["shares"].values()) == pytest.approx(1)
    won = line("d1", "a1", "a2", "e1", "a3", "a4", "f1", "b1", "b2")
    for player in ("maxn:depth=1", "minimax:depth=1", "mcts:playouts=500"):
        sure = ask("choose", game=game, line=won, player=player)
        assert (sure["move"], sure["sure"]) in {("c1", True), ("g1", True)}
        assert sure["shares"] == {"Yellow": 1.0, "Red": 0.0, "Blue": 0.0}


@pytest.mark.slow
def test_a_player_who_is_cancelled_says_what_it_has_found() -> None:
    asked = {"game": opened(), "line": START, "player": "minimax:depth=40"}
    thought, thoughts = heard("choose", after(10), **asked)
    assert thought == thoughts[-1]
    with pytest.raises(Refused) as refused:
        service().answer("choose", asked, cancelled=lambda: True)
    assert refused.value.to_dict() == {
        "kind": "cancelled", "message": "the question was cancelled before anything was found"
    }  # fmt: skip


def test_a_search_without_time_says_something() -> None:
    for name in ("zola", "kalah"):
        assert ask("analyse", game=opened(name), line=START, seconds=0)["move"]


def test_an_analysis_that_is_cancelled_before_it_has_found_anything_is_a_failure() -> None:
    with pytest.raises(Refused) as refused:
        service().answer("analyse", {"game": opened("zola"), "line": START}, cancelled=lambda: True)
    assert refused.value.kind == "cancelled"


@pytest.mark.slow
def test_a_game_is_built_for_speed_only_when_something_long_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    built = []

    def begun(game: Model, *_: object, **__: object) -> None:
        built.append(game.title)
        raise BuildError("not in tests")

    monkeypatch.setattr(native, "begun", begun)
    for number in range(3):
        text = text_of("tictactoe").replace("Tic-tac-toe", f"T{number}")
        text = text.replace("evaluate threat 1", f"evaluate threat {number + 17}")
        game = check("mine", text)["game"]["id"]
        ask("state", game=game, line=START)
        ask("why", game=game, line=START, move="a1")
    assert built == []
    ask("perft", game=game, line=START, depth=1)
    ask("perft", game=game, line=START, depth=1)
    assert built == ["T2"]


def test_a_lead_as_large_as_usual_is_73_percent() -> None:
    assert share(0, 50) == 0.5
    assert round(share(50, 50), 2) == 0.73
    assert share(-50, 50) == pytest.approx(1 - share(50, 50))
    assert 0 < share(-1e9, 1) < share(1e9, 1) <= 1
    assert usual_lead(pysolve.load("hex", size=3)) >= 1


@pytest.mark.parametrize("lead", [-200, 0, 30, 500])
def test_the_parts_of_two_are_their_shares(lead: float) -> None:
    assert shares([lead, -lead], 50) == pytest.approx([share(lead, 50), share(-lead, 50)])


def test_the_parts_of_three_add_up() -> None:
    found = shares([40, 10, -50], 20)
    assert sum(found) == pytest.approx(1)
    assert found == sorted(found, reverse=True)
    assert shares([0, 0, 0], 20) == pytest.approx([1 / 3] * 3)


def test_sequences_are_counted_move_by_move() -> None:
    found, parts = heard("perft", game=opened("zola"), line=START, depth=3)
    assert [(one["depth"], one["count"]) for one in found["counts"]] == [(1, "36"), (2, "1296"), (3, "46472")]
    assert parts == found["counts"]
    found, _ = heard("perft", after(4), game=opened("go"), line=START, depth=50)
    assert found["counts"][0]["count"] == "82"


def test_who_wins_among_equals() -> None:
    found, parts = heard("balance", game=opened("zola", size="4"), games=20)
    assert (found["played"], found["asked"], len(parts), parts[-1]) == (20, 20, 20, found)
    red, blue = found["players"]
    assert red["wins"] + blue["wins"] + found["draws"] == 20
    assert red["low"] < red["share"] < red["high"]
    assert red["share"] + blue["share"] == pytest.approx(1)
    fewer, _ = heard("balance", after(5), game=opened("zola", size="4"), games=5000, player="greedy")
    assert 0 < fewer["played"] < 5000


# --------------------------------------------------------------------------------------------- what it means


def test_the_clauses_of_a_move_and_what_they_need() -> None:
    text = ask("clauses", game=opened("othello"), kind="place")["text"]
    assert text.startswith("% ")
    assert "move_place(" in text
    assert re.search(r"^def_\w+\(", text, re.MULTILINE)
    assert "ending(" in ask("clauses", game=opened(), kind="end")["text"]
    assert ask("clauses", game=opened("blockade"), kind="threats")["text"].count("def_carrier(") >= 2


def test_a_query_marks_cells() -> None:
    found = ask("query", game=opened(), line=START, goal="capture(From, b1)")
    assert found == {
        "variables": ["From"],
        "answers": [{"values": ["a1"], "cells": ["a1"]}],
        "more": False,
    }
    found = ask("query", game=opened(), line=START, goal="at(C) = Red, distance(C, D), D > 40")
    assert found["variables"] == ["C", "D"]
    assert all(answer["cells"] == answer["values"][:1] for answer in found["answers"])
    assert ask("query", game=opened(), line=START, goal="at(a1) = Red")["answers"] == [{"values": [], "cells": []}]
    assert ask("query", game=opened(), line=START, goal="at(X) = none")["answers"] == []
    assert ask("query", game=opened(), line=START, goal="aligned(A, B)")["more"]


# ------------------------------------------------------------------------------------------ what is kept


@pytest.mark.parametrize("name", each(one for one in shipped_games() if one not in SECRETS))
def test_a_record_is_replayed(name: str) -> None:
    game, walked = opened(name), line(seed=3)
    for _ in range(6):
        state = ask("state", game=game, line=walked)
        goes_on = [state["chance"]["drawn"]] if "chance" in state else [move["text"] for move in state["moves"][-1:]]
        walked = {**state["line"], "moves": state["line"]["moves"] + goes_on}
    walked = ask("state", game=game, line=walked)["line"]
    players = {player["name"]: "easy" for player in check(name)["game"]["players"]}
    text = ask("record", game=game, line=walked, players=players)["text"]
    found = ask("replay", text=text)
    draws = check(name)["game"]["draws_lots"] or pysolve.load(name).model.chances
    assert (found["name"], found["line"]["moves"], found["players"]) == (name, walked["moves"], players)
    assert found["line"]["seed"] == (3 if draws else 0)
    assert ask("state", game=game, line=found["line"])["position"] == ask("state", game=game, line=walked)["position"]


def test_a_record_counts_on_from_the_turns_before_it() -> None:
    text = '[Game "zola"]\n[TurnsBefore "12"]\n\n1. a1xb1\n'
    walked = ask("replay", text=text)["line"]
    assert walked == {**line("a1xb1"), "before": 12}
    state = ask("state", game=opened(), line=walked)
    assert state["line"] == walked
    assert '[TurnsBefore "12"]' in ask("record", game=opened(), line=walked, players={})["text"]


def test_a_record_says_how_it_ended() -> None:
    begun = line("b3xc3", start="..../.RB./..../.... Red")
    text = ask("record", game=opened(size="4"), line=begun, players={})["text"]
    assert '[Position "..../.RB./..../.... Red"]' in text
    assert '[Result "Red"]' in text


def possible(state: dict[str, Any]) -> list[str]:
    """The texts of the moves that a player or chance may make."""
    return [move["text"] for move in (state["moves"] or state.get("chance", {}).get("rolls", []))]


@pytest.mark.parametrize("name", each([one for one in shipped_games() if one not in SECRETS], late=EVERY - MAIN))
def test_an_example_of_a_position_holds(name: str) -> None:
    """What a page adds to the rules says what is true: the position, a legal move, one that is not, with its reason."""
    text, walked = text_of(name), line()
    now = ask("state", game=opened(name), line=walked)
    for _ in range(5):
        before, walked = now, now["line"]
        walked = {**walked, "moves": walked["moves"] + possible(before)[:1]}
        now = ask("state", game=opened(name), line=walked)
    walked = now["line"]
    said = [(move, move in possible(now)) for move in (*possible(before)[:3], *possible(now)[:1])]
    added = "".join(
        "\n" + ask("example", game=opened(name), line=walked, move=move, legal=is_legal, title=f"added {at}")["text"]
        for at, (move, is_legal) in enumerate(said)
    )
    game = check(f"mine {name}", re.split(r"(?m)^example", text)[0].rstrip() + "\n" + added)
    assert game["problems"] == []
    results = ask("examples", game=game["game"]["id"])["examples"]
    assert [one["name"] for one in results][:1] == ["added 0"]
    assert [check for one in results for check in one["checks"] if not check["holds"]] == []


def test_an_example_names_the_options() -> None:
    text = ask("example", game=opened(size="4"), line=line("a1xb1"), move="a2-a1", legal=True, title="mine")["text"]
    assert text == (
        'example "mine"\n  size 4\n  position Blue\n    B R B R\n    R B R B\n    B R B R\n    . R R B\n  legal a2-a1\n'
    )
    text = ask("example", game=opened(), line=START, move="a1-b1", legal=False, title="mine")["text"]
    assert text == 'example "mine"\n  illegal a1-b1 because "a retreat ends on an empty square"\n'


def test_a_position_that_cannot_be_drawn_is_made_by_its_moves() -> None:
    dots = (ROOT / "tests" / "rules" / "dots.rules").read_text(encoding="utf-8")
    game = check("mine", dots.replace("    owner(c) := mover", "    owner(c) := none"))["game"]["id"]
    asked = {"game": game, "move": "c1", "legal": True, "title": "mine"}
    text = ask("example", line=line("a1"), **asked)["text"]
    assert text == 'example "mine"\n  play a1\n  legal c1\n'
    begun = line("a1", start="+.+/.../+.+ Red")
    assert refusal("example", {"line": begun, **asked}) == (
        "limit", "this position cannot be drawn in an example: its drawing does not say all about it"
    )  # fmt: skip


def test_more_legal_moves_than_a_page_can_show_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "MOST_LISTED", 35)
    found = refusal("state", {"game": opened(), "line": START})
    assert found == ("limit", "there are 36 legal moves here; at most 35 are shown")


def test_positions_that_were_not_asked_for_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MOST_POSITIONS", 3)
    game = pysolve.load("tictactoe")
    walked, moves = lines.Lines(game), ["a1", "b1", "c1", "a2", "b2", "c2"]
    for count in (6, 5, 6, 1):
        walk = walked.walk(line(*moves[:count]))
        assert [move["text"] for move in walk.step.played] == moves[:count]
        assert len(walked._steps) <= 3


def test_examples_are_carried_out() -> None:
    text = text_of("zola").split("example")[0] + (
        'example "right"\n  play a1xb1\n  legal c2xc3\n\n'
        'example "wrong"\n  size 4\n  position Blue\n    . . . .\n    . R . .\n    . . . .\n    B . . .\n'
        "  moves 2\n  legal pass\n\n"
        'example "no beginning"\n  play a1-a1\n  moves 1\n'
    )
    found, parts = heard("examples", game=check("mine", text)["game"]["id"])
    assert parts == found["examples"]
    right, wrong, none = found["examples"]
    assert right["checks"] == [{"line": right["line"] + 2, "holds": True, "expected": "legal c2xc3", "found": ""}]
    assert (right["start"], right["options"]) == (line("a1xb1"), {"size": "6"})
    assert [(one["holds"], one["expected"], one["found"]) for one in wrong["checks"]] == [
        (False, "2 legal moves", "1"), (True, "legal pass", "")
    ]  # fmt: skip
    assert (wrong["start"]["start"], wrong["options"]) == ("..../.R../..../B... Blue", {"size": "4"})
    assert (none["start"], none["checks"][0]["holds"]) == (None, False)
    assert "a1-a1 is not legal" in none["checks"][0]["found"]


def test_what_show_says_that_it_never_is_is_looked_for_in_random_games() -> None:
    dots = (ROOT / "tests" / "rules" / "dots.rules").read_text(encoding="utf-8")
    game = check("mine", dots.replace("    owner(c) := mover", "    owner(c) := none"))["game"]["id"]
    found, parts = heard("examples", game=game)
    assert parts == found["examples"]
    last = found["examples"][-1]
    assert (last["name"], last["line"], last["start"]) == ("random game 0", 37, None)
    assert last["checks"][0]["expected"] == "never kind = Cross and owner = none"


def test_a_position_is_placed() -> None:
    game = opened(size="4")
    placed = ask("place", game=game, text="position Red\n  . . . .\n  . R B .\n  . . . .\n  . . . .")["line"]
    assert placed == line(start="..../.RB./..../.... Red")
    assert refusal("place", {"game": game, "text": "nonsense"})[0] == "asked"


# ---------------------------------------------------------------------------------------------- beginnings


def test_new_rules_begin_with_something(tmp_path: Path) -> None:
    assert check("mine", ask("begin", title="New")["text"])["game"]["title"] == "New"
    for template in ("blank", "placement", "moving", "variant"):
        assert check("mine", ask("begin", title="New", template=template)["text"])["game"]["title"] == "New"
    assert check("mine", ask("begin", title="New", extends="hex")["text"])["game"]["title"] == "New"
    assert check("mine", ask("begin", title="New", like="hex")["text"])["game"]["title"] == "New"
    (tmp_path / "base.rules").write_text(text_of("zola"), encoding="utf-8")
    text = Service(tmp_path).answer("begin", {"title": "New", "extends": "base.rules"})["text"]
    assert text.startswith('game "New" extends "base"\n')


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"title": "A", "like": "zola", "extends": "zola"},
         "new rules begin with one of template, extends and like, not with extends and like"),
        ({"title": " "}, "the title of a game is one line of text without quotation marks"),
        ({"title": 'a"'}, "the title of a game is one line of text without quotation marks"),
        ({"title": "A", "template": "odd"},
         'there is no template "odd": there are blank, placement, moving or variant'),
        ({"title": "A", "like": "zolla"}, 'there are no rules "zolla": did you mean "zola"?'),
        ({"title": "A", "like": "../zola"}, None),
    ],
)  # fmt: skip
def test_a_beginning_is_refused(asked: Mapping[str, str], message: str | None) -> None:
    kind, found = refusal("begin", asked)
    assert kind == "asked"
    assert message in (None, found)


# ------------------------------------------------------------------------------------------ what is refused

OVER = {"seed": 0, "start": "..../.R../..../.... Blue", "moves": []}
GONE = "this game is not open (any more): check its rules again"


@pytest.mark.parametrize(
    ("question", "asked", "kind", "message"),
    [
        ("stat", {}, "asked", "there is no question 'stat': did you mean \"state\"?"),
        (None, {}, "asked", "there is no question None"),
        ("state", None, "asked", "state must be an object, not None"),
        ("state", {"game": "x"}, "asked", "state needs line"),
        ("state", {"game": "x", "line": START}, "gone", GONE),
        ("state", {"game": 1, "line": START}, "asked", "game must be a text, not 1"),
        ("state", {"game": "x", "line": START, "more": 1}, "asked", "state has no 'more': it takes game, line"),
        ("state", {"game": "x", "line": {**START, "seed": True}}, "asked",
         "seed must be a whole number from 0 to 9,007,199,254,740,991, not True"),
        ("state", {"game": "x", "line": {**START, "seed": 10**400}}, "asked", None),
        ("state", {"game": "x", "line": {**START, "seed": -1}}, "asked", None),
        ("state", {"game": "x", "line": {**START, "moves": "a1"}}, "asked", "moves must be a list of texts, not 'a1'"),
        ("state", {"game": "x", "line": {**START, "moves": [["a"]]}}, "asked", "moves[0] must be a text, not ['a']"),
        ("state", {"game": "x", "line": {**START, "moves": ["a1"] * 100_001}}, "asked",
         "moves has 100,001 texts; at most 100,000 are read"),
        ("state", {"game": "x", "line": {**START, "moves": ["a" * 501]}}, "asked",
         "moves[0] has 501 characters; at most 500 are read"),
        ("state", {"game": "a" * 10_001, "line": START}, "asked",
         "game has 10,001 characters; at most 10,000 are read"),
        ("state", {"game": "\ud800", "line": START}, "asked",
         "game has half a character: a surrogate without the other"),
        ("check", {"name": "x", "text": "a" * 1_000_001, "options": {}}, "asked",
         "text has 1,000,001 characters; at most 1,000,000 are read"),
        ("check", {"name": "x", "text": "", "options": []}, "asked", "options must be an object of texts, not []"),
        ("check", {"name": "x", "text": "", "options": {"a": 1}}, "asked", "options.'a' must be a text, not 1"),
        ("check", {"name": "x", "text": "", "options": {str(n): "" for n in range(1001)}}, "asked",
         "options has 1,001 texts; at most 1,000 are read"),
        ("choose", {"game": "zola", "line": START, "player": "human"}, "asked",
         "human is a person, who chooses without being asked"),
        ("choose", {"game": "zola", "line": START, "player": "minimax:by=../x"}, "asked", None),
        ("choose", {"game": "zola", "line": START, "player": "random", "seconds": float("nan")}, "asked",
         "seconds must be a number from 0 to 3,600, not nan"),
        ("choose", {"game": "zola", "line": START, "player": "random", "seconds": 10**400}, "asked", None),
        ("choose", {"game": "zola", "line": START, "player": "minimax:terms=nothing"}, "asked", None),
        ("choose", {"game": "zola", "line": OVER, "player": "random"}, "asked",
         "the game is over; the winner: Red (all enemy checkers are captured)"),
        ("analyse", {"game": "zola", "line": OVER}, "asked",
         "the game is over; the winner: Red (all enemy checkers are captured)"),
        ("perft", {"game": "zola", "line": START, "depth": 0}, "asked",
         "depth must be a whole number from 1 to 50, not 0"),
        ("balance", {"game": "zola", "games": 10_001}, "asked",
         "games must be a whole number from 1 to 10,000, not 10001"),
        ("balance", {"game": "zola", "games": 1, "player": "human"}, "asked",
         "human is a person: a balance is played by programs"),
        ("clauses", {"game": "zola", "kind": "retret"}, "asked",
         'there are no clauses of "retret": did you mean "retreat"?'),
        ("clauses", {"game": "zola", "kind": "qq"}, "asked",
         'there are no clauses of "qq": ask for retreat, capture or end'),
        ("query", {"game": "zola", "line": START, "goal": "att(X)"}, "asked",
         'the rules have no "att": did you mean "at"?'),
        ("query", {"game": "zola", "line": START, "goal": "shell(ls)"}, "asked", 'the rules have no "shell"'),
        ("record", {"game": "zola", "line": START, "players": {"Green": "human"}}, "asked",
         'Zola has no seat "Green": its seats are Red and Blue'),
        ("record", {"game": "zola", "line": {**START, "moves": ["a1-a1"]}, "players": {}}, "illegal", None),
        ("replay", {"text": "nonsense"}, "asked",
         "this is not a game record: it does not begin with a tag like  [Game \"zola\"]"),
        ("replay", {"text": '[Game "zola"]\n[Seed "-1"]\n'}, "asked",
         "the seed of a record is a number from 0 to 9,007,199,254,740,991, not -1"),
        ("replay", {"text": '[Game "zola"]\n[Red "minimax:by=/etc/x"]\n'}, "asked", None),
        ("example", {"game": "zola", "line": START, "move": "a1", "legal": True, "title": 'a"'}, "asked",
         "the title of an example is one line of text without quotation marks"),
        ("example", {"game": "zola", "line": START, "move": "a\nb", "legal": True, "title": "a"}, "asked",
         "a move is one line of text without quotation marks"),
        ("example", {"game": "zola", "line": START, "move": "a", "legal": 1, "title": "a"}, "asked",
         "legal must be true or false, not 1"),
        ("open", {"name": "zolla"}, "asked", 'there are no rules "zolla": did you mean "zola"?'),
        ("open", {"name": "/etc/passwd"}, "asked", None),
        ("open", {"name": "x" * 300}, "asked", None),
        ("hello", {"x": 1}, "asked", "hello has no 'x': it takes nothing"),
    ],
)  # fmt: skip
def test_an_invalid_question_is_refused(question: Any, asked: object, kind: str, message: str | None) -> None:
    if isinstance(asked, dict) and asked.get("game") == "zola":
        asked = {**asked, "game": opened("zola", size="4")}
    found = refusal(question, asked)
    assert found[0] == kind
    assert message in (None, found[1])


def test_deep_json_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(50_000):
        deep = [deep]
    assert refusal("state", {"game": deep, "line": START})[0] == "asked"
    assert refusal("state", {"game": "x", "line": {**START, "moves": [deep]}})[0] == "asked"


JUNK = ["", "a1", "a1-b1", "\0", "\n", "\u2028", "<b>", '"', "{", "9" * 50, "at(X) = Red", "human", "end", "x" * 400,
        0, -1, 2**64, 1.5, float("inf"), True, None, [], ["a1"], [[]], {}, {"a1": "b"}, {"seed": 0}]  # fmt: skip


@pytest.mark.parametrize("question", [name for name, one in QUESTIONS.items() if len(one.takes) > 1])
def test_whatever_is_asked_nothing_is_a_mistake_of_pysolve(question: str) -> None:
    dice, failures = Random(question), []
    sound = {"game": opened("zola", size="4"), "line": START, "games": 1, "depth": 1}
    for _ in range(60):
        asked = {name: dice.choice(JUNK) if dice.random() < 0.7 else "zola" for name in QUESTIONS[question].takes}
        asked |= {name: sound[name] for name in asked if name in sound and dice.random() < 0.8}
        asked |= {"seconds": 0} if "seconds" in asked else {}
        try:
            service().answer(question, asked)
        except Refused as refused:
            failures.append((refused.kind, refused.message, asked))
    assert [failure for failure in failures if failure[0] == "internal"] == []
    assert failures


def test_games_that_were_not_asked_for_are_forgotten() -> None:
    one, ids = Service(), []
    for number in range(13):
        text = text_of("tictactoe") + f"# {number}\n"
        ids.append(one.answer("check", {"name": "mine", "text": text, "options": {}})["game"]["id"])
    assert len(set(ids)) == 13
    with pytest.raises(Refused, match="not open"):
        one.answer("state", {"game": ids[0], "line": START})
    assert one.answer("state", {"game": ids[1], "line": START})["mover"]


def test_a_cancelled_question_ends() -> None:
    with pytest.raises(Refused) as refused:
        service().answer("state", {"game": opened("go"), "line": line("a1")}, cancelled=lambda: True)
    assert refused.value.kind == "cancelled"


def test_words_of_an_author_stay_words() -> None:
    hostile = "<img src=x onerror=alert(1)>"
    text = (
        text_of("zola")
        .replace('"Zola"', f'"{hostile}"')
        .replace('Red "R" red disc', 'Red "<&" red')
        .split("example")[0]
    )
    found = check("mine", text)
    assert found["problems"] == []
    game = found["game"]
    assert game["title"] == hostile
    looks = ask("state", game=game["id"], line=START)["looks"]
    assert looks["a1"]["parts"][0][3][0][2] == "<&"


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "a\0b", "..", "x" * 9000, "\n"])
def test_a_name_is_only_a_name(name: str, tmp_path: Path) -> None:
    one = Service(tmp_path)
    parents = ("passwd", "../x", "x" * 300)
    for text in (text_of("tictactoe"), *(f'game "M" extends "{parent}"\n' for parent in parents)):
        found = one.answer("check", {"name": name, "text": text, "options": {}})
        assert (found["game"] is None) == ("extends" in text)


def test_a_rule_that_breaks_its_own_ranges_is_a_mistake_of_the_rules() -> None:
    text = text_of("tictactoe").replace(
        "state at(cell): player or none", "state\n  at(cell): player or none\n  n: 0..1"
    )
    text = text.replace("do at(to) := mover", "do\n    at(to) := mover\n    n := n + 1").split("show")[0]
    found = check("mine", text)
    assert found["problems"] == []
    kind, message = refusal("state", {"game": found["game"]["id"], "line": line("a1")})
    assert (kind, message.split("\n")[0]) == ("rules", 'mine:18: "n" becomes 2, but it holds 0..1')


# --------------------------------------------------------------------------------------------- lines of JSON


def told(*lines: str) -> list[dict[str, Any]]:
    """What the command answers to lines of JSON."""
    out = io.StringIO()
    answer_lines(service(), io.StringIO("".join(f"{line}\n" for line in lines)), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_questions_may_come_as_lines_of_json() -> None:
    asked = {"game": opened("zola", size="4"), "line": START, "depth": 2}
    part, another, answer, failure = told(
        json.dumps({"id": 7, "question": "perft", "asked": asked}), '{"id": 8, "question": "odd"}'
    )
    assert (part["id"], another["part"]["count"]) == (7, "256")
    assert answer["answer"]["counts"] == [part["part"], another["part"]]
    assert failure == {"id": 8, "failure": {"kind": "asked", "message": "there is no question 'odd'"}}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nonsense", "the line cannot be read as JSON: "),
        ("[]", "a line is a JSON object with id, question and asked"),
        ("[" * 100_000, "the line cannot be read as JSON: it is nested too deeply"),
        (f'{{"id": {"9" * 10_000}}}', "the line cannot be read as JSON: "),
    ],
)
def test_a_line_that_is_no_question_is_refused(line: str, message: str) -> None:
    (found,) = told(line)
    assert (found["id"], found["failure"]["kind"]) == (None, "asked")
    assert found["failure"]["message"].startswith(message)


def test_the_page_has_places_for_edges_and_corners() -> None:
    game = check("mine", SHOWN.format(board="square 2 by 2", definitions=""))["game"]
    assert [site["kind"] for site in game["board"]["sites"]] == ["edge"] * 12 + ["corner"] * 9
    line = {"seed": 0, "start": "", "moves": ["b1n", "a1ne 1"]}
    state = ask("state", game=game["id"], line=line)
    labels = {name: look["label"] for name, look in state["looks"].items()}
    assert labels == {**dict.fromkeys(("a1n", "a1e", "b1n", "a2e"), "blue bar"), "a1ne": "black disc"}
    assert [move["cells"] for move in state["moves"]][-1] == ["b2ne"]
    found = ask("why", game=game["id"], line=line, cells=["b1n"])
    assert [kind["kind"] for kind in found["kinds"]] == ["build b1n"]
    assert found["kinds"][0]["demands"][0]["reason"] == "there is a fence"
    assert ask("why", game=game["id"], line=line, cells=["a1"])["note"] == "no move names a1"


@pytest.mark.parametrize("player", ["minimax:nodes=99999999999999999999", "mcts:playouts=9223372036854775808",
                                    "solver:states=4294967295", "minimax:threads=100000000000"])  # fmt: skip
def test_a_setting_out_of_range_is_the_mistake_of_whoever_asks(player: str) -> None:
    kind, message = refusal("choose", {"game": opened("tictactoe"), "line": START, "player": player})
    assert (kind, "it must be an integer from 1 to " in message) == ("asked", True)


# -------------------------------------------------------------------------------------- players' colours


@pytest.mark.parametrize(("name", "colours"), [
    ("blockade", ["blue", "red"]),  # a definition says whose a piece is; of the offence most pieces are blue
    ("bridg_it", ["white", "black"]),  # at edges
    ("kalah", ["", ""]),  # the seeds are nobody's
    ("lasca", ["white", "black"]),  # a column says whose a man is
    ("quarto", ["", ""]),
    ("quoridor", ["white", "black"]),  # walls of both are brown, and no pawn is
    ("sokoban", ["blue"]),  # the one thing that the only player moves
])  # fmt: skip
def test_players_have_the_colours_of_their_pieces(name: str, colours: list[str]) -> None:
    found = [player["colour"] for player in check(name)["game"]["players"]]
    assert found == [COLOURS.get(colour, "") for colour in colours]


# -------------------------------------------------------------------------------------- beside the board


SHOP = """game "Shop"
players White, Black
board square 3 by 1
type unit = Peasant, Knight
type card = Ace, King

table unit  price
  Peasant      10
  Knight       40

state
  unit(cell): unit or none
  hand(player, card): 0..3
  spare: card
  moves_left: 0..9

setup
  for p: player: hand(p, Ace) := 2
  hand(White, King) := 1
  spare := King
  moves_left := 9

move buy(kind: unit, to: cell) as "{kind} {to}"
  when
    kind = Peasant    else "too dear"
    unit(to) = none   else "the cell is taken"
  do unit(to) := kind

move lay(k: card) as "lay {k}"
  when hand(mover, k) > 0 else "it is not in your hand"
  do hand(mover, k) := hand(mover, k) - 1

stuck draw
end mover wins when every c: cell has unit(c) != none

tell price "prices"

show
  unit: Peasant "P" white disc, Knight "K" white star, none "."
  beside hand: Ace "A" yellow star
  beside spare: King "K" red king
"""


def test_what_lies_beside_the_board_says_what_it_stands_for_and_whose_it_is() -> None:
    state = ask("state", game=check("shop", SHOP)["game"]["id"], line=START)
    hand, spare, prices = state["asides"]
    assert [
        (group["player"], [(one["value"], one["count"]) for one in group["things"]]) for group in hand["groups"]
    ] == [
        ("White", [("card Ace", 2), ("card King", 1)]),
        ("Black", [("card Ace", 2)]),
    ]
    assert [one["look"]["label"] for one in hand["groups"][0]["things"]] == ["yellow star", "King"]
    assert [(group["player"], group["things"][0]["value"]) for group in spare["groups"]] == [("", "card King")]
    (group,) = prices["groups"]
    assert [(one["value"], one["note"], one["look"]["label"]) for one in group["things"]] == [
        ("unit Peasant", "10", "white disc"),
        ("unit Knight", "40", "white star"),
    ]
    assert {move["text"]: move["values"] for move in state["moves"]} == {
        "Peasant a1": ["unit Peasant"],
        "Peasant b1": ["unit Peasant"],
        "Peasant c1": ["unit Peasant"],
        "lay Ace": ["card Ace"],
        "lay King": ["card King"],
    }
    assert (state["beside"], state["facts"]) == ([], ["moves left: 9"])


def test_what_no_move_can_name_stands_for_nothing() -> None:
    (stock,) = ask("state", game=opened("quoridor", size="5"), line=START)["asides"]
    assert {thing["value"] for group in stock["groups"] for thing in group["things"]} == {""}


def test_why_a_thing_beside_the_board_cannot_be_used() -> None:
    game = check("shop", SHOP)["game"]["id"]
    found = ask("why", game=game, line=START, cells=[], values=["unit Knight"])
    (kind,) = found["kinds"]
    assert (found["legal"], [one["reason"] for one in kind["demands"] if not one["holds"]]) == (False, ["too dear"])
    both = ask("why", game=game, line=line("Peasant a1"), cells=["a1"], values=["unit Peasant"])
    assert [one["reason"] for one in both["kinds"][0]["demands"] if not one["holds"]] == ["the cell is taken"]
    assert (
        ask("why", game=game, line=START, cells=["a1"], values=["card Ace"])["note"]
        == "no move leads from card Ace to a1"
    )
    assert ask("why", game=game, line=START, cells=["b1"], values=["unit Peasant"])["legal"]


# -------------------------------------------------------------------------------------- what moves change


@pytest.mark.parametrize(
    ("name", "start", "move", "landed", "left"),
    [
        ("zola", "", "a1xb1", ["b1"], ["a1"]),
        ("kalah", "", "c1", ["d1", "e1", "f1"], ["c1"]),  # the store is not drawn
        ("othello", "", "c4", ["c4", "d4"], []),  # a stone that turns has come, too
        ("quoridor", "", "c3h", ["c3"], []),
        ("bridg_it", "", "b2e", ["b2e"], []),
        ("sokoban", "", "north", ["g4"], ["g3"]),
        ("onitama", "", "Crab c1-c2", ["c2"], ["c1"]),
        ("blockade", "", "d5-d4", ["d4"], ["d5"]),  # that a piece has acted is a note
        ("blockade", "", "d5 stays", [], []),
        ("lasca", "", "c3-b4", ["b4"], ["c3"]),
    ],
)
def test_what_a_move_changes_is_told_before_and_after_it(
    name: str, start: str, move: str, landed: list[str], left: list[str]
) -> None:
    game, begun = opened(name), line(start=start)
    (preview,) = ask("preview", game=game, line=begun, moves=[move])["previews"]
    played = ask("state", game=game, line=line(move, start=start))
    assert (preview["landed"], preview["left"]) == (landed, left)
    assert (played["played"][0]["landed"], played["played"][0]["left"]) == (landed, left)
    assert preview["looks"] == {place: played["looks"].get(place) for place in [*landed, *left]}


def test_a_preview_looks_at_the_cells_that_change_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    game = opened("quoridor")
    asked = {
        "game": game,
        "line": START,
        "moves": [move["text"] for move in ask("state", game=game, line=START)["moves"]],
    }
    drawn = list[int]()
    shown = notation.shown_glyphs
    monkeypatch.setattr(notation, "shown_glyphs", lambda *given: drawn.append(given[-1]) or shown(*given))
    previews = ask("preview", **asked)["previews"]
    assert len(previews) == 131
    # Each cell that changes: in a line of the board, before and after; and once more for its drawing.
    assert len(drawn) <= 3 * sum(len(one["landed"]) + len(one["left"]) for one in previews)


def test_a_preview_is_of_legal_moves() -> None:
    game = opened()
    assert refusal("preview", {"game": game, "line": START, "moves": ["a1xf6"]})[0] == "illegal"
    many = ["a1xb1"] * 513
    assert refusal("preview", {"game": game, "line": START, "moves": many}) == (
        "limit", "at most 512 moves are previewed")  # fmt: skip


def test_a_picture_marks_what_the_last_move_changed() -> None:
    start = pysolve.load("othello").start()
    after = start.play("c4")
    root = ElementTree.fromstring(svg.draw(after, last=start.parse("c4")))
    (landed,) = (group for group in root.iter() if (group.get("class") or "").split(" ")[0] == "last")
    assert len(landed) == 2
    assert last_changed(after, start.parse("c4")).places == ["c4", "d4"]
    assert last_changed(start, start.parse("c4")).places == ["c4"]  # nobody knows what was before


@pytest.mark.parametrize(("name", "move"), [("quoridor", "c3h"), ("bridg_it", "b2e")])
def test_a_picture_marks_a_wall_and_not_its_cell(name: str, move: str) -> None:
    start = pysolve.load(name).start()
    root = ElementTree.fromstring(svg.draw(start.play(move), last=start.parse(move)))
    (landed,) = (group for group in root.iter() if (group.get("class") or "").split(" ")[0] == "last")
    (wall,) = landed
    drawn = [element for element in wall.iter() if not element.tag.endswith("g")]
    assert (wall.get("class") or "").split(" ")[0] == "wall"
    assert len(drawn) == 1
    assert not {"fill", "stroke", "class"} & set(drawn[0].attrib)
