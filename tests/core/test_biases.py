"""Biases of a head: given, changed, taken away; never ignored."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from askew.biases import bias_of, with_bias, with_zero_biases
from askew.errors import ExperimentError, WeightsError
from askew.experiment import Experiment, evaluate
from askew.heads import PARTS, Head
from askew.initializers import random_heads
from askew.vectors import WordVectors

VECTORS = WordVectors.from_arrays("abcde", np.random.default_rng(0).standard_normal((5, 6), np.float32))


def experiment() -> Experiment:
    return Experiment("a b c d e", VECTORS.ref, random_heads(2, d_model=6, d_k=3, d_v=2, gain=3.0))


def test_the_weights_of_case_c06_with_and_without_the_query_bias() -> None:
    vectors = WordVectors.from_arrays(["a", "b"], np.eye(2, dtype=np.float32))
    eye = np.eye(2, dtype=np.float32)
    plain = Experiment("a b", vectors.ref, (Head(eye, eye, eye),))
    both = with_bias(with_bias(plain, 0, "q", [2, 0]), 0, "k", [5, -7])
    expected = [[0.892958, 0.107042], [0.669762, 0.330238]]
    np.testing.assert_allclose(evaluate(both, vectors).pattern[0], expected, atol=1e-6)
    without = with_bias(both, 0, "q", None)
    expected = [[0.669762, 0.330238], [0.330238, 0.669762]]
    np.testing.assert_allclose(evaluate(without, vectors).pattern[0], expected, atol=1e-6)


def test_a_key_bias_alone_changes_no_pattern() -> None:
    before = evaluate(experiment(), VECTORS)
    after = evaluate(with_bias(experiment(), 0, "k", [3, -40, 0.5]), VECTORS)
    np.testing.assert_allclose(after.pattern, before.pattern, atol=1e-6)
    assert np.abs(after.scores[0] - before.scores[0]).max() > 1


def test_biases_of_zeros_are_added_where_there_are_none_and_change_no_number() -> None:
    first = with_bias(experiment(), 0, "q", [1, 2, 3])
    filled = with_zero_biases(first, 0)
    head = filled.heads[0]
    np.testing.assert_array_equal(bias_of(head, "q"), [1, 2, 3])
    np.testing.assert_array_equal(bias_of(head, "k"), np.zeros(3))
    np.testing.assert_array_equal(bias_of(head, "v"), np.zeros(2))
    assert head.recipe == "edited"
    np.testing.assert_array_equal(evaluate(filled, VECTORS).scores, evaluate(first, VECTORS).scores)
    np.testing.assert_array_equal(evaluate(filled, VECTORS).outputs, evaluate(first, VECTORS).outputs)
    assert with_zero_biases(filled, 0) is filled
    assert filled.heads[1] is first.heads[1]


@pytest.mark.parametrize("part", PARTS)
def test_a_bias_is_changed_and_taken_away_and_the_rest_of_the_head_stays(part: str) -> None:
    letter = next(one for one in PARTS if one == part)
    locked = replace(experiment(), heads=(replace(experiment().heads[0], locked=frozenset({PARTS[2]})),))
    before = with_zero_biases(locked, 0)
    ones = np.ones(2 if part == "v" else 3)
    after = with_bias(before, 0, letter, ones)
    np.testing.assert_array_equal(bias_of(after.heads[0], letter), ones)
    for other in PARTS:
        assert other == part or bias_of(after.heads[0], other) is bias_of(before.heads[0], other)
    assert after.heads[0].w_q is before.heads[0].w_q
    assert after.heads[0].locked == {"v"}
    assert with_bias(after, 0, letter, ones) is after
    gone = with_bias(after, 0, letter, None)
    assert bias_of(gone.heads[0], letter) is None
    assert with_bias(gone, 0, letter, None) is gone


def test_what_does_not_fit_is_refused_in_words() -> None:
    with pytest.raises(WeightsError, match=r"b_v of head 1 has 2 numbers"):
        with_bias(experiment(), 1, "v", [1, 2, 3])
    with pytest.raises(WeightsError, match="b_q holds a number that is not finite"):
        with_bias(experiment(), 1, "q", [1, 2, 1e39])
    with pytest.raises(ExperimentError, match="there is no head 2"):
        with_zero_biases(experiment(), 2)
