"""What can stand at a place of a rules text: words of the language, names of the game, variables.

In: a view of the text, and a place in it.  Out: offers; those with the type that is needed there come first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pysolve.ide.calls import call_around
from pysolve.ide.knowledge import Named, View
from pysolve.ide.reading import Reading, reading_at
from pysolve.ide.tokens import line_tokens
from pysolve.ide.vocabulary import LOOKS, form, group, is_in, sentence, signature

# What stands at the end of a text is looked for from the beginning of its word on: each character is read once.
_WORD = re.compile(r"(?<!\w)[^\WA-Za-z]*([A-Za-z]\w*)$")
_NUMBER = re.compile(r"(?<!\w)[^\W\d]*\d\w*$")
_LAST = re.compile(r"(?<!\w)\w+$")
_SET_OF = re.compile(r"(?<!\w)set\s+of\s+$")
_BRACKET = re.compile(r"[()]")
_SIGN = re.compile(r"[^\s\w]")
_SHOWN = re.compile(r"^\s*(?:show\s+)?([A-Za-z]\w*)(?:\s*,\s*[A-Za-z]\w*)*\s*:(?:.*,)?\s*$")
_CHANGED = re.compile(r"(?:extend|replace|remove)\s+(option|type|table|state|define|effect|move|level)\s+$")
_RESULT = re.compile(r"^\s*(?:result|end|stuck)\s+(?:\w+\s+)?$")
_CONDITIONS = ("when", "after")
_BEFORE_CONDITIONS = ("has", "where", "and", "or", "not", "if", "when", "after", "holds", "never")
_SILENT = ("string", "comment", "drawing", "move", "number")
_BETWEEN = ("else", "because", "when", "as", "extends")
_WITHOUT_NAMES = ("game", "board", "example")
# The groups whose words a line of a section can begin with.
_FIRST = {
    "game": ("header",), "board": ("board",), "move": ("move", "statements"),
    "chance": ("chance", "statements"), "effect": ("statements",),
    "setup": ("statements",), "stuck": ("stuck",), "end": ("outcomes",), "show": ("show",), "example": ("example",),
}  # fmt: skip
_PLAYERS = ("mover", "opponent")
_VALUES = ("values", "expressions", "names", "types", "functions")
_NAMED_KINDS = {"define": "definition", "table": "type"}  # where the word of a section is not that of its names
_VALUE_KINDS = ("variable", "state", "definition", "option", "column", "value", "term")


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that can stand at a place."""

    label: str
    kind: str  # of a name: state, definition …; of a word: keyword, function, type, look
    detail: str
    text: str  # what the manual says of a word
    code: str  # how a name is declared
    rank: int  # 0 is what fits best


@dataclass(frozen=True, slots=True)
class _Fitting:
    """The candidates at a place: words of the language, and names of some kinds, of one type if it is known."""

    words: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    type: str = ""


def offered(view: View, line: int, column: int) -> list[Offer]:
    """Everything that can stand at a place, what fits best first."""
    before = view.lines[line][:column]
    reading = reading_at(view.lines, line)
    word = _WORD.search(before)
    start = word.start(1) if word else column
    if _NUMBER.search(before) or _is_silent(view, line, start, reading):
        return []
    fitting = _fitting(view, line, before[:start], reading)
    found: dict[str, Offer] = {}
    for offer in (*_names(view, line, start, fitting), *_words(fitting, reading.section)):
        known = found.get(offer.label)
        if known is None or offer.rank < known.rank:
            found[offer.label] = offer
    return sorted(found.values(), key=lambda offer: (offer.rank, offer.label.lower(), offer.label))


def _is_silent(view: View, line: int, column: int, reading: Reading) -> bool:
    """True inside of texts, comments, drawings, and lists of moves."""
    text = view.lines[line]
    if reading.lists_moves and len(text[:column].split()) > 0:
        return True
    for token in line_tokens(text, reading):
        if token.kind in _SILENT and token.start < column:
            ends = token.end + (token.kind == "comment" or not text[token.start : token.end].endswith('"'))
            if column < ends and token.kind != "number":
                return True
    return reading.draws(text)


# ------------------------------------------------------------------------------------------ what fits a place


def _fitting(view: View, line: int, before: str, reading: Reading) -> _Fitting:
    return _within(view, line, before, reading) if before.strip() else _beginning(before, reading)


def _beginning(before: str, reading: Reading) -> _Fitting:
    """The candidates at the beginning of a line."""
    if not before:
        return _Fitting(group("sections"))
    section = reading.section
    block = next((block.word for block in reversed(reading.blocks) if block.indent < len(before)), "")
    if block in _CONDITIONS:
        return _values("bool")
    if section in ("move", "chance"):
        return _Fitting(group(section)) if block == section else _statement()
    words = tuple(word for name in _FIRST.get(section, ()) for word in group(name))
    kinds = () if section in _WITHOUT_NAMES else ("effect", *_VALUE_KINDS)
    return _Fitting(words, ("option",) if section == "example" else kinds)


def _statement() -> _Fitting:
    return _Fitting(group("statements"), ("effect", "state", "variable"))


def _within(view: View, line: int, before: str, reading: Reading) -> _Fitting:
    """The candidates behind other words of a line."""
    section, last = reading.section, (_LAST.search(before.rstrip()) or [""])[0]
    if re.match(r"remove\s+$", before):
        return _Fitting(group("kinds"))
    if re.match(r"replace\s+$", before):
        return _Fitting(group("sections"))
    if re.match(r"extend\s+$", before):
        return _Fitting(group("extended"))
    if changed := _CHANGED.match(before):
        return _Fitting((), (_NAMED_KINDS.get(changed[1], changed[1]),))
    if re.match(r"(?:replace\s+)?board\s+$", before):
        return _Fitting(group("boards"))
    if last == "hex" and section == "board":
        return _Fitting(group("hexagons"))
    if section in ("show", "mark") and _has_glyph(before):
        return _Fitting(tuple(word for words in LOOKS for word in group(words)))
    if re.match(r"\s*(?:show\s+)?ground\s+$", before) and section == "show":
        return _Fitting(group("grounds"))
    if section == "show" and (shown := _SHOWN.match(before)):
        return _values(_type_of(view, shown[1], line))
    if section == "mark":
        return _Fitting(group("colours"), ("definition",))
    if section == "tell":
        return _Fitting((), ("definition", "column"))
    if (secret := _secret(before, section)) is not None:
        return secret
    if _RESULT.match(before) or (section == "end" and re.match(r"\s*\w+\s+$", before)):
        return _Fitting(("wins", "loses", *group("outcomes"), "mover", "opponent", "when"), ("value",), "player")
    if _is_typed(before):
        return _Fitting((*group("types"), "set"), ("type",))
    if section == "example" and re.match(r"\s*(?:play|legal|illegal)\b", before):
        return _Fitting(("because",))
    if compared := _compared(before):
        return _values(_type_of(view, compared, line))
    if last in _BEFORE_CONDITIONS:
        return _values("bool")
    call = call_around(view.lines, line, len(before))
    if call is not None:
        return _argument(view, call.name, call.argument, line)
    return _values("")


def _secret(before: str, section: str) -> _Fitting | None:
    """The candidates where a state says who sees it, or a kind of move as what others see it; None elsewhere."""
    words = before.split() if before[-1:].isspace() else []
    if section == "state" and words[-2:] == ["seen", "by"]:
        players = _values("player")
        return _Fitting(("nobody", "all", *players.words), players.kinds, players.type)
    if section == "state" and words[-1:] == ["seen"]:
        return _Fitting(("by",))
    if section == "state" and _WORD.search(before.rstrip()) and ":" in before and not {"seen", "of", "or"} & {*words}:
        return _Fitting(("seen", "or"))
    if words[:1] == [section] and section in ("move", "chance") and "as" in words:
        return _Fitting(("as",) if words[-1] == "seen" else ("seen",))
    return None


def _has_glyph(before: str) -> bool:
    """True behind the glyph of a value, where looks may follow."""
    signs = list(_SIGN.finditer(before))
    words = before[signs[-1].end() :] if signs else before
    return bool(re.search(r"\bnumber", words)) or (before.count('"') > 1 and signs[-1].group() == '"')


def _is_typed(before: str) -> bool:
    """True behind a name and a colon, where a type follows."""
    text = _SET_OF.sub("", before).rstrip()
    named = text.removesuffix(":").rstrip()
    return text.endswith(":") and (named.endswith(")") or bool(_WORD.search(named)))


def _compared(before: str) -> str:
    """The name, whose arguments may stand behind it, that is compared with what follows, or set to it."""
    text = before.rstrip()
    if not text.endswith("="):
        return ""
    named = text[:-2] if text.endswith((":=", "!=")) else text[:-1]
    found = _WORD.search(_without_arguments(named.rstrip()))
    return found[1] if found else ""


def _without_arguments(text: str) -> str:
    """A text without the brackets at its end."""
    closed = 0
    for found in reversed(list(_BRACKET.finditer(text)) if text.endswith(")") else []):
        closed += 1 if found.group() == ")" else -1
        if closed == 0:
            return text[: found.start()].rstrip()
    return text


def _argument(view: View, name: str, number: int, line: int) -> _Fitting:
    """The candidates for an argument of a call, by its number."""
    if name == "possible":
        return _Fitting((), ("move",))
    meaning = view.named(name, line)
    params = view.known.names[meaning].params if meaning is not None else _given_params(name)
    return _values(params[number].split(":")[-1].strip() if number < len(params) else "")


def _given_params(name: str) -> Sequence[str]:
    form_ = signature(name)
    return re.findall(r"\w+", form_[form_.index("(") :]) if "(" in form_ else ()


def _values(type: str) -> _Fitting:
    """A value of a type, or of any."""
    words = tuple(word for name in _VALUES for word in group(name))
    return _Fitting((*words, *_BETWEEN), _VALUE_KINDS, type)


def _type_of(view: View, name: str, line: int) -> str:
    number = view.named(name, line)
    if number is not None:
        return view.known.names[number].type
    return "player" if name in ("mover", "opponent") else ""


def _base(type: str) -> str:
    """A type without `or none`; all numbers are of one type, and so are conditions and truths."""
    bare = type.removesuffix(" or none")
    if re.fullmatch(r"-?\d+\.\..*|int|number", bare):
        return "int"
    return "bool" if bare == "condition" else bare


# ---------------------------------------------------------------------------------------------- the offers


def _names(view: View, line: int, column: int, fitting: _Fitting) -> Iterator[Offer]:
    """The names of the game, and the values of the type that is needed."""
    wanted = _base(fitting.type)
    if "variable" in fitting.kinds:
        for one in view.variables(line, column):
            yield _offer(one, 0 if wanted and _base(one.type) == wanted else 1)
    for one in view.known.names:
        if one.kind in fitting.kinds and one.kind != "variable":
            yield _offer(one, 0 if wanted and _base(one.type) == wanted else 2)
    if wanted and "value" in fitting.kinds:
        for value in view.known.types.get(wanted, ()):
            yield Offer(value, "value", wanted, "", "", 2 if wanted == "cell" else 0)
        if fitting.type.endswith("or none"):
            yield Offer("none", "keyword", fitting.type, sentence("none"), "", 0)


def _offer(one: Named, rank: int) -> Offer:
    detail = f"({', '.join(one.params)})" if one.params else ""
    if one.type:
        detail += f": {one.type}" if detail else one.type
    if one.value:
        detail += f" = {one.value}"
    return Offer(one.name, one.kind, detail or one.kind, "", one.head, rank)


def _words(fitting: _Fitting, section: str) -> Iterable[Offer]:
    for word in dict.fromkeys(fitting.words):
        kind = "function" if is_in("functions", word) else "type" if is_in("types", word) else "keyword"
        if any(is_in(group, word) for group in (*LOOKS, "grounds")):
            kind = "look"
        shown = signature(word) or form(word)
        rank = 0 if word in _PLAYERS and _base(fitting.type) == "player" else 3
        yield Offer(word, kind, "" if shown == word else shown, sentence(word, section), "", rank)
