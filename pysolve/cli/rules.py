"""Commands for somebody who writes rules: check, show, fmt, new, games."""

from __future__ import annotations

import difflib
import json
import shlex
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pysolve.authoring import examples, templates
from pysolve.authoring.examples import Failure, Notice, Trial
from pysolve.authoring.tags import board_size, mechanisms
from pysolve.cli.arguments import AUTO, AsJson, EngineChoice, GameName, Options, opened
from pysolve.cli.console import complain, console, counted, put, put_code, put_problems, put_text, put_words, remark
from pysolve.cli.ending import saying_when_stopped
from pysolve.cli.files import standard_input, text_of
from pysolve.dsl import RulesError, Source, fits_in_text, merged_text, parent_finder
from pysolve.dsl.errors import Problem
from pysolve.dsl.model import Game as Model
from pysolve.dsl.model import OptionValue
from pysolve.dsl.text.measure import length
from pysolve.engines.protocol import EngineError
from pysolve.game import (
    NO_OTHER_GAME,
    VALUES,
    Game,
    UnknownGame,
    find_rules,
    find_source,
    load,
    option_word,
    other_game,
)
from pysolve.notation.record import beside
from pysolve.players.functions import specification
from pysolve.runtime import paths
from pysolve.runtime.files import write_whole
from pysolve.runtime.paths import RULES, shipped_games

if TYPE_CHECKING:
    from pygments.lexer import Lexer

Files = Annotated[
    list[str], typer.Argument(metavar="RULES", help="Names or paths of rules files; - is stdin.", show_default=False)
]

# ----------------------------------------------------------------------------------------------- check


@dataclass
class _Finding:
    """The result of checking one rules text."""

    rules: str
    problems: tuple[Problem, ...] = ()
    examples: int = 0
    checks: int = 0
    warnings: list[Notice] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    outdated: list[Path] = field(default_factory=list)
    levels: dict[str, str] = field(default_factory=dict)  # those that nobody can play, with the reason

    @property
    def good(self) -> bool:
        """True if there are neither problems in the rules nor failed examples."""
        return not self.problems and not self.failures

    def to_dict(self) -> dict[str, Any]:
        """The finding as nested objects, for JSON."""
        return {
            "rules": self.rules,
            "good": self.good,
            "problems": [
                {"file": p.span.source.name, "line": p.span.line, "column": p.span.column, "message": p.message,
                 "hint": p.hint} for p in self.problems
            ],
            "examples": self.examples,
            "checks": self.checks,
            "warnings": [{"example": w.example, "line": w.line, "warning": w.text} for w in self.warnings],
            "failures": [
                {"example": f.example, "line": f.line, "expected": f.expected, "found": f.found}
                for f in self.failures
            ],
            "outdated": [str(path) for path in self.outdated],
            "levels": self.levels,
        }  # fmt: skip


def check(
    rules: Files,
    run: Annotated[bool, typer.Option("--examples/--no-examples", help="Run the examples.")] = True,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
) -> None:
    """Check rules files: report every mistake, run the examples, and report every one that fails.

    Prolog or C runs the examples. The exit status is 1 if anything is wrong. A
    warning about an expectation above a play line does not change the exit
    status, nor does a level that names a file which is missing or damaged.

    \b
    Examples:
      pysolve check mygame.rules
      pysolve check zola conga             shipped games
      pysolve check --no-examples - < mygame.rules
      pysolve check *.rules --json
    """
    findings: list[_Finding] = []
    try:
        for name in rules:
            finding = _checked(name, run, engine)
            findings.append(finding)
            if not as_json:
                _report(finding, run)
    finally:
        if as_json:
            put(json.dumps([finding.to_dict() for finding in findings], indent=2, ensure_ascii=False))
    raise typer.Exit(0 if all(finding.good for finding in findings) else 1)


def _checked(name: str, run: bool, engine: str) -> _Finding:
    source, folders = _source(name)
    with saying_when_stopped(lambda: f"check stopped while {name} was read"):
        return _checked_source(name, source, folders, run, engine)


def _checked_source(name: str, source: Source, folders: tuple[Path, ...], run: bool, engine: str) -> _Finding:
    try:
        game = Game.read(source, folders, {}, engine, anew=True)
    except RulesError as error:
        return _Finding(name, error.problems)
    read = len(game.model.examples), examples.count(game), examples.notices(game)
    if not run:
        return _Finding(name, (), *read, outdated=game.outdated)
    try:
        return _Finding(name, (), *read, _failures(name, game), game.outdated, _unplayable(game))
    except EngineError as error:
        raise EngineError(f"{name} has no mistakes, but its examples were not run: {error} "
                          "(--no-examples only reads the rules)") from None  # fmt: skip


def _unplayable(game: Game) -> dict[str, str]:
    """The levels that nobody can play, because a file is missing, damaged, or does not apply: why."""
    found = {}
    for name, text in {**game.levels, **game.model.levels}.items():
        try:
            with warnings.catch_warnings(action="ignore"):
                who = specification(text)
                who.check(game)
                if "by" in who.settings:
                    other_game(game, who.settings["by"])
        except NO_OTHER_GAME as error:
            found[name] = str(error)
    return found


def _failures(name: str, game: Game) -> list[Failure]:
    """The failures of the examples of a game; Ctrl-C prints which examples passed so far and which did not."""
    tried: list[Trial] = []

    def known() -> str:
        passed = [trial.example.name for trial in tried if not trial.failures]
        failed = [trial.example.name for trial in tried if trial.failures]
        done = f"{len(tried)} of {counted(len(game.model.examples), 'example')}"
        lists = [("passed", passed), ("not as expected", failed)]
        return "; ".join([f"check stopped after {done} of {name}", *(
            f"{word}: {', '.join(names)}" for word, names in lists if names
        )])  # fmt: skip

    with saying_when_stopped(known):
        tried.extend(examples.trials(game))
        found = [failure for trial in tried for failure in trial.failures]
        return found + examples.breaches(game) + examples.told_secrets(game)


def _source(name: str) -> tuple[Source, tuple[Path, ...]]:
    """The text of a rules file, or of stdin."""
    if name == "-":
        return Source("stdin", standard_input().read().replace("\r\n", "\n")), (Path(), RULES)
    return find_source(name)


def _report(finding: _Finding, run: bool) -> None:
    from rich.text import Text

    to = console()
    put_problems(to, finding.problems)
    for warning in finding.warnings:
        to.print(Text.assemble(
            (f"{finding.rules}:{warning.line}: {warning.place}\n", "bold"),
            "    warning   ", (warning.text, "yellow"),
        ))  # fmt: skip
    for failure in finding.failures:
        found = failure.found.replace("\n", "\n" + " " * 14)
        to.print(Text.assemble(
            (f'{finding.rules}:{failure.line}: example "{failure.example}"\n', "bold"),
            "    expected  ", (failure.expected, "green"), "\n    found     ", (found, "red"),
        ))  # fmt: skip
    if finding.problems:
        to.print(Text.assemble((f"{finding.rules}: ", "bold"), (counted(len(finding.problems), "mistake"), "red")))
        return
    told = f"{counted(finding.examples, 'example')} with {counted(finding.checks, 'line')}"
    if not finding.checks and finding.failures:
        said = (f"{len(finding.failures)} not as expected", "red")
    elif not finding.checks:
        said = ("no mistakes; it has no examples", "green")
    elif not run:
        said = (f"no mistakes; {told}, not run", "green")
    elif finding.failures:
        said = (f"{told}, {len(finding.failures)} not as expected", "red")
    else:
        said = (f"no mistakes; {told}, all as expected", "green")
    for path in finding.outdated:
        learn = "learn" if path.suffix == VALUES else "policy"
        remark(f"{path.name} was learned for other rules, so expert plays without it; learn again, or remove it:  "
               f"pysolve {learn} {finding.rules} -o {path} --force")  # fmt: skip
    for level, why in finding.levels.items():
        remark(f"the level {level} cannot be played as it stands: {why}")
    warned = f"; {counted(len(finding.warnings), 'warning')}" if finding.warnings else ""
    to.print(Text.assemble((f"{finding.rules}: ", "bold"), said, (warned, "yellow")))


# ------------------------------------------------------------------------------------------------ show


class Stage(StrEnum):
    """A stage of the translation of rules, for `show`."""

    rules = "rules"
    syntax = "syntax"
    model = "model"
    prepared = "prepared"
    prolog = "prolog"
    unfolded = "unfolded"
    c = "c"
    symmetries = "symmetries"


def show(
    game: GameName,
    options: Options = None,
    stage: Annotated[Stage, typer.Option("--stage", "-s", help="The stage to print.")] = Stage.prolog,
    runtime: Annotated[bool, typer.Option("--runtime", help="Add the runtime clauses that every game needs.")] = False,
    after: Annotated[
        str, typer.Option("--after", metavar="PASS", help="With --stage prepared: the model after this pass.")
    ] = "",
) -> None:
    """Print what rules are translated to: syntax, checked model, Prolog program, its unfolded form, or C.

    --stage symmetries prints how the board can be turned and mirrored, and players
    and named values exchanged, so that moves and results stay the same; each is
    proved from the rules.

    --stage rules prints the rules themselves, those of a variant with all that it
    inherits. In a terminal, rules and programs are in colour.

    With --runtime the Prolog program is complete: plain swipl can load it and
    play. The C program is always complete.

    --stage prepared is the model in steps that are fast in C. It is the result
    of these passes, in this order; --after shows the model after one of them:
    inlining, mobility, hoisting, redundant-reads, comparison-fusion,
    flattening, quantifier-splitting, tabulation.

    \b
    Examples:
      pysolve show zola size=4
      pysolve show zola --stage model
      pysolve show zola --runtime > zola.pl && swipl zola.pl
          ?- initial(P), legal(P, Move).
      pysolve show zola --stage prepared --after inlining
      pysolve show zola --stage c > zola.c
      pysolve show zola --stage symmetries
    """
    if after and stage is not Stage.prepared:
        raise typer.BadParameter("--after requires --stage prepared")
    for part in _STAGES[stage](_Request(game, options or [], runtime, after)):
        if stage in (Stage.syntax, Stage.model, Stage.prepared, Stage.symmetries):
            put(part)
        else:
            put_code(part, _language(stage))


def _language(stage: Stage) -> str | Lexer:
    """The language in which a stage is written, by its name or by its lexer."""
    from pysolve.ide.lexer import RulesLexer

    return RulesLexer() if stage is Stage.rules else "c" if stage is Stage.c else "prolog"


@dataclass
class _Request:
    """The arguments of `show`: a game, its options, and how much of it to print."""

    name: str
    options: list[str]
    runtime: bool
    after: str

    def model(self) -> Model:
        """The checked model of the rules with these options."""
        return opened(self.name, self.options).model


def _rules(request: _Request) -> Iterator[str]:
    source, folders = find_source(request.name)
    yield merged_text(source, parent_finder(folders)).rstrip("\n")


def _syntax(request: _Request) -> Iterator[str]:
    from pysolve.dsl.text.nodes import outline
    from pysolve.dsl.text.syntax import parse

    yield from outline(parse(find_source(request.name)[0]))


def _model(request: _Request) -> Iterator[str]:
    return _outlined(request.model())


def _prepared(request: _Request) -> Iterator[str]:
    from pysolve.dsl.passes import LAST, PASSES, prepared

    if request.after and request.after not in PASSES:
        raise typer.BadParameter(f'there is no pass "{request.after}"; there are {", ".join(PASSES)}')
    return _outlined(prepared(request.model(), request.after or LAST))


def _outlined(model: Model) -> Iterator[str]:
    from pysolve.dsl.model.outline import outline

    parts = {
        "types": model.sorts.values(), "state": model.slots.values(), "tables": model.tables.values(),
        "rules": model.rules.values(), "setup": model.setup, "moves": model.actions,
        "stuck": [model.stuck] if model.stuck else [], "endings": model.endings, "evaluate": model.terms,
        "show": [*model.board.icons, *model.board.unders, *model.layers, *model.derived, *model.ties, *model.rims,
                 *model.asides],
    }  # fmt: skip
    for title, nodes in parts.items():
        if nodes:
            yield f"{title}:"
            for node in nodes:
                yield from outline(node, "  ")


def _prolog(request: _Request) -> Iterator[str]:
    from pysolve.dsl.to_prolog import print_prolog

    behind = paths.runtime() if request.runtime else ""
    yield print_prolog(request.model(), behind).rstrip("\n")


def _unfolded(request: _Request) -> Iterator[str]:
    from pysolve.dsl.to_prolog.unfolded import print_unfolded

    text = print_unfolded(request.model())
    yield text.rstrip("\n") or "% These rules have no unfolded form: it would not be faster."


def _c(request: _Request) -> Iterator[str]:
    from pysolve.dsl.to_c import TooLarge, print_c

    model = request.model()
    try:
        yield print_c(model).rstrip("\n")
    except TooLarge as error:
        raise EngineError(f"{model.title} does not fit into C: {error}") from None


def _symmetries(request: _Request) -> Iterator[str]:
    from pysolve.authoring.symmetries import told

    yield from told(request.model())


_STAGES = {
    Stage.rules: _rules, Stage.syntax: _syntax, Stage.model: _model, Stage.prepared: _prepared, Stage.prolog: _prolog,
    Stage.unfolded: _unfolded, Stage.c: _c, Stage.symmetries: _symmetries,
}  # fmt: skip

# ------------------------------------------------------------------------------------------------- fmt


def fmt(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Rules files; - is stdin.", show_default=False)],
    only_check: Annotated[
        bool, typer.Option("--check", help="Change nothing; list the files that would change.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Change nothing; print the changes.")] = False,
) -> None:
    """Format rules files in the standard layout.

    With --check or --diff the exit status is 1 if a file is not formatted.

    \b
    Examples:
      pysolve fmt mygame.rules
      pysolve fmt --diff *.rules
      pysolve fmt - < mygame.rules
    """
    from pysolve.dsl.text.fmt import format_rules

    status = 0
    for name in files:
        before = text_of(name)
        try:
            after = format_rules(before, "stdin" if name == "-" else name)
        except RulesError as error:
            complain(error)
            status = 2
            continue
        if diff:
            put_text(_diff(name, before, after))
        elif only_check and before != after:
            put(f"{name} would be changed")
        elif not only_check and name == "-":
            put_text(after)
        elif not only_check and before != after:
            write_whole(Path(name), after)
            put(f"{name} was changed")
        if (only_check or diff) and before != after:
            status = max(status, 1)
    raise typer.Exit(status)


def _diff(name: str, before: str, after: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), name, f"{name}, formatted"
    )
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


# ------------------------------------------------------------------------------------------ new, games


class Template(StrEnum):
    """The template of a new game."""

    blank = "blank"
    placement = "placement"
    moving = "moving"
    variant = "variant"


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the game and its file.", show_default=False)],
    template: Annotated[Template, typer.Option("--template", "-t", help="Kind of game.")] = Template.blank,
    like: Annotated[str | None, typer.Option(metavar="GAME", help="Copy this game.",
                    show_default=False)] = None,
    extends: Annotated[str | None, typer.Option(metavar="GAME", help="Create a variant of this game.",
                       show_default=False)] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:  # fmt: skip
    """Write NAME.rules: a small complete game, with comments, to be changed into another one.

    blank: the smallest game; placement: stones are placed, and a row wins;
    moving: pieces move and capture; variant: a shipped game with changes.

    --like copies a game, so that everything can be changed; --extends begins a
    variant, which contains only the differences.

    \b
    Examples:
      pysolve new mygame
      pysolve new mygame --template moving
      pysolve new mygame --like hex
      pysolve new mygame --extends breakthrough
    """
    if like and extends:
        raise UnknownGame(
            "--like and --extends cannot be combined: --like copies a game, --extends creates a variant of it"
        )
    path = Path(name if name.endswith(".rules") else f"{name}.rules")
    if path.exists() and not force:
        raise FileExistsError(17, "the file exists; --force overwrites it", str(path))
    title = Path(name).name.removesuffix(".rules").replace("_", " ").replace("-", " ").strip()
    if not title or not fits_in_text(title):
        raise UnknownGame(f'"{name}" cannot be the name of a game')
    title = title[0].upper() + title[1:]
    if extends:
        text = templates.variant(opened(extends, None), title, find_rules(extends).stem)
    elif like:
        text = templates.copy(find_source(like)[0].text, title)
    else:
        text = templates.from_template(template.value, title)
    write_whole(path, text)
    put(f"{path} is written. Edit it, then run:")
    put(f"  pysolve check {shlex.quote(str(path))}")
    put(f"  pysolve play {shlex.quote(str(path))}")


def games(
    parts: Annotated[list[str] | None, typer.Argument(metavar="[WORD]...", show_default=False,
                     help="Parts of names, or rules files; by default all shipped games are listed.")] = None,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """List the shipped games, or describe rules files.

    Each game is shown with its players, the size of its board, the mechanisms
    that its rules use, its length in lines (without examples, show and evaluate;
    a variant contains only the differences), and its options with their values
    and possible values.

    \b
    Examples:
      pysolve games
      pysolve games chess
      pysolve games mygame.rules
      pysolve games --json
    """
    names = _named(parts) if parts else shipped_games()
    found: list[Game] = []
    with saying_when_stopped(lambda: f"games stopped after reading {counted(len(found), 'game')}"):
        for name in names:
            found.append(load(name))
    if as_json:
        put(json.dumps([_game_dict(game) for game in found], indent=2, ensure_ascii=False))
        return
    from rich.text import Text

    to, margin = console(), 2 + max(len(game.name) for game in found)
    for game in found:
        author = game.model.about.get("author")
        heading = f"{game.title}, by {author}" if author else game.title
        to.print(Text.assemble((game.name.ljust(margin), "bold cyan"), (heading, "bold")))
        options = "  ".join(_option_text(option) for option in game.model.options)
        made = [", ".join(game.players), board_size(game.model), counted(_lines(game), "line"),
                ", ".join(mechanisms(game.model))]  # fmt: skip
        for line in (game.model.about.get("about"), " | ".join(made), options):
            if line:
                put_words(to, " " * margin + line)
        for level, player in game.levels.items():
            to.print(Text(f"{'':{margin}}{level}: {player}", "dim"))
        if beside(game) is not None:
            put_words(to, f"{'':{margin}}a recorded game: pysolve replay {game.name}")


def _named(parts: list[str]) -> list[str]:
    """The shipped games that have one of these parts in their names, and the files that the others name.

    Raises `UnknownGame` for a part that is neither.
    """
    shipped, files = set[str](), list[str]()
    for part in parts:
        fitting = [name for name in shipped_games() if part.lower() in name]
        shipped.update(fitting)
        if not fitting:
            files.append(str(find_rules(part)))
    return [*sorted(shipped), *files]


def _game_dict(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "author": game.model.about.get("author"),
        "about": game.model.about.get("about"),
        "players": list(game.players),
        "size": board_size(game.model),
        "mechanisms": list(mechanisms(game.model)),
        "lines": _lines(game),
        "options": {
            option.name: {"default": option_word(option, option.default), "values": _values(option)}
            for option in game.model.options
        },
        "levels": game.levels,
        "recorded": beside(game) is not None,
    }


def _lines(game: Game) -> int:
    """Lines of the file of a game."""
    return length(Path(game.model.source).read_text(encoding="utf-8")).lines


def _option_text(option: OptionValue) -> str:
    """An option as it is set on a command line, with its possible values."""
    low, high = option.choices[0], option.choices[-1]
    is_range = not option.sort.labels and len(option.choices) > 3 and high - low + 1 == len(option.choices)
    values = f"{low}..{high}" if is_range else ", ".join(_values(option))
    return f"{option.name}={option_word(option, option.default)} ({values})"


def _values(option: OptionValue) -> list[str]:
    return [option_word(option, value) for value in option.choices]
