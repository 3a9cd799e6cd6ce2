"""Normalization of the token vectors, by hand and by law."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from askew.normalize import NORMALIZATIONS, layer, unchanged, unit

if TYPE_CHECKING:
    from askew.arrays import Float64

ROWS = hnp.arrays(np.float32, (4, 3), elements=st.floats(-1e3, 1e3, width=32)).map(lambda x: x.astype(float))


def test_none_changes_nothing() -> None:
    rows = np.array([[1.0, 2.0]])
    assert unchanged(rows) is rows
    assert list(NORMALIZATIONS) == ["none", "unit", "layer"]


def test_unit_by_hand_and_a_row_of_zeros_stays_zero() -> None:
    rows = unit(np.array([[3.0, 4.0], [0.0, 0.0]]))
    assert rows == pytest.approx(np.array([[0.6, 0.8], [0.0, 0.0]]), abs=1e-15)
    assert not rows[1].any()


def test_layer_uses_the_population_variance_and_an_epsilon_of_a_hundred_thousandth() -> None:
    rows = layer(np.array([[1.0, 3.0], [5.0, 5.0]]))
    assert rows[0] == pytest.approx(np.array([-1, 1]) / math.sqrt(1 + 1e-5), abs=1e-15)
    assert rows[1].tolist() == [0, 0]


@given(ROWS)
def test_rows_come_out_with_the_length_that_is_promised(rows: Float64) -> None:
    lengths = np.linalg.norm(unit(rows), axis=1)
    assert lengths == pytest.approx(rows.any(axis=1).astype(float), abs=1e-14)
    variance = rows.var(axis=1)
    assert layer(rows).mean(axis=1) == pytest.approx(np.zeros(4), abs=1e-9)
    assert layer(rows).var(axis=1) == pytest.approx(variance / (variance + 1e-5), abs=1e-12)
