"""Whatever is done in whatever order: undo gives every state back exactly, so does redo; the maps follow."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from askew import random_heads
from askew.evaluation import evaluate
from askew.examples import EXAMPLES
from askew.experiment import Experiment
from askew.heads import PARTS
from askew.initializers import INITIALIZERS
from askew.tokens import TokenEdit
from askew.vectors import WordVectors
from askew_gui import intents
from askew_gui.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QApplication

    from askew.evaluation import Evaluation
    from askew.tokens import Token

WORDS = ["the", "cat", "and", "dog", "sat", "on", "a", "mat", "paris", "it", "was", "n't", "o'clock"]
STEPS = 80
FIELDS: dict[str, tuple[object, ...]] = {
    "quantity": ("pattern", "scores", "cosine"),
    "compare": ("as-is", "same-scale", "matched"),
    "normalize": ("none", "unit", "layer"),
    "mask": ("none", "causal"),
    "unknown": ("keep", "drop"),
    "stretch": ("fixed", "map", "row"),
    "raw": ("scaled", "dot", "cosine"),
    "temperature": (0.01, 0.5, 1.0, 7.0),
}


def table(dim: int, name: str) -> WordVectors:
    numbers = np.random.default_rng(len(name)).standard_normal((len(WORDS), dim)).astype(np.float32)
    return WordVectors.from_arrays(WORDS, numbers, name=name)


TABLES = (table(4, "four"), table(6, "six"), table(4, "four more"))


class Person:
    """Does something at random; what is not possible is refused and changes nothing."""

    def __init__(self, store: Store, seed: int) -> None:
        self.store, self.dice = store, random.Random(seed)

    def act(self) -> None:
        doings: tuple[Callable[[], object], ...] = (
            self._write,
            self._type,
            self._edit_token,
            self._edit_token,
            self._change_heads,
            self._change_heads,
            self._change_weights,
            self._change_shape,
            self._change_recipe,
            self._choose,
            self._set_field,
            self._set_field,
            self._replace_all,
            self.store.undo,
            self.store.redo,
        )
        self.dice.choice(doings)()

    @property
    def _head(self) -> int:
        return self.dice.randrange(len(self.store.experiment.heads))

    def _key(self, name: str) -> str | None:
        return self.dice.choice((None, name))

    def _write(self) -> None:
        words = self.dice.choices([*WORDS, "zzyzx"], k=self.dice.randint(0, 8))
        intents.set_text(self.store, " ".join(words))

    def _type(self) -> None:
        text = self.store.experiment.text
        place = self.dice.randint(0, len(text))
        new = self.dice.choice(("a", " ", "the ", "猫", "👍🏽", ""))
        rest = text[place + self.dice.randint(0, 2) :]
        intents.set_text(self.store, text[:place] + new + rest, self._key("type"))

    def _edit_token(self) -> None:
        tokens = self.store.evaluation.sentence
        if not tokens:
            return
        place = self.dice.randrange(len(tokens))
        token, after = tokens[place], tokens[min(place + 1, len(tokens) - 1)]
        if self.dice.random() < 0.2:
            intents.drop_token_edits(self.store, token.start, token.end)
            return
        edit = self._token_edit(token, after)
        intents.edit_token(self.store, edit, edit.what)

    def _token_edit(self, token: Token, after: Token) -> TokenEdit:
        edits = [
            TokenEdit(token.start, token.end, "leave-out"),
            TokenEdit(token.start, token.end, "replace", replacement=self.dice.choice([*WORDS, "zzyzx"])),
        ]
        if after is not token:
            edits.append(TokenEdit(token.start, after.end, "join"))
        if token.end - token.start > 1:
            edits.append(TokenEdit(token.start, token.end, "split", at=token.start + 1))
        return self.dice.choice(edits)

    def _change_heads(self) -> None:
        store, head = self.store, self._head
        parts = tuple(self.dice.sample(PARTS, self.dice.randint(1, 3)))
        doings: tuple[Callable[[], object], ...] = (
            lambda: intents.randomize(store, self.dice.choice((None, (head,))), parts, seed=3),
            lambda: intents.exchange(store, head),
            lambda: intents.reset(store, head),
            lambda: intents.toggle_lock(store, head),
            lambda: intents.copy_head(store, head),
            lambda: intents.paste_head(store, head),
        )
        self.dice.choice(doings)()

    def _change_weights(self) -> None:
        number, part = self._head, self.dice.choice(PARTS)
        head = self.store.experiment.heads[number]
        rows, columns = {"q": head.w_q, "k": head.w_k, "v": head.w_v}[part].shape
        if self.dice.random() < 0.3:
            intents.set_matrix(self.store, number, part, np.zeros((rows, self.dice.choice((columns, 9)))))
            return
        value = self.dice.choice((0.5, -2.0, 0.0, float("nan"), 1e39))
        row, column = self.dice.randrange(rows), self.dice.randrange(columns)
        intents.set_weight(self.store, number, part, row, column, value)

    def _change_shape(self) -> None:
        name, size = self.dice.choice(("count", "d_k", "d_v")), self.dice.randint(0, 6)
        key = self._key(name)
        if name == "count":
            intents.set_shape(self.store, count=size, merge_key=key)
        elif name == "d_k":
            intents.set_shape(self.store, d_k=size, merge_key=key)
        else:
            intents.set_shape(self.store, d_v=size, merge_key=key)

    def _change_recipe(self) -> None:
        store = self.store
        doings: tuple[Callable[[], object], ...] = (
            lambda: intents.set_recipe(store, initializer=self.dice.choice(tuple(INITIALIZERS))),
            lambda: intents.set_recipe(store, seed=self.dice.randint(0, 9), merge_key=self._key("seed")),
            lambda: intents.set_recipe(store, gain=self.dice.choice((0.0, 1.0, 2.0))),
            lambda: intents.set_recipe(store, rank=self.dice.randint(0, 5)),
        )
        self.dice.choice(doings)()

    def _choose(self) -> None:
        intents.select_head(self.store, self._head, self.dice.random() < 0.5)

    def _set_field(self) -> None:
        name = self.dice.choice(tuple(FIELDS))
        intents.set_field(self.store, name, self.dice.choice(FIELDS[name]), name, self._key(name))

    def _replace_all(self) -> None:
        if self.dice.random() < 0.5:
            intents.use_vectors(self.store, self.dice.choice(TABLES))
        else:
            intents.apply_example(self.store, self.dice.choice(tuple(EXAMPLES)))


@pytest.fixture
def store(qapp: QApplication) -> Iterator[Store]:
    heads = random_heads(3, d_model=4, d_k=2, d_v=2, seed=0)
    store = Store(Experiment(text="the cat and the dog", vectors=TABLES[0].ref, heads=heads), TABLES[0])
    yield store
    store.jobs.close(timeout=1)


def assert_evaluated(store: Store) -> None:
    """Check that the maps are those of the present experiment, computed anew, to the last bit."""
    shown, fresh = store.evaluation, evaluate(store.experiment, store.vectors)
    assert shown.experiment == store.experiment
    assert shown.sentence == fresh.sentence
    for one, other in zip(_arrays(shown), _arrays(fresh), strict=True):
        assert np.array_equal(one, other, equal_nan=True)


def _arrays(evaluation: Evaluation) -> list[np.ndarray]:
    raw = evaluation.raw
    cosines = [head.cosine for head in evaluation.heads]
    return [raw.scores, raw.pattern, evaluation.scores, evaluation.pattern, evaluation.outputs, *cosines]


@pytest.mark.parametrize("seed", range(12))
def test_undoing_all_is_the_first_experiment_and_redoing_all_the_last(store: Store, seed: int) -> None:
    first, person = store.experiment, Person(store, seed)
    for _ in range(STEPS):
        person.act()
        assert_evaluated(store)
    while store.undo_stack.canRedo():
        store.redo()
    states = [store.experiment]
    while store.undo_stack.canUndo():
        store.undo()
        assert store.experiment != states[-1], "a step that does nothing"
        states.append(store.experiment)
    assert store.experiment == first
    assert_evaluated(store)
    for wanted in reversed(states[:-1]):
        store.redo()
        assert store.experiment == wanted
    assert not store.undo_stack.canRedo()
    assert_evaluated(store)
