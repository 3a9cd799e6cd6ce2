"""Numbers that say what a head does, each a pure function; None where a measure is undefined.

All take scores S and patterns A as (query, key) arrays, compute in float64 and leave out rows that see no
token.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from askew.measure_texts import MEASURES as MEASURES

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from askew.arrays import BoolArray, Float64, FloatArray, IntArray

TIE = 1e-9
"""Weights that differ by less are equal: repeated words get the same weight but for the last bits."""

_NOTHING = 1e-12  # of the norm of S: what rounding in float64 leaves where exact arithmetic gives zero
_RANK_STEP = 1e-5  # of the largest absolute value: scores and cosines closer than this tie


@dataclass(frozen=True, slots=True)
class Sink:
    """The key that gets most: its column mean, its text and its row in the list of tokens."""

    value: float | None = None
    token: str | None = None
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Energy:
    """Shares of the scores' variation that rows, columns and pairs carry; their sum is 1."""

    row: float | None = None
    column: float | None = None
    pairing: float | None = None


@dataclass(frozen=True, slots=True)
class Measures:
    """All measures of one head, in the order of `MEASURES`."""

    self_weight: float | None = None
    self_first: float | None = None
    sharpness: float | None = None
    asymmetry: float | None = None
    pairing_asymmetry: float | None = None
    distance: float | None = None
    previous: float | None = None
    next: float | None = None
    first: float | None = None
    sink: Sink = Sink()
    divergence: float | None = None
    divergence_matched: float | None = None
    rank_agreement: float | None = None
    top3_overlap: float | None = None
    energy: Energy = Energy()


def self_weight(pattern: npt.ArrayLike) -> float | None:
    """Return mean_i A_ii; None unless square."""
    a = _patterns(pattern)
    return _mean(np.diagonal(a)[_seeing(a)]) if _is_square(a) else None


def self_first(pattern: npt.ArrayLike) -> float | None:
    """Return the share of rows with A_ii ≥ max_j A_ij − 1e-9; None unless square."""
    a = _patterns(pattern)
    if not _is_square(a):
        return None
    return _mean((np.diagonal(a) >= a.max(axis=1, initial=0.0) - TIE)[_seeing(a)])


def sharpness(pattern: npt.ArrayLike, hidden: BoolArray | None = None) -> float | None:
    """Return 1 − mean_i H_i / ln m_i over rows that see m_i ≥ 2 keys; `hidden` is True where masked."""
    a = _patterns(pattern)
    seen = _seen(a, hidden).sum(axis=1)
    rows = _seeing(a) & (seen >= 2)
    evenness = _mean(_entropy(a[rows]) / np.log(seen[rows]))
    return None if evenness is None else 1.0 - evenness


def asymmetry(scores: npt.ArrayLike) -> float | None:
    """Return ‖S₋‖² / ‖S‖² with S₋ = (S − Sᵀ)/2; None unless square and not all zero."""
    s = _defined(scores, square=True)
    if not _is_square(s):
        return None
    return _skew_share(s, floor=0.0)


def pairing_asymmetry(scores: npt.ArrayLike) -> float | None:
    """Return ‖I₋‖² / ‖I‖² of the doubly centred scores I; None unless square and I not zero."""
    s = _defined(scores, square=True)
    if not _is_square(s) or not s.size:
        return None
    return _skew_share(_centred(s)[2], floor=_NOTHING**2 * float(np.sum(s * s)))


def distance(pattern: npt.ArrayLike, rows: Sequence[int] | None = None) -> float | None:
    """Return mean_i Σ_j A_ij·|i − j| in tokens; None unless square. `rows` as in `measure_head`."""
    a = _patterns(pattern)
    if not _is_square(a):
        return None
    return _mean((a * np.abs(_steps(len(a), rows))).sum(axis=1)[_seeing(a)])


def previous_weight(pattern: npt.ArrayLike, rows: Sequence[int] | None = None) -> float | None:
    """Return the mean of A_i,i−1 over rows that have one; None unless square."""
    return _step_weight(_patterns(pattern), rows, -1)


def next_weight(pattern: npt.ArrayLike, rows: Sequence[int] | None = None) -> float | None:
    """Return the mean of A_i,i+1 over rows that have one; None unless square."""
    return _step_weight(_patterns(pattern), rows, 1)


def first_weight(pattern: npt.ArrayLike, rows: Sequence[int] | None = None) -> float | None:
    """Return mean_i A_i,0; None where the first token has no vector."""
    a = _patterns(pattern)
    return _mean(a[_seeing(a), 0]) if a.size and (rows is None or rows[0] == 0) else None


def sink(pattern: npt.ArrayLike) -> tuple[float, int] | None:
    """Return the largest column mean max_j mean_i A_ij and its j; the first of equal ones."""
    a = _patterns(pattern)
    rows = a[_seeing(a)]
    if not rows.size:
        return None
    means = rows.mean(axis=0)
    index = int(np.argmax(means >= means.max() - TIE))
    return float(means[index]), index


def divergence(pattern: npt.ArrayLike, other: npt.ArrayLike) -> float | None:
    """Return the mean Jensen–Shannon divergence of the rows, base 2, in [0, 1].

    JS(p, q) = H((p + q)/2) − (H(p) + H(q))/2 (Lin 1991), over rows that see something in both.
    """
    a, b = _patterns(pattern), _patterns(other)
    rows = _seeing(a) & _seeing(b)
    return _mean(_jensen_shannon(a[rows], b[rows]))


def rank_agreement(scores: npt.ArrayLike, cosines: npt.ArrayLike) -> float | None:
    """Return Spearman's ρ (mean ranks for ties) of off-diagonal scores with raw cosines.

    Both are rounded to 1e-5 of their largest absolute value first, so that repeated words tie. Pairs of which
    either is undefined are left out. None unless square, and where either side is constant.
    """
    s, c = np.asarray(scores, np.float64), np.asarray(cosines, np.float64)
    if not _is_square(s):
        return None
    pairs = ~np.eye(len(s), dtype=bool) & np.isfinite(s) & np.isfinite(c)
    x, y = (_mean_ranks(_coarse(values[pairs])) for values in (s, c))
    x, y = x - x.mean() if x.size else x, y - y.mean() if y.size else y
    norm = float(np.sqrt((x @ x) * (y @ y)))
    return float(np.clip((x @ y) / norm, -1.0, 1.0)) if norm else None


def top3_overlap(
    pattern: npt.ArrayLike, cosines: npt.ArrayLike, hidden: BoolArray | None = None
) -> float | None:
    """Return the share of the min(3, n − 1) most attended others among as many most similar others.

    Ties go by position. A row that sees fewer others is held to as many as it sees. None unless square.
    """
    a, c = _patterns(pattern), np.asarray(cosines, np.float64)
    if not _is_square(a):
        return None
    others = _seen(a, hidden) & np.isfinite(c) & ~np.eye(len(a), dtype=bool)
    with np.errstate(
        divide="ignore"
    ):  # the logarithm makes the tie a relative one: small weights have an order
        attended = np.round(np.log(a), 9)
    similar = np.round(c, 9)
    shares = []
    for i in np.flatnonzero(_seeing(a)):
        keys = np.flatnonzero(others[i])
        k = min(3, len(keys))
        if k:
            tops = (set(keys[np.argsort(-v[i, keys], kind="stable")[:k]]) for v in (attended, similar))
            shares.append(len(set.intersection(*tops)) / k)
    return _mean(np.array(shares))


def energies(scores: npt.ArrayLike) -> tuple[float, float, float] | None:
    """Return the shares of row, column and pairing energy in the scores (n, m).

    S_ij = μ + r_i + c_j + I_ij by double centring; the energies are m·Σr², n·Σc² and ‖I‖², and their shares
    sum to 1. None where S is constant.
    """
    s = _defined(scores, square=False)
    if not s.size:
        return None
    r, c, pairing = _centred(s)
    parts = np.array([s.shape[1] * (r @ r), s.shape[0] * (c @ c), np.sum(pairing**2)])
    total = float(parts.sum())
    if total <= _NOTHING**2 * float(np.sum(s * s)):
        return None
    row, column, pair = (float(part) for part in parts / total)
    return row, column, pair


def diversity(patterns: npt.ArrayLike) -> Float64:
    """Return the (H, H) mean row Jensen–Shannon divergences, base 2, of every two patterns (H, n, m)."""
    a = _patterns(patterns)
    a = a[:, _seeing(a).all(axis=0)]
    result = np.zeros((len(a), len(a)))
    for i in range(len(a)):
        for j in range(i + 1, len(a)):
            result[i, j] = result[j, i] = _mean(_jensen_shannon(a[i], a[j])) or 0.0
    return result


def effective_heads(patterns: npt.ArrayLike) -> float | None:
    """Return the row mean of exp(H(mean pattern) − mean H): 1, all heads alike, to H, all apart."""
    a = _patterns(patterns)
    if not len(a):
        return None
    a = a[:, _seeing(a).all(axis=0)]
    gap = _entropy(a.mean(axis=0)) - _entropy(a).mean(axis=0)
    return _mean(np.clip(np.exp(gap), 1.0, len(a)))


def measure_head(
    *,
    scores: FloatArray,
    pattern: FloatArray,
    raw_pattern: FloatArray,
    matched_pattern: FloatArray,
    cosines: FloatArray,
    tokens: Sequence[str],
    hidden: BoolArray | None = None,
    rows: Sequence[int] | None = None,
    square: bool = True,
) -> Measures:
    """Return every measure of a head.

    Parameters
    ----------
    scores, pattern
        (n, m) of the head, best in float64; scores before mask and temperature.
    raw_pattern, matched_pattern
        (n, m) raw patterns: as is, and with the entropy of each row matched to the head's.
    cosines
        (n, m) raw cosines; NaN is undefined.
    tokens
        The m keys.
    hidden
        (n, m), True where the mask hides a key; None hides nothing.
    rows
        For each key its index in the list of tokens shown; None means 0 to m − 1. Distances and neighbours
        are those of the tokens shown, so that an unknown word that is kept stands between two others.
    square
        False for two sentences: what compares a token with itself or its neighbours is undefined then.
    """
    return Measures(
        self_weight=self_weight(pattern) if square else None,
        self_first=self_first(pattern) if square else None,
        sharpness=sharpness(pattern, hidden),
        asymmetry=asymmetry(scores) if square else None,
        pairing_asymmetry=pairing_asymmetry(scores) if square else None,
        distance=distance(pattern, rows) if square else None,
        previous=previous_weight(pattern, rows) if square else None,
        next=next_weight(pattern, rows) if square else None,
        first=first_weight(pattern, rows),
        sink=_named(sink(pattern), tokens, rows),
        divergence=divergence(pattern, raw_pattern),
        divergence_matched=divergence(pattern, matched_pattern),
        rank_agreement=rank_agreement(scores, cosines) if square else None,
        top3_overlap=top3_overlap(pattern, cosines, hidden) if square else None,
        energy=Energy(*(energies(scores) or ())),
    )


def _named(top: tuple[float, int] | None, tokens: Sequence[str], rows: Sequence[int] | None) -> Sink:
    """Say which token a sink is."""
    if top is None:
        return Sink()
    value, key = top
    return Sink(value, tokens[key], key if rows is None else int(rows[key]))


def _patterns(values: npt.ArrayLike) -> Float64:
    """Return patterns in float64, no value taken as no weight."""
    return np.nan_to_num(np.asarray(values, np.float64), nan=0.0)


def _is_square(values: Float64) -> bool:
    """Tell whether queries and keys may be the same tokens."""
    return values.ndim == 2 and values.shape[0] == values.shape[1]


def _seeing(a: Float64) -> BoolArray:
    """Tell which rows of patterns (..., n, m) see a token."""
    return np.asarray(a.sum(axis=-1) > 0)


def _seen(a: Float64, hidden: BoolArray | None) -> BoolArray:
    """Tell which keys each row may look at."""
    return np.ones(a.shape, dtype=bool) if hidden is None else ~np.asarray(hidden, dtype=bool)


def _steps(n: int, rows: Sequence[int] | None) -> IntArray:
    """Return j − i of every pair, (n, n)."""
    places = np.arange(n) if rows is None else np.asarray(rows, dtype=np.intp)
    return np.asarray(places - places[:, None], dtype=np.intp)


def _step_weight(a: Float64, rows: Sequence[int] | None, step: int) -> float | None:
    """Return the mean of A_i,i+step over rows that see something and have such a token."""
    if not _is_square(a):
        return None
    return _mean(a[(_steps(len(a), rows) == step) & _seeing(a)[:, None]])


def _mean(values: Float64 | BoolArray) -> float | None:
    """Return the mean, or None of nothing."""
    return float(np.mean(values, dtype=np.float64)) if values.size else None


def _entropy(a: Float64) -> Float64:
    """Return the entropy of each row in nats; 0·ln 0 = 0."""
    return np.asarray(-(a * np.log(a, where=a > 0, out=np.zeros_like(a))).sum(axis=-1))


def _jensen_shannon(a: Float64, b: Float64) -> Float64:
    """Return the Jensen–Shannon divergence of each row in bits."""
    nats = _entropy((a + b) / 2) - (_entropy(a) + _entropy(b)) / 2
    return np.asarray(np.clip(nats / np.log(2), 0.0, 1.0))


def _defined(scores: npt.ArrayLike, *, square: bool) -> Float64:
    """Return the scores without the rows and columns that have no value; in a square, of the same tokens."""
    s = np.asarray(scores, np.float64)
    missing = ~np.isfinite(s)
    if not missing.any():
        return s
    rows, columns = ~missing.all(axis=1), ~missing.all(axis=0)
    if square and _is_square(s):
        rows = columns = rows & columns
    return s[np.ix_(rows, columns)]


def _centred(s: Float64) -> tuple[Float64, Float64, Float64]:
    """Split S into μ + r_i + c_j + I_ij; return r (n,), c (m,) and I (n, m)."""
    mean = s.mean()
    r, c = s.mean(axis=1) - mean, s.mean(axis=0) - mean
    return r, c, s - mean - r[:, None] - c


def _skew_share(s: Float64, floor: float) -> float | None:
    """Return ‖(S − Sᵀ)/2‖² / ‖S‖², or None where ‖S‖² is not above `floor`."""
    total = float(np.sum(s * s))
    return float(np.sum(((s - s.T) / 2) ** 2)) / total if total > floor else None


def _coarse(values: Float64) -> Float64:
    """Round to 1e-5 of the largest absolute value."""
    largest = np.abs(values).max(initial=0.0)
    return np.rint(values / (_RANK_STEP * largest)) if largest > 0 else np.zeros_like(values)


def _mean_ranks(values: Float64) -> Float64:
    """Return ranks from 1, equal values sharing the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray(((2 * last - counts + 1) / 2)[inverse], np.float64)
