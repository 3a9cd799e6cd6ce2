"""Which numbers, ranges and words the maps of an evaluation have."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from askew.evaluation import evaluate
from askew.examples import example
from askew.experiment import Experiment
from askew.heads import Head
from askew.heatmap import Heatmap, symmetric_limits
from askew.vectors import WordVectors
from askew_gui.maps.readout import bar_text, cell_sentence, cell_text, row_text
from askew_gui.maps.views import grid_maps, heads_title, three_maps, weights_map

if TYPE_CHECKING:
    from askew.evaluation import Evaluation


@pytest.fixture
def evaluation(vectors: WordVectors) -> Evaluation:
    return evaluate(example("glove-random", vectors), vectors)


def changed(evaluation: Evaluation, **fields: object) -> Evaluation:
    return evaluate(replace(evaluation.experiment, **fields), evaluation.vectors)  # type: ignore[arg-type]


def subtitles(evaluation: Evaluation) -> list[str]:
    return [one.subtitle for one in three_maps(evaluation)]


def test_the_three_maps_are_raw_head_and_their_difference(evaluation: Evaluation) -> None:
    raw, head, difference = three_maps(evaluation)
    assert [one.title for one in (raw, head, difference)] == ["Raw", "Head 0", "Difference"]
    assert (raw.values == evaluation.raw.pattern).all()
    assert (head.values == evaluation.heads[0].pattern).all()
    assert (difference.values == head.values - raw.values).all()
    assert " ".join(raw.row_labels) == "the animal did not cross the street because it was too tired"


def test_patterns_are_shown_from_zero_to_one_whatever_they_hold(evaluation: Evaluation) -> None:
    raw, head, difference = three_maps(evaluation)
    assert raw.limits == head.limits == (0.0, 1.0)
    largest = float(np.abs(difference.values).max())
    assert difference.limits == (-largest, largest)


def test_the_legend_of_the_difference_is_in_words(evaluation: Evaluation) -> None:
    assert (three_maps(evaluation)[2].low, three_maps(evaluation)[2].high) == (
        "raw gives more",
        "head gives more",
    )
    assert three_maps(changed(evaluation, selected=(0, 1)))[2].high == "heads give more"


def test_formulas_show_the_divisors(evaluation: Evaluation) -> None:
    assert subtitles(evaluation) == ["softmax(X·Xᵀ/√20)", "softmax(Q·Kᵀ/√4)", "head − raw, as is"]


@pytest.mark.parametrize(
    ("fields", "raw", "head"),
    [
        ({"quantity": "scores"}, "X·Xᵀ/√20", "Q·Kᵀ/√4"),
        ({"quantity": "scores", "raw": "dot"}, "X·Xᵀ", "Q·Kᵀ/√4"),
        ({"quantity": "cosine"}, "cos(x, x)", "cos(q, k)"),
        ({"temperature": 0.5}, "softmax(X·Xᵀ/√20 ÷ 0.5)", "softmax(Q·Kᵀ/√4 ÷ 0.5)"),
        ({"mask": "causal"}, "softmax(X·Xᵀ/√20), causal", "softmax(Q·Kᵀ/√4), causal"),
        ({"compare": "same-scale"}, "softmax(γ·X·Xᵀ/√20)", "softmax(Q·Kᵀ/√4)"),
        ({"compare": "matched"}, "softmax(β·X·Xᵀ)", "softmax(Q·Kᵀ/√4)"),
    ],
)
def test_formulas_follow_the_experiment(
    evaluation: Evaluation, fields: dict[str, object], raw: str, head: str
) -> None:
    assert subtitles(changed(evaluation, **fields))[:2] == [raw, head]


@pytest.mark.parametrize(
    ("scoring", "formula"),
    [
        ("dot", "softmax(Q·Kᵀ)"),
        ("cosine", "softmax(cos(q, k))"),
        ("distance", "softmax(−‖q − k‖²/2)"),
        ("raw", "softmax(X·Xᵀ/√20)"),
    ],
)
def test_the_formula_is_that_of_the_heads_scoring(evaluation: Evaluation, scoring: str, formula: str) -> None:
    heads = tuple(replace(head, scoring=scoring) for head in evaluation.experiment.heads)
    assert subtitles(changed(evaluation, heads=heads))[1] == formula


def test_heads_that_score_differently_are_not_given_one_formula(evaluation: Evaluation) -> None:
    first, *others = evaluation.experiment.heads
    mixed = changed(evaluation, heads=(replace(first, scoring="dot"), *others), selected=(0, 1))
    assert subtitles(mixed)[1] == "softmax(their scores)"


def test_several_heads_are_called_a_mean_in_order() -> None:
    assert heads_title((3, 1)) == "Mean of heads 1, 3"
    assert heads_title((4,)) == "Head 4"


def test_several_heads_show_the_mean_of_their_patterns(evaluation: Evaluation) -> None:
    both = changed(evaluation, selected=(1, 3))
    mean = (evaluation.heads[1].pattern + evaluation.heads[3].pattern) / 2
    np.testing.assert_allclose(three_maps(both)[1].values, mean, atol=1e-6)


@pytest.mark.parametrize(
    ("compare", "subtitle"),
    [
        ("as-is", "head − raw, as is"),
        ("same-scale", "head − raw, same scale"),
        ("matched", "head − raw, sharpness-matched"),
    ],
)
def test_the_difference_names_the_mode_and_what_was_done(
    evaluation: Evaluation, compare: str, subtitle: str
) -> None:
    difference = three_maps(changed(evaluation, compare=compare))[2]
    assert difference.subtitle == subtitle
    assert bool(difference.note) == (compare != "as-is")


def test_rows_that_cannot_be_matched_are_named(vectors: WordVectors) -> None:
    same = replace(example("glove-random", vectors), text="cat cat cat cat", compare="matched")
    heads = tuple(replace(head, w_q=head.w_q * 50) for head in same.heads)
    even = three_maps(evaluate(replace(same, text="cat dog cat", heads=heads), vectors))[2]
    assert "as sharp as" in even.note


def test_raw_and_head_scores_share_one_scale_with_zero_in_the_middle(evaluation: Evaluation) -> None:
    raw, head, _ = three_maps(changed(evaluation, quantity="scores"))
    largest = max(float(np.abs(one.values).max()) for one in (raw, head))
    assert raw.limits == head.limits == (-largest, largest)
    assert raw.colours == head.colours == "diverging"


def test_masked_scores_do_not_widen_the_scale(evaluation: Evaluation) -> None:
    scores = changed(evaluation, quantity="scores", mask="causal")
    _, head, difference = three_maps(scores)
    assert head.masked is not None
    seen = float(np.abs(difference.values[~head.masked]).max())
    assert difference.limits == (-seen, seen)


@pytest.mark.parametrize("stretch", ["map", "row"])
def test_a_stretch_is_said_under_the_picture(evaluation: Evaluation, stretch: str) -> None:
    raw, head, difference = three_maps(changed(evaluation, stretch=stretch))
    assert "stretched" in raw.note
    assert "stretched" in head.note
    assert raw.row_stretch == (stretch == "row")
    assert not difference.row_stretch
    if stretch == "map":
        assert raw.limits[1] == float(raw.values.max())


def test_the_grid_has_raw_first_then_every_head_on_one_scale(evaluation: Evaluation) -> None:
    maps = grid_maps(evaluation)
    assert [one.title for one in maps] == ["raw", "0", "1", "2", "3", "4"]
    assert {one.limits for one in maps} == {(0.0, 1.0)}
    assert (maps[0].values == evaluation.raw.pattern).all()
    assert (maps[3].values == evaluation.heads[2].pattern).all()
    scores = grid_maps(changed(evaluation, quantity="scores"))
    assert len({one.limits for one in scores}) == 1


def test_raw_stays_as_it_is_in_the_grid_whatever_the_comparison(evaluation: Evaluation) -> None:
    matched = grid_maps(changed(evaluation, compare="matched"))
    assert (matched[0].values == evaluation.raw.pattern).all()


def test_only_the_maps_asked_for_are_made(evaluation: Evaluation) -> None:
    assert [one.title for one in grid_maps(evaluation, [3, 4])] == ["3", "4"]


def test_weights_are_shown_around_zero_with_rows_counted_from_one(evaluation: Evaluation) -> None:
    head = evaluation.experiment.heads[2]
    one = weights_map(head, "k", 2)
    assert (one.values == head.w_k).all()
    assert one.limits == symmetric_limits(head.w_k)
    assert (one.row_labels[0], one.column_labels[-1]) == ("1", "4")
    assert (one.title, one.subtitle) == ("W_k", "head 2, 20 × 4")


def test_a_cosine_of_a_zero_vector_is_explained() -> None:
    numbers = np.array([[1, 0], [0, 0]], dtype=np.float32)
    vectors = WordVectors.from_arrays(["cat", "void"], numbers)
    start = replace(example("identity", vectors), text="cat void", quantity="cosine")
    raw, _, _ = three_maps(evaluate(start, vectors))
    assert "zero vector" in raw.note
    assert np.isnan(raw.values[0, 1])


def test_rows_that_their_ties_hold_back_are_named_once() -> None:
    vectors = WordVectors.from_arrays(["cat", "mat"], np.array([[3, 0], [1, 0]], dtype=np.float32))
    away = Head(
        np.eye(2, 1, dtype=np.float32), -9 * np.eye(2, 1, dtype=np.float32), np.eye(2, dtype=np.float32)
    )
    experiment = Experiment("cat cat mat", vectors.ref, (away,), compare="matched")
    difference = three_maps(evaluate(experiment, vectors))[2]
    said, held_back = difference.note.split("; ")
    assert said == "each raw row as sharp as the head's"
    assert held_back == "rows 1, 2, 3: as sharp as their ties allow"


def test_a_cell_is_read_out_with_rows_counted_from_one(evaluation: Evaluation) -> None:
    maps = three_maps(evaluation)
    value = f"{evaluation.raw.pattern[0, 1]:.3f}"
    assert cell_sentence(maps[0], (0, 1)) == f"row 1 looks at column 2: {value}"
    lines = cell_text(maps, (0, 1)).split("\n")
    assert lines[1] == "the → animal"
    assert lines[2].startswith(f"Raw {value} · Head 0 ")


def test_a_masked_cell_is_read_out_as_masked(evaluation: Evaluation) -> None:
    maps = three_maps(changed(evaluation, mask="causal"))
    assert cell_sentence(maps[1], (0, 1)) == "row 1 looks at column 2: masked"


def test_a_row_is_read_out_with_what_it_looks_at_most(evaluation: Evaluation) -> None:
    maps = three_maps(evaluation)
    best = int(evaluation.raw.pattern[3].argmax())
    assert f"Raw: most at column {best + 1}, {maps[0].column_labels[best]}" in row_text(maps, 3)


def test_the_bar_tells_the_true_extremes() -> None:
    values = np.array([[-0.1, 0.6]], dtype=np.float32)
    one = Heatmap(values, ("a",), ("a", "b"), (-0.6, 0.6), "diverging")
    assert bar_text(one) == "smallest value −0.100, largest +0.600"


def test_a_tooltip_has_no_empty_box_for_what_no_font_can_draw() -> None:
    labels = ("the", "\ue000")  # of private use: in no font
    one = Heatmap(np.eye(2, dtype=np.float32), labels, labels, (0.0, 1.0), "sequential", title="Raw")
    assert cell_text((one,), (0, 1)).split("\n")[1] == "the → U+E000"
    assert row_text((one,), 1).split("\n") == ["row 2: U+E000", "Raw: most at column 2, U+E000, 1.000"]
