"""The rules language for Pygments, so that documents, notebooks and rich show rules in colour.

In: a rules text.  Out: tokens of Pygments.  It is found by its name, `pysolve-rules`, and by the ending of files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pygments import token as t
from pygments.lexer import Lexer

from pysolve.dsl.text.sources import is_rules
from pysolve.ide.tokens import tokens

LOOKS = {
    "heading": t.Keyword.Declaration,
    "keyword": t.Keyword,
    "declared": t.Name.Function,
    "kind": t.Keyword.Type,
    "given": t.Name.Builtin,
    "look": t.Name.Constant,
    "string": t.String,
    "number": t.Number.Integer,
    "comment": t.Comment.Single,
    "drawing": t.String.Symbol,
    "move": t.Name.Label,
    "operator": t.Operator,
    "sign": t.Punctuation,
    "name": t.Name,
}


class RulesLexer(Lexer):  # type: ignore[misc]  # Pygments has no types
    """Rules of a board game."""

    name = "pysolve rules"
    aliases: ClassVar[list[str]] = ["pysolve-rules", "rules"]
    filenames: ClassVar[list[str]] = ["*.rules"]
    url = "https://github.com/pysolve-games/pysolve"

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, t._TokenType, str]]:
        """Each token with its place in the text, and the spaces between them."""
        at = begin = 0
        lines = text.split("\n")
        for line, found in zip(lines, tokens(lines), strict=True):
            for one in found:
                if begin + one.start > at:
                    yield at, t.Whitespace, text[at : begin + one.start]
                at = begin + one.end
                yield begin + one.start, LOOKS[one.kind], text[begin + one.start : at]
            begin += len(line) + 1
        if at < len(text):
            yield at, t.Whitespace, text[at:]

    @staticmethod
    def analyse_text(text: str) -> float:
        """The probability, from 0 to 1, that a text is a rules file (used by Pygments to guess the language)."""
        return 0.9 if is_rules(text) else 0.0
