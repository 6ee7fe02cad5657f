"""Prolog as text: clauses, control structures, atoms.  Knows nothing of games."""

from __future__ import annotations

import re
from collections.abc import Iterable


def call(predicate: str, args: list[str]) -> str:
    """A call of a predicate; without arguments just its name."""
    return f"{predicate}({', '.join(args)})" if args else predicate


def clause(head: str, goals: list[str]) -> str:
    """A clause, one goal a line; a comment goes behind its goal; variables used once get an underscore."""
    goals = [goal for goal in goals if goal != "true"] or []
    if not goals:
        return _mark_singletons(f"{head}.")
    lines = []
    for i, goal in enumerate(goals):
        code, _, note = goal.partition("\0")
        mark = "." if i == len(goals) - 1 else ","
        lines.append(f"    {indent(code, 4)}{mark}{note}")
    return _mark_singletons(f"{head} :-\n" + "\n".join(lines))


_WORD = re.compile(r"%[^\n]*|'(?:[^'\\]|\\.|'')*'|\b[A-Z]\w*|\b[a-z]\w*|_\w*")


def variables(goals: Iterable[str]) -> list[str]:
    """The variables of goals in order of appearance; words in quoted atoms and in comments are none."""
    words = _WORD.findall("\n".join(goals))
    return list(dict.fromkeys(word for word in words if word[:1].isupper()))


def _mark_singletons(text: str) -> str:
    counts: dict[str, int] = {}
    for found in _WORD.findall(text):
        if found[:1].isupper():
            counts[found] = counts.get(found, 0) + 1

    def mark(match: re.Match[str]) -> str:
        word = match.group()
        return f"_{word}" if counts.get(word) == 1 else word

    return _WORD.sub(mark, text)


def indent(text: str, by: int) -> str:
    """The text with every line but the first moved to the right."""
    return text.replace("\n", "\n" + " " * by)


def block(goals: list[str]) -> str:
    """Goals as one goal."""
    goals = [g.partition("\0")[0] for g in goals] or ["true"]
    if len(goals) == 1:
        return goals[0]
    return "(   " + ",\n    ".join(indent(g, 4) for g in goals) + "\n)"


def lines_of(goals: list[str]) -> str:
    """The goals as a conjunction, one on a line; `true` if there are none."""
    return ",\n    ".join(indent(g.partition("\0")[0], 4) for g in goals) or "true"


def negation(goals: list[str]) -> str:
    """The negation (`\\+`) of a conjunction."""
    return f"\\+ {indent(block(goals), 3)}"


def once(goals: list[str]) -> str:
    """A conjunction of which only the first solution counts."""
    return f"(   {lines_of(goals)}\n->  true\n)"


def choice(test: list[str], then: list[str], otherwise: list[str]) -> str:
    """An if-then-else of conjunctions."""
    return f"(   {lines_of(test) if test else 'true'}\n->  {lines_of(then)}\n;   {lines_of(otherwise)}\n)"


def either(bodies: list[list[str]]) -> str:
    """A disjunction of conjunctions of which only the first solution counts."""
    inner = "\n;   ".join(f"{lines_of(goals)}\n->  true" for goals in bodies)
    return f"(   {inner}\n)"


def findall(template: str, goals: list[str], into: str) -> str:
    """A `findall/3` of a conjunction, with the list in `into`."""
    return f"findall({template}, {indent(block(goals), 9 + len(template))}, {into})"


def quoted(word: str) -> str:
    """An atom, quoted whatever it is."""
    return "'" + escaped(word.replace("\\", "\\\\").replace("'", "\\'")) + "'"


def escaped(text: str) -> str:
    """The text with every character that does not print as in a quoted atom (`\\xa\\`): it cannot end a line."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else f"\\x{_code(sign):x}\\" for sign in text)


def _code(sign: str) -> int:
    """The number of a character; a lone surrogate, as in a file name that is no UTF-8, is no character of Prolog."""
    return 0xFFFD if 0xD800 <= ord(sign) <= 0xDFFF else ord(sign)


def camel(name: str) -> str:
    """A name in CamelCase: `my_name` as `MyName`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def comment(span_line: int, text: str) -> str:
    """A comment with a line of the rules and its words."""
    return f"% {span_line}: {one_line(text)}"


def one_line(text: str) -> str:
    """The words of a text on one line, as a comment needs them."""
    return escaped(" ".join(text.split()))
