"""The store: one way for changes, undo of everything, evaluation in the background where it is long."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from askew.errors import ExperimentError
from askew.vectors import WordVectors
from askew_gui import intents
from askew_gui import store as store_module
from askew_gui.store import UNDO_LIMIT

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew.experiment import Experiment
    from askew_gui.store import Store


def test_a_change_tells_old_and_new_and_the_evaluation_is_of_the_new(store: Store) -> None:
    told: list[tuple[Experiment, Experiment]] = []
    seen: list[Experiment] = []
    store.changed.connect(lambda old, new: told.append((old, new)))
    store.evaluated.connect(lambda evaluation: seen.append(evaluation.experiment))
    before = store.experiment
    intents.set_text(store, "the cat")
    assert told == [(before, store.experiment)]
    assert seen == [store.experiment]
    assert [token.text for token in store.evaluation.tokens] == ["the", "cat"]


def test_no_step_is_made_where_nothing_changes(store: Store) -> None:
    store.apply(store.experiment, "nothing")
    assert store.undo_stack.count() == 0


def test_undo_and_redo_give_back_the_very_same_experiment(store: Store) -> None:
    before = store.experiment
    intents.randomize(store, seed=7)
    after = store.experiment
    assert after is not before
    store.undo()
    assert store.experiment is before
    store.redo()
    assert store.experiment is after


def test_undo_of_the_stack_itself_is_followed_too(store: Store) -> None:
    before = store.experiment
    intents.set_text(store, "the cat")
    store.undo_stack.undo()
    assert store.experiment is before
    assert store.evaluation.experiment is before


def test_undo_names_what_it_takes_back(store: Store) -> None:
    intents.randomize(store, seed=7)
    assert store.undo_stack.undoText() == "randomize"
    intents.randomize(store, heads=[3], parts=("q",), seed=8)
    assert store.undo_stack.undoText() == "randomize W_q of head 3 from seed 8"


def test_selection_quantity_and_comparison_are_undone_like_everything_else(store: Store) -> None:
    start = store.experiment
    intents.select_head(store, 3)
    intents.set_field(store, "quantity", "scores", "show scores")
    intents.set_field(store, "compare", "matched", "compare matched")
    assert (store.experiment.selected, store.experiment.quantity) == ((3,), "scores")
    for _ in range(3):
        store.undo()
    assert store.experiment is start


def test_steps_with_one_key_are_one_step(store: Store) -> None:
    before = store.experiment
    for gain in (1.1, 1.2, 1.3):
        intents.set_recipe(store, gain=gain, merge_key="gain")
    assert store.undo_stack.count() == 1
    store.undo()
    assert store.experiment is before


def test_there_and_back_again_under_one_key_leaves_no_step_that_does_nothing(store: Store) -> None:
    intents.select_head(store, 2)
    count = len(store.experiment.heads)
    for wanted in (count + 1, count + 2, count):
        intents.set_shape(store, count=wanted, merge_key="count")
    assert [store.undo_stack.text(step) for step in range(store.undo_stack.count())] == ["choice of head"]
    assert len(store.evaluation.heads) == len(store.experiment.heads) == count
    store.undo()
    assert store.experiment.selected == (0,)


def test_another_key_or_none_begins_a_new_step(store: Store) -> None:
    for key in ("a", "b", None, None):
        store.apply(replace(store.experiment, temperature=store.experiment.temperature + 1), "warmer", key)
    assert store.undo_stack.count() == 4


def test_after_an_undo_the_same_key_begins_a_new_step(store: Store) -> None:
    for temperature in (2.0, 3.0):
        store.apply(replace(store.experiment, temperature=temperature), "a", "x")
        intents.select_head(store, int(temperature))
    store.undo()
    store.apply(replace(store.experiment, temperature=5.0), "a", "x")
    store.undo()
    assert store.experiment.temperature == 3.0


def test_two_hundred_steps_can_be_taken_back(store: Store) -> None:
    for step in range(UNDO_LIMIT + 20):
        store.apply(replace(store.experiment, temperature=2.0 + step), "warmer")
    for _ in range(UNDO_LIMIT):
        assert store.undo_stack.canUndo()
        store.undo()
    assert not store.undo_stack.canUndo()
    assert store.experiment.temperature == 2.0 + 19


def test_a_slot_may_edit_again_and_both_steps_are_kept_in_order(store: Store) -> None:
    def follow(_old: Experiment, new: Experiment) -> None:
        if new.temperature == 2.0:
            store.apply(replace(new, temperature=3.0), "second")

    store.changed.connect(follow)
    store.apply(replace(store.experiment, temperature=2.0), "first")
    assert store.experiment.temperature == store.evaluation.experiment.temperature == 3.0
    assert [store.undo_stack.text(step) for step in range(store.undo_stack.count())] == ["first", "second"]


def test_an_unchanged_head_is_not_computed_again(store: Store) -> None:
    before = store.evaluation.heads[1]
    intents.set_weight(store, 0, "q", 0, 0, 9.0)
    assert np.shares_memory(store.evaluation.heads[1].scores, before.scores)


def test_an_experiment_that_cannot_be_computed_becomes_a_message_and_old_maps_stay(store: Store) -> None:
    refused: list[tuple[str, str]] = []
    stale: list[bool] = []
    store.refused.connect(lambda *message: refused.append(message))
    store.stale_changed.connect(stale.append)
    old = store.evaluation
    store.apply(replace(store.experiment, mask="nonsense"), "mask")
    assert store.evaluation is old
    assert store.stale
    assert not store.computing
    assert [bool(text) for text, _ in refused] == [True]
    store.undo()
    assert refused[1:] == [("", "")]
    assert not store.stale
    assert stale == [True, False]


def test_a_long_text_is_computed_in_the_background(
    store: Store, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "INLINE_CELLS", 100)
    before = store.evaluation
    intents.set_text(store, "the cat sat on the mat " * 3)
    assert store.evaluation is before
    assert store.stale
    assert store.computing
    with qtbot.waitSignal(store.evaluated, timeout=5000):
        pass
    assert not store.stale
    assert len(store.evaluation.tokens) == 18


def test_of_two_long_texts_only_the_later_arrives(
    store: Store, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "INLINE_CELLS", 1)
    arrived: list[str] = []
    store.evaluated.connect(lambda evaluation: arrived.append(evaluation.experiment.text))
    intents.set_text(store, "the cat")
    intents.set_text(store, "the dog")
    qtbot.waitUntil(lambda: store.jobs.idle, timeout=5000)
    assert arrived == ["the dog"]


def test_an_error_in_the_background_becomes_a_message_too(
    store: Store, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "INLINE_CELLS", 1)
    with qtbot.waitSignal(store.refused, timeout=5000) as refused:
        store.apply(replace(store.experiment, mask="nonsense"), "mask")
    assert refused.args is not None
    assert "nonsense" in refused.args[0]


def test_the_estimate_of_the_work_counts_words_and_letters_without_spaces(store: Store) -> None:
    now = store.experiment
    assert store_module._cells(now, replace(now, text="one two three")) == 9 * 5
    assert store_module._cells(now, replace(now, text="我爱北京天安门")) == 64 * 5


def test_the_estimate_counts_only_heads_that_changed(store: Store) -> None:
    now = store.experiment
    intents.set_weight(store, 3, "q", 0, 0, 1.0)
    assert store_module._cells(now, store.experiment) == 12 * 12
    assert store_module._cells(now, replace(now, quantity="scores", selected=(1, 2))) == 0
    assert store_module._cells(now, replace(now, temperature=2.0)) == 12 * 12 * 5


def other_vectors(dim: int, name: str = "other") -> WordVectors:
    words = ["the", "cat"]
    return WordVectors.from_arrays(words, np.eye(2, dim, dtype=np.float32), name=name)


def test_vectors_of_another_size_redraw_the_heads_and_undo_brings_both_back(store: Store) -> None:
    said: list[tuple[str, str, str]] = []
    store.said.connect(lambda *message: said.append(message))
    before, table = store.experiment, store.vectors
    intents.use_vectors(store, other_vectors(8))
    assert store.vectors.dim == store.experiment.heads[0].d_model == 8
    assert [level for level, _, _ in said] == ["info"]
    assert "8 numbers per word instead of 20" in said[0][1]
    store.undo()
    assert store.experiment is before
    assert store.vectors is table


def test_other_vectors_also_say_which_edited_heads_are_gone(store: Store) -> None:
    said: list[str] = []
    store.said.connect(lambda _level, text, _remedy: said.append(text))
    intents.set_weight(store, 2, "q", 0, 0, 1.0)
    intents.use_vectors(store, other_vectors(8))
    assert len(said) == 1
    assert "8 numbers per word instead of 20" in said[0]
    assert "Head 2 was edited" in said[0]


def test_tables_that_no_step_refers_to_are_forgotten(store: Store) -> None:
    unused = other_vectors(8, "unused")
    store.register(unused)
    intents.use_vectors(store, other_vectors(9))
    assert unused.fingerprint not in store._tables
    assert len(store._tables) == 2


def test_an_intent_that_is_refused_changes_nothing_and_says_why(store: Store) -> None:
    said: list[tuple[str, str, str]] = []
    store.said.connect(lambda *message: said.append(message))
    before = store.experiment
    assert not intents.set_shape(store, d_k=0)
    assert store.experiment is before
    assert said[0][0] == "error"
    assert said[0][2]


def test_locked_heads_are_left_alone_and_all_locked_says_so(store: Store) -> None:
    said: list[tuple[str, str, str]] = []
    store.said.connect(lambda *message: said.append(message))
    intents.toggle_lock(store, 2)
    kept = store.experiment.heads[2]
    intents.randomize(store)
    assert store.experiment.heads[2] is kept
    assert store.experiment.heads[1].recipe != kept.recipe
    for head in (0, 1, 3, 4):
        intents.toggle_lock(store, head)
    assert not intents.randomize(store)
    assert said[-1][0] == "info"


def test_a_seed_for_heads_that_are_all_locked_is_refused_in_words(store: Store) -> None:
    for head in range(len(store.experiment.heads)):
        intents.toggle_lock(store, head)
    said: list[str] = []
    store.said.connect(lambda _level, text, _remedy: said.append(text))
    before = store.experiment
    assert not intents.set_recipe(store, seed=4)
    assert store.experiment is before
    assert said == ["Every head is locked, so none was drawn"]


def test_a_copied_head_is_pasted_but_the_lock_stays_where_it_is(store: Store) -> None:
    intents.toggle_lock(store, 4)
    intents.copy_head(store, 4)
    intents.paste_head(store, 1)
    assert store.experiment.heads[1].w_q is store.experiment.heads[4].w_q
    assert not store.experiment.heads[1].locked


def test_a_new_seed_is_below_two_to_the_31_and_not_always_the_same() -> None:
    seeds = {intents.new_seed() for _ in range(20)}
    assert len(seeds) > 1
    assert all(0 <= seed < 2**31 for seed in seeds)


def test_an_example_replaces_the_experiment_in_one_step(store: Store) -> None:
    before = store.experiment
    intents.apply_example(store, "identity")
    assert len(store.experiment.heads) == 1
    store.undo()
    assert store.experiment is before


def test_an_unexpected_error_is_not_swallowed(store: Store) -> None:
    with pytest.raises(ZeroDivisionError):
        store._refuse(ZeroDivisionError())


def test_the_place_of_an_error_is_part_of_its_message(store: Store, qtbot: QtBot) -> None:
    with qtbot.waitSignal(store.said) as said:
        store.fail(ExperimentError("a number is missing", where="row 2", remedy="Add it"))
    assert said.args == ["error", "row 2: a number is missing", "Add it"]
