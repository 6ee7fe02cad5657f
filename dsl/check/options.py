"""Options: what they may be, and what a user has set."""

from __future__ import annotations

from dsl import notation, syntax
from dsl.check.elaborate import TRUTHS, Scope
from dsl.check.world import World
from dsl.errors import UnknownOption, choices, nearest
from dsl.model import BOOL, OptionValue, Sort

OPTION_LIMIT = 10_000  # values of an option


def option_of(world: World, node: syntax.Option, players: tuple[str, ...]) -> OptionValue:
    """An option with its default; its values are numbers, words, players, or on and off."""
    name, scope = node.name.name, Scope(world, place="option")
    domain = node.domain
    if domain is None:
        default = scope.term(node.default)
        if default.sort.name == BOOL.name:
            return OptionValue(name, default.value, BOOL, (0, 1), default.value)  # type: ignore[union-attr]
        number = scope.constant(node.default)
        return OptionValue(name, number, Sort("number", 0, max(10_000, number)), (), number)
    if isinstance(domain, syntax.SetOf) and all(isinstance(item, syntax.Name) for item in domain.items):
        words = tuple(item.name for item in domain.items if isinstance(item, syntax.Name))
        if all(word in world.options for word in words):
            raise world.reject(domain.span, "an option is one of some numbers or new words")
        sort = BOOL if set(words) <= set(TRUTHS) else Sort(name, 1, len(words), words)
        if set(words) <= set(players):
            sort = Sort("player", 1, len(players), players)
        word = node.default.name if isinstance(node.default, syntax.Name) else node.default.span.text
        if word not in words:
            world.report.add(node.default.span, f'"{word}" is not among the values of the option: '
                             f"it is {choices(words)}", nearest(word, words))  # fmt: skip
            word = words[0]
        value = TRUTHS[word] if sort == BOOL else sort.labels.index(word) + 1
        return OptionValue(name, value, sort, tuple(sort.values()), value)
    if isinstance(domain, syntax.SetOf):
        values = tuple(sorted(scope.constant(item) for item in domain.items))
    elif isinstance(domain, syntax.Interval):
        low, high = scope.constant(domain.low), scope.constant(domain.high)
        if not 0 <= high - low < OPTION_LIMIT:
            raise world.reject(domain.span, f"the range {low}..{high} is empty" if low > high else
                               f"an option has up to {OPTION_LIMIT} values")  # fmt: skip
        values = tuple(range(low, high + 1))
    else:
        raise world.reject(domain.span, "an option has a set or a range of values",
                           "for example:  option size = 6 in {4, 6, 8}")  # fmt: skip
    if not values:
        raise world.reject(domain.span, "an option needs a value", "for example:  option size = 6 in {4, 6, 8}")
    number = scope.constant(node.default)
    if number not in values:
        world.report.add(node.default.span, f"{number} is not among the values of the option: "
                         f"it is {choices([str(v) for v in values])}")  # fmt: skip
        number = values[0]
    return OptionValue(name, number, Sort("number", values[0], values[-1]), values, number)


def option_value(option: OptionValue, given: object) -> int:
    """The value that a user gave, from Python or as text."""
    words = {True: "on", False: "off", "yes": "on", "no": "off", "True": "on", "False": "off",
             "1": "on", "0": "off"} if option.sort == BOOL else {}  # fmt: skip
    given = words.get(given, given)
    if option.sort == BOOL and given not in TRUTHS:
        raise UnknownOption(f"option {option.name} cannot be {given}: it is on or off")
    try:
        value = notation.parse_value(given, option.sort, f"option {option.name}")
    except notation.NotationError as error:
        raise UnknownOption(str(error)) from None
    if option.choices and value not in option.choices:
        allowed = choices([option.sort.label(v) for v in option.choices], 12)
        raise UnknownOption(f"option {option.name} cannot be {given}: it is {allowed}")
    return value
