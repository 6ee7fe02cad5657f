"""Options: what they may be, and what a user has set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice, product

from pysolve.dsl import notation
from pysolve.dsl.check.elaborate import TRUTHS, Scope
from pysolve.dsl.check.symbols import Symbols, attempt, plain_types
from pysolve.dsl.errors import Report, UnknownOption, choices, listed, nearest
from pysolve.dsl.model import BOOL, OptionValue, Sort
from pysolve.dsl.text import nodes

BOARD_TYPES = ("cell", "direction", "player")
OPTION_LIMIT = 10_000  # values of an option
SEATS_TRIED = 1_000  # settings of options for which the number of players is computed


Declared = Mapping[str, Sort]  # types whose values are listed by name, so that they do not depend on options


def declared_types(players: nodes.Players | None, types: list[nodes.Type], states: list[nodes.State]) -> Declared:
    """The types whose values sections list by name: players, types, and states with values of their own."""
    found: dict[str, Sort] = {}

    def lists(name: str, values: tuple[nodes.Name, ...]) -> None:
        found.setdefault(name, Sort(name, 1, len(values), tuple(value.name for value in values)))

    if players is not None:
        lists("player", players.names)
    known = {*BOARD_TYPES, *plain_types(), *(node.name.name for node in types)}
    for node in types:
        match node.body:
            case nodes.NamesType(_, names):
                lists(node.name.name, names)
            case nodes.NamedType(span, name) if name not in known:
                lists(node.name.name, (nodes.Name(span, name),))
    for entry in (entry for state in states for entry in state.entries):
        if isinstance(entry.type, nodes.NamesType):
            lists(entry.name.name, entry.type.names)
    return found


def option_of(symbols: Symbols, node: nodes.Option, declared: Declared) -> OptionValue:
    """An option with its default: one of some numbers, of values of a declared type, of new words, or on and off."""
    name, scope = node.name.name, Scope(symbols, place="option")
    domain = node.domain
    if domain is None:
        default = scope.term(node.default)
        if default.sort.name == BOOL.name:
            return OptionValue(name, default.value, BOOL, (0, 1), default.value)  # type: ignore[union-attr]
        number = scope.constant(node.default)
        return OptionValue(name, number, Sort("number", 0, max(10_000, number)), (), number)
    if isinstance(domain, nodes.Name):
        if domain.name not in declared:
            raise symbols.reject(
                domain.span,
                f'there is no type "{domain.name}" that lists its values by name',
                symbols.report.nearest(domain.name, declared) or "for example:  option size = 6 in {4, 6, 8}",
            )
        return _one_of(symbols, node, declared[domain.name], declared[domain.name].labels)
    if isinstance(domain, nodes.SetOf) and all(isinstance(item, nodes.Name) for item in domain.items):
        items = [item for item in domain.items if isinstance(item, nodes.Name)]
        if all(item.name in symbols.options for item in items):
            raise symbols.reject(
                domain.span,
                "the values of an option are numbers or new words",
                "for example:  option size = 6 in {4, 6, 8}",
            )
        return _one_of(
            symbols, node, _sort_of_words(symbols, name, items, declared), tuple(item.name for item in items)
        )
    if isinstance(domain, nodes.SetOf):
        values = tuple(sorted(scope.constant(item) for item in domain.items))
    elif isinstance(domain, nodes.Interval):
        low, high = scope.constant(domain.low), scope.constant(domain.high)
        if not 0 <= high - low < OPTION_LIMIT:
            raise symbols.reject(domain.span, f"the range {low}..{high} is empty" if low > high else
                                 f"an option has at most {OPTION_LIMIT} values")  # fmt: skip
        values = tuple(range(low, high + 1))
    else:
        raise symbols.reject(domain.span, "an option has a set or a range of values",
                             "for example:  option size = 6 in {4, 6, 8}")  # fmt: skip
    if not values:
        raise symbols.reject(
            domain.span, "an option needs at least one value", "for example:  option size = 6 in {4, 6, 8}"
        )
    number = scope.constant(node.default)
    if number not in values:
        symbols.report.add(node.default.span, f"{number} is not a value of the option: "
                           f"it must be {choices([str(v) for v in values])}")  # fmt: skip
        number = values[0]
    return OptionValue(name, number, Sort("number", values[0], values[-1]), values, number)


def _one_of(symbols: Symbols, node: nodes.Option, sort: Sort, words: tuple[str, ...]) -> OptionValue:
    """An option that is one of some words, which are values of a sort."""
    word = node.default.name if isinstance(node.default, nodes.Name) else node.default.span.text
    if word not in words:
        symbols.report.add(node.default.span, f'"{word}" is not a value of the option: '
                           f"it must be {choices(words)}", nearest(word, words))  # fmt: skip
        word = words[0]
    if sort == BOOL:
        return OptionValue(node.name.name, TRUTHS[word], sort, tuple(sort.values()), TRUTHS[word])
    numbers = {label: value for value, label in enumerate(sort.labels, sort.low)}
    return OptionValue(node.name.name, numbers[word], sort, tuple(numbers[one] for one in words), numbers[word])


def _sort_of_words(symbols: Symbols, name: str, items: list[nodes.Name], declared: Declared) -> Sort:
    """The type of which an option lists values; a type of its own if no declared type has any of the words."""
    words = [item.name for item in items]
    for item in items:
        if words.count(item.name) > 1:
            raise symbols.reject(item.span, f'"{item.name}" is listed twice', "leave one of the two out")
    if set(words) <= set(TRUTHS):
        return BOOL
    owners = [sort for sort in declared.values() if not set(words).isdisjoint(sort.labels)]
    fitting = [sort for sort in owners if set(words) <= set(sort.labels)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        types = listed(sort.name for sort in fitting)
        raise symbols.reject(items[0].span, f"these words are values of {types}: write which type is meant",
                             f"for example:  option {name} = {words[0]} in {fitting[0].name}")  # fmt: skip
    if owners:
        sort = owners[0]
        known = next(word for word in words if word in sort.labels)
        strange = next(item for item in items if item.name not in sort.labels)
        raise symbols.reject(strange.span, f'"{known}" is a value of {sort.name}, "{strange.name}" is not',
                             symbols.report.nearest(strange.name, sort.labels)
                             or "the words of an option must all be values of one type, or all be new")  # fmt: skip
    return Sort(name, 1, len(words), tuple(words))


def refuse_places(symbols: Symbols, options: list[nodes.Option]) -> None:
    """Reports options whose words are cells or directions: the board may depend on options, so they come too early."""
    for node in options:
        if isinstance(node.domain, nodes.SetOf):
            for item in node.domain.items:
                known = symbols.constants.get(item.name, ()) if isinstance(item, nodes.Name) else ()
                for constant in known:
                    if constant.sort.name in ("cell", "direction"):
                        symbols.report.add(
                            item.span,
                            f'"{item.span.text}" is a {constant.sort.name}, and those are not known before the options',
                            "list new words, and write a definition for each of them",
                        )


def seats_of(symbols: Symbols, node: nodes.Players | None) -> tuple[int, ...]:
    """How many players there may be, by all values of the options that say so; rising."""
    if node is None or node.count is None:
        return (len(symbols.everybody),)
    everybody = len(symbols.everybody)
    used = [option for name, option in symbols.options.items() if name in set(_names_in(node.count))]
    values = [option.choices or range(everybody + 1) for option in used]
    found = {len(symbols.sorts["player"].labels)}
    for chosen in islice(product(*values), SEATS_TRIED):
        options = {option.name: replace(option, value=value) for option, value in zip(used, chosen, strict=True)}
        there = replace(symbols, options=symbols.options | options, report=Report(), mentions=[])
        found.add(attempt(Scope(there, place="option").constant, node.count) or 0)
    return tuple(sorted(count for count in found if 1 <= count <= everybody))


def _names_in(phrase: object) -> Iterator[str]:
    if isinstance(phrase, nodes.Name):
        yield phrase.name
    elif isinstance(phrase, nodes.Node | tuple):
        parts = phrase if isinstance(phrase, tuple) else [getattr(phrase, field) for field in phrase.__slots__]
        for part in parts:
            yield from _names_in(part)


def option_value(option: OptionValue, given: object) -> int:
    """The value that a user gave, from Python or as text."""
    words = {True: "on", False: "off", "yes": "on", "no": "off", "True": "on", "False": "off",
             "1": "on", "0": "off"} if option.sort == BOOL else {}  # fmt: skip
    given = words.get(given, given)
    if option.sort == BOOL and given not in TRUTHS:
        raise UnknownOption(f"option {option.name} cannot be {given}: it must be on or off")
    try:
        value = notation.parse_value(given, option.sort, f"option {option.name}")
    except notation.NotationError as error:
        raise UnknownOption(str(error)) from None
    if option.choices and value not in option.choices:
        allowed = choices([option.sort.label(v) for v in option.choices], 12)
        raise UnknownOption(f"option {option.name} cannot be {given}: it must be {allowed}")
    return value
