"""The service: what a page asks about games, and what it hears."""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import pysolve
from pysolve import svg
from pysolve.paths import RULES, shipped_games
from pysolve.service import Refused, Service
from pysolve.service.make_cards import shipped_card
from pysolve.service.service import QUESTIONS
from tests.games import each

ROOT = Path(__file__).parent.parent
START: Mapping[str, Any] = {"seed": 0, "start": "", "moves": []}


@cache
def service() -> Service:
    """A service that several tests ask."""
    return Service()


def ask(question: str, **asked: object) -> dict[str, Any]:
    """An answer; it can be written as JSON."""
    answer = service().answer(question, asked)
    assert json.loads(json.dumps(answer)) == answer
    return answer


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


def protocol() -> str:
    """What a page may ask, as types."""
    return (ROOT / "web" / "src" / "protocol.ts").read_text(encoding="utf-8")


def interface(name: str) -> str:
    """The body of an interface of the protocol."""
    found = re.search(rf"export interface {name}\b[^{{]*{{\n(.*?)\n}}", protocol(), re.DOTALL)
    assert found is not None
    return found[1]


def fields(name: str) -> set[str]:
    """The names of the fields of an interface, with those that it extends."""
    own = set(re.findall(r"^  (\w+)\??:", interface(name), re.MULTILINE))
    parent = re.search(rf"export interface {name} extends (\w+)", protocol())
    return own | (fields(parent[1]) if parent else set())


def test_the_answers_have_the_fields_of_the_protocol() -> None:
    assert set(ask("hello")) == fields("Hello")
    found = check()
    assert set(found["game"]) == fields("Description")
    assert set(found["game"]["board"]) == fields("Board")
    assert {key for card in ask("games")["games"] for key in card} == fields("Card")
    state = ask("state", game=found["game"]["id"], line=line("a1xb1"))
    assert set(state) == fields("State")
    assert set(state["moves"][0]) == fields("Move")
    assert set(state["played"][0]) == fields("Played")
    assert set(state["looks"]["a2"]) == fields("Look")
    why = ask("why", game=found["game"]["id"], line=START, move="a1-b1")
    assert set(why) == fields("Explanation")
    assert set(why["kinds"][0]["demands"][0]) == fields("Reason")


def test_every_question_is_one_of_the_protocol() -> None:
    asked = set(re.findall(r"^  (\w+): {", interface("Questions"), re.MULTILINE))
    assert {"hello", *QUESTIONS} <= asked


# ------------------------------------------------------------------------------------------------- rules


def test_a_page_begins_with_a_game() -> None:
    hello = ask("hello")
    assert hello["first"]["text"] == text_of("zola")
    assert "why" in hello["can"]


def test_the_gallery_shows_every_shipped_game() -> None:
    assert [card["name"] for card in ask("games")["games"]] == shipped_games()


@pytest.mark.parametrize("name", each(shipped_games()))
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
    assert [kind["line"] for kind in game["kinds"]] == [22, 32]
    names = {one["name"]: (one["sort"], one["line"]) for one in game["names"]}
    assert names["distance"] == ("definition", 19)
    assert names["at"] == ("state", 12)
    assert names["Red"] == ("value", 7)
    assert len(game["board"]["cells"]) == 16


def test_a_mistake_has_its_place_and_a_cure() -> None:
    text = text_of("zola").replace("at(to) = opponent", "at(to) = oponent")
    found = check("mine", text)
    assert found["game"] is None
    (problem,) = found["problems"]
    assert (problem["line"], problem["column"], problem["end_column"]) == (35, 14, 21)
    assert problem["message"] == 'there is no "oponent"'
    assert problem["hint"] == 'did you mean "opponent"?'
    assert (problem["severity"], problem["source"]) == ("error", "mine")
    assert problem["cure"]["text"] == "opponent"
    assert problem["cure"]["label"] == "oponent → opponent"
    assert problem["cure"]["span"] == {"line": 35, "column": 14, "end_line": 35, "end_column": 21}


def test_a_mistake_against_a_parent_names_the_text_that_is_open() -> None:
    found = check("mine", 'game "Mine" extends "zola"\nremove move retret\n')
    assert [problem["source"] for problem in found["problems"]] == ["mine"]
    assert found["problems"][0]["cure"]["text"] == "retreat"


def test_names_of_a_parent_have_no_line() -> None:
    game = check("mine", 'game "Mine" extends "zola"\noption extra = 1 in 1..3\n')["game"]
    names = {one["name"]: one["line"] for one in game["names"]}
    assert names["extra"] == 2
    assert names["distance"] == 0
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


def test_rules_are_formatted() -> None:
    found = ask("format", text='game "A"\nplayers  White,Black\nboard square 3 by 3\n')
    assert found == {"text": 'game "A"\n\nplayers White, Black\n\nboard square 3 by 3\n', "problems": []}
    found = ask("format", text="game\n")
    assert (found["text"], [problem["line"] for problem in found["problems"]]) == (None, [1])


# --------------------------------------------------------------------------------------------- positions


@pytest.mark.parametrize("name", each(shipped_games()))
def test_a_game_begins_as_in_python(name: str) -> None:
    start = pysolve.load(name).start()
    state = ask("state", game=opened(name), line=START)
    assert [move["text"] for move in state["moves"]] == [move.text for move in start.legal_moves]
    assert (state["mover"], state["outcome"], state["lost"]) == (start.to_move, None, None)
    assert state["position"] == start.line()


@pytest.mark.parametrize("name", each(shipped_games()))
def test_the_parts_are_those_of_the_picture(name: str) -> None:
    """What `pysolve svg` draws on a cell is what the page gets, but for the place."""
    start, board = pysolve.load(name).start(), check(name)["game"]["board"]
    looks = ask("state", game=opened(name), line=START)["looks"]
    drawn = svg.draw(start)
    pieces = drawn.split("pieces")[1].split("coordinates")[0]
    assert pieces.count("<circle") == sum(json.dumps(look).count('"circle"') for look in looks.values())
    assert pieces.count("fill-") == sum(json.dumps(look["parts"][0][3]).count("fill-") for look in looks.values())
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
        "winner": "Red", "text": "Red wins: all enemy checkers are captured",
        "reason": "all enemy checkers are captured", "line": 47,
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
    assert state["beside"][0] == "stock: White 1: 5, 2: 5, 3: 5, 4: 3; Red 1: 5, 2: 5, 3: 5, 4: 3"


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


def test_why_nothing_is_legal_when_the_game_is_over() -> None:
    begun = line("b3xc3", start="..../.RB./..../.... Red")
    found = ask("why", game=opened(size="4"), line=begun, cells=["c3"])
    assert (
        found["note"] == "the game is over: Red wins: all enemy checkers are captured"
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


# ------------------------------------------------------------------------------------------ what is refused

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
        ("state", {"game": "x", "line": {**START, "moves": ["a" * 10_001]}}, "asked",
         "moves[0] has 10,001 characters; at most 10,000 are read"),
        ("state", {"game": "\ud800", "line": START}, "asked",
         "game has half a character: a surrogate without the other"),
        ("check", {"name": "x", "text": "a" * 1_000_001, "options": {}}, "asked",
         "text has 1,000,001 characters; at most 1,000,000 are read"),
        ("check", {"name": "x", "text": "", "options": []}, "asked", "options must be an object of texts, not []"),
        ("check", {"name": "x", "text": "", "options": {"a": 1}}, "asked", "options.'a' must be a text, not 1"),
        ("check", {"name": "x", "text": "", "options": {str(n): "" for n in range(1001)}}, "asked",
         "options has 1,001 texts; at most 1,000 are read"),
        ("open", {"name": "zolla"}, "asked", 'there is no shipped game "zolla": did you mean "zola"?'),
        ("hello", {"x": 1}, "asked", "hello has no 'x': it takes nothing"),
    ],
)  # fmt: skip
def test_an_invalid_question_is_refused(question: Any, asked: object, kind: str, message: str | None) -> None:
    found = refusal(question, asked)
    assert found[0] == kind
    assert message in (None, found[1])


def test_deep_json_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(50_000):
        deep = [deep]
    assert refusal("state", {"game": deep, "line": START})[0] == "asked"
    assert refusal("state", {"game": "x", "line": {**START, "moves": [deep]}})[0] == "asked"


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
    for text in (text_of("tictactoe"), 'game "M" extends "passwd"\n', 'game "M" extends "../x"\n'):
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
