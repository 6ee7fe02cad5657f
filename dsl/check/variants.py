"""A variant and its parent as one list of sections.

In: the syntax of a rules text, and a way to find the text that it extends.  Out: the sections of the whole game,
in the order of the parent, with what the child adds, replaces and removes.  A child must say `replace` or
`remove` to touch what the parent has; examples are not inherited, since they may no longer be true.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from dsl import syntax
from dsl.errors import Report, Source, Span, nearest
from dsl.finding import Find, NoRules
from dsl.renames import renamed
from dsl.renames import words as words_of

# Sections of which a game has one; the others have names.
SINGLE = {
    syntax.Players: "players", syntax.Board: "board", syntax.Setup: "setup", syntax.Stuck: "stuck",
    syntax.Show: "show", syntax.End: "end", syntax.Evaluate: "evaluate", syntax.Game: "game",
}  # fmt: skip
GROWING = (syntax.End, syntax.Evaluate, syntax.Show, syntax.State)  # a child's lines come after its parent's


def merged(
    rules: syntax.Rules, find: Find, report: Report, changed: Changed, children: tuple[str, ...] = (),
    words: tuple[Words, ...] = (),
) -> list[syntax.Section]:  # fmt: skip
    """The sections of a game with everything that it inherits; `changed` gets what its parents had otherwise.

    `words` are those that its children have chosen, the nearest child first.
    """
    own = _joined(_split(rules.sections))
    header = next((s for s in own if isinstance(s, syntax.Game)), None)
    if header is None or header.extends is None:
        _refuse_edits(own, report)
        return own
    try:
        source = find(header.extends, rules.source)
    except NoRules as error:
        report.add(header.extends_span or header.span, error.message, error.hint)
        return own
    if source is None:
        report.add(header.extends_span or header.span, f'there are no rules "{header.extends}"')
        return own
    if source.name in children or source.name == rules.source.name:
        report.add(header.extends_span or header.span, f'"{header.extends}" extends this game itself')
        return own
    chosen = Words.of(own)
    said = _in_words(source, (chosen, *words))
    parent = merged(syntax.parse(said), find, report, changed, (*children, rules.source.name), (chosen, *words))
    changed.words.update(words_of(said.text))
    _check_renames(own, changed.words, set(words_of(_in_words(source, words).text)), _declared(parent), report)
    for old, new in chosen.names.items():
        changed.renamed.setdefault(new, old)
    sections: list[syntax.Section] = [s for s in parent if not isinstance(s, (syntax.Example, syntax.Game))]
    for section in own:
        if not isinstance(section, syntax.Rename):
            _apply(section, sections, report, changed.removed)
    return sections


@dataclass
class Changed:
    """What the parents of a game had otherwise."""

    removed: dict[str, syntax.Remove] = field(default_factory=dict)  # names that were taken away
    renamed: dict[str, str] = field(default_factory=dict)  # new names to the first ones
    words: set[str] = field(default_factory=set)  # all words of the parents, as they are read


class Words(NamedTuple):
    """What a variant calls the names of its parent, and what it says instead of its texts."""

    names: dict[str, str]
    texts: dict[str, str]

    @staticmethod
    def of(sections: list[syntax.Section]) -> Words:
        """Those of a variant; where it renames something twice, the first."""
        found = Words({}, {})
        for one in sections:
            if isinstance(one, syntax.Rename):
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
    own: list[syntax.Section], after: set[str], before: set[str], declared: set[str], report: Report
) -> None:
    """Reports renamings of what the parents do not have, and to what they have already.

    `after` are the words of the parents after the renaming, `before` those of the nearest one before it.
    """
    renames = [one for one in own if isinstance(one, syntax.Rename)]
    old_names = {one.old for one in renames}
    met: set[tuple[bool, str]] = set()
    for one in renames:
        new = f'"{one.new}"' if one.is_text else one.new
        if (one.is_text, one.old) in met:
            report.add(one.old_span, f'"{one.old}" is renamed already')
        elif new not in after:
            known = [word.strip('"') for word in before if word.startswith('"') == one.is_text]
            what = "text" if one.is_text else "name"
            report.add(one.old_span, f'the parent has no {what} "{one.old}"', nearest(one.old, known))
        elif not one.is_text and one.new in before - old_names:
            report.add(one.new_span, f'the parent has the name "{one.new}" already', "choose another name")
        elif not one.is_text and one.new not in declared:
            report.add(one.old_span, f'the parent does not declare "{one.old}"',
                       "renamed are players, types and their values, states, definitions, moves, levels")  # fmt: skip
        met.add((one.is_text, one.old))


def _declared(sections: list[syntax.Section]) -> set[str]:
    """The names that sections give a meaning to."""
    found: set[str] = set()
    for section in sections:
        match section:
            case syntax.Players(names=names) | syntax.Option(names=names):
                found |= {name.name for name in names}
            case syntax.State(entries=entries):
                found |= {entry.name.name for entry in entries}
                found |= {word for entry in entries for word in words_of(entry.span.text)}
            case syntax.Type() | syntax.Table():
                found |= set(words_of(section.span.text))
            case syntax.Evaluate(terms=terms):
                found |= {term.name.name for term in terms}
            case syntax.Define() | syntax.Effect() | syntax.Move() | syntax.Level():
                found.add(section.name.name)
    return found


def key(section: syntax.Section) -> tuple[str, str]:
    """Kind and name, by which a section of a child meets one of its parent."""
    match section:
        case syntax.State(entries=(entry, *_)):
            return "state", entry.name.name
        case syntax.Option(names=(name, *_)):
            return "option", name.name
        case syntax.Example(name=name):
            return "example", name
        case syntax.Rename(old=old):
            return "rename", old
        case _ if type(section) in SINGLE:
            return SINGLE[type(section)], ""
        case _:
            return type(section).__name__.lower(), section.name.name  # type: ignore[union-attr]


def _apply(
    section: syntax.Section, sections: list[syntax.Section], report: Report, removed: dict[str, syntax.Remove]
) -> None:
    have = {key(s): i for i, s in enumerate(sections)}
    match section:
        case syntax.Remove(_, kind, name):
            if (kind, name.name) in have:
                gone = sections.pop(have[kind, name.name])
                removed |= dict.fromkeys(_names_of(gone), section)
            else:
                known = [n for k, n in have if k == kind]
                report.add(name.span, f'the parent has no {kind} "{name.name}" to remove', nearest(name.name, known))
        case syntax.Replace(_, syntax.Replace() | syntax.Remove() | syntax.Rename() | syntax.Game() | syntax.Example()):
            report.add(_headline(section), "only a part of the parent can be replaced",
                       "for example:  replace define free(c: cell) = at(c) = none")  # fmt: skip
        case syntax.Replace(_, inner):
            for one in _split((inner,)):
                if key(one) in have:
                    sections[have[key(one)]] = one
                else:
                    kind, word = key(one)
                    known = [n for k, n in have if k == kind]
                    report.add(_headline(one), f"the parent has no {kind} {quoted(word)}to replace",
                               nearest(word, known))  # fmt: skip
        case syntax.Example():
            sections.append(section)
        case _ if key(section) in have and isinstance(section, GROWING) and not isinstance(section, syntax.State):
            index = have[key(section)]
            sections[index] = _grown(sections[index], section)
        case _ if key(section) in have:
            kind, word = key(section)
            report.add(_headline(section), f"the parent has {kind} {quoted(word)}already",
                       f"write  replace {kind} …  to change it")  # fmt: skip
        case _:
            sections.append(section)


def _names_of(section: syntax.Section) -> list[str]:
    """The names that a section gives a meaning: its own, and those that it lists."""
    names = [key(section)[1]]
    match section:
        case syntax.Type(body=syntax.NamesType(names=values)):
            names += [value.name for value in values]
        case syntax.State(entries=(syntax.StateEntry(type=syntax.NamesType(names=values)), *_)):
            names += [value.name for value in values]
        case syntax.Table(columns=columns):
            names += [column.name for column in columns]
        case syntax.Option(domain=syntax.SetOf(items=items)):
            names += [item.name for item in items if isinstance(item, syntax.Name)]
    return names


def _grown(parent: syntax.Section, child: syntax.Section) -> syntax.Section:
    match parent, child:
        case syntax.End(), syntax.End():
            return replace(parent, endings=parent.endings + child.endings)
        case syntax.Evaluate(), syntax.Evaluate():
            return replace(parent, terms=parent.terms + child.terms)
        case syntax.Show(), syntax.Show():
            return replace(parent, lines=parent.lines + child.lines)
        case syntax.Replace(), syntax.Replace():
            return replace(parent, section=_grown(parent.section, child.section))
    raise AssertionError("these sections do not grow")


def _refuse_edits(sections: list[syntax.Section], report: Report) -> None:
    for section in sections:
        if isinstance(section, (syntax.Replace, syntax.Remove, syntax.Rename)):
            word = type(section).__name__.lower()
            report.add(section.span.first(len(word)), f"“{word}” changes a parent, but this game extends none",
                       'name it in the first line:  game "…" extends "…"')  # fmt: skip


def _split(sections: tuple[syntax.Section, ...]) -> list[syntax.Section]:
    """The sections, with one `state` section for each state variable, and one `option` for each of several names."""
    found: list[syntax.Section] = []
    for section in sections:
        match section:
            case syntax.State():
                found += [syntax.State(entry.span, (entry,)) for entry in section.entries]
            case syntax.Option():
                found += [replace(section, names=(name,)) for name in section.names]
            case _:
                found.append(section)
    return found


def _joined(sections: list[syntax.Section]) -> list[syntax.Section]:
    """The sections, with one `end`, `evaluate` and `show` that has the lines of all; `replace` likewise."""
    found: list[syntax.Section] = []
    for section in sections:
        kinds = _kinds(section)
        grows = kinds[-1] in (syntax.End, syntax.Evaluate, syntax.Show)
        first = next((i for i, one in enumerate(found) if _kinds(one) == kinds), None) if grows else None
        if first is not None:
            found[first] = _grown(found[first], section)
        else:
            found.append(section)
    return found


def _kinds(section: syntax.Section) -> list[type]:
    """`replace` if it stands there, and the kind of section."""
    return [type(section), *(_kinds(section.section) if isinstance(section, syntax.Replace) else ())]


def _headline(section: syntax.Section) -> Span:
    inner = section.section if isinstance(section, syntax.Replace) else section
    named = getattr(inner, "name", None)
    if isinstance(named, syntax.Name):
        return named.span
    span = section.span
    if span.end_line == span.line:
        return span
    return replace(span, end_line=span.line, end_column=len(span.source.line(span.line)) + 1)


def quoted(word: str) -> str:
    return f'"{word}" ' if word else ""
