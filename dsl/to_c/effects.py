"""Effects as C: the places that a move changes, written into the position after it.

Within a round every effect reads the position as it was before the round, and the last one that writes a place has its
way.  The setup's effects happen one after another, on the position that they read.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import assert_never

from pysolve.dsl.language.constants import NO_PICK, NO_VALUE, OUT_OF_RANGE
from pysolve.dsl.model import (
    Again,
    Assign,
    Atom,
    Compute,
    Effects,
    EffectStep,
    ForAll,
    Pick,
    Push,
    Repeat,
    SetSort,
    Slot,
    Take,
    TurnTo,
    Var,
    When,
)
from pysolve.dsl.model.properties import bound, reads_position
from pysolve.dsl.to_c.body import BodyPrinter
from pysolve.dsl.to_c.masks import Masks
from pysolve.dsl.to_c.scope import set_kind
from pysolve.dsl.to_c.value import Value, conjunction, every, of_number


@dataclass
class EffectPrinter(BodyPrinter):
    """Writes the effects of one function, into the position `target`."""

    target: str = "t"
    sets: bool = False  # may loops go over sets of places?

    def effects(self, effects: Effects) -> None:
        """Prints effects in order."""
        for effect in effects:
            self.effect(effect)

    def effect(self, effect: EffectStep) -> None:
        """Prints one effect."""
        out = self.out
        match effect:
            case Compute(body, span):
                self._compute(body, span.line)
            case Assign():
                self._assign(effect)
            case Push():
                self._push(effect)
            case Take():
                self._take_off(effect)
            case When(test, then, otherwise, _):
                self._when(test, then, otherwise)
            case ForAll(body, inner, _):
                with out.block(""), self._as_it_was(body):
                    if self.sets:
                        self.masks = Masks(out, self.tables)
                    self.ways(body, lambda: self._inside(inner))
                    self.masks = None
            case Again():
                out.line(f"{self.target}[0] = (u8){self.mover};")
                kept = self.game.slots.get("again")
                if kept is not None and self.game.alternating:
                    out.line(f"{self.target}[{kept.offset}] = 1;")
            case TurnTo(player):
                out.line(f"{self.target}[0] = (u8){self.atom(player)};")
            case Pick(var, body, span):
                self._pick(var, body, span.line)
            case Repeat(times, inner, _):
                number = out.fresh("time")
                with out.loop(f"for (I {number} = 0; {number} < {self.atom(times)}; {number}++)"):
                    self.effects(inner)
            case _:
                assert_never(effect)

    @property
    def live(self) -> bool:
        """Is the position read that is written?"""
        return self.state == self.target

    @contextmanager
    def _as_it_was(self, body: tuple) -> Iterator[None]:  # type: ignore[type-arg]
        """A context: a body that is printed within it reads a copy of the position, if the position changes
        meanwhile."""
        before = self.state, self.mover  # in the setup nothing is kept
        if self.live and reads_position(body):
            old = self.out.fresh("old")
            self.out.line(f"State {old};")
            self.out.line(f"copy_state({old}.b, {self.target});")
            self.state, self.mover = f"{old}.b", Value(f"{old}.b[0]")
        self.live_again = before
        yield
        self.state, self.mover = before

    def _inside(self, effects: Effects) -> None:
        """Prints effects inside a loop, which read the position anew."""
        old = self.state, self.mover
        self.state, self.mover = self.live_again
        masks, self.masks = self.masks, None
        self.effects(effects)
        self.masks = masks
        self.state, self.mover = old

    def _compute(self, body: tuple, line: int) -> None:  # type: ignore[type-arg]
        """Variables that stay there for the effects that follow."""
        self.out.fail(f"!{self._found(body)}", NO_VALUE, line)

    def _found(self, body: tuple) -> str:  # type: ignore[type-arg]
        """Writes the variables of a body; the name of what says whether they have values."""
        for var in (var for step in body for var in bound(step)):
            if var not in self.declared:
                self.declare(var)
        found = self.out.fresh("found")
        self.out.line(f"int {found} = 0;")
        self.once(body, lambda: self.out.line(f"{found} = 1;"))
        return found

    def _assign(self, effect: Assign) -> None:
        out, slot = self.out, self.game.slots[effect.slot]
        value, at = self.expr(effect.value), self.index(slot, effect.args)
        self._refuse((*value.when, *at.when), effect.span.line)
        value = self._in_range(effect, value, slot.sort.lowest, slot.sort.high)
        byte = value + slot.shift
        if slot.width == 2:
            wide = out.fresh("wide")
            out.line(f"I {wide} = {byte.text};")
            out.line(f"{self.target}[{at.text}] = (u8)({wide} / 255);")
            out.line(f"{self.target}[{(at + 1).text}] = (u8)({wide} % 255);")
        else:
            out.line(f"{self.target}[{at.text}] = (u8){byte};")

    def _in_range(self, effect: Assign | Push, value: Value, lowest: int, highest: int) -> Value:
        """The value that a place gets, refused where it is out of range."""
        if not effect.checked:
            return value
        given = self.out.fresh("given")
        self.out.line(f"I {given} = {value.text};")
        tests = [f"{given} < {lowest}"] * effect.below + [f"{given} > {highest}"] * effect.above
        self.out.fail(" || ".join(tests), OUT_OF_RANGE, effect.span.line, self._number(effect.slot), given)
        return Value(given)

    def _number(self, slot: str) -> int:
        return list(self.game.slots).index(slot)

    def _push(self, effect: Push) -> None:
        slot = self.game.slots[effect.slot]
        with self.out.block(""):
            value = self.expr(effect.value)
            self._refuse(value.when, effect.span.line)
            value = self._in_range(effect, value, slot.sort.low, slot.sort.high)
            stack = self._stack(slot, effect.args, effect.span.line)
            self._refuse_height(slot, stack, "+", of_number(1), effect.span.line)
            self.out.line(f"put_on({stack}, (u8){value + slot.shift});")

    def _take_off(self, effect: Take) -> None:
        out, game, line = self.out, self.game, effect.span.line
        slot, count = game.slots[effect.slot], self.atom(effect.count)
        none = slot.sort.none + slot.shift
        with out.block(""):
            stack = self._stack(slot, effect.args, line)
            self._refuse_height(slot, stack, "-", count, line)
            if effect.onto is None:
                out.line(f"take_off({stack}, {count}, {none});")
                return
            target = game.slots[effect.onto]
            onto = self._stack(target, effect.onto_args, line)
            with out.block(f"if ({stack}.top != {onto}.top)" if target is slot else ""):
                self._refuse_height(target, onto, "+", count, line)
                out.line(f"move_over({stack}, {onto}, {count}, {none}, {target.shift - slot.shift});")

    def _refuse(self, needed: tuple[Value, ...], line: int) -> None:
        if needed:
            self.out.fail(f"!({conjunction(needed)})", NO_VALUE, line)

    def _stack(self, slot: Slot, args: tuple[Atom, ...], line: int) -> str:
        """A variable for a stack of the position that is written."""
        out, parts = self.out, slot.stack
        assert parts is not None
        at = self.index(slot, args)
        self._refuse(at.when, line)
        height, items = self.game.slots[parts.height], self.game.slots[parts.items]
        place, stack = out.fresh("place"), out.fresh("stack")
        out.line(f"I {place} = {at - slot.offset};")
        bytes_ = (f"{self.target} + {Value(place) + slot.offset}", f"{self.target} + {Value(place) + height.offset}",
                  f"{self.target} + {items.offset} + {place} * {parts.most}")  # fmt: skip
        out.line(f"Stack {stack} = {{{', '.join(bytes_)}}};")
        return stack

    def _refuse_height(self, slot: Slot, stack: str, sign: str, count: Value, line: int) -> None:
        """Ends with a mistake where the height of a stack would be out of range."""
        parts = slot.stack
        assert parts is not None
        height = f"*{stack}.height {sign} {count}"
        test = f"{height} < 0" if sign == "-" else f"{height} > {parts.most}"
        self.out.fail(test, OUT_OF_RANGE, line, self._number(parts.height), height)

    def _when(self, test: tuple, then: Effects, otherwise: Effects) -> None:  # type: ignore[type-arg]
        out = self.out
        plain = self.plain(test)
        if plain is not None:
            with out.block(f"if ({every([plain]).text})"):
                self.effects(then)
            if otherwise:
                with out.block("else"):
                    self.effects(otherwise)
            return
        done = out.fresh("done")
        with out.block(""):

            def first() -> None:
                self.effects(then)
                out.line(f"goto {done};")

            self.ways(test, first)
            self.effects(otherwise)
        out.line(f"{done}:;")

    def _pick(self, var: Var, body: tuple, line: int) -> None:  # type: ignore[type-arg]
        """A lot among the distinct values, in their order."""
        out, sort = self.out, var.sort
        drawn, found = var.beside("drawn from", SetSort(sort)), out.fresh("drawn")  # type: ignore[arg-type]
        self._new_set(drawn)
        with out.block(""):
            self.ways(body, lambda: self.put(drawn, Value(f"({self.name(var)})")))
        kind = set_kind(drawn.sort)
        out.line(f"I {found} = {kind}_pick(&{self.name(drawn)}, lots);")
        out.fail(f"{found} < 0", NO_PICK, line)
        self.names[var] = Value(out.fresh("picked"))
        out.line(f"I {self.names[var]} = {Value(found) + drawn.sort.of.lowest};")  # type: ignore[union-attr]
