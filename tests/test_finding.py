"""Rules that a text names: what rules extend, and the games of records, proofs and players.

In: names out of texts that a stranger may have written.  Out: only rules files beside the text, below it, and shipped
ones are read; of every other file nothing is shown, neither what is in it nor whether it is there.
"""

import os
from pathlib import Path

import pytest

import pysolve
from pysolve.dsl import NoRules, RulesError, named_source, stays_inside
from pysolve.dsl.text.sources import is_rules
from pysolve.game import UnknownGame
from pysolve.lab.proofs import Proof
from pysolve.lab.proofs import game_of as game_of_proof
from pysolve.notation import record as records
from pysolve.players.functions import UnknownPlayer, player
from tests.test_cli import refused, run

SECRET = "root:x:0:0:topsecret"
CHILD = 'game "Child" extends "{}"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with rules, beside a secret and beside rules that lie outside of it."""
    (tmp_path / "secret").write_text(SECRET + "\n")
    (tmp_path / "outer.rules").write_text('game "Outer" extends "zola"\n\nevaluate\n  topsecret 1 : wrong(me)\n')
    inside = tmp_path / "inside"
    (inside / "below").mkdir(parents=True)
    (inside / "other.rules").write_text('game "Other" extends "zola"\n')
    (inside / "below" / "lower.rules").write_text('game "Lower" extends "zola"\n')
    (inside / "notes.txt").write_text(f"move the {SECRET}\nlevel 3\n")
    (inside / "notes.rules").write_text(f"# {SECRET}\n\n{SECRET}\n")
    (inside / "picture.rules").write_bytes(b"\x89PNG\n" + SECRET.encode() + b"\xff\n")
    return inside


def answer(folder: Path, parent: str) -> str:
    """What is said about a child of this parent; empty if it is read."""
    child = folder / "child.rules"
    child.write_text(CHILD.format(parent), encoding="utf-8")
    try:
        pysolve.load(child)
    except RulesError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("parent", ["other", "other.rules", "./other", "below/lower", "below/../other", "hex-swap"])
def test_rules_beside_below_and_shipped_are_found(folder: Path, parent: str) -> None:
    assert answer(folder, parent) == ""


@pytest.mark.parametrize(
    "parent",
    ["/etc/passwd", "../secret", "../outer", "../outer.rules", "{root}/secret", "{root}/outer", "below/../../secret",
     "/dev/zero", "../nothing", "/nothing", "..", "below/../.."],
)  # fmt: skip
def test_what_lies_outside_is_neither_read_nor_known(folder: Path, parent: str) -> None:
    found = answer(folder, parent.format(root=folder.parent))
    assert "leads out of the folder of this file" in found
    assert "topsecret" not in found
    assert "root:" not in found


@pytest.mark.parametrize("target", ["secret", "outer.rules"])
def test_a_link_that_leads_outside_is_refused(folder: Path, target: str) -> None:
    (folder / "link.rules").symlink_to(folder.parent / target)
    assert "leads out of the folder of this file" in answer(folder, "link")
    (folder / "up").symlink_to(folder.parent, target_is_directory=True)
    assert "leads out of the folder of this file" in answer(folder, f"up/{target}")
    (folder / "same.rules").symlink_to(folder / "other.rules")
    assert answer(folder, "same") == ""


@pytest.mark.parametrize("parent", ["notes.txt", "notes", "picture", "notes.rules"])
def test_nothing_is_shown_of_what_is_no_rules_file(folder: Path, parent: str) -> None:
    found = answer(folder, parent)
    assert "is not a rules file" in found
    assert "topsecret" not in found


@pytest.mark.parametrize("parent", ["x" * 5000, "a/" * 2000, "below", "", "*", "zola\x00"])
def test_strange_names_are_refused_in_words(folder: Path, parent: str) -> None:
    assert answer(folder, parent).startswith(str(folder / "child.rules"))


def test_a_misspelt_parent_is_answered_with_the_nearest(folder: Path) -> None:
    assert 'did you mean "other"?' in answer(folder, "othr")
    assert 'did you mean "blockade"?' in answer(folder, "blokade")


def test_links_in_a_circle_are_no_rules(folder: Path) -> None:
    (folder / "a.rules").symlink_to(folder / "b.rules")
    (folder / "b.rules").symlink_to(folder / "a.rules")
    with pytest.raises(NoRules):
        named_source("a", (folder,))


def test_a_child_is_read_again_when_its_parent_becomes_something_else(folder: Path) -> None:
    assert answer(folder, "other") == ""
    (folder / "other.rules").write_text(SECRET)
    assert "is not a rules file" in answer(folder, "other")


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ('game "A"\n', True),
        ('# a comment\n\noption size = 3\ngame "A"\n', True),
        ("", False),
        ("# only a comment", False),
        ("move the root\n", False),
        ('  game "A"\n', False),
        ("games\ngame of go\n", False),
        ('root:x:0\ngame "A"\n', False),
    ],
)
def test_what_begins_as_rules_do(text: str, rules: bool) -> None:
    assert is_rules(text) is rules


def test_names_that_go_up() -> None:
    assert all(map(stays_inside, ["zola", "a/b.rules", "a..b", "./x", ""]))
    assert not any(map(stays_inside, ["/x", "..", "../x", "a/../x", "C:\\x", "a\\..\\x"]))


# ----------------------------------------------------------------------------------- records, proofs, players


@pytest.mark.parametrize("game", ["/etc/passwd", "../secret", "{root}/secret", "notes.txt", "notes"])
def test_a_record_shows_nothing_of_other_files(folder: Path, game: str) -> None:
    record = folder / "game.txt"
    record.write_text(f'[Game "{game.format(root=folder.parent)}"]\n\n1. a1\n', encoding="utf-8")
    said = refused("replay", str(record))
    assert "leads out of the folder" in said or "is not a rules file" in said
    assert "topsecret" not in said
    assert "root:" not in said


@pytest.mark.slow
def test_a_record_finds_rules_beside_it_and_shipped_ones(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for game in ("other", "other.rules", "below/lower.rules", "zola", str(folder / "other.rules")):
        assert records.game_of(records.Record(game, {}, ""), folder).players == ("Red", "Blue")
    monkeypatch.chdir(folder)
    assert records.game_of(records.Record("below/lower", {}, ""), Path("elsewhere")).title == "Lower"


def test_a_proof_shows_nothing_of_other_files(folder: Path) -> None:
    with pytest.raises(UnknownGame, match="leads out of the folder"):
        game_of_proof(Proof("../secret", {}, "", "", ()), folder)


@pytest.mark.parametrize("rules", ["notes.txt", "notes", "{root}/secret", "../secret"])
def test_a_player_shows_nothing_of_what_is_no_rules_file(
    folder: Path, rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    who = player(f"greedy:by={rules.format(root=folder.parent)}", 1)
    with pytest.raises((UnknownGame, UnknownPlayer)) as caught:
        who(pysolve.load("zola", size=4).start())
    assert "is not a rules file" in str(caught.value)
    assert "topsecret" not in str(caught.value)


@pytest.mark.slow
def test_a_player_thinks_by_a_rules_file_of_the_user_wherever_it_lies(folder: Path) -> None:
    position = pysolve.load("zola", size=4).start()
    assert player(f"greedy:by={folder / 'other.rules'}", 1)(position) in position.legal_moves


def test_a_player_out_of_a_record_thinks_by_no_file_elsewhere(folder: Path) -> None:
    record = folder / "game.txt"
    by = folder.parent / "outer.rules"
    record.write_text(f'[Game "zola"]\n[Options "size=4"]\n[Red "greedy:by={by}"]\n\n1. a1xb1\n', encoding="utf-8")
    result = run("play", "--resume", str(record), "-q", stdin="quit\n")
    assert result.exit_code == 2
    assert "a record cannot name the player" in result.stderr
    assert "topsecret" not in result.stderr


def test_tune_writes_a_variant_only_where_it_can_be_read(folder: Path) -> None:
    said = refused("tune", str(folder / "other.rules"), "-o", str(folder / "below" / "tuned.rules"), "--games", "2")
    assert "in its own folder or below it" in said
    assert not os.path.exists(folder / "below" / "tuned.rules")


@pytest.mark.parametrize(
    "name", [5000 * "x", 5000 * "x" + ".rules", 3000 * "a/" + "b.rules", 300 * "x", "a\0b", "a\0b/c"]
)
def test_a_name_that_no_file_can_have_is_no_game(name: str) -> None:
    with pytest.raises(pysolve.UnknownGame, match=r'^there (are no rules|is no file|is no folder) "'):
        pysolve.load(name)
