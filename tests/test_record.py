"""Game records: what is written is read back, what is replayed is checked; and the sessions that write them."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pysolve
from pysolve.dsl import RulesError, UnknownOption
from pysolve.notation import record
from pysolve.notation.record import Record, RecordError
from pysolve.players import functions
from pysolve.players.session import Session, forced_pass
from pysolve.runtime.paths import RULES

TEXT = """\
[Game "zola"]
[Options "size=4"]
[Rules "{rules}"]
[Red "human"]
[Blue "Ann \\"Ace\\" B."]
[Date "2026-11-20"]
[Result "*"]

1. a1xb1; c2xc3
2. a3xa2
"""


def zola() -> pysolve.Game:
    return pysolve.load("zola", size=4)


def sample() -> Record:
    return record.read(TEXT.format(rules=zola().model.digest))


# ------------------------------------------------------------------------------------------ as a text


def test_a_record_is_read() -> None:
    found = sample()
    assert found.game == "zola"
    assert found.options == {"size": "4"}
    assert found.players == {"Red": "human", "Blue": 'Ann "Ace" B.'}
    assert found.turns == (("a1xb1",), ("c2xc3",), ("a3xa2",))
    assert found.moves == ("a1xb1", "c2xc3", "a3xa2")
    assert (found.result, found.seed, found.position) == ("*", 0, "")


def test_a_record_is_written_as_it_is_read() -> None:
    text = TEXT.format(rules=zola().model.digest)
    assert record.write(record.read(text)) == text


def test_a_turn_of_several_moves_stays_one() -> None:
    turns = (("d4", "3 e5"), ("c3",), ("1 c4", "2 c5", "end"))
    text = record.write(replace(sample(), turns=turns))
    assert text.endswith("\n1. d4, 3 e5; c3\n2. 1 c4, 2 c5, end\n")
    assert record.read(text).turns == turns


word = st.text(st.characters(exclude_categories=("C", "Z")) | st.just(" "), min_size=1).map(str.strip).filter(bool)
name = st.from_regex(r"[A-Z][a-z]{2,8}", fullmatch=True).filter(lambda n: n not in record._OURS)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    st.builds(
        Record,
        game=word,
        options=st.dictionaries(name.map(str.lower), st.from_regex(r"\w{1,6}", fullmatch=True), max_size=3),
        rules=st.just("5df0f1f8e2a7c1d3"),
        turns=st.lists(st.lists(word, min_size=1, max_size=3).map(tuple), max_size=5).map(tuple),
        players=st.dictionaries(name, word, max_size=2),
        seed=st.integers(0, 10**6),
        position=st.just("") | word,
        result=st.just("*") | word,
        termination=st.just("") | word,
        date=st.just("") | word,
    )
)
def test_whatever_is_written_is_read_back(one: Record) -> None:
    assert record.read(record.write(one)) == one


def test_braces_in_a_move_are_no_comment() -> None:
    one = replace(sample(), turns=(("{a}", 'b "c"', "1. d"),))
    assert record.read(record.write(one)) == one


def test_comments_and_empty_lines_say_nothing() -> None:
    text = TEXT.format(rules="").replace("; c2xc3", " {a good move}; c2xc3 {and; an answer}\n\n")
    assert record.read(text).moves == ("a1xb1", "c2xc3", "a3xa2")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is not a game record: it does not begin with a tag"),
        ("1. a1xb1", "this is not a game record"),
        ("[Game zola]", 'line 1: a tag is written  [Name "value"], not  [Game zola]'),
        ('[Game "zola"]\n[Options "size"]', "the options of a record are written  name=value, not  size"),
        ('[Game "zola"]\n[Seed "x"]', 'the seed of a record is a number, not "x"'),
        ('[Game "zola"]\n[Seed "-"]', 'the seed of a record is a number, not "-"'),
        (f'[Game "zola"]\n[Seed "{"9" * 5000}"]', 'the seed of a record is a number, not "999'),
        ('[Game "zola"]\n\n1. a1xb1; c2xc3\n2. ;', "line 4: 2. ; cannot be read as moves"),
        ('[Game "zola"]\n\n1. a1xb1,', "line 3: a move is missing after the last comma"),
        ('[Game "zola"]\n\n1. "a1xb1', 'line 3: 1. "a1xb1 cannot be read as moves'),
    ],
)
def test_a_text_that_is_no_record_is_refused(text: str, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        record.read(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("line", "moves"),
    [("{" * 200_000, 1), ("a, " * 100_000 + "a", 100_001), ("{a}" * 100_000, 0)],
    ids=("braces", "moves", "comments"),
)
def test_a_long_line_is_read_in_one_go(line: str, moves: int) -> None:
    """Where each sign is followed to the end of the line, some of these take minutes."""
    assert len(record.read(f'[Game "zola"]\n\n{line}').moves) == moves


@pytest.mark.parametrize("line", ["a" + " " * 200_000 + '"', '"' + '\\"' * 100_000, '"\\' * 100_000])
def test_a_long_line_is_refused_in_one_go(line: str) -> None:
    with pytest.raises(RecordError, match="cannot be read as moves"):
        record.read(f'[Game "zola"]\n\n{line}')


# ------------------------------------------------------------------------------------------- replayed


def test_every_move_is_replayed() -> None:
    one = sample()
    steps = list(record.replay(one, record.game_of(one)))
    assert [move.text for move, _ in steps] == list(one.moves)
    assert steps[-1][1] == zola().start().play("a1xb1").play("c2xc3").play("a3xa2")


def test_an_illegal_move_is_refused_with_its_number() -> None:
    one = replace(sample(), turns=(("a1xb1",), ("c2xc4",)))
    with pytest.raises(RecordError, match=r"move 2, Blue: c2xc4 is not legal: only an enemy can be captured"):
        list(record.replay(one, zola()))


def test_a_record_of_changed_rules_is_refused_unless_forced() -> None:
    one = replace(sample(), rules="0123456789abcdef")
    with pytest.raises(RecordError, match="the rules of Zola have changed since this game was played"):
        record.game_of(one)
    assert record.game_of(one, force=True).options == {"size": 4}


def test_the_rules_are_found_beside_the_record(tmp_path: Path) -> None:
    (tmp_path / "mine.rules").write_text((RULES / "zola.rules").read_text(encoding="utf-8"), encoding="utf-8")
    assert record.game_of(replace(sample(), game="mine.rules"), tmp_path).name == "mine"


def test_a_record_of_unknown_rules_or_options_is_refused() -> None:
    with pytest.raises(pysolve.UnknownGame):
        record.game_of(replace(sample(), game="zolo"))
    with pytest.raises(UnknownOption):
        record.game_of(replace(sample(), options={"size": "5"}))


def test_a_false_result_is_a_mistake() -> None:
    game = zola()
    one = Record("zola", {"size": "4"}, game.model.digest, (("b3xc3",),), position="..../.RB./..../.... Red")
    assert [move.text for move, _ in record.replay(replace(one, result="Red"), game)] == ["b3xc3"]
    assert [move.text for move, _ in record.replay(replace(one, result="*"), game)] == ["b3xc3"]
    with pytest.raises(RecordError, match='the result "Blue", but according to the rules Red has won'):
        list(record.replay(replace(one, result="Blue"), game))


def test_a_position_is_written_so_that_it_is_read_back() -> None:
    for name in ("zola", "conga"):
        position = pysolve.load(name).start()
        position = position.play(position.legal_moves[1])
        word = record.position_word(position)
        assert "\n" not in word
        assert position.game.position(word) == position


# -------------------------------------------------------------------------------------------- sessions


def test_a_session_is_recorded_and_resumed() -> None:
    game = zola()
    session = Session(game.start(), {"Red": None, "Blue": None})
    blank = Record("zola", record.option_words(game), game.model.digest)
    for text in ("a1xb1", "c2xc3", "a3xa2"):
        session.play(session.position.parse(text))
    one = session.record(blank)
    assert one.turns == (("a1xb1",), ("c2xc3",), ("a3xa2",))
    assert [p for _, p in record.replay(one, game)] == session.positions[1:]
    assert session.log() == ["   1. Red a1xb1", "   2. Blue c2xc3", "   3. Red a3xa2"]


@pytest.mark.slow
def test_a_move_that_keeps_the_turn_is_of_the_same_turn() -> None:
    game = pysolve.load(
        'game "Two"\nplayers White, Black\nboard square 4 by 1\nstate\n  at(cell): player or none\n'
        '  second: bool\nmove place(to: cell) as "{to}"\n  when\n    at(to) = none\n  do\n    at(to) := mover\n'
        '    second := not second\n    if not second\n      again\nstuck\n  draw\nexample "x"\n  legal a1\n'
    )
    session = Session(game.start(), {"White": None, "Black": None})
    for text in ("a1", "b1", "c1", "d1"):
        session.play(session.position.parse(text))
    one = session.record(Record("two", {}, game.model.digest))
    assert one.turns == (("a1", "b1"), ("c1", "d1"))
    assert one.result == "draw"
    assert record.read(record.write(one)) == one


def test_undo_goes_back_to_where_a_person_has_a_choice() -> None:
    session = Session(zola().start(), {"Red": None, "Blue": functions.random(1)})
    for text in ("a1xb1", "c2xc3", "a3xa2", "d1xc1"):
        session.play(session.position.parse(text))
    assert session.undo() == 2
    assert [move.text for move in session.moves] == ["a1xb1", "c2xc3"]
    assert session.undo() == 2
    assert session.position == zola().start()
    assert session.undo() == 0


def test_between_two_people_undo_takes_one_move_back() -> None:
    session = Session(zola().start(), {"Red": None, "Blue": None})
    session.play(session.position.parse("a1xb1"))
    session.play(session.position.parse("c2xc3"))
    assert session.undo() == 1
    assert session.position.to_move == "Blue"


def test_a_forced_pass_is_no_choice() -> None:
    move = forced_pass(zola().position("R.../..B./..../.... Red"))
    assert move is not None
    assert move.kind == "pass"
    assert forced_pass(zola().start()) is None
    session = Session(zola().position("R.../..../..../B... Blue"), {"Red": None, "Blue": None})
    assert forced_pass(session.position) is None


def test_who_resigns_has_lost() -> None:
    session = Session(zola().start(), {"Red": None, "Blue": None})
    session.resign()
    assert str(session.outcome) == "the winner: Blue (Red resigned)"
    one = session.record(Record("zola", {}, ""))
    assert (one.result, one.termination) == ("Blue", "Red resigned")


def test_the_same_seed_makes_the_same_choices() -> None:
    def game(seed: int) -> list[str]:
        position, player, found = zola().start(), functions.random(seed), []
        while not position.is_over:
            move = player(position)
            found.append(move.text)
            position = position.play(move)
        return found

    assert game(3) == game(3)
    assert game(3) != game(4)


def test_rules_that_cannot_be_read_are_the_authors_mistake(tmp_path: Path) -> None:
    (tmp_path / "bad.rules").write_text('game "Bad" extends "zola"\nwrong\n', encoding="utf-8")
    with pytest.raises(RulesError):
        record.game_of(replace(sample(), game="bad.rules"), tmp_path)


@pytest.mark.parametrize("path", sorted(RULES.glob(f"*{record.SUFFIX}")), ids=lambda path: path.stem)
def test_every_shipped_record_is_a_whole_game_of_programs_that_search(path: Path) -> None:
    shipped = record.read(path.read_text(encoding="utf-8"))
    game = record.game_of(shipped)
    *_, (_, last) = record.replay(shipped, game)
    assert record.beside(game) == path
    assert last.outcome is not None
    assert (last.outcome.result, last.outcome.reason) == (shipped.result, shipped.termination)
    assert all(game.levels.get(who, who).startswith(("minimax", "mcts")) for who in shipped.players.values())
    assert set(shipped.players) == set(game.players)
