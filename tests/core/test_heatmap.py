"""Ranges of the colours."""

from __future__ import annotations

import numpy as np
import pytest

from askew.heatmap import pattern_limits, symmetric_limits


def test_limits_of_differences_have_zero_in_the_middle_and_leave_nothing_out() -> None:
    assert symmetric_limits(np.array([[-0.1, 0.6]])) == (-0.6, 0.6)
    assert symmetric_limits(np.array([[-0.1, 0.2]]), np.array([[-3.0]])) == (-3.0, 3.0)


@pytest.mark.parametrize("values", [np.zeros((2, 2)), np.full((2, 2), np.nan), np.zeros((0, 0))])
def test_maps_with_nothing_to_show_still_have_a_range(values: np.ndarray) -> None:
    assert symmetric_limits(values) == (-1.0, 1.0)
    assert pattern_limits(values, "map") == (0.0, 1.0)


def test_no_value_and_infinity_have_no_part_in_a_range() -> None:
    assert symmetric_limits(np.array([[np.nan, -0.5], [np.inf, 0.25]])) == (-0.5, 0.5)
    assert pattern_limits(np.array([[np.nan, 0.5]]), "map") == (0.0, 0.5)


def test_patterns_are_shown_from_zero_to_one_unless_stretched() -> None:
    even = np.full((3, 3), 0.25)
    assert pattern_limits(even, "fixed") == (0.0, 1.0)
    assert pattern_limits(even, "row") == (0.0, 1.0)
    assert pattern_limits(even, "map") == (0.0, 0.25)
