"""Softmax over the keys: values worked by hand, and the laws it keeps."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from askew.attention import softmax
from askew.masks import causal

if TYPE_CHECKING:
    from random import Random

    import numpy.typing as npt

    from askew.arrays import Float64

CASES = {
    case["case"]: case
    for case in json.loads((Path(__file__).parents[1] / "data/cases/expected.json").read_text("utf-8"))
}
SQUARES = st.integers(1, 7).flatmap(
    lambda n: hnp.arrays(np.float64, (n, n), elements=st.floats(-1e6, 1e6, allow_subnormal=False))
)


def case(name: str) -> dict[str, Any]:
    return dict(CASES[name])


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_scores_far_from_zero_do_not_overflow(kind: npt.DTypeLike) -> None:
    weights = softmax(np.array(case("D01")["scores"], dtype=kind))
    close = 1e-7 if kind is np.float32 else 1e-15
    assert weights == pytest.approx(np.array(case("D01")["weights"]), abs=close)
    assert weights.dtype == kind


def test_a_row_that_may_see_nothing_is_zeros_and_nothing_is_nan() -> None:
    expected = case("D02")
    hidden = np.array([[cell is None for cell in row] for row in expected["scores"]])
    scores = np.array([[0.0 if cell is None else cell for cell in row] for row in expected["scores"]])
    assert softmax(scores, hidden).tolist() == expected["weights"]


def test_softmax_runs_along_rows() -> None:
    expected = case("D04")
    weights = softmax(np.array(expected["scores"]))
    assert weights == pytest.approx(np.array(expected["weights"]), abs=1e-15)
    assert np.abs(weights - np.array(expected["wrong_if_columns"])).max() > 0.2


def test_temperature_divides_the_scores() -> None:
    scores = np.array([[0.0, 2.0 * math.log(3.0)]])
    assert softmax(scores, temperature=2.0) == pytest.approx(np.array([[0.25, 0.75]]), abs=1e-15)


@pytest.mark.parametrize("temperature", [5e-324, 1e-300, 1e-30, 1e300])
def test_no_temperature_above_zero_breaks_a_row(temperature: float) -> None:
    weights = softmax(np.array([[1.0, 3.0, 3.0], [0.0, 0.0, 0.0]]), temperature=temperature)
    expected = [1 / 3, 1 / 3, 1 / 3] if temperature > 1 else [0, 0.5, 0.5]
    assert weights[0] == pytest.approx(np.array(expected), abs=1e-15)
    assert weights[1] == pytest.approx(np.full(3, 1 / 3), abs=1e-15)


def test_the_scores_are_left_as_they_are() -> None:
    scores = np.array([[1.0, 2.0], [3.0, 5.0]])
    softmax(scores, causal(2), 3.0)
    assert scores.tolist() == [[1.0, 2.0], [3.0, 5.0]]


def test_no_tokens_give_no_weights() -> None:
    assert softmax(np.zeros((3, 0, 0))).shape == (3, 0, 0)


@given(SQUARES)
def test_rows_of_a_pattern_sum_to_one(scores: Float64) -> None:
    for weights, close in ((softmax(scores), 1e-14), (softmax(scores.astype(np.float32)), 1e-6)):
        assert np.abs(weights.sum(axis=-1, dtype=np.float64) - 1).max() <= close
        assert weights.min() >= 0


@given(SQUARES, st.data())
def test_a_constant_added_to_a_row_changes_nothing_but_rounding(scores: Float64, data: st.DataObject) -> None:
    constants = data.draw(hnp.arrays(np.float64, (len(scores), 1), elements=st.integers(-1000, 1000)))
    whole = np.round(scores)  # sums of whole numbers are exact, so the law is too
    assert np.array_equal(softmax(whole + constants), softmax(whole))


@given(SQUARES, st.randoms(use_true_random=False))
def test_permuting_keys_permutes_the_row(scores: Float64, random: Random) -> None:
    order = random.sample(range(len(scores)), len(scores))
    assert softmax(scores[:, order]) == pytest.approx(softmax(scores)[:, order], abs=1e-15)


@given(SQUARES)
def test_hidden_keys_get_exactly_nothing_and_do_not_matter(scores: Float64) -> None:
    hidden = causal(len(scores))
    assert hidden is not None
    weights = softmax(scores, hidden)
    assert not weights[hidden].any()
    changed = np.where(hidden, 1e9, scores)
    assert np.array_equal(softmax(changed, hidden), weights)
    for row in range(len(scores)):
        alone = softmax(scores[row : row + 1, : row + 1])
        assert weights[row, : row + 1] == pytest.approx(alone[0], abs=1e-15)


@given(SQUARES, st.floats(0.1, 10))
def test_many_maps_at_once_are_bit_for_bit_each_alone(scores: Float64, factor: float) -> None:
    wide = np.stack([scores, scores * factor, -scores])
    for stack in (wide, wide.astype(np.float32)):
        alone = [softmax(one.copy(), causal(len(one)), factor) for one in stack]
        assert np.array_equal(softmax(stack, causal(len(scores)), factor), alone)
