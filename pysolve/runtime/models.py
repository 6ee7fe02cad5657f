"""Rules to checked game, at once if the same rules were read before.

In: the text of rules, the folders in which its parents lie, options.  Out: the model, and the name under which the
cache has it.  The name says all that the model depends on: the texts, the options, the sources of `dsl` and the
version of Python.  Rules with mistakes are not kept, unless these are in examples alone.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from pysolve import dsl
from pysolve.dsl import NoRules, RulesError, parent_finder, read_playable, read_source
from pysolve.dsl.errors import Source
from pysolve.dsl.model import Game
from pysolve.runtime.cache import GAME, PARENTS, keep, kept
from pysolve.runtime.progress import doing

KINDS = (".py", ".lark", ".c")  # of the files of `dsl`

Parents = tuple[tuple[str, str | None], ...]  # what was looked for, and the digest of what was found


class Reading(NamedTuple):
    """A checked game, and the name under which what is made of it can be kept."""

    model: Game
    name: str | None


def read_anew(source: Source, folders: tuple[Path, ...], options: Mapping[str, object]) -> Reading:
    """The game of a rules text; raises as `pysolve.dsl.read_source`."""
    with doing(f"reading {source.name}"):
        return Reading(read_source(source, parent_finder(folders), options), None)


def read(source: Source, folders: tuple[Path, ...], options: Mapping[str, object]) -> Reading:
    """The game of a rules text, from the cache if it was read before; raises as `pysolve.dsl.read_playable`."""
    sources = _sources()
    if sources is None or not all(isinstance(value, (str, int)) for value in options.values()):
        with doing(f"reading {source.name}"):
            return Reading(read_playable(source, parent_finder(folders), options), None)
    set_to = sorted((name, repr(value)) for name, value in options.items())
    own = _digest(repr([sources, sys.version, source.name, source.text, set_to]))
    parents = kept(own + PARENTS)
    if isinstance(parents, tuple) and parents == _found(parents, folders):
        name = _digest(repr([own, parents]))
        model = kept(name + GAME)
        if isinstance(model, Game):
            return Reading(model, name)
    return _read_and_kept(own, source, folders, options)


def _read_and_kept(own: str, source: Source, folders: tuple[Path, ...], options: Mapping[str, object]) -> Reading:
    asked: list[tuple[str, str | None]] = []
    find = parent_finder(folders)

    def noting(name: str, child: Source) -> Source | None:
        found = find(name, child)
        asked.append((name, _digest_of(found)))
        return found

    with doing(f"reading {source.name}"):
        model = read_playable(source, noting, options)
    parents = tuple(asked)
    name = _digest(repr([own, parents]))
    keep(own + PARENTS, parents)
    keep(name + GAME, model)
    return Reading(model, name)


def _found(parents: Parents, folders: tuple[Path, ...]) -> Parents:
    """The present digests of the parents that were read, by their names."""
    find = parent_finder(folders)
    try:
        return tuple((name, _digest_of(find(name, Source("", "")))) for name, _ in parents)
    except (NoRules, RulesError, OSError):
        return ()  # they are read again, and the mistake is reported


def _digest_of(source: Source | None) -> str | None:
    return None if source is None else _digest(repr([source.name, source.text]))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@functools.cache
def _sources() -> str | None:
    """A digest of the source files of `dsl`, as part of the names in the cache.

    None if the files cannot be read, or if nothing can be kept here.
    """
    if sys.platform == "emscripten":  # the files of a browser's worker end with it
        return None
    folder = os.path.dirname(dsl.__file__)
    files = sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name.endswith(KINDS))
    said = hashlib.sha256()
    for file in files:
        with open(file, "rb") as opened:
            data = opened.read()
        said.update(f"{file.removeprefix(folder)} {len(data)}\n".encode() + data)
    return said.hexdigest() if files else None
