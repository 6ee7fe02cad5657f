"""What an author reads: every file in tests/errors is refused, with exactly the messages at its end.

A line beginning with `#! ` is a line of the expected message.  `pytest --update` rewrites them.
"""

import pickle
import random
import re
from pathlib import Path

import pytest

from pysolve import dsl
from pysolve.dsl import Problem, RulesError, Source, UnknownOption, read_rules
from pysolve.dsl.errors import Nearest, nearest
from pysolve.dsl.text.hints import Rewritten
from pysolve.dsl.text.syntax import parse
from tests.games import each

HERE = Path(__file__).parent
ERRORS = sorted((HERE / "errors").glob("*.rules"))
GAMES = HERE.parent / "rules"
MARK = "#!"

SMALL = """\
game "Small"
players White, Black
board square 3 by 3
state
  at(cell): player or none
  filled: 0..9
move place(to: cell) as "{to}"
  when
    at(to) = none
    filled < 9
  do
    at(to) := mover
stuck
  draw
"""

# Words of the parser and of Python that no author shall read.
INTERNAL = re.compile(
    r"__ANON|_NL\b|_INDENT|_DEDENT|\$END|\b(LPAR|RPAR|LBRACE|COLON|COMMA|NAME|INT|STRING|DRAWN|_REACH|FIRST)\b|"
    r"Traceback|object at"
)

TOKEN = re.compile(r'\n[ ]*|"[^"\n]*"|\w+|[^\w\s]|[ ]+')
STRANGE = ["\t", "\n", '"', "(", ")", "{", "}", "..", "::", "none", "3", "-", "99999999999", "or", "then", "else", "if",
           "set of", "mover", "a1", "1 // 0", "some c: cell has at(c) = none", "é", "\u2028", "\x01", "\r"]  # fmt: skip


def messages(text: str, name: str = "test.rules") -> str:
    """What an author reads about a text; empty if it is accepted."""
    try:
        read_rules(text, name=name, folders=(HERE / "errors", GAMES))
    except (RulesError, UnknownOption) as error:
        return str(error)
    return ""


@pytest.mark.parametrize("path", ERRORS, ids=lambda path: path.stem)
def test_a_rejected_file_says_why(path: Path, update: bool) -> None:
    lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    text = "\n".join(line for line in lines if not line.startswith(MARK)).rstrip("\n") + "\n"
    found = messages(text, path.name)
    assert found, "this file should be refused"
    assert not INTERNAL.search(found)
    if update:
        marked = [f"{MARK} {line}".rstrip() for line in found.split("\n")]
        path.write_text("\n".join([text, *marked, ""]), encoding="utf-8")
        return
    expected = [line[len(MARK) + 1 :] for line in lines if line.startswith(MARK)]
    assert found.split("\n") == expected
    assert messages(path.read_text(encoding="utf-8"), path.name) == found


def cured(text: str) -> str:
    """The text with the cures of its mistakes, the last one first."""
    with pytest.raises(RulesError) as error:
        read_rules(text, folders=(HERE / "errors", GAMES))
    lines = text.split("\n")
    for problem in reversed(error.value.problems):
        assert problem.cure is not None
        span, meant = problem.cure
        line = lines[span.line - 1]
        lines[span.line - 1] = line[: span.column - 1] + meant + line[span.end_column - 1 :]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("at(to) = none\n", "att(to) = none\n"),
        ("filled < 9", "fillled < 9"),
        ("at(to) := mover", "at(to) := movr"),
        ("player or none", "plaier or none"),
        ("move place(to: cell)", "move place(to: celll)"),
    ],
)
def test_a_misspelt_name_can_be_cured(right: str, wrong: str) -> None:
    assert cured(SMALL.replace(right, wrong)) == SMALL


def test_a_problem_without_a_nearest_name_has_no_cure() -> None:
    with pytest.raises(RulesError) as error:
        read_rules(SMALL.replace("filled < 9", "qqqqqqq < 9"))
    assert [problem.cure for problem in error.value.problems] == [None]


def test_a_hint_can_be_pickled() -> None:
    hint = nearest("oponent", ["opponent"])
    assert isinstance(hint, Nearest)
    again = pickle.loads(pickle.dumps(hint))
    assert (again, again.word, again.meant) == (hint, "oponent", "opponent")


SLIPS = [path for path in ERRORS if path.stem.startswith(("slip_", "several_"))]


def unreadable(source: Source) -> tuple[Problem, ...]:
    """The sentences of a text that cannot be read."""
    try:
        parse(source)
    except RulesError as error:
        return error.problems
    return ()


@pytest.mark.parametrize("path", SLIPS, ids=lambda path: path.stem)
def test_a_line_as_it_should_be_can_be_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for problem in unreadable(Source(path.name, text)):
        if isinstance(problem.hint, Rewritten):
            lines, at = text.split("\n"), problem.span.line - 1
            lines[at] = lines[at][: len(lines[at]) - len(lines[at].lstrip())] + problem.hint.line
            left = unreadable(Source(path.name, "\n".join(lines)))
            assert problem.span.line not in [other.span.line for other in left], problem


def mutated(tokens: list[str], dice: random.Random) -> str:
    """The text with a few tokens deleted, doubled, exchanged or replaced."""
    found = list(tokens)
    for _ in range(dice.choice([1, 1, 2, 4])):
        i, j = dice.randrange(len(found)), dice.randrange(len(found))
        match dice.randrange(5):
            case 0:
                del found[i]
            case 1:
                found.insert(i, found[i])
            case 2:
                found[i], found[j] = found[j], found[i]
            case 3:
                found[i] = found[j]
            case 4:
                found[i] = dice.choice(STRANGE)
    return "".join(found)


@pytest.mark.parametrize("path", each(sorted(GAMES.glob("*.rules")), quick=("zola",)))
def test_no_text_brings_the_reader_down(path: Path) -> None:
    tokens = TOKEN.findall(path.read_text(encoding="utf-8"))
    for seed in range(12):
        assert not INTERNAL.search(messages(mutated(tokens, random.Random(seed))))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("filled < 9", ("not " * 1000 + "\n      ") * 3 + "filled < 9", "nested too deeply"),
        ("filled < 9", "(" * 2000 + "filled < 9" + ")" * 2000, ""),
        ("filled < 9", "filled < " + "9" * 4000, "too large"),
        ("filled < 9", "filled < 99999999999", "too large"),
        ("filled < 9", "filled < 2 ^ 2147483647", "an exponent is at most"),
        ("filled < 9", "every n in 1..999999999 has n > 0", "too many values"),
        ("filled < 9", "every n in 1..99999 has every k in 1..99999 has n + k > 0", ""),
        ("filled < 9", "some a, b, c, d, e, f, g: cell has a = b and c = d and e = f and g != g", ""),
        ("0..9", "0..9\n  big(cell, cell, cell, cell, cell, cell): 0..9", "more than"),
        ("square 3 by 3", "square 40 by 41", "sides of 1 to 40"),
        ("stuck\n", "option n = 3 in 1..999999999\nstuck\n", "at most 10000 values"),
        ("stuck\n", "".join(f"define f{i}(c: cell) = f{i + 1}(c)\n" for i in range(900)) + "stuck\n", "too deeply"),
    ],
    ids=range(12),
)
def test_hostile_texts_end(old: str, new: str, said: str) -> None:
    """What is not refused at once would take hours."""
    found = messages(SMALL.replace(old, new))
    assert said in found
    assert bool(found) == bool(said)


def test_the_small_game_is_accepted() -> None:
    assert messages(SMALL) == ""


@pytest.mark.parametrize("text", ["", "\n", "game", "replace", "\x00", "\ufeff" + SMALL, "(", '"', "#", "shape\n  #"])
def test_fragments_are_refused_in_words(text: str) -> None:
    found = messages(text)
    assert found.startswith("test.rules:")
    assert not INTERNAL.search(found)


def test_a_parent_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "parent.rules").write_text(SMALL.replace("filled < 9", "fild < 9"), encoding="utf-8")
    with pytest.raises(RulesError, match=r'parent\.rules:10:5: there is no "fild"'):
        read_rules('game "Child" extends "parent"\n', folders=(tmp_path,))


def test_a_child_that_extends_itself_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "child.rules"
    path.write_text('game "Child" extends "child"\n', encoding="utf-8")
    with pytest.raises(RulesError, match="extends this game itself"):
        read_rules(path)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"sise": 4}, 'the game has no option "sise": did you mean "size"?'),
        ({"size": 5}, "option size cannot be 5: it must be 4, 6, 8 or 10"),
        ({"size": "big"}, "option size cannot be big"),
    ],
)
def test_an_unknown_option_is_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(UnknownOption, match=re.escape(said)):
        read_rules(Path(dsl.__file__).resolve().parent.parent / "rules" / "zola.rules", **options)


def test_a_variant_of_a_variant_whose_parent_is_missing(tmp_path: Path) -> None:
    """The mistake is in the rules between them; no other one follows from it."""
    (tmp_path / "wide.rules").write_text('game "Wide" extends "nowhere"\n\nreplace stuck draw\n', encoding="utf-8")
    with pytest.raises(RulesError) as refused:
        read_rules('game "Wider" extends "wide"\n\nreplace stuck mover loses\n', folders=(tmp_path,))
    (problem,) = refused.value.problems
    assert problem.message == 'there are no rules "nowhere"'
    assert problem.span.source.name.endswith("wide.rules")
