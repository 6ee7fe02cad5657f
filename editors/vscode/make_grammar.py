"""The TextMate grammar of the rules language, from the words of grammar.lark.

    .venv/bin/python editors/vscode/make_grammar.py      writes syntaxes/pysolve-rules.tmLanguage.json

It colours a file before the language server has read it, and where there is none.  So it knows words and no meanings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pysolve.dsl import words as language
from pysolve.dsl.text.parser import grammar

TARGET = Path(__file__).parent / "syntaxes" / "pysolve-rules.tmLanguage.json"
NAME = r"[A-Za-z]\w*"
DECLARING = ("option", "type", "table", "define", "effect", "move", "chance", "level", "mark", "tell")
# Words of the grammar that are names, too: they are coloured only where a line, or a phrase of theirs, begins.
_PHRASE = re.compile(r"^_?[A-Z]+\.10: /([a-z]+)(\(\?=.*\))/$", re.MULTILINE)


def content() -> str:
    """The grammar as the file has it."""
    groups = language.words()
    patterns = [_drawings(), {"include": "#comment"}, _moves(groups["example"]), _heads(groups["sections"]),
                {"include": "#looks"}, {"include": "#phrase"}]  # fmt: skip
    grammar = {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "pysolve rules",
        "scopeName": "source.pysolve-rules",
        "patterns": patterns,
        "repository": {
            "comment": _match("comment.line.number-sign", "#.*"),
            "string": _match("string.quoted.double", r'"[^"\n]*"?'),
            "looks": _looks(groups),
            "phrase": {"patterns": _phrase(groups)},
        },
    }
    return json.dumps(grammar, ensure_ascii=False, indent=1) + "\n"


def _match(scope: str, pattern: str) -> dict[str, Any]:
    return {"name": f"{scope}.pysolve-rules", "match": pattern}


def _any(words: Iterable[str]) -> str:
    """One of some words, the longest first."""
    return f"(?:{'|'.join(sorted(words, key=lambda word: (-len(word), word)))})"


def _drawings() -> dict[str, Any]:
    """`shape` and `position`: what is indented under them is a picture, in which # begins no comment."""
    return {
        "begin": r"^( *)(shape|(?:setup +)?position)\b(.*)$",
        "while": r"^(?:\1 +|\s*$)",
        "beginCaptures": {
            "2": {"name": "keyword.control.pysolve-rules"},
            "3": {"patterns": [{"include": "#comment"}, {"include": "#phrase"}]},
        },
        "contentName": "string.unquoted.drawing.pysolve-rules",
    }


def _moves(example: Iterable[str]) -> dict[str, Any]:
    """Lines of an example that list moves."""
    lists = [word for word in example if word in ("play", "legal", "illegal")]
    inner = [
        {"include": "#comment"}, {"include": "#string"}, _match("keyword.control", r"\bbecause\b"),
        _match("punctuation.separator", ","),
        _match("entity.name.label", r'[^\s,#"]+(?:\s+(?!because\b)[^\s,#"]+)*'),
    ]  # fmt: skip
    return {
        "match": rf"^(\s+)({_any(lists)})\b(.*)$",
        "captures": {"2": {"name": "keyword.control.pysolve-rules"}, "3": {"patterns": inner}},
    }


def _heads(sections: Iterable[str]) -> dict[str, Any]:
    """The head of a section, with the name that it declares."""
    return {
        "match": rf"^(?:(replace|remove|extend)\s+)?({_any(sections)})\b(?:\s+({NAME})(?=\s*[(=:,]|\s|$))?",
        "captures": {
            "1": {"name": "keyword.declaration.pysolve-rules"},
            "2": {"name": "keyword.declaration.pysolve-rules"},
            "3": {"patterns": [
                _match("entity.name.function", rf"(?<=\b{_any(DECLARING)}\s){NAME}"), {"include": "#phrase"}
            ]},
        },
    }  # fmt: skip


def _looks(groups: dict[str, list[str]]) -> dict[str, Any]:
    """Colours and shapes behind the text that is drawn."""
    looks = _any([*groups["colours"], *groups["shapes"], *groups["sizes"]])
    return {
        "match": rf'("[^"\n]*"|\bnumber)((?:\s+{looks}\b)+)',
        "captures": {
            "1": {"patterns": [{"include": "#string"}, _match("keyword.other", r"\bnumber\b")]},
            "2": {"name": "support.constant.color.pysolve-rules"},
        },
    }


def _phrase(groups: dict[str, list[str]]) -> list[dict[str, Any]]:
    """What stands in lines of every section."""
    heads = {word for group in ("header", "board", "move", "chance", "statements", "stuck", "show", "example")
             for word in groups[group]}  # fmt: skip
    found = _PHRASE.findall(grammar())
    phrases, known = [f"{word}{_up_to_next(word, behind)}" for word, behind in found], {word for word, _ in found}
    constants = [word for word in groups["names"] if word not in ("mover", "opponent", "me", "you", "turns")]
    return [
        {"include": "#comment"},
        {"include": "#string"},
        _match("keyword.control", rf"^\s+{_any(heads - known)}\b(?!\s*[(:]|\s*:=)"),
        _match("keyword.control", rf"\b(?:{'|'.join(phrases)})"),
        _match("keyword.control", rf"\b{_any(set(groups['reserved']) - known)}\b"),
        _match("keyword.control", rf"(?<=\bboard ){_any(groups['boards'])}\b|(?<=\bhex ){_any(groups['hexagons'])}\b"),
        _match("keyword.control", r"\b(?:by|as|extends)\b|(?<=\w )(?:wins|loses)\b"),
        _match("support.type", rf"\b{_any(groups['types'])}\b"),
        _match("support.function", rf"\b{_any(groups['functions'])}(?=\s*\()"),
        _match("constant.language", rf"\b{_any([*constants, *groups['directions']])}\b"),
        _match("variable.language", r"\b(?:mover|opponent|me|you|turns)\b"),
        _match("constant.numeric", r"\b\d+\b"),
        _match("keyword.operator", "|".join(re.escape(sign) for sign in groups["signs"] if sign not in ",(){}")),
        _match("entity.name.function", rf"\b{NAME}(?=\()"),
    ]


def _up_to_next(word: str, behind: str) -> str:
    """What stands behind a word, up to the same word: so a line is read once, not once for each of them."""
    for many, but in (("[^\\n]*", "(?:(?!\\b{} )[^\\n])*"), ("( +[A-Za-z]", "( +(?!{} )[A-Za-z]")):
        behind = behind.replace(many, but.format(word))
    return behind


if __name__ == "__main__":
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(content(), encoding="utf-8", newline="\n")
