"""What is found out about a position is kept while it is asked: the rules that are worth it.

In: the rules of a game.  Out: those whose answers are kept, and the C of what keeps them.

A rule is worth it if it looks at many places (it counts, collects or reaches, or asks a rule that does) and has one
parameter of few values, or none.  What is kept belongs to one position and one mover.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from dsl.analysis.components import is_class
from dsl.analysis.costs import many_places
from dsl.frozen import frozen
from dsl.model import (
    Ask,
    Collect,
    Fold,
    Game,
    Reach,
    Rule,
    SetSort,
    Sort,
    all_steps,
    inner_bodies,
)
from dsl.model.properties import own_vars
from dsl.to_c.body import set_words
from dsl.to_c.text import Writer, identifier

FEW = 512  # values of a parameter


@frozen
class Kept:
    """A rule whose answers are kept: for `count` values of its parameter from `low` on; one if it has none."""

    rule: Rule
    name: str
    low: int
    count: int
    alike: str = ""  # a rule that gives all values with the same answer; the rule itself perhaps

    @property
    def gives_alike(self) -> bool:
        """Is the answer itself the set of all values with this answer?  Then there always is one."""
        return self.alike == self.rule.name

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
                case Fold() | Collect() if any(
                    many_places(game, inner) for body in inner_bodies(step) for inner in body
                ):
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
            count = sorts[0].high - sorts[0].low + 1
            found[rule.name] = Kept(rule, identifier(rule.name), sorts[0].low, count, _alike(game, rule))
    return {name: replace(kept, alike=kept.alike if kept.alike in found else "") for name, kept in found.items()}


def _alike(game: Game, rule: Rule) -> str:
    """The rule that gives the values of the parameter for which the answer is the same, if there is one: a closure
    by what goes both ways gives the same set for each of its members, and so does what asks for that set alone."""
    (param,) = rule.params
    if is_class(game, rule):
        return rule.name
    own = [step for step in all_steps(rule.body) if param in own_vars(step)]
    match own:
        case [Ask(name, (arg,), _)] if arg == param and is_class(game, game.rules[name]):
            return name if game.rules[name].params[0].sort == param.sort else ""
    return ""


def memo_struct(rules: dict[str, Kept]) -> str:
    """The C of what keeps answers; empty if there is nothing to keep."""
    if not rules:
        return "#define MEMO(k)\n#define NEW_MEMO(k)\n#define NO_MEMO"
    out = Writer()
    with out.block("typedef struct"):
        for kept in rules.values():
            out.line(f"u64 known_{kept.name}[{(kept.count + 63) // 64}];")
        for kept in rules.values():
            if not kept.gives_alike:
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
    args = [f"s, m, k{out.control}", *(["p0"] if param else [])]
    value = [f"&k->value_{kept.name}[at]"] if kept.kind else []
    with out.block(head):
        known = f"{param} - {kept.low}" if param else "0"
        out.line(f"I at = {known};")
        outside = f" || at < 0 || at >= {kept.count}" if param else ""
        out.line(f"if (!k{outside}) return {plain}({', '.join([*args, *(['result'] if kept.kind else [])])});")
        if kept.alike and not kept.gives_alike:
            _write_leader(out, kept)
        with out.block(f"if (!(k->known_{kept.name}[at >> 6] >> (at & 63) & 1))"):
            if kept.gives_alike:
                _always(out, f"{plain}({', '.join([*args, *value])})")
                _write_alike(out, kept)
            else:
                out.line(f"k->holds_{kept.name}[at] = (u8){plain}({', '.join([*args, *value])});")
                out.line(f"k->known_{kept.name}[at >> 6] |= 1ULL << (at & 63);")
        if kept.gives_alike:
            out.line(f"*result = k->value_{kept.name}[at];")
            out.line("return 1;")
            return
        if kept.kind:
            out.line(f"if (k->holds_{kept.name}[at]) *result = k->value_{kept.name}[at];")
        out.line(f"return k->holds_{kept.name}[at];")


def _always(out: Writer, call: str) -> None:
    """A call that gives an answer in any case, but where it is not carried out to its end."""
    out.line(f"if (!{call}) return 0;" if out.bounded else f"{call};")


def _write_leader(out: Writer, kept: Kept) -> None:
    """The answer is kept once for all values that have the same: at the first of them."""
    words = (kept.count + 63) // 64
    out.line(f"Set{words} alike;")
    _always(out, f"rule_{identifier(kept.alike)}(s, m, k{out.control}, p0, &alike)")
    out.line(f"at = Set{words}_lowest(&alike);")


def _write_alike(out: Writer, kept: Kept) -> None:
    """The set that has been found is that of each of its members."""
    words = (kept.count + 63) // 64
    out.line(f"const Set{words} alike = k->value_{kept.name}[at];")
    with out.block(f"for (int word = 0; word < {words}; word++)"):
        out.line(f"k->known_{kept.name}[word] |= alike.w[word];")
        with out.block("for (u64 bits = alike.w[word]; bits; bits &= bits - 1)"):
            out.line(f"k->value_{kept.name}[word * 64 + lowest_bit(bits)] = alike;")
