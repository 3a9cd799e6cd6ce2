"""`evaluate`: values worked by hand, and which tokens are rows."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

import numpy as np
import pytest

from askew.experiment import Evaluation, Experiment, evaluate
from askew.heads import Head
from askew.initializers import random_heads
from askew.scoring import SCORINGS
from askew.tokens import TokenEdit
from askew.vectors import WordVectors

if TYPE_CHECKING:
    import numpy.typing as npt

CASES = {
    case["case"]: case
    for case in json.loads((Path(__file__).parents[1] / "data/cases/expected.json").read_text("utf-8"))
}
WORDS = ("the", "cat", "sat", "on", "mat", "dog", "nil")


class Fields(TypedDict, total=False):
    """What may differ from the defaults of an experiment."""

    normalize: str
    mask: str
    temperature: float
    raw: str
    unknown: Literal["drop", "keep"]
    edits: tuple[TokenEdit, ...]


def case(name: str) -> dict[str, Any]:
    return dict(CASES[name])


def table(dim: int = 6, scale: float = 1.0) -> WordVectors:
    matrix = np.random.default_rng(dim).standard_normal((len(WORDS), dim)) * scale
    matrix[-1] = 0
    return WordVectors.from_arrays(WORDS, matrix.astype(np.float32))


def evaluation(
    text: str, vectors: WordVectors, heads: tuple[Head, ...], **fields: Unpack[Fields]
) -> Evaluation:
    return evaluate(Experiment(text, vectors.ref, heads, **fields), vectors)


def of_rows(x: list[list[float]], *heads: Head) -> Evaluation:
    words = WORDS[: len(x)]
    vectors = WordVectors.from_arrays(words, np.array(x, np.float32))
    return evaluation(" ".join(words), vectors, heads)


def head(w_q: npt.ArrayLike, w_k: npt.ArrayLike, w_v: npt.ArrayLike | None = None) -> Head:
    query, key = np.array(w_q, np.float32), np.array(w_k, np.float32)
    return Head(query, key, query if w_v is None else np.array(w_v, np.float32))


def test_attention_is_not_similarity() -> None:
    d08 = case("D08")
    result = of_rows(d08["X"], head(d08["W_q"], d08["W_k"]))
    assert result.raw.dot.tolist() == d08["raw_similarity"]
    assert result.raw.pattern == pytest.approx(np.array(d08["raw_as_weights"]), abs=1e-7)
    assert result.heads[0].scores * np.sqrt(2) == pytest.approx(np.array(d08["scores"]), abs=1e-6)
    assert result.heads[0].pattern == pytest.approx(np.array(d08["weights"]), abs=1e-7)
    assert result.heads[0].divisor == pytest.approx(np.sqrt(2))


def test_equal_projections_give_symmetric_scores_but_not_symmetric_weights() -> None:
    d08 = case("D08")
    result = of_rows(d08["X"], head(d08["W_q"], d08["W_q"])).heads[0]
    assert np.array_equal(result.scores, result.scores.T)
    assert np.abs(result.pattern - result.pattern.T).max() > 0.01


def test_tiny_weights_give_nearly_even_patterns() -> None:
    d07 = case("D07")
    result = of_rows(d07["X"], head(d07["W_q"], d07["W_k"]))
    assert result.pattern[0] == pytest.approx(np.array(d07["weights"]), abs=3e-8)
    gap = np.abs(result.heads[0].maps.pattern64 - 1 / 3).max()
    assert gap == pytest.approx(np.abs(np.array(d07["weights"]) - 1 / 3).max(), rel=1e-9)
    even = [notice.text for notice in result.notices if notice.kind == "nearly-even"]
    assert even == ["head 0 is nearly even: scores differ by less than 0.0001"]


def test_the_divisor_is_the_root_of_d_k() -> None:
    d03 = case("D03")
    w_q, w_k = np.zeros((8, 2)), np.zeros((8, 2))
    w_q[:2], w_k[2:4] = np.eye(2), np.eye(2)
    x = [[*d03["Q"][0], *k, 0, 0, 0, 0] for k in d03["K"]]
    result = of_rows(x, head(w_q, w_k))
    assert result.pattern[0, 0] == pytest.approx(d03["weights"][0], abs=1e-7)


def test_values_are_mixed_by_the_pattern_and_the_pattern_does_not_know_them() -> None:
    d09 = case("D09")
    x, w_q, w_k = [[0.0, 1.0], [1.0, 1.0]], [[0.0], [1.0]], [[float(np.log(3))], [0.0]]
    values = np.array([[4.0], [1.0]])
    once = of_rows(x, head(w_q, w_k, values))
    assert once.pattern[0, 0] == pytest.approx([0.25, 0.75], abs=1e-7)
    assert once.outputs[0, :1] == pytest.approx(np.array(d09["output_before"]), abs=1e-6)
    twice = of_rows(x, head(w_q, w_k, 2 * values))
    assert twice.outputs[0, :1] == pytest.approx(np.array(d09["output_after_doubling"]), abs=1e-6)
    assert np.array_equal(once.pattern, twice.pattern)
    assert np.array_equal(once.scores, twice.scores)


def test_biases_are_added_to_queries_keys_and_values() -> None:
    ones = np.ones((2, 1))
    one, two, three = (np.array([bias], np.float32) for bias in (1, 2, 3))
    made = replace(head(ones, ones, ones), b_q=one, b_k=two, b_v=three)
    result = of_rows([[1.0, 0.0], [0.0, 3.0]], made).heads[0]
    assert result.q.tolist() == [[2], [4]]
    assert result.k.tolist() == [[3], [5]]
    assert result.v.tolist() == [[4], [6]]
    assert result.scores.tolist() == [[6, 10], [12, 20]]
    weight = 1 / (1 + np.exp(-4))
    assert result.outputs[0] == pytest.approx(4 + 2 * weight, abs=1e-6)


def test_each_scoring_through_a_whole_head() -> None:
    x, w = [[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]], np.eye(3, 2)
    scores = {
        name: of_rows(x, replace(head(w, w[:, ::-1]), scoring=name)).scores[0] for name in SCORINGS
    }  # q = (1, 0), (0, 1); k = (0, 1), (1, 0)
    assert scores["dot"].tolist() == [[0, 1], [1, 0]]
    assert scores["scaled-dot"] == pytest.approx(np.array([[0, 1], [1, 0]]) / np.sqrt(2))
    assert scores["cosine"].tolist() == [[0, 1], [1, 0]]
    assert scores["distance"].tolist() == [[-1, 0], [0, -1]]
    assert scores["raw"] == pytest.approx(np.array([[5, 2], [2, 2]]) / np.sqrt(3))


def test_the_cosine_of_a_head_is_that_of_queries_and_keys() -> None:
    result = of_rows([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]], head(np.eye(2), [[0, 1], [1, 0]]))
    undefined, half = np.nan, np.sqrt(0.5)
    expected = [[0, half, undefined], [half, 1, undefined], [undefined] * 3]
    assert result.heads[0].cosine == pytest.approx(np.array(expected), abs=1e-7, nan_ok=True)
    expected[0][0], expected[1][1] = 1, 1
    assert result.raw.cosine == pytest.approx(np.array(expected), abs=1e-7, nan_ok=True)


def test_undefined_cosine_scores_stay_outside_the_softmax() -> None:
    cosine_head = replace(head(np.eye(2), np.eye(2)), scoring="cosine")
    result = of_rows([[1.0, 0.0], [1.0, 0.0], [0.0, 0.0]], cosine_head)
    assert np.isnan(result.scores[0, 2]).all()
    assert np.isnan(result.scores[0, :, 2]).all()
    assert result.pattern[0].tolist() == [[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 0]]
    assert [notice.text for notice in result.notices if notice.kind == "sees-no-token"] == [
        "row 3 sees no token"
    ]
    assert result.measures[0].self_weight == 0.5


def test_normalization_comes_before_raw_and_heads() -> None:
    vectors = table()
    result = evaluation("the cat", vectors, random_heads(1, d_model=6, d_k=2, d_v=2), normalize="unit")
    assert np.linalg.norm(result.x0, axis=1) == pytest.approx(np.ones(2), abs=1e-6)
    assert result.x is result.x0
    assert np.array_equal(result.e, vectors.vectors(["the", "cat"]))
    assert result.raw.dot == pytest.approx(result.raw.cosine, abs=1e-6)


def test_mask_and_temperature_act_on_raw_and_head_alike() -> None:
    vectors, heads = table(), random_heads(2, d_model=6, d_k=2, d_v=2)
    result = evaluation("the cat sat", vectors, heads, mask="causal", temperature=0.5)
    assert result.mask is not None
    for pattern, scores in ((result.raw.pattern, result.raw.scaled), (result.pattern[1], result.scores[1])):
        assert pattern[0].tolist() == [1, 0, 0]
        odds = np.exp((scores[1, 0] - scores[1, 1]) / 0.5)
        assert pattern[1] == pytest.approx([odds / (1 + odds), 1 / (1 + odds), 0], abs=1e-6)


def test_the_raw_pattern_is_that_of_scaled_scores_whichever_scores_are_shown() -> None:
    vectors, heads = table(), random_heads(1, d_model=6, d_k=2, d_v=2)
    results = {raw: evaluation("the cat sat", vectors, heads, raw=raw) for raw in ("scaled", "dot", "cosine")}
    for kind, result in results.items():
        assert np.array_equal(result.raw.scores, getattr(result.raw, kind))
        assert np.array_equal(result.raw.pattern, results["scaled"].raw.pattern)
    assert results["dot"].raw.scores == pytest.approx(results["scaled"].raw.scores * np.sqrt(6), abs=1e-5)


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "zzyzx"])
@pytest.mark.parametrize("mask", ["none", "causal"])
def test_no_known_token_gives_empty_maps(text: str, mask: str) -> None:
    result = evaluation(text, table(), random_heads(2, d_model=6, d_k=2, d_v=3), mask=mask)
    assert result.scores.shape == result.pattern.shape == (2, 0, 0)
    assert result.outputs.shape == (2, 0, 3)
    assert result.raw.pattern.shape == result.raw.cosine.shape == result.heads[0].cosine.shape == (0, 0)
    assert result.notices == ()
    assert result.measures[0].self_weight is None


def test_one_token_sees_itself() -> None:
    result = evaluation("cat", table(), random_heads(1, d_model=6, d_k=2, d_v=2))
    assert result.pattern.tolist() == [[[1.0]]]
    assert result.raw.pattern.tolist() == [[1.0]]
    assert result.notices == ()
    assert result.measures[0].sharpness is None


def test_unknown_and_left_out_tokens_are_no_rows() -> None:
    leave_out = TokenEdit(4, 7, "leave-out")
    result = evaluation(
        "the cat zzyzx sat", table(), random_heads(1, d_model=6, d_k=2, d_v=2), edits=(leave_out,)
    )
    assert [token.text for token in result.tokens] == ["the", "sat"]
    assert [token.text for token in result.sentence] == ["the", "cat", "zzyzx", "sat"]
    assert [token.text for token in result.unknown] == ["zzyzx"]
    assert result.known.tolist() == [0, 1]


def test_unknown_tokens_that_are_kept_are_rows_without_values_outside_the_softmax() -> None:
    vectors, heads = table(), random_heads(2, d_model=6, d_k=2, d_v=3)
    kept = evaluation("the zzyzx cat sat", vectors, heads, unknown="keep", mask="causal")
    dropped = evaluation("the zzyzx cat sat", vectors, heads, mask="causal")
    assert [token.text for token in kept.tokens] == ["the", "zzyzx", "cat", "sat"]
    assert kept.known.tolist() == [0, 2, 3]
    for side, other in ((kept.raw, dropped.raw), *zip(kept.heads, dropped.heads, strict=True)):
        for name in ("pattern", "scores", "cosine"):
            full, small = getattr(side, name), getattr(other, name)
            assert full.shape == (4, 4)
            assert np.isnan(full[1]).all()
            assert np.isnan(full[:, 1]).all()
            assert np.array_equal(full[np.ix_(kept.known, kept.known)], small)
    for name in ("q", "k", "v", "outputs"):
        full, small = getattr(kept.heads[0], name), getattr(dropped.heads[0], name)
        assert np.isnan(full[1]).all()
        assert np.array_equal(full[kept.known], small)
    assert kept.mask is not None
    assert kept.mask.shape == (4, 4)
    sinks = kept.measures[0].sink, dropped.measures[0].sink
    assert sinks[0].value == sinks[1].value
    assert sinks[0].index == kept.known[sinks[1].index or 0]


def test_only_unknown_tokens_kept_give_maps_without_values() -> None:
    result = evaluation("zzyzx qqq", table(), random_heads(1, d_model=6, d_k=2, d_v=2), unknown="keep")
    assert result.pattern.shape == (1, 2, 2)
    assert np.isnan(result.pattern).all()
    assert np.isnan(result.raw.pattern).all()


def test_repeated_words_tie_exactly() -> None:
    for dim, d_k in ((6, 3), (300, 40)):
        text = "the cat sat on the mat the dog"
        result = evaluation(text, table(dim), random_heads(2, d_model=dim, d_k=d_k, d_v=2), normalize="layer")
        for maps in (result.scores, result.pattern, result.outputs, result.raw.cosine[None]):
            assert np.array_equal(maps[:, 0], maps[:, 4])
            assert np.array_equal(maps[:, 0], maps[:, 6])
        assert np.array_equal(result.pattern[:, :, 0], result.pattern[:, :, 4])
