"""The rules of a game in prose, for people who want to play it and read no code.

In: a game.  Out: a `Sheet`: sections of paragraphs and items, each with the line of the rules that it comes from.

What is said is what the model knows and what the author has written: titles, `about`, the reasons of demands and
endings.  A demand without a reason says nothing here, so no name of a variable can be seen.  A reason is quoted, for it
is what a player hears: "no empty cell behind" is an answer, and would be wrong as a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from pysolve.authoring.wording import (
    capital,
    counted,
    joined,
    levels_in_words,
    number,
    ordinal,
    quoted,
    sentence,
    title,
    values_in_words,
    words,
)  # fmt: skip
from pysolve.display.scene import asides, site_things, things
from pysolve.display.terminal import plain_board
from pysolve.dsl import notation
from pysolve.dsl.errors import Span
from pysolve.dsl.model import (
    Action,
    Again,
    Assign,
    Const,
    Contest,
    Ending,
    OptionValue,
    Passage,
    Pay,
    Query,
    Result,
    Sort,
    TurnTo,
    Var,
    Winner,
    all_effects,
    all_steps,
    asked_steps,
    effect_bodies,
)
from pysolve.dsl.model import Game as Model
from pysolve.dsl.model.properties import tables_of
from pysolve.dsl.model.rule_names import given_name
from pysolve.game import Game, option_word
from pysolve.position import Position

MOST_PIECES = 24  # of a layer that are explained: more of them are numbers
ANSWERED = "The answer to a move that is not allowed:"
MOST_VALUES = 40  # of a type whose constants are listed


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some sentences."""

    text: str
    line: int = 0  # of the rules; 0 where they have none of their own


@dataclass(frozen=True, slots=True)
class Item:
    """Something with a name: a kind of move, an ending, an option."""

    name: str
    note: str  # beside the name: how a move is written, how an option is set
    paragraphs: tuple[Paragraph, ...] = ()
    lead: str = ""  # what is said before the answers
    answers: tuple[Paragraph, ...] = ()  # what a player hears whose move is not legal
    line: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the sheet with a heading; `drawing` is a board as text."""

    key: str
    heading: str
    paragraphs: tuple[Paragraph, ...] = ()
    items: tuple[Item, ...] = ()
    drawing: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rules of a game, to be read."""

    name: str
    title: str
    author: str
    about: tuple[Paragraph, ...]
    sections: tuple[Section, ...]

    def to_dict(self) -> dict[str, Any]:
        """The sheet as an object for JSON."""
        return asdict(self, dict_factory=_listing)


def _listing(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    """The fields of a part, with lists for tuples, as JSON has them."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields}


def sheet_of(game: Game) -> Sheet:
    """The rules of a game, with its options as they are set."""
    return _Writer(game).sheet()


@dataclass
class _Writer:
    """Says everything about one game."""

    game: Game

    @cached_property
    def model(self) -> Model:
        """What the rules say."""
        return self.game.model

    @cached_property
    def lone(self) -> bool:
        """True for a puzzle: a game of one player."""
        return len(self.game.players) == 1

    def sheet(self) -> Sheet:
        """The whole sheet; a section without anything in it is left out."""
        parts: tuple[Callable[[], Section], ...] = (
            self._changes, self._players, self._board, self._beginning, self._turn, self._moves, self._endings,
            self._values, self._beside, self._options, self._levels,
        )  # fmt: skip
        sections = (part() for part in parts)
        return Sheet(
            self.model.name,
            self.model.title,
            self.model.about.get("author", ""),
            self._about("game", ""),
            tuple(one for one in sections if one.paragraphs or one.items or one.drawing),
        )

    # ------------------------------------------------------------------------------------ lines of the rules

    def _line(self, span: Span | None) -> int:
        """The line of a span in the rules themselves; 0 for what is inherited."""
        return span.line if span is not None and span.source.name == self.model.source else 0

    def _passage(self, kind: str, name: str = "") -> Passage | None:
        return self.model.passages.get((kind, name))

    def _at(self, kind: str, name: str = "") -> int:
        found = self._passage(kind, name)
        return self._line(found.span if found else None)

    def _about(self, kind: str, name: str) -> tuple[Paragraph, ...]:
        """The author's paragraphs about a section: lines flow together, and an empty one stands between paragraphs."""
        found = self._passage(kind, name)
        lines = found.about if found else ()
        parts: list[list[tuple[str, Span]]] = [[]]
        for text, span in lines:
            if text.strip():
                parts[-1].append((text.strip(), span))
            else:
                parts.append([])
            if kind == "game" and (text, span) == lines[0]:
                parts.append([])  # the first line stands alone: lists of games show it
        return tuple(
            Paragraph(sentence(" ".join(text for text, _ in part)), self._line(part[0][1])) for part in parts if part
        )

    # ---------------------------------------------------------------------------------------- what it is

    def _changes(self) -> Section:
        """What a variant has otherwise than its parent."""
        model = self.model
        if not model.extends:
            return Section("changes", "")
        whole = f"This is a variant of {model.extends_title or title(model.extends)}."
        found = list(self._differences())
        text = f"{whole} {' '.join(found)}" if found else whole
        return Section("changes", "What is different", (Paragraph(text, self._at("game")),))

    def _differences(self) -> Iterator[str]:
        for how, says in (("changed", "It changes"), ("added", "It adds"), ("removed", "It leaves out")):
            changes = [one for one in self.model.changes if one.how == how]
            found = list(dict.fromkeys(_PARTS[one.kind] for one in changes if one.kind in _PARTS))
            for kind in ("move", "option"):
                names = list(dict.fromkeys(quoted(words(one.name)) for one in changes if one.kind == kind))
                found += [f"the {kind}{'s' * (len(names) > 1)} {joined(names)}"] if names else []
            if found:
                yield f"{says} {joined(found)}."
        renamed = [one for one in self.model.changes if one.how == "renamed" and one.kind == "name"]
        if renamed:
            yield f"Other names: {joined([f'{words(one.name)} is called {words(one.new)}' for one in renamed])}."

    def _players(self) -> Section:
        names, begins = self.game.players, self._who_begins()
        line = self._at("players")
        if self.lone:
            return Section("players", "Players", (Paragraph(f"A puzzle for one player, {names[0]}.", line),))
        order = "" if len(names) == 2 else " They take turns in this order."
        first = f" The first to move is {begins}." if begins else " Chance decides who begins."
        text = f"{number(len(names))} players: {joined(names)}.{order}{first}"
        return Section("players", "Players", (Paragraph(capital(text), line),))

    def _who_begins(self) -> str:
        """The player who begins; nobody if that is drawn by lot."""
        assigned = [one for one in all_effects(self.model.setup) if isinstance(one, Assign) and one.slot == "mover"]
        if self.model.draws_lots and any(not isinstance(one.value, Const) for one in assigned):
            return ""
        return self.start.to_move

    @cached_property
    def start(self) -> Position:
        """The position at the beginning, or one of them."""
        return self.game.start()

    def _board(self) -> Section:
        board = self.model.board
        if not board.cells:
            return Section("board", "")
        line = self._at("board")
        text = f"{self._form()} {self._names()}"
        return Section("board", "Board", (Paragraph(text, line),))

    def _form(self) -> str:
        """The form of the board, in words."""
        board, cells = self.model.board, len(self.model.board.cells)
        width, height = (max(place[i] for place in board.place) for i in (0, 1))
        form = self._declared_form()
        size = f"{counted(width, 'column')} and {counted(height, 'row')}"
        holes = f" Of these, {cells} cells are part of the board." if cells < width * height else ""
        match form:
            case "hexagon":
                return f"The board is a hexagon of {cells} hexagonal cells."
            case "rhombus":
                return f"The board is a rhombus of hexagonal cells with {size}.{holes}"
            case "triangle":
                return f"The board is a triangle of {cells} hexagonal cells."
            case "star":
                return f"The board is a six-pointed star of {cells} cells."
            case "graph":
                return f"The board has {cells} points, which are connected by lines."
            case "cylinder":
                return (f"The board has {size}. It is a cylinder: the left edge and the right one are joined, "
                        f"so a way that leaves the board on one side goes on at the other.{holes}")  # fmt: skip
            case "torus":
                return (f"The board has {size}. All edges are joined with those opposite: a way that leaves the board "
                        f"on one side goes on at the other.{holes}")  # fmt: skip
        return f"The board has {size}.{holes}"

    def _declared_form(self) -> str:
        """The form as the rules have it: cylinders and tori are drawn as squares."""
        found = self._passage("board")
        said = found.span.text.split() if found else []
        return said[1] if len(said) > 1 and said[1] in ("cylinder", "torus") else self.model.board.form

    def _names(self) -> str:
        cells = self.model.board.cells
        if self.model.board.form == "graph" and not cells[0][-1:].isdigit():
            return f"They are called {joined(cells)}." if len(cells) <= MOST_PIECES else ""
        full = len(cells) == max(x for x, _ in self.model.board.place) * max(y for _, y in self.model.board.place)
        where = f"from {cells[0]} to {cells[-1]}" if full else f"as in {cells[len(cells) // 2]}"
        return ("A letter names the column, from left to right, and a number the row, from the bottom up: "
                f"{where}.")  # fmt: skip

    def _beginning(self) -> Section:
        line = self._at("setup")
        said = (
            [Paragraph("The first position is drawn by lot; this is one of them.", line)]
            if self.model.draws_lots
            else []
        )
        said += [Paragraph(capital(sentence(one)), line) for one in self._beside_at_first()]
        drawing = plain_board(self.start) if self.model.board.cells else ""
        if self._is_empty() and not self.model.derived:
            drawing, said = "", [Paragraph("The board is empty at the beginning.", line), *said]
        return Section("beginning", "The beginning", tuple(said), tuple(self._pieces()), drawing)

    def _is_empty(self) -> bool:
        """True if nothing lies on the board at the beginning."""
        return bool(self.model.board.cells) and not any(things(self.start)) and not self._sites()

    def _sites(self) -> bool:
        return any(site_things(self.model, self.start.state).values())

    def _beside_at_first(self) -> list[str]:
        """What the board does not show at the beginning, in the words of the game."""
        return [one.text for one in asides(self.start) if one.text]

    def _pieces(self) -> Iterator[Item]:
        """What the pictures mean, where the rules give a name to it."""
        line, seen = self._at("show"), set[str]()
        for layer in self.model.layers:
            if not layer.on_cell or len(layer.glyphs) > MOST_PIECES:
                continue
            sorts = [self.model.slots[name].sort for name in layer.slots]
            if not all(_has_words(sort) for sort in sorts):
                continue
            for glyph in layer.glyphs:
                named = [sort.label(value) for sort, value in zip(sorts, glyph.values, strict=False)
                         if not (sort.optional and value == sort.none)]  # fmt: skip
                look = " ".join(glyph.look)
                name = " ".join(words(one) for one in named)
                if named and (glyph.text or look) and name not in seen:
                    seen.add(name)
                    drawn = f"{glyph.text} in a drawing" if glyph.text else ""
                    yield Item(
                        name,
                        "",
                        (Paragraph(sentence(capital(", ".join(filter(None, (look, drawn))))), line),),
                        line=line,
                    )

    # --------------------------------------------------------------------------------------------- moves

    def _turn(self) -> Section:
        model = self.model
        kinds = [words(action.name) for action in model.actions]
        said = [] if self.lone else ["The players take turns."]
        longer = any(isinstance(one, Again | TurnTo) for action in model.actions for one in _effects(action))
        if self.lone:
            said.append("The player moves again and again, until the puzzle is solved or no move is left.")
        else:
            said.append("A turn may have several moves; each kind of move says when the turn goes on." if longer
                        else "A turn is one move.")  # fmt: skip
        if len(kinds) > 1:
            said.append(f"There are {number(len(kinds))} kinds of moves: {joined(kinds)}.")
        if model.out is not None:
            said.append("A player who is out of the game is passed over.")
        if model.stuck is None and not any(_is_always_legal(action) for action in model.actions):
            said.append("A player who has no legal move passes." if not self.lone else "Without a legal move, pass.")
        return Section("turn", "A turn", (Paragraph(" ".join(said), self._at("stuck")),))

    def _moves(self) -> Section:
        said = []
        if self.model.about.get("notation") == "san":
            said.append(
                Paragraph("Moves may also be written in the standard notation of chess, as Nf3.", self._at("game"))
            )
        return Section("moves", "Moves", tuple(said), tuple(map(self._kind, self.model.actions)))

    def _kind(self, action: Action) -> Item:
        said = [*self._about("move", action.name)]
        if goes_on := self._goes_on(action):
            said.append(Paragraph(goes_on, self._line(action.span)))
        answers: dict[str, Paragraph] = {}
        for demand in (*action.demands, *action.after):
            if demand.reason:
                answers.setdefault(demand.reason, Paragraph(capital(sentence(demand.reason)), self._line(demand.span)))
        lead = ANSWERED if answers else ""
        shown = self._written(action)
        note = f"written {shown}" if shown else ""
        return Item(title(action.name), note, tuple(said), lead, tuple(answers.values()), self._line(action.span))

    def _goes_on(self, action: Action) -> str:
        """When the turn goes on after a move."""
        if self.lone:
            return ""
        if any(isinstance(one, Again) for effects in action.rounds for one in effects):
            return "Then the same player moves on."
        if any(isinstance(one, Again) for one in _effects(action)):
            return "After it the turn may go on: then the same player moves again."
        if any(isinstance(one, TurnTo) for one in _effects(action)):
            return "After it the rules decide who moves next."
        return ""

    def _written(self, action: Action) -> str:
        """A move of this kind as it is written: one of an example, or of the beginning, or an invented one."""
        return self._examples.get(action.name) or self._invented(action)

    @cached_property
    def _examples(self) -> dict[str, str]:
        """A text for each kind of move that the examples play or call legal, or that is legal at the beginning."""
        model, found = self.model, dict[str, str]()
        for example in model.examples:
            legal = (text for check in example.checks if check.kind == "legal" for text in check.moves)
            for text in (*example.play, *legal):
                kinds = {move[0] for move in notation.readings(model, text)}
                if len(kinds) == 1 and (place := kinds.pop()) < len(model.actions):
                    found.setdefault(model.actions[place].name, text)
        if len(found) < len(model.actions):
            for move in self.start.legal_moves:
                found.setdefault(move.kind, str(move))
        return found

    def _invented(self, action: Action) -> str:
        """The text of a move whose parameters are the first values of their types, one after the other."""
        met: dict[str, int] = {}
        values = []
        for param in action.params:
            low, high = param.sort.low, param.sort.high  # type: ignore[union-attr]
            place = met[str(param.sort)] = met.get(str(param.sort), -1) + 1
            values.append(min(low + place, high))
        kind = self.model.actions.index(action)
        return notation.move_text(self.model, (kind, *values))

    # ------------------------------------------------------------------------------------------- the end

    def _endings(self) -> Section:
        items = [self._ending(ending) for ending in self.model.endings]
        if self.model.stuck is not None:
            said = self.model.stuck_reason
            phrase = self._result(self.model.stuck, "the player to move")
            whole = "No legal move is left"
            texts = (
                f"{whole}: {said}" if said else whole,
                self._equals(self.model.stuck, "the player to move"),
            )
            line = self._at("stuck")
            items.append(Item(capital(phrase), "", (Paragraph(_together(texts), line),), line=line))
        several = len(self.model.endings) > 1
        lead = "The game ends as soon as one of these is true; if several are, the first one counts." if several else ""
        return Section("end", "The end of the game", (Paragraph(lead),) if lead else (), tuple(items))

    def _ending(self, ending: Ending) -> Item:
        line, mover = self._line(ending.span), "the player who has just moved"
        said = capital(sentence(ending.reason)) if ending.is_told else ""
        facts = []
        if ending.repeated is not None and " time" not in ending.reason:
            facts.append(f"This is so when a position occurs for the {ordinal(ending.repeated)} time.")
        if ending.turns is not None:
            facts.append(f"This is so after {counted(ending.turns, 'turn')} at the earliest.")
        facts.append(self._equals(ending.result, mover))
        text = _together((said, *facts))
        paragraphs = (Paragraph(text, line),) if text else ()
        computed = isinstance(ending.result, Winner) and isinstance(ending.result.player, Var)
        said = f"the player {ending.span.text.partition(' when ')[0]}"
        who = said if computed else self._result(ending.result, mover)
        return Item(capital(who), "", paragraphs, line=line)

    def _result(self, result: Result, mover: str) -> str:
        """Who wins; `mover` is who that is."""
        if isinstance(result, Contest):
            return self._contest(result)
        if isinstance(result, Pay):
            return f"each player gets {self._named(result.rule)}"
        return self._winner(result, mover)

    def _winner(self, result: Winner, mover: str) -> str:
        does = "loses" if result.loses else "wins"
        if self.lone:
            if result.role is None and result.player is None:
                return "nobody wins"
            return "the puzzle is not solved" if result.loses else "the puzzle is solved"
        if result.role == "mover":
            return f"{mover} {does}"
        if result.role == "opponent":
            if len(self.game.players) == 2:
                return f"{mover} {'wins' if result.loses else 'loses'}"
            return f"the opponents win against {mover}"
        if result.player is None:
            return "the game is a draw"
        value = getattr(result.player, "value", None)
        return f"{self.model.players.label(value) if isinstance(value, int) else result.player} {does}"

    def _contest(self, contest: Contest) -> str:
        """Who comes first where players are compared."""
        compared = self._compared(contest.rankings[0])
        return f"the players are placed by the {compared}" if contest.ranks else f"the player with the {compared} wins"

    def _equals(self, result: Result, mover: str) -> str:
        """What decides where players are equal."""
        if not isinstance(result, Contest):
            return ""
        said = [f"the one with the {self._compared(ranking)} wins" for ranking in result.rankings[1:]]
        if result.otherwise is not None:
            said.append(self._result(result.otherwise, mover))
        return f"If they are equal, {'; if they are equal again, '.join(said)}" if said else ""

    def _compared(self, ranking: tuple[str, str]) -> str:
        """`most points`: what is counted."""
        which, rule = ranking
        return f"{'fewest' if which == 'least' else which} {self._named(rule)}"

    def _named(self, rule: str) -> str:
        """What a rule counts for each player, in the author's words for it if the board tells it, else by its name."""
        name = given_name(rule).removesuffix("/1")
        return next((one.text for one in self.model.tells if one.name == name), words(name))

    # -------------------------------------------------------------------------------- what stands beside

    def _values(self) -> Section:
        """The constants that belong to each value of a type, such as prices."""
        found = [(name, query) for name, query in self.model.queries.items() if self._is_price(query)]
        partial = {
            query.params[0].name for _, query in found if isinstance(query.result, Sort) and query.result.optional
        }  # some values have none
        items = [
            Item(title(name), "", (Paragraph(sentence(self._prices(query))),))
            for name, query in found
            if query.params[0].name not in partial
        ]
        return Section("values", "Numbers", (), tuple(items))

    def _is_price(self, query: Query) -> bool:
        """True for a number of each value of a type, if moves or endings ask for it."""
        if query.kind != "table" or query.target not in self._asked or len(query.params) != 1:
            return False
        (sort,), result = query.params, query.result
        is_named = _has_words(sort) and sort.name not in ("player", "cell", "direction")
        return is_named and isinstance(result, Sort) and not result.labels and sort.high - sort.low < MOST_VALUES

    @cached_property
    def _asked(self) -> set[str]:
        """The tables that moves and endings look into, by themselves or through definitions."""
        model, actions = self.model, self.model.actions
        bodies = [*(ending.body for ending in model.endings), *(action.body for action in actions)]
        bodies += [demand.body for action in actions for demand in (*action.demands, *action.after)]
        bodies += [body for action in actions for effect in _effects(action) for body in effect_bodies(effect)]
        steps = (step for body in bodies for step in all_steps(body))
        return tables_of(tuple(asked_steps(model, steps)))

    def _prices(self, query: Query) -> str:
        """Each value of a type with its number."""
        (sort,), rows = query.params, self.model.tables[query.target].rows
        return ", ".join(f"{words(sort.label(row[0]))} {row[1]}".replace("-", "−") for row in rows)

    def _beside(self) -> Section:
        model = self.model
        told = [one.text for one in model.tells]
        lying = [words(one.name) for one in model.asides]
        sayings = [joined([f"“{text}”" for text in one.texts if text], "or") for one in model.sayings]
        said = []
        if told or lying:
            said.append(f"Beside the board stand: {joined([*lying, *told])}.")
        said += [f"A line there says {text}." for text in sayings if text]
        if model.marks:
            said.append(f"Marked on the board: {joined([one.text for one in model.marks])}.")
        return Section("beside", "What else is shown", tuple(Paragraph(one) for one in said))

    def _options(self) -> Section:
        items = []
        for option in self.model.options:
            items.append(self._option(option))
        return Section("options", "Options", (), tuple(items))

    def _option(self, option: OptionValue) -> Item:
        line = self._at("option", option.name)
        now = words(option_word(option, option.value))
        said = [*self._about("option", option.name)]
        if others := values_in_words(option, lambda value: words(option_word(option, value))):
            said.append(Paragraph(others, line))
        return Item(title(option.name), now, tuple(said), line=line)

    def _levels(self) -> Section:
        items = []
        for name, text in self.model.levels.items():
            says = levels_in_words(text)
            paragraphs = (Paragraph(sentence(capital(says)), self._at("level", name)),) if says else ()
            items.append(Item(title(name), "", paragraphs, line=self._at("level", name)))
        lead = (Paragraph("A program can play, at these levels."),) if items else ()
        return Section("levels", "Playing against a program", lead, tuple(items))


# What a player notices of a change, besides moves and options; other sections matter to programs alone.
_PARTS = {
    "board": "the board", "players": "the players", "setup": "the beginning", "end": "the end of the game",
    "stuck": "what happens without a legal move",
}  # fmt: skip


def _together(texts: Iterable[str]) -> str:
    """Texts as sentences, one after the other."""
    return " ".join(sentence(capital(text)) for text in texts if text)


def _effects(action: Action) -> Iterator[Any]:
    for effects in action.rounds:
        yield from all_effects(effects)


def _is_always_legal(action: Action) -> bool:
    """True if nothing is chosen and nothing demanded."""
    return not action.params and not action.demands and not action.after


def _has_words(sort: Sort) -> bool:
    return bool(sort.labels) and sort.name != "bool"
