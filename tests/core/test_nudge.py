"""One cell gets the score or weight that is wanted, by the least change of one matrix."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from askew.errors import ExperimentError
from askew.examples import example
from askew.experiment import Evaluation, Experiment, evaluate
from askew.heads import Head
from askew.initializers import random_heads
from askew.nudge import Aim, nudge, score_for
from askew.vectors import WordVectors, open_vectors

if TYPE_CHECKING:
    from collections.abc import Callable

    from askew.nudge import Half

PARTS = pytest.mark.parametrize("part", ["q", "k"])
WORDS = ("the", "cat", "sat", "on", "mat")


@cache
def trained() -> Evaluation:
    vectors = open_vectors("minilm-l6-v2")
    return evaluate(example("trained", vectors), vectors)


@cache
def random(**fields: object) -> Evaluation:
    matrix = np.random.default_rng(1).standard_normal((5, 6), np.float32)
    vectors = WordVectors.from_arrays(WORDS, matrix)
    heads = random_heads(2, d_model=6, d_k=4, d_v=2, gain=1.5)
    biases = np.random.default_rng(2).standard_normal((2, 4)).astype(np.float32)
    heads = (replace(heads[0], b_q=biases[0], b_k=biases[1]), heads[1])
    experiment = Experiment("the cat sat on mat xyzzy", vectors.ref, heads, unknown="keep")
    return evaluate(replace(experiment, **fields), vectors)  # type: ignore[arg-type]


def anew(evaluation: Evaluation, h: int, head: Head) -> Evaluation:
    heads = list(evaluation.experiment.heads)
    heads[h] = head
    return evaluate(replace(evaluation.experiment, heads=tuple(heads)), evaluation.vectors)


def change(before: Head, after: Head, part: str) -> np.ndarray:
    name = f"w_{part}"
    return np.asarray(getattr(after, name), np.float64) - np.asarray(getattr(before, name), np.float64)


CASES: dict[str, Callable[[], Evaluation]] = {
    "random": random,
    "dot": lambda: random(heads=tuple(replace(head, scoring="dot") for head in random().experiment.heads)),
    "rope": lambda: random(positions="rope"),
    "causal": lambda: random(mask="causal", temperature=0.5),
    "trained": trained,
}


@PARTS
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("wanted", [-3.0, 0.0, 7.5])
def test_the_cell_gets_the_wanted_score(case: str, part: Half, wanted: float) -> None:
    evaluation = CASES[case]()
    for h, i, j in ((0, 2, 1), (1, 4, 4), (0, 3, 0)):
        done = nudge(evaluation, h, i, j, wanted, part)
        assert done.before == pytest.approx(evaluation.heads[h].scores[i, j], abs=1e-5)
        assert abs(done.after - wanted) < 1e-4
        fresh = anew(evaluation, h, done.head)
        assert abs(fresh.heads[h].scores[i, j] - wanted) < 1e-4
        assert done.head.recipe == "edited"
        other = "w_k" if part == "q" else "w_q"
        assert getattr(done.head, other) is getattr(evaluation.experiment.heads[h], other)


@PARTS
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("share", [0.001, 0.2, 0.6])
def test_the_cell_gets_the_wanted_share_of_its_row(case: str, part: Half, share: float) -> None:
    evaluation = CASES[case]()
    reached = 0
    for h, i, j in ((0, 2, 1), (1, 4, 3), (0, 3, 0)):
        if share > Aim(evaluation, h, i, j, part).curve.peak.weight:
            with pytest.raises(ExperimentError, match="the largest within reach"):
                score_for(evaluation, h, i, j, share, part)
            continue
        reached += 1
        score = score_for(evaluation, h, i, j, share, part)
        done = nudge(evaluation, h, i, j, score, part)
        assert abs(anew(evaluation, h, done.head).heads[h].pattern[i, j] - share) < 1e-4
    assert reached


@PARTS
@pytest.mark.parametrize("positions", ["none", "rope"])
def test_the_change_is_the_least_that_does_it(part: Half, positions: str) -> None:
    """Against numpy's least-norm solution of the one equation that the score is, found by differences."""
    evaluation = random(positions=positions)
    before = evaluation.experiment.heads[0]
    done = nudge(evaluation, 0, 2, 1, 4.0, part)
    made = change(before, done.head, part)
    name = f"w_{part}"
    row = np.zeros(made.size)
    for place in range(made.size):
        moved = getattr(before, name).copy()
        moved.flat[place] += 1.0
        result = anew(evaluation, 0, replace(before, **{name: moved}))
        row[place] = result.heads[0].maps.scores64[2, 1] - evaluation.heads[0].maps.scores64[2, 1]
    wanted = 4.0 - evaluation.heads[0].maps.scores64[2, 1]
    least = np.linalg.lstsq(row[None], np.array([wanted]), rcond=None)[0].reshape(made.shape)
    np.testing.assert_allclose(made, least, atol=2e-6)
    assert np.linalg.matrix_rank(made, tol=1e-5) == 1
    noise = np.random.default_rng(0).standard_normal(made.size)
    noise -= row * (row @ noise) / (row @ row)
    assert row @ (made.ravel() + noise) == pytest.approx(wanted, abs=1e-4)
    assert np.linalg.norm(made) < np.linalg.norm(made.ravel() + noise)


def test_what_else_changes_is_told() -> None:
    evaluation = random()
    done = nudge(evaluation, 0, 2, 1, 4.0)
    after = anew(evaluation, 0, done.head).heads[0]
    scores = after.scores - evaluation.heads[0].scores
    told = done.collateral
    np.testing.assert_allclose(told.scores, scores, atol=1e-6)
    np.testing.assert_allclose(told.pattern, after.pattern - evaluation.heads[0].pattern, atol=1e-6)
    others = np.isfinite(scores)
    others[2, 1] = False
    assert told.largest_score == pytest.approx(np.abs(scores[others]).max(), abs=1e-6)
    assert told.rms_score == pytest.approx(np.sqrt(np.mean(scores[others] ** 2)), abs=1e-6)
    assert told.largest_weight > 0.01
    assert told.alike == ()


def test_hidden_cells_count_for_nothing_in_what_else_changes() -> None:
    evaluation = random(mask="causal")
    told = nudge(evaluation, 0, 4, 1, 9.0).collateral
    assert evaluation.mask is not None
    seen = ~evaluation.mask & np.isfinite(told.scores)
    seen[4, 1] = False
    assert told.largest_score == pytest.approx(np.abs(told.scores[seen]).max())


def test_cells_of_equal_words_move_along() -> None:
    evaluation = random(text="the cat sat on the mat")
    told = nudge(evaluation, 0, 0, 5, 6.0).collateral
    assert told.alike == ((4, 5),)
    assert told.scores[4, 5] == told.scores[0, 5]
    both = nudge(evaluation, 0, 4, 0, 6.0).collateral
    assert set(both.alike) == {(0, 0), (0, 4), (4, 4)}


def test_equal_words_share_what_a_row_can_give() -> None:
    evaluation = random(text="the the cat")
    assert Aim(evaluation, 0, 2, 0).curve.peak.weight <= 0.5
    with pytest.raises(ExperimentError, match=r"the largest within reach is 0\.500"):
        score_for(evaluation, 0, 2, 0, 0.6)


def test_a_row_that_sees_one_token_gives_it_all_whatever_its_score() -> None:
    with pytest.raises(ExperimentError, match=r"the smallest within reach is 1\.000"):
        score_for(random(mask="causal"), 0, 0, 0, 0.5)


@pytest.mark.parametrize("share", [0.0, 1.0, -0.1, float("nan")])
def test_a_share_is_between_none_and_all(share: float) -> None:
    with pytest.raises(ExperimentError, match="the wanted weight is"):
        score_for(random(), 0, 1, 1, share)


def test_the_wanted_score_the_cell_has_changes_nothing() -> None:
    evaluation = random()
    aim = Aim(evaluation, 0, 2, 1)
    assert aim.head_for(aim.score).w_q is evaluation.experiment.heads[0].w_q


@pytest.mark.parametrize(
    ("fields", "cell", "message"),
    [
        ({}, (5, 0), "the word of row 6 has no vector"),
        ({}, (0, 5), "the word of column 6 has no vector"),
        ({}, (0, 6), "there is no column 7"),
        ({"mask": "causal"}, (1, 3), "row 2 may not see column 4"),
    ],
)
def test_cells_that_have_no_value_or_do_not_count_are_refused(
    fields: dict[str, object], cell: tuple[int, int], message: str
) -> None:
    with pytest.raises(ExperimentError, match=message):
        nudge(random(**fields), 0, *cell, 1.0)


def test_other_scorings_other_heads_and_endless_scores_are_refused() -> None:
    head = replace(random().experiment.heads[0], scoring="cosine")
    with pytest.raises(ExperimentError, match="head 0 scores by cosine"):
        nudge(anew(random(), 0, head), 0, 0, 0, 1.0)
    with pytest.raises(ExperimentError, match="there is no head 2"):
        nudge(random(), 2, 0, 0, 1.0)
    with pytest.raises(ExperimentError, match="the wanted score is inf"):
        nudge(random(), 0, 0, 0, float("inf"))
    with pytest.raises(ExperimentError, match="larger than float32"):
        nudge(random(), 0, 0, 0, 1e300)


@PARTS
def test_zero_vectors_are_refused_by_name(part: Half) -> None:
    vectors = WordVectors.from_arrays(["none", "one"], np.array([[0, 0], [1, 2]], np.float32))
    eye = np.eye(2, dtype=np.float32)
    evaluation = evaluate(Experiment("none one", vectors.ref, (Head(eye, eye, eye),)), vectors)
    who = {"q": "the vector of row 1", "k": "the query of row 1"}[part]
    with pytest.raises(ExperimentError, match=f"{who} is all zeros, so no W_{part} changes"):
        nudge(evaluation, 0, 0, 1, 1.0, part)
    who = {"q": "the key of column 1", "k": "the vector of column 1"}[part]
    with pytest.raises(ExperimentError, match=f"{who} is all zeros"):
        nudge(evaluation, 0, 1, 0, 1.0, part)
