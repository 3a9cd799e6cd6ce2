"""Edits of the circuit M = W_q·W_kᵀ of a head, factored back into W_q and W_k of the same width.

M is all that `dot` and `scaled-dot` see of W_q and W_k where positions do not rotate them; other ways to
score see the matrices themselves. What all positions of a slider share is worked out once:
`rank_slider(head)(r)` is `of_rank(head, r)`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from askew.arrays import rounded32
from askew.blas import one_thread
from askew.circuit import NOTHING, circuit_svd
from askew.errors import WeightsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from askew.arrays import Float64
    from askew.circuit import CircuitSvd
    from askew.heads import Head

PRODUCTS_ONLY = ("scaled-dot", "dot", "raw")
"""Ways to score that see no more of W_q and W_k than their product."""

BALANCED_WITHIN = 1e-6
"""How far from balanced, relative to the largest number, rounding to float32 leaves a balanced head."""


def of_rank(head: Head, rank: int) -> Head:
    """Return the head with the best approximation of M of rank `rank` (Eckart and Young 1936).

    With M = UΣVᵀ cut after `rank` columns, W_q becomes UUᵀW_q and W_k becomes VVᵀW_k: their product is UΣVᵀ,
    and both stay as near to what they were as that allows. Biases stay as they are, so a head whose M has no
    more than this rank is returned as it is, its patterns unchanged with biases too.

    Raises
    ------
    WeightsError
        If the rank is not from 1 to d_k.
    """
    return rank_slider(head)(rank)


def rank_slider(head: Head) -> Callable[[int], Head]:
    """Return `of_rank` of this head for every rank."""
    svd = circuit_svd(head)
    q, k = svd.u.T @ head.w_q, svd.v.T @ head.w_k  # (m, d_k)

    @one_thread()
    def cut(rank: int) -> Head:
        if not 1 <= rank <= head.d_k:
            raise WeightsError(f"the rank is {rank}", remedy=f"Choose a whole number from 1 to {head.d_k}")
        if rank >= svd.rank:
            return head
        return _edited(head, svd.u[:, :rank] @ q[:rank], svd.v[:, :rank] @ k[:rank])

    return cut


@one_thread()
def balanced(head: Head) -> Head:
    """Return the head with W_q = U√Σ and W_k = V√Σ: equally large, and every pattern unchanged.

    But for rotary positions, which see more of W_q and W_k than their product.

    This is W_q·G, b_q·G, W_k·G⁻ᵀ, b_k·G⁻ᵀ with G = W_kᵀVΣ^(−½), G⁻ᵀ = W_qᵀUΣ^(−½). Where M has a rank r
    below d_k there is no such G; then its formulas give the first r columns, and what biases add to the
    scores beyond them takes a column of its own each: one for keys, one for queries. They are always free.

    Raises
    ------
    WeightsError
        If the head's scoring sees more of W_q and W_k than their product.
    """
    if head.scoring not in PRODUCTS_ONLY:
        raise WeightsError(
            f"balancing would change the pattern: the scoring {head.scoring} sees more than W_q·W_kᵀ",
            remedy="Choose the scoring dot or scaled-dot first",
        )
    if _is_balanced(head):
        return head
    svd = circuit_svd(head)
    r = svd.rank
    root = np.sqrt(svd.sigma[:r])
    w_q, w_k = np.zeros((2, head.d_model, head.d_k))
    w_q[:, :r], w_k[:, :r] = svd.u[:, :r] * root, svd.v[:, :r] * root
    b_q, b_k = _balanced_biases(head, svd, w_q, w_k)
    return _edited(
        head,
        w_q,
        w_k,
        b_q=None if head.b_q is None and not b_q.any() else rounded32(b_q),
        b_k=None if head.b_k is None and not b_k.any() else rounded32(b_k),
    )


def _balanced_biases(head: Head, svd: CircuitSvd, w_q: Float64, w_k: Float64) -> tuple[Float64, Float64]:
    """Return the biases that keep the scores; fill columns of `w_q`, `w_k` beyond the rank as needed."""
    old_q, old_k = (np.zeros(head.d_k) if b is None else b.astype(np.float64) for b in (head.b_q, head.b_k))
    r = svd.rank
    root, u, v = np.sqrt(svd.sigma[:r]), svd.u[:, :r], svd.v[:, :r]
    popularity, eagerness = head.w_k @ old_q, head.w_q @ old_k  # of keys, of queries: (d_model,)
    b_q, b_k = np.zeros((2, head.d_k))
    b_q[:r], b_k[:r] = (v.T @ popularity) / root, (u.T @ eagerness) / root
    beyond_k, beyond_q = popularity - v @ (v.T @ popularity), eagerness - u @ (u.T @ eagerness)
    constant = float(old_q @ old_k - b_q @ b_k)
    if abs(constant) <= NOTHING * np.linalg.norm(old_q) * np.linalg.norm(old_k):
        constant = 0.0
    column = r
    if column < head.d_k and _counts(beyond_k, popularity):
        b_q[column] = np.sqrt(np.linalg.norm(beyond_k))
        w_k[:, column], b_k[column] = beyond_k / b_q[column], constant / b_q[column]
        column, constant = column + 1, 0.0
    if column < head.d_k and _counts(beyond_q, eagerness):
        b_k[column] = np.sqrt(np.linalg.norm(beyond_q))
        w_q[:, column], b_q[column] = beyond_q / b_k[column], constant / b_k[column]
    elif column < head.d_k and constant:
        b_q[column] = np.sqrt(abs(constant))
        b_k[column] = np.copysign(b_q[column], constant)
    return b_q, b_k


def _counts(part: Float64, whole: Float64) -> bool:
    """Tell whether a part of a vector is more than rounding."""
    return bool(np.linalg.norm(part) > NOTHING * np.linalg.norm(whole))


def _is_balanced(head: Head) -> bool:
    """Tell whether W_qᵀW_q = W_kᵀW_k, diagonal and falling; that is balanced, up to signs and ties."""
    q, k = (w.astype(np.float64) for w in (head.w_q, head.w_k))
    squares, others = q.T @ q, k.T @ k
    within = BALANCED_WITHIN * float(np.abs(squares).max(initial=0.0))
    sizes = np.diagonal(squares)
    return bool(
        (np.abs(squares - others) <= within).all()
        and (np.abs(squares - np.diag(sizes)) <= within).all()
        and (np.diff(sizes) <= within).all()
    )


@dataclass(frozen=True, slots=True)
class SymmetryEdit:
    """What a symmetry edit came to.

    Attributes
    ----------
    head
        The edited head, or the very same where nothing was asked.
    residual
        ‖M wanted − M of the head‖ / ‖M wanted‖, 0 to 1: what d_k columns could not hold.
    note
        What was set aside, in words; empty if nothing.
    """

    head: Head
    residual: float = 0.0
    note: str = ""


def symmetry(head: Head, s: float) -> SymmetryEdit:
    """Return the head with M pulled towards its symmetric or its skew part.

    With S₊ = (M + Mᵀ)/2 and S₋ = (M − Mᵀ)/2: S₊ alone at s = −1, M at 0, S₋ alone at 1, in between (1 +
    min(s, 0))·S₋ + (1 − max(s, 0))·S₊. All of them live in the at most 2·d_k dimensions of the columns of
    [W_q W_k]. They are factored into d_k columns: exactly if the rank allows, else by the best
    approximation. That of S₋ takes its singular values by pairs, so that it is skew itself; at odd d_k one
    column stays empty. That of S₊ keeps the eigenvalues farthest from 0. Biases are set aside unless s = 0:
    their part of the scores is neither.

    Raises
    ------
    WeightsError
        If s is not from −1 to 1.
    """
    return symmetry_slider(head)(s)


@one_thread()
def symmetry_slider(head: Head) -> Callable[[float], SymmetryEdit]:
    """Return `symmetry` of this head for every s."""
    both = np.concatenate([head.w_q, head.w_k], axis=1).astype(np.float64)
    span, cores = np.linalg.qr(both)  # (d_model, m), (m, 2·d_k)
    q, k = cores[:, : head.d_k], cores[:, head.d_k :]
    core = q @ k.T
    even, odd = (core + core.T) / 2, (core - core.T) / 2
    even, odd = (np.where(_counts(part, core), part, 0.0) for part in (even, odd))

    @one_thread()
    def pull(s: float) -> SymmetryEdit:
        if not -1.0 <= s <= 1.0:
            raise WeightsError(f"the share of symmetry is {s}", remedy="Choose a number from −1 to 1")
        if s == 0.0:
            return SymmetryEdit(head)
        if not (odd if s < 0.0 else even).any():  # M is what was asked for already
            return _without_biases(head, s, float(np.linalg.norm(core)))
        wanted = (1.0 - max(s, 0.0)) * even + (1.0 + min(s, 0.0)) * odd
        left, sigma, right = _pairs(odd) if s == 1.0 else _mirrored(even) if s == -1.0 else _svd(wanted)
        count = head.d_k - head.d_k % 2 if s == 1.0 else head.d_k
        new_q, new_k = _turned(left, sigma, right, count, q, k)
        size = float(np.linalg.norm(wanted))
        missing = float(np.linalg.norm(sigma[count:]))
        edited = _edited(head, span @ new_q, span @ new_k, b_q=None, b_k=None)
        return SymmetryEdit(edited, missing / size if size else 0.0, _note(head, s, size))

    return pull


def _svd(core: Float64) -> tuple[Float64, Float64, Float64]:
    """Return left vectors, singular values from the largest down, right vectors, as columns."""
    left, sigma, right = np.linalg.svd(core)
    return left, sigma, right.T


def _mirrored(even: Float64) -> tuple[Float64, Float64, Float64]:
    """Return the decomposition of a symmetric matrix whose cuts are all symmetric."""
    values, vectors = np.linalg.eigh(even)
    order = np.argsort(-np.abs(values), kind="stable")
    values, vectors = values[order], vectors[:, order]
    return vectors, np.abs(values), vectors * np.where(values < 0, -1.0, 1.0)


def _pairs(odd: Float64) -> tuple[Float64, Float64, Float64]:
    """Return the decomposition of a skew matrix by pairs, ω·(y·xᵀ − x·yᵀ) each: even cuts are skew.

    i·S₋ is Hermitian; its eigenvector (x + iy)/√2 of ω > 0 gives the pair.
    """
    values, vectors = np.linalg.eigh(1j * odd)
    half = len(values) // 2
    order = np.argsort(-values, kind="stable")[:half]
    x, y = np.sqrt(2.0) * vectors[:, order].real, np.sqrt(2.0) * vectors[:, order].imag
    left = np.stack([y, -x], axis=2).reshape(len(odd), 2 * half)
    right = np.stack([x, y], axis=2).reshape(len(odd), 2 * half)
    return left, np.repeat(np.maximum(values[order], 0.0), 2), right


def _turned(
    left: Float64, sigma: Float64, right: Float64, count: int, q: Float64, k: Float64
) -> tuple[Float64, Float64]:
    """Return left·√σ and right·√σ, cut after `count` and turned to lie nearest to `q` and `k`, (m, d_k).

    Turning both alike leaves the product as it is (orthogonal Procrustes, Schönemann 1966). Without it, signs
    and order of the columns would jump about from one position of the slider to the next.
    """
    new_q, new_k = np.zeros((2, *q.shape))
    root = np.sqrt(sigma[:count])
    used = len(root)
    new_q[:, :used], new_k[:, :used] = left[:, :used] * root, right[:, :used] * root
    a, _, b = np.linalg.svd(new_q.T @ q + new_k.T @ k)
    turn = a @ b
    return new_q @ turn, new_k @ turn


def _without_biases(head: Head, s: float, size: float) -> SymmetryEdit:
    """Return the head as it is but for its biases."""
    if head.b_q is None and head.b_k is None:
        return SymmetryEdit(head)
    return SymmetryEdit(replace(head, b_q=None, b_k=None, recipe="edited"), note=_note(head, s, size))


def _note(head: Head, s: float, size: float) -> str:
    """Say what was set aside."""
    said = []
    biases = [name for name in ("b_q", "b_k") if getattr(head, name) is not None]
    if biases:
        said.append(f"{' and '.join(biases)} set aside")
    if not size:
        said.append("nothing is left: the circuit has no such part")
    elif s == 1.0 and head.d_k % 2:
        said.append(f"a skew matrix has an even rank, so one of {head.d_k} directions stays empty")
    return "; ".join(said)


def _edited(head: Head, w_q: Float64, w_k: Float64, **others: object) -> Head:
    """Return the head with other W_q and W_k."""
    return replace(head, w_q=rounded32(w_q), w_k=rounded32(w_k), recipe="edited", **others)  # type: ignore[arg-type]
