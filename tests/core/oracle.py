"""The numbers of one head worked out a second time, cell by cell, from the definitions alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from askew.arrays import BoolArray, Float64, IntArray

LARGEST_BETA = 1e4


@dataclass(frozen=True)
class Case:
    """What a head is given: rows x (m, d), their places among the tokens shown, weights, mask and so on."""

    x: Float64
    places: IntArray
    w_q: Float64
    w_k: Float64
    scoring: str
    hidden: BoolArray
    temperature: float


def scores_of(case: Case) -> Float64:
    q, k, d_model = case.x @ case.w_q, case.x @ case.w_k, case.x.shape[1]

    def score(i: int, j: int) -> float:
        match case.scoring:
            case "scaled-dot":
                return float(q[i] @ k[j] / math.sqrt(q.shape[1]))
            case "dot":
                return float(q[i] @ k[j])
            case "cosine":
                return cosine(q[i], k[j])
            case "distance":
                return float(-((q[i] - k[j]) @ (q[i] - k[j])) / 2)
        return float(case.x[i] @ case.x[j] / math.sqrt(d_model))

    rows = range(len(case.x))
    return np.array([[score(i, j) for j in rows] for i in rows])


def cosine(a: Float64, b: Float64) -> float:
    lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(np.clip(a @ b / lengths, -1, 1)) if lengths else math.nan


def cosines_of(x: Float64) -> Float64:
    return np.array([[cosine(a, b) for b in x] for a in x])


def weights(row: Float64, seen: BoolArray, beta: float) -> Float64:
    result = np.zeros(len(row))
    if seen.any():
        raised = np.exp(beta * (row[seen] - row[seen].max()))
        result[seen] = raised / raised.sum()
    return result


def seen_of(case: Case, scores: Float64) -> BoolArray:
    return np.asarray(~case.hidden & ~np.isnan(scores))


def pattern_of(case: Case, scores: Float64) -> Float64:
    seen = seen_of(case, scores)
    rows = zip(scores, seen, strict=True)
    return np.array([weights(row, keys, 1 / case.temperature) for row, keys in rows])


def entropy(p: Float64) -> float:
    return float(-sum(value * math.log(value) for value in p.tolist() if value > 0))


def divergence(p: Float64, q: Float64) -> float:
    return (entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2) / math.log(2)


def matched_row(row: Float64, seen: BoolArray, target: float) -> Float64:
    """Return softmax(β·row) with the entropy `target`, β by plain bisection."""
    if entropy(weights(row, seen, LARGEST_BETA)) > target:
        return weights(row, seen, LARGEST_BETA)
    low, high = 0.0, LARGEST_BETA
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if entropy(weights(row, seen, middle)) > target else (low, middle)
    return weights(row, seen, (low + high) / 2)


def matched_of(case: Case, pattern: Float64) -> Float64:
    dots = case.x @ case.x.T
    return np.array([matched_row(dots[i], ~case.hidden[i], entropy(pattern[i])) for i in range(len(dots))])


def same_scale_of(case: Case, scores: Float64) -> Float64:
    raw = case.x @ case.x.T / math.sqrt(case.x.shape[1])
    spread, raw_spread = (_spread(values, ~case.hidden) for values in (scores, raw))
    gamma = spread / raw_spread if raw_spread > 1e-10 else 1.0
    return pattern_of(case, raw * gamma)


def _spread(values: Float64, seen: BoolArray) -> float:
    rows = [row[keys] for row, keys in zip(values, seen, strict=True)]
    return math.sqrt(sum(float(((row - row.mean()) ** 2).sum()) for row in rows))


def measures_of(case: Case, scores: Float64, pattern: Float64, raw: Float64) -> dict[str, float | None]:
    """Return the measures that are single numbers, for a sentence whose scores are all defined."""
    n, at, seen = len(pattern), case.places.tolist(), seen_of(case, scores)
    rows, matched = range(n), matched_of(case, pattern)
    sharp = [entropy(pattern[i]) / math.log(seen[i].sum()) for i in rows if seen[i].sum() > 1]
    pairing = scores - scores.mean(1, keepdims=True) - scores.mean(0) + scores.mean()
    return {
        "self_weight": mean([pattern[i, i] for i in rows]),
        "self_first": mean([float(pattern[i, i] >= pattern[i].max() - 1e-9) for i in rows]),
        "sharpness": 1 - sum(sharp) / len(sharp) if sharp else None,
        "asymmetry": _skew(scores),
        "pairing_asymmetry": _skew(pairing) if np.abs(pairing).max() > 1e-9 else None,
        "distance": mean([sum(pattern[i, j] * abs(at[i] - at[j]) for j in rows) for i in rows]),
        "previous": mean([pattern[i, j] for i in rows for j in rows if at[j] == at[i] - 1]),
        "next": mean([pattern[i, j] for i in rows for j in rows if at[j] == at[i] + 1]),
        "first": mean([pattern[i, 0] for i in rows]) if at[0] == 0 else None,
        "divergence": mean([divergence(pattern[i], raw[i]) for i in rows]),
        "divergence_matched": mean([divergence(pattern[i], matched[i]) for i in rows]),
        "rank_agreement": _rank_agreement(scores, cosines_of(case.x)),
        "top3_overlap": _top3(pattern, cosines_of(case.x), seen),
    }


def mean(values: list[float]) -> float | None:
    return float(sum(values) / len(values)) if values else None


def _skew(values: Float64) -> float | None:
    total = float((values**2).sum())
    return float((((values - values.T) / 2) ** 2).sum()) / total if total else None


def _rank_agreement(scores: Float64, cosines: Float64) -> float | None:
    apart = ~np.eye(len(scores), dtype=bool) & ~np.isnan(cosines)
    both = [_steps(values[apart]) for values in (scores, cosines)]
    if len(set(both[0])) < 2 or len(set(both[1])) < 2:
        return None
    ranks = [[(values < one).sum() + (values <= one).sum() for one in values] for values in both]
    return float(np.corrcoef(ranks)[0, 1])


def _steps(values: Float64) -> Float64:
    largest = np.abs(values).max(initial=0.0) or 1.0
    return np.asarray(np.rint(values / (1e-5 * largest)), np.float64)


def _top3(pattern: Float64, cosines: Float64, seen: BoolArray) -> float | None:
    shares = []
    for i in range(len(pattern)):
        others = [j for j in range(len(pattern)) if j != i and seen[i, j] and not math.isnan(cosines[i, j])]
        if others:
            k = min(3, len(others))
            attended = sorted(others, key=lambda j: (-float(f"{pattern[i, j]:.9g}"), j))[:k]
            similar = sorted(others, key=lambda j: (-round(cosines[i, j], 9), j))[:k]
            shares.append(len({*attended} & {*similar}) / k)
    return mean(shares)
