"""Sharpness-matched raw patterns: the entropy asked for, or as sharp as the ties allow."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askew.attention import softmax
from askew.masks import causal
from askew.matching import LARGEST_BETA, matched_pattern

if TYPE_CHECKING:
    from askew.arrays import BoolArray, Float64


def entropies(pattern: Float64) -> Float64:
    return np.array([-sum(a * math.log(a) for a in row if a > 0) for row in pattern.tolist()])


def bisected(target: float, row: Float64) -> float:
    """Return β for one row by plain bisection."""
    low, high = 0.0, LARGEST_BETA
    for _ in range(120):
        middle = (low + high) / 2
        above = entropies(softmax(row[None] * middle))[0] > target
        low, high = (middle, high) if above else (low, middle)
    return high


def drawn(seed: int, n: int, scale: float) -> tuple[Float64, Float64]:
    g = np.random.default_rng(seed)
    x = g.standard_normal((n, 8))
    return softmax(g.standard_normal((n, n)) * scale), x @ x.T


@given(st.integers(0, 10**6), st.integers(2, 9), st.sampled_from([0.01, 0.3, 1.0, 4.0]))
def test_each_row_gets_the_entropy_of_the_head_s_row(seed: int, n: int, scale: float) -> None:
    pattern, raw = drawn(seed, n, scale)
    matched = matched_pattern(pattern, raw)
    assert not matched.tied.any()
    assert entropies(matched.pattern) == pytest.approx(entropies(pattern), abs=1e-12)
    assert matched.pattern == pytest.approx(softmax(raw * matched.beta[:, None]), abs=1e-15)


@given(st.integers(0, 10**6), st.integers(2, 7), st.sampled_from([0.1, 1.0, 4.0]))
def test_beta_is_what_plain_bisection_finds(seed: int, n: int, scale: float) -> None:
    pattern, raw = drawn(seed, n, scale)
    expected = [bisected(h, row) for h, row in zip(entropies(pattern), raw, strict=True)]
    assert matched_pattern(pattern, raw).beta == pytest.approx(np.array(expected), rel=1e-7)


def test_two_tokens_by_hand() -> None:
    pattern = np.array([[0.25, 0.75], [0.5, 0.5]])
    raw = np.array([[2.0, 1.0], [1.0, 5.0]])
    matched = matched_pattern(pattern, raw)
    assert matched.pattern == pytest.approx(np.array([[0.75, 0.25], [0.5, 0.5]]), abs=1e-14)
    assert matched.beta == pytest.approx(np.array([math.log(3), 0.0]), abs=1e-13)


@given(st.integers(0, 10**6), st.floats(0.01, 100))
def test_the_scale_of_raw_similarity_does_not_matter(seed: int, factor: float) -> None:
    pattern, raw = drawn(seed, 5, 1.0)
    one, two = matched_pattern(pattern, raw), matched_pattern(pattern, raw * factor)
    if not (one.tied.any() or two.tied.any()):
        assert two.pattern == pytest.approx(one.pattern, abs=1e-9)


def test_equal_words_leave_a_row_only_as_sharp_as_its_ties_allow() -> None:
    raw = np.array([[4.0, 4.0, 0.0], [4.0, 4.0, 0.0], [0.0, 0.0, 9.0]])
    pattern = np.array([[0.98, 0.01, 0.01], [0.4, 0.3, 0.3], [0.01, 0.01, 0.98]])
    matched = matched_pattern(pattern, raw)
    assert matched.tied.tolist() == [True, False, False]
    assert matched.pattern[0] == pytest.approx([0.5, 0.5, 0.0], abs=1e-15)
    assert matched.beta[0] == LARGEST_BETA
    assert entropies(matched.pattern)[1:] == pytest.approx(entropies(pattern)[1:], abs=1e-13)


def test_a_row_with_all_weight_on_one_key_can_be_matched() -> None:
    matched = matched_pattern(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[2.0, 1.0], [1.0, 2.0]]))
    assert not matched.tied.any()
    assert matched.pattern.tolist() == [[1, 0], [0, 1]]


def test_raw_rows_without_differences_stay_even() -> None:
    matched = matched_pattern(np.array([[0.9, 0.1], [0.5, 0.5]]), np.zeros((2, 2)))
    assert matched.tied.tolist() == [True, False]
    assert matched.pattern.tolist() == [[0.5, 0.5], [0.5, 0.5]]


@pytest.mark.parametrize("hidden", [causal(4), ~np.eye(4, dtype=bool), np.ones((4, 4), dtype=bool)])
def test_hidden_keys_stay_hidden_and_rows_that_see_nothing_stay_zeros(hidden: BoolArray) -> None:
    g = np.random.default_rng(3)
    x = g.standard_normal((4, 8))
    pattern = softmax(g.standard_normal((4, 4)), hidden)
    matched = matched_pattern(pattern, x @ x.T, hidden)
    assert not matched.pattern[hidden].any()
    assert not matched.tied.any()
    assert matched.pattern.sum(axis=1) == pytest.approx(pattern.sum(axis=1), abs=1e-15)
    assert entropies(matched.pattern) == pytest.approx(entropies(pattern), abs=1e-12)


def test_no_tokens_and_one_token() -> None:
    assert matched_pattern(np.zeros((0, 0)), np.zeros((0, 0))).pattern.shape == (0, 0)
    assert matched_pattern(np.ones((1, 1)), np.full((1, 1), 7.0)).pattern.tolist() == [[1.0]]
