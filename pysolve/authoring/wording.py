"""Plain English made of names, numbers and the texts of authors.

In: names of rules, numbers, texts.  Out: words, sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from pysolve.dsl.model import OptionValue
from pysolve.dsl.player_texts import UnknownPlayer, read_player

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ENDS = (".", "!", "?", ":", "…", "”")
_INNER = re.compile(r"(?<=[a-z])[A-Z](?=[a-z])")  # where a name of several words has a capital letter
_MOST_LISTED = 12  # values of an option


def words(name: str) -> str:
    """A name of the rules as words: `four_equal` is “four equal”, `StrongTower` “Strong tower”."""
    return _INNER.sub(lambda found: f" {found[0].lower()}", name).replace("_", " ").strip()


def title(name: str) -> str:
    """A name of the rules as a heading."""
    return capital(words(name))


def capital(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """A text that ends as a sentence does."""
    text = text.strip()
    return text if not text or text.endswith(_ENDS) else f"{text}."


def quoted(text: str) -> str:
    """A text in quotation marks."""
    return f"“{text}”"


def joined(texts: Iterable[str], word: str = "and") -> str:
    """`a, b and c`."""
    *others, last = list(texts) or [""]
    return f"{', '.join(others)} {word} {last}" if others else last


def number(value: int) -> str:
    """A small number as a word."""
    return _NUMBERS[value] if 0 <= value < len(_NUMBERS) else f"{value:,}"


def ordinal(value: int) -> str:
    """`third`, `12th`."""
    if 0 < value < len(_ORDINALS):
        return _ORDINALS[value]
    ending = {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th") if value % 100 not in (11, 12, 13) else "th"
    return f"{value}{ending}"


def counted(value: int, word: str) -> str:
    """`1 turn`, `12 turns`."""
    return f"{value:,} {word}{'' if value == 1 else 's'}"


def values_in_words(option: OptionValue, word: Callable[[int], str]) -> str:
    """What an option may be besides what it is; nothing if it has no other value."""
    others = [value for value in option.choices if value != option.value]
    if not others:
        return ""
    low, high = option.choices[0], option.choices[-1]
    if not option.sort.labels and len(option.choices) > 3 and high - low + 1 == len(option.choices):
        return f"It may be any number from {low:,} to {high:,}."
    named = list(map(word, others))
    if len(named) > _MOST_LISTED:
        return f"It may be one of {len(option.choices):,} values."
    return f"It may also be {joined(named, 'or')}."


def levels_in_words(text: str) -> str:
    """How the program of a level thinks; nothing where that is not known."""
    try:
        kind, settings = read_player(text)
    except UnknownPlayer:
        return ""
    match kind:
        case "random":
            return "plays any legal move"
        case "greedy":
            return "looks one move ahead"
        case "mcts":
            return "plays random games to their end before each move"
        case "solver":
            return "plays best where the rest of the game is small enough"
        case "minimax" | "maxn":
            for unit in ("turns", "depth"):
                if ahead := settings.get(unit):
                    return f"looks {counted_words(ahead, 'turn' if unit == 'turns' else 'move')} ahead"
            return "looks as far ahead as it can in its time"
    return ""


def counted_words(value: int, word: str) -> str:
    """`one move`, `three turns`."""
    return f"{number(value)} {word}{'' if value == 1 else 's'}"
