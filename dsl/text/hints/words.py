"""Words and symbols: those of the language, an example of each phrase, and what other languages write instead."""

from __future__ import annotations

from pysolve.dsl.language.aggregates import AGGREGATES

SECTIONS = ("game", "option", "players", "board", "type", "table", "state", "setup", "define", "effect", "move",
            "chance", "stuck", "end", "evaluate", "level", "show", "mark", "tell", "example", "replace", "remove",
            "rename", "extend")  # fmt: skip
BLOCKS = ("when", "do", "then", "after", "else", "state", "setup", "stuck", "end", "evaluate", "show")
STATEMENTS = ("let", "if", "for", "then", "again", "pick", "repeat", "position")
QUANTIFIERS = ("some", "every", "no")
JOINTS = ("and", "or", "not", "in", "union", "except", "intersect", "has", "where", "of", "else", "because")
EXAMPLE_LINES = ("position", "play", "legal", "illegal", "result", "moves", "holds", "perft")
COMPARATORS = ("=", "!=", "<", "<=", ">", ">=")
NAME_GOES_ON = (*COMPARATORS, "(", ":", ":=", ",")  # what follows a name that begins a line

# Words that a name cannot be: where they stand, the grammar sees the beginning of a phrase.
RESERVED = {*QUANTIFIERS, *(name for name, row in AGGREGATES.items() if row.reserved), *JOINTS, *STATEMENTS,
            "none", "repeated", "set", "when"}  # fmt: skip

VALUE = {"NAME", "INT", "(", "{", "-", "none", "if", "not", "repeated", *QUANTIFIERS, *AGGREGATES,
          "_REACH", "_STEPS", *(name.upper() for name in AGGREGATES if name not in RESERVED)}  # fmt: skip
RARE = {"_STACK", "_PUSH", "_TAKE", "_DROP", "[", "_SEEN"}  # what is said of stacks and secrets: most games have none
OPERATORS = {"=", "!=", "<=", "<", ">=", ">", "+", "-", "*", "//", "%", "^", "..",
              "and", "or", "not", "in", "union", "except", "intersect"}  # fmt: skip
KINDS = {"NAME": "a name", "INT": "a number", "STRING": 'a string in "quotes"', "MOVE": "a move",
          "DRAWN": "a row of the drawing",
          "KIND": "option, type, table, state, define, effect, move, chance, level, mark or tell",
          "_ALL": "all where …", "_INDENT": "an indented line", "_NL": "the end of the line"}  # fmt: skip

# One example of each phrase, by the word that heads it or the block in which it stands.
FORMS = {
    "game": 'game "My game"',
    "option": "option size = 6 in {4, 6, 8}",
    "players": "players White, Black",
    "board": "board square 8 by 8",
    "type": "type piece = King, Queen, Pawn",
    "table": "table piece value price",
    "state": "at(cell): player or none",
    "setup": "at(a1) := White",
    "define": "define free(c: cell) = at(c) = none",
    "effect": "effect capture(c: cell)",
    "move": 'move place(to: cell) as "{to}"',
    "chance": 'chance roll(die: 1..6) as "{die}"',
    "weight": "weight 2",
    "when": 'at(to) = none  else "the cell is taken"',
    "prefer": 'prefer most 1 else "another turn captures more"',
    "after": 'not attacked(mover)  else "your king would be in check"',
    "do": "at(to) := mover",
    "then": "at(to) := mover",
    "else": "at(to) := mover",
    "let": "let n = stones(from)",
    "if": "if at(to) = none",
    "for": "for c in neighbours(to): at(c) := none",
    "pick": "pick c: cell where at(c) = none",
    "repeat": "repeat 3 times",
    "stuck": "pass  or  mover loses  or  draw",
    "end": "mover wins when no c: cell has at(c) = opponent",
    "evaluate": "material 10 : count c: cell where at(c) = me",
    "level": 'level easy "minimax:depth=1"',
    "show": 'at: White "W" white disc, Black "B" black disc, none "."',
    "example": "legal a1, b2",
    "position": "position White",
    "legal": "legal a1, b2",
    "illegal": 'illegal a1 because "the cell is taken"',
    "result": "result White wins",
    "holds": "holds at(a1) = none",
    "perft": "perft 1 = 9, 2 = 72",
    "replace": "replace define free(c: cell) = at(c) = none",
    "extend": 'extend move capture, and under it  when at(to) != none  else "…"',
    "remove": "remove move capture",
    "rename": "rename White as Attackers",
    "mark": 'mark threatened red "can be captured"',
    "tell": 'tell income "the income"',
}
HEADINGS = {"example": 'example "the first move"'}  # of sections whose FORMS are the lines under them
BOARDS = {"square": "board square 8 by 8", "cylinder": "board cylinder 8 by 8", "torus": "board torus 9 by 9",
          "rhombus": "board hex rhombus 11 by 11", "hexagon": "board hex hexagon 5",
          "triangle": "board hex triangle 9", "star": "board hex star 4"}  # fmt: skip

# What other languages write: what is written here instead, and the sentence that says so.
SIGNS = {
    **dict.fromkeys(("==", "==="), ("=", "equality is written with a single =")),
    **dict.fromkeys(("<>", "/=", "=/=", "~=", "=!", "≠"), ("!=", "“is not equal to” is written !=")),
    **dict.fromkeys(("=<", "≤"), ("<=", "“at most” is written <=")),
    **dict.fromkeys(("=>", "≥"), (">=", "“at least” is written >=")),
    **dict.fromkeys(("&&", "&"), ("and", "conditions are joined with and")),
    **dict.fromkeys(("||", "|"), ("or", "conditions are joined with or")),
    "!": ("not", "a condition is negated with not"),
    "/": ("//", "integers are divided with //, which rounds down"),
    "**": ("^", "a power is written ^"),
    "×": ("*", "a product is written *"),
    **dict.fromkeys(("–", "—", "−"), ("-", "this is a dash; minus is written -")),
    **dict.fromkeys(("...", "…"), ("..", "a range is written with two dots")),
    ";": ("", "a line does not end with a semicolon"),
    "[": ("(", "arguments are written in round brackets"),
    "]": (")", "arguments are written in round brackets"),
    **dict.fromkeys("'‘’`“”„«»", ('"', 'strings use straight double quotes, "…"')),
}  # fmt: skip
WORDS = {
    **dict.fromkeys(("elif", "elseif", "elsif"), ("else if", "the second condition of an if is written else if")),
    **dict.fromkeys(("is", "equals"), ("=", "equality is written =")),
    **dict.fromkeys(("isnt", "isn"), ("!=", "“is not equal to” is written !=")),
    "return": ("", "a definition has no return; write its value after ="),
}  # fmt: skip
# Words that stand where another is wanted: the block ("" for any), these words, the one that is meant, and why.
INSTEAD = (
    ("end", ("if", "where", ":", "while"), "when", "the condition of an ending is written after when"),
    ("end", ("else", "since", "reason"), "because", "the reason of an ending is written after because"),
    ("stuck", ("else", "since", "reason"), "because", "the reason of an outcome is written after because"),
    ("when", ("because", "since", "reason"), "else", "the reason of a condition is written after else"),
    ("after", ("because", "since", "reason"), "else", "the reason of a condition is written after else"),
    ("", ("with", "using", "via", "through"), "by", "the step of reach is written after by"),
    ("", ("to",), "..", "a range is written with two dots"),
    ("", ("won", "win", "winner"), "wins", "expected wins or loses after the player"),
    ("", ("lost", "lose"), "loses", "expected wins or loses after the player"),
)
NOTHING = ("empty", "nobody", "nothing", "null", "nil", "vacant", "unoccupied")  # said of what is none
DRAWS = ("nobody", "none", "no", "nothing", "tie", "tied", "drawn", "remis", "even", "equal")
CLOSERS = ("endif", "endfor", "endwhen", "enddo", "done", "fi", "end")
HEXES = ("hexagon", "rhombus", "triangle", "star")
BEGINNINGS = {*QUANTIFIERS, *AGGREGATES, "if", "not", "reach", "{"}  # of a value, and never of a type
QUANTIFIERS_ELSEWHERE = {
    **dict.fromkeys(("all", "forall", "each", "foreach"), "every"),
    **dict.fromkeys(("any", "exists", "exist"), "some"),
    **dict.fromkeys(("none", "never"), "no"),
}
SECTIONS_ELSEWHERE = {
    **dict.fromkeys(("def", "function", "func", "fun", "predicate"), "define"),
    **dict.fromkeys(("action", "rule", "turn"), "move"),
    **dict.fromkeys(("win", "goal", "over", "terminal"), "end"),
    **dict.fromkeys(("init", "initial", "start"), "setup"),
    **dict.fromkeys(("var", "vars", "variables", "fields"), "state"),
    **dict.fromkeys(("const", "constant", "parameter", "param"), "option"),
    **dict.fromkeys(("enum", "class"), "type"),
    **dict.fromkeys(("grid", "map"), "board"),
    **dict.fromkeys(("draw", "display"), "show"),
    "test": "example",
}
# Words of what this language does not have, and what is said of them in every section.
SECRETS = ("hidden", "secret", "private", "information", "visible", "observe")
LOTS = ("dice", "die", "roll", "random", "lot", "lots", "shuffle", "deal")
WHO_SEES = "who sees a value is said behind its type:  hand(p: player): 0..9 seen by p"
BY_CHANCE = 'what nobody chooses is a section:  chance roll(die: 1..6) as "{die}"; setup draws lots with pick'
# Sections that other languages have and this one does not: what is settled instead.
SECTIONS_LACKING = {
    **dict.fromkeys(SECRETS, WHO_SEES),
    **dict.fromkeys(
        ("hand", "hands", "deck", "cards", "card", "bag", "pool", "stock"),
        "keep it in the state, as in  state  holder(card): player or none",
    ),
    **dict.fromkeys(LOTS, BY_CHANCE),
    **dict.fromkeys(
        ("score", "scores", "points", "payoff", "payoffs"),
        "define points(p: player) = …  and write  most points when …  or  pay points when …  under end",
    ),
    **dict.fromkeys(
        ("phase", "phases", "step", "steps", "round", "rounds"),
        "keep the phase in the state, as in  state  step: placing, moving  and test it under when",
    ),
    **dict.fromkeys(
        ("import", "include", "use", "extends"), 'a game extends another one in its first line:  game "…" extends "…"'
    ),
}
