"""A checked game as one C file: its tables and functions, between the parts of the runtime.

The file includes nothing, calls nothing from outside, writes no globals and takes no memory: it can be compiled by any
C compiler, in memory too.  Names of the author appear only inside names of functions and variables.
"""

from __future__ import annotations

from pysolve.dsl.analysis.costs import takes_very_long
from pysolve.dsl.analysis.sampling import draws_by_rank
from pysolve.dsl.gc_pause import gc_paused
from pysolve.dsl.language.constants import AMOUNTS, MISPAID, in_c
from pysolve.dsl.model import UNSEEN, Body, Game
from pysolve.dsl.model.move_codes import Codes, TooLarge, move_codes
from pysolve.dsl.model.payoffs import paid_bits
from pysolve.dsl.model.properties import writes_mover
from pysolve.dsl.passes import prepared
from pysolve.dsl.passes.unordered import unordered
from pysolve.dsl.to_c.memo import memo_struct
from pysolve.dsl.to_c.program import Program, set_sizes
from pysolve.dsl.to_c.reasons import (
    only_shown,
    sets_of_claims,
    write_question_of_shown,
    write_questions,
    write_reasons,
    write_shown,
)
from pysolve.dsl.to_c.runtime import (
    AHEAD,
    ANSWERING,
    BEFORE,
    HERE,
    LEARNING,
    MANY_GAMES,
    PLAYING,
    SECRETS,
    SOLVING,
    STACKS,
    TEACHING,
    runtime,
)
from pysolve.dsl.to_c.sampling import Draws
from pysolve.dsl.to_c.tables import Tables
from pysolve.dsl.to_c.text import Writer

__all__ = ["TooLarge", "print_c", "print_games", "print_learning", "print_prepared", "print_reasons", "print_regrets",
           "print_shown", "print_teaching"]  # fmt: skip

SETS = "DEFINE_SET({0})"


def print_c(game: Game, sets: bool = True) -> str:
    """The C of a game.  Raises `TooLarge` for one whose tables do not fit.

    With `sets` places are chosen by bits, and choices are written out: longer, and faster where a compiler optimizes.
    """
    return _program(game, sets, _parts(game))


def print_games(game: Game) -> str:
    """The C that plays many games at once, in arrays; the rules are printed as `print_c` prints them, with sets."""
    return _program(game, True, MANY_GAMES)


def _program(game: Game, sets: bool, parts: tuple[str, ...]) -> str:
    try:
        with gc_paused():
            if sets:
                return _printed(game, *unordered(prepared(game)), sets, parts)
            return print_prepared(game, game, parts)
    except RecursionError:  # a step stands inside the one before it
        raise TooLarge("a rule has too many steps inside each other") from None


def _parts(game: Game) -> tuple[str, ...]:
    """The parts of the runtime in the program that plays one game at a time."""
    return PLAYING + SOLVING + SECRETS * any(slot.seen for slot in game.slots.values())


def print_learning(game: Game) -> str:
    """The C that learns values of a game by playing it against itself; the rules are printed as for `print_games`."""
    return _program(game, True, LEARNING)


def print_teaching(game: Game) -> str:
    """The C that plays games by search and learns values from what the searches find out."""
    return _program(game, True, TEACHING)


def print_regrets() -> str:
    """The C that computes the regrets of a tree, the same for all games."""
    return f"{in_c()}\n{(HERE / 'regrets.c').read_text(encoding='utf-8')}"


def print_prepared(game: Game, ready: Game, parts: tuple[str, ...] | None = None) -> str:
    """The C of a game that has gone through some passes, or through none, without sets."""
    bodies = {action.name: action.body for action in ready.actions}
    return _printed(game, ready, bodies, False, _parts(game) if parts is None else parts)


def print_reasons(game: Game) -> str:
    """The C that says of a move which demands hold, and of a position what examples claim; steps are counted."""
    with gc_paused():
        tables, out, codes = Tables(), Writer(bounded=True), _codes(game)
        program = Program(game, out, tables, codes, False, {action.name: action.body for action in game.actions})
        program.write()
        write_reasons(program)
        with out.apart() as questions:
            write_questions(program)
        tables.sets |= sets_of_claims(game)
        behind = "\n".join(questions) + "\n"
        return "\n".join([*_before(program, out.text(), "BY_LIST", 0), runtime(PLAYING, game), behind])


def print_shown(game: Game) -> str:
    """The C that finds what a board shows beside the state; steps are counted.  It has no moves, but where it must."""
    with gc_paused():
        small = only_shown(game)
        if small is None:
            return print_reasons(game)
        game = small
        tables, out = Tables(), Writer(bounded=True)
        program = Program(game, out, tables, _codes(game), False, {})
        for rule in game.rules.values():
            program.rule(rule)
        write_shown(program)
        with out.apart() as questions:
            write_question_of_shown(program, ("s.w[WORDS - 1] = 0;", "copy(s.b, in, SIZE);"))
        tables.sets |= sets_of_claims(game)
        behind = "\n".join(questions) + "\n"
        return "\n".join([*_before(program, out.text(), "BY_LIST", 0), runtime(ANSWERING, game), behind])


def _printed(game: Game, ready: Game, free: dict[str, Body], sets: bool, parts: tuple[str, ...]) -> str:
    """The C of a game: of the bodies that it has when it is `ready`, and of `free` ones where order does not matter.

    `parts` of the runtime stand behind them.
    """
    tables, out, codes = Tables(), Writer(bounded=takes_very_long(game)), _codes(game)
    program = Program(ready, out, tables, codes, sets, free, game)
    program.write()
    draws = Draws(program)
    way = draws.write(draws_by_rank(game))
    before = _before(program, out.text(), way, draws.words if way == "BY_SET" else 0)
    return "\n".join([*before, runtime(parts, game)])


def _codes(game: Game) -> Codes:
    codes = move_codes(game)
    if codes.bits > 63:
        raise TooLarge("a move has too many parameters for a number of 64 bits")
    return codes


def _before(program: Program, rules: str, way: str, words: int) -> list[str]:
    """The C text before the runtime, for random games that draw in one `way`, perhaps from a set of so many `words`."""
    game, tables, codes = program.game, program.tables, program.codes
    kept = game.slots.get("again")
    comes_back = game.out is not None or len(game.players.labels) == 1  # may every turn, to the same player?
    again = [comes_back or any(writes_mover(part) for part in action.rounds) for action in game.actions]
    passes = -1 if game.stuck is not None else len(game.actions)
    constants = [
        f"#define SIZE {game.size}",
        *_players(game),
        f"#define MOVE_BITS {codes.bits}",
        f"#define KIND_SHIFT {codes.kind_shift}",
        f"#define PASSES {int(passes >= 0)}",
        f"#define PASS_KIND {max(passes, 0)}",
        f"#define KEPT {kept.offset if kept else -1}",
        f"#define MAY_FAIL {int(program.out.may_fail)}",
        f"#define DEMANDS {int(program.demands)}",  # is something demanded of positions after moves?
        f"#define TAKES {program.takes}",  # do moves take men (1), and are those found without finding all moves (2)?
        f"#define PACKED {program.packed}",
        f"#define SPARE {program.spare}",
        f"#define BOUNDED {int(program.out.bounded)}",  # are steps counted?
        f"#define SAYS_AGAIN {', '.join(str(int(one)) for one in [*again, comes_back])}",  # which kinds may keep it?
        f"#define ONE_MOVE {int(not any(again))}",  # is each turn one move?
        f"#define DRAWS {way}",  # how random games find a move
        f"#define SINGLE {words}",  # words of the set that has all moves
        f"#define REPEATS {int(game.repeats)}",
        f"#define IGNORED {_ranges(game.ignored)}",
        *([f"#define LINES {len(game.terms)}"] if len(game.players.labels) == 2 and not game.pays else []),
        f"#define MEN {_ranges(game.men)}",
        f"#define FIELDS {_fields(game)}",
        *([f"#define UNSEEN {UNSEEN}"] if any(slot.seen for slot in game.slots.values()) else []),
    ]
    return [
        in_c(),
        *constants,
        runtime(BEFORE, game),
        *([runtime(STACKS, game)] if any(slot.stack for slot in game.slots.values()) else []),
        *([runtime(AHEAD, game)] if program.preferring else []),
        *(SETS.format(words) for words in sorted((set_sizes(game) | tables.sets) - {1})),
        *tables.lines,
        memo_struct(program.kept),
        *program.heads(),
        rules,
    ]


def _players(game: Game) -> list[str]:
    """The lines that define the number of players; none for two who alternate, which the other text assumes."""
    count = len(game.players.labels)
    seats = [f"#define SEATS {count}", f"#define UNIT {game.payoff_unit}"] * (not game.alternating)
    payments = [f"#define AMOUNTS {AMOUNTS}", f"#define MISPAID ({MISPAID})", f"#define PAID_BITS {paid_bits(count)}"]
    return [f"#define PLAYERS {count}"] * (count != 2) + seats + payments * game.pays


def _fields(game: Game) -> str:
    """Rows of a table in C: for each state variable its bytes, how many make a value, and its numbers."""
    rows = [(slot.offset, slot.offset + slot.count * slot.width, slot.width, slot.stored[0], slot.stored[-1])
            for slot in game.slots.values()]  # fmt: skip
    return "".join(f"{{{', '.join(map(str, row))}}}, " for row in rows)


def _ranges(parts: tuple[range, ...]) -> str:
    """Rows of a table in C: where each part begins and ends."""
    return "".join(f"{{{part.start}, {part.stop}}}, " for part in parts)
