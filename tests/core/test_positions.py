"""Rotary positions: queries and keys are turned, and only the distance of two places matters."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.test_evaluation_shared import EDITS, assert_same, large, small

from askew.errors import ExperimentError
from askew.experiment import Evaluation, Experiment, evaluate
from askew.initializers import random_heads
from askew.positions import Rotation
from askew.vectors import WordVectors

if TYPE_CHECKING:
    from askew.arrays import Float64
    from askew.heads import Head

TEXT = "the cat sat on the mat"


def rope(text: str = TEXT, d_k: int = 4, **fields: object) -> Evaluation:
    words = ("the", "cat", "sat", "on", "mat")
    vectors = WordVectors.from_arrays(words, np.random.default_rng(1).standard_normal((5, 6), np.float32))
    heads = random_heads(3, d_model=6, d_k=d_k, d_v=2, gain=2.0)
    biases = np.random.default_rng(3).standard_normal((2, d_k)).astype(np.float32)
    heads = (replace(heads[0], b_q=biases[0], b_k=biases[1]), replace(heads[1], scoring="dot"), heads[2])
    experiment = Experiment(text, vectors.ref, heads, positions="rope")
    return evaluate(replace(experiment, **fields), vectors)  # type: ignore[arg-type]


def turned(vector: Float64, place: int) -> list[float]:
    """Rotate pair by pair, from the definition."""
    half = len(vector) // 2
    result = [0.0] * len(vector)
    for i in range(half):
        angle = place / 10_000 ** (2 * i / len(vector))
        a, b = float(vector[i]), float(vector[i + half])
        result[i] = a * math.cos(angle) - b * math.sin(angle)
        result[i + half] = a * math.sin(angle) + b * math.cos(angle)
    return result


def by_loop(head: Head, x: Float64, places: list[int]) -> Float64:
    q, k = x @ head.w_q.astype(np.float64), x @ head.w_k.astype(np.float64)
    if head.b_q is not None and head.b_k is not None:
        q, k = q + head.b_q, k + head.b_k
    divisor = math.sqrt(head.d_k) if head.scoring == "scaled-dot" else 1.0
    rows = range(len(x))
    q_turned = [turned(q[i], places[i]) for i in rows]
    k_turned = [turned(k[j], places[j]) for j in rows]
    return np.array(
        [
            [sum(a * b for a, b in zip(q_turned[i], k_turned[j], strict=True)) / divisor for j in rows]
            for i in rows
        ]
    )


def test_scores_are_those_of_a_plain_loop() -> None:
    result = rope()
    for head in result.heads:
        expected = by_loop(head.head, result.x.astype(np.float64), list(range(6)))
        np.testing.assert_allclose(head.scores, expected, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(head.maps.scores64, expected, rtol=1e-6, atol=1e-6)


def test_queries_and_keys_are_those_that_are_multiplied() -> None:
    for head in rope().heads:
        products = head.q.astype(np.float64) @ head.k.astype(np.float64).T / head.divisor
        np.testing.assert_allclose(products, head.scores, rtol=1e-5, atol=1e-6)
        lengths = np.linalg.norm(head.q, axis=1)[:, None] * np.linalg.norm(head.k, axis=1)
        np.testing.assert_allclose(head.cosine * lengths, products * head.divisor, rtol=1e-4, atol=1e-5)


def test_of_equal_words_only_the_distance_matters() -> None:
    for head in rope("cat cat cat cat cat").heads:
        for distance in range(-4, 5):
            diagonal = np.diagonal(head.scores, distance)
            np.testing.assert_allclose(diagonal, diagonal[0], atol=1e-5)
        assert np.ptp(head.scores[0]) > 1e-3  # without positions they would all be the same


def test_places_count_the_tokens_kept_and_those_kept_without_a_vector() -> None:
    dropped, kept = rope("the xyzzy cat"), rope("the xyzzy cat", unknown="keep")
    for result, places in ((dropped, [0, 1]), (kept, [0, 2])):
        head = result.heads[0]
        known = head.scores[np.ix_(result.known, result.known)]
        np.testing.assert_allclose(known, by_loop(head.head, result.x.astype(np.float64), places), atol=1e-6)
    assert np.isnan(kept.heads[0].q[1]).all()


def test_the_raw_side_and_what_the_heads_see_know_no_rotation() -> None:
    result, plain = rope(), rope(positions="none")
    assert np.array_equal(result.raw.scores, plain.raw.scores)
    assert np.array_equal(result.x0, plain.x0)
    assert not np.array_equal(result.scores, plain.scores)


@given(places=st.lists(st.integers(0, 600), min_size=1, max_size=5), half=st.integers(1, 8))
def test_a_turn_keeps_lengths_and_can_be_taken_back(places: list[int], half: int) -> None:
    vectors = np.random.default_rng(half).standard_normal((len(places), 2 * half))
    rotation = Rotation(np.array(places))
    there = rotation.turned(vectors)
    np.testing.assert_allclose(np.linalg.norm(there, axis=1), np.linalg.norm(vectors, axis=1))
    np.testing.assert_allclose(rotation.turned(there, back=True), vectors, atol=1e-12)
    last = len(places) - 1
    np.testing.assert_allclose(rotation.turned(vectors[last:], [last])[0], there[last])


@pytest.mark.parametrize("edit", ["w_q", "w_k", "w_v", "all of a head", "large weights", "exchanged", "bias"])
@pytest.mark.parametrize("size", ["small", "large"])
def test_an_edited_head_gives_bit_for_bit_what_a_fresh_evaluation_gives(edit: str, size: str) -> None:
    vectors, experiment = small() if size == "small" else large()
    heads = random_heads(len(experiment.heads), d_model=experiment.d_model, d_k=34, d_v=2)
    if size == "small":
        heads = random_heads(3, d_model=6, d_k=4, d_v=2)
    experiment = replace(experiment, heads=heads, positions="rope")
    edited = EDITS[edit](experiment)
    again = evaluate(edited, vectors, evaluate(experiment, vectors))
    assert_same(again, evaluate(edited, vectors))
    mixed = evaluate(experiment, vectors, evaluate(replace(experiment, positions="none"), vectors))
    assert_same(mixed, evaluate(experiment, vectors))


def test_large_work_in_float32_agrees_with_float64() -> None:
    vectors, experiment = large()
    heads = random_heads(2, d_model=90, d_k=34, d_v=2)
    result = evaluate(replace(experiment, heads=heads, positions="rope"), vectors)
    for head in result.heads:
        assert head.maps.projected.scores.dtype == np.float32
        np.testing.assert_allclose(head.pattern, head.maps.pattern64, atol=1e-6)


def test_odd_widths_and_other_scorings_are_refused_in_words() -> None:
    with pytest.raises(ExperimentError, match="d_k is 3") as odd:
        rope(d_k=3)
    assert "even d_k" in odd.value.remedy
    heads = random_heads(1, d_model=6, d_k=4, d_v=2)
    with pytest.raises(ExperimentError, match="head 0 scores by cosine"):
        rope(heads=(replace(heads[0], scoring="cosine"),))
