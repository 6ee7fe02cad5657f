"""The numbers that the page shares with Python: `python web/constants.py` writes web/src/generated/constants.ts.

Each stands in the module of Python to which it belongs; here is only which of them the page needs.
"""

from __future__ import annotations

import json
from ctypes import Structure
from pathlib import Path

from pysolve.display import scene
from pysolve.dsl import errors, forms
from pysolve.dsl.language import constants
from pysolve.engines import bindings, searches
from pysolve.engines import strong as asked
from pysolve.players import completion, functions
from pysolve.runtime import wire
from pysolve.search import mcts, strong
from pysolve.service import explaining, playing, scale, thinking

TARGET = Path(__file__).parent / "src" / "generated" / "constants.ts"
SHARED = {
    constants: "NOTHING BACK EXACT LOWER UPPER WINDOW NO_ROOM MISTAKE UNSOUND UNKNOWN BEGINS MOST_LISTED WIN DEEPEST "
    "ONE FINE COUNTED CUT_BY_STEPS DEEP FEW VALUE_UNIT",
    errors: "MOST_CHOICES",
    bindings: "STEPS",
    functions: "DEPTH PLAYOUTS",
    mcts: "EXPLORE EXPLORE_ALONE BIAS GRAVE EVEN PRIOR PUCT",
    forms: "MOST_STEPS",
    completion: "MOST_POSITIONS",
    scene: "COLOURS LIFT HIGHEST FLAT TALL FOOT MOST_SAID MOST_DRAWN",
    explaining: "MOST_READINGS MOST_EXPLAINED",
    playing: "MOST_PREVIEWED",
    scale: "FARTHEST",
    thinking: "MOST_SECONDS MOST_THINKING MOST_LINES REVIEWED FALLS SOLVING DEEPEST_COUNT",
    wire: "LONG",
}


def content() -> str:
    """What constants.ts holds."""
    found = {name: getattr(module, name) for module, names in SHARED.items() for name in names.split()}
    found |= {name: hex(getattr(constants, name)) for name in ("ODD", "MIX", "MIX_AGAIN")}  # of 64 bits
    found |= {"CONTROL": _words(bindings.Control), "SETTINGS": searches.SETTINGS, "FOUND": searches.FOUND}
    found |= {"STRONG": asked.NUMBERS, "TECHNIQUES": strong.DEFAULT._asdict(), "MOST_OF_TECHNIQUE": strong.MOST}
    found |= {"UNCHANGED": strong.UNCHANGED, "LEAST": asked.LEAST}
    lines = (f"export const {name} = {_in_typescript(value)};\n" for name, value in found.items())
    return "/** Numbers that the page shares with Python: written by web/constants.py. */\n\n" + "".join(lines)


def _in_typescript(value: object) -> str:
    if isinstance(value, float) and not value.is_integer():
        return repr(value)
    return f"{int(value):_}" if isinstance(value, int | float) else json.dumps(value) + " as const"


def _words(block: type[Structure]) -> list[str]:
    """The names of the words of a block, those of the blocks within it too."""
    return [name for field, kind, *_ in block._fields_
            for name in (_words(kind) if issubclass(kind, Structure) else [field])]  # fmt: skip


if __name__ == "__main__":
    TARGET.write_text(content(), encoding="utf-8", newline="\n")
