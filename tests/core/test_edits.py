"""Edits of an experiment: what changes, what stays, what is said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from askew import edits
from askew.errors import AskewError, ExperimentError, WeightsError
from askew.examples import default_experiment
from askew.experiment import evaluate
from askew.heads import PARTS, FromFiles, Recipe
from askew.initializers import draw_head, random_heads
from askew.token_edits import TokenEdit
from askew.vectors import WordVectors

if TYPE_CHECKING:
    from askew.experiment import Experiment
    from askew.heads import Head, Part

ONES = np.ones(4, np.float32)
WORDS = ("the", "cat", "sat", "on", "mat")


def table(dim: int = 6) -> WordVectors:
    matrix = np.random.default_rng(1).standard_normal((len(WORDS), dim)).astype(np.float32)
    return WordVectors.from_arrays(WORDS, matrix, name=f"toy-{dim}d")


@pytest.fixture
def experiment() -> Experiment:
    start = default_experiment(table(), "the cat sat on the mat")
    return replace(start, heads=random_heads(3, d_model=6, d_k=4, d_v=2, seed=7))


def numbers(head: Head) -> tuple[bytes, bytes, bytes]:
    return head.w_q.tobytes(), head.w_k.tobytes(), head.w_v.tobytes()


def drawn(initializer: str, seed: int, index: int, d_model: int = 6, d_k: int = 4, d_v: int = 2) -> Head:
    return draw_head(Recipe(initializer, seed, index), d_model, d_k, d_v)


def test_new_text_moves_the_edits_of_its_tokens_along(experiment: Experiment) -> None:
    left_out = edits.with_token_edit(experiment, TokenEdit(4, 7, "leave-out"))
    moved = edits.with_text(left_out, "and the cat sat on the mat")
    assert moved.edits == (TokenEdit(8, 11, "leave-out"),)
    assert [token.text for token in evaluate(moved, table()).tokens] == ["the", "sat", "on", "the", "mat"]


def test_an_edit_of_a_token_can_be_taken_back(experiment: Experiment) -> None:
    left_out = edits.with_token_edit(experiment, TokenEdit(4, 7, "leave-out"))
    assert edits.without_token_edits(left_out, 0, 3) == left_out
    assert edits.without_token_edits(left_out, 5, 6) == experiment


def test_randomize_draws_every_head_from_the_seed_and_its_index(experiment: Experiment) -> None:
    changed = edits.randomized(experiment, 11)
    for index, head in enumerate(changed.heads):
        assert numbers(head) == numbers(drawn("gaussian", 11, index))
        assert head.recipe == Recipe("gaussian", 11, index)


def test_randomize_leaves_locked_heads_alone(experiment: Experiment) -> None:
    changed = edits.randomized(edits.with_locked(experiment, 1, True), 11)
    assert numbers(changed.heads[1]) == numbers(experiment.heads[1])
    assert numbers(changed.heads[0]) != numbers(experiment.heads[0])


def test_randomize_of_named_heads_leaves_the_others_the_same_objects(experiment: Experiment) -> None:
    changed = edits.randomized(experiment, 11, heads=[2])
    assert changed.heads[:2] == experiment.heads[:2]
    assert changed.heads[2].recipe == Recipe("gaussian", 11, 2)


@pytest.mark.parametrize("part", PARTS)
def test_randomize_of_one_matrix_takes_it_from_the_whole_draw(experiment: Experiment, part: Part) -> None:
    changed = edits.randomized(experiment, 11, parts=(part,))
    for index, (old, new) in enumerate(zip(experiment.heads, changed.heads, strict=True)):
        fresh = drawn("gaussian", 11, index)
        for each in PARTS:
            source = fresh if each == part else old
            assert np.array_equal(getattr(new, f"w_{each}"), getattr(source, f"w_{each}"))
        assert new.recipe == "edited"


@pytest.mark.parametrize("initializer", ["identity", "zero"])
def test_randomize_of_a_head_that_has_no_chance_in_it_draws_gaussian(
    experiment: Experiment, initializer: str
) -> None:
    fixed = edits.with_recipe(experiment, initializer=initializer).experiment
    changed = edits.randomized(fixed, 11)
    assert numbers(changed.heads[0]) == numbers(drawn("gaussian", 11, 0))


def test_randomize_of_a_tied_head_keeps_it_tied_but_its_key_alone_is_free(experiment: Experiment) -> None:
    tied = edits.with_recipe(experiment, initializer="tied").experiment
    whole = edits.randomized(tied, 11).heads[0]
    assert np.array_equal(whole.w_q, whole.w_k)
    assert np.array_equal(edits.randomized(tied, 11, parts=("k",)).heads[0].w_k, drawn("gaussian", 11, 0).w_k)


def test_randomize_keeps_scoring_and_drops_the_bias_of_what_it_draws(experiment: Experiment) -> None:
    head = replace(experiment.heads[0], scoring="cosine", b_q=ONES, b_k=ONES, recipe=FromFiles())
    changed = edits.with_head(experiment, 0, head)
    part = edits.randomized(changed, 11, [0], parts=("k",)).heads[0]
    assert part.scoring == "cosine"
    assert part.b_q is not None
    assert part.b_k is None
    whole = edits.randomized(changed, 11, [0]).heads[0]
    assert whole.b_q is None
    assert whole.scoring == "cosine"


def test_exchange_transposes_the_scores_and_twice_gives_the_same_numbers(experiment: Experiment) -> None:
    with_bias = replace(experiment.heads[1], b_q=2 * ONES, b_k=ONES, recipe="edited")
    start = edits.with_head(experiment, 1, with_bias)
    turned = edits.exchanged(start, 1)
    before, after = evaluate(start, table()), evaluate(turned, table())
    np.testing.assert_allclose(after.scores[1], before.scores[1].T, atol=1e-6)
    assert turned.heads[1].recipe == "edited"
    again = edits.exchanged(turned, 1).heads[1]
    assert numbers(again) == numbers(with_bias)
    assert again.b_q is with_bias.b_q


def test_reset_brings_an_edited_head_back_to_the_recipe_of_the_others(experiment: Experiment) -> None:
    edited = edits.with_weight(experiment, 1, "q", 0, 0, 9.0)
    assert numbers(edits.reset(edited, 1).heads[1]) == numbers(experiment.heads[1])
    alone = edits.randomized(experiment, 11, heads=[0])
    assert edits.reset(alone, 0).heads[0].recipe == experiment.heads[0].recipe


def test_one_weight_changes_one_number_and_marks_the_head_as_edited(experiment: Experiment) -> None:
    changed = edits.with_weight(experiment, 1, "k", 5, 3, 0.5)
    old, new = experiment.heads[1].w_k, changed.heads[1].w_k
    assert new[5, 3] == 0.5
    assert np.count_nonzero(old != new) == 1
    assert changed.heads[1].recipe == "edited"
    assert changed.heads[0] is experiment.heads[0]
    assert changed.heads[1].w_q is experiment.heads[1].w_q
    assert not new.flags.writeable


def test_a_weight_that_is_what_it_was_changes_nothing(experiment: Experiment) -> None:
    same = float(experiment.heads[1].w_k[5, 3])
    assert edits.with_weight(experiment, 1, "k", 5, 3, same) is experiment


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e39])
def test_a_weight_that_is_no_finite_float32_is_refused(experiment: Experiment, value: float) -> None:
    with pytest.raises(WeightsError, match="not finite"):
        edits.with_weight(experiment, 0, "q", 0, 0, value)


def test_a_matrix_of_another_shape_is_refused_with_both_shapes(experiment: Experiment) -> None:
    with pytest.raises(WeightsError, match=r"4 × 6 and W_v of head 2 is 6 × 2"):
        edits.with_matrix(experiment, 2, "v", np.zeros((4, 6)))


def test_the_callers_array_is_not_kept(experiment: Experiment) -> None:
    mine = np.zeros((6, 4), np.float32)
    changed = edits.with_matrix(experiment, 0, "q", mine)
    mine[0, 0] = 5
    assert changed.heads[0].w_q[0, 0] == 0


def test_a_pasted_head_must_have_the_same_shape(experiment: Experiment) -> None:
    other = drawn("gaussian", 3, 0, d_k=5)
    with pytest.raises(WeightsError, match=r"\(6, 5, 2\) and head 0 has \(6, 4, 2\)"):
        edits.with_head(experiment, 0, other)
    pasted = edits.with_head(experiment, 0, experiment.heads[2])
    assert pasted.heads[0] is experiment.heads[2]


def test_heads_are_added_at_the_end_and_the_others_stay(experiment: Experiment) -> None:
    change = edits.with_shape(experiment, count=5)
    assert change.message == ""
    assert change.experiment.heads[:3] == experiment.heads
    assert numbers(change.experiment.heads[4]) == numbers(drawn("gaussian", 7, 4))


def test_removing_heads_moves_the_selection_and_names_lost_work(experiment: Experiment) -> None:
    start = edits.with_weight(replace(experiment, selected=(2, 1)), 2, "q", 0, 0, 1.0)
    change = edits.with_shape(start, count=2)
    assert change.experiment.selected == (1,)
    assert change.message == "Head 2 was edited or imported and has been removed; undo brings it back."
    assert edits.with_shape(replace(start, selected=(2,)), count=2).experiment.selected == (1,)


def test_another_width_draws_recipes_again_and_replaces_edited_heads(experiment: Experiment) -> None:
    start = edits.with_weight(experiment, 1, "q", 0, 0, 1.0)
    change = edits.with_shape(start, d_k=2)
    heads = change.experiment.heads
    for index, head in enumerate(heads):
        assert numbers(head) == numbers(drawn("gaussian", 7, index, d_k=2))
    assert "Head 1 was edited or imported and has been replaced by a random draw" in change.message


def test_a_new_seed_and_gain_draw_all_heads_that_are_not_locked(experiment: Experiment) -> None:
    start = edits.with_locked(edits.with_weight(experiment, 2, "q", 0, 0, 1.0), 0, True)
    change = edits.with_recipe(start, seed=8, gain=2.0)
    assert change.experiment.heads[0] is start.heads[0]
    assert change.experiment.heads[1].recipe == Recipe("gaussian", 8, 1, gain=2.0)
    assert change.message == "Head 2 was edited or imported and has been drawn anew; undo brings it back."


def test_another_initializer_starts_from_its_own_rank(experiment: Experiment) -> None:
    low = edits.with_recipe(experiment, initializer="low-rank", rank=2).experiment
    assert np.linalg.matrix_rank(low.heads[0].w_q) == 2
    assert edits.with_recipe(low, seed=1).experiment.heads[0].recipe == Recipe("low-rank", 1, 0, rank=2)
    assert edits.with_recipe(low, initializer="xavier").experiment.heads[0].recipe == Recipe("xavier", 7, 0)


def test_the_shared_recipe_is_that_of_most_heads(experiment: Experiment) -> None:
    assert edits.shared_recipe(edits.randomized(experiment, 11, heads=[0])) == Recipe("gaussian", 7, 0)
    edited = tuple(replace(head, recipe=FromFiles()) for head in experiment.heads)
    assert edits.shared_recipe(replace(experiment, heads=edited)) == Recipe("gaussian", 0, 0)


def test_the_shared_recipe_is_that_of_the_heads_not_locked(experiment: Experiment) -> None:
    locked = edits.with_locked(edits.with_locked(experiment, 0, True), 1, True)
    fresh = edits.randomized(locked, 11)
    assert edits.shared_recipe(fresh) == Recipe("gaussian", 11, 0)
    louder = edits.with_recipe(fresh, gain=2.0).experiment
    assert louder.heads[2].recipe == Recipe("gaussian", 11, 2, gain=2.0)
    all_locked = edits.with_locked(fresh, 2, True)
    assert edits.shared_recipe(all_locked) == Recipe("gaussian", 7, 0)


def test_vectors_of_the_same_width_keep_the_heads(experiment: Experiment) -> None:
    other = WordVectors.from_arrays(["a"], np.ones((1, 6), np.float32), name="other")
    change = edits.with_vectors(experiment, other)
    assert change.experiment.heads is experiment.heads
    assert change.experiment.vectors == other.ref


def test_vectors_of_another_width_draw_the_heads_again(experiment: Experiment) -> None:
    start = edits.with_weight(experiment, 1, "q", 0, 0, 1.0)
    change = edits.with_vectors(start, table(9))
    for index, head in enumerate(change.experiment.heads):
        assert numbers(head) == numbers(drawn("gaussian", 7, index, d_model=9))
    assert "Head 1" in change.message
    evaluate(change.experiment, table(9))


def test_identity_heads_follow_the_vectors_to_any_width(experiment: Experiment) -> None:
    start = edits.with_shape(experiment, count=1, d_k=6, d_v=6).experiment
    start = edits.with_recipe(start, initializer="identity").experiment
    for dim in (9, 3):
        head = edits.with_vectors(start, table(dim)).experiment.heads[0]
        assert np.array_equal(head.w_q, np.eye(dim, dtype=np.float32))


@pytest.mark.parametrize("sizes", [{"count": 0}, {"d_k": 0}, {"d_v": -1}, {"count": 10**6, "d_k": 10**6}])
def test_sizes_that_cannot_be_are_refused(experiment: Experiment, sizes: dict[str, int]) -> None:
    with pytest.raises(ExperimentError) as caught:
        edits.with_shape(experiment, **sizes)
    assert caught.value.remedy


def test_selection_is_one_head_or_several_and_never_none(experiment: Experiment) -> None:
    assert edits.with_selected(experiment, 2).selected == (2,)
    both = edits.with_selected(experiment, 2, extend=True)
    assert both.selected == (0, 2)
    assert edits.with_selected(both, 0, extend=True).selected == (2,)
    assert edits.with_selected(experiment, 0, extend=True).selected == (0,)


@pytest.mark.parametrize("h", [-1, 3])
def test_a_head_that_is_not_there_is_named(experiment: Experiment, h: int) -> None:
    with pytest.raises(AskewError, match=f"there is no head {h}. Heads are 0 to 2"):
        edits.exchanged(experiment, h)


def test_more_heads_than_can_be_shown_are_refused(experiment: Experiment) -> None:
    with pytest.raises(ExperimentError, match=r"1,025 heads .* at most 1,024"):
        edits.with_shape(experiment, count=edits.MAX_HEADS + 1)


def test_a_drawn_head_is_the_same_object_while_it_is_in_use() -> None:
    before = edits.with_shape(default_experiment(table()), count=2).experiment
    once, again = (edits.with_shape(before, count=4).experiment for _ in range(2))
    assert once.heads[2] is again.heads[2]
    assert edits.randomized(once, seed=7).heads[2] is not once.heads[2]
