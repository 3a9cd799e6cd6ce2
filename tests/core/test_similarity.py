"""Raw similarity: dot and cosine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from askew.similarity import cosine, cosines, dot

if TYPE_CHECKING:
    from askew.arrays import Float64

ROWS = hnp.arrays(np.float32, (4, 3), elements=st.floats(-1e3, 1e3, width=32)).map(lambda x: x.astype(float))


def test_dot_by_hand() -> None:
    x = np.array([[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]], np.float32)
    assert dot(x).tolist() == [[1, 1], [1, 2]]


def test_the_cosine_of_a_vector_with_itself_is_exactly_one_in_float32() -> None:
    rows = np.stack([np.arange(84), np.arange(84)[::-1], np.arange(84) - 80]).astype(np.float32)
    values = cosine(rows)
    assert np.diagonal(values.astype(np.float32)).tolist() == [1.0, 1.0, 1.0]
    assert values.max() <= 1.0
    assert np.degrees(np.arccos(values.astype(np.float32)))[0, 0] == 0.0


def test_an_obtuse_angle_has_a_negative_cosine() -> None:
    values = cosine(np.array([[1.0, 0.0], [-1.0, 1.0], [-2.0, 0.0]]))
    assert values[0, 1] == pytest.approx(-np.sqrt(0.5), abs=1e-15)
    assert values[0, 2] == -1.0


def test_the_cosine_of_a_vector_of_zeros_is_undefined() -> None:
    values = cosine(np.array([[1.0, 2.0], [0.0, 0.0]]))
    assert values[0, 0] == pytest.approx(1.0, abs=1e-15)
    assert np.isnan(values[1]).all()
    assert np.isnan(values[:, 1]).all()


@pytest.mark.parametrize("size", [1e-38, 1e-20, 1e20, 3e38])
def test_very_short_and_very_long_vectors_have_cosines(size: float) -> None:
    rows = (np.array([[1.0, 0.0], [0.6, 0.8]]) * size).astype(np.float32)
    assert cosine(rows) == pytest.approx(np.array([[1.0, 0.6], [0.6, 1.0]]), abs=1e-6)


@given(ROWS, ROWS)
def test_cosines_stay_between_minus_one_and_one(a: Float64, b: Float64) -> None:
    values = cosines(a, b)
    assert not (np.abs(values) > 1).any()
    zeros = np.logical_or.outer(np.all(a == 0, axis=1), np.all(b == 0, axis=1))
    assert np.array_equal(np.isnan(values), zeros)


@given(ROWS)
def test_raw_similarity_is_exactly_symmetric(x: Float64) -> None:
    for similarity in (dot, cosine):
        values = similarity(x)
        assert np.array_equal(values, values.T, equal_nan=True)
