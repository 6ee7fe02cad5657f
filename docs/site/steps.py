"""Pictures for the tutorial: the board as each step leaves it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pysolve
from docs.site.blocks import Block, files_so_far
from pysolve.authoring import examples
from pysolve.display.scene import targets_of
from pysolve.dsl import RulesError

SIZE = 260


def pictures(document: Path, folder: Path) -> dict[int, str]:
    """Draws the game of each step, and returns the name of its picture by the last line of the step's block.

    A step that looks like the one before has no picture, nor has a text that is refused.
    """
    folder.mkdir(parents=True, exist_ok=True)
    found: dict[int, str] = {}
    before = ""
    for number, (block, files) in enumerate(files_so_far(document), 1):
        picture = _drawn(block, files)
        if picture and picture != before:
            name = f"{document.stem}-{number}.svg"
            (folder / name).write_text(picture, encoding="utf-8")
            found[block.last_line] = name
            before = picture
    return found


def _drawn(block: Block, files: dict[str, str]) -> str:
    """What a step adds: the position of its last example, or the initial one with the cells that can be moved to."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        try:
            game = pysolve.load(Path(folder, block.name or "my.rules"))
        except RulesError:
            return ""
        shown = [trial for trial in examples.trials(game) if f'example "{trial.example.name}"' in block.text]
        if shown and (position := shown[-1].position) is not None:
            played = shown[-1].example.play
            return position.svg(size=SIZE, last=position.named(played[-1]) if played else None)
        start = game.start()
        return start.svg(size=SIZE, targets=targets_of(start, None))
