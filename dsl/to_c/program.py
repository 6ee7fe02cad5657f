"""The functions of a game: its rules, the legal moves of each kind, what a move changes, how the game ends.

A move is a number, as `pysolve.dsl.model.move_codes` makes it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

from pysolve.dsl.analysis.captures import that_capture, that_move_men
from pysolve.dsl.analysis.memoised import Kept, kept_rules
from pysolve.dsl.language.constants import ALL_OUT, LONGEST_TURN
from pysolve.dsl.model import (
    Action,
    Body,
    Contest,
    Find,
    Game,
    Pay,
    Result,
    Rule,
    SetSort,
    Sort,
    Step,
    Term,
    Var,
    Walk,
    Winner,
    all_bodies,
    all_steps,
    body_vars,
    without_preference,
)
from pysolve.dsl.model.move_codes import Codes
from pysolve.dsl.model.properties import chosen, every, free_vars, most_ways_of_body
from pysolve.dsl.to_c.bits import words_for
from pysolve.dsl.to_c.body import BodyPrinter
from pysolve.dsl.to_c.captures import CapturePrinter
from pysolve.dsl.to_c.choices import Choice
from pysolve.dsl.to_c.effects import EffectPrinter
from pysolve.dsl.to_c.masks import Masks
from pysolve.dsl.to_c.memo import write_keeping
from pysolve.dsl.to_c.scope import set_words, type_of
from pysolve.dsl.to_c.tables import Tables
from pysolve.dsl.to_c.text import Writer, identifier
from pysolve.dsl.to_c.value import Value, parameter

MANY = 16  # places
FEW = 8192  # ways for which there is always room
LONGEST = 1500  # lines that a function may have where a choice is written out


@dataclass
class Program:
    """Writes all functions of a game."""

    game: Game
    out: Writer
    tables: Tables
    codes: Codes
    sets: bool  # are places chosen by bits?
    free: dict[str, Body]  # of each kind of moves, where order and repetition do not matter
    read: Game | None = None  # the game as it was read, if passes have changed it
    packed: int = 0  # words of a packed position
    spare: int = 0  # bits of the last of them that are always 0, the highest ones
    ascending: set[str] = field(default_factory=set)  # kinds of moves that come in order, though the model says no
    takes: int = 0  # 1: some moves take men; 2: and those are found without finding all moves

    @cached_property
    def kept(self) -> dict[str, Kept]:
        """The rules whose answers are kept while a position is asked."""
        return kept_rules(self.game)

    @property
    def state(self) -> str:
        """The parameters that all functions have: a position, who moves in it, and what is known of the two."""
        memo, control = ", UNUSED Memo *k" * bool(self.kept), ", UNUSED Control *c" * self.out.bounded
        return f"UNUSED const u8 *s, UNUSED I m{memo}{control}"

    @property
    def memo(self) -> str:
        """The further arguments of a call: the memory of kept answers, and the counter of steps."""
        return f"{', k' if self.kept else ''}{self.out.control}"

    def new_memo(self) -> str:
        """The name of what is known of another position: nothing yet.  Empty where nothing is kept."""
        if not self.kept:
            return ""
        name = self.out.fresh("memo")
        self.out.line(f"NEW_MEMO({name});")
        return name

    def with_memo(self, name: str) -> str:
        """The further arguments of a call about another position, whose memory of kept answers has this name."""
        return f", &{name}{self.out.control}" if name else self.out.control

    def printer(self, masks: bool = False) -> BodyPrinter:
        """A printer for the function whose head has just been written; with sets if it is asked once a position."""
        made = Masks(self.out, self.tables) if masks and self.sets else None
        return BodyPrinter(self.game, self.tables, self.out, memo=self.memo, masks=made)

    def heads(self) -> list[str]:
        """The functions that others call, named before they are written."""
        heads = [f"{self.rule_head(rule)};" for rule in self.game.rules.values()]
        for action in self.game.actions:
            name = identifier(action.name)
            heads += [f"static UNUSED int any_{name}({self.state});", f"{self.effect_head(action)};"]
            if action.after:
                heads.append(f"{self.after_head(action)};")
            if action.worth:
                heads += [f"{head};" for head in self.preference_heads(action)]
        if self.preferring:
            heads.append(f"{self.best_head};")
        return heads if self.game.alternating else [*heads, f"{self.pass_on_head};"]

    @cached_property
    def asked_once(self) -> set[str]:
        """Rules that are asked about once or twice in a position."""
        ranks = {rule for ending in self.game.endings for rule in _ranks(ending.result)}
        if self.game.stuck is not None:
            ranks |= set(_ranks(self.game.stuck))
        return ranks | {term.rule for term in self.game.terms}

    def looks_everywhere(self, body: Body) -> bool:
        """Are so many places looked at that it is quicker to make sets of them?"""
        tried = (var for step in all_steps(body) for var in every(step))
        return any(isinstance(var.sort, Sort) and var.sort.size >= MANY for var in tried)

    def write(self) -> None:
        """Writes all functions of the game."""
        for rule in self.game.rules.values():
            self.rule(rule)
        for action in self.game.actions:
            self.effect(action)
            if action.after:
                self.after(action)
            self.moves(action)
            self.any(action)
            if action.worth:
                self.preference(action)
        if self.preferring:
            self.best()
        self.all_moves()
        if self.demands:
            self.meets()
        if self.players > 1:
            self.captures()
            self.taking()
        if self.game.chances:
            self.chance()
        if any(slot.seen for slot in self.game.slots.values()):
            self.veil()
        self.pack()
        self.apply()
        self.over()
        if not self.game.alternating:
            self.pass_on()
        self.stuck()
        self.standing()
        if self.players == 2 and not self.game.pays:
            self.estimate()
            if self.game.terms:
                self.lines()
        else:
            self.estimates()
        self.setup()

    @property
    def demands(self) -> bool:
        """Is something demanded of positions after moves?"""
        return any(action.after for action in self.game.actions)

    # ---------------------------------------------------------------------------------------- rules

    def rule_head(self, rule: Rule, prefix: str = "rule") -> str:
        """The head of the function of a rule: it returns 1 if the rule holds and stores its result."""
        args = [self.state]
        for i, param in enumerate(rule.params):
            given = f"const {type_of(param.sort)} *" if isinstance(param.sort, SetSort) else "I "
            args.append(f"UNUSED {given}p{i}")
        if rule.result is not None:
            args.append(f"UNUSED {type_of(rule.result.sort)} *result")
        kind = "APART" if prefix == "plain" else "UNUSED"
        return f"static {kind} int {prefix}_{identifier(rule.name)}({', '.join(args)})"

    def rule(self, rule: Rule) -> None:
        """Writes the function of a rule, with a memo around it if its results are kept."""
        out, kept = self.out, self.kept.get(rule.name)
        with out.block(self.rule_head(rule, "plain" if kept else "rule")):
            often = rule.params and rule.name not in self.asked_once and not self.looks_everywhere(rule.body)
            printer = self.printer(masks=kept is not None or not often)
            for i, param in enumerate(rule.params):
                is_set = isinstance(param.sort, SetSort)
                printer.names[param] = Value(f"(*p{i})", lasts=True) if is_set else parameter(i)

            def holds() -> None:
                if rule.result is not None:
                    out.line(f"*result = {printer.atom(rule.result)};")
                out.line("return 1;")

            if out.bounded:  # what is asked twice by what is asked twice … takes long without a loop
                out.line("if (spent(c)) return 0;")
            printer.ways(rule.body, holds)
            out.line("return 0;")
        if kept:
            write_keeping(out, kept, self.rule_head(rule), f"plain_{identifier(rule.name)}")

    # ---------------------------------------------------------------------------------------- moves

    def code(self, printer: BodyPrinter, number: int, action: Action) -> str:
        """A C expression for the number of a move, laid out as `pysolve.dsl.model.move_codes` says."""
        parts = []
        for param, place in zip(action.params, self.codes.fields[number], strict=True):
            text = f"(Move){printer.atom(param) - place.low}"
            parts.append(f"{text} << {place.shift}" if place.shift else text)
        if number:
            parts.insert(0, f"(Move){number} << {self.codes.kind_shift}")
        return " | ".join(parts) or "0"

    def decoded(self, number: int) -> list[str]:
        """The parameters of a move of a kind, which is given as a number."""
        return [str(Value(f"(I)((move >> {place.shift}) & {(1 << place.bits) - 1})") + place.low)
                for place in self.codes.fields[number]]  # fmt: skip

    def after_test(self, printer: BodyPrinter, action: Action) -> list[Value]:
        """The call that tests the demands under `after`, as a list of conditions; empty if there are none."""
        if not action.after:
            return []
        args = "".join(f", {printer.atom(param)}" for param in action.params)
        return [Value(f"after_{identifier(action.name)}(s, m{self.memo}{args})")]

    def moves(self, action: Action) -> None:
        """All moves of a kind, in no particular order if the kind is not ordered.

        With `counted` only their number; with `untested` also those after which a demand under `after` fails.
        """
        asked = "untested" if action.after else "counted"
        printer = self._moves_by(f"moves_{identifier(action.name)}", asked, action, action.body, LONGEST)
        if self.ascends(action, printer):
            self.ascending.add(action.name)

    def _moves_by(self, name: str, asked: str, action: Action, body: Body, longest: int) -> BodyPrinter:
        """A function with the moves of a kind that a body finds; a choice is written out within so many lines."""
        out, number = self.out, self.game.actions.index(action)
        most = most_ways_of_body(body, self.game.tables, self.game.slots)
        last = action.params[-1] if action.params else None
        head = f"static Move *{name}({self.state}, Move *restrict out, Move *end, UNUSED int {asked})"
        with out.block(head):
            if most <= FEW:
                out.line(f"if (end - out < {most}) return end;")
            printer = self.printer(masks=True)
            printer.unroll = longest

            def found() -> None:
                if most > FEW:
                    out.line("if (out == end) return end;")
                out.line(f"*out++ = {self.code(printer, number, action)};")

            def spread(choice: Choice) -> None:
                for bits, first in choice.moves(printer, lambda: self.code(printer, number, action)):
                    if most > FEW:
                        out.line("if (end - out < 64) return end;")
                    out.line(f"out = add_moves(out, {bits}, {first}, counted);")

            if last is not None and isinstance(last.sort, Sort) and not action.after:
                printer.spread = last, spread

            def tested() -> None:
                tests = [Value(f"(untested || {test.text})") for test in self.after_test(printer, action)]
                printer.iff(tests, found)

            printer.ways(body, tested)
            out.line("return out;")
        return printer

    def any(self, action: Action) -> None:
        """Is there a move of a kind?"""
        out = self.out
        with out.block(f"static UNUSED int any_{identifier(action.name)}({self.state})"):
            printer = self.printer(masks=True)
            printer.ways(without_preference(self.free[action.name]), lambda: printer.iff(
                self.after_test(printer, action), lambda: out.line("return 1;")))  # fmt: skip
            out.line("return 0;")

    # ----------------------------------------------------------------------------- what is preferred

    @property
    def preferring(self) -> list[Action]:
        """The kinds of moves of which the best are legal."""
        return [action for action in self.game.actions if action.worth is not None]

    def preference_heads(self, action: Action) -> tuple[str, str, str]:
        """The heads of what a move is worth with the rest of its turn, whether no other is worth more, and the most."""
        name, given = identifier(action.name), self.parameters(action)
        return (f"static APART I worth_{name}({given}, I ahead, UNUSED Turn *t)",
                f"static UNUSED int prefers_{name}({given})",
                f"static int best_{name}({self.state}, I ahead, Turn *t, int any, I *worth)")  # fmt: skip

    def preference(self, action: Action) -> None:
        """The functions of a kind with `prefer`; `ahead` is how many more moves of a turn are looked at."""
        assert action.worth is not None
        out, name = self.out, identifier(action.name)
        worth, prefers, best = self.preference_heads(action)
        given = "".join(f", p{i}" for i in range(len(action.params)))
        with out.block(worth):
            out.line("I own = 0, rest = 0;")
            out.line(f"if (!rule_{identifier(action.worth)}(s, m{self.memo}{given}, &own)) own = 0;")
            if self.players > 1:
                self._rest_of_turn(f"effect_{name}(s, m{self.memo}{given}, next.b, &e)")
            out.line("return own + rest;")
        with out.block(prefers):
            out.line("I worth = 0;")
            out.line("Turn turn;")
            out.line("for (int i = 0; i < (TURNS + 63) / 64; i++) turn.full[i] = 0;")
            out.line(f"const int any = best(s, m{self.memo}, {LONGEST_TURN}, &turn, &worth);")
            out.line(f"return !any || worth_{name}(s, m{self.memo}{given}, {LONGEST_TURN}, &turn) >= worth;")
        with out.block(best):
            if out.bounded:
                out.line("if (spent(c)) return any;")
            printer = self.printer(masks=True)

            def found() -> None:
                args = "".join(f", {printer.atom(param)}" for param in action.params)
                out.line(f"I found = worth_{name}(s, m{self.memo}{args}, ahead, t);")
                out.line("if (!any || found > *worth) *worth = found;")
                out.line("any = 1;")

            printer.ways(action.candidates, lambda: printer.iff(self.after_test(printer, action), found))
            out.line("return any;")

    def _rest_of_turn(self, effect: str) -> None:
        """What the best moves are worth with which the same player goes on, if he does."""
        out, kept = self.out, self.game.slots.get("again")
        out.line("State next;")
        out.line("Error e;")
        out.line("copy_state(next.b, s);")
        out.line(f"next.b[0] = (u8)(m % {self.players} + 1);")
        if kept is not None and self.game.alternating:
            out.line(f"next.b[{kept.offset}] = 0;")
        passed = "" if self.game.alternating else f" && pass_on(next.b, m, &e{self.out.control})"
        with out.block(f"if (ahead > 0 && {effect}{passed} && next.b[0] == m)"):
            memo = self.new_memo()
            out.line("const int at = place_in_turn(&next);")
            with out.block("if (is_in_turn(t, at, &next, ahead))"):
                out.line("rest = t->rest[at];")
            with out.block("else"):
                out.line(f"if (!best(next.b, m{self.with_memo(memo)}, ahead - 1, t, &rest)) rest = 0;")
                out.line("keep_in_turn(t, at, &next, ahead, rest);")

    @property
    def best_head(self) -> str:
        """The head of the most that a turn is worth that begins here; 0 if there is no move of which the best count."""
        return f"static int best({self.state}, I ahead, Turn *t, I *worth)"

    def best(self) -> None:
        """Asks each kind with `prefer`."""
        with self.out.block(self.best_head):
            self.out.line("int any = 0;")
            for action in self.preferring:
                self.out.line(f"any = best_{identifier(action.name)}(s, m{self.memo}, ahead, t, any, worth);")
            self.out.line("return any;")

    def repeats(self, action: Action) -> bool:
        """May a move come more than once?  Not if every choice is one of a parameter."""
        params = set(action.params)
        for step in action.body:
            match step:
                case Walk():
                    rays = self.game.tables[step.rays]
                    ends = Counter((row[0], row[3]) for row in rays.rows)
                    if step.target not in params or any(count > 1 for count in ends.values()):
                        return True
                case Find(table, args, binds):
                    keys = self.game.tables[table].keys
                    if any(var not in params for var in args[:keys] if var in binds):
                        return True
                case _:
                    if any(var not in params for var in self.chosen(step)):
                        return True
        return False

    def ascends(self, action: Action, printer: BodyPrinter) -> bool:
        """Do the moves come in order, because a walk by bits is the last choice and the others ascend?"""
        chosen = tuple(var for step in action.body for var in self.chosen(step))
        walks = {step for step in all_steps(action.body) if isinstance(step, Walk)}
        by_bits = printer.masks is not None and printer.masks.walked == walks
        return by_bits and len(walks) == 1 and chosen == action.params

    def chosen(self, step: Step) -> tuple[Var, ...]:
        """The variables that a step chooses, where there may be several ways."""
        return chosen(step, self.game.tables)

    def all_moves(self) -> None:
        """Legal moves, each once, as they are wanted: sorted is in canonical order."""
        out = self.out
        with out.block(f"static Move *moves({self.state}, Move *out, Move *end, UNUSED int wanted)"):
            out.line("UNUSED Move *first = out;")
            for action in self.game.actions:
                in_order = action.ordered or action.name in self.ascending
                repeats = not in_order and self.repeats(action)
                asked = "wanted == UNTESTED" if action.after else "0" if repeats else "wanted == NUMBER"
                out.line(f"out = moves_{identifier(action.name)}(s, m{self.memo}, out, end, {asked});")
                if repeats:
                    out.line("out = sort_moves(first, out, 1);")
                elif not in_order:
                    out.line("if (wanted >= SORTED) out = sort_moves(first, out, 0);")
                out.line("first = out;")
            out.line("return out;")
        with out.block(f"static UNUSED int any({self.state})"):
            kinds = " || ".join(f"any_{identifier(action.name)}(s, m{self.memo})" for action in self.game.actions)
            out.line(f"return {kinds or '0'};")

    def chance(self) -> None:
        """Does chance move here, and how likely is a move of chance?"""
        out, actions = self.out, self.game.actions
        with out.block(f"static int chance_moves({self.state})"):
            kinds = " || ".join(f"any_{identifier(one.name)}(s, m{self.memo})" for one in actions if one.chance)
            out.line(f"return {kinds};")
        with out.block(f"static I weight_of({self.state}, UNUSED Move move)"):
            out.line("I weight = 1;")
            with out.block(f"switch (move >> {self.codes.kind_shift})"):
                for number, action in enumerate(actions):
                    if action.weight is not None:
                        args = "".join(f", {param}" for param in self.decoded(number))
                        asked = f"rule_{identifier(action.weight)}(s, m{self.memo}{args}, &weight)"
                        out.line(f"case {number}: return {asked} ? weight : 0;")
                out.line("default: return weight;")

    def veil(self) -> None:
        """Writes UNSEEN over the bytes of a position that a player does not see."""
        out = self.out
        with out.block(f"static void veil({self.state}, I player, u8 *view)"):
            for slot in self.game.slots.values():
                if not slot.seen:
                    continue
                out.line("{")
                out.line(f"u8 *at = view + {slot.offset};")
                names = [f"p{number}" for number, _ in enumerate(slot.params)]
                for name, sort in zip(names, slot.params, strict=True):
                    out.line(f"for (I {name} = {sort.low}; {name} <= {sort.high}; {name}++)")
                known = len(self.game.rules[slot.seen].params) - 1
                args = "".join(f", {name}" for name in [*names[:known], "player"])
                out.line(f"for (I width = 0, seen = rule_{identifier(slot.seen)}(s, m{self.memo}{args}); "
                         f"width < {slot.width}; width++, at++)")  # fmt: skip
                out.line("if (!seen) *at = UNSEEN;")
                out.line("}")

    # -------------------------------------------------------------------------------------- effects

    def parameters(self, action: Action) -> str:
        """The parameters of a function of a kind of move: the state, then the parameters of the move."""
        return ", ".join([self.state, *(f"UNUSED I p{i}" for i in range(len(action.params)))])

    def effect_head(self, action: Action) -> str:
        """The head of the function that plays a move: it writes the next state to `t` and errors to `e`."""
        return f"static int effect_{identifier(action.name)}({self.parameters(action)}, u8 *t, UNUSED Error *e)"

    def effect(self, action: Action) -> None:
        """Prints the function that carries a move out in `t`, a copy of `s` with the turn passed on."""
        out = self.out
        with out.block(self.effect_head(action)):
            printer = EffectPrinter(self.game, self.tables, out, memo=self.memo, sets=self.sets)
            printer.names = {param: parameter(i) for i, param in enumerate(action.params)}
            memo = ""
            for number, effects in enumerate(action.rounds):
                if number == 1:
                    before = out.fresh("round")
                    out.line(f"State {before};")
                    out.line(f"copy_state({before}.b, t);")
                    memo = self.new_memo()
                    printer.state, printer.memo = f"{before}.b", self.with_memo(memo)
                elif number:  # what was read in the rounds before is in variables
                    out.line(f"copy_state({printer.state}, t);")
                    if memo:
                        out.line(f"forget(&{memo});")
                printer.effects(effects)
            out.line("(void)t;")
            out.line("return 1;")

    def after_head(self, action: Action) -> str:
        """The head of the function that tests the demands under `after`."""
        return f"static int after_{identifier(action.name)}({self.parameters(action)})"

    def after(self, action: Action) -> None:
        """Do the demands on the resulting position hold?  `meets` is asked about that position, `after` about the one
        before the move."""
        out, name = self.out, identifier(action.name)
        with out.block(f"static int meets_{name}({self.parameters(action)})"):
            printer = self.printer(masks=True)
            printer.names = {param: parameter(i) for i, param in enumerate(action.params)}
            for demand in action.after:
                with out.block(""):
                    condition = printer.condition(demand.body)
                    out.line(f"if (!{condition}) return 0;")
            out.line("return 1;")
        with out.block(self.after_head(action)):
            printer = self.after_state(action)
            args = "".join(f", p{i}" for i in range(len(action.params)))
            out.line(f"return meets_{name}({printer.state}, m{printer.memo}{args});")

    def meets(self) -> None:
        """Does a position meet what is demanded after the move that has led to it?  And would it if the player to move,
        `m`, had passed: where it would not, he is in check, as it is called in chess."""
        out, demanding = self.out, [(i, action) for i, action in enumerate(self.game.actions) if action.after]
        self._by_kind("meets", dict(demanding), 1)
        with out.block(f"static UNUSED int in_check({self.state})"):
            for _, action in demanding:
                if not any(set(free_vars(demand.body)) & set(action.params) for demand in action.after):
                    args = ", 0" * len(action.params)
                    out.line(f"return !meets_{identifier(action.name)}(s, m{self.memo}{args});")
                    break
            else:
                out.line("return 0;")

    def captures(self) -> None:
        """Does a move take men of the others?  -1 where that is found out by carrying it out; no with three players or
        more, where that takes longer than it gains."""
        out, told = self.out, dict[int, Action]()
        for number, action in enumerate(self.game.actions):
            effects = that_move_men(self.game, action)
            if effects is None:
                continue
            told[number] = action
            with out.block(f"static UNUSED int captures_{identifier(action.name)}({self.parameters(action)})"):
                printer = CapturePrinter(self.game, self.tables, out, memo=self.memo)
                printer.names = {param: parameter(i) for i, param in enumerate(action.params)}
                out.line("int lost = 0;")
                printer.effects(effects)
                out.line("return lost > 0;")
        self._by_kind("captures", told, -1 if self.players == 2 else 0)

    def taking(self) -> None:
        """The moves that take men of the others, and perhaps more, each once, in no particular order; as `moves`
        lists them where all that is demanded is tested when a move is tried.

        It decides what a search looks at beyond its horizon; no move is legal or illegal by it.  A search that finds
        them alone counts otherwise, so whether they are is decided by the rules as read, with sets and without alike.
        """
        out, found, game = self.out, dict[str, list[str]](), self.read or self.game
        ways = [() if that_move_men(game, one) == () else that_capture(game, one, one.body) for one in game.actions]
        if any(way != () for way in ways):
            self.takes = 1 if all(way is None for way in ways) else 2
        for action, alone in zip(self.game.actions, ways, strict=True):
            name, asked = identifier(action.name), "untested" if action.after else "counted"
            bodies = that_capture(self.game, action, self.free[action.name]) if alone and self.sets else None
            if bodies is not None:
                found[name] = [f"takes_{name}_{number}" for number, _ in enumerate(bodies)]
                for function, body in zip(found[name], bodies, strict=True):
                    self._moves_by(function, asked, action, body, 0)
            else:
                found[name] = [] if alone == () else [f"moves_{name}"]
        with out.block(f"static UNUSED Move *taking({self.state}, Move *out, UNUSED Move *end)"):
            out.line("UNUSED Move *first = out;")
            for action, functions in zip(self.game.actions, found.values(), strict=True):
                untested = int(bool(action.after) and self.game.stuck is not None)
                for function in functions:
                    out.line(f"out = {function}(s, m{self.memo}, out, end, {untested});")
                if functions:
                    out.line("out = sort_moves(first, out, 1);")
                    out.line("first = out;")
            out.line("return out;")

    def _by_kind(self, name: str, kinds: dict[int, Action], otherwise: int) -> None:
        """Writes a function that asks the one of the same name of the kind of a move, where that has one."""
        out = self.out
        with out.block(f"static UNUSED int {name}({self.state}, UNUSED Move move)"):  # noqa: SIM117
            with out.block(f"switch (move >> {self.codes.kind_shift})"):
                for number, action in kinds.items():
                    args = "".join(f", {param}" for param in self.decoded(number))
                    out.line(f"case {number}: return {name}_{identifier(action.name)}(s, m{self.memo}{args});")
                out.line(f"default: return {otherwise};")

    def after_state(self, action: Action, failed: str = "1") -> BodyPrinter:
        """Writes the position after a move, as its demands see it: what reads it from here on.

        Where an effect of the move is a mistake, the function returns `failed`: the mistake is told later.
        """
        out = self.out
        args = "".join(f", p{i}" for i in range(len(action.params)))
        out.line("State after;")
        out.line("Error ignored;")
        out.line("copy_state(after.b, s);")
        effect = f"effect_{identifier(action.name)}(s, m{self.memo}{args}, after.b, &ignored)"
        out.line(f"if (!{effect}) return {failed};")
        memo = self.new_memo()
        printer = self.printer(masks=True)
        printer.state, printer.memo = "after.b", self.with_memo(memo)
        printer.names = {param: parameter(i) for i, param in enumerate(action.params)}
        return printer

    def pack(self) -> None:
        """The position in fewer words, for tables: bit by bit where a value has few of them, else as it is."""
        words: list[tuple[list[str], int]] = []  # what each is made of, and how many bits that is
        rest: list[int] = []

        def put(part: str, bits: int) -> None:
            for at, (parts, used) in enumerate(words):
                if used + bits <= 64:
                    words[at] = [*parts, f"{part} << {used}"], used + bits
                    return
            words.append(([part], bits))

        for slot in self.game.slots.values():
            bits = (slot.sort.high + slot.shift).bit_length()
            if slot.width > 1 or 8 * bits * words_for(slot.count) >= slot.count:
                rest += range(slot.offset, slot.offset + slot.count * slot.width)
                continue
            for bit in range(bits):
                for first in range(0, slot.count, 64):
                    count = min(64, slot.count - first)
                    put(f"plane(s + {slot.offset + first}, {count}, {bit})", count)
        for byte in rest:
            put(f"(u64)s[{byte}]", 8)
        with self.out.block("static void pack(const u8 *s, u64 *to)"):
            for at, (parts, _) in enumerate(words):
                self.out.line(f"to[{at}] = {' | '.join(parts)};")
        self.packed, self.spare = len(words), 64 - words[-1][1]

    def apply(self) -> None:
        """The position after a move; 0 if a rule breaks its own ranges."""
        out = self.out
        known = "MEMO(UNUSED Memo *k) BOUND(UNUSED Control *c)"
        with out.block(f"static int apply(const u8 *s, Move move, u8 *t, Error *e {known})"):
            out.line("I m = s[0];")
            out.line("copy_state(t, s);")
            if not self.game.alternating:
                self._apply_and_pass_on()
                return
            out.line("t[0] = (u8)(3 - m);")
            kept = self.game.slots.get("again")
            if kept is not None:
                out.line(f"t[{kept.offset}] = 0;")
            with out.block(f"switch (move >> {self.codes.kind_shift})"):
                for number, call in enumerate(self._effect_calls()):
                    out.line(f"case {number}: return {call};")
                out.line("default: return 1;")

    def _effect_calls(self) -> list[str]:
        """The calls that play the move, by its kind."""
        calls = []
        for number, action in enumerate(self.game.actions):
            args = [f"s, m{self.memo}", *self.decoded(number), "t", "e"]
            calls.append(f"effect_{identifier(action.name)}({', '.join(args)})")
        return calls

    def _apply_and_pass_on(self) -> None:
        out = self.out
        out.line(f"t[0] = (u8)(m % {self.players} + 1);")
        with out.block(f"switch (move >> {self.codes.kind_shift})"):
            for number, call in enumerate(self._effect_calls()):
                out.line(f"case {number}:")
                out.line(f"    if (!{call}) return 0;")
                out.line("    break;")
            out.line("default: break;")
        out.line(f"return pass_on(t, m, e{self.out.control});")

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.game.players.labels)

    @property
    def pass_on_head(self) -> str:
        """The head of the function that gives the turn, after the effects of a move of `m`, to who is not out."""
        return "static int pass_on(UNUSED u8 *t, UNUSED I m, UNUSED Error *e BOUND(UNUSED Control *c))"

    def pass_on(self) -> None:
        """Passes over who is out, and remembers who has moved where the position must say it."""
        out, rule, kept = self.out, self.game.out, self.game.slots.get("again")
        with out.block(self.pass_on_head):
            if kept is not None:
                remember = f"t[{kept.offset}] = (u8)(t[0] == m % {self.players} + 1 ? 0 : m);"
            if rule is not None:
                out.line("I tried = 0;")
                with out.loop(f"for (; tried < {self.players}; tried++)"):
                    memo = self.new_memo()
                    out.line(f"if (!rule_{identifier(rule)}(t, t[0]{self.with_memo(memo)})) break;")
                    out.line(f"t[0] = (u8)(t[0] % {self.players} + 1);")
                if kept is not None:
                    out.line(remember)
                with out.block(f"if (tried == {self.players})"):
                    out.line("I winner = 0;")
                    memo = self.new_memo()
                    ended = f"over(t, m{self.with_memo(memo)}, 0, 1, &winner)"
                    out.fail(f"!{ended}", ALL_OUT, self.game.rules[rule].span.line)
            elif kept is not None:
                out.line(remember)
            out.line("return 1;")

    # -------------------------------------------------------------------------------------- the end

    def over(self) -> None:
        """The number of the ending that holds, or 0; `m` is who has just moved."""
        out = self.out
        head = f"static int over({self.state}, UNUSED I turns, UNUSED I times, UNUSED I *winner)"
        with out.block(head):
            printer = self.printer(masks=True)
            for number, ending in enumerate(self.game.endings, 1):
                printer.names, printer.declared = {}, set()  # variables of other endings may be called the same
                conditions = [Value(f"{name} >= {least}") for name, least in
                              (("times", ending.repeated), ("turns", ending.turns)) if least is not None]  # fmt: skip

                def ends(number: int = number, result: Result = ending.result) -> None:
                    self._winner(printer, result)
                    out.line(f"return {number};")

                with out.block(""):
                    printer.iff(conditions, lambda body=ending.body, ends=ends: printer.ways(body, ends))  # type: ignore[misc]
            out.line("return 0;")

    def stuck(self) -> None:
        """The ending, and the winner, if the player to move has no move; 0 if he passes."""
        printer, out = self.printer(), self.out
        with out.block(f"static UNUSED int stuck({self.state}, UNUSED I *winner)"):
            if self.game.stuck is None:
                out.line("return 0;")
            else:
                self._winner(printer, self.game.stuck)
                out.line(f"return {len(self.game.endings) + 1};")

    def standing(self) -> None:
        """The numbers that an ending compares, for each player, as many as are returned; 0 where it compares none."""
        out = self.out
        with out.block(f"static UNUSED I standing({self.state}, UNUSED I number, UNUSED I *out)"):
            for number, contest in self.game.numbered.items():
                with out.block(f"if (number == {number})"):
                    every = range(1, self.players + 1)
                    places = [(rule, player) for _, rule in contest.compared for player in every]
                    for at, (rule, player) in enumerate(places):
                        out.line(f"out[{at}] = 0;")
                        out.line(f"rule_{identifier(rule)}(s, m{self.memo}, {player}, &out[{at}]);")
                    out.line(f"return {len(places)};")
            out.line("return 0;")

    def _winner(self, printer: BodyPrinter, result: Result) -> None:
        out = self.out
        match result:
            case Winner(None, None):
                out.line("*winner = 0;")
            case Winner(player, _, loses) if self.players != 2:
                who = "m" if player is None else printer.atom(player)
                out.line(f"*winner = shared_by(EVERYBODY & ~(1 << ({who} - 1)));" if loses else f"*winner = {who};")
            case Winner(None, role):
                out.line(f"*winner = {'m' if role == 'mover' else '3 - m'};")
            case Winner(player, _):
                assert player is not None
                out.line(f"*winner = {printer.atom(player)};")
            case Pay(proven=proven, span=span):
                values = out.fresh("values")
                self._values(values, result.compared)
                out.line(f"*winner = paid({values}, {0 if proven else span.line});")
            case Contest(rankings, _, True):
                self._ranked(rankings)
            case Contest(rankings, otherwise) if self.players != 2:
                self._first(printer, rankings, otherwise)
            case Contest(rankings, otherwise):
                assert otherwise is not None
                self._contest(printer, list(rankings), otherwise)

    def _values(self, name: str, rows: tuple[tuple[str, str], ...]) -> None:
        """The values of all players, a row for each ranking; what has no value counts as 0."""
        self.out.line(f"I {name}[{len(rows) * self.players}] = {{0}};")
        for row, (_, rule) in enumerate(rows):
            for player in range(1, self.players + 1):
                at = row * self.players + player - 1
                self.out.line(f"rule_{identifier(rule)}(s, m{self.memo}, {player}, &{name}[{at}]);")

    def _ranked(self, rankings: tuple[tuple[str, str], ...]) -> None:
        values, least = self.out.fresh("values"), self.out.fresh("least")
        self._values(values, rankings)
        kinds = ", ".join(str(int(kind == "least")) for kind, _ in rankings)
        self.out.line(f"static const u8 {least}[] = {{{kinds}}};")
        self.out.line(f"*winner = ranked_by({values}, {least}, {len(rankings)});")

    def _first(
        self, printer: BodyPrinter, rankings: tuple[tuple[str, str], ...], otherwise: Result | None
    ) -> None:  # fmt: skip
        """Prints the winners: the players who are first by the first ranking, of these those who are first by the
        second, …."""
        out, first = self.out, self.out.fresh("first")
        out.line(f"I {first} = EVERYBODY;")
        for ranking in rankings:
            values = out.fresh("values")
            with out.block(f"if ({first} & ({first} - 1))"):
                self._values(values, (ranking,))
                out.line(f"{first} = first_of({values}, {first}, {int(ranking[0] == 'least')});")
        out.line(f"*winner = shared_by({first});")
        if otherwise is not None:
            with out.block(f"if ({first} & ({first} - 1))"):
                self._winner(printer, otherwise)

    def _contest(self, printer: BodyPrinter, rankings: list[tuple[str, str]], otherwise: Result) -> None:
        out = self.out
        if not rankings:
            self._winner(printer, otherwise)
            return
        (kind, rule), *rest = rankings
        one, two = out.fresh("one"), out.fresh("two")
        out.line(f"I {one} = 0, {two} = 0;")
        for player, name in ((1, one), (2, two)):
            out.line(f"rule_{identifier(rule)}(s, m{self.memo}, {player}, &{name});")
        more = ">" if kind == "most" else "<"
        with out.block(f"if ({one} != {two})"):
            out.line(f"*winner = {one} {more} {two} ? 1 : 2;")
        with out.block("else"):
            self._contest(printer, rest, otherwise)

    # --------------------------------------------------------------------------- values, the beginning

    def estimate(self) -> None:
        """The `evaluate` block for the first player."""
        out = self.out
        with out.block("WHOLE static I estimate(UNUSED const u8 *s MEMO(UNUSED Memo *k) BOUND(UNUSED Control *c))"):
            out.line("I total = 0, value = 0, m = s[0];")
            for term in self.game.terms:
                for me, sign in ((1, "+="), (2, "-=")):
                    if term.only not in (None, me):
                        continue
                    out.line("value = 0;")
                    out.line(f"rule_{identifier(term.rule)}(s, m{self.memo}, {me}, {3 - me}, &value);")
                    out.line(f"total {sign} {term.weight} * value;")
            out.line("(void)value, (void)m;")
            out.line("return total;")

    def lines(self) -> None:
        """What each line of the `evaluate` block says for the first player, without its weight."""
        out = self.out
        more = "MEMO(UNUSED Memo *k) BOUND(UNUSED Control *c)"
        with out.block(f"WHOLE static UNUSED void lines(UNUSED const u8 *s, I *restrict out {more})"):
            out.line("I m = s[0];")
            for number, term in enumerate(self.game.terms):
                with out.block(""):
                    out.line("I one = 0, two = 0;")
                    for me, name in ((1, "one"), (2, "two")):
                        if term.only in (None, me):
                            out.line(f"rule_{identifier(term.rule)}(s, m{self.memo}, {me}, {3 - me}, &{name});")
                    out.line(f"out[{number}] = one - two;")
            out.line("(void)m;")

    def estimates(self) -> None:
        """The `evaluate` block for each of other than two players, and for the first alone."""
        out, count = self.out, self.players
        more = "MEMO(UNUSED Memo *k) BOUND(UNUSED Control *c)"
        with out.block(f"WHOLE static void estimates(UNUSED const u8 *s, I *restrict out {more})"):
            out.line(f"for (int i = 0; i < {count}; i++) out[i] = 0;")
            out.line("UNUSED I m = s[0];")
            for term in self.game.terms:
                with out.block(""):
                    self._term(term)
        with out.block(f"static UNUSED I estimate(UNUSED const u8 *s {more})"):
            out.line(f"I all[{count}];")
            out.line(f"estimates(s, all{', k' if self.kept else ''}{out.control});")
            out.line("return all[0];")

    def _term(self, term: Term) -> None:
        """What a line is worth to each player: the mean, over all others, of his value less theirs."""
        out, count = self.out, self.players
        rule = self.game.rules[term.rule]
        me, you = rule.params
        asked = {*body_vars(rule.body), rule.result}
        everybody = range(1, count + 1)
        if count == 1:
            pairs = [(1, 1)]
        elif you not in asked:
            pairs = [(one, one % count + 1) for one in everybody]
        elif me not in asked:
            pairs = [(one % count + 1, one) for one in everybody]
        else:
            pairs = [(one, other) for one in everybody for other in everybody if one != other]
        out.line(f"I value = 0, sum[{count}] = {{0}};")
        for one, other in pairs:
            out.line("value = 0;")
            out.line(f"rule_{identifier(term.rule)}(s, m{self.memo}, {one}, {other}, &value);")
            each = f"for (int i = 0; i < {count}; i++) sum[i]"
            if count == 1:
                out.line("sum[0] = value;")
            elif you not in asked:
                out.line(f"{each} += i == {one - 1} ? {count - 1} * value : -value;")
            elif me not in asked:
                out.line(f"{each} -= i == {other - 1} ? {count - 1} * value : -value;")
            else:
                out.line(f"sum[{one - 1}] += value, sum[{other - 1}] -= value;")
        weighed = f"{term.weight} * sum[i]" + (f" / {count - 1}" if count > 2 else "")
        out.line(f"for (int i = 0; i < {count}; i++) out[i] += {weighed};")

    def setup(self) -> None:
        """The initial position; lots are drawn from `lots`."""
        out = self.out
        blank = bytearray(self.game.size)
        for slot in self.game.slots.values():
            for i in range(slot.count):
                value = slot.default + slot.shift
                at = slot.offset + i * slot.width
                blank[at : at + slot.width] = (value,) if slot.width == 1 else (value // 255, value % 255)
        with out.block("static int setup(u8 *t, UNUSED u64 *lots, UNUSED Error *e BOUND(UNUSED Control *c))"):
            out.line(f"static const u8 blank[{len(blank)}] = {{{', '.join(map(str, blank))}}};")
            out.line(f"for (int i = 0; i < {len(blank)}; i++) t[i] = blank[i];")
            memo = f"{', 0' * bool(self.kept)}{out.control}"
            printer = EffectPrinter(self.game, self.tables, out, state="t", mover=Value("t[0]"), memo=memo)
            printer.effects(self.game.setup)
            before = f"t[0] > 1 ? t[0] - 1 : {self.players}"
            out.line("return 1;" if self.game.alternating else f"return pass_on(t, {before}, e{out.control});")


def _ranks(result: Result) -> list[str]:
    return (
        [rule for _, rule in result.compared]
        if isinstance(result, Pay)
        else ([rule for _, rule in result.rankings] if isinstance(result, Contest) else [])
    )


def set_sizes(game: Game) -> set[int]:
    """The sizes, in words of 64 bits, of all sets in a game."""
    found = {1}
    mentioned: set[Var] = set()
    for body in all_bodies(game):
        mentioned.update(body_vars(body))
    for rule in game.rules.values():
        mentioned.update(rule.params, [rule.result] if isinstance(rule.result, Var) else ())
    for var in mentioned:
        if isinstance(var.sort, SetSort):
            found.add(set_words(var.sort))
        elif var.sort.size <= 1 << 16:
            found.add(set_words(SetSort(var.sort)))
    return found
