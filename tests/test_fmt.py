"""The formatter: one layout for every text, the same meaning, and nothing lost.

`plain` is a syntax tree without its spans.
"""

import random
import re
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from pysolve.dsl.errors import RulesError, Source
from pysolve.dsl.text.fmt import format_rules
from pysolve.dsl.text.lines import drawing_lines
from pysolve.dsl.text.syntax import parse
from tests.games import each, slow_but
from tests.random_rules import random_rules

HERE = Path(__file__).parent
RULES = sorted([*(HERE.parent / "rules").glob("*.rules"), *(HERE / "rules").glob("*.rules")])

UGLY = """\


# about all
# of it
game    "Ugly"
      author "nobody"
option size=5 in{3,5,7} # a side
option   pile = 10      # stones


option wild=off in {on,off}
players White,Black
board square (size+0) by size
type unit=Peasant,   Baron
table unit strength   price
   Peasant 1 -10
   Baron 12 none
state
    at( cell ) : unit or none
    owner(cell):player or none
    stones (cell): 0 .. 2*pile
    heights( 1..4,player ):-3..3


    step:moving,resting
setup
    for c : cell where column(c)=1 : owner( c ):=White
      # a note at the end of the block

# over the definition
define open(c:cell)=not(owner(c)=opponent)
define low(a,b:cell):int =
        2*column(a) - - 1 +
            (min( -row(b),3 )
            -row(a))
define near(a , b: cell) =  b in neighbours( a )
effect clear (c: cell)
     at(c):=none
move go(from,to:cell)as"{from}-{to}"
     when
        owner(from)=mover else "yours"   # first
        to in reach from from by near or
               (some d in orthogonals has
                     to=from+2*d)
        to!=from     else   "elsewhere"
        # on the demand below
        stones(to)=0 and stones(from)>0 and owner(to)=none and open(to) and step=moving else "a long one"
     do
        clear( to )
        if wild=on
            stones(to) := -1+2
        else if wild = off
               stones(to):=0
        else
            stones(to):=1
        again
     then
        for k in 1..size-1:stones(to):=k
     after
       no c:cell has stones(c)=1 else "never one"
stuck
      draw     # aligned
end            # aligned
      mover wins when(stones(a1)=3)because "three"
evaluate
   material 10:count c:cell where owner(c)=me
   x - 1 : 3
show
   at:Peasant"P"red disc,Baron "B" , none"."
   stones: 0 "",number
example "one"
  size 5
  position White ,step = resting
    .   P3     . . .
    . .   .  . .

    .  .     . . B12
    . . . . .
    . . . . .
  legal   a1-a2 ,b2 - b3
  illegal a1-a1   because   "elsewhere"
  play a1-a2,
    a2-a3
# the end
"""

NEAT = """\
# about all
# of it
game "Ugly"
  author "nobody"

option size = 5 in {3, 5, 7}  # a side
option pile = 10              # stones

option wild = off in {on, off}

players White, Black

board square (size + 0) by size

type unit = Peasant, Baron

table unit  strength  price
  Peasant          1    -10
  Baron           12   none

state
  at(cell): unit or none
  owner(cell): player or none
  stones(cell): 0..2 * pile
  heights(1..4, player): -3..3

  step: moving, resting

setup
  for c: cell where column(c) = 1: owner(c) := White
  # a note at the end of the block

# over the definition
define open(c: cell) = not (owner(c) = opponent)
define low(a, b: cell): int =
  2 * column(a) - -1 +
    (min(-row(b), 3)
    - row(a))
define near(a, b: cell) = b in neighbours(a)

effect clear(c: cell)
  at(c) := none

move go(from, to: cell) as "{from}-{to}"
  when
    owner(from) = mover  else "yours"  # first
    to in reach from from by near or
      (some d in orthogonals has
        to = from + 2 * d)
    to != from           else "elsewhere"
    # on the demand below
    stones(to) = 0 and stones(from) > 0 and owner(to) = none and open(to) and step = moving  else "a long one"
  do
    clear(to)
    if wild = on
      stones(to) := -1 + 2
    else if wild = off
      stones(to) := 0
    else
      stones(to) := 1
    again
  then
    for k in 1..size - 1: stones(to) := k
  after
    no c: cell has stones(c) = 1  else "never one"

stuck
  draw  # aligned

end  # aligned
  mover wins when (stones(a1) = 3)  because "three"

evaluate
  material 10 : count c: cell where owner(c) = me
  x        -1 : 3

show
  at: Peasant "P" red disc, Baron "B", none "."
  stones: 0 "", number

example "one"
  size 5
  position White, step = resting
    . P3 . . .
    . .  . . .

    . .  . . B12
    . .  . . .
    . .  . . .
  legal a1-a2, b2 - b3
  illegal a1-a1 because "elsewhere"
  play a1-a2,
    a2-a3
# the end
"""

HEX = """\
game "Hex"
board hex rhombus 3 by 3
example "slanted"
      position White
             .  . .
            .   # .
           . .   .
      legal a1
"""

NEAT_HEX = """\
game "Hex"

board hex rhombus 3 by 3

example "slanted"
  position White
      . . .
     . # .
    . . .
  legal a1
"""


def plain(node: object) -> object:
    if is_dataclass(node):
        return type(node).__name__, *(
            plain(getattr(node, f.name)) for f in fields(node) if not f.name.endswith("span") and f.name != "source"
        )
    if isinstance(node, tuple) and len(node) > 1 and type(node[0]).__name__ == "Span":
        return plain(node[1:])
    if isinstance(node, str):  # the columns of a drawn row do not matter
        return " ".join(node.split())
    return tuple(plain(item) for item in node) if isinstance(node, tuple) else node


def tree(text: str) -> object:
    return plain(parse(Source("test", text)))


def messy(text: str, seed: int) -> str:
    """The text with other spaces and empty lines; drawings, moves and trailing comments stay as they are."""
    dice = random.Random(seed)
    step = dice.choice([1, 3, 5])
    lines = text.split("\n")
    drawn = drawing_lines(lines)
    found = []
    for i, line in enumerate(lines):
        words = line.strip()
        beside = i > 0 and "#" in words and "#" in lines[i - 1]  # comments that stand in a column
        if i not in drawn and dice.random() < 0.2 and not beside:
            found += [""] * dice.randrange(3)
        keep = i in drawn or "#" in words or words.split(" ")[0] in ("play", "legal", "illegal", "position")
        if not keep:
            parts = re.split(r'("[^"]*")', words)
            words = "".join(part if part.startswith('"') else re.sub(" +", lambda _: " " * dice.choice([1, 1, 3]), part)
                            for part in parts)  # fmt: skip
        indent = len(line) - len(line.lstrip(" "))
        margin = indent + 10 if i in drawn else step * (indent // 2)
        found.append(" " * margin + words + " " * dice.choice([0, 0, 2]) if words else "")
    return "\n".join(found)


def test_an_ugly_text_becomes_neat() -> None:
    assert format_rules(UGLY) == NEAT


def test_a_slanted_drawing_keeps_its_slant() -> None:
    assert format_rules(HEX) == NEAT_HEX


@pytest.mark.parametrize("text", [UGLY, HEX], ids=["ugly", "hex"])
def test_the_meaning_stays(text: str) -> None:
    assert tree(format_rules(text)) == tree(text)


@pytest.mark.parametrize("text", [NEAT, NEAT_HEX, ""], ids=["ugly", "hex", "empty"])
def test_a_neat_text_stays_as_it_is(text: str) -> None:
    assert format_rules(text) == text


@pytest.mark.parametrize("path", each(RULES))
def test_the_games_keep_their_meaning_and_every_comment(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    neat = format_rules(text)
    assert tree(neat) == tree(text)
    assert re.findall("#.*", neat) == re.findall("#.*", text)
    assert format_rules(neat) == neat


def test_a_bracket_that_begins_a_condition_stands_apart() -> None:
    text = """\
show
  at: White "W", none "."
  never (at = none) = (at = White)

example "a bracket"
  holds (at(a1) = none) = (at(a1) != White)
"""
    assert format_rules(text) == text


@pytest.mark.parametrize("seed", slow_but(range(3), range(40)))
def test_random_rules_keep_their_meaning(seed: int) -> None:
    text = random_rules(random.Random(seed))
    neat = format_rules(text)
    assert tree(neat) == tree(text)
    assert format_rules(neat) == neat
    assert tree(messy(text, seed)) == tree(text)


@pytest.mark.parametrize("path", each(RULES))
@pytest.mark.parametrize("seed", slow_but([0], range(3)))
def test_spaces_do_not_matter(path: Path, seed: int) -> None:
    text = path.read_text(encoding="utf-8")
    ugly = messy(text, seed)
    neat = format_rules(ugly)
    assert tree(neat) == tree(text)
    assert format_rules(neat) == neat
    without_gaps = [line for line in neat.split("\n") if line]
    assert without_gaps == [line for line in format_rules(text).split("\n") if line]


def test_a_comment_stays_in_the_block_that_it_ends() -> None:
    text = """\
define f = 3

move go
  do
    n := 1
    # the last word of the move
  # and of the section
# over the next one
stuck draw
"""
    neat = format_rules(text)
    assert neat == text.replace("# over", "\n# over").replace("  # and", "    # and")
    assert format_rules(neat) == neat


def test_windows_line_ends_are_taken() -> None:
    assert format_rules('game "A"\r\nplayers X,  Y\r\n') == 'game "A"\n\nplayers X, Y\n'


def test_what_cannot_be_read_is_refused() -> None:
    with pytest.raises(RulesError, match="does not begin a section"):
        format_rules("gaem 3\n")


def test_lines_that_hold_several_things() -> None:
    text = format_rules(
        'game "G"\nplayers A,B\nboard graph\n  line a1  b1 c1,a1 a2\nstate\n  at(cell): bool\n'
        "move wait\nevaluate  cells 2:count c:cell where at(c) and me=A\n"
    )
    assert "board graph\n  line a1 b1 c1, a1 a2\n" in text
    assert "\nevaluate cells 2 : count c: cell where at(c) and me = A\n" in text
    assert format_rules(text) == text
