"""Scores worked by hand, and what each scoring divides by."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from askew.attention import softmax
from askew.heads import Head
from askew.scoring import SCORINGS, negative_distances, scores_of

if TYPE_CHECKING:
    from askew.arrays import Float64

CASES = Path(__file__).parents[1] / "data/cases/expected.json"
ROWS = hnp.arrays(np.float64, (4, 3), elements=st.floats(-1e3, 1e3, allow_subnormal=False))
Q, K = np.array([[1.0, 2.0]]), np.array([[3.0, 1.0], [0.0, 1.0]])


def head(scoring: str, d_model: int = 8, d_k: int = 2) -> Head:
    w = np.zeros((d_model, d_k), np.float32)
    return Head(w, w, w, scoring=scoring)


def test_the_divisor_is_the_root_of_d_k_not_of_d_model() -> None:
    case = next(case for case in json.loads(CASES.read_text("utf-8")) if case["case"] == "D03")
    made = head("scaled-dot", case["d_model"], case["d_k"])
    weights = softmax(scores_of(made, np.array(case["Q"]), np.array(case["K"])))
    assert weights == pytest.approx(np.array(case["weights"]), abs=1e-15)
    assert np.abs(weights - np.array(case["wrong_if_sqrt_d_model"])).max() > 0.1


@pytest.mark.parametrize(
    ("scoring", "expected"),
    [
        ("scaled-dot", [5 / math.sqrt(2), 2 / math.sqrt(2)]),
        ("dot", [5, 2]),
        ("cosine", [5 / math.sqrt(50), 2 / math.sqrt(5)]),
        ("distance", [-2.5, -1.0]),
        ("raw", [5 / math.sqrt(8), 2 / math.sqrt(8)]),
    ],
)
def test_scores_by_hand(scoring: str, expected: list[float]) -> None:
    assert scores_of(head(scoring), Q, K)[0] == pytest.approx(np.array(expected), abs=1e-15)


def test_only_two_scorings_divide_and_only_raw_does_without_projection() -> None:
    divisors = {name: scoring.divisor(4, 9) for name, scoring in SCORINGS.items()}
    assert divisors == {"scaled-dot": 2, "dot": 1, "cosine": 1, "distance": 1, "raw": 3}
    assert [name for name, scoring in SCORINGS.items() if not scoring.projected] == ["raw"]


@given(ROWS, ROWS)
def test_distances_are_those_of_the_vectors_and_never_above_zero(q: Float64, k: Float64) -> None:
    expected = -np.square(q[:, None] - k[None]).sum(axis=-1) / 2
    size = np.square(q).sum() + np.square(k).sum()
    scores = negative_distances(q, k)
    assert np.abs(scores - expected).max() <= 1e-14 * size + 1e-300
    assert scores.max() <= 0


@given(hnp.arrays(np.float64, (4, 30), elements=st.floats(-1e3, 1e3, allow_subnormal=False)))
def test_a_key_that_is_the_query_is_at_no_distance_whatever_the_rounding(q: Float64) -> None:
    assert not np.diagonal(negative_distances(q, q)).any()
    assert not np.diagonal(negative_distances(q.astype(np.float32), q.astype(np.float32))).any()


@pytest.mark.parametrize("scoring", list(SCORINGS))
@given(q=ROWS, k=ROWS)
def test_many_heads_at_once_are_bit_for_bit_each_alone(scoring: str, q: Float64, k: Float64) -> None:
    wide = np.stack([q, k, q]), np.stack([k, k, q])
    for qs, ks in (wide, (wide[0].astype(np.float32), wide[1].astype(np.float32))):
        together = scores_of(head(scoring), qs, ks)
        alone = [scores_of(head(scoring), a.copy(), b.copy()) for a, b in zip(qs, ks, strict=True)]
        assert together.dtype == qs.dtype
        assert np.array_equal(together, alone, equal_nan=True)
