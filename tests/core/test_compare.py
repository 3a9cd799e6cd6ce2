"""Raw, head and difference: three maps that belong together, in every mode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askew.attention import softmax
from askew.compare import compare, scale
from askew.errors import ExperimentError
from askew.experiment import Evaluation, Experiment, evaluate
from askew.heads import Head
from askew.initializers import random_heads
from askew.inputs import COMPARISONS, QUANTITIES
from askew.vectors import WordVectors

if TYPE_CHECKING:
    from askew.arrays import Float32, Float64
    from askew.experiment import Quantity

WORDS = ("the", "cat", "sat", "on", "mat", "nil")
TEXT = "the cat sat on mat"


def evaluation(
    text: str = TEXT,
    *,
    mask: str = "none",
    raw: str = "scaled",
    temperature: float = 1.0,
    unknown: Literal["drop", "keep"] = "drop",
    heads: tuple[Head, ...] = (),
) -> Evaluation:
    matrix = np.random.default_rng(1).standard_normal((len(WORDS), 6))
    matrix[-1] = 0
    vectors = WordVectors.from_arrays(WORDS, matrix.astype(np.float32))
    heads = heads or random_heads(3, d_model=6, d_k=3, d_v=2, gain=2)
    experiment = Experiment(
        text, vectors.ref, heads, mask=mask, raw=raw, temperature=temperature, unknown=unknown
    )
    return evaluate(experiment, vectors)


@given(
    st.sampled_from(QUANTITIES),
    st.sampled_from(COMPARISONS),
    st.lists(st.integers(0, 2), min_size=1, max_size=3, unique=True),
    st.sampled_from(["none", "causal"]),
    st.sampled_from([TEXT, "the cat the cat", "cat", "", "the zzyzx nil cat"]),
    st.sampled_from(["scaled", "dot", "cosine"]),
)
def test_difference_is_head_minus_raw_to_the_last_bit(
    quantity: Quantity, mode: str, heads: list[int], mask: str, text: str, raw: str
) -> None:
    result = evaluation(text, mask=mask, raw=raw, unknown="keep")
    comparison = compare(result, heads, quantity=quantity, mode=mode)
    n = len(result.tokens)
    for values in (comparison.raw, comparison.head, comparison.difference):
        assert values.shape == (n, n)
        assert values.dtype == np.float32
        assert not values.flags.writeable
    assert np.array_equal(comparison.difference, comparison.head - comparison.raw, equal_nan=True)


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_as_is_shows_the_maps_themselves(quantity: Quantity) -> None:
    result = evaluation()
    comparison = compare(result, [1], quantity=quantity)
    assert comparison.raw is getattr(result.raw, quantity)
    assert comparison.head is getattr(result.heads[1], quantity)
    assert comparison.note == ""


def test_what_the_experiment_says_is_what_is_compared_unless_told_otherwise() -> None:
    result = evaluation()
    assert np.array_equal(compare(result, [0]).head, result.heads[0].pattern)
    assert np.array_equal(compare(result, [0], quantity="cosine").head, result.heads[0].cosine)


def test_same_scale_multiplies_raw_scores_by_the_ratio_of_their_spreads() -> None:
    result = evaluation(temperature=0.7)
    s, r = (a.astype(np.float64) for a in (result.heads[0].scores, result.raw.scaled))
    gamma = np.linalg.norm(s - s.mean(axis=1, keepdims=True)) / np.linalg.norm(
        r - r.mean(axis=1, keepdims=True)
    )
    scores = compare(result, [0], quantity="scores", mode="same-scale")
    assert scores.gammas == pytest.approx((gamma,), rel=1e-6)
    assert scores.raw == pytest.approx(gamma * r, rel=1e-5)
    assert scores.head is result.heads[0].scores
    pattern = compare(result, [0], quantity="pattern", mode="same-scale")
    assert pattern.raw == pytest.approx(softmax(gamma * r, temperature=0.7), abs=1e-6)
    assert f"γ = {gamma:.3g}" in pattern.note


def test_a_head_that_only_scales_shows_no_difference_at_the_same_scale() -> None:
    identity = random_heads(1, d_model=6, d_k=6, d_v=6, initializer="identity", gain=3)
    result = evaluation(heads=identity)
    assert np.abs(compare(result, [0]).difference).max() > 0.1
    for mode in ("same-scale", "matched"):
        assert np.abs(compare(result, [0], mode=mode).difference).max() < 1e-6
    assert compare(result, [0], mode="same-scale").gammas == pytest.approx((9.0,))


def test_hidden_scores_have_no_part_in_the_scale() -> None:
    hidden = np.triu(np.ones((3, 3), dtype=bool), 1)
    s, r = np.array([[1.0, 9, 9], [0, 2, 9], [0, 0, 3]]), np.array([[5.0, 0, 1], [2, 1, 7], [1, 1, 4]])
    means = np.sqrt(0.5 * 2**2 + 3**2 * 2 / 3), np.sqrt(0.5 * 1**2 + 3**2 * 2 / 3)
    assert scale(s, r, hidden) == pytest.approx(means[0] / means[1])
    assert scale(s, r, hidden) == scale(np.where(hidden, -50, s), r, hidden)


def test_raw_scores_without_any_spread_keep_their_scale() -> None:
    assert scale(np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([[4.0, 4.0], [1.0, 1.0]])) == 1.0
    assert compare(evaluation("cat"), [0], mode="same-scale").raw.tolist() == [[1.0]]


@pytest.mark.parametrize("n", [3, 6, 7])
def test_rounding_is_no_spread(n: int) -> None:
    even = np.full((n, n), 0.7)  # whose mean is 0.7 but for the last bit
    assert scale(np.eye(n), even) == 1.0
    assert scale(even, np.eye(n)) == 0.0


def test_matched_rows_have_the_entropy_of_the_head() -> None:
    comparison = compare(evaluation(), [2], mode="matched")

    def entropy(pattern: Float32) -> Float64:
        wide = pattern.astype(np.float64)
        return np.asarray(-(wide * np.log(wide)).sum(axis=1))

    assert entropy(comparison.raw) == pytest.approx(entropy(comparison.head), abs=1e-5)
    assert comparison.tied_rows == ()
    assert comparison.note == "each raw row as sharp as the head's"


def test_rows_held_back_by_equal_words_are_marked() -> None:
    zeros = np.zeros((6, 6), np.float32)
    first = zeros.copy()
    first[:, 0] = 1
    biased = Head(zeros, first, zeros, b_q=np.array([90, 0, 0, 0, 0, 0], np.float32))
    result = evaluation("zzyzx nil nil cat", heads=(biased,), unknown="keep")
    comparison = compare(result, [0], mode="matched")
    assert comparison.tied_rows == (1, 2)
    assert comparison.note == "each raw row as sharp as the head's"


def test_only_patterns_can_be_matched() -> None:
    result = evaluation()
    for quantity, said in (("scores", "scores are compared as they are"), ("cosine", "cosines")):
        kind: Quantity = "scores" if quantity == "scores" else "cosine"
        comparison = compare(result, [0], quantity=kind, mode="matched")
        assert np.array_equal(comparison.raw, getattr(result.raw, quantity))
        assert said in comparison.note
    scaled = compare(result, [0], quantity="cosine", mode="same-scale")
    assert np.array_equal(scaled.raw, result.raw.cosine)


@pytest.mark.parametrize("mode", COMPARISONS)
def test_several_heads_show_the_mean_of_their_patterns(mode: str) -> None:
    result = evaluation()
    both = compare(result, [2, 0], mode=mode)
    alone = [compare(result, [head], mode=mode) for head in (2, 0)]
    for name in ("raw", "head", "difference"):
        expected = np.mean([getattr(one, name).astype(np.float64) for one in alone], axis=0)
        assert getattr(both, name) == pytest.approx(expected, abs=1e-7)
    softmax_of_mean = softmax((result.scores[2] + result.scores[0]) / 2)
    assert np.abs(both.head - softmax_of_mean).max() > 1e-3


@pytest.mark.parametrize(
    ("heads", "said"), [([], "no head to compare"), ([3], "no head 3"), ([-1], "no head -1")]
)
def test_heads_there_are_not_cannot_be_compared(heads: list[int], said: str) -> None:
    with pytest.raises(ExperimentError, match=said):
        compare(evaluation(), heads)


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(ExperimentError, match="as-is, same-scale, matched"):
        compare(evaluation(), [0], mode="ranked")
