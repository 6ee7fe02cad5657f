"""Slips in the sentences of one section: one adviser for each."""

from __future__ import annotations

import re

from pysolve.dsl.errors import Problem, choices, nearest
from pysolve.dsl.text.hints.stop import Rewritten, Stop, Word, depth, depths
from pysolve.dsl.text.hints.words import (
    BEGINNINGS,
    BOARDS,
    BY_CHANCE,
    COMPARATORS,
    DRAWS,
    EXAMPLE_LINES,
    HEXES,
    LOTS,
    SECRETS,
    STATEMENTS,
    WHO_SEES,
)


def board(stop: Stop) -> Problem | None:
    """A board whose form or second side is missing."""
    if stop.head != "board" or not stop.before:
        return None
    word, following = stop.found.text, stop.after[0].text if stop.after else ""
    two = "by" in [one.text for one in stop.after]
    if stop.last == "board" and word in (*HEXES, "hexagonal"):
        form = "rhombus" if two else word if word in ("triangle", "star") else "hexagon"
        right = stop.rewritten("hex" if following in HEXES else f"hex {form}")
        shown = right if following and (two or word != "rhombus") else f"for example:  {BOARDS.get(word, BOARDS[form])}"
        return stop.problem("a board of hexagons needs the word hex first", shown)
    if "by" in stop.wanted and word[:1] in ("x", "X", "×", ","):
        return stop.problem("the sides of a board are joined with by", stop.rewritten(f" by {word[1:]} "))
    if "by" in stop.wanted and not word:
        line = stop.source.line(stop.found.line)[: stop.before[-1].end - 1]
        side = re.split(f"{'|'.join(BOARDS)}", line)[-1].strip()
        return stop.problem("the second side of the board is missing", f"write  {line.strip()} by {side}")
    if {"square", "hexagon"} & stop.wanted and (word.isdigit() or following == "by"):
        form = "square" if stop.last == "board" else "rhombus" if following == "by" else "hexagon"
        sides = stop.rest if following or form == "hexagon" else f"{word} by {word}"
        given = " ".join(one.text for one in stop.before)
        return stop.problem(f"the form of the board is missing: {choices(sorted(stop.wanted))}",
                            f"write  {given} {form} {sides}")  # fmt: skip
    return None


def parameters(stop: Stop) -> Problem | None:
    """A parameter whose type is a set: `c: {a1, b2}`, `c: neighbours(to)`, `n: range(8)`."""
    if stop.head not in ("move", "chance", "define", "effect") or depth(stop.before) != 1 or stop.says("="):
        return None
    levels = depths(stop.before)
    begins = (i for i, (word, level) in enumerate(zip(stop.before, levels, strict=True))
              if level == 1 and word.text in ("(", ","))  # fmt: skip
    opened = max(begins, default=0)
    words = stop.before[opened + 1 :]
    if not words:
        return None
    name, typed = words[0].text, len(words) > 2 and words[1].text == ":" and ".." in stop.wanted
    if not (typed and stop.found.text in (")", ",") and len(words) > 3):
        return None
    if words[2].text == "range":
        hint = f"a range is written with two dots:  {name}: 0..7"
    elif stop.head in ("move", "chance"):
        hint = f"write  {name} in …"
    else:
        hint = f"write  {name}: cell  here and  {name} in …  in a condition"
    return stop.problem("a set is not a type", hint, words[2])


def definition(stop: Stop) -> Problem | None:
    """A definition without =, or with a value as other languages write it."""
    if stop.head != "define" or not stop.before:
        return None
    word, texts = stop.found.text, [one.text for one in stop.before]
    level = [i for i, text in enumerate(texts) if text in (":", "=") and depth(stop.before[:i]) == 0]
    if level and texts[level[0]] == ":" and {*texts[level[0] + 1 : level[0] + 2]} & BEGINNINGS:
        colon = stop.before[level[0]]
        return stop.problem("the value of a definition is written after =", stop.rewritten(" =", colon), colon)
    if {":", "="} <= stop.wanted and word and word not in ("=", "==", ":="):
        return stop.problem("the value of a definition is written after =", stop.rewritten(f"= {word}"))
    level = [i for i in level if texts[i] == "="]
    if word == "?" and level:
        return stop.problem("a conditional value is written if … then … else …", _chosen(stop, stop.before[level[0]]))
    if word == ":" and level and level[-1] == len(texts) - 2:
        return stop.problem("a word such as first, some or count is missing before the variable",
                            stop.rewritten(f"first {texts[-1]}", stop.before[-1]))  # fmt: skip
    return None


def _chosen(stop: Stop, equals: Word) -> str:
    """`x = a ? b : c` as it is written here."""
    line = stop.source.line(stop.found.line)
    test, (then, colon, otherwise) = line[equals.end - 1 : stop.found.column - 1], stop.rest[1:].partition(":")
    if equals.line != stop.found.line or not colon or "?" in otherwise:
        return "for example:  if at(c) = mover then 1 else 0"
    return f"write  {line[: equals.end - 1].strip()} if {test.strip()} then {then.strip()} else {otherwise.strip()}"


def state(stop: Stop) -> Problem | None:
    """A state without its colon, with its initial value, or with a word for what is hidden."""
    word = stop.found.text
    if word in SECRETS and not stop.block and stop.head == "state":  # the only line, beside its heading
        return stop.problem(f"“{word}” is not a word of the language", WHO_SEES)
    if stop.block != "state" or not stop.before:
        return None
    if word in ("=", ":=") and "_NL" in stop.wanted:
        value, name = stop.rest[len(word) :].strip(), stop.before[0].text
        inside = [one.text for one in stop.before[1:4]]
        if "(" not in inside:
            return stop.problem("an initial value is assigned under setup", f"write  {name} := {value}  under setup")
        hint = f"write  for x: {inside[1]}: {name}(x) := {value}  under setup" if inside[2] == ")" else ""
        return stop.problem("initial values are assigned under setup", hint)
    if word == "seen":
        return stop.problem("after “seen by” comes who sees it", "for example:  hand(p: player): 0..9 seen by p")
    begun = [stop.before[0]] if {":", "("} <= stop.wanted else []
    if lacking := next((one for one in (stop.found, *begun) if one.text in SECRETS), None):
        return stop.problem(f"“{lacking.text}” is not a word of the language", WHO_SEES, lacking)
    if {":", "("} <= stop.wanted and word == ",":
        return stop.problem(
            "each state variable has a line of its own", f"write  {stop.last}: 0..9  and the next one below it"
        )
    if {":", "("} <= stop.wanted and word:
        hint = stop.rewritten(f"{stop.last}:", stop.before[-1]) if depth(stop.after) == 0 else ""
        return stop.problem("a state variable and its type are separated by a colon", hint)
    return None


def demand(stop: Stop) -> Problem | None:
    """A problem for a line under `when` or `after` that is written like an effect or a list; None for any other."""
    if stop.block not in ("when", "after"):
        return None
    if stop.block == "after" and stop.head == "let" and len(stop.before) == 1:
        return stop.problem("“let” is allowed under when and do, not under after",
                            "repeat the value, or name it with define", stop.before[0])  # fmt: skip
    if stop.head == "for" and len(stop.before) == 1:
        return stop.problem("a condition on several things begins with every, some or no",
                            "for example:  every c in neighbours(to) has at(c) = none", stop.before[0])  # fmt: skip
    if stop.found.text == "," and depth(stop.before) == 0 and "else" in stop.wanted:
        first, second = stop.source.line(stop.found.line)[: stop.found.column - 1], stop.rest[1:]
        return stop.problem("each condition is on its own line, without a comma",
                            f"write  {' '.join(first.split())}  and under it  {' '.join(second.split())}")  # fmt: skip
    return None


def chance(stop: Stop) -> Problem | None:
    """`weight` under a move; `after`, `prefer`, or a condition behind the weight, under chance."""
    word = stop.found.text
    if stop.block == "move" and word == "weight":
        return stop.problem("a player chooses moves: they have no weight", "write  chance  instead of  move  if nobody "
                            "chooses")  # fmt: skip
    if stop.block == "chance" and word in ("after", "prefer"):
        return stop.problem(f"nobody chooses what is left to chance: it has no “{word}”",
                            "write all conditions under when; weight says how likely it is")  # fmt: skip
    if stop.block == "chance" and word in ("when", "weight"):
        return stop.problem(f"“{word}” comes too late", "the order is  when, weight, do, then")
    return None


def paragraph(stop: Stop) -> Problem | None:
    """`about` where no paragraph stands: behind what a move demands and does, or in another section."""
    if stop.found.text != "about" or stop.before or not stop.after or not stop.after[0].text.startswith('"'):
        return None
    if stop.block == "move":
        return stop.problem("a paragraph about a move stands at its beginning",
                            "put the line  about \"…\"  right under the line that begins with  move")  # fmt: skip
    return stop.problem("paragraphs stand under game, option and move",
                        "put the line  about \"…\"  under game")  # fmt: skip


def effect(stop: Stop) -> Problem | None:
    """`roll n in 1..6`; `then again` and `again if …` on one line."""
    word = stop.found
    if stop.block in (*STATEMENTS, "do", "effect") and stop.last in LOTS:
        return stop.problem(f"“{stop.last}” is not a word of the language", BY_CHANCE, stop.before[-1])
    if word.text in ("then", "else") and "_NL" in stop.wanted and stop.after and stop.before and (
        stop.before[-1].line < word.line and stop.block not in ("when", "after", "end", "stuck")):  # fmt: skip
        return stop.problem(f"“{word.text}” must be alone on its line; indent its lines under it",
                            f"write  {stop.rest[len(word.text) :].strip()}  on a line of its own, "
                            f"two spaces further in than “{word.text}”")  # fmt: skip
    if stop.last == "again" and stop.wanted == {"_NL"}:
        test = stop.rest[len(word.text) :].strip()
        hint = f"write  if {test}  and “again” under it, two spaces further in"
        return stop.problem(
            "“again” must be alone on its line", hint if word.text in ("if", "when") else "write  again"
        )
    return None


def example(stop: Stop) -> Problem | None:
    """A line of an example that begins with another word, or whose parts are joined with symbols."""
    if stop.block != "example" or not stop.before:
        return None
    head, word = stop.before[0], stop.found.text
    if word in ("=", ":", ":=") and stop.last == head.text:
        return stop.problem("the two are separated only by a space", stop.rewritten(""))
    if head.text not in EXAMPLE_LINES:
        meant = nearest(head.text, EXAMPLE_LINES)
        if meant:
            return stop.problem(f'"{head.text}" does not begin a line of an example', meant, head)
        if word == "(" or word in COMPARATORS:
            return stop.problem("a condition on the position is written after holds",
                                f"write  holds {' '.join(stop.source.line(head.line).split())}", head)  # fmt: skip
        return stop.problem(f'"{word}" is not expected here; an option is set by its name and its value'
                            if word else "the value of the option is missing", "for example:  size 6")  # fmt: skip
    if head.text == "result" and "wins" in stop.wanted and len(stop.before) > 1:
        who = stop.before[1]
        if who.text.lower() in DRAWS:
            return stop.problem("a game without a winner is a draw", "write  result draw", who)
        if not word:
            name = "White" if who.text in ("mover", "opponent") else who.text
            return stop.problem("expected wins or loses after the player", f"write  result {name} wins")
    return None


def table(stop: Stop) -> Problem | None:
    """A row of a table with commas."""
    if stop.block != "table" or stop.found.text != ",":
        return None
    words = [word.text for word in (*stop.before, *stop.after) if word.text != ","]
    return stop.problem("the entries of a row are separated by spaces", f"write  {' '.join(words)}")


def values(stop: Stop) -> Problem | None:
    """A list of numbers where names are listed: `type piece = 0000, 0001`."""
    if stop.found.text != "," or ".." not in stop.wanted or not stop.last.isdigit():
        return None
    sign = "=" if stop.head == "type" else ":"
    line = stop.source.line(stop.found.line)
    if not (stop.head == "type" or stop.block == "state") or sign not in line or not stop.says(sign):
        return None
    texts = [word.text for word in (*stop.before, *stop.after)]
    given = [text for text in texts[len(texts) - texts[::-1].index(sign) :] if text != ","]
    numbers = [int(text) for text in given if text.isdecimal() and len(text) < 10]
    begun = line[: line.index(sign) + 1].strip()
    ascending = list(map(str, range(numbers[0], numbers[-1] + 1))) if len(numbers) > 1 else []
    if given == ascending:
        return stop.problem("numbers are written as a range", Rewritten(f"{begun} {numbers[0]}..{numbers[-1]}"),
                            stop.before[-1])  # fmt: skip
    named = ", ".join(text if text[0].isalpha() else f"n{text}" for text in given)
    return stop.problem("values are names, and names begin with a letter", Rewritten(f"{begun} {named}"),
                        stop.before[-1])  # fmt: skip
