"""The C of what keeps answers of rules while a position is asked.

In: the rules that are worth it (dsl/analysis/memoised.py).  Out: the struct `Memo`, and the functions that look whether
an answer is known before they ask the rule.
"""

from __future__ import annotations

from pysolve.dsl.analysis.memoised import Kept
from pysolve.dsl.model import Sort
from pysolve.dsl.to_c.bits import words_for
from pysolve.dsl.to_c.scope import type_of
from pysolve.dsl.to_c.text import Writer, identifier


def _name(kept: Kept) -> str:
    """The rule's name in C."""
    return identifier(kept.rule.name)


def _kind(kept: Kept) -> str | None:
    """The type of the rule's result in C; None for a condition."""
    return type_of(kept.rule.result.sort) if kept.rule.result is not None else None


def memo_struct(rules: dict[str, Kept]) -> str:
    """The C of what keeps answers; empty if there is nothing to keep."""
    if not rules:
        return "#define MEMO(k)\n#define NEW_MEMO(k)\n#define NO_MEMO"
    out = Writer()
    with out.block("typedef struct", end=" Memo;"):
        for kept in rules.values():
            out.line(f"u64 known_{_name(kept)}[{words_for(kept.count)}];")
        for kept in rules.values():
            if not kept.gives_alike:
                out.line(f"u8 holds_{_name(kept)}[{kept.count}];")
            if _kind(kept):
                out.line(f"{_kind(kept)} value_{_name(kept)}[{kept.count}];")
    with out.block("INLINE void forget(Memo *k)"):
        for kept in rules.values():
            out.line(f"for (int i = 0; i < {words_for(kept.count)}; i++) k->known_{_name(kept)}[i] = 0;")
    macros = "#define MEMO(k) , k\n#define NEW_MEMO(k) Memo k; forget(&k)\n#define NO_MEMO , 0"
    return f"{out.text()}{macros}"


def write_keeping(out: Writer, kept: Kept, head: str, plain: str) -> None:
    """The function that looks whether the answer is known before it asks `plain`."""
    params = [f"p{number}" for number in range(len(kept.sorts))]
    args = [f"s, m, k{out.control}", *params]
    value = [f"&k->value_{_name(kept)}[at]"] if _kind(kept) else []
    with out.block(head):
        out.line(f"I at = {_place(params, kept.sorts)};")
        outside = "".join(
            f" || {param} < {sort.low} || {param} > {sort.high}"
            for param, sort in zip(params[1:], kept.sorts[1:], strict=True)
        )
        outside += f" || at < 0 || at >= {kept.count}" if params else ""
        out.line(f"if (!k{outside}) return {plain}({', '.join([*args, *(['result'] if _kind(kept) else [])])});")
        if kept.alike and not kept.gives_alike:
            _write_leader(out, kept)
        with out.block(f"if (!(k->known_{_name(kept)}[at >> 6] >> (at & 63) & 1))"):
            if kept.gives_alike:
                _always(out, f"{plain}({', '.join([*args, *value])})")
                _write_alike(out, kept)
            else:
                out.line(f"k->holds_{_name(kept)}[at] = (u8){plain}({', '.join([*args, *value])});")
                out.line(f"k->known_{_name(kept)}[at >> 6] |= 1ULL << (at & 63);")
        if kept.gives_alike:
            out.line(f"*result = k->value_{_name(kept)}[at];")
            out.line("return 1;")
            return
        if _kind(kept):
            out.line(f"if (k->holds_{_name(kept)}[at]) *result = k->value_{_name(kept)}[at];")
        out.line(f"return k->holds_{_name(kept)}[at];")


def _place(params: list[str], sorts: tuple[Sort, ...]) -> str:
    """Where the answer for these values is kept."""
    found = ""
    for param, sort in zip(params, sorts, strict=True):
        found = f"({found}) * {sort.high - sort.low + 1} + " * bool(found) + f"{param} - {sort.low}"
    return found or "0"


def _always(out: Writer, call: str) -> None:
    """A call that gives an answer in any case, but where it is not carried out to its end."""
    out.line(f"if (!{call}) return 0;" if out.bounded else f"{call};")


def _write_leader(out: Writer, kept: Kept) -> None:
    """The answer is kept once for all values that have the same: at the first of them."""
    words = words_for(kept.count)
    out.line(f"Set{words} alike;")
    _always(out, f"rule_{identifier(kept.alike)}(s, m, k{out.control}, p0, &alike)")
    out.line(f"at = Set{words}_lowest(&alike);")


def _write_alike(out: Writer, kept: Kept) -> None:
    """The set that has been found is that of each of its members."""
    words = words_for(kept.count)
    out.line(f"const Set{words} alike = k->value_{_name(kept)}[at];")
    with out.block(f"for (int word = 0; word < {words}; word++)"):
        out.line(f"k->known_{_name(kept)}[word] |= alike.w[word];")
        with out.block("for (u64 bits = alike.w[word]; bits; bits &= bits - 1)"):
            out.line(f"k->value_{_name(kept)}[word * 64 + lowest_bit(bits)] = alike;")
