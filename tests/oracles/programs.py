"""The programs that the five games came with, as their fact sheets describe them.

In: a position of the oracle of a game.  Out: the index of the move that a program plays; the indices of all best ones
where it draws lots; how good the best end of a turn is.  A finished game is won or lost, whatever the program's score
of it: here the sheets say nothing, or what one of them says (a win of Zola's easy program is no better than its score)
is not followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from tests.oracles import antiyomacy, blockade, conga, yoxii, zola

Position = dict[str, Any]

# ---------------------------------------------------------------------------------------------------- Zola


def zola_score(position: Position, player: str, size: int) -> int:
    """How far from the centre the checkers of a player stand, less those of the enemy, in hundredths."""
    total = 0
    for cell, owner in position["state"]["at"].items():
        if owner:
            far = round(50 * zola.distance(cell, size) ** 0.5 * 9 / size)
            total += far if owner == player else -far
    return total


def zola_easy(position: Position, size: int) -> int:
    """One ply: the first of the moves after which the score is the largest."""
    scores = [zola_won(after, position["mover"], size) for _, _, after in zola.moves(position, size)]
    return scores.index(max(scores))


def zola_hard(position: Position, size: int) -> int:
    """Two plies: the last of the moves after which the worst reply is the best; no reply at all counts most."""
    scores = []
    for _, _, after in zola.moves(position, size):
        replies = [move for move in zola.moves(after, size) if move[0] != "pass"]
        worst = min((zola_won(reply, position["mover"], size) for _, _, reply in replies), default=100_000)
        scores.append(worst)
    return max(range(len(scores)), key=lambda place: (scores[place], place))


def zola_won(position: Position, player: str, size: int) -> int:
    """The score, but for a finished game, which is won or lost."""
    ended = zola.outcome(position, size)
    if ended:
        return 100_000 if ended["winner"] == player else -100_000
    return zola_score(position, player, size)


# --------------------------------------------------------------------------------------------------- Conga

Piles = tuple[int, ...]  # of 4 by 4 cells, row by row from the lower left: Black's above 0, White's below
CONGA_CELLS = conga.cells(4)
CONGA_WON = 1_000_000


def conga_original(position: Position, depth: int = 5) -> int:
    """Alpha-beta for the player to move: the first of the best moves."""
    owner, stones = position["state"]["owner"], position["state"]["stones"]
    side = 1 if position["mover"] == "Black" else -1
    piles = tuple(stones[cell] * {"Black": 1, "White": -1, None: 0}[owner[cell]] for cell in CONGA_CELLS)
    values, floor = [], -2 * CONGA_WON
    for after in conga_moves(piles, side):
        values.append(conga_value(after, -side, side, depth - 1, floor, 2 * CONGA_WON))
        floor = max(floor, values[-1])
    return values.index(max(values))


def conga_value(piles: Piles, mover: int, own: int, depth: int, floor: int, ceiling: int) -> int:
    """What a position is worth to the own side, as far as it lies between floor and ceiling."""
    if not depth:
        if next(conga_moves(piles, mover), None) is None:
            return CONGA_WON if mover != own else -CONGA_WON
        return conga_score(piles, own)
    best = None
    for after in conga_moves(piles, mover):
        value = conga_value(after, -mover, own, depth - 1, floor, ceiling)
        if best is None or (value > best if mover == own else value < best):
            best = value
        if mover == own:
            floor = max(floor, best)
        else:
            ceiling = min(ceiling, best)
        if floor >= ceiling:
            break
    if best is None:
        return CONGA_WON + depth if mover != own else -CONGA_WON - depth
    return best


def conga_score(piles: Piles, own: int) -> int:
    """Moves of the own side less those of the other; for each neighbour of the other side's squares 1 or -1."""
    total = 0
    for here, pile in enumerate(piles):
        for line in conga_lines(here):
            near = piles[line[0]]
            if pile * own > 0:
                total += near * own >= 0
            elif pile * own < 0:
                total += (1 if near * own > 0 else -1) - (near * own <= 0)
    return total


def conga_moves(piles: Piles, mover: int) -> Iterator[Piles]:
    """The positions after the legal moves, in the order of the oracle."""
    for here, pile in enumerate(piles):
        if pile * mover <= 0:
            continue
        for line in conga_lines(here):
            if piles[line[0]] * mover < 0:
                continue
            after, hand = list(piles), abs(pile)
            after[here] = 0
            open_ = [line[0]]
            for there in line[1:3]:
                if piles[there] * mover < 0:
                    break
                open_.append(there)
            for number, there in enumerate(open_, 1):
                sown = hand if number == len(open_) else min(number, hand)
                after[there] += sown * mover
                hand -= sown
            yield tuple(after)


@cache
def conga_lines(here: int) -> list[list[int]]:
    """The cells beyond one in each of the directions in which there are some, clockwise from north."""
    x, y = here % 4, here // 4
    found = []
    for dx, dy in conga.DIRECTIONS.values():
        cells = [(x + dx * k, y + dy * k) for k in (1, 2, 3)]
        line = [a + 4 * b for a, b in cells if 0 <= a < 4 and 0 <= b < 4]
        if line:
            found.append(line)
    return found


# --------------------------------------------------------------------------------------------------- Yoxii


def yoxii_original(position: Position) -> tuple[int, int]:
    """Level 2: for each move of the token the best placement, and then the opponent's best answer.

    In: a position in which the token is to move.  Out: the places of both moves of the turn.
    """
    mover, enemy = position["mover"], yoxii.ENEMY[position["mover"]]
    tried = []
    for place, (_, shift, moved) in enumerate(yoxii.moves(position)):
        placement, after = yoxii_placement(moved)
        answered = after if yoxii.outcome(after) else yoxii_answer(after)
        ended = yoxii.outcome(answered)
        if ended:
            value = {mover: 1000, enemy: -1000, None: 0}[ended["winner"]]
        else:
            value = yoxii.score(answered, mover)[0] - yoxii.score(answered, enemy)[0]
        tried.append(((value, *downwards(shift["to"])), place, placement))
    _, place, placement = max(tried)
    return place, placement


def yoxii_placement(position: Position) -> tuple[int, Position]:
    """The placement with the most own points: its place, and the position after it.

    Of equal ones it is the last: the greatest value, then the lowest line, then the column farthest right.
    """
    mover, tried = position["mover"], []
    for place, (_, params, after) in enumerate(yoxii.moves(position)):
        tried.append(((yoxii_points(after, mover), params["v"], *downwards(params["to"])), place, after))
    _, place, after = max(tried, key=lambda one: one[0])
    return place, after


def yoxii_answer(position: Position) -> Position:
    """The position after the turn with the most own points; of equal ones the one whose token goes lowest."""
    mover, tried = position["mover"], []
    for _, params, moved in yoxii.moves(position):
        _, after = yoxii_placement(moved)
        tried.append(((yoxii_points(after, mover), *downwards(params["to"])), after))
    return max(tried, key=lambda one: one[0])[1]


def yoxii_points(position: Position, player: str) -> int:
    """A player's points; if the game is over, they count for nothing beside who has won."""
    ended = yoxii.outcome(position) if position["state"]["step"] == "shifting" else None
    if ended:
        return {player: 1000, yoxii.ENEMY[player]: -1000, None: 0}[ended["winner"]]
    return yoxii.score(position, player)[0]


def downwards(cell: str) -> tuple[int, int]:
    """The order of the seed's lines and columns: the last is the lowest, and in it the one at the right."""
    return -int(cell[1]), ord(cell[0])


# ---------------------------------------------------------------------------------------------- Antiyomacy

ANTIYOMACY_WON = 99_999.0


def antiyomacy_best(position: Position, turns: int) -> set[int]:
    """Alpha-beta over whole turns: the places of all moves that are the first of a best turn."""
    mover = position["mover"]
    values = []
    for _, _, after in antiyomacy.moves(position):
        floor = max(values, default=-2 * ANTIYOMACY_WON) - 1e-6  # what is equal to the best is found out exactly
        values.append(antiyomacy_value(after, mover, turns, floor, 2 * ANTIYOMACY_WON))
    best = max(values)
    return {place for place, value in enumerate(values) if abs(value - best) < 1e-6}


def antiyomacy_value(position: Position, mover: str, turns: int, floor: float, ceiling: float) -> float:
    """What a position is worth to the player whose turn began, who may be still at it; turns count from his."""
    if position["mover"] != mover:
        if turns == 1 or antiyomacy.outcome(position):
            return antiyomacy_end(position, mover, turns - 1)
        return -antiyomacy_value(position, position["mover"], turns - 1, -ceiling, -floor)
    best = -2 * ANTIYOMACY_WON
    for _, _, after in antiyomacy.moves(position):
        best = max(best, antiyomacy_value(after, mover, turns, max(floor, best), ceiling))
        if best >= ceiling:
            break
    return best


def antiyomacy_end(position: Position, player: str, left: int) -> float:
    """The value at the end of a game, sooner being better, or of the search, for a player."""
    ended = antiyomacy.outcome(position)
    if ended:
        return (ANTIYOMACY_WON + left) * (1 if ended["winner"] == player else -1)
    value = antiyomacy.score(position)
    return value if player == "Blue" else -value


# ------------------------------------------------------------------------------------------------ Blockade


def blockade_best(position: Position, backwards: bool, **options: Any) -> tuple[float, Callable[[Position], float]]:
    """The most points that the Offence can have at the end of its turn; and what it has in a position.

    All orders and steps are tried, each position once; without `backwards` no piece goes to a higher row.
    """
    met, todo, most = {blockade.key(position)}, [position], float("-inf")
    while todo:
        for _, params, after in blockade.moves(todo.pop(), **options):
            rows = [blockade.place(params.get(end, params["from"]))[1] for end in ("from", "to")]
            if (not backwards and rows[1] > rows[0]) or blockade.key(after) in met:
                continue
            met.add(blockade.key(after))
            if after["mover"] != position["mover"] or blockade.outcome(after, **options):
                most = max(most, blockade_score(after, **options))
            else:
                todo.append(after)
    return most, lambda after: blockade_score(after, **options)


def blockade_score(position: Position, **options: Any) -> float:
    """The points of the sheet, a touchdown above all."""
    return 99_999_999.0 if blockade.outcome(position, **options) else blockade.score(position)
