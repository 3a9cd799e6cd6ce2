"""Every number of a head agrees with a second, slow implementation over random experiments."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core import oracle

from askew.compare import compare
from askew.experiment import Evaluation, Experiment, evaluate
from askew.heads import Head
from askew.scoring import SCORINGS
from askew.vectors import WordVectors

if TYPE_CHECKING:
    from askew.arrays import Float32

WORDS = ("red", "sky", "tree", "cat", "sat", "mat")
TEXTS = st.lists(st.sampled_from([*WORDS, "zzyzx"]), min_size=1, max_size=9).filter(
    lambda words: any(word in WORDS for word in words)
)


def weights(g: np.random.Generator, tied: bool) -> tuple[Float32, Float32, Float32]:
    q, k, v = (g.standard_normal((5, width)).astype(np.float32) for width in (3, 3, 2))
    return q, q if tied else k, v


def case_of(result: Evaluation) -> oracle.Case:
    """Return what the oracle needs, the mask worked out anew."""
    head, n = result.heads[0].head, len(result.known)
    later = result.known[None, :] > result.known[:, None]
    hidden = later if result.experiment.mask == "causal" else np.zeros((n, n), dtype=bool)
    return oracle.Case(
        result.setting.rows.e.astype(np.float64),
        result.known,
        head.w_q.astype(np.float64),
        head.w_k.astype(np.float64),
        head.scoring,
        hidden,
        result.experiment.temperature,
    )


@settings(max_examples=100)
@given(
    words=TEXTS,
    seed=st.integers(0, 2**31),
    tied=st.booleans(),
    scoring=st.sampled_from(sorted(SCORINGS)),
    mask=st.sampled_from(["none", "causal"]),
    temperature=st.sampled_from([0.1, 1.0, 10.0]),
    unknown=st.sampled_from(["drop", "keep"]),
)
def test_every_number_of_a_head_comes_out_the_same_when_worked_out_cell_by_cell(
    words: list[str],
    seed: int,
    tied: bool,
    scoring: str,
    mask: str,
    temperature: float,
    unknown: Literal["drop", "keep"],
) -> None:
    g = np.random.default_rng(seed)
    vectors = WordVectors.from_arrays(WORDS, g.standard_normal((len(WORDS), 5)).astype(np.float32))
    head = Head(*weights(g, tied), scoring=scoring)
    experiment = Experiment(
        " ".join(words), vectors.ref, (head,), mask=mask, temperature=temperature, unknown=unknown
    )
    result = evaluate(experiment, vectors)
    case, known = case_of(result), np.ix_(result.known, result.known)
    scores = oracle.scores_of(case)
    pattern = oracle.pattern_of(case, scores)
    raw = oracle.pattern_of(case, case.x @ case.x.T / np.sqrt(5))
    assert result.scores[0][known] == pytest.approx(scores, rel=1e-6, abs=1e-5)
    assert result.pattern[0][known] == pytest.approx(pattern, abs=1e-6)
    assert result.raw.pattern[known] == pytest.approx(raw, abs=1e-6)
    sides = {
        "as-is": raw,
        "same-scale": oracle.same_scale_of(case, scores),
        "matched": oracle.matched_of(case, pattern),
    }
    for mode, side in sides.items():
        difference = compare(result, [0], mode=mode).difference[known]
        assert difference == pytest.approx(pattern - side, abs=2e-5), mode
    found = asdict(result.measures[0])
    for name, expected in oracle.measures_of(case, scores, pattern, raw).items():
        assert found[name] == (None if expected is None else pytest.approx(expected, abs=1e-6)), name
