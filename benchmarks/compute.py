"""Evaluation against plain matmul at its limit, and against einsum."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

import askew
from benchmarks.baselines import einsum_patterns, stacked
from benchmarks.material import Editor, made_experiment
from benchmarks.table import Row
from benchmarks.timing import pairs_of, seconds_a_call

if TYPE_CHECKING:
    from askew.experiment import Experiment
    from askew.heads import Head

LIMIT_SIZE = 2048


def rows() -> list[Row]:
    """Return the rows of the table that need no window."""
    return [fraction_of_limit(), *(against_einsum(n) for n in (16, 64, 256, 512))]


def fraction_of_limit() -> Row:
    """Patterns of 16 heads, d = 768, n = 64, as a share of what a large matmul reaches."""
    n, d_model, heads, d_k = 64, 768, 16, 48
    experiment, vectors = made_experiment(n, d_model, heads, d_k)
    base = askew.evaluate(experiment, vectors)
    fresh = [_copies(experiment), _copies(experiment)]
    flops = heads * (2 * n * d_model * 2 * d_k + 2 * n * n * d_k)
    square = np.random.default_rng(0).standard_normal((LIMIT_SIZE, LIMIT_SIZE), dtype=np.float32)
    turn = 0

    def ours() -> object:
        nonlocal turn
        turn = 1 - turn
        return askew.evaluate(fresh[turn], vectors, previous=base).pattern

    with threadpool_limits(1, user_api="blas"):
        timed = pairs_of(ours, lambda: square @ square, at_least=0.15)
    limit_flops = 2 * LIMIT_SIZE**3
    shares = [
        (flops / ours) / (limit_flops / limit) for ours, limit in zip(timed.ours, timed.baseline, strict=True)
    ]
    error = _largest_error(experiment, base)
    share = float(np.median(shares))
    return Row(
        "patterns of 16 heads, d = 768, n = 64",
        "matmul 2048³ at its limit, both in CPU time with 1 BLAS thread",
        f"{timed.ours_ms:.2f} ms",
        f"{share:.2f} of the limit, error {error:.0e}",
        "≥ 0.65, error ≤ 1e-6",
        share >= 0.65 and error <= 1e-6,
    )


def against_einsum(n: int) -> Row:
    """Evaluate 12 heads, d = 300: all heads anew, and one edited."""
    experiment, vectors = made_experiment(n, 300, 12)
    base = askew.evaluate(experiment, vectors)
    fresh = [_copies(experiment), _copies(experiment)]
    editor, turn = Editor(experiment), 0
    x, w_q, w_k = base.x, stacked(experiment, "w_q"), stacked(experiment, "w_k")

    def all_heads() -> object:
        nonlocal turn
        turn = 1 - turn
        return askew.evaluate(fresh[turn], vectors, previous=base).pattern

    timed = pairs_of(all_heads, lambda: einsum_patterns(x, w_q, w_k))
    edited = seconds_a_call(lambda: askew.evaluate(editor.next(), vectors, previous=base).pattern, 0.2)
    return Row(
        f"evaluate 12 heads, d = 300, n = {n}",
        f"einsum, same maths: {timed.baseline_ms:.2f} ms",
        f"{timed.ours_ms:.2f} ms; one edited head {1e3 * edited:.2f} ms",
        f"{timed.ratio:.1f}×",
        "",
        None,
    )


def _copies(experiment: Experiment) -> Experiment:
    """Return the experiment with heads whose numbers are new arrays, so that nothing is shared."""
    heads = tuple(replace(head, w_q=head.w_q.copy(), w_k=head.w_k.copy()) for head in experiment.heads)
    return replace(experiment, heads=heads)


def _largest_error(experiment: Experiment, evaluation: askew.Evaluation) -> float:
    """Return how far the float32 patterns are from float64 ones, at most."""
    x = evaluation.x.astype(np.float64)
    return max(
        float(np.abs(_pattern64(x, head) - result.pattern).max())
        for head, result in zip(experiment.heads, evaluation.heads, strict=True)
    )


def _pattern64(x: npt.NDArray[np.float64], head: Head) -> npt.NDArray[np.float64]:
    scores = (x @ head.w_q.astype(np.float64)) @ (x @ head.w_k.astype(np.float64)).T / np.sqrt(head.d_k)
    weights: npt.NDArray[np.float64] = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return weights
