"""A variant and its parent as one list of sections.

In: the syntax of a rules text, and a way to find the text that it extends.  Out: the sections of the whole game,
in the order of the parent, with what the child adds, replaces and removes.  A child must say `replace` or
`remove` to touch what the parent has; examples are not inherited, since they may no longer be true.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dsl import syntax
from dsl.errors import Report, Source, Span, nearest

Find = Callable[[str, Source], Source | None]

# Sections of which a game has one; the others have names.
SINGLE = {
    syntax.Players: "players", syntax.Board: "board", syntax.Setup: "setup", syntax.Stuck: "stuck",
    syntax.Show: "show", syntax.End: "end", syntax.Evaluate: "evaluate", syntax.Game: "game",
}  # fmt: skip
GROWING = (syntax.End, syntax.Evaluate, syntax.Show, syntax.State)  # a child's lines come after its parent's


def merged(rules: syntax.Rules, find: Find, report: Report, children: tuple[str, ...] = ()) -> list[syntax.Section]:
    """The sections of a game with everything that it inherits."""
    own = _joined(_split(rules.sections))
    header = next((s for s in own if isinstance(s, syntax.Game)), None)
    if header is None or header.extends is None:
        _refuse_edits(own, report)
        return own
    source = find(header.extends, rules.source)
    if source is None:
        report.add(header.extends_span or header.span, f'there is no rules file "{header.extends}" to extend',
                   "it is looked for beside this file and among the shipped games")  # fmt: skip
        return own
    if source.name in children or source.name == rules.source.name:
        report.add(header.extends_span or header.span, f'"{header.extends}" extends this game itself')
        return own
    parent = merged(syntax.parse(source), find, report, (*children, rules.source.name))
    sections: list[syntax.Section] = [s for s in parent if not isinstance(s, (syntax.Example, syntax.Game))]
    for section in own:
        _apply(section, sections, report)
    return sections


def key(section: syntax.Section) -> tuple[str, str]:
    """Kind and name, by which a section of a child meets one of its parent."""
    match section:
        case syntax.State(entries=(entry, *_)):
            return "state", entry.name.name
        case syntax.Option(names=(name, *_)):
            return "option", name.name
        case syntax.Example(name=name):
            return "example", name
        case _ if type(section) in SINGLE:
            return SINGLE[type(section)], ""
        case _:
            return type(section).__name__.lower(), section.name.name  # type: ignore[union-attr]


def _apply(section: syntax.Section, sections: list[syntax.Section], report: Report) -> None:
    have = {key(s): i for i, s in enumerate(sections)}
    match section:
        case syntax.Remove(_, kind, name):
            if (kind, name.name) in have:
                del sections[have[kind, name.name]]
            else:
                known = [n for k, n in have if k == kind]
                report.add(name.span, f'the parent has no {kind} "{name.name}" to remove', nearest(name.name, known))
        case syntax.Replace(_, syntax.Replace() | syntax.Remove() | syntax.Game() | syntax.Example()):
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
        if isinstance(section, (syntax.Replace, syntax.Remove)):
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
