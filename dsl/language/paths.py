"""Paths as SVG writes them: what an author draws.

In: the text of a path.  Out: its strokes, as lines and curves between points, or what is wrong with it and where.
Every command becomes a line, a quadratic or a cubic curve: whoever draws can move, turn and stretch the points.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain
from math import atan2, ceil, cos, hypot, pi, radians, sin, sqrt, tan

from pysolve.dsl.frozen import frozen

LONGEST = 2_000  # characters of a path
MOST_COMMANDS = 200
FARTHEST = 2_000  # of a coordinate from 0: a board has fewer columns
LEAST_RADIUS = 1e-6  # of an arc; one with a smaller radius is a line, as SVG has it for 0

Point = tuple[float, float]
Steps = tuple[tuple[Point, ...], ...]

_COMMAND = re.compile(r"[\s,]*([A-Za-z])")
_NUMBER = re.compile(r"[\s,]*([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))")
_FLAG = re.compile(r"[\s,]*([01])")
_REST = re.compile(r"[\s,]*")
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}  # numbers behind a command


class PathError(ValueError):
    """What is wrong with a path, and at which character, from 0."""

    def __init__(self, message: str, at: int, hint: str = ""):
        super().__init__(message)
        self.at, self.hint = at, hint


@frozen
class Stroke:
    """A stretch of a path without a gap: each step has the points of a line, a quadratic or a cubic curve: 1, 2 or 3.

    The last point of a step is where it ends.
    """

    start: Point
    steps: Steps
    closed: bool

    @property
    def points(self) -> Iterator[Point]:
        """All points, also those that only bend a curve: it lies between them."""
        return chain((self.start,), *self.steps)

    @property
    def ends(self) -> Iterator[Point]:
        """The points that lie on it."""
        return chain((self.start,), (step[-1] for step in self.steps))


Strokes = tuple[Stroke, ...]


def written(strokes: Strokes, place: Callable[[Point], str]) -> str:
    """Strokes as SVG writes them; `place` writes a point where it lies in the picture."""
    return "".join(
        "".join([
            "M" + place(one.start),
            *("LQC"[len(step) - 1] + " ".join(map(place, step)) for step in one.steps),
            "Z" if one.closed else "",
        ])
        for one in strokes
    )  # fmt: skip


def strokes(text: str) -> Strokes:
    """The strokes of a path; raises `PathError`."""
    if len(text) > LONGEST:
        raise PathError(f"a path has at most {LONGEST:,} characters; this one has {len(text):,}", LONGEST)
    pen = _Pen()
    for count, (command, numbers, at) in enumerate(_commands(text), 1):
        if count > MOST_COMMANDS:
            raise PathError(f"a path has at most {MOST_COMMANDS} commands", at)
        pen.draw(command, numbers)
        if max(map(abs, pen.at)) > FARTHEST or any(abs(number) > FARTHEST for number in numbers):
            raise PathError(f"a coordinate of a path is at most {FARTHEST:,}", at)
    return pen.lift()


def _commands(text: str) -> Iterator[tuple[str, list[float], int]]:
    """Each command with its numbers and its place; one whose numbers go on is repeated."""
    at = 0
    while (at := _end(_REST, text, at)) < len(text):
        found = _COMMAND.match(text, at)
        if found is None:
            raise PathError("a path begins with a command", at, "for example:  M4 4H20V20H4Z")
        command, begin = found[1], found.start(1)
        if command.upper() not in _TAKES:
            raise PathError(f'a path has no command "{command}"', begin, f"commands are {' '.join(_TAKES)}")
        if begin == _end(_REST, text, 0) and command.upper() != "M":
            raise PathError("a path begins with M", begin, "for example:  M4 4H20V20H4Z")
        at, takes = found.end(), _TAKES[command.upper()]
        while True:
            numbers, end = _numbers(text, at, takes, command)
            yield command, numbers, begin
            at = end
            if not takes or _NUMBER.match(text, at) is None:
                break
            command = {"M": "L", "m": "l"}.get(command, command)  # a place behind M is the end of a line


def _numbers(text: str, at: int, takes: int, command: str) -> tuple[list[float], int]:
    found: list[float] = []
    while len(found) < takes:
        is_flag = command in "Aa" and len(found) in (3, 4)
        number = (_FLAG if is_flag else _NUMBER).match(text, at)
        if number is None:
            what = "0 or 1" if is_flag else "number" if takes == 1 else f"{takes} numbers"
            begin = min(_end(_REST, text, at), max(0, len(text) - 1))
            raise PathError(f"{command} is followed by {what if is_flag or takes > 1 else f'a {what}'}", begin)
        found.append(float(number[1]))
        at = number.end()
    return found, at


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return at if found is None else found.end()


class _Pen:
    """Follows the commands of a path."""

    def __init__(self) -> None:
        self.at: Point = (0.0, 0.0)
        self._start: Point = (0.0, 0.0)
        self._steps: list[tuple[Point, ...]] = []
        self._bend: tuple[str, Point] = ("", (0.0, 0.0))  # the kind of the last curve, and the point that bends its end
        self._found: list[Stroke] = []

    def lift(self, closed: bool = False) -> Strokes:
        """Ends the stroke; all strokes so far."""
        if self._steps:
            self._found.append(Stroke(self._start, tuple(self._steps), closed))
        self._steps = []
        return tuple(self._found)

    def draw(self, command: str, numbers: list[float]) -> None:
        kind = command.upper()
        x, y = self.at
        ox, oy = self.at if command != kind else (0.0, 0.0)  # whence the numbers count
        bend, self._bend = self._bend, ("", self.at)
        if kind == "Z":
            self.lift(closed=True)
            self.at = self._start
            return
        if kind in "HV":
            points = [(ox + numbers[0], y) if kind == "H" else (x, oy + numbers[0])]
        elif kind == "A":
            points = [(ox + numbers[5], oy + numbers[6])]
        else:
            points = [(ox + dx, oy + dy) for dx, dy in zip(numbers[::2], numbers[1::2], strict=True)]
        if kind == "M":
            self.lift()
            self._start = self.at = points[0]
            return
        if not self._steps:
            self._start = self.at
        if kind in "ST":  # its first bend mirrors that of the curve before, if that is one of its kind
            like, mirrored = "C" if kind == "S" else "Q", bend[1]
            points.insert(0, (2 * x - mirrored[0], 2 * y - mirrored[1]) if bend[0] == like else self.at)
            kind = like
        if kind in "CQ":
            self._bend = (kind, points[-2])
        self._steps += _arc(self.at, numbers, points[0]) if kind == "A" else [tuple(points)]
        self.at = points[-1]


def _arc(start: Point, numbers: list[float], end: Point) -> Iterator[tuple[Point, ...]]:
    """An arc of an ellipse as cubic curves of at most a quarter each, as the implementation notes of SVG have it."""
    rx, ry, turn = abs(numbers[0]), abs(numbers[1]), radians(numbers[2])
    large, sweep = bool(numbers[3]), bool(numbers[4])
    dx, dy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    if min(rx, ry) < LEAST_RADIUS or (dx, dy) == (0.0, 0.0):
        yield (end,)
        return
    px, py = cos(turn) * dx + sin(turn) * dy, cos(turn) * dy - sin(turn) * dx
    grow = hypot(px / rx, py / ry)
    rx, ry = rx * max(1.0, grow), ry * max(1.0, grow)
    rest = max(0.0, 1 / ((px / rx) ** 2 + (py / ry) ** 2) - 1)
    side = sqrt(rest) * (-1 if large == sweep else 1)
    mx, my = side * rx * py / ry, -side * ry * px / rx  # the middle, where the ellipse lies straight
    first = atan2((py - my) / ry, (px - mx) / rx)
    across = atan2((-py - my) / ry, (-px - mx) / rx) - first
    if (across < 0) == sweep:  # it goes the other way round
        across += 2 * pi if sweep else -2 * pi
    cx = cos(turn) * mx - sin(turn) * my + (start[0] + end[0]) / 2
    cy = sin(turn) * mx + cos(turn) * my + (start[1] + end[1]) / 2

    def point(x: float, y: float) -> Point:
        x, y = rx * x, ry * y
        return cx + cos(turn) * x - sin(turn) * y, cy + sin(turn) * x + cos(turn) * y

    count = max(1, ceil(abs(across) / (pi / 2) - 1e-9))
    step = across / count
    reach = 4 / 3 * tan(step / 4)
    for number in range(count):
        one, two = first + step * number, first + step * (number + 1)
        yield (
            point(cos(one) - reach * sin(one), sin(one) + reach * cos(one)),
            point(cos(two) + reach * sin(two), sin(two) - reach * cos(two)),
            end if number == count - 1 else point(cos(two), sin(two)),
        )
