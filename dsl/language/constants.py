"""Numbers on which Python and the printed programs agree: each stands here, and nowhere else.

Python imports them.  A program in C begins with them, Prolog has some of them as facts behind its
runtime, and `web/constants.py` writes those that the page needs.
"""

from __future__ import annotations

# ------------------------------------------------------------------------------------------- answers of C

ABI = 8  # how Python and C understand each other
NO_ROOM, MISTAKE, STOPPED, ENDLESS, UNSOUND = -1, -2, -3, -4, -5  # in the place of how many there are
UNSOUND_VALUE = -(2**63)  # in the place of an estimate
OUT_OF_RANGE, NO_VALUE, NO_PICK, ALL_OUT = 1, 2, 3, 4  # what goes wrong in an effect
CUT_BY_STOP, CUT_BY_STEPS = 1, 2  # why a question was not carried out to its end
UNKNOWN = 2  # the result of a game that goes on, where estimates are asked for
BEGINS = -(1 << 30)  # where does a closure begin?  In the place of what lies near

# ------------------------------------------------------------------------------------------------ results

SHARED, RANKED = 1 << 24, 1 << 25  # see dsl.model.payoffs
PLACE_BITS = 3  # of each player in a RANKED result, player 1 lowest
LONGEST_TURN = 64  # moves that are looked at to find out what a turn is worth
MOST_LISTED = 12  # values that a text lists, where there are more than one more

# ---------------------------------------------------------------------------------- lots, of splitmix64

ODD, MIX, MIX_AGAIN = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB

# -------------------------------------------------------------------------------------- what is too small

POSITIONS_ARE_FULL = 2  # the table of a walk over turns
POSITIONS_FULL, EDGES_FULL, MOVES_FULL = 1, 2, 3  # of all positions of a game
TABLE_FULL, WAY_FULL, REPLIES_FULL = 1, 2, 3  # of a proof

# ----------------------------------------------------------------------------------------------- searches

WIN = 1_000_000  # a win now; a win n moves later is worth n less
BACK = 1 - WIN  # a move back to a position that was left before
NOTHING = -1000 * WIN  # less than every value of up to eight players
DEEPEST = 128  # moves that a search looks ahead at most
BEYOND = 4  # moves searched beyond the horizon at most
EXACT, LOWER, UPPER = 0, 1, 2  # what is known of a value: itself, or a bound
HISTORY_BITS = 20  # games whose move codes have more bits have no history
WINDOW = 25  # the smallest half-width of an aspiration window
FEW = 1 << 17  # places of the first table of a search; when half of them are taken, a greater one takes its place
DEEP = 1 << 20  # moves of all positions on the way to a deep one

ONE = 1 << 20  # a win in a tree
FINE = 1 << 10  # the weights `explore` and `bias` are kept in units of 1 / FINE
COUNTED = 10  # counts of more bits are rounded, to be looked up in a table
TREE_DEEPEST = 512  # positions on the way to a leaf
GAME_LONGEST = 1000  # moves after which a random game of a tree counts as a draw

MOST_LOOKED = 1 << 22  # weights of a learned policy for one mover
SHARE_UNIT = 1 << 6  # a move whose weight is so much larger than that of another is e times as likely
UNLIKELY = 1 << 10  # moves whose weight is less than the best by so much, or more, are equally unlikely

VALUE_UNIT = 1 << 10  # of learned values: who has so much is expected to get tanh(1), from -1, a loss, to 1
LINE_UNIT = 1 << 16  # the weights of lines of `evaluate` among them are kept in units of 1 / LINE_UNIT
NET_UNIT = 1 << 11  # what the units of a net say together is divided by this
NET_LANES, NET_WIDEST = 8, 512  # the units are a multiple of the first, as C adds so many at once; at most
MOST_VALUE = WIN // 2  # what learned values say at most
MOST_LINE = 1_000_000  # what a line of `evaluate` says at most where it is part of them
WIDEST = 8  # bytes that select a learned weight together
MOST_PLACES = 4096  # learned weights of a position

EXCHANGED = 1 << 31  # in the number of a position: its image under which players change sides is meant
GOES_ON = 2  # the result of a position in which the game is not over, where all are solved
INFINITE = 1 << 30  # of proof-number search
RISE = 256  # by how much a move rises that decides a position, at first; those tried before it sink by half
TALLIED = 8192  # how high it may stand
ESTIMATED = 8192  # by how much a move stands higher whose estimate is better than others by as much as usual
A_REPLY = 100  # by how much a move stands lower for each move that the opponent has then
MOST_LOST = 1 << 17  # answers that rely on the way to a position, before a search is given up where most do
SLACK = 4  # it stays below a position until that has become worse than the second best by a part of so much

_IN_PROLOG = "SHARED", "RANKED", "PLACE_BITS", "LONGEST_TURN", "MOST_LISTED", "AMOUNTS", "MOST_PAID", "PAID_IN_ALL"
_ALL = {name: value for name, value in list(globals().items()) if name.isupper() and not name.startswith("_")}

# Those of games whose endings say what they pay; the programs of other games do not have them.
AMOUNTS = 1 << 26  # see dsl.model.payoffs: from here on a result holds the payoffs themselves
MISPAID = -1000  # a result from here downwards: what line 0, 1, … pays does not add up to zero
MOST_PAID = 999  # to a player, or by one: so the values of all ends lie above NOTHING
PAID_IN_ALL = 52  # bits of a result that hold payoffs: a page's numbers have one more


def in_c() -> str:
    """The constants as the first lines of a program in C."""
    return "\n".join(f"#define {name} {_in_c(value)}" for name, value in _ALL.items())


def _in_c(value: int) -> str:
    if value >= 1 << 63:
        return f"{value:#x}ULL"
    if value < -(1 << 31):  # no number in C begins with a minus
        return f"({value + 1}LL - 1)"
    return str(value) if value >= 0 else f"({value})"


def in_prolog() -> str:
    """The constants that the runtime in Prolog asks for, as facts: shared(16777216), and so on."""
    return "".join(f"{name.lower()}({globals()[name]}).\n" for name in _IN_PROLOG)
