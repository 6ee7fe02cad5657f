"""What is found out about a position is kept while it is asked: the rules that are worth it.

In: the rules of a game.  Out: those whose answers are kept, and the C of what keeps them.

A rule is worth it if it looks at many places (it counts, collects or reaches, or asks a rule that does) and has one
parameter of few values, or none.  What is kept belongs to one position and one mover.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from dsl.model import Ask, Collect, Each, Fold, Game, Get, Reach, Rule, SetSort, Sort, all_steps, inner_bodies
from dsl.to_c.body import set_words
from dsl.to_c.text import Writer, identifier

FEW = 512  # values of a parameter
SMALL_BOARD = 32  # places that are counted as quickly as it is found out whether they were


@dataclass(frozen=True, slots=True)
class Kept:
    """A rule whose answers are kept: for `count` values of its parameter from `low` on; one if it has none."""

    rule: Rule
    name: str
    low: int
    count: int

    @property
    def kind(self) -> str | None:
        """The type of its result; None for a condition."""
        result = self.rule.result
        if result is None:
            return None
        return f"Set{set_words(result.sort)}" if isinstance(result.sort, SetSort) else "I"


def kept_rules(game: Game) -> dict[str, Kept]:
    """The rules whose answers are kept, by name."""

    @cache
    def looks_around(name: str) -> bool:
        for step in all_steps(game.rules[name].body):
            match step:
                case Reach():
                    return True
                case Fold() | Collect() if any(_many(game, inner) for body in inner_bodies(step) for inner in body):
                    return True
                case Ask(rule) if looks_around(rule):
                    return True
        return False

    found = {}
    for rule in game.rules.values():
        sorts = [param.sort for param in rule.params]
        if not rule.reads or len(sorts) > 1 or not looks_around(rule.name):
            continue
        if not sorts:
            found[rule.name] = Kept(rule, identifier(rule.name), 0, 1)
        elif isinstance(sorts[0], Sort) and sorts[0].size <= FEW:
            found[rule.name] = Kept(rule, identifier(rule.name), sorts[0].low, sorts[0].high - sorts[0].low + 1)
    return found


def _many(game: Game, step: object) -> bool:
    match step:
        case Each(var):
            return isinstance(var.sort, Sort) and var.sort.size > SMALL_BOARD
        case Get(slot, args, _, binds):
            return game.slots[slot].count > SMALL_BOARD and any(arg in binds for arg in args)
    return False


def memo_struct(rules: dict[str, Kept]) -> str:
    """The C of what keeps answers; empty if there is nothing to keep."""
    if not rules:
        return "#define MEMO(k)\n#define NEW_MEMO(k)\n#define NO_MEMO"
    out = Writer()
    with out.block("typedef struct"):
        for kept in rules.values():
            out.line(f"u64 known_{kept.name}[{(kept.count + 63) // 64}];")
        for kept in rules.values():
            out.line(f"u8 holds_{kept.name}[{kept.count}];")
            if kept.kind:
                out.line(f"{kept.kind} value_{kept.name}[{kept.count}];")
    out.lines[-1] += " Memo;"
    with out.block("INLINE void forget(Memo *k)"):
        for kept in rules.values():
            out.line(f"for (int i = 0; i < {(kept.count + 63) // 64}; i++) k->known_{kept.name}[i] = 0;")
    macros = "#define MEMO(k) , k\n#define NEW_MEMO(k) Memo k; forget(&k)\n#define NO_MEMO , 0"
    return f"{out.text()}{macros}"


def write_keeping(out: Writer, kept: Kept, head: str, plain: str) -> None:
    """The function that looks whether the answer is known before it asks `plain`."""
    param = "p0" if kept.rule.params else None
    args = ["s", "m", "k", *(["p0"] if param else [])]
    value = [f"&k->value_{kept.name}[at]"] if kept.kind else []
    with out.block(head):
        known = f"{param} - {kept.low}" if param else "0"
        out.line(f"const I at = {known};")
        outside = f" || at < 0 || at >= {kept.count}" if param else ""
        out.line(f"if (!k{outside}) return {plain}({', '.join([*args, *(['result'] if kept.kind else [])])});")
        with out.block(f"if (!(k->known_{kept.name}[at >> 6] >> (at & 63) & 1))"):
            out.line(f"k->holds_{kept.name}[at] = (u8){plain}({', '.join([*args, *value])});")
            out.line(f"k->known_{kept.name}[at >> 6] |= 1ULL << (at & 63);")
        if kept.kind:
            out.line(f"if (k->holds_{kept.name}[at]) *result = k->value_{kept.name}[at];")
        out.line(f"return k->holds_{kept.name}[at];")
