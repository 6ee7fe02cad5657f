"""Syntax to model: the only place that can reject a rules file.

In: the syntax of a rules text, options as a user set them, and a way to find the text that it extends.  Out: the
Game, every name, type, order and number settled; or `RulesError` with everything that is wrong.

    variants     a child and its parent become one list of sections
    symbols        what the names of the game mean
    elaborate    expressions get types
    static       what does not read the position is computed
    order        expressions become steps, in a good order
    reasons      what `why` is to say of a demand
    options, types, endings, effects, moves, looks    the sections, each by its subject
    finish       what can only be said of the whole
    meanings     what each name means, for whoever asks
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TypeVar

from pysolve.dsl.check import derived, effects, looks, moves, show, variants
from pysolve.dsl.check.elaborate import SWITCHES, TRUTHS, Scope, define
from pysolve.dsl.check.endings import ending_of, out_of, result_of, same_for_all, same_payoffs, term_of
from pysolve.dsl.check.finish import queries_of, used_tables, with_kept_turn
from pysolve.dsl.check.meanings import Understanding, meanings_of
from pysolve.dsl.check.options import declared_types, option_of, option_value, refuse_places, seats_of
from pysolve.dsl.check.order import Builder
from pysolve.dsl.check.ranges import check_unasked
from pysolve.dsl.check.sights import add_sight
from pysolve.dsl.check.symbols import (
    MAY_BE_NAMED,
    Definition,
    Rejected,
    Symbols,
    attempt,
    plain_types,
)
from pysolve.dsl.check.types import (
    add_board,
    add_no_board,
    add_sites,
    add_table,
    add_type,
    labels,
    mentions_board,
    slots_of,
)
from pysolve.dsl.errors import Problem, Report, RulesError, Span, UnknownOption, choices, nearest
from pysolve.dsl.language import geometry
from pysolve.dsl.language.functions import functions_in
from pysolve.dsl.model import (
    BOOL,
    Action,
    Assign,
    Demand,
    Effects,
    Ending,
    Example,
    Game,
    OptionValue,
    Pick,
    Result,
    Slot,
    Sort,
    Term,
    all_effects,
)  # fmt: skip
from pysolve.dsl.model.payoffs import MOST_PLAYERS
from pysolve.dsl.player_texts import FILES, PLAYERS, UnknownPlayer, check_player, read_player
from pysolve.dsl.text import nodes
from pysolve.dsl.text.sources import Find, stays_inside

S = TypeVar("S")
# Notations besides that of the rules, and the states that they read.
NOTATIONS: Mapping[str, tuple[str, ...]] = {"san": ("owner", "kind")}
LANGUAGE = "1"  # of the rules language; a file may say which it is written in


def check(rules: nodes.Rules, options: Mapping[str, object], find: Find) -> Game:
    """The model of a rules text with its options set; mistakes in its examples are the model's `flaws`."""
    report = Report()
    changed = variants.Changed()
    sections = variants.merged(rules, find, report, changed)
    report.stop_if_any()
    try:
        return _Checker(rules, sections, report, changed).game(options)
    except RecursionError:
        raise RulesError([*report.problems, _too_deep(rules)]) from None


def merged(rules: nodes.Rules, find: Find) -> list[nodes.Section]:
    """The sections of a rules text with all that it inherits; raises `RulesError` if these cannot be found."""
    report = Report()
    sections = variants.merged(rules, find, report, variants.Changed())
    report.stop_if_any()
    return sections


def understand(
    rules: nodes.Rules, mistakes: tuple[Problem, ...], options: Mapping[str, object], find: Find
) -> Understanding:
    """The game, the mistakes and the meaning of each name of a rules text that may have mistakes.

    `mistakes` are the sentences that the parser has left out; errors that only follow from them are not reported.
    """
    report, changed = Report(), variants.Changed()
    sections = list(rules.sections)
    checker: _Checker | None = None
    game: Game | None = None
    problems = mistakes
    try:
        sections = variants.merged(rules, find, report, changed)
        report.stop_if_any()
        checker = _Checker(rules, sections, report, changed)
        game = checker.game(options)
    except RulesError as error:
        problems = mistakes or error.problems
    except RecursionError:
        problems = mistakes or (_too_deep(rules),)
    if game is not None:
        problems = problems or game.flaws
    if checker is not None and problems:
        checker.read_on()
    edits = [section for section in rules.sections if isinstance(section, (nodes.Remove, nodes.Extend))]
    symbols = None if checker is None else checker.symbols
    return Understanding(None if problems else game, problems, meanings_of([*sections, *edits], symbols, changed.gone))


def _too_deep(rules: nodes.Rules) -> Problem:
    return Problem(Span(rules.source, 1, 1, 1, 2), "definitions or effects are nested too deeply in each other")


@dataclass
class _Checker:
    """Reads the sections in the order in which they build on each other."""

    rules: nodes.Rules
    sections: list[nodes.Section]
    report: Report
    changed: variants.Changed
    flaws: Report = field(default_factory=Report)  # mistakes in the examples
    announced: list[nodes.Type] = field(default_factory=list)  # types that options needed before their turn
    symbols: Symbols | None = None  # as soon as there are any
    has_read: bool = False  # definitions, moves and what follows them

    def all(self, kind: type[S]) -> list[S]:
        """All sections of one kind, in the order of the file."""
        return [section for section in self.sections if isinstance(section, kind)]

    def one(self, kind: type[S]) -> S | None:
        """The section of which there is one at most."""
        found = self.all(kind)
        for extra in found[1:]:
            word = variants.SINGLE[kind]
            self.report.add(extra.span, f"a second “{word}”: a game has only one", "join the two")  # type: ignore[attr-defined]
        return found[0] if found else None

    def game(self, given: Mapping[str, object]) -> Game:
        """The checked model with the options `given`; raises `RulesError` with every mistake found so far."""
        header = self._header()
        symbols = self.symbols = self._symbols(given)
        if "cell" not in symbols.sorts:
            self.report.stop_if_any()  # without a board nothing has a meaning
        self._names(symbols)
        self.report.stop_if_any()  # without types and state everything else would be noise
        self.has_read = True
        self._definitions(symbols)
        for entry in symbols.entries.values():
            attempt(add_sight, symbols, entry)
        icons = looks.icons_of(symbols, self.one(nodes.Show))
        show.dress(symbols, self.one(nodes.Show))
        shown = attempt(show.looks_of, symbols, self.one(nodes.Show))
        rims = show.rims_of(symbols, self.one(nodes.Show))
        actions = self._actions(symbols)
        setup = self._setup(symbols, shown)
        endings = self._endings(symbols)
        stuck = self._stuck(symbols)
        attempt(same_payoffs, symbols, self._results(endings, stuck))
        terms = self._terms(symbols)
        effects.check_unused(symbols)
        marks = [attempt(show.mark_of, symbols, node) for node in self.all(nodes.Mark)]
        tells = [attempt(show.tell_of, symbols, node) for node in self.all(nodes.Tell)]
        sayings = show.sayings_of(symbols, self.one(nodes.Show))
        drawn = derived.derived_of(symbols, self.one(nodes.Show))
        asides = derived.asides_of(symbols, self.one(nodes.Show))
        ties = derived.ties_of(symbols, self.one(nodes.Show))
        board = replace(
            show.board_of(symbols),
            lines=looks.lines_of(symbols, self.one(nodes.Show)),
            sites=show.sites_seen(symbols, rims, actions),
            ground=looks.ground_of(symbols, self.one(nodes.Show)),
            unders=looks.unders_of(symbols, self.one(nodes.Show)),
            icons=icons,
        )
        out = self._out(symbols)
        claims: list[Demand] = []
        check_unasked(symbols)
        examples = self._examples(symbols, claims)
        self._stop_if_any()
        game = Game(
            name=_short_name(self.rules.source.name),
            title=header.name,
            about=dict(reversed(header.properties)),  # of several paragraphs the first
            source=self.rules.source.name,
            digest=self._digest(symbols),
            options=tuple(symbols.options.values()),
            board=board,
            sorts=symbols.sorts,
            tables={},
            slots=symbols.slots,
            rules=symbols.rules,
            actions=actions,
            setup=setup,
            draws_lots=any(isinstance(e, Pick) for e in all_effects(setup)),
            stuck=stuck,
            endings=endings,
            terms=terms,
            layers=shown[0] if shown else (),
            nevers=shown[1] if shown else (),
            rims=rims,
            examples=examples,
            queries=queries_of(symbols),
            stuck_reason=self._stuck_reason(),
            marks=tuple(filter(None, marks)),
            tells=tuple(filter(None, tells)),
            derived=drawn,
            ties=ties,
            asides=asides,
            sayings=sayings,
            renamed=self.changed.renamed,
            claims=tuple(claims),
            out=out,
            seats=seats_of(symbols, self.one(nodes.Players)),
            extends=header.extends or "",
            extends_title=self.changed.parent if header.extends else "",
            changes=tuple(variants.changes_of(self.rules)) if header.extends else (),
            passages=variants.passages_of(self.sections),
        )
        game = with_kept_turn(game)
        game.levels.update(self._levels(game))
        used = used_tables(game)
        game.tables.update({name: table for name, table in symbols.tables.items() if name in used})
        if not self.flaws.problems:
            with self._about_examples():
                show.check_examples(symbols, game, self.all(nodes.Example))
        self._stop_if_any()
        return replace(game, flaws=self.flaws.in_order())

    def _examples(self, symbols: Symbols, claims: list[Demand]) -> tuple[Example, ...]:
        """The examples; `claims` gets what they say of positions."""
        of_rules, found = bool(symbols.nones), list[Example]()
        with self._about_examples():
            for node in self.all(nodes.Example):
                found.append(show.example_of(symbols, node, claims))
            if not of_rules:
                symbols.report_nones()
        if of_rules:
            symbols.report_nones()
        return tuple(found)

    @contextmanager
    def _about_examples(self) -> Iterator[None]:
        """A context: problems reported within it become flaws of the examples, unless the rules have mistakes, too."""
        if self.report.problems:
            yield
            return
        with suppress(RulesError):  # so many that none more are looked for: all are in the report
            yield
        self.flaws.problems += self.report.problems
        self.report.problems.clear()

    def _stop_if_any(self) -> None:
        """Raises `RulesError` if the rules have mistakes: with all of them, also those of the examples."""
        if self.report.problems:
            self.report.problems += self.flaws.problems
            self.report.stop_if_any()

    def read_on(self) -> None:
        """Looks up the names in the sections that were not read because of mistakes in those before them."""
        symbols = self.symbols
        if symbols is None or self.has_read or "cell" not in symbols.sorts:
            return
        self.report = symbols.report = Report()  # what is found here follows from those mistakes
        try:
            self._definitions(symbols)
            for entry in symbols.entries.values():
                attempt(add_sight, symbols, entry)
            self._actions(symbols)
            self._setup(symbols, None)
            self._endings(symbols)
            self._terms(symbols)
            effects.check_unused(symbols)
        except (RulesError, RecursionError):
            return  # these are too many

    def _digest(self, symbols: Symbols) -> str:
        """Says which rules these are: the texts of all sections, and the options."""
        sources = {s.span.source.name: s.span.source.text for s in self.sections}
        text = "".join(sources[name] for name in sorted(sources))
        text += repr([(o.name, o.value) for o in symbols.options.values()])
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    # ------------------------------------------------------------------------------- the parts in order

    def _header(self) -> nodes.Game:
        header = self.one(nodes.Game)
        own = next((s for s in self.rules.sections if isinstance(s, nodes.Game)), None)
        if header is None and own is None:
            span = Span(self.rules.source, 1, 1, 1, 2)
            self.report.add(span, "a rules file begins with a game line", 'for example:  game "My game"')
            return nodes.Game(span, "", None, ())
        found = own or header or self._header()
        self._check_notation(found)
        version = dict(found.properties).get("language", LANGUAGE)
        if version != LANGUAGE:
            self.report.add(found.span, f"the rules use language {version}; this pysolve reads language {LANGUAGE}",
                            "a newer version may read them")  # fmt: skip
        return found

    def _check_notation(self, header: nodes.Game) -> None:
        """Reports a notation that nobody reads, or one that needs states which the game does not have."""
        notation = dict(header.properties).get("notation")
        if notation is None:
            return
        if notation not in NOTATIONS:
            self.report.add(header.span, f'there is no notation "{notation}"', f"expected {choices(tuple(NOTATIONS))}")
            return
        states = {entry.name.name for section in self.all(nodes.State) for entry in section.entries}
        lacking = [name for name in NOTATIONS[notation] if name not in states]
        if lacking:
            self.report.add(header.span, f'the notation "{notation}" needs a state variable "{lacking[0]}"')

    def _symbols(self, given: Mapping[str, object]) -> Symbols:
        """Options, players, board, types."""
        symbols = Symbols(self.report, geometry.square(1, 1), removed=self.changed.removed)
        symbols.sorts |= plain_types()
        self._options(symbols, given)
        players = self.one(nodes.Players)
        if players is None:
            self._missing("players", "players White, Black")
            symbols.add_sort(Sort("player", 1, 2, ("White", "Black")))
        else:
            if not self._players(symbols, players):
                self.report.stop_if_any()  # everything else would follow from it
        board = self.one(nodes.Board)
        if board is None and any(mentions_board(section) for section in self.sections):
            self._missing("board", "board square 8 by 8")
        elif board is None:
            add_no_board(symbols)
        else:
            grid = attempt(show.grid_of, symbols, board)
            if grid is None:
                return symbols  # without cells everything else would be noise
            add_board(symbols, grid)
            add_sites(symbols, self.sections)
            refuse_places(symbols, self.all(nodes.Option))
        for node in self.all(nodes.Type):
            if node in self.announced:
                continue
            attempt(add_type, symbols, node)
            if node.name.name not in symbols.sorts:
                symbols.broken.add(node.name.name)
        for table in self.all(nodes.Table):
            attempt(add_table, symbols, table)
        return symbols

    def _players(self, symbols: Symbols, node: nodes.Players) -> bool:
        """The players, as many as there are with these options; False if their number is wrong."""
        names = node.names
        symbols.everybody = tuple(name.name for name in names)
        if len(names) > MOST_PLAYERS:
            self.report.add(names[MOST_PLAYERS].span, f"a game has at most {MOST_PLAYERS} players, not {len(names)}")
            return False
        if node.count is not None:
            count = attempt(Scope(symbols, place="option").constant, node.count)
            if count is None:
                return False
            if not 1 <= count <= len(names):
                self.report.add(node.count.span, f"{count} of {len(names)} players cannot play",
                                f"the number is at least 1 and at most {len(names)}")  # fmt: skip
                return False
            names, symbols.absent = names[:count], symbols.everybody[count:]
        labels(symbols, "player", names)
        player = symbols.sorts["player"]
        for option in list(symbols.options.values()):
            if option.sort.name == player.name:
                symbols.options[option.name] = self._of_players(option, player, node)
        return True

    def _of_players(self, option: OptionValue, player: Sort, node: nodes.Players) -> OptionValue:
        """An option that is one of the players, where not all of them may play."""
        choices_left = tuple(value for value in option.choices if value <= player.high)
        if option.value > player.high:
            name = option.sort.label(option.value)
            self.report.add(node.span, f"the option {option.name} is {name}, who does not play",
                            f"the players are {choices(player.labels)}")  # fmt: skip
        return replace(option, sort=player, choices=choices_left, default=min(option.default, player.high))

    def _missing(self, what: str, form: str) -> None:
        own = next((s for s in self.rules.sections if isinstance(s, nodes.Game)), None)
        span = own.span if own else Span(self.rules.source, 1, 1, 1, 2)
        self.report.add(span, f"this game has no “{what}”", f"for example:  {form}")

    def _options(self, symbols: Symbols, given: Mapping[str, object]) -> None:
        options, types = self.all(nodes.Option), self.all(nodes.Type)
        declared = declared_types(self.one(nodes.Players), types, self.all(nodes.State))
        names = [node.name.name for node in options]
        for name in given:
            if name not in names:
                known = f"it has {choices(names)}" if names else "it has none"
                hint = nearest(name, names)
                raise UnknownOption(f'the game has no option "{name}": {hint or known}')
        for node in options:
            try:
                option = option_of(symbols, node, declared)
            except Rejected:
                symbols.broken.add(node.name.name)
                continue
            if option.name in given:
                option = replace(option, value=option_value(option, given[option.name]))
            if option.name in symbols.options:
                self.report.add(
                    node.name.span, f'the option "{option.name}" is already declared', "choose another name"
                )
            symbols.options[option.name] = option
            type_ = next((node for node in types if node.name.name == option.sort.name), None)
            if type_ is not None and type_ not in self.announced:
                attempt(add_type, symbols, type_)
                self.announced.append(type_)
            elif option.sort.labels and option.sort.name not in (BOOL.name, "player"):
                symbols.add_sort(option.sort)

    def _names(self, symbols: Symbols) -> None:
        """State, definitions, effects and moves get their names; no name may have two meanings."""
        offset = 1
        symbols.slots["mover"] = Slot("mover", (), symbols.sorts["player"], 0, 1, 1)
        functions = [*functions_in("all"), *(functions_in("sites") if symbols.sites else ())]
        words = [word for word in (*functions, *TRUTHS, "mover", "opponent") if word not in MAY_BE_NAMED]
        taken = dict.fromkeys(words, "a word of the language")
        switches = {name for name in SWITCHES if name not in symbols.constants}  # names of what has arguments, too
        taken |= {name: "an option" for name in symbols.options}
        taken |= {name: "a column of a table" for name in symbols.columns}
        kinds = {"cell": "a cell of the board", "direction": "a direction", "player": "a player"}
        for name, values in symbols.constants.items():
            sort = values[0].sort.name
            taken[name] = kinds.get(sort, f"a value of {sort}")
        taken |= {name: "a set" for name in symbols.sets}
        taken |= dict.fromkeys(symbols.absent, "a player")

        def take(name: nodes.Name, what: str, has_arguments: bool) -> bool:
            if name.name in switches and has_arguments:
                switches.remove(name.name)
            elif name.name in taken:
                hint = f"with arguments, {what} can have this name" if name.name in switches else "choose another name"
                self.report.add(name.span, f'"{name.name}" is already {taken[name.name]}', hint)
                return False
            taken[name.name] = what
            return True

        entries = [entry for state in self.all(nodes.State) for entry in state.entries]
        if any(isinstance(entry.type, nodes.StackType) for entry in entries):
            taken |= {name: "a word of the language in a game with stacks" for name in functions_in("stacks")}
        for state in self.all(nodes.State):
            for entry in state.entries:
                if take(entry.name, "a state variable", bool(entry.params)):
                    symbols.entries[entry.name.name] = entry
                    for slot in attempt(slots_of, symbols, entry, offset) or ():
                        symbols.slots[slot.name] = slot
                        offset += slot.count * slot.width
        for node in self.all(nodes.Define):
            if take(node.name, "a definition", bool(node.params)):
                symbols.definitions[node.name.name] = Definition(node)
        for effect in self.all(nodes.Effect):
            if take(effect.name, "an effect", bool(effect.params)):
                symbols.effects[effect.name.name] = effect
        for move in self.all(nodes.Move):
            for names, what in ((symbols.definitions, "a definition"), (symbols.options, "an option")):
                if move.name.name in names:
                    self.report.add(move.name.span, f'"{move.name.name}" is already {what}', "choose another name")
            if move.name.name in symbols.moves:
                self.report.add(
                    move.name.span, f'the move "{move.name.name}" is already declared', "choose another name"
                )
            symbols.moves[move.name.name] = move
        if not self.all(nodes.State):
            self._missing("state", "state, and under it  at(cell): player or none")
        if not symbols.moves:
            self._missing("move", 'move place(to: cell) as "{to}", with when and do under it')

    def _definitions(self, symbols: Symbols) -> None:
        for name in symbols.definitions:
            attempt(define, symbols, name)

    def _actions(self, symbols: Symbols) -> tuple[Action, ...]:
        found = [attempt(moves.action_of, symbols, node) for node in symbols.moves.values()]
        moves.check_circles(symbols)
        return tuple(action for action in found if isinstance(action, Action))

    def _setup(self, symbols: Symbols, shown: show.Looks | None) -> Effects:
        node = self.one(nodes.Setup)
        if node is None:
            return ()
        body: list[nodes.Statement] = []
        drawn: list[Assign] = []
        for statement in node.body:
            if isinstance(statement, nodes.Drawing):
                # Without glyphs nothing can be read.
                if shown is not None and attempt(show.is_drawn, symbols, statement):
                    drawn += attempt(show.drawn_setup, symbols, shown, statement) or []
            else:
                body.append(statement)
        scope = Scope(symbols, place="setup")
        written = effects.write(tuple(body), scope, Builder(symbols, scope.names, "setup"), in_setup=True)
        return (*drawn, *written[0])

    def _stuck(self, symbols: Symbols) -> Result | None:
        node = self.one(nodes.Stuck)
        if node is None:
            if not any(not m.params and not m.when for m in symbols.moves.values()):
                self._missing("stuck", "stuck, and under it  pass  or  mover loses")
            return None
        if isinstance(node.result, nodes.Pass):
            return None
        result = attempt(result_of, symbols, node.result)
        return result

    def _results(self, endings: tuple[Ending, ...], stuck: Result | None) -> list[tuple[Span, Result]]:
        """All results, and where they stand."""
        end, last = self.one(nodes.End), self.one(nodes.Stuck)
        spans = {node.span: node.result.span for node in end.endings} if end is not None else {}
        found = [(spans[ending.span], ending.result) for ending in endings]
        return [*found, (last.result.span, stuck)] if last is not None and stuck is not None else found

    def _stuck_reason(self) -> str | None:
        return next((node.reason for node in self.all(nodes.Stuck)), None)

    def _endings(self, symbols: Symbols) -> tuple[Ending, ...]:
        node = self.one(nodes.End)
        found = [attempt(ending_of, symbols, e) for e in node.endings] if node else []
        endings = tuple(ending for ending in found if isinstance(ending, Ending))
        if node is not None:
            attempt(same_for_all, symbols, node, endings)
        return endings

    def _out(self, symbols: Symbols) -> str | None:
        """The rule that says who is out, if a player can be."""
        node = self.one(nodes.Players)
        return attempt(out_of, symbols, node.out) if node is not None and node.out is not None else None

    def _terms(self, symbols: Symbols) -> tuple[Term, ...]:
        node = self.one(nodes.Evaluate)
        found = [attempt(term_of, symbols, t) for t in node.terms] if node else []
        return tuple(term for term in found if isinstance(term, Term))

    def _levels(self, game: Game) -> dict[str, str]:
        found: dict[str, str] = {}
        for node in self.all(nodes.Level):
            name, inherited = node.name.name, node.span.source != self.rules.source
            if name in found:
                self.report.add(node.name.span, f'the level "{name}" is already declared', "choose another name")
            elif name in PLAYERS:
                self.report.add(node.name.span, f'"{name}" is already a player of every game', "choose another name")
            try:
                who, settings = read_player(node.player)
                check_player(who, settings, game)
            except UnknownPlayer as error:
                hint = f'in the variant write  replace level {name} "…"  or  remove level {name}' if inherited else ""
                self.report.add(node.player_span, str(error), hint)
            else:
                for key in FILES:
                    if not stays_inside(settings.get(key, "")):
                        what = "a shipped game, or a file" if key == "by" else "a file"
                        self.report.add(node.player_span, f"{key} of a level names {what} in the folder of these rules "
                                        "or below it")  # fmt: skip
                if inherited and who == "mcts" and "by" in settings:
                    continue  # random games by other rules than those of the parent end otherwise than the variant
            found[name] = node.player
        return found


def _short_name(source: str) -> str:
    name = source.replace("\\", "/").rsplit("/", 1)[-1]
    return name.removesuffix(".rules")


__all__ = ["check", "merged", "understand"]
