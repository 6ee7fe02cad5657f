"""Rules to begin with: a small complete game, a copy of another, a variant that changes nothing yet.

In: a title, and what it is to be like.  Out: a rules text to be changed.
"""

from __future__ import annotations

import re

from pysolve.dsl import fits_in_text
from pysolve.game import Game, UnknownGame, option_word
from pysolve.runtime.paths import TEMPLATES

NAMES = ("blank", "placement", "moving", "variant")  # of templates


def from_template(template: str, title: str) -> str:
    """The text of a template under a title."""
    text = (TEMPLATES / f"{template}.rules").read_text(encoding="utf-8")
    return text.replace('"My game"', f'"{title}"', 1)


def copy(text: str, title: str) -> str:
    """The text of rules with another title."""
    return re.sub(r'(?m)^game +"[^"\n]*"', lambda _: f'game "{title}"', text, count=1)


def variant(parent: Game, title: str, name: str) -> str:
    """The rules of a variant that changes nothing yet; `name` is that of the file of its parent."""
    if not fits_in_text(name):
        raise UnknownGame(f'"{name}" cannot be written in quotes in rules; rename the file')
    options = [f"replace option {one.name} = {option_word(one, one.value)} in …" for one in parent.model.options]
    kinds = [f"extend move {action.name}" for action in parent.model.actions]
    lines = [
        f'game "{title}" extends "{name}"',
        f'  about "{parent.title}, but …"',
        "",
        "# A section with a new name is added.  To change a section of the parent, write extend with what is added, or",
        "# replace with the whole new section; to delete it, write remove with its kind and name.  For example:",
        *(f"#   {line}" for line in [*options, "replace board …", *kinds, "extend end"]),
        f"# To see the rules of the parent:  pysolve new another --like {name}",
        "",
        "# Examples are not inherited, because they may no longer hold.",
        'example "the first moves"',
        f"  moves {len(parent.start().possible_moves)}",
        "",
    ]
    return "\n".join(lines)
