"""Rules as texts: what is wrong with them, how they are formatted, where new ones begin.

In: texts, names.  Out: problems with their places and cures; descriptions; texts.
"""

from __future__ import annotations

from typing import Any

from pysolve.authoring import examples, templates
from pysolve.dsl import Problem, RulesError, Source, fits_in_text
from pysolve.dsl.errors import choices, listed
from pysolve.dsl.text.sources import SUFFIX
from pysolve.game import find_named
from pysolve.ide.understanding import meanings, problem_of
from pysolve.service.cards import shipped_cards
from pysolve.service.describing import description
from pysolve.service.games import Opened
from pysolve.service.question import Asked
from pysolve.service.refused import Refused


def check(asked: Asked) -> dict[str, Any]:
    """The mistakes of a rules text; if there are none, the description of its game."""
    name, text, options = asked["name"], asked["text"], asked["options"]
    own = asked.games.source(name, text)
    try:
        opened = asked.games.checked(name, text, options)
    except RulesError as error:
        problems = [_problem(asked, one, name, own) for one in error.problems]
        return {"problems": problems, "options": options, "game": None}
    return {"problems": _warnings(opened), "options": opened.options, "game": description(opened)}


def understand(asked: Asked) -> dict[str, Any]:
    """The meaning and the places of each name of a rules text, which may have mistakes."""
    name, own = asked["name"], asked.games.source(asked["name"], asked["text"])
    nothing: dict[str, Any] = {"problems": [], "names": [], "mentions": [], "untyped": [], "types": {}}
    try:
        found = asked.games.understood(name, asked["text"])
    except RulesError as error:  # nothing of it can be read
        return nothing | {"problems": [_problem(asked, one, name, own) for one in error.problems]}
    problems = [_problem(asked, one, name, own) for one in found.problems]
    return {"problems": problems, **meanings(found, lambda span: asked.games.shown_name(span.source, name, own.name))}


def format_text(asked: Asked) -> dict[str, Any]:
    """A rules text as `pysolve fmt` writes it."""
    from pysolve.dsl.text.fmt import format_rules  # the parser: most questions need none

    source = Source("rules", asked["text"].replace("\r\n", "\n"))
    try:
        return {"text": format_rules(source.text), "problems": []}
    except RulesError as error:
        return {"text": None, "problems": [_problem(asked, one, "rules", source) for one in error.problems]}


def open_rules(asked: Asked) -> dict[str, Any]:
    """The text of a shipped game, or of a file in the folder."""
    return {"name": asked["name"], "text": asked.games.named(asked["name"]).text, "digest": ""}


def shipped_text(name: str) -> str:
    """The rules of a shipped game; raises `UnknownGame`."""
    return find_named(name)[0].text


def begin(asked: Asked) -> dict[str, Any]:
    """Rules to begin with: a template, a variant of other rules, or a copy of them."""
    title, given = asked["title"], [name for name in ("template", "extends", "like") if name in asked.given]
    if len(given) > 1:
        raise Refused("asked", f"new rules begin with one of template, extends and like, not with {listed(given)}")
    if not title.strip() or not fits_in_text(title):
        raise Refused("asked", "the title of a game is one line of text without quotation marks")
    if "extends" in asked.given:
        source = asked.games.named(asked["extends"])
        name = asked["extends"].removesuffix(SUFFIX)
        return {"text": templates.variant(asked.games.checked(asked["extends"], source.text, {}).game, title, name)}
    if "like" in asked.given:
        return {"text": templates.copy(asked.games.named(asked["like"]).text, title)}
    template = asked.get("template", templates.NAMES[0])
    if template not in templates.NAMES:
        raise Refused("asked", f'there is no template "{template}": there are {choices(templates.NAMES)}')
    return {"text": templates.from_template(template, title)}


def games(asked: Asked) -> dict[str, Any]:
    """The shipped games, as a gallery shows them."""
    return {"games": shipped_cards()}


# ---------------------------------------------------------------------------------------------- problems


def _problem(asked: Asked, problem: Problem, name: str, own: Source) -> dict[str, Any]:
    return problem_of(problem, lambda span: asked.games.shown_name(span.source, name, own.name))


def _warnings(opened: Opened) -> list[dict[str, Any]]:
    """Warnings about the examples."""
    return [_warning(opened, notice.line, notice.text) for notice in examples.notices(opened.game)]


def _warning(opened: Opened, line: int, text: str) -> dict[str, Any]:
    whole = opened.source.line(line)
    column = len(whole) - len(whole.lstrip()) + 1
    span = {"line": line, "column": column, "end_line": line, "end_column": max(column + 1, len(whole.rstrip()) + 1)}
    return {**span, "message": text, "hint": "", "severity": "warning", "source": opened.name, "cure": None}
