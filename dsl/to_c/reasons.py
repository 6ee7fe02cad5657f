"""What `why` and the examples ask, as C: each demand on a move by itself, and each claim of an example.

In: a game.  Out: the C of its rules with two questions more.  It is printed and compiled for a machine without Prolog,
which otherwise answers them; so a game that is played has nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dsl.model import Action, Body, Demand, Game, SetSort, body_vars
from dsl.to_c.body import BodyPrinter
from dsl.to_c.program import Program
from dsl.to_c.scope import set_words
from dsl.to_c.text import identifier
from dsl.to_c.value import parameter

PARTS = ("when", "after")  # as `ps_demand` counts them
HEAD = """
/* Does a demand on a move hold?  `part` 0 is when, 1 is after; `number` its place there, from 0. */
EXPORT I ps_demand(Control *c, const u8 *in, Move move, I part, I number)"""
CLAIM = """
/* Does what an example says of a position hold? */
EXPORT I ps_claim(Control *c, const u8 *in, I number)"""


def write_reasons(program: Program) -> None:
    """The functions behind `ps_demand` and `ps_claim`, each for one demand."""
    for action in program.game.actions:
        for part, demands in zip(PARTS, (action.demands, action.after), strict=True):
            for number, demand in enumerate(demands):
                with program.out.block(f"static int {_name(action, part, number)}({program.parameters(action)})"):
                    _answer(program, action, part, demand)
    for number, claim in enumerate(program.game.claims):
        with program.out.block(f"static int claim_{number}({program.state})"):
            printer = program.printer()
            program.out.line(f"return {printer.condition(claim.body)};")


def _answer(program: Program, action: Action, part: str, demand: Demand) -> None:
    if part == "after":
        printer: BodyPrinter = program.after_state(action)
    else:
        printer = program.printer()
        printer.names = {param: parameter(i) for i, param in enumerate(action.params)}
    program.out.line(f"return {printer.condition(demand.body)};")


def _name(action: Action, part: str, number: int) -> str:
    return f"demand_{identifier(action.name)}_{part}_{number}"


def write_questions(program: Program) -> None:
    """`ps_demand` and `ps_claim`, which stand behind the runtime."""

    def demands() -> None:
        cases: list[tuple[str, str]] = []
        for kind, action in enumerate(program.game.actions):
            given = "".join(f", {place}" for place in program.decoded(kind))
            for part, found in zip(PARTS, (action.demands, action.after), strict=True):
                for number, _ in enumerate(found):
                    test = f"(move >> KIND_SHIFT) == {kind} && part == {PARTS.index(part)} && number == {number}"
                    cases.append((test, f"{_name(action, part, number)}(s.b, s.b[0] MEMO(&k) BOUND(c){given})"))
        _cases(program, cases)

    def claims() -> None:
        numbers = range(len(program.game.claims))
        _cases(program, [(f"number == {n}", f"claim_{n}(s.b, s.b[0] MEMO(&k) BOUND(c))") for n in numbers])

    for head, answers in ((HEAD, demands), (CLAIM, claims)):
        _question(program, head, answers)


def _question(program: Program, head: str, answers: Callable[[], None]) -> None:
    with program.out.block(head):
        for line in ("State s;", "take(&s, in);", "NEW_MEMO(k);"):
            program.out.line(line)
        answers()
        program.out.line("(void)c;")
        program.out.line("return 0;")


def _cases(program: Program, cases: Sequence[tuple[str, str]]) -> None:
    for test, call in cases:
        program.out.line(f"if ({test}) return {call};")


def sets_of_claims(game: Game) -> set[int]:
    """How many words the sets have that only examples mention."""
    bodies: list[Body] = [claim.body for claim in game.claims]
    return {set_words(var.sort) for body in bodies for var in body_vars(body) if isinstance(var.sort, SetSort)}
