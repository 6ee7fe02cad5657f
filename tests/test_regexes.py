"""Every regular expression of the sources reads a text in linear time, whatever the text.

In: the calls of `re` in the sources, and the terminals of the grammar.  `recheck` (a package of web/) looks at each, as
it is used: a pattern that is only matched is tied to the beginning.  Out: those that a text can keep busy.
"""

import ast
import importlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pysolve.dsl.text.parser import parser

ROOT = Path(__file__).parents[1]
TIED = {"match": "^(?:{})", "fullmatch": "^(?:{})$"}
WAYS = (*TIED, "search", "split", "sub", "subn", "findall", "finditer")
# What reads no text of a stranger, or only a short one.
SPARED = {
    "dsl/to_prolog/text.py": "printed clauses, whose quotes are closed",
    "dsl/to_prolog/unfolded.py": "names in printed clauses: they are short",
    "pysolve/cli/console.py": "a word of more than a thousand signs is cut, and shorter ones are no work",
    "pysolve/editor/knowledge.py": "twenty names at most, of a line that is being written",
}
# Patterns that are made of what is known only later; each is looked at by hand.
MADE = {
    "dsl/check/moves.py": "names of parameters between a few brackets",
    "dsl/errors.py": "a word",
    "dsl/model/game.py": "bytes of a state: as long as the state",
    "dsl/model/notation.py": "forms of moves, and glyphs",
    "pysolve/cli/later.py": "sources of the package",
    "pysolve/editor/renaming.py": "a name",
    "pysolve/fitting.py": "words of a move",
    "pysolve/service/describing.py": "a name",
}


def sources() -> Iterator[tuple[str, ast.Module]]:
    for folder in ("dsl", "pysolve"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            place = file.relative_to(ROOT).as_posix()
            if not place.startswith(("pysolve/dsl/", "pysolve/page/")) and file.name != "__main__.py":
                yield place, ast.parse(file.read_text(encoding="utf-8"))


def module_of(place: str) -> str:
    name = place.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return name if name.startswith("pysolve") else f"pysolve.{name}"


def calls(tree: ast.Module) -> Iterator[tuple[ast.Call, str]]:
    """The calls of `re` that take a pattern, and the variable that a compiled one is kept in."""
    kept = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            kept |= dict.fromkeys(ast.walk(node.value), node.targets[0].id)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            of_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
            if of_re and node.func.attr in (*WAYS, "compile"):
                yield node, kept.get(node, "")


def ways(trees: list[ast.Module]) -> dict[str, set[str]]:
    """How each variable is used that may hold a pattern."""
    found: dict[str, set[str]] = {}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in WAYS:
                of = node.value.value if isinstance(node.value, ast.Subscript) else node.value
                name = of.id if isinstance(of, ast.Name) else of.attr if isinstance(of, ast.Attribute) else ""
                found.setdefault(name, set()).add(node.attr)
    return found


def patterns() -> Iterator[tuple[str, str, str]]:
    """Place, pattern and flags of each regular expression, in each way in which it is used."""
    files = list(sources())
    used = ways([tree for _, tree in files])
    for place, tree in files:
        if place in SPARED:
            continue
        for call, variable in calls(tree):
            assert isinstance(call.func, ast.Attribute)
            try:
                known = vars(importlib.import_module(module_of(place)))
                pattern = eval(compile(ast.Expression(call.args[0]), place, "eval"), dict(known))
                compiled = re.compile(pattern)
                pattern = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
            except Exception:
                assert place in MADE, f"{place}:{call.lineno}: a pattern that is made later: look at it, and list it"
                continue
            how = {call.func.attr} if call.func.attr != "compile" else used.get(variable, {"search"})
            for way in sorted(how):
                yield f"{place}:{call.lineno} ({way})", TIED.get(way, "{}").replace("{}", pattern), _flags(compiled)
    for terminal in parser().terminals:
        yield f"grammar.lark: {terminal.name}", TIED["match"].replace("{}", terminal.pattern.to_regexp()), ""


def _flags(pattern: re.Pattern[Any]) -> str:
    return "".join(sign for sign, flag in (("i", re.I), ("m", re.M), ("s", re.S)) if pattern.flags & flag)


def as_javascript(pattern: str) -> str:
    return re.sub(r"\(\?[ims]+\)", "", pattern.replace("(?P<", "(?<"))


@pytest.mark.slow
def test_patterns_that_are_made_later_are_known() -> None:
    assert len(list(patterns())) > 200


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("node") is None or not (ROOT / "web/node_modules/recheck").is_dir(),
    reason="needs node and the packages of web/",
)
def test_no_text_keeps_a_regular_expression_busy() -> None:
    asked = [(place, as_javascript(pattern), flags) for place, pattern, flags in patterns()]
    said = subprocess.run(["node", str(ROOT / "tests/regexes.mjs")], input=json.dumps(asked), capture_output=True,
                          text=True, check=True)  # fmt: skip
    assert not said.stdout, said.stdout
