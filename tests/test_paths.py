"""Paths that authors draw: what they become, and what no number makes of them."""

import math

import pytest

from pysolve.dsl.language.paths import PathError, strokes


def test_an_arc_ends_where_it_says() -> None:
    (quarter,) = strokes("M1 0A1 1 0 0 1 0 1")
    assert quarter.start == (1, 0)
    assert [step[-1] for step in quarter.steps] == [(0, 1)]
    (one, other, _), *_ = quarter.steps
    assert one == pytest.approx((1, 4 / 3 * math.tan(math.pi / 8)))
    assert other == pytest.approx((4 / 3 * math.tan(math.pi / 8), 1))


@pytest.mark.parametrize("radius", ["0", "0." + 300 * "0" + "1", "-0." + 150 * "0" + "1"])
def test_an_arc_without_a_radius_is_a_line(radius: str) -> None:
    (line,) = strokes(f"M3 3A{radius} 5 0 0 1 10 10")
    assert line.steps == (((10, 10),),)


def test_digits_of_other_scripts_are_no_numbers() -> None:
    with pytest.raises(PathError, match="M is followed by 2 numbers"):
        strokes("M٣ 3L4 4")
