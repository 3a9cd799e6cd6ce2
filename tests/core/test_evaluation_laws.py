"""The laws that `evaluate` keeps for any sentence, any head and numbers of any size."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from askew.experiment import Evaluation, Experiment, evaluate
from askew.initializers import random_heads
from askew.scoring import SCORINGS
from askew.vectors import WordVectors

if TYPE_CHECKING:
    from random import Random

    from askew.arrays import Float32, Float64
    from askew.heads import Head

WORDS = ("the", "cat", "sat", "on", "mat", "dog", "nil")
SENTENCES = st.lists(st.sampled_from(WORDS[:6]), min_size=1, max_size=7)
SEEDS = st.integers(0, 2**31 - 1)
SCALES = st.sampled_from([0.01, 1.0, 5.0, 1e4])
MASKS = st.sampled_from(["none", "causal"])


def table(dim: int = 6, scale: float = 1.0) -> WordVectors:
    matrix = np.random.default_rng(dim).standard_normal((len(WORDS), dim)) * scale
    matrix[-1] = 0
    return WordVectors.from_arrays(WORDS, matrix.astype(np.float32))


def evaluation(
    text: str, vectors: WordVectors, heads: tuple[Head, ...], mask: str = "none", normalize: str = "none"
) -> Evaluation:
    return evaluate(Experiment(text, vectors.ref, heads, mask=mask, normalize=normalize), vectors)


@given(SENTENCES, SEEDS, SCALES, MASKS, st.sampled_from(list(SCORINGS)))
def test_rows_of_every_pattern_sum_to_one(
    words: list[str], seed: int, scale: float, mask: str, scoring: str
) -> None:
    heads = tuple(
        replace(one, scoring=scoring)
        for one in random_heads(2, d_model=6, d_k=3, d_v=2, seed=seed, gain=scale)
    )
    result = evaluation(" ".join(words), table(), heads, mask=mask)
    for pattern in (*result.pattern, result.raw.pattern):
        assert np.abs(pattern.sum(axis=1, dtype=np.float64) - 1).max() < 1e-6
        assert pattern.min() >= 0
        if mask == "causal":
            assert not np.triu(pattern, 1).any()


@given(SENTENCES, SEEDS, SCALES, st.randoms(use_true_random=False))
def test_permuting_the_tokens_permutes_the_pattern(
    words: list[str],
    seed: int,
    scale: float,
    random: Random,
) -> None:
    vectors, heads = table(), random_heads(2, d_model=6, d_k=3, d_v=2, seed=seed, gain=scale)
    order = random.sample(range(len(words)), len(words))
    straight = evaluation(" ".join(words), vectors, heads)
    turned = evaluation(" ".join(words[i] for i in order), vectors, heads)
    assert turned.pattern == pytest.approx(straight.pattern[:, order][:, :, order], abs=1e-6)
    assert turned.raw.pattern == pytest.approx(straight.raw.pattern[order][:, order], abs=1e-6)


@given(SENTENCES, SCALES, st.sampled_from(["none", "unit", "layer"]), MASKS)
def test_identity_projections_give_the_raw_pattern_back(
    words: list[str], scale: float, normalize: str, mask: str
) -> None:
    identity = random_heads(1, d_model=6, d_k=6, d_v=6, initializer="identity")
    result = evaluation(" ".join(words), table(scale=scale), identity, normalize=normalize, mask=mask)
    assert np.abs(result.pattern[0] - result.raw.pattern).max() < 1e-6
    assert result.scores[0] == pytest.approx(result.raw.scaled, rel=1e-6)


@given(SENTENCES, SEEDS, hnp.arrays(np.float32, 3, elements=st.floats(-100, 100, width=32)))
def test_a_key_bias_alone_changes_no_pattern_and_a_query_bias_does(
    words: list[str], seed: int, bias: Float32
) -> None:
    vectors, (plain,) = table(), random_heads(1, d_model=6, d_k=3, d_v=2, seed=seed)
    with_key, with_query = replace(plain, b_k=bias), replace(plain, b_q=bias)
    without, key, query = (
        evaluation(" ".join(words), vectors, (one,)) for one in (plain, with_key, with_query)
    )
    assert np.abs(key.pattern - without.pattern).max() < 1e-6
    if np.linalg.norm(bias) > 10 and len(set(words)) > 1:
        assert np.abs(query.pattern - without.pattern).max() > 1e-6


@given(SENTENCES, SEEDS)
def test_exchanging_query_and_key_turns_the_scores_over(words: list[str], seed: int) -> None:
    vectors, (plain,) = table(), random_heads(1, d_model=6, d_k=3, d_v=2, seed=seed)
    other = replace(plain, w_q=plain.w_k, w_k=plain.w_q)
    straight, turned = (evaluation(" ".join(words), vectors, (one,)).scores[0] for one in (plain, other))
    assert turned == pytest.approx(straight.T, rel=1e-6, abs=1e-12)


@given(SENTENCES, SEEDS, hnp.arrays(np.float64, (3, 3), elements=st.floats(-1, 1)))
def test_only_the_circuit_matters(words: list[str], seed: int, change: Float64) -> None:
    vectors, (plain,) = table(), random_heads(1, d_model=6, d_k=3, d_v=2, seed=seed)
    basis = np.eye(3) + change / 4
    other = replace(
        plain,
        w_q=(plain.w_q.astype(np.float64) @ basis).astype(np.float32),
        w_k=(plain.w_k.astype(np.float64) @ np.linalg.inv(basis).T).astype(np.float32),
    )
    one, two = (evaluation(" ".join(words), vectors, (each,)).pattern[0] for each in (plain, other))
    assert two == pytest.approx(one, abs=1e-5)


@pytest.mark.parametrize("gain", [1e-30, 1e-10, 1e3, 1e10, 1e18])
@pytest.mark.parametrize("dim", [6, 700])
def test_weights_of_any_size_give_finite_patterns_that_are_right(gain: float, dim: int) -> None:
    text = "the cat sat on mat dog nil"
    vectors, heads = table(dim), random_heads(1, d_model=dim, d_k=dim, d_v=1, gain=gain)
    result = evaluation(text, vectors, heads)
    assert np.isfinite(result.pattern).all()
    assert np.isfinite(result.scores).all()
    x, w_q, w_k = (a.astype(np.float64) for a in (result.x, heads[0].w_q, heads[0].w_k))
    scores = (x @ w_q) @ (x @ w_k).T / np.sqrt(dim)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    assert np.abs(result.pattern[0] - weights / weights.sum(axis=1, keepdims=True)).max() < 1e-6


@pytest.mark.parametrize("temperature", [1e-30, 1e-3, 1e30])
@pytest.mark.parametrize("dim", [6, 700])
def test_any_temperature_gives_rows_that_sum_to_one(temperature: float, dim: int) -> None:
    heads = random_heads(2, d_model=dim, d_k=dim, d_v=1)
    vectors = table(dim)
    experiment = Experiment("the cat sat on mat dog nil", vectors.ref, heads, temperature=temperature)
    result = evaluate(experiment, vectors)
    assert result.pattern.sum(axis=-1) == pytest.approx(np.ones((2, 7)), abs=1e-6)


def test_large_work_in_float32_is_right_to_a_millionth() -> None:
    g = np.random.default_rng(0)
    words = tuple(f"{a}{b}{c}" for a in "abcdefghij" for b in "klmnopqrst" for c in "uvw")
    vectors = WordVectors.from_arrays(words, g.standard_normal((300, 64), np.float32))
    result = evaluation(" ".join(words), vectors, random_heads(3, d_model=64, d_k=32, d_v=4))
    for each in result.heads:
        assert each.maps.projected.scores.dtype == np.float32
        assert np.abs(each.pattern - each.maps.pattern64).max() < 1e-6
        assert each.outputs == pytest.approx(each.maps.pattern64 @ each.v, abs=1e-5)
