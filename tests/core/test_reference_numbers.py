"""Measures against numbers worked out elsewhere: GloVe vectors, and patterns of a trained transformer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from askew import measures as m
from askew.examples import default_experiment
from askew.experiment import evaluate
from askew.heads import Head
from askew.vectors import WordVectors, open_vectors

if TYPE_CHECKING:
    from collections.abc import Iterable

    from askew.arrays import Float64
    from askew.experiment import Evaluation

SENTENCES = (
    "the animal did not cross the street because it was too tired",
    "she deposited the money at the bank near the river",
    "the quick brown fox jumps over the lazy dog",
)
GOLDEN = Path(__file__).parents[1] / "data" / "golden_layer0_attention.npz"


@pytest.fixture(scope="module")
def glove() -> WordVectors:
    return open_vectors("glove-6b-50d")


@pytest.fixture(scope="module")
def sentences(glove: WordVectors) -> list[Evaluation]:
    return [evaluate(default_experiment(glove, text), glove) for text in SENTENCES]


def softmax(scores: Float64) -> Float64:
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True))


def mean(values: Iterable[float | None]) -> float:
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined)


def mean_of_pairs(square: Float64) -> float:
    return float(square[np.triu_indices(len(square), 1)].mean())


def summary(patterns: Float64) -> tuple[float, float, float, float]:
    """Share of rows that look at themselves first, self weight, evenness, divergence of pairs of heads."""
    first = mean(m.self_first(a) for a in patterns)
    weight = mean(m.self_weight(a) for a in patterns)
    sharp = mean(m.sharpness(a) for a in patterns)
    return first, weight, 1 - sharp, mean_of_pairs(m.diversity(patterns))


@pytest.mark.parametrize(
    ("sentence", "cosine", "first", "weight", "evenness"),
    [(0, 0.624, 0.833, 0.2443, 0.897), (1, 0.548, 1.0, 0.4155, 0.779), (2, 0.438, 1.0, 0.3760, 0.835)],
)
def test_the_raw_pattern_of_glove(
    sentences: list[Evaluation], sentence: int, cosine: float, first: float, weight: float, evenness: float
) -> None:
    raw = sentences[sentence].raw
    n = len(raw.pattern)
    assert raw.cosine[~np.eye(n, dtype=bool)].mean() == pytest.approx(cosine, abs=6e-4)
    assert m.self_first(raw.cosine) == 1.0
    assert m.self_first(raw.pattern) == pytest.approx(first, abs=5e-4)
    assert m.self_weight(raw.pattern) == pytest.approx(weight, abs=1e-4)
    assert 1 - (m.sharpness(raw.pattern) or 0) == pytest.approx(evenness, abs=6e-4)
    assert m.asymmetry(raw.scores) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("sentence", "weight", "evenness"), [(0, 0.431, 0.701), (1, 0.583, 0.552), (2, 0.721, 0.399)]
)
def test_the_raw_pattern_of_normalized_glove(
    glove: WordVectors, sentence: int, weight: float, evenness: float
) -> None:
    experiment = replace(default_experiment(glove, SENTENCES[sentence]), normalize="layer")
    pattern = evaluate(experiment, glove).raw.pattern
    assert m.self_first(pattern) == 1.0
    assert m.self_weight(pattern) == pytest.approx(weight, abs=6e-4)
    assert 1 - (m.sharpness(pattern) or 0) == pytest.approx(evenness, abs=6e-4)


def heads_of_one_stream(seed: int, count: int, d_model: int, d_k: int) -> tuple[Head, ...]:
    """Draw all heads from one generator, W_q then W_k, as the reference numbers were made."""
    g = np.random.default_rng(seed)
    draws = g.standard_normal((count, 2, d_model, d_k)) / np.sqrt(d_model)
    w_v = np.zeros((d_model, d_k), np.float32)
    return tuple(Head(w_q.astype(np.float32), w_k.astype(np.float32), w_v) for w_q, w_k in draws)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (0, (0.067, 0.0789, 0.981, 0.032)),
        (1, (0.080, 0.0940, 0.958, 0.065)),
        (2, (0.111, 0.1108, 0.976, 0.041)),
    ],
)
def test_five_random_heads_on_glove(
    glove: WordVectors, sentence: int, expected: tuple[float, float, float, float]
) -> None:
    heads = heads_of_one_stream(0, 5, 50, 10)
    result = evaluate(replace(default_experiment(glove, SENTENCES[sentence]), heads=heads), glove)
    assert summary(result.pattern.astype(np.float64)) == pytest.approx(expected, abs=6e-4)
    assert mean(each.self_weight for each in result.measures) == pytest.approx(expected[1], abs=1e-4)


def random_scores(x: Float64, seeds: int, *, tied: bool) -> Float64:
    """Return the scores (seeds, 5, n, n) of random heads with d_k = 10."""
    scores = []
    for seed in range(seeds):
        w = np.random.default_rng(seed).standard_normal((5, 2, 50, 10)) / np.sqrt(50)
        q, k = x @ w[:, 0], x @ w[:, 0 if tied else 1]
        scores.append(q @ k.swapaxes(1, 2) / np.sqrt(10))
    return np.array(scores)


def test_the_mean_of_many_random_heads_is_chance(sentences: list[Evaluation]) -> None:
    x = sentences[0].x0.astype(np.float64)
    scores = random_scores(x, 200, tied=False)
    means = np.mean([summary(softmax(s)) for s in scores], axis=0)
    assert means == pytest.approx((0.087, 0.0835, 0.982, 0.032), abs=1.1e-3)


def test_the_skew_share_of_independent_heads_is_what_theory_says(sentences: list[Evaluation]) -> None:
    for result in sentences:
        x = result.x0.astype(np.float64)
        g = x @ x.T
        expected = (1 - np.sum(g * g) / np.trace(g) ** 2) / 2
        scores = random_scores(x, 200, tied=False).reshape(-1, *g.shape)
        skew = (scores - scores.swapaxes(1, 2)) / 2
        assert np.sum(skew**2) / np.sum(scores**2) == pytest.approx(expected, abs=0.01)
        assert mean(m.asymmetry(s) for s in scores) == pytest.approx(0.35, abs=0.03)


@pytest.mark.parametrize(("sentence", "first", "rho"), [(0, 0.548, 0.64), (1, 0.661, 0.51), (2, 0.781, 0.59)])
def test_tied_random_heads_keep_the_geometry(
    sentences: list[Evaluation], sentence: int, first: float, rho: float
) -> None:
    result = sentences[sentence]
    scores = random_scores(result.x0.astype(np.float64), 200, tied=True).reshape(-1, *result.raw.dot.shape)
    ranks = mean(m.rank_agreement(s, result.raw.cosine) for s in scores)
    assert ranks == pytest.approx(rho, abs=0.02)
    firsts = mean(m.self_first(softmax(s)) for s in scores)
    assert firsts == pytest.approx(first, abs=0.03)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (0, (0.101, 0.102, 0.753, 0.282)),
        (1, (0.104, 0.117, 0.725, 0.288)),
        (2, (0.136, 0.124, 0.700, 0.289)),
    ],
)
def test_the_heads_of_a_trained_transformer(
    sentence: int, expected: tuple[float, float, float, float]
) -> None:
    with np.load(GOLDEN) as golden:
        patterns = golden[f"A{sentence}"].astype(np.float64)
    assert summary(patterns) == pytest.approx(expected, abs=6e-4)
    previous = [m.previous_weight(a) or 0 for a in patterns]
    assert np.argmax(previous) == 2
    assert previous[2] == pytest.approx(1.0, abs=1e-3)
    assert m.previous_weight(patterns[2]) == m.next_weight(patterns[2][::-1, ::-1])
