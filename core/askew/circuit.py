"""The circuit M = W_q·W_kᵀ of a head, what its scores really are, without ever forming the d × d matrix.

A query x and a key y score xᵀ·M·y before bias and divisor. Whatever invertible G: W_q·G and W_k·G⁻ᵀ have the
same M, so the numbers here say what W_q and W_k alone cannot (Elhage et al. 2021, "A Mathematical Framework
for Transformer Circuits"). All is float64.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from askew.blas import one_thread

if TYPE_CHECKING:
    from askew.arrays import Float64
    from askew.heads import Head

NOTHING = 1e-12
"""Singular values, and parts of a matrix, below this share of the largest are rounding."""

FLOAT32_NOISE = 1e-6
"""Singular values below this share of the largest may come from rounding W_q and W_k to float32."""


@dataclass(frozen=True, slots=True, eq=False)
class CircuitSvd:
    """M = u · diag(sigma) · vᵀ.

    Attributes
    ----------
    u, v
        (d_model, m), orthonormal columns, m = min(d_model, d_k). The largest number of each column of u is
        positive.
    sigma
        (m,), from the largest down.
    """

    u: Float64
    sigma: Float64
    v: Float64

    @property
    def rank(self) -> int:
        """How many singular values are more than rounding in float64."""
        return self.rank_above(NOTHING)

    def rank_above(self, share: float) -> int:
        """Return how many singular values are above a share of the largest."""
        return int(np.count_nonzero(self.sigma > share * self.sigma.max(initial=0.0)))

    @property
    def effective_rank(self) -> float | None:
        """exp(H(σ/Σσ)), from 1 to d_k (Roy and Vetterli 2007); None where M is zero."""
        if not self.sigma.max(initial=0.0) > 0.0:
            return None
        shares = self.sigma / self.sigma.max()
        shares = shares[shares > 0.0] / shares.sum()
        return float(np.exp(-np.sum(shares * np.log(shares))))


@one_thread()
def squared_norm(head: Head) -> float:
    """Return ‖M‖² = Σ (W_qᵀW_q ∘ W_kᵀW_k)."""
    q, k = _exact(head)
    return float(np.sum((q.T @ q) * (k.T @ k)))


@one_thread()
def trace_of_square(head: Head) -> float:
    """Return tr(M·M) = tr((W_kᵀW_q)²): ‖M‖² where M is symmetric, −‖M‖² where it is skew."""
    q, k = _exact(head)
    core = k.T @ q
    return float(np.sum(core * core.T))


def asymmetry(head: Head) -> float | None:
    """Return the skew share ‖M₋‖²/‖M‖² = (1 − tr(MM)/‖M‖²)/2 with M₋ = (M − Mᵀ)/2; None where M is zero.

    0 where M is symmetric, 1 where it is purely skew; the symmetric share is what is left to 1.
    """
    norm = squared_norm(head)
    return float(np.clip((1.0 - trace_of_square(head) / norm) / 2.0, 0.0, 1.0)) if norm > 0.0 else None


@one_thread()
def circuit_svd(head: Head) -> CircuitSvd:
    """Return the singular value decomposition of M, from two QRs and a core of d_k × d_k."""
    (q_span, q_core), (k_span, k_core) = (np.linalg.qr(w) for w in _exact(head))
    a, sigma, b = np.linalg.svd(q_core @ k_core.T)
    u, v = q_span @ a, k_span @ b.T
    largest = np.take_along_axis(u, np.abs(u).argmax(axis=0)[np.newaxis], axis=0)[0]
    sign = np.where(largest < 0, -1.0, 1.0)
    return CircuitSvd(u * sign, sigma, v * sign)


def effective_rank(head: Head) -> float | None:
    """Return how many directions M has, counted by their share; None where M is zero."""
    return circuit_svd(head).effective_rank


def _exact(head: Head) -> tuple[Float64, Float64]:
    """Return W_q and W_k in float64, whose products no float32 can overflow."""
    return head.w_q.astype(np.float64), head.w_k.astype(np.float64)
