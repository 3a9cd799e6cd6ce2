"""What an evaluation shares with an earlier one, and that sharing never changes a bit."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askew import projection
from askew.experiment import Evaluation, Experiment, evaluate
from askew.heads import PARTS
from askew.initializers import random_heads
from askew.scoring import SCORINGS
from askew.vectors import WordVectors

if TYPE_CHECKING:
    from collections.abc import Callable

    from askew.arrays import Float32, Float64
    from askew.heads import Head

NAMES = ("pattern", "scores", "outputs", "q", "k", "v", "cosine")
LARGE_WORDS = tuple(a + b + c for a in "abcdefg" for b in "hijkl" for c in "mno")


def small() -> tuple[WordVectors, Experiment]:
    words = ("the", "cat", "sat", "on", "mat")
    vectors = WordVectors.from_arrays(words, np.random.default_rng(1).standard_normal((5, 6), np.float32))
    return vectors, Experiment(
        "the cat sat on the mat", vectors.ref, random_heads(3, d_model=6, d_k=3, d_v=2)
    )


def large() -> tuple[WordVectors, Experiment]:
    matrix = np.random.default_rng(1).standard_normal((len(LARGE_WORDS), 90), np.float32)
    vectors = WordVectors.from_arrays(LARGE_WORDS, matrix)
    heads = random_heads(4, d_model=90, d_k=33, d_v=2)
    return vectors, Experiment(" ".join(LARGE_WORDS), vectors.ref, heads)


BOTH_SIZES = pytest.mark.parametrize("made", [small, large])


def drawn_again(head: Head, parts: str = "qkv", scale: float = 1.5) -> Head:
    return replace(head, **{f"w_{part}": getattr(head, f"w_{part}") * np.float32(scale) for part in parts})


def with_head(experiment: Experiment, index: int, head: Head) -> Experiment:
    heads = list(experiment.heads)
    heads[index] = head
    return replace(experiment, heads=tuple(heads))


def assert_same(one: Evaluation, two: Evaluation) -> None:
    assert one.experiment == two.experiment
    for a, b in zip(one.heads, two.heads, strict=True):
        for name in NAMES:
            assert np.array_equal(getattr(a, name), getattr(b, name), equal_nan=True), name
        if len(one.tokens) < 10:  # slow beyond
            assert a.measures == b.measures
    for name in ("pattern", "scores", "dot", "scaled", "cosine"):
        assert np.array_equal(getattr(one.raw, name), getattr(two.raw, name), equal_nan=True), name


EDITS: dict[str, Callable[[Experiment], Experiment]] = {
    "nothing": replace,
    "w_q": lambda e: with_head(e, 0, drawn_again(e.heads[0], "q")),
    "w_k": lambda e: with_head(e, 1, drawn_again(e.heads[1], "k")),
    "w_v": lambda e: with_head(e, 1, drawn_again(e.heads[1], "v")),
    "all of a head": lambda e: with_head(e, 2, drawn_again(e.heads[2])),
    "large weights": lambda e: with_head(e, 2, drawn_again(e.heads[2], "q", 1e3)),
    "bias": lambda e: with_head(e, 0, replace(e.heads[0], b_q=np.ones(e.heads[0].d_k, np.float32))),
    "exchanged": lambda e: with_head(e, 0, replace(e.heads[0], w_q=e.heads[0].w_k, w_k=e.heads[0].w_q)),
    "pasted": lambda e: with_head(e, 2, e.heads[0]),
    "scoring": lambda e: with_head(e, 1, replace(e.heads[1], scoring="distance")),
    "no projection": lambda e: with_head(e, 1, replace(e.heads[1], scoring="raw")),
    "locked": lambda e: with_head(e, 1, replace(e.heads[1], locked=frozenset(PARTS))),
    "fewer heads": lambda e: replace(e, heads=e.heads[:2]),
    "more heads": lambda e: replace(e, heads=(*e.heads, drawn_again(e.heads[0]))),
    "all heads": lambda e: replace(e, heads=tuple(drawn_again(head) for head in e.heads)),
    "mask": lambda e: replace(e, mask="causal"),
    "temperature": lambda e: replace(e, temperature=0.5),
    "low temperature": lambda e: replace(e, temperature=1e-3),
    "text": lambda e: replace(e, text=e.text[8:]),
    "normalize": lambda e: replace(e, normalize="layer"),
    "raw": lambda e: replace(e, raw="cosine"),
    "quantity": lambda e: replace(e, quantity="scores"),
}


@BOTH_SIZES
@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_gives_bit_for_bit_what_a_fresh_evaluation_gives(
    made: Callable[[], tuple[WordVectors, Experiment]], edit: str
) -> None:
    vectors, experiment = made()
    before = evaluate(experiment, vectors)
    edited = EDITS[edit](experiment)
    after = evaluate(edited, vectors, previous=before)
    assert_same(after, evaluate(edited, vectors))
    assert_same(evaluate(experiment, vectors, previous=after), before)


@given(st.lists(st.sampled_from(sorted(EDITS)), min_size=2, max_size=6), st.sampled_from(list(SCORINGS)))
def test_any_run_of_edits_gives_bit_for_bit_what_a_fresh_evaluation_gives(
    edits: list[str], scoring: str
) -> None:
    vectors, experiment = small()
    experiment = with_head(experiment, 0, replace(experiment.heads[0], scoring=scoring))
    result = evaluate(experiment, vectors)
    for edit in edits:
        if len(experiment.heads) < 3:
            experiment = replace(experiment, heads=random_heads(3, d_model=6, d_k=3, d_v=2))
        experiment = EDITS[edit](experiment)
        result = evaluate(experiment, vectors, previous=result)
    assert_same(result, evaluate(experiment, vectors))


@BOTH_SIZES
def test_the_number_of_heads_changes_no_bit_of_a_head(
    made: Callable[[], tuple[WordVectors, Experiment]], monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors, experiment = made()
    together = evaluate(experiment, vectors)
    alone = [evaluate(replace(experiment, heads=(head,)), vectors) for head in experiment.heads]
    monkeypatch.setattr(projection, "CHUNK_EFFORT", 1)
    pieces = evaluate(experiment, vectors)
    for index, one in enumerate(alone):
        for name in NAMES:
            expected = getattr(one.heads[0], name)
            assert np.array_equal(getattr(together.heads[index], name), expected)
            assert np.array_equal(getattr(pieces.heads[index], name), expected)


@BOTH_SIZES
def test_changing_w_v_shares_every_pattern_and_changes_the_outputs(
    made: Callable[[], tuple[WordVectors, Experiment]],
) -> None:
    vectors, experiment = made()
    before = evaluate(experiment, vectors)
    edited = replace(experiment, heads=tuple(drawn_again(head, "v", 2) for head in experiment.heads))
    after = evaluate(edited, vectors, previous=before)
    for old, new in zip(before.heads, after.heads, strict=True):
        assert new.pattern is old.pattern
        assert new.scores is old.scores
        assert new.measures is old.measures
        assert new.outputs == pytest.approx(2 * old.outputs)
    assert np.array_equal(evaluate(edited, vectors).pattern, before.pattern)


def test_only_what_was_edited_is_projected_again(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors, experiment = small()
    before = evaluate(experiment, vectors)
    weights: list[Float32] = []

    def counted(x: Float64, w: Float32, b: Float32 | None, out: Float64) -> Float64:
        weights.append(w)
        return np.matmul(x, w, out=out)

    monkeypatch.setattr(projection, "project", counted)
    after = evaluate(EDITS["w_q"](experiment), vectors, previous=before)
    assert [w.tobytes() for w in weights] == [after.experiment.heads[0].w_q.tobytes()]
    assert after.heads[1:] == before.heads[1:]
    assert after.raw is before.raw
    assert after.x is before.x
    weights.clear()
    for edit in ("exchanged", "pasted", "w_v", "locked", "mask", "temperature", "fewer heads", "raw"):
        evaluate(EDITS[edit](experiment), vectors, previous=before)
    assert not weights


def test_mask_and_temperature_keep_the_scores() -> None:
    vectors, experiment = small()
    before = evaluate(experiment, vectors)
    for edit in ("mask", "temperature"):
        after = evaluate(EDITS[edit](experiment), vectors, previous=before)
        for old, new in zip(before.heads, after.heads, strict=True):
            assert new.maps.projected is old.maps.projected
            assert not np.array_equal(new.pattern, old.pattern)


def test_another_table_shares_nothing() -> None:
    vectors, experiment = small()
    other = WordVectors.from_arrays(("the", "cat", "sat", "on", "mat"), np.eye(5, 6, dtype=np.float32))
    before = evaluate(experiment, vectors)
    assert_same(evaluate(experiment, other, previous=before), evaluate(experiment, other))


def test_what_evaluate_returns_is_read_only() -> None:
    vectors, experiment = small()
    result = evaluate(experiment, vectors)
    arrays = [getattr(result.heads[0], name) for name in NAMES]
    arrays += [
        result.x,
        result.x0,
        result.e,
        result.scores,
        result.pattern,
        result.outputs,
        result.raw.pattern,
    ]
    assert not any(array.flags.writeable for array in arrays)
    assert {array.dtype for array in arrays} == {np.dtype(np.float32)}
