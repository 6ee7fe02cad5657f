"""What players know of a game with secrets: for searches and for whoever checks that a game keeps them.

What a player has noticed since the beginning is a sequence of bytes, his *information*: first his view of the initial
state, then for each step what he notices of it.  Two histories have equal information exactly if the player cannot
tell them apart, though he forgets nothing (perfect recall).

    known = first(engine, state, player)
    known += observe(engine, before, move, after, player)      # for every step, chance and the moves of others, too

What is noticed of a step is the text of the move, as this player reads it, and his view of the state after it:

    the mover reads the text of the move (`as`); so do all others, and of moves of chance everybody, unless the
    move has a text for them (`seen as`), which they read then
    where that text is empty, who sees no change in his view notices nothing, not even that there was a move

Players are numbered from 1, as the mover is, who is the first byte of a state.  At a node of chance (`Node.weights` is
not None) that player chooses nothing.  The moves that a player can choose from are known to that player alone: the
information of the mover tells which they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pysolve.dsl.model import Game, Slot
from pysolve.dsl.notation import blank, differences, move_text, seen_text, visible
from pysolve.engines.protocol import Engine, Move, State, View

Step = tuple[State, Move]  # a state, and the move that is made in it
END = b"\xff"  # of the text of a move; UTF-8 has no such byte


def first(engine: Engine, state: State, player: int) -> bytes:
    """The information of a player, from 1, before the first move: his view of the initial state."""
    return engine.view(state, player)


def observe(engine: Engine, before: State, move: Move, after: State, player: int) -> bytes:
    """What a player, from 1, notices of a legal move that leads from one state to another; may be empty."""
    game = engine.game
    text = read(game, move, before[0] == player and move[0] not in game.chances)
    view = engine.view(after, player)
    if not text and view == engine.view(before, player):
        return b""
    return text.encode() + END + view


def read(game: Game, move: Move, own: bool) -> str:
    """The text of a move as its player reads it, or as others do."""
    return move_text(game, move) if own else seen_text(game, move)


def information(engine: Engine, steps: Sequence[Step], now: State, player: int) -> bytes:
    """The information of a player, from 1, after a history: each state with the move made in it; then the state now."""
    known = first(engine, steps[0][0] if steps else now, player)
    return known + b"".join(observe(engine, *step, player) for step in _with_ends(steps, now))


def in_words(game: Game, known: bytes) -> str:
    """The information of a player as text, which is equal exactly where the information is.

    First what the player sees of the initial state; then for each step that he notices who makes it, its text as he
    reads it, and below it what changes in his view.
    """
    slots = [game.slots["mover"], *visible(game)]
    lines = []
    for text, view, before in noticed(game, known):
        lines += [f"{game.players.label(before[0])}: {text}".rstrip()] if before[0] else []
        facts = _changes(game, slots, view, before)
        lines += [f"  {', '.join(facts)}"] if facts else []
    return "\n".join(lines)


def in_brief(game: Game, known: bytes) -> str:
    """The same on one line, for people who know the game: what was played, and what was seen of secret states alone."""
    slots = [slot for slot in visible(game) if slot.seen]
    parts = []
    for text, view, before in noticed(game, known):
        facts = ", ".join(fact for fact in _changes(game, slots, view, before) if not fact.endswith("?"))
        parts.append(f"{text} ({facts})" if text and facts else text or facts)
    return ", ".join(filter(None, parts))


def noticed(game: Game, known: bytes) -> Iterator[tuple[str, View, View]]:
    """The text of each step that was noticed, and the view after it and before it; first the view of the beginning."""
    view, at = known[: game.size], game.size
    yield "", view, bytes([0]) + blank(game)[1:]
    while at < len(known):
        end = known.index(END, at) + len(END)
        text, after = known[at : end - len(END)].decode(), known[end : end + game.size]
        yield text, after, view
        view, at = after, end + game.size


def _with_ends(steps: Sequence[Step], now: State) -> Iterator[tuple[State, Move, State]]:
    """The steps of a history, each with the state that it leads to."""
    after = [*(state for state, _ in steps[1:]), now]
    return ((before, move, end) for (before, move), end in zip(steps, after, strict=False))


def _changes(game: Game, slots: Sequence[Slot], view: View, before: View) -> list[str]:
    """What has changed between two views of some states."""
    return [fact for slot in slots for fact in differences(game, slot, view, before)]
