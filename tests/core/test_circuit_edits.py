"""Edits of the circuit: rank, balance, symmetry; against the d × d matrix and on real sentences."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askew import circuit, measures
from askew.circuit_edits import balanced, of_rank, symmetry
from askew.errors import WeightsError
from askew.examples import example
from askew.experiment import evaluate
from askew.initializers import random_heads
from askew.vectors import open_vectors

if TYPE_CHECKING:
    from askew.arrays import Float64
    from askew.experiment import Evaluation
    from askew.heads import Head

SENTENCES = ("the cat sat on the mat", "the animal did not cross the street because it was too tired")
SIZES = st.tuples(st.integers(1, 9), st.integers(1, 8), st.integers(0, 2**31))
SHARES = st.floats(-1, 1).filter(lambda s: abs(s) > 1e-6)


def random(d_model: int, d_k: int, seed: int, biases: bool = False) -> Head:
    head = random_heads(1, d_model=d_model, d_k=d_k, d_v=1, seed=seed)[0]
    if not biases:
        return head
    b_q, b_k = np.random.default_rng(seed).standard_normal((2, d_k))
    return replace(head, b_q=b_q, b_k=b_k)


def whole(head: Head) -> Float64:
    return head.w_q.astype(np.float64) @ head.w_k.astype(np.float64).T


def scores(head: Head, seed: int = 1) -> Float64:
    """Return scores of ten random tokens, biases and all."""
    x = np.random.default_rng(seed).standard_normal((10, head.d_model))
    sides = []
    for w, b in ((head.w_q, head.b_q), (head.w_k, head.b_k)):
        sides.append(x @ w.astype(np.float64) + (0.0 if b is None else b.astype(np.float64)))
    return np.asarray(sides[0] @ sides[1].T)


@cache
def trained(text: str) -> Evaluation:
    vectors = open_vectors("minilm-l6-v2")
    return evaluate(replace(example("trained", vectors), text=text), vectors)


def edited(before: Evaluation, heads: list[Head]) -> Evaluation:
    return evaluate(replace(before.experiment, heads=tuple(heads)), before.vectors)


@pytest.mark.parametrize("text", SENTENCES)
def test_full_rank_and_balance_change_no_pattern_of_the_trained_layer(text: str) -> None:
    before = trained(text)
    full = edited(before, [of_rank(head, head.d_k) for head in before.experiment.heads])
    even = edited(before, [balanced(head) for head in before.experiment.heads])
    assert np.abs(full.pattern - before.pattern).max() <= 1e-5
    assert np.abs(even.pattern - before.pattern).max() <= 1e-5
    assert np.abs(even.scores - before.scores).max() > 0


@given(SIZES, st.data())
def test_a_cut_circuit_is_the_best_of_its_rank(size: tuple[int, int, int], data: st.DataObject) -> None:
    head = random(*size, biases=True)
    rank = data.draw(st.integers(1, head.d_k))
    u, sigma, vt = np.linalg.svd(whole(head))
    best = (u[:, :rank] * sigma[:rank]) @ vt[:rank]
    cut = of_rank(head, rank)
    assert np.allclose(whole(cut), best, atol=1e-5)
    assert circuit.circuit_svd(of_rank(head, head.d_k)).rank <= head.d_k
    assert cut.b_q is head.b_q
    assert cut.b_k is head.b_k
    assert cut.w_v is head.w_v


def test_a_rank_that_is_there_already_gives_the_same_head() -> None:
    head = random(8, 4, 1, biases=True)
    narrow = replace(head, w_q=head.w_q * np.array([1, 1, 0, 0], np.float32))
    assert of_rank(head, 4) is head
    assert of_rank(narrow, 2) is narrow
    assert of_rank(narrow, 1) is not narrow
    assert of_rank(head, 3).recipe == "edited"


@pytest.mark.parametrize("rank", [0, -1, 5])
def test_ranks_outside_1_to_d_k_are_refused(rank: int) -> None:
    with pytest.raises(WeightsError, match=f"the rank is {rank}"):
        of_rank(random(8, 4, 1), rank)


@given(SIZES)
def test_balancing_keeps_every_score_and_evens_the_two_sides(size: tuple[int, int, int]) -> None:
    head = random(*size, biases=True)
    even = balanced(head)
    assert np.allclose(scores(even), scores(head), atol=1e-4 * np.abs(scores(head)).max())
    if circuit.circuit_svd(head).rank == head.d_k:
        q, k = (w.astype(np.float64) for w in (even.w_q, even.w_k))
        sigma = np.linalg.svd(whole(head), compute_uv=False)[: head.d_k]
        for gram in (q.T @ q, k.T @ k):
            assert np.allclose(gram, np.diag(sigma), atol=1e-5 * sigma[0])
        assert balanced(even) is even


@given(
    st.integers(0, 2**31), st.sampled_from(["q", "k", "both", "zero q", "zero k", "zero both"]), st.booleans()
)
def test_balancing_keeps_every_score_where_no_gauge_exists(seed: int, lost: str, doubled: bool) -> None:
    head = random(7, 4, seed, biases=True)
    w_q, w_k = head.w_q.copy(), head.w_k.copy()
    for w, name in ((w_q, "q"), (w_k, "k")):
        if name in lost or "both" in lost:
            w[:, 3] = w[:, 0] if doubled else 0.0
            w[:, :] = 0.0 if "zero" in lost else w
    head = replace(head, w_q=w_q, w_k=w_k)
    even = balanced(head)
    assert np.allclose(scores(even), scores(head), atol=1e-5 * max(1.0, np.abs(scores(head)).max()))


def test_balancing_gives_no_bias_to_a_head_that_has_none() -> None:
    even = balanced(random(8, 4, 1))
    assert even.b_q is None
    assert even.b_k is None
    assert np.argmax(np.linalg.norm(even.w_q, axis=0)) == 0


@pytest.mark.parametrize("scoring", ["cosine", "distance"])
def test_balancing_is_refused_where_it_would_change_the_pattern(scoring: str) -> None:
    with pytest.raises(WeightsError, match=f"the scoring {scoring} sees more"):
        balanced(replace(random(8, 4, 1), scoring=scoring))


@given(SIZES, SHARES)
def test_the_residual_is_what_the_head_misses_of_the_circuit_asked_for(
    size: tuple[int, int, int], s: float
) -> None:
    head = random(*size)
    m = whole(head)
    even, odd = (m + m.T) / 2, (m - m.T) / 2
    wanted = (1 - max(s, 0)) * even + (1 + min(s, 0)) * odd
    edit = symmetry(head, s)
    norm = np.linalg.norm(wanted)
    missed = np.linalg.norm(wanted - whole(edit.head)) / norm if norm > 1e-9 else 0.0
    assert edit.residual == pytest.approx(missed, abs=1e-5)
    if abs(s) < 1:
        sigma = np.linalg.svd(wanted, compute_uv=False)
        assert edit.residual == pytest.approx(np.linalg.norm(sigma[head.d_k :]) / norm, abs=1e-5)


@given(st.integers(2, 9), st.integers(1, 4), st.integers(0, 2**31))
def test_skew_only_has_skew_scores_and_symmetric_only_symmetric_ones(d: int, half: int, seed: int) -> None:
    head = random(d, 2 * half, seed, biases=True)
    assert measures.asymmetry(scores(symmetry(head, 1.0).head)) == pytest.approx(1.0, abs=1e-6)
    assert measures.asymmetry(scores(symmetry(head, -1.0).head)) == pytest.approx(0.0, abs=1e-6)


def test_the_trained_heads_become_skew_and_symmetric_on_a_real_sentence() -> None:
    before = trained(SENTENCES[1])
    for s, wanted in ((1.0, 1.0), (-1.0, 0.0)):
        heads = [symmetry(head, s).head for head in before.experiment.heads]
        found = [each.asymmetry for each in edited(before, heads).measures]
        assert found == pytest.approx([wanted] * 12, abs=1e-6)


def test_an_odd_d_k_leaves_one_direction_empty_and_says_so() -> None:
    edit = symmetry(random(9, 5, 2), 1.0)
    assert circuit.circuit_svd(replace(edit.head, w_q=edit.head.w_q)).sigma[4] < 1e-6
    assert measures.asymmetry(scores(edit.head)) == pytest.approx(1.0, abs=1e-6)
    assert edit.note == "a skew matrix has an even rank, so one of 5 directions stays empty"


@pytest.mark.parametrize("s", [-1.0, -0.4, 0.4, 1.0])
def test_where_the_rank_allows_nothing_is_left_out(s: float) -> None:
    head = random(4, 4, 6)
    assert symmetry(head, s).residual == pytest.approx(0.0, abs=1e-12)


def test_as_is_returns_the_same_head_with_its_biases() -> None:
    head = random(8, 4, 1, biases=True)
    assert symmetry(head, 0.0).head is head
    assert symmetry(head, 0.0).note == ""


def test_biases_are_set_aside_and_it_is_said() -> None:
    edit = symmetry(random(8, 4, 1, biases=True), 0.5)
    assert edit.head.b_q is None
    assert edit.head.b_k is None
    assert edit.note == "b_q and b_k set aside"
    assert symmetry(random(8, 4, 1), 0.5).note == ""


def test_what_is_symmetric_already_stays_and_has_no_skew_part() -> None:
    head = random(8, 4, 1)
    tied = replace(head, w_k=head.w_q)
    assert symmetry(tied, -0.7).head is tied
    nothing = symmetry(tied, 1.0)
    assert not nothing.head.w_q.any()
    assert nothing.residual == 0.0
    assert nothing.note == "nothing is left: the circuit has no such part"
    biased = replace(tied, b_q=np.ones(4, np.float32))
    assert symmetry(biased, -0.7).head.w_q is tied.w_q
    assert symmetry(biased, -0.7).head.b_q is None


def test_a_small_move_of_the_slider_is_a_small_move_of_the_weights() -> None:
    head = random(12, 4, 3)
    first, second = (symmetry(head, s).head for s in (0.300, 0.301))
    assert np.abs(first.w_q - second.w_q).max() < 0.01


@pytest.mark.parametrize("s", [-1.01, 1.01, math.nan])
def test_shares_outside_minus_1_to_1_are_refused(s: float) -> None:
    with pytest.raises(WeightsError, match="the share of symmetry is"):
        symmetry(random(8, 4, 1), s)
