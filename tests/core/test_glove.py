"""The numbers that real GloVe vectors give, against ones worked out elsewhere and with numpy alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import askew
from askew.initializers import random_heads

if TYPE_CHECKING:
    from askew.arrays import Float64

SENTENCES = (
    "the animal did not cross the street because it was too tired",
    "she deposited the money at the bank near the river",
    "the quick brown fox jumps over the lazy dog",
)
SEEDS = 200


@pytest.fixture(scope="module")
def glove() -> askew.WordVectors:
    return askew.open_vectors("glove-6b-50d")


def evaluation(glove: askew.WordVectors, sentence: int, initializer: str = "gaussian") -> askew.Evaluation:
    d_k = glove.dim if initializer == "identity" else 10
    heads = random_heads(5, d_model=glove.dim, d_k=d_k, d_v=d_k, initializer=initializer)
    return askew.evaluate(askew.Experiment(SENTENCES[sentence], glove.ref, heads), glove)


def test_raw_similarity_of_the_animal_sentence(glove: askew.WordVectors) -> None:
    raw = evaluation(glove, 0).raw
    cells = raw.pattern[0, 0], raw.pattern[1, 1], raw.pattern[8, 1]
    assert cells == pytest.approx((0.16901, 0.37532, 0.03099), abs=2e-4)
    assert raw.dot[0, 0] == pytest.approx(24.683, abs=5e-4)
    assert (raw.scaled[0, 0], raw.scaled[1, 4]) == pytest.approx((3.490181, 1.506287), abs=2e-3)
    weights = raw.pattern[2, 3], raw.pattern[2, 2], raw.pattern[7, 3], raw.pattern[7, 7]
    assert weights == pytest.approx((0.174, 0.151, 0.175, 0.164), abs=6e-4)


def test_cosines_of_it_with_the_other_words(glove: askew.WordVectors) -> None:
    result = evaluation(glove, 0)
    expected = {
        "because": 0.9107,
        "not": 0.9042,
        "the": 0.8607,
        "did": 0.8487,
        "too": 0.8297,
        "was": 0.7768,
        "cross": 0.5651,
        "animal": 0.5523,
        "tired": 0.5384,
        "street": 0.5371,
    }
    found = {token.text: result.raw.cosine[8, row] for row, token in enumerate(result.tokens) if row != 8}
    assert found == pytest.approx(expected, abs=3e-4)


@pytest.mark.parametrize("sentence", [0, 1, 2])
def test_heads_drawn_with_numpy_alone_give_the_same_patterns(glove: askew.WordVectors, sentence: int) -> None:
    result = evaluation(glove, sentence)
    x = glove.vectors([token.text for token in result.tokens]).astype(np.float64)
    for h in range(5):
        g = np.random.default_rng([0, h])
        w_q, w_k = ((g.standard_normal((50, 10)) / np.sqrt(50)).astype(np.float32) for _ in range(2))
        scores = (x @ w_q) @ (x @ w_k).T / np.sqrt(10)
        weights = np.exp(scores)
        weights /= weights.sum(axis=1, keepdims=True)
        assert np.abs(result.pattern[h] - weights).max() < 1e-6


def test_an_identity_head_is_raw_similarity(glove: askew.WordVectors) -> None:
    result = evaluation(glove, 0, "identity")
    assert np.abs(result.pattern - result.raw.pattern).max() < 1e-6
    assert result.measures[0].self_first == pytest.approx(0.833, abs=5e-4)
    assert result.measures[0].asymmetry == pytest.approx(0, abs=1e-12)
    assert result.measures[0].divergence == pytest.approx(0, abs=1e-12)


def random_patterns(glove: askew.WordVectors, sentence: int, normalize: str) -> Float64:
    """Return the patterns (seeds, 5, n, n) of five random heads each for many seeds."""
    patterns, previous = [], None
    for seed in range(SEEDS):
        heads = random_heads(5, d_model=50, d_k=10, d_v=1, seed=seed)
        experiment = askew.Experiment(SENTENCES[sentence], glove.ref, heads, normalize=normalize)
        previous = askew.evaluate(experiment, glove, previous)
        patterns.append(previous.pattern)
    return np.array(patterns, dtype=np.float64)


def entropies(patterns: Float64) -> Float64:
    return np.asarray(-(patterns * np.log(np.maximum(patterns, 1e-300))).sum(axis=-1))


def divergence_of_pairs(patterns: Float64) -> float:
    """Return the mean Jensen–Shannon divergence, base 2, over pairs of heads and rows."""
    first, second = np.triu_indices(5, 1)
    a, b = patterns[:, first], patterns[:, second]
    nats = entropies((a + b) / 2) - (entropies(a) + entropies(b)) / 2
    return float(nats.mean() / np.log(2))


@pytest.mark.parametrize(
    ("sentence", "first", "weight", "evenness", "asymmetry", "divergence"),
    [
        (0, 0.087, 0.0835, 0.982, 0.384, 0.032),
        (1, 0.106, 0.1004, 0.968, 0.475, 0.051),
        (2, 0.124, 0.1109, 0.978, 0.386, 0.034),
    ],
)
def test_random_heads_on_glove_over_many_seeds(
    glove: askew.WordVectors,
    sentence: int,
    first: float,
    weight: float,
    evenness: float,
    asymmetry: float,
    divergence: float,
) -> None:
    patterns = random_patterns(glove, sentence, "none")
    n = patterns.shape[-1]
    diagonal = np.diagonal(patterns, axis1=2, axis2=3)
    norms = [np.sqrt(np.square(a).sum(axis=(2, 3))) for a in (patterns - patterns.swapaxes(2, 3), patterns)]
    assert (diagonal >= patterns.max(axis=-1) - 1e-9).mean() == pytest.approx(first, abs=0.008)
    assert diagonal.mean() == pytest.approx(weight, abs=1e-3)
    assert entropies(patterns).mean() / np.log(n) == pytest.approx(evenness, abs=2e-3)
    assert (norms[0] / norms[1]).mean() == pytest.approx(asymmetry, abs=0.015)
    assert divergence_of_pairs(patterns) == pytest.approx(divergence, abs=3e-3)


@pytest.mark.parametrize(
    ("sentence", "evenness", "divergence"), [(0, 0.935, 0.107), (1, 0.922, 0.122), (2, 0.904, 0.143)]
)
def test_random_heads_on_normalized_glove_over_many_seeds(
    glove: askew.WordVectors, sentence: int, evenness: float, divergence: float
) -> None:
    patterns = random_patterns(glove, sentence, "layer")
    assert entropies(patterns).mean() / np.log(patterns.shape[-1]) == pytest.approx(evenness, abs=6e-3)
    assert divergence_of_pairs(patterns) == pytest.approx(divergence, abs=6e-3)


def test_tied_heads_give_scaled_raw_scores_on_average_and_independent_ones_zero(
    glove: askew.WordVectors,
) -> None:
    means = {}
    for initializer in ("tied", "gaussian"):
        heads = random_heads(SEEDS, d_model=50, d_k=10, d_v=1, gain=1.5, initializer=initializer)
        result = askew.evaluate(askew.Experiment(SENTENCES[0], glove.ref, heads), glove)
        means[initializer] = result.scores.mean(axis=0)
    expected = 1.5**2 * np.sqrt(10 / 50) * result.raw.scaled
    size = np.abs(expected).mean()
    assert np.abs(means["tied"] - expected).mean() < 0.06 * size
    assert np.abs(means["gaussian"]).mean() < 0.06 * size
