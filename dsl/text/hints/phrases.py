"""Slips in phrases that stand in many sections: one adviser for each, which answers what it knows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from pysolve.dsl.errors import Problem
from pysolve.dsl.language.aggregates import AGGREGATES
from pysolve.dsl.text.hints.stop import (
    Rewritten,
    Stop,
    Word,
    depth,
    depths,
    expected,
    indent,
    no_section,
    outside,
    spaces,
)
from pysolve.dsl.text.hints.words import (
    BLOCKS,
    CLOSERS,
    COMPARATORS,
    INSTEAD,
    JOINTS,
    NAME_GOES_ON,
    NOTHING,
    OPERATORS,
    QUANTIFIERS,
    QUANTIFIERS_ELSEWHERE,
    SECTIONS,
    SIGNS,
    STATEMENTS,
    WORDS,
)  # fmt: skip


def unfinished_block(stop: Stop) -> Problem | None:
    """A heading without its lines."""
    head = stop.before[0] if stop.before else stop.above
    if stop.wanted != {"_INDENT"} or head is None:
        return None
    inside = "do" if head.text in (*STATEMENTS, "effect") else head.text
    lines = stop.source.text.split("\n")[head.line :]
    below = next((line for line in lines if line.strip()), "")
    hint = stop.like(inside)
    if outside(below, head.column - 1):
        hint = f"write  {' '.join(below.split())}  two spaces further in"
    return stop.problem(f"“{head.text}” begins a block, but no line is indented under it", hint, head)


def deep_line(stop: Stop) -> Problem | None:
    """A line that is indented more than the one above, which heads no block."""
    if not stop.indented or stop.found.text in SECTIONS:
        return None
    if stop.above is not None and stop.above.text in BLOCKS:
        return stop.problem(f"if “{stop.above.text}” has several lines, all of them go under it, including the first",
                            f"write  {stop.above.text}  on a line of its own")  # fmt: skip
    above = next((n for n in range(stop.found.line - 1, 0, -1) if stop.source.line(n).strip()), 1)
    one, other = (indent(stop.source.line(number)) for number in (above, stop.found.line))
    if one % 2 and not other % 2:  # the line above is the one that stands in no column
        first = Word(stop.source.line(above).split()[0], above, one + 1)
        return stop.problem(f"this line is indented by {spaces(one)}, the next line of its block by {other}",
                            f"two spaces for each level: {other} here", first)  # fmt: skip
    return stop.problem("unexpected indentation: the line above does not begin a block",
                        f"two spaces for each level: {one} here" if (other - one) % 2 else
                        "a statement continues after an operator, after a comma and inside brackets")  # fmt: skip


def margin(stop: Stop) -> Problem | None:
    """A problem for a line at the margin that begins no section, or for an indented section; else None."""
    word = stop.found.text
    if stop.before or not word:
        return None
    if stop.found.column > 1:
        if word not in SECTIONS or (word == "end" and not stop.after):
            return None
        if len(stop.after) > 1 and (stop.after[0].text in NAME_GOES_ON or _is_weight(stop.after)):
            return stop.problem(f"“{word}” is reserved at the beginning of a line and cannot be a name there",
                                "choose another name")  # fmt: skip
        return stop.problem(
            f"“{word}” begins a section; a section begins at the left margin", "write it at the left margin"
        )
    if word in SECTIONS:
        return None
    if word in ("//", "%", "--", "/"):
        return stop.problem("a comment begins with #", "for example:  # this is a comment")
    if word in BLOCKS or word in STATEMENTS:
        return stop.problem(f"“{word}” belongs inside a section, two spaces further in than its heading")
    if not word[0].isalpha():
        return None
    return stop.problem(*no_section(word))


def _is_weight(after: Sequence[Word]) -> bool:
    """Does a line of `evaluate` go on so after its name, as in  `20 : ...`?"""
    return after[0].text.isdigit() and after[1].text == ":"


def whole_number(stop: Stop) -> Problem | None:
    """`0.5`."""
    after = stop.after[0] if stop.after else None
    if stop.found.text != "." or after is None or not after.text.isdigit() or after.column != stop.found.end:
        return None
    first = stop.before[-1] if stop.last.isdigit() and stop.before[-1].end == stop.found.column else stop.found
    given = f"{first.text * (first is not stop.found)}.{after.text}"
    number = Word(given, first.line, first.column)
    if stop.block == "evaluate" or stop.head == "evaluate":
        hint = "multiply all weights by the same number: 5 and 10 instead of 0.5 and 1"
        return stop.problem("a weight is an integer", hint, number)
    return stop.problem("numbers are integers", "use smaller units, or divide with //, which rounds down", number)


def name_begins(stop: Stop) -> Problem | None:
    """`2nd`: a name that begins with a digit."""
    word = stop.found
    if not stop.last.isdigit() or not word.text.isidentifier() or stop.before[-1].end != word.column:
        return None
    given = stop.last + word.text
    return stop.problem("names begin with a letter", f"write  {word.text}{stop.last}  for example",
                        Word(given, word.line, stop.before[-1].column))  # fmt: skip


def reach(stop: Stop) -> Problem | None:
    """`reach n from a`."""
    if stop.last != "reach" or stop.wanted == {"from"} or not stop.found.text[:1].isalnum():
        return None
    return stop.problem("expected from after reach; the number of steps cannot be limited",
                        "for example:  reach from c by near", stop.before[-1])  # fmt: skip


STACK_LINES = {
    "push": ("push … onto … puts a value on a stack", "push mover onto pile(to)"),
    "take": ("take … from … onto … moves values to another stack", "take 2 from pile(from) onto pile(to)"),
    "drop": ("drop … from … takes values away", "drop 1 from pile(to)"),
}


def stack(stop: Stop) -> Problem | None:
    """`push x to pile`, `stack of piece` without a height: what is said of a stack, and not to its end."""
    if stop.head in STACK_LINES and stop.last == stop.head and ":=" in stop.wanted and stop.found.text[:1].isalnum():
        message, form = STACK_LINES[stop.head]
        return stop.problem(message, f"for example:  {form}", stop.before[0])
    if stop.head == "take" and "onto" in stop.wanted and stop.says("from"):
        return stop.problem("take … from … needs the stack that the values come to lie on",
                            "write  onto  and a stack, or  drop  instead of  take")  # fmt: skip
    declared = "for example:  pile(cell): stack of player up to 20"
    if stop.wanted >= {"up"} and stop.says("stack"):
        if stop.found.text == "or":
            return stop.problem("what lies on a stack is never none", declared)
        return stop.problem("a stack says how many values it holds at most", declared)
    if stop.last == "stack" and stop.before[:-1] and stop.before[-2].text == ":" and stop.found.text[:1].isalpha():
        if stop.found.text == "of":
            return stop.problem("only a state variable can be a stack", declared, stop.before[-1])
        return stop.problem("what lies on a stack is written after of", declared)
    return None


PAYMENTS = ("pay", "pays", "payoff", "payoffs", "payout")


def payment(stop: Stop) -> Problem | None:
    """`pay 3 when`, `pay Red 2`: what an ending pays, and what an example says of that."""
    words = [word.text for word in stop.before]
    if words[:1] == ["result"] and any(word in PAYMENTS for word in (*words, stop.found.text)):
        return stop.problem("an example says what each player gets", "for example:  result pays White 2, Black -2")
    if words[:1] in (["end"], ["stuck"]):
        words = words[1:]
    elif stop.block not in ("end", "stuck"):
        return None
    unfinished = stop.wanted == {"when"} and not stop.found.text
    if not words or words[0] not in PAYMENTS or unfinished:
        return None
    return stop.problem("pay is followed by the name of a definition that has a number for each player",
                        "for example:  pay gain when …  with  define gain(p: player) = …")  # fmt: skip


def assignment(stop: Stop) -> Problem | None:
    """The wrong one of = and :=."""
    word = stop.found.text
    if ":=" in stop.wanted and word in ("=", ":", "==", "is"):
        return stop.problem("an effect assigns with :=", stop.rewritten(":="))
    if word == ":=" and stop.head in ("define", "option", "type", "let"):
        return stop.problem(f"“{stop.head}” takes =; only effects assign with :=", stop.rewritten("="))
    if word == ":=" and "+" in stop.wanted:
        return stop.problem("a condition compares with =; only effects assign with :=", stop.rewritten("="))
    return None


def reserved(stop: Stop) -> Problem | None:
    """`count > 3`: a word of the language used like a name."""
    forms: dict[str, str] = {
        "some": "some c: cell has at(c) = none", "every": "every c in neighbours(to) has at(c) = none",
        "no": "no c: cell has at(c) = none", "reach": "reach from c by near", "repeated": "draw when repeated 3",
        **{row.name: row.form for row in AGGREGATES.values()},
    }  # fmt: skip
    if stop.last not in forms or not stop.wanted <= {"NAME", "INT", "from"} or len(stop.wanted) != 1:
        return None
    what = "a variable" if stop.wanted == {"NAME"} else expected(stop.wanted)
    return stop.problem(f"expected {what} after “{stop.last}”, which is a reserved word and cannot be a name",
                        f"for example:  {forms[stop.last]}", stop.before[-1])  # fmt: skip


def foreign_sign(stop: Stop) -> Problem | None:
    """A symbol of another language."""
    word = stop.found.text
    following = stop.after[0].text if stop.after else ""
    if word in ("|", "||") and stop.head == "type":
        return stop.problem("the values of a type are separated by commas", stop.like("type"))
    if (word in ("/", "//") and following in ("/", "*")) or (word == "//" and "//" not in stop.wanted):
        return stop.problem("a comment begins with #", "for example:  # this is a comment")
    if ":=" in stop.wanted and (word in ("+=", "-=", "*=", "++", "--")):
        place = stop.source.line(stop.found.line)[: stop.found.column - 1].strip()
        by = "1" if word[-1:] != "=" else " ".join(w.text for w in stop.after)
        return stop.problem("an effect assigns the whole new value", f"write  {place} := {place} {word[0]} {by}")
    if word in (")", "}") and word not in stop.wanted and depth(stop.before) <= 0:
        return stop.problem(
            f'this "{word}" closes a bracket that was never opened', "leave it out, or open a bracket before"
        )
    if word == "[" and stop.last in (")", "}"):
        hint = "use a table with a row for each number; one member of a set is  first x in … where …"
        return stop.problem("a set cannot be indexed", hint)
    if word == "!" and stop.after and _denied_name(stop):
        name = _denied_name(stop)
        return stop.problem(SIGNS[word][1], f"write  {name} = none  if {name} may be none,  not {name}  if it is "
                            "true or false")  # fmt: skip
    if word in SIGNS:
        right, message = SIGNS[word]
        return stop.problem(message, stop.rewritten(right))
    return None


def _denied_name(stop: Stop) -> str:
    """The name, with its arguments, behind `!`, if nothing else follows; otherwise empty."""
    words = stop.after
    if not words[0].text.isidentifier():
        return ""
    end = 1
    if len(words) > 1 and words[1].text == "(":
        end = 1 + next((i for i, level in enumerate(depths(words[1:]), 1) if level == 0), len(words) - 1)
    if end < len(words) and words[end].text not in ("and", "or", "else", "because", ")"):
        return ""
    return stop.source.line(stop.found.line)[words[0].column - 1 : words[end - 1].end - 1]


def foreign_word(stop: Stop) -> Problem | None:
    """A word of another language."""
    if stop.found.text == "is":
        return _is(stop)
    for one in (stop.found, *stop.before[:1], *stop.before[-1:]):
        if one.text in WORDS:
            right, message = WORDS[one.text]
            return stop.problem(message, stop.rewritten(right, one), one)
        if one.text in CLOSERS and len(stop.before) < 2 and not stop.after:
            return stop.problem("blocks have no end keyword: a block ends where its indentation ends", "", one)
    if stop.last == "not" and stop.wanted == {"in"}:
        at = stop.before[-1]
        return stop.problem("“is not equal to” is written !=", stop.rewritten("!=", at), at)
    begins = len(stop.before) == 1 or (len(stop.before) > 1 and stop.before[-2].text in (*JOINTS, "when", "("))
    begins = begins and [word.text for word in stop.before[-2:]] != ["or", "none"]  # as in a type
    meant = QUANTIFIERS_ELSEWHERE.get(stop.last) if begins else None
    if meant and stop.found.text[:1].isalpha():
        at = stop.before[-1]
        if ":=" in stop.wanted:
            return stop.problem("an effect on several things begins with for", stop.rewritten("for", at), at)
        return stop.problem(
            f"“{at.text}” is not a word of the language; write “{meant}”", stop.rewritten(meant, at), at
        )
    return None


def _is(stop: Stop) -> Problem:
    """`at(to) is empty`, `is not White`, `is in corners`."""
    also: dict[Word, str] = {}
    right, rest = "=", stop.after
    if rest and rest[0].text == "not":
        right, also[rest[0]], rest = "!=", "", rest[1:]
    if rest and rest[0].text == "in":
        right = ""
        also = {word: "not" for word in also}
    elif rest and rest[0].text in NOTHING and rest[0].text not in _listed_values(stop.source.text):
        also[rest[0]] = "none"
    message = "“is not equal to” is written !=" if right == "!=" else WORDS["is"][1]
    return stop.problem(
        message if right else "membership is written with in, without is", stop.rewritten(right, None, also)
    )


@lru_cache(maxsize=4)
def _listed_values(text: str) -> frozenset[str]:
    """The words that a text lists as values of its own, under `type` and `state`."""
    lists = (re.split("[:=]", line.split("#")[0], maxsplit=1) for line in text.split("\n"))
    return frozenset(word.strip() for parts in lists for word in parts[-1].split(",") if len(parts) == 2)


def connective(stop: Stop) -> Problem | None:
    """A word or symbol that joins two parts of a phrase, and is missing or another one."""
    word = stop.found.text
    # Before a “to” the parser has taken the value as complete, as in  steps from a to b.
    wanted = stop.wanted | {".."} if word == "to" and "union" in stop.wanted else stop.wanted
    for block, words, right, message in INSTEAD:
        if word in words and right in wanted and block in ("", stop.block, stop.head):
            right = stop.rewritten(right)
            return stop.problem(message, Rewritten(right.line.replace(" .. ", "..")))
    if word == "," and stop.after and stop.after[0].text in ("because", "else"):
        for right, what in (("because", "an ending"), ("else", "a condition")):
            if right in stop.wanted:
                return stop.problem(f"the reason of {what} is written with {right}, without a comma",
                                    stop.rewritten("") if stop.after[0].text == right else "")  # fmt: skip
    if stop.last == "pass" and word == "because":
        return stop.problem("a pass does not end the game: only an outcome has a reason", stop.like("stuck"))
    if stop.head == "players" and word == "and" and stop.after:
        return stop.problem("the players are separated by a comma", f"write  players {stop.last}, {stop.after[0].text}")
    if stop.head == "players" and not word:
        return stop.problem("the names of the players are missing", stop.like("players"))
    if stop.block == "evaluate" and word == ":" and "INT" in stop.wanted:
        return stop.problem("the weight of a term goes before the colon", stop.like("evaluate"))
    if stop.block == "show" and "STRING" in stop.wanted:
        return stop.problem("each value is followed by its glyph, in quotes", stop.like("show"))
    return None


def colon(stop: Stop) -> Problem | None:
    """`when:` and `if x:`."""
    heading = stop.last in BLOCKS or stop.head in (*STATEMENTS, *SECTIONS)
    if stop.found.text != ":" or not heading or {"in", ","} <= stop.wanted:
        return None
    if stop.after and not stop.last.isidentifier():
        return None
    if stop.after:
        return stop.problem(f"“{stop.last}” is not followed by a colon", stop.like(stop.head))
    return stop.problem("a heading has no colon; indent its lines under it", stop.rewritten(""))


def same_line(stop: Stop) -> Problem | None:
    """`when at(to) = none` on one line."""
    if stop.wanted == {"_NL"} and len(stop.before) == 1 and stop.last in BLOCKS:
        return stop.problem(f"“{stop.last}” must be alone on its line; indent its lines under it",
                            stop.like(stop.last))  # fmt: skip
    if stop.found.text == "then" and stop.head in ("if", "else"):
        return stop.problem("the effects of an if are indented under it, without the word then",
                            "only a value can be written on one line:  if … then … else …")  # fmt: skip
    return None


def quotes(stop: Stop) -> Problem | None:
    """A text without quotes, and quotes around what is no text."""
    word = stop.found.text
    if word.startswith('"') and len(word) > 1:
        for joint, what in (("else", "a reason"), ("because", "a reason"), ("as", "the form of a move")):
            if joint in stop.wanted and stop.last != joint:
                return stop.problem(f"{what} must be preceded by {joint}", stop.rewritten(f"{joint} {word}"))
        if {"NAME", "INT"} <= stop.wanted and word[1:-1].isidentifier():
            return stop.problem("a name is written without quotes", stop.rewritten(word[1:-1]))
        if "INT" in stop.wanted and word[1:-1].isdecimal():
            return stop.problem("a number is written without quotes", stop.rewritten(word[1:-1]))
    if stop.wanted == {"STRING"} and word and word not in SIGNS:
        hint = "" if '"' in stop.rest or not stop.last.isalpha() else f'write  {stop.last} "{stop.rest}"'
        return stop.problem('expected a string in "quotes"', hint)
    return None


def quantifier(stop: Stop) -> Problem | None:
    """A quantifier or a fold that is not complete."""
    heads = [word.text for word in stop.before]
    if {"in", ":", ","} <= stop.wanted and not {"+", "="} & stop.wanted:
        return stop.problem(f"“{stop.last}” needs a type or a set",
                            f"for example:  {stop.last}: cell  or  {stop.last} in neighbours(to)")  # fmt: skip
    if stop.found.text == "," and {"where", "has"} & stop.wanted and stop.after and stop.after[0].text.isidentifier():
        name = stop.after[0].text
        if stop.head == "pick":
            return stop.problem("pick chooses one value", "write one line for each value")
        return stop.problem(f"“{name}” needs a type or a set",
                            "for example:  some c: cell, d: direction has at(c + d) = none", stop.after[0])  # fmt: skip
    if "has" in stop.wanted:
        at = next((i for i in reversed(range(len(heads))) if heads[i] in QUANTIFIERS), 0)
        kind = heads[at] if heads[at] in QUANTIFIERS else "every"
        form = f"for example:  {kind} c in neighbours(to) has at(c) = none"
        over = stop.found.text in ("", ")", "}", *JOINTS)
        if over and "where" in heads[at:]:
            where = stop.before[heads.index("where", at)]
            return stop.problem(f"“{kind}” needs has before its condition; where only selects the members",
                                stop.rewritten("has", where), where)  # fmt: skip
        right = stop.rewritten(f"has {stop.found.text}") if stop.found.text[:1].isalpha() and not over else ""
        return stop.problem(f"“{kind}” needs has before its condition", right or form)
    if "of" in stop.wanted and "sum" in heads:
        return stop.problem("sum needs of before the value to add", "for example:  sum c: cell of stones(c)")
    if not stop.found.text and "else" in stop.wanted and "STRING" not in stop.wanted and "then" in heads:
        return stop.problem("an if expression needs an else", "for example:  if at(c) = mover then 1 else 0")
    return None


def bare_if(stop: Stop) -> Problem | None:
    """An `if` within a condition or a sum, where it was taken for a name."""
    if stop.last != "if" or len(stop.before) < 2 or stop.before[-2].text not in (*OPERATORS, "not"):
        return None
    operator = stop.before[-2].text
    hint = f"write  {operator} (if … then … else …)"
    return stop.problem(f"an if expression after “{operator}” needs brackets", hint, stop.before[-1])


def set_(stop: Stop) -> Problem | None:
    """`{edge(north) where …}` without a variable, and `reach from c in …` without braces."""
    texts = [word.text for word in stop.before]
    if stop.found.text == "where" and "}" in stop.wanted and "{" in texts:
        opened = stop.before[len(texts) - 1 - texts[::-1].index("{")]
        inner = stop.source.line(opened.line)[opened.end - 1 : stop.found.column - 1].strip()
        hint = f"write  {{c in {inner} where …}}" if opened.line == stop.found.line and inner else ""
        return stop.problem("a set with a condition needs a variable for its members", hint)
    if stop.found.text in ("in", ":") and {"by", "to"} & stop.wanted and {"reach", "steps"} & {*texts}:
        return stop.problem("a set with a condition is written in braces",
                            "for example:  reach from {c: cell where at(c) = mover} by near")  # fmt: skip
    if stop.found.text == "by" and "to" in stop.wanted and "steps" in texts:
        return stop.problem("steps lead from one cell or set to another", "for example:  steps from a to b by near")
    return None


def chained(stop: Stop) -> Problem | None:
    """`1 <= n <= 3`."""
    word = stop.found.text
    compared = any(one.text in COMPARATORS for one in stop.before)
    if word not in COMPARATORS or word in stop.wanted or not compared or not {"and", "_NL"} & stop.wanted:
        return None
    return stop.problem("a comparison has two sides", "for example:  1 <= n and n <= 3  or  n in 1..3")
