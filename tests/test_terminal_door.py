"""What leaves for a terminal holds no control characters of texts from outside, and no markup is carried out.

In: files, positions, records, options and moves that try to drive a terminal.  Out: their signs by number.
"""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pysolve import cli
from pysolve.cli.console import complain, visible
from pysolve.dsl.player_texts import UnknownPlayer

EVIL = "\x1b]0;seized\x9b31m\u202eabc\x7f[red]x"
SHOWN = "\\u001b]0;seized\\u009b31m\\u202eabc\\u007f[red]x"
OBEYED = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[2])}


def run(*arguments: str, folder: Path, typed: str = "") -> tuple[int, str]:
    """The exit status of a command, and all that it prints."""
    command = [sys.executable, "-m", "pysolve", *arguments]
    environment = {**ENVIRONMENT, "NO_COLOR": "1", "COLUMNS": "400"}
    done = subprocess.run(command, cwd=folder, env=environment, input=typed.encode(), capture_output=True,
                          timeout=300, check=False)  # fmt: skip
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return done.returncode, (done.stdout + done.stderr).decode()


def on_a_terminal(*arguments: str, folder: Path) -> str:
    """What a command writes on a terminal."""
    ours, theirs = pty.openpty()
    environment = {**ENVIRONMENT, "TERM": "xterm-256color", "COLUMNS": "200"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen([sys.executable, "-m", "pysolve", *arguments], cwd=folder, env=environment,
                               stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)  # fmt: skip
    os.close(theirs)
    found = b""
    try:
        while part := os.read(ours, 65536):
            found += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    process.wait(timeout=300)
    return found.decode()


QUICK = [("check", "evil.rules"), ("why", "zola", EVIL)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(arguments, marks=[] if arguments in QUICK else pytest.mark.slow)
        for arguments in (
            ("check", f"{EVIL}.rules"),
            ("check", "evil.rules"),
            ("moves", f"{EVIL}"),
            ("moves", "zola", f"{EVIL}=5"),
            ("moves", "zola", f"size={EVIL}"),
            ("moves", "zola", "--position", EVIL),
            ("moves", "zola", "--position", "position.txt"),
            ("why", "zola", EVIL),
            ("query", "zola", EVIL),
            ("replay", "evil.record"),
            ("replay", "tag.record"),
            ("match", "zola", EVIL, "random", "--games", "1"),
            ("fmt", "evil.rules"),
            (EVIL,),
            (f"--{EVIL}",),
            ("moves", f"--{EVIL}", "zola"),
            ("perft", "zola", "--depth", EVIL),
            ("new", EVIL),
        )
    ],
    ids=lambda arguments: "_".join(re.sub(r"\W", "", word) for word in arguments),
)
def test_messages_show_control_characters_by_number(arguments: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / f"{EVIL}.rules").write_text("game", encoding="utf-8")
    (tmp_path / "evil.rules").write_text(f'game "{EVIL}" {EVIL}\nplayers A, {EVIL}\n', encoding="utf-8")
    (tmp_path / "position.txt").write_text(f"Red {EVIL}", encoding="utf-8")
    (tmp_path / "evil.record").write_text(f'[Game "zola"]\n\n1. {EVIL}\n', encoding="utf-8")
    (tmp_path / "tag.record").write_text(f'[Game "{EVIL}"]\n', encoding="utf-8")
    status, said = run(*arguments, folder=tmp_path)
    assert status in (1, 2)
    assert not OBEYED.search(said), said


def test_a_message_does_not_repeat_a_name_of_thousands_of_letters(capsys: pytest.CaptureFixture[str]) -> None:
    complain(OSError(36, "File name too long", 5000 * "x"))
    said = "".join(capsys.readouterr().err.split("\n"))
    assert said == f"pysolve: {80 * 'x'}…{59 * 'x'}: File name too long"
    complain(UnknownPlayer(f'there is no player "{5000 * "x"}": players are random'))
    assert len(capsys.readouterr().err) < 250
    complain(OSError(2, "No such file", 500 * "x"))
    assert "".join(capsys.readouterr().err.split("\n")) == f"pysolve: {500 * 'x'}: No such file"


def test_on_a_terminal_only_rich_moves_the_cursor(tmp_path: Path) -> None:
    (tmp_path / "evil.rules").write_text(f'game "Evil" # {EVIL}\nplayers A # {EVIL}\n', encoding="utf-8")
    said = on_a_terminal("check", "evil.rules", folder=tmp_path)
    assert SHOWN in said, "the line of the rules, by its words; [red] is a word, too"
    assert "\x1b[" in said, "colours are seen on a terminal"
    assert not OBEYED.search(re.sub(r"\x1b\[[\d;]*m", "", said).replace("\r\n", "\n"))


@pytest.mark.slow
def test_rules_laid_out_are_exact_in_a_file_and_shown_on_a_terminal(tmp_path: Path) -> None:
    text = f'game "Remarks"  # {EVIL}\n'
    status, said = run("fmt", "-", folder=tmp_path, typed=text)
    assert status == 0
    assert EVIL in said
    (tmp_path / "a.rules").write_text(text.replace("  #", " #"), encoding="utf-8")
    assert SHOWN in on_a_terminal("fmt", "--diff", "a.rules", folder=tmp_path)


@pytest.mark.slow
def test_json_stays_json(tmp_path: Path) -> None:
    path = tmp_path / f"{EVIL}.rules"
    path.write_text(f'game "{EVIL}"\n', encoding="utf-8")
    _, said = run("check", "--json", path.name, folder=tmp_path)
    assert not OBEYED.search(said)
    assert json.loads(said), "the message stays JSON"
    for text in (EVIL, "a\nb\tc", "é🂡"):
        assert json.loads(visible(json.dumps(text, ensure_ascii=False))) == text


def test_only_the_console_prints() -> None:
    folder = Path(cli.__file__).parent
    printing = re.compile(r"(?<![\w.])print\(|\becho\(|std(?:out|err)\.write\(|\bConsole\(")
    found = {path.name for path in folder.glob("*.py") if printing.search(path.read_text(encoding="utf-8"))}
    assert found == {"console.py"}
