"""Words in printed Prolog: quoted atoms, names of variables, comments."""

from __future__ import annotations


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
