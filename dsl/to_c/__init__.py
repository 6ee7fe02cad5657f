"""A checked game as one C file: its tables and functions, between the parts of the runtime.

The file includes nothing, calls nothing from outside, writes no globals and takes no memory: it can be compiled by any
C compiler, in memory too.  Names of the author appear only inside names of functions and variables.
"""

from __future__ import annotations

from pathlib import Path

from dsl.codes import TooLarge, move_codes
from dsl.draws import draws_by_rank
from dsl.garbage import collecting_later
from dsl.model import Game
from dsl.to_c.draws import Draws
from dsl.to_c.memo import kept_rules, memo_struct
from dsl.to_c.prepare import prepared
from dsl.to_c.program import Program, set_sizes
from dsl.to_c.tables import Tables
from dsl.to_c.text import Writer

__all__ = ["TooLarge", "print_c"]

HERE = Path(__file__).parent
SETS = "DEFINE_SET({0})"


def print_c(game: Game, sets: bool = True) -> str:
    """The C of a game.  Raises `TooLarge` for one whose tables do not fit.

    With `sets` places are chosen by bits, and choices are written out: longer, and faster where a compiler optimizes.
    """
    with collecting_later():
        return _printed(game, sets)


def _printed(game: Game, sets: bool) -> str:
    tables, out, codes = Tables(), Writer(), move_codes(game)
    if codes.bits > 63:
        raise TooLarge("a move has too many parameters for a number of 64 bits")
    by_rank = draws_by_rank(game)
    free = {action.name: action.body for action in game.actions}
    if sets:
        game, free = prepared(game, kept_rules(game))
    program = Program(game, out, tables, codes, sets, free)
    program.write()
    draws = Draws(program)
    way = draws.write(by_rank)
    kept = game.slots.get("again")
    passes = -1 if game.stuck is not None else len(game.actions)
    constants = [
        f"#define SIZE {game.size}",
        f"#define MOVE_BITS {codes.bits}",
        f"#define KIND_SHIFT {codes.kind_shift}",
        f"#define PASSES {int(passes >= 0)}",
        f"#define PASS_KIND {max(passes, 0)}",
        f"#define KEPT {kept.offset if kept else -1}",
        f"#define MAY_FAIL {int('fail(e' in out.text())}",  # may an effect break the ranges of the rules?
        f"#define PACKED {program.packed}",
        f"#define DRAWS {way}",  # how random games find a move
        f"#define SINGLE {draws.words if way == 'BY_SET' else 0}",  # words of the set that has all moves
        f"#define REPEATS {int(any(ending.repeated is not None for ending in game.endings))}",
        f"#define IGNORED {_ranges(game.ignored)}",
        f"#define MEN {_ranges(game.men)}",
    ]
    parts = [
        *constants,
        (HERE / "before.c").read_text(encoding="utf-8"),
        *(SETS.format(words) for words in sorted((set_sizes(game) | tables.sets) - {1})),
        *tables.lines,
        memo_struct(program.kept),
        *program.heads(),
        out.text(),
        (HERE / "runtime.c").read_text(encoding="utf-8"),
        (HERE / "solve.c").read_text(encoding="utf-8"),
    ]
    return "\n".join(parts)


def _ranges(parts: tuple[range, ...]) -> str:
    """Rows of a table in C: where each part begins and ends."""
    return "".join(f"{{{part.start}, {part.stop}}}, " for part in parts)
