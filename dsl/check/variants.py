"""A variant and its parent as one list of sections.

In: the syntax of a rules text, and a way to find the text that it extends.  Out: the sections of the whole game,
in the order of the parent, with what the child adds, extends, replaces and removes.  A child must say `extend`,
`replace` or `remove` to touch what the parent has; examples are not inherited, since they may no longer be true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from pysolve.dsl.check.extending import EXTENDABLE, extended
from pysolve.dsl.errors import Report, Source, Span, choices
from pysolve.dsl.model import Change, Passage
from pysolve.dsl.text import nodes
from pysolve.dsl.text.renames import renamed
from pysolve.dsl.text.renames import words as words_of
from pysolve.dsl.text.sources import Find, NoRules
from pysolve.dsl.text.syntax import parse_but_examples

# Sections of which a game has one; the others have names.
SINGLE = {
    nodes.Players: "players", nodes.Board: "board", nodes.Setup: "setup", nodes.Stuck: "stuck",
    nodes.Show: "show", nodes.End: "end", nodes.Evaluate: "evaluate", nodes.Game: "game",
}  # fmt: skip
_EDITS = (nodes.Replace, nodes.Extend, nodes.Remove, nodes.Rename)  # what changes a parent
GROWING = (nodes.End, nodes.Evaluate, nodes.Show, nodes.State)  # a child's lines come after its parent's


def merged(
    rules: nodes.Rules, find: Find, report: Report, changed: Changed, children: tuple[str, ...] = (),
    words: tuple[Words, ...] = (),
) -> list[nodes.Section]:  # fmt: skip
    """The sections of a game with everything that it inherits; `changed` gets what its parents had otherwise.

    `words` are those that its children have chosen, the nearest child first.
    """
    own = _joined(_split(rules.sections))
    header = next((s for s in own if isinstance(s, nodes.Game)), None)
    if header is None or header.extends is None:
        _refuse_edits(own, report)
        return own
    try:
        source = find(header.extends, rules.source)
    except NoRules as error:
        report.add(header.extends_span or header.span, error.message, error.hint)
        return own
    if source is None:
        report.add(
            header.extends_span or header.span,
            f'there are no rules "{header.extends}"',
            "pysolve games lists the shipped games; a file of yours lies in the same folder",
        )
        return own
    if source.name in children or source.name == rules.source.name:
        report.add(
            header.extends_span or header.span, f'"{header.extends}" extends this game itself', "name another game"
        )
        return own
    chosen = Words.of(own)
    said = _in_words(source, (chosen, *words))
    inherited, _ = parse_but_examples(said)  # examples are not inherited
    parent = merged(inherited, find, report, changed, (*children, rules.source.name), (chosen, *words))
    report.stop_if_any()  # without its own parent, the parent is no game that could be changed
    changed.words.update(words_of(said.text))
    _check_renames(own, changed.words, set(words_of(_in_words(source, words).text)), _declared(parent), report)
    for old, new in chosen.names.items():
        changed.renamed.setdefault(new, old)
    _refuse_second_edits(own, report)
    sections: list[nodes.Section] = [s for s in parent if not isinstance(s, (nodes.Example, nodes.Game))]
    head = next((one for one in parent if isinstance(one, nodes.Game)), None)
    changed.parent = head.name if head else ""
    for section in own:
        if isinstance(section, nodes.Game):
            sections.append(_with_paragraphs(section, head))
        elif not isinstance(section, nodes.Rename):
            _apply(section, sections, report, changed)
    return sections


def _with_paragraphs(header: nodes.Game, parent: nodes.Game | None) -> nodes.Game:
    """The head of a variant; below its first line stand those of its parent, unless it has others itself."""
    if parent is None or len(header.about) > 1:
        return header
    return replace(header, about=header.about + parent.about[len(header.about) :])


@dataclass
class Changed:
    """The sections and names of the parents that a variant has removed or renamed."""

    removed: dict[str, nodes.Remove] = field(default_factory=dict)  # names that were taken away
    gone: list[nodes.Section] = field(default_factory=list)  # and what had declared them
    renamed: dict[str, str] = field(default_factory=dict)  # new names to the first ones
    words: set[str] = field(default_factory=set)  # all words of the parents, as they are read
    parent: str = ""  # the title of the nearest one


class Words(NamedTuple):
    """New names for names of the parent, and new texts for its texts."""

    names: dict[str, str]
    texts: dict[str, str]

    @staticmethod
    def of(sections: list[nodes.Section]) -> Words:
        """The renamings in the sections of a variant; the first one counts if something is renamed twice."""
        found = Words({}, {})
        for one in sections:
            if isinstance(one, nodes.Rename):
                (found.texts if one.is_text else found.names).setdefault(one.old, one.new)
        return found


def _in_words(source: Source, words: Iterable[Words]) -> Source:
    """A text in the words of those who extend it, the nearest first."""
    text = source.text
    for one in words:
        if one.names or one.texts:
            text = renamed(text, one.names, one.texts)
    return Source(source.name, text)


def _check_renames(
    own: list[nodes.Section], after: set[str], before: set[str], declared: set[str], report: Report
) -> None:
    """Reports renamings of what the parents do not have, and to what they have already.

    `after` are the words of the parents after the renaming, `before` those of the nearest one before it.
    """
    renames = [one for one in own if isinstance(one, nodes.Rename)]
    old_names = {one.old for one in renames}
    met: set[tuple[bool, str]] = set()
    for one in renames:
        new = f'"{one.new}"' if one.is_text else one.new
        if (one.is_text, one.old) in met:
            report.add(one.old_span, f'"{one.old}" is already renamed', "leave one of the two out")
        elif new not in after:
            known = [word.strip('"') for word in before if word.startswith('"') == one.is_text]
            what = "text" if one.is_text else "name"
            report.add(one.old_span, f'the parent has no {what} "{one.old}"', report.nearest(one.old, known))
        elif not one.is_text and one.new in before - old_names:
            report.add(one.new_span, f'the parent already has the name "{one.new}"', "choose another name")
        elif not one.is_text and one.new not in declared:
            report.add(one.old_span, f'the parent does not declare "{one.old}"',
                       "only players, types and their values, state variables, definitions, moves and levels can be "
                       "renamed")  # fmt: skip
        met.add((one.is_text, one.old))


def _declared(sections: list[nodes.Section]) -> set[str]:
    """The names that sections give a meaning to."""
    found: set[str] = set()
    for section in sections:
        match section:
            case nodes.Players(names=names) | nodes.Option(names=names):
                found |= {name.name for name in names}
            case nodes.State(entries=entries):
                found |= {entry.name.name for entry in entries}
                found |= {word for entry in entries for word in words_of(entry.span.text)}
            case nodes.Type() | nodes.Table():
                found |= set(words_of(section.span.text))
            case nodes.Evaluate(terms=terms):
                found |= {term.name.name for term in terms}
            case nodes.Define() | nodes.Effect() | nodes.Move() | nodes.Level():
                found.add(section.name.name)
    return found


def key(section: nodes.Section) -> tuple[str, str]:
    """Kind and name, by which a section of a child meets one of its parent."""
    match section:
        case nodes.State(entries=(entry, *_)):
            return "state", entry.name.name
        case nodes.Option(names=(name, *_)):
            return "option", name.name
        case nodes.Example(name=name):
            return "example", name
        case nodes.Move(name=name, chance=True):
            return "chance", name.name
        case nodes.Rename(old=old):
            return "rename", old
        case _ if type(section) in SINGLE:
            return SINGLE[type(section)], ""
        case _:
            return type(section).__name__.lower(), section.name.name  # type: ignore[union-attr]


def _apply(section: nodes.Section, sections: list[nodes.Section], report: Report, changed: Changed) -> None:
    have = {key(s): i for i, s in enumerate(sections)}
    match section:
        case nodes.Remove(_, kind, name):
            if (kind, name.name) in have:
                gone = sections.pop(have[kind, name.name])
                changed.gone.append(gone)
                changed.removed |= dict.fromkeys(_names_of(gone), section)
            else:
                known = [n for k, n in have if k == kind]
                there = report.nearest(name.name, known) or _those(known)
                report.add(name.span, f'the parent has no {kind} "{name.name}" to remove', there)
        case nodes.Replace(_, nodes.Replace() | nodes.Remove() | nodes.Rename() | nodes.Game() | nodes.Example()):
            report.add(_headline(section), "only a part of the parent can be replaced",
                       "for example:  replace define free(c: cell) = at(c) = none")  # fmt: skip
        case nodes.Replace(_, inner):
            for one in _split((inner,)):
                if key(one) in have:
                    sections[have[key(one)]] = _said_of(one, sections[have[key(one)]])
                else:
                    kind, word = key(one)
                    known = [n for k, n in have if k == kind]
                    report.add(_headline(one), f"the parent has no {kind} {quoted(word)}to replace",
                               report.nearest(word, known) or _those(known))  # fmt: skip
        case nodes.Extend(_, inner):
            _extend(inner, sections, have, report, changed)
        case nodes.Example():
            sections.append(section)
        case _ if key(section) in have and isinstance(section, GROWING) and not isinstance(section, nodes.State):
            index = have[key(section)]
            sections[index] = _grown(sections[index], section)
        case _ if key(section) in have:
            kind, word = key(section)
            report.add(_headline(section), f"the parent already has {kind} {quoted(word)}".rstrip(),
                       f"write  replace {kind} …  to change it")  # fmt: skip
        case _:
            sections.append(section)


def _extend(
    inner: nodes.Section, sections: list[nodes.Section], have: dict[tuple[str, str], int], report: Report,
    changed: Changed,
) -> None:  # fmt: skip
    """Adds to a section of the parent."""
    if isinstance(inner, nodes.State):
        for entry in _split((inner,)):
            _apply(entry, sections, report, changed)
    elif type(inner) not in EXTENDABLE:
        word = next(iter(inner.span.text.split()), "") if not isinstance(inner, nodes.Game) else "game"
        can = isinstance(inner, (nodes.Option, nodes.Board, nodes.Define, nodes.Stuck, nodes.Level))
        report.add(_headline(inner), f"“extend” adds to {choices(EXTENDABLE.values(), 99, 'and')}",
                   f"write  replace {word} …  to change what the parent has" if can else
                   'for example:  extend end mover wins when lines(mover) > 3 because "lines"')  # fmt: skip
    elif key(inner) in have:
        index = have[key(inner)]
        sections[index] = extended(sections[index], inner, report)
    else:
        kind, word = key(inner)
        known = [n for k, n in have if k == kind]
        hint = (report.nearest(word, known) or _those(known)) if word else f"write  {kind}  without  extend"
        report.add(_headline(inner), f"the parent has no {kind} {quoted(word)}to extend", hint)


def _refuse_second_edits(own: list[nodes.Section], report: Report) -> None:
    """Reports what is changed in two ways: extended, and replaced or removed."""
    edited: dict[tuple[str, str], str] = {}
    for section in own:
        for what, word in _edits(section):
            before = edited.setdefault(what, word)
            if before != word and "extend" in (before, word):
                kind, name = what
                done = {"extend": "extended", "replace": "replaced", "remove": "removed"}
                report.add(_headline(section), f"the {kind} {quoted(name)}is already {done[before]}",
                           "leave one of the two out" if "remove" in (before, word) else
                           f"put both under  replace {kind} {name}".rstrip())  # fmt: skip


def _edits(section: nodes.Section) -> list[tuple[tuple[str, str], str]]:
    """What a section changes of the parent, and the word for that."""
    match section:
        case nodes.Remove(kind=kind, name=name):
            return [((kind, name.name), "remove")]
        case nodes.Replace(section=inner) | nodes.Extend(section=inner) if not isinstance(inner, _EDITS):
            return [(key(one), type(section).__name__.lower()) for one in _split((inner,))]
    return []


def _said_of(new: nodes.Section, old: nodes.Section) -> nodes.Section:
    """A section that replaces another one; an option still means the same, so the text about it stays, too."""
    if isinstance(new, nodes.Option) and isinstance(old, nodes.Option) and not new.about:
        return replace(new, about=old.about)
    return new


def _those(known: list[str]) -> str:
    """The names that exist, as a hint about one that does not: `it has a, b and c`."""
    return f"it has {choices(known, joint='and')}" if any(known) else "it has none"


def changes_of(rules: nodes.Rules) -> Iterator[Change]:
    """What the sections of a variant say of its parent, in their order; examples are nobody's business but its own."""
    for section in _joined(_split(rules.sections)):
        match section:
            case nodes.Game() | nodes.Example():
                continue
            case nodes.Remove(span, kind, name):
                yield Change("removed", kind, name.name, "", span)
            case nodes.Rename(span, old, new):
                yield Change("renamed", "text" if section.is_text else "name", old, new, span)
            case nodes.Replace(span, inner) | nodes.Extend(span, inner):
                for one in _split((inner,)):
                    kind, word = key(one)
                    yield Change("changed", kind, word, word, span)
            case _:
                kind, word = key(section)
                yield Change("added", kind, word, word, section.span)


def passages_of(sections: Iterable[nodes.Section]) -> dict[tuple[str, str], Passage]:
    """Where each section of a whole game stands, and what its author says about it."""
    return {
        key(one): Passage(one.span, tuple((said.text, said.span) for said in getattr(one, "about", ())))
        for one in sections
        if not isinstance(one, (nodes.Example, *_EDITS))
    }


def _names_of(section: nodes.Section) -> list[str]:
    """The names that a section gives a meaning: its own, and those that it lists."""
    names = [key(section)[1]]
    match section:
        case nodes.Type(body=nodes.NamesType(names=values)):
            names += [value.name for value in values]
        case nodes.State(entries=(nodes.StateEntry(type=nodes.NamesType(names=values)), *_)):
            names += [value.name for value in values]
        case nodes.Table(columns=columns):
            names += [column.name for column in columns]
        case nodes.Option(domain=nodes.SetOf(items=items)):
            names += [item.name for item in items if isinstance(item, nodes.Name)]
    return names


def _grown(parent: nodes.Section, child: nodes.Section) -> nodes.Section:
    match parent, child:
        case nodes.End(), nodes.End():
            return replace(parent, endings=parent.endings + child.endings)
        case nodes.Evaluate(), nodes.Evaluate():
            return replace(parent, terms=parent.terms + child.terms)
        case nodes.Show(), nodes.Show():
            return replace(parent, lines=parent.lines + child.lines)
        case nodes.Replace(), nodes.Replace():
            return replace(parent, section=_grown(parent.section, child.section))
        case nodes.Extend(), nodes.Extend():
            return replace(parent, section=_grown(parent.section, child.section))
    raise AssertionError("these sections do not grow")


def _refuse_edits(sections: list[nodes.Section], report: Report) -> None:
    for section in sections:
        if isinstance(section, _EDITS):
            word = type(section).__name__.lower()
            report.add(section.span.first(len(word)), f"“{word}” changes a parent, but this game does not extend one",
                       'name the parent in the first line:  game "…" extends "…"')  # fmt: skip


def _split(sections: tuple[nodes.Section, ...]) -> list[nodes.Section]:
    """The sections, with one `state` section for each state variable, and one `option` for each of several names."""
    found: list[nodes.Section] = []
    for section in sections:
        match section:
            case nodes.State():
                found += [nodes.State(entry.span, (entry,)) for entry in section.entries]
            case nodes.Option():
                found += [replace(section, names=(name,)) for name in section.names]
            case _:
                found.append(section)
    return found


def _joined(sections: list[nodes.Section]) -> list[nodes.Section]:
    """The sections, with one `end`, `evaluate` and `show` that has the lines of all; also of edits."""
    found: list[nodes.Section] = []
    for section in sections:
        kinds = _kinds(section)
        grows = kinds[-1] in (nodes.End, nodes.Evaluate, nodes.Show)
        first = next((i for i, one in enumerate(found) if _kinds(one) == kinds), None) if grows else None
        if first is not None:
            found[first] = _grown(found[first], section)
        else:
            found.append(section)
    return found


def _kinds(section: nodes.Section) -> list[type]:
    """`replace` or `extend` if it stands there, and the kind of section."""
    inner = _kinds(section.section) if isinstance(section, (nodes.Replace, nodes.Extend)) else ()
    return [type(section), *inner]


def _headline(section: nodes.Section) -> Span:
    inner = section.section if isinstance(section, (nodes.Replace, nodes.Extend)) else section
    named = getattr(inner, "name", None)
    if isinstance(named, nodes.Name):
        return named.span
    span = section.span
    if span.end_line == span.line:
        return span
    return replace(span, end_line=span.line, end_column=len(span.source.line(span.line)) + 1)


def quoted(word: str) -> str:
    """A word in quotation marks with a space after it; nothing for the empty word."""
    return f'"{word}" ' if word else ""
