"""Every regular expression of the sources reads a text in linear time, whatever the text.

In: the calls of `re` in the sources, the terminals of the grammar, the regular expressions of the page (web/src), and
those by which VS Code colours rules.  `recheck` (a package of web/) looks at each, as it is used: a pattern that is
only matched is tied to the beginning.  Out: those that a text can keep busy.
"""

import ast
import importlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pysolve.dsl.text.parser import parser

ROOT = Path(__file__).parents[1]
TIED = {"match": "^(?:{})", "fullmatch": "^(?:{})$"}
WAYS = (*TIED, "search", "split", "sub", "subn", "findall", "finditer")
# What reads no text of a stranger, or only a short one.
SPARED = {
    "pysolve/cli/console.py": "a word of more than a thousand signs is cut, and shorter ones are no work",
    "pysolve/ide/knowledge.py": "twenty names at most, of a line that is being written",
}
# Patterns that are made of what is known only later; each is looked at by hand.
MADE = {
    "dsl/check/moves.py": "names of parameters between a few brackets",
    "dsl/errors.py": "a word",
    "dsl/model/game.py": "bytes of a state: as long as the state",
    "dsl/text/merged.py": "the word of a section, and spaces before what is none",
    "dsl/forms.py": "what stands between the words of a move",
    "dsl/notation.py": "kind(a, b), and glyphs",
    "pysolve/cli/later.py": "sources of the package",
    "pysolve/ide/renaming.py": "a name",
    "pysolve/notation/matching.py": "words of a move",
    "pysolve/service/describing.py": "a name",
    "web/src/editor/language.ts": "the indentation of VS Code: words at the beginning of a line, and one look ahead",
    "web/src/export/position_text.ts": "glyphs in any order, with nothing behind them: read without a way back",
}

needs_recheck = pytest.mark.skipif(
    shutil.which("node") is None or not (ROOT / "web/node_modules/recheck").is_dir(),
    reason="needs node and the packages of web/",
)


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


def ways(trees: Iterable[ast.Module]) -> dict[str, set[str]]:
    """How each variable of some files is used that may hold a pattern."""
    found: dict[str, set[str]] = {}
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Attribute) and node.attr in WAYS:
            of = node.value.value if isinstance(node.value, ast.Subscript) else node.value
            for one in (of.body, of.orelse) if isinstance(of, ast.IfExp) else (of,):
                name = one.id if isinstance(one, ast.Name) else one.attr if isinstance(one, ast.Attribute) else ""
                found.setdefault(name, set()).add(node.attr)
    return found


@cache
def patterns() -> tuple[tuple[str, str, str], ...]:
    """Place, pattern and flags of each regular expression, in each way in which it is used."""
    return tuple(found_patterns())


def found_patterns() -> Iterator[tuple[str, str, str]]:
    files = list(sources())
    everywhere = ways(tree for _, tree in files)
    for place, tree in files:
        if place in SPARED:
            continue
        here = ways([tree])
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
            used = here if variable.startswith("_") else everywhere
            how = {call.func.attr} if call.func.attr != "compile" else used.get(variable, {"search"})
            for way in sorted(how):
                yield f"{place}:{call.lineno} ({way})", TIED.get(way, "{}").replace("{}", pattern), _flags(compiled)
    for terminal in parser().terminals:
        yield f"grammar.lark: {terminal.name}", TIED["match"].replace("{}", terminal.pattern.to_regexp()), ""


def of_the_page() -> Iterator[tuple[str, str, str]]:
    """The same of web/src: JavaScript's flags say how each is used."""
    for place, source, flags in json.loads(_node("regexes_of_page.mjs")):
        if source is None:
            assert place in MADE, f"{place}: a pattern that is made later: look at it, and list it"
        else:
            yield place, source, flags


def of_vs_code() -> Iterator[tuple[str, str, str]]:
    """The same of the TextMate grammar.  Each reads one line."""
    grammar = json.loads((ROOT / "editors/vscode/syntaxes/pysolve-rules.tmLanguage.json").read_text(encoding="utf-8"))
    waiting: list[Any] = [grammar]
    while waiting:
        node = waiting.pop()
        for key, inner in node.items() if isinstance(node, dict) else enumerate(node):
            if key in ("match", "begin", "while", "end"):
                yield f"TextMate grammar ({key})", inner, ""
            elif not isinstance(inner, str):
                waiting.append(inner)


def _node(script: str, given: str = "") -> str:
    return subprocess.run(["node", str(ROOT / "tests" / script)], input=given, capture_output=True, text=True,
                          check=True).stdout  # fmt: skip


def _flags(pattern: re.Pattern[Any]) -> str:
    return "".join(sign for sign, flag in (("i", re.I), ("m", re.M), ("s", re.S)) if pattern.flags & flag)


def as_javascript(pattern: str) -> str:
    return re.sub(r"\(\?[ims]+\)", "", pattern.replace("(?P<", "(?<"))


@pytest.mark.slow
def test_patterns_that_are_made_later_are_known() -> None:
    assert len(patterns()) > 200


@pytest.mark.slow
@needs_recheck
def test_no_text_keeps_a_regular_expression_busy() -> None:
    ours = [(place, as_javascript(pattern), flags) for place, pattern, flags in patterns()]
    said = _node("regexes.mjs", json.dumps([*ours, *of_the_page(), *of_vs_code()]))
    assert not said, said


@pytest.mark.slow
@needs_recheck
def test_the_page_and_vs_code_are_read_for_patterns() -> None:
    page, vs_code = list(of_the_page()), list(of_vs_code())
    assert {place.split("/")[2] for place, _, _ in page} >= {"editor", "export", "means"}
    assert len(page) > 50
    assert len(vs_code) > 20


@pytest.mark.slow
@needs_recheck
def test_a_pattern_that_a_text_keeps_busy_is_found() -> None:
    busy = [r"\s*#.*$", r"^[^,]*?(?=\s*(,|$|\s+because\b))", r"(\d+)(\d+)(\d+)$"]
    said = _node("regexes.mjs", json.dumps([[f"pattern {number}", one, ""] for number, one in enumerate(busy)]))
    assert said.count("degree polynomial") == len(busy), said
