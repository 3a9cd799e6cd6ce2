"""The circuit of a head: its numbers against the d × d matrix itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askew import circuit
from askew.heads import Head
from askew.initializers import random_heads
from askew.trained import trained_heads

SHAPES = st.tuples(st.integers(1, 9), st.integers(1, 12), st.integers(0, 2**31))


def head_of(d_model: int, d_k: int, seed: int) -> Head:
    return random_heads(1, d_model=d_model, d_k=d_k, d_v=1, seed=seed)[0]


def whole(head: Head) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return head.w_q.astype(np.float64) @ head.w_k.astype(np.float64).T


@given(SHAPES)
def test_norm_trace_and_asymmetry_are_those_of_the_matrix(shape: tuple[int, int, int]) -> None:
    head = head_of(*shape)
    m = whole(head)
    assert circuit.squared_norm(head) == pytest.approx(np.sum(m * m), rel=1e-9)
    assert circuit.trace_of_square(head) == pytest.approx(np.trace(m @ m), rel=1e-9, abs=1e-12)
    share = np.sum(((m - m.T) / 2) ** 2) / np.sum(m * m)
    assert circuit.asymmetry(head) == pytest.approx(share, abs=1e-9)


@given(SHAPES)
def test_the_decomposition_gives_the_matrix_back(shape: tuple[int, int, int]) -> None:
    head = head_of(*shape)
    svd = circuit.circuit_svd(head)
    m = whole(head)
    assert np.allclose((svd.u * svd.sigma) @ svd.v.T, m, atol=1e-12)
    assert np.allclose(svd.sigma, np.linalg.svd(m, compute_uv=False)[: len(svd.sigma)], atol=1e-12)
    for side in (svd.u, svd.v):
        assert np.allclose(side.T @ side, np.eye(len(svd.sigma)), atol=1e-12)


def test_a_trained_head_has_the_effective_rank_of_its_matrix() -> None:
    head = trained_heads()[2]
    sigma = np.linalg.svd(whole(head), compute_uv=False)[: head.d_k]
    shares = sigma / sigma.sum()
    assert circuit.effective_rank(head) == pytest.approx(np.exp(-(shares * np.log(shares)).sum()), rel=1e-9)


def test_equal_singular_values_have_the_effective_rank_of_their_number() -> None:
    head = random_heads(1, d_model=8, d_k=5, d_v=1, initializer="orthogonal")[0]
    assert circuit.effective_rank(head) == pytest.approx(5.0)
    column = np.eye(8, 5, dtype=np.float32) * np.array([1, 0, 0, 0, 0], np.float32)
    assert circuit.effective_rank(replace(head, w_q=column)) == pytest.approx(1.0)


def test_equal_projections_are_symmetric_and_a_turn_by_a_right_angle_is_skew() -> None:
    head = head_of(6, 4, 3)
    assert circuit.asymmetry(replace(head, w_k=head.w_q)) == pytest.approx(0.0, abs=1e-12)
    turned = Head(np.array([[1, 0], [0, 1]]), np.array([[0, -1], [1, 0]]), np.ones((2, 1), np.float32))
    assert circuit.asymmetry(turned) == pytest.approx(1.0)


def test_a_circuit_of_zeros_has_no_asymmetry_and_no_effective_rank() -> None:
    head = replace(head_of(6, 4, 3), w_k=np.zeros((6, 4), np.float32))
    assert circuit.asymmetry(head) is None
    assert circuit.effective_rank(head) is None
    assert circuit.circuit_svd(head).rank == 0


@pytest.mark.parametrize("size", [1e-38, 1e-20, 1e18, 1e37])
def test_no_size_of_the_weights_changes_asymmetry_or_effective_rank(size: float) -> None:
    head = head_of(6, 4, 3)
    resized = replace(head, w_q=head.w_q * np.float32(size), w_k=head.w_k * np.float32(size))
    for measure in (circuit.asymmetry, circuit.effective_rank):
        assert measure(resized) == pytest.approx(measure(head), rel=1e-4)


def test_the_rank_does_not_count_what_is_rounding() -> None:
    head = head_of(12, 6, 4)
    doubled = head.w_q.copy()
    doubled[:, 5] = doubled[:, 4]
    assert circuit.circuit_svd(head).rank == 6
    assert circuit.circuit_svd(replace(head, w_q=doubled)).rank == 5
