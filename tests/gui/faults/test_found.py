"""What random actions and long runs have found, one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import ref

from askew.heads import Recipe
from askew.initializers import draw_head
from askew_gui import intents

if TYPE_CHECKING:
    from askew_gui.store import Store
    from askew_gui.window import Window


def test_a_seed_larger_than_a_field_can_show_is_no_error(window: Window, store: Store) -> None:
    recipe = Recipe("gaussian", seed=2**40, index=0)
    head = draw_head(recipe, store.vectors.dim, 4, 4)
    store.apply(replace(store.experiment, heads=(head,), selected=(0,)), "a large seed")
    assert store.experiment.heads[0].recipe == recipe


def test_steps_of_undo_that_were_merged_or_taken_back_hold_no_heads(store: Store) -> None:
    def drawn(seed: int, key: str | None) -> ref[object]:
        intents.set_recipe(store, seed=seed, merge_key=key)
        return ref(store.experiment.heads[0].w_q)

    first, _second = drawn(101, "seed"), drawn(102, "seed")
    taken = drawn(103, None)
    store.take_back()
    assert first() is None
    assert taken() is None
