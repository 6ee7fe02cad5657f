"""Playing: clicks, reasons, undo, programs, records, and what is shared."""

import re
from collections.abc import Callable

import pytest

import pysolve
from tests.browser.table import Table
from tests.games import slow_but

pytestmark = pytest.mark.slow
FOUR = pysolve.load("zola", size=4)


@pytest.fixture
def small(open_table: Callable[..., Table]) -> Table:
    """Zola on 4 by 4 cells."""
    found = open_table()
    found.visit_game("zola", options={"size": 4})
    return found


# ------------------------------------------------------------------------------------------ moves


def test_a_held_piece_shows_exactly_where_it_can_go(table: Table) -> None:
    start = pysolve.load("zola").start()
    assert table.cells("can move") == {str(move.params["from"]) for move in start.legal_moves}
    table.click("a1")
    table.cell("a1").and_(table.role("gridcell", re.compile("held$"))).wait_for()
    targets = {str(move.params["to"]) for move in start.legal_moves if str(move.params["from"]) == "a1"}
    assert table.cells("can be chosen") == targets
    table.click("a1")
    table.role("gridcell", re.compile("held$")).wait_for(state="detached")
    assert table.cells("can be chosen") == set()


def test_clicks_play_and_the_last_move_is_said(table: Table) -> None:
    table.click("a1", "b1")
    table.has_played(1)
    assert table.played()[1:] == ["a1xb1"]
    table.says("Red played a1xb1. Blue to move.")
    assert table.role("gridcell", re.compile("^a1, empty")).count() == 1


def test_dragging_plays(table: Table) -> None:
    table.drag("a1", "b1")
    table.has_played(1)
    assert table.played()[1:] == ["a1xb1"]


def test_keys_play(table: Table) -> None:
    table.page.locator("[role=gridcell][tabindex='0']").focus()
    table.cell("a1").focus()
    table.page.keyboard.press("Enter")
    table.page.keyboard.press("ArrowRight")
    table.page.keyboard.press("Enter")
    table.has_played(1)
    table.page.keyboard.press("u")
    table.says("Red to move", table.board)
    assert table.moves.first.get_attribute("aria-current") == "step"


def test_escape_closes_what_lies_above_the_page_and_keys_do_not_reach_the_board_below(
    open_table: Callable[..., Table],
) -> None:
    table = open_table()
    table.visit_game("blockade", moves=["d5-d4"])
    options = table.page.get_by_role("button", name=re.compile("^columns 10, rows 10"))
    options.click()
    rows = table.page.get_by_label("rows")
    rows.wait_for()
    table.page.keyboard.press("u")
    table.page.keyboard.press("Escape")
    rows.wait_for(state="hidden")
    table.page.get_by_role("button", name="Keys").click()
    keys = table.role("dialog", "Keys")
    keys.get_by_role("heading").click()  # which takes the focus out of the dialog
    table.page.keyboard.press("u")
    table.page.keyboard.press("Escape")
    keys.wait_for(state="hidden")
    assert table.played()[1:] == ["d5-d4"]
    assert table.moves.nth(1).get_attribute("aria-current") == "step"


def test_an_illegal_click_shows_the_reasons_of_python_and_leads_to_their_lines(table: Table) -> None:
    why = pysolve.load("zola").start().why("a1xf1")
    table.click("a1", "f1")
    table.bubble.wait_for()
    failing = [reason for reason in why.failing if reason.reason]
    table.says(failing[0].reason or "", table.bubble)
    assert not table.bubble.locator("code").first.is_visible()  # rules are for who asks for them
    table.bubble.get_by_text("why", exact=True).click()
    for reason in failing:
        table.says(reason.reason or "", table.bubble)
    line = failing[0].line
    table.bubble.get_by_role("button", name=f"line {line}", exact=True).first.click()
    shown = table.page.locator(".cm-line", has_text=failing[0].text.split(" ")[0]).first
    shown.wait_for()
    table.bubble.get_by_role("button", name="Close").click()
    table.bubble.wait_for(state="detached")


def test_a_turn_of_several_moves_ends_at_once_and_is_undone_at_once(open_table: Callable[..., Table]) -> None:
    table, start = open_table(), pysolve.load("blockade").start()
    table.visit_game("blockade")
    first = start.legal_moves[0]
    table.play(start, first)
    table.has_played(1)
    table.role("button", "End turn").click()
    table.says("Offence to move", table.board)
    position = start
    for written in table.played()[1:]:
        assert position.to_move == start.to_move
        position = position.play(position.parse(written))
    assert position.to_move == "Offence"
    table.page.keyboard.press("Shift+U")
    table.says("Defence to move", table.board)
    table.says_count(len(start.legal_moves))
    assert table.moves.first.get_attribute("aria-current") == "step"


def test_who_is_out_is_marked_at_the_seat_and_over_the_board(open_table: Callable[..., Table]) -> None:
    game = pysolve.load("antiyomacy-many", seats=4)
    lost = game.start().to_dict()
    lost["state"]["owner"] = {cell: None if who == "Blue" else who for cell, who in lost["state"]["owner"].items()}
    table = open_table(375, 812)
    table.visit_game("antiyomacy-many", options={"seats": 4}, view="play")
    table.says("Red to move", table.board)
    assert not table.page.get_by_text("Out:").count()
    table.visit_game("antiyomacy-many", options={"seats": 4}, start=game.from_dict(lost).line(), view="play")
    assert table.board.locator(".out").inner_text().split() == ["Out:", "Blue"]
    table.page.set_viewport_size({"width": 1440, "height": 900})
    table.rail.locator(".seat.out").get_by_text("Blue", exact=False).wait_for()
    assert table.rail.locator(".seat.out").count() == 1


def test_a_forced_pass_is_a_button(open_table: Callable[..., Table]) -> None:
    position = FOUR.position("position Blue\n  . . . .\n  . R . .\n  . . . .\n  B . . .\n")
    (passing,) = position.legal_moves
    table = open_table()
    table.visit_game("zola", options={"size": 4}, start=position.line())
    table.play(position, passing)
    table.says("Red to move", table.board)
    assert table.played() == ["Start", passing.text]


def test_a_menu_asks_which_of_several_moves_is_meant(open_table: Callable[..., Table]) -> None:
    chess = pysolve.load("chess")
    position = _promotion(chess)
    table = open_table()
    table.visit_game("chess", start=position.line())
    moves = [move for move in position.legal_moves if str(move.params["from"]) == "a7"]
    assert len(moves) == 4
    table.click("a7", "a8")
    menu = table.role("menu", "Which move?")
    menu.wait_for()
    assert menu.get_by_role("menuitem").count() == 4
    menu.get_by_role("menuitem").nth(2).click()
    table.has_played(1)


def test_a_thing_beside_the_board_is_clicked_before_the_cells_or_after_them(open_table: Callable[..., Table]) -> None:
    table, position = open_table(), pysolve.load("onitama").start()
    table.visit_game("onitama")
    table.thing("card Crab").click()
    crab = {move for move in position.legal_moves if str(move.params["k"]) == "Crab"}
    assert table.cells("can be chosen") == {str(move.params["from"]) for move in crab}
    table.click("c1", "c2")
    table.has_played(1)
    assert table.played()[1:] == ["Crab c1-c2"]
    table.says("Blue to move", table.board)
    dragon = table.role("button", "Crab, not now")  # it lies beside the board now
    dragon.focus()
    table.page.keyboard.press("Enter")
    table.says("the card is not yours", table.bubble)
    position = position.play(position.parse("Crab c1-c2"))
    table.play(position, position.legal_moves[0])
    table.has_played(2)


def test_a_wall_is_aimed_at_where_it_will_stand_and_seen_before_it_does(open_table: Callable[..., Table]) -> None:
    table, start = open_table(), pysolve.load("quoridor").start()
    table.visit_game("quoridor")
    table.play(start, start.parse("c3h"))
    table.has_played(1)
    position = start.play("c3h")
    table.play(position, position.parse("e5v"))
    table.has_played(2)
    table.click("f6")  # the middle of a cell is no wall
    table.says("a pawn goes one cell, or jumps over a pawn", table.bubble)
    table.page.keyboard.press("Escape")
    table.cell("f6").focus()
    table.page.keyboard.press("Enter")  # keys do not point
    table.role("menu", "Which move?").get_by_role("menuitem", name="f6v").click()
    table.has_played(3)
    assert table.played()[1:] == ["c3h", "e5v", "f6v"]


def test_a_finger_sees_a_wall_at_its_first_tap_and_builds_it_at_the_second(open_table: Callable[..., Table]) -> None:
    table = open_table(width=375, height=780, has_touch=True)
    table.visit_game("quoridor", view="play")
    table.page.locator("[data-aims='128']").wait_for()
    left, top = table._middle("c3")
    size = table.cell("c3").bounding_box()["width"]
    table.page.touchscreen.tap(left + 0.2 * size, top - 0.5 * size)
    table.page.locator(".ghost rect").first.wait_for()
    table.says("White to move", table.board)
    table.page.touchscreen.tap(left + 0.2 * size, top - 0.5 * size)
    table.says("Black to move", table.board)


def test_arrow_keys_move_the_keeper_of_a_puzzle(open_table: Callable[..., Table]) -> None:
    table, keyboard = open_table(), open_table()
    table.visit_game("sokoban", view="play")
    table.page.locator("[data-steers=true]").wait_for()
    for key in ("ArrowUp", "ArrowDown", "ArrowLeft"):  # the later ones wait until their position is known
        table.page.keyboard.press(key)
    table.has_played(3)
    assert table.played()[1:] == ["north", "south", "west"]
    table.role("button", "Keys").click()
    table.says("move a step", table.role("dialog", "Keys"))
    table.page.keyboard.press("Escape")
    table.page.keyboard.press("Shift+ArrowLeft")  # as everywhere else: the move before
    table.moves.nth(2).and_(table.page.locator("[aria-current=step]")).wait_for()
    keyboard.visit_game("zola", view="play")
    keyboard.cell("a1").focus()
    keyboard.page.keyboard.press("ArrowRight")
    assert keyboard.page.evaluate("document.activeElement.dataset.cell") == "b1"


def _promotion(chess: pysolve.Game) -> pysolve.Position:
    """A pawn that can only be promoted."""
    rows = [".......k", "P.......", *["........"] * 5, ".......K"]
    return chess.position("position White\n" + "".join(f"  {' '.join(row)}\n" for row in rows))


# ------------------------------------------------------------------------------------------ back and forth


def test_undo_brings_back_position_list_and_repetition(open_table: Callable[..., Table]) -> None:
    chess = pysolve.load("chess")
    moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
    position = chess.start()
    for move in moves[:-1]:
        position = position.play(move)
    table = open_table()
    table.visit_game("chess", moves=[move.text for move in _moves(chess, moves[:-1])])
    table.says_count(len(position.legal_moves))
    before = table.page.locator("#position").input_value()
    last = position.parse(moves[-1])
    table.play(position, last)
    ended = position.play(last).outcome
    assert ended is not None
    table.says(re.compile(re.escape(ended.reason), re.IGNORECASE), table.board)
    table.role("button", "Undo").click()
    table.says_count(len(position.legal_moves))
    assert table.page.locator("#position").input_value() == before
    table.play(position, last)
    table.says(re.compile(re.escape(ended.reason), re.IGNORECASE), table.board)


def _moves(game: pysolve.Game, texts: list[str]) -> list[pysolve.Move]:
    found, position = [], game.start()
    for text in texts:
        found.append(position.parse(text))
        position = position.play(found[-1])
    return found


def test_the_move_list_is_walked_by_keys_and_keeps_branches(small: Table) -> None:
    small.click("a1", "b1")
    small.has_played(1)
    small.click("a2", "b1")
    small.has_played(2)
    small.role("button", "Undo").click()
    small.says("Blue to move", small.board)
    small.click("a2", "a1")
    small.has_played(3)
    assert small.played() == ["Start", "a1xb1", "a2xb1", "a2-a1"]
    small.role("region", "Moves").get_by_text("Branch, turn").wait_for(state="attached")
    current = small.role("region", "Moves").locator("[aria-current=step]")
    current.focus()
    small.page.keyboard.press("ArrowUp")
    small.says("Blue to move", small.board)
    assert current.inner_text() == "a1xb1"
    small.page.keyboard.press("Home")
    small.says("Red to move", small.board)
    small.page.keyboard.press("End")
    small.says("Red to move", small.board)
    current.and_(small.role("button", "a2xb1")).wait_for()
    assert current.evaluate("button => button === document.activeElement")


# ------------------------------------------------------------------------------------------ programs


@pytest.mark.parametrize("name", slow_but((), ["zola", "yoxii", "antiyomacy"], late=["yoxii", "antiyomacy"]))
def test_every_level_answers_with_a_legal_move(name: str, open_table: Callable[..., Table]) -> None:
    game = pysolve.load(name)
    for level in game.levels:
        table, position = open_table(), game.start()
        table.visit_game(name)
        table.sit(position.to_move, level)
        table.has_played(1)
        move = position.parse(table.played()[1])
        assert move in position.legal_moves


def test_the_page_answers_while_a_program_thinks_and_cancel_stops_it(small: Table) -> None:
    small.page.get_by_label("Seconds for each move and hint").select_option("30")
    small.page.get_by_label(re.compile("^Blue")).select_option(label="other…")
    field = small.page.get_by_label("Player text of Blue")
    field.fill("minimax:time=30")
    field.press("Enter")
    small.role("button", "Pause").wait_for()
    small.click("a1", "b1")
    small.says("Blue thinks", small.rail)
    small.role("button", "Flip").click()
    small.role("tab", "Meaning").click()
    small.page.get_by_role("textbox", name="Query").fill("capture(From, To)")
    small.role("button", "Ask").click()
    small.says(re.compile(r"\d+ answers"), small.rail)
    small.role("tab", "Moves").click()
    small.role("button", "Cancel").click()
    small.role("button", "Continue").wait_for()
    assert len(small.played()) == 2
    small.role("button", "let the program move").click()
    small.says("Blue thinks", small.rail)
    small.role("button", "stop").click()
    small.role("button", "Continue").wait_for()


def test_a_wrong_player_text_is_refused_with_the_cure(table: Table) -> None:
    table.page.get_by_label(re.compile("^Blue")).select_option(label="other…")
    field = table.page.get_by_label("Player text of Blue")
    field.fill("minmax")
    field.press("Enter")
    table.rail.get_by_role("alert").get_by_text("minimax").wait_for()
    assert field.get_attribute("aria-invalid") == "true"


def test_a_hint_is_shown_and_played(small: Table) -> None:
    small.page.get_by_label("Seconds for each move and hint").select_option("0.5")
    small.role("button", "Hint").click()
    hint = small.says(re.compile("^Hint: "), small.rail).inner_text().removeprefix("Hint: ")
    small.role("button", "Play it").click()
    small.has_played(1)
    assert small.played()[1:] == [hint]
    assert FOUR.start().parse(hint) in FOUR.start().legal_moves


# ------------------------------------------------------------------------------------------ texts


def test_a_position_is_pasted_and_a_wrong_one_loses_nothing(small: Table) -> None:
    small.says("Position and record").click()
    field = small.page.locator("#position")
    field.fill("RR../..../..../...B Blue")
    small.role("button", "Set up").click()
    small.says("Blue to move", small.board)
    field.fill("nonsense")
    small.role("button", "Set up").click()
    small.rail.get_by_role("alert").wait_for()
    assert field.input_value() == "nonsense"
    small.says("Blue to move", small.board)


def test_a_record_is_loaded_with_its_options(table: Table) -> None:
    text = '[Game "zola"]\n[Options "size=4"]\n\n1. a1xb1; c2xc3\n'
    table.says("Position and record").click()
    table.page.locator("#record").fill(text)
    table.role("button", "Load").click()
    table.has_played(2)
    assert table.played() == ["Start", "a1xb1", "c2xc3"]
    assert table.page.get_by_label("size", exact=True).input_value() == "4"


def test_a_record_of_another_game_loses_nothing_that_is_not_saved(small: Table) -> None:
    small.page.locator(".cm-content").press("Control+Home")
    small.page.keyboard.type("# ")
    small.says("not saved")
    small.says("Position and record").click()
    small.page.locator("#record").fill('[Game "yoxii"]\n\n1. *\n')
    small.role("button", "Load").click()
    small.role("heading", "Yoxii").wait_for()
    small.page.go_back()
    small.page.locator(".cm-line", has_text="# ").first.wait_for()


def test_a_shared_address_opens_the_same_elsewhere(small: Table, open_table: Callable[..., Table]) -> None:
    small.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    small.click("a1", "b1")
    small.has_played(1)
    small.role("button", "Share").click()
    small.says(re.compile("cop", re.IGNORECASE), small.page.get_by_role("status"))
    address = small.page.evaluate("navigator.clipboard.readText()")
    other = open_table()
    other.visit(address[address.index("#") :])
    other.has_played(1)
    assert other.played() == small.played()
    assert other.page.get_by_label("size", exact=True).input_value() == "4"


def test_programs_of_a_shared_address_wait_for_a_click(open_table: Callable[..., Table]) -> None:
    table = open_table()
    table.visit_game("zola", options={"size": 4}, seats={"Red": "random", "Blue": "minimax:time=100000,threads=256"})
    table.says("Programs play when you start them", table.rail)
    table.click("a1", "b1")  # a person may move for the program: the other one goes on waiting
    table.has_played(1)
    assert not [url for url in table.asked if url.endswith("/ask/choose")]
    with table.page.expect_request("**/ask/choose"):
        table.role("region", "What the program thinks").get_by_role("button", name="Start").click()


# ------------------------------------------------------------------------------------------ what rules mean


def test_answers_of_a_query_mark_their_cells(small: Table) -> None:
    small.role("tab", "Meaning").click()
    small.page.get_by_role("textbox", name="Query").fill("capture(From, a2)")
    small.role("button", "Ask").click()
    expected = FOUR.start().query("capture(From, a2)")
    answers = small.role("region", "Answers").get_by_role("button")
    answers.first.wait_for()
    assert answers.all_inner_texts() == [answer["From"] for answer in expected]
    answers.first.hover()
    small.board.locator(".pointed").first.wait_for()


def test_a_query_that_cannot_be_asked_says_why(small: Table) -> None:
    small.role("tab", "Meaning").click()
    small.page.get_by_role("textbox", name="Query").fill("captur(From, a2)")
    small.role("button", "Ask").click()
    small.rail.get_by_role("alert").get_by_text("capture").wait_for()


def test_ways_to_play_are_those_of_perft(small: Table) -> None:
    small.role("tab", "Meaning").click()
    small.role("button", "Count").click()
    rows = small.rail.get_by_role("row")
    rows.nth(4).wait_for()
    counts = [int(re.sub(r"\D", "", row.split("\t")[1])) for row in rows.all_inner_texts()[1:]]
    assert counts == [FOUR.start().perft(depth) for depth in range(1, 5)]


def test_a_balance_tells_the_share_of_each_side(small: Table) -> None:
    small.role("tab", "Meaning").click()
    small.role("button", "Play").click()
    small.rail.get_by_role("img", name=re.compile(r"^Red \d+.%, between")).wait_for()
    small.says(re.compile(r"^\d+ games, \d+ draws?, "), small.rail)
    endings = small.role("table", "How the games ended").get_by_role("row").all_inner_texts()
    assert endings[0].split() == ["ending", "games", "Red", "Blue", "drawn"]
    assert endings[1].startswith("all enemy checkers are captured\t100")


def test_the_clauses_are_those_of_the_move_under_the_pointer(small: Table) -> None:
    small.click("a1", "b1")
    small.has_played(1)
    small.role("tab", "Meaning").click()
    small.click("a2")
    small.point("a1")
    small.says("move_retreat", small.role("region", "Clauses of retreat"))
    small.point("b1")
    small.says("move_capture", small.role("region", "Clauses of capture"))
    small.page.get_by_label("Kind of move").select_option("retreat")
    small.says("move_retreat", small.role("region", "Clauses of retreat"))
