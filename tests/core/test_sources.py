"""Where W comes from: the trained layer, another head, a draw of some heads; and what a lock keeps of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from askew import edits
from askew.drawing import kept_message
from askew.errors import ExperimentError
from askew.examples import EXAMPLES, PLAIN_VECTORS, example, vectors_of
from askew.heads import PARTS, Head, Part, Recipe
from askew.initializers import random_heads
from askew.sources import copied, has_trained, key_groups, with_trained
from askew.trained import trained_heads
from askew.vectors import open_vectors

if TYPE_CHECKING:
    from askew.experiment import Experiment


@pytest.fixture(scope="module")
def trained() -> Experiment:
    return example("trained", open_vectors("minilm-l6-v2"))


@pytest.fixture(scope="module")
def random() -> Experiment:
    return example("glove-random", open_vectors("glove-6b-50d"))


def same_numbers(a: Head, b: Head, parts: tuple[Part, ...] = PARTS) -> bool:
    names = [name for part in parts for name in (f"w_{part}", f"b_{part}")]
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in names)


def test_trained_heads_come_back_bias_and_all(trained: Experiment) -> None:
    lost = edits.randomized(trained, 5)
    back = with_trained(lost)
    assert [head.recipe for head in back.experiment.heads] == ["trained"] * 12
    assert all(same_numbers(*pair) for pair in zip(back.experiment.heads, trained_heads(), strict=True))
    assert back.message == ""


def test_only_the_heads_meant_come_back(trained: Experiment) -> None:
    back = with_trained(edits.randomized(trained, 5), [2, 7]).experiment
    assert [h for h, head in enumerate(back.heads) if head.recipe == "trained"] == [2, 7]


def test_bringing_trained_heads_back_leaves_what_is_locked_and_says_what_is_gone(trained: Experiment) -> None:
    start = edits.with_weight(edits.exchanged(trained, 2), 3, "q", 0, 0, 9.0)
    start = edits.with_locked(start, 3, True, ("k",))
    start = edits.with_locked(edits.randomized(start, 1, [4]), 4, True)
    change = with_trained(start)
    heads = change.experiment.heads
    assert heads[4] is start.heads[4]
    assert heads[2].recipe == "trained"
    assert same_numbers(heads[3], trained_heads()[3])
    assert heads[3].locked == {"k"}
    assert change.message == (
        "Heads 2, 3 were edited or imported and have been replaced; undo brings them back. "
        "Locked and left as it was: W_k of head 3."
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda e: edits.with_shape(e, d_k=16).experiment,
        lambda e: edits.with_shape(e, count=13).experiment,
        lambda e: replace(e, embedding=None, positions="none"),
        lambda e: replace(e, embedding=replace(e.embedding, epsilon=1.0)),  # another layer of the same name
    ],
)
def test_there_are_no_trained_heads_for_another_shape_or_input(trained: Experiment, change: object) -> None:
    assert callable(change)
    other = change(trained)
    assert has_trained(trained, range(12))
    assert not has_trained(other, range(len(other.heads)))
    with pytest.raises(ExperimentError, match="no trained head"):
        with_trained(other)


def test_a_head_is_copied_into_another_whose_lock_stays(random: Experiment) -> None:
    start = edits.with_locked(random, 1, True, ("v",))
    after = copied(start, 3, 1)
    assert same_numbers(after.heads[1], random.heads[3])
    assert after.heads[1].locked == {"v"}
    assert after.heads[3] is random.heads[3]
    with pytest.raises(ExperimentError, match="no head 9"):
        copied(random, 9, 0)


def test_heads_that_hold_the_same_keys_are_told_by_the_matrix_itself() -> None:
    heads = random_heads(4, d_model=8, d_k=2, d_v=2)
    assert key_groups(heads) == ((0,), (1,), (2,), (3,))
    shared = tuple(replace(head, w_k=heads[h // 2].w_k) for h, head in enumerate(heads))
    assert key_groups(shared) == ((0, 1), (2, 3))
    equal = replace(heads[1], w_k=heads[0].w_k.copy())
    assert key_groups((heads[0], equal)) == ((0,), (1,))


@pytest.mark.parametrize("part", PARTS)
def test_a_locked_matrix_stays_where_its_head_is_drawn_anew(trained: Experiment, part: Part) -> None:
    start = edits.with_locked(trained, 2, True, (part,))
    others = tuple(each for each in PARTS if each != part)
    for after in (
        edits.randomized(start, 5),
        edits.randomized(start, 5, [2]),
        edits.with_recipe(start, seed=5).experiment,
        edits.with_recipe(start, seed=5, heads=[2]).experiment,
    ):
        assert same_numbers(after.heads[2], trained.heads[2], (part,))
        assert not any(same_numbers(after.heads[2], trained.heads[2], (each,)) for each in others)
        assert after.heads[2].locked == {part}
    over = edits.randomized(start, 5, [2], over_locks=True).heads[2]
    assert not same_numbers(over, trained.heads[2], (part,))


def test_what_stayed_of_a_head_is_said(trained: Experiment) -> None:
    start = edits.with_locked(edits.with_locked(trained, 2, True, ("q", "v")), 5, True)
    assert kept_message(start.heads) == "Locked and left as it was: W_q and W_v of head 2."
    assert kept_message(start.heads, [5, 6]) == ""
    assert kept_message(start.heads, parts=("q",)) == ""
    message = edits.with_recipe(start, seed=1).message
    assert message.startswith("Heads 0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11 were trained and have been drawn anew")
    assert message.endswith("Locked and left as it was: W_q and W_v of head 2.")


def test_a_recipe_is_for_the_heads_meant_and_starts_from_the_one_they_share(random: Experiment) -> None:
    start = edits.with_recipe(random, seed=9, heads=[1, 3]).experiment
    assert [h for h in range(5) if start.heads[h] is not random.heads[h]] == [1, 3]
    assert edits.shared_recipe(start) == Recipe("gaussian", 0, 0, gain=2.0)
    assert edits.shared_recipe(start, [3, 1]) == Recipe("gaussian", 9, 0, gain=2.0)
    louder = edits.with_recipe(start, gain=4.0, heads=[3]).experiment
    assert louder.heads[3].recipe == Recipe("gaussian", 9, 3, gain=4.0)


def test_examples_without_vectors_of_their_own_leave_the_words_of_a_model(
    trained: Experiment, random: Experiment
) -> None:
    for name, texts in EXAMPLES.items():
        if texts.vectors is None:
            assert vectors_of(name, trained) == PLAIN_VECTORS
            assert vectors_of(name, replace(trained, embedding=None)) == PLAIN_VECTORS
            assert vectors_of(name, random) is None
        else:
            assert vectors_of(name, random) == texts.vectors
